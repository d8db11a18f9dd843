//! What endgame tables say, for people.

use quintain_core::search::{Endgames, Known};
use quintain_engine::Session;

/// A verdict in words, for the side that it is about: "won in 7", "drawn", "lost in 12", "mated".
pub fn in_words(known: Known) -> String {
    match known {
        Known::Won(Some(plies)) => format!("won in {}", plies.div_ceil(2)),
        Known::Won(None) => "won".into(),
        Known::Drawn => "drawn".into(),
        Known::Lost(Some(0)) => "mated".into(),
        Known::Lost(Some(plies)) => format!("lost in {}", plies.div_ceil(2)),
        Known::Lost(None) => "lost".into(),
    }
}

/// What tables know of the legal moves, for the side that moves: each verdict in words with its moves in SAN, the best
/// first. `None` unless they know the position.
pub fn of_moves(session: &dyn Session, tables: &dyn Endgames) -> Option<Vec<(String, Vec<String>)>> {
    session.known(tables)?;
    let mut moves: Vec<(Known, String)> = session
        .known_moves(tables)
        .into_iter()
        .filter_map(|(text, known)| Some((known?, session.describe(&text).ok()?.san)))
        .collect();
    moves.sort_by_key(|(known, san)| (std::cmp::Reverse(known.rank()), san.clone()));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (known, san) in moves {
        let words = in_words(known);
        match groups.last_mut().filter(|group| group.0 == words) {
            Some(group) => group.1.push(san),
            None => groups.push((words, vec![san])),
        }
    }
    Some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::{self as engine, tables_of};

    #[test]
    fn moves_are_grouped_by_what_they_lead_to() {
        let mut session = engine::open("diamond").unwrap();
        let tables = tables_of("diamond", None);
        assert_eq!(of_moves(&*session, &tables), None);
        let fen = "****k****/***3***/**2K2**/*7*/4*4/*7*/**5**/***3***/****V**** w - - 0 1";
        session.set_position(Some(fen), &[]).unwrap();
        let groups = of_moves(&*session, &tables).unwrap();
        assert!(groups[0].0.starts_with("won in ") && !groups[0].1.is_empty(), "{groups:?}");
        assert_eq!(in_words(session.known(&tables).unwrap()), groups[0].0);
        let moves: usize = groups.iter().map(|group| group.1.len()).sum();
        assert_eq!(moves, session.moves().len());
    }
}
