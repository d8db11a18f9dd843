//! Mate proofs.
//!
//! A search that prunes may overlook a defence, and stops at the first mate that it finds. Here nothing is pruned: every
//! move of the attacker is tried until one mates, and every answer of the defender must lose. Moves that leave the fewest
//! answers come first.

use crate::board::{Move, MoveList, SquareSet};
use crate::rules::{Position, Variant};
use std::collections::HashMap;

/// The result of an attempt to prove a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// There is a mate.
    Mate(Mate),
    /// There is none within so many moves.
    NoMate,
    /// Stopped before it was decided.
    Unknown,
}

/// A mate that was proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The side to move mates within so many moves against any defence.
    pub moves: u32,
    /// A line of that length, in which each answer delays the mate as long as possible. It is cut short if the proof was
    /// stopped meanwhile.
    pub line: Vec<Move>,
    /// It is proved that there is no shorter mate, and both sides play their best in the line. Otherwise the answers are
    /// the best ones against the attacker's moves in this proof, and a shorter mate may exist.
    pub shortest: bool,
}

/// What is known about a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known<X> {
    extra: X,
    /// Mate within so many moves, 0 for unknown, and its first move.
    mate: u16,
    by: Move,
    /// No mate within so many moves.
    none: u16,
    /// `mate` is what the mate takes with the stored moves of the attacker, and not only a bound for it.
    settled: bool,
}

/// Positions that are stored; when it is full, only mates are added. A hash map doubles its size beyond this.
const MOST_KNOWN: usize = (4 << 20) / 8 * 7;
/// Nodes to rule out shorter mates with, at least.
const LEAST_EFFORT: u64 = 1_000_000;

/// Proves mates of the side to move in a position, and keeps what it learnt from one proof to the next.
///
/// Draws by rule are defences. Of repetitions, only those of positions that occurred twice in the game so far count: a
/// shortest mate repeats no position.
pub struct Prover<'a, V: Variant> {
    pos: Position<V>,
    /// The first moves that are allowed.
    roots: Vec<Move>,
    /// What is known about the position itself with these first moves.
    mate: u16,
    by: Move,
    none: u16,
    known: HashMap<u64, Known<V::Extra>>,
    /// The positions that occurred twice in the game.
    repeated: Vec<u64>,
    /// A draw by the fifty-move rule is near: positions with different counts are different.
    counting: bool,
    nodes: u64,
    budget: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

/// Finds out whether the side to move mates in at most `moves` moves of its own against any defence, and how soon. Gives
/// up after so many `nodes` (positions) or when `stop`, which is polled, returns true.
pub fn prove<V: Variant>(pos: &Position<V>, moves: u32, nodes: u64, stop: &dyn Fn() -> bool) -> Proof {
    Prover::new(pos, &[], stop).shortest(moves, nodes)
}

/// The fewest answers first, checks before quiet moves. Not generic, so that the sort is compiled once.
fn sort_tries(tries: &mut [(u64, bool, Move)]) {
    tries.sort_by_key(|&(answers, quiet, _)| (answers, quiet));
}

/// The positions that occurred twice in the game: one more time is a draw.
fn repeated<V: Variant>(pos: &Position<V>) -> Vec<u64> {
    let (mut back, mut keys) = (pos.clone(), vec![pos.key()]);
    // None of them is from before the last irreversible move.
    for _ in 0..pos.halfmove() {
        if back.take_back().is_none() {
            break;
        }
        keys.push(back.key());
    }
    keys.sort_unstable();
    let mut twice: Vec<u64> = keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice
}

impl<'a, V: Variant> Prover<'a, V> {
    /// For a position. Of its moves only `roots` are tried, or all if none of these is legal.
    pub fn new(pos: &Position<V>, roots: &[Move], stop: &'a dyn Fn() -> bool) -> Self {
        let legal = pos.legal_moves();
        let mut allowed: Vec<Move> = legal.iter().copied().filter(|mv| roots.contains(mv)).collect();
        if allowed.is_empty() {
            allowed.extend_from_slice(&legal);
        }
        // In a game that is over nobody mates.
        if pos.outcome().is_some() {
            allowed.clear();
        }
        Prover {
            pos: pos.clone(),
            roots: allowed,
            mate: 0,
            by: Move::NONE,
            none: 0,
            known: HashMap::new(),
            repeated: repeated(pos),
            counting: false,
            nodes: 0,
            budget: 0,
            stop,
            stopped: false,
        }
    }

