//! What a search reports.

use super::score::{Bound, Score};
use crate::board::Move;

/// What a search has found: a line of play and its score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// The number of the line, from 1 (MultiPV).
    pub multi_pv: usize,
    /// Plies searched in full.
    pub depth: u32,
    /// The longest line searched, in plies (seldepth).
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began, in milliseconds; time to ponder is part of it, as its nodes are.
    pub millis: u64,
    /// Positions that were found in endgame tables.
    pub table_hits: u64,
    /// How full the table is, in permille.
    pub hash_full: u32,
    /// The principal variation, legal moves one after the other; empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl Info {
    /// The best move; `None` if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

/// What a search reports, from its own thread.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A line was found.
    Info(&'a Info),
    /// The search begins with this move at the root. Only reported after a few seconds.
    CurrentMove {
        /// Plies of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: usize,
    },
    /// A search in the background is over, and this is what it found. Comes once, and last.
    Done(&'a Info),
    /// A search in the background panicked: there is only a legal move, if there is one. Comes once, and last.
    Failed(&'a Info),
}

/// Receives what a search reports; `&|_| ()` ignores it.
pub type Listener<'a> = dyn Fn(Event) + Sync + 'a;

/// A listener that receives the lines only.
pub fn each_line(take: impl Fn(&Info) + Sync) -> impl Fn(Event) + Sync {
    move |event| {
        if let Event::Info(info) = event {
            take(info);
        }
    }
}
