//! Search with several threads that share the transposition table (lazy SMP).

use super::history::{History, OwnHistory, SharedHistory};
use super::info::{Event, Info, Listener};
use super::limits::{Control, Limits, Settings};
use super::picker;
use super::score::MATE;
use super::table::Table;
use super::tables::{Endgames, UseOfTables};
use super::time::budget;
use super::worker::{LOGARITHMS, Shared, Worker};
use crate::board::Move;
use crate::eval::{Evaluate, Network};
use crate::host;
use crate::rules::Position;
use once_cell::sync::Lazy;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is kept from search to search: the transposition table, the statistics, the network, if it is not the program's, and
/// endgame tables.
pub struct Memory {
    pub(super) table: Table,
    histories: Mutex<Histories>,
    network: Mutex<Option<Arc<Network>>>,
    endgames: Mutex<Option<Arc<dyn Endgames>>>,
}

impl Memory {
    /// A table of `mib` mebibytes and empty statistics.
    pub fn new(mib: usize) -> Memory {
        Memory::with(Table::new(mib))
    }

    /// [`Memory::new`], or `None` if there is not so much memory.
    pub fn try_new(mib: usize) -> Option<Memory> {
        Some(Memory::with(Table::try_new(mib)?))
    }

    fn with(table: Table) -> Memory {
        Memory { table, histories: Mutex::default(), network: Mutex::default(), endgames: Mutex::default() }
    }

    /// Searches use these endgame tables, which must be of their game.
    pub fn set_endgames(&self, endgames: Option<Arc<dyn Endgames>>) {
        *self.endgames.lock().unwrap_or_else(PoisonError::into_inner) = endgames;
    }

    /// The endgame tables of [`Memory::set_endgames`].
    pub fn endgames(&self) -> Option<Arc<dyn Endgames>> {
        self.endgames.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Searches of this network's game use it instead of the program's; `None` goes back to that.
    pub fn set_network(&self, network: Option<Arc<Network>>) {
        *self.network.lock().unwrap_or_else(PoisonError::into_inner) = network;
    }

    /// The network of [`Memory::set_network`].
    pub fn own_network(&self) -> Option<Arc<Network>> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Clears table and statistics, as for a new game. Must not be called during a search.
    pub fn clear(&self) {
        self.table.clear();
        *self.lock() = Histories::default();
    }

    /// Allocates what a search of game `V` with so many threads needs, so that it does not begin with that. Must not be
    /// called during a search.
    pub fn prepare<V: Evaluate>(&self, threads: usize) {
        V::network_or(self.own_network().as_ref());
        self.table.map_pages();
        self.lock().provide::<V>(threads);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Histories> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The statistics of all threads.
#[derive(Default)]
struct Histories {
    shared: Option<SharedHistory>,
    own: Vec<OwnHistory>,
}

impl Histories {
    /// Provides each of the threads with statistics for game `V`; those that are there for it stay.
    fn provide<V: Evaluate>(&mut self, threads: usize) -> (&SharedHistory, &mut [OwnHistory]) {
        if !self.shared.as_ref().is_some_and(SharedHistory::fits::<V>) {
            *self = Histories::default();
        }
        self.own.resize_with(threads, OwnHistory::default);
        (self.shared.get_or_insert_with(SharedHistory::new::<V>), &mut self.own)
    }
}

/// Stack of a thread that searches deep: frames are small, but debug builds are wasteful.
pub const STACK: usize = 64 << 20;

/// A search that is wanted.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// What ends it.
    pub limits: &'a Limits,
    /// How to search.
    pub settings: Settings,
    /// What it knows from earlier searches, and keeps for later ones.
    pub memory: &'a Memory,
    /// Stops it; it was started with the same limits.
    pub control: &'a Control,
    /// Receives the lines.
    pub listener: &'a Listener<'a>,
}

impl<'a> Search<'a> {
    /// With the default settings, and without a listener.
    pub fn new(limits: &'a Limits, memory: &'a Memory, control: &'a Control) -> Search<'a> {
        Search { limits, settings: Settings::default(), memory, control, listener: &|_| () }
    }
}

/// Finds the best move. Returns when a limit is reached or the control is stopped; an infinite or pondering search waits
/// to be stopped even when it has finished, but not where there are no threads, and the host, which could not go on
/// meanwhile, has to wait itself.
pub fn find_best<V: Evaluate>(pos: &Position<V>, search: &Search) -> Info {
    let &Search { limits, settings, memory, control, listener } = search;
    let mut root_moves = picker::ordered_root_moves(pos);
    let allowed = &limits.search_moves;
    if root_moves.iter().any(|mv| allowed.contains(mv)) {
        root_moves.retain(|mv| allowed.contains(mv));
    }
    let own = memory.own_network();
    let endgames = memory.endgames().filter(|_| settings.table_limit > 0);
    let endgames = endgames.as_deref();
    let UseOfTables { limit: table_limit, depth: table_depth, settled, drawn } =
        UseOfTables::of(pos, &mut root_moves, settings, endgames);
    let as_draw = |info: &Info| Info { score: 0, ..info.clone() };
    let told = |event: Event| match event {
        Event::Info(info) if drawn => listener(Event::Info(&as_draw(info))),
        event => listener(event),
    };
    let listener: &Listener = &told;
    let shared = Shared {
        table: &memory.table,
        network: V::network_or(own.as_ref()),
        control,
        limits,
        settings,
        budget: budget(limits, settings.overhead),
        nodes: AtomicU64::new(0),
        endgames,
        table_limit,
        table_depth,
        table_hits: AtomicU64::new(0),
        settled,
        listener,
    };
    let best = if root_moves.is_empty() {
        let score = if pos.in_check() { -MATE } else { 0 };
        let end = Info { multi_pv: 1, score, ..Info::default() };
        listener(Event::Info(&end));
        end
    } else {
        memory.table.new_search();
        run_threads(pos, &root_moves, memory, &shared)
    };
    let waits = cfg!(not(target_family = "wasm"));
    while waits && (limits.infinite || control.pondering()) && !control.stopped() {
        std::thread::sleep(Duration::from_millis(1));
    }
    if drawn { as_draw(&best) } else { best }
}

/// Searches in all threads, of which this is the first.
fn run_threads<V: Evaluate>(
    pos: &Position<V>,
    root_moves: &[Move],
    memory: &Memory,
    shared: &Shared,
) -> Info {
    let threads = shared.settings.threads.max(1);
    let mut histories = std::mem::take(&mut *memory.lock());
    let (shared_history, own) = histories.provide::<V>(threads);
    let mut own = own.iter_mut().map(|own| History { own, shared: shared_history });
    let first = own.next().expect("statistics of one thread at least");
    // If threads waited for one that makes it, Node 20 would wait for ever, by a fault of its first compiler.
    Lazy::force(&LOGARITHMS);
    let helpers = (1..).zip(own).map(|(id, history)| {
        move || {
            Worker::new(pos, root_moves, id, history, shared).run();
        }
    });
    let best = host::beside(STACK, helpers, || {
        let best = catch_unwind(AssertUnwindSafe(|| Worker::new(pos, root_moves, 0, first, shared).run()));
        if best.is_err() {
            // Stop the helpers, which have no limits of their own.
            shared.control.finish();
        }
        best
    });
    let best = best.unwrap_or_else(|panic| resume_unwind(panic));
    *memory.lock() = histories;
    Info { nodes: shared.nodes.load(Relaxed), ..best }
}
