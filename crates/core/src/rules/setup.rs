//! Checks of positions that are set up from text, shared by games that have the same kind of rule.

use super::{Position, Set, Variant};
use crate::board::{Board, Color, Kind, Square, SquareSet};

/// Input in an error: in quotation marks, with control characters escaped, and cut if it is long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let (text, cut) = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (&text[..end], "..."),
        None => (text, ""),
    };
    format!("'{}{cut}'", escaped(text))
}

/// Text from outside with control characters escaped, to be shown in a terminal.
pub fn escaped(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// The rank of a square as its owner counts it, from 0.
pub fn rank_for<V: Variant>(color: Color, square: Square) -> u8 {
    let rank = V::Board::geometry().rank(square);
    if color == Color::White { rank } else { V::Board::RANKS - 1 - rank }
}

/// Checks that the opponent may just have made a long step over `square`: from its rank `home` (counted from 0),
/// `steps` squares far, the last one over `square`.
pub fn check_long_step<V: Variant>(
    pos: &Position<V>,
    square: Square,
    pawns: Set<V>,
    home: u8,
    steps: u8,
) -> Result<(), String> {
    let (geometry, owner) = (pos.geometry(), !pos.side());
    let name = geometry.name(square);
    if rank_for::<V>(owner, square) != home + steps - 1 {
        return Err(format!("no pawn can have passed {name} on the last step of a long move by {owner}"));
    }
    let beyond = geometry.step(square, 0, owner.forward());
    if !beyond.is_some_and(|beyond| (pawns & pos.color(owner)).has(beyond)) {
        return Err(format!("there is no pawn of {owner} one step beyond {name}"));
    }
    for back in 0..i16::from(steps) {
        let passed = geometry.step(square, 0, -back * owner.forward()).expect("a square on the pawn's way");
        if pos.piece(passed).is_some() {
            return Err(format!(
                "the pawn cannot have come over {}, where a piece stands",
                geometry.name(passed)
            ));
        }
    }
    Ok(())
}

/// Checks that no pawn stands where it would have promoted, and none on its first rank if `first_rank_too`.
pub fn check_pawns<V: Variant>(
    pos: &Position<V>,
    kind: Kind,
    first_rank_too: bool,
    promoted: impl Fn(Color, Square) -> bool,
) -> Result<(), String> {
    let name = V::PIECES[kind.index()].name;
    for square in pos.kind(kind).squares() {
        let (color, at) = (pos.piece(square).color(), pos.geometry().name(square));
        if promoted(color, square) {
            return Err(format!("the {name} on {at} would have promoted there or before"));
        }
        if first_rank_too && rank_for::<V>(color, square) == 0 {
            return Err(format!("the {name} on {at} stands on its own first rank"));
        }
    }
    Ok(())
}

/// Reads a castling field made of `letters`: each letter with the bit that it stands for and a test whether the
/// pieces are in place for it.
pub fn read_letters(
    field: &str,
    letters: &[(char, u8)],
    in_place: impl Fn(u8) -> Result<(), String>,
) -> Result<u8, String> {
    let mut rights = 0;
    if field == "-" {
        return Ok(0);
    }
    for letter in field.chars() {
        let Some(&(_, bit)) = letters.iter().find(|known| known.0 == letter) else {
            let known: Vec<String> = letters.iter().map(|l| l.0.to_string()).collect();
            return Err(format!("{} is not one of {}", quoted(&letter.to_string()), known.join(" ")));
        };
        if rights & bit != 0 {
            return Err(format!("'{letter}' is repeated"));
        }
        in_place(bit).map_err(|missing| format!("'{letter}' needs {missing}"))?;
        rights |= bit;
    }
    if rights == 0 { Err("empty, write - for no rights".into()) } else { Ok(rights) }
}

/// Writes a castling field: the letters whose bits are set, or `-`.
pub fn write_letters(rights: u8, letters: &[(char, u8)]) -> String {
    let text: String =
        letters.iter().filter(|letter| rights & letter.1 != 0).map(|letter| letter.0).collect();
    if text.is_empty() { "-".into() } else { text }
}
