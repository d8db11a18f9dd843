//! Looks for the mistakes of a game, in a thread of its own.

use super::{Message, Room, play_any, spawn};
use crate::tree::MAX_COMMENT;
use crate::view::{NodeId, ScoreView};
use anyhow::{Context, Result, ensure};
use quintain_core::notation::nag;
use quintain_core::notation::pgn::add_comment;
use quintain_core::search::Limits;
use quintain_engine::skill::FULL;
use quintain_engine::{Engine, Options, Stopper};
use quintain_play::game::analyst::{self, Analyst, Judged};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long to think about each move of a game that is annotated.
const ANNOTATION: Duration = Duration::from_millis(400);
/// Memory for that, in MiB.
const ANNOTATION_HASH: usize = 16;
/// How much of a better line is added to the game.
const BETTER_LINE: usize = 6;

/// What annotation says about a move.
pub struct Judgement {
    mark: &'static str,
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
            mark: judged.mark(),
            score: ScoreView::new(judged.score(), judged.pawn, judged.side),
            better: judged.best_line().iter().take(shown).cloned().collect(),
            comment: comment.unwrap_or_default(),
        }
    }
}

/// A game that is being annotated, by a thread that ends with it.
pub(super) struct Annotation {
    pub(super) number: u64,
    cancel: Arc<AtomicBool>,
    stopper: Stopper,
    thread: JoinHandle<()>,
    /// The positions after its moves.
    pub(super) nodes: Vec<NodeId>,
    pub(super) done: usize,
}

impl Drop for Annotation {
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
        let options = Options {
            hash: ANNOTATION_HASH,
            move_overhead: Duration::ZERO,
            skill_level: FULL,
            multi_pv: 1,
            ..self.game.engine.options().clone()
        };
        let limits = Limits { move_time: Some(ANNOTATION), ..Limits::default() };
        let mut analyst = Analyst { engine: Engine::new(options)?, limits };
        let start = &self.tree.view(self.tree.root()).position.fen;
        analyst.engine.game_mut().set_position(Some(start), &[])?;
        let moves: Vec<String> = self.tree.moves(self.live).into_iter().map(str::to_owned).collect();
        self.last_number += 1;
        let (number, sender, stopper) = (self.last_number, self.sender.clone(), analyst.engine.stopper());
        let cancel = Arc::<AtomicBool>::default();
        let cancelled = Arc::clone(&cancel);
        let work = move || {
            let mut done = 0;
            let judged = analyst.judge(&moves, |judged| {
                done += 1;
                drop(sender.send(Message::Judged(number, done, judged.into())));
                if cancelled.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let summary = judged.ok().filter(|judged| judged.len() == moves.len());
            drop(sender.send(Message::Annotated(number, summary.map(|judged| analyst::summary(&judged)))));
        };
        let thread = spawn("annotate", work).context("cannot start a thread")?;
        self.annotation = Some(Annotation { number, cancel, stopper, thread, nodes, done: 0 });
        Ok(())
    }

    pub(super) fn stop_annotation(&mut self) {
        self.annotation = None;
    }

    pub(super) fn judged(&mut self, number: u64, done: usize, judgement: Judgement) {
        let Some(annotation) = self.annotation.as_mut().filter(|other| other.number == number) else {
            return;
        };
        annotation.done = done;
        let id = annotation.nodes[done - 1];
        let Some(node) = self.tree.get_mut(id) else { return };
        nag::set_grade(&mut node.nags, judgement.mark);
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
