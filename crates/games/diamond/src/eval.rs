//! The evaluation of Diamond Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use quintain_core::network_file;
use std::sync::Arc;

impl Inputs for Diamond {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Diamond {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, ROOK];

    fn network() -> &'static Arc<Network> {
        network_file!(Diamond, "net.bin")
    }
}
