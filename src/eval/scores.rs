//! What follows from a game's weights and board, laid out for speed.

use super::net::Net;
use super::weights::{Layout, Pair, mobility_step};
use super::{Evaluate, Score};
use crate::board::{Board, BySquare, Color, Kind, SquareSet};
use crate::rules::Variant;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A middlegame and an endgame score added up in one word.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Phased(i64);

impl Phased {
    /// Both scores of a weight.
    pub const fn new(pair: Pair) -> Self {
        Phased(pair.0 as i64 + ((pair.1 as i64) << 32))
    }

    /// The middlegame score.
    #[inline]
    pub const fn middle(self) -> Score {
        self.0 as i32
    }

    /// The endgame score.
    #[inline]
    pub const fn end(self) -> Score {
        // The low half may have borrowed one from the high half.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }
}

impl Add for Phased {
    type Output = Phased;
    #[inline]
    fn add(self, other: Phased) -> Phased {
        Phased(self.0 + other.0)
    }
}
impl Sub for Phased {
    type Output = Phased;
    #[inline]
    fn sub(self, other: Phased) -> Phased {
        Phased(self.0 - other.0)
    }
}
impl AddAssign for Phased {
    #[inline]
    fn add_assign(&mut self, other: Phased) {
        self.0 += other.0;
    }
}
impl Mul<Score> for Phased {
    type Output = Phased;
    #[inline]
    fn mul(self, times: Score) -> Phased {
        Phased(self.0 * i64::from(times))
    }
}
impl Neg for Phased {
    type Output = Phased;
    #[inline]
    fn neg(self) -> Phased {
        Phased(-self.0)
    }
}

/// What is looked up of a kind of piece that is neither a pawn nor royal.
#[derive(Clone, Copy)]
pub(super) struct Officer {
    pub(super) kind: Kind,
    /// What it is worth in exchanges, and by phase.
    pub(super) value: Score,
    pub(super) weight: Phased,
    /// See [`super::KindWeights::siege`].
    pub(super) siege: i32,
    /// How many of the officers before it are worth less than it by [`LESSER`] or more.
    pub(super) lesser: usize,
}

/// What a game's evaluation looks up, the network included.
pub struct Scores<S> {
    /// By colour, kind and square: value and placement.
    pub(super) pieces: [[BySquare<Phased>; Kind::COUNT]; 2],
    /// By kind and the squares that a piece may go to.
    pub(super) mobility: [[Phased; REACH]; Kind::COUNT],
    /// By kind, the single weights of a kind in the order of [`Layout`], from [`Layout::SECOND`] on.
    pub(super) single: [[Phased; Layout::RANKS - Layout::SECOND]; Kind::COUNT],
    /// The general weights in the order of [`Layout`].
    pub(super) general: [Phased; Layout::GENERAL],
    /// Kinds other than pawns and the royal piece, from the least valued to the most.
    pub(super) officers: Vec<Officer>,
    /// The place among them of the first that is worth at least three quarters of the last.
    heavy: usize,
    /// What the officers of both sides are worth at the start: all of it is a middlegame, none an endgame.
    pub(super) opening: Score,
    /// By colour and square: the squares before a pawn on its file, and on the next files.
    pub(super) ahead: [BySquare<S>; 2],
    pub(super) beside_ahead: [BySquare<S>; 2],
    /// By colour and square: how far a pawn has come on its road to promotion, 0 to 6.
    pub(super) advance: [BySquare<u8>; 2],
    /// The files next to a square's file.
    pub(super) beside: BySquare<S>,
    /// By colour and square: what is ahead of it on the file to the left, on its own and on the file to the right; nothing
    /// on the middle files, where a pawn is no shield.
    pub(super) cover: [BySquare<[S; 3]>; 2],
    /// The squares at most two steps away.
    pub(super) ring: BySquare<S>,
    /// The squares beside a square, and those beside the nearest one that is not on the edge.
    pub(super) zone: BySquare<S>,
    /// By square: steps to the centre of the board, along the longer way.
    pub(super) off_centre: BySquare<u8>,
    pub(super) net: Option<Net<S>>,
}

/// More squares than this less one make no difference to mobility.
pub(super) const REACH: usize = 64;

/// By how much a piece counts as worth less than another.
const LESSER: Score = 60;

/// The place of file `file` among weights by file: 0 at both edges.
pub(super) fn wing<V: Variant>(file: u8) -> usize {
    file.min(V::Board::FILES - 1 - file) as usize
}

impl<S: SquareSet> Scores<S> {
    /// The officers that are worth at least three quarters of the strongest.
    pub(super) fn heavy(&self) -> &[Officer] {
        &self.officers[self.heavy..]
    }

