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
//! | 8 each | where each block ends, from the first, and its checksum |
//! | ... | the blocks: White to move, then Black to move; then both with the limit of moves, if there is one |

use super::Table;
use super::counts::{Count, Counts};
use super::material::Material;
use super::values::{ILLEGAL, Values};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use quintain_core::board::Color;
use quintain_core::rules::setup::quoted;
use std::collections::BTreeMap;
use std::fmt::Write;
use thiserror::Error;

/// How a file begins.
const MAGIC: &[u8; 8] = b"QTNTBL\x00\x01";
/// The values of a block.
const BLOCK: usize = 4096;
/// Entries of the list of blocks, in bytes.
const ENTRY: usize = 12;
/// How hard to compress, from 0 to 10.
const LEVEL: u8 = 6;

/// Why a file is not a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// It is something else, or of another version.
    #[error("it is no endgame table of this version")]
    Format,
    /// It is of another game.
    #[error("it is a table of the game {}", quoted(.0))]
    Game(String),
    /// It ends too early.
    #[error("it is cut short")]
    Short,
    /// Its bytes are not those that were written.
    #[error("it is damaged: a checksum is wrong")]
    Checksum,
    /// What it says makes no sense.
    #[error("it is damaged: {0}")]
    Content(String),
}

/// A file as its parts.
struct Parts<'a> {
    heading: BTreeMap<&'a str, &'a str>,
    rest: &'a [u8],
}

fn number(bytes: &[u8], at: usize) -> Result<usize, FileError> {
    let bytes = bytes.get(at..at + 4).ok_or(FileError::Short)?;
    Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize)
}

fn parts(bytes: &[u8]) -> Result<Parts<'_>, FileError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(FileError::Format)?;
    let (length, sum) = (number(rest, 0)?, number(rest, 4)?);
    let rest = &rest[8..];
    if rest.len() < length {
        return Err(FileError::Short);
    }
    let (heading, rest) = rest.split_at(length);
    if crc32fast::hash(heading) as usize != sum {
        return Err(FileError::Checksum);
    }
    let text =
        std::str::from_utf8(heading).map_err(|_| FileError::Content("the heading is no text".into()))?;
    Ok(Parts { heading: text.lines().filter_map(|line| line.split_once(' ')).collect(), rest })
}

impl<'a> Parts<'a> {
    fn get(&self, name: &str) -> Result<&'a str, FileError> {
        self.heading
            .get(name)
            .copied()
            .ok_or_else(|| FileError::Content(format!("the heading has no {name}")))
    }
}

/// The game and the material of a file.
pub(super) fn heading(bytes: &[u8]) -> Result<(String, String), FileError> {
    let parts = parts(bytes)?;
    Ok((parts.get("game")?.into(), parts.get("material")?.into()))
}

