//! Scores: units of the evaluation, and mates as numbers beyond all evaluations. People are shown centipawns.

pub use crate::eval::Score;

/// The score of being mated is `-MATE`, and one closer to zero for each ply to go.
pub const MATE: Score = 32_000;
/// The longest line that is searched, in plies.
pub const MAX_PLY: usize = 128;
/// Scores beyond this are mates.
pub const MATE_BOUND: Score = MATE - 2 * MAX_PLY as Score;
/// Larger than any score.
pub const INFINITE: Score = MATE + 1;

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The true score is at most this: the search failed low.
    Upper = 1,
    /// The true score is at least this: the search failed high.
    Lower = 2,
    /// The score of a search inside its window.
    #[default]
    Exact = 3,
}

/// Moves (not plies) to the mate of a mate score: positive for mating, negative for being mated; `None` for other
/// scores.
pub fn moves_to_mate(score: Score) -> Option<i32> {
    if score >= MATE_BOUND {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        Some(-(MATE + score + 1) / 2)
    } else {
        None
    }
}

/// The score of mating in so many moves, at least one.
pub fn mate_in(moves: u32) -> Score {
    MATE + 1 - 2 * moves.min(MAX_PLY as u32) as Score
}

/// A score as people and protocols are shown it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UciScore {
    /// Centipawns: 100 are what an ordinary pawn is worth while the board is full.
    #[cfg_attr(feature = "serde", serde(rename = "cp"))]
    Centipawns(i32),
    /// Moves to a mate, as [`moves_to_mate`] counts them.
    #[cfg_attr(feature = "serde", serde(rename = "mate"))]
    Mate(i32),
}

impl UciScore {
    /// The score of a search in a game in which a pawn is worth `pawn` units
    /// ([`Evaluate::PAWN`](crate::eval::Evaluate::PAWN)).
    pub fn of(score: Score, pawn: Score) -> UciScore {
        if let Some(moves) = moves_to_mate(score) {
            return UciScore::Mate(moves);
        }
        let centipawns = (100 * score + score.signum() * pawn / 2) / pawn;
        UciScore::Centipawns(centipawns.clamp(1 - MATE_BOUND, MATE_BOUND - 1))
    }

    /// The score if 100 centipawns are 100 units. What is out of range, in the reports of other engines, becomes the
    /// nearest of its kind.
    pub fn score(self) -> Score {
        match self {
            UciScore::Centipawns(score) => score.clamp(1 - MATE_BOUND, MATE_BOUND - 1),
            UciScore::Mate(moves) if moves > 0 => {
                (MATE + 1).saturating_sub(moves.saturating_mul(2)).max(MATE_BOUND)
            }
            UciScore::Mate(moves) => (-MATE).saturating_sub(moves.saturating_mul(2)).min(-MATE_BOUND),
        }
    }

    /// A number for comparisons; mates are beyond all evaluations, those of other engines too.
    pub fn value(self) -> i32 {
        const MATE: i32 = 10_000_000;
        match self {
            UciScore::Centipawns(score) => score.clamp(-MATE / 2, MATE / 2),
            UciScore::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 4),
            UciScore::Mate(moves) => -MATE - moves.max(-MATE / 4),
        }
    }
}

/// Chances of win, draw and loss in permille that go with a score: a logistic curve on both sides of an even game
/// that is drawn half of the time. An estimate for display; no search depends on it.
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    let chance = |margin: f64| {
        (1000.0 / (1.0 + (-(f64::from(score) * margin.signum() - margin.abs()) / 110.0).exp())) as u32
    };
    let (win, loss) = (chance(120.0), chance(-120.0));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        // Mated on the board; mates next ply; is mated after its next move; mates in two.
        let counts = [-MATE, MATE - 1, -MATE + 2, MATE - 3].map(moves_to_mate);
        assert_eq!(counts, [Some(0), Some(1), Some(-1), Some(2)]);
        assert_eq!(moves_to_mate(MATE_BOUND - 1), None);
    }

    #[test]
    fn a_pawn_is_a_hundred_centipawns_whatever_it_is_worth() {
        for pawn in [64, 100, 171] {
            let shown =
                [pawn, -pawn, 0, 3 * pawn / 2, MATE - 3, -29_000].map(|score| UciScore::of(score, pawn));
            let cp = UciScore::Centipawns;
            assert_eq!(shown[..3], [cp(100), cp(-100), cp(0)]);
            assert!(shown[3] == cp(150) || shown[3] == cp(149), "{shown:?}");
            assert_eq!(shown[4], UciScore::Mate(2));
            // However small a pawn, an evaluation is no mate.
            assert!(shown[5].score() > -MATE_BOUND && shown[5].score() <= -16_000, "{shown:?}");
        }
    }

    #[test]
    fn a_score_comes_back_from_what_uci_reports() {
        for score in [0, -MATE, MATE - 1, 2 - MATE, MATE_BOUND - 1, 1 - MATE_BOUND] {
            assert_eq!(UciScore::of(score, 100).score(), score);
        }
        for moves in [i32::MAX, i32::MIN] {
            assert_eq!(UciScore::Mate(moves).score(), moves.signum() * MATE_BOUND);
            assert_eq!(UciScore::Centipawns(moves).score(), moves.signum() * (MATE_BOUND - 1));
        }
    }
}
