//! Networks that are not part of the program. A WebAssembly module would be too large with those of all games, so its host
//! loads those that are needed.

use super::{Inputs, Network, network::Parameters};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One for each game at most. They stay as long as the program, as those do that are part of it.
static GIVEN: Mutex<Vec<&'static Arc<Network>>> = Mutex::new(Vec::new());

fn given() -> MutexGuard<'static, Vec<&'static Arc<Network>>> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(network: Arc<Network>) -> &'static Arc<Network> {
    Box::leak(Box::new(network))
}

impl Network {
    /// Gives the program the network of a game. The first one of a game is kept.
    pub fn give(network: Arc<Network>) {
        if !Network::is_given(network.game()) {
            given().push(keep(network));
        }
    }

    /// Was the program given the network of this game?
    pub fn is_given(game: &str) -> bool {
        given().iter().any(|network| network.game() == game)
    }

    /// The network that was given for game `V`; until then one that adds nothing, which `nothing` keeps.
    pub fn given<V: Inputs>(nothing: impl FnOnce() -> &'static Arc<Network>) -> &'static Arc<Network> {
        let found = given().iter().find(|network| network.game() == V::NETWORK_GAME).copied();
        found.unwrap_or_else(nothing)
    }

    /// A network of game `V` that adds nothing.
    pub fn nothing<V: Inputs>() -> Arc<Network> {
        Arc::new(Network::new::<V>(Parameters::zero::<V>()))
    }
}

/// The network of a game from a file beside its source, as [`Evaluate::network`](super::Evaluate::network) returns it. A
/// WebAssembly module is given it by its host instead.
#[macro_export]
macro_rules! network_file {
    ($game:ty, $file:literal) => {{
        #[cfg(not(target_family = "wasm"))]
        {
            $crate::built_once!(std::sync::Arc<$crate::eval::Network>, || {
                $crate::eval::Network::built_in::<$game>(include_bytes!($file))
            })
        }
        #[cfg(target_family = "wasm")]
        {
            use $crate::eval::Network;
            Network::given::<$game>(|| {
                $crate::built_once!(std::sync::Arc<Network>, Network::nothing::<$game>)
            })
        }
    }};
}
