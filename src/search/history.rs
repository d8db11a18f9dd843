//! What earlier cutoffs teach about moves, and earlier searches about the evaluation.

use super::score::Score;
use crate::board::{Color, Kind, Move, Piece, SquareSet};
use crate::eval::Evaluate;
use crate::rules::{Position, Set};

/// No entry leaves the range from `-LIMIT` to `LIMIT`.
const LIMIT: i32 = 8192;
/// Entries of a correction table for each side, a power of two. Long searches meet so many that a quarter of it blurs.
const CORRECTIONS: usize = 1 << 16;
/// Things that the corrections look at: pawns, White's other pieces, Black's other pieces, the last move, the last two moves.
const ASPECTS: usize = 5;
/// No correction by one aspect leaves the range from minus to plus this, ...
const CORRECTION_LIMIT: i32 = 1024;
/// ... in units of a centipawn divided by this.
const GRAIN: i32 = 16;

type ByPieceAndTarget<T> = Box<[[T; 256]; 32]>;

/// The start of a row in the continuation tables: of the moves that may follow one that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Continuation(u32);

/// Statistics of one thread. They live as long as the game.
pub struct History {
    /// Moves of a side, as many as kinds times squares.
    moves: usize,
    squares: usize,
    quiet: ByPieceAndTarget<i16>,
    noisy: ByPieceAndTarget<i16>,
    counter: ByPieceAndTarget<Move>,
    /// For each earlier move of either side (and one for none) a row of the moves that may follow it, one and two plies
    /// later.
    continuation_tables: [Vec<i16>; 2],
    /// By aspect, side to move, and what that aspect of the position looks like.
    corrections: [Vec<i16>; ASPECTS],
}

fn index(side: Color, mv: Move) -> (usize, usize) {
    (Piece::new(side, mv.becomes()).index(), mv.to().index())
}

