//! The commands of the program apart from the protocols: each tool has its `Args` and a `run`.

pub mod analyse;
pub mod bench;
pub mod convert;
pub mod games;
pub mod openings;
pub mod package;
pub mod perft;
pub mod play;
pub mod rules;
pub mod speed;
pub mod suite;
pub mod text;
pub mod tune;
pub mod values;
pub mod variants;
pub mod xboard;

use crate::engine::options::most_threads;

/// Reads the number of threads of a command.
pub fn threads(text: &str) -> Result<usize, String> {
    let most = most_threads();
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("on this machine it must be 1 to {most}"))
}
