//! The transposition table, shared between threads without locks.
//!
//! An entry is two words, the key xored with the data, and the data. Words written by different threads do not match and
//! count as a miss (Hyatt and Mann, A Lockless Transposition Table Implementation for Parallel Search, 2002). The low 16 bits of
//! the first word hold the evaluation; the cluster is picked by the low half of the key, so that the 48 bits that are
//! compared say something else.

mod memory;

use super::score::{Bound, MATE_BOUND, Score};
use crate::board::Move;
use memory::Clusters;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or [`Move::NONE`].
    pub mv: Move,
    /// The score, mates counted from the position itself.
    pub score: Score,
    /// Plies searched below.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The evaluation before any search, if the position has one.
    pub eval: Option<Score>,
}

impl Entry {
    /// Does the score cut off a search with this window?
    #[inline]
    pub fn causes_cutoff(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Is the score a better estimate than this evaluation?
    #[inline]
    pub fn is_better_estimate(&self, eval: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        }
    }
}

const SLOTS: usize = 4;

/// Entries that are loaded together: one cache line.
#[derive(Default)]
#[repr(C, align(64))]
struct Cluster([[AtomicU64; 2]; SLOTS]);

/// The table: clusters of four entries; the least useful one is replaced.
pub struct Table {
    clusters: Clusters,
    /// How many searches began since the table was cleared. If none, it is still empty.
    searches: AtomicU32,
}

// Data, from the lowest bit: move 32, score 16, depth 8, generation 6, bound 2.
#[inline]
fn pack(entry: Entry, generation: u8) -> u64 {
    u64::from(entry.mv.bits())
        | u64::from(entry.score as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | u64::from(generation) << 56
        | (entry.bound as u64) << 62
}

const KEY_BITS: u64 = !0xffff;
/// Stands for no evaluation.
const NO_EVAL: i16 = i16::MIN;

#[inline]
fn unpack(data: u64, eval: i16) -> Option<Entry> {
    let bound = match data >> 62 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        mv: Move::from_bits(data as u32),
        score: Score::from((data >> 32) as u16 as i16),
        depth: i32::from((data >> 48) as u8),
        bound,
        eval: (eval != NO_EVAL).then_some(eval.into()),
    })
}

/// Begins to load the cache line in which a value begins.
#[inline]
#[allow(unsafe_code)]
pub(super) fn prefetch<T: ?Sized>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, and SSE belongs to every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(value).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

impl Table {
    /// A table of `mib` mebibytes, at least one cluster.
    pub fn new(mib: usize) -> Table {
        Table::try_new(mib).expect("memory for the table")
    }

    /// [`Table::new`], or `None` if there is not so much memory.
    pub fn try_new(mib: usize) -> Option<Table> {
        // The index of a cluster has 32 bits.
        let count = (((mib as u64) << 20) / size_of::<Cluster>() as u64).clamp(1, u32::MAX.into());
        let clusters = Clusters::try_new(usize::try_from(count).ok()?)?;
        Some(Table { clusters, searches: AtomicU32::new(0) })
    }

    /// Maps the pages of a table that has not been used, so that a search need not wait for each. A large table stays as
    /// it is, for that could take seconds.
    pub fn map_pages(&self) {
        if self.searches.load(Relaxed) == 0 {
            self.clusters.map_pages();
        }
    }

    /// Clears the table, if it has been used. Must not be called during a search.
    pub fn clear(&self) {
        if self.searches.load(Relaxed) > 0 && !self.clusters.drop_pages() {
            for entry in self.clusters.as_slice().iter().flat_map(|cluster| &cluster.0) {
                entry[0].store(0, Relaxed);
                entry[1].store(0, Relaxed);
            }
        }
        self.searches.store(0, Relaxed);
    }

    /// Starts a new generation: entries of older searches are replaced first. Must be called before the first entry.
    pub fn new_search(&self) {
        self.searches.fetch_add(1, Relaxed);
    }

