//! Moves in the order in which they are worth trying: table move, good captures, killers and quiet moves, bad captures.
//!
//! All lists of a thread lie in one stack of scored moves; a picker owns the part above its start.

use super::history::History;
use super::score::Score;
use super::see;
use crate::board::{Move, Square, SquareSet};
use crate::eval::{self, Evaluate};
use crate::rules::Position;
use crate::rules::movegen::{All, Noisy, Quiet, Sink};

/// A move and its place in the order: higher is earlier.
pub type Scored = (Move, Score);

impl Sink for Vec<Scored> {
    #[inline]
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, make: impl Fn(Square, usize) -> Move) {
        for square in to.squares() {
            for way in 0..ways {
                self.push((make(square, way), 0));
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push((mv, 0));
    }
}

#[derive(PartialEq, Eq, PartialOrd, Clone, Copy)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
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
    noisy_only: bool,
    /// Where this node's part of the stack begins, and the bounds of what is being handed out.
    start: usize,
    next: usize,
    end: usize,
    bad: usize,
}

impl Picker {
    /// All moves; `table_move` must be legal or [`Move::NONE`], `killers` may be anything.
    pub fn new(stack: &[Scored], table_move: Move, killers: [Move; 3]) -> Self {
        let stage = if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy };
        let start = stack.len();
        Picker { stage, table_move, killers, noisy_only: false, start, next: start, end: start, bad: start }
    }

    /// Captures and promotions that do not lose material.
    pub fn noisy(stack: &[Scored]) -> Self {
        Picker { noisy_only: true, ..Picker::new(stack, Move::NONE, [Move::NONE; 3]) }
    }

    /// No more quiet moves, please.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::GenerateQuiet | Stage::Quiet) {
            self.stage = Stage::BadNoisy;
            self.next = self.start;
        }
        self.killers = [Move::NONE; 3];
        self.noisy_only = self.noisy_only || self.stage < Stage::GenerateQuiet;
    }

    /// The next move and whether it is noisy; the caller has kept the stack as it was left.
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
                    return Some((self.table_move, is_noisy(pos, self.table_move)));
                }
                Stage::GenerateNoisy => {
                    stack.truncate(self.start);
                    pos.generate::<Noisy, _>(pos.geometry().squares(), stack);
                    for (mv, score) in &mut stack[self.start..] {
                        let attacker = V::WEIGHTS.value(mv.kind()) / 16;
                        *score = 8 * eval::gain(pos, *mv) - attacker
                            + history.noisy(pos.side(), *mv) / 8
                            + V::preference(pos, *mv) / 8;
                    }
                    (self.next, self.end, self.bad) = (self.start, stack.len(), self.start);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(mv) = best(stack, &mut self.next, self.end) {
                        if mv == self.table_move {
                            continue;
                        }
                        if !see::at_least(pos, mv, 0) {
                            // Kept below, in order, for the end.
                            stack[self.bad].0 = mv;
                            self.bad += 1;
                            continue;
                        }
                        return Some((mv, true));
                    }
                    self.stage = if self.noisy_only { Stage::Done } else { Stage::GenerateQuiet };
                }
                Stage::GenerateQuiet => {
                    stack.truncate(self.bad);
                    pos.generate::<Quiet, _>(pos.geometry().squares(), stack);
                    for (mv, score) in &mut stack[self.bad..] {
                        *score = history.quiet(pos.side(), *mv) + V::preference(pos, *mv);
                        if let Some(i) = self.killers.iter().position(|killer| killer == mv) {
                            *score += 20_000 - 1000 * i as Score;
                        }
                    }
                    (self.next, self.end) = (self.bad, stack.len());
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while let Some(mv) = best(stack, &mut self.next, self.end) {
                        if mv != self.table_move {
                            return Some((mv, false));
                        }
                    }
                    self.next = self.start;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.next < self.bad {
                        self.next += 1;
                        return Some((stack[self.next - 1].0, true));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => {
                    stack.truncate(self.start);
                    return None;
                }
            }
        }
    }

    /// Gives the node's part of the stack back, for nodes that stop early.
    pub fn finish(&self, stack: &mut Vec<Scored>) {
        stack.truncate(self.start);
    }
}

/// The best move from `next` on, brought there; `next` goes one further.
#[inline]
fn best(stack: &mut [Scored], next: &mut usize, end: usize) -> Option<Move> {
    if *next >= end {
        return None;
    }
    let mut top = *next;
    for i in *next + 1..end {
        if stack[i].1 > stack[top].1 {
            top = i;
        }
    }
    stack.swap(*next, top);
    *next += 1;
    Some(stack[*next - 1].0)
}

/// Does the move take an enemy or promote?
#[inline]
pub fn is_noisy<V: Evaluate>(pos: &Position<V>, mv: Move) -> bool {
    V::taken(pos, mv).meets(pos.color(!pos.side()))
        || V::WEIGHTS.value(mv.becomes()) != V::WEIGHTS.value(mv.kind())
}

/// All legal moves with their place in the order, for the root.
pub fn ordered<V: Evaluate>(pos: &Position<V>) -> Vec<Move> {
    let mut moves: Vec<Scored> = Vec::new();
    pos.generate::<All, _>(pos.geometry().squares(), &mut moves);
    for (mv, score) in &mut moves {
        let good = see::at_least(pos, *mv, 0);
        *score = eval::gain(pos, *mv) * 8 + V::preference(pos, *mv) - if good { 0 } else { 5000 };
    }
    moves.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
    moves.into_iter().map(|(mv, _)| mv).collect()
}
