//! Move ordering statistics (butterfly, continuation and capture history, countermoves) and correction history.

use super::score::Score;
use super::table::prefetch;
use crate::board::{Color, Kind, Move, Piece, SquareSet};
use crate::eval::Evaluate;
use crate::rules::{Position, Set};
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Entries stay between `-LIMIT` and `LIMIT`.
const LIMIT: i32 = 8192;
/// Entries of a correction table for each side, a power of two. With a quarter of it, long searches have too many collisions.
const CORRECTIONS: usize = 1 << 16;
/// Number of correction tables: by pawns, White's other pieces, Black's other pieces, the last move, the last two moves.
const CORRECTION_TABLES: usize = 5;
/// The largest correction of one table, in units of the evaluation times [`CORRECTION_GRAIN`].
const CORRECTION_LIMIT: i32 = 1024;
/// Units of a correction in a unit of the evaluation.
const CORRECTION_GRAIN: i32 = 17;

type ByPieceAndTarget<T> = Box<[[T; 256]; 32]>;
type Table = Box<[AtomicI16]>;

/// Where the row of a played move begins in the continuation history: the statistics of moves that follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Continuation(u32);

/// The statistics that each thread has for itself. They are kept from search to search during a game.
pub struct OwnHistory {
    quiet: ByPieceAndTarget<i16>,
    noisy: ByPieceAndTarget<i16>,
    counter: ByPieceAndTarget<Move>,
}

/// The large statistics, which all threads share. A change that is lost because two threads make one at once does no harm.
pub struct SharedHistory {
    /// Moves of a side, as many as kinds times squares.
    moves: usize,
    squares: usize,
    /// For each earlier move of either side (and one for none), a row for the moves that follow it one or two plies
    /// later.
    continuation_tables: [Table; 2],
    /// By correction table, side to move, and the hash of what the table looks at.
    corrections: [Table; CORRECTION_TABLES],
}

/// The statistics as a thread sees them.
pub struct History<'a> {
    /// Its own.
    pub own: &'a mut OwnHistory,
    /// Those of all threads.
    pub shared: &'a SharedHistory,
}

/// The histories of the quiet moves of a node.
pub struct QuietScores<'a> {
    /// By kind and target.
    butterfly: &'a [[i16; 256]; Kind::COUNT],
    /// The continuation history of the last two moves.
    rows: [&'a [AtomicI16]; 2],
}

#[inline]
fn index(side: Color, mv: Move) -> (usize, usize) {
    (Piece::new(side, mv.becomes()).index(), mv.to().index())
}

/// An entry after a bonus or malus with gravity: the nearer it is to the limit, the less it moves.
fn with_gravity<const LIMIT: i32>(entry: i16, bonus: i32) -> i16 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    entry + (bonus - i32::from(entry) * bonus.abs() / LIMIT) as i16
}

fn add_bonus(entry: &mut i16, bonus: i32) {
    *entry = with_gravity::<LIMIT>(*entry, bonus);
}

fn add_shared_bonus<const LIMIT: i32>(entry: &AtomicI16, bonus: i32) {
    entry.store(with_gravity::<LIMIT>(entry.load(Relaxed), bonus), Relaxed);
}

/// The place of a move in a row of the continuation history.
#[inline]
fn place<V: Evaluate>(mv: Move) -> usize {
    let (squares, _) = sizes::<V>();
    V::base_kind(mv.becomes()) * squares + mv.to().index()
}

/// The advantage of having the move, in units of the evaluation.
const TEMPO: Score = 15;

/// The squares of game `V` as tables count them, and the moves of a side: as many as kinds times squares.
#[inline]
fn sizes<V: Evaluate>() -> (usize, usize) {
    let squares = 64 * Set::<V>::WORDS;
    (squares, V::base_kinds() * squares)
}

/// The entries of a continuation table: a row for each move of either side, and one for none.
#[inline]
fn continuations(moves: usize) -> usize {
    (2 * moves + 1) * moves
}

impl OwnHistory {
    /// The memory of the tables, in bytes.
    pub const BYTES: usize = 32 * 256 * (2 * size_of::<i16>() + size_of::<Move>());
}

impl Default for OwnHistory {
    fn default() -> Self {
        OwnHistory {
            quiet: Box::new([[0; 256]; 32]),
            noisy: Box::new([[0; 256]; 32]),
            counter: Box::new([[Move::NONE; 256]; 32]),
        }
    }
}

