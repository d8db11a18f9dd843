//! The evaluation of Canyon Chess.

use super::*;
use crate::eval::{Evaluate, Inputs, Network, Score};
use std::sync::Arc;

impl Inputs for Canyon {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Canyon {
    const VALUES: &'static [Score] = &[147, 338, 719, 703, 804, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[171, 222], [326, 380], [676, 873], [652, 1017], [747, 999], [0, 0]];
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT];

    fn network() -> &'static Arc<Network> {
        built_once!(Arc<Network>, || Network::built_in::<Canyon>(include_bytes!("net.bin")))
    }
}
