//! The games of the library: a list of them, and what can be done with them.

use super::{Reply, Room, beside, files, sentence};
use anyhow::{Context, Result, ensure};
use quintain_engine as engine;
use quintain_play::game::Settings;
use quintain_play::library::{self, Library};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Room {
    fn library(&self) -> Result<Library> {
        self.library.clone().context("there is no folder for games")
    }

    /// Goes on with the last game, of this kind if one is named, or begins one. What cannot be opened keeps nobody from
    /// playing.
    pub(super) fn go_on(&mut self, game: Option<&str>) -> Result<()> {
        let last = match (&self.library, game) {
            (None, _) => Ok(None),
            (Some(library), Some(game)) => library.unfinished(game),
            (Some(library), None) => library.list().map(|listing| {
                let is_known = |name: &str| engine::info(name).is_ok();
                listing.games.into_iter().find(|entry| is_known(&entry.heading.game))
            }),
        };
        let opened = match &last {
            Ok(Some(entry)) => self.open(&entry.id).map(|()| true),
            Ok(None) => Ok(false),
            Err(error) => Err(anyhow::anyhow!("the games cannot be listed: {error:#}")),
        };
        if !matches!(opened, Ok(true)) {
            let kind = last.ok().flatten().map(|entry| entry.heading.game);
            let kind =
                game.map(str::to_owned).or(kind).unwrap_or_else(|| quintain_engine::first().to_owned());
            self.begin(Settings { level: self.game.settings.level, ..Settings::of(&kind) })?;
        }
        if let Err(error) = opened {
            self.notice = Some(sentence(&format!("{error:#}; this is a new game")));
        }
        Ok(())
    }

    /// Goes on with a game of this kind.
    pub(super) fn continue_game(&mut self, game: &str) -> Result<()> {
        engine::info(game)?;
        match self.game.settings.game == game && self.game.outcome().is_none() {
            true => Ok(()),
            false => self.go_on(Some(game)),
        }
    }

    /// Opens a game of the library.
    pub(super) fn open(&mut self, id: &str) -> Result<()> {
        if self.place.as_ref().is_some_and(|place| place.id() == id) {
            return Ok(());
        }
        let library = self.library()?;
        let waits =
            |(place, _): &(Option<library::Place>, _)| place.as_ref().is_some_and(|place| place.id() == id);
        let (place, saved) = match self.waiting.iter().position(waits) {
            Some(at) => self.waiting.remove(at),
            None => {
                let (place, saved) = library.open(id)?;
                (Some(place), saved)
            }
        };
        if let Err(error) = self.resume(saved) {
            return Err(library.unreadable(id, &error).into());
        }
        self.place = place;
        self.send_game();
        self.save();
        Ok(())
    }

    /// The list of games, for pages.
    pub(super) fn games(&self) -> Result<Value> {
        let listing = self.library()?.list()?;
        Ok(json!({ "games": listing.games, "unreadable": listing.unreadable }))
    }

    pub(super) fn rename(&mut self, id: &str, name: &str) -> Result<()> {
        let name = library::name(name)?;
        if self.place.as_ref().is_some_and(|place| place.id() == id) {
            self.name = name;
            self.save();
            return Ok(());
        }
        self.library()?.rename(id, &name)
    }

    /// Deletes games. If the one on the board is among them, another one begins.
    pub(super) fn delete(&mut self, ids: &[String]) -> Result<()> {
        ensure!(!ids.is_empty(), "no game is named");
        let library = self.library()?;
        // All or none: what was deleted before can still be brought back if one of them is not to be had.
        let is_open = |id: &str| self.place.as_ref().is_some_and(|place| place.id() == id);
        let others = ids.iter().collect::<BTreeSet<_>>().into_iter().filter(|id| !is_open(id));
        let places = others.map(|id| library.take(id)).collect::<Result<Vec<_>, _>>()?;
        self.deleted.clear();
        for place in places {
            self.deleted.push(library.delete(place)?);
        }
        if let Some(place) = self.place.take_if(|place| ids.iter().any(|id| id == place.id())) {
            let deleted = library.delete(place);
            // Also after an error: the next save would bring it back.
            self.begin(Settings { fen: None, ..self.game.settings.clone() })?;
            self.deleted.push(deleted?);
        }
        Ok(())
    }

    /// Brings the games back that were deleted last.
    pub(super) fn undelete(&mut self) -> Result<()> {
        let library = self.library()?;
        ensure!(!self.deleted.is_empty(), "no game was deleted");
        while let Some(deleted) = self.deleted.last() {
            library.restore(deleted)?;
            self.deleted.pop();
        }
        Ok(())
    }

    /// Writes games as PGN, all of them if none is named. This takes long, and so a thread of its own answers.
    pub(super) fn export(&self, ids: Vec<String>, reply: Reply) {
        match self.library() {
            Ok(library) => beside("export", move || reply(export(&library, ids).into())),
            Err(error) => reply(Err(error).into()),
        }
    }
}

