//! The program as a UCI engine: a process with pipes.

use quintain::search::{Control, Limits, Memory, Search};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const GAMES: [&str; 9] = [
    "canyon",
    "diamond",
    "grandcavalier",
    "superchess",
    "superchessfixed",
    "gast",
    "gast14",
    "chess",
    "grand",
];

/// How long anything may take before the test fails. Debug builds on busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running engine. It is killed when a test fails.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.expect("text")).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    /// Started, with the game selected.
    fn of(game: &str) -> Engine {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name UCI_Variant value {game}"));
        let line = engine.line();
        assert!(line.starts_with(&format!("info string variant {game} files ")), "{line}");
        engine
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("not closed");
        writeln!(input, "{text}").expect("the engine listens");
    }

    /// The next line.
    fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// The lines up to the first that begins with `end`, which is the last of them.
    fn until(&mut self, end: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.starts_with(end);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// The answer to `command` until the engine is ready again.
    fn ask(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a command that answers with one line.
    fn one(&mut self, command: &str) -> String {
        let mut lines = self.ask(command);
        assert_eq!(lines.len(), 1, "{command}: {lines:?}");
        lines.remove(0)
    }

    /// Thinks, and returns the info lines and the answer.
    fn think(&mut self, go: &str) -> (Vec<String>, String) {
        self.send(go);
        let mut lines = self.until("bestmove");
        let best = lines.pop().expect("the last line");
        // A slow machine brings the current move too, which comes after three seconds.
        lines.retain(|line| !line.contains(" currmove "));
        (lines, best)
    }

    fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        line.expect("a FEN").to_owned()
    }

    fn moves(&mut self) -> HashSet<String> {
        self.one("moves").split_whitespace().map(str::to_owned).collect()
    }

    /// Checks that there is no output for a while.
    fn is_silent(&mut self, time: Duration) {
        assert_eq!(self.lines.recv_timeout(time), Err(RecvTimeoutError::Timeout));
    }

    fn ends(mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "the engine does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word after `key`.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    let mut words = line.split(' ');
    words.find(|&word| word == key).and_then(|_| words.next()).unwrap_or_else(|| panic!("{key} in '{line}'"))
}

fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or(Vec::new(), |(_, pv)| pv.split(' ').collect())
}

/// Checks what holds for every search; returns the best move.
fn check_search(infos: &[String], best: &str) -> String {
    let last = infos.last().expect("every search says something");
    for info in infos {
        for key in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
            field(info, key).parse::<u64>().unwrap_or_else(|_| panic!("{key} in '{info}'"));
        }
        assert!(["cp", "mate"].contains(&field(info, "score")), "{info}");
        assert!(!pv(info).is_empty(), "{info}");
    }
    let best = field(best, "bestmove").to_owned();
    assert_eq!(pv(last)[0], best, "{infos:?}");
    best
}

#[test]
fn handshake() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Quintain "));
    assert!(lines[1].starts_with("id author "));
    let variants =
        lines.iter().find(|line| line.starts_with("option name UCI_Variant type combo default chess"));
    let variants = variants.expect("the games");
    assert!(GAMES.iter().all(|game| variants.contains(&format!(" var {game}"))), "{variants}");
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "Clear Hash", "Move Overhead"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type"))), "{option}");
    }
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
    // Commands without an answer print nothing.
    for quiet in ["", "ucinewgame", "debug on", "register later", "stop", "ponderhit", "position startpos"] {
        assert_eq!(engine.ask(quiet), [""; 0], "{quiet}");
    }
    engine.send("quit");
    assert!(engine.ends().success());
}

