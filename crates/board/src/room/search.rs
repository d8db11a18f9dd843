//! What the engine searches: its own moves, hints, draws, and positions that are analysed.

use super::{MAX_HASH, MAX_LINES, Message, Room, max_threads};
use crate::view::{End, EngineSettings, LineView, MoveView, NodeId, ScoreView};
use anyhow::{Result, ensure};
use quintain_core::search::{Bound, Clock, Info, Limits, Score};
use quintain_engine::skill::FULL;
use quintain_engine::{Event, Session};
use quintain_play::game::takes_draw;
use quintain_play::game::time::{Moment, now};
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
            self.notice = Some(format!("The engine cannot think: {error:#}."));
            self.paused = true;
        }
        self.send_status();
    }

    pub(super) fn search(&mut self, purpose: Purpose, node: NodeId) -> Result<()> {
        self.stop();
        let position = self.session_at(node)?;
        if position.moves().is_empty() {
            if let Some(analysis) = &mut self.analysis {
                analysis.finished = true;
            }
            return Ok(());
        }
        let level = if purpose == Purpose::Move { self.game.settings.level } else { FULL };
        let lines = if purpose == Purpose::Analysis { self.engine_settings.lines } else { 1 };
        self.game.engine.set_option("Skill Level", Some(&level.to_string()))?;
        self.game.engine.set_option("MultiPV", Some(&lines.to_string()))?;
        let limits = match purpose {
            Purpose::Move => self.limits_of_move(),
            Purpose::Hint | Purpose::Draw => Limits { move_time: Some(HINT), ..Limits::default() },
            Purpose::Analysis => Limits { move_time: Some(ANALYSIS), ..Limits::default() },
        };
        self.last_number += 1;
        let (number, sender) = (self.last_number, self.sender.clone());
        self.game.engine.go_from(position, limits, move |position, event| match event {
            Event::Info(info) if purpose == Purpose::Analysis && info.bound == Bound::Exact => {
                drop(sender.send(Message::Line(number, line(position, info))));
            }
            Event::Info(_) | Event::CurrentMove { .. } => {}
            Event::Done(info) | Event::Failed(info) => {
                let best = position.coordinates(&info.pv).into_iter().next();
                drop(sender.send(Message::Done(number, best, info.score)));
            }
        });
        self.search = Some(Search { number, purpose });
        Ok(())
    }

    pub(super) fn limits_of_move(&self) -> Limits {
        let Some(clocks) = &self.clocks else {
            let time = Duration::from_secs_f64(self.game.settings.seconds);
            return Limits { move_time: Some(time), ..Limits::default() };
        };
        let (left, increment) = (clocks.left()[self.game.side().index()], clocks.increment());
        Limits { clock: Some(Clock { left, increment, moves_to_go: 0 }), ..Limits::default() }
    }

    /// Ends the search; what it still sends is not for anybody.
    pub(super) fn stop(&mut self) {
        self.search = None;
        self.held = None;
        self.game.engine.stop();
    }

    pub(super) fn found(&mut self, best: Option<String>, score: Score) {
        let Some(search) = self.search.take() else { return };
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

    pub(super) fn add_line(&mut self, line: LineView) {
        let Some(analysis) = &mut self.analysis else { return };
        if let (1, Some(node)) = (line.number, self.tree.get_mut(analysis.node)) {
            node.score = Some(line.score.clone());
        }
        analysis.lines.insert(line.number, line);
        analysis.due.get_or_insert_with(|| now() + LINES_EVERY);
    }

    pub(super) fn set_engine(&mut self, settings: EngineSettings) -> Result<()> {
        let EngineSettings { threads, hash, lines } = settings;
        let most = max_threads();
        ensure!((1..=most).contains(&threads), "threads: {threads} is not from 1 to {most}");
        ensure!((1..=MAX_HASH).contains(&hash), "memory: {hash} is not from 1 to {MAX_HASH}");
        ensure!((1..=MAX_LINES).contains(&lines), "lines: {lines} is not from 1 to {MAX_LINES}");
        self.stop();
        self.game.engine.set_option("Threads", Some(&threads.to_string()))?;
        self.game.engine.set_option("Hash", Some(&hash.to_string()))?;
        self.engine_settings = settings;
        self.analysis = self.analysis.take().map(|analysis| Analysis::of(analysis.node));
        Ok(())
    }
}

fn line(position: &dyn Session, info: &Info) -> LineView {
    let texts = position.coordinates(&info.pv);
    let best = texts.first().and_then(|text| position.describe(text).ok());
    LineView {
        number: info.multi_pv,
        depth: info.depth,
        score: ScoreView::new(info.score, position.info().pawn, position.side()),
        nodes: info.nodes,
        speed: info.nodes * 1000 / info.millis.max(1),
        san: position.san(&info.pv),
        texts,
        best: best.as_ref().map(MoveView::from),
    }
}
