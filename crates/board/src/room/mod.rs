//! The game in progress: who plays it, its clocks, its variations, and the engine. It handles one message after the other,
//! and sends events to all pages. Who carries these to and fro does not matter to it.

mod annotation;
mod command;
mod events;
mod files;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzzing;
mod games;
mod links;
mod people;
mod recovery;
mod search;
mod thinking;

pub use command::Command;
pub use events::{Answer, Event, Outbox, Reply};
pub use files::Opened;
pub use people::{Role, Visitor};
pub use thinking::{Moves, Order, Orders, Report, Task, Thinker, Time};

use super::clock::{Clocks, Stopwatch};
use super::puzzles;
use super::record;
use super::rules;
use super::tree::{MAX_COMMENT, Tree};
use super::view::{self, BookMoveView, End, EngineLimits, EngineSettings, MoveView, NodeId, PositionView};
use annotation::Annotation;
use anyhow::{Context, Result, bail, ensure};
use people::Seat;
use quintain_core::board::Color;
use quintain_core::host;
use quintain_core::notation::pgn::tidy_comment;
use quintain_drawings::Diagram;
use quintain_engine::{
    self as engine, Engine, FileRank, FindTables, GameInfo, MoveInfo, Options, Session, Stopper,
};
use quintain_play::game::time::{self, Moment, now};
use quintain_play::game::{LiveGame, Settings, level};
use quintain_play::library::{Deleted, Library, PACES, Place, Preferences, SavedGame, players};
use search::{Analysis, Held, Purpose, Search};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

/// The most lines that analysis shows.
const MAX_LINES: usize = 5;
/// The most memory of the engine, in MiB. Browsers give a page no more than a few times this.
const MAX_HASH: usize = if cfg!(target_family = "wasm") { 512 } else { 4096 };
/// With so many pieces all positions are in the endgame tables that come with the program.
const FEW: usize = 3;
/// The most arrows of a picture.
const MAX_ARROWS: usize = 200;
/// The width of a square of a picture.
const PIXELS: u32 = 80;

/// What the room receives.
pub enum Message {
    /// A page of a visitor asks.
    Command(Role, Command, Reply),
    /// A game was read, for the page that waits for the answer.
    Opened(Result<Box<Opened>>, Reply),
    /// A page begins to listen.
    Join(Visitor, Outbox),
    /// A page listens no longer.
    Leave(u64),
    /// What was thought about has a result.
    Report(Report),
    /// The store has lost what it was given: the game is to be saved again.
    Save,
    /// The room fails.
    #[cfg(test)]
    Panic,
}

/// A game in progress, the engine, and the pages that listen.
pub struct Room {
    game: LiveGame,
    engine_settings: EngineSettings,
    engine_limits: EngineLimits,
    find_tables: Option<FindTables>,
    /// A page has shown a position that endgame tables know, but there are none yet.
    wants_tables: bool,
    preferences: Preferences,
    tree: Tree,
    /// The last position of the game.
    live: NodeId,
    /// Something that the thread that reads a text has until it is done.
    loading: Weak<()>,
    clocks: Option<Clocks>,
    /// How long the move takes that is to come.
    stopwatch: Stopwatch,
    paused: bool,
    /// Who offers a draw to the other person.
    offer: Option<Color>,
    hint: Option<MoveView>,
    notice: Option<String>,
    search: Option<Search>,
    held: Option<Held>,
    /// When the last move was played.
    moved: Moment,
    analysis: Option<Analysis>,
    annotation: Option<Annotation>,
    /// Who thinks, if not threads of the room.
    orders: Option<Orders>,
    /// No search has been ordered since the game began.
    fresh: bool,
    /// Number of the last search or annotation.
    last_number: u64,
    library: Option<Library>,
    /// Where the game is in the library.
    place: Option<Place>,
    /// What the person calls the game.
    name: String,
    /// When the game began, in milliseconds since 1970.
    begun: u64,
    /// The tags of the PGN from which the game was loaded.
    tags: Vec<(String, String)>,
    /// Games that were left before they could be saved.
    waiting: Vec<(Option<Place>, SavedGame)>,
    /// Why the game, or one that waits, is not saved; and when that is tried again.
    unsaved: Option<(String, Moment)>,
    /// The games that were deleted last. Another room may take them over, to bring them back.
    pub deleted: Vec<Deleted>,
    /// Panics since a command was last obeyed.
    failures: usize,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// The number of the last event.
    sent: u64,
    /// The pages that listen, oldest first.
    seats: VecDeque<Seat>,
}

