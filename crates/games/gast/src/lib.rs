//! Gast's Chess on 12x12, by John W. Gast, and its sequel on a board of fourteen files.
//!
//! ```text
//! 12  r n g a b q k b a g n r        r n g a b q k o q b a g n r
//! 11  p p p p p p p p p p p p        p p p p p p p p p p p p p p
//!        . . .                              . . .
//!  2  P P P P P P P P P P P P        P P P P P P P P P P P P P P
//!  1  R N G A B Q K B A G N R        R N G A B Q K O Q B A G N R
//!     a b c d e f g h i j k l        a b c d e f g h i j k l m n
//! ```
//! The rules are the same on both boards; a [`BoardSize`] has the differences. Decisions
//! on what the notes leave open:
//!
//! - The pawn takes two squares diagonally only over an empty first square, since the notes mention no leap. It may
//!   do so from its first move on.
//! - A pawn on its third rank has made exactly one move of one square, so the right to three squares depends on
//!   the rank alone, also after a capture.
//! - Castling with rook and archer at once on the d-side: "two squares toward the centerline" does not fit there;
//!   "as if the king had castled with it" decides where the archer goes.
//! - A piece on the archer's square that is not the unmoved archer prevents castling with the rook from the king's
//!   first square, because it stands between them.
//! - The pope's knight is this game's own knight with the long leaps, as the guard's and archer's are.
//! - A guard that reaches a square by leap and by bishop's move makes one move.

mod eval;
mod lessons;
mod notation;

use quintain_core::board::geometry::{Board12x12, Board14x12};
use quintain_core::board::{Board, Kind, Move, Side, Square, SquareSet, Tag};
use quintain_core::rules::attacks::{self, DIAGONAL, KING_STEPS, Leaps, Long, Lookup, ORTHOGONAL};
use quintain_core::rules::castling::{Castlings, Partner, Way};
use quintain_core::rules::movegen::{Gen, Sink, king_moves};
use quintain_core::rules::pawns::{self, Pawns};
use quintain_core::rules::pieces::{PieceVisitor, threats};
use quintain_core::rules::{Editor, PieceDef, Position, Rights, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};
use std::fmt::Debug;
use std::marker::PhantomData;

quintain_core::playable!(Gast12, Gast14);
quintain_tables::with_tables!(Gast12, Gast14);

/// What differs between the two games.
pub trait BoardSize: Copy + Default + Debug + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What is special about it.
    const SUMMARY: &'static str;
    /// Its start position.
    const START: &'static str;
    /// Pieces of a side.
    const MAX_PIECES: u32;
    /// Its rules for people.
    const RULES: &'static str;
    /// Its kinds of pieces.
    const PIECES: &'static [PieceDef];
    /// What pawns promote to, strongest first.
    const CHOICES: &'static [Kind];
    /// Files of rook and archer on the d-side, and of archer and rook on the other, in ascending order.
    const CASTLERS: [u8; 4];
    /// The board.
    type Board: Board;
    /// The tables.
    fn tables() -> &'static Tables<<Self::Board as Board>::Set>;
}

/// Twelve files.
#[derive(Clone, Copy, Default, Debug)]
pub struct Twelve;
/// Fourteen files and a pope.
#[derive(Clone, Copy, Default, Debug)]
pub struct Fourteen;

/// Gast's Chess on a board of one of the sizes.
#[derive(Clone, Copy, Default, Debug)]
pub struct Gast<H>(PhantomData<H>);

/// Gast's Chess, 12x12.
pub type Gast12 = Gast<Twelve>;
/// Gast's second game, 14x12.
pub type Gast14 = Gast<Fourteen>;

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
/// The guard.
pub const GUARD: Kind = Kind::new(6);
/// The archer.
pub const ARCHER: Kind = Kind::new(7);
/// The pope.
pub const POPE: Kind = Kind::new(8);

