//! What a page may ask for.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use crate::puzzles::{Attempt, Wish};
use crate::view::{EngineSettings, NodeId};
use quintain_engine::FileRank;
use quintain_play::game::Settings;
use serde::Deserialize;

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
    /// The moves of the opening book after a position.
    Book { node: NodeId },
    /// A position as a picture: SVG.
    Picture {
        node: NodeId,
        flipped: bool,
        dark: bool,
        #[serde(default)]
        arrows: Vec<(FileRank, FileRank)>,
    },
    /// A puzzle that suits the person.
    Puzzle(Wish),
    /// What happens in the puzzles of a game, and how often.
    PuzzleTags { game: String },
    /// An attempt to solve a puzzle.
    Solve(Attempt),
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
    /// How many seconds a move takes at least when the engine plays both sides.
    Pace { seconds: f64 },
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
    /// Sets up a position from a FEN, or loads the games of a PGN; those that do not say their kind are of this one.
    Load {
        text: String,
        #[serde(default)]
        kind: Option<String>,
    },
    /// The game as PGN.
    Pgn,
    /// The link of the game up to this position, or of the position alone.
    Link { node: NodeId, position: bool },
    /// Goes on with the game of a link, or begins it.
    Follow { link: String },
    /// The games of the library.
    Games,
    /// Goes on with a game of the library.
    Open { id: String },
    /// Goes on with the last game of this kind, or begins one.
    Continue { game: String },
    /// Gives a game of the library a name.
    Rename { id: String, name: String },
    /// Deletes games of the library.
    Delete { ids: Vec<String> },
    /// Brings back what was deleted last.
    Undelete,
    /// Games of the library as one PGN.
    Export { ids: Vec<String> },
    /// The rules of a game.
    Rules { game: String },
    /// A position for the editor: that of a FEN.
    Position { game: String, fen: String },
    /// The FEN of a position of the editor, and what is wrong with it.
    Compose { game: String, pieces: Vec<String>, fields: String },
}

impl Command {
    /// Does it do more than to ask for something?
    pub fn changes(&self) -> bool {
        use Command::*;
        !matches!(
            self,
            Moves { .. }
                | Book { .. }
                | Picture { .. }
                | Puzzle(_)
                | PuzzleTags { .. }
                | Solve(_)
                | Analyse { .. }
                | Pgn
                | Link { .. }
                | Games
                | Export { .. }
                | Rules { .. }
                | Position { .. }
                | Compose { .. }
        )
    }
}
