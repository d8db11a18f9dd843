//! One searching thread: its position and statistics, and what all kinds of nodes have in common.

use super::history::{Continuation, History};
use super::info::Listener;
use super::limits::{Control, Limits, Settings};
use super::picker::Scored;
use super::score::{Bound, INFINITE, MATE, MATE_BOUND, MAX_PLY, Score};
use super::table::{Entry, Table};
use super::tables::{Endgames, known};
use super::time::Budget;
use crate::board::{Move, SquareSet};
use crate::eval::{Evaluate, Evaluator, Network};
use crate::rules::{Outcome, Position, Reason};
use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A move at the root with its result.
pub(super) struct RootMove {
    pub mv: Move,
    pub score: Score,
    pub pv: Vec<Move>,
    /// Nodes spent on this move in all iterations.
    pub nodes: u64,
}

/// The search stack: what a node leaves for its children and siblings.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub mv: Move,
    /// The row of `mv` in the continuation history.
    pub continuation: Continuation,
    pub eval: Score,
    pub in_check: bool,
    /// Does `mv` take or promote?
    pub noisy: bool,
    pub killers: [Move; 2],
    /// Beta cutoffs of nodes at this ply below the same parent.
    pub cutoffs: u32,
    /// The move that a singular search leaves out.
    pub excluded: Move,
}

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub network: &'a Arc<Network>,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub settings: Settings,
    pub budget: Option<Budget>,
    pub nodes: AtomicU64,
    pub endgames: Option<&'a dyn Endgames>,
    /// The most pieces of a position that is looked up, 0 without endgame tables.
    pub table_limit: u32,
    /// The least depth left at which it is.
    pub table_depth: i32,
    pub table_hits: AtomicU64,
    /// Endgame tables know the result of each move.
    pub settled: bool,
    pub listener: &'a Listener<'a>,
}

pub(super) struct Worker<'a, V: Evaluate> {
    pub pos: Position<V>,
    pub root_moves: Vec<RootMove>,
    /// Root moves before this one are lines of this iteration already (MultiPV).
    pub pv_index: usize,
    pub main: bool,
    pub history: History<'a>,
    pub shared: &'a Shared<'a>,
    pub nodes: u64,
    pub flushed_nodes: u64,
    pub stopped: bool,
    pub selective_depth: usize,
    pub frames: Vec<Frame>,
    pub moves: Vec<Scored>,
    pub pvs: Vec<ArrayVec<Move, MAX_PLY>>,
    pub evaluator: Evaluator<V>,
    /// Iterations since the best move last changed.
    pub stability: u32,
}

/// By depth and number of the move, the product of their natural logarithms, in 1/1024.
pub(super) static LOGARITHMS: Lazy<[[i32; 64]; 64]> = Lazy::new(|| {
    let by = |depth: usize, tried: usize| 1024.0 * (depth as f64).ln() * (tried as f64).ln();
    std::array::from_fn(|depth| std::array::from_fn(|tried| by(depth.max(1), tried.max(1)).round() as i32))
});

/// Nodes between two looks at the clock.
const POLL: u64 = 128;

impl<'a, V: Evaluate> Worker<'a, V> {
    pub fn new(
        pos: &Position<V>,
        root_moves: &[Move],
        id: usize,
        history: History<'a>,
        shared: &'a Shared<'a>,
    ) -> Self {
        let frame = Frame {
            mv: Move::NONE,
            continuation: history.shared.no_continuation(),
            eval: 0,
            in_check: pos.in_check(),
            noisy: false,
            killers: [Move::NONE; 2],
            cutoffs: 0,
            excluded: Move::NONE,
        };
        Worker {
            pos: pos.clone(),
            root_moves: root_moves
                .iter()
                .map(|&mv| RootMove { mv, score: -INFINITE, pv: vec![mv], nodes: 0 })
                .collect(),
            pv_index: 0,
            main: id == 0,
            history,
            shared,
            nodes: 0,
            flushed_nodes: 0,
            stopped: false,
            selective_depth: 0,
            frames: vec![frame; MAX_PLY + 2],
            stability: 0,
            moves: Vec::with_capacity(4096),
            pvs: vec![ArrayVec::new(); MAX_PLY + 1],
            evaluator: Evaluator::new(shared.network),
        }
    }

    /// How much less deep a late move is searched, in plies, by its number after the first.
    #[inline]
    pub fn reduction(&self, depth: i32, tried: usize) -> i32 {
        let margins = &self.shared.settings.margins;
        let product = LOGARITHMS[(depth as usize).min(63)][tried.min(63)];
        (margins.reduction + margins.reduction_slope * product / 1024) / 1024
    }

