//! Games that are loaded, saved and taken up again.

use super::search::Analysis;
use super::{Command, Message, Reply, Room, sentence};
use crate::library::{Library, Place, SavedGame, SavedNode, Settings, open_game};
use crate::web::access::Role;
use crate::web::clock::Clocks;
use crate::web::record::{self, Record, Written};
use crate::web::tree::{Node, NodeId, Tree};
use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

/// How soon it is tried again to save what could not be saved.
const SAVE_AGAIN: Duration = Duration::from_secs(3);

/// A game with all its positions, ready to be shown. It is built outside the room's thread.
pub struct Opened {
    saved: SavedGame,
    tree: Tree,
    ids: Vec<NodeId>,
    warnings: Vec<String>,
}

impl Opened {
    /// The first game of a text; what does not say which game it is may be one of `game`.
    pub(super) fn read(text: &str, game: &str) -> Result<Opened> {
        let mut records = record::read_all(text, game);
        let others = records.len() - 1;
        let mut record = records.swap_remove(0)?;
        if record.candidates.contains(&game) && record.saved.settings.game != game {
            record = record::read_all_as(text, game).swap_remove(0)?;
        }
        let Record { saved, mut warnings, .. } = record;
        if others > 0 {
            warnings.push(format!("{others} more games of the text were not loaded"));
        }
        Opened::of_saved(saved, warnings)
    }

    fn of_saved(saved: SavedGame, warnings: Vec<String>) -> Result<Opened> {
        let (tree, ids) = Tree::of_saved(&saved, 0)?;
        Ok(Opened { saved, tree, ids, warnings })
    }
}

impl Room {
    /// Reads the first game of a text in a thread of its own, which reports to the room. A long text must not keep others
    /// waiting.
    pub(super) fn load(&mut self, role: Role, text: String, reply: Reply) {
        let free = self.loading.as_ref().is_none_or(thread::JoinHandle::is_finished);
        let may_load = self.permit(role, &Command::Load { text: String::new() }).and_then(|()| {
            ensure!(free, "another game is being read");
            Ok(())
        });
        if let Err(error) = may_load {
            // A page that is gone needs no answer.
            drop(reply.send(Err(error.to_string())));
            return;
        }
        let (game, sender) = (self.settings.game.clone(), self.sender.clone());
        let work =
            move || drop(sender.send(Message::Opened(Opened::read(&text, &game).map(Box::new), reply)));
        // Without a thread the reply is dropped, and the page hears that the program is out of order.
        self.loading = thread::Builder::new().name("load".into()).spawn(work).ok();
    }

    /// Shows a game that was read, as a new one.
    pub(super) fn show(&mut self, mut opened: Opened) -> Result<()> {
        let Settings { level, seconds, .. } = self.settings;
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
            info: &self.session.info(),
            settings: &self.settings,
            begun: self.begun,
            tags: &self.tags,
            tree: &self.tree,
            live: self.live,
            outcome: self.outcome().as_ref(),
            end: self.end.as_ref(),
        })
    }

    /// The game as the library keeps it.
    fn saved(&self) -> SavedGame {
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
            settings: self.settings.clone(),
            nodes: self.tree.iter().map(node).collect(),
            live: index[&self.live],
            end: self.outcome(),
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
        let mut wrong = save(&library, &mut self.place, &saved).err();
        self.waiting.retain_mut(|(place, saved)| match save(&library, place, saved) {
            Ok(()) => false,
            Err(error) => {
                wrong.get_or_insert(error);
                true
            }
        });
        self.unsaved = wrong.map(|error| (format!("{error:#}"), Instant::now() + SAVE_AGAIN));
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
            Some(place) if untouched && self.settings.fen.is_none() => {
                // If it stays, it does no harm.
                let _ = library.delete(place);
            }
            mut place => {
                let saved = self.saved();
                if save(&library, &mut place, &saved).is_err() && !untouched {
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
        let mut session = open_game(&saved.settings.game)?;
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        tree.walk(&mut *session, tree.root(), live)?;
        self.replace(saved.settings, tree, session);
        self.live = live;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, saved.left) {
            clocks.set(left);
        }
        // An end by the rules follows from the position.
        self.end = saved.end.filter(|_| self.session.outcome().is_none());
        self.paused = saved.paused;
        self.analysis = self.analysis.take().map(|_| Analysis::of(self.live));
        (self.name, self.begun, self.tags) = (saved.name, saved.begun, saved.tags);
        Ok(())
    }
}

fn save(library: &Library, place: &mut Option<Place>, saved: &SavedGame) -> Result<()> {
    if place.is_none() {
        *place = Some(library.create(&saved.settings.game)?);
    }
    place.as_ref().map_or(Ok(()), |place| library.write(place, saved))
}

/// A saved game as PGN.
pub(super) fn pgn_of(saved: &SavedGame) -> Result<String> {
    let (tree, ids) = Tree::of_saved(saved, 0)?;
    let mut session = open_game(&saved.settings.game)?;
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
    use crate::web::tree::MAX_NODES;

    #[test]
    fn a_game_that_is_too_long_does_not_end_the_one_in_progress() {
        let mut room = Room::new(Some("chess"), None).unwrap();
        room.play("e2e4").unwrap();
        let line = "1. Nf3 Nf6 2. Ng1 Ng8";
        // Each variation is short; together they are too long.
        let variations = format!("({line}) ").repeat(MAX_NODES / 4 + 1);
        let mut load = |text: &str| {
            let opened = Opened::read(text, "chess").and_then(|opened| room.show(opened));
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
}
