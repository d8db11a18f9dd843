//! Endgames: which share of an advantage can be converted into a win, and mating a lone king.

use super::game::{Evaluate, Score, non_pawns, worth};
use crate::board::{Board, Color, Square, SquareSet};
use crate::rules::attacks::{KING_STEPS, Step};
use crate::rules::{Position, Set};

/// The whole advantage, on the scale of [`winnable`].
pub(super) const WHOLE: Score = 64;

/// Which share of its advantage `strong` can convert into a win, 0 to [`WHOLE`].
///
/// Without pawns the surplus must be more than a piece that cannot mate, and colour-bound pieces on different colours
/// can hold pawns up. The shares are near those usual in chess engines.
#[inline]
pub(super) fn winnable<V: Evaluate>(pos: &Position<V>, strong: Color) -> Score {
    if V::fortress(pos, strong) {
        return 0;
    }
    let own = pos.color(strong);
    let pieces = non_pawns(pos);
    if !own.meets(pos.pawns()) {
        let (ours, theirs) = (worth(pos, pieces & own), worth(pos, pieces.minus(own)));
        let helpless = V::HELPLESS.iter().map(|&kind| V::value(kind)).max().unwrap_or(0);
        if ours - theirs <= helpless {
            return match () {
                () if ours <= helpless => 0,
                () if theirs <= helpless => WHOLE / 16,
                () => WHOLE / 5,
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
            return WHOLE / 2;
        }
    }
    WHOLE
}

/// The score for `winner` against a lone king, if the network gives it `score`: drive the king to the edge, come near,
/// and take squares from it, unless the material cannot mate. Without pawns only the pieces count.
pub(super) fn against_lone_king<V: Evaluate>(pos: &Position<V>, winner: Color, score: Score) -> Score {
    let (king, victim) = (pos.king(winner), pos.king(!winner));
    let others = pos.color(winner) ^ Set::<V>::single(king);
    if others.is_empty() || V::fortress(pos, winner) {
        return 0;
    }
    if !others.many() && V::HELPLESS.contains(&pos.piece(others.first()).kind()) {
        return score / 16;
    }
    let geometry = pos.geometry();
    let apart = |a: u8, b: u8| Score::from(a.abs_diff(b));
    let (files, ranks) = (
        apart(geometry.file(king), geometry.file(victim)),
        apart(geometry.rank(king), geometry.rank(victim)),
    );
    let driven = 40 * Score::from(off_centre::<V>(victim));
    let near = 640 - 40 * files.max(ranks) - 8 * files.min(ranks);
    let shut_out = 4 * pos.vacant().minus(room(pos, winner)).count() as Score;
    let score = if pos.pawns().meets(others) { score } else { worth(pos, others) };
    score + driven + near + shut_out
}

/// The squares that the lone king of the other side could walk to if `winner` stood still.
fn room<V: Evaluate>(pos: &Position<V>, winner: Color) -> Set<V> {
    let mut room = pos.color(!winner);
    let occupied = pos.color(winner);
    let guarded = pos.color(winner).squares().fold(Set::<V>::EMPTY, |set, from| {
        set | V::attacks(pos, winner, pos.piece(from).kind(), from, occupied)
    });
    loop {
        let step = |set, &(files, ranks): &Step| set | pos.shift(room, files, ranks).minus(guarded);
        let wider = KING_STEPS.iter().fold(room, step);
        if wider == room {
            return room;
        }
        room = wider;
    }
}

/// Steps to the centre of the board, along the longer way.
fn off_centre<V: Evaluate>(square: Square) -> u8 {
    let geometry = V::Board::geometry();
    let half = |at: u8, size: u8| (2 * at).abs_diff(size - 1) / 2;
    half(geometry.file(square), V::Board::FILES).max(half(geometry.rank(square), V::Board::RANKS))
}
