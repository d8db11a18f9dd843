//! Looks for puzzles in games: positions in which one move wins, or saves, and all others do much worse.

use crate::grow::centipawns;
use crate::puzzle::{Goal, Puzzle};
use crate::theme;
use quintain_core::board::Move;
use quintain_core::search::score::{UciScore, moves_to_mate};
use quintain_core::search::{Bound, Control, Limits, Memory, Search};
use quintain_engine::skill::{FULL, Strength, search_at_level};
use quintain_engine::{Engine, FileRank, Session};

/// A move wins if it leads to so many centipawns.
const WINS: i32 = 250;
/// Beyond so many centipawns, more does not matter.
const WON: i32 = 1000;
/// It does not win if it leads to no more than these.
const EVEN: i32 = 80;
/// A move holds a draw if it leads to no less than these, negative.
const HOLDS: i32 = 50;
/// What a mistake in the game has to give away to look closer at the position after it.
const MISTAKE: i32 = 200;
/// The mates that are puzzles.
const MATES: std::ops::RangeInclusive<u32> = 2..=5;
/// The most moves of the solver.
const LONGEST: usize = 4;
/// The levels that try to solve a puzzle. Where all of them fail, the next one is its level.
const LEVELS: [u32; 8] = [0, 2, 4, 6, 8, 10, 12, 14];
/// How often a level tries; it must solve it more often than not.
const TRIES: u64 = 3;

/// How many nodes to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// At first, in each position of a solution.
    pub nodes: u64,
    /// To prove it, in each position of the solver.
    pub proof: u64,
}

/// The positions of a game that may be puzzles: how many moves are before them. `scores` are what the engines said
/// of the moves, for the sides that made them.
pub fn candidates(scores: &[Option<UciScore>]) -> Vec<usize> {
    let at = |ply: usize| scores.get(ply).copied().flatten();
    let is_mate = |score: Option<UciScore>| matches!(score, Some(UciScore::Mate(moves)) if moves > 0);
    let is_candidate = |&ply: &usize| {
        let (Some(now), Some(before)) = (at(ply), ply.checked_sub(1).and_then(at)) else { return false };
        // A mate that is new.
        if let UciScore::Mate(moves) = now
            && u32::try_from(moves).is_ok_and(|moves| MATES.contains(&moves))
            && !is_mate(ply.checked_sub(2).and_then(at))
        {
            return true;
        }
        // Of what is won anyway, nothing more can be won.
        let limited = |score| centipawns(score).clamp(-WON, WON);
        let (now, before) = (limited(now), -limited(before));
        now - before >= MISTAKE && (now >= WINS || now >= -HOLDS && before <= -MISTAKE)
    };
    (1..scores.len()).filter(is_candidate).collect()
}

/// The puzzle of a position, if it is one. `answered` is the square to which the opponent has just moved. The engine
/// searches; it must show two lines (MultiPV).
pub fn puzzle(engine: &mut Engine, fen: &str, answered: Option<FileRank>, effort: Effort) -> Option<Puzzle> {
    engine.game_mut().set_position(Some(fen), &[]).ok()?;
    let game = engine.game().info().name;
    if engine.game().outcome().is_some() || engine.game().moves().len() < 3 {
        return None;
    }
    let (goal, best) = only_move(engine, effort.nodes)?;
    let (goal, solution) = match goal {
        Goal::Mate(moves) => mate(engine, moves, effort)?,
        goal => (goal, line(engine, goal, best, effort)?),
    };
    let mut puzzle = Puzzle { fen: fen.into(), goal, solution, tags: Vec::new(), level: 0 };
    let first = puzzle.position(game, 0)?.describe(&puzzle.solution[0]).ok()?;
    let takes_back = answered.is_some_and(|square| first.taken.contains(&square));
    if puzzle.solution.len() == 1 && takes_back {
        return None;
    }
    puzzle.level = level(game, &puzzle)?;
    // A piece that is simply left to be taken.
    if puzzle.solution.len() == 1 && !first.taken.is_empty() && puzzle.level < LEVELS[2] {
        return None;
    }
    puzzle.tags = theme::tags(game, &puzzle);
    Some(puzzle)
}

/// Proves a puzzle again, by searches of so many nodes: is each move of the solver the only one?
pub fn holds(engine: &mut Engine, puzzle: &Puzzle, nodes: u64) -> bool {
    let last = puzzle.solution.len() - 1;
    (0..=last).step_by(2).all(|plies| {
        let moves: Vec<&str> = puzzle.solution[..plies].iter().map(String::as_str).collect();
        if engine.game_mut().set_position(Some(&puzzle.fen), &moves).is_err() {
            return false;
        }
        let expected = &puzzle.solution[plies];
        match puzzle.goal {
            Goal::Mate(moves) => {
                let left = moves - plies as u32 / 2;
                let only = left == 1 || !others_mate(engine, left, expected, nodes);
                only && proved_mate(engine, left, nodes).is_some_and(|(found, _)| found == left)
            }
            goal => only_move(engine, nodes).is_some_and(|(found, best)| {
                // A longer search may see the mate at the end of what wins.
                let same = found == goal || matches!((found, goal), (Goal::Mate(_), Goal::Win));
                same && best == *expected
            }),
        }
    })
}

