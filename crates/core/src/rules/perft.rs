//! Counting the paths of legal moves of a given length, draws by rule ignored.

use super::{Position, Variant};
use crate::board::{Move, MoveList};
use std::collections::TryReserveError;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of sequences of `depth` legal moves. Bulk counting: at the last ply moves are counted, not made.
///
/// ```
/// use quintain::rules::{Position, perft::perft};
/// use quintain::variants::chess::Chess;
///
/// assert_eq!(perft(&mut Position::<Chess>::default(), 3), 8902);
/// ```
pub fn perft<V: Variant>(pos: &mut Position<V>, depth: u32) -> u64 {
    if depth <= 1 {
        return if depth == 0 { 1 } else { pos.count_moves() };
    }
    let mut nodes = 0;
    let mut moves = MoveList::new();
    pos.list(&mut moves);
    for &mv in &moves {
        pos.play_unchecked(mv);
        nodes += perft(pos, depth - 1);
        pos.undo(mv);
    }
    nodes
}

/// [`perft`] that lists the moves of the last ply too, to measure a generator that cannot count without listing.
pub fn perft_listed<V: Variant>(pos: &mut Position<V>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    pos.list(&mut moves);
    if depth == 1 {
        // Keeps the compiler from removing the list.
        return black_box(&moves).len() as u64;
    }
    let mut nodes = 0;
    for &mv in &moves {
        pos.play_unchecked(mv);
        nodes += perft_listed(pos, depth - 1);
        pos.undo(mv);
    }
    nodes
}

/// A table of counts already found, shared between threads without locks: an entry whose two words do not
/// match reads as absent (Hyatt and Mann, A Lockless Transposition Table Implementation, 2002).
///
/// Keys are 64 bits, so a wrong count is possible in principle; only the plain [`perft`] is certain.
pub struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

impl PerftTable {
    /// A table of `mib` mebibytes, at least one entry. Fails if there is not enough memory.
    pub fn new(mib: usize) -> Result<Self, TryReserveError> {
        let size = (mib.saturating_mul(1 << 20) / size_of::<[AtomicU64; 2]>()).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(size)?;
        entries.resize_with(size, Default::default);
        Ok(PerftTable { entries })
    }

    fn slot(&self, key: u64, depth: u32) -> (&[AtomicU64; 2], u64) {
        let key = key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (&self.entries[((u128::from(key) * self.entries.len() as u128) >> 64) as usize], key)
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let (slot, key) = self.slot(key, depth);
        let nodes = slot[1].load(Relaxed);
        (nodes != 0 && slot[0].load(Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn put(&self, key: u64, depth: u32, nodes: u64) {
        let (slot, key) = self.slot(key, depth);
        slot[0].store(key ^ nodes, Relaxed);
        slot[1].store(nodes, Relaxed);
    }
}

/// [`perft`] that remembers counts in `table`.
pub fn perft_hashed<V: Variant>(pos: &mut Position<V>, depth: u32, table: &PerftTable) -> u64 {
    if depth <= 1 {
        return perft(pos, depth);
    }
    // The key leaves out an en-passant square where no capture is legal, and the fifty-move count: neither changes a
    // count.
    if let Some(nodes) = table.get(pos.key(), depth) {
        return nodes;
    }
    let mut nodes = 0;
    let mut moves = MoveList::new();
    pos.list(&mut moves);
    for &mv in &moves {
        pos.play_unchecked(mv);
        nodes += perft_hashed(pos, depth - 1, table);
        pos.undo(mv);
    }
    table.put(pos.key(), depth, nodes);
    nodes
}

/// [`perft`] that ends early, with a meaningless number, once `stop` returns true.
pub fn perft_until<V: Variant>(pos: &mut Position<V>, depth: u32, stop: &dyn Fn() -> bool) -> u64 {
    /// A count of this depth is not worth interrupting.
    const UNINTERRUPTED: u32 = 3;
    if depth <= UNINTERRUPTED {
        return perft(pos, depth);
    }
    let mut nodes = 0;
    for mv in pos.legal_moves() {
        if stop() {
            break;
        }
        pos.play_unchecked(mv);
        nodes += perft_until(pos, depth - 1, stop);
        pos.undo(mv);
    }
    nodes
}

/// A way to count. All of them give the same numbers.
#[derive(Clone, Copy, Default)]
pub enum Counting<'a> {
    /// [`perft`]: the moves of the last ply are counted as a set.
    #[default]
    Bulk,
    /// [`perft_listed`]: they are listed.
    Listed,
    /// [`perft_hashed`] with this table.
    Hashed(&'a PerftTable),
    /// [`perft_until`] this returns true.
    Until(&'a (dyn Fn() -> bool + Sync)),
}

impl Counting<'_> {
    /// The number of sequences of `depth` legal moves, counted this way.
    pub fn count<V: Variant>(self, pos: &mut Position<V>, depth: u32) -> u64 {
        match self {
            Counting::Bulk => perft(pos, depth),
            Counting::Listed => perft_listed(pos, depth),
            Counting::Hashed(table) => perft_hashed(pos, depth, table),
            Counting::Until(stop) => perft_until(pos, depth, stop),
        }
    }
}

/// The number of sequences of `depth` moves, by what [`divide`] found below each move.
pub fn total<M>(depth: u32, counts: &[(M, u64)]) -> u64 {
    // The empty sequence is below no move.
    if depth == 0 { 1 } else { counts.iter().map(|count| count.1).sum() }
}

/// Runs `work` on so many threads, this one included, until all return. Dynamic, so that it is compiled only once.
pub fn in_parallel(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

/// The count below each legal move, in generation order, with `threads` threads taking moves in turn.
///
/// `on_move` is called, from any thread, as each move is done.
pub fn divide<V: Variant>(
    pos: &Position<V>,
    depth: u32,
    threads: usize,
    counting: Counting,
    on_move: &(dyn Fn(Move, u64) + Sync),
) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = pos.legal_moves();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicU64::new(0);
    let work = || {
        let mut pos = pos.clone();
        loop {
            let i = next.fetch_add(1, Relaxed) as usize;
            let Some(&mv) = moves.get(i) else { return };
            pos.play_unchecked(mv);
            let nodes = counting.count(&mut pos, depth - 1);
            pos.undo(mv);
            counts[i].store(nodes, Relaxed);
            on_move(mv, nodes);
        }
    };
    in_parallel(threads, &work);
    moves.iter().zip(&counts).map(|(&mv, count)| (mv, count.load(Relaxed))).collect()
}
