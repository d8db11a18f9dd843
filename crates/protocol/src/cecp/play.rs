//! The state of the game: variant, mode, positions set up, moves taken back, and the result.

use super::{Mode, NORMAL, XBoard};
use quintain_core::board::Color;
use quintain_xboard::mirror::Mirror;
use quintain_xboard::position;

/// Names in CECP that differ from ours.
const ALIASES: &[(&str, &str)] = &[("normal", NORMAL), ("standard", NORMAL)];

impl XBoard {
    pub(super) fn new_game(&mut self) {
        self.drop_search();
        self.engine.new_game();
        self.control.new_game();
        self.against_engine = false;
        self.open(NORMAL);
        if self.mode == Mode::Analyze {
            self.start_search();
        } else {
            self.mode = Mode::Play(Color::Black);
        }
    }

    /// Starts the game called `name` from the beginning; false if there is none.
    pub(super) fn open(&mut self, name: &str) -> bool {
        let known = self.engine.open(name);
        if known {
            self.game_set_up();
        }
        known
    }

    /// Resets the state after the engine got a new position.
    pub(super) fn game_set_up(&mut self) {
        self.mirror = Mirror::new(self.engine.game());
        self.invalid = None;
        self.offered = false;
        self.last_score = None;
        self.position_changed();
    }

    /// Resets what depends on the position.
    pub(super) fn position_changed(&mut self) {
        self.expected = None;
        self.excluded.clear();
    }

    pub(super) fn variant(&mut self, name: &str) {
        self.drop_search();
        // A size may precede the name: 12x12+0_gast.
        let name = match name.split_once('_') {
            Some((size, name)) if size.starts_with(|c: char| c.is_ascii_digit()) => name,
            _ => name,
        };
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |&(_, name)| name);
        if !self.open(name) {
            self.say(format!("Error (unknown variant): {name}"));
            return;
        }
        for line in position::description(self.engine.game()) {
            self.say(line);
        }
        self.start_search();
    }

    pub(super) fn force(&mut self) {
        self.drop_search();
        self.mode = Mode::Force;
    }

    pub(super) fn go(&mut self) {
        self.drop_search();
        // During a move of several plies, the engine's game still has the other side to move.
        self.mode = Mode::Play(self.mirror.side());
        self.start_search();
    }

    pub(super) fn play_other(&mut self) {
        self.drop_search();
        self.mode = Mode::Play(!self.mirror.side());
        self.start_pondering();
    }

    pub(super) fn set_board(&mut self, fen: &str) {
        // In most games XBoard relays a pass as the position after it.
        if self.mirror.pending() > 0
            && self.invalid.is_none()
            && let Ok(foreign) = position::Foreign::read(fen, self.mirror.quirks())
            && (foreign.side == "w") == (self.mirror.side() == Color::Black)
            && foreign.board.resembles(self.mirror.board())
        {
            return self.pass(Some(&foreign.board));
        }
        self.drop_search();
        match position::set_up(self.engine.game_mut(), self.mirror.quirks(), fen) {
            Ok(()) => self.game_set_up(),
            Err(reason) => {
                self.say(format!("tellusererror Illegal position: {reason}"));
                self.invalid = Some(reason);
            }
        }
        self.start_search();
    }

    pub(super) fn take_back(&mut self, plies: usize) {
        self.drop_search();
        let before = self.mirror.pending();
        for _ in 0..plies {
            match self.mirror.undo() {
                Some(true) => {
                    self.engine.game_mut().undo();
                }
                Some(false) => {}
                None => break,
            }
        }
        self.position_changed();
        // A person takes back two plies at a time, and is informed once that a move has more of them.
        let pending = self.mirror.pending();
        if pending > 0 && (before == 0 || pending > before) && matches!(self.mode, Mode::Play(_)) {
            let times = match pending.div_ceil(2) {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            };
            self.say(format!("telluser The last move took several steps in XBoard. Take back {times} more."));
        }
        // Otherwise it is the person's turn.
        if self.mode == Mode::Analyze {
            self.start_search();
        }
    }

    pub(super) fn announce_result(&self) -> bool {
        let outcome = self.engine.game().outcome();
        if let Some(outcome) = outcome {
            self.say(format!("{} {{{outcome}}}", outcome.score()));
        }
        outcome.is_some()
    }

    pub(super) fn draw(&mut self) {
        let our_turn = matches!(self.mode, Mode::Play(color) if color == self.engine.game().side());
        self.offered = true;
        if !our_turn && self.last_score.is_some_and(|score| score <= 0) {
            self.say("offer draw");
        }
    }

    pub(super) fn result(&mut self) {
        self.drop_search();
        self.mode = Mode::Force;
        self.say(format!("# the last position: {}", self.engine.game().fen()));
    }
}
