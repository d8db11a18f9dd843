//! Tables as files.
//!
//! A file has a heading as text, the places of its blocks, and the blocks: each has [`BLOCK`] values, as numbers of the
//! values in a list, compressed. The heading and each block have a checksum, so that parts of a large file can be read
//! without the rest. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`], with the version |
//! | 4, 4 | the length of the heading, and its checksum |
//! | ... | the heading: lines of a word and its value |
//! | 8, 4 each | where each block ends, from the first, and its checksum |
//! | ... | the blocks: White to move, then Black to move; then both with the limit of moves, if there is one |

use super::Table;
use super::counts::{Count, Counts};
use super::material::Material;
use super::values::{Codes, Values, width};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use quintain_core::board::Color;
use quintain_core::rules::setup::quoted;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{Error as IoError, ErrorKind};
use thiserror::Error;

/// How a file begins.
const MAGIC: &[u8; 8] = b"QTNTBL\x00\x02";
/// The values of a block.
pub(super) const BLOCK: usize = 4096;
/// Entries of the list of blocks, in bytes.
const ENTRY: usize = 12;
/// How hard to compress, from 0 to 10.
const LEVEL: u8 = 6;
/// The longest heading.
const MOST_HEADING: usize = 1 << 20;

/// Reads bytes from a place on, all or none.
pub type ReadAt<'a> = dyn Fn(u64, &mut [u8]) -> std::io::Result<()> + Send + Sync + 'a;

/// Why a file is not a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// It is something else, or of another version.
    #[error("it is no endgame table of this version")]
    Format,
    /// It is of another game.
    #[error("it is a table of the game {}", quoted(.0))]
    Game(String),
    /// It is of another material than it should be.
    #[error("it is the table of {}", quoted(.0))]
    Material(String),
    /// It ends too early.
    #[error("it is cut short")]
    Short,
    /// Its bytes are not those that were written.
    #[error("it is damaged: a checksum is wrong")]
    Checksum,
    /// What it says makes no sense.
    #[error("it is damaged: {0}")]
    Content(String),
    /// It cannot be read.
    #[error("{0}")]
    Read(String),
}

impl From<IoError> for FileError {
    fn from(error: IoError) -> FileError {
        match error.kind() {
            ErrorKind::UnexpectedEof => FileError::Short,
            _ => FileError::Read(error.to_string()),
        }
    }
}

