//! Parts from which games compose their move generators, and where the moves go.

use super::{Position, Safety, Set, Variant};
use crate::board::{Kind, Move, MoveList, Side, Square, SquareSet};

/// Which moves are wanted.
pub trait Gen {
    /// Captures of enemies, and promotions.
    const NOISY: bool;
    /// Everything else.
    const QUIET: bool;

    /// The targets of pieces that capture as they move.
    #[inline]
    fn aim<S: SquareSet>(enemies: S, vacant: S) -> S {
        match (Self::NOISY, Self::QUIET) {
            (true, true) => enemies | vacant,
            (true, false) => enemies,
            _ => vacant,
        }
    }
}

/// All legal moves.
pub struct All;
/// Captures of enemies, and promotions.
pub struct Noisy;
/// All other moves, also those that capture only pieces of their own side.
pub struct Quiet;

impl Gen for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}
impl Gen for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}
impl Gen for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Where generated moves go. A sink that only counts never sees the moves, just the sets.
pub trait Sink {
    /// `ways` moves for each square of `to`: `make(square, 0..ways)`.
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, make: impl Fn(Square, usize) -> Move);

    /// One move for each square of `to`.
    #[inline]
    fn each<S: SquareSet>(&mut self, to: S, make: impl Fn(Square) -> Move) {
        self.each_way(to, 1, |square, _| make(square));
    }

    /// One move.
    fn one(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline]
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, make: impl Fn(Square, usize) -> Move) {
        to.squares().for_each(|square| (0..ways).for_each(|way| self.push(make(square, way))));
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts.
impl Sink for u64 {
    #[inline]
    fn each_way<S: SquareSet>(&mut self, to: S, ways: usize, _make: impl Fn(Square, usize) -> Move) {
        *self += u64::from(to.count()) * ways as u64;
    }

    #[inline]
    fn one(&mut self, _mv: Move) {
        *self += 1;
    }
}

/// The moves of the pieces of one kind that go where they attack, to squares of `aim`.
#[inline(always)]
pub fn piece_moves<V: Variant>(
    pieces: Set<V>,
    kind: Kind,
    aim: Set<V>,
    safety: &Safety<Set<V>>,
    sink: &mut impl Sink,
    attacks: impl Fn(Square) -> Set<V>,
) {
    let free = aim & safety.targets();
    pieces
        .minus(safety.pinned())
        .squares()
        .for_each(|from| sink.each(attacks(from) & free, |to| Move::plain(kind, from, to)));
    for from in (pieces & safety.pinned()).squares() {
        sink.each(attacks(from) & aim & safety.allowed(from), |to| Move::plain(kind, from, to));
    }
}

/// The squares of `reach & aim` on which the royal piece of side `C` would not be attacked.
#[inline]
pub fn king_targets<V: Variant, C: Side>(pos: &Position<V>, reach: Set<V>, aim: Set<V>) -> Set<V> {
    let occupied = pos.occupied() ^ pos.pieces(C::COLOR, V::ROYAL);
    let mut safe = Set::<V>::EMPTY;
    for to in (reach & aim).squares() {
        if V::attackers(pos, C::Opponent::COLOR, to, occupied).is_empty() {
            safe |= Set::<V>::single(to);
        }
    }
    safe
}

/// The moves of the royal piece of side `C` to squares of `aim` that it attacks.
#[inline]
pub fn king_moves<V: Variant, C: Side>(pos: &Position<V>, pieces: Set<V>, aim: Set<V>, sink: &mut impl Sink) {
    if pieces.meets(pos.kind(V::ROYAL)) {
        let from = pos.king(C::COLOR);
        let reach = V::attacks(pos, C::COLOR, V::ROYAL, from, pos.occupied());
        sink.each(king_targets::<V, C>(pos, reach, aim), |to| Move::plain(V::ROYAL, from, to));
    }
}

/// The squares of `aim` to which pieces of `pieces` legally move by going `files` to the right and `ranks` up.
///
/// Always inlined, and to be called with a constant step, so that the shifts are constant.
#[inline(always)]
pub fn landings<V: Variant>(
    pos: &Position<V>,
    pieces: Set<V>,
    (files, ranks): (i16, i16),
    aim: Set<V>,
    safety: &Safety<Set<V>>,
) -> Set<V> {
    let mut to = pos.shift(pieces.minus(safety.pinned()), files, ranks) & aim & safety.targets();
    for from in (pieces & safety.pinned()).squares() {
        to |= pos.shift(Set::<V>::single(from), files, ranks) & aim & safety.allowed(from);
    }
    to
}

/// Would the royal piece of side `C` be safe if the board were occupied as in `occupied` and the enemies in `gone`
/// captured? For moves that change more than two squares. The royal piece itself stays.
#[inline]
pub fn king_safe<V: Variant, C: Side>(pos: &Position<V>, occupied: Set<V>, gone: Set<V>) -> bool {
    V::attackers(pos, C::Opponent::COLOR, pos.king(C::COLOR), occupied).minus(gone).is_empty()
}

/// Are all squares of `path` free from attack by the opponent of `C`, on the board as it stands?
#[inline]
pub fn unattacked<V: Variant, C: Side>(pos: &Position<V>, path: Set<V>) -> bool {
    path.squares().all(|square| V::attackers(pos, C::Opponent::COLOR, square, pos.occupied()).is_empty())
}
