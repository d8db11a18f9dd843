//! The games by name.

use crate::eval::Evaluate;
use crate::notation::Notation;
use crate::rules::Variant;

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
