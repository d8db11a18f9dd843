//! `quintain puzzles`: looks for puzzles in games, and proves them again.

use super::played;
use super::threads::in_threads;
use crate::engine::{self, Engine, Options};
use anyhow::{Context, Result, ensure};
use clap::{Subcommand, value_parser};
use quintain_io as output;
use quintain_io::files::{self, MB};
use quintain_io::note;
use quintain_study::find::{self, Effort};
use quintain_study::puzzle::{self, Puzzle, shape};
use quintain_study::theme;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The most bytes of a list of puzzles.
const MOST_PUZZLES: u64 = 100 * MB;

/// Arguments of `quintain puzzles`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Look for puzzles in games
    Make(MakeArgs),
    /// Prove puzzles again by longer searches
    Check(CheckArgs),
}

/// Arguments of `quintain puzzles make`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Games are results of matches (a JSON line each), whose scores tell where a side
made a mistake. A puzzle has one move that mates in time, wins or saves, and
all others are much worse. What was looked at is kept in FILE.tried, so the
work can be stopped at any time, and goes on where it was when the command is
given again.

Examples:
  quintain puzzles make canyon games.jsonl --output canyon.puzzles
  quintain puzzles check canyon.puzzles --nodes 5000000")]
struct MakeArgs {
    /// The game
    game: String,
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The list of puzzles; those that it has already stay
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How many puzzles there are to be
    #[arg(long, value_name = "N", default_value_t = 500)]
    most: usize,
    /// Nodes of the first search of a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes of the search that proves a move
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = value_parser!(u64).range(1..))]
    proof: u64,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
}

/// Arguments of `quintain puzzles check`.
#[derive(clap::Args, Debug)]
struct CheckArgs {
    /// The list of puzzles
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Nodes of the search that proves a move
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Write those that hold to this file, with their tags as the rules of today give them
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Make(args) => make(&args),
        Command::Check(args) => check(&args),
    }
}

/// Reads the file of a list of puzzles.
pub fn read(path: &Path) -> Result<(&'static str, Vec<Puzzle>)> {
    let named = || format!("'{}'", path.display());
    let text = String::from_utf8(files::read_stream(path, MOST_PUZZLES)?).with_context(named)?;
    puzzle::parse(&text).with_context(named)
}

/// An engine that finds and proves puzzles.
fn solver(game: &'static str) -> Result<Engine> {
    Ok(Engine::new(Options { variant: game, hash: 32, multi_pv: 2, ..Options::default() })?)
}

/// A position to look at.
struct Candidate {
    fen: String,
    answered: Option<engine::FileRank>,
}

/// The positions of a game in which there may be a puzzle, and that were not tried.
fn candidates(game: &str, played: &played::Played, tried: &HashSet<String>) -> Result<Vec<Candidate>> {
    let mut session = engine::open(game)?;
    session.set_position(played.fen.as_deref(), &[])?;
    let (wanted, mut answered, mut found) = (find::candidates(&played.scores), None, Vec::new());
    for (ply, text) in played.moves.iter().enumerate() {
        if wanted.contains(&ply) {
            let fen = session.fen();
            if !tried.contains(&fen) {
                found.push(Candidate { fen, answered });
            }
        }
        answered = Some(session.play(text)?.to);
    }
    Ok(found)
}

/// What was found so far.
struct Progress {
    puzzles: Vec<Puzzle>,
    shapes: HashSet<Vec<(engine::FileRank, char)>>,
    tried: std::fs::File,
}

impl Progress {
    fn add(&mut self, game: &str, puzzle: Puzzle) {
        if let Some(position) = puzzle.position(game, 0)
            && self.shapes.insert(shape(&*position))
        {
            self.puzzles.push(puzzle);
        }
    }
}

fn make(args: &MakeArgs) -> Result<()> {
    let game = engine::named(&args.game)?;
    let mut path = args.output.clone().into_os_string();
    path.push(".tried");
    let path = PathBuf::from(path);
    let tried: HashSet<String> = match path.exists() {
        true => {
            String::from_utf8_lossy(&files::read(&path, MOST_PUZZLES)?).lines().map(str::to_owned).collect()
        }
        false => HashSet::new(),
    };
    let mut progress =
        Progress { puzzles: Vec::new(), shapes: HashSet::new(), tried: files::open_to_append(&path)? };
    if args.output.exists() {
        let (found, puzzles) = read(&args.output).context("--output")?;
        ensure!(found == game, "--output: '{}' has puzzles of {found}", args.output.display());
        puzzles.into_iter().for_each(|puzzle| progress.add(game, puzzle));
    }
    let mut all = Vec::new();
    for played in played::read(&args.files, game)? {
        all.extend(candidates(game, &played, &tried)?);
    }
    note!("{} positions to look at, {} puzzles so far.", all.len(), progress.puzzles.len());
    let remark = format!("quintain puzzles make {game} --nodes {} --proof {}", args.nodes, args.proof);
    let effort = Effort { nodes: args.nodes, proof: args.proof };
    let (queue, progress) = (Mutex::new(all.into_iter()), Mutex::new(progress));
    let worker = || -> Result<()> {
        let mut engine = solver(game)?;
        while progress.lock().unwrap_or_else(PoisonError::into_inner).puzzles.len() < args.most {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(Candidate { fen, answered }) = next else { break };
            let found = find::puzzle(&mut engine, &fen, answered, effort);
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(puzzle) = found {
                progress.add(game, puzzle);
                // A puzzle takes long to find, so it is written at once.
                let text = puzzle::to_text(game, &progress.puzzles, &remark);
                files::write(&args.output, text.as_bytes()).context("--output")?;
            }
            files::append(&mut progress.tried, format!("{fen}\n").as_bytes())?;
        }
        Ok(())
    };
    in_threads(args.threads, worker).into_iter().collect::<Result<()>>()?;
    let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    note!("{} puzzles.", progress.puzzles.len());
    Ok(())
}

fn check(args: &CheckArgs) -> Result<()> {
    let (game, mut puzzles) = read(&args.file)?;
    if let Some(path) = &args.output {
        let is_one = |text: &str| puzzle::parse(text).is_ok_and(|(found, _)| found == game);
        files::may_replace(path, MOST_PUZZLES, &format!("list of puzzles of {game}"), is_one)
            .context("--output")?;
    }
    let next = AtomicUsize::new(0);
    let worker = || -> Result<Vec<usize>> {
        let (mut engine, mut failing) = (solver(game)?, Vec::new());
        while let number = next.fetch_add(1, Relaxed)
            && let Some(puzzle) = puzzles.get(number)
        {
            if !find::holds(&mut engine, puzzle, args.nodes) {
                failing.push(number);
            }
        }
        Ok(failing)
    };
    let mut failing = in_threads(args.threads, worker).into_iter().collect::<Result<Vec<_>>>()?.concat();
    failing.sort_unstable();
    let mut text = String::new();
    for &number in &failing {
        let _ = writeln!(text, "fails: {}", puzzles[number].line(game));
    }
    let _ = writeln!(text, "{} of {} puzzles hold.", puzzles.len() - failing.len(), puzzles.len());
    failing.iter().rev().for_each(|&number| _ = puzzles.remove(number));
    if let Some(path) = &args.output {
        puzzles.iter_mut().for_each(|puzzle| puzzle.tags = theme::tags(game, puzzle));
        let remark = format!("quintain puzzles check --nodes {}", args.nodes);
        files::write(path, puzzle::to_text(game, &puzzles, &remark).as_bytes()).context("--output")?;
    }
    output::print(&text)
}
