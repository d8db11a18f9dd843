//! Endings to practise on the learn page: a won position, and the best defence that endgame tables know.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use super::learn::Line;
use anyhow::{Context, Result, bail, ensure};
use quintain_core::board::Color;
use quintain_core::board::zobrist::random_numbers;
use quintain_core::search::Known;
use quintain_engine::{self as engine, FindTables, any_seed, tables_of};
use quintain_play::game::verdict;
use quintain_tables::Set;
use serde::Serialize;

/// An ending to choose.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct EndingView {
    /// The letters of White's pieces and Black's.
    white: String,
    black: String,
    material: String,
}

/// A position of an ending and the moves from there.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Ending {
    line: Line,
    /// What the tables say of the last position, for the side to move.
    verdict: Option<String>,
}

/// How many random positions are looked at for one that takes some moves to win.
const TRIES: usize = 300;
/// As many plies as it should take.
const ENOUGH: u16 = 9;

fn tables(name: &str, find: &FindTables) -> Result<Set> {
    engine::info(name)?;
    Ok(tables_of(name, Some(find)))
}

/// The endings that White often wins, of which all distances are known.
pub fn list(game: &str, find: &FindTables) -> Result<Vec<EndingView>> {
    let view = |material: &quintain_tables::Material| EndingView {
        white: material.letters(Color::White),
        black: material.letters(Color::Black),
        material: material.to_string(),
    };
    Ok(tables(game, find)?.often_won().into_iter().map(view).collect())
}

impl Ending {
    /// What a page asks for: a new position of a material, or moves from a position.
    pub fn answer(
        game: &str,
        material: Option<&str>,
        fen: Option<&str>,
        moves: &[&str],
        find: &FindTables,
    ) -> Result<Ending> {
        match (fen, material) {
            (Some(fen), _) => Ending::after(game, fen, moves, find),
            (None, Some(material)) => Ending::new(game, material, find),
            (None, None) => bail!("a material or a position is needed"),
        }
    }

    /// A random position that White, to move, wins.
    pub fn new(game: &str, material: &str, find: &FindTables) -> Result<Ending> {
        let tables = tables(game, find)?;
        let endings = engine::endings(game)?;
        let material = endings.material(material)?;
        ensure!(tables.often_won().contains(&&material), "material: {material} is none of the endings");
        let size = endings.entries(&material)? as u64 / 2;
        let mut session = engine::open(game)?;
        let mut random = random_numbers(any_seed());
        let mut best: Option<(u16, String)> = None;
        for _ in 0..TRIES {
            let fen = endings.position(&material, Color::White, (random() % size) as usize)?;
            if session.set_position(Some(&fen), &[]).is_err() {
                continue;
            }
            if let Some(Known::Won(Some(plies))) = session.known(&tables)
                && best.as_ref().is_none_or(|known| known.0 < plies)
            {
                best = Some((plies, fen));
                if plies >= ENOUGH {
                    break;
                }
            }
        }
        let (_, fen) = best.context("no won position was found; try again")?;
        Ending::after(game, &fen, &[], find)
    }

    /// Moves from a position, and the best defence if it is the turn of the side that did not begin.
    pub fn after(game: &str, fen: &str, moves: &[&str], find: &FindTables) -> Result<Ending> {
        let tables = tables(game, find)?;
        let mut session = engine::open(game)?;
        session.set_position(Some(fen), &[])?;
        let side = session.side();
        let mut line: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        for text in moves {
            session.play_any(text)?;
        }
        if session.side() != side && session.outcome().is_none() {
            let known = session.known_moves(&tables);
            let rank = |known: &Option<Known>| known.map(Known::rank);
            if let Some((reply, _)) = known.into_iter().max_by_key(|(_, known)| rank(known)) {
                session.play(&reply)?;
                line.push(reply);
            }
        }
        let over = session.outcome().is_some();
        let verdict = session.known(&tables).filter(|_| !over).map(verdict::in_words);
        let moves: Vec<&str> = line.iter().map(String::as_str).collect();
        Ok(Ending { line: Line::new(game, Some(fen), &moves)?, verdict })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_won_position_is_defended_as_long_as_possible() {
        let find: FindTables = Arc::new(|_| ());
        let endings = list("diamond", &find).unwrap();
        assert!(endings.iter().any(|ending| ending.white == "KV" && ending.black == "K"));
        // Knight and king do not mate.
        assert!(endings.iter().all(|ending| ending.material != "KNvK"));
        let ending = Ending::new("diamond", "KVvK", &find).unwrap();
        assert!(ending.verdict.is_some_and(|verdict| verdict.starts_with("won in ")));
        let tables = tables_of("diamond", None);
        let fen = ending.line.fen().unwrap().to_owned();
        let mut session = engine::open("diamond").unwrap();
        session.set_position(Some(&fen), &[]).unwrap();
        let Some(Known::Won(Some(plies))) = session.known(&tables) else { panic!("{fen} is not won") };
        // With best play it takes as long as the table says.
        let mut moves: Vec<String> = Vec::new();
        while session.outcome().is_none() {
            let best =
                session.known_moves(&tables).into_iter().max_by_key(|(_, known)| known.unwrap().rank());
            moves.push(best.unwrap().0);
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let after = Ending::after("diamond", &fen, &texts, &find).unwrap();
            moves = after.line.moves().map(str::to_owned).collect();
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            session.set_position(Some(&fen), &texts).unwrap();
        }
        assert_eq!(
            (moves.len(), session.outcome().unwrap().winner),
            (usize::from(plies), Some(Color::White))
        );
        assert!(Ending::new("diamond", "KNvK", &find).is_err());
    }
}
