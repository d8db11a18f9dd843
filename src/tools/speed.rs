//! `quintain speed`: the speed of move generation and search, also compared with another engine.
//!
//! All parts are measured in turn within each run, on one thread and the same positions, so that other load of the
//! machine affects all alike. The output is medians over the runs.

pub mod peer;
pub mod positions;

use self::peer::{Peer, pair};
use self::positions::TestPosition;
use crate::engine::{self, Engine, NAMES, Options, Session};
use crate::rules::perft::Counting;
use crate::search::Limits;
use crate::search::score::moves_to_mate;
use anyhow::{Context, Result};
use clap::{ValueEnum, value_parser};
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use quintain_io as output;
use quintain_io::{INTERRUPTED, Interrupted, note};
use quintain_tournament::process::Stop;
use std::thread;
use std::time::{Duration, Instant};

/// Arguments of `quintain speed`.
#[derive(clap::Args, Debug)]
#[command(after_help = "The table:
  leaves   move sequences in one pass over the game's positions
  moves    legal moves a position, on average, one ply before the end of those
  bulk     perft that counts the moves of the last ply without listing them
  list     perft that lists them
  Mn/s     million sequences a second; ns: nanoseconds a sequence
  kn/s     thousand nodes a second
  x        how many times faster than the peer; medians of the ratios of each run

Positions where the peer counts something else are left out of the ratios of
perft, and named. Positions where a search finds a forced mate are left out of
the rates of searches: it mostly repeats what its table knows.

Examples:
  quintain speed grand --peer 'fairy-stockfish' --peer-option VariantPath=variants.ini
  quintain speed grand --start --only search --search 10000 --hash 256")]
pub struct Args {
    /// The games; all if none is named
    games: Vec<String>,
    /// Measure at the start of each game only
    #[arg(long)]
    start: bool,
    /// How often everything is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..1000))]
    runs: u32,
    /// What is measured, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',', default_value = "bulk,list,search")]
    only: Vec<Part>,
    /// Time to search each position, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = value_parser!(u64).range(10..=600_000))]
    search: u64,
    /// Table size for searches, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Count each position exactly so often in a run, instead of for at least 50 ms: for profilers
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..1_000_000))]
    repeat: Option<u32>,
    /// A UCI engine to compare with: program and arguments
    #[arg(long, value_name = "COMMAND")]
    peer: Option<String>,
    /// An option of the peer, set before anything else
    #[arg(long, value_name = "NAME=VALUE", requires = "peer", value_parser = pair)]
    peer_option: Vec<(String, String)>,
    /// The peer's name of a game, if it differs; no name if it cannot play the game
    #[arg(long, value_name = "GAME=NAME", requires = "peer", value_parser = pair)]
    peer_variant: Vec<(String, String)>,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// Perft with bulk counting.
    Bulk,
    /// Perft with full lists.
    List,
    /// Searching.
    Search,
}

/// Work done, and the time of one pass.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    /// Move sequences, or nodes of a search.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
    /// Did a search find a forced mate? Then it mostly reads its table.
    pub solved: bool,
}

/// A measured part, position by position.
type Samples = Vec<Sample>;

/// The measurements of a game in one run; empty for parts that are not measured.
#[derive(Clone, Debug, Default)]
struct Run {
    bulk: Samples,
    list: Samples,
    search: Samples,
    peer_perft: Samples,
    peer_search: Samples,
}

/// One part of a run.
type Choice = fn(&Run) -> &Samples;

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let games = match args.games.is_empty() {
        true => NAMES.to_vec(),
        false => args.games.iter().map(|name| engine::named(name)).collect::<Result<_, _>>()?,
    };
    for (game, _) in &args.peer_variant {
        engine::named(game).context("--peer-variant")?;
    }
    let stop = Stop::default();
    if args.peer.is_some() {
        end_peer_at_interrupt(&stop)?;
    }
    args.compare(&games, &stop).map_err(|error| match stop.is_now() {
        true => Interrupted("interrupted".into()).into(),
        false => error,
    })
}

/// Ctrl-C ends the peer too, which does not get it itself. So do other requests to end.
fn end_peer_at_interrupt(stop: &Stop) -> Result<()> {
    let pressed = stop.clone();
    ctrlc::set_handler(move || pressed.now()).context("cannot watch for interrupts")?;
    stop.now_at_termination().context("cannot watch for signals")?;
    let stop = stop.clone();
    thread::spawn(move || {
        while !stop.is_now() {
            thread::sleep(Duration::from_millis(100));
        }
        // Whoever waits for the peer ends it and the program. Otherwise the peer reads, and so learns of the end.
        thread::sleep(Duration::from_secs(1));
        std::process::exit(INTERRUPTED.into());
    });
    Ok(())
}

