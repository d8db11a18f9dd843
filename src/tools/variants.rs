//! `quintain variants`: the list of games.

use super::text;
use crate::engine::{self, GameInfo, NAMES};
use anyhow::Result;
use quintain_io as output;
use std::io::{self, IsTerminal};

/// Arguments of `quintain variants`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Next:
  quintain rules canyon    how it is played
  quintain play canyon     play it")]
pub struct Args {}

/// Prints the games.
pub fn run(_args: Args) -> Result<()> {
    // Lines are only broken in a terminal; scripts get one line a game.
    let narrow = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let width = if io::stdout().is_terminal() { narrow.unwrap_or(80) } else { usize::MAX };
    output::print(&table(width))
}

/// A line for each game: name, title, board, and what is special about it; two lines where `width` is too small.
pub fn table(width: usize) -> String {
    rows(width).concat()
}

/// The same with numbers to choose by.
pub fn numbered_table(width: usize) -> String {
    const NUMBER: usize = 3;
    let rows = (1..).zip(rows(width - NUMBER));
    let numbered = rows.map(|(number, row)| format!("{number}  {}\n", row.trim_end().replace('\n', "\n   ")));
    numbered.collect()
}

fn rows(width: usize) -> Vec<String> {
    let games: Vec<GameInfo> = NAMES.iter().filter_map(|name| engine::info(name).ok()).collect();
    let longest = |length: fn(&GameInfo) -> usize| games.iter().map(length).max().unwrap_or(0);
    let (name, title) = (longest(|game| game.name.len()), longest(|game| game.title.len()));
    let head = |game: &GameInfo| {
        let board = format!("{}x{}, {} squares", game.files, game.ranks, game.squares);
        format!("{:<name$}  {:<title$}  {board:<18}", game.name, game.title)
    };
    let fits = games.iter().all(|game| head(game).len() + 2 + game.summary.len() <= width);
    let line = |game: &GameInfo| match fits {
        true => format!("{}  {}\n", head(game), game.summary),
        false => format!("{}\n{}", head(game).trim_end(), text::paragraph("    ", game.summary, width)),
    };
    games.iter().map(line).collect()
}
