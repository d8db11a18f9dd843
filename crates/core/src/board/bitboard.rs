//! Sets of squares: `W` 64-bit words, one bit a square.
//!
//! Three words (192 bits) hold the largest board, 14x12. Smaller boards use fewer, because the number of words
//! is what a set operation costs.
//!
//! The loops of frequent operations count with `while`: in builds for tests, what a range does for a `for` loop may stay
//! a call, and was two thirds of the time in which endgame tables were built.

use super::Square;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares of any width.
///
/// The only implementation is [`Bitboard`]; the trait exists so that code can be generic over the width
/// without carrying a constant parameter everywhere.
pub trait SquareSet:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The number of 64-bit words.
    const WORDS: usize;
    /// The set without squares.
    const EMPTY: Self;
    /// Every bit, also those that are no square of the board.
    const ALL: Self;

    /// The set of one square.
    fn single(square: Square) -> Self;
    /// The bits of word `i`, which must be below [`SquareSet::WORDS`].
    fn word(self, i: usize) -> u64;
    /// The set with these words.
    fn from_words(word: impl FnMut(usize) -> u64) -> Self;
    /// Is `square` in the set?
    fn has(&self, square: Square) -> bool;
    /// Is no square in the set?
    fn is_empty(self) -> bool;
    /// The number of squares.
    fn count(self) -> u32;
    /// The square with the lowest index. The set must not be empty.
    fn first(self) -> Square;
    /// The square with the highest index. The set must not be empty.
    fn last(self) -> Square;
    /// The set without its lowest square.
    fn without_first(self) -> Self;
    /// Each square moved by `delta` bits; bits shifted out are lost.
    fn shifted(self, delta: i16) -> Self;
    /// The bits of the set at the squares of `mask`, packed into the low bits of a number. `mask` has at most
    /// 32 squares.
    fn pack(self, mask: Self) -> usize;
    /// The squares of `mask` that the low bits of `packed` select: the inverse of `pack`.
    fn unpack(packed: usize, mask: Self) -> Self;
    /// The products of each word with that of `factors`, in one number.
    fn product(self, factors: Self) -> u64;

    /// Is at least one square in the set?
    #[inline]
    fn any(self) -> bool {
        !self.is_empty()
    }
    /// Are there at least two squares in the set?
    #[inline]
    fn many(self) -> bool {
        self.without_first().any()
    }
    /// The set without the squares of `other`.
    #[inline]
    fn minus(self, other: Self) -> Self {
        self & !other
    }
    /// Do the sets share a square?
    #[inline]
    fn meets(self, other: Self) -> bool {
        (self & other).any()
    }
    /// The squares in ascending order of their index.
    #[inline]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone)]
pub struct Squares<S>(S);

impl<S: SquareSet> Iterator for Squares<S> {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }

    // One plain loop a word: half the work of asking for one square at a time. `for_each` runs this.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square) -> B>(self, start: B, mut step: F) -> B {
        let mut folded = start;
        let mut i = 0;
        while i < S::WORDS {
            let mut word = self.0.word(i);
            while word != 0 {
                folded = step(folded, Square::new(i * 64 + word.trailing_zeros() as usize));
                word &= word - 1;
            }
            i += 1;
        }
        folded
    }
}

/// A set of squares in `W` words; square `i` is bit `i % 64` of word `i / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitboard<const W: usize>([u64; W]);

impl<const W: usize> Default for Bitboard<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Debug for Bitboard<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.squares().map(Square::index)).finish()
    }
}

macro_rules! by_words {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl<const W: usize> $trait for Bitboard<W> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }
        impl<const W: usize> $assign_trait for Bitboard<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                let mut i = 0;
                while i < W {
                    self.0[i] $op other.0[i];
                    i += 1;
                }
            }
        }
    };
}
by_words!(BitAnd bitand BitAndAssign bitand_assign &=);
by_words!(BitOr bitor BitOrAssign bitor_assign |=);
by_words!(BitXor bitxor BitXorAssign bitxor_assign ^=);

impl<const W: usize> Not for Bitboard<W> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const W: usize> SquareSet for Bitboard<W> {
    const WORDS: usize = W;
    const EMPTY: Self = Bitboard([0; W]);
    const ALL: Self = Bitboard([!0; W]);

    #[inline]
    fn single(square: Square) -> Self {
        // Each word computed, none written by index: a set that comes out of memory in another width than it went in
        // stalls the processor.
        Bitboard(std::array::from_fn(|i| u64::from(square.index() / 64 == i) << (square.index() % 64)))
    }

    #[inline]
    fn word(self, i: usize) -> u64 {
        self.0[i]
    }

    #[inline]
    fn from_words(word: impl FnMut(usize) -> u64) -> Self {
        Bitboard(std::array::from_fn(word))
    }

