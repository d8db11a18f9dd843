//! What things are worth in chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((85, 105), (4, 0)),
        // knight
        KindWeights::man((320, 310), (4, 4), 4, (7, 5), 6),
        // bishop
        KindWeights::man((335, 325), (5, 5), 6, (3, 2), 5),
        // rook
        KindWeights::man((480, 530), (2, 4), 6, (0, 0), 7),
        // queen
        KindWeights::man((960, 1000), (1, 3), 12, (1, 4), 8),
        // king
        KindWeights::royal((-12, 12)),
    ],
    advance: [(0, 0), (2, 5), (6, 12), (14, 28), (30, 60), (60, 110), (90, 150)],
    tempo: 12,
    shelter: 10,
    helpless: &[KNIGHT_, BISHOP],
    opening_material: 6400,
};

impl Evaluate for Chess {
    const WEIGHTS: &'static Weights = &WEIGHTS;

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == PAWN { setup::rank_for::<Self>(color, square) as usize - 1 } else { 0 }
    }
}
