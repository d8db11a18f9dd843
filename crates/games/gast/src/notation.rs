//! Notation: special fields of the FEN, special moves, and explanations.

use super::lessons::Taught;
use super::*;
use quintain_core::notation::{Lessons, Notation};

impl<H: Taught> Notation for Gast<H> {
    const LESSONS: Option<&'static Lessons> = Some(H::LESSONS);

    fn read_en_passant(pos: &mut Editor<Self>, square: Square) -> Result<(), String> {
        pawns::read_en_passant(pos, square, 1, 4)
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| pos.tables().last[color.index()].has(square))
    }

    /// `Ki1/Ah1`, `Kk1/Rj1/Ah1`: where the king goes, and each partner.
    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        (mv.tag() == Tag::Castle).then(|| {
            let mut text = format!("K{}", pos.geometry().name(mv.to()));
            for &(from, to) in pos.tables().castlings.partners(pos.side(), mv) {
                let letter = Self::PIECES[pos.piece(from).kind().index()].letter.to_ascii_uppercase() as char;
                text += &format!("/{letter}{}", pos.geometry().name(to));
            }
            text
        })
    }
}
