//! `quintain play`: a game in the terminal.

use anyhow::Result;

/// Arguments of `quintain play`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Plays.
pub fn run(_args: Args) -> Result<()> {
    Ok(())
}
