//! Puzzles: a position, what is to be reached, and the moves that reach it.
//!
//! A list of puzzles is a text: a line that names the game, then a line for each puzzle: the position, the goal, the
//! solution in SAN, what happens in it, and the lowest level of the engine that solves it.
//!
//! ```text
//! quintain-puzzles 1 chess
//! 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1; mate 1; Rb8#; endgame; 0
//! ```

use crate::shipped;
use quintain_core::board::Color;
use quintain_core::board::zobrist::random_numbers;
use quintain_core::rules::setup::quoted;
use quintain_engine::skill::{ELO_A_LEVEL, FULL, LOWEST_ELO};
use quintain_engine::{self as engine, FileRank, MoveInfo, Session, UnknownGame};
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use thiserror::Error;

/// The version of the form.
const VERSION: &str = "1";
/// The first word of the text.
const NAME: &str = "quintain-puzzles";

/// What is to be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A mate in so many moves.
    Mate(u32),
    /// A winning advantage.
    Win,
    /// A position that is not lost.
    Draw,
}

impl Display for Goal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Mate(moves) => write!(f, "mate {moves}"),
            Goal::Win => f.write_str("win"),
            Goal::Draw => f.write_str("draw"),
        }
    }
}

impl Goal {
    fn read(text: &str) -> Option<Goal> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["mate", moves] => moves.parse().ok().filter(|moves| (1..=100).contains(moves)).map(Goal::Mate),
            ["win"] => Some(Goal::Win),
            ["draw"] => Some(Goal::Draw),
            _ => None,
        }
    }

    /// The task in words, for this side.
    pub fn task(self, side: Color) -> String {
        match self {
            Goal::Mate(1) => format!("{side} mates in one move"),
            Goal::Mate(moves) => format!("{side} mates in {moves} moves"),
            Goal::Win => format!("{side} wins"),
            Goal::Draw => format!("{side} does not lose"),
        }
    }
}

/// A puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub fen: String,
    /// What is to be reached.
    pub goal: Goal,
    /// The moves of both sides as coordinates; the solver makes the first and the last one.
    pub solution: Vec<String>,
    /// What happens in the solution, in words.
    pub tags: Vec<String>,
    /// The lowest level of the engine that solves it.
    pub level: u32,
}

/// What a move of the solver is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not the solution.
    Wrong,
    /// Right, and this is the answer, as coordinates.
    Right(String),
    /// The last move: the puzzle is solved.
    Solved,
}

/// Why a text is not a list of puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PuzzleError {
    /// Something else, or damaged at its beginning.
    #[error("it is not a list of puzzles: the first line is not '{NAME} {VERSION} GAME'")]
    Foreign,
    /// Made by another version of the program.
    #[error("it has version {} of the format, and this program knows {VERSION}", quoted(.0))]
    Version(String),
    /// It is of a game that there is not.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// A line is wrong.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

impl Puzzle {
    /// The rating of those who solve it half of the time.
    pub fn rating(&self) -> u32 {
        LOWEST_ELO + ELO_A_LEVEL * self.level
    }

    /// The position after so many moves of the solution.
    pub fn position(&self, game: &str, plies: usize) -> Option<Box<dyn Session>> {
        let mut session = engine::open(game).ok()?;
        let moves: Vec<&str> = self.solution.iter().take(plies).map(String::as_str).collect();
        session.set_position(Some(&self.fen), &moves).ok()?;
        Some(session)
    }

    /// Judges a move of the solver on the position after `plies` moves of the solution, given as coordinates or SAN.
    /// Any mate solves a puzzle.
    pub fn judge(&self, game: &str, plies: usize, text: &str) -> Option<Verdict> {
        let mut session = self.position(game, plies)?;
        let info = session.play_any(text).ok()?;
        let mates = session.outcome().is_some_and(|outcome| outcome.winner.is_some());
        let right = self.solution.get(plies) == Some(&info.text);
        Some(match self.solution.get(plies + 1) {
            _ if mates && self.goal != Goal::Draw => Verdict::Solved,
            _ if !right => Verdict::Wrong,
            Some(reply) => Verdict::Right(reply.clone()),
            None => Verdict::Solved,
        })
    }

