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

/// Receives the reports of a running search. Called from the searching thread.
pub trait Listener: Sync {
    /// A line was found.
    fn info(&self, _info: &Info) {}

    /// In long searches: the root move with this number, from 1, is searched now.
    fn current_move(&self, _depth: u32, _mv: Move, _number: usize) {}
}

/// Ignores all reports.
impl Listener for () {}

/// A function receives the lines only.
impl<F: Fn(&Info) + Sync> Listener for F {
    fn info(&self, info: &Info) {
        self(info);
    }
}
