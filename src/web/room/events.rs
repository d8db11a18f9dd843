//! What pages are sent.

use super::Room;
use super::search::Purpose;
use crate::web::clock::Clocks;
use crate::web::tree::NodeId;
use crate::web::view::{GameView, LineView, NodeView, Status};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::{broadcast, oneshot};

/// Browsers keep at most six connections to a server; one more page would hang.
const MAX_SEATS: usize = 5;

/// An event for pages: its name and its data as JSON.
#[derive(Clone)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
}

impl Event {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> Event {
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

impl Room {
    pub(super) fn join(&mut self, reply: oneshot::Sender<Joined>) {
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
    pub(super) fn send(&self, event: Event) {
        drop(self.events.send(event));
    }

    pub(super) fn status(&self) -> Status<'_> {
        Status {
            live: self.live,
            settings: &self.settings,
            engine: self.engine_settings,
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

    pub(super) fn send_status(&self) {
        self.send(Event::new("status", &self.status()));
    }

    pub(super) fn send_node(&self, node: NodeId) {
        self.send(Event::new("node", &self.tree.view(node)));
    }

    /// Everything about the game.
    pub(super) fn game_event(&self) -> Event {
        let nodes: Vec<NodeView> = self.tree.iter().map(|(id, _)| self.tree.view(id)).collect();
        let game = GameView::of(&*self.session);
        Event::new("game", &json!({ "game": game, "nodes": nodes, "status": self.status() }))
    }

    pub(super) fn send_game(&self) {
        self.send(self.game_event());
    }

    pub(super) fn lines_event(&self) -> Event {
        let lines: Vec<&LineView> =
            self.analysis.iter().flat_map(|analysis| analysis.lines.values()).collect();
        let node = self.analysis.as_ref().map(|analysis| analysis.node);
        Event::new("analysis", &json!({ "node": node, "lines": lines }))
    }

    pub(super) fn send_lines(&mut self) {
        if let Some(analysis) = &mut self.analysis {
            analysis.due = None;
        }
        self.send(self.lines_event());
    }
}
