//! A network during training: floating-point numbers, its output, and the gradients.

use crate::board::{Board, Kind, SquareSet};
use crate::engine::Playable;
use crate::eval::features::Features;
use crate::eval::network::{BUCKETS, HIDDEN, Numbers, ONE, OUTPUT_ONE, Row, SUM_ONE};
use rayon::prelude::*;

/// Numbers of a hidden layer.
pub(super) type Floats = [f32; HIDDEN];
/// The limit of numbers.
const LARGEST: f32 = 1.98;
/// The largest number of a new row.
const NOISE: f32 = 0.05;

/// The numbers of a network, where 1 is [`ONE`] or [`OUTPUT_ONE`]; or their gradients.
#[derive(Clone)]
pub(super) struct Model {
    /// By feature; then the start of the hidden layer; then by bucket the two rows of the output; then a row that
    /// begins with the offsets of the buckets.
    pub(super) rows: Vec<Floats>,
}

impl Model {
    pub(super) fn empty(features: usize) -> Self {
        Model { rows: vec![[0.0; HIDDEN]; features + 2 + 2 * BUCKETS] }
    }

    /// Small random numbers, and a hidden layer that stays within its limits.
    fn random(features: usize, random: &mut impl FnMut() -> u64) -> Self {
        let mut model = Model::empty(features);
        let (start, last) = (model.start(), model.rows.len() - 1);
        for (i, row) in model.rows[..last].iter_mut().enumerate() {
            let around = if i == start { 0.3 } else { 0.0 };
            row.fill_with(|| around + NOISE * ((random() >> 40) as f32 / (1u64 << 23) as f32 - 1.0));
        }
        model
    }

    /// The row of the hidden layer's start.
    fn start(&self) -> usize {
        self.rows.len() - 2 - 2 * BUCKETS
    }

    /// The row of the output for the side to move (0) or the other one (1).
    fn output(&self, bucket: usize, side: usize) -> usize {
        self.start() + 1 + 2 * bucket + side
    }

    fn offset(&self, bucket: usize) -> f32 {
        self.rows[self.rows.len() - 1][bucket]
    }

    /// Both hidden layers, without limits, and the output.
    pub(super) fn run(&self, features: &[[u16; 2]], bucket: usize) -> ([Floats; 2], f32) {
        let mut layers = [self.rows[self.start()]; 2];
        for pair in features {
            for (layer, &feature) in layers.iter_mut().zip(pair) {
                layer.iter_mut().zip(&self.rows[usize::from(feature)]).for_each(|(sum, add)| *sum += add);
            }
        }
        let mut sums = [0.0; 16];
        for (side, layer) in layers.iter().enumerate() {
            let weights = &self.rows[self.output(bucket, side)];
            // Sixteen sums, so that the compiler may use vectors.
            for (numbers, weights) in layer.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
                for i in 0..16 {
                    let clipped = numbers[i].clamp(0.0, 1.0);
                    sums[i] += clipped * clipped * weights[i];
                }
            }
        }
        (layers, self.offset(bucket) + sums.iter().sum::<f32>())
    }

    /// Adds the gradients of one position, if `slope` is that of the output of `model` with these features and
    /// layers.
    pub(super) fn add_slopes(
        &mut self,
        model: &Model,
        features: &[[u16; 2]],
        bucket: usize,
        layers: &[Floats; 2],
        slope: f32,
    ) {
        let (start, last) = (self.start(), self.rows.len() - 1);
        self.rows[last][bucket] += slope;
        for (side, layer) in layers.iter().enumerate() {
            let at = self.output(bucket, side);
            let mut back = [0.0; HIDDEN];
            let (weights, slopes) = (&model.rows[at], &mut self.rows[at]);
            for i in 0..HIDDEN {
                let clipped = layer[i].clamp(0.0, 1.0);
                let inside = if layer[i] < 1.0 { clipped } else { 0.0 };
                back[i] = 2.0 * slope * weights[i] * inside;
                slopes[i] += slope * clipped * clipped;
            }
            for row in features.iter().map(|pair| usize::from(pair[side])).chain([start]) {
                self.rows[row].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
            }
        }
    }

    /// The numbers as an engine uses them.
    pub(super) fn rounded(&self) -> Numbers {
        let whole =
            |row: usize, one: i16| Row(self.rows[row].map(|number| (number * f32::from(one)).round() as i16));
        Numbers {
            rows: (0..self.start()).map(|row| whole(row, ONE)).collect(),
            start: whole(self.start(), ONE),
            outputs: std::array::from_fn(|bucket| {
                [0, 1].map(|side| whole(self.output(bucket, side), OUTPUT_ONE))
            }),
            offsets: std::array::from_fn(|bucket| (self.offset(bucket) * SUM_ONE as f32).round() as i32),
        }
    }

    /// The numbers that an engine uses, to train them on.
    fn from_numbers(numbers: &Numbers) -> Self {
        let mut model = Model::empty(numbers.rows.len());
        let floats = |row: &Row, one: i16| row.0.map(|number| f32::from(number) / f32::from(one));
        for (to, from) in model.rows.iter_mut().zip(numbers.rows.iter().chain([&numbers.start])) {
            *to = floats(from, ONE);
        }
        for bucket in 0..BUCKETS {
            for side in 0..2 {
                let at = model.output(bucket, side);
                model.rows[at] = floats(&numbers.outputs[bucket][side], OUTPUT_ONE);
            }
            let last = model.rows.len() - 1;
            model.rows[last][bucket] = numbers.offsets[bucket] as f32 / SUM_ONE as f32;
        }
        model
    }
}

