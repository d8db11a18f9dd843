//! What newcomers are shown of Grand Cavalier Chess.

use quintain_core::notation::{Lesson, Lessons};

pub(super) const LESSONS: Lessons = Lessons {
    pieces: &[
        ('k', "8k1/10/10/10/10/4K5/10/10/10/9V w - - 0 1"),
        ('q', "1k8/10/10/10/10/4Q5/10/10/10/9K w - - 0 1"),
        ('m', "1k8/10/10/10/10/4M5/10/10/10/9K w - - 0 1"),
        ('p', "1k8/10/10/10/10/4P5/10/10/10/9K w - - 0 1"),
        ('n', "1k8/10/10/4V5/10/6v3/10/2N7/10/9K w - - 0 1"),
        ('c', "k9/3m6/10/3v6/10/3C1V2n1/10/3v6/10/9K w - - 0 1"),
        ('v', "k9/10/10/10/10/3v6/2PV6/10/10/9K w - - 0 1"),
    ],
    rules: &[
        Lesson {
            title: "The Eques Rex",
            text: "The royal piece, written K, moves as a king or as a knight. It gives and fears checks like a king: two of \
                   them may not come within a step or a leap of each other. Whoever mates the other one wins.",
            fen: Some("10/10/4k5/10/10/3m6/10/4K5/10/10 w - - 0 1"),
            moves: &[("e3d5", "It leaps and takes the marshall.")],
        },
        Lesson {
            title: "The nightrider",
            text: "It repeats one knight's leap in the same direction. It must land on empty squares on the way; what stands \
                   beside them does not matter.",
            fen: Some("1k8/10/10/4V5/10/6v3/10/2N7/10/9K w - - 0 1"),
            moves: &[("c3g5", "Two leaps, over the empty e4. Beyond g5 the line was closed.")],
        },
        Lesson {
            title: "The cannon",
            text: "It moves like a rook. To take, it needs exactly one piece of either side between itself and the piece that it \
                   takes.",
            fen: Some("k9/3m6/10/3v6/10/3C1V2n1/10/3v6/10/9K w - - 0 1"),
            moves: &[(
                "d5d9",
                "It takes over the cavalier on d7. The one on d3, with nothing between, is safe.",
            )],
        },
        Lesson {
            title: "Do not step between",
            text: "A cannon that looks at your Eques Rex along an empty line gives no check, but it forbids you to put a single \
                   piece between: the cannon would take over it. Here the cavalier on d2 may not go to e4.",
            fen: Some("4k5/10/4c5/10/10/10/10/10/3V6/4K5 w - - 0 1"),
            moves: &[("d2f3", "It goes past the line instead.")],
        },
        Lesson {
            title: "The cavalier",
            text: "It goes one square straight and one diagonally outward. A piece on the straight square blocks the way, so a \
                   cavalier may attack another that cannot strike back. Here White's cavalier is blocked by its own paladin.",
            fen: Some("4k5/10/10/10/4v5/3P6/3V6/10/10/4K5 b - - 0 1"),
            moves: &[("e6d4", "Black's way, over e5, is free.")],
        },
        Lesson {
            title: "Promotion to lost pieces",
            text: "On the last rank a cavalier becomes a queen, marshall, paladin, nightrider or cannon of which its side has \
                   fewer than at the start.",
            fen: Some("6k3/10/1V8/10/10/10/10/10/3PQP4/4K5 w - - 0 1"),
            moves: &[("b8c10m", "Queen and paladins are there, so it becomes a marshall.")],
        },
        Lesson {
            title: "No promotion without losses",
            text: "As long as a side has all its pieces, its cavaliers may not enter the last rank. They attack it all the same.",
            fen: Some("10/10/1V7k/10/10/10/10/10/C8C/1MNPQKPNM1 w - - 0 1"),
            moves: &[("b8d9", "The cavalier on b8 may go here, but not to a10 or c10.")],
        },
    ],
    game: Lesson {
        title: "A short game",
        text: "Quintain plays against itself, Black at a low level.",
        fen: None,
        moves: &[
            ("Caf2", ""),
            ("Caf9", ""),
            ("Vih5", ""),
            ("Vde6", ""),
            ("Na2", ""),
            ("Qd9", ""),
            ("Vbc5", ""),
            ("Cxf3+", "The cannon takes a cavalier and gives check."),
            ("Pgxf3", ""),
            ("Vxc5", ""),
            ("Vxc5", ""),
            ("Ne9", ""),
            ("Pa8+", "The paladin leaps out with check."),
            ("Nf7", ""),
            ("Pxb10", "It takes a marshall."),
            ("Qxd1", ""),
            ("Qxd1", ""),
            ("Cg9", ""),
            ("Pd9+", ""),
            ("Ke9", ""),
            ("Pxb8", ""),
            ("Nd6", ""),
            ("Vd7+", ""),
            ("Kf7", ""),
            ("Mi7+", ""),
            ("Kh6", ""),
            ("Nj5#", "Mate by the nightrider."),
        ],
    },
};
