//! A small network that corrects the sum of weights, which ignores relations between pieces.
//!
//! It is an efficiently updatable neural network (Yu Nasu, Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi, 2018). Each piece on its square adds a row of numbers to a hidden layer; there is
//! one layer for each side, which sees the board from its own end and mirrored so that its king is on the left half.
//! Their values, clipped between zero and one, are summed with weights for each stage of the game. A layer is kept
//! and updated for the next position, which differs by few pieces.

use super::game::{Evaluate, Score};
use crate::board::{Board, BySquare, Color, Kind, Piece, Square, SquareSet};
use crate::rules::Position;

/// Numbers in the hidden layer of a side.
pub const HIDDEN: usize = 64;
/// Stages of a game, from bare kings to the start.
pub const STAGES: usize = 4;
/// The value of 1 in a hidden layer, where values are clipped.
pub const ONE: i16 = 255;
/// The value of 1 among the weights of the output.
pub const OUTPUT_ONE: i16 = 128;
/// Centipawns for an output of 1.
pub const SCALE: Score = 400;

/// A row of numbers for a hidden layer.
pub type Row = [i16; HIDDEN];

/// The numbers of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// By feature.
    pub rows: Vec<Row>,
    /// A hidden layer without pieces.
    pub start: Row,
    /// By stage, the weights of the hidden layers of the side to move and of the other one.
    pub outputs: [[Row; 2]; STAGES],
    /// By stage, what is added to the output.
    pub offsets: [i32; STAGES],
}

impl Numbers {
    /// The numbers as bytes: two each, four for the offsets, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().chain([&self.start]).chain(self.outputs.as_flattened());
        let mut bytes: Vec<u8> = rows.flatten().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(self.offsets.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// What [`Numbers::to_bytes`] wrote for so many features; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8], features: usize) -> Option<Numbers> {
        let (rows, offsets) = bytes.split_at_checked(bytes.len().checked_sub(4 * STAGES)?)?;
        let (pairs, rest) = rows.as_chunks::<2>();
        let numbers: Vec<i16> = pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        let (rows, more) = numbers.as_chunks::<HIDDEN>();
        if !rest.is_empty() || !more.is_empty() || rows.len() != features + 1 + 2 * STAGES {
            return None;
        }
        let (rows, others) = rows.split_at(features);
        let outputs = std::array::from_fn(|stage| [others[1 + 2 * stage], others[2 + 2 * stage]]);
        let (offsets, _) = offsets.as_chunks::<4>();
        let offsets = std::array::from_fn(|stage| i32::from_le_bytes(offsets[stage]));
        Some(Numbers { rows: rows.to_vec(), start: others[0], outputs, offsets })
    }
}

/// How the features of a position are numbered: a piece of a kind, own or enemy, on a square.
pub struct View<S> {
    /// By perspective and whether left and right are exchanged: the number of a square.
    places: [[BySquare<u8>; 2]; 2],
    /// The squares of a king for which left and right are exchanged.
    right: S,
    /// The number of each kind.
    kinds: [usize; Kind::COUNT],
    kind_count: usize,
    square_count: usize,
}

impl<S: SquareSet> View<S> {
    /// That of game `V`. Kinds with the same weights, such as the facings of a piece, are one.
    pub fn new<V: Evaluate>() -> Self
    where
        V::Board: Board<Set = S>,
    {
        let geometry = V::Board::geometry();
        let mut numbers = [[0; 16]; 16];
        for (number, square) in geometry.all().squares().enumerate() {
            numbers[geometry.rank(square) as usize][geometry.file(square) as usize] = number as u8;
        }
        let mut view = View {
            places: std::array::from_fn(|_| std::array::from_fn(|_| BySquare::filled(0))),
            right: S::EMPTY,
            kinds: std::array::from_fn(|kind| V::WEIGHTS.entry(Kind::new(kind))),
            kind_count: V::WEIGHTS.kinds.len(),
            square_count: geometry.all().count() as usize,
        };
        for square in geometry.all().squares() {
            let (file, rank) = (geometry.file(square), geometry.rank(square));
            let (other_file, other_rank) = (V::Board::FILES - 1 - file, V::Board::RANKS - 1 - rank);
            for (places, rank) in view.places.iter_mut().zip([rank, other_rank]) {
                for (places, file) in places.iter_mut().zip([file, other_file]) {
                    places[square] = numbers[rank as usize][file as usize];
                }
            }
            if file > other_file {
                view.right |= S::single(square);
            }
        }
        view
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        2 * self.kind_count * self.square_count
    }

    /// Does `color` see the board with left and right exchanged?
    #[inline]
    pub fn mirrored<V: Evaluate>(&self, pos: &Position<V>, color: Color) -> bool
    where
        V::Board: Board<Set = S>,
    {
        self.right.has(pos.king(color))
    }

