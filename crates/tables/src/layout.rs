//! The numbers of the positions of a material.
//!
//! Pieces of one colour and letter form a group. A piece of a group stands on a *place*: a square, with the direction in
//! which it faces where it does. A group of like pieces is numbered by the combination of its places. White's royal piece
//! comes first. Its places are those that are left when a symmetry of the game brings it, with all other pieces, to the
//! first of its images.

use super::material::{Material, class, kinds};
use super::symmetry::{Placed, Symmetry};
use arrayvec::ArrayVec;
use quintain_core::board::{Board, Color, Kind, Piece, Square, SquareSet};
use quintain_core::notation::Notation;
use quintain_core::rules::{Arranger, Position};
use quintain_core::search::tables;

/// The most pieces of a table.
pub const MOST_PIECES: usize = tables::MOST_PIECES as usize;

/// The places of all pieces, group by group, ascending within each.
pub(super) type Places = ArrayVec<u16, MOST_PIECES>;

/// No place of a group.
const NOWHERE: u16 = u16::MAX;

/// The pieces of one colour and letter.
pub(super) struct Group {
    /// Their colour.
    pub color: Color,
    /// How many there are, and the number of the first among all pieces.
    pub count: usize,
    pub first: usize,
    /// Where each of them can be.
    pub places: Vec<Placed>,
    /// The place of a piece of a kind on a square.
    place_of: Vec<u16>,
    /// For each symmetry, the image of each place.
    images: Vec<Vec<u16>>,
    /// What one step of the group's number adds to that of the position.
    stride: usize,
    /// The number of combinations of so many of the first places: `choose[n][k]`.
    choose: Vec<[usize; MOST_PIECES]>,
}

impl Group {
    /// The place of `piece` on `square`, if it can stand there.
    #[inline]
    pub(super) fn place(&self, (square, piece): Placed) -> Option<u16> {
        let place = self.place_of[piece.kind().index() << 8 | square.index()];
        (place != NOWHERE).then_some(place)
    }

    /// The image of a place.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, place: u16) -> u16 {
        self.images[symmetry][usize::from(place)]
    }

    /// What the places, in any order, add to the number of the position.
    #[inline]
    fn number(&self, symmetry: usize, places: &[u16]) -> usize {
        if let [place] = *places {
            return usize::from(self.image(symmetry, place)) * self.stride;
        }
        let mut images: ArrayVec<u16, MOST_PIECES> =
            places.iter().map(|&place| self.image(symmetry, place)).collect();
        images.sort_unstable();
        let combination = images
            .iter()
            .enumerate()
            .map(|(i, &place)| self.choose[usize::from(place)][i + 1])
            .sum::<usize>();
        combination * self.stride
    }

    /// The number of combinations.
    fn size(&self) -> usize {
        self.choose[self.places.len()][self.count]
    }

    /// Adds the places of combination `number` to `places`.
    fn places_of(&self, mut number: usize, places: &mut Places) {
        if self.count == 1 {
            places.push(number as u16);
            return;
        }
        let mut found = [0; MOST_PIECES];
        for i in (0..self.count).rev() {
            let place = self.choose.partition_point(|row| row[i + 1] <= number) - 1;
            number -= self.choose[place][i + 1];
            found[i] = place as u16;
        }
        places.extend(found[..self.count].iter().copied());
    }
}

/// `choose[n][k]` for `n` up to `most`.
fn combinations(most: usize) -> Vec<[usize; MOST_PIECES]> {
    let mut choose = vec![[0; MOST_PIECES]; most + 1];
    choose[0][0] = 1;
    for n in 1..=most {
        choose[n][0] = 1;
        for k in 1..MOST_PIECES {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
        }
    }
    choose
}

/// Numbers the positions of a material.
pub(super) struct Layout {
    /// White's royal piece, Black's, then the others.
    pub groups: Vec<Group>,
    /// The group of each piece, by the piece's index.
    group_of: [u8; 32],
    /// The group of each of the pieces.
    pub group_of_slot: ArrayVec<u8, MOST_PIECES>,
    /// The number of symmetries that are used.
    pub symmetries: usize,
    /// By place of White's royal piece: its number, and the symmetry that brings it there.
    royal: Vec<(u16, u8)>,
    /// By number of White's royal piece: its place, and how many squares share the number.
    royals: Vec<(u16, u8)>,
    /// Numbers of positions with one side to move.
    pub size: usize,
}

