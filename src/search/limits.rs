//! When a search ends, and how others make it end.

use crate::board::Move;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time on the clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time is added, 0 for never.
    pub moves_to_go: u32,
}

/// What ends a search, besides being told to stop. Without any limit it goes on until then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Exactly this much time.
    pub move_time: Option<Duration>,
    /// A clock to be managed.
    pub clock: Option<Clock>,
    /// Ends when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Only these moves are searched at the root (if none of them is legal: all).
    pub search_moves: Vec<Move>,
    /// Keeps searching, and does not answer, until stopped.
    pub infinite: bool,
    /// Thinks on the opponent's time: no time limit, and no answer, until [`Control::ponder_hit`] or stop.
    pub ponder: bool,
}

/// How to search, beside the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads, at least one.
    pub threads: usize,
    /// How many best lines to look for, at least one.
    pub multi_pv: usize,
    /// What a move costs beyond thinking.
    pub overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threads: 1, multi_pv: 1, overhead: Duration::from_millis(10) }
    }
}

/// The switches of a running search, shared with whoever may end it.
#[derive(Debug)]
pub struct Control {
    /// One of the constants below; it only grows until the next start.
    state: AtomicU8,
    pondering: AtomicBool,
    /// When the thinking time began, in microseconds after `epoch`.
    began: AtomicU64,
    epoch: Instant,
}

const RUNNING: u8 = 0;
const FINISHED: u8 = 1;
const STOPPED: u8 = 2;

impl Default for Control {
    fn default() -> Self {
        Control {
            state: AtomicU8::new(RUNNING),
            pondering: AtomicBool::new(false),
            began: AtomicU64::new(0),
            epoch: Instant::now(),
        }
    }
}

impl Control {
    /// For a search that begins now.
    pub fn started(limits: &Limits) -> Control {
        let control = Control::default();
        control.start(limits);
        control
    }

    /// Gets ready for a search that begins now.
    pub fn start(&self, limits: &Limits) {
        self.state.store(RUNNING, Relaxed);
        self.pondering.store(limits.ponder, Relaxed);
        self.restart_clock();
    }

    /// Ends the search soon; it still answers with the best move so far.
    pub fn stop(&self) {
        self.state.fetch_max(STOPPED, Relaxed);
    }

    /// Ends the threads of the search because it reached a limit of its own.
    pub(super) fn finish(&self) {
        self.state.fetch_max(FINISHED, Relaxed);
    }

    /// The opponent made the expected move: from now on the search runs on our own time.
    pub fn ponder_hit(&self) {
        self.restart_clock();
        self.pondering.store(false, Relaxed);
    }

    /// Did the search end since the start, by itself or by [`Control::stop`]?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.state.load(Relaxed) != RUNNING
    }

    /// Was [`Control::stop`] called since the start?
    pub fn told_to_stop(&self) -> bool {
        self.state.load(Relaxed) == STOPPED
    }

    /// Is the search still on the opponent's time?
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time used of our own: since the start, or since the ponder hit.
    pub fn elapsed(&self) -> Duration {
        self.epoch.elapsed().saturating_sub(Duration::from_micros(self.began.load(Relaxed)))
    }

    fn restart_clock(&self) {
        self.began.store(self.epoch.elapsed().as_micros() as u64, Relaxed);
    }
}
