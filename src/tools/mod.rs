//! What the binary does besides talking to a GUI: each tool has its `Args` and a `run`.

pub mod bench;
pub mod perft;
pub mod play;
pub mod suite;
