//! The program in a terminal: drawn boards, typed moves, and whole games through pipes.

mod tools;

use quintain::engine::{self, NAMES};
use quintain::notation::draw::Style;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// The result of a run of the program.
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

/// Runs the program with these arguments and this input.
fn quintain(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(args)
        .envs([("XDG_STATE_HOME", home.path()), ("HOME", home.path()), ("USER", "Anna".as_ref())])
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
fn figurines_stand_for_the_pieces_of_chess_and_letters_for_the_others() {
    let style = |color| Style { color, figurines: true, ..Style::default() };
    let drawn = |game, style| {
        let text = engine::open(game).unwrap().draw(style);
        let row = text.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
        let plain = row.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, text)| text));
        plain.collect::<String>().trim().to_owned()
    };
    assert_eq!(drawn("chess", style(false)), "1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖");
    // Colour distinguishes the sides, so both use the filled symbols.
    assert_eq!(drawn("chess", style(true)), "1  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜  1");
    assert_eq!(drawn("superchessfixed", style(false)), "1  ♖  ♘  ♗  C↑ ♔  ♕  A  ♗  ♘  ♖");
    assert_eq!(drawn("gast14", style(false)), "1  ♖  ♘  G  A  ♗  ♕  ♔  O  ♕  ♗  A  G  ♘  ♖");
}

#[test]
fn the_widest_board_fits_forty_columns() {
    for color in [false, true] {
        let style = Style { color, narrow: true, ..Style::default() };
        let text = engine::open("gast14").unwrap().draw(style);
        for line in text.lines() {
            let shown = line.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, text)| text));
            assert!(shown.map(|part| part.chars().count()).sum::<usize>() <= 40, "{line}");
        }
        assert!(color || text.contains("  1  R N G A B Q K O Q B A G N R\n"), "{text}");
    }
    let style = Style { narrow: true, marked: &[(4, 1), (4, 3), (5, 3)], ..Style::default() };
    let text = engine::open("gast14").unwrap().draw(style);
    assert!(text.contains("  4  . . . .[.|.]. . . . . . . .\n"), "{text}");
    assert!(text.contains("  2  P P P P[P]P P P P P P P P P\n"), "{text}");
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
    assert_eq!(row(style, "4 "), "  4  .  .  . [C→|.] . [.] .  .  .");
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

