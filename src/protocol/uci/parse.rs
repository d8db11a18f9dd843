//! Commands from text.
//!
//! The plain ones go to vampirc-uci. Its grammar ends at h8, at queens to knights and at three digits, and what lies
//! beyond it drops without a word (`a2a10` becomes `a2a1`, `go ponder` with clocks loses the ponder, `depth 256`
//! panics); it takes a word that begins with "value" for the end of an option's name. So `position`, `go` and
//! `setoption` are read here.

use crate::board::Color;
use crate::rules::setup::quoted;
use crate::search::{Clock, Limits};
use std::time::Duration;
use vampirc_uci::{UciMessage, parse_one};

/// What the GUI, or a person at the keyboard, wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say who you are.
    Uci,
    /// Are you there?
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// End.
    Quit,
    /// Something that needs no answer and changes nothing: `debug`, `register`.
    Ignored,
    /// Sets an option.
    SetOption {
        /// Its name, words separated by single blanks.
        name: String,
        /// Its value, likewise.
        value: Option<String>,
    },
    /// Sets up a position.
    Position {
        /// The FEN; `None` for the start position.
        fen: Option<String>,
        /// The moves from there, as they were written.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Count move paths.
    Perft(u32),
    /// Draw the board.
    Draw,
    /// Show the static evaluation.
    Eval,
    /// List the legal moves.
    Moves,
    /// Exchange the sides.
    Flip,
    /// Run the benchmark, to this depth.
    Bench(Option<u32>),
    /// Explain the commands.
    Help,
}

/// What `go` says about the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// All limits but the clock, which depends on the side to move, and the moves at the root.
    pub limits: Limits,
    /// Only these moves are to be searched at the root, as coordinates.
    pub search_moves: Vec<String>,
    /// White's and Black's time and increment in milliseconds.
    pub clocks: [Option<u64>; 2],
    /// What each move adds.
    pub increments: [Option<u64>; 2],
    /// Moves until more time is added.
    pub moves_to_go: u32,
    /// What could not be understood. The rest holds.
    pub problems: Vec<String>,
}

/// How long to think when what should have said it was not understood: long enough for a move, and no GUI waits for
/// ever.
const FALLBACK: Duration = Duration::from_secs(1);

impl Go {
    /// The limits for the side to move, all moves at the root allowed.
    pub fn limits(&self, side: Color) -> Limits {
        let mut limits = self.limits.clone();
        let clocked = self.clocks.iter().chain(&self.increments).any(Option::is_some);
        if limits.infinite {
            limits.move_time = None;
        } else if clocked {
            let millis = |of: [Option<u64>; 2]| Duration::from_millis(of[side.index()].unwrap_or(0));
            limits.clock = Some(Clock {
                left: millis(self.clocks),
                increment: millis(self.increments),
                moves_to_go: self.moves_to_go,
            });
        } else if !self.problems.is_empty()
            && limits == (Limits { ponder: limits.ponder, ..Limits::default() })
        {
            limits.move_time = Some(FALLBACK);
        }
        limits
    }
}

/// Reads a line; `None` if it is empty. The error is to be shown after "error: ".
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else { return Ok(None) };
    let unknown = || format!("unknown command: {}", quoted(line));
    Ok(Some(match first {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" | "debug" | "register" => {
            match parse_one(line) {
                UciMessage::Uci => Command::Uci,
                UciMessage::IsReady => Command::IsReady,
                UciMessage::UciNewGame => Command::NewGame,
                UciMessage::Stop => Command::Stop,
                UciMessage::PonderHit => Command::PonderHit,
                UciMessage::Quit => Command::Quit,
                UciMessage::Debug(_) | UciMessage::Register { .. } => Command::Ignored,
                _ => return Err(unknown()),
            }
        }
        "setoption" => set_option(rest)?,
        "position" => position(rest)?,
        "go" => go(rest),
        "perft" => Command::Perft(depth(rest)?.ok_or("perft needs a depth")?),
        "bench" => Command::Bench(depth(rest)?),
        "d" => Command::Draw,
        "eval" => Command::Eval,
        "moves" => Command::Moves,
        "flip" => Command::Flip,
        "help" => Command::Help,
        _ => return Err(unknown()),
    }))
}

