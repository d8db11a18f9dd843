//! Whoever plays: what the referee asks for, and what comes back.

use super::limits::Clock;
use super::process::Failure;
use crate::board::Color;
use crate::engine::Session;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A score as engines give it, for the side that thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    /// Centipawns.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to a mate; negative for being mated.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Score {
    /// As a number by which scores can be compared; mates are beyond all evaluations.
    pub fn value(self) -> i32 {
        const MATE: i32 = 10_000_000;
        match self {
            Score::Centipawns(score) => score.clamp(-MATE / 2, MATE / 2),
            Score::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 4),
            Score::Mate(moves) => -MATE - moves.max(-MATE / 4),
        }
    }
}

/// What an engine said about its last thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The score.
    pub score: Option<Score>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The move as the engine wrote it, or as coordinates if it was translated already; `None` if it resigns.
    pub text: Option<String>,
    /// How long it took, from our question to the arrival of the answer.
    pub time: Duration,
    /// What it thought.
    pub thought: Thought,
}

/// A game that begins.
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

/// A question.
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

/// Somebody who can play.
pub trait Player: Send {
    /// What it calls itself.
    fn name(&self) -> &str;
    /// Gets ready for a game.
    fn new_game(&mut self, game: &NewGame) -> Result<(), Failure>;
    /// Answers with a move. An answer that comes too late is an answer: the referee looks at the clock.
    fn think(&mut self, turn: &Turn) -> Result<Reply, Failure>;
    /// The game is over.
    fn game_over(&mut self, result: &str, reason: &str);
    /// The last lines that were spoken.
    fn last_lines(&mut self) -> Vec<String>;
}
