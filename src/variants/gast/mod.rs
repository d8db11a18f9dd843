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
//! The rules are the same on both boards; a [`Hall`] is what differs. What the notes leave open is settled so:
//!
//! - The pawn takes two squares diagonally only over an empty first square, since no leap is spoken of. It may do so
//!   from its first move on.
//! - A pawn on its third rank has made exactly one move of one square, so the right to three squares is its rank's,
//!   also when it came there by a capture.
//! - Castling with rook and archer at once on the d-side: "two squares toward the centerline" does not fit there;
//!   "as if the king had castled with it" decides where the archer goes.
//! - A man on the archer's square that is not the unmoved archer bars castling with the rook from the king's first
//!   square, for then something stands between.
//! - The pope's knight is this game's own knight with the long leaps, as the guard's and archer's are.
//! - A guard that reaches a square by leap and by bishop's move makes one move.

mod eval;
mod weights;
mod weights14;

use crate::board::geometry::{Board12x12, Board14x12};
use crate::board::{Board, BySquare, Color, Kind, Move, Piece, Side, Square, SquareSet, Tag, zobrist};
use crate::eval::{Scores, Weights};
use crate::rules::attacks::{self, DIAGONAL, KING, Leaps, Long, Lookup, ORTHOGONAL, Rider};
use crate::rules::movegen::{Gen, Sink, landings, roam, royal, royal_safe, unattacked};
use crate::rules::{Extra, PieceDef, Position, Safety, Set, Variant, XBoardDef, setup};
use once_cell::sync::Lazy;
use std::fmt::Debug;
use std::marker::PhantomData;

/// What differs between the two games.
pub trait Hall: Copy + Default + Debug + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What is special about it.
    const SUMMARY: &'static str;
    /// Its start position.
    const START: &'static str;
    /// Men of a side.
    const MEN: u32;
    /// Its rules for people.
    const RULES: &'static str;
    /// Its kinds of men: [`PIECES`], all or all but the last.
    const PIECES: &'static [PieceDef];
    /// What pawns become, strongest first.
    const CHOICES: &'static [Kind];
    /// Files of rook and archer on the d-side, and of archer and rook on the other, in ascending order.
    const CASTLERS: [u8; 4];
    /// What XBoard must be told.
    const XBOARD: &'static XBoardDef;
    /// The board.
    type Board: Board;
    /// The tables.
    fn tables() -> &'static Tables<<Self::Board as Board>::Set>;
    /// The weights of the evaluation.
    const WEIGHTS: &'static Weights;
    /// The network that corrects it ([`crate::eval::Evaluate::NET`]).
    const NET: &'static [u8];
    /// The tables made of the weights.
    fn scores() -> &'static Scores<<Self::Board as Board>::Set>;
}

/// Twelve files.
#[derive(Clone, Copy, Default, Debug)]
pub struct Twelve;
/// Fourteen files and a pope.
#[derive(Clone, Copy, Default, Debug)]
pub struct Fourteen;

/// Gast's Chess in a hall.
#[derive(Clone, Copy, Default, Debug)]
pub struct Gast<H>(PhantomData<H>);

/// Gast's Chess, 12x12.
pub type Gast12 = Gast<Twelve>;
/// Gast's second game, 14x12.
pub type Gast14 = Gast<Fourteen>;

pub(super) const PAWN: Kind = Kind::new(0);
pub(super) const KNIGHT_: Kind = Kind::new(1);
pub(super) const BISHOP: Kind = Kind::new(2);
pub(super) const ROOK: Kind = Kind::new(3);
pub(super) const QUEEN: Kind = Kind::new(4);
pub(super) const KING_: Kind = Kind::new(5);
pub(super) const GUARD: Kind = Kind::new(6);
pub(super) const ARCHER: Kind = Kind::new(7);
pub(super) const POPE: Kind = Kind::new(8);

