//! What commands print, and how they end.

use anyhow::Result;
use std::io::{self, Write};
use thiserror::Error;

/// Writes a line to standard error. Unlike `eprintln!` it does not panic if standard error is closed.
#[macro_export]
macro_rules! note {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

/// Nobody reads what a command prints, as after `| head`.
#[derive(Error, Debug)]
#[error("nobody reads the output")]
pub struct ClosedOutput;

/// Writes text to standard output; [`ClosedOutput`] if nobody reads it.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => ClosedOutput.into(),
        _ => error.into(),
    })
}

/// The exit status of a program that was ended by Ctrl-C: 128 plus the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// A command was interrupted, for example by Ctrl-C. It is an error because the work is not done.
#[derive(Error, Debug)]
#[error("{0}")]
pub struct Interrupted(pub String);
