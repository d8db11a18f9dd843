//! `quintain tune net`: trains a network that corrects the sum of weights.

use super::games::{Seen, read};
use super::{adam, bar, best_scale, check_count, expected, held_out, share};
use crate::board::{Board, Color, SquareSet, zobrist::random_numbers};
use crate::engine::Playable;
use crate::eval::net::{HIDDEN, Numbers, ONE, OUTPUT_ONE, SCALE, STAGES, View};
use crate::eval::{Basis, basis};
use crate::rules::Set;
use crate::tools::print;
use anyhow::{Context, Result};
use std::f32::consts::PI;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    pub(super) variant: String,
    /// Files of `tune play`
    #[arg(long, required = true, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// Where to write the numbers of the network
    #[arg(long)]
    output: PathBuf,
    /// Passes over all positions
    #[arg(long, default_value_t = 6)]
    passes: usize,
    /// The learning rate
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// The weight decay
    #[arg(long, default_value_t = 3.0)]
    decay: f32,
    /// The share of the search score in the target, the rest being the result: 0 to 1
    #[arg(long, default_value_t = 0.9, value_parser = share)]
    trust: f32,
    /// Threads; the result depends on their number in the last digits
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Positions of a batch.
const BATCH: usize = 8192;
/// The limit of numbers.
const LARGEST: f32 = 1.98;

type Row = [f32; HIDDEN];

/// Positions as lists of features, one after the other.
#[derive(Default)]
struct Samples {
    /// The features of each piece, for the side to move and for the other one.
    features: Vec<[u16; 2]>,
    positions: Vec<Sample>,
}

/// A position, from the side to move.
struct Sample {
    /// Where its features end.
    end: usize,
    basis: Basis,
    /// Its score in the game, 0 to 1.
    result: f32,
    /// The score of the search, in centipawns.
    score: f32,
}

impl Samples {
    fn add<V: Playable>(&mut self, view: &View<Set<V>>, Seen { pos, result, score }: Seen<V>) {
        let basis = basis(&pos);
        if basis.share == 0.0 {
            return;
        }
        let sides = [pos.side(), !pos.side()];
        let mirrored = sides.map(|color| view.mirrored(&pos, color));
        self.features.extend(pos.occupied().squares().map(|square| {
            [0, 1].map(|i| view.feature(sides[i], mirrored[i], pos.piece(square), square) as u16)
        }));
        let (result, score) =
            if pos.side() == Color::White { (result, score) } else { (1.0 - result, -score) };
        self.positions.push(Sample { end: self.features.len(), basis, result, score });
    }

    fn features(&self, i: usize) -> &[[u16; 2]] {
        let start = i.checked_sub(1).map_or(0, |before| self.positions[before].end);
        &self.features[start..self.positions[i].end]
    }
}

/// The numbers of a network, where 1 is [`ONE`] or [`OUTPUT_ONE`]; or their gradients.
#[derive(Clone)]
struct Model {
    /// By feature; then the start of the hidden layer; then by stage the two rows of the output.
    rows: Vec<Row>,
    offsets: [f32; STAGES],
}

impl Model {
    fn empty(features: usize) -> Self {
        Model { rows: vec![[0.0; HIDDEN]; features + 1 + 2 * STAGES], offsets: [0.0; STAGES] }
    }

    /// Small random numbers, and a hidden layer that stays within its limits.
    fn random(features: usize, random: &mut impl FnMut() -> u64) -> Self {
        let mut model = Model::empty(features);
        let start = model.start();
        for (i, row) in model.rows.iter_mut().enumerate() {
            let around = if i == start { 0.2 } else { 0.0 };
            row.fill_with(|| around + 0.2 * ((random() >> 40) as f32 / (1u64 << 24) as f32 - 0.5));
        }
        model
    }

    /// The row of the hidden layer's start.
    fn start(&self) -> usize {
        self.rows.len() - 1 - 2 * STAGES
    }

