//! A slow, plain mate solver, against which mate searches are tested: every move of the attacker, every answer, and
//! whether the game is over after each. It knows nothing else.

use quintain::board::Color;
use quintain::engine::{GameInfo, Playable, Session};
use quintain::notation::fen;
use quintain::rules::{Position, Reason};
use std::collections::HashMap;

/// Solves positions of one game. Positions with the attacker to move are kept by their FEN, which has all counters.
#[derive(Default)]
pub struct Solver {
    mates: HashMap<(String, u32), bool>,
}

impl Solver {
    /// In how many moves the side to move mates, if that is at most `most`.
    pub fn shortest<V: Playable>(&mut self, pos: &mut Position<V>, most: u32) -> Option<u32> {
        (1..=most).find(|&moves| self.mates_within(pos, moves))
    }

    fn mates_within<V: Playable>(&mut self, pos: &mut Position<V>, moves: u32) -> bool {
        let place = (pos.to_string(), moves);
        if let Some(&known) = self.mates.get(&place) {
            return known;
        }
        let mut mates = false;
        for mv in if pos.outcome().is_some() { Default::default() } else { pos.legal_moves() } {
            pos.play(mv).expect("a legal move");
            mates = match pos.outcome() {
                Some(outcome) => outcome.reason == Reason::Checkmate,
                None => moves > 1 && self.loses(pos, moves - 1),
            };
            pos.take_back();
            if mates {
                break;
            }
        }
        self.mates.insert(place, mates);
        mates
    }

    /// Is the side to move mated within so many moves of the other side, whatever it does?
    fn loses<V: Playable>(&mut self, pos: &mut Position<V>, moves: u32) -> bool {
        pos.legal_moves().into_iter().all(|mv| {
            pos.play(mv).expect("a legal move");
            let loses = self.mates_within(pos, moves);
            pos.take_back();
            loses
        })
    }
}

/// Kings and so many other pieces of each side on random squares, as a FEN, which may not be legal.
pub fn few_pieces(
    session: &dyn Session,
    pieces: [usize; 2],
    side: Color,
    random: &mut impl FnMut(usize) -> usize,
) -> String {
    let info: GameInfo = session.info();
    let (mut squares, mut board, mut facings) = (session.squares(), HashMap::new(), Vec::new());
    for (color, count) in Color::BOTH.into_iter().zip(pieces) {
        for number in 0..=count {
            let kind = if number == 0 { info.royal } else { random(info.pieces.len()) };
            if number > 0 && kind == info.royal {
                continue;
            }
            let letter = info.pieces[kind].letter as char;
            let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
            board.insert(squares.swap_remove(random(squares.len())), letter);
        }
    }
    let all = session.squares();
    let placement = fen::placement(info.files, info.ranks, |file, rank| {
        let piece = board.get(&(file, rank)).copied();
        if piece
            .is_some_and(|piece| info.pieces.iter().filter(|def| def.letter == piece as u8 | 32).count() > 1)
        {
            facings.push(["n", "ne", "e", "se", "s", "sw", "w", "nw"][random(8)]);
        }
        if all.contains(&(file, rank)) { piece } else { Some('*') }
    });
    let side = if side == Color::White { 'w' } else { 'b' };
    format!("{placement} {side} - - 0 1 {}", facings.join(",")).trim_end().to_owned()
}
