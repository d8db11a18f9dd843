//! `quintain perft`: counts move paths, alone or as a suite.

use anyhow::Result;

/// Arguments of `quintain perft`.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs the tool.
pub fn run(_args: Args) -> Result<()> {
    Ok(())
}