/// Moves an entry towards plus or minus `LIMIT`, the less the nearer it is.
fn push<const LIMIT: i32>(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

/// What a cutoff at this depth is worth.
fn bonus(depth: i32) -> i32 {
    (depth * depth * 16 + depth * 64).min(3200)
}

/// Kinds that the weights do not tell apart, as the facings of a piece, share their statistics.
fn entry<V: Evaluate>(kind: Kind) -> usize {
    V::WEIGHTS.entry(kind)
}

impl History {
    /// No experience in game `V`.
    pub fn new<V: Evaluate>() -> Self {
        let squares = 64 * Set::<V>::WORDS;
        let moves = V::WEIGHTS.kinds.len() * squares;
        let table = || vec![0; (2 * moves + 1) * moves];
        History {
            moves,
            squares,
            quiet: Box::new([[0; 256]; 32]),
            noisy: Box::new([[0; 256]; 32]),
            counter: Box::new([[Move::NONE; 256]; 32]),
            continuation_tables: [table(), table()],
            corrections: std::array::from_fn(|_| vec![0; 2 * CORRECTIONS]),
        }
    }

    /// Was this made for a game of the same size as `V`?
    pub fn fits<V: Evaluate>(&self) -> bool {
        self.squares == 64 * Set::<V>::WORDS && self.moves == V::WEIGHTS.kinds.len() * self.squares
    }

    /// The row of what may follow no move.
    #[inline]
    pub fn no_continuation(&self) -> Continuation {
        Continuation((2 * self.moves * self.moves) as u32)
    }

    /// The row of what may follow `mv` of `side`.
    #[inline]
    pub fn continuation<V: Evaluate>(&self, side: Color, mv: Move) -> Continuation {
        let at = side.index() * self.moves + self.place::<V>(mv);
        Continuation((at * self.moves) as u32)
    }

    #[inline]
    fn place<V: Evaluate>(&self, mv: Move) -> usize {
        entry::<V>(mv.becomes()) * self.squares + mv.to().index()
    }

    /// How good a quiet move has been, by itself and after the moves of `continuations` (the last one, and the one before).
    #[inline]
    pub fn quiet<V: Evaluate>(&self, side: Color, mv: Move, continuations: [Continuation; 2]) -> Score {
        let (piece, to) = index(side, mv);
        Score::from(self.quiet[piece][to]) + self.after::<V>(mv, continuations).sum::<Score>()
    }

    /// Has a quiet move been bad both after the last move and after the one before?
    #[inline]
    pub fn follows_badly<V: Evaluate>(&self, mv: Move, continuations: [Continuation; 2]) -> bool {
        self.after::<V>(mv, continuations).all(|record| record < 0)
    }

    /// How good a quiet move has been after each of the moves of `continuations`.
    #[inline]
    fn after<V: Evaluate>(&self, mv: Move, continuations: [Continuation; 2]) -> impl Iterator<Item = Score> {
        let place = self.place::<V>(mv);
        self.continuation_tables
            .iter()
            .zip(continuations)
            .map(move |(table, continuation)| table[continuation.0 as usize + place].into())
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

    fn push_quiet<V: Evaluate>(
        &mut self,
        side: Color,
        mv: Move,
        continuations: [Continuation; 2],
        bonus: i32,
    ) {
        let ((piece, to), place) = (index(side, mv), self.place::<V>(mv));
        push::<LIMIT>(&mut self.quiet[piece][to], bonus);
        for (table, continuation) in self.continuation_tables.iter_mut().zip(continuations) {
            push::<LIMIT>(&mut table[continuation.0 as usize + place], bonus);
        }
    }

    /// A quiet move of `side` refuted the line, after these others had failed to.
    pub fn reward_quiet<V: Evaluate>(
        &mut self,
        side: Color,
        mv: Move,
        previous: Move,
        continuations: [Continuation; 2],
        failed: &[Move],
        depth: i32,
    ) {
        let bonus = bonus(depth);
        self.push_quiet::<V>(side, mv, continuations, bonus);
        for &other in failed {
            self.push_quiet::<V>(side, other, continuations, -bonus);
        }
        let (piece, to) = index(!side, previous);
        self.counter[piece][to] = mv;
    }

    /// A quiet move of `side` took the evaluation from `before`, for that side, to `after`, for the other: good or bad,
    /// whatever search will find.
    pub fn judge_quiet<V: Evaluate>(&mut self, side: Color, mv: Move, before: Score, after: Score) {
        let (piece, to) = index(side, mv);
        // Both count having the move, which is no merit of this one.
        let gain = 2 * Score::from(V::WEIGHTS.general.tempo.0) - after - before;
        push::<LIMIT>(&mut self.quiet[piece][to], (60 * gain).clamp(-LIMIT / 4, LIMIT / 4));
    }

    /// No answer to this quiet move of `side` was good enough. `continuations` are those of the moves before it.
    pub fn reward_unrefuted<V: Evaluate>(
        &mut self,
        side: Color,
        mv: Move,
        continuations: [Continuation; 2],
        depth: i32,
    ) {
        self.push_quiet::<V>(side, mv, continuations, bonus(depth));
    }

    /// A noisy move of `side` refuted the line (or `mv` is [`Move::NONE`]), after these noisy ones had failed to.
    pub fn reward_noisy(&mut self, side: Color, mv: Move, failed: &[Move], depth: i32) {
        let bonus = bonus(depth);
        if mv.is_some() {
            let (piece, to) = index(side, mv);
            push::<LIMIT>(&mut self.noisy[piece][to], bonus);
        }
        for &other in failed {
            let (piece, to) = index(side, other);
            push::<LIMIT>(&mut self.noisy[piece][to], -bonus);
        }
    }

    /// Where the corrections for a position are found, by aspect. `line` is the last move and the one before.
    fn places<V: Evaluate>(pos: &Position<V>, line: [Move; 2]) -> [usize; ASPECTS] {
        let place = |side, mv| {
            let (piece, to) = index(side, mv);
            (piece << 8 | to) as u64
        };
        let last = place(!pos.side(), line[0]);
        // Spread by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
        let both = (last << 16 | place(pos.side(), line[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let [white, black] = Color::BOTH.map(|color| pos.piece_key(color));
        [pos.pawn_key(), white, black, last, both]
            .map(|place| pos.side().index() * CORRECTIONS + place as usize % CORRECTIONS)
    }

    /// What to add to the evaluation of positions that look like this one, in centipawns. `line` is the move that led
    /// here and the one before.
    #[inline]
    pub fn correction<V: Evaluate>(&self, pos: &Position<V>, line: [Move; 2]) -> Score {
        let places = Self::places(pos, line);
        let all = self.corrections.iter().zip(places).map(|(table, place)| Score::from(table[place]));
        all.sum::<Score>() / GRAIN
    }

    /// A search of `depth` plies found the position `error` centipawns better than its corrected evaluation.
    pub fn correct<V: Evaluate>(&mut self, pos: &Position<V>, line: [Move; 2], error: Score, depth: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, place) in self.corrections.iter_mut().zip(Self::places(pos, line)) {
            push::<CORRECTION_LIMIT>(&mut table[place], bonus);
        }
    }
}