/// The kinds of men of both games; the pope is the last.
pub const PIECES: [PieceDef; 9] = [
    PieceDef {
        letter: b'p',
        name: "pawn",
        moves: "one or two steps forward (up to four from its second rank, three from its third), takes one or two diagonally",
    },
    PieceDef { letter: b'n', name: "knight", moves: "leaps one by two, one by three or two by two" },
    PieceDef { letter: b'b', name: "bishop", moves: "slides diagonally" },
    PieceDef { letter: b'r', name: "rook", moves: "slides along ranks and files" },
    PieceDef { letter: b'q', name: "queen", moves: "rook and bishop" },
    PieceDef { letter: b'k', name: "king", moves: "one step in any direction" },
    PieceDef { letter: b'g', name: "guard", moves: "bishop and knight" },
    PieceDef { letter: b'a', name: "archer", moves: "rook and knight" },
    PieceDef { letter: b'o', name: "pope", moves: "rook, bishop and knight" },
];

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

/// The ways to castle, kept as the move's argument. Numbers 1 to 4 are those of the rules text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Castling {
    /// With the archer, two squares.
    Archer = 1,
    /// With the rook of the same side, two squares further.
    SecondRook = 2,
    /// With the rook at once, four squares.
    Rook = 3,
    /// With both, four squares.
    Both = 4,
}

/// Castling rights and en-passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GastExtra {
    /// One bit for each letter of the castling field, White's four files from the lowest, then Black's.
    castling: u8,
    en_passant: Square,
}

impl Default for GastExtra {
    fn default() -> Self {
        GastExtra { castling: 0, en_passant: Square::NONE }
    }
}

impl Extra for GastExtra {
    #[inline]
    fn en_passant(&self) -> Square {
        self.en_passant
    }
    #[inline]
    fn lapsed(self) -> Self {
        GastExtra { en_passant: Square::NONE, ..self }
    }
    #[inline]
    fn key(&self) -> u64 {
        zobrist::extra(self.castling as usize)
    }
}

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
    /// The rights that survive a move from or to a square, the king's own moves aside.
    keeps: BySquare<u8>,
}

impl<S: SquareSet> Tables<S> {
    fn new<H: Hall>() -> Self
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
        let mut keeps = BySquare::filled(255);
        for (color, rank) in [(0, 0), (1, H::Board::RANKS - 1)] {
            for (i, file) in H::CASTLERS.into_iter().enumerate() {
                keeps[at::<H>(file, rank)] = !(1 << (4 * color + i));
            }
        }
        let ranks = |a: u8| [a, H::Board::RANKS - 1 - a].map(|rank| geometry.rank_set(rank));
        Tables {
            king: attacks::leaps(geometry, &KING),
            knight: attacks::leaps(geometry, &LEAPS),
            pawn: [1, -1].map(pawn),
            rook: Long::rider(geometry, &ORTHOGONAL),
            bishop: Long::rider(geometry, &DIAGONAL),
            second: ranks(1),
            third: ranks(2),
            last: ranks(H::Board::RANKS - 1),
            keeps,
        }
    }
}

fn at<H: Hall>(file: u8, rank: u8) -> Square {
    H::Board::geometry().square(file.into(), rank.into()).expect("a square of the board")
}

impl Hall for Twelve {
    const NAME: &'static str = "gast";
    const TITLE: &'static str = "Gast's Chess";
    const SUMMARY: &'static str =
        "guards, archers and long-legged knights; pawns take up to four steps; castling in two stages";
    const START: &'static str =
        "rngabqkbagnr/pppppppppppp/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/RNGABQKBAGNR w ADILadil - 0 1";
    const MEN: u32 = 24;
    const RULES: &'static str = include_str!("rules.txt");
    const PIECES: &'static [PieceDef] = PIECES.split_at(8).0;
    const CHOICES: &'static [Kind] = &[QUEEN, ARCHER, GUARD, ROOK, BISHOP, KNIGHT_];
    const CASTLERS: [u8; 4] = [0, 3, 8, 11];
    const XBOARD: &'static XBoardDef = &XBoardDef {
        parent: "courier",
        holdings: 0,
        pictures: "PNBRQ..GAK",
        moves: &[("P&", "fmW2fceF2ifmW4"), ("N&", "NCA"), ("G&", "BNCA"), ("A&", "RNCA"), ("K&", "KisD")],
        facings: None,
        drawings: &[('G', "archbishop"), ('A', "marshal")],
    };
    type Board = Board12x12;
    fn tables() -> &'static Tables<<Board12x12 as Board>::Set> {
        static TABLES: Lazy<Tables<<Board12x12 as Board>::Set>> = Lazy::new(Tables::new::<Twelve>);
        &TABLES
    }
    const WEIGHTS: &'static Weights = &eval::WEIGHTS12;
    const NET: &'static [u8] = include_bytes!("net.bin");
    fn scores() -> &'static Scores<<Board12x12 as Board>::Set> {
        static SCORES: Lazy<Scores<<Board12x12 as Board>::Set>> = Lazy::new(Scores::new::<Gast<Twelve>>);
        &SCORES
    }
}

