//! What a game defines for its evaluation, and questions about moves and pieces.

use super::features::Inputs;
use super::network::Network;
use crate::board::{Color, Kind, Move, SquareSet};
use crate::rules::{Position, Set};
use std::sync::Arc;

/// A score in units of the evaluation; positive is better for the side that is asked about. The units mean about the same
/// chances in all games, and are not centipawns.
pub type Score = i32;

/// A game that can be evaluated.
pub trait Evaluate: Inputs {
    /// What the kinds of pieces are worth: for exchanges, for move ordering, and as the part of the evaluation that the
    /// network need not learn. The royal piece counts nothing. Kinds without an entry, such as the facings of a piece but
    /// the first, are worth as much as the last.
    const VALUES: &'static [Score];
    /// What the evaluation, network and all, loses on average when a piece is taken away, while the board is full and when
    /// it is nearly empty: an entry for each of [`Evaluate::VALUES`], for people. `quintain values GAME --measure` measures
    /// them; empty as long as nobody has.
    const WORTH: &'static [[Score; 2]] = &[];
    /// The units that people are shown as a pawn: what an ordinary pawn is worth while the board is full.
    const PAWN: Score = match Self::WORTH {
        [] => 100,
        worth => worth[Self::PAWNS[0].index()][0],
    };
    /// Pieces that cannot force mate alone with their king against a bare king.
    const CANNOT_MATE: &'static [Kind];
    /// Kinds that never leave squares of one colour.
    const COLOUR_BOUND: &'static [Kind] = &[];
    /// The network of the program, read on first use.
    fn network() -> &'static Arc<Network>;

    /// The network that plays: `own` if it is for this game, or that of the program.
    fn network_or(own: Option<&Arc<Network>>) -> &Arc<Network> {
        own.filter(|own| own.game() == Self::NETWORK_GAME).unwrap_or_else(|| Self::network())
    }

    /// The order of moves that differ only in what the piece becomes: higher is earlier.
    fn preference(_pos: &Position<Self>, _mv: Move) -> Score {
        0
    }

    /// Can `strong` not win, however far it is ahead, because of a fortress?
    fn fortress(_pos: &Position<Self>, _strong: Color) -> bool {
        false
    }

    /// The value of pieces that are still to be placed, White's less Black's.
    fn in_hand(_pos: &Position<Self>) -> Score {
        0
    }

    /// The number of entries of [`Evaluate::VALUES`]: kinds of pieces, all facings of a piece being one.
    #[inline]
    fn base_kinds() -> usize {
        Self::VALUES.len()
    }

    /// The entry of a kind in [`Evaluate::VALUES`].
    #[inline]
    fn base_kind(kind: Kind) -> usize {
        kind.index().min(Self::VALUES.len() - 1)
    }

    /// What a kind is worth.
    #[inline]
    fn value(kind: Kind) -> Score {
        let values = const { table(Self::VALUES) };
        values[kind.index()]
    }
}

/// The values of all kinds.
const fn table(values: &[Score]) -> [Score; Kind::COUNT] {
    let mut table = [0; Kind::COUNT];
    let mut i = 0;
    while i < Kind::COUNT {
        table[i] = values[if i < values.len() { i } else { values.len() - 1 }];
        i += 1;
    }
    table
}

/// The material that a move wins: captured enemies, less captured pieces of its own side, plus the gain by promotion.
#[inline]
pub fn gain<V: Evaluate>(pos: &Position<V>, mv: Move) -> Score {
    let mut gain = V::value(mv.becomes()) - V::value(mv.kind());
    V::taken(pos, mv).squares().for_each(|square| {
        let piece = pos.piece(square);
        let value = V::value(piece.kind());
        gain += if piece.color() == pos.side() { -value } else { value };
    });
    gain
}

/// What the pieces on these squares are worth together.
#[inline]
pub(super) fn worth<V: Evaluate>(pos: &Position<V>, squares: Set<V>) -> Score {
    squares.squares().map(|square| V::value(pos.piece(square).kind())).sum()
}

/// The pieces of both colours that are neither pawns nor kings.
#[inline]
pub(super) fn non_pawns<V: Evaluate>(pos: &Position<V>) -> Set<V> {
    pos.occupied().minus(pos.pawns() | pos.kind(V::ROYAL))
}

/// Has this colour a piece that is neither pawn nor king, so that zugzwang is unlikely?
#[inline]
pub fn has_non_pawns<V: Evaluate>(pos: &Position<V>, color: Color) -> bool {
    non_pawns(pos).meets(pos.color(color))
}
