//! Rooms for fuzzing, without pages and files.

use super::files::Loaded;
use super::{Command, Role, Room};
use crate::record;
use crate::tree::Tree;
use crate::view::EngineSettings;
use anyhow::Result;
use quintain_engine as engine;
use quintain_play::game::Settings;
use quintain_play::library::memory::Memory;
use quintain_play::library::{Library, SavedGame};
use serde_json::json;

/// The most commands to a room.
const MOST_COMMANDS: usize = 60;

/// Does this take much time or memory?
fn is_dear(command: &Command) -> bool {
    match command {
        Command::Annotate { on } => *on,
        Command::Engine(EngineSettings { threads, hash, .. }) => *threads > 1 || *hash > 2,
        _ => false,
    }
}

fn check_error(error: &anyhow::Error) {
    let text = format!("{error:#}");
    assert!(!text.trim().is_empty() && text.len() < 4096, "{text}");
}

/// The position on the board is that after the moves of the game, and the game can be saved and taken up again.
fn check(room: &mut Room) {
    let mut session = engine::open(&room.game.settings.game).expect("a game");
    let start = &room.tree.view(room.tree.root()).position.fen;
    let moves = room.tree.moves(room.live);
    session.set_position(Some(start), &moves).unwrap_or_else(|error| panic!("{start} {moves:?}: {error}"));
    assert_eq!(session.fen(), room.game.session().fen());
    for (id, _) in room.tree.iter() {
        serde_json::to_string(&room.tree.view(id)).expect("JSON");
    }
    room.send_status();
    let saved = room.saved();
    let text = serde_json::to_string(&saved).expect("JSON");
    let read: SavedGame = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    read.check().unwrap_or_else(|error| panic!("{error:#}: {text}"));
    let mut other = Room::new(Some("chess"), None).expect("a room");
    other.resume(read).unwrap_or_else(|error| panic!("{error:#}: {text}"));
    assert_eq!(other.game.session().fen(), room.game.session().fen(), "{text}");
    assert_eq!(other.tree.len(), room.tree.len(), "{text}");
}

/// A library with a game of chess and one of canyon, `a` and `b`, and with this one as `c`.
fn library(text: Option<&str>) -> Library {
    let store = Memory::default();
    for (id, game) in [("a", "chess"), ("b", "canyon")] {
        let heading = json!({
            "quintain": 1, "name": "", "game": game, "players": ["White", "Black"], "date": "2026.11.27",
            "result": "*", "plies": 0, "changed": 0,
        });
        store.put(id, &format!("{heading}\n{}", json!(SavedGame::new(Settings::of(game), 0))));
    }
    text.iter().for_each(|text| store.put("c", text));
    Library::new(store)
}

/// Handles commands as JSON, one a line, of the owner or of the guest whose letter is before it. The game can be written
/// as PGN and is read back.
pub fn room(text: &str) {
    let mut room = Room::new(Some("diamond"), Some(library(None))).expect("a room");
    for line in text.lines().take(MOST_COMMANDS) {
        let (role, line) = match line.split_at_checked(1) {
            Some(("w", rest)) => (Role::White, rest),
            Some(("b", rest)) => (Role::Black, rest),
            Some(("s", rest)) => (Role::Spectator, rest),
            _ => (Role::Owner, line),
        };
        let Ok(command) = serde_json::from_str::<Command>(line) else { continue };
        if is_dear(&command) {
            continue;
        }
        let done = match command {
            // Games are read outside the room.
            Command::Load { text, kind } if role == Role::Owner => load(&mut room, &text, kind.as_deref()),
            command => room.handle(role, command).map(drop),
        };
        if let Err(error) = done {
            check_error(&error);
        }
        check(&mut room);
    }
    room.stop();
    let (written, mut other) = (room.pgn(), Room::new(Some("chess"), None).expect("a room"));
    load(&mut other, &written, None).unwrap_or_else(|error| panic!("{error:#}: {written}"));
    // What was tried at the first position of a game without moves can only be written as its moves.
    if room.live != room.tree.root() || room.tree.len() == 1 {
        assert_eq!(other.tree.moves(other.live), room.tree.moves(room.live), "{written}");
    }
    assert_eq!(other.tree.len(), room.tree.len(), "{written}");
}

fn load(room: &mut Room, text: &str, kind: Option<&str>) -> Result<()> {
    match Loaded::read(text, kind, &room.game.settings, room.library.as_ref())? {
        Loaded::Game(opened) => room.show(*opened),
        Loaded::Answer(_) => Ok(()),
    }
}

/// Opens a game of the library whose text is this.
pub fn saved(text: &str) {
    let mut room = Room::new(Some("diamond"), Some(library(Some(text)))).expect("a room");
    match room.handle(Role::Owner, Command::Open { id: "c".into() }) {
        Ok(_) => {
            check(&mut room);
            room.time_of_move();
            room.deadline();
        }
        Err(error) => check_error(&error),
    }
}

/// Reads the games of a text. Each is as the board needs it.
pub fn records(text: &str) {
    for record in record::read_all(text, "diamond") {
        match record {
            Ok(record) => {
                let saved = &record.saved;
                saved.check().unwrap_or_else(|error| panic!("{error:#}: {saved:?}"));
                Tree::of_saved(saved, 0).unwrap_or_else(|error| panic!("{error:#}: {saved:?}"));
                assert!(record.candidates.contains(&&*saved.settings.game));
                record.warnings.iter().for_each(|warning| assert!(warning.len() < 4096, "{warning}"));
            }
            Err(error) => check_error(&error),
        }
    }
}
