//! Finds the distance to mate of every position of a material.
//!
//! First the moves of every position are generated once: mates are found, and what captures and promotions lead to is read
//! from the tables of the other materials. Then positions that are won or lost in 1, 2, 3 ... plies follow from each other.
//! What a position newly won or lost may decide are the positions before it. They are found without rules of the game:
//! the first pass notes for each piece from which places it ever went to which, and later each of those places is a
//! candidate, whose moves are generated to see whether it is decided.

use super::layout::{Group, Layout, Places};
use super::material::class;
use super::values::{DRAWN, ILLEGAL, SAFE, Sides, distance_of, is_loss, is_win, value_of};
use quintain_core::board::{Color, Move, MoveList, Piece, Square, SquareSet, Tag};
use quintain_core::notation::Notation;
use quintain_core::rules::perft::in_parallel;
use quintain_core::rules::{Arranger, Position};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What a move changes on the board, if the material stays.
enum Change {
    /// A piece goes to a place.
    Goes(usize, u16),
    /// Two pieces exchange squares.
    Exchange(usize, usize),
}

/// What a move without captures and promotions changes; `None` for other moves.
#[inline]
fn change<V: Notation>(layout: &Layout, pos: &Position<V>, places: &Places, mv: Move) -> Option<Change> {
    let slot_on = |square: Square| {
        (0..places.len()).find(|&slot| layout.placed(places, slot).0 == square).expect("a piece that moves")
    };
    if V::taken(pos, mv).any() {
        return None;
    }
    let slot = slot_on(mv.from());
    match mv.tag() {
        Tag::Swap => Some(Change::Exchange(slot, slot_on(mv.to()))),
        Tag::Plain | Tag::LongStep | Tag::Turn | Tag::Charge | Tag::Retreat => {
            let piece = Piece::new(pos.side(), mv.becomes());
            let group = layout.group(slot);
            // A promotion has no place in the group.
            (class::<V>(mv.becomes()) == class::<V>(mv.kind()))
                .then(|| Change::Goes(slot, group.place((mv.to(), piece)).expect("a square of the piece")))
        }
        _ => None,
    }
}

/// The number of the position after a change.
#[inline]
fn number_after(layout: &Layout, places: &Places, number: usize, change: &Change) -> usize {
    match *change {
        Change::Goes(slot, place) => layout.number_after(places, number, slot, place),
        Change::Exchange(a, b) => match exchanged(layout, places, a, b) {
            Some(after) => layout.number(&after),
            None => unreachable!("pieces exchange squares where both can stand"),
        },
    }
}

/// The places after two pieces exchange squares, if they can.
fn exchanged(layout: &Layout, places: &Places, a: usize, b: usize) -> Option<Places> {
    let [(from, ours), (to, partner)] = [a, b].map(|slot| layout.placed(places, slot));
    let mut after = places.clone();
    after[a] = layout.group(a).place((to, ours))?;
    after[b] = layout.group(b).place((from, partner))?;
    Some(after)
}

/// From which places the pieces of a side were seen to go to which, and whether two were seen to exchange squares.
struct Seen {
    /// By group: a bit for each pair of places.
    steps: Vec<Vec<u64>>,
    exchanges: [bool; 2],
}

impl Seen {
    fn new(layout: &Layout) -> Seen {
        let bits = |places: usize| vec![0; (places * places).div_ceil(64)];
        Seen {
            steps: layout.groups.iter().map(|group| bits(group.places.len())).collect(),
            exchanges: [false; 2],
        }
    }

    #[inline]
    fn note(&mut self, layout: &Layout, places: &Places, side: Color, change: &Change) {
        match *change {
            Change::Goes(slot, to) => {
                let group = usize::from(layout.group_of_slot[slot]);
                let bit = usize::from(places[slot]) * layout.groups[group].places.len() + usize::from(to);
                self.steps[group][bit / 64] |= 1 << (bit % 64);
            }
            Change::Exchange(..) => self.exchanges[side.index()] = true,
        }
    }

