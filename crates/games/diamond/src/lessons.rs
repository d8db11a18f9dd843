//! What newcomers are shown of Diamond Chess.

use quintain_core::notation::{Lesson, Lessons};

pub(super) const LESSONS: Lessons = Lessons {
    pieces: &[
        ('k', "****k****/***3***/**5**/*7*/4*4/*2K4*/**4P**/***3***/****1**** w - - 0 1"),
        ('v', "****k****/***3***/**5**/*7*/4*4/*4V2*/**5**/***3***/****K**** w - - 0 1"),
        ('a', "****k****/***3***/**5**/*1A5*/4*4/*7*/**5**/***3***/****K**** w - - 0 1"),
        ('r', "****k****/***3***/**5**/*7*/2R1*4/*7*/**5**/***3***/****K**** w - - 0 1"),
        ('n', "****k****/***3***/**5**/*7*/4*4/*2N4*/**5**/***3***/****K**** w - - 0 1"),
        ('p', "****k****/***3***/**5**/*7*/1p1p*4/*1P5*/**5**/***3***/****K**** w - - 0 1"),
    ],
    rules: &[
        Lesson {
            title: "The Lake",
            text: "The square in the middle, e5, is not part of the board. It ends a line of squares, as the edge does. A \
                   knight's leap goes over it.",
            fen: Some("****k****/***3***/**1n3**/*7*/4*4/*3N3*/**2R2**/***3***/****K**** w - - 0 1"),
            moves: &[
                ("e4d6", "The knight leaps past the Lake."),
                ("d7b6", ""),
                ("e3e4", "The rook's line ends here: e5 is the Lake."),
            ],
        },
        Lesson {
            title: "The step sideways",
            text: "A pawn goes one step ahead and takes one step diagonally ahead. There is no double step and no en passant. \
                   Where the board ends ahead of it, at the edge or at the Lake, it may step sideways to an empty square \
                   instead. A piece in its way does not give it that right.",
            fen: Some("****k****/***3***/**5**/*P6*/4*4/*3P3*/**5**/***3***/****K**** w - - 0 1"),
            moves: &[
                ("e4d4", "The pawn has the Lake ahead and steps aside."),
                ("e9e8", ""),
                ("b6c6", "This one has the edge ahead."),
            ],
        },
        Lesson {
            title: "Promotion",
            text: "A pawn becomes a rook, knight, vizier or archbishop at once where a piece of the opponent began: White's \
                   pawns on d8, e8, f8 and e7, Black's on d2, e2, f2 and e3. It cannot stay a pawn there.",
            fen: Some("****1****/***1n1***/**1P3**/*7*/4*2k1/*7*/**5**/***3***/****K**** w - - 0 1"),
            moves: &[("d7e8v", "The pawn takes the knight and becomes a vizier.")],
        },
        Lesson {
            title: "Pieces with a king's step",
            text: "The vizier is a rook that may also step diagonally, the archbishop a bishop that may also step straight. \
                   They are not kings: they may stand where they are attacked, and they may be taken. Vizier and king mate \
                   a bare king.",
            fen: Some("****k****/***3***/**1VK2**/*7*/4*4/*7*/**5**/***3***/****1**** w - - 0 1"),
            moves: &[("d7e8", "The step is mate: the king protects the vizier.")],
        },
    ],
    game: Lesson {
        title: "A short game",
        text: "Quintain plays against itself, Black at a low level.",
        fen: None,
        moves: &[
            (
                "ff4",
                "The pawn of the f-file goes ahead; the one before the Lake could have stepped there too.",
            ),
            ("ed6", ""),
            ("c4", ""),
            ("c6", ""),
            ("f5", ""),
            ("g6", ""),
            ("Rf3", ""),
            ("Nf6", ""),
            ("fxg6", ""),
            ("Re6", ""),
            ("Nf4", ""),
            ("Ke8", ""),
            ("Ab4", ""),
            ("Ve7", ""),
            ("gxf7+", ""),
            ("Ke9", ""),
            ("f8=A+", "The pawn becomes an archbishop and gives check."),
            ("Vxf8", ""),
            ("Nxe6", ""),
            ("dxe6", ""),
            ("Axd6", ""),
            ("Vg7", ""),
            ("Axe6", ""),
            ("Aa5+", ""),
            ("Ke2", ""),
            ("Nd7", ""),
            ("Rf7", ""),
            ("Nf8", ""),
            ("Ad6", ""),
            ("Vxf7", ""),
            ("Vxf7", ""),
            ("Kd8", ""),
            ("Vxf8#", "Mate by the vizier."),
        ],
    },
};
