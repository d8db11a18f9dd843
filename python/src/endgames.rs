//! Endgame tables, opened once for each game and folder.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use quintain::engine::{FindTables, tables_of};
use quintain::tables::Set;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// By game and folders.
type Opened = HashMap<(&'static str, Option<String>), Arc<Set>>;

/// The tables of a game: the program's, and those in `folders`.
pub fn of(game: &'static str, folders: Option<&str>) -> PyResult<Arc<Set>> {
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (game, folders.map(str::to_owned));
    if let Some(set) = opened.get(&key) {
        return Ok(Arc::clone(set));
    }
    let find = folders.map(quintain_io::tables::find).transpose();
    let find = find.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let set = Arc::new(tables_of(game, find.map(|find| Arc::new(find) as FindTables).as_ref()));
    opened.insert(key, Arc::clone(&set));
    Ok(set)
}
