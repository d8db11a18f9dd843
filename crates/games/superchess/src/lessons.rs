//! What newcomers are shown of Super Chess.

use quintain_core::notation::{Lesson, Lessons};

const PIECES: &[(char, &str)] = &[
    ('k', "k9/10/10/10/10/4K5/10/10/10/9R w - - 0 1"),
    ('q', "1k8/10/10/10/10/4Q5/10/10/10/9K w - - 0 1"),
    ('r', "1k8/10/10/10/10/4R5/10/10/10/9K w - - 0 1"),
    ('b', "1k8/10/10/10/10/4B5/10/10/10/9K w - - 0 1"),
    ('n', "1k8/10/10/10/10/4N5/10/10/10/9K w - - 0 1"),
    ('c', "1k8/10/10/4n5/4P5/4C5/10/10/10/9K w - - 0 1 n"),
    ('a', "1k8/4p5/10/10/10/p3A3p1/10/10/10/4n4K w - - 0 1"),
    ('p', "1k8/10/10/10/10/10/10/3p1p4/4P5/9K w - - 0 1"),
    ('s', "1k8/10/10/10/10/10/2p3p3/3pnp4/4S5/9K w - - 0 1"),
];

/// Only in the game that has it.
const SET_UP: Lesson = Lesson {
    title: "The set-up",
    text: "The second ranks are empty at first. White puts the two super pawns on any two of its squares there, and pawns fill \
           the rest. Black does the same. Then White chooses where its cyclops faces, and then Black does. Nobody is in check \
           before the game proper begins.",
    fen: None,
    moves: &[
        ("S@c2,S@h2", "White's super pawns stand on c2 and h2."),
        ("S@d9,S@e9", "Black's on d9 and e9."),
        ("d1d1ne", "White's cyclops faces northeast: north is where the opponent sits."),
        ("d10d10n", "Black's faces north, which for Black is down the board."),
        ("c2c4", "The game begins."),
    ],
};

const RUN: Lesson = Lesson {
    title: "The cyclops runs ahead",
    text: "A cyclops faces one of eight directions. It runs one to three squares ahead and takes every enemy on the way and at \
           the end. Friends on the way are spared, but it cannot stop on one. Afterwards it may face anywhere.",
    fen: Some("k9/10/10/10/3n6/3P6/3C6/10/10/9K w - - 0 1 n"),
    moves: &[("d4d7e", "It passes its own pawn, takes the knight on d6, stops on d7 and faces east.")],
};

const RETREAT: Lesson = Lesson {
    title: "The cyclops retreats",
    text: "Backward it runs blindly: it takes everybody on the way and at the end, friends too. Only its own king stops it.",
    fen: Some("k9/10/10/10/6C3/5P4/4n5/3Q6/10/9K w - - 0 1 ne"),
    moves: &[(
        "g6e4ne",
        "It takes the knight, and its own pawn as well. One step more would have cost the queen.",
    )],
};

const TURN: Lesson = Lesson {
    title: "The cyclops turns",
    text: "Turning on the spot is a move. A cyclops attacks the three squares ahead of it and the three behind it, whatever \
           stands between, so a turn may give check.",
    fen: Some("10/4k5/10/10/3C6/10/10/10/10/8K1 w - - 0 1 e"),
    moves: &[("d6d6ne", "It attacks e7, f8 and g9 now."), ("e9e8", ""), ("d6d6e", "And turns back.")],
};

const MATE: Lesson = Lesson {
    title: "A run that mates",
    text: "An example by the inventor; a white king is added. The archer leaps, and its shot threatens the king. Then the \
           cyclops runs over its own archer and turns.",
    fen: Some("1k1r6/ppp7/3p6/10/10/7B2/2AC6/10/10/8K1 w - - 0 1 nw"),
    moves: &[
        ("c4b6", "The archer gives check: b10 is four squares away."),
        ("b10a10", "The only move."),
        ("d4a7n", "Mate along the a-file."),
    ],
};

