//! What things are worth in chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};

const WEIGHTS: Weights = Weights { kinds: KINDS, general: GENERAL, helpless: &[KNIGHT_, BISHOP] };

impl Evaluate for Chess {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PAWNS: &'static [Kind] = &[PAWN];

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Chess>>> = Lazy::new(Scores::new::<Chess>);
        &SCORES
    }

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == PAWN { setup::rank_for::<Self>(color, square) as usize - 1 } else { 0 }
    }
}
