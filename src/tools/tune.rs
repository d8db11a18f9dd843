//! `quintain tune`: fits the weights of an evaluation to the results of games.
//!
//! Texel's method (Peter Österlund, 2014): the evaluation of a quiet position, put through a logistic curve, shall
//! predict the result of the game in which it occurred. The evaluation is linear in its weights, so the gradient is the
//! list of terms itself; Adam (Kingma and Ba, 2014) walks down it.

use crate::board::zobrist::split_mix;
use crate::board::{Color, Kind, SquareSet};
use crate::engine::{NAMES, Visitor, visit};
use crate::eval::{Evaluate, Layout, Pair, trace};
use crate::notation::fen;
use crate::rules::Position;
use crate::search::{Control, Limits, Memory, Settings, think};
use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Arguments of `quintain tune`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(clap::Subcommand, Debug)]
enum Step {
    /// Play games against itself and write their quiet positions with the results
    Play(Play),
    /// Fit the weights to such positions and write them as Rust source
    Fit(Fit),
}

#[derive(clap::Args, Debug)]
struct Play {
    /// The game
    variant: String,
    /// Where to write: a line for each position, with semicolons between FEN, White's score in the game (0, 0.5 or 1)
    /// and White's centipawns as the search saw it
    #[arg(long)]
    output: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Random moves before the players think, and up to three more
    #[arg(long, default_value_t = 7)]
    plies: u64,
    /// The same seed gives the same file
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(clap::Args, Debug)]
struct Fit {
    /// The game
    variant: String,
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
    #[arg(long, default_value_t = 0.5)]
    trust: f32,
}

/// Runs one step.
pub fn run(args: Args) -> Result<()> {
    let name = match &args.step {
        Step::Play(play) => &play.variant,
        Step::Fit(fit) => &fit.variant,
    }
    .clone();
    visit(&name, args.step)
        .with_context(|| format!("no game is called '{name}'; there are {}", NAMES.join(", ")))?
}

impl Visitor for Step {
    type Output = Result<()>;

    fn visit<V: Evaluate>(self) -> Result<()> {
        match self {
            Step::Play(args) => play_games::<V>(&args),
            Step::Fit(args) => fit::<V>(&args),
        }
    }
}

fn bar(length: usize, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}"));
    ProgressBar::new(length as u64).with_style(style.expect("a template without faults"))
}

// ---- Playing ------------------------------------------------------------------------------------------------

/// Centipawns at which a game counts as won when both sides have said so for [`AGREED`] plies.
const WON: i32 = 2500;
const AGREED: u32 = 6;
/// Plies after which a game counts as drawn.
const LONGEST: usize = 400;

fn play_games<V: Evaluate>(args: &Play) -> Result<()> {
    let mut out = BufWriter::new(
        File::create(&args.output).with_context(|| format!("cannot write {}", args.output.display()))?,
    );
    let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); args.games]));
    let bar = bar(args.games, "games");
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                let memory = Memory::new(4);
                loop {
                    let game = next.fetch_add(1, Relaxed);
                    if game >= args.games {
                        break;
                    }
                    memory.clear();
                    let text = play_game::<V>(args, args.seed << 32 | game as u64, &memory);
                    done.lock().expect("no player panics with the lock")[game] = text;
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    for text in done.into_inner().expect("no player panics with the lock") {
        out.write_all(text.as_bytes())?;
    }
    Ok(out.flush()?)
}

/// The lines of one game's quiet positions.
fn play_game<V: Evaluate>(args: &Play, mut seed: u64, memory: &Memory) -> String {
    let mut random = |below: u64| {
        let number;
        (seed, number) = split_mix(seed);
        number % below
    };
    let mut pos = fen::start::<V>();
    let mut plies = args.plies + random(4);
    while plies > 0 {
        let moves = pos.legal_moves();
        if pos.outcome().is_some() {
            return String::new();
        }
        // Placing men before the game proper is no part of it.
        plies -= u64::from(V::may_pass(&pos));
        pos.play(moves[random(moves.len() as u64) as usize]);
    }
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let (control, mut quiet, mut agreed) = (Control::default(), Vec::new(), 0);
    let score = loop {
        if let Some(outcome) = pos.outcome() {
            break outcome.winner.map_or(0.5, |winner| if winner == Color::White { 1.0 } else { 0.0 });
        }
        if quiet.len() > LONGEST {
            break 0.5;
        }
        control.start(&limits);
        let best = think(&pos, &limits, &[], Settings::default(), memory, &control, &|_| {});
        agreed = if best.score.abs() >= WON { agreed + 1 } else { 0 };
        if agreed >= AGREED {
            break if (best.score > 0) == (pos.side() == Color::White) { 1.0 } else { 0.0 };
        }
        let mv = best.pv[0];
        let calm =
            V::taken(&pos, mv).is_empty() && V::WEIGHTS.value(mv.becomes()) == V::WEIGHTS.value(mv.kind());
        let white = best.score * i32::from(pos.side().forward());
        quiet.push((calm && !pos.in_check() && agreed == 0).then(|| (fen::write(&pos), white)));
        pos.play(mv);
    };
    quiet.into_iter().flatten().map(|(fen, white)| format!("{fen};{score};{white}\n")).collect()
}

