//! CECP, the protocol of XBoard, version 2.
//!
//! XBoard knows the rules of chess and of some other games, but not of ours. It gets the description of a game in answer to
//! `variant`, and its board is moved by moves that it understands: [`mirror`] turns each move into such ones and
//! back, with [`board`] as a model of what XBoard does with them. For that XBoard must not test moves for legality:
//! it must be run with `-testLegality false`, for all games but chess.
//!
//! One thread reads lines, one thinks, and both send to the loop here, which alone changes anything.

pub mod board;
mod clock;
pub mod games;
pub mod marks;
pub mod mirror;
pub mod movetext;
pub mod position;
pub mod text;

use super::line::{Lines, say};
use crate::board::{Color, Move};
use crate::engine::options::{Id, Kind, TABLE};
use crate::engine::{self, Engine, EngineError, FileRank, NAMES, Options, Session};
use crate::search::score::UciScore;
use crate::search::{Bound, Info, Limits};
use anyhow::Result;
use board::{Board, Ply};
use clock::TimeControl;
use marks::Marks;
use mirror::{Completion, Mirror, Recognised};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Serves a GUI whose first line was `first`.
pub fn run(first: &str, lines: Lines) -> Result<()> {
    let (sender, receiver) = channel();
    let from_lines = sender.clone();
    let forward = move || {
        while let Some(line) = lines.recv() {
            if from_lines.send(Event::Line(line)).is_err() {
                return;
            }
        }
        drop(from_lines.send(Event::End));
    };
    thread::Builder::new().name("lines".into()).spawn(forward)?;
    let say: Say = Arc::new(|line: &str| say(line));
    serve(first, &receiver, XBoard::new(sender, say)?);
    Ok(())
}

fn serve(first: &str, events: &Receiver<Event>, mut xboard: XBoard) {
    let mut next = Some(Event::Line(first.to_owned()));
    while let Some(event) = next {
        if !xboard.handle(event) {
            break;
        }
        next = events.recv().ok();
    }
    xboard.drop_search();
}

/// Where lines for the GUI go.
type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// What the loop receives.
enum Event {
    /// A line of the GUI.
    Line(String),
    /// The GUI is gone.
    End,
    /// The search with this number is over.
    Done(u64, Found),
}

/// What the engine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Nothing: moves are only recorded.
    Force,
    /// We play this colour.
    Play(Color),
    /// We think about whatever is on the board.
    Analyze,
}

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Purpose {
    /// Our move.
    Move,
    /// The reply to this move, should the opponent make it. Our clock is expected to show so much then.
    Ponder(String, Duration),
    /// Analysis.
    Analysis,
}

struct Search {
    number: u64,
    purpose: Purpose,
    /// The time of ours that was gone when it began.
    used: Duration,
    /// Its reports are still wanted.
    wanted: Arc<AtomicBool>,
}

/// What a search found.
#[derive(Clone, Default)]
struct Found {
    /// The best line, as coordinates.
    pv: Vec<String>,
    /// Its score for the side to move.
    score: i32,
    /// There was a fault in the engine: the line is just a legal move.
    failed: bool,
}

struct XBoard {
    say: Say,
    events: Sender<Event>,
    engine: Engine,
    mirror: Mirror,
    /// What is wrong with the position that XBoard set up last; no move is legal then.
    unsound: Option<String>,
    mode: Mode,
    control: TimeControl,
    search: Option<Search>,
    searches: u64,
    /// The GUI asked to be shown what we think; the search looks at it.
    post: Arc<AtomicBool>,
    ponder: bool,
    against_engine: bool,
    /// The opponent offers a draw.
    offered: bool,
    /// The score of our last search, for us.
    last_score: Option<i32>,
    /// What we expect the opponent to play.
    expected: Option<String>,
    /// Moves that the next search leaves out.
    excluded: Vec<String>,
    /// What to answer once we have moved, or need not move any more.
    pings: Vec<String>,
    /// Where the piece may go that a person holds.
    marks: Marks,
    /// A person put a piece on this square: the move that follows was made with the mouse.
    by_hand: Option<FileRank>,
    /// What to go on with after a pause.
    paused: Option<Paused>,
    /// The last line that the search reported.
    last_info: Arc<Mutex<LastInfo>>,
}

/// A search that was interrupted by `pause`.
struct Paused {
    purpose: Purpose,
    used: Duration,
}

