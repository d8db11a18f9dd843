//! Attack tables: where a man can go from a square, given what is occupied.
//!
//! A game's `Tables` is made of these. All are filled by the same slow walk along steps, so that the fast
//! look-ups are right if the walk is.

use crate::board::{BySquare, Geometry, Square, SquareSet};

/// A step: files to the right, ranks up.
pub type Step = (i16, i16);

/// The four steps of a rook.
pub const ORTHOGONAL: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// The four steps of a bishop.
pub const DIAGONAL: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
/// The eight leaps of a knight.
pub const KNIGHT: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The eight steps of a king.
pub const KING: [Step; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// For each square the set that one leap reaches, whatever is occupied.
pub type Leaps<S> = BySquare<S>;

/// The squares that one of `steps` reaches, for each square.
pub fn leaps<S: SquareSet>(geometry: &Geometry<S>, steps: &[Step]) -> Leaps<S> {
    let mut table = BySquare::filled(S::EMPTY);
    for from in geometry.squares().squares() {
        for &(files, ranks) in steps {
            if let Some(to) = geometry.step(from, files, ranks) {
                table[from] |= S::single(to);
            }
        }
    }
    table
}

/// The squares that a rider attacks: along each step up to and including the first man.
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

/// The squares that a hopper (a cannon, when it captures) attacks: along each step beyond the first man, up to
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

/// A man that goes along lines until something stands in its way.
pub trait Rider<S> {
    /// The squares attacked from `from` when exactly `occupied` is occupied.
    fn attacks(&self, from: Square, occupied: S) -> S;

    /// The squares attacked from `from` on an empty board.
    fn lines(&self, from: Square) -> S;
}

/// Attack sets that depend on the occupation of a few squares: the relevant bits are packed (PEXT) into an index
/// into a table of sets.
pub struct Lookup<S> {
    masks: BySquare<S>,
    offsets: BySquare<u32>,
    lines: BySquare<S>,
    sets: Vec<S>,
}

impl<S: SquareSet> Lookup<S> {
    /// A table of `attacks(square, occupied)`, which may depend only on the occupation of `mask(square)`.
    pub fn new(geometry: &Geometry<S>, mask: impl Fn(Square) -> S, attacks: impl Fn(Square, S) -> S) -> Self {
        let mut table = Lookup {
            masks: BySquare::filled(S::EMPTY),
            offsets: BySquare::filled(0),
            lines: BySquare::filled(S::EMPTY),
            sets: Vec::new(),
        };
        for square in geometry.squares().squares() {
            let mask = mask(square);
            table.masks[square] = mask;
            table.lines[square] = attacks(square, S::EMPTY);
            table.offsets[square] = table.sets.len() as u32;
            table.sets.extend((0..1usize << mask.count()).map(|bits| attacks(square, S::unpack(bits, mask))));
        }
        table
    }

    /// A rider along all of `steps` in one look-up.
    pub fn rider(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Lookup::new(
            geometry,
            |from| relevant(geometry, steps, from),
            |from, men| walk(geometry, steps, from, men),
        )
    }

    /// The captures of a hopper along all of `steps` in one look-up.
    pub fn hopper(geometry: &Geometry<S>, steps: &[Step]) -> Self {
        Lookup::new(
            geometry,
            |from| relevant(geometry, steps, from),
            |from, men| walk_hops(geometry, steps, from, men),
        )
    }
}

impl<S: SquareSet> Rider<S> for Lookup<S> {
    #[inline]
    fn attacks(&self, from: Square, occupied: S) -> S {
        self.sets[self.offsets[from] as usize + occupied.pack(self.masks[from])]
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.lines[from]
    }
}

/// Two look-ups, one for each of two lines: smaller tables than one look-up for both.
pub struct Cross<S>([Lookup<S>; 2]);

impl<S: SquareSet> Cross<S> {
    /// The four `steps` of a rook or bishop: opposite steps two places apart.
    pub fn rider(geometry: &Geometry<S>, steps: [Step; 4]) -> Self {
        Cross([0, 1].map(|i| Lookup::rider(geometry, &[steps[i], steps[i + 2]])))
    }

    /// The same for a hopper's captures.
    pub fn hopper(geometry: &Geometry<S>, steps: [Step; 4]) -> Self {
        Cross([0, 1].map(|i| Lookup::hopper(geometry, &[steps[i], steps[i + 2]])))
    }
}

impl<S: SquareSet> Rider<S> for Cross<S> {
    #[inline]
    fn attacks(&self, from: Square, occupied: S) -> S {
        self.0[0].attacks(from, occupied) | self.0[1].attacks(from, occupied)
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.0[0].lines(from) | self.0[1].lines(from)
    }
}

/// A rider by scanning each ray for its first man: small tables for boards whose lines are too long to
/// tabulate. Opposite steps stand two places apart; the first two lead to higher indices.
pub struct Scan<S>([BySquare<S>; 4]);

impl<S: SquareSet> Scan<S> {
    /// The rays of a rook or bishop.
    pub fn rider(geometry: &Geometry<S>, steps: [Step; 4]) -> Self {
        Scan(steps.map(|(files, ranks)| {
            let mut rays = BySquare::filled(S::EMPTY);
            for from in geometry.squares().squares() {
                rays[from] = geometry.ray(from, files, ranks).fold(S::EMPTY, |set, to| set | S::single(to));
            }
            rays
        }))
    }
}

impl<S: SquareSet> Rider<S> for Scan<S> {
    #[inline]
    fn attacks(&self, from: Square, occupied: S) -> S {
        let mut reached = S::EMPTY;
        for (i, rays) in self.0.iter().enumerate() {
            let ray = rays[from];
            let men = ray & occupied;
            reached |= ray;
            if men.any() {
                reached ^= rays[if i < 2 { men.first() } else { men.last() }];
            }
        }
        reached
    }

    #[inline]
    fn lines(&self, from: Square) -> S {
        self.0.iter().fold(S::EMPTY, |lines, rays| lines | rays[from])
    }
}

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
                for square in geometry.squares().squares() {
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
        for men in random_sets(geometry) {
            for from in geometry.squares().squares() {
                assert_eq!(fast(from, men), slow(from, men), "from {}", geometry.name(from));
            }
        }
    }

    #[test]
    fn lookups_and_scans_agree_with_the_walk() {
        let small = Board8x8::geometry();
        let rook = Lookup::rider(small, &ORTHOGONAL);
        check(small, |s, o| rook.attacks(s, o), |s, o| walk(small, &ORTHOGONAL, s, o));

        let ten = Board10x10::geometry();
        let bishop = Cross::rider(ten, DIAGONAL);
        check(ten, |s, o| bishop.attacks(s, o), |s, o| walk(ten, &DIAGONAL, s, o));
        let cannon = Cross::hopper(ten, ORTHOGONAL);
        check(ten, |s, o| cannon.attacks(s, o), |s, o| walk_hops(ten, &ORTHOGONAL, s, o));
        let nightrider = Lookup::rider(ten, &KNIGHT);
        check(ten, |s, o| nightrider.attacks(s, o), |s, o| walk(ten, &KNIGHT, s, o));

        let wide = Board14x12::geometry();
        for steps in [ORTHOGONAL, DIAGONAL] {
            let scan = Scan::rider(wide, steps);
            check(wide, |s, o| scan.attacks(s, o), |s, o| walk(wide, &steps, s, o));
        }
    }
}
