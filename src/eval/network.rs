//! A network: its numbers, its file, and its output.
//!
//! It is an efficiently updatable neural network (Yu Nasu, Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi, 2018). Each feature adds a row of numbers to a hidden layer; there is one layer for
//! each side. Their values, clipped between zero and one and squared, are summed with the weights of a bucket, which
//! the number of pieces chooses.

use super::features::Features;
use super::game::{Evaluate, Score};
use thiserror::Error;

/// Numbers in the hidden layer of a side.
pub const HIDDEN: usize = 128;
/// Sets of output weights, from few pieces to many.
pub const BUCKETS: usize = 8;
/// The value of 1 in a hidden layer, where values are clipped.
pub const ONE: i16 = 255;
/// The value of 1 among the weights of the output. A weight is at most 127, so that its product with [`ONE`] fits
/// 16 bits.
pub const OUTPUT_ONE: i16 = 64;
/// The value of 1 in the output and its offsets.
pub const SUM_ONE: i32 = ONE as i32 * OUTPUT_ONE as i32;
/// The largest offset, far beyond that of any trained network: the output must not overflow.
const LARGEST_OFFSET: i32 = 1 << 24;
/// Units of the evaluation for an output of 1.
pub const SCALE: Score = 400;

/// A row of numbers for a hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// The numbers of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// By feature.
    pub rows: Vec<Row>,
    /// A hidden layer without pieces.
    pub start: Row,
    /// By bucket, the weights of the hidden layers of the side to move and of the other one.
    pub outputs: [[Row; 2]; BUCKETS],
    /// By bucket, what is added to the output, where 1 is [`SUM_ONE`].
    pub offsets: [i32; BUCKETS],
}

/// What a file begins with; the last byte is the version of the format.
const MAGIC: &[u8; 8] = b"QUINNET\x01";
/// Bytes for the name of the game.
const NAME: usize = 24;
/// A file in parts.
struct Parts<'a> {
    /// The CRC-32 of `body`.
    checksum: u32,
    /// The name of the game and the numbers.
    body: &'a [u8],
    game: String,
    numbers: &'a [u8],
}

impl<'a> Parts<'a> {
    /// `None` if the file does not begin as a network.
    fn of(file: &'a [u8]) -> Option<Self> {
        let (&checksum, body) = file.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
        let (name, numbers) = body.split_at_checked(NAME)?;
        let game = String::from_utf8_lossy(name).trim_end_matches('\0').to_string();
        Some(Parts { checksum: u32::from_le_bytes(checksum), body, game, numbers })
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
    #[error("it has {found} bytes of numbers, not {wanted}")]
    Size {
        /// Bytes in the file.
        found: usize,
        /// Bytes that the game's network has.
        wanted: usize,
    },
    /// An offset of the output is too large.
    #[error("its offset {found} is not between -{LARGEST_OFFSET} and {LARGEST_OFFSET}")]
    Offset {
        /// The offset.
        found: i32,
    },
}

impl Numbers {
    /// A network that adds nothing.
    pub fn empty(features: usize) -> Self {
        let row = Row([0; HIDDEN]);
        Numbers { rows: vec![row; features], start: row, outputs: [[row; 2]; BUCKETS], offsets: [0; BUCKETS] }
    }

