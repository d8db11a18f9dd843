//! `quintain tune play`: games that positions are taken from.

use super::bar;
use crate::board::{Color, SquareSet, zobrist::random_numbers};
use crate::eval::Evaluate;
use crate::notation::fen;
use crate::search::{Control, Limits, Memory, Settings, think};
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    pub(super) variant: String,
    /// Where to write: a line for each position, with semicolons between FEN, White's score in the game (0, 0.5 or 1)
    /// and White's centipawns as the search saw it
    #[arg(long)]
    output: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Random moves before the players think, and up to three more
    #[arg(long, default_value_t = 7)]
    plies: u64,
    /// The same seed gives the same file
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Centipawns at which a game counts as won when both sides have said so for [`AGREED`] plies.
const WON: i32 = 2500;
const AGREED: u32 = 6;
/// Plies after which a game counts as drawn.
const LONGEST: usize = 400;

pub(super) fn run<V: Evaluate>(args: &Args) -> Result<()> {
    let mut out = BufWriter::new(
        File::create(&args.output).with_context(|| format!("cannot write {}", args.output.display()))?,
    );
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); args.games]));
    let bar = bar(args.games, "games");
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                let memory = Memory::new(4);
                loop {
                    let game = next.fetch_add(1, Relaxed);
                    if game >= args.games {
                        break;
                    }
                    memory.clear();
                    let text = play_game::<V>(args, args.seed << 32 | game as u64, &memory);
                    done.lock().expect("no player panics with the lock")[game] = text;
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    for text in done.into_inner().expect("no player panics with the lock") {
        out.write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// The lines of one game's quiet positions.
fn play_game<V: Evaluate>(args: &Args, seed: u64, memory: &Memory) -> String {
    let mut numbers = random_numbers(seed);
    let mut random = |below: u64| numbers() % below;
    let mut pos = fen::start::<V>();
    let mut plies = args.plies + random(4);
    while plies > 0 {
        let moves = pos.legal_moves();
        if pos.outcome().is_some() {
            return String::new();
        }
        // Placing men before the game proper is no part of it.
        plies -= u64::from(V::may_pass(&pos));
        pos.play(moves[random(moves.len() as u64) as usize]);
    }
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let (control, mut quiet, mut agreed) = (Control::default(), Vec::new(), 0);
    let score = loop {
        if let Some(outcome) = pos.outcome() {
            break outcome.winner.map_or(0.5, |winner| if winner == Color::White { 1.0 } else { 0.0 });
        }
        if quiet.len() > LONGEST {
            break 0.5;
        }
        control.start(&limits);
        let best = think(&pos, &limits, &[], Settings::default(), memory, &control, &|_| {});
        agreed = if best.score.abs() >= WON { agreed + 1 } else { 0 };
        if agreed >= AGREED {
            break if (best.score > 0) == (pos.side() == Color::White) { 1.0 } else { 0.0 };
        }
        let mv = best.pv[0];
        let calm =
            V::taken(&pos, mv).is_empty() && V::WEIGHTS.value(mv.becomes()) == V::WEIGHTS.value(mv.kind());
        let white = best.score * i32::from(pos.side().forward());
        quiet.push((calm && !pos.in_check() && agreed == 0).then(|| (fen::write(&pos), white)));
        pos.play(mv);
    };
    quiet.into_iter().flatten().map(|(fen, white)| format!("{fen};{score};{white}\n")).collect()
}
