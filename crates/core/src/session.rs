//! One game in progress, whichever game it is.

mod game;
mod mate;
mod playable;

pub use playable::{AnyGame, Playable, any_game};

use crate::board::{Color, Move, Tag};
use crate::eval::Network;
use crate::notation::{FenError, Lessons, MoveError, draw};
use crate::rules::perft::Counting;
use crate::rules::{Outcome, PieceDef};
use crate::search::score::{Score, UciScore};
use crate::search::{Endgames, Info, Known, Memory, Search};
use std::sync::Arc;
use thiserror::Error;

/// A description of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in protocols, "canyon".
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What is special about it, in one phrase.
    pub summary: &'static str,
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
    /// Number of squares, holes left out.
    pub squares: u32,
    /// The start position.
    pub start: &'static str,
    /// The rules for people.
    pub rules: &'static str,
    /// What newcomers are shown of it.
    pub lessons: Option<&'static Lessons>,
    /// The kinds of pieces; a letter may come several times (facings).
    pub pieces: &'static [PieceDef],
    /// The royal kind, as an index into `pieces`.
    pub royal: usize,
    /// The most pieces of a side.
    pub max_pieces: u32,
    /// Do pawns become captured pieces of their side only?
    pub promotes_to_captured: bool,
    /// What the seventh field of a FEN counts, where it is a number.
    pub counts: Option<&'static str>,
    /// What a pawn is worth in units of the evaluation and the search.
    pub pawn: Score,
    /// The game of other programs that it resembles most, see [`Notation::TEMPLATE`](crate::notation::Notation::TEMPLATE).
    pub template: &'static str,
    /// The number of kinds of pieces that can be held beside the board.
    pub holdings: u8,
    /// The game whose network it uses, see [`Inputs::NETWORK_GAME`](crate::eval::Inputs::NETWORK_GAME).
    pub network: &'static str,
}

/// A square as file and rank, both from 0.
pub type FileRank = (u8, u8);

/// A legal move with all its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveInfo {
    /// Coordinates, as UCI writes them.
    pub text: String,
    /// SAN.
    pub san: String,
    /// What kind of move it is.
    pub tag: Tag,
    /// The piece that moves: its letter, uppercase for White.
    pub piece: char,
    /// The suffix of the coordinates: promotion letter, facing, or nothing.
    pub suffix: String,
    /// The letter of the piece afterwards, if it is another one.
    pub becomes: Option<char>,
    /// Where a piece that has facings faces afterwards: 0 to 7, clockwise from its owner's north.
    pub facing: Option<usize>,
    /// Where it starts.
    pub from: FileRank,
    /// Where it ends, or the target of a shot, or the partner of an exchange.
    pub to: FileRank,
    /// The squares of the pieces that it removes, of either colour, nearest to `from` first.
    pub taken: Vec<FileRank>,
    /// Other pieces that move: from, to (the rook in castling, the partner of an exchange).
    pub partners: Vec<(FileRank, FileRank)>,
}

