//! What a search tells.

use super::score::{Bound, Score};
use crate::board::Move;

/// What a search has found: a line of play and its score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Which of the best lines, from 1.
    pub multi_pv: usize,
    /// Plies searched in full.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// What the score says about the true one.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used, in milliseconds.
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

/// Who hears of a running search. Called from the thread that searches.
pub trait Listener: Sync {
    /// A line was found.
    fn info(&self, _info: &Info) {}

    /// After a while: the move of this number, from 1, is about to be searched at the root.
    fn current_move(&self, _depth: u32, _mv: Move, _number: usize) {}
}

/// Nobody.
impl Listener for () {}

/// A function hears of the lines only.
impl<F: Fn(&Info) + Sync> Listener for F {
    fn info(&self, info: &Info) {
        self(info);
    }
}
