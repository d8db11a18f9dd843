//! `quintain tune fit`: weights that predict results.
//!
//! The evaluation is linear in its weights, so the gradient is the list of terms itself.

use super::games::{Seen, read};
use super::{adam, bar, best_scale, check_count, expected, held_out, share};
use crate::board::{Color, Kind};
use crate::engine::Playable;
use crate::eval::{Layout, Pair, trace};
use crate::tools::print;
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    pub(super) variant: String,
    /// What `tune play` wrote; several files are read as one
    #[arg(long, required = true, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long)]
    output: PathBuf,
    /// Passes over all positions
    #[arg(long, default_value_t = 200)]
    passes: u32,
    /// How strongly weights are held where they are; rare terms need it
    #[arg(long, default_value_t = 10.0)]
    hold: f32,
    /// How strongly the changes of neighbours in a table are held together
    #[arg(long, default_value_t = 300.0)]
    smooth: f32,
    /// How much of what is learnt is the search's opinion of a position, the rest being the result: 0 to 1
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    trust: f32,
}

/// Positions as lists of terms, one after the other.
#[derive(Default)]
struct Samples {
    terms: Vec<(u16, i8)>,
    positions: Vec<Sample>,
}

struct Sample {
    /// Where its terms end.
    end: usize,
    /// How much of the sums for the middlegame and the endgame counts, each 0 to 1.
    shares: [f32; 2],
    /// The factor on the score.
    factor: f32,
    /// White's score in the game, 0 to 1.
    result: f32,
    /// White's centipawns as the search saw it.
    score: f32,
}

impl Samples {
    fn add<V: Playable>(&mut self, Seen { pos, result, score }: Seen<V>) {
        // What is not a sum of weights cannot be fitted.
        if V::special(&pos) != (0, 0) || Color::BOTH.iter().any(|&color| pos.is_lone(color)) {
            return;
        }
        let (terms, shares) = trace(&pos);
        self.terms.extend(terms);
        let factor = 1.0 - f32::from(pos.halfmove().min(100)) / 200.0;
        self.positions.push(Sample { end: self.terms.len(), shares, factor, result, score });
    }

    /// Calls `each` with the score of each position under `weights` (middlegame and endgame), its terms and its
    /// place.
    fn scores(&self, weights: &[[f32; 2]], mut each: impl FnMut(f32, &[(u16, i8)], usize)) {
        let mut from = 0;
        for (i, &Sample { end: to, shares, factor, .. }) in self.positions.iter().enumerate() {
            let terms = &self.terms[from..to];
            let (mut middle, mut end) = (0.0, 0.0);
            for &(at, times) in terms {
                let [m, e] = weights[at as usize];
                middle += m * f32::from(times);
                end += e * f32::from(times);
            }
            each(factor * (middle * shares[0] + end * shares[1]), terms, i);
            from = to;
        }
    }

    /// The mean squared error of the predictions of results for positions of which `of` is true.
    fn error(&self, weights: &[[f32; 2]], scale: f32, of: fn(usize) -> bool) -> f32 {
        let (mut sum, mut count) = (0.0f64, 0);
        self.scores(weights, |score, _, i| {
            if of(i) {
                sum += f64::from((expected(score, scale) - self.positions[i].result).powi(2));
                count += 1;
            }
        });
        (sum / f64::from(count.max(1))) as f32
    }
}

