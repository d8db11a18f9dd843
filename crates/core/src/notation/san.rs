//! SAN, the notation for people: piece letter, origin if needed, `x`, target, promotion, `+` and `#`.
//!
//! Special moves (castling, swaps, shots, runs of a cyclops) are written by their game.
//!
//! ```
//! use quintain::notation::{coords, san};
//! use quintain::rules::Position;
//! use quintain::variants::canyon::Canyon;
//!
//! let start = Position::<Canyon>::default();
//! let exchange = coords::parse(&start, "d2b2")?;
//! assert_eq!(san::write(&start, exchange), "K-Nb2");
//! // People may write less, or in lower case.
//! assert_eq!(san::parse(&start, "k-n"), Ok(exchange));
//! # Ok::<(), quintain::notation::MoveError>(())
//! ```

use super::Notation;
use super::coords::{self, MoveError};
use crate::board::{Kind, Move, MoveList, Square, SquareSet, Tag};
use crate::rules::movegen::All;
use crate::rules::{Position, Set};
use std::borrow::Cow;

/// Writes a legal move.
pub fn write<V: Notation>(pos: &Position<V>, mv: Move) -> String {
    let mut text = without_mark(pos, mv);
    let mut after = pos.without_history();
    after.play_unchecked(mv);
    if after.in_check() {
        text.push(if after.count_moves() == 0 { '#' } else { '+' });
    }
    text
}

/// A legal move without the mark of check or mate.
fn without_mark<V: Notation>(pos: &Position<V>, mv: Move) -> String {
    V::special_san(pos, mv).unwrap_or_else(|| ordinary(pos, mv))
}

fn ordinary<V: Notation>(pos: &Position<V>, mv: Move) -> String {
    let (geometry, def) = (pos.geometry(), &V::PIECES[mv.kind().index()]);
    let is_pawn = V::UNLETTERED == Some(mv.kind());
    let takes = pos.piece(mv.to()).is_some() || mv.tag() == Tag::EnPassant;
    let from = geometry.name(mv.from());
    let (file, rank) = from.split_at(1);

    let mut rivals = MoveList::new();
    pos.generate::<All, _>(pos.pieces(pos.side(), mv.kind()), &mut rivals);
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

/// The text with what other programs write otherwise: figurines are letters (none for a pawn), all dashes are `-`, and
/// the mark of a capture in passing is left out.
pub(crate) fn plain_letters(text: &str) -> Cow<'_, str> {
    let letter = |c: char| match c {
        '♔' | '♚' => "K",
        '♕' | '♛' => "Q",
        '♖' | '♜' => "R",
        '♗' | '♝' => "B",
        '♘' | '♞' => "N",
        // Which of its two forms a character has is said by one that is not seen.
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => "",
        '‐' | '‑' | '‒' | '–' | '—' | '−' => "-",
        _ => "?",
    };
    let mut text = Cow::Borrowed(text);
    if text.chars().any(|c| !c.is_ascii() && letter(c) != "?") {
        let mut ascii = String::new();
        for c in text.chars() {
            match letter(c) {
                "?" => ascii.push(c),
                known => ascii.push_str(known),
            }
        }
        text = ascii.into();
    }
    let passing = ["e.p.", "e.p", "ep"].iter().find_map(|mark| text.strip_suffix(mark).map(str::trim_end));
    match passing.filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit())).map(str::len) {
        Some(length) => text[..length].to_owned().into(),
        None => text,
    }
}

/// Marks that may be left out or added: check, annotation, brackets around a facing.
fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !"+#!?()=".contains(*c)).collect();
    text.replace('0', "O")
}

/// Typed text without what people add to moves, in lower case, to be compared.
pub fn folded(text: &str) -> String {
    plain(text).to_lowercase()
}

fn folded_without_capture(text: &str) -> String {
    folded(text).replace('x', "")
}