impl SharedHistory {
    /// Empty statistics for game `V`.
    pub fn new<V: Evaluate>() -> Self {
        let (squares, moves) = sizes::<V>();
        let table = |entries| (0..entries).map(|_| AtomicI16::new(0)).collect();
        SharedHistory {
            moves,
            squares,
            continuation_tables: [(); 2].map(|()| table(continuations(moves))),
            corrections: [(); CORRECTION_TABLES].map(|()| table(2 * CORRECTIONS)),
        }
    }

    /// The memory of the tables in game `V`, in bytes.
    pub fn bytes<V: Evaluate>() -> usize {
        let (_, moves) = sizes::<V>();
        (2 * continuations(moves) + CORRECTION_TABLES * 2 * CORRECTIONS) * size_of::<i16>()
    }

    /// Do the sizes of the tables fit game `V`?
    pub fn fits<V: Evaluate>(&self) -> bool {
        (self.squares, self.moves) == sizes::<V>()
    }

    /// The row for no previous move.
    #[inline]
    pub fn no_continuation(&self) -> Continuation {
        Continuation((2 * self.moves * self.moves) as u32)
    }

    /// The row of moves that follow `mv` of `side`.
    #[inline]
    pub fn continuation<V: Evaluate>(&self, side: Color, mv: Move) -> Continuation {
        let at = side.index() * self.moves + place::<V>(mv);
        Continuation((at * self.moves) as u32)
    }
}

impl QuietScores<'_> {
    /// That of `mv`.
    #[inline(always)]
    pub fn score<V: Evaluate>(&self, mv: Move) -> Score {
        let butterfly = self.butterfly[mv.becomes().index()][mv.to().index()];
        let rows = self.rows.iter().map(|row| Score::from(row[place::<V>(mv)].load(Relaxed)));
        Score::from(butterfly) + rows.sum::<Score>()
    }
}

