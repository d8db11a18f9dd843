//! Adds the engine to XBoard's list of engines (*Engine > Load New 1st Engine*).
//!
//! XBoard looks into a folder of the system for files that describe engines, and adds each engine that it finds there
//! to its list. XBoard copies the field of the start folder unchanged into the list, so the options that our games
//! need can follow it.

use super::{flags, pieces, quoted, variant};
use crate::engine::{GameInfo, NAMES, info};
use anyhow::{Result, bail};
use quintain_io::files::{self, MB};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The default folder.
pub const FOLDER: &str = "/usr/local/share/games/plugins";

fn file(folder: &Path, game: &GameInfo) -> PathBuf {
    folder.join("xboard").join(format!("quintain-{}.eng", game.name))
}

fn drawings(folder: &Path) -> PathBuf {
    folder.join("quintain-pieces")
}

/// The contents of the file: the version of the format, how to start the engine, and which games it plays.
fn text(game: &GameInfo, engine: &Path, pieces: Option<&Path>) -> Result<String> {
    let mut words = vec!["-variant".to_owned(), variant(game).to_owned()];
    words.extend(flags(game));
    if let Some(pieces) = pieces {
        words.extend(["-pieceImageDirectory".to_owned(), pieces.display().to_string()]);
    }
    let flags: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let engine = quoted(&engine.display().to_string());
    let text = format!("plugin spec 0.0\ncd . {};{engine}\n{}\n", flags.join(" "), game.name);
    if text.lines().any(|line| line.len() > 500) {
        bail!("the path of the engine is too long for XBoard: {engine}");
    }
    Ok(text)
}

fn explained(error: std::io::Error, path: &Path) -> anyhow::Error {
    let denied = error.kind() == ErrorKind::PermissionDenied;
    let advice = if denied { " (try again with sudo)" } else { "" };
    anyhow::Error::new(error).context(format!("cannot write {}{advice}", path.display()))
}

/// The error of a file that was not written, which names it.
fn advised(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::PermissionDenied => anyhow::anyhow!("{error} (try again with sudo)"),
        _ => error.into(),
    }
}

/// Writes a description for each game into a folder that will be at `place`; returns the files.
pub fn install(folder: &Path, place: &Path, engine: &Path) -> Result<Vec<PathBuf>> {
    let plugins = folder.join("xboard");
    fs::create_dir_all(&plugins).map_err(|error| explained(error, &plugins))?;
    let mut written = Vec::new();
    for game in NAMES.iter().filter_map(|name| info(name).ok()) {
        let pieces = pieces::write(&drawings(folder), &game, false)?.map(|_| drawings(place).join(game.name));
        let file = file(folder, &game);
        files::write(&file, text(&game, engine, pieces.as_deref())?.as_bytes()).map_err(advised)?;
        written.push(file);
    }
    Ok(written)
}

/// Removes what [`install`] wrote; returns the files that were there.
pub fn uninstall(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    for game in NAMES.iter().filter_map(|name| info(name).ok()) {
        let file = file(folder, &game);
        match fs::remove_file(&file) {
            Ok(()) => removed.push(file),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(explained(error, &file)),
        }
    }
    let drawings = drawings(folder);
    if drawings.is_dir() {
        fs::remove_dir_all(&drawings).map_err(|error| explained(error, &drawings))?;
    }
    Ok(removed)
}

/// Removes our engines from the list in XBoard's settings, to which XBoard copies them; true if there were any.
pub fn forget(settings: &Path) -> Result<bool> {
    let text = match files::read(settings, 10 * MB) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    // Settings may hold names in any encoding.
    let ours = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        line.contains("quintain")
            && NAMES.iter().any(|name| line.contains(&format!(" -fd . -variant {name} ")))
    };
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let kept: Vec<&[u8]> = lines.iter().copied().filter(|line| !ours(line)).collect();
    if kept.len() == lines.len() {
        return Ok(false);
    }
    files::write(settings, &kept.concat()).map_err(advised)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn descriptions_come_and_go() {
        let folder = std::env::temp_dir().join(format!("quintain-plugins-{}", std::process::id()));
        let engine = Path::new("/opt/some games/quintain");
        let files = install(&folder, Path::new("/usr/plugins"), engine).unwrap();
        assert_eq!(files.len(), NAMES.len());
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            assert!(text.starts_with("plugin spec 0.0\ncd . -variant "), "{text}");
            assert!(text.contains(";\"/opt/some games/quintain\"\n"), "{text}");
            let drawings = text.split_once("-pieceImageDirectory ").map(|(_, rest)| rest.split(';').next());
            assert!(drawings.is_none_or(|path| path.unwrap().starts_with("/usr/plugins/quintain-pieces/")));
        }
        assert_eq!(uninstall(&folder).unwrap(), files);
        assert!(uninstall(&folder).unwrap().is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn settings_of_others_stay() {
        let file = std::env::temp_dir().join(format!("quintain-settings-{}", std::process::id()));
        let before = "-size 49\n-firstChessProgramNames {fairymax\n\"/x/quintain\" -fd . -variant canyon -highdrag\nfruit -fUCI\n}\n";
        fs::write(&file, before).unwrap();
        assert!(forget(&file).unwrap() && !forget(&file).unwrap());
        let after = fs::read_to_string(&file).unwrap();
        assert_eq!(after, "-size 49\n-firstChessProgramNames {fairymax\nfruit -fUCI\n}\n");
        fs::remove_file(&file).unwrap();
        assert!(!forget(&file).unwrap());
    }
}
