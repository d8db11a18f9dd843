//! The command line.

use crate::{protocol, tools};
use anyhow::Result;
use clap::{Parser, Subcommand};

/// A UCI and XBoard engine for chess games that no strong engine plays.
#[derive(Parser, Debug)]
#[command(version, about, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Count the paths of legal moves, to check move generation
    Perft(tools::perft::Args),
    /// Search fixed positions of all games and print the number of nodes, always the same, and the speed
    Bench(tools::bench::Args),
}

/// Runs what the command line asks for.
pub fn run() -> Result<()> {
    match Cli::parse().command {
        Some(Command::Perft(args)) => tools::perft::run(args),
        Some(Command::Bench(args)) => tools::bench::run(args),
        None => protocol::run(),
    }
}
