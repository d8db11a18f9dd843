//! The library: the games that people have played or loaded, on the board and in the terminal, until they delete them.
//!
//! A game is a text of two lines of JSON. The first one is its [`Heading`], which has what a list of games shows; the
//! second one is the game, a [`SavedGame`]. A list reads the first lines only. [`Library`] writes and checks the texts, and
//! a [`Store`] keeps them: the crate `quintain-folder` on a disk. Another store may keep them elsewhere, for example in a browser.
//! A game that is open is locked, so that two programs with the same library never overwrite each other's moves.

pub mod memory;
mod preferences;
mod saved;

pub use preferences::{PACES, Preferences};
pub use saved::{SavedGame, SavedNode, ScoreView, players};

use crate::game::time::{date, utc};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use thiserror::Error;

/// The version of the form of the texts. Programs that know only lower ones leave a game alone.
const FORM: u32 = 1;
/// The longest name of a game, in characters.
const LONGEST_NAME: usize = 100;

/// Keeps texts by name, and what the person prefers.
pub trait Store: Send + Sync {
    /// The names of all texts, with their first lines.
    fn list(&self) -> io::Result<Vec<(String, io::Result<String>)>>;
    /// The text of this name.
    fn read(&self, id: &str) -> io::Result<String>;
    /// Takes a name, whether there is a text or not: nobody else can take it until the lock is dropped. An error of the kind
    /// `WouldBlock` says that somebody else has it.
    fn lock(&self, id: &str) -> io::Result<Lock>;
    /// Sets the text of a name that was taken: the whole text, or it stays as it was.
    fn write(&self, lock: &Lock, text: &str) -> io::Result<()>;
    /// Removes the text of a name that was taken.
    fn delete(&self, lock: Lock) -> io::Result<()>;
    /// Gives a text that cannot be read a name that is no game's, and returns where it is.
    fn set_aside(&self, id: &str) -> io::Result<String>;
    /// The text of the person's preferences.
    fn preferences(&self) -> io::Result<String>;
    /// Keeps the text of the person's preferences.
    fn keep_preferences(&self, text: &str) -> io::Result<()>;
}

/// A name that was taken in a [`Store`].
pub struct Lock {
    id: String,
    /// Gives the name back when it is dropped.
    _guard: Box<dyn Send>,
}

impl Lock {
    /// This name was taken; dropping `guard` gives it back.
    pub fn new(id: &str, guard: impl Send + 'static) -> Lock {
        Lock { id: id.to_owned(), _guard: Box::new(guard) }
    }

    /// The name.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// The first line of a game's text.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Heading {
    /// The version of the form.
    pub quintain: u32,
    /// What the person calls the game; empty if it has no name.
    pub name: String,
    /// Which of our games it is.
    pub game: String,
    /// White and Black.
    pub players: [String; 2],
    /// When it was played, as in PGN.
    pub date: String,
    /// As in PGN.
    pub result: String,
    /// Moves of one side.
    pub plies: usize,
    /// When it was last changed: milliseconds since 1970.
    pub changed: u64,
}

/// A game in a list.
#[derive(Clone, Serialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Entry {
    /// Its name in the store.
    pub id: String,
    /// Its first line.
    #[serde(flatten)]
    pub heading: Heading,
}

/// What the library holds.
pub struct Listing {
    /// The games, the last changed first.
    pub games: Vec<Entry>,
    /// What cannot be read, and why.
    pub unreadable: Vec<String>,
}

