//! What the engine searches: its own moves, hints, draws, and positions that are analysed.

use super::thinking::{self, Found, Moves, Order, Task, Time};
use super::{Message, Room};
use crate::view::{End, EngineSettings, LineView, MoveView, NodeId, ScoreView};
use anyhow::{Result, ensure};
use quintain_core::search::Score;
use quintain_engine::options::BOOK_PLIES;
use quintain_engine::skill::FULL;
use quintain_engine::{Session, any_seed};
use quintain_play::game::takes_draw;
use quintain_play::game::time::{Moment, now};
use quintain_study::Book;
use quintain_study::book::{Choice, VARIED};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long to think about a hint, or whether to take a draw.
const HINT: Duration = Duration::from_secs(1);
/// How long a position is analysed at most.
const ANALYSIS: Duration = Duration::from_secs(600);
/// How often new lines are sent.
const LINES_EVERY: Duration = Duration::from_millis(40);

/// Why the engine searches.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Move,
    Hint,
    Draw,
    Analysis,
}

/// A move that the engine has found, and that waits until people could follow the one before.
pub(super) struct Held {
    best: String,
    score: Score,
    due: Moment,
}

pub(super) struct Search {
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    /// What is searched.
    pub(super) position: Box<dyn Session>,
    /// The best line so far.
    pub(super) best: Option<Found>,
    /// The first line ends it.
    pub(super) hurry: bool,
}

/// A position that is analysed.
pub(super) struct Analysis {
    pub(super) node: NodeId,
    pub(super) lines: BTreeMap<usize, LineView>,
    /// The search has ended by itself.
    pub(super) finished: bool,
    /// When lines are to be sent that were not sent yet.
    pub(super) due: Option<Moment>,
}

impl Analysis {
    pub(super) fn of(node: NodeId) -> Analysis {
        Analysis { node, lines: BTreeMap::new(), finished: false, due: None }
    }
}

impl Room {
    pub(super) fn is_current(&self, number: u64) -> bool {
        self.search.as_ref().is_some_and(|search| search.number == number)
    }

    /// Starts a search if the engine is to move, or if a position is to be analysed; but only while somebody looks on.
    pub(super) fn start_search(&mut self) {
        if self.search.is_some() || self.held.is_some() || self.seats.is_empty() {
            return;
        }
        let wanted = match &self.analysis {
            _ if self.game.engine_is_to_move() && !self.paused && self.game.outcome().is_none() => {
                (Purpose::Move, self.live)
            }
            Some(analysis) if !analysis.finished => (Purpose::Analysis, analysis.node),
            _ => return,
        };
        if let Err(error) = self.search(wanted.0, wanted.1) {
            self.notice = Some(format!("The engine cannot go on: {error:#}."));
            self.paused = true;
        }
        self.send_status();
    }

    pub(super) fn search(&mut self, purpose: Purpose, node: NodeId) -> Result<()> {
        self.stop();
        if purpose == Purpose::Move {
            self.tree.has_room()?;
        }
        let position = self.session_at(node)?;
        if position.moves().is_empty() {
            if let Some(analysis) = &mut self.analysis {
                analysis.finished = true;
            }
            return Ok(());
        }
        if purpose == Purpose::Move && self.play_of_book(&*position) {
            return Ok(());
        }
        let level = if purpose == Purpose::Move { self.game.settings.level } else { FULL };
        let lines = if purpose == Purpose::Analysis { self.engine_settings.lines } else { 1 };
        let time = match purpose {
            Purpose::Move => self.time_of_move(),
            Purpose::Hint | Purpose::Draw => Time::Fixed(HINT),
            Purpose::Analysis => Time::Fixed(ANALYSIS),
        };
        self.last_number += 1;
        let number = self.last_number;
        let search = Search { number, purpose, position: position.copy(), best: None, hurry: false };
        if self.orders.is_some() {
            let fresh = std::mem::take(&mut self.fresh);
            let EngineSettings { threads, hash, .. } = self.engine_settings;
            let position = self.moves_to(node, number);
            self.order(Order::Search(Task { position, fresh, level, lines, threads, hash, time }));
        } else {
            let (engine, sender) = (&mut self.game.engine, self.sender.clone());
            thinking::set_up(engine, level, lines)?;
            engine.go_from(position, time.limits(), move |position, event| {
                let report = thinking::report(number, position, event);
                report.into_iter().for_each(|report| drop(sender.send(Message::Report(report))));
            });
        }
        self.search = Some(search);
        Ok(())
    }

    /// Plays a move of the opening book instead of one that is searched; false if there is none.
    fn play_of_book(&mut self, position: &dyn Session) -> bool {
        let book = Book::of(position.info().name).filter(|_| self.engine_settings.book);
        let choice = book.and_then(|book| book.choose(position, BOOK_PLIES, VARIED, any_seed()));
        let Some(Choice { text, score }) = choice else { return false };
        self.last_number += 1;
        let (number, purpose, position) = (self.last_number, Purpose::Move, position.copy());
        self.search = Some(Search { number, purpose, position, best: None, hurry: false });
        self.found(Some(text), score);
        // When the engine plays itself, it is to move again.
        self.start_search();
        true
    }

    /// The moves to a position.
    pub(super) fn moves_to(&self, node: NodeId, number: u64) -> Moves {
        Moves {
            number,
            game: self.game.settings.game.clone(),
            network: self.game.session().info().network.to_owned(),
            fen: self.tree.view(self.tree.root()).position.fen.clone(),
            moves: self.tree.moves(node).into_iter().map(str::to_owned).collect(),
        }
    }

