//! The tables of one game.

use super::check;
use super::counts::{counts_of, limited_counts_of};
use super::file::{self, FileError, Heading, ReadAt, in_memory};
use super::layout::{Group, Layout, MOST_PIECES, pieces_of};
use super::material::{Material, class};
use super::set::{Pieces, Reader};
use super::solve::{BYTES_EACH, solve};
use super::symmetry::{Placed, Symmetry};
use super::values::{DRAWN, ILLEGAL, Values, distance_of, is_loss, is_win};
use super::{Endings, Table, TableError, Tables, Verdict, Work};
use quintain_core::board::zobrist::random_numbers;
use quintain_core::board::{Color, Kind, Piece, SquareSet};
use quintain_core::notation::{Notation, fen};
use quintain_core::rules::{Arranger, Extra, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

/// The tables of game `V`.
pub fn open<V: Notation>() -> Box<dyn Endings> {
    Box::new(Game::<V>::new(true))
}

/// What was found out about a material.
struct Known {
    layout: Layout,
    /// The symmetries that hold, as numbers of [`Symmetry::of_board`].
    symmetries: Vec<usize>,
    needed: Vec<Material>,
}

/// A game, and what was found out about its materials.
pub(super) struct Game<V> {
    colors: Option<Symmetry>,
    board: Vec<Symmetry>,
    known: Mutex<BTreeMap<Material, Arc<Known>>>,
    game: PhantomData<V>,
}

/// Random positions in which a symmetry is tested.
const SAMPLES: usize = 250;

impl<V: Notation> Game<V> {
    /// With the symmetries of the board and of the colours, or without any, for comparison.
    pub(super) fn new(reduced: bool) -> Self {
        let board = if reduced { Symmetry::of_board::<V>() } else { Vec::new() };
        let board =
            if board.is_empty() { Symmetry::of_board::<V>().into_iter().take(1).collect() } else { board };
        Game { colors: Symmetry::of_colors::<V>(), board, known: Mutex::default(), game: PhantomData }
    }

    fn known(&self, material: &Material) -> Result<Arc<Known>, TableError> {
        if let Some(known) = self.known.lock().expect("no thread panics").get(material) {
            return Ok(Arc::clone(known));
        }
        let known = Arc::new(self.find_out(material)?);
        self.known.lock().expect("no thread panics").insert(material.clone(), Arc::clone(&known));
        Ok(known)
    }

    fn find_out(&self, material: &Material) -> Result<Known, TableError> {
        let refused = |what: &str| TableError::Material(format!("{material} has no table: {what}"));
        if material.count() > MOST_PIECES {
            return Err(refused(&format!("it has more than {MOST_PIECES} pieces")));
        }
        if !material.is_stored::<V>() {
            return Err(refused("it is stored with the colours exchanged"));
        }
        let too_large = || refused("it has too many positions");
        let identity = Layout::new::<V>(material, &self.board[..1]).ok_or_else(too_large)?;
        let needed = needed::<V>(material, &identity);
        let mut symmetries: Vec<usize> = (0..self.board.len()).collect();
        for smaller in &needed {
            let known = self.known(smaller)?;
            symmetries.retain(|symmetry| known.symmetries.contains(symmetry));
        }
        let flips = self.colors.as_ref().filter(|&colors| holds::<V>(colors, true, &identity));
        if flips.is_none() {
            return Err(refused("the colours of the game differ in more than their direction"));
        }
        symmetries.retain(|&symmetry| symmetry == 0 || holds::<V>(&self.board[symmetry], false, &identity));
        let used: Vec<Symmetry> = symmetries.iter().map(|&symmetry| self.board[symmetry].clone()).collect();
        let layout = Layout::new::<V>(material, &used).ok_or_else(too_large)?;
        Ok(Known { layout, symmetries, needed })
    }

    pub(super) fn layout<R>(
        &self,
        material: &Material,
        with: impl FnOnce(&Layout) -> R,
    ) -> Result<R, TableError> {
        Ok(with(&self.known(material)?.layout))
    }

    /// Answers for positions of the materials that `material` needs.
    fn sources<'a>(&self, material: &Material, tables: &'a Tables) -> Result<Sources<'a, V>, TableError> {
        let mut sources = Vec::new();
        for needed in &self.known(material)?.needed {
            let table = tables.get(needed).ok_or_else(|| TableError::Missing(needed.clone()))?;
            sources.push(Source { key: key(&needed.pieces::<V>()), known: self.known(needed)?, table });
        }
        let colors = self.colors.clone().expect("a material is only known if colours can be exchanged");
        Ok(Sources { sources, colors, game: PhantomData })
    }

    /// The position with a number.
    pub(super) fn fen(&self, layout: &Layout, side: Color, number: usize) -> String {
        let mut board = Arranger::<V>::new();
        let pieces = layout.pieces(&layout.places(number));
        board.arrange(side, &pieces).map_or_else(String::new, |pos| fen::write(pos))
    }
}

