//! Moves as a person makes or types them in XBoard.

use super::Mirror;
use super::planner::Candidate;
use crate::text::Ply;
use quintain_engine::{FileRank, Session};

/// A legal move made with the mouse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MouseMove {
    /// Where the piece is put.
    pub to: FileRank,
    /// The letter of what it becomes, if that must be chosen.
    pub suffix: Option<char>,
    /// It captures something.
    pub captures: bool,
}

impl Mirror {
    /// A legal move as people write it in XBoard: from, to, and the letter of a promotion or facing.
    pub fn word(&self, session: &dyn Session, text: &str) -> String {
        let candidate = self.planner.candidates(session, |info| info.text == text).pop();
        let natural = candidate.and_then(|candidate| self.planner.natural(&candidate, &self.board));
        natural.map_or_else(|| self.numbering.show(text), |ply| self.numbering.word(&ply))
    }

    /// The legal move with this text: as [`Mirror::word`] writes it, as a script of one ply, or as our own
    /// coordinates with XBoard's ranks.
    pub fn named(&self, session: &dyn Session, word: &str) -> Option<String> {
        let ours = self.numbering.ours(word);
        let candidates = self.planner.candidates(session, |_| true);
        let ply = self.numbering.parse(word);
        let is_word =
            |candidate: &&Candidate| ply.is_some() && self.planner.natural(candidate, &self.board) == ply;
        let after = ply.as_ref().and_then(|ply| self.board.after(ply, self.side, &self.planner.quirks));
        let leads_there =
            |candidate: &&Candidate| after.as_ref().is_some_and(|after| after.agrees(&candidate.after));
        let found = candidates.iter().find(is_word);
        let found = found.or_else(|| candidates.iter().find(|candidate| candidate.info.text == ours));
        let found = found.or_else(|| candidates.iter().find(leads_there));
        found.map(|candidate| candidate.info.text.clone())
    }

    /// The legal moves of the piece on `from`, or what is left to do of a move that is not complete.
    pub fn mouse_moves(&self, session: &dyn Session, from: FileRank) -> Vec<MouseMove> {
        if self.side != session.side() {
            return Vec::new();
        }
        if self.pending() == 0 {
            let candidates = self.planner.candidates(session, |info| info.from == from);
            let mouse_move = |candidate: &Candidate| {
                let ply = self.planner.natural(candidate, &self.board)?;
                // XBoard may lose a piece by it that cannot be restored.
                let after = self.board.after(&ply, self.side, &self.planner.quirks)?;
                self.corrections(candidate, &after, self.side)?;
                match ply {
                    Ply::Move { to, suffix, .. } => {
                        Some(MouseMove { to, suffix, captures: !candidate.info.taken.is_empty() })
                    }
                    _ => None,
                }
            };
            return candidates.iter().filter_map(mouse_move).collect();
        }
        let next = |candidate: Candidate| {
            let ways = self.planner.ways(&self.board, &candidate.after, session.side(), candidate.info.to)?;
            match ways.into_iter().next()? {
                Ply::Move { from: first, via, to, suffix } if first == from && via.is_empty() => {
                    Some(MouseMove { to, suffix, captures: false })
                }
                _ => None,
            }
        };
        let mut moves: Vec<MouseMove> = self.underway(session).into_iter().filter_map(next).collect();
        moves.dedup();
        moves
    }

    /// The squares on which a piece in hand can be dropped now.
    pub fn drop_squares(&self, session: &dyn Session) -> Vec<FileRank> {
        if self.side != session.side() || !self.planner.quirks.can_drop() {
            return Vec::new();
        }
        let next = |candidate: Candidate| {
            let drops = self.planner.drops(&self.board, &candidate.after, session.side())?;
            // A person places the kind with fewer pieces; we add the others.
            let piece = drops.iter().find_map(|ply| match ply {
                Ply::Drop { piece, .. } => Some(*piece),
                _ => None,
            })?;
            let square = |ply: Ply| match ply {
                Ply::Drop { piece: other, to } if other == piece => Some(to),
                _ => None,
            };
            Some(drops.into_iter().filter_map(square).collect::<Vec<_>>())
        };
        let mut squares: Vec<FileRank> =
            self.underway(session).into_iter().filter_map(next).flatten().collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// The legal moves that may have begun with the plies on XBoard's board.
    fn underway(&self, session: &dyn Session) -> Vec<Candidate> {
        let before = self.before();
        let mut candidates = self.planner.candidates(session, |_| true);
        candidates.retain(|candidate| self.leads_to(before, &self.board, candidate));
        candidates
    }
}
