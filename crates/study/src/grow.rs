//! Makes books: of games, and of searches in all positions of a book.

use crate::book::{Book, MAX_PLIES, Results};
use quintain_core::board::Color;
use quintain_core::search::Limits;
use quintain_core::search::score::UciScore;
use quintain_engine::{Engine, Session};
use std::collections::{HashMap, HashSet};

/// Scores of mates and of huge advantages become this.
const MOST: i32 = 9999;

/// What a search says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// Centipawns for the side to move.
    pub score: i32,
    /// The best move as coordinates.
    pub best: Option<String>,
}

impl Searched {
    /// Searches the position that an engine has, from nothing, so that the result depends on the position alone.
    pub fn by(engine: &mut Engine, nodes: u64) -> Searched {
        engine.new_game();
        let info = engine.analyse(&Limits { nodes: Some(nodes), ..Limits::default() }, &|_| ());
        let best = engine.game().coordinates(&info.pv).into_iter().next();
        Searched { score: centipawns(engine.game().shown(info.score)), best }
    }
}

/// A score as a number of centipawns.
pub fn centipawns(score: UciScore) -> i32 {
    match score {
        UciScore::Centipawns(score) => score.clamp(-MOST, MOST),
        UciScore::Mate(moves) if moves > 0 => MOST,
        UciScore::Mate(_) => -MOST,
    }
}

impl Book {
    /// Adds a game that began at the start: its first `plies` moves. It ends before a move that is not legal.
    pub fn add(&mut self, moves: &[String], winner: Option<Color>, plies: usize) {
        let Some(mut session) = quintain_engine::open(self.game()) else { return };
        let at = match winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        let mut results: Results = [0; 3];
        results[at] = 1;
        let mut seen = HashSet::new();
        for text in moves.iter().take(plies.min(MAX_PLIES)) {
            let key = session.key();
            let Ok(info) = session.play(text) else { return };
            // A game that comes back to a position counts once there.
            if !seen.insert((key, info.text.clone())) {
                continue;
            }
            let edges = self.at_mut(key);
            match edges.iter_mut().find(|edge| edge.text == info.text) {
                Some(edge) => edge.results.iter_mut().zip(results).for_each(|(sum, more)| *sum += more),
                None => edges.push(crate::Edge { text: info.text, results, score: None }),
            }
        }
    }

    /// Leaves out moves that were played in fewer games.
    pub fn prune(&mut self, games: u32) {
        self.retain(|edge| edge.games() >= games);
    }

    /// Gives each move its score: what the best play of the book leads to. `search` is asked once for each position that is
    /// reached; where it says `None`, the work ends, and all scores stay as they were.
    pub fn score(&mut self, search: &mut dyn FnMut(&dyn Session) -> Option<Searched>) -> bool {
        let Some(mut session) = quintain_engine::open(self.game()) else { return false };
        let mut values = HashMap::new();
        let done = self.value(&mut *session, 0, &mut values, search).is_some();
        if done && let Some(mut session) = quintain_engine::open(self.game()) {
            self.store(&mut *session, 0, &values, &mut HashSet::new());
        }
        done
    }

    /// What a position is worth to the side to move; `None` if the work is to end.
    fn value(
        &self,
        session: &mut dyn Session,
        ply: usize,
        values: &mut HashMap<u64, i32>,
        search: &mut dyn FnMut(&dyn Session) -> Option<Searched>,
    ) -> Option<i32> {
        let key = session.key();
        if let Some(&value) = values.get(&key) {
            return Some(value);
        }
        if let Some(end) = session.outcome() {
            let value = if end.winner.is_some() { -MOST } else { 0 };
            values.insert(key, value);
            return Some(value);
        }
        let own = search(session)?;
        // A line that comes back here finds the value of the search.
        values.insert(key, own.score);
        let mut best = None::<i32>;
        let mut covered = false;
        for edge in self.at(key).iter().filter(|_| ply < MAX_PLIES) {
            if session.play(&edge.text).is_err() {
                continue;
            }
            let value = self.value(session, ply + 1, values, search);
            session.undo();
            best = best.max(Some(-value?));
            covered |= own.best.as_ref() == Some(&edge.text);
        }
        // The book knows more of the best move than the search, if it has it.
        let value = match best {
            Some(best) if covered => best,
            Some(best) => best.max(own.score),
            None => own.score,
        };
        values.insert(key, value);
        Some(value)
    }

