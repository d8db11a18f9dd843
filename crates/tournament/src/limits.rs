//! Time controls and clocks. Pure arithmetic.

use anyhow::{Context, Result, ensure};
use quintain_core::search::limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A clock: so much time for so many moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockControl {
    /// Moves until the base time is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// The base time.
    pub base: Duration,
    /// The increment.
    pub increment: Duration,
}

/// The limits of an engine's thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// A clock.
    pub clock: Option<ClockControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

/// Reads seconds; fractions are allowed.
pub fn seconds(text: &str) -> Result<Duration> {
    const LONGEST: Duration = Duration::from_secs(10_000_000);
    let time = limits::seconds(text).filter(|&time| time <= LONGEST);
    time.with_context(|| format!("'{text}' is not a number of seconds"))
}

/// Reads seconds, minutes and seconds (`1:30`), or with hours (`1:00:00`).
fn span(text: &str) -> Result<Duration> {
    ensure!(text.split(':').count() <= 3, "'{text}' has more than hours, minutes and seconds");
    let mut total = Duration::ZERO;
    for part in text.split(':') {
        total = total * 60 + seconds(part)?;
    }
    Ok(total)
}

impl ClockControl {
    /// Reads `moves/time+increment`, such as `40/60`, `10+0.1`, `1:30+1`; `inf` is no clock.
    pub fn parse(text: &str) -> Result<Option<ClockControl>> {
        if matches!(text, "inf" | "infinite" | "-") {
            return Ok(None);
        }
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.parse::<u32>().ok().filter(|&moves| moves > 0);
                (Some(moves.with_context(|| format!("'{text}' is not like 40/60+0.5"))?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let read = |part: &str| span(part).with_context(|| format!("'{text}' is not like 40/60+0.5"));
        let clock = ClockControl { moves, base: read(base)?, increment: read(increment)? };
        ensure!(!clock.base.is_zero() || !clock.increment.is_zero(), "'{text}' gives no time");
        Ok(Some(clock))
    }
}

/// A number of seconds without trailing zeros.
fn short(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl TimeControl {
    /// Is there any limit?
    pub fn is_limited(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// As in PGN's TimeControl tag: `40/60+0.5`, `10+0.1`, and `-` without a clock.
    pub fn tag(&self) -> String {
        let Some(ClockControl { moves, base, increment }) = self.clock else { return "-".into() };
        let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
        let increment = if increment.is_zero() { String::new() } else { format!("+{}", short(increment)) };
        format!("{moves}{}{increment}", short(base))
    }

    /// In a few words, for people.
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|_| self.tag()));
        parts.extend(self.move_time.map(|time| format!("{} s a move", short(time))));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.join(", ")
    }
}

/// The clock of one side in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: ClockControl,
    /// What is left, in microseconds.
    left: i64,
    /// Moves until the base time is added; 0 for never.
    to_go: u32,
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 4)
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: ClockControl) -> Clock {
        // Increments are given before each move, also the first.
        let left = micros(control.base) + micros(control.increment);
        Clock { control, left, to_go: control.moves.unwrap_or(0) }
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        Duration::from_micros(self.left.max(0) as u64)
    }

    /// The increment.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until time is added; `None` for never.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|_| self.to_go)
    }

    /// How long a move may take, with the margin, before the game is lost on time.
    pub fn allowance(&self, margin: Duration) -> Duration {
        Duration::from_micros(self.left.saturating_add(micros(margin)).max(0) as u64)
    }

    /// Subtracts the time of a move. False if the time is over. Time within the margin is not subtracted: a delay of
    /// the system must not cost the game later.
    pub fn spend(&mut self, time: Duration, margin: Duration) -> bool {
        self.left -= micros(time);
        if self.left.saturating_add(micros(margin)) < 0 {
            return false;
        }
        self.left = self.left.max(0) + micros(self.control.increment);
        if let Some(moves) = self.control.moves {
            self.to_go -= 1;
            if self.to_go == 0 {
                self.to_go = moves;
                self.left += micros(self.control.base);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> ClockControl {
        ClockControl::parse(text).unwrap().unwrap()
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, tag) in [
            ("10+0.1", "10+0.1"),
            ("40/60", "40/60"),
            ("40/1:30+0.5", "40/90+0.5"),
            ("1:00:00", "3600"),
            ("0.25", "0.25"),
            ("0+1", "0+1"),
        ] {
            let control = TimeControl { clock: Some(clock(text)), ..TimeControl::default() };
            assert_eq!(control.tag(), tag);
        }
        assert_eq!(ClockControl::parse("inf").unwrap(), None);
        for text in ["", "x", "0", "40/", "0/10", "-1", "10+", "10+-1", "nan", "1e99"] {
            let error = format!("{:#}", ClockControl::parse(text).unwrap_err());
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
        let fixed = TimeControl { nodes: Some(5000), depth: Some(3), ..TimeControl::default() };
        assert_eq!((fixed.tag().as_str(), fixed.words().as_str()), ("-", "5000 nodes, depth 3"));
        assert!(!TimeControl::default().is_limited() && fixed.is_limited());
    }

    #[test]
    fn the_clock_runs_adds_and_ends() {
        let second = Duration::from_secs(1);
        let mut game = Clock::new(clock("10+1"));
        assert_eq!((game.left(), game.moves_to_go()), (11 * second, None));
        assert!(game.spend(4 * second, Duration::ZERO));
        assert_eq!(game.left(), 8 * second);
        assert_eq!(game.allowance(second), 9 * second);
        assert!(!game.spend(9 * second, Duration::ZERO));

        let mut tempo = Clock::new(clock("2/10"));
        assert_eq!(tempo.moves_to_go(), Some(2));
        assert!(tempo.spend(second, Duration::ZERO) && tempo.moves_to_go() == Some(1));
        assert!(tempo.spend(second, Duration::ZERO) && tempo.moves_to_go() == Some(2));
        assert_eq!(tempo.left(), 18 * second);
    }

    #[test]
    fn a_margin_is_there_for_each_move() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new(clock("1+0.01"));
        assert!(clock.spend(millis(1030), millis(50)));
        assert_eq!((clock.left(), clock.allowance(millis(50))), (millis(10), millis(60)));
        assert!(clock.spend(millis(60), millis(50)) && !clock.spend(millis(61), millis(50)));
    }
}
