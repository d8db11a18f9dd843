//! Endgames: which share of an advantage can be converted into a win, and mating a lone king.

use super::game::{Evaluate, Score, non_pawns};
use super::scores::Scores;
use crate::board::{Color, SquareSet};
use crate::rules::{Position, Set};

/// The whole advantage, on the scale of [`Stage::winnable`].
pub(super) const WHOLE: Score = 64;

/// The phase of a game.
pub(super) struct Stage {
    /// The value of the non-pawns of both sides, at most that of the start.
    pub(super) phase: Score,
    /// Which share of an advantage in the endgame can be converted into a win, 0 to [`WHOLE`].
    pub(super) winnable: Score,
}

impl Stage {
    /// By colour, non-pawns are worth `worth` centipawns; `end` is the score of the endgame, from White's side.
    #[inline]
    pub(super) fn new<V: Evaluate>(
        pos: &Position<V>,
        scores: &Scores<Set<V>>,
        worth: [Score; 2],
        end: Score,
    ) -> Self {
        let [white, black] = worth;
        let strong = if end > 0 { Color::White } else { Color::Black };
        Stage { phase: (white + black).min(scores.opening), winnable: winnable(pos, worth, strong) }
    }
}

/// [`Stage::winnable`] if the advantage is that of `strong`. By colour, non-pawns are worth `worth` centipawns.
///
/// Fewer pawns win less often; without any, the surplus must be more than a piece that cannot mate; and colour-bound
/// pieces on different colours can hold pawns up. The shares are near those usual in chess engines and predict
/// results well.
#[inline]
fn winnable<V: Evaluate>(pos: &Position<V>, worth: [Score; 2], strong: Color) -> Score {
    let own = pos.color(strong);
    let count = (own & pos.pawns()).count() as Score;
    if count == 0 {
        let [ours, theirs] = [strong, !strong].map(|color| worth[color.index()]);
        let helpless = V::WEIGHTS.helpless.iter().map(|&kind| V::WEIGHTS.value(kind)).max().unwrap_or(0);
        if ours - theirs <= helpless {
            return match () {
                () if ours <= helpless => 0,
                () if theirs <= helpless => WHOLE / 16,
                () => WHOLE / 5,
            };
        }
    }
    if V::fortress(pos, strong) {
        return 0;
    }
    let pieces = non_pawns(pos);
    let [ours, theirs] = [pieces & own, pieces.minus(own)];
    if ours.count() == 1 && theirs.count() == 1 {
        let bound = V::COLOUR_BOUND.iter().fold(Set::<V>::EMPTY, |set, &kind| set | pos.kind(kind));
        if pieces.minus(bound).is_empty() && !pos.geometry().same_shade(ours.first(), theirs.first()) {
            return WHOLE / 5;
        }
    }
    WHOLE.min(36 + 14 * count)
}

/// The score, from White's side, when `winner` plays against a lone king: drive it to the edge and come near, unless
/// the material cannot mate. Without pawns only the pieces count.
pub(super) fn against_lone_king<V: Evaluate>(pos: &Position<V>, winner: Color, score: Score) -> Score {
    let (king, victim) = (pos.king(winner), pos.king(!winner));
    let others = pos.color(winner) ^ Set::<V>::single(king);
    if others.is_empty() || V::fortress(pos, winner) {
        return 0;
    }
    if !others.many() && V::WEIGHTS.helpless.contains(&pos.piece(others.first()).kind()) {
        return score / 16;
    }
    let geometry = pos.geometry();
    let apart = |a: u8, b: u8| Score::from(a.abs_diff(b));
    let (files, ranks) = (
        apart(geometry.file(king), geometry.file(victim)),
        apart(geometry.rank(king), geometry.rank(victim)),
    );
    let driven = 40 * Score::from(V::scores().off_centre[victim]);
    let near = 400 - 20 * files.max(ranks) - 4 * files.min(ranks);
    let score = if pos.pawns().meets(others) {
        Score::from(winner.forward()) * score
    } else {
        others.squares().map(|square| V::WEIGHTS.value(pos.piece(square).kind())).sum()
    };
    Score::from(winner.forward()) * (score + driven + near)
}
