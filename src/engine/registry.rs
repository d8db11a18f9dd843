//! The games by name.

use crate::eval::Evaluate;
use crate::notation::Notation;
use crate::rules::Variant;

/// A game with all traits that the engine needs.
pub trait Playable: Evaluate + Notation {}

impl<V: Evaluate + Notation> Playable for V {}

/// A generic operation on a game.
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
