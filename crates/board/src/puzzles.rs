//! What the page of puzzles is sent: a puzzle, and what an attempt to solve it leads to.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use crate::view::{self, GameView, MoveView, PositionView};
use anyhow::{Context, Result, bail};
use quintain_engine::{self as engine, FileRank, Session, any_seed};
use quintain_study::puzzle::{self, Puzzle, Record, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which puzzles somebody wants.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    pub game: String,
    /// Only those in which this happens.
    #[serde(default)]
    pub tag: Option<String>,
    /// Only those of these levels.
    #[serde(default)]
    pub levels: Option<[u32; 2]>,
    /// The numbers of those that are known already.
    #[serde(default)]
    pub seen: Vec<usize>,
}

/// What somebody does with a puzzle.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub game: String,
    pub number: usize,
    /// The moves of the solution that were made.
    pub plies: usize,
    pub action: Action,
    /// Nothing was wrong before, and no help was given.
    pub first: bool,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// A move, as coordinates or SAN.
    Move(String),
    Hint,
    Solution,
}

/// How somebody does at puzzles.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct RecordView {
    pub rating: u32,
    pub streak: u32,
    pub best: u32,
}

impl From<Record> for RecordView {
    fn from(Record { rating, streak, best }: Record) -> RecordView {
        RecordView { rating, streak, best }
    }
}

/// A puzzle.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PuzzleView {
    pub game: GameView,
    pub number: usize,
    /// What is to be reached, in words.
    pub task: String,
    pub level: u32,
    pub position: PositionView,
    pub moves: Vec<MoveView>,
    /// How many puzzles there are like those that are wanted.
    pub left: usize,
    pub record: RecordView,
}

/// A move of the solution, and the position after it.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct StepView {
    #[serde(rename = "move")]
    pub mv: MoveView,
    pub position: PositionView,
}

/// What an attempt led to.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct AttemptView {
    /// Is the puzzle over?
    pub over: bool,
    /// Was the move right?
    pub right: bool,
    /// Moves that are to be seen now.
    pub steps: Vec<StepView>,
    /// The legal moves after them.
    pub moves: Vec<MoveView>,
    /// Where the next move begins, for a hint.
    pub from: Option<FileRank>,
    /// What happened in the solution, when it is over.
    pub tags: Vec<String>,
    pub record: RecordView,
}

/// The tags of the puzzles of a game, with how many there are.
pub fn tags(game: &str) -> BTreeMap<String, usize> {
    let mut tags = BTreeMap::new();
    for tag in puzzle::of(game).iter().flat_map(|puzzle| &puzzle.tags) {
        *tags.entry(tag.clone()).or_default() += 1;
    }
    tags
}

/// A puzzle that suits somebody; `None` if none is left.
pub fn find(wish: &Wish, record: Record) -> Result<Option<PuzzleView>> {
    let start = engine::open(&wish.game)?;
    let all = puzzle::of(&wish.game);
    let wanted = |(number, puzzle): &(usize, &Puzzle)| {
        !wish.seen.contains(number)
            && wish.tag.as_ref().is_none_or(|tag| puzzle.tags.contains(tag))
            && wish.levels.is_none_or(|[low, high]| (low..=high).contains(&puzzle.level))
    };
    let chosen: Vec<(usize, &Puzzle)> = all.iter().enumerate().filter(wanted).collect();
    let puzzles: Vec<&Puzzle> = chosen.iter().map(|(_, puzzle)| *puzzle).collect();
    let Some(at) = puzzle::next(&puzzles, record.rating, any_seed()) else { return Ok(None) };
    let (number, puzzle) = chosen[at];
    let session = puzzle.position(&wish.game, 0).context("a puzzle of the program can be set up")?;
    Ok(Some(PuzzleView {
        game: GameView::of(&*start),
        number,
        task: puzzle.goal.task(session.side()),
        level: puzzle.level,
        position: PositionView::from(&*session),
        moves: view::moves(&*session),
        left: chosen.len(),
        record: record.into(),
    }))
}

