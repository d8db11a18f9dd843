//! The evaluation of Grand Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use std::sync::Arc;

impl Inputs for Grand {}

impl Evaluate for Grand {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Grand>(include_bytes!("net.bin")))
    }
}
