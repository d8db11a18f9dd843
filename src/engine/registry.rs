//! The games by name.

use crate::eval::Evaluate;
use crate::notation::Notation;
use crate::rules::Variant;

/// A game with all that the engine needs of it.
pub trait Playable: Evaluate + Notation {}

impl<V: Evaluate + Notation> Playable for V {}

/// Work to be done with the type of a game.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does the work for game `V`.
    fn visit<V: Playable>(self) -> Self::Output;
}

macro_rules! registry {
    ($($game:ty),* $(,)?) => {
        /// The names of all games, in the order in which they are shown.
        pub const NAMES: &[&str] = &[$(<$game>::NAME),*];

        /// Does the work of `visitor` for the game called `name`; `None` if there is no such game.
        pub fn visit<T: Visitor>(name: &str, visitor: T) -> Option<T::Output> {
            match name {
                $(<$game>::NAME => Some(visitor.visit::<$game>()),)*
                _ => None,
            }
        }
    };
}
crate::for_each_variant!(registry);
