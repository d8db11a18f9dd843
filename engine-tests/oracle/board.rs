//! The board, the pieces on it, and the ways of walking over it that all the games share.

use std::collections::BTreeMap;

/// A square as (file, rank), both counted from 0; it may lie outside the board.
pub type Square = (i32, i32);

/// A step from one square to another, as (files, ranks).
pub type Step = (i32, i32);

/// A piece: its owner and its letter, always the uppercase one.
pub type Piece = (Color, char);

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// The opponent.
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The direction in which the ranks grow as this side sees them: 1 for White, -1 for Black.
    pub fn forward(self) -> i32 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// A letter in the case that FEN uses for this side.
    pub fn letter(self, letter: char) -> char {
        match self {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        }
    }
}

/// One place of the bounding grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Not part of the board.
    Hole,
    Empty,
    Piece(Color, char),
}

/// The four steps of a rook.
pub const ORTHOGONAL: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The four steps of a bishop.
pub const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The eight leaps of the usual knight.
pub const KNIGHT: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Everything that a FEN says about a position, except which game it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub width: i32,
    pub height: i32,
    /// The grid, rank by rank from White's edge, each from the first file on.
    pub cells: Vec<Cell>,
    /// The side to move.
    pub side: Color,
    /// The letters of the castling field, uppercase ones first, each group ascending.
    pub castling: String,
    pub en_passant: Option<Square>,
    pub halfmove: u32,
    pub fullmove: u32,
    /// Canyon: how many of the ten moves against a bare king have been made.
    pub ten: u32,
    /// Super Chess: the facing of each cyclops, as a step over the board; none while not yet chosen.
    pub facings: BTreeMap<Square, Option<Step>>,
    /// Super Chess: the letters of the super pawns that are still to be placed.
    pub reserve: String,
}

impl Position {
    fn index(&self, square: Square) -> usize {
        (square.1 * self.width + square.0) as usize
    }

    /// Whether the square is part of the board: inside the grid and no hole.
    pub fn on_board(&self, (file, rank): Square) -> bool {
        // As unsigned numbers, negative ones are too large.
        (file as u32) < self.width as u32
            && (rank as u32) < self.height as u32
            && self.cells[self.index((file, rank))] != Cell::Hole
    }

    /// The piece on the square, if it is on the board and occupied.
    pub fn at(&self, square: Square) -> Option<Piece> {
        if !self.on_board(square) {
            return None;
        }
        match self.cells[self.index(square)] {
            Cell::Piece(color, letter) => Some((color, letter)),
            Cell::Empty | Cell::Hole => None,
        }
    }

    /// Whether the square is on the board and empty.
    pub fn is_empty(&self, square: Square) -> bool {
        self.on_board(square) && self.at(square).is_none()
    }

    /// Whether a piece of that side stands on the square.
    pub fn is_side(&self, square: Square, color: Color) -> bool {
        self.at(square).is_some_and(|(owner, _)| owner == color)
    }

