//! A network: its parameters, its file, and its output.
//!
//! It is an efficiently updatable neural network (Yu Nasu, Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi, 2018). Each feature adds a row of weights to a hidden layer; there is one layer for
//! each side. Their values, clipped between zero and one and squared (SCReLU), are summed with the weights of an output
//! bucket, which the number of pieces chooses.

use super::features::{Features, Inputs};
use std::sync::Arc;
use thiserror::Error;

/// Neurons in the hidden layer of a side.
pub const HIDDEN: usize = 128;
/// Output buckets: sets of output weights, from few pieces to many.
pub const OUTPUT_BUCKETS: usize = 8;
/// The quantisation of the hidden layers: the integer that stands for 1, where values are clipped.
pub const QA: i16 = 255;
/// The quantisation of the output weights: the integer that stands for 1. A weight is at most 127, so that its product with [`QA`] fits
/// 16 bits.
pub const QB: i16 = 64;
/// The integer that stands for 1 in the output and its bias.
pub const QA_QB: i32 = QA as i32 * QB as i32;
/// The largest output bias, far beyond that of any trained network: the output must not overflow.
pub const LARGEST_BIAS: i32 = 1 << 24;
/// Units of the evaluation for an output of 1.
pub const SCALE: i32 = 400;

/// A number for each neuron of a hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// The parameters of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// By feature, what it adds to a hidden layer.
    pub feature_weights: Vec<Row>,
    /// The hidden layer without pieces.
    pub feature_bias: Row,
    /// By output bucket, the weights of the hidden layers of the side to move and of the other one.
    pub output_weights: [[Row; 2]; OUTPUT_BUCKETS],
    /// By output bucket, what is added to the output, where 1 is [`QA_QB`].
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// What a file begins with; the last byte is the version of the format.
const MAGIC: &[u8; 8] = b"QUINNET\x01";
/// Bytes for the name of the game.
const NAME: usize = 24;
/// A file in parts.
struct Parts<'a> {
    /// The CRC-32 of `body`.
    checksum: u32,
    /// The name of the game and the parameters.
    body: &'a [u8],
    game: String,
    parameters: &'a [u8],
}

impl<'a> Parts<'a> {
    /// `None` if the file does not begin as a network.
    fn of(file: &'a [u8]) -> Option<Self> {
        let (&checksum, body) = file.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
        let (name, parameters) = body.split_at_checked(NAME)?;
        let game = String::from_utf8_lossy(name).trim_end_matches('\0').to_string();
        Some(Parts { checksum: u32::from_le_bytes(checksum), body, game, parameters })
    }
}

/// Why a file is not a network of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It does not begin as one of this version.
    #[error("it does not begin as a network of this program's format")]
    Format,
    /// The checksum does not match.
    #[error("its checksum does not match: the file is damaged")]
    Checksum,
    /// It is for another game.
    #[error("it is for {found}, not for {wanted}")]
    Game {
        /// The game in the file.
        found: String,
        /// The game that was wanted.
        wanted: &'static str,
    },
    /// It has the wrong size.
    #[error("it has {found} bytes of parameters, not {wanted}")]
    Size {
        /// Bytes in the file.
        found: usize,
        /// Bytes that the game's network has.
        wanted: usize,
    },
    /// An output bias is too large.
    #[error("its output bias {found} is not between -{LARGEST_BIAS} and {LARGEST_BIAS}")]
    Bias {
        /// The bias.
        found: i32,
    },
}

impl Parameters {
    /// Those of a network for game `V` that adds nothing.
    pub fn zero<V: Inputs>() -> Self {
        let row = Row([0; HIDDEN]);
        let features = Features::new::<V>().count();
        Parameters {
            feature_weights: vec![row; features],
            feature_bias: row,
            output_weights: [[row; 2]; OUTPUT_BUCKETS],
            output_bias: [0; OUTPUT_BUCKETS],
        }
    }

