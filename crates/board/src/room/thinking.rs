//! What a room wants to be thought about, and what is found. A room starts threads for it, or gives orders to a
//! [`Thinker`] elsewhere, which in a browser is another worker. Both report the same.

// The names of the fields are what workers send each other, and say what they hold.
#![allow(missing_docs)]

use super::annotation::Judgement;
use anyhow::Result;
use quintain_core::search::{Bound, Clock, Info, Limits, Score};
use quintain_engine::skill::FULL;
use quintain_engine::{Engine, Event, Options, Session};
use quintain_play::game::Analyst;
use quintain_play::game::analyst;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

/// How long to think about each move of a game that is annotated.
const ANNOTATION: Duration = Duration::from_millis(400);
/// Memory for that, in MiB.
const ANNOTATION_HASH: usize = 16;

/// What a room wants. What is under way ends with the next order of the same kind, and with the order to stop it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Searches a position.
    Search(Task),
    /// Ends the search; what it still finds is not wanted.
    Stop,
    /// Judges the moves of a game.
    Annotate(Moves),
    /// Ends that.
    StopAnnotation,
}

/// Takes the orders of a room.
pub type Orders = Box<dyn FnMut(Order) + Send>;

/// A game, and its moves as coordinates; what is found has the same number.
#[derive(Serialize, Deserialize, Debug)]
pub struct Moves {
    pub number: u64,
    pub game: String,
    /// The game whose network it uses.
    pub network: String,
    /// The first position.
    pub fen: String,
    pub moves: Vec<String>,
}

/// A search of the position after these moves.
#[derive(Serialize, Deserialize, Debug)]
pub struct Task {
    #[serde(flatten)]
    pub position: Moves,
    /// What was learnt before is of no use.
    pub fresh: bool,
    pub level: u32,
    pub lines: usize,
    pub threads: usize,
    pub hash: usize,
    pub time: Time,
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// So long.
    Fixed(Duration),
    /// What is left, and what a move adds.
    Clock(Duration, Duration),
}

impl Time {
    pub(super) fn limits(self) -> Limits {
        match self {
            Time::Fixed(time) => Limits { move_time: Some(time), ..Limits::default() },
            Time::Clock(left, increment) => {
                Limits { clock: Some(Clock { left, increment, moves_to_go: 0 }), ..Limits::default() }
            }
        }
    }
}

/// What was found, with the number of what was wanted.
#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub enum Report {
    /// A search found a line.
    Line { number: u64, line: Found },
    /// A search is over, with this move and this score for the side to move.
    Done { number: u64, best: Option<String>, score: Score },
    /// So many moves are annotated, the last one with this judgement.
    Judged { number: u64, done: usize, judgement: Judgement },
    /// Annotation is over, with a summary unless it was stopped.
    Annotated { number: u64, summary: Option<String> },
}

/// A line that a search found.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Found {
    /// Which of the best lines, from 1.
    pub place: usize,
    pub depth: u32,
    /// For the side to move.
    pub score: Score,
    pub nodes: u64,
    pub millis: u64,
    /// As coordinates.
    pub moves: Vec<String>,
}

/// What an event of a search tells the room.
pub(super) fn report(number: u64, position: &dyn Session, event: Event) -> Option<Report> {
    match event {
        Event::Info(info) if info.bound == Bound::Exact => {
            let &Info { multi_pv: place, depth, score, nodes, millis, .. } = info;
            let moves = position.coordinates(&info.pv);
            Some(Report::Line { number, line: Found { place, depth, score, nodes, millis, moves } })
        }
        Event::Info(_) | Event::CurrentMove { .. } => None,
        Event::Done(info) | Event::Failed(info) => {
            let best = position.coordinates(&info.pv).into_iter().next();
            Some(Report::Done { number, best, score: info.score })
        }
    }
}

/// An engine for what belongs to a game that is annotated.
pub(super) fn analyst(options: Options, position: &Moves) -> Result<Analyst> {
    let options = Options {
        hash: ANNOTATION_HASH,
        move_overhead: Duration::ZERO,
        skill_level: FULL,
        multi_pv: 1,
        ..options
    };
    let limits = Limits { move_time: Some(ANNOTATION), ..Limits::default() };
    let mut engine = Engine::new(options)?;
    engine.game_mut().set_position(Some(&position.fen), &[])?;
    Ok(Analyst { engine, limits })
}

