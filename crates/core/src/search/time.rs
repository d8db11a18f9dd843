//! Time management.

use super::limits::{Clock, Limits};
use std::time::Duration;

/// When to stop, counted from the start of our own time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration is begun after this.
    pub soft: Duration,
    /// The search is stopped at this.
    pub hard: Duration,
}

/// The time to spend under `limits`, `None` for no time limit. `overhead` is the time lost in each move outside the
/// search.
pub fn budget(limits: &Limits, overhead: Duration) -> Option<Budget> {
    if let Some(time) = limits.move_time {
        let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
        return Some(Budget { soft: time, hard: time });
    }
    limits.clock.map(|clock| share(clock, overhead))
}

/// More time than this, 136 years, is no more of use.
const MOST_TIME: Duration = Duration::from_secs(1 << 32);

fn share(clock: Clock, overhead: Duration) -> Budget {
    let [left, increment] = [clock.left, clock.increment].map(|time| time.min(MOST_TIME));
    let moves = if clock.moves_to_go == 0 { 18 } else { clock.moves_to_go.min(40) };
    // Reserve the overhead of the moves to come, but at most half of the clock.
    let left = left.saturating_sub(overhead);
    let usable = left.saturating_sub(overhead * moves.min(20) / 2).max(left / 2);
    let fair = usable / moves + increment * 9 / 10;
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    let least = Duration::from_micros(500);
    let hard = (fair * 3).min(most).max(least);
    Budget { soft: fair.min(hard), hard }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_any_clock() {
        let clock = Clock { left: Duration::MAX, increment: Duration::MAX, moves_to_go: 1 };
        assert!(share(clock, Duration::from_secs(10)).hard > Duration::from_secs(1_000_000));
    }

    #[test]
    fn never_spends_more_than_there_is() {
        for left in [0u64, 1, 5, 10, 50, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 1, 10, 100, 5_000] {
                for moves_to_go in [0, 1, 2, 5, 40, 1000] {
                    for overhead in [0, 1, 10, 30, 1000] {
                        let [left, increment, overhead] =
                            [left, increment, overhead].map(Duration::from_millis);
                        let budget = share(Clock { left, increment, moves_to_go }, overhead);
                        assert!(budget.soft <= budget.hard);
                        let most = left.saturating_sub(overhead).max(Duration::from_micros(500));
                        assert!(
                            budget.hard <= most,
                            "{left:?} {increment:?} {moves_to_go} {overhead:?}: {budget:?}"
                        );
                    }
                }
            }
        }
    }
}
