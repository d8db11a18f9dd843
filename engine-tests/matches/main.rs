//! Whole matches of `quintain match` with [fake engines](fake), with and without faults.
//!
//! It has its own harness because this binary is also the engines: a test starts `quintain`, which starts
//! this binary again with `fake` as its first argument.

mod fake;
#[path = "../harness.rs"]
mod harness;

use harness::{Test, tests};
use quintain::notation::pgn;
use quintain::search::score::UciScore;
use quintain_tournament::comment::EngineComment;
use quintain_tournament::record::{End, GameRecord, GameResult, MoveRecord, Stored};
use quintain_tournament::settings::Settings;
use quintain_tournament::standings::Standings;
use quintain_tournament::{report, words};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "fake") {
        return fake::run(&arguments[1..]);
    }
    let all: &[Test] = tests!("":
        every_fault_loses_its_game_and_nothing_else,
        refused_options_are_told_in_the_engines_words,
        control_characters_of_engines_are_written_out,
        an_engine_that_never_starts_ends_the_match,
        an_engine_that_does_not_read_keeps_nobody_waiting,
        scripts_end_as_they_should,
        a_talkative_engine_plays_on,
        slow_engines_lose_on_time_or_have_a_margin,
        uci_and_cecp_play_every_kind_of_board,
        an_engine_may_be_told_nothing_but_positions,
        an_engine_may_resign,
        an_engine_for_one_game_is_started_anew,
        engines_count_the_moves_of_a_session_as_the_match_does,
        engines_ponder_if_they_are_told_to,
        our_own_engine_plays_itself_in_both_protocols,
        a_run_over_three_squares_is_understood_in_cecp,
        all_meet_all_and_the_first_meets_all,
        openings_are_played_with_both_colours,
        games_are_read_back,
        a_killed_match_goes_on_as_if_nothing_had_been,
        one_match_at_a_time_goes_on_with_a_file,
        lines_cost_what_is_wrong_with_them,
        a_match_may_grow,
        a_file_that_was_cut_at_its_beginning_is_begun_anew,
        nothing_is_written_over_what_is_read,
        what_cannot_be_written_leaves_no_results,
        parts_make_up_the_whole,
        the_test_stops_the_match,
        settings_come_from_toml_too,
        wrong_settings_are_named,
        tables_are_as_they_were,
    );
    #[cfg(unix)]
    let with_signals_and_pipes: &[Test] = tests!("":
        what_an_engine_has_started_ends_with_it,
        an_interrupted_match_ends_its_games,
        a_match_that_is_ended_at_once_leaves_no_engine,
        a_match_may_outlive_its_terminal,
        pipes_for_games_keep_nobody_waiting,
        a_match_whose_output_nobody_reads_is_not_over,
    );
    #[cfg(not(unix))]
    let with_signals_and_pipes: &[Test] = &[];
    // Most of the time they wait for engines.
    harness::run(all.iter().chain(with_signals_and_pipes).copied(), 2);
}

// ---- Helpers ----------------------------------------------------------------------------------------------

/// A place for the files of a match.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `quintain match` here, with words split as a shell does; `FAKE` stands for this binary.
    fn command(&self, line: &str) -> Command {
        let me = std::env::current_exe().expect("a path");
        let me = me.to_str().expect("a path of text");
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
        command.arg("match").current_dir(self.0.path()).stdin(Stdio::null());
        for word in shlex::split(line).expect("quotes that close") {
            command.arg(word.replace("FAKE", me).replace("OURS", env!("CARGO_BIN_EXE_quintain")));
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The same, started by another program.
    #[cfg(unix)]
    fn started_by(&self, starter: &[&str], line: &str) -> Command {
        let (quintain, mut command) = (self.command(line), Command::new(starter[0]));
        command
            .args(&starter[1..])
            .arg(quintain.get_program())
            .args(quintain.get_args())
            .current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("quintain")
    }

    /// Runs a match that must succeed, and gives what it printed.
    fn play(&self, line: &str) -> String {
        let output = self.run(line);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {errors}");
        String::from_utf8(output.stdout).expect("text") + &errors
    }

    /// The games of a file of results by number.
    fn games(&self, name: &str) -> Vec<GameRecord> {
        let mut games = Stored::read(&self.path(name)).expect("results").games;
        games.sort_by_key(|game| game.game);
        games
    }
}

/// A random mover of UCI as words of a command line.
fn random(name: &str, seed: u32) -> String {
    format!("--engine cmd=FAKE 'args=fake random {seed}' 'name={name}' depth=1")
}

/// Another engine.
fn fake(name: &str, arguments: &str) -> String {
    format!("--engine cmd=FAKE 'args=fake {arguments}' name={name}")
}

/// A game without date and duration.
fn essence(game: &GameRecord) -> GameRecord {
    let mut game = game.clone();
    (game.began, game.millis) = (0, 0);
    game.moves.iter_mut().for_each(|played| played.micros = 0);
    game
}

fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} does not come");
        sleep(Duration::from_millis(5));
    }
}

/// The output of a program that ends within a minute; otherwise it is killed, and the test fails.
fn output_of(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            drop(child.kill());
            panic!("the program does not end: {:?}", child.wait_with_output());
        }
        sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("an end")
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
}

