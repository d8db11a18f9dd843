//! The folder in which a person's games are kept, and what the person prefers.
//!
//! Each game is a file. A database in one file, such as SQLite, would need a C compiler, and nobody could look into it, copy
//! a game, or save what is left of it. Here a damaged file harms one game.

mod import;

use quintain_io::files::{self, MB};
use quintain_play::library::{Library, Lock, Preferences, Store};
use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most bytes of a game.
const MOST: u64 = 100 * MB;
/// The most bytes of a first line.
const MOST_OF_LINE: u64 = 10_000;
/// The folder of the locks. A game's file cannot be locked itself, for each change puts another one in its place.
const LOCKS: &str = "locks";
/// After this time an unfinished file is no longer being written.
const STALE: Duration = Duration::from_secs(3600);

/// A folder with a file for each game, `games/ID.json`. The files of games that are open are locked, by files of the same
/// name in a folder of their own. These stay as long as the game, for another program may be about to take the lock.
#[derive(Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at this path, which need not exist yet.
    pub fn new(path: PathBuf) -> Folder {
        Folder(path)
    }

    /// The person's own; `None` if there is none.
    pub fn of_person() -> Option<Folder> {
        files::state_folder().map(Folder)
    }

    /// The library in it, with the games that earlier versions have saved here; and what to tell the person.
    pub fn library(&self) -> (Library, Vec<String>) {
        let library = Library::new(self.clone());
        let notes = import::import(&library, self);
        (library, notes)
    }

    fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    fn file(&self, id: &str) -> PathBuf {
        self.games().join(format!("{id}.json"))
    }

    fn lock_file(&self, id: &str) -> PathBuf {
        self.games().join(LOCKS).join(id)
    }

    fn preferences_file(&self) -> PathBuf {
        self.0.join("preferences.json")
    }
}

/// What the person prefers.
pub fn preferences() -> Preferences {
    Folder::of_person().map_or_else(Preferences::default, |folder| Library::new(folder).preferences())
}

/// Keeps what the person prefers.
pub fn prefer(change: impl FnOnce(&mut Preferences)) {
    if let Some(folder) = Folder::of_person() {
        Library::new(folder).prefer(change);
    }
}

impl Store for Folder {
    fn list(&self) -> io::Result<Vec<(String, io::Result<String>)>> {
        let entries = match fs::read_dir(self.games()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut list = Vec::new();
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if files::is_unfinished(&name) {
                let age = entry.metadata().and_then(|known| known.modified()).map(|time| time.elapsed());
                if age.is_ok_and(|age| age.is_ok_and(|age| age > STALE)) {
                    // It stays where it cannot be removed.
                    let _ = fs::remove_file(entry.path());
                }
            } else if let Some(id) = name.strip_suffix(".json").filter(|id| !id.contains('.')) {
                list.push((id.to_owned(), first_line(&entry.path())));
            }
        }
        Ok(list)
    }

    fn read(&self, id: &str) -> io::Result<String> {
        text(files::read(&self.file(id), MOST)?)
    }

    fn lock(&self, id: &str) -> io::Result<Lock> {
        let path = self.lock_file(id);
        fs::create_dir_all(self.games().join(LOCKS))?;
        let file = files::open_to_append(&path)?;
        match files::lock(&file)? {
            true => Ok(Lock::new(id, file)),
            false => Err(ErrorKind::WouldBlock.into()),
        }
    }

    fn write(&self, lock: &Lock, text: &str) -> io::Result<()> {
        files::write(&self.file(lock.id()), text.as_bytes())
    }

    fn delete(&self, lock: Lock) -> io::Result<()> {
        match fs::remove_file(self.file(lock.id())) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Another program that waits for this lock finds no game to open.
        let _ = fs::remove_file(self.lock_file(lock.id()));
        Ok(())
    }

    fn set_aside(&self, id: &str) -> io::Result<String> {
        Ok(set_aside(&self.file(id))?.display().to_string())
    }

    fn preferences(&self) -> io::Result<String> {
        text(files::read(&self.preferences_file(), MB)?)
    }