    /// The row of the output for the side to move (0) or the other one (1).
    fn output(&self, stage: usize, side: usize) -> usize {
        self.start() + 1 + 2 * stage + side
    }

    /// All numbers.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.as_flattened_mut().iter_mut().chain(&mut self.offsets)
    }

    /// Both hidden layers, without limits, and the output.
    fn run(&self, features: &[[u16; 2]], stage: usize) -> ([Row; 2], f32) {
        let mut layers = [self.rows[self.start()]; 2];
        for pair in features {
            for (layer, &feature) in layers.iter_mut().zip(pair) {
                layer.iter_mut().zip(&self.rows[usize::from(feature)]).for_each(|(sum, add)| *sum += add);
            }
        }
        let mut out = self.offsets[stage];
        for (side, layer) in layers.iter().enumerate() {
            let weights = &self.rows[self.output(stage, side)];
            out += layer
                .iter()
                .zip(weights)
                .map(|(number, weight)| number.clamp(0.0, 1.0) * weight)
                .sum::<f32>();
        }
        (layers, out)
    }

    /// Adds the gradients of one position, if `slope` is that of the output of `model` with these features and
    /// layers.
    fn add_slopes(
        &mut self,
        model: &Model,
        features: &[[u16; 2]],
        stage: usize,
        layers: &[Row; 2],
        slope: f32,
    ) {
        let start = self.start();
        self.offsets[stage] += slope;
        for (side, layer) in layers.iter().enumerate() {
            let at = self.output(stage, side);
            let mut back = [0.0; HIDDEN];
            for (i, &number) in layer.iter().enumerate() {
                back[i] = if number > 0.0 && number < 1.0 { slope * model.rows[at][i] } else { 0.0 };
                self.rows[at][i] += slope * number.clamp(0.0, 1.0);
            }
            for row in features.iter().map(|pair| usize::from(pair[side])).chain([start]) {
                self.rows[row].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
            }
        }
    }

    /// The numbers as an engine uses them.
    fn rounded(&self) -> Numbers {
        let whole =
            |row: usize, one: i16| self.rows[row].map(|number| (number * f32::from(one)).round() as i16);
        Numbers {
            rows: (0..self.start()).map(|row| whole(row, ONE)).collect(),
            start: whole(self.start(), ONE),
            outputs: std::array::from_fn(|stage| {
                [0, 1].map(|side| whole(self.output(stage, side), OUTPUT_ONE))
            }),
            offsets: self
                .offsets
                .map(|number| (number * f32::from(ONE) * f32::from(OUTPUT_ONE)).round() as i32),
        }
    }
}

/// A model during training: the row of a feature is the sum of its own and of those of its virtual features, so that
/// what holds for a piece on most squares is not learnt for each of them (factorised features, as in Stockfish's
/// trainer).
#[derive(Clone)]
struct Factored {
    own: Model,
    virtual_rows: Vec<Row>,
    /// For each feature its virtual ones: the same piece anywhere, on this rank and on this file.
    parents: Vec<[usize; 3]>,
}

impl Factored {
    fn new<V: Playable>(view: &View<Set<V>>, random: &mut impl FnMut() -> u64) -> Self {
        let geometry = V::Board::geometry();
        let squares: Vec<_> = geometry.all().squares().collect();
        let (ranks, files) = (usize::from(V::Board::RANKS), usize::from(V::Board::FILES));
        let parents: Vec<_> = (0..view.features())
            .map(|feature| {
                let (piece, place) = view.piece_and_place(feature);
                let (rank, file) = (geometry.rank(squares[place]), geometry.file(squares[place]));
                let anywhere = piece * (1 + ranks + files);
                [anywhere, anywhere + 1 + usize::from(rank), anywhere + 1 + ranks + usize::from(file)]
            })
            .collect();
        let count = parents.as_flattened().iter().max().map_or(0, |last| last + 1);
        let own = Model::random(view.features(), random);
        Factored { own, virtual_rows: vec![[0.0; HIDDEN]; count], parents }
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.own.numbers().chain(self.virtual_rows.as_flattened_mut())
    }

