//! A square as an index into the bits of a [`Bitboard`](super::Bitboard), and arrays indexed by it.

use super::Piece;
use std::ops::{Index, IndexMut};

/// A square: the number of its bit in a bitboard, below 192. The [`Geometry`](super::Geometry) of a board maps it to
/// a file and rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// No square at all, where one may be missing (no en-passant square, for example).
    pub const NONE: Square = Square(255);

    /// The square with bit number `index` (0..192).
    #[inline]
    pub const fn new(index: usize) -> Square {
        debug_assert!(index < 192);
        Square(index as u8)
    }

    /// The square with these eight bits, which need not be a square of any board.
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Square {
        Square(bits)
    }

    /// The bit number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Is this a square, and not [`Square::NONE`]?
    #[inline]
    pub fn is_some(self) -> bool {
        self != Square::NONE
    }

    /// The square `delta` bits further on, which must exist.
    #[inline]
    pub const fn offset(self, delta: i16) -> Square {
        Square((self.0 as i16 + delta) as u8)
    }
}

/// One `T` for each square. It has 256 entries so that an index needs no bounds check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySquare<T>([T; 256]);

impl<T: Copy> BySquare<T> {
    /// The same value everywhere.
    pub const fn filled(value: T) -> Self {
        BySquare([value; 256])
    }
}

impl BySquare<Piece> {
    /// Makes the first `count` squares, a multiple of eight, equal to those of `other`, and calls `changed` with each
    /// that differed, what stood there and what stands there now. Eight squares are compared at a time.
    #[inline]
    pub fn update(&mut self, other: &Self, count: usize, mut changed: impl FnMut(Square, Piece, Piece)) {
        let (ours, _) = self.0[..count].as_chunks_mut::<8>();
        let (theirs, _) = other.0[..count].as_chunks::<8>();
        let word = |chunk: &[Piece; 8]| u64::from_le_bytes(chunk.map(Piece::bits));
        for (i, (old, new)) in ours.iter_mut().zip(theirs).enumerate() {
            let mut differences = word(old) ^ word(new);
            while differences != 0 {
                let at = (differences.trailing_zeros() / 8) as usize;
                differences &= !(0xff << (8 * at));
                changed(Square::new(8 * i + at), old[at], new[at]);
                old[at] = new[at];
            }
        }
    }
}

impl<T> Index<Square> for BySquare<T> {
    type Output = T;
    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.0[square.0 as usize]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.0 as usize]
    }
}
