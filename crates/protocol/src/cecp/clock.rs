//! Time controls of CECP.

use quintain_core::search::{Clock, Limits};
use std::time::Duration;

/// The time control, and what is left on our clock.
#[derive(Clone, Debug)]
pub struct TimeControl {
    /// Moves for which the time is given, 0 for the whole game.
    moves: u32,
    base: Duration,
    increment: Duration,
    /// Exactly so much for each move, instead of a clock.
    per_move: Option<Duration>,
    depth: Option<u32>,
    left: Duration,
    /// Plies that had been played when the control was set.
    since: usize,
}

/// The default: five minutes for the game.
const USUAL: Duration = Duration::from_secs(300);
/// Longer times than any game needs, to stay clear of overflow.
const LONGEST: Duration = Duration::from_secs(10_000_000);

impl Default for TimeControl {
    fn default() -> Self {
        TimeControl {
            moves: 0,
            base: USUAL,
            increment: Duration::ZERO,
            per_move: None,
            depth: None,
            left: USUAL,
            since: 0,
        }
    }
}

impl TimeControl {
    /// `level MPS BASE INC`, after `plies` plies; false if it cannot be read. BASE is in minutes, or minutes and
    /// seconds (`0:30`); what follows the number is ignored. INC is in seconds.
    pub fn level(&mut self, arguments: &str, plies: usize) -> bool {
        let mut words = arguments.split_whitespace();
        let moves = words.next().and_then(|word| word.parse().ok());
        let base = words.next().and_then(minutes);
        let increment = words.next().map_or(Some(Duration::ZERO), seconds);
        let (Some(moves), Some(base), Some(increment)) = (moves, base, increment) else { return false };
        let depth = self.depth;
        // At least an increment is on the clock, should the GUI not send what is.
        let left = base.max(increment);
        *self = TimeControl { moves, base, increment, per_move: None, depth, left, since: plies };
        true
    }

    /// `st TIME`: so many seconds for each move.
    pub fn exact(&mut self, argument: &str) -> bool {
        let time = seconds(argument).filter(|time| !time.is_zero());
        self.per_move = time.or(self.per_move);
        time.is_some()
    }

    /// `sd DEPTH`.
    pub fn depth(&mut self, argument: &str) -> bool {
        let depth = argument.parse::<u32>().ok().filter(|&depth| depth > 0);
        self.depth = depth.or(self.depth);
        depth.is_some()
    }

    /// A new game removes the depth limit.
    pub fn new_game(&mut self) {
        self.depth = None;
        self.left = self.base.max(self.increment);
        self.since = 0;
    }

    /// `time N`: centiseconds left on our clock.
    pub fn left(&mut self, argument: &str) -> bool {
        // The clock may be negative.
        let time = argument.parse::<f64>().ok().filter(|time| time.is_finite());
        let time = time.and_then(|time| seconds(&(time.max(0.0) / 100.0).to_string()));
        self.left = time.unwrap_or(self.left);
        time.is_some()
    }

    /// What is left.
    pub fn remaining(&self) -> Duration {
        self.left
    }

    /// We have moved and thought for `time`: updates our clock, in case XBoard does not send it.
    pub fn moved(&mut self, time: Duration, plies: usize) {
        self.left = self.left.saturating_sub(time).saturating_add(self.increment);
        if self.moves > 0 && self.to_go(plies) == self.moves {
            self.left = self.left.saturating_add(self.base);
        }
    }

    /// Our moves until more time is given, after `plies` plies; 0 for never.
    fn to_go(&self, plies: usize) -> u32 {
        let done = (plies.saturating_sub(self.since) / 2) as u32;
        self.moves - if self.moves == 0 { 0 } else { done % self.moves }
    }

