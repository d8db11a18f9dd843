//! The search is sound, repeatable, keeps its limits, and never loses to random moves.

use quintain::board::Move;
use quintain::board::zobrist::split_mix;
use quintain::engine::{self, NAMES, Session};
use quintain::rules::Reason;
use quintain::search::score::moves_to_mate;
use quintain::search::{Clock, Control, Info, Limits, Memory, Search, Settings, each_line};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn open(game: &str, fen: Option<&str>) -> Box<dyn Session> {
    let mut session = engine::open(game).expect("a game");
    session.set_position(fen, &[]).expect("a legal position");
    session
}

fn think(session: &dyn Session, limits: &Limits, settings: Settings, memory: &Memory) -> (Info, Vec<Info>) {
    let told = Mutex::new(Vec::new());
    let keep = |info: &Info| told.lock().unwrap().push(info.clone());
    let control = &Control::started(limits);
    let found = session.search(&Search { limits, settings, memory, control, listener: &each_line(keep) });
    (found, told.into_inner().unwrap())
}

/// The best move as coordinates.
fn best(session: &dyn Session, found: &Info) -> Option<String> {
    session.coordinates(&found.pv).into_iter().next()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn never_loses_to_random_moves() {
    let mut seed = 2026;
    for game in NAMES {
        for engine_is_white in [true, false] {
            let mut session = open(game, None);
            let memory = Memory::new(1);
            let outcome = loop {
                if let Some(outcome) = session.outcome() {
                    break outcome;
                }
                let white_moves = session.side() == quintain::board::Color::White;
                let text = if white_moves == engine_is_white {
                    let found = think(&*session, &nodes(1500), Settings::default(), &memory).0;
                    best(&*session, &found).expect("a move")
                } else {
                    let moves = session.moves();
                    let random;
                    (seed, random) = split_mix(seed);
                    moves[(random % moves.len() as u64) as usize].clone()
                };
                session.play(&text).expect("a legal move");
            };
            let lost = outcome
                .winner
                .is_some_and(|winner| (winner == quintain::board::Color::White) != engine_is_white);
            assert!(!lost, "{game}: lost to random moves, {outcome}, {}", session.fen());
            // With all pieces it must do better than draw.
            assert_eq!(outcome.reason, Reason::Checkmate, "{game}: only {outcome}, {}", session.fen());
        }
    }
}

#[test]
fn the_same_search_gives_the_same_tree() {
    for game in NAMES {
        let session = open(game, None);
        let run = |memory: &Memory| think(&*session, &depth(5), Settings::default(), memory);
        let memory = Memory::new(2);
        // All but the time.
        let run = |memory: &Memory| Info { millis: 0, ..run(memory).0 };
        let first = run(&memory);
        memory.clear();
        assert_eq!(first, run(&memory), "{game}");
        assert_eq!(first, run(&Memory::new(2)), "{game}");
    }
}

#[test]
fn finds_mates_and_counts_them() {
    // Mate in so many moves, by the side to move.
    let mates = [
        ("superchessfixed", "1k1r6/ppp7/3p6/10/10/7B2/2AC6/10/10/8K1 w - - 0 1 nw", 2),
        ("superchessfixed", "2kr6/pppp6/10/2P1PC4/10/6B3/2R7/10/10/8K1 w - - 0 1 e", 2),
        ("chess", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ];
    for (game, fen, wanted) in mates {
        let session = open(game, Some(fen));
        let limits = Limits { mate: Some(wanted), depth: Some(16), ..Limits::default() };
        let (answer, _) = think(&*session, &limits, Settings::default(), &Memory::new(4));
        let found = moves_to_mate(answer.score);
        assert!(found.is_some_and(|moves| 0 < moves && moves <= wanted as i32), "{game} {fen}: {answer:?}");
    }
}

#[test]
fn mated_and_stalemated_sides_have_no_move() {
    let mated = open("chess", Some("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"));
    let (answer, reports) = think(&*mated, &depth(3), Settings::default(), &Memory::new(1));
    assert_eq!((answer.best(), moves_to_mate(answer.score)), (None, Some(0)));
    assert_eq!(reports.len(), 1);
    let stalemated = open("chess", Some("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"));
    let (answer, _) = think(&*stalemated, &depth(3), Settings::default(), &Memory::new(1));
    assert_eq!((answer.best(), answer.score), (None, 0));
}

#[test]
fn takes_the_draw_that_saves_and_avoids_the_one_that_spoils() {
    // White is lost except for the perpetual check between e8 and h5.
    let session = open("chess", Some("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1"));
    let (answer, _) = think(&*session, &depth(10), Settings::default(), &Memory::new(4));
    assert_eq!(answer.score, 0, "{answer:?}");
    // Two moves are left before the fifty-move draw, and one of them mates.
    let session = open("chess", Some("7k/8/6K1/8/8/8/8/R7 w - - 98 80"));
    let (answer, _) = think(&*session, &depth(4), Settings::default(), &Memory::new(1));
    assert_eq!(best(&*session, &answer).as_deref(), Some("a1a8"));
}

#[test]
fn mates_within_the_ten_moves_of_canyon() {
    // The ending of the inventors' sample game, up to the move before the mate.
    let moves = "c3d4 e4d3 b4b5 d3c3 b5b6q c3d3 d4d5 d3e4 d5d6m e4e5 b6b3 e5f4 b3e6 f4g5";
    let moves: Vec<&str> = moves.split(' ').collect();
    let mut session = open("canyon", None);
    let fen = "1******1/2*2*2/8/*1K2P1*/*P1pk2*/2P5/2*2*2/1******1 w - - 0 26";
    session.set_position(Some(fen), &moves).expect("legal moves");
    let (answer, _) = think(&*session, &depth(6), Settings::default(), &Memory::new(1));
    assert_eq!(moves_to_mate(answer.score), Some(1));
    // With nine moves gone the tenth must mate; with ten gone it is too late to search at all.
    let late = session.fen().rsplit_once(' ').expect("a seventh field").0.to_owned() + " 9";
    session.set_position(Some(&late), &[]).expect("a legal position");
    session.play("d6e4").expect("a legal move");
    assert_eq!(session.outcome().expect("an end").reason, Reason::Checkmate);
    session.set_position(Some(&late), &[]).expect("a legal position");
    session.play("c5c6").expect("a legal move");
    assert_eq!(session.outcome().expect("an end").reason, Reason::TenMoves);
}

#[test]
fn limits_are_kept() {
    for game in ["canyon", "gast14", "superchess"] {
        let session = open(game, None);
        let memory = Memory::new(4);
        let (answer, _) = think(&*session, &nodes(5000), Settings::default(), &memory);
        assert!(answer.nodes <= 5000, "{game}: {}", answer.nodes);

        let time = |limits: &Limits| {
            let began = Instant::now();
            let (answer, _) = think(&*session, limits, Settings::default(), &memory);
            assert!(answer.best().is_some());
            began.elapsed()
        };
        let exact = Limits { move_time: Some(Duration::from_millis(200)), ..Limits::default() };
        let used = time(&exact);
        assert!((150..1000).contains(&used.as_millis()), "{game}: {used:?}");
        let left = Duration::from_millis(20);
        let clock = Clock { left, increment: Duration::ZERO, moves_to_go: 0 };
        let used = time(&Limits { clock: Some(clock), ..Limits::default() });
        // Generous, because tests share the machine: it must only not go on.
        assert!(used.as_millis() < 500, "{game}: {used:?}");
    }
}

#[test]
fn infinite_and_pondering_searches_wait_to_be_told() {
    let limits = [
        Limits { infinite: true, depth: Some(1), ..Limits::default() },
        Limits { ponder: true, depth: Some(1), ..Limits::default() },
    ];
    for limits in limits {
        let (session, memory, control) = (open("diamond", None), Memory::new(1), Control::started(&limits));
        std::thread::scope(|scope| {
            let search = scope.spawn(|| session.search(&Search::new(&limits, &memory, &control)));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!search.is_finished());
            if limits.ponder {
                control.ponder_hit()
            } else {
                control.stop()
            }
            let began = Instant::now();
            assert!(search.join().expect("no panic").best().is_some());
            assert!(began.elapsed().as_millis() < 1000);
        });
    }
}

#[test]
fn several_lines_are_different_and_in_order() {
    for game in NAMES {
        let session = open(game, None);
        let settings = Settings { multi_pv: 4, ..Settings::default() };
        let (answer, reports) = think(&*session, &depth(4), settings, &Memory::new(2));
        let last: Vec<&Info> = reports.iter().filter(|report| report.depth == 4).collect();
        let numbers: Vec<usize> = last.iter().map(|report| report.multi_pv).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "{game}");
        assert!(last.is_sorted_by_key(|report| -report.score), "{game}");
        let first_moves: HashSet<Move> = last.iter().filter_map(|report| report.best()).collect();
        assert_eq!(answer.best(), last[0].best(), "{game}");
        assert_eq!(first_moves.len(), 4, "{game}");
    }
}