/// Searches the two best lines: the only move that reaches something, and what it reaches.
fn only_move(engine: &mut Engine, nodes: u64) -> Option<(Goal, String)> {
    engine.new_game();
    let lines = engine.lines(&Limits { nodes: Some(nodes), ..Limits::default() }, |_| ());
    let [best, second] = &lines[..] else { return None };
    let game = engine.game();
    let text = game.coordinates(&best.pv).into_iter().next()?;
    let (first, other) = (centipawns(game.shown(best.score)), centipawns(game.shown(second.score)));
    let mate = moves_to_mate(best.score).and_then(|moves| u32::try_from(moves).ok());
    // A longer mate is a win like others.
    if let Some(moves) = mate.filter(|moves| MATES.contains(moves)) {
        let slower = moves_to_mate(second.score).is_none_or(|other| other <= 0 || other > moves as i32);
        return slower.then_some((Goal::Mate(moves), text));
    }
    if first >= WINS && other <= EVEN {
        return Some((Goal::Win, text));
    }
    (first.abs() <= HOLDS && other <= -WINS).then_some((Goal::Draw, text))
}

/// A mate within so many moves, and how many it takes with best play; the line.
fn proved_mate(engine: &mut Engine, moves: u32, nodes: u64) -> Option<(u32, Vec<Move>)> {
    engine.new_game();
    let limits = Limits { mate: Some(moves), nodes: Some(nodes), ..Limits::default() };
    let found = engine.analyse(&limits, &|_| ());
    let needed = moves_to_mate(found.score).and_then(|moves| u32::try_from(moves).ok())?;
    (found.bound == Bound::Exact && (1..=moves).contains(&needed)).then_some((needed, found.pv))
}

/// Does another move than this one mate within so many moves?
fn others_mate(engine: &mut Engine, moves: u32, but: &str, nodes: u64) -> bool {
    let game = engine.game();
    let others = game.moves().into_iter().filter(|text| text != but);
    let search_moves: Vec<Move> = others.filter_map(|text| game.find(&text).ok()).collect();
    if search_moves.is_empty() {
        return false;
    }
    engine.new_game();
    let limits = Limits { mate: Some(moves), nodes: Some(nodes), search_moves, ..Limits::default() };
    let found = moves_to_mate(engine.analyse(&limits, &|_| ()).score);
    found.is_some_and(|found| found > 0 && found <= moves as i32)
}

/// The shortest mate, if each of its moves but the last one is the only one that mates in time.
fn mate(engine: &mut Engine, moves: u32, effort: Effort) -> Option<(Goal, Vec<String>)> {
    let (moves, line) = proved_mate(engine, moves, effort.proof)?;
    let solution = engine.game().coordinates(&line);
    if !MATES.contains(&moves) || solution.len() != 2 * moves as usize - 1 {
        return None;
    }
    let fen = engine.game().fen();
    for at in 0..moves as usize - 1 {
        let before: Vec<&str> = solution[..2 * at].iter().map(String::as_str).collect();
        engine.game_mut().set_position(Some(&fen), &before).ok()?;
        if others_mate(engine, moves - at as u32, &solution[2 * at], effort.proof) {
            return None;
        }
    }
    Some((Goal::Mate(moves), solution))
}

/// The moves from `best` on as long as the solver has an only move, each proved.
fn line(engine: &mut Engine, goal: Goal, best: String, effort: Effort) -> Option<Vec<String>> {
    let proved = |engine: &mut Engine, best: &str| {
        only_move(engine, effort.proof).is_some_and(|(found, again)| {
            again == best && (found == goal || matches!((found, goal), (Goal::Mate(_), Goal::Win)))
        })
    };
    if !proved(engine, &best) {
        return None;
    }
    let mut solution = vec![best];
    while solution.len() < 2 * LONGEST - 1 {
        engine.game_mut().play(solution.last()?).ok()?;
        if engine.game().outcome().is_some() {
            break;
        }
        engine.new_game();
        let reply = engine.analyse(&Limits { nodes: Some(effort.nodes), ..Limits::default() }, &|_| ());
        let reply = engine.game().coordinates(&reply.pv).into_iter().next()?;
        engine.game_mut().play(&reply).ok()?;
        if engine.game().outcome().is_some() {
            break;
        }
        match only_move(engine, effort.nodes) {
            Some((found, best)) if found == goal && proved(engine, &best) => solution.extend([reply, best]),
            _ => break,
        }
    }
    Some(solution)
}