    pub(super) fn order(&mut self, order: Order) {
        if let Some(orders) = &mut self.orders {
            orders(order);
        }
    }

    pub(super) fn time_of_move(&self) -> Time {
        match &self.clocks {
            Some(clocks) => Time::Clock(clocks.left()[self.game.side().index()], clocks.increment()),
            None => Time::Fixed(Duration::from_secs_f64(self.game.settings.seconds)),
        }
    }

    /// Ends a search for a move, which is then played.
    pub(super) fn move_now(&mut self) {
        match &mut self.search {
            Some(Search { purpose: Purpose::Move, hurry, best, .. }) if self.orders.is_some() => {
                *hurry = true;
                if let Some(Found { score, moves, .. }) = best.take() {
                    self.order(Order::Stop);
                    self.found(moves.into_iter().next(), score);
                }
            }
            // It reports what it has found.
            Some(Search { purpose: Purpose::Move, .. }) => self.game.engine.stopper().stop(),
            _ => {}
        }
        self.play_held();
    }

    /// Ends the search; what it still sends is not for anybody.
    pub(super) fn stop(&mut self) {
        if self.search.take().is_some() {
            self.order(Order::Stop);
        }
        self.held = None;
        self.game.engine.stop();
    }

    pub(super) fn found(&mut self, best: Option<String>, score: Score) {
        let Some(search) = self.search.take() else { return };
        // Who was to move has failed, and has to go on.
        let any = || self.game.session().moves().into_iter().next();
        let best = if search.purpose == Purpose::Move { best.or_else(any) } else { best };
        match (search.purpose, best) {
            (Purpose::Move, Some(best)) => {
                let due = self.moved + Duration::from_secs_f64(self.preferences.pace);
                self.held = Some(Held { best, score, due });
                if self.game.settings.engine == [true; 2] && due > now() {
                    // The engine's time is not what it waits for.
                    self.stop_clocks();
                } else {
                    self.play_held();
                }
            }
            (Purpose::Hint, Some(best)) => {
                self.hint = self.game.session().describe(&best).ok().as_ref().map(MoveView::from);
                if let Some(node) = self.tree.get_mut(self.live) {
                    node.hinted = true;
                }
                self.send_node(self.live);
                self.save();
            }
            (Purpose::Draw, _) if takes_draw(score) => self.finish(End::agreed()),
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

    /// When the move that waits is played.
    pub(super) fn held_until(&self) -> Option<Moment> {
        self.held.as_ref().map(|held| held.due)
    }

    /// Plays the move that waits.
    pub(super) fn play_held(&mut self) {
        let Some(held) = self.held.take() else { return };
        let side = self.game.side();
        if let (Ok(node), FULL) = (self.play(&held.best), self.game.settings.level)
            && let Some(node) = self.tree.get_mut(node)
        {
            node.score = Some(ScoreView::new(held.score, self.game.session().info().pawn, side));
        }
    }

    pub(super) fn analyse(&mut self, node: Option<NodeId>) -> Result<()> {
        ensure!(node.is_none_or(|node| self.tree.get(node).is_some()), "there is no such position");
        if self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Analysis) {
            self.stop();
        }
        self.analysis = node.map(Analysis::of);
        self.send_lines();
        Ok(())
    }

    /// A search found a line.
    pub(super) fn add_line(&mut self, found: Found) {
        let Some(search) = &mut self.search else { return };
        if search.purpose != Purpose::Analysis {
            let hurry = search.hurry;
            if found.place == 1 {
                search.best = Some(found);
            }
            if hurry {
                self.move_now();
            }
            return;
        }
        let line = line(&*search.position, found);
        let Some(analysis) = &mut self.analysis else { return };
        if let (1, Some(node)) = (line.number, self.tree.get_mut(analysis.node)) {
            node.score = Some(line.score.clone());
        }
        analysis.lines.insert(line.number, line);
        analysis.due.get_or_insert_with(|| now() + LINES_EVERY);
    }

    pub(super) fn set_engine(&mut self, settings: EngineSettings) -> Result<()> {
        let EngineSettings { threads, hash, lines, .. } = settings;
        let most = self.engine_limits;
        for (name, value, most) in
            [("threads", threads, most.threads), ("memory", hash, most.hash), ("lines", lines, most.lines)]
        {
            ensure!((1..=most).contains(&value), "{name}: {value} is not from 1 to {most}");
        }
        self.stop();
        if self.orders.is_none() {
            self.game.engine.set_option("Threads", Some(&threads.to_string()))?;
            self.game.engine.set_option("Hash", Some(&hash.to_string()))?;
        }
        self.engine_settings = settings;
        self.analysis = self.analysis.take().map(|analysis| Analysis::of(analysis.node));
        Ok(())
    }
}

fn line(position: &dyn Session, found: Found) -> LineView {
    let Found { place, depth, score, nodes, millis, moves } = found;
    let (mut session, mut san) = (position.copy(), Vec::new());
    let mut best = None;
    for text in &moves {
        let Ok(mv) = session.play(text) else { break };
        best.get_or_insert_with(|| MoveView::from(&mv));
        san.push(mv.san);
    }
    LineView {
        number: place,
        depth,
        score: ScoreView::new(score, position.info().pawn, position.side()),
        nodes,
        speed: nodes * 1000 / millis.max(1),
        texts: moves,
        san,
        best,
    }
}
