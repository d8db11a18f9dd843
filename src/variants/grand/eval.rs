//! The evaluation of Grand Chess.

use super::*;
use crate::eval::{Evaluate, Inputs, Network, Score};
use std::sync::Arc;

impl Inputs for Grand {}

impl Evaluate for Grand {
    const VALUES: &'static [Score] = &[79, 248, 309, 425, 713, 796, 871, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[74, 119], [232, 288], [314, 376], [389, 573], [628, 939], [662, 1046], [754, 1137], [0, 0]];
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Grand>(include_bytes!("net.bin")))
    }
}
