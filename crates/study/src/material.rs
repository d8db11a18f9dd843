//! What pieces are worth, as the results of games show: a piece is worth what it adds to the chances of the side that
//! has it.

use quintain_core::board::Color;
use quintain_core::board::zobrist::random_numbers;
use quintain_engine::{self as engine, Session};
use std::collections::BTreeMap;

/// So many plies must the material stay the same, so that nothing is being exchanged.
pub const SETTLED: usize = 6;
/// Coefficients with fewer positions than this are not given.
const LEAST: usize = 40;
/// Samples of games from which intervals are found.
const SAMPLES: usize = 200;

/// A game: its first position if that is not the usual one, its moves as coordinates, and who won.
pub struct Game<'a> {
    /// The first position.
    pub fen: Option<&'a str>,
    /// The moves.
    pub moves: &'a [String],
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
}

/// Points of games: how many were won, drawn, lost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Count {
    /// Won, drawn, lost.
    pub results: [usize; 3],
}

impl Count {
    /// Counts a game for a side.
    pub fn add(&mut self, winner: Option<Color>, side: Color) {
        let at = match winner {
            Some(winner) if winner == side => 0,
            None => 1,
            Some(_) => 2,
        };
        self.results[at] += 1;
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.results.iter().sum()
    }

    /// The part of the points in percent, and half the width of its interval of 95 percent confidence.
    pub fn share(&self) -> (f64, f64) {
        let games = self.games() as f64;
        let [won, drawn, lost] = self.results.map(|count| count as f64 / games);
        let mean = won + drawn / 2.0;
        let variance = won * (1.0 - mean).powi(2) + drawn * (0.5 - mean).powi(2) + lost * mean.powi(2);
        // If all games ended alike, their variance says nothing; Wilson's interval still does.
        let half = if variance > 0.0 {
            1.96 * (variance / games).sqrt()
        } else {
            1.96f64.powi(2) / (games + 1.96f64.powi(2))
        };
        (100.0 * mean, 100.0 * half)
    }
}

/// A value in units of the smallest piece, and half the width of its interval of 95 percent confidence.
pub type Value = (f64, f64);

/// What games show of the pieces.
pub struct Material {
    /// Positions that were looked at, with more than half of the pieces and with fewer.
    pub positions: [usize; 2],
    /// The value of each kind, by its letter, where the board is full and where it is not.
    pub values: Vec<(char, [Option<Value>; 2])>,
    /// What two pieces of a kind are worth besides, if the other side has not two.
    pub pairs: Vec<(char, [Option<Value>; 2])>,
    /// What one unit more scores on average, in percent.
    pub unit: [Option<f64>; 2],
    /// The score of the side with the first pieces against that with the others, which are left when all that both
    /// have is taken away.
    pub imbalances: Vec<(Imbalance, Count)>,
}

/// What each side has that the other has not, as letters.
pub type Imbalance = (String, String);

/// A position whose material stays the same.
struct Sample {
    /// Fewer than half of the pieces are left.
    late: bool,
    /// White's pieces less Black's, by kind, and the same for pairs.
    balance: Vec<f64>,
    pairs: Vec<f64>,
    /// White's points in the game.
    points: f64,
}

