//! What things are worth in Grand Cavalier Chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // cavalier
        KindWeights {
            value: (220, 240),
            mobility: (3, 3),
            usual: 3,
            centre: (3, 1),
            siege: 5,
            counts: false,
        },
        // cannon
        KindWeights::man((360, 340), (3, 2), 3, (1, 1), 6),
        // nightrider
        KindWeights::man((560, 570), (4, 4), 7, (4, 3), 8),
        // paladin
        KindWeights::man((850, 850), (2, 3), 12, (3, 3), 9),
        // marshall
        KindWeights::man((920, 960), (2, 3), 12, (2, 3), 10),
        // queen
        KindWeights::man((980, 1030), (1, 3), 15, (1, 3), 10),
        // Eques Rex
        KindWeights::royal((-8, 8)),
    ],
    advance: [(0, 0), (2, 6), (6, 14), (12, 26), (22, 42), (40, 70), (60, 100)],
    tempo: 12,
    shelter: 6,
    helpless: &[NIGHTRIDER, PALADIN, CANNON],
    opening_material: 12700,
};

impl Evaluate for GrandCavalier {
    const WEIGHTS: &'static Weights = &WEIGHTS;

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == CAVALIER {
            (setup::rank_for::<Self>(color, square) as usize).saturating_sub(2).min(6)
        } else {
            0
        }
    }
}
