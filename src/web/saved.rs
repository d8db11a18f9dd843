//! What is kept from one start of the program to the next: the games in progress, and the address.

use super::access::Tokens;
use super::room::Settings;
use super::view::{End, ScoreView};
use crate::engine::NAMES;
use crate::files::{self, MB};
use crate::tools::play::write_at_once;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The most bytes of a saved game.
const MOST_SAVED: u64 = 100 * MB;

/// A game in a file.
#[derive(Serialize, Deserialize)]
pub struct SavedGame {
    pub settings: Settings,
    /// The positions, parents first.
    pub nodes: Vec<SavedNode>,
    /// The last position of the game, by its place in the list.
    pub live: usize,
    pub end: Option<End>,
    /// What is left on the clocks.
    pub left: Option<[Duration; 2]>,
    pub paused: bool,
}

/// A position of a game in a file.
#[derive(Serialize, Deserialize)]
pub struct SavedNode {
    /// The position before, by its place in the list.
    pub parent: Option<usize>,
    /// The move that led to it, as coordinates.
    pub text: String,
    pub comment: String,
    pub mark: String,
    pub score: Option<ScoreView>,
}

/// Where the server was last, so that pages that are still open find it again.
#[derive(Serialize, Deserialize)]
pub struct Address {
    pub port: u16,
    /// The secrets.
    #[serde(flatten)]
    pub tokens: Tokens,
}

/// The folder of the files.
pub struct Folder(PathBuf);

impl Folder {
    /// The person's own; `None` if there is none.
    pub fn find() -> Option<Folder> {
        let state = dirs::state_dir().or_else(dirs::data_local_dir)?;
        Some(Folder(state.join("quintain").join("board")))
    }

    fn game(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }

    /// The game that was played last.
    pub fn last(&self) -> Option<&'static str> {
        let changed = |name: &str| fs::metadata(self.game(name)).ok()?.modified().ok();
        NAMES.iter().copied().filter(|name| changed(name).is_some()).max_by_key(|name| changed(name))
    }

    /// The game of this name, if one was saved.
    pub fn read(&self, name: &str) -> Option<Result<SavedGame>> {
        let bytes = files::read(&self.game(name), MOST_SAVED).ok()?;
        Some(serde_json::from_slice(&bytes).context("it is not in our form"))
    }

    /// Saves a game.
    pub fn write(&self, saved: &SavedGame) -> Result<()> {
        let text = serde_json::to_string(saved)?;
        Ok(write_at_once(&self.game(&saved.settings.game), &text)?)
    }

    fn address_file(&self) -> PathBuf {
        self.0.join("address.json")
    }

    /// Where the server was last.
    pub fn address(&self) -> Option<Address> {
        serde_json::from_slice(&files::read(&self.address_file(), MB).ok()?).ok()
    }

    /// Keeps the address; only the person may read the secret in it.
    pub fn keep_address(&self, address: &Address) -> Result<()> {
        let path = self.address_file();
        write_at_once(&path, "")?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        }
        Ok(fs::write(path, serde_json::to_string(address)?)?)
    }
}
