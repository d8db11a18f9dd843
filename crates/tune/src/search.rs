//! `quintain tune search`: sets the margins of the search by simultaneous perturbation.
//!
//! SPSA (Spall, Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation, 1992), with the
//! constants that Stockfish's fishtest made usual. A step moves all values a little, each up or down by chance, plays a
//! pair of games between them and the same values moved the other way, and goes on towards the side that won.

use super::each_in_threads;
use super::play::{Random, opening};
use anyhow::{Context, Result, ensure};
use quintain_core::board::{Color, zobrist::random_numbers};
use quintain_core::search::{Control, Limits, Margins, Memory, Search, Settings};
use quintain_core::session::{AnyGame, Session};
use quintain_engine::{NAMES, Playable, Visitor, visit};
use quintain_io::{files, print};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The file of the values, from which a stopped run goes on
    #[arg(long)]
    output: PathBuf,
    /// The games to play, in turn [default: all]
    #[arg(long, value_delimiter = ',', value_name = "GAME")]
    games: Vec<String>,
    /// Only these margins are moved [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// Pairs of games to play in all
    #[arg(long, default_value_t = 6000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How fast values move: the share of a perturbation by which a game moves them at the end; with 0 they stay, and only
    /// their effects are measured
    #[arg(long, default_value_t = 0.006, value_parser = |text: &str| super::within(text, 0.0..=1.0))]
    rate: f32,
    /// By how much values are moved for a pair of games, as a share of their range
    #[arg(long, default_value_t = 0.05, value_parser = |text: &str| super::within(text, 0.001..=1.0))]
    perturbation: f32,
    /// Random moves before the players think; half of the pairs have one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=200))]
    plies: u64,
    /// The seed of perturbations and openings
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=u32::MAX.into()))]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = quintain_engine::options::threads)]
    threads: usize,
}

/// The exponents by which perturbations and steps become smaller, and the share of the run that delays the latter
/// (Spall, Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization, 1998).
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
const DELAY: f64 = 0.1;

/// A game is won when both sides had a score of at least this for [`AGREED`] plies, in units of the evaluation.
const WON: i32 = 1200;
const AGREED: u32 = 4;
/// Plies after which a game counts as drawn.
const LONGEST: usize = 300;
/// Openings in which a side is further ahead, in units of the evaluation, are not played.
const LEVEL: i32 = 250;
/// Values are written after so many pairs.
const SAVED: u64 = 10;
/// The most bytes of a file that are read.
const MOST: u64 = 1 << 20;

/// What the file has.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct State {
    /// Pairs played.
    pairs: u64,
    /// Games won, drawn and lost by the sides that count as first.
    results: [u64; 3],
    /// The sum over all pairs of the square of games won less games lost.
    squares: u64,
    /// The margins that are moved.
    margins: Vec<Moved>,
}

impl State {
    /// Nothing played, and the values of the program for the margins that are to be moved.
    fn new(is_moved: impl Fn(&str) -> bool) -> State {
        let margins = Margins::ALL
            .iter()
            .zip(Margins::default().values())
            .filter(|((name, _), _)| is_moved(name))
            .map(|(&(name, _), value)| Moved { name: name.into(), value: value.into(), surplus: 0 })
            .collect();
        State { pairs: 0, results: [0; 3], squares: 0, margins }
    }
}

/// A margin that is moved.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
struct Moved {
    name: String,
    /// The value so far; what is played with is a whole number near it.
    value: f64,
    /// Games won less games lost by the sides for which it was moved up.
    surplus: i64,
}

impl Moved {
    /// The place of the margin, whose name has been checked, in [`Margins::ALL`].
    fn index(&self) -> usize {
        find(&self.name).expect("a checked name")
    }

    /// The range of the margin.
    fn range(&self) -> RangeInclusive<f64> {
        let range = &Margins::ALL[self.index()].1;
        f64::from(*range.start())..=f64::from(*range.end())
    }

    /// The value moved by so much, but not out of the range.
    fn moved(&self, by: f64) -> f64 {
        (self.value + by).clamp(*self.range().start(), *self.range().end())
    }
}

/// A game to play, and how it makes openings of so many random moves.
struct Contest {
    game: &'static dyn AnyGame,
    opening: fn(u64, &mut Random) -> Option<String>,
}

struct Find;

impl Visitor for Find {
    type Output = Contest;

