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
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

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

/// The games of several files, which may be more than memory holds: they are read in blocks.
pub(super) struct Games<'a> {
    blocks: Vec<Block<'a>>,
}

/// Some lines of a file that follow each other.
struct Block<'a> {
    path: &'a Path,
    /// The number of the first line, from 1.
    line: usize,
    /// Where the lines are, in bytes.
    bytes: Range<u64>,
}

/// Lines of a block.
const BLOCK: usize = 250;
/// The most bytes of a line: a game of 400 plies has 6000.
const LONGEST: u64 = 1_000_000;

impl<'a> Games<'a> {
    /// Finds the blocks of these files, which must be regular ones. What is written to a file afterwards does not count.
    pub fn open(paths: &'a [PathBuf]) -> Result<Self> {
        let mut blocks = Vec::new();
        for path in paths {
            let mut file = BufReader::with_capacity(1 << 20, files::open(path)?);
            let (mut line, mut end) = (1, 0);
            loop {
                let (first, start) = (line, end);
                while line - first < BLOCK {
                    let length =
                        file.by_ref().take(LONGEST).skip_until(b'\n').with_context(|| reading(path))?;
                    if length == 0 {
                        break;
                    }
                    ensure!((length as u64) < LONGEST, "{}, line {line}: it is too long", path.display());
                    (line, end) = (line + 1, end + length as u64);
                }
                if end == start {
                    break;
                }
                blocks.push(Block { path, line: first, bytes: start..end });
            }
        }
        Ok(Games { blocks })
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Reads these blocks, each by one thread, which calls `add` with a new collection and each line and its number.
    /// Returns the collections in the order of the blocks.
    pub fn read<C: Default + Send>(&self, blocks: &[usize], add: &Add<C>) -> Result<Vec<C>> {
        let read = |&block: &usize| {
            let Block { path, line, bytes } = &self.blocks[block];
            let mut text = String::new();
            let mut file = files::open(path)?;
            file.seek(SeekFrom::Start(bytes.start)).with_context(|| reading(path))?;
            let length = bytes.end - bytes.start;
            file.take(length).read_to_string(&mut text).with_context(|| reading(path))?;
            ensure!(text.len() as u64 == length, "{}: it has become shorter", reading(path));
            let mut collection = C::default();
            for (number, line) in (*line..).zip(text.lines()) {
                add(&mut collection, line, number)
                    .with_context(|| format!("{}, line {number}", path.display()))?;
            }
            Ok(collection)
        };
        blocks.par_iter().map(read).collect()
    }
}

/// Adds a line, which has this number in its file, to a collection.
pub(super) type Add<'a, C> = dyn Fn(&mut C, &str, usize) -> Result<()> + Sync + 'a;

fn reading(path: &Path) -> String {
    format!("cannot read '{}'", path.display())
}

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
