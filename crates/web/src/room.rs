//! The board without a server. One worker has the room, and passes messages between it, the page, the store of the browser
//! and another worker, which thinks. All of them are JSON; `crates/board/page/room.js` is at the other end.

use crate::text;
use anyhow::{Context, Result};
use quintain_board::endings::{self, Ending};
use quintain_board::learn::{LessonsView, Line};
use quintain_board::link::Link;
use quintain_board::room::{Command, Message, Order, Report, Role, Room, Thinker, Visitor};
use quintain_board::view::NodeId;
use quintain_engine::{FindTables, NAMES};
use quintain_play::game::time::now;
use quintain_play::library::memory::Memory;
use quintain_play::library::{Deleted, Library, Lock, Store};
use quintain_protocol::say;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

/// The page; there is one for each room.
const SEAT: u64 = 1;

/// What the worker of the room tells it.
#[derive(Deserialize)]
#[serde(tag = "tell", rename_all = "kebab-case", deny_unknown_fields)]
enum Told {
    /// The texts of the store by name, and the person's preferences: the room opens. Its positions are numbered from `first`.
    /// The games that were deleted last come from the room before.
    Open { texts: Vec<(String, String)>, preferences: String, first: NodeId, deleted: Vec<Deleted> },
    /// The page asks the room; the answer has the same number.
    Command { number: u64, command: Value },
    /// The page asks for what is no room's.
    Get { number: u64, path: String, query: Query },
    /// Something was thought about.
    Report { report: Report },
    /// It is as late as the room wanted to know.
    Time,
    /// The store has kept what it was given last, or could not.
    Stored { failed: Option<String> },
}

/// What the parts of an address after the question mark may be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    #[serde(default)]
    game: String,
    fen: Option<String>,
    /// Separated by blanks.
    #[serde(default)]
    moves: String,
    /// A game as a link.
    link: Option<String>,
    /// The pieces of an ending.
    material: Option<String>,
}

/// What the worker of the room is told.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Tell {
    /// The answer to the page: a value, or what was wrong.
    Answer(u64, Result<Value, String>),
    /// An order for the worker that thinks.
    Order(Order),
    /// Keep a text.
    Put(String, String),
    /// Delete a text.
    Delete(String),
    /// Keep the preferences.
    Preferences(String),
    /// Tell the time in so many milliseconds.
    Wait(Option<u64>),
    /// Give the module the endgame tables.
    Tables,
    /// Nothing was done, because it needs the module of this game, or that of all. The room was left for one there, which
    /// may have to bring these games back.
    Elsewhere { module: String, deleted: Vec<Deleted> },
}

fn tell(what: &Tell) {
    say(serde_json::to_string(what).expect("JSON"));
}

thread_local! {
    static ROOM: RefCell<Option<(Room, Kept)>> = const { RefCell::new(None) };
    static THINKER: RefCell<Thinker> = RefCell::default();
}

/// Handles what the worker of the room tells.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn room(length: usize) {
    let told: Told = serde_json::from_str(&text(length)).expect("a message of the worker");
    if let Some(module) = elsewhere(&told) {
        let deleted = ROOM.with_borrow_mut(|room| {
            let (room, _) = room.as_mut()?;
            room.end();
            Some(take(&mut room.deleted))
        });
        return tell(&Tell::Elsewhere { module, deleted: deleted.unwrap_or_default() });
    }
    match told {
        Told::Get { number, path, query } => {
            let answer = get(&path, &query).map_err(|error| format!("{error:#}"));
            tell(&Tell::Answer(number, answer));
        }
        Told::Open { texts, preferences, first, deleted } => {
            let (mut room, kept) = open(texts, &preferences, first).expect("a room without a game");
            room.deleted = deleted;
            ROOM.set(Some((room, kept)));
        }
        told => ROOM.with_borrow_mut(|room| {
            let (room, kept) = room.as_mut().expect("it was opened");
            handle(room, kept, told);
        }),
    }
}

/// The module with all games.
const ALL: &str = "all";

/// The module that a message is for, if this one does not know the game that it is about.
fn elsewhere(told: &Told) -> Option<String> {
    if NAMES.iter().all(|name| is_known(name)) {
        return None;
    }
    let of_link = |link: &str| link.split('/').next().unwrap_or_default().to_owned();
    let game = match told {
        Told::Get { path, query, .. } => match (path.split_once('/'), &query.link) {
            (Some((_, game)), _) => game.to_owned(),
            (None, Some(link)) => of_link(link),
            (None, None) => query.game.clone(),
        },
        Told::Command { command, .. } => {
            let text = |name: &str| command[name].as_str().unwrap_or_default();
            match text("command") {
                // Unless it is a FEN, it may be a game of any kind.
                "load" if !text("text").contains('/') || text("text").trim().contains(['\n', '.']) => {
                    return Some(ALL.into());
                }
                "load" => text("kind").to_owned(),
                "export" => return Some(ALL.into()),
                "open" => kind_of(text("id")).unwrap_or_default(),
                "follow" => of_link(text("link")),
                _ => text("game").to_owned(),
            }
        }
        _ => return None,
    };
    (NAMES.contains(&game.as_str()) && !is_known(&game)).then_some(game)
}

fn is_known(game: &str) -> bool {
    quintain_engine::info(game).is_ok()
}

/// The kind of a game that is kept.
fn kind_of(id: &str) -> Option<String> {
    let text = ROOM.with_borrow(|room| room.as_ref().and_then(|(_, kept)| kept.memory.read(id).ok()))?;
    let heading: Value = serde_json::from_str(text.lines().next()?).ok()?;
    Some(heading["game"].as_str()?.to_owned())
}

