//! The evaluation of Canyon Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use quintain_core::network_file;
use std::sync::Arc;

impl Inputs for Canyon {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Canyon {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT];

    fn network() -> &'static Arc<Network> {
        network_file!(Canyon, "net.bin")
    }
}
