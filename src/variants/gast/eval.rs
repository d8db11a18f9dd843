//! The evaluation of Gast's Chess.

use super::*;
use crate::eval::{Evaluate, Scores, Weights};

/// The evaluation for a size of the board.
pub trait Weighed: BoardSize {
    /// The weights of the evaluation.
    const WEIGHTS: &'static Weights;
    /// The network that corrects it ([`Evaluate::NET`]).
    const NET: &'static [u8];
    /// The tables computed from the weights.
    fn scores() -> &'static Scores<<Self::Board as Board>::Set>;
}

impl Weighed for Twelve {
    const WEIGHTS: &'static Weights = &Weights::new(weights::KINDS, weights::GENERAL, &[BISHOP]);
    const NET: &'static [u8] = include_bytes!("net.bin");

    fn scores() -> &'static Scores<<Board12x12 as Board>::Set> {
        static SCORES: Lazy<Scores<<Board12x12 as Board>::Set>> = Lazy::new(Scores::new::<Gast12>);
        &SCORES
    }
}

impl Weighed for Fourteen {
    const WEIGHTS: &'static Weights = &Weights::new(weights14::KINDS, weights14::GENERAL, &[BISHOP]);
    const NET: &'static [u8] = include_bytes!("net14.bin");

    fn scores() -> &'static Scores<<Board14x12 as Board>::Set> {
        static SCORES: Lazy<Scores<<Board14x12 as Board>::Set>> = Lazy::new(Scores::new::<Gast14>);
        &SCORES
    }
}

impl<H: Weighed> Evaluate for Gast<H> {
    const WEIGHTS: &'static Weights = H::WEIGHTS;
    const ROAD: u8 = 4;
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];
    const NET: Option<&'static [u8]> = Some(H::NET);

    fn scores() -> &'static Scores<Set<Self>> {
        H::scores()
    }
}
