//! Chess, as FIDE has it: a reference game, with counts and players everywhere.
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
//! Text is that of UCI: castling is the king's move (`e1g1`), rights are `KQkq`.

mod eval;
mod weights;

use crate::board::geometry::Board8x8;
use crate::board::{Board, BySquare, Color, Kind, Move, Piece, Side, Square, SquareSet, Tag, zobrist};
use crate::rules::attacks::{self, DIAGONAL, KING, KNIGHT, Leaps, ORTHOGONAL, PAWN_TAKES, Rider, Short};
use crate::rules::movegen::{Gen, Sink, landings, roam, royal, royal_safe, unattacked};
use crate::rules::{Extra, PieceDef, Position, Safety, Set, Variant, XBoardDef, setup};
use once_cell::sync::Lazy;

/// The game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Chess;

pub(super) const PAWN: Kind = Kind::new(0);
pub(super) const KNIGHT_: Kind = Kind::new(1);
pub(super) const BISHOP: Kind = Kind::new(2);
pub(super) const ROOK: Kind = Kind::new(3);
pub(super) const QUEEN: Kind = Kind::new(4);
pub(super) const KING_: Kind = Kind::new(5);

const CHOICES: [Kind; 4] = [QUEEN, ROOK, BISHOP, KNIGHT_];
const LETTERS: [(char, u8); 4] = [('K', 1), ('Q', 2), ('k', 4), ('q', 8)];

/// Castling rights and en-passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessExtra {
    /// One bit for each letter of the castling field, `KQkq` from the lowest.
    castling: u8,
    en_passant: Square,
}

impl Default for ChessExtra {
    fn default() -> Self {
        ChessExtra { castling: 0, en_passant: Square::NONE }
    }
}

impl Extra for ChessExtra {
    #[inline]
    fn en_passant(&self) -> Square {
        self.en_passant
    }
    #[inline]
    fn lapsed(self) -> Self {
        ChessExtra { en_passant: Square::NONE, ..self }
    }
    #[inline]
    fn key(&self) -> u64 {
        zobrist::extra(self.castling as usize)
    }
}

/// Attack tables.
pub struct Tables {
    king: Leaps<Set<Chess>>,
    knight: Leaps<Set<Chess>>,
    pawn: [Leaps<Set<Chess>>; 2],
    rook: Short<Set<Chess>>,
    bishop: Short<Set<Chess>>,
    /// The rights that survive a move from or to a square.
    keeps: BySquare<u8>,
}

fn square(file: u8, rank: u8) -> Square {
    Board8x8::geometry().square(file.into(), rank.into()).expect("a square of the board")
}

/// A castling move on a given rank: bit of White's right, files of the rook before and after, of the king after.
const CASTLINGS: [(u8, u8, u8, u8); 2] = [(1, 7, 5, 6), (2, 0, 3, 2)];

impl Chess {
    /// Fills in what threatens the king of `C`.
    fn threats<C: Side>(pos: &Position<Self>, safety: &mut Safety<Set<Self>>) {
        let (t, king) = (pos.tables(), pos.king(C::COLOR));
        let (own, enemies, occupied) = (pos.color(C::COLOR), pos.color(!C::COLOR), pos.occupied());
        safety.checks(
            enemies & (t.knight[king] & pos.kind(KNIGHT_) | t.pawn[C::COLOR.index()][king] & pos.kind(PAWN)),
        );
        let queens = pos.kind(QUEEN);
        safety.riders(pos.geometry(), king, own, occupied, enemies & (pos.kind(ROOK) | queens), &t.rook);
        safety.riders(pos.geometry(), king, own, occupied, enemies & (pos.kind(BISHOP) | queens), &t.bishop);
    }