#[test]
fn every_game_is_set_and_searched() {
    let mut engine = Engine::start();
    for game in GAMES {
        let variant = engine.one(&format!("setoption name UCI_Variant value {game}"));
        let start = engine.fen();
        assert_eq!(field(&variant, "variant"), game);
        assert!(variant.ends_with(&format!(" startpos {start}")), "{variant}");
        for key in ["files", "ranks", "pocket"] {
            field(&variant, key).parse::<u8>().unwrap_or_else(|_| panic!("{variant}"));
        }
        for setup in ["startpos".to_owned(), format!("fen {start}")] {
            engine.send(&format!("position {setup}"));
            let legal = engine.moves();
            let (infos, best) = engine.think("go depth 3");
            assert!(legal.contains(&check_search(&infos, &best)), "{game}: {best}");
            assert_eq!(infos.iter().map(|line| field(line, "depth")).collect::<Vec<_>>(), ["1", "2", "3"]);
        }
    }
}

/// Plays a game against itself and checks it from outside.
fn self_play(game: &str) {
    let mut engine = Engine::of(game);
    let mut played: Vec<String> = Vec::new();
    loop {
        let moves = if played.is_empty() { String::new() } else { format!(" moves {}", played.join(" ")) };
        assert_eq!(engine.ask(&format!("position startpos{moves}")), [""; 0], "{game} {moves}");
        let board = engine.ask("d");
        let legal = engine.moves();
        if let Some(result) = board.iter().find_map(|line| line.strip_prefix("Result: ")) {
            println!("{game}: {} plies, {result}", played.len());
            let mated = result.contains("mates") || result.contains("Stalemate");
            assert_eq!(mated, legal.is_empty(), "{game}: {result}");
            return;
        }
        let (infos, best) = engine.think("go nodes 500");
        let best_move = check_search(&infos, &best);
        assert!(legal.contains(&best_move), "{game}{moves}: {best}");
        let nodes: u64 = infos.iter().map(|line| field(line, "nodes").parse().unwrap()).max().unwrap();
        assert!(nodes <= 600, "{game}{moves}: {nodes} nodes");
        played.push(best_move);
        assert!(played.len() < 2000, "{game} does not end");
    }
}

macro_rules! self_play {
    ($($game:ident)*) => {
        $(#[test]
        fn $game() {
            super::self_play(stringify!($game));
        })*
    };
}

mod plays_to_the_end {
    self_play! { canyon diamond grandcavalier superchess superchessfixed gast gast14 chess grand }
}

#[test]
fn an_illegal_position_changes_nothing_and_is_named() {
    let mut engine = Engine::of("gast");
    engine.send("position startpos");
    let legal = engine.moves();
    engine.send(&format!("position startpos moves {}", legal.iter().min().unwrap()));
    let before = engine.fen();
    for (command, reason) in [
        ("position fen 8/8 w - - 0 1", "placement: 2 ranks instead of"),
        ("position fen x", "FEN: 1 fields"),
        ("position startpos moves a1z9", "a1z9: "),
        ("position startpos moves e2e4 e2e4", "e2e4: "),
        ("position startpos e2e4", "position: "),
        ("position", "position: "),
    ] {
        let line = engine.one(command);
        assert!(line.starts_with(&format!("info string error: {reason}")), "{command}: {line}");
        assert_eq!(engine.fen(), before, "{command}");
    }
}

#[test]
fn unknown_lines_are_answered_and_harmless() {
    let mut engine = Engine::start();
    let before = engine.fen();
    assert_eq!(engine.one("xyzzy"), "info string error: unknown command: 'xyzzy'");
    assert_eq!(
        engine.one("bestmove e2e4 ponder"),
        "info string error: unknown command: 'bestmove e2e4 ponder'"
    );
    let input = engine.input.as_mut().unwrap();
    input.write_all(b"\xff\xfe\0\xc3(\n").unwrap();
    input.write_all(&[b'x'; 3_000_000]).unwrap();
    input.write_all(b"\n\r\n").unwrap();
    let lines = engine.ask("");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("info string error: unknown command")), "{lines:?}");
    assert_eq!(engine.fen(), before);
}

