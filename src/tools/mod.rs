//! What the binary does besides talking to a GUI: each tool has its `Args` and a `run`.

pub mod analyse;
pub mod bench;
pub mod games;
pub mod level;
pub mod openings;
pub mod perft;
pub mod play;
pub mod rules;
pub mod speed;
pub mod suite;
pub mod text;
pub mod tournament;
pub mod tune;
pub mod values;
pub mod variants;
pub mod xboard;

use anyhow::Result;
use std::io::{self, Write};
use thiserror::Error;

/// Somebody stopped a tool, by Ctrl-C for instance. It is an error because what was asked for is not done.
#[derive(Error, Debug)]
#[error("{0}")]
pub struct Interrupted(pub String);

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
