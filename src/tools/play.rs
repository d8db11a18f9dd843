//! `quintain play`: a game in the terminal, against the engine, between two people, or of the engine with itself.

mod commands;
mod console;
mod files;
mod game;
mod review;
mod start;
mod view;
mod words;

use crate::engine::options::BOOK_PLIES;
use crate::engine::skill::FULL;
use crate::engine::{Engine, NAMES, Options, any_seed};
use crate::search::limits;
use crate::search::{Bound, Info, Limits, Listener, each_line};
use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;
use files::Kept;
use game::Game;
use quintain_folder as folder;
use quintain_play::game::{Settings, level};
use quintain_study::Book;
use quintain_study::book::{Choice, VARIED};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

pub(super) use console::{Console, Input};
pub(super) use start::{ask_for_game, usual_level};

/// Arguments of `quintain play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain play canyon                  you are White, the engine thinks two seconds a move
  quintain play diamond --black         the engine begins
  quintain play gast --level beginner   a weak opponent; there are levels from 0 to 20
  quintain play superchess --two        two people at one keyboard, hints from the engine
  quintain play grand --self            watch the engine play with itself

In the game, type help for what you can do there.")]
pub struct Args {
    /// The game; without it you are asked which
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: Option<String>,
    /// You are Black; the engine begins
    #[arg(long, conflicts_with_all = ["two", "engine_only"])]
    black: bool,
    /// Two people play; the engine only gives hints
    #[arg(long, conflicts_with = "engine_only")]
    two: bool,
    /// The engine plays both sides
    #[arg(long = "self")]
    engine_only: bool,
    /// Begin from this position
    #[arg(long)]
    fen: Option<String>,
    /// Start a new game, even if there is an unfinished one
    #[arg(long)]
    new: bool,
    /// How well the engine plays: 0 to 20, or beginner (0), novice (4), casual (8), club (12), expert (16), master
    /// (20). Without it, as you chose last; scripts get master
    #[arg(long, value_parser = level::read)]
    level: Option<u32>,
    /// Show what the engine thinks of its moves: the score, and the replies that it expects
    #[arg(long)]
    show_thinking: bool,
    /// How long the engine thinks about a move [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// How many plies (moves of one side) the engine looks ahead at most
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// How many positions the engine looks at for a move at most
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The engine thinks about its first moves too, and plays none from the opening book
    #[arg(long)]
    no_book: bool,
    /// Draw the board from the other side
    #[arg(long)]
    flip: bool,
    /// Draw without colours; the environment variable NO_COLOR does the same
    #[arg(long)]
    no_color: bool,
    /// Draw letters, even where the terminal has the symbols of chess pieces
    #[arg(long)]
    ascii: bool,
    /// Threads that think
    #[arg(long, default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
    /// The engine's memory in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

/// The default time for a move.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// An answer within this time needs no announcement.
const SOON: Duration = Duration::from_millis(100);

/// Reads a number of seconds within sensible limits.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = limits::seconds(text.trim().trim_end_matches('s'));
    let time = time.filter(|time| (0.01..=3600.0).contains(&time.as_secs_f64()));
    time.ok_or_else(|| "not a number of seconds from 0.01 to 3600".into())
}

/// Runs a game in the terminal.
pub fn run(args: Args) -> Result<()> {
    let mut console = Console::new(args.no_color, args.ascii);
    let name = match &args.game {
        Some(name) => Some(name.to_lowercase()),
        None => ask_for_game(&mut console)?,
    };
    let Some(name) = name else { return Ok(()) };
    let mut game = TerminalGame::new(&name, &args, console)?;
    if game.console.prompts {
        game.open_library()?;
    }
    let may_go_on = !args.new && args.fen.is_none() && !args.engine_only;
    let goes_on = if may_go_on { game.offer_left_game(&args)? } else { Some(false) };
    let Some(goes_on) = goes_on else { return Ok(()) };
    if let Some(level) = args.level {
        game.set_skill(level)?;
    } else if !goes_on && game.console.prompts && game.game.live.person().is_some() {
        let Some(level) = usual_level(&mut game.console)? else { return Ok(()) };
        game.set_skill(level)?;
    }
    game.run()
}