/// Rows with the moments of their gradients.
struct Adam {
    rows: Vec<Floats>,
    moments: Vec<[Floats; 2]>,
}

/// How the first and the second moment of a gradient decay from step to step, with the usual values.
const MOMENTS: [f32; 2] = [0.9, 0.999];
/// Keeps the step finite where gradients vanish.
const LEAST: f32 = 1e-9;

/// What a step of training depends on besides the gradients.
pub(super) struct Step {
    /// The number of the step, from 1.
    pub(super) number: i32,
    pub(super) rate: f32,
    pub(super) decay: f32,
}

impl Adam {
    fn new(rows: Vec<Floats>) -> Self {
        Adam { moments: vec![[[0.0; HIDDEN]; 2]; rows.len()], rows }
    }

    /// A step of AdamW (Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019) with these gradients.
    fn step(&mut self, step: &Step, slopes: impl Fn(usize) -> Floats + Sync) {
        let [a, b] = MOMENTS;
        let unbias = [1.0 / (1.0 - a.powi(step.number)), 1.0 / (1.0 - b.powi(step.number))];
        let rows = self.rows.par_iter_mut().zip(&mut self.moments).with_min_len(64).enumerate();
        rows.for_each(|(i, (row, [first, second]))| {
            let slopes = slopes(i);
            for i in 0..HIDDEN {
                first[i] = a * first[i] + (1.0 - a) * slopes[i];
                second[i] = b * second[i] + (1.0 - b) * slopes[i] * slopes[i];
                let towards = first[i] * unbias[0] / ((second[i] * unbias[1]).sqrt() + LEAST);
                row[i] = (row[i] - step.rate * (towards + step.decay * row[i])).clamp(-LARGEST, LARGEST);
            }
        });
    }
}

/// A model during training: the row of a feature is the sum of its own and of those of its virtual features, so that
/// what holds for a piece on most squares is not learnt for each of them (factorised features, as in Stockfish's
/// trainer).
pub(super) struct Factored {
    own: Adam,
    shared: Adam,
    /// For each feature its virtual ones.
    parents: Vec<Vec<u32>>,
    /// For each virtual feature the features that it is part of.
    children: Vec<Vec<u32>>,
}

impl Factored {
    /// A model for game `V` that begins with these numbers, or small random ones.
    ///
    /// The virtual features of a piece on a square are the piece anywhere, on this rank, on this file; if the game has
    /// zones of the king, the piece on this square for all of them; and, if it has facings, this facing anywhere and any
    /// facing on this square.
    pub(super) fn new<V: Playable>(
        features: &Features,
        start: Option<&Numbers>,
        random: &mut impl FnMut() -> u64,
    ) -> Self {
        let geometry = V::Board::geometry();
        let squares: Vec<_> = geometry.all().squares().collect();
        let (kinds, bases) = (V::PIECES.len(), V::base_kinds());
        let mut numbers = std::collections::BTreeMap::new();
        let mut parents = Vec::new();
        for feature in 0..features.count() {
            let (piece, place) = features.piece_and_place(feature);
            let (kind, enemy) = (Kind::new(piece % kinds), piece / kinds);
            let base = enemy * bases + V::base_kind(kind);
            let (rank, file) = (geometry.rank(squares[place]), geometry.file(squares[place]));
            let mut keys = vec![(0, base, 0), (1, base, rank.into()), (2, base, file.into())];
            if V::KING_ZONES {
                keys.push((5, piece, place));
            }
            if (0..kinds)
                .any(|other| Kind::new(other) != kind && V::base_kind(Kind::new(other)) == V::base_kind(kind))
            {
                keys.extend([(3, piece, 0), (4, base, place)]);
            }
            let mut number = |key| {
                let next = numbers.len() as u32;
                *numbers.entry(key).or_insert(next)
            };
            parents.push(keys.into_iter().map(&mut number).collect::<Vec<u32>>());
        }
        let mut children = vec![Vec::new(); numbers.len()];
        for (feature, parents) in parents.iter().enumerate() {
            parents.iter().for_each(|&parent| children[parent as usize].push(feature as u32));
        }
        let own = match start {
            Some(numbers) => Model::from_numbers(numbers),
            None => Model::random(features.count(), random),
        };
        let shared = Adam::new(vec![[0.0; HIDDEN]; children.len()]);
        Factored { own: Adam::new(own.rows), shared, parents, children }
    }

