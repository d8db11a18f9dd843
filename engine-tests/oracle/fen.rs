//! FEN, the text of positions. Reading panics on errors.

use super::board::{Cell, Color, Position, Square, Step, name};
use std::collections::BTreeMap;

/// The eight directions of the compass as White sees them.
pub const COMPASS: [(&str, Step); 8] = [
    ("n", (0, 1)),
    ("ne", (1, 1)),
    ("e", (1, 0)),
    ("se", (1, -1)),
    ("s", (0, -1)),
    ("sw", (-1, -1)),
    ("w", (-1, 0)),
    ("nw", (-1, 1)),
];

/// A compass step of one side over the board: Black sees the compass from the other end.
pub fn turned(color: Color, step: Step) -> Step {
    (step.0 * color.forward(), step.1 * color.forward())
}

/// What the seventh field means in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// There is no such field.
    None,
    /// Canyon: how many of the ten moves have been made, printed when not 0.
    Ten,
    /// Super Chess: the facings of the cyclopes, always printed.
    Facings,
}

/// Reads a position.
pub fn parse(fen: &str, extra: Extra) -> Position {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (placement, reserve) = match fields[0].split_once('[') {
        Some((placement, rest)) => (placement, rest.trim_end_matches(']')),
        None => (fields[0], ""),
    };
    let rows: Vec<Vec<Cell>> = long(placement).split('/').rev().map(parse_row).collect();
    let mut pos = Position {
        width: rows[0].len() as i32,
        height: rows.len() as i32,
        cells: rows.concat(),
        side: if fields[1] == "w" { Color::White } else { Color::Black },
        castling: fields[2].trim_matches('-').to_string(),
        en_passant: parse_square(fields[3]),
        halfmove: fields.get(4).map_or(0, |field| field.parse().expect("a halfmove count")),
        fullmove: fields.get(5).map_or(1, |field| field.parse().expect("a fullmove count")),
        ten: 0,
        facings: BTreeMap::new(),
        reserve: reserve.to_string(),
    };
    let field = fields.get(6).copied();
    match extra {
        Extra::None => (),
        Extra::Ten => pos.ten = field.map_or(0, |text| text.parse().expect("a count of moves")),
        Extra::Facings => pos.facings = parse_facings(&pos, field.unwrap_or("-")),
    }
    pos
}

/// The longest run of empty squares on any board.
const LONGEST: usize = 14;

/// The placement with a space for each empty square, instead of a number for each run of them.
fn long(placement: &str) -> String {
    let write = |text: String, n: usize| text.replace(&n.to_string(), &" ".repeat(n));
    (1..=LONGEST).rev().fold(placement.to_string(), write)
}

/// The placement with numbers again.
fn short(placement: &str) -> String {
    let mut text = String::new();
    // Empty squares, and what comes after them.
    for run in placement.split_inclusive(|c| c != ' ') {
        let rest = run.trim_start_matches(' ');
        let empty = run.len() - rest.len();
        if empty > 0 {
            text += &empty.to_string();
        }
        text += rest;
    }
    text
}

fn parse_row(row: &str) -> Vec<Cell> {
    let cell = |c| match c {
        ' ' => Cell::Empty,
        '*' => Cell::Hole,
        'A'..='Z' => Cell::Piece(Color::White, c),
        'a'..='z' => Cell::Piece(Color::Black, c.to_ascii_uppercase()),
        _ => panic!("no such piece: {c}"),
    };
    row.chars().map(cell).collect()
}

fn print_row(pos: &Position, rank: i32) -> String {
    let cell = |file| match pos.at((file, rank)) {
        Some((color, letter)) => color.letter(letter),
        None if pos.on_board((file, rank)) => ' ',
        None => '*',
    };
    (0..pos.width).map(cell).collect()
}

/// A square's name, or `-` for none.
fn parse_square(text: &str) -> Option<Square> {
    let (file, rank) = text.split_at(1);
    let file = file.as_bytes()[0];
    (file != b'-').then(|| (i32::from(file - b'a'), rank.parse::<i32>().expect("a rank") - 1))
}

/// The facings of the cyclopes in the order of the placement; `-` means that all face north.
fn parse_facings(pos: &Position, text: &str) -> BTreeMap<Square, Option<Step>> {
    let mut names = text.split(',');
    cyclopes(pos)
        .map(|(square, color)| {
            let name = if text == "-" { "n" } else { names.next().expect("a facing") };
            let known = COMPASS.iter().find(|(point, _)| *point == name);
            assert!(known.is_some() || name == "?", "no such facing: {name}");
            (square, known.map(|&(_, step)| turned(color, step)))
        })
        .collect()
}

/// The cyclopes of both sides in the order of the placement.
fn cyclopes(pos: &Position) -> impl Iterator<Item = (Square, Color)> + '_ {
    pos.squares().filter_map(|square| match pos.at(square) {
        Some((color, 'C')) => Some((square, color)),
        _ => None,
    })
}

/// Writes a position.
pub fn print(pos: &Position, extra: Extra) -> String {
    let rows: Vec<String> = (0..pos.height).rev().map(|rank| print_row(pos, rank)).collect();
    let placement = short(&rows.join("/"));
    let reserve = if pos.reserve.is_empty() { String::new() } else { format!("[{}]", pos.reserve) };
    let side = if pos.side == Color::White { "w" } else { "b" };
    let castling = if pos.castling.is_empty() { "-" } else { &pos.castling };
    let en_passant = pos.en_passant.map_or("-".to_string(), name);
    let (halfmove, fullmove) = (pos.halfmove, pos.fullmove);
    let extra = match extra {
        Extra::Ten if pos.ten > 0 => format!(" {}", pos.ten),
        Extra::Facings => format!(" {}", print_facings(pos)),
        _ => String::new(),
    };
    format!("{placement}{reserve} {side} {castling} {en_passant} {halfmove} {fullmove}{extra}")
}

fn print_facings(pos: &Position) -> String {
    let facing = |(square, color)| {
        let known = COMPASS.iter().find(|&&(_, step)| pos.facings[&square] == Some(turned(color, step)));
        known.map_or("?", |&(point, _)| point)
    };
    let names: Vec<&str> = cyclopes(pos).map(facing).collect();
    if names.is_empty() { "-".to_string() } else { names.join(",") }
}