const NO_GROUP: u8 = u8::MAX;

impl Layout {
    /// For a material, with the symmetries of its game that hold for it; the first changes nothing. `None` if there are too
    /// many positions to number.
    pub(super) fn new<V: Notation>(material: &Material, symmetries: &[Symmetry]) -> Option<Layout> {
        let mut classes: Vec<((Color, Kind), usize)> =
            Color::BOTH.iter().map(|&color| ((color, V::ROYAL), 1)).collect();
        for piece in material.pieces::<V>() {
            match classes.iter_mut().find(|known| known.0 == piece) {
                Some(_) if piece.1 == V::ROYAL => {}
                Some(known) => known.1 += 1,
                None => classes.push((piece, 1)),
            }
        }
        let mut layout = Layout {
            groups: Vec::new(),
            group_of: [NO_GROUP; 32],
            group_of_slot: ArrayVec::new(),
            symmetries: symmetries.len(),
            royal: Vec::new(),
            royals: Vec::new(),
            size: 0,
        };
        for ((color, class), count) in classes {
            let places = places::<V>(color, class);
            let mut place_of = vec![NOWHERE; 16 << 8];
            for (number, &(square, piece)) in places.iter().enumerate() {
                place_of[piece.kind().index() << 8 | square.index()] = number as u16;
                layout.group_of[piece.index()] = layout.groups.len() as u8;
            }
            let mut group = Group {
                color,
                count,
                first: layout.group_of_slot.len(),
                choose: combinations(places.len()),
                places,
                place_of,
                images: Vec::new(),
                stride: 0,
            };
            for symmetry in symmetries {
                let image = |&placed: &Placed| group.place(symmetry.image(placed));
                group.images.push(group.places.iter().map(image).collect::<Option<Vec<u16>>>()?);
            }
            (0..count).for_each(|_| layout.group_of_slot.push(layout.groups.len() as u8));
            layout.groups.push(group);
        }
        layout.number_royals();
        // The royal piece of White has the largest stride.
        let mut size = 1usize;
        for group in layout.groups.iter_mut().skip(1).rev() {
            group.stride = size;
            size = size.checked_mul(group.size())?;
        }
        layout.groups[0].stride = size;
        layout.size = size.checked_mul(layout.royals.len())?;
        Some(layout)
    }

    fn number_royals(&mut self) {
        let group = &self.groups[0];
        self.royal = vec![(NOWHERE, 0); group.places.len()];
        for place in 0..group.places.len() as u16 {
            let number = self.royals.len() as u16;
            let mut images = 0;
            for symmetry in 0..self.symmetries {
                // The symmetry that takes the image back is found when the image itself is asked about.
                let image = group.image(symmetry, place);
                if self.royal[usize::from(image)].0 == NOWHERE {
                    let back = (0..self.symmetries).find(|&back| group.image(back, image) == place);
                    self.royal[usize::from(image)] = (number, back.expect("symmetries can be undone") as u8);
                    images += 1;
                }
            }
            if images > 0 {
                self.royals.push((place, images));
            }
        }
    }

    /// The number of pieces.
    pub(super) fn count(&self) -> usize {
        self.group_of_slot.len()
    }

    /// How many positions share the number, each of which is the image of the others.
    #[inline]
    pub(super) fn weight(&self, number: usize) -> u64 {
        u64::from(self.royals[number / self.groups[0].stride].1)
    }

    /// The numbers of the position with these places. It has several if its image has White's royal piece on the same place,
    /// a diagonal for example.
    #[inline]
    pub(super) fn numbers(&self, places: &[u16]) -> impl Iterator<Item = usize> {
        let royal = self.royal[usize::from(places[0])].0;
        let place = self.royals[usize::from(royal)].0;
        (0..self.symmetries)
            .filter(move |&symmetry| self.groups[0].image(symmetry, places[0]) == place)
            .map(move |symmetry| self.number_by(royal, symmetry, places))
    }

    /// The first of its [`Layout::numbers`], in the order of the symmetries.
    #[inline]
    pub(super) fn number(&self, places: &[u16]) -> usize {
        let (royal, symmetry) = self.royal[usize::from(places[0])];
        self.number_by(royal, symmetry.into(), places)
    }