/// The game of GUIs that do not say which.
const NORMAL: &str = "chess";
/// Names in CECP that differ from ours.
const ALIASES: &[(&str, &str)] = &[("normal", NORMAL), ("standard", NORMAL)];

impl XBoard {
    fn new(events: Sender<Event>, say: Say) -> Result<XBoard> {
        let engine = Engine::new(Options { variant: NORMAL, ..Options::default() })?;
        Ok(XBoard {
            say,
            events,
            mirror: Mirror::new(engine.game()),
            engine,
            unsound: None,
            mode: Mode::Force,
            control: TimeControl::default(),
            search: None,
            searches: 0,
            post: Arc::new(AtomicBool::new(false)),
            ponder: false,
            against_engine: false,
            offered: false,
            last_score: None,
            expected: None,
            excluded: Vec::new(),
            pings: Vec::new(),
            marks: Marks::default(),
            by_hand: None,
            paused: None,
            last_info: Arc::default(),
        })
    }

    fn say(&self, line: impl AsRef<str>) {
        (self.say)(line.as_ref());
    }

    /// Does what an event asks for; false when it is time to go. A panic must not end the game: the next
    /// event is handled in any case.
    fn handle(&mut self, event: Event) -> bool {
        let done = catch_unwind(AssertUnwindSafe(|| match event {
            Event::Line(line) => self.obey(&line),
            Event::End => false,
            Event::Done(number, found) => {
                self.done(number, found);
                true
            }
        }));
        done.unwrap_or_else(|_| {
            self.say("# a fault in the engine; the last command was not carried out");
            self.drop_search();
            drop(catch_unwind(AssertUnwindSafe(|| self.go_on())));
            true
        })
    }

