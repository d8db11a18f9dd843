//! The file that `tune play` writes: a game a line.
//!
//! ```text
//! FEN;1;e2e4 31 e7e5 -12 g1f3 25
//! ```
//! The FEN is where the recorded moves begin. Then come White's score in the game (0, 0.5 or 1) and the moves, each
//! with the score of the search before it for White, in units of the evaluation.

use anyhow::{Context, Result, bail, ensure};
use quintain_core::board::SquareSet;
use quintain_core::rules::Position;
use quintain_engine::Playable;
use quintain_io::files;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;

/// A position that occurred in a game.
pub struct Labelled<V: Playable> {
    /// The position.
    pub pos: Position<V>,
    /// White's score in the game, 0 to 1.
    pub result: f32,
    /// The score of the search for White.
    pub score: f32,
}

/// A game in progress.
pub(super) struct Record {
    start: String,
    moves: String,
}

impl Record {
    /// A game that begins at a position, as FEN.
    pub fn new(start: String) -> Self {
        Record { start, moves: String::new() }
    }

    /// Adds a move, and the score before it for White.
    pub fn push(&mut self, mv: &str, score: i32) {
        let gap = if self.moves.is_empty() { "" } else { " " };
        let _ = write!(self.moves, "{gap}{mv} {score}");
    }

    /// The line of the finished game, without a line feed.
    pub fn line(&self, result: f32) -> String {
        format!("{};{result};{}", self.start, self.moves)
    }
}

/// Reads the games in these files. Each part of a file is read by one thread, which calls `add` with a new collection and a
/// line; returns the collections in the order of the games.
pub(super) fn read<C: Default + Send>(
    files: &[PathBuf],
    add: &(dyn Fn(&mut C, &str) -> Result<()> + Sync),
) -> Result<Vec<C>> {
    let mut all = Vec::new();
    for path in files {
        let bytes = files::read_stream(path, u64::MAX)?;
        let text = String::from_utf8(bytes).with_context(|| format!("cannot read '{}'", path.display()))?;
        let lines: Vec<&str> = text.lines().collect();
        let parts = lines.par_chunks(PART).enumerate().map(|(part, lines)| {
            let mut collection = C::default();
            for (i, line) in lines.iter().enumerate() {
                add(&mut collection, line)
                    .with_context(|| format!("{}, line {}", path.display(), part * PART + i + 1))?;
            }
            Ok(collection)
        });
        all.extend(parts.collect::<Result<Vec<C>>>()?);
    }
    Ok(all)
}

/// Lines that a thread reads at a time.
const PART: usize = 1000;

/// Replays a game. A position is quiet if its side is not in check and went on without a capture or a promotion.
pub fn replay<V: Playable>(line: &str, each: &mut dyn FnMut(Labelled<V>)) -> Result<()> {
    let mut fields = line.split(';');
    let (Some(start), Some(result), Some(moves), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        bail!("there must be a FEN, a result and moves, with semicolons between them");
    };
    let result: f32 = result.parse().with_context(|| format!("result: '{result}' is not a number"))?;
    ensure!((0.0..=1.0).contains(&result), "result: {result} is not between 0 and 1");
    let mut pos = V::read_fen(start)?;
    let mut words = moves.split_whitespace();
    while let Some(text) = words.next() {
        let score = words.next().with_context(|| format!("moves: {text} has no score"))?;
        let score: i32 = score.parse().with_context(|| format!("moves: '{score}' is not a score"))?;
        let mv = V::read_move(&pos, text)?;
        let calm = V::taken(&pos, mv).is_empty() && V::value(mv.becomes()) == V::value(mv.kind());
        if calm && !pos.in_check() {
            each(Labelled { pos: pos.clone(), result, score: score as f32 });
        }
        V::play(&mut pos, mv);
    }
    Ok(())
}
