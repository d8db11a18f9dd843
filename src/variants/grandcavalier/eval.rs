//! The evaluation of Grand Cavalier Chess.

use super::*;
use crate::eval::{Evaluate, Network, Score};
use std::sync::Arc;

impl Evaluate for GrandCavalier {
    const VALUES: &'static [Score] = &[342, 336, 588, 746, 856, 969, 0];
    const HELPLESS: &'static [Kind] = &[NIGHTRIDER, PALADIN, CANNON];
    const NETWORK: &'static [u8] = include_bytes!("net.bin");

    fn network() -> &'static Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| Arc::new(Network::built_in::<GrandCavalier>()));
        &NETWORK
    }
}
