//! Whole games between two copies of the engine inside the real XBoard, on an invisible screen.
//!
//! Needs Debian's `xboard` and `xvfb`. Where they are missing the tests say so and do nothing, except in CI, where they
//! fail.

use quintain::engine;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A game must be over by then; it takes seconds.
const PATIENCE: Duration = Duration::from_secs(400);

fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let candidates = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    candidates.into_iter().find(|file| file.is_file())
}

/// XBoard and the screen, or `None` after saying what is missing.
fn tools() -> Option<(PathBuf, PathBuf)> {
    match (program(&["xboard"]), program(&["xvfb-run"])) {
        (Some(xboard), Some(xvfb)) => Some((xboard, xvfb)),
        (xboard, _) => {
            let missing = if xboard.is_none() { "xboard" } else { "xvfb" };
            assert!(std::env::var_os("CI").is_none(), "{missing} is not installed");
            eprintln!("skipped: {missing} is not installed (Debian: apt-get install xboard xvfb)");
            None
        }
    }
}

/// Everything that a match left behind.
struct Match {
    log: String,
    game: String,
    position: String,
}

/// Lets two copies play one game of `variant` at two plies a move, XBoard itself judging nothing.
fn play(variant: &str) -> Option<Match> {
    let (xboard, xvfb) = tools()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("xboard-{variant}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the match");
    let engine = env!("CARGO_BIN_EXE_quintain");
    // Without legality testing XBoard knows no rule, and the last line of flags keeps it from ending the game.
    let flags = "-mm -xexit -mg 1 -tc 10 -inc 1 -depth 2 -saveSettingsOnExit false -debug -nameOfDebugFile log \
                 -sgf game.pgn -spf position.fen -testLegality false -autoCallFlag false -repeatsToDraw 0 \
                 -ruleMoves 0 -checkMates false -testClaims false -materialDraws false -trivialDraws false \
                 -adjudicateLossThreshold 0 -adjudicateDrawMoves 0";
    let mut child = Command::new(xvfb)
        .args(["-a"])
        .arg(xboard)
        .args(["-fcp", engine, "-scp", engine, "-variant", variant])
        .args(flags.split_whitespace())
        .current_dir(&folder)
        .env("HOME", &folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("xvfb-run starts");
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child to wait for") {
            break status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{variant}: no end after {PATIENCE:?}; see {}", folder.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.success(), "{variant}: xboard ended with {status}; see {}", folder.display());
    let read = |name: &str| {
        let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{variant}: {name}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Some(Match { log: read("log"), game: read("game.pgn"), position: read("position.fen") })
}

/// What an engine said at the end, as `1-0 {White mates}`; one entry for each time that it was said.
fn claims<'l>(log: &'l str, engine: &str) -> Vec<&'l str> {
    let said = format!("<{engine}");
    let lines = log.lines().filter_map(|line| line.split_once(' ').map(|(_, rest)| rest));
    let lines = lines
        .filter_map(|line| line.strip_prefix(said.as_str())?.split_once(": ").map(|(_, text)| text.trim()));
    lines.filter(|text| ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| text.starts_with(start))).collect()
}

fn whole_game(variant: &str, name_for_xboard: &str) {
    let Some(Match { log, game, position }) = play(name_for_xboard) else { return };
    for bad in ["Illegal", "illegal", "forfeit", "Error (", "exited unexpectedly", "Bad FEN"] {
        let line = log.lines().find(|line| line.contains(bad));
        assert_eq!(line, None, "{variant}");
    }
    // Both copies see the same end, and XBoard writes it down.
    let (first, second) = (claims(&log, "first"), claims(&log, "second"));
    let all: Vec<&str> = first.iter().chain(&second).copied().collect();
    assert!(!all.is_empty(), "{variant}: nobody claimed a result");
    assert!(all.iter().all(|claim| *claim == all[0]), "{variant}: {all:?}");
    let (score, reason) = all[0].split_once(" {").expect("a reason");
    let reason = reason.trim_end_matches('}');
    assert!(game.contains(&format!("[Result \"{score}\"]")), "{variant}: {score} {reason}\n{game}");
    let text = game.replace('\n', " ");
    assert!(text.contains(&format!("{{{reason}}}")), "{variant}: {score} {reason}\n{game}");
    assert!(log.matches("move ").count() > 20, "{variant}: hardly a game");

    // XBoard's last board is, by our rules, what the claim says: a mate is a mate.
    if reason.ends_with("mates") {
        let board = position.lines().last().expect("a last position");
        let mut session = engine::open(variant).expect("a game");
        let fen = own_fen(variant, board);
        session.set_position(Some(&fen), &[]).unwrap_or_else(|error| panic!("{variant}: {fen}: {error}"));
        let outcome = session.outcome().unwrap_or_else(|| panic!("{variant}: no mate in {fen}"));
        assert_eq!((outcome.score(), outcome.to_string().as_str()), (score, reason), "{variant}");
    }
}

/// XBoard's FEN as ours: without holdings, rights and what it writes about them; letters for facings as facings.
fn own_fen(variant: &str, theirs: &str) -> String {
    let info = engine::info(variant).expect("a game");
    let placement = theirs.split([' ', '[']).next().expect("a placement");
    let side = theirs.split(' ').nth(1).expect("a side");
    let Some((letter, facings)) = info.xboard.facings else {
        return format!("{placement} {side} - -");
    };
    // The letters name directions as White sees them; Black's compass is turned round.
    let names = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    let mut extra = Vec::new();
    let own: String = placement
        .chars()
        .map(|c| match facings.iter().position(|facing| facing.eq_ignore_ascii_case(&c)) {
            Some(i) => {
                extra.push(names[if c.is_ascii_uppercase() { i } else { (i + 4) % 8 }]);
                if c.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
            }
            None => c,
        })
        .collect();
    let extra = if extra.is_empty() { "-".into() } else { extra.join(",") };
    format!("{own} {side} - - 0 1 {extra}")
}

macro_rules! whole_games {
    ($($name:ident $xboard:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            whole_game(stringify!($name), $xboard);
        })*
    };
}

whole_games! {
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
