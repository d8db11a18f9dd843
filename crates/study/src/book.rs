//! Opening books: trees of positions with the results of games and the scores of searches.
//!
//! A book is a text. After a line that names the game, each line is a move: how many plies are before it, the move as
//! coordinates, how many games White won, how many were drawn, how many Black won, and the score after it in
//! centipawns for White, or `-` where nothing was searched. The moves after a move follow it, one ply deeper. A
//! position that several lines reach has its moves only where it comes first.
//!
//! ```text
//! quintain-book 1 chess
//! 0 e2e4 12 20 8 +25
//! 1 e7e5 7 11 3 +22
//! 1 c7c5 6 9 5 -
//! 0 d2d4 10 21 9 +24
//! ```

use crate::shipped;
use quintain_core::board::Color;
use quintain_core::board::zobrist::random_numbers;
use quintain_core::rules::setup::quoted;
use quintain_core::search::Score;
use quintain_engine::{self as engine, Session, UnknownGame};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use thiserror::Error;

/// The version of the form.
const VERSION: &str = "1";
/// The first word of the text.
pub const NAME: &str = "quintain-book";
/// The scores that a text may have.
const SCORES: RangeInclusive<i32> = -30_000..=30_000;
/// The longest line of moves.
pub const MAX_PLIES: usize = 100;
/// The margin of [`Book::choose`] against people, in points a game: games should differ.
pub const VARIED: f64 = 0.08;
/// The margin of [`Book::choose`] against engines, in points a game.
pub const STRICT: f64 = 0.02;
/// How many games a score is worth as much as.
const SCORE_GAMES: f64 = 20.0;
/// An advantage of so many centipawns means ten points for each one of the other side.
const TENFOLD: f64 = 250.0;

/// The results of games: won by White, drawn, won by Black.
pub type Results = [u32; 3];

/// A move of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The move as coordinates.
    pub text: String,
    /// The results of the games in which it was played.
    pub results: Results,
    /// What the searches say of the position after it, in centipawns for White.
    pub score: Option<i32>,
}

impl Edge {
    /// How many games there are.
    pub fn games(&self) -> u32 {
        self.results.iter().fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// White's part of the points, from 0 to 1; `None` without games.
    pub fn share(&self) -> Option<f64> {
        let [won, drawn, _] = self.results.map(f64::from);
        let games = f64::from(self.games());
        (games > 0.0).then(|| (won + drawn / 2.0) / games)
    }

    /// [`Edge::share`] as people read it.
    pub fn shown_share(&self) -> String {
        self.share().map_or("-".into(), |share| format!("{:.0} %", 100.0 * share))
    }

    /// The score as people read it, in pawns for White.
    pub fn shown_score(&self) -> String {
        self.score.map_or("-".into(), |score| format!("{:+.2}", f64::from(score) / 100.0))
    }

    /// The score for a side.
    fn score_for(&self, side: Color) -> Option<i32> {
        self.score.map(|score| score * i32::from(side.forward()))
    }

    /// The points a game that a side may expect, from 0 to 1, by its score and by its games; `None` without a score.
    fn expected(&self, side: Color) -> Option<f64> {
        let by_score = 1.0 / (1.0 + 10f64.powf(f64::from(-self.score?) / TENFOLD));
        let games = f64::from(self.games());
        let points = self.share().map_or(0.0, |share| share * games);
        let white = (SCORE_GAMES * by_score + points) / (SCORE_GAMES + games);
        Some(if side == Color::White { white } else { 1.0 - white })
    }
}

/// A move to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move as coordinates.
    pub text: String,
    /// The score for the side that makes it, in units of the search; 0 where nothing was searched.
    pub score: Score,
}

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    /// Something else, or damaged at its beginning.
    #[error("it is not an opening book: the first line is not '{NAME} {VERSION} GAME'")]
    Foreign,
    /// Made by another version of the program.
    #[error("it has version {} of the format, and this program knows {VERSION}", quoted(.0))]
    Version(String),
    /// It is of a game that there is not.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// It is of another game.
    #[error("it is a book of {found}, not of {wanted}")]
    OtherGame {
        /// The game of the book.
        found: String,
        /// The game that is played.
        wanted: String,
    },
    /// A line is wrong.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