#[test]
fn a_search_that_is_broken_off_tells_all_lines_each_once() {
    for game in NAMES {
        let session = open(game, None);
        let settings = Settings { multi_pv: 4, ..Settings::default() };
        let mut broken_off = 0;
        for budget in (100..1500).step_by(50) {
            let (answer, reports) = think(&*session, &nodes(budget), settings, &Memory::new(1));
            let best = reports.iter().rfind(|report| report.multi_pv == 1).expect("a report");
            assert_eq!(answer.best(), best.best(), "{game}, {budget} nodes");
            let first = reports.iter().rposition(|report| report.multi_pv == 1).expect("a report");
            let last = &reports[first..];
            let lines = if reports.iter().any(|report| report.depth > 1) { 4 } else { last.len() };
            assert!(last.iter().map(|report| report.multi_pv).eq(1..=lines), "{game}, {budget} nodes");
            let first_moves: HashSet<Move> = last.iter().filter_map(Info::best).collect();
            assert_eq!(first_moves.len(), lines, "{game}, {budget} nodes");
            // Lines of the iteration before stand behind. The first may be the best move of an unfinished iteration.
            let order = |report: &Info| (Reverse(report.depth), Reverse(report.score));
            assert!(last[1..].is_sorted_by_key(order), "{game}, {budget} nodes");
            broken_off += u32::from(last[0].depth > last[lines - 1].depth);
        }
        assert!(broken_off > 0, "{game}");
    }
}

