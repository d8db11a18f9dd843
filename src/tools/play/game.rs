//! The state of a game in the terminal: its moves and how it ended.

use super::words;
use crate::board::Color;
use crate::engine::{Engine, GameInfo, MoveInfo, Session};

/// A move that was played, and what is needed to show the game.
pub(super) struct Played {
    pub mover: Color,
    pub info: MoveInfo,
    /// The letters of the pieces that it removed.
    pub taken: Vec<char>,
}

/// How a game ended.
#[derive(Clone)]
pub(super) struct End {
    pub text: String,
    pub score: &'static str,
    pub winner: Option<Color>,
}

/// A game and its players.
pub(super) struct Game {
    pub engine: Engine,
    pub info: GameInfo,
    /// The position in which this game began.
    pub start: Box<dyn Session>,
    /// Does the engine play White, Black?
    pub engine_plays: [bool; 2],
    pub played: Vec<Played>,
    /// Moves that were stepped back over, as coordinates, the next one last.
    pub ahead: Vec<String>,
    /// An end that does not follow from the rules: a resignation, an agreed draw.
    pub agreed: Option<End>,
}

impl Game {
    /// A game that starts from the engine's position.
    pub(super) fn new(engine: Engine, engine_plays: [bool; 2]) -> Game {
        Game {
            info: engine.game().info(),
            start: engine.game().copy(),
            engine,
            engine_plays,
            played: Vec::new(),
            ahead: Vec::new(),
            agreed: None,
        }
    }

    /// Starts a game from the engine's new position.
    pub(super) fn begin(&mut self) {
        self.start = self.engine.game().copy();
        self.played.clear();
        self.ahead.clear();
        self.agreed = None;
        self.engine.new_game();
        // The engine does not start another game with itself unasked.
        self.stop_self_play();
    }

    /// If the engine plays with itself, it stops.
    pub(super) fn stop_self_play(&mut self) {
        if self.engine_plays == [true, true] {
            self.engine_plays = [false, false];
        }
    }

    /// The position.
    pub(super) fn session(&self) -> &dyn Session {
        self.engine.game()
    }

    /// Does the engine play the side to move?
    pub(super) fn engine_is_to_move(&self) -> bool {
        self.engine_plays[self.session().side().index()]
    }

    /// The side of the person, if one plays against the engine.
    pub(super) fn person(&self) -> Option<Color> {
        match self.engine_plays {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    /// The player of a side, for the beginning of a sentence.
    pub(super) fn player(&self, side: Color) -> String {
        match self.person() {
            Some(person) if person == side => "You".into(),
            Some(_) => "Engine".into(),
            None => side.to_string(),
        }
    }

    /// How the game ended; `None` if it goes on.
    pub(super) fn end(&self) -> Option<End> {
        self.agreed.clone().or_else(|| {
            let outcome = self.session().outcome()?;
            Some(End { text: outcome.to_string(), score: outcome.score(), winner: outcome.winner })
        })
    }

    /// Plays a legal move, and keeps what is needed to show it.
    pub(super) fn play(&mut self, text: &str) -> std::result::Result<MoveInfo, String> {
        let (session, mover) = (self.session(), self.session().side());
        let info = session.describe(text).map_err(|error| error.reason)?;
        let taken = info.taken.iter().filter_map(|&place| session.piece(place)).collect();
        self.engine.game_mut().play(&info.text).map_err(|error| error.reason)?;
        self.played.push(Played { mover, info: info.clone(), taken });
        if self.ahead.pop().is_some_and(|next| next != info.text) {
            self.ahead.clear();
        }
        Ok(info)
    }

    /// Takes back one move, which `ahead` keeps; false if there is none.
    pub(super) fn step_back(&mut self) -> bool {
        let Some(played) = self.played.pop() else { return false };
        self.engine.game_mut().undo();
        self.ahead.push(played.info.text);
        true
    }

    /// Takes back the last moves, up to and including so many of the person's; false if there are not so many.
    pub(super) fn take_back(&mut self, times: usize) -> bool {
        let person = self.person();
        let own = |mv: &Played| person.is_none_or(|side| mv.mover == side);
        let mut own = self.played.iter().enumerate().rev().filter(|(_, mv)| own(mv));
        let Some((keep, _)) = own.nth(times.max(1) - 1) else { return false };
        self.agreed = None;
        while self.played.len() > keep {
            self.step_back();
        }
        true
    }

    /// The moves with their numbers, and the result.
    pub(super) fn score_sheet(&self) -> String {
        let mut moves: Vec<String> = self.played.iter().map(|mv| mv.info.san.clone()).collect();
        let result = self.end().map_or("*", |end| end.score);
        if let Some(last) = moves.last_mut() {
            *last = format!("{last} {result}");
            words::score_sheet(&moves, self.start.fullmove(), self.start.side(), 79)
        } else {
            format!("{result}\n")
        }
    }
}
