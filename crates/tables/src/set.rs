//! Tables that are looked up where they lie, in files or in the program.
//!
//! Nothing is read before it is needed. Blocks that were looked up are kept, as many as there are places for. A file that
//! cannot be read, or does not hold what it should, is reported once and not used again.

use super::file::{BLOCK, FileError, Heading, ReadAt, in_memory};
use super::game::within;
use super::layout::Layout;
use super::material::Material;
use super::symmetry::{Placed, Symmetry};
use super::values::{DRAWN, distance_of, is_loss, is_win, width};
use super::{Endings, MOST_PIECES};
use quintain_core::board::{Color, Piece, Square};
use quintain_core::search::{Endgames, Known};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A file whose positions can be looked up.
pub struct Reader {
    pub(super) heading: Heading,
    pub(super) material: Material,
    pub(super) layout: Layout,
}

impl Reader {
    /// This reader; an error if it is of another material.
    pub fn of(self, material: &Material) -> Result<Reader, FileError> {
        match self.material == *material {
            true => Ok(self),
            false => Err(FileError::Material(self.material.to_string())),
        }
    }
}

/// What a set of tables knows of the pieces of its game.
pub struct Pieces {
    /// By the index of a piece, what it adds to the key of a material.
    pub(super) units: [u128; 32],
    /// Exchanges the colours.
    pub(super) colors: Option<Symmetry>,
    /// [`Variant::BARE_KING_MOVES`](quintain_core::rules::Variant::BARE_KING_MOVES).
    pub(super) bare_king_moves: Option<u8>,
}

/// A table of the set.
struct Entry {
    /// What messages call it.
    name: String,
    material: Material,
    /// Its number, by which its blocks are known.
    number: u64,
    read: Box<ReadAt<'static>>,
    reader: OnceLock<Option<Reader>>,
    broken: AtomicBool,
}

/// A block that was looked up.
#[derive(Default)]
struct Slot {
    /// Which block of which table, and never 0 for one that is there.
    id: u64,
    codes: Vec<u8>,
}

/// The number of blocks that are kept: some 32 MB.
const SLOTS: usize = 1 << 13;

/// The tables of a game that can be looked up.
pub struct Set {
    endings: &'static dyn Endings,
    pieces: Pieces,
    tables: HashMap<u128, Entry>,
    most: usize,
    slots: Vec<Mutex<Slot>>,
    problems: Mutex<Vec<String>>,
}

impl Set {
    /// A set without tables.
    pub fn new(endings: &'static dyn Endings) -> Set {
        Set {
            endings,
            pieces: endings.pieces(),
            tables: HashMap::new(),
            most: 0,
            slots: std::iter::repeat_with(Mutex::default).take(SLOTS).collect(),
            problems: Mutex::default(),
        }
    }

    /// Adds the table of a material, unless there is one already. `name` is what messages call it. False if the game has no
    /// such material.
    pub fn add(&mut self, material: &str, name: &str, read: Box<ReadAt<'static>>) -> bool {
        let Ok(material) = self.endings.material(material) else { return false };
        if material.count() > MOST_PIECES || self.endings.stored(&material).1 {
            return false;
        }
        let number = self.tables.len() as u64;
        self.most = self.most.max(material.count());
        let (name, broken) = (name.to_owned(), AtomicBool::new(false));
        let entry = Entry { name, material, number, read, reader: OnceLock::new(), broken };
        self.tables.entry(self.endings.key(&entry.material)).or_insert(entry);
        true
    }

    /// Adds the tables of this game in a bundle, as [`bundle`] makes it.
    pub fn add_bundle(&mut self, mut bytes: &'static [u8]) {
        while let Some((heading, rest)) = bytes.split_first_chunk::<BUNDLE_HEADING>() {
            let (names, length) = heading.split_at(BUNDLE_HEADING - 4);
            let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
            let Some((file, rest)) = rest.split_at_checked(length) else { return };
            bytes = rest;
            let names = String::from_utf8_lossy(names);
            match names.trim().split_once(' ') {
                Some((game, material)) if game == self.endings.game() => {
                    self.add(
                        material,
                        &format!("the program's table of {material}"),
                        Box::new(in_memory(file)),
                    );
                }
                _ => {}
            }
        }
    }

