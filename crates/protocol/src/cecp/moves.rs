//! Moves that XBoard sends, and squares that a person touches.

use super::think::{Purpose, Search};
use super::{Mode, XBoard};
use quintain_xboard::board::Board;
use quintain_xboard::marks::Marks;
use quintain_xboard::mirror::{Completion, Recognised};
use quintain_xboard::text::Ply;
use std::time::Duration;

impl XBoard {
    /// A person lifts a piece: XBoard marks where it may go.
    pub(super) fn lift(&mut self, square: &str) {
        let ours = matches!(self.mode, Mode::Play(color) if color == self.engine.game().side());
        let over = self.mirror.pending() == 0 && self.engine.game().outcome().is_some();
        self.marks = if ours || over || self.invalid.is_some() {
            Marks::default()
        } else {
            // The squares of pieces in hand lie beside the board.
            let from = self.mirror.numbering().read(square).map(|(from, _)| from);
            Marks::of(&self.mirror, self.engine.game(), from)
        };
        let info = self.engine.game().info();
        self.say(self.marks.command(info.files, info.ranks));
        if let Some(choice) = self.marks.first_choice() {
            self.say(choice);
        }
    }

    /// A person drops the piece on a square: XBoard offers what it can become there.
    pub(super) fn put(&mut self, square: &str) {
        let Some((to, _)) = self.mirror.numbering().read(square) else { return };
        self.by_hand = Some(to);
        if let Some(choice) = self.marks.choice(to) {
            self.say(choice);
        }
    }

    pub(super) fn looks_like_a_move(&self, word: &str) -> bool {
        self.mirror.numbering().parse(word).is_some()
    }

    pub(super) fn user_move(&mut self, text: &str) {
        let illegal = |xboard: &XBoard, reason: &str| xboard.say(format!("Illegal move ({reason}): {text}"));
        if let Some(reason) = self.invalid.clone() {
            return illegal(self, &reason);
        }
        let thinking = self.search.as_ref().map(|search| &search.purpose);
        if thinking.or(self.paused.as_ref().map(|paused| &paused.purpose)) == Some(&Purpose::Move) {
            return illegal(self, "it is not your turn");
        }
        let numbering = self.mirror.numbering();
        let ply = numbering.parse(text);
        if ply == Some(Ply::Pass) && self.mirror.pending() > 0 {
            return self.pass(None);
        }
        if ply == Some(Ply::Pass) {
            return illegal(self, "passing is not allowed");
        }
        let playing = matches!(self.mode, Mode::Play(color) if color != self.engine.game().side())
            && !self.against_engine;
        let helpful = playing || self.by_hand.take().is_some();
        let completion = if helpful { Completion::Allowed } else { Completion::Withheld };
        let recognised = ply
            .map_or(Recognised::Nothing, |ply| self.mirror.recognise(self.engine.game(), &ply, completion));
        match recognised {
            Recognised::Move(text, plies) => {
                for ply in &plies {
                    self.send(ply);
                }
                self.opponent_moved(&text);
            }
            Recognised::Part if helpful && self.mirror.side() != self.engine.game().side() => {
                self.send(&Ply::Pass)
            }
            Recognised::Part => {}
            Recognised::Nothing => self.typed_move(text),
        }
    }

    /// A move in another notation, or one that is not legal.
    pub(super) fn typed_move(&mut self, text: &str) {
        if self.mirror.pending() == 0
            && let Some(named) = self.mirror.named(self.engine.game(), text)
            && self.mirror.show(self.engine.game(), &named).is_some()
        {
            return self.opponent_moved(&named);
        }
        let numbering = self.mirror.numbering();
        match self.engine.game().copy().play(&numbering.ours(text)) {
            Err(error) => self.say(format!("Illegal move ({}): {text}", numbering.show(&error.reason))),
            Ok(_) => self.say(format!("Illegal move: {text}")),
        }
    }

    pub(super) fn pass(&mut self, board: Option<&Board>) {
        if self.mirror.recognise(self.engine.game(), &Ply::Pass, Completion::Withheld) != Recognised::Nothing
            && let Some(board) = board
        {
            self.mirror.adopt(board);
        }
    }

    /// The move is complete on XBoard's board.
    pub(super) fn opponent_moved(&mut self, text: &str) {
        let as_expected = match &self.search {
            Some(Search { purpose: Purpose::Ponder(expected, clock), .. }) => {
                // With less time than expected, the search would take too long.
                let time = self.control.remaining();
                expected == text && time + Duration::from_millis(50) >= *clock - *clock / 10
            }
            _ => false,
        };
        if !as_expected {
            self.drop_search();
        }
        if let Err(error) = self.engine.game_mut().play(text) {
            return self.say(format!("# the engine refuses {error}"));
        }
        self.mirror.complete(self.engine.game());
        self.position_changed();
        if as_expected
            && self.engine.game().outcome().is_none()
            && let Some(search) = &mut self.search
        {
            search.purpose = Purpose::Move;
            self.engine.ponder_hit();
            return;
        }
        self.drop_search();
        self.start_search();
    }

    pub(super) fn send(&mut self, ply: &Ply) {
        for line in self.mirror.numbering().commands(ply) {
            self.say(line);
        }
        self.mirror.send(ply);
    }
}
