//! Attack tables: where a piece can go from a square, given what is occupied.
//!
//! A game's `Tables` consist of these. All are filled by the same simple [`walk`] along steps.

#[cfg(any(test, not(target_feature = "bmi2")))]
use crate::board::zobrist::random_numbers;
use crate::board::{BySquare, Color, Geometry, Square, SquareSet};

/// A step: files to the right, ranks up.
pub type Step = (i16, i16);

/// The four steps of a rook.
pub const ORTHOGONAL: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// The four steps of a bishop.
pub const DIAGONAL: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
/// Where a white pawn captures.
pub const PAWN_TAKES: [Step; 2] = [(-1, 1), (1, 1)];
/// The eight leaps of a knight.
pub const KNIGHT_LEAPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The eight steps of a king.
pub const KING_STEPS: [Step; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// The same clockwise from north, in the order of [`FACINGS`](crate::notation::FACINGS).
pub const COMPASS: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// For each square the set that one leap reaches, whatever is occupied.
pub type Leaps<S> = BySquare<S>;

/// The squares that one of `steps` reaches, for each square.
pub fn leaps<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step]) -> Leaps<S> {
    let mut table = BySquare::filled(S::EMPTY);
    for from in geometry.all().squares() {
        for &(files, ranks) in steps {
            if let Some(to) = geometry.step(from, files, ranks) {
                table[from] |= S::single(to);
            }
        }
    }
    table
}

/// By colour, the squares that one of `steps`, given from White's side, reaches from each square.
pub fn forward_leaps<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step]) -> [Leaps<S>; 2] {
    Color::BOTH.map(|color| {
        let steps: Vec<Step> = steps.iter().map(|&(files, ranks)| (files, ranks * color.forward())).collect();
        leaps(geometry, &steps)
    })
}

/// The squares that a rider attacks: along each step up to and including the first piece.
pub fn walk<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step], from: Square, occupied: S) -> S {
    let mut reached = S::EMPTY;
    for &(files, ranks) in steps {
        for to in geometry.ray(from, files, ranks) {
            reached |= S::single(to);
            if occupied.has(to) {
                break;
            }
        }
    }
    reached
}

/// The squares that a hopper (a cannon, when it captures) attacks: along each step beyond the first piece, up to
/// and including the second.
pub fn walk_hops<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step], from: Square, occupied: S) -> S {
    let mut reached = S::EMPTY;
    for &(files, ranks) in steps {
        let mut beyond = geometry.ray(from, files, ranks).skip_while(|&to| !occupied.has(to));
        beyond.next();
        for to in beyond {
            reached |= S::single(to);
            if occupied.has(to) {
                break;
            }
        }
    }
    reached
}

/// The squares whose occupation matters to a walk along `steps`: all but the last of each ray.
pub fn relevant<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step], from: Square) -> S {
    let mut mask = S::EMPTY;
    for &(files, ranks) in steps {
        let ray: Vec<Square> = geometry.ray(from, files, ranks).collect();
        mask = ray.iter().rev().skip(1).fold(mask, |mask, &square| mask | S::single(square));
    }
    mask
}

/// A piece that attacks along lines, and how far depends on what stands there.
pub trait Rider<S: SquareSet> {
    /// The squares attacked from `from` when exactly `occupied` is occupied.
    fn attacks(&self, from: Square, occupied: S) -> S;

    /// All squares that could be attacked from `from` with other pieces on the board.
    fn lines(&self, from: Square) -> S;

    /// Those of `riders` that attack `square`, and so are attacked by the same rider on it. Often no rider stands on
    /// the lines, and nothing is looked up.
    #[inline]
    fn hits(&self, square: Square, occupied: S, riders: S) -> S {
        let near = riders & self.lines(square);
        if near.is_empty() { near } else { near & self.attacks(square, occupied) }
    }
}

/// How far a piece attacks along its lines: [`walk`] or [`walk_hops`].
type Walk<S> = fn(&Geometry<S>, &[Step], Square, S) -> S;

/// All squares on the lines along `steps`, for each square.
fn lines<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step]) -> BySquare<S> {
    let mut table = BySquare::filled(S::EMPTY);
    for square in geometry.all().squares() {
        table[square] = walk(geometry, steps, square, S::EMPTY);
    }
    table
}

/// Numbers what may stand on the squares of a mask, so that attack sets are found in a table.
trait Numbering<S>: Copy {
    /// For no square.
    const NONE: Self;
    /// A numbering for `mask`, and the table by its numbers of `attacks(occupied)`, which depends only on the squares of
    /// the mask.
    fn table(mask: S, attacks: impl Fn(S) -> S) -> (Self, Vec<S>);
    /// The number of what is occupied.
    fn number(self, occupied: S) -> usize;
}

