//! The games by name.

use quintain_core::eval::{Network, NetworkError};
use quintain_core::rules::Variant;
use quintain_core::session::{AnyGame, GameInfo, Playable, Session};
use quintain_tables::{Endings, HasTables};
use std::sync::Arc;

/// A generic operation on a game. Its code is compiled for each game where it stands, which takes long if it uses much of
/// the library; what a [`Session`] offers is compiled already.
///
/// ```
/// use quintain::engine::{Playable, Visitor, visit};
/// use quintain::rules::Position;
///
/// struct CountMoves;
/// impl Visitor for CountMoves {
///     type Output = u64;
///     fn visit<V: Playable>(self) -> u64 {
///         Position::<V>::default().count_moves()
///     }
/// }
/// assert_eq!(visit("canyon", CountMoves), Some(16));
/// assert_eq!(visit("checkers", CountMoves), None);
/// ```
pub trait Visitor {
    /// Its result.
    type Output;
    /// Runs it for game `V`.
    fn visit<V: Playable>(self) -> Self::Output;
}

macro_rules! registry {
    ($($game:ty),* $(,)?) => {
        /// The names of all games, in the order in which they are listed.
        pub const NAMES: &[&str] = &[$(<$game>::NAME),*];

        fn any(name: &str) -> Option<&'static dyn AnyGame> {
            match name {
                $(<$game>::NAME => Some(<$game>::any()),)*
                _ => None,
            }
        }

        /// The endgame tables of the game called `name`; `None` if there is no such game.
        pub fn endings(name: &str) -> Option<&'static dyn Endings> {
            match name {
                $(<$game>::NAME => Some(<$game>::endings()),)*
                _ => None,
            }
        }

        /// Runs `visitor` for the game called `name`; `None` if there is no such game.
        pub fn visit<T: Visitor>(name: &str, visitor: T) -> Option<T::Output> {
            match name {
                $(<$game>::NAME => Some(visitor.visit::<$game>()),)*
                _ => None,
            }
        }
    };
}
crate::for_each_variant!(registry);

/// Opens the game called `name`, one of [`NAMES`], at its start; `None` if there is no such game.
pub fn open(name: &str) -> Option<Box<dyn Session>> {
    Some(any(name)?.open())
}

/// The description of the game called `name`.
pub fn info(name: &str) -> Option<GameInfo> {
    Some(any(name)?.info())
}

/// Reads the file of a network, whichever game it is for; see [`quintain_core::eval::network`].
pub fn read_network(bytes: &[u8]) -> Result<Arc<Network>, NetworkError> {
    let game = Network::game_of(bytes).ok_or(NetworkError::Format)?;
    any(&game).ok_or(NetworkError::Format)?.read_network(bytes).map(Arc::new)
}

/// Gives the program the network of a file, where it is not built in; see [`Network::give`].
pub fn give_network(bytes: &[u8]) -> Result<(), NetworkError> {
    read_network(bytes).map(Network::give)
}
