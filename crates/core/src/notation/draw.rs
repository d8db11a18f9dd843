//! Boards drawn with characters.

use super::Notation;
use super::fen;
use crate::board::{Color, Square, SquareSet};
use crate::rules::Position;

/// How to draw.
#[derive(Clone, Copy, Default, Debug)]
pub struct Style<'a> {
    /// From Black's side.
    pub flipped: bool,
    /// With colours, by ANSI escape sequences for 256 colours.
    pub color: bool,
    /// Chess symbols instead of letters, for the pieces that have one.
    pub figurines: bool,
    /// Two characters a square instead of three.
    pub narrow: bool,
    /// Squares that stand out, such as those of the last move: file and rank, both from 0.
    pub marked: &'a [(u8, u8)],
}

impl Style<'_> {
    /// Characters a square.
    fn width(&self) -> usize {
        if self.narrow { 2 } else { 3 }
    }

    /// What follows a piece without a facing.
    fn gap(&self) -> &'static str {
        if self.narrow { "" } else { " " }
    }
}

/// The columns that a board of so many files takes, in colour, if it is not narrow.
pub fn width(files: u8) -> usize {
    3 * usize::from(files) + 7
}

/// The chess symbol of a piece, if there is one. `full` is used where colour distinguishes the sides.
pub fn figurine(name: &str, color: Color, full: bool) -> Option<char> {
    const NAMES: [&str; 6] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
    let black = full || color == Color::Black;
    let symbols = if black {
        ['♚', '♛', '♜', '♝', '♞', '♟']
    } else {
        ['♔', '♕', '♖', '♗', '♘', '♙']
    };
    NAMES.iter().position(|&known| known == name).map(|index| symbols[index])
}

/// Draws a position: uppercase letters for White, lowercase for Black, `.` for an empty square, nothing for a hole. A
/// piece with a facing is followed by an arrow. Marked squares stand in brackets.
///
/// Six kinds have chess symbols; other kinds keep their letters.
///
/// In colour, squares have a chequered background instead of dots, and marked squares and a royal piece in check have
/// a background of their own.
pub fn board<V: Notation>(pos: &Position<V>, style: Style) -> String {
    let geometry = pos.geometry();
    let mut ranks: Vec<u8> = (0..geometry.ranks()).rev().collect();
    let mut files: Vec<u8> = (0..geometry.files()).collect();
    if style.flipped {
        ranks.reverse();
        files.reverse();
    }
    let names: String =
        files.iter().map(|file| format!(" {}{}", (b'a' + file) as char, style.gap())).collect();
    let names = format!("    {}\n", names.trim_end());
    // A second row and column of coordinates only where colour distinguishes them from the pieces.
    let mut text = if style.color { names.clone() } else { String::new() };
    for rank in ranks {
        let squares: Vec<Cell> = files.iter().map(|&file| Cell::new(pos, style, file, rank)).collect();
        text += &format!("{:>3} ", rank + 1);
        if style.color {
            squares.iter().for_each(|cell| text += &cell.painted(style));
            text += &format!(" {}", rank + 1);
        } else {
            text += plain_row(&squares, style.width()).trim_end_matches(' ');
        }
        text = text.trim_end_matches(' ').to_owned() + "\n";
    }
    text + &names
}

/// A square as it is drawn.
#[derive(Clone, Copy)]
struct Cell {
    on_board: bool,
    symbol: char,
    mark: char,
    ink: &'static str,
    ground: &'static str,
    bracketed: bool,
}

// Both colours of pieces have a contrast of at least 3.3 to all backgrounds, and light squares have twice the
// luminance of dark ones, in dark and light terminals alike.
const GROUNDS: [&str; 2] = ["48;5;60", "48;5;137"];
const MARKED_GROUNDS: [&str; 2] = ["48;5;29", "48;5;64"];
const CHECK_GROUND: &str = "48;5;160";
const INKS: [&str; 2] = ["1;38;5;231", "1;38;5;16"];

impl Cell {
    fn new<V: Notation>(pos: &Position<V>, style: Style, file: u8, rank: u8) -> Cell {
        let hole = Cell { on_board: false, symbol: ' ', mark: ' ', ink: "", ground: "", bracketed: false };
        let Some(square) = pos.geometry().square(file.into(), rank.into()) else { return hole };
        let piece = pos.piece(square);
        let bracketed = style.marked.contains(&(file, rank));
        let light = usize::from((file + rank) % 2 == 1);
        let in_check = |square: Square| square == pos.king(pos.side()) && pos.checkers().any();
        let ground = match bracketed {
            _ if in_check(square) => CHECK_GROUND,
            true => MARKED_GROUNDS[light],
            false => GROUNDS[light],
        };
        if !piece.is_some() {
            let symbol = if style.color { ' ' } else { '.' };
            return Cell { on_board: true, symbol, ground, bracketed, ..hole };
        }
        let mark = V::mark(pos, piece);
        let name = V::PIECES[piece.kind().index()].name;
        let figurine = figurine(name, piece.color(), style.color).filter(|_| style.figurines);
        Cell {
            on_board: true,
            symbol: figurine.unwrap_or_else(|| fen::letter::<V>(piece)),
            mark: if style.flipped { turned(mark) } else { mark },
            ink: INKS[usize::from(piece.color() == Color::Black)],
            ground,
            bracketed,
        }
    }

    fn painted(&self, style: Style) -> String {
        if !self.on_board {
            return " ".repeat(style.width());
        }
        let separator = if self.ink.is_empty() { "" } else { ";" };
        let mark = if self.mark == ' ' { style.gap().to_owned() } else { self.mark.to_string() };
        // A narrow square has no room for more than a piece and an arrow.
        let lead = if style.narrow && self.mark != ' ' { "" } else { " " };
        format!("\x1b[{}{separator}{}m{lead}{}{mark}\x1b[0m", self.ground, self.ink, self.symbol)
    }
}

/// A row of squares of `width` characters each. A bracket that has no room behind an arrow goes into the next square,
/// and where two brackets meet there is a bar.
fn plain_row(cells: &[Cell], width: usize) -> String {
    let mut row: Vec<char> = vec![' '; width * cells.len() + 2];
    for (at, cell) in (0..).step_by(width).zip(cells) {
        row[at + 1] = cell.symbol;
        if cell.mark != ' ' {
            row[at + 2] = cell.mark;
        }
    }
    for (at, cell) in (0..).step_by(width).zip(cells).filter(|(_, cell)| cell.bracketed) {
        row[at] = if row[at] == ']' { '|' } else { '[' };
        row[if cell.mark == ' ' { at + 2 } else { at + 3 }] = ']';
    }
    row.into_iter().collect()
}

/// The marks of pieces that face a way, clockwise from White's north.
pub const ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];

/// An arrow as it is seen from the other side of the board.
fn turned(mark: char) -> char {
    match ARROWS.iter().position(|&arrow| arrow == mark) {
        Some(index) => ARROWS[(index + 4) % 8],
        None => mark,
    }
}
