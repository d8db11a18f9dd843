//! The evaluation of Diamond Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};
use crate::rules::attacks::Step;

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[KNIGHT, ROOK]);

impl Evaluate for Diamond {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES];
    const ROAD: u8 = 2;
    const NET: Option<&'static [u8]> = Some(include_bytes!("net.bin"));

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Diamond>>> = Lazy::new(Scores::new::<Diamond>);
        &SCORES
    }
}