impl Hall for Fourteen {
    const NAME: &'static str = "gast14";
    const TITLE: &'static str = "Gast's second game";
    const SUMMARY: &'static str = "Gast's Chess on a wider board: two queens and a pope a side";
    const START: &'static str = "rngabqkoqbagnr/pppppppppppppp/14/14/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNGABQKOQBAGNR w ADKNadkn - 0 1";
    const MEN: u32 = 28;
    const RULES: &'static str = include_str!("rules14.txt");
    const PIECES: &'static [PieceDef] = &PIECES;
    const CHOICES: &'static [Kind] = &[QUEEN, POPE, ARCHER, GUARD, ROOK, BISHOP, KNIGHT_];
    const CASTLERS: [u8; 4] = [0, 3, 10, 13];
    const XBOARD: &'static XBoardDef = &XBoardDef {
        parent: "courier",
        holdings: 0,
        pictures: "PNBRQ..GA......OK",
        moves: &[
            ("P&", "fmW2fceF2ifmW4"),
            ("N&", "NCA"),
            ("G&", "BNCA"),
            ("A&", "RNCA"),
            ("O&", "QNCA"),
            ("K&", "KisD"),
        ],
        facings: None,
        drawings: &[('G', "archbishop"), ('A', "marshal"), ('O', "pope")],
    };
    type Board = Board14x12;
    fn tables() -> &'static Tables<<Board14x12 as Board>::Set> {
        static TABLES: Lazy<Tables<<Board14x12 as Board>::Set>> = Lazy::new(Tables::new::<Fourteen>);
        &TABLES
    }
    const WEIGHTS: &'static Weights = &eval::WEIGHTS14;
    const NET: &'static [u8] = include_bytes!("net14.bin");
    fn scores() -> &'static Scores<<Board14x12 as Board>::Set> {
        static SCORES: Lazy<Scores<<Board14x12 as Board>::Set>> = Lazy::new(Scores::new::<Gast<Fourteen>>);
        &SCORES
    }
}

/// What a castling move does on its rank: the files of rook and archer before and after, where they take part.
struct Rehousing {
    rook: Option<(u8, u8)>,
    archer: Option<(u8, u8)>,
}

