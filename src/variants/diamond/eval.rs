//! What things are worth in Diamond Chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((85, 115), (2, 0)),
        // knight
        KindWeights::man((250, 240), (5, 5), 3, (6, 5), 6),
        // archbishop
        KindWeights::man((460, 450), (5, 4), 6, (4, 4), 9),
        // rook
        KindWeights::man((420, 440), (4, 5), 5, (2, 2), 7),
        // vizier
        KindWeights::man((620, 640), (4, 4), 8, (4, 4), 10),
        // king
        KindWeights::royal((-8, 10)),
    ],
    advance: [(0, 0), (8, 20), (25, 60), (60, 120), (90, 150), (90, 150), (90, 150)],
    tempo: 10,
    shelter: 10,
    helpless: &[KNIGHT_, ROOK],
    opening_material: 3500,
};

impl Evaluate for Diamond {
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
