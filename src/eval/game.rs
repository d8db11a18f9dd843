//! What a game defines for its evaluation, and questions about moves and pieces.

use super::scores::Scores;
use super::weights::Weights;
use crate::board::{Color, Kind, Move, SquareSet};
use crate::rules::attacks::Step;
use crate::rules::{Position, Set, Variant};

/// A score in centipawns; positive is better for the side that is asked about.
pub type Score = i32;

/// A game that can be evaluated.
pub trait Evaluate: Variant {
    /// The weights of its terms.
    const WEIGHTS: &'static Weights;
    /// Do pawns go straight ahead, so that enemy pawns can stop them and own pawns protect them?
    const PASSING: bool = true;
    /// For each kind of pawn, the steps (files, ranks forward) of captures that cannot be blocked.
    const TAKING: &'static [&'static [Step]] = &[];
    /// The rank, from 0 at its own side, where the six steps of a passed pawn begin.
    const ROAD: u8 = 0;
    /// Kinds that never leave squares of one colour.
    const COLOUR_BOUND: &'static [Kind] = &[];
    /// Kinds whose attacks are not mutual: attacked by a piece of the same kind, they may not attack it.
    const ONE_WAY: &'static [Kind] = &[];

    /// A network that corrects the sum of the weights, as [`Numbers::to_bytes`](super::net::Numbers::to_bytes) writes
    /// it.
    const NET: Option<&'static [u8]> = None;

    /// The tables computed from the weights, built on first use.
    fn scores() -> &'static Scores<Set<Self>>;

    /// The order of moves that differ only in what the piece becomes: higher is earlier.
    fn preference(_pos: &Position<Self>, _mv: Move) -> Score {
        0
    }

    /// The squares that the king of a colour may still reach by castling, where its pawn shield is evaluated too.
    fn castles_to(_pos: &Position<Self>, _color: Color) -> Set<Self> {
        Set::<Self>::EMPTY
    }

    /// Can `strong` not win, however far it is ahead, because of a fortress?
    fn fortress(_pos: &Position<Self>, _strong: Color) -> bool {
        false
    }

    /// A term of this game only, from White's side, for middlegame and endgame. Where it is not zero, the network is
    /// not used.
    fn special(_pos: &Position<Self>) -> (Score, Score) {
        (0, 0)
    }
}

/// The material that a move wins: captured enemies, less captured pieces of its own side, plus the gain by promotion.
#[inline]
pub fn gain<V: Evaluate>(pos: &Position<V>, mv: Move) -> Score {
    let mut gain = V::WEIGHTS.value(mv.becomes()) - V::WEIGHTS.value(mv.kind());
    V::taken(pos, mv).squares().for_each(|square| {
        let piece = pos.piece(square);
        let value = V::WEIGHTS.value(piece.kind());
        gain += if piece.color() == pos.side() { -value } else { value };
    });
    gain
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
