//! The inputs of a network: a piece of a kind, own or enemy, on a square; in some games also the king bucket.

use crate::board::{Board, BySquare, Color, Kind, Piece, Square, SquareSet};
use crate::rules::{Position, Variant};

/// What the network of a game sees of it.
pub trait Inputs: Variant {
    /// Are the features of the network different for each king bucket? That needs more positions to learn from.
    const KING_BUCKETS: bool = false;
    /// The game whose networks this game can use.
    const NETWORK_GAME: &'static str = Self::NAME;

    /// What a kind becomes when left and right of the board are exchanged.
    fn mirrored(kind: Kind) -> Kind {
        kind
    }
}

/// How a side sees the board: twice its king bucket, and one more if left and right are exchanged (horizontal mirroring).
pub type View = u8;

/// The king buckets of a game that has them: on the first rank near the edge or in the middle, on the second rank,
/// and beyond.
const BUCKET_COUNT: usize = 4;
/// The most views of a side.
pub(super) const VIEWS: usize = 2 * BUCKET_COUNT;

/// How the features of a game are numbered.
///
/// Each side sees the board from its own end, and with left and right exchanged if its king stands on the right half.
/// Facings of a piece are kinds of their own, and turn with the board. Features are numbered by king bucket, then
/// by piece, then by square.
#[derive(Clone, Debug)]
pub struct Features {
    /// By perspective and whether left and right are exchanged: the number of a square.
    places: [[BySquare<u8>; 2]; 2],
    /// By perspective and view: the first feature of a piece.
    first: [[[u16; 32]; VIEWS]; 2],
    /// By perspective and square of the king.
    views: [BySquare<View>; 2],
    king_buckets: usize,
    pieces: usize,
    squares: usize,
}

impl Features {
    /// Those of game `V`.
    pub fn new<V: Inputs>() -> Self {
        let geometry = V::Board::geometry();
        let (kinds, squares) = (V::PIECES.len(), geometry.all().count() as usize);
        let mut numbers = [[0; 16]; 16];
        for (number, square) in geometry.all().squares().enumerate() {
            numbers[geometry.rank(square) as usize][geometry.file(square) as usize] = number as u8;
        }
        let mut features = Features {
            places: std::array::from_fn(|_| std::array::from_fn(|_| BySquare::filled(0))),
            first: [[[0; 32]; VIEWS]; 2],
            views: std::array::from_fn(|_| BySquare::filled(0)),
            king_buckets: if V::KING_BUCKETS { BUCKET_COUNT } else { 1 },
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
            for (views, rank) in features.views.iter_mut().zip([rank, other_rank]) {
                let bucket = match rank {
                    _ if !V::KING_BUCKETS => 0,
                    0 => u8::from(file.min(other_file) >= V::Board::FILES / 4),
                    1 => 2,
                    _ => 3,
                };
                views[square] = 2 * bucket + u8::from(file > other_file);
            }
        }
        for perspective in Color::BOTH {
            for view in 0..2 * features.king_buckets {
                for (color, kind) in
                    Color::BOTH.into_iter().flat_map(|c| (0..kinds).map(move |k| (c, Kind::new(k))))
                {
                    // Black's end of the board is turned over, not around, and so exchanges left and right.
                    let turned = (view % 2 == 1) != (perspective == Color::Black);
                    let seen = if turned { V::mirrored(kind) } else { kind };
                    let (bucket, number) =
                        (view / 2, usize::from(color != perspective) * kinds + seen.index());
                    features.first[perspective.index()][view][Piece::new(color, kind).index()] =
                        ((bucket * 2 * kinds + number) * squares) as u16;
                }
            }
        }
        features
    }

    /// The number of features.
    pub fn count(&self) -> usize {
        self.king_buckets * self.pieces * self.squares
    }

    /// How `color` sees the board if its king is on this square.
    #[inline]
    pub fn view(&self, color: Color, king: Square) -> View {
        self.views[color.index()][king]
    }

    /// The feature of a piece on a square, from the perspective of `color`.
    #[inline]
    pub fn feature(&self, color: Color, view: View, piece: Piece, square: Square) -> u16 {
        let (color, view) = (color.index(), usize::from(view));
        self.first[color][view][piece.index()] + u16::from(self.places[color][view % 2][square])
    }

    /// The features of the pieces of a position, for the side to move and for the other one.
    pub fn of<V: Inputs>(&self, pos: &Position<V>) -> Vec<[u16; 2]> {
        let sides = [pos.side(), !pos.side()];
        let views = sides.map(|color| self.view(color, pos.king(color)));
        let squares = pos.occupied().squares();
        squares
            .map(|square| [0, 1].map(|i| self.feature(sides[i], views[i], pos.piece(square), square)))
            .collect()
    }

    /// The piece and the square of a feature: the number of the kind, with those of the enemy after the own, and the
    /// number of the square in the order of the board's squares.
    pub fn piece_and_place(&self, feature: usize) -> (usize, usize) {
        (feature / self.squares % self.pieces, feature % self.squares)
    }
}
