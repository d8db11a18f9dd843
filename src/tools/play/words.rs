//! Text of the game in the terminal.

use crate::board::{Color, Tag, square_name};
use crate::engine::{GameInfo, MoveInfo};
use crate::notation::draw;
use crate::search::score::UciScore;
use crate::tools::text::{hanging, paragraph};

/// A score for `side` in words.
pub(super) fn score(score: UciScore, side: Color) -> String {
    let score = match score {
        UciScore::Mate(0) => return format!("{side} is mated"),
        UciScore::Mate(moves) => {
            let winner = if moves > 0 { side } else { !side };
            return format!("mate in {} for {winner}", moves.abs());
        }
        UciScore::Centipawns(score) => score,
    };
    let better = if score >= 0 { side } else { !side };
    let meaning = match score.unsigned_abs() {
        0..=30 => "about even",
        31..=100 => "slightly better",
        101..=300 => "better",
        _ => "winning",
    };
    let pawns = f64::from(score.abs()) / 100.0;
    if score == 0 { "0.00 (even)".into() } else { format!("+{pawns:.2} for {better} ({meaning})") }
}

/// The kinds of pieces, the royal one first, each letter once, and its symbol if the board shows that.
pub(super) fn pieces(info: &GameInfo, width: usize, figurines: bool) -> String {
    let mut letters = Vec::new();
    let mut text = String::new();
    for def in std::iter::once(&info.pieces[info.royal]).chain(info.pieces.iter().rev()) {
        if !letters.contains(&def.letter) {
            letters.push(def.letter);
            let letter = (def.letter as char).to_ascii_uppercase();
            let symbol = match draw::figurine(def.name, Color::Black, true) {
                Some(symbol) if figurines => format!(" {symbol}"),
                _ if figurines => "  ".into(),
                _ => String::new(),
            };
            text += &paragraph(&format!("  {letter}{symbol}  {:<11} ", def.name), def.moves, width);
        }
    }
    text
}

/// The name of the piece with this letter.
pub(super) fn name_of(info: &GameInfo, letter: char) -> &'static str {
    let def = info.pieces.iter().find(|def| def.letter as char == letter.to_ascii_lowercase());
    def.map_or("piece", |def| def.name)
}

/// Placeholder of any facing.
const OPEN: &str = "(..)";

/// Legal moves by the piece that makes them. A piece that may face anywhere after its move gets one entry a target.
pub(super) fn moves(info: &GameInfo, moves: &[MoveInfo], width: usize) -> String {
    let kind = |mv: &MoveInfo| {
        info.pieces.iter().position(|def| def.letter as char == mv.piece.to_ascii_lowercase()).unwrap_or(0)
    };
    let mut moves: Vec<&MoveInfo> = moves.iter().collect();
    moves.sort_by_key(|mv| (std::cmp::Reverse(kind(mv)), mv.from, mv.to, mv.tag as u8));
    let mut text = String::new();
    for group in moves.chunk_by(|a, b| {
        a.piece == b.piece && (a.from == b.from || (a.tag, b.tag) == (Tag::Place, Tag::Place))
    }) {
        let first = group[0];
        let mut head = format!("{} {}", name_of(info, first.piece), square_name(first.from));
        if first.tag == Tag::Place {
            head = format!("{}s", name_of(info, first.piece));
        }
        let entries = with_facings_together(group);
        let words: Vec<&str> = entries.iter().map(String::as_str).collect();
        text += &hanging(&format!("  {head:<15}"), &words, width);
    }
    if let Some(example) = moves.iter().find(|mv| text.contains(OPEN) && mv.san.contains('(')) {
        let what = format!("is where it faces afterwards, n ne e se s sw w or nw: type {}", example.san);
        text += &paragraph(&format!("  {OPEN} "), &what, width);
    }
    text
}

/// A move as SAN and as coordinates.
pub(super) fn with_coordinates(mv: &MoveInfo) -> String {
    if mv.san == mv.text { mv.san.clone() } else { format!("{} ({})", mv.san, mv.text) }
}

/// The moves of one piece in SAN; those that differ only in where it faces afterwards become one.
fn with_facings_together(moves: &[&MoveInfo]) -> Vec<String> {
    let mut entries: Vec<(String, usize, Vec<String>)> = Vec::new();
    for mv in moves {
        let facing = mv.suffix.to_uppercase();
        let faces = format!("({facing})");
        let pattern = if facing.is_empty() { mv.san.clone() } else { mv.san.replace(&faces, "()") };
        match entries.iter_mut().find(|(other, ..)| *other == pattern && pattern.contains("()")) {
            Some((_, _, facings)) => facings.push(facing),
            None => {
                // A turn cannot keep its facing.
                let any = if mv.tag == Tag::Turn { 7 } else { 8 };
                entries.push((pattern, any, vec![facing]));
            }
        }
    }
    let write = |(pattern, any, facings): (String, usize, Vec<String>)| {
        let facings = if facings.len() >= any { OPEN.into() } else { format!("({})", facings.join("/")) };
        pattern.replace("()", &facings)
    };
    entries.into_iter().map(write).collect()
}

/// Moves with their numbers, broken into lines.
pub(super) fn score_sheet(moves: &[String], first: u32, side: Color, width: usize) -> String {
    let mut words = Vec::new();
    let mut number = first;
    for (ply, mv) in (side.index()..).zip(moves) {
        let white = ply % 2 == 0;
        if white {
            words.push(format!("{number}. {mv}"));
        } else if words.is_empty() {
            words.push(format!("{number}... {mv}"));
        } else {
            words.push(mv.clone());
        }
        number += u32::from(!white);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    hanging("", &words, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    #[test]
    fn scores_are_said_for_the_side_that_they_favour() {
        let said = [(85, Color::White), (85, Color::Black), (-120, Color::White), (0, Color::Black)]
            .map(|(centipawns, side)| score(UciScore::Centipawns(centipawns), side));
        let wanted = [
            "+0.85 for White (slightly better)",
            "+0.85 for Black (slightly better)",
            "+1.20 for Black (better)",
            "0.00 (even)",
        ];
        assert_eq!(said, wanted);
        assert_eq!(score(UciScore::Mate(3), Color::Black), "mate in 3 for Black");
        assert_eq!(score(UciScore::Mate(-1), Color::Black), "mate in 1 for White");
        assert_eq!(score(UciScore::Mate(0), Color::White), "White is mated");
    }

    #[test]
    fn facings_are_put_together() {
        let mut session = engine::open("superchessfixed").unwrap();
        let fen = "rnb1kqabnr/ppppsspppp/10/10/10/10/3C6/10/PPPPSSPPPP/RNB1KQABNR w AJaj - 0 1 e";
        session.set_position(Some(fen), &[]).unwrap();
        let all: Vec<_> = session.moves_in_full().into_iter().filter(|mv| mv.piece == 'C').collect();
        assert_eq!(
            moves(&session.info(), &all, 70),
            "  cyclops d4     Cd4a4(..) Cd4b4(..) Cd4c4(..) Cd4(..) Cd4e4(..)\n\
             \x20                Cd4f4(..) Cd4g4(..)\n  \
             (..) is where it faces afterwards, n ne e se s sw w or nw: type\n\
             \x20      Cd4a4(N)\n"
        );
    }

    #[test]
    fn score_sheets_number_from_any_start() {
        let moves = ["e4", "e5", "Nf3"].map(String::from);
        assert_eq!(score_sheet(&moves, 1, Color::White, 80), "1. e4 e5 2. Nf3\n");
        assert_eq!(score_sheet(&moves, 7, Color::Black, 80), "7... e4 8. e5 Nf3\n");
    }
}