/// Did the [child of an engine](fake) come to life, and is it dead now?
fn is_dead(breath: &Path) -> bool {
    let size = || fs::metadata(breath).map_or(0, |file| file.len());
    let before = size();
    assert!(before > 0, "{} was never started", breath.display());
    sleep(Duration::from_millis(300));
    size() == before
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

// ---- Tests ------------------------------------------------------------------------------------------------

/// Each fault is shown after two moves. The game is lost for the engine, with the reason and its last lines, and
/// the second game of the pair is played as well.
fn every_fault_loses_its_game_and_nothing_else() {
    let faults = [
        (
            "crash 2",
            "depth=1",
            "abandoned",
            "'s engine crashes: it ended with exit code 3",
            "stderr: thread 'main' panicked",
        ),
        ("hang 2", "depth=1 patience=0.4", "stalled connection", "'s engine stalls: no bestmove", "> stop"),
        ("deaf 2", "st=0.1 patience=0.4", "stalled connection", "'s engine stalls: no bestmove", "> stop"),
        (
            "babble 2",
            "depth=1 patience=0.4",
            "stalled connection",
            "'s engine stalls: no bestmove",
            "< info depth 1",
        ),
        ("illegal 2", "depth=1", "illegal move", " makes an illegal move: a1a1: ", "< bestmove a1a1"),
        ("nothing 2", "depth=1", "illegal move", " makes an illegal move: (none): ", "< bestmove (none)"),
        (
            "empty 2",
            "depth=1",
            "rules infraction",
            "'s engine breaks the protocol: bestmove without a move",
            "< bestmove",
        ),
        ("twice 2", "depth=1", "rules infraction", " without go", "< bestmove"),
    ];
    let check = |(fault, limit, end, reason, words): (&str, &str, &str, &str, &str)| {
        let place = Folder::new();
        // A second answer is only a fault while the opponent thinks.
        let good = if fault == "twice 2" { fake("good", "slow 300") + " depth=1" } else { random("good", 1) };
        let line = format!(
            "--variant diamond {good} {} {limit} --results r --rounds 1 --log log --ratinginterval 0",
            fake("bad", fault)
        );
        let told = place.play(&line);
        let games = place.games("r");
        assert_eq!(games.len(), 2, "{fault}: {told}");
        for (game, loser) in games.iter().zip(["Black", "White"]) {
            let result = if loser == "Black" { "1-0" } else { "0-1" };
            assert_eq!((game.result.as_str(), game.end.termination()), (result, end), "{fault}: {told}");
            let said = game.reason.strip_prefix(loser);
            assert!(
                said.is_some_and(|said| said.contains(reason)),
                "{fault}: {} is not {reason}",
                game.reason
            );
            assert!(game.log.iter().any(|line| line.starts_with(words)), "{fault}: {:?}", game.log);
            assert!(place.read("log").contains(&game.reason), "{fault}");
            assert!((3..=7).contains(&game.moves.len()), "{fault}: {}", game.moves.len());
        }
        assert!(told.contains(&format!("2 {end}")), "{fault}: {told}");
    };
    thread::scope(|scope| {
        for fault in faults {
            scope.spawn(move || check(fault));
        }
    });
}

fn an_engine_that_never_starts_ends_the_match() {
    for (fault, error) in [
        ("unstartable", "engine 2 ("),
        ("unstartable", "it ended with exit code 4 before it was ready\n"),
        ("unstartable", "\n    stderr: a library is missing\n"),
        ("unready", "no readyok"),
    ] {
        let place = Folder::new();
        let output = place.run(&format!(
            "--variant chess {} {} depth=1 patience=1 --results r",
            random("good", 1),
            fake("bad", fault)
        ));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(error), "{told}");
        assert!(!place.path("r").exists());
    }
    // If an engine fails in every game before its first move, the match ends.
    let place = Folder::new();
    let line = |fault: &str| {
        format!("--variant chess {} {} depth=1 --rounds 50", random("good", 1), fake("bad", fault))
    };
    for (fault, results) in [("crash 0", "r"), ("illegal 0", "i")] {
        let output = place.run(&format!("{} --results {results}", line(fault)));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("bad failed 5 times before its first move"), "{told}");
        assert!(!output.status.success());
        assert_eq!(place.games(results).len(), 5);
    }
    let line = line("crash 0");
    let output = place.run(&format!("{line} --results s --norecover"));
    assert!(!output.status.success());
    assert_eq!(place.games("s").len(), 1);
}