    /// The sums, as a network has them.
    pub(super) fn model(&self) -> Model {
        let mut model = Model { rows: self.own.rows.clone() };
        self.sum_up(&mut model);
        model
    }

    /// Writes the sums.
    pub(super) fn sum_up(&self, model: &mut Model) {
        let rows = model.rows.par_iter_mut().zip(&self.own.rows).with_min_len(64).enumerate();
        rows.for_each(|(i, (sum, own))| {
            *sum = *own;
            for &parent in self.parents.get(i).into_iter().flatten() {
                sum.iter_mut().zip(&self.shared.rows[parent as usize]).for_each(|(sum, add)| *sum += add);
            }
            sum.iter_mut().for_each(|number| *number = number.clamp(-LARGEST, LARGEST));
        });
    }

    /// A step with the gradients of the sums, which are added up from several threads.
    pub(super) fn step(&mut self, step: &Step, slopes: &mut [Model], positions: usize) {
        let (total, others) = slopes.split_first_mut().expect("a thread");
        let mean = 1.0 / positions as f32;
        total.rows.par_iter_mut().with_min_len(64).enumerate().for_each(|(i, row)| {
            for other in others.iter() {
                row.iter_mut().zip(&other.rows[i]).for_each(|(sum, add)| *sum += add);
            }
            row.iter_mut().for_each(|slope| *slope *= mean);
        });
        self.own.step(step, |i| total.rows[i]);
        self.shared.step(step, |i| {
            let mut sum = [0.0; HIDDEN];
            for &child in &self.children[i] {
                sum.iter_mut().zip(&total.rows[child as usize]).for_each(|(sum, add)| *sum += add);
            }
            sum
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::zobrist::random_numbers;
    use crate::notation::fen;
    use crate::variants::superchess::SuperChessFixed;

    #[test]
    fn slopes_are_those_of_the_output() {
        let features = Features::new::<SuperChessFixed>();
        let pos = fen::start::<SuperChessFixed>();
        let inputs = features.of(&pos);
        let mut factored = Factored::new::<SuperChessFixed>(&features, None, &mut random_numbers(5));
        let model = factored.model();
        let (layers, out) = model.run(&inputs, 3);
        let mut slopes = Model::empty(features.count());
        slopes.add_slopes(&model, &inputs, 3, &layers, 1.0);
        // A small step up the gradient, by each sort of row, raises the output as much as the gradient says.
        let (start, last) = (slopes.start(), slopes.rows.len() - 1);
        for rows in [0..start, start..start + 1, start + 1..last, last..last + 1] {
            let norm: f32 = slopes.rows[rows.clone()].as_flattened().iter().map(|slope| slope * slope).sum();
            assert!(norm > 0.0, "{rows:?}");
            let mut moved = model.clone();
            let by = 0.002 / norm.sqrt();
            for (row, slopes) in moved.rows[rows.clone()].iter_mut().zip(&slopes.rows[rows.clone()]) {
                row.iter_mut().zip(slopes).for_each(|(number, slope)| *number += by * slope);
            }
            let rise = (moved.run(&inputs, 3).1 - out) / by;
            assert!((rise - norm).abs() < 0.05 * norm, "{rows:?}: {rise}, not {norm}");
        }
        // A step of training goes down.
        let mut slopes = vec![slopes];
        factored.step(&Step { number: 1, rate: 0.0001, decay: 0.0 }, &mut slopes, 1);
        assert!(factored.model().run(&inputs, 3).1 < out);
    }

    #[test]
    fn numbers_survive_rounding_and_back() {
        let features = Features::new::<SuperChessFixed>();
        let factored = Factored::new::<SuperChessFixed>(&features, None, &mut random_numbers(6));
        let numbers = factored.model().rounded();
        assert_eq!(Model::from_numbers(&numbers).rounded(), numbers);
    }
}
