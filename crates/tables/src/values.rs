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

/// The values with each side to move, White first, by the number of the position.
pub(super) type Sides = [Vec<u16>; 2];

/// The values of all positions of a material, with each side to move: numbers of the values in a list, of a byte each if
/// that is enough, as it nearly always is. Those of illegal positions are lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Values {
    /// The values that occur, ascending.
    pub list: Vec<u16>,
    pub codes: [Codes; 2],
}

/// Places in the list of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Codes {
    /// If the list has at most 256 values.
    Bytes(Vec<u8>),
    /// Otherwise.
    Words(Vec<u16>),
}

/// The bytes of each code for a list of so many values.
pub(super) const fn width(list: &[u16]) -> usize {
    if list.len() > 256 { 2 } else { 1 }
}

impl Values {
    pub(super) fn new(sides: &Sides) -> Values {
        let mut known = vec![false; 1 << 16];
        sides.iter().flatten().for_each(|&value| known[usize::from(value)] = true);
        known[usize::from(ILLEGAL)] = false;
        let list: Vec<u16> = (0..=u16::MAX).filter(|&value| known[usize::from(value)]).collect();
        let mut code_of = vec![0u16; 1 << 16];
        for (code, &value) in list.iter().enumerate() {
            code_of[usize::from(value)] = code as u16;
        }
        let codes = sides.each_ref().map(|side| {
            let mut last = 0;
            let codes = side.iter().map(|&value| {
                // Nobody asks for an illegal position: it is given whatever compresses best.
                last = if value == ILLEGAL { last } else { code_of[usize::from(value)] };
                last
            });
            match width(&list) {
                1 => Codes::Bytes(codes.map(|code| code as u8).collect()),
                _ => Codes::Words(codes.collect()),
            }
        });
        Values { list, codes }
    }

    /// The value of a position; that of an illegal one means nothing.
    #[inline]
    pub(super) fn get(&self, side: Color, number: usize) -> u16 {
        let code: u16 = match &self.codes[side.index()] {
            Codes::Bytes(codes) => codes[number].into(),
            Codes::Words(codes) => codes[number],
        };
        self.list[usize::from(code)]
    }

    /// The number of positions with each side to move.
    pub(super) fn size(&self) -> usize {
        match &self.codes[0] {
            Codes::Bytes(codes) => codes.len(),
            Codes::Words(codes) => codes.len(),
        }
    }

    /// Who wins, with the shortest distance instead of each.
    pub(super) fn without_distances(&self) -> Values {
        let plain = |&value: &u16| if is_win(value) { value_of(1) } else { value.min(value_of(0)) };
        let side = |side: Color| (0..self.size()).map(|number| plain(&self.get(side, number))).collect();
        Values::new(&Color::BOTH.map(side))
    }

    /// Makes an entry wrong.
    #[cfg(test)]
    pub(super) fn set(&mut self, side: Color, number: usize, value: u16) {
        let mut sides =
            Color::BOTH.map(|side| (0..self.size()).map(|at| self.get(side, at)).collect::<Vec<_>>());
        sides[side.index()][number] = value;
        *self = Values::new(&sides);
    }
}
