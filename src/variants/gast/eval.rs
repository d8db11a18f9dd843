//! What things are worth in Gast's Chess.

use super::*;
use crate::eval::{Evaluate, Scores, Weights};

pub(super) const WEIGHTS12: Weights = Weights::new(weights::KINDS, weights::GENERAL, &[BISHOP]);
pub(super) const WEIGHTS14: Weights = Weights::new(weights14::KINDS, weights14::GENERAL, &[BISHOP]);

impl<H: BoardSize> Evaluate for Gast<H> {
    const WEIGHTS: &'static Weights = H::WEIGHTS;
    const ROAD: u8 = 4;
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];
    const NET: Option<&'static [u8]> = Some(H::NET);

    fn scores() -> &'static Scores<Set<Self>> {
        H::scores()
    }
}
