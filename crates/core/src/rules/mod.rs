//! What the games share: positions, attack tables, the parts of move generators, the end of a game, perft.
//!
//! Read [`Variant`] first: it is everything that a game defines.

pub mod attacks;
pub mod castling;
pub mod movegen;
pub mod outcome;
pub mod pawns;
pub mod perft;
pub mod pieces;
pub mod position;
pub mod safety;
pub mod setup;
pub mod variant;

pub use outcome::{Outcome, Reason};
pub use position::{Arranger, Editor, IllegalMove, Position};
pub use safety::Safety;
pub use variant::{Extra, PieceDef, Rights, Set, Variant};
