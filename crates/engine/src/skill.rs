//! Weaker play that resembles that of people.
//!
//! A weak player sees less far and judges less exactly, but does not play at random. So a level limits the nodes of
//! the search, and has a tolerance: the move is chosen at random among the best lines of this shallow search, the
//! less likely the more it loses. The choice depends only on the seed and the game so far.
//!
//! The nodes depend on the number of legal moves, so that a level sees equally far in large and small games. In
//! matches between neighbouring levels, the low ones are then worth about the same in all games.

use super::Session;
use quintain_core::board::zobrist::{random_numbers, split_mix};
use quintain_core::host;
use quintain_core::search::{Bound, Event, Info, Limits, Search, Settings, each_line};
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// From 0, which loses to a beginner, to [`FULL`], which plays as well as it can.
    pub level: f64,
    /// The same seed gives the same move in the same game.
    pub seed: u64,
}

/// The level of full strength.
pub const FULL: u32 = 20;

/// The rating of level 0.
pub const LOWEST_ELO: u32 = 600;
/// The rating of the level below the full one; full strength has no rating.
pub const HIGHEST_ELO: u32 = LOWEST_ELO + (FULL - 1) * ELO_A_LEVEL;
/// Elo a level. Matches between neighbouring levels mostly show more, but less between high ones in small games.
pub const ELO_A_LEVEL: u32 = 100;

impl Default for Strength {
    fn default() -> Self {
        Strength { level: FULL.into(), seed: 0 }
    }
}

impl Strength {
    /// The level that plays at this rating, from [`LOWEST_ELO`] to [`HIGHEST_ELO`].
    pub fn of_elo(elo: u32) -> f64 {
        let elo = elo.clamp(LOWEST_ELO, HIGHEST_ELO);
        f64::from(elo - LOWEST_ELO) / f64::from(ELO_A_LEVEL)
    }

    /// Is this full strength?
    pub fn is_full(&self) -> bool {
        self.level >= f64::from(FULL)
    }

    /// How many nodes to search with so many legal moves. The lowest level needs enough to search each move in each
    /// line; with less it would only see the moves generated first.
    fn nodes(&self, moves: usize) -> u64 {
        (24.0 * moves.max(25) as f64 * (self.level / 2.4).exp2()) as u64
    }

    /// How many lines to choose from. A line less is worth half a level, so the number is randomised between two.
    fn lines(&self, random: u64) -> usize {
        (8.0 - self.level / 3.2 + fraction(random)) as usize
    }

    /// The tolerance in units of the evaluation: a move that loses so much is e times less likely than the best. It is a little
    /// larger in clearly better or worse positions, but still small enough to try to win won games.
    fn tolerance(&self, best: i32) -> f64 {
        let ease = 1.0 + f64::from(best.abs().min(1000)) / 2000.0;
        200.0 * (-self.level / 4.0).exp() * ease
    }

    /// One of the lines, best first.
    fn choose(&self, scores: &[i32], random: u64) -> usize {
        let best = scores.iter().copied().max().unwrap_or(0);
        let weight = |&score: &i32| (f64::from(score - best) / self.tolerance(best)).exp();
        let weights: Vec<f64> = scores.iter().map(weight).collect();
        let mut lot = fraction(random) * weights.iter().sum::<f64>();
        for (choice, weight) in weights.iter().enumerate() {
            lot -= weight;
            if lot <= 0.0 {
                return choice;
            }
        }
        0
    }
}