/// Why a game cannot be opened.
#[derive(Error, Debug)]
pub enum OpenError {
    /// There is none of this name.
    #[error("there is no saved game '{0}'")]
    Missing(String),
    /// Another program has it.
    #[error("the game is open in another program")]
    InUse,
    /// This program does not know its form, and leaves it alone.
    #[error("the game '{0}' was saved by a newer version of this program")]
    Newer(String),
    /// It is damaged, and was set aside.
    #[error("the saved game could not be read: {why}; it is kept as {place}")]
    Unreadable {
        /// What is wrong with it.
        why: String,
        /// Where it is now.
        place: String,
    },
    /// The store fails.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

/// A game that is open: no other program can open it meanwhile.
pub struct Place(Lock);

impl Place {
    /// The name of the game in the store.
    pub fn id(&self) -> &str {
        &self.0.id
    }
}

/// A game that was deleted.
#[derive(Serialize, Deserialize, Debug)]
pub struct Deleted {
    id: String,
    text: String,
}

/// The games of a store.
#[derive(Clone)]
pub struct Library(Arc<dyn Store>);

impl Library {
    /// The games in a store.
    pub fn new(store: impl Store + 'static) -> Library {
        Library(Arc::new(store))
    }

    /// All games.
    pub fn list(&self) -> Result<Listing> {
        let mut listing = Listing { games: Vec::new(), unreadable: Vec::new() };
        for (id, line) in self.0.list()? {
            let heading = line
                .map_err(anyhow::Error::from)
                .and_then(|line| Ok(serde_json::from_str::<Heading>(&line)?));
            match heading {
                Ok(heading) => listing.games.push(Entry { id, heading }),
                Err(error) => listing.unreadable.push(format!("{id}: {error:#}")),
            }
        }
        listing.games.sort_by(|a, b| (b.heading.changed, &b.id).cmp(&(a.heading.changed, &a.id)));
        Ok(listing)
    }

    /// The last game of this kind that was changed, if it is not over.
    pub fn unfinished(&self, game: &str) -> Result<Option<Entry>> {
        let last = self.list()?.games.into_iter().find(|entry| entry.heading.game == game);
        Ok(last.filter(|entry| entry.heading.result == "*"))
    }

