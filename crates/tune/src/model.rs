//! A network during training: floating-point numbers, its output, and the gradients.

use quintain_core::board::{Board, Kind, SquareSet};
use quintain_core::eval::features::Features;
use quintain_core::eval::network::{HIDDEN, OUTPUT_BUCKETS, Parameters, QA, QA_QB, QB, Row};
use quintain_engine::Playable;
use rayon::prelude::*;

/// A number for each neuron of a hidden layer.
pub(super) type Floats = [f32; HIDDEN];
/// The limit of weights and biases.
const LARGEST: f32 = 1.98;
/// The largest weight of a new row.
const NOISE: f32 = 0.05;

/// The parameters of a network before quantisation; or their gradients.
#[derive(Clone)]
pub(super) struct Model {
    /// The weights of each feature; then the feature bias; then by output bucket the two rows of output weights; then a
    /// row that begins with the output biases.
    pub(super) rows: Vec<Floats>,
}

impl Model {
    pub(super) fn zero(features: usize) -> Self {
        Model { rows: vec![[0.0; HIDDEN]; features + 2 + 2 * OUTPUT_BUCKETS] }
    }

    /// Small random weights, and a hidden layer that stays within its limits.
    fn random(features: usize, random: &mut dyn FnMut() -> u64) -> Self {
        let mut model = Model::zero(features);
        let (bias, last) = (model.feature_bias(), model.rows.len() - 1);
        for (i, row) in model.rows[..last].iter_mut().enumerate() {
            let around = if i == bias { 0.3 } else { 0.0 };
            row.fill_with(|| around + NOISE * ((random() >> 40) as f32 / (1u64 << 23) as f32 - 1.0));
        }
        model
    }

    /// The row of the feature bias.
    fn feature_bias(&self) -> usize {
        self.rows.len() - 2 - 2 * OUTPUT_BUCKETS
    }

    /// The row of output weights for the side to move (0) or the other one (1).
    fn output_weights(&self, bucket: usize, side: usize) -> usize {
        self.feature_bias() + 1 + 2 * bucket + side
    }

    fn output_bias(&self, bucket: usize) -> f32 {
        self.rows[self.rows.len() - 1][bucket]
    }

