//! The games by name.

use quintain_core::eval::{Network, NetworkError};
use quintain_core::rules::Variant;
use quintain_core::rules::setup::quoted;
use quintain_core::session::{AnyGame, GameInfo, Playable, Session};
use quintain_tables::{Endings, HasTables};
use std::sync::Arc;

/// A generic operation on a game. Its code is compiled for each game where it stands, which takes long if it uses much of
/// the library; what a [`Session`] offers is compiled already.
///
/// ```
/// use quintain::engine::{Playable, UnknownGame, Visitor, visit};
/// use quintain::rules::Position;
///
/// struct CountMoves;
/// impl Visitor for CountMoves {
///     type Output = u64;
///     fn visit<V: Playable>(self) -> u64 {
///         Position::<V>::default().count_moves()
///     }
/// }
/// assert_eq!(visit("canyon", CountMoves), Ok(16));
/// assert_eq!(visit("checkers", CountMoves), Err(UnknownGame("checkers".into())));
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

        #[cfg(not(target_family = "wasm"))]
        fn known(name: &str) -> Option<Known> {
            match name {
                $(<$game>::NAME => Some(Known::of::<$game>()),)*
                _ => None,
            }
        }

        /// Runs `visitor` for the game called `name`.
        pub fn visit<T: Visitor>(name: &str, visitor: T) -> Result<T::Output, UnknownGame> {
            match name {
                $(<$game>::NAME => Ok(visitor.visit::<$game>()),)*
                _ => Err(UnknownGame(name.to_owned())),
            }
        }
    };
}
crate::for_each_variant!(registry);

/// What a program knows of a game.
#[derive(Clone, Copy)]
struct Known {
    game: fn() -> &'static dyn AnyGame,
    endings: fn() -> &'static dyn Endings,
}

impl Known {
    fn of<V: Playable + HasTables>() -> Known {
        Known { game: V::any, endings: V::endings }
    }
}

/// A WebAssembly module knows only the games that it was given. The linker leaves out the others.
#[cfg(target_family = "wasm")]
mod given {
    use super::{HasTables, Known, Playable};
    use std::sync::{Mutex, PoisonError};

    static GAMES: Mutex<Vec<(&str, Known)>> = Mutex::new(Vec::new());

    /// Gives a WebAssembly module a game.
    pub fn give_game<V: Playable + HasTables>() {
        GAMES.lock().unwrap_or_else(PoisonError::into_inner).push((V::NAME, Known::of::<V>()));
    }

    pub(super) fn known(name: &str) -> Option<Known> {
        let games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().find(|(given, _)| *given == name).map(|&(_, known)| known)
    }
}
#[cfg(target_family = "wasm")]
pub use given::give_game;
#[cfg(target_family = "wasm")]
use given::known;

/// There is no game of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game called {}; the games are {}", quoted(.0), NAMES.join(", "))]
pub struct UnknownGame(pub String);

fn of(name: &str) -> Result<Known, UnknownGame> {
    known(name).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// The endgame tables of the game called `name`.
pub fn endings(name: &str) -> Result<&'static dyn Endings, UnknownGame> {
    Ok((of(name)?.endings)())
}

/// The first game that the program has.
pub fn first() -> &'static str {
    NAMES.iter().find(|name| known(name).is_some()).expect("a program with a game")
}

/// The game called `name`, in any letter case, as [`NAMES`] has it.
pub fn named(name: &str) -> Result<&'static str, UnknownGame> {
    let found = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| UnknownGame(name.to_owned()))
}

/// Opens the game called `name`, one of [`NAMES`], at its start.
pub fn open(name: &str) -> Result<Box<dyn Session>, UnknownGame> {
    Ok((of(name)?.game)().open())
}

/// The description of the game called `name`.
pub fn info(name: &str) -> Result<GameInfo, UnknownGame> {
    Ok((of(name)?.game)().info())
}

/// Reads the file of a network, whichever game it is for; see [`quintain_core::eval::network`].
pub fn read_network(bytes: &[u8]) -> Result<Arc<Network>, NetworkError> {
    let name = Network::game_of(bytes).ok_or(NetworkError::Format)?;
    // Of games that share it, the program may not have the one that it is named after.
    let game =
        NAMES.iter().filter_map(|game| Some((known(game)?.game)())).find(|game| game.info().network == name);
    game.ok_or(NetworkError::Format)?.read_network(bytes).map(Arc::new)
}

/// Gives the program the network of a file, where it is not built in; see [`Network::give`].
pub fn give_network(bytes: &[u8]) -> Result<(), NetworkError> {
    read_network(bytes).map(Network::give)
}