    /// The solution in SAN.
    pub fn san(&self, game: &str) -> Vec<String> {
        let Some(mut session) = self.position(game, 0) else { return Vec::new() };
        let played = |text: &String| session.play(text).ok().map(|info| info.san);
        self.solution.iter().map_while(played).collect()
    }

    /// The puzzle as a line.
    pub fn line(&self, game: &str) -> String {
        let san = self.san(game).join(" ");
        format!("{}; {}; {san}; {}; {}", self.fen, self.goal, self.tags.join(", "), self.level)
    }

    /// Reads a line.
    pub fn read(line: &str, game: &str) -> Result<Puzzle, String> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, goal, san, tags, level] = fields[..] else {
            return Err(format!(
                "{} fields instead of 5: position; goal; solution; tags; level",
                fields.len()
            ));
        };
        let mut session = engine::open(game).map_err(|error| error.to_string())?;
        session.set_position(Some(fen), &[]).map_err(|error| error.to_string())?;
        let goal =
            Goal::read(goal).ok_or_else(|| format!("goal: {} is not mate N, win or draw", quoted(goal)))?;
        let mut solution = Vec::new();
        for text in san.split_whitespace() {
            let info: MoveInfo = session.play_any(text).map_err(|error| format!("solution: {error}"))?;
            solution.push(info.text);
        }
        if solution.len() % 2 == 0 {
            return Err(format!("solution: {} does not end with a move of the solver", quoted(san)));
        }
        let tags = tags.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
        let level = level.parse().ok().filter(|level| *level <= FULL);
        let level = level.ok_or_else(|| format!("level: {} is not from 0 to {FULL}", quoted(fields[4])))?;
        Ok(Puzzle { fen: fen.into(), goal, solution, tags, level })
    }
}

/// The ratings of people.
pub const RATINGS: RangeInclusive<u32> = 100..=4000;

/// How somebody does at puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// In points of Elo.
    pub rating: u32,
    /// Puzzles solved in a row.
    pub streak: u32,
    /// The longest row.
    pub best: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { rating: 1200, streak: 0, best: 0 }
    }
}

impl Record {
    /// The record after a puzzle that was solved at the first try, or not.
    pub fn after(self, puzzle: &Puzzle, solved: bool) -> Record {
        /// The most that a puzzle changes.
        const STEP: f64 = 40.0;
        let ahead = f64::from(self.rating) - f64::from(puzzle.rating());
        let expected = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
        let change = STEP * (f64::from(u8::from(solved)) - expected);
        let rating = (f64::from(self.rating) + change).round() as u32;
        let rating = rating.clamp(*RATINGS.start(), *RATINGS.end());
        let streak = if solved { self.streak.saturating_add(1) } else { 0 };
        Record { rating, streak, best: self.best.max(streak) }
    }
}

/// A puzzle for somebody of this rating: one of those that suit it best, by chance. `None` if there are none.
pub fn next(puzzles: &[&Puzzle], rating: u32, seed: u64) -> Option<usize> {
    /// From so many it is chosen.
    const CHOICE: usize = 12;
    let mut near: Vec<usize> = (0..puzzles.len()).collect();
    near.sort_by_key(|&at| puzzles[at].rating().abs_diff(rating));
    near.truncate(CHOICE);
    let lot = random_numbers(seed)();
    (!near.is_empty()).then(|| near[(lot % near.len() as u64) as usize])
}

/// The puzzles of a game.
pub type Puzzles = Arc<Vec<Puzzle>>;

