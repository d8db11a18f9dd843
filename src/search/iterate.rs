//! Iterative deepening with aspiration windows: searches the root deeper and deeper until a limit is reached.

use super::info::Info;
use super::score::{Bound, INFINITE, MATE_BOUND, MAX_PLY, Score, moves_to_mate};
use super::worker::{RootMove, Worker};
use crate::board::Move;
use crate::eval::{Evaluate, evaluate};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The deepest iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// After so much time people see bounds and the current move too.
const LONG: Duration = Duration::from_secs(3);

impl<V: Evaluate> Worker<'_, V> {
    /// Iterative deepening.
    pub fn run(mut self) -> Info {
        let limits = self.shared.limits;
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = self.shared.settings.multi_pv.clamp(1, self.roots.len());
        let guess = if self.pos.in_check() { 0 } else { evaluate(&self.pos) };
        let mut best = Info { multi_pv: 1, pv: vec![self.roots[0].mv], score: guess, ..Info::default() };
        let mut reported = Move::NONE;
        for depth in 1..=last {
            self.selective_depth = 0;
            for line in 0..lines {
                self.first_root = line;
                self.aspiration(depth as i32);
                if self.stopped {
                    break;
                }
                // A stable sort keeps what failed low in its old order.
                self.roots[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            let finished = if self.stopped { self.first_root } else { lines };
            if finished == 0 {
                // What an unfinished iteration has proven is still better than the last one's opinion.
                self.roots.sort_by_key(|root| std::cmp::Reverse(root.score));
                if self.roots[0].score > -INFINITE {
                    best = self.info(0, best.depth, Bound::Exact);
                }
                break;
            }
            self.roots[..finished].sort_by_key(|root| std::cmp::Reverse(root.score));
            let (last_move, last_score) = (best.pv[0], best.score);
            best = self.info(0, depth, Bound::Exact);
            self.stability = if best.pv[0] == last_move { self.stability + 1 } else { 0 };
            let falling = (last_score - best.score).clamp(0, 100);
            self.flush();
            if self.main {
                for line in 0..finished {
                    self.report(self.info(line, depth, Bound::Exact));
                }
                reported = self.roots[0].mv;
            }
            if self.stopped || self.main && self.enough(depth, falling) {
                break;
            }
        }
        self.flush();
        // The move that is answered has been reported, and every search reports something.
        if self.main && best.pv[0] != reported {
            self.report(Info { depth: best.depth.max(1), ..best.clone() });
        }
        if self.main && !(limits.infinite || self.shared.control.pondering()) {
            self.shared.control.finish();
        }
        self.stamped(best)
    }

    /// Is another iteration pointless? `falling` is by how much the score fell in this one, 0 to 100 centipawns.
    fn enough(&self, depth: u32, falling: Score) -> bool {
        let (limits, control) = (self.shared.limits, self.shared.control);
        if control.stopped() {
            return true;
        }
        if limits.infinite || control.pondering() {
            return false;
        }
        let score = self.roots[0].score;
        if let Some(wanted) = limits.mate {
            // A mate in so many moves takes twice as many plies less one. What reductions hide of it at that depth is
            // nearly always seen at half as much again and ten more. This is no proof: it ends a search for a mate that
            // may not be there and could not be refuted before.
            return depth >= wanted.saturating_mul(3).saturating_add(10)
                || moves_to_mate(score).is_some_and(|moves| moves > 0 && moves as u32 <= wanted);
        }
        if let Some(budget) = self.shared.budget {
            // A mate that is nearer than the search is deep cannot be improved, and a forced move needs no thought.
            let settled = moves_to_mate(score).is_some_and(|moves| 2 * moves.unsigned_abs() + 2 < depth);
            let forced = limits.move_time.is_none() && self.roots.len() == 1 && depth >= 6;
            // A choice that does not change needs less time. One that turns out worse and worse needs more, and so does one
            // whose rivals took most of the nodes to rule out.
            let percent = 130 - 12 * self.stability.min(6) + falling as u32;
            let others = 100 - 100 * self.roots[0].nodes / self.nodes.max(1);
            let percent = percent * (58 + 120 * others as u32 / 100) / 100;
            let soft = if limits.move_time.is_some() { budget.soft } else { budget.soft * percent / 100 };
            return settled || forced || control.elapsed() >= soft.min(budget.hard);
        }
        false
    }

    /// What the root move at `line` has come to, not yet [stamped](Self::stamped).
    fn info(&self, line: usize, depth: u32, bound: Bound) -> Info {
        let RootMove { score, pv, .. } = &self.roots[line];
        Info { multi_pv: line + 1, depth, score: *score, bound, pv: pv.clone(), ..Info::default() }
    }

    fn report(&self, info: Info) {
        self.shared.listener.info(&self.stamped(info));
    }

    /// `info` with what holds for the whole search now.
    fn stamped(&self, info: Info) -> Info {
        Info {
            selective_depth: self.selective_depth as u32,
            nodes: self.shared.nodes.load(Relaxed),
            millis: self.shared.control.elapsed().as_millis() as u64,
            hash_full: self.shared.table.full(),
            ..info
        }
    }

    /// Has the search gone on for so long that people want to see more than whole iterations?
    fn is_long(&self) -> bool {
        self.main && self.shared.control.elapsed() > LONG
    }

    /// Searches the root with a window around the last score, widened until the score lies inside.
    fn aspiration(&mut self, depth: i32) {
        let guess = self.roots[self.first_root].score;
        let mut delta = 20;
        let narrow = depth >= 5 && guess.abs() < MATE_BOUND;
        let (mut alpha, mut beta) =
            if narrow { (guess - delta, guess + delta) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.root(alpha, beta, depth);
            if self.stopped {
                return;
            }
            if score > alpha && score < beta {
                return;
            }
            delta *= 3;
            if self.is_long() {
                self.flush();
                let bound = if score <= alpha { Bound::Upper } else { Bound::Lower };
                self.report(Info { score, ..self.info(self.first_root, depth as u32, bound) });
            }
            if score <= alpha {
                beta = if narrow { (alpha + beta) / 2 } else { beta };
                alpha = if delta > 500 { -INFINITE } else { (score - delta).max(-INFINITE) };
            } else {
                beta = if delta > 500 { INFINITE } else { (score + delta).min(INFINITE) };
            }
        }
    }

    fn root(&mut self, mut alpha: Score, beta: Score, depth: i32) -> Score {
        let side = self.pos.side();
        let in_check = self.pos.in_check();
        let mut best = -INFINITE;
        let no_continuations = [self.history.no_continuation(); 2];
        if self.tick() {
            return best;
        }
        self.frames[0].eval = if in_check { -INFINITE } else { evaluate(&self.pos) };
        self.frames[0].in_check = in_check;
        for i in self.first_root..self.roots.len() {
            let mv = self.roots[i].mv;
            let tried = i - self.first_root;
            let noisy = self.pos.is_noisy(mv);
            if self.is_long() {
                self.shared.listener.current_move(depth as u32, mv, i + 1);
            }
            let before = self.nodes;
            let gives_check = self.play(mv, noisy, 0);
            let extension = i32::from(gives_check);
            let mut score = -INFINITE;
            let full = tried == 0 || {
                let reduced = !noisy && !gives_check && !in_check && depth >= 3 && tried >= 3;
                let by = if reduced {
                    self.reduction(depth, tried)
                        - 1
                        - self.history.quiet::<V>(side, mv, no_continuations) / 8192
                } else {
                    0
                };
                let by = by.clamp(0, (depth - 2).max(0));
                score = -self.node::<false>(-alpha - 1, -alpha, depth - 1 + extension - by, 1, true);
                if score > alpha && by > 0 {
                    score = -self.node::<false>(-alpha - 1, -alpha, depth - 1 + extension, 1, true);
                }
                score > alpha
            };
            if full {
                score = -self.node::<true>(-beta, -alpha, depth - 1 + extension, 1, false);
            }
            self.pos.undo(mv);
            self.roots[i].nodes += self.nodes - before;
            if self.stopped {
                return best;
            }
            let below = self.pvs[1].clone();
            let root = &mut self.roots[i];
            if tried == 0 || score > alpha {
                root.score = score;
                root.pv = std::iter::once(mv).chain(below).collect();
            } else {
                root.score = -INFINITE;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    // Tried first next time, and found first if the search is broken off.
                    self.roots[self.first_root..=i].rotate_right(1);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }
}
