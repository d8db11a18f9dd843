//! `quintain tune train`: trains the network of a game.

use super::games::{Labelled, read, replay};
use super::model::{Factored, Model, Step};
use super::{bar, check_count, expected, fraction, read_parameters, within};
use anyhow::Result;
use quintain_core::board::{SquareSet, zobrist::random_numbers};
use quintain_core::eval::network::{HIDDEN, Parameters, SCALE};
use quintain_core::eval::{Basis, Network, basis};
use quintain_engine::Playable;
use quintain_io::files;
use quintain_io::print;
use rayon::prelude::*;
use std::f32::consts::PI;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    pub(super) variant: String,
    /// Files of `tune play`
    #[arg(long, required = true, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long)]
    output: PathBuf,
    /// A network to go on from; without it, training begins with small random weights
    #[arg(long)]
    start: Option<PathBuf>,
    /// Epochs: how many times all positions are learned from
    #[arg(long, alias = "passes", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The learning rate at the beginning; it falls to 0 by the end: 0.000001 to 1
    #[arg(long, alias = "rate", default_value_t = 0.001, value_parser = |text: &str| within(text, 1e-6..=1.0))]
    learning_rate: f32,
    /// The weight decay: 0 to 100
    #[arg(long, alias = "decay", default_value_t = 0.3, value_parser = |text: &str| within(text, 0.0..=100.0))]
    weight_decay: f32,
    /// Positions in a batch: the weights change after each
    #[arg(long, alias = "batch", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    batch_size: u32,
    /// What to learn: 1 for the score of the search, 0 for the result of the game, or a mix of both: 0 to 1
    #[arg(long, alias = "trust", default_value_t = 0.9, value_parser = fraction)]
    lambda: f32,
    /// The expected result of a score in the file is 1 / (1 + exp(-scale * score)): 0.00001 to 1
    #[arg(long, default_value_t = 0.004, value_parser = |text: &str| within(text, 1e-5..=1.0))]
    scale: f32,
    /// Threads; the result depends on their number in the last digits
    #[arg(long, default_value_t = 1, value_parser = quintain_engine::options::threads)]
    threads: usize,
}

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
    bucket: usize,
    /// Its score in the game, 0 to 1.
    result: f32,
    /// The score of the search.
    score: f32,
}

impl Samples {
    fn add<V: Playable>(&mut self, network: &Network, Labelled { pos, result, score }: &Labelled<V>) {
        let Some(basis) = basis(pos) else { return };
        self.features.extend(network.features().of(pos));
        let sign = f32::from(pos.side().forward());
        self.positions.push(Sample {
            end: self.features.len(),
            basis,
            bucket: network.bucket(pos.occupied().count()),
            result: 0.5 + sign * (result - 0.5),
            score: sign * score,
        });
    }

    fn append(&mut self, other: Samples) {
        let before = self.features.len();
        self.features.extend(other.features);
        self.positions.extend(other.positions.into_iter().map(|mut sample| {
            sample.end += before;
            sample
        }));
    }

    fn features(&self, i: usize) -> &[[u16; 2]] {
        let start = i.checked_sub(1).map_or(0, |before| self.positions[before].end);
        &self.features[start..self.positions[i].end]
    }
}

/// Is this position of the validation set, about a tenth of the games?
fn is_validation(i: usize) -> bool {
    (i / 500).is_multiple_of(10)
}

/// The positions and the targets of the training.
struct Training {
    samples: Samples,
    scale: f32,
    lambda: f32,
}

impl Training {
    fn prediction(&self, sample: &Sample, out: f32) -> f32 {
        expected(sample.basis.scale * (sample.basis.material as f32 + SCALE as f32 * out), self.scale)
    }

    fn target(&self, sample: &Sample) -> f32 {
        self.lambda * expected(sample.score, self.scale) + (1.0 - self.lambda) * sample.result
    }

    /// The gradients of the squared error of these positions, up to a constant factor.
    fn gradients(&self, model: &Model, batch: &[u32], gradients: &mut Model) {
        gradients.rows.fill([0.0; HIDDEN]);
        for &i in batch {
            let (sample, features) = (&self.samples.positions[i as usize], self.samples.features(i as usize));
            let (layers, out) = model.forward(features, sample.bucket);
            let prediction = self.prediction(sample, out);
            let gradient =
                (prediction - self.target(sample)) * prediction * (1.0 - prediction) * sample.basis.scale;
            gradients.accumulate_gradients(model, features, sample.bucket, &layers, gradient);
        }
    }