/// Looks at games. `unit` is the letter of the piece that others are compared with, and what it counts for.
pub fn measure(name: &str, games: &[Game], unit: (char, f64)) -> Option<Material> {
    let info = engine::info(name).ok()?;
    let mut kinds: Vec<(char, i32)> = Vec::new();
    for (at, def) in info.pieces.iter().enumerate() {
        let letter = char::from(def.letter);
        if at != info.royal && !kinds.iter().any(|(known, _)| *known == letter) {
            kinds.push((letter, def.value));
        }
    }
    let mut session = engine::open(name).ok()?;
    let start = counts(&*session, &kinds);
    let paired: Vec<usize> = (0..kinds.len()).filter(|&kind| start[0][kind] == 2).collect();
    let half = info.max_pieces as usize;
    let (mut samples, mut imbalances) = (Vec::new(), BTreeMap::<Imbalance, Count>::new());
    for game in games {
        session.set_position(game.fen, &[]).ok()?;
        let mut positions = vec![counts(&*session, &kinds)];
        for text in game.moves {
            session.play(text).ok()?;
            positions.push(counts(&*session, &kinds));
        }
        let points = match game.winner {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        };
        let mut seen: Vec<Imbalance> = Vec::new();
        let mut own = Vec::new();
        for stretch in positions.chunk_by(|one, other| balance(one) == balance(other)) {
            if stretch.len() <= SETTLED {
                continue;
            }
            let [white, black] = &stretch[0];
            let left: i32 = white.iter().chain(black).sum();
            let pair = |counts: &[i32], kind: usize| f64::from(u8::from(counts[kind] >= 2));
            own.push(Sample {
                late: left as usize + 2 <= half,
                balance: balance(&stretch[0]).into_iter().map(f64::from).collect(),
                pairs: paired.iter().map(|&kind| pair(white, kind) - pair(black, kind)).collect(),
                points,
            });
            if let Some((imbalance, side)) = imbalance(&balance(&stretch[0]), &kinds)
                && !seen.contains(&imbalance)
            {
                imbalances.entry(imbalance.clone()).or_default().add(game.winner, side);
                seen.push(imbalance);
            }
        }
        samples.push(own);
    }
    let at = kinds.iter().position(|(letter, _)| *letter == unit.0)?;
    let (mut values, mut pairs) = (vec![[None; 2]; kinds.len()], vec![[None; 2]; paired.len()]);
    let (mut score, mut positions) = ([None; 2], [0; 2]);
    for (phase, late) in [false, true].into_iter().enumerate() {
        positions[phase] = samples.iter().flatten().filter(|sample| sample.late == late).count();
        let alone = |sample: &Sample| sample.balance.clone();
        let fitted = intervals(&samples, late, &alone, kinds.len(), (at, unit.1));
        score[phase] = fitted[at].map(|(_, _, each)| 100.0 / (1.0 + (-each).exp()));
        for (value, fitted) in values.iter_mut().zip(&fitted) {
            value[phase] = fitted.map(|(value, width, _)| (value, width));
        }
        let both = |sample: &Sample| [&sample.balance[..], &sample.pairs].concat();
        let fitted = intervals(&samples, late, &both, kinds.len() + paired.len(), (at, unit.1));
        for (pair, fitted) in pairs.iter_mut().zip(&fitted[kinds.len()..]) {
            pair[phase] = fitted.map(|(value, width, _)| (value, width));
        }
    }
    let letters = kinds.iter().map(|(letter, _)| *letter);
    let mut imbalances: Vec<(Imbalance, Count)> = imbalances.into_iter().collect();
    imbalances.sort_by_key(|(_, count)| usize::MAX - count.games());
    Some(Material {
        positions,
        values: letters.zip(values).collect(),
        pairs: paired.iter().map(|&kind| kinds[kind].0).zip(pairs).collect(),
        unit: score,
        imbalances,
    })
}

/// How many pieces of each kind White and Black have.
fn counts(session: &dyn Session, kinds: &[(char, i32)]) -> [Vec<i32>; 2] {
    let mut counts = [vec![0; kinds.len()], vec![0; kinds.len()]];
    for piece in session.squares().into_iter().filter_map(|place| session.piece(place)) {
        let letter = piece.to_ascii_lowercase();
        if let Some(kind) = kinds.iter().position(|(known, _)| *known == letter) {
            counts[usize::from(piece.is_ascii_lowercase())][kind] += 1;
        }
    }
    counts
}

fn balance([white, black]: &[Vec<i32>; 2]) -> Vec<i32> {
    white.iter().zip(black).map(|(white, black)| white - black).collect()
}

/// What each side has that the other has not, and the side that is named first: it has the most valuable of these
/// pieces.
fn imbalance(balance: &[i32], kinds: &[(char, i32)]) -> Option<(Imbalance, Color)> {
    let mut order: Vec<usize> = (0..kinds.len()).filter(|&kind| balance[kind] != 0).collect();
    order.sort_by_key(|&kind| -kinds[kind].1);
    let sign = balance[*order.first()?].signum();
    let side = |sign: i32| {
        let letters = order.iter().map(|&kind| {
            let letter = kinds[kind].0.to_ascii_uppercase().to_string();
            letter.repeat(usize::try_from(balance[kind] * sign).unwrap_or(0))
        });
        letters.collect::<String>()
    };
    Some(((side(sign), side(-sign)), if sign > 0 { Color::White } else { Color::Black }))
}

/// Fits the values of `count` features in one phase, and finds their intervals by fitting them to samples of the games. Each is the value in
/// units of that at `unit`, half the width of its interval, and the coefficient itself.
fn intervals(
    games: &[Vec<Sample>],
    late: bool,
    features: &dyn Fn(&Sample) -> Vec<f64>,
    count: usize,
    (unit, worth): (usize, f64),
) -> Vec<Option<(f64, f64, f64)>> {
    let rows = |game: &Vec<Sample>| -> Vec<(Vec<f64>, f64)> {
        let own = game.iter().filter(|sample| sample.late == late);
        // The last one is White's, for the first move.
        own.map(|sample| ([features(sample), vec![1.0]].concat(), sample.points)).collect()
    };
    let games: Vec<Vec<(Vec<f64>, f64)>> = games.iter().map(rows).filter(|rows| !rows.is_empty()).collect();
    if games.is_empty() {
        return vec![None; count];
    }
    let width = count + 1;
    let all = fit(games.iter().flatten(), width);
    let mut numbers = random_numbers(1);
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); width];
    for _ in 0..SAMPLES {
        let chosen = (0..games.len()).map(|_| &games[(numbers() % games.len() as u64) as usize]);
        let chosen: Vec<&(Vec<f64>, f64)> = chosen.flatten().collect();
        let fitted = fit(chosen.into_iter(), width);
        for (found, each) in found.iter_mut().zip(&fitted) {
            found.push(each / fitted[unit] * worth);
        }
    }
    let value = |at: usize| {
        let seen = games.iter().flatten().filter(|(row, _)| row[at] != 0.0).count();
        let found = &mut found[at].clone();
        found.sort_by(f64::total_cmp);
        let half = (found[SAMPLES * 39 / 40] - found[SAMPLES / 40]) / 2.0;
        (seen >= LEAST).then(|| (all[at] / all[unit] * worth, if at == unit { 0.0 } else { half }, all[at]))
    };
    (0..count).map(value).collect()
}

