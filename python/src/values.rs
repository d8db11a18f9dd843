//! Variants and ends of games, as immutable values.

use crate::value_error;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quintain::board::{Color, square_name};
use quintain::engine::Session;
use quintain::rules::{self, Reason};
use std::collections::BTreeMap;

/// A game: its board, its pieces and its start position.
#[pyclass(frozen, eq, hash, get_all, module = "quintain")]
#[derive(PartialEq, Eq, Hash)]
pub struct Variant {
    /// The name in protocols and in this module, "canyon".
    name: &'static str,
    /// The name for people, "Canyon Chess".
    title: &'static str,
    /// What is special about it, in one phrase.
    summary: &'static str,
    /// The number of files.
    files: u8,
    /// The number of ranks.
    ranks: u8,
    /// The names of the squares, from a1 along the ranks. A board with holes has fewer than files times ranks.
    squares: Vec<String>,
    /// The start position as FEN.
    start: &'static str,
    /// The names of the pieces by their letters.
    pieces: BTreeMap<char, &'static str>,
    /// The rules for people, as text.
    rules: &'static str,
}

#[pymethods]
impl Variant {
    fn __repr__(&self) -> String {
        format!("<Variant {}>", self.name)
    }

    /// Pickles the name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("quintain")?.getattr("variant")?, (self.name,)))
    }
}

impl Variant {
    /// The variant of a game in progress.
    pub fn of(game: &dyn Session) -> Variant {
        let info = game.info();
        // Facings of a piece share a letter; the first of them has its name.
        let pieces = info.pieces.iter().rev().map(|def| (def.letter.into(), def.name)).collect();
        Variant {
            name: info.name,
            title: info.title,
            summary: info.summary,
            files: info.files,
            ranks: info.ranks,
            squares: game.squares().into_iter().map(square_name).collect(),
            start: info.start,
            pieces,
            rules: info.rules,
        }
    }
}

/// The result of a finished game. `str` gives it in words for people.
#[pyclass(frozen, eq, module = "quintain")]
#[derive(PartialEq)]
pub struct Outcome(pub rules::Outcome);

#[pymethods]
impl Outcome {
    #[new]
    fn new(winner: Option<&str>, reason: &str) -> PyResult<Outcome> {
        let color = |name: &str| {
            let color = [Color::White, Color::Black].into_iter().find(|color| color.name() == name);
            color.ok_or_else(|| value_error(format!("winner: '{name}' is not white or black")))
        };
        let known = Reason::ALL.into_iter().find(|known| known.name() == reason);
        let reason = known.ok_or_else(|| value_error(format!("reason: there is no '{reason}'")))?;
        let winner = winner.map(color).transpose()?;
        if winner.is_some() != (reason == Reason::Checkmate) {
            return Err(value_error("winner: a checkmate has one, and nothing else"));
        }
        Ok(Outcome(rules::Outcome { winner, reason }))
    }

    /// Pickles the winner and the reason.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Option<&'static str>, &'static str)) {
        let this = slf.get();
        (slf.get_type(), (this.winner(), this.reason()))
    }

    /// The side that won; None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner.map(Color::name)
    }

    /// Why the game is over.
    #[getter]
    fn reason(&self) -> &'static str {
        self.0.reason.name()
    }

    /// The result as PGN writes it.
    #[getter]
    fn result(&self) -> &'static str {
        self.0.score()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}: {}>", self.result(), self.0)
    }
}
