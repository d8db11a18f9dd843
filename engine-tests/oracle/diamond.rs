//! Diamond Chess.

use super::Rules;
use super::board::{Color, Moves, Position, Square, name};
use super::pawn::{Pawn, must_promote};

pub struct Diamond;

impl Rules for Diamond {
    fn start(&self) -> &'static str {
        "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1"
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        let usual = |letter| pos.usual_attacks(from, letter);
        match pos.at(from).expect("a piece").1 {
            // Archbishop: bishop and king's step. Vizier: rook and king's step.
            'A' => [usual('B'), usual('K')].concat(),
            'V' => [usual('R'), usual('K')].concat(),
            'P' => pos.pawn_attacks(from),
            letter => usual(letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        if letter == 'P' {
            add_pawn_moves(pos, from, moves);
        } else {
            moves.add_plain(pos, from, self.attacks(pos, from));
        }
    }
}

/// One step straight ahead, captures diagonally ahead. Only where there is no square at all ahead,
/// the pawn may step sideways instead, without capturing.
fn add_pawn_moves(pos: &Position, from: Square, moves: &mut Moves) {
    // It must promote where the opponent's king and pieces stood at the start.
    let goals = match pos.side {
        Color::White => ["e9", "d8", "e8", "f8", "e7"],
        Color::Black => ["e1", "d2", "e2", "f2", "e3"],
    };
    let arrival = |to| must_promote(goals.contains(&name(to).as_str()), "RNVA");
    let pawn = Pawn { double: None, arrival: &arrival };
    pawn.add_moves(pos, from, moves);
    let (file, rank) = from;
    if !pos.on_board((file, rank + pos.side.forward())) {
        for to in [(file - 1, rank), (file + 1, rank)] {
            if pos.is_empty(to) {
                pawn.add(from, to, pos.pawn_steps(from, to), moves);
            }
        }
    }
}
