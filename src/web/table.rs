//! The table: a game in progress, who plays it, its clocks, and the engine. It lives in a thread of its own, obeys
//! commands one after the other, and tells everybody who looks on how things stand.

use super::state::{self, End, Line, Mv, Ply, State};
use crate::board::Color;
use crate::engine::skill::FULL;
use crate::engine::{Engine, Event, MoveInfo, NAMES, Options, Session, Stopper};
use crate::notation::pgn::{self, Game};
use crate::search::{Bound, Clock, Info, Limits};
use crate::tools::games;
use crate::tools::tournament::record::utc;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{oneshot, watch};

/// The engine's memory in MiB.
const HASH: usize = 64;
/// Lines that analysis shows.
const LINES: &str = "3";
/// How long to think about a hint, or whether to take a draw.
const HINT: Duration = Duration::from_secs(1);
/// Before so many plies nobody can know whether it is a draw.
const TOO_EARLY: usize = 20;
/// More moves than any game has.
const MAX_PLIES: usize = 10_000;

/// What a page may ask for.
#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Begins a game.
    New(NewGame),
    /// Begins again with the same settings; those who play the engine change sides.
    Rematch,
    /// Plays a move, in the position after so many plies.
    Play { text: String, ply: usize },
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
    /// Shows the best lines while nobody else thinks.
    Analyse { on: bool },
    /// Sets up a position from a FEN, or a game from a PGN.
    Load { text: String },
    /// The game as PGN.
    Pgn,
    /// The rules of a game.
    Rules { game: String },
}

/// A game to begin.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    pub game: String,
    #[serde(default)]
    pub fen: Option<String>,
    /// Does the engine play White, Black?
    pub engine: [bool; 2],
    pub level: u32,
    /// What the engine may think about a move, where there is no clock.
    pub seconds: f64,
    #[serde(default)]
    pub clock: Option<Control>,
}

/// How much time a side has, and what a move adds.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Control {
    pub minutes: f64,
    pub increment: f64,
}

impl NewGame {
    /// A person against the engine at full strength.
    pub fn of(game: &str) -> NewGame {
        let engine = [false, true];
        NewGame { game: game.into(), fen: None, engine, level: FULL, seconds: 2.0, clock: None }
    }

    fn check(&self) -> Result<()> {
        ensure!(NAMES.contains(&self.game.as_str()), "there is no game called '{}'", self.game);
        ensure!(self.level <= FULL, "level: {} is not from 0 to {FULL}", self.level);
        ensure!(
            (0.01..=3600.0).contains(&self.seconds),
            "seconds: {} is not from 0.01 to 3600",
            self.seconds
        );
        if let Some(Control { minutes, increment }) = self.clock {
            ensure!((0.05..=600.0).contains(&minutes), "minutes: {minutes} is not from 0.05 to 600");
            ensure!((0.0..=600.0).contains(&increment), "increment: {increment} is not from 0 to 600");
        }
        Ok(())
    }
}

/// What comes to the table.
pub enum Message {
    /// A page asks; the answer is a text, or what was wrong.
    Ask(Command, oneshot::Sender<Result<String, String>>),
    /// A search found a line.
    Line(u64, Line),
    /// A search is over, with this move and this score for the side to move.
    Done(u64, Option<String>, i32),
}

/// Why the engine thinks.
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
    /// When it is to be stopped.
    until: Option<Instant>,
}

/// What is left on the clocks; the time of the side to move runs since `since`.
struct Clocks {
    left: [Duration; 2],
    since: Option<Instant>,
}

/// A game as it is kept in a file.
#[derive(Serialize, Deserialize)]
struct Kept {
    new: NewGame,
    moves: Vec<String>,
    end: Option<End>,
    left: Option<[Duration; 2]>,
    /// The engine was told to wait.
    #[serde(default)]
    paused: bool,
}

/// A table.
pub struct Table {
    engine: Engine,
    new: NewGame,
    /// The position in which the game began.
    start: Ply,
    start_fen: String,
    played: Vec<Ply>,
    /// An end that is no matter of the rules: a resignation, an agreed draw, lack of time.
    end: Option<End>,
    clocks: Option<Clocks>,
    paused: bool,
    analysis: bool,
    lines: BTreeMap<usize, Line>,
    hint: Option<String>,
    notice: Option<String>,
    search: Option<Search>,
    searches: u64,
    /// Where games are kept; nowhere if nobody wants that.
    folder: Option<PathBuf>,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    states: watch::Sender<Arc<str>>,
    version: u64,
}

