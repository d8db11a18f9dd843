//! Super Chess, by Ed Ginsberg: cyclopes, archers and super pawns on 10x10.
//!
//! ```text
//! 10  r n b c k q a b n r
//!  9  p p p p s s p p p p
//!  8  . . . . . . . . . .
//!  7  . . . . . . . . . .
//!  6  . . . . . . . . . .
//!  5  . . . . . . . . . .
//!  4  . . . . . . . . . .
//!  3  . . . . . . . . . .
//!  2  P P P P S S P P P P
//!  1  R N B C K Q A B N R
//!     a b c d e f g h i j
//! ```
//! Two games share these rules. [`SuperChess`] begins with the set-up phase: White and then Black place their super
//! pawns among the pawns, then White and Black choose the facing of their cyclops. [`SuperChessFixed`] begins from
//! the array drawn above, the text's Diagram 5.
//!
//! The text skips the letter i; its files j and k are i and j here. A facing is named from its owner's side: north is
//! toward the opponent. Each facing is a kind of its own, so that turning is a change of kind, and hash, board and
//! undo need no code for facings.
//!
//! Decisions on what the text leaves open:
//!
//! - A retreat captures all pieces on its path, its own side's too, but may not run over its own king; going forward,
//!   the cyclops passes its king like any piece of its side. A retreat that captures only pieces of its side is a
//!   capture too.
//! - Turning on the spot is a move only if the facing changes.
//! - A rook that is captured by a run, by either side, loses its castling right.
//! - "Any of the chessmen, except the King": promotion is to Q, R, B, N, A or C (which then faces as its owner
//!   likes), not to a pawn of either kind, which could never move from the last rank.
//! - A pawn that leapt over a piece on its double step cannot be taken in passing.
//! - The king's side is the a-side.
//! - There is no check during the set-up phase.

mod eval;
mod lessons;
mod notation;

use quintain_core::board::geometry::Board10x10;
use quintain_core::board::{
    Board, BySquare, Color, Kind, Move, Piece, Side, Square, SquareSet, Tag, zobrist,
};
use quintain_core::rules::attacks::{
    self, DIAGONAL, KING_STEPS, KNIGHT_LEAPS, Leaps, Medium, ORTHOGONAL, PAWN_TAKES, Step,
};
use quintain_core::rules::castling::{Castlings, Partner, Way};
use quintain_core::rules::movegen::{Gen, Sink, king_moves, king_safe, piece_moves};
use quintain_core::rules::pawns::{self, Pawns};
use quintain_core::rules::pieces::{Attack, PieceVisitor, threats};
use quintain_core::rules::{Editor, Extra, PieceDef, Position, Rights, Safety, Variant, setup};
use quintain_core::{built_once, piece_moves};

quintain_core::playable!(SuperChess, SuperChessFixed);
quintain_tables::with_tables!(SuperChess, SuperChessFixed);

/// The game; `SETUP` says whether it starts with the set-up phase.
#[derive(Clone, Copy, Default, Debug)]
pub struct Super<const SETUP: bool>;

/// Super Chess from the empty second ranks.
pub type SuperChess = Super<true>;
/// Super Chess from the array of Diagram 5.
pub type SuperChessFixed = Super<false>;

type S = <Board10x10 as Board>::Set;

/// The pawn.
pub const PAWN: Kind = Kind::new(0);
/// The super pawn.
pub const SUPER_PAWN: Kind = Kind::new(1);
/// The knight.
pub const KNIGHT: Kind = Kind::new(2);
/// The bishop.
pub const BISHOP: Kind = Kind::new(3);
/// The rook.
pub const ROOK: Kind = Kind::new(4);
/// The queen.
pub const QUEEN: Kind = Kind::new(5);
/// The king.
pub const KING: Kind = Kind::new(6);
/// The archer.
pub const ARCHER: Kind = Kind::new(7);

