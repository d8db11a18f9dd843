//! The commands of the program apart from the protocols: each tool has its `Args` and a `run`.

/// Writes a line to standard error. Unlike `eprintln!` it does not panic if standard error is closed.
macro_rules! note {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}
pub(crate) use note;

pub mod analyse;
pub mod bench;
pub mod convert;
pub mod games;
pub mod openings;
pub mod package;
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

use crate::engine::options::most_threads;
use anyhow::Result;
use std::io::{self, Write};
use thiserror::Error;

/// The exit status of a program that was ended by Ctrl-C: 128 plus the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// A tool was interrupted, for example by Ctrl-C. It is an error because the work is not done.
#[derive(Error, Debug)]
#[error("{0}")]
pub struct Interrupted(pub String);

/// Reads the number of threads of a command.
pub fn threads(text: &str) -> Result<usize, String> {
    let most = most_threads();
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("on this machine it must be 1 to {most}"))
}

/// Writes text to standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