const SHOT: Lesson = Lesson {
    title: "The archer shoots",
    text: "An archer moves and takes as a knight. Or it shoots: an enemy exactly four squares away along its rank or file is \
           removed, whatever stands between, and the archer stays where it is. It gives check on these squares too.",
    fen: Some("4r4k/10/10/4p5/4A5/10/10/10/10/8K1 w - - 0 1"),
    moves: &[("e6e10", "It shoots the rook over the pawn.")],
};

const SUPER_PAWN: Lesson = Lesson {
    title: "The super pawn",
    text: "It moves as a pawn, but its double step leaps over whatever stands in between, and it takes on the first or on the \
           second square diagonally ahead, leaping too.",
    fen: Some("1k8/10/10/10/10/10/2p3p3/3pnp4/4S5/9K w - - 0 1"),
    moves: &[("e2g4", "It takes on the second square, over the pawn on f3.")],
};

const EN_PASSANT: Lesson = Lesson {
    title: "En passant",
    text: "After a double step over an empty square, an enemy pawn or super pawn that could take on that square may do so in \
           the very next move; a super pawn also from two squares away. After a leap over a piece it may not.",
    fen: Some("k9/10/10/10/10/5s4/8p1/10/7S2/1K8 w - - 0 1"),
    moves: &[
        ("h2h4", "The super pawn passes h3."),
        ("f5h3", "Black's super pawn takes there from f5, and the one on h4 is gone."),
    ],
};

const CASTLING: Lesson = Lesson {
    title: "Castling",
    text: "The king's side is the a-side, where the king stands. There the king goes from e1 to c1 and the rook to d1; on the \
           other side the king goes to h1 and the rook to g1. Neither may have moved, all squares between must be empty, and \
           the king may not be in check, nor cross or reach an attacked square.",
    fen: Some("r3k4r/10/10/10/10/10/10/10/10/R3K4R w AJaj - 0 1"),
    moves: &[("e1c1", "White castles on the king's side."), ("e10h10", "Black castles on the other side.")],
};

const PROMOTION: Lesson = Lesson {
    title: "Promotion",
    text: "A pawn or super pawn becomes a queen, rook, bishop, knight, archer or cyclops on the last rank. A new cyclops faces \
           where its owner wants.",
    fen: Some("7k2/P9/10/10/10/10/10/10/10/8K1 w - - 0 1"),
    moves: &[("a9a10cse", "It becomes a cyclops that faces southeast.")],
};

/// Super Chess with its set-up.
pub(super) const WITH_SET_UP: Lessons = Lessons {
    pieces: PIECES,
    rules: &[SET_UP, RUN, RETREAT, TURN, MATE, SHOT, SUPER_PAWN, EN_PASSANT, CASTLING, PROMOTION],
    game: Lesson {
        title: "A mate in three",
        text: "After the set-up the archer needs three moves to mate a king that stays at home, if nothing is done against it.",
        fen: None,
        moves: &[
            ("S@e2,S@f2", "White's super pawns stand before king and queen."),
            ("S@e9,S@f9", "So do Black's."),
            ("d1d1n", "White's cyclops faces north."),
            ("d10d10n", "So does Black's, down the board."),
            ("g1f3", "The archer leaps out."),
            ("b10c8", ""),
            ("f3d4", ""),
            ("i10h8", "Black has seen nothing."),
            (
                "d4e6",
                "Mate: the archer threatens to shoot the king, four squares away, and nothing can be put between.",
            ),
        ],
    },
};

/// Super Chess from the fixed position.
pub(super) const FIXED: Lessons = Lessons {
    pieces: PIECES,
    rules: &[RUN, RETREAT, TURN, MATE, SHOT, SUPER_PAWN, EN_PASSANT, CASTLING, PROMOTION],
    game: Lesson {
        title: "A mate in three",
        text: "Three moves of the cyclops mate a king that stays at home, if nothing is done against it.",
        fen: None,
        moves: &[
            ("d1d3ne", "The cyclops comes out over its own pawn and faces northeast."),
            ("b10c8", ""),
            ("d3e4n", "From here it faces the king's file."),
            ("c8b10", "Black has seen nothing."),
            ("e4e7n", "Mate: the king is attacked over its own super pawn, and nothing can be put between."),
        ],
    },
};