/// The coordinates of the move typed as `text`, or the error.
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
    let doubled = Some("4k3/4p3/4p3/8/4P3/4N3/8/4K3 w - - 0 1");
    let check = Some("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1");
    for (game, fen, text, wanted) in [
        ("chess", None, "e5", "the pawn on e2 cannot go to e5"),
        ("chess", None, "Nd4", "White has no knight that can go to d4"),
        ("chess", None, "Ke2", "a piece of the same side is on e2"),
        ("chess", None, "Nbf3", "the knight on b1 cannot go to f3"),
        ("chess", None, "e9", "there is no square e9 on this board"),
        ("chess", None, "e2e9", "there is no square e9 on this board"),
        ("chess", None, "O-O", "castling that way is not possible now"),
        ("chess", check, "O-O", "castling that way is not possible now"),
        ("chess", check, "a1b1", "this does not end the check by the piece on e2"),
        ("chess", None, "e2e4q", "'q' does not belong to this move, write e2e4"),
        ("chess", doubled, "e6", "the pawn on e4 cannot go to e6"),
        ("chess", doubled, "e4e7", "the pawn on e4 cannot go to e7"),
        ("canyon", None, "d2b", "a piece of the same side is on d2"),
        ("canyon", None, "b2d2", "this exchange is written from the king: d2b2"),
        ("gast14", None, "Ki1/Ah1", "castling that way is not possible now"),
        ("gast14", None, "Ki1/Zh1", "write it like"),
        ("canyon", None, "Nc2", "there is no square c2 on this board"),
        ("diamond", None, "d4", "write dd4 or ed4"),
        ("superchess", None, "e4", "the set-up phase comes first"),
        ("superchessfixed", None, "d1d3", "add one of: n ne e se s sw w nw"),
        ("superchessfixed", None, "Cd1d3", "write Cd1d3(N) or Cd1d3(NE)"),
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

/// Two moves a game, in either form, and a piece that moves.
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
    for (game, moves, piece) in OPENINGS {
        let mut input = moves.join("\n");
        input += &format!("\nmoves {piece}\nlist\nfen\nboard\nundo\nfen\nundo 99\nzz\na0\nresign\nquit\n");
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
    let out = play(&["chess", "--black", "--depth", "1"], "resign\nundo\nd5\nlist\n");
    assert!(out.contains("You: d5") && !out.contains("no such move"), "{out}");
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
        ["thinks 0.05 s a move", "no game called zork", "placement: ", "exists already", "Name a file"]
    {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let saved = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let date = saved.lines().find(|line| line.starts_with("[Date ")).unwrap();
    let digits = date.chars().filter(char::is_ascii_digit).count();
    assert_eq!((digits, date.len()), (8, "[Date \"2026.11.25\"]".len()), "{date}");
    insta::assert_snapshot!(saved.replace(date, "[Date]"));
}

#[test]
fn a_saved_game_is_loaded_and_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let name = file.to_str().unwrap();
    let fen = |input: &str| {
        let out = play(&["chess", "--two"], &format!("{input}\nfen\n"));
        out.lines().last().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
    };
    let after = |moves: &str| fen(&moves.replace(' ', "\n"));
    play(&["chess", "--two"], &format!("e4\ne5\nNf3\nsave {name}\n"));
    let load = format!("load {name}\n");
    assert_eq!(fen(&load), after("e4 e5 Nf3"));
    assert_eq!(fen(&format!("{load}previous 2")), after("e4"));
    assert_eq!(fen(&format!("{load}previous 2\nnext")), after("e4 e5"));
    assert_eq!(fen(&format!("{load}previous 9\nnext 9")), after("e4 e5 Nf3"));
    // A new move replaces the moves ahead.
    assert_eq!(fen(&format!("{load}previous 2\nc5\nnext")), after("e4 c5"));
    let out = play(&["canyon", "--two"], &format!("load {name}\nload nothing.pgn\nload\nnext\nprevious x\n"));
    for wanted in
        ["it is a game of 'chess', not canyon", "No such file", "Name a file", "end of the game", "number"]
    {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
}

/// What `list` says last.
fn listed(out: &str) -> &str {
    out.lines().last().unwrap_or_default()
}

#[test]
fn looking_through_a_finished_game_changes_nothing() {
    let two = |input: &str| play(&["chess", "--two"], input);
    let out = two("e4\nresign\nnext\nlist\n");
    assert!(out.contains("This is the end of the game.") && listed(&out) == "1. e4 1-0", "{out}");
    for steps in ["previous", "previous 9", "previous\nnext", "previous 2\nnext 9\nnext"] {
        let out = two(&format!("e4\nd5\nresign\n{steps}\nlist\n"));
        assert_eq!(listed(&out), "1. e4 d5 0-1", "{steps}: {out}");
        let out = two(&format!("f3\ne5\ng4\nQh4\n{steps}\nlist\n"));
        assert!(listed(&out).ends_with(" g4 Qh4# 0-1"), "{steps}: {out}");
    }
    // A move that is the next one anyway is a step too.
    let out = two("e4\nd5\nresign\nprevious\nd5\nlist\n");
    assert!(listed(&out) == "1. e4 d5 0-1" && !out.contains("goes on from here"), "{out}");
    // At its end it is over, before that it has no other one.
    let out = two("e4\nd5\ndraw\nprevious\nfen\nresign\ndraw\nnext\ndraw\nd4\n");
    assert_eq!(out.matches("The game is over already.").count(), 3, "{out}");
    assert_eq!(out.matches("Game over: Draw by agreement").count(), 2, "{out}");
    let out = two("e4\nd5\nprevious\nresign\nnext\nresign\n");
    assert!(out.contains("type next 1 first") && out.ends_with("White resigns, 0-1.\n"), "{out}");
    // Another move, or one that is taken back, lets it go on.
    let out = two("e4\nd5\nresign\nprevious\nc5\nlist\n");
    assert!(out.contains("The game goes on from here.") && listed(&out) == "1. e4 c5 *", "{out}");
    let out = two("e4\nd5\nresign\nprevious\nundo\nlist\nnext 2\nlist\n");
    assert!(out.contains("goes on from here.\n*\n") && listed(&out) == "1. e4 d5 *", "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_library_keeps_the_game_whichever_position_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let terminal = |input: &str| at_a_terminal(home.path(), "play chess --two --new", input);
    terminal("e4\nd5\nresign\nprevious\nquit\n");
    terminal("f3\ne5\ng4\nQh4\nprevious 3\nquit\n");
    terminal("d4\nd5\nNf3\nprevious 2\nquit\n");
    assert_eq!(kept_games(home.path()), ["chess * 3", "chess 0-1 2", "chess 0-1 4"]);
}

#[test]
fn the_engine_waits_at_an_earlier_position_and_plays_on_after_it() {
    let answers = |input: &str| {
        let out = play(&["chess", "--depth", "1"], input);
        (out.matches("Engine: ").count(), out)
    };
    let (count, out) = answers("e4\nprevious\nfen\nprevious\nfen\nnext 2\nd4\n");
    assert!(count == 2 && !out.contains("goes on from here"), "{out}");
    // Another move goes on there, against the engine.
    let (count, out) = answers("e4\nprevious 2\nd4\nlist\n");
    assert!(count == 2 && out.contains("The game goes on from here.\nYou: d4"), "{out}");
    assert!(listed(&out).starts_with("1. d4 "), "{out}");
    // So does the engine when it may; nobody moves for it.
    let (count, out) = answers("e4\nprevious\na6\nh6\ngo\nlist\n");
    assert!(count == 2 && out.contains("The engine is to move here"), "{out}");
    assert!(listed(&out).starts_with("1. e4 ") && !out.contains("from now on"), "{out}");
    // Moves that were taken back return with the engine's answers.
    let (count, out) = answers("e4\nundo\nnext\nfen\nnext\nd4\n");
    assert_eq!(count, 2, "{out}");
    let out = play(&["chess", "--two"], "f3\ne5\ng4\nQh4\nundo 4\nnext\nlist\n");
    assert_eq!(listed(&out), "1. f3 e5 2. g4 Qh4# 0-1", "{out}");
}

#[test]
fn a_new_game_has_the_players_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    std::fs::write(&file, "1. e4 e5 *").unwrap();
    for before in ["two", "go", "self\n", "e4\nprevious", &format!("load {}", file.display())] {
        // The engine would play with itself to the end.
        let before = if before == "self\n" { "two\nd4\nresign\nself" } else { before };
        let out = play(&["chess", "--depth", "1"], &format!("{before}\nnew\na3\nlist\n"));
        let list = listed(&out);
        assert!(list.starts_with("1. a3 ") && list.split(' ').count() == 4, "{before}: {out}");
    }
    let out = play(&["chess", "--depth", "1"], "two\nnew\nnew\n");
    assert_eq!(out.matches("You are White; the engine is Black.").count(), 1, "{out}");
    let out = play(&["chess", "--black", "--depth", "1"], "two\nnew diamond\nlist\n");
    assert!(out.contains("You are Black; the engine is White.\nEngine: "), "{out}");
}

#[test]
fn a_loaded_game_keeps_its_result_and_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [own, other, again] = ["own.pgn", "other.pgn", "again.pgn"].map(file);
    let out = play(&["chess", "--two"], &format!("e4\nd5\nresign\nsave {own}\nload {own}\nlist\n"));
    assert!(out.ends_with("\n1. e4 d5 0-1\n"), "{out}");
    assert_eq!(out.matches("Game over: White resigns, 0-1.").count(), 2, "{out}");
    std::fs::write(
        &other,
        "[Event \"Cup\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n\
         1. e4 {best} e5 1-0\n",
    )
    .unwrap();
    let out = play(&["chess"], &format!("load {other}\nprevious\nsave {again}\n"));
    assert!(out.contains("Game over: White wins, time forfeit, 1-0."), "{out}");
    assert!(out.contains("comments and annotations are not loaded."), "{out}");
    let saved = std::fs::read_to_string(&again).unwrap();
    for wanted in
        ["[Event \"Cup\"]", "[White \"Ann\"]", "[Black \"Bob\"]", "\"Time forfeit\"", "1. e4 e5 1-0"]
    {
        assert!(saved.contains(wanted), "{wanted}: {saved}");
    }
    // Another move makes it another game of the same people.
    std::fs::remove_file(&again).unwrap();
    play(&["chess"], &format!("load {other}\nprevious\nc5\nsave {again}\n"));
    let saved = std::fs::read_to_string(&again).unwrap();
    assert!(
        saved.contains("\"Ann\"") && saved.contains("1. e4 c5 *") && !saved.contains("forfeit"),
        "{saved}"
    );
    // What was said of its end is not said of another one.
    std::fs::remove_file(&again).unwrap();
    play(&["chess", "--two"], &format!("load {other}\nprevious 2\nf3\ne5\ng4\nQh4\nsave {again}\n"));
    let saved = std::fs::read_to_string(&again).unwrap();
    assert!(saved.contains("Qh4# 0-1") && !saved.contains("forfeit"), "{saved}");
    std::fs::remove_file(&again).unwrap();
    play(&["chess", "--two"], &format!("load {other}\nnew\nd4\nsave {again}\n"));
    assert!(!std::fs::read_to_string(&again).unwrap().contains("\"Ann\""));
}

#[test]
fn a_missing_file_of_several_words_is_no_position() {
    for name in ["two words.pgn", "some/two words.pgn"] {
        let out = play(&["chess", "--two"], &format!("load {name}\n"));
        assert!(out.contains("No such file") && !out.contains("field"), "{out}");
    }
}

#[test]
fn no_move_is_taken_back_for_a_zero() {
    let out = play(&["chess", "--two"], "e4\nundo 0\nprevious 0\nlist\nnext 0\nfen\n");
    assert!(out.contains("undo takes a number of moves.\nprevious and next take a number"), "{out}");
    assert!(out.contains("\n1. e4 *\n") && out.contains("/4P3/"), "{out}");
}

/// Games of other programs, each with something that we do not know.
const FOREIGN: &str = "[Event \"Live Chess\"]\n[White \"Ann\"]\n\n1. ♘f3 {[%clk 0:09:58]} d5?! ± 2. g3 (2. -- e5) 2... Nf6 \
                       3. Bg2 +/= 3... Qz9 4. O–O 1–0\n\n[White \"Bob\"]\n\n1. e4 {no end\n\n[White \"Cid\"]\n\n1. d4 d5 ½–½\n";

#[test]
fn what_is_not_understood_of_a_file_costs_only_what_follows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("foreign.pgn");
    std::fs::write(&file, FOREIGN).unwrap();
    let name = file.to_str().unwrap();
    let out = play(&["chess", "--two"], &format!("load {name}\nfen\n"));
    for wanted in [
        "move 3... Qz9: there is no square z9 on this board.",
        "the file has other games too, which are not loaded.",
        "variations are not loaded.",
        "rnbqkb1r/ppp1pppp/5n2/3p4/8/5NP1/PPPPPPBP/RNBQK2R b",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    // Where nothing is understood, the game goes on.
    std::fs::write(folder.path().join("no.pgn"), "1. Qz9 *").unwrap();
    let out =
        play(&["chess", "--two"], &format!("e4\nload {}\nfen\n", folder.path().join("no.pgn").display()));
    assert!(out.contains("move 1. Qz9: there is no square z9") && out.contains("/4P3/"), "{out}");

    let run = quintain(&["convert", "chess", "-"], FOREIGN);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.out.replace("\n[Variant \"chess\"]\n", "").replace("\n\n", "\n"),
        "[Event \"Live Chess\"]\n[White \"Ann\"]\n1. Nf3 {[%clk 0:09:58]} 1... d5 $6 $16 2. g3 (2. -- e5) 2... Nf6 \
         3. Bg2 $14 1-0\n[White \"Bob\"]\n1. e4 {no end} *\n[White \"Cid\"]\n1. d4 d5 1/2-1/2\n"
    );
    let wanted = "-: game 1: move 3... Qz9: there is no square z9 on this board\n\
                  -: game 2: line 8: a comment does not end\n\
                  quintain: -: parts of 2 of 3 games were not understood\n";
    assert_eq!(run.err.trim_start_matches("error: "), wanted, "{}", run.err);
}