    /// Both hidden layers before clipping, and the output.
    pub(super) fn forward(&self, features: &[[u16; 2]], bucket: usize) -> ([Floats; 2], f32) {
        let mut layers = [self.rows[self.feature_bias()]; 2];
        for pair in features {
            for (layer, &feature) in layers.iter_mut().zip(pair) {
                layer.iter_mut().zip(&self.rows[usize::from(feature)]).for_each(|(sum, add)| *sum += add);
            }
        }
        let mut sums = [0.0; 16];
        for (side, layer) in layers.iter().enumerate() {
            let weights = &self.rows[self.output_weights(bucket, side)];
            // Sixteen sums, so that the compiler may use vectors.
            for (numbers, weights) in layer.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
                for i in 0..16 {
                    let clipped = numbers[i].clamp(0.0, 1.0);
                    sums[i] += clipped * clipped * weights[i];
                }
            }
        }
        (layers, self.output_bias(bucket) + sums.iter().sum::<f32>())
    }

    /// Adds the gradients of one position, if `gradient` is that of the output of `model` with these features and
    /// layers (backpropagation).
    pub(super) fn accumulate_gradients(
        &mut self,
        model: &Model,
        features: &[[u16; 2]],
        bucket: usize,
        layers: &[Floats; 2],
        gradient: f32,
    ) {
        let (bias, last) = (self.feature_bias(), self.rows.len() - 1);
        self.rows[last][bucket] += gradient;
        for (side, layer) in layers.iter().enumerate() {
            let at = self.output_weights(bucket, side);
            let mut back = [0.0; HIDDEN];
            let (weights, gradients) = (&model.rows[at], &mut self.rows[at]);
            for i in 0..HIDDEN {
                let clipped = layer[i].clamp(0.0, 1.0);
                let inside = if layer[i] < 1.0 { clipped } else { 0.0 };
                back[i] = 2.0 * gradient * weights[i] * inside;
                gradients[i] += gradient * clipped * clipped;
            }
            for row in features.iter().map(|pair| usize::from(pair[side])).chain([bias]) {
                self.rows[row].iter_mut().zip(&back).for_each(|(sum, add)| *sum += add);
            }
        }
    }

    /// The parameters as an engine uses them.
    pub(super) fn quantised(&self) -> Parameters {
        let whole =
            |row: usize, one: i16| Row(self.rows[row].map(|number| (number * f32::from(one)).round() as i16));
        Parameters {
            feature_weights: (0..self.feature_bias()).map(|row| whole(row, QA)).collect(),
            feature_bias: whole(self.feature_bias(), QA),
            output_weights: std::array::from_fn(|bucket| {
                [0, 1].map(|side| whole(self.output_weights(bucket, side), QB))
            }),
            output_bias: std::array::from_fn(|bucket| {
                (self.output_bias(bucket) * QA_QB as f32).round() as i32
            }),
        }
    }

    /// The parameters that an engine uses, to train them on.
    fn from_parameters(parameters: &Parameters) -> Self {
        let mut model = Model::zero(parameters.feature_weights.len());
        let floats = |row: &Row, one: i16| row.0.map(|number| f32::from(number) / f32::from(one));
        for (to, from) in
            model.rows.iter_mut().zip(parameters.feature_weights.iter().chain([&parameters.feature_bias]))
        {
            *to = floats(from, QA);
        }
        for bucket in 0..OUTPUT_BUCKETS {
            for side in 0..2 {
                let at = model.output_weights(bucket, side);
                model.rows[at] = floats(&parameters.output_weights[bucket][side], QB);
            }
            let last = model.rows.len() - 1;
            model.rows[last][bucket] = parameters.output_bias[bucket] as f32 / QA_QB as f32;
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
const BETAS: [f32; 2] = [0.9, 0.999];
/// Keeps the step finite where gradients vanish.
const EPSILON: f32 = 1e-9;

/// What a step of training depends on besides the gradients.
pub(super) struct Step {
    /// The number of the step, from 1.
    pub(super) number: i32,
    pub(super) learning_rate: f32,
    pub(super) weight_decay: f32,
}

impl Adam {
    fn new(rows: Vec<Floats>) -> Self {
        Adam { moments: vec![[[0.0; HIDDEN]; 2]; rows.len()], rows }
    }

    /// A step of AdamW (Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019) with these gradients.
    fn step(&mut self, step: &Step, gradients: impl Fn(usize) -> Floats + Sync) {
        let [a, b] = BETAS;
        let unbias = [1.0 / (1.0 - a.powi(step.number)), 1.0 / (1.0 - b.powi(step.number))];
        let rows = self.rows.par_iter_mut().zip(&mut self.moments).with_min_len(64).enumerate();
        rows.for_each(|(i, (row, [first, second]))| {
            let gradients = gradients(i);
            for i in 0..HIDDEN {
                first[i] = a * first[i] + (1.0 - a) * gradients[i];
                second[i] = b * second[i] + (1.0 - b) * gradients[i] * gradients[i];
                let towards = first[i] * unbias[0] / ((second[i] * unbias[1]).sqrt() + EPSILON);
                row[i] = (row[i] - step.learning_rate * (towards + step.weight_decay * row[i]))
                    .clamp(-LARGEST, LARGEST);
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
    /// A model for game `V` that begins with these parameters, or small random ones.
    ///
    /// The virtual features of a piece on a square are the piece anywhere, on this rank, on this file; if the game has
    /// king buckets, the piece on this square for all of them; and, if it has facings, this facing anywhere and any
    /// facing on this square.
    pub(super) fn new<V: Playable>(
        features: &Features,
        initial: Option<&Parameters>,
        random: &mut dyn FnMut() -> u64,
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
            if V::KING_BUCKETS {
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
        let own = match initial {
            Some(parameters) => Model::from_parameters(parameters),
            None => Model::random(features.count(), random),
        };
        let shared = Adam::new(vec![[0.0; HIDDEN]; children.len()]);
        Factored { own: Adam::new(own.rows), shared, parents, children }
    }

    /// How many features there are.
    pub(super) fn features(&self) -> usize {
        self.parents.len()
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
    pub(super) fn step(&mut self, step: &Step, gradients: &mut [Model], positions: usize) {
        let (total, others) = gradients.split_first_mut().expect("a thread");
        let mean = 1.0 / positions as f32;
        total.rows.par_iter_mut().with_min_len(64).enumerate().for_each(|(i, row)| {
            for other in others.iter() {
                row.iter_mut().zip(&other.rows[i]).for_each(|(sum, add)| *sum += add);
            }
            row.iter_mut().for_each(|gradient| *gradient *= mean);
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
    use quintain_core::board::zobrist::random_numbers;
    use quintain_core::notation::fen;
    use quintain_engine::variants::superchess::SuperChessFixed;

    #[test]
    fn gradients_are_those_of_the_output() {
        let features = Features::new::<SuperChessFixed>();
        let pos = fen::start::<SuperChessFixed>();
        let inputs = features.of(&pos);
        let mut factored = Factored::new::<SuperChessFixed>(&features, None, &mut random_numbers(5));
        let model = factored.model();
        let (layers, out) = model.forward(&inputs, 3);
        let mut gradients = Model::zero(features.count());
        gradients.accumulate_gradients(&model, &inputs, 3, &layers, 1.0);
        // A small step up the gradient, by each sort of row, raises the output as much as the gradient says.
        let (bias, last) = (gradients.feature_bias(), gradients.rows.len() - 1);
        for rows in [0..bias, bias..bias + 1, bias + 1..last, last..last + 1] {
            let norm: f32 =
                gradients.rows[rows.clone()].as_flattened().iter().map(|gradient| gradient * gradient).sum();
            assert!(norm > 0.0, "{rows:?}");
            let mut moved = model.clone();
            let by = 0.002 / norm.sqrt();
            for (row, gradients) in moved.rows[rows.clone()].iter_mut().zip(&gradients.rows[rows.clone()]) {
                row.iter_mut().zip(gradients).for_each(|(number, gradient)| *number += by * gradient);
            }
            let rise = (moved.forward(&inputs, 3).1 - out) / by;
            assert!((rise - norm).abs() < 0.05 * norm, "{rows:?}: {rise}, not {norm}");
        }
        // A step of training goes down.
        let mut gradients = vec![gradients];
        factored.step(&Step { number: 1, learning_rate: 0.0001, weight_decay: 0.0 }, &mut gradients, 1);
        assert!(factored.model().forward(&inputs, 3).1 < out);
    }

    #[test]
    fn parameters_survive_quantisation_and_back() {
        let features = Features::new::<SuperChessFixed>();
        let factored = Factored::new::<SuperChessFixed>(&features, None, &mut random_numbers(6));
        let parameters = factored.model().quantised();
        assert_eq!(Model::from_parameters(&parameters).quantised(), parameters);
    }
}