/// [`Session::search`], as strong as `strength` says. Analysis and mate proofs are always at full strength.
pub fn search_at_level(session: &dyn Session, strength: Strength, search: &Search) -> Info {
    let &Search { limits, settings, listener, .. } = search;
    if strength.is_full() || limits.infinite || limits.mate.is_some() {
        return session.search(search);
    }
    let mut lots = lots(session, strength.seed);
    let nodes = strength.nodes(session.moves().len()).min(limits.nodes.unwrap_or(u64::MAX));
    let limits = &Limits { nodes: Some(nodes), ..limits.clone() };
    // With more threads the result would depend on timing.
    let several = Settings {
        threads: 1,
        multi_pv: strength.lines(lots()).max(settings.multi_pv),
        table_limit: 0,
        ..settings
    };
    let lines: Mutex<Vec<Info>> = Mutex::default();
    let told = |line: &Info| {
        if line.bound != Bound::Exact {
            return;
        }
        let mut lines = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        lines.truncate(line.multi_pv - 1);
        lines.push(line.clone());
        drop(lines);
        if line.multi_pv <= settings.multi_pv {
            listener(Event::Info(line));
        }
    };
    let best = session.search(&Search { limits, settings: several, listener: &each_line(told), ..*search });
    let lines = lines.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let scores: Vec<i32> = lines.iter().map(|line| line.score).collect();
    match lines.get(strength.choose(&scores, lots())) {
        Some(chosen) if chosen.best().is_some() => {
            let chosen = Info { multi_pv: 1, nodes: best.nodes, ..chosen.clone() };
            if chosen.best() != best.best() {
                // The chosen move has been reported.
                listener(Event::Info(&chosen));
            }
            chosen
        }
        _ => best,
    }
}

/// A random seed.
pub fn any_seed() -> u64 {
    // WebAssembly has no random numbers of its own, but each moment is another.
    RandomState::new().hash_one(host::now())
}

/// Random numbers for this position of this game.
fn lots(session: &dyn Session, seed: u64) -> impl FnMut() -> u64 {
    let (mut state, mut random) = (seed, 0);
    for byte in session.fen().bytes() {
        (state, random) = split_mix(state ^ random ^ u64::from(byte));
    }
    random_numbers(state ^ random)
}

/// A random number from 0 to 1.
fn fraction(random: u64) -> f64 {
    (random >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_core::search::{Control, Memory};

    fn at(level: f64) -> Strength {
        Strength { level, seed: 0 }
    }

    #[test]
    fn levels_rise() {
        for level in 1..FULL {
            let (below, above) = (at((level - 1).into()), at(level.into()));
            assert!(below.nodes(20) < above.nodes(20) && below.nodes(100) < above.nodes(100));
            assert!(below.tolerance(0) > above.tolerance(0) && below.lines(0) >= above.lines(0));
            assert!(above.lines(0) >= 2 && above.lines(u64::MAX) - above.lines(0) <= 1);
        }
    }

    #[test]
    fn ratings_are_levels() {
        assert!(Strength::default().is_full());
        let elo = |elo| Strength::of_elo(elo);
        assert_eq!([elo(LOWEST_ELO), elo(LOWEST_ELO + ELO_A_LEVEL * 3 / 2), elo(9999)], [0.0, 1.5, 19.0]);
    }

    #[test]
    fn what_gives_away_more_is_chosen_less() {
        let counts = |strength: Strength| {
            let mut counts = [0; 4];
            let (mut seed, mut random) = (3, 0);
            for _ in 0..4000 {
                (seed, random) = split_mix(seed ^ random);
                counts[strength.choose(&[50, 40, -60, -900], random)] += 1;
            }
            counts
        };
        let weak = counts(at(0.0));
        assert!(weak.is_sorted_by(|a, b| a >= b) && weak[2] > 400 && weak[3] < 400, "{weak:?}");
        let strong = counts(at(19.0));
        assert!(strong[2] < 10 && strong[3] == 0, "{strong:?}");
    }

    #[test]
    fn the_same_seed_plays_the_same_move_and_another_may_not() {
        for game in crate::NAMES {
            let session = crate::open(game).expect("a game");
            let best = |seed| {
                let limits = Limits::default();
                let (memory, control) = (Memory::new(1), Control::started(&limits));
                let weakest = Strength { level: 0.0, seed };
                search_at_level(&*session, weakest, &Search::new(&limits, &memory, &control)).best()
            };
            let mut moves: Vec<_> = (0..12).map(best).collect();
            assert_eq!(moves, (0..12).map(best).collect::<Vec<_>>(), "{game}");
            moves.sort_by_key(|mv| format!("{mv:?}"));
            moves.dedup();
            assert!(moves.len() >= 3, "{game}: {moves:?}");
        }
    }
}
