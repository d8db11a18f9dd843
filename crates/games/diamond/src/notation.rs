//! Notation: special fields of the FEN, special moves, and explanations.

use super::*;
use quintain_core::notation::{Lessons, Notation};

impl Notation for Diamond {
    const LESSONS: Option<&'static Lessons> = Some(&lessons::LESSONS);

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        let peak = [(4, 8), (4, 0)].map(|(file, rank)| DiamondBoard::geometry().square(file, rank));
        setup::check_pawns(pos, PAWN, true, |color, square| {
            pos.tables().promotes[color.index()].has(square) || peak[color.index()] == Some(square)
        })
    }

    fn explain(pos: &Position<Self>, from: Square, to: Square) -> Option<String> {
        let (geometry, piece) = (pos.geometry(), pos.piece(from));
        let sideways = [-1, 1].iter().any(|&files| geometry.step(from, files, 0) == Some(to));
        if piece.kind() != PAWN || !sideways {
            return None;
        }
        if let Some(ahead) = geometry.step(from, 0, piece.color().forward()) {
            return Some(format!(
                "a pawn steps sideways only where the board ends ahead, and {} is on the board",
                geometry.name(ahead)
            ));
        }
        pos.piece(to).is_some().then(|| {
            format!("a pawn's sideways step captures nothing, and {} is occupied", geometry.name(to))
        })
    }
}
