//! Files of games that a person names.

use crate::notation::pgn::{self, Game};
use anyhow::{Result, ensure};
use quintain_io as output;
use quintain_io::files;
use quintain_io::note;
use std::path::{Path, PathBuf};

/// A path as a person types it, with `~` for the home folder.
pub fn path(text: &str) -> PathBuf {
    match (text.strip_prefix('~'), dirs::home_dir()) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => text.into(),
    }
}

/// Converts the games of a file and prints them. `work` also says what it could not use. A bad game is skipped and
/// reported.
pub fn each(path: &Path, mut work: impl FnMut(Game) -> Result<(Game, Vec<String>)>) -> Result<()> {
    let text = files::read_games(path)?;
    let (mut all, mut bad, mut cut) = (0, 0, 0);
    for game in pgn::games(&text) {
        all += 1;
        let report = |what: &str| note!("{}: game {all}: {what}", path.display());
        match work(game) {
            Ok((game, complaints)) => {
                output::print(&game.to_string())?;
                cut += usize::from(!complaints.is_empty());
                complaints.iter().for_each(|complaint| report(complaint));
            }
            Err(error) => {
                bad += 1;
                report(&format!("{error:#}"));
            }
        }
    }
    ensure!(all > 0, "{} contains no game", path.display());
    ensure!(bad == 0, "{}: {bad} of {all} games are left out", path.display());
    ensure!(cut == 0, "{}: parts of {cut} of {all} games were not understood", path.display());
    Ok(())
}
