//! What all games share: boards, rules, notation, evaluation and search, generic over the game.
//!
//! Nothing here names a game. The crate of a game implements [`rules::Variant`], [`notation::Notation`],
//! [`eval::Evaluate`] and [`session::Playable`] for its type; with the last of them, all generic code is compiled for
//! that game in its own crate. Start reading at `rules/variant.rs`, which lists everything that the rules of a game
//! define.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod host;
pub mod board;
pub mod rules;
pub mod notation;
pub mod eval;
pub mod search;
pub mod session;
#[cfg(feature = "testing")]
pub mod testing;

#[doc(hidden)]
pub use once_cell;
