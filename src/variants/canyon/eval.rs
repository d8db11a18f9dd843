//! The evaluation of Canyon Chess.

use super::*;
use crate::eval::{Evaluate, Network, Score};
use std::sync::Arc;

impl Evaluate for Canyon {
    const VALUES: &'static [Score] = &[147, 338, 719, 703, 804, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[171, 222], [326, 380], [676, 873], [652, 1017], [747, 999], [0, 0]];
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT];
    const NETWORK: &'static [u8] = include_bytes!("net.bin");
    const KING_BUCKETS: bool = true;

    fn network() -> &'static Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| Arc::new(Network::built_in::<Canyon>()));
        &NETWORK
    }
}
