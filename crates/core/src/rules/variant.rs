//! What defines a game.

use super::castling::{self, Castlings};
use super::movegen::{Gen, Sink};
use super::pieces::{self, PieceVisitor};
use super::{Editor, Outcome, Position};
use crate::board::{Board, Color, Kind, Move, Side, Square, SquareSet, Tag, zobrist};
use std::fmt::Debug;

/// The sets of squares of game `V`.
pub type Set<V> = <<V as Variant>::Board as Board>::Set;

/// A kind of piece as people see it.
#[derive(Clone, Copy, Debug)]
pub struct PieceDef {
    /// The lowercase letter in FEN, moves and board drawings.
    pub letter: u8,
    /// The name, "marshal".
    pub name: &'static str,
    /// How it moves, in one short sentence without full stop.
    pub moves: &'static str,
    /// The same in Betza's notation, as XBoard reads it.
    pub betza: &'static str,
    /// The name of its drawing.
    pub drawing: &'static str,
    /// What it is worth: for exchanges, for move ordering, and as the part of the evaluation that the network need not
    /// learn. The royal piece counts nothing.
    pub value: i32,
    /// What the evaluation, network and all, loses on average when it is taken away, while the board is full and when it is
    /// nearly empty; for people.
    pub worth: [i32; 2],
}

impl PieceDef {
    /// A piece with the drawing of its name, and worth nothing.
    pub const fn new(letter: u8, name: &'static str, moves: &'static str) -> PieceDef {
        PieceDef { letter, name, moves, betza: "", drawing: name, value: 0, worth: [0; 2] }
    }

    /// Sets the moves in Betza's notation.
    pub const fn betza(self, betza: &'static str) -> PieceDef {
        PieceDef { betza, ..self }
    }

    /// Sets the drawing.
    pub const fn drawn_as(self, drawing: &'static str) -> PieceDef {
        PieceDef { drawing, ..self }
    }

    /// Sets the value, and the worth as long as it is not measured.
    pub const fn value(self, value: i32) -> PieceDef {
        PieceDef { value, worth: [value; 2], ..self }
    }

    /// Sets the worth, as `quintain values GAME --measure` prints it.
    pub const fn worth(self, worth: [i32; 2]) -> PieceDef {
        PieceDef { worth, ..self }
    }
}

/// State of a position beyond the pieces and the side to move: rights, en-passant square, counters, phases.
pub trait Extra: Copy + Default + Eq + Debug + Send + Sync + 'static {
    /// The square on which a pawn may be captured in passing, or [`Square::NONE`].
    fn en_passant(&self) -> Square {
        Square::NONE
    }

    /// Sets the en-passant square, in games that have it.
    fn set_en_passant(&mut self, _square: Square) {}

    /// The castling rights, a bit each ([`Castlings`]).
    fn castling(&self) -> u8 {
        0
    }

    /// Sets the castling rights, in games that have it.
    fn set_castling(&mut self, _rights: u8) {}

    /// The state at the start of the next ply: an en-passant square lapses.
    fn lapsed(self) -> Self {
        self
    }

    /// How many of the moves of [`Variant::BARE_KING_MOVES`] have been made.
    fn bare_king_moves(&self) -> u8 {
        0
    }

    /// The hash of everything except the en-passant square.
    fn key(&self) -> u64 {
        0
    }
}

impl Extra for () {}

/// The state of games that need no more than castling rights and an en-passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rights {
    castling: u8,
    en_passant: Square,
}

impl Default for Rights {
    fn default() -> Self {
        Rights { castling: 0, en_passant: Square::NONE }
    }
}

impl Extra for Rights {
    #[inline]
    fn en_passant(&self) -> Square {
        self.en_passant
    }
    #[inline]
    fn set_en_passant(&mut self, square: Square) {
        self.en_passant = square;
    }
    #[inline]
    fn castling(&self) -> u8 {
        self.castling
    }
    #[inline]
    fn set_castling(&mut self, rights: u8) {
        self.castling = rights;
    }
    #[inline]
    fn lapsed(self) -> Self {
        Rights { en_passant: Square::NONE, ..self }
    }
    #[inline]
    fn key(&self) -> u64 {
        zobrist::extra(self.castling.into())
    }
}

