//! Games that are loaded, saved and taken up again.

use super::search::Analysis;
use super::{Message, Reply, Room, beside, sentence};
use crate::clock::Clocks;
use crate::record::{self, Record, Written};
use crate::tree::{Node, Tree};
use crate::view::NodeId;
use anyhow::{Context, Result, anyhow, ensure};
use quintain_engine as engine;
use quintain_play::game::{Settings, time};
use quintain_play::library::{Library, SavedGame, SavedNode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How soon it is tried again to save what could not be saved.
const SAVE_AGAIN: Duration = Duration::from_secs(3);
/// The most games that are loaded at once.
const MOST_GAMES: usize = 2000;
/// So much is told of what is left out of them.
const MOST_TOLD: usize = 5;

/// A game with all its positions, ready to be shown. It is built outside the room's thread.
pub struct Opened {
    saved: SavedGame,
    tree: Tree,
    ids: Vec<NodeId>,
    warnings: Vec<String>,
}

impl Opened {
    pub(super) fn of_saved(saved: SavedGame, warnings: Vec<String>) -> Result<Opened> {
        let (tree, ids) = Tree::of_saved(&saved, 0)?;
        Ok(Opened { saved, tree, ids, warnings })
    }
}

/// What was made of a text.
pub(super) enum Loaded {
    /// Its only game, to be shown.
    Game(Box<Opened>),
    /// An answer for the page that asked.
    Answer(Value),
}

impl Loaded {
    /// Reads a text. One game is for the board; several go into the library, and the answer is where. If the games do not
    /// say which kind they are and there are several in which they are legal, the answer is which; then `kind` chooses.
    pub(super) fn read(
        text: &str,
        kind: Option<&str>,
        settings: &Settings,
        library: Option<&Library>,
    ) -> Result<Loaded> {
        let mut records = match kind {
            Some(kind) => record::read_all_as(text, kind),
            None => record::read_all(text, &settings.game),
        };
        let kinds = if kind.is_none() { kinds(&records) } else { Vec::new() };
        if kinds.len() > 1 {
            return Ok(Loaded::Answer(json!({ "which": kinds })));
        }
        if records.len() == 1 {
            let Record { saved, warnings, .. } = records.swap_remove(0)?;
            return Ok(Loaded::Game(Opened::of_saved(saved, warnings)?.into()));
        }
        let library = library.context("there is no folder for games, so only one can be loaded")?;
        ensure!(
            records.len() <= MOST_GAMES,
            "there are {} games, and the most are {MOST_GAMES}",
            records.len()
        );
        let (mut added, mut left_out, now) = (Vec::new(), Vec::new(), time::date());
        for (number, record) in (1..).zip(records) {
            match record {
                Ok(Record { mut saved, warnings, .. }) => {
                    let Settings { level, seconds, .. } = *settings;
                    saved.settings = Settings { level, seconds, ..saved.settings };
                    // The first game comes first in the list.
                    let id = library.add(&saved, now.saturating_sub(number));
                    added.push(
                        id.with_context(|| format!("game {number}; those before it are in the library"))?,
                    );
                    left_out.extend(warnings.into_iter().map(|warning| (number, warning)));
                }
                Err(error) => left_out.push((number, format!("{error:#}"))),
            }
        }
        let more = left_out.len().saturating_sub(MOST_TOLD);
        let told = left_out.iter().take(MOST_TOLD).map(|(number, what)| format!("game {number}: {what}"));
        let mut told: Vec<String> = told.map(|text| sentence(&text)).collect();
        told.extend((more > 0).then(|| format!("And {more} more.")));
        ensure!(!added.is_empty(), "{}", told.join(" "));
        Ok(Loaded::Answer(json!({ "added": added, "left_out": told })))
    }
}

/// The kinds that all those games may be that do not say it.
fn kinds(records: &[Result<Record>]) -> Vec<&'static str> {
    let open = |record: &'_ Result<Record>| {
        record.as_ref().ok().map(|record| record.candidates.clone()).filter(|kinds| kinds.len() > 1)
    };
    let common =
        |a: Vec<&'static str>, b: Vec<&'static str>| a.into_iter().filter(|kind| b.contains(kind)).collect();
    records.iter().filter_map(open).reduce(common).unwrap_or_default()
}

