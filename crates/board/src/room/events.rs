//! What pages are sent.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use super::people::Seat;
use super::search::Purpose;
use super::{Role, Room};
use crate::clock::Clocks;
use crate::view::{GameView, LineView, NodeId, NodeView, Status};
use anyhow::Result;
use quintain_core::board::Color;
use quintain_play::library::Place;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Whose pages get an event. What the engine thinks of a game in progress is for the owner alone.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Audience {
    Owner,
    Guests,
}

/// All audiences.
const EVERYBODY: &[Audience] = &[Audience::Owner, Audience::Guests];

impl From<Role> for Audience {
    fn from(role: Role) -> Audience {
        if role == Role::Owner { Audience::Owner } else { Audience::Guests }
    }
}

/// An event for pages: its name and its data as JSON.
#[derive(Clone)]
pub struct Event {
    /// Greater than that of the event before; pages for whom an event differs get the same number.
    pub number: u64,
    pub name: &'static str,
    pub data: Arc<str>,
}

/// Takes the events for a page.
pub type Outbox = Box<dyn FnMut(Event) + Send>;

impl Event {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> Event {
        Event { number: 0, name, data: serde_json::to_string(data).expect("data as JSON").into() }
    }
}

/// What a page gets for a command, once the events have come that the command caused.
pub struct Answer {
    /// A value, or what was wrong.
    pub result: Result<Value, String>,
    /// The number of the last of these events.
    pub after: u64,
}

/// Where the answer to a command goes.
pub type Reply = Box<dyn FnOnce(Answer) + Send>;

impl From<Result<Value>> for Answer {
    /// An answer that belongs to no events.
    fn from(result: Result<Value>) -> Answer {
        Answer { result: result.map_err(|error| format!("{error:#}")), after: 0 }
    }
}

impl Room {
    /// What a page gets first.
    pub(super) fn welcome(&self, number: u64, role: Role) -> Vec<Event> {
        let audience = Audience::from(role);
        let seat = Event::new("seat", &json!({ "number": number, "role": role }));
        let lines = (audience == Audience::Owner).then(|| self.lines_event());
        let events = [seat, self.game_event(audience)].into_iter().chain(lines);
        events.map(|event| Event { number: self.sent, ..event }).collect()
    }

    /// Sends what may differ between the owner and others. An event is made for those who are there.
    fn send_to(&mut self, audiences: &[Audience], event: impl Fn(&Room, Audience) -> Event) {
        self.sent += 1;
        for &audience in audiences {
            let belongs = |seat: &Seat| Audience::from(seat.visitor.role) == audience;
            if self.seats.iter().any(belongs) {
                let event = Event { number: self.sent, ..event(self, audience) };
                let seats = self.seats.iter_mut().filter(|seat| belongs(seat));
                seats.for_each(|seat| (seat.outbox)(event.clone()));
            }
        }
    }

    /// May pages know what the engine thinks?
    fn may_know(&self, audience: Audience) -> bool {
        audience == Audience::Owner || self.game.outcome().is_some()
    }

    pub(super) fn status(&self, audience: Audience) -> Status<'_> {
        let of_owner = audience == Audience::Owner;
        Status {
            live: self.live,
            settings: &self.game.settings,
            engine: self.engine_settings,
            limits: self.engine_limits,
            end: self.game.outcome(),
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
        self.send_to(EVERYBODY, |room, audience| Event::new("status", &room.status(audience)));
    }

    fn node(&self, node: NodeId, audience: Audience) -> NodeView<'_> {
        let view = self.tree.view(node);
        NodeView { score: view.score.filter(|_| self.may_know(audience)), ..view }
    }

    pub(super) fn send_removed(&mut self, node: NodeId) {
        self.send_to(EVERYBODY, |_, _| Event::new("removed", &node));
    }

    pub(super) fn send_node(&mut self, node: NodeId) {
        self.send_to(EVERYBODY, |room, audience| Event::new("node", &room.node(node, audience)));
    }

    /// Everything about the game.
    fn game_event(&self, audience: Audience) -> Event {
        let nodes: Vec<NodeView> = self.tree.iter().map(|(id, _)| self.node(id, audience)).collect();
        let game = GameView::of(self.game.session());
        let data = json!({ "game": game, "nodes": nodes, "status": self.status(audience) });
        Event::new("game", &data)
    }

    pub(super) fn send_game(&mut self) {
        self.send_to(EVERYBODY, Room::game_event);
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
        self.send_to(&[Audience::Owner], |room, _| room.lines_event());
    }
}
