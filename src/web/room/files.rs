//! Games that are loaded, saved and taken up again.

use super::search::Analysis;
use super::{MAX_NODES, Room, Settings, play_any};
use crate::library::{Library, Place, SavedGame, SavedNode, open_game};
use crate::notation::pgn::Ply;
use crate::web::clock::Clocks;
use crate::web::record;
use crate::web::tree::{Node, NodeId, Tree};
use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How soon it is tried again to save what could not be saved.
const SAVE_AGAIN: Duration = Duration::from_secs(3);

impl Room {
    pub(super) fn load(&mut self, text: &str) -> Result<()> {
        let record = record::read(text, &self.settings.game)?;
        let settings = Settings {
            game: record.game,
            fen: record.fen,
            engine: [false; 2],
            clock: None,
            ..self.settings.clone()
        };
        // Checked first: what cannot be loaded must not end the game in progress.
        ensure!(count(&record.moves) < MAX_NODES, "the game is too long");
        self.set_up(settings)?;
        let last = self.add_plies(self.live, &record.moves)?;
        self.go_to(last)?;
        let root = self.tree.root();
        if let Some(node) = self.tree.get_mut(root) {
            node.comment = record.comment;
        }
        if self.outcome().is_none() {
            self.end = record.end;
        }
        self.send_game();
        self.save();
        Ok(())
    }

    /// Adds the moves of a record, which are legal, and its variations as far as they are.
    pub(super) fn add_plies(&mut self, mut node: NodeId, plies: &[Ply]) -> Result<NodeId> {
        let mut session = self.session_at(node)?;
        for ply in plies {
            let (child, _) = self.tree.play(node, &mut *session, |session| play_any(session, &ply.san))?;
            if let (Some(child), Some(comment)) = (self.tree.get_mut(child), &ply.comment) {
                (child.time, child.comment) = record::untimed(comment);
            }
            for variation in &ply.variations {
                // What is wrong in a variation does not spoil the game.
                drop(self.add_plies(node, variation));
            }
            node = child;
        }
        Ok(node)
    }

    pub(super) fn pgn(&self) -> String {
        let result = self.outcome().map_or("*".into(), |end| end.score);
        let root = self.tree.view(self.tree.root());
        let moves = self.tree.plies(self.live);
        let (info, engine) = (self.session.info(), self.settings.engine);
        record::write(&info, &root.position.fen, engine, root.comment, moves, &result)
    }

    /// The game as the library keeps it.
    fn saved(&self) -> SavedGame {
        let index: BTreeMap<NodeId, usize> = self.tree.iter().map(|(id, _)| id).zip(0..).collect();
        let node = |(_, node): (NodeId, &Node)| SavedNode {
            parent: node.parent.map(|parent| index[&parent]),
            text: node.mv.as_ref().map(|mv| mv.text.clone()).unwrap_or_default(),
            comment: node.comment.clone(),
            mark: node.mark.clone(),
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
        let (tree, ids) = Tree::of_saved(&saved, self.tree.next())?;
        ensure!(tree.len() <= MAX_NODES, "it is too long");
        let mut session = open_game(&saved.settings.game)?;
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        self.replace(saved.settings, tree, session);
        self.go_to(ids[saved.live])?;
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
    let root = tree.view(tree.root());
    let info = open_game(&saved.settings.game)?.info();
    let moves = tree.plies(ids[saved.live]);
    Ok(record::write(&info, &root.position.fen, saved.settings.engine, root.comment, moves, &saved.result()))
}

/// How many moves there are, those of variations included.
fn count(plies: &[Ply]) -> usize {
    plies.iter().map(|ply| 1 + ply.variations.iter().map(|line| count(line)).sum::<usize>()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::access::Role;
    use crate::web::room::Command;

    #[test]
    fn a_game_that_is_too_long_does_not_end_the_one_in_progress() {
        let mut room = Room::new(Some("chess"), None).unwrap();
        room.play("e2e4").unwrap();
        let line = "1. Nf3 Nf6 2. Ng1 Ng8";
        // Each variation is short; together they are too long.
        let variations = format!("({line}) ").repeat(MAX_NODES / 4 + 1);
        let error =
            room.handle(Role::Owner, Command::Load { text: format!("1. e4 {variations} *") }).unwrap_err();
        assert_eq!(error.to_string(), "the game is too long");
        assert_eq!(room.tree.moves(room.live), ["e2e4"]);
        room.handle(Role::Owner, Command::Load { text: format!("1. e4 ({line}) e5 *") }).unwrap();
        assert_eq!(room.tree.moves(room.live), ["e2e4", "e7e5"]);
        assert_eq!(room.tree.len(), 7);
    }
}
