//! A position of any game: the pieces, the side to move, and what is needed to take moves back.

mod arranger;
mod editor;

pub use arranger::Arranger;
pub use editor::Editor;

use super::movegen::{All, Gen, Sink};
use super::pawns;
use super::pieces::threats;
use super::safety::Safety;
use super::variant::{Extra, Set, Variant};
use crate::board::{
    Board, BySquare, Color, Geometry, Kind, Move, MoveList, Piece, Square, SquareSet, Tag, piece, zobrist,
};
use thiserror::Error;

/// What a move changes besides the board; kept for undo and for repetition.
///
/// It is copied at every move and undo. Aligned to its size, it never straddles two cache lines, which would defeat
/// store forwarding and cost a tenth of perft's time.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct State<V: Variant> {
    /// The game's own state.
    extra: V::Extra,
    /// Plies since the last irreversible move.
    halfmove: u16,
    /// Plies since the last irreversible or null move: how far back repetitions are searched.
    reversible: u16,
    /// Hash of everything that makes two positions the same.
    key: u64,
    /// Hashes of the pieces: those that rank as pawns, White's others, Black's others.
    pieces: [u64; 3],
    /// The move that led here; [`Move::NONE`] in a position that was set up, and after a null move.
    last_move: Move,
    /// The pieces that this move captured, by slot.
    captured: [Piece; 4],
}

/// A move is not legal in the position in which it was to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the move is not legal")]
pub struct IllegalMove;

/// A position of game `V` with the moves that led to it.
///
/// A position is read from a FEN, which must be legal, and legal moves keep it so. Only its game's rules change it
/// otherwise, through an [`Editor`]. Cloning copies the history as well.
///
/// ```
/// use quintain::notation::coords;
/// use quintain::rules::{Position, Reason};
/// use quintain::variants::chess::Chess;
///
/// let mut position: Position<Chess> = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1".parse()?;
/// let mut mates = Vec::new();
/// for mv in position.legal_moves() {
///     let text = coords::write(&position, mv);
///     position.play(mv)?;
///     if position.outcome().is_some_and(|outcome| outcome.reason == Reason::Checkmate) {
///         mates.push(text);
///     }
///     position.take_back();
/// }
/// assert_eq!(mates, ["g5g7"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Position<V: Variant> {
    colors: [Set<V>; 2],
    kinds: [Set<V>; Kind::COUNT],
    board: BySquare<Piece>,
    side: Color,
    fullmove: u32,
    state: State<V>,
    past: Vec<State<V>>,
    geometry: &'static Geometry<Set<V>>,
    tables: &'static V::Tables,
}

// Not derived: that would require `V::Tables: Clone`, though only a reference is held.
impl<V: Variant> Clone for Position<V> {
    fn clone(&self) -> Self {
        Position { board: self.board.clone(), past: self.past.clone(), ..*self }
    }
}

impl<V: Variant> Position<V> {
    /// The same position without the moves that led to it. Copying those takes the longer the game is.
    pub(crate) fn without_history(&self) -> Self {
        let state = State { last_move: Move::NONE, ..self.state };
        Position { board: self.board.clone(), past: Vec::new(), state, ..*self }
    }

    /// A board without pieces, White to move, to be filled by an [`Editor`].
    pub(crate) fn empty() -> Self {
        let extra = V::Extra::default();
        Position {
            colors: [Set::<V>::EMPTY; 2],
            kinds: [Set::<V>::EMPTY; Kind::COUNT],
            board: BySquare::filled(Piece::NONE),
            side: Color::White,
            fullmove: 1,
            state: State {
                extra,
                halfmove: 0,
                reversible: 0,
                key: 0,
                pieces: [0; 3],
                last_move: Move::NONE,
                captured: [Piece::NONE; 4],
            },
            past: Vec::with_capacity(64),
            geometry: V::Board::geometry(),
            tables: V::tables(),
        }
    }

    // ---- Reading ----------------------------------------------------------------------------------------

