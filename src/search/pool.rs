//! Searching with several threads that share the table (lazy SMP), and telling what they find.

use super::history::History;
use super::limits::{Control, Limits};
use super::picker;
use super::score::{MATE, MAX_PLY, Score};
use super::table::Table;
use super::time::{Budget, budget};
use super::worker::Worker;
use crate::board::Move;
use crate::eval::Evaluate;
use crate::rules::Position;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What lasts from search to search: the table, and each thread's statistics.
pub struct Memory {
    pub(super) table: Table,
    histories: Mutex<Vec<History>>,
}

impl Memory {
    /// A table of `mib` mebibytes and no experience.
    pub fn new(mib: usize) -> Memory {
        Memory { table: Table::new(mib), histories: Mutex::new(Vec::new()) }
    }

    /// [`Memory::new`], or `None` if there is not so much memory.
    pub fn try_new(mib: usize) -> Option<Memory> {
        Some(Memory { table: Table::try_new(mib)?, histories: Mutex::new(Vec::new()) })
    }

    /// Forgets everything, as for a new game. Not to be called while a search runs.
    pub fn clear(&self) {
        self.table.clear();
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<History>> {
        self.histories.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
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

/// A line found by the search.
#[derive(Clone, Debug)]
pub struct Line {
    /// Which of the best lines, from 1.
    pub multi_pv: usize,
    /// Plies searched in full.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The true score is at least this.
    pub lower_bound: bool,
    /// The true score is at most this.
    pub upper_bound: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used, in milliseconds.
    pub millis: u64,
    /// How full the table is, in permille.
    pub hash_full: u32,
    /// The moves, legal one after the other.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Best {
    /// The best line; empty only if there is no legal move.
    pub pv: Vec<Move>,
    /// Its score for the side to move.
    pub score: Score,
    /// Plies searched in full.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub settings: Settings,
    pub budget: Option<Budget>,
    pub nodes: AtomicU64,
    pub report: &'a (dyn Fn(&Line) + Sync),
}

/// Stack of a searching thread: frames are small, but debug builds are wasteful.
const STACK: usize = 64 << 20;

/// Finds the best move. `allowed` restricts the moves at the root (empty: all). Returns when a limit is reached or
/// `control` says stop; an infinite or pondering search waits for that even when there is nothing left to do.
pub fn think<V: Evaluate>(
    pos: &Position<V>,
    limits: &Limits,
    allowed: &[Move],
    settings: Settings,
    memory: &Memory,
    control: &Control,
    report: &(dyn Fn(&Line) + Sync),
) -> Best {
    let mut roots = picker::ordered(pos);
    if roots.iter().any(|mv| allowed.contains(mv)) {
        roots.retain(|mv| allowed.contains(mv));
    }
    let shared = Shared {
        table: &memory.table,
        control,
        limits,
        settings,
        budget: budget(limits, settings.overhead),
        nodes: AtomicU64::new(0),
        report,
    };
    let best = if roots.is_empty() {
        let score = if pos.in_check() { -MATE } else { 0 };
        let end = Line {
            multi_pv: 1,
            depth: 0,
            selective_depth: 0,
            score,
            lower_bound: false,
            upper_bound: false,
            nodes: 0,
            millis: 0,
            hash_full: 0,
            pv: Vec::new(),
        };
        report(&end);
        Best { score, ..Best::default() }
    } else {
        memory.table.new_search();
        search(pos, &roots, memory, &shared)
    };
    while (limits.infinite || control.pondering()) && !control.stopped() {
        std::thread::sleep(Duration::from_millis(1));
    }
    best
}

fn search<V: Evaluate>(pos: &Position<V>, roots: &[Move], memory: &Memory, shared: &Shared) -> Best {
    let threads = shared.settings.threads.max(1);
    let mut histories = std::mem::take(&mut *memory.lock());
    histories.retain(History::fits::<V>);
    histories.resize_with(threads, History::new::<V>);
    let best = std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (id, history) in histories.iter_mut().enumerate() {
            let work = move || Worker::new(pos, roots, id, history, shared).run();
            let thread = std::thread::Builder::new().stack_size(STACK).name(format!("search {id}"));
            match thread.spawn_scoped(scope, work) {
                Ok(handle) => running.push(handle),
                // Without the first thread there is no search; the others only help.
                Err(error) if id == 0 => panic!("cannot start a thread: {error}"),
                Err(_) => break,
            }
        }
        let mut running = running.into_iter();
        let first = running.next().map(|handle| handle.join());
        if matches!(first, Some(Err(_))) {
            // Nobody else would end the helpers.
            shared.control.finish();
        }
        // A helper that panicked has only helped less.
        running.for_each(|handle| drop(handle.join()));
        match first.expect("the first thread") {
            Ok(best) => best,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    *memory.lock() = histories;
    Best { nodes: shared.nodes.load(Relaxed), ..best }
}

/// The deepest iteration.
pub(super) const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