/// Games as PGN, the oldest first, and which are left out because they cannot be read.
fn export(library: &Library, mut ids: Vec<String>) -> Result<Value> {
    if ids.is_empty() {
        ids = library.list()?.games.into_iter().rev().map(|entry| entry.id).collect();
    }
    let (mut text, mut left_out) = (String::new(), Vec::new());
    for id in &ids {
        match library.read(id).map_err(anyhow::Error::from).and_then(|saved| files::pgn_of(&saved)) {
            Ok(pgn) => text += &pgn,
            Err(error) => left_out.push(format!("{error:#}")),
        }
    }
    Ok(json!({ "pgn": text, "left_out": left_out }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Role;
    use crate::room::events::Audience;
    use crate::room::files::Loaded;
    use quintain_play::library::Store;
    use quintain_play::library::memory::Memory;

    fn room(game: Option<&str>, store: &Memory) -> Room {
        Room::new(game, Some(Library::new(store.clone()))).unwrap()
    }

    fn ask(room: &mut Room, command: Value) -> Result<Value, String> {
        let command = serde_json::from_value(command).unwrap();
        room.handle(Role::Owner, command).map_err(|error| format!("{error:#}"))
    }

    fn begin(room: &mut Room, game: &str) {
        let engine = [false, false];
        let new = json!({ "command": "new", "game": game, "engine": engine, "level": 0, "seconds": 1 });
        ask(room, new).unwrap();
    }

    /// The games of the library: kind and length, and the names, the last changed first.
    fn listed(store: &Memory) -> (Vec<(String, usize)>, Vec<String>) {
        let games = Library::new(store.clone()).list().unwrap().games;
        games.into_iter().map(|entry| ((entry.heading.game, entry.heading.plies), entry.id)).unzip()
    }

    fn kinds(store: &Memory) -> Vec<(String, usize)> {
        let mut kinds = listed(store).0;
        kinds.sort();
        kinds
    }

    #[test]
    fn a_new_game_leaves_the_one_before_in_the_library() {
        let store = Memory::default();
        let mut room = room(Some("chess"), &store);
        begin(&mut room, "chess");
        room.play("e2e4").unwrap();
        let chess = room.place.as_ref().unwrap().id().to_owned();
        begin(&mut room, "canyon");
        assert_eq!(kinds(&store), [("canyon".into(), 0), ("chess".into(), 1)]);
        // Nobody has touched the game of canyon.
        let load = |room: &mut Room, text: &str| {
            let read = Loaded::read(text, Some("chess"), &room.game.settings, None).unwrap();
            let Loaded::Game(opened) = read else { panic!("not a game") };
            room.show(*opened).unwrap();
        };
        load(&mut room, "[Variant \"diamond\"]\n\n1. dd4 *");
        assert_eq!(kinds(&store), [("chess".into(), 1), ("diamond".into(), 1)]);
        ask(&mut room, json!({ "command": "open", "id": chess })).unwrap();
        assert_eq!((room.game.settings.game.as_str(), room.tree.moves(room.live)), ("chess", vec!["e2e4"]));
        // A position that was set up is more than nothing.
        load(&mut room, "8/8/8/8/8/5k2/8/R6K w - - 0 1");
        begin(&mut room, "grand");
        assert_eq!(kinds(&store).len(), 4);
        let error = ask(&mut room, json!({ "command": "open", "id": "nothing" })).unwrap_err();
        assert_eq!(error, "there is no saved game 'nothing'");
    }

    #[test]
    fn a_kind_of_game_goes_on_or_begins() {
        let store = Memory::default();
        let mut first = room(Some("chess"), &store);
        begin(&mut first, "chess");
        first.play("e2e4").unwrap();
        let go_on = |room: &mut Room, game: &str| ask(room, json!({ "command": "continue", "game": game }));
        go_on(&mut first, "canyon").unwrap();
        assert_eq!((first.game.settings.game.as_str(), first.tree.len()), ("canyon", 1));
        go_on(&mut first, "chess").unwrap();
        assert_eq!(first.tree.moves(first.live), ["e2e4"]);
        go_on(&mut first, "chess").unwrap();
        assert_eq!(first.tree.moves(first.live), ["e2e4"]);
        assert_eq!(go_on(&mut first, "ludo").unwrap_err(), engine::UnknownGame("ludo".into()).to_string());
        ask(&mut first, json!({ "command": "resign" })).unwrap();
        go_on(&mut first, "chess").unwrap();
        assert_eq!(first.tree.len(), 1);
        assert_eq!(kinds(&store), [("chess".into(), 0), ("chess".into(), 1)]);
        // The last one goes on at the next start, whichever it is.
        let ids = listed(&store).1;
        ask(&mut first, json!({ "command": "open", "id": ids[1] })).unwrap();
        drop(first);
        let again = room(None, &store);
        assert_eq!((again.tree.moves(again.live), again.game.outcome().is_some()), (vec!["e2e4"], true));
    }

    #[test]
    fn two_rooms_with_one_library_lose_no_move() {
        let store = Memory::default();
        let mut one = room(Some("chess"), &store);
        begin(&mut one, "chess");
        one.play("e2e4").unwrap();
        let mut two = room(None, &store);
        assert_eq!(two.game.settings.game, "chess");
        let notice = "The game is open in another program; this is a new game.";
        assert_eq!(two.notice.as_deref(), Some(notice));
        two.game.settings.engine = [false; 2];
        two.play("d2d4").unwrap();
        one.play("e7e5").unwrap();
        two.play("d7d5").unwrap();
        assert_eq!(kinds(&store), [("chess".into(), 2), ("chess".into(), 2)]);
        let id = one.place.as_ref().unwrap().id().to_owned();
        for command in [
            json!({ "command": "open", "id": id }),
            json!({ "command": "rename", "id": id, "name": "x" }),
            json!({ "command": "delete", "ids": [id] }),
        ] {
            assert_eq!(ask(&mut two, command).unwrap_err(), "the game is open in another program");
        }
        assert_eq!(two.tree.moves(two.live), ["d2d4", "d7d5"]);
        drop(one);
        ask(&mut two, json!({ "command": "open", "id": id })).unwrap();
        assert_eq!(two.tree.moves(two.live), ["e2e4", "e7e5"]);
    }

    #[test]
    fn all_of_some_games_are_deleted_or_none() {
        let store = Memory::default();
        let mut one = room(Some("chess"), &store);
        begin(&mut one, "chess");
        one.play("e2e4").unwrap();
        let mut two = room(Some("canyon"), &store);
        begin(&mut two, "canyon");
        two.play("d3d4").unwrap();
        begin(&mut two, "grand");
        two.play("d3d4").unwrap();
        let before = listed(&store).1.into_iter().find(|id| id.starts_with("canyon")).unwrap();
        ask(&mut two, json!({ "command": "delete", "ids": [before] })).unwrap();
        let [open, other] = [&two, &one].map(|room| room.place.as_ref().unwrap().id().to_owned());
        let error = ask(&mut two, json!({ "command": "delete", "ids": [open, other] })).unwrap_err();
        assert_eq!(error, "the game is open in another program");
        assert_eq!((kinds(&store), two.tree.len()), (vec![("chess".into(), 1), ("grand".into(), 1)], 2));
        ask(&mut two, json!({ "command": "undelete" })).unwrap();
        assert_eq!(kinds(&store).len(), 3);
        // If one cannot be deleted, the game on the board stays there.
        store.fill(true);
        let error = ask(&mut two, json!({ "command": "delete", "ids": [open, before] })).unwrap_err();
        assert_eq!((error.as_str(), two.tree.len()), ("no storage space", 2));
        assert_eq!(two.place.as_ref().unwrap().id(), open);
        store.fill(false);
        // A game that is named twice is one game.
        ask(&mut two, json!({ "command": "delete", "ids": [open, before, before] })).unwrap();
        assert_eq!((kinds(&store), two.tree.len()), (vec![("chess".into(), 1), ("grand".into(), 0)], 1));
    }

    #[test]
    fn without_a_folder_there_is_nothing_to_export() {
        let room = Room::new(Some("chess"), None).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        room.export(Vec::new(), Box::new(move |answer| sender.send(answer).unwrap()));
        assert_eq!(receiver.recv().unwrap().result.unwrap_err(), "there is no folder for games");
    }

    #[test]
    fn what_cannot_be_saved_is_told_and_saved_later() {
        let store = Memory::default();
        let mut room = room(Some("chess"), &store);
        begin(&mut room, "chess");
        room.play("e2e4").unwrap();
        assert_eq!(room.status(Audience::Owner).unsaved, None);
        store.fill(true);
        room.play("e7e5").unwrap();
        assert_eq!(room.status(Audience::Owner).unsaved, Some("no storage space"));
        assert!(room.deadline().is_some());
        begin(&mut room, "canyon");
        room.play("d3d4").unwrap();
        assert!(room.status(Audience::Owner).unsaved.is_some());
        assert_eq!(kinds(&store), [("chess".into(), 1)]);
        store.fill(false);
        room.save();
        assert_eq!(room.status(Audience::Owner).unsaved, None);
        assert_eq!(kinds(&store), [("canyon".into(), 1), ("chess".into(), 2)]);
    }

    #[test]
    fn a_game_that_cannot_be_read_is_set_aside_and_another_one_begins() {
        let store = Memory::default();
        let mut first = room(Some("chess"), &store);
        begin(&mut first, "chess");
        first.play("e2e4").unwrap();
        let id = first.place.as_ref().unwrap().id().to_owned();
        drop(first);
        let bad = store.read(&id).unwrap().replace("e2e4", "e2e5");
        store.put(&id, &bad);
        let again = room(None, &store);
        let notice = again.notice.unwrap();
        let told = format!("; it is kept as {id}.unreadable-1; this is a new game.");
        assert!(
            notice.starts_with("The saved game could not be read: ") && notice.ends_with(&told),
            "{notice}"
        );
        assert_eq!(store.read(&format!("{id}.unreadable-1")).unwrap(), bad);
        assert_eq!((again.game.settings.game.as_str(), again.tree.len()), ("chess", 1));
    }

    #[test]
    fn games_are_named_deleted_brought_back_and_exported() {
        let store = Memory::default();
        let mut room = room(Some("chess"), &store);
        for (game, mv) in [("chess", "e2e4"), ("canyon", "d3d4")] {
            begin(&mut room, game);
            room.play(mv).unwrap();
        }
        let mut ids = listed(&store).1;
        // The one on the board first; both may have changed in the same moment.
        ids.sort_by_key(|id| room.place.as_ref().unwrap().id() != id);
        let names = |store: &Memory| {
            let games = Library::new(store.clone()).list().unwrap().games;
            games.into_iter().map(|entry| entry.heading.name).collect::<Vec<_>>()
        };
        for (id, name) in ids.iter().zip(["open", "other"]) {
            ask(&mut room, json!({ "command": "rename", "id": id, "name": name })).unwrap();
        }
        let mut named = names(&store);
        named.sort();
        assert_eq!((named, room.status(Audience::Owner).name), (vec!["open".into(), "other".into()], "open"));
        let export = |room: &mut Room, ids: &[String]| {
            room.save();
            let answer = export(&room.library().unwrap(), ids.to_vec()).unwrap();
            assert_eq!(answer["left_out"], json!([]));
            answer["pgn"].as_str().unwrap().to_owned()
        };
        let all = export(&mut room, &[]);
        assert_eq!(quintain_core::notation::pgn::parse(&all).unwrap().len(), 2);
        assert!(all.contains("\n1. e4 ") && all.contains("\n1. d4 "), "{all}");
        assert!(!export(&mut room, &ids[..1]).contains("1. e4"));
        // The game on the board may be among those that are deleted.
        ask(&mut room, json!({ "command": "delete", "ids": ids })).unwrap();
        assert_eq!((kinds(&store), room.tree.len()), (vec![("canyon".into(), 0)], 1));
        ask(&mut room, json!({ "command": "undelete" })).unwrap();
        assert_eq!(kinds(&store).len(), 3);
        assert_eq!(ask(&mut room, json!({ "command": "undelete" })).unwrap_err(), "no game was deleted");
        let (kinds, ids) = listed(&store);
        let back = kinds.iter().position(|kind| *kind == ("canyon".into(), 1)).unwrap();
        ask(&mut room, json!({ "command": "open", "id": ids[back] })).unwrap();
        assert_eq!((room.tree.moves(room.live), room.status(Audience::Owner).name), (vec!["d3d4"], "open"));
    }
}