    fn pawns<C: Side, G: Gen, K: Sink>(
        pos: &Position<Self>,
        pawns: Set<Self>,
        safety: &Safety<Set<Self>>,
        sink: &mut K,
    ) {
        let (vacant, enemies) = (pos.vacant(), pos.color(!C::COLOR));
        let last = pos.geometry().rank_set(if C::COLOR == Color::White { 7 } else { 0 });
        let mut arrive = |files: i16, to: Set<Self>| {
            let delta = Board8x8::delta(-files, -C::FORWARD);
            if G::NOISY || files == 0 {
                let quiet = if files == 0 && !G::QUIET { Set::<Self>::EMPTY } else { to.minus(last) };
                sink.each(quiet, |to| Move::plain(PAWN, to.offset(delta), to));
            }
            if G::NOISY {
                sink.each_way(to & last, CHOICES.len(), |to, i| {
                    Move::new(Tag::Plain, PAWN, to.offset(delta), to, CHOICES[i])
                });
            }
        };
        arrive(0, landings(pos, pawns, (0, C::FORWARD), vacant, safety));
        if G::NOISY {
            arrive(-1, landings(pos, pawns, (-1, C::FORWARD), enemies, safety));
            arrive(1, landings(pos, pawns, (1, C::FORWARD), enemies, safety));
        }
        if G::QUIET {
            let home = pawns & pos.geometry().rank_set(if C::COLOR == Color::White { 1 } else { 6 });
            let open = home & pos.shift(vacant, 0, -C::FORWARD);
            let delta = Board8x8::delta(0, -2 * C::FORWARD);
            sink.each(landings(pos, open, (0, 2 * C::FORWARD), vacant, safety), |to| {
                Move::new(Tag::LongStep, PAWN, to.offset(delta), to, PAWN)
            });
        }
        let target = pos.extra().en_passant;
        if G::NOISY && target.is_some() {
            let victim = Set::<Self>::single(target.offset(Board8x8::delta(0, -C::FORWARD)));
            for from in (pawns & Self::en_passant_takers(pos)).squares() {
                let occupied =
                    (pos.occupied() ^ Set::<Self>::single(from) ^ victim) | Set::<Self>::single(target);
                if royal_safe::<Self, C>(pos, occupied, victim) {
                    sink.one(Move::new(Tag::EnPassant, PAWN, from, target, PAWN));
                }
            }
        }
    }

    fn castlings<C: Side, K: Sink>(pos: &Position<Self>, sink: &mut K) {
        let rights = pos.extra().castling >> (2 * C::COLOR.index());
        if rights & 3 == 0 {
            return;
        }
        let from = pos.king(C::COLOR);
        let rank = pos.geometry().rank(from);
        for (bit, rook, _, to) in CASTLINGS {
            let to = square(to, rank);
            let way = pos.geometry().between(from, to) | Set::<Self>::single(from) | Set::<Self>::single(to);
            if rights & bit != 0
                && !pos.geometry().between(from, square(rook, rank)).meets(pos.occupied())
                && unattacked::<Self, C>(pos, way)
            {
                sink.one(Move::new(Tag::Castle, KING_, from, to, KING_));
            }
        }
    }

    /// The rook's squares before and after a castling move.
    fn castling_rook(mv: Move) -> (Square, Square) {
        let geometry = Board8x8::geometry();
        let rank = geometry.rank(mv.from());
        let (_, from, to, _) = CASTLINGS[usize::from(geometry.file(mv.to()) < 4)];
        (square(from, rank), square(to, rank))
    }
}