    /// The shape of the board.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry<Set<V>> {
        self.geometry
    }

    /// The game's attack tables.
    #[inline]
    pub fn tables(&self) -> &'static V::Tables {
        self.tables
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The number of the move, from 1; grows after Black's moves.
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Plies since the last irreversible move.
    #[inline]
    pub fn halfmove(&self) -> u16 {
        self.state.halfmove
    }

    /// The game's own state.
    #[inline]
    pub fn extra(&self) -> &V::Extra {
        &self.state.extra
    }

    /// The hash of the position: pieces, side, rights, extra state, and the en-passant square if a capture there
    /// is legal. Equal positions in the sense of the repetition rule have equal keys.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// A hash of where the pieces of both colours are that rank as pawns.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.state.pieces[0]
    }

    /// A hash of where all other pieces of a colour are.
    #[inline]
    pub fn piece_key(&self, color: Color) -> u64 {
        self.state.pieces[1 + color.index()]
    }

    /// The pieces by square.
    #[inline]
    pub fn board(&self) -> &BySquare<Piece> {
        &self.board
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Piece {
        self.board[square]
    }

    /// All pieces of a colour.
    #[inline]
    pub fn color(&self, color: Color) -> Set<V> {
        self.colors[color.index()]
    }

    /// All pieces of a kind, of both colours.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Set<V> {
        self.kinds[kind.index()]
    }

    /// The pieces of a colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Set<V> {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// All pieces of the kinds that rank as pawns, of both colours.
    #[inline]
    pub fn pawns(&self) -> Set<V> {
        V::PAWNS.iter().fold(Set::<V>::EMPTY, |set, &kind| set | self.kind(kind))
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Set<V> {
        self.colors[0] | self.colors[1]
    }

    /// The squares of the board without a piece.
    #[inline]
    pub fn vacant(&self) -> Set<V> {
        self.geometry.all().minus(self.occupied())
    }

    /// Where the king (or other royal piece) of a colour stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, V::ROYAL).first()
    }

    /// Is the king of this colour its last piece?
    #[inline]
    pub fn is_bare_king(&self, color: Color) -> bool {
        self.color(color).count() == 1
    }

    /// Each square of `set` moved `files` to the right and `ranks` up; see [`Board::shift`].
    #[inline(always)]
    pub fn shift(&self, set: Set<V>, files: i16, ranks: i16) -> Set<V> {
        (set & self.geometry.step_origins(files, ranks)).shifted(V::Board::delta(files, ranks))
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Set<V> {
        V::checkers(self, self.side)
    }

    /// The pieces of the side to move that may not go everywhere, because its royal piece would be attacked.
    pub fn pinned(&self) -> Set<V> {
        let mut safety = Safety::new();
        match self.side {
            Color::White => threats::<V, piece::White>(self, &mut safety),
            Color::Black => threats::<V, piece::Black>(self, &mut safety),
        }
        safety.pinned() & self.color(self.side)
    }

    /// Is the side to move in check?
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// The moves played to reach this position from the one that was set up.
    pub fn moves_played(&self) -> impl Iterator<Item = Move> {
        // Each state has the move that led to it, and no move led to the first.
        self.past.iter().chain([&self.state]).skip(1).map(|state| state.last_move)
    }

    /// How often this position occurred before, and whether one of those times was within the last `plies`
    /// plies. Looks back to the last irreversible move.
    #[inline]
    pub fn repetitions(&self, plies: usize) -> (u32, bool) {
        let reach = (self.state.reversible as usize).min(self.past.len());
        let (mut times, mut recent) = (0, false);
        let mut back = 4;
        while back <= reach {
            if self.past[self.past.len() - back].key == self.state.key {
                times += 1;
                recent |= back <= plies;
            }
            back += 2;
        }
        (times, recent)
    }

    // ---- Moves ------------------------------------------------------------------------------------------

    /// Gives `sink` the legal moves that `G` asks for and that start on a square of `from`.
    #[inline]
    pub fn generate<G: Gen, K: Sink>(&self, from: Set<V>, sink: &mut K) {
        match self.side {
            Color::White => V::generate::<piece::White, G, K>(self, from, sink),
            Color::Black => V::generate::<piece::Black, G, K>(self, from, sink),
        }
    }

    /// All legal moves. Hot loops use [`Position::list`], which copies no list.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list(&mut list);
        list
    }

    /// Is it legal to capture a pawn in passing?
    pub fn captures_en_passant(&self) -> bool {
        self.extra().en_passant().is_some() && self.en_passant_is_legal()
    }

    /// Gives `sink` all legal moves.
    #[inline]
    pub fn list(&self, sink: &mut impl Sink) {
        self.generate::<All, _>(self.geometry.all(), sink);
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count_moves(&self) -> u64 {
        let mut count = 0u64;
        self.list(&mut count);
        count
    }

    /// Is `mv` one of the legal moves? Any bit pattern may be asked.
    pub fn is_legal(&self, mv: Move) -> bool {
        let from = mv.from();
        if !mv.is_some() || !self.geometry.has(from) {
            return false;
        }
        // Most moves of other positions end here. Only what is placed comes from elsewhere.
        if mv.tag() != Tag::Place && !self.pieces(self.side, mv.kind()).has(from) {
            return false;
        }
        let mut moves = MoveList::new();
        self.generate::<All, _>(Set::<V>::single(from), &mut moves);
        moves.contains(&mv)
    }

    /// Does the move capture an enemy or promote? Such moves are generated as [`Noisy`](super::movegen::Noisy), all
    /// others as [`Quiet`](super::movegen::Quiet).
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        let letter = |kind: Kind| V::PIECES[kind.index()].letter;
        V::taken(self, mv).meets(self.color(!self.side)) || letter(mv.becomes()) != letter(mv.kind())
    }

    /// A cheap guess at the key after `mv`, right for simple moves and captures.
    #[inline]
    pub fn likely_key(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let mut key = self.state.key ^ zobrist::black_to_move();
        key ^=
            zobrist::piece(self.piece(from), from) ^ zobrist::piece(Piece::new(self.side, mv.becomes()), to);
        let target = self.piece(to);
        if target != Piece::NONE {
            key ^= zobrist::piece(target, to);
        }
        key
    }

    /// Would a legal move give check? Found without playing it, as if one piece moved from square to square. May be
    /// wrong for castling, swaps, shots and placements, and may miss a check that the king uncovers.
    pub fn gives_check(&self, mv: Move) -> bool {
        let king = self.king(!self.side);
        let occupied = self.occupied().minus(V::taken(self, mv) | Set::<V>::single(mv.from()));
        let (rest, occupied) = (occupied, occupied | Set::<V>::single(mv.to()));
        V::attacks(self, self.side, mv.becomes(), mv.to(), occupied).has(king)
            || (V::attackers(self, self.side, king, occupied) & rest).any()
    }

    /// Plays a move, if it is legal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that the caller knows to be legal, without the test by [`Position::play`].
    ///
    /// An illegal move panics with debug assertions. Without them it leaves a position whose methods give wrong
    /// answers or panic.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal");
        self.push(mv);
        V::apply(&mut Editor::new(self), mv);
        self.pass_turn();
        debug_assert!(self.is_consistent());
    }

    /// Passes the turn, for the search. The side to move must not be in check.
    pub(crate) fn play_null(&mut self) {
        self.push(Move::NONE);
        self.state.reversible = 0;
        self.pass_turn();
    }

    /// Takes back the last move and returns it. `None` if no move was played since the position was set up.
    ///
    /// ```
    /// use quintain::{rules::Position, variants::diamond::Diamond};
    ///
    /// let start = Position::<Diamond>::default();
    /// let (mut position, first) = (start.clone(), start.legal_moves()[0]);
    /// position.play(first)?;
    /// assert_eq!(position.take_back(), Some(first));
    /// assert!(position == start && position.take_back().is_none());
    /// # Ok::<(), quintain::rules::IllegalMove>(())
    /// ```
    #[inline]
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.state.last_move;
        mv.is_some().then(|| {
            self.undo(mv);
            mv
        })
    }

    /// Takes back the last move, which was `mv`.
    #[inline]
    pub(crate) fn undo(&mut self, mv: Move) {
        debug_assert_eq!(mv, self.state.last_move);
        self.return_turn();
        V::revert(&mut Editor::new(self), mv);
        self.state = self.past.pop().expect("a move to take back");
    }

    /// Takes back a null move.
    #[inline]
    pub(crate) fn undo_null_move(&mut self) {
        self.return_turn();
        self.state = self.past.pop().expect("a move to take back");
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        self.past.push(self.state);
        self.state.last_move = mv;
        self.state.halfmove = self.state.halfmove.saturating_add(1);
        self.state.reversible = self.state.reversible.saturating_add(1);
        self.state.captured = [Piece::NONE; 4];
        self.state.extra = self.state.extra.lapsed();
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.fullmove += self.side.index() as u32;
        self.side = !self.side;
        self.refresh_key();
    }

    #[inline]
    fn return_turn(&mut self) {
        self.side = !self.side;
        self.fullmove -= self.side.index() as u32;
    }

    #[inline]
    fn refresh_key(&mut self) {
        let [pawns, white, black] = self.state.pieces;
        let mut key = pawns ^ white ^ black ^ self.state.extra.key();
        if self.side == Color::Black {
            key ^= zobrist::black_to_move();
        }
        if self.captures_en_passant() {
            key ^= zobrist::en_passant(self.state.extra.en_passant());
        }
        self.state.key = key;
    }

    fn en_passant_is_legal(&self) -> bool {
        let takers = pawns::takers(self);
        if takers.is_empty() {
            return false;
        }
        let mut moves = MoveList::new();
        self.generate::<All, _>(takers, &mut moves);
        moves.iter().any(|mv| mv.tag() == Tag::EnPassant)
    }

    // ---- Checking ---------------------------------------------------------------------------------------

    /// Adds a piece to the hash of its group, or removes it.
    #[inline]
    fn change_key(&mut self, square: Square, piece: Piece) {
        let part = if V::PAWNS.contains(&piece.kind()) { 0 } else { 1 + piece.color().index() };
        self.state.pieces[part] ^= zobrist::piece(piece, square);
    }

    /// The keys computed from scratch, to check the incremental ones: that of the position,
    /// of the pawns, of White's other pieces, and of Black's.
    pub fn keys_from_scratch(&self) -> [u64; 4] {
        let mut copy = self.clone();
        copy.state.pieces = [0; 3];
        self.occupied().squares().for_each(|square| copy.change_key(square, self.piece(square)));
        copy.refresh_key();
        copy.keys()
    }

    /// The key of the position, of the pawns, of White's other pieces, and of Black's.
    pub fn keys(&self) -> [u64; 4] {
        let [pawns, white, black] = self.state.pieces;
        [self.state.key, pawns, white, black]
    }

    /// Do the sets, the squares and the kings agree with each other?
    pub fn is_consistent(&self) -> bool {
        let squares = self.geometry.all();
        let by_kind = self.kinds.iter().fold(Set::<V>::EMPTY, |all, &set| all | set);
        !self.colors[0].meets(self.colors[1])
            && by_kind == self.occupied()
            && self.occupied().minus(squares).is_empty()
            && squares.squares().all(|square| {
                let piece = self.board[square];
                match piece.is_some() {
                    false => !self.occupied().has(square),
                    true => self.pieces(piece.color(), piece.kind()).has(square),
                }
            })
            && Color::BOTH.iter().all(|&color| self.pieces(color, V::ROYAL).count() == 1)
    }
}

/// The same pieces, side, counters and rights. The moves that led there do not matter.
impl<V: Variant> PartialEq for Position<V> {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.colors == other.colors
            && self.kinds == other.kinds
            && (self.side, self.fullmove, self.state.halfmove, self.state.extra, self.state.key)
                == (other.side, other.fullmove, other.state.halfmove, other.state.extra, other.state.key)
    }
}

impl<V: Variant> Eq for Position<V> {}