    fn keep_preferences(&self, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        files::write(&self.preferences_file(), text.as_bytes())
    }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

fn first_line(path: &Path) -> io::Result<String> {
    let mut line = String::new();
    BufReader::new(files::open(path)?.take(MOST_OF_LINE)).read_line(&mut line)?;
    Ok(line)
}

/// Gives a file that cannot be read a name that nobody has, and returns it: `NAME.unreadable-1.json`.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let free = |number: &u32| path.with_extension(format!("unreadable-{number}.{ending}"));
    let new = (1..).map(|number| free(&number)).find(|new| fs::symlink_metadata(new).is_err());
    let new = new.expect("a number that is free");
    fs::rename(path, &new)?;
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn what_was_locked_is_free_again_once_it_is_dropped() {
        let home = tempfile::tempdir().unwrap();
        let [one, two] = [0, 1].map(|_| Folder::new(home.path().join("state")));
        let lock = one.lock("a").unwrap();
        for folder in [&one, &two] {
            assert_eq!(folder.lock("a").err().map(|error| error.kind()), Some(ErrorKind::WouldBlock));
        }
        two.lock("b").unwrap();
        drop(lock);
        let lock = two.lock("a").unwrap();
        two.write(&lock, "first\nsecond\n").unwrap();
        assert_eq!(one.read("a").unwrap(), "first\nsecond\n");
        let list: Vec<_> = one.list().unwrap().into_iter().map(|(id, line)| (id, line.unwrap())).collect();
        assert_eq!(list, [("a".into(), "first\n".into())]);
        two.delete(lock).unwrap();
        assert_eq!(one.read("a").unwrap_err().kind(), ErrorKind::NotFound);
        assert!(one.list().unwrap().is_empty());
    }

    #[test]
    fn only_files_of_games_are_listed_and_stale_ones_are_removed() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::new(home.path().to_owned());
        let path = |name: &str| folder.games().join(name);
        fs::create_dir(folder.games()).unwrap();
        for name in ["a.json", "a.unreadable-1.json", "b.txt", ".1-0.quintain-new", ".2-0.quintain-new"] {
            fs::write(path(name), "x\n").unwrap();
        }
        fs::create_dir(path("folder.json")).unwrap();
        let old = File::options().write(true).open(path(".2-0.quintain-new")).unwrap();
        old.set_modified(std::time::SystemTime::now() - 2 * STALE).unwrap();
        let mut list: Vec<_> =
            folder.list().unwrap().into_iter().map(|(id, line)| (id, line.is_ok())).collect();
        list.sort();
        assert_eq!(list, [("a".into(), true), ("folder".into(), false)]);
        assert!(path(".1-0.quintain-new").exists() && !path(".2-0.quintain-new").exists());
    }

    #[test]
    fn what_is_set_aside_gets_a_name_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::new(home.path().to_owned());
        fs::create_dir(folder.games()).unwrap();
        for number in 1..=2 {
            fs::write(folder.file("a"), number.to_string()).unwrap();
            let place = folder.set_aside("a").unwrap();
            assert!(place.ends_with(&format!("a.unreadable-{number}.json")), "{place}");
            assert_eq!(fs::read_to_string(place).unwrap(), number.to_string());
        }
    }
    #[test]
    fn preferences_that_cannot_be_read_are_those_of_a_new_person() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::new(home.path().join("state"));
        let library = Library::new(folder.clone());
        let chosen = Preferences { level: Some(4), pace: 2.5, ..Preferences::default() };
        library.prefer(|kept| *kept = chosen.clone());
        assert_eq!(library.preferences(), chosen);
        fs::write(folder.preferences_file(), [0xff, 0xfe]).unwrap();
        assert_eq!(library.preferences(), Preferences::default());
        // A folder in its place.
        fs::remove_file(folder.preferences_file()).unwrap();
        fs::create_dir(folder.preferences_file()).unwrap();
        assert_eq!(library.preferences(), Preferences::default());
    }
}
