//! `quintain book`: opening books.

use super::played;
use super::threads::in_threads;
use crate::engine::{self, Engine, Options};
use anyhow::{Context, Result, bail, ensure};
use clap::{Subcommand, value_parser};
use quintain_io as output;
use quintain_io::files::{self, MOST_BOOK};
use quintain_io::note;
use quintain_study::book::{Book, MAX_PLIES};
use quintain_study::grow::{Said, Searched};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Arguments of `quintain book`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make a book of games, with a search in each of its positions
    Build(BuildArgs),
    /// Show the moves of a position
    Show(ShowArgs),
}

/// Arguments of `quintain book build`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Games are results of matches (a JSON line each) or PGN. The score of a move is
what the best play in the book leads to, as searches at its ends judge it. The
searches are kept in FILE.searched, so the work can be stopped at any time, and
goes on where it was when the command is given again.

Examples:
  quintain book build canyon games.jsonl --output canyon.book
  quintain book build canyon club.pgn --from own --games 1 --output club.book
  quintain book show canyon --book club.book")]
struct BuildArgs {
    /// The game
    game: String,
    /// Files of games
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The book
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Add to this book; own is that of the program
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How many plies of each game
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u16).range(1..=MAX_PLIES as i64))]
    plies: u16,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes of the search of each position; 0 takes the average of what the engines said in the games
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    nodes: u64,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
}

/// Arguments of `quintain book show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "White's part of the points and the score are those of White: at +0.50 White is
better by half a pawn.")]
struct ShowArgs {
    /// The game
    game: String,
    /// Moves from the start, or from the position
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// The book; if left out, that of the program
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Build(args) => build(&args),
        Command::Show(args) => show(&args),
    }
}

/// Reads the file of a book of this game.
pub fn read(path: &Path, game: &str) -> Result<Book> {
    let named = || format!("'{}'", path.display());
    let text = String::from_utf8(files::read_stream(path, MOST_BOOK)?).with_context(named)?;
    Book::parse_for(&text, game).with_context(named)
}

/// The book of the program.
fn own(game: &str) -> Result<Book> {
    let book = Book::of(game).with_context(|| format!("the program has no book of {game}"))?;
    Ok((*book).clone())
}

fn build(args: &BuildArgs) -> Result<()> {
    let game = engine::named(&args.game)?;
    let is_one = |text: &str| Book::heading(text).is_some_and(|(_, named)| named == game);
    files::may_replace(&args.output, MOST_BOOK, &format!("opening book of {game}"), is_one)
        .context("--output")?;
    let mut book = Book::new(game).context("a game of the list")?;
    let mut said = Said::default();
    if !args.files.is_empty() {
        let games = played::read(&args.files, game)?;
        let (whole, of_parts): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.fen.is_none());
        if !of_parts.is_empty() {
            note!("{} games that do not begin at the start are left out.", of_parts.len());
        }
        for played in &whole {
            book.add(&played.moves, played.winner, args.plies.into());
            said.add(game, &played.moves, &played.scores, args.plies.into());
        }
        book.prune(args.games);
        note!("{} games, {} positions.", whole.len(), book.len());
    }
    match &args.from {
        Some(path) if path == Path::new("own") => book.merge(own(game)?),
        Some(path) => book.merge(read(path, game).context("--from")?),
        None => ensure!(!args.files.is_empty(), "there is nothing to make a book of: no FILE and no --from"),
    }
    ensure!(!book.is_empty(), "no move was played in {} games; --games takes fewer", args.games);
    let mut remark = format!("quintain book build {game} --plies {} --games {}", args.plies, args.games);
    let _ = write!(remark, " --nodes {}", args.nodes);
    match args.nodes {
        0 => book.score_as_said(&said),
        _ => search(&mut book, args)?,
    }
    files::write(&args.output, book.to_text(&remark).as_bytes()).context("--output")
}

/// Searches all positions of the book, those that were searched before excepted, and gives the moves their scores.
fn search(book: &mut Book, args: &BuildArgs) -> Result<()> {
    let mut path = args.output.clone().into_os_string();
    path.push(".searched");
    let path = PathBuf::from(path);
    let mut known = earlier(&path, args.nodes)?;
    let mut left: Vec<(u64, String)> = Vec::new();
    book.score(&mut |session| {
        if !known.contains_key(&session.key()) {
            left.push((session.key(), session.fen()));
        }
        None
    });
    let (all, queue, said) = (left.len(), Mutex::new(left.into_iter()), Mutex::new((0usize, Instant::now())));
    let found: Mutex<Vec<(u64, Searched)>> = Mutex::default();
    let file = Mutex::new(files::open_to_append(&path)?);
    let worker = || -> Result<()> {
        let mut engine = Engine::new(Options { variant: book.game(), hash: 16, ..Options::default() })?;
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((key, fen)) = next else { return Ok(()) };
            engine.game_mut().set_position(Some(&fen), &[])?;
            let searched = Searched::by(&mut engine, args.nodes);
            let line = line(key, args.nodes, &searched);
            files::append(&mut file.lock().unwrap_or_else(PoisonError::into_inner), line.as_bytes())?;
            found.lock().unwrap_or_else(PoisonError::into_inner).push((key, searched));
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.0 += 1;
            if said.1.elapsed() >= Duration::from_secs(10) {
                said.1 = Instant::now();
                note!("{} of {all} positions searched.", said.0);
            }
        }
    };
    in_threads(args.threads, worker).into_iter().collect::<Result<()>>()?;
    known.extend(found.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut missing = 0;
    book.score(&mut |session| {
        let searched = known.get(&session.key()).cloned();
        missing += usize::from(searched.is_none());
        searched
    });
    ensure!(missing == 0, "a position was not searched");
    Ok(())
}

/// A search as a line of the file that keeps them.
fn line(key: u64, nodes: u64, Searched { score, best }: &Searched) -> String {
    format!("{key:016x} {nodes} {score} {}\n", best.as_deref().unwrap_or("-"))
}

/// The searches of earlier runs with so many nodes, by the keys of their positions. A line that was not written in
/// full is left out.
fn earlier(path: &Path, nodes: u64) -> Result<HashMap<u64, Searched>> {
    let mut known = HashMap::new();
    if path.exists() {
        let text = String::from_utf8_lossy(&files::read(path, MOST_BOOK)?).into_owned();
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let words: Vec<&str> = line.split(' ').collect();
            let [key, of, score, best] = words[..] else { continue };
            let (Ok(key), Ok(score)) = (u64::from_str_radix(key, 16), score.parse()) else { continue };
            if of == nodes.to_string() {
                known.insert(key, Searched { score, best: (best != "-").then(|| best.to_owned()) });
            }
        }
    }
    Ok(known)
}

fn show(args: &ShowArgs) -> Result<()> {
    let game = engine::named(&args.game)?;
    let book = match &args.book {
        Some(path) => read(path, game).context("--book")?,
        None => own(game)?,
    };
    let mut session = engine::open(game)?;
    session.set_position(args.fen.as_deref(), &[]).context("--fen")?;
    for text in &args.moves {
        session.play_any(text)?;
    }
    let table = book.table(&*session);
    if table.is_empty() {
        bail!("the book has no moves in this position");
    }
    output::print(&table)
}