impl Room {
    /// A room in which a game goes on where it was left, or begins: the last game of this kind, or of any. It thinks in
    /// threads of its own.
    pub fn new(game: Option<&str>, library: Option<Library>) -> Result<Room> {
        Room::make(game, library, None, 0)
    }

    /// The same for a room that gives orders to a [`Thinker`] elsewhere. What that reports is passed to [`Room::step`].
    /// The numbers of positions begin at `first`, for pages that know positions of another room.
    pub fn with_orders(
        game: Option<&str>,
        library: Option<Library>,
        orders: Orders,
        first: NodeId,
    ) -> Result<Room> {
        Room::make(game, library, Some(orders), first)
    }

    fn make(
        game: Option<&str>,
        library: Option<Library>,
        orders: Option<Orders>,
        first: NodeId,
    ) -> Result<Room> {
        let engine_settings = EngineSettings { threads: 1, hash: 64, lines: 3, book: true };
        let engine_limits = EngineLimits { threads: host::threads(), hash: MAX_HASH, lines: MAX_LINES };
        let kind = game.unwrap_or(quintain_engine::first());
        let engine = new_engine(engine_settings, kind, orders.is_some())?;
        let (sender, receiver) = channel();
        let tree = Tree::new(engine.game(), first);
        let preferences = library.as_ref().map(Library::preferences).unwrap_or_default();
        let level = preferences.level.unwrap_or(level::USUAL);
        let settings = Settings { level, ..Settings::of(kind) };
        let mut room = Room {
            game: LiveGame { engine, settings, end: None },
            engine_settings,
            engine_limits,
            find_tables: None,
            wants_tables: false,
            preferences,
            live: tree.root(),
            tree,
            loading: Weak::new(),
            clocks: None,
            stopwatch: Stopwatch::default(),
            paused: false,
            offer: None,
            hint: None,
            notice: None,
            search: None,
            held: None,
            moved: now(),
            analysis: None,
            annotation: None,
            orders,
            fresh: true,
            last_number: 0,
            library,
            place: None,
            name: String::new(),
            begun: time::date(),
            tags: Vec::new(),
            waiting: Vec::new(),
            unsaved: None,
            deleted: Vec::new(),
            failures: 0,
            sender,
            receiver,
            sent: 0,
            seats: VecDeque::new(),
        };
        room.go_on(game)?;
        Ok(room)
    }

    /// Shows notes to the person.
    pub fn tell(&mut self, notes: &[String]) {
        let notes = notes.iter().map(|note| sentence(note));
        self.notice = self.notice.take().into_iter().chain(notes).reduce(|all, note| format!("{all} {note}"));
    }

    /// Where to send messages.
    pub fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// Leaves the game for another room, which is to begin where this one ends.
    pub fn end(&mut self) {
        self.stop();
        self.leave_game();
    }

    /// What stops the engine.
    pub fn stopper(&self) -> Stopper {
        self.game.engine.stopper()
    }

    /// Handles messages until the program ends, or until it fails again and again.
    pub fn run(mut self) -> Result<()> {
        loop {
            // It has a sender of its own, so only the time ends the wait.
            let message = match self.deadline() {
                None => self.receiver.recv().ok(),
                Some(at) => self.receiver.recv_timeout(at.saturating_sub(now())).ok(),
            };
            self.step(message)?;
        }
    }

    /// A message that the room has sent itself, for those who do not [`run`](Room::run) it.
    pub fn pending(&self) -> Option<Message> {
        self.receiver.try_recv().ok()
    }

