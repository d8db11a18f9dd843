//! Protocols of GUIs: UCI and CECP (XBoard). The first line decides which.
//!
//! No input may make the program panic, so lints forbid explicit panics here.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod line;
pub mod cecp;
pub mod uci;

pub use line::{Input, Lines, say};

use anyhow::{Context, Result};
use quintain_engine::Engine;
use quintain_engine::options::{Id, NO_FILE};
use quintain_io::files::{self, MOST_NETWORK};
use std::path::Path;

/// Serves standard input until `quit` or its end.
pub fn run() -> anyhow::Result<()> {
    let lines = Lines::from_stdin()?;
    let Some(first) = lines.first() else { return Ok(()) };
    match first.split_whitespace().next() {
        Some("xboard" | "protover") => cecp::run(&first, lines),
        _ => uci::run(&first, &lines),
    }
}

/// Sets an option from text, and returns which it was; reads the file that a file option names. An error changes
/// nothing.
fn set_option(engine: &mut Engine, name: &str, value: Option<&str>) -> Result<Id> {
    let id = engine.set_option(name, value)?;
    if id == Id::EvalFile {
        let path = value.map(str::trim).filter(|path| !path.is_empty() && *path != NO_FILE);
        let read = |path: &str| files::read(Path::new(path), MOST_NETWORK);
        let file = path.map(read).transpose().context("option EvalFile")?;
        let about = || format!("option EvalFile: cannot use '{}'", path.unwrap_or_default());
        engine.set_network(file.as_deref()).with_context(about)?;
    }
    Ok(id)
}