    pub fn flush_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.flushed_nodes, Relaxed);
        self.flushed_nodes = self.nodes;
    }

    /// Counts a node, and returns whether the search must stop.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        let limit = self.shared.limits.nodes;
        if self.nodes.is_multiple_of(POLL)
            || limit.is_some_and(|limit| {
                self.shared.nodes.load(Relaxed) + self.nodes - self.flushed_nodes >= limit
            })
        {
            self.flush_nodes();
            let control = self.shared.control;
            let late = || match self.shared.budget {
                Some(budget) => !control.pondering() && control.elapsed() >= budget.hard,
                None => false,
            };
            let spent = || limit.is_some_and(|limit| self.shared.nodes.load(Relaxed) >= limit);
            if control.stopped() || late() || spent() {
                self.stopped = true;
            }
        }
        self.stopped
    }

    /// Counts the node at `ply`. Returns its score if it needs no search: the search is stopped, the game is drawn, or the
    /// stack is full.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> Option<Score> {
        self.pvs[ply].clear();
        if self.count_node() {
            return Some(0);
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = self.draw_score(ply) {
            return Some(score);
        }
        (ply >= MAX_PLY - 1).then(|| self.evaluator.evaluate(&self.pos))
    }

    /// The score of the node by endgame tables.
    #[inline]
    pub fn table_score(&self, depth: i32, ply: usize) -> Option<Score> {
        // The first comparison fails without tables.
        if self.shared.table_limit == 0
            || depth < self.shared.table_depth
            || self.pos.occupied().count() > self.shared.table_limit
        {
            return None;
        }
        self.probe_tables(ply)
    }

    #[cold]
    #[inline(never)]
    fn probe_tables(&self, ply: usize) -> Option<Score> {
        let known = known(&self.pos, self.shared.endgames?)?;
        self.shared.table_hits.fetch_add(1, Relaxed);
        known.score(ply, self.pos.halfmove())
    }

    /// The score of a draw by rule at this node, or of a mate, which takes precedence.
    #[inline]
    pub fn draw_score(&self, ply: usize) -> Option<Score> {
        let by_count = |outcome: &Outcome| matches!(outcome.reason, Reason::FiftyMoves | Reason::TenMoves);
        let outcome = self.pos.drawn_by_rule(false)?;
        if by_count(&outcome) && self.pos.in_check() && self.pos.count_moves() == 0 {
            return Some(-MATE + ply as Score);
        }
        // One repetition of a position before the root is not yet a draw.
        if outcome.reason == Reason::Repetition {
            let (times, recent) = self.pos.repetitions(ply);
            if times < 2 && !recent {
                return None;
            }
        }
        Some(0)
    }

    /// Prefetches the table's entries for the position after a move.
    #[inline]
    pub fn prefetch(&self, mv: Move) {
        self.shared.table.prefetch(self.pos.likely_key(mv));
    }

    /// Plays a move and returns whether it gives check.
    #[inline]
    pub fn play(&mut self, mv: Move, noisy: bool, ply: usize) -> bool {
        self.frames[ply].mv = mv;
        self.frames[ply].noisy = noisy;
        self.frames[ply].continuation = self.history.shared.continuation::<V>(self.pos.side(), mv);
        self.pos.play_unchecked(mv);
        self.history.prefetch_correction(&self.pos, self.last_moves(ply + 1));
        let gives_check = self.pos.in_check();
        self.frames[ply + 1].in_check = gives_check;
        gives_check
    }

    /// The frame so many plies before `ply`; `None` before the root.
    #[inline]
    pub fn frame_before(&self, ply: usize, plies: usize) -> Option<&Frame> {
        ply.checked_sub(plies).map(|ply| &self.frames[ply])
    }

    /// The continuation history rows of the last two moves before `ply`, the last one first.
    #[inline]
    pub fn continuations(&self, ply: usize) -> [Continuation; 2] {
        let of = |frame: Option<&Frame>| {
            frame.map_or(self.history.shared.no_continuation(), |frame| frame.continuation)
        };
        [of(self.frame_before(ply, 1)), of(self.frame_before(ply, 2))]
    }

    /// The last two moves before `ply`, the last one first; [`Move::NONE`] before the root.
    #[inline]
    pub fn last_moves(&self, ply: usize) -> [Move; 2] {
        let of = |frame: Option<&Frame>| frame.map_or(Move::NONE, |frame| frame.mv);
        [of(self.frame_before(ply, 1)), of(self.frame_before(ply, 2))]
    }

    /// The static evaluation, from the table if it is known there.
    #[inline]
    pub fn evaluation(&mut self, known: Option<Score>) -> Score {
        known.unwrap_or_else(|| self.evaluator.evaluate(&self.pos))
    }

    /// A static evaluation with its correction, kept below mate scores.
    #[inline]
    pub fn corrected_evaluation(&self, raw: Score, ply: usize) -> Score {
        let correction = self.history.correction(&self.pos, self.last_moves(ply));
        (raw + correction).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    /// Stores the static evaluation of a position that is not in the table. The corrected evaluation `score` is a lower
    /// bound at depth 0, since captures are not forced.
    #[inline]
    pub fn store_evaluation(&self, key: u64, ply: usize, raw: Score, score: Score) {
        let entry = Entry { mv: Move::NONE, score, depth: 0, bound: Bound::Lower, eval: Some(raw) };
        self.shared.table.store(key, ply, entry);
    }

    pub fn update_pv(&mut self, mv: Move, ply: usize) {
        let (above, below) = self.pvs.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        for &next in &below[0] {
            if line.try_push(next).is_err() {
                break;
            }
        }
    }
}
