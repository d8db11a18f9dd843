//! Grand Cavalier Chess, by Fergus Duniho.
//!
//! ```text
//! 10  . m n p q k p n m .
//!  9  c . . . . . . . . c
//!  8  . v v v v v v v v .
//!  7  . . . . . . . . . .
//!  6  . . . . . . . . . .
//!  5  . . . . . . . . . .
//!  4  . . . . . . . . . .
//!  3  . V V V V V V V V .
//!  2  C . . . . . . . . C
//!  1  . M N P Q K P N M .
//!     a b c d e f g h i j
//! ```
//! Decisions on what the page leaves open:
//!
//! - Its diagram is lost. The array is that of an implementation that credits the inventor; it agrees with what he
//!   wrote elsewhere (cannons on the second rank, fewer cavaliers than files).
//! - Which pieces a cavalier can become is counted from the board alone: those of which fewer are there than at the
//!   start. So a position needs no record of captures.
//! - A cavalier gives check on the last rank even if it could not promote.

mod eval;
mod lessons;
mod notation;

use quintain_core::board::geometry::Board10x10;
use quintain_core::board::{Board, BySquare, Color, Kind, Move, Side, Square, SquareSet, Tag};
use quintain_core::rules::attacks::{
    self, DIAGONAL, Hopper, KING_STEPS, KNIGHT_LEAPS, Leaps, Lookup, Medium, Nightrider, ORTHOGONAL, Rider,
};
use quintain_core::rules::movegen::{Gen, Sink, king_moves, piece_moves};
use quintain_core::rules::pawns;
use quintain_core::rules::pieces::{Attack, PieceVisitor, threats};
use quintain_core::rules::{Editor, PieceDef, Position, Safety, Set, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(GrandCavalier);
quintain_tables::with_tables!(GrandCavalier);

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct GrandCavalier;

/// The cavalier.
pub const CAVALIER: Kind = Kind::new(0);
/// The cannon.
pub const CANNON: Kind = Kind::new(1);
/// The nightrider.
pub const NIGHTRIDER: Kind = Kind::new(2);
/// The paladin.
pub const PALADIN: Kind = Kind::new(3);
/// The marshall.
pub const MARSHALL: Kind = Kind::new(4);
/// The queen.
pub const QUEEN: Kind = Kind::new(5);
/// The eques rex.
pub const EQUES_REX: Kind = Kind::new(6);

/// What a cavalier can become, with the number that each side starts with.
const SUPPLY: [(Kind, u32); 5] = [(QUEEN, 1), (MARSHALL, 2), (PALADIN, 2), (NIGHTRIDER, 2), (CANNON, 2)];

type S = Set<GrandCavalier>;

/// Attack tables.
pub struct Tables {
    /// King's step or knight's leap.
    eques: Leaps<Set<GrandCavalier>>,
    knight: Leaps<Set<GrandCavalier>>,
    rook: Medium<Set<GrandCavalier>>,
    bishop: Medium<Set<GrandCavalier>>,
    hops: Hopper<Set<GrandCavalier>>,
    nightrider: Nightrider<Set<GrandCavalier>>,
    /// The squares that a cavalier attacks, and those from which one attacks.
    cavalier: [Lookup<Set<GrandCavalier>>; 2],
    /// Orthogonal and diagonal neighbours.
    beside: Leaps<Set<GrandCavalier>>,
    corner: Leaps<Set<GrandCavalier>>,
    /// The rank and file of a square, without the square itself.
    lines: BySquare<Set<GrandCavalier>>,
    /// Each colour's last rank.
    last: [Set<GrandCavalier>; 2],
}

impl GrandCavalier {
    fn cavaliers<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pieces: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        let (t, occupied) = (pos.tables(), pos.occupied());
        let last = t.last[C::COLOR.index()];
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant()).minus(last);
        piece_moves!(Self, C, pos, pieces, aim, safety, sink, [CAVALIER]);
        if !G::NOISY {
            return;
        }
        let free = last.minus(pos.color(C::COLOR));
        for from in pieces.squares() {
            let to = t.knight[from] & free;
            if to.any() {
                let to = to & t.cavalier[0].attacks(from, occupied) & safety.allowed(from);
                let choices = pawns::missing(pos, C::COLOR, &SUPPLY);
                sink.each_way(to, choices.len(), |to, i| {
                    Move::new(Tag::Plain, CAVALIER, from, to, choices[i])
                });
            }
        }
    }
}

