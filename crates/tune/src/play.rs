//! `quintain tune play`: self-play games for training.

use super::games::{Record, replay};
use super::{bar, read_parameters};
use anyhow::{Context, Result, bail, ensure};
use quintain_core::board::{Color, Piece, Square, SquareSet, zobrist::random_numbers};
use quintain_core::eval::Network;
use quintain_core::notation::fen;
use quintain_core::rules::{Arranger, Position};
use quintain_core::search::{Control, Limits, Memory, Settings};
use quintain_engine::Playable;
use quintain_io::files;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
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
    let (file, kept) = reopen::<V>(&args.output)?;
    let writer = Mutex::new(Writer { file, next: kept, waiting: BTreeMap::new() });
    let (next, failed) = (AtomicUsize::new(kept), AtomicBool::new(false));
    let games = args.games as usize;
    let bar = bar(games, "games");
    bar.inc(kept as u64);
    let play = || -> Result<()> {
        let memory = Memory::new(4);
        memory.set_network(network.clone());
        while !failed.load(Relaxed) {
            let game = next.fetch_add(1, Relaxed);
            if game >= games {
                break;
            }
            memory.clear();
            let line = play_game::<V>(args, args.seed << 32 | game as u64, &memory);
            writer.lock().expect("no player panics with the lock").add(game, line)?;
            bar.inc(1);
        }
        Ok(())
    };
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let player = || play().inspect_err(|_| failed.store(true, Relaxed));
        let threads: Vec<_> = (0..args.threads).map(|_| scope.spawn(player)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a player does not panic")).collect()
    });
    bar.finish_and_clear();
    results
        .into_iter()
        .collect::<Result<()>>()
        .with_context(|| format!("cannot write {}", args.output.display()))
}

/// Opens the file for more games of `V`, and locks it until it is closed. Returns how many games are in it; a last line
/// that was cut short is dropped. A file of something else is not changed.
fn reopen<V: Playable>(path: &Path) -> Result<(File, usize)> {
    let about = || format!("cannot write {}", path.display());
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(about)?;
    files::must_be_regular(&file, path).with_context(about)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            bail!("{} is in use by another 'tune play'; give each of them a file of its own", path.display())
        }
        // Some network folders have no locks.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(error).with_context(about),
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text).with_context(about)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let games = check_games::<V>(&text, whole)
        .with_context(|| format!("{} is not a file of games of {}", path.display(), V::NAME))?;
    file.set_len(whole as u64).with_context(about)?;
    file.seek(SeekFrom::End(0)).with_context(about)?;
    Ok((file, games))
}

/// The number of games in a file whose last line may have been cut short: it has `whole` bytes without that.
fn check_games<V: Playable>(text: &[u8], whole: usize) -> Result<usize> {
    let games = text[..whole].split_inclusive(|&byte| byte == b'\n');
    for (number, line) in (1..).zip(games.clone()) {
        let fields = line.iter().filter(|&&byte| byte == b';').count() + 1;
        ensure!(fields == 3, "line {number} has not three fields with semicolons between them");
    }
    // Another game has another board or other pieces, so the first line is enough.
    let first = || -> Result<()> {
        match games.clone().next() {
            Some(line) => replay::<V>(str::from_utf8(line)?, &mut |_| ()),
            None if text.is_empty() => Ok(()),
            None => {
                let start = str::from_utf8(text)?.split(';').next().unwrap_or_default();
                fen::parse::<V>(start).map(drop).map_err(anyhow::Error::from)
            }
        }
    };
    first().context("line 1")?;
    Ok(games.count())
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
fn play_game<V: Playable>(args: &Args, seed: u64, memory: &Memory) -> String {
    let mut numbers = random_numbers(seed);
    let mut random = |below: u64| numbers() % below;
    let few = random(100) < args.endings;
    let play_out = random(100) < args.played_out;
    let start = loop {
        let (start, plies) = if few {
            (few_pieces::<V>(&mut random), 0)
        } else {
            (Some(fen::start()), args.plies + random(2))
        };
        if let Some(pos) = start.and_then(|pos| play_random(pos, plies, &mut random)) {
            break pos;
        }
    };
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let (mut record, mut agreed) = (Record::new(&start), 0);
    // Searched behind `dyn`: else the search of all games would be compiled here a second time.
    let mut game = V::any().open();
    game.set_position(Some(&fen::write(&start)), &[]).expect("what is written is read");
    for _ in 0..LONGEST {
        if let Some(outcome) = game.outcome() {
            return record.line(outcome.winner.map_or(0.5, won_by));
        }
        let best = game.search(&limits, Settings::default(), memory, &Control::started(&limits), &|_| ());
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

/// Plays random moves. `None` if the game is over afterwards or before.
fn play_random<V: Playable>(
    mut pos: Position<V>,
    mut plies: u64,
    random: &mut impl FnMut(u64) -> u64,
) -> Option<Position<V>> {
    while plies > 0 && pos.outcome().is_none() {
        // The set-up phase does not count.
        plies -= u64::from(V::may_pass(&pos));
        let moves = pos.legal_moves();
        pos.play_unchecked(moves[random(moves.len() as u64) as usize]);
    }
    pos.outcome().is_none().then_some(pos)
}

/// Kings and some pieces of the start position on random squares, either side to move. `None` if that is not legal.
fn few_pieces<V: Playable>(random: &mut impl FnMut(u64) -> u64) -> Option<Position<V>> {
    let start = fen::start::<V>();
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
    fen::parse(&fen::write(Arranger::<V>::new().arrange(side, &placed)?)).ok()
}
