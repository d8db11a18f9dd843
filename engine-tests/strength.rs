//! Playing strength: the test sets of every game, proofs of mates, and levels for people.

use quintain::engine::Playable;
use quintain::engine::{self, NAMES, Session, Strength, Visitor, skill};
use quintain::notation::{coords, fen};
use quintain::rules::Position;
use quintain::search::mate::{Proof, prove};
use quintain::search::score::moves_to_mate;
use quintain::search::{Bound, Control, Info, Limits, Memory, Settings};
use std::fs;
use std::path::Path;
use std::sync::Mutex;

// ---- Test sets ------------------------------------------------------------------------------------------

/// A position with its solution.
struct Puzzle {
    place: String,
    fen: String,
    /// The best moves, as coordinates.
    best: Vec<String>,
    /// The side to move mates in so many moves.
    mate: Option<u32>,
}

/// Reads `FEN ;bm MOVE [MOVE..] ;mate N`; either of the two may be missing.
fn puzzles(game: &str) -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("engine-tests/positions/{game}.epd"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut puzzles = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let mut puzzle = Puzzle {
            place: format!("{game}.epd, line {number}"),
            fen: fields.next().unwrap_or_default().into(),
            best: Vec::new(),
            mate: None,
        };
        for field in fields {
            match field.split_once(' ') {
                Some(("bm", moves)) => puzzle.best = moves.split(' ').map(str::to_owned).collect(),
                Some(("mate", moves)) => puzzle.mate = Some(moves.parse().expect("a number of moves")),
                _ => panic!("{}: '{field}' is neither bm MOVE nor mate N", puzzle.place),
            }
        }
        assert!(!puzzle.best.is_empty() || puzzle.mate.is_some(), "{}: nothing is known", puzzle.place);
        puzzles.push(puzzle);
    }
    puzzles
}

fn open(game: &str, fen: Option<&str>) -> Box<dyn Session> {
    let mut session = engine::open(game).expect("a game");
    session.set_position(fen, &[]).unwrap_or_else(|error| panic!("{game}: {error:#}"));
    session
}

/// Searches until a report is `enough`.
fn think(session: &dyn Session, limits: &Limits, enough: impl Fn(&Info) -> bool + Sync) -> (Info, Vec<Info>) {
    let (memory, control) = (Memory::new(8), Control::started(limits));
    let told = Mutex::new(Vec::new());
    let keep = |info: &Info| {
        told.lock().unwrap().push(info.clone());
        if enough(info) {
            control.stop();
        }
    };
    let found = session.think(limits, Settings::default(), &memory, &control, &keep);
    (found, told.into_inner().unwrap())
}

/// The best move as coordinates.
fn best(session: &dyn Session, found: &Info) -> String {
    session.coordinates(&found.pv).into_iter().next().expect("a move")
}

/// The nodes within which every position of the sets is solved.
const BUDGET: u64 = 1_000_000;

fn solve(game: &str) {
    let puzzles = puzzles(game);
    assert!(puzzles.len() >= 20, "{game} has only {} positions", puzzles.len());
    let mut unsolved = Vec::new();
    for puzzle in &puzzles {
        let session = open(game, Some(&puzzle.fen));
        let mates = |score| match (puzzle.mate, moves_to_mate(score)) {
            (Some(moves), Some(found)) => (1..=moves as i32).contains(&found),
            (moves, _) => moves.is_none(),
        };
        let limits = Limits { nodes: Some(BUDGET), ..Limits::default() };
        let found = |report: &Info| puzzle.mate.is_some() && mates(report.score);
        let (answer, _) = think(&*session, &limits, found);
        let best = best(&*session, &answer);
        if !mates(answer.score) || (puzzle.mate.is_none() && !puzzle.best.contains(&best)) {
            unsolved.push(format!("{}: {best} {} {}", puzzle.place, answer.score, puzzle.fen));
        }
    }
    assert!(unsolved.is_empty(), "{} of {}:\n{}", unsolved.len(), puzzles.len(), unsolved.join("\n"));
}

/// Nodes for a proof in a test.
const PROOF: u64 = 400_000;

/// Proves the mates of the positions where that does not take too long.
struct Proofs<'a>(&'a [Puzzle]);

impl Visitor for Proofs<'_> {
    type Output = usize;

    fn visit<V: Playable>(self) -> usize {
        let mut proved = 0;
        for puzzle in self.0 {
            let Some(moves) = puzzle.mate else { continue };
            let mut pos: Position<V> = fen::parse(&puzzle.fen).expect("a position");
            match prove(&pos, moves, PROOF, || false) {
                Proof::NoMate => panic!("{}: no mate in {moves}: {}", puzzle.place, puzzle.fen),
                Proof::Unknown => {}
                Proof::Mate(line) => {
                    proved += 1;
                    assert!(line.len() < 2 * moves as usize && line.len() % 2 == 1, "{}", puzzle.place);
                    for &mv in &line {
                        assert!(pos.is_legal(mv), "{}: {}", puzzle.place, coords::write(&pos, mv));
                        pos.play_unchecked(mv);
                    }
                    assert!(pos.in_check() && pos.count_moves() == 0, "{}: {line:?}", puzzle.place);
                }
            }
        }
        proved
    }
}

