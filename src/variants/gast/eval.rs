//! What things are worth in Gast's Chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((80, 110), (4, 0)),
        // knight
        KindWeights::man((430, 420), (3, 3), 12, (6, 5), 6),
        // bishop
        KindWeights::man((360, 370), (3, 4), 9, (3, 2), 5),
        // rook
        KindWeights::man((520, 600), (2, 4), 9, (0, 0), 7),
        // queen
        KindWeights::man((1000, 1080), (1, 3), 18, (1, 3), 9),
        // king
        KindWeights::royal((-8, 8)),
        // guard
        KindWeights::man((880, 880), (2, 3), 20, (4, 3), 8),
        // archer
        KindWeights::man((1050, 1120), (2, 3), 20, (3, 3), 9),
        // pope
        KindWeights::man((1550, 1600), (1, 2), 30, (3, 3), 11),
    ],
    advance: [(0, 0), (1, 3), (4, 8), (8, 18), (18, 40), (45, 80), (90, 140)],
    tempo: 12,
    shelter: 8,
    helpless: &[BISHOP],
    opening_material: 14500,
};

impl<H: Hall> Evaluate for Gast<H> {
    const WEIGHTS: &'static Weights = &WEIGHTS;

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == PAWN {
            (setup::rank_for::<Self>(color, square) as usize).saturating_sub(4).min(6)
        } else {
            0
        }
    }
}