/// The result of a search.
struct Analysis {
    score: i32,
    depth: u32,
    /// The best line in SAN.
    line: Vec<String>,
    /// The best move as coordinates; `None` if there is no legal move.
    best: Option<String>,
    /// How long the search took.
    took: Duration,
}

/// State shared with the handler of Ctrl-C.
#[derive(Default)]
struct Interruption {
    thinking: AtomicBool,
    happened: AtomicBool,
}

/// A game in the terminal.
struct TerminalGame {
    game: Game,
    console: Console,
    /// Does the engine play White, Black, by the command line?
    players: [bool; 2],
    /// The board is drawn from the side of the person's opponent.
    flip: bool,
    flipped: bool,
    limits: Limits,
    /// Show the score and the expected replies with each move of the engine.
    thinks_aloud: bool,
    /// The engine plays moves of the opening book. What scripts get does not depend on chance.
    own_book: bool,
    interruption: Arc<Interruption>,
    /// Where the game is kept; `None` if it is not.
    keep: Option<Kept>,
    /// The person was asked whether to analyse the finished game.
    asked: bool,
    leaves_at_end: bool,
}

impl TerminalGame {
    fn new(name: &str, args: &Args, console: Console) -> Result<TerminalGame> {
        let variant = NAMES.iter().find(|&&known| known == name).context("a game of the list")?;
        let options = Options {
            variant,
            hash: args.hash as usize,
            threads: args.threads,
            skill_level: args.level.unwrap_or(FULL),
            ..Options::default()
        };
        let mut engine = Engine::new(options)?;
        engine.set_tables(Some(Arc::new(quintain_io::tables::find_own)));
        engine.game_mut().set_position(args.fen.as_deref(), &[])?;
        let unlimited = args.depth.is_none() && args.nodes.is_none();
        let limits = Limits {
            depth: args.depth,
            nodes: args.nodes,
            move_time: args.time.or(unlimited.then_some(DEFAULT_TIME)),
            ..Limits::default()
        };
        let interruption = Arc::new(Interruption::default());
        if console.interactive() {
            let (shared, search) = (Arc::clone(&interruption), engine.stopper());
            // Without the handler Ctrl-C ends the program, which is acceptable.
            let _ = ctrlc::set_handler(move || {
                if shared.thinking.load(Relaxed) {
                    shared.happened.store(true, Relaxed);
                    search.stop();
                }
            });
        }
        let engine_plays = match (args.two, args.engine_only, args.black) {
            (true, ..) => [false, false],
            (_, true, _) => [true, true],
            (.., black) => [black, !black],
        };
        let settings =
            Settings { engine: engine_plays, level: engine.options().skill_level, ..Settings::of(name) };
        Ok(TerminalGame {
            game: Game::new(engine, settings),
            players: engine_plays,
            flip: args.flip,
            flipped: args.flip != args.black,
            limits,
            thinks_aloud: args.show_thinking,
            own_book: console.prompts && !args.no_book,
            interruption,
            keep: None,
            asked: false,
            leaves_at_end: args.engine_only && !console.interactive(),
            console,
        })
    }

    fn run(&mut self) -> Result<()> {
        self.greet()?;
        self.show()?;
        loop {
            self.keep_game()?;
            let over = self.game.live.outcome().is_some();
            if !over && self.game.later() == 0 && self.game.live.engine_is_to_move() {
                self.engine_move()?;
                continue;
            }
            if over && self.leaves_at_end {
                return Ok(());
            }
            let offers = self.offers_analysis();
            let prompt = match self.game.live.person() {
                _ if offers => review::QUESTION.to_owned(),
                _ if over => "Game over> ".to_owned(),
                _ if self.game.later() > 0 => "Earlier position> ".to_owned(),
                Some(_) => "Your move> ".to_owned(),
                None => format!("{}> ", self.game.live.session().side()),
            };
            let words = self.completions(over);
            match self.console.read(&prompt, words)? {
                Input::Line(line) if offers && self.answers_offer(line.trim())? => {}
                Input::Line(line) => {
                    if self.obey(line.trim())?.is_break() {
                        return Ok(());
                    }
                }
                Input::Interrupt => self.console.say("To leave, type quit or press Ctrl-D.\n")?,
                Input::End => {
                    let newline = if self.console.prompts { "\n" } else { "" };
                    return self.console.say(newline);
                }
            }
        }
    }

