//! Canyon Chess.

use super::Rules;
use super::board::{Color, DIAGONAL, KNIGHT, Moves, ORTHOGONAL, Position, Square};
use super::fen::Extra;
use super::pawn::{Pawn, must_promote};

pub struct Canyon;

impl Rules for Canyon {
    fn start(&self) -> &'static str {
        "1******1/an*kq*na/mppppppm/*6*/*6*/MPPPPPPM/AN*KQ*NA/1******1 w - - 0 1"
    }

    fn extra(&self) -> Extra {
        Extra::Ten
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        match pos.at(from).expect("a piece").1 {
            // Marshal: rook and knight. Archbishop: bishop and knight.
            'M' => [pos.slide(from, &ORTHOGONAL), pos.leap(from, &KNIGHT)].concat(),
            'A' => [pos.slide(from, &DIAGONAL), pos.leap(from, &KNIGHT)].concat(),
            'P' => pos.pawn_attacks(from),
            letter => pos.usual_attacks(from, letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        if letter == 'P' {
            // No double step. On the sixth rank it must promote.
            let arrival = |to: Square| must_promote(to.1 == pos.rank(pos.side, 6), "QMAN");
            Pawn { double: None, arrival: &arrival }.add_moves(pos, from, moves);
        } else {
            moves.add_plain(pos, from, self.attacks(pos, from));
        }
        if letter == 'K' || letter == 'Q' {
            add_swaps(pos, from, letter, moves);
        }
    }

    fn finish(&self, before: &Position, after: &mut Position) {
        // A move of the stronger side counts if the other side has only its king after it. The weaker side's moves
        // change nothing, unless they leave two bare kings.
        let bare = |color: Color| after.pieces(color).count() == 1;
        after.ten = match (bare(before.side), bare(after.side)) {
            (false, true) => (before.ten + 1).min(10),
            (true, false) => before.ten,
            _ => 0,
        };
    }
}

/// King or queen exchanges squares with a piece of its side two files away on the same rank, of any
/// kind, if no piece stands between them; a hole there does not matter. Two queens do not exchange,
/// and the exchange of king and queen is the king's move. Attacked squares do not matter.
fn add_swaps(pos: &Position, from: Square, letter: char, moves: &mut Moves) {
    for side in [-1, 1] {
        let middle = (from.0 + side, from.1);
        let to = (from.0 + 2 * side, from.1);
        let Some((color, partner)) = pos.at(to) else { continue };
        let listed_elsewhere = letter == 'Q' && (partner == 'Q' || partner == 'K');
        if color == pos.side && pos.at(middle).is_none() && !listed_elsewhere {
            let mut after = pos.next();
            after.put(from, pos.at(to));
            after.put(to, pos.at(from));
            moves.add(from, to, after);
        }
    }
}