impl Args {
    /// Measures the games and prints the table.
    fn compare(&self, games: &[&str], stop: &Stop) -> Result<()> {
        let (mut table, mut notes, mut peer_name) = (table(self.peer.is_some()), String::new(), None);
        for &game in games {
            let mut places = positions::of(game);
            if self.start {
                // It is the first of them.
                places.truncate(1);
            }
            let mut peer = self.start_peer(game, stop)?;
            let mut runs = Vec::new();
            for number in 1..=self.runs {
                let run = self.measure(game, &places, peer.as_mut()).with_context(|| game.to_owned())?;
                note!("{game}: run {number} of {}", self.runs);
                runs.push(run);
            }
            let same = same_counts(&places, &runs[0], game, &mut notes);
            table.add_row(row(game, &places, &runs, &same, self.peer.is_some())?);
            peer_name = peer.map(|peer| peer.name().to_owned()).or(peer_name);
        }
        if let Some(name) = peer_name {
            notes = format!("The peer is {name}.\n{notes}");
        }
        output::print(&format!("{table}\n{}{notes}", if notes.is_empty() { "" } else { "\n" }))
    }

    /// Starts the peer for a game that it can play.
    fn start_peer(&self, game: &str, stop: &Stop) -> Result<Option<Peer>> {
        let Some(command) = &self.peer else { return Ok(None) };
        let renamed = self.peer_variant.iter().find(|(name, _)| name.eq_ignore_ascii_case(game));
        let name = renamed.map_or(game, |(_, name)| name);
        if name.is_empty() {
            return Ok(None);
        }
        let mut peer = Peer::start(command, &self.peer_option, stop)?;
        peer.set("Hash", &self.hash.to_string())?;
        peer.set("UCI_Variant", name)?;
        Ok(Some(peer))
    }

    fn measure(&self, game: &str, places: &[TestPosition], mut peer: Option<&mut Peer>) -> Result<Run> {
        let mut run = Run::default();
        let (bulk, list) = (self.only.contains(&Part::Bulk), self.only.contains(&Part::List));
        for place in places {
            if bulk {
                run.bulk.push(self.count(game, place, Counting::Bulk)?);
            }
            if list {
                run.list.push(self.count(game, place, Counting::Listed)?);
            }
            if (bulk || list)
                && let Some(peer) = peer.as_mut()
            {
                run.peer_perft.push(self.repeated(|| peer.perft(place.fen, place.depth))?);
            }
            if self.only.contains(&Part::Search) {
                run.search.push(self.search(game, place)?);
                if let Some(peer) = peer.as_mut() {
                    run.peer_search.push(peer.search(place.fen, Duration::from_millis(self.search))?);
                }
            }
        }
        Ok(run)
    }

    fn count(&self, game: &str, place: &TestPosition, counting: Counting) -> Result<Sample> {
        let session = open(game, place)?;
        self.repeated(|| {
            let began = Instant::now();
            let nodes = session.perft(place.depth, counting);
            Ok(Sample { nodes, seconds: began.elapsed().as_secs_f64(), solved: false })
        })
    }

    /// Repeats the work until it took long enough for exact timing, and averages.
    fn repeated(&self, mut once: impl FnMut() -> Result<Sample>) -> Result<Sample> {
        const LONG_ENOUGH: f64 = 0.05;
        let (mut times, mut seconds) = (0, 0.0);
        loop {
            let sample = once()?;
            times += 1;
            seconds += sample.seconds;
            if self.repeat.map_or(seconds >= LONG_ENOUGH, |repeat| times >= repeat) {
                return Ok(Sample { seconds: seconds / f64::from(times), ..sample });
            }
        }
    }

    fn search(&self, game: &str, place: &TestPosition) -> Result<Sample> {
        let variant = engine::named(game)?;
        let options = Options { variant, hash: self.hash as usize, ..Options::default() };
        let mut engine = Engine::new(options)?;
        engine.game_mut().set_position(Some(place.fen), &[])?;
        engine.prepare();
        let limits = Limits { move_time: Some(Duration::from_millis(self.search)), ..Limits::default() };
        let found = engine.analyse(&limits, &|_| ());
        let seconds = engine.elapsed().as_secs_f64();
        Ok(Sample { nodes: found.nodes, seconds, solved: moves_to_mate(found.score).is_some() })
    }
}