/// Reads a move as a person writes it.
///
/// Marks of check, capture and annotation may be left out, upper and lower case may be mixed where that is
/// unambiguous, and the origin may be given though it is not needed. Special moves have short forms: an exchange
/// without the partner's square (`Q-N`), a run without the captured pieces, two squares for a placement, and just a
/// direction for the facing in a set-up phase. Coordinates are read too, also with signs between (`e2-e4`).
pub fn parse<V: Notation>(pos: &Position<V>, text: &str) -> Result<Move, MoveError> {
    let error = |reason: String| MoveError::new(text, reason);
    let plainly = plain_letters(text);
    if let Some(mv) = as_written(pos, &plainly) {
        return Ok(mv);
    }
    let text = &*plainly;
    let moves = pos.legal_moves();
    let names: Vec<String> = moves.iter().map(|&mv| without_mark(pos, mv)).collect();
    let mut found: Vec<Move> = Vec::new();
    for fold in [plain, folded, folded_without_capture] {
        if found.is_empty() {
            let fits = |name: &String| fold(name) == fold(text);
            found = names.iter().zip(&moves).filter(|(name, _)| fits(name)).map(|(_, &mv)| mv).collect();
        }
    }
    if found.is_empty() {
        let short = |(name, mv): (&String, &Move)| V::is_short_form(pos, *mv, name, text);
        found = names.iter().zip(&moves).filter(|&pair| short(pair)).map(|(_, &mv)| mv).collect();
    }
    if found.is_empty() {
        let tidy: String = text.to_lowercase().chars().filter(|c| !" -+#!?()=x".contains(*c)).collect();
        if coords::names_two_squares(pos, &tidy) {
            return coords::parse(pos, &tidy).map_err(|MoveError { reason, .. }| error(reason));
        }
    }
    // A lowercase letter is a pawn's file if that fits, otherwise perhaps a piece's letter.
    let readings = [text.to_owned(), capitalized(text)];
    let parts: Vec<Parts> = readings.iter().filter_map(|text| Parts::read(pos, text)).collect();
    for parts in &parts {
        if found.is_empty() {
            found = moves.iter().copied().filter(|&mv| parts.fit(pos, mv)).collect();
        }
    }
    match found.as_slice() {
        [mv] => Ok(*mv),
        [] if names_castling(pos, text) => Err(error("castling that way is not possible now".into())),
        [] if let Some(task) = V::comes_first(pos) => {
            Err(error(format!("the set-up phase comes first: {task}")))
        }
        [] => Err(error(match (parts.first(), moves.first()) {
            (Some(parts), _) => parts.explain(pos),
            (None, Some(&example)) => match missing_square(pos, text) {
                Some(square) => format!("there is no square {square} on this board"),
                None => {
                    let (name, coordinates) = (write(pos, example), coords::write(pos, example));
                    format!("not a move; write it like {name} or {coordinates}")
                }
            },
            (None, None) => "not a move, and there is no legal move".into(),
        })),
        several => {
            const SHOWN: usize = 8;
            let choices: Vec<String> = several.iter().take(SHOWN).map(|&mv| write(pos, mv)).collect();
            let more = if several.len() > SHOWN { " or others" } else { "" };
            Err(error(format!("write {}{more}", choices.join(" or "))))
        }
    }
}

/// The legal move that is written just like this, marks left aside. Only moves that fit the text are spelled, so this is
/// fast; other ways to write a move need all legal moves.
fn as_written<V: Notation>(pos: &Position<V>, text: &str) -> Option<Move> {
    let (parts, wanted) = (Parts::read(pos, text), plain(text));
    let mut moves = MoveList::new();
    match &parts {
        Some(parts) => {
            let own = pos.color(pos.side());
            let kinds = (0..V::PIECES.len()).map(Kind::new);
            let named = kinds
                .filter(|&kind| parts.is_of(V::PIECES[kind.index()].letter, V::UNLETTERED == Some(kind)));
            let from = named.fold(Set::<V>::EMPTY, |set, kind| set | (pos.kind(kind) & own));
            pos.generate::<All, _>(from, &mut moves);
            moves.retain(|mv| parts.fit(pos, *mv));
            moves.iter().copied().find(|&mv| plain(&without_mark(pos, mv)) == wanted)
        }
        None => {
            pos.list(&mut moves);
            let is_wanted = |mv: &Move| V::special_san(pos, *mv).is_some_and(|name| plain(&name) == wanted);
            moves.iter().copied().find(is_wanted)
        }
    }
}

