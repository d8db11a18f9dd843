//! The evaluation of Grand Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use quintain_core::network_file;
use std::sync::Arc;

impl Inputs for Grand {}

impl Evaluate for Grand {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        network_file!(Grand, "net.bin")
    }
}