/// A book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    game: &'static str,
    /// The moves of positions, by [`Session::key`]; the most played first.
    moves: HashMap<u64, Vec<Edge>>,
}

impl Book {
    /// A book without moves.
    pub fn new(game: &str) -> Result<Book, UnknownGame> {
        let game = engine::info(game)?.name;
        Ok(Book { game, moves: HashMap::new() })
    }

    /// The book of this game that the program has; `None` if it has none.
    pub fn of(game: &str) -> Option<Arc<Book>> {
        static BOOKS: LazyLock<Mutex<HashMap<&str, Arc<Book>>>> = LazyLock::new(Mutex::default);
        let (info, text) = (engine::info(game).ok()?, shipped::of(game)?.book);
        let mut books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || Arc::new(Book::parse(text).expect("a book of the program"));
        Some(Arc::clone(books.entry(info.name).or_insert_with(read)))
    }

    /// The version and the game that the first line of a text names; `None` if it is no book.
    pub fn heading(text: &str) -> Option<(&str, &str)> {
        let first: Vec<&str> = text.lines().next()?.split_whitespace().collect();
        let [NAME, version, game] = first[..] else { return None };
        Some((version, game))
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Book, BookError> {
        let (version, game) = Book::heading(text).ok_or(BookError::Foreign)?;
        let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim())).skip(1);
        if version != VERSION {
            return Err(BookError::Version(version.into()));
        }
        let mut book = Book::new(game)?;
        let mut session = engine::open(book.game)?;
        let mut depth = 0;
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let wrong = |what: String| BookError::Line(number, what);
            let (ply, edge) = read_line(line).map_err(wrong)?;
            if ply > depth || ply >= MAX_PLIES {
                return Err(wrong(format!("'{ply}': the move before it is missing")));
            }
            for _ in ply..depth {
                session.undo();
            }
            let key = session.key();
            session.play(&edge.text).map_err(|error| wrong(error.to_string()))?;
            depth = ply + 1;
            let edges = book.moves.entry(key).or_default();
            if edges.iter().any(|known| known.text == edge.text) {
                return Err(wrong(format!("{} comes twice in this position", edge.text)));
            }
            edges.push(edge);
        }
        book.sort();
        Ok(book)
    }

    /// Reads the text of a book of this game.
    pub fn parse_for(text: &str, game: &str) -> Result<Book, BookError> {
        let book = Book::parse(text)?;
        match book.game == game {
            true => Ok(book),
            false => Err(BookError::OtherGame { found: book.game.into(), wanted: game.into() }),
        }
    }

    /// The game.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// How many positions have moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Has it no moves?
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves of a position, the most played first.
    pub fn moves(&self, session: &dyn Session) -> &[Edge] {
        if session.info().name != self.game { &[] } else { self.at(session.key()) }
    }

    pub(crate) fn at(&self, key: u64) -> &[Edge] {
        self.moves.get(&key).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn at_mut(&mut self, key: u64) -> &mut Vec<Edge> {
        self.moves.entry(key).or_default()
    }

    /// Drops moves.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Edge) -> bool) {
        self.moves.values_mut().for_each(|edges| edges.retain(&keep));
        self.moves.retain(|_, edges| !edges.is_empty());
    }

    /// A move to play in one of the first `plies` of the game; `None` if the book has none that is good.
    /// What a move is worth is judged by its score and by the results of its games. A good move loses at most `margin`
    /// points a game against the best one. At half the margin it is played e times less often. The same seed gives the
    /// same move.
    pub fn choose(&self, session: &dyn Session, plies: u32, margin: f64, seed: u64) -> Option<Choice> {
        let (side, key) = (session.side(), session.key());
        let ply = 2 * session.fullmove().saturating_sub(1) + u32::from(side == Color::Black);
        let edges = self.moves(session);
        if ply >= plies || edges.is_empty() {
            return None;
        }
        let best = edges.iter().filter_map(|edge| edge.expected(side)).max_by(f64::total_cmp);
        let weight = |edge: &Edge| match (best, edge.expected(side)) {
            (Some(best), Some(points)) if best - points <= margin => (2.0 * (points - best) / margin).exp(),
            (Some(_), _) => 0.0,
            // Where nothing was searched, what people play most is best.
            (None, _) => f64::from(edge.games()),
        };
        let weights: Vec<f64> = edges.iter().map(weight).collect();
        let random = random_numbers(seed ^ key)() >> 11;
        let mut lot = random as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
        for (edge, weight) in edges.iter().zip(weights) {
            lot -= weight;
            if lot < 0.0 {
                let score = edge.score_for(side).unwrap_or(0) * session.info().pawn / 100;
                // Another position may have the same key.
                return session.find(&edge.text).ok().map(|_| Choice { text: edge.text.clone(), score });
            }
        }
        None
    }

    /// The moves of a position as a table, a move a line; nothing if there are none.
    pub fn table(&self, session: &dyn Session) -> String {
        let moves = self.moves(session);
        if moves.is_empty() {
            return String::new();
        }
        let mut text = format!("{:<12} {:>6} {:>6} {:>7}\n", "move", "games", "White", "score");
        for edge in moves {
            let san = session.describe(&edge.text).map_or_else(|_| edge.text.clone(), |info| info.san);
            let (share, score) = (edge.shown_share(), edge.shown_score());
            let _ = writeln!(text, "{san:<12} {:>6} {share:>6} {score:>7}", edge.games());
        }
        text
    }

    fn sort(&mut self) {
        for edges in self.moves.values_mut() {
            edges.sort_by(|a, b| b.games().cmp(&a.games()).then_with(|| a.text.cmp(&b.text)));
        }
    }

    /// Adds what another book of the same game has. Its scores count where this one has none.
    pub fn merge(&mut self, other: Book) {
        for (key, edges) in other.moves {
            let ours = self.moves.entry(key).or_default();
            for edge in edges {
                match ours.iter_mut().find(|known| known.text == edge.text) {
                    Some(known) => {
                        known
                            .results
                            .iter_mut()
                            .zip(edge.results)
                            .for_each(|(sum, more)| *sum = sum.saturating_add(more));
                        known.score = known.score.or(edge.score);
                    }
                    None => ours.push(edge),
                }
            }
        }
        self.sort();
    }

    /// The book as text, with remarks at its head. What no line of moves reaches is left out.
    pub fn to_text(&mut self, remarks: &str) -> String {
        self.sort();
        let mut text = format!("{NAME} {VERSION} {}\n", self.game);
        remarks.lines().for_each(|line| _ = writeln!(text, "# {line}"));
        if let Ok(mut session) = engine::open(self.game) {
            self.write(&mut *session, 0, &mut HashSet::new(), &mut text);
        }
        text
    }

    fn write(&self, session: &mut dyn Session, ply: usize, written: &mut HashSet<u64>, text: &mut String) {
        let key = session.key();
        if ply == MAX_PLIES || !written.insert(key) {
            return;
        }
        for edge in self.at(key) {
            let [white, drawn, black] = edge.results;
            let score = edge.score.map_or("-".into(), |score| format!("{score:+}"));
            let _ = writeln!(text, "{ply} {} {white} {drawn} {black} {score}", edge.text);
            if session.play(&edge.text).is_ok() {
                self.write(session, ply + 1, written, text);
                session.undo();
            }
        }
    }
}