/// Where games in progress are kept.
pub fn folder() -> Option<PathBuf> {
    Some(dirs::state_dir().or_else(dirs::data_local_dir)?.join("quintain").join("board"))
}

/// The game that was played last, if one is kept.
pub fn last(folder: &Path) -> Option<&'static str> {
    let changed = |name: &&&str| fs::metadata(folder.join(format!("{name}.json"))).ok()?.modified().ok();
    NAMES.iter().filter(|name| changed(name).is_some()).max_by_key(|name| changed(name)).copied()
}

impl Table {
    /// A table at which the game of this name goes on where it was left, or begins.
    pub fn new(game: &str, folder: Option<PathBuf>) -> Result<(Table, watch::Receiver<Arc<str>>)> {
        let engine = Engine::new(Options { hash: HASH, ..Options::default() })?;
        let (sender, receiver) = channel();
        let (states, watcher) = watch::channel("{}".into());
        let mut table = Table {
            start: Ply::start(engine.game()),
            start_fen: engine.game().fen(),
            engine,
            new: NewGame::of(game),
            played: Vec::new(),
            end: None,
            clocks: None,
            paused: false,
            analysis: false,
            lines: BTreeMap::new(),
            hint: None,
            notice: None,
            search: None,
            searches: 0,
            folder,
            sender,
            receiver,
            states,
            version: 0,
        };
        let kept = table.kept_game(game);
        table.begin(NewGame::of(game))?;
        // What cannot be read any more does not keep anybody from playing.
        if let Some(kept) = kept
            && let Err(error) = table.resume(kept)
        {
            table.begin(NewGame::of(game))?;
            table.notice = Some(format!("The game that was kept could not be read: {error:#}."));
        }
        Ok((table, watcher))
    }

    /// Where to send messages.
    pub fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// What stops the engine.
    pub fn stopper(&self) -> Stopper {
        self.engine.stopper()
    }