    /// A file for game `V`: a header with format, CRC-32 and game, then the parameters, two bytes each and four for the
    /// output biases, all little-endian.
    pub fn to_bytes<V: Inputs>(&self) -> Vec<u8> {
        let mut name = [0; NAME];
        name[..V::NETWORK_GAME.len()].copy_from_slice(V::NETWORK_GAME.as_bytes());
        let weights =
            self.feature_weights.iter().chain([&self.feature_bias]).chain(self.output_weights.as_flattened());
        let mut body = name.to_vec();
        body.extend(weights.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        body.extend(self.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        [MAGIC.as_slice(), &crc32fast::hash(&body).to_le_bytes(), &body].concat()
    }

    /// Reads a file of [`Parameters::to_bytes`] for game `V`.
    pub fn from_bytes<V: Inputs>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Parts { checksum, body, game, parameters } = Parts::of(bytes).ok_or(NetworkError::Format)?;
        if crc32fast::hash(body) != checksum {
            return Err(NetworkError::Checksum);
        }
        if game != V::NETWORK_GAME {
            return Err(NetworkError::Game { found: game, wanted: V::NETWORK_GAME });
        }
        let mut read = Parameters::zero::<V>();
        let wanted = 2 * HIDDEN * (read.feature_weights.len() + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS;
        if parameters.len() != wanted {
            return Err(NetworkError::Size { found: parameters.len(), wanted });
        }
        let (weights, biases) = parameters.split_at(wanted - 4 * OUTPUT_BUCKETS);
        let mut words = weights.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let all = read
            .feature_weights
            .iter_mut()
            .chain([&mut read.feature_bias])
            .chain(read.output_weights.as_flattened_mut());
        all.for_each(|row| row.0.fill_with(|| words.next().expect("as many as were counted")));
        for (bias, &bytes) in read.output_bias.iter_mut().zip(biases.as_chunks::<4>().0) {
            *bias = i32::from_le_bytes(bytes);
        }
        match read.output_bias.iter().find(|bias| bias.unsigned_abs() > LARGEST_BIAS.unsigned_abs()) {
            Some(&found) => Err(NetworkError::Bias { found }),
            None => Ok(read),
        }
    }
}

/// A network of a game.
#[derive(Clone, Debug)]
pub struct Network {
    game: &'static str,
    pub(super) parameters: Parameters,
    pub(super) features: Features,
    /// By the number of pieces on the board.
    buckets: [u8; 64],
}

impl Network {
    /// That of game `V` with these parameters.
    pub fn new<V: Inputs>(parameters: Parameters) -> Network {
        let most = 2 * V::MAX_PIECES as usize;
        let bucket = |pieces: usize| pieces.saturating_sub(1) / most.div_ceil(OUTPUT_BUCKETS);
        let buckets = std::array::from_fn(|pieces| bucket(pieces).min(OUTPUT_BUCKETS - 1) as u8);
        Network { game: V::NETWORK_GAME, parameters, features: Features::new::<V>(), buckets }
    }

    /// Reads a file of [`Parameters::to_bytes`] for game `V`.
    pub fn from_bytes<V: Inputs>(bytes: &[u8]) -> Result<Network, NetworkError> {
        Parameters::from_bytes::<V>(bytes).map(Network::new::<V>)
    }

    /// The network of the program, from a file that is part of it; one that adds nothing if the file is empty.
    ///
    /// # Panics
    /// If the file is damaged.
    pub fn built_in<V: Inputs>(file: &[u8]) -> Arc<Network> {
        match file {
            [] => Network::nothing::<V>(),
            file => Arc::new(Network::from_bytes::<V>(file).expect("a network of this game")),
        }
    }

    /// The game that a file is for; `None` if the file does not begin as a network.
    pub fn game_of(bytes: &[u8]) -> Option<String> {
        Parts::of(bytes).map(|parts| parts.game)
    }

    /// The game that it is for; see [`Inputs::NETWORK_GAME`].
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// Its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// How its features are numbered.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The output bucket for so many pieces on the board.
    #[inline]
    pub fn bucket(&self, pieces: u32) -> usize {
        self.buckets[pieces as usize & 63].into()
    }

    /// The output in units of the evaluation, from the hidden layers of the side to move and of the other one.
    #[inline]
    pub(super) fn output(&self, layers: [&Row; 2], bucket: usize) -> i32 {
        let weights = &self.parameters.output_weights[bucket];
        let sum: i32 = layers.into_iter().zip(weights).map(|(layer, weights)| weighted(layer, weights)).sum();
        let out = i64::from(sum / i32::from(QA) + self.parameters.output_bias[bucket]);
        (out * i64::from(SCALE) / i64::from(QA_QB)) as i32
    }
}

/// The sum of the squares of the clipped neurons, each with its weight.
#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
#[inline]
fn weighted(layer: &Row, weights: &Row) -> i32 {
    let of = |(&neuron, &weight): (&i16, &i16)| {
        let clipped = neuron.clamp(0, QA);
        // The product fits 16 bits, so that two of these are one instruction of AVX2.
        i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
    };
    layer.0.iter().zip(&weights.0).map(of).sum()
}

/// The same with an instruction that the compiler does not find by itself.
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
#[inline]
#[allow(unsafe_code)]
fn weighted(layer: &Row, weights: &Row) -> i32 {
    use std::arch::wasm32::*;
    // SAFETY: any bits are a vector of this size.
    let vector = |chunk: &[i16; 8]| unsafe { std::mem::transmute::<[i16; 8], v128>(*chunk) };
    let mut sums = i32x4_splat(0);
    for (neurons, weights) in layer.0.as_chunks().0.iter().zip(weights.0.as_chunks().0) {
        let clipped = i16x8_min(i16x8_max(vector(neurons), i16x8_splat(0)), i16x8_splat(QA));
        sums = i32x4_add(sums, i32x4_dot_i16x8(i16x8_mul(clipped, vector(weights)), clipped));
    }
    let pairs = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
    i32x4_extract_lane::<0>(pairs) + i32x4_extract_lane::<1>(pairs)
}
