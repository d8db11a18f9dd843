//! The game in progress: who plays it, its clocks, its variations, and the engine. It lives in a thread of its own, handles
//! one message after the other, and sends events to all pages.

use super::clock::{Clocks, TimeControl};
use super::record;
use super::saved::{Folder, SavedGame, SavedNode};
use super::tree::{Node, NodeId, Tree};
use super::view::{
    self, End, EngineSettings, GameView, LineView, MoveView, NodeView, PositionView, ScoreView, Status,
};
use crate::board::Color;
use crate::engine::skill::FULL;
use crate::engine::{self, Engine, Event as EngineEvent, MoveInfo, Options, Session, Stopper};
use crate::notation::pgn::Ply;
use crate::search::{Bound, Clock, Info, Limits, Score};
use crate::tools::analyse::{self, Analyst, Judged};
use crate::tools::games::Step;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, oneshot};

/// The most lines that analysis shows.
pub const MAX_LINES: usize = 5;
/// The most memory of the engine, in MiB.
pub const MAX_HASH: usize = 4096;
/// How long to think about a hint, or whether to take a draw.
const HINT: Duration = Duration::from_secs(1);
/// How long a position is analysed at most.
const ANALYSIS: Duration = Duration::from_secs(600);
/// How long to think about each move of a game that is annotated.
const ANNOTATION: Duration = Duration::from_millis(400);
/// Memory for that, in MiB.
const ANNOTATION_HASH: usize = 16;
/// How much of a better line is added to the game.
const BETTER_LINE: usize = 6;
/// How often new lines are sent.
const LINES_EVERY: Duration = Duration::from_millis(40);
/// Before so many plies nobody can know whether it is a draw.
const TOO_EARLY: usize = 20;
/// More positions than any game has, with its variations.
const MAX_NODES: usize = 5000;
/// The longest comment, in bytes.
const MAX_COMMENT: usize = 10_000;
/// Browsers keep at most six connections to a server; one more page would hang.
const MAX_SEATS: usize = 5;
/// Events that a slow page may be behind before it has to load again.
const EVENTS: usize = 1024;

/// What a page may ask for.
#[derive(Deserialize, Debug)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Begins a game.
    New(Settings),
    /// Begins again with the same settings; a person who plays the engine changes sides.
    Rematch,
    /// Plays a move, as coordinates or as people write it. After the last position it goes on with the game, elsewhere it
    /// adds a variation.
    Play { node: NodeId, text: String },
    /// The legal moves after a position.
    Moves { node: NodeId },
    /// Takes back to the last position in which a person was to move.
    TakeBack,
    /// The person gives up.
    Resign,
    /// The person offers a draw.
    OfferDraw,
    /// What would the engine play?
    Hint,
    /// The engine stops thinking and moves.
    MoveNow,
    /// Stops the engine's play, or lets it go on.
    Pause { on: bool },
    /// How well the engine plays.
    Level { level: u32 },
    /// Which sides the engine plays: White, Black.
    Players { engine: [bool; 2] },
    /// Shows the best lines of a position; of none without a position.
    Analyse { node: Option<NodeId> },
    /// What the engine may use.
    Engine(EngineSettings),
    /// Looks for the mistakes of the game, or stops that.
    Annotate { on: bool },
    /// Sets the comment on a position.
    Comment { node: NodeId, text: String },
    /// Removes a variation from this position on.
    Remove { node: NodeId },
    /// Sets up a position from a FEN, or a game from a PGN.
    Load { text: String },
    /// The game as PGN.
    Pgn,
    /// The rules of a game.
    Rules { game: String },
    /// A position for the editor: that of a FEN.
    Position { game: String, fen: String },
    /// The FEN of a position of the editor, and what is wrong with it.
    Compose { game: String, pieces: Vec<String>, fields: String },
}

/// A game to begin.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub game: String,
    #[serde(default)]
    pub fen: Option<String>,
    /// Does the engine play White, Black?
    pub engine: [bool; 2],
    pub level: u32,
    /// How long the engine may think about a move where there is no clock.
    pub seconds: f64,
    #[serde(default)]
    pub clock: Option<TimeControl>,
}

impl Settings {
    /// A person against the engine at full strength.
    pub fn of(game: &str) -> Settings {
        let engine = [false, true];
        Settings { game: game.into(), fen: None, engine, level: FULL, seconds: 2.0, clock: None }
    }