    /// A place for a new game. Its name in the store says which game it is, and when it began.
    pub fn create(&self, game: &str) -> Result<Place> {
        let (date, time) = utc(date() / 1000);
        let stem = format!("{game}-{}-{}", date.replace('.', "-"), time.replace(':', ""));
        for number in 1.. {
            let id = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            match self.0.lock(&id) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
                Ok(lock) => match self.0.read(&id) {
                    Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Place(lock)),
                    _ => {}
                },
            }
        }
        unreachable!("no library has so many games")
    }

    /// Opens a game, to go on with it.
    pub fn open(&self, id: &str) -> Result<(Place, SavedGame), OpenError> {
        let place = self.take(id)?;
        Ok((place, self.read(id)?))
    }

    /// Reads a game, even if it is open elsewhere.
    pub fn read(&self, id: &str) -> Result<SavedGame, OpenError> {
        let text = self.text(id)?;
        parse(&text).map_err(|error| match error {
            Wrong::Newer => OpenError::Newer(id.to_owned()),
            Wrong::Bad(why) => self.unreadable(id, &why),
        })
    }

    /// Sets a game aside that cannot be read.
    pub fn unreadable(&self, id: &str, why: &anyhow::Error) -> OpenError {
        match self.0.set_aside(id) {
            Ok(place) => OpenError::Unreadable { why: format!("{why:#}"), place },
            Err(error) => OpenError::Failed(error),
        }
    }

    fn text(&self, id: &str) -> Result<String, OpenError> {
        // What a page asks for must not lead out of the folder. A dot is only in names that are no game's.
        let forbidden = |c: char| c.is_control() || matches!(c, '.' | '/' | '\\' | ':');
        if id.is_empty() || id.len() > 200 || id.contains(forbidden) {
            return Err(OpenError::Missing(id.chars().take(60).filter(|c| !c.is_control()).collect()));
        }
        self.0.read(id).map_err(|error| match error.kind() {
            ErrorKind::NotFound => OpenError::Missing(id.to_owned()),
            // Not UTF-8, too long, or not a file.
            ErrorKind::InvalidData | ErrorKind::FileTooLarge | ErrorKind::InvalidInput => {
                self.unreadable(id, &error.into())
            }
            _ => error.into(),
        })
    }

    /// Saves a game; it gets a place if it has none.
    pub fn save(&self, place: &mut Option<Place>, saved: &SavedGame) -> Result<()> {
        if place.is_none() {
            *place = Some(self.create(&saved.settings.game)?);
        }
        place.as_ref().map_or(Ok(()), |place| self.write(place, saved))
    }

    /// Saves a game at its place.
    pub fn write(&self, place: &Place, saved: &SavedGame) -> Result<()> {
        Ok(self.0.write(&place.0, &text(saved, date())?)?)
    }

    /// Saves a game that is not open, and that was changed then for the last time: milliseconds since 1970.
    pub fn add(&self, saved: &SavedGame, changed: u64) -> Result<String> {
        let Place(lock) = self.create(&saved.settings.game)?;
        self.0.write(&lock, &text(saved, changed)?)?;
        Ok(lock.id)
    }

    /// Gives a game that is not open a name.
    pub fn rename(&self, id: &str, name: &str) -> Result<()> {
        let (place, mut saved) = self.open(id)?;
        let before = self.0.read(id)?;
        let Heading { changed, .. } = serde_json::from_str(before.lines().next().unwrap_or_default())?;
        saved.name = name.to_owned();
        Ok(self.0.write(&place.0, &text(&saved, changed)?)?)
    }

    /// Takes a game, to delete it; whether it can be read does not matter.
    pub fn take(&self, id: &str) -> Result<Place, OpenError> {
        // A lock makes a name; what does not exist must not get one.
        self.text(id)?;
        let lock = self.0.lock(id).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => OpenError::InUse,
            _ => error.into(),
        })?;
        Ok(Place(lock))
    }

    /// Deletes a game that was taken.
    pub fn delete(&self, place: Place) -> Result<Deleted> {
        let deleted = Deleted { id: place.0.id.clone(), text: self.0.read(place.id())? };
        self.0.delete(place.0)?;
        Ok(deleted)
    }

    /// Brings a deleted game back.
    pub fn restore(&self, deleted: &Deleted) -> Result<()> {
        // A game that began meanwhile may have the name.
        let lock = match self.0.lock(&deleted.id) {
            Ok(lock) if self.0.read(&deleted.id).is_err() => lock,
            _ => self.create(&deleted.id)?.0,
        };
        Ok(self.0.write(&lock, &deleted.text)?)
    }
}

/// A name for a game as a person types it.
pub fn name(text: &str) -> Result<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ensure!(name.chars().count() <= LONGEST_NAME, "name: it is longer than {LONGEST_NAME} characters");
    ensure!(!name.contains(char::is_control), "name: {} has a control character", text.escape_debug());
    Ok(name)
}

fn text(saved: &SavedGame, changed: u64) -> Result<String> {
    let heading = Heading {
        quintain: FORM,
        name: saved.name.clone(),
        game: saved.settings.game.clone(),
        players: saved.players(),
        date: saved.date(),
        result: saved.result(),
        plies: saved.plies(),
        changed,
    };
    Ok(format!("{}\n{}\n", serde_json::to_string(&heading)?, serde_json::to_string(saved)?))
}

/// What is wrong with a text.
enum Wrong {
    Newer,
    Bad(anyhow::Error),
}

fn parse(text: &str) -> Result<SavedGame, Wrong> {
    #[derive(Deserialize)]
    struct Form {
        quintain: u32,
    }
    let (heading, game) = text.split_once('\n').unwrap_or((text, ""));
    match serde_json::from_str(heading) {
        Ok(Form { quintain }) if quintain > FORM => return Err(Wrong::Newer),
        Ok(_) => {}
        Err(error) => return Err(Wrong::Bad(anyhow::Error::new(error).context("the first line"))),
    }
    SavedGame::read(game).map_err(Wrong::Bad)
}
#[cfg(test)]
mod tests {
    use super::memory::Memory;
    use super::*;
    use crate::game::{End, Settings};