/// The lowest level that solves it.
fn level(game: &str, puzzle: &Puzzle) -> Option<u32> {
    let positions: Vec<(Box<dyn Session>, &String)> = (0..puzzle.solution.len())
        .step_by(2)
        .map(|plies| Some((puzzle.position(game, plies)?, &puzzle.solution[plies])))
        .collect::<Option<_>>()?;
    let memory = Memory::new(4);
    let finds = |position: &dyn Session, expected: &str, level: u32, seed: u64| {
        memory.clear();
        let limits = Limits::default();
        let (strength, control) = (Strength { level: level.into(), seed }, Control::started(&limits));
        let info = search_at_level(position, strength, &Search::new(&limits, &memory, &control));
        position.coordinates(&info.pv).first().is_some_and(|text| text == expected)
    };
    let solves = |&level: &u32| {
        let solved = (0..TRIES).filter(|&seed| {
            positions.iter().all(|(position, expected)| finds(&**position, expected, level, seed))
        });
        2 * solved.count() as u64 > TRIES
    };
    let harder = (LEVELS[LEVELS.len() - 1] + 2).min(FULL);
    Some(LEVELS.into_iter().find(|level| solves(level)).unwrap_or(harder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::{NAMES, Options};
    use std::thread;

    fn engine(game: &'static str) -> Engine {
        Engine::new(Options { variant: game, hash: 32, multi_pv: 2, ..Options::default() }).unwrap()
    }

    #[test]
    fn candidates_follow_mistakes() {
        let cp = |score| Some(UciScore::Centipawns(score));
        // White gives a piece away with its second move; Black sees it. Later White saves itself.
        let scores = [cp(10), cp(-5), cp(0), cp(300), cp(-310), cp(320), cp(20), cp(-10)];
        assert_eq!(candidates(&scores), [3, 6]);
        let mate = |moves| Some(UciScore::Mate(moves));
        // A mate is a candidate once, and neither a long one nor that of the loser.
        assert_eq!(candidates(&[cp(500), cp(-600), mate(3), mate(-2), mate(2), mate(-1)]), [2]);
        assert_eq!(candidates(&[cp(900), cp(-990), mate(9), mate(-8)]), []);
        assert_eq!(candidates(&[None, cp(500), None, cp(600)]), []);
    }

    #[test]
    fn mates_are_puzzles_if_only_one_move_mates_in_time() {
        let effort = Effort { nodes: 20_000, proof: 50_000 };
        let mut engine = engine("chess");
        // A smothered mate.
        let fen = "5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1";
        let found = puzzle(&mut engine, fen, None, effort).unwrap();
        assert_eq!((found.goal, found.solution.join(" ")), (Goal::Mate(2), "b3g8 f8g8 h6f7".into()));
        assert!(found.tags.contains(&"sacrifice".to_owned()), "{:?}", found.tags);
        assert!(holds(&mut engine, &found, 50_000));
        let wrong = Puzzle { solution: vec!["b3b8".into(), "f8b8".into(), "h6f7".into()], ..found };
        assert!(!holds(&mut engine, &wrong, 50_000));
        // Two rooks mate in several ways.
        assert_eq!(puzzle(&mut engine, "7k/8/8/8/8/R7/1R6/K7 w - - 0 1", None, effort), None);
    }

    #[test]
    fn one_move_wins_and_others_do_not() {
        let effort = Effort { nodes: 20_000, proof: 50_000 };
        let mut engine = engine("chess");
        // A fork of king and queen.
        let found = puzzle(&mut engine, "q3k3/7p/8/1N6/8/8/5PPP/6K1 w - - 0 1", None, effort).unwrap();
        assert_eq!((found.goal, found.solution[0].as_str()), (Goal::Win, "b5c7"));
        assert!(found.tags.contains(&"fork".to_owned()), "{:?}", found.tags);
        assert!(holds(&mut engine, &found, 50_000));
        // The same, but another piece wins the queen too.
        assert_eq!(puzzle(&mut engine, "q3k3/7p/8/1N6/8/5B2/5PPP/6K1 w - - 0 1", None, effort), None);
    }

    /// Searches of a debug build are slow, so this is a sample.
    #[test]
    fn puzzles_of_the_program_are_proved_again() {
        const NODES: u64 = 200_000;
        const SAMPLE: usize = 2;
        let check = |name: &'static str| {
            let (puzzles, mut engine) = (crate::puzzle::of(name), engine(name));
            let step = (puzzles.len() / SAMPLE).max(1);
            for puzzle in puzzles.iter().step_by(step).take(SAMPLE) {
                assert!(holds(&mut engine, puzzle, NODES), "{name}: {}", puzzle.line(name));
            }
        };
        thread::scope(|scope| NAMES.iter().for_each(|name| drop(scope.spawn(move || check(name)))));
    }
}