    /// The generation of the search, in six bits.
    #[inline]
    fn generation(&self) -> u8 {
        self.searches.load(Relaxed) as u8 & 63
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[[AtomicU64; 2]] {
        let clusters = self.clusters.as_slice();
        &clusters[(((key & 0xffff_ffff) * clusters.len() as u64) >> 32) as usize].0
    }

    /// Prefetches the cluster of this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// The entry of the position with this key, `ply` plies below the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.cluster(key) {
            let data = slot[1].load(Relaxed);
            let found = slot[0].load(Relaxed) ^ data;
            if found & KEY_BITS == key & KEY_BITS {
                let mut entry = unpack(data, found as i16)?;
                entry.score = from_table(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry. An entry of the same position keeps its move if the new one has none.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation();
        let cluster = self.cluster(key);
        let replacement_value = |data: u64| {
            let age = generation.wrapping_sub((data >> 56) as u8 & 63) & 63;
            i32::from((data >> 48) as u8) - 4 * i32::from(age) - if data == 0 { 1000 } else { 0 }
        };
        let mut victim = &cluster[0];
        for slot in cluster {
            let data = slot[1].load(Relaxed);
            let found = slot[0].load(Relaxed) ^ data;
            if found & KEY_BITS == key & KEY_BITS {
                if let Some(old) = unpack(data, found as i16) {
                    if !entry.mv.is_some() {
                        entry.mv = old.mv;
                    }
                    let fresh = (data >> 56) as u8 & 63 == generation;
                    if entry.bound != Bound::Exact && fresh && old.depth > entry.depth + 3 {
                        return;
                    }
                }
                victim = slot;
                break;
            }
            if replacement_value(data) < replacement_value(victim[1].load(Relaxed)) {
                victim = slot;
            }
        }
        entry.score = to_table(entry.score, ply);
        let data = pack(entry, generation);
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
        victim[0].store((key & KEY_BITS | u64::from(eval)) ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// How much of the table this search has filled, in permille, from a sample.
    pub fn hash_full(&self) -> u32 {
        let generation = self.generation();
        let clusters = self.clusters.as_slice();
        let sample = clusters.len().min(250);
        let used = |entry: &&[AtomicU64; 2]| {
            let data = entry[1].load(Relaxed);
            data != 0 && (data >> 56) as u8 & 63 == generation
        };
        let entries = clusters[..sample].iter().flat_map(|cluster| &cluster.0);
        (entries.filter(used).count() * 1000 / (SLOTS * sample)) as u32
    }
}

// A mate score counts from the root while searching, but from the position itself in the table.
#[inline]
fn to_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s + ply as Score,
        s if s <= -MATE_BOUND => s - ply as Score,
        s => s,
    }
}

#[inline]
fn from_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s - ply as Score,
        s if s <= -MATE_BOUND => s + ply as Score,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::memory::available;
    use super::*;
    use crate::search::MATE;

    #[test]
    fn a_table_beyond_the_memory_is_refused_and_a_large_one_is_cleared_at_once() {
        assert!(Table::try_new((available() >> 20) as usize * 2).is_none());
        let table = Table::new(64);
        let (mv, bound) = (Move::from_bits(1), Bound::Exact);
        for key in [0, 1 << 31 | 1 << 40, u64::MAX] {
            table.new_search();
            table.store(key, 0, Entry { mv, score: 1, depth: 1, bound, eval: None });
            assert!(table.probe(key, 0).is_some());
            table.clear();
            assert_eq!(table.probe(key, 0), None);
        }
    }

    #[test]
    fn entries_come_back_and_mates_are_relative() {
        let table = Table::new(1);
        table.new_search();
        let entry = Entry {
            mv: Move::from_bits(0xdead_beef),
            score: MATE - 5,
            depth: 17,
            bound: Bound::Lower,
            eval: Some(-321),
        };
        let key = 42 << 32;
        table.store(key, 3, entry);
        assert_eq!(table.probe(key, 3), Some(entry));
        assert_eq!(table.probe(key, 5).unwrap().score, MATE - 7);
        assert_eq!(table.probe(43 << 32, 3), None);
        let later = Entry { mv: Move::NONE, score: -7, depth: 18, bound: Bound::Upper, eval: None };
        table.store(key, 3, later);
        assert_eq!(table.probe(key, 0), Some(Entry { mv: entry.mv, ..later }));
        table.clear();
        assert_eq!(table.probe(key, 3), None);
    }
}
