//! The real XBoard on an invisible screen: whole games between two copies of the engine, games of unusual moves, and
//! games played with the mouse.
//!
//! Needs Debian's `xboard` and `xvfb`. Where they are missing the tests say so and do nothing, except in CI, where
//! they fail.
//!
//! What the engines sent is read from XBoard's log and replayed by the rules; XBoard's own last board must then be
//! the true one. For the unusual moves XBoard starts this test program instead of the engine. It relays the
//! conversation, and leaves the engine only one move with the command `exclude`.

mod harness;
#[path = "xboard/mouse.rs"]
mod mouse;
#[path = "xboard/person.rs"]
mod person;
#[path = "xboard/screen.rs"]
mod screen;
mod skip;
#[path = "xboard/unusual.rs"]
mod unusual;

use harness::{Test, tests};
use mouse::Script;
use quintain::board::Color;
use quintain::engine::{self, Session};
use quintain::rules::Reason;
use quintain_xboard::mirror::{Completion, Mirror, Recognised};
use quintain_xboard::position;
use screen::Screen;
use skip::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("relay") => return unusual::relay(),
        Some("guide") => return mouse::guide(),
        _ => {}
    }
    let others: &[Test] = tests!("": nobody_loses_on_time_at_odds, chess_by_uci_through_an_adapter);
    let all = [WHOLE, UNUSUAL, others, BY_MOUSE, person::TESTS, person::CONVERTED].concat();
    // Most of the time they wait for XBoard.
    harness::run(all, 4);
}

/// The reason of the result with which a script ends.
const FINISHED: &str = "script finished";

/// A match must be over by then.
const PATIENCE: Duration = Duration::from_secs(300);

/// XBoard does not check moves, shows little, and does not wait between games.
const FLAGS: &str = "-mm -xexit -matchPause 50 -tc 1 -inc 0.2 -ponderNextMove false -saveSettingsOnExit false \
    -testLegality false -autoCallFlag false -repeatsToDraw 0 -ruleMoves 0 -checkMates false -testClaims false \
    -materialDraws false -trivialDraws false -adjudicateLossThreshold 0 -adjudicateDrawMoves 0 \
    -animateMoving false -soundProgram true -debug -nameOfDebugFile log -sgf games.pgn -spf positions.fen";

/// Debian keeps programs for games in a folder of their own.
fn path_with_games() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::env::split_paths(&path).chain([PathBuf::from("/usr/games")])).unwrap()
}