    /// The tables of game `V`.
    pub fn new<V: Evaluate>() -> Self
    where
        V::Board: Board<Set = S>,
    {
        let (weights, geometry) = (V::WEIGHTS, V::Board::geometry());
        let empty = || BySquare::filled(S::EMPTY);
        let mut scores = Scores {
            pieces: std::array::from_fn(|_| std::array::from_fn(|_| BySquare::filled(Phased::default()))),
            mobility: [[Phased::default(); REACH]; Kind::COUNT],
            single: [[Phased::default(); Layout::RANKS - Layout::SECOND]; Kind::COUNT],
            general: [Phased::default(); Layout::GENERAL],
            officers: Vec::new(),
            heavy: 0,
            opening: 0,
            ahead: [empty(), empty()],
            beside_ahead: [empty(), empty()],
            advance: [BySquare::filled(0), BySquare::filled(0)],
            beside: empty(),
            cover: [BySquare::filled([S::EMPTY; 3]), BySquare::filled([S::EMPTY; 3])],
            ring: empty(),
            zone: empty(),
            off_centre: BySquare::filled(0),
            net: V::NET.map(Net::new::<V>),
        };
        let (row, layout) = (weights.flat(), weights.layout());
        for (i, &pair) in row[layout.general..].iter().enumerate() {
            scores.general[i] = Phased::new(pair);
        }
        for i in 0..V::PIECES.len() {
            let kind = Kind::new(i);
            let w = weights.kind(kind);
            let mobility = |squares| Phased::new(w.mobility[mobility_step(squares as u32)]);
            scores.mobility[i] = std::array::from_fn(mobility);
            let single = &row[weights.entry(kind) * layout.stride..];
            scores.single[i] = std::array::from_fn(|part| Phased::new(single[Layout::SECOND + part]));
            for color in Color::BOTH {
                for square in geometry.all().squares() {
                    let (rank, file) = super::place::<V>(color, square);
                    scores.pieces[color.index()][i][square] =
                        Phased::new(w.value) + Phased::new(w.ranks[rank]) + Phased::new(w.files[file]);
                }
            }
            if kind != V::ROYAL && !V::PAWNS.contains(&kind) {
                let (value, weight) = (weights.value(kind), Phased::new(w.value));
                scores.officers.push(Officer { kind, value, weight, siege: w.siege.into(), lesser: 0 });
            }
        }
        scores.officers.sort_by_key(|officer| officer.value);
        for i in 0..scores.officers.len() {
            let value = scores.officers[i].value;
            scores.officers[i].lesser =
                scores.officers.partition_point(|other| other.value + LESSER <= value);
        }
        let strongest = scores.officers.last().map_or(0, |officer| officer.value);
        scores.heavy = scores.officers.partition_point(|officer| 4 * officer.value < 3 * strongest);
        for letter in V::START.bytes().take_while(|&byte| byte != b' ') {
            let is_it =
                |officer: &&Officer| V::PIECES[officer.kind.index()].letter == letter.to_ascii_lowercase();
            // All facings of a piece share a letter: the first will do.
            scores.opening += scores.officers.iter().find(is_it).map_or(0, |officer| officer.value);
        }
        for square in geometry.all().squares() {
            for color in Color::BOTH {
                let (rank, _) = super::place::<V>(color, square);
                scores.advance[color.index()][square] = (rank as u8).saturating_sub(V::ROAD).min(6);
            }
            let (file, rank) = (i16::from(geometry.file(square)), i16::from(geometry.rank(square)));
            for other in geometry.all().squares() {
                let (there, level) = (i16::from(geometry.file(other)), i16::from(geometry.rank(other)));
                let single = S::single(other);
                for color in Color::BOTH {
                    let before = (level - rank) * color.forward() > 0;
                    let flank = wing::<V>(there as u8) < wing::<V>((V::Board::FILES - 1) / 2);
                    if before && flank && (there - file).abs() <= 1 {
                        scores.cover[color.index()][square][(there - file + 1) as usize] |= single;
                    }
                    if before && there == file {
                        scores.ahead[color.index()][square] |= single;
                    }
                    if before && (there - file).abs() == 1 {
                        scores.beside_ahead[color.index()][square] |= single;
                    }
                }
                let inner = |at: i16, size: u8| at.clamp(1, i16::from(size) - 2);
                let inner = (inner(file, V::Board::FILES), inner(rank, V::Board::RANKS));
                let beside_inner = (there - inner.0).abs() <= 1 && (level - inner.1).abs() <= 1;
                if beside_inner || geometry.steps(square, other) <= 1 {
                    scores.zone[square] |= single;
                }
                if geometry.steps(square, other) <= 2 {
                    scores.ring[square] |= single;
                }
                if (there - file).abs() == 1 {
                    scores.beside[square] |= single;
                }
            }
            let half = |at: i16, size: u8| ((2 * at - i16::from(size - 1)).unsigned_abs() / 2) as u8;
            scores.off_centre[square] = half(file, V::Board::FILES).max(half(rank, V::Board::RANKS));
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scores_survive_sums_and_products() {
        for (a, b) in [(5, -7), (-30_000, 30_000), (-1, 0), (0, -1), (-3, -4)] {
            let sum = Phased::new((a, b)) * 3 - Phased::new((b, a)) + Phased::new((a, a));
            let (a, b) = (Score::from(a), Score::from(b));
            assert_eq!((sum.middle(), sum.end()), (4 * a - b, 3 * b));
        }
    }
}