    fn obey(&mut self, line: &str) -> bool {
        let (command, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let arguments = arguments.trim();
        // Between the hand and the move XBoard may tell names and times.
        if matches!(command, "new" | "variant" | "force" | "setboard" | "undo" | "remove" | "lift" | "result")
        {
            self.by_hand = None;
        }
        match command {
            "quit" => return false,
            "" | "xboard" | "accepted" | "random" | "name" | "rating" | "ics" | "otim" | "white"
            | "black" | "hover" | "egtpath" | "partner" | "ptell" | "holding" => {}
            "protover" => self.greet(),
            "rejected" => {}
            "new" => self.new_game(),
            "variant" => self.variant(arguments),
            "force" => self.force(),
            "go" => self.go(),
            "playother" => self.play_other(),
            "level" => {
                let plies = self.mirror.plies();
                let read = self.control.level(arguments, plies);
                self.expect(read, line);
            }
            "st" => {
                let read = self.control.exact(arguments);
                self.expect(read, line);
            }
            "sd" => {
                let read = self.control.depth(arguments);
                self.expect(read, line);
            }
            "time" => {
                let read = self.control.left(arguments);
                self.expect(read, line);
            }
            "lift" => self.lift(arguments),
            "put" => self.put(arguments),
            "usermove" => self.user_move(arguments),
            "?" => self.move_now(),
            "ping" => self.ping(arguments),
            "draw" => self.draw(),
            "result" => self.result(),
            "setboard" => self.set_board(arguments),
            "hint" => self.hint(),
            "bk" => {
                self.say(" There is no opening book.");
                self.say("");
            }
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            "hard" => self.hard(),
            "easy" => self.easy(),
            "post" => self.post.store(true, Relaxed),
            "nopost" => self.post.store(false, Relaxed),
            "analyze" => self.analyze(),
            "exit" => self.force(),
            "." => self.status(),
            "memory" => self.set(Id::Hash, arguments, line),
            "cores" => self.set(Id::Threads, arguments, line),
            "option" => self.option(arguments, line),
            "computer" => self.against_engine = true,
            "pause" => self.pause(),
            "resume" => self.resume(),
            "exclude" | "include" => self.choose_moves(command == "exclude", arguments, line),
            _ if self.looks_like_a_move(command) => self.user_move(line),
            _ => self.say(format!("Error (unknown command): {line}")),
        }
        true
    }

    fn expect(&self, read: bool, line: &str) {
        if !read {
            self.say(format!("Error (bad argument): {line}"));
        }
    }

    fn greet(&self) {
        let games: Vec<&str> =
            std::iter::once("normal").chain(NAMES.iter().copied().filter(|&name| name != NORMAL)).collect();
        self.say("feature done=0");
        self.say(format!("feature myname=\"Quintain {}\"", env!("CARGO_PKG_VERSION")));
        self.say(format!("feature variants=\"{}\"", games.join(",")));
        self.say(
            "feature usermove=1 setboard=1 ping=1 playother=1 san=0 time=1 draw=1 sigint=0 sigterm=0 reuse=1 \
             analyze=1 colors=0 name=1 pause=1 nps=0 debug=1 memory=1 smp=1 exclude=1 highlight=1",
        );
        // The game, the table and the threads have commands of their own here, and pondering has too.
        for option in TABLE {
            let kind = match (option.id, option.kind) {
                (Id::Variant | Id::Hash | Id::Threads | Id::Ponder | Id::AnalyseMode | Id::ShowWdl, _) => {
                    continue;
                }
                (_, Kind::Check { default }) => format!("-check {}", u8::from(default)),
                (_, Kind::Spin { default, min, max }) => format!("-spin {default} {min} {max}"),
                (_, Kind::Combo { default, choices }) => {
                    let mark =
                        |&choice: &&str| if choice == default { format!("*{choice}") } else { choice.into() };
                    format!("-combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
                }
                (_, Kind::Button) => "-button".into(),
            };
            self.say(format!("feature option=\"{} {kind}\"", option.name));
        }
        self.say("feature done=1");
    }

    // ---- The game ---------------------------------------------------------------------------------------

    fn new_game(&mut self) {
        self.drop_search();
        self.engine.new_game();
        self.control.new_game();
        self.against_engine = false;
        self.open(NORMAL);
        if self.mode == Mode::Analyze {
            self.go_on();
        } else {
            self.mode = Mode::Play(Color::Black);
        }
    }

    /// Starts the game called `name` from the beginning; false if there is none.
    fn open(&mut self, name: &str) -> bool {
        let known = self.engine.open(name);
        if known {
            self.begin();
        }
        known
    }

    /// Everything that belongs to the game so far is forgotten: the engine has a new position.
    fn begin(&mut self) {
        self.mirror = Mirror::new(self.engine.game());
        self.unsound = None;
        self.offered = false;
        self.last_score = None;
        self.moved_on();
    }

    /// What was said about the last position no longer holds.
    fn moved_on(&mut self) {
        self.expected = None;
        self.excluded.clear();
    }

    fn variant(&mut self, name: &str) {
        self.drop_search();
        // A size may stand before the name: 12x12+0_gast.
        let name = match name.split_once('_') {
            Some((size, name)) if size.starts_with(|c: char| c.is_ascii_digit()) => name,
            _ => name,
        };
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |&(_, name)| name);
        if !self.open(name) {
            self.say(format!("Error (unknown variant): {name}"));
            return;
        }
        for line in position::description(self.engine.game()) {
            self.say(line);
        }
        self.go_on();
    }

    fn force(&mut self) {
        self.drop_search();
        self.mode = Mode::Force;
    }

    fn go(&mut self) {
        self.drop_search();
        // In the middle of a move the turn is not that of the engine's game.
        self.mode = Mode::Play(self.mirror.side());
        self.go_on();
    }

    fn play_other(&mut self) {
        self.drop_search();
        self.mode = Mode::Play(!self.mirror.side());
        self.start_pondering();
    }

    /// Starts the search that belongs to the mode, if any.
    fn go_on(&mut self) {
        if self.search.is_some() || self.mirror.pending() > 0 || self.unsound.is_some() {
            return;
        }
        match self.mode {
            Mode::Play(color) if color == self.engine.game().side() && !self.announce_result() => {
                self.think(Purpose::Move, Duration::ZERO);
            }
            Mode::Analyze if self.engine.game().outcome().is_none() => {
                self.think(Purpose::Analysis, Duration::ZERO)
            }
            _ => {}
        }
    }

    fn announce_result(&self) -> bool {
        let outcome = self.engine.game().outcome();
        if let Some(outcome) = outcome {
            self.say(format!("{} {{{outcome}}}", outcome.score()));
        }
        outcome.is_some()
    }

    fn set_board(&mut self, fen: &str) {
        // XBoard relays a pass in most games by the position after it.
        if self.mirror.pending() > 0
            && self.unsound.is_none()
            && let Ok(foreign) = position::Foreign::read(fen, self.mirror.quirks())
            && (foreign.side == "w") == (self.mirror.side() == Color::Black)
            && foreign.board.resembles(self.mirror.board())
        {
            return self.pass(Some(&foreign.board));
        }
        self.drop_search();
        match position::set_up(self.engine.game_mut(), self.mirror.quirks(), fen) {
            Ok(()) => self.begin(),
            Err(reason) => {
                self.say(format!("tellusererror Illegal position: {reason}"));
                self.unsound = Some(reason);
            }
        }
        self.go_on();
    }

    fn pass(&mut self, board: Option<&Board>) {
        if self.mirror.recognise(self.engine.game(), &Ply::Pass, Completion::Withheld) != Recognised::Nothing
            && let Some(board) = board
        {
            self.mirror.adopt(board);
        }
    }

    /// A person takes a piece: XBoard marks where it may go.
    fn lift(&mut self, square: &str) {
        let ours = matches!(self.mode, Mode::Play(color) if color == self.engine.game().side());
        let over = self.mirror.pending() == 0 && self.engine.game().outcome().is_some();
        self.marks = if ours || over || self.unsound.is_some() {
            Marks::default()
        } else {
            // The squares of pieces in hand lie beside the board.
            let from = self.mirror.numbering().read(square).map(|(from, _)| from);
            Marks::of(&self.mirror, self.engine.game(), from)
        };
        let info = self.engine.game().info();
        self.say(self.marks.command(info.files, info.ranks));
        if let Some(choice) = self.marks.first_choice() {
            self.say(choice);
        }
    }

    /// A person puts the piece somewhere: XBoard offers what it can become there.
    fn put(&mut self, square: &str) {
        let Some((to, _)) = self.mirror.numbering().read(square) else { return };
        self.by_hand = Some(to);
        if let Some(choice) = self.marks.choice(to) {
            self.say(choice);
        }
    }

    fn looks_like_a_move(&self, word: &str) -> bool {
        self.mirror.numbering().parse(word).is_some()
    }

    fn user_move(&mut self, text: &str) {
        let illegal = |xboard: &XBoard, reason: &str| xboard.say(format!("Illegal move ({reason}): {text}"));
        if let Some(reason) = self.unsound.clone() {
            return illegal(self, &reason);
        }
        let thinking = self.search.as_ref().map(|search| &search.purpose);
        if thinking.or(self.paused.as_ref().map(|paused| &paused.purpose)) == Some(&Purpose::Move) {
            return illegal(self, "it is not your turn");
        }
        let numbering = self.mirror.numbering();
        let ply = numbering.parse(text);
        if ply == Some(Ply::Pass) && self.mirror.pending() > 0 {
            return self.pass(None);
        }
        if ply == Some(Ply::Pass) {
            return illegal(self, "nobody may pass");
        }
        let playing = matches!(self.mode, Mode::Play(color) if color != self.engine.game().side())
            && !self.against_engine;
        let helpful = playing || self.by_hand.take().is_some();
        let completion = if helpful { Completion::Allowed } else { Completion::Withheld };
        let recognised = ply
            .map_or(Recognised::Nothing, |ply| self.mirror.recognise(self.engine.game(), &ply, completion));
        match recognised {
            Recognised::Move(text, plies) => {
                for ply in &plies {
                    self.send(ply);
                }
                self.opponent_moved(&text);
            }
            Recognised::Part if helpful && self.mirror.side() != self.engine.game().side() => {
                self.send(&Ply::Pass)
            }
            Recognised::Part => {}
            Recognised::Nothing => self.typed_move(text),
        }
    }

    /// A move in other words, or one that is not legal.
    fn typed_move(&mut self, text: &str) {
        if self.mirror.pending() == 0
            && let Some(named) = self.mirror.named(self.engine.game(), text)
            && self.mirror.show(self.engine.game(), &named).is_some()
        {
            return self.opponent_moved(&named);
        }
        let numbering = self.mirror.numbering();
        match self.engine.game().copy().play(&numbering.ours(text)) {
            Err(error) => self.say(format!("Illegal move ({}): {text}", numbering.show(&error.reason))),
            Ok(_) => self.say(format!("Illegal move: {text}")),
        }
    }

    /// The move is complete, and XBoard knows it.
    fn opponent_moved(&mut self, text: &str) {
        let as_expected = match &self.search {
            Some(Search { purpose: Purpose::Ponder(expected, clock), .. }) => {
                // Less time than we thought that we would have makes the search too slow.
                let time = self.control.remaining();
                expected == text && time + Duration::from_millis(50) >= *clock - *clock / 10
            }
            _ => false,
        };
        if !as_expected {
            self.drop_search();
        }
        if let Err(error) = self.engine.game_mut().play(text) {
            return self.say(format!("# the engine refuses {error}"));
        }
        self.mirror.complete(self.engine.game());
        self.moved_on();
        if as_expected
            && self.engine.game().outcome().is_none()
            && let Some(search) = &mut self.search
        {
            search.purpose = Purpose::Move;
            self.engine.ponder_hit();
            return;
        }
        self.drop_search();
        self.go_on();
    }

    fn send(&mut self, ply: &Ply) {
        for line in self.mirror.numbering().commands(ply) {
            self.say(line);
        }
        self.mirror.send(ply);
    }

    fn take_back(&mut self, plies: usize) {
        self.drop_search();
        let before = self.mirror.pending();
        for _ in 0..plies {
            match self.mirror.undo() {
                Some(true) => {
                    self.engine.game_mut().undo();
                }
                Some(false) => {}
                None => break,
            }
        }
        self.moved_on();
        // A person takes back two plies at a time, and is informed once that a move has more of them.
        let pending = self.mirror.pending();
        if pending > 0 && (before == 0 || pending > before) && matches!(self.mode, Mode::Play(_)) {
            let times = match pending.div_ceil(2) {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            };
            self.say(format!("telluser The last move took several steps in XBoard. Take back {times} more."));
        }
        // XBoard takes back for a person whose turn it is then.
        if self.mode == Mode::Analyze {
            self.go_on();
        }
    }

    // ---- Thinking ---------------------------------------------------------------------------------------

    /// Starts a search; `used` of our time is gone already.
    fn think(&mut self, purpose: Purpose, used: Duration) {
        let plies = self.mirror.plies();
        let limits = match &purpose {
            Purpose::Move => Limits { search_moves: self.wanted_moves(), ..self.control.limits(plies, used) },
            Purpose::Ponder(..) => Limits { ponder: true, ..self.control.limits(plies + 1, Duration::ZERO) },
            Purpose::Analysis => {
                Limits { infinite: true, search_moves: self.wanted_moves(), ..Limits::default() }
            }
        };
        self.searches += 1;
        let number = self.searches;
        let wanted = Arc::new(AtomicBool::new(true));
        let reporter = Reporter {
            say: Arc::clone(&self.say),
            post: Arc::clone(&self.post),
            wanted: Arc::clone(&wanted),
            last: Arc::clone(&self.last_info),
            numbering: self.mirror.numbering(),
            number,
            events: self.events.clone(),
        };
        *lock(&self.last_info) = LastInfo::default();
        let report = move |game: &dyn Session, event: engine::Event| reporter.report(game, event);
        match &purpose {
            Purpose::Ponder(reply, _) => {
                if self.engine.go_after(reply, limits, report).is_err() {
                    return;
                }
            }
            Purpose::Move | Purpose::Analysis => self.engine.go(limits, report),
        }
        self.search = Some(Search { number, purpose, used, wanted });
    }

    /// Ends the search, if there is one, also one that is paused; its result is dropped.
    fn drop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.wanted.store(false, Relaxed);
            self.engine.stop();
        }
        self.paused = None;
        self.answer_pings();
    }

    fn done(&mut self, number: u64, found: Found) {
        let Some(search) = self.search.take_if(|search| search.number == number) else { return };
        let used = search.used + self.engine.elapsed();
        self.engine.stop();
        if found.failed {
            self.say("# a fault in the search");
        }
        if search.purpose == Purpose::Move {
            self.control.moved(used, self.mirror.plies() + 1);
            self.make_move(found);
            self.answer_pings();
            self.start_pondering();
        }
    }

    /// Makes the move that was found. After a panic that is the best one that was reported before.
    fn make_move(&mut self, found: Found) {
        let reported = lock(&self.last_info).pv.first().cloned().filter(|_| found.failed);
        let best = reported.or_else(|| found.pv.first().cloned());
        let Some(best) = best else {
            self.announce_result();
            return;
        };
        self.last_score = Some(found.score);
        if std::mem::take(&mut self.offered) && found.score <= 0 {
            self.say("offer draw");
        }
        let numbering = self.mirror.numbering();
        match self.mirror.show(self.engine.game(), &best) {
            Some(script) => {
                for line in script.iter().flat_map(|ply| numbering.commands(ply)) {
                    self.say(line);
                }
            }
            None => {
                self.say(format!("# XBoard's board cannot follow {best}"));
                self.say(format!("move {}", numbering.show(&best)));
                self.mirror.send(&Ply::Pass);
            }
        }
        if let Err(error) = self.engine.game_mut().play(&best) {
            return self.say(format!("# the engine refuses {error}"));
        }
        self.mirror.complete(self.engine.game());
        self.moved_on();
        self.expected = found.pv.into_iter().nth(1);
        self.announce_result();
    }

    fn start_pondering(&mut self) {
        let ours = matches!(self.mode, Mode::Play(color) if color != self.engine.game().side());
        let busy = self.search.is_some() || self.paused.is_some();
        if !self.ponder || !ours || busy || self.mirror.pending() > 0 {
            return;
        }
        if let Some(reply) = self.expected.clone()
            && self.engine.game().outcome().is_none()
        {
            self.think(Purpose::Ponder(reply, self.control.remaining()), Duration::ZERO);
        }
    }

    fn move_now(&mut self) {
        if let Some(search) = &self.search
            && search.purpose == Purpose::Move
        {
            self.engine.stopper().stop();
        }
    }

    /// Our move comes first, if we think about one.
    fn ping(&mut self, number: &str) {
        self.pings.push(number.to_owned());
        if self.search.as_ref().is_none_or(|search| search.purpose != Purpose::Move) {
            self.answer_pings();
        }
    }

    fn answer_pings(&mut self) {
        for ping in std::mem::take(&mut self.pings) {
            self.say(format!("pong {ping}"));
        }
    }

    fn draw(&mut self) {
        let our_turn = matches!(self.mode, Mode::Play(color) if color == self.engine.game().side());
        self.offered = true;
        if !our_turn && self.last_score.is_some_and(|score| score <= 0) {
            self.say("offer draw");
        }
    }

    fn result(&mut self) {
        self.drop_search();
        self.mode = Mode::Force;
        self.say(format!("# the last position: {}", self.engine.game().fen()));
    }

    fn hint(&mut self) {
        let mut found = self.expected.clone();
        let idle = self.search.is_none() && self.unsound.is_none();
        if found.is_none() && idle && self.engine.game().outcome().is_none() {
            let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
            let info = catch_unwind(AssertUnwindSafe(|| self.engine.analyse(&limits, &())));
            found = info.ok().and_then(|info| self.engine.game().coordinates(&info.pv).into_iter().next());
        }
        if let Some(found) = found {
            self.say(format!("Hint: {}", self.mirror.word(self.engine.game(), &found)));
        }
    }

    fn hard(&mut self) {
        self.ponder = true;
        self.start_pondering();
    }

    fn easy(&mut self) {
        self.ponder = false;
        if self.search.as_ref().is_some_and(|search| matches!(search.purpose, Purpose::Ponder(..))) {
            self.drop_search();
        }
    }

    fn analyze(&mut self) {
        self.drop_search();
        self.mode = Mode::Analyze;
        self.go_on();
    }

    fn status(&self) {
        if self.search.is_none() {
            return;
        }
        let LastInfo { info, pv } = lock(&self.last_info).clone();
        let moves = self.engine.game().moves().len();
        let name = pv.first().map(|first| self.mirror.numbering().show(first)).unwrap_or_default();
        let centis = self.engine.elapsed().as_millis() / 10;
        self.say(format!("stat01: {centis} {} {} 0 {moves} {name}", info.nodes, info.depth).trim_end());
    }

    /// The moves that are searched, if not all.
    fn wanted_moves(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let game = self.engine.game();
        let wanted = game.moves().into_iter().filter(|text| !self.excluded.contains(text));
        wanted.filter_map(|text| game.find(&text).ok()).collect()
    }

    fn choose_moves(&mut self, exclude: bool, argument: &str, line: &str) {
        let chosen = if argument == "all" {
            self.engine.game().moves()
        } else {
            match self.mirror.named(self.engine.game(), argument) {
                Some(text) => vec![text],
                None => return self.say(format!("Error (no such move): {line}")),
            }
        };
        self.excluded.retain(|text| !chosen.contains(text));
        if exclude {
            self.excluded.extend(chosen);
        }
        if self.mode == Mode::Analyze {
            self.drop_search();
            // Without a move to look at there is nothing to think about.
            if self.excluded.is_empty() || !self.wanted_moves().is_empty() {
                self.go_on();
            }
        }
    }

    fn pause(&mut self) {
        // In a pause there is nothing to interrupt.
        let Some(search) = &self.search else { return };
        let paused = Paused { purpose: search.purpose.clone(), used: search.used + self.engine.elapsed() };
        self.drop_search();
        self.paused = Some(paused);
    }

    fn resume(&mut self) {
        if let Some(Paused { purpose, used }) = self.paused.take() {
            self.think(purpose, used);
        }
    }

    // ---- Options ----------------------------------------------------------------------------------------

    fn set(&mut self, id: Id, value: &str, line: &str) {
        let Some(option) = TABLE.iter().find(|option| option.id == id) else { return };
        // A GUI does not know our bounds.
        let bounded = match (option.kind, value.parse::<i64>()) {
            (Kind::Spin { min, max, .. }, Ok(number)) => number.clamp(min, max).to_string(),
            _ => value.to_owned(),
        };
        self.option(&format!("{}={bounded}", option.name), line);
    }

    fn option(&mut self, argument: &str, line: &str) {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value)),
            None => (argument, None),
        };
        let analyses = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Analysis);
        // Only an idle engine forgets.
        if self.search.is_some() && !analyses && name.eq_ignore_ascii_case("Clear Hash") {
            return;
        }
        match self.engine.set_option(name, value) {
            // An analysis begins again, so that what was set is seen at once: the number of lines, say.
            Ok(_) if analyses => {
                self.drop_search();
                self.go_on();
            }
            Ok(_) => {}
            Err(error @ EngineError::Resize { .. }) => self.say(format!("# {error}")),
            Err(error) => self.say(format!("Error ({error}): {line}")),
        }
    }
}