#[test]
fn options_are_checked_and_errors_name_them() {
    let mut engine = Engine::start();
    for (command, error) in [
        ("setoption name Hash value 0", "option Hash: '0' is not a number from 1 to 65536"),
        ("setoption name threads value many", "option Threads: 'many' is not a number from 1 to "),
        ("setoption name MultiPV", "option MultiPV: the value is missing"),
        ("setoption name UCI_Variant value checkers", "option UCI_Variant: 'checkers' is not one of canyon"),
        ("setoption name Contempt value 5", "no option is called 'Contempt'"),
        ("setoption Hash 5", "setoption: 'name' must follow"),
    ] {
        let line = engine.one(command);
        assert!(line.starts_with(&format!("info string error: {error}")), "{line}");
    }
    for command in [
        "setoption name hash value 1 ",
        "setoption name Threads value 2",
        "setoption name CLEAR HASH",
        "setoption name Ponder value true",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Move Overhead value 0",
        "setoption name UCI_ShowWDL value true",
    ] {
        assert_eq!(engine.ask(command), [""; 0], "{command}");
    }
    let (infos, best) = engine.think("go depth 4");
    check_search(&infos, &best);
    for info in &infos {
        let (_, wdl) = info.split_once(" wdl ").expect("chances");
        let sum: u32 = wdl.split(' ').take(3).map(|number| number.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{info}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_never_ends_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let mut engine = Engine::start();
    for (path, what) in [
        (pipe.to_str().expect("text"), "it is a pipe or a socket, not a file"),
        ("/dev/zero", "it is a device, not a file"),
        ("/", "it is a folder"),
    ] {
        let told = engine.one(&format!("setoption name EvalFile value {path}"));
        assert_eq!(told, format!("info string error: option EvalFile: cannot read '{path}': {what}"));
    }
}

#[test]
fn another_game_begins_at_its_start() {
    let mut engine = Engine::of("canyon");
    engine.send("position startpos");
    let canyon = engine.fen();
    engine.ask("setoption name UCI_Variant value grand");
    assert_ne!(engine.fen(), canyon);
    engine.ask("setoption name UCI_Variant value Canyon");
    assert_eq!(engine.fen(), canyon);
}

#[test]
fn an_infinite_search_goes_on_until_stopped_and_hears_everything() {
    let mut engine = Engine::of("diamond");
    engine.send("go infinite");
    engine.until("info depth 3 ");
    let asked = Instant::now();
    engine.send("isready");
    engine.until("readyok");
    assert!(asked.elapsed() < Duration::from_secs(2));
    engine.send("stop");
    let lines = engine.until("bestmove");
    assert!(!lines.is_empty());
    // There is only one answer.
    assert_eq!(engine.ask("stop"), [""; 0]);
}

#[test]
fn an_infinite_search_of_a_decided_position_waits_too() {
    let mut engine = Engine::start();
    for fen in ["k7/8/1K6/8/8/8/8/7R w - - 0 1", "k6R/8/1K6/8/8/8/8/8 b - - 0 1"] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go infinite depth 3");
        let end = if fen.contains(" w ") { "info depth 1 " } else { "info depth 0 " };
        engine.until(end);
        engine.is_silent(Duration::from_millis(300));
        engine.send("stop");
        engine.until("bestmove");
    }
}

#[test]
fn what_changes_the_state_ends_the_search_first() {
    let mut engine = Engine::start();
    for command in
        ["position startpos moves e2e4", "setoption name Hash value 2", "ucinewgame", "flip", "go perft 1"]
    {
        engine.send("go infinite");
        engine.until("info depth 2 ");
        let lines = engine.ask(command);
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("bestmove")).count(),
            1,
            "{command}: {lines:?}"
        );
    }
    engine.send("go infinite");
    engine.send("go depth 1");
    engine.until("bestmove");
    engine.until("bestmove");
    assert_eq!(engine.ask(""), [""; 0]);
}

