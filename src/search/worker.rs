//! One searching thread.
//!
//! Principal variation search (Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982) inside
//! iterative deepening with aspiration windows. Nodes of the principal variation (`PV`) have an open window and are
//! searched in full; all others only have to be shown better or worse than one score, and are pruned.

use super::history::{Continuation, History};
use super::picker::{Picker, Scored, is_noisy};
use super::pool::{Info, MAX_DEPTH, Shared};
use super::score::{Bound, INFINITE, MATE, MATE_BOUND, MAX_PLY, Score, moves_to_mate};
use super::see;
use super::table::Entry;
use crate::board::Move;
use crate::eval::{Cache, Evaluate, LAZY_ERROR, evaluate, evaluate_with, has_non_pawns, lazy_evaluate};
use crate::rules::{Outcome, Position, Reason};
use arrayvec::ArrayVec;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A move at the root with what is known about it.
struct RootMove {
    mv: Move,
    score: Score,
    pv: Vec<Move>,
    /// Spent on this move in all iterations.
    nodes: u64,
}

/// What a node leaves for its children and siblings.
#[derive(Clone, Copy)]
struct Frame {
    mv: Move,
    /// What may follow `mv`.
    continuation: Continuation,
    eval: Score,
    in_check: bool,
    /// Does `mv` take or promote?
    noisy: bool,
    killers: [Move; 2],
    /// How many siblings of the position here have been refuted.
    cutoffs: u32,
    /// A move that this node must do without, to find out whether it is the only good one.
    excluded: Move,
}

pub(super) struct Worker<'a, V: Evaluate> {
    pos: Position<V>,
    roots: Vec<RootMove>,
    /// Roots before this one are settled in this iteration (several lines are looked for).
    first_root: usize,
    main: bool,
    history: &'a mut History,
    shared: &'a Shared<'a>,
    nodes: u64,
    flushed: u64,
    stopped: bool,
    selective_depth: usize,
    frames: Vec<Frame>,
    moves: Vec<Scored>,
    pvs: Vec<ArrayVec<Move, MAX_PLY>>,
    reductions: Box<[[i8; 64]; 64]>,
    cache: Cache<V>,
    /// How far off the lazy evaluation may be: as at the root, where what is special often lasts, and by its usual error.
    slack: Score,
    /// Iterations since the best move last changed.
    stability: u32,
}

/// After so much time people see bounds and the current move too.
const LONG: Duration = Duration::from_secs(3);
/// How often the clock is looked at, in nodes.
const POLL: u64 = 128;

