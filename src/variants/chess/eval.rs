//! What things are worth in chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};
use crate::rules::attacks::Step;

const WEIGHTS: Weights = Weights { kinds: KINDS, general: GENERAL, helpless: &[KNIGHT_, BISHOP] };

impl Evaluate for Chess {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const PAWNS: &'static [Kind] = &[PAWN];
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES];
    const ROAD: u8 = 1;
    const LADDER: &'static [u16] = &[317, 70, 166, 238, 150, 185, 202, 161, 141, 158];

    #[inline]
    fn castles_to(pos: &Position<Self>, color: Color) -> Set<Self> {
        let rights = pos.extra().castling >> (2 * color.index()) & 3;
        let rank = pos.geometry().rank(pos.king(color));
        let mut set = Set::<Self>::EMPTY;
        for (bit, _, _, to) in CASTLINGS {
            if rights & bit != 0 {
                set |= Set::<Self>::single(square(to, rank));
            }
        }
        set
    }

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Chess>>> = Lazy::new(Scores::new::<Chess>);
        &SCORES
    }
}
