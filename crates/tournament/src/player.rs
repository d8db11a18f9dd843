//! The interface between the referee and an engine.

use super::limits::Clock;
use super::process::{Failure, Process};
use quintain_core::board::Color;
use quintain_core::search::score::UciScore;
use quintain_engine::Session;
use std::time::{Duration, Instant};

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
    /// May it play another game, or must it be started anew for that?
    fn is_reusable(&self) -> bool;
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

/// The wait for a move.
pub(super) struct Wait {
    begun: Instant,
    limit: Duration,
    deadline: Instant,
    patience: Duration,
    /// Does the engine play without a clock?
    unlimited: bool,
    /// It was told to move at once.
    hurried: bool,
}

impl Wait {
    /// A move without a clock may take so many times the patience.
    const UNLIMITED: u32 = 6;

    /// Begins to wait.
    pub fn new(turn: &Turn, patience: Duration) -> Wait {
        let begun = Instant::now();
        let limit = turn.allowance.unwrap_or(patience.saturating_mul(Self::UNLIMITED));
        let deadline = begun.checked_add(limit).unwrap_or(begun + Duration::from_secs(1 << 24));
        Wait { begun, limit, deadline, patience, unlimited: turn.allowance.is_none(), hurried: false }
    }

    /// The next line of the engine, and when it came. When the time is over, the game is lost, but the engine may be used
    /// for the next one: the command `hurry` tells it to move at once. `answer` is what is waited for.
    pub fn next(
        &mut self,
        process: &mut Process,
        hurry: &str,
        answer: &str,
    ) -> Result<(Instant, String), Failure> {
        loop {
            if let Some(line) = process.next(self.deadline)? {
                return Ok(line);
            }
            if self.hurried {
                return Err(Failure::Stalled(format!("no {answer}")));
            }
            process.send(hurry)?;
            self.deadline = Instant::now() + self.patience;
            self.hurried = true;
        }
    }

    /// How long it took until a line came.
    pub fn since_begin(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.begun)
    }

    /// How long it took until the answer came; without a clock it must not have been hurried.
    pub fn time(&self, at: Instant, answer: &str) -> Result<Duration, Failure> {
        if self.hurried && self.unlimited {
            let limit = self.limit.as_secs_f64();
            return Err(Failure::Stalled(format!("no {answer} within {limit} s")));
        }
        Ok(self.since_begin(at))
    }
}
