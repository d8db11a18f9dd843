//! The people who visit: what each of them may do, and what they tell each other.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use super::search::Purpose;
use super::{Command, Event, Outbox, Room};
use crate::view::{End, Visitors};
use anyhow::{Context, Result, bail, ensure};
use quintain_core::board::Color;
use quintain_play::game::is_early_for_draw;
use serde::Serialize;

/// Browsers keep at most six connections to a server; one more page would hang.
const MAX_SEATS_OF_BROWSER: usize = 5;
/// More pages than a club has visitors.
const MAX_SEATS: usize = 250;

/// What a visitor of the board is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person who started the program, and those who got the owner's link.
    Owner,
    /// Plays White.
    White,
    /// Plays Black.
    Black,
    /// Looks on.
    Spectator,
}

impl Role {
    /// All but the owner, in the order of links.
    pub const GUESTS: [Role; 3] = [Role::White, Role::Black, Role::Spectator];
}

/// Whose page begins to listen.
pub struct Visitor {
    /// A number that no other page has.
    pub seat: u64,
    pub role: Role,
    /// The browser, if it is known.
    pub browser: String,
}

/// A page that listens.
pub(super) struct Seat {
    pub(super) visitor: Visitor,
    pub(super) outbox: Outbox,
}

impl Room {
    // ---- Coming and going -------------------------------------------------------------------------------

    /// A page begins to listen. It gets no event if there is no room for it.
    pub(super) fn join(&mut self, visitor: Visitor, outbox: Outbox) {
        if self.seats.len() >= MAX_SEATS {
            return;
        }
        let Visitor { seat: number, role, browser } = &visitor;
        let (number, role, is_first) = (*number, *role, self.seats.is_empty());
        let same = |seat: &&Seat| !browser.is_empty() && seat.visitor.browser == *browser;
        if self.seats.iter().filter(same).count() >= MAX_SEATS_OF_BROWSER
            && let Some(oldest) = self.seats.iter().position(|seat| same(&seat))
            && let Some(mut oldest) = self.seats.remove(oldest)
        {
            (oldest.outbox)(Event { number: self.sent, ..Event::new("sleep", &oldest.visitor.seat) });
        }
        if is_first {
            self.start_clocks();
        }
        self.seats.push_back(Seat { visitor, outbox });
        let welcome = self.welcome(number, role);
        if let Some(seat) = self.seats.back_mut() {
            welcome.into_iter().for_each(&mut seat.outbox);
        }
        self.start_search();
        self.send_status();
    }

    pub(super) fn leave(&mut self, number: u64) {
        self.seats.retain(|seat| seat.visitor.seat != number);
        if self.seats.is_empty() {
            self.stop();
            self.stop_clocks();
        } else {
            self.send_status();
        }
    }

    fn is_present(&self, role: Role) -> bool {
        self.seats.iter().any(|seat| seat.visitor.role == role)
    }

    pub(super) fn visitors(&self) -> Visitors {
        let spectators = self.seats.iter().filter(|seat| seat.visitor.role == Role::Spectator).count();
        Visitors { white: self.is_present(Role::White), black: self.is_present(Role::Black), spectators }
    }

    // ---- What each may do -------------------------------------------------------------------------------

    /// Does this visitor move for a side? The owner moves for sides that nobody plays from elsewhere.
    fn plays(&self, role: Role, side: Color) -> bool {
        let guest = [Role::White, Role::Black][side.index()];
        let may = role == guest || role == Role::Owner && !self.is_present(guest);
        may && !self.game.settings.engine[side.index()]
    }

    /// The side for which a visitor resigns or offers a draw: who has both acts for the one to move.
    fn side_of(&self, role: Role) -> Result<Color> {
        let own = Color::BOTH.into_iter().filter(|&side| self.plays(role, side));
        let own: Vec<Color> = own.collect();
        let to_move = own.iter().find(|&&side| side == self.game.side()).or(own.first());
        to_move.copied().context("you play neither side")
    }

