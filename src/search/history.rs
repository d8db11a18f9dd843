//! What earlier cutoffs teach about quiet moves and captures.

use super::score::Score;
use crate::board::{Color, Move, Piece};

/// No entry leaves the range from `-LIMIT` to `LIMIT`.
const LIMIT: i32 = 8192;

type ByPieceAndTarget<T> = Box<[[T; 256]; 32]>;

/// Statistics of one thread. They live as long as the game.
pub struct History {
    quiet: ByPieceAndTarget<i16>,
    noisy: ByPieceAndTarget<i16>,
    counter: ByPieceAndTarget<Move>,
}

impl Default for History {
    fn default() -> Self {
        History {
            quiet: Box::new([[0; 256]; 32]),
            noisy: Box::new([[0; 256]; 32]),
            counter: Box::new([[Move::NONE; 256]; 32]),
        }
    }
}

fn index(side: Color, mv: Move) -> (usize, usize) {
    (Piece::new(side, mv.becomes()).index(), mv.to().index())
}

fn push(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

impl History {
    /// How good a quiet move has been.
    #[inline]
    pub fn quiet(&self, side: Color, mv: Move) -> Score {
        let (piece, to) = index(side, mv);
        self.quiet[piece][to].into()
    }

    /// How good a capture has been.
    #[inline]
    pub fn noisy(&self, side: Color, mv: Move) -> Score {
        let (piece, to) = index(side, mv);
        self.noisy[piece][to].into()
    }

    /// The quiet move that last refuted `previous`, which `side` is to answer.
    #[inline]
    pub fn counter(&self, side: Color, previous: Move) -> Move {
        let (piece, to) = index(!side, previous);
        self.counter[piece][to]
    }

    /// A quiet move of `side` refuted the line, after these others had failed to.
    pub fn reward_quiet(&mut self, side: Color, mv: Move, previous: Move, failed: &[Move], depth: i32) {
        let bonus = (depth * depth * 8 + depth * 16).min(1500);
        let (piece, to) = index(side, mv);
        push(&mut self.quiet[piece][to], bonus);
        for &other in failed {
            let (piece, to) = index(side, other);
            push(&mut self.quiet[piece][to], -bonus);
        }
        let (piece, to) = index(!side, previous);
        self.counter[piece][to] = mv;
    }

    /// A noisy move of `side` refuted the line (or `mv` is [`Move::NONE`]), after these noisy ones had failed to.
    pub fn reward_noisy(&mut self, side: Color, mv: Move, failed: &[Move], depth: i32) {
        let bonus = (depth * depth * 8 + depth * 16).min(1500);
        if mv.is_some() {
            let (piece, to) = index(side, mv);
            push(&mut self.noisy[piece][to], bonus);
        }
        for &other in failed {
            let (piece, to) = index(side, other);
            push(&mut self.noisy[piece][to], -bonus);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = History::default();
    }
}