impl Room {
    /// Reads a text in a thread of its own, which reports to the room. A long text must not keep others
    /// waiting.
    pub(super) fn load(&mut self, text: String, kind: Option<String>, reply: Reply) {
        if self.loading.strong_count() > 0 {
            return reply(Err(anyhow!("another game is being read")).into());
        }
        let (settings, library, sender) =
            (self.game.settings.clone(), self.library.clone(), self.sender.clone());
        let reading = Arc::new(());
        self.loading = Arc::downgrade(&reading);
        let work = move || {
            let loaded = Loaded::read(&text, kind.as_deref(), &settings, library.as_ref());
            // Who has the answer may load again at once.
            drop(reading);
            let opened = match loaded {
                Ok(Loaded::Answer(answer)) => return reply(Ok(answer).into()),
                Ok(Loaded::Game(opened)) => Ok(opened),
                Err(error) => Err(error),
            };
            drop(sender.send(Message::Opened(opened, reply)));
        };
        beside("load", work);
    }

    /// Shows a game that was read, as a new one.
    pub(super) fn show(&mut self, mut opened: Opened) -> Result<()> {
        let Settings { level, seconds, .. } = self.game.settings;
        opened.saved.settings = Settings { level, seconds, ..opened.saved.settings };
        let warnings = std::mem::take(&mut opened.warnings);
        self.enter(opened)?;
        if !warnings.is_empty() {
            self.notice = Some(sentence(&warnings.join("; ")));
        }
        self.send_game();
        self.save();
        Ok(())
    }

    pub(super) fn pgn(&self) -> String {
        record::write(&Written {
            info: &self.game.session().info(),
            settings: &self.game.settings,
            begun: self.begun,
            tags: &self.tags,
            tree: &self.tree,
            live: self.live,
            outcome: self.game.outcome().as_ref(),
            end: self.game.end.as_ref(),
        })
    }

    /// The game as the library keeps it.
    pub(super) fn saved(&self) -> SavedGame {
        let index: BTreeMap<NodeId, usize> = self.tree.iter().map(|(id, _)| id).zip(0..).collect();
        let node = |(_, node): (NodeId, &Node)| SavedNode {
            parent: node.parent.map(|parent| index[&parent]),
            text: node.mv.as_ref().map(|mv| mv.text.clone()).unwrap_or_default(),
            comment: node.comment.clone(),
            nags: node.nags.clone(),
            mark: String::new(),
            score: node.score.clone(),
            time: node.time.map(|time| time.as_millis() as u64),
            hinted: node.hinted,
        };
        SavedGame {
            settings: self.game.settings.clone(),
            nodes: self.tree.iter().map(node).collect(),
            live: index[&self.live],
            end: self.game.outcome(),
            left: self.clocks.as_ref().map(Clocks::left),
            paused: self.paused,
            name: self.name.clone(),
            begun: self.begun,
            tags: self.tags.clone(),
        }
    }

    /// Saves the game, and those that wait for it.
    pub(super) fn save(&mut self) {
        let Some(library) = self.library.clone() else { return };
        let saved = self.saved();
        let mut wrong = library.save(&mut self.place, &saved).err();
        self.waiting.retain_mut(|(place, saved)| match library.save(place, saved) {
            Ok(()) => false,
            Err(error) => {
                wrong.get_or_insert(error);
                true
            }
        });
        self.unsaved = wrong.map(|error| (format!("{error:#}"), time::now() + SAVE_AGAIN));
    }

    /// Leaves the game for another one. It stays in the library, unless nobody has touched it.
    pub(super) fn leave_game(&mut self) {
        let Some(library) = self.library.clone() else { return };
        if self.place.is_none() && self.unsaved.is_none() {
            return;
        }
        let root = self.tree.view(self.tree.root());
        let untouched = self.tree.len() == 1 && root.comment.is_empty() && self.name.is_empty();
        match self.place.take() {
            Some(place) if untouched && self.game.settings.fen.is_none() => {
                // If it stays, it does no harm.
                let _ = library.delete(place);
            }
            mut place => {
                let saved = self.saved();
                if library.save(&mut place, &saved).is_err() && !untouched {
                    self.waiting.push((place, saved));
                }
            }
        }
    }

    /// Goes to a saved game, once all of it has turned out to be legal.
    pub(super) fn resume(&mut self, saved: SavedGame) -> Result<()> {
        self.enter(Opened::of_saved(saved, Vec::new())?)
    }

