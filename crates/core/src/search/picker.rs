//! Moves in the order in which they are worth trying: table move, good captures, killers and quiet moves, bad captures.
//!
//! All moves of a thread lie in one stack. A picker uses the part above its start; the node truncates the stack when it
//! returns.

use super::history::{Continuation, History, QuietScores};
use super::score::Score;
use super::see;
use super::threats::Threats;
use crate::board::{Move, Square, SquareSet};
use crate::eval::{self, Evaluate};
use crate::rules::Position;
use crate::rules::movegen::{Noisy, Quiet, Sink};

/// A move and its ordering score in one number, the score in the upper half, so that the best move is a vectorised
/// maximum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scored(i64);

impl Scored {
    #[inline]
    fn new(mv: Move, score: Score) -> Self {
        Scored(i64::from(score) << 32 | i64::from(mv.bits()))
    }

    #[inline]
    fn mv(self) -> Move {
        Move::from_bits(self.0 as u32)
    }
}

impl Sink for Vec<Scored> {
    #[inline]
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, make: impl Fn(Square, usize) -> Move) {
        to.squares()
            .for_each(|square| (0..ways).for_each(|way| self.push(Scored::new(make(square, way), 0))));
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(Scored::new(mv, 0));
    }
}

/// Puts quiet moves on the stack with their scores. That they are scored where they are generated lets the compiler do
/// once for a piece what does not depend on the target.
struct QuietScorer<'a, V: Evaluate> {
    pos: &'a Position<V>,
    histories: QuietScores<'a>,
    threats: Threats<V>,
    stack: &'a mut Vec<Scored>,
}

impl<V: Evaluate> Sink for QuietScorer<'_, V> {
    #[inline]
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, make: impl Fn(Square, usize) -> Move) {
        to.squares().for_each(|square| (0..ways).for_each(|way| self.one(make(square, way))));
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        let score =
            self.histories.score::<V>(mv) + self.threats.score(self.pos, mv) + V::preference(self.pos, mv);
        self.stack.push(Scored::new(mv, score));
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Hands out the moves of one node.
pub struct Picker {
    stage: Stage,
    table_move: Move,
    killers: [Move; 3],
    continuations: [Continuation; 2],
    noisy_only: bool,
    skip_quiets: bool,
    /// The least SEE value of a good capture.
    threshold: Score,
    /// Where this node's part of the stack begins, and the moves of the current stage.
    start: usize,
    next: usize,
    end: usize,
    bad: usize,
}

impl Picker {
    /// All moves; `table_move` must be legal or [`Move::NONE`], `killers` may be anything, `continuations` are those of the
    /// last two moves.
    #[inline]
    pub fn new(
        stack: &[Scored],
        table_move: Move,
        killers: [Move; 3],
        continuations: [Continuation; 2],
    ) -> Self {
        let stage = if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy };
        let start = stack.len();
        Picker {
            stage,
            table_move,
            killers,
            continuations,
            noisy_only: false,
            skip_quiets: false,
            threshold: 0,
            start,
            next: start,
            end: start,
            bad: start,
        }
    }

    /// Captures and promotions that gain at least `threshold` units in the exchange.
    #[inline]
    pub fn noisy(stack: &[Scored], threshold: Score, continuations: [Continuation; 2]) -> Self {
        Picker {
            noisy_only: true,
            threshold,
            ..Picker::new(stack, Move::NONE, [Move::NONE; 3], continuations)
        }
    }

    /// Skips the remaining quiet moves; they are not generated if they have not been yet.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move and whether it is noisy. `stack` must be as the last call left it.
    pub fn next<V: Evaluate>(
        &mut self,
        pos: &Position<V>,
        history: &History,
        stack: &mut Vec<Scored>,
    ) -> Option<(Move, bool)> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    return Some((self.table_move, pos.is_noisy(self.table_move)));
                }
                Stage::GenerateNoisy => {
                    generate_noisy(pos, history, stack, self.start);
                    (self.next, self.end, self.bad) = (self.start, stack.len(), self.start);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(mv) = best(stack, &mut self.next, self.end) {
                        if mv == self.table_move {
                            continue;
                        }
                        if !see::at_least(pos, mv, self.threshold) {
                            // A bad capture: kept in order for the last stage.
                            stack[self.bad] = Scored::new(mv, 0);
                            self.bad += 1;
                            continue;
                        }
                        return Some((mv, true));
                    }
                    self.stage = if self.noisy_only { Stage::Done } else { Stage::Killers };
                    (self.next, self.end) = (0, self.killers.len());
                }
                Stage::Killers | Stage::GenerateQuiet | Stage::Quiet if self.skip_quiets => {
                    self.next = self.start;
                    self.stage = Stage::BadNoisy;
                }
                Stage::Killers if self.next == self.end => self.stage = Stage::GenerateQuiet,
                Stage::Killers => {
                    let mv = self.killers[self.next];
                    let again = mv == self.table_move || self.killers[..self.next].contains(&mv);
                    // The quiet stage skips only killers that were returned here.
                    if again || !pos.is_legal(mv) || pos.is_noisy(mv) {
                        self.killers[self.next] = Move::NONE;
                        self.next += 1;
                        continue;
                    }
                    self.next += 1;
                    return Some((mv, false));
                }
                Stage::GenerateQuiet => {
                    let histories = history.quiets(pos.side(), self.continuations);
                    generate_quiet(pos, histories, stack, self.bad);
                    (self.next, self.end) = (self.bad, stack.len());
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while let Some(mv) = best(stack, &mut self.next, self.end) {
                        if mv != self.table_move && !self.killers.contains(&mv) {
                            return Some((mv, false));
                        }
                    }
                    self.next = self.start;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.next < self.bad {
                        self.next += 1;
                        return Some((stack[self.next - 1].mv(), true));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }
}