    /// The name of the game.
    pub fn game(&self) -> &'static str {
        self.endings.game()
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Is there no table?
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The materials of which all distances are known and White wins a tenth of the positions at least with the move, those
    /// of few pieces first.
    pub fn often_won(&self) -> Vec<&Material> {
        let often = |entry: &&Entry| {
            let Some(reader) = self.reader(entry) else { return false };
            let counts = reader.heading.has_distances().then(|| reader.heading.counts("counts"));
            counts.and_then(Result::ok).is_some_and(|[white, _]| 10 * white.won >= white.positions)
        };
        let mut found: Vec<&Material> =
            self.tables.values().filter(often).map(|entry| &entry.material).collect();
        found.sort_unstable_by_key(|material| (material.count(), material.to_string()));
        found
    }

    /// The file of a table, opened if it was not, unless it failed.
    fn reader<'a>(&self, entry: &'a Entry) -> Option<&'a Reader> {
        let opened = || self.open(entry).map_err(|error| self.give_up(entry, &error)).ok();
        entry.reader.get_or_init(opened).as_ref().filter(|_| !entry.broken.load(Relaxed))
    }

    /// What is wrong with files that were looked up since this was last asked.
    pub fn problems(&self) -> Vec<String> {
        std::mem::take(&mut *self.problems.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reports a file once, and uses it no more.
    fn give_up(&self, entry: &Entry, error: &FileError) {
        if !entry.broken.swap(true, Relaxed) {
            let problem = format!("{}: {error}", entry.name);
            self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
        }
    }

    fn open(&self, entry: &Entry) -> Result<Reader, FileError> {
        self.endings.reader(&entry.read)?.of(&entry.material)
    }

    /// The value of an entry.
    fn value(
        &self,
        entry: &Entry,
        reader: &Reader,
        side: Color,
        number: usize,
        made: u8,
    ) -> Result<u16, FileError> {
        let Reader { heading, .. } = reader;
        let list = usize::from(heading.lists.len() > 1);
        let (values, block) = (&heading.lists[list], number / BLOCK);
        let place = (2 * list + side.index()) as u64 | (block as u64) << 2;
        let id = entry.number << 40 | (place + 1);
        // Neighbouring blocks are looked up together, so they have places side by side.
        let slot = (id ^ entry.number.wrapping_mul(0x9e37_79b9)) as usize % SLOTS;
        let mut slot = self.slots[slot].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.id != id {
            slot.id = 0;
            slot.codes = heading.block(&entry.read, list, side, block)?;
            slot.id = id;
        }
        let width = width(values);
        let at = number % BLOCK * width;
        let code = slot.codes[at..at + width].iter().rev();
        let value = values[code.fold(0, |code, &byte| code << 8 | usize::from(byte))];
        Ok(match self.pieces.bare_king_moves {
            Some(moves) if list == 0 => within(value, moves, made),
            _ => value,
        })
    }
}

impl Endgames for Set {
    fn most_pieces(&self) -> u32 {
        self.most as u32
    }

    fn probe(&self, pieces: &[(Square, Piece)], side: Color, bare_king_moves: u8) -> Option<Known> {
        if pieces.len() <= 2 {
            return Some(Known::Drawn);
        }
        let unit = |(_, piece): Placed| self.pieces.units[piece.index()];
        let colors = self.pieces.colors.as_ref()?;
        let (entry, flipped) = match self.tables.get(&pieces.iter().copied().map(unit).sum()) {
            Some(entry) => (entry, false),
            None => {
                let key = pieces.iter().map(|&placed| unit(colors.image(placed))).sum();
                (self.tables.get(&key)?, true)
            }
        };
        let reader = self.reader(entry)?;
        let image = |&placed: &Placed| if flipped { colors.image(placed) } else { placed };
        let number = reader.layout.number_of(pieces.iter().map(image))?;
        let side = if flipped { !side } else { side };
        match self.value(entry, reader, side, number, bare_king_moves) {
            Ok(value) => {
                let plies = reader.heading.has_distances().then(|| distance_of(value.max(1)));
                Some(match value {
                    DRAWN => Known::Drawn,
                    _ if is_win(value) => Known::Won(plies),
                    _ if is_loss(value) => Known::Lost(plies),
                    _ => return None,
                })
            }
            Err(error) => {
                self.give_up(entry, &error);
                None
            }
        }
    }
}

/// The bytes before each table in a bundle: its game and material, filled up with blanks, and its length.
const BUNDLE_HEADING: usize = 40;

/// Several files as one, each with its game and material, to be built into a program.
pub fn bundle<'a>(files: impl IntoIterator<Item = (&'a str, &'a Material, &'a [u8])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (game, material, file) in files {
        let names = format!("{:width$}", format!("{game} {material}"), width = BUNDLE_HEADING - 4);
        bytes.extend(names.as_bytes());
        bytes.extend((file.len() as u32).to_le_bytes());
        bytes.extend(file);
    }
    bytes
}