macro_rules! sets {
    ($($game:ident),*) => {$(
        mod $game {
            #[test]
            fn is_solved() {
                super::solve(stringify!($game));
            }

            #[test]
            fn mates_are_proved() {
                let puzzles = super::puzzles(stringify!($game));
                let proved = super::engine::visit(stringify!($game), super::Proofs(&puzzles)).expect("a game");
                assert!(proved >= 8, "only {proved} mates are proved");
            }

            #[test]
            fn a_mate_that_is_asked_for_is_proved() {
                super::ask_for_mates(stringify!($game));
            }
        }
    )*

    #[test]
    fn every_game_has_its_set() {
        assert_eq!(NAMES, [$(stringify!($game)),*]);
    }};
}
sets!(canyon, diamond, grandcavalier, superchess, superchessfixed, gast, gast14, chess, grand);

// ---- Mates ----------------------------------------------------------------------------------------------

fn ask_for_mates(game: &str) {
    let asked =
        puzzles(game).into_iter().filter(|puzzle| puzzle.mate.is_some_and(|moves| moves <= 2)).take(3);
    for puzzle in asked {
        let session = open(game, Some(&puzzle.fen));
        let limits = Limits { mate: puzzle.mate, depth: Some(20), ..Limits::default() };
        let (answer, reports) = think(&*session, &limits, |_| false);
        let last = reports.last().expect("a report");
        assert_eq!(last.best(), answer.best(), "{}", puzzle.place);
        assert!(last.bound == Bound::Exact, "{}: not proved", puzzle.place);
        let found = moves_to_mate(last.score).expect("a mate");
        assert!(found > 0 && found as u32 <= puzzle.mate.unwrap_or(0), "{}: mate {found}", puzzle.place);
        assert_eq!(answer.score, last.score);
        // Reports before the proof have no mate score.
        assert!(reports[..reports.len() - 1].iter().all(|report| moves_to_mate(report.score) <= Some(0)));
    }
}

#[test]
fn what_is_no_mate_is_refuted() {
    struct Refute(&'static str, u32);
    impl Visitor for Refute {
        type Output = Proof;
        fn visit<V: Playable>(self) -> Proof {
            let pos: Position<V> = fen::parse(self.0).expect("a position");
            prove(&pos, self.1, 1_000_000, || false)
        }
    }
    let proof = |game, fen, moves| engine::visit(game, Refute(fen, moves)).expect("a game");
    // Mate in two, not in one.
    assert_eq!(proof("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1), Proof::NoMate);
    assert!(
        matches!(proof("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2), Proof::Mate(line) if line.len() == 3)
    );
    // The fifty moves are over before the mate.
    assert_eq!(proof("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 99 90", 2), Proof::NoMate);
    assert!(matches!(proof("chess", "7k/8/6K1/8/8/8/8/R7 w - - 99 90", 1), Proof::Mate(_)));
    // The tenth of Canyon's ten moves mates, and there is no eleventh.
    let ending = "1******1/2*2*2/4Q3/*1K2Pk*/*3M2*/8/2*2*2/1******1 b - - 6 33 8";
    assert_eq!(proof("canyon", ending, 3), Proof::NoMate);
    let last = "1******1/2*2*2/3MQ3/*1K2Pk*/*6*/8/2*2*2/1******1 w - - 6 33 9";
    assert!(matches!(proof("canyon", last, 1), Proof::Mate(_)));
    // The result is unknown when the proof is interrupted.
    assert_eq!(proof("gast14", engine::info("gast14").expect("a game").start, 4), Proof::Unknown);
    assert_eq!(proof("chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", 0), Proof::NoMate);
}

// ---- Levels ---------------------------------------------------------------------------------------------

/// A game between two levels; the winner's index, if there is one.
fn duel(game: &str, levels: [f64; 2], seed: u64) -> Option<usize> {
    let mut session = open(game, None);
    let memories = [Memory::new(1), Memory::new(1)];
    for ply in 0..300 {
        if let Some(outcome) = session.outcome() {
            return outcome.winner.map(|winner| winner.index());
        }
        let limits = Limits { nodes: Some(4000), ..Limits::default() };
        let control = Control::started(&limits);
        let strength = Strength { level: levels[ply % 2], seed };
        let memory = &memories[ply % 2];
        let found = skill::think(&*session, strength, &limits, Settings::default(), memory, &control, &());
        let best = best(&*session, &found);
        session.play(&best).expect("a legal move");
    }
    None
}

#[test]
fn the_weakest_level_loses_to_a_middling_one() {
    let mut points = 0.0;
    for (seed, game) in NAMES.iter().enumerate() {
        let strong = seed % 2;
        let levels = if strong == 0 { [9.0, 0.0] } else { [0.0, 9.0] };
        points += match duel(game, levels, seed as u64) {
            Some(winner) if winner == strong => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
    }
    assert!(points >= NAMES.len() as f64 - 1.0, "{points} of {}", NAMES.len());
}

#[test]
fn a_weak_level_reports_the_move_that_it_plays() {
    for game in NAMES {
        let session = open(game, None);
        for seed in 0..4 {
            let (limits, memory) = (Limits::default(), Memory::new(1));
            let control = Control::started(&limits);
            let reports = Mutex::new(Vec::new());
            let keep = |report: &Info| reports.lock().unwrap().push(report.clone());
            let strength = Strength { level: 2.0, seed };
            let answer =
                skill::think(&*session, strength, &limits, Settings::default(), &memory, &control, &keep);
            let reports = reports.into_inner().unwrap();
            assert!(reports.iter().all(|report| report.multi_pv == 1));
            let last = reports.last().expect("a report");
            assert_eq!(last.best(), answer.best(), "{game}");
            assert!(session.moves().contains(&best(&*session, &answer)));
        }
    }
}