/// A game. The type only carries constants and functions, so that the position, the generator and the search are
/// compiled for each game with its geometry and rules as constants.
///
/// The functions are the rules. What games share they call in [`movegen`](super::movegen),
/// [`attacks`](super::attacks) and [`safety`](super::safety). There are no flags.
///
/// `examples/losalamos.rs` implements it for a small game. Generic code uses the constants and a
/// [`Position`]:
///
/// ```
/// use quintain::notation::Notation;
/// use quintain::rules::Position;
/// use quintain::variants::{canyon::Canyon, gast::Gast14};
///
/// fn first_moves<V: Notation>() -> String {
///     format!("{} begins with one of {} moves", V::TITLE, Position::<V>::default().count_moves())
/// }
/// assert_eq!(first_moves::<Canyon>(), "Canyon Chess begins with one of 16 moves");
/// println!("{}", first_moves::<Gast14>());
/// ```
pub trait Variant: Copy + Default + Debug + Send + Sync + 'static {
    /// The name in UCI_Variant, CECP, files and on the command line.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// What is special about it, for a list of games: short, without full stop.
    const SUMMARY: &'static str;
    /// The start position.
    const START: &'static str;
    /// The kinds of pieces; a [`Kind`] is an index into it. At most 16.
    const PIECES: &'static [PieceDef];
    /// The kind that must not be captured.
    const ROYAL: Kind;
    /// The kinds that rank as pawns: least in value, and they promote.
    const PAWNS: &'static [Kind];
    /// The largest number of pieces of one side.
    const MAX_PIECES: u32;
    /// The number of moves to mate a bare king, in games that limit it. The move that takes the last other piece is the
    /// first of them; after the last one the game is drawn.
    const BARE_KING_MOVES: Option<u8> = None;
    /// The rules for people, as text.
    const RULES: &'static str;
    /// The board.
    type Board: Board;
    /// State beyond the pieces and the side to move.
    type Extra: Extra;
    /// Attack tables of this game's pieces.
    type Tables: Send + Sync + 'static;

    /// The attack tables, built on first use.
    fn tables() -> &'static Self::Tables;

    /// Lists for `visitor` which pieces have which attacks. Each attack is listed once, with all kinds that have it.
    fn pieces<P: PieceVisitor<Self>>(tables: &Self::Tables, visitor: P) -> P;

    /// The pieces of `by` that attack `square` on a board where exactly `occupied` is occupied: that could
    /// capture a piece standing there, whether or not their own king is safe then. Pieces of `by` outside `occupied`
    /// may be reported or not; callers that remove pieces mask the result.
    #[inline]
    fn attackers(pos: &Position<Self>, by: Color, square: Square, occupied: Set<Self>) -> Set<Self> {
        pieces::attackers(pos, by, square, occupied)
    }

    /// The squares that a piece of `color` and `kind` on `from` attacks when exactly `occupied` is occupied. Must
    /// agree with [`Variant::attackers`].
    #[inline(always)]
    fn attacks(
        pos: &Position<Self>,
        color: Color,
        kind: Kind,
        from: Square,
        occupied: Set<Self>,
    ) -> Set<Self> {
        pieces::attacks(pos, color, kind, from, occupied)
    }

    /// Gives `sink` every legal move of side `C` (which is to move) that `G` asks for and that starts on a
    /// square of `from`.
    fn generate<C: Side, G: Gen, K: Sink>(pos: &Position<Self>, from: Set<Self>, sink: &mut K);

    /// The ways to castle, in games that have it.
    #[inline]
    fn castlings(_tables: &Self::Tables) -> Option<&Castlings<Set<Self>>> {
        None
    }

    /// Changes the board and the extra state for a move; [`Position::play`] does the rest.
    fn apply(pos: &mut Editor<Self>, mv: Move) {
        castling::apply(pos, mv);
    }

    /// Puts the pieces back where [`Variant::apply`] found them; [`Position::take_back`] does the rest.
    fn revert(pos: &mut Editor<Self>, mv: Move) {
        castling::revert(pos, mv);
    }

    /// The squares of the pieces that a move of the side to move captures, of either colour.
    #[inline]
    fn taken(pos: &Position<Self>, mv: Move) -> Set<Self> {
        match mv.tag() {
            Tag::Swap | Tag::Castle | Tag::Turn | Tag::Place => Set::<Self>::EMPTY,
            Tag::EnPassant => {
                Set::<Self>::single(mv.to().offset(Self::Board::delta(0, -pos.side().forward())))
            }
            _ => Set::<Self>::single(mv.to()) & pos.occupied(),
        }
    }

    /// May the search try a null move here?
    #[inline]
    fn may_pass(_pos: &Position<Self>) -> bool {
        true
    }

    /// The pieces that give check to `color`.
    fn checkers(pos: &Position<Self>, color: Color) -> Set<Self> {
        Self::attackers(pos, !color, pos.king(color), pos.occupied())
    }

    /// The result by a rule that only this game has; asked before bare kings, repetition and fifty moves.
    fn adjudicate(_pos: &Position<Self>) -> Option<Outcome> {
        None
    }
}
