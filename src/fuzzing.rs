//! Functions that take any bytes and panic if something does not hold that must. `fuzz/` has a target of `cargo fuzz`
//! for each, and inputs that are tested here. Not part of the API.

use crate::engine::{self, Engine, NAMES, Options, Session};
use crate::eval::Evaluate;
use crate::notation::pgn;
use crate::search::Limits;
use crate::search::score::UciScore;
use crate::study::book::VARIED;
use crate::study::{Book, puzzle};
use crate::tools::suite;
use crate::variants::diamond::Diamond;
use quintain_board as web;
use quintain_play::game::{level, reading, time};
use quintain_protocol::{self as protocol, uci};
use quintain_tournament::comment::EngineComment;
use quintain_tournament::record::Stored;
use quintain_tournament::settings::Settings;
use quintain_tournament::standings::Standings;
use quintain_tournament::{book, cecp, report, words};
use quintain_xboard::board::Quirks;
use quintain_xboard::text::Numbering;
use quintain_xboard::{movetext, position};
use std::fmt::Display;

/// A target: its name, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 11] = [
    ("fen", fen),
    ("moves", moves),
    ("pgn", pgn),
    ("uci", uci),
    ("cecp", cecp),
    ("room", room),
    ("saved", saved),
    ("network", network),
    ("results", results),
    ("study", study),
    ("tables", tables),
];

/// Checks that an error says something, and not too much.
fn check_error(error: impl Display) {
    let text = error.to_string();
    assert!(!text.trim().is_empty(), "an error without words");
    assert!(text.len() < 4096, "a long error: {text}");
}

/// The first byte chooses a game.
fn game(bytes: &[u8]) -> Option<(Box<dyn Session>, String)> {
    let (&first, text) = bytes.split_first()?;
    let session = engine::open(NAMES[usize::from(first) % NAMES.len()]).ok()?;
    Some((session, String::from_utf8_lossy(text).into_owned()))
}

/// Sets up the position anew from its text, and compares.
fn check_position(session: &dyn Session) {
    let fen = session.fen();
    let mut copy = session.copy();
    copy.set_position(Some(&fen), &[]).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!((copy.fen(), copy.key()), (fen, session.key()));
}

/// A FEN, and all moves from it.
pub fn fen(bytes: &[u8]) {
    let Some((mut session, text)) = game(bytes) else { return };
    if let Err(error) = session.set_position(Some(&text), &[]) {
        return check_error(error);
    }
    check_position(&*session);
    let fen = session.fen();
    let mut turned = session.copy();
    if turned.flip().is_ok() {
        check_position(&*turned);
        turned.flip().expect("what is flipped can be flipped back");
        assert_eq!(turned.fen(), fen);
    }
    if turned.pass().is_ok() {
        check_position(&*turned);
    }
    let (outcome, moves) = (session.outcome(), session.moves());
    session.evaluate(None);
    session.remark();
    for text in moves {
        session.play(&text).unwrap_or_else(|error| panic!("{fen}: {error}"));
        check_position(&*session);
        assert!(session.undo());
        assert_eq!(session.fen(), fen, "after {text} and undo");
    }
    assert_eq!(session.outcome(), outcome);
}

/// A position in the first line, or nothing for the start, and moves as people type them in the others.
pub fn moves(bytes: &[u8]) {
    const MOST: usize = 100;
    let Some((mut session, text)) = game(bytes) else { return };
    let mut lines = text.lines();
    let start = lines.next().map(str::trim).filter(|start| !start.is_empty());
    if let Err(error) = session.set_position(start, &[]) {
        return check_error(error);
    }
    for line in lines.take(MOST) {
        let before = session.fen();
        match session.play_any(line) {
            Ok(info) => {
                let after = session.fen();
                assert!(session.undo());
                assert_eq!(session.fen(), before, "{line} is undone");
                for text in [&info.san, &info.text] {
                    let again =
                        session.copy().play_any(text).unwrap_or_else(|error| panic!("{before}: {error}"));
                    assert_eq!(again, info, "{text}");
                }
                session.play(&info.text).expect("a move that is legal");
                assert_eq!(session.fen(), after);
            }
            Err(error) => {
                assert_eq!(session.fen(), before, "a refused move changes nothing");
                check_error(error);
            }
        }
    }
    check_position(&*session);
    assert!(session.played().len() <= MOST);
    // All would take long on the large boards.
    for info in session.moves_in_full().iter().step_by(16) {
        for text in [&info.san, &info.text] {
            let read =
                session.copy().play_any(text).unwrap_or_else(|error| panic!("{}: {error}", session.fen()));
            assert_eq!(read, *info, "{text}");
        }
    }
}

