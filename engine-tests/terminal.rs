//! What a person meets at a terminal: the drawn boards, moves as people type them, and whole games through pipes.

use quintain::engine::{self, NAMES};
use quintain::notation::draw::Style;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a run of the program came to.
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

/// Runs the program with these arguments and this input.
fn quintain(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may leave without reading everything.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
}

/// A game in which the lines of `input` are typed; it must end well.
fn play(args: &[&str], input: &str) -> String {
    let run = quintain(&[&["play"], args].concat(), input);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{args:?} {input:?}: {}", run.out);
    run.out
}

// ---- Drawings and lists ---------------------------------------------------------------------------------

#[test]
fn start_boards() {
    let mut text = String::new();
    for name in NAMES {
        let session = engine::open(name).unwrap();
        text += &format!("{name}\n{}\n", session.draw(Style::default()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn start_boards_from_black_in_color() {
    let mut text = String::new();
    for name in ["diamond", "superchessfixed"] {
        let style = Style { flipped: true, color: true, ..Style::default() };
        text += &engine::open(name).unwrap().draw(style).replace('\x1b', "ESC");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn arrows_turn_with_the_board_and_brackets_find_room() {
    let mut session = engine::open("superchessfixed").unwrap();
    let fen = "rnb1kqabnr/ppppsspppp/10/3c6/10/10/3C6/10/PPPPSSPPPP/RNB1KQABNR w AJaj - 0 1 ne,e";
    session.set_position(Some(fen), &[]).unwrap();
    let row = |style, start: &str| {
        let drawn = session.draw(style);
        drawn.lines().find(|line| line.trim_start().starts_with(start)).unwrap().to_owned()
    };
    let style = Style { marked: &[(3, 3), (4, 3), (6, 3)], ..Style::default() };
    assert_eq!(row(style, "4 "), "  4  .  .  . [C→[.] . [.] .  .  .");
    assert_eq!(row(style, "7 "), "  7  .  .  .  c↙ .  .  .  .  .  .");
    let style = Style { flipped: true, ..style };
    assert_eq!(row(style, "4 "), "  4  .  .  . [.] . [.][C←].  .  .");
    assert_eq!(row(style, "7 "), "  7  .  .  .  .  .  .  c↗ .  .  .");
}

#[test]
fn list_of_games() {
    let run = quintain(&["variants"], "");
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    assert_eq!(run.out.lines().count(), NAMES.len(), "one line a game");
    insta::assert_snapshot!(run.out);
}

#[test]
fn rules_of_every_game_come_with_a_board() {
    for name in NAMES {
        let run = quintain(&["rules", &name.to_uppercase()], "");
        assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
        assert!(run.out.contains("a b c d") || run.out.contains("a  b  c  d"), "{name}: {}", run.out);
    }
}

// ---- Moves as people type them --------------------------------------------------------------------------

/// What becomes of `text` typed in a position: the move's coordinates, or why it is none.
fn typed(game: &str, fen: Option<&str>, text: &str) -> Result<String, String> {
    let mut session = engine::open(game).unwrap();
    session.set_position(fen, &[]).unwrap();
    session.play_any(text).map(|mv| mv.text).map_err(|error| error.reason)
}

#[test]
fn moves_are_read_in_many_forms() {
    let castling = Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let promotion = Some("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
    let shots = Some("rnbckqabnr/ppppsspppp/10/10/5A4/10/10/10/PPPPSSPPPP/RNBCKQ1BNR w AJaj - 0 1 n,n");
    let facing = Some("rnbckqabnr/ppppsspppp/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 2 ?,?");
    let runs = Some("2kr6/pppp6/10/2P1PC4/10/6B3/2R7/10/10/8K1 w - - 0 1 e");
    for (game, fen, text, wanted) in [
        ("chess", None, "e4", "e2e4"),
        ("chess", None, "e2-e4", "e2e4"),
        ("chess", None, "E2 E4", "e2e4"),
        ("chess", None, "nf3", "g1f3"),
        ("chess", None, "Ngf3!?", "g1f3"),
        ("chess", None, "Ng1f3", "g1f3"),
        ("chess", None, "ng1-f3", "g1f3"),
        ("chess", None, "Nxf3", "g1f3"),
        ("chess", castling, "0-0", "e1g1"),
        ("chess", castling, "o-o-o", "e1c1"),
        ("chess", castling, "Kg1", "e1g1"),
        ("chess", castling, "Bxa6", "e2a6"),
        ("chess", castling, "ed6", "e5d7x"),
        ("chess", promotion, "bxa8=Q+", "b7a8q"),
        ("chess", promotion, "ba8n", "b7a8n"),
        ("chess", promotion, "b7a8=R", "b7a8r"),
        ("canyon", None, "Q-N", "e2g2"),
        ("canyon", None, "q-ng2", "e2g2"),
        ("canyon", None, "K-Nb2", "d2b2"),
        ("superchess", None, "h2 c2", "S@c2,S@h2"),
        ("superchess", None, "S@h2,S@c2", "S@c2,S@h2"),
        ("superchess", facing, "NE", "d1d1ne"),
        ("superchess", facing, "Cd1(ne)", "d1d1ne"),
        ("superchessfixed", None, "Cd1d3 sw", "d1d3sw"),
        ("superchessfixed", shots, "Af6*f10", "f6f10"),
        ("superchessfixed", shots, "Axf10", "f6f10"),
        ("superchessfixed", runs, "Cf7c7(N)", "f7c7n"),
        ("gast", Some("12/6k5/12/12/12/12/12/12/12/12/12/6K1A3 w I - 0 1"), "Ki1", "g1i1"),
    ] {
        // A knight of the castling position cannot be meant by a pawn's move.
        let wanted = if wanted == "e5d7x" { Err(()) } else { Ok(wanted.to_owned()) };
        assert_eq!(typed(game, fen, text).map_err(|_| ()), wanted, "{game} {text}");
    }
}

#[test]
fn wrong_moves_are_explained() {
    let check = Some("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1");
    for (game, fen, text, wanted) in [
        ("chess", None, "e5", "the pawn on e2 cannot go to e5"),
        ("chess", None, "Nd4", "White has no knight that can go to d4"),
        ("chess", None, "Ke2", "a friend stands on e2"),
        ("chess", None, "Nbf3", "the knight on b1 cannot go to f3"),
        ("chess", None, "e9", "there is no square e9 on this board"),
        ("chess", None, "e2e9", "there is no square e9 on this board"),
        ("chess", None, "O-O", "castling that way is not possible now"),
        ("chess", check, "O-O", "castling that way is not possible now"),
        ("chess", check, "a1b1", "this does not end the check by the man on e2"),
        ("chess", None, "e2e4q", "'q' does not belong to this move, write e2e4"),
        ("canyon", None, "Nc2", "there is no square c2 on this board"),
        ("diamond", None, "d4", "can be dd4 or ed4"),
        ("superchess", None, "e4", "the set-up phase comes first"),
        ("superchessfixed", None, "d1d3", "add one of: n ne e se s sw w nw"),
        ("superchessfixed", None, "Cd1d3", "can be Cd1d3(N) or Cd1d3(NE)"),
        ("grandcavalier", None, "Na1", "White has no nightrider that can go to a1"),
    ] {
        let reason = typed(game, fen, text).expect_err(text);
        assert!(reason.contains(wanted), "{game} {text}: {reason}");
    }
}

#[test]
fn no_text_is_too_strange() {
    let texts = [
        "",
        " ",
        "é",
        "♞f3",
        "e",
        "4",
        "e4e4e4e4",
        "N",
        "x",
        "-",
        "O",
        "@",
        "S@",
        "a1a1",
        "z99",
        "Ké4",
        "a999999999999",
    ];
    for name in NAMES {
        for text in texts {
            let _ = typed(name, None, text);
        }
    }
}

// ---- Games ----------------------------------------------------------------------------------------------

/// Two moves a game, in either form, and a man that moves.
const OPENINGS: &[(&str, &[&str], &str)] = &[
    ("canyon", &["d4", "e6e5"], "marshal"),
    ("diamond", &["dd4", "f7f6"], "knight"),
    ("grandcavalier", &["Vde5", "i8h6"], "cannon"),
    ("superchess", &["c2 h2", "S@a9,S@b9", "ne", "d10d10n"], "cyclops"),
    ("superchessfixed", &["Cd1d3(NE)", "g10f8"], "archer"),
    ("gast", &["e6", "b12c10"], "knight"),
    ("gast14", &["e6", "b12c10"], "knight"),
    ("chess", &["e4", "e7e5"], "knight"),
    ("grand", &["e5", "e8e6"], "marshal"),
];

#[test]
fn two_people_play_every_game() {
    let mut text = String::new();
    assert_eq!(OPENINGS.iter().map(|(game, ..)| game).collect::<Vec<_>>(), NAMES.iter().collect::<Vec<_>>());
    for (game, moves, man) in OPENINGS {
        let mut input = moves.join("\n");
        input += &format!("\nmoves {man}\nlist\nfen\nboard\nundo\nfen\nundo 99\nzz\na0\nresign\nquit\n");
        text += &format!("==== {game}\n{}\n", play(&[game, "--two"], &input));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_engine_answers_hints_and_takes_back() {
    for (game, moves, _) in OPENINGS {
        let start = engine::open(game).unwrap().fen();
        let input = format!("hint\n{}\neval\nlist\nundo\nfen\nhint\n", moves[0]);
        let out = play(&[game, "--depth", "2"], &input);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with("Try "), "{game}: {out}");
        assert!(lines.iter().any(|line| line.starts_with("You: ")), "{game}: {out}");
        assert!(lines.iter().any(|line| line.starts_with("Engine: ")), "{game}: {out}");
        assert!(lines.iter().any(|line| line.starts_with("1. ") && line.ends_with(" *")), "{game}: {out}");
        assert!(lines.contains(&start.as_str()), "{game}: taking back leads to the start\n{out}");
    }
}

#[test]
fn the_engine_plays_every_game_with_itself_to_the_end() {
    for name in NAMES {
        let out = play(&[name, "--self", "--depth", "1"], "");
        let last = out.lines().last().unwrap_or_default();
        assert!(last.starts_with("Game over: "), "{name}: {last}");
    }
}

#[test]
fn the_engine_begins_against_black() {
    for name in NAMES {
        let out = play(&[name, "--black", "--depth", "1"], "undo\ngo\nlist\n");
        assert!(out.starts_with("Engine: "), "{name}: {out}");
        assert!(out.contains("There is no such move to take back."), "{name}: {out}");
        assert!(out.contains("You are White from now on."), "{name}: {out}");
        assert!(out.lines().last().unwrap().starts_with("1. "), "{name}: {out}");
    }
}

#[test]
fn the_end_is_announced_and_can_be_taken_back() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let out = play(
        &["chess", "--depth", "3", "--fen", fen],
        "Ra8\nhint\nmoves\nRa7\ndraw\nresign\ngo\nundo\nlist\n",
    );
    assert!(out.contains("Game over: White mates, 1-0. You have won!"), "{out}");
    assert!(out.contains("The game is over: White mates."), "{out}");
    assert!(out.ends_with("\n*\n"), "the move is taken back\n{out}");

    let out = play(&["chess", "--two"], "f3\ne5\ng4\nQh4\n");
    assert!(out.ends_with("Game over: Black mates, 0-1.\n"), "{out}");
    let out = play(&["chess", "--black", "--depth", "1"], "resign\n");
    assert!(out.ends_with("Game over: Black resigns, 1-0. You have lost.\n"), "{out}");
    let out = play(&["chess", "--two"], "draw\n");
    assert!(out.ends_with("Game over: Draw by agreement, 1/2-1/2.\n"), "{out}");
    let out = play(&["chess"], "draw\n");
    assert!(out.contains("too early"), "{out}");
}

#[test]
fn what_the_board_does_not_show_is_said() {
    let session = |game, fen| {
        let mut session = engine::open(game).unwrap();
        session.set_position(fen, &[]).unwrap();
        session.remark()
    };
    let lone = Some("1******1/2*2*2/8/*1K2P1*/*6*/8/2*k1*2/1******1 w - - 0 26 3");
    assert_eq!(
        session("canyon", lone).as_deref(),
        Some("Black's king is alone: 3 of the 10 moves to mate it are made")
    );
    assert!(session("superchess", None).unwrap().starts_with("White places two super pawns on rank 2"));
    assert_eq!(session("superchessfixed", None), None);
}

#[test]
fn every_command_of_the_help_is_known() {
    let help = play(&["chess", "--two"], "help\n");
    let commands: Vec<&str> = help
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 15, "{help}");
    for command in commands {
        let out = play(&["chess", "--depth", "1"], &format!("{command}\nquit\n"));
        assert!(!out.contains("neither a command nor a move"), "{command}: {out}");
    }
}

#[test]
fn other_games_positions_and_files() {
    let path = std::env::temp_dir().join(format!("quintain-terminal-{}.pgn", std::process::id()));
    let file = path.to_str().unwrap();
    let input = format!(
        "time 0.05\nnew diamond\ndd4\nnew zork\nload ****k****/9 w - - 0 1\n\
         load ****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** b - - 0 7\n\
         ff6\nsave {file}\nsave {file}\nsave\nsave /\n"
    );
    let out = play(&["chess", "--two"], &input);
    for wanted in
        ["thinks 0.05 s a move", "no game called zork", "placement: ", "is there already", "Name a file"]
    {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let saved = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    insta::assert_snapshot!(saved);
}

#[test]
fn strange_input_ends_no_game() {
    let long = "e".repeat(100_000);
    let input = [
        b"\xff\xfe\n\0\n\x1b[2J\n \t\n\r\n".as_slice(),
        long.as_bytes(),
        "\nmoves ♞\nundo -1\nundo 99999999999999999999\ntime nan\ntime inf\ntime -1\nload\nnew \u{1b}[0m\nfen".as_bytes(),
    ]
    .concat();
    for name in NAMES {
        let run = quintain(&["play", name, "--two"], &input);
        assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{name}");
        assert!(!run.out.contains('\x1b'), "no control characters are echoed");
        assert!(
            run.out.ends_with(&format!("{}\n", engine::open(name).unwrap().fen())),
            "{name}: {}",
            run.out
        );
    }
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, code, wanted) in [
        (&["play", "zork"][..], 2, "possible values: canyon, diamond"),
        (&["rules", "zork"], 2, "possible values: canyon, diamond"),
        (&["rules"], 2, "<GAME>"),
        (&["play"], 1, "which game? The games are canyon, diamond"),
        (&["play", "chess", "--two", "--self"], 2, "cannot be used with"),
        (&["play", "chess", "--two", "--black"], 2, "cannot be used with"),
        (&["play", "chess", "--time", "never"], 2, "not a number of seconds"),
        (&["play", "chess", "--time", "0"], 2, "0.01 to 3600"),
        (&["play", "chess", "--time", "nan"], 2, "0.01 to 3600"),
        (&["play", "chess", "--depth", "0"], 2, "--depth"),
        (&["play", "chess", "--threads", "0"], 2, "--threads"),
        (&["play", "chess", "--hash", "9999999"], 2, "--hash"),
        (&["play", "chess", "--fen", "8/8 w - -"], 1, "placement: 2 ranks instead of 8"),
    ] {
        let run = quintain(args, "");
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.err);
        assert!(run.err.contains(wanted), "{args:?}: {}", run.err);
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn help_has_examples() {
    for args in [&["--help"][..], &["play", "--help"], &["rules", "--help"], &["variants", "--help"]] {
        let run = quintain(args, "");
        assert_eq!(run.code, Some(0));
        assert!(
            run.out.contains("quintain play") || run.out.contains("quintain rules"),
            "{args:?}: {}",
            run.out
        );
    }
}

#[test]
fn nothing_is_said_unasked_without_a_command() {
    let run = quintain(&[], "");
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("", "", Some(0)));
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    for args in [&["rules", "canyon"][..], &["variants"], &["play", "chess", "--self", "--depth", "1"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

// ---- Speed ----------------------------------------------------------------------------------------------

#[test]
fn openings_are_written_though_there_are_fewer_than_wanted() {
    let run = quintain(&["openings", "canyon", "--plies", "0", "--count", "3"], "");
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 2), "{}{}", run.out, run.err);
    assert!(run.err.starts_with("Note: found 1 of 3 openings, and no other"), "{}", run.err);
}

#[test]
fn speed_is_compared_with_a_peer() {
    let peer = env!("CARGO_BIN_EXE_quintain");
    let args = ["speed", "Canyon", "--runs", "1", "--repeat", "1", "--search", "20", "--hash", "1"];
    let run = quintain(&[&args[..], &["--peer", peer, "--peer-option", "MultiPV=1"]].concat(), "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    let [head, rule, row, "", peer] = lines[..] else { panic!("{}", run.out) };
    assert!(
        head.starts_with("| game ") && rule.starts_with("|--") && peer.starts_with("The peer is Quintain")
    );
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    // Game, leaves, moves; rates; ratios.
    assert_eq!(cells[1..3], ["canyon", "11240794"]);
    assert!(
        cells[3..cells.len() - 1].iter().all(|cell| cell.parse::<f64>().is_ok_and(|rate| rate > 0.0)),
        "{row}"
    );
}

#[test]
fn speed_is_measured_at_the_start_alone_if_wanted() {
    // Five plies from the start of chess; its other positions are left out.
    let run = quintain(&["speed", "chess", "--start", "--runs", "1", "--repeat", "1", "--only", "bulk"], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("| chess | 4865609 "), "{}", run.out);
}

#[test]
fn speed_names_the_positions_that_the_peer_counts_otherwise() {
    let peer = env!("CARGO_BIN_EXE_quintain");
    let only = ["speed", "superchess", "--runs", "1", "--repeat", "1", "--only", "bulk", "--peer", peer];
    let run = quintain(&[&only[..], &["--peer-variant", "superchess=superchessfixed"]].concat(), "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("superchess: "), "{}", run.out);
    for (args, error) in [
        (&["speed", "checkers"][..], "there is no game called 'checkers'"),
        (&["speed", "--peer-variant", "x=y", "--peer", "z"], "--peer-variant: there is no game called 'x'"),
        (&["speed", "chess", "--peer", "/no/such/engine"], "cannot start '/no/such/engine'"),
        (&["speed", "--peer-option", "Hash"], "it must be NAME=VALUE"),
    ] {
        let run = quintain(args, "");
        assert!(run.code != Some(0) && run.err.contains(error), "{args:?}: {}", run.err);
    }
}

#[test]
fn the_worth_of_every_man_is_told() {
    for (game, men) in [("chess", 5), ("superchess", 8), ("gast14", 8)] {
        let run = quintain(&["values", game], "");
        let rows: Vec<&str> = run.out.lines().skip(2).collect();
        assert_eq!((run.code, rows.len()), (Some(0), men), "{}{}", run.out, run.err);
        let value = |row: &str| row.split('|').nth(2).and_then(|cell| cell.trim().parse::<f32>().ok());
        assert!(rows.iter().all(|row| value(row).is_some_and(|value| value > 0.2)), "{}", run.out);
    }
}

// ---- Tuning -------------------------------------------------------------------------------------------------

#[test]
fn weights_and_networks_learn_from_games_that_are_the_same_for_the_same_seed() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [first, again, weights, network] =
        ["tune-1.txt", "tune-2.txt", "tune-weights.rs", "tune-net.bin"].map(|name| folder.join(name));
    for (path, threads) in [(&first, "1"), (&again, "2")] {
        let output = path.to_str().unwrap();
        let games = ["--games", "100", "--nodes", "60", "--threads", threads, "--output", output];
        let run = quintain(&[&["tune", "play", "canyon"], &games[..]].concat(), "");
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let text = std::fs::read_to_string(&first).unwrap();
    assert_eq!(text, std::fs::read_to_string(&again).unwrap());
    assert!(text.lines().all(|line| [";0;", ";0.5;", ";1;"].iter().any(|result| line.contains(result))));

    let fit = |positions: &str| {
        let output = weights.to_str().unwrap();
        let args = ["tune", "fit", "canyon", "--passes", "20", "--output", output, "--positions", positions];
        quintain(&args, "")
    };
    let run = fit(first.to_str().unwrap());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let error = |line: &str, word: &str| -> f64 {
        let rest = line.split(word).nth(1).expect(word);
        rest.trim_start().split(',').next().unwrap().parse().unwrap()
    };
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(error(lines[1], "passes") < error(lines[0], "error"), "{}", run.out);
    assert!(std::fs::read_to_string(&weights).unwrap().contains("pub const GENERAL: General"));

    let learn = |positions: &str| {
        let output = network.to_str().unwrap();
        let args = ["tune", "net", "canyon", "--threads", "2", "--output", output, "--positions", positions];
        quintain(&args, "")
    };
    let run = learn(first.to_str().unwrap());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(error(lines[1], "passes") < error(lines[0], "error"), "{}", run.out);
    // Six kinds of men on both sides, 44 squares, 64 numbers a row; then the start and the outputs of four stages.
    let rows = 2 * 6 * 44 + 1 + 2 * 4;
    assert_eq!(std::fs::metadata(&network).unwrap().len(), 2 * 64 * rows + 4 * 4);

    std::fs::write(&again, "not a position;1;20\n").unwrap();
    for run in [fit(again.to_str().unwrap()), learn(again.to_str().unwrap())] {
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("line 1"), "{}", run.err);
    }
}