/// The positions at which the peer has the same perft count; all without a peer. If there are none, rates are
/// compared at all of them, with a remark in `notes` that the trees differ.
fn same_counts(places: &[TestPosition], run: &Run, game: &str, notes: &mut String) -> Vec<bool> {
    let own = if run.bulk.is_empty() { &run.list } else { &run.bulk };
    if run.peer_perft.is_empty() || own.is_empty() {
        return vec![true; places.len()];
    }
    let mut same = Vec::new();
    for ((place, own), peer) in places.iter().zip(own).zip(&run.peer_perft) {
        same.push(own.nodes == peer.nodes);
        if own.nodes != peer.nodes {
            let (own, peer) = (own.nodes, peer.nodes);
            *notes += &format!("{game}: {own}, peer {peer} at depth {}: {}\n", place.depth, place.fen);
        }
    }
    if !same.contains(&true) {
        *notes += &format!("{game}: no count is the same; rates of different trees are compared\n");
        same.fill(true);
    }
    same
}

/// The positions at which neither search of a run found a mate.
fn unsolved(run: &Run) -> Vec<bool> {
    let by_peer = |at: usize| run.peer_search.get(at).is_some_and(|sample| sample.solved);
    run.search.iter().enumerate().map(|(at, own)| !own.solved && !by_peer(at)).collect()
}

/// Nodes a second over the positions of `samples` that `counted` names; `None` if nothing was measured.
fn rate(samples: &[Sample], counted: &[bool]) -> Option<f64> {
    let samples = samples.iter().zip(counted).filter(|(_, counted)| **counted);
    let (nodes, seconds) = samples
        .fold((0, 0.0), |(nodes, seconds), (sample, _)| (nodes + sample.nodes, seconds + sample.seconds));
    (seconds > 0.0).then(|| nodes as f64 / seconds)
}

/// The rate of `own` relative to that of `peer`, over the positions of `counted`.
fn ratio(own: &[Sample], peer: &[Sample], counted: &[bool]) -> Option<f64> {
    Some(rate(own, counted)? / rate(peer, counted)?)
}

/// The median over the runs; `None` without values.
fn median(runs: &[Run], value: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
    let mut values: Vec<f64> = runs.iter().filter_map(value).collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[odd / 2]),
        even => Some((values[even / 2 - 1] + values[even / 2]) / 2.0),
    }
}

const HEAD: &[&str] =
    &["game", "leaves", "moves", "bulk Mn/s", "bulk ns", "list Mn/s", "list ns", "search kn/s"];
const PEER_HEAD: &[&str] = &["peer Mn/s", "bulk x", "list x", "peer kn/s", "search x"];

fn table(with_peer: bool) -> Table {
    let head: Vec<&str> = HEAD.iter().chain(PEER_HEAD.iter().filter(|_| with_peer)).copied().collect();
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(head);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    table
}

fn row(
    game: &str,
    places: &[TestPosition],
    runs: &[Run],
    same: &[bool],
    with_peer: bool,
) -> Result<Vec<String>> {
    let all = vec![true; places.len()];
    let digits = |value: Option<f64>, scale: f64| match value {
        None => String::new(),
        Some(value) if value / scale < 100.0 => format!("{:.1}", value / scale),
        Some(value) => format!("{:.0}", value / scale),
    };
    let nanoseconds = |rate: Option<f64>| rate.map_or(String::new(), |rate| format!("{:.2}", 1e9 / rate));
    let own = |part: Choice| median(runs, |run| rate(part(run), &all));
    let searched = |part: Choice| median(runs, |run| rate(part(run), &unsolved(run)));
    let (bulk, list, search) = (own(|run| &run.bulk), own(|run| &run.list), searched(|run| &run.search));
    let mut row = vec![
        game.to_owned(),
        leaves(&runs[0]).map_or(String::new(), |leaves| leaves.to_string()),
        digits(Some(moves(game, places)?), 1.0),
        digits(bulk, 1e6),
        nanoseconds(bulk),
        digits(list, 1e6),
        nanoseconds(list),
        digits(search, 1e3),
    ];
    if with_peer {
        let perft_ratio = |own: Choice| median(runs, |run| ratio(own(run), &run.peer_perft, same));
        let search_ratio = median(runs, |run| ratio(&run.search, &run.peer_search, &unsolved(run)));
        row.extend([
            digits(median(runs, |run| rate(&run.peer_perft, same)), 1e6),
            digits(perft_ratio(|run| &run.bulk), 1.0),
            digits(perft_ratio(|run| &run.list), 1.0),
            digits(searched(|run| &run.peer_search), 1e3),
            digits(search_ratio, 1.0),
        ]);
    }
    Ok(row)
}

