//! Playing worse than possible, in the way of people.
//!
//! A weak player sees less far and judges less exactly, but does not play at random. So a level has a number of nodes
//! for the search, and a tolerance: among the best lines that this shallow search finds, a move is drawn by lot, and the
//! chance of each falls with what it gives away. The lot depends on nothing but the seed and the
//! game so far.
//!
//! Nodes and tolerance go by rungs of a ladder. What a rung is worth differs from game to game and from bottom to top, and
//! was measured by matches between neighbours; levels are spread over the ladder so that each is worth as much as the next.

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
/// What a level is worth in ratings. Matches among the levels themselves show more, and not the same in all games.
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
}

/// How far up the ladder: 0 holds back most, [`TOP`] least.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Rung(f64);

/// The highest rung; above it is only full strength.
const TOP: usize = FULL as usize - 1;

impl Rung {
    /// The rung of a level, in a game where each rung of `ladder`, from the first above the ground, wins against the one
    /// below by so many Elo. Those beyond are taken to be worth what the last four are on average.
    fn of(level: f64, ladder: &[u16]) -> Rung {
        let last = &ladder[ladder.len().saturating_sub(4)..];
        let beyond = last.iter().copied().map(f64::from).sum::<f64>() / last.len() as f64;
        let worth = |rung: usize| ladder.get(rung).copied().map_or(beyond, f64::from);
        let mut height = (0..TOP).map(worth).sum::<f64>() * level / TOP as f64;
        for below in 0..TOP {
            if height < worth(below) {
                return Rung(below as f64 + height / worth(below));
            }
            height -= worth(below);
        }
        Rung(TOP as f64)
    }

    /// How many nodes to search. The first rung needs enough to have looked at all its moves.
    fn nodes(self) -> u64 {
        (400.0 * (self.0 / 2.2).exp2()) as u64
    }

    /// How many lines to choose from.
    fn lines(self) -> usize {
        (8.0 - self.0 / 3.2) as usize
    }

    /// What is given away lightly, in centipawns: a move that gives away so much is e times less likely than the best.
    /// Whoever stands clearly better or worse minds a little less, but goes on trying to win what can be won.
    fn tolerance(self, best: i32) -> f64 {
        let ease = 1.0 + f64::from(best.abs().min(1000)) / 2000.0;
        110.0 * (-self.0 / 5.0).exp() * ease
    }

    /// One of the lines, best first.
    fn choose(self, scores: &[i32], random: u64) -> usize {
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
    let rung = Rung::of(strength.level, session.info().ladder);
    let nodes = rung.nodes().min(limits.nodes.unwrap_or(u64::MAX));
    let held = Limits { nodes: Some(nodes), ..limits.clone() };
    // More threads would make it depend on their timing.
    let several = Settings { threads: 1, multi_pv: rung.lines().max(settings.multi_pv), ..settings };
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
    let Some(chosen) = lines.get(rung.choose(&scores, lot(session, strength.seed))) else {
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

    #[test]
    fn rungs_rise() {
        for below in 0..TOP {
            let (below, above) = (Rung(below as f64), Rung((below + 1) as f64));
            assert!(below.nodes() < above.nodes() && below.tolerance(0) > above.tolerance(0));
            assert!(above.lines() >= 2);
        }
    }

    #[test]
    fn ratings_are_levels() {
        assert!(Strength::default().is_full());
        let elo = |elo| Strength::of_elo(elo);
        assert_eq!([elo(LOWEST_ELO), elo(LOWEST_ELO + ELO_A_LEVEL * 3 / 2), elo(9999)], [0.0, 1.5, 19.0]);
    }

    #[test]
    fn every_level_is_worth_the_same() {
        // Eleven rungs that are known, and eight beyond.
        let ladder = [50, 150, 300, 70, 80, 90, 100, 100, 110, 120, 130];
        let beyond = 115.0;
        let all = f64::from(ladder.iter().sum::<u16>()) + 8.0 * beyond;
        let level = |height: f64| height / all * 19.0;
        let near = |level, rung: f64| {
            let found = Rung::of(level, &ladder).0;
            assert!((found - rung).abs() < 1e-9, "level {level}: {found} instead of {rung}");
        };
        near(0.0, 0.0);
        near(level(25.0), 0.5);
        near(level(50.0), 1.0);
        near(level(350.0), 2.5);
        near(level(all - beyond / 4.0), 18.75);
        near(19.0, 19.0);
        for name in engine::NAMES {
            let ladder = engine::info(name).expect("a game").ladder;
            let rungs: Vec<_> = (0..FULL).map(|level| Rung::of(level.into(), ladder)).collect();
            assert!(rungs.is_sorted_by(|a, b| a < b) && rungs[0] == Rung(0.0), "{name}: {rungs:?}");
        }
    }

    #[test]
    fn what_gives_away_more_is_chosen_less() {
        let counts = |rung: Rung| {
            let mut counts = [0; 4];
            let (mut seed, mut random) = (3, 0);
            for _ in 0..4000 {
                (seed, random) = split_mix(seed ^ random);
                counts[rung.choose(&[50, 40, -60, -900], random)] += 1;
            }
            counts
        };
        let weak = counts(Rung(0.0));
        assert!(weak.is_sorted_by(|a, b| a >= b) && weak[2] > 400 && weak[3] < 400, "{weak:?}");
        let strong = counts(Rung(19.0));
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
