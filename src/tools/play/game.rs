//! The state of a game in the terminal: its moves and how it ended.

use super::words;
use crate::board::Color;
use crate::engine::{Engine, GameInfo, MoveInfo, Session};
use quintain_play::game::{End, LiveGame, Settings};

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
    /// The tags of the PGN from which it was loaded.
    pub tags: Vec<(String, String)>,
    /// The moves up to the position that is shown.
    pub played: Vec<Played>,
    /// Moves after it, the next one last.
    ahead: Vec<Played>,
    /// How many of the moves ahead belong to the game; the others were taken back.
    later: usize,
    /// While an earlier position is shown: an end of the game that does not follow from its last position.
    end: Option<End>,
}

impl Game {
    /// A game that starts from the engine's position.
    pub(super) fn new(engine: Engine, settings: Settings) -> Game {
        Game {
            info: engine.game().info(),
            start: engine.game().copy(),
            live: LiveGame { engine, settings, end: None },
            tags: Vec::new(),
            played: Vec::new(),
            ahead: Vec::new(),
            later: 0,
            end: None,
        }
    }

    /// Starts a game from the engine's new position.
    pub(super) fn begin(&mut self) {
        self.info = self.live.session().info();
        self.start = self.live.session().copy();
        self.tags.clear();
        self.played.clear();
        self.ahead.clear();
        self.live.settings.game = self.info.name.into();
        self.live.engine.new_game();
        // The engine does not start another game with itself unasked.
        self.go_on_here();
    }

    /// The position that is shown becomes the last one of the game, which goes on.
    pub(super) fn go_on_here(&mut self) {
        self.later = 0;
        (self.end, self.live.end) = (None, None);
        self.stop_self_play();
    }

    /// How many moves of the game are after the position that is shown; the engine waits where there are any.
    pub(super) fn later(&self) -> usize {
        self.later
    }

    /// The moves of the game, also those after the position that is shown.
    pub(super) fn line(&self) -> impl Iterator<Item = &Played> {
        self.played.iter().chain(self.ahead.iter().rev().take(self.later))
    }

    /// How the game ended, whichever position is shown; nothing if it goes on.
    pub(super) fn outcome(&self) -> Option<End> {
        if self.later == 0 {
            return self.live.outcome();
        }
        let mut last = self.live.session().copy();
        let is_legal =
            self.ahead.iter().rev().take(self.later).all(|next| last.play(&next.info.text).is_ok());
        self.end.clone().or_else(|| last.outcome().filter(|_| is_legal).map(End::of))
    }

    /// The same, if that does not follow from the last position.
    pub(super) fn end(&self) -> Option<&End> {
        self.live.end.as_ref().or(self.end.as_ref())
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

    /// Is this a legal move from an earlier position, and not the next one of the game?
    pub(super) fn leaves_line(&self, text: &str) -> bool {
        let next = self.ahead.last().filter(|_| self.later > 0);
        next.is_some_and(|next| {
            self.live.session().describe(text).is_ok_and(|info| info.text != next.info.text)
        })
    }

    /// Plays a legal move. From an earlier position the game goes on there, unless it is its next move.
    pub(super) fn play(&mut self, text: &str) -> std::result::Result<MoveInfo, String> {
        let info = self.live.session().describe(text).map_err(|error| error.reason)?;
        if self.leaves_line(text) {
            self.go_on_here();
        } else if self.later > 0 {
            self.step(true);
            return Ok(info);
        }
        self.make(info.clone())?;
        if self.ahead.pop().is_some_and(|next| next.info.text != info.text) {
            self.ahead.clear();
        }
        Ok(info)
    }

    /// Makes a legal move, and keeps what is needed to show it.
    fn make(&mut self, info: MoveInfo) -> std::result::Result<(), String> {
        let (session, mover) = (self.live.session(), self.live.session().side());
        let taken = info.taken.iter().filter_map(|&place| session.piece(place)).collect();
        self.live.engine.game_mut().play(&info.text).map_err(|error| error.reason)?;
        self.played.push(Played { mover, info, taken });
        Ok(())
    }

    /// Unmakes one move, which `ahead` keeps; false if there is none.
    fn unmake(&mut self) -> bool {
        let Some(played) = self.played.pop() else { return false };
        self.live.engine.game_mut().undo();
        self.ahead.push(played);
        true
    }

    /// Shows the next position, or the one before; false if there is none. The game stays as it is, but moves that
    /// were taken back become a part of it again.
    pub(super) fn step(&mut self, forward: bool) -> bool {
        if !forward {
            if !self.unmake() {
                return false;
            }
            if self.later == 0 {
                self.end = self.live.end.take();
            }
            self.later += 1;
            return true;
        }
        if self.later == 0 && self.live.outcome().is_none() {
            self.later = self.ahead.len();
        }
        if self.later == 0 {
            return false;
        }
        let made = self.ahead.pop().is_some_and(|next| self.make(next.info).is_ok());
        self.later -= 1;
        if self.later == 0 {
            self.live.end = self.end.take();
        }
        made
    }

    /// Takes back the last moves, up to and including so many of the person's; false if there are not so many.
    pub(super) fn take_back(&mut self, times: usize) -> bool {
        let person = self.live.person();
        let own = |mv: &Played| person.is_none_or(|side| mv.mover == side);
        let mut own = self.played.iter().enumerate().rev().filter(|(_, mv)| own(mv));
        let keep = own.nth(times.max(1) - 1).map(|(keep, _)| keep);
        // Before the person's first move only a resignation can be taken back.
        let only_end = || (times == 1 && self.live.end.is_some()).then_some(self.played.len());
        let Some(keep) = keep.or_else(only_end) else { return false };
        self.go_on_here();
        while self.played.len() > keep {
            self.unmake();
        }
        true
    }

    /// The moves with their numbers, and the result.
    pub(super) fn score_sheet(&self) -> String {
        let mut moves: Vec<String> = self.line().map(|mv| mv.info.san.clone()).collect();
        let end = self.outcome();
        let result = end.as_ref().map_or("*", |end| &end.score);
        if let Some(last) = moves.last_mut() {
            *last = format!("{last} {result}");
            words::score_sheet(&moves, self.start.fullmove(), self.start.side(), 79)
        } else {
            format!("{result}\n")
        }
    }
}