/// Reads from bytes in memory.
pub(super) fn in_memory<B: AsRef<[u8]> + Send + Sync>(
    bytes: B,
) -> impl Fn(u64, &mut [u8]) -> std::io::Result<()> + Send + Sync {
    move |at, into| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let found = bytes.as_ref().get(at..).and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(found.ok_or(IoError::from(ErrorKind::UnexpectedEof))?);
        Ok(())
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

fn content(what: &str) -> FileError {
    FileError::Content(what.into())
}

/// What a file says about itself.
pub(super) struct Heading {
    words: BTreeMap<String, String>,
    /// The number of positions with each side to move.
    pub size: usize,
    /// The lists of values, the second with the limit of moves.
    pub lists: Vec<Vec<u16>>,
    /// Where the list of blocks begins.
    index: u64,
}

impl Heading {
    pub(super) fn read(read: &ReadAt) -> Result<Heading, FileError> {
        let mut start = [0; 16];
        let (magic, rest) = start.split_at_mut(8);
        read(0, magic)?;
        if magic != MAGIC {
            return Err(FileError::Format);
        }
        read(8, rest)?;
        let (length, sum) = (number(&rest[..4]), number(&rest[4..]));
        if length > MOST_HEADING {
            return Err(content("the heading is too long"));
        }
        let mut bytes = vec![0; length];
        read(16, &mut bytes)?;
        if crc32fast::hash(&bytes) as usize != sum {
            return Err(FileError::Checksum);
        }
        let text = String::from_utf8(bytes).map_err(|_| content("the heading is no text"))?;
        let pair = |line: &str| line.split_once(' ').map(|(name, value)| (name.into(), value.into()));
        let mut heading = Heading {
            words: text.lines().filter_map(pair).collect(),
            size: 0,
            lists: Vec::new(),
            index: 16 + length as u64,
        };
        heading.size = heading.get("size")?.parse().map_err(|_| content("the size cannot be read"))?;
        heading.lists.push(heading.numbers("values")?);
        if heading.words.contains_key("limited-values") {
            heading.lists.push(heading.numbers("limited-values")?);
        }
        Ok(heading)
    }

    pub(super) fn get(&self, name: &str) -> Result<&str, FileError> {
        let value = self.words.get(name).map(String::as_str);
        value.ok_or_else(|| FileError::Content(format!("the heading has no {name}")))
    }

    fn numbers(&self, name: &str) -> Result<Vec<u16>, FileError> {
        let numbers: Option<Vec<u16>> =
            self.get(name)?.split_whitespace().map(|word| word.parse().ok()).collect();
        numbers.ok_or_else(|| FileError::Content(format!("{name} cannot be read")))
    }

    /// The symmetries that the numbers of positions use.
    pub(super) fn symmetries(&self) -> Result<Vec<usize>, FileError> {
        Ok(self.numbers("symmetries")?.into_iter().map(usize::from).collect())
    }

    /// Does it have the plies to each mate, and not only who wins?
    pub(super) fn has_distances(&self) -> bool {
        self.words.contains_key("distances")
    }

    /// The blocks of each side.
    fn blocks(&self) -> usize {
        self.size.div_ceil(BLOCK)
    }

    /// Where the first block begins.
    fn first_block(&self) -> u64 {
        self.index + (ENTRY * self.lists.len() * 2 * self.blocks()) as u64
    }

    /// An error if the last block does not end in the file.
    pub(super) fn must_be_whole(&self, read: &ReadAt) -> Result<(), FileError> {
        let mut end = [0; 8];
        read(self.first_block().saturating_sub(ENTRY as u64), &mut end)?;
        let last = self.first_block().checked_add(u64::from_le_bytes(end)).and_then(|end| end.checked_sub(1));
        Ok(read(last.ok_or(FileError::Short)?, &mut [0])?)
    }

    /// The codes of a block as bytes, `width` of its list each, checked.
    pub(super) fn block(
        &self,
        read: &ReadAt,
        list: usize,
        side: Color,
        block: usize,
    ) -> Result<Vec<u8>, FileError> {
        let (values, place) = (&self.lists[list], (2 * list + side.index()) * self.blocks() + block);
        // Each block begins where the one before ends.
        let mut entries = [0; 2 * ENTRY];
        let entries = if place == 0 { &mut entries[ENTRY..] } else { &mut entries[..] };
        read(self.index + (ENTRY * place.saturating_sub(1)) as u64, entries)?;
        let (before, entry) = entries.split_at(entries.len() - ENTRY);
        let (start, end) = (number(&before[..before.len().min(8)]), number(&entry[..8]));
        let length = end.checked_sub(start).filter(|&length| length <= 4 * BLOCK);
        let mut packed = vec![0; length.ok_or_else(|| content("a block has an impossible length"))?];
        let at = self.first_block().checked_add(start as u64).ok_or(FileError::Short)?;
        read(at, &mut packed)?;
        if crc32fast::hash(&packed) as usize != number(&entry[8..]) {
            return Err(FileError::Checksum);
        }
        let count = width(values) * BLOCK.min(self.size - block * BLOCK);
        let bytes = decompress_to_vec_with_limit(&packed, count)
            .map_err(|_| content("a block cannot be decompressed"))?;
        if bytes.len() != count {
            return Err(content("a block has the wrong length"));
        }
        if bytes.chunks_exact(width(values)).any(|code| number(code) >= values.len()) {
            return Err(content("a value is not in the list"));
        }
        Ok(bytes)
    }

    /// The counts that stand under a name.
    pub(super) fn counts(&self, name: &str) -> Result<Counts, FileError> {
        let mut counts = Counts::default();
        for (side, count) in ["white", "black"].iter().zip(&mut counts) {
            let name = format!("{name}-{side}");
            let words: Vec<&str> = self.get(&name)?.split(' ').collect();
            let wrong = || FileError::Content(format!("{name} cannot be read"));
            let read = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
            let longest =
                |at: usize| Some((u16::try_from(read(at)?).ok()?, usize::try_from(read(at + 1)?).ok()?));
            if words.len() != 11 {
                return Err(wrong());
            }
            let number = |at: usize| read(at).ok_or_else(wrong);
            *count = Count {
                positions: number(0)?,
                won: number(1)?,
                drawn: number(2)?,
                lost: number(3)?,
                mated: number(4)?,
                zugzwangs: number(5)?,
                sum_plies: number(6)?,
                longest_win: longest(7),
                longest_loss: longest(9),
            };
        }
        Ok(counts)
    }

    /// All values of a list.
    fn values(&self, read: &ReadAt, list: usize) -> Result<Values, FileError> {
        let side = |side: Color| -> Result<Codes, FileError> {
            let mut bytes = Vec::with_capacity(self.size * width(&self.lists[list]));
            for block in 0..self.blocks() {
                bytes.extend(self.block(read, list, side, block)?);
            }
            Ok(match width(&self.lists[list]) {
                1 => Codes::Bytes(bytes),
                _ => Codes::Words(bytes.chunks_exact(2).map(|code| number(code) as u16).collect()),
            })
        };
        let codes = [side(Color::White)?, side(Color::Black)?];
        Ok(Values { list: self.lists[list].clone(), codes })
    }
}

/// Reads a table of this material, whose heading was read already.
pub(super) fn read(heading: &Heading, read: &ReadAt, material: Material) -> Result<Table, FileError> {
    if !heading.has_distances() {
        return Err(content("it has no distances"));
    }
    Ok(Table {
        game: heading.get("game")?.into(),
        material,
        plain: heading.values(read, 0)?,
        limited: (heading.lists.len() > 1).then(|| heading.values(read, 1)).transpose()?,
        counts: heading.counts("counts")?,
        limited_counts: match heading.words.contains_key("limited-counts-white") {
            true => Some(heading.counts("limited-counts")?),
            false => None,
        },
    })
}

/// Writes a table, whose numbers use these symmetries.
pub(super) fn write(table: &Table, symmetries: &[usize]) -> Vec<u8> {
    let mut heading = "distances plies\n".to_owned();
    write_counts(&mut heading, "counts", &table.counts);
    if let Some(counts) = &table.limited_counts {
        write_counts(&mut heading, "limited-counts", counts);
    }
    let values: Vec<&Values> = [&table.plain].into_iter().chain(&table.limited).collect();
    write_values(table, symmetries, &heading, &values)
}

/// Writes who wins, without distances and counts. With a limit of moves, a win that is too long is none.
pub(super) fn write_verdicts(table: &Table, symmetries: &[usize]) -> Vec<u8> {
    let values: Vec<Values> =
        [&table.plain].into_iter().chain(&table.limited).map(Values::without_distances).collect();
    write_values(table, symmetries, "", &values.iter().collect::<Vec<_>>())
}

fn write_values(table: &Table, symmetries: &[usize], heading: &str, values: &[&Values]) -> Vec<u8> {
    let words = |numbers: &mut dyn Iterator<Item = usize>| {
        numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("game {}\nmaterial {}\n", table.game, table.material);
    let _ = writeln!(text, "symmetries {}", words(&mut symmetries.iter().copied()));
    let _ = writeln!(text, "size {}", table.plain.size());
    for (values, name) in values.iter().zip(["values", "limited-values"]) {
        let _ = writeln!(text, "{name} {}", words(&mut values.list.iter().copied().map(usize::from)));
    }
    text += heading;
    let (mut index, mut blocks) = (Vec::new(), Vec::new());
    let mut add = |bytes: &[u8]| {
        let packed = compress_to_vec(bytes, LEVEL);
        blocks.extend_from_slice(&packed);
        index.extend((blocks.len() as u64).to_le_bytes());
        index.extend(crc32fast::hash(&packed).to_le_bytes());
    };
    for codes in values.iter().flat_map(|values| &values.codes) {
        match codes {
            Codes::Bytes(codes) => codes.chunks(BLOCK).for_each(&mut add),
            Codes::Words(codes) => {
                let bytes =
                    |block: &[u16]| block.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<_>>();
                codes.chunks(BLOCK).for_each(|block| add(&bytes(block)));
            }
        }
    }
    let mut file = MAGIC.to_vec();
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
    file.extend(text.as_bytes());
    file.extend(index);
    file.extend(blocks);
    file
}

fn write_counts(heading: &mut String, name: &str, counts: &Counts) {
    for (side, count) in ["white", "black"].iter().zip(counts) {
        let Count { positions, won, drawn, lost, mated, zugzwangs, sum_plies, longest_win, longest_loss } =
            count;
        let longest = |longest: &Option<(u16, usize)>| match longest {
            Some((plies, number)) => format!("{plies} {number}"),
            None => "- -".into(),
        };
        let (win, loss) = (longest(longest_win), longest(longest_loss));
        let _ = writeln!(
            heading,
            "{name}-{side} {positions} {won} {drawn} {lost} {mated} {zugzwangs} {sum_plies} {win} {loss}"
        );
    }
}
