//! The search of a node above the horizon.
//!
//! Principal variation search (Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982). Nodes of
//! the principal variation (`PV`) have an open window and are searched in full; all others only have to be shown better
//! or worse than one score, and are pruned. The root is the node of the principal variation at ply 0: its moves are those
//! of the root list, and it has no parent.

use super::picker::Picker;
use super::score::{Bound, INFINITE, MATE, MATE_BOUND, MAX_PLY, Score};
use super::see;
use super::table::Entry;
use super::worker::{Frame, Worker};
use crate::board::Move;
use crate::eval::{Evaluate, has_non_pawns};
use arrayvec::ArrayVec;

impl<V: Evaluate> Worker<'_, V> {
    /// The score of the position, at `ply` from the root, searched `depth` plies deep; beyond the window from `alpha` to
    /// `beta` only a bound. `cut_node` says that it is expected to reach `beta`.
    pub(super) fn node<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        let top = self.moves.len();
        let score = self.expand::<PV>(alpha, beta, depth, ply, cut_node);
        self.moves.truncate(top);
        score
    }

    #[inline]
    fn expand<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        let margins = &self.shared.settings.margins;
        // Step 1. Quiescence search at the horizon.
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, ply);
        }

        // Step 2. Draws, the end of the stack, and endgame tables. The root needs a move even if the position is a draw.
        let root = PV && ply == 0;
        if root {
            if self.count_node() {
                return 0;
            }
        } else if let Some(score) = self.enter(ply).or_else(|| self.table_score(depth, ply)) {
            return score;
        }

        // Step 3. Mate distance pruning: a shorter mate has been found already.
        if !root {
            alpha = alpha.max(-MATE + ply as Score);
            beta = beta.min(MATE - ply as Score - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. The table.
        let key = self.pos.key();
        let excluded = self.frames[ply].excluded;
        // Does the score hold for the position, and not only for some of its moves?
        let all_moves = if root { self.searches_all_root_moves() } else { !excluded.is_some() };
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry {
            // Near the fifty-move draw stored scores may be wrong.
            if !PV
                && all_moves
                && entry.depth >= depth
                && entry.causes_cutoff(alpha, beta)
                && self.pos.halfmove() < 80
            {
                return entry.score;
            }
        }
        let table_move = match entry {
            _ if root => self.root_moves[self.pv_index].mv,
            Some(entry) if self.pos.is_legal(entry.mv) => entry.mv,
            _ => Move::NONE,
        };
        let table_move_is_noisy = table_move.is_some() && self.pos.is_noisy(table_move);

        // Step 5. Static evaluation.
        let side = self.pos.side();
        let in_check = self.frames[ply].in_check;
        let [previous, _] = self.last_moves(ply);
        let continuations = self.continuations(ply);
        let table_eval = entry.and_then(|entry| entry.eval);
        let raw_eval = if in_check { None } else { Some(self.evaluation(table_eval)) };
        let mut eval = -INFINITE;
        if let Some(raw_eval) = raw_eval {
            eval = self.corrected_evaluation(raw_eval, ply);
            self.frames[ply].eval = eval;
            if entry.is_none() {
                self.store_evaluation(key, ply, raw_eval, eval);
            }
            if all_moves
                && previous.is_some()
                && let Some(&Frame { eval: before, noisy: false, .. }) = self.frame_before(ply, 1)
                && before > -INFINITE
            {
                self.history.update_by_evaluation(!side, previous, [before, eval], margins.gain);
            }
            // The table's bound may be a better estimate.
            if let Some(entry) = entry.filter(|entry| entry.is_better_estimate(eval)) {
                eval = entry.score;
            }
        } else {
            self.frames[ply].eval = -INFINITE;
        }
        let improving =
            !in_check && self.frame_before(ply, 2).is_some_and(|before| self.frames[ply].eval > before.eval);

        if !PV && !in_check && all_moves && beta.abs() < MATE_BOUND {
            // Step 6. Reverse futility pruning: the evaluation is far above beta. A quiet move of the table is worth a
            // search.
            if depth <= 8
                && (table_move_is_noisy || !table_move.is_some())
                && eval - margins.reverse_futility * depth >= beta
                && eval < MATE_BOUND
            {
                return eval;
            }
            // Step 7. Null move pruning, not where zugzwang is likely.
            if depth >= 3
                && eval >= beta.max(self.frames[ply].eval)
                && self.frames[ply].eval >= beta - margins.null_depth * depth + margins.null_margin
                && previous.is_some()
                && has_non_pawns(&self.pos, side)
                && V::may_pass(&self.pos)
            {
                let reduction = 4 + depth / 3 + ((eval - beta) / margins.null_eval).min(3);
                self.frames[ply].mv = Move::NONE;
                self.frames[ply].continuation = self.history.shared.no_continuation();
                self.frames[ply + 1].in_check = false;
                self.pos.play_null();
                let score = -self.node::<false>(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
                self.pos.undo_null_move();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    let score = if score >= MATE_BOUND { beta } else { score };
                    // At high depths a search without null moves verifies the cutoff.
                    if depth < 12 {
                        return score;
                    }
                    self.frames[ply - 1].mv = Move::NONE;
                    let verified = self.node::<false>(beta - 1, beta, depth - reduction, ply, false);
                    self.frames[ply - 1].mv = previous;
                    if verified >= beta {
                        return score;
                    }
                }
            }
            // Step 8. ProbCut: a capture that beats beta by a margin in a shallow search will do so in a deep one.
            let probcut_beta = beta + margins.probcut - margins.probcut_improving * i32::from(improving);
            if depth >= 5
                && probcut_beta < MATE_BOUND
                && !entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.score < probcut_beta)
            {
                let mut picker = Picker::noisy(&self.moves, probcut_beta - eval, continuations);
                for _ in 0..if cut_node { 4 } else { 2 } {
                    let Some((mv, noisy)) = picker.next(&self.pos, &self.history, &mut self.moves) else {
                        break;
                    };
                    self.prefetch(mv);
                    self.play(mv, noisy, ply);
                    let mut score = -self.quiescence::<false>(-probcut_beta, -probcut_beta + 1, ply + 1);
                    if score >= probcut_beta {
                        score = -self.node::<false>(
                            -probcut_beta,
                            -probcut_beta + 1,
                            depth - 4,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    self.pos.undo(mv);
                    if self.stopped {
                        return 0;
                    }
                    if score >= probcut_beta {
                        let found =
                            Entry { mv, score, depth: depth - 3, bound: Bound::Lower, eval: raw_eval };
                        self.shared.table.store(key, ply, found);
                        return score;
                    }
                }
            }
        }

        // Step 9. ProbCut in check: the table's capture beat beta by a margin in a shallower search.
        if !PV
            && in_check
            && depth >= 4
            && table_move_is_noisy
            && beta.abs() < MATE_BOUND
            && let Some(entry) = entry
            && entry.bound != Bound::Upper
            && entry.depth >= depth - 3
            && entry.score >= beta + 200
            && entry.score < MATE_BOUND
        {
            return beta + 200;
        }

        // Step 10. Internal iterative reduction: without a table move, move ordering is poor.
        if depth >= 4 && !table_move.is_some() && (PV || cut_node) && all_moves {
            depth -= 1;
        }

        // Step 11. The moves.
        let killers = self.frames[ply].killers;
        let counter = if previous.is_some() { self.history.counter(side, previous) } else { Move::NONE };
        self.frames[ply + 1].killers = [Move::NONE; 2];
        self.frames[ply + 1].cutoffs = 0;
        let non_pawns = has_non_pawns(&self.pos, side);
        // Moves that drive a bare king seldom cause cutoffs, so their history is poor.
        let bare_king = self.pos.is_bare_king(!side);
        let mut picker =
            Picker::new(&self.moves, table_move, [killers[0], killers[1], counter], continuations);
        let (mut best, mut best_move, mut move_count) = (-INFINITE, Move::NONE, 0);
        let mut bound = Bound::Upper;
        let (mut quiets_tried, mut noisies_tried) =
            (ArrayVec::<Move, 64>::new(), ArrayVec::<Move, 32>::new());
        loop {
            // Moves are pruned only when one is known that does not get mated.
            let prunes = !PV && !in_check && non_pawns && best > -MATE_BOUND;
            // Quiet moves that would all be pruned need not be generated.
            let enough = (margins.late_moves + margins.late_moves_depth * depth * depth / 128)
                / (2 - i32::from(improving));
            if prunes && depth <= 8 && move_count >= enough {
                picker.skip_quiets();
            }
            let Some((mv, noisy)) = picker.next(&self.pos, &self.history, &mut self.moves) else { break };
            if mv == excluded || root && !self.is_root_move(mv) {
                continue;
            }
            if root {
                self.report_current_move(depth, mv, move_count as usize);
            }
            let nodes = self.nodes;
            // Plies that a quiet move is reduced less by its history.
            let by_history = if noisy {
                0
            } else {
                self.history.quiet::<V>(side, mv, continuations) / margins.reduction_history
            };
            let base_reduction = self.reduction(depth, move_count as usize);
            // Step 12. Pruning: late moves, continuation history, futility, SEE.
            let mut see_threshold = None;
            if prunes && !noisy {
                // The depth after the late move reduction.
                let lmr_depth = (depth - base_reduction + by_history).max(0);
                if lmr_depth <= 4 && !bare_king && self.history.has_bad_continuations::<V>(mv, continuations)
                {
                    continue;
                }
                // Futility pruning: far below alpha, and no check.
                let futile = || {
                    let margin = margins.futility + margins.futility_depth * lmr_depth;
                    self.frames[ply].eval + margin <= alpha
                };
                if lmr_depth <= 6 && futile() && !self.pos.gives_check(mv) {
                    continue;
                }
                see_threshold = Some((lmr_depth.min(18) - margins.see_quiet) * lmr_depth * lmr_depth / 2);
            } else if prunes && depth <= 6 && mv != table_move {
                see_threshold = Some(-margins.see_noisy * depth);
            }
            self.prefetch(mv);
            if see_threshold.is_some_and(|threshold| !see::at_least(&self.pos, mv, threshold)) {
                continue;
            }

            // Step 13. Singular extension: the table move is extended if all others fail low against a lower bound.
            let mut extension = 0;
            if depth >= 7
                && mv == table_move
                && all_moves
                && !root
                && ply < MAX_PLY / 2
                && let Some(entry) = entry
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 3
                && entry.score.abs() < MATE_BOUND
            {
                let singular_beta = entry.score - margins.singular * depth / 4;
                self.frames[ply].excluded = mv;
                let score =
                    self.node::<false>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
                self.frames[ply].excluded = Move::NONE;
                self.frames[ply].killers = killers;
                if self.stopped {
                    return 0;
                }
                if score < singular_beta {
                    extension = if !PV && score < singular_beta - margins.singular_double { 2 } else { 1 };
                } else if singular_beta >= beta {
                    // Multi-cut: another move fails high too.
                    return singular_beta;
                } else if entry.score >= beta {
                    extension = -1;
                }
            }

            let gives_check = self.play(mv, noisy, ply);
            // Step 14. Check extension, only in the principal variation: large boards have too many checks.
            if extension == 0 && gives_check && PV && ply < MAX_PLY / 2 {
                extension = 1;
            }
            let next_depth = depth - 1 + extension;
            // Step 15. Late move reduction, with a search to full depth if the reduced one fails high.
            let mut score = -INFINITE;
            let full_window = (PV && move_count == 0) || {
                let mut reduction = 0;
                if depth >= 3 && move_count > i32::from(PV) && !(noisy && move_count < 4) {
                    reduction = base_reduction;
                    if noisy {
                        reduction /= 2;
                    } else {
                        reduction -= by_history;
                        reduction -= i32::from(mv == killers[0] || mv == killers[1] || mv == counter);
                    }
                    // If the table move is a capture, quiet moves are reduced more.
                    reduction += i32::from(table_move_is_noisy && !noisy);
                    reduction += i32::from(cut_node) + i32::from(!improving && !noisy);
                    // More if the children have had many cutoffs.
                    reduction += i32::from(self.frames[ply + 1].cutoffs > 3);
                    reduction -= i32::from(PV) + i32::from(gives_check) + i32::from(in_check);
                    reduction = reduction.clamp(0, (next_depth - 1).max(0));
                }
                score = -self.node::<false>(
                    -alpha - 1,
                    -alpha,
                    next_depth - reduction,
                    ply + 1,
                    !cut_node || reduction > 0,
                );
                if score > alpha && reduction > 0 {
                    score = -self.node::<false>(-alpha - 1, -alpha, next_depth, ply + 1, !cut_node);
                }
                PV && score > alpha
            };
            if full_window {
                score = -self.node::<true>(-beta, -alpha, next_depth, ply + 1, false);
            }
            self.pos.undo(mv);
            if root {
                self.update_root_move(mv, self.nodes - nodes, score, move_count == 0 || score > alpha);
            }
            if self.stopped {
                return 0;
            }
            move_count += 1;

            // Step 16. A new best move.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        self.frames[ply].cutoffs += 1;
                        let changes = margins.changes(depth);
                        if noisy {
                            self.history.update_noisy(side, mv, &noisies_tried, changes);
                        } else {
                            self.history.update_quiet::<V>(
                                side,
                                mv,
                                previous,
                                continuations,
                                &quiets_tried,
                                changes,
                            );
                            self.history.update_noisy(side, Move::NONE, &noisies_tried, changes);
                            if killers[0] != mv {
                                self.frames[ply].killers = [mv, killers[0]];
                            }
                        }
                        break;
                    }
                    alpha = score;
                    bound = Bound::Exact;
                }
            }
            // More moves than fit here get no malus.
            let _ = if noisy { noisies_tried.try_push(mv) } else { quiets_tried.try_push(mv) };
        }

        // Step 17. Mate and stalemate.
        if best == -INFINITE {
            return match (all_moves, in_check) {
                (false, _) => alpha,
                (true, true) => -MATE + ply as Score,
                (true, false) => 0,
            };
        }

        // Step 18. A bonus for the previous quiet move if all answers failed low.
        if bound == Bound::Upper && all_moves && ply >= 2 && previous.is_some() && !self.frames[ply - 1].noisy
        {
            let continuations = self.continuations(ply - 1);
            self.history.add_quiet_bonus::<V>(!side, previous, continuations, margins.bonus(depth));
        }

        // Step 19. The table, and the correction history if the best move is quiet.
        if all_moves {
            self.shared.table.store(
                key,
                ply,
                Entry { mv: best_move, score: best, depth, bound, eval: raw_eval },
            );
            let error = best - self.frames[ply].eval;
            // A bound on the wrong side of the evaluation says nothing about its error.
            let informative = match bound {
                Bound::Lower => error > 0,
                Bound::Upper => error < 0,
                Bound::Exact => true,
            };
            let best_is_noisy = || best_move.is_some() && self.pos.is_noisy(best_move);
            if informative && !in_check && best.abs() < MATE_BOUND && !best_is_noisy() {
                let weighted = margins.correction * depth * error / 128;
                self.history.correct(&self.pos, self.last_moves(ply), weighted);
            }
        }
        best
    }
}
