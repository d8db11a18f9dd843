//! Which move a ply from XBoard belongs to.
//!
//! A ply comes from an engine through XBoard, from a person, or from a match without XBoard. It is compared with the
//! scripts and the boards of all legal moves.

use super::Mirror;
use super::planner::{Candidate, starts_like};
use crate::board::Board;
use crate::text::Ply;
use quintain_core::board::Color;
use quintain_engine::Session;

/// The meaning of a ply from XBoard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recognised {
    /// It completes this move, given as coordinates. These plies must be sent to correct XBoard's board.
    Move(String, Vec<Ply>),
    /// It is part of a move; more must follow.
    Part,
    /// It belongs to no legal move.
    Nothing,
}

/// Whether we complete a move that XBoard's user cannot complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// A person plays against us: we send the plies that are missing.
    Allowed,
    /// The rest will come from XBoard, or nothing may be sent now.
    Withheld,
}

impl Mirror {
    /// Finds the move to which a ply from XBoard belongs. It is recorded unless there is none. After
    /// [`Recognised::Move`] the caller plays the move, sends and records the plies, and calls [`Mirror::complete`].
    pub fn recognise(&mut self, session: &dyn Session, ply: &Ply, completion: Completion) -> Recognised {
        let pending = self.pending();
        let mover = session.side();
        let Some(after) = self.board.after(ply, self.side, &self.planner.quirks) else {
            return Recognised::Nothing;
        };
        if *ply == Ply::Pass {
            if pending == 0 {
                return Recognised::Nothing;
            }
            self.push(ply, Ply::Pass);
            return Recognised::Part;
        }
        if self.side != mover {
            return Recognised::Nothing;
        }
        let recognised = self.find(session, ply, &after, completion);
        if recognised != Recognised::Nothing {
            self.push(ply, ply.clone());
        }
        recognised
    }

    fn find(&self, session: &dyn Session, ply: &Ply, after: &Board, completion: Completion) -> Recognised {
        let mover = session.side();
        let past = self.past.len() - self.pending();
        let pending = self.past.get(past..).unwrap_or_default();
        let before = pending.first().map_or(&self.board, |past| &past.board);
        let mut recognised: Vec<&Ply> = pending.iter().map(|past| &past.relayed).collect();
        recognised.push(ply);

        // An ordinary move is found directly.
        let natural = |candidate: &Candidate| {
            recognised.len() == 1
                && self.planner.natural(candidate, before).is_some_and(|natural| natural == *ply)
        };
        if let Ply::Move { from, via, to, .. } = ply
            && recognised.len() == 1
            && via.is_empty()
        {
            let same = self.planner.candidates(session, |info| info.from == *from && info.to == *to);
            let found = same.iter().find(|candidate| natural(candidate) && after.agrees(&candidate.after));
            if let Some(found) = found {
                return Recognised::Move(found.info.text.clone(), Vec::new());
            }
        }

        let candidates = self.planner.candidates(session, |_| true);
        let scripts: Vec<(&Candidate, Vec<Ply>)> = candidates
            .iter()
            .filter(|candidate| starts_like(&candidate.info, recognised.first().copied()))
            .filter_map(|candidate| {
                let script = self.planner.short_script(candidate, before, mover);
                Some((
                    candidate,
                    script.or_else(|| self.planner.long_script(candidate, &candidates, before, mover))?,
                ))
            })
            .collect();
        // The whole script, or its beginning.
        let mut begun = Vec::new();
        for (candidate, script) in &scripts {
            let relayed = self.planner.relay(before, mover, script);
            let same = relayed.iter().zip(&recognised).all(|(a, &b)| a == b);
            if same && relayed.len() == recognised.len() {
                return Recognised::Move(candidate.info.text.clone(), Vec::new());
            }
            if same && relayed.len() > recognised.len() {
                begun.push((candidate, script));
            }
        }
        if completion == Completion::Withheld && !begun.is_empty() {
            return Recognised::Part;
        }
        if let [(candidate, script)] = begun.as_slice() {
            let rest = script.get(recognised.len()..).unwrap_or_default();
            return Recognised::Move(candidate.info.text.clone(), rest.to_vec());
        }
        // Another way to the right board, unless a person wants a change that XBoard does not make.
        let impossible_change =
            matches!(ply, Ply::Move { from, via, to, suffix: Some(_) } if from == to && via.is_empty());
        if !impossible_change
            && let Some(found) = candidates.iter().find(|candidate| after.agrees(&candidate.after))
        {
            return Recognised::Move(found.info.text.clone(), Vec::new());
        }
        // The natural ply for a move, though its effect on XBoard's board is another.
        if let Some(found) = candidates.iter().find(|candidate| natural(candidate)) {
            return self.mended(found, after, mover, completion);
        }
        // Our own coordinates.
        if let Ply::Move { from, via, to, suffix } = ply
            && recognised.len() == 1
            && via.is_empty()
            && let Some(found) = candidates.iter().find(|Candidate { info, .. }| {
                info.from == *from && info.to == *to && info.suffix.chars().eq(*suffix)
            })
        {
            return self.mended(found, after, mover, completion);
        }
        // When a piece is dragged, XBoard does not ask for the letter and sends any.
        if let Ply::Move { from, to, suffix: Some(_), .. } = ply
            && completion == Completion::Allowed
            && recognised.len() == 1
        {
            let word = |candidate: &&Candidate| self.planner.natural(candidate, before);
            let plain = Some(Ply::go(*from, *to, None));
            let changes = |ply: Ply| matches!(ply, Ply::Move { from: start, to: end, suffix: Some(_), .. } if start == *from && end == *to);
            let chooses = candidates.iter().any(|candidate| word(&candidate).is_some_and(changes));
            if chooses && let Some(found) = candidates.iter().find(|candidate| word(candidate) == plain) {
                return self.mended(found, after, mover, completion);
            }
        }
        // A ply that changes nothing begins no move.
        if after.agrees(&self.board) {
            return Recognised::Nothing;
        }
        // On the way to one move or several.
        let towards = |candidate: &&Candidate| self.leads_to(before, after, candidate);
        let mut towards = candidates.iter().filter(towards);
        match (towards.next(), towards.next()) {
            (None, _) => Recognised::Nothing,
            (Some(found), None) if completion == Completion::Allowed => {
                self.mended(found, after, mover, completion)
            }
            _ => Recognised::Part,
        }
    }

    /// The move, with the plies that turn `board` into the right one.
    fn mended(
        &self,
        candidate: &Candidate,
        board: &Board,
        mover: Color,
        completion: Completion,
    ) -> Recognised {
        let text = candidate.info.text.clone();
        if completion == Completion::Withheld {
            return Recognised::Move(text, Vec::new());
        }
        let corrections = self.corrections(candidate, board, mover).unwrap_or_default();
        Recognised::Move(text, corrections.into_iter().flat_map(|ply| [Ply::Pass, ply]).collect())
    }

    /// The plies, each after a pass, that correct the board after a move of `mover`.
    pub(super) fn corrections(&self, candidate: &Candidate, board: &Board, mover: Color) -> Option<Vec<Ply>> {
        let passed = board.after(&Ply::Pass, !mover, &self.planner.quirks)?;
        self.planner.ways(&passed, &candidate.after, mover, candidate.info.to)
    }

    /// Is `board` between `before` and the board after the move?
    pub(super) fn leads_to(&self, before: &Board, board: &Board, candidate: &Candidate) -> bool {
        self.planner.quirks.squares().all(|square| {
            let piece = board.at(square);
            piece == before.at(square) || piece == candidate.after.at(square)
        })
    }
}
