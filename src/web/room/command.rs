//! What a page may ask for.

use super::open;
use crate::engine::skill::FULL;
use crate::web::clock::TimeControl;
use crate::web::tree::NodeId;
use crate::web::view::EngineSettings;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// What a page may ask for.
#[derive(Deserialize, Debug)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Begins a game.
    New(Settings),
    /// Begins again with the same settings; a person who plays the engine changes sides.
    Rematch,
    /// Plays a move, as coordinates or as people write it. After the last position it goes on with the game, elsewhere it
    /// adds a variation.
    Play { node: NodeId, text: String },
    /// The legal moves after a position.
    Moves { node: NodeId },
    /// Takes back to the last position in which a person was to move.
    TakeBack,
    /// The person gives up.
    Resign,
    /// The person offers a draw.
    OfferDraw,
    /// The other person's draw is taken or not.
    AnswerDraw { accept: bool },
    /// What would the engine play?
    Hint,
    /// The engine stops thinking and moves.
    MoveNow,
    /// Stops the engine's play and the clocks, or lets them go on.
    Pause { on: bool },
    /// How well the engine plays.
    Level { level: u32 },
    /// Which sides the engine plays: White, Black.
    Players { engine: [bool; 2] },
    /// Shows the best lines of a position; of none without a position.
    Analyse { node: Option<NodeId> },
    /// What the engine may use.
    Engine(EngineSettings),
    /// Looks for the mistakes of the game, or stops that.
    Annotate { on: bool },
    /// Sets the comment on a position.
    Comment { node: NodeId, text: String },
    /// Removes a variation from this position on.
    Remove { node: NodeId },
    /// Sets up a position from a FEN, or a game from a PGN.
    Load { text: String },
    /// The game as PGN.
    Pgn,
    /// The rules of a game.
    Rules { game: String },
    /// A position for the editor: that of a FEN.
    Position { game: String, fen: String },
    /// The FEN of a position of the editor, and what is wrong with it.
    Compose { game: String, pieces: Vec<String>, fields: String },
}

/// A game to begin.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub game: String,
    #[serde(default)]
    pub fen: Option<String>,
    /// Does the engine play White, Black?
    pub engine: [bool; 2],
    pub level: u32,
    /// How long the engine may think about a move where there is no clock.
    pub seconds: f64,
    #[serde(default)]
    pub clock: Option<TimeControl>,
}

impl Settings {
    /// A person against the engine at full strength.
    pub fn of(game: &str) -> Settings {
        let engine = [false, true];
        Settings { game: game.into(), fen: None, engine, level: FULL, seconds: 2.0, clock: None }
    }

    /// Refuses what is out of bounds.
    pub fn check(&self) -> Result<()> {
        open(&self.game)?;
        let Settings { level, seconds, .. } = self;
        ensure!(*level <= FULL, "level: {level} is not from 0 to {FULL}");
        ensure!((0.01..=3600.0).contains(seconds), "seconds: {seconds} is not from 0.01 to 3600");
        if let Some(TimeControl { minutes, increment }) = self.clock {
            ensure!((0.05..=600.0).contains(&minutes), "minutes: {minutes} is not from 0.05 to 600");
            ensure!((0.0..=600.0).contains(&increment), "increment: {increment} is not from 0 to 600");
        }
        Ok(())
    }
}
