//! Looks for the mistakes of a game, beside the room.

use super::thinking::{self, Order};
use super::{Message, Room, play_any};
use crate::tree::MAX_COMMENT;
use crate::view::{NodeId, ScoreView};
use anyhow::{Context, Result, ensure};
use quintain_core::notation::nag;
use quintain_core::notation::pgn::add_comment;
use quintain_engine::Stopper;
use quintain_play::game::analyst::Judged;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How much of a better line is added to the game.
const BETTER_LINE: usize = 6;

/// What annotation says about a move.
#[derive(Serialize, Deserialize, Debug)]
pub struct Judgement {
    mark: String,
    score: ScoreView,
    /// What would have been better, in a few words; nothing if the move was no mistake.
    comment: String,
    /// The better line, as people write it.
    better: Vec<String>,
}

impl From<&Judged> for Judgement {
    fn from(judged: &Judged) -> Judgement {
        let comment = judged.better();
        let shown = if comment.is_some() { BETTER_LINE } else { 0 };
        Judgement {
            mark: judged.mark().to_owned(),
            score: ScoreView::new(judged.score(), judged.pawn, judged.side),
            better: judged.best_line().iter().take(shown).cloned().collect(),
            comment: comment.unwrap_or_default(),
        }
    }
}

/// A game that is being annotated.
pub(super) struct Annotation {
    pub(super) number: u64,
    /// The thread that does it, unless it is done elsewhere.
    _thread: Option<Annotating>,
    /// The positions after its moves.
    pub(super) nodes: Vec<NodeId>,
    pub(super) done: usize,
}

/// A thread that annotates, and ends with this.
struct Annotating {
    cancel: Arc<AtomicBool>,
    stopper: Stopper,
    thread: JoinHandle<()>,
}

impl Drop for Annotating {
    fn drop(&mut self) {
        self.cancel.store(true, Relaxed);
        // Again and again: the search of the next move may just be about to begin.
        while !self.thread.is_finished() {
            self.stopper.stop();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Room {
    pub(super) fn annotate(&mut self) -> Result<()> {
        let nodes = self.tree.path(self.live);
        ensure!(!nodes.is_empty(), "there are no moves yet");
        self.stop();
        self.last_number += 1;
        let number = self.last_number;
        let thread = match self.orders {
            Some(_) => None,
            None => Some(self.start_annotating(number)?),
        };
        if thread.is_none() {
            self.order(Order::Annotate(self.moves_to(self.live, number)));
        }
        self.annotation = Some(Annotation { number, _thread: thread, nodes, done: 0 });
        Ok(())
    }

    fn start_annotating(&self, number: u64) -> Result<Annotating> {
        let moves = self.moves_to(self.live, number);
        let analyst = thinking::analyst(self.game.engine.options().clone(), &moves)?;
        let (sender, stopper) = (self.sender.clone(), analyst.engine.stopper());
        let cancel = Arc::<AtomicBool>::default();
        let cancelled = Arc::clone(&cancel);
        let work = move || {
            thinking::judge(analyst, moves, |report| {
                drop(sender.send(Message::Report(report)));
                if cancelled.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        };
        let thread = thread::Builder::new().name("annotate".into()).spawn(work);
        Ok(Annotating { cancel, stopper, thread: thread.context("cannot start a thread")? })
    }

    pub(super) fn stop_annotation(&mut self) {
        if self.annotation.take().is_some() {
            self.order(Order::StopAnnotation);
        }
    }

    pub(super) fn judged(&mut self, number: u64, done: usize, judgement: Judgement) {
        let Some(annotation) = self.annotation.as_mut().filter(|other| other.number == number) else {
            return;
        };
        annotation.done = done;
        let id = annotation.nodes[done - 1];
        let Some(node) = self.tree.get_mut(id) else { return };
        nag::set_grade(&mut node.nags, &judgement.mark);
        node.score = Some(judgement.score);
        // A second annotation says the same.
        if !node.comment.contains(&judgement.comment)
            && node.comment.len() + judgement.comment.len() < MAX_COMMENT
        {
            let mut comment = Some(std::mem::take(&mut node.comment));
            add_comment(&mut comment, &judgement.comment);
            node.comment = comment.unwrap_or_default();
        }
        let parent = node.parent;
        self.send_node(id);
        if let Some(parent) = parent {
            self.add_variation(parent, &judgement.better);
        }
        self.send_status();
    }

    pub(super) fn annotated(&mut self, number: u64, summary: Option<String>) {
        if self.annotation.as_ref().is_some_and(|other| other.number == number) {
            self.annotation = None;
            let root = self.tree.root();
            if let (Some(summary), Some(node)) = (summary, self.tree.get_mut(root)) {
                node.comment = summary;
                self.send_node(root);
            }
            self.save();
            self.send_status();
        }
    }

    /// Adds moves after a position, as far as they are legal.
    pub(super) fn add_variation(&mut self, mut node: NodeId, moves: &[String]) {
        let Ok(mut session) = self.session_at(node) else { return };
        for san in moves {
            let Ok((child, is_new)) = self.tree.play(node, &mut *session, |session| play_any(session, san))
            else {
                return;
            };
            if is_new {
                self.send_node(child);
            }
            node = child;
        }
    }
}
