//! Boards drawn with characters.

use super::fen;
use crate::board::Color;
use crate::rules::{Position, Variant};

/// How to draw.
#[derive(Clone, Copy, Default)]
pub struct Style {
    /// From Black's side.
    pub flipped: bool,
    /// With colours, by ANSI escape sequences.
    pub color: bool,
}

/// Draws a position: uppercase letters for White, lowercase for Black, `.` for an empty square, nothing for a hole. A
/// man that faces somewhere is followed by an arrow.
pub fn board<V: Variant>(pos: &Position<V>, style: Style) -> String {
    let geometry = pos.geometry();
    let mut ranks: Vec<u8> = (0..geometry.ranks()).rev().collect();
    let mut files: Vec<u8> = (0..geometry.files()).collect();
    if style.flipped {
        ranks.reverse();
        files.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        text += &format!("{:>3} ", rank + 1);
        for &file in &files {
            let Some(square) = geometry.square(file.into(), rank.into()) else {
                text += "   ";
                continue;
            };
            let piece = pos.piece(square);
            let symbol = if piece.is_some() { fen::letter::<V>(piece) } else { '.' };
            let mark = if piece.is_some() { V::mark(piece) } else { ' ' };
            if style.color {
                let ground = if (file + rank) % 2 == 0 { "48;5;65" } else { "48;5;101" };
                let ink = match (piece.is_some(), piece.color()) {
                    (false, _) => "38;5;245",
                    (true, Color::White) => "1;38;5;231",
                    (true, Color::Black) => "1;38;5;16",
                };
                text += &format!("\x1b[{ground};{ink}m {symbol}{mark}\x1b[0m");
            } else {
                text += &format!(" {symbol}{mark}");
            }
        }
        text = text.trim_end_matches(' ').to_owned() + "\n";
    }
    text += "    ";
    for file in files {
        text += &format!(" {} ", (b'a' + file) as char);
    }
    text.trim_end().to_owned() + "\n"
}
