//! What the board, the terminal and other programs for people share: levels, games as text, the judgement of moves, and
//! games in progress between people and the engine. Nothing here reads or writes files.

pub mod analyst;
pub mod level;
mod live;
pub mod reading;
pub mod time;
pub mod values;
pub mod verdict;

pub use analyst::Analyst;
pub use live::{End, LiveGame, Settings, TimeControl, is_early_for_draw, takes_draw};