    /// A file for game `V`: a header with format, CRC-32 and game, then the numbers, two bytes each and four for the
    /// offsets, all little-endian.
    pub fn to_bytes<V: Evaluate>(&self) -> Vec<u8> {
        let mut name = [0; NAME];
        name[..V::NETWORK_GAME.len()].copy_from_slice(V::NETWORK_GAME.as_bytes());
        let rows = self.rows.iter().chain([&self.start]).chain(self.outputs.as_flattened());
        let mut body = name.to_vec();
        body.extend(rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        body.extend(self.offsets.iter().flat_map(|number| number.to_le_bytes()));
        [MAGIC.as_slice(), &crc32fast::hash(&body).to_le_bytes(), &body].concat()
    }

    /// Reads a file of [`Numbers::to_bytes`] for game `V`.
    pub fn from_bytes<V: Evaluate>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Parts { checksum, body, game, numbers } = Parts::of(bytes).ok_or(NetworkError::Format)?;
        if crc32fast::hash(body) != checksum {
            return Err(NetworkError::Checksum);
        }
        if game != V::NETWORK_GAME {
            return Err(NetworkError::Game { found: game, wanted: V::NETWORK_GAME });
        }
        let mut read = Numbers::empty(Features::new::<V>().count());
        let wanted = 2 * HIDDEN * (read.rows.len() + 1 + 2 * BUCKETS) + 4 * BUCKETS;
        if numbers.len() != wanted {
            return Err(NetworkError::Size { found: numbers.len(), wanted });
        }
        let (rows, offsets) = numbers.split_at(wanted - 4 * BUCKETS);
        let mut words = rows.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let all = read.rows.iter_mut().chain([&mut read.start]).chain(read.outputs.as_flattened_mut());
        all.for_each(|row| row.0.fill_with(|| words.next().expect("as many as were counted")));
        for (offset, &bytes) in read.offsets.iter_mut().zip(offsets.as_chunks::<4>().0) {
            *offset = i32::from_le_bytes(bytes);
        }
        match read.offsets.iter().find(|offset| offset.unsigned_abs() > LARGEST_OFFSET.unsigned_abs()) {
            Some(&found) => Err(NetworkError::Offset { found }),
            None => Ok(read),
        }
    }
}

/// A network of a game.
#[derive(Clone, Debug)]
pub struct Network {
    game: &'static str,
    pub(super) numbers: Numbers,
    pub(super) features: Features,
    /// By the number of pieces on the board.
    buckets: [u8; 64],
}

impl Network {
    /// That of game `V` with these numbers.
    pub fn new<V: Evaluate>(numbers: Numbers) -> Network {
        let most = 2 * V::MAX_PIECES as usize;
        let bucket = |pieces: usize| pieces.saturating_sub(1) / most.div_ceil(BUCKETS);
        let buckets = std::array::from_fn(|pieces| bucket(pieces).min(BUCKETS - 1) as u8);
        Network { game: V::NETWORK_GAME, numbers, features: Features::new::<V>(), buckets }
    }

    /// Reads a file of [`Numbers::to_bytes`] for game `V`.
    pub fn from_bytes<V: Evaluate>(bytes: &[u8]) -> Result<Network, NetworkError> {
        Numbers::from_bytes::<V>(bytes).map(Network::new::<V>)
    }

    /// The network in the program, or one that adds nothing if there is none.
    ///
    /// # Panics
    /// If the file in the program is damaged.
    pub fn built_in<V: Evaluate>() -> Network {
        match V::NETWORK {
            [] => Network::new::<V>(Numbers::empty(Features::new::<V>().count())),
            bytes => Network::from_bytes::<V>(bytes).expect("a network of this game"),
        }
    }

    /// The game that a file is for; `None` if the file does not begin as a network.
    pub fn game_of(bytes: &[u8]) -> Option<String> {
        Parts::of(bytes).map(|parts| parts.game)
    }

    /// The game that it is for; see [`Evaluate::NETWORK_GAME`].
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// How its features are numbered.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The bucket for so many pieces on the board.
    #[inline]
    pub fn bucket(&self, pieces: u32) -> usize {
        self.buckets[pieces as usize & 63].into()
    }

