//! Castling of most games: the king moves along its rank, and one or two partners
//! go to squares that it has passed.

use super::Rules;
use super::board::{Moves, Position, Square, plus};

/// The files that a piece comes from and goes to.
pub type Way = (i32, i32);

/// Adds a way to castle, if it is possible; the caller checks the rights of king and partners. The outermost partner
/// is named first.
///
/// No piece may stand between the king and the outermost partner, except the other partner. The king
/// may not be in check, nor pass or reach an attacked square. That it is not in check
/// afterwards is checked as for any other move.
pub fn add_castling(rules: &dyn Rules, pos: &Position, king: Way, partners: &[Way], moves: &mut Moves) {
    let square = |file: i32| -> Square { (file, pos.rank(pos.side, 1)) };
    let (from, to) = (square(king.0), square(king.1));
    let is_partner = |at: Square| partners.iter().any(|way| square(way.0) == at);
    let free = |at: Square| pos.is_empty(at) || is_partner(at);
    let safe = |at: Square| !rules.attacked(pos, at, pos.side.other());
    if !between(from, square(partners[0].0)).into_iter().all(free)
        || ![vec![from, to], between(from, to)].concat().into_iter().all(safe)
    {
        return;
    }
    let mut after = pos.next();
    let all = [&[king], partners].concat();
    for &(file, _) in &all {
        after.put(square(file), None);
    }
    for &(file, goal) in &all {
        after.put(square(goal), pos.at(square(file)));
    }
    moves.add(from, to, after);
}

/// The squares strictly between two squares of one rank.
fn between(from: Square, to: Square) -> Vec<Square> {
    let step = ((to.0 - from.0).signum(), 0);
    let next = |&square: &Square| Some(plus(square, step)).filter(|&square| square != to);
    std::iter::successors(next(&from), next).collect()
}

/// Whether the castling field gives the side to move the right with this letter.
pub fn has_right(pos: &Position, letter: char) -> bool {
    pos.castling.contains(pos.side.letter(letter))
}

/// Castling of king and rook from where they started.
pub struct RookCastling {
    /// The letter of the right to it.
    pub letter: char,
    pub king: Way,
    pub rook: Way,
}

/// Adds those for which the right is still there.
pub fn add_rook_castlings(rules: &dyn Rules, pos: &Position, castlings: &[RookCastling], moves: &mut Moves) {
    for castling in castlings {
        if has_right(pos, castling.letter) {
            add_castling(rules, pos, castling.king, &[castling.rook], moves);
        }
    }
}

/// A right lasts while king and rook stand where they started: a piece that leaves loses it, and so
/// does a rook that is captured, whoever did it.
pub fn keep_rook_castlings(after: &mut Position, castlings: &[RookCastling]) {
    after.keep_castling(|pos, color, letter| {
        let home = |way: Way, piece: char| pos.at((way.0, pos.rank(color, 1))) == Some((color, piece));
        let castling = castlings.iter().find(|castling| castling.letter == letter);
        castling.is_some_and(|castling| home(castling.king, 'K') && home(castling.rook, 'R'))
    });
}
