//! Scores: centipawns, and mates as numbers beyond all evaluations.

/// Centipawns, from the side to move.
pub type Score = i32;

/// The score of being mated is `-MATE`, and one closer to zero for each ply to go.
pub const MATE: Score = 32_000;
/// The longest line that is searched, in plies.
pub const MAX_PLY: usize = 128;
/// Scores beyond this are mates.
pub const MATE_BOUND: Score = MATE - 2 * MAX_PLY as Score;
/// Larger than any score.
pub const INFINITE: Score = MATE + 1;

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The true score is at most this: the search failed low.
    Upper = 1,
    /// The true score is at least this: the search failed high.
    Lower = 2,
    /// It is the true score, as far as the search has seen.
    #[default]
    Exact = 3,
}

/// Moves (not plies) to the mate that a score promises: positive for mating, negative for being mated, `None` when
/// it promises none.
pub fn moves_to_mate(score: Score) -> Option<i32> {
    if score >= MATE_BOUND {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        Some(-(MATE + score + 1) / 2)
    } else {
        None
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
}