impl History<'_> {
    /// Butterfly and continuation history of a quiet move; `continuations` are the rows of the last two moves.
    #[inline]
    pub fn quiet<V: Evaluate>(&self, side: Color, mv: Move, continuations: [Continuation; 2]) -> Score {
        self.quiets(side, continuations).score::<V>(mv)
    }

    /// [`History::quiet`] of all moves of a node.
    #[inline]
    pub fn quiets(&self, side: Color, continuations: [Continuation; 2]) -> QuietScores<'_> {
        let butterfly = self.own.quiet.as_chunks().0;
        let row = |i: usize| {
            let start = continuations[i].0 as usize;
            &self.shared.continuation_tables[i][start..start + self.shared.moves]
        };
        QuietScores { butterfly: &butterfly[side.index()], rows: [row(0), row(1)] }
    }

    /// Are both continuation history scores of a quiet move bad?
    #[inline]
    pub fn has_bad_continuations<V: Evaluate>(&self, mv: Move, continuations: [Continuation; 2]) -> bool {
        self.continuation_scores::<V>(mv, continuations).all(|score| score < 0)
    }

    /// The continuation history of a quiet move, for each row of `continuations`.
    #[inline]
    fn continuation_scores<V: Evaluate>(
        &self,
        mv: Move,
        continuations: [Continuation; 2],
    ) -> impl Iterator<Item = Score> {
        let place = place::<V>(mv);
        let tables = self.shared.continuation_tables.iter().zip(continuations);
        tables.map(move |(table, continuation)| table[continuation.0 as usize + place].load(Relaxed).into())
    }

    /// Capture history of a noisy move.
    #[inline]
    pub fn noisy(&self, side: Color, mv: Move) -> Score {
        let (piece, to) = index(side, mv);
        self.own.noisy[piece][to].into()
    }

    /// The countermove: the quiet move of `side` that last refuted `previous`.
    #[inline]
    pub fn counter(&self, side: Color, previous: Move) -> Move {
        let (piece, to) = index(!side, previous);
        self.own.counter[piece][to]
    }

    /// Changes the butterfly and continuation history of a quiet move of `side`, by a bonus, or a malus below zero.
    /// `continuations` are the rows of the moves before it.
    pub fn add_quiet_bonus<V: Evaluate>(
        &mut self,
        side: Color,
        mv: Move,
        continuations: [Continuation; 2],
        bonus: i32,
    ) {
        let ((piece, to), place) = (index(side, mv), place::<V>(mv));
        add_bonus(&mut self.own.quiet[piece][to], bonus);
        for (table, continuation) in self.shared.continuation_tables.iter().zip(continuations) {
            add_shared_bonus::<LIMIT>(&table[continuation.0 as usize + place], bonus);
        }
    }

    /// Updates the statistics after a beta cutoff by a quiet move of `side`: a bonus for it, a malus for the quiet moves
    /// tried before.
    pub fn update_quiet<V: Evaluate>(
        &mut self,
        side: Color,
        mv: Move,
        previous: Move,
        continuations: [Continuation; 2],
        tried: &[Move],
        [bonus, malus]: [i32; 2],
    ) {
        self.add_quiet_bonus::<V>(side, mv, continuations, bonus);
        for &other in tried {
            self.add_quiet_bonus::<V>(side, other, continuations, -malus);
        }
        let (piece, to) = index(!side, previous);
        self.own.counter[piece][to] = mv;
    }

    /// Updates the butterfly history of a quiet move of `side` by the change of the static evaluation: from `before`, seen
    /// by that side, to `after`, seen by the other. The bonus is `factor` times what is gained.
    #[inline]
    pub fn update_by_evaluation(&mut self, side: Color, mv: Move, [before, after]: [Score; 2], factor: i32) {
        let (piece, to) = index(side, mv);
        // Both evaluations include the advantage of having the move.
        let gain = 2 * TEMPO - after - before;
        add_bonus(&mut self.own.quiet[piece][to], (factor * gain).clamp(-LIMIT / 4, LIMIT / 4));
    }

    /// Updates the capture history after a beta cutoff: a bonus for the noisy move `mv`, if it is not [`Move::NONE`], and a
    /// malus for the noisy moves tried before.
    #[inline]
    pub fn update_noisy(&mut self, side: Color, mv: Move, tried: &[Move], [bonus, malus]: [i32; 2]) {
        if mv.is_some() {
            let (piece, to) = index(side, mv);
            add_bonus(&mut self.own.noisy[piece][to], bonus);
        }
        for &other in tried {
            let (piece, to) = index(side, other);
            add_bonus(&mut self.own.noisy[piece][to], -malus);
        }
    }

    /// The index into each correction table. `last_moves` are the last move and the one before it.
    fn correction_indices<V: Evaluate>(
        pos: &Position<V>,
        last_moves: [Move; 2],
    ) -> [usize; CORRECTION_TABLES] {
        let place = |side, mv| {
            let (piece, to) = index(side, mv);
            (piece << 8 | to) as u64
        };
        let last = place(!pos.side(), last_moves[0]);
        // Spread by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
        let both = (last << 16 | place(pos.side(), last_moves[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let [white, black] = Color::BOTH.map(|color| pos.piece_key(color));
        [pos.pawn_key(), white, black, last, both]
            .map(|place| pos.side().index() * CORRECTIONS + place as usize % CORRECTIONS)
    }

    /// Prefetches what [`History::correction`] reads.
    #[inline]
    pub fn prefetch_correction<V: Evaluate>(&self, pos: &Position<V>, last_moves: [Move; 2]) {
        for (table, place) in self.shared.corrections.iter().zip(Self::correction_indices(pos, last_moves)) {
            prefetch(&table[place]);
        }
    }

    /// The correction to the static evaluation. `last_moves` are the last move and the one before it.
    #[inline]
    pub fn correction<V: Evaluate>(&self, pos: &Position<V>, last_moves: [Move; 2]) -> Score {
        let indices = Self::correction_indices(pos, last_moves);
        let entries = self.shared.corrections.iter().zip(indices);
        let all = entries.map(|(table, place)| Score::from(table[place].load(Relaxed)));
        all.sum::<Score>() / CORRECTION_GRAIN
    }

    /// Updates the corrections: the search scored the position `error` units above its corrected evaluation,
    /// weighted by its depth.
    pub fn correct<V: Evaluate>(&mut self, pos: &Position<V>, last_moves: [Move; 2], error: Score) {
        let bonus = error.clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, place) in self.shared.corrections.iter().zip(Self::correction_indices(pos, last_moves)) {
            add_shared_bonus::<CORRECTION_LIMIT>(&table[place], bonus);
        }
    }
}
