//! Positions and moves as text, and back.

pub mod coords;
pub mod draw;
pub mod fen;
pub mod pgn;
pub mod san;

pub use coords::MoveError;
pub use fen::FenError;
