//! `quintain tune`: trains the network of a game on self-play games, and sets the margins of the search.
//!
//! The evaluation of a quiet position, through a logistic curve, should predict the score of a search, and the result
//! of the game in which the position occurred. The network of a game is trained for that by gradient descent.

pub mod games;
mod model;
mod play;
mod search;
mod train;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use quintain_core::eval::network::Parameters;
use quintain_engine::{Playable, Visitor, visit};
use quintain_io::files::{self, MOST_NETWORK};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Arguments of `quintain tune`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand, Debug)]
enum Step {
    /// Generate training data: play games against itself and write them with the score of each position
    Play(play::Args),
    /// Train a network on the quiet positions of such games
    Train(train::Args),
    /// Set the margins of the search by games between perturbed ones
    Search(search::Args),
}

/// Runs one step.
pub fn run(args: Args) -> Result<()> {
    let (name, step) = match args.step {
        Step::Search(args) => return search::run(&args),
        Step::Play(args) => (args.variant.clone(), OfGame::Play(args)),
        Step::Train(args) => (args.variant.clone(), OfGame::Train(args)),
    };
    visit(&name, step)?
}

/// The steps that are about one game.
enum OfGame {
    Play(play::Args),
    Train(train::Args),
}

impl Visitor for OfGame {
    type Output = Result<()>;

    fn visit<V: Playable>(self) -> Result<()> {
        match self {
            OfGame::Play(args) => play::run::<V>(&args),
            OfGame::Train(args) => train::run::<V>(&args),
        }
    }
}

fn bar(length: usize, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}"));
    ProgressBar::new(length as u64).with_style(style.expect("a template without faults"))
}

/// Does the work with each of these numbers, in so many threads, and shows how far it is. Each thread works with what
/// `prepare` makes for it. After an error no more is begun.
fn each_in_threads<T>(
    threads: usize,
    numbers: Range<u64>,
    what: &str,
    prepare: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, u64) -> Result<()> + Sync,
) -> Result<()> {
    let bar = bar(numbers.end as usize, what);
    bar.inc(numbers.start);
    let (next, failed) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let work_on = || -> Result<()> {
        let mut own = prepare();
        while !failed.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= numbers.end {
                break;
            }
            work(&mut own, number)?;
            bar.inc(1);
        }
        Ok(())
    };
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let worker = || work_on().inspect_err(|_| failed.store(true, Relaxed));
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    });
    bar.finish_and_clear();
    results.into_iter().collect()
}

/// Reads the file of a network.
fn read_parameters<V: Playable>(path: &Path) -> Result<Parameters> {
    let bytes = files::read(path, MOST_NETWORK)?;
    Parameters::from_bytes::<V>(&bytes).with_context(|| format!("cannot use '{}'", path.display()))
}

/// Reads a number in a range, in which infinity and what is not a number are not.
fn within(text: &str, range: std::ops::RangeInclusive<f32>) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("not a number from {} to {}", range.start(), range.end()))
}

/// Reads a number from 0 to 1.
fn fraction(text: &str) -> Result<f32, String> {
    within(text, 0.0..=1.0)
}

/// Fewer positions than this do not suffice.
const FEWEST: usize = 1000;

fn check_count(count: usize) -> Result<()> {
    ensure!(count >= FEWEST, "{count} positions are too few to learn from; there must be {FEWEST}");
    Ok(())
}

/// The expected result of a score in units of the evaluation (a sigmoid).
fn expected(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-scale * score).exp())
}
