//! The evaluation of Super Chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Score, Scores, Weights};

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[KNIGHT, BISHOP, ARCHER]);

const ONE_WAY: [Kind; 9] = {
    let mut kinds = [ARCHER; 9];
    let mut facing = 0;
    while facing < 8 {
        kinds[1 + facing] = cyclops(facing);
        facing += 1;
    }
    kinds
};

impl<const SETUP: bool> Evaluate for Super<SETUP> {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES, &SUPER_PAWN_TAKES];
    const ROAD: u8 = 2;
    const ONE_WAY: &'static [Kind] = &ONE_WAY;
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];
    const NET: Option<&'static [u8]> = Some(include_bytes!("net.bin"));

    fn scores() -> &'static Scores<S> {
        static SCORES: Lazy<Scores<S>> = Lazy::new(Scores::new::<SuperChess>);
        &SCORES
    }

    /// A new cyclops should face the enemies, preferably the king.
    fn preference(pos: &Position<Self>, mv: Move) -> Score {
        if !is_cyclops(mv.becomes()) {
            return 0;
        }
        let ahead = pos.tables().ahead[direction(pos.side(), mv.becomes())][mv.to()];
        let value = |square| match pos.piece(square).kind() {
            KING => 500,
            kind => WEIGHTS.value(kind) / 4,
        };
        1 + (ahead & pos.color(!pos.side())).squares().map(value).sum::<Score>()
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