fn program(name: &str) -> Option<PathBuf> {
    let path = path_with_games();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// XBoard and the screen, or `None` after saying what is missing.
fn tools() -> Option<[PathBuf; 2]> {
    let tools = [("xboard", "xboard"), ("Xvfb", "xvfb")].map(|(name, package)| {
        program(name).ok_or_else(|| format!("{name} is not installed (Debian: apt-get install {package})"))
    });
    match tools {
        [Ok(xboard), Ok(screen)] => Some([xboard, screen]),
        [Err(missing), _] | [_, Err(missing)] => {
            skip(&missing);
            None
        }
    }
}

// ---- A match ------------------------------------------------------------------------------------------------

/// The output of a match, game by game.
struct Record {
    games: Vec<Game>,
    /// The results in the PGN.
    results: Vec<String>,
    /// XBoard's last positions.
    positions: Vec<String>,
}

/// One game in XBoard's log.
#[derive(Default)]
struct Game {
    /// The moves of the engines, in XBoard's notation.
    sent: Vec<String>,
    /// Results that they announced.
    claims: Vec<String>,
    /// Their positions at the end.
    ends: Vec<String>,
    /// The least time left, in centiseconds, that was sent.
    least: Option<u64>,
}

/// Lets two programs play `games` games of `variant`, which is called `name` here. XBoard does not check moves.
fn play(
    name: &str,
    variant: &str,
    games: usize,
    program: &str,
    flags: &str,
    script: Option<&Path>,
) -> Option<Record> {
    let [xboard, screen] = tools()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("xboard-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    // Under a name of its own, the engine can be found afterwards.
    let engine = folder.join("engine");
    fs::hard_link(env!("CARGO_BIN_EXE_quintain"), &engine)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_quintain"), &engine).map(drop))
        .unwrap();
    let program = if program.is_empty() { engine.to_str().unwrap() } else { program };
    let screen = Screen::new(&screen);
    let mut command = Command::new(xboard);
    command
        .args(["-fcp", program, "-scp", program, "-variant", variant, "-mg", &games.to_string()])
        .args(FLAGS.split_whitespace().chain(flags.split_whitespace()))
        .current_dir(&folder)
        .env("HOME", &folder)
        .env("DISPLAY", screen.name())
        .env("PATH", path_with_games())
        .env("QUINTAIN_TEST_ENGINE", &engine)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(script) = script {
        command.env("QUINTAIN_TEST_SCRIPT", script);
    }
    let mut child = command.spawn().expect("XBoard starts");
    let status = wait(&mut child, PATIENCE);
    let end = || {
        fs::read_to_string(folder.join("log"))
            .unwrap_or_default()
            .lines()
            .rev()
            .take(30)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let Some(status) = status else { panic!("{name}: no end after {PATIENCE:?}: {:#?}", end()) };
    assert!(status.success(), "{name}: XBoard ended with {status}: {:#?}", end());
    nobody_is_left(&engine);

    let read = |file: &str| {
        let bytes = fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{name}: {file}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let log = read("log");
    for bad in [
        "llegal",
        "orfeit",
        "Error (",
        "exited unexpectedly",
        "Bad FEN",
        "Unrecognized",
        "# internal error",
        "cannot follow",
    ] {
        assert_eq!(log.lines().find(|line| line.contains(bad)), None, "{name}");
    }
    let results = read("games.pgn");
    let results = results
        .lines()
        .filter_map(|line| Some(line.strip_prefix("[Result \"")?.trim_end_matches("\"]").into()));
    Some(Record {
        games: games_in(&log),
        results: results.collect(),
        positions: read("positions.fen")
            .lines()
            .filter(|line| line.contains('/'))
            .map(str::to_owned)
            .collect(),
    })
}

/// Waits for the end of a process; kills it and all that it started if that takes too long.
fn wait(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child to wait for") {
            return Some(status);
        }
        if began.elapsed() > patience {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// No process runs this program any more, or at least not for long.
fn nobody_is_left(engine: &Path) {
    let running = || {
        let Ok(processes) = fs::read_dir("/proc") else { return 0 };
        processes
            .filter_map(|entry| fs::read_link(entry.ok()?.path().join("exe")).ok())
            .filter(|exe| exe == engine)
            .count()
    };
    let began = Instant::now();
    while running() > 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "engines go on after the match");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Reads XBoard's log: lines like `423 <first : move e2e4` and `424 >second: time 6000`.
fn games_in(log: &str) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    let mut legs = [String::new(), String::new()];
    for line in log.lines() {
        if line.starts_with("New game (") {
            games.push(Game::default());
        }
        let Some(game) = games.last_mut() else { continue };
        let Some((time, rest)) = line.split_once(' ') else { continue };
        if time.parse::<u64>().is_err() {
            continue;
        }
        let Some((who, text)) = rest.split_once(": ") else { continue };
        if let Some(left) = text.strip_prefix("time ").filter(|_| who.starts_with('>')) {
            let left = left.trim().parse().unwrap();
            game.least = Some(game.least.map_or(left, |least: u64| least.min(left)));
        }
        let Some(engine) = who.strip_prefix('<') else { continue };
        if let Some(text) = text.strip_prefix("move ") {
            let leg = &mut legs[usize::from(engine.starts_with("second"))];
            leg.push_str(&in_legs(text.trim()));
            if !leg.ends_with(',') {
                game.sent.push(std::mem::take(leg));
            }
        } else if ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| text.starts_with(start)) {
            game.claims.push(text.trim().to_owned());
        } else if let Some(fen) = text.strip_prefix("# the last position: ") {
            game.ends.push(fen.trim().to_owned());
        }
    }
    games
}

/// Three legs in one, `d0d2xd4-d6h`, as XBoard relays them, `d0d2,d2d4,d4d6h`.
fn in_legs(text: &str) -> String {
    let squares: Vec<&str> = text.split(['x', '-']).collect();
    match *squares.as_slice() {
        [first, second, third] => {
            let digits = first.rfind(|c: char| c.is_ascii_lowercase()).unwrap();
            format!("{first},{}{second},{second}{third}", &first[digits..])
        }
        _ => text.to_owned(),
    }
}

// ---- The referee --------------------------------------------------------------------------------------------

/// Replays what was sent.
fn replay(name: &str, variant: &str, sent: &[String]) -> Box<dyn Session> {
    let mut session = engine::open(variant).unwrap();
    let mut mirror = Mirror::new(&*session);
    for (i, text) in sent.iter().enumerate() {
        let ply = mirror.numbering().parse(text).unwrap_or_else(|| panic!("{name}: {text}"));
        let relayed = mirror.board().relayed(&ply);
        match mirror.recognise(&*session, &relayed, Completion::Withheld) {
            Recognised::Part => {}
            Recognised::Move(text, _) => {
                session.play(&text).unwrap();
                mirror.complete(&*session);
            }
            Recognised::Nothing => panic!("{name}: {text}, ply {i}, is not legal in {}", session.fen()),
        }
    }
    assert_eq!(mirror.pending(), 0, "{name}: the last move is not complete");
    session
}

/// What XBoard shows of a position: pieces, facings, the side to move.
fn visible(fen: &str) -> (String, String, Option<String>) {
    let fields: Vec<&str> = fen.split(' ').collect();
    (
        fields[0].into(),
        fields[1].into(),
        fields.get(6).filter(|field| field.parse::<u32>().is_err()).map(|&field| field.into()),
    )
}

/// XBoard's last board is right.
fn same_board(name: &str, session: &dyn Session, position: &str) {
    let mut theirs = session.copy();
    let mirror = Mirror::new(session);
    position::set_up(&mut *theirs, mirror.quirks(), position)
        .unwrap_or_else(|error| panic!("{name}: {position}: {error}"));
    assert_eq!(
        visible(&theirs.fen()),
        visible(&session.fen()),
        "{name}: {position} after {:?}",
        session.played().last()
    );
}

// ---- Whole games --------------------------------------------------------------------------------------------

/// Two games, so that each copy has both colours and the second begins after the end of another.
fn whole_games(name: &str, variant: &str, name_for_xboard: &str, flags: &str, least: u64) {
    let Some(record) = play(name, name_for_xboard, 2, "", flags, None) else { return };
    assert_eq!((record.games.len(), record.results.len(), record.positions.len()), (2, 2, 2), "{variant}");
    for (i, game) in record.games.iter().enumerate() {
        let name = format!("{variant}, game {}", i + 1);
        let session = replay(&name, variant, &game.sent);
        let outcome =
            session.outcome().unwrap_or_else(|| panic!("{name}: not at its end: {}", session.fen()));
        let claim = format!("{} {{{outcome}}}", outcome.score());
        // The engine with the last move announces it at once; the other one too, unless XBoard has ended.
        assert!(
            !game.claims.is_empty() && game.claims.iter().all(|other| *other == claim),
            "{name}: {claim}: {:?}",
            game.claims
        );
        assert_eq!(record.results[i], outcome.score(), "{name}");
        same_board(&name, &*session, &record.positions[i]);
        for end in &game.ends {
            assert_eq!(*end, session.fen(), "{name}: an engine ended elsewhere");
        }
        assert!(game.least > Some(least), "{name}: hardly any time left: {:?}", game.least);
        assert!(session.played().len() >= 10 || outcome.reason == Reason::Checkmate, "{name}: hardly a game");
    }
    // Both engines announced the end of the first game.
    assert!(record.games[0].claims.len() == 2 && record.games[0].ends.len() == 2, "{variant}");
}

macro_rules! games {
    ($($name:ident $xboard:literal),* $(,)?) => {
        const WHOLE: &[Test] = &[$((concat!("whole::", stringify!($name)), || {
            let name = stringify!($name);
            whole_games(name, name, $xboard, "-depth 3", 500);
        })),*];
        const UNUSUAL: &[Test] = &[$((concat!("unusual::", stringify!($name)), || {
            unusual::unusual_moves(stringify!($name), $xboard);
        })),*];
    };
}

games! {
    canyon "canyon",
    diamond "diamond",
    grandcavalier "grandcavalier",
    superchess "superchess",
    superchessfixed "superchessfixed",
    gast "gast",
    gast14 "gast14",
    chess "normal",
    grand "grand",
}

/// Five seconds for a whole game, and a quarter of that for one of the engines; XBoard watches the clock.
fn nobody_loses_on_time_at_odds() {
    // A quarter of that must do on a busy machine.
    let flags = "-tc 0:08 -inc 0.4 -firstTimeOdds 4 -autoCallFlag true";
    whole_games("odds", "canyon", "canyon", flags, 0);
}

/// Two games of chess by UCI, with XBoard's default adapter.
fn chess_by_uci_through_an_adapter() {
    if program("polyglot").is_none() {
        return skip("polyglot is not installed (Debian: apt-get install polyglot)");
    }
    let Some(record) = play("adapter", "normal", 2, "", "-fUCI -sUCI -depth 3", None) else { return };
    assert_eq!((record.games.len(), record.results.len(), record.positions.len()), (2, 2, 2));
    for (i, game) in record.games.iter().enumerate() {
        let name = format!("adapter, game {}", i + 1);
        let session = replay(&name, "chess", &game.sent);
        assert_eq!(
            session.outcome().map(|outcome| outcome.score()),
            Some(record.results[i].as_str()),
            "{name}"
        );
        same_board(&name, &*session, &record.positions[i]);
    }
}

// ---- Games by mouse -----------------------------------------------------------------------------------------

macro_rules! by_mouse {
    ($($name:ident $game:literal $person:ident $fen:expr, $moves:literal;)*) => {
        const BY_MOUSE: &[Test] = &[$((concat!("by_mouse::", stringify!($name)), || {
            let script = Script { game: $game, person: Color::$person, fen: $fen, moves: $moves };
            mouse::play(stringify!($name), &script);
        })),*];
    };
}

/// A board of pawns' rows and castling partners.
const HALL: &str = "r2a2k1a2r/pppppppppppp/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/R2A2K1A2R w KQkq - 0 1";
const LARGE_HALL: &str =
    "r2a2k3a2r/pppppppppppppp/14/14/14/14/14/14/14/14/PPPPPPPPPPPPPP/R2A2K3A2R w KQkq - 0 1";
const PROMOTING: &str = "14/1P12/14/7k6/14/14/14/14/7K6/14/1p12/14 w - - 0 1";
/// A queen and a rook of each side have been taken.
const CAPTURED: &str = "9k/10/2P7/10/10/10/10/5p4/10/K9[QRqr] w - - 0 1";
const CYCLOPS: &str = "3gk5/10/10/10/10/10/10/10/10/3CK5 w - - 0 1";

by_mouse! {
    canyon_exchange "canyon" White None, "d2b2 d7b7 e2g2 e7g7 c3c4";
    canyon_exchange_black "canyon" Black None, "d2b2 d7b7 e2g2 e7g7";
    canyon_promotion "canyon" White
        Some("1******1/2*k1*2/8/*1P3p*/*6*/8/2*K1*2/1******1 w - - 0 1"), "c5c6n g5g4 c6d4 g4g3m";
    canyon_promotion_black "canyon" Black
        Some("1******1/2*k1*2/8/*1P3p*/*6*/8/2*K1*2/1******1 w - - 0 1"), "c5c6n g5g4 c6d4 g4g3m";
    diamond_side_step "diamond" White
        Some("****k****/***1n1***/**5**/*P6*/4*4/*3P2p*/**5**/***3***/****K**** w - - 0 1"),
        "b6c6 h4g4 e4d4 g4g3";
    diamond_side_step_black "diamond" Black
        Some("****k****/***1n1***/**5**/*P6*/4*4/*3P2p*/**5**/***3***/****K**** w - - 0 1"),
        "b6c6 h4g4 e4d4 g4g3";
    diamond_promotion "diamond" White
        Some("****k****/***3***/**1P3**/*7*/4*4/*7*/**1p3**/***3***/****K**** w - - 0 1"),
        "d7d8n e9f8 d8c6 d3d2a";
    diamond_promotion_black "diamond" Black
        Some("****k****/***3***/**1P3**/*7*/4*4/*7*/**1p3**/***3***/****K**** w - - 0 1"),
        "d7d8n e9f8 d8c6 d3d2a";
    grandcavalier_promotion "grandcavalier" White
        Some("9k/10/1V8/10/10/10/10/8v1/10/K9 w - - 0 1"), "b8a10p j10j9 a10c9 i3j1m a1b2";
    grandcavalier_promotion_black "grandcavalier" Black
        Some("9k/10/1V8/10/10/10/10/8v1/10/K9 w - - 0 1"), "b8a10p j10j9 a10c9 i3j1m";
    grandcavalier_riders "grandcavalier" White
        Some("9k/10/p9/10/3q6/10/10/p9/1N8/C8K w - - 0 1"), "b2d6 j10i10 a1a8";
    grandcavalier_riders_black "grandcavalier" Black
        Some("c8k/1n8/P9/10/10/3Q6/10/P9/10/9K w - - 0 1"), "j1i1 b9d5 i1j1 a10a3";
    superchess_setup "superchess" White None,
        "S@c2,S@h2 S@b9,S@i9 d1d1ne d10d10e d1f3n e9e7 f3f5sw";
    superchess_setup_black "superchess" Black None,
        "S@c2,S@h2 S@b9,S@i9 d1d1ne d10d10w d1f3n d10d10sw f3f5sw e9e7";
    superchess_run_and_shot "superchessfixed" White
        Some("r3k4r/10/3p2p3/10/6p3/3p6/10/3p6/3C2A3/R3K4R w KQkq - 0 1"),
        "d2d5se g8g7 g2g6 d8d7 e1c1 e10c10 d5d5w c10b10 j1e1";
    superchess_run_and_shot_black "superchessfixed" Black
        Some("r3k4r/3g2a3/3P6/10/3P6/6P3/10/3P2P3/10/R3K4R w KQkq - 0 1"),
        "g3g4 d9d6se d3d4 g9g5 e1c1 e10c10 c1b1 d6d6w j1i1";
    superchess_retreat "superchessfixed" White
        Some("4k5/10/10/10/10/10/3C6/3P6/3N6/4K5 w - - 0 1"), "d4d1e e10e9 d1d1s e9d9";
    superchess_retreat_black "superchessfixed" Black
        Some("4k5/3n6/3p6/3g6/10/10/10/10/P9/4K5 w - - 0 1"), "a2a3 d7d10e a3a4 d10d10s a4a5";
    superchess_facings "superchessfixed" White
        Some(CYCLOPS), "d1d1ne d10d10ne d1d1e d10d10e d1d1se d10d10se d1d1s d10d10s d1d1sw d10d10sw d1d1w d10d10w d1d1nw d10d10nw d1d1n d10d10n";
    superchess_facings_black "superchessfixed" Black
        Some(CYCLOPS), "d1d1ne d10d10ne d1d1e d10d10e d1d1se d10d10se d1d1s d10d10s d1d1sw d10d10sw d1d1w d10d10w d1d1nw d10d10nw d1d1n d10d10n";
    superchess_pawns "superchessfixed" White
        Some("4k5/2p7/10/1P8/6p3/5p4/4S5/4p5/4S5/4K5 w - - 0 1"),
        "e4g6 f5f4 e2e4 c9c7 b7c8 e10f10 c8c9 f10f9 c9c10cse f9f8";
    gast_both "gast" White Some(HALL), "g1k1 g12k12 a2a6 l11l7";
    gast_both_black "gast" Black Some(HALL), "g1k1 g12k12 a2a6 l11l7";
    gast_one_by_one "gast" White Some(HALL), "g1i1 g12i12 i1k1 i12k12";
    gast_one_by_one_black "gast" Black Some(HALL), "g1i1 g12i12 i1k1 i12k12";
    gast_other_side "gast" White Some(HALL), "g1c1 g12c12";
    gast_other_side_black "gast" Black Some(HALL), "g1c1 g12c12";
    gast_other_side_one_by_one "gast" White Some(HALL), "g1e1 g12e12 e1c1 e12c12";
    gast_passing "gast" White None, "b2b6 l11l10 b6b7 a11a7 b7a8";
    gast_passing_black "gast" Black None, "l2l3 c11c7 a2a6 c7a5";
    gast_promotion "gast" White
        Some("7k4/1P10/12/12/12/12/12/12/12/12/1p10/7K4 w - - 0 1"), "b11b12g b2b1a";
    gast14_promotion "gast14" White Some(PROMOTING), "b11b12o b2b1g";
    gast14_promotion_black "gast14" Black Some(PROMOTING), "b11b12n b2b1o";
    gast14_both "gast14" White Some(LARGE_HALL), "g1k1 g12k12 n2n6";
    gast14_both_black "gast14" Black Some(LARGE_HALL), "g1k1 g12k12";
    gast14_other_side "gast14" White Some(LARGE_HALL), "g1c1 g12c12";
    gast14_one_by_one_black "gast14" Black Some(LARGE_HALL), "g1i1 g12i12 i1k1 i12k12";
    gast14_passing "gast14" White None, "b2b6 n11n10 b6b7 a11a7 b7a8";
    chess_castling "chess" White None,
        "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6 b7a8n f8e7 g1f3 e8g8 f1e2 d8c7 e1g1";
    chess_passing "chess" White None, "e2e4 a7a6 e4e5 d7d5 e5d6";
    grand_promotion "grand" White Some(CAPTURED), "c8c9 j10j9 c9c10q f3f2r";
    grand_promotion_at_once "grand" White Some(CAPTURED), "c8c9r f3f2";
    grand_promotion_black "grand" Black Some(CAPTURED), "c8c9r f3f2 a1a2 f2f1q";
    grand_passing "grand" White None, "e3e5 a8a7 e5e6 d8d6 e6d7";
}
