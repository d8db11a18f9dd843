//! The hidden layers of a network, updated from position to position.

use super::features::{VIEWS, View};
use super::game::{Evaluate, Score};
use super::network::{Network, Parameters, Row};
use crate::board::{BySquare, Color, Kind, Piece, SquareSet};
use crate::rules::{Position, Set};
use arrayvec::ArrayVec;

/// Neurons of a layer that are updated at a time: as many as fit the vector registers of any processor, also of WebAssembly.
const TILE: usize = 64;
/// The most squares of a board.
const SQUARES: usize = 192;

/// The hidden layers of both sides before clipping, and for which pieces.
#[derive(Clone)]
struct Accumulator {
    pieces: BySquare<Piece>,
    /// By perspective.
    layers: [Row; 2],
    /// White's material less Black's.
    material: Score,
}

/// The accumulators used last, by the views of White and Black. The next position with these views differs by few
/// pieces, so its accumulator is updated by these.
pub(super) struct AccumulatorCache {
    entries: [[Accumulator; VIEWS]; VIEWS],
    /// By piece, what it adds to White's material.
    values: [Score; 32],
}

impl AccumulatorCache {
    /// That of an empty board.
    pub(super) fn new<V: Evaluate>(network: &Network) -> Self {
        let layers = [network.parameters.feature_bias; 2];
        let empty = Accumulator { pieces: BySquare::filled(Piece::NONE), layers, material: 0 };
        let mut values = [0; 32];
        for color in Color::BOTH {
            for kind in (0..Kind::COUNT).map(Kind::new) {
                values[Piece::new(color, kind).index()] = V::value(kind) * Score::from(color.forward());
            }
        }
        AccumulatorCache { entries: std::array::from_fn(|_| std::array::from_fn(|_| empty.clone())), values }
    }

    /// The material and the network's output for the side to move.
    #[inline]
    pub(super) fn evaluate<V: Evaluate>(&mut self, pos: &Position<V>, network: &Network) -> [Score; 2] {
        let views = Color::BOTH.map(|color| network.features.view(color, pos.king(color)));
        let [white, black] = views.map(usize::from);
        let accumulator = &mut self.entries[white][black];
        accumulator.update(pos, views, network, &self.values);
        let side = pos.side();
        let layers = [side, !side].map(|color| &accumulator.layers[color.index()]);
        let bucket = network.bucket(pos.occupied().count());
        [accumulator.material * Score::from(side.forward()), network.output(layers, bucket)]
    }
}

impl Accumulator {
    #[inline]
    fn update<V: Evaluate>(
        &mut self,
        pos: &Position<V>,
        views: [View; 2],
        network: &Network,
        values: &[Score; 32],
    ) {
        let Network { parameters, features, .. } = network;
        let list = ArrayVec::<[u16; 2], SQUARES>::new;
        let (mut added, mut removed) = (list(), list());
        let both = |piece, square| {
            Color::BOTH.map(|color| features.feature(color, views[color.index()], piece, square))
        };
        self.pieces.update(pos.board(), 64 * Set::<V>::WORDS, |square, before, after| {
            if before.is_some() {
                removed.push(both(before, square));
                self.material -= values[before.index()];
            }
            if after.is_some() {
                added.push(both(after, square));
                self.material += values[after.index()];
            }
        });
        for (side, layer) in self.layers.iter_mut().enumerate() {
            layer.change(parameters, side, &added, &removed);
        }
    }
}

impl Row {
    /// Adds and subtracts the weights of features of a side. Sums wrap round, so that they are the same for any network in
    /// whichever order pieces come and go.
    #[inline]
    fn change(&mut self, parameters: &Parameters, side: usize, added: &[[u16; 2]], removed: &[[u16; 2]]) {
        let row = |features: &[u16; 2]| &parameters.feature_weights[usize::from(features[side])].0;
        // A tile stays in registers while all features are added.
        for (at, sums) in self.0.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut tile = *sums;
            for features in added {
                let weights = &row(features).as_chunks::<TILE>().0[at];
                (0..TILE).for_each(|i| tile[i] = tile[i].wrapping_add(weights[i]));
            }
            for features in removed {
                let weights = &row(features).as_chunks::<TILE>().0[at];
                (0..TILE).for_each(|i| tile[i] = tile[i].wrapping_sub(weights[i]));
            }
            *sums = tile;
        }
    }
}
