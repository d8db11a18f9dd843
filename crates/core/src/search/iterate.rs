//! Iterative deepening with aspiration windows: searches the root deeper and deeper until a limit is reached.

use super::info::{Event, Info};
use super::score::{Bound, INFINITE, MATE_BOUND, MAX_PLY, Score, moves_to_mate};
use super::tables;
use super::worker::{RootMove, Worker};
use crate::board::Move;
use crate::eval::Evaluate;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The deepest iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// After so much time bounds and the current move are reported too.
const LONG: Duration = Duration::from_secs(3);

/// The best score first; moves without a score keep their order. Not generic, so that the sort is compiled once.
fn sort(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|root| std::cmp::Reverse(root.score));
}

/// The lines that were found last, then those `before` with other first moves: at most so many, numbered anew.
fn ranked(found: Vec<Info>, before: Vec<Info>, most: usize) -> Vec<Info> {
    let firsts: Vec<Move> = found.iter().map(|info| info.pv[0]).collect();
    let others = before.into_iter().filter(|info| !firsts.contains(&info.pv[0]));
    let lines = found.into_iter().chain(others).take(most);
    lines.enumerate().map(|(line, info)| Info { multi_pv: line + 1, ..info }).collect()
}

impl<V: Evaluate> Worker<'_, V> {
    /// Iterative deepening.
    pub fn run(mut self) -> Info {
        let limits = self.shared.limits;
        let deepest = if self.shared.settled { 1 } else { MAX_DEPTH };
        let last = limits.depth.unwrap_or(deepest).clamp(1, deepest);
        let lines = self.shared.settings.multi_pv.clamp(1, self.root_moves.len());
        let guess = if self.pos.in_check() { 0 } else { self.evaluator.evaluate(&self.pos) };
        let mut best = Info { multi_pv: 1, pv: vec![self.root_moves[0].mv], score: guess, ..Info::default() };
        let mut reported: Vec<Info> = Vec::new();
        for depth in 1..=last {
            self.selective_depth = 0;
            for line in 0..lines {
                self.pv_index = line;
                self.aspiration(depth as i32);
                if self.stopped {
                    break;
                }
            }
            let finished = if self.stopped { self.pv_index } else { lines };
            if finished == 0 {
                // A best move of an unfinished iteration is better than that of the last one.
                if self.root_moves[0].score > -INFINITE {
                    best = self.info(0, best.depth, Bound::Exact);
                }
                break;
            }
            sort(&mut self.root_moves[..finished]);
            let (last_move, last_score) = (best.pv[0], best.score);
            best = self.info(0, depth, Bound::Exact);
            self.stability = if best.pv[0] == last_move { self.stability + 1 } else { 0 };
            let falling = (last_score - best.score).clamp(0, 100);
            self.flush_nodes();
            if self.main {
                // Lines that an interrupted iteration has not reached are those of the one before.
                let found = (0..finished).map(|line| self.info(line, depth, Bound::Exact)).collect();
                reported = ranked(found, reported, lines);
                reported.iter().for_each(|info| self.report(info.clone()));
            }
            if self.stopped || self.main && self.should_stop(depth, falling) {
                break;
            }
        }
        self.flush_nodes();
        // The best move must have been reported, and every search reports at least once.
        if self.main && reported.first().is_none_or(|info| info.pv[0] != best.pv[0]) {
            let found = vec![Info { depth: best.depth.max(1), ..best.clone() }];
            ranked(found, reported, lines).into_iter().for_each(|info| self.report(info));
        }
        if self.main && !(limits.infinite || self.shared.control.pondering()) {
            self.shared.control.finish();
        }
        self.with_totals(best)
    }

    /// Should the search end after this iteration? `falling` is the drop of the score in it, 0 to 100 units.
    fn should_stop(&self, depth: u32, falling: Score) -> bool {
        let (limits, control) = (self.shared.limits, self.shared.control);
        if control.stopped() {
            return true;
        }
        if limits.infinite || control.pondering() {
            return false;
        }
        let score = self.root_moves[0].score;
        if let Some(wanted) = limits.mate {
            // A mate in n moves is 2n - 1 plies deep. Reductions may hide it at that depth, but hardly at 3n + 10. This
            // is not a proof: it ends a search for a mate that was neither found nor refuted.
            return depth >= wanted.saturating_mul(3).saturating_add(10)
                || moves_to_mate(score).is_some_and(|moves| moves > 0 && moves as u32 <= wanted);
        }
        if let Some(budget) = self.shared.budget {
            // A mate well within the depth cannot be improved, and a forced move needs no time.
            let settled = moves_to_mate(score).is_some_and(|moves| 2 * moves.unsigned_abs() + 2 < depth);
            let forced = limits.move_time.is_none() && self.root_moves.len() == 1 && depth >= 6;
            // Less time for a stable best move; more if its score falls or if the other moves took most of the nodes.
            let percent = 130 - 12 * self.stability.min(6) + falling as u32;
            let others = 100 - 100 * self.root_moves[0].nodes / self.nodes.max(1);
            let percent = percent * (58 + 120 * others as u32 / 100) / 100;
            let soft = if limits.move_time.is_some() { budget.soft } else { budget.soft * percent / 100 };
            return settled || forced || control.elapsed() >= soft.min(budget.hard);
        }
        false
    }

    /// The result of the root move at `line`, without the figures that [`with_totals`](Self::with_totals) adds.
    fn info(&self, line: usize, depth: u32, bound: Bound) -> Info {
        let RootMove { score, ref pv, .. } = self.root_moves[line];
        let mut pv = pv.clone();
        if let Some(tables) =
            self.shared.endgames.filter(|_| score.abs() >= MATE_BOUND && bound == Bound::Exact)
        {
            tables::extend(&self.pos, &mut pv, MAX_PLY, tables);
        }
        Info { multi_pv: line + 1, depth, score, bound, pv, ..Info::default() }
    }

    fn report(&self, info: Info) {
        (self.shared.listener)(Event::Info(&self.with_totals(info)));
    }

    /// `info` with the nodes, time, selective depth and hash use of the whole search.
    fn with_totals(&self, info: Info) -> Info {
        Info {
            selective_depth: self.selective_depth as u32,
            nodes: self.shared.nodes.load(Relaxed),
            table_hits: self.shared.table_hits.load(Relaxed),
            millis: self.shared.control.searched().as_millis() as u64,
            hash_full: self.shared.table.hash_full(),
            ..info
        }
    }

    /// Has the search run long enough to report bounds and the current move?
    fn is_long(&self) -> bool {
        self.main && self.shared.control.searched() > LONG
    }

    /// Searches the root with a window around the last score, widened until the score lies inside.
    fn aspiration(&mut self, depth: i32) {
        let guess = self.root_moves[self.pv_index].score;
        let mut delta = self.shared.settings.margins.window;
        let narrow = depth >= 5 && guess.abs() < MATE_BOUND;
        let (mut alpha, mut beta) =
            if narrow { (guess - delta, guess + delta) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.node::<true>(alpha, beta, depth, 0, false);
            // Even a search that was stopped may have found a better move.
            sort(&mut self.root_moves[self.pv_index..]);
            if self.stopped || score > alpha && score < beta {
                return;
            }
            delta *= 3;
            if self.is_long() {
                self.flush_nodes();
                let bound = if score <= alpha { Bound::Upper } else { Bound::Lower };
                self.report(Info { score, ..self.info(self.pv_index, depth as u32, bound) });
            }
            if score <= alpha {
                beta = if narrow { (alpha + beta) / 2 } else { beta };
                alpha = if delta > 500 { -INFINITE } else { (score - delta).max(-INFINITE) };
            } else {
                beta = if delta > 500 { INFINITE } else { (score + delta).min(INFINITE) };
            }
        }
    }

    /// Does the root search all legal moves, not only some of them (MultiPV, searchmoves)?
    pub(super) fn searches_all_root_moves(&self) -> bool {
        self.pv_index == 0 && self.shared.limits.search_moves.is_empty()
    }

    /// Is this move to be searched at the root now?
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
    }

    /// Reports the move that is searched at the root after `tried` others.
    pub(super) fn report_current_move(&self, depth: i32, mv: Move, tried: usize) {
        if self.is_long() {
            let number = self.pv_index + tried + 1;
            (self.shared.listener)(Event::CurrentMove { depth: depth as u32, mv, number });
        }
    }

    /// Stores the result of a root move. Only a `known` score comes with a principal variation; a move that failed low
    /// keeps its place behind it.
    pub(super) fn update_root_move(&mut self, mv: Move, nodes: u64, score: Score, known: bool) {
        let root = self.root_moves.iter_mut().find(|root| root.mv == mv).expect("a move of the root list");
        root.nodes += nodes;
        if self.stopped {
            return;
        }
        root.score = if known { score } else { -INFINITE };
        if known {
            root.pv = std::iter::once(mv).chain(self.pvs[1].iter().copied()).collect();
        }
    }
}
