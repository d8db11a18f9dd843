//! What the order of quiet moves is told of attacks is what the rules say.

use quintain::variants::chess::Chess;
use quintain::variants::gast::Gast14;
use quintain::variants::grandcavalier::GrandCavalier;
use quintain::variants::superchess::SuperChessFixed;
use quintain_core::board::{Move, Square, SquareSet, zobrist::random_numbers};
use quintain_core::eval::Evaluate;
use quintain_core::notation::Notation;
use quintain_core::rules::Position;
use quintain_core::search::threats::Threats;

/// Does an enemy that is worth less than the piece that moves, by more than 40, attack the square?
fn lesser_attacks<V: Evaluate>(pos: &Position<V>, mv: Move, square: Square) -> bool {
    V::attackers(pos, !pos.side(), square, pos.occupied()).squares().any(|from| {
        let kind = pos.piece(from).kind();
        kind != V::ROYAL && V::value(kind) + 40 < V::value(mv.becomes())
    })
}

/// Checks quiet moves of random games. Some checks of `lame` leapers may be overlooked.
fn check<V: Evaluate + Notation>(lame: bool) {
    let mut numbers = random_numbers(1);
    let (mut fleeing, mut checking, mut missed) = (0, 0, 0);
    for _ in 0..20 {
        let mut pos = Position::<V>::default();
        for _ in 0..60 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            let threats = Threats::new(&pos);
            for &mv in moves.iter().filter(|&&mv| !pos.is_noisy(mv)) {
                let [from, to] = [mv.from(), mv.to()].map(|square| lesser_attacks(&pos, mv, square));
                let checks = V::attacks(&pos, pos.side(), mv.becomes(), mv.to(), pos.occupied())
                    .has(pos.king(!pos.side()));
                let flees = i32::from(from) - i32::from(to);
                let expected = 6 * V::value(mv.becomes()).min(1200) * flees + 3000 * i32::from(checks);
                let overlooked = expected - threats.score(&pos, mv);
                assert!(overlooked == 0 || checks && lame && overlooked == 3000, "{}: {mv:?}", V::NAME);
                missed += i32::from(overlooked != 0);
                fleeing += flees.abs();
                checking += i32::from(checks);
            }
            pos.play_unchecked(moves[(numbers() % moves.len() as u64) as usize]);
        }
    }
    assert!(fleeing > 100 && checking > 10 + 2 * missed, "{}: {fleeing} {checking} {missed}", V::NAME);
}

#[test]
fn quiet_moves_flee_from_lesser_pieces_and_give_check() {
    check::<Chess>(false);
    check::<Gast14>(false);
    check::<GrandCavalier>(true);
    check::<SuperChessFixed>(false);
}
