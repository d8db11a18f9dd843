//! Positions as FEN: `placement side castling en-passant halfmove fullmove [extra]`.
//!
//! Empty squares are counted in decimal, a hole is `*`, and some games have a seventh field. The reader
//! accepts missing counters and refuses impossible positions.
//!
//! ```
//! use quintain::notation::fen;
//! use quintain::variants::canyon::Canyon;
//!
//! let start = fen::start::<Canyon>();
//! assert_eq!(fen::write(&start), "1******1/an*kq*na/mppppppm/*6*/*6*/MPPPPPPM/AN*KQ*NA/1******1 w - - 0 1");
//! let error = fen::parse::<Canyon>(&fen::write(&start).replace("*6*", "*7")).unwrap_err();
//! assert_eq!(error.to_string(), "placement: h5 is a hole, write * there");
//! ```

use super::Notation;
use crate::board::{Board, Color, Kind, Piece, SquareSet, square_name};
use crate::rules::setup::quoted;
use crate::rules::{Editor, Extra, Position};
use std::fmt::Write;
use thiserror::Error;

/// What is wrong with a FEN, and in which field.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field}: {what}")]
pub struct FenError {
    /// The name of the field.
    pub field: &'static str,
    /// What is wrong with it.
    pub what: String,
}

const PLACEMENT: &str = "placement";

fn wrong<T>(field: &'static str, what: impl Into<String>) -> Result<T, FenError> {
    Err(FenError { field, what: what.into() })
}

/// Reads a position.
pub fn parse<V: Notation>(fen: &str) -> Result<Position<V>, FenError> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    if fields.len() < 4 {
        return wrong(
            "FEN",
            format!("{} fields instead of at least four (placement side castling en-passant)", fields.len()),
        );
    }
    if let Some(surplus) = fields.get(7) {
        return wrong("FEN", format!("{} follows the last field", quoted(surplus)));
    }
    let (placement, pocket) = split_pocket(fields[0])?;
    let mut built = Position::<V>::empty();
    let mut pos = Editor::new(&mut built);
    place_pieces(&mut pos, placement)?;
    check_pieces(&pos)?;
    V::check_placement(&pos).or_else(|what| wrong(PLACEMENT, what))?;
    V::read_pocket(&mut pos, pocket).or_else(|what| wrong("pieces in hand", what))?;

    let Some(side) = side(fen) else {
        return wrong("side to move", format!("{} is neither w nor b", quoted(fields[1])));
    };
    let halfmove = number(fields.get(4), "halfmove clock", 0, 0)?;
    let fullmove = number(fields.get(5), "fullmove number", 1, 1)?;
    pos.set_counters(side, halfmove as u16, fullmove);
    V::read_castling(&mut pos, fields[2]).or_else(|what| wrong("castling", what))?;
    if fields[3] != "-" {
        let what = match pos.geometry().read(fields[3]) {
            Some((square, "")) => V::read_en_passant(&mut pos, square),
            _ => Err(format!("{} is not a square of the board", quoted(fields[3]))),
        };
        what.or_else(|what| wrong("en passant", what))?;
    }
    V::read_extra(&mut pos, fields.get(6).copied()).or_else(|what| wrong("seventh field", what))?;
    V::check_whole(&pos).or_else(|(field, what)| wrong(field, what))?;
    if V::checkers(&pos, !side).any() {
        return wrong(
            "side to move",
            format!("{side} is to move and could take the royal piece of {}", !side),
        );
    }
    pos.finish_setup();
    Ok(built)
}

/// The start position of a game.
pub fn start<V: Notation>() -> Position<V> {
    parse(V::START).expect("the start position is legal")
}

fn split_pocket(field: &str) -> Result<(&str, Option<&str>), FenError> {
    match field.split_once('[') {
        None => Ok((field, None)),
        Some((placement, rest)) => match rest.strip_suffix(']') {
            Some(pocket) => Ok((placement, Some(pocket))),
            None => wrong(PLACEMENT, "'[' without ']' at the end"),
        },
    }
}

/// The largest number of moves that is read; more are written as so many.
const MOST: u32 = 9999;

fn number(field: Option<&&str>, name: &'static str, missing: u32, least: u32) -> Result<u32, FenError> {
    let Some(text) = field else { return Ok(missing) };
    match text.parse::<u32>() {
        Ok(number) if (least..=MOST).contains(&number) && text.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(number)
        }
        _ => wrong(name, format!("{} is not a number from {least} to {MOST}", quoted(text))),
    }
}

fn place_pieces<V: Notation>(pos: &mut Editor<V>, placement: &str) -> Result<(), FenError> {
    let place = |symbol: Option<char>, file: u8, rank: u8| {
        let here = || square_name((file, rank));
        let square = pos.geometry().square(file.into(), rank.into());
        match (symbol, square) {
            (None, Some(_)) | (Some('*'), None) => {}
            (None, None) => return Err(format!("{} is a hole, write * there", here())),
            (Some('*'), Some(_)) => return Err(format!("{} is a square of the board, not a hole", here())),
            (Some(symbol), square) => {
                let letter = symbol.to_ascii_lowercase();
                let Some(kind) = V::PIECES.iter().position(|def| def.letter as char == letter) else {
                    let symbol = quoted(&symbol.to_string());
                    return Err(format!("{symbol} on {} is no piece of this game", here()));
                };
                let Some(square) = square else {
                    return Err(format!("'{symbol}' stands on the hole {}", here()));
                };
                let color = if symbol.is_ascii_uppercase() { Color::White } else { Color::Black };
                pos.put_hashed(square, Piece::new(color, Kind::new(kind)));
            }
        }
        Ok(())
    };
    read_placement(placement, V::Board::FILES, V::Board::RANKS, place).or_else(|what| wrong(PLACEMENT, what))
}