/// The cyclops with facing `facing` (0 to 7, clockwise from north).
pub(crate) const fn cyclops(facing: usize) -> Kind {
    Kind::new(8 + facing)
}

/// Is it a cyclops, whatever its facing?
#[inline]
pub(crate) fn is_cyclops(kind: Kind) -> bool {
    kind.index() >= 8
}

/// The direction, as White sees it, that a cyclops of this colour and kind faces.
#[inline]
fn direction(color: Color, kind: Kind) -> usize {
    (kind.index() & 7) ^ if color == Color::White { 0 } else { 4 }
}

/// The captures of a white super pawn.
const SUPER_PAWN_TAKES: [Step; 4] = [(-1, 1), (1, 1), (-2, 2), (2, 2)];

const CHOICES: [Kind; 13] = [
    QUEEN,
    ROOK,
    ARCHER,
    BISHOP,
    KNIGHT,
    cyclops(0),
    cyclops(1),
    cyclops(2),
    cyclops(3),
    cyclops(4),
    cyclops(5),
    cyclops(6),
    cyclops(7),
];

/// The facings of the cyclops.
const CYCLOPES: [Kind; 8] =
    [cyclops(0), cyclops(1), cyclops(2), cyclops(3), cyclops(4), cyclops(5), cyclops(6), cyclops(7)];

/// How a cyclops captures: it runs over pieces ahead or behind.
struct CyclopsAttack;

impl<const SETUP: bool> Attack<Super<SETUP>> for CyclopsAttack {
    #[inline(always)]
    fn from(&self, pos: &Position<Super<SETUP>>, color: Color, kind: Kind, from: Square, _: S) -> S {
        Super::attacked(pos, color, kind, from)
    }

    #[inline(always)]
    fn onto(&self, pos: &Position<Super<SETUP>>, by: Color, square: Square, _: S, cyclopes: S) -> S {
        let near = pos.tables().star[square] & cyclopes;
        near.squares().fold(S::EMPTY, |found, from| {
            let sees = Super::attacked(pos, by, pos.piece(from).kind(), from).has(square);
            if sees { found | S::single(from) } else { found }
        })
    }
}

/// The phase of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Phase {
    /// White places its super pawns.
    WhitePlaces,
    /// Black places its super pawns.
    BlackPlaces,
    /// White chooses its cyclops' facing.
    WhiteFaces,
    /// Black chooses its cyclops' facing.
    BlackFaces,
    /// The set-up phase is over.
    #[default]
    Play,
}

impl Phase {
    fn next(self) -> Phase {
        match self {
            Phase::WhitePlaces => Phase::BlackPlaces,
            Phase::BlackPlaces => Phase::WhiteFaces,
            Phase::WhiteFaces => Phase::BlackFaces,
            _ => Phase::Play,
        }
    }
}

/// Castling rights, en-passant square, phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuperExtra {
    rights: Rights,
    /// The phase of the game.
    pub phase: Phase,
}

impl Default for SuperExtra {
    fn default() -> Self {
        SuperExtra { rights: Rights::default(), phase: Phase::Play }
    }
}

impl Extra for SuperExtra {
    #[inline]
    fn en_passant(&self) -> Square {
        self.rights.en_passant()
    }
    #[inline]
    fn set_en_passant(&mut self, square: Square) {
        self.rights.set_en_passant(square);
    }
    #[inline]
    fn castling(&self) -> u8 {
        self.rights.castling()
    }
    #[inline]
    fn set_castling(&mut self, rights: u8) {
        self.rights.set_castling(rights);
    }
    #[inline]
    fn lapsed(self) -> Self {
        SuperExtra { rights: self.rights.lapsed(), ..self }
    }
    #[inline]
    fn key(&self) -> u64 {
        zobrist::extra((self.castling() | (self.phase as u8) << 4) as usize)
    }
}

