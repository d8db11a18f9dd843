//! Finds the plies that show a move on XBoard's board.
//!
//! They are called a *script*, and depend only on the boards before and after the move, not on the game.

use crate::board::{Board, FREE, HOLE, Quirks, owner};
use crate::games;
use crate::text::Ply;
use quintain_core::board::Color;
use quintain_engine::{FileRank, MoveInfo, Session};

/// The most plies of the mover in a script that has to be searched for.
const MOST_PLIES: usize = 4;

/// A legal move and the board after it.
pub struct Candidate {
    pub info: MoveInfo,
    pub after: Board,
}

/// Finds scripts for the moves of one game.
#[derive(Clone)]
pub struct Planner {
    pub quirks: Quirks,
    /// The letters of all pieces.
    letters: Vec<char>,
}

impl Planner {
    pub fn new(quirks: Quirks, session: &dyn Session) -> Planner {
        Planner { letters: quirks.letters(games::def(&session.info())), quirks }
    }

    /// The legal moves for which `wanted` holds.
    pub fn candidates(&self, session: &dyn Session, wanted: impl Fn(&MoveInfo) -> bool) -> Vec<Candidate> {
        let mut copy = session.snapshot();
        let mut candidates = Vec::new();
        for info in session.moves_in_full().into_iter().filter(wanted) {
            if copy.play(&info.text).is_ok() {
                candidates.push(Candidate { info, after: Board::of(&*copy, &self.quirks) });
                copy.undo();
            }
        }
        candidates
    }

    /// A script as the other engine receives it.
    pub fn relay(&self, before: &Board, mover: Color, script: &[Ply]) -> Vec<Ply> {
        let (mut board, mut side) = (before.clone(), mover);
        let mut relayed = Vec::new();
        for ply in script {
            relayed.push(board.relayed(ply));
            board = board.after(ply, side, &self.quirks).unwrap_or(board);
            side = !side;
        }
        relayed
    }

    /// The move as a person writes it: from, to, and the letter of a promotion or facing.
    pub fn natural(&self, candidate: &Candidate, before: &Board) -> Option<Ply> {
        let MoveInfo { from, to, .. } = candidate.info;
        let piece = before.at(from);
        owner(piece)?;
        let (old, new) = (piece, candidate.after.at(to));
        let stands = from == to || candidate.after.at(from) == FREE;
        let becomes = owner(new) == owner(old) && new != old && stands;
        Some(Ply::go(from, to, becomes.then(|| new.to_ascii_lowercase())))
    }

    /// A script for a move of which one ply makes XBoard's board right.
    pub fn short_script(&self, candidate: &Candidate, before: &Board, mover: Color) -> Option<Vec<Ply>> {
        if self.quirks.native() {
            let suffix = candidate.info.suffix.chars().next();
            return Some(vec![Ply::go(candidate.info.from, candidate.info.to, suffix)]);
        }
        if let Some(ply) = self.single(candidate, before, mover) {
            return Some(vec![ply]);
        }
        if !before.just_set_up() {
            return None;
        }
        // Two passes reset XBoard's state for captures in passing.
        let passed = before.after(&Ply::Pass, mover, &self.quirks)?;
        Some(vec![Ply::Pass, Ply::Pass, self.single(candidate, &passed, mover)?])
    }

    /// A script of one ply.
    fn single(&self, candidate: &Candidate, before: &Board, mover: Color) -> Option<Ply> {
        let Candidate { info, after } = candidate;
        let right =
            |ply: &Ply| before.after(ply, mover, &self.quirks).is_some_and(|board| board.agrees(after));
        let piece = before.at(info.from);
        if owner(piece) != Some(mover) {
            return None;
        }
        // XBoard ignores a move from a square to itself when an engine sends it.
        if let Some(natural) = self.natural(candidate, before).filter(|natural| right(natural))
            && info.from != info.to
        {
            return Some(natural);
        }
        for to in [info.to, info.from] {
            let suffix = becomes(piece, after.at(to));
            for via in self.clearings(before, after, mover, info.from, to, suffix) {
                let ply = Ply::Move { from: info.from, via: via.squares, to, suffix };
                let suffix_arrives =
                    suffix.is_none() || via.names_suffix || !before.passes_for_castling(&ply);
                if suffix_arrives && right(&ply) {
                    return Some(ply);
                }
            }
        }
        None
    }

