//! The sequential probability ratio test, which goes on until the results decide between two hypotheses.
//!
//! H0 says that the true difference is `elo0`, H1 that it is `elo1`. After each game the logarithm of the likelihood
//! ratio of H1 to H0 (LLR) is computed, and the test ends when it leaves the interval between the two bounds of Wald.
//! As the distribution of results is not known, each hypothesis is represented by the distribution that fulfils it
//! and fits the results best (the *generalised* SPRT), after Michel Van den Bergh, "The generalized maximum
//! likelihood ratio for the expectation value of a distribution" and "Normalized Elo". Pure arithmetic.

use super::stats::{NORMALIZED, Tally, expected_score};
use serde::{Deserialize, Serialize};

/// The scale of the Elo of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: the distance from an even score in standard deviations of a game. The number of
    /// games of a test then does not depend on the share of draws.
    #[default]
    Normalized,
    /// The usual Elo.
    Logistic,
}

/// A test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, more than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 though H0 is true, between 0 and 1.
    pub alpha: f64,
    /// The probability of accepting H0 though H1 is true, between 0 and 1.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: Model,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Undecided.
    Open,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

/// The largest difference of a hypothesis in Elo: nobody scores more than all but one of 30 million points.
pub const MOST_ELO: f64 = 3000.0;
/// The count of results that did not occur: zero would make them impossible.
const NEVER_SEEN: f64 = 1e-3;