    /// Refuses what a visitor may not do.
    pub(super) fn permit(&self, role: Role, command: &Command) -> Result<()> {
        match command {
            Command::Moves { .. }
            | Command::Picture { .. }
            | Command::Pgn
            | Command::Link { .. }
            | Command::Rules { .. } => Ok(()),
            Command::Play { node, .. } if *node == self.live && self.game.outcome().is_none() => {
                let side = self.game.side();
                // The engine's turn is refused later, in other words.
                let may = self.plays(role, side) || role == Role::Owner && self.game.engine_is_to_move();
                ensure!(may, "{side} is to move, and you do not play {side}");
                Ok(())
            }
            Command::Resign | Command::OfferDraw | Command::AnswerDraw { .. } => self.side_of(role).map(drop),
            _ => {
                ensure!(role == Role::Owner, "only the owner of the board may do that");
                Ok(())
            }
        }
    }

    /// Is the game paused for people? Without clocks, only the engine waits.
    pub(super) fn is_halted(&self) -> bool {
        self.paused && self.clocks.is_some()
    }

    // ---- Ends that people agree on ----------------------------------------------------------------------

    pub(super) fn resign(&mut self, role: Role) -> Result<()> {
        ensure!(self.game.outcome().is_none(), "the game is over");
        let loser = self.side_of(role)?;
        self.finish(End::resigned(loser));
        Ok(())
    }

    pub(super) fn offer_draw(&mut self, role: Role) -> Result<()> {
        ensure!(self.game.outcome().is_none(), "the game is over");
        let side = self.side_of(role)?;
        if !self.game.settings.engine[(!side).index()] {
            if self.offer == Some(!side) {
                return self.answer_draw(role, true);
            }
            self.offer = Some(side);
            return Ok(());
        }
        ensure!(!self.game.engine_is_to_move(), "it is not your turn");
        if is_early_for_draw(self.plies()) {
            bail!("the engine says that it is too early for a draw");
        }
        self.search(Purpose::Draw, self.live)
    }

    pub(super) fn answer_draw(&mut self, role: Role, accept: bool) -> Result<()> {
        let by = self.offer.context("nobody has offered a draw")?;
        ensure!(self.plays(role, !by), "the offer is not to you");
        self.offer = None;
        if accept {
            self.finish(End::agreed());
        } else {
            self.notice = Some(format!("{} declines the draw.", !by));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Message;
    use crate::room::search::Search;
    use quintain_play::game::time::now;
    use serde_json::{Value, json};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    const ROLES: [Role; 4] = [Role::Owner, Role::White, Role::Black, Role::Spectator];

    /// A game of chess.
    fn room(engine: [bool; 2], clock: Value) -> Room {
        let mut room = Room::new(Some("chess"), None).unwrap();
        let new = json!({
            "command": "new", "game": "chess", "engine": engine, "level": 0, "seconds": 1, "clock": clock
        });
        ask(&mut room, Role::Owner, &new).unwrap();
        room
    }

    fn ask(room: &mut Room, role: Role, command: &Value) -> Result<Value, String> {
        let command = serde_json::from_value(command.clone()).unwrap();
        room.handle(role, command).map_err(|error| error.to_string())
    }

    fn play(room: &mut Room, role: Role, text: &str) -> Result<Value, String> {
        let node = room.live;
        ask(room, role, &json!({ "command": "play", "node": node, "text": text }))
    }

    /// Sits down, and returns the events that come.
    fn join(room: &mut Room, role: Role, browser: &str) -> (u64, Receiver<Event>) {
        let (sender, events) = channel();
        let seat = room.seats.iter().map(|seat| seat.visitor.seat).max().unwrap_or(0) + 1;
        let visitor = Visitor { seat, role, browser: browser.into() };
        room.join(visitor, Box::new(move |event| drop(sender.send(event))));
        (seat, events)
    }

    #[test]
    fn only_the_owner_changes_more_than_the_moves_of_a_side() {
        let mut room = room([false, false], Value::Null);
        let start = room.tree.root();
        let reads = [
            json!({ "command": "moves", "node": start }),
            json!({ "command": "pgn" }),
            json!({ "command": "rules", "game": "chess" }),
        ];
        let changes = [
            json!({ "command": "new", "game": "chess", "engine": [true, true], "level": 0, "seconds": 1 }),
            json!({ "command": "rematch" }),
            json!({ "command": "take-back" }),
            json!({ "command": "hint" }),
            json!({ "command": "move-now" }),
            json!({ "command": "pause", "on": true }),
            json!({ "command": "level", "level": 3 }),
            json!({ "command": "pace", "seconds": 3 }),
            json!({ "command": "players", "engine": [true, true] }),
            json!({ "command": "analyse", "node": start }),
            json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 1 }),
            json!({ "command": "annotate", "on": true }),
            json!({ "command": "comment", "node": start, "text": "good" }),
            json!({ "command": "remove", "node": start }),
            json!({ "command": "load", "text": "1. e4 *" }),
            json!({ "command": "games" }),
            json!({ "command": "open", "id": "a" }),
            json!({ "command": "continue", "game": "chess" }),
            json!({ "command": "rename", "id": "a", "name": "b" }),
            json!({ "command": "delete", "ids": ["a"] }),
            json!({ "command": "undelete" }),
            json!({ "command": "export", "ids": [] }),
            json!({ "command": "position", "game": "chess", "fen": "" }),
            json!({ "command": "compose", "game": "chess", "pieces": [], "fields": "" }),
            // Not the last position.
            json!({ "command": "play", "node": start, "text": "d2d4" }),
        ];
        play(&mut room, Role::White, "e2e4").unwrap();
        for role in ROLES {
            for command in &reads {
                ask(&mut room, role, command).unwrap_or_else(|error| panic!("{role:?} {command}: {error}"));
            }
        }
        for role in Role::GUESTS {
            for command in &changes {
                let refused = ask(&mut room, role, command);
                let reason = "only the owner of the board may do that";
                assert_eq!(refused, Err(reason.into()), "{role:?} {command}");
            }
        }
        assert_eq!(room.tree.moves(room.live), ["e2e4"]);
        for command in &changes {
            let command = serde_json::from_value(command.clone()).unwrap();
            assert!(room.permit(Role::Owner, &command).is_ok(), "{command:?}");
        }
    }

