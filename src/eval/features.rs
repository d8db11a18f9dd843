//! The inputs of a network: a piece of a kind, own or enemy, on a square.

use super::game::Evaluate;
use crate::board::{Board, BySquare, Color, Kind, Piece, Square, SquareSet};
use crate::rules::Position;

/// How the features of a game are numbered.
///
/// Each side sees the board from its own end, and with left and right exchanged if its king stands on the right half.
/// Facings of a piece are kinds of their own, and turn with the board.
#[derive(Clone, Debug)]
pub struct Features {
    /// By perspective and whether left and right are exchanged: the number of a square.
    places: [[BySquare<u8>; 2]; 2],
    /// By perspective and whether left and right are exchanged: the first feature of a piece.
    first: [[[u16; 32]; 2]; 2],
    /// The squares of a king for which left and right are exchanged.
    right: BySquare<bool>,
    pieces: usize,
    squares: usize,
}

impl Features {
    /// Those of game `V`.
    pub fn new<V: Evaluate>() -> Self {
        let geometry = V::Board::geometry();
        let (kinds, squares) = (V::PIECES.len(), geometry.all().count() as usize);
        let mut numbers = [[0; 16]; 16];
        for (number, square) in geometry.all().squares().enumerate() {
            numbers[geometry.rank(square) as usize][geometry.file(square) as usize] = number as u8;
        }
        let mut features = Features {
            places: std::array::from_fn(|_| std::array::from_fn(|_| BySquare::filled(0))),
            first: [[[0; 32]; 2]; 2],
            right: BySquare::filled(false),
            pieces: 2 * kinds,
            squares,
        };
        for square in geometry.all().squares() {
            let (file, rank) = (geometry.file(square), geometry.rank(square));
            let (other_file, other_rank) = (V::Board::FILES - 1 - file, V::Board::RANKS - 1 - rank);
            for (places, rank) in features.places.iter_mut().zip([rank, other_rank]) {
                for (places, file) in places.iter_mut().zip([file, other_file]) {
                    places[square] = numbers[rank as usize][file as usize];
                }
            }
            features.right[square] = file > other_file;
        }
        for perspective in Color::BOTH {
            for mirrored in [false, true] {
                for (color, kind) in
                    Color::BOTH.into_iter().flat_map(|c| (0..kinds).map(move |k| (c, Kind::new(k))))
                {
                    // Black's end of the board is turned over, not around, and so exchanges left and right.
                    let turned = mirrored != (perspective == Color::Black);
                    let seen = if turned { V::reflected(kind) } else { kind };
                    let number = usize::from(color != perspective) * kinds + seen.index();
                    features.first[perspective.index()][usize::from(mirrored)]
                        [Piece::new(color, kind).index()] = (number * squares) as u16;
                }
            }
        }
        features
    }

    /// The number of features.
    pub fn count(&self) -> usize {
        self.pieces * self.squares
    }

    /// Does a side see the board with left and right exchanged if its king is on this square?
    #[inline]
    pub fn mirrored(&self, king: Square) -> bool {
        self.right[king]
    }

    /// The feature of a piece on a square, from the perspective of `color`.
    #[inline]
    pub fn feature(&self, color: Color, mirrored: bool, piece: Piece, square: Square) -> u16 {
        let (color, mirrored) = (color.index(), usize::from(mirrored));
        self.first[color][mirrored][piece.index()] + u16::from(self.places[color][mirrored][square])
    }

    /// The features of the pieces of a position, for the side to move and for the other one.
    pub fn of<V: Evaluate>(&self, pos: &Position<V>) -> Vec<[u16; 2]> {
        let sides = [pos.side(), !pos.side()];
        let mirrored = sides.map(|color| self.mirrored(pos.king(color)));
        let squares = pos.occupied().squares();
        squares
            .map(|square| [0, 1].map(|i| self.feature(sides[i], mirrored[i], pos.piece(square), square)))
            .collect()
    }

    /// The piece and the square of a feature: the number of the kind, with those of the enemy after the own, and the
    /// number of the square in the order of the board's squares.
    pub fn piece_and_place(&self, feature: usize) -> (usize, usize) {
        (feature / self.squares, feature % self.squares)
    }
}