    /// Writes the sums.
    fn sum_up(&self, model: &mut Model) {
        model.clone_from(&self.own);
        for (row, parents) in model.rows.iter_mut().zip(&self.parents) {
            for &parent in parents {
                row.iter_mut().zip(&self.virtual_rows[parent]).for_each(|(sum, add)| *sum += add);
            }
            row.iter_mut().for_each(|number| *number = number.clamp(-LARGEST, LARGEST));
        }
    }

    /// Computes the gradients of the summands from those of the sums.
    fn take_slopes(&mut self, of_sums: &Model) {
        self.own.clone_from(of_sums);
        self.virtual_rows.as_flattened_mut().fill(0.0);
        for (row, parents) in of_sums.rows.iter().zip(&self.parents) {
            for &parent in parents {
                self.virtual_rows[parent].iter_mut().zip(row).for_each(|(sum, add)| *sum += add);
            }
        }
    }
}

/// The positions and the targets of the training.
struct Training {
    samples: Samples,
    scale: f32,
    trust: f32,
}

impl Training {
    fn guess(&self, sample: &Sample, out: f32) -> f32 {
        expected(sample.basis.score as f32 + sample.basis.share * SCALE as f32 * out, self.scale)
    }

    fn wanted(&self, sample: &Sample) -> f32 {
        self.trust * expected(sample.score, self.scale) + (1.0 - self.trust) * sample.result
    }

    /// The gradients of the squared error of these positions, up to a constant factor.
    fn slopes(&self, model: &Model, batch: &[u32], slopes: &mut Model) {
        slopes.numbers().for_each(|number| *number = 0.0);
        for &i in batch {
            let (sample, features) = (&self.samples.positions[i as usize], self.samples.features(i as usize));
            let (layers, out) = model.run(features, sample.basis.stage);
            let guess = self.guess(sample, out);
            let slope = (guess - self.wanted(sample)) * guess * (1.0 - guess) * sample.basis.share;
            slopes.add_slopes(model, features, sample.basis.stage, &layers, slope);
        }
    }

    /// The mean squared error of the predictions for positions of which `of` is true.
    fn error(&self, model: Option<&Model>, of: fn(usize) -> bool) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for (i, sample) in self.samples.positions.iter().enumerate().filter(|&(i, _)| of(i)) {
            let out = model.map_or(0.0, |model| model.run(self.samples.features(i), sample.basis.stage).1);
            sum += f64::from(self.guess(sample, out) - self.wanted(sample)).powi(2);
            count += 1;
        }
        sum / f64::from(count.max(1))
    }
}