impl<'a, V: Evaluate> Worker<'a, V> {
    pub fn new(
        pos: &Position<V>,
        roots: &[Move],
        id: usize,
        history: &'a mut History,
        shared: &'a Shared<'a>,
    ) -> Self {
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, continuation) in reductions.iter_mut().enumerate().skip(1) {
            for (tried, by) in continuation.iter_mut().enumerate().skip(1) {
                *by = (0.6 + (depth as f64).ln() * (tried as f64).ln() / 2.3) as i8;
            }
        }
        let frame = Frame {
            mv: Move::NONE,
            continuation: history.no_continuation(),
            eval: 0,
            in_check: false,
            noisy: false,
            killers: [Move::NONE; 2],
            cutoffs: 0,
            excluded: Move::NONE,
        };
        Worker {
            pos: pos.clone(),
            roots: roots
                .iter()
                .map(|&mv| RootMove { mv, score: -INFINITE, pv: vec![mv], nodes: 0 })
                .collect(),
            first_root: 0,
            main: id == 0,
            history,
            shared,
            nodes: 0,
            flushed: 0,
            stopped: false,
            selective_depth: 0,
            frames: vec![frame; MAX_PLY + 2],
            stability: 0,
            moves: Vec::with_capacity(4096),
            pvs: vec![ArrayVec::new(); MAX_PLY + 1],
            reductions,
            cache: Cache::default(),
            slack: LAZY_ERROR + (evaluate(pos) - lazy_evaluate(pos)).abs(),
        }
    }

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
                    self.shared.listener.info(&self.info(line, depth, Bound::Exact));
                }
                reported = self.roots[0].mv;
            }
            if self.stopped || self.main && self.enough(depth, falling) {
                break;
            }
        }
        self.flush();
        // Whoever listens has heard of the move that is answered, and every search says something.
        if self.main && best.pv[0] != reported {
            let depth = best.depth.max(1);
            self.shared.listener.info(&Info { depth, ..self.stamped(best.clone()) });
        }
        if self.main && !(limits.infinite || self.shared.control.pondering()) {
            self.shared.control.finish();
        }
        best
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

    /// What the root move at `line` has come to.
    fn info(&self, line: usize, depth: u32, bound: Bound) -> Info {
        let RootMove { score, pv, .. } = &self.roots[line];
        self.stamped(Info {
            multi_pv: line + 1,
            depth,
            score: *score,
            bound,
            pv: pv.clone(),
            ..Info::default()
        })
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
                let info = self.info(self.first_root, depth as u32, bound);
                self.shared.listener.info(&Info { score, ..info });
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
            let noisy = is_noisy(&self.pos, mv);
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

    fn reduction(&self, depth: i32, tried: usize) -> i32 {
        self.reductions[(depth as usize).min(63)][tried.min(63)].into()
    }

    fn flush(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.flushed, Relaxed);
        self.flushed = self.nodes;
    }

    /// Counts a node and finds out whether the search must end.
    #[inline]
    fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        let limit = self.shared.limits.nodes;
        if self.nodes.is_multiple_of(POLL)
            || limit.is_some_and(|limit| self.shared.nodes.load(Relaxed) + self.nodes - self.flushed >= limit)
        {
            self.flush();
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

    /// The score of a draw by rule at this node, or of the mate that comes before it.
    #[inline]
    fn drawn(&self, ply: usize) -> Option<Score> {
        let by_count = |outcome: &Outcome| matches!(outcome.reason, Reason::FiftyMoves | Reason::TenMoves);
        let outcome = self.pos.drawn_by_rule(false)?;
        if by_count(&outcome) && self.pos.in_check() && self.pos.count_moves() == 0 {
            return Some(-MATE + ply as Score);
        }
        // A position that occurred before the root once may occur again.
        if outcome.reason == Reason::Repetition {
            let (times, recent) = self.pos.repetitions(ply);
            if times < 2 && !recent {
                return None;
            }
        }
        Some(0)
    }

    /// Plays a move at a node, noisy or not, and tells whether it gives check.
    #[inline]
    fn play(&mut self, mv: Move, noisy: bool, ply: usize) -> bool {
        self.frames[ply].mv = mv;
        self.frames[ply].noisy = noisy;
        self.frames[ply].continuation = self.history.continuation::<V>(self.pos.side(), mv);
        self.shared.table.prefetch(self.pos.likely_key(mv));
        self.pos.play(mv);
        let gives_check = self.pos.in_check();
        self.frames[ply + 1].in_check = gives_check;
        gives_check
    }

    /// The continuations of the two moves that led to the node at `ply`, at least 1.
    #[inline]
    fn continuations(&self, ply: usize) -> [Continuation; 2] {
        let before =
            if ply >= 2 { self.frames[ply - 2].continuation } else { self.history.no_continuation() };
        [self.frames[ply - 1].continuation, before]
    }

    /// The two moves that led to the node at `ply`, at least 1, the last one first.
    #[inline]
    fn line(&self, ply: usize) -> [Move; 2] {
        let before = if ply >= 2 { self.frames[ply - 2].mv } else { Move::NONE };
        [self.frames[ply - 1].mv, before]
    }

    fn node<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1. At the horizon only captures are looked at.
        if depth <= 0 {
            return self.quiescence::<PV>(alpha, beta, ply);
        }
        self.pvs[ply].clear();
        if self.tick() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);

        // Step 2. Draws, and the end of the stack.
        if let Some(score) = self.drawn(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(&self.pos);
        }

        // Step 3. Mate distance pruning: a shorter mate has been found already.
        alpha = alpha.max(-MATE + ply as Score);
        beta = beta.min(MATE - ply as Score - 1);
        if alpha >= beta {
            return alpha;
        }

        // Step 4. The table.
        let key = self.pos.key();
        let excluded = self.frames[ply].excluded;
        let whole = !excluded.is_some();
        let entry = self.shared.table.get(key, ply);
        if let Some(entry) = entry {
            // Near the fifty-move draw old scores promise too much.
            if !PV && whole && entry.depth >= depth && entry.decides(alpha, beta) && self.pos.halfmove() < 80
            {
                return entry.score;
            }
        }
        let table_move =
            entry.map(|entry| entry.mv).filter(|&mv| self.pos.is_legal(mv)).unwrap_or(Move::NONE);

        // Step 5. Static evaluation.
        let side = self.pos.side();
        let in_check = self.frames[ply].in_check;
        let previous = self.frames[ply - 1].mv;
        let continuations = self.continuations(ply);
        let known = entry.and_then(|entry| entry.eval);
        let raw = if in_check { None } else { Some(self.evaluation(known)) };
        let mut eval = -INFINITE;
        if let Some(raw) = raw {
            eval = self.corrected(raw, ply);
            self.frames[ply].eval = eval;
            if entry.is_none() {
                self.keep_evaluation(key, ply, raw, eval);
            }
            let Frame { eval: before, noisy, .. } = self.frames[ply - 1];
            if whole && previous.is_some() && !noisy && before > -INFINITE {
                self.history.judge_quiet::<V>(!side, previous, before, eval);
            }
            // A stored bound on the right side knows more.
            if let Some(entry) = entry.filter(|entry| entry.sharpens(eval)) {
                eval = entry.score;
            }
        } else {
            self.frames[ply].eval = -INFINITE;
        }
        let improving = !in_check && ply >= 2 && self.frames[ply].eval > self.frames[ply - 2].eval;

        if !PV && !in_check && whole && beta.abs() < MATE_BOUND {
            // Step 6. Reverse futility pruning: far above beta, and quiet moves will not change it.
            if depth <= 8 && eval - 104 * (depth - i32::from(improving)) >= beta && eval < MATE_BOUND {
                return eval;
            }
            // Step 7. Null move: if even passing is good enough, a move will be. Not where it may be a blessing to pass.
            if depth >= 3
                && eval >= beta.max(self.frames[ply].eval)
                && self.frames[ply].eval >= beta - 20 * depth + 120
                && previous.is_some()
                && has_non_pawns(&self.pos, side)
                && V::may_pass(&self.pos)
            {
                let by = 4 + depth / 3 + ((eval - beta) / 100).min(3);
                self.frames[ply].mv = Move::NONE;
                self.frames[ply].continuation = self.history.no_continuation();
                self.frames[ply + 1].in_check = false;
                self.pos.play_null();
                let score = -self.node::<false>(-beta, -beta + 1, depth - by, ply + 1, !cut_node);
                self.pos.undo_null_move();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    let score = if score >= MATE_BOUND { beta } else { score };
                    // Deep down the claim is verified by a search in which passing is not allowed.
                    if depth < 12 {
                        return score;
                    }
                    self.frames[ply - 1].mv = Move::NONE;
                    let verified = self.node::<false>(beta - 1, beta, depth - by, ply, false);
                    self.frames[ply - 1].mv = previous;
                    if verified >= beta {
                        return score;
                    }
                }
            }
            // Step 8. ProbCut: a capture that looks far too good in a shallow search will be so in a deep one.
            let high = beta + 100 - 20 * i32::from(improving);
            if depth >= 5
                && high < MATE_BOUND
                && !entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.score < high)
            {
                let mut picker = Picker::noisy(&self.moves, high - eval, continuations);
                for _ in 0..if cut_node { 4 } else { 2 } {
                    let Some((mv, noisy)) = picker.next(&self.pos, self.history, &mut self.moves) else {
                        break;
                    };
                    self.play(mv, noisy, ply);
                    let mut score = -self.quiescence::<false>(-high, -high + 1, ply + 1);
                    if score >= high {
                        score = -self.node::<false>(-high, -high + 1, depth - 4, ply + 1, !cut_node);
                    }
                    self.pos.undo(mv);
                    if self.stopped {
                        picker.finish(&mut self.moves);
                        return 0;
                    }
                    if score >= high {
                        picker.finish(&mut self.moves);
                        let found = Entry { mv, score, depth: depth - 3, bound: Bound::Lower, eval: raw };
                        self.shared.table.put(key, ply, found);
                        return score;
                    }
                }
                picker.finish(&mut self.moves);
            }
        }

        // Step 9. In check, where there is no ProbCut, a capture that was far too good in a shallow search before.
        let tactical = table_move.is_some() && is_noisy(&self.pos, table_move);
        if !PV
            && in_check
            && depth >= 4
            && tactical
            && beta.abs() < MATE_BOUND
            && let Some(entry) = entry
            && entry.bound != Bound::Upper
            && entry.depth >= depth - 3
            && entry.score >= beta + 200
            && entry.score < MATE_BOUND
        {
            return beta + 200;
        }

        // Step 10. Internal iterative reduction: without a table move the order is poor, so look less deep first.
        if depth >= 4 && !table_move.is_some() && (PV || cut_node) && whole {
            depth -= 1;
        }

        // Step 11. The moves.
        let killers = self.frames[ply].killers;
        let counter = if previous.is_some() { self.history.counter(side, previous) } else { Move::NONE };
        self.frames[ply + 1].killers = [Move::NONE; 2];
        self.frames[ply + 1].cutoffs = 0;
        let non_pawns = has_non_pawns(&self.pos, side);
        // A lone king is mated by quiet moves that seldom refute anything.
        let lone = self.pos.is_lone(!side);
        let mut picker =
            Picker::new(&self.moves, table_move, [killers[0], killers[1], counter], continuations);
        let (mut best, mut best_move, mut tried) = (-INFINITE, Move::NONE, 0);
        let mut bound = Bound::Upper;
        let (mut quiets, mut noisies) = (ArrayVec::<Move, 64>::new(), ArrayVec::<Move, 32>::new());
        loop {
            // Pruning of late moves begins once something is known that does not get mated.
            let prunes = !PV && !in_check && non_pawns && best > -MATE_BOUND;
            // Quiet moves that would all be pruned need not be generated.
            if prunes && depth <= 8 && tried >= (4 + depth * depth) / (2 - i32::from(improving)) {
                picker.skip_quiets();
            }
            let Some((mv, noisy)) = picker.next(&self.pos, self.history, &mut self.moves) else { break };
            if mv == excluded {
                continue;
            }
            let record = if noisy { 0 } else { self.history.quiet::<V>(side, mv, continuations) };
            let reduction = self.reduction(depth, tried as usize);
            // Step 12. Pruning of late moves.
            if prunes && !noisy {
                // The depth to which this move would be searched.
                let reduced = (depth - reduction + record / 8192).max(0);
                if reduced <= 4 && !lone && self.history.follows_badly::<V>(mv, continuations) {
                    continue;
                }
                // Futility: a quiet move will not make up for so much, unless it gives check.
                let hopeless = || self.frames[ply].eval + 84 + 76 * reduced <= alpha;
                if reduced <= 6 && hopeless() && !self.pos.gives_check(mv) {
                    continue;
                }
                if !see::at_least(&self.pos, mv, (reduced.min(18) - 30) * reduced * reduced / 2) {
                    continue;
                }
            } else if prunes && depth <= 6 && mv != table_move && !see::at_least(&self.pos, mv, -90 * depth) {
                continue;
            }

            // Step 13. Singular extension: if all others fall well short of the table move, it deserves more depth.
            let mut extension = 0;
            if depth >= 7
                && mv == table_move
                && whole
                && ply < MAX_PLY / 2
                && let Some(entry) = entry
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 3
                && entry.score.abs() < MATE_BOUND
            {
                let low = entry.score - 2 * depth;
                self.frames[ply].excluded = mv;
                let score = self.node::<false>(low - 1, low, (depth - 1) / 2, ply, cut_node);
                self.frames[ply].excluded = Move::NONE;
                self.frames[ply].killers = killers;
                if self.stopped {
                    picker.finish(&mut self.moves);
                    return 0;
                }
                if score < low {
                    extension = if !PV && score < low - 20 { 2 } else { 1 };
                } else if low >= beta {
                    // Several moves would do: a cutoff is certain enough.
                    picker.finish(&mut self.moves);
                    return low;
                } else if entry.score >= beta {
                    extension = -1;
                }
            }

            let gives_check = self.play(mv, noisy, ply);
            // Step 14. Check extension in the principal variation: elsewhere checks are too many on boards of long lines.
            if extension == 0 && gives_check && PV && ply < MAX_PLY / 2 {
                extension = 1;
            }
            let next_depth = depth - 1 + extension;
            // Step 15. Late move reduction: later moves are looked at less deeply, and again if they surprise.
            let mut score = -INFINITE;
            let full = (PV && tried == 0) || {
                let mut by = 0;
                if depth >= 3 && tried > i32::from(PV) && !(noisy && tried < 4) {
                    by = reduction;
                    if noisy {
                        by /= 2;
                    } else {
                        by -= record / 8192;
                        by -= i32::from(mv == killers[0] || mv == killers[1] || mv == counter);
                    }
                    // What a capture refutes, a quiet move will hardly refute better.
                    by += i32::from(tactical && !noisy);
                    by += i32::from(cut_node) + i32::from(!improving && !noisy);
                    // Where answers have refuted so many moves, the rest will hardly do better.
                    by += i32::from(self.frames[ply + 1].cutoffs > 3);
                    by -= i32::from(PV) + i32::from(gives_check) + i32::from(in_check);
                    by = by.clamp(0, (next_depth - 1).max(0));
                }
                score =
                    -self.node::<false>(-alpha - 1, -alpha, next_depth - by, ply + 1, !cut_node || by > 0);
                if score > alpha && by > 0 {
                    score = -self.node::<false>(-alpha - 1, -alpha, next_depth, ply + 1, !cut_node);
                }
                PV && score > alpha
            };
            if full {
                score = -self.node::<true>(-beta, -alpha, next_depth, ply + 1, false);
            }
            self.pos.undo(mv);
            if self.stopped {
                picker.finish(&mut self.moves);
                return 0;
            }
            tried += 1;

            // Step 16. Is it better?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        self.keep_line(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        self.frames[ply].cutoffs += 1;
                        let (quiets, noisies) = (&quiets, &noisies);
                        if noisy {
                            self.history.reward_noisy(side, mv, noisies, depth);
                        } else {
                            self.history.reward_quiet::<V>(side, mv, previous, continuations, quiets, depth);
                            self.history.reward_noisy(side, Move::NONE, noisies, depth);
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
            // Beyond so many, the statistics do not need the rest.
            let _ = if noisy { noisies.try_push(mv) } else { quiets.try_push(mv) };
        }
        picker.finish(&mut self.moves);

        // Step 17. Without a legal move the game is over.
        if best == -INFINITE {
            return match (whole, in_check) {
                (false, _) => alpha,
                (true, true) => -MATE + ply as Score,
                (true, false) => 0,
            };
        }

        // Step 18. A quiet move that no answer refutes has been a good one.
        if bound == Bound::Upper && whole && ply >= 2 && previous.is_some() && !self.frames[ply - 1].noisy {
            self.history.reward_unrefuted::<V>(!side, previous, self.continuations(ply - 1), depth);
        }

        // Step 19. Remember, and learn how far off the evaluation was where captures are not the reason.
        if whole {
            self.shared.table.put(key, ply, Entry { mv: best_move, score: best, depth, bound, eval: raw });
            let error = best - self.frames[ply].eval;
            // A bound that the evaluation already meets tells nothing.
            let told = match bound {
                Bound::Lower => error > 0,
                Bound::Upper => error < 0,
                Bound::Exact => true,
            };
            let by_force = || best_move.is_some() && is_noisy(&self.pos, best_move);
            if told && !in_check && best.abs() < MATE_BOUND && !by_force() {
                self.history.correct(&self.pos, self.line(ply), error, depth);
            }
        }
        best
    }

    /// The evaluation of the position, if it is not known from the table.
    #[inline]
    fn evaluation(&mut self, known: Option<Score>) -> Score {
        known.unwrap_or_else(|| evaluate_with(&self.pos, Some(&mut self.cache)))
    }

    /// An evaluation with what earlier searches found wrong with its like, short of any mate.
    #[inline]
    fn corrected(&self, raw: Score, ply: usize) -> Score {
        let correction = self.history.correction(&self.pos, self.line(ply));
        (raw + correction).clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    /// Stores the evaluation of a position of which nothing is known, so that it need not be found again wherever the search
    /// of it ends. Corrected, as `score`, it is a lower bound at the horizon, where nobody has to capture.
    #[inline]
    fn keep_evaluation(&self, key: u64, ply: usize, raw: Score, score: Score) {
        let entry = Entry { mv: Move::NONE, score, depth: 0, bound: Bound::Lower, eval: Some(raw) };
        self.shared.table.put(key, ply, entry);
    }

    fn keep_line(&mut self, mv: Move, ply: usize) {
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

    /// Captures and promotions until the position is quiet; in check, every move.
    fn quiescence<const PV: bool>(&mut self, mut alpha: Score, beta: Score, ply: usize) -> Score {
        self.pvs[ply].clear();
        if self.tick() {
            return 0;
        }
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(score) = self.drawn(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(&self.pos);
        }
        // Far above beta the pieces alone tell enough, and far below alpha to do without a closer look.
        let in_check = self.frames[ply].in_check;
        let mut best = -INFINITE;
        if !PV && !in_check {
            let lazy = lazy_evaluate(&self.pos);
            if lazy - self.slack >= beta {
                return lazy - self.slack;
            }
            if lazy + self.slack + 200 <= alpha {
                best = lazy + self.slack;
            }
        }
        let key = self.pos.key();
        let entry = self.shared.table.get(key, ply);
        if let Some(entry) = entry
            && !PV
            && entry.decides(alpha, beta)
        {
            return entry.score;
        }
        let known = entry.and_then(|entry| entry.eval);
        let raw =
            if in_check || best > -INFINITE && known.is_none() { None } else { Some(self.evaluation(known)) };
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
            if best > -MATE_BOUND {
                // Once an answer to a check is known, quiet ones are not looked at.
                if in_check && !noisy {
                    picker.skip_quiets();
                    continue;
                }
                // The same capture with another promotion or facing brings nothing new here.
                if !in_check && (mv.from(), mv.to(), mv.tag()) == (last.from(), last.to(), last.tag()) {
                    continue;
                }
                // Delta pruning: not even this capture reaches alpha.
                if !in_check && stand + 200 <= alpha && !see::at_least(&self.pos, mv, alpha - stand - 200) {
                    best = best.max(stand + 200);
                    continue;
                }
            }
            last = mv;
            self.play(mv, noisy, ply);
            let score = -self.quiescence::<PV>(-beta, -alpha, ply + 1);
            self.pos.undo(mv);
            if self.stopped {
                picker.finish(&mut self.moves);
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
        picker.finish(&mut self.moves);
        if best == -INFINITE {
            return -MATE + ply as Score;
        }
        self.shared.table.put(key, ply, Entry { mv: best_move, score: best, depth: 0, bound, eval: raw });
        best
    }
}