    fn check(&self) -> Result<()> {
        open(&self.game)?;
        let Settings { level, seconds, .. } = self;
        ensure!(*level <= FULL, "level: {level} is not from 0 to {FULL}");
        ensure!((0.01..=3600.0).contains(seconds), "seconds: {seconds} is not from 0.01 to 3600");
        if let Some(TimeControl { minutes, increment }) = self.clock {
            ensure!((0.05..=600.0).contains(&minutes), "minutes: {minutes} is not from 0.05 to 600");
            ensure!((0.0..=600.0).contains(&increment), "increment: {increment} is not from 0 to 600");
        }
        Ok(())
    }
}

fn open(game: &str) -> Result<Box<dyn Session>> {
    engine::open(game).with_context(|| format!("there is no game called '{game}'"))
}

/// How many threads the engine may use.
pub fn max_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// An event for pages: its name and its data as JSON.
#[derive(Clone)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
}

impl Event {
    fn new(name: &'static str, data: &impl Serialize) -> Event {
        Event { name, data: serde_json::to_string(data).expect("data as JSON").into() }
    }
}

/// What a page gets that begins to listen.
pub struct Joined {
    /// Its number.
    pub seat: u64,
    /// Everything until now.
    pub events: Vec<Event>,
    /// Everything from now on.
    pub receiver: broadcast::Receiver<Event>,
}

/// What the room receives.
pub enum Message {
    /// A page asks; the answer is a value, or what was wrong.
    Command(Command, oneshot::Sender<Result<Value, String>>),
    /// A page begins to listen.
    Join(oneshot::Sender<Joined>),
    /// A page listens no longer.
    Leave(u64),
    /// A search found a line.
    Line(u64, LineView),
    /// A search is over, with this move and this score for the side to move.
    Done(u64, Option<String>, Score),
    /// So many moves are annotated, the last one with this judgement.
    Judged(u64, usize, Judgement),
    /// Annotation is over, with a summary unless it was stopped.
    Annotated(u64, Option<String>),
}

/// What annotation says about a move.
pub struct Judgement {
    mark: &'static str,
    score: ScoreView,
    /// What would have been better, in a few words; nothing if the move was no mistake.
    comment: String,
    /// The better line, as people write it.
    better: Vec<String>,
}

impl From<&Judged> for Judgement {
    fn from(judged: &Judged) -> Judgement {
        let comment = judged.better();
        let shown = if comment.is_some() { BETTER_LINE } else { 0 };
        Judgement {
            mark: judged.mark(),
            score: ScoreView::new(judged.score(), judged.side),
            better: judged.best_line().iter().take(shown).cloned().collect(),
            comment: comment.unwrap_or_default(),
        }
    }
}

/// Why the engine searches.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    Move,
    Hint,
    Draw,
    Analysis,
}

struct Search {
    number: u64,
    purpose: Purpose,
}

/// A position that is analysed.
struct Analysis {
    node: NodeId,
    lines: BTreeMap<usize, LineView>,
    /// The search has ended by itself.
    finished: bool,
    /// When lines are to be sent that were not sent yet.
    due: Option<Instant>,
}

impl Analysis {
    fn of(node: NodeId) -> Analysis {
        Analysis { node, lines: BTreeMap::new(), finished: false, due: None }
    }
}

/// A game that is being annotated.
struct Annotation {
    number: u64,
    cancel: Arc<AtomicBool>,
    /// The positions after its moves.
    nodes: Vec<NodeId>,
    done: usize,
}

/// A game in progress, the engine, and the pages that listen.
pub struct Room {
    engine: Engine,
    limits: EngineSettings,
    settings: Settings,
    tree: Tree,
    /// The last position of the game.
    live: NodeId,
    /// The game at this position.
    session: Box<dyn Session>,
    /// An end that does not follow from the position: a resignation, an agreed draw, lack of time.
    end: Option<End>,
    clocks: Option<Clocks>,
    paused: bool,
    hint: Option<MoveView>,
    notice: Option<String>,
    search: Option<Search>,
    analysis: Option<Analysis>,
    annotation: Option<Annotation>,
    /// Number of the last search or annotation.
    last_number: u64,
    folder: Option<Folder>,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    events: broadcast::Sender<Event>,
    /// The pages that listen, oldest first.
    seats: VecDeque<u64>,
    last_seat: u64,
}

