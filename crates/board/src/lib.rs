//! The board in the browser. It translates between pages and an [`Engine`](quintain_engine::Engine), as the protocols do for
//! other programs: no page knows a rule of any game.
//!
//! [`room`] has the game in progress and handles commands; what it needs stands below it, and none of this knows of HTTP,
//! files or the terminal.

mod clock;
pub mod endings;
pub mod handbook;
pub mod learn;
pub mod link;
pub mod page;
pub mod pieces;
pub mod puzzles;
mod record;
pub mod room;
mod rules;
pub mod site;
mod tree;
#[cfg(feature = "types")]
pub mod types;
pub mod view;

#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub use room::fuzzing;
