//! Games between people and the engine, for every place where they are played: a terminal, a page, a browser alone.
//!
//! [`game`] has what such a game is made of: the sides, levels, clocks, draw offers, and the reading of games.
//! [`library`] keeps games; where, its [`Store`](library::Store) decides. Nothing here reads or writes files.

pub mod game;
pub mod library;
