//! What newcomers are shown of Gast's two games.

use super::{BoardSize, Fourteen, Twelve};
use quintain_core::notation::{Lesson, Lessons};

/// What newcomers are shown on a size of the board.
pub trait Taught: BoardSize {
    /// It.
    const LESSONS: &'static Lessons;
}

const KNIGHT: &str = "A knight leaps one by two squares, one by three, or two by two: twenty squares from the middle. Guard and \
                      archer have these leaps too, besides a bishop's and a rook's lines.";

// Lessons that both games share, each on a position of its own board.

const fn pawns(fen: &'static str) -> Lesson {
    Lesson {
        title: "Pawns in a hurry",
        text: "A pawn goes one to four squares ahead from its second rank, one to three from its third, and one or two \
               from anywhere else. All squares on the way must be empty.",
        fen: Some(fen),
        moves: &[
            ("e2e6", "Four squares from the second rank."),
            ("b12b11", ""),
            ("h3h6", "Three from the third."),
            ("b11b10", ""),
            ("c5c7", "Two from anywhere else."),
        ],
    }
}

const fn long_capture(fen: &'static str) -> Lesson {
    Lesson {
        title: "The long capture",
        text: "A pawn takes one or two squares diagonally ahead. For the long capture the square between must be \
               empty, so the pawn on g4 is safe behind the one on f3.",
        fen: Some(fen),
        moves: &[("e2c4", "The pawn takes over the empty d3.")],
    }
}

const fn en_passant(fen: &'static str) -> Lesson {
    Lesson {
        title: "En passant",
        text: "Only a pawn that has just gone four squares can be taken in passing, and only on the square that it \
               passed last. An enemy pawn may do that with its short or with its long capture.",
        fen: Some(fen),
        moves: &[
            ("d2d6", "The pawn passes d5 last."),
            ("b7d5", "Black takes there from b7, over the empty c6, and the pawn on d6 is gone."),
        ],
    }
}

const fn archer_castling(fen: &'static str) -> Lesson {
    Lesson {
        title: "Castling with the archer, then with the rook",
        text: "The king castles with an archer: it goes two squares toward it, and the archer goes to the \
               square that the king crossed. Later, if the king has not moved again, it may castle on with \
               the rook of that side in the same way. As usual, nobody else may have moved, all squares \
               between must be empty, and the king may not be in check, nor cross or reach an attacked square.",
        fen: Some(fen),
        moves: &[("g1i1", "King to i1, archer to h1."), ("g12g11", ""), ("i1k1", "King to k1, rook to j1.")],
    }
}

const fn rook_castling(fen: &'static str) -> Lesson {
    Lesson {
        title: "Castling with the rook at once",
        text: "With nothing between king and rook, the king may go four squares toward the rook at once, and the \
               rook goes to the square just inside the king.",
        fen: Some(fen),
        moves: &[("g1k1", "King to k1, rook to j1.")],
    }
}

const fn double_castling(fen: &'static str) -> Lesson {
    Lesson {
        title: "Castling with both",
        text: "With nothing between king and rook but the archer, the king may castle with both at once: it goes \
               four squares, the rook to the third of these, and the archer to where castling with it alone \
               would have put it.",
        fen: Some(fen),
        moves: &[("g1c1", "King to c1, rook to d1, archer to f1.")],
    }
}

impl Taught for Twelve {
    const LESSONS: &'static Lessons = &Lessons {
        pieces: &[
            ('k', "k11/12/12/12/12/12/12/4K7/12/12/12/11R w - - 0 1"),
            ('q', "1k10/12/12/12/12/12/12/4Q7/12/12/12/11K w - - 0 1"),
            ('a', "1k10/12/12/12/12/12/12/4A7/12/12/12/11K w - - 0 1"),
            ('g', "1k10/12/12/12/12/12/12/4G7/12/12/12/11K w - - 0 1"),
            ('r', "1k10/12/12/12/12/12/12/4R7/12/12/12/11K w - - 0 1"),
            ('b', "1k10/12/12/12/12/12/12/4B7/12/12/12/11K w - - 0 1"),
            ('n', "1k10/12/12/12/12/12/12/4N7/12/12/12/11K w - - 0 1"),
            ('p', "1k10/12/12/12/12/12/12/12/2p9/5p6/4P7/11K w - - 0 1"),
        ],
        rules: &[
            Lesson {
                title: "The long-legged knight",
                text: KNIGHT,
                fen: None,
                moves: &[("b1c4", "One by three, over the pawns."), ("k12i10", "Two by two.")],
            },
            pawns("1k10/12/12/12/12/12/12/2P9/12/7P4/4P7/11K w - - 0 1"),
            long_capture("1k10/12/12/12/12/12/12/12/2p3p5/5p6/4P7/11K w - - 0 1"),
            en_passant("k11/12/12/12/12/1p10/4p7/12/12/12/3P8/11K w - - 0 1"),
            archer_castling("6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 0 1"),
            rook_castling("6k5/12/12/12/12/12/12/12/12/12/12/R5K4R w AL - 0 1"),
            double_castling("6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 0 1"),
            Lesson {
                title: "Promotion",
                text: "A pawn becomes a queen, archer, guard, rook, bishop or knight on the last rank.",
                fen: Some("12/4P7/10k1/12/12/12/12/12/12/12/12/6K5 w - - 0 1"),
                moves: &[("e11e12a", "It becomes an archer.")],
            },
        ],
        game: Lesson {
            title: "A short game",
            text: "Quintain plays against itself, Black at a low level.",
            fen: None,
            moves: &[
                ("g6", "Four squares at once."),
                ("f7", ""),
                ("gxf7", ""),
                ("Qxf7", ""),
                ("f6", ""),
                ("Qc7", ""),
                ("Na4", ""),
                ("Gb10", ""),
                ("Bg3", ""),
                ("Qd7", ""),
                ("Nc5", ""),
                ("Qd9", ""),
                ("Bb7", ""),
                ("c8", ""),
                ("Ne6", ""),
                ("Ga7+", ""),
                ("c5", ""),
                ("Qe10", ""),
                ("cxa7", "A long capture: the pawn takes the guard from c5."),
                ("Nd10", ""),
                ("Nd8", ""),
                ("Qe8", ""),
                ("Bc6", ""),
                ("Qk8", ""),
                ("i6", ""),
                ("Qk5", ""),
                ("Nj3", ""),
                ("Qi7", ""),
                ("Ga3", ""),
                ("Nj9", ""),
                ("Bf4", ""),
                ("Qi9", ""),
                ("Nxe11+", "The knight takes with check."),
                ("Kf12", ""),
                ("Ae3", ""),
                ("a8", ""),
                ("Gk3", ""),
                ("Af10", ""),
                ("Bj8", ""),
                ("Qxj8", ""),
                ("Ae9#", "Mate by the archer."),
            ],
        },
    };
}