/// A line of a text: the plies before the move, and the move.
fn read_line(line: &str) -> Result<(usize, Edge), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [ply, text, white, drawn, black, score] = words[..] else {
        return Err(format!("{} is not like '0 e2e4 12 20 8 +25'", quoted(line)));
    };
    let number = |name: &str, word: &str| {
        word.parse::<u32>().map_err(|_| format!("{name}: {} is not a number", quoted(word)))
    };
    let score = match score {
        "-" => None,
        score => {
            let number = score.parse().ok().filter(|number| SCORES.contains(number));
            Some(number.ok_or_else(|| format!("score: {} is neither a number nor -", quoted(score)))?)
        }
    };
    let results = [number("won", white)?, number("drawn", drawn)?, number("lost", black)?];
    // A sum that overflows is no number of games.
    results.iter().try_fold(0u32, |sum, &games| sum.checked_add(games)).ok_or("there are too many games")?;
    Ok((number("plies", ply)? as usize, Edge { text: text.into(), results, score }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "quintain-book 1 chess\n# about it\n0 e2e4 12 20 8 +25\n1 e7e5 7 11 3 +22\n2 g1f3 6 11 3 -\n\
                        1 c7c5 6 9 5 -\n0 a2a3 0 0 3 -40\n0 g1f3 1 0 0 +20\n1 e7e5 1 0 0 +19\n2 e2e4 1 0 0 +22\n";

    fn after(moves: &[&str]) -> Box<dyn Session> {
        let mut session = engine::open("chess").unwrap();
        session.set_position(None, moves).unwrap();
        session
    }

    #[test]
    fn a_text_is_read_and_written_the_same() {
        let mut book = Book::parse(TEXT).unwrap();
        assert_eq!(book.to_text("about it"), TEXT);
        let start = book.moves(&*after(&[]));
        let shown: Vec<_> =
            start.iter().map(|edge| (edge.text.as_str(), edge.games(), edge.share())).collect();
        assert_eq!(shown, [("e2e4", 40, Some(0.55)), ("a2a3", 3, Some(0.0)), ("g1f3", 1, Some(1.0))][..]);
        // 1. e4 e5 2. Nf3 and 1. Nf3 e5 2. e4 lead to one position, which has the moves of both.
        assert_eq!(book.moves(&*after(&["g1f3", "e7e5"]))[0].text, "e2e4");
        assert!(book.moves(&*after(&["e2e4", "a7a6"])).is_empty());
    }

    #[test]
    fn positions_that_several_lines_reach_are_joined() {
        let text = "quintain-book 1 chess\n0 e2e4 1 0 0 -\n1 e7e5 1 0 0 -\n2 g1f3 1 0 0 -\n3 b8c6 1 0 0 -\n\
                    0 g1f3 0 1 0 -\n1 e7e5 0 1 0 -\n2 e2e4 0 1 0 -\n";
        let book = Book::parse(text).unwrap();
        assert_eq!(book.moves(&*after(&["g1f3", "e7e5", "e2e4"]))[0].text, "b8c6");
        let twice = format!("{text}3 b8c6 0 1 0 -\n");
        let error = Book::parse(&twice).unwrap_err().to_string();
        assert_eq!(error, "line 9: b8c6 comes twice in this position");
    }

    #[test]
    fn only_good_moves_are_chosen_and_all_of_them() {
        let book = Book::parse(TEXT).unwrap();
        let start = after(&[]);
        let choose = |session: &dyn Session, plies, seed| {
            book.choose(session, plies, VARIED, seed).map(|choice| choice.text)
        };
        let mut chosen: Vec<String> = (0..50).filter_map(|seed| choose(&*start, 1, seed)).collect();
        assert_eq!(chosen.len(), 50);
        assert_eq!(choose(&*start, 1, 7), choose(&*start, 1, 7));
        chosen.sort();
        chosen.dedup();
        assert_eq!(chosen, ["e2e4", "g1f3"]);
        // With a smaller margin fewer are good, and many games say more than a score.
        let strict = |moves: &str| {
            let book = Book::parse(&format!("quintain-book 1 chess\n{moves}")).unwrap();
            let mut chosen: Vec<_> =
                (0..50).map(|seed| book.choose(&*start, 1, STRICT, seed).unwrap().text).collect();
            chosen.sort();
            chosen.dedup();
            chosen
        };
        assert_eq!(strict("0 e2e4 12 20 8 +25\n0 g1f3 1 1 1 +5\n0 d2d4 0 0 0 +22"), ["d2d4", "e2e4"]);
        assert_eq!(strict("0 e2e4 0 0 90 +25\n0 g1f3 0 0 0 +5"), ["g1f3"]);
        // Beyond the depth, and where the book ends, there is none.
        assert_eq!((choose(&*start, 0, 1), choose(&*after(&["d2d4"]), 9, 1)), (None, None));
        assert_eq!(choose(&*after(&["e2e4"]), 1, 1), None);
        // Black's best is what is worst for White; without a score it is not played.
        assert!((0..50).all(|seed| choose(&*after(&["e2e4"]), 9, seed).as_deref() == Some("e7e5")));
        // A score in pawns becomes one of the search, for Black.
        let pawn = start.info().pawn;
        assert_eq!(book.choose(&*after(&["e2e4"]), 9, STRICT, 1).unwrap().score, -22 * pawn / 100);
        // A book without searches plays what was played.
        assert_eq!(choose(&*after(&["e2e4", "e7e5"]), 9, 1).as_deref(), Some("g1f3"));
    }

    #[test]
    fn a_table_is_for_people() {
        let book = Book::parse(TEXT).unwrap();
        let table = book.table(&*after(&[]));
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            lines[..2],
            [vec!["move", "games", "White", "score"], vec!["e4", "40", "55", "%", "+0.25"]]
        );
        assert_eq!(book.table(&*after(&["d2d4"])), "");
    }

    #[test]
    fn books_are_merged() {
        let mut book = Book::parse("quintain-book 1 chess\n0 e2e4 1 0 0 -\n").unwrap();
        book.merge(Book::parse(TEXT).unwrap());
        let edge = &book.moves(&*after(&[]))[0];
        assert_eq!((edge.results, edge.score), ([13, 20, 8], Some(25)));
        assert_eq!(book.moves(&*after(&["e2e4"])).len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| Book::parse(text).unwrap_err().to_string();
        assert_eq!(error(""), BookError::Foreign.to_string());
        assert_eq!(error("[Event \"?\"]\n\n1. e4 *"), BookError::Foreign.to_string());
        assert_eq!(
            error("quintain-book 2 chess"),
            "it has version '2' of the format, and this program knows 1"
        );
        assert_eq!(error("quintain-book 1 checkers"), UnknownGame("checkers".into()).to_string());
        let line = |line: &str| error(&format!("quintain-book 1 chess\n{line}\n"));
        assert_eq!(line("0 e2e4"), "line 2: '0 e2e4' is not like '0 e2e4 12 20 8 +25'");
        assert_eq!(line("0 e2e4 a 0 0 -"), "line 2: won: 'a' is not a number");
        assert_eq!(line("0 e2e4 0 0 0 x"), "line 2: score: 'x' is neither a number nor -");
        assert_eq!(line("0 e2e4 4294967295 1 0 -"), "line 2: there are too many games");
        assert_eq!(line("1 e2e4 0 0 0 -"), "line 2: '1': the move before it is missing");
        assert!(line("0 e2e5 0 0 0 -").starts_with("line 2: e2e5: "));
        let other = Book::parse_for(TEXT, "gast").unwrap_err().to_string();
        assert_eq!(other, "it is a book of chess, not of gast");
    }
}
