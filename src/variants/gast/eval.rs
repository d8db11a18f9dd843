//! What things are worth in Gast's Chess.

use super::*;
use crate::eval::{Evaluate, Scores, Weights};

pub(super) const WEIGHTS12: Weights =
    Weights { kinds: weights::KINDS, general: weights::GENERAL, helpless: &[BISHOP] };
pub(super) const WEIGHTS14: Weights =
    Weights { kinds: weights14::KINDS, general: weights14::GENERAL, helpless: &[BISHOP] };

impl<H: Hall> Evaluate for Gast<H> {
    const WEIGHTS: &'static Weights = H::WEIGHTS;
    const PAWNS: &'static [Kind] = &[PAWN];

    fn scores() -> &'static Scores<Set<Self>> {
        H::scores()
    }

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == PAWN {
            (setup::rank_for::<Self>(color, square) as usize).saturating_sub(4).min(6)
        } else {
            0
        }
    }
}
