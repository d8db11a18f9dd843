//! Endgame tables as files: `FOLDER/GAME/MATERIAL.qtable`.

use super::files;
use quintain_tables::Set;
use std::fs::{self, File};
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The ending of the name of a table's file.
pub const SUFFIX: &str = ".qtable";

/// The folder in which the program keeps tables; `None` if the person has none.
pub fn folder() -> Option<PathBuf> {
    Some(files::state_folder()?.join("tables"))
}

/// Adds the tables in folders that are named as in `PATH`. An error if one of them cannot be read.
pub fn find(folders: &str) -> io::Result<impl Fn(&mut Set) + Send + Sync + 'static> {
    let folders: Vec<PathBuf> = std::env::split_paths(folders).collect();
    for folder in &folders {
        fs::read_dir(folder).map_err(|error| files::about(folder, error))?;
    }
    Ok(move |set: &mut Set| folders.iter().for_each(|folder| add(set, folder)))
}

/// Adds the tables in the program's folder.
pub fn find_own(set: &mut Set) {
    if let Some(folder) = folder() {
        add(set, &folder);
    }
}

/// Adds the tables in a folder. Nothing is opened before it is needed.
pub fn add(set: &mut Set, folder: &Path) {
    let Ok(entries) = fs::read_dir(folder.join(set.game())) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if let Some(material) = name.to_str().and_then(|name| name.strip_suffix(SUFFIX)) {
            let name = format!("endgame table '{}'", files::escaped_path(&path));
            set.add(material, &name, Box::new(positioned(path)));
        }
    }
}

/// Reads from places in a file, which is opened when it is needed first.
pub fn positioned(path: PathBuf) -> impl Fn(u64, &mut [u8]) -> io::Result<()> + Send + Sync + 'static {
    let file = OnceLock::new();
    move |at, bytes| {
        let opened = file.get_or_init(|| files::open(&path).map_err(|error| error.to_string()));
        read_at(opened.as_ref().map_err(|error| Error::other(error.clone()))?, at, bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_file: &File, _at: u64, _bytes: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(windows)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], at + done as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => done += count,
        }
    }
    Ok(())
}
