//! The shape of a board: files, ranks, holes, and how squares are numbered.
//!
//! Squares are numbered by a linear rule, `origin + file * file_step + rank * rank_step`, so that a step in any
//! direction is one shift of a whole set. Before each shift the set is masked with the squares from which the step
//! stays on the board, which handles edges, holes and the wrap from one rank into the next alike.

use super::{BySquare, Square, SquareSet};

/// The name of the square with this file and rank, both from 0.
pub fn square_name((file, rank): (u8, u8)) -> String {
    format!("{}{}", (b'a' + file) as char, rank + 1)
}

/// A board as constants, so that shifts compile to constant shifts. Each geometry is one type.
pub trait Board: Copy + Default + Send + Sync + 'static {
    /// Its sets of squares.
    type Set: SquareSet;
    /// Number of files, at most 16.
    const FILES: u8;
    /// Number of ranks, at most 16.
    const RANKS: u8;
    /// Index of b1 less index of a1.
    const FILE_STEP: i16;
    /// Index of a2 less index of a1.
    const RANK_STEP: i16;
    /// Index of a1; negative where a1 is a hole before the first square.
    const ORIGIN: i16 = 0;

    /// Is the square at this file and rank (from 0) missing from the board?
    fn is_hole(_file: u8, _rank: u8) -> bool {
        false
    }

    /// The tables of this board, built on first use.
    fn geometry() -> &'static Geometry<Self::Set>;

    /// The squares reached from those of `set` by going `files` to the right and `ranks` up (at most four
    /// each); what would leave the board, or enter a hole, is dropped.
    #[inline]
    fn shift(set: Self::Set, files: i16, ranks: i16) -> Self::Set {
        let from = Self::geometry().step_origins(files, ranks);
        (set & from).shifted(Self::delta(files, ranks))
    }

    /// What going `files` to the right and `ranks` up adds to a square's index.
    #[inline]
    fn delta(files: i16, ranks: i16) -> i16 {
        files * Self::FILE_STEP + ranks * Self::RANK_STEP
    }

    /// The square on a file and rank, counted from 0. Panics where there is none.
    fn at(file: u8, rank: u8) -> Square {
        Self::geometry().square(file.into(), rank.into()).expect("a square of the board")
    }
}

/// The largest step in one direction for which [`Geometry`] keeps a set of origins.
const REACH: i16 = 4;

/// Tables about the shape of a board.
pub struct Geometry<S> {
    files: u8,
    ranks: u8,
    squares: S,
    at: [[Square; 16]; 16],
    place: BySquare<(u8, u8)>,
    ranks_of: [S; 16],
    origins: [[S; 9]; 9],
    between: Vec<S>,
}

impl<S: SquareSet> Geometry<S> {
    /// Builds the tables of board `B`.
    pub fn new<B: Board<Set = S>>() -> Self {
        let mut geometry = Geometry {
            files: B::FILES,
            ranks: B::RANKS,
            squares: S::EMPTY,
            at: [[Square::NONE; 16]; 16],
            place: BySquare::filled((255, 255)),
            ranks_of: [S::EMPTY; 16],
            origins: [[S::EMPTY; 9]; 9],
            between: Vec::new(),
        };
        for rank in 0..B::RANKS {
            for file in 0..B::FILES {
                if !B::is_hole(file, rank) {
                    let index = B::ORIGIN + B::delta(file.into(), rank.into());
                    let square = Square::new(usize::try_from(index).expect("a square before the first bit"));
                    assert!(index < 64 * S::WORDS as i16 && !geometry.squares.has(square), "bad numbering");
                    geometry.at[rank as usize][file as usize] = square;
                    geometry.place[square] = (file, rank);
                    geometry.squares |= S::single(square);
                    geometry.ranks_of[rank as usize] |= S::single(square);
                }
            }
        }
        for files in -REACH..=REACH {
            for ranks in -REACH..=REACH {
                let stays = |&square: &Square| geometry.step(square, files, ranks).is_some();
                let origins =
                    geometry.squares.squares().filter(stays).fold(S::EMPTY, |s, x| s | S::single(x));
                geometry.origins[(ranks + REACH) as usize][(files + REACH) as usize] = origins;
            }
        }
        geometry.between = geometry.between_table();
        geometry
    }

