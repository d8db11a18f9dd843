//! Static exchange evaluation: what a capture and the recaptures on its square are worth.

use super::score::Score;
use crate::board::{Move, SquareSet, Tag};
use crate::eval::{self, Evaluate};
use crate::rules::{Position, Set};

/// Does the exchange begun by `mv` gain at least `threshold` units, if both sides go on taking on its square with
/// their least valuable piece as long as that pays?
///
/// Attackers are computed again after each capture, so that x-rays, cannon screens and lame leapers are right. Pins and
/// side effects of captures on other squares are ignored.
pub fn at_least<V: Evaluate>(pos: &Position<V>, mv: Move, threshold: Score) -> bool {
    // What the side to recapture must win back to refute the exchange.
    let surplus = eval::gain(pos, mv) - threshold;
    if surplus < 0 {
        return false;
    }
    // A shooting piece stays where it is; swaps and placements offer nothing to capture.
    let at_stake = V::value(mv.becomes()) - surplus;
    if at_stake <= 0 || mv.becomes() == V::ROYAL || matches!(mv.tag(), Tag::Shot | Tag::Place | Tag::Swap) {
        return true;
    }
    let to = mv.to();
    let mut occupied =
        pos.occupied().minus(V::taken(pos, mv) | Set::<V>::single(mv.from())) | Set::<V>::single(to);
    let (mut side, mut holds, mut swing) = (pos.side(), true, at_stake);
    loop {
        side = !side;
        let attackers = V::attackers(pos, side, to, occupied) & occupied;
        let least = attackers.squares().min_by_key(|&square| match pos.piece(square).kind() {
            kind if kind == V::ROYAL => Score::MAX,
            kind => V::value(kind),
        });
        let Some(from) = least else { return holds };
        holds = !holds;
        let kind = pos.piece(from).kind();
        occupied ^= Set::<V>::single(from);
        if kind == V::ROYAL {
            // The king captures only if nothing can recapture.
            let guarded = (V::attackers(pos, !side, to, occupied) & occupied).any();
            return holds != guarded;
        }
        swing = V::value(kind) - swing;
        if swing < Score::from(holds) {
            return holds;
        }
    }
}
