//! What the order of quiet moves knows of attacks: pieces that lesser ones attack flee from them, and checks come early.

use super::score::Score;
use crate::board::{Kind, Move, Square, SquareSet};
use crate::eval::Evaluate;
use crate::rules::{Position, Set};

/// A piece worth no more than this above another is not more than it, in units of the evaluation.
const ALIKE: Score = 40;
/// For a unit of value: what it counts to leave a square that a lesser piece attacks, or to go to one.
const FLIGHT: Score = 6;
/// The value of a piece counts up to this for it.
const MOST: Score = 1200;
/// What a check counts.
const CHECK: Score = 3000;

/// The attacks of a position that matter to the side to move.
pub struct Threats<V: Evaluate> {
    /// The enemy king.
    king: Square,
    /// By base kind, what enemies attack that are worth less.
    lesser: [Set<V>; Kind::COUNT],
    /// By base kind, the squares where one of its facings gives check.
    checks: [Set<V>; Kind::COUNT],
}

impl<V: Evaluate> Threats<V> {
    /// Those of `pos`.
    #[inline(never)]
    pub fn new(pos: &Position<V>) -> Self {
        let (enemy, occupied) = (!pos.side(), pos.occupied());
        let nothing = [Set::<V>::EMPTY; Kind::COUNT];
        let mut attacks = nothing;
        let mut threats = Threats { king: pos.king(enemy), lesser: nothing, checks: nothing };
        for kind in (0..V::PIECES.len()).map(Kind::new).filter(|&kind| kind != V::ROYAL) {
            let attacks_from = |from| V::attacks(pos, enemy, kind, from, occupied);
            let base = V::base_kind(kind);
            pos.pieces(enemy, kind).squares().for_each(|from| attacks[base] |= attacks_from(from));
            // Where the enemy would attack from the square of its king. A facing is turned round by that, and a lame
            // leaper that is blocked on that way only is overlooked.
            threats.checks[base] |= attacks_from(threats.king);
        }
        let kinds = || (0..V::base_kinds()).map(Kind::new);
        for kind in kinds() {
            let lesser = kinds().filter(|&other| V::value(other) + ALIKE < V::value(kind));
            threats.lesser[kind.index()] =
                lesser.fold(Set::<V>::EMPTY, |found, other| found | attacks[other.index()]);
        }
        threats
    }

    /// What attacks say of a quiet move: higher is earlier, in the units of histories.
    #[inline]
    pub fn score(&self, pos: &Position<V>, mv: Move) -> Score {
        let (kind, to) = (mv.becomes(), mv.to());
        let lesser = self.lesser[V::base_kind(kind)];
        let flees = Score::from(lesser.has(mv.from())) - Score::from(lesser.has(to));
        let checks = self.checks[V::base_kind(kind)].has(to)
            && V::attacks(pos, pos.side(), kind, to, pos.occupied()).has(self.king);
        FLIGHT * V::value(kind).min(MOST) * flees + CHECK * Score::from(checks)
    }
}
