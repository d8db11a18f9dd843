//! Ways to turn and reflect a board under which a game stays the same.
//!
//! Which of them are symmetries of a game is not written down anywhere: it is found by comparing the moves of many
//! positions with those of their images.

use super::material::{class, kinds};
use quintain_core::board::{Board, BySquare, Color, Kind, Piece, Square, SquareSet};
use quintain_core::notation::Notation;
use quintain_core::rules::attacks::COMPASS;

/// A piece and where it stands.
pub(super) type Placed = (Square, Piece);

/// A map of the board onto itself, which also maps pieces: those that face somewhere turn with the board.
#[derive(Clone)]
pub(super) struct Symmetry {
    squares: BySquare<Square>,
    pieces: [Piece; 32],
}

/// A linear map: files and ranks after it from files and ranks before it.
type Linear = [[i16; 2]; 2];

const IDENTITY: Linear = [[1, 0], [0, 1]];
const UPSIDE_DOWN: Linear = [[1, 0], [0, -1]];

fn turned(map: Linear, (x, y): (i16, i16)) -> (i16, i16) {
    (map[0][0] * x + map[0][1] * y, map[1][0] * x + map[1][1] * y)
}

impl Symmetry {
    /// The map, with the colours exchanged if `flips`; `None` if it does not map the board onto itself, or if a piece that
    /// faces somewhere has no image.
    fn new<V: Notation>(map: Linear, flips: bool) -> Option<Symmetry> {
        let geometry = V::Board::geometry();
        let (files, ranks) = (i16::from(V::Board::FILES), i16::from(V::Board::RANKS));
        let mut symmetry = Symmetry { squares: BySquare::filled(Square::NONE), pieces: [Piece::NONE; 32] };
        for square in geometry.all().squares() {
            // Twice the distance from the centre is a whole number.
            let from = (
                2 * i16::from(geometry.file(square)) - files + 1,
                2 * i16::from(geometry.rank(square)) - ranks + 1,
            );
            let (x, y) = turned(map, from);
            let (file, rank) = (x + files - 1, y + ranks - 1);
            if file % 2 != 0 || rank % 2 != 0 {
                return None;
            }
            symmetry.squares[square] = geometry.square(file / 2, rank / 2)?;
        }
        for color in Color::BOTH {
            let image = if flips { !color } else { color };
            for kind in (0..V::PIECES.len()).map(Kind::new) {
                let piece = Piece::new(color, kind);
                symmetry.pieces[piece.index()] = match V::facing(piece) {
                    None => Piece::new(image, kind),
                    Some(facing) => {
                        // A facing is seen from its owner's side.
                        let sign = color.forward() * image.forward();
                        let (x, y) = turned(map, COMPASS[facing]);
                        let wanted = COMPASS.iter().position(|&step| step == (sign * x, sign * y));
                        kinds::<V>(class::<V>(kind))
                            .map(|kind| Piece::new(image, kind))
                            .find(|&piece| V::facing(piece) == wanted)?
                    }
                };
            }
        }
        Some(symmetry)
    }

    /// The board upside down with the colours exchanged.
    pub(super) fn of_colors<V: Notation>() -> Option<Symmetry> {
        Symmetry::new::<V>(UPSIDE_DOWN, true)
    }

    /// Turns and reflections that the shape of the board allows. The first changes nothing.
    pub(super) fn of_board<V: Notation>() -> Vec<Symmetry> {
        let maps: [Linear; 8] = [
            IDENTITY,
            [[-1, 0], [0, 1]],
            UPSIDE_DOWN,
            [[-1, 0], [0, -1]],
            [[0, 1], [1, 0]],
            [[0, -1], [1, 0]],
            [[0, 1], [-1, 0]],
            [[0, -1], [-1, 0]],
        ];
        maps.into_iter().filter_map(|map| Symmetry::new::<V>(map, false)).collect()
    }

    /// The image of a piece.
    #[inline]
    pub(super) fn image(&self, (square, piece): Placed) -> Placed {
        (self.squares[square], self.pieces[piece.index()])
    }
}
