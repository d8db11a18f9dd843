//! What newcomers are shown of Canyon Chess.

use quintain_core::notation::{Lesson, Lessons};

pub(super) const LESSONS: Lessons = Lessons {
    pieces: &[
        ('k', "1******k/2*2*2/8/*6*/*2K1P1*/8/2*2*2/1******1 w - - 0 1"),
        ('q', "1******k/2*2*2/8/*6*/*3Q2*/8/2*2*2/K******1 w - - 0 1"),
        ('m', "1******k/2*2*2/8/*2M3*/*6*/8/2*2*2/K******1 w - - 0 1"),
        ('a', "1******k/2*2*2/8/*6*/*3A2*/8/2*2*2/K******1 w - - 0 1"),
        ('n', "1******k/2*2*2/8/*6*/*3N2*/8/2*2*2/K******1 w - - 0 1"),
        ('p', "1******k/2*2*2/8/*1p1p2*/*2P3*/8/2*2*2/K******1 w - - 0 1"),
    ],
    rules: &[
        Lesson {
            title: "The canyons",
            text: "Twenty squares of the board are canyons. No piece can stand there. A canyon ends a line of squares, as \
                   the edge does. A knight's leap goes over it, and so do the leaps of marshal and archbishop.",
            fen: Some("1******k/2*2*2/7p/*2M3*/*6*/8/1N*2*2/K******1 w - - 0 1"),
            moves: &[
                ("b2d3", "The knight leaps over the canyon c2."),
                ("h8h7", ""),
                ("d5d7", "The marshal's line ends here: d8 is a canyon."),
            ],
        },
        Lesson {
            title: "Three steps to a queen",
            text: "A pawn goes one step ahead, also from its first square, and takes one step diagonally ahead. There is no \
                   double step and no en passant. On its sixth rank (rank 6 for White, rank 3 for Black) it becomes a \
                   queen, marshal, archbishop or knight at once.",
            fen: Some("1******k/2*2*2/2n5/*P5*/*6*/8/2*2*2/K******1 w - - 0 1"),
            moves: &[("b5c6q", "It takes the knight and becomes a queen.")],
        },
        Lesson {
            title: "The exchange",
            text: "There is no castling. A king or a queen may change places with any friend on the same rank, two files \
                   away, if the square between them is empty or a canyon. It does not matter who has moved before, and it \
                   may be done again and again.",
            fen: None,
            moves: &[
                ("e2g2", "The queen changes places with the knight, over a canyon."),
                ("d7b7", "Black's king changes places with its knight."),
                ("d2b2", "So does White's."),
            ],
        },
        Lesson {
            title: "An exchange out of check",
            text: "A king may leave check by an exchange, and the square between may be attacked. The square where it arrives \
                   may not.",
            fen: Some("1******k/2*2*2/3m4/*6*/*6*/1N1K4/2*2*2/1******1 w - - 0 1"),
            moves: &[("d3b3", "The king is out of check, and the knight stands in the marshal's line.")],
        },
        Lesson {
            title: "Ten moves to mate a bare king",
            text: "When a side has nothing left but its king, the other side must mate within ten of its own moves. The move \
                   that takes the last piece is the first of them. If the tenth is not mate, the game is drawn.",
            fen: Some("1******1/2*2*2/8/*1K2P1*/*P1pk2*/2P5/2*2*2/1******1 w - - 0 26"),
            moves: &[
                ("c3d4", "White takes the last pawn: the first of the ten moves."),
                ("e4d3", ""),
                ("b4b5", ""),
                ("d3c3", ""),
                ("b5b6q", "The third move makes a queen."),
                ("c3d3", ""),
                ("d4d5", ""),
                ("d3e4", ""),
                ("d5d6m", "The fifth makes a marshal."),
                ("e4e5", ""),
                ("b6b3", ""),
                ("e5f4", ""),
                ("b3e6", ""),
                ("f4g5", ""),
                ("d6e4", "Mate on the eighth move."),
            ],
        },
    ],
    game: Lesson {
        title: "A short game",
        text: "Quintain plays against itself, White at a low level.",
        fen: None,
        moves: &[
            ("b4", ""),
            ("g5", ""),
            ("d4", ""),
            ("b5", ""),
            ("Mb3", "The marshal comes to the b-file."),
            ("K-Nb7", "The king changes places with the knight."),
            ("g4", ""),
            ("e5", ""),
            ("e4", ""),
            ("Ne6", ""),
            ("Q-Ng2", "The queen changes places with the knight."),
            ("Mg6", ""),
            ("Nd3", ""),
            ("Ab6", ""),
            ("Ma1", ""),
            ("exd4", ""),
            ("Ag3", ""),
            ("Ne5", ""),
            ("Mb3", ""),
            ("Ac4#", "Mate by the archbishop's leap."),
        ],
    },
};