/// Logistic regression by Newton's method: the chances of White from what it has more.
fn fit<'a>(rows: impl Iterator<Item = &'a (Vec<f64>, f64)> + Clone, width: usize) -> Vec<f64> {
    // Small enough to change no value, so that a column of zeros does no harm.
    const RIDGE: f64 = 1e-3;
    let mut weights = vec![0.0; width];
    for _ in 0..12 {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
        let mut curve = vec![vec![0.0; width]; width];
        (0..width).for_each(|at| curve[at][at] = RIDGE);
        for (row, points) in rows.clone() {
            let sum: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            let chance = 1.0 / (1.0 + (-sum).exp());
            for at in 0..width {
                slope[at] += row[at] * (points - chance);
                for other in 0..width {
                    curve[at][other] += row[at] * row[other] * chance * (1.0 - chance);
                }
            }
        }
        let step = solve(curve, slope);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < 1e-6) {
            break;
        }
    }
    weights
}

/// Solves linear equations with a positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for at in 0..width {
        let row = matrix[at].clone();
        for below in at + 1..width {
            let factor = matrix[below][at] / row[at];
            matrix[below].iter_mut().zip(&row).for_each(|(value, above)| *value -= factor * above);
            right[below] -= factor * right[at];
        }
    }
    for at in (0..width).rev() {
        let known: f64 = (at + 1..width).map(|other| matrix[at][other] * right[other]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let solution = solve(vec![vec![4.0, 1.0], vec![1.0, 3.0]], vec![1.0, 2.0]);
        assert!((solution[0] - 1.0 / 11.0).abs() < 1e-12 && (solution[1] - 7.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn values_are_found_again_in_results_that_follow_from_them() {
        // Chances of pieces that are worth 1 and 3, and of the first move.
        let chance = |pawns: f64, knights: f64| 1.0 / (1.0 + (-0.3 * (pawns + 3.0 * knights) - 0.1).exp());
        let mut rows = Vec::new();
        for (pawns, knights) in [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (2.0, -1.0), (-3.0, 1.0)] {
            rows.push((vec![pawns, knights, 1.0], chance(pawns, knights)));
        }
        let weights = fit(rows.iter(), 3);
        assert!(
            (weights[1] / weights[0] - 3.0).abs() < 0.02 && (weights[2] - 0.1).abs() < 0.01,
            "{weights:?}"
        );
    }

    #[test]
    fn an_imbalance_counts_for_the_side_with_the_largest_piece() {
        let kinds = [('p', 100), ('n', 300), ('r', 500)];
        let named = |balance: [i32; 3]| imbalance(&balance, &kinds);
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(named([2, -1, 0]), Some((pair("N", "PP"), Color::Black)));
        assert_eq!(named([0, -2, 1]), Some((pair("R", "NN"), Color::White)));
        assert_eq!(named([1, 1, 0]), Some((pair("NP", ""), Color::White)));
        assert_eq!(named([0; 3]), None);
    }

    #[test]
    fn only_material_that_stays_counts() {
        let moves = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        // White takes a pawn and keeps it; or Black takes back at once.
        let kept = moves("e2e4 d7d5 e4d5 g8f6 b1c3 b8c6 a2a3 a7a6 a3a4");
        let back = moves("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 a2a3 a7a6 b2b3 b7b6");
        let games = [
            Game { fen: None, moves: &kept, winner: Some(Color::White) },
            Game { fen: None, moves: &back, winner: None },
        ];
        let found = measure("chess", &games, ('p', 1.0)).unwrap();
        let pawn = ("P".to_owned(), String::new());
        assert_eq!(found.imbalances, [(pawn, Count { results: [1, 0, 0] })]);
        assert_eq!(found.positions, [2, 0]);
        // Two positions say nothing of values.
        assert!(found.values.iter().all(|(_, value)| value == &[None; 2]));
        assert_eq!(found.pairs.iter().map(|(letter, _)| *letter).collect::<String>(), "nbr");
    }
}
