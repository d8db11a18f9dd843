//! Keys of the incremental position hash, from a fixed seed so that they never change.
//!
//! Zobrist, A New Hashing Method with Application for Game Playing, 1970.

use super::{Piece, Square};

/// The SplitMix64 generator of Steele, Lea and Flood: state `seed`, next output in the second place.
pub const fn split_mix(seed: u64) -> (u64, u64) {
    let state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

/// The outputs of [`split_mix`] from a seed.
pub fn random_numbers(mut seed: u64) -> impl FnMut() -> u64 {
    move || {
        let number;
        (seed, number) = split_mix(seed);
        number
    }
}

const SEED: u64 = 0x5175_696e_7461_696e; // "Quintain", nearly

const fn keys<const N: usize>(mut state: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        (state, keys[i]) = split_mix(state);
        i += 1;
    }
    keys
}

static PIECES: [u64; 32 * 256] = keys(SEED);
static STATES: [u64; 768] = keys(SEED ^ 0xffff);

/// The key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index() << 8 | square.index()]
}

/// The key of Black to move.
#[inline]
pub fn black_to_move() -> u64 {
    STATES[0]
}

/// The key of an en-passant square.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    STATES[256 + square.index()]
}

/// One of 256 keys for the state that only one game has: rights, counters, phases. `slot` is 0..=255.
#[inline]
pub fn extra(slot: usize) -> u64 {
    STATES[512 + slot]
}