/// The puzzles of this game that the program has.
pub fn of(game: &str) -> Puzzles {
    static PUZZLES: LazyLock<Mutex<HashMap<&str, Puzzles>>> = LazyLock::new(Mutex::default);
    let Some((info, texts)) = engine::info(game).ok().zip(shipped::of(game)) else { return Arc::default() };
    let mut known = PUZZLES.lock().unwrap_or_else(PoisonError::into_inner);
    let read = || Arc::new(parse(texts.puzzles).expect("puzzles of the program").1);
    Arc::clone(known.entry(info.name).or_insert_with(read))
}

/// Reads a text: the game, and the puzzles.
pub fn parse(text: &str) -> Result<(&'static str, Vec<Puzzle>), PuzzleError> {
    let mut lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let first: Vec<&str> =
        lines.next().map(|(_, line)| line.split_whitespace().collect()).unwrap_or_default();
    let [NAME, version, game] = first[..] else { return Err(PuzzleError::Foreign) };
    if version != VERSION {
        return Err(PuzzleError::Version(version.into()));
    }
    let game = engine::info(game)?.name;
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line)| Puzzle::read(line, game).map_err(|what| PuzzleError::Line(number, what));
    Ok((game, lines.map(read).collect::<Result<_, _>>()?))
}

/// Writes a text, with remarks at its head: the easiest puzzles first.
pub fn to_text(game: &str, puzzles: &[Puzzle], remarks: &str) -> String {
    let mut sorted: Vec<&Puzzle> = puzzles.iter().collect();
    sorted.sort_by(|a, b| (a.level, a.solution.len(), &a.fen).cmp(&(b.level, b.solution.len(), &b.fen)));
    let remarks = remarks.lines().map(|line| format!("# {line}\n"));
    let lines = sorted.iter().map(|puzzle| puzzle.line(game) + "\n");
    std::iter::once(format!("{NAME} {VERSION} {game}\n")).chain(remarks).chain(lines).collect()
}