/// The kinds of pieces of both games, of which the pope is the last. Values depend on the size: 0 for twelve files, 1 for
/// fourteen.
const fn pieces(size: usize) -> [PieceDef; 9] {
    [
    PieceDef::new(b'p', "pawn", "one or two steps forward (up to four from its second rank, three from its third), takes one or two diagonally").betza("fmW2fceF2ifmW4").value([92, 75][size]).worth([[62, 87], [46, 65]][size]),
    PieceDef::new(b'n', "knight", "leaps one by two, one by three or two by two").betza("NCA").value([467, 426][size]).worth([[303, 482], [268, 393]][size]),
    PieceDef::new(b'b', "bishop", "slides diagonally").betza("B").value([245, 325][size]).worth([[202, 246], [203, 225]][size]),
    PieceDef::new(b'r', "rook", "slides along ranks and files").betza("R").value([462, 463][size]).worth([[254, 423], [229, 362]][size]),
    PieceDef::new(b'q', "queen", "rook and bishop").betza("Q").value([884, 955][size]).worth([[513, 808], [459, 730]][size]),
    PieceDef::new(b'k', "king", "one step in any direction").betza("KisD"),
    PieceDef::new(b'g', "guard", "bishop and knight").betza("BNCA").drawn_as("archbishop").value([887, 886][size]).worth([[510, 819], [442, 823]][size]),
    PieceDef::new(b'a', "archer", "rook and knight").betza("RNCA").drawn_as("marshal").value([1060, 1050][size]).worth([[621, 1123], [521, 1006]][size]),
    PieceDef::new(b'o', "pope", "rook, bishop and knight").betza("QNCA").value(1477).worth([774, 1188]),
    ]
}

/// The leaps of this game's knight.
const LEAPS: [(i16, i16); 20] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
    (1, 3),
    (3, 1),
    (3, -1),
    (1, -3),
    (-1, -3),
    (-3, -1),
    (-3, 1),
    (-1, 3),
    (2, 2),
    (2, -2),
    (-2, -2),
    (-2, 2),
];

/// The king's file on its first rank.
const KING_FILE: u8 = 6;

/// Attack tables.
pub struct Tables<S> {
    king: Leaps<S>,
    knight: Leaps<S>,
    /// One or two squares diagonally forward, the second over an empty first.
    pawn: [Lookup<S>; 2],
    rook: Long<S>,
    bishop: Long<S>,
    /// Each colour's second, third and last rank.
    second: [S; 2],
    third: [S; 2],
    last: [S; 2],
    castlings: Castlings<S>,
}

impl<S: SquareSet> Tables<S> {
    fn new<H: BoardSize>() -> Self
    where
        H::Board: Board<Set = S>,
    {
        let geometry = H::Board::geometry();
        let pawn = |ahead: i16| {
            let steps = [(-1, ahead), (1, ahead)];
            let near = attacks::leaps(geometry, &steps);
            Lookup::new(
                geometry,
                |from| near[from],
                |from, occupied| {
                    let mut reached = S::EMPTY;
                    for (files, ranks) in steps {
                        for to in geometry.ray(from, files, ranks).take(2) {
                            reached |= S::single(to);
                            if occupied.has(to) {
                                break;
                            }
                        }
                    }
                    reached
                },
            )
        };
        let ranks = |a: u8| [a, H::Board::RANKS - 1 - a].map(|rank| geometry.rank_set(rank));
        Tables {
            king: attacks::leaps(geometry, &KING_STEPS),
            knight: attacks::leaps(geometry, &LEAPS),
            pawn: [1, -1].map(pawn),
            rook: Long::rider(geometry, &ORTHOGONAL),
            bishop: Long::rider(geometry, &DIAGONAL),
            second: ranks(1),
            third: ranks(2),
            last: ranks(H::Board::RANKS - 1),
            castlings: castlings::<H>(),
        }
    }
}

/// The ways to castle; the numbers are those of the rules text.
fn castlings<H: BoardSize>() -> Castlings<<H::Board as Board>::Set> {
    let [left_rook, left_archer, right_archer, right_rook] = H::CASTLERS;
    let mut ways = Vec::new();
    for (rook, archer, toward) in [(left_rook, left_archer, -1), (right_rook, right_archer, 1)] {
        let file = |steps: i8| KING_FILE.wrapping_add_signed(toward * steps);
        let (archer, far_rook) = ((archer, file(1)), (rook, file(3)));
        // With the rook of the side where the king has castled with the archer.
        ways.push(Way::new(2, (file(2), file(4)), &[far_rook]));
        // With the archer. The rook of that side may follow.
        ways.push(Way { leaves: Some(rook), ..Way::new(1, (KING_FILE, file(2)), &[archer]) });
        // With the rook at once.
        ways.push(Way::new(3, (KING_FILE, file(4)), &[far_rook]));
        // With both.
        ways.push(Way::new(4, (KING_FILE, file(4)), &[far_rook, archer]));
    }
    let partner = |(file, kind)| Partner { letter: (b'A' + file) as char, kind, file };
    let partners = [(left_rook, ROOK), (left_archer, ARCHER), (right_archer, ARCHER), (right_rook, ROOK)];
    Castlings::new::<H::Board>(KING_FILE, &partners.map(partner), &ways)
}

