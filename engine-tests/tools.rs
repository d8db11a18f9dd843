//! The tools of the program, as people call them: openings, pictures, books, puzzles, speed, training.

use super::{Run, play, quintain};
use quintain::board::Color;
use quintain::engine::{self, NAMES};
use quintain::search::{Control, Limits, Memory, Search};
use std::io::Write;
use std::process::{Command, Stdio};

// ---- Openings, pictures, puzzles and speed --------------------------------------------------------------

#[test]
fn openings_are_written_though_there_are_fewer_than_wanted() {
    let run = quintain(&["openings", "canyon", "--plies", "0", "--count", "3", "--margin", "200"], "");
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 2), "{}{}", run.out, run.err);
    // A person who waits is told at once what for.
    assert!(run.err.starts_with("Looking for 3 openings of canyon.\n"), "{}", run.err);
    assert!(run.err.contains("\nNote: found 1 of 3 openings, and no other"), "{}", run.err);
    let help = quintain(&["openings", "--help"], "").out;
    assert!(help.contains("not opening theory"), "{help}");
}

#[test]
fn openings_and_puzzles_replace_only_their_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (puzzles, output) = (path("a.puzzles"), path("out"));
    std::fs::write(&puzzles, "quintain-puzzles 1 chess\n").unwrap();
    let openings =
        ["openings", "canyon", "--plies", "1", "--count", "1", "--nodes", "100", "--output", &output];
    let pgn = [&openings[..], &["--format", "pgn"]].concat();
    let check = ["puzzles", "check", &puzzles, "--output", &output];
    let games = "[Event \"Club\"]\n\n1. e4 e5 *\n";
    for (command, kind) in [
        (&openings[..], "file of openings"),
        (&pgn, "file of openings"),
        (&check, "list of puzzles of chess"),
    ] {
        std::fs::write(&output, games).unwrap();
        let run = quintain(command, "");
        let wanted = format!("--output: '{output}' is no {kind}, and is not overwritten\n");
        assert!(run.code == Some(1) && run.err.ends_with(&wanted), "{command:?}: {}", run.err);
        assert_eq!(std::fs::read_to_string(&output).unwrap(), games);
        // What it wrote itself it replaces.
        std::fs::remove_file(&output).unwrap();
        for _ in 0..2 {
            let run = quintain(command, "");
            assert_eq!(run.code, Some(0), "{command:?}: {}", run.err);
        }
    }
}

#[test]
fn a_position_is_drawn_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let (file, moves) =
        (file.to_str().unwrap(), ["--moves", "1. e4 e5 2. Nf3", "--arrows", "b8c6", "--marks", "d4"]);
    let run = quintain(&[&["diagram", "chess", "--output", file], &moves[..]].concat(), "");
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let svg = std::fs::read_to_string(file).unwrap();
    // The title says who is to move; both squares of the last move, the mark and the arrow are there.
    assert!(svg.starts_with("<svg ") && svg.contains("<title>Chess, Black to move</title>"), "{svg}");
    assert_eq!((svg.matches("opacity=\"0.42\"").count(), svg.matches("opacity=\"0.75\"").count()), (2, 1));
    // Without a file it is printed.
    assert_eq!(quintain(&[&["diagram", "chess"], &moves[..]].concat(), "").out, svg);
    for (args, error) in [
        (&["--output", "a.gif"][..], "--output: 'a.gif' ends neither in .svg nor in .png"),
        (&["--arrows", "e2"], "--arrows: an arrow has two squares, like e2e4"),
        (&["--marks", "e9"], "--marks: 'e9' is not a square"),
        (&["--moves", "e5"], "--moves: e5"),
        (&["--fen", "8/8 w - -"], "--fen: placement"),
    ] {
        let run = quintain(&[&["diagram", "chess"], args].concat(), "");
        assert_eq!(run.code, Some(1), "{args:?}");
        assert!(run.err.starts_with(&format!("quintain: {error}")), "{}", run.err);
    }
}

