//! A new game on one page: Los Alamos chess, six by six squares without bishops, which a computer played in 1956.
//!
//! `cargo run --release --example losalamos` counts the sequences of moves from the start. `capablanca.rs` adds
//! castling, en passant and a larger board, and `ARCHITECTURE.md` has all steps to a game that is played well.

use quintain::board::{Board, Color, Kind, Side, SquareSet};
use quintain::notation::{Notation, fen};
use quintain::rules::attacks::{
    DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, ORTHOGONAL, PAWN_TAKES, Short, forward_leaps, leaps,
};
use quintain::rules::movegen::{Gen, Sink, king_moves};
use quintain::rules::pieces::{PieceVisitor, threats};
use quintain::rules::{PieceDef, Position, Safety, Set, Variant, pawns::Pawns, perft::perft};
use quintain::{board, built_once, piece_moves};

board! { Board6x6: 6 x 6 in 1 words, file step 1, rank step 6 }

#[derive(Clone, Copy, Default, Debug)]
struct LosAlamos;

const PAWN: Kind = Kind::new(0);
const KNIGHT: Kind = Kind::new(1);
const ROOK: Kind = Kind::new(2);
const QUEEN: Kind = Kind::new(3);
const KING: Kind = Kind::new(4);

struct Tables {
    king: Leaps<Set<LosAlamos>>,
    knight: Leaps<Set<LosAlamos>>,
    pawn: [Leaps<Set<LosAlamos>>; 2],
    rook: Short<Set<LosAlamos>>,
    bishop: Short<Set<LosAlamos>>,
}

impl Variant for LosAlamos {
    const NAME: &'static str = "losalamos";
    const TITLE: &'static str = "Los Alamos Chess";
    const SUMMARY: &'static str = "six by six squares, without bishops";
    const RULES: &'static str = "Chess without bishops, castling and long steps of pawns.\n";
    const START: &'static str = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(b'p', "pawn", "as in chess, one square at a time"),
        PieceDef::new(b'n', "knight", "leaps one by two"),
        PieceDef::new(b'r', "rook", "slides along ranks and files"),
        PieceDef::new(b'q', "queen", "slides in all directions"),
        PieceDef::new(b'k', "king", "one step in any direction"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 12;
    type Board = Board6x6;
    type Extra = ();
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || Tables {
            king: leaps(Board6x6::geometry(), &KING_STEPS),
            knight: leaps(Board6x6::geometry(), &KNIGHT_LEAPS),
            pawn: forward_leaps(Board6x6::geometry(), &PAWN_TAKES),
            rook: Short::rider(Board6x6::geometry(), &ORTHOGONAL),
            bishop: Short::rider(Board6x6::geometry(), &DIAGONAL),
        })
    }

    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        let pieces = pieces.leaps(&t.king, [KING]).leaps(&t.knight, [KNIGHT]).forward(&t.pawn, [PAWN]);
        pieces.rides(&t.rook, [ROOK, QUEEN]).rides(&t.bishop, [QUEEN])
    }

    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let pieces = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        king_moves::<Self, C>(pos, pieces, aim, sink);
        if safety.checkers().many() {
            return;
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [KNIGHT, ROOK, QUEEN]);
        let last = pos.geometry().rank_set(if C::COLOR == Color::White { 5 } else { 0 });
        let own = pieces & pos.kind(PAWN);
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, last, &[QUEEN, ROOK, KNIGHT], &safety, sink);
        pawns.step(own, (0, 1));
        pawns.capture(own, (-1, 1));
        pawns.capture(own, (1, 1));
    }
}

impl Notation for LosAlamos {}

fn main() {
    let mut start: Position<LosAlamos> = fen::start();
    for depth in 1..=6 {
        println!("{depth} {}", perft(&mut start, depth));
    }
}

#[test]
fn counts_are_those_of_other_programs() {
    let mut start: Position<LosAlamos> = fen::start();
    assert_eq!([4, 5].map(|depth| perft(&mut start, depth)), [14_332, 191_846]);
    let mut promotion: Position<LosAlamos> = fen::parse("6/2P3/6/1K1k2/6/6 w - - 0 1").expect("a position");
    assert_eq!(perft(&mut promotion, 6), 187_431);
}
