//! Endgames: scale factors where an advantage is hard to convert into a win, and mating a bare king.

use super::game::{Evaluate, Score, non_pawns, worth};
use crate::board::{Board, Color, Square, SquareSet};
use crate::rules::attacks::{KING_STEPS, Step};
use crate::rules::{Position, Set};

/// The scale factor of an advantage that counts in full.
pub(super) const FULL_SCALE: Score = 64;

/// The factor on an advantage of `strong`, 0 to [`FULL_SCALE`]: how much of it can be converted into a win.
///
/// Without pawns the surplus must be more than a piece that cannot mate, and colour-bound pieces on different colours
/// can hold pawns up. The factors are near those usual in chess engines.
#[inline]
pub(super) fn scale_factor<V: Evaluate>(pos: &Position<V>, strong: Color) -> Score {
    if V::fortress(pos, strong) {
        return 0;
    }
    let own = pos.color(strong);
    let pieces = non_pawns(pos);
    if !own.meets(pos.pawns()) {
        let (ours, theirs) = (worth(pos, pieces & own), worth(pos, pieces.minus(own)));
        let cannot_mate = V::CANNOT_MATE.iter().map(|&kind| V::value(kind)).max().unwrap_or(0);
        if ours - theirs <= cannot_mate {
            return match () {
                () if ours <= cannot_mate => 0,
                () if theirs <= cannot_mate => FULL_SCALE / 16,
                () => FULL_SCALE / 5,
            };
        }
    } else if !V::COLOUR_BOUND.is_empty() && !pieces.without_first().many() {
        let [ours, theirs] = [pieces & own, pieces.minus(own)];
        let bound = V::COLOUR_BOUND.iter().fold(Set::<V>::EMPTY, |set, &kind| set | pos.kind(kind));
        if ours.any()
            && theirs.any()
            && pieces.minus(bound).is_empty()
            && !pos.geometry().same_shade(ours.first(), theirs.first())
        {
            return FULL_SCALE / 2;
        }
    }
    FULL_SCALE
}

/// The score for `winner` against a bare king, if the network gives it `score`: drive the king to the edge, come near,
/// and take squares from it, unless the material cannot mate. Without pawns only the pieces count.
pub(super) fn against_bare_king<V: Evaluate>(pos: &Position<V>, winner: Color, score: Score) -> Score {
    let (king, bare) = (pos.king(winner), pos.king(!winner));
    let others = pos.color(winner) ^ Set::<V>::single(king);
    if others.is_empty() || V::fortress(pos, winner) {
        return 0;
    }
    if !others.many() && V::CANNOT_MATE.contains(&pos.piece(others.first()).kind()) {
        return score / 16;
    }
    let geometry = pos.geometry();
    let apart = |a: u8, b: u8| Score::from(a.abs_diff(b));
    let (files, ranks) =
        (apart(geometry.file(king), geometry.file(bare)), apart(geometry.rank(king), geometry.rank(bare)));
    let driven_to_edge = 40 * Score::from(centre_distance::<V>(bare));
    let near = 640 - 40 * files.max(ranks) - 8 * files.min(ranks);
    let shut_out = 4 * pos.vacant().minus(king_area(pos, winner)).count() as Score;
    let score = if pos.pawns().meets(others) { score } else { worth(pos, others) };
    score + driven_to_edge + near + shut_out
}

/// The squares that the bare king of the other side could walk to if `winner` stood still.
fn king_area<V: Evaluate>(pos: &Position<V>, winner: Color) -> Set<V> {
    let mut area = pos.color(!winner);
    let occupied = pos.color(winner);
    let attacked = pos.color(winner).squares().fold(Set::<V>::EMPTY, |set, from| {
        set | V::attacks(pos, winner, pos.piece(from).kind(), from, occupied)
    });
    loop {
        let step = |set, &(files, ranks): &Step| set | pos.shift(area, files, ranks).minus(attacked);
        let wider = KING_STEPS.iter().fold(area, step);
        if wider == area {
            return area;
        }
        area = wider;
    }
}

/// Steps from the centre of the board, by file or by rank, whichever are more.
fn centre_distance<V: Evaluate>(square: Square) -> u8 {
    let geometry = V::Board::geometry();
    let half = |at: u8, size: u8| (2 * at).abs_diff(size - 1) / 2;
    half(geometry.file(square), V::Board::FILES).max(half(geometry.rank(square), V::Board::RANKS))
}