pub(super) fn run<V: Playable>(args: &Args) -> Result<()> {
    let view = View::new::<V>();
    let mut samples = Samples::default();
    read::<V>(&args.positions, |seen| samples.add(&view, seen))?;
    check_count(samples.positions.len())?;
    let result = |scale| {
        let error = |sample: &Sample| expected(sample.basis.score as f32, scale) - sample.result;
        samples.positions.iter().map(|sample| f64::from(error(sample)).powi(2)).sum::<f64>() as f32
    };
    let training = Training { scale: best_scale(result), samples, trust: args.trust };
    print(&format!(
        "{} positions, scale {:.4}, error {:.5}, on unseen games {:.5}\n",
        training.samples.positions.len(),
        training.scale,
        training.error(None, |i| !held_out(i)),
        training.error(None, held_out)
    ))?;
    let mut random = random_numbers(1);
    let mut factored = Factored::new::<V>(&view, &mut random);
    let mut total_slopes = factored.clone();
    let mut moments = vec![[0.0; 2]; factored.numbers().count()];
    let mut model = factored.own.clone();
    let mut order: Vec<u32> =
        (0..training.samples.positions.len() as u32).filter(|&i| !held_out(i as usize)).collect();
    let steps = order.len().div_ceil(BATCH) * args.passes;
    let mut slopes = vec![Model::empty(view.features()); args.threads.max(1)];
    let (bar, mut step) = (bar(steps, "steps"), 0);
    for _ in 0..args.passes {
        for i in (1..order.len()).rev() {
            order.swap(i, (random() % (i as u64 + 1)) as usize);
        }
        for batch in order.chunks(BATCH) {
            step += 1;
            let parts = batch.chunks(batch.len().div_ceil(slopes.len()));
            let slopes = &mut slopes[..parts.len()];
            std::thread::scope(|scope| {
                for (slopes, part) in slopes.iter_mut().zip(parts) {
                    let (training, model) = (&training, &model);
                    scope.spawn(move || training.slopes(model, part, slopes));
                }
            });
            let (total, others) = slopes.split_first_mut().expect("a thread");
            for other in others {
                total.numbers().zip(other.numbers()).for_each(|(sum, add)| *sum += *add);
            }
            // Cosine decay of the learning rate.
            let rate = args.rate * (0.5 + 0.5 * (PI * step as f32 / steps as f32).cos());
            total_slopes.take_slopes(total);
            let slopes = total_slopes.numbers();
            for ((number, slope), [first, second]) in factored.numbers().zip(slopes).zip(&mut moments) {
                let towards = adam([first, second], *slope / batch.len() as f32, step, 1e-9);
                *number = (*number - rate * (towards + args.decay * *number)).clamp(-LARGEST, LARGEST);
            }
            factored.sum_up(&mut model);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    std::fs::write(&args.output, model.rounded().to_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    print(&format!(
        "after {} passes {:.5}, on unseen games {:.5}\n",
        args.passes,
        training.error(Some(&model), |i| !held_out(i)),
        training.error(Some(&model), held_out)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::variants::grand::Grand;

    #[test]
    fn slopes_are_those_of_the_error() {
        let view = View::new::<Grand>();
        let mut random = random_numbers(5);
        let mut samples = Samples::default();
        for text in
            [fen::write(&fen::start::<Grand>()), "2k7/3n6/10/4p5/8q1/10/P9/4R5/10/K9 b - - 0 1".into()]
        {
            samples.add(&view, Seen { pos: fen::parse::<Grand>(&text).unwrap(), result: 0.3, score: 150.0 });
        }
        let training = Training { samples, scale: 0.005, trust: 0.9 };
        let mut factored = Factored::new::<Grand>(&view, &mut random);
        let mut model = factored.own.clone();
        let mut of_sums = Model::empty(view.features());
        training.slopes(&model, &[0, 1], &mut of_sums);
        let mut slopes = factored.clone();
        slopes.take_slopes(&of_sums);

        let slopes: Vec<f32> = slopes.numbers().map(|slope| *slope).collect();
        let mut error = |number: usize, step: f32| {
            *factored.numbers().nth(number).unwrap() += step;
            factored.sum_up(&mut model);
            *factored.numbers().nth(number).unwrap() -= step;
            training.error(Some(&model), |_| true)
        };
        let largest = |numbers: std::ops::Range<usize>| {
            numbers.max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs())).unwrap()
        };
        let (rows, start) = (view.features() * HIDDEN, (view.features() + 1) * HIDDEN);
        let outputs = start + 2 * STAGES * HIDDEN;
        // Of a feature, the start, an output, an offset and a virtual feature.
        for part in
            [0..rows, rows..start, start..outputs, outputs..outputs + STAGES, outputs + STAGES..slopes.len()]
        {
            let number = largest(part);
            let slope = (error(number, 0.002) - error(number, -0.002)) / 0.004;
            // The mean of two positions, each with twice the slope.
            let expected = f64::from(training.scale * SCALE as f32 * slopes[number]);
            assert!((slope - expected).abs() < 0.03 * expected.abs(), "{number}: {slope}, not {expected}");
        }
    }
}
