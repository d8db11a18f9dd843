//! The interface between the referee and an engine.

use super::limits::Clock;
use super::process::Failure;
use quintain_core::board::Color;
use quintain_core::search::score::UciScore;
use quintain_engine::Session;
use std::time::Duration;

/// What an engine reported about its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// The score.
    pub score: Option<UciScore>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// A move that an engine made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineMove {
    /// The move as the engine wrote it, or as coordinates if it was translated already; `None` if it resigns.
    pub text: Option<String>,
    /// How long it took, from our command to the arrival of the move.
    pub time: Duration,
    /// Its last report.
    pub info: EngineInfo,
}

/// A new game.
pub struct NewGame<'a> {
    /// The position in which play begins, after the opening.
    pub session: &'a dyn Session,
    /// Where the game was set up, as FEN; `None` for the start of the game.
    pub fen: Option<&'a str>,
    /// The colour that the engine plays.
    pub side: Color,
    /// The name of the opponent.
    pub opponent: &'a str,
}

/// The position in which an engine is to move.
pub struct Turn<'a> {
    /// The game so far.
    pub session: &'a dyn Session,
    /// Where the game was set up, as FEN; `None` for the start of the game.
    pub fen: Option<&'a str>,
    /// All moves since then as coordinates.
    pub moves: &'a [String],
    /// The clocks of White and Black, where they have one.
    pub clocks: [Option<Clock>; 2],
    /// How long to wait until the move is lost on time; `None` if nothing limits it.
    pub allowance: Option<Duration>,
}

/// An engine that plays.
pub trait Player: Send {
    /// Its name.
    fn name(&self) -> &str;
    /// Prepares for a game.
    fn new_game(&mut self, game: &NewGame) -> Result<(), Failure>;
    /// Makes a move. A late move is returned too: the referee checks the clock.
    fn think(&mut self, turn: &Turn) -> Result<EngineMove, Failure>;
    /// The game is over.
    fn game_over(&mut self, result: &str, reason: &str);
    /// The last lines of the conversation, while the engine keeps running.
    fn last_lines(&mut self) -> Vec<String>;
    /// Ends the engine; the last lines of the conversation, with all that it wrote to standard error.
    fn end(self: Box<Self>) -> Vec<String>;
}
