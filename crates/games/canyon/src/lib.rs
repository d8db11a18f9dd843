//! Canyon Chess, by Andrew Blechinger and Jarry Vega: 8x8 less twenty squares.
//!
//! ```text
//! 8  . # # # # # # .
//! 7  a n # k q # n a
//! 6  m p p p p p p m
//! 5  # . . . . . . #
//! 4  # . . . . . . #
//! 3  M P P P P P P M
//! 2  A N # K Q # N A
//! 1  . # # # # # # .
//!    a b c d e f g h
//! ```
//! Decisions on what the inventors leave open:
//!
//! - The exchange of king or queen with a piece of its side two files away does not jump: the square between must be
//!   a hole or empty. The text says that a square, or a gap the size of one, separates them, and does not mention
//!   jumping.
//! - The other piece may be of any kind, also a pawn ("any other friendly piece").
//! - The king may exchange out of check and across an attacked square, never into check: only "across and out
//!   of" are said to be legal.
//! - King with queen is one move, written from the king; queen with queen would change nothing and is not a move.
//! - An exchange does not reset the fifty-move count, also with a pawn.
//! - A king is bare when it is its side's last piece. The move that takes the last other piece is the first of the
//!   ten, as the inventors number them in their sample game; if the tenth does not mate, the game is drawn at once.
//! - In the sample game 2.b4 must be 2.e4, since 3...dxe needs it; 17...Md5 18.QxM+ is not possible, and 19...Me4
//!   must be Mg4. With these corrections, moves 1 to 17 and the ten-move ending are tests here.

mod eval;
mod lessons;
mod notation;

use quintain_core::board;
use quintain_core::board::{Board, Color, Kind, Move, Side, Square, SquareSet, Tag, zobrist};
use quintain_core::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, ORTHOGONAL, PAWN_TAKES, Short,
};
use quintain_core::rules::movegen::{Gen, Sink, king_moves};
use quintain_core::rules::pawns::{self, Pawns};
use quintain_core::rules::pieces::{PieceVisitor, threats};
use quintain_core::rules::{Editor, Extra, Outcome, PieceDef, Position, Reason, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(Canyon);
quintain_tables::with_tables!(Canyon);

board! {
    /// 8x8 with holes behind both sides and at the edges: 44 squares, one word.
    pub CanyonBoard: 8 x 8 in 1 words, file step 1, rank step 8, hole |file, rank| {
        let edge = rank.min(7 - rank);
        match edge {
            0 => file % 7 != 0,
            1 => file == 2 || file == 5,
            3 => file % 7 == 0,
            _ => false,
        }
    }
}

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Canyon;

/// The pawn.
pub const PAWN: Kind = Kind::new(0);
/// The knight.
pub const KNIGHT: Kind = Kind::new(1);
/// The archbishop.
pub const ARCHBISHOP: Kind = Kind::new(2);
/// The marshal.
pub const MARSHAL: Kind = Kind::new(3);
/// The queen.
pub const QUEEN: Kind = Kind::new(4);
/// The king.
pub const KING: Kind = Kind::new(5);

const CHOICES: [Kind; 4] = [QUEEN, MARSHAL, ARCHBISHOP, KNIGHT];

/// The moves that the stronger side has to mate a bare king.
pub const MOVES_TO_MATE: u8 = 10;

/// How many of the ten moves against a bare king have been made.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CanyonExtra {
    /// 0 to [`MOVES_TO_MATE`].
    pub bare_king_moves: u8,
}

impl Extra for CanyonExtra {
    #[inline]
    fn bare_king_moves(&self) -> u8 {
        self.bare_king_moves
    }
    #[inline]
    fn key(&self) -> u64 {
        zobrist::extra(self.bare_king_moves as usize)
    }
}

/// Attack tables.
pub struct Tables {
    king: Leaps<Set<Canyon>>,
    knight: Leaps<Set<Canyon>>,
    pawn: [Leaps<Set<Canyon>>; 2],
    rook: Short<Set<Canyon>>,
    bishop: Short<Set<Canyon>>,
    /// The squares two files away on the same rank.
    partners: Leaps<Set<Canyon>>,
    /// By colour, the squares where pawns promote.
    promotes: [Set<Canyon>; 2],
}

impl Canyon {
    /// The pieces with which the piece on `from` can exchange squares, whether or not the king is safe then.
    fn partners(pos: &Position<Self>, own: Set<Self>, from: Square) -> Set<Self> {
        let mut partners = pos.tables().partners[from] & own;
        for to in partners.squares() {
            if pos.geometry().between(from, to).meets(pos.occupied()) {
                partners ^= Set::<Self>::single(to);
            }
        }
        partners
    }

