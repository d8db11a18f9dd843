//! `quintain play`: a game in the terminal, against the engine, between two people, or of the engine with itself.

mod console;
mod files;
mod review;
mod start;
mod words;

use crate::board::{Color, Tag};
use crate::engine::skill::FULL;
use crate::engine::{Engine, FileRank, GameInfo, MoveInfo, NAMES, Options};
use crate::notation::draw;
use crate::protocol;
use crate::search::{Bound, Info, Limits, Listener};
use crate::tools::{self, level, text};
use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;
use console::Input;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub(super) use console::Console;
pub(super) use start::ask_for_game;

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
    /// Begin anew, even if a game was left unfinished
    #[arg(long)]
    new: bool,
    /// How well the engine plays: 0 to 20, or beginner (0), novice (4), casual (8), club (12), expert (16), master (20)
    #[arg(long, default_value = "master", value_parser = level::read)]
    level: u32,
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
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The engine's memory in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

/// The time for a move unless something else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// An answer within this time needs no announcement.
const SOON: Duration = Duration::from_millis(100);

/// Reads a number of seconds, as a person would give one.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = protocol::seconds(text.trim().trim_end_matches('s'));
    let time = time.filter(|time| (0.01..=3600.0).contains(&time.as_secs_f64()));
    time.ok_or_else(|| "not a number of seconds from 0.01 to 3600".into())
}

/// Plays.
pub fn run(args: Args) -> Result<()> {
    let mut console = Console::new(args.no_color, args.ascii);
    let name = match &args.game {
        Some(name) => Some(name.to_lowercase()),
        None => ask_for_game(&mut console)?,
    };
    let Some(name) = name else { return Ok(()) };
    let mut game = TerminalGame::new(&name, &args, console)?;
    if !args.new {
        game.offer_left_game()?;
    }
    game.run()
}

/// A command, its argument, and what it does.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("help", "", "this list"),
    ("moves", "[WHAT]", "the legal moves: all, of a square (moves e2), or of a kind of piece (moves knight)"),
    ("hint", "", "what the engine would play"),
    ("eval", "", "who is better by how much, and the line that the engine expects; also: line"),
    ("undo", "[N]", "take back your last move, or your last N moves"),
    ("go", "", "let the engine move now; you go on with the other side"),
    ("board", "", "draw the board"),
    ("flip", "", "turn the board round"),
    ("pieces", "", "the pieces and how they move"),
    ("rules", "", "the rules of this game"),
    ("list", "", "the moves so far"),
    (
        "level",
        "[LEVEL]",
        "how well the engine plays: 0 to 20, or beginner, novice, casual, club, expert, master",
    ),
    ("time", "[SECONDS]", "how long the engine thinks about a move"),
    ("analyse", "", "the mistakes of this game, and better moves; Ctrl-C stops it"),
    ("two", "", "two people play; the engine only helps"),
    ("self", "", "the engine plays both sides; Ctrl-C stops it"),
    ("resign", "", "give up"),
    ("draw", "", "offer a draw"),
    ("new", "[GAME]", "begin anew, or play another game"),
    ("fen", "", "the position as FEN, a line of text"),
    ("load", "FILE or FEN", "open a game from a file, or go on from this position"),
    ("next", "[N]", "step forward through the moves taken back or stepped over"),
    ("previous", "[N]", "step back by a move, or N moves, of either side"),
    ("save", "FILE", "write the moves to a file, in the form of PGN"),
    ("quit", "", "leave; also Ctrl-D"),
];

/// What one needs at the beginning.
const FIRST_COMMANDS: [(&str, &str); 9] = [
    ("moves", "what is possible"),
    ("hint", "a good move"),
    ("undo", "take back a move"),
    ("rules", "how it is played"),
    ("pieces", "who moves how"),
    ("level", "easier or harder"),
    ("new", "begin anew"),
    ("help", "all commands"),
    ("quit", "leave"),
];