    #[test]
    fn each_moves_and_resigns_for_a_side() {
        let mut room = room([false, false], Value::Null);
        let refused = |side: &str| Err(format!("{side} is to move, and you do not play {side}"));
        for role in [Role::Black, Role::Spectator] {
            assert_eq!(play(&mut room, role, "e2e4"), refused("White"), "{role:?}");
        }
        play(&mut room, Role::White, "e2e4").unwrap();
        for role in [Role::White, Role::Spectator] {
            assert_eq!(play(&mut room, role, "e7e5"), refused("Black"), "{role:?}");
        }
        // The owner plays for whom is not there.
        play(&mut room, Role::Owner, "e7e5").unwrap();
        let (white, _) = join(&mut room, Role::White, "a");
        assert_eq!(play(&mut room, Role::Owner, "d2d4"), refused("White"));
        room.leave(white);
        play(&mut room, Role::Owner, "d2d4").unwrap();
        let resign = json!({ "command": "resign" });
        assert_eq!(ask(&mut room, Role::Spectator, &resign), Err("you play neither side".into()));
        // Out of turn.
        ask(&mut room, Role::White, &resign).unwrap();
        assert_eq!(room.game.outcome().unwrap().text, "White resigns");
        for role in Role::GUESTS {
            let refused = play(&mut room, role, "d7d6");
            assert_eq!(refused, Err("only the owner of the board may do that".into()), "{role:?}");
        }
    }

    #[test]
    fn nobody_moves_for_the_engine() {
        let mut room = room([true, false], Value::Null);
        assert_eq!(play(&mut room, Role::Owner, "e2e4"), Err("it is the engine's turn".into()));
        for role in Role::GUESTS {
            assert!(play(&mut room, role, "e2e4").is_err(), "{role:?}");
        }
        let resign = json!({ "command": "resign" });
        assert_eq!(ask(&mut room, Role::White, &resign), Err("you play neither side".into()));
        ask(&mut room, Role::Owner, &resign).unwrap();
        assert_eq!(room.game.outcome().unwrap().text, "Black resigns");
    }

