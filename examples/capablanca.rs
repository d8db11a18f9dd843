//! Capablanca's chess on ten files: a game added from outside the crate.
//!
//! `cargo run --release --example capablanca 4` counts the paths of four moves from the start.

use quintain::board::{Color, Kind, Side, SquareSet};
use quintain::notation::{Notation, fen};
use quintain::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, Medium, ORTHOGONAL, PAWN_TAKES,
};
use quintain::rules::castling::{Castlings, Partner, Way};
use quintain::rules::movegen::{Gen, Sink, king_moves};
use quintain::rules::pawns::{self, Pawns};
use quintain::rules::perft::perft;
use quintain::rules::pieces::{PieceVisitor, threats};
use quintain::rules::{Editor, PieceDef, Position, Rights, Safety, Set, Variant, setup};
use quintain::{board, built_once, piece_moves};

board! {
    /// Ten files and eight ranks.
    pub Board10x8: 10 x 8 in 2 words, file step 1, rank step 10
}

#[derive(Clone, Copy, Default, Debug)]
struct Capablanca;

const PAWN: Kind = Kind::new(0);
const KNIGHT: Kind = Kind::new(1);
const BISHOP: Kind = Kind::new(2);
const ROOK: Kind = Kind::new(3);
const ARCHBISHOP: Kind = Kind::new(4);
const CHANCELLOR: Kind = Kind::new(5);
const QUEEN: Kind = Kind::new(6);
const KING: Kind = Kind::new(7);

const CHOICES: [Kind; 6] = [QUEEN, CHANCELLOR, ARCHBISHOP, ROOK, BISHOP, KNIGHT];

struct Tables {
    king: Leaps<Set<Capablanca>>,
    knight: Leaps<Set<Capablanca>>,
    pawn: [Leaps<Set<Capablanca>>; 2],
    rook: Medium<Set<Capablanca>>,
    bishop: Medium<Set<Capablanca>>,
    castlings: Castlings<Set<Capablanca>>,
}

impl Variant for Capablanca {
    const NAME: &'static str = "capablanca";
    const TITLE: &'static str = "Capablanca Chess";
    const SUMMARY: &'static str = "chess with archbishop and chancellor on ten files";
    const START: &'static str = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(b'p', "pawn", "as in chess"),
        PieceDef::new(b'n', "knight", "leaps one by two"),
        PieceDef::new(b'b', "bishop", "slides diagonally"),
        PieceDef::new(b'r', "rook", "slides along ranks and files"),
        PieceDef::new(b'a', "archbishop", "bishop and knight"),
        PieceDef::new(b'c', "chancellor", "rook and knight"),
        PieceDef::new(b'q', "queen", "rook and bishop"),
        PieceDef::new(b'k', "king", "one step in any direction"),
    ];
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = 20;
    const RULES: &'static str = "Chess on ten files; the king castles three squares to either side.\n";
    type Board = Board10x8;
    type Extra = Rights;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = <Board10x8 as quintain::board::Board>::geometry();
            let rook = |letter, file| Partner { letter, kind: ROOK, file };
            let ways = [Way::new(0, (5, 8), &[(9, 7)]), Way::new(0, (5, 2), &[(0, 3)])];
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Medium::rider(geometry, &ORTHOGONAL),
                bishop: Medium::rider(geometry, &DIAGONAL),
                castlings: Castlings::new::<Board10x8>(5, &[rook('K', 9), rook('Q', 0)], &ways),
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
            .leaps(&t.knight, [KNIGHT, ARCHBISHOP, CHANCELLOR])
            .forward(&t.pawn, [PAWN])
            .rides(&t.rook, [ROOK, CHANCELLOR, QUEEN])
            .rides(&t.bishop, [BISHOP, ARCHBISHOP, QUEEN])
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
        if G::QUIET && safety.checkers().is_empty() && pieces.meets(pos.kind(KING)) {
            pos.tables().castlings.generate::<Self, C>(pos, sink);
        }
        piece_moves!(
            Self,
            C,
            pos,
            pieces,
            aim,
            &safety,
            sink,
            [KNIGHT, BISHOP, ROOK, ARCHBISHOP, CHANCELLOR, QUEEN]
        );
        let rank =
            |white, black| pos.geometry().rank_set(if C::COLOR == Color::White { white } else { black });
        let own = pieces & pos.kind(PAWN);
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, rank(7, 0), &CHOICES, &safety, sink);
        pawns.step(own, (0, 1));
        pawns.capture(own, (-1, 1));
        pawns.capture(own, (1, 1));
        pawns.long_step(own & rank(1, 6) & pos.shift(pos.vacant(), 0, -C::FORWARD), 2);
        pawns::en_passant::<Self, C, G>(pos, own, sink);
    }
}

impl Notation for Capablanca {
    fn read_en_passant(pos: &mut Editor<Self>, square: quintain::board::Square) -> Result<(), String> {
        pawns::read_en_passant(pos, square, 1, 2)
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| setup::rank_for::<Self>(color, square) == 7)
    }
}

fn main() -> Result<(), &'static str> {
    let depth = std::env::args().nth(1).map_or(Ok(4), |depth| depth.parse());
    let depth = depth.map_err(|_| "usage: capablanca [DEPTH]")?;
    let mut start: Position<Capablanca> = fen::start();
    for depth in 1..=depth {
        println!("{depth} {}", perft(&mut start, depth));
    }
    Ok(())
}

#[test]
fn counts_are_those_of_other_programs() {
    let mut start: Position<Capablanca> = fen::start();
    assert_eq!([1, 2, 3, 4].map(|depth| perft(&mut start, depth)), [28, 784, 25_228, 805_128]);
}