/// Attack tables.
pub struct Tables {
    king: Leaps<S>,
    knight: Leaps<S>,
    /// The squares exactly four away along rank and file.
    shots: Leaps<S>,
    pawn: [Leaps<S>; 2],
    super_pawn: [Leaps<S>; 2],
    rook: Medium<S>,
    bishop: Medium<S>,
    /// The squares up to three steps away in each direction of the compass.
    ahead: [Leaps<S>; 8],
    /// All of them together.
    star: Leaps<S>,
    /// All squares on a line with a square.
    lines: Leaps<S>,
    /// Each colour's second rank, and its last.
    homes: [S; 2],
    last: [S; 2],
    castlings: Castlings<S>,
}

impl<const SETUP: bool> Super<SETUP> {
    /// All cyclopes of both colours.
    #[inline]
    fn cyclopes(pos: &Position<Self>) -> S {
        (0..8).fold(S::EMPTY, |all, facing| all | pos.kind(cyclops(facing)))
    }

    /// The squares behind the cyclops on `from` that it can retreat over, up to its own king.
    #[inline]
    fn behind(pos: &Position<Self>, color: Color, kind: Kind, from: Square) -> S {
        let back = pos.tables().ahead[direction(color, kind) ^ 4][from];
        let king = pos.pieces(color, KING);
        if !back.meets(king) {
            return back;
        }
        pos.geometry().between(from, king.first())
    }

    /// The squares on which the cyclops on `from` could capture.
    #[inline]
    fn attacked(pos: &Position<Self>, color: Color, kind: Kind, from: Square) -> S {
        pos.tables().ahead[direction(color, kind)][from] | Self::behind(pos, color, kind, from)
    }

    fn setup_moves<C: Side, K: Sink>(pos: &Position<Self>, from: S, sink: &mut K) {
        if pos.extra().phase < Phase::WhiteFaces {
            let home = pos.tables().homes[C::COLOR.index()];
            let mut later = home;
            home.squares().for_each(|first| {
                later ^= S::single(first);
                if from.has(first) {
                    sink.each(later, |second| Move::new(Tag::Place, SUPER_PAWN, first, second, SUPER_PAWN));
                }
            });
        } else {
            for square in (pos.color(C::COLOR) & Self::cyclopes(pos) & from).squares() {
                let kind = pos.piece(square).kind();
                sink.each_way(S::single(square), 8, |to, i| Move::new(Tag::Turn, kind, to, to, cyclops(i)));
            }
        }
    }