    #[test]
    fn a_draw_is_agreed_by_both() {
        let (offer, accept, decline) = (
            json!({ "command": "offer-draw" }),
            json!({ "command": "answer-draw", "accept": true }),
            json!({ "command": "answer-draw", "accept": false }),
        );
        let mut room = room([false, false], Value::Null);
        assert_eq!(ask(&mut room, Role::Black, &accept), Err("nobody has offered a draw".into()));
        ask(&mut room, Role::White, &offer).unwrap();
        assert!(room.game.outcome().is_none());
        for role in [Role::White, Role::Spectator] {
            assert!(ask(&mut room, role, &accept).is_err(), "{role:?}");
        }
        ask(&mut room, Role::Black, &decline).unwrap();
        assert_eq!((room.offer, room.notice.as_deref()), (None, Some("Black declines the draw.")));
        // The offer stays when its side moves, and lapses when the other does.
        ask(&mut room, Role::White, &offer).unwrap();
        play(&mut room, Role::White, "e2e4").unwrap();
        assert_eq!(room.offer, Some(Color::White));
        play(&mut room, Role::Black, "e7e5").unwrap();
        assert_eq!(room.offer, None);
        // Two people at one board.
        ask(&mut room, Role::Owner, &offer).unwrap();
        assert!(room.game.outcome().is_none());
        ask(&mut room, Role::Owner, &accept).unwrap();
        assert_eq!(room.game.outcome().unwrap().text, "Draw by agreement");
    }

    #[test]
    fn a_pause_stops_the_clocks_and_the_moves() {
        let mut room = room([false, false], json!({ "minutes": 5, "increment": 0 }));
        let runs = |room: &Room| room.clocks.as_ref().unwrap().is_running();
        play(&mut room, Role::Owner, "e2e4").unwrap();
        assert!(!runs(&room));
        play(&mut room, Role::Owner, "e7e5").unwrap();
        assert!(runs(&room));
        ask(&mut room, Role::Owner, &json!({ "command": "pause", "on": true })).unwrap();
        assert!(!runs(&room));
        assert_eq!(play(&mut room, Role::White, "d2d4"), Err("the game is paused".into()));
        // A page that comes does not end it.
        join(&mut room, Role::Owner, "");
        assert!(!runs(&room));
        ask(&mut room, Role::Owner, &json!({ "command": "pause", "on": false })).unwrap();
        assert!(runs(&room));
        play(&mut room, Role::White, "d2d4").unwrap();
    }

    #[test]
    fn who_takes_back_has_the_time_again() {
        let mut room = room([false, false], json!({ "minutes": 5, "increment": 2 }));
        let take_back = json!({ "command": "take-back" });
        let left = |room: &Room| room.clocks.as_ref().unwrap().left().map(|left| left.as_secs_f64().round());
        for text in ["e2e4", "e7e5"] {
            play(&mut room, Role::Owner, text).unwrap();
        }
        room.clocks.as_mut().unwrap().set([Duration::ZERO; 2]);
        room.on_time();
        assert_eq!(room.game.outcome().unwrap().text, "White has no time left");
        room.clocks.as_mut().unwrap().set([Duration::ZERO, Duration::from_secs(302)]);
        ask(&mut room, Role::Owner, &take_back).unwrap();
        // What the move has added is gone with it.
        assert_eq!((left(&room), room.clocks.as_ref().unwrap().is_running()), ([302.0, 300.0], false));
        for text in ["e7e5", "d2d4"] {
            play(&mut room, Role::Owner, text).unwrap();
        }
        assert_eq!(left(&room), [304.0, 302.0]);
        ask(&mut room, Role::Owner, &take_back).unwrap();
        assert_eq!((left(&room), room.clocks.as_ref().unwrap().is_running()), ([302.0, 302.0], true));
        // A move that ends the game gives its time back once.
        let mut room = self::room([false, false], json!({ "minutes": 5, "increment": 0 }));
        for text in ["f2f3", "e7e5", "g2g4"] {
            play(&mut room, Role::Owner, text).unwrap();
        }
        room.clocks.as_mut().unwrap().set([Duration::from_secs(300), Duration::from_secs(287)]);
        play(&mut room, Role::Owner, "d8h4").unwrap();
        let mate = room.live;
        room.tree.get_mut(mate).unwrap().time = Some(Duration::from_secs(13));
        ask(&mut room, Role::Owner, &take_back).unwrap();
        assert_eq!(left(&room), [300.0, 300.0]);
    }