impl BoardSize for Twelve {
    const NAME: &'static str = "gast";
    const TITLE: &'static str = "Gast's Chess";
    const SUMMARY: &'static str =
        "guards, archers and long-legged knights; pawns take up to four steps; castling in two stages";
    const START: &'static str =
        "rngabqkbagnr/pppppppppppp/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/RNGABQKBAGNR w ADILadil - 0 1";
    const MAX_PIECES: u32 = 24;
    const RULES: &'static str = include_str!("rules.txt");
    const PIECES: &'static [PieceDef] = const { &pieces(0) }.split_at(8).0;
    const CHOICES: &'static [Kind] = &[QUEEN, ARCHER, GUARD, ROOK, BISHOP, KNIGHT];
    const CASTLERS: [u8; 4] = [0, 3, 8, 11];
    type Board = Board12x12;
    fn tables() -> &'static Tables<<Board12x12 as Board>::Set> {
        built_once!(Tables<<Board12x12 as Board>::Set>, Tables::new::<Twelve>)
    }
}

impl BoardSize for Fourteen {
    const NAME: &'static str = "gast14";
    const TITLE: &'static str = "Gast's second game";
    const SUMMARY: &'static str = "Gast's Chess on a wider board: two queens and a pope a side";
    const START: &'static str = "rngabqkoqbagnr/pppppppppppppp/14/14/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNGABQKOQBAGNR w ADKNadkn - 0 1";
    const MAX_PIECES: u32 = 28;
    const RULES: &'static str = include_str!("rules14.txt");
    const PIECES: &'static [PieceDef] = &pieces(1);
    const CHOICES: &'static [Kind] = &[QUEEN, POPE, ARCHER, GUARD, ROOK, BISHOP, KNIGHT];
    const CASTLERS: [u8; 4] = [0, 3, 10, 13];
    type Board = Board14x12;
    fn tables() -> &'static Tables<<Board14x12 as Board>::Set> {
        built_once!(Tables<<Board14x12 as Board>::Set>, Tables::new::<Fourteen>)
    }
}

impl<H: BoardSize> Gast<H> {
    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pieces: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        if pieces.is_empty() {
            return;
        }
        let (t, color, ahead) = (pos.tables(), C::COLOR.index(), C::FORWARD);
        // The squares before and diagonally before which a square is free.
        let vacant = |files: i16, ranks: i16| pos.shift(pos.vacant(), -files, -ranks * ahead);
        let free2 = pieces & vacant(0, 1) & vacant(0, 2);
        let mut pawns = Pawns::<Self, C, G, K>::new(pos, PAWN, t.last[color], H::CHOICES, safety, sink);
        pawns.step(pieces, (0, 1));
        pawns.step(pieces & vacant(0, 1), (0, 2));
        if G::QUIET {
            pawns.step(free2 & (t.second[color] | t.third[color]), (0, 3));
            pawns.long_step(free2 & vacant(0, 3) & t.second[color], 4);
        }
        pawns.capture(pieces, (-1, 1));
        pawns.capture(pieces, (1, 1));
        if G::NOISY {
            pawns.capture(pieces & vacant(-1, 1), (-2, 2));
            pawns.capture(pieces & vacant(1, 1), (2, 2));
        }
        pawns::en_passant::<Self, C, G>(pos, pieces, sink);
    }
}

impl<H: BoardSize> Variant for Gast<H> {
    const NAME: &'static str = H::NAME;
    const TITLE: &'static str = H::TITLE;
    const SUMMARY: &'static str = H::SUMMARY;
    const START: &'static str = H::START;
    const PIECES: &'static [PieceDef] = H::PIECES;
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MAX_PIECES: u32 = H::MAX_PIECES;
    const RULES: &'static str = H::RULES;
    type Board = H::Board;
    type Extra = Rights;
    type Tables = Tables<Set<Self>>;

    fn tables() -> &'static Self::Tables {
        H::tables()
    }

    #[inline]
    fn castlings(tables: &Self::Tables) -> Option<&Castlings<Set<Self>>> {
        Some(&tables.castlings)
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Self::Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING])
            .leaps(&t.knight, [KNIGHT, GUARD, ARCHER, POPE])
            .forward_rides(&t.pawn, [PAWN])
            .rides(&t.rook, [ROOK, ARCHER, QUEEN, POPE])
            .rides(&t.bishop, [BISHOP, GUARD, QUEEN, POPE])
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
        piece_moves!(
            Self,
            C,
            pos,
            pieces,
            aim,
            &safety,
            sink,
            [KNIGHT, BISHOP, ROOK, GUARD, ARCHER, QUEEN, POPE]
        );
        Self::pawns::<C, G, K>(pos, pieces & pos.kind(PAWN), &safety, sink);
    }
}