/// Judges an attempt, and returns the record after it.
pub fn attempt(attempt: &Attempt, record: Record) -> Result<(AttemptView, Record)> {
    let Attempt { game, number, plies, action, first } = attempt;
    let all = puzzle::of(game);
    let puzzle = all.get(*number).context("number: there is no such puzzle")?;
    if *plies >= puzzle.solution.len() || plies % 2 == 1 {
        bail!("plies: the solver is not to move after {plies}");
    }
    let mut session = puzzle.position(game, *plies).context("a puzzle of the program can be set up")?;
    let mut steps = Vec::new();
    let mut play = |session: &mut dyn Session, text: &str| -> Result<()> {
        let mv = MoveView::from(&session.play_any(text)?);
        steps.push(StepView { mv, position: PositionView::from(&*session) });
        Ok(())
    };
    let (mut over, mut right, mut from) = (false, false, None);
    match action {
        Action::Move(text) => match puzzle.judge(game, *plies, text) {
            None => {
                session.play_any(text)?;
            }
            Some(Verdict::Wrong) => {}
            Some(Verdict::Right(reply)) => {
                right = true;
                play(&mut *session, text)?;
                play(&mut *session, &reply)?;
            }
            Some(Verdict::Solved) => {
                (over, right) = (true, true);
                play(&mut *session, text)?;
            }
        },
        Action::Hint => from = session.describe(&puzzle.solution[*plies]).ok().map(|info| info.from),
        Action::Solution => {
            over = true;
            for text in &puzzle.solution[*plies..] {
                play(&mut *session, text)?;
            }
        }
    }
    // What was right so far says nothing yet.
    let decided = *first && (over || !right);
    let record = if decided { record.after(puzzle, right) } else { record };
    let moves = if over { Vec::new() } else { view::moves(&*session) };
    let tags = if over { puzzle.tags.clone() } else { Vec::new() };
    Ok((AttemptView { over, right, steps, moves, from, tags, record: record.into() }, record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::NAMES;

    #[test]
    fn puzzles_are_found_and_solved_and_count_once() {
        for &game in NAMES.iter().filter(|game| !puzzle::of(game).is_empty()) {
            let wish = Wish { game: game.into(), tag: None, levels: None, seen: Vec::new() };
            let new = Record::default();
            let found = find(&wish, new).unwrap().unwrap();
            let all = puzzle::of(game);
            assert_eq!((found.left, tags(game).is_empty()), (all.len(), false), "{game}");
            let puzzle = &all[found.number];
            let act = |plies, action, first, record| {
                attempt(&Attempt { game: game.into(), number: found.number, plies, action, first }, record)
                    .unwrap()
            };
            let (mut record, mut plies) = (new, 0);
            while plies < puzzle.solution.len() {
                let (view, after) = act(plies, Action::Move(puzzle.solution[plies].clone()), true, record);
                assert!(view.right, "{game}");
                assert_eq!(view.over, plies + 1 == puzzle.solution.len(), "{game}");
                assert_eq!(view.moves.is_empty(), view.over, "{game}");
                (record, plies) = (after, plies + 2);
            }
            assert!(record.rating > new.rating && record.streak == 1, "{game}");
            let wrong = found.moves.iter().find(|mv| puzzle.judge(game, 0, &mv.text) == Some(Verdict::Wrong));
            let (view, after) = act(0, Action::Move(wrong.unwrap().text.clone()), true, record);
            assert!(!view.right && view.steps.is_empty() && after.streak == 0, "{game}");
            // It is known to have failed, and is not counted again.
            let (view, again) = act(0, Action::Hint, false, after);
            assert!(view.from.is_some() && again == after, "{game}");
            let (view, _) = act(0, Action::Solution, false, after);
            assert_eq!(view.steps.len(), puzzle.solution.len(), "{game}");
            let seen = Wish { seen: (0..all.len()).collect(), ..wish };
            assert!(find(&seen, new).unwrap().is_none(), "{game}");
        }
    }
}