/// How long a hint may take.
const HINT_NODES: u64 = 50_000;

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a search reported last.
#[derive(Clone, Default)]
struct LastInfo {
    info: Info,
    /// The line as coordinates.
    pv: Vec<String>,
}

/// Reports what a search finds, in its thread.
struct Reporter {
    say: Say,
    post: Arc<AtomicBool>,
    wanted: Arc<AtomicBool>,
    last: Arc<Mutex<LastInfo>>,
    numbering: text::Numbering,
    number: u64,
    events: Sender<Event>,
}

impl Reporter {
    fn report(&self, game: &dyn Session, event: engine::Event) {
        match event {
            engine::Event::Info(info) if self.wanted.load(Relaxed) => {
                let last = LastInfo { info: info.clone(), pv: game.coordinates(&info.pv) };
                if self.post.load(Relaxed) {
                    (self.say)(&thinking(&last, self.numbering));
                }
                *lock(&self.last) = last;
            }
            engine::Event::Info(_) | engine::Event::CurrentMove { .. } => {}
            engine::Event::Done(info) | engine::Event::Failed(info) => {
                let failed = matches!(event, engine::Event::Failed(_));
                let found = Found { pv: game.coordinates(&info.pv), score: info.score, failed };
                drop(self.events.send(Event::Done(self.number, found)));
            }
        }
    }
}

/// `ply score time nodes selective-depth speed tablebase-hits`, a tab, and the line.
fn thinking(LastInfo { info, pv }: &LastInfo, numbering: text::Numbering) -> String {
    let score = match info.score.into() {
        UciScore::Mate(moves) if moves > 0 => 100_000 + moves,
        UciScore::Mate(moves) => -100_000 + moves,
        UciScore::Centipawns(score) => score,
    };
    let speed = info.nodes.saturating_mul(1000) / info.millis.max(1);
    let line: Vec<String> = pv.iter().map(|text| numbering.show(text)).collect();
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    let Info { depth, selective_depth, nodes, millis, .. } = info;
    format!("{depth} {score} {} {nodes} {selective_depth} {speed} 0\t{}{bound}", millis / 10, line.join(" "))
}

#[cfg(test)]
mod tests;
