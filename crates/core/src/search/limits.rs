//! The limits of a search, and how to stop it.

use super::margins::Margins;
use super::tables::MOST_PIECES;
use crate::board::Move;
use crate::host::{self, Signal};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Time on the clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Increment for each move.
    pub increment: Duration,
    /// Moves to the next time control, 0 for none.
    pub moves_to_go: u32,
}

/// What ends a search, besides [`Control::stop`]. Without any limit it runs until stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Exactly this much time.
    pub move_time: Option<Duration>,
    /// The clock; the search decides how much of it to use.
    pub clock: Option<Clock>,
    /// Ends when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Only these moves are searched at the root (if none of them is legal: all).
    pub search_moves: Vec<Move>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time: no limits until [`Control::ponder_hit`] or [`Control::stop`].
    pub ponder: bool,
}

/// How to search, beside the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads, at least one.
    pub threads: usize,
    /// How many best lines to look for, at least one.
    pub multi_pv: usize,
    /// Time lost in each move outside the search (move overhead).
    pub overhead: Duration,
    /// The most pieces of a position that is looked up in endgame tables, 0 for none.
    pub table_limit: u32,
    /// The least depth left at which it is; 0 for everywhere.
    pub table_depth: i32,
    /// The numbers of the search; others than the default are for tuning.
    pub margins: Margins,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            table_limit: MOST_PIECES,
            table_depth: 1,
            margins: Margins::default(),
        }
    }
}

/// Stops a running search from another thread, or from the host where there are no threads.
#[derive(Debug, Default)]
pub struct Control {
    /// One of the constants below; it only grows until the next start.
    state: AtomicU8,
    pondering: AtomicBool,
    /// When the search began, in microseconds of [`host::now`].
    began: AtomicU64,
    /// When our own time began: then, or at the ponder hit.
    own_time: AtomicU64,
}

const RUNNING: u8 = 0;
const FINISHED: u8 = 1;
const STOPPED: u8 = 2;

impl Control {
    /// For a search that begins now.
    pub fn started(limits: &Limits) -> Control {
        let control = Control::default();
        control.start(limits);
        control
    }

    /// Resets it for a search that begins now.
    pub fn start(&self, limits: &Limits) {
        self.state.store(RUNNING, Relaxed);
        self.pondering.store(limits.ponder, Relaxed);
        let now = self.now();
        self.began.store(now, Relaxed);
        self.own_time.store(now, Relaxed);
    }

    /// Stops the search; it returns the best move so far.
    pub fn stop(&self) {
        self.state.fetch_max(STOPPED, Relaxed);
    }

    /// Stops all threads of the search because a limit was reached.
    pub(super) fn finish(&self) {
        self.state.fetch_max(FINISHED, Relaxed);
    }

    /// The opponent played the expected move: from now on our own clock runs.
    pub fn ponder_hit(&self) {
        self.own_time.store(self.now(), Relaxed);
        self.pondering.store(false, Relaxed);
    }

    /// Has the search been stopped, by a limit or by [`Control::stop`]?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.listen();
        self.state.load(Relaxed) != RUNNING
    }

    /// Was [`Control::stop`] called since the start?
    pub fn told_to_stop(&self) -> bool {
        self.listen();
        self.state.load(Relaxed) == STOPPED
    }

    /// Does what the host says.
    #[inline]
    fn listen(&self) {
        match host::signal() {
            Signal::None => {}
            Signal::Stop => self.stop(),
            Signal::PonderHit if self.pondering() => self.ponder_hit(),
            Signal::PonderHit => {}
        }
    }

    /// Is the search still on the opponent's time?
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Time used of our own: since the start, or since the ponder hit.
    pub fn elapsed(&self) -> Duration {
        self.since(&self.own_time)
    }

    /// Time since the search began, on the opponent's time too: what its nodes took.
    pub fn searched(&self) -> Duration {
        self.since(&self.began)
    }

    fn now(&self) -> u64 {
        host::now().as_micros() as u64
    }

    fn since(&self, begin: &AtomicU64) -> Duration {
        host::now().saturating_sub(Duration::from_micros(begin.load(Relaxed)))
    }
}

/// Reads a number of seconds, with fractions; `None` if it is not a number, or negative. Larger numbers than fit give
/// the longest time.
pub fn seconds(text: &str) -> Option<Duration> {
    let number = text.trim().parse::<f64>().ok().filter(|&number| number >= 0.0)?;
    Some(Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}
