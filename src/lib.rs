//! Quintain.

pub mod board;
pub mod notation;
pub mod rules;
pub mod variants;