pub(super) fn run<V: Playable>(args: &Args) -> Result<()> {
    let mut samples = Samples::default();
    read::<V>(&args.positions, |seen| samples.add(seen))?;
    let count = samples.positions.len();
    check_count(count)?;
    let start: Vec<[f32; 2]> = V::WEIGHTS.flat().iter().map(|&(m, e)| [m.into(), e.into()]).collect();
    // The scale under which the weights as they are predict best.
    let scale = best_scale(|scale| samples.error(&start, scale, |_| true));
    let (learnt, unseen): (fn(usize) -> bool, _) = (|i| !held_out(i), held_out);
    print(&format!(
        "{count} positions, scale {scale:.4}, error {:.5}, on unseen games {:.5}\n",
        samples.error(&start, scale, learnt),
        samples.error(&start, scale, unseen)
    ))?;
    let tables = tables::<V>();
    let mut weights = start.clone();
    let (mut first, mut second) = (vec![[0f32; 2]; weights.len()], vec![[0f32; 2]; weights.len()]);
    let bar = bar(args.passes as usize, "passes");
    for pass in 1..=args.passes {
        let mut gradient = vec![[0f32; 2]; weights.len()];
        samples.scores(&weights, |score, terms, i| {
            if held_out(i) {
                return;
            }
            let Sample { shares, factor, result, score: seen, .. } = samples.positions[i];
            let guess = expected(score, scale);
            let wanted = args.trust * expected(seen, scale) + (1.0 - args.trust) * result;
            let slope = (guess - wanted) * guess * (1.0 - guess) * factor;
            for &(at, times) in terms {
                let part = slope * f32::from(times);
                gradient[at as usize][0] += part * shares[0];
                gradient[at as usize][1] += part * shares[1];
            }
        });
        // A step of up to two centipawns, smaller towards the end.
        let rate = 2.0 * (1.0 - 0.9 * pass as f32 / args.passes as f32);
        let moved: Vec<[f32; 2]> =
            weights.iter().zip(&start).map(|(w, s)| [w[0] - s[0], w[1] - s[1]]).collect();
        for i in 0..weights.len() {
            for phase in [0, 1] {
                let neighbours =
                    [i.wrapping_sub(1), i + 1].into_iter().filter(|&j| tables.get(j) == Some(&tables[i]));
                let apart: f32 = neighbours.map(|j| moved[i][phase] - moved[j][phase]).sum();
                let held = 0.01 * (args.hold * moved[i][phase] + args.smooth * apart);
                let slope = gradient[i][phase] * 400.0 * scale + held;
                let moments = [&mut first[i][phase], &mut second[i][phase]];
                weights[i][phase] -= rate * adam(moments, slope, pass as i32, 1e-3);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let after = format!(
        "after {} passes {:.5}, on unseen games {:.5}\n",
        args.passes,
        samples.error(&weights, scale, learnt),
        samples.error(&weights, scale, unseen)
    );
    settle::<V>(&mut weights, &samples);
    let row: Vec<Pair> = weights.iter().map(|w| (w[0].round() as i16, w[1].round() as i16)).collect();
    let names: Vec<&str> = V::PIECES.iter().map(|piece| piece.name).collect();
    let source = format!(
        "//! The weights of the evaluation. Written by `quintain tune`; the values are what pieces are worth.\n\nuse crate::eval::{{General, KindWeights}};\n\n{}",
        V::WEIGHTS.to_source(&row, &names)
    );
    std::fs::write(&args.output, source)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    print(&after)?;
    for i in 0..V::WEIGHTS.kinds.len() {
        let value = row[V::WEIGHTS.layout().stride * i];
        print(&format!("{:<12} {:>5} {:>5}\n", names[i], value.0, value.1))?;
    }
    Ok(())
}

/// For each weight a number that it shares with the other entries of its table.
fn tables<V: Playable>() -> Vec<usize> {
    let layout = V::WEIGHTS.layout();
    let mut ends = Vec::new();
    for kind in 0..V::WEIGHTS.kinds.len() {
        let base = kind * layout.stride;
        ends.extend((Layout::SECOND..=Layout::RANKS).map(|at| base + at));
        ends.extend([layout.files_at(), layout.mobility_at(), layout.stride].map(|at| base + at));
    }
    let starts = [Layout::PASSED, Layout::FREE, Layout::SAFE, Layout::CLEAR]
        .into_iter()
        .chain(Layout::DOUBLED..=Layout::SHELTER);
    let starts = starts.chain([Layout::SHIELD, Layout::STORM]).chain(Layout::RING..=Layout::DANGER);
    ends.extend(starts.chain([Layout::GENERAL]).map(|at| layout.general + at));
    (0..layout.general + Layout::GENERAL).map(|at| ends.partition_point(|&end| end <= at)).collect()
}

/// Moves what a kind's placement and mobility are worth on average into its value, which exchanges are reckoned with.
fn settle<V: Playable>(weights: &mut [[f32; 2]], samples: &Samples) {
    let mut seen = vec![0f32; weights.len()];
    for &(at, times) in &samples.terms {
        seen[at as usize] += f32::from(times.unsigned_abs());
    }
    let layout = V::WEIGHTS.layout();
    for i in 0..V::WEIGHTS.kinds.len() {
        let base = layout.stride * i;
        let (files, mobility) = (base + layout.files_at(), base + layout.mobility_at());
        for group in [base + Layout::RANKS..files, files..mobility, mobility..base + layout.stride] {
            let total: f32 = seen[group.clone()].iter().sum();
            if total == 0.0 || Kind::new(i) == V::ROYAL {
                continue;
            }
            for phase in [0, 1] {
                let mean = group.clone().map(|at| weights[at][phase] * seen[at]).sum::<f32>() / total;
                group.clone().for_each(|at| weights[at][phase] -= mean);
                weights[base][phase] += mean;
            }
        }
    }
}
