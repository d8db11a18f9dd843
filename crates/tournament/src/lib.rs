//! `quintain match`: matches between engines, with this program as the referee.
//!
//! Arithmetic is separate from what runs processes:
//!
//! - [`schedule`], [`limits`], [`adjudicate`], [`stats`], [`sprt`] and [`standings`] only compute;
//! - [`words`] and [`settings`] read the settings, [`book`] the openings;
//! - [`process`], [`player`], [`uci`] and [`cecp`] talk to engines, [`game`] referees one game, [`runner`] runs the
//!   match;
//! - [`watch`] reports a match in progress;
//! - [`record`], [`comment`], [`report`] and [`plot`] write.

pub mod adjudicate;
pub mod book;
pub mod cecp;
pub mod comment;
pub mod game;
pub mod limits;
pub mod player;
pub mod plot;
pub mod process;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod uci;
pub mod watch;
pub mod words;

mod command;
mod outputs;

pub use command::{Args, run};
