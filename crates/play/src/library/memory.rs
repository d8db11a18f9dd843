//! Games in memory, for tests and where nothing lasts. It can be full, like a disk.

use super::{Lock, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

/// Games in memory; all clones have the same.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Texts>>);

#[derive(Default)]
struct Texts {
    texts: BTreeMap<String, String>,
    locked: BTreeSet<String>,
    preferences: String,
    full: bool,
}

impl Memory {
    /// From now on nothing can be written or deleted, or everything can.
    pub fn fill(&self, full: bool) {
        self.0.lock().unwrap().full = full;
    }

    /// Sets a text.
    pub fn put(&self, id: &str, text: &str) {
        self.0.lock().unwrap().texts.insert(id.to_owned(), text.to_owned());
    }
}

/// Gives a name back.
struct Guard(Memory, String);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().locked.remove(&self.1);
    }
}

impl Store for Memory {
    fn list(&self) -> io::Result<Vec<(String, io::Result<String>)>> {
        let line = |text: &String| Ok(text.lines().next().unwrap_or_default().to_owned());
        let known = self.0.lock().unwrap();
        let games = known.texts.iter().filter(|(id, _)| !id.contains('.'));
        Ok(games.map(|(id, text)| (id.clone(), line(text))).collect())
    }

    fn read(&self, id: &str) -> io::Result<String> {
        self.0.lock().unwrap().texts.get(id).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn lock(&self, id: &str) -> io::Result<Lock> {
        match self.0.lock().unwrap().locked.insert(id.to_owned()) {
            true => Ok(Lock::new(id, Guard(self.clone(), id.to_owned()))),
            false => Err(ErrorKind::WouldBlock.into()),
        }
    }

    fn write(&self, lock: &Lock, text: &str) -> io::Result<()> {
        let mut known = self.0.lock().unwrap();
        if known.full {
            return Err(ErrorKind::StorageFull.into());
        }
        known.texts.insert(lock.id.clone(), text.to_owned());
        Ok(())
    }

    fn delete(&self, lock: Lock) -> io::Result<()> {
        let mut known = self.0.lock().unwrap();
        if known.full {
            return Err(ErrorKind::StorageFull.into());
        }
        known.texts.remove(&lock.id);
        Ok(())
    }

    fn set_aside(&self, id: &str) -> io::Result<String> {
        let mut known = self.0.lock().unwrap();
        let text = known.texts.remove(id).ok_or(ErrorKind::NotFound)?;
        let name = format!("{id}.unreadable-1");
        known.texts.insert(name.clone(), text);
        Ok(name)
    }

    fn preferences(&self) -> io::Result<String> {
        Ok(self.0.lock().unwrap().preferences.clone())
    }

    fn keep_preferences(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().preferences = text.to_owned();
        Ok(())
    }
}
