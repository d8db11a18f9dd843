//! `quintain tune train`: trains the network of a game.

use super::games::{Add, Games, Labelled, replay};
use super::model::{Factored, Model, Step};
use super::{bar, check_count, expected, fraction, read_parameters, within};
use anyhow::{Result, ensure};
use quintain_core::board::{SquareSet, zobrist::random_numbers};
use quintain_core::eval::network::{HIDDEN, Parameters, SCALE};
use quintain_core::eval::{Basis, Network, basis};
use quintain_engine::Playable;
use quintain_io::files::{self, MB};
use quintain_io::print;
use rayon::prelude::*;
use std::f32::consts::PI;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    pub(super) variant: String,
    /// Files of `tune play`; every tenth game of each is for validation
    #[arg(long, required = true, num_args = 1..)]
    positions: Vec<PathBuf>,
    /// MB of positions in memory at a time; if there are more, each epoch reads the files again, in random order. A
    /// position takes about 100 bytes
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    memory: u64,
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

    fn len(&self) -> usize {
        self.positions.len()
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.features[..]) + size_of_val(&self.positions[..])
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

/// Positions that are in memory together.
#[derive(Default)]
struct Pool {
    /// What is learned from.
    training: Samples,
    /// What is not, and shows whether the network knows more than its games.
    validation: Samples,
}

impl Pool {
    /// The positions of the game with this number in its file go here.
    fn samples(&mut self, number: usize) -> &mut Samples {
        if number % 10 == 1 { &mut self.validation } else { &mut self.training }
    }

    fn append(&mut self, other: Pool) {
        self.training.append(other.training);
        self.validation.append(other.validation);
    }

    fn bytes(&self) -> usize {
        self.training.bytes() + self.validation.bytes()
    }
}

/// All positions, of which only some are in memory.
struct Source<'a> {
    games: Games<'a>,
    add: &'a Add<'a, Pool>,
    /// About the most bytes of a pool.
    memory: usize,
    /// All positions, if they have turned out to be few enough.
    whole: Option<Pool>,
}

/// Blocks of games that are read at a time.
const AT_A_TIME: usize = 64;

impl Source<'_> {
    /// Calls `each` with all positions in pools, each of games from anywhere; says how many blocks were read for it.
    fn pools(&mut self, random: &mut impl FnMut() -> u64, mut each: impl FnMut(&Pool, usize)) -> Result<()> {
        if let Some(whole) = &self.whole {
            each(whole, self.games.blocks());
            return Ok(());
        }
        let mut order: Vec<usize> = (0..self.games.blocks()).collect();
        shuffle(&mut order, random);
        let mut left = &order[..];
        while !left.is_empty() {
            let (before, mut pool) = (left.len(), Pool::default());
            while !left.is_empty() && pool.bytes() < self.memory {
                let (now, later) = left.split_at(left.len().min(AT_A_TIME));
                self.games.read(now, self.add)?.into_iter().for_each(|part| pool.append(part));
                left = later;
            }
            each(&pool, before - left.len());
            if before == order.len() && left.is_empty() {
                self.whole = Some(pool);
            }
        }
        Ok(())
    }
}

/// Puts things in random order.
fn shuffle<T>(things: &mut [T], random: &mut impl FnMut() -> u64) {
    for i in (1..things.len()).rev() {
        things.swap(i, (random() % (i as u64 + 1)) as usize);
    }
}

/// A sum of squared errors.
#[derive(Clone, Copy, Default)]
struct Loss {
    sum: f64,
    count: usize,
}

impl Loss {
    fn add(self, other: Loss) -> Loss {
        Loss { sum: self.sum + other.sum, count: self.count + other.count }
    }

