//! The Python module `quintain`: the library's games by name, positions and searches.

mod endgames;
mod interrupt;
mod position;
mod search;
mod values;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quintain::engine::{Session, open};
use std::ops::RangeInclusive;

/// Rules and engine of chess variants on boards of 40 to 168 squares.
#[pymodule]
mod _quintain {
    use super::game;
    use pyo3::prelude::*;
    use quintain::engine::NAMES;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::{
        position::Position,
        search::{Engine, Line},
        values::{Outcome, Variant},
    };

    /// The variants, in the order in which the program lists them.
    #[pyfunction]
    fn variants() -> PyResult<Vec<Variant>> {
        NAMES.iter().map(|name| variant(name)).collect()
    }

    /// The variant with this name, in any letter case.
    #[pyfunction]
    fn variant(name: &str) -> PyResult<Variant> {
        Ok(Variant::of(&*game(name)?))
    }

    /// What is wrong with a FEN; None if the position is legal.
    #[pyfunction]
    fn check_fen(variant: &str, fen: &str) -> PyResult<Option<String>> {
        Ok(game(variant)?.set_position(Some(fen), &[]).err().map(|error| error.to_string()))
    }
}

/// The game with this name, in any letter case, at its start.
fn game(name: &str) -> PyResult<Box<dyn Session>> {
    open(&name.to_ascii_lowercase()).map_err(|error| value_error(format!("variant: {error}")))
}

/// A whole number from Python that must be in `range`.
fn whole(name: &str, value: i64, range: RangeInclusive<i64>) -> PyResult<u64> {
    let (least, most) = range.into_inner();
    if value < least {
        return Err(value_error(format!("{name}: {value} is less than {least}")));
    }
    if value > most {
        return Err(value_error(format!("{name}: {value} is more than {most}")));
    }
    Ok(value.unsigned_abs())
}

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}