#[test]
fn pondering_waits_for_the_hit_or_the_stop() {
    let mut engine = Engine::of("chess");
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 500 btime 500 winc 0 binc 0");
    engine.until("info depth 1 ");
    // Far more than the clock shows.
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(700) {
        if let Ok(line) = engine.lines.recv_timeout(Duration::from_millis(50)) {
            assert!(line.starts_with("info depth "), "{line}");
        }
    }
    engine.send("ponderhit");
    let hit = Instant::now();
    engine.until("bestmove");
    assert!(hit.elapsed() < Duration::from_secs(2), "{:?}", hit.elapsed());

    engine.send("go ponder wtime 60000 btime 60000");
    engine.until("info depth 1 ");
    engine.send("stop");
    engine.until("bestmove");
    // The depth is reached while pondering: the answer comes only after the hit.
    engine.send("go ponder depth 2");
    engine.until("info depth 2 ");
    engine.is_silent(Duration::from_millis(200));
    engine.send("ponderhit");
    engine.until("bestmove");
}

#[test]
fn nodes_and_time_of_a_search_that_has_pondered_are_of_the_same_clock() {
    let mut engine = Engine::start();
    engine.send("go ponder wtime 100000000 btime 100000000");
    let time = |line: &str| field(line, "time").parse::<u64>().expect("milliseconds");
    let is_report = |line: &str| line.starts_with("info depth") && line.contains(" pv ");
    let before = loop {
        let line = engine.line();
        if is_report(&line) && time(&line) >= 300 {
            break time(&line);
        }
    };
    engine.send("ponderhit");
    engine.ask("");
    let after = loop {
        let line = engine.line();
        if is_report(&line) {
            break line;
        }
    };
    assert!(time(&after) >= before, "{after}");
    let [nodes, rate] = ["nodes", "nps"].map(|key| field(&after, key).parse::<u64>().expect("a number"));
    assert_eq!(rate, nodes * 1000 / time(&after), "{after}");
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn the_expected_reply_is_legal() {
    let mut engine = Engine::of("gast14");
    let (_, best) = engine.think("go depth 4");
    let (best, ponder) = (field(&best, "bestmove").to_owned(), field(&best, "ponder").to_owned());
    engine.send(&format!("position startpos moves {best}"));
    assert!(engine.moves().contains(&ponder));
}

#[test]
fn move_time_is_honoured() {
    let mut engine = Engine::of("grand");
    for millis in [50, 400] {
        let began = Instant::now();
        engine.think(&format!("go movetime {millis}"));
        let taken = began.elapsed().as_millis();
        assert!((millis - 20..millis + 1000).contains(&taken), "{taken} of {millis}");
    }
}

#[test]
fn tiny_clocks_are_answered_in_time() {
    let mut engine = Engine::start();
    for game in GAMES {
        engine.send(&format!("setoption name UCI_Variant value {game}"));
        for go in [
            "go wtime 10 btime 10 winc 1 binc 1",
            "go wtime 0 btime 0",
            "go wtime -5 btime -5 winc 0 binc 0",
            "go wtime 1 btime 1 movestogo 1",
            "go movetime 1",
            "go movetime 0",
            "go nodes 1",
            "go nodes 0",
            "go depth 0",
        ] {
            engine.ask("");
            let began = Instant::now();
            let (infos, best) = engine.think(go);
            // The machine may be busy, so the engine's own clock counts.
            assert!(began.elapsed() < Duration::from_secs(2), "{game} {go}: {:?}", began.elapsed());
            check_search(&infos, &best);
        }
    }
}

/// Some GUIs send one clock only.
#[test]
fn the_clock_that_was_sent_is_used() {
    let mut engine = Engine::start();
    let depth = |infos: &[String]| field(infos.last().expect("a report"), "depth").parse::<u32>().unwrap();
    for go in ["go btime 30000", "go btime 20000 binc 500", "go movestogo 40", "go binc 3000"] {
        let (infos, best) = engine.think(go);
        check_search(&infos, &best);
        assert!(depth(&infos) > 3, "{go}: {infos:?}");
    }
    // Its own clock has run out.
    for go in ["go wtime 0 btime 900000", "go wtime -20 btime 900000"] {
        let began = Instant::now();
        let (infos, best) = engine.think(go);
        check_search(&infos, &best);
        assert!(began.elapsed() < Duration::from_secs(10), "{go}");
    }
}

#[test]
fn go_that_is_not_understood_still_answers() {
    let mut engine = Engine::start();
    for (go, problem) in [
        ("go depth x", "go: 'x' after depth is not a number"),
        ("go movetime", "go: a number must follow movetime"),
        ("go depth 2 zugzwang", "go: 'zugzwang' is not known"),
        ("go depth 1 searchmoves e2e5", "searchmoves e2e5: "),
    ] {
        let (lines, best) = engine.think(go);
        assert!(lines[0].starts_with(&format!("info string error: {problem}")), "{go}: {lines:?}");
        check_search(&lines[1..], &best);
    }
}

#[test]
fn a_mate_is_announced() {
    let mut engine = Engine::start();
    engine.send("position fen k7/8/1K6/8/8/8/8/7R w - - 0 1");
    let (infos, best) = engine.think("go depth 4");
    assert!(infos.iter().all(|line| line.contains(" score mate 1 ")), "{infos:?}");
    assert_eq!(field(&best, "bestmove"), "h1h8");
    engine.send("position startpos moves f2f3 e7e5 g2g4");
    let (infos, best) = engine.think("go nodes 5000");
    assert!(infos.last().unwrap().contains(" score mate 1 "), "{infos:?}");
    assert_eq!(best, "bestmove d8h4");
}

#[test]
fn a_mate_search_ends_with_the_mate() {
    let mut engine = Engine::start();
    // Two rooks.
    engine.send("position fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    let (infos, _) = engine.think("go mate 2");
    assert!(infos.last().unwrap().contains(" score mate 2 "), "{infos:?}");
}

#[test]
fn scores_are_in_pawns_of_the_game() {
    for game in GAMES {
        let mut engine = Engine::of(game);
        let mut session = quintain::engine::open(game).expect("a game");
        let first = session.moves().swap_remove(0);
        session.play(&first).expect("a legal move");
        engine.send(&format!("position startpos moves {first}"));
        let line = engine.one("eval");
        let shown: f64 = line.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
        let expected = 100.0 * f64::from(session.evaluate(None)) / f64::from(session.info().pawn);
        assert!((shown - expected).abs() <= 0.5, "{game}: {line}, {expected}");
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let control = Control::started(&limits);
        let score = session.search(&Search::new(&limits, &Memory::new(1), &control)).score;
        let expected = 100.0 * f64::from(score) / f64::from(session.info().pawn);
        let (infos, _) = engine.think("go depth 2");
        let shown: f64 = field(infos.last().expect("a line"), "cp").parse().expect("a number");
        assert!((shown - expected).abs() <= 0.5, "{game}: {infos:?}, {expected}");
    }
}

#[test]
fn threads_are_bounded_by_the_machine_and_take_memory_when_they_search() {
    let most = quintain::engine::options::most_threads();
    let mut engine = Engine::of("gast14");
    assert!(engine.ask("uci").contains(&format!("option name Threads type spin default 1 min 1 max {most}")));
    engine.ask("setoption name Hash value 1");
    assert_eq!(engine.ask("setoption name Threads value 2"), [""; 0]);
    assert_eq!(
        engine.one("setoption name Threads value 100000"),
        format!("info string option Threads: {most} is the most on this machine, so {most} search")
    );
    // Each thread has statistics of 25 MB in this game, which were all touched before any search.
    #[cfg(target_os = "linux")]
    {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a size");
        let kib: usize = line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("a number");
        assert!(kib < 200 << 10, "{line}");
    }
    let (infos, best) = engine.think("go nodes 2000");
    check_search(&infos, &best);
}

#[test]
fn a_large_table_is_cleared_at_once_or_refused() {
    let mut engine = Engine::start();
    for size in [6000, 65_536] {
        let told = engine.ask(&format!("setoption name Hash value {size}"));
        let refused = format!("info string error: option Hash: no memory for {size} MiB, it stays ");
        assert!(told.iter().all(|line| line.starts_with(&refused)), "{told:?}");
        for command in ["ucinewgame", "setoption name UCI_Variant value canyon", "setoption name Clear Hash"]
        {
            let began = Instant::now();
            engine.ask(command);
            assert!(began.elapsed() < Duration::from_secs(2), "{size}, {command}: {:?}", began.elapsed());
        }
    }
}

/// Positions in which the side to move mates, but not soon.
const LONG_MATES: [(&str, &str); 3] = [
    ("grand", "10/10/10/3k6/10/10/10/10/10/Q8K w - - 0 1"),
    ("chess", "8/8/8/3k4/8/8/8/R6K w - - 0 1"),
    ("gast", "12/12/12/12/12/5k6/12/12/12/12/12/R4K5R w - - 0 1"),
];

#[test]
fn a_mate_search_stops_at_once() {
    for (game, fen) in LONG_MATES {
        let mut engine = Engine::of(game);
        for (go, leave, answer) in [
            ("go mate 2", "stop", "bestmove"),
            ("go mate 20", "stop", "bestmove"),
            ("go mate 20", "position startpos\nisready", "readyok"),
        ] {
            engine.send(&format!("position fen {fen}"));
            engine.send(go);
            std::thread::sleep(Duration::from_millis(1000));
            let began = Instant::now();
            engine.send(leave);
            engine.until(answer);
            assert!(began.elapsed() < Duration::from_millis(500), "{game}, {go}: {:?}", began.elapsed());
        }
        engine.send(&format!("position fen {fen}\ngo mate 4294967295"));
        std::thread::sleep(Duration::from_millis(500));
        let began = Instant::now();
        engine.send("quit");
        assert!(engine.ends().success());
        assert!(began.elapsed() < Duration::from_millis(500), "{game}: {:?}", began.elapsed());
    }
}

#[test]
fn a_mate_search_without_a_mate_ends() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    let (infos, best) = engine.think("go mate 1");
    check_search(&infos, &best);
}

#[test]
fn finished_games_have_no_best_move() {
    let mut engine = Engine::start();
    for (fen, score, result) in [
        ("k6R/8/1K6/8/8/8/8/8 b - - 0 1", "mate 0", "1-0 White mates"),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "cp 0", "1/2-1/2 Stalemate"),
    ] {
        engine.send(&format!("position fen {fen}"));
        assert!(engine.ask("d").contains(&format!("Result: {result}")));
        for go in ["go depth 5", "go movetime 1000", "go wtime 1000 btime 1000", "go nodes 5"] {
            let (infos, best) = engine.think(go);
            assert_eq!(infos, [format!("info depth 0 score {score}")]);
            assert_eq!(best, "bestmove (none)");
        }
        assert_eq!(engine.one("moves"), "");
        assert_eq!(engine.ask("go perft 2"), ["", "Nodes searched: 0"]);
    }
}

