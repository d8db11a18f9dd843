//! The evaluation of Diamond Chess.

use super::*;
use crate::eval::{Evaluate, Network, Score};
use std::sync::Arc;

impl Evaluate for Diamond {
    const VALUES: &'static [Score] = &[132, 359, 575, 392, 593, 0];
    const WORTH: &'static [[Score; 2]] =
        &[[130, 232], [450, 531], [721, 898], [491, 611], [725, 976], [0, 0]];
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, ROOK];
    const NETWORK: &'static [u8] = include_bytes!("net.bin");
    const KING_BUCKETS: bool = true;

    fn network() -> &'static Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| Arc::new(Network::built_in::<Diamond>()));
        &NETWORK
    }
}
