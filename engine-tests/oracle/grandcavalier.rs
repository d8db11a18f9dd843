//! Grand Cavalier Chess.

use super::Rules;
use super::board::{DIAGONAL, KNIGHT, Moves, ORTHOGONAL, Position, Square, plus};

pub struct GrandCavalier;

/// What a cavalier may become, with how many of each a side starts with.
const PIECES: [(char, usize); 5] = [('Q', 1), ('M', 2), ('P', 2), ('N', 2), ('C', 2)];

impl Rules for GrandCavalier {
    fn start(&self) -> &'static str {
        "1mnpqkpnm1/c8c/1vvvvvvvv1/10/10/10/10/1VVVVVVVV1/C8C/1MNPQKPNM1 w - - 0 1"
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        let knight = pos.leap(from, &KNIGHT);
        match pos.at(from).expect("a piece").1 {
            'K' => [pos.usual_attacks(from, 'K'), knight].concat(),
            'Q' => pos.usual_attacks(from, 'Q'),
            // Marshall: rook and knight. Paladin: bishop and knight.
            'M' => [pos.slide(from, &ORTHOGONAL), knight].concat(),
            'P' => [pos.slide(from, &DIAGONAL), knight].concat(),
            // Nightrider: leap after leap in one direction, as long as it lands on empty squares.
            'N' => pos.slide(from, &KNIGHT),
            'C' => cannon_captures(pos, from),
            'V' => cavalier_reach(pos, from),
            letter => panic!("no such piece: {letter}"),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        match letter {
            'C' => add_cannon_moves(pos, from, moves),
            'V' => add_cavalier_moves(pos, from, moves),
            _ => moves.add_plain(pos, from, self.attacks(pos, from)),
        }
    }
}

/// Beyond the first piece in each rook direction, whoever owns it, the cannon could capture on every
/// square up to and with the next piece.
fn cannon_captures(pos: &Position, from: Square) -> Vec<Square> {
    let mut reached = Vec::new();
    for step in ORTHOGONAL {
        let screen = pos.walk(from, step).into_iter().find(|&square| pos.at(square).is_some());
        if let Some(screen) = screen {
            reached.extend(pos.walk(screen, step));
        }
    }
    reached
}

/// It moves like a rook, over empty squares only, and captures over a screen.
fn add_cannon_moves(pos: &Position, from: Square, moves: &mut Moves) {
    let mut targets = pos.slide(from, &ORTHOGONAL);
    targets.retain(|&to| pos.is_empty(to));
    let mut captures = cannon_captures(pos, from);
    captures.retain(|&to| pos.is_side(to, pos.side.other()));
    moves.add_plain(pos, from, [targets, captures].concat());
}

/// One square like a rook, which must be empty, then one like a bishop, farther away.
fn cavalier_reach(pos: &Position, from: Square) -> Vec<Square> {
    let mut reached = Vec::new();
    for (files, ranks) in ORTHOGONAL {
        let first = plus(from, (files, ranks));
        if !pos.is_empty(first) {
            continue;
        }
        for outward in DIAGONAL {
            let farther = outward.0 == files || outward.1 == ranks;
            if farther && pos.on_board(plus(first, outward)) {
                reached.push(plus(first, outward));
            }
        }
    }
    reached
}

/// On the last rank a cavalier must become a piece of which its side has lost one; without such a
/// piece it may not go there.
fn add_cavalier_moves(pos: &Position, from: Square, moves: &mut Moves) {
    let (last, plain): (Vec<Square>, Vec<Square>) =
        cavalier_reach(pos, from).into_iter().partition(|&(_, rank)| rank == pos.rank(pos.side, 10));
    moves.add_plain(pos, from, plain);
    for to in last {
        if !pos.is_side(to, pos.side) {
            moves.add_promotions(from, to, &pos.moved(from, to), &pos.missing(&PIECES));
        }
    }
}
