//! Adjudication of games by the scores of the engines. Pure arithmetic.

use quintain_core::board::Color;

/// A game is drawn when the scores of both engines stay near zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move, counted from 1 at the start of play.
    pub from_move: u64,
    /// For so many moves of each side in a row.
    pub moves: u64,
    /// Both scores have been within this many centipawns of zero.
    pub score: i32,
}

/// A game is lost for an engine whose own scores stay low.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// For so many of its moves in a row.
    pub moves: u64,
    /// Its score has been this many centipawns below zero, or worse.
    pub score: i32,
    /// The opponent's scores must agree for as long.
    pub both: bool,
}

/// The rules of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Draws.
    pub draw: Option<DrawRule>,
    /// Losses.
    pub resign: Option<ResignRule>,
    /// A game that has lasted so many moves of each side is drawn.
    pub max_moves: Option<u64>,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A draw by agreement.
    Draw,
    /// This side wins.
    Win(Color),
    /// A draw because of the game's length.
    TooLong,
}

/// Tracks the scores of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: u64,
    /// Plies in a row that looked drawn.
    even: u64,
    /// For each side, its moves in a row that looked lost, and won.
    lost: [u64; 2],
    won: [u64; 2],
}

impl Adjudicator {
    /// For a game at its first move.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, plies: 0, even: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Records a move with its score for the side that made it. Without a score nothing is concluded from it.
    pub fn record(&mut self, side: Color, score: Option<i32>) -> Option<Decision> {
        self.plies += 1;
        if let Some(rule) = self.rules.draw {
            let even = score.is_some_and(|score| score.abs() <= rule.score);
            self.even = if even { self.even + 1 } else { 0 };
            if self.plies >= rule.from_move.saturating_mul(2) && self.even >= rule.moves.saturating_mul(2) {
                return Some(Decision::Draw);
            }
        }
        if let Some(rule) = self.rules.resign {
            let count = |count: &mut u64, more: bool| *count = if more { *count + 1 } else { 0 };
            count(&mut self.lost[side.index()], score.is_some_and(|score| score <= -rule.score));
            count(&mut self.won[side.index()], score.is_some_and(|score| score >= rule.score));
            for loser in Color::BOTH {
                let agreed = !rule.both || self.won[(!loser).index()] >= rule.moves;
                if self.lost[loser.index()] >= rule.moves && agreed {
                    return Some(Decision::Win(!loser));
                }
            }
        }
        let too_long = self.rules.max_moves.is_some_and(|moves| self.plies >= moves.saturating_mul(2));
        too_long.then_some(Decision::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decisions after each ply, White beginning.
    fn decisions(rules: Adjudication, scores: &[Option<i32>]) -> Vec<Option<Decision>> {
        let mut watch = Adjudicator::new(rules);
        let sides = [Color::White, Color::Black].into_iter().cycle();
        sides.zip(scores).map(|(side, &score)| watch.record(side, score)).collect()
    }

    #[test]
    fn draws_need_both_sides_and_enough_moves() {
        let rules = Adjudication {
            draw: Some(DrawRule { from_move: 3, moves: 2, score: 10 }),
            ..Adjudication::default()
        };
        let even = [Some(10); 6];
        assert_eq!(decisions(rules, &even)[4..], [None, Some(Decision::Draw)]);
        let disputed = [Some(0), Some(0), Some(0), Some(11), Some(0), Some(-10), Some(0), Some(0)];
        assert_eq!(decisions(rules, &disputed)[6..], [None, Some(Decision::Draw)]);
        let silent = [Some(0), None, Some(0), None, Some(0), None, Some(0), None];
        assert_eq!(decisions(rules, &silent), [None; 8]);
    }

    #[test]
    fn engines_resign_by_their_own_score_or_with_the_opponents_consent() {
        let resign = ResignRule { moves: 2, score: 500, both: false };
        let rules = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let scores = [Some(0), Some(-500), Some(0), Some(-900)];
        assert_eq!(decisions(rules, &scores)[2..], [None, Some(Decision::Win(Color::White))]);
        let both = Adjudication { resign: Some(ResignRule { both: true, ..resign }), ..rules };
        assert_eq!(decisions(both, &scores), [None; 4]);
        let scores = [Some(-600), Some(600), Some(-600), Some(600)];
        assert_eq!(decisions(both, &scores)[2..], [None, Some(Decision::Win(Color::Black))]);
        let recovers = [Some(-600), Some(0), Some(-400), Some(0), Some(-600), Some(0)];
        assert_eq!(decisions(rules, &recovers), [None; 6]);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(decisions(rules, &[None; 4]), [None, None, None, Some(Decision::TooLong)]);
    }
}