    /// The mean, which is the loss of a network.
    fn mean(self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// What the output of a network should be.
struct Targets {
    scale: f32,
    lambda: f32,
}

impl Targets {
    fn prediction(&self, sample: &Sample, out: f32) -> f32 {
        expected(sample.basis.scale * (sample.basis.material as f32 + SCALE as f32 * out), self.scale)
    }

    fn target(&self, sample: &Sample) -> f32 {
        self.lambda * expected(sample.score, self.scale) + (1.0 - self.lambda) * sample.result
    }

    /// The gradients of the squared error of these positions, up to a constant factor.
    fn gradients(&self, model: &Model, samples: &Samples, batch: &[u32], gradients: &mut Model) {
        gradients.rows.fill([0.0; HIDDEN]);
        for &i in batch {
            let (sample, features) = (&samples.positions[i as usize], samples.features(i as usize));
            let (layers, out) = model.forward(features, sample.bucket);
            let prediction = self.prediction(sample, out);
            let gradient =
                (prediction - self.target(sample)) * prediction * (1.0 - prediction) * sample.basis.scale;
            gradients.accumulate_gradients(model, features, sample.bucket, &layers, gradient);
        }
    }

    /// The squared errors of the predictions of a model, or of the material alone.
    fn loss(&self, model: Option<&Model>, samples: &Samples) -> Loss {
        let squared = |i: usize| {
            let sample = &samples.positions[i];
            let out = model.map_or(0.0, |model| model.forward(samples.features(i), sample.bucket).1);
            Loss { sum: f64::from(self.prediction(sample, out) - self.target(sample)).powi(2), count: 1 }
        };
        (0..samples.len()).into_par_iter().map(squared).reduce(Loss::default, Loss::add)
    }
}

pub(super) fn run<V: Playable>(args: &Args) -> Result<()> {
    let initial = args.start.as_deref().map(read_parameters::<V>).transpose()?;
    let network = Network::new::<V>(Parameters::zero::<V>());
    let add = |pool: &mut Pool, line: &str, number: usize| {
        replay::<V>(line, &mut |position| pool.samples(number).add(&network, &position))
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
    add: &Add<Pool>,
    factored: &(dyn Fn(&mut dyn FnMut() -> u64) -> Factored + Sync),
    to_bytes: fn(&Parameters) -> Vec<u8>,
) -> Result<()> {
    // Now, and not after hours.
    files::check(&args.output)?;
    let output = files::led_to(&args.output);
    ensure!(
        !args.positions.iter().any(|path| files::led_to(path) == output),
        "--output: '{}' is one of --positions",
        args.output.display()
    );
    let games = Games::open(&args.positions)?;
    let memory = usize::try_from(args.memory * MB).unwrap_or(usize::MAX);
    let reading = bar(games.blocks(), "blocks read");
    let mut source = Source { games, add, memory, whole: None };
    let targets = Targets { scale: args.scale, lambda: args.lambda };
    let mut random = random_numbers(1);
    let mut factored = factored(&mut random);
    let mut model = factored.model();
    let (mut count, mut material, mut before) = (0, Loss::default(), Loss::default());
    source.pools(&mut random, |pool, blocks| {
        count += pool.training.len();
        material = material.add(targets.loss(None, &pool.validation));
        before = before.add(targets.loss(Some(&model), &pool.validation));
        reading.inc(blocks as u64);
    })?;
    reading.finish_and_clear();
    check_count(count + before.count)?;
    print(&format!(
        "{} positions; validation loss of material alone {:.5}, before training {:.5}\n",
        count + before.count,
        material.mean(),
        before.mean(),
    ))?;
    let all = count * args.epochs as usize;
    let mut gradients = vec![Model::zero(factored.features()); args.threads];
    let (bar, mut learned, mut step) = (bar(all, "positions"), 0, 0);
    for _ in 0..args.epochs {
        let mut order = random_numbers(random());
        source.pools(&mut random, |pool, _| {
            let mut positions: Vec<u32> = (0..pool.training.len() as u32).collect();
            shuffle(&mut positions, &mut order);
            for batch in positions.chunks(args.batch_size as usize) {
                (step, learned) = (step + 1, learned + batch.len());
                let parts = batch.par_chunks(batch.len().div_ceil(args.threads));
                let gradients = &mut gradients[..parts.len()];
                gradients
                    .par_iter_mut()
                    .zip(parts)
                    .for_each(|(sum, part)| targets.gradients(&model, &pool.training, part, sum));
                // Cosine decay of the learning rate.
                let decay = 0.5 + 0.5 * (PI * learned as f32 / all as f32).cos();
                factored.step(
                    &Step {
                        number: step,
                        learning_rate: args.learning_rate * decay,
                        weight_decay: args.weight_decay,
                    },
                    gradients,
                    batch.len(),
                );
                factored.sum_up(&mut model);
                bar.inc(batch.len() as u64);
            }
        })?;
    }
    bar.finish_and_clear();
    files::write(&args.output, &to_bytes(&model.quantised()))?;
    let (mut training, mut validation) = (Loss::default(), Loss::default());
    source.pools(&mut random, |pool, _| {
        training = training.add(targets.loss(Some(&model), &pool.training));
        validation = validation.add(targets.loss(Some(&model), &pool.validation));
    })?;
    print(&format!(
        "after {} epochs: loss {:.5}, validation loss {:.5}\n",
        args.epochs,
        training.mean(),
        validation.mean()
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

    /// More games than memory holds are all read in each epoch, each time in another order; fewer are read once.
    #[test]
    fn positions_come_from_all_files_in_random_order() {
        let folder = tempfile::tempdir().unwrap();
        // More blocks than are read at a time, each of twelve games with a score of its own.
        let start = fen::write(&fen::start::<Canyon>());
        let paths: Vec<PathBuf> = (0..AT_A_TIME + 10)
            .map(|file| {
                let path = folder.path().join(file.to_string());
                let games = (0..12).map(|line| format!("{start};0.5;b3b4 {}\n", 12 * file + line));
                std::fs::write(&path, games.collect::<String>()).unwrap();
                path
            })
            .collect();
        let network = Network::new::<Canyon>(Parameters::zero::<Canyon>());
        let add = |pool: &mut Pool, line: &str, number: usize| {
            replay::<Canyon>(line, &mut |position| pool.samples(number).add(&network, &position))
        };
        let mut random = random_numbers(1);
        let mut passes = |memory: usize| {
            let mut source = Source { games: Games::open(&paths).unwrap(), add: &add, memory, whole: None };
            let (mut pools, mut orders) = (0, [Vec::new(), Vec::new()]);
            for order in &mut orders {
                let mut blocks = 0;
                let each = |pool: &Pool, read: usize| {
                    (pools, blocks) = (pools + 1, blocks + read);
                    assert_eq!(pool.training.len(), 5 * pool.validation.len());
                    let samples = pool.training.positions.iter().chain(&pool.validation.positions);
                    order.extend(samples.map(|sample| sample.score as usize));
                };
                source.pools(&mut random, each).unwrap();
                assert_eq!(blocks, paths.len());
            }
            let [mut first, mut second] = orders;
            let same = first == second;
            for order in [&mut first, &mut second] {
                order.sort();
                assert!(order.iter().copied().eq(0..12 * paths.len()));
            }
            (pools, same)
        };
        assert_eq!(passes(1), (4, false));
        assert_eq!(passes(usize::MAX), (2, true));
        // What is no game is told with its place.
        std::fs::write(&paths[3], format!("{start};0.5;b3b4 7\n{start};2;b3b4 7\n")).unwrap();
        let games = Games::open(&paths[3..4]).unwrap();
        let error = format!("{:#}", games.read(&[0], &add).err().unwrap());
        assert!(error.contains("3, line 2: result: 2 is not between 0 and 1"), "{error}");
        std::fs::write(&paths[3], "").unwrap();
        assert!(games.read(&[0], &add).err().unwrap().to_string().contains("it has become shorter"));
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
