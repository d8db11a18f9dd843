//! What things are worth in Grand Chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((85, 110), (4, 0)),
        // knight
        KindWeights::man((290, 280), (4, 4), 4, (6, 5), 6),
        // bishop
        KindWeights::man((350, 350), (4, 5), 7, (3, 2), 5),
        // rook
        KindWeights::man((490, 560), (2, 4), 7, (0, 0), 7),
        // cardinal
        KindWeights::man((760, 760), (2, 3), 12, (3, 3), 8),
        // marshal
        KindWeights::man((870, 920), (2, 3), 12, (2, 3), 9),
        // queen
        KindWeights::man((980, 1050), (1, 3), 15, (1, 3), 9),
        // king
        KindWeights::royal((-8, 10)),
    ],
    advance: [(0, 0), (2, 4), (6, 12), (15, 28), (40, 60), (80, 110), (120, 160)],
    tempo: 12,
    shelter: 10,
    helpless: &[KNIGHT_, BISHOP],
    opening_material: 9500,
};

impl Evaluate for Grand {
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
