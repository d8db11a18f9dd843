//! Notation: special fields of the FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::san::folded;
use quintain_core::notation::{Lessons, Notation};

impl Notation for Canyon {
    const LESSONS: Option<&'static Lessons> = Some(&lessons::LESSONS);

    const COUNTS: Option<&'static str> = Some("Moves made against a bare king");

    /// An exchange without the partner's square: `Q-N`.
    fn is_short_form(_pos: &Position<Self>, mv: Move, san: &str, text: &str) -> bool {
        let (san, text) = (folded(san), folded(text));
        mv.tag() == Tag::Swap && text.len() == 3 && text.contains('-') && san.starts_with(&text)
    }

    fn remark(pos: &Position<Self>) -> Option<String> {
        let bare = Color::BOTH.into_iter().find(|&color| pos.is_bare_king(color))?;
        let made = pos.extra().bare_king_moves;
        Some(format!("{bare}'s king is alone: {made} of the {MOVES_TO_MATE} moves to mate it are made"))
    }

    fn extra_field(pos: &Position<Self>) -> Option<String> {
        Some(pos.extra().bare_king_moves).filter(|&moves| moves > 0).map(|moves| moves.to_string())
    }

    fn read_extra(pos: &mut Editor<Self>, field: Option<&str>) -> Result<(), String> {
        let Some(field) = field else { return Ok(()) };
        let digits = field.bytes().all(|byte| byte.is_ascii_digit());
        let moves = field.parse::<u8>().ok().filter(|&moves| digits && moves <= MOVES_TO_MATE);
        let Some(moves) = moves else {
            return Err(format!(
                "{} is not a number of moves against a bare king from 0 to {MOVES_TO_MATE}",
                setup::quoted(field)
            ));
        };
        if moves > 0 && Color::BOTH.iter().filter(|&&color| pos.is_bare_king(color)).count() != 1 {
            return Err(format!("{moves} moves against a bare king, but not exactly one king is bare"));
        }
        pos.extra_mut().bare_king_moves = moves;
        Ok(())
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| pos.tables().promotes[color.index()].has(square))
    }

    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        let letter =
            |square| (Self::PIECES[pos.piece(square).kind().index()].letter as char).to_ascii_uppercase();
        let name = |square| pos.geometry().name(square);
        (mv.tag() == Tag::Swap).then(|| {
            let several = pos.pieces(pos.side(), mv.kind()).many();
            let from = if several { name(mv.from()) } else { String::new() };
            format!("{}{from}-{}{}", letter(mv.from()), letter(mv.to()), name(mv.to()))
        })
    }

    fn explain(pos: &Position<Self>, from: Square, to: Square) -> Option<String> {
        let (mover, partner) = (pos.piece(from), pos.piece(to));
        if !partner.is_some() || partner.color() != mover.color() {
            return None;
        }
        let name = |square| pos.geometry().name(square);
        let legal = |mv: &Move| mv.tag() == Tag::Swap && (mv.from(), mv.to()) == (to, from);
        if pos.legal_moves().iter().any(legal) {
            let piece = Self::PIECES[partner.kind().index()].name;
            return Some(format!("this exchange is written from the {piece}: {}{}", name(to), name(from)));
        }
        if mover.kind() != KING && mover.kind() != QUEEN {
            return None;
        }
        if !pos.tables().partners[from].has(to) {
            return Some(format!(
                "{} is not two files from {} on the same rank, so they cannot exchange",
                name(to),
                name(from)
            ));
        }
        if mover.kind() == QUEEN && partner.kind() == QUEEN {
            return Some("an exchange of queens changes nothing".into());
        }
        let between = pos.geometry().between(from, to) & pos.occupied();
        if between.any() {
            return Some(format!("the square {} between them is occupied", name(between.first())));
        }
        Some(if mover.kind() == KING {
            format!("the king would be attacked on {}", name(to))
        } else {
            "the exchange would leave the king in check".into()
        })
    }
}