    fn store(
        &mut self,
        session: &mut dyn Session,
        ply: usize,
        values: &HashMap<u64, i32>,
        stored: &mut HashSet<u64>,
    ) {
        let key = session.key();
        if ply == MAX_PLIES || !stored.insert(key) {
            return;
        }
        let white = session.side() == Color::White;
        for at in 0..self.at(key).len() {
            let text = self.at(key)[at].text.clone();
            if session.play(&text).is_ok() {
                let value = values.get(&session.key()).map(|value| if white { -value } else { *value });
                self.at_mut(key)[at].score = value;
                self.store(session, ply + 1, values, stored);
                session.undo();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &str) -> Vec<String> {
        texts.split_whitespace().map(str::to_owned).collect()
    }

    fn grown() -> Book {
        let mut book = Book::new("chess").unwrap();
        book.add(&moves("e2e4 e7e5 g1f3 b8c6"), Some(Color::White), 3);
        book.add(&moves("g1f3 e7e5 e2e4"), None, 20);
        book.add(&moves("e2e4 c7c5 g1f3"), Some(Color::Black), 20);
        book
    }

    #[test]
    fn games_become_a_tree() {
        let mut book = grown();
        let text = "quintain-book 1 chess\n0 e2e4 1 0 1 -\n1 c7c5 0 0 1 -\n2 g1f3 0 0 1 -\n1 e7e5 1 0 0 -\n\
                    2 g1f3 1 0 0 -\n0 g1f3 0 1 0 -\n1 e7e5 0 1 0 -\n2 e2e4 0 1 0 -\n";
        assert_eq!(book.to_text(""), text);
        book.prune(2);
        assert_eq!(book.to_text(""), "quintain-book 1 chess\n0 e2e4 1 0 1 -\n");
        // A game that repeats a position counts once.
        let mut book = Book::new("chess").unwrap();
        book.add(&moves("g1f3 g8f6 f3g1 f6g8 g1f3"), None, 20);
        let start = quintain_engine::open("chess").unwrap();
        assert_eq!(book.moves(&*start)[0].games(), 1);
    }

    #[test]
    fn scores_come_from_the_ends_of_lines() {
        let mut book = grown();
        let mut asked = Vec::new();
        let done = book.score(&mut |session| {
            asked.push(session.key());
            let (last, best) =
                match session.played().iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>()[..] {
                    [] => (10, "d2d4"),
                    ["e2e4"] => (-90, "e7e5"),
                    ["e2e4", "e7e5", "g1f3"] => (-40, "b8c6"),
                    ["e2e4", "c7c5", "g1f3"] => (-70, "b8c6"),
                    _ => (0, "a2a3"),
                };
            Some(Searched { score: last, best: Some(best.into()) })
        });
        assert!(done);
        let distinct: HashSet<&u64> = asked.iter().collect();
        assert_eq!(distinct.len(), asked.len());
        let score = |line: &[&str]| {
            let (last, before) = line.split_last().unwrap();
            let mut session = quintain_engine::open("chess").unwrap();
            session.set_position(None, before).unwrap();
            book.moves(&*session).iter().find(|edge| edge.text == **last).unwrap().score
        };
        assert_eq!(score(&["e2e4", "e7e5", "g1f3"]), Some(40));
        assert_eq!(score(&["e2e4", "e7e5"]), Some(40));
        // Black plays the better of both; its own search preferred a move that the book has.
        assert_eq!(score(&["e2e4"]), Some(40));
        assert_eq!(score(&["g1f3", "e7e5", "e2e4"]), Some(40));
        // Stopped, the work leaves no score.
        let mut book = grown();
        assert!(!book.score(&mut |_| None));
        assert!(book.to_text("").lines().skip(1).all(|line| line.ends_with(" -")));
    }
}
