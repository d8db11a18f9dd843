//! Moves for people: piece letter, what tells it from others, `x`, target, promotion, `+` and `#`.
//!
//! Moves that are more than that (castling, swaps, shots, a cyclops' run) are written by their game.

use super::coords::{self, MoveError};
use crate::board::{Move, MoveList, Tag};
use crate::rules::movegen::All;
use crate::rules::{Position, Variant};

/// Writes a legal move.
pub fn write<V: Variant>(pos: &Position<V>, mv: Move) -> String {
    let mut text = V::special_san(pos, mv).unwrap_or_else(|| ordinary(pos, mv));
    let mut after = pos.clone();
    after.play(mv);
    if after.in_check() {
        text.push(if after.count_moves() == 0 { '#' } else { '+' });
    }
    text
}

fn ordinary<V: Variant>(pos: &Position<V>, mv: Move) -> String {
    let (geometry, def) = (pos.geometry(), &V::PIECES[mv.kind().index()]);
    let is_pawn = def.name == "pawn";
    let takes = pos.piece(mv.to()).is_some() || mv.tag() == Tag::EnPassant;
    let from = geometry.name(mv.from());
    let (file, rank) = from.split_at(1);

    let mut rivals = MoveList::new();
    pos.generate::<All, _>(pos.men(pos.side(), mv.kind()), &mut rivals);
    rivals.retain(|other| {
        other.to() == mv.to()
            && other.from() != mv.from()
            && other.becomes() == mv.becomes()
            && V::special_san(pos, *other).is_none()
    });
    let same_file = rivals.iter().any(|other| geometry.file(other.from()) == geometry.file(mv.from()));
    let same_rank = rivals.iter().any(|other| geometry.rank(other.from()) == geometry.rank(mv.from()));
    let mut text =
        if is_pawn { String::new() } else { (def.letter.to_ascii_uppercase() as char).to_string() };
    // A pawn that captures always names its file.
    if is_pawn && takes || !rivals.is_empty() && (!same_file || same_rank) {
        text += file;
    }
    if same_file {
        text += rank;
    }
    if takes {
        text.push('x');
    }
    text += &geometry.name(mv.to());
    if mv.becomes() != mv.kind() {
        text.push('=');
        text += &V::suffix(mv).to_uppercase();
    }
    text
}

/// What does not matter when a person types a move: case of facings, check marks, annotation.
fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !"+#!?()=".contains(*c)).collect();
    text.replace('0', "O")
}

/// Reads a move as a person writes it. Marks of check and annotation may be left out, and so may the target of
/// an exchange (`Q-N`) where only one fits.
pub fn parse<V: Variant>(pos: &Position<V>, text: &str) -> Result<Move, MoveError> {
    let moves = pos.legal_moves();
    let names: Vec<String> = moves.iter().map(|&mv| plain(&write(pos, mv))).collect();
    let wanted = plain(text);
    let exact = |fold: fn(&str) -> String| -> Vec<Move> {
        let fits = |name: &&String| fold(name) == fold(&wanted);
        names.iter().zip(&moves).filter(|(name, _)| fits(name)).map(|(_, &mv)| mv).collect()
    };
    let mut found = exact(str::to_owned);
    if found.is_empty() {
        found = exact(str::to_lowercase);
    }
    if found.is_empty() && wanted.contains('-') && wanted.len() == 3 {
        let shortened =
            names.iter().zip(&moves).filter(|(name, mv)| mv.tag() == Tag::Swap && name.starts_with(&wanted));
        found = shortened.map(|(_, &mv)| mv).collect();
    }
    if found.is_empty() {
        // The long form, with the letter before the coordinates: Ag1f3, Nb1-c3, Cd1d3(NE).
        let long = wanted
            .trim_start_matches(|c: char| c.is_ascii_uppercase())
            .to_lowercase()
            .replace(['-', 'x'], "");
        found.extend(coords::parse(pos, &long));
    }
    match found.as_slice() {
        [mv] => Ok(*mv),
        [] => Err(MoveError { text: text.into(), reason: "is no legal move".into() }),
        several => {
            let choices: Vec<String> = several.iter().map(|&mv| write(pos, mv)).collect();
            Err(MoveError { text: text.into(), reason: format!("can be {}", choices.join(" or ")) })
        }
    }
}