// ---- Fitting ------------------------------------------------------------------------------------------------

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
    fn add<V: Evaluate>(&mut self, line: &str) -> Result<()> {
        let mut fields = line.split(';');
        let (Some(text), Some(result), Some(score), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            bail!("there must be a FEN, a result and a score, with semicolons between them");
        };
        let result: f32 = result.parse().with_context(|| format!("'{result}' is no result"))?;
        let score: f32 = score.parse().with_context(|| format!("'{score}' is no score"))?;
        ensure!((0.0..=1.0).contains(&result), "the result {result} is not between 0 and 1");
        let pos: Position<V> = fen::parse(text)?;
        // What is not a sum of weights cannot be fitted.
        if V::special(&pos) != (0, 0) || Color::BOTH.iter().any(|&color| pos.is_lone(color)) {
            return Ok(());
        }
        let (terms, shares) = trace(&pos);
        self.terms.extend(terms);
        let factor = 1.0 - f32::from(pos.halfmove().min(100)) / 200.0;
        self.positions.push(Sample { end: self.terms.len(), shares, factor, result, score });
        Ok(())
    }

    /// Calls `each` with the score of each position under `weights` (middlegame and endgame), its terms and its place.
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

/// The expected result of a score in centipawns.
fn expected(score: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-scale * score).exp())
}

/// A tenth of the games, roughly, is not learnt from, to see whether what is learnt is general.
fn held_out(i: usize) -> bool {
    (i / 500).is_multiple_of(10)
}

fn fit<V: Evaluate>(args: &Fit) -> Result<()> {
    let mut samples = Samples::default();
    for path in &args.positions {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (i, line) in BufReader::new(file).lines().enumerate() {
            samples.add::<V>(&line?).with_context(|| format!("{}, line {}", path.display(), i + 1))?;
        }
    }
    let count = samples.positions.len();
    if count < 1000 {
        bail!("{count} positions are too few to fit anything");
    }
    let start: Vec<[f32; 2]> = V::WEIGHTS.flat().iter().map(|&(m, e)| [m.into(), e.into()]).collect();
    // The scale under which the weights as they are predict best.
    let scale = (1..60)
        .map(|i| i as f32 * 0.0002)
        .min_by(|&a, &b| samples.error(&start, a, |_| true).total_cmp(&samples.error(&start, b, |_| true)))
        .expect("a scale");
    let (learnt, unseen): (fn(usize) -> bool, _) = (|i| !held_out(i), held_out);
    println!(
        "{count} positions, scale {scale:.4}, error {:.5}, on unseen games {:.5}",
        samples.error(&start, scale, learnt),
        samples.error(&start, scale, unseen)
    );
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
        // Adam with the customary constants and a step of up to two centipawns, smaller towards the end.
        let rate = 2.0 * (1.0 - 0.9 * pass as f32 / args.passes as f32);
        let moved: Vec<[f32; 2]> =
            weights.iter().zip(&start).map(|(w, s)| [w[0] - s[0], w[1] - s[1]]).collect();
        let (a, b) = (1.0 - 0.9f32.powi(pass as i32), 1.0 - 0.999f32.powi(pass as i32));
        for i in 0..weights.len() {
            for phase in [0, 1] {
                let neighbours =
                    [i.wrapping_sub(1), i + 1].into_iter().filter(|&j| tables.get(j) == Some(&tables[i]));
                let apart: f32 = neighbours.map(|j| moved[i][phase] - moved[j][phase]).sum();
                let held = 0.01 * (args.hold * moved[i][phase] + args.smooth * apart);
                let slope = gradient[i][phase] * 400.0 * scale + held;
                let (mean, square) = (&mut first[i][phase], &mut second[i][phase]);
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.999 * *square + 0.001 * slope * slope;
                weights[i][phase] -= rate * (*mean / a) / ((*square / b).sqrt() + 1e-3);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!(
        "after {} passes {:.5}, on unseen games {:.5}",
        args.passes,
        samples.error(&weights, scale, learnt),
        samples.error(&weights, scale, unseen)
    );
    settle::<V>(&mut weights, &samples);
    let row: Vec<Pair> = weights.iter().map(|w| (w[0].round() as i16, w[1].round() as i16)).collect();
    let names: Vec<&str> = V::PIECES.iter().map(|piece| piece.name).collect();
    let source = format!(
        "//! The weights of the evaluation. Written by `quintain tune`; the values are what men are worth.\n\nuse crate::eval::{{General, KindWeights}};\n\n{}",
        V::WEIGHTS.to_source(&row, &names)
    );
    std::fs::write(&args.output, source)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    for i in 0..V::WEIGHTS.kinds.len() {
        let value = row[V::WEIGHTS.layout().stride * i];
        println!("{:<12} {:>5} {:>5}", names[i], value.0, value.1);
    }
    Ok(())
}

/// For each weight a number that it shares with the other entries of its table.
fn tables<V: Evaluate>() -> Vec<usize> {
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
fn settle<V: Evaluate>(weights: &mut [[f32; 2]], samples: &Samples) {
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