/// Games as PGN: what is understood of them is written, and read back as the same.
pub fn pgn(bytes: &[u8]) {
    let text = pgn::decode(bytes.to_vec());
    web::fuzzing::records(&text);
    for game in pgn::games(&text) {
        game.errors.iter().for_each(check_error);
        let name = game.tag("Variant").and_then(|tag| reading::variant(tag).ok()).unwrap_or("chess");
        // XBoard's notation may be read in very many ways.
        let dear = game.tag("VariantMen").is_some() && game.moves.len() > 8;
        if dear {
            continue;
        }
        let mut session = engine::open(name).expect("a game");
        let read = match reading::interpret(&mut *session, game) {
            Ok(read) => read,
            Err(error) => {
                check_error(format!("{error:#}"));
                continue;
            }
        };
        read.complaints().iter().for_each(check_error);
        let (start, moves) = (session.fen(), read.moves());
        for text in &moves {
            session.play(text).unwrap_or_else(|error| panic!("{start}: {error}"));
        }
        check_position(&*session);
        session.set_position(Some(&start), &[]).expect("what was read before");
        // What is not understood in a variation may be read as something else.
        let written = reading::ours(&*session, read.game).to_string();
        let mut again = pgn::games(&written);
        let second = again.next().unwrap_or_else(|| panic!("no game in {written}"));
        assert!(again.next().is_none(), "several games in {written}");
        let reading = reading::interpret(&mut *session, second);
        let reading = reading.unwrap_or_else(|error| panic!("{error:#}: {written}"));
        assert_eq!(reading.moves(), moves, "{written}");
    }
}

/// A session of UCI.
pub fn uci(bytes: &[u8]) {
    uci::fuzzing::session(&String::from_utf8_lossy(bytes));
}

/// A session of CECP.
pub fn cecp(bytes: &[u8]) {
    protocol::cecp::fuzzing::session(&String::from_utf8_lossy(bytes));
}

/// Commands of a page of the board, one a line.
pub fn room(bytes: &[u8]) {
    web::fuzzing::room(&String::from_utf8_lossy(bytes));
}

/// A saved game of the board.
pub fn saved(bytes: &[u8]) {
    web::fuzzing::saved(&String::from_utf8_lossy(bytes));
}

/// A network: bytes as they are, or changes of the network of a small game with a checksum that matches.
pub fn network(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let options = Options { variant: "diamond", hash: 1, ..Options::default() };
    let mut engine = Engine::new(options).expect("an engine");
    if first % 2 == 0 {
        if let Err(error) = engine.set_network(Some(bytes)) {
            return check_error(error);
        }
    } else {
        // The place of the checksum, and what it covers.
        const SUM: std::ops::Range<usize> = 8..12;
        let mut file = Diamond::network().parameters().to_bytes::<Diamond>();
        let end = file.len();
        for change in bytes.as_chunks::<8>().0 {
            // From the start or from the end of the file, so many numbers.
            let [from, at @ .., count, low, high] = *change;
            let at = 2 * at.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)) % (end / 2 * 2);
            let at = if from % 2 == 0 { at } else { end - 2 - at };
            let covered = at.max(SUM.end)..(at + 2 * usize::from(count)).clamp(at.max(SUM.end), end);
            file[covered].as_chunks_mut::<2>().0.fill([low, high]);
        }
        let sum = crc32fast::hash(&file[SUM.end..]).to_le_bytes();
        file[SUM].copy_from_slice(&sum);
        if let Err(error) = engine.set_network(Some(&file)) {
            return check_error(error);
        }
    }
    let score = engine.evaluate();
    assert!(matches!(score, UciScore::Centipawns(_)), "{score:?}");
    engine.think(&Limits { nodes: Some(50), ..Limits::default() }, &|_| ());
}

/// A file of results of a match, and all that is made of it.
pub fn results(bytes: &[u8]) {
    let stored = match Stored::from_reader(bytes, "results".as_ref()) {
        Ok(stored) => stored,
        Err(error) => return check_error(format!("{error:#}")),
    };
    stored.warnings.iter().for_each(check_error);
    let names = &stored.header.names;
    let settings = match Settings::read(&stored.header.settings) {
        Ok(settings) => settings,
        Err(error) => return check_error(format!("{error:#}")),
    };
    settings.plan().total();
    let mut standings = Standings::new(names.len(), settings.repeat);
    for mut game in stored.games {
        standings.add(&game);
        match game.complete(settings.variant) {
            Ok(()) => {
                let written = game.to_pgn(&settings, names).to_string();
                assert_eq!(pgn::parse(&written).map(|games| games.len()), Ok(1), "{written}");
            }
            Err(error) => check_error(format!("{error:#}")),
        }
    }
    report::summary(&settings, names, &standings);
}

/// An opening book, or a list of puzzles: the first byte chooses which.
pub fn study(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let text = &*String::from_utf8_lossy(rest);
    if first % 2 == 0 {
        match Book::parse(text) {
            Ok(mut book) => {
                let written = book.to_text("");
                let again = Book::parse(&written).map(|mut again| again.to_text(""));
                assert_eq!(again, Ok(written));
                let start = engine::open(book.game()).expect("a game of the list");
                if let Some(choice) = book.choose(&*start, 100, VARIED, 1) {
                    start.find(&choice.text).expect("a legal move");
                }
            }
            Err(error) => check_error(error),
        }
    } else {
        match puzzle::parse(text) {
            Ok((game, puzzles)) => {
                let written = puzzle::to_text(game, &puzzles, "");
                let again = puzzle::parse(&written).map(|(game, again)| puzzle::to_text(game, &again, ""));
                assert_eq!(again, Ok(written));
            }
            Err(error) => check_error(error),
        }
    }
}

