//! FIDE chess.

use super::Rules;
use super::board::{Moves, Position, Square};
use super::castling::{RookCastling, add_rook_castlings, keep_rook_castlings};
use super::pawn::{Pawn, must_promote};

pub struct Chess;

const CASTLINGS: [RookCastling; 2] = [
    RookCastling { letter: 'K', king: (4, 6), rook: (7, 5) },
    RookCastling { letter: 'Q', king: (4, 2), rook: (0, 3) },
];

impl Rules for Chess {
    fn start(&self) -> &'static str {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        match pos.at(from).expect("a piece").1 {
            'P' => pos.pawn_attacks(from),
            letter => pos.usual_attacks(from, letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        if letter == 'P' {
            let arrival = |to: Square| must_promote(to.1 == pos.rank(pos.side, 8), "QRBN");
            Pawn { double: Some(2), arrival: &arrival }.add_moves(pos, from, moves);
        } else {
            moves.add_plain(pos, from, self.attacks(pos, from));
        }
    }

    fn add_others(&self, pos: &Position, moves: &mut Moves) {
        add_rook_castlings(self, pos, &CASTLINGS, moves);
    }

    fn finish(&self, _before: &Position, after: &mut Position) {
        keep_rook_castlings(after, &CASTLINGS);
    }
}