    fn visit<V: Playable>(self) -> Contest {
        Contest { game: V::any(), opening: opening::<V> }
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    let names: Vec<&str> =
        if args.games.is_empty() { NAMES.to_vec() } else { args.games.iter().map(String::as_str).collect() };
    let find = |name: &&str| visit(name, Find).context("--games");
    let contests: Vec<Contest> = names.iter().map(find).collect::<Result<_>>()?;
    let state = begin(args)?;
    let pairs = state.pairs..args.pairs;
    let run = Mutex::new(Run { saved: state.pairs, state });
    let prepare = || [Memory::new(4), Memory::new(4)];
    let play = |memories: &mut [Memory; 2], pair: u64| -> Result<()> {
        let mut numbers = random_numbers(args.seed << 32 | pair);
        let mut random = |below: u64| numbers() % below;
        let margins = lock(&run).state.margins.clone();
        let step = Step::new(args, &margins, pair, &mut random);
        let contest = &contests[pair as usize % contests.len()];
        let results = play_pair(args, contest, &step.sides, memories, &mut random);
        let mut run = lock(&run);
        step.learn(&mut run.state, results);
        if run.state.pairs.is_multiple_of(SAVED) || run.state.pairs == args.pairs {
            run.save(&args.output)?;
        }
        Ok(())
    };
    each_in_threads(args.threads, pairs, "pairs", prepare, play)?;
    print(&report(&lock(&run).state))
}

fn lock(run: &Mutex<Run>) -> MutexGuard<'_, Run> {
    run.lock().expect("no player panics with the lock")
}

/// What a margin is, and what moving it up has won.
fn report(state: &State) -> String {
    let [won, drawn, lost] = state.results;
    let pairs = state.pairs.max(1) as f64;
    // A share of the points, times this, is Elo near an even score. A pair has two games, each of a point.
    let elo = 1600.0 / std::f64::consts::LN_10 / (4.0 * pairs);
    let error = 1.96 * elo * (state.squares as f64).sqrt();
    let mut text = format!("{} pairs: +{won} ={drawn} -{lost}\n", state.pairs);
    text += &format!("{:24}{:>8}{:>9}   Elo of up against down\n", "margin", "program", "now");
    for moved in &state.margins {
        let program = Margins::default().values()[moved.index()];
        let effect = elo * moved.surplus as f64;
        text += &format!("{:24}{program:8}{:9.1}   {effect:+.1} ± {error:.1}\n", moved.name, moved.value);
    }
    text
}

/// The place of a margin in [`Margins::ALL`].
fn find(name: &str) -> Option<usize> {
    Margins::ALL.iter().position(|margin| margin.0 == name)
}

/// What the file has, or the values of the program if there is none.
fn begin(args: &Args) -> Result<State> {
    let names = || Margins::ALL.iter().map(|margin| margin.0);
    for name in &args.only {
        ensure!(
            find(name).is_some(),
            "--only: no margin is called '{name}'; there are {}",
            names().collect::<Vec<_>>().join(", ")
        );
    }
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    if args.output.exists() {
        let state = read(&args.output)?;
        let same = Margins::ALL
            .iter()
            .all(|margin| state.margins.iter().any(|moved| moved.name == margin.0) == wanted(margin.0));
        ensure!(
            same || args.only.is_empty(),
            "--only: '{}' tunes {}; leave the option out to go on with these",
            args.output.display(),
            state.margins.iter().map(|moved| moved.name.as_str()).collect::<Vec<_>>().join(", ")
        );
        return Ok(state);
    }
    let state = State::new(wanted);
    // A file that cannot be written is told now and not after hours.
    write(&args.output, &state)?;
    Ok(state)
}

fn read(path: &Path) -> Result<State> {
    let about = || format!("cannot use '{}'", path.display());
    let state: State =
        serde_json::from_slice(&files::read(path, MOST).with_context(about)?).with_context(about)?;
    let check = |moved: &Moved| {
        let Moved { name, value, .. } = moved;
        ensure!(find(name).is_some(), "no margin is called '{name}'");
        let range = moved.range();
        ensure!(range.contains(value), "{name} is {value}, but must be {} to {}", range.start(), range.end());
        Ok(())
    };
    state.margins.iter().try_for_each(check).with_context(about)?;
    Ok(state)
}

fn write(path: &Path, state: &State) -> Result<()> {
    files::write(path, &serde_json::to_vec_pretty(state)?)
        .with_context(|| format!("cannot write '{}'", path.display()))
}