    /// Sets who plays, and turns the board to the person.
    fn set_players(&mut self, engine: [bool; 2]) {
        self.game.live.settings.engine = engine;
        self.flipped = self.flip != (engine == [true, false]);
    }

    fn engine_move(&mut self) -> Result<()> {
        let side = self.game.live.session().side();
        let began = Instant::now();
        let analysis = self.of_book().unwrap_or_else(|| self.think(Engine::think, self.thinks_aloud));
        let Some(best) = &analysis.best else { return Ok(()) };
        if self.console.interactive() && self.game.live.settings.engine == [true, true] {
            self.wait_until(began + Duration::from_secs_f64(folder::preferences().pace));
        }
        let player = self.game.player(side);
        let Ok(mv) = self.game.play(best) else { bail!("the engine chose the illegal move {best}") };
        let mut text = format!("{player}: {}\n", self.console.bold(&words::with_coordinates(&mv)));
        if self.thinks_aloud && self.game.live.outcome().is_none() {
            text += &self.opinion(&analysis, side, 1);
        }
        self.console.say(&text)?;
        if self.interruption.happened.swap(false, Relaxed) && self.game.live.settings.engine == [true, true] {
            self.game.live.settings.engine = [false, false];
            self.console.say("Stopped. Type go for one more move, self to go on, or play yourself.\n")?;
        }
        self.show()
    }

    /// A move of the opening book, if there is one to play.
    fn of_book(&self) -> Option<Analysis> {
        let session = self.game.live.session();
        let book = Book::of(session.info().name).filter(|_| self.own_book)?;
        let Choice { text, score } = book.choose(session, BOOK_PLIES, VARIED, any_seed())?;
        let line = vec![session.describe(&text).ok()?.san];
        Some(Analysis { score, depth: 0, line, best: Some(text), took: Duration::ZERO })
    }

    /// Lets a person follow the game of the engine with itself; Ctrl-C ends the wait.
    fn wait_until(&self, end: Instant) {
        self.interruption.thinking.store(true, Relaxed);
        while Instant::now() < end && !self.interruption.happened.load(Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        self.interruption.thinking.store(false, Relaxed);
    }

    /// Searches the position by `search`, with the limits of this game; `show_lines` shows its lines meanwhile.
    fn think(&mut self, search: fn(&mut Engine, &Limits, &Listener) -> Info, show_lines: bool) -> Analysis {
        let mut limits = self.limits.clone();
        if self.game.live.session().moves().len() == 1 {
            // The move is forced; a short search is enough for a score.
            limits.depth = Some(limits.depth.map_or(6, |depth| depth.min(6)));
        }
        let (status, began) = (self.console.status_line(), Instant::now());
        self.interruption.happened.store(false, Relaxed);
        self.interruption.thinking.store(true, Relaxed);
        let position = self.game.live.session().copy();
        let listener = |info: &Info| {
            let settled = info.bound == Bound::Exact;
            if let Some(status) = status.as_ref().filter(|_| settled && began.elapsed() > SOON) {
                let line = if show_lines {
                    format!(": depth {}, {}", info.depth, position.san(&info.pv).join(" "))
                } else {
                    String::new()
                };
                status.show(&format!("thinking{line} "));
            }
        };
        let found = search(&mut self.game.live.engine, &limits, &each_line(listener));
        self.interruption.thinking.store(false, Relaxed);
        if let Some(status) = status.filter(|_| began.elapsed() > SOON) {
            status.show("");
        }
        Analysis {
            score: found.score,
            depth: found.depth,
            line: position.san(&found.pv),
            best: position.coordinates(&found.pv).into_iter().next(),
            took: began.elapsed(),
        }
    }
}