impl Variant for Chess {
    const NAME: &'static str = "chess";
    const TITLE: &'static str = "Chess";
    const SUMMARY: &'static str = "the game that everybody knows";
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const PIECES: &'static [PieceDef] = &[
        PieceDef {
            letter: b'p',
            name: "pawn",
            moves: "one step forward (two from its start), takes diagonally",
        },
        PieceDef { letter: b'n', name: "knight", moves: "leaps one by two" },
        PieceDef { letter: b'b', name: "bishop", moves: "slides diagonally" },
        PieceDef { letter: b'r', name: "rook", moves: "slides along ranks and files" },
        PieceDef { letter: b'q', name: "queen", moves: "rook and bishop" },
        PieceDef { letter: b'k', name: "king", moves: "one step in any direction" },
    ];
    const ROYAL: Kind = KING_;
    const PAWNS: &'static [Kind] = &[PAWN];
    const MEN: u32 = 16;
    const RULES: &'static str = include_str!("rules.txt");
    const XBOARD: &'static XBoardDef = &XBoardDef {
        parent: "normal",
        holdings: 0,
        pictures: "PNBRQK",
        moves: &[],
        facings: None,
        drawings: &[],
    };
    type Board = Board8x8;
    type Extra = ChessExtra;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        static TABLES: Lazy<Tables> = Lazy::new(|| {
            let geometry = Board8x8::geometry();
            let mut keeps = BySquare::filled(15);
            for (i, rank) in [0, 7].into_iter().enumerate() {
                keeps[square(4, rank)] = 15 ^ 3 << (2 * i);
                for (bit, rook, _, _) in CASTLINGS {
                    keeps[square(rook, rank)] = 15 ^ bit << (2 * i);
                }
            }
            Tables {
                king: attacks::leaps(geometry, &KING),
                knight: attacks::leaps(geometry, &KNIGHT),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                rook: Short::rider(geometry, &ORTHOGONAL),
                bishop: Short::rider(geometry, &DIAGONAL),
                keeps,
            }
        });
        &TABLES
    }

    #[inline]
    fn attackers(pos: &Position<Self>, by: Color, square: Square, occupied: Set<Self>) -> Set<Self> {
        let (t, men) = (pos.tables(), pos.color(by));
        let queens = pos.kind(QUEEN);
        men & (t.king[square] & pos.kind(KING_)
            | t.knight[square] & pos.kind(KNIGHT_)
            | t.pawn[(!by).index()][square] & pos.kind(PAWN)
            | t.rook.hits(square, occupied, men & (pos.kind(ROOK) | queens))
            | t.bishop.hits(square, occupied, men & (pos.kind(BISHOP) | queens)))
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
            PAWN => t.pawn[color.index()][from],
            KNIGHT_ => t.knight[from],
            BISHOP => bishop(),
            ROOK => rook(),
            QUEEN => rook() | bishop(),
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
        let queens = |s| t.rook.attacks(s, occupied) | t.bishop.attacks(s, occupied);
        roam::<Self>(men & pos.kind(KNIGHT_), KNIGHT_, aim, &safety, sink, |s| t.knight[s]);
        roam::<Self>(men & pos.kind(BISHOP), BISHOP, aim, &safety, sink, |s| t.bishop.attacks(s, occupied));
        roam::<Self>(men & pos.kind(ROOK), ROOK, aim, &safety, sink, |s| t.rook.attacks(s, occupied));
        roam::<Self>(men & pos.kind(QUEEN), QUEEN, aim, &safety, sink, queens);
        Self::pawns::<C, G, K>(pos, men & pos.kind(PAWN), &safety, sink);
    }

    fn apply(pos: &mut Position<Self>, mv: Move) {
        let keeps = &pos.tables().keeps;
        let forward = pos.side().forward();
        pos.extra_mut().castling &= keeps[mv.from()] & keeps[mv.to()];
        match mv.tag() {
            Tag::LongStep => pos.extra_mut().en_passant = mv.to().offset(Board8x8::delta(0, -forward)),
            Tag::EnPassant => pos.capture(mv.to().offset(Board8x8::delta(0, -forward)), 1),
            Tag::Castle => {
                let (from, to) = Self::castling_rook(mv);
                let rook = pos.take(from);
                pos.put(to, rook);
            }
            _ => {}
        }
        pos.apply_plain(mv);
        if mv.kind() == PAWN {
            pos.irreversible();
        }
    }

    fn revert(pos: &mut Position<Self>, mv: Move) {
        pos.revert_plain(mv);
        match mv.tag() {
            Tag::EnPassant => pos.uncapture(mv.to().offset(Board8x8::delta(0, -pos.side().forward())), 1),
            Tag::Castle => {
                let (from, to) = Self::castling_rook(mv);
                let rook = pos.lift(to);
                pos.set_down(from, rook);
            }
            _ => {}
        }
    }

    fn en_passant_takers(pos: &Position<Self>) -> Set<Self> {
        let target = pos.extra().en_passant;
        pos.men(pos.side(), PAWN) & pos.tables().pawn[(!pos.side()).index()][target]
    }

    fn castling_field(pos: &Position<Self>) -> String {
        setup::write_letters(pos.extra().castling, &LETTERS)
    }

    fn read_castling(pos: &mut Position<Self>, field: &str) -> Result<(), String> {
        let rights = setup::read_letters(field, &LETTERS, |bit| {
            let color = if bit < 4 { Color::White } else { Color::Black };
            let rank = if bit < 4 { 0 } else { 7 };
            let rook = if bit & 5 != 0 { square(7, rank) } else { square(0, rank) };
            let king = square(4, rank);
            if pos.piece(king) != Piece::new(color, KING_) {
                return Err(format!("the king on {}", pos.geometry().name(king)));
            }
            if pos.piece(rook) != Piece::new(color, ROOK) {
                return Err(format!("a rook on {}", pos.geometry().name(rook)));
            }
            Ok(())
        })?;
        pos.extra_mut().castling = rights;
        Ok(())
    }

    fn read_en_passant(pos: &mut Position<Self>, square: Square) -> Result<(), String> {
        setup::check_long_step(pos, square, pos.kind(PAWN), 1, 2)?;
        pos.extra_mut().en_passant = square;
        Ok(())
    }

    fn check_placement(pos: &Position<Self>) -> Result<(), String> {
        setup::check_pawns(pos, PAWN, true, |color, square| setup::rank_for::<Self>(color, square) == 7)
    }

    fn special_san(pos: &Position<Self>, mv: Move) -> Option<String> {
        (mv.tag() == Tag::Castle)
            .then(|| if pos.geometry().file(mv.to()) > 4 { "O-O".into() } else { "O-O-O".into() })
    }
}

#[cfg(test)]
mod tests;
