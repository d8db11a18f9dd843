//! How games end.

use super::{Position, Variant};
use crate::board::{Color, SquareSet};
use std::fmt;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move is attacked and has no legal move.
    Checkmate,
    /// The side to move is not attacked and has no legal move.
    Stalemate,
    /// Canyon Chess: a bare king was not mated within ten moves.
    TenMoves,
    /// Only the two royal pieces are left.
    BareKings,
    /// The position occurred for the third time.
    Repetition,
    /// A hundred plies without an irreversible move.
    FiftyMoves,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 6] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::TenMoves,
        Reason::BareKings,
        Reason::Repetition,
        Reason::FiftyMoves,
    ];

    /// The name for programs, "fifty_moves".
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::TenMoves => "ten_moves",
            Reason::BareKings => "bare_kings",
            Reason::Repetition => "repetition",
            Reason::FiftyMoves => "fifty_moves",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why it is over.
    pub reason: Reason,
}

impl Outcome {
    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// The result as PGN and CECP write it.
    pub fn score(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Checkmate => {
                let winner = self.winner.expect("a mate has a winner");
                write!(f, "{winner} mates")
            }
            Reason::Stalemate => f.write_str("Stalemate"),
            Reason::TenMoves => f.write_str("Draw by the ten-move rule"),
            Reason::BareKings => f.write_str("Draw by bare kings"),
            Reason::Repetition => f.write_str("Draw by repetition"),
            Reason::FiftyMoves => f.write_str("Draw by the fifty-move rule"),
        }
    }
}

impl<V: Variant> Position<V> {
    /// The result if the game is over. If several reasons apply, the first of: checkmate, stalemate,
    /// the game's own rule, bare kings, third occurrence, fifty moves.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.count_moves() == 0 {
            return Some(if self.in_check() {
                Outcome { winner: Some(!self.side()), reason: Reason::Checkmate }
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        self.drawn_by_rule(true)
    }

    /// A draw by a rule that does not depend on the legal moves. With `strict`, a repetition counts from the third
    /// occurrence; otherwise from the second, as searches do.
    #[inline]
    pub fn drawn_by_rule(&self, strict: bool) -> Option<Outcome> {
        if let Some(outcome) = V::adjudicate(self) {
            return Some(outcome);
        }
        if self.occupied().count() == 2 {
            return Some(Outcome::draw(Reason::BareKings));
        }
        let (needed, by_count) = (if strict { 2 } else { 1 }, self.halfmove() >= 100);
        // A search need not know whether there is another reason, and finding out takes the longer the more moves are
        // counted.
        if (strict || !by_count) && self.halfmove() >= 4 && self.repetitions(0).0 >= needed {
            return Some(Outcome::draw(Reason::Repetition));
        }
        by_count.then_some(Outcome::draw(Reason::FiftyMoves))
    }
}
