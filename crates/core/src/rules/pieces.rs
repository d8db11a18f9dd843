//! What follows from the list of attacks that a game gives once ([`Variant::pieces`]): the attackers of a square, the
//! threats to a king, the attacks of a piece, and the moves of pieces that move as they attack.

use super::attacks::{Leaps, Rider};
use super::{Position, Safety, Set, Variant};
use crate::board::{Color, Kind, Side, Square, SquareSet};

/// An attack that one or more kinds of pieces have.
pub trait Attack<V: Variant> {
    /// The squares that a piece of `color` and `kind` on `from` attacks when exactly `occupied` is occupied.
    fn from(&self, pos: &Position<V>, color: Color, kind: Kind, from: Square, occupied: Set<V>) -> Set<V>;

    /// Those of `pieces`, which are of colour `by`, that attack `square` when exactly `occupied` is occupied.
    fn onto(&self, pos: &Position<V>, by: Color, square: Square, occupied: Set<V>, pieces: Set<V>) -> Set<V>;

    /// Adds to `safety` how `pieces` attack the enemy king of `color` on `king`, or would attack it if one piece
    /// moved. The default is for attacks that cannot be blocked.
    #[inline(always)]
    fn threaten(
        &self,
        pos: &Position<V>,
        color: Color,
        king: Square,
        pieces: Set<V>,
        safety: &mut Safety<Set<V>>,
    ) {
        safety.checks(self.onto(pos, !color, king, pos.occupied(), pieces));
    }
}

/// Leaps.
struct Leaper<'a, V: Variant>(&'a Leaps<Set<V>>);

impl<V: Variant> Attack<V> for Leaper<'_, V> {
    #[inline(always)]
    fn from(&self, _: &Position<V>, _: Color, _: Kind, from: Square, _: Set<V>) -> Set<V> {
        self.0[from]
    }

    #[inline(always)]
    fn onto(&self, _: &Position<V>, _: Color, square: Square, _: Set<V>, pieces: Set<V>) -> Set<V> {
        self.0[square] & pieces
    }
}

/// An attack that depends on the colour of the piece: White's, then Black's.
struct Forward<A>([A; 2]);

impl<V: Variant, A: Attack<V>> Attack<V> for Forward<A> {
    #[inline(always)]
    fn from(&self, pos: &Position<V>, color: Color, kind: Kind, from: Square, occupied: Set<V>) -> Set<V> {
        self.0[color.index()].from(pos, color, kind, from, occupied)
    }

    // Pieces that attack a square are where a piece of the other colour on that square would attack.
    #[inline(always)]
    fn onto(&self, pos: &Position<V>, by: Color, square: Square, occupied: Set<V>, pieces: Set<V>) -> Set<V> {
        self.0[(!by).index()].onto(pos, by, square, occupied, pieces)
    }

    #[inline(always)]
    fn threaten(
        &self,
        pos: &Position<V>,
        color: Color,
        king: Square,
        pieces: Set<V>,
        safety: &mut Safety<Set<V>>,
    ) {
        self.0[color.index()].threaten(pos, color, king, pieces, safety);
    }
}

/// A rider's lines.
struct Lines<'a, R>(&'a R);

impl<V: Variant, R: Rider<Set<V>>> Attack<V> for Lines<'_, R> {
    #[inline(always)]
    fn from(&self, _: &Position<V>, _: Color, _: Kind, from: Square, occupied: Set<V>) -> Set<V> {
        self.0.attacks(from, occupied)
    }

    #[inline(always)]
    fn onto(&self, _: &Position<V>, _: Color, square: Square, occupied: Set<V>, pieces: Set<V>) -> Set<V> {
        self.0.hits(square, occupied, pieces)
    }

    #[inline(always)]
    fn threaten(
        &self,
        pos: &Position<V>,
        color: Color,
        king: Square,
        pieces: Set<V>,
        safety: &mut Safety<Set<V>>,
    ) {
        safety.riders(pos.geometry(), king, pos.color(color), pos.occupied(), pieces, self.0);
    }
}

/// Receives the attacks of a game's pieces. All calls are inlined and all kinds are constants, so that a visit
/// compiles to an expression of look-ups.
pub trait PieceVisitor<V: Variant>: Sized {
    /// Pieces of `kinds` have this attack, besides others.
    fn attack<const N: usize>(self, attack: &impl Attack<V>, kinds: [Kind; N]) -> Self;

    /// Pieces of `kinds` leap.
    #[inline(always)]
    fn leaps<const N: usize>(self, table: &Leaps<Set<V>>, kinds: [Kind; N]) -> Self {
        self.attack(&Leaper(table), kinds)
    }

    /// Pieces of `kinds` capture by leaps that depend on their colour.
    #[inline(always)]
    fn forward<const N: usize>(self, tables: &[Leaps<Set<V>>; 2], kinds: [Kind; N]) -> Self {
        self.attack(&Forward([Leaper(&tables[0]), Leaper(&tables[1])]), kinds)
    }

    /// Pieces of `kinds` capture along lines that depend on their colour.
    #[inline(always)]
    fn forward_rides<const N: usize>(self, riders: &[impl Rider<Set<V>>; 2], kinds: [Kind; N]) -> Self {
        self.attack(&Forward([Lines(&riders[0]), Lines(&riders[1])]), kinds)
    }

