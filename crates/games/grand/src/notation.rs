//! Notation: special fields of the FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::{Lessons, Notation};

impl Notation for Grand {
    const LESSONS: Option<&'static Lessons> = Some(&lessons::LESSONS);

    const PROMOTES_TO_CAPTURED: bool = true;

    const TEMPLATE: &'static str = "grand";

    const HOLDINGS: u8 = 7;

    fn read_en_passant(pos: &mut Editor<Self>, square: Square) -> Result<(), String> {
        pawns::read_en_passant(pos, square, 2, 2)
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| setup::rank_for::<Self>(color, square) == 9)
    }

    fn explain(pos: &Position<Self>, from: Square, to: Square) -> Option<String> {
        let piece = pos.piece(from);
        let last = piece.kind() == PAWN && setup::rank_for::<Self>(piece.color(), to) == 9;
        (last && pawns::missing(pos, piece.color(), &SUPPLY).is_empty())
            .then(|| "no piece of that side has been captured, so the pawn cannot promote and may not enter the last rank".into())
    }
}
