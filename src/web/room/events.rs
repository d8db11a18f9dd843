//! What pages are sent.

use super::search::Purpose;
use super::{Role, Room};
use crate::board::Color;
use crate::library::Place;
use crate::web::clock::Clocks;
use crate::web::view::{GameView, LineView, NodeId, NodeView, Status};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// Whose pages get an event. What the engine thinks of a game in progress is for the owner alone.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Audience {
    Owner,
    Guests,
}

impl From<Role> for Audience {
    fn from(role: Role) -> Audience {
        if role == Role::Owner { Audience::Owner } else { Audience::Guests }
    }
}

/// An event for pages: its name and its data as JSON.
#[derive(Clone)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
}

/// Takes the events for a page.
pub type Outbox = Box<dyn FnMut(Event) + Send>;

impl Event {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> Event {
        Event { name, data: serde_json::to_string(data).expect("data as JSON").into() }
    }
}

impl Room {
    /// What a page gets first.
    pub(super) fn welcome(&self, number: u64, role: Role) -> Vec<Event> {
        let audience = Audience::from(role);
        let seat = Event::new("seat", &json!({ "number": number, "role": role }));
        let lines = (audience == Audience::Owner).then(|| self.lines_event());
        [seat, self.game_event(audience)].into_iter().chain(lines).collect()
    }

    /// Sends an event to all pages.
    pub(super) fn send(&mut self, event: &Event) {
        self.seats.iter_mut().for_each(|seat| (seat.outbox)(event.clone()));
    }

    /// Sends an event to the owner, or to all others; it is made if there are any.
    fn send_to(&mut self, audience: Audience, event: impl Fn(&Room) -> Event) {
        if self.seats.iter().any(|seat| Audience::from(seat.visitor.role) == audience) {
            let event = event(self);
            let seats = self.seats.iter_mut().filter(|seat| Audience::from(seat.visitor.role) == audience);
            seats.for_each(|seat| (seat.outbox)(event.clone()));
        }
    }

    /// Sends what differs between the owner and others.
    fn send_to_each(&mut self, event: impl Fn(&Room, Audience) -> Event) {
        for audience in [Audience::Owner, Audience::Guests] {
            self.send_to(audience, |room| event(room, audience));
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

    pub(super) fn send_status(&mut self) {
        self.send_to_each(|room, audience| Event::new("status", &room.status(audience)));
    }

    fn node(&self, node: NodeId, audience: Audience) -> NodeView<'_> {
        let view = self.tree.view(node);
        NodeView { score: view.score.filter(|_| self.may_know(audience)), ..view }
    }

    pub(super) fn send_node(&mut self, node: NodeId) {
        self.send_to_each(|room, audience| Event::new("node", &room.node(node, audience)));
    }

    /// Everything about the game.
    fn game_event(&self, audience: Audience) -> Event {
        let nodes: Vec<NodeView> = self.tree.iter().map(|(id, _)| self.node(id, audience)).collect();
        let game = GameView::of(&*self.session);
        let data = json!({ "game": game, "nodes": nodes, "status": self.status(audience) });
        Event::new("game", &data)
    }

    pub(super) fn send_game(&mut self) {
        self.send_to_each(Room::game_event);
    }

    fn lines_event(&self) -> Event {
        let lines: Vec<&LineView> =
            self.analysis.iter().flat_map(|analysis| analysis.lines.values()).collect();
        let node = self.analysis.as_ref().map(|analysis| analysis.node);
        Event::new("analysis", &json!({ "node": node, "lines": lines }))
    }

    pub(super) fn send_lines(&mut self) {
        if let Some(analysis) = &mut self.analysis {
            analysis.due = None;
        }
        self.send_to(Audience::Owner, Room::lines_event);
    }
}
