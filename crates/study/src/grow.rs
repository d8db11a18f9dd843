//! Makes books: of games, and of searches in all positions of a book.

use crate::book::{Book, Edge, MAX_PLIES, Results};
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

/// What the engines of games said of positions: sums of centipawns for White, and how many there are.
#[derive(Default)]
pub struct Said(HashMap<u64, (i64, i64)>);

impl Said {
    /// Adds the first `plies` moves of a game that began at the start, with the scores for the sides that made them.
    /// A position of the opening, where engines did not think yet, gets what was said first.
    pub fn add(&mut self, game: &str, moves: &[String], scores: &[Option<UciScore>], plies: usize) {
        let Ok(mut session) = quintain_engine::open(game) else { return };
        let mut waiting = Vec::new();
        for (at, (text, score)) in moves.iter().zip(scores).enumerate() {
            if at <= plies {
                waiting.push(session.key());
            }
            if let Some(score) = score {
                let score = i64::from(centipawns(*score));
                let score = score * i64::from(session.side().forward());
                for key in waiting.drain(..) {
                    let (sum, count) = self.0.entry(key).or_default();
                    (*sum, *count) = (*sum + score, *count + 1);
                }
            }
            if at > plies && waiting.is_empty() || session.play(text).is_err() {
                return;
            }
        }
    }

    /// The average for White, in centipawns; `None` if nothing was said.
    fn of(&self, session: &dyn Session) -> Option<i32> {
        self.0.get(&session.key()).map(|(sum, count)| (sum / count) as i32)
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

/// The score for White of a position after a move, from what it was before.
type KnownScore<'a> = dyn Fn(&dyn Session, Option<i32>) -> Option<i32> + 'a;

impl Book {
    /// Adds a game that began at the start: its first `plies` moves. It ends before a move that is not legal.
    pub fn add(&mut self, moves: &[String], winner: Option<Color>, plies: usize) {
        let Ok(mut session) = quintain_engine::open(self.game()) else { return };
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
                None => edges.push(Edge { text: info.text, results, score: None }),
            }
        }
    }

    /// Leaves out moves that were played in fewer games.
    pub fn prune(&mut self, games: u32) {
        self.retain(|edge| edge.games() >= games);
    }

    /// Gives each move its score: what the best play of the book leads to. `search` says what is known of a
    /// position; it is asked once for each that is reached. Moves after which nothing is known have no score.
    /// A move that a search finds better than all the book has is added, without games.
    pub fn score(&mut self, search: &mut dyn FnMut(&dyn Session) -> Option<Searched>) {
        let Ok(mut session) = quintain_engine::open(self.game()) else { return };
        let (mut values, mut better) = (HashMap::new(), Vec::new());
        self.value(&mut *session, 0, &mut values, &mut better, search);
        self.store(&|session, _| {
            let value = values.get(&session.key()).copied().flatten();
            value.map(|value| value * i32::from(session.side().forward()))
        });
        for (key, edge) in better {
            self.at_mut(key).push(edge);
        }
    }

    /// What a position is worth to the side to move; `None` if nothing is known. Adds to `better` what the book lacks.
    fn value(
        &self,
        session: &mut dyn Session,
        ply: usize,
        values: &mut HashMap<u64, Option<i32>>,
        better: &mut Vec<(u64, Edge)>,
        search: &mut dyn FnMut(&dyn Session) -> Option<Searched>,
    ) -> Option<i32> {
        let key = session.key();
        if let Some(&value) = values.get(&key) {
            return value;
        }
        if let Some(end) = session.outcome() {
            let value = Some(if end.winner.is_some() { -MOST } else { 0 });
            values.insert(key, value);
            return value;
        }
        let own = search(session);
        let searched = own.as_ref().map(|own| own.score);
        // A line that comes back here finds the value of the search.
        values.insert(key, searched);
        let mut best = None::<i32>;
        let mut covered = false;
        for edge in self.at(key).iter().filter(|_| ply < MAX_PLIES) {
            if session.play(&edge.text).is_err() {
                continue;
            }
            let value = self.value(session, ply + 1, values, better, search).map(|value| -value);
            session.undo();
            best = best.max(value);
            covered |=
                value.is_some() && own.as_ref().is_some_and(|own| own.best.as_ref() == Some(&edge.text));
        }
        // The book knows more of the best move than the search, if it has it.
        let value = if covered { best } else { best.max(searched) };
        if let (true, Some(Searched { score, best: Some(text) })) = (value > best && best.is_some(), own) {
            let score = Some(score * i32::from(session.side().forward()));
            better.push((key, Edge { text, results: [0; 3], score }));
        }
        values.insert(key, value);
        value
    }