/// Generates noisy moves with their scores onto the stack, from `start` on. Out of line, to keep the stack frame of
/// [`Picker::next`] small.
#[inline(never)]
fn generate_noisy<V: Evaluate>(pos: &Position<V>, history: &History, stack: &mut Vec<Scored>, start: usize) {
    stack.truncate(start);
    pos.generate::<Noisy, _>(pos.geometry().all(), stack);
    for scored in &mut stack[start..] {
        let mv = scored.mv();
        let attacker = V::value(mv.kind()) / 16;
        let history_score = history.noisy(pos.side(), mv) / 8;
        let score = 8 * eval::gain(pos, mv) - attacker + history_score + V::preference(pos, mv) / 8;
        *scored = Scored::new(mv, score);
    }
}

/// The same for quiet moves.
#[inline(never)]
fn generate_quiet<V: Evaluate>(
    pos: &Position<V>,
    histories: QuietScores,
    stack: &mut Vec<Scored>,
    start: usize,
) {
    stack.truncate(start);
    let mut scorer = QuietScorer { pos, histories, threats: Threats::new(pos), stack };
    pos.generate::<Quiet, _>(pos.geometry().all(), &mut scorer);
}

/// Swaps the best move to `next` and advances `next`.
#[inline]
fn best(stack: &mut [Scored], next: &mut usize, end: usize) -> Option<Move> {
    if *next >= end {
        return None;
    }
    let rest = &mut stack[*next..end];
    let top = rest.iter().fold(i64::MIN, |top, scored| top.max(scored.0));
    // Eight at once, as long as it is in none of them.
    let holds_top = |chunk: &[Scored; 8]| chunk.iter().fold(false, |found, scored| found | (scored.0 == top));
    let passed = 8 * rest.as_chunks().0.iter().take_while(|chunk| !holds_top(chunk)).count();
    let at = passed + rest[passed..].iter().position(|scored| scored.0 == top)?;
    rest.swap(0, at);
    *next += 1;
    Some(rest[0].mv())
}

/// All legal moves in a first order, for the root.
pub fn ordered_root_moves<V: Evaluate>(pos: &Position<V>) -> Vec<Move> {
    let score = |&mv: &Move| {
        let good = see::at_least(pos, mv, 0);
        Scored::new(mv, eval::gain(pos, mv) * 8 + V::preference(pos, mv) - if good { 0 } else { 5000 })
    };
    let mut moves: Vec<Scored> = pos.legal_moves().iter().map(score).collect();
    moves.sort_unstable();
    moves.into_iter().rev().map(Scored::mv).collect()
}