/// Judges the moves of a game and reports each, until `told` wants no more.
pub(super) fn judge(
    mut analyst: Analyst,
    Moves { number, moves, .. }: Moves,
    mut told: impl FnMut(Report) -> ControlFlow<()>,
) {
    let mut done = 0;
    let judged = analyst.judge(&moves, |judged| {
        done += 1;
        told(Report::Judged { number, done, judgement: judged.into() })
    });
    let summary = judged.ok().filter(|judged| judged.len() == moves.len());
    let summary = summary.map(|judged| analyst::summary(&judged));
    let _ = told(Report::Annotated { number, summary });
}

/// Obeys the orders of a room that is elsewhere, one after the other.
#[derive(Default)]
pub struct Thinker(Option<Engine>);

impl Thinker {
    /// Does what is ordered. `told` gets what is found; it is called until nothing more is found.
    pub fn obey(&mut self, order: Order, told: impl Fn(Report) + Send + Sync + 'static) -> Result<()> {
        match order {
            Order::Search(task) => self.search(task, told),
            Order::Annotate(moves) => {
                let options = Options { variant: variant(&moves.game)?, ..Options::default() };
                let analyst = analyst(options, &moves)?;
                judge(analyst, moves, |report| {
                    told(report);
                    ControlFlow::Continue(())
                });
                Ok(())
            }
            // Whoever passes orders on ends what is under way.
            Order::Stop | Order::StopAnnotation => Ok(()),
        }
    }

    fn search(&mut self, task: Task, told: impl Fn(Report) + Send + Sync + 'static) -> Result<()> {
        let Task {
            position: Moves { number, game, fen, moves, .. },
            fresh,
            level,
            lines,
            threads,
            hash,
            time,
        } = task;
        let engine = match self.0.take().filter(|engine| engine.options().hash == hash) {
            Some(engine) => engine,
            None => Engine::new(Options { hash, variant: variant(&game)?, ..Options::default() })?,
        };
        let engine = self.0.insert(engine);
        let mut session = quintain_engine::open(&game)?;
        session.set_position(Some(&fen), &moves.iter().map(String::as_str).collect::<Vec<_>>())?;
        engine.set_game(session);
        if fresh {
            engine.new_game();
        }
        set_up(engine, level, lines)?;
        engine.set_option("Threads", Some(&threads.to_string()))?;
        engine.go(time.limits(), move |position, event| {
            report(number, position, event).into_iter().for_each(&told);
        });
        Ok(())
    }
}

/// The engine as a search of this level and so many lines needs it.
pub(super) fn set_up(engine: &mut Engine, level: u32, lines: usize) -> Result<()> {
    engine.set_option("Skill Level", Some(&level.to_string()))?;
    engine.set_option("MultiPV", Some(&lines.to_string()))?;
    Ok(())
}