#[test]
fn a_book_is_made_of_games_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, book, more) = (path("games.pgn"), path("a.book"), path("more.book"));
    std::fs::write(&games, "1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 1/2-1/2\n\n1. a3 *\n").unwrap();
    let build = ["book", "build", "chess", &games, "--output", &book, "--games", "1", "--nodes", "300"];
    let run = quintain(&build, "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.err.contains("1 games are left out") && run.err.contains("3 games, 2 positions."),
        "{}",
        run.err
    );
    let text = std::fs::read_to_string(&book).unwrap();
    assert!(
        text.starts_with("quintain-book 1 chess\n# quintain book build chess --plies 16 --games 1"),
        "{text}"
    );
    assert!(text.contains("\n0 e2e4 1 0 1 ") && !text.contains(" -\n") && !text.contains("a2a3"), "{text}");
    // What was searched is not searched again, so another run gives the same.
    let searched = std::fs::read_to_string(format!("{book}.searched")).unwrap();
    assert_eq!(searched.lines().count(), 5);
    assert_eq!(quintain(&build, "").code, Some(0));
    assert_eq!(std::fs::read_to_string(&book).unwrap(), text);
    assert_eq!(std::fs::read_to_string(format!("{book}.searched")).unwrap(), searched);
    // A club adds its own games.
    std::fs::write(&games, "1. e4 e5 1-0\n").unwrap();
    let run = quintain(
        &["book", "build", "chess", &games, "--from", &book, "-o", &more, "--games", "1", "--nodes", "0"],
        "",
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The scores stay that were there.
    let with_score = |text: &str| text.lines().skip(2).filter(|line| !line.ends_with('-')).count();
    assert_eq!(with_score(&std::fs::read_to_string(&more).unwrap()), with_score(&text));
    // Nothing but a book is overwritten.
    let before = std::fs::read_to_string(&games).unwrap();
    let run =
        quintain(&["book", "build", "chess", &games, "--output", &games, "--games", "1", "--nodes", "0"], "");
    assert!(
        run.code == Some(1) && run.err.contains("is no opening book of chess, and is not overwritten"),
        "{}",
        run.err
    );
    assert_eq!(std::fs::read_to_string(&games).unwrap(), before);
    let (other, other_game) = (path("other.book"), text.replacen("chess", "canyon", 1));
    std::fs::write(&other, &other_game).unwrap();
    let run =
        quintain(&["book", "build", "chess", &games, "--output", &other, "--games", "1", "--nodes", "0"], "");
    assert!(run.code == Some(1) && run.err.contains("no opening book of chess"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), other_game);
    let shown = quintain(&["book", "show", "chess", "--book", &more], "").out;
    let first: Vec<&str> = shown.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(first[..4], ["e4", "3", "67", "%"]);
    let run = quintain(&["book", "show", "gast", "--book", &more], "");
    assert!(run.err.ends_with("it is a book of chess, not of gast\n"), "{}", run.err);
    // An engine plays its moves if it is told to, and only then.
    let go = "position startpos\ngo nodes 10\nquit\n";
    let set = format!("setoption name BookFile value {book}\n");
    let told = quintain(&[], format!("uci\n{set}setoption name OwnBook value true\n{go}")).out;
    assert!(told.contains("info string a move of the opening book\nbestmove "), "{told}");
    assert!(!quintain(&[], format!("uci\n{set}{go}")).out.contains("opening book\n"));
    let depth = "setoption name OwnBook value true\nsetoption name BookDepth value 1\n";
    let later = go.replace("startpos", "startpos moves e2e4");
    assert!(!quintain(&[], format!("uci\n{set}{depth}{later}")).out.contains("opening book\n"));
    // XBoard shows it.
    let told = quintain(&[], format!("xboard\nprotover 2\noption BookFile={book}\nbk\nquit\n")).out;
    assert!(told.contains(" e4 ") && told.contains(" move "), "{told}");
    std::fs::write(&book, "[Event \"?\"]\n").unwrap();
    let told = quintain(&[], format!("uci\n{set}quit\n")).out;
    assert!(told.contains("it is not an opening book"), "{told}");
}

