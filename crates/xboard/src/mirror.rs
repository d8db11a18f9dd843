//! The game as shown on XBoard's board.
//!
//! XBoard's board must always show the true position. So `planner` translates a special move into a *script*: a
//! ply, or several of the mover with passes between them, after which XBoard's board is right. In the other
//! direction, `recognise` finds the move to which plies from XBoard belong.

pub mod person;
mod planner;
mod recognise;

use super::board::{Board, Quirks};
use super::text::Numbering;
use super::text::Ply;
use planner::Planner;
use quintain_core::board::Color;
use quintain_engine::Session;

pub use recognise::{Completion, Recognised};

/// The game as XBoard sees it.
#[derive(Clone)]
pub struct Mirror {
    planner: Planner,
    numbering: Numbering,
    board: Board,
    /// The side to move on XBoard's board.
    side: Color,
    past: Vec<Past>,
}

/// A ply on XBoard's board.
#[derive(Clone)]
struct Past {
    board: Board,
    side: Color,
    /// The ply as the other engine receives it.
    relayed: Ply,
    /// It completed a move of the game.
    complete: bool,
}

impl Mirror {
    /// The view of a game in its present position.
    pub fn new(session: &dyn Session) -> Mirror {
        let quirks = Quirks::new(&session.info());
        Mirror {
            numbering: quirks.numbering(),
            board: Board::of(session, &quirks),
            planner: Planner::new(quirks, session),
            side: session.side(),
            past: Vec::new(),
        }
    }

    /// How XBoard treats the pieces.
    pub fn quirks(&self) -> &Quirks {
        &self.planner.quirks
    }

    /// How XBoard numbers the ranks.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The board as XBoard shows it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plies that XBoard has seen.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Plies of a move that is not complete yet.
    pub fn pending(&self) -> usize {
        self.past.iter().rev().take_while(|past| !past.complete).count()
    }

    /// The side to move on XBoard's board.
    pub fn side(&self) -> Color {
        self.side
    }

    fn push(&mut self, ply: &Ply, relayed: Ply) {
        let after = self.board.after(ply, self.side, &self.planner.quirks);
        let after = after.unwrap_or_else(|| self.board.clone());
        let board = std::mem::replace(&mut self.board, after);
        self.past.push(Past { board, side: self.side, relayed, complete: false });
        self.side = !self.side;
    }

    /// Records a ply that we send during a move.
    pub fn send(&mut self, ply: &Ply) {
        let relayed = self.board.relayed(ply);
        self.push(ply, relayed);
    }

    /// Takes back the last ply. `Some(true)`: a move of the game was completed by it.
    pub fn undo(&mut self) -> Option<bool> {
        let past = self.past.pop()?;
        self.board = past.board;
        self.side = past.side;
        Some(past.complete)
    }

    /// Forgets all plies; none can be taken back. A mirror of a long game is cheap to copy then.
    pub fn forget(&mut self) {
        self.past.clear();
    }

    /// Copies the board that XBoard has just sent.
    pub fn adopt(&mut self, board: &Board) {
        self.board.copy_pieces(board);
    }

    /// The board before the plies of a move that is not complete.
    fn before(&self) -> &Board {
        self.past.get(self.past.len() - self.pending()).map_or(&self.board, |past| &past.board)
    }

    /// Records that a move is complete: XBoard's board is now that of `session`.
    pub fn complete(&mut self, session: &dyn Session) {
        if let Some(last) = self.past.last_mut() {
            last.complete = true;
        }
        self.board.copy_pieces(&Board::of(session, &self.planner.quirks));
    }

    /// The plies that show XBoard the legal move `text` of `session`, recorded as sent. `None` if no plies
    /// would make XBoard's board right.
    pub fn show(&mut self, session: &dyn Session, text: &str) -> Option<Vec<Ply>> {
        let (planner, board, side) = (&self.planner, &self.board, session.side());
        let candidate = planner.candidates(session, |info| info.text == text).pop()?;
        let script = planner.short_script(&candidate, board, side).or_else(|| {
            planner.long_script(&candidate, &planner.candidates(session, |_| true), board, side)
        })?;
        for ply in &script {
            self.send(ply);
        }
        Some(script)
    }
}

#[cfg(test)]
mod tests;