    /// The output in units of the evaluation, from the hidden layers of the side to move and of the other one.
    #[inline]
    pub(super) fn output(&self, layers: [&Row; 2], bucket: usize) -> Score {
        let mut sum = 0;
        for (layer, weights) in layers.into_iter().zip(&self.numbers.outputs[bucket]) {
            for (&number, &weight) in layer.0.iter().zip(&weights.0) {
                let clipped = number.clamp(0, ONE);
                // The product fits 16 bits, so that two of these are one instruction of AVX2.
                sum += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
            }
        }
        let out = i64::from(sum / i32::from(ONE) + self.numbers.offsets[bucket]);
        (out * i64::from(SCALE) / i64::from(SUM_ONE)) as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::diamond::Diamond;
    use crate::variants::grand::Grand;
    use crate::variants::superchess::{SuperChess, SuperChessFixed};

    #[test]
    fn a_file_comes_back_and_only_whole_and_for_its_game() {
        let mut numbers = Numbers::empty(Features::new::<Grand>().count());
        let mut next = -40i16;
        let mut random = || {
            next = next.wrapping_mul(31).wrapping_add(7);
            next
        };
        numbers.rows.iter_mut().for_each(|row| row.0.fill_with(&mut random));
        numbers.outputs.as_flattened_mut().iter_mut().for_each(|row| row.0.fill_with(&mut random));
        numbers.offsets = [-100_000, 3, 0, LARGEST_OFFSET, -LARGEST_OFFSET, 1, 2, 3];
        let bytes = numbers.to_bytes::<Grand>();
        assert_eq!(Numbers::from_bytes::<Grand>(&bytes), Ok(numbers));

        let error = |bytes: &[u8]| Numbers::from_bytes::<Grand>(bytes).unwrap_err();
        assert_eq!(error(&bytes[..20]), NetworkError::Format);
        assert_eq!(error(&bytes[1..]), NetworkError::Format);
        assert_eq!(error(&bytes[..bytes.len() - 1]), NetworkError::Checksum);
        let mut changed = bytes.clone();
        changed[500] ^= 1;
        assert_eq!(error(&changed), NetworkError::Checksum);
        let small = Numbers::empty(3).to_bytes::<Grand>();
        assert!(matches!(error(&small), NetworkError::Size { .. }));
        for found in [i32::MAX, i32::MIN, LARGEST_OFFSET + 1] {
            let mut large = Numbers::empty(Features::new::<Grand>().count());
            large.offsets[7] = found;
            assert_eq!(error(&large.to_bytes::<Grand>()), NetworkError::Offset { found });
        }
        let other = Numbers::from_bytes::<Diamond>(&bytes).unwrap_err();
        assert_eq!(other.to_string(), "it is for grand, not for diamond");
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let pos = crate::rules::Position::<Diamond>::default();
        for number in [i16::MAX, i16::MIN] {
            let mut numbers = Numbers::empty(Features::new::<Diamond>().count());
            numbers.rows.iter_mut().for_each(|row| row.0.fill(number));
            numbers.outputs.as_flattened_mut().iter_mut().for_each(|row| row.0.fill(number));
            numbers.start.0.fill(ONE);
            numbers.offsets.fill(if number > 0 { LARGEST_OFFSET } else { -LARGEST_OFFSET });
            let network =
                std::sync::Arc::new(Network::from_bytes::<Diamond>(&numbers.to_bytes::<Diamond>()).unwrap());
            assert!(crate::eval::evaluate(&pos, &network).abs() <= crate::eval::LARGEST);
        }
    }

    #[test]
    fn both_forms_of_super_chess_share_networks() {
        let bytes = Numbers::empty(Features::new::<SuperChess>().count()).to_bytes::<SuperChess>();
        assert!(Numbers::from_bytes::<SuperChessFixed>(&bytes).is_ok());
    }

    #[test]
    fn buckets_cover_all_counts_of_pieces() {
        let network = Network::built_in::<Grand>();
        let buckets: Vec<usize> = (2..=40).map(|pieces| network.bucket(pieces)).collect();
        assert_eq!((buckets[0], buckets[38]), (0, BUCKETS - 1));
        assert!(buckets.is_sorted());
    }
}
