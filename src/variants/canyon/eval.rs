//! What things are worth in Canyon Chess; the ratios are the inventors' own.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((85, 110), (3, 0)),
        // knight
        KindWeights::man((290, 280), (5, 5), 3, (5, 4), 6),
        // archbishop
        KindWeights::man((600, 600), (4, 4), 6, (4, 4), 9),
        // marshal
        KindWeights::man((780, 830), (3, 4), 7, (3, 4), 10),
        // queen
        KindWeights::man((900, 950), (3, 4), 8, (2, 4), 10),
        // king
        KindWeights::royal((-10, 12)),
    ],
    advance: [(0, 0), (10, 25), (40, 90), (90, 160), (90, 160), (90, 160), (90, 160)],
    tempo: 12,
    shelter: 12,
    helpless: &[KNIGHT_],
    opening_material: 8480,
};

impl Evaluate for Canyon {
    const WEIGHTS: &'static Weights = &WEIGHTS;

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == PAWN {
            (setup::rank_for::<Self>(color, square) as usize).saturating_sub(2).min(6)
        } else {
            0
        }
    }
}