    fn between_table(&self) -> Vec<S> {
        let size = 64 * S::WORDS;
        let mut table = vec![S::EMPTY; size * size];
        for from in self.squares.squares() {
            for files in -2..=2_i16 {
                for ranks in -2..=2_i16 {
                    // Rook's, bishop's and knight's steps: 1 0, 1 1 and 1 2 in any order and sign.
                    if !matches!(files * files + ranks * ranks, 1 | 2 | 5) {
                        continue;
                    }
                    let mut passed = S::EMPTY;
                    for to in self.ray(from, files, ranks) {
                        table[from.index() * size + to.index()] = passed;
                        passed |= S::single(to);
                    }
                }
            }
        }
        table
    }

    /// Number of files.
    pub fn files(&self) -> u8 {
        self.files
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// All squares of the board, holes left out.
    #[inline]
    pub fn all(&self) -> S {
        self.squares
    }

    /// Is this a square of the board? Any value may be asked.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        self.place[square].0 != 255
    }

    /// The square at a file and rank, both from 0; `None` outside the board and on a hole.
    pub fn square(&self, file: i16, rank: i16) -> Option<Square> {
        if !(0..16).contains(&file) || !(0..16).contains(&rank) {
            return None;
        }
        Some(self.at[rank as usize][file as usize]).filter(|square| square.is_some())
    }

    /// The file of a square, from 0 (the a-file).
    #[inline]
    pub fn file(&self, square: Square) -> u8 {
        self.place[square].0
    }

    /// The rank of a square, from 0 (White's edge).
    #[inline]
    pub fn rank(&self, square: Square) -> u8 {
        self.place[square].1
    }

    /// Are both squares of one colour on a chequered board?
    #[inline]
    pub fn same_shade(&self, a: Square, b: Square) -> bool {
        (self.file(a) ^ self.rank(a) ^ self.file(b) ^ self.rank(b)) & 1 == 0
    }

    /// The square reached by one leap of `files` to the right and `ranks` up.
    pub fn step(&self, square: Square, files: i16, ranks: i16) -> Option<Square> {
        let (file, rank) = self.place[square];
        self.square(i16::from(file) + files, i16::from(rank) + ranks)
    }

    /// How many steps a king needs on an empty board without holes.
    #[inline]
    pub fn steps(&self, from: Square, to: Square) -> u8 {
        let ((file, rank), (there, level)) = (self.place[from], self.place[to]);
        file.abs_diff(there).max(rank.abs_diff(level))
    }

    /// The squares reached by repeating a step, nearest first, up to the edge or a hole.
    pub fn ray(&self, from: Square, files: i16, ranks: i16) -> impl Iterator<Item = Square> {
        std::iter::successors(self.step(from, files, ranks), move |&square| self.step(square, files, ranks))
    }

    /// All squares of one rank, counted from 0.
    #[inline]
    pub fn rank_set(&self, rank: u8) -> S {
        self.ranks_of[rank as usize]
    }

    /// The squares from which a step of `files` and `ranks` (at most four each) stays on the board.
    #[inline]
    pub fn step_origins(&self, files: i16, ranks: i16) -> S {
        self.origins[(ranks + REACH) as usize][(files + REACH) as usize]
    }

    /// The squares strictly between two squares on one rank, file, diagonal or line of equal knight's steps;
    /// empty when they share no such line, are neighbours on it, or a hole lies between them.
    #[inline]
    pub fn between(&self, a: Square, b: Square) -> S {
        self.between[a.index() * 64 * S::WORDS + b.index()]
    }

    /// The name of a square, "a1" to "n12".
    pub fn name(&self, square: Square) -> String {
        square_name(self.place[square])
    }