/// The bits at the squares of a mask, packed by an instruction (PEXT).
#[cfg(target_feature = "bmi2")]
#[derive(Clone, Copy)]
struct Packed<S>(S);

#[cfg(target_feature = "bmi2")]
impl<S: SquareSet> Numbering<S> for Packed<S> {
    const NONE: Self = Packed(S::EMPTY);

    fn table(mask: S, attacks: impl Fn(S) -> S) -> (Self, Vec<S>) {
        (Packed(mask), (0..1usize << mask.count()).map(|bits| attacks(S::unpack(bits, mask))).collect())
    }

    #[inline(always)]
    fn number(self, occupied: S) -> usize {
        occupied.pack(self.0)
    }
}

/// The highest bits of a product: the factors bring the squares of a mask there. Different pieces may have the same number
/// if the attacks are the same.
#[cfg(any(test, not(target_feature = "bmi2")))]
#[derive(Clone, Copy)]
struct Multiplied<S> {
    mask: S,
    factors: S,
    shift: u32,
}

#[cfg(any(test, not(target_feature = "bmi2")))]
impl<S: SquareSet> Multiplied<S> {
    /// After so many factors the numbers get another bit.
    const TRIES: usize = 1 << 12;

    /// Factors that bring each square of a line to a bit of its own. That fails if the squares are closer together than
    /// there are squares.
    fn in_order(mask: S) -> S {
        let mut place = 64 - mask.count() as usize;
        let mut factors = S::EMPTY;
        // The last word has the lowest bits, for its squares may be too low in it to get far up.
        for word in (0..S::WORDS).rev() {
            for square in mask.squares().filter(|square| square.index() / 64 == word) {
                if let Some(up) = place.checked_sub(square.index() % 64) {
                    factors |= S::single(Square::new(64 * word + up));
                }
                place += 1;
            }
        }
        factors
    }

    /// The table, unless different sets have the same number.
    fn fill(self, sets: &[(S, S)]) -> Option<Vec<S>> {
        let mut table = vec![None; 1 << (64 - self.shift)];
        for &(occupied, attacks) in sets {
            let entry = table[self.number(occupied)].get_or_insert(attacks);
            if *entry != attacks {
                return None;
            }
        }
        Some(table.into_iter().map(Option::unwrap_or_default).collect())
    }
}

#[cfg(any(test, not(target_feature = "bmi2")))]
impl<S: SquareSet> Numbering<S> for Multiplied<S> {
    const NONE: Self = Multiplied { mask: S::EMPTY, factors: S::EMPTY, shift: 63 };

    fn table(mask: S, attacks: impl Fn(S) -> S) -> (Self, Vec<S>) {
        let pieces = (0..1usize << mask.count()).map(|bits| S::unpack(bits, mask));
        let sets: Vec<(S, S)> = pieces.map(|occupied| (occupied, attacks(occupied))).collect();
        // Numbers with few bits are good factors.
        let mut random = random_numbers(0);
        let mut guess = || S::from_words(|_| random() & random() & random());
        let mut factors = Multiplied::in_order(mask);
        for tries in 0.. {
            let bits = mask.count().max(1) + (tries / Self::TRIES) as u32;
            let numbering = Multiplied { mask, factors, shift: 64 - bits };
            if let Some(table) = numbering.fill(&sets) {
                return (numbering, table);
            }
            factors = guess();
        }
        unreachable!("a number for each set in the end")
    }

    #[inline(always)]
    fn number(self, occupied: S) -> usize {
        ((occupied & self.mask).product(self.factors) >> self.shift) as usize
    }
}

#[cfg(target_feature = "bmi2")]
type Best<S> = Packed<S>;
#[cfg(not(target_feature = "bmi2"))]
type Best<S> = Multiplied<S>;

/// Attack sets that depend on the occupation of a few squares, in a table.
pub struct Lookup<S> {
    numberings: BySquare<Best<S>>,
    offsets: BySquare<u32>,
    lines: BySquare<S>,
    sets: Vec<S>,
}

impl<S: SquareSet> Lookup<S> {
    /// A table of `attacks(square, occupied)`, which may depend only on the occupation of `mask(square)` and must
    /// shrink as more is occupied.
    pub fn new(geometry: &Geometry<S>, mask: impl Fn(Square) -> S, attacks: impl Fn(Square, S) -> S) -> Self {
        let mut lines = BySquare::filled(S::EMPTY);
        for square in geometry.all().squares() {
            lines[square] = attacks(square, S::EMPTY);
        }
        Lookup::with_lines(geometry, lines, mask, attacks)
    }

