//! `quintain openings`: makes sets of start positions for matches.
//!
//! Each candidate is a number of random legal moves from the start of the game. It is kept if a short search finds
//! that neither side is far ahead, and if its position is new. The result depends only on the arguments and the
//! engine: the number of a candidate seeds its moves, its search begins with an empty table, and candidates are taken
//! in the order of their numbers, whichever thread judged them.

use super::threads::in_threads;
use crate::engine::{self, Session};
use crate::notation::pgn;
use crate::search::score::UciScore;
use crate::search::{Control, Limits, Memory, Search};
use anyhow::{Context, Result, ensure};
use clap::{ValueEnum, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use quintain_io as output;
use quintain_io::files::{self, MOST_BOOK};
use quintain_io::note;
use quintain_tournament::schedule::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::cell::Cell;
use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Arguments of `quintain openings`.
#[derive(clap::Args, Debug)]
#[command(after_help = "These are balanced positions for matches between engines, not opening theory:
the moves that lead there are random, and a short search finds that neither side
is far ahead. The moves of a set-up phase are random too, and do not count as
plies. The same arguments give the same openings, whatever the number of
threads.

Examples:
  quintain openings canyon --output canyon.epd
  quintain openings superchess --plies 6 --count 200 --seed 7 --output superchess.epd
  quintain match --openings file=canyon.epd order=random ...")]
pub struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    variant: String,
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Plies from the start, besides those of a set-up phase
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(0..=200))]
    plies: u32,
    /// Nodes of the search of each position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// How far one side may be ahead, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 60, value_parser = value_parser!(i32).range(0..=30_000))]
    margin: i32,
    /// Another seed gives other openings
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Positions (epd), or the moves that lead there (pgn)
    #[arg(long, value_enum, default_value_t = Format::Epd)]
    format: Format,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
    /// The file; standard output if left out
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How openings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// A position a line.
    Epd,
    /// A game each.
    Pgn,
}

/// How files of positions begin.
const MARK: &str = "# quintain openings ";
/// The event of the games in files of PGN.
const EVENT: &str = "Opening";

/// The properties of a set of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Criteria {
    /// Plies, those of a set-up phase not counted.
    pub plies: u32,
    /// Nodes of the search of each position.
    pub nodes: u64,
    /// How far one side may be ahead, in centipawns.
    pub margin: i32,
    /// The seed of the random moves.
    pub seed: u64,
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The position.
    pub fen: String,
    /// The moves that lead there, in SAN.
    pub moves: Vec<String>,
    /// The score of the search, in centipawns for the side to move.
    pub score: i32,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let start = engine::open(&args.variant)?;
    if let Some(path) = &args.output {
        let game = format!("[Event \"{EVENT}\"]");
        let is_one = |text: &str| text.starts_with(MARK) || text.starts_with(&game);
        files::may_replace(path, MOST_BOOK, "file of openings", is_one).context("--output")?;
    }
    let criteria = Criteria { plies: args.plies, nodes: args.nodes, margin: args.margin, seed: args.seed };
    let progress = Progress::begin(&args)?;
    let found = find(&*start, criteria, args.count as usize, args.threads, &|done| progress.report(done));
    progress.end();
    let found = found?;
    if found.len() < args.count as usize {
        note!(
            "Note: found {} of {} openings, and no other in {PATIENCE} further attempts; more plies or a larger margin \
             give more.",
            found.len(),
            args.count
        );
    }
    let text: String = match args.format {
        Format::Epd => {
            let head = format!(
                "{MARK}{} --count {} --plies {} --nodes {} --margin {} --seed {}\n",
                args.variant, args.count, args.plies, args.nodes, args.margin, args.seed
            );
            let line = |found: &Found| {
                format!("{} ce {}; c0 \"{}\";\n", found.fen, found.score, found.moves.join(" "))
            };
            head + &found.iter().map(line).collect::<String>()
        }
        Format::Pgn => (1..).zip(&found).map(|(number, found)| game(&args.variant, number, found)).collect(),
    };
    match &args.output {
        Some(path) => files::write(path, text.as_bytes()).context("--output"),
        None => output::print(&text),
    }
}

