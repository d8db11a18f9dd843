//! `quintain rules`: the rules of a game.

use crate::engine::{self, GameInfo, NAMES};
use crate::notation::draw;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use quintain_io as output;

/// Arguments of `quintain rules`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain rules canyon
  quintain rules superchess | less")]
pub struct Args {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: String,
}

/// Prints the rules.
pub fn run(args: Args) -> Result<()> {
    let info = engine::info(&args.game.to_lowercase())?;
    output::print(&text(&info))
}

/// The rules of a game, preceded by its start position unless they contain it.
pub fn text(info: &GameInfo) -> String {
    let is_row_of_files = |line: &str| line.split_whitespace().take(3).eq(["a", "b", "c"]);
    let drawn = if info.rules.lines().any(is_row_of_files) {
        String::new()
    } else {
        let board = engine::open(info.name).map(|session| session.draw(draw::Style::default()));
        format!("{}\n\n{}\n", info.title, board.unwrap_or_default())
    };
    let values = format!("What the engine reckons the pieces are worth: quintain values {}", info.name);
    format!("{drawn}{}\n\n\n{values}\n", info.rules.trim_end())
}