    /// Positions that were looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The shortest mate within so many moves: looks for a mate in one, then in two, and so on. Gives up after so many
    /// more `nodes`.
    pub fn shortest(&mut self, moves: u32, nodes: u64) -> Proof {
        self.resume(nodes);
        let moves = bounded(moves);
        while self.none < moves {
            let next = self.none + 1;
            if self.mates_within(next) {
                return Proof::Mate(self.shortest_line());
            }
            if self.stopped {
                return Proof::Unknown;
            }
        }
        Proof::NoMate
    }

    /// Proves a mate within so many moves at once, and only then that there is none shorter. This finds long mates by
    /// force, but not always the shortest. Gives up after so many more `nodes`; shorter mates are ruled out with about as
    /// many as the mate took.
    pub fn confirm(&mut self, moves: u32, nodes: u64) -> Proof {
        self.resume(nodes);
        let began = self.nodes;
        if !self.mates_within(bounded(moves)) {
            return if self.stopped { Proof::Unknown } else { Proof::NoMate };
        }
        if self.mate > self.none + 1 {
            let Some(found) = self.settled_line() else { return Proof::Unknown };
            self.resume(self.nodes - began + LEAST_EFFORT);
            while self.mate > self.none + 1 {
                self.mates_within(self.none + 1);
                if self.stopped {
                    return Proof::Mate(found);
                }
            }
        }
        Proof::Mate(self.shortest_line())
    }

    /// Allows so many more nodes.
    fn resume(&mut self, nodes: u64) {
        self.budget = self.nodes.saturating_add(nodes);
        self.stopped = false;
    }

    fn look_around(&mut self) {
        self.stopped |= self.nodes >= self.budget || (self.stop)();
    }

    // ---- What is known ----------------------------------------------------------------------------------

    fn index(&self) -> u64 {
        let count = if self.counting { self.pos.halfmove().into() } else { 0 };
        self.pos.key() ^ u64::wrapping_mul(count, 0x9e37_79b9_7f4a_7c15)
    }

    fn known(&self) -> Option<Known<V::Extra>> {
        let known = self.known.get(&self.index()).copied()?;
        (known.extra == *self.pos.extra()).then_some(known)
    }

    fn learn(&mut self, change: impl FnOnce(&mut Known<V::Extra>)) {
        let extra = *self.pos.extra();
        let fresh = Known { extra, mate: 0, by: Move::NONE, none: 0, settled: false };
        let mut known = self.known().unwrap_or(fresh);
        change(&mut known);
        let index = self.index();
        // Mates are few, and the line is built from them.
        if self.known.len() < MOST_KNOWN || known.mate > 0 || self.known.contains_key(&index) {
            self.known.insert(index, known);
        }
    }

    // ---- The proof --------------------------------------------------------------------------------------

    /// Does the side to move mate within `moves` moves, beginning with an allowed move?
    fn mates_within(&mut self, moves: u16) -> bool {
        if self.mate > 0 && self.mate <= moves {
            return true;
        }
        if !self.counting && u32::from(moves) * 2 + u32::from(self.pos.halfmove()) >= 100 {
            self.counting = true;
            self.known.clear();
        }
        let roots = std::mem::take(&mut self.roots);
        let found = self.try_moves(&roots, moves);
        self.roots = roots;
        match found {
            Some((mate, by)) => (self.mate, self.by) = (mate, by),
            None if self.stopped => {}
            None => self.none = self.none.max(moves),
        }
        found.is_some()
    }

    /// Does the side to move mate within `moves` moves?
    fn attack(&mut self, moves: u16) -> bool {
        if moves == 0 {
            return false;
        }
        if let Some(known) = self.known() {
            if known.mate > 0 && known.mate <= moves {
                return true;
            }
            if known.none >= moves {
                return false;
            }
        }
        let mut list = MoveList::new();
        self.pos.list(&mut list);
        let found = self.try_moves(&list, moves);
        match found {
            Some((mate, by)) => self.learn(|known| (known.mate, known.by, known.settled) = (mate, by, false)),
            None if self.stopped => {}
            None => self.learn(|known| known.none = known.none.max(moves)),
        }
        found.is_some()
    }

    /// A mate within `moves` moves that begins with one of `list`: how many it takes at most, and the first of them.
    fn try_moves(&mut self, list: &[Move], moves: u16) -> Option<(u16, Move)> {
        let mut tries = Vec::with_capacity(if moves > 1 { list.len() } else { 0 });
        let mut mate = None;
        for &mv in list {
            self.nodes += 1;
            self.pos.play_unchecked(mv);
            // A mate must give check, so at the last move other answers need no count.
            let check = self.pos.in_check();
            let answers = if check || moves > 1 { self.pos.count_moves() } else { 1 };
            self.pos.undo(mv);
            if answers == 0 && check {
                mate = Some((1, mv));
                break;
            }
            if answers > 0 && moves > 1 {
                tries.push((answers, !check, mv));
            }
        }
        self.look_around();
        if mate.is_some() {
            return mate;
        }
        sort_tries(&mut tries);
        for (_, _, mv) in tries {
            if self.stopped {
                return None;
            }
            self.pos.play_unchecked(mv);
            let mates = self.defend(moves - 1);
            self.pos.undo(mv);
            if mates && !self.stopped {
                return Some((moves, mv));
            }
        }
        None
    }