/// Why a position was not set up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The FEN cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A game in progress, whichever game it is. A method that returns an error changes nothing.
///
/// ```
/// let mut session = quintain::engine::open("canyon").expect("a game");
/// assert_eq!(session.moves().len(), 16);
/// let played = session.play("d2b2")?;
/// assert_eq!((played.san.as_str(), played.taken.len()), ("K-Nb2", 0));
/// let error = session.play("a8a7").unwrap_err();
/// assert_eq!(error.to_string(), "a8a7: there is no piece on a8");
/// # Ok::<(), quintain::notation::MoveError>(())
/// ```
pub trait Session: Send + Sync {
    /// The description of the game.
    fn info(&self) -> GameInfo;
    /// Sets up a position (`None`: the start) and plays moves given as coordinates. The error says what is wrong.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError>;
    /// Plays a move given as coordinates.
    fn play(&mut self, text: &str) -> Result<MoveInfo, MoveError>;
    /// Plays a move given as coordinates or SAN.
    fn play_any(&mut self, text: &str) -> Result<MoveInfo, MoveError>;
    /// The legal move given as coordinates or SAN, in full, without playing it.
    fn describe(&self, text: &str) -> Result<MoveInfo, MoveError>;
    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;
    /// [`Session::undo`] that returns the move as coordinates; `None` if there is none.
    fn take_back(&mut self) -> Option<String>;
    /// The position as FEN.
    fn fen(&self) -> String;
    /// A hash of the position: the same for the same pieces, side to move and rights, whatever the counters.
    fn key(&self) -> u64;
    /// The side to move.
    fn side(&self) -> Color;
    /// Moves played since the position was set up, as coordinates and as SAN.
    fn played(&self) -> Vec<(String, String)>;
    /// The legal moves as coordinates, sorted.
    fn moves(&self) -> Vec<String>;
    /// The legal move with these coordinates.
    fn find(&self, text: &str) -> Result<Move, MoveError>;
    /// A line of moves from this position as coordinates. Ends at the first that is not legal.
    fn coordinates(&self, line: &[Move]) -> Vec<String>;
    /// A line of moves from this position as SAN. Ends at the first that is not legal.
    fn san(&self, line: &[Move]) -> Vec<String>;
    /// The legal moves in full, in no particular order.
    fn moves_in_full(&self) -> Vec<MoveInfo>;
    /// The squares of the pieces that give check, by name.
    fn checkers(&self) -> Vec<String>;
    /// The squares of the pieces of the side to move that may not go everywhere, because their king would be attacked.
    fn pinned(&self) -> Vec<FileRank>;
    /// Is this a square of the board, and not a hole?
    fn has_square(&self, place: FileRank) -> bool;
    /// The squares of the board, from a1 along the ranks.
    fn squares(&self) -> Vec<FileRank> {
        let GameInfo { files, ranks, .. } = self.info();
        let all = (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        all.filter(|&place| self.has_square(place)).collect()
    }
    /// The letter of the piece on a square, uppercase for White; `None` if the square is empty.
    fn piece(&self, place: FileRank) -> Option<char>;
    /// Where the piece on a square faces: 0 to 7, clockwise from its owner's north; `None` if it has no facing.
    fn facing(&self, place: FileRank) -> Option<usize>;
    /// The letters of the pieces that are still to be placed, uppercase for White.
    fn in_hand(&self) -> Vec<char>;
    /// The letters of the pieces that the game began with and that are not on the board, uppercase for White, the most
    /// valuable first; a pawn that became another piece is not missing. Nothing while pieces are still to be placed.
    fn captured(&self) -> Vec<char>;
    /// What White's pieces are worth less what Black's are, in the pawns of scores as they are shown.
    fn material(&self) -> f64;
    /// The castling rights as letters, uppercase for White: files of partners, or KQkq in chess.
    fn castling(&self) -> Vec<char>;
    /// All castling rights that the game has: the letter and the right in words.
    fn castling_rights(&self) -> Vec<(char, String)>;
    /// Can pawns be captured in passing?
    fn has_en_passant(&self) -> bool;
    /// The square on which a pawn can be captured in passing.
    fn en_passant(&self) -> Option<FileRank>;
    /// Plies since the last irreversible move.
    fn halfmove(&self) -> u16;
    /// The number of the move, from 1; it grows after Black's moves.
    fn fullmove(&self) -> u32;
    /// What cannot be seen on the board: what happens in a set-up phase, or how far a count is.
    fn remark(&self) -> Option<String>;
    /// What to type before ordinary moves are possible, with what happens then.
    fn comes_first(&self) -> Option<String>;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The board, drawn.
    fn draw(&self, style: draw::Style) -> String;
    /// The static evaluation for the side to move, in units of the search.
    fn evaluate(&self, network: Option<&Arc<Network>>) -> Score;
    /// What the evaluation for the side to move would lose without each of its pieces, and gain without each enemy: the
    /// letters, uppercase for White, with the losses. The royal pieces are left out, and a side's only piece beside them.
    fn losses(&self) -> Vec<(char, Score)>;
    /// A score of the search or the evaluation as people and protocols are shown it.
    fn shown(&self, score: Score) -> UciScore {
        UciScore::of(score, self.info().pawn)
    }
    /// The position with the colours of all pieces and the ranks exchanged, as a new game without history.
    fn flip(&mut self) -> Result<(), PositionError>;
    /// The position with the other side to move, as a new game without history.
    fn pass(&mut self) -> Result<(), PositionError>;
    /// The number of sequences of `depth` legal moves, draws by rule ignored.
    fn perft(&self, depth: u32, counting: Counting) -> u64;
    /// The same below each legal move, which is given as coordinates; `threads` threads take the moves in turn. `on_move` is
    /// called, from any thread, as each move is done.
    fn divide(
        &self,
        depth: u32,
        threads: usize,
        counting: Counting,
        on_move: &(dyn Fn(&str, u64) + Sync),
    ) -> Vec<(String, u64)>;
    /// What endgame tables of this game know of the position.
    fn known(&self, tables: &dyn Endgames) -> Option<Known>;
    /// What they know of each legal move, given as coordinates, for the side that moves: the result, and the plies to mate
    /// with this move.
    fn known_moves(&self, tables: &dyn Endgames) -> Vec<(String, Option<Known>)>;
    /// Allocates what [`Session::search`] needs with so many threads. Must not be called during a search.
    fn prepare(&self, memory: &Memory, threads: usize);
    /// Searches until a limit or the control ends it; the listener is called from this thread. If it may search deep, it
    /// needs a stack of [`STACK`](crate::search::STACK).
    ///
    /// With a limit of moves to mate, a mate is reported when it is proved, with the line of best play. Its score is a
    /// lower bound if it is not proved that there is no shorter mate, and an upper bound if the mate itself could not be
    /// proved in time. If the game is drawn by a rule, so is every score; the move is for programs that play on.
    fn search(&self, search: &Search) -> Info;
    /// A copy, to think on while this one goes on.
    fn copy(&self) -> Box<dyn Session>;
    /// The position alone, as a game without history: a copy whose cost does not grow with the game.
    fn snapshot(&self) -> Box<dyn Session>;
}