/// Which pieces stand on the board, in one number: how many of each colour and class.
fn key(pieces: &[(Color, Kind)]) -> u128 {
    pieces.iter().map(|&(color, class)| 1u128 << (4 * Piece::new(color, class).index())).sum()
}

/// What a piece adds to the [`key`].
fn unit<V: Notation>((_, piece): Placed) -> u128 {
    key(&[(piece.color(), class::<V>(piece.kind()))])
}

/// [`key`] of a position.
fn key_of<V: Notation>(pos: &Position<V>) -> u128 {
    pieces_of(pos).map(unit::<V>).sum()
}

/// A table of another material.
struct Source<'a> {
    key: u128,
    known: Arc<Known>,
    table: &'a Table,
}

/// The tables that one material needs.
pub(super) struct Sources<'a, V> {
    sources: Vec<Source<'a>>,
    colors: Symmetry,
    game: PhantomData<V>,
}

impl<V: Notation> Sources<'_, V> {
    /// The value of a position for its side to move, with the limit of moves to mate a bare king or without. `None` if its
    /// table is missing.
    pub(super) fn value(&self, pos: &Position<V>, limited: bool) -> Option<u16> {
        if pos.occupied().count() == 2 {
            return Some(DRAWN);
        }
        let key = key_of(pos);
        if let Some(source) = self.sources.iter().find(|source| source.key == key) {
            let number = source.known.layout.number_of(pieces_of(pos))?;
            return Some(source.table.value(pos, pos.side(), number, limited));
        }
        let image = |placed| self.colors.image(placed);
        let key: u128 = pieces_of(pos).map(image).map(unit::<V>).sum();
        let source = self.sources.iter().find(|source| source.key == key)?;
        let number = source.known.layout.number_of(pieces_of(pos).map(image))?;
        Some(source.table.value(pos, !pos.side(), number, limited))
    }
}

impl Table {
    /// The value of the entry `number`, which is that of `pos`, with `side` to move in the table.
    fn value<V: Notation>(&self, pos: &Position<V>, side: Color, number: usize, limited: bool) -> u16 {
        let Some(moves) = V::BARE_KING_MOVES.filter(|_| limited) else {
            return self.plain.get(side, number);
        };
        match &self.limited {
            Some(values) => values.get(side, number),
            None => within(self.plain.get(side, number), moves, pos.extra().bare_king_moves()),
        }
    }
}

/// A value without the limit of moves to mate a bare king as it is with it, when so many of the moves have been made.
pub(super) fn within(value: u16, moves: u8, made: u8) -> u16 {
    // Each move still left is one ply of the stronger side and, before or after it, one of the bare king.
    let most = 2 * u16::from(moves - made.min(moves));
    if (is_win(value) || is_loss(value)) && distance_of(value) > most { DRAWN } else { value }
}

/// A verdict from a value.
pub(super) fn verdict(value: u16) -> Verdict {
    if is_win(value) {
        Verdict::Won(distance_of(value))
    } else if is_loss(value) {
        Verdict::Lost(distance_of(value))
    } else {
        Verdict::Drawn
    }
}

/// A random placement of the pieces of a material, which need not be legal.
fn random_pieces(layout: &Layout, random: &mut impl FnMut() -> u64) -> Vec<Placed> {
    let place = |slot: usize, random: &mut dyn FnMut() -> u64| {
        let places = &layout.group(slot).places;
        places[(random() % places.len() as u64) as usize]
    };
    (0..layout.count()).map(|slot| place(slot, random)).collect()
}

/// The positions after all moves, each as its pieces in order.
fn successors<V: Notation>(
    pos: &mut Position<V>,
    image: impl Fn(Placed) -> Placed,
) -> Vec<Vec<(usize, usize)>> {
    let mut found: Vec<Vec<(usize, usize)>> = Vec::new();
    for mv in pos.legal_moves() {
        pos.play_unchecked(mv);
        let mut pieces: Vec<(usize, usize)> =
            pieces_of(pos).map(&image).map(|(square, piece)| (square.index(), piece.index())).collect();
        pieces.sort_unstable();
        found.push(pieces);
        pos.take_back();
    }
    found.sort_unstable();
    found
}

