//! The evaluation of chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network};
use quintain_core::network_file;
use std::sync::Arc;

impl Inputs for Chess {
    const KING_BUCKETS: bool = true;
}

impl Evaluate for Chess {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, BISHOP];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        network_file!(Chess, "net.bin")
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
}
