//! What is known about the games: openings and puzzles. Both are made of games by long searches, shipped in the
//! program as text, and read here.
//!
//! [`book`] is a tree of openings, and [`grow`] makes one. [`puzzle`] is a list of puzzles and what solving them
//! means; [`find`] looks for puzzles in games, and [`theme`] says what happens in them. [`material`] measures
//! in games what pieces are worth. [`shipped`] has the texts of
//! the program. Nothing here reads or writes files.

pub mod book;
pub mod find;
pub mod grow;
pub mod material;
pub mod puzzle;
pub mod shipped;
pub mod theme;

pub use book::{Book, Edge};
pub use puzzle::{Goal, Puzzle};