/// Does a symmetry hold for positions with these pieces? The moves of the image must be the images of the moves.
fn holds<V: Notation>(symmetry: &Symmetry, flips: bool, layout: &Layout) -> bool {
    let mut random = random_numbers(layout.count() as u64);
    let (mut board, mut mirror) = (Arranger::<V>::new(), Arranger::<V>::new());
    // Where a piece may not stand, its image may not stand either. With the colours exchanged it is of another group.
    let leaves =
        |group: &Group| group.places.iter().any(|&placed| group.place(symmetry.image(placed)).is_none());
    if !flips && layout.groups.iter().any(leaves) {
        return false;
    }
    for _ in 0..SAMPLES {
        let pieces = random_pieces(layout, &mut random);
        let images: Vec<Placed> = pieces.iter().map(|&placed| symmetry.image(placed)).collect();
        for side in Color::BOTH {
            let other = if flips { !side } else { side };
            match (board.arrange(side, &pieces), mirror.arrange(other, &images)) {
                (None, None) => {}
                (Some(pos), Some(image)) => {
                    if pos.in_check() != image.in_check()
                        || successors(pos, |placed| symmetry.image(placed))
                            != successors(image, |placed| placed)
                    {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    true
}

/// The materials to which captures and promotions may lead, and those of their parts, in the form in which they are stored.
fn needed<V: Notation>(material: &Material, layout: &Layout) -> Vec<Material> {
    let mut found: BTreeSet<Material> = promotions::<V>(layout);
    found.insert(material.clone());
    let mut waiting: Vec<Material> = found.iter().cloned().collect();
    while let Some(next) = waiting.pop() {
        for smaller in next.smaller::<V>() {
            if found.insert(smaller.clone()) {
                waiting.push(smaller);
            }
        }
    }
    let stored: BTreeSet<Material> = found
        .into_iter()
        .filter(|other| other.count() > 2)
        .map(|other| other.stored::<V>().0)
        .filter(|other| other != material)
        .collect();
    stored.into_iter().collect()
}

/// The materials to which promotions lead, found by trying: each pawn on each of its squares, among others on random
/// squares.
fn promotions<V: Notation>(layout: &Layout) -> BTreeSet<Material> {
    const TRIES: usize = 30;
    let mut random = random_numbers(1);
    let mut board = Arranger::<V>::new();
    let mut found = BTreeSet::new();
    for slot in 0..layout.count() {
        for &placed in &layout.group(slot).places {
            if !V::PAWNS.contains(&placed.1.kind()) {
                continue;
            }
            for _ in 0..TRIES {
                let mut pieces = random_pieces(layout, &mut random);
                pieces[slot] = placed;
                let Some(pos) = board.arrange(placed.1.color(), &pieces) else { continue };
                for mv in pos.legal_moves() {
                    if class::<V>(mv.becomes()) != class::<V>(mv.kind()) {
                        pos.play_unchecked(mv);
                        let classes =
                            pieces_of(pos).map(|(_, piece)| (piece.color(), class::<V>(piece.kind())));
                        found.insert(Material::of::<V>(classes));
                        pos.take_back();
                    }
                }
            }
        }
    }
    found
}

impl<V: Notation> Endings for Game<V> {
    fn game(&self) -> &'static str {
        V::NAME
    }

    fn material(&self, text: &str) -> Result<Material, TableError> {
        Material::parse::<V>(text).map_err(TableError::Material)
    }

    fn stored(&self, material: &Material) -> (Material, bool) {
        material.stored::<V>()
    }

    fn all(&self, pieces: usize) -> Vec<Material> {
        Material::all::<V>(pieces)
    }

    fn needed(&self, material: &Material) -> Result<Vec<Material>, TableError> {
        Ok(self.known(material)?.needed.clone())
    }

    fn plan(&self, materials: &[Material]) -> Result<Vec<Material>, TableError> {
        let mut plan: BTreeSet<(usize, usize, Material)> = BTreeSet::new();
        let mut waiting = materials.to_vec();
        let pawns = |material: &Material| {
            material.pieces::<V>().iter().filter(|piece| V::PAWNS.contains(&piece.1)).count()
        };
        while let Some(material) = waiting.pop() {
            let entry = (material.count(), pawns(&material), material.clone());
            if plan.insert(entry) {
                waiting.extend(self.needed(&material)?);
            }
        }
        Ok(plan.into_iter().map(|entry| entry.2).collect())
    }

    fn entries(&self, material: &Material) -> Result<usize, TableError> {
        self.layout(material, |layout| 2 * layout.size)
    }

    fn size(&self, material: &Material) -> Result<usize, TableError> {
        let bare = Color::BOTH.iter().any(|&color| material.is_bare_king(color));
        let lists = if V::BARE_KING_MOVES.is_some() && !bare { 2 } else { 1 };
        // A byte for each value is nearly always enough.
        self.layout(material, |layout| 2 * lists * layout.size)
    }

    fn memory(&self, material: &Material) -> Result<usize, TableError> {
        // The values are packed while the others are found, with the limit of moves.
        self.layout(material, |layout| layout.size * (BYTES_EACH + 2))
    }

    fn build(&self, material: &Material, tables: &Tables, work: Work) -> Result<Table, TableError> {
        let known = self.known(material)?;
        let (layout, sources) = (&known.layout, self.sources(material, tables)?);
        let solved = |limited: bool| {
            let leads = |pos: &Position<V>| sources.value(pos, limited);
            solve::<V>(layout, &leads, work.threads, work.stop).ok_or_else(|| match (work.stop)() {
                true => TableError::Stopped,
                false => {
                    TableError::Material(format!("{material} leads to a material that was not foreseen"))
                }
            })
        };
        let bare = Color::BOTH.iter().any(|&color| material.is_bare_king(color));
        let sides = solved(false)?;
        let (counts, plain) = (counts_of(layout, &sides), Values::new(&sides));
        let (limited, limited_counts) = if V::BARE_KING_MOVES.is_none() || bare {
            (None, limited_counts_of::<V>(layout, &sides, None))
        } else {
            // The memory is needed again.
            drop(sides);
            let sides = solved(true)?;
            (Some(Values::new(&sides)), limited_counts_of::<V>(layout, &sides, Some(&sides)))
        };
        Ok(Table { game: V::NAME.into(), material: material.clone(), plain, limited, counts, limited_counts })
    }

    fn verify(&self, table: &Table, tables: &Tables, work: Work) -> Result<(), TableError> {
        let known = self.known(&table.material)?;
        check::verify(self, &known.layout, table, &self.sources(&table.material, tables)?, work)
    }

    fn probe(&self, fen: &str, tables: &Tables, limited: bool) -> Option<Verdict> {
        let pos = fen::parse::<V>(fen).ok()?;
        if pos.extra().castling() != 0 || pos.captures_en_passant() {
            return None;
        }
        if pos.occupied().count() == 2 {
            return Some(Verdict::Drawn);
        }
        let classes = pieces_of(&pos).map(|(_, piece)| (piece.color(), class::<V>(piece.kind())));
        let (material, flipped) = Material::of::<V>(classes).stored::<V>();
        let table = tables.get(&material)?;
        let known = self.known(&material).ok()?;
        let image = |placed| match (&self.colors, flipped) {
            (Some(colors), true) => colors.image(placed),
            _ => placed,
        };
        let number = known.layout.number_of(pieces_of(&pos).map(image))?;
        let side = if flipped { !pos.side() } else { pos.side() };
        let value = table.value(&pos, side, number, limited);
        (value != ILLEGAL).then(|| verdict(value))
    }

    fn position(&self, material: &Material, side: Color, number: usize) -> Result<String, TableError> {
        self.layout(material, |layout| self.fen(layout, side, number))
    }

    fn write(&self, table: &Table) -> Result<Vec<u8>, TableError> {
        Ok(file::write(table, &self.known(&table.material)?.symmetries))
    }

    fn write_verdicts(&self, table: &Table) -> Result<Vec<u8>, TableError> {
        Ok(file::write_verdicts(table, &self.known(&table.material)?.symmetries))
    }

    fn read(&self, bytes: &[u8]) -> Result<Table, FileError> {
        let read = in_memory(bytes);
        let Reader { heading, material, .. } = self.reader(&read)?;
        file::read(&heading, &read, material)
    }

    fn reader(&self, read: &ReadAt) -> Result<Reader, FileError> {
        let heading = Heading::read(read)?;
        let game = heading.get("game")?;
        if game != V::NAME {
            return Err(FileError::Game(game.into()));
        }
        let material = Material::parse::<V>(heading.get("material")?).map_err(FileError::Content)?;
        let symmetry = |&number: &usize| self.board.get(number).cloned();
        let symmetries: Option<Vec<Symmetry>> = heading.symmetries()?.iter().map(symmetry).collect();
        // The first changes nothing.
        let symmetries = symmetries.filter(|_| heading.symmetries().is_ok_and(|all| all.first() == Some(&0)));
        let known = symmetries.filter(|_| (2..=MOST_PIECES).contains(&material.count()));
        let layout = known.and_then(|symmetries| Layout::new::<V>(&material, &symmetries));
        let layout = layout.filter(|layout| layout.size == heading.size);
        let layout = layout.ok_or_else(|| {
            FileError::Content("it has another number of positions than its material".into())
        })?;
        heading.must_be_whole(read)?;
        Ok(Reader { heading, material, layout })
    }

    fn pieces(&self) -> Pieces {
        let color_and_class = |index: usize| {
            let kind = Kind::new(index % 16);
            (Color::BOTH[index / 16], if index % 16 < V::PIECES.len() { class::<V>(kind) } else { kind })
        };
        Pieces {
            units: std::array::from_fn(|index| key(&[color_and_class(index)])),
            colors: self.colors.clone(),
            bare_king_moves: V::BARE_KING_MOVES,
        }
    }

    fn key(&self, material: &Material) -> u128 {
        key(&material.pieces::<V>())
    }
}
