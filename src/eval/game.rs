//! What a game says about its evaluation, and what the evaluation asks about moves and pieces.

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
    /// Do pawns go straight ahead, so that enemies of their kind stop them, and friends protect them?
    const PASSING: bool = true;
    /// For each kind of pawn the steps (files, ranks forward) on which it takes, if nothing between matters.
    const TAKING: &'static [&'static [Step]] = &[];
    /// Where the road to promotion begins, as a rank from 0 at its own side: one rank more is one step on it, of six.
    const ROAD: u8 = 0;
    /// Kinds that never leave squares of one colour.
    const COLOUR_BOUND: &'static [Kind] = &[];
    /// Kinds that do not attack the squares from which they are attacked by their own kind.
    const ONE_WAY: &'static [Kind] = &[];

    /// A network that corrects the sum of the weights, as [`Numbers::to_bytes`](super::net::Numbers::to_bytes) writes it.
    const NET: Option<&'static [u8]> = None;

    /// The tables made of the weights, built on first use.
    fn scores() -> &'static Scores<Set<Self>>;

    /// Among moves that differ only in what the piece becomes, which to try first: higher is earlier.
    fn preference(_pos: &Position<Self>, _mv: Move) -> Score {
        0
    }

    /// Where the king of a colour may still come to by castling, as far as its shield shall be judged there.
    fn castles_to(_pos: &Position<Self>, _color: Color) -> Set<Self> {
        Set::<Self>::EMPTY
    }

    /// Can `strong` make no progress, whatever it is ahead, once the pieces are off?
    fn fortress(_pos: &Position<Self>, _strong: Color) -> bool {
        false
    }

    /// Anything that only this game knows, from White's side, middlegame and endgame. Where it is not zero, no network
    /// has a say.
    fn special(_pos: &Position<Self>) -> (Score, Score) {
        (0, 0)
    }
}

/// What a move wins at once: the pieces that it takes, less friends that it runs over, and what a promotion adds.
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