    /// Obeys until the program ends.
    pub fn run(mut self) {
        loop {
            self.carry_on();
            self.tell();
            let message = match self.deadline() {
                None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => self.receiver.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Ask(command, reply)) => {
                    self.notice = None;
                    let answer = self.obey(command).map_err(|error| format!("{error:#}"));
                    self.carry_on();
                    self.tell();
                    // A page that is gone needs no answer.
                    drop(reply.send(answer));
                }
                Ok(Message::Line(number, line)) if self.is_current(number) => {
                    self.lines.insert(line.number, line);
                }
                Ok(Message::Done(number, best, score)) if self.is_current(number) => self.found(best, score),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => self.pass_time(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<String> {
        match command {
            Command::New(new) => self.begin(new)?,
            Command::Rematch => {
                let [white, black] = self.new.engine;
                self.begin(NewGame { engine: [black, white], ..self.new.clone() })?;
            }
            Command::Play { text, ply } => {
                ensure!(ply == self.played.len(), "the game has gone on meanwhile");
                ensure!(self.outcome().is_none(), "the game is over");
                ensure!(!self.engine_is_to_move(), "it is the engine's turn");
                ensure!(self.played.len() < MAX_PLIES, "the game is too long");
                self.stop();
                self.play(&text)?;
            }
            Command::TakeBack => self.take_back()?,
            Command::Resign => {
                ensure!(self.outcome().is_none(), "the game is over");
                let loser = self.person().unwrap_or(self.side());
                self.finish(End::won(!loser, format!("{loser} resigns")));
            }
            Command::OfferDraw => self.offer_draw()?,
            Command::Hint => {
                ensure!(self.outcome().is_none() && !self.engine_is_to_move(), "it is not your turn");
                self.think(Purpose::Hint);
            }
            Command::MoveNow => {
                if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move) {
                    self.engine.stopper().stop();
                }
            }
            Command::Pause { on } => {
                self.paused = on;
                self.stop();
            }
            Command::Level { level } => {
                let new = NewGame { level, ..self.new.clone() };
                new.check()?;
                self.new = new;
                self.set_level();
            }
            Command::Players { engine } => {
                self.stop();
                self.new.engine = engine;
                self.paused = false;
            }
            Command::Analyse { on } => {
                self.analysis = on;
                self.stop();
                self.lines.clear();
            }
            Command::Load { text } => self.load(&text)?,
            Command::Pgn => return Ok(self.pgn()),
            Command::Rules { game } => {
                let info = crate::engine::info(&game).context("there is no such game")?;
                return Ok(info.rules.into());
            }
        }
        self.keep();
        Ok(String::new())
    }

    // ---- The game ---------------------------------------------------------------------------------------

    fn side(&self) -> Color {
        self.engine.game().side()
    }

    fn engine_is_to_move(&self) -> bool {
        self.new.engine[self.side().index()]
    }

    /// The side of the one person that plays.
    fn person(&self) -> Option<Color> {
        match self.new.engine {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    fn outcome(&self) -> Option<End> {
        self.end.clone().or_else(|| self.engine.game().outcome().map(End::of))
    }

    fn set_level(&mut self) {
        let level = self.new.level.to_string();
        self.engine.set_option("Skill Level", Some(&level)).expect("a level that was checked");
    }

    fn begin(&mut self, new: NewGame) -> Result<()> {
        new.check()?;
        let fen = new.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty());
        let mut session = crate::engine::open(&new.game).expect("a game that was checked");
        session.set_position(fen, &[])?;
        self.stop();
        self.engine.open(&new.game);
        self.engine.new_game();
        self.engine.game_mut().set_position(fen, &[])?;
        self.start = Ply::start(&*session);
        self.start_fen = session.fen();
        self.clocks = new.clock.map(|control| {
            let time = Duration::from_secs_f64(control.minutes * 60.0);
            Clocks { left: [time; 2], since: None }
        });
        self.new = NewGame { fen: fen.map(str::to_owned), ..new };
        self.set_level();
        self.played.clear();
        self.end = None;
        self.paused = false;
        self.lines.clear();
        self.hint = None;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<()> {
        let info = self.engine.game_mut().play(text)?;
        let side = !self.side();
        if let (Some(clocks), Some(control)) = (&mut self.clocks, self.new.clock) {
            let left = &mut clocks.left[side.index()];
            if let Some(since) = clocks.since {
                *left = left.saturating_sub(since.elapsed());
            }
            *left += Duration::from_secs_f64(control.increment);
            // The clocks run once both have moved.
            clocks.since = (self.played.len() >= 1).then(Instant::now);
        }
        self.played.push(Ply::after(self.engine.game(), info));
        self.hint = None;
        self.lines.clear();
        if self.outcome().is_some() {
            self.stop_clocks();
        }
        Ok(())
    }

    fn stop_clocks(&mut self) {
        let side = self.side();
        if let Some(clocks) = &mut self.clocks
            && let Some(since) = clocks.since.take()
        {
            let left = &mut clocks.left[side.index()];
            *left = left.saturating_sub(since.elapsed());
        }
    }

    fn finish(&mut self, end: End) {
        self.stop();
        self.stop_clocks();
        self.end = Some(end);
        self.hint = None;
    }

    fn take_back(&mut self) -> Result<()> {
        ensure!(!self.played.is_empty(), "there is no move to take back");
        self.stop();
        self.stop_clocks();
        self.end = None;
        loop {
            self.engine.game_mut().undo();
            self.played.pop();
            if self.played.is_empty() || !self.engine_is_to_move() {
                break;
            }
        }
        if self.engine_is_to_move() {
            // Nothing is left but the engine's first move: it waits until it is told to go on.
            self.paused = true;
        }
        self.hint = None;
        self.lines.clear();
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<()> {
        ensure!(self.outcome().is_none(), "the game is over");
        if self.new.engine == [false, false] {
            self.finish(End::draw("Draw by agreement".into()));
            return Ok(());
        }
        ensure!(!self.engine_is_to_move(), "it is not your turn");
        if self.played.len() < TOO_EARLY {
            bail!("the engine says that it is too early for that");
        }
        self.think(Purpose::Draw);
        Ok(())
    }

    // ---- Thinking ---------------------------------------------------------------------------------------

    fn is_current(&self, number: u64) -> bool {
        self.search.as_ref().is_some_and(|search| search.number == number)
    }

    /// Lets the engine think if it is its turn, or if somebody wants analysis.
    fn carry_on(&mut self) {
        if self.search.is_some() || self.outcome().is_some() {
            return;
        }
        if self.engine_is_to_move() {
            if !self.paused && self.played.len() < MAX_PLIES {
                self.think(Purpose::Move);
            }
        } else if self.analysis && self.states.receiver_count() > 0 {
            self.think(Purpose::Analysis);
        }
    }

    fn think(&mut self, purpose: Purpose) {
        self.stop();
        self.searches += 1;
        let number = self.searches;
        let limits = match purpose {
            Purpose::Move => self.limits(),
            _ => Limits { infinite: true, ..Limits::default() },
        };
        let lines = if purpose == Purpose::Analysis { LINES } else { "1" };
        self.engine.set_option("MultiPV", Some(lines)).expect("a number of lines");
        let sender = self.sender.clone();
        let (white, aloud) = (self.side() == Color::White, purpose == Purpose::Analysis);
        // The table outlives its searches, but nobody needs to hear of the last one when it goes.
        self.engine.go(limits, move |position, event| match event {
            Event::Info(info) if aloud && info.bound == Bound::Exact => {
                drop(sender.send(Message::Line(number, line(position, info, white))));
            }
            Event::Info(_) | Event::CurrentMove { .. } => {}
            Event::Done(info) | Event::Failed(info) => {
                let best = position.coordinates(&info.pv).into_iter().next();
                drop(sender.send(Message::Done(number, best, info.score)));
            }
        });
        let brief = matches!(purpose, Purpose::Hint | Purpose::Draw);
        let until = brief.then(|| Instant::now() + HINT);
        self.search = Some(Search { number, purpose, until });
    }

    fn limits(&self) -> Limits {
        let (Some(clocks), Some(control)) = (&self.clocks, self.new.clock) else {
            return Limits {
                move_time: Some(Duration::from_secs_f64(self.new.seconds)),
                ..Limits::default()
            };
        };
        let used = clocks.since.map_or(Duration::ZERO, |since| since.elapsed());
        let left = clocks.left[self.side().index()].saturating_sub(used);
        let increment = Duration::from_secs_f64(control.increment);
        Limits { clock: Some(Clock { left, increment, moves_to_go: 0 }), ..Limits::default() }
    }

    /// Ends the search, whatever it was for; nothing that it still says is heard.
    fn stop(&mut self) {
        self.search = None;
        self.engine.stop();
    }

    fn found(&mut self, best: Option<String>, score: i32) {
        let Some(search) = self.search.take() else { return };
        match (search.purpose, best) {
            (Purpose::Move, Some(best)) => {
                if self.play(&best).is_ok() {
                    self.keep();
                }
            }
            (Purpose::Hint, best) => self.hint = best,
            (Purpose::Draw, _) if score >= 0 => self.finish(End::draw("Draw by agreement".into())),
            (Purpose::Draw, _) => {
                self.notice = Some("The engine thinks that it is better, and plays on.".into());
            }
            (Purpose::Move | Purpose::Analysis, _) => {}
        }
    }

    // ---- Time -------------------------------------------------------------------------------------------

    /// When something happens by itself.
    fn deadline(&self) -> Option<Instant> {
        let flag = self.clocks.as_ref().and_then(|clocks| {
            let left = clocks.left[self.side().index()];
            clocks.since.map(|since| since + left)
        });
        let brief = self.search.as_ref().and_then(|search| search.until);
        flag.into_iter().chain(brief).min()
    }

    fn pass_time(&mut self) {
        let now = Instant::now();
        if let Some(search) = &mut self.search
            && search.until.is_some_and(|until| until <= now)
        {
            search.until = None;
            self.engine.stopper().stop();
        }
        let side = self.side();
        let left = |clocks: &Clocks| {
            clocks.since.map(|since| clocks.left[side.index()].saturating_sub(since.elapsed()))
        };
        if self.clocks.as_ref().and_then(left) == Some(Duration::ZERO) {
            self.finish(End::won(!side, format!("{side} has no time left")));
            self.keep();
        }
    }

    // ---- Files ------------------------------------------------------------------------------------------

    fn load(&mut self, text: &str) -> Result<()> {
        let text = text.trim();
        ensure!(!text.is_empty(), "there is nothing to load");
        let two = NewGame { engine: [false, false], clock: None, fen: None, ..self.new.clone() };
        // A FEN is one line with ranks between slashes.
        if !text.contains(['\n', '[', '.']) || text.lines().count() == 1 && !text.contains(". ") {
            return self.begin(NewGame { fen: Some(text.into()), ..two });
        }
        let game = pgn::games(text).next().context("there is no game in it")??;
        let name = game.tag("Variant").map_or(self.new.game.clone(), str::to_lowercase);
        let mut session = crate::engine::open(&name)
            .with_context(|| format!("tag Variant: there is no game called '{name}'"))?;
        let steps = games::open(&mut *session, &game)?;
        let start = session.fen();
        let fen = (start != session.info().start).then_some(start);
        self.begin(NewGame { game: name, fen, ..two })?;
        for step in steps {
            self.play(&step.text)?;
        }
        if self.outcome().is_none() {
            let resigned = |winner: Color| End::won(winner, format!("{} resigns", !winner));
            self.end = match game.result.as_str() {
                "1-0" => Some(resigned(Color::White)),
                "0-1" => Some(resigned(Color::Black)),
                "1/2-1/2" => Some(End::draw("Draw by agreement".into())),
                _ => None,
            };
        }
        Ok(())
    }

    fn pgn(&self) -> String {
        let info = self.engine.game().info();
        let result = self.outcome().map_or("*".into(), |end| end.score);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let name = |engine: bool| if engine { "Quintain" } else { "?" }.to_owned();
        let mut tags = vec![
            ("Event", format!("{} in the browser", info.title)),
            ("Site", "?".into()),
            ("Date", utc(now).0),
            ("Round", "-".into()),
            ("White", name(self.new.engine[0])),
            ("Black", name(self.new.engine[1])),
            ("Result", result.clone()),
            ("Variant", info.name.into()),
        ];
        if self.start_fen != info.start {
            tags.extend([("SetUp", "1".into()), ("FEN", self.start_fen.clone())]);
        }
        let ply = |ply: &Ply| pgn::Ply { san: ply.san().into(), comment: None };
        Game {
            tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            comment: None,
            moves: self.played.iter().map(ply).collect(),
            result,
        }
        .to_string()
    }

    fn file(&self, game: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{game}.json")))
    }

    /// Writes the game where the next start finds it.
    fn keep(&self) {
        let Some(path) = self.file(&self.new.game) else { return };
        let kept = Kept {
            new: self.new.clone(),
            moves: self.engine.game().played().into_iter().map(|(text, _)| text).collect(),
            end: self.end.clone(),
            left: self.clocks.as_ref().map(|clocks| clocks.left),
            paused: self.paused,
        };
        let text = serde_json::to_string(&kept).expect("a game as text");
        // Who cannot write there plays all the same.
        let _ = crate::tools::play::write_at_once(&path, &text);
    }

    fn kept_game(&self, game: &str) -> Option<Kept> {
        serde_json::from_str(&fs::read_to_string(self.file(game)?).ok()?).ok()
    }

    fn resume(&mut self, kept: Kept) -> Result<()> {
        self.begin(kept.new)?;
        for text in &kept.moves {
            self.play(text)?;
        }
        // Nobody's time runs before somebody moves.
        if let (Some(clocks), Some(left)) = (&mut self.clocks, kept.left) {
            *clocks = Clocks { left, since: None };
        }
        self.end = kept.end;
        self.paused = kept.paused;
        Ok(())
    }

    // ---- Telling ----------------------------------------------------------------------------------------

    /// Tells everybody who looks on.
    fn tell(&mut self) {
        self.version += 1;
        let game = self.engine.game();
        let outcome = self.outcome();
        let moves: Vec<Mv> = match outcome {
            Some(_) => Vec::new(),
            None => game.moves_in_full().iter().map(Mv::of).collect(),
        };
        let since = self.clocks.as_ref().and_then(|clocks| clocks.since);
        let state = State {
            version: self.version,
            game: state::game(&game.info()),
            new: &self.new,
            start: &self.start,
            played: &self.played,
            side: state::side(game.side()),
            moves,
            remark: game.remark(),
            end: outcome,
            thinking: self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Analysis),
            paused: self.paused,
            analysis: self.analysis,
            lines: self.lines.values().collect(),
            hint: self.hint.as_deref(),
            notice: self.notice.as_deref(),
            clock: self.clocks.as_ref().map(|clocks| {
                let mut left = clocks.left;
                if let Some(since) = since {
                    let left = &mut left[game.side().index()];
                    *left = left.saturating_sub(since.elapsed());
                }
                left.map(|left| left.as_millis() as u64)
            }),
            running: since.is_some(),
        };
        let text = serde_json::to_string(&state).expect("a state as text");
        self.states.send_replace(text.into());
    }
}

/// A line of analysis, with White's score.
fn line(position: &dyn Session, info: &Info, white: bool) -> Line {
    let score = if white { info.score } else { -info.score };
    let best: Option<MoveInfo> = position
        .coordinates(&info.pv)
        .first()
        .and_then(|text| position.moves_in_full().into_iter().find(|mv| mv.text == *text));
    Line {
        number: info.multi_pv,
        depth: info.depth,
        score,
        mate: crate::search::score::moves_to_mate(score),
        nodes: info.nodes,
        speed: info.nodes * 1000 / info.millis.max(1),
        san: position.san(&info.pv),
        best: best.as_ref().map(Mv::of),
    }
}
