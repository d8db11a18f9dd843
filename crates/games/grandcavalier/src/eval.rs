//! The evaluation of Grand Cavalier Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network, Score};
use quintain_core::network_file;
use std::sync::Arc;

impl Inputs for GrandCavalier {}

impl Evaluate for GrandCavalier {
    // There are no pawns; a cavalier counts as three.
    const PAWN: Score = Self::PIECES[CAVALIER.index()].worth[0] / 3;
    const CANNOT_MATE: &'static [Kind] = &[NIGHTRIDER, PALADIN, CANNON];

    fn network() -> &'static Arc<Network> {
        network_file!(GrandCavalier, "net.bin")
    }
}