impl Sprt {
    /// The LLR at which H0 and H1 are accepted: ln(β/(1−α)) and ln((1−β)/α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio, from pairs where there are pairs, otherwise from games. Zero as long as
    /// there are no results.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let frequencies = tally.frequencies();
        if frequencies.iter().all(|&times| times == 0) {
            return 0.0;
        }
        let counts: Vec<f64> =
            frequencies.iter().map(|&times| if times == 0 { NEVER_SEEN } else { times as f64 }).collect();
        let number: f64 = counts.iter().sum();
        let top = (counts.len() - 1) as f64;
        let seen: Distribution =
            counts.iter().enumerate().map(|(at, times)| (at as f64 / top, times / number)).collect();
        let (under0, under1) = match self.model {
            Model::Logistic => (
                best_with_mean(&seen, expected_score(self.elo0)),
                best_with_mean(&seen, expected_score(self.elo1)),
            ),
            Model::Normalized => {
                // The mean of two games deviates by 1/√2 of what one game does.
                let games = if counts.len() == 5 { 2f64.sqrt() } else { 1.0 };
                let distance = |elo: f64| elo / NORMALIZED * games;
                (
                    best_with_distance(&seen, distance(self.elo0)),
                    best_with_distance(&seen, distance(self.elo1)),
                )
            }
        };
        let ratio = seen.iter().zip(under0.iter().zip(&under1));
        number * ratio.map(|((_, p), (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// The verdict.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let ((low, high), llr) = (self.bounds(), self.llr(tally));
        match llr {
            llr if llr >= high => Verdict::H1,
            llr if llr <= low => Verdict::H0,
            _ => Verdict::Open,
        }
    }
}

/// Values and their probabilities.
type Distribution = Vec<(f64, f64)>;

/// The probabilities that fit `seen` best among those with this mean: pᵢ / (1 + θ(aᵢ − mean)), with θ chosen to give
/// the mean.
fn best_with_mean(seen: &Distribution, mean: f64) -> Vec<f64> {
    let (least, most) = seen
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (a, _)| (least.min(*a), most.max(*a)));
    let excess =
        |theta: f64| -> f64 { seen.iter().map(|(a, p)| p * (a - mean) / (1.0 + theta * (a - mean))).sum() };
    // It falls from +∞ to −∞ between the two poles.
    let (mut low, mut high) = (-1.0 / (most - mean), 1.0 / (mean - least));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        *(if excess(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let theta = (low + high) / 2.0;
    seen.iter().map(|(a, p)| p / (1.0 + theta * (a - mean))).collect()
}

/// The probabilities that fit `seen` best among those whose mean is so many standard deviations above an even score.
/// Each step turns the condition into one on a mean, with mean and deviation of the step before. That can be fulfilled
/// if the step before was not nearer to an even score than `distance`, and then this one is not either. So it begins
/// with hardly anything but the best result, or the worst one.
fn best_with_distance(seen: &Distribution, distance: f64) -> Vec<f64> {
    const EVEN: f64 = 0.5;
    let others = 1.0 / (4.0 * distance.powi(2) + 4.0);
    let mut best = vec![others / seen.len() as f64; seen.len()];
    let outermost = if distance < 0.0 { best.first_mut() } else { best.last_mut() };
    if let Some(outermost) = outermost {
        *outermost += 1.0 - others;
    }
    for _ in 0..100 {
        let values = || seen.iter().zip(&best).map(|((a, _), p)| (*a, *p));
        let mean: f64 = values().map(|(a, p)| a * p).sum();
        let deviation = values().map(|(a, p)| (a - mean).powi(2) * p).sum::<f64>().sqrt();
        let shifted =
            |a: f64| a - EVEN - distance * deviation * (1.0 + ((mean - a) / deviation).powi(2)) / 2.0;
        let next = best_with_mean(&seen.iter().map(|&(a, p)| (shifted(a), p)).collect(), 0.0);
        let change = next.iter().zip(&best).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        best = next;
        if change < 1e-9 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// Inputs and results as published with the tests of fastchess (`sprt_test.cpp`): wins, losses, draws.
    #[test]
    fn published_ratios_from_games() {
        use Model::{Logistic, Normalized};
        for (wins, losses, draws, elo0, elo1, model, llr) in [
            (36433, 36027, 68692, 0.0, 2.0, Normalized, 0.92),
            (10871, 10650, 20431, -1.75, 0.25, Normalized, 2.30),
            (21404, 21184, 40708, 0.5, 2.5, Logistic, -1.57),
            (57433, 57030, 106_593, 0.0, 2.0, Logistic, -2.59),
        ] {
            let found = test(elo0, elo1, model).llr(&Tally { wins, losses, draws, ..Tally::default() });
            assert!((found - llr).abs() < 0.02, "{found} instead of {llr}");
        }
    }

    /// From the same source: pairs that gave 0, 1/2, 1, 3/2 and 2 points.
    #[test]
    fn published_ratios_from_pairs() {
        use Model::{Logistic, Normalized};
        for (pairs, elo0, elo1, model, llr) in [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let found = test(elo0, elo1, model).llr(&Tally { pairs, ..Tally::default() });
            assert!((found - llr).abs() < 0.04, "{found} instead of {llr}");
        }
    }

    /// Who wins every pair is represented by two results, 0 and 1, whose probabilities can be written down: the upper
    /// one is (1 + t/√(1+t²))/2 at a distance of t deviations.
    #[test]
    fn one_sided_results_have_the_ratio_that_theory_gives() {
        let tally = Tally { pairs: [0, 0, 0, 0, 104], ..Tally::default() };
        let t = 5.0 / NORMALIZED * 2f64.sqrt();
        let theory = 104.0 * (1.0 + t / (1.0 + t * t).sqrt()).ln();
        let found = test(0.0, 5.0, Model::Normalized).llr(&tally);
        assert!((found - theory).abs() < 0.01, "{found} instead of {theory}");
        // Nothing but draws fit H0 as well as anything can.
        assert!(test(0.0, 5.0, Model::Normalized).llr(&Tally { draws: 16700, ..Tally::default() }) < 0.0);
    }

    /// However far the hypotheses are from the results and from each other, as far as settings allow it.
    #[test]
    fn far_hypotheses_have_a_ratio_too() {
        let tallies =
            [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 9, 0, 0], [1, 4, 10, 5, 1], [0, 900, 0, 2, 70]];
        let elo = [-MOST_ELO, -400.0, -235.0, 0.0, 200.0, 300.0, MOST_ELO];
        for pairs in tallies {
            let (wins, draws, losses) = (pairs[4] + pairs[3], pairs[2], pairs[1] + pairs[0]);
            for tally in
                [Tally { pairs, ..Tally::default() }, Tally { wins, draws, losses, ..Tally::default() }]
            {
                let ratio = |elo0, elo1, model| test(elo0, elo1, model).llr(&tally);
                for model in [Model::Normalized, Model::Logistic] {
                    for (at, &low) in elo.iter().enumerate() {
                        for &high in &elo[at + 1..] {
                            let found = ratio(low, high, model);
                            let sum = ratio(low, 10.0, model) + ratio(10.0, high, model);
                            assert!((found - sum).abs() < 1e-3 * found.abs().max(1.0), "{found} and {sum}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_of_a_hypothesis_fulfils_it() {
        let seen: Distribution =
            [0.1, 0.2, 0.5, 0.1, 0.1].iter().zip(0..).map(|(&p, at)| (f64::from(at) / 4.0, p)).collect();
        for distance in [-12.0, -1.2, -0.7, 0.0, 0.5, 0.9, 2.0, 12.0] {
            let best = best_with_distance(&seen, distance);
            let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
                seen.iter().zip(&best).map(|((a, _), p)| value(*a) * p).sum()
            };
            let mean = sum(&|a| a);
            let deviation = sum(&|a| (a - mean).powi(2)).sqrt();
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-6);
            assert!((mean - 0.5 - distance * deviation).abs() < 1e-6, "{distance}: {best:?}");
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (low, high) = test(0.0, 5.0, Model::Normalized).bounds();
        assert_eq!((format!("{low:.2}"), format!("{high:.2}")), ("-2.94".into(), "2.94".into()));
        let (low, high) = Sprt { alpha: 0.01, beta: 0.1, ..test(0.0, 5.0, Model::Logistic) }.bounds();
        assert_eq!((format!("{low:.3}"), format!("{high:.3}")), ("-2.293".into(), "4.500".into()));
    }

    #[test]
    fn the_verdict_follows_the_better_hypothesis() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = test(0.0, 20.0, model);
            let verdict = |pairs| test.verdict(&Tally { pairs, ..Tally::default() });
            assert_eq!(test.llr(&Tally::default()), 0.0);
            assert_eq!(verdict([1, 4, 10, 5, 1]), Verdict::Open);
            assert_eq!(verdict([20, 150, 300, 250, 60]), Verdict::H1);
            assert_eq!(verdict([60, 250, 300, 150, 20]), Verdict::H0);
        }
    }
}
