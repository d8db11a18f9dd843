//! Rules, notation, evaluation and search of nine chess games: Canyon, Diamond, Grand Cavalier, Ginsberg's Super
//! Chess in two forms, Gast's two games, Chess and Grand Chess.
//!
//! A game is a type, and a [`Position`](rules::Position) is generic over it:
//!
//! ```
//! use quintain::rules::{Position, perft::perft};
//! use quintain::variants::canyon::Canyon;
//!
//! let mut start = Position::<Canyon>::default();
//! assert_eq!(perft(&mut start, 3), 4995);
//! ```
//!
//! Moves are read and written as coordinates, as in UCI, and as SAN:
//!
//! ```
//! use quintain::notation::{coords, san};
//! use quintain::rules::Position;
//! use quintain::variants::chess::Chess;
//!
//! let mut game = Position::<Chess>::default();
//! for text in ["e4", "e7e5", "Nf3"] {
//!     let mv = coords::parse(&game, text).or_else(|_| san::parse(&game, text))?;
//!     println!("{} is {}", coords::write(&game, mv), san::write(&game, mv));
//!     game.play(mv).expect("what is read is legal");
//! }
//! assert_eq!(game.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! # Ok::<(), quintain::notation::MoveError>(())
//! ```
//!
//! The error of a wrong FEN names the field and what is wrong with it:
//!
//! ```
//! use quintain::rules::Position;
//! use quintain::variants::gast::Gast12;
//!
//! let error = "12/12/12 w - - 0 1".parse::<Position<Gast12>>().unwrap_err();
//! assert_eq!(error.to_string(), "placement: 3 ranks instead of 12");
//! ```
//!
//! If the game is only known by its name, an [`Engine`](engine::Engine) hides the type, holds the game in progress
//! and searches it:
//!
//! ```
//! use quintain::engine::{Engine, Options};
//! use quintain::search::Limits;
//!
//! let mut engine = Engine::new(Options { variant: "diamond", hash: 1, ..Options::default() })?;
//! engine.game_mut().play_any("Nf4")?;
//! let found = engine.think(&Limits { depth: Some(3), ..Limits::default() }, &|_| ());
//! let line = engine.game().coordinates(&found.pv);
//! engine.game_mut().play(&line[0])?;
//! assert_eq!(engine.game().played().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Examples
//!
//! `cargo run --release --example NAME`:
//!
//! | name | what it shows |
//! |---|---|
//! | `perft` | counting sequences of moves, with code that is compiled for each game |
//! | `random_game` | playing to the end of a game, and writing PGN |
//! | `analysis` | a search that reports its lines |
//! | `annotate` | reading PGN, and scores for each move |
//! | `uci_match` | a referee of two UCI engines |
//! | `losalamos` | a new game on one page |
//! | `capablanca` | a new game with castling, en passant and a larger board |
//!
//! # Features
//!
//! Without its default feature `cli` the crate leaves out the protocols, the tools and the command line, with what
//! they depend on. The feature `web` has the board in the browser. `ARCHITECTURE.md` describes the design, and
//! `python/` has a Python package on top of the library.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub use quintain_core::{board, built_once, eval, notation, piece_moves, rules, search};
pub use quintain_engine::{self as engine, for_each_variant, variants};
pub use quintain_study as study;
pub use quintain_tables as tables;
#[cfg(all(feature = "cli", target_arch = "x86_64"))]
pub mod processor;
#[cfg(feature = "cli")]
pub mod tools;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(all(feature = "web", any(test, feature = "fuzz")))]
#[doc(hidden)]
pub mod fuzzing;
