//! `quintain tune`: teaches an evaluation what games show.
//!
//! Texel's method (Peter Österlund, 2014): the evaluation of a quiet position, put through a logistic curve, shall
//! predict the result of the game in which it occurred, and here also what a search thought of the position. Both the
//! weights and the network of a game are found so, by Adam (Kingma and Ba, 2014), which walks down the gradient.

mod fit;
mod net;
mod play;

use crate::engine::{NAMES, Visitor, visit};
use crate::eval::Evaluate;
use crate::notation::fen;
use crate::rules::Position;
use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Arguments of `quintain tune`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand, Debug)]
enum Step {
    /// Play games against itself and write their quiet positions with the results
    Play(play::Args),
    /// Fit the weights to such positions and write them as Rust source
    Fit(fit::Args),
    /// Teach a network to correct the weights and write its numbers
    Net(net::Args),
}

/// Runs one step.
pub fn run(args: Args) -> Result<()> {
    let name = match &args.step {
        Step::Play(play) => &play.variant,
        Step::Fit(fit) => &fit.variant,
        Step::Net(net) => &net.variant,
    }
    .clone();
    visit(&name, args.step)
        .with_context(|| format!("no game is called '{name}'; there are {}", NAMES.join(", ")))?
}

impl Visitor for Step {
    type Output = Result<()>;

    fn visit<V: Evaluate>(self) -> Result<()> {
        match self {
            Step::Play(args) => play::run::<V>(&args),
            Step::Fit(args) => fit::run::<V>(&args),
            Step::Net(args) => net::run::<V>(&args),
        }
    }
}

fn bar(length: usize, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}"));
    ProgressBar::new(length as u64).with_style(style.expect("a template without faults"))
}

/// A position that occurred in a game.
struct Seen<V: Evaluate> {
    pos: Position<V>,
    /// White's score in the game, 0 to 1.
    result: f32,
    /// White's centipawns as the search saw it.
    score: f32,
}

impl<V: Evaluate> Seen<V> {
    fn parse(line: &str) -> Result<Self> {
        let mut fields = line.split(';');
        let (Some(text), Some(result), Some(score), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            bail!("there must be a FEN, a result and a score, with semicolons between them");
        };
        let result: f32 = result.parse().with_context(|| format!("'{result}' is no result"))?;
        let score: f32 = score.parse().with_context(|| format!("'{score}' is no score"))?;
        ensure!((0.0..=1.0).contains(&result), "the result {result} is not between 0 and 1");
        Ok(Seen { pos: fen::parse(text)?, result, score })
    }
}

/// Calls `each` with all positions in files that `tune play` wrote.
fn read<V: Evaluate>(files: &[PathBuf], mut each: impl FnMut(Seen<V>)) -> Result<()> {
    for path in files {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (i, line) in BufReader::new(file).lines().enumerate() {
            let seen = line.map_err(Into::into).and_then(|line| Seen::parse(&line));
            each(seen.with_context(|| format!("{}, line {}", path.display(), i + 1))?);
        }
    }
    Ok(())
}

/// With fewer positions than this, nothing is learnt that holds elsewhere.
const FEWEST: usize = 1000;

fn check_count(count: usize) -> Result<()> {
    ensure!(count >= FEWEST, "{count} positions are too few to learn from; there must be {FEWEST}");
    Ok(())
}

/// The expected result of a score in centipawns.
fn expected(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-scale * score).exp())
}

/// The scale of [`expected`] with which `error` is least.
fn best_scale(error: impl Fn(f32) -> f32) -> f32 {
    let scales = (1..60).map(|i| i as f32 * 0.0002);
    scales.min_by(|&a, &b| error(a).total_cmp(&error(b))).expect("a scale")
}

/// A tenth of the games, roughly, is not learnt from, to see whether what is learnt is general.
fn held_out(i: usize) -> bool {
    (i / 500).is_multiple_of(10)
}

/// How the first and the second moment of a gradient decay from step to step, as is customary.
const MOMENTS: [f32; 2] = [0.9, 0.999];

/// The direction of Adam's step number `step`, from 1, for a weight with this slope; about -1 to 1.
fn adam([first, second]: [&mut f32; 2], slope: f32, step: i32, least: f32) -> f32 {
    let [a, b] = MOMENTS;
    *first = a * *first + (1.0 - a) * slope;
    *second = b * *second + (1.0 - b) * slope * slope;
    *first / (1.0 - a.powi(step)) / ((*second / (1.0 - b.powi(step))).sqrt() + least)
}
