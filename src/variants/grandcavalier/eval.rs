//! The evaluation of Grand Cavalier Chess.

use super::*;
use crate::eval::{Evaluate, Inputs, Network, Score};
use std::sync::Arc;

impl Inputs for GrandCavalier {}

impl Evaluate for GrandCavalier {
    const VALUES: &'static [Score] = &[342, 336, 588, 746, 856, 969, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[272, 345], [384, 262], [529, 525], [607, 713], [690, 840], [765, 965], [0, 0]];
    // There are no pawns; a cavalier counts as three.
    const PAWN: Score = Self::WORTH[CAVALIER.index()][0] / 3;
    const CANNOT_MATE: &'static [Kind] = &[NIGHTRIDER, PALADIN, CANNON];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<GrandCavalier>(include_bytes!("net.bin")))
    }
}