    fn with_lines(
        geometry: &Geometry<S>,
        lines: BySquare<S>,
        mask: impl Fn(Square) -> S,
        attacks: impl Fn(Square, S) -> S,
    ) -> Self {
        let (numberings, offsets) = (BySquare::filled(Best::NONE), BySquare::filled(0));
        let mut table = Lookup { numberings, offsets, lines, sets: Vec::new() };
        for square in geometry.all().squares() {
            let (numbering, sets) = Best::table(mask(square), |occupied| attacks(square, occupied));
            table.numberings[square] = numbering;
            table.offsets[square] = table.sets.len() as u32;
            table.sets.extend(sets);
        }
        table
    }

    /// One look-up for all of `steps`.
    fn along(geometry: &Geometry<S>, steps: &[Step], walk: Walk<S>) -> Self {
        Lookup::with_lines(
            geometry,
            lines(geometry, steps),
            |from| relevant(geometry, steps, from),
            |from, pieces| walk(geometry, steps, from, pieces),
        )
    }

    /// A rider along all of `steps` in one look-up.
    pub fn rider(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Lookup::along(geometry, steps, walk)
    }
}

impl<S: SquareSet> Rider<S> for Lookup<S> {
    #[inline(always)]
    fn attacks(&self, from: Square, occupied: S) -> S {
        self.sets[self.offsets[from] as usize + self.numberings[from].number(occupied)]
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.lines[from]
    }
}

/// One look-up for each of `N` lines: smaller tables than one look-up for all.
pub struct Cross<S, const N: usize = 2> {
    tables: [Lookup<S>; N],
    lines: BySquare<S>,
}

impl<S: SquareSet, const N: usize> Cross<S, N> {
    /// Opposite steps stand `N` places apart.
    fn along(geometry: &Geometry<S>, steps: &[Step], walk: Walk<S>) -> Self {
        Cross {
            tables: std::array::from_fn(|i| Lookup::along(geometry, &[steps[i], steps[i + N]], walk)),
            lines: lines(geometry, steps),
        }
    }

    /// A rider along `steps`, 2 `N` of them; opposite steps stand `N` places apart.
    pub fn rider(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Cross::along(geometry, steps, walk)
    }

    /// The captures of a hopper along `steps`.
    pub fn hopper(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Cross::along(geometry, steps, walk_hops)
    }
}

impl<S: SquareSet, const N: usize> Rider<S> for Cross<S, N> {
    #[inline(always)]
    fn attacks(&self, from: Square, occupied: S) -> S {
        self.tables.iter().fold(S::EMPTY, |set, table| set | table.attacks(from, occupied))
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.lines[from]
    }
}

/// The squares of a line in reach from its square `at`, by the occupation of its inner squares: one table for all
/// lines.
struct Reach(Vec<[u16; Reach::INNER]>);

impl Reach {
    /// The longest line has fourteen squares; whether its two ends are occupied does not matter.
    const INNER: usize = 1 << 12;

    fn new() -> Self {
        let reach = |at: usize, inner: usize| {
            let pieces = inner << 1;
            let below = (0..at).rev().find(|&i| pieces >> i & 1 != 0).unwrap_or(0);
            let above = (at + 1..14).find(|&i| pieces >> i & 1 != 0).unwrap_or(15);
            (((1u32 << above << 1) - (1 << below)) & !(1 << at)) as u16
        };
        Reach((0..14).map(|at| std::array::from_fn(|inner| reach(at, inner))).collect())
    }
}

/// A rider whose lines are too long for tables of sets: each line is packed into bits, the squares in reach are
/// looked up in a table shared by all lines, and unpacked onto the line.
pub struct Spread<S> {
    /// For each of two lines the squares that can block, all squares, and the place of the square among them.
    lines: BySquare<[(S, S, u8); 2]>,
    all: BySquare<S>,
    reach: Reach,
}

impl<S: SquareSet> Spread<S> {
    /// A rider along four `steps`; opposite steps stand two places apart, and the first two lead to higher indices.
    pub fn rider(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        let mut table = BySquare::filled([(S::EMPTY, S::EMPTY, 0); 2]);
        for from in geometry.all().squares() {
            table[from] = [0, 1].map(|i| {
                let line = walk(geometry, &[steps[i], steps[i + 2]], from, S::EMPTY) | S::single(from);
                let inner = line ^ (S::single(line.first()) | S::single(line.last()));
                let at = line.squares().position(|square| square == from).expect("a square of its line");
                (inner, line, at as u8)
            });
        }
        Spread { lines: table, all: lines(geometry, steps), reach: Reach::new() }
    }
}