/// `setoption name N [value V]`, both of several words. The value begins after the first word "value".
fn set_option(words: &[&str]) -> Result<Command, String> {
    let Some((&"name", words)) = words.split_first() else {
        return Err("setoption: 'name' must follow".into());
    };
    let (name, value) = match words.iter().position(|&word| word == "value") {
        Some(at) => (&words[..at], Some(words[at + 1..].join(" "))),
        None => (words, None),
    };
    if name.is_empty() {
        return Err("setoption: the name is missing".into());
    }
    // How UCI writes an empty string.
    let value = value.map(|value| if value == "<empty>" { String::new() } else { value });
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// `position startpos|fen F [moves M...]`.
fn position(words: &[&str]) -> Result<Command, String> {
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let fen = match setup {
        ["startpos"] => None,
        ["startpos", surplus, ..] => {
            return Err(format!("position: 'moves' must follow after startpos, not {}", quoted(surplus)));
        }
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => return Err("position: 'startpos' or 'fen' must follow".into()),
    };
    Ok(Command::Position { fen, moves: moves.iter().map(|&text| text.to_owned()).collect() })
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// `go ...`. What is not understood is left out and told.
fn go(words: &[&str]) -> Command {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                while let Some(text) = words.next_if(|next| !GO_WORDS.contains(next)) {
                    go.search_moves.push(text.to_owned());
                }
            }
            _ if !GO_WORDS.contains(&word) => go.problems.push(format!("go: {} is not known", quoted(word))),
            _ => {
                let Some(number) = words.peek().copied().and_then(number) else {
                    // A word that stands where the number should is read by itself.
                    let found = words.next_if(|next| !GO_WORDS.contains(next));
                    go.problems.push(match found {
                        Some(found) => format!("go: {} after {word} is not a number", quoted(found)),
                        None => format!("go: a number must follow after {word}"),
                    });
                    continue;
                };
                words.next();
                let plies = u32::try_from(number).unwrap_or(u32::MAX);
                match word {
                    "wtime" => go.clocks[0] = Some(number),
                    "btime" => go.clocks[1] = Some(number),
                    "winc" => go.increments[0] = Some(number),
                    "binc" => go.increments[1] = Some(number),
                    "movestogo" => go.moves_to_go = plies,
                    "depth" => go.limits.depth = Some(plies),
                    "nodes" => go.limits.nodes = Some(number),
                    "mate" => go.limits.mate = Some(plies),
                    "movetime" => go.limits.move_time = Some(Duration::from_millis(number)),
                    _ => return Command::Perft(plies),
                }
            }
        }
    }
    Command::Go(go)
}