    /// The loss, which is the mean squared error of the predictions, over positions of which `of` is true.
    fn loss(&self, model: Option<&Model>, of: fn(usize) -> bool) -> f64 {
        let squares = |i: usize| {
            let sample = &self.samples.positions[i];
            let out = model.map_or(0.0, |model| model.forward(self.samples.features(i), sample.bucket).1);
            (f64::from(self.prediction(sample, out) - self.target(sample)).powi(2), 1.0)
        };
        let all = (0..self.samples.positions.len()).into_par_iter().filter(|&i| of(i)).map(squares);
        let (sum, count) = all.reduce(|| (0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / f64::max(count, 1.0)
    }
}

pub(super) fn run<V: Playable>(args: &Args) -> Result<()> {
    let initial = args.start.as_deref().map(read_parameters::<V>).transpose()?;
    let network = Network::new::<V>(Parameters::zero::<V>());
    let add = |samples: &mut Samples, line: &str| {
        replay::<V>(line, &mut |position| samples.add(&network, &position))
    };
    let factored =
        |random: &mut dyn FnMut() -> u64| Factored::new::<V>(network.features(), initial.as_ref(), random);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| train(args, &add, &factored, Parameters::to_bytes::<V>))
}

/// The training itself, which is compiled once for all games. `add` adds the positions of a line, `factored` makes the model
/// to begin with, and `to_bytes` makes the file of the network.
fn train(
    args: &Args,
    add: &(dyn Fn(&mut Samples, &str) -> Result<()> + Sync),
    factored: &(dyn Fn(&mut dyn FnMut() -> u64) -> Factored + Sync),
    to_bytes: fn(&Parameters) -> Vec<u8>,
) -> Result<()> {
    let mut samples = Samples::default();
    for part in read(&args.positions, add)? {
        samples.append(part);
    }
    check_count(samples.positions.len())?;
    let training = Training { samples, scale: args.scale, lambda: args.lambda };
    let mut random = random_numbers(1);
    let mut factored = factored(&mut random);
    let mut model = factored.model();
    print(&format!(
        "{} positions; validation loss of material alone {:.5}, before training {:.5}\n",
        training.samples.positions.len(),
        training.loss(None, is_validation),
        training.loss(Some(&model), is_validation),
    ))?;
    let mut order: Vec<u32> =
        (0..training.samples.positions.len() as u32).filter(|&i| !is_validation(i as usize)).collect();
    let batch = args.batch_size as usize;
    let steps = order.len().div_ceil(batch) * args.epochs as usize;
    let mut gradients = vec![Model::zero(factored.features()); args.threads];
    let (bar, mut step) = (bar(steps, "steps"), 0);
    for _ in 0..args.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, (random() % (i as u64 + 1)) as usize);
        }
        for batch in order.chunks(batch) {
            step += 1;
            let parts = batch.par_chunks(batch.len().div_ceil(args.threads));
            let gradients = &mut gradients[..parts.len()];
            gradients
                .par_iter_mut()
                .zip(parts)
                .for_each(|(gradients, part)| training.gradients(&model, part, gradients));
            // Cosine decay of the learning rate.
            let learning_rate = args.learning_rate * (0.5 + 0.5 * (PI * step as f32 / steps as f32).cos());
            factored.step(
                &Step { number: step, learning_rate, weight_decay: args.weight_decay },
                gradients,
                batch.len(),
            );
            factored.sum_up(&mut model);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    files::write(&args.output, &to_bytes(&model.quantised()))?;
    print(&format!(
        "after {} epochs: loss {:.5}, validation loss {:.5}\n",
        args.epochs,
        training.loss(Some(&model), |i| !is_validation(i)),
        training.loss(Some(&model), is_validation)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use quintain_core::board::zobrist::split_mix;
    use quintain_core::eval::Evaluator;
    use quintain_core::notation::fen;
    use quintain_engine::variants::{canyon::Canyon, superchess::SuperChess};

    /// The engine's integers evaluate as the trainer's floats do, in positions of random games.
    fn agree<V: Playable>() {
        let network = V::network();
        let features = network.features();
        let model = Factored::new::<V>(features, Some(network.parameters()), &mut random_numbers(3)).model();
        let mut evaluator = Evaluator::new(network);
        let (mut seed, mut random, mut seen, mut largest) = (1, 0, 0, 0.0_f32);
        let mut pos = fen::start::<V>();
        while seen < 10_000 {
            if pos.outcome().is_some() {
                pos = fen::start::<V>();
            }
            let mut samples = Samples::default();
            samples.add(network, &Labelled { pos: pos.clone(), result: 0.5, score: 0.0 });
            if let Some(sample) = samples.positions.first() {
                let out = model.forward(&samples.features, sample.bucket).1;
                let expected = sample.basis.scale * (sample.basis.material as f32 + SCALE as f32 * out);
                largest = largest.max((evaluator.evaluate(&pos) as f32 - expected).abs());
                seen += 1;
            }
            let moves = pos.legal_moves();
            (seed, random) = split_mix(seed ^ random);
            pos.play_unchecked(moves[(random % moves.len() as u64) as usize]);
        }
        assert!(largest < 3.0, "{largest} units");
    }

    #[test]
    fn the_options_of_earlier_versions_still_work() {
        #[derive(Parser)]
        struct Command {
            #[command(flatten)]
            args: Args,
        }
        let read = |options: &str| {
            let line = format!("train canyon --output net --positions games {options}");
            format!("{:?}", Command::parse_from(line.split(' ')).args)
        };
        let old = read("--passes 2 --rate 0.5 --decay 0.25 --batch 7 --trust 0.125");
        let new = "--epochs 2 --learning-rate 0.5 --weight-decay 0.25 --batch-size 7 --lambda 0.125";
        assert_eq!(old, read(new));
    }

    #[test]
    fn training_and_engine_agree_on_facings() {
        agree::<SuperChess>();
    }

    #[test]
    fn training_and_engine_agree_on_king_buckets() {
        agree::<Canyon>();
    }
}
