//! The evaluation of Diamond Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use std::sync::Arc;

impl Inputs for Diamond {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Diamond {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, ROOK];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Diamond>(include_bytes!("net.bin")))
    }
}
