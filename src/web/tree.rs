//! The positions of a game and of its variations.

use super::record;
use super::view::{MoveView, NodeView, PositionView, ScoreView};
use crate::engine::{MoveInfo, Session};
use crate::library::{SavedGame, open_game};
use crate::notation::pgn::Ply;
use crate::tools::games;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of a position. It is not used again after the position was removed.
pub type NodeId = u32;

/// A position, and the move that led to it.
pub struct Node {
    pub parent: Option<NodeId>,
    pub children: Vec<NodeId>,
    pub mv: Option<MoveView>,
    number: String,
    pub position: PositionView,
    pub comment: String,
    pub mark: String,
    pub score: Option<ScoreView>,
    /// How long the move took.
    pub time: Option<Duration>,
    /// Was a hint given here?
    pub hinted: bool,
}

/// The positions of a game and of its variations, as a tree.
pub struct Tree {
    nodes: BTreeMap<NodeId, Node>,
    next: NodeId,
    root: NodeId,
}

impl Tree {
    /// The position of a session without moves. Numbers of positions begin at `first`.
    pub fn new(session: &dyn Session, first: NodeId) -> Tree {
        let mut tree = Tree { nodes: BTreeMap::new(), next: first, root: first };
        tree.insert(None, None, String::new(), session);
        tree
    }

    /// The positions of a saved game, if all its moves are legal; and their numbers, in the order of the game's.
    pub fn of_saved(saved: &SavedGame, first: NodeId) -> Result<(Tree, Vec<NodeId>)> {
        let mut session = open_game(&saved.settings.game)?;
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        let (mut tree, mut ids) = (Tree::new(&*session, first), Vec::new());
        // Where the session stands.
        let mut here = tree.root;
        for node in &saved.nodes {
            let mut id = tree.root;
            if let Some(parent) = node.parent {
                let parent = *ids.get(parent).context("a move follows no other")?;
                if here != parent {
                    session.set_position(Some(&tree.view(tree.root).position.fen), &tree.moves(parent))?;
                }
                (id, _) = tree.play(parent, &mut *session, |session| Ok(session.play(&node.text)?))?;
                here = id;
            }
            ids.push(id);
            if let Some(known) = tree.get_mut(id) {
                (known.comment, known.mark) = (node.comment.clone(), node.mark.clone());
                known.score.clone_from(&node.score);
                (known.time, known.hinted) = (node.time.map(Duration::from_millis), node.hinted);
            }
        }
        Ok((tree, ids))
    }

    fn insert(
        &mut self,
        parent: Option<NodeId>,
        mv: Option<MoveView>,
        number: String,
        session: &dyn Session,
    ) -> NodeId {
        let id = self.next;
        self.next += 1;
        if let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(&parent)) {
            parent.children.push(id);
        }
        let node = Node {
            parent,
            children: Vec::new(),
            mv,
            number,
            position: session.into(),
            comment: String::new(),
            mark: String::new(),
            score: None,
            time: None,
            hinted: false,
        };
        self.nodes.insert(id, node);
        id
    }

    /// Plays a move on a session that stands at `parent`. A move that is there already is not added again. Returns the new
    /// position, and whether it was added.
    pub fn play(
        &mut self,
        parent: NodeId,
        session: &mut dyn Session,
        play: impl FnOnce(&mut dyn Session) -> anyhow::Result<MoveInfo>,
    ) -> anyhow::Result<(NodeId, bool)> {
        let number = games::number(session);
        let info = play(session)?;
        let is_known = |id: &&NodeId| self.nodes[id].mv.as_ref().is_some_and(|mv| mv.text == info.text);
        if let Some(&known) = self.nodes[&parent].children.iter().find(is_known) {
            return Ok((known, false));
        }
        Ok((self.insert(Some(parent), Some(MoveView::from(&info)), number, session), true))
    }

    /// The first position.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The number of the next position.
    pub fn next(&self) -> NodeId {
        self.next
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    /// The positions from the first move to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let above = |&id: &NodeId| self.nodes[&id].parent;
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), above).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The moves that lead to a position, as coordinates.
    pub fn moves(&self, id: NodeId) -> Vec<&str> {
        let text = |id| self.nodes[&id].mv.as_ref().map(|mv| mv.text.as_str());
        self.path(id).into_iter().filter_map(text).collect()
    }

    /// Removes a position and all that follow it; the first position stays.
    pub fn remove(&mut self, id: NodeId) {
        let Some(parent) = self.nodes.get(&id).and_then(|node| node.parent) else { return };
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.children.retain(|&child| child != id);
        }
        let mut removed = vec![id];
        while let Some(id) = removed.pop() {
            removed.extend(self.nodes.remove(&id).map(|node| node.children).unwrap_or_default());
        }
    }

    /// All positions, parents first.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(&id, node)| (id, node))
    }

    /// A position as pages know it.
    pub fn view(&self, id: NodeId) -> NodeView<'_> {
        let node = &self.nodes[&id];
        NodeView {
            id,
            parent: node.parent,
            mv: node.mv.as_ref(),
            number: &node.number,
            position: &node.position,
            comment: &node.comment,
            mark: &node.mark,
            score: node.score.as_ref(),
            time: node.time.map(|time| time.as_millis() as u64),
            hinted: node.hinted,
        }
    }

    /// The game up to `live` with its variations as PGN has them.
    pub fn plies(&self, live: NodeId) -> Vec<Ply> {
        self.line(self.root, &self.path(live))
    }

    /// The line that begins below a position: along `main` as long as it leads on, and along first children else.
    fn line(&self, mut id: NodeId, main: &[NodeId]) -> Vec<Ply> {
        let mut plies = Vec::new();
        loop {
            let children = &self.nodes[&id].children;
            let next = children.iter().find(|child| main.contains(child)).or(children.first());
            let Some(&next) = next else { return plies };
            let others = children.iter().filter(|&&child| child != next);
            let variation = |&child: &NodeId| {
                let mut line = vec![self.ply(child)];
                line.extend(self.line(child, &[]));
                line
            };
            plies.push(Ply { variations: others.map(variation).collect(), ..self.ply(next) });
            id = next;
        }
    }

    fn ply(&self, id: NodeId) -> Ply {
        let node = &self.nodes[&id];
        let san = node.mv.as_ref().map_or("", |mv| &mv.san);
        Ply {
            san: format!("{san}{}", node.mark),
            comment: record::timed(&node.comment, node.time),
            variations: Vec::new(),
        }
    }
}