/// Says on standard error how far the search is: by a bar in a terminal, else by a line from time to time.
struct Progress {
    bar: Option<ProgressBar>,
    count: u32,
    said: Cell<Instant>,
}

/// How often a line says how far the search is.
const SAID_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    fn begin(args: &Args) -> Result<Progress> {
        let (count, said) = (args.count, Cell::new(Instant::now()));
        if !std::io::stderr().is_terminal() {
            note!("Looking for {count} openings of {}.", args.variant);
            return Ok(Progress { bar: None, count, said });
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} openings {elapsed} (left: {eta})")?;
        let bar = ProgressBar::new(count.into()).with_style(style);
        bar.enable_steady_tick(Duration::from_secs(1));
        bar.tick();
        Ok(Progress { bar: Some(bar), count, said })
    }

    fn report(&self, done: usize) {
        match &self.bar {
            Some(bar) => bar.set_position(done as u64),
            None if self.said.get().elapsed() >= SAID_EVERY => {
                self.said.set(Instant::now());
                note!("{done} of {} openings.", self.count);
            }
            None => {}
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// An opening as a game of PGN.
pub(super) fn game(variant: &str, number: usize, found: &Found) -> String {
    let tags = [("Event", EVENT), ("Site", "?"), ("Date", "????.??.??"), ("White", "?"), ("Black", "?")];
    let mut tags: Vec<(String, String)> =
        tags.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    tags.insert(3, ("Round".into(), number.to_string()));
    tags.push(("Result".into(), "*".into()));
    tags.push(("Variant".into(), variant.into()));
    let moves = found.moves.iter().map(|san| pgn::Ply { san: san.clone(), ..pgn::Ply::default() }).collect();
    pgn::Game { tags, moves, result: "*".into(), ..pgn::Game::default() }.to_string()
}

/// The search for openings ends after so many candidates without a new one.
const PATIENCE: u64 = 20_000;
/// Candidates of a thread before it waits for the others.
const BATCH: u64 = 8;

/// Finds up to `count` openings, at least one. `report` is called with the number found.
pub fn find(
    start: &dyn Session,
    criteria: Criteria,
    count: usize,
    threads: usize,
    report: &dyn Fn(usize),
) -> Result<Vec<Found>> {
    // Each position is judged only once: if there are few, most candidates lead to known ones.
    let (mut found, mut judged) = (Vec::new(), HashSet::new());
    let (mut next, mut last) = (0u64, 0u64);
    while found.len() < count && next - last <= PATIENCE {
        let end = next + BATCH * threads as u64;
        let number = AtomicU64::new(next);
        let work = || {
            let (memory, mut kept) = (Memory::new(1), Vec::new());
            loop {
                let number = number.fetch_add(1, Relaxed);
                if number >= end {
                    return kept;
                }
                let mut session = start.copy();
                let Some(moves) = draw_moves(&mut *session, criteria, number) else { continue };
                let position = session.key();
                if !judged.contains(&position) {
                    kept.push((number, position, judge(session, moves, criteria, &memory)));
                }
            }
        };
        let mut looked: Vec<(u64, u64, Option<Found>)> = in_threads(threads, work).concat();
        looked.sort_by_key(|(number, ..)| *number);
        for (number, position, opening) in looked {
            if judged.insert(position)
                && found.len() < count
                && let Some(opening) = opening
            {
                found.push(opening);
                last = number;
            }
        }
        report(found.len());
        next = end;
    }
    ensure!(!found.is_empty(), "no openings were found in {PATIENCE} attempts; a larger margin may help");
    Ok(found)
}

/// Plays the moves of the candidate of this number, in SAN; `None` if they end the game.
fn draw_moves(session: &mut dyn Session, criteria: Criteria, number: u64) -> Option<Vec<String>> {
    // Each candidate has a stream of its own; streams of one seed are independent.
    let mut random = ChaCha8Rng::seed_from_u64(criteria.seed);
    random.set_stream(number);
    let (mut plies, mut moves) = (0, Vec::new());
    loop {
        // Sorted, and so independent of the order of generation.
        let legal = session.moves();
        let setting_up = session.comes_first().is_some();
        if legal.is_empty() || !setting_up && plies == criteria.plies {
            return Some(moves);
        }
        let chosen = &legal[below(&mut random, legal.len() as u64) as usize];
        moves.push(session.play(chosen).ok()?.san);
        plies += u32::from(!setting_up);
        if session.outcome().is_some() {
            return None;
        }
    }
}

/// A candidate, if neither side is far ahead.
fn judge(
    session: Box<dyn Session>,
    moves: Vec<String>,
    criteria: Criteria,
    memory: &Memory,
) -> Option<Found> {
    memory.clear();
    let limits = Limits { nodes: Some(criteria.nodes), ..Limits::default() };
    let control = Control::started(&limits);
    let score = session.search(&Search::new(&limits, memory, &control)).score;
    let UciScore::Centipawns(score) = session.shown(score) else { return None };
    (score.abs() <= criteria.margin).then(|| Found { fen: session.fen(), moves, score })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_tournament::book::set_epd;

    const CRITERIA: Criteria = Criteria { plies: 4, nodes: 300, margin: 100, seed: 1 };

    fn openings(variant: &str, criteria: Criteria, threads: usize) -> Vec<Found> {
        find(&*engine::open(variant).unwrap(), criteria, 12, threads, &|_| {}).unwrap()
    }

    #[test]
    fn arguments_decide_and_threads_do_not() {
        let one = openings("canyon", CRITERIA, 1);
        assert_eq!(one, openings("canyon", CRITERIA, 3));
        assert_ne!(one, openings("canyon", Criteria { seed: 2, ..CRITERIA }, 1));
        assert!(one.iter().all(|found| found.moves.len() == 4 && found.score.abs() <= 100));
        let key = |found: &Found| {
            let mut session = engine::open("canyon").unwrap();
            session.set_position(Some(&found.fen), &[]).unwrap();
            session.key()
        };
        let different: HashSet<u64> = one.iter().map(key).collect();
        assert_eq!(different.len(), one.len());
    }

    #[test]
    fn set_ups_are_varied_and_come_before_the_plies() {
        let found = openings("superchess", Criteria { margin: 300, ..CRITERIA }, 2);
        let set_ups: HashSet<&[String]> = found.iter().map(|found| &found.moves[..4]).collect();
        assert_eq!(set_ups.len(), found.len());
        assert!(found.iter().all(|found| found.moves.len() == 8), "{found:?}");
    }

    #[test]
    fn openings_can_be_read_back() {
        for variant in engine::NAMES {
            let start = engine::open(variant).unwrap();
            let criteria = Criteria { plies: 3, nodes: 50, margin: 1000, seed: 3 };
            for found in find(&*start, criteria, 2, 1, &|_| {}).unwrap() {
                let mut session = start.copy();
                set_epd(&mut *session, &format!("{} ce {}; c0 \"x y\";", found.fen, found.score)).unwrap();
                assert_eq!(session.fen(), found.fen);
                let games = pgn::parse(&game(variant, 1, &found)).unwrap();
                let mut session = start.copy();
                games[0].moves.iter().for_each(|ply| drop(session.play_any(&ply.san).unwrap()));
                assert_eq!(session.fen(), found.fen);
            }
        }
    }

    #[test]
    fn where_there_are_few_openings_all_are_found() {
        let find = |plies, margin| {
            let start = engine::open("diamond").unwrap();
            find(&*start, Criteria { plies, margin, ..CRITERIA }, 500, 1, &|_| {})
        };
        let moves = engine::open("diamond").unwrap().moves().len();
        assert_eq!([0, 1].map(|plies| find(plies, 30_000).unwrap().len()), [1, moves]);
        let error = find(0, -1).unwrap_err().to_string();
        assert!(error.starts_with("no openings were found in 20000 attempts"), "{error}");
    }
}
