//! What pages are sent.

use super::Room;
use super::search::Purpose;
use crate::board::Color;
use crate::library::Place;
use crate::web::access::Role;
use crate::web::clock::Clocks;
use crate::web::tree::NodeId;
use crate::web::view::{GameView, LineView, NodeView, Status};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::broadcast;

/// Whose pages get an event. What the engine thinks of a game in progress is for the owner alone.
#[derive(Clone, Copy, PartialEq)]
pub enum Audience {
    All,
    Owner,
    Guests,
}

impl Audience {
    /// Does a visitor belong to it?
    pub fn has(self, role: Role) -> bool {
        self == Audience::All || (self == Audience::Owner) == (role == Role::Owner)
    }
}

/// An event for pages: its name and its data as JSON.
#[derive(Clone)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
    pub audience: Audience,
}

impl Event {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> Event {
        let data = serde_json::to_string(data).expect("data as JSON").into();
        Event { name, data, audience: Audience::All }
    }

    fn to(self, audience: Audience) -> Event {
        Event { audience, ..self }
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
    /// What a page gets first.
    pub(super) fn welcome(&self, number: u64, role: Role) -> Vec<Event> {
        let audience = if role == Role::Owner { Audience::Owner } else { Audience::Guests };
        let seat = Event::new("seat", &json!({ "number": number, "role": role }));
        let mut events = vec![seat, self.game_event(audience)];
        if role == Role::Owner {
            events.push(self.lines_event());
        }
        events
    }

    /// Sends an event to all pages; without pages nobody misses it.
    pub(super) fn send(&self, event: Event) {
        drop(self.events.send(event));
    }

    /// Sends what differs between the owner and others, to whom there is.
    fn send_to_each(&self, event: impl Fn(Audience) -> Event) {
        self.send(event(Audience::Owner));
        if self.has_guests() {
            self.send(event(Audience::Guests));
        }
    }

    /// May pages know what the engine thinks?
    fn may_know(&self, audience: Audience) -> bool {
        audience == Audience::Owner || self.outcome().is_some()
    }

    pub(super) fn status(&self, audience: Audience) -> Status<'_> {
        let of_owner = audience == Audience::Owner;
        Status {
            live: self.live,
            settings: &self.settings,
            engine: self.engine_settings,
            end: self.outcome(),
            thinking: self.held.is_some()
                || self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Analysis),
            paused: self.paused,
            pace: self.preferences.pace,
            newcomer: self.is_newcomer(),
            offer: self.offer.map(Color::name),
            visitors: self.visitors(),
            hint: self.hint.as_ref().filter(|_| of_owner),
            notice: self.notice.as_deref(),
            saved: self.place.as_ref().map(Place::id).filter(|_| of_owner),
            name: &self.name,
            unsaved: match &self.library {
                _ if !of_owner => None,
                None => Some("there is no folder for games"),
                Some(_) => self.unsaved.as_ref().map(|(why, _)| why.as_str()),
            },
            clock: self.clocks.as_ref().map(|clocks| clocks.left().map(|left| left.as_millis() as u64)),
            running: self.clocks.as_ref().is_some_and(Clocks::is_running),
            analysed: self.analysis.as_ref().map(|analysis| analysis.node).filter(|_| of_owner),
            annotated: self.annotation.as_ref().map(|annotation| [annotation.done, annotation.nodes.len()]),
        }
    }

    pub(super) fn send_status(&self) {
        self.send_to_each(|audience| Event::new("status", &self.status(audience)).to(audience));
    }

    fn node(&self, node: NodeId, audience: Audience) -> NodeView<'_> {
        let view = self.tree.view(node);
        NodeView { score: view.score.filter(|_| self.may_know(audience)), ..view }
    }

    pub(super) fn send_node(&self, node: NodeId) {
        self.send_to_each(|audience| Event::new("node", &self.node(node, audience)).to(audience));
    }

    /// Everything about the game.
    fn game_event(&self, audience: Audience) -> Event {
        let nodes: Vec<NodeView> = self.tree.iter().map(|(id, _)| self.node(id, audience)).collect();
        let game = GameView::of(&*self.session);
        let data = json!({ "game": game, "nodes": nodes, "status": self.status(audience) });
        Event::new("game", &data).to(audience)
    }

    pub(super) fn send_game(&self) {
        self.send_to_each(|audience| self.game_event(audience));
    }

    pub(super) fn lines_event(&self) -> Event {
        let lines: Vec<&LineView> =
            self.analysis.iter().flat_map(|analysis| analysis.lines.values()).collect();
        let node = self.analysis.as_ref().map(|analysis| analysis.node);
        Event::new("analysis", &json!({ "node": node, "lines": lines })).to(Audience::Owner)
    }

    pub(super) fn send_lines(&mut self) {
        if let Some(analysis) = &mut self.analysis {
            analysis.due = None;
        }
        self.send(self.lines_event());
    }
}
