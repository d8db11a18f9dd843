//! `quintain match`: engines play each other, and this program is the referee.
//!
//! What is arithmetic stands apart from what runs processes:
//!
//! - [`schedule`], [`limits`], [`adjudicate`], [`stats`], [`sprt`] and [`standings`] compute, and nothing else;
//! - [`words`] and [`settings`] read what is asked for, [`book`] the openings;
//! - [`process`], [`player`], [`uci`] and [`cecp`] talk to engines, [`game`] referees one game, [`runner`] all;
//! - [`watch`] tells what happens meanwhile;
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

pub use command::{Args, run};
