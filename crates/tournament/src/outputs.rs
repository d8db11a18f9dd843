//! The files that a match writes, before it writes them.

use super::settings::Settings;
use anyhow::{Context, Result, bail};
use quintain_io::files;
use std::path::{Path, PathBuf};

/// Refuses to write over a file that is read, or two things into one file, and a plot that cannot be written at the end.
/// `inputs` are files that are read, each with what it is in words.
pub fn check(settings: &Settings, inputs: &[(&str, &Path)]) -> Result<()> {
    let mut known: Vec<(String, PathBuf)> =
        inputs.iter().map(|&(what, path)| (what.to_owned(), files::led_to(path))).collect();
    let outputs = [
        ("--results", &settings.results),
        ("--pgnout", &settings.pgn),
        ("--svg", &settings.svg),
        ("--log", &settings.log),
    ];
    for (option, path) in outputs {
        let Some(path) = path.as_deref().filter(|path| !path.as_os_str().is_empty()) else { continue };
        // Pipes and devices may have several uses.
        if path.metadata().is_ok_and(|file| !file.is_file()) {
            continue;
        }
        let place = files::led_to(path);
        if let Some((what, _)) = known.iter().find(|(_, known)| *known == place) {
            bail!("{option}: '{}' is {what}", path.display());
        }
        known.push((format!("the file of {option}"), place));
    }
    match &settings.svg {
        Some(path) => files::check(path).context("--svg"),
        None => Ok(()),
    }
}