    /// Gives each move without a score what engines said of the position after it.
    pub fn score_as_said(&mut self, said: &Said) {
        self.store(&|session, before| before.or_else(|| said.of(session)));
    }

    /// Gives each move the score that `known` has for the position after it, for White; `known` gets the one before.
    fn store(&mut self, known: &KnownScore<'_>) {
        if let Ok(mut session) = quintain_engine::open(self.game()) {
            self.store_below(&mut *session, 0, known, &mut HashSet::new());
        }
    }

    fn store_below(
        &mut self,
        session: &mut dyn Session,
        ply: usize,
        known: &KnownScore<'_>,
        stored: &mut HashSet<u64>,
    ) {
        let key = session.key();
        if ply == MAX_PLIES || !stored.insert(key) {
            return;
        }
        for at in 0..self.at(key).len() {
            let text = self.at(key)[at].text.clone();
            if session.play(&text).is_ok() {
                let edge = &mut self.at_mut(key)[at];
                edge.score = known(session, edge.score);
                self.store_below(session, ply + 1, known, stored);
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
    fn what_was_said_is_averaged() {
        let cp = |score| Some(UciScore::Centipawns(score));
        let mut said = Said::default();
        // The engines begin with the third move, and Black with the second.
        said.add("chess", &moves("e2e4 e7e5 g1f3 b8c6"), &[None, None, cp(30), cp(-50)], 2);
        said.add("chess", &moves("e2e4 c7c5"), &[None, cp(10)], 2);
        let mut book = grown();
        book.score_as_said(&said);
        let text = book.to_text("");
        // (30 - 10) / 2; what comes later than the second ply does not count.
        for line in
            ["0 e2e4 1 0 1 +10", "1 e7e5 1 0 0 +30", "2 g1f3 1 0 0 -", "1 c7c5 0 0 1 -", "0 g1f3 0 1 0 -"]
        {
            assert!(text.contains(&format!("\n{line}\n")), "{line}: {text}");
        }
    }

    #[test]
    fn scores_come_from_the_ends_of_lines() {
        let mut book = grown();
        let mut asked = Vec::new();
        book.score(&mut |session| {
            asked.push(session.key());
            let (last, best) =
                match session.played().iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>()[..] {
                    [] => (10, "d2d4"),
                    ["e2e4"] => (-90, "e7e5"),
                    ["e2e4", "e7e5", "g1f3"] => (-40, "b8c6"),
                    ["e2e4", "c7c5", "g1f3"] => (-70, "b8c6"),
                    _ if session.side() == Color::White => (0, "a2a3"),
                    _ => (0, "a7a6"),
                };
            Some(Searched { score: last, best: Some(best.into()) })
        });
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
        // What White's search prefers at the start is worse than that.
        assert!(book.moves(&*quintain_engine::open("chess").unwrap()).iter().all(|edge| edge.text != "d2d4"));
        // A better move that the book lacks is in it afterwards, also when the book is read again.
        book.score(&mut |session| {
            let (score, best) = match session.side() {
                Color::White if session.played().is_empty() => (55, "d2d4"),
                Color::White => (-30, "a2a3"),
                Color::Black => (-30, "a7a6"),
            };
            Some(Searched { score, best: Some(best.into()) })
        });
        let text = book.to_text("");
        assert!(text.contains("\n0 d2d4 0 0 0 +55\n"), "{text}");
        assert_eq!(Book::parse(&text).unwrap().to_text(""), text);
        // What nothing is known of has no score, and what leads there only what is known otherwise.
        let mut book = grown();
        book.score(&mut |session| {
            let known = session.played().len() == 1;
            known.then_some(Searched { score: 15, best: None })
        });
        let text = book.to_text("");
        assert!(text.contains("\n0 e2e4 1 0 1 -15\n") && text.contains("\n1 e7e5 1 0 0 -\n"), "{text}");
    }
}