    fn cyclops_moves<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, pieces: S, checked: bool, sink: &mut K) {
        let (own, enemies) = (pos.color(C::COLOR), pos.color(!C::COLOR));
        for from in (pieces & Self::cyclopes(pos)).squares() {
            let kind = pos.piece(from).kind();
            let facing = direction(C::COLOR, kind);
            for (tag, direction) in [(Tag::Charge, facing), (Tag::Retreat, facing ^ 4)] {
                let (files, ranks) = attacks::COMPASS[direction];
                let (mut way, mut targets) = (S::EMPTY, S::EMPTY);
                for to in pos.geometry().ray(from, files, ranks).take(3) {
                    way |= S::single(to);
                    let taken = if tag == Tag::Charge { way & enemies } else { way & (own | enemies) };
                    if tag == Tag::Charge && own.has(to) {
                        continue;
                    }
                    if taken.meets(pos.pieces(C::COLOR, KING)) {
                        break;
                    }
                    let wanted = if taken.meets(enemies) { G::NOISY } else { G::QUIET };
                    if wanted && Self::king_safe_after::<C>(pos, from, to, taken, checked) {
                        targets |= S::single(to);
                    }
                }
                sink.each_way(targets, 8, |to, i| Move::new(tag, kind, from, to, cyclops(i)));
            }
            if G::QUIET && !checked {
                let others = |i| cyclops((kind.index() + 1 + i) & 7);
                sink.each_way(S::single(from), 7, |to, i| Move::new(Tag::Turn, kind, from, to, others(i)));
            }
        }
    }

    /// Is the king of `C` safe after its piece goes from `from` to `to` (the same square for a shot) and `taken` are
    /// removed?
    #[inline]
    fn king_safe_after<C: Side>(
        pos: &Position<Self>,
        from: Square,
        to: Square,
        taken: S,
        checked: bool,
    ) -> bool {
        let vacated = taken | S::single(from);
        // Only changes on the king's lines can open an attack.
        if !checked && !vacated.meets(pos.tables().lines[pos.king(C::COLOR)]) {
            return true;
        }
        let occupied = pos.occupied().minus(vacated) | S::single(to);
        king_safe::<Self, C>(pos, occupied, taken)
    }

    fn shots<C: Side, K: Sink>(pos: &Position<Self>, pieces: S, checked: bool, sink: &mut K) {
        let (t, enemies) = (pos.tables(), pos.color(!C::COLOR));
        for from in (pieces & pos.kind(ARCHER)).squares() {
            for to in (t.shots[from] & enemies).squares() {
                if Self::king_safe_after::<C>(pos, from, from, S::single(to), checked) {
                    sink.one(Move::new(Tag::Shot, ARCHER, from, to, ARCHER));
                }
            }
        }
    }

    fn pawns<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, pieces: S, safety: &Safety<S>, sink: &mut K) {
        if pieces.is_empty() {
            return;
        }
        let (t, last) = (pos.tables(), pos.tables().last[C::COLOR.index()]);
        let armies = [(PAWN, pieces & pos.kind(PAWN)), (SUPER_PAWN, pieces & pos.kind(SUPER_PAWN))];
        for (kind, pieces) in armies {
            if pieces.any() {
                let mut pawns = Pawns::<Self, C, G, K>::new(pos, kind, last, &CHOICES, safety, sink);
                pawns.step(pieces, (0, 1));
                pawns.capture(pieces, (-1, 1));
                pawns.capture(pieces, (1, 1));
            }
        }
        let supers = armies[1].1;
        if supers.any() {
            let mut pawns = Pawns::<Self, C, G, K>::new(pos, SUPER_PAWN, last, &CHOICES, safety, sink);
            pawns.capture(supers, (-2, 2));
            pawns.capture(supers, (2, 2));
        }
        // A pawn needs the first square free, a super pawn leaps over it.
        let free = [pos.shift(pos.vacant(), 0, -C::FORWARD), S::ALL];
        for ((kind, pieces), free) in armies.into_iter().zip(free) {
            let mut pawns = Pawns::<Self, C, G, K>::new(pos, kind, last, &CHOICES, safety, sink);
            pawns.long_step(pieces & t.homes[C::COLOR.index()] & free, 2);
        }
        pawns::en_passant::<Self, C, G>(pos, pieces, sink);
    }

    /// The squares that a cyclops' move runs over, its target included.
    #[inline]
    fn way(mv: Move) -> S {
        Board10x10::geometry().between(mv.from(), mv.to()) | S::single(mv.to())
    }
}

