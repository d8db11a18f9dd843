//! Keys of the incremental position hash, from a fixed seed so that they never change.
//!
//! Zobrist, A New Hashing Method with Application for Game Playing, 1970.

use super::{Piece, Square};

/// From state to state of the generator.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The SplitMix64 generator of Steele, Lea and Flood: state `seed`, next output in the second place.
pub const fn split_mix(seed: u64) -> (u64, u64) {
    let state = seed.wrapping_add(STEP);
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

/// The key with a number, of those from a seed: the output of [`split_mix`] after so many others.
const fn key(seed: u64, number: usize) -> u64 {
    split_mix(seed.wrapping_add((number as u64).wrapping_mul(STEP))).1
}

/// A WebAssembly module computes its keys, for they would be a tenth of what is loaded.
#[cfg(target_family = "wasm")]
mod numbered {
    pub fn piece(number: usize) -> u64 {
        super::key(super::SEED, number)
    }

    pub fn state(number: usize) -> u64 {
        super::key(super::SEED ^ 0xffff, number)
    }
}

#[cfg(not(target_family = "wasm"))]
mod numbered {
    const fn keys<const N: usize>(seed: u64) -> [u64; N] {
        let mut keys = [0; N];
        let mut i = 0;
        while i < N {
            keys[i] = super::key(seed, i);
            i += 1;
        }
        keys
    }

    static PIECES: [u64; 32 * 256] = keys(super::SEED);
    static STATES: [u64; 768] = keys(super::SEED ^ 0xffff);

    #[inline]
    pub fn piece(number: usize) -> u64 {
        PIECES[number]
    }

    #[inline]
    pub fn state(number: usize) -> u64 {
        STATES[number]
    }
}

/// The key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    numbered::piece(piece.index() << 8 | square.index())
}

/// The key of Black to move.
#[inline]
pub fn black_to_move() -> u64 {
    numbered::state(0)
}

/// The key of an en-passant square.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    numbered::state(256 + square.index())
}

/// One of 256 keys for the state that only one game has: rights, counters, phases. `slot` is 0..=255.
#[inline]
pub fn extra(slot: usize) -> u64 {
    numbered::state(512 + slot)
}