/// More than a pipe holds is waiting for it.
fn an_engine_that_does_not_read_keeps_nobody_waiting() {
    let long = "x".repeat(120_000);
    for (who, told) in [("unread", "no readyok"), ("cecp-unread", "no pong")] {
        let place = Folder::new();
        let protocol = if who == "unread" { "uci" } else { "xboard" };
        let bad = format!("{} proto={protocol} option.Text={long}", fake("bad", who));
        let line = |patience| {
            format!("--variant chess {} {bad} depth=1 patience={patience} --results r", random("good", 1))
        };
        let output = output_of(place.command(&line(1)).spawn().expect("quintain"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(told), "{who}: {errors}");
        // It does not keep Ctrl-C from ending the match either.
        #[cfg(unix)]
        {
            let breath = place.path("breath");
            let line = line(600).replace("fake ", &format!("fake with-child {} ", breath.display()));
            let child = place.command(&line).spawn().expect("quintain");
            wait_for("the engine", || breath.exists());
            sleep(Duration::from_millis(200));
            signal(&child, "INT");
            let output = output_of(child);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{who}: {errors}");
            assert!(errors.contains("interrupted before its first game"), "{who}: {errors}");
            assert!(is_dead(&breath), "{who}");
        }
    }
    // The same in a comparison of speed.
    #[cfg(unix)]
    {
        let place = Folder::new();
        let breath = place.path("breath");
        let me = std::env::current_exe().expect("a path");
        let peer = format!("{} fake with-child {} unread", me.display(), breath.display());
        let child = Command::new(env!("CARGO_BIN_EXE_quintain"))
            .args(["speed", "chess", "--start", "--runs", "1", "--peer", &peer])
            .args(["--peer-option", &format!("Text={long}")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("quintain");
        wait_for("the peer", || breath.exists());
        sleep(Duration::from_millis(200));
        signal(&child, "INT");
        assert_eq!(output_of(child).status.code(), Some(130));
        assert!(is_dead(&breath));
    }
}

/// A program that an engine has started holds its pipes. It ends with the engine, and nobody waits for it.
#[cfg(unix)]
fn what_an_engine_has_started_ends_with_it() {
    for (behaviour, limit, reason) in [
        // Without a clock a stall is only noticed after six times the patience.
        ("crash 2", "depth=1 patience=600", "'s engine crashes: it ended with exit code 3"),
        ("deaf 2", "st=0.1 patience=4", "'s engine stalls: no bestmove"),
        ("random 2", "depth=1", ""),
    ] {
        let place = Folder::new();
        let breath = place.path("breath");
        let line = format!(
            "--variant diamond {} {} {limit} --maxmoves 6 --rounds 1 --results r",
            random("good", 1),
            fake("bad", &format!("with-child {} {behaviour}", breath.display()))
        );
        let output = output_of(place.command(&line).spawn().expect("quintain"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{behaviour}: {told}");
        for game in place.games("r") {
            assert!(game.reason.contains(reason), "{behaviour}: {}", game.reason);
            assert_eq!(game.end.is_regular(), reason.is_empty(), "{behaviour}: {}", game.reason);
        }
        assert!(is_dead(&breath), "{behaviour}");
    }
}

fn scripts_end_as_they_should() {
    let quiet = "g1f3 f3g1 g1f3 f3g1 g1f3 f3g1";
    let answers = "g8f6 f6g8 g8f6 f6g8 g8f6 f6g8";
    for (white, black, options, result, end, reason, plies) in [
        ("f2f3 g2g4", "e7e5 d8h4", "", "0-1", "normal", "Black mates", 4),
        (quiet, answers, "", "1/2-1/2", "normal", "Draw by repetition", 8),
        (
            "e2e4:-600 d2d4:-700",
            "e7e5:1 d7d5:1",
            "--resign movecount=2 score=500",
            "0-1",
            "adjudication",
            "Black wins by adjudication",
            3,
        ),
        (
            "e2e4:#-3 d2d4:#-2",
            "e7e5:700 d7d5:#2",
            "--resign movecount=2 score=500 twosided=true",
            "0-1",
            "adjudication",
            "Black wins by adjudication",
            4,
        ),
        (
            "e2e4:5 d2d4:-5 a2a3:0",
            "e7e5:0 d7d5:9 a7a6:0",
            "--draw movenumber=2 movecount=2 score=8",
            "1/2-1/2",
            "adjudication",
            "Draw by adjudication",
            8,
        ),
        (
            quiet,
            answers,
            "--maxmoves 3",
            "1/2-1/2",
            "adjudication",
            "Draw by adjudication: the game is too long",
            6,
        ),
    ] {
        let place = Folder::new();
        place.play(&format!(
            "--variant chess {} {} --each depth=1 --games 1 --norepeat --results r {options}",
            fake("a", &format!("script {white}")),
            fake("b", &format!("script {black}"))
        ));
        let game = &place.games("r")[0];
        let found = (game.result.as_str(), game.end.termination(), game.reason.as_str(), game.moves.len());
        assert_eq!(found, (result, end, reason, plies));
    }
}

fn a_talkative_engine_plays_on() {
    let place = Folder::new();
    let told = place.play(&format!(
        "--variant canyon {} {} tc=60 --maxmoves 8 --results r",
        random("quiet", 3),
        fake("loud", "talkative")
    ));
    assert!(place.games("r").iter().all(|game| game.end.is_regular()), "{told}");
}

fn slow_engines_lose_on_time_or_have_a_margin() {
    let play = |limits: &str| {
        let place = Folder::new();
        let line = format!(
            "--variant diamond {} {} {limits} --maxmoves 3 --results r",
            random("fast", 1),
            fake("slow", "slow 150")
        );
        place.play(&line);
        place.games("r").iter().map(|game| game.end.termination()).collect::<Vec<_>>()
    };
    for limits in ["tc=0.2", "tc=1/0.1", "movetime=100", "st=0.1 timemargin=20", "tc=0.1 timemargin=30"] {
        assert_eq!(play(limits), ["time forfeit"; 2], "{limits}");
    }
    for limits in
        ["tc=20", "1/4", "tc=0.1+4", "movetime=100 timemargin=4000", "tc=0.1 timemargin=inf", "nodes=5"]
    {
        let limits = if limits == "1/4" { "tc=1/4" } else { limits };
        assert_eq!(play(limits), ["adjudication"; 2], "{limits}");
    }
}

/// An engine's complaint about an option or a game ends the match before its first game.
fn refused_options_are_told_in_the_engines_words() {
    for (engine, words) in [
        ("OURS option.Hash=abc", "'info string error: option Hash: 'abc' is not a number from 1 to 65536'"),
        ("OURS option.Foo=1", "'info string error: no option is called 'Foo''"),
        ("OURS variant=foo", "'info string error: option UCI_Variant: 'foo' is not one of canyon, "),
        (
            "OURS proto=xboard option.Hash=abc",
            "'Error (option Hash: 'abc' is not a number from 1 to 65536): memory abc'",
        ),
        ("OURS proto=xboard option.Foo=1", "'Error (no option is called 'Foo'): option Foo=1'"),
        ("OURS proto=xboard variant=foo", "'Error (unknown variant): foo'"),
        ("FAKE 'args=fake cecp-old' proto=xboard option.Foo=1", "'Error (unknown option): option Foo=1'"),
    ] {
        let place = Folder::new();
        let line =
            format!("--variant diamond {} --engine cmd={engine} depth=1 --results r", random("good", 1));
        let output = place.run(&line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            told.contains("engine 2 (") && told.contains(&format!("): it says {words}")),
            "{engine}: {told}"
        );
        assert!(!output.status.success() && !place.path("r").exists(), "{engine}: {told}");
    }
}

fn control_characters_of_engines_are_written_out() {
    let place = Folder::new();
    let told = place.play(&format!(
        "--variant chess {} --engine cmd=FAKE 'args=fake rude' depth=1 --results r --pgnout p --svg s --log l",
        random("good", 1)
    ));
    let name = "Fake \\u{1b}]0;rude\\u{7}";
    assert!(told.contains(name) && place.read("l").contains("stderr: \\u{1b}[2J"), "{told}");
    assert!(told.contains("makes an illegal move: \\u{1b}[31me2e4: "), "{told}");
    for text in [told, place.read("r"), place.read("p"), place.read("s"), place.read("l")] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}

/// Ten ranks are numbered from 0 in CECP and from 1 in UCI; canyon has holes and swaps.
fn uci_and_cecp_play_every_kind_of_board() {
    for variant in ["chess", "diamond", "grand"] {
        let place = Folder::new();
        let told = place.play(&format!(
            "--variant {variant} {} {} proto=xboard depth=1 --rounds 2 --concurrency 2 --maxmoves 60 --results r",
            random("uci", 5),
            fake("cecp", "cecp 6")
        ));
        let games = place.games("r");
        assert!(games.len() == 4 && games.iter().all(|game| game.end.is_regular()), "{variant}: {told}");
        let deep = |game: &GameRecord| {
            game.moves.iter().all(|played| played.depth == Some(1) && played.nodes.is_some())
        };
        assert!(games.iter().all(deep), "{variant}");
    }
}

/// By `setboard` or, where the engine has none, by `edit`. The old engine refuses any move as illegal.
fn an_engine_may_be_told_nothing_but_positions() {
    let play = |variant: &str, who: &str, settings: &str| {
        let place = Folder::new();
        place.write("book.epd", &format!("{}\n", quintain::engine::info(variant).unwrap().start));
        let told = place.play(&format!(
            "--variant {variant} {} {} proto=xboard depth=1 {settings} --maxmoves 40 --results r",
            random("uci", 5),
            fake("cecp", who)
        ));
        let games = place.games("r");
        assert_eq!(games.len(), 2, "{variant} {who}: {told}");
        games.iter().filter(|game| game.end.is_regular()).count()
    };
    for variant in ["chess", "canyon", "grand"] {
        for who in ["cecp 6", "cecp-old 6"] {
            assert_eq!(play(variant, who, "position=fen"), 2, "{variant}, {who}");
        }
        assert_eq!(play(variant, "cecp 6", "position=moves --openings file=book.epd"), 2, "{variant}");
        assert_eq!(play(variant, "cecp-old 6", "position=moves --openings file=book.epd"), 0, "{variant}");
    }
}

/// When it is to move, or after its move.
fn an_engine_may_resign() {
    for (who, moves) in [("cecp-resigns 6", [5, 4]), ("cecp-resigns-at-once 6", [5, 4])] {
        let place = Folder::new();
        place.play(&format!(
            "--variant chess {} {} proto=xboard depth=1 --results r",
            random("uci", 5),
            fake("cecp", who)
        ));
        let ends: Vec<_> = place
            .games("r")
            .iter()
            .map(|game| (game.result, game.reason.clone(), game.end, game.moves.len()))
            .collect();
        let wanted = |result, who: &str, moves| (result, format!("{who} resigns"), End::Normal, moves);
        let wanted = [
            wanted(GameResult::WhiteWins, "Black", moves[0]),
            wanted(GameResult::BlackWins, "White", moves[1]),
        ];
        assert_eq!(ends, wanted, "{who}");
    }
}

/// It ends if it gets `new` twice.
fn an_engine_for_one_game_is_started_anew() {
    for variant in ["chess", "canyon"] {
        let place = Folder::new();
        let told = place.play(&format!(
            "--variant {variant} {} {} proto=xboard depth=1 --maxmoves 4 --results r",
            random("uci", 5),
            fake("cecp", "cecp-once 6")
        ));
        let games = place.games("r");
        assert!(games.len() == 2 && games.iter().all(|game| game.end.is_regular()), "{variant}: {told}");
    }
}

/// It counts plies since `level`, but neither moves of an opening nor further plies of a move are moves of the session.
fn engines_count_the_moves_of_a_session_as_the_match_does() {
    let openings = [("chess", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n"), ("superchess", "*\n"), ("canyon", "*\n")];
    for (variant, opening) in openings {
        let place = Folder::new();
        place.write("book.pgn", opening);
        place.play(&format!(
            "--variant {variant} {} --engine cmd=FAKE 'args=fake relay log OURS' proto=xboard name=cecp --each depth=1 \
             --each tc=3/600 --openings file=book.pgn --maxmoves 20 --results r",
            random("uci", 5)
        ));
        let (mut level, mut plies, mut moves, mut thinks) = ((0, 0), 0, 0, false);
        let log = place.read("log");
        for line in log.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [">", "new"] => (plies, moves) = (0, 0),
                [">", "level", number, ..] => level = (number.parse().expect("a number"), plies),
                [">", "go"] => thinks = true,
                [">", "usermove", _] => (plies, thinks) = (plies + 1, true),
                ["<", "move", ply] => {
                    if std::mem::take(&mut thinks) {
                        let left = level.0 - (plies - level.1) / 2 % level.0;
                        assert_eq!(left, 3 - moves % 3, "{variant}, move {}: {log}", moves + 1);
                        moves += 1;
                    }
                    plies += usize::from(!ply.ends_with(','));
                }
                _ => {}
            }
        }
        assert!(moves > 4, "{variant}: {log}");
        let games = place.games("r");
        assert!(games.len() == 2 && games.iter().all(|game| game.end.is_regular()), "{variant}");
    }
}

/// The fakes end if they get `go` while they ponder, or `ponderhit` while they do not.
fn engines_ponder_if_they_are_told_to() {
    let pondered = |engines: [&str; 2], second_speaks: &str, ponder: &str| {
        let place = Folder::new();
        let [first, second] = engines;
        let told = place.play(&format!(
            "--variant chess --each depth=1 {ponder} {} {} {second_speaks} --maxmoves 20 --results r",
            fake("a", first),
            fake("b", second)
        ));
        let games = place.games("r");
        assert!(games.len() == 2 && games.iter().all(|game| game.end.is_regular()), "{told}");
        let score = Some(UciScore::Centipawns(fake::PONDERED));
        let hit = |game: &GameRecord| game.moves.iter().filter(|played| played.score == score).count();
        games.iter().map(hit).collect::<Vec<_>>()
    };
    // All but the first move of each side were expected, then none, or nearly none.
    let always = pondered(["guesses 1", "guesses 1"], "", "ponder=on");
    assert!(always.iter().all(|&hits| hits >= 20), "{always:?}");
    let never = pondered(["guesses 1", "guesses 2"], "", "ponder=on");
    assert!(never.iter().all(|&hits| hits < 20), "{never:?}");
    assert_eq!(pondered(["guesses 1", "guesses 1"], "", ""), [0, 0]);
    let cecp = pondered(["guesses 1", "cecp 1"], "proto=xboard", "ponder=on");
    assert!(cecp.iter().all(|&hits| hits >= 10), "{cecp:?}");
}

fn our_own_engine_plays_itself_in_both_protocols() {
    for variant in quintain::engine::NAMES {
        let place = Folder::new();
        place.write("book.pgn", "*\n");
        let told = place.play(&format!(
            "--variant {variant} --engine cmd=OURS name=uci --engine cmd=OURS name=cecp proto=xboard \
             --each depth=1 option.Hash=1 ponder=on --maxmoves 30 --results r"
        ));
        let games = place.games("r");
        assert!(games.len() == 2 && games.iter().all(|game| game.end.is_regular()), "{variant}: {told}");
    }
}

/// Each side has a cyclops that takes three pawns at once.
fn a_run_over_three_squares_is_understood_in_cecp() {
    for variant in ["superchess", "superchessfixed"] {
        let place = Folder::new();
        place.write("book.epd", "4k4c/9P/9P/9P/10/10/p9/p9/p9/C3K5 w - - 0 1 n,n\n");
        let told = place.play(&format!(
            "--variant {variant} --engine cmd=OURS name=a proto=xboard --engine cmd=OURS name=b proto=xboard \
             --each depth=1 option.Hash=1 --openings file=book.epd --maxmoves 4 --results r"
        ));
        for game in place.games("r") {
            let runs: Vec<&str> = game.moves.iter().take(2).map(|played| &played.text[..]).collect();
            assert!(runs[0].starts_with("a1a4") && runs[1].starts_with("j10j7"), "{variant}: {told}");
            assert!(game.end.is_regular(), "{variant}: {told}");
        }
    }
}

fn all_meet_all_and_the_first_meets_all() {
    for (kind, games) in [("round-robin", 6), ("gauntlet", 4)] {
        let place = Folder::new();
        let told = place.play(&format!(
            "--variant diamond --tournament {kind} {} {} {} --maxmoves 4 --results r --svg s.svg",
            random("a", 1),
            random("b", 2),
            random("a", 3)
        ));
        assert_eq!(place.games("r").len(), games);
        assert!(told.contains("a #2"), "{told}");
        assert!(place.read("s.svg").contains("a #2"));
    }
}

fn openings_are_played_with_both_colours() {
    let place = Folder::new();
    place.write(
        "book.epd",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
         rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2 id \"x\";\n\
         rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n",
    );
    // In Latin-1, as PGN's standard has it.
    let book = b"[White \"Andr\xe9\"]\n\n1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n";
    fs::write(place.path("book.pgn"), book).expect("a file");
    let line = |openings: &str, results: &str| {
        format!(
            "--variant chess {} {} --rounds 3 --maxmoves 3 --openings {openings} --results {results} --seed 4",
            random("a", 1),
            random("b", 2)
        )
    };
    place.play(&line("file=book.epd order=random", "random"));
    let openings = |games: &[GameRecord]| games.iter().map(|game| game.opening.unwrap()).collect::<Vec<_>>();
    let games = place.games("random");
    let order = openings(&games);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [1, 1, 2, 2, 3, 3]);
    for pair in games.chunks(2) {
        assert_eq!((pair[0].white, &pair[0].fen, pair[0].pair), (pair[1].black, &pair[1].fen, pair[1].pair));
    }
    place.play(&line("file=book.epd order=random", "again"));
    assert_eq!(openings(&place.games("again")), order);
    place.play(&line("file=book.epd start=3", "sequence"));
    assert_eq!(openings(&place.games("sequence")), [3, 3, 1, 1, 2, 2]);
    // Games as openings are sent as moves; the third round starts over.
    let told = place.play(&line("file=book.pgn plies=2", "pgn"));
    assert!(told.contains("3 openings are needed and there are 2"), "{told}");
    let games = place.games("pgn");
    assert_eq!(openings(&games), [1, 1, 2, 2, 1, 1]);
    assert_eq!((&games[0].book[..], games[0].fen.as_deref()), (&["e2e4".into(), "e7e5".into()][..], None));
}

/// Every game, tag and comment is read back by our own reader, and the moves lead to the same end.
fn games_are_read_back() {
    for variant in quintain::engine::NAMES {
        let place = Folder::new();
        place.play(&format!(
            "--variant {variant} {} {} --maxmoves 25 --results r --pgnout out.pgn --concurrency 2",
            random("a \"quoted\"", 8),
            random("b", 9)
        ));
        let games = pgn::parse(&place.read("out.pgn")).expect("PGN");
        assert_eq!(games.len(), 2);
        for game in games {
            let number: usize = game.tag("GameNumber").unwrap().parse().unwrap();
            let record = &place.games("r")[number - 1];
            let names = ["a \"quoted\"", "b"];
            assert_eq!(game.tag("White"), Some(names[record.white]));
            assert_eq!(
                (game.tag("Variant"), game.tag("Result")),
                (Some(*variant), Some(record.result.as_str()))
            );
            assert_eq!(game.tag("Termination"), Some(record.end.termination()));
            assert_eq!((game.tag("TimeControl"), game.result.as_str()), (Some("-"), record.result.as_str()));
            let mut session = quintain::engine::open(variant).unwrap();
            session.set_position(game.tag("FEN"), &[]).unwrap();
            assert_eq!(game.moves.len(), record.moves.len());
            for (ply, played) in game.moves.iter().zip(&record.moves) {
                let info = session.play_any(&ply.san).unwrap_or_else(|error| panic!("{variant}: {error}"));
                assert_eq!(info.text, played.text, "{variant}: {}", ply.san);
                let comment = EngineComment::parse(ply.comment.as_deref().unwrap()).unwrap();
                assert_eq!((comment.info.depth, comment.info.nodes), (played.depth, played.nodes));
            }
        }
    }
}

/// A match of these two engines with openings of its own.
fn resumable(place: &Folder, engines: [&str; 2], results: &str) -> String {
    place.write("book.pgn", "1. Nf3 *\n1. Nc3 *\n1. e4 *\n1. d4 *\n1. c4 *\n1. f4 *\n1. b3 *\n1. g3 *\n");
    format!(
        "--variant chess {} {} --each depth=1 --openings file=book.pgn order=random --rounds 8 --maxmoves 12 --seed 3 \
         --results {results} --pgnout {results}.pgn --ratinginterval 0",
        fake("a", engines[0]),
        fake("b", engines[1])
    )
}

/// Killed several times, also in the middle of a line; afterwards the games are those of a match without kills.
fn a_killed_match_goes_on_as_if_nothing_had_been() {
    let place = Folder::new();
    // Slow enough to be killed.
    let engines = ["slow 2", "slow 3"];
    place.play(&resumable(&place, engines, "whole"));
    let mut line = resumable(&place, engines, "killed");
    let path = place.path("killed");
    for wanted in [3, 6, 9] {
        let mut child = place.command(&line).spawn().expect("quintain");
        wait_for("a game", || lines(&path) >= wanted);
        child.kill().expect("a running match");
        child.wait().expect("an end");
        // As if the last line were incomplete.
        let mut text = fs::read(&path).expect("results");
        text.extend_from_slice(b"{\"game\":99,\"rou");
        fs::write(&path, text).expect("a file");
        // The whole line again, or only the file.
        line = if wanted == 3 { line + " --resume" } else { "--resume killed".to_owned() };
    }
    let told = place.play("--resume killed --concurrency 2");
    assert!(told.contains("games are already finished"), "{told}");
    let all = |name: &str| place.games(name).iter().map(essence).collect::<Vec<_>>();
    assert_eq!(all("killed"), all("whole"));
    let numbers = |name: &str| {
        let games = pgn::parse(&place.read(name)).expect("PGN");
        let mut numbers: Vec<u64> =
            games.iter().map(|game| game.tag("GameNumber").unwrap().parse().unwrap()).collect();
        numbers.sort_unstable();
        numbers
    };
    assert_eq!(numbers("killed.pgn"), (1..=16).collect::<Vec<_>>());
    // All games are played: nothing more happens unless there are more rounds.
    place.play("--resume killed");
    assert_eq!(place.games("killed").len(), 16);
    place.play("--resume killed --rounds 9");
    assert_eq!(place.games("killed").len(), 18);
    for (line, error) in [
        ("--resume killed --variant gast", "--variant cannot change"),
        ("--resume killed --rounds 3", "--rounds: 3 are fewer than the 9"),
        ("--resume none", "'none'"),
        ("--resume book.pgn", "does not begin like a file of results"),
    ] {
        let told = String::from_utf8_lossy(&place.run(line).stderr).into_owned();
        assert!(told.contains(error), "{told}");
    }
    place.write("book.pgn", "1. a4 *\n");
    let told = String::from_utf8_lossy(&place.run("--resume killed").stderr).into_owned();
    assert!(told.contains("the file of openings has changed"), "{told}");
}

/// There may be more rounds, with the file alone or with the whole command, in any order, and in parts.
fn a_match_may_grow() {
    let place = Folder::new();
    let line = |rounds: &str, results: &str| {
        let line = resumable(&place, ["random 1", "random 2"], results);
        line.replace("--rounds 8", &format!("--rounds {rounds}"))
    };
    let refused = |line: &str| {
        let output = place.run(line);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    place.play(&line("1", "r"));
    place.play("--resume r --rounds 2");
    assert_eq!(place.games("r").len(), 4);
    let told = place.play(&format!("--rounds 2 {} --resume", line("2", "r").replace("--rounds 2", "")));
    assert!(told.contains("4 games are already finished"), "{told}");
    place.play(&format!("{} --resume", line("3", "r")));
    place.play("--resume r");
    assert_eq!(place.games("r").len(), 6);
    let told = refused(&format!("{} --resume", line("2", "r")));
    assert!(told.contains("--rounds: 2 are fewer than the 3 that the match has"), "{told}");
    let told = refused(&format!("{} --resume", line("3", "r").replace("--maxmoves 12", "--draw score=5")));
    assert!(told.contains("is of another match: nothing instead of --draw score=5"), "{told}");
    let other = format!("{} --norepeat --resume", line("3", "r"));
    assert!(refused(&other).contains("is of another match"), "{other}");
    let told = refused(&format!("{} --resume --maxmoves 13", line("3", "r").replace("--maxmoves 12", "")));
    assert!(told.contains("is of another match: --maxmoves 12 instead of --maxmoves 13"), "{told}");

    place.play(&line("4", "whole"));
    place.play(&format!("{} --shard 1/2", line("4", "one")));
    place.play(&format!("{} --shard 2/2", line("3", "two")));
    let told = place.play("merge one two");
    assert!(told.contains("2 files, 6 games; 2 of the match are missing"), "{told}");
    place.play("--resume two --rounds 4");
    // Another machine may have more processors.
    place.write(
        "one",
        &place.read("one").replacen(
            "\"settings\":[",
            "\"settings\":[{\"name\":\"concurrency\",\"words\":[\"9999\"]},",
            1,
        ),
    );
    place.play("merge two one --results merged");
    let all = |name: &str| place.games(name).iter().map(essence).collect::<Vec<_>>();
    assert_eq!(all("merged"), all("whole"));
    assert_eq!(all("r"), all("whole")[..6]);
}

/// By a loss of power.
fn a_file_that_was_cut_at_its_beginning_is_begun_anew() {
    let place = Folder::new();
    let line = resumable(&place, ["random 1", "random 2"], "r");
    for text in ["", "{\"quint", "{\"quintain-match\":1,\"sett"] {
        place.write("r", text);
        let told = place.play(&format!("{line} --resume"));
        assert!(
            told.contains("Warning: 'r' has only a part of its first line, and the match begins anew"),
            "{told}"
        );
        assert_eq!(place.games("r").len(), 16);
    }
    for text in ["\n", "{\"quintain-match\":1,\"sett\n", "1. e4"] {
        place.write("r", text);
        let output = place.run(&format!("{line} --resume"));
        assert!(!output.status.success() && place.read("r") == text);
    }
}

fn nothing_is_written_over_what_is_read() {
    let place = Folder::new();
    let line = resumable(&place, ["random 1", "random 2"], "r");
    place.play(&line);
    let (results, book) = (place.read("r"), place.read("book.pgn"));
    place.write("match.toml", "event = 'x'\n");
    let new = line.replace("--results r --pgnout r.pgn", "--results n");
    for (line, told) in [
        ("merge r --pgnout r", "--pgnout: '"),
        ("merge r --svg ./r", "--svg: '"),
        ("merge r --svg book.pgn", "--svg: '"),
        ("--resume r --log r", "--log: '"),
        (&*format!("{new} --pgnout book.pgn"), "--pgnout: '"),
        (&*format!("{new} --svg n"), "--svg: '"),
        (&*format!("{new} --pgnout x --log x"), "--log: '"),
        (&*format!("--config match.toml {new} --log match.toml"), "--log: '"),
    ] {
        let output = place.run(line);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && errors.contains(told) && errors.contains("' is "),
            "{line}: {errors}"
        );
        assert!(!place.path("n").exists() && !place.path("x").exists(), "{line}");
    }
    assert_eq!((place.read("r"), place.read("book.pgn")), (results, book));
    // Neither are games of other matches.
    let other = "[Event \"other\"]\n\n1. e4 *\n\n";
    place.write("all.pgn", other);
    for _ in 0..2 {
        place.play("merge r --pgnout all.pgn");
        assert_eq!(place.read("all.pgn"), format!("{other}{}", place.read("r.pgn")));
    }
}

fn what_cannot_be_written_leaves_no_results() {
    let place = Folder::new();
    for option in ["--pgnout", "--svg", "--log"] {
        let line = format!("--variant chess {} {} --maxmoves 3 --results r", random("a", 1), random("b", 2));
        let output = place.run(&format!("{line} {option} no/file"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = format!("{option}: cannot write 'no/file'");
        assert!(!output.status.success() && errors.contains(&told), "{errors}");
        assert!(!place.path("r").exists(), "{option}");
    }
    let line = resumable(&place, ["random 1", "random 2"], "r");
    place.play(&line);
    for option in ["--pgnout", "--svg"] {
        assert!(!place.run(&format!("merge r --results whole {option} no/file")).status.success());
        assert!(!place.path("whole").exists(), "{option}");
    }
}

/// A job that is submitted twice: the second one is refused, and the file is unchanged.
fn one_match_at_a_time_goes_on_with_a_file() {
    let place = Folder::new();
    let line = resumable(&place, ["slow 20", "slow 20"], "r");
    let mut first = place.command(&line).spawn().expect("quintain");
    wait_for("a game", || lines(&place.path("r")) >= 2);
    for again in ["--resume r", "--resume r --rounds 9", &format!("{line} --resume")] {
        let output = place.run(again);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{told}");
        assert!(told.contains("--resume: 'r' is in use by a running match"), "{told}");
    }
    // Reading it is allowed.
    place.play("merge r");
    assert!(first.wait().expect("an end").success());
    assert_eq!(place.games("r").len(), 16);
}

/// An incomplete line is skipped, also in the middle of the file; repeated games count once; errors name the line.
fn lines_cost_what_is_wrong_with_them() {
    let place = Folder::new();
    let line = resumable(&place, ["random 1", "random 2"], "whole");
    place.play(&line);
    let whole = place.read("whole");
    let all: Vec<&str> = whole.lines().collect();
    let half = &all[4][..all[4].len() / 2];
    // As left by two matches that wrote over each other's lines.
    place.write("torn", &format!("{}\n{half}\n{}{}\n{half}", all[..4].join("\n"), &half[..20], all[5]));
    let told = place.play("--resume torn");
    for number in [5, 6, 7] {
        assert!(told.contains(&format!("'torn', line {number}, is damaged and left out: ")), "{told}");
    }
    assert!(told.contains("3 games are already finished") && !told.contains("column"), "{told}");
    let games = |name: &str| place.games(name).iter().map(essence).collect::<Vec<_>>();
    assert_eq!(games("torn"), games("whole"));
    assert!(place.play("merge torn").contains("1 files, 16 games\n"));

    place.write("double", &format!("{0}\n{0}\n", all[..4].join("\n")));
    let told = place.play("--resume double");
    assert!(told.contains("each is counted once: lines 6, 7, 8"), "{told}");
    assert!(told.contains("3 games are already finished"), "{told}");
    assert_eq!(games("double"), games("whole"));

    let wrong = |text: String| {
        place.write("wrong", &text);
        let output = place.run("--resume wrong");
        assert!(!output.status.success() && place.read("wrong") == text);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let result = whole.find("\"result\":").expect("a result") + "\"result\":".len();
    let end = result + whole[result..].find(',').expect("more fields");
    let told = wrong(format!("{}\"foo\"{}", &whole[..result], &whole[end..]));
    let named = "'wrong', line 2: result: unknown variant `foo`, expected one of `1-0`, `0-1`, `1/2-1/2`\n";
    assert!(told.contains(named), "{told}");
    let other = all[1].replacen("\"round\":1", "\"round\":2", 1);
    let told = wrong(format!("{}\n{}\n{other}\n", all[0], all[1]));
    assert!(
        told.contains("'wrong', line 3: game ") && told.contains("differs from that of line 2"),
        "{told}"
    );
    let other = all[1].replacen("\"white\":0", "\"white\":7", 1);
    let told = wrong(format!("{}\n{other}\n", all[0]));
    assert!(told.contains("'wrong', line 2: white: there is no engine 7 among 2"), "{told}");
    let other = all[1].replacen("\"white\":0,\"black\":1", "\"white\":1,\"black\":1", 1);
    let told = wrong(format!("{}\n{other}\n", all[0]));
    assert!(told.contains("'wrong', line 2: white, black: engine 1 plays itself"), "{told}");
    let other = all[0].replacen("\"names\":[\"a\"", "\"names\":[\"c\"", 1);
    let told = wrong(format!("{}\n{other}\n", all[0]));
    assert!(told.contains("'wrong', line 2: names: the match has other engines"), "{told}");
    // Sums are as large as they can be.
    let most = u64::MAX;
    let moves = format!("{{\"m\":\"e2e4\",\"n\":{most},\"t\":{most}}},");
    let long = all[1].replacen("\"moves\":[", &format!("\"moves\":[{moves}{moves}"), 1);
    place.write("long", &format!("{}\n{long}\n", all[0]));
    assert!(place.play("merge long").contains("15 of the match are missing"));
}

#[cfg(unix)]
fn an_interrupted_match_ends_its_games() {
    let place = Folder::new();
    let line = format!(
        "--variant chess {} {} --each depth=1 --rounds 50 --maxmoves 10 --results r",
        fake("a", "slow 10"),
        fake("b", "slow 11")
    );
    let child = place.command(&line).spawn().expect("quintain");
    wait_for("a game", || lines(&place.path("r")) >= 2);
    signal(&child, "INT");
    let output = child.wait_with_output().expect("an end");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("The match ends after the running games"), "{told}");
    assert!(told.contains("can be continued with --resume r"), "{told}");
    let games = place.games("r");
    assert!((1..20).contains(&games.len()) && games.iter().all(|game| game.end.is_regular()), "{told}");
}

/// By a second Ctrl-C, because the system asks it to terminate, or because its terminal is closed.
#[cfg(unix)]
fn a_match_that_is_ended_at_once_leaves_no_engine() {
    // Whether the end of the terminal is to be ignored is known on Linux only. The tests may be run so themselves.
    let heeding: &[&str] = &["env", "--default-signal=HUP"];
    let hangup = cfg!(target_os = "linux").then_some((heeding, &["HUP"][..]));
    for (starter, signals) in
        [(&["env"][..], &["INT", "INT"][..]), (&["env"], &["TERM"])].into_iter().chain(hangup)
    {
        let place = Folder::new();
        let breath = place.path("breath");
        // It hangs, and nobody would notice for an hour.
        let hanging = fake("bad", &format!("with-child {} deaf 1", breath.display()));
        let line = format!(
            "--variant chess {} {hanging} --each depth=1 patience=600 --rounds 50 --results r",
            random("good", 1)
        );
        let child = place.started_by(starter, &line).spawn().expect("quintain");
        wait_for("the file of results", || lines(&place.path("r")) == 1);
        for name in signals {
            sleep(Duration::from_millis(300));
            signal(&child, name);
        }
        let output = output_of(child);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{signals:?}: {told}");
        assert!(told.contains("can be continued with --resume r"), "{signals:?}: {told}");
        assert!(is_dead(&breath) && place.games("r").is_empty(), "{signals:?}: {told}");
    }
}

/// If it is started by `nohup`.
#[cfg(unix)]
fn a_match_may_outlive_its_terminal() {
    let place = Folder::new();
    let line =
        format!("--variant chess {} {} --maxmoves 3 --rounds 50 --results r", random("a", 1), random("b", 2));
    let child = place.started_by(&["nohup"], &line).spawn().expect("nohup");
    wait_for("a game", || lines(&place.path("r")) >= 2);
    signal(&child, "HUP");
    assert_eq!(output_of(child).status.code(), Some(0));
    assert_eq!(place.games("r").len(), 100);
}

/// A pipe that nobody reads from is refused. One that is full keeps the match waiting, until a third Ctrl-C.
#[cfg(unix)]
fn pipes_for_games_keep_nobody_waiting() {
    let place = Folder::new();
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let line = |option: &str| {
        let [a, b] = [random("a", 1), random("b", 2)];
        format!("--variant chess {a} {b} --rounds 1 --maxmoves 3 --results r {option} pipe")
    };
    for option in ["--pgnout", "--log"] {
        let output = output_of(place.command(&line(option)).spawn().expect("quintain"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("it is a pipe that nobody reads from"), "{told}");
        assert!(!place.path("r").exists());
    }
    let mut full = fs::File::options().read(true).write(true).open(&pipe).expect("a pipe");
    full.write_all(&[b'%'; 1 << 16]).expect("room in the pipe");
    let child = place.command(&line("--pgnout")).spawn().expect("quintain");
    wait_for("a game", || lines(&place.path("r")) >= 2);
    for _ in 0..3 {
        sleep(Duration::from_millis(300));
        signal(&child, "INT");
    }
    assert_eq!(output_of(child).status.code(), Some(130));
}

/// As `quintain match ... | head -1`, or with a pipe for games that is closed.
#[cfg(unix)]
fn a_match_whose_output_nobody_reads_is_not_over() {
    let place = Folder::new();
    let line =
        format!("--variant chess {} {} --rounds 20 --maxmoves 3 --results", random("a", 1), random("b", 2));
    let mut child = place.command(&format!("{line} r")).spawn().expect("quintain");
    drop(child.stdout.take());
    let output = output_of(child);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("nobody reads the output; continue the match with --resume"), "{told}");
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = thread::spawn(move || {
        let mut reader = fs::File::open(pipe).expect("a pipe");
        reader.read_exact(&mut [0; 10]).expect("a game");
    });
    // Until the reader is there.
    let output = loop {
        let output = place.run(&format!("{line} s --pgnout pipe"));
        if place.path("s").exists() && lines(&place.path("s")) > 1 {
            break output;
        }
        let _ = fs::remove_file(place.path("s"));
    };
    reader.join().expect("a reader");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && told.contains("--pgnout: "), "{told}");
    place.play("--resume r");
    assert_eq!(place.games("r").len(), 40);
}

fn parts_make_up_the_whole() {
    let place = Folder::new();
    let engines = ["random 1", "random 2"];
    let test = "--sprt elo0=0 elo1=20";
    let told = place.play(&format!("{} {test}", resumable(&place, engines, "whole")));
    let summary = |told: &str| {
        let from = told.rfind("a against b").expect("a table");
        let wanted = |line: &&str| {
            ["  Games", "  Elo", "  Pairs", "  SPRT", "  Ends"].iter().any(|head| line.starts_with(head))
        };
        told[from..].lines().filter(wanted).map(str::to_owned).collect::<Vec<_>>()
    };
    for part in 1..=3 {
        place
            .play(&format!("{} {test} --shard {part}/3", resumable(&place, engines, &format!("part{part}"))));
        assert!(place.games(&format!("part{part}")).iter().all(|game| (game.pair - 1) % 3 == part - 1));
    }
    let merged = place.play("merge part1 part2 part3 --pgnout merged.pgn --results merged --svg merged.svg");
    assert_eq!(summary(&merged), summary(&told));
    assert!(merged.contains("3 files, 16 games\n"), "{merged}");
    let all = |name: &str| place.games(name).iter().map(essence).collect::<Vec<_>>();
    assert_eq!(all("merged"), all("whole"));
    assert_eq!(pgn::parse(&place.read("merged.pgn")).expect("PGN").len(), 16);
    assert!(place.read("merged.svg").contains("LLR"));
    let told = place.play("merge part3 part1");
    assert!(told.contains("of the match are missing"), "{told}");
    place.play(&format!("{} --seed 9", resumable(&place, engines, "other")));
    for (line, error) in [
        ("merge part1 other", "'other' is of another match than 'part1'"),
        ("merge", "no files of results are given"),
        ("merge nowhere", "'nowhere'"),
        ("merge part1 --rounds 5", "there is no option --rounds"),
    ] {
        let told = String::from_utf8_lossy(&place.run(line).stderr).into_owned();
        assert!(told.contains(error), "{told}");
    }
}

fn the_test_stops_the_match() {
    let place = Folder::new();
    let told = place.play(&format!(
        "--variant chess {} {} --each depth=1 --rounds 500 --games 2 --sprt elo0=0 elo1=200 --results r --svg s.svg",
        fake("fool", "script f2f3 g2g4"),
        fake("mater", "script e7e5 d8h4")
    ));
    // As White the one is mated in two; as Black both play at random.
    assert!(place.games("r").len() < 1000, "{told}");
    assert!(told.contains("H0 is accepted") || told.contains("H1 is accepted"), "{told}");
    let again = place.play("--resume r");
    assert!(again.contains("is accepted"), "{again}");
}

fn settings_come_from_toml_too() {
    let place = Folder::new();
    let me = std::env::current_exe().expect("a path");
    place.write(
        "match.toml",
        &format!(
            "variant = 'diamond'\nmaxmoves = 5\nresults = 'r'\nrepeat = true\n[each]\ndepth = 1\n\
             [[engine]]\ncmd = '{0}'\narg = ['fake', 'random', 1]\nname = 'a'\n\
             [[engine]]\ncmd = '{0}'\nargs = 'fake random 2'\nname = 'b'\n[draw]\nmovecount = 5\n",
            me.display()
        ),
    );
    place.play("--config match.toml --rounds 2");
    assert_eq!(place.games("r").len(), 4);
}

fn wrong_settings_are_named() {
    let place = Folder::new();
    place.write("bad.epd", "8/8 w - -\n");
    place.write("bad.toml", "rounds = [[1]]\n");
    let two = format!("{} {}", random("a", 1), random("b", 2));
    for (line, error) in [
        ("", "nothing to play"),
        ("--variant chess", "two engines are needed at least, and 0 are given"),
        (&*two, "--variant is missing: one of canyon"),
        (&format!("--variant checkers {two}"), "--variant: there is no game called 'checkers'"),
        (&format!("--variant chess {two} --speed 5"), "there is no option --speed"),
        (&format!("--variant chess {two} --rounds x"), "--rounds: 'x' is not a whole number from 1"),
        (&format!("--variant chess {two} --games 3"), "--games: 3 is odd"),
        (
            &format!("--variant chess {two} --rounds {0} --games {0}", u64::MAX - 1),
            "--rounds, --games: 18446744073709551614 and 18446744073709551614 make more than 1000000000000 games",
        ),
        (&format!("--variant chess {two} --openings order=random"), "--openings: file= is missing"),
        (&format!("--variant chess {two} --openings file=x order=up"), "--openings order: 'up' is neither"),
        (
            &format!("--variant chess {two} --openings file=none.epd"),
            "--openings file: cannot read 'none.epd'",
        ),
        (
            &format!("--variant chess {two} --openings file=bad.epd"),
            "line 1: placement: 2 ranks instead of 8",
        ),
        (&format!("--variant chess {two} --sprt elo0=5 elo1=0"), "elo0 (5) must be less than elo1 (0)"),
        (
            &format!("--variant chess {two} --sprt elo1=5 alpha=0.7"),
            "--sprt alpha: 0.7 is not between 0 and 0.5",
        ),
        (
            &format!("--variant chess {two} --sprt elo1=4000"),
            "--sprt elo1: 4000 is not between -3000 and 3000",
        ),
        (
            &format!("--variant chess {two} --each tc=fast"),
            "quintain: --each tc: 'fast' is not like 40/60+0.5",
        ),
        (&format!("--variant chess {two} --engine cmd=x"), "engine 3: no limit of time"),
        (&format!("--variant chess {two} --engine name=x depth=1"), "engine 3: cmd= is missing"),
        (
            &format!("--variant chess {two} --engine cmd=x color=red depth=1"),
            "engine 3: --engine: there is no 'color'",
        ),
        (&format!("--variant chess {two} --each foo=1"), "quintain: --each: there is no 'foo'"),
        (
            &format!("--variant chess {two} --engine cmd=FAKE dir=/no/such depth=1"),
            "): dir: there is no directory '/no/such'",
        ),
        (
            &format!("--variant chess {two} --engine cmd=/no/such depth=1"),
            "engine 3 (/no/such): cannot start '/no/such'",
        ),
        (
            &format!("--variant chess {two} --engine cmd=x proto=xboard nodes=5"),
            "engine 3: CECP has no command",
        ),
        (&format!("--variant chess {two} --shard 5/4"), "--shard: '5/4': parts are numbered from 1 to 4"),
        (&format!("--variant chess {two} --resign movecount=3"), "--resign: score= is missing"),
        (&format!("--variant chess {two} --draw score=x"), "--draw score: 'x' is not a whole number from 0"),
        ("--config none.toml", "--config: cannot read 'none.toml'"),
        ("--config bad.toml", "--config: 'bad.toml': rounds"),
        ("rounds 5", "'rounds' does not belong to an option"),
    ] {
        let output = place.run(&format!("{line} --results none"));
        let output = if line.is_empty() { place.run("") } else { output };
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(error), "{line}: {told}");
    }
}

/// Made-up games: alternating results, increasing thinking times, and some faults; so many of them with different moves.
fn made_up(settings: &Settings, different: u64) -> Standings {
    let mut standings = Standings::new(settings.engines.len(), settings.repeat);
    for task in settings.plan().tasks(None) {
        let played = |index: u64| MoveRecord {
            text: format!("a1a{}", task.game.min(different)),
            san: String::new(),
            score: Some(UciScore::Centipawns(10)),
            depth: Some(5 + (index % 2) as u32),
            nodes: Some(1000 * (index + 1)),
            micros: 500 * (index + 1),
        };
        let (result, end, reason) = match task.game % 7 {
            0 => (GameResult::BlackWins, End::Time, "White loses on time"),
            1 | 4 => (GameResult::WhiteWins, End::Normal, "White mates"),
            2 => (GameResult::BlackWins, End::Normal, "Black mates"),
            _ => (GameResult::Draw, End::Normal, "Draw by repetition"),
        };
        standings.add(&GameRecord {
            game: task.game,
            round: task.round,
            pair: task.pair,
            white: task.white,
            black: task.black,
            opening: None,
            fen: None,
            book: Vec::new(),
            book_san: Vec::new(),
            moves: (0..4).map(played).collect(),
            result,
            end,
            reason: reason.into(),
            began: 0,
            millis: 0,
            log: Vec::new(),
        });
    }
    standings
}

fn tables_are_as_they_were() {
    let summary = |line: &str, names: &[&str], different: u64| {
        let groups =
            words::from_command_line(&shlex::split(line).expect("quotes that close")).expect("options");
        let settings = Settings::read(&groups).expect("settings");
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let empty = Standings::new(names.len(), settings.repeat);
        let text = [empty, made_up(&settings, different)]
            .map(|standings| report::summary(&settings, &names, &standings));
        text.join("\n")
    };
    let duel =
        "--variant canyon --engine cmd=a --engine cmd=b --each tc=10+0.1 --rounds 50 --sprt elo0=0 elo1=10";
    insta::assert_snapshot!("duel", summary(duel, &["Quintain 1", "Another engine"], u64::MAX));
    let logistic = "--variant gast --engine cmd=a st=1 --engine cmd=b nodes=5000 --rounds 9 --games 1 --norepeat \
                    --sprt elo0=-5.5 elo1=0 model=logistic";
    insta::assert_snapshot!("unpaired", summary(logistic, &["a", "b"], u64::MAX));
    let three = "--variant gast14 --engine cmd=a --engine cmd=b --engine cmd=c --each depth=6 --rounds 4";
    insta::assert_snapshot!("crosstable", summary(three, &["first", "second", "third"], u64::MAX));
    // Games that repeat others are told, unless they are few.
    assert!(!summary(duel, &["a", "b"], 95).contains("Same"));
    let told =
        "  Same   90 of 100 games have the moves of one before; count only the others, or use more openings";
    assert!(summary(duel, &["a", "b"], 10).contains(told), "{}", summary(duel, &["a", "b"], 10));
}
