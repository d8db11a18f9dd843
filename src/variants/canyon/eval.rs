//! The evaluation of Canyon Chess; the ratios of the pieces' values are the inventors'.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};
use crate::rules::attacks::Step;

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[KNIGHT]);

impl Evaluate for Canyon {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES];
    const ROAD: u8 = 2;
    const NET: Option<&'static [u8]> = Some(include_bytes!("net.bin"));

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Canyon>>> = Lazy::new(Scores::new::<Canyon>);
        &SCORES
    }
}