#[test]
fn the_home_folder_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(["play", "chess", "--two"])
        .env("HOME", folder.path())
        .stdin(script(folder.path(), "e4\nsave ~/game.pgn\n"))
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success() && folder.path().join("game.pgn").is_file());
}

/// A file to read input from.
fn script(folder: &std::path::Path, input: impl AsRef<[u8]>) -> std::fs::File {
    let path = folder.join("input");
    std::fs::write(&path, input).unwrap();
    std::fs::File::open(path).unwrap()
}

/// Types `input` at a terminal with these variables, and returns the output. Needs script(1) of util-linux.
#[cfg(target_os = "linux")]
fn at_this_terminal(
    variables: &[(&str, &str)],
    home: &std::path::Path,
    arguments: &str,
    input: impl AsRef<[u8]>,
) -> String {
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_quintain"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .envs([("XDG_STATE_HOME", home), ("HOME", home), ("TERM", "dumb".as_ref())])
        .envs(variables.iter().copied())
        .stdin(script(home, input))
        .output()
        .expect("script(1)");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[cfg(target_os = "linux")]
fn at_a_terminal(home: &std::path::Path, arguments: &str, input: impl AsRef<[u8]>) -> String {
    at_this_terminal(&[], home, arguments, input)
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_was_left_is_offered_again() {
    let home = tempfile::tempdir().unwrap();
    let terminal =
        |arguments: &str, input: &str| at_a_terminal(home.path(), &format!("play {arguments}"), input);
    // A position is kept as well.
    terminal("chess --two --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'", "e4\nquit\n");
    assert_eq!(kept_games(home.path()), ["chess * 1"]);
    terminal("chess --two --new", "e4\ne5\n");
    assert_eq!(kept_games(home.path()), ["chess * 1", "chess * 2"]);
    // It is not offered for another game or a position.
    assert!(!terminal("canyon --two", "quit\n").contains("unfinished"));
    let fen = "chess --two --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'";
    assert!(!terminal(fen, "quit\n").contains("unfinished"));
    let out = terminal("chess --two", "yes\nNf3\nlist\nquit\n");
    assert!(out.contains("after move 1") && out.contains("1. e4 e5 2. Nf3 *"), "{out}");
    assert_eq!(kept_games(home.path()), ["chess * 1", "chess * 3"]);
    // Whoever wants another one loses nothing.
    assert!(terminal("chess --two", "no\nd4\nlist\nquit\n").contains("1. d4 *"));
    assert!(!terminal("chess --two --new", "f3\nundo\nf3\nquit\n").contains("unfinished"));
    assert_eq!(kept_games(home.path()), ["chess * 1", "chess * 1", "chess * 1", "chess * 3"]);
    // A finished game is not offered.
    terminal("chess --two", "yes\ne5\ng4\nQh4#\nquit\n");
    assert_eq!(kept_games(home.path()), ["chess * 1", "chess * 1", "chess * 3", "chess 0-1 4"]);
    assert!(!terminal("chess --two", "quit\n").contains("unfinished"));
}

#[test]
#[cfg(target_os = "linux")]
fn the_command_line_holds_for_a_game_that_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let terminal = |arguments: &str, input: &str| {
        at_a_terminal(home.path(), &format!("play chess --depth 1 --level 3 {arguments}"), input)
    };
    let is_turned = |out: &str| out.rfind("\n  1  ").unwrap() < out.rfind("\n  8  ").unwrap();
    terminal("", "e4\nquit\n");
    let out = terminal("", "yes\nquit\n");
    assert!(out.contains("You are White") && !is_turned(&out), "{out}");
    assert!(is_turned(&terminal("--flip", "yes\nquit\n")));
    let out = terminal("--black", "yes\nquit\n");
    assert!(out.contains("You are Black") && is_turned(&out), "{out}");
    // It is a game with Black now.
    let out = terminal("", "yes\nquit\n");
    assert!(out.contains("You are Black") && is_turned(&out), "{out}");
    let out = terminal("--two", "yes\nquit\n");
    assert!(out.contains("Two people play") && !is_turned(&out), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_goes_on_keeps_its_date_and_the_time_for_a_move() {
    let home = tempfile::tempdir().unwrap();
    let terminal = |arguments: &str, input: &str| {
        at_a_terminal(home.path(), &format!("play chess --level 3 {arguments}"), input)
    };
    terminal("--nodes 100", "time 0.05\ne4\nquit\n");
    let games = std::fs::read_dir(home.path().join("quintain/games")).unwrap();
    let path = games.map(|entry| entry.unwrap().path()).find(|path| path.is_file()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let begun = text.split("\"begun\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    std::fs::write(&path, text.replace(&begun, "86400000")).unwrap();
    let file = home.path().join("saved.pgn");
    let out = terminal("", &format!("yes\ntime\nsave {}\nquit\n", file.display()));
    assert!(out.contains("The engine thinks 0.05 s a move."), "{out}");
    assert!(std::fs::read_to_string(file).unwrap().contains("[Date \"1970.01.02\"]"));
    let out = terminal("--time 0.02", "yes\ntime\nquit\n");
    assert!(out.contains("The engine thinks 0.02 s a move."), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn leaving_at_the_question_begins_no_game() {
    let home = tempfile::tempdir().unwrap();
    let terminal = |input: &str| at_a_terminal(home.path(), "play chess --two", input);
    terminal("e4\nquit\n");
    for answer in ["quit\n", "exit\n", "\u{4}"] {
        let out = terminal(answer);
        assert!(out.contains("Continue it?") && !out.contains("Two people play"), "{answer:?}: {out}");
    }
    assert_eq!(kept_games(home.path()), ["chess * 1"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_loaded_game_that_goes_on_keeps_its_names() {
    let home = tempfile::tempdir().unwrap();
    let [file, saved] = ["game.pgn", "saved.pgn"].map(|name| home.path().join(name));
    std::fs::write(&file, "[White \"Ann\"]\n\n1. e4 e5 *\n").unwrap();
    at_a_terminal(home.path(), "play chess --two", format!("load {}\nquit\n", file.display()));
    at_a_terminal(home.path(), "play chess", format!("yes\nsave {}\nquit\n", saved.display()));
    let text = std::fs::read_to_string(saved).unwrap();
    assert!(text.contains("[White \"Ann\"]") && text.contains("1. e4 e5 *"), "{text}");
}

/// The games in the library of a home: which game, the result, and how many moves of one side.
#[cfg(target_os = "linux")]
fn kept_games(home: &std::path::Path) -> Vec<String> {
    let heading = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            return None;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let heading: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let part = |name: &str| heading[name].as_str().unwrap().to_owned();
        Some(format!("{} {} {}", part("game"), part("result"), heading["plies"]))
    };
    let mut games: Vec<String> =
        std::fs::read_dir(home.join("quintain/games")).unwrap().filter_map(heading).collect();
    games.sort();
    games
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_cannot_be_read_is_set_aside_and_told() {
    let home = tempfile::tempdir().unwrap();
    let unfinished = home.path().join("quintain/unfinished");
    std::fs::create_dir_all(&unfinished).unwrap();
    let [chess, canyon] = ["chess", "canyon"].map(|game| unfinished.join(format!("{game}.pgn")));
    // As earlier versions kept them.
    let bad = "[White \"Anna\"]\n[Black \"Quintain\"]\n\n1. e4 e9 *\n";
    std::fs::write(&chess, bad).unwrap();
    std::fs::write(&canyon, "[White \"Quintain\"]\n[Black \"Anna\"]\n\n1. d4 b5 *\n").unwrap();
    let out = at_a_terminal(home.path(), "play chess --two", "d4\nquit\n");
    let aside = unfinished.join("chess.unreadable-1.pgn");
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert!(words(&out).contains(&words(&aside.display().to_string())) && out.contains("e9"), "{out}");
    assert_eq!(std::fs::read_to_string(&aside).unwrap(), bad);
    // The other one goes on, with the same sides.
    assert_eq!(kept_games(home.path()), ["canyon * 2", "chess * 1"]);
    let out = at_a_terminal(home.path(), "play canyon --depth 1", "yes\nlist\nquit\n");
    assert!(out.contains("after move 1") && out.contains("Engine: "), "{out}");
    // A game of the library that is damaged.
    let games = home.path().join("quintain/games");
    for entry in std::fs::read_dir(&games).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_file() {
            let text = std::fs::read_to_string(&entry).unwrap();
            std::fs::write(&entry, text.replace("d2d4", "d2d5")).unwrap();
        }
    }
    let out = at_a_terminal(home.path(), "play chess --two", "e4\nquit\n");
    assert!(out.contains("d2d5") && words(&out).contains(".unreadable-1.json"), "{out}");
    assert!(kept_games(home.path()).contains(&"chess * 1".to_owned()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_is_not_kept_is_told_once() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("quintain")).unwrap();
    // A file in the place of the folder lets nothing be written.
    std::fs::write(home.path().join("quintain/games"), "").unwrap();
    let out = at_a_terminal(home.path(), "play chess --two --new", "e4\ne5\nNf3\nlist\nquit\n");
    assert_eq!(out.matches("This game is not kept: ").count(), 1, "{out}");
    assert!(out.contains("1. e4 e5 2. Nf3 *"), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_is_open_in_another_program_is_not_offered() {
    let home = tempfile::tempdir().unwrap();
    at_a_terminal(home.path(), "play chess --two", "e4\nquit\n");
    let games = home.path().join("quintain/games");
    let locks: Vec<_> =
        std::fs::read_dir(games.join("locks")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let held: Vec<_> = locks.iter().map(|path| std::fs::File::open(path).unwrap()).collect();
    held.iter().for_each(|file| file.lock().unwrap());
    let out = at_a_terminal(home.path(), "play chess --two", "d4\nquit\n");
    assert!(
        out.contains("but the game is open in another program.") && !out.contains("Continue it?"),
        "{out}"
    );
    drop(held);
    assert_eq!(kept_games(home.path()), ["chess * 1", "chess * 1"]);
}

#[test]
fn the_list_of_commands_has_columns() {
    let out = play(&["chess", "--two"], "help\n");
    let lines = out.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let columns: Vec<(usize, &str)> = lines
        .map(|line| {
            let gap = line.trim_start().find("  ").unwrap_or_else(|| panic!("no gap: {line}")) + 2;
            (gap + line[gap..].find(|c| c != ' ').expect("words"), line)
        })
        .collect();
    assert!(columns.len() > 20, "{out}");
    assert!(columns.iter().all(|(column, _)| *column == columns[0].0), "{columns:?}");
}

#[test]
fn a_word_too_much_does_nothing() {
    let out = play(&["chess", "--two"], "resign please\nquit now\ndraw?\nlist\n");
    assert!(
        out.starts_with("resign please: resign takes no argument.\nquit now: quit takes no argument.\n"),
        "{out}"
    );
    assert!(out.ends_with("\n*\n"), "{out}");
}

#[test]
fn every_move_shown_for_a_piece_can_be_typed() {
    let out = play(&["superchessfixed", "--two"], "moves cyclops\nCd1(..)\n");
    let example = out.split(" type ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect(&out);
    assert!(typed("superchessfixed", None, example).is_ok(), "{out}");
    assert!(out.ends_with("Cd1(..): '..' is not one of: ne e se s sw w nw.\n"), "{out}");
}

#[test]
fn rules_leave_the_worth_of_pieces_to_the_engine() {
    for name in NAMES {
        let run = quintain(&["rules", name], "");
        let text = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let game = if *name == "superchessfixed" { "superchess" } else { name };
        assert!(text.contains(&format!("quintain values {game}")), "{name}");
        assert!(!text.contains("guide in pawns"), "{name}");
    }
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
#[cfg(target_os = "linux")]
fn a_newcomer_is_asked_once_for_a_level() {
    const QUESTION: &str = "How well should your opponent play?";
    let home = tempfile::tempdir().unwrap();
    let terminal = |arguments: &str, input: &str| {
        at_a_terminal(home.path(), &format!("play chess --nodes 100 {arguments}"), input)
    };
    let file = home.path().join("game.pgn");
    let out = terminal("", &format!("hard\nnovice\nlevel\ne4\nsave {}\nquit\n", file.display()));
    for wanted in [QUESTION, "I play in a club", "hard: a level is a number", "at level 4 (novice)."] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    // The level is beside the opponent's name in the file, and the game goes on with it.
    let pgn = std::fs::read_to_string(file).unwrap();
    assert!(pgn.contains("[Black \"Quintain (level 4, novice)\"]"), "{pgn}");
    let out = terminal("", "yes\nlevel club\nquit\n");
    assert!(!out.contains(QUESTION) && out.contains("at level 12 (club)."), "{out}");
    let out = terminal("--level 3", "yes\nlevel\nquit\n");
    assert!(out.contains("at level 3 (beginner to novice)."), "{out}");
    // The last choice holds for the next game, on the board too; a wrong file is none.
    let out = terminal("--new", "level\nquit\n");
    assert!(!out.contains(QUESTION) && out.contains("at level 12 (club)."), "{out}");
    std::fs::write(home.path().join("quintain/preferences.json"), "{\"level\": 99").unwrap();
    let out = terminal("--new", "\nlevel\nquit\n");
    assert!(out.contains(QUESTION) && out.contains("at level 8 (casual)."), "{out}");
    // Nobody is asked who plays no engine, nor is a script.
    std::fs::remove_file(home.path().join("quintain/preferences.json")).unwrap();
    assert!(!terminal("--new --two", "quit\n").contains(QUESTION));
    assert_eq!(play(&["chess"], "level\n"), "The engine plays at level 20 (master).\n");
}

#[test]
#[cfg(target_os = "linux")]
fn games_are_chosen_by_number_or_name() {
    let home = tempfile::tempdir().unwrap();
    let out = at_a_terminal(home.path(), "play --two", "99\nzork\n8\nmoves\nquit\n");
    for wanted in ["8  chess ", "The numbers are 1 to 9.", "no game called zork", "knight g1"] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let out = at_a_terminal(home.path(), "xboard --print --level novice", "diamond\n");
    assert!(out.contains("1  canyon "), "{out}");
    let started = out.contains("-variant diamond") && out.contains("-firstOptions 'Skill Level=4'");
    assert!(started || out.contains("XBoard is not installed"), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn terminals_of_utf_8_get_figurines_unless_letters_are_wanted() {
    let home = tempfile::tempdir().unwrap();
    let shows = |language: &str, arguments: &str| {
        let arguments = format!("play chess --two {arguments}");
        at_this_terminal(&[("LC_ALL", language)], home.path(), &arguments, "quit\n").contains('♞')
    };
    assert!(shows("en_US.UTF-8", "") && shows("C.utf8", ""));
    assert!(!shows("C.UTF-8", "--ascii") && !shows("C", "") && !shows("de_DE.ISO-8859-1", ""));
}

#[test]
#[cfg(target_os = "linux")]
fn a_byte_that_is_no_text_ends_no_game() {
    let home = tempfile::tempdir().unwrap();
    for input in [b"\xe9\nd4\nlist\nquit\n".as_slice(), b"d4\n\xff\xfe\nlist\nquit\n"] {
        let out = at_a_terminal(home.path(), "play chess --two --new", input);
        assert!(out.contains("1. d4 *") && !out.contains("invalid data"), "{out}");
    }
    // The same with line editing, which is typed at only when it asks.
    let mut child = Command::new("script")
        .args(["-qec", &format!("{} play chess --two --new", env!("CARGO_BIN_EXE_quintain")), "/dev/null"])
        .envs([("XDG_STATE_HOME", home.path()), ("HOME", home.path()), ("TERM", "xterm".as_ref())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script(1)");
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut out = String::new();
    for typed in [b"\xe9\r".as_slice(), b"d4\r", b"list\r", b"quit\r"] {
        while !out.rsplit('\n').next().unwrap().contains("> ") {
            let mut bytes = [0; 4096];
            let count = screen.read(&mut bytes).unwrap();
            assert!(count > 0, "it ended: {out}");
            out += &String::from_utf8_lossy(&bytes[..count]);
        }
        out.push('\n');
        keys.write_all(typed).unwrap();
    }
    screen.read_to_string(&mut out).unwrap();
    assert!(child.wait().unwrap().success() && out.contains("1. d4 *"), "{out}");
}

// ---- Levels, scores and what comes after a game ---------------------------------------------------------

#[test]
fn the_engine_plays_at_a_level() {
    let out =
        play(&["chess", "--level", "Novice"], "level\nlevel 9\nlevel master\nlevel 21\nlevel hard\ntime\n");
    let said = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in [
        "The engine plays at level 4 (novice). The engine plays at level 9 (casual to club).",
        "The engine plays at level 20 (master). level 21: a level is a number from 0 to 20",
        "level hard: a level is a number from 0 to 20, or one of beginner (0), novice (4),",
        "The engine thinks 2 s a move.",
    ] {
        assert!(said.contains(wanted), "{wanted}: {out}");
    }
    // A weak level chooses at random.
    let first_moves = |arguments: &[&str]| {
        let games = (0..8).map(|_| play(&[&["chess", "--black"], arguments].concat(), "list\n"));
        games.collect::<std::collections::BTreeSet<String>>().len()
    };
    assert!(first_moves(&["--level", "0"]) > 1);
    assert_eq!(first_moves(&["--depth", "2"]), 1);
}

#[test]
fn scores_are_shown_only_to_those_who_ask() {
    let shows = |arguments: &[&str], input| {
        let out = play(&[&["chess", "--depth", "3"], arguments].concat(), input);
        out.contains("  expects ") && out.contains("depth 3")
    };
    assert!(!shows(&[], "e4\nd4\n"));
    assert!(shows(&["--show-thinking"], "e4\n"));
    assert!(shows(&[], "hint\n") && shows(&[], "eval\n"));
}

#[test]
fn a_game_is_analysed() {
    let out = play(&["chess", "--two"], "analyse\nf3\ne5\ng4\nQh4\nanalyse\n");
    assert!(out.starts_with("There are no moves yet."), "{out}");
    let blunder = out.lines().find(|line| line.starts_with("2.      g4?? (-M1), better ")).expect(&out);
    assert!(blunder.ends_with(')') || !blunder.contains("better  "), "{out}");
    assert!(out.contains("White: 1 ??, ") && out.contains("Black: 0 ??, "), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_analysis_is_offered_after_a_game() {
    let home = tempfile::tempdir().unwrap();
    let game = "f3\ne5\ng4\nQh4\n";
    let offered = |answer: &str| {
        let out = at_a_terminal(home.path(), "play chess --two", format!("{game}{answer}\nquit\n"));
        assert_eq!(out.matches("Analyse this game?").count(), 1, "{out}");
        out
    };
    assert!(offered("yes").contains("g4?? (-M1)"));
    assert!(!offered("no").contains("g4??"));
    // A command instead of an answer is executed.
    assert!(offered("list").contains("1. f3 e5 2. g4 Qh4# 0-1"));
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
        (&["play", "chess", "--level", "-1"], 2, "a level is a number from 0 to 20"),
        (&["xboard", "chess", "--level", "expret"], 2, "a level is a number from 0 to 20"),
        (&["xboard"], 1, "which game? The games are canyon, diamond"),
        (&["play", "chess", "--threads", "0"], 2, "--threads"),
        (&["play", "chess", "--threads", "100000"], 2, "on this machine it must be 1 to "),
        (&["perft", "chess", "1", "--threads", "100000"], 2, "on this machine it must be 1 to "),
        (&["analyse", "chess", "--threads", "100000"], 2, "on this machine it must be 1 to "),
        (&["openings", "chess", "--threads", "100000"], 2, "on this machine it must be 1 to "),
        (
            &["tune", "play", "chess", "--output", "x", "--threads", "100000"],
            2,
            "on this machine it must be 1 to ",
        ),
        (&["tune", "train", "chess", "--threads", "-1"], 2, "on this machine it must be 1 to "),
        (&["match", "--variant", "chess", "--concurrency", "100000"], 1, "the most on this machine"),
        (&["play", "chess", "--hash", "-1"], 2, "-1 is not in 1..="),
        (&["perft", "canyon", "-3"], 2, "-3 is not in 0..100"),
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

#[test]
fn endgame_tables_say_what_each_move_leads_to() {
    let fen = "****k****/***3***/**2K2**/*7*/4*4/*7*/**5**/***3***/****V**** w - - 0 1";
    let out = play(&["diamond", "--two", "--fen", fen], "tables\n");
    let verdicts: Vec<&str> =
        out.lines().filter_map(|line| line.split_once("  ")).map(|(words, _)| words).collect();
    assert!(verdicts[0].starts_with("won in "), "{out}");
    let moves: Vec<&str> =
        out.lines().filter_map(|line| line.split_once("  ")).map(|(_, moves)| moves).collect();
    assert!(moves[0].split_whitespace().all(|mv| mv.starts_with(['K', 'V'])), "{out}");
    let out = play(&["diamond", "--two"], "tables\n");
    assert!(out.contains("No endgame table has this position."), "{out}");
}
