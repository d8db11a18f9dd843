//! Games that earlier versions have saved: one of each kind on the board, and one in the terminal.

use super::{Folder, set_aside};
use anyhow::{Context, Result, ensure};
use quintain_core::board::Color;
use quintain_core::notation::pgn;
use quintain_engine::{self as engine, NAMES};
use quintain_io::files::{self, MB};
use quintain_play::game::{End, Settings, level, reading};
use quintain_play::library::{Library, SavedGame, Store};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The most bytes of such a file.
const MOST: u64 = 100 * MB;

/// Moves the games of a folder into its library. What cannot be read is set aside; returns what to tell the person.
pub fn import(library: &Library, folder: &Folder) -> Vec<String> {
    let (mut notes, state) = (Vec::new(), &folder.0);
    // Held while this is done: another program may want to do the same.
    let lock = folder.lock("import");
    if lock.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
        return notes;
    }
    for name in NAMES {
        for (path, read) in [
            (
                state.join("board").join(format!("{name}.json")),
                of_board as fn(&str, &[u8]) -> Result<SavedGame>,
            ),
            (state.join("unfinished").join(format!("{name}.pgn")), of_terminal),
        ] {
            if let Err(error) = import_file(library, name, &path, read) {
                notes.push(format!("{error:#}"));
            }
        }
    }
    notes
}

fn import_file(
    library: &Library,
    game: &str,
    path: &Path,
    read: fn(&str, &[u8]) -> Result<SavedGame>,
) -> Result<()> {
    let changed = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        known => known.and_then(|known| known.modified()).ok(),
    };
    let saved = files::read(path, MOST).map_err(anyhow::Error::from).and_then(|bytes| read(game, &bytes));
    let mut saved = match saved {
        Ok(saved) => saved,
        Err(error) => {
            let place =
                set_aside(path).with_context(|| format!("{error:#}; it stays, and it cannot be moved"))?;
            return Err(
                error.context(format!("a saved game could not be read, and is kept as {}", place.display()))
            );
        }
    };
    saved.begun = changed
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |time| time.as_millis() as u64);
    // What was never touched is no game.
    if saved.nodes.len() > 1 || saved.settings.fen.is_some() {
        library.add(&saved, saved.begun)?;
    }
    fs::remove_file(path).with_context(|| format!("cannot remove '{}'", path.display()))
}

/// A game of the board. Its moves are played, for the end by the rules was not saved.
fn of_board(game: &str, bytes: &[u8]) -> Result<SavedGame> {
    let mut saved = SavedGame::read(std::str::from_utf8(bytes)?)?;
    ensure!(saved.settings.game == game, "it is a game of '{}'", saved.settings.game);
    let mut session = engine::open(game)?;
    let moves: Vec<&str> = saved.line().into_iter().map(|at| saved.nodes[at].text.as_str()).collect();
    session.set_position(saved.settings.fen.as_deref(), &moves)?;
    if saved.end.is_none() {
        saved.end = session.outcome().map(End::of);
    }
    Ok(saved)
}

/// A game of the terminal, as PGN.
fn of_terminal(game: &str, bytes: &[u8]) -> Result<SavedGame> {
    let text = pgn::decode(bytes.to_owned());
    let read = pgn::games(&text).next().context("there is no game in it")?;
    let mut session = engine::open(game)?;
    let reading = reading::interpret(&mut *session, read)?;
    // What is not understood must not be lost: the file is set aside as a whole.
    ensure!(reading.complaints().is_empty(), "{}", reading.complaints().join("; "));
    let start = session.fen();
    let mut saved = SavedGame::new(
        Settings {
            fen: (start != session.info().start).then_some(start),
            engine: Color::BOTH.map(|side| reading.game.tag(&side.to_string()) == Some(level::ENGINE)),
            ..Settings::of(game)
        },
        0,
    );
    saved.set_line(reading.moves().iter().map(String::as_str));
    Ok(saved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_play::library::Entry;

    #[test]
    fn games_of_earlier_versions_are_moved_into_the_library_and_none_is_lost() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let board = |game: &str, moves: &[&str]| {
            let mut saved = SavedGame::new(Settings::of(game), 0);
            saved.set_line(moves.iter().copied());
            // Earlier versions had no such fields.
            let mut json = serde_json::to_value(&saved).unwrap();
            let fields = json.as_object_mut().unwrap();
            for field in ["name", "begun", "tags"] {
                fields.remove(field);
            }
            json.to_string()
        };
        write("board/chess.json", &board("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]));
        write("board/canyon.json", &board("canyon", &["d3d4"])[..40]);
        write("board/diamond.json", &board("diamond", &[]));
        write("board/grand.json", &board("grand", &["e2e9"]));
        write("board/gast.json", &board("gast14", &[]));
        let clock = board("gast14", &[]).replace(
            "\"left\":null",
            "\"left\":[{\"secs\":18446744073709551615,\"nanos\":0},{\"secs\":1,\"nanos\":0}]",
        );
        write("board/gast14.json", &clock);
        write("unfinished/chess.pgn", "[White \"Anna\"]\n[Black \"Quintain\"]\n\n1. e4 e9 *\n");
        write("unfinished/canyon.pgn", "[White \"Anna\"]\n[Black \"Quintain\"]\n\n1. d4 *\n");
        let folder = Folder::new(home.path().to_owned());
        let library = Library::new(folder.clone());
        let notes = import(&library, &folder);
        let left = |folder: &str| {
            let entries = fs::read_dir(home.path().join(folder)).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let aside = ["canyon", "gast", "gast14", "grand"].map(|game| format!("{game}.unreadable-1.json"));
        assert_eq!(left("board"), aside, "{notes:#?}");
        assert_eq!(left("unfinished"), ["chess.unreadable-1.pgn"]);
        for (note, why) in notes.iter().zip(["EOF while", "it is a game of 'gast14'", "left: ", "e9", "e2e9"])
        {
            assert!(note.starts_with("a saved game could not be read, and is kept as /"), "{note}");
            assert!(notes.iter().any(|note| note.contains(why)), "{why}: {notes:#?}");
        }
        assert_eq!(notes.len(), 5);
        let mut games = library.list().unwrap().games;
        games.sort_by(|a, b| a.heading.game.cmp(&b.heading.game));
        let told = |entry: &Entry| {
            (entry.heading.game.clone(), entry.heading.players.clone(), entry.heading.result.clone())
        };
        let you = ["You".to_owned(), level::player(20)];
        assert_eq!(
            games.iter().map(told).collect::<Vec<_>>(),
            [("canyon".to_owned(), you.clone(), "*".to_owned()), ("chess".to_owned(), you, "0-1".to_owned()),]
        );
        // The one that was played last goes on at the next start.
        let played = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
        assert!(games.iter().all(|game| game.heading.changed > 0));
        write("board/grand.json", &board("grand", &["e3e5"]));
        let old = fs::File::options().write(true).open(home.path().join("board/grand.json")).unwrap();
        old.set_modified(played).unwrap();
        assert!(import(&library, &folder).is_empty());
        assert_eq!(library.list().unwrap().games[2].heading.game, "grand");
        assert!(import(&library, &folder).is_empty());
        assert_eq!(library.list().unwrap().games.len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_game_is_set_aside_too() {
        let home = tempfile::tempdir().unwrap();
        let pipe = home.path().join("board/chess.json");
        fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let folder = Folder::new(home.path().to_owned());
        let library = Library::new(folder.clone());
        let notes = import(&library, &folder);
        assert!(notes[0].contains("it is a pipe or a socket"), "{notes:?}");
        assert!(home.path().join("board/chess.unreadable-1.json").exists());
    }
}
