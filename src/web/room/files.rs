//! Games that are loaded, saved and taken up again.

use super::{MAX_NODES, Room, Settings, play_any};
use crate::notation::pgn::Ply;
use crate::web::clock::Clocks;
use crate::web::record;
use crate::web::saved::{SavedGame, SavedNode};
use crate::web::tree::{Node, NodeId};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

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
                child.comment.clone_from(comment);
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

    /// Writes the game where the next start finds it.
    pub(super) fn save(&self) {
        let Some(folder) = &self.folder else { return };
        let index: BTreeMap<NodeId, usize> = self.tree.iter().map(|(id, _)| id).zip(0..).collect();
        let node = |(_, node): (NodeId, &Node)| SavedNode {
            parent: node.parent.map(|parent| index[&parent]),
            text: node.mv.as_ref().map(|mv| mv.text.clone()).unwrap_or_default(),
            comment: node.comment.clone(),
            mark: node.mark.clone(),
            score: node.score.clone(),
        };
        let saved = SavedGame {
            settings: self.settings.clone(),
            nodes: self.tree.iter().map(node).collect(),
            live: index[&self.live],
            end: self.end.clone(),
            left: self.clocks.as_ref().map(Clocks::left),
            paused: self.paused,
        };
        // Where files cannot be written, people can still play.
        let _ = folder.write(&saved);
    }

    pub(super) fn resume(&mut self, saved: SavedGame) -> Result<()> {
        self.set_up(saved.settings)?;
        ensure!(saved.nodes.len() <= MAX_NODES, "it is too long");
        let mut ids: Vec<NodeId> = Vec::new();
        let mut last = (self.tree.root(), self.session.copy());
        for node in saved.nodes {
            let id = match node.parent {
                None => self.tree.root(),
                Some(parent) => {
                    let parent = *ids.get(parent).context("a move follows no other")?;
                    if last.0 != parent {
                        last = (parent, self.session_at(parent)?);
                    }
                    let (id, _) =
                        self.tree.play(parent, &mut *last.1, |session| play_any(session, &node.text))?;
                    last.0 = id;
                    id
                }
            };
            ids.push(id);
            if let Some(known) = self.tree.get_mut(id) {
                (known.comment, known.mark, known.score) = (node.comment, node.mark, node.score);
            }
        }
        self.go_to(*ids.get(saved.live).context("the last position is missing")?)?;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, saved.left) {
            clocks.set(left);
        }
        self.end = saved.end;
        self.paused = saved.paused;
        self.save();
        Ok(())
    }
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
        let mut room = Room::new("chess", None).unwrap();
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