/// Other words for commands.
const ALIASES: &[(&str, &str)] = &[
    ("?", "help"),
    ("h", "help"),
    ("line", "eval"),
    ("analyze", "analyse"),
    ("review", "analyse"),
    ("back", "undo"),
    ("takeback", "undo"),
    (">", "next"),
    ("<", "previous"),
    ("u", "undo"),
    ("men", "pieces"),
    ("pgn", "list"),
    ("history", "list"),
    ("q", "quit"),
    ("exit", "quit"),
    ("bye", "quit"),
];

/// Does the loop go on?
#[derive(PartialEq)]
enum Flow {
    Continue,
    Quit,
}

/// A move that was played, and what is needed to show the game.
struct Played {
    mover: Color,
    info: MoveInfo,
    /// The letters of the pieces that it removed.
    taken: Vec<char>,
}

/// How a game ended.
struct End {
    text: String,
    score: &'static str,
    winner: Option<Color>,
}

/// What the engine thinks of a position.
struct Thought {
    score: i32,
    depth: u32,
    /// The best line, as people write it.
    line: Vec<String>,
    /// The best move as coordinates; `None` if there is no legal move.
    best: Option<String>,
    took: Duration,
}

/// The switches that a Ctrl-C turns.
#[derive(Default)]
struct Interruption {
    thinking: AtomicBool,
    happened: AtomicBool,
}

/// A game in the terminal.
struct TerminalGame {
    engine: Engine,
    info: GameInfo,
    console: Console,
    /// The FEN with which this game began.
    start: String,
    /// Does the engine play White, Black?
    engine_plays: [bool; 2],
    flipped: bool,
    limits: Limits,
    /// The engine tells what it thinks while it plays.
    thinks_aloud: bool,
    interruption: Arc<Interruption>,
    played: Vec<Played>,
    /// Moves that were stepped back over, as coordinates, the next one last.
    ahead: Vec<String>,
    /// Where the game is kept in case that it is left; nowhere if nobody plays.
    keep: Option<PathBuf>,
    /// An end that is no matter of the rules: a resignation, an agreed draw.
    agreed: Option<End>,
    /// The person was asked whether the game that is over shall be analysed.
    asked: bool,
    leaves_at_end: bool,
}