#[test]
fn puzzles_are_solved_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chess.puzzles");
    let smothered = "5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1; mate 2; Qg8+ Rxg8 Nf7#; sacrifice; 2";
    std::fs::write(&file, format!("quintain-puzzles 1 chess\n{smothered}\n")).unwrap();
    let solve = |more: &[&str], input: &str| {
        quintain(&[&["puzzle", "chess", "--file", file.to_str().unwrap()], more].concat(), input)
    };
    let run = solve(&[], "Qb8\nhint\nQh9\nQg8\nNf7\n");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for said in [
        "White mates in 2 moves.",
        "No, that is not it.",
        "The move begins on b3.",
        "Qh9: ",
        "Right. The answer is Rxg8.",
        "Solved: Qg8+ Rxg8 Nf7#. (sacrifice; level 2)",
        "These were all puzzles.",
    ] {
        assert!(run.out.contains(said), "{said}: {}", run.out);
    }
    assert!(solve(&[], "solution\n").out.contains("Qg8+ Rxg8 Nf7#"));
    let run = solve(&["--tag", "fork"], "");
    assert_eq!(run.err, "quintain: no puzzle of chess is like that; the tags are sacrifice\n");
    assert_eq!(solve(&["--levels", "3-9"], "").code, Some(1));
    assert!(solve(&["--levels", "9-3"], "").err.contains("not a level from 0 to 20"));
}

