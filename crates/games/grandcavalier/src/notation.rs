//! Notation: special fields of the FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::{Lessons, Notation};

impl Notation for GrandCavalier {
    const LESSONS: Option<&'static Lessons> = Some(&lessons::LESSONS);

    const PROMOTES_TO_CAPTURED: bool = true;

    // XBoard's own Grand Chess refuses promotion to pieces that it has not seen captured.
    const TEMPLATE: &'static str = "courier";

    const UNLETTERED: Option<Kind> = None;

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, CAVALIER, false, |color, square| pos.tables().last[color.index()].has(square))
    }

    fn explain(pos: &Position<Self>, from: Square, to: Square) -> Option<String> {
        let (t, piece, occupied) = (pos.tables(), pos.piece(from), pos.occupied());
        let name = |square| pos.geometry().name(square);
        match piece.kind() {
            CAVALIER if t.knight[from].has(to) => {
                let leg = t.beside[from] & t.corner[to];
                if leg.meets(occupied) {
                    return Some(format!("the cavalier is blocked by the piece on {}", name(leg.first())));
                }
                (t.last[piece.color().index()].has(to) && pawns::missing(pos, piece.color(), &SUPPLY).is_empty()).then(|| {
                    "no piece of that side has been captured, so the cavalier cannot promote and may not enter the last rank".into()
                })
            }
            CANNON if t.lines[from].has(to) => {
                let between = (pos.geometry().between(from, to) & occupied).count();
                match (pos.piece(to).is_some(), between) {
                    (true, n) if n != 1 => {
                        Some(format!("a cannon captures beyond exactly one piece, here there are {n}"))
                    }
                    (false, n) if n > 0 => Some("a cannon jumps only to capture".into()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
