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
        if let Some(score) = self.enter(ply).or_else(|| self.table_score(0, ply)) {
            return score;
        }
        let in_check = self.frames[ply].in_check;
        let mut best = -INFINITE;
        let key = self.pos.key();
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && !PV
            && entry.causes_cutoff(alpha, beta)
        {
            return entry.score;
        }
        let table_eval = entry.and_then(|entry| entry.eval);
        let raw_eval = if in_check { None } else { Some(self.evaluation(table_eval)) };
        if let Some(raw_eval) = raw_eval {
            best = self.corrected_evaluation(raw_eval, ply);
            if let Some(entry) = entry.filter(|entry| entry.is_better_estimate(best)) {
                best = entry.score;
            }
            if best >= beta {
                if entry.is_none() {
                    self.store_evaluation(key, ply, raw_eval, best);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand_pat = best;
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
        while let Some((mv, noisy)) = picker.next(&self.pos, &self.history, &mut self.moves) {
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
                let futility_base = stand_pat + self.shared.settings.margins.quiescence;
                if !in_check && futility_base <= alpha && !see::at_least(&self.pos, mv, alpha - futility_base)
                {
                    best = best.max(futility_base);
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
                        self.update_pv(mv, ply);
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
        self.shared.table.store(
            key,
            ply,
            Entry { mv: best_move, score: best, depth: 0, bound, eval: raw_eval },
        );
        best
    }
}
