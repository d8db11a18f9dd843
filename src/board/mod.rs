//! Squares, sets of squares, pieces and moves, independent of any game.

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