    fn add(&mut self, other: &Seen) {
        for (own, other) in self.steps.iter_mut().zip(&other.steps) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own |= other);
        }
        (0..2).for_each(|side| self.exchanges[side] |= other.exchanges[side]);
    }

    /// For each group and place, the places from which a piece may have come.
    fn origins(&self, layout: &Layout) -> Vec<Vec<Vec<u16>>> {
        let of_group = |(number, group): (usize, &Group)| {
            let count = group.places.len();
            let mut origins = vec![vec![false; count]; count];
            for from in 0..count {
                for to in 0..count {
                    let bit = from * count + to;
                    if self.steps[number][bit / 64] >> (bit % 64) & 1 != 0 {
                        // Only one of each set of images was looked at.
                        for symmetry in 0..layout.symmetries {
                            let [from, to] =
                                [from, to].map(|place| usize::from(group.image(symmetry, place as u16)));
                            origins[to][from] = true;
                        }
                    }
                }
            }
            let list = |row: Vec<bool>| (0..count as u16).filter(|&from| row[usize::from(from)]).collect();
            origins.into_iter().map(list).collect()
        };
        layout.groups.iter().enumerate().map(of_group).collect()
    }
}

/// Shares out a range of numbers among threads.
pub(super) struct Shares {
    next: AtomicUsize,
    end: usize,
    size: usize,
}

impl Shares {
    pub(super) fn new(end: usize, threads: usize) -> Shares {
        Shares {
            next: AtomicUsize::new(0),
            end,
            size: (end / (threads * 16)).clamp(64, 1 << 16).next_multiple_of(64),
        }
    }

    pub(super) fn next(&self) -> Option<Range<usize>> {
        let start = self.next.fetch_add(self.size, Relaxed);
        (start < self.end).then(|| start..(start + self.size).min(self.end))
    }
}

/// The value for the side to move in a position of another material, found after a capture or a promotion.
pub(super) type Leads<'a, V> = &'a (dyn Fn(&Position<V>) -> Option<u16> + Sync);

/// What is known of the positions with one side to move.
struct SideOf {
    values: Vec<AtomicU16>,
    /// What captures and promotions are good for: a win or a loss if there is nothing better, or [`SAFE`].
    others: Vec<AtomicU16>,
    /// Positions that may be decided by what was decided last.
    marks: Vec<AtomicU64>,
}

/// Values that threads can write, all [`DRAWN`].
pub(super) fn filled(count: usize) -> Vec<AtomicU16> {
    std::iter::repeat_with(|| AtomicU16::new(DRAWN)).take(count).collect()
}

/// The same when all threads are done.
pub(super) fn unshared(sides: [Vec<AtomicU16>; 2]) -> Sides {
    sides.map(|side| side.into_iter().map(AtomicU16::into_inner).collect())
}

impl SideOf {
    fn new(size: usize) -> SideOf {
        let marks = std::iter::repeat_with(AtomicU64::default).take(size.div_ceil(64)).collect();
        SideOf { values: filled(size), others: filled(size), marks }
    }
}

/// The bytes that solving takes for each number of a position.
pub(super) const BYTES_EACH: usize = 9;

