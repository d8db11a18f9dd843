//! What a search reports to XBoard and to the loop, from its own thread.

use super::{Event, Say};
use quintain_core::search::score::UciScore;
use quintain_core::search::{Bound, Info};
use quintain_engine::{self as engine, Session};
use quintain_xboard::text::Numbering;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a search found.
#[derive(Clone, Default)]
pub(super) struct Found {
    /// The best line, as coordinates.
    pub(super) pv: Vec<String>,
    /// Its score for the side to move.
    pub(super) score: i32,
    /// The search panicked: the line is just a legal move.
    pub(super) failed: bool,
}

/// The value of a mutex, also after a panic of the other thread.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a search reported last.
#[derive(Clone)]
pub(super) struct LastInfo {
    pub(super) info: Info,
    /// The score as it is shown.
    score: UciScore,
    /// The line as coordinates.
    pub(super) pv: Vec<String>,
}

impl Default for LastInfo {
    fn default() -> LastInfo {
        LastInfo { info: Info::default(), score: UciScore::Centipawns(0), pv: Vec::new() }
    }
}

/// Reports what a search finds, in its thread.
pub(super) struct Reporter {
    pub(super) say: Say,
    /// The GUI asked to see what we think.
    pub(super) post: Arc<AtomicBool>,
    /// False once the search is dropped.
    pub(super) wanted: Arc<AtomicBool>,
    pub(super) last: Arc<Mutex<LastInfo>>,
    pub(super) numbering: Numbering,
    /// The number of the search.
    pub(super) number: u64,
    pub(super) events: Sender<Event>,
}

impl Reporter {
    pub(super) fn report(&self, game: &dyn Session, event: engine::Event) {
        match event {
            engine::Event::Info(info) if self.wanted.load(Relaxed) => {
                let (score, pv) = (game.shown(info.score), game.coordinates(&info.pv));
                let last = LastInfo { info: info.clone(), score, pv };
                if self.post.load(Relaxed) {
                    (self.say)(&thinking(&last, self.numbering));
                }
                *lock(&self.last) = last;
            }
            engine::Event::Info(_) | engine::Event::CurrentMove { .. } => {}
            engine::Event::Done(info) | engine::Event::Failed(info) => {
                let failed = matches!(event, engine::Event::Failed(_));
                let found = Found { pv: game.coordinates(&info.pv), score: info.score, failed };
                drop(self.events.send(Event::Done(self.number, found)));
            }
        }
    }
}

/// `ply score time nodes selective-depth speed tablebase-hits`, a tab, and the line.
fn thinking(LastInfo { info, score, pv }: &LastInfo, numbering: Numbering) -> String {
    let score = match *score {
        UciScore::Mate(moves) if moves > 0 => 100_000 + moves,
        UciScore::Mate(moves) => -100_000 + moves,
        UciScore::Centipawns(score) => score,
    };
    let speed = info.nodes.saturating_mul(1000) / info.millis.max(1);
    let line: Vec<String> = pv.iter().map(|text| numbering.show(text)).collect();
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    let Info { depth, selective_depth, nodes, millis, table_hits, .. } = info;
    let (centis, line) = (millis / 10, line.join(" "));
    format!("{depth} {score} {centis} {nodes} {selective_depth} {speed} {table_hits}\t{line}{bound}")
}
