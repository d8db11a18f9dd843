//! What XBoard needs to be told to show our games, and what it says back, as plain values and text.
//!
//! XBoard knows the rules of chess and of some other games, but not of ours. It gets a description of the game, and its
//! board is changed only by moves that it understands. [`games`] has what it needs to know about each game; [`board`] is
//! a model of what its moves do, and [`mirror`] keeps its board in step with ours by it. [`text`] has its moves,
//! [`position`] its positions, [`movetext`] the moves in its files, and [`marks`] the squares that it highlights.
//!
//! Engines that speak CECP, referees of such engines, and files need the same, so nothing here reads or prints.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod board;
pub mod games;
pub mod marks;
pub mod mirror;
pub mod movetext;
pub mod position;
pub mod text;
