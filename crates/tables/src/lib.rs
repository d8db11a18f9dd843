//! Endgame tables: for every position of a material, who wins and in how many plies.
//!
//! A table has all placements of its pieces on distinct squares, with either side to move, that are legal positions of the
//! game: the side not to move is not in check, and pawns stand where the game lets them. Castling and en passant are left
//! out, and so are the fifty-move rule and repetitions. A game with a limit of moves to mate a bare king
//! ([`Variant::BARE_KING_MOVES`](quintain_core::rules::Variant::BARE_KING_MOVES)) has values with it and without it.
//!
//! [`Endings`] builds and reads the tables of a game. It is an object, so that generic code is compiled once for each game.

mod check;
mod counts;
mod file;
mod game;
mod layout;
mod material;
mod set;
mod solve;
mod symmetry;
#[cfg(test)]
mod tests;
mod values;

pub use counts::{Count, Counts};
pub use file::{FileError, ReadAt};
pub use game::open;
pub use layout::MOST_PIECES;
pub use material::Material;
pub use set::{Pieces, Reader, Set, bundle};

use quintain_core::board::Color;
use std::collections::BTreeMap;
use std::sync::Arc;
use values::Values;

/// Who wins, and in how many plies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The side to move mates in so many plies.
    Won(u16),
    /// Nobody can force a mate.
    Drawn,
    /// The side to move is mated in so many plies, at once if 0.
    Lost(u16),
}

/// The values of all positions of one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    game: String,
    material: Material,
    /// Without a limit of moves to mate a bare king.
    plain: Values,
    /// With it, in a game that has one, where no king is alone yet; otherwise it follows from `plain`.
    limited: Option<Values>,
    counts: Counts,
    limited_counts: Option<Counts>,
}

impl Table {
    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The material, in the form in which it is stored.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// What there is to count, without a limit of moves to mate a bare king.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The same with the limit, from a count of 0, in a game that has one.
    pub fn limited_counts(&self) -> Option<&Counts> {
        self.limited_counts.as_ref()
    }
}

/// Tables of one game, by material.
pub type Tables = BTreeMap<Material, Arc<Table>>;

/// Why a table was not built or did not pass a check.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The material cannot have a table.
    #[error("{0}")]
    Material(String),
    /// A table that is needed was not given.
    #[error("the table of {0} is needed first")]
    Missing(Material),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
    /// An entry is not what follows from the moves.
    #[error("{material}: {fen} is {found:?} in the table, but its moves make it {expected:?}")]
    Wrong {
        /// The material.
        material: Material,
        /// The position.
        fen: String,
        /// The value in the table.
        found: Verdict,
        /// The value by its moves.
        expected: Verdict,
    },
    /// The counts stored are not those of the entries.
    #[error("{0}: the counts in the table are not those of its entries")]
    Counts(Material),
}

/// How to do long work.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The number of threads.
    pub threads: usize,
    /// Is asked now and then; true ends the work.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// The tables of a game.
pub trait Endings: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// Reads a material, `KQvK`.
    fn material(&self, text: &str) -> Result<Material, TableError>;
    /// The form in which a material is stored, and whether the colours are exchanged in it.
    fn stored(&self, material: &Material) -> (Material, bool);
    /// All materials with so many pieces, in the form in which they are stored.
    fn all(&self, pieces: usize) -> Vec<Material>;
    /// The materials that captures and promotions may lead to, in the form in which they are stored; those of two pieces
    /// have no tables and are left out.
    fn needed(&self, material: &Material) -> Result<Vec<Material>, TableError>;
    /// The materials given and all that their tables need, each after those that it needs.
    fn plan(&self, materials: &[Material]) -> Result<Vec<Material>, TableError>;
    /// The number of entries of a table.
    fn entries(&self, material: &Material) -> Result<usize, TableError>;
    /// The bytes of a table in memory.
    fn size(&self, material: &Material) -> Result<usize, TableError>;
    /// The bytes that building a table takes, without the tables that it needs.
    fn memory(&self, material: &Material) -> Result<usize, TableError>;
    /// Builds the table of a stored material from those that it needs.
    fn build(&self, material: &Material, tables: &Tables, work: Work) -> Result<Table, TableError>;
    /// Derives every entry of a table from the moves of its position, by the ordinary rules, and compares.
    fn verify(&self, table: &Table, tables: &Tables, work: Work) -> Result<(), TableError>;
    /// The verdict about a position; `None` if it has castling rights or a capture in passing, or if there is no table of
    /// its material. `limited` asks for the truth with the limit of moves to mate a bare king, where the game has one.
    fn probe(&self, fen: &str, tables: &Tables, limited: bool) -> Option<Verdict>;
    /// The position with a number, as [`Counts`] gives it, as FEN.
    fn position(&self, material: &Material, side: Color, number: usize) -> Result<String, TableError>;
    /// A table as the bytes of a file.
    fn write(&self, table: &Table) -> Result<Vec<u8>, TableError>;
    /// The same without distances: only who wins.
    fn write_verdicts(&self, table: &Table) -> Result<Vec<u8>, TableError>;
    /// Reads the bytes of a file that has distances.
    fn read(&self, bytes: &[u8]) -> Result<Table, FileError>;
    /// Reads the heading of a file, so that positions can be looked up in it.
    fn reader(&self, read: &ReadAt) -> Result<Reader, FileError>;
    /// What a [`Set`] knows of the pieces of the game.
    fn pieces(&self) -> Pieces;
    /// The pieces of a material in one number: how many there are of each colour and letter.
    fn key(&self, material: &Material) -> u128;
}

/// A game that has endgame tables.
pub trait HasTables {
    /// Its tables.
    fn endings() -> &'static dyn Endings;
}

/// Gives games their endgame tables. The generic code is compiled for them where this stands.
#[macro_export]
macro_rules! with_tables {
    ($($game:ty),*) => {$(
        impl $crate::HasTables for $game {
            // Inlined into another crate, the tables would be compiled there again.
            #[inline(never)]
            fn endings() -> &'static dyn $crate::Endings {
                static OPENED: ::std::sync::LazyLock<Box<dyn $crate::Endings>> =
                    ::std::sync::LazyLock::new($crate::open::<$game>);
                &**OPENED
            }
        }
    )*};
}
