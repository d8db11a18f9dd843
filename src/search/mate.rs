//! Mate proofs.
//!
//! A search that prunes may overlook a defence. Here nothing is pruned: every move of the attacker is tried until one
//! mates, and every answer of the defender must lose. Moves that leave the fewest answers come first.

use crate::board::{Move, MoveList};
use crate::rules::{Outcome, Position, Reason, Variant};
use std::collections::HashMap;

/// The result of an attempt to prove a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// There is a mate, not always the shortest, and this is a line of it.
    Mate(Vec<Move>),
    /// There is none within so many moves.
    NoMate,
    /// Stopped before it was decided.
    Unknown,
}

/// What is known about a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known<X> {
    extra: X,
    halfmove: u16,
    /// Mate within so many moves, 0 for unknown, and its first move.
    mate: u32,
    by: Move,
    /// No mate within so many moves.
    none: u32,
}

/// Positions that are stored; when it is full, only mates are added.
const MOST_KNOWN: usize = 4 << 20;

struct Prover<V: Variant, F> {
    pos: Position<V>,
    known: HashMap<u64, Known<V::Extra>>,
    /// A draw by a move count is near: positions with different counts are different.
    counting: bool,
    nodes: u64,
    budget: u64,
    stop: F,
    stopped: bool,
}

/// Finds out whether the side to move mates in at most `moves` moves of its own against any defence. Gives up after so many
/// `nodes` (positions) or when `stop`, which is polled, returns true. Draws by rule are defences; of
/// repetitions, the third occurrence is.
pub fn prove<V: Variant>(pos: &Position<V>, moves: u32, nodes: u64, stop: impl Fn() -> bool) -> Proof {
    let mut prover = Prover {
        pos: pos.clone(),
        known: HashMap::new(),
        counting: moves.saturating_mul(2).saturating_add(pos.halfmove().into()) >= 100,
        nodes: 0,
        budget: nodes,
        stop,
        stopped: false,
    };
    match moves > 0 && prover.attack(moves) {
        true => Proof::Mate(prover.line(moves)),
        false if prover.stopped => Proof::Unknown,
        false => Proof::NoMate,
    }
}

/// The fewest answers first, checks before quiet moves. Not generic, so that the sort is compiled once.
fn sort_tries(tries: &mut [(u64, bool, Move)]) {
    tries.sort_by_key(|&(answers, quiet, _)| (answers, quiet));
}

impl<V: Variant, F: Fn() -> bool> Prover<V, F> {
    fn known(&self) -> Option<Known<V::Extra>> {
        let known = self.known.get(&self.pos.key()).copied()?;
        // A game's counters may be in its extra state and not in the key.
        let same =
            known.extra == *self.pos.extra() && (!self.counting || known.halfmove == self.pos.halfmove());
        same.then_some(known)
    }

    fn learn(&mut self, change: impl FnOnce(&mut Known<V::Extra>)) {
        let fresh = Known {
            extra: *self.pos.extra(),
            halfmove: self.pos.halfmove(),
            mate: 0,
            by: Move::NONE,
            none: 0,
        };
        let mut known = self.known().unwrap_or(fresh);
        change(&mut known);
        // Mates are few, and the line is built from them.
        if self.known.len() < MOST_KNOWN || known.mate > 0 || self.known.contains_key(&self.pos.key()) {
            self.known.insert(self.pos.key(), known);
        }
    }

    /// Does the side to move mate within `moves` moves?
    fn attack(&mut self, moves: u32) -> bool {
        let known = self.known();
        if let Some(known) = known {
            if known.mate > 0 && known.mate <= moves {
                return true;
            }
            if known.none >= moves {
                return false;
            }
        }
        let mut list = MoveList::new();
        self.pos.list(&mut list);
        let mut tries = Vec::with_capacity(if moves > 1 { list.len() } else { 0 });
        let mut mate = Move::NONE;
        for &mv in &list {
            self.nodes += 1;
            self.pos.play_unchecked(mv);
            // A mate must give check, so at the last move other answers need no count.
            let check = self.pos.in_check();
            let answers = if check || moves > 1 { self.pos.count_moves() } else { 1 };
            self.pos.undo(mv);
            if answers == 0 && check {
                mate = mv;
                break;
            }
            if answers > 0 && moves > 1 {
                tries.push((answers, !check, mv));
            }
        }
        self.look_around();
        if mate.is_some() {
            self.learn(|known| (known.mate, known.by) = (1, mate));
            return true;
        }
        sort_tries(&mut tries);
        for (_, _, mv) in tries {
            if self.stopped {
                return false;
            }
            self.pos.play_unchecked(mv);
            let mates = self.defend(moves - 1);
            self.pos.undo(mv);
            if mates && !self.stopped {
                self.learn(|known| (known.mate, known.by) = (moves, mv));
                return true;
            }
        }
        if !self.stopped {
            self.learn(|known| known.none = known.none.max(moves));
        }
        false
    }

    /// Is the side to move, which has legal moves, mated within `moves` moves of the opponent whatever it does?
    fn defend(&mut self, moves: u32) -> bool {
        if self.drawn() {
            return false;
        }
        let mut list = MoveList::new();
        self.pos.list(&mut list);
        // First the answers that are known to hold.
        for again in [false, true] {
            for &mv in &list {
                self.nodes += 1;
                self.pos.play_unchecked(mv);
                let mated = match again {
                    false => self.known().is_none_or(|known| known.none < moves),
                    true => !self.drawn() && self.attack(moves),
                };
                self.pos.undo(mv);
                if !mated || self.stopped {
                    return false;
                }
            }
        }
        true
    }

    /// Is the game drawn by a rule that does not depend on the legal moves?
    fn drawn(&self) -> bool {
        let by_rule = |outcome: Outcome| outcome.winner.is_none() && outcome.reason != Reason::Stalemate;
        // A mate takes precedence over the move count; the caller has looked for it.
        self.pos.drawn_by_rule(true).is_some_and(by_rule)
    }

    fn look_around(&mut self) {
        self.stopped |= self.nodes >= self.budget || (self.stop)();
    }

    /// The moves of a mate that was proved.
    fn line(&mut self, mut moves: u32) -> Vec<Move> {
        let mut line: Vec<Move> = Vec::new();
        while let Some(known) = self.known().filter(|known| known.mate > 0 && known.mate <= moves) {
            line.push(known.by);
            self.pos.play_unchecked(known.by);
            moves = known.mate - 1;
            // The answer that delays the mate longest.
            let mut answers = Vec::new();
            for mv in self.pos.legal_moves() {
                self.pos.play_unchecked(mv);
                let mate = self.known().map_or(0, |known| known.mate);
                self.pos.undo(mv);
                answers.push((mate, mv));
            }
            let Some(&(mate, answer)) = answers.iter().max_by_key(|(mate, _)| *mate) else { break };
            if mate == 0 {
                break;
            }
            line.push(answer);
            self.pos.play_unchecked(answer);
        }
        line
    }
}
