//! UCI.
//!
//! The loop reads and executes commands; a search runs in a thread of its own and prints what it finds, so `isready`,
//! `stop`, `ponderhit` and `quit` take effect at once. A command that changes the state that a search started from
//! ends the search first and waits for its answer. `perft` and `bench` are for people: the next command waits until
//! they end, but `stop` ends them, and then every search that was asked for before it, each with its answer.

#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
#[allow(clippy::expect_used)]
pub mod fuzzing;
mod parse;
mod print;
mod watch;

pub use watch::Watch;

use super::line::{Lines, say};
use super::{Openings, set_option};
use anyhow::Result;
use parse::{Command, Go};
use quintain_core::board::Move;
use quintain_core::notation::draw::Style;
use quintain_core::rules::perft::{Counting, total};
use quintain_core::search::Limits;
use quintain_engine::options::{Id, TABLE};
use quintain_engine::{Bench, Engine, Event, Options, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use watch::Reader;

/// Serves a GUI whose first line was `first`.
pub fn run(first: &str, lines: &Lines) -> Result<()> {
    let mut uci = Uci::new(Reader::new(lines))?;
    let mut next = Some(first.to_owned());
    while let Some(line) = next {
        if !uci.obey(&line) {
            break;
        }
        next = uci.watch.next();
    }
    uci.engine.stop();
    Ok(())
}

/// The deepest perft. A deeper one would take for ever, and might overflow the stack.
const MOST_PLIES: u32 = 30;
/// How long a perft goes on after the end of the input, so that `echo go perft 5 | quintain` has its answer.
const LAST_PERFT: Duration = Duration::from_secs(10);

/// An engine that is spoken to by lines. What it answers is said by [`say`].
pub struct Uci<W> {
    engine: Engine,
    openings: Openings,
    watch: W,
}

impl<W: Watch> Uci<W> {
    /// An engine for chess with the usual options.
    pub fn new(watch: W) -> Result<Uci<W>> {
        Ok(Uci { engine: Engine::new(Options::default())?, openings: Openings::default(), watch })
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Obeys a line; false if it was `quit`.
    pub fn obey(&mut self, line: &str) -> bool {
        match parse::parse(line) {
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(Command::Perft(depth))) => self.perft(depth),
            Ok(Some(Command::Bench(depth))) => self.bench(depth),
            Ok(Some(command)) => self.handle(command),
            Ok(None) => {}
            Err(error) => say(print::error(error)),
        }
        true
    }

    /// Executes `command`, and survives a panic of the engine.
    fn handle(&mut self, command: Command) {
        let done = catch_unwind(AssertUnwindSafe(|| self.execute(command)));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(error)) => say(print::error(format_args!("{error:#}"))),
            Err(_) => say(print::error("internal error; the command was not executed")),
        }
    }

    fn execute(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Uci => print::greeting(&*TABLE).iter().for_each(say),
            Command::IsReady => {
                self.engine.prepare();
                say("readyok");
            }
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Ignored | Command::Quit | Command::Perft(_) | Command::Bench(_) => {}
            Command::NewGame => self.engine.new_game(),
            Command::SetOption { name, value } => {
                self.engine.stop();
                match set_option(&mut self.engine, &mut self.openings, &name, value.as_deref())? {
                    Id::Variant => say(print::variant(&self.engine.game().info())),
                    Id::Threads => {
                        let (wanted, set) = (value.unwrap_or_default(), self.engine.options().threads);
                        if wanted.trim() != set.to_string() {
                            let most = format_args!("{set} is the most on this machine, so {set} search");
                            say(format_args!("info string option Threads: {most}"));
                        }
                    }
                    _ => {}
                }
            }
            Command::Position { fen, moves } => {
                self.engine.stop();
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                self.engine.game_mut().set_position(fen.as_deref(), &moves)?;
            }
            Command::Go(go) => self.go(&go),
            Command::Draw => draw(self.engine.game()),
            Command::Eval => {
                let (game, score) = (self.engine.game(), self.engine.evaluate());
                say(format_args!("{} centipawns for {}, who is to move", score.value(), game.side()));
            }
            Command::Moves => say(self.engine.game().moves().join(" ")),
            Command::Flip => {
                self.engine.stop();
                self.engine.game_mut().flip()?;
            }
            Command::Help => say(print::HELP),
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) {
        self.engine.stop();
        for problem in &go.problems {
            say(print::error(problem));
        }
        let game = self.engine.game();
        let root = |text: &String| match game.find(text) {
            Ok(mv) => Some(mv),
            Err(error) => {
                say(print::error(format_args!("searchmoves {error}")));
                None
            }
        };
        let search_moves: Vec<Move> = go.search_moves.iter().filter_map(root).collect();
        let limits = Limits { search_moves, ..go.limits(game.side()) };
        let plays =
            limits.search_moves.is_empty() && limits.mate.is_none() && !limits.infinite && !limits.ponder;
        if let Some(choice) = self.openings.choose(&self.engine).filter(|_| plays) {
            say("info string a move of the opening book");
            return say(print::best_move(&[choice.text]));
        }
        let show_wdl = self.engine.options().show_wdl;
        let tables = Arc::clone(self.engine.tables());
        self.engine.go(limits, move |game, event| {
            if matches!(event, Event::Done(_) | Event::Failed(_)) {
                tables.problems().iter().for_each(|problem| say(print::error(problem)));
            }
            report(game, event, show_wdl);
        });
    }

    fn perft(&mut self, depth: u32) {
        self.engine.stop();
        if depth > MOST_PLIES {
            return say(print::error(format_args!("perft: {depth} plies are more than {MOST_PLIES}")));
        }
        let (game, threads) = (self.engine.game(), self.engine.options().threads);
        let counted = self.watch.during(LAST_PERFT, |stopped| {
            let on_move = |text: &str, nodes: u64| {
                if !stopped() {
                    say(format_args!("{text}: {nodes}"));
                }
            };
            let counts = game.divide(depth, threads, Counting::Until(stopped), &on_move);
            (total(depth, &counts), stopped())
        });
        match counted {
            Ok((total, false)) => say(format_args!("\nNodes searched: {total}")),
            Ok((_, true)) => say("\nStopped"),
            Err(_) => say(print::error("perft: internal error")),
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.engine.stop();
        let usual = Bench::default();
        let bench = Bench { depth: depth.unwrap_or(usual.depth), ..usual };
        let done = self.watch.during(Duration::MAX, |stopped| {
            bench.run(Some(stopped), &mut |line| {
                say(line);
                Ok(())
            })
        });
        match done {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => say("\nStopped"),
            Ok(Err(error)) => say(print::error(format_args!("bench: {error:#}"))),
            Err(_) => say(print::error("bench: internal error")),
        }
    }
}

/// Prints what a search reports.
fn report(game: &dyn Session, event: Event, show_wdl: bool) {
    match event {
        Event::Info(info) => {
            say(print::info(info, game.shown(info.score), &game.coordinates(&info.pv), show_wdl));
        }
        Event::CurrentMove { depth, mv, number } => {
            if let [name] = &game.coordinates(&[mv])[..] {
                say(format_args!("info depth {depth} currmove {name} currmovenumber {number}"));
            }
        }
        Event::Done(info) => say(print::best_move(&game.coordinates(&info.pv))),
        Event::Failed(info) => {
            say(print::error("internal error in the search; this is just a legal move"));
            say(print::best_move(&game.coordinates(&info.pv)));
        }
    }
}

fn draw(game: &dyn Session) {
    say(game.draw(Style::default()));
    say(format_args!("Fen: {}", game.fen()));
    say(format_args!("Checkers: {}", game.checkers().join(" ")).to_string().trim_end());
    if let Some(outcome) = game.outcome() {
        say(format_args!("Result: {} {outcome}", outcome.score()));
    }
}
