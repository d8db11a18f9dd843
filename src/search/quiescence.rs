//! Quiescence search: beyond the horizon only captures, promotions and evasions are searched.

use super::picker::Picker;
use super::score::{Bound, INFINITE, MATE, MATE_BOUND, Score};
use super::see;
use super::table::Entry;
use super::worker::Worker;
use crate::board::Move;
use crate::eval::Evaluate;

impl<V: Evaluate> Worker<'_, V> {
    /// The score of the position after captures and promotions until it is quiet, and after every move in check.
    pub(super) fn quiescence<const PV: bool>(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let top = self.moves.len();
        let score = self.quiesce::<PV>(alpha, beta, ply);
        self.moves.truncate(top);
        score
    }

    #[inline]
    fn quiesce<const PV: bool>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let in_check = self.frames[ply].in_check;
        let mut best = -INFINITE;
        let key = self.pos.key();
        let entry = self.shared.table.get(key, ply);
        if let Some(entry) = entry
            && !PV
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        let known = entry.and_then(|entry| entry.eval);
        let raw = if in_check { None } else { Some(self.evaluation(known)) };
        if let Some(raw) = raw {
            best = self.corrected(raw, ply);
            if let Some(entry) = entry.filter(|entry| entry.sharpens(best)) {
                best = entry.score;
            }
            if best >= beta {
                if entry.is_none() {
                    self.keep_evaluation(key, ply, raw, best);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand = best;
        let continuations = self.continuations(ply);
        let mut picker = if in_check {
            let table_move =
                entry.map(|entry| entry.mv).filter(|&mv| self.pos.is_legal(mv)).unwrap_or(Move::NONE);
            Picker::new(&self.moves, table_move, [Move::NONE; 3], continuations)
        } else {
            Picker::noisy(&self.moves, 0, continuations)
        };
        let (mut best_move, mut last) = (Move::NONE, Move::NONE);
        let mut bound = Bound::Upper;
        while let Some((mv, noisy)) = picker.next(&self.pos, self.history, &mut self.moves) {
            self.prefetch(mv);
            if best > -MATE_BOUND {
                // Quiet evasions are skipped once one is known that does not get mated.
                if in_check && !noisy {
                    picker.skip_quiets();
                    continue;
                }
                // Of captures that differ in promotion or facing only, the first is enough.
                if !in_check && (mv.from(), mv.to(), mv.tag()) == (last.from(), last.to(), last.tag()) {
                    continue;
                }
                // Delta pruning: even this capture does not reach alpha.
                let reach = stand + 220;
                if !in_check && reach <= alpha && !see::at_least(&self.pos, mv, alpha - reach) {
                    best = best.max(reach);
                    continue;
                }
            }
            last = mv;
            self.play(mv, noisy, ply);
            let score = -self.quiescence::<PV>(-beta, -alpha, ply + 1);
            self.pos.undo(mv);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.keep_line(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if best == -INFINITE {
            return -MATE + ply as Score;
        }
        self.shared.table.put(key, ply, Entry { mv: best_move, score: best, depth: 0, bound, eval: raw });
        best
    }
}
