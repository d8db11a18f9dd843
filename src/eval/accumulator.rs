//! The hidden layers of a network, kept from position to position.

use super::game::{Evaluate, Score};
use super::network::{HIDDEN, Network, Numbers, Row};
use crate::board::{BySquare, Color, Kind, Piece, SquareSet};
use crate::rules::{Position, Set};
use arrayvec::ArrayVec;

/// The most squares of a board.
const SQUARES: usize = 192;

/// A hidden layer, and for which pieces.
#[derive(Clone)]
struct Layer {
    pieces: BySquare<Piece>,
    sums: Row,
    /// The values of the own pieces less those of the enemy's.
    material: Score,
}

/// The hidden layers computed last, by perspective and whether left and right are exchanged. The next position
/// differs by few pieces, so a layer is updated by these.
pub(super) struct Accumulator {
    layers: [[Layer; 2]; 2],
    /// By piece, what it adds to White's material.
    values: [Score; 32],
}

impl Accumulator {
    /// That of an empty board.
    pub(super) fn new<V: Evaluate>(network: &Network) -> Self {
        let layer = Layer { pieces: BySquare::filled(Piece::NONE), sums: network.numbers.start, material: 0 };
        let mut values = [0; 32];
        for color in Color::BOTH {
            for kind in (0..Kind::COUNT).map(Kind::new) {
                values[Piece::new(color, kind).index()] = V::value(kind) * Score::from(color.forward());
            }
        }
        Accumulator { layers: std::array::from_fn(|_| std::array::from_fn(|_| layer.clone())), values }
    }

    /// The material and the network's output for the side to move, in centipawns.
    #[inline]
    pub(super) fn evaluate<V: Evaluate>(&mut self, pos: &Position<V>, network: &Network) -> [Score; 2] {
        let mirrored = Color::BOTH.map(|color| network.features.mirrored(pos.king(color)));
        for color in Color::BOTH {
            let mirrored = mirrored[color.index()];
            let layer = &mut self.layers[color.index()][usize::from(mirrored)];
            layer.update(pos, color, mirrored, network, &self.values);
        }
        let of = |color: Color| &self.layers[color.index()][usize::from(mirrored[color.index()])];
        let (own, other) = (of(pos.side()), of(!pos.side()));
        let bucket = network.bucket(pos.occupied().count());
        [own.material, network.output([&own.sums, &other.sums], bucket)]
    }
}

impl Layer {
    #[inline]
    fn update<V: Evaluate>(
        &mut self,
        pos: &Position<V>,
        color: Color,
        mirrored: bool,
        network: &Network,
        values: &[Score; 32],
    ) {
        let Network { numbers, features, .. } = network;
        let (mut added, mut removed) = (ArrayVec::<u16, SQUARES>::new(), ArrayVec::<u16, SQUARES>::new());
        let mut gain = 0;
        self.pieces.update(pos.board(), 64 * Set::<V>::WORDS, |square, before, after| {
            if before.is_some() {
                removed.push(features.feature(color, mirrored, before, square));
                gain -= values[before.index()];
            }
            if after.is_some() {
                added.push(features.feature(color, mirrored, after, square));
                gain += values[after.index()];
            }
        });
        self.material += gain * Score::from(color.forward());
        self.sums.change(numbers, &added, &removed);
    }
}

impl Row {
    /// Adds and subtracts the rows of features. Moves and captures, which are nearly all changes, take one pass.
    #[inline]
    fn change(&mut self, numbers: &Numbers, added: &[u16], removed: &[u16]) {
        let row = |feature: u16| &numbers.rows[usize::from(feature)].0;
        let sums = &mut self.0;
        match (added, removed) {
            (&[], &[]) => {}
            (&[a], &[r]) => {
                let (a, r) = (row(a), row(r));
                (0..HIDDEN).for_each(|i| sums[i] += a[i] - r[i]);
            }
            (&[a], &[r, s]) => {
                let (a, r, s) = (row(a), row(r), row(s));
                (0..HIDDEN).for_each(|i| sums[i] += a[i] - r[i] - s[i]);
            }
            (&[a, b], &[r]) => {
                let (a, b, r) = (row(a), row(b), row(r));
                (0..HIDDEN).for_each(|i| sums[i] += a[i] + b[i] - r[i]);
            }
            _ => {
                for &feature in added {
                    sums.iter_mut().zip(row(feature)).for_each(|(sum, number)| *sum += number);
                }
                for &feature in removed {
                    sums.iter_mut().zip(row(feature)).for_each(|(sum, number)| *sum -= number);
                }
            }
        }
    }
}
