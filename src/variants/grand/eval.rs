//! The evaluation of Grand Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};
use crate::rules::attacks::Step;

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[KNIGHT, BISHOP]);

impl Evaluate for Grand {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES];
    const ROAD: u8 = 2;
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];
    const NET: Option<&'static [u8]> = Some(include_bytes!("net.bin"));

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Grand>>> = Lazy::new(Scores::new::<Grand>);
        &SCORES
    }
}
