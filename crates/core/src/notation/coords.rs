//! Moves as coordinates: from, to, and a suffix where the game needs one (`e7e8q`, `d1d3ne`). UCI uses this form.

use super::Notation;
use crate::board::{Color, Move, MoveList, Square, SquareSet, Tag};
use crate::rules::movegen::All;
use crate::rules::setup::quoted;
use crate::rules::{Editor, Position, Set};
use thiserror::Error;

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text}: {reason}")]
pub struct MoveError {
    /// The text as it was given, cut if it is long.
    pub text: String,
    /// Why it is not a legal move.
    pub reason: String,
}

impl MoveError {
    pub(super) fn new(text: &str, reason: String) -> MoveError {
        MoveError { text: quoted(text).trim_matches('\'').into(), reason }
    }
}

/// Writes a move.
pub fn write<V: Notation>(pos: &Position<V>, mv: Move) -> String {
    let (from, to) = (pos.geometry().name(mv.from()), pos.geometry().name(mv.to()));
    match mv.tag() {
        Tag::Place => {
            let letter = V::PIECES[mv.kind().index()].letter.to_ascii_uppercase() as char;
            format!("{letter}@{from},{letter}@{to}")
        }
        _ => format!("{from}{to}{}", V::suffix(mv)),
    }
}

/// Reads a legal move.
pub fn parse<V: Notation>(pos: &Position<V>, text: &str) -> Result<Move, MoveError> {
    let error = |reason: String| MoveError::new(text, reason);
    if text.contains('@') {
        let found =
            pos.legal_moves().into_iter().find(|&mv| mv.tag() == Tag::Place && write(pos, mv) == text);
        return found.ok_or_else(|| {
            let reason = match pos.legal_moves().iter().find(|mv| mv.tag() == Tag::Place) {
                Some(&example) => format!(
                    "no legal placement; write both squares, files ascending, like {}",
                    write(pos, example)
                ),
                None => "there is no piece to place".into(),
            };
            error(reason)
        });
    }
    let Some((from, rest)) = pos.geometry().read(text) else {
        return Err(error("a move begins with a square of the board".into()));
    };
    let Some((to, suffix)) = pos.geometry().read(rest) else {
        return Err(error(format!("no square of the board follows {}", pos.geometry().name(from))));
    };
    let found = between(pos, from, to).into_iter().find(|&mv| V::suffix(mv) == suffix);
    found.ok_or_else(|| error(why_not(pos, from, to, suffix)))
}

/// The legal moves that go from `from` to `to`.
fn between<V: Notation>(pos: &Position<V>, from: Square, to: Square) -> MoveList {
    let mut moves = MoveList::new();
    pos.generate::<All, _>(Set::<V>::single(from), &mut moves);
    moves.retain(|mv| mv.to() == to && mv.tag() != Tag::Place);
    moves
}

/// Would a move go from `from` to `to` without the pieces on `blockers`?
fn could_go<V: Notation>(pos: &Position<V>, from: Square, to: Square, blockers: Set<V>) -> bool {
    let kings = Color::BOTH.map(|color| pos.pieces(color, V::ROYAL));
    let mut freed = pos.without_history();
    let mut editor = Editor::new(&mut freed);
    for square in blockers.minus(kings[0] | kings[1]).squares() {
        editor.take_unhashed(square);
    }
    !between(&freed, from, to).is_empty()
}

/// Does `text` begin with two squares of the board?
pub(super) fn names_two_squares<V: Notation>(pos: &Position<V>, text: &str) -> bool {
    let geometry = pos.geometry();
    geometry.read(text).is_some_and(|(_, rest)| geometry.read(rest).is_some())
}

/// Why no legal move goes from `from` to `to` with `suffix`.
pub(super) fn why_not<V: Notation>(pos: &Position<V>, from: Square, to: Square, suffix: &str) -> String {
    let name = |square| pos.geometry().name(square);
    let moves = between(pos, from, to);
    if !moves.is_empty() {
        let known: Vec<String> = moves.iter().map(|&mv| V::suffix(mv)).collect();
        return match (suffix.is_empty(), known.iter().all(String::is_empty)) {
            (_, true) => {
                format!("{} does not belong to this move, write {}{}", quoted(suffix), name(from), name(to))
            }
            (true, false) => format!("add one of: {}", known.join(" ")),
            (false, false) => format!("{} is not one of: {}", quoted(suffix), known.join(" ")),
        };
    }
    let (piece, target) = (pos.piece(from), pos.piece(to));
    if !piece.is_some() {
        return format!("there is no piece on {}", name(from));
    }
    let what = V::PIECES[piece.kind().index()].name;
    if piece.color() != pos.side() {
        return format!("the {what} on {} is {}'s, but {} is to move", name(from), piece.color(), pos.side());
    }
    if let Some(reason) = V::explain(pos, from, to) {
        return reason;
    }
    if target.is_some() && target.color() == piece.color() {
        return format!("a piece of the same side is on {}", name(to));
    }
    let is_pawn = what.ends_with("pawn");
    let reach = V::attacks(pos, piece.color(), piece.kind(), from, pos.occupied());
    if reach.has(to) && (target.is_some() || !is_pawn) {
        return if piece.kind() == V::ROYAL {
            format!("the {what} would be attacked on {}", name(to))
        } else if pos.in_check() {
            format!("this does not end the check by the piece on {}", name(pos.checkers().first()))
        } else {
            format!("the {} would be attacked", V::PIECES[V::ROYAL.index()].name)
        };
    }
    let straight = V::attacks(pos, piece.color(), piece.kind(), from, Set::<V>::EMPTY).has(to);
    let blockers = pos.geometry().between(from, to) & pos.occupied();
    if !reach.has(to) && straight && blockers.any() {
        return format!("the {what} is blocked by the piece on {}", name(blockers.first()));
    }
    if is_pawn {
        let aside = pos.geometry().file(from) != pos.geometry().file(to);
        if reach.has(to) {
            return format!("a {what} moves diagonally only to capture, and {} is empty", name(to));
        }
        let blockers = blockers | pos.occupied() & Set::<V>::single(to);
        if !aside && blockers.any() && could_go(pos, from, to, blockers) {
            let at = if target.is_some() { to } else { blockers.first() };
            return format!("the {what} is blocked by the piece on {}", name(at));
        }
    }
    if pos.in_check() {
        return format!("no legal move; the {} is in check", V::PIECES[V::ROYAL.index()].name);
    }
    format!("the {what} on {} cannot go to {}", name(from), name(to))
}
