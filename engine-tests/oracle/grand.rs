//! Grand Chess.

use super::Rules;
use super::board::{DIAGONAL, KNIGHT, Moves, ORTHOGONAL, Position, Square};
use super::pawn::Pawn;

pub struct Grand;

/// What a pawn may become, with how many of each a side starts with.
const PIECES: [(char, usize); 6] = [('Q', 1), ('C', 1), ('A', 1), ('R', 2), ('B', 2), ('N', 2)];

impl Rules for Grand {
    fn start(&self) -> &'static str {
        "r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1"
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        match pos.at(from).expect("a piece").1 {
            // Marshal: rook and knight. Cardinal: bishop and knight.
            'C' => [pos.slide(from, &ORTHOGONAL), pos.leap(from, &KNIGHT)].concat(),
            'A' => [pos.slide(from, &DIAGONAL), pos.leap(from, &KNIGHT)].concat(),
            'P' => pos.pawn_attacks(from),
            letter => pos.usual_attacks(from, letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        if letter == 'P' {
            Pawn { double: Some(3), arrival: &|to| arrival(pos, to) }.add_moves(pos, from, moves);
        } else {
            moves.add_plain(pos, from, self.attacks(pos, from));
        }
    }
}

/// On the last three ranks a pawn may become a piece of which its side has lost one. On the eighth
/// and ninth it may also stay a pawn; on the tenth it may not, and without such a piece it may not
/// go there.
fn arrival(pos: &Position, to: Square) -> (Vec<char>, bool) {
    let on = |n| to.1 == pos.rank(pos.side, n);
    let letters = if on(8) || on(9) || on(10) { pos.missing(&PIECES) } else { Vec::new() };
    (letters, !on(10))
}
