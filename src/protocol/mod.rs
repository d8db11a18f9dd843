//! Talking to GUIs: UCI and CECP (XBoard). The first line that comes in decides which.
//!
//! Nothing that comes in may make the program panic, so the ways to panic on purpose are forbidden here.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod line;
pub mod uci;
pub mod xboard;

pub use line::{Input, Lines, say};

/// Serves standard input until `quit` or its end.
pub fn run() -> anyhow::Result<()> {
    let lines = Lines::from_stdin()?;
    let Some(first) = lines.first() else { return Ok(()) };
    match first.split_whitespace().next() {
        Some("xboard" | "protover") => xboard::run(&first, lines),
        _ => uci::run(&first, &lines),
    }
}
