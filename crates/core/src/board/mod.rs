//! Squares, sets of squares, pieces and moves, independent of any game.

/// A reference to a value that is built on first use and kept: `built_once!(Tables, Tables::new)`. The type names no
/// parameter of a generic function, because there is one value for each place in the source.
#[macro_export]
macro_rules! built_once {
    ($kind:ty, $build:expr) => {{
        static VALUE: $crate::once_cell::sync::Lazy<$kind> = $crate::once_cell::sync::Lazy::new($build);
        &VALUE
    }};
}

pub mod bitboard;
pub mod geometry;
pub mod mv;
pub mod piece;
pub mod square;
pub mod zobrist;

pub use bitboard::{Bitboard, SquareSet};
pub use geometry::{Board, Geometry, square_name};
pub use mv::{MAX_MOVES, Move, MoveList, Tag};
pub use piece::{Black, Color, Kind, Piece, Side, White};
pub use square::{BySquare, Square};
