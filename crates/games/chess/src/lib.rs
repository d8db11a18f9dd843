//! Chess by the rules of FIDE: the reference game, with known perft counts and other engines to compare with.
//!
//! ```text
//! 8  r n b q k b n r
//! 7  p p p p p p p p
//! 6  . . . . . . . .
//! 5  . . . . . . . .
//! 4  . . . . . . . .
//! 3  . . . . . . . .
//! 2  P P P P P P P P
//! 1  R N B Q K B N R
//!    a b c d e f g h
//! ```
//! Notation is that of UCI: castling is the king's move (`e1g1`), rights are `KQkq`.

mod eval;
mod lessons;
mod notation;

use quintain_core::board::geometry::Board8x8;
use quintain_core::board::{Board, Color, Kind, Move, Side, Square, SquareSet, Tag};
use quintain_core::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, ORTHOGONAL, PAWN_TAKES, Short,
};
use quintain_core::rules::castling::{Castlings, Partner, Way};
use quintain_core::rules::movegen::{Gen, Sink, king_moves};
use quintain_core::rules::pawns::{self, Pawns};
use quintain_core::rules::pieces::{PieceVisitor, threats};
use quintain_core::rules::{Editor, PieceDef, Position, Rights, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(Chess);
quintain_tables::with_tables!(Chess);

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Chess;

/// The pawn.
pub const PAWN: Kind = Kind::new(0);
/// The knight.
pub const KNIGHT: Kind = Kind::new(1);
/// The bishop.
pub const BISHOP: Kind = Kind::new(2);
/// The rook.
pub const ROOK: Kind = Kind::new(3);
/// The queen.
pub const QUEEN: Kind = Kind::new(4);
/// The king.
pub const KING: Kind = Kind::new(5);

const CHOICES: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// Attack tables.
pub struct Tables {
    king: Leaps<Set<Chess>>,
    knight: Leaps<Set<Chess>>,
    pawn: [Leaps<Set<Chess>>; 2],
    rook: Short<Set<Chess>>,
    bishop: Short<Set<Chess>>,
    castlings: Castlings<Set<Chess>>,
}

impl Chess {
    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pieces: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        if pieces.is_empty() {
            return;
        }
        let rank =
            |white, black| pos.geometry().rank_set(if C::COLOR == Color::White { white } else { black });
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, rank(7, 0), &CHOICES, safety, sink);
        pawns.step(pieces, (0, 1));
        pawns.capture(pieces, (-1, 1));
        pawns.capture(pieces, (1, 1));
        pawns.long_step(pieces & rank(1, 6) & pos.shift(pos.vacant(), 0, -C::FORWARD), 2);
        pawns::en_passant::<Self, C, G>(pos, pieces, sink);
    }
}

impl Variant for Chess {
    const NAME: &'static str = "chess";
    const TITLE: &'static str = "Chess";
    const SUMMARY: &'static str = "standard chess";
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(b'p', "pawn", "one step forward (two from its start), takes diagonally")
            .betza("fmWfceFifmnD")
            .value(75)
            .worth([92, 168]),
        PieceDef::new(b'n', "knight", "leaps one by two").betza("N").value(319).worth([304, 445]),
        PieceDef::new(b'b', "bishop", "slides diagonally").betza("B").value(307).worth([352, 468]),
        PieceDef::new(b'r', "rook", "slides along ranks and files").betza("R").value(473).worth([486, 738]),
        PieceDef::new(b'q', "queen", "rook and bishop").betza("Q").value(867).worth([974, 1368]),
        PieceDef::new(b'k', "king", "one step in any direction").betza("KisO2"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 16;
    const RULES: &'static str = include_str!("rules.txt");
    type Board = Board8x8;
    type Extra = Rights;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = Board8x8::geometry();
            let rook = |letter, file| Partner { letter, kind: ROOK, file };
            let ways = [Way::new(0, (4, 6), &[(7, 5)]), Way::new(0, (4, 2), &[(0, 3)])];
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Short::rider(geometry, &ORTHOGONAL),
                bishop: Short::rider(geometry, &DIAGONAL),
                castlings: Castlings::new::<Board8x8>(4, &[rook('K', 7), rook('Q', 0)], &ways),
            }
        })
    }

    #[inline]
    fn castlings(tables: &Tables) -> Option<&Castlings<Set<Self>>> {
        Some(&tables.castlings)
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING])
            .leaps(&t.knight, [KNIGHT])
            .forward(&t.pawn, [PAWN])
            .rides(&t.rook, [ROOK, QUEEN])
            .rides(&t.bishop, [BISHOP, QUEEN])
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let t = pos.tables();
        let pieces = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        king_moves::<Self, C>(pos, pieces, aim, sink);
        if safety.checkers().many() {
            return;
        }
        if G::QUIET && safety.checkers().is_empty() && pieces.meets(pos.kind(KING)) {
            t.castlings.generate::<Self, C>(pos, sink);
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [KNIGHT, BISHOP, ROOK, QUEEN]);
        Self::pawns::<C, G, K>(pos, pieces & pos.kind(PAWN), &safety, sink);
    }
}