#[test]
fn several_lines_at_once() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    let (infos, best) = engine.think("go depth 3");
    let last: Vec<&String> = infos.iter().filter(|line| field(line, "depth") == "3").collect();
    let numbers: Vec<&str> = last.iter().map(|line| field(line, "multipv")).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"]);
    let firsts: HashSet<&str> = last.iter().map(|line| pv(line)[0]).collect();
    assert_eq!(firsts.len(), 4, "{last:?}");
    assert_eq!(pv(last[0])[0], field(&best, "bestmove"));
    let scores: Vec<i32> = last.iter().map(|line| field(line, "cp").parse().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    // No more lines than moves.
    engine.send("position fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1");
    let legal = engine.moves().len();
    let (infos, _) = engine.think("go depth 2");
    assert_eq!(infos.iter().filter(|line| field(line, "depth") == "2").count(), legal);
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut engine = Engine::start();
    let (infos, best) = engine.think("go depth 4 searchmoves a2a3 h2h4 e2e5");
    assert!(infos[0].starts_with("info string error: searchmoves e2e5: "), "{infos:?}");
    let best = check_search(&infos[1..], &best);
    assert!(["a2a3", "h2h4"].contains(&best.as_str()), "{best}");
    let (infos, best) = engine.think("go searchmoves a2a3 depth 3");
    assert_eq!(check_search(&infos, &best), "a2a3");
}

