//! Statistics of the results of two engines. Pure arithmetic.
//!
//! Scores are those of the *first* of the two engines. Two games from one opening with colours exchanged form a
//! *pair*. Pairs are independent of each other, the games of a pair are not, so with pairs every error is
//! estimated from the five possible results of a pair (the *pentanomial*) and not from single games.
//!
//! Formulas: the logistic Elo scale; normalised Elo and the variance of pairs after Michel Van den Bergh, "Comments
//! on normalized Elo" and "The generalized maximum likelihood ratio for the expectation value of a distribution".

use serde::{Deserialize, Serialize};

/// Elo points of normalised Elo that make one standard deviation of a game: 800 / ln 10.
pub const NORMALIZED: f64 = 347.435_585_522_601_46;
/// The quantile of the normal distribution for an interval of 95 %.
const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Counted results of the first of two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by their points: 0, 1/2, 1, 3/2 and 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw being half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points by games, 0 to 1; one half if there are no games.
    pub fn share(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Complete pairs.
    pub fn pairs_played(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Adds a game with so many half points (0, 1, 2) for the first engine.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a complete pair with so many half points (0 to 4). Its games are added by [`Tally::add_game`].
    pub fn add_pair(&mut self, half_points: u8) {
        self.pairs[usize::from(half_points.min(4))] += 1;
    }

    /// The same games from the side of the other engine.
    pub fn reversed(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, more)| *sum += more);
    }

    /// The frequencies from which estimates are made, the lowest result first: those of pairs where there are pairs,
    /// otherwise those of games.
    pub fn frequencies(&self) -> Vec<u64> {
        match self.pairs_played() {
            0 => vec![self.losses, self.draws, self.wins],
            _ => self.pairs.to_vec(),
        }
    }

    /// The share of pairs that gave each engine one point, 0 to 1; of drawn games where there are no pairs.
    pub fn draw_ratio(&self) -> f64 {
        match (self.pairs_played(), self.games()) {
            (0, 0) => 0.0,
            (0, games) => self.draws as f64 / games as f64,
            (pairs, _) => self.pairs[2] as f64 / pairs as f64,
        }
    }

    /// Pairs won by lost pairs; infinite if none was lost, `None` if none was won or lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let (lost, won) = (self.pairs[0] + self.pairs[1], self.pairs[3] + self.pairs[4]);
        (lost + won > 0).then(|| won as f64 / lost as f64)
    }

    /// The estimate.
    pub fn estimate(&self) -> Estimate {
        Estimate::new(&self.frequencies())
    }
}

/// An estimate of the difference of two engines. Errors are half the width of the 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean score, 0 to 1.
    pub score: f64,
    /// The difference in logistic Elo; infinite if everything was won or lost.
    pub elo: f64,
    /// Error of `elo`.
    pub elo_error: f64,
    /// The difference in normalised Elo: the distance from an even score in standard deviations of a game.
    pub nelo: f64,
    /// Error of `nelo`.
    pub nelo_error: f64,
    /// The likelihood of superiority: the probability, 0 to 1, that the first engine is the better one.
    pub los: f64,
}

impl Estimate {
    /// From the frequencies of three results of games, or five of pairs, the lowest first.
    fn new(frequencies: &[u64]) -> Estimate {
        let number: u64 = frequencies.iter().sum();
        if number == 0 {
            let unknown = f64::INFINITY;
            return Estimate {
                score: 0.5,
                elo: 0.0,
                elo_error: unknown,
                nelo: 0.0,
                nelo_error: unknown,
                los: 0.5,
            };
        }
        let number = number as f64;
        let top = (frequencies.len() - 1) as f64;
        let part = |(at, &times): (usize, &u64)| (at as f64 / top, times as f64 / number);
        let score: f64 = frequencies.iter().enumerate().map(part).map(|(points, p)| points * p).sum();
        let variance: f64 =
            frequencies.iter().enumerate().map(part).map(|(points, p)| (points - score).powi(2) * p).sum();
        let error = (variance / number).sqrt();
        // The games in each counted result.
        let games = if frequencies.len() == 5 { 2.0 } else { 1.0 };
        let deviation = (variance * games).sqrt();
        let (low, high) = (score - QUANTILE_95 * error, score + QUANTILE_95 * error);
        let sure = |score: f64| match score {
            score if score > 0.5 => 1.0,
            score if score < 0.5 => 0.0,
            _ => 0.5,
        };
        Estimate {
            score,
            elo: elo(score),
            // Nothing but wins say nothing about how many there might be.
            elo_error: if elo(score).is_finite() { (elo(high) - elo(low)) / 2.0 } else { f64::INFINITY },
            nelo: if deviation > 0.0 { (score - 0.5) / deviation * NORMALIZED } else { elo(score) },
            nelo_error: QUANTILE_95 * NORMALIZED / (number * games).sqrt(),
            los: if error > 0.0 { normal_cdf((score - 0.5) / error) } else { sure(score) },
        }
    }
}

