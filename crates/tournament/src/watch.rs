//! What is told to those who watch a match while it runs.

use super::record::{GameRecord, MoveRecord};
use super::schedule::Task;
use super::settings::Settings;
use super::standings::Standings;
use anyhow::Result;
use quintain_engine::{MoveInfo, Session};

/// Is told what happens in a match, by the threads that play it, and must not keep them waiting.
pub trait Watcher: Send + Sync {
    /// A game begins, in the position after its opening; it takes the place of the last game of the same `worker`.
    fn began(&self, worker: usize, task: &Task, position: &dyn Session);
    /// A move was made in the game of a worker, and this is the position after it.
    fn moved(&self, worker: usize, position: &dyn Session, mv: &MoveInfo, record: &MoveRecord);
    /// A game is over.
    fn finished(&self, game: &GameRecord);
    /// What all games add up to: at the beginning, and after each game.
    fn counted(&self, standings: &Standings);
}

/// Begins to show a match to those who want to watch it; it ends when the watcher is dropped.
pub type Open = fn(&Settings, &[String]) -> Result<Box<dyn Watcher>>;

/// Nobody watches.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn began(&self, _worker: usize, _task: &Task, _position: &dyn Session) {}
    fn moved(&self, _worker: usize, _position: &dyn Session, _mv: &MoveInfo, _record: &MoveRecord) {}
    fn finished(&self, _game: &GameRecord) {}
    fn counted(&self, _standings: &Standings) {}
}