/// Writes a table.
pub(super) fn write(table: &Table) -> Vec<u8> {
    let values: Vec<&Values> = [&table.plain].into_iter().chain(&table.limited).collect();
    let sides: Vec<&[u16]> =
        values.iter().flat_map(|values| Color::BOTH.map(|side| values.of(side))).collect();
    // The values that occur, each once: a byte for each entry is nearly always enough.
    let mut list: Vec<u16> = Vec::new();
    let mut known = vec![false; 1 << 16];
    for &value in sides.iter().copied().flatten() {
        if value != ILLEGAL && !std::mem::replace(&mut known[usize::from(value)], true) {
            list.push(value);
        }
    }
    list.sort_unstable();
    let mut code_of = vec![0u16; 1 << 16];
    for (code, &value) in list.iter().enumerate() {
        code_of[usize::from(value)] = code as u16;
    }
    let wide = list.len() > 256;
    let mut heading = format!("game {}\nmaterial {}\n", table.game, table.material);
    let _ = writeln!(heading, "size {}\nlimited {}", sides[0].len(), u8::from(table.limited.is_some()));
    let texts: Vec<String> = list.iter().map(u16::to_string).collect();
    let _ = writeln!(heading, "values {}", texts.join(" "));
    write_counts(&mut heading, "counts", &table.counts);
    if let Some(counts) = &table.limited_counts {
        write_counts(&mut heading, "limited-counts", counts);
    }
    let (mut index, mut blocks) = (Vec::new(), Vec::new());
    for block in sides.iter().flat_map(|side| side.chunks(BLOCK)) {
        let mut bytes = Vec::with_capacity(2 * BLOCK);
        let mut last = 0;
        for &value in block {
            // Nobody asks for an illegal position: it is given whatever compresses best.
            last = if value == ILLEGAL { last } else { code_of[usize::from(value)] };
            match wide {
                true => bytes.extend(last.to_le_bytes()),
                false => bytes.push(last as u8),
            }
        }
        let packed = compress_to_vec(&bytes, LEVEL);
        blocks.extend_from_slice(&packed);
        index.extend((blocks.len() as u64).to_le_bytes());
        index.extend(crc32fast::hash(&packed).to_le_bytes());
    }
    let mut file = MAGIC.to_vec();
    file.extend((heading.len() as u32).to_le_bytes());
    file.extend(crc32fast::hash(heading.as_bytes()).to_le_bytes());
    file.extend(heading.as_bytes());
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

fn read_counts(parts: &Parts, name: &str) -> Result<Counts, FileError> {
    let mut counts = Counts::default();
    for (side, count) in ["white", "black"].iter().zip(&mut counts) {
        let name = format!("{name}-{side}");
        let words: Vec<&str> = parts.get(&name)?.split(' ').collect();
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

/// Reads a table of this material, which has `size` positions with each side to move.
pub(super) fn read(bytes: &[u8], material: Material, size: usize) -> Result<Table, FileError> {
    let parts = parts(bytes)?;
    let content = |what: &str| FileError::Content(what.into());
    if parts.get("size")? != size.to_string() {
        return Err(content("it has another number of positions than its material"));
    }
    let list: Option<Vec<u16>> = parts.get("values")?.split(' ').map(|word| word.parse().ok()).collect();
    let list = list.ok_or_else(|| content("the list of values cannot be read"))?;
    let limited = parts.get("limited")? == "1";
    let each = size.div_ceil(BLOCK);
    let sides = if limited { 4 } else { 2 };
    let (index, blocks) = parts.rest.split_at_checked(ENTRY * each * sides).ok_or(FileError::Short)?;
    let (mut start, mut found) = (0, Vec::new());
    let mut entries = index.chunks_exact(ENTRY);
    for _ in 0..sides {
        let mut values = Vec::with_capacity(size);
        while values.len() < size {
            let entry = entries.next().expect("an entry for each block");
            let end = u64::from_le_bytes(entry[..8].try_into().expect("eight bytes"));
            let end = usize::try_from(end).map_err(|_| FileError::Short)?;
            let packed = blocks.get(start..end).ok_or(FileError::Short)?;
            start = end;
            if crc32fast::hash(packed) as usize != number(entry, 8)? {
                return Err(FileError::Checksum);
            }
            let count = BLOCK.min(size - values.len());
            read_block(packed, &list, count, &mut values)?;
        }
        found.push(values);
    }
    let mut pairs = found.into_iter();
    let mut pair = || Some(Values::new([pairs.next()?, pairs.next()?]));
    Ok(Table {
        game: parts.get("game")?.into(),
        material,
        plain: pair().expect("both sides"),
        limited: pair(),
        counts: read_counts(&parts, "counts")?,
        limited_counts: match parts.heading.contains_key("limited-counts-white") {
            true => Some(read_counts(&parts, "limited-counts")?),
            false => None,
        },
    })
}

/// Adds the values of a block.
fn read_block(packed: &[u8], list: &[u16], count: usize, values: &mut Vec<u16>) -> Result<(), FileError> {
    let content = |what: &str| FileError::Content(what.into());
    let width = if list.len() > 256 { 2 } else { 1 };
    let bytes = decompress_to_vec_with_limit(packed, width * count)
        .map_err(|_| content("a block cannot be decompressed"))?;
    if bytes.len() != width * count {
        return Err(content("a block has the wrong length"));
    }
    for code in bytes.chunks_exact(width) {
        let code = code.iter().rev().fold(0usize, |code, &byte| code << 8 | usize::from(byte));
        values.push(*list.get(code).ok_or_else(|| content("a value is not in the list"))?);
    }
    Ok(())
}