impl Taught for Fourteen {
    const LESSONS: &'static Lessons = &Lessons {
        pieces: &[
            ('k', "k13/14/14/14/14/14/14/4K9/14/14/14/13R w - - 0 1"),
            ('o', "1k12/14/14/14/14/14/14/4O9/14/14/14/13K w - - 0 1"),
            ('q', "1k12/14/14/14/14/14/14/4Q9/14/14/14/13K w - - 0 1"),
            ('a', "1k12/14/14/14/14/14/14/4A9/14/14/14/13K w - - 0 1"),
            ('g', "1k12/14/14/14/14/14/14/4G9/14/14/14/13K w - - 0 1"),
            ('r', "1k12/14/14/14/14/14/14/4R9/14/14/14/13K w - - 0 1"),
            ('b', "1k12/14/14/14/14/14/14/4B9/14/14/14/13K w - - 0 1"),
            ('n', "1k12/14/14/14/14/14/14/4N9/14/14/14/13K w - - 0 1"),
            ('p', "1k12/14/14/14/14/14/14/14/2p11/5p8/4P9/13K w - - 0 1"),
        ],
        rules: &[
            Lesson {
                title: "The pope",
                text: "The pope moves as a queen or as the knight of this game, with its long leaps. It is the strongest piece.",
                fen: Some("1k12/14/14/14/14/14/14/4O9/14/14/14/13K w - - 0 1"),
                moves: &[("e5f8", "One by three. It attacks the king's file next.")],
            },
            Lesson {
                title: "The long-legged knight",
                text: KNIGHT,
                fen: None,
                moves: &[("b1c4", "One by three, over the pawns."), ("m12k10", "Two by two.")],
            },
            pawns("1k12/14/14/14/14/14/14/2P11/14/7P6/4P9/13K w - - 0 1"),
            long_capture("1k12/14/14/14/14/14/14/14/2p3p7/5p8/4P9/13K w - - 0 1"),
            en_passant("k13/14/14/14/14/1p12/4p9/14/14/14/3P10/13K w - - 0 1"),
            archer_castling("6k7/14/14/14/14/14/14/14/14/14/14/R2A2K3A2R w ADKN - 0 1"),
            rook_castling("6k7/14/14/14/14/14/14/14/14/14/14/R5K6R w AN - 0 1"),
            double_castling("6k7/14/14/14/14/14/14/14/14/14/14/R2A2K3A2R w ADKN - 0 1"),
            Lesson {
                title: "Promotion",
                text: "A pawn becomes a queen, pope, archer, guard, rook, bishop or knight on the last rank.",
                fen: Some("14/4P9/12k1/14/14/14/14/14/14/14/14/6K7 w - - 0 1"),
                moves: &[("e11e12o", "It becomes a pope.")],
            },
        ],
        game: Lesson {
            title: "A short game",
            text: "Quintain plays against itself, Black at a low level.",
            fen: None,
            moves: &[
                ("f6", "Four squares at once."),
                ("Nk10", ""),
                ("Bi5", ""),
                ("Ac10", ""),
                ("i4", ""),
                ("i8", ""),
                ("Af3", ""),
                ("Nc9", ""),
                ("Nd3", ""),
                ("Bi11", ""),
                ("c6", ""),
                ("f7", ""),
                ("Nk3", ""),
                ("Al10", ""),
                ("Al4", ""),
                ("Gm10", ""),
                ("Bg4", ""),
                ("j7", ""),
                ("Axl10", ""),
                ("mxl10", ""),
                ("a6", ""),
                ("i6", ""),
                ("Bf5", ""),
                ("Bi8", ""),
                ("g6", ""),
                ("Bj9", ""),
                ("Gb3", ""),
                ("g8", ""),
                ("a7", ""),
                ("Ne10", ""),
                ("gxf7", ""),
                ("Bxf5", ""),
                ("Nxf5", ""),
                ("Nxf7", ""),
                ("Ag3", ""),
                ("Gd9", ""),
                ("Nxg8", ""),
                ("Gc7", ""),
                ("Ni10#", "Mate by the knight."),
            ],
        },
    };
}
