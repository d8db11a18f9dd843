//! CECP, the protocol of XBoard, version 2.
//!
//! XBoard gets the description of a game in answer to `variant`, and moves that it understands; [`xboard`](quintain_xboard)
//! has both. It must not test moves for legality: it must be run with `-testLegality false`, for all games but chess.
//!
//! One thread reads lines, one searches, and both send events to the loop here, which owns the state.

mod clock;
mod features;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
#[allow(clippy::expect_used)]
pub mod fuzzing;
mod moves;
mod play;
mod report;
mod think;

use super::Openings;
use super::line::{Lines, say};
use anyhow::Result;
use clock::TimeControl;
use quintain_core::board::Color;
use quintain_engine::options::Id;
use quintain_engine::{Engine, FileRank, Options};
use quintain_xboard::marks::Marks;
use quintain_xboard::mirror::Mirror;
use report::{Found, LastInfo};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use think::{Paused, Search};

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

/// Where lines for the GUI go; several lines in one call stay together.
type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// The events of the loop.
enum Event {
    /// A line of the GUI.
    Line(String),
    /// The end of the input.
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
    /// We analyse the position on the board.
    Analyze,
}

struct XBoard {
    say: Say,
    events: Sender<Event>,
    engine: Engine,
    openings: Openings,
    mirror: Mirror,
    /// What is wrong with the position that XBoard set up last; no move is legal then.
    invalid: Option<String>,
    mode: Mode,
    control: TimeControl,
    search: Option<Search>,
    searches: u64,
    /// The GUI wants thinking output; read by the search.
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
    /// Pings to be answered after our move.
    pings: Vec<String>,
    /// Options to be set after our move, with the lines that they came in.
    options: Vec<(String, String)>,
    /// Where the piece that a person holds may go.
    marks: Marks,
    /// A person put a piece on this square: the move that follows was made with the mouse.
    by_hand: Option<FileRank>,
    /// The search to resume after a pause.
    paused: Option<Paused>,
    /// The last line that the search reported.
    last_info: Arc<Mutex<LastInfo>>,
}

/// The game until the GUI selects another.
const NORMAL: &str = "chess";

impl XBoard {
    fn new(events: Sender<Event>, say: Say) -> Result<XBoard> {
        let engine = Engine::new(Options { variant: NORMAL, ..Options::default() })?;
        Ok(XBoard {
            say,
            events,
            mirror: Mirror::new(engine.game()),
            engine,
            openings: Openings::default(),
            invalid: None,
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
            options: Vec::new(),
            marks: Marks::default(),
            by_hand: None,
            paused: None,
            last_info: Arc::default(),
        })
    }

    fn say(&self, line: impl AsRef<str>) {
        (self.say)(line.as_ref());
    }

    /// Handles an event; false to quit. It survives a panic, so that the game goes on.
    fn handle(&mut self, event: Event) -> bool {
        let done = catch_unwind(AssertUnwindSafe(|| match event {
            Event::Line(line) => self.dispatch(&line),
            Event::End => false,
            Event::Done(number, found) => {
                self.search_done(number, found);
                true
            }
        }));
        done.unwrap_or_else(|_| {
            self.say("# internal error; the last command was not executed");
            self.drop_search();
            drop(catch_unwind(AssertUnwindSafe(|| self.start_search())));
            true
        })
    }

    fn dispatch(&mut self, line: &str) -> bool {
        let (command, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let arguments = arguments.trim();
        // Between `put` and the move XBoard may send names and times.
        if matches!(command, "new" | "variant" | "force" | "setboard" | "undo" | "remove" | "lift" | "result")
        {
            self.by_hand = None;
        }
        match command {
            "quit" => return false,
            "" | "xboard" | "accepted" | "random" | "name" | "rating" | "ics" | "otim" | "white"
            | "black" | "hover" | "partner" | "ptell" | "holding" => {}
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
            "bk" => self.show_book(),
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
            "egtpath" => self.table_path(arguments, line),
            "computer" => self.against_engine = true,
            "pause" => self.pause(),
            "resume" => self.resume(),
            "exclude" | "include" => self.exclude(command == "exclude", arguments, line),
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
}

#[cfg(test)]
mod tests;