#[test]
fn perft_divides() {
    let mut engine = Engine::start();
    for command in ["go perft 3", "perft 3"] {
        let lines = engine.ask(command);
        assert_eq!(lines.len(), 22);
        assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
        assert_eq!(lines[20..], ["", "Nodes searched: 8902"]);
    }
    assert_eq!(engine.ask("go perft 0"), ["", "Nodes searched: 1"]);
    assert!(engine.one("go perft 1000").starts_with("info string error: perft: "));
    engine.send("setoption name UCI_Variant value grand");
    let lines = engine.ask("go perft 1");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 65");
}

#[test]
fn a_long_perft_stops_and_what_came_meanwhile_is_done() {
    let mut engine = Engine::start();
    engine.send("go perft 9");
    engine.send("position startpos moves e2e4");
    engine.send("stop");
    assert_eq!(engine.until("Stopped").last().unwrap(), "Stopped");
    assert!(engine.fen().contains(" b "));
}

/// Whatever waits behind a perft: a search that only began afterwards would run for ever.
#[test]
fn stop_ends_everything_that_was_asked_for_before_it() {
    let mut engine = Engine::start();
    engine.send(
        "go perft 9\ngo infinite\ngo perft 9\nbench 50\ngo ponder wtime 1000 btime 1000\nstop\nisready",
    );
    let lines = engine.until("readyok");
    let count = |what: &str| lines.iter().filter(|line| line.starts_with(what)).count();
    assert_eq!((count("Stopped"), count("bestmove")), (3, 2), "{lines:?}");
    // While it searches.
    engine.send("bench 50\nisready");
    engine.is_silent(Duration::from_millis(300));
    engine.send("stop");
    assert!(engine.until("readyok").contains(&"Stopped".to_owned()));
    // What comes after the stop is done.
    engine.send("go perft 9\ngo depth 9\nstop\ngo depth 2\ngo perft 2\nisready");
    let lines = engine.until("readyok");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{lines:?}");
    assert!(lines.contains(&"Nodes searched: 400".to_owned()), "{lines:?}");
    // The clock of a search that waits to ponder begins to run then.
    engine.send("go perft 9\ngo ponder movetime 50\nponderhit\nisready");
    engine.send("stop");
    let lines = engine.until("readyok");
    assert!(lines.iter().any(|line| line.starts_with("Stopped")), "{lines:?}");
    if !lines.iter().any(|line| line.starts_with("bestmove")) {
        engine.until("bestmove");
    }
}

