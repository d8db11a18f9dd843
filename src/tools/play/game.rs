//! The state of a game in the terminal: its moves and how it ended.

use super::words;
use crate::board::Color;
use crate::engine::{Engine, GameInfo, MoveInfo, Session};
use quintain_play::game::{LiveGame, Settings};

/// A move that was played, and what is needed to show the game.
pub(super) struct Played {
    pub mover: Color,
    pub info: MoveInfo,
    /// The letters of the pieces that it removed.
    pub taken: Vec<char>,
}

/// A game, and what is needed to show it and to step through it.
pub(super) struct Game {
    pub live: LiveGame,
    pub info: GameInfo,
    /// The position in which this game began.
    pub start: Box<dyn Session>,
    pub played: Vec<Played>,
    /// Moves that were stepped back over, as coordinates, the next one last.
    pub ahead: Vec<String>,
}

impl Game {
    /// A game that starts from the engine's position.
    pub(super) fn new(engine: Engine, settings: Settings) -> Game {
        Game {
            info: engine.game().info(),
            start: engine.game().copy(),
            live: LiveGame { engine, settings, end: None },
            played: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// Starts a game from the engine's new position.
    pub(super) fn begin(&mut self) {
        self.info = self.live.session().info();
        self.start = self.live.session().copy();
        self.played.clear();
        self.ahead.clear();
        self.live.end = None;
        self.live.settings.game = self.info.name.into();
        self.live.engine.new_game();
        // The engine does not start another game with itself unasked.
        self.stop_self_play();
    }

    /// If the engine plays with itself, it stops.
    pub(super) fn stop_self_play(&mut self) {
        if self.live.settings.engine == [true, true] {
            self.live.settings.engine = [false, false];
        }
    }

    /// The player of a side, for the beginning of a sentence.
    pub(super) fn player(&self, side: Color) -> String {
        match self.live.person() {
            Some(person) if person == side => "You".into(),
            Some(_) => "Engine".into(),
            None => side.to_string(),
        }
    }

    /// Plays a legal move, and keeps what is needed to show it.
    pub(super) fn play(&mut self, text: &str) -> std::result::Result<MoveInfo, String> {
        let (session, mover) = (self.live.session(), self.live.session().side());
        let info = session.describe(text).map_err(|error| error.reason)?;
        let taken = info.taken.iter().filter_map(|&place| session.piece(place)).collect();
        self.live.engine.game_mut().play(&info.text).map_err(|error| error.reason)?;
        self.played.push(Played { mover, info: info.clone(), taken });
        if self.ahead.pop().is_some_and(|next| next != info.text) {
            self.ahead.clear();
        }
        Ok(info)
    }

    /// Takes back one move, which `ahead` keeps; false if there is none.
    pub(super) fn step_back(&mut self) -> bool {
        let Some(played) = self.played.pop() else { return false };
        self.live.engine.game_mut().undo();
        self.ahead.push(played.info.text);
        true
    }

    /// Takes back the last moves, up to and including so many of the person's; false if there are not so many.
    pub(super) fn take_back(&mut self, times: usize) -> bool {
        let person = self.live.person();
        let own = |mv: &Played| person.is_none_or(|side| mv.mover == side);
        let mut own = self.played.iter().enumerate().rev().filter(|(_, mv)| own(mv));
        let Some((keep, _)) = own.nth(times.max(1) - 1) else { return false };
        self.live.end = None;
        while self.played.len() > keep {
            self.step_back();
        }
        true
    }

    /// The moves with their numbers, and the result.
    pub(super) fn score_sheet(&self) -> String {
        let mut moves: Vec<String> = self.played.iter().map(|mv| mv.info.san.clone()).collect();
        let end = self.live.outcome();
        let result = end.as_ref().map_or("*", |end| &end.score);
        if let Some(last) = moves.last_mut() {
            *last = format!("{last} {result}");
            words::score_sheet(&moves, self.start.fullmove(), self.start.side(), 79)
        } else {
            format!("{result}\n")
        }
    }
}
