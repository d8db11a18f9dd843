//! `quintain tune`: fits the evaluation to games.
//!
//! Texel's method (Peter Österlund, 2014): the evaluation of a quiet position, through a logistic curve, should
//! predict the result of the game in which it occurred, and here also the score of a search. Both the weights and the
//! network of a game are fitted by Adam (Kingma and Ba, 2014), a form of gradient descent.

mod fit;
mod games;
mod net;
mod play;

use crate::engine::Playable;
use crate::engine::{NAMES, Visitor, visit};
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

/// Arguments of `quintain tune`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand, Debug)]
enum Step {
    /// Play games against itself and write them with the scores of all positions
    Play(play::Args),
    /// Fit the weights to the quiet positions of such games and write them as Rust source
    Fit(fit::Args),
    /// Train a network that corrects the weights and write its numbers
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

    fn visit<V: Playable>(self) -> Result<()> {
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

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".into())
}

/// Fewer positions than this do not suffice.
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

/// About a tenth of the games is kept for validation.
fn held_out(i: usize) -> bool {
    (i / 500).is_multiple_of(10)
}

/// How the first and the second moment of a gradient decay from step to step, with the usual values.
const MOMENTS: [f32; 2] = [0.9, 0.999];

/// The direction of Adam's step number `step`, from 1, for a weight with this gradient; about -1 to 1.
fn adam([first, second]: [&mut f32; 2], slope: f32, step: i32, least: f32) -> f32 {
    let [a, b] = MOMENTS;
    *first = a * *first + (1.0 - a) * slope;
    *second = b * *second + (1.0 - b) * slope * slope;
    *first / (1.0 - a.powi(step)) / ((*second / (1.0 - b.powi(step))).sqrt() + least)
}