/// The run in progress.
struct Run {
    state: State,
    /// Pairs in the file.
    saved: u64,
}

impl Run {
    fn save(&mut self, path: &Path) -> Result<()> {
        let other = path.exists() && read(path)?.pairs != self.saved;
        ensure!(!other, "'{}' was changed by another program", path.display());
        write(path, &self.state)?;
        self.saved = self.state.pairs;
        Ok(())
    }
}

/// A pair of games.
struct Step {
    /// By how much each margin is moved, up or down.
    moves: Vec<f64>,
    /// Which share of that a game moves the values.
    rate: f64,
    /// The margins of both sides.
    sides: [Margins; 2],
}

impl Step {
    fn new(args: &Args, margins: &[Moved], pair: u64, random: &mut Random) -> Step {
        let (all, done) = (args.pairs as f64, pair as f64 + 1.0);
        let larger = (all / done).powf(GAMMA);
        let faster = ((DELAY + 1.0) * all / (DELAY * all + done)).powf(ALPHA) / larger.powi(2);
        // A perturbation stays the same where values do.
        let larger = if args.rate > 0.0 { larger } else { 1.0 };
        let perturbation = f64::from(args.perturbation) * larger;
        let mut chance = |size: f64| if random(2) == 0 { size } else { -size };
        let moves: Vec<f64> = margins
            .iter()
            .map(|moved| chance(perturbation * (moved.range().end() - moved.range().start())))
            .collect();
        let mut side = |sign: f64| {
            let mut values = Margins::default().values();
            for (moved, by) in margins.iter().zip(&moves) {
                let value = moved.moved(sign * by);
                // Rounded by chance, so that small ranges have values between whole numbers.
                values[moved.index()] = (value + random(1 << 16) as f64 / 65536.0).floor() as i32;
            }
            Margins::from_values(values)
        };
        let sides = [side(1.0), side(-1.0)];
        Step { moves, rate: f64::from(args.rate) * faster, sides }
    }

    /// Moves the values towards the side that won; `results` are the games won, drawn and lost by the first.
    fn learn(&self, state: &mut State, results: [u64; 3]) {
        let surplus = results[0] as i64 - results[2] as i64;
        for (moved, by) in state.margins.iter_mut().zip(&self.moves) {
            moved.value = moved.moved(self.rate * surplus as f64 * by);
            moved.surplus += if *by > 0.0 { surplus } else { -surplus };
        }
        state.pairs += 1;
        state.squares += surplus.unsigned_abs().pow(2);
        state.results.iter_mut().zip(results).for_each(|(sum, more)| *sum += more);
    }
}

/// Plays an opening with either colour; games won, drawn and lost by the first side.
fn play_pair(
    args: &Args,
    contest: &Contest,
    sides: &[Margins; 2],
    memories: &[Memory; 2],
    random: &mut Random,
) -> [u64; 3] {
    let mut session = contest.game.open();
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let start = loop {
        let plies = args.plies + random(2);
        let Some(start) = (contest.opening)(plies, random) else { continue };
        session.set_position(Some(&start), &[]).expect("what is written is read");
        memories[0].clear();
        let best = search(session.as_ref(), &limits, Margins::default(), &memories[0]);
        if best.0.abs() <= LEVEL {
            break start;
        }
    };
    let mut results = [0; 3];
    for first in Color::BOTH {
        memories.iter().for_each(Memory::clear);
        session.set_position(Some(&start), &[]).expect("what is written is read");
        let side = |color: Color| usize::from(color != first);
        let winner =
            play_game(session.as_mut(), &limits, |color| (sides[side(color)], &memories[side(color)]));
        results[winner.map_or(1, |winner| 2 * side(winner))] += 1;
    }
    results
}

/// The score of a search for the side to move, and its move.
fn search(session: &dyn Session, limits: &Limits, margins: Margins, memory: &Memory) -> (i32, String) {
    let settings = Settings { margins, ..Settings::default() };
    let best = session.search(&Search { settings, ..Search::new(limits, memory, &Control::started(limits)) });
    (best.score, session.coordinates(&best.pv[..1]).remove(0))
}

