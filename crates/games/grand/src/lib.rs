//! Grand Chess, by Christian Freeling: a reference game on 10x10.
//!
//! ```text
//! 10  r . . . . . . . . r
//!  9  . n b q k c a b n .
//!  8  p p p p p p p p p p
//!  7  . . . . . . . . . .
//!  6  . . . . . . . . . .
//!  5  . . . . . . . . . .
//!  4  . . . . . . . . . .
//!  3  P P P P P P P P P P
//!  2  . N B Q K C A B N .
//!  1  R . . . . . . . . R
//!     a b c d e f g h i j
//! ```
//! A pawn may promote on its eighth and ninth rank and must on the tenth, only to a piece of which fewer are on the
//! board than at the start. If there is none, it may not move to the tenth rank, but it still attacks there.

mod eval;
mod lessons;
mod notation;

use arrayvec::ArrayVec;
use quintain_core::board::geometry::Board10x10;
use quintain_core::board::{Board, Kind, Side, Square, SquareSet};
use quintain_core::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, Medium, ORTHOGONAL, PAWN_TAKES,
};
use quintain_core::rules::movegen::{Gen, Sink, king_moves};
use quintain_core::rules::pawns::{self, Pawns};
use quintain_core::rules::pieces::{PieceVisitor, threats};
use quintain_core::rules::{Editor, PieceDef, Position, Rights, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(Grand);
quintain_tables::with_tables!(Grand);

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Grand;

/// The pawn.
pub const PAWN: Kind = Kind::new(0);
/// The knight.
pub const KNIGHT: Kind = Kind::new(1);
/// The bishop.
pub const BISHOP: Kind = Kind::new(2);
/// The rook.
pub const ROOK: Kind = Kind::new(3);
/// The cardinal.
pub const CARDINAL: Kind = Kind::new(4);
/// The marshal.
pub const MARSHAL: Kind = Kind::new(5);
/// The queen.
pub const QUEEN: Kind = Kind::new(6);
/// The king.
pub const KING: Kind = Kind::new(7);

/// What a pawn can become, with the number that each side starts with.
const SUPPLY: [(Kind, u32); 6] =
    [(QUEEN, 1), (MARSHAL, 1), (CARDINAL, 1), (ROOK, 2), (BISHOP, 2), (KNIGHT, 2)];

/// Attack tables.
pub struct Tables {
    king: Leaps<Set<Grand>>,
    knight: Leaps<Set<Grand>>,
    pawn: [Leaps<Set<Grand>>; 2],
    rook: Medium<Set<Grand>>,
    bishop: Medium<Set<Grand>>,
    /// For each colour its eighth and ninth rank, and its tenth.
    zones: [(Set<Grand>, Set<Grand>); 2],
    /// The rank where each colour's pawns start.
    homes: [Set<Grand>; 2],
}

impl Grand {
    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pieces: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        if pieces.is_empty() {
            return;
        }
        let t = pos.tables();
        let (may, must) = t.zones[C::COLOR.index()];
        let near = pieces & pos.shift(may | must, 0, -C::FORWARD);
        let choices = if near.any() { pawns::missing(pos, C::COLOR, &SUPPLY) } else { ArrayVec::new() };
        let mut pawns =
            Pawns::<Self, C, G, K>::new(pos, PAWN, may | must, &choices, safety, sink).may_stay_on(may);
        pawns.step(pieces, (0, 1));
        pawns.capture(pieces, (-1, 1));
        pawns.capture(pieces, (1, 1));
        pawns.long_step(pieces & t.homes[C::COLOR.index()] & pos.shift(pos.vacant(), 0, -C::FORWARD), 2);
        pawns::en_passant::<Self, C, G>(pos, pieces, sink);
    }
}

impl Variant for Grand {
    const NAME: &'static str = "grand";
    const TITLE: &'static str = "Grand Chess";
    const SUMMARY: &'static str =
        "marshal and cardinal, rooks that start connected; pawns become only pieces that were lost";
    const START: &'static str = "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(b'p', "pawn", "one step forward (two from its start), takes diagonally")
            .betza("fmWfceFifmnD")
            .value(79)
            .worth([74, 119]),
        PieceDef::new(b'n', "knight", "leaps one by two").betza("N").value(248).worth([232, 288]),
        PieceDef::new(b'b', "bishop", "slides diagonally").betza("B").value(309).worth([314, 376]),
        PieceDef::new(b'r', "rook", "slides along ranks and files").betza("R").value(425).worth([389, 573]),
        PieceDef::new(b'a', "cardinal", "bishop and knight")
            .betza("BN")
            .drawn_as("archbishop")
            .value(713)
            .worth([628, 939]),
        PieceDef::new(b'c', "marshal", "rook and knight").betza("RN").value(796).worth([662, 1046]),
        PieceDef::new(b'q', "queen", "rook and bishop").betza("Q").value(871).worth([754, 1137]),
        PieceDef::new(b'k', "king", "one step in any direction").betza("K"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 20;
    const RULES: &'static str = include_str!("rules.txt");
    type Board = Board10x10;
    type Extra = Rights;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = Board10x10::geometry();
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Medium::rider(geometry, &ORTHOGONAL),
                bishop: Medium::rider(geometry, &DIAGONAL),
                zones: [[7, 8, 9], [2, 1, 0]].map(|[a, b, last]| {
                    (geometry.rank_set(a) | geometry.rank_set(b), geometry.rank_set(last))
                }),
                homes: [2, 7].map(|rank| geometry.rank_set(rank)),
            }
        })
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING])
            .leaps(&t.knight, [KNIGHT, CARDINAL, MARSHAL])
            .forward(&t.pawn, [PAWN])
            .rides(&t.rook, [ROOK, MARSHAL, QUEEN])
            .rides(&t.bishop, [BISHOP, CARDINAL, QUEEN])
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
        piece_moves!(
            Self,
            C,
            pos,
            pieces,
            aim,
            &safety,
            sink,
            [KNIGHT, BISHOP, ROOK, CARDINAL, MARSHAL, QUEEN]
        );
        Self::pawns::<C, G, K>(pos, pieces & pos.kind(PAWN), &safety, sink);
    }
}
