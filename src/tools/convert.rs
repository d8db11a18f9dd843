//! `quintain convert`: converts files of games.

use super::games;
use crate::engine;
use anyhow::Result;
use quintain_play::game::reading;
use std::path::PathBuf;

/// Arguments of `quintain convert`.
#[derive(clap::Args, Debug)]
#[command(after_help = "XBoard knows our pieces only roughly and misreads our moves. What --for-xboard
writes names all squares; open it with File > Load Game in 'quintain xboard
GAME'. Games that XBoard cannot read from a file are refused.

Examples:
  quintain convert canyon saved.pgn --for-xboard > for-xboard.pgn
  quintain convert canyon from-xboard.pgn > ours.pgn")]
pub struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    variant: String,
    /// A file of games, ours or XBoard's; - reads them from standard input
    file: PathBuf,
    /// Write for XBoard
    #[arg(long)]
    for_xboard: bool,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let name = engine::named(&args.variant)?;
    let mut session = engine::open(name)?;
    let native = session.info().template == "normal";
    games::each(&args.file, |game| {
        let reading = reading::interpret(&mut *session, game)?;
        let complaints = reading.complaints();
        // A game that XBoard knows is written the same for both.
        let game = if args.for_xboard && !native {
            reading::for_xboard(&*session, reading)?
        } else {
            reading::ours(&*session, reading.game)
        };
        Ok((game, complaints))
    })
}
