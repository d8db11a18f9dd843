//! The board in the browser. It translates between pages and an [`Engine`](crate::engine::Engine), as the protocols do for
//! other programs: no page knows a rule of any game.
//!
//! [`room`] has the game in progress and handles commands; what it needs stands below it, and none of this knows of HTTP,
//! files or the terminal.

mod clock;
pub(crate) mod learn;
pub(crate) mod pieces;
mod record;
pub(crate) mod room;
mod rules;
mod tree;
pub(crate) mod view;

#[cfg(any(test, feature = "fuzz"))]
pub(crate) use room::fuzzing;
