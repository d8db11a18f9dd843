//! What things are worth in Grand Cavalier Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};

const WEIGHTS: Weights = Weights { kinds: KINDS, general: GENERAL, helpless: &[NIGHTRIDER, PALADIN, CANNON] };

impl Evaluate for GrandCavalier {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PAWNS: &'static [Kind] = &[CAVALIER];
    const PASSING: bool = false;

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<GrandCavalier>>> = Lazy::new(Scores::new::<GrandCavalier>);
        &SCORES
    }

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        if pos.piece(square).kind() == CAVALIER {
            (setup::rank_for::<Self>(color, square) as usize).saturating_sub(2).min(6)
        } else {
            0
        }
    }
}