/// Everything else that is read: the first byte chooses what.
pub fn tables(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let text = &*String::from_utf8_lossy(rest);
    let told = |read: anyhow::Result<()>| {
        if let Err(error) = read {
            check_error(format!("{error:#}"));
        }
    };
    match first % 8 {
        0 => told(suite::parse(text).map(drop)),
        1 => told(words::from_toml(text).and_then(|groups| settings(&groups))),
        2 => {
            let words = shlex::split(text).unwrap_or_default();
            told(words::from_command_line(&words).and_then(|groups| settings(&groups)));
        }
        3 => {
            let Some((mut session, text)) = game(rest) else { return };
            told(book::set_epd(&mut *session, &text).map(|()| check_position(&*session)));
        }
        4 => {
            let Some((session, text)) = game(rest) else { return };
            let words: Vec<&str> = text.split_whitespace().take(6).collect();
            match movetext::read(&*session, &words) {
                Ok(readings) => {
                    let mut session = session.copy();
                    for reading in readings {
                        session.play(&reading.text).expect("moves that are read are legal");
                    }
                }
                Err(wrong) => assert!(wrong <= words.len()),
            }
        }
        5 => {
            let Some((mut session, text)) = game(rest) else { return };
            let info = session.info();
            match position::set_up(&mut *session, &Quirks::new(&info), &text) {
                Ok(()) => check_position(&*session),
                Err(error) => check_error(error),
            }
        }
        6 => {
            for line in text.lines() {
                told(quintain_tune::games::replay::<Diamond>(line, &mut |_| ()));
            }
        }
        _ => {
            if let Some(comment) = EngineComment::parse(text) {
                let written = comment.to_string();
                assert_eq!(EngineComment::parse(&written).map(|read| read.to_string()), Some(written));
            }
            if let Some(said) = level::read(text).err() {
                check_error(said);
            }
            let numbering = Numbering::new(10, 10);
            numbering.ours(text);
            numbering.parse(text);
            crate::search::limits::seconds(text);
            time::utc(text.len() as u64);
            cecp::thinking(text);
            cecp::features_of(text);
            quintain_tournament::uci::info(text);
        }
    }
}

fn settings(groups: &[words::Group]) -> anyhow::Result<()> {
    let settings = Settings::read(groups)?;
    let plan = settings.plan();
    assert!(plan.total() >= plan.openings());
    plan.tasks(settings.shard).take(10).for_each(drop);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};
    use std::panic::catch_unwind;
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};
    use std::{env, fs};

    /// An input of a corpus, and its file.
    type Input = (PathBuf, Vec<u8>);

    fn corpus(name: &str) -> Vec<Input> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let paths = files.map(|file| file.expect("an entry").path());
        let mut inputs: Vec<Input> =
            paths.map(|path| (path.clone(), fs::read(&path).expect("a file"))).collect();
        assert!(inputs.len() >= 10, "{} inputs in {}", inputs.len(), folder.display());
        inputs.sort();
        inputs
    }

    /// Runs a target on the inputs in its folder, and then for `FUZZ_SECONDS` (else for one) on inputs that differ from
    /// them by a few pieces, which are random or from other inputs.
    fn run(name: &str) {
        let (_, target) = TARGETS.into_iter().find(|(known, _)| *known == name).expect("a target");
        let corpus = corpus(name);
        for (path, bytes) in &corpus {
            assert!(catch_unwind(|| target(bytes)).is_ok(), "{}", path.display());
        }
        let inputs: Vec<Vec<u8>> = corpus.into_iter().map(|(_, bytes)| bytes).collect();
        let cut = (select(inputs.clone()), any::<Index>(), 0..40_usize).prop_map(|(bytes, start, length)| {
            let start = start.index(bytes.len() + 1);
            bytes[start..(start + length).min(bytes.len())].to_vec()
        });
        let edit = (any::<Index>(), 0..10_usize, prop_oneof![vec(any::<u8>(), 0..5), cut]);
        let changed = (select(inputs), vec(edit, 1..5)).prop_map(|(mut bytes, edits)| {
            for (start, length, piece) in edits {
                let start = start.index(bytes.len() + 1);
                bytes.splice(start..(start + length).min(bytes.len()), piece);
            }
            bytes
        });
        let seconds =
            env::var("FUZZ_SECONDS").map_or(1, |text| text.parse().expect("FUZZ_SECONDS: a number"));
        let (start, limit) = (Instant::now(), Duration::from_secs(seconds));
        while start.elapsed() < limit {
            let few = ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() };
            proptest!(few, |(bytes in &changed)| target(&bytes));
        }
    }

    macro_rules! run {
        ($($name:ident)*) => {
            $(#[test] fn $name() { run(stringify!($name)); })*
            #[test]
            fn each_target_is_run() {
                assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($name)),*]);
            }
        };
    }

    run!(fen moves pgn uci cecp room saved network results study tables);
}
