//! The evaluation of Gast's Chess.

use super::*;
use crate::eval::{Evaluate, Inputs, Network, Score};
use std::sync::Arc;

/// The evaluation for a size of the board.
pub trait Weighed: BoardSize {
    /// The values of the pieces.
    const VALUES: &'static [Score];
    /// What the pieces are worth to the evaluation.
    const WORTH: &'static [[Score; 2]];
    /// The network, read on first use.
    fn network() -> &'static Arc<Network>;
}

impl Weighed for Twelve {
    const VALUES: &'static [Score] = &[92, 467, 245, 462, 884, 0, 887, 1060];
    const WORTH: &'static [[Score; 2]] =
        &[[65, 95], [318, 404], [216, 264], [271, 394], [557, 827], [0, 0], [556, 902], [682, 1116]];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Gast12>(include_bytes!("net.bin")))
    }
}

impl Weighed for Fourteen {
    const VALUES: &'static [Score] = &[75, 426, 325, 463, 955, 0, 886, 1050, 1477];
    const WORTH: &'static [[Score; 2]] = &[
        [52, 80],
        [302, 395],
        [240, 279],
        [270, 466],
        [554, 947],
        [0, 0],
        [515, 886],
        [602, 1037],
        [893, 1095],
    ];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Gast14>(include_bytes!("net14.bin")))
    }
}

impl<H: Weighed> Inputs for Gast<H> {}

impl<H: Weighed> Evaluate for Gast<H> {
    const VALUES: &'static [Score] = H::VALUES;
    const WORTH: &'static [[Score; 2]] = H::WORTH;
    const CANNOT_MATE: &'static [Kind] = &[BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        H::network()
    }
}
