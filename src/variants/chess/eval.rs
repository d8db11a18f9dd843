//! What things are worth in chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};

const WEIGHTS: Weights = Weights { kinds: KINDS, general: GENERAL, helpless: &[KNIGHT_, BISHOP] };

impl Evaluate for Chess {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PAWNS: &'static [Kind] = &[PAWN];
    const ROAD: u8 = 1;

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Chess>>> = Lazy::new(Scores::new::<Chess>);
        &SCORES
    }
}