    /// Pieces of `kinds` ride.
    #[inline(always)]
    fn rides<const N: usize>(self, rider: &impl Rider<Set<V>>, kinds: [Kind; N]) -> Self {
        self.attack(&Lines(rider), kinds)
    }
}

/// All pieces of `kinds`.
#[inline(always)]
fn of<V: Variant, const N: usize>(pos: &Position<V>, kinds: [Kind; N]) -> Set<V> {
    kinds.iter().fold(Set::<V>::EMPTY, |pieces, &kind| pieces | pos.kind(kind))
}

struct Attackers<'a, V: Variant> {
    pos: &'a Position<V>,
    by: Color,
    square: Square,
    occupied: Set<V>,
    found: Set<V>,
}

impl<V: Variant> PieceVisitor<V> for Attackers<'_, V> {
    #[inline(always)]
    fn attack<const N: usize>(mut self, attack: &impl Attack<V>, kinds: [Kind; N]) -> Self {
        let pieces = self.pos.color(self.by) & of(self.pos, kinds);
        self.found |= attack.onto(self.pos, self.by, self.square, self.occupied, pieces);
        self
    }
}

/// [`Variant::attackers`], from the attacks that the game lists.
#[inline(always)]
pub fn attackers<V: Variant>(pos: &Position<V>, by: Color, square: Square, occupied: Set<V>) -> Set<V> {
    V::pieces(pos.tables(), Attackers { pos, by, square, occupied, found: Set::<V>::EMPTY }).found
}

struct Attacks<'a, V: Variant> {
    pos: &'a Position<V>,
    color: Color,
    kind: Kind,
    from: Square,
    occupied: Set<V>,
    found: Set<V>,
}

impl<V: Variant> PieceVisitor<V> for Attacks<'_, V> {
    #[inline(always)]
    fn attack<const N: usize>(mut self, attack: &impl Attack<V>, kinds: [Kind; N]) -> Self {
        if kinds.contains(&self.kind) {
            self.found |= attack.from(self.pos, self.color, self.kind, self.from, self.occupied);
        }
        self
    }
}

/// [`Variant::attacks`], from the attacks that the game lists.
///
/// Each kind has its own arm, in which it is a constant, so that only its own look-ups remain. If the kind is known
/// at compile time, one arm remains.
#[inline(always)]
pub fn attacks<V: Variant>(
    pos: &Position<V>,
    color: Color,
    kind: Kind,
    from: Square,
    occupied: Set<V>,
) -> Set<V> {
    let of = |kind: usize| attacks_of(pos, color, Kind::new(kind), from, occupied);
    match kind.index() {
        0 => of(0),
        1 => of(1),
        2 => of(2),
        3 => of(3),
        4 => of(4),
        5 => of(5),
        6 => of(6),
        7 => of(7),
        8 => of(8),
        9 => of(9),
        10 => of(10),
        11 => of(11),
        12 => of(12),
        13 => of(13),
        14 => of(14),
        _ => of(15),
    }
}

#[inline(always)]
fn attacks_of<V: Variant>(
    pos: &Position<V>,
    color: Color,
    kind: Kind,
    from: Square,
    occupied: Set<V>,
) -> Set<V> {
    let visitor = Attacks { pos, color, kind, from, occupied, found: Set::<V>::EMPTY };
    V::pieces(pos.tables(), visitor).found
}

struct Threats<'a, V: Variant> {
    pos: &'a Position<V>,
    color: Color,
    king: Square,
    safety: &'a mut Safety<Set<V>>,
}

impl<V: Variant> PieceVisitor<V> for Threats<'_, V> {
    #[inline(always)]
    fn attack<const N: usize>(self, attack: &impl Attack<V>, kinds: [Kind; N]) -> Self {
        // Kings never attack each other.
        if kinds != [V::ROYAL; N] {
            let enemies = self.pos.color(!self.color) & of(self.pos, kinds);
            attack.threaten(self.pos, self.color, self.king, enemies, self.safety);
        }
        self
    }
}

/// Adds to `safety` all threats to the king of `C`.
#[inline]
pub fn threats<V: Variant, C: Side>(pos: &Position<V>, safety: &mut Safety<Set<V>>) {
    V::pieces(pos.tables(), Threats { pos, color: C::COLOR, king: pos.king(C::COLOR), safety });
}

/// The moves of pieces of the kinds listed, which move as they attack, to squares of `aim`, kind by kind:
/// `piece_moves!(Game, C, pos, pieces, aim, safety, sink, [KNIGHT, ROOK])`.
///
/// A macro, so that each kind gets its own loop with the kind as a constant.
#[macro_export]
macro_rules! piece_moves {
    ($game:ty, $side:ty, $pos:expr, $pieces:expr, $aim:expr, $safety:expr, $sink:expr, [$($kind:expr),*]) => {
        let occupied = $pos.occupied();
        $($crate::rules::movegen::piece_moves::<$game>(
            $pieces & $pos.kind($kind), $kind, $aim, $safety, $sink,
            |from| <$game>::attacks($pos, <$side>::COLOR, $kind, from, occupied),
        );)*
    };
}