impl Room {
    /// A room in which the game of this name goes on where it was left, or begins.
    pub fn new(game: &str, folder: Option<Folder>) -> Result<Room> {
        let limits = EngineSettings { threads: 1, hash: 64, lines: 3 };
        let engine = Engine::new(Options { hash: limits.hash, ..Options::default() })?;
        let (sender, receiver) = channel();
        let session = engine.game().copy();
        let tree = Tree::new(&*session, 0);
        let mut room = Room {
            engine,
            limits,
            settings: Settings::of(game),
            live: tree.root(),
            tree,
            session,
            end: None,
            clocks: None,
            paused: false,
            hint: None,
            notice: None,
            search: None,
            analysis: None,
            annotation: None,
            last_number: 0,
            folder,
            sender,
            receiver,
            events: broadcast::channel(EVENTS).0,
            seats: VecDeque::new(),
            last_seat: 0,
        };
        let resumed = match room.folder.as_ref().and_then(|folder| folder.read(game)) {
            Some(saved) => saved.and_then(|saved| room.resume(saved)).map(|()| true),
            None => Ok(false),
        };
        match resumed {
            Ok(true) => {}
            Ok(false) => room.begin(Settings::of(game))?,
            // A file that cannot be read must not keep anybody from playing.
            Err(error) => {
                room.begin(Settings::of(game))?;
                room.notice = Some(format!("The saved game could not be read: {error:#}."));
            }
        }
        Ok(room)
    }

    /// Where to send messages.
    pub fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// What stops the engine.
    pub fn stopper(&self) -> Stopper {
        self.engine.stopper()
    }

