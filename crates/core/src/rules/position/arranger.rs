//! Positions set up by their pieces, for code that goes through all positions of a kind.

use super::{Editor, Position};
use crate::board::{Color, Piece, Square, SquareSet};
use crate::rules::variant::Variant;

/// A board on which one position after the other is set up. That is much faster than reading them from text.
///
/// ```
/// use quintain::board::{Color, Kind, Piece};
/// use quintain::rules::{Arranger, Variant};
/// use quintain::variants::chess::Chess;
///
/// let at = |name: &str| quintain::rules::Position::<Chess>::default().geometry().read(name).unwrap().0;
/// let king = |color| Piece::new(color, Chess::ROYAL);
/// let mut board = Arranger::<Chess>::new();
/// let kings = [(at("a1"), king(Color::White)), (at("h8"), king(Color::Black))];
/// assert_eq!(board.arrange(Color::White, &kings).unwrap().count_moves(), 3);
/// // Kings side by side.
/// let kings = [(at("a1"), king(Color::White)), (at("a2"), king(Color::Black))];
/// assert!(board.arrange(Color::White, &kings).is_none());
/// ```
pub struct Arranger<V: Variant>(Position<V>);

impl<V: Variant> Default for Arranger<V> {
    fn default() -> Self {
        Arranger(Position::empty())
    }
}

impl<V: Variant> Arranger<V> {
    /// An empty board.
    pub fn new() -> Self {
        Self::default()
    }

    /// The position with exactly these pieces, and without rights, counts and moves before. `None` if it is not legal: two
    /// pieces on a square, not one royal piece a side, or the side not to move in check. Where pawns may stand is not
    /// checked.
    #[inline]
    pub fn arrange(&mut self, side: Color, pieces: &[(Square, Piece)]) -> Option<&mut Position<V>> {
        let pos = &mut self.0;
        pos.past.clear();
        let mut editor = Editor::new(pos);
        for square in editor.occupied().squares() {
            editor.take_hashed(square);
        }
        for &(square, piece) in pieces {
            if editor.occupied().has(square) {
                return None;
            }
            editor.put_hashed(square, piece);
        }
        *editor.extra_mut() = Default::default();
        editor.irreversible();
        editor.set_counters(side, 0, 1);
        editor.forget_last_move();
        let kings = pos.kind(V::ROYAL);
        if Color::BOTH.iter().any(|&color| !single(kings & pos.color(color))) {
            return None;
        }
        if V::checkers(pos, !side).any() {
            return None;
        }
        Editor::new(pos).finish_setup();
        Some(pos)
    }
}

fn single<S: SquareSet>(set: S) -> bool {
    set.any() && !set.many()
}