    /// Reads a square's name from the start of `text`, and returns what follows it. `None` if no square of
    /// this board is written there, as [`Geometry::name`] writes it.
    pub fn read<'t>(&self, text: &'t str) -> Option<(Square, &'t str)> {
        let file = *text.as_bytes().first()?;
        if !file.is_ascii_lowercase() || text[1..].starts_with('0') {
            return None;
        }
        let digits = text[1..].bytes().take(2).take_while(u8::is_ascii_digit).count();
        let rank: i16 = text[1..1 + digits].parse().ok()?;
        Some((self.square((file - b'a').into(), rank - 1)?, &text[1 + digits..]))
    }
}

/// Declares a board type with its constants and its lazily built tables.
#[macro_export]
macro_rules! board {
    ($(#[$doc:meta])* $vis:vis $name:ident: $files:literal x $ranks:literal in $words:literal words,
     file step $file_step:literal, rank step $rank_step:literal $(, origin $origin:literal)? $(, hole $hole:expr)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, Debug)]
        $vis struct $name;

        impl $crate::board::Board for $name {
            type Set = $crate::board::Bitboard<$words>;
            const FILES: u8 = $files;
            const RANKS: u8 = $ranks;
            const FILE_STEP: i16 = $file_step;
            const RANK_STEP: i16 = $rank_step;
            $(const ORIGIN: i16 = $origin;)?
            $(fn is_hole(file: u8, rank: u8) -> bool {
                let hole: fn(u8, u8) -> bool = $hole;
                hole(file, rank)
            })?
            #[inline]
            fn geometry() -> &'static $crate::board::Geometry<Self::Set> {
                type Words = $crate::board::Bitboard<$words>;
                $crate::built_once!($crate::board::Geometry<Words>, $crate::board::Geometry::new::<$name>)
            }
        }
    };
}

board! {
    /// The 8x8 board, one word.
    pub Board8x8: 8 x 8 in 1 words, file step 1, rank step 8
}
board! {
    /// The 10x10 board: ranks of twelve bits, two words.
    pub Board10x10: 10 x 10 in 2 words, file step 1, rank step 12
}
board! {
    /// The 12x12 board: ranks of sixteen bits, three words.
    pub Board12x12: 12 x 12 in 3 words, file step 1, rank step 16
}
board! {
    /// The board of fourteen files and twelve ranks: ranks of sixteen bits, three words.
    pub Board14x12: 14 x 12 in 3 words, file step 1, rank step 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_stop_at_every_edge() {
        fn check<B: Board>() {
            let geometry = B::geometry();
            for square in geometry.all().squares() {
                for files in -4..=4 {
                    for ranks in -4..=4 {
                        let stepped =
                            geometry.step(square, files, ranks).map_or(B::Set::EMPTY, B::Set::single);
                        assert_eq!(B::shift(B::Set::single(square), files, ranks), stepped);
                    }
                }
            }
        }
        check::<Board8x8>();
        check::<Board10x10>();
        check::<Board12x12>();
        check::<Board14x12>();
    }

    #[test]
    fn names_are_read_back() {
        let geometry = Board14x12::geometry();
        for square in geometry.all().squares() {
            let name = geometry.name(square);
            assert_eq!(geometry.read(&format!("{name}x")), Some((square, "x")));
        }
        for nonsense in ["", "a", "a0", "a01", "a13", "o1", "A1", "1", "é1", "a99"] {
            assert_eq!(geometry.read(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn between_holds_lines_and_knight_lines() {
        let geometry = Board10x10::geometry();
        let square = |name| geometry.read(name).unwrap().0;
        let names = |a, b| {
            geometry
                .between(square(a), square(b))
                .squares()
                .map(|s| geometry.name(s))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(names("a1", "d4"), "b2 c3");
        assert_eq!(names("j10", "j7"), "j8 j9");
        assert_eq!(names("a1", "c5"), "b3");
        assert_eq!(names("i1", "a5"), "g2 e3 c4");
        assert_eq!(names("a1", "b2"), "");
        assert_eq!(names("a1", "c4"), "");
    }
}