    #[inline]
    fn number_by(&self, royal: u16, symmetry: usize, places: &[u16]) -> usize {
        let mut number = usize::from(royal) * self.groups[0].stride;
        for group in &self.groups[1..] {
            number += group.number(symmetry, &places[group.first..group.first + group.count]);
        }
        number
    }

    /// The number of the position that differs from that with `places` and `number`, which came from
    /// [`Layout::places`], in the place of one piece.
    #[inline]
    pub(super) fn number_after(&self, places: &Places, number: usize, slot: usize, place: u16) -> usize {
        let mut after = places.clone();
        after[slot] = place;
        if slot == 0 {
            return self.number(&after);
        }
        let group = &self.groups[usize::from(self.group_of_slot[slot])];
        let range = group.first..group.first + group.count;
        number + group.number(0, &after[range.clone()]) - group.number(0, &places[range])
    }

    /// The places of a number. White's royal piece is on a place that no symmetry moves away.
    pub(super) fn places(&self, mut number: usize) -> Places {
        let mut places = Places::new();
        for (i, group) in self.groups.iter().enumerate() {
            let own = number / group.stride;
            number %= group.stride;
            match i {
                0 => places.push(self.royals[own].0),
                _ => group.places_of(own, &mut places),
            }
        }
        places
    }

    /// The group of the piece with this number.
    #[inline]
    pub(super) fn group(&self, slot: usize) -> &Group {
        &self.groups[usize::from(self.group_of_slot[slot])]
    }

    /// The piece with this number, and where it stands.
    #[inline]
    pub(super) fn placed(&self, places: &Places, slot: usize) -> Placed {
        self.group(slot).places[usize::from(places[slot])]
    }

    /// The pieces.
    #[inline]
    pub(super) fn pieces(&self, places: &Places) -> ArrayVec<Placed, MOST_PIECES> {
        (0..places.len()).map(|slot| self.placed(places, slot)).collect()
    }

    /// The number of the position with these pieces; `None` if one of them stands where it cannot, or is of another
    /// material.
    pub(super) fn number_of(&self, pieces: impl Iterator<Item = Placed>) -> Option<usize> {
        let mut places = [NOWHERE; MOST_PIECES];
        let mut found = 0;
        for placed in pieces {
            let group = self.group_of[placed.1.index()];
            if group == NO_GROUP {
                return None;
            }
            let group = &self.groups[usize::from(group)];
            let own = &mut places[group.first..group.first + group.count];
            *own.iter_mut().find(|place| **place == NOWHERE)? = group.place(placed)?;
            found += 1;
        }
        (found == self.count()).then(|| self.number(&places[..found]))
    }
}

/// The pieces of a position.
pub(super) fn pieces_of<V: Notation>(pos: &Position<V>) -> impl Iterator<Item = Placed> + '_ {
    pos.occupied().squares().map(|square| (square, pos.piece(square)))
}

/// Where a piece of this colour and class can stand, as far as that depends on it alone.
fn places<V: Notation>(color: Color, class: Kind) -> Vec<Placed> {
    let squares: Vec<Square> = V::Board::geometry().all().squares().collect();
    let pawn = V::PAWNS.contains(&class);
    let mut board = Arranger::<V>::new();
    let mut may_stand = |placed: Placed| {
        let royals = |square| Color::BOTH.map(|color| (square, Piece::new(color, V::ROYAL)));
        // Any legal position with the piece there answers.
        let pairs = squares.iter().flat_map(|&white| squares.iter().map(move |&black| (white, black)));
        pairs
            .into_iter()
            .find_map(|(white, black)| {
                let [white, black] = [royals(white)[0], royals(black)[1]];
                let pos = board.arrange(Color::White, &[white, black, placed])?;
                Some(V::check_placement(pos).is_ok())
            })
            .unwrap_or(false)
    };
    let mut places = Vec::new();
    for &square in &squares {
        for kind in kinds::<V>(class) {
            let placed = (square, Piece::new(color, kind));
            if !pawn || may_stand(placed) {
                places.push(placed);
            }
        }
    }
    debug_assert!(places.iter().all(|placed| self::class::<V>(placed.1.kind()) == class));
    places
}