fn open(texts: Vec<(String, String)>, preferences: &str, first: NodeId) -> Result<(Room, Kept)> {
    let kept = Kept::default();
    texts.iter().for_each(|(id, text)| kept.memory.put(id, text));
    kept.memory.keep_preferences(preferences)?;
    let orders = Box::new(|order| tell(&Tell::Order(order)));
    let mut room = Room::with_orders(None, Some(Library::new(kept.clone())), orders, first)?;
    let visitor = Visitor { seat: SEAT, role: Role::Owner, browser: String::new() };
    let outbox = |event: quintain_board::room::Event| {
        // Its data is JSON already.
        say(format!(r#"{{"event":["{}",{}]}}"#, event.name, event.data));
    };
    step(&mut room, Some(Message::Join(visitor, Box::new(outbox))));
    Ok((room, kept))
}

fn handle(room: &mut Room, kept: &Kept, told: Told) {
    let message = match told {
        Told::Command { number, command } => match serde_json::from_value::<Command>(command) {
            Ok(command) => {
                let reply = move |answer: quintain_board::room::Answer| {
                    tell(&Tell::Answer(number, answer.result));
                };
                Some(Message::Command(Role::Owner, command, Box::new(reply)))
            }
            Err(error) => return tell(&Tell::Answer(number, Err(format!("no command: {error}")))),
        },
        Told::Report { report } => Some(Message::Report(report)),
        Told::Stored { failed } => {
            let is_new = failed.is_some() && kept.failed().is_none();
            *kept.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
            if !is_new {
                return;
            }
            Some(Message::Save)
        }
        Told::Time | Told::Open { .. } | Told::Get { .. } => None,
    };
    step(room, message);
}

/// Handles a message, and what the room sends itself meanwhile.
fn step(room: &mut Room, message: Option<Message>) {
    room.step(message).expect("a room that goes on");
    while let Some(message) = room.pending() {
        room.step(Some(message)).expect("a room that goes on");
    }
    if room.wants_tables() {
        tell(&Tell::Tables);
    }
    let wait = room.deadline().map(|at| at.saturating_sub(now()).as_millis() as u64);
    tell(&Tell::Wait(wait));
}

/// The module has endgame tables now.
pub fn use_tables() {
    ROOM.with_borrow_mut(|room| {
        if let Some((room, _)) = room {
            room.find_tables(Arc::new(|_| ()));
        }
    });
}

/// What the page asks that changes nothing.
fn get(path: &str, query: &Query) -> Result<Value> {
    if let Some(game) = path.strip_prefix("lessons/") {
        return Ok(json!(LessonsView::new(game)?));
    }
    // The tables that the module was given, and no others.
    let find: FindTables = Arc::new(|_| ());
    if let Some(game) = path.strip_prefix("endings/") {
        return Ok(json!(endings::list(game, &find)?));
    }
    let moves: Vec<&str> = query.moves.split_whitespace().collect();
    match path {
        "ending" => {
            let (fen, material) = (query.fen.as_deref(), query.material.as_deref());
            Ok(json!(Ending::answer(&query.game, material, fen, &moves, &find)?))
        }
        "line" => {
            if let Some(link) = &query.link {
                let (Link { game, fen, moves }, _) = Link::read(link)?;
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                return Ok(json!(Line::new(&game, fen.as_deref(), &moves)?));
            }
            Ok(json!(Line::new(&query.game, query.fen.as_deref(), &moves)?))
        }
        // Nobody else can come here.
        "links" => Ok(json!({ "origins": [], "paths": [] })),
        _ => None.with_context(|| format!("there is no {path}")),
    }
}

/// Obeys an order of a room, in the worker that thinks. What it finds is sent; it ends when it has found everything.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn think(length: usize) {
    let order: Order = serde_json::from_str(&text(length)).expect("an order of a room");
    let told = |report| say(serde_json::to_string(&report).expect("JSON"));
    let done = THINKER.with_borrow_mut(|thinker| thinker.obey(order, told));
    done.expect("an order that can be obeyed");
}

/// The texts of the browser's store, which also keeps what changes, a little later.
#[derive(Clone, Default)]
struct Kept {
    memory: Memory,
    /// Why the store could not keep what it was given last.
    failed: Arc<Mutex<Option<String>>>,
}

impl Kept {
    fn failed(&self) -> Option<String> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Passes a change on. If the one before was lost, so may this be.
    fn change(&self, change: &Tell) -> io::Result<()> {
        tell(change);
        self.failed().map_or(Ok(()), |why| Err(io::Error::other(why)))
    }
}

impl Store for Kept {
    fn list(&self) -> io::Result<Vec<(String, io::Result<String>)>> {
        self.memory.list()
    }

    fn read(&self, id: &str) -> io::Result<String> {
        self.memory.read(id)
    }

    fn lock(&self, id: &str) -> io::Result<Lock> {
        self.memory.lock(id)
    }

    fn write(&self, lock: &Lock, text: &str) -> io::Result<()> {
        self.memory.write(lock, text)?;
        self.change(&Tell::Put(lock.id().to_owned(), text.to_owned()))
    }

    fn delete(&self, lock: Lock) -> io::Result<()> {
        let id = lock.id().to_owned();
        self.memory.delete(lock)?;
        self.change(&Tell::Delete(id))
    }

    fn set_aside(&self, id: &str) -> io::Result<String> {
        let text = self.memory.read(id)?;
        let name = self.memory.set_aside(id)?;
        self.change(&Tell::Put(name.clone(), text))?;
        self.change(&Tell::Delete(id.to_owned()))?;
        Ok(name)
    }

    fn preferences(&self) -> io::Result<String> {
        self.memory.preferences()
    }

    fn keep_preferences(&self, text: &str) -> io::Result<()> {
        self.memory.keep_preferences(text)?;
        self.change(&Tell::Preferences(text.to_owned()))
    }
}