    fn swaps<C: Side, K: Sink>(pos: &Position<Self>, pieces: Set<Self>, in_check: bool, sink: &mut K) {
        let own = pos.color(C::COLOR);
        for from in (pieces & pos.kind(KING)).squares() {
            // Both squares stay occupied, so no line changes.
            let mut safe = Self::partners(pos, own, from);
            for to in safe.squares() {
                if Self::attackers(pos, !C::COLOR, to, pos.occupied()).any() {
                    safe ^= Set::<Self>::single(to);
                }
            }
            sink.each(safe, |to| Move::new(Tag::Swap, KING, from, to, KING));
        }
        // An exchange without the king changes no line: it neither exposes the king nor ends a check.
        if !in_check {
            for from in (pieces & pos.kind(QUEEN)).squares() {
                let others = own.minus(pos.kind(QUEEN) | pos.kind(KING));
                sink.each(Self::partners(pos, others, from), |to| {
                    Move::new(Tag::Swap, QUEEN, from, to, QUEEN)
                });
            }
        }
    }

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
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, last, &CHOICES, safety, sink);
        pawns.step(pieces, (0, 1));
        pawns.capture(pieces, (-1, 1));
        pawns.capture(pieces, (1, 1));
    }
}

impl Variant for Canyon {
    const NAME: &'static str = "canyon";
    const TITLE: &'static str = "Canyon Chess";
    const SUMMARY: &'static str = "canyons take twenty squares off the board; king and queen exchange squares with own pieces; ten moves to mate a bare king";
    const START: &'static str = "1******1/an*kq*na/mppppppm/*6*/*6*/MPPPPPPM/AN*KQ*NA/1******1 w - - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(b'p', "pawn", "one step forward, takes one step diagonally forward")
            .betza("fmWfcF")
            .value(147)
            .worth([165, 217]),
        PieceDef::new(b'n', "knight", "leaps one by two").betza("N").value(338).worth([321, 388]),
        PieceDef::new(b'a', "archbishop", "bishop and knight").betza("BN").value(719).worth([680, 932]),
        PieceDef::new(b'm', "marshal", "rook and knight").betza("RN").value(703).worth([655, 998]),
        PieceDef::new(b'q', "queen", "rook and bishop; exchanges with an own piece two files away")
            .betza("QsdD")
            .value(804)
            .worth([738, 989]),
        PieceDef::new(b'k', "king", "one step; exchanges with an own piece two files away").betza("KsdD"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 14;
    const BARE_KING_MOVES: Option<u8> = Some(MOVES_TO_MATE);
    const RULES: &'static str = include_str!("rules.txt");
    type Board = CanyonBoard;
    type Extra = CanyonExtra;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = CanyonBoard::geometry();
            let ranks =
                |ranks: [u8; 3]| ranks.iter().fold(Set::<Canyon>::EMPTY, |s, &r| s | geometry.rank_set(r));
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Short::rider(geometry, &ORTHOGONAL),
                bishop: Short::rider(geometry, &DIAGONAL),
                partners: attacks::leaps(geometry, &[(-2, 0), (2, 0)]),
                promotes: [ranks([5, 6, 7]), ranks([0, 1, 2])],
            }
        })
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING])
            .leaps(&t.knight, [KNIGHT, ARCHBISHOP, MARSHAL])
            .forward(&t.pawn, [PAWN])
            .rides(&t.rook, [MARSHAL, QUEEN])
            .rides(&t.bishop, [ARCHBISHOP, QUEEN])
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let pieces = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        king_moves::<Self, C>(pos, pieces, aim, sink);
        if G::QUIET {
            Self::swaps::<C, K>(pos, pieces, safety.checkers().any(), sink);
        }
        if safety.checkers().many() {
            return;
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [KNIGHT, ARCHBISHOP, MARSHAL, QUEEN]);
        Self::pawns::<C, G, K>(pos, pieces & pos.kind(PAWN), &safety, sink);
    }

    fn apply(pos: &mut Editor<Self>, mv: Move) {
        if mv.tag() == Tag::Swap {
            let (ours, partner) = (pos.take_hashed(mv.from()), pos.take_hashed(mv.to()));
            pos.put_hashed(mv.to(), ours);
            pos.put_hashed(mv.from(), partner);
        } else {
            pawns::apply(pos, mv);
        }
        let (mover, opponent) = (pos.side(), !pos.side());
        match (pos.is_bare_king(mover), pos.is_bare_king(opponent)) {
            (false, true) => {
                let moves = pos.extra().bare_king_moves;
                pos.extra_mut().bare_king_moves = (moves + 1).min(MOVES_TO_MATE);
            }
            (true, true) => pos.extra_mut().bare_king_moves = 0,
            _ => {}
        }
    }

    fn revert(pos: &mut Editor<Self>, mv: Move) {
        if mv.tag() == Tag::Swap {
            let (ours, partner) = (pos.take_unhashed(mv.to()), pos.take_unhashed(mv.from()));
            pos.put_unhashed(mv.from(), ours);
            pos.put_unhashed(mv.to(), partner);
        } else {
            pawns::revert(pos, mv);
        }
    }

    fn adjudicate(pos: &Position<Self>) -> Option<Outcome> {
        (pos.extra().bare_king_moves >= MOVES_TO_MATE).then_some(Outcome::draw(Reason::TenMoves))
    }
}
