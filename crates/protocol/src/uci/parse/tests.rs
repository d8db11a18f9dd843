//! Commands are read as written, and what cannot be read is reported.

use super::*;
use proptest::prelude::*;

fn command(line: &str) -> Command {
    parse(line).unwrap().unwrap()
}

fn go(line: &str) -> Go {
    match command(line) {
        Command::Go(go) => go,
        other => panic!("{line}: {other:?}"),
    }
}

fn limits(line: &str) -> Limits {
    let go = go(line);
    assert_eq!(go.problems, [""; 0], "{line}");
    go.limits(Color::White)
}

fn moves(line: &str) -> Vec<String> {
    match command(line) {
        Command::Position { moves, .. } => moves,
        other => panic!("{line}: {other:?}"),
    }
}

fn option(line: &str) -> (String, Option<String>) {
    match command(line) {
        Command::SetOption { name, value } => (name, value),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_module_for_the_web_reads_simple_commands_alike() {
    for line in [
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "quit",
        "debug on",
        "debug off",
        "register later",
        "register name Stefan MK code 4359874324",
        "uci x",
        "isready x",
        "ucinewgame x",
        "stop x",
        "ponderhit x",
        "quit x",
        "stopped",
        "ucix",
        "debug",
        "debug maybe",
        "register",
    ] {
        assert_eq!(words(line), simple(line), "{line}");
    }
}

#[test]
fn plain_commands() {
    for (line, expected) in [
        ("uci", Command::Uci),
        ("isready", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("  stop ", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("debug on", Command::Ignored),
        ("register later", Command::Ignored),
        ("register name Stefan MK code 4359874324", Command::Ignored),
        ("go perft 5", Command::Perft(5)),
        ("perft 0", Command::Perft(0)),
        ("d", Command::Draw),
        ("bench", Command::Bench(None)),
        ("bench 5", Command::Bench(Some(5))),
    ] {
        assert_eq!(command(line), expected, "{line}");
    }
    assert_eq!(parse("  "), Ok(None));
    for line in ["ucinewgamex", "stopped", "hello", "debug", "bestmove e2e4", "info depth 256", "bench x"] {
        assert!(parse(line).is_err(), "{line}");
    }
    assert_eq!(parse("xyzzy 1").unwrap_err(), "unknown command: 'xyzzy 1'");
    assert!(parse(&"é".repeat(10_000)).unwrap_err().len() < 300);
}

// What other boards than that of chess have.

#[test]
fn moves_beyond_h8_are_kept_as_written() {
    for list in [
        "i2i4",
        "n2n4",
        "a2a9",
        "n12m11",
        "a2a10",
        "a7a8a",
        "a7a8c",
        "a7a8+",
        "d1d3ne",
        "P@e4",
        "0000",
        "S@c1,S@h1",
        "e2e4 i7i5 d2d4",
    ] {
        let expected: Vec<&str> = list.split(' ').collect();
        assert_eq!(moves(&format!("position startpos moves {list}")), expected);
        assert_eq!(moves(&format!("position fen 8/8 w - - 0 1 moves {list}")), expected);
    }
}

#[test]
fn fens_of_any_board_are_kept_as_written() {
    for fen in [
        "rnbckqabnr/10/10/10/10/10/10/10/PPPPSPSPPP/RNBCKQABNR[ss] b AJaj - 0 1 ?,?",
        "1******1/2*k1*n1/8/*P5*/*3K2*/8/2*2*2/1******Q b - - 3 62",
        "9/9/9/9/9/9/9/9/9 w HAha i3",
        "8/8/8/8/8/8/8/8 w - - 0 10000",
        "8/8/8/8/8/8/8/8 w KQkq -",
    ] {
        let expected = Command::Position { fen: Some(fen.into()), moves: Vec::new() };
        assert_eq!(command(&format!("position fen {fen}")), expected);
        assert_eq!(command(&format!("position  fen   {fen} moves ")), expected);
    }
    for line in ["position", "position fern 8/8", "position startpos e2e4", "position moves e2e4"] {
        assert!(parse(line).unwrap_err().starts_with("position: "), "{line}");
    }
}

#[test]
fn numbers_of_any_size() {
    assert_eq!(limits("go depth 300").depth, Some(300));
    assert_eq!(limits("go depth 256").depth, Some(256));
    assert_eq!(limits("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(limits("go mate 256").mate, Some(256));
    assert_eq!(limits("go nodes 1000000000000").nodes, Some(1_000_000_000_000));
    assert_eq!(limits("go nodes 99999999999999999999999").nodes, Some(u64::MAX));
    let clock = limits("go wtime 1 btime 2 movestogo 300").clock.unwrap();
    assert_eq!((clock.left, clock.moves_to_go), (Duration::from_millis(1), 300));
    assert_eq!(limits("go wtime -37 btime +5").clock.unwrap().left, Duration::ZERO);
}

#[test]
fn the_other_clock_replaces_one_that_is_missing() {
    let clock = |line: &str| {
        let clock = go(line).limits(Color::White).clock?;
        Some((clock.left.as_millis(), clock.increment.as_millis()))
    };
    assert_eq!(clock("go btime 885300"), Some((885_300, 0)));
    assert_eq!(clock("go btime 885300 binc 2000"), Some((885_300, 2000)));
    assert_eq!(clock("go btime 885300 winc 2000"), Some((885_300, 2000)));
    assert_eq!(clock("go wtime 0 btime 885300 binc 2000"), Some((0, 0)));
    assert_eq!(clock("go wtime -5 btime 885300"), Some((0, 0)));
    // An increment is at least left after each move.
    assert_eq!(clock("go binc 3000"), Some((3000, 3000)));
    assert_eq!(clock("go"), None);
    // Moves without a time need some.
    assert_eq!(go("go movestogo 40").limits(Color::White).move_time, Some(FALLBACK));
    assert_eq!(go("go movestogo 40 depth 5").limits(Color::White).move_time, None);
}

#[test]
fn pondering_keeps_its_clocks_and_move_time_too() {
    let go = go("go ponder wtime 60000 btime 50000 winc 100 binc 200 movestogo 9");
    let clock = |left, increment| Clock {
        left: Duration::from_millis(left),
        increment: Duration::from_millis(increment),
        moves_to_go: 9,
    };
    assert!(go.limits.ponder);
    assert_eq!(go.limits(Color::White).clock, Some(clock(60_000, 100)));
    assert_eq!(go.limits(Color::Black).clock, Some(clock(50_000, 200)));
    let both = limits("go movetime 100 wtime 1 btime 1");
    assert_eq!(both.move_time, Some(Duration::from_millis(100)));
    assert!(both.clock.is_some());
}

#[test]
fn search_moves_end_at_the_next_keyword() {
    let go = go("go searchmoves i2i4 a7a8c depth 3");
    assert_eq!(go.search_moves, ["i2i4", "a7a8c"]);
    assert_eq!(go.limits.depth, Some(3));
}

#[test]
fn go_without_limits_is_infinite_and_infinite_has_no_time_limit() {
    assert_eq!(limits("go"), Limits::default());
    let infinite = limits("go infinite wtime 1 btime 1 movetime 1 depth 5");
    assert_eq!(infinite, Limits { infinite: true, depth: Some(5), ..Limits::default() });
}

#[test]
fn nonsense_in_go_is_reported_and_the_rest_holds() {
    let problems = |line: &str| {
        let go = go(line);
        (go.problems.join("; "), go.limits(Color::White))
    };
    let fallback = Limits { move_time: Some(FALLBACK), ..Limits::default() };
    assert_eq!(problems("go depth x"), ("go: 'x' after depth is not a number".into(), fallback.clone()));
    assert_eq!(problems("go depth"), ("go: a number must follow depth".into(), fallback.clone()));
    assert_eq!(problems("go away"), ("go: 'away' is not known".into(), fallback.clone()));
    let depth = Limits { depth: Some(4), ..Limits::default() };
    assert_eq!(problems("go depth 4 dpeth 5").1, depth);
    let (text, limits) = problems("go movetime wtime 100");
    assert_eq!(text, "go: a number must follow movetime");
    assert_eq!(limits.clock.unwrap().left, Duration::from_millis(100));
    assert_eq!(problems("go nodes 1e6").1, fallback);
    assert_eq!(problems("go infinite now").1, Limits { infinite: true, ..Limits::default() });
    let ponder = problems("go ponder wtime x").1;
    assert_eq!(ponder, Limits { ponder: true, ..fallback });
}

#[test]
fn options_of_several_words() {
    let pair = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
    assert_eq!(option("setoption name Hash value 64   "), pair("Hash", "64"));
    assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".into(), None));
    assert_eq!(option("setoption name  Move   Overhead value 5"), pair("Move Overhead", "5"));
    assert_eq!(option("setoption name ValueScale value 100"), pair("ValueScale", "100"));
    assert_eq!(option("setoption name valuescale x value 1"), pair("valuescale x", "1"));
    assert_eq!(option("setoption name Book value C:\\my value file"), pair("Book", "C:\\my value file"));
    assert_eq!(
        option("setoption name Book value  /two  blanks and a value "),
        pair("Book", "/two  blanks and a value")
    );
    assert_eq!(option("setoption name Book value <empty>"), pair("Book", ""));
    assert_eq!(option("setoption name Book value"), pair("Book", ""));
    for line in ["setoption", "setoption Hash 64", "setoption name", "setoption name value 3"] {
        assert!(parse(line).unwrap_err().starts_with("setoption: "), "{line}");
    }
}

// What is put together is taken apart again, in whatever order and with whatever blanks.

fn blanks() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", "  ", "\t"])
}

fn a_move() -> impl Strategy<Value = String> {
    "[a-n][1-9][0-2]?[a-n][1-9][0-2]?[qrbnc]?"
}

/// An argument of `go`, and what it sets.
fn argument() -> impl Strategy<Value = (String, Go)> {
    let name = prop::sample::select(GO_WORDS.to_vec())
        .prop_filter("go perft is another command", |&name| name != "perft");
    (name, any::<u32>(), prop::collection::vec(a_move(), 1..4)).prop_map(|(name, number, moves)| {
        let (mut go, long) = (Go::default(), u64::from(number));
        match name {
            "searchmoves" => go.search_moves.clone_from(&moves),
            "ponder" => go.limits.ponder = true,
            "wtime" => go.clocks[0] = Some(long),
            "btime" => go.clocks[1] = Some(long),
            "winc" => go.increments[0] = Some(long),
            "binc" => go.increments[1] = Some(long),
            "movestogo" => go.moves_to_go = number,
            "depth" => go.limits.depth = Some(number),
            "nodes" => go.limits.nodes = Some(long),
            "mate" => go.limits.mate = Some(number),
            "movetime" => go.limits.move_time = Some(Duration::from_millis(long)),
            "infinite" => go.limits.infinite = true,
            other => panic!("{other} is not covered"),
        }
        let text = match name {
            "searchmoves" => format!("{name} {}", moves.join(" ")),
            "ponder" | "infinite" => name.to_owned(),
            _ => format!("{name} {number}"),
        };
        (text, go)
    })
}

/// Several arguments in one `go`.
fn merged(parts: &[(String, Go)]) -> Go {
    let mut all = Go::default();
    for (_, go) in parts {
        all.search_moves.extend(go.search_moves.iter().cloned());
        all.limits.ponder |= go.limits.ponder;
        all.limits.infinite |= go.limits.infinite;
        all.limits.depth = go.limits.depth.or(all.limits.depth);
        all.limits.nodes = go.limits.nodes.or(all.limits.nodes);
        all.limits.mate = go.limits.mate.or(all.limits.mate);
        all.limits.move_time = go.limits.move_time.or(all.limits.move_time);
        for color in 0..2 {
            all.clocks[color] = go.clocks[color].or(all.clocks[color]);
            all.increments[color] = go.increments[color].or(all.increments[color]);
        }
        all.moves_to_go = if go.moves_to_go > 0 { go.moves_to_go } else { all.moves_to_go };
    }
    all
}

proptest! {
    #[test]
    fn go_is_taken_apart(parts in prop::collection::vec(argument(), 0..8), blank in blanks()) {
        let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
        let line = format!("go {}", texts.join(" ")).replace(' ', blank);
        // The last of several counts, except that a number of moves of zero says nothing.
        prop_assume!(parts.iter().all(|(text, _)| text != "movestogo 0"));
        prop_assert_eq!(go(&line), merged(&parts));
    }

    #[test]
    fn positions_are_taken_apart(
        fen in prop::option::of("[kqrbnpKQRBNP1-9*/]{1,30} [wb] (KQ|-) - [0-9] [1-9]"),
        played in prop::collection::vec(a_move(), 0..20),
        blank in blanks(),
    ) {
        let setup = fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
        let tail = if played.is_empty() { String::new() } else { format!(" moves {}", played.join(" ")) };
        let line = format!("position {setup}{tail}").replace(' ', blank);
        prop_assert_eq!(command(&line), Command::Position { fen, moves: played });
    }

    #[test]
    fn options_are_taken_apart(
        name in "[A-Za-uw-z_][A-Za-z0-9_]{0,9}( [A-UW-Z][a-z]{0,9}){0,2}",
        value in prop::option::of("[!-~]{1,10}( [!-~]{1,10}){0,2}"),
        blank in blanks(),
    ) {
        prop_assume!(value.as_deref() != Some("<empty>"));
        let tail = value.as_ref().map_or(String::new(), |value| format!(" value {value}"));
        let line = format!("setoption name {name}{tail}").replace(' ', blank);
        prop_assert_eq!(option(&line), (name, value.map(|value| value.replace(' ', blank))));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(word(), 0..12)) {
        let line = words.join(" ");
        if let Ok(Some(Command::Go(go))) = parse(&line) {
            // A search without the word infinite ends.
            let limits = go.limits(Color::Black);
            let unlimited = Limits { ponder: false, ..limits } == Limits::default();
            prop_assert!(!unlimited || go.problems.is_empty());
        }
    }
}

fn word() -> impl Strategy<Value = String> {
    let known = [
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "quit",
        "debug",
        "on",
        "off",
        "register",
        "later",
        "name",
        "code",
        "setoption",
        "value",
        "<empty>",
        "position",
        "startpos",
        "fen",
        "moves",
        "bench",
        "d",
        "go",
        "go",
        "go",
    ];
    let known: Vec<String> = known.iter().chain(&GO_WORDS).map(|&word| word.to_owned()).collect();
    prop_oneof![
        4 => prop::sample::select(known),
        1 => "[-+]?[0-9]{1,25}",
        1 => "\\PC{0,6}",
        1 => "[a-n][0-9]{1,2}[a-n][0-9]{1,2}[a-z]?",
    ]
}
