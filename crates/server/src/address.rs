//! Where the server was last, so that pages that are still open find it again.

use super::access::Tokens;
use anyhow::Result;
use quintain_io::files::{self, MB};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// Where the server was last.
#[derive(Serialize, Deserialize)]
pub struct Address {
    pub port: u16,
    /// The secrets.
    #[serde(flatten)]
    pub tokens: Tokens,
}

fn folder() -> Option<PathBuf> {
    Some(files::state_folder()?.join("board"))
}

const FILE: &str = "address.json";

impl Address {
    /// What was kept.
    pub fn read() -> Option<Address> {
        serde_json::from_slice(&files::read(&folder()?.join(FILE), MB).ok()?).ok()
    }

    /// Keeps it, if the person has a folder; only the person may read the secrets in it.
    pub fn keep(&self) -> Result<()> {
        let Some(folder) = folder() else { return Ok(()) };
        fs::create_dir_all(&folder)?;
        Ok(files::write_private(&folder.join(FILE), serde_json::to_string(self)?.as_bytes())?)
    }
}