    /// Orders in which a piece that goes from `from` to `to` clears the squares on its path, first those that reach
    /// the other engine unchanged.
    fn clearings(
        &self,
        before: &Board,
        after: &Board,
        mover: Color,
        from: FileRank,
        to: FileRank,
        suffix: Option<char>,
    ) -> Vec<Clearing> {
        let emptied = |&square: &FileRank| {
            owner(before.at(square)).is_some() && after.at(square) == FREE && square != from && square != to
        };
        let mut cleared: Vec<FileRank> = self.quirks.squares().filter(emptied).collect();
        // The last one should be an enemy, or XBoard relays it as castling.
        cleared.sort_by_key(|&square| owner(before.at(square)) != Some(mover));
        if cleared.len() > 2 {
            return Vec::new();
        }
        let mut ways = Vec::new();
        if !cleared.is_empty() {
            ways.push(Clearing { squares: cleared.clone(), names_suffix: false });
            // The other order.
            if cleared.len() == 2 {
                ways.push(Clearing { squares: cleared.iter().rev().copied().collect(), names_suffix: false });
            }
        }
        if cleared.len() < 2
            && let Some(empty) = self.empty_square(before, from, to, suffix)
        {
            cleared.push(empty);
            ways.push(Clearing { squares: cleared, names_suffix: true });
        }
        ways
    }

    /// An empty square to pass through. Its number encodes the suffix, in case XBoard does not relay that.
    fn empty_square(
        &self,
        board: &Board,
        from: FileRank,
        to: FileRank,
        suffix: Option<char>,
    ) -> Option<FileRank> {
        let number = suffix
            .and_then(|suffix| self.letters.iter().position(|letter| letter.eq_ignore_ascii_case(&suffix)));
        let free = |&square: &FileRank| board.at(square) == FREE && square != from && square != to;
        self.quirks.squares().filter(free).nth(number.unwrap_or(0))
    }

    /// A script of several plies, with passes between them. Its beginning is not that of another move.
    pub fn long_script(
        &self,
        candidate: &Candidate,
        all: &[Candidate],
        before: &Board,
        mover: Color,
    ) -> Option<Vec<Ply>> {
        let clear = |first: &Ply| {
            let Some(board) = before.after(first, mover, &self.quirks) else { return false };
            if !starts_like(&candidate.info, Some(first)) {
                return false;
            }
            let relayed = before.relayed(first);
            all.iter().filter(|other| other.info.text != candidate.info.text).all(|other| {
                !board.agrees(&other.after)
                    && self.natural(other, before).as_ref() != Some(first)
                    && (!starts_like(&other.info, Some(first))
                        || self
                            .single(other, before, mover)
                            .is_none_or(|single| before.relayed(&single) != relayed))
            })
        };
        let goal = &candidate.after;
        let aim = if owner(goal.at(candidate.info.to)) == Some(mover) {
            candidate.info.to
        } else {
            candidate.info.from
        };
        let plies = self.ways_from(before, goal, mover, aim, &clear)?;
        let mut script = Vec::new();
        for ply in plies {
            if !script.is_empty() {
                script.push(Ply::Pass);
            }
            script.push(ply);
        }
        Some(script)
    }

    /// The fewest plies of `mover` that turn `board` into `goal`; `piece` is the square of a piece that may be used.
    pub fn ways(&self, board: &Board, goal: &Board, mover: Color, piece: FileRank) -> Option<Vec<Ply>> {
        if board.agrees(goal) {
            return Some(Vec::new());
        }
        self.ways_from(board, goal, mover, piece, &|_| true)
    }

    fn ways_from(
        &self,
        board: &Board,
        goal: &Board,
        mover: Color,
        piece: FileRank,
        first: &dyn Fn(&Ply) -> bool,
    ) -> Option<Vec<Ply>> {
        if let Some(drops) = self.drops(board, goal, mover) {
            return Some(drops);
        }
        (1..=MOST_PLIES).find_map(|depth| self.look(board, goal, mover, piece, depth, first))
    }

    /// Only new pieces are missing: kinds with fewer pieces first, each kind in the order of its squares.
    pub fn drops(&self, board: &Board, goal: &Board, mover: Color) -> Option<Vec<Ply>> {
        let new: Vec<(char, FileRank)> = self
            .quirks
            .squares()
            .filter(|&square| board.at(square) != goal.at(square))
            .map(|square| (goal.at(square), square))
            .collect();
        let all_new = new.iter().all(|&(piece, to)| owner(piece) == Some(mover) && board.at(to) == FREE);
        if !all_new || !self.quirks.can_drop() {
            return None;
        }
        let count = |piece: char| new.iter().filter(|other| other.0 == piece).count();
        let mut drops = new.clone();
        drops.sort_by_key(|&(piece, (file, rank))| (count(piece), piece, rank, file));
        Some(
            drops
                .into_iter()
                .map(|(piece, to)| Ply::Drop { piece: piece.to_ascii_uppercase(), to })
                .collect(),
        )
    }