/// Plays a game from the position on; the winner, if there is one.
fn play_game<'a>(
    session: &mut dyn Session,
    limits: &Limits,
    player: impl Fn(Color) -> (Margins, &'a Memory),
) -> Option<Color> {
    let mut agreed = 0i32;
    for _ in 0..LONGEST {
        if let Some(outcome) = session.outcome() {
            return outcome.winner;
        }
        let side = session.side();
        let (margins, memory) = player(side);
        let (score, mv) = search(session, limits, margins, memory);
        // Counts for one side up, for the other down.
        let ahead = score * i32::from(side.forward());
        agreed = match ahead {
            WON.. => agreed.max(0) + 1,
            _ if ahead <= -WON => agreed.min(0) - 1,
            _ => 0,
        };
        if agreed.unsigned_abs() >= AGREED {
            return Some(if agreed > 0 { Color::White } else { Color::Black });
        }
        session.play(&mv).expect("the search plays legal moves");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(rate: f32, pairs: u64) -> Args {
        Args {
            output: PathBuf::new(),
            games: Vec::new(),
            only: Vec::new(),
            pairs,
            nodes: 1,
            rate,
            perturbation: 0.05,
            plies: 0,
            seed: 1,
            threads: 1,
        }
    }

    /// Plays pairs without games: a side wins the more often, the nearer it is to these values.
    fn simulate(args: &Args, best: &[(&str, i32)]) -> State {
        let mut state = State::new(|name| best.iter().any(|best| best.0 == name));
        let mut numbers = random_numbers(1);
        let mut random = |below: u64| numbers() % below;
        while state.pairs < args.pairs {
            let step = Step::new(args, &state.margins.clone(), state.pairs, &mut random);
            let loss = |side: &Margins| -> f64 {
                let distance = |(moved, (_, best)): (&Moved, &(&str, i32))| {
                    let range = moved.range();
                    f64::from(side.values()[moved.index()] - best) / (range.end() - range.start())
                };
                state.margins.iter().zip(best).map(|pair| distance(pair).powi(2)).sum()
            };
            let [first, second] = [0, 1].map(|side| loss(&step.sides[side]));
            let chance = 0.5 + (second - first).clamp(-0.5, 0.5);
            let mut results = [0; 3];
            for _ in 0..2 {
                let won = (random(1 << 20) as f64) < chance * f64::from(1 << 20);
                results[if won { 0 } else { 2 }] += 1;
            }
            step.learn(&mut state, results);
        }
        state
    }

    #[test]
    fn values_move_to_what_wins() {
        let best = [("reverse_futility", 80), ("futility", 140), ("quiescence", 150)];
        let state = simulate(&args(0.05, 20_000), &best);
        for (moved, (name, best)) in state.margins.iter().zip(best) {
            let range = moved.range();
            assert_eq!(moved.name, name);
            let off = (moved.value - f64::from(best)).abs() / (range.end() - range.start());
            assert!(off < 0.08, "{name} is {}, not {best}", moved.value);
        }
    }

    #[test]
    fn a_file_goes_on_with_its_own_margins() {
        let folder = tempfile::tempdir().unwrap();
        let args = |only: &[&str]| Args {
            output: folder.path().join("margins"),
            only: only.iter().map(|&name| name.to_owned()).collect(),
            ..args(0.05, 1)
        };
        let begun = |only: &[&str]| {
            begin(&args(only)).map(|state| state.margins.len()).map_err(|error| error.to_string())
        };
        assert_eq!(begun(&["futility", "quiescence"]), Ok(2));
        assert_eq!(begun(&["quiescence", "futility"]), Ok(2));
        assert_eq!(begun(&[]), Ok(2));
        for other in [&["futility"][..], &["futility", "quiescence", "reverse_futility"]] {
            let error = begun(other).unwrap_err();
            assert!(error.starts_with("--only: '") && error.ends_with("to go on with these"), "{error}");
        }
    }

    #[test]
    fn without_a_rate_only_effects_are_measured() {
        let state = simulate(&args(0.0, 4000), &[("reverse_futility", 60), ("futility", 70)]);
        let program = Margins::default();
        assert_eq!(state.margins[0].value, f64::from(program.reverse_futility));
        assert_eq!(state.margins[1].value, f64::from(program.futility));
        // Lower wins, and for the other it makes no difference.
        let error = 1.96 * (state.squares as f64).sqrt();
        assert!((state.margins[0].surplus as f64) < -error, "{state:?}");
        assert!((state.margins[1].surplus.abs() as f64) < 2.0 * error, "{state:?}");
        let report = report(&state);
        assert!(
            report.lines().any(|line| line.starts_with("reverse_futility") && line.contains(" -")),
            "{report}"
        );
    }
}
