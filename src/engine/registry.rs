//! The games by name.

use crate::eval::{Evaluate, Network, NetworkError};
use crate::notation::Notation;
use crate::rules::Variant;
use std::sync::Arc;

/// A game with all traits that the engine needs.
pub trait Playable: Evaluate + Notation {}

impl<V: Evaluate + Notation> Playable for V {}

/// A generic operation on a game.
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

/// Reads the file of a network, whichever game it is for; see [`crate::eval::network`].
pub fn read_network(bytes: &[u8]) -> Result<Arc<Network>, NetworkError> {
    struct Read<'a>(&'a [u8]);
    impl Visitor for Read<'_> {
        type Output = Result<Network, NetworkError>;
        fn visit<V: Playable>(self) -> Self::Output {
            Network::from_bytes::<V>(self.0)
        }
    }
    let game = Network::game_of(bytes).ok_or(NetworkError::Format)?;
    visit(&game, Read(bytes)).ok_or(NetworkError::Format)?.map(Arc::new)
}
