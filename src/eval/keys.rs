//! Hashes of parts of a position, for what is remembered about them.

use super::Evaluate;
use crate::board::{Color, SquareSet};
use crate::rules::{Position, Set};

/// A hash of rows of words, which tells apart words and their places.
struct Hasher {
    hash: u64,
    /// Another factor for each word, odd.
    factor: u64,
}

impl Hasher {
    const NEW: Hasher = Hasher { hash: 0, factor: 0x9e37_79b9_7f4a_7c15 };

    /// Both halves of a product: the low one alone would not spread the high bits of a word.
    #[inline]
    fn add<S: SquareSet>(&mut self, set: S) {
        for i in 0..S::WORDS {
            let word = set.word(i) ^ self.factor.rotate_left(32);
            let product = u128::from(word) * u128::from(self.factor);
            self.hash ^= (product >> 64) as u64 ^ product as u64;
            self.factor = self.factor.wrapping_add(0x5851_f42d_4c95_7f2e);
        }
    }
}

/// A hash of where the men are that rank as pawns.
#[inline]
pub fn pawn_key<V: Evaluate>(pos: &Position<V>) -> u64 {
    let mut hasher = Hasher::NEW;
    for &kind in V::PAWNS {
        Color::BOTH.into_iter().for_each(|color| hasher.add(pos.men(color, kind)));
    }
    hasher.hash
}

/// For each colour a hash of where its officers are, good in its highest bits and cheap. It may be the same where the
/// men are not.
#[inline]
pub fn officer_keys<V: Evaluate>(pos: &Position<V>) -> [u64; 2] {
    let mut keys = [0u64; 2];
    for officer in &V::scores().officers {
        for color in Color::BOTH {
            let (key, men) = (&mut keys[color.index()], pos.men(color, officer.kind));
            for i in 0..Set::<V>::WORDS {
                *key = (key.rotate_left(5) ^ men.word(i)).wrapping_mul(Hasher::NEW.factor);
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};
    use std::collections::HashSet;

    /// A weak hash cancels the high bits of one word by bits of the next.
    #[test]
    fn no_two_men_cancel_each_other() {
        type Board = Bitboard<3>;
        let mut seen = HashSet::new();
        let places = 2 * 64 * Board::WORDS;
        for one in 0..places {
            for other in one..places {
                let mut sets = [Board::EMPTY; 2];
                for place in [one, other] {
                    sets[place % 2] |= Board::single(Square::new(place / 2));
                }
                let mut hasher = Hasher::NEW;
                sets.into_iter().for_each(|set| hasher.add(set));
                assert!(seen.insert(hasher.hash), "men at {one} and {other}");
            }
        }
    }
}