fn check_pieces<V: Notation>(pos: &Position<V>) -> Result<(), FenError> {
    for color in Color::BOTH {
        let royal = V::PIECES[V::ROYAL.index()].name;
        match pos.pieces(color, V::ROYAL).count() {
            1 => {}
            0 => return wrong(PLACEMENT, format!("{color} has no {royal}")),
            n => {
                return wrong(
                    PLACEMENT,
                    format!("{color} has {n} pieces of the kind {royal} instead of one"),
                );
            }
        }
        let pieces = pos.color(color).count();
        if pieces > V::MAX_PIECES {
            return wrong(
                PLACEMENT,
                format!("{color} has {pieces} pieces, more than the {} at the start", V::MAX_PIECES),
            );
        }
    }
    Ok(())
}

/// The side to move in a FEN of any game, if it names one.
pub fn side(fen: &str) -> Option<Color> {
    match fen.split_whitespace().nth(1)? {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

/// Reads a placement that [`placement`] wrote: calls `place` for each square, from the top rank down, with its file and
/// rank from 0 and its symbol, which is `None` for an empty square. Ends with the first error.
pub fn read_placement(
    placement: &str,
    files: u8,
    ranks: u8,
    mut place: impl FnMut(Option<char>, u8, u8) -> Result<(), String>,
) -> Result<(), String> {
    let rows: Vec<&str> = placement.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(format!("{} ranks instead of {ranks}", rows.len()));
    }
    for (row, rank) in rows.iter().zip((0..ranks).rev()) {
        let (mut file, mut rest) = (0, *row);
        while let Some(symbol) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (symbol, squares, length) = match digits {
                0 => (Some(symbol), 1, symbol.len_utf8()),
                _ if symbol == '0' => {
                    return Err(format!("a number of empty squares on rank {} begins with 0", rank + 1));
                }
                _ => (None, rest[..digits].parse().unwrap_or(u8::MAX), digits),
            };
            if squares > files - file {
                return Err(format!("rank {} has more than {files} squares", rank + 1));
            }
            for file in file..file + squares {
                place(symbol, file, rank)?;
            }
            file += squares;
            rest = &rest[length..];
        }
        if file != files {
            return Err(format!("rank {} has {file} squares instead of {files}", rank + 1));
        }
    }
    Ok(())
}

/// The placement. `symbol` gives for a file and a rank, from 0, the letter of the piece, `*` for a hole, and `None` for an
/// empty square.
pub fn placement(files: u8, ranks: u8, mut symbol: impl FnMut(u8, u8) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            let Some(symbol) = symbol(file, rank) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            text.push(symbol);
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// Writes a position. Reading it back gives the same position.
pub fn write<V: Notation>(pos: &Position<V>) -> String {
    let geometry = pos.geometry();
    let mut fen = placement(geometry.files(), geometry.ranks(), |file, rank| {
        let Some(square) = geometry.square(file.into(), rank.into()) else { return Some('*') };
        let piece = pos.piece(square);
        piece.is_some().then(|| letter::<V>(piece))
    });
    fen += &V::pocket_field(pos);
    let side = if pos.side() == Color::White { 'w' } else { 'b' };
    let square = pos.extra().en_passant();
    let en_passant = if square.is_some() { geometry.name(square) } else { "-".into() };
    let [halfmove, fullmove] = [pos.halfmove().into(), pos.fullmove()].map(|number| number.min(MOST));
    let _ = write!(fen, " {side} {} {en_passant} {halfmove} {fullmove}", V::castling_field(pos));
    if let Some(extra) = V::extra_field(pos) {
        let _ = write!(fen, " {extra}");
    }
    fen
}

/// The position with the other side to move and nothing to capture in passing, as FEN.
pub fn pass<V: Notation>(pos: &Position<V>) -> String {
    let fen = write(pos);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = if pos.side() == Color::White { "b" } else { "w" };
    fields[3] = "-";
    fields.join(" ")
}

/// The position with all colours exchanged and the ranks in opposite order, as FEN.
pub fn flip<V: Notation>(pos: &Position<V>) -> String {
    let fen = write(pos);
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap_case = |text: &str| -> String {
        let swap =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(swap).collect()
    };
    let (placement, pocket) = fields[0].split_once('[').unwrap_or((&fields[0], ""));
    let rows: Vec<String> = placement.split('/').rev().map(swap_case).collect();
    let pocket = if pocket.is_empty() { String::new() } else { format!("[{pocket}") };
    fields[0] = rows.join("/") + &pocket;
    fields[1] = if pos.side() == Color::White { "b".into() } else { "w".into() };
    let (upper, lower): (String, String) = swap_case(&fields[2]).chars().partition(char::is_ascii_uppercase);
    fields[2] = upper + &lower;
    if let Some((square, _)) = pos.geometry().read(&fields[3]) {
        let rank = V::Board::RANKS - 1 - pos.geometry().rank(square);
        fields[3] = square_name((pos.geometry().file(square), rank));
    }
    if let Some(order) = V::flip_extra(pos) {
        fields[6] = order;
    }
    fields.join(" ")
}

/// The letter of a piece: uppercase for White.
pub fn letter<V: Notation>(piece: Piece) -> char {
    let lower = V::PIECES[piece.kind().index()].letter as char;
    if piece.color() == Color::White { lower.to_ascii_uppercase() } else { lower }
}
