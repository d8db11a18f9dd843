//! The commands of the program apart from the protocols: each tool has its `Args` and a `run`.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod convert;
pub mod diagram;
pub mod games;
pub mod handbook;
pub mod openings;
pub mod package;
pub mod perft;
pub mod play;
pub mod played;
pub mod puzzle;
pub mod puzzles;
pub mod rules;
#[cfg(feature = "web")]
pub mod site;
pub mod speed;
pub mod study;
pub mod suite;
pub mod tables;
pub mod text;
pub mod threads;
pub mod values;
pub mod variants;
pub mod xboard;