    fn enter(&mut self, opened: Opened) -> Result<()> {
        let Opened { saved, tree, ids, .. } = opened;
        let tree = tree.renumbered(self.tree.next());
        // Their numbers began at 0.
        let live = tree.root() + ids[saved.live];
        let mut session = engine::open(&saved.settings.game)?;
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        tree.walk(&mut *session, tree.root(), live)?;
        self.replace(saved.settings, tree, session);
        self.live = live;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, saved.left) {
            clocks.set(left);
        }
        // An end by the rules follows from the position.
        self.game.end = saved.end.filter(|_| self.game.session().outcome().is_none());
        self.paused = saved.paused;
        self.analysis = self.analysis.take().map(|_| Analysis::of(self.live));
        (self.name, self.begun, self.tags) = (saved.name, saved.begun, saved.tags);
        Ok(())
    }
}

/// A saved game as PGN.
pub(super) fn pgn_of(saved: &SavedGame) -> Result<String> {
    let (tree, ids) = Tree::of_saved(saved, 0)?;
    let mut session = engine::open(&saved.settings.game)?;
    let live = ids[saved.live];
    session.set_position(saved.settings.fen.as_deref(), &tree.moves(live))?;
    let end = saved.end.as_ref();
    Ok(record::write(&Written {
        info: &session.info(),
        settings: &saved.settings,
        begun: saved.begun,
        tags: &saved.tags,
        tree: &tree,
        live,
        outcome: end,
        // One by the rules follows from the position.
        end: end.filter(|_| session.outcome().is_none()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Command, Role, answer};
    use crate::tree::MAX_NODES;

    #[test]
    fn a_game_that_is_too_long_does_not_end_the_one_in_progress() {
        let mut room = Room::new(Some("chess"), None).unwrap();
        room.play("e2e4").unwrap();
        let line = "1. Nf3 Nf6 2. Ng1 Ng8";
        // Each variation is short; together they are too long.
        let variations = format!("({line}) ").repeat(MAX_NODES / 4 + 1);
        let mut load = |text: &str| {
            let opened = show(&mut room, text, Some("chess"));
            (opened.map_err(|error| error.to_string()), room.tree.moves(room.live).join(" "), room.tree.len())
        };
        let (error, moves, _) = load(&format!("1. e4 {variations} *"));
        assert_eq!(
            error.unwrap_err(),
            "it has 5005 moves with those of its variations, and the most are 4999"
        );
        assert_eq!(moves, "e2e4");
        assert_eq!(load(&format!("1. e4 ({line}) e5 *")), (Ok(()), "e2e4 e7e5".into(), 7));
    }

    #[test]
    fn a_game_does_not_grow_longer_than_can_be_read_again() {
        let mut room = Room::new(Some("chess"), None).unwrap();
        room.game.settings.engine = [false; 2];
        let start = room.tree.root();
        let mut session = room.session_at(start).unwrap();
        for first in session.moves() {
            session.set_position(None, &[&first]).unwrap();
            for answer in session.moves() {
                session.set_position(None, &[&first, &answer]).unwrap();
                for third in session.moves() {
                    if room.tree.len() + 3 < MAX_NODES {
                        room.add_variation(start, &[first.clone(), answer.clone(), third]);
                    }
                }
            }
        }
        // Each of them adds three positions at most, and those of the main line are there.
        let mut answer = true;
        while room.tree.len() < MAX_NODES {
            let next = room.game.session().moves()[usize::from(answer)].clone();
            room.play(&next).unwrap();
            answer = !answer;
        }
        let next = room.game.session().moves()[0].clone();
        let before = room.game.session().fen();
        assert_eq!(room.play(&next).unwrap_err().to_string(), "the game is too long");
        assert_eq!(room.game.session().fen(), before);
        room.add_variation(room.live, &[next]);
        assert_eq!(room.tree.len(), MAX_NODES);
        assert!(room.search(crate::room::search::Purpose::Move, room.live).is_err());
        // A move that is there already needs no room.
        let known = room.tree.get(start).unwrap().children[0];
        let text = room.tree.moves(known)[0].to_owned();
        assert_eq!(room.play_at(start, &text).unwrap(), known);
        room.resume(room.saved()).unwrap();
    }

    fn show(room: &mut Room, text: &str, kind: Option<&str>) -> Result<()> {
        match Loaded::read(text, kind, &room.game.settings, None)? {
            Loaded::Game(opened) => room.show(*opened),
            Loaded::Answer(answer) => anyhow::bail!("{answer}"),
        }
    }

    #[test]
    fn a_game_that_may_be_of_several_kinds_is_asked_about() {
        let mut room = Room::new(Some("canyon"), None).unwrap();
        let error = show(&mut room, "1. e4 e5 *", None).unwrap_err().to_string();
        assert!(error.starts_with(r#"{"which":["canyon","chess""#), "{error}");
        show(&mut room, "1. e4 e5 *", Some("chess")).unwrap();
        assert_eq!(
            (room.game.settings.game.as_str(), room.tree.moves(room.live)),
            ("chess", vec!["e2e4", "e7e5"])
        );
        // One in which it is legal, or one that it names, needs no question.
        show(&mut room, "1. d4 K-N *", None).unwrap();
        assert_eq!(room.game.settings.game, "canyon");
        show(&mut room, "[Variant \"chess\"]\n\n1. e4 *", None).unwrap();
        assert_eq!(room.game.settings.game, "chess");
        assert!(show(&mut room, "1. e4 *", Some("ludo")).is_err());
    }

    #[test]
    fn several_games_go_into_the_library() {
        let library = Library::new(quintain_play::library::memory::Memory::default());
        let read = |text: &str, kind: Option<&str>, library: Option<&Library>| match Loaded::read(
            text,
            kind,
            &Settings::of("canyon"),
            library,
        ) {
            Ok(Loaded::Answer(answer)) => Ok(answer),
            Ok(Loaded::Game(_)) => panic!("it is one game"),
            Err(error) => Err(format!("{error:#}")),
        };
        let chess =
            |white: &str, moves: &str| format!("[Variant \"chess\"]\n[White \"{white}\"]\n\n{moves}\n\n");
        let text = chess("Anna", "1. f3 e5 2. g4 Qh4# 0-1")
            + &chess("Bea", "1. e5 *")
            + &chess("Cleo", "1. e4 e9 1-0");
        let answer = read(&text, None, Some(&library)).unwrap();
        let games = library.list().unwrap().games;
        let listed = games.iter().map(|entry| {
            (entry.heading.players[0].as_str(), entry.heading.result.as_str(), entry.heading.plies)
        });
        assert_eq!(listed.collect::<Vec<_>>(), [("Anna", "0-1", 4), ("Cleo", "1-0", 1)]);
        let ids: Vec<&str> = games.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(answer["added"], json!(ids));
        let told = answer["left_out"].as_array().unwrap();
        assert!(told.len() == 2 && told[0].as_str().unwrap().starts_with("Game 2: move 1. e5: "), "{told:?}");
        // Without a kind they are asked about once, all together.
        let plain = "1. e4 e5 *\n\n1. d4 d5 *\n";
        assert!(read(plain, None, Some(&library)).unwrap()["which"].as_array().unwrap().len() > 1);
        assert_eq!(read(plain, Some("chess"), Some(&library)).unwrap()["added"].as_array().unwrap().len(), 2);
        assert!(read(plain, Some("chess"), None).unwrap_err().starts_with("there is no folder for games"));
        let bad = chess("Anna", "1. e5 *") + &chess("Bea", "1. e5 *");
        assert!(read(&bad, None, Some(&library)).unwrap_err().starts_with("Game 1: move 1. e5: "));
    }

    #[test]
    fn a_long_text_keeps_nobody_waiting() {
        let mut room = Room::new(Some("chess"), None).unwrap();
        room.game.settings.engine = [false; 2];
        let knights = "Nf3 Nf6 Ng1 Ng8 ";
        let text = format!("[White \"A\"]\n[Variant \"chess\"]\n\n{} *", knights.repeat(200));
        let load = |room: &mut Room, text: &str| {
            let (reply, answer) = answer();
            room.receive(Message::Command(
                Role::Owner,
                Command::Load { text: text.into(), kind: None },
                reply,
            ));
            answer
        };
        let answer = load(&mut room, &text);
        // The room goes on.
        room.play("e2e4").unwrap();
        assert!(answer.try_recv().is_err());
        let opened = room.receiver.recv().unwrap();
        room.receive(opened);
        assert_eq!(answer.try_recv().unwrap(), Ok(serde_json::Value::Null));
        assert_eq!((room.plies(), room.tags[0].1.as_str()), (800, "A"));
        assert!(room.pgn().starts_with("[White \"A\"]\n[Variant \"chess\"]\n[Event \"?\"]"));
        // One text is read at a time.
        let reading = Arc::new(());
        room.loading = Arc::downgrade(&reading);
        let refused = load(&mut room, "1. d4 *").recv().unwrap();
        assert_eq!(refused, Err("another game is being read".into()));
        drop(reading);
        // A text in which nothing is understood, and one that is too long, change nothing.
        for text in ["1. Qxx *", &knights.repeat(50_000)] {
            let answer = load(&mut room, text);
            let opened = room.receiver.recv().unwrap();
            room.receive(opened);
            assert!(answer.recv().unwrap().is_err());
            assert_eq!(room.plies(), 800);
        }
    }
}
