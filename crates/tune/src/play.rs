//! `quintain tune play`: self-play games for training.

use super::games::{Record, replay};
use super::{each_in_threads, read_parameters};
use anyhow::{Context, Result, ensure};
use quintain_core::board::{Color, Piece, Square, SquareSet, zobrist::random_numbers};
use quintain_core::eval::Network;
use quintain_core::rules::Position;
use quintain_core::search::{Control, Limits, Memory, Search};
use quintain_core::session::AnyGame;
use quintain_engine::Playable;
use quintain_io::files;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game
    #[arg(value_name = "GAME")]
    pub(super) variant: String,
    /// Where to write, a game a line; games in the file are kept and counted, whatever options they were played with, so
    /// that a stopped run continues. Only one run at a time can write to it
    #[arg(long)]
    output: PathBuf,
    /// Games to have in the file at the end
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=u32::MAX.into()))]
    games: u64,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random moves before the players think; half of the games have one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=200))]
    plies: u64,
    /// How many games of a hundred start from a few pieces on random squares
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=100))]
    endings: u64,
    /// How many games of a hundred are not adjudicated
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=100))]
    played_out: u64,
    /// The same seed gives the same games, by their number in the file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=u32::MAX.into()))]
    seed: u64,
    /// A network to play with instead of the program's
    #[arg(long)]
    network: Option<PathBuf>,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = quintain_engine::options::threads)]
    threads: usize,
}

/// A game counts as won when both sides had this score for [`AGREED`] plies.
const WON: i32 = 2500;
const AGREED: u32 = 6;
/// Plies after which a game counts as drawn.
const LONGEST: usize = 400;
/// The most pieces of a side besides its king in games that start from few.
const FEW: u64 = 5;

pub(super) fn run<V: Playable>(args: &Args) -> Result<()> {
    let parameters = args.network.as_deref().map(read_parameters::<V>).transpose()?;
    let network = parameters.map(|parameters| Arc::new(Network::new::<V>(parameters)));
    play(args, network, V::any(), &start::<V>, &check::<V>)
}

/// Plays the games; compiled once for all of them. `start` gives a position to begin with, if what it tries is legal, and
/// `check` says whether a line is of this game.
fn play(
    args: &Args,
    network: Option<Arc<Network>>,
    game: &dyn AnyGame,
    start: &(dyn Fn(&Args, bool, &mut Random) -> Option<String> + Sync),
    check: &dyn Fn(&str) -> Result<()>,
) -> Result<()> {
    let (file, kept) = reopen(&args.output, game.info().name, check)?;
    let writer = Mutex::new(Writer { file, next: kept, waiting: BTreeMap::new() });
    let prepare = || {
        let memory = Memory::new(4);
        memory.set_network(network.clone());
        memory
    };
    let play = |memory: &mut Memory, number: u64| -> Result<()> {
        memory.clear();
        let line = play_game(args, args.seed << 32 | number, game, start, memory);
        Ok(writer.lock().expect("no player panics with the lock").add(number as usize, line)?)
    };
    each_in_threads(args.threads, kept as u64..args.games, "games", prepare, play)
        .with_context(|| format!("cannot write {}", args.output.display()))
}

/// Opens the file for more games of `game`, and locks it until it is closed. Returns how many games are in it; a last line
/// that was cut short is dropped. A file of something else is not changed.
fn reopen(path: &Path, game: &str, check: &dyn Fn(&str) -> Result<()>) -> Result<(File, usize)> {
    let about = || format!("cannot write {}", path.display());
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(about)?;
    files::must_be_regular(&file, path).with_context(about)?;
    ensure!(
        files::lock(&file).with_context(about)?,
        "{} is in use by another 'tune play'; give each of them a file of its own",
        path.display()
    );
    let mut text = Vec::new();
    file.read_to_end(&mut text).with_context(about)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let games = check_games(&text, whole, check)
        .with_context(|| format!("{} is not a file of games of {game}", path.display()))?;
    file.set_len(whole as u64).with_context(about)?;
    file.seek(SeekFrom::End(0)).with_context(about)?;
    Ok((file, games))
}

/// The number of games in a file whose last line may have been cut short: it has `whole` bytes without that.
fn check_games(text: &[u8], whole: usize, check: &dyn Fn(&str) -> Result<()>) -> Result<usize> {
    let games = text[..whole].split_inclusive(|&byte| byte == b'\n');
    for (number, line) in (1..).zip(games.clone()) {
        let fields = line.iter().filter(|&&byte| byte == b';').count() + 1;
        ensure!(fields == 3, "line {number} has not three fields with semicolons between them");
    }
    // Another game has another board or other pieces, so the first line is enough.
    if !text.is_empty() {
        let first = games.clone().next();
        let first = first.or_else(|| text.split(|&byte| byte == b';').next()).unwrap_or_default();
        str::from_utf8(first).map_err(anyhow::Error::from).and_then(check).context("line 1")?;
    }
    Ok(games.count())
}