    /// Handles a message, or what is due by now. An error says why it cannot go on.
    pub fn step(&mut self, message: Option<Message>) -> Result<()> {
        let handle = || {
            match message {
                Some(message) => self.receive(message),
                None => self.on_time(),
            }
            self.start_search();
            self.stopwatch.run(!self.paused && !self.seats.is_empty());
        };
        catch_unwind(AssertUnwindSafe(handle)).or_else(|_| self.recover())
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Command(role, command @ (Command::Export { .. } | Command::Load { .. }), reply) => {
                self.hand_on(role, command, reply);
            }
            Message::Command(role, command, reply) => {
                if command.changes() {
                    self.notice = None;
                }
                let answer = self.handle(role, command);
                self.answer(answer, reply);
            }
            Message::Opened(opened, reply) => {
                self.notice = None;
                let shown = opened.and_then(|opened| self.show(*opened));
                self.answer(shown.map(|()| Value::Null), reply);
            }
            Message::Join(visitor, reply) => self.join(visitor, reply),
            Message::Leave(seat) => self.leave(seat),
            Message::Report(report) => self.hear(report),
            Message::Save => {
                self.save();
                self.send_status();
            }
            #[cfg(test)]
            Message::Panic => panic!("a test wants it"),
        }
    }

    fn hear(&mut self, report: Report) {
        match report {
            Report::Line { number, line } if self.is_current(number) => self.add_line(line),
            Report::Done { number, best, score } if self.is_current(number) => self.found(best, score),
            Report::Line { .. } | Report::Done { .. } => {}
            Report::Judged { number, done, judgement } => self.judged(number, done, judgement),
            Report::Annotated { number, summary } => self.annotated(number, summary),
        }
    }

    /// Lets a thread of its own do what takes long.
    fn hand_on(&mut self, role: Role, command: Command, reply: Reply) {
        match (self.permit(role, &command), command) {
            (Err(error), _) => reply(Err(error).into()),
            (Ok(()), Command::Export { ids }) => self.export(ids, reply),
            (Ok(()), Command::Load { text, kind }) => self.load(text, kind, reply),
            (Ok(()), _) => unreachable!("the caller hands on these two"),
        }
    }

    fn answer(&mut self, answer: Result<Value>, reply: Reply) {
        self.start_search();
        self.send_status();
        self.failures = 0;
        reply(Answer { after: self.sent, ..answer.into() });
    }

    fn handle(&mut self, role: Role, command: Command) -> Result<Value> {
        self.permit(role, &command)?;
        match command {
            Command::New(settings) => {
                let (level, engine) = (settings.level, settings.engine);
                self.begin(settings)?;
                if engine[0] != engine[1] {
                    self.prefer(|kept| kept.level = Some(level));
                }
            }
            Command::Rematch => {
                let [white, black] = self.game.settings.engine;
                self.begin(Settings { engine: [black, white], ..self.game.settings.clone() })?;
            }
            Command::Play { node, text } => return Ok(json!(self.play_at(node, &text)?)),
            Command::Moves { node } => {
                let session = self.session_at(node)?;
                let tables = Arc::clone(self.game.engine.tables());
                self.wants_tables = tables.is_empty() && pieces(&*session) <= FEW;
                let moves = view::moves_with_verdicts(&*session, &*tables);
                let problems = tables.problems();
                if !problems.is_empty() {
                    self.notice = Some(sentence(&problems.join("; ")));
                    self.send_status();
                }
                return Ok(json!(moves));
            }
            Command::Book { node } => return Ok(json!(self.book_moves(node)?)),
            Command::Picture { node, flipped, dark, arrows } => {
                return Ok(json!(
                    self.picture(node, Diagram { flipped, dark, arrows, ..Diagram::default() })?
                ));
            }
            Command::Puzzle(wish) => return Ok(json!(puzzles::find(&wish, self.preferences.puzzles)?)),
            Command::PuzzleTags { game } => return Ok(json!(puzzles::tags(&game))),
            Command::Solve(attempt) => {
                let (view, record) = puzzles::attempt(&attempt, self.preferences.puzzles)?;
                self.prefer(|kept| kept.puzzles = record);
                return Ok(json!(view));
            }
            Command::TakeBack => self.take_back()?,
            Command::Resign => self.resign(role)?,
            Command::OfferDraw => self.offer_draw(role)?,
            Command::AnswerDraw { accept } => self.answer_draw(role, accept)?,
            Command::Hint => {
                ensure!(
                    self.game.outcome().is_none() && !self.game.engine_is_to_move(),
                    "it is not your turn"
                );
                self.search(Purpose::Hint, self.live)?;
            }
            Command::MoveNow => self.move_now(),
            Command::Pause { on } => {
                self.stop();
                self.paused = on;
                if on { self.stop_clocks() } else { self.start_clocks() }
            }
            Command::Level { level } => {
                let settings = Settings { level, ..self.game.settings.clone() };
                settings.check()?;
                self.game.settings = settings;
                self.prefer(|kept| kept.level = Some(level));
                self.save();
            }
            Command::Pace { seconds } => {
                ensure!(PACES.contains(&seconds), "seconds: {seconds} is not from 0 to {}", PACES.end());
                self.prefer(|kept| kept.pace = seconds);
            }
            Command::Players { engine } => {
                self.stop();
                self.game.settings.engine = engine;
                self.paused = false;
                self.offer = None;
                self.start_clocks();
                self.save();
            }
            Command::Analyse { node } => self.analyse(node)?,
            Command::Engine(settings) => self.set_engine(settings)?,
            Command::Annotate { on } => {
                self.stop_annotation();
                if on {
                    self.annotate()?;
                }
            }
            Command::Comment { node, text } => {
                let length = text.len();
                ensure!(
                    length <= MAX_COMMENT,
                    "the comment has {length} bytes, and the most are {MAX_COMMENT}"
                );
                let (time, text) = record::untimed(&tidy_comment(&text));
                let known = self.tree.get_mut(node).context("there is no such position")?;
                (known.time, known.comment) = (time.or(known.time), text);
                self.send_node(node);
                self.save();
            }
            Command::Remove { node } => {
                ensure!(node != self.tree.root(), "the first position cannot be removed");
                ensure!(!self.is_in_game(node), "it is not in a variation");
                self.remove(node);
                self.save();
            }
            Command::Pgn => return Ok(json!(self.pgn())),
            Command::Link { node, position } => return Ok(json!(self.link(node, position)?)),
            Command::Follow { link } => self.follow(&link)?,
            Command::Games => return self.games(),
            Command::Open { id } => self.open(&id)?,
            Command::Continue { game } => self.continue_game(&game)?,
            Command::Rename { id, name } => self.rename(&id, &name)?,
            Command::Delete { ids } => self.delete(&ids)?,
            Command::Undelete => self.undelete()?,
            // They take long, and are done elsewhere.
            Command::Load { .. } | Command::Export { .. } => bail!("this is not for the room"),
            Command::Rules { game } => return Ok(json!(rules::blocks(engine::info(&game)?.rules))),
            Command::Position { game, fen } => {
                let mut session = engine::open(&game)?;
                session.set_position(Some(fen.trim()).filter(|fen| !fen.is_empty()), &[])?;
                return Ok(json!(PositionView::from(&*session)));
            }
            Command::Compose { game, pieces, fields } => {
                let mut session = engine::open(&game)?;
                let fen = view::fen(&*session, &pieces, &fields);
                let wrong = session.set_position(Some(&fen), &[]).err().map(|error| error.to_string());
                return Ok(json!({ "fen": fen, "error": wrong }));
            }
        }
        Ok(Value::Null)
    }

    /// Keeps what the person prefers, for other games and for the terminal too.
    fn prefer(&mut self, change: impl Fn(&mut Preferences)) {
        change(&mut self.preferences);
        if let Some(library) = &self.library {
            library.prefer(change);
        }
    }

    /// Has the person never chosen an opponent, and is there one to choose?
    fn is_newcomer(&self) -> bool {
        let [white, black] = self.game.settings.engine;
        self.preferences.level.is_none() && self.live == self.tree.root() && white != black
    }

    // ---- The game ---------------------------------------------------------------------------------------

    fn plies(&self) -> usize {
        self.tree.path(self.live).len()
    }

    /// From now on the engine has the endgame tables that `find` adds, and pages are told what they know.
    pub fn find_tables(&mut self, find: FindTables) {
        self.game.engine.set_tables(Some(Arc::clone(&find)));
        self.find_tables = Some(find);
        self.wants_tables = false;
        self.send_game();
    }

    /// Should the room be given endgame tables? Where they have to be fetched, that can wait until it does.
    pub fn wants_tables(&self) -> bool {
        self.wants_tables
    }

    /// Does the game itself lead through a position, not only a variation?
    fn is_in_game(&self, node: NodeId) -> bool {
        self.tree.path(self.live).contains(&node)
    }

    /// The game at a position.
    fn session_at(&self, node: NodeId) -> Result<Box<dyn Session>> {
        ensure!(self.tree.get(node).is_some(), "there is no such position");
        let mut session = self.game.session().copy();
        self.tree.walk(&mut *session, self.live, node)?;
        Ok(session)
    }

    /// What the opening book has at a position, and who has played it in this game.
    fn book_moves(&self, node: NodeId) -> Result<Vec<BookMoveView>> {
        let session = self.session_at(node)?;
        let [white, black] = players(&self.game.settings, &self.tags);
        let mover = if session.side() == Color::White { white } else { black };
        let whose = |text: &str| {
            let after = self.tree.child(node, text)?;
            Some(if self.is_in_game(after) { mover.clone() } else { "variation".into() })
        };
        Ok(view::book_moves(&*session, whose))
    }

    /// A position as SVG; `diagram` says how to draw it.
    fn picture(&self, node: NodeId, diagram: Diagram) -> Result<String> {
        let session = self.session_at(node)?;
        let GameInfo { files, ranks, .. } = session.info();
        let outside = |(file, rank): FileRank| file >= files || rank >= ranks;
        ensure!(diagram.arrows.len() <= MAX_ARROWS, "arrows: there are more than {MAX_ARROWS}");
        ensure!(
            !diagram.arrows.iter().any(|&(from, to)| outside(from) || outside(to)),
            "arrows: a square is not on the board"
        );
        let last = self.tree.get(node).and_then(|node| node.mv.as_ref());
        let mut last = last.map_or(Vec::new(), |mv| vec![mv.from, mv.to]);
        last.dedup();
        Ok(Diagram { last, ..diagram }.draw(&*session, PIXELS))
    }

    fn begin(&mut self, settings: Settings) -> Result<()> {
        self.set_up(settings)?;
        self.send_game();
        self.save();
        Ok(())
    }

    /// Sets up a game without moves; the caller tells the pages, and saves it.
    fn set_up(&mut self, settings: Settings) -> Result<()> {
        settings.check()?;
        let fen = settings.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty()).map(str::to_owned);
        let mut session = engine::open(&settings.game)?;
        session.set_position(fen.as_deref(), &[])?;
        let tree = Tree::new(&*session, self.tree.next());
        self.replace(Settings { fen, ..settings }, tree, session);
        Ok(())
    }

    /// Leaves the game, which stays in the library, for another one that stands at the first position of its tree.
    fn replace(&mut self, settings: Settings, tree: Tree, session: Box<dyn Session>) {
        self.stop();
        self.stop_annotation();
        self.leave_game();
        self.game.engine.set_game(session);
        self.game.engine.new_game();
        self.fresh = true;
        self.live = tree.root();
        self.tree = tree;
        self.clocks = settings.clock.map(Clocks::new);
        self.stopwatch.reset();
        self.game.settings = settings;
        self.game.end = None;
        self.paused = false;
        self.offer = None;
        self.hint = None;
        self.analysis = self.analysis.take().map(|_| Analysis::of(self.live));
        (self.name, self.begun, self.tags) = (String::new(), time::date(), Vec::new());
    }

    fn play_at(&mut self, node: NodeId, text: &str) -> Result<NodeId> {
        if node == self.live && self.game.outcome().is_none() {
            ensure!(!self.game.engine_is_to_move(), "it is the engine's turn");
            ensure!(!self.is_halted(), "the game is paused");
            self.stop();
            return self.play(text);
        }
        let may_vary = self.game.outcome().is_some()
            || self.game.settings.engine == [false; 2]
            || self.analysis.is_some();
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
        let side = self.game.side();
        let (child, _) =
            self.tree.play(self.live, self.game.engine.game_mut(), |session| play_any(session, text))?;
        self.live = child;
        self.moved = now();
        self.hint = None;
        // Who moves instead of an answer declines.
        self.offer = self.offer.filter(|&by| by == side);
        if let Some(node) = self.tree.get_mut(child) {
            // Without anybody at the board nothing is measured.
            node.time = Some(self.stopwatch.elapsed()).filter(|time| !time.is_zero());
        }
        self.stopwatch.reset();
        if let Some(clocks) = &mut self.clocks {
            clocks.moved(side);
        }
        self.start_clocks();
        self.send_node(child);
        self.save();
        Ok(child)
    }

    /// Starts the clock of the side to move, once both sides have moved.
    fn start_clocks(&mut self) {
        let runs = self.plies() >= 2 && self.game.outcome().is_none() && !self.paused;
        let side = self.game.side();
        if let Some(clocks) = &mut self.clocks
            && runs
        {
            clocks.start(side);
        }
    }

    fn stop_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    fn finish(&mut self, end: End) {
        self.stop();
        self.stop_clocks();
        self.game.end = Some(end);
        self.offer = None;
        self.hint = None;
        self.save();
    }

    fn take_back(&mut self) -> Result<()> {
        ensure!(self.live != self.tree.root(), "there is no move to take back");
        self.stop();
        self.stop_annotation();
        if let Some(clocks) = &mut self.clocks {
            clocks.give_back_turn();
        }
        self.stopwatch.reset();
        self.game.end = None;
        self.offer = None;
        self.hint = None;
        let mut removed = self.live;
        loop {
            removed = if self.game.engine.game_mut().undo() { self.live } else { removed };
            let took = self.tree.get(self.live).and_then(|node| node.time).unwrap_or_default();
            self.live = self.tree.view(self.live).parent.unwrap_or(self.live);
            let (side, clocks_ran) = (self.game.side(), self.plies() >= 2);
            if let Some(clocks) = &mut self.clocks {
                clocks.give_back(side, if clocks_ran { took } else { Duration::ZERO });
            }
            if self.live == self.tree.root() || !self.game.engine_is_to_move() {
                break;
            }
        }
        // If only the engine's first move is left, it waits until it is told to go on.
        self.paused = self.game.engine_is_to_move();
        self.start_clocks();
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
        self.send_removed(node);
    }

    // ---- Time -------------------------------------------------------------------------------------------

    /// When something happens by itself.
    pub fn deadline(&self) -> Option<Moment> {
        let flag = self.clocks.as_ref().and_then(Clocks::deadline).map(|(_, at)| at);
        let lines = self.analysis.as_ref().and_then(|analysis| analysis.due);
        let saving = self.unsaved.as_ref().map(|(_, again)| *again);
        flag.into_iter().chain(lines).chain(saving).chain(self.held_until()).min()
    }

    fn on_time(&mut self) {
        let now = now();
        if self.analysis.as_ref().and_then(|analysis| analysis.due).is_some_and(|due| due <= now) {
            self.send_lines();
        }
        if self.unsaved.as_ref().is_some_and(|(_, again)| *again <= now) {
            self.save();
            self.send_status();
        }
        if self.held_until().is_some_and(|due| due <= now) {
            self.play_held();
            self.send_status();
        }
        if let Some((side, at)) = self.clocks.as_ref().and_then(Clocks::deadline)
            && at <= now
        {
            self.finish(End::won(!side, format!("{side} has no time left")));
            self.send_status();
        }
    }
}