#[test]
fn the_best_of_the_moves_that_were_looked_at_is_played() {
    let session = open("chess", Some("6k1/5ppp/8/8/8/1Q6/2R5/K7 w - - 0 1"));
    let mut answers =
        (10..100).map(|budget| think(&*session, &nodes(budget), Settings::default(), &Memory::new(1)).0);
    // An unfinished iteration does not count as a depth.
    let mated = |answer: &Info| answer.depth == 0 && moves_to_mate(answer.score) == Some(1);
    assert!(answers.any(|answer| mated(&answer)));
}

#[test]
fn only_the_wanted_moves_are_searched() {
    for game in NAMES {
        let session = open(game, None);
        let last = session.moves().pop().expect("a move");
        let wanted = session.find(&last).expect("a legal move");
        let limits = Limits { depth: Some(3), search_moves: vec![wanted], ..Limits::default() };
        let (answer, _) = think(&*session, &limits, Settings::default(), &Memory::new(1));
        assert_eq!(answer.best(), Some(wanted), "{game}");
    }
}

#[test]
fn threads_search_together() {
    for game in NAMES {
        let session = open(game, None);
        let settings = Settings { threads: 3, ..Settings::default() };
        let (answer, _) = think(&*session, &depth(5), settings, &Memory::new(2));
        assert!(session.moves().contains(&best(&*session, &answer).expect("a move")), "{game}");
    }
}