    /// The feature of a piece on a square, from the perspective of `color`.
    #[inline]
    pub fn feature(&self, color: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
        let place = usize::from(self.places[color.index()][usize::from(mirrored)][square]);
        let kind = self.kinds[piece.kind().index()];
        let whose = usize::from(piece.color() != color) * self.kind_count;
        (whose + kind) * self.square_count + place
    }

    /// Of a feature, a number of the piece, own or enemy, and the number of the square, from the perspective of the
    /// side.
    pub fn piece_and_place(&self, feature: usize) -> (usize, usize) {
        (feature / self.square_count, feature % self.square_count)
    }
}

/// The hidden layers computed last, by perspective and whether left and right are exchanged.
pub struct Layers<S>([[Layer<S>; 2]; 2]);

/// A hidden layer, and for which pieces.
#[derive(Clone, Copy)]
struct Layer<S> {
    pieces: [[S; Kind::COUNT]; 2],
    sums: Row,
}

impl<S: SquareSet> Layers<S> {
    /// Those of an empty board.
    pub fn new(net: &Net<S>) -> Self {
        let layer = Layer { pieces: [[S::EMPTY; Kind::COUNT]; 2], sums: net.numbers.start };
        Layers([[layer; 2]; 2])
    }
}

/// A network of a game.
pub struct Net<S> {
    numbers: Numbers,
    view: View<S>,
}

impl<S: SquareSet> Net<S> {
    /// That of game `V` with these numbers.
    ///
    /// # Panics
    /// If their count is wrong for the game.
    pub fn new<V: Evaluate>(bytes: &[u8]) -> Net<S>
    where
        V::Board: Board<Set = S>,
    {
        let view = View::new::<V>();
        let numbers = Numbers::from_bytes(bytes, view.features()).expect("a network of the right size");
        Net { numbers, view }
    }

    /// What it adds to the evaluation, in centipawns for the side to move, at a stage below [`STAGES`].
    #[inline]
    pub fn evaluate<V: Evaluate>(&self, pos: &Position<V>, stage: usize, layers: &mut Layers<S>) -> Score
    where
        V::Board: Board<Set = S>,
    {
        let mut sum = self.numbers.offsets[stage];
        for (color, weights) in [pos.side(), !pos.side()].into_iter().zip(&self.numbers.outputs[stage]) {
            let layer = self.layer(pos, color, layers).iter().zip(weights);
            sum += layer
                .map(|(&number, &weight)| i32::from(number.clamp(0, ONE)) * i32::from(weight))
                .sum::<i32>();
        }
        (i64::from(sum) * i64::from(SCALE) / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as Score
    }

    /// The hidden layer of `color`: the last one of the same perspective, updated by the pieces that changed.
    #[inline]
    fn layer<'a, V: Evaluate>(&self, pos: &Position<V>, color: Color, layers: &'a mut Layers<S>) -> &'a Row
    where
        V::Board: Board<Set = S>,
    {
        let mirrored = self.view.mirrored(pos, color);
        let layer = &mut layers.0[color.index()][usize::from(mirrored)];
        for side in Color::BOTH {
            for kind in (0..V::PIECES.len()).map(Kind::new) {
                let then = &mut layer.pieces[side.index()][kind.index()];
                let now = pos.pieces(side, kind);
                if now == *then {
                    continue;
                }
                let (gone, come) = (then.minus(now), now.minus(*then));
                *then = now;
                let piece = Piece::new(side, kind);
                let row = |square| &self.numbers.rows[self.view.feature(color, mirrored, piece, square)];
                let sums = &mut layer.sums;
                come.squares().for_each(|square| {
                    sums.iter_mut().zip(row(square)).for_each(|(sum, number)| *sum += number);
                });
                gone.squares().for_each(|square| {
                    sums.iter_mut().zip(row(square)).for_each(|(sum, number)| *sum -= number);
                });
            }
        }
        &layer.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_bytes_and_only_if_none_are_missing() {
        let mut next = -40i16;
        let mut row = || {
            std::array::from_fn(|_| {
                next = next.wrapping_mul(31).wrapping_add(7);
                next
            })
        };
        let rows = vec![row(), row(), row()];
        let outputs = std::array::from_fn(|_| [row(), row()]);
        let numbers = Numbers { rows, start: row(), outputs, offsets: [-100_000, 3, 0, i32::MAX] };
        let bytes = numbers.to_bytes();
        assert_eq!(Numbers::from_bytes(&bytes, 3), Some(numbers));
        for wrong in [&bytes[1..], &bytes[2 * HIDDEN..], &[]] {
            assert_eq!(Numbers::from_bytes(wrong, 3), None);
        }
    }
}
