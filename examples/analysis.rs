//! Searches a position for two seconds and prints each line as it is found, best lines last.
//!
//! `cargo run --release --example analysis -- gast`
//! `cargo run --release --example analysis -- chess '8/8/8/3k4/8/8/8/R6K w - - 0 1'`

use quintain::engine::{Engine, Options, named};
use quintain::search::score::UciScore;
use quintain::search::{Info, Limits};
use std::env;
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let name = env::args().nth(1).unwrap_or_else(|| "canyon".into());
    let variant = named(&name)?;
    let mut engine = Engine::new(Options { variant, multi_pv: 2, ..Options::default() })?;
    engine.game_mut().set_position(env::args().nth(2).as_deref(), &[])?;

    // The search calls the listener from its own thread, where the engine cannot be used: it needs a copy of the game.
    let position = engine.game().copy();
    let print = |info: &Info| {
        let score = match position.shown(info.score) {
            UciScore::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
            UciScore::Mate(moves) => format!("mate in {moves}"),
        };
        let line = position.san(&info.pv).join(" ");
        println!("{:>2}. depth {:<3}{score:>9}  {line}", info.multi_pv, info.depth);
    };
    let limits = Limits { move_time: Some(Duration::from_secs(2)), ..Limits::default() };
    let lines = engine.lines(&limits, print);
    println!("\n{} to move, {} nodes", engine.game().side(), lines.first().map_or(0, |line| line.nodes));
    for info in &lines {
        print(info);
    }
    Ok(())
}
