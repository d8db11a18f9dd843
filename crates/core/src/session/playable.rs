//! What makes a game one that can be chosen by name.

use super::game::{Game, info};
use super::{GameInfo, Session};
use crate::board::{Color, Move, MoveList, Piece, Square};
use crate::eval::{Evaluate, Network, NetworkError};
use crate::notation::{FenError, MoveError, Notation, fen};
use crate::rules::{Outcome, Position};
use std::marker::PhantomData;

/// A game whose type is hidden, so that it can be chosen by name.
pub trait AnyGame: Sync {
    /// The description of the game.
    fn info(&self) -> GameInfo;
    /// A game in progress, at its start.
    fn open(&self) -> Box<dyn Session>;
    /// Reads the file of a network for this game; see [`eval::network`](crate::eval::network).
    fn read_network(&self, bytes: &[u8]) -> Result<Network, NetworkError>;
}

/// A game with all that the engine needs. Its functions are compiled in the crate of the game, and not again in crates that
/// call them, as generic code would be.
pub trait Playable: Evaluate + Notation {
    /// The game with its type hidden: [`any_game`] of this type.
    fn any() -> &'static dyn AnyGame;
    /// As [`fen::parse`].
    fn read_fen(fen: &str) -> Result<Position<Self>, FenError>;
    /// As [`fen::write`].
    fn write_fen(pos: &Position<Self>) -> String;
    /// As [`Arranger::arrange`](crate::rules::Arranger::arrange).
    fn arrange(side: Color, pieces: &[(Square, Piece)]) -> Option<Position<Self>>;
    /// As [`coords::parse`](crate::notation::coords::parse).
    fn read_move(pos: &Position<Self>, text: &str) -> Result<Move, MoveError>;
    /// As [`Position::legal_moves`].
    fn legal_moves(pos: &Position<Self>) -> MoveList;
    /// As [`Position::play_unchecked`].
    fn play(pos: &mut Position<Self>, mv: Move);
    /// As [`Position::outcome`].
    fn outcome(pos: &Position<Self>) -> Option<Outcome>;
}

/// Makes games [`Playable`]. All generic code is compiled for them where this stands.
#[macro_export]
macro_rules! playable {
    ($($game:ty),*) => {$(
        // What is inlined into another crate is compiled there again.
        impl $crate::session::Playable for $game {
            #[inline(never)]
            fn any() -> &'static dyn $crate::session::AnyGame {
                $crate::session::any_game::<Self>()
            }

            #[inline(never)]
            fn read_fen(fen: &str) -> Result<$crate::rules::Position<Self>, $crate::notation::FenError> {
                $crate::notation::fen::parse(fen)
            }

            #[inline(never)]
            fn write_fen(pos: &$crate::rules::Position<Self>) -> String {
                $crate::notation::fen::write(pos)
            }

            #[inline(never)]
            fn arrange(
                side: $crate::board::Color,
                pieces: &[($crate::board::Square, $crate::board::Piece)],
            ) -> Option<$crate::rules::Position<Self>> {
                $crate::rules::Arranger::<Self>::new().arrange(side, pieces).cloned()
            }

            #[inline(never)]
            fn read_move(
                pos: &$crate::rules::Position<Self>,
                text: &str,
            ) -> Result<$crate::board::Move, $crate::notation::MoveError> {
                $crate::notation::coords::parse(pos, text)
            }

            #[inline(never)]
            fn legal_moves(pos: &$crate::rules::Position<Self>) -> $crate::board::MoveList {
                pos.legal_moves()
            }

            #[inline(never)]
            fn play(pos: &mut $crate::rules::Position<Self>, mv: $crate::board::Move) {
                pos.play_unchecked(mv);
            }

            #[inline(never)]
            fn outcome(pos: &$crate::rules::Position<Self>) -> Option<$crate::rules::Outcome> {
                pos.outcome()
            }
        }
    )*};
}

/// What [`Playable::any`] returns.
pub fn any_game<V: Playable>() -> &'static dyn AnyGame {
    struct Of<V>(PhantomData<fn() -> V>);

    impl<V: Playable> AnyGame for Of<V> {
        fn info(&self) -> GameInfo {
            info::<V>()
        }

        fn open(&self) -> Box<dyn Session> {
            Box::new(Game::<V> { pos: fen::start() })
        }

        fn read_network(&self, bytes: &[u8]) -> Result<Network, NetworkError> {
            Network::from_bytes::<V>(bytes)
        }
    }

    &Of::<V>(PhantomData)
}
