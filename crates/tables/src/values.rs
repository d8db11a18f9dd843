//! The values of the positions of a material.
//!
//! A value is a number: 0 for a draw, else one more than the plies to mate. The side to move wins in an odd number of plies
//! and loses in an even one.

use quintain_core::board::Color;

/// A draw, or not decided yet.
pub(super) const DRAWN: u16 = 0;
/// Not a legal position.
pub(super) const ILLEGAL: u16 = u16::MAX;
/// Not lost, because some capture, promotion or the lack of moves draws.
pub(super) const SAFE: u16 = u16::MAX - 1;

/// The value of a mate in so many plies.
#[inline]
pub(super) const fn value_of(plies: u16) -> u16 {
    plies + 1
}

/// The plies to mate of a value that is won or lost.
#[inline]
pub(super) const fn distance_of(value: u16) -> u16 {
    value - 1
}

/// Does the side to move win?
#[inline]
pub(super) const fn is_win(value: u16) -> bool {
    value != DRAWN && value < SAFE && value.is_multiple_of(2)
}

/// Is the side to move mated, now or later?
#[inline]
pub(super) const fn is_loss(value: u16) -> bool {
    value < SAFE && value % 2 == 1
}

/// The values of all positions of a material: with White to move, then with Black to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Values([Vec<u16>; 2]);

impl Values {
    pub(super) fn new(sides: [Vec<u16>; 2]) -> Values {
        Values(sides)
    }

    /// Makes an entry wrong.
    #[cfg(test)]
    pub(super) fn set(&mut self, side: Color, number: usize, value: u16) {
        self.0[side.index()][number] = value;
    }

    /// The values with a side to move.
    #[inline]
    pub(super) fn of(&self, side: Color) -> &[u16] {
        &self.0[side.index()]
    }
}
