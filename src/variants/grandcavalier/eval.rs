//! What things are worth in Grand Cavalier Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};

const WEIGHTS: Weights = Weights { kinds: KINDS, general: GENERAL, helpless: &[NIGHTRIDER, PALADIN, CANNON] };

impl Evaluate for GrandCavalier {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PAWNS: &'static [Kind] = &[CAVALIER];
    const PASSING: bool = false;
    const ONE_WAY: &'static [Kind] = &[CANNON];

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<GrandCavalier>>> = Lazy::new(Scores::new::<GrandCavalier>);
        &SCORES
    }
}