    #[inline]
    fn has(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Square {
        debug_assert!(self.any());
        let mut i = 0;
        while i + 1 < W && self.0[i] == 0 {
            i += 1;
        }
        Square::new(i * 64 + (self.0[i].trailing_zeros() as usize & 63))
    }

    #[inline]
    fn last(self) -> Square {
        debug_assert!(self.any());
        let mut i = W - 1;
        while i > 0 && self.0[i] == 0 {
            i -= 1;
        }
        Square::new(i * 64 + ((63 - self.0[i].leading_zeros() as usize) & 63))
    }

    #[inline]
    fn without_first(mut self) -> Self {
        let mut i = 0;
        while i + 1 < W && self.0[i] == 0 {
            i += 1;
        }
        self.0[i] &= self.0[i].wrapping_sub(1);
        self
    }

    #[inline(always)]
    fn shifted(self, delta: i16) -> Self {
        let mut out = [0; W];
        let (words, bits) = (delta.unsigned_abs() as usize / 64, u32::from(delta.unsigned_abs()) % 64);
        for i in words..W {
            if delta > 0 {
                let carried = if bits > 0 && i > words { self.0[i - words - 1] >> (64 - bits) } else { 0 };
                out[i] = self.0[i - words] << bits | carried;
            } else {
                let carried = if bits > 0 && i + 1 < W { self.0[i + 1] << (64 - bits) } else { 0 };
                out[i - words] = self.0[i] >> bits | carried;
            }
        }
        Bitboard(out)
    }

    #[inline]
    fn pack(self, mask: Self) -> usize {
        let (mut packed, mut used) = (0, 0);
        for i in 0..W {
            packed |= bits::extract(self.0[i], mask.0[i]) << used;
            used += mask.0[i].count_ones();
        }
        packed as usize
    }

    #[inline]
    fn unpack(packed: usize, mask: Self) -> Self {
        let (mut set, mut used) = (Self::EMPTY, 0);
        for i in 0..W {
            set.0[i] = bits::deposit(packed as u64 >> used, mask.0[i]);
            used += mask.0[i].count_ones();
        }
        set
    }

    #[inline(always)]
    fn product(self, factors: Self) -> u64 {
        // Without carries, so that the words do not disturb each other.
        (0..W).fold(0, |all, i| all ^ self.0[i].wrapping_mul(factors.0[i]))
    }
}

/// Bit gathering and scattering: one instruction each with BMI2, a loop over the mask elsewhere.
mod bits {
    #[cfg(target_feature = "bmi2")]
    #[allow(unsafe_code)]
    #[inline]
    pub fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: compiled only where the target has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[cfg(target_feature = "bmi2")]
    #[allow(unsafe_code)]
    #[inline]
    pub fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: compiled only where the target has BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[cfg(not(target_feature = "bmi2"))]
    pub use portable::{deposit, extract};

    #[cfg(any(test, not(target_feature = "bmi2")))]
    pub mod portable {
        #[inline]
        pub fn extract(word: u64, mut mask: u64) -> u64 {
            let (mut packed, mut place) = (0, 1);
            while mask != 0 {
                if word & mask & mask.wrapping_neg() != 0 {
                    packed |= place;
                }
                mask &= mask - 1;
                place <<= 1;
            }
            packed
        }

        #[inline]
        pub fn deposit(mut word: u64, mut mask: u64) -> u64 {
            let mut spread = 0;
            while mask != 0 {
                if word & 1 != 0 {
                    spread |= mask & mask.wrapping_neg();
                }
                mask &= mask - 1;
                word >>= 1;
            }
            spread
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const W: usize>(squares: &[usize]) -> Bitboard<W> {
        squares.iter().fold(Bitboard::EMPTY, |set, &i| set | Bitboard::single(Square::new(i)))
    }

    #[test]
    fn squares_come_in_order_across_words() {
        let three: Bitboard<3> = set(&[191, 0, 64, 63, 128]);
        assert_eq!(three.squares().map(Square::index).collect::<Vec<_>>(), [0, 63, 64, 128, 191]);
        assert_eq!((three.first().index(), three.last().index(), three.count()), (0, 191, 5));
        assert!(three.many() && !set::<3>(&[130]).many());
    }

    #[test]
    fn shifts_carry_between_words_and_lose_what_leaves() {
        assert_eq!(set::<3>(&[60, 120, 190]).shifted(16), set(&[76, 136]));
        assert_eq!(set::<3>(&[3, 76, 136]).shifted(-16), set(&[60, 120]));
        assert_eq!(set::<2>(&[5]).shifted(0), set(&[5]));
        assert_eq!(set::<3>(&[1, 70, 130]).shifted(64), set(&[65, 134]));
        assert_eq!(set::<3>(&[1, 70, 150]).shifted(-68), set(&[2, 82]));
    }

    #[test]
    fn pack_and_unpack_are_inverse_and_agree_with_the_portable_way() {
        let mask: Bitboard<3> = set(&[1, 17, 63, 64, 99, 127, 128, 180]);
        for packed in 0..256usize {
            let spread = Bitboard::unpack(packed, mask);
            assert_eq!(spread.pack(mask), packed);
            assert_eq!((spread | set(&[0, 65, 190])).pack(mask), packed);
        }
        let mut random = 1u64;
        for _ in 0..1000 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (word, mask) = (random, random.rotate_left(29) & random.rotate_left(11));
            assert_eq!(bits::extract(word, mask), bits::portable::extract(word, mask));
            assert_eq!(bits::deposit(word, mask), bits::portable::deposit(word, mask));
        }
    }
}
