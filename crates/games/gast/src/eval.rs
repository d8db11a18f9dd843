//! The evaluation of Gast's Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use quintain_core::network_file;
use std::sync::Arc;

/// The evaluation for a size of the board.
pub trait Weighed: BoardSize {
    /// The network, read on first use.
    fn network() -> &'static Arc<Network>;
}

impl Weighed for Twelve {
    fn network() -> &'static Arc<Network> {
        network_file!(Gast12, "net.bin")
    }
}

impl Weighed for Fourteen {
    fn network() -> &'static Arc<Network> {
        network_file!(Gast14, "net14.bin")
    }
}

impl<H: Weighed> Inputs for Gast<H> {}

impl<H: Weighed> Evaluate for Gast<H> {
    const CANNOT_MATE: &'static [Kind] = &[BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        H::network()
    }
}