#[test]
fn examples_of_puzzles_find_some() {
    let help = quintain(&["puzzle", "--help"], "").out;
    let page = include_str!("../docs/puzzles.md");
    let commands = help.lines().chain(page.lines()).filter_map(|line| line.trim().strip_prefix("quintain "));
    let examples: Vec<Vec<&str>> = commands
        .map(|command| command.split(' ').collect::<Vec<_>>())
        .filter(|words| words[0] == "puzzle" && !words.contains(&"--file"))
        .collect();
    assert_eq!(examples.len(), 4, "{examples:?}");
    for words in examples {
        let run = quintain(&words, "quit\n");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_match_becomes_a_report_and_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (results, found) = (path("games.jsonl"), path("a.puzzles"));
    let play =
        ["study", "play", "diamond", "--results", &results, "--nodes", "40", "--plies", "2", "--games"];
    let run = quintain(&[&play[..], &["3"]].concat(), "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&results).unwrap().lines().count(), 4);
    // A run that was interrupted goes on; here nothing is left to do.
    let run = quintain(&[&play[..], &["3"]].concat(), "");
    assert_eq!((run.code, run.err.contains("3 games are already finished")), (Some(0), true), "{}", run.err);
    // There may be more games, in the same way.
    let mut other = vec!["5", "--seed", "1"];
    let run = quintain(&[&play[..], &other].concat(), "");
    assert_eq!(run.err, format!("quintain: --seed: '{results}' was begun with 0, not 1\n"));
    let run = quintain(&[&play[..], &["2"]].concat(), "");
    assert_eq!(run.err, format!("quintain: --games: '{results}' was begun with 3, not 2\n"));
    other.truncate(1);
    let run = quintain(&[&play[..], &other].concat(), "");
    assert_eq!((run.code, run.err.contains("3 games are already finished")), (Some(0), true), "{}", run.err);
    let run = quintain(&["study", "report", "diamond", &results, "--least", "1"], "");
    assert!(
        run.out.starts_with("5 games\nWhite's share: ") && run.out.contains("| first moves"),
        "{}",
        run.out
    );
    let run = quintain(&["study", "report", "gast", &results], "");
    assert!(run.err.ends_with("it has games of 'diamond', not of gast\n"), "{}", run.err);
    let make = ["puzzles", "make", "diamond", &results, "-o", &found, "--nodes", "500", "--proof", "1000"];
    let run = quintain(&make, "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    // What was looked at is not looked at again.
    let again = quintain(&make, "").err;
    assert!(again.starts_with("0 positions to look at, "), "{again}");
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
fn the_worth_of_every_piece_is_told() {
    for (game, pieces) in [("chess", 5), ("superchess", 8), ("gast14", 8)] {
        let run = quintain(&["values", game], "");
        let rows: Vec<&str> = run.out.lines().skip(2).collect();
        assert_eq!((run.code, rows.len()), (Some(0), pieces), "{}{}", run.out, run.err);
        let value = |row: &str| row.split('|').nth(2).and_then(|cell| cell.trim().parse::<f32>().ok());
        assert!(rows.iter().all(|row| value(row).is_some_and(|value| value > 0.2)), "{}", run.out);
        assert_eq!(value(rows[0]), Some(1.0), "{game}: {}", run.out);
    }
    let run = quintain(&["values", "diamond", "--measure", "--games", "1"], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("\nknight       .worth(["), "{}", run.out);
}

#[test]
fn scores_are_in_pawns_of_the_game() {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    for game in NAMES {
        // A move, so that the score is not zero.
        let mut session = engine::open(game).expect("a game");
        let first = session.moves().swap_remove(0);
        session.play(&first).expect("a legal move");
        let (fen, control) = (session.fen(), Control::started(&limits));
        let units = session.search(&Search::new(&limits, &Memory::new(1), &control)).score;
        let pawns = f64::from(units) / f64::from(session.info().pawn);
        let white = if session.side() == Color::White { pawns } else { -pawns };
        let run = quintain(&["analyse", game, "--fen", &fen, "--depth", "2", "--lines", "1"], "");
        let line = run.out.lines().find(|line| line.contains("  depth 2 ")).expect("a line");
        let shown = line.split_whitespace().next().and_then(|score| score.parse::<f64>().ok());
        assert!(shown.is_some_and(|shown| (shown - white).abs() <= 0.006), "{game}: {line}, {white}");
    }
    // Not the units of the evaluation: there a pawn is 1.7 in one game and 0.6 in another.
    let pawns = ["canyon", "superchess"].map(|game| engine::info(game).expect("a game").pawn);
    assert!(pawns[0] > 2 * pawns[1], "{pawns:?}");
}

// ---- Tuning -------------------------------------------------------------------------------------------------

#[test]
fn margins_of_the_search_are_measured_and_a_stopped_run_goes_on() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [whole, parts] = ["margins-1.json", "margins-2.json"].map(|name| folder.join(name));
    drop([&whole, &parts].map(std::fs::remove_file));
    let run = |path: &std::path::Path, more: &[&str]| {
        let args = ["tune", "search", "--nodes", "60", "--games", "diamond,canyon"];
        quintain(&[&args[..], &["--output", path.to_str().unwrap()], more].concat(), "")
    };
    // Without a rate a run in two parts is the same as a whole one.
    let effects = ["--rate", "0", "--only", "futility,singular", "--pairs"];
    let first = run(&whole, &[&effects[..], &["12"]].concat());
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert_eq!(run(&parts, &[&effects[..], &["5"]].concat()).code, Some(0));
    let second = run(&parts, &[&effects[..], &["12"]].concat());
    assert_eq!(second.out, first.out);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&parts).unwrap());
    let lines: Vec<&str> = first.out.lines().collect();
    assert!(
        lines.len() == 4 && lines[0].starts_with("12 pairs: +") && lines[3].contains(" ± "),
        "{}",
        first.out
    );
    let counts = lines[0].split(['+', '=', '-']).skip(1).map(|count| count.trim().parse::<u32>().unwrap());
    assert_eq!(counts.sum::<u32>(), 24);

    // With a rate, values move, and two games at a time are one run.
    std::fs::remove_file(&whole).unwrap();
    let moved = run(&whole, &["--rate", "0.5", "--pairs", "12", "--threads", "2"]);
    assert_eq!(moved.code, Some(0), "{}", moved.err);
    let text = std::fs::read_to_string(&whole).unwrap();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    let values = state["margins"].as_array().unwrap().iter().map(|margin| margin["value"].as_f64().unwrap());
    assert!(
        state["pairs"] == 12
            && values.clone().count() > 20
            && values.clone().any(|value| value.fract() != 0.0)
    );

    // What cannot be meant is refused, and the file stays as it is.
    let refused = |run: Run, words: &str| {
        assert!(run.code != Some(0) && run.err.contains(words), "{words}: {:?} {}", run.code, run.err);
    };
    refused(run(&whole, &["--games", "chess,bridge"]), "there is no game called 'bridge'");
    refused(run(&whole, &["--only", "luck"]), "no margin is called 'luck'");
    refused(run(&whole, &["--rate", "nan"]), "--rate");
    for (what, words) in [
        (text.replace("\"futility\"", "\"luck\""), "no margin is called 'luck'"),
        (text.replace("\"value\": ", "\"value\": 9999"), "but must be "),
        (text.replace("pairs", "pears"), "unknown field `pears`"),
        (text[..text.len() / 2].to_owned(), "EOF"),
    ] {
        std::fs::write(&whole, &what).unwrap();
        refused(run(&whole, &["--pairs", "20"]), words);
        assert_eq!(std::fs::read_to_string(&whole).unwrap(), what);
    }
}

#[test]
fn networks_learn_from_games_that_are_the_same_for_the_same_seed() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [first, again, network] = ["tune-1.txt", "tune-2.txt", "tune-net.bin"].map(|name| folder.join(name));
    let play = |path: &std::path::Path, games: &str, threads: &str| {
        let output = path.to_str().unwrap();
        let args = ["--games", games, "--nodes", "60", "--threads", threads, "--output", output];
        let run = quintain(&[&["tune", "play", "canyon"], &args[..]].concat(), "");
        assert_eq!(run.code, Some(0), "{}", run.err);
        std::fs::read_to_string(path).unwrap()
    };
    drop([&first, &again].map(std::fs::remove_file));
    let text = play(&first, "100", "1");
    assert!(text.lines().all(|line| [";0;", ";0.5;", ";1;"].iter().any(|result| line.contains(result))));
    // A run that was stopped in the middle of a line continues and gives the same.
    let part = play(&again, "40", "2");
    assert_eq!(part.lines().count(), 40);
    std::fs::write(&again, &part[..part.len() - 30]).unwrap();
    assert_eq!(play(&again, "100", "2"), text);

    let learn = |positions: &std::path::Path, start: &[&str]| {
        let (output, positions) = (network.to_str().unwrap(), positions.to_str().unwrap());
        let files = ["--output", output, "--positions", positions];
        let args = ["--threads", "2", "--epochs", "8", "--batch-size", "64"];
        quintain(&[&["tune", "train", "canyon"], start, &args, &files].concat(), "")
    };
    let run = learn(&first, &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    // Not over the games, and not after hours where nothing can be written.
    for output in [first.as_path(), std::path::Path::new("no/folder/net")] {
        let run = quintain(
            &[
                "tune",
                "train",
                "canyon",
                "--positions",
                first.to_str().unwrap(),
                "--output",
                output.to_str().unwrap(),
            ],
            "",
        );
        assert!(run.code == Some(1) && run.out.is_empty(), "{}", run.out);
    }
    assert_eq!(std::fs::read_to_string(&first).unwrap(), text);
    let loss = |text: &str, before: &str| -> f64 {
        let rest = text.split(before).nth(1).expect(before);
        rest.split_whitespace().next().unwrap().trim_matches(',').parse().unwrap()
    };
    assert!(loss(&run.out, "epochs: loss") < 0.7 * loss(&run.out, "material alone"), "{}", run.out);

    // Training can go on from a network, and another network can play.
    let start = network.to_str().unwrap();
    let more = learn(&first, &["--start", start]);
    assert_eq!(more.code, Some(0), "{}", more.err);
    assert!(loss(&more.out, "epochs: loss") < loss(&run.out, "epochs: loss"), "{}", more.out);
    std::fs::remove_file(&again).unwrap();
    let play =
        ["tune", "play", "canyon", "--nodes", "60", "--games", "5", "--output", again.to_str().unwrap()];
    let run = quintain(&[&play[..], &["--network", start]].concat(), "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let changed = std::fs::read_to_string(&again).unwrap();
    assert!(changed.lines().count() == 5 && !text.starts_with(&changed));

    // The engine reads the file; that of another game is of no use, and damage is noticed.
    let uci = |commands: &str| quintain(&[], commands).out;
    let set = format!("setoption name EvalFile value {start}\n");
    let usual = uci("setoption name UCI_Variant value canyon\neval\nquit\n");
    let changed = uci(&format!("{set}setoption name UCI_Variant value canyon\neval\nquit\n"));
    assert_ne!(changed, usual);
    let back = "setoption name EvalFile value <empty>\n";
    assert_eq!(uci(&format!("{set}{back}setoption name UCI_Variant value canyon\neval\nquit\n")), usual);
    assert_eq!(uci(&format!("eval\n{set}eval\nquit\n")), uci("eval\neval\nquit\n"), "chess is not canyon");
    let mut bytes = std::fs::read(&network).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&network, &bytes).unwrap();
    assert!(uci(&format!("{set}quit\n")).contains("its checksum does not match"));
    assert!(
        uci("setoption name EvalFile value nowhere\nquit\n")
            .contains("option EvalFile: cannot read 'nowhere': ")
    );
    let run = learn(&first, &["--start", start]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("checksum"), "{}", run.err);

    std::fs::write(&again, "not a position;1;20\n").unwrap();
    let run = learn(&again, &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("line 1"), "{}", run.err);
    // A file that is not a file of games, or one of another game, is not changed.
    for other in ["1. e4 e5\n", "1. e4 e5", "8/8;0", &changed_line(&text)] {
        std::fs::write(&again, other).unwrap();
        let run = quintain(&["tune", "play", "chess", "--output", again.to_str().unwrap()], "");
        assert_eq!(run.code, Some(1), "{other}");
        assert!(run.err.contains("is not a file of games of chess"), "{}", run.err);
        assert_eq!(std::fs::read_to_string(&again).unwrap(), other);
    }
    // A network that does not fit on the disk is not there.
    #[cfg(unix)]
    {
        let script = r#"trap '' XFSZ; ulimit -f 8; exec "$0" tune train canyon --epochs 1 "$@""#;
        let output = folder.join("tune-full.bin");
        let mut full = Command::new("sh");
        full.args(["-c", script, env!("CARGO_BIN_EXE_quintain"), "--output"]).arg(&output);
        let run = full.arg("--positions").arg(&first).output().expect("a shell");
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{told}");
        assert!(told.contains("tune-full.bin") && !output.exists(), "{told}");
    }
}

/// The first line of a file of games, and a part of the next.
fn changed_line(games: &str) -> String {
    games[..games.find('\n').expect("a line") + 100].to_owned()
}

#[test]
fn numbers_for_training_must_be_sensible() {
    for (option, range) in [
        ("lambda", "0 to 1"),
        ("learning-rate", "0.000001 to 1"),
        ("weight-decay", "0 to 100"),
        ("scale", "0.00001 to 1"),
    ] {
        for wrong in ["nan", "inf", "-inf", "1e9", "-0.1", "x"] {
            let value = format!("--{option}={wrong}");
            let args = ["tune", "train", "canyon", &value, "--output", "none", "--positions", "none"];
            let run = quintain(&args, "");
            assert_eq!(run.code, Some(2), "{value}");
            assert!(run.err.contains(&format!("--{option}")) && run.err.contains(range), "{}", run.err);
        }
    }
}

#[test]
fn two_runs_do_not_write_to_one_file_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.txt");
    let output = path.to_str().expect("a path");
    let games = || std::fs::read_to_string(&path).unwrap_or_default();
    let mut first = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(["tune", "play", "diamond", "--nodes", "30", "--games", "1000000", "--output", output])
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !games().contains('\n') {
        assert!(first.try_wait().expect("a process").is_none(), "the run goes on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let run =
        quintain(&["tune", "play", "diamond", "--seed", "2", "--games", "1000000", "--output", output], "");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("is in use by another 'tune play'") && run.err.contains(output), "{}", run.err);
    first.kill().expect("a process");
    first.wait().expect("a process");
    // Afterwards another one may go on, with other options too.
    let count = games().lines().count();
    let more =
        ["tune", "play", "diamond", "--nodes", "30", "--seed", "2", "--games", &(count + 2).to_string()];
    let run = quintain(&[&more[..], &["--output", output]].concat(), "");
    assert_eq!((run.code, games().lines().count()), (Some(0), count + 2), "{}", run.err);
    assert!(games().lines().all(|line| line.matches(';').count() == 2));
}

// ---- Pipes ------------------------------------------------------------------------------------------------

/// A person who names a pipe on the command line can end the program if nothing comes; nobody else can.
#[cfg(unix)]
#[test]
fn pipes_are_read_where_a_person_names_them_and_nowhere_else() {
    let game = "[Variant \"chess\"]\n\n1. e4 e5 *\n";
    for name in ["-", "/dev/stdin"] {
        let run = quintain(&["convert", "chess", name], game);
        assert!(run.code == Some(0) && run.out.contains("1. e4 e5 *"), "{name}: {}", run.err);
    }
    let home = tempfile::tempdir().unwrap();
    let unfinished = home.path().join("quintain").join("unfinished");
    std::fs::create_dir_all(&unfinished).unwrap();
    // Nobody writes to it.
    let pipe = unfinished.join("chess.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let name = pipe.to_str().unwrap();
    let refused = "it is a pipe or a socket, not a file";
    for command in [
        vec!["perft", "--suite", name],
        vec!["match", "--resume", name],
        vec!["tune", "play", "chess", "--output", name],
        vec!["tune", "play", "chess", "--output", "none", "--network", name],
    ] {
        let run = quintain(&command, "");
        assert!(run.code == Some(1) && run.err.contains(refused), "{command:?}: {}", run.err);
    }
    let out = play(&["chess", "--two"], &format!("load {name}\n"));
    assert!(out.contains("it is a pipe"), "{out}");
    // An unfinished game is looked for without being asked.
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintain"))
        .args(["play", "chess", "--two"])
        .env("XDG_STATE_HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"fen\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("rnbqkbnr/pppppppp/"), "{output:?}");
}

// ---- Bad files --------------------------------------------------------------------------------------------

#[cfg(target_os = "linux")]
#[test]
fn devices_are_no_suites_and_a_full_disk_is_an_error() {
    let run = quintain(&["perft", "--suite", "/dev/full"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("cannot read '/dev/full': it is a device, not a file"), "{}", run.err);

    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let quintain = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quintain"));
        command.args(words.split(' '));
        command
    };
    let bench = quintain("bench 1 --variant canyon").stdout(full()).output().unwrap();
    let told = String::from_utf8_lossy(&bench.stderr);
    assert_eq!(bench.status.code(), Some(1), "{told}");
    assert!(told.contains("No space left") && !told.contains("panicked"), "{told}");
    // Notes that cannot be written do not end the program.
    let perft = quintain("perft canyon 1").stderr(full()).output().unwrap();
    assert_eq!((perft.status.code(), perft.stdout.is_empty()), (Some(0), false));
    let wrong = quintain("analyse canyon --pgn nowhere").stderr(full()).output().unwrap();
    assert_eq!(wrong.status.code(), Some(1));
}