impl<const SETUP: bool> Variant for Super<SETUP> {
    const NAME: &'static str = if SETUP { "superchess" } else { "superchessfixed" };
    const TITLE: &'static str =
        if SETUP { "Super Chess (Ginsberg)" } else { "Super Chess (Ginsberg), fixed array" };
    const SUMMARY: &'static str = if SETUP {
        "cyclopes run over pieces, archers shoot, super pawns leap; first a set-up phase"
    } else {
        "cyclopes run over pieces, archers shoot, super pawns leap; from a fixed position"
    };
    const START: &'static str = if SETUP {
        "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] w AJaj - 0 1 ?,?"
    } else {
        "rnbckqabnr/ppppsspppp/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 1 n,n"
    };
    const PIECES: &'static [PieceDef] = &notation::PIECES;
    const ROYAL: Kind = KING;
    const PAWNS: &'static [Kind] = &[PAWN, SUPER_PAWN];
    const MAX_PIECES: u32 = 20;
    const RULES: &'static str = include_str!("rules.txt");
    type Board = Board10x10;
    type Extra = SuperExtra;
    type Tables = Tables;

    fn tables() -> &'static Tables {
        built_once!(Tables, || {
            let geometry = Board10x10::geometry();
            let far = |steps: [(i16, i16); 4], by: i16| steps.map(|(files, ranks)| (files * by, ranks * by));
            let rook = |letter, file| Partner { letter, kind: ROOK, file };
            let ways = [Way::new(0, (4, 2), &[(0, 3)]), Way::new(0, (4, 7), &[(9, 6)])];
            let ahead = attacks::COMPASS
                .map(|(f, r)| attacks::leaps(geometry, &[(f, r), (2 * f, 2 * r), (3 * f, 3 * r)]));
            let (mut star, mut lines) = (BySquare::filled(S::EMPTY), BySquare::filled(S::EMPTY));
            for square in geometry.all().squares() {
                star[square] = ahead.iter().fold(S::EMPTY, |star, ray| star | ray[square]);
                lines[square] = attacks::walk(geometry, &KING_STEPS, square, S::EMPTY);
            }
            Tables {
                king: attacks::leaps(geometry, &KING_STEPS),
                knight: attacks::leaps(geometry, &KNIGHT_LEAPS),
                shots: attacks::leaps(geometry, &far(ORTHOGONAL, 4)),
                pawn: attacks::forward_leaps(geometry, &PAWN_TAKES),
                super_pawn: attacks::forward_leaps(geometry, &SUPER_PAWN_TAKES),
                rook: Medium::rider(geometry, &ORTHOGONAL),
                bishop: Medium::rider(geometry, &DIAGONAL),
                ahead,
                star,
                lines,
                homes: [1, 8].map(|rank| geometry.rank_set(rank)),
                last: [9, 0].map(|rank| geometry.rank_set(rank)),
                castlings: Castlings::new::<Board10x10>(4, &[rook('A', 0), rook('J', 9)], &ways),
            }
        })
    }

    #[inline]
    fn castlings(tables: &Tables) -> Option<&Castlings<S>> {
        Some(&tables.castlings)
    }

    #[inline(always)]
    fn pieces<P: PieceVisitor<Self>>(t: &Tables, pieces: P) -> P {
        pieces
            .leaps(&t.king, [KING])
            .leaps(&t.knight, [KNIGHT, ARCHER])
            .leaps(&t.shots, [ARCHER])
            .forward(&t.pawn, [PAWN])
            .forward(&t.super_pawn, [SUPER_PAWN])
            .rides(&t.rook, [ROOK, QUEEN])
            .rides(&t.bishop, [BISHOP, QUEEN])
            .attack(&CyclopsAttack, CYCLOPES)
    }

    #[inline]
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: S, sink: &mut K) {
        if pos.extra().phase != Phase::Play {
            if G::QUIET {
                Self::setup_moves::<C, K>(pos, from, sink);
            }
            return;
        }
        let t = pos.tables();
        let pieces = pos.color(C::COLOR) & from;
        let aim = G::aim(pos.color(!C::COLOR), pos.vacant());
        let mut safety = Safety::new();
        threats::<Self, C>(pos, &mut safety);
        let checked = safety.checkers().any();
        king_moves::<Self, C>(pos, pieces, aim, sink);
        // A cyclops can capture several checkers at once.
        Self::cyclops_moves::<C, G, K>(pos, pieces, checked, sink);
        if safety.checkers().many() {
            return;
        }
        if G::NOISY {
            Self::shots::<C, K>(pos, pieces, checked, sink);
        }
        if G::QUIET && !checked && pieces.meets(pos.kind(KING)) {
            t.castlings.generate::<Self, C>(pos, sink);
        }
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [KNIGHT]);
        piece_moves::<Self>(pieces & pos.kind(ARCHER), ARCHER, aim, &safety, sink, |s| t.knight[s]);
        piece_moves!(Self, C, pos, pieces, aim, &safety, sink, [BISHOP, ROOK, QUEEN]);
        Self::pawns::<C, G, K>(pos, pieces & (pos.kind(PAWN) | pos.kind(SUPER_PAWN)), &safety, sink);
    }

    fn apply(pos: &mut Editor<Self>, mv: Move) {
        let castlings = &pos.tables().castlings;
        let side = pos.side();
        castlings.update(pos, mv);
        match mv.tag() {
            Tag::Shot => pos.capture(mv.to(), 0),
            Tag::Place => {
                for square in pos.tables().homes[side.index()].squares() {
                    let placed = square == mv.from() || square == mv.to();
                    pos.put_hashed(square, Piece::new(side, if placed { SUPER_PAWN } else { PAWN }));
                }
                pos.extra_mut().phase = pos.extra().phase.next();
                pos.irreversible();
            }
            Tag::Turn => {
                if pos.extra().phase != Phase::Play {
                    pos.extra_mut().phase = pos.extra().phase.next();
                    pos.irreversible();
                }
                pos.take_hashed(mv.from());
                pos.put_hashed(mv.from(), Piece::new(side, mv.becomes()));
            }
            Tag::Charge | Tag::Retreat => {
                // Each square has its own slot, so that undo finds the piece of each.
                let taken = Self::taken(pos, mv);
                for (slot, square) in pos.geometry().between(mv.from(), mv.to()).squares().enumerate() {
                    if taken.has(square) {
                        let kept = pos.extra().castling() & castlings.kept(square);
                        pos.extra_mut().set_castling(kept);
                        pos.capture(square, slot + 1);
                    }
                }
                pos.apply_plain(mv);
            }
            Tag::Castle => castlings.apply(pos, mv),
            _ => pawns::apply(pos, mv),
        }
    }

    fn revert(pos: &mut Editor<Self>, mv: Move) {
        match mv.tag() {
            Tag::Shot => pos.uncapture(mv.to(), 0),
            Tag::Place => {
                for square in pos.tables().homes[pos.side().index()].squares() {
                    pos.take_unhashed(square);
                }
            }
            Tag::Turn => {
                pos.take_unhashed(mv.from());
                pos.put_unhashed(mv.from(), Piece::new(pos.side(), mv.kind()));
            }
            Tag::Charge | Tag::Retreat => {
                pos.revert_plain(mv);
                for (slot, square) in pos.geometry().between(mv.from(), mv.to()).squares().enumerate() {
                    pos.uncapture(square, slot + 1);
                }
            }
            Tag::Castle => pos.tables().castlings.revert(pos, mv),
            _ => pawns::revert(pos, mv),
        }
    }

    #[inline]
    fn taken(pos: &Position<Self>, mv: Move) -> S {
        match mv.tag() {
            Tag::Swap | Tag::Castle | Tag::Turn | Tag::Place => S::EMPTY,
            Tag::EnPassant => S::single(mv.to().offset(Board10x10::delta(0, -pos.side().forward()))),
            Tag::Charge => Self::way(mv) & pos.color(!pos.side()),
            Tag::Retreat => Self::way(mv) & pos.occupied(),
            _ => S::single(mv.to()) & pos.occupied(),
        }
    }

    /// The set-up phase has its own order of turns.
    #[inline]
    fn may_pass(pos: &Position<Self>) -> bool {
        pos.extra().phase == Phase::Play
    }

    fn checkers(pos: &Position<Self>, color: Color) -> S {
        match pos.extra().phase {
            Phase::Play => Self::attackers(pos, !color, pos.king(color), pos.occupied()),
            _ => S::EMPTY,
        }
    }
}
