//! The evaluation of Diamond Chess.

use super::*;
use crate::eval::{Evaluate, Inputs, Network, Score};
use std::sync::Arc;

impl Inputs for Diamond {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Diamond {
    const VALUES: &'static [Score] = &[132, 359, 575, 392, 593, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[130, 232], [450, 531], [721, 898], [491, 611], [725, 976], [0, 0]];
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, ROOK];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Diamond>(include_bytes!("net.bin")))
    }
}
