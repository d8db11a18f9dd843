//! What happens in a solution: names of motifs, by rules.

use crate::puzzle::Puzzle;
use quintain_core::board::Tag;
use quintain_engine::{FileRank, MoveInfo, Session};
use std::collections::HashMap;

/// What a piece must be worth, in pawns, to be the target of a fork or a pin.
const TARGET: f64 = 2.5;
/// How much material, in pawns, the solver has less after the answer, to call it a sacrifice.
const SACRIFICE: f64 = 1.5;

/// The motifs of a puzzle, the most particular first.
pub fn tags(game: &str, puzzle: &Puzzle) -> Vec<String> {
    let Some(mut session) = puzzle.position(game, 0) else { return Vec::new() };
    let (side, before) = (session.side(), session.material());
    let mut tags: Vec<&str> = Vec::new();
    let (mut last, worth): (Option<MoveInfo>, _) = (None, worths(&*session));
    let mut add = |tag| {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    };
    for (ply, text) in puzzle.solution.iter().enumerate() {
        let ours = ply % 2 == 0;
        let pinned = if ours { other_side(&*session).map(|other| other.pinned()) } else { None };
        let Ok(info) = session.play(text) else { break };
        if !ours {
            let change = session.material() - before;
            let lost = -change * f64::from(side.forward());
            if ply == 1 && lost >= SACRIFICE {
                add("sacrifice");
            }
            continue;
        }
        if let Some(tag) = of_move(info.tag) {
            add(tag);
        }
        if info.from.1 == info.to.1 && is_pawn(&*session, info.piece) {
            add("side step");
        }
        if info.becomes.is_some() {
            add("promotion");
        }
        let checkers = session.checkers();
        let to = quintain_core::board::square_name(info.to);
        if checkers.len() > 1 {
            add("double check");
        } else if checkers.iter().any(|square| *square != to) && !matches!(info.tag, Tag::Shot | Tag::Swap) {
            add("discovered check");
        }
        // A piece that gave check, and takes something else with its next move.
        let forked = last.as_ref().is_some_and(|last| last.to == info.from && info.taken.contains(&info.to));
        if forked || checkers.is_empty() && forks(&*session, &info, &worth) {
            add("fork");
        }
        let is_new = |place| pinned.as_ref().is_some_and(|before| !before.contains(&place));
        let is_pinned = |place| is_new(place) && is_target(&*session, place, &worth);
        if checkers.is_empty() && session.pinned().into_iter().any(is_pinned) {
            add("pin");
        }
        if ply == 0 && info.taken.is_empty() && info.becomes.is_none() && checkers.is_empty() {
            add("quiet move");
        }
        last = (!checkers.is_empty()).then_some(info);
    }
    add(phase(&*session));
    tags.into_iter().map(str::to_owned).collect()
}

/// The name of an unusual move.
fn of_move(tag: Tag) -> Option<&'static str> {
    match tag {
        Tag::EnPassant => Some("en passant"),
        Tag::Castle => Some("castling"),
        Tag::Swap => Some("exchange"),
        Tag::Shot => Some("shot"),
        Tag::Charge => Some("run-over"),
        Tag::Retreat => Some("blind retreat"),
        Tag::Turn => Some("turn"),
        Tag::Plain | Tag::LongStep | Tag::Place => None,
    }
}

fn is_pawn(session: &dyn Session, letter: char) -> bool {
    let mut pieces = session.info().pieces.iter();
    pieces.any(|def| letter.eq_ignore_ascii_case(&char::from(def.letter)) && def.name.ends_with("pawn"))
}

/// Does the piece that has just moved attack two pieces that are worth something?
fn forks(session: &dyn Session, info: &MoveInfo, worth: &HashMap<char, f64>) -> bool {
    let Some(again) = other_side(session) else { return false };
    let moves = again.moves_in_full().into_iter().filter(|mv| mv.from == info.to);
    let mut targets: Vec<FileRank> = moves.filter_map(|mv| mv.taken.first().copied()).collect();
    targets.retain(|&place| is_target(session, place, worth));
    targets.sort_unstable();
    targets.dedup();
    targets.len() > 1
}

/// The position with the other side to move; `None` if the side to move is in check.
fn other_side(session: &dyn Session) -> Option<Box<dyn Session>> {
    let mut other = session.snapshot();
    other.pass().ok()?;
    Some(other)
}

/// Is there a piece that is worth something?
fn is_target(session: &dyn Session, place: FileRank, worth: &HashMap<char, f64>) -> bool {
    let letter = session.piece(place).map(|letter| letter.to_ascii_lowercase());
    letter.and_then(|letter| worth.get(&letter)).is_some_and(|&worth| worth >= TARGET)
}

/// What pieces are worth, in pawns, by their letters.
fn worths(session: &dyn Session) -> HashMap<char, f64> {
    let info = session.info();
    let worth = |worth: i32| f64::from(worth) / f64::from(info.pawn);
    info.pieces.iter().map(|def| (def.letter as char, worth(def.worth[0]))).collect()
}

/// How far the game has come.
fn phase(session: &dyn Session) -> &'static str {
    let info = session.info();
    let pieces = session.squares().into_iter().filter(|&place| session.piece(place).is_some()).count() as u32;
    match pieces {
        pieces if 3 * pieces <= 2 * info.max_pieces => "endgame",
        _ if session.fullmove() <= 12 => "opening",
        _ => "middlegame",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags_of(game: &str, line: &str) -> Vec<String> {
        tags(game, &Puzzle::read(line, game).unwrap())
    }

    #[test]
    fn motifs_follow_from_the_moves() {
        let fork = "r3k3/8/8/1N6/8/8/8/4K2R w - - 0 30; win; Nc7+ Kd7 Nxa8; ; 0";
        assert_eq!(tags_of("chess", fork), ["fork", "endgame"]);
        let quiet = "3q1r1k/8/8/8/6N1/8/8/4K3 w - - 0 30; win; Ne5; ; 0";
        assert_eq!(tags_of("chess", quiet), ["quiet move", "endgame"]);
        let forks = "3q1r1k/8/8/8/6N1/8/8/4K3 w - - 0 30; win; Nh6; ; 0";
        assert!(!tags_of("chess", forks).contains(&"fork".to_owned()));
        let both = "3q3k/8/r7/8/6N1/8/1p6/4K3 w - - 0 30; win; Ne5; ; 0";
        assert_eq!(tags_of("chess", both), ["quiet move", "endgame"]);
        let discovered = "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 30; win; Nc5+; ; 0";
        assert_eq!(tags_of("chess", discovered), ["discovered check", "endgame"]);
        let pin = "4k3/4n3/8/8/8/8/8/R5K1 w - - 0 30; win; Re1; ; 0";
        assert_eq!(tags_of("chess", pin), ["pin", "quiet move", "endgame"]);
        // It was pinned before.
        let pinned = "4k3/4n3/8/8/8/8/4R3/R5K1 w - - 0 30; win; Rae1; ; 0";
        assert_eq!(tags_of("chess", pinned), ["quiet move", "endgame"]);
        let promotion = "8/P3k3/8/8/8/8/8/4K3 w - - 0 30; win; a8=Q; ; 0";
        assert_eq!(tags_of("chess", promotion), ["promotion", "endgame"]);
        let step =
            "****k****/***3***/**5**/*P6*/4*4/*3P3*/**5**/***3***/****K**** w - - 0 30; win; e4d4; ; 0";
        assert_eq!(tags_of("diamond", step), ["side step", "quiet move", "endgame"]);
    }
}