impl<S: SquareSet> Rider<S> for Spread<S> {
    #[inline(always)]
    fn attacks(&self, from: Square, occupied: S) -> S {
        self.lines[from].iter().fold(S::EMPTY, |set, &(inner, line, at)| {
            set | S::unpack(self.reach.0[at as usize][occupied.pack(inner) & (Reach::INNER - 1)].into(), line)
        })
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.all[from]
    }
}

/// A rider by scanning each ray for its first piece (a hopper: its second): small tables, no special instructions.
pub struct Scan<S, const N: usize, const HOPS: bool = false> {
    rays: [BySquare<S>; N],
    /// Does the ray lead to higher indices?
    rises: [bool; N],
    lines: BySquare<S>,
}

impl<S: SquareSet, const N: usize, const HOPS: bool> Scan<S, N, HOPS> {
    /// A rider, or hopper, along `N` steps.
    pub fn rider(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        let rises = |step: Step| {
            let to = geometry
                .all()
                .squares()
                .find_map(|from| geometry.step(from, step.0, step.1).map(|to| to.index() > from.index()));
            to.expect("a step that some square allows")
        };
        Scan {
            rays: std::array::from_fn(|i| lines(geometry, &steps[i..=i])),
            rises: std::array::from_fn(|i| rises(steps[i])),
            lines: lines(geometry, steps),
        }
    }
}

impl<S: SquareSet, const N: usize> Scan<S, N, true> {
    /// The captures of a hopper along `steps`.
    pub fn hopper(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Self::rider(geometry, steps)
    }
}

impl<S: SquareSet, const N: usize, const HOPS: bool> Rider<S> for Scan<S, N, HOPS> {
    #[inline]
    fn attacks(&self, from: Square, occupied: S) -> S {
        let mut reached = S::EMPTY;
        for (rays, rises) in self.rays.iter().zip(self.rises) {
            // The part of the ray beyond its first piece, and the whole if there is none.
            let beyond = |ray: S| {
                let pieces = ray & occupied;
                pieces.any().then(|| rays[if rises { pieces.first() } else { pieces.last() }])
            };
            let mut ray = rays[from];
            if HOPS {
                let Some(beyond) = beyond(ray) else { continue };
                ray = beyond;
            }
            reached |= ray ^ beyond(ray).unwrap_or(S::EMPTY);
        }
        reached
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.lines[from]
    }
}