/// The pieces of a position and the side to move, the same for positions that are mirrored, or turned with colours
/// exchanged. Positions that differ in rights only have the same.
pub fn shape(session: &dyn Session) -> Vec<(FileRank, char)> {
    let info = session.info();
    let pieces: Vec<(FileRank, char)> =
        session.squares().into_iter().filter_map(|place| Some((place, session.piece(place)?))).collect();
    let swap = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    // White is to move in all of them.
    let turned = session.side() == Color::Black;
    let one = |mirrored: bool| {
        let moved = |&((file, rank), letter): &(FileRank, char)| {
            let file = if mirrored { info.files - 1 - file } else { file };
            if turned { ((file, info.ranks - 1 - rank), swap(letter)) } else { ((file, rank), letter) }
        };
        let mut all: Vec<(FileRank, char)> = pieces.iter().map(moved).collect();
        all.sort_unstable();
        all
    };
    one(false).min(one(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "quintain-puzzles 1 chess\n# some\n6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1; mate 1; Rb8#; \
                        back rank, endgame; 0\n1k6/8/1K6/8/8/8/8/6RQ w - - 0 1; win; Rg2 Ka8 Qh8#; ; 12\n";

    #[test]
    fn a_text_is_read_and_written_the_same() {
        let (game, puzzles) = parse(TEXT).unwrap();
        assert_eq!((game, puzzles.len()), ("chess", 2));
        assert_eq!(to_text(game, &puzzles, "some"), TEXT);
        assert_eq!((puzzles[0].goal, &puzzles[0].solution[..]), (Goal::Mate(1), &["b1b8".to_owned()][..]));
        assert_eq!((puzzles[0].rating(), puzzles[1].rating()), (600, 1800));
        assert_eq!(Goal::Mate(2).task(Color::Black), "Black mates in 2 moves");
    }

    #[test]
    fn moves_are_judged_and_any_mate_is_right() {
        let (game, puzzles) = parse(TEXT).unwrap();
        assert_eq!(puzzles[0].judge(game, 0, "Rb7"), Some(Verdict::Wrong));
        assert_eq!(puzzles[0].judge(game, 0, "b1b8"), Some(Verdict::Solved));
        assert_eq!(puzzles[0].judge(game, 0, "Rb9"), None);
        let long = &puzzles[1];
        assert_eq!(long.judge(game, 0, "Rg2"), Some(Verdict::Right("b8a8".into())));
        assert_eq!(long.judge(game, 2, "Qh8"), Some(Verdict::Solved));
        assert_eq!(long.judge(game, 2, "Rg8"), Some(Verdict::Solved));
        assert_eq!(long.judge(game, 2, "Rg3"), Some(Verdict::Wrong));
    }

    #[test]
    fn a_rating_follows_what_was_solved() {
        let (_, puzzles) = parse(TEXT).unwrap();
        let (easy, hard) = (&puzzles[0], &puzzles[1]);
        let new = Record::default();
        let gains = [new.after(easy, true), new.after(hard, true)].map(|record| record.rating - new.rating);
        assert!(gains[0] < 3 && gains[1] > 35, "{gains:?}");
        let after = new.after(hard, true).after(easy, true).after(easy, false);
        assert_eq!((after.streak, after.best), (0, 2));
        assert!(new.after(easy, false).rating < new.after(hard, false).rating);
        assert_eq!(next(&[easy, hard], 700, 1), next(&[easy, hard], 700, 1));
        assert_eq!((next(&[], 700, 1), next(&[hard], 700, 1)), (None, Some(0)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error("1. e4"), PuzzleError::Foreign.to_string());
        assert_eq!(error("quintain-puzzles 9 chess"), PuzzleError::Version("9".into()).to_string());
        assert_eq!(error("quintain-puzzles 1 go"), UnknownGame("go".into()).to_string());
        let line = |line: &str| error(&format!("quintain-puzzles 1 chess\n{line}"));
        let fen = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1";
        assert_eq!(line("x; y"), "line 2: 2 fields instead of 5: position; goal; solution; tags; level");
        assert!(line("8/8 w - - 0 1; win; a; ; 0").starts_with("line 2: placement"));
        assert_eq!(
            line(&format!("{fen}; lose; Rb8; ; 0")),
            "line 2: goal: 'lose' is not mate N, win or draw"
        );
        assert!(line(&format!("{fen}; win; Rb9; ; 0")).starts_with("line 2: solution: Rb9"));
        assert!(line(&format!("{fen}; win; ; ; 0")).contains("does not end with a move of the solver"));
        assert_eq!(line(&format!("{fen}; win; Rb8; ; 21")), "line 2: level: '21' is not from 0 to 20");
    }

    #[test]
    fn positions_that_are_mirrored_or_turned_are_the_same() {
        let shape = |fen: &str| {
            let mut session = engine::open("chess").unwrap();
            session.set_position(Some(fen), &[]).unwrap();
            shape(&*session)
        };
        let first = shape("6k1/5ppp/8/8/8/8/r7/1R4K1 w - - 0 1");
        assert_eq!(first, shape("1k6/ppp5/8/8/8/8/7r/1K4R1 w - - 4 9"));
        assert_eq!(first, shape("1r4k1/R7/8/8/8/8/5PPP/6K1 b - - 0 1"));
        assert_ne!(first, shape("6k1/5ppp/8/8/8/8/r7/1R4K1 b - - 0 1"));
    }

    #[test]
    fn the_puzzles_of_the_program_are_different_and_can_be_read() {
        for name in engine::NAMES {
            let puzzles = of(name);
            let mut shapes: Vec<_> =
                puzzles.iter().map(|puzzle| shape(&*puzzle.position(name, 0).unwrap())).collect();
            let all = shapes.len();
            assert!(all == 0 || all >= 300, "{name} has only {all} puzzles");
            shapes.sort();
            shapes.dedup();
            assert_eq!(shapes.len(), all, "{name}");
        }
    }
}
