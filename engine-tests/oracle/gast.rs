//! Gast's Chess and his second game.

use super::Rules;
use super::board::{DIAGONAL, Moves, ORTHOGONAL, Position, Square, Step};
use super::castling::{Way, add_castling, has_right};
use super::pawn::{Pawn, must_promote};

/// One of the two games; they differ in width, array, and the pope.
pub struct Gast {
    start: &'static str,
    promotions: &'static str,
    wings: [Wing; 2],
}

/// Everything about castling towards one side of the board, by files.
struct Wing {
    /// The letters and starting files of archer and rook.
    archer: (char, i32),
    rook: (char, i32),
    /// Where king and archer go when they castle.
    near_king: i32,
    near_archer: i32,
    /// Where king and rook go when the king castles onwards, or at once with the rook.
    far_king: i32,
    far_rook: i32,
}

/// The file on which the king starts.
const KING: i32 = 6;

const LEFT: Wing =
    Wing { archer: ('D', 3), rook: ('A', 0), near_king: 4, near_archer: 5, far_king: 2, far_rook: 3 };

const fn right(archer: (char, i32), rook: (char, i32)) -> Wing {
    Wing { archer, rook, near_king: 8, near_archer: 7, far_king: 10, far_rook: 9 }
}

/// Gast's Chess.
pub static FIRST: Gast = Gast {
    start: "rngabqkbagnr/pppppppppppp/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/RNGABQKBAGNR \
            w ADILadil - 0 1",
    promotions: "QAGRBN",
    wings: [LEFT, right(('I', 8), ('L', 11))],
};

/// The second game, with popes.
pub static SECOND: Gast = Gast {
    start: "rngabqkoqbagnr/pppppppppppppp/14/14/14/14/14/14/14/14/PPPPPPPPPPPPPP/RNGABQKOQBAGNR \
            w ADKNadkn - 0 1",
    promotions: "QOAGRBN",
    wings: [LEFT, right(('K', 10), ('N', 13))],
};

impl Rules for Gast {
    fn start(&self) -> &'static str {
        self.start
    }

    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square> {
        let straight = || pos.slide(from, &ORTHOGONAL);
        let diagonal = || pos.slide(from, &DIAGONAL);
        match pos.at(from).expect("a piece").1 {
            'N' => knight(pos, from),
            // Guard: bishop and knight. Archer: rook and knight. Pope: all three.
            'G' => [diagonal(), knight(pos, from)].concat(),
            'A' => [straight(), knight(pos, from)].concat(),
            'O' => [straight(), diagonal(), knight(pos, from)].concat(),
            'P' => pawn_attacks(pos, from),
            letter => pos.usual_attacks(from, letter),
        }
    }

    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves) {
        if letter == 'P' {
            self.add_pawn_moves(pos, from, moves);
        } else {
            moves.add_plain(pos, from, self.attacks(pos, from));
        }
    }

    fn add_others(&self, pos: &Position, moves: &mut Moves) {
        for wing in &self.wings {
            add_castlings(self, pos, wing, moves);
        }
    }

    /// A king that moves loses all its rights, except that of castling onwards with the rook when
    /// it has just castled with the archer. An archer or rook that moves or is captured loses its
    /// own.
    fn finish(&self, before: &Position, after: &mut Position) {
        let mover = before.side;
        let (from, to) = (before.king(mover), after.king(mover));
        let castled_near = |wing: &Wing| from.0 == KING && to.0 == wing.near_king;
        after.keep_castling(|_, color, right| {
            let onwards = self.wings.iter().any(|w| castled_near(w) && w.rook.0 == right);
            color != mover || from == to || onwards
        });
        after.keep_castling(|pos, color, right| {
            let at_home = |(letter, file): (char, i32), piece: char| {
                letter == right && pos.at((file, pos.rank(color, 1))) == Some((color, piece))
            };
            self.wings.iter().any(|wing| at_home(wing.archer, 'A') || at_home(wing.rook, 'R'))
        });
    }
}

/// The knight of these games leaps one and two, one and three, or two and two squares.
fn knight(pos: &Position, from: Square) -> Vec<Square> {
    let mut leaps: Vec<Step> = Vec::new();
    for (near, far) in [(1, 2), (2, 1), (1, 3), (3, 1), (2, 2)] {
        leaps.extend(DIAGONAL.map(|(files, ranks)| (near * files, far * ranks)));
    }
    pos.leap(from, &leaps)
}

/// A pawn captures one square diagonally ahead, or two if the first is empty.
fn pawn_attacks(pos: &Position, from: Square) -> Vec<Square> {
    let forward = pos.at(from).expect("a pawn").0.forward();
    [-1, 1].into_iter().flat_map(|side| pos.walk(from, (side, forward)).into_iter().take(2)).collect()
}

impl Gast {
    /// Up to four squares ahead from the second rank, three from the third, two from elsewhere,
    /// all of them empty. Four squares let an enemy pawn capture on the last one passed.
    fn add_pawn_moves(&self, pos: &Position, from: Square, moves: &mut Moves) {
        // On the last rank it must promote.
        let arrival = |to: Square| must_promote(to.1 == pos.rank(pos.side, 12), self.promotions);
        let pawn = Pawn { double: None, arrival: &arrival };
        let forward = pos.side.forward();
        let most = match from.1 {
            rank if rank == pos.rank(pos.side, 2) => 4,
            rank if rank == pos.rank(pos.side, 3) => 3,
            _ => 2,
        };
        for n in 1..=most {
            let to = (from.0, from.1 + n * forward);
            if !pos.is_empty(to) {
                break;
            }
            let mut after = pos.pawn_steps(from, to);
            if n == 4 {
                after.en_passant = Some((to.0, to.1 - forward));
            }
            pawn.add(from, to, after, moves);
        }
        pawn.add_captures(pos, from, pawn_attacks(pos, from), moves);
    }
}

/// All ways to castle towards one side of the board.
fn add_castlings(game: &Gast, pos: &Position, wing: &Wing, moves: &mut Moves) {
    let archer = has_right(pos, wing.archer.0);
    let rook = has_right(pos, wing.rook.0);
    let archer_way = (wing.archer.1, wing.near_archer);
    let rook_way = (wing.rook.1, wing.far_rook);
    let mut add = |king, partners: &[Way]| add_castling(game, pos, king, partners, moves);
    if pos.king(pos.side) == (KING, pos.rank(pos.side, 1)) {
        // With the archer alone.
        if archer {
            add((KING, wing.near_king), &[archer_way]);
        }
        // With the rook alone, no piece between. This excludes the next way.
        if rook {
            add((KING, wing.far_king), &[rook_way]);
        }
        // With both, if only that archer stands between.
        if archer && rook {
            add((KING, wing.far_king), &[rook_way, archer_way]);
        }
    } else if pos.king(pos.side) == (wing.near_king, pos.rank(pos.side, 1)) && rook {
        // Onwards with the rook, after castling with the archer: the right says that the king has
        // made no other move.
        add((wing.near_king, wing.far_king), &[rook_way]);
    }
}
