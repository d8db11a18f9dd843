//! The pawn of most games.

use super::board::{Moves, Position, Square};

/// How the pawn of a game differs from others of its kind.
pub struct Pawn<'a> {
    /// The rank from which it may go two squares, counted from its own edge.
    pub double: Option<i32>,
    /// The letters it may become when it arrives on a square, and whether it may stay a pawn there.
    pub arrival: &'a dyn Fn(Square) -> (Vec<char>, bool),
}

impl Pawn<'_> {
    /// One step straight ahead, or two where that is allowed, over empty squares; captures
    /// diagonally ahead. Two steps let an enemy pawn take it on the square between.
    pub fn add_moves(&self, pos: &Position, from: Square, moves: &mut Moves) {
        let forward = pos.side.forward();
        let (one, two) = ((from.0, from.1 + forward), (from.0, from.1 + 2 * forward));
        if pos.is_empty(one) {
            self.add(from, one, pos.pawn_steps(from, one), moves);
            let may = self.double.is_some_and(|n| from.1 == pos.rank(pos.side, n));
            if may && pos.is_empty(two) {
                let mut after = pos.pawn_steps(from, two);
                after.en_passant = Some(one);
                self.add(from, two, after, moves);
            }
        }
        self.add_captures(pos, from, pos.pawn_attacks(from), moves);
    }

    /// Captures on those of the squares where there is something to capture.
    pub fn add_captures(&self, pos: &Position, from: Square, on: Vec<Square>, moves: &mut Moves) {
        for to in on {
            if let Some(after) = pos.pawn_takes(from, to) {
                self.add(from, to, after, moves);
            }
        }
    }

    /// One move that leads to `after`, with every promotion that it can bring.
    pub fn add(&self, from: Square, to: Square, after: Position, moves: &mut Moves) {
        let (letters, stays) = (self.arrival)(to);
        moves.add_promotions(from, to, &after, &letters);
        if stays {
            moves.add(from, to, after);
        }
    }
}

/// The usual arrival: on some squares the pawn must promote, on all others it cannot.
pub fn must_promote(there: bool, letters: &str) -> (Vec<char>, bool) {
    if there { (letters.chars().collect(), false) } else { (Vec::new(), true) }
}
