//! The positions of a game and of its variations.

use super::view::{MoveView, NodeId, NodeView, PositionView, ScoreView};
use anyhow::{Context, Result, ensure};
use quintain_core::notation::nag;
use quintain_engine::{self as engine, MoveInfo, Session};
use quintain_play::game::reading;
use quintain_play::library::SavedGame;
use std::collections::BTreeMap;
use std::ops::Index;
use std::time::Duration;

/// The most positions of a game and its variations. The page gets all of them at once.
pub const MAX_NODES: usize = 5000;
/// The longest comment, in bytes.
pub const MAX_COMMENT: usize = 10_000;

/// A position, and the move that led to it.
pub struct Node {
    pub parent: Option<NodeId>,
    pub children: Vec<NodeId>,
    pub mv: Option<MoveView>,
    number: String,
    pub position: PositionView,
    pub comment: String,
    /// Annotations by their numbers in PGN.
    pub nags: Vec<u8>,
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
        ensure!(saved.nodes.len() <= MAX_NODES, "it is too long");
        let mut session = engine::open(&saved.settings.game)?;
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        let (mut tree, mut ids) = (Tree::new(&*session, first), Vec::new());
        // Where the session stands.
        let mut here = tree.root;
        for node in &saved.nodes {
            let mut id = tree.root;
            if let Some(parent) = node.parent {
                let parent = *ids.get(parent).context("a position comes before the one that it follows")?;
                tree.walk(&mut *session, here, parent)?;
                (id, _) = tree.play(parent, &mut *session, |session| Ok(session.play(&node.text)?))?;
                here = id;
            }
            ids.push(id);
            if let Some(known) = tree.get_mut(id) {
                (known.comment, known.nags) = (node.comment.clone(), node.nags.clone());
                nag::set_grade(&mut known.nags, &node.mark);
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
            nags: Vec::new(),
            score: None,
            time: None,
            hinted: false,
        };
        self.nodes.insert(id, node);
        id
    }

    /// An error if another position would make the game longer than can be read again.
    pub fn has_room(&self) -> Result<()> {
        ensure!(self.len() < MAX_NODES, "the game is too long");
        Ok(())
    }

    /// Plays a move on a session that stands at `parent`. A move that is there already is not added again. Returns the new
    /// position, and whether it was added. If there is no room, nothing is played.
    pub fn play(
        &mut self,
        parent: NodeId,
        session: &mut dyn Session,
        play: impl FnOnce(&mut dyn Session) -> Result<MoveInfo>,
    ) -> Result<(NodeId, bool)> {
        let number = reading::number(session);
        let info = play(session)?;
        if let Some(known) = self.child(parent, &info.text) {
            return Ok((known, false));
        }
        if let Err(full) = self.has_room() {
            session.undo();
            return Err(full);
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

    /// The position after a move, if it is in the tree.
    pub fn child(&self, parent: NodeId, text: &str) -> Option<NodeId> {
        let is_it = |id: &NodeId| self.nodes[id].mv.as_ref().is_some_and(|mv| mv.text == text);
        self.get(parent)?.children.iter().copied().find(is_it)
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
            mark: signs(&node.nags, nag::is_grade),
            signs: signs(&node.nags, |nag| !nag::is_grade(nag)),
            score: node.score.as_ref(),
            time: node.time.map(|time| time.as_millis() as u64),
            hinted: node.hinted,
        }
    }

    /// Brings a session from one position to another by as few moves as possible.
    pub fn walk(&self, session: &mut dyn Session, mut from: NodeId, to: NodeId) -> Result<()> {
        let (mut ahead, mut at) = (Vec::new(), to);
        // A position has a greater number than those before it.
        while from != at {
            let greater = from.max(at);
            let parent = self.nodes.get(&greater).and_then(|node| node.parent);
            let parent = parent.context("there is no such position")?;
            if from > at {
                session.undo();
                from = parent;
            } else {
                ahead.push(at);
                at = parent;
            }
        }
        for id in ahead.iter().rev() {
            if let Some(mv) = &self.nodes[id].mv {
                session.play(&mv.text)?;
            }
        }
        Ok(())
    }

    /// The same positions with other numbers, from `first` on.
    pub fn renumbered(self, first: NodeId) -> Tree {
        let numbers: BTreeMap<NodeId, NodeId> = self.nodes.keys().copied().zip(first..).collect();
        let renumber = |(id, mut node): (NodeId, Node)| {
            node.parent = node.parent.map(|parent| numbers[&parent]);
            node.children.iter_mut().for_each(|child| *child = numbers[child]);
            (numbers[&id], node)
        };
        let root = numbers[&self.root];
        let nodes: BTreeMap<NodeId, Node> = self.nodes.into_iter().map(renumber).collect();
        Tree { next: first + nodes.len() as NodeId, nodes, root }
    }
}

impl Index<NodeId> for Tree {
    type Output = Node;

    /// A position that is there.
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[&id]
    }
}

/// The signs of those annotations for which `shown` holds.
fn signs(nags: &[u8], shown: impl Fn(u8) -> bool) -> String {
    let text = |&nag: &u8| nag::sign(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    nags.iter().filter(|&&nag| shown(nag)).map(text).collect::<Vec<_>>().join(" ")
}