/// The best rider for each kind of board. All have `rider(geometry, steps)`, and `Hopper` has `hopper`; opposite
/// steps stand half the list apart.
///
/// With BMI2, which packs bits in one instruction, large tables are fastest; without it, a table for each line, and on
/// three words, whose lines are long, scanning rays.
#[cfg(target_feature = "bmi2")]
mod best {
    /// Rook's or bishop's lines on a board of one word.
    pub type Short<S> = super::Lookup<S>;
    /// Rook's or bishop's lines on a board of two words.
    pub type Medium<S> = super::Cross<S>;
    /// Rook's or bishop's lines on a board of three words.
    pub type Long<S> = super::Spread<S>;
    /// A nightrider on a board of two words.
    pub type Nightrider<S> = super::Cross<S, 4>;
    /// A cannon's captures on a board of two words.
    pub type Hopper<S> = super::Cross<S>;
}
#[cfg(not(target_feature = "bmi2"))]
mod best {
    /// Rook's or bishop's lines on a board of one word.
    pub type Short<S> = super::Cross<S>;
    /// Rook's or bishop's lines on a board of two words.
    pub type Medium<S> = super::Cross<S>;
    /// Rook's or bishop's lines on a board of three words.
    pub type Long<S> = super::Scan<S, 4>;
    /// A nightrider on a board of two words.
    pub type Nightrider<S> = super::Cross<S, 4>;
    /// A cannon's captures on a board of two words.
    pub type Hopper<S> = super::Cross<S>;
}
pub use best::*;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::{Board8x8, Board10x10, Board14x12};
    use crate::board::{Board, zobrist::split_mix};

    fn random_sets<S: SquareSet>(geometry: &Geometry<S>) -> Vec<S> {
        let mut seed = 7;
        (0..64)
            .map(|i| {
                let mut set = S::EMPTY;
                for square in geometry.all().squares() {
                    let random;
                    (seed, random) = split_mix(seed);
                    if random % 8 < i % 7 {
                        set |= S::single(square);
                    }
                }
                set
            })
            .collect()
    }

    fn check<S: SquareSet>(
        geometry: &Geometry<S>,
        fast: impl Fn(Square, S) -> S,
        slow: impl Fn(Square, S) -> S,
    ) {
        for pieces in random_sets(geometry) {
            for from in geometry.all().squares() {
                assert_eq!(fast(from, pieces), slow(from, pieces), "from {}", geometry.name(from));
            }
        }
    }

    #[test]
    fn all_methods_agree_with_the_walk() {
        let small = Board8x8::geometry();
        let rook = Lookup::rider(small, &ORTHOGONAL);
        check(small, |s, o| rook.attacks(s, o), |s, o| walk(small, &ORTHOGONAL, s, o));

        let ten = Board10x10::geometry();
        let bishop = Cross::<_, 2>::rider(ten, &DIAGONAL);
        check(ten, |s, o| bishop.attacks(s, o), |s, o| walk(ten, &DIAGONAL, s, o));
        let cannon = Cross::<_, 2>::hopper(ten, &ORTHOGONAL);
        check(ten, |s, o| cannon.attacks(s, o), |s, o| walk_hops(ten, &ORTHOGONAL, s, o));
        let cannon = Scan::<_, 4, true>::hopper(ten, &ORTHOGONAL);
        check(ten, |s, o| cannon.attacks(s, o), |s, o| walk_hops(ten, &ORTHOGONAL, s, o));
        let nightrider = Cross::<_, 4>::rider(ten, &KNIGHT_LEAPS);
        check(ten, |s, o| nightrider.attacks(s, o), |s, o| walk(ten, &KNIGHT_LEAPS, s, o));
        let nightrider = Scan::<_, 8>::rider(ten, &KNIGHT_LEAPS);
        check(ten, |s, o| nightrider.attacks(s, o), |s, o| walk(ten, &KNIGHT_LEAPS, s, o));

        let wide = Board14x12::geometry();
        for steps in [ORTHOGONAL, DIAGONAL] {
            let scan = Scan::<_, 4>::rider(wide, &steps);
            check(wide, |s, o| scan.attacks(s, o), |s, o| walk(wide, &steps, s, o));
            let spread = Spread::rider(wide, &steps);
            check(wide, |s, o| spread.attacks(s, o), |s, o| walk(wide, &steps, s, o));
        }
    }

    #[test]
    fn products_number_what_stands_on_lines() {
        fn check<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step], walk: Walk<S>, at_once: bool) {
            let sets = random_sets(geometry);
            let (mut squares, mut searched) = (0, 0);
            for from in geometry.all().squares() {
                let mask = relevant(geometry, steps, from);
                let (numbering, table) =
                    Multiplied::table(mask, |occupied| walk(geometry, steps, from, occupied));
                let name = geometry.name(from);
                for &pieces in &sets {
                    let expected = walk(geometry, steps, from, pieces);
                    assert_eq!(table[numbering.number(pieces)], expected, "from {name}");
                }
                squares += 1;
                searched += usize::from(numbering.factors != Multiplied::in_order(mask));
                assert!(
                    table.len() <= 4 << mask.count(),
                    "from {name}: {} for {}",
                    table.len(),
                    mask.count()
                );
            }
            // Most squares need no search for factors, which takes time when a game is opened.
            assert!(!at_once || 2 * searched <= squares, "{steps:?}: {searched} of {squares}");
        }

        fn lines<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step], at_once: bool) {
            let half = steps.len() / 2;
            for i in 0..half {
                check(geometry, &[steps[i], steps[i + half]], walk, at_once);
                check(geometry, &[steps[i], steps[i + half]], walk_hops, at_once);
            }
        }

        for steps in [ORTHOGONAL, DIAGONAL] {
            lines(Board8x8::geometry(), &steps, true);
            lines(Board10x10::geometry(), &steps, true);
            lines(Dense::geometry(), &steps, false);
        }
        lines(Board10x10::geometry(), &KNIGHT_LEAPS, true);
        check(Board14x12::geometry(), &[(-1, 1), (1, 1)], walk, false);
    }

    crate::board! {
        /// A board with more squares in a line than a step has bits, as a diamond has it.
        Dense: 9 x 9 in 1 words, file step 4, rank step 5, origin -16, hole |file, rank| {
            (file as i32 - 4).abs() + (rank as i32 - 4).abs() > 4
        }
    }

    #[test]
    fn hits_are_the_riders_that_attack() {
        let ten = Board10x10::geometry();
        let cannon = Hopper::hopper(ten, &ORTHOGONAL);
        let sets = random_sets(ten);
        for (&pieces, &riders) in sets.iter().zip(sets.iter().rev()) {
            for square in ten.all().squares() {
                assert_eq!(cannon.hits(square, pieces, riders), cannon.attacks(square, pieces) & riders);
            }
        }
    }
}