    /// Handles messages until the program ends.
    pub fn run(mut self) {
        loop {
            self.start_search();
            let message = match self.deadline() {
                None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => self.receiver.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Command(command, reply)) => {
                    self.notice = None;
                    let answer = self.handle(command).map_err(|error| format!("{error:#}"));
                    self.start_search();
                    self.send_status();
                    // A page that is gone needs no answer.
                    drop(reply.send(answer));
                }
                Ok(Message::Join(reply)) => self.join(reply),
                Ok(Message::Leave(seat)) => {
                    self.seats.retain(|&other| other != seat);
                    if self.seats.is_empty() {
                        self.stop();
                        self.stop_clocks();
                    }
                }
                Ok(Message::Line(number, line)) if self.is_current(number) => self.add_line(line),
                Ok(Message::Done(number, best, score)) if self.is_current(number) => self.found(best, score),
                Ok(Message::Judged(number, done, judgement)) => self.judged(number, done, judgement),
                Ok(Message::Annotated(number, summary)) => self.annotated(number, summary),
                Ok(Message::Line(..) | Message::Done(..)) => {}
                Err(RecvTimeoutError::Timeout) => self.on_time(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn handle(&mut self, command: Command) -> Result<Value> {
        match command {
            Command::New(settings) => self.begin(settings)?,
            Command::Rematch => {
                let [white, black] = self.settings.engine;
                self.begin(Settings { engine: [black, white], ..self.settings.clone() })?;
            }
            Command::Play { node, text } => return Ok(json!(self.play_at(node, &text)?)),
            Command::Moves { node } => return Ok(json!(view::moves(&*self.session_at(node)?))),
            Command::TakeBack => self.take_back()?,
            Command::Resign => {
                ensure!(self.outcome().is_none(), "the game is over");
                let loser = self.person().unwrap_or(self.side());
                self.finish(End::won(!loser, format!("{loser} resigns")));
            }
            Command::OfferDraw => self.offer_draw()?,
            Command::Hint => {
                ensure!(self.outcome().is_none() && !self.engine_is_to_move(), "it is not your turn");
                self.search(Purpose::Hint, self.live)?;
            }
            Command::MoveNow => {
                if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move) {
                    self.engine.stopper().stop();
                }
            }
            Command::Pause { on } => {
                self.stop();
                self.paused = on;
            }
            Command::Level { level } => {
                let settings = Settings { level, ..self.settings.clone() };
                settings.check()?;
                self.settings = settings;
            }
            Command::Players { engine } => {
                self.stop();
                self.settings.engine = engine;
                self.paused = false;
            }
            Command::Analyse { node } => self.analyse(node)?,
            Command::Engine(limits) => self.set_limits(limits)?,
            Command::Annotate { on } => {
                self.stop_annotation();
                if on {
                    self.annotate()?;
                }
            }
            Command::Comment { node, text } => {
                ensure!(text.len() <= MAX_COMMENT, "the comment is too long");
                self.tree.get_mut(node).context("there is no such position")?.comment = text;
                self.send_node(node);
                self.save();
            }
            Command::Remove { node } => {
                ensure!(node != self.tree.root(), "the first position cannot be removed");
                ensure!(!self.tree.path(self.live).contains(&node), "it is not in a variation");
                self.remove(node);
                self.save();
            }
            Command::Load { text } => self.load(&text)?,
            Command::Pgn => return Ok(json!(self.pgn())),
            Command::Rules { game } => return Ok(json!(open(&game)?.info().rules)),
            Command::Position { game, fen } => {
                let mut session = open(&game)?;
                session.set_position(Some(fen.trim()).filter(|fen| !fen.is_empty()), &[])?;
                return Ok(json!(PositionView::from(&*session)));
            }
            Command::Compose { game, pieces, fields } => {
                let mut session = open(&game)?;
                let fen = view::fen(&*session, &pieces, &fields);
                let wrong = session.set_position(Some(&fen), &[]).err().map(|error| error.to_string());
                return Ok(json!({ "fen": fen, "error": wrong }));
            }
        }
        Ok(Value::Null)
    }

    // ---- The game ---------------------------------------------------------------------------------------

    fn side(&self) -> Color {
        self.session.side()
    }

    fn plies(&self) -> usize {
        self.tree.path(self.live).len()
    }

    fn engine_is_to_move(&self) -> bool {
        self.settings.engine[self.side().index()]
    }

    /// The side of the person who plays the engine.
    fn person(&self) -> Option<Color> {
        match self.settings.engine {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    fn outcome(&self) -> Option<End> {
        self.end.clone().or_else(|| self.session.outcome().map(End::of))
    }

    /// The game at a position.
    fn session_at(&self, node: NodeId) -> Result<Box<dyn Session>> {
        ensure!(self.tree.get(node).is_some(), "there is no such position");
        if node == self.live {
            return Ok(self.session.copy());
        }
        let mut session = open(&self.settings.game)?;
        let start = &self.tree.view(self.tree.root()).position.fen;
        session.set_position(Some(start), &self.tree.moves(node))?;
        Ok(session)
    }

    /// Makes a position the last one of the game.
    fn go_to(&mut self, node: NodeId) -> Result<()> {
        self.session = self.session_at(node)?;
        self.live = node;
        Ok(())
    }

    fn begin(&mut self, settings: Settings) -> Result<()> {
        settings.check()?;
        let fen = settings.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty()).map(str::to_owned);
        let mut session = open(&settings.game)?;
        session.set_position(fen.as_deref(), &[])?;
        self.stop();
        self.stop_annotation();
        self.engine.open(&settings.game);
        self.engine.new_game();
        self.tree = Tree::new(&*session, self.tree.next());
        self.live = self.tree.root();
        self.session = session;
        self.clocks = settings.clock.map(Clocks::new);
        self.settings = Settings { fen, ..settings };
        self.end = None;
        self.paused = false;
        self.hint = None;
        self.analysis = self.analysis.take().map(|_| Analysis::of(self.live));
        self.send_game();
        self.save();
        Ok(())
    }

    fn play_at(&mut self, node: NodeId, text: &str) -> Result<NodeId> {
        ensure!(self.tree.len() < MAX_NODES, "the game is too long");
        if node == self.live && self.outcome().is_none() {
            ensure!(!self.engine_is_to_move(), "it is the engine's turn");
            self.stop();
            return self.play(text);
        }
        let may_vary =
            self.outcome().is_some() || self.settings.engine == [false; 2] || self.analysis.is_some();
        ensure!(may_vary, "the game has gone on; turn on the analysis to try another move");
        let mut session = self.session_at(node)?;
        let (child, is_new) = self.tree.play(node, &mut *session, |session| play_any(session, text))?;
        if is_new {
            self.send_node(child);
            self.save();
        }
        Ok(child)
    }

    /// Plays the next move of the game.
    fn play(&mut self, text: &str) -> Result<NodeId> {
        let side = self.side();
        let (child, _) = self.tree.play(self.live, &mut *self.session, |session| play_any(session, text))?;
        self.live = child;
        self.hint = None;
        let (begun, over) = (self.plies() >= 2, self.outcome().is_some());
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
            clocks.add_increment(side);
            // The clocks run once both have moved.
            if begun && !over {
                clocks.start(!side);
            }
        }
        self.send_node(child);
        self.save();
        Ok(child)
    }

    fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    fn finish(&mut self, end: End) {
        self.stop();
        self.stop_clocks();
        self.end = Some(end);
        self.hint = None;
        self.save();
    }

    fn take_back(&mut self) -> Result<()> {
        ensure!(self.live != self.tree.root(), "there is no move to take back");
        self.stop();
        self.stop_annotation();
        self.stop_clocks();
        self.end = None;
        self.hint = None;
        let mut removed = self.live;
        loop {
            removed = if self.session.undo() { self.live } else { removed };
            self.live = self.tree.view(self.live).parent.unwrap_or(self.live);
            if self.live == self.tree.root() || !self.engine_is_to_move() {
                break;
            }
        }
        // If only the engine's first move is left, it waits until it is told to go on.
        self.paused = self.engine_is_to_move();
        self.remove(removed);
        self.save();
        Ok(())
    }

    fn remove(&mut self, node: NodeId) {
        self.tree.remove(node);
        if self.analysis.as_ref().is_some_and(|analysis| self.tree.get(analysis.node).is_none()) {
            self.stop();
            self.analysis = Some(Analysis::of(self.live));
        }
        self.send(Event::new("removed", &node));
    }

    fn offer_draw(&mut self) -> Result<()> {
        ensure!(self.outcome().is_none(), "the game is over");
        if self.settings.engine == [false, false] {
            self.finish(End::draw("Draw by agreement".into()));
            return Ok(());
        }
        ensure!(!self.engine_is_to_move(), "it is not your turn");
        if self.plies() < TOO_EARLY {
            bail!("the engine says that it is too early for a draw");
        }
        self.search(Purpose::Draw, self.live)
    }

    // ---- Searches ---------------------------------------------------------------------------------------

    fn is_current(&self, number: u64) -> bool {
        self.search.as_ref().is_some_and(|search| search.number == number)
    }

    /// Starts a search if the engine is to move, or if a position is to be analysed; but only while somebody looks on.
    fn start_search(&mut self) {
        if self.search.is_some() || self.seats.is_empty() {
            return;
        }
        let wanted = match &self.analysis {
            _ if self.engine_is_to_move() && !self.paused && self.outcome().is_none() => {
                (Purpose::Move, self.live)
            }
            Some(analysis) if !analysis.finished => (Purpose::Analysis, analysis.node),
            _ => return,
        };
        if let Err(error) = self.search(wanted.0, wanted.1) {
            self.notice = Some(format!("The engine cannot think: {error:#}."));
            self.paused = true;
        }
        self.send_status();
    }

    fn search(&mut self, purpose: Purpose, node: NodeId) -> Result<()> {
        self.stop();
        let session = self.session_at(node)?;
        if session.moves().is_empty() {
            if let Some(analysis) = &mut self.analysis {
                analysis.finished = true;
            }
            return Ok(());
        }
        let start = self.tree.view(self.tree.root()).position.fen.clone();
        self.engine.game_mut().set_position(Some(&start), &self.tree.moves(node))?;
        let level = if purpose == Purpose::Move { self.settings.level } else { FULL };
        let lines = if purpose == Purpose::Analysis { self.limits.lines } else { 1 };
        self.engine.set_option("Skill Level", Some(&level.to_string()))?;
        self.engine.set_option("MultiPV", Some(&lines.to_string()))?;
        let limits = match purpose {
            Purpose::Move => self.limits_of_move(),
            Purpose::Hint | Purpose::Draw => Limits { move_time: Some(HINT), ..Limits::default() },
            Purpose::Analysis => Limits { move_time: Some(ANALYSIS), ..Limits::default() },
        };
        self.last_number += 1;
        let (number, sender) = (self.last_number, self.sender.clone());
        self.engine.go(limits, move |position, event| match event {
            EngineEvent::Info(info) if purpose == Purpose::Analysis && info.bound == Bound::Exact => {
                drop(sender.send(Message::Line(number, line(position, info))));
            }
            EngineEvent::Info(_) | EngineEvent::CurrentMove { .. } => {}
            EngineEvent::Done(info) | EngineEvent::Failed(info) => {
                let best = position.coordinates(&info.pv).into_iter().next();
                drop(sender.send(Message::Done(number, best, info.score)));
            }
        });
        self.search = Some(Search { number, purpose });
        Ok(())
    }

    fn limits_of_move(&self) -> Limits {
        let Some(clocks) = &self.clocks else {
            let time = Duration::from_secs_f64(self.settings.seconds);
            return Limits { move_time: Some(time), ..Limits::default() };
        };
        let (left, increment) = (clocks.left()[self.side().index()], clocks.increment());
        Limits { clock: Some(Clock { left, increment, moves_to_go: 0 }), ..Limits::default() }
    }

    /// Ends the search; what it still sends is not for anybody.
    fn stop(&mut self) {
        self.search = None;
        self.engine.stop();
    }

    fn found(&mut self, best: Option<String>, score: Score) {
        let Some(search) = self.search.take() else { return };
        let side = self.side();
        match (search.purpose, best) {
            (Purpose::Move, Some(best)) => {
                if let (Ok(node), FULL) = (self.play(&best), self.settings.level)
                    && let Some(node) = self.tree.get_mut(node)
                {
                    node.score = Some(ScoreView::new(score, side));
                }
            }
            (Purpose::Hint, Some(best)) => {
                let moves = self.session.moves_in_full();
                self.hint = moves.iter().find(|mv| mv.text == best).map(MoveView::from);
            }
            (Purpose::Draw, _) if score >= 0 => self.finish(End::draw("Draw by agreement".into())),
            (Purpose::Draw, _) => {
                self.notice = Some("The engine thinks that it is better, and plays on.".into());
            }
            (Purpose::Analysis, _) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.finished = true;
                }
            }
            (Purpose::Move | Purpose::Hint, None) => {}
        }
        self.send_status();
    }