/// An error as a sentence.
fn sentence(error: &str) -> String {
    let mut chars = error.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect::<String>() + "."
}

/// An engine as pages find it. Where others think, it only has the position.
fn new_engine(settings: EngineSettings, game: &str, others_think: bool) -> Result<Engine> {
    let EngineSettings { threads, hash, .. } = settings;
    let (variant, hash) = (engine::info(game)?.name, if others_think { 1 } else { hash });
    Ok(Engine::new(Options { variant, threads, hash, ..Options::default() })?)
}

/// How many pieces there are, on the board and beside it.
fn pieces(session: &dyn Session) -> usize {
    let on_board = session.squares().into_iter().filter(|&place| session.piece(place).is_some());
    on_board.count() + session.in_hand().len()
}

fn play_any(session: &mut dyn Session, text: &str) -> Result<MoveInfo> {
    Ok(session.play_any(text)?)
}

/// Does what takes long beside the room, or at once where there are no threads. If no thread can be started, a reply in
/// `work` is dropped, and the page hears that the program is out of order.
fn beside(name: &str, work: impl FnOnce() + Send + 'static) {
    if cfg!(target_family = "wasm") {
        work();
    } else {
        drop(thread::Builder::new().name(name.into()).spawn(work));
    }
}

/// A reply, and the answer that it is given.
#[cfg(test)]
fn answer() -> (Reply, Receiver<Result<Value, String>>) {
    let (sender, answer) = channel();
    (Box::new(move |given| drop(sender.send(given.result))), answer)
}
