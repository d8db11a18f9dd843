//! The board in the browser. It translates between pages and an [`Engine`](quintain_engine::Engine), as the protocols do for
//! other programs: no page knows a rule of any game.
//!
//! [`room`] has the game in progress and handles commands; what it needs stands below it, and none of this knows of HTTP,
//! files or the terminal.

mod clock;
pub mod learn;
pub mod pieces;
mod record;
pub mod room;
mod rules;
mod tree;
pub mod view;

#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub use room::fuzzing;

/// The files of the page, by name. They are part of the program; a debug build reads them from the source folder, so that
/// a change needs no build.
#[derive(rust_embed::RustEmbed)]
#[folder = "page/"]
pub struct Page;