    fn look(
        &self,
        board: &Board,
        goal: &Board,
        mover: Color,
        piece: FileRank,
        depth: usize,
        allowed: &dyn Fn(&Ply) -> bool,
    ) -> Option<Vec<Ply>> {
        for ply in self.steps(board, goal, mover, piece) {
            if !allowed(&ply) {
                continue;
            }
            let Some(after) = board.after(&ply, mover, &self.quirks) else { continue };
            if after.agrees(goal) {
                return Some(vec![ply]);
            }
            if depth > 1
                && let Some(after) = after.after(&Ply::Pass, !mover, &self.quirks)
                && let Some(mut rest) = self.look(&after, goal, mover, piece, depth - 1, &|_| true)
            {
                rest.insert(0, ply);
                return Some(rest);
            }
        }
        None
    }

    /// Plies that may bring `board` nearer to `goal`.
    fn steps(&self, board: &Board, goal: &Board, mover: Color, piece: FileRank) -> Vec<Ply> {
        let wrong: Vec<FileRank> =
            self.quirks.squares().filter(|&square| board.at(square) != goal.at(square)).collect();
        let ours = |board: &Board, square: FileRank| owner(board.at(square)) == Some(mover);
        // A piece becomes another only if that one is missing.
        let count = |board: &Board, piece: char| {
            self.quirks.squares().filter(|&square| board.at(square) == piece).count()
        };
        let missing = |piece: char| count(goal, piece) > count(board, piece);
        let starts: Vec<FileRank> = wrong.iter().copied().filter(|&square| ours(board, square)).collect();
        let ends: Vec<FileRank> = wrong.iter().copied().filter(|&square| ours(goal, square)).collect();
        let doomed = |&square: &FileRank| owner(board.at(square)).is_some() && goal.at(square) == FREE;
        let doomed: Vec<FileRank> = wrong.iter().copied().filter(doomed).collect();
        let mut steps = Vec::new();
        for &from in &starts {
            for &to in ends.iter().filter(|&&to| to != from && board.at(to) != HOLE) {
                let suffix = becomes(board.at(from), goal.at(to)).filter(|_| missing(goal.at(to)));
                steps.push(Ply::go(from, to, suffix));
                for &via in doomed.iter().filter(|&&via| via != from && via != to) {
                    let ply = Ply::Move { from, via: vec![via], to, suffix };
                    if suffix.is_none() || !board.passes_for_castling(&ply) {
                        steps.push(ply);
                    }
                }
            }
        }
        // A piece that changes without moving passes through an empty square.
        for &square in starts.iter().filter(|square| ends.contains(square)) {
            let suffix = becomes(board.at(square), goal.at(square));
            let via = self.quirks.squares().find(|&via| board.at(via) == FREE);
            if let (Some(suffix), Some(via)) = (suffix, via) {
                steps.push(Ply::Move { from: square, via: vec![via], to: square, suffix: Some(suffix) });
            }
        }
        // A piece that cannot go to its square yet waits elsewhere.
        for &from in &starts {
            let away = |(file, rank): FileRank| (rank.abs_diff(from.1), file.abs_diff(from.0));
            let free =
                self.quirks.squares().filter(|&square| board.at(square) == FREE && goal.at(square) == FREE);
            let aside = free.filter(|&square| away(square).0 > 1).min_by_key(|&square| away(square));
            steps.extend(aside.map(|to| Ply::go(from, to, None)));
        }
        // A piece on its final square clears squares and returns.
        if ours(board, piece) {
            let others: Vec<FileRank> = doomed.into_iter().filter(|&square| square != piece).collect();
            for &via in &others {
                steps.push(Ply::Move { from: piece, via: vec![via], to: piece, suffix: None });
            }
            if let [first, second] = *others.as_slice() {
                steps.push(Ply::Move { from: piece, via: vec![first, second], to: piece, suffix: None });
            }
        }
        for &to in ends.iter().filter(|&&to| board.at(to) == FREE) {
            steps.push(Ply::Drop { piece: goal.at(to).to_ascii_uppercase(), to });
        }
        steps
    }
}

/// Squares that a piece clears on its path.
struct Clearing {
    squares: Vec<FileRank>,
    /// The last square encodes what the piece becomes.
    names_suffix: bool,
}

/// The suffix of a piece that becomes another.
fn becomes(before: char, after: char) -> Option<char> {
    (owner(after).is_some() && owner(before) == owner(after) && before != after)
        .then(|| after.to_ascii_lowercase())
}

/// May a script for this move begin with a ply like this?
pub fn starts_like(info: &MoveInfo, first: Option<&Ply>) -> bool {
    match first {
        Some(Ply::Move { from, .. }) => {
            *from == info.from || info.partners.iter().any(|(partner, _)| partner == from)
        }
        _ => true,
    }
}
