//! Input and output of the program: files that cannot harm it, and text for a terminal.

pub mod files;
mod output;
pub mod tables;

pub use output::{ClosedOutput, INTERRUPTED, Interrupted, print};
