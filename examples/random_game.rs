//! Plays random moves to the end of a game, and prints it as PGN.
//!
//! `cargo run --release --example random_game -- diamond`

use quintain::board::zobrist::random_numbers;
use quintain::engine::{any_seed, open};
use quintain::notation::pgn::{Game, Ply};
use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = env::args().nth(1).unwrap_or_else(|| "canyon".into());
    let mut session = open(&name)?;
    let mut random = random_numbers(any_seed());
    let mut game = Game { tags: vec![("Variant".into(), name)], ..Game::default() };
    let outcome = loop {
        if let Some(outcome) = session.outcome() {
            break outcome;
        }
        let moves = session.moves();
        let choice = (random() % moves.len() as u64) as usize;
        let played = session.play(&moves[choice])?;
        game.moves.push(Ply { san: played.san, ..Ply::default() });
    };
    game.result = outcome.score().into();
    print!("{game}");
    println!("{outcome} after {} plies: {}", game.moves.len(), session.fen());
    Ok(())
}
