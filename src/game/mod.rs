//! What the board, the terminal and other programs for people share: levels, games as text, the judgement of moves.
//! Nothing here reads or writes files.

pub mod analyst;
pub mod level;
pub mod reading;
pub mod time;
pub mod values;

pub use analyst::Analyst;
