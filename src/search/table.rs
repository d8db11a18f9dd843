//! The transposition table, shared between threads without locks.
//!
//! An entry is two words, the key xored with the data and the data; words of different writers do not match and read as
//! absent (Hyatt and Mann, A Lockless Transposition Table Implementation for Parallel Search, 2002).

use super::score::{MATE_BOUND, Score};
use crate::board::Move;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// It is the true score.
    Exact = 3,
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or [`Move::NONE`].
    pub mv: Move,
    /// The score, mates counted from the position itself.
    pub score: Score,
    /// Plies searched below.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

const SLOTS: usize = 4;

/// The table: clusters of four entries, the least useful of which gives way.
pub struct Table {
    entries: Vec<[AtomicU64; 2]>,
    clusters: u64,
    generation: AtomicU8,
}

// Data, from the lowest bit: move 32, score 16, depth 8, generation 6, bound 2.
fn pack(entry: Entry, generation: u8) -> u64 {
    u64::from(entry.mv.bits())
        | u64::from(entry.score as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | u64::from(generation & 63) << 56
        | (entry.bound as u64) << 62
}

fn unpack(data: u64) -> Option<Entry> {
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
    })
}

impl Table {
    /// A table of `mib` mebibytes, at least one cluster.
    pub fn new(mib: usize) -> Table {
        Table::try_new(mib).expect("memory for the table")
    }

    /// [`Table::new`], or `None` if there is not so much memory.
    pub fn try_new(mib: usize) -> Option<Table> {
        let clusters = ((mib << 20) / (16 * SLOTS)).max(1);
        let entries = bytemuck::try_zeroed_vec(clusters * SLOTS).ok()?;
        Some(Table { entries, clusters: clusters as u64, generation: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in &self.entries {
            entry[0].store(0, Relaxed);
            entry[1].store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// A new search begins: what older ones stored may be replaced first.
    pub fn new_search(&self) {
        self.generation.store(self.generation.load(Relaxed).wrapping_add(1) & 63, Relaxed);
    }

    fn cluster(&self, key: u64) -> &[[AtomicU64; 2]] {
        let at = ((u128::from(key) * u128::from(self.clusters)) >> 64) as usize * SLOTS;
        &self.entries[at..at + SLOTS]
    }

    /// What is known about the position with this key, `ply` plies below the root.
    #[inline]
    pub fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.cluster(key) {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key {
                let mut entry = unpack(data)?;
                entry.score = from_table(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores an entry. An entry of the same position keeps its move if the new one has none.
    pub fn put(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let cluster = self.cluster(key);
        let worth = |data: u64| {
            let age = generation.wrapping_sub((data >> 56) as u8 & 63) & 63;
            i32::from((data >> 48) as u8) - 4 * i32::from(age) - if data == 0 { 1000 } else { 0 }
        };
        let mut victim = &cluster[0];
        for slot in cluster {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key {
                if let Some(old) = unpack(data) {
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
            if worth(data) < worth(victim[1].load(Relaxed)) {
                victim = slot;
            }
        }
        entry.score = to_table(entry.score, ply);
        let data = pack(entry, generation);
        victim[0].store(key ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// How much of the table this search has filled, in permille, from a sample.
    pub fn full(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.entries.len().min(1000);
        let used = |entry: &&[AtomicU64; 2]| {
            let data = entry[1].load(Relaxed);
            data != 0 && (data >> 56) as u8 & 63 == generation
        };
        (self.entries[..sample].iter().filter(used).count() * 1000 / sample) as u32
    }
}

// A mate score counts from the root while searching, but from the position itself in the table.
fn to_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s + ply as Score,
        s if s <= -MATE_BOUND => s - ply as Score,
        s => s,
    }
}

fn from_table(score: Score, ply: usize) -> Score {
    match score {
        s if s >= MATE_BOUND => s - ply as Score,
        s if s <= -MATE_BOUND => s + ply as Score,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn entries_come_back_and_mates_are_relative() {
        let table = Table::new(1);
        let entry =
            Entry { mv: Move::from_bits(0xdead_beef), score: MATE - 5, depth: 17, bound: Bound::Lower };
        table.put(42, 3, entry);
        assert_eq!(table.get(42, 3), Some(entry));
        assert_eq!(table.get(42, 5).unwrap().score, MATE - 7);
        assert_eq!(table.get(43, 3), None);
        table.put(42, 3, Entry { mv: Move::NONE, score: -7, depth: 18, bound: Bound::Upper });
        assert_eq!(table.get(42, 0).unwrap().mv, entry.mv);
        table.clear();
        assert_eq!(table.get(42, 3), None);
    }
}
