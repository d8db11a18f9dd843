//! Write access to a position, for the rules of its game.

use super::Position;
use crate::board::{Color, Move, Piece, Square, SquareSet};
use crate::rules::variant::{Set, Variant};
use std::ops::Deref;

/// Write access to a position, from which it can be read as well.
///
/// Only the hooks of a game get one: [`Variant::apply`] and [`Variant::revert`], and those of
/// [`Notation`](crate::notation::Notation) that read a FEN. No other code can break the invariants of a position:
///
/// ```compile_fail,E0624
/// use quintain::{rules::{Editor, Position}, variants::chess::Chess};
///
/// let mut start = Position::<Chess>::default();
/// let editor = Editor::new(&mut start);
/// ```
pub struct Editor<'a, V: Variant>(&'a mut Position<V>);

impl<V: Variant> Deref for Editor<'_, V> {
    type Target = Position<V>;

    #[inline(always)]
    fn deref(&self) -> &Position<V> {
        self.0
    }
}

impl<'a, V: Variant> Editor<'a, V> {
    /// Write access to `pos`.
    #[inline(always)]
    pub(crate) fn new(pos: &'a mut Position<V>) -> Self {
        Editor(pos)
    }

    // ---- Moves ------------------------------------------------------------------------------------------

    /// The game's own state.
    #[inline(always)]
    pub fn extra_mut(&mut self) -> &mut V::Extra {
        &mut self.0.state.extra
    }

    /// The move cannot be taken back by later moves: the fifty-move count starts again.
    #[inline]
    pub fn irreversible(&mut self) {
        self.0.state.halfmove = 0;
        self.0.state.reversible = 0;
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put_hashed(&mut self, square: Square, piece: Piece) {
        self.0.change_key(square, piece);
        self.put_unhashed(square, piece);
    }

    /// Removes the piece on an occupied square and returns it.
    #[inline]
    pub fn take_hashed(&mut self, square: Square) -> Piece {
        let piece = self.take_unhashed(square);
        self.0.change_key(square, piece);
        piece
    }

    /// [`Editor::put_hashed`] without the hash, for [`Variant::revert`]: undo restores the old hash.
    #[inline]
    pub fn put_unhashed(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.board[square].is_some() && self.geometry.all().has(square));
        let set = Set::<V>::single(square);
        self.0.colors[piece.color().index()] |= set;
        self.0.kinds[piece.kind().index()] |= set;
        self.0.board[square] = piece;
    }

    /// [`Editor::take_hashed`] without the hash, for [`Variant::revert`].
    #[inline]
    pub fn take_unhashed(&mut self, square: Square) -> Piece {
        let piece = self.board[square];
        debug_assert!(piece.is_some());
        let set = Set::<V>::single(square);
        self.0.colors[piece.color().index()] ^= set;
        self.0.kinds[piece.kind().index()] ^= set;
        self.0.board[square] = Piece::NONE;
        piece
    }

    /// Captures the piece on `square`, if there is one, and keeps it in `slot` (0..4) for [`Variant::revert`]. A
    /// capture is irreversible.
    #[inline]
    pub fn capture(&mut self, square: Square, slot: usize) {
        if self.board[square].is_some() {
            self.0.state.captured[slot] = self.take_hashed(square);
            self.irreversible();
        }
    }

    /// Puts back what [`Editor::capture`] captured with the same arguments.
    #[inline]
    pub fn uncapture(&mut self, square: Square, slot: usize) {
        let piece = self.state.captured[slot];
        if piece.is_some() {
            self.put_unhashed(square, piece);
        }
    }

    /// An ordinary move: captures the piece on the target, goes there, becomes what the move says.
    #[inline]
    pub fn apply_plain(&mut self, mv: Move) {
        self.capture(mv.to(), 0);
        let piece = self.take_hashed(mv.from());
        self.put_hashed(mv.to(), Piece::new(piece.color(), mv.becomes()));
    }

    /// Takes back [`Editor::apply_plain`].
    #[inline]
    pub fn revert_plain(&mut self, mv: Move) {
        let piece = self.take_unhashed(mv.to());
        self.put_unhashed(mv.from(), Piece::new(piece.color(), mv.kind()));
        self.uncapture(mv.to(), 0);
    }

    // ---- Setting up -------------------------------------------------------------------------------------

    /// Sets the side to move and the counters.
    pub(crate) fn set_counters(&mut self, side: Color, halfmove: u16, fullmove: u32) {
        self.0.side = side;
        self.0.state.halfmove = halfmove;
        self.0.fullmove = fullmove;
    }

    /// No move has led here.
    pub(crate) fn forget_last_move(&mut self) {
        self.0.state.last_move = Move::NONE;
        self.0.state.captured = [Piece::NONE; 4];
    }

    /// Computes the key, once pieces, side and extra state are in place.
    pub(crate) fn finish_setup(&mut self) {
        self.0.refresh_key();
    }
}
