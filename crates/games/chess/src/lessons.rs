//! What newcomers are shown of chess.

use quintain_core::notation::{Lesson, Lessons};

pub(super) const LESSONS: Lessons = Lessons {
    pieces: &[
        ('k', "k7/8/8/8/4K3/8/8/7R w - - 0 1"),
        ('q', "1k6/8/8/8/4Q3/8/8/K7 w - - 0 1"),
        ('r', "1k6/8/8/8/4R3/8/8/K7 w - - 0 1"),
        ('b', "1k6/8/8/8/4B3/8/8/K7 w - - 0 1"),
        ('n', "1k6/8/8/8/4N3/8/8/K7 w - - 0 1"),
        ('p', "1k6/8/8/8/8/3p1p2/4P3/K7 w - - 0 1"),
    ],
    rules: &[
        Lesson {
            title: "Castling",
            text: "The king goes two squares toward a rook, and the rook goes to the square that the king crossed. Neither may \
                   have moved before, all squares between them must be empty, and the king may not be in check, nor cross or \
                   reach an attacked square.",
            fen: Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            moves: &[
                ("e1g1", "White castles on the king's side."),
                ("e8c8", "Black castles on the queen's side."),
            ],
        },
        Lesson {
            title: "En passant",
            text: "When a pawn has made its double step, an enemy pawn that could have taken it on the square it passed may do \
                   so in the very next move.",
            fen: Some("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"),
            moves: &[
                ("d7d5", "The double step passes d6."),
                ("e5d6", "The pawn takes there, and the one on d5 is gone."),
            ],
        },
        Lesson {
            title: "Promotion",
            text: "A pawn that reaches the last rank becomes a queen, rook, bishop or knight.",
            fen: Some("8/P6k/8/8/8/8/8/4K3 w - - 0 1"),
            moves: &[("a7a8q", "")],
        },
    ],
    game: Lesson {
        title: "Morphy against two allies, Paris 1858",
        text: "White gives up pieces to bring the others into play faster, and mates with the last two.",
        fen: None,
        moves: &[
            ("e2e4", ""),
            ("e7e5", ""),
            ("g1f3", ""),
            ("d7d6", ""),
            ("d2d4", ""),
            ("c8g4", ""),
            ("d4e5", ""),
            ("g4f3", ""),
            ("d1f3", ""),
            ("d6e5", ""),
            ("f1c4", "White attacks f7."),
            ("g8f6", ""),
            ("f3b3", "Now f7 and b7 are attacked at once."),
            ("d8e7", ""),
            ("b1c3", ""),
            ("c7c6", ""),
            ("c1g5", ""),
            ("b7b5", ""),
            ("c3b5", "White gives a knight for two pawns and open lines."),
            ("c6b5", ""),
            ("c4b5", ""),
            ("b8d7", ""),
            ("e1c1", "Castling brings the rook to the open file at once."),
            ("a8d8", ""),
            ("d1d7", ""),
            ("d8d7", ""),
            ("h1d1", ""),
            ("e7e6", ""),
            ("b5d7", ""),
            ("f6d7", ""),
            ("b3b8", "The queen is given up."),
            ("d7b8", ""),
            ("d1d8", "Mate by rook and bishop."),
        ],
    },
};
