//! Positions and moves as text, and back. What is special to a game is in its [`Notation`].

pub mod coords;
pub mod draw;
pub mod fen;
pub mod lessons;
pub mod nag;
pub mod pgn;
pub mod san;

pub use coords::MoveError;
pub use fen::FenError;
pub use lessons::{Lesson, Lessons};

use crate::board::{Kind, Move, Piece, Square};
use crate::rules::{Editor, Position, Variant};
use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

/// Where pieces face, as a FEN and moves write it, clockwise from north.
pub const FACINGS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/// How a game is written: its own fields of a FEN, its own forms of moves, and explanations for people. The defaults
/// suit a game without castling, en passant and pieces in hand.
pub trait Notation: Variant {
    /// The kind whose moves people write without a letter; `None` if all have one.
    const UNLETTERED: Option<Kind> = Some(Self::PAWNS[0]);

    /// What newcomers are shown of the game.
    const LESSONS: Option<&'static Lessons> = None;

    /// A position with all pieces of the game; those that are missing later were captured.
    const ARRAY: &'static str = Self::START;

    /// Do pawns become captured pieces of their side only?
    const PROMOTES_TO_CAPTURED: bool = false;

    /// The game known to other programs whose handling of unusual moves fits best; "normal" is chess, which needs no
    /// description.
    const TEMPLATE: &'static str = "courier";

    /// The number of kinds of pieces that can be held beside the board.
    const HOLDINGS: u8 = 0;

    /// What the seventh field counts, where it is a number.
    const COUNTS: Option<&'static str> = None;

    /// The suffix of a move's coordinate text: promotion letter, facing, nothing.
    fn suffix(mv: Move) -> String {
        if mv.becomes() == mv.kind() {
            String::new()
        } else {
            (Self::PIECES[mv.becomes().index()].letter as char).to_string()
        }
    }

    /// Where a piece faces: 0 to 7, clockwise from its owner's north. `None` for a kind without facings.
    fn facing(_piece: Piece) -> Option<usize> {
        None
    }

    /// A character drawn behind a piece's letter: where it faces, as White sees the board.
    fn mark(_pos: &Position<Self>, _piece: Piece) -> char {
        ' '
    }

    /// What cannot be seen on the board: what to do in the set-up phase, or how far a count is. A sentence without
    /// full stop.
    fn remark(_pos: &Position<Self>) -> Option<String> {
        None
    }

    /// The FEN field of castling rights.
    fn castling_field(pos: &Position<Self>) -> String {
        Self::castlings(pos.tables()).map_or_else(|| "-".into(), |castlings| castlings.field(pos))
    }

    /// Reads the castling field into `pos`, whose pieces are in place. The error says what is wrong.
    fn read_castling(pos: &mut Editor<Self>, field: &str) -> Result<(), String> {
        match Self::castlings(pos.tables()) {
            Some(castlings) => castlings.read(pos, field),
            None if field == "-" => Ok(()),
            None => Err("this game has no castling rights, write -".into()),
        }
    }

    /// Reads the en-passant field into `pos`, whose pieces and side to move are in place.
    fn read_en_passant(_pos: &mut Editor<Self>, square: Square) -> Result<(), String> {
        let _ = square;
        Err("this game has no en passant, write -".into())
    }

    /// The seventh field, or `None` where it has its default and is not written.
    fn extra_field(_pos: &Position<Self>) -> Option<String> {
        None
    }

    /// Reads the seventh field; `None` when it is missing.
    fn read_extra(_pos: &mut Editor<Self>, field: Option<&str>) -> Result<(), String> {
        match field {
            None => Ok(()),
            Some(_) => Err("this game has no seventh field".into()),
        }
    }

    /// The seventh field of the same position with colours exchanged and the board upside down, where that changes
    /// it.
    fn flip_extra(_pos: &Position<Self>) -> Option<String> {
        None
    }

    /// What follows the placement in the first field, for pieces not yet on the board.
    fn pocket_field(_pos: &Position<Self>) -> String {
        String::new()
    }

    /// Reads the brackets after the placement; `None` without brackets.
    fn read_pocket(_pos: &mut Editor<Self>, pocket: Option<&str>) -> Result<(), String> {
        match pocket {
            None => Ok(()),
            Some(_) => Err("this game has no pieces in hand".into()),
        }
    }

    /// Checks the placement by this game's own rules, for example for pawns that would have promoted.
    fn check_placement(_pos: &Position<Self>) -> Result<(), String> {
        Ok(())
    }

    /// Checks the position as a whole, once all fields of the FEN are read. The error is the name of the field and
    /// what is wrong with it.
    fn check_whole(_pos: &Position<Self>) -> Result<(), (&'static str, String)> {
        Ok(())
    }

    /// The SAN of a special move; `None` for ordinary moves. The caller adds the marks of check and mate.
    fn special_san(_pos: &Position<Self>, _mv: Move) -> Option<String> {
        None
    }

    /// Why a piece cannot go from `from` to `to`, if the general reasons do not cover it.
    fn explain(_pos: &Position<Self>, _from: Square, _to: Square) -> Option<String> {
        None
    }

    /// Is `text` a short form of the legal move with this SAN? Asked when nothing else matches.
    fn is_short_form(_pos: &Position<Self>, _mv: Move, _san: &str, _text: &str) -> bool {
        false
    }

    /// What to do before ordinary moves are possible, for the error of a move that comes too early. A sentence
    /// without full stop.
    fn comes_first(_pos: &Position<Self>) -> Option<String> {
        None
    }
}

/// The start position.
impl<V: Notation> Default for Position<V> {
    fn default() -> Self {
        fen::start()
    }
}

/// A position from its FEN.
impl<V: Notation> FromStr for Position<V> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        fen::parse(fen)
    }
}

/// The FEN.
impl<V: Notation> Display for Position<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&fen::write(self))
    }
}

/// The name of the game and the FEN.
impl<V: Notation> Debug for Position<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", V::NAME)
    }
}