#[test]
fn the_end_of_input_ends_a_perft_that_nobody_can_stop() {
    let mut engine = Engine::start();
    engine.send("go perft 3");
    drop(engine.input.take());
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 8902");
    assert!(engine.ends().success());
    // Both at once, since each takes as long as a perft may go on.
    let engines = ["", "quit"].map(|last| {
        let mut engine = Engine::start();
        engine.send(&format!("go perft 9\n{last}"));
        drop(engine.input.take());
        engine
    });
    for engine in engines {
        assert!(engine.ends().success());
    }
}

#[test]
fn commands_for_people() {
    let mut engine = Engine::of("gast");
    let board = engine.ask("d");
    assert!(board.iter().any(|line| line.starts_with("Fen: ")));
    assert!(board.contains(&"Checkers:".to_owned()));
    assert!(!board.iter().any(|line| line.starts_with("Result")));
    assert!(engine.one("eval").contains("centipawns"));
    assert!(engine.ask("help").len() > 5);
    let fen = engine.fen();
    engine.send("flip");
    assert_ne!(engine.fen(), fen);
    engine.send("flip");
    assert_eq!(engine.fen(), fen);
    let bench = engine.ask("bench 1");
    assert_eq!(bench.len(), GAMES.len() + 1);
    let words: Vec<&str> = bench.last().unwrap().split(' ').collect();
    assert!(
        matches!(words[..], [nodes, "nodes", nps, "nps"] if [nodes, nps].iter().all(|n| n.parse::<u64>().is_ok()))
    );
}