    /// Is the side to move, which has legal moves, mated within `moves` moves of the opponent whatever it does?
    fn defend(&mut self, moves: u16) -> bool {
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

    /// Is the game drawn by a rule that does not depend on the legal moves? A mate takes precedence; the caller has looked
    /// for it.
    fn drawn(&self) -> bool {
        let pos = &self.pos;
        V::adjudicate(pos).is_some()
            || pos.occupied().count() == 2
            || pos.halfmove() >= 100
            || self.repeated.contains(&pos.key())
    }

    // ---- Lines ------------------------------------------------------------------------------------------

    /// The line of best play, after it was proved that there is no shorter mate.
    fn shortest_line(&mut self) -> Mate {
        // Hardly anything is left to prove: what is not known of these positions did not fit into memory.
        self.resume(u64::MAX);
        let line = self.line(|prover, left| prover.longest_answer(left));
        Mate { moves: self.mate.into(), line, shortest: true }
    }

    /// An answer after which a mate takes `left` moves, which is known for the position.
    fn longest_answer(&mut self, left: u16) -> Option<Move> {
        let list = self.pos.legal_moves();
        for known in [true, false] {
            for &mv in &list {
                self.pos.play_unchecked(mv);
                let holds = match known {
                    true => left == 1 || self.known().is_some_and(|known| known.none >= left - 1),
                    false => !self.attack(left - 1) && !self.stopped,
                };
                self.pos.undo(mv);
                if holds {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// The line in which the attacker plays as in the proof, and the defender delays the mate as long as it can against
    /// that; `None` if stopped.
    fn settled_line(&mut self) -> Option<Mate> {
        self.pos.play_unchecked(self.by);
        let longest = self.longest_settled(self.mate - 1);
        self.pos.undo(self.by);
        self.mate = longest?.0 + 1;
        let line = self.line(|prover, left| prover.longest_settled(left).map(|(_, mv)| mv));
        Some(Mate { moves: self.mate.into(), line, shortest: false })
    }

    /// The answer that delays the mate longest, which takes `bound` moves at most, and how many it takes then; `None` if
    /// stopped.
    fn longest_settled(&mut self, bound: u16) -> Option<(u16, Move)> {
        let mut longest = (0, Move::NONE);
        for &mv in &self.pos.legal_moves() {
            self.nodes += 1;
            self.pos.play_unchecked(mv);
            let mate = self.settle(bound);
            self.pos.undo(mv);
            if mate? > longest.0 {
                longest = (mate?, mv);
            }
        }
        longest.1.is_some().then_some(longest)
    }

    /// How many moves the mate takes in this position if the attacker plays as in the proof, at most `bound`; `None` if
    /// stopped.
    fn settle(&mut self, bound: u16) -> Option<u16> {
        let known = self.attack(bound).then(|| self.known()).flatten()?;
        if known.mate == 1 || known.settled {
            return Some(known.mate);
        }
        self.look_around();
        if self.stopped {
            return None;
        }
        self.pos.play_unchecked(known.by);
        let longest = self.longest_settled(known.mate - 1);
        self.pos.undo(known.by);
        let mate = longest?.0 + 1;
        self.learn(|known| (known.mate, known.settled) = (mate, true));
        Some(mate)
    }

    /// The attacker's moves of the proof, with the answers that `answer` gives if so many moves to the mate are left.
    fn line(&mut self, mut answer: impl FnMut(&mut Self, u16) -> Option<Move>) -> Vec<Move> {
        let (mut line, mut by) = (Vec::new(), self.by);
        for left in (0..self.mate).rev() {
            line.push(by);
            self.pos.play_unchecked(by);
            if left == 0 {
                break;
            }
            let Some(mv) = answer(self, left) else { break };
            line.push(mv);
            self.pos.play_unchecked(mv);
            match self.attack(left).then(|| self.known()).flatten() {
                Some(known) => by = known.by,
                None => break,
            }
        }
        for &mv in line.iter().rev() {
            self.pos.undo(mv);
        }
        line
    }
}

/// A number of moves as it is stored. Nobody proves more.
fn bounded(moves: u32) -> u16 {
    moves.min(u16::MAX.into()) as u16
}
