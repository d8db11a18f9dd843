//! Notation: special fields of the FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::{Lessons, Notation};

impl Notation for Chess {
    const LESSONS: Option<&'static Lessons> = Some(&lessons::LESSONS);

    const TEMPLATE: &'static str = "normal";

    fn read_en_passant(pos: &mut Editor<Self>, square: Square) -> Result<(), String> {
        pawns::read_en_passant(pos, square, 1, 2)
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| setup::rank_for::<Self>(color, square) == 7)
    }

    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        (mv.tag() == Tag::Castle)
            .then(|| if pos.geometry().file(mv.to()) > 4 { "O-O".into() } else { "O-O-O".into() })
    }
}
