//! `quintain analyse`: the best lines of a position, or a game with scores, and its mistakes marked.

use super::games;
use crate::engine::{self, Engine, Options};
use crate::search::Limits;
use crate::search::limits;
use anyhow::{Context, Result};
use clap::value_parser;
use quintain_io as output;
use quintain_play::game::Analyst;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `quintain analyse`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Scores are in pawns, from White's side: at +1.50 White is better, at +M3 White
mates in three moves. Moves that give away a part of the expected score are
marked: ?! 7 percent (about half a pawn in an even game), ? 15, ?? 30.

Examples:
  quintain analyse canyon --time 10              the start position
  quintain analyse chess --fen '8/8/8/3k4/8/8/8/R6K w - - 0 1' --lines 5
  quintain analyse gast --pgn game.pgn > annotated.pgn")]
pub struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    variant: String,
    /// The position; the start position if left out
    #[arg(long, conflicts_with = "pgn")]
    fen: Option<String>,
    /// A file of games to annotate; - reads them from standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Time for each position, in seconds [default: 5, in games 0.5]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes for each position, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search each position, instead of a time
    #[arg(long, value_name = "PLIES", conflicts_with = "time", value_parser = value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// How many lines of a position to show
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "pgn", value_parser = value_parser!(u16).range(1..=100))]
    lines: u16,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
    /// Table size in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = limits::seconds(text).filter(|time| (0.01..=86_400.0).contains(&time.as_secs_f64()));
    time.ok_or_else(|| "it must be 0.01 to 86400 seconds".into())
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let name = engine::named(&args.variant)?;
    let usual = if args.pgn.is_some() { Duration::from_millis(500) } else { Duration::from_secs(5) };
    let by_time = args.nodes.is_none() && args.depth.is_none();
    let limits = Limits {
        nodes: args.nodes,
        depth: args.depth,
        move_time: by_time.then_some(args.time.unwrap_or(usual)),
        ..Limits::default()
    };
    let multi_pv = if args.pgn.is_some() { 1 } else { args.lines.into() };
    let options = Options {
        variant: name,
        hash: args.hash as usize,
        threads: args.threads,
        multi_pv,
        move_overhead: Duration::ZERO,
        ..Options::default()
    };
    let mut analyst = Analyst { engine: Engine::new(options)?, limits };
    match &args.pgn {
        None => {
            analyst.engine.game_mut().set_position(args.fen.as_deref(), &[]).context("--fen")?;
            output::print(&analyst.position())
        }
        Some(path) => games::each(path, |game| analyst.game(game)),
    }
}
