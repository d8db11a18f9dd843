//! Adds to each move of the games in a PGN file its score, and a better move where it loses a pawn or more.
//!
//! `cargo run --release --example annotate -- game.pgn > annotated.pgn`

use quintain::engine::{Engine, Options, Session, named};
use quintain::notation::pgn::{self, Game};
use quintain::search::score::UciScore;
use quintain::search::{Info, Limits, Score};
use std::env;
use std::error::Error;
use std::fs;

fn shown(game: &dyn Session, score: Score) -> String {
    match game.shown(score) {
        UciScore::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        UciScore::Mate(moves) => format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.abs()),
    }
}

fn annotate(game: &mut Game) -> Result<(), Box<dyn Error>> {
    let variant = named(game.tag("Variant").unwrap_or("chess"))?;
    let mut engine = Engine::new(Options { variant, ..Options::default() })?;
    engine.game_mut().set_position(game.tag("FEN"), &[])?;
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let mut before: Info = engine.analyse(&limits, &|_| ());
    for ply in &mut game.moves {
        let better = engine.game().san(&before.pv);
        let played = engine.game_mut().play_any(&ply.san)?;
        let after = engine.analyse(&limits, &|_| ());
        // Scores are for the side to move, so the one after the move is the opponent's.
        let mut comment = shown(engine.game(), -after.score);
        if before.score + after.score >= engine.game().info().pawn && better.first() != Some(&played.san) {
            comment += &format!(", better {}", better.join(" "));
        }
        ply.san = played.san;
        ply.comment = Some(comment);
        before = after;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: annotate FILE")?;
    for mut game in pgn::games(&pgn::decode(fs::read(path)?)) {
        annotate(&mut game)?;
        print!("{game}");
    }
    Ok(())
}