/// Is it a game of `V`, or the beginning of one?
fn check<V: Playable>(line: &str) -> Result<()> {
    if line.contains(';') { replay::<V>(line, &mut |_| ()) } else { Ok(V::read_fen(line).map(drop)?) }
}

/// Writes games in the order of their numbers, whichever ends first.
struct Writer {
    file: File,
    next: usize,
    waiting: BTreeMap<usize, String>,
}

impl Writer {
    fn add(&mut self, game: usize, line: String) -> std::io::Result<()> {
        self.waiting.insert(game, line);
        while let Some(line) = self.waiting.remove(&self.next) {
            files::append(&mut self.file, format!("{line}\n").as_bytes())?;
            self.next += 1;
        }
        Ok(())
    }
}

/// One game as a line.
fn play_game(
    args: &Args,
    seed: u64,
    game: &dyn AnyGame,
    start: &dyn Fn(&Args, bool, &mut Random) -> Option<String>,
    memory: &Memory,
) -> String {
    let mut numbers = random_numbers(seed);
    let mut random = |below: u64| numbers() % below;
    let few = random(100) < args.endings;
    let play_out = random(100) < args.played_out;
    let start = loop {
        if let Some(start) = start(args, few, &mut random) {
            break start;
        }
    };
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    // Behind `dyn`: else the search of all games would be compiled here a second time.
    let mut game = game.open();
    game.set_position(Some(&start), &[]).expect("what is written is read");
    let (mut record, mut agreed) = (Record::new(start), 0);
    for _ in 0..LONGEST {
        if let Some(outcome) = game.outcome() {
            return record.line(outcome.winner.map_or(0.5, won_by));
        }
        let best = game.search(&Search::new(&limits, memory, &Control::started(&limits)));
        let side = game.side();
        agreed = if best.score.abs() >= WON { agreed + 1 } else { 0 };
        if agreed >= AGREED && !play_out {
            return record.line(won_by(if best.score > 0 { side } else { !side }));
        }
        let mv = game.coordinates(&best.pv[..1]).remove(0);
        record.push(&mv, best.score * i32::from(side.forward()));
        game.play(&mv).expect("the search plays legal moves");
    }
    record.line(0.5)
}

/// White's score when this side wins.
fn won_by(winner: Color) -> f32 {
    if winner == Color::White { 1.0 } else { 0.0 }
}

/// A random number below another one.
pub(super) type Random<'a> = dyn FnMut(u64) -> u64 + 'a;

fn start_position<V: Playable>() -> Position<V> {
    V::read_fen(V::START).expect("the start position is legal")
}

/// A position to begin with, from few pieces or from the start position. `None` if the game is over there.
fn start<V: Playable>(args: &Args, few: bool, random: &mut Random) -> Option<String> {
    let (start, plies) =
        if few { (few_pieces::<V>(random)?, 0) } else { (start_position(), args.plies + random(2)) };
    play_random(start, plies, random)
}

/// A position some random moves after the start position. `None` if the game is over there.
pub(super) fn opening<V: Playable>(plies: u64, random: &mut Random) -> Option<String> {
    play_random(start_position::<V>(), plies, random)
}

/// The position after random moves. `None` if the game is over afterwards or before.
fn play_random<V: Playable>(mut pos: Position<V>, mut plies: u64, random: &mut Random) -> Option<String> {
    while plies > 0 && V::outcome(&pos).is_none() {
        // The set-up phase does not count.
        plies -= u64::from(V::may_pass(&pos));
        let moves = V::legal_moves(&pos);
        V::play(&mut pos, moves[random(moves.len() as u64) as usize]);
    }
    V::outcome(&pos).is_none().then(|| V::write_fen(&pos))
}

/// Kings and some pieces of the start position on random squares, either side to move. `None` if that is not legal.
fn few_pieces<V: Playable>(random: &mut Random) -> Option<Position<V>> {
    let start = start_position::<V>();
    let mut free: Vec<Square> = start.geometry().all().squares().collect();
    let mut placed = Vec::new();
    for color in Color::BOTH {
        let army: Vec<Piece> = start.color(color).squares().map(|square| start.piece(square)).collect();
        let count = random(FEW + 1);
        let drawn = (0..count).map(|_| army[random(army.len() as u64) as usize]);
        let mut pieces: Vec<Piece> = drawn.filter(|piece| piece.kind() != V::ROYAL).collect();
        pieces.push(Piece::new(color, V::ROYAL));
        for piece in pieces {
            // The squares stay in order, so that a seed gives the games that it always gave.
            placed.push((free.remove(random(free.len() as u64) as usize), piece));
        }
    }
    let side = if random(2) == 0 { Color::White } else { Color::Black };
    // The text is checked for pawns that cannot stand where they stand.
    V::read_fen(&V::write_fen(&V::arrange(side, &placed)?)).ok()
}
