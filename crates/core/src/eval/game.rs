//! What a game defines for its evaluation, and questions about moves and pieces.

use super::features::Inputs;
use super::network::Network;
use crate::board::{Color, Kind, Move, SquareSet};
use crate::rules::{PieceDef, Position, Set};
use std::sync::Arc;

/// A score in units of the evaluation; positive is better for the side that is asked about. The units mean about the same
/// chances in all games, and are not centipawns.
pub type Score = i32;

/// A game that can be evaluated.
pub trait Evaluate: Inputs {
    /// The units that people are shown as a pawn: what an ordinary pawn is worth while the board is full.
    const PAWN: Score = match Self::PIECES[Self::PAWNS[0].index()].worth[0] {
        0 => 100,
        worth => worth,
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

    /// The number of kinds of pieces, all facings of a piece being one.
    #[inline]
    fn base_kinds() -> usize {
        const { base_kinds(Self::PIECES) }
    }

    /// The first of the kinds that differ from this one in their facing only.
    #[inline]
    fn base_kind(kind: Kind) -> usize {
        kind.index().min(Self::base_kinds() - 1)
    }

    /// What a kind is worth, see [`PieceDef::value`].
    #[inline]
    fn value(kind: Kind) -> Score {
        let values = const { values(Self::PIECES) };
        values[kind.index()]
    }
}

/// Kinds, not counting the facings of a piece but the first. These come last.
const fn base_kinds(pieces: &[PieceDef]) -> usize {
    let mut number = 1;
    while number < pieces.len() && pieces[number].letter != pieces[number - 1].letter {
        number += 1;
    }
    number
}

/// The values of all kinds.
const fn values(pieces: &[PieceDef]) -> [Score; Kind::COUNT] {
    let mut values = [0; Kind::COUNT];
    let mut i = 0;
    while i < pieces.len() {
        values[i] = pieces[i].value;
        i += 1;
    }
    values
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