fn variant(game: &str) -> Result<&'static str> {
    Ok(quintain_engine::info(game)?.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Command, Message, Role, Room, Visitor, answer};
    use serde_json::{Value, json};
    use std::sync::mpsc::{Receiver, channel};

    /// A room whose orders come out at the other end, and a page that looks on.
    fn room() -> (Room, Receiver<Order>) {
        let (sender, orders) = channel();
        // As workers pass them on.
        let pass = move |order: Order| {
            let text = serde_json::to_string(&order).unwrap();
            sender.send(serde_json::from_str(&text).unwrap()).unwrap();
        };
        let mut room = Room::with_orders(Some("chess"), None, Box::new(pass), 0).unwrap();
        let visitor = Visitor { seat: 1, role: Role::Owner, browser: String::new() };
        room.step(Some(Message::Join(visitor, Box::new(|_| ())))).unwrap();
        (room, orders)
    }

    fn ask(room: &mut Room, command: Value) -> Value {
        let (reply, answer) = answer();
        let command: Command = serde_json::from_value(command).unwrap();
        room.step(Some(Message::Command(Role::Owner, command, reply))).unwrap();
        loop {
            if let Ok(answer) = answer.try_recv() {
                return answer.unwrap();
            }
            // A text is read beside the room.
            let message = room.receiver.recv().unwrap();
            room.step(Some(message)).unwrap();
        }
    }

    fn begin(room: &mut Room, engine: [bool; 2], seconds: f64) {
        let new =
            json!({ "command": "new", "game": "chess", "engine": engine, "level": 20, "seconds": seconds });
        ask(room, new);
    }

    /// Lets a thinker obey, and tells the room what it finds. Returns how often that was a line.
    fn obey(room: &mut Room, thinker: &mut Thinker, order: Order) -> usize {
        let (sender, reports) = channel();
        thinker.obey(order, move |report| drop(sender.send(report))).unwrap();
        let mut lines = 0;
        for report in reports {
            lines += usize::from(matches!(report, Report::Line { .. }));
            let text = serde_json::to_string(&report).unwrap();
            room.step(Some(Message::Report(serde_json::from_str(&text).unwrap()))).unwrap();
        }
        lines
    }

    fn last(orders: &Receiver<Order>) -> Order {
        orders.try_iter().last().expect("an order")
    }

    #[test]
    fn a_room_without_threads_plays_and_analyses_by_orders() {
        let (mut room, orders) = room();
        let mut thinker = Thinker::default();
        begin(&mut room, [false, true], 0.05);
        let live = room.live;
        ask(&mut room, json!({ "command": "play", "node": live, "text": "e2e4" }));
        let order = last(&orders);
        assert!(
            matches!(&order, Order::Search(task) if task.fresh && task.position.moves == ["e2e4"]),
            "{order:?}"
        );
        obey(&mut room, &mut thinker, order);
        assert_eq!(room.plies(), 2);
        // The table is of use for the next move, and lines are shown as they come.
        ask(&mut room, json!({ "command": "engine", "threads": 1, "hash": 2, "lines": 2 }));
        let live = room.live;
        ask(&mut room, json!({ "command": "analyse", "node": live }));
        let Order::Search(task) = last(&orders) else { panic!("no search") };
        assert_eq!((task.lines, task.threads, task.hash, task.fresh), (2, 1, 2, false));
        let task = Task { time: Time::Fixed(Duration::from_millis(100)), ..task };
        assert!(obey(&mut room, &mut thinker, Order::Search(task)) > 4);
        let analysis = room.analysis.as_ref().unwrap();
        assert!(analysis.finished && analysis.lines.len() == 2);
        assert!(
            analysis.lines.values().all(|line| line.san.len() == line.texts.len() && line.best.is_some())
        );
    }

    #[test]
    fn what_was_stopped_is_not_heard() {
        let (mut room, orders) = room();
        begin(&mut room, [true, false], 3600.0);
        let Order::Search(task) = last(&orders) else { panic!("no search") };
        let number = task.position.number;
        ask(&mut room, json!({ "command": "pause", "on": true }));
        assert!(matches!(last(&orders), Order::Stop));
        let late = Report::Done { number, best: Some("e2e4".into()), score: 0 };
        room.step(Some(Message::Report(late))).unwrap();
        assert_eq!(room.plies(), 0);
        // The best line so far is played when it is wanted, or the first one that comes.
        let line = |number, text: &str| {
            let moves = vec![text.to_owned()];
            let line = Found { place: 1, depth: 1, score: 7, nodes: 9, millis: 1, moves };
            Message::Report(Report::Line { number, line })
        };
        for early in [true, false] {
            begin(&mut room, [true, false], 3600.0);
            let Order::Search(task) = last(&orders) else { panic!("no search") };
            let number = task.position.number;
            if early {
                ask(&mut room, json!({ "command": "move-now" }));
                assert_eq!(room.plies(), 0);
                room.step(Some(line(number, "d2d4"))).unwrap();
            } else {
                room.step(Some(line(number, "d2d4"))).unwrap();
                ask(&mut room, json!({ "command": "move-now" }));
            }
            assert_eq!(room.tree.moves(room.live), ["d2d4"]);
            assert!(matches!(last(&orders), Order::Stop));
        }
        // Who fails to answer has to go on.
        begin(&mut room, [true, false], 3600.0);
        let Order::Search(task) = last(&orders) else { panic!("no search") };
        let failed = Report::Done { number: task.position.number, best: None, score: 0 };
        room.step(Some(Message::Report(failed))).unwrap();
        assert_eq!(room.plies(), 1);
    }

    #[test]
    fn a_game_is_annotated_by_order() {
        let (mut room, orders) = room();
        ask(&mut room, json!({ "command": "load", "kind": "chess", "text": "1. f3 e5 2. g4 Qh4# 0-1" }));
        ask(&mut room, json!({ "command": "annotate", "on": true }));
        let order = last(&orders);
        obey(&mut room, &mut Thinker::default(), order);
        assert!(room.annotation.is_none() && room.pgn().contains("g4 $4"), "{}", room.pgn());
        ask(&mut room, json!({ "command": "annotate", "on": true }));
        ask(&mut room, json!({ "command": "annotate", "on": false }));
        assert!(matches!(last(&orders), Order::StopAnnotation));
    }
}