/// The difference in Elo that goes with an expected score: 400 log₁₀(s / (1 − s)). Infinite from 0 and 1 outwards.
pub fn elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        // In this order, so that an even score gives 0 and not -0.
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// The score, 0 to 1, expected with a difference in Elo: the inverse of [`elo`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn normal_cdf(x: f64) -> f64 {
    (1.0 + libm::erf(x / std::f64::consts::SQRT_2)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, published: f64) {
        assert!((found - published).abs() <= 0.01 * (1.0 + published.abs()) / 2.0, "{found} and {published}");
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Estimate {
        Tally { wins, losses, draws, ..Tally::default() }.estimate()
    }

    fn pairs(pairs: [u64; 5]) -> Estimate {
        Tally { pairs, ..Tally::default() }.estimate()
    }

    /// Inputs and results as published with the tests of fastchess (`elo_test.cpp`).
    #[test]
    fn published_estimates_from_games() {
        let a = games(76, 89, 123);
        close(a.nelo, -20.76);
        close(a.nelo_error, 40.13);
        assert_eq!(format!("{:.2}", 100.0 * a.los), "15.53");
        let b = games(136, 96, 111);
        close(b.nelo, 49.77);
        close(b.nelo_error, 36.77);
        close(b.elo, 40.70);
        close(b.elo_error, 30.43);
        assert_eq!(format!("{:.2}", 100.0 * b.los), "99.60");
        let c = games(34, 356, 0);
        close(c.nelo, -508.44);
        close(c.nelo_error, 34.48);
    }

    /// From the same source; there the middle result is given as two counts, for one win and for two draws.
    #[test]
    fn published_estimates_from_pairs() {
        let a = pairs([34, 54, 31 + 32, 64, 75]);
        close(a.nelo, 57.94);
        close(a.nelo_error, 28.28);
        close(a.elo, 55.58);
        close(a.elo_error, 27.65);
        let b = pairs([332, 433, 457 + 41, 333, 334]);
        close(b.nelo, -9.17);
        close(b.nelo_error, 10.96);
        close(b.elo, -8.64);
        close(b.elo_error, 10.33);
        assert_eq!(format!("{:.2}", 100.0 * b.los), "5.05");
        let c = pairs([7895, 8757, 5485 + 200, 568, 9999]);
        close(c.nelo, -19.01);
        close(c.nelo_error, 2.65);
        close(c.elo, -21.04);
        close(c.elo_error, 2.95);
    }

    /// The table of expected scores that every Elo list prints.
    #[test]
    fn elo_and_score_are_inverse() {
        for (points, score) in [(0.0, 0.5), (100.0, 0.640), (200.0, 0.760), (400.0, 0.909), (-200.0, 0.240)] {
            close(expected_score(points), score);
            assert!((elo(expected_score(points)) - points).abs() < 1e-9);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn empty_and_one_sided_results_have_estimates_too() {
        let nothing = Tally::default().estimate();
        assert_eq!((nothing.score, nothing.elo, nothing.los), (0.5, 0.0, 0.5));
        let all = pairs([0, 0, 0, 0, 7]);
        assert_eq!((all.elo, all.los), (f64::INFINITY, 1.0));
        assert_eq!(pairs([0, 0, 9, 0, 0]).los, 0.5);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let mut tally = Tally::default();
        for (games, pair) in [([2, 2], 4), ([2, 1], 3), ([0, 2], 2), ([0, 1], 1)] {
            games.iter().for_each(|&game| tally.add_game(game));
            tally.add_pair(pair);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (4, 2, 2));
        assert_eq!(tally.reversed(), Tally { wins: 2, draws: 2, losses: 4, pairs: [1, 1, 1, 1, 0] });
        assert!((tally.estimate().elo + tally.reversed().estimate().elo).abs() < 1e-9);
        let mut sum = tally;
        sum.add(&tally.reversed());
        assert_eq!((sum.games(), sum.points(), sum.pairs_played()), (16, 8.0, 8));
        assert_eq!((tally.draw_ratio(), tally.pairs_ratio()), (0.25, Some(2.0)));
    }
}
