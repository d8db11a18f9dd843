//! Diamond Chess, by Bruce Mills: forty squares around a lake.
//!
//! ```text
//! 9  # # # # k # # # #
//! 8  # # # a n v # # #
//! 7  # # p p r p p # #
//! 6  # . . . p . . . #
//! 5  . . . . # . . . .
//! 4  # . . . P . . . #
//! 3  # # P P R P P # #
//! 2  # # # A N V # # #
//! 1  # # # # K # # # #
//!    a b c d e f g h i
//! ```
//! Decisions on what the inventor leaves open:
//!
//! - The sideways step is for a pawn whose square straight ahead is not part of the board; a piece standing ahead
//!   does not allow it. It captures nothing ("may move sideways", and pawns capture as in chess).
//! - Promotion on the four squares where the opponent's knight, rook, vizier and archbishop started is always
//!   compulsory, as in chess. (No pawn reaches the king's own square without crossing one of them.)
//! - The archbishop reaches a neighbour by its king's step and by its bishop's step: that is one move.

mod eval;
mod lessons;
mod notation;

use quintain_core::board;
use quintain_core::board::{Board, Kind, Side, Square, SquareSet};
use quintain_core::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, ORTHOGONAL, PAWN_TAKES, Short,
};
use quintain_core::rules::movegen::{Gen, Sink, king_moves};
use quintain_core::rules::pawns::Pawns;
use quintain_core::rules::pieces::{PieceVisitor, threats};
use quintain_core::rules::{PieceDef, Position, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(Diamond);
quintain_tables::with_tables!(Diamond);

board! {
    /// The diamond in one word: going right adds 4 and going up adds 5 to a square's number, which gives the 41
    /// places within four steps of the centre the numbers 0 to 40, each once. The lake is number 20.
    pub DiamondBoard: 9 x 9 in 1 words, file step 4, rank step 5, origin -16, hole |file, rank| {
        let distance = file.abs_diff(4) + rank.abs_diff(4);
        distance == 0 || distance > 4
    }
}

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Diamond;

/// The pawn.
pub const PAWN: Kind = Kind::new(0);
/// The knight.
pub const KNIGHT: Kind = Kind::new(1);
/// The archbishop.
pub const ARCHBISHOP: Kind = Kind::new(2);
/// The rook.
pub const ROOK: Kind = Kind::new(3);
/// The vizier.
pub const VIZIER: Kind = Kind::new(4);
/// The king.
pub const KING: Kind = Kind::new(5);

const CHOICES: [Kind; 4] = [VIZIER, ROOK, ARCHBISHOP, KNIGHT];

/// Attack tables.
pub struct Tables {
    king: Leaps<Set<Diamond>>,
    knight: Leaps<Set<Diamond>>,
    pawn: [Leaps<Set<Diamond>>; 2],
    rook: Short<Set<Diamond>>,
    bishop: Short<Set<Diamond>>,
    /// By colour, the squares where pawns promote.
    promotes: [Set<Diamond>; 2],
    /// The squares that have no square of the board straight ahead.
    blocked: [Set<Diamond>; 2],
}

impl Diamond {
    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pieces: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        if pieces.is_empty() {
            return;
        }
        let last = pos.tables().promotes[C::COLOR.index()];
        let aside = pieces & pos.tables().blocked[C::COLOR.index()];
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, last, &CHOICES, safety, sink);
        pawns.step(pieces, (0, 1));
        if aside.any() {
            pawns.step(aside, (-1, 0));
            pawns.step(aside, (1, 0));
        }
        pawns.capture(pieces, (-1, 1));
        pawns.capture(pieces, (1, 1));
    }
}

impl Variant for Diamond {
    const NAME: &'static str = "diamond";
    const TITLE: &'static str = "Diamond Chess";
    const SUMMARY: &'static str = "forty squares around a lake; pawns sidestep at the edge and promote where the opponent's pieces started";
    const START: &'static str =
        "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(
            b'p',
            "pawn",
            "one step forward, takes one step diagonally forward; steps sideways where the board ends ahead",
        )
        .betza("fmWfcFsmW")
        .value(132)
        .worth([140, 249]),
        PieceDef::new(b'n', "knight", "leaps one by two").betza("N").value(359).worth([494, 606]),
        PieceDef::new(b'a', "archbishop", "bishop, or one step in any direction")
            .betza("BK")
            .drawn_as("crowned-bishop")
            .value(575)
            .worth([791, 1037]),
        PieceDef::new(b'r', "rook", "slides along ranks and files").betza("R").value(392).worth([544, 694]),
        PieceDef::new(b'v', "vizier", "rook, or one step in any direction")
            .betza("RK")
            .drawn_as("crowned-rook")
            .value(593)
            .worth([797, 1101]),
        PieceDef::new(b'k', "king", "one step in any direction").betza("K"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 10;
    const RULES: &'static str = include_str!("rules.txt");
    type Board = DiamondBoard;
    type Extra = ();
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = DiamondBoard::geometry();
            let set = |names: &str| {
                names.split(' ').fold(Set::<Diamond>::EMPTY, |set, name| {
                    set | Set::<Diamond>::single(geometry.read(name).expect("a square of the board").0)
                })
            };
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Short::rider(geometry, &ORTHOGONAL),
                bishop: Short::rider(geometry, &DIAGONAL),
                promotes: [set("d8 e8 f8 e7"), set("d2 e2 f2 e3")],
                blocked: [1, -1].map(|ahead| geometry.all().minus(geometry.step_origins(0, ahead))),
            }
        })
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING, ARCHBISHOP, VIZIER])
            .leaps(&t.knight, [KNIGHT])
            .forward(&t.pawn, [PAWN])
            .rides(&t.rook, [ROOK, VIZIER])
            .rides(&t.bishop, [ARCHBISHOP])
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let pieces = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        king_moves::<Self, C>(pos, pieces, aim, sink);
        if safety.checkers().many() {
            return;
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [KNIGHT, ARCHBISHOP, ROOK, VIZIER]);
        Self::pawns::<C, G, K>(pos, pieces & pos.kind(PAWN), &safety, sink);
    }
}
