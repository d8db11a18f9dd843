//! The evaluation of Grand Cavalier Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[NIGHTRIDER, PALADIN, CANNON]);

impl Evaluate for GrandCavalier {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PASSING: bool = false;
    const ONE_WAY: &'static [Kind] = &[CANNON];
    const NET: Option<&'static [u8]> = Some(include_bytes!("net.bin"));

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<GrandCavalier>>> = Lazy::new(Scores::new::<GrandCavalier>);
        &SCORES
    }
}