/// How a cannon captures: beyond exactly one piece.
struct Cannon;

impl Attack<GrandCavalier> for Cannon {
    #[inline(always)]
    fn from(&self, pos: &Position<GrandCavalier>, _: Color, _: Kind, from: Square, occupied: S) -> S {
        pos.tables().hops.attacks(from, occupied)
    }

    #[inline(always)]
    fn onto(&self, pos: &Position<GrandCavalier>, _: Color, square: Square, occupied: S, cannons: S) -> S {
        pos.tables().hops.hits(square, occupied, cannons)
    }

    #[inline(always)]
    fn threaten(
        &self,
        pos: &Position<GrandCavalier>,
        color: Color,
        king: Square,
        cannons: S,
        safety: &mut Safety<S>,
    ) {
        let (own, occupied) = (pos.color(color), pos.occupied());
        for cannon in (pos.tables().lines[king] & cannons).squares() {
            safety.hopper(cannon, pos.geometry().between(king, cannon), own, occupied);
        }
    }
}

/// How a cavalier moves and captures: as a knight, if the orthogonal square on its path is free.
struct Cavalier;

impl Attack<GrandCavalier> for Cavalier {
    #[inline(always)]
    fn from(&self, pos: &Position<GrandCavalier>, _: Color, _: Kind, from: Square, occupied: S) -> S {
        pos.tables().cavalier[0].attacks(from, occupied)
    }

    #[inline(always)]
    fn onto(&self, pos: &Position<GrandCavalier>, _: Color, square: Square, occupied: S, cavaliers: S) -> S {
        pos.tables().cavalier[1].hits(square, occupied, cavaliers)
    }

    #[inline(always)]
    fn threaten(
        &self,
        pos: &Position<GrandCavalier>,
        color: Color,
        king: Square,
        cavaliers: S,
        safety: &mut Safety<S>,
    ) {
        let (t, own, occupied) = (pos.tables(), pos.color(color), pos.occupied());
        for cavalier in (t.knight[king] & cavaliers).squares() {
            let leg = t.beside[cavalier] & t.corner[king];
            if !leg.meets(occupied) {
                safety.check(cavalier, leg);
            } else if leg.meets(own) {
                safety.pin(leg.first(), S::single(cavalier));
            }
        }
    }
}