/// Solves a material. `leads` answers for positions of other materials; `None` from it ends the work. So does `stop`.
pub(super) fn solve<V: Notation>(
    layout: &Layout,
    leads: Leads<V>,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Sides> {
    let sides = [SideOf::new(layout.size), SideOf::new(layout.size)];
    let failed = AtomicBool::new(false);
    let (seen, most) =
        first_pass::<V>(layout, &sides, leads, threads, &|| failed.load(Relaxed) || stop(), &failed);
    if failed.load(Relaxed) || stop() {
        return None;
    }
    let origins = seen.origins(layout);
    let mut found = 1;
    let mut distance = 1;
    while found > 0 || distance <= most {
        found = 0;
        for side in Color::BOTH {
            if stop() {
                return None;
            }
            mark(layout, &sides, side, distance, &origins, seen.exchanges[side.index()], threads);
        }
        // Positions decided now decide nothing in this round: they are won where those before were lost, or the other way.
        for side in Color::BOTH {
            found += decide::<V>(layout, &sides, side, distance, threads);
        }
        distance += 1;
    }
    Some(unshared(sides.map(|side| side.values)))
}

/// Finds the legal positions, the mates, and what captures and promotions lead to. Returns which moves were seen, and the
/// largest distance after a capture or promotion.
fn first_pass<V: Notation>(
    layout: &Layout,
    sides: &[SideOf; 2],
    leads: Leads<V>,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    failed: &AtomicBool,
) -> (Seen, u16) {
    let (all, most) = (Mutex::new(Seen::new(layout)), AtomicU16::new(0));
    let shares = Shares::new(layout.size, threads);
    in_parallel(threads, &|| {
        let (mut seen, mut own_most) = (Seen::new(layout), 0);
        let (mut board, mut moves) = (Arranger::<V>::new(), MoveList::new());
        while let Some(range) = shares.next() {
            if stop() {
                break;
            }
            for number in range {
                let places = layout.places(number);
                let pieces = layout.pieces(&places);
                for side in Color::BOTH {
                    let SideOf { values, others, .. } = &sides[side.index()];
                    let Some(pos) = board.arrange(side, &pieces) else {
                        values[number].store(ILLEGAL, Relaxed);
                        continue;
                    };
                    moves.clear();
                    pos.list(&mut moves);
                    if moves.is_empty() {
                        match pos.in_check() {
                            true => values[number].store(value_of(0), Relaxed),
                            false => others[number].store(SAFE, Relaxed),
                        }
                        continue;
                    }
                    let mut best = Best::default();
                    for &mv in &moves {
                        if let Some(change) = change(layout, pos, &places, mv) {
                            seen.note(layout, &places, side, &change);
                            continue;
                        }
                        pos.play_unchecked(mv);
                        let value = leads(pos);
                        pos.take_back();
                        match value {
                            Some(value) => best.add(value),
                            None => failed.store(true, Relaxed),
                        }
                    }
                    let value = best.value();
                    if value != DRAWN {
                        others[number].store(value, Relaxed);
                        if value != SAFE {
                            own_most = own_most.max(distance_of(value));
                        }
                    }
                }
            }
        }
        all.lock().expect("no thread panics").add(&seen);
        most.fetch_max(own_most, Relaxed);
    });
    (all.into_inner().expect("no thread panics"), most.into_inner())
}

/// The best for a side of what its moves lead to.
#[derive(Default)]
pub(super) struct Best {
    win: Option<u16>,
    draw: bool,
    loss: Option<u16>,
}

impl Best {
    /// A move leads to this value for the opponent.
    #[inline]
    pub(super) fn add(&mut self, value: u16) {
        if is_loss(value) {
            let distance = distance_of(value) + 1;
            self.win = Some(self.win.map_or(distance, |win| win.min(distance)));
        } else if is_win(value) {
            self.loss = self.loss.max(Some(distance_of(value) + 1));
        } else {
            self.draw = true;
        }
    }

    /// The value, [`SAFE`] for a draw that a move leads to, and [`DRAWN`] if there was no move.
    #[inline]
    pub(super) fn value(&self) -> u16 {
        match (self.win, self.draw, self.loss) {
            (Some(win), ..) => value_of(win),
            (None, true, _) => SAFE,
            (None, false, Some(loss)) => value_of(loss),
            (None, false, None) => DRAWN,
        }
    }
}

/// Marks the positions with `side` to move that may be decided in `distance` plies: those before positions decided in
/// one ply less, and those that a capture or promotion decides.
fn mark(
    layout: &Layout,
    sides: &[SideOf; 2],
    side: Color,
    distance: u16,
    origins: &[Vec<Vec<u16>>],
    exchanges: bool,
    threads: usize,
) {
    let (own, other) = (&sides[side.index()], &sides[(!side).index()]);
    let (before, now) = (value_of(distance - 1), value_of(distance));
    let set = |number: usize| {
        if own.values[number].load(Relaxed) == DRAWN {
            own.marks[number / 64].fetch_or(1 << (number % 64), Relaxed);
        }
    };
    let slots = || (0..layout.count()).filter(|&slot| layout.group(slot).color == side);
    let shares = Shares::new(layout.size, threads);
    in_parallel(threads, &|| {
        while let Some(range) = shares.next() {
            for number in range {
                if own.others[number].load(Relaxed) == now {
                    set(number);
                }
                if other.values[number].load(Relaxed) != before {
                    continue;
                }
                let places = layout.places(number);
                for slot in slots() {
                    let group = usize::from(layout.group_of_slot[slot]);
                    for &from in &origins[group][usize::from(places[slot])] {
                        if slot == 0 {
                            let mut before = places.clone();
                            before[0] = from;
                            layout.numbers(&before).for_each(set);
                        } else {
                            set(layout.number_after(&places, number, slot, from));
                        }
                    }
                }
                if exchanges {
                    for a in slots() {
                        for b in slots().filter(|&b| b > a) {
                            if let Some(before) = exchanged(layout, &places, a, b) {
                                layout.numbers(&before).for_each(set);
                            }
                        }
                    }
                }
            }
        }
    });
}

/// Decides the marked positions with `side` to move that are won or lost in `distance` plies, and returns how many.
fn decide<V: Notation>(
    layout: &Layout,
    sides: &[SideOf; 2],
    side: Color,
    distance: u16,
    threads: usize,
) -> usize {
    let (own, other) = (&sides[side.index()], &sides[(!side).index()]);
    let now = value_of(distance);
    let found = AtomicUsize::new(0);
    let shares = Shares::new(own.marks.len(), threads);
    in_parallel(threads, &|| {
        let (mut board, mut moves) = (Arranger::<V>::new(), MoveList::new());
        let mut decided = 0;
        while let Some(range) = shares.next() {
            for word in range {
                let mut marks = own.marks[word].swap(0, Relaxed);
                while marks != 0 {
                    let number = 64 * word + marks.trailing_zeros() as usize;
                    marks &= marks - 1;
                    if is_decided::<V>(layout, (own, other), side, number, distance, &mut board, &mut moves) {
                        own.values[number].store(now, Relaxed);
                        decided += 1;
                    }
                }
            }
        }
        found.fetch_add(decided, Relaxed);
    });
    found.into_inner()
}

fn is_decided<V: Notation>(
    layout: &Layout,
    (own, other): (&SideOf, &SideOf),
    side: Color,
    number: usize,
    distance: u16,
    board: &mut Arranger<V>,
    moves: &mut MoveList,
) -> bool {
    let wins = distance % 2 == 1;
    let others = own.others[number].load(Relaxed);
    // A win by a capture or promotion counts when its turn comes; a loss needs all of them to be lost by then.
    if wins && others == value_of(distance) {
        return true;
    }
    if !wins && others != DRAWN && (others == SAFE || is_win(others) || distance_of(others) > distance) {
        return false;
    }
    let places = layout.places(number);
    let pos = board.arrange(side, &layout.pieces(&places)).expect("a legal position");
    moves.clear();
    pos.list(moves);
    let after = |&mv: &Move| {
        let change = change(layout, pos, &places, mv)?;
        Some(other.values[number_after(layout, &places, number, &change)].load(Relaxed))
    };
    let mut values = moves.iter().filter_map(after);
    match wins {
        true => values.any(|value| value == value_of(distance - 1)),
        false => values.all(|value| is_win(value) && distance_of(value) < distance),
    }
}