    fn analyse(&mut self, node: Option<NodeId>) -> Result<()> {
        ensure!(node.is_none_or(|node| self.tree.get(node).is_some()), "there is no such position");
        if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Analysis) {
            self.stop();
        }
        self.analysis = node.map(Analysis::of);
        self.send_lines();
        Ok(())
    }

    fn add_line(&mut self, line: LineView) {
        let Some(analysis) = &mut self.analysis else { return };
        if let (1, Some(node)) = (line.number, self.tree.get_mut(analysis.node)) {
            node.score = Some(line.score.clone());
        }
        analysis.lines.insert(line.number, line);
        analysis.due.get_or_insert_with(|| Instant::now() + LINES_EVERY);
    }

    fn set_limits(&mut self, limits: EngineSettings) -> Result<()> {
        let EngineSettings { threads, hash, lines } = limits;
        let most = max_threads();
        ensure!((1..=most).contains(&threads), "threads: {threads} is not from 1 to {most}");
        ensure!((1..=MAX_HASH).contains(&hash), "memory: {hash} is not from 1 to {MAX_HASH}");
        ensure!((1..=MAX_LINES).contains(&lines), "lines: {lines} is not from 1 to {MAX_LINES}");
        self.stop();
        self.engine.set_option("Threads", Some(&threads.to_string()))?;
        self.engine.set_option("Hash", Some(&hash.to_string()))?;
        self.limits = limits;
        self.analysis = self.analysis.take().map(|analysis| Analysis::of(analysis.node));
        Ok(())
    }

    // ---- Annotation -------------------------------------------------------------------------------------

    fn annotate(&mut self) -> Result<()> {
        let nodes = self.tree.path(self.live);
        ensure!(!nodes.is_empty(), "there are no moves yet");
        self.stop();
        let options = Options {
            hash: ANNOTATION_HASH,
            move_overhead: Duration::ZERO,
            skill_level: FULL,
            multi_pv: 1,
            ..self.engine.options().clone()
        };
        let limits = Limits { move_time: Some(ANNOTATION), ..Limits::default() };
        let mut analyst = Analyst { engine: Engine::new(options)?, limits };
        let start = &self.tree.view(self.tree.root()).position.fen;
        analyst.engine.game_mut().set_position(Some(start), &[])?;
        let step = |text: &str| Step { text: text.into(), comment: None };
        let steps: Vec<Step> = self.tree.moves(self.live).into_iter().map(step).collect();
        self.last_number += 1;
        let (number, sender, cancel) = (self.last_number, self.sender.clone(), Arc::<AtomicBool>::default());
        self.annotation = Some(Annotation { number, cancel: Arc::clone(&cancel), nodes, done: 0 });
        let work = move || {
            let mut done = 0;
            let judged = analyst.judge(&steps, |judged| {
                done += 1;
                drop(sender.send(Message::Judged(number, done, judged.into())));
                if cancel.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let summary = judged.ok().filter(|judged| judged.len() == steps.len());
            drop(sender.send(Message::Annotated(number, summary.map(|judged| analyse::summary(&judged)))));
        };
        thread::Builder::new().name("annotate".into()).spawn(work).context("cannot start a thread")?;
        Ok(())
    }

    fn stop_annotation(&mut self) {
        if let Some(annotation) = self.annotation.take() {
            annotation.cancel.store(true, Relaxed);
        }
    }

    fn judged(&mut self, number: u64, done: usize, judgement: Judgement) {
        let Some(annotation) = self.annotation.as_mut().filter(|other| other.number == number) else {
            return;
        };
        annotation.done = done;
        let id = annotation.nodes[done - 1];
        let Some(node) = self.tree.get_mut(id) else { return };
        node.mark = judgement.mark.into();
        node.score = Some(judgement.score);
        // A second annotation says the same.
        if !node.comment.contains(&judgement.comment) {
            node.comment = format!("{} {}", node.comment, judgement.comment).trim().to_owned();
        }
        let parent = node.parent;
        self.send_node(id);
        if let Some(parent) = parent {
            self.add_variation(parent, &judgement.better);
        }
        self.send_status();
    }

    fn annotated(&mut self, number: u64, summary: Option<String>) {
        if self.annotation.as_ref().is_some_and(|other| other.number == number) {
            self.annotation = None;
            let root = self.tree.root();
            if let (Some(summary), Some(node)) = (summary, self.tree.get_mut(root)) {
                node.comment = summary;
                self.send_node(root);
            }
            self.save();
            self.send_status();
        }
    }

    /// Adds moves after a position, as far as they are legal.
    fn add_variation(&mut self, mut node: NodeId, moves: &[String]) {
        let Ok(mut session) = self.session_at(node) else { return };
        for san in moves {
            let Ok((child, is_new)) = self.tree.play(node, &mut *session, |session| play_any(session, san))
            else {
                return;
            };
            if is_new {
                self.send_node(child);
            }
            node = child;
        }
    }

    // ---- Time -------------------------------------------------------------------------------------------

    /// When something happens by itself.
    fn deadline(&self) -> Option<Instant> {
        let flag = self.clocks.as_ref().and_then(Clocks::deadline).map(|(_, at)| at);
        let lines = self.analysis.as_ref().and_then(|analysis| analysis.due);
        flag.into_iter().chain(lines).min()
    }

    fn on_time(&mut self) {
        let now = Instant::now();
        if self.analysis.as_ref().and_then(|analysis| analysis.due).is_some_and(|due| due <= now) {
            self.send_lines();
        }
        if let Some((side, at)) = self.clocks.as_ref().and_then(Clocks::deadline)
            && at <= now
        {
            self.finish(End::won(!side, format!("{side} has no time left")));
            self.send_status();
        }
    }

    // ---- Files ------------------------------------------------------------------------------------------

    fn load(&mut self, text: &str) -> Result<()> {
        let record = record::read(text, &self.settings.game)?;
        let settings = Settings {
            game: record.game,
            fen: record.fen,
            engine: [false; 2],
            clock: None,
            ..self.settings.clone()
        };
        self.begin(settings)?;
        ensure!(record.moves.len() < MAX_NODES, "the game is too long");
        let last = self.add_plies(self.live, &record.moves)?;
        self.go_to(last)?;
        let root = self.tree.root();
        if let Some(node) = self.tree.get_mut(root) {
            node.comment = record.comment;
        }
        if self.outcome().is_none() {
            self.end = record.end;
        }
        self.send_game();
        self.save();
        Ok(())
    }

    /// Adds the moves of a record, which are legal, and its variations as far as they are.
    fn add_plies(&mut self, mut node: NodeId, plies: &[Ply]) -> Result<NodeId> {
        let mut session = self.session_at(node)?;
        for ply in plies {
            ensure!(self.tree.len() < MAX_NODES, "the game is too long");
            let (child, _) = self.tree.play(node, &mut *session, |session| play_any(session, &ply.san))?;
            if let (Some(child), Some(comment)) = (self.tree.get_mut(child), &ply.comment) {
                child.comment.clone_from(comment);
            }
            for variation in &ply.variations {
                // What is wrong in a variation does not spoil the game.
                drop(self.add_plies(node, variation));
            }
            node = child;
        }
        Ok(node)
    }

    fn pgn(&self) -> String {
        let result = self.outcome().map_or("*".into(), |end| end.score);
        let comment = &self.tree.view(self.tree.root()).comment;
        let root = self.tree.view(self.tree.root());
        let moves = self.tree.plies(self.live);
        record::write(&self.session.info(), &root.position.fen, self.settings.engine, comment, moves, result)
    }

    /// Writes the game where the next start finds it.
    fn save(&self) {
        let Some(folder) = &self.folder else { return };
        let index: BTreeMap<NodeId, usize> = self.tree.iter().map(|(id, _)| id).zip(0..).collect();
        let node = |(_, node): (NodeId, &Node)| SavedNode {
            parent: node.parent.map(|parent| index[&parent]),
            text: node.mv.as_ref().map(|mv| mv.text.clone()).unwrap_or_default(),
            comment: node.comment.clone(),
            mark: node.mark.clone(),
            score: node.score.clone(),
        };
        let saved = SavedGame {
            settings: self.settings.clone(),
            nodes: self.tree.iter().map(node).collect(),
            live: index[&self.live],
            end: self.end.clone(),
            left: self.clocks.as_ref().map(Clocks::left),
            paused: self.paused,
        };
        // Where files cannot be written, people can still play.
        let _ = folder.write(&saved);
    }

    fn resume(&mut self, saved: SavedGame) -> Result<()> {
        self.begin(saved.settings)?;
        ensure!(saved.nodes.len() <= MAX_NODES, "it is too long");
        let mut ids: Vec<NodeId> = Vec::new();
        let mut last = (self.tree.root(), self.session.copy());
        for node in saved.nodes {
            let id = match node.parent {
                None => self.tree.root(),
                Some(parent) => {
                    let parent = *ids.get(parent).context("a move follows no other")?;
                    if last.0 != parent {
                        last = (parent, self.session_at(parent)?);
                    }
                    let (id, _) =
                        self.tree.play(parent, &mut *last.1, |session| play_any(session, &node.text))?;
                    last.0 = id;
                    id
                }
            };
            ids.push(id);
            if let Some(known) = self.tree.get_mut(id) {
                (known.comment, known.mark, known.score) = (node.comment, node.mark, node.score);
            }
        }
        self.go_to(*ids.get(saved.live).context("the last position is missing")?)?;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, saved.left) {
            clocks.set(left);
        }
        self.end = saved.end;
        self.paused = saved.paused;
        self.save();
        Ok(())
    }

    // ---- Events -----------------------------------------------------------------------------------------

    fn join(&mut self, reply: oneshot::Sender<Joined>) {
        self.last_seat += 1;
        let seat = self.last_seat;
        let begun = self.plies() >= 2 && self.outcome().is_none();
        let side = self.side();
        if self.seats.is_empty()
            && let Some(clocks) = &mut self.clocks
            && begun
        {
            clocks.start(side);
        }
        self.seats.push_back(seat);
        if self.seats.len() > MAX_SEATS
            && let Some(oldest) = self.seats.pop_front()
        {
            self.send(Event::new("sleep", &oldest));
        }
        self.start_search();
        let events = vec![Event::new("seat", &seat), self.game_event(), self.lines_event()];
        let joined = Joined { seat, events, receiver: self.events.subscribe() };
        if reply.send(joined).is_err() {
            self.seats.retain(|&other| other != seat);
        }
    }

    /// Sends an event to all pages; without pages nobody misses it.
    fn send(&self, event: Event) {
        drop(self.events.send(event));
    }

    fn status(&self) -> Status<'_> {
        Status {
            live: self.live,
            settings: &self.settings,
            engine: self.limits,
            end: self.outcome(),
            thinking: self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Analysis),
            paused: self.paused,
            hint: self.hint.as_ref(),
            notice: self.notice.as_deref(),
            clock: self.clocks.as_ref().map(|clocks| clocks.left().map(|left| left.as_millis() as u64)),
            running: self.clocks.as_ref().is_some_and(Clocks::is_running),
            analysed: self.analysis.as_ref().map(|analysis| analysis.node),
            annotated: self.annotation.as_ref().map(|annotation| [annotation.done, annotation.nodes.len()]),
        }
    }

    fn send_status(&self) {
        self.send(Event::new("status", &self.status()));
    }

    fn send_node(&self, node: NodeId) {
        self.send(Event::new("node", &self.tree.view(node)));
    }

    /// Everything about the game.
    fn game_event(&self) -> Event {
        let nodes: Vec<NodeView> = self.tree.iter().map(|(id, _)| self.tree.view(id)).collect();
        let game = GameView::of(&*self.session);
        Event::new("game", &json!({ "game": game, "nodes": nodes, "status": self.status() }))
    }

    fn send_game(&self) {
        self.send(self.game_event());
    }

    fn lines_event(&self) -> Event {
        let lines: Vec<&LineView> =
            self.analysis.iter().flat_map(|analysis| analysis.lines.values()).collect();
        let node = self.analysis.as_ref().map(|analysis| analysis.node);
        Event::new("analysis", &json!({ "node": node, "lines": lines }))
    }

    fn send_lines(&mut self) {
        if let Some(analysis) = &mut self.analysis {
            analysis.due = None;
        }
        self.send(self.lines_event());
    }
}

fn play_any(session: &mut dyn Session, text: &str) -> Result<MoveInfo> {
    Ok(session.play_any(text)?)
}

fn line(position: &dyn Session, info: &Info) -> LineView {
    let texts = position.coordinates(&info.pv);
    let best =
        texts.first().and_then(|text| position.moves_in_full().into_iter().find(|mv| mv.text == *text));
    LineView {
        number: info.multi_pv,
        depth: info.depth,
        score: ScoreView::new(info.score, position.side()),
        nodes: info.nodes,
        speed: info.nodes * 1000 / info.millis.max(1),
        san: position.san(&info.pv),
        texts,
        best: best.as_ref().map(MoveView::from),
    }
}
