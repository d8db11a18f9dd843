//! The evaluation of chess.

use super::weights::{GENERAL, KINDS};
use super::*;
use crate::eval::{Evaluate, Scores, Weights};
use crate::rules::attacks::Step;

const WEIGHTS: Weights = Weights::new(KINDS, GENERAL, &[KNIGHT, BISHOP]);

impl Evaluate for Chess {
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const TAKING: &'static [&'static [Step]] = &[&PAWN_TAKES];
    const ROAD: u8 = 1;
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    #[inline]
    fn castles_to(pos: &Position<Self>, color: Color) -> Set<Self> {
        pos.tables().castlings.targets(color, pos.extra().castling())
    }

    /// Pawns on one edge file with only bishops of the wrong colour cannot win against a king in the corner.
    fn fortress(pos: &Position<Self>, strong: Color) -> bool {
        let (own, geometry) = (pos.color(strong), pos.geometry());
        let pawns = own & pos.kind(PAWN);
        let bishops = own & pos.kind(BISHOP);
        if pawns.is_empty() || own.minus(pawns | bishops | pos.kind(KING)).any() {
            return false;
        }
        let file = geometry.file(pawns.first());
        let corner = Board8x8::at(file, if strong == Color::White { 7 } else { 0 });
        (file == 0 || file == 7)
            && pawns.squares().all(|pawn| geometry.file(pawn) == file)
            && bishops.squares().all(|bishop| !geometry.same_shade(bishop, corner))
            && geometry.steps(pos.king(!strong), corner) <= 1
    }

    fn scores() -> &'static Scores<Set<Self>> {
        static SCORES: Lazy<Scores<Set<Chess>>> = Lazy::new(Scores::new::<Chess>);
        &SCORES
    }
}
