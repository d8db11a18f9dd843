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
use quintain_engine::options::{Id, NO_FILE};
use quintain_engine::{Engine, any_seed};
use quintain_io::files::{self, MOST_BOOK, MOST_NETWORK};
use quintain_io::tables;
use quintain_study::book::{Book, Choice, STRICT};
use std::path::Path;
use std::sync::Arc;

/// Serves standard input until `quit` or its end.
pub fn run() -> anyhow::Result<()> {
    let lines = Lines::from_stdin()?;
    let Some(first) = lines.first() else { return Ok(()) };
    match first.split_whitespace().next() {
        Some("xboard" | "protover") => cecp::run(&first, lines),
        _ => uci::run(&first, &lines),
    }
}

/// The opening book that a GUI chose, or else the program's own one for each game.
#[derive(Default)]
struct Openings(Option<Arc<Book>>);

impl Openings {
    /// The book for the game in progress, if there is one.
    fn book(&self, engine: &Engine) -> Option<Arc<Book>> {
        self.0.clone().or_else(|| Book::of(engine.game().info().name))
    }

    /// The move of the book to play now, if the options want one.
    fn choose(&self, engine: &Engine) -> Option<Choice> {
        let options = engine.options();
        let book = self.book(engine).filter(|_| options.own_book && engine.game().outcome().is_none())?;
        book.choose(engine.game(), options.book_plies, STRICT, any_seed())
    }
}

/// Sets an option from text, and returns which it was; reads the file that a file option names. An error changes
/// nothing.
fn set_option(engine: &mut Engine, openings: &mut Openings, name: &str, value: Option<&str>) -> Result<Id> {
    let id = engine.set_option(name, value)?;
    let path = value.map(str::trim).filter(|path| !path.is_empty() && *path != NO_FILE);
    let read = |most: u64| path.map(|path| files::read(Path::new(path), most)).transpose();
    let about = |name: &str| format!("option {name}: cannot use '{}'", path.unwrap_or_default());
    match id {
        Id::EvalFile => {
            let file = read(MOST_NETWORK).context("option EvalFile")?;
            engine.set_network(file.as_deref()).with_context(|| about("EvalFile"))?;
        }
        Id::BookFile => {
            let text = read(MOST_BOOK).context("option BookFile")?.map(String::from_utf8);
            let text = text.transpose().with_context(|| about("BookFile"))?;
            let book = text.map(|text| Book::parse(&text)).transpose().with_context(|| about("BookFile"))?;
            *openings = Openings(book.map(Arc::new));
        }
        Id::TablePath => {
            let find = path.map(tables::find).transpose().context("option TablePath")?;
            engine.set_tables(find.map(|find| Arc::new(find) as _));
        }
        _ => {}
    }
    Ok(id)
}
