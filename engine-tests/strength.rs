//! Playing strength: the test sets of every game, proofs of mates, and levels for people.

mod solver;

use quintain::board::Color;
use quintain::board::zobrist::random_numbers;
use quintain::engine::{self, NAMES, Playable, Session, Strength, Visitor, skill};
use quintain::eval::{Evaluator, Network};
use quintain::notation::{coords, fen};
use quintain::rules::Position;
use quintain::search::mate::{Mate, Proof, Prover, prove};
use quintain::search::score::moves_to_mate;
use quintain::search::{Bound, Control, Info, Limits, Memory, Score, Search, each_line};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

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
    let search = Search::new(limits, &memory, &control);
    let found = session.search(&Search { listener: &each_line(keep), ..search });
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
            match prove(&pos, moves, PROOF, &|| false) {
                Proof::NoMate => panic!("{}: no mate in {moves}: {}", puzzle.place, puzzle.fen),
                Proof::Unknown => {}
                Proof::Mate(Mate { moves: found, line, shortest }) => {
                    proved += 1;
                    assert!(shortest && found <= moves, "{}: mate in {found}", puzzle.place);
                    assert_eq!(line.len(), 2 * found as usize - 1, "{}", puzzle.place);
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

            #[test]
            fn mates_are_the_shortest_and_their_lines_best_play() {
                super::engine::visit(stringify!($game), super::Compare).expect("a game");
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

/// Moves to a mate that the solver finds, at most; one less on boards with more than 64 squares, where it takes long.
const SOLVED: u32 = 3;
/// Mates of so many moves for each game.
const MATES: [usize; 1 + SOLVED as usize] = [0, 2, 3, 5];

/// Asks for mates in random positions with few pieces, and compares with a slow solver. Every mate must be the shortest,
/// and its line best play of both sides.
struct Compare;

impl Visitor for Compare {
    type Output = ();

    fn visit<V: Playable>(self) {
        let (mut numbers, mut solver) = (random_numbers(47), solver::Solver::default());
        let mut random = |below: usize| (numbers() % below as u64) as usize;
        let mut session = open(V::NAME, None);
        let most = if session.info().squares > 64 { SOLVED - 1 } else { SOLVED };
        let (mut left, mut tries) = (MATES, 0);
        left[most as usize + 1..].fill(0);
        while left.iter().any(|&left| left > 0) {
            tries += 1;
            assert!(tries < 20_000, "{}: {left:?} are left", V::NAME);
            let side = Color::BOTH[random(2)];
            let mut pieces = [random(2), random(2)];
            pieces[side.index()] += 1 + random(2);
            let fen = solver::few_pieces(&*session, pieces, side, &mut random);
            let Ok(mut pos) = fen::parse::<V>(&fen) else { continue };
            let Some(truth) = solver.shortest(&mut pos, most) else { continue };
            if left[truth as usize] == 0 {
                continue;
            }
            left[truth as usize] -= 1;
            session.set_position(Some(&fen), &[]).expect("a legal position");
            for wanted in [truth, truth + 2] {
                let limits = Limits { mate: Some(wanted), ..Limits::default() };
                let (answer, reports) = think(&*session, &limits, |_| false);
                let about = format!("{} {fen}, mate {wanted}: {answer:?}", V::NAME);
                assert_eq!(moves_to_mate(answer.score), Some(truth as i32), "{about}");
                assert_eq!(
                    reports.last().map(|report| (report.bound, &report.pv)),
                    Some((Bound::Exact, &answer.pv))
                );
                follow(&mut pos, &mut solver, truth, &answer.pv, &about);
            }
            if truth > 1 {
                let limits = Limits { mate: Some(truth - 1), ..Limits::default() };
                let (answer, _) = think(&*session, &limits, |_| false);
                let found = moves_to_mate(answer.score);
                assert!(found.is_none_or(|found| found >= truth as i32), "{} {fen}: {answer:?}", V::NAME);
            }
            // At once, and without the search: the same, or said to be a bound, with a line that fits.
            let Proof::Mate(mate) = Prover::new(&pos, &[], &|| false).confirm(truth + 2, 1_000_000) else {
                panic!("{} {fen}: not proved", V::NAME);
            };
            assert!(mate.shortest && mate.moves == truth, "{} {fen}: {mate:?}", V::NAME);
            follow(&mut pos, &mut solver, truth, &mate.line, &fen);
        }
    }
}

/// Checks that in a line to a mate in so many moves, every move is best play.
fn follow<V: Playable>(
    pos: &mut Position<V>,
    solver: &mut solver::Solver,
    moves: u32,
    line: &[quintain::board::Move],
    about: &str,
) {
    assert_eq!(line.len(), 2 * moves as usize - 1, "{about}");
    for (ply, &mv) in line.iter().enumerate() {
        if ply % 2 == 0 {
            let left = moves - ply as u32 / 2;
            assert_eq!(solver.shortest(pos, left), Some(left), "{about}, ply {ply}");
        }
        pos.play(mv).expect("a legal move");
    }
    assert!(pos.in_check() && pos.count_moves() == 0, "{about}");
    line.iter().for_each(|_| assert!(pos.take_back().is_some()));
}

#[test]
fn the_longest_answers_are_in_the_line_of_a_mate_in_five() {
    let session = open("chess", Some("8/1k6/8/K2R4/8/8/8/8 w - - 0 1"));
    let limits = Limits { mate: Some(5), ..Limits::default() };
    let (answer, _) = think(&*session, &limits, |_| false);
    assert_eq!((moves_to_mate(answer.score), answer.pv.len()), (Some(5), 9), "{answer:?}");
    // Not with a first move that takes longer.
    let wanted = session.find("d5d6").expect("a legal move");
    let limits = Limits { mate: Some(6), search_moves: vec![wanted], ..Limits::default() };
    let (answer, _) = think(&*session, &limits, |_| false);
    assert_eq!(answer.best(), Some(wanted));
    let moves = moves_to_mate(answer.score);
    assert!(moves.is_none_or(|moves| moves > 5) || answer.pv.len() == 9, "{answer:?}");
}

#[test]
fn a_mate_that_may_not_be_the_shortest_has_a_line_that_fits_it() {
    /// Proves a mate, and stops when `stop` has been asked so often.
    struct Confirm(&'static str, u32, u64);
    impl Visitor for Confirm {
        type Output = Proof;
        fn visit<V: Playable>(self) -> Proof {
            let (pos, asked) = (fen::parse::<V>(self.0).expect("a position"), AtomicU64::new(0));
            let proof =
                Prover::new(&pos, &[], &|| asked.fetch_add(1, Relaxed) >= self.2).confirm(self.1, u64::MAX);
            if let Proof::Mate(Mate { moves, line, .. }) = &proof {
                assert_eq!(line.len(), 2 * *moves as usize - 1, "{proof:?}");
                let mut pos = pos.clone();
                line.iter().for_each(|&mv| pos.play(mv).expect("a legal move"));
                assert!(pos.in_check() && pos.count_moves() == 0, "{proof:?}");
            }
            proof
        }
    }
    // A rook's mate in three, looked for as a mate in five.
    let (mut bounds, mut asked) = (0, 1);
    let rook = "8/8/8/8/8/5K2/R7/7k w - - 0 1";
    loop {
        match engine::visit("chess", Confirm(rook, 5, asked)).expect("a game") {
            Proof::Unknown => assert_eq!(bounds, 0),
            Proof::Mate(Mate { moves, shortest: false, .. }) => {
                assert!((2..=5).contains(&moves));
                bounds += 1;
            }
            Proof::Mate(Mate { moves, .. }) => {
                assert_eq!(moves, 2);
                break;
            }
            Proof::NoMate => panic!("there is a mate"),
        }
        asked += 1 + asked / 16;
    }
    assert!(bounds > 0);
}

#[test]
fn nothing_mates_in_a_game_that_is_over() {
    // Each has a mate on the board, or could have one soon.
    let repetition = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/K2R2N1 w - - 0 1";
    let shuffle = ["g1f3", "g8f8", "f3g1", "f8g8", "g1f3", "g8f8", "f3g1", "f8g8"];
    for (game, fen, moves) in [
        ("canyon", Some("1******1/2*2*2/3MQ3/*1K2Pk*/*6*/8/2*2*2/1******1 w - - 6 33 10"), &[][..]),
        ("chess", Some("6k1/5ppp/8/8/8/8/8/K2R4 w - - 100 80"), &[]),
        ("gast", Some("k11/12/1K10/12/12/12/12/12/12/12/12/11R w - - 100 80"), &[]),
        ("grand", Some("k9/10/1K8/10/10/10/10/10/10/10 w - - 0 1"), &[]),
        ("chess", None, &repetition),
        ("chess", Some(mate_in_one), &shuffle),
    ] {
        let mut session = open(game, None);
        session.set_position(fen, moves).expect("a legal position");
        assert!(session.outcome().is_some_and(|outcome| outcome.winner.is_none()), "{game} {fen:?}");
        for limits in [
            Limits { mate: Some(3), ..Limits::default() },
            Limits { depth: Some(5), ..Limits::default() },
            Limits { move_time: Some(std::time::Duration::from_millis(200)), ..Limits::default() },
            Limits { nodes: Some(3000), ..Limits::default() },
        ] {
            let (answer, reports) = think(&*session, &limits, |_| false);
            let drawn = |report: &Info| report.score == 0 && report.bound == Bound::Exact;
            assert!(reports.iter().chain([&answer]).all(drawn), "{game} {fen:?}: {reports:?}");
            // A move for GUIs that go on.
            assert!(!reports.is_empty() && answer.best().is_some(), "{game} {fen:?}");
        }
    }
}

#[test]
fn what_is_no_mate_is_refuted() {
    struct Refute(&'static str, u32);
    impl Visitor for Refute {
        type Output = Proof;
        fn visit<V: Playable>(self) -> Proof {
            let pos: Position<V> = fen::parse(self.0).expect("a position");
            prove(&pos, self.1, 1_000_000, &|| false)
        }
    }
    let proof = |game, fen, moves| engine::visit(game, Refute(fen, moves)).expect("a game");
    // Mate in two, not in one.
    assert_eq!(proof("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1), Proof::NoMate);
    let two = proof("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2);
    assert!(matches!(two, Proof::Mate(Mate { moves: 2, line, shortest: true }) if line.len() == 3));
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

// ---- Evaluation -----------------------------------------------------------------------------------------

/// A network is worse if its loss is so many times as large.
const WORSE: f64 = 1.04;
/// Noise in the weights by which a network lost 200 Elo in chess (120 games, 800 nodes a move); its loss grows by 12 %.
const NOISE: u64 = 10;

/// How badly the evaluation predicts scores of searches and results of games, as a mean squared error: the loss of the
/// training, on games that are kept in `engine-tests/positions`. With `noise`, numbers up to this are added to the
/// weights of the network.
struct Loss {
    noise: u64,
}

impl Visitor for Loss {
    type Output = f64;

    fn visit<V: Playable>(self) -> f64 {
        let mut parameters = V::network().parameters().clone();
        let mut random = random_numbers(9);
        for row in &mut parameters.feature_weights {
            row.0
                .iter_mut()
                .for_each(|weight| *weight += (random() % (2 * self.noise + 1)) as i16 - self.noise as i16);
        }
        let mut evaluator = Evaluator::new(&Arc::new(Network::new::<V>(parameters)));
        let file = format!("engine-tests/positions/{}.games", V::NETWORK_GAME);
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("games");
        let expected = |score: Score| 1.0 / (1.0 + (-0.004 * f64::from(score)).exp());
        let (mut sum, mut count) = (0.0, 0);
        // A game a line: where it begins, White's result, and moves, each with the score of the search before it.
        for line in text.lines() {
            let [start, result, moves] = line.split(';').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let (mut pos, result) =
                (fen::parse::<V>(start).expect("a position"), result.parse::<f64>().expect("a result"));
            let words: Vec<&str> = moves.split(' ').collect();
            for [text, score] in words.as_chunks::<2>().0 {
                let mv = coords::parse(&pos, text).expect("a move");
                if !pos.in_check() && !pos.is_noisy(mv) {
                    let target = 0.9 * expected(score.parse().expect("a score")) + 0.1 * result;
                    let white = evaluator.evaluate(&pos) * Score::from(pos.side().forward());
                    sum += (expected(white) - target).powi(2);
                    count += 1;
                }
                pos.play(mv).expect("a legal move");
            }
        }
        assert!(count >= 200, "{}: only {count} quiet positions", V::NAME);
        sum / f64::from(count)
    }
}

/// The losses of the networks of today. A new network may have a larger one and yet be better, as a match can show;
/// then the games are played anew: `quintain tune play GAME --nodes 1500 --endings 8 --seed 48 --games N`.
const LOSSES: [(&str, f64); 8] = [
    ("canyon", 0.01014),
    ("diamond", 0.00334),
    ("grandcavalier", 0.00450),
    ("superchess", 0.00284),
    ("gast", 0.00373),
    ("gast14", 0.00535),
    ("chess", 0.00673),
    ("grand", 0.00489),
];

#[test]
fn the_evaluation_predicts_games_as_well_as_it_did() {
    for (game, known) in LOSSES {
        let loss = |noise| engine::visit(game, Loss { noise }).expect("a game");
        let (now, noisy) = (loss(0), loss(NOISE));
        assert!(now < WORSE * known, "{game}: {now:.5}, it was {known:.5}");
        assert!(noisy > WORSE * known, "{game}: {noisy:.5} with noise in the weights, it was {known:.5}");
    }
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
        let found = skill::search_at_level(&*session, strength, &Search::new(&limits, memory, &control));
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
            let search = Search::new(&limits, &memory, &control);
            let answer =
                skill::search_at_level(&*session, strength, &Search { listener: &each_line(keep), ..search });
            let reports = reports.into_inner().unwrap();
            assert!(reports.iter().all(|report| report.multi_pv == 1));
            let last = reports.last().expect("a report");
            assert_eq!(last.best(), answer.best(), "{game}");
            assert!(session.moves().contains(&best(&*session, &answer)));
        }
    }
}