#[test]
fn the_same_search_twice_has_the_same_nodes() {
    let mut engine = Engine::of("superchess");
    let mut search = || {
        engine.send("ucinewgame");
        let (infos, best) = engine.think("go depth 5");
        (field(infos.last().unwrap(), "nodes").to_owned(), best)
    };
    assert_eq!(search(), search());
}

#[test]
fn several_threads_answer() {
    let mut engine = Engine::of("grandcavalier");
    engine.send("setoption name Threads value 4");
    for go in ["go depth 4", "go movetime 100", "go nodes 5000"] {
        let (infos, best) = engine.think(go);
        check_search(&infos, &best);
    }
    engine.send("go infinite");
    engine.until("info depth 2 ");
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn quit_and_the_end_of_input_end_the_program_even_while_it_thinks() {
    for thinking in ["", "go infinite", "go ponder wtime 1000 btime 1000"] {
        let mut engine = Engine::start();
        engine.send(thinking);
        engine.send("quit");
        assert!(engine.ends().success());
        let mut engine = Engine::start();
        engine.send(thinking);
        drop(engine.input.take());
        assert!(engine.ends().success());
    }
    // Not a word, or only empty lines.
    let mut engine = Engine::start();
    engine.send("\n");
    drop(engine.input.take());
    assert!(engine.ends().success());
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    // The pipe may be gone already when the second line is written.
    let _ = child.stdin.as_mut().expect("a pipe").write_all(b"uci\ngo infinite\n");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn endgame_tables_in_a_folder_are_used_and_a_damaged_one_is_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("text");
    let build = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(["tables", "build", "diamond", "KVvKN", "--dir", path])
        .stderr(Stdio::null())
        .status();
    assert!(build.expect("the program starts").success());
    // The longest win of this ending.
    let position = "position fen ****1****/***3***/**5**/*7*/1V2*4/*7*/**nk3**/***3***/****K**** w - - 0 1";
    let hits = |infos: &[String]| -> u64 {
        let (_, hits) = infos.last().expect("a line").split_once(" tbhits ").expect("hits");
        hits.split(' ').next().unwrap().parse().unwrap()
    };
    let mut engine = Engine::of("diamond");
    engine.send(position);
    let (infos, _) = engine.think("go nodes 1000");
    // The program's own tables have three pieces.
    assert!(!infos[0].contains(" score mate "), "{infos:?}");
    assert_eq!(engine.ask(&format!("setoption name TablePath value {path}")), [""; 0]);
    let (infos, _) = engine.think("go nodes 1000");
    assert!(infos[0].contains(" score mate ") && hits(&infos) > 0, "{infos:?}");
    engine.ask("setoption name TableLimit value 3");
    let (infos, _) = engine.think("go nodes 1000");
    assert!(!infos[0].contains(" score mate "), "{infos:?}");
    engine.ask("setoption name TableLimit value 6");
    let file = folder.path().join("diamond/KVvKN.qtable");
    let bytes = std::fs::read(&file).expect("the table");
    std::fs::write(&file, &bytes[..bytes.len() / 3]).expect("a file");
    engine.ask(&format!("setoption name TablePath value {path}"));
    let problem = format!("info string error: endgame table '{}': it is cut short", file.display());
    let mut reports = 0;
    for _ in 0..2 {
        let (infos, best) = engine.think("go nodes 1000");
        assert!(best.starts_with("bestmove "), "{best}");
        reports += infos.iter().filter(|line| **line == problem).count();
    }
    assert_eq!(reports, 1);
    let missing = folder.path().join("nowhere");
    let told = engine.one(&format!("setoption name TablePath value {}", missing.display()));
    let error = format!("info string error: option TablePath: cannot read '{}': ", missing.display());
    assert!(told.starts_with(&error), "{told}");
}