    #[test]
    fn the_engine_plays_itself_no_faster_than_people_follow() {
        let mut room = room([true, true], json!({ "minutes": 5, "increment": 0 }));
        ask(&mut room, Role::Owner, &json!({ "command": "pace", "seconds": 50 })).unwrap();
        let found = |room: &mut Room, text: &str| {
            let position = room.game.session().copy();
            let search = Search { number: 0, purpose: Purpose::Move, position, best: None, hurry: false };
            room.search = Some(search);
            room.found(Some(text.into()), 0);
        };
        found(&mut room, "e2e4");
        assert_eq!((room.plies(), room.held_until().is_some()), (0, true));
        assert!(room.deadline().is_some_and(|at| at > now() + Duration::from_secs(40)));
        // Whoever does not want to wait need not.
        ask(&mut room, Role::Owner, &json!({ "command": "move-now" })).unwrap();
        found(&mut room, "e7e5");
        assert_eq!((room.plies(), room.held_until().is_some()), (1, true));
        ask(&mut room, Role::Owner, &json!({ "command": "pause", "on": true })).unwrap();
        assert_eq!((room.plies(), room.held_until()), (1, None));
        ask(&mut room, Role::Owner, &json!({ "command": "pace", "seconds": 0 })).unwrap();
        found(&mut room, "e7e5");
        assert_eq!((room.plies(), room.held_until()), (2, None));
        // Against a person it answers at once.
        ask(&mut room, Role::Owner, &json!({ "command": "pace", "seconds": 50 })).unwrap();
        ask(&mut room, Role::Owner, &json!({ "command": "players", "engine": [true, false] })).unwrap();
        found(&mut room, "g1f3");
        assert_eq!(room.plies(), 3);
        let wrong = ask(&mut room, Role::Owner, &json!({ "command": "pace", "seconds": 61 }));
        assert_eq!(wrong, Err("seconds: 61 is not from 0 to 60".into()));
    }

    #[test]
    fn what_the_engine_thinks_is_for_the_owner() {
        let mut room = room([false, false], Value::Null);
        let (_, events) = join(&mut room, Role::Spectator, "a");
        let analyse = json!({ "command": "analyse", "node": room.live });
        ask(&mut room, Role::Owner, &analyse).unwrap();
        room.send_lines();
        room.send_status();
        let mut seen = 0;
        for event in events.try_iter() {
            seen += 1;
            let data: Value = serde_json::from_str(&event.data).unwrap();
            assert!(event.name != "analysis" && data["analysed"].is_null(), "{}: {data}", event.name);
        }
        assert!(seen > 0);
        let (_, events) = join(&mut room, Role::Owner, "b");
        assert!(events.try_iter().any(|event| event.name == "analysis"));
    }

    #[test]
    fn an_answer_names_the_last_of_its_events() {
        let mut room = room([false, false], Value::Null);
        let pages = [Role::Owner, Role::Spectator].map(|role| join(&mut room, role, "").1);
        let (sender, answers) = channel();
        let play = Command::Play { node: room.live, text: "e2e4".into() };
        let reply = Box::new(move |answer| drop(sender.send(answer)));
        room.receive(Message::Command(Role::Owner, play, reply));
        let after = answers.try_recv().unwrap().after;
        for events in pages {
            let events: Vec<Event> = events.try_iter().collect();
            assert!(events.is_sorted_by_key(|event| event.number));
            assert!(events.iter().any(|event| event.name == "node"));
            assert_eq!(events.last().map(|event| event.number), Some(after));
        }
        let (_, events) = join(&mut room, Role::Owner, "");
        assert_eq!(events.try_recv().unwrap().number, after);
    }

    #[test]
    fn a_browser_has_few_pages_and_a_club_many() {
        let mut room = room([false, false], Value::Null);
        let (owner, _) = join(&mut room, Role::Owner, "");
        let (first, events) = join(&mut room, Role::Spectator, "a");
        for _ in 0..MAX_SEATS_OF_BROWSER {
            join(&mut room, Role::Spectator, "a");
        }
        let slept = events.try_iter().find(|event| event.name == "sleep");
        assert_eq!(slept.map(|event| event.data.to_string()), Some(first.to_string()));
        for number in 0..20 {
            join(&mut room, Role::Spectator, &number.to_string());
        }
        assert_eq!(room.visitors().spectators, MAX_SEATS_OF_BROWSER + 20);
        assert!(room.seats.iter().any(|seat| seat.visitor.seat == owner));
        while room.seats.len() < MAX_SEATS {
            join(&mut room, Role::Spectator, "");
        }
        let (_, events) = join(&mut room, Role::White, "");
        assert!(events.recv().is_err());
    }
}