impl<H: Hall> Gast<H> {
    /// Fills in what threatens the king of `C`.
    fn threats<C: Side>(pos: &Position<Self>, safety: &mut Safety<Set<Self>>) {
        let (t, king) = (pos.tables(), pos.king(C::COLOR));
        let (own, enemies, occupied) = (pos.color(C::COLOR), pos.color(!C::COLOR), pos.occupied());
        let (guards, archers, popes) = (pos.kind(GUARD), pos.kind(ARCHER), pos.kind(POPE));
        safety.checks(enemies & t.knight[king] & (pos.kind(KNIGHT_) | guards | archers | popes));
        let geometry = pos.geometry();
        let all_round = pos.kind(QUEEN) | popes;
        let rooks = enemies & (pos.kind(ROOK) | archers | all_round);
        let bishops = enemies & (pos.kind(BISHOP) | guards | all_round);
        safety.riders(geometry, king, own, occupied, rooks, &t.rook);
        safety.riders(geometry, king, own, occupied, bishops, &t.bishop);
        // Seen from the king, a pawn's captures are those of a short rider.
        safety.riders(geometry, king, own, occupied, enemies & pos.kind(PAWN), &t.pawn[C::COLOR.index()]);
    }

    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pawns: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        let (t, color, ahead) = (pos.tables(), C::COLOR.index(), C::FORWARD);
        let (vacant, enemies, last) = (pos.vacant(), pos.color(!C::COLOR), t.last[C::COLOR.index()]);
        let mut go = |(files, ranks): (i16, i16), wanted: bool, tag: Tag, to: Set<Self>| {
            let delta = H::Board::delta(-files, -ranks);
            if wanted {
                sink.each(to.minus(last), |to| Move::new(tag, PAWN, to.offset(delta), to, PAWN));
            }
            if G::NOISY {
                sink.each_way(to & last, H::CHOICES.len(), |to, i| {
                    Move::new(Tag::Plain, PAWN, to.offset(delta), to, H::CHOICES[i])
                });
            }
        };
        // Pawns with one, two and three free squares ahead.
        let free1 = pawns & pos.shift(vacant, 0, -ahead);
        let free2 = free1 & pos.shift(vacant, 0, -2 * ahead);
        let free3 = free2 & pos.shift(vacant, 0, -3 * ahead);
        go((0, ahead), G::QUIET, Tag::Plain, landings(pos, pawns, (0, ahead), vacant, safety));
        go((0, 2 * ahead), G::QUIET, Tag::Plain, landings(pos, free1, (0, 2 * ahead), vacant, safety));
        if G::QUIET {
            let (second, third) = (t.second[color], t.third[color]);
            let far = free2 & (second | third);
            go((0, 3 * ahead), true, Tag::Plain, landings(pos, far, (0, 3 * ahead), vacant, safety));
            let farthest = free3 & second;
            go((0, 4 * ahead), true, Tag::LongStep, landings(pos, farthest, (0, 4 * ahead), vacant, safety));
        }
        if G::NOISY {
            let (left, right) = (pos.shift(vacant, 1, -ahead), pos.shift(vacant, -1, -ahead));
            go((-1, ahead), true, Tag::Plain, landings(pos, pawns, (-1, ahead), enemies, safety));
            go((1, ahead), true, Tag::Plain, landings(pos, pawns, (1, ahead), enemies, safety));
            let to = landings(pos, pawns & left, (-2, 2 * ahead), enemies, safety);
            go((-2, 2 * ahead), true, Tag::Plain, to);
            let to = landings(pos, pawns & right, (2, 2 * ahead), enemies, safety);
            go((2, 2 * ahead), true, Tag::Plain, to);
        }
        let target = pos.extra().en_passant;
        if G::NOISY && target.is_some() {
            let victim = Set::<Self>::single(target.offset(H::Board::delta(0, -ahead)));
            for from in (pawns & Self::en_passant_takers(pos)).squares() {
                let occupied =
                    (pos.occupied() ^ Set::<Self>::single(from) ^ victim) | Set::<Self>::single(target);
                if royal_safe::<Self, C>(pos, occupied, victim) {
                    sink.one(Move::new(Tag::EnPassant, PAWN, from, target, PAWN));
                }
            }
        }
    }

    /// Where the king ends, by side (0 the d-side) and by the number of squares that it goes (two or four).
    fn king_file(right: bool, squares: u8) -> u8 {
        if right { KING_FILE + squares } else { KING_FILE - squares }
    }

    /// Which men a castling move moves beside the king.
    fn rehousing(right: bool, castling: Castling) -> Rehousing {
        let [left_rook, left_archer, right_archer, right_rook] = H::CASTLERS;
        let (rook, archer) = if right { (right_rook, right_archer) } else { (left_rook, left_archer) };
        // The squares that the king crosses first and third.
        let (first, third) =
            if right { (KING_FILE + 1, KING_FILE + 3) } else { (KING_FILE - 1, KING_FILE - 3) };
        Rehousing {
            rook: (castling != Castling::Archer).then_some((rook, third)),
            archer: matches!(castling, Castling::Archer | Castling::Both).then_some((archer, first)),
        }
    }

    fn castlings<C: Side, K: Sink>(pos: &Position<Self>, sink: &mut K) {
        let rights = pos.extra().castling >> (4 * C::COLOR.index()) & 15;
        if rights == 0 {
            return;
        }
        let (geometry, from) = (pos.geometry(), pos.king(C::COLOR));
        let (file, rank) = (geometry.file(from), geometry.rank(from));
        for right in [false, true] {
            let [rook, archer] = if right { [8, 4] } else { [1, 2] }.map(|bit| rights & bit != 0);
            let files =
                if right { [H::CASTLERS[3], H::CASTLERS[2]] } else { [H::CASTLERS[0], H::CASTLERS[1]] };
            let [rook_at, archer_at] = files.map(|file| at::<H>(file, rank));
            if file != KING_FILE {
                // The king has castled with an archer on one side: only that side's rook is left.
                if rook
                    && file == Self::king_file(right, 2)
                    && !geometry.between(from, rook_at).meets(pos.occupied())
                {
                    Self::try_castling::<C, K>(pos, right, Castling::SecondRook, sink);
                }
                continue;
            }
            if archer && !geometry.between(from, archer_at).meets(pos.occupied()) {
                Self::try_castling::<C, K>(pos, right, Castling::Archer, sink);
            }
            let between = geometry.between(from, rook_at) & pos.occupied();
            if rook && between.is_empty() {
                Self::try_castling::<C, K>(pos, right, Castling::Rook, sink);
            } else if rook && archer && between == Set::<Self>::single(archer_at) {
                Self::try_castling::<C, K>(pos, right, Castling::Both, sink);
            }
        }
    }

    /// Gives the castling move if the king is safe all the way, and after the others have moved.
    fn try_castling<C: Side, K: Sink>(pos: &Position<Self>, right: bool, castling: Castling, sink: &mut K) {
        let (geometry, from) = (pos.geometry(), pos.king(C::COLOR));
        let rank = geometry.rank(from);
        let squares = if castling == Castling::Archer { 2 } else { 4 };
        let to = at::<H>(Self::king_file(right, squares), rank);
        let single = Set::<Self>::single;
        // Not `between`, which would be the same: the archer may stand on the king's way.
        let way = geometry.between(from, to) | single(from) | single(to);
        if !unattacked::<Self, C>(pos, way) {
            return;
        }
        let moved = Self::rehousing(right, castling);
        let mut occupied = pos.occupied() ^ single(from);
        for (before, _) in [moved.rook, moved.archer].into_iter().flatten() {
            occupied ^= single(at::<H>(before, rank));
        }
        for (_, after) in [moved.rook, moved.archer].into_iter().flatten() {
            occupied |= single(at::<H>(after, rank));
        }
        if Self::attackers(pos, !C::COLOR, to, occupied | single(to)).is_empty() {
            sink.one(Move::new(Tag::Castle, KING_, from, to, KING_).with_argument(castling as u8));
        }
    }

    /// The partners' squares before and after a castling move.
    fn partners(mv: Move) -> impl Iterator<Item = (Square, Square)> {
        let geometry = H::Board::geometry();
        let rank = geometry.rank(mv.from());
        let castling = match mv.argument() {
            1 => Castling::Archer,
            2 => Castling::SecondRook,
            3 => Castling::Rook,
            _ => Castling::Both,
        };
        let moved = Self::rehousing(geometry.file(mv.to()) > KING_FILE, castling);
        // The archer first: the rook may end where the archer stood.
        [moved.archer, moved.rook]
            .into_iter()
            .flatten()
            .map(move |(a, b)| (at::<H>(a, rank), at::<H>(b, rank)))
    }

    fn letters() -> [(char, u8); 8] {
        let letter = |i: usize| {
            let lower = (b'a' + H::CASTLERS[i & 3]) as char;
            (if i < 4 { lower.to_ascii_uppercase() } else { lower }, 1 << i)
        };
        std::array::from_fn(letter)
    }
}

