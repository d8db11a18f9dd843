#![doc = include_str!("ARCHITECTURE.md")]

pub mod board;
pub mod rules;
pub mod notation;
pub mod eval;
pub mod search;
pub mod variants;
pub mod engine;
pub mod protocol;
pub mod tools;
pub mod cli;
