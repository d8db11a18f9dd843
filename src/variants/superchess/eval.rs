//! What things are worth in Super Chess.

use super::*;
use crate::eval::{Evaluate, KindWeights, Score, Weights};

const WEIGHTS: Weights = Weights {
    kinds: &[
        // pawn
        KindWeights::pawn((85, 110), (4, 0)),
        // super pawn
        KindWeights::pawn((130, 150), (4, 0)),
        // knight
        KindWeights::man((290, 280), (4, 4), 4, (6, 5), 6),
        // bishop
        KindWeights::man((350, 350), (4, 5), 7, (3, 2), 5),
        // rook
        KindWeights::man((490, 560), (2, 4), 7, (0, 0), 7),
        // queen
        KindWeights::man((970, 1050), (1, 3), 15, (1, 3), 9),
        // king
        KindWeights::royal((-8, 10)),
        // archer
        KindWeights::man((360, 330), (3, 3), 7, (8, 5), 8),
        // cyclops, whatever its facing
        KindWeights::man((420, 400), (6, 5), 3, (6, 4), 10),
    ],
    advance: [(0, 0), (2, 4), (5, 10), (12, 24), (25, 45), (50, 80), (90, 130)],
    tempo: 12,
    shelter: 8,
    helpless: &[KNIGHT_, BISHOP, ARCHER],
    opening_material: 7700,
};

impl<const SETUP: bool> Evaluate for Super<SETUP> {
    const WEIGHTS: &'static Weights = &WEIGHTS;

    #[inline]
    fn advance(pos: &Position<Self>, color: Color, square: Square) -> usize {
        let kind = pos.piece(square).kind();
        let pawn = kind == PAWN || kind == SUPER_PAWN;
        if pawn { (setup::rank_for::<Self>(color, square) as usize).saturating_sub(2).min(6) } else { 0 }
    }

    /// A cyclops looks where the enemies are, and best at the king.
    fn preference(pos: &Position<Self>, mv: Move) -> Score {
        if !is_cyclops(mv.becomes()) {
            return 0;
        }
        let gaze = pos.tables().ahead[direction(pos.side(), mv.becomes())][mv.to()];
        let value = |square| match pos.piece(square).kind() {
            KING_ => 500,
            kind => WEIGHTS.value(kind) / 4,
        };
        1 + (gaze & pos.color(!pos.side())).squares().map(value).sum::<Score>()
    }

    /// While only White has placed its pawns, Black's are in hand and count as well.
    fn special(pos: &Position<Self>) -> (Score, Score) {
        if pos.extra().phase != Phase::BlackPlaces {
            return (0, 0);
        }
        let (pawn, super_pawn) = (WEIGHTS.kind(PAWN).value, WEIGHTS.kind(SUPER_PAWN).value);
        let hand = |pawn: i16, super_pawn: i16| -(8 * Score::from(pawn) + 2 * Score::from(super_pawn));
        (hand(pawn.0, super_pawn.0), hand(pawn.1, super_pawn.1))
    }
}
