//! Super Chess, with its set-up phase or from a fixed array.

use super::Rules;
use super::board::{KNIGHT, Moves, Position, Square, Step, name};
use super::castling::{RookCastling, add_rook_castlings, keep_rook_castlings};
use super::fen::{COMPASS, Extra, turned};

pub struct SuperChess {
    /// Whether the pawns stand on the board from the start.
    pub fixed: bool,
}

const CASTLINGS: [RookCastling; 2] = [
    RookCastling { letter: 'A', king: (4, 2), rook: (0, 3) },
    RookCastling { letter: 'J', king: (4, 7), rook: (9, 6) },
];

/// How far away an archer shoots.
const SHOTS: [Step; 4] = [(0, 4), (4, 0), (0, -4), (-4, 0)];

impl Rules for SuperChess {
    fn start(&self) -> &'static str {
        if self.fixed {
            "rnbckqabnr/ppppsspppp/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 1 n,n"
        } else {
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] w AJaj - 0 1 ?,?"
        }
    }

    fn extra(&self) -> Extra {
        Extra::Facings
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        match pos.at(from).expect("a piece").1 {
            'C' => cyclops_attacks(pos, from),
            'A' => [pos.leap(from, &KNIGHT), pos.leap(from, &SHOTS)].concat(),
            'P' => pos.pawn_attacks(from),
            'S' => super_pawn_attacks(pos, from),
            letter => pos.usual_attacks(from, letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        match letter {
            _ if pos.in_setup() => (),
            'C' => add_cyclops_moves(pos, from, moves),
            'A' => add_archer_moves(pos, from, moves),
            'P' | 'S' => {
                add_pawn_steps(pos, from, letter, moves);
                for to in self.attacks(pos, from) {
                    if let Some(after) = pos.pawn_takes(from, to) {
                        add_arrival(pos, from, to, after, moves);
                    }
                }
            }
            _ => moves.add_plain(pos, from, self.attacks(pos, from)),
        }
    }

    fn add_others(&self, pos: &Position, moves: &mut Moves) {
        if pos.in_setup() {
            add_setup_moves(pos, moves);
        } else {
            add_rook_castlings(self, pos, &CASTLINGS, moves);
        }
    }

    fn finish(&self, _before: &Position, after: &mut Position) {
        keep_rook_castlings(after, &CASTLINGS);
    }
}

/// First each side places its two super pawns on its second rank, where pawns fill the other
/// squares; then each chooses the facing of its cyclops.
fn add_setup_moves(pos: &Position, moves: &mut Moves) {
    if pos.reserve.contains(pos.side.letter('S')) {
        for left in 0..pos.width {
            for right in left + 1..pos.width {
                add_placement(pos, left, right, moves);
            }
        }
    } else {
        let (from, _) = pos.pieces(pos.side).find(|&(_, letter)| letter == 'C').expect("a cyclops");
        let mut after = pos.next();
        after.halfmove = 0;
        add_facings(from, from, &after, "", None, moves);
    }
}

fn add_placement(pos: &Position, left: i32, right: i32, moves: &mut Moves) {
    let rank = pos.rank(pos.side, 2);
    let mut after = pos.next();
    for file in 0..pos.width {
        let letter = if file == left || file == right { 'S' } else { 'P' };
        after.put((file, rank), Some((pos.side, letter)));
    }
    after.reserve.retain(|letter| letter != pos.side.letter('S'));
    after.halfmove = 0;
    moves.add_text(format!("S@{},S@{}", name((left, rank)), name((right, rank))), after);
}

/// The board squares one, two and three steps away in one direction.
fn three(pos: &Position, from: Square, step: Step) -> Vec<Square> {
    pos.leap(from, &[1, 2, 3].map(|n| (n * step.0, n * step.1)))
}

/// The squares a cyclops can retreat over: up to three behind it, none from its own king on.
fn behind(pos: &Position, from: Square, facing: Step) -> Vec<Square> {
    let king = pos.king(pos.at(from).expect("a cyclops").0);
    let back = three(pos, from, (-facing.0, -facing.1));
    back.into_iter().take_while(|&square| square != king).collect()
}

/// It can capture on three squares ahead and three behind, whatever stands between; only its own
/// king ends them. Before its facing is chosen it attacks nothing.
fn cyclops_attacks(pos: &Position, from: Square) -> Vec<Square> {
    match pos.facings[&from] {
        Some(facing) => [three(pos, from, facing), behind(pos, from, facing)].concat(),
        None => Vec::new(),
    }
}

fn add_cyclops_moves(pos: &Position, from: Square, moves: &mut Moves) {
    let facing = pos.facings[&from].expect("a facing");
    // Forward, the enemies it meets are captured, its own pieces are not; it may not end on one.
    let ahead = three(pos, from, facing);
    for (n, &to) in ahead.iter().enumerate() {
        if !pos.is_side(to, pos.side) {
            let mut after = pos.next();
            let enemies = ahead[..=n].iter().filter(|&&met| pos.is_side(met, pos.side.other()));
            enemies.for_each(|&met| after.capture(met));
            after.carry(from, to);
            add_facings(from, to, &after, "", None, moves);
        }
    }
    // Backward, all pieces it meets are captured.
    let back = behind(pos, from, facing);
    for (n, &to) in back.iter().enumerate() {
        let mut after = pos.next();
        back[..=n].iter().for_each(|&met| after.capture(met));
        after.carry(from, to);
        add_facings(from, to, &after, "", None, moves);
    }
    // On the spot it may turn to any facing but the one it has.
    add_facings(from, from, &pos.next(), "", Some(facing), moves);
}

/// Adds a move for each facing that the mover's cyclops on `to` may have afterwards, which is any
/// but the forbidden one. The text names a promotion's letter before the facing.
fn add_facings(
    from: Square,
    to: Square,
    after: &Position,
    promotion: &str,
    forbidden: Option<Step>,
    moves: &mut Moves,
) {
    let (owner, _) = after.at(to).expect("a cyclops");
    for (point, step) in COMPASS {
        let facing = Some(turned(owner, step));
        if facing != forbidden {
            let mut faced = after.clone();
            faced.facings.insert(to, facing);
            moves.add_text(format!("{}{}{promotion}{point}", name(from), name(to)), faced);
        }
    }
}

/// An archer moves like a knight, or takes an enemy four squares away and stays where it is.
fn add_archer_moves(pos: &Position, from: Square, moves: &mut Moves) {
    moves.add_plain(pos, from, pos.leap(from, &KNIGHT));
    for target in pos.leap(from, &SHOTS) {
        if pos.is_side(target, pos.side.other()) {
            let mut after = pos.next();
            after.capture(target);
            moves.add(from, target, after);
        }
    }
}

/// A super pawn captures one or two squares diagonally ahead, over whatever stands between.
fn super_pawn_attacks(pos: &Position, from: Square) -> Vec<Square> {
    let forward = pos.at(from).expect("a super pawn").0.forward();
    pos.leap(from, &[(-1, forward), (1, forward), (-2, 2 * forward), (2, 2 * forward)])
}

/// One step ahead, or two from the second rank. A super pawn's double step leaps over whatever
/// stands on the first square. Only a double step over an empty square can be answered en passant.
fn add_pawn_steps(pos: &Position, from: Square, letter: char, moves: &mut Moves) {
    let forward = pos.side.forward();
    let (one, two) = ((from.0, from.1 + forward), (from.0, from.1 + 2 * forward));
    if pos.is_empty(one) {
        add_arrival(pos, from, one, pos.pawn_steps(from, one), moves);
    }
    let free = pos.is_empty(one) || letter == 'S';
    if from.1 == pos.rank(pos.side, 2) && free && pos.is_empty(two) {
        let mut after = pos.pawn_steps(from, two);
        after.en_passant = pos.is_empty(one).then_some(one);
        moves.add(from, two, after);
    }
}

/// On the last rank both kinds of pawn must promote; who takes a cyclops chooses its facing.
fn add_arrival(pos: &Position, from: Square, to: Square, mut after: Position, moves: &mut Moves) {
    if to.1 != pos.rank(pos.side, 10) {
        moves.add(from, to, after);
        return;
    }
    moves.add_promotions(from, to, &after, &['Q', 'R', 'B', 'N', 'A']);
    after.put(to, Some((pos.side, 'C')));
    add_facings(from, to, &after, "c", None, moves);
}