    /// The limits for a move now, with `used` of our time used already.
    pub fn limits(&self, plies: usize, used: Duration) -> Limits {
        // A fixed time a move leaves no reserve for delays in transmission.
        let per_move = self.per_move.map(|time| (time - time / 20).saturating_sub(used));
        let clock = Clock {
            left: self.left.saturating_sub(used),
            increment: self.increment,
            moves_to_go: self.to_go(plies),
        };
        Limits {
            depth: self.depth,
            move_time: per_move,
            clock: per_move.is_none().then_some(clock),
            ..Limits::default()
        }
    }
}

/// `5`, `0:30`, `25+5`.
fn minutes(text: &str) -> Option<Duration> {
    let known = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'));
    let text = text.get(..known.unwrap_or(text.len()))?;
    match text.split_once(':') {
        Some((minutes, rest)) => {
            let time = seconds(minutes)?.checked_mul(60)?.checked_add(seconds(rest)?)?;
            Some(time.min(LONGEST))
        }
        None => seconds(text)?.checked_mul(60).map(|time| time.min(LONGEST)),
    }
}

fn seconds(text: &str) -> Option<Duration> {
    quintain_core::search::limits::seconds(text).map(|time| time.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(arguments: &str) -> Option<Clock> {
        let mut control = TimeControl::default();
        control.level(arguments, 0).then(|| control.limits(0, Duration::ZERO).clock.unwrap())
    }

    #[test]
    fn every_form_of_level_is_read() {
        let clock = |seconds: f64, increment: f64, moves_to_go| {
            let [left, increment] = [seconds, increment].map(Duration::from_secs_f64);
            Some(Clock { left, increment, moves_to_go })
        };
        assert_eq!(level("40 5 0"), clock(300.0, 0.0, 40));
        assert_eq!(level("40 0:30 0"), clock(30.0, 0.0, 40));
        assert_eq!(level("0 2 12"), clock(120.0, 12.0, 0));
        assert_eq!(level("0 1:05 0.1"), clock(65.0, 0.1, 0));
        assert_eq!(level("40 25+5 0"), clock(1500.0, 0.0, 40));
        assert_eq!(level("0 0 1"), clock(1.0, 1.0, 0));
        assert_eq!(level("1 0:10"), clock(10.0, 0.0, 1));
        for bad in ["", "40", "x 5 0", "40 x 0", "40 5 x", "-1 5 0", "0 : 0", "0 5 -1", "0 5 nan"] {
            assert_eq!(level(bad), None, "{bad}");
        }
        assert!(level("0 999999999999999999999 inf").is_some());
    }

    #[test]
    fn the_clock_goes_on_between_messages() {
        let mut control = TimeControl::default();
        assert!(control.level("3 1 2", 0) && control.left("5000"));
        assert_eq!(control.remaining(), Duration::from_secs(50));
        control.moved(Duration::from_secs(10), 2);
        assert_eq!(control.remaining(), Duration::from_secs(42));
        assert_eq!(control.limits(2, Duration::ZERO).clock.unwrap().moves_to_go, 2);
        control.moved(Duration::from_secs(44), 6);
        assert_eq!(control.remaining(), Duration::from_secs(62));
        assert_eq!(control.limits(6, Duration::from_secs(2)).clock.unwrap().left, Duration::from_secs(60));
        assert!(control.left("-30") && control.remaining().is_zero() && !control.left("soon"));
    }

    #[test]
    fn a_fixed_time_replaces_the_clock_and_depth_is_kept_beside_it() {
        let mut control = TimeControl::default();
        assert!(control.exact("10") && control.depth("6"));
        let limits = control.limits(0, Duration::from_secs(1));
        assert_eq!(
            (limits.move_time, limits.clock, limits.depth),
            (Some(Duration::from_millis(8500)), None, Some(6))
        );
        assert!(control.level("0 1 0", 0));
        let limits = control.limits(0, Duration::ZERO);
        assert_eq!((limits.move_time, limits.clock.is_some(), limits.depth), (None, true, Some(6)));
        control.new_game();
        assert_eq!(control.limits(0, Duration::ZERO).depth, None);
        assert!(!control.exact("0") && !control.exact("x") && !control.depth("0") && !control.depth("-3"));
    }
}