/// A whole number of any length. GUIs send clocks below zero; that is no time, and so is what no clock can show.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// The depth that may follow after a command for people.
fn depth(words: &[&str]) -> Result<Option<u32>, String> {
    let Some(word) = words.first() else { return Ok(None) };
    let depth = number(word).ok_or_else(|| format!("{} is not a depth", quoted(word)))?;
    Ok(Some(u32::try_from(depth).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vampirc_uci::{UciSearchControl, UciTimeControl};

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
        for line in ["ucinewgamex", "stopped", "hello", "debug", "bestmove e2e4", "info depth 256", "bench x"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
        assert_eq!(parse("xyzzy 1").unwrap_err(), "unknown command: 'xyzzy 1'");
        assert!(parse(&"é".repeat(10_000)).unwrap_err().len() < 300);
    }

    // What the grammar of vampirc-uci loses, in the order of the note at the top.

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
    fn nonsense_in_go_is_told_and_the_rest_holds() {
        let problems = |line: &str| {
            let go = go(line);
            (go.problems.join("; "), go.limits(Color::White))
        };
        let fallback = Limits { move_time: Some(FALLBACK), ..Limits::default() };
        assert_eq!(problems("go depth x"), ("go: 'x' after depth is not a number".into(), fallback.clone()));
        assert_eq!(problems("go depth"), ("go: a number must follow after depth".into(), fallback.clone()));
        assert_eq!(problems("go away"), ("go: 'away' is not known".into(), fallback.clone()));
        let depth = Limits { depth: Some(4), ..Limits::default() };
        assert_eq!(problems("go depth 4 dpeth 5").1, depth);
        let (text, limits) = problems("go movetime wtime 100");
        assert_eq!(text, "go: a number must follow after movetime");
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
        assert_eq!(option("setoption name Book value <empty>"), pair("Book", ""));
        assert_eq!(option("setoption name Book value"), pair("Book", ""));
        for line in ["setoption", "setoption Hash 64", "setoption name", "setoption name value 3"] {
            assert!(parse(line).unwrap_err().starts_with("setoption: "), "{line}");
        }
    }

    // On what both can read, vampirc-uci and we read the same.

    fn square_move() -> impl Strategy<Value = String> {
        "[a-h][1-8][a-h][1-8][qrbn]?"
    }

    fn time() -> impl Strategy<Value = Vec<String>> {
        let clocks = prop::sample::subsequence(vec!["wtime", "btime", "winc", "binc"], 1..=4);
        let clocks = (clocks, prop::collection::vec(-1000i64..100_000_000, 4), any::<Option<u8>>());
        prop_oneof![
            Just(Vec::new()),
            Just(vec!["infinite".into()]),
            Just(vec!["ponder".into()]),
            (0u64..100_000_000).prop_map(|millis| vec![format!("movetime {millis}")]),
            clocks.prop_map(|(names, millis, moves)| {
                let clocks = names.iter().zip(millis).map(|(name, millis)| format!("{name} {millis}"));
                clocks.chain(moves.map(|moves| format!("movestogo {moves}"))).collect()
            }),
        ]
    }

    fn search() -> impl Strategy<Value = Vec<String>> {
        let moves = prop::collection::vec(square_move(), 0..4);
        (any::<Option<u8>>(), any::<Option<u8>>(), prop::option::of(0..1_000_000_000_000u64), moves).prop_map(
            |(depth, mate, nodes, moves)| {
                let mut parts = Vec::new();
                parts.extend(depth.map(|depth| format!("depth {depth}")));
                parts.extend(mate.map(|mate| format!("mate {mate}")));
                parts.extend(nodes.map(|nodes| format!("nodes {nodes}")));
                if !moves.is_empty() {
                    parts.push(format!("searchmoves {}", moves.join(" ")));
                }
                parts
            },
        )
    }

    fn go_line() -> impl Strategy<Value = String> {
        (time(), search())
            .prop_map(|(time, search)| [time, search].concat())
            .prop_shuffle()
            .prop_map(|parts| format!("go {}", parts.join(" ")))
    }

    fn as_vampirc_has_it(line: &str) -> (Option<UciTimeControl>, UciSearchControl) {
        match parse_one(line.trim_end()) {
            UciMessage::Go { time_control, search_control } => {
                (time_control, search_control.unwrap_or_default())
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    /// Any ranks of legal width: the parser does not ask for kings.
    fn fen() -> impl Strategy<Value = String> {
        (
            prop::collection::vec("[kqrbnpKQRBNP1-8]{1,8}", 8),
            "[wb]",
            "(K?Q?k?q|-)",
            "([a-h][36]|-)",
            0..1000u32,
            1..9999u32,
        )
            .prop_map(|(ranks, side, castling, passing, half, full)| {
                format!("{} {side} {castling} {passing} {half} {full}", ranks.join("/"))
            })
    }

    proptest! {
        #[test]
        fn go_is_read_as_vampirc_reads_it(line in go_line()) {
            let ours = go(&line);
            prop_assert_eq!(&ours.problems, &Vec::<String>::new());
            let (time, search) = as_vampirc_has_it(&line);
            let moves: Vec<String> = search.search_moves.iter().map(ToString::to_string).collect();
            prop_assert_eq!(&ours.search_moves, &moves);
            prop_assert_eq!(ours.limits.depth, search.depth.map(u32::from));
            prop_assert_eq!(ours.limits.mate, search.mate.map(u32::from));
            prop_assert_eq!(ours.limits.nodes, search.nodes);
            prop_assert_eq!(ours.limits.infinite, time == Some(UciTimeControl::Infinite));
            prop_assert_eq!(ours.limits.ponder, time == Some(UciTimeControl::Ponder));
            let millis = |time: vampirc_uci::Duration| time.num_milliseconds().max(0) as u64;
            let move_time = match &time {
                Some(UciTimeControl::MoveTime(time)) => Some(Duration::from_millis(millis(*time))),
                _ => None,
            };
            prop_assert_eq!(ours.limits.move_time, move_time);
            let (mut clocks, mut increments, mut moves_to_go) = ([None; 2], [None; 2], 0);
            if let Some(UciTimeControl::TimeLeft {
                white_time, black_time, white_increment, black_increment, moves_to_go: moves
            }) = time {
                clocks = [white_time, black_time].map(|time| time.map(millis));
                increments = [white_increment, black_increment].map(|time| time.map(millis));
                moves_to_go = moves.map_or(0, u32::from);
            }
            prop_assert_eq!((ours.clocks, ours.increments), (clocks, increments));
            prop_assert_eq!(ours.moves_to_go, moves_to_go);
        }

        #[test]
        fn positions_are_read_as_vampirc_reads_them(
            fen in prop::option::of(fen()),
            played in prop::collection::vec(square_move(), 0..20),
        ) {
            let setup = fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
            let tail = if played.is_empty() { String::new() } else { format!(" moves {}", played.join(" ")) };
            let line = format!("position {setup}{tail}");
            let UciMessage::Position { startpos, fen: theirs, moves } = parse_one(&line) else {
                panic!("{line}");
            };
            prop_assert_eq!(startpos, fen.is_none());
            let moves = moves.iter().map(ToString::to_string).collect();
            let expected = Command::Position { fen: theirs.map(|fen| fen.as_str().to_owned()), moves };
            prop_assert_eq!(command(&line), expected);
        }

        #[test]
        fn options_are_read_as_vampirc_reads_them(
            name in "[A-Za-uw-z_][A-Za-z0-9_]{0,9}( [A-UW-Z][a-z]{0,9}){0,2}",
            value in prop::option::of("[!-~]{1,10}( [!-~]{1,10}){0,2}"),
        ) {
            prop_assume!(value.as_deref() != Some("<empty>"));
            prop_assume!(!name.to_lowercase().starts_with("value"));
            let tail = value.as_ref().map_or(String::new(), |value| format!(" value {value}"));
            let line = format!("setoption name {name}{tail}");
            let theirs = UciMessage::SetOption { name, value };
            prop_assert_eq!(&parse_one(&line), &theirs);
            let (name, value) = option(&line);
            prop_assert_eq!(UciMessage::SetOption { name, value }, theirs);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn no_words_make_it_panic(words in prop::collection::vec(word(), 0..12)) {
            let line = words.join(" ");
            if let Ok(Some(Command::Go(go))) = parse(&line) {
                // A search that nobody asked to be endless ends.
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
}