    fn game(name: &str, moves: &[&str]) -> SavedGame {
        let mut saved = SavedGame::new(Settings::of(name), 1_764_212_400_000);
        saved.set_line(moves.iter().copied());
        saved
    }

    #[test]
    fn a_list_says_who_played_what_and_how_it_ended() {
        let library = Library::new(Memory::default());
        library.add(&game("canyon", &["d3d4", "b6b5", "e3e4"]), date()).unwrap();
        let mut loaded = game("chess", &["e2e4"]);
        loaded.settings.engine = [false; 2];
        loaded.end = Some(End::draw("Draw by agreement".into()));
        loaded.tags = [("White", "Anna"), ("Black", "?"), ("Date", "1851.06.21")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        library.add(&loaded, date()).unwrap();
        let mut weak = game("gast", &[]);
        (weak.settings.engine, weak.settings.level, weak.name) = ([true, false], 4, "a first try".into());
        library.add(&weak, date()).unwrap();
        let mut games = library.list().unwrap().games;
        games.sort_by(|a, b| a.heading.game.cmp(&b.heading.game));
        let told = games.iter().map(|Entry { heading, .. }| {
            let Heading { name, game, players, date, result, plies, .. } = heading;
            format!("{name}|{game}|{}|{date}|{result}|{plies}", players.join("-"))
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "|canyon|You-Quintain (level 20, master)|2025.11.27|*|3",
                "|chess|Anna-Black|1851.06.21|1/2-1/2|1",
                "a first try|gast|Quintain (level 4, novice)-You|2025.11.27|*|0",
            ]
        );
        let id = &games[0].id;
        assert!(id.starts_with("canyon-20"), "{id}");
        assert_eq!(library.unfinished("canyon").unwrap().map(|entry| entry.id).as_ref(), Some(id));
        assert!(library.unfinished("chess").unwrap().is_none());
        assert!(library.unfinished("grand").unwrap().is_none());
    }

    #[test]
    fn what_is_written_is_read_back() {
        let library = Library::new(Memory::default());
        let mut saved = game("chess", &["e2e4", "e7e5"]);
        // Another line; the first one becomes a variation.
        saved.nodes[1].comment = "good".into();
        saved.set_line(["e2e4", "c7c5", "g1f3"]);
        saved.left = Some([std::time::Duration::from_millis(61_500); 2]);
        let id = library.add(&saved, date()).unwrap();
        assert_eq!(library.read(&id).unwrap(), saved);
        assert_eq!((saved.nodes.len(), saved.plies()), (5, 3));
        // Games that begin in the same second have names of their own.
        assert_ne!(library.add(&saved, date()).unwrap(), id);
    }

    #[test]
    fn an_open_game_is_nobody_elses() {
        let store = Memory::default();
        let [one, two] = [0, 1].map(|_| Library::new(store.clone()));
        let id = one.add(&game("chess", &["e2e4"]), date()).unwrap();
        let (place, _) = one.open(&id).unwrap();
        assert!(matches!(two.open(&id), Err(OpenError::InUse)));
        assert!(matches!(two.take(&id), Err(OpenError::InUse)));
        assert!(two.rename(&id, "mine").is_err());
        assert_eq!(two.read(&id).unwrap().plies(), 1);
        drop(place);
        let (place, _) = two.open(&id).unwrap();
        two.write(&place, &game("chess", &["d2d4", "d7d5"])).unwrap();
        assert_eq!(one.read(&id).unwrap().plies(), 2);
    }

    #[test]
    fn names_are_given_and_games_deleted_and_brought_back() {
        let library = Library::new(Memory::default());
        let ids: Vec<String> =
            (0..2).map(|_| library.add(&game("chess", &["e2e4"]), date()).unwrap()).collect();
        let changed = |id: &str| {
            let games = library.list().unwrap().games;
            games
                .into_iter()
                .find(|entry| entry.id == id)
                .map(|entry| (entry.heading.name, entry.heading.changed))
        };
        let (_, before) = changed(&ids[0]).unwrap();
        library.rename(&ids[0], "the first").unwrap();
        assert_eq!(changed(&ids[0]), Some(("the first".into(), before)));
        assert_eq!(library.read(&ids[0]).unwrap().name, "the first");
        let deleted = library.delete(library.take(&ids[0]).unwrap()).unwrap();
        assert!(changed(&ids[0]).is_none() && changed(&ids[1]).is_some());
        assert!(matches!(library.open(&ids[0]), Err(OpenError::Missing(_))));
        library.restore(&deleted).unwrap();
        assert_eq!(changed(&ids[0]), Some(("the first".into(), before)));
        assert_eq!(name("  a \n b ").unwrap(), "a b");
        assert!(name(&"x".repeat(101)).is_err() && name("a\u{1b}[0m").is_err());
        for strange in
            ["", "..", "../address", "a/b", "a\\b", "c:d", "a.unreadable-1", "a\0b", &"x".repeat(300)]
        {
            assert!(matches!(library.open(strange), Err(OpenError::Missing(_))), "{strange:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_set_aside_and_what_is_newer_stays() {
        let store = Memory::default();
        let library = Library::new(store.clone());
        let mut saved = game("chess", &["e2e4", "e7e5"]);
        saved.left = Some([std::time::Duration::from_secs(60); 2]);
        saved.end = Some(End::draw("Draw by agreement".into()));
        let good = text(&saved, 1).unwrap();
        store.put("good", &good);
        assert_eq!(library.read("good").unwrap(), saved);
        for (number, (from, to, why)) in [
            ("\"quintain\":1,", "", "missing field `quintain`"),
            ("\"game\":\"chess\",\"fen\"", "\"game\":\"ludo\",\"fen\"", "there is no game called 'ludo'"),
            ("\"level\":20", "\"level\":21", "level: 21 is not from 0 to 20"),
            ("\"seconds\":2.0", "\"seconds\":1e9", "seconds: 1000000000 is not"),
            ("\"secs\":60", "\"secs\":18446744073709551615", "seconds are too many"),
            ("\"parent\":1", "\"parent\":2", "position 2 has no earlier position before it"),
            ("\"parent\":null", "\"parent\":0", "position 0 has no earlier position before it"),
            ("\"live\":2", "\"live\":3", "there is no position 3"),
            ("\"winner\":null", "\"winner\":\"white\"", "is not 1-0"),
            ("\"winner\":null", "\"winner\":\"red\"", "no side called \"red\""),
            ("\"score\":null", "\"score\":{\"text\":\"0\",\"points\":7.0}", "points: 7 is not"),
            ("\"paused\"", "\"halted\":true,\"paused\"", "unknown field `halted`"),
            ("\"paused\":false,", "", "missing field `paused`"),
        ]
        .into_iter()
        .enumerate()
        {
            let (id, bad) = (format!("bad{number}"), good.replacen(from, to, 1));
            assert_ne!(bad, good, "{from}");
            store.put(&id, &bad);
            let error = library.read(&id).unwrap_err().to_string();
            assert!(
                error.contains(why) && error.ends_with(&format!("it is kept as {id}.unreadable-1")),
                "{error}"
            );
            assert!(store.read(&id).is_err());
            assert_eq!(store.read(&format!("{id}.unreadable-1")).unwrap(), bad);
        }
        for cut in [0, 20, good.len() / 2, good.len() - 10] {
            store.put("cut", &good[..cut]);
            assert!(matches!(library.read("cut"), Err(OpenError::Unreadable { .. })), "{cut}");
        }
        let newer = good.replacen("\"quintain\":1", "\"quintain\":2", 1);
        store.put("newer", &newer);
        assert!(matches!(library.open("newer"), Err(OpenError::Newer(_))));
        assert_eq!(store.read("newer").unwrap(), newer);
    }
}
