//! Search with several threads that share the transposition table (lazy SMP).

use super::history::History;
use super::info::{Event, Info, Listener};
use super::limits::{Control, Limits, Settings};
use super::picker;
use super::score::MATE;
use super::table::{Table, available};
use super::tables::{Endgames, UseOfTables};
use super::time::budget;
use super::worker::{Shared, Worker};
use crate::board::Move;
use crate::eval::{Evaluate, Network};
use crate::rules::Position;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is kept from search to search: the transposition table, each thread's statistics, the network, if it is not the
/// program's, and endgame tables.
pub struct Memory {
    pub(super) table: Table,
    histories: Mutex<Vec<History>>,
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
        self.lock().clear();
    }

    /// Allocates what a search of game `V` with so many threads needs, so that it does not begin with that. Must not be
    /// called during a search.
    pub fn prepare<V: Evaluate>(&self, threads: usize) {
        V::network_or(self.own_network().as_ref());
        self.table.map_pages();
        let mut histories = self.lock();
        let new = provide::<V>(&mut histories, threads);
        let at_once = (MAPPED_AT_ONCE / History::bytes::<V>()).max(1);
        new.iter_mut().take(at_once).for_each(History::map_pages);
    }

    /// Is there memory for the statistics of so many threads in game `V`, beside those that there are already?
    pub fn has_room<V: Evaluate>(&self, threads: usize) -> bool {
        let missing = threads - self.lock().iter().filter(|history| history.fits::<V>()).count().min(threads);
        missing <= room::<V>(missing)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<History>> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Statistics whose pages are mapped before a search begins, in bytes. More would take too long, and those of further
/// threads are mapped by these threads.
const MAPPED_AT_ONCE: usize = 64 << 20;

/// For how many of `wanted` threads more there is memory.
fn room<V: Evaluate>(wanted: usize) -> usize {
    // To ask the system takes a moment.
    if wanted == 0 { 0 } else { wanted.min((available() / History::bytes::<V>() as u64) as usize) }
}

/// Provides each of the threads with statistics for game `V`: those that fit it, and new ones, which are returned. If
/// there is not enough memory, it provides fewer threads, but at least one.
fn provide<V: Evaluate>(histories: &mut Vec<History>, threads: usize) -> &mut [History] {
    histories.retain(History::fits::<V>);
    let kept = histories.len().min(threads);
    let threads = (kept + room::<V>(threads - kept)).max(1);
    histories.resize_with(threads, History::new::<V>);
    &mut histories[kept..]
}

/// Stack of a thread that searches deep: frames are small, but debug builds are wasteful.
pub const STACK: usize = 64 << 20;

/// Finds the best move; `listener` receives the lines. Returns when a limit is reached or `control` is stopped; an
/// infinite or pondering search waits to be stopped even when it has finished, but not where there are no threads, and the
/// host, which could not go on meanwhile, has to wait itself.
pub fn find_best<V: Evaluate>(
    pos: &Position<V>,
    limits: &Limits,
    settings: Settings,
    memory: &Memory,
    control: &Control,
    listener: &Listener,
) -> Info {
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
    provide::<V>(&mut histories, threads);
    let (own, helping) = histories.split_first_mut().expect("statistics of one thread at least");
    let best = std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for (id, history) in (1..).zip(helping) {
            let work = move || Worker::new(pos, root_moves, id, history, shared).run();
            let thread = std::thread::Builder::new().stack_size(STACK).name(format!("search {id}"));
            match thread.spawn_scoped(scope, work) {
                Ok(handle) => helpers.push(handle),
                Err(_) => break,
            }
        }
        let best = catch_unwind(AssertUnwindSafe(|| Worker::new(pos, root_moves, 0, own, shared).run()));
        if best.is_err() {
            // Stop the helpers, which have no limits of their own.
            shared.control.finish();
        }
        // A panic of a helper does no harm.
        helpers.into_iter().for_each(|handle| drop(handle.join()));
        best.unwrap_or_else(|panic| resume_unwind(panic))
    });
    *memory.lock() = histories;
    Info { nodes: shared.nodes.load(Relaxed), ..best }
}