/// Is `text` written like castling, `O-O` or as in `Ki1/Ah1`?
fn names_castling<V: Notation>(pos: &Position<V>, text: &str) -> bool {
    let royal = V::PIECES[V::ROYAL.index()].letter as char;
    let parts: Option<Vec<Parts>> = plain(text).split('/').map(|part| Parts::read(pos, part)).collect();
    let pieces = |parts: &Vec<Parts>| {
        parts.len() > 1 && parts[0].letter == Some(royal) && parts.iter().all(|part| part.letter.is_some())
    };
    ["o-o", "o-o-o"].contains(&folded(text).as_str()) || parts.as_ref().is_some_and(pieces)
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

/// The last word in `text` that looks like a square but is not on this board: beyond the edge, or a hole.
fn missing_square<V: Notation>(pos: &Position<V>, text: &str) -> Option<String> {
    let square = |i: usize| {
        let text = text.get(i..)?;
        let digits = text.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
        let looks_like_one = text.as_bytes()[0].is_ascii_lowercase() && (1..=3).contains(&digits);
        (looks_like_one && pos.geometry().read(text).is_none()).then(|| text[..1 + digits].to_owned())
    };
    (0..text.len()).rev().find_map(square)
}

/// A parsed move: the piece, perhaps its origin, the target, and the promotion.
struct Parts {
    /// The letter of the piece, lowercase; `None` for a pawn.
    letter: Option<char>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    suffix: String,
}

impl Parts {
    fn read<V: Notation>(pos: &Position<V>, text: &str) -> Option<Parts> {
        let tidy: String = text.chars().filter(|c| !" -+#!?()=x".contains(*c)).collect();
        let known =
            |letter: &char| V::PIECES.iter().any(|def| def.letter as char == letter.to_ascii_lowercase());
        let letter = tidy.chars().next().filter(char::is_ascii_uppercase).filter(known);
        let rest = if letter.is_some() { &tidy[1..] } else { &tidy };
        // The second letter of an exchange follows from its square.
        let rest = if letter.is_some() {
            rest.strip_prefix(|c| known(&c) && c.is_ascii_uppercase()).unwrap_or(rest)
        } else {
            rest
        };
        let at = |i: usize| Some((i, pos.geometry().read(rest.get(i..)?)?));
        let (i, (to, suffix)) = (0..rest.len()).rev().find_map(at)?;
        if suffix.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let digits = rest[..i].trim_start_matches(|c: char| c.is_ascii_lowercase());
        let file = &rest[..i - digits.len()];
        Some(Parts {
            letter: letter.map(|letter| letter.to_ascii_lowercase()),
            file: match file.as_bytes() {
                [] => None,
                [file] => Some(file - b'a'),
                _ => return None,
            },
            rank: if digits.is_empty() { None } else { Some(digits.parse::<u8>().ok()?.checked_sub(1)?) },
            to,
            suffix: suffix.to_lowercase(),
        })
    }

    /// Is a kind of piece meant that has this letter, and may be written without it?
    fn is_of(&self, kind: u8, unlettered: bool) -> bool {
        self.letter.map_or(unlettered, |letter| kind as char == letter)
    }

    /// Could the piece of this kind on `from` be the one that is meant?
    fn names<V: Notation>(&self, pos: &Position<V>, kind: Kind, from: Square) -> bool {
        let def = &V::PIECES[kind.index()];
        let geometry = pos.geometry();
        self.is_of(def.letter, V::UNLETTERED == Some(kind))
            && self.file.is_none_or(|file| file == geometry.file(from))
            && self.rank.is_none_or(|rank| rank == geometry.rank(from))
    }

    fn fit<V: Notation>(&self, pos: &Position<V>, mv: Move) -> bool {
        mv.to() == self.to
            && self.names(pos, mv.kind(), mv.from())
            && (self.suffix.is_empty() || self.suffix == V::suffix(mv))
    }

    /// Why no legal move matches.
    fn explain<V: Notation>(&self, pos: &Position<V>) -> String {
        let to = pos.geometry().name(self.to);
        let own = pos.color(pos.side()).squares();
        let mut pieces: Vec<Square> =
            own.filter(|&from| self.names(pos, pos.piece(from).kind(), from)).collect();
        // Without a file, the pawn on the file of the target is meant.
        let file = |square| pos.geometry().file(square);
        if self.letter.is_none() && pieces.iter().any(|&from| file(from) == file(self.to)) {
            pieces.retain(|&from| file(from) == file(self.to));
        }
        let def = match self.letter {
            Some(letter) => V::PIECES.iter().find(|def| def.letter as char == letter),
            None => V::UNLETTERED.map(|kind| &V::PIECES[kind.index()]),
        };
        let name = def.map_or("piece", |def| def.name);
        match pieces.as_slice() {
            [] => format!("{} has no {name} that this could be", pos.side()),
            [from] => coords::why_not(pos, *from, self.to, &self.suffix),
            _ => format!("{} has no {name} that can go to {to}", pos.side()),
        }
    }
}
