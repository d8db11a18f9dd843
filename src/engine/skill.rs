//! Playing worse than possible, in the way of people.
//!
//! A weak player sees less far and judges less exactly, but does not play at random. So a level has a number of nodes
//! for the search, and a tolerance: among the best lines that this shallow search finds, a move is drawn by lot, and the
//! chance of each falls with what it gives away. The lot depends on nothing but the seed and the
//! game so far.

use super::{Answer, Report, Session};
use crate::board::zobrist::split_mix;
use crate::search::{Control, Limits, Memory, Settings};
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// From 0, which loses to a beginner, to [`FULL`], which plays as well as it can.
    pub level: f64,
    /// Whoever has the same seed plays the same move in the same game.
    pub seed: u64,
}

/// The level that knows no restraint.
pub const FULL: u32 = 20;

/// The rating of level 0.
pub const LOWEST_ELO: u32 = 600;
/// The rating of the level below the full one; full strength has no rating.
pub const HIGHEST_ELO: u32 = LOWEST_ELO + (FULL - 1) * ELO_A_LEVEL;
/// What a level is meant to be worth in matches between neighbours.
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

    /// Is nothing held back?
    pub fn is_full(&self) -> bool {
        self.level >= f64::from(FULL)
    }

    /// How many nodes to search. The first level needs enough to have looked at all its moves.
    fn nodes(&self) -> u64 {
        (400.0 * (self.level / 2.2).exp2()) as u64
    }

    /// How many lines to choose from.
    fn lines(&self) -> usize {
        (8.0 - self.level / 3.2) as usize
    }

    /// What is given away lightly, in centipawns: a move that gives away so much is e times less likely than the best.
    /// Whoever stands clearly better or worse minds a little less, but goes on trying to win what can be won.
    fn tolerance(&self, best: i32) -> f64 {
        let ease = 1.0 + f64::from(best.abs().min(1000)) / 2000.0;
        110.0 * (-self.level / 5.0).exp() * ease
    }

    /// One of the lines, best first.
    fn choose(&self, scores: &[i32], random: u64) -> usize {
        let best = scores.iter().copied().max().unwrap_or(0);
        let weight = |&score: &i32| (f64::from(score - best) / self.tolerance(best)).exp();
        let weights: Vec<f64> = scores.iter().map(weight).collect();
        let mut lot = random as f64 / u64::MAX as f64 * weights.iter().sum::<f64>();
        for (choice, weight) in weights.iter().enumerate() {
            lot -= weight;
            if lot <= 0.0 {
                return choice;
            }
        }
        0
    }
}

/// [`Session::think`], as strong as `strength` says. Analysis and proofs of mates are never held back.
pub fn think(
    session: &dyn Session,
    strength: Strength,
    limits: &Limits,
    settings: Settings,
    memory: &Memory,
    control: &Control,
    report: &(dyn Fn(&Report) + Sync),
) -> Answer {
    if strength.is_full() || limits.infinite || limits.mate.is_some() {
        return session.think(limits, settings, memory, control, report);
    }
    let nodes = strength.nodes().min(limits.nodes.unwrap_or(u64::MAX));
    let held = Limits { nodes: Some(nodes), ..limits.clone() };
    // More threads would make it depend on their timing.
    let several = Settings { threads: 1, multi_pv: strength.lines().max(settings.multi_pv), ..settings };
    let lines: Mutex<Vec<Report>> = Mutex::default();
    let answer = session.think(&held, several, memory, control, &|line: &Report| {
        let mut lines = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // An iteration that is broken off tells its best line only; the others are as they were.
        lines.retain(|known| known.pv.first() != line.pv.first());
        let place = (line.multi_pv - 1).min(lines.len());
        lines.insert(place, line.clone());
        lines.truncate(several.multi_pv);
        drop(lines);
        if line.multi_pv <= settings.multi_pv {
            report(line);
        }
    });
    let lines = lines.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let scores: Vec<i32> = lines.iter().map(|line| line.score).collect();
    let Some(chosen) = lines.get(strength.choose(&scores, lot(session, strength.seed))) else {
        return answer;
    };
    let [Some(best), ponder] = [chosen.pv.first(), chosen.pv.get(1)] else { return answer };
    if Some(best) != answer.best.as_ref() {
        // Whoever listens has heard of the move that is played.
        report(&Report { multi_pv: 1, ..chosen.clone() });
    }
    Answer {
        best: Some(best.clone()),
        ponder: ponder.cloned(),
        line_san: chosen.pv_san.clone(),
        score: chosen.score,
        nodes: answer.nodes,
        depth: chosen.depth,
    }
}

/// A seed that nobody foresees.
pub fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// A number drawn by lot for this position of this game.
fn lot(session: &dyn Session, seed: u64) -> u64 {
    let mut state = seed;
    let mut random = 0;
    for byte in session.fen().bytes() {
        (state, random) = split_mix(state ^ random ^ u64::from(byte));
    }
    random
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    fn level(level: u32) -> Strength {
        Strength { level: level.into(), seed: 1 }
    }

    #[test]
    fn levels_rise() {
        for below in 0..FULL - 1 {
            let (below, above) = (level(below), level(below + 1));
            assert!(below.nodes() < above.nodes() && below.tolerance(0) > above.tolerance(0));
            assert!(above.lines() >= 2 && !above.is_full());
        }
        assert!(Strength::default().is_full());
        let elo = |elo| Strength::of_elo(elo);
        assert_eq!([elo(LOWEST_ELO), elo(LOWEST_ELO + ELO_A_LEVEL * 3 / 2), elo(9999)], [0.0, 1.5, 19.0]);
    }

    #[test]
    fn what_gives_away_more_is_chosen_less() {
        let counts = |level: Strength| {
            let mut counts = [0; 4];
            let (mut seed, mut random) = (3, 0);
            for _ in 0..4000 {
                (seed, random) = split_mix(seed ^ random);
                counts[level.choose(&[50, 40, -60, -900], random)] += 1;
            }
            counts
        };
        let weak = counts(level(0));
        assert!(weak.is_sorted_by(|a, b| a >= b) && weak[2] > 400 && weak[3] < 400, "{weak:?}");
        let strong = counts(level(19));
        assert!(strong[2] < 10 && strong[3] == 0, "{strong:?}");
    }

    #[test]
    fn the_same_seed_plays_the_same_move_and_another_may_not() {
        let session = engine::open("canyon").expect("a game");
        let best = |seed, level| {
            let (memory, control, limits) = (Memory::new(1), Control::default(), Limits::default());
            control.start(&limits);
            let strength = Strength { level, seed };
            think(&*session, strength, &limits, Settings::default(), &memory, &control, &|_| {}).best
        };
        let weak: Vec<_> = (0..12).map(|seed| best(seed, 0.0)).collect();
        assert_eq!(weak, (0..12).map(|seed| best(seed, 0.0)).collect::<Vec<_>>());
        assert!(weak.iter().any(|mv| *mv != weak[0]));
    }
}
