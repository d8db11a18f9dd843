//! What is kept from one start of the program to the next besides the games: the address.

use super::access::Tokens;
use crate::files::{self, MB};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

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
        Some(Folder(files::state_folder()?.join("board")))
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
        fs::create_dir_all(&self.0)?;
        Ok(files::write_private(&self.address_file(), serde_json::to_string(address)?.as_bytes())?)
    }
}