#[test]
fn evaluation_is_the_same_from_both_sides() {
    let mut seed = 5;
    for game in NAMES {
        let mut session = open(game, None);
        for _ in 0..120 {
            if session.outcome().is_some() {
                break;
            }
            let mut flipped = session.copy();
            // In the set-up phase White must be to move first, so there the board cannot be turned.
            if flipped.flip().is_ok() {
                assert_eq!(flipped.evaluate(None), session.evaluate(None), "{game} {}", session.fen());
            }
            let moves = session.moves();
            let random;
            (seed, random) = split_mix(seed);
            session.play(&moves[(random % moves.len() as u64) as usize]).expect("a legal move");
        }
    }
}

#[test]
fn what_cannot_be_won_is_worth_little() {
    let worth = |game: &str, fen: &str| open(game, Some(fen)).evaluate(None).abs();
    // The pawn's corner is out of the bishop's reach; on its colour, the same pieces win. Likewise if Black has a
    // pawn.
    assert_eq!(worth("chess", "7k/8/6KP/8/8/5B2/8/8 w - - 0 1"), 0);
    assert!(worth("chess", "7k/p7/6KP/8/8/5B2/8/8 w - - 0 1") < 60);
    assert!(worth("chess", "7k/8/6KP/8/8/4B3/8/8 w - - 0 1") > 300);
    assert!(worth("chess", "8/4k3/6KP/8/8/5B2/8/8 w - - 0 1") > 300);
    // Without pawns more is needed than one minor piece.
    for fen in [
        "8/8/4k3/8/8/3RBK2/8/4r3 w - - 0 1",
        "8/8/4k3/8/8/3R1K2/8/4n3 w - - 0 1",
        "8/5n2/4k3/8/8/3N1K2/8/4B3 w - - 0 1",
    ] {
        assert!(worth("chess", fen) < 150, "{fen}");
    }
    assert!(worth("chess", "8/8/4k3/8/8/3Q1K2/8/4r3 w - - 0 1") > 250);
    // Two pawns ahead with bishops of both colours, and of one.
    let (opposite, same) = ("8/4kb2/8/2P5/8/4BK2/1P6/8 w - - 0 1", "8/4k1b1/8/2P5/8/4BK2/1P6/8 w - - 0 1");
    assert!(2 * worth("chess", opposite) < worth("chess", same));
}

#[test]
fn mates_a_bare_king() {
    // A king and one other piece against a king, far from each other; Canyon has only ten moves for it.
    let endings = [
        ("canyon", "1******1/2*1k*2/8/*6*/*6*/8/2*Q1*2/K******1 w - - 0 1"),
        ("diamond", "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***V2***/****K**** w - - 0 1"),
        ("grandcavalier", "10/10/10/5k4/10/10/10/10/10/Q8K w - - 0 1"),
        ("superchessfixed", "10/10/10/5k4/10/10/10/10/10/Q8K w - - 0 1 -"),
        ("superchess", "10/10/10/5k4/10/10/10/10/10/R8K w - - 0 1 -"),
        ("gast", "12/12/12/12/5k6/12/12/12/12/12/12/Q10K w - - 0 1"),
        ("gast14", "14/14/14/14/5k8/14/14/14/14/14/14/O12K w - - 0 1"),
        ("chess", "8/8/8/3k4/8/8/8/R6K w - - 0 1"),
        ("grand", "10/10/10/5k4/10/10/10/10/10/C8K w - - 0 1"),
    ];
    for (game, fen) in endings {
        let mut session = open(game, Some(fen));
        let memory = Memory::new(4);
        let outcome = loop {
            if let Some(outcome) = session.outcome() {
                break outcome;
            }
            let found = think(&*session, &nodes(20_000), Settings::default(), &memory).0;
            let best = best(&*session, &found).expect("a move");
            session.play(&best).expect("a legal move");
        };
        assert_eq!(outcome.reason, Reason::Checkmate, "{game}: {}", session.fen());
    }
}
