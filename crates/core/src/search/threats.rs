//! What the order of quiet moves knows of attacks: pieces that lesser ones attack flee from them, and checks come early.

use super::score::Score;
use crate::board::{Kind, Move, Square, SquareSet};
use crate::eval::Evaluate;
use crate::rules::pieces::{Attack, PieceVisitor};
use crate::rules::{Position, Set};

/// A piece worth no more than this above another is not more than it, in units of the evaluation.
const ALIKE: Score = 40;
/// For a unit of value: what it counts to leave a square that a lesser piece attacks, or to go to one.
const FLIGHT: Score = 6;
/// The value of a piece counts up to this for it.
const MOST: Score = 1200;
/// What a check counts.
const CHECK: Score = 3000;

/// What matters for pieces of one base kind.
#[derive(Clone, Copy)]
struct OfKind<S> {
    /// What enemies attack that are worth less.
    lesser: S,
    /// The squares where one of its facings gives check.
    checks: S,
}

/// The attacks of a position that matter to the side to move.
pub struct Threats<V: Evaluate> {
    /// The enemy king.
    king: Square,
    /// By base kind.
    kinds: [OfKind<Set<V>>; Kind::COUNT],
}

/// Collects attacks by base kind.
struct Collector<'a, V: Evaluate> {
    pos: &'a Position<V>,
    king: Square,
    /// What enemies attack.
    attacks: &'a mut [Set<V>; Kind::COUNT],
    kinds: &'a mut [OfKind<Set<V>>; Kind::COUNT],
}

impl<V: Evaluate> PieceVisitor<V> for Collector<'_, V> {
    #[inline(always)]
    fn attack<const N: usize>(self, attack: &impl Attack<V>, kinds: [Kind; N]) -> Self {
        let (pos, enemy, occupied) = (self.pos, !self.pos.side(), self.pos.occupied());
        for kind in kinds.into_iter().filter(|&kind| kind != V::ROYAL) {
            let base = V::base_kind(kind);
            let attacks_from = |from| attack.from(pos, enemy, kind, from, occupied);
            let pieces = pos.pieces(enemy, kind).squares();
            self.attacks[base] |= pieces.fold(Set::<V>::EMPTY, |found, from| found | attacks_from(from));
            // Where the enemy would attack from the square of its king. A facing is turned round by that, and a lame
            // leaper that is blocked on that way only is overlooked.
            self.kinds[base].checks |= attacks_from(self.king);
        }
        self
    }
}

impl<V: Evaluate> Threats<V> {
    /// Those of `pos`.
    #[inline(never)]
    pub fn new(pos: &Position<V>) -> Self {
        let king = pos.king(!pos.side());
        let mut attacks = [Set::<V>::EMPTY; Kind::COUNT];
        let mut kinds = [OfKind { lesser: Set::<V>::EMPTY, checks: Set::<V>::EMPTY }; Kind::COUNT];
        V::pieces(pos.tables(), Collector { pos, king, attacks: &mut attacks, kinds: &mut kinds });
        let all = || (0..V::base_kinds()).map(Kind::new);
        for kind in all() {
            let lesser = all().filter(|&other| V::value(other) + ALIKE < V::value(kind));
            kinds[kind.index()].lesser =
                lesser.fold(Set::<V>::EMPTY, |found, other| found | attacks[other.index()]);
        }
        Threats { king, kinds }
    }

    /// What attacks say of a quiet move: higher is earlier, in the units of histories.
    #[inline(always)]
    pub fn score(&self, pos: &Position<V>, mv: Move) -> Score {
        let (kind, to) = (mv.becomes(), mv.to());
        let OfKind { lesser, checks } = &self.kinds[V::base_kind(kind)];
        let flees = Score::from(lesser.has(mv.from())) - Score::from(lesser.has(to));
        let checks = checks.has(to) && V::attacks(pos, pos.side(), kind, to, pos.occupied()).has(self.king);
        FLIGHT * V::value(kind).min(MOST) * flees + CHECK * Score::from(checks)
    }
}
