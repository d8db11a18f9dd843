//! The clocks of a game.

use quintain_core::board::Color;
use quintain_play::game::TimeControl;
use quintain_play::game::time::{Moment, now};
use std::time::Duration;

/// Measures how long a move takes, while somebody is at the board.
#[derive(Default)]
pub struct Stopwatch {
    before: Duration,
    since: Option<Moment>,
}

impl Stopwatch {
    /// Goes on, or stands still.
    pub fn run(&mut self, on: bool) {
        if on != self.since.is_some() {
            *self = Stopwatch { before: self.elapsed(), since: on.then(now) };
        }
    }

    /// Begins at nought again; goes on if it went.
    pub fn reset(&mut self) {
        *self = Stopwatch { before: Duration::ZERO, since: self.since.map(|_| now()) };
    }

    /// What it shows.
    pub fn elapsed(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| now() - since)
    }
}

/// The clocks of both sides; at most one of them runs.
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Moment)>,
    /// Whose clock ran last, and what was left on it when its turn began.
    turn: Option<(Color, Duration)>,
}

impl Clocks {
    /// Clocks that stand at the start of the game.
    pub fn new(control: TimeControl) -> Clocks {
        let time = Duration::from_secs_f64(control.minutes * 60.0);
        Clocks { control, left: [time; 2], running: None, turn: None }
    }

    /// Sets what is left.
    pub fn set(&mut self, left: [Duration; 2]) {
        self.left = left;
    }

    /// The time that is left.
    pub fn left(&self) -> [Duration; 2] {
        let mut left = self.left;
        if let Some((side, since)) = self.running {
            let left = &mut left[side.index()];
            *left = left.saturating_sub(now() - since);
        }
        left
    }

    /// What a move adds.
    pub fn increment(&self) -> Duration {
        Duration::from_secs_f64(self.control.increment)
    }

    /// Does a clock run?
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Starts the clock of a side.
    pub fn start(&mut self, side: Color) {
        self.stop();
        if self.turn.is_none_or(|(other, _)| other != side) {
            self.turn = Some((side, self.left[side.index()]));
        }
        self.running = Some((side, now()));
    }

    /// Stops the clock that runs.
    pub fn stop(&mut self) {
        self.left = self.left();
        self.running = None;
    }

    /// A side has moved: its clock stops, and it has the increment.
    pub fn moved(&mut self, side: Color) {
        self.stop();
        self.turn = None;
        self.left[side.index()] += self.increment();
    }

    /// The side that thinks about a move, or has lost on time, has the time since the last move again.
    pub fn give_back_turn(&mut self) {
        self.stop();
        if let Some((side, left)) = self.turn.take() {
            self.left[side.index()] = left;
        }
    }

    /// A move of a side is taken back that took so long: it has the time again, and not what the move has added.
    pub fn give_back(&mut self, side: Color, took: Duration) {
        let increment = self.increment();
        let left = &mut self.left[side.index()];
        *left = (*left + took).saturating_sub(increment);
    }

    /// When the side whose clock runs has no time left.
    pub fn deadline(&self) -> Option<(Color, Moment)> {
        self.running.map(|(side, since)| (side, since + self.left[side.index()]))
    }
}