    /// All squares of the grid in the order in which a FEN names them.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let width = self.width;
        (0..self.height).rev().flat_map(move |rank| (0..width).map(move |file| (file, rank)))
    }

    /// The squares and letters of one side's pieces.
    pub fn pieces(&self, color: Color) -> impl Iterator<Item = (Square, char)> + '_ {
        self.squares().filter_map(move |square| match self.cells[self.index(square)] {
            Cell::Piece(owner, letter) if owner == color => Some((square, letter)),
            _ => None,
        })
    }

    /// The pieces of which the side to move has fewer than at the start.
    pub fn missing(&self, start: &[(char, usize)]) -> Vec<char> {
        let left = |letter: char| self.pieces(self.side).filter(|&(_, other)| other == letter).count();
        let lost = start.iter().filter(|&&(letter, number)| left(letter) < number);
        lost.map(|&(letter, _)| letter).collect()
    }

    /// Where the side's king stands.
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color).find(|&(_, letter)| letter == 'K').expect("each side has a king").0
    }

    /// The index of the n-th rank from that side's own edge, n counting from 1.
    pub fn rank(&self, color: Color, n: i32) -> i32 {
        match color {
            Color::White => n - 1,
            Color::Black => self.height - n,
        }
    }

    /// Puts a piece on a square, or empties it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        let index = self.index(square);
        self.cells[index] = piece.map_or(Cell::Empty, |(color, letter)| Cell::Piece(color, letter));
    }

    /// Takes the piece off the square, if there is one; a capture resets the halfmove count.
    pub fn capture(&mut self, square: Square) {
        if self.at(square).is_some() {
            self.put(square, None);
            self.facings.remove(&square);
            self.halfmove = 0;
        }
    }

    /// A copy in which the other side is to move, the counters have advanced and no en-passant
    /// square is left; the pieces have yet to be moved.
    pub fn next(&self) -> Position {
        let mut after = self.clone();
        after.side = self.side.other();
        after.en_passant = None;
        after.halfmove += 1;
        after.fullmove += u32::from(self.side == Color::Black);
        after
    }

    /// Moves a piece, capturing what stands on the square it goes to.
    pub fn carry(&mut self, from: Square, to: Square) {
        self.capture(to);
        let piece = self.at(from);
        self.put(from, None);
        self.put(to, piece);
        if let Some(facing) = self.facings.remove(&from) {
            self.facings.insert(to, facing);
        }
    }

    /// The position after a plain move of one piece.
    pub fn moved(&self, from: Square, to: Square) -> Position {
        let mut after = self.next();
        after.carry(from, to);
        after
    }

    /// Whether Super Chess is in its set-up phase.
    pub fn in_setup(&self) -> bool {
        !self.reserve.is_empty() || self.facings.values().any(Option::is_none)
    }

    /// The squares met in one direction, up to the edge, a hole, or the first piece (included).
    /// With a knight's leap as the step this is the ride of a nightrider.
    pub fn walk(&self, from: Square, step: Step) -> Vec<Square> {
        let mut met = Vec::new();
        let mut to = plus(from, step);
        while self.on_board(to) {
            met.push(to);
            if self.at(to).is_some() {
                break;
            }
            to = plus(to, step);
        }
        met
    }

    /// All squares met when walking in each of these directions.
    pub fn slide(&self, from: Square, steps: &[Step]) -> Vec<Square> {
        steps.iter().flat_map(|&step| self.walk(from, step)).collect()
    }

    /// All board squares at these distances, whatever lies between.
    pub fn leap(&self, from: Square, steps: &[Step]) -> Vec<Square> {
        steps.iter().map(|&step| plus(from, step)).filter(|&to| self.on_board(to)).collect()
    }

    /// Where the usual pieces capture: king, queen, rook, bishop and knight.
    pub fn usual_attacks(&self, from: Square, letter: char) -> Vec<Square> {
        match letter {
            'K' => [self.leap(from, &ORTHOGONAL), self.leap(from, &DIAGONAL)].concat(),
            'Q' => [self.slide(from, &ORTHOGONAL), self.slide(from, &DIAGONAL)].concat(),
            'R' => self.slide(from, &ORTHOGONAL),
            'B' => self.slide(from, &DIAGONAL),
            'N' => self.leap(from, &KNIGHT),
            _ => panic!("no usual piece: {letter}"),
        }
    }

    /// Where a pawn captures: the two squares diagonally in front of it.
    pub fn pawn_attacks(&self, from: Square) -> Vec<Square> {
        let (color, _) = self.at(from).expect("a pawn stands here");
        self.leap(from, &[(-1, color.forward()), (1, color.forward())])
    }

    /// The position after a pawn's move without capture, which is irreversible.
    pub fn pawn_steps(&self, from: Square, to: Square) -> Position {
        let mut after = self.moved(from, to);
        after.halfmove = 0;
        after
    }

    /// The position after a pawn's capture on a square it attacks, if there is an enemy on it, or
    /// if it is the en-passant square: then the victim stands one step beyond, as its owner sees it.
    pub fn pawn_takes(&self, from: Square, to: Square) -> Option<Position> {
        let mut after = self.pawn_steps(from, to);
        if self.is_side(to, self.side.other()) {
            Some(after)
        } else if self.en_passant == Some(to) {
            after.capture((to.0, to.1 - self.side.forward()));
            Some(after)
        } else {
            None
        }
    }

    /// Removes the castling letters for which `keep`, given owner and uppercase letter, says no.
    pub fn keep_castling(&mut self, mut keep: impl FnMut(&Position, Color, char) -> bool) {
        let letters = std::mem::take(&mut self.castling);
        let owner = |c: char| if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        self.castling = letters.chars().filter(|&c| keep(self, owner(c), c.to_ascii_uppercase())).collect();
    }
}

/// The square one step away.
pub fn plus(square: Square, step: Step) -> Square {
    (square.0 + step.0, square.1 + step.1)
}

/// The name of a square, such as `e12`.
pub fn name(square: Square) -> String {
    format!("{}{}", (b'a' + square.0 as u8) as char, square.1 + 1)
}

/// The list of pseudo-legal moves while it grows: the text of each, and the position it leads to.
/// The same move may be listed twice.
#[derive(Default)]
pub struct Moves(pub Vec<(String, Position)>);

impl Moves {
    /// Adds a move without suffix.
    pub fn add(&mut self, from: Square, to: Square, after: Position) {
        self.add_text(name(from) + &name(to), after);
    }

    /// Adds a move with a text of its own.
    pub fn add_text(&mut self, text: String, after: Position) {
        self.0.push((text, after));
    }

    /// Adds the plain moves of one piece to those of the squares without a piece of its side.
    pub fn add_plain(&mut self, pos: &Position, from: Square, targets: Vec<Square>) {
        for to in targets {
            if !pos.is_side(to, pos.side) {
                self.add(from, to, pos.moved(from, to));
            }
        }
    }

    /// Adds one promotion for each letter; `after` has the piece on `to` still unpromoted.
    pub fn add_promotions(&mut self, from: Square, to: Square, after: &Position, letters: &[char]) {
        let (color, _) = after.at(to).expect("a piece to promote");
        for &letter in letters {
            let mut promoted = after.clone();
            promoted.put(to, Some((color, letter)));
            promoted.halfmove = 0;
            let suffix = letter.to_ascii_lowercase();
            self.add_text(format!("{}{}{suffix}", name(from), name(to)), promoted);
        }
    }
}