impl Variant for GrandCavalier {
    const NAME: &'static str = "grandcavalier";
    const TITLE: &'static str = "Grand Cavalier Chess";
    const SUMMARY: &'static str =
        "no pawns but cavaliers, which become captured pieces; cannons, nightriders, a king that leaps";
    const START: &'static str = "1mnpqkpnm1/c8c/1vvvvvvvv1/10/10/10/10/1VVVVVVVV1/C8C/1MNPQKPNM1 w - - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef::new(
            b'v',
            "cavalier",
            "one step along a rank or file, which must be free, then one diagonally outward",
        )
        .betza("nN")
        .value(342)
        .worth([272, 345]),
        PieceDef::new(b'c', "cannon", "moves as a rook, takes along its lines beyond exactly one piece")
            .betza("mRcpR")
            .value(336)
            .worth([384, 262]),
        PieceDef::new(b'n', "nightrider", "repeats one knight's leap as long as it lands on free squares")
            .betza("N0")
            .value(588)
            .worth([529, 525]),
        PieceDef::new(b'p', "paladin", "bishop and knight")
            .betza("BN")
            .drawn_as("archbishop")
            .value(746)
            .worth([607, 713]),
        PieceDef::new(b'm', "marshall", "rook and knight")
            .betza("RN")
            .drawn_as("marshal")
            .value(856)
            .worth([690, 840]),
        PieceDef::new(b'q', "queen", "rook and bishop").betza("Q").value(969).worth([765, 965]),
        PieceDef::new(b'k', "Eques Rex", "king and knight; royal").betza("KN").drawn_as("eques-rex"),
    ];
    const ROYAL: Kind = EQUES_REX;
    const PAWNS: &'static [Kind] = &[CAVALIER];
    const MAX_PIECES: u32 = 18;
    const RULES: &'static str = include_str!("rules.txt");
    type Board = Board10x10;
    type Extra = ();
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = Board10x10::geometry();
            let none = Set::<GrandCavalier>::EMPTY;
            let single = Set::<GrandCavalier>::single;
            let beside = attacks::leaps(geometry, &ORTHOGONAL);
            let corner = attacks::leaps(geometry, &DIAGONAL);
            // The leg of the leap from a to b is the neighbour of a in a straight line that touches b diagonally.
            let leaps = |from: Square, to: Square, occupied| !(beside[from] & corner[to]).meets(occupied);
            let knight = attacks::leaps(geometry, &KNIGHT_LEAPS);
            let going = Lookup::new(
                geometry,
                |from| beside[from],
                |from, occupied| {
                    knight[from]
                        .squares()
                        .filter(|&to| leaps(from, to, occupied))
                        .fold(none, |set, to| set | single(to))
                },
            );
            let coming = Lookup::new(
                geometry,
                |to| corner[to],
                |to, occupied| {
                    knight[to]
                        .squares()
                        .filter(|&from| leaps(from, to, occupied))
                        .fold(none, |set, from| set | single(from))
                },
            );
            let mut lines = BySquare::filled(none);
            for square in geometry.all().squares() {
                lines[square] = attacks::walk(geometry, &ORTHOGONAL, square, none);
            }
            let eques = [KING_STEPS, KNIGHT_LEAPS].concat();
            Tables {
                eques: attacks::leaps(geometry, &eques),
                rook: Medium::rider(geometry, &ORTHOGONAL),
                bishop: Medium::rider(geometry, &DIAGONAL),
                hops: Hopper::hopper(geometry, &ORTHOGONAL),
                nightrider: Nightrider::rider(geometry, &KNIGHT_LEAPS),
                cavalier: [going, coming],
                last: [9, 0].map(|rank| geometry.rank_set(rank)),
                knight,
                beside,
                corner,
                lines,
            }
        })
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.eques, [EQUES_REX])
            .leaps(&t.knight, [PALADIN, MARSHALL])
            .rides(&t.rook, [MARSHALL, QUEEN])
            .rides(&t.bishop, [PALADIN, QUEEN])
            .rides(&t.nightrider, [NIGHTRIDER])
            .attack(&Cannon, [CANNON])
            .attack(&Cavalier, [CAVALIER])
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K) {
        let (t, occupied) = (pos.tables(), pos.occupied());
        let pieces = pos.color(C::COLOR) & from;
        let (enemies, vacant) = (pos.color(!C::COLOR), pos.vacant());
        let aim = G::aim(enemies, vacant);
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        king_moves::<Self, C>(pos, pieces, aim, sink);
        let cannons = pieces & pos.kind(CANNON);
        if G::QUIET {
            piece_moves::<Self>(cannons, CANNON, vacant, &safety, sink, |s| t.rook.attacks(s, occupied));
        }
        if G::NOISY {
            piece_moves!(Self, C, pos, pieces, enemies, &safety, sink, [CANNON]);
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [NIGHTRIDER, PALADIN, MARSHALL, QUEEN]);
        Self::cavaliers::<C, G, K>(pos, pieces & pos.kind(CAVALIER), &safety, sink);
    }

    fn apply(pos: &mut Editor<Self>, mv: Move) {
        pos.apply_plain(mv);
        if mv.becomes() != mv.kind() {
            pos.irreversible();
        }
    }
}
