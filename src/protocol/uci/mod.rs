//! UCI.
//!
//! The loop reads lines and obeys them; a search runs in a thread of its own and prints what it finds, so `isready`,
//! `stop`, `ponderhit` and `quit` are heard at once. Whatever changes the state that a search started from ends the
//! search first and waits for its answer. `perft` and `bench` are for people: the next command waits for them, but `stop`
//! ends a perft.

mod parse;
mod print;

use super::line::{Input, Lines, say};
use crate::engine::options::{Id, TABLE};
use crate::engine::{self, Answer, Bench, Options, Session, Strength};
use crate::notation::draw::Style;
use crate::search::{Control, Limits, Memory, Settings};
use anyhow::{Context, Result};
use parse::{Command, Go};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Serves a GUI whose first line was `first`.
pub fn run(first: &str, lines: &Lines) -> Result<()> {
    let mut uci = Uci::new()?;
    let mut next = Some(first.to_owned());
    while let Some(line) = next {
        match parse::parse(&line) {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(Command::Perft(depth))) => uci.perft(depth, lines),
            Ok(Some(command)) => uci.obey(command),
            Ok(None) => {}
            Err(error) => say(print::error(error)),
        }
        next = uci.waiting.pop_front().or_else(|| lines.recv());
    }
    uci.end_search();
    Ok(())
}

/// The deepest perft: nobody sees the end of a deeper one, but it might see the end of the stack.
const MOST_PLIES: u32 = 30;
/// How long a perft goes on when nobody can end it any more, so that `echo go perft 5 | quintain` has its answer.
const LAST_PERFT: Duration = Duration::from_secs(10);

struct Uci {
    options: Options,
    session: Box<dyn Session>,
    memory: Arc<Memory>,
    control: Arc<Control>,
    search: Option<JoinHandle<()>>,
    /// Lines that came during a perft.
    waiting: VecDeque<String>,
    /// Drawn anew for each game, so that a weak opponent is not always the same.
    seed: u64,
}

impl Uci {
    fn new() -> Result<Uci> {
        let options = Options::default();
        Ok(Uci {
            session: engine::open(options.variant).context("the default game")?,
            memory: Arc::new(Memory::try_new(options.hash).context("no memory for the table")?),
            control: Arc::default(),
            search: None,
            waiting: VecDeque::new(),
            seed: engine::any_seed(),
            options,
        })
    }