impl TerminalGame {
    fn new(name: &str, args: &Args, console: Console) -> Result<TerminalGame> {
        let variant = NAMES.iter().find(|&&known| known == name).context("a game of the list")?;
        let options = Options {
            variant,
            hash: args.hash as usize,
            threads: args.threads.into(),
            skill_level: args.level,
            ..Options::default()
        };
        let mut engine = Engine::new(options)?;
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
            // Without the handler Ctrl-C ends the program, which is not so bad either.
            let _ = ctrlc::set_handler(move || {
                if shared.thinking.load(Relaxed) {
                    shared.happened.store(true, Relaxed);
                    search.stop();
                }
            });
        }
        Ok(TerminalGame {
            info: engine.game().info(),
            start: engine.game().fen(),
            engine,
            engine_plays: match (args.two, args.engine_only, args.black) {
                (true, ..) => [false, false],
                (_, true, _) => [true, true],
                (.., black) => [black, !black],
            },
            flipped: args.flip != args.black,
            limits,
            thinks_aloud: args.show_thinking,
            interruption,
            played: Vec::new(),
            ahead: Vec::new(),
            keep: files::place(name).filter(|_| console.prompts && args.fen.is_none() && !args.engine_only),
            agreed: None,
            asked: false,
            leaves_at_end: args.engine_only && !console.interactive(),
            console,
        })
    }

    fn run(&mut self) -> Result<()> {
        self.greet()?;
        self.show()?;
        loop {
            self.keep_game();
            let over = self.end().is_some();
            if !over && self.engine_is_to_move() {
                self.engine_move()?;
                continue;
            }
            if over && self.leaves_at_end {
                return Ok(());
            }
            let offers = self.offers_analysis();
            let prompt = match self.person() {
                _ if offers => review::QUESTION.to_owned(),
                _ if over => "Game over> ".to_owned(),
                Some(_) => "Your move> ".to_owned(),
                None => format!("{}> ", self.engine.game().side()),
            };
            let words = self.completions(over);
            match self.console.read(&prompt, words)? {
                Input::Line(line) if offers && self.answers_offer(line.trim())? => {}
                Input::Line(line) => {
                    if self.obey(line.trim())? == Flow::Quit {
                        return Ok(());
                    }
                }
                Input::Interrupt => self.console.say("To leave, type quit or press Ctrl-D.\n")?,
                Input::End => {
                    let newline = if self.console.prompts { "\n" } else { "" };
                    return Ok(self.console.say(newline)?);
                }
            }
        }
    }

    // ---- State ------------------------------------------------------------------------------------------

    fn engine_is_to_move(&self) -> bool {
        self.engine_plays[self.engine.game().side().index()]
    }

    /// The side of the one person that plays.
    fn person(&self) -> Option<Color> {
        match self.engine_plays {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    /// Who plays this side, for the beginning of a sentence.
    fn player(&self, side: Color) -> String {
        match self.person() {
            Some(person) if person == side => "You".into(),
            Some(_) => "Engine".into(),
            None => side.to_string(),
        }
    }

    fn end(&self) -> Option<End> {
        if let Some(End { text, score, winner }) = &self.agreed {
            return Some(End { text: text.clone(), score, winner: *winner });
        }
        let outcome = self.engine.game().outcome()?;
        Some(End { text: outcome.to_string(), score: outcome.score(), winner: outcome.winner })
    }

    fn completions(&self, over: bool) -> Vec<String> {
        let mut words: Vec<String> = COMMANDS.iter().map(|(name, ..)| name.to_string()).collect();
        words.extend(NAMES.iter().map(|name| format!("new {name}")));
        if !over {
            for mv in self.engine.game().moves_in_full() {
                words.push(format!("moves {}", text::square(mv.from)));
                words.push(mv.san);
                words.push(mv.text);
            }
        }
        words.sort();
        words.dedup();
        words
    }

    // ---- Showing ----------------------------------------------------------------------------------------

    fn greet(&self) -> Result<()> {
        if !self.console.watched {
            return Ok(());
        }
        let (width, info) = (self.console.width(), &self.info);
        let mut text = format!("\n{}\n", self.console.bold(info.title));
        let (first, rest) = info.summary.split_at(1);
        text += &text::paragraph("", &format!("{}{rest}.", first.to_uppercase()), width);
        text += "\n";
        text += &words::pieces(info, width, self.figurines());
        text += "\n";
        let [white, black] = match (self.figurines(), self.console.color) {
            (false, _) => ["White (capital letters)", "Black (small letters)"],
            (true, false) => ["White (outlined, capital letters)", "Black (filled, small letters)"],
            (true, true) => ["White", "Black"],
        };
        let who = match (self.person(), self.engine_plays[0]) {
            (Some(Color::White), _) => format!("You are {white}; the engine is Black."),
            (Some(Color::Black), _) => format!("You are {black}; the engine is White."),
            (None, false) => format!("Two people play: {white} and {black}."),
            (None, true) => format!("The engine plays {white} and {black}."),
        };
        text += &text::paragraph("", &who, width);
        if self.engine.options().skill_level < FULL {
            text += &format!("{}\n", self.skill());
        }
        if self.engine_plays == [true, true] {
            text += "Ctrl-C stops it.\n";
        } else {
            let moves = self.engine.game().moves_in_full();
            let example = moves.iter().filter(|mv| mv.san != mv.text).min_by_key(|mv| mv.san.len());
            let example = example.map_or(String::new(), |mv| format!(", like {} or {}", mv.san, mv.text));
            text += &text::paragraph("", &format!("Type your move{example}. You can also type"), width);
            let entry = |(name, what): (&str, &str)| {
                let padding = " ".repeat(6 - name.len());
                format!("  {}{padding} {what:<18}", self.console.bold(name))
            };
            const ENTRY: usize = 26;
            for row in FIRST_COMMANDS.chunks((width / ENTRY).max(1)) {
                text += row.iter().copied().map(entry).collect::<String>().trim_end();
                text += "\n";
            }
        }
        Ok(self.console.say(&text)?)
    }

    /// The board, where somebody looks on, and how things stand.
    fn show(&self) -> Result<()> {
        if self.console.watched {
            self.draw()?;
        }
        self.status()
    }

    fn draw(&self) -> Result<()> {
        let mut marked: Vec<FileRank> = Vec::new();
        if let Some(Played { info, .. }) = self.played.last() {
            marked.extend([info.from, info.to]);
            marked.extend(&info.taken);
            marked.extend(info.partners.iter().flat_map(|&(from, to)| [from, to]));
        }
        let style = draw::Style {
            flipped: self.flipped,
            color: self.console.color,
            figurines: self.figurines(),
            narrow: draw::width(self.info.files) > self.console.width(),
            marked: &marked,
        };
        Ok(self.console.say(&format!("\n{}\n", self.engine.game().draw(style)))?)
    }

    /// Whose move it is, check, what was taken; or how the game ended.
    fn status(&self) -> Result<()> {
        let mut text = String::new();
        if self.console.watched {
            for side in Color::BOTH {
                let mut taken: Vec<char> = self.played.iter().flat_map(|mv| mv.taken.clone()).collect();
                taken.retain(|piece| piece.is_ascii_uppercase() == (side == Color::White));
                if !taken.is_empty() {
                    let rank = |piece: &char| {
                        let letter = piece.to_ascii_lowercase() as u8;
                        self.info.pieces.iter().position(|def| def.letter == letter)
                    };
                    taken.sort_by_key(|piece| std::cmp::Reverse(rank(piece)));
                    let pieces: Vec<String> =
                        taken.iter().map(|&piece| self.symbol(piece).to_string()).collect();
                    text += &format!("{side} has lost {}\n", pieces.join(" "));
                }
            }
        }
        if let Some(end) = self.end() {
            let you = match (end.winner, self.person()) {
                (Some(winner), Some(person)) if winner == person => " You have won!",
                (Some(_), Some(_)) => " You have lost.",
                _ => "",
            };
            text += &self.console.bold(&format!("Game over: {}, {}.{you}", end.text, end.score));
            text += "\n";
            if self.console.prompts && !self.leaves_at_end {
                text += "You can type analyse, new, undo, list, save FILE, or quit.\n";
            }
        } else if self.console.watched {
            let side = self.engine.game().side();
            let you = if self.person() == Some(side) { " (you)" } else { "" };
            let number = self.engine.game().fen().split(' ').nth(5).map(str::to_owned).unwrap_or_default();
            let mut line = format!("Move {number}: {side}{you} to move.");
            let checkers = self.engine.game().checkers();
            if !checkers.is_empty() {
                let pieces: Vec<String> = checkers.iter().map(|square| self.piece_on(square)).collect();
                line += &format!(" Check by the {}!", pieces.join(" and the "));
            }
            text += &self.console.bold(&line);
            text += "\n";
            if let Some(remark) = self.engine.game().remark() {
                text += &text::paragraph("", &format!("{remark}."), self.console.width());
            }
        }
        Ok(self.console.say(&text)?)
    }

    /// Are pieces shown as symbols? Where not even the king is that of chess, a few among many letters would only confuse.
    fn figurines(&self) -> bool {
        let royal = self.info.pieces[self.info.royal].name;
        self.console.figurines && draw::figurine(royal, Color::White, false).is_some()
    }

    /// A piece as the board shows it, given its letter.
    fn symbol(&self, piece: char) -> char {
        let side = if piece.is_ascii_uppercase() { Color::White } else { Color::Black };
        let figurine = draw::figurine(words::name_of(&self.info, piece), side, self.console.color);
        figurine.filter(|_| self.figurines()).unwrap_or(piece)
    }

    /// A piece as one speaks of it, "rook on e2".
    fn piece_on(&self, square: &str) -> String {
        let letter = text::place(square).and_then(|place| self.engine.game().piece(place));
        format!("{} on {square}", letter.map_or("piece", |letter| words::name_of(&self.info, letter)))
    }

    fn complain(&self, what: &str) -> Result<Flow> {
        self.console.say(&text::paragraph("", what, self.console.width()))?;
        Ok(Flow::Continue)
    }

    // ---- Moves ------------------------------------------------------------------------------------------

    /// Plays a legal move, and keeps what is needed to show it.
    fn play(&mut self, text: &str) -> std::result::Result<MoveInfo, String> {
        let before = self.engine.game().copy();
        let mover = self.engine.game().side();
        let info = self.engine.game_mut().play_any(text).map_err(|error| error.reason)?;
        let taken = info.taken.iter().filter_map(|&place| before.piece(place)).collect();
        self.played.push(Played { mover, info: info.clone(), taken });
        if self.ahead.pop().is_some_and(|next| next != info.text) {
            self.ahead.clear();
        }
        Ok(info)
    }

    fn person_move(&mut self, text: &str) -> Result<Flow> {
        if let Some(end) = self.end() {
            return self.complain(&format!("The game is over: {}. Type new, undo or quit.", end.text));
        }
        let side = self.engine.game().side();
        match self.play(text) {
            Ok(mv) => {
                self.console.say(&format!("{}: {}\n", self.player(side), words::with_coordinates(&mv)))?;
                // What follows an engine's answer shows this move as well.
                if self.end().is_some() || !self.engine_is_to_move() {
                    self.show()?;
                }
                Ok(Flow::Continue)
            }
            Err(reason) => {
                let mut own = self.engine.game().moves_in_full();
                own.retain(|mv| text::square(mv.from) == text && mv.tag != Tag::Place);
                if !own.is_empty() {
                    self.console.say(&words::moves(&self.info, &own, self.console.width()))?;
                    return Ok(Flow::Continue);
                }
                self.complain(&format!("{}: {reason}.", text::shown(text)))
            }
        }
    }

    fn engine_move(&mut self) -> Result<()> {
        let side = self.engine.game().side();
        let thought = self.think(Engine::think, self.thinks_aloud);
        let Some(best) = &thought.best else { return Ok(()) };
        let player = self.player(side);
        let Ok(mv) = self.play(best) else { bail!("the engine chose the illegal move {best}") };
        let mut text = format!("{player}: {}\n", self.console.bold(&words::with_coordinates(&mv)));
        if self.thinks_aloud && self.end().is_none() {
            text += &self.opinion(&thought, side, 1);
        }
        self.console.say(&text)?;
        if self.interruption.happened.swap(false, Relaxed) && self.engine_plays == [true, true] {
            self.engine_plays = [false, false];
            self.console.say("Stopped. Type go for one more move, self to go on, or play yourself.\n")?;
        }
        self.show()
    }

    /// Lets the engine think about the position in this `way`, under the limits of this game; `aloud` shows what.
    fn think(&mut self, way: fn(&mut Engine, &Limits, &dyn Listener) -> Info, aloud: bool) -> Thought {
        let mut limits = self.limits.clone();
        if self.engine.game().moves().len() == 1 {
            // Nothing to choose; a glance is enough to say something about it.
            limits.depth = Some(limits.depth.map_or(6, |depth| depth.min(6)));
        }
        let (voice, began) = (self.console.voice(), Instant::now());
        self.interruption.happened.store(false, Relaxed);
        self.interruption.thinking.store(true, Relaxed);
        let position = self.engine.game().copy();
        let listener = |info: &Info| {
            let settled = info.bound == Bound::Exact;
            if let Some(voice) = voice.as_ref().filter(|_| settled && began.elapsed() > SOON) {
                let line = if aloud {
                    format!(": depth {}, {}", info.depth, position.san(&info.pv).join(" "))
                } else {
                    String::new()
                };
                voice.say(&format!("thinking{line} "));
            }
        };
        let found = way(&mut self.engine, &limits, &listener);
        self.interruption.thinking.store(false, Relaxed);
        if let Some(voice) = voice.filter(|_| began.elapsed() > SOON) {
            voice.say("");
        }
        Thought {
            score: found.score,
            depth: found.depth,
            line: position.san(&found.pv),
            best: position.coordinates(&found.pv).into_iter().next(),
            took: began.elapsed(),
        }
    }

    /// The score of a thought about a position where `side` was to move, and the line without its first `skip` moves.
    fn opinion(&self, thought: &Thought, side: Color, skip: usize) -> String {
        const SHOWN: usize = 8;
        let width = self.console.width();
        let score = words::score(thought.score, side);
        let effort = format!("depth {}, {:.1} s", thought.depth, thought.took.as_secs_f64());
        let mut text = format!("  {score} {}\n", self.console.faint(&format!("- {effort}")));
        let line: Vec<&str> = thought.line.iter().skip(skip).take(SHOWN).map(String::as_str).collect();
        if !line.is_empty() {
            text += &text::hanging("  expects ", &line, width);
        }
        text
    }

    // ---- Commands ---------------------------------------------------------------------------------------

    fn obey(&mut self, line: &str) -> Result<Flow> {
        if line.is_empty() {
            return Ok(Flow::Continue);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        let word = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word.as_str(), |(_, name)| name);
        let alone = COMMANDS.iter().any(|&(name, argument, _)| name == word && argument.is_empty());
        if alone && !rest.is_empty() {
            // A word too much may mean something else, and some commands cannot be taken back.
            return self.complain(&format!("{}: {word} stands alone.", text::shown(line)));
        }
        match word {
            "help" => self.help(),
            "moves" => self.list_moves(rest),
            "hint" | "eval" => self.advise(word == "hint"),
            "undo" => self.undo(rest),
            "go" => self.let_engine_go(),
            "board" => {
                self.draw()?;
                self.status()?;
                Ok(Flow::Continue)
            }
            "flip" => {
                self.flipped = !self.flipped;
                self.draw()?;
                Ok(Flow::Continue)
            }
            "pieces" => {
                self.console.say(&words::pieces(&self.info, self.console.width(), self.figurines()))?;
                Ok(Flow::Continue)
            }
            "rules" => {
                self.console.say(&tools::rules::text(&self.info))?;
                Ok(Flow::Continue)
            }
            "list" => {
                self.console.say(&self.score_sheet())?;
                Ok(Flow::Continue)
            }
            "level" => self.set_level(rest),
            "analyse" => self.analyse(),
            "time" if rest.is_empty() => self.complain(&self.pace()),
            "time" => match seconds(rest) {
                Ok(time) => {
                    self.limits = Limits { move_time: Some(time), ..Limits::default() };
                    self.complain(&self.pace())
                }
                Err(reason) => self.complain(&format!("time {}: {reason}.", text::shown(rest))),
            },
            "two" => {
                self.engine_plays = [false, false];
                self.complain("Two people play now. With go the engine makes a move for either.")
            }
            "self" => {
                self.engine_plays = [true, true];
                self.complain("The engine plays both sides now.")
            }
            "resign" => self.resign(),
            "draw" => self.offer_draw(),
            "new" => self.begin_anew(rest),
            "fen" => {
                self.console.say(&format!("{}\n", self.engine.game().fen()))?;
                Ok(Flow::Continue)
            }
            "load" => self.load(rest),
            "next" => self.step(rest, true),
            "previous" => self.step(rest, false),
            "save" => self.save(rest),
            "quit" => Ok(Flow::Quit),
            // A text without square and sign is a move only in a set-up phase, which asks for a facing.
            _ if !line.contains(|c: char| c.is_ascii_digit() || c == '-') && self.is_no_move(line) => {
                self.complain(&format!("{} is neither a command nor a move. Type help.", text::shown(line)))
            }
            _ => self.person_move(line),
        }
    }

    fn is_no_move(&self, text: &str) -> bool {
        self.end().is_some() || self.engine.game().copy().play_any(text).is_err()
    }

    fn help(&self) -> Result<Flow> {
        let width = self.console.width();
        let mut text = text::paragraph(
            "",
            "A move is given by its name (e4, Nxf3, O-O), or by the squares from and to (e2e4, e7e8q). \
             The name of a square shows what the piece there can do. Tab completes.",
            width,
        );
        for (name, argument, what) in COMMANDS {
            text += &text::paragraph(&format!("  {:<14}", format!("{name} {argument}")), what, width);
        }
        self.console.say(&text)?;
        Ok(Flow::Continue)
    }

    fn list_moves(&self, what: &str) -> Result<Flow> {
        let wanted = what.to_lowercase();
        let mut moves = self.engine.game().moves_in_full();
        if self.end().is_some() {
            return self.complain("The game is over; there are no moves.");
        }
        moves.retain(|mv| {
            wanted.is_empty()
                || text::square(mv.from) == wanted
                || mv.piece.to_ascii_lowercase().to_string() == wanted
                || words::name_of(&self.info, mv.piece) == wanted
        });
        if moves.is_empty() {
            return self.complain(&format!(
                "{} has no moves for {}.",
                self.engine.game().side(),
                text::shown(what)
            ));
        }
        self.console.say(&words::moves(&self.info, &moves, self.console.width()))?;
        Ok(Flow::Continue)
    }

    /// What the engine thinks of the position; with `hint`, what it would play.
    fn advise(&mut self, hint: bool) -> Result<Flow> {
        if self.end().is_some() {
            return self.complain("The game is over.");
        }
        let side = self.engine.game().side();
        let thought = self.think(Engine::analyse, true);
        self.interruption.happened.store(false, Relaxed);
        let mut text = String::new();
        if let (true, Some(best)) = (hint, &thought.best)
            && let Ok(mv) = self.engine.game().copy().play(best)
        {
            text = format!("Try {}\n", self.console.bold(&words::with_coordinates(&mv)));
        }
        text += &self.opinion(&thought, side, usize::from(hint));
        self.console.say(&text)?;
        Ok(Flow::Continue)
    }

    fn set_level(&mut self, text: &str) -> Result<Flow> {
        if !text.is_empty() {
            match level::read(text) {
                Ok(level) => {
                    self.engine.set_option("Skill Level", Some(&level.to_string()))?;
                }
                Err(reason) => return self.complain(&format!("level {}: {reason}.", text::shown(text))),
            }
        }
        self.complain(&self.skill())
    }

    /// How well the engine plays, as a sentence.
    fn skill(&self) -> String {
        format!("The engine plays at level {}.", level::described(self.engine.options().skill_level))
    }

    /// How long the engine thinks, as a sentence.
    fn pace(&self) -> String {
        let Limits { move_time, depth, nodes, .. } = &self.limits;
        let bounds = [
            move_time.map(|time| format!("{} s a move", time.as_secs_f64())),
            depth.map(|depth| format!("{depth} plies ahead")),
            nodes.map(|nodes| format!("about {nodes} positions")),
        ];
        let bounds: Vec<String> = bounds.into_iter().flatten().collect();
        format!("The engine thinks {}.", bounds.join(", "))
    }

    fn undo(&mut self, rest: &str) -> Result<Flow> {
        let Ok(times) = (if rest.is_empty() { Ok(1) } else { rest.parse::<usize>() }) else {
            return self.complain("undo takes a number of moves.");
        };
        let person = self.person();
        let mine = |mv: &Played| person.is_none_or(|side| mv.mover == side);
        let Some(keep) =
            self.played.iter().enumerate().rev().filter(|(_, mv)| mine(mv)).nth(times.max(1) - 1)
        else {
            return self.complain("There is no such move to take back.");
        };
        let keep = keep.0;
        self.agreed = None;
        self.asked = false;
        while self.played.len() > keep {
            self.step_back();
        }
        if self.engine_plays == [true, true] {
            self.engine_plays = [false, false];
        }
        self.show()?;
        Ok(Flow::Continue)
    }

    fn let_engine_go(&mut self) -> Result<Flow> {
        if self.end().is_some() {
            return self.complain("The game is over. Type new or undo.");
        }
        if self.person().is_some() {
            self.engine_plays = [!self.engine_plays[0], !self.engine_plays[1]];
            let side = !self.engine.game().side();
            self.complain(&format!("You are {side} from now on. (flip turns the board.)"))
        } else {
            self.engine_move()?;
            Ok(Flow::Continue)
        }
    }

    fn resign(&mut self) -> Result<Flow> {
        if self.end().is_some() {
            return self.complain("The game is over already.");
        }
        let side = self.person().unwrap_or(self.engine.game().side());
        let score = if side == Color::White { "0-1" } else { "1-0" };
        self.agreed = Some(End { text: format!("{side} resigns"), score, winner: Some(!side) });
        self.status()?;
        Ok(Flow::Continue)
    }

    fn offer_draw(&mut self) -> Result<Flow> {
        /// Before so many plies nobody can know.
        const TOO_EARLY: usize = 20;
        if self.end().is_some() {
            return self.complain("The game is over already.");
        }
        if self.person().is_some() {
            if self.played.len() < TOO_EARLY {
                return self.complain("The engine says that it is too early for that.");
            }
            let thought = self.think(Engine::analyse, false);
            self.interruption.happened.store(false, Relaxed);
            if thought.score < 0 {
                return self.complain("The engine thinks that it is better, and plays on.");
            }
        }
        self.agreed = Some(End { text: "Draw by agreement".into(), score: "1/2-1/2", winner: None });
        self.status()?;
        Ok(Flow::Continue)
    }

    fn begin_anew(&mut self, name: &str) -> Result<Flow> {
        let name = if name.is_empty() { self.info.name.to_owned() } else { name.to_lowercase() };
        if !NAMES.contains(&name.as_str()) {
            let names = NAMES.join(", ");
            return self.complain(&format!(
                "There is no game called {}; the games are {names}.",
                text::shown(&name)
            ));
        }
        let same = name == self.info.name;
        self.engine.open(&name);
        self.info = self.engine.game().info();
        if !same {
            self.keep = self.keep.take().and_then(|_| files::place(self.info.name));
        }
        self.forget_game();
        if !same {
            self.greet()?;
        }
        self.show()?;
        Ok(Flow::Continue)
    }

    /// The engine has a new position, to which nothing known so far belongs.
    fn forget_game(&mut self) {
        self.start = self.engine.game().fen();
        self.played.clear();
        self.ahead.clear();
        self.agreed = None;
        self.asked = false;
        self.engine.new_game();
        // The engine's game with itself is not begun again unasked.
        if self.engine_plays == [true, true] {
            self.engine_plays = [false, false];
        }
    }

    fn score_sheet(&self) -> String {
        let fields: Vec<&str> = self.start.split(' ').collect();
        let number = fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        let side = if fields.get(1) == Some(&"b") { Color::Black } else { Color::White };
        let mut moves: Vec<String> = self.played.iter().map(|mv| mv.info.san.clone()).collect();
        let result = self.end().map_or("*", |end| end.score);
        if let Some(last) = moves.last_mut() {
            *last = format!("{last} {result}");
            words::score_sheet(&moves, number, side, 79)
        } else {
            format!("{result}\n")
        }
    }
}
