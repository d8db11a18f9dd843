//! `quintain perft`: counts sequences of legal moves, from one position or for a whole suite.

use super::suite;
use crate::engine;
use crate::rules::perft::{Counting, PerftTable, total};
use crate::rules::setup::quoted;
use anyhow::{Context, Result, bail};
use clap::value_parser;
use indicatif::{ProgressBar, ProgressStyle};
use quintain_io as output;
use quintain_io::note;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Arguments of `quintain perft`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Draws by rule are ignored: repetition, fifty moves, bare kings and Canyon's ten
moves do not end a sequence.")]
pub struct Args {
    /// The game
    #[arg(value_name = "GAME", required_unless_present = "suite", conflicts_with = "suite")]
    variant: Option<String>,
    /// How many plies deep to count
    #[arg(required_unless_present = "suite", conflicts_with = "suite", value_parser = value_parser!(u32).range(0..100))]
    depth: Option<u32>,
    /// The position; the start position if left out
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Show the count below each move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// List the moves of the last ply too, instead of counting them as a set (slower, same counts)
    #[arg(long, conflicts_with_all = ["suite", "hash"])]
    list: bool,
    /// Table size for counts in MiB; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 0, conflicts_with = "suite", value_parser = value_parser!(u32).range(0..=1 << 20))]
    hash: u32,
    /// Check the counts of a suite: a file named after its game, or a folder of such files
    #[arg(long, value_name = "PATH")]
    suite: Option<PathBuf>,
    /// Leave out the suite's counts above this
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "variant")]
    max_nodes: Option<u64>,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    if let Some(path) = &args.suite {
        return check_suites(path, args.max_nodes.unwrap_or(u64::MAX), args.threads);
    }
    let (Some(variant), Some(depth)) = (&args.variant, args.depth) else {
        bail!("a game and a depth are needed, or --suite");
    };
    count(&args, variant, depth)
}

/// Counts from one position.
fn count(args: &Args, variant: &str, depth: u32) -> Result<()> {
    let mut session = engine::open(variant)?;
    if let Some(text) = &args.fen {
        session.set_position(Some(text), &[]).with_context(|| format!("bad FEN {}", quoted(text)))?;
    }
    let table = match args.hash {
        0 => None,
        mib => Some(PerftTable::new(mib as usize).with_context(|| format!("no memory for {mib} MiB"))?),
    };
    let counting = match &table {
        Some(table) => Counting::Hashed(table),
        None if args.list => Counting::Listed,
        None => Counting::Bulk,
    };
    let progress = Progress::new(session.moves().len() as u64);
    let start = Instant::now();
    let counts = session.divide(depth, args.threads, counting, &|_, _| progress.advance(1));
    let seconds = start.elapsed().as_secs_f64();
    progress.finish();

    let nodes = total(depth, &counts);
    let mut text = String::new();
    if args.divide {
        for (mv, nodes) in counts {
            writeln!(text, "{mv}: {nodes}")?;
        }
        text.push('\n');
    }
    writeln!(text, "Nodes searched: {nodes}")?;
    output::print(&text)?;
    note!("{}", rate(nodes, seconds));
    Ok(())
}

fn rate(nodes: u64, seconds: f64) -> String {
    format!("{seconds:.2} s, {:.1} Mn/s", nodes as f64 / seconds.max(1e-9) / 1e6)
}

/// Checks the suites at `path`; wrong counts are listed, and are an error at the end.
fn check_suites(path: &Path, max_nodes: u64, threads: usize) -> Result<()> {
    let suites = suite::read_all(path)?;
    let progress = Progress::new(suites.iter().map(|suite| suite.size(max_nodes).1).sum());
    let (mut counts, mut wrong) = (0, 0);
    for suite in &suites {
        let start = Instant::now();
        let tally = suite.check(max_nodes, threads, &|nodes| progress.advance(nodes))?;
        let mut text = format!(
            "{:<16} {:>4} positions {:>5} counts {:>12} nodes, {}\n",
            suite.game,
            suite.entries.len(),
            tally.counts,
            tally.nodes,
            rate(tally.nodes, start.elapsed().as_secs_f64()),
        );
        for wrong in &tally.wrong {
            let place = format!("{}: line {}", suite.path.display(), wrong.entry.line);
            let (depth, expected, found) = (wrong.depth, wrong.expected, wrong.found);
            writeln!(text, "  {place}: depth {depth}: {found} instead of {expected}: {}", wrong.entry.fen)?;
        }
        progress.suspend(|| output::print(&text))?;
        (counts, wrong) = (counts + tally.counts, wrong + tally.wrong.len());
    }
    progress.finish();
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} of {counts} counts are wrong"),
    }
}

/// A progress bar on standard error, shown in a terminal if a run takes long.
struct Progress {
    start: Instant,
    total: u64,
    done: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// How long a run must take before the bar appears.
    const PATIENCE: Duration = Duration::from_secs(2);

    fn new(total: u64) -> Progress {
        Progress { start: Instant::now(), total, done: AtomicU64::new(0), bar: OnceLock::new() }
    }

    fn advance(&self, by: u64) {
        let done = self.done.fetch_add(by, Relaxed) + by;
        if self.start.elapsed() < Self::PATIENCE || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template("{wide_bar} {percent}% {elapsed} (left: {eta})");
            let bar = ProgressBar::new(self.total).with_style(style.expect("a good template"));
            bar.with_elapsed(self.start.elapsed())
        });
        bar.set_position(done);
    }

    /// Prints above the bar.
    fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