    /// Does what `command` says, unless a fault of our own keeps us from it: even then the next one is heard.
    fn obey(&mut self, command: Command) {
        let done = catch_unwind(AssertUnwindSafe(|| self.execute(command)));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => say(print::error(format_args!("{error:#}"))),
            Err(_) => say(print::error("a fault in the engine; the command was not carried out")),
        }
    }

    fn execute(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Uci => print::greeting(TABLE).iter().for_each(say),
            Command::IsReady => say("readyok"),
            Command::Stop => self.end_search(),
            Command::PonderHit if self.control.pondering() => self.control.ponder_hit(),
            Command::PonderHit => {}
            Command::Ignored | Command::Quit | Command::Perft(_) => {}
            Command::NewGame => {
                self.end_search();
                self.memory.clear();
                self.seed = engine::any_seed();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => {
                self.end_search();
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                self.session.set_position(fen.as_deref(), &moves)?;
            }
            Command::Go(go) => self.go(&go),
            Command::Draw => self.draw(),
            Command::Eval => {
                let side = self.session.side();
                say(format_args!("{} centipawns for {side}, who is to move", self.session.evaluate()));
            }
            Command::Moves => say(self.session.moves().join(" ")),
            Command::Flip => {
                self.end_search();
                self.session.flip()?;
            }
            Command::Bench(depth) => {
                self.end_search();
                let usual = Bench::default();
                Bench { depth: depth.unwrap_or(usual.depth), ..usual }.run(&mut |line| {
                    say(line);
                    Ok(())
                })?;
            }
            Command::Help => say(print::HELP),
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        self.end_search();
        let mut options = self.options.clone();
        match options.set(name, value)? {
            Id::Variant => {
                self.session = engine::open(options.variant).context("a game of the list")?;
                // Positions of two games may have the same key.
                self.memory.clear();
                say(print::variant(&self.session.info()));
            }
            Id::Hash => {
                let memory = Memory::try_new(options.hash);
                let memory = memory.with_context(|| {
                    format!("option Hash: no memory for {} MiB, it stays {}", options.hash, self.options.hash)
                })?;
                self.memory = Arc::new(memory);
            }
            Id::ClearHash => self.memory.clear(),
            _ => {}
        }
        self.options = options;
        Ok(())
    }

    fn go(&mut self, go: &Go) {
        self.end_search();
        for problem in &go.problems {
            say(print::error(problem));
        }
        let mut limits = go.limits(self.session.side());
        let mut scratch = self.session.copy();
        limits.search_moves.retain(|text| match scratch.play(text) {
            Ok(_) => scratch.undo(),
            Err(error) => {
                say(print::error(format_args!("searchmoves {error}")));
                false
            }
        });
        self.control.start(&limits);
        let search = Search {
            session: self.session.copy(),
            limits,
            settings: self.options.settings(),
            strength: self.options.strength(self.seed),
            show_wdl: self.options.show_wdl,
            memory: Arc::clone(&self.memory),
            control: Arc::clone(&self.control),
        };
        match thread::Builder::new().name("go".into()).spawn(move || search.run()) {
            Ok(thread) => self.search = Some(thread),
            Err(error) => {
                say(print::error(format_args!("no thread for the search: {error}")));
                say(print::best_move(&any_move(&*self.session)));
            }
        }
    }

    /// Ends the search, if there is one, and waits until it has answered.
    fn end_search(&mut self) {
        if let Some(search) = self.search.take() {
            self.control.stop();
            // A search that failed has said so itself.
            drop(search.join());
        }
    }

    /// Counts paths while it listens for `stop`; all other lines wait.
    fn perft(&mut self, depth: u32, lines: &Lines) {
        self.end_search();
        if depth > MOST_PLIES {
            return say(print::error(format_args!("perft: {depth} plies are more than {MOST_PLIES}")));
        }
        let stop = AtomicBool::new(false);
        let (session, threads) = (&*self.session, self.options.threads);
        let count = || {
            let on_move = |text: &str, nodes: u64| say(format_args!("{text}: {nodes}"));
            session.perft(depth, threads, &|| stop.load(Relaxed), &on_move)
        };
        let total = thread::scope(|scope| {
            let counting = scope.spawn(count);
            let mut last = None;
            while !counting.is_finished() {
                const LOOK: Duration = Duration::from_millis(5);
                match lines.recv_timeout(LOOK) {
                    Input::Line(line) if line == "stop" => stop.store(true, Relaxed),
                    Input::Line(line) => {
                        last = last.or_else(|| (line == "quit").then(Instant::now));
                        self.waiting.push_back(line);
                    }
                    Input::Nothing => {}
                    Input::End => {
                        last.get_or_insert_with(Instant::now);
                        thread::sleep(LOOK);
                    }
                }
                if last.is_some_and(|last| last.elapsed() > LAST_PERFT) {
                    stop.store(true, Relaxed);
                }
            }
            counting.join()
        });
        match total {
            Ok(Some(total)) => say(format_args!("\nNodes searched: {total}")),
            Ok(None) => say("\nStopped"),
            Err(_) => say(print::error("perft: a fault in the engine")),
        }
    }

    fn draw(&self) {
        let session = &self.session;
        say(session.draw(Style::default()));
        say(format_args!("Fen: {}", session.fen()));
        say(format_args!("Checkers: {}", session.checkers().join(" ")).to_string().trim_end());
        if let Some(outcome) = session.outcome() {
            say(format_args!("Result: {} {outcome}", outcome.score()));
        }
    }
}

/// All that a search needs, in its own thread.
struct Search {
    session: Box<dyn Session>,
    limits: Limits,
    settings: Settings,
    strength: Strength,
    show_wdl: bool,
    memory: Arc<Memory>,
    control: Arc<Control>,
}

impl Search {
    fn run(self) {
        let report = |report: &engine::Report| say(print::info(report, self.show_wdl));
        let (session, limits, control) = (&*self.session, &self.limits, &self.control);
        let think =
            || engine::think(session, self.strength, limits, self.settings, &self.memory, control, &report);
        say(print::best_move(&answered(think, || any_move(&*self.session))));
    }
}

/// What `think` answers, or `otherwise` if it panics: a GUI that waits must get a move.
fn answered(think: impl FnOnce() -> Answer, otherwise: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(think)).unwrap_or_else(|_| {
        say(print::error("a fault in the search; this is just a legal move"));
        otherwise()
    })
}

fn any_move(session: &dyn Session) -> Answer {
    Answer { best: session.moves().into_iter().next(), ..Answer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_panics_still_answers() {
        let session = engine::open("canyon").unwrap();
        let answer = answered(|| panic!("on purpose"), || any_move(&*session));
        assert!(session.moves().contains(&answer.best.unwrap()));
    }
}