/// Sequences in one pass over all positions.
fn leaves(run: &Run) -> Option<u64> {
    let samples = [&run.bulk, &run.list].into_iter().find(|samples| !samples.is_empty())?;
    Some(samples.iter().map(|sample| sample.nodes).sum())
}

/// Legal moves of a position one ply before the end, on average.
fn moves(game: &str, places: &[TestPosition]) -> Result<f64> {
    let (mut leaves, mut parents) = (0, 0);
    for place in places {
        let session = open(game, place)?;
        leaves += session.perft(place.depth, Counting::Bulk);
        parents += session.perft(place.depth - 1, Counting::Bulk);
    }
    Ok(leaves as f64 / parents as f64)
}

/// The game at a position.
fn open(game: &str, place: &TestPosition) -> Result<Box<dyn Session>> {
    let mut session = engine::open(game)?;
    session.set_position(Some(place.fen), &[]).with_context(|| place.fen)?;
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(list: &[(u64, f64)]) -> Samples {
        list.iter().map(|&(nodes, seconds)| Sample { nodes, seconds, ..Sample::default() }).collect()
    }

    #[test]
    fn every_game_has_positions_of_all_stages() {
        for game in NAMES {
            let places = positions::of(game);
            assert!(places.len() >= 5, "{game}");
            let mut session = engine::open(game).unwrap();
            for place in &places {
                session.set_position(Some(place.fen), &[]).unwrap_or_else(|error| panic!("{game}: {error}"));
                assert!(session.outcome().is_none() && place.depth > 1, "{game}: {}", place.fen);
            }
            assert_eq!(places[0].fen, engine::info(game).unwrap().start);
        }
        assert!(positions::of("checkers").is_empty());
    }

    #[test]
    fn rates_and_medians() {
        let run = |seconds| Run { bulk: samples(&[(100, seconds), (300, 1.0)]), ..Run::default() };
        assert_eq!(rate(&run(1.0).bulk, &[true, true]), Some(200.0));
        assert_eq!(rate(&run(1.0).bulk, &[false, true]), Some(300.0));
        assert_eq!(rate(&[], &[]), None);
        let runs = [run(1.0), run(4.0), run(2.0)];
        let first = |run: &Run| rate(&run.bulk, &[true, false]);
        assert_eq!(median(&runs, first), Some(50.0));
        assert_eq!(median(&runs[..2], first), Some(62.5));
        assert_eq!(median(&runs, |_| None), None);
    }

    #[test]
    fn positions_that_a_search_solves_are_left_out() {
        let mut run = Run { search: samples(&[(1, 1.0); 3]), ..Run::default() };
        run.search[0].solved = true;
        assert_eq!(unsolved(&run), [false, true, true]);
        run.peer_search = samples(&[(1, 1.0); 3]);
        run.peer_search[2].solved = true;
        assert_eq!(unsolved(&run), [false, true, false]);
    }

    #[test]
    fn positions_that_the_peer_counts_otherwise_are_named_and_left_out() {
        let places = [TestPosition { fen: "one", depth: 2 }, TestPosition { fen: "two", depth: 3 }];
        let run = |own: [u64; 2], peer: [u64; 2]| Run {
            bulk: samples(&own.map(|nodes| (nodes, 1.0))),
            peer_perft: samples(&peer.map(|nodes| (nodes, 1.0))),
            ..Run::default()
        };
        let mut notes = String::new();
        assert_eq!(same_counts(&places, &run([5, 6], [5, 7]), "x", &mut notes), [false, true].map(|b| !b));
        assert_eq!(notes, "x: 6, peer 7 at depth 3: two\n");
        assert_eq!(same_counts(&places, &run([5, 6], [1, 1]), "x", &mut notes), [true, true]);
        assert!(notes.ends_with("x: no count is the same; rates of different trees are compared\n"));
    }
}