impl<H: Hall> Variant for Gast<H> {
    const NAME: &'static str = H::NAME;
    const TITLE: &'static str = H::TITLE;
    const SUMMARY: &'static str = H::SUMMARY;
    const START: &'static str = H::START;
    const PIECES: &'static [PieceDef] = H::PIECES;
    const ROYAL: Kind = KING_;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MEN: u32 = H::MEN;
    const RULES: &'static str = H::RULES;
    const XBOARD: &'static XBoardDef = H::XBOARD;
    type Board = H::Board;
    type Extra = GastExtra;
    type Tables = Tables<Set<Self>>;

    fn tables() -> &'static Self::Tables {
        H::tables()
    }

    #[inline]
    fn attackers(pos: &Position<Self>, by: Color, square: Square, occupied: Set<Self>) -> Set<Self> {
        let (t, men) = (pos.tables(), pos.color(by));
        let (guards, archers, popes) = (pos.kind(GUARD), pos.kind(ARCHER), pos.kind(POPE));
        let all_round = pos.kind(QUEEN) | popes;
        men & (t.king[square] & pos.kind(KING_)
            | t.knight[square] & (pos.kind(KNIGHT_) | guards | archers | popes)
            | t.pawn[(!by).index()].hits(square, occupied, men & pos.kind(PAWN))
            | t.rook.hits(square, occupied, men & (pos.kind(ROOK) | archers | all_round))
            | t.bishop.hits(square, occupied, men & (pos.kind(BISHOP) | guards | all_round)))
    }

    #[inline(always)]
    fn attacks_from(
        pos: &Position<Self>,
        color: Color,
        from: Square,
        occupied: Set<Self>,
    ) -> impl Fn(Kind) -> Set<Self> {
        let t = pos.tables();
        let rook = attacks::once(move || t.rook.attacks(from, occupied));
        let bishop = attacks::once(move || t.bishop.attacks(from, occupied));
        #[inline(always)]
        move |kind| match kind {
            PAWN => t.pawn[color.index()].attacks(from, occupied),
            KNIGHT_ => t.knight[from],
            BISHOP => bishop(),
            ROOK => rook(),
            QUEEN => rook() | bishop(),
            GUARD => bishop() | t.knight[from],
            ARCHER => rook() | t.knight[from],
            POPE => rook() | bishop() | t.knight[from],
            _ => t.king[from],
        }
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let (t, occupied) = (pos.tables(), pos.occupied());
        let men = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        Self::threats::<C>(pos, &mut safety);
        royal::<Self, C>(pos, men, aim, sink, |s| t.king[s]);
        if safety.checkers().many() {
            return;
        }
        if G::QUIET && safety.checkers().is_empty() && men.meets(pos.kind(KING_)) {
            Self::castlings::<C, K>(pos, sink);
        }
        let rook = |s| t.rook.attacks(s, occupied);
        let bishop = |s| t.bishop.attacks(s, occupied);
        let knight = |s| t.knight[s];
        roam::<Self>(men & pos.kind(KNIGHT_), KNIGHT_, aim, &safety, sink, knight);
        roam::<Self>(men & pos.kind(BISHOP), BISHOP, aim, &safety, sink, bishop);
        roam::<Self>(men & pos.kind(ROOK), ROOK, aim, &safety, sink, rook);
        roam::<Self>(men & pos.kind(GUARD), GUARD, aim, &safety, sink, |s| bishop(s) | knight(s));
        roam::<Self>(men & pos.kind(ARCHER), ARCHER, aim, &safety, sink, |s| rook(s) | knight(s));
        roam::<Self>(men & pos.kind(QUEEN), QUEEN, aim, &safety, sink, |s| rook(s) | bishop(s));
        roam::<Self>(men & pos.kind(POPE), POPE, aim, &safety, sink, |s| rook(s) | bishop(s) | knight(s));
        Self::pawns::<C, G, K>(pos, men & pos.kind(PAWN), &safety, sink);
    }

    fn apply(pos: &mut Position<Self>, mv: Move) {
        let keeps = &pos.tables().keeps;
        let behind = H::Board::delta(0, -pos.side().forward());
        let own_rights = 15 << (4 * pos.side().index());
        let rights = pos.extra().castling;
        pos.extra_mut().castling &= keeps[mv.from()] & keeps[mv.to()];
        if mv.kind() == KING_ {
            pos.extra_mut().castling &= !own_rights;
        }
        match mv.tag() {
            Tag::LongStep => pos.extra_mut().en_passant = mv.to().offset(behind),
            Tag::EnPassant => pos.capture(mv.to().offset(behind), 1),
            Tag::Castle => {
                if mv.argument() == Castling::Archer as u8 {
                    // The rook of the same side may follow.
                    let right = pos.geometry().file(mv.to()) > KING_FILE;
                    pos.extra_mut().castling |= rights & own_rights & if right { 0x88 } else { 0x11 };
                }
                // The archer may stand where the king goes.
                let king = pos.take(mv.from());
                for (from, to) in Self::partners(mv) {
                    let partner = pos.take(from);
                    pos.put(to, partner);
                }
                return pos.put(mv.to(), king);
            }
            _ => {}
        }
        pos.apply_plain(mv);
        if mv.kind() == PAWN {
            pos.irreversible();
        }
    }

    fn revert(pos: &mut Position<Self>, mv: Move) {
        if mv.tag() == Tag::Castle {
            let king = pos.lift(mv.to());
            let moved: arrayvec::ArrayVec<_, 2> =
                Self::partners(mv).map(|(from, to)| (from, pos.lift(to))).collect();
            for (from, partner) in moved {
                pos.set_down(from, partner);
            }
            return pos.set_down(mv.from(), king);
        }
        pos.revert_plain(mv);
        if mv.tag() == Tag::EnPassant {
            pos.uncapture(mv.to().offset(H::Board::delta(0, -pos.side().forward())), 1);
        }
    }

    fn en_passant_takers(pos: &Position<Self>) -> Set<Self> {
        let target = pos.extra().en_passant;
        pos.men(pos.side(), PAWN) & pos.tables().pawn[(!pos.side()).index()].attacks(target, pos.occupied())
    }

    fn castling_field(pos: &Position<Self>) -> String {
        setup::write_letters(pos.extra().castling, &Self::letters())
    }

    fn read_castling(pos: &mut Position<Self>, field: &str) -> Result<(), String> {
        let rights = setup::read_letters(field, &Self::letters(), |bit| {
            let i = bit.trailing_zeros() as usize;
            let (color, rank) = if i < 4 { (Color::White, 0) } else { (Color::Black, H::Board::RANKS - 1) };
            let partner = at::<H>(H::CASTLERS[i & 3], rank);
            let is_rook = matches!(i & 3, 0 | 3);
            let (kind, name) = if is_rook { (ROOK, "a rook") } else { (ARCHER, "an archer") };
            let home = at::<H>(KING_FILE, rank);
            let castled = at::<H>(Self::king_file(i & 3 > 1, 2), rank);
            let king = pos.piece(home) == Piece::new(color, KING_)
                || is_rook && pos.piece(castled) == Piece::new(color, KING_);
            if !king {
                return Err(format!("the king on {}", pos.geometry().name(home)));
            }
            if pos.piece(partner) != Piece::new(color, kind) {
                return Err(format!("{name} on {}", pos.geometry().name(partner)));
            }
            Ok(())
        })?;
        pos.extra_mut().castling = rights;
        Ok(())
    }

    fn read_en_passant(pos: &mut Position<Self>, square: Square) -> Result<(), String> {
        setup::check_long_step(pos, square, pos.kind(PAWN), 1, 4)?;
        pos.extra_mut().en_passant = square;
        Ok(())
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| pos.tables().last[color.index()].has(square))
    }

    /// `Ki1/Ah1`, `Kk1/Rj1/Ah1`: where the king goes, and each partner.
    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        (mv.tag() == Tag::Castle).then(|| {
            let mut text = format!("K{}", pos.geometry().name(mv.to()));
            let mut partners: Vec<_> = Self::partners(mv).collect();
            partners.reverse();
            for (from, to) in partners {
                let letter = Self::PIECES[pos.piece(from).kind().index()].letter.to_ascii_uppercase() as char;
                text += &format!("/{letter}{}", pos.geometry().name(to));
            }
            text
        })
    }
}

#[cfg(test)]
mod tests;
