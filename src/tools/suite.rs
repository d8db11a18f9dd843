//! Perft suites: files of positions with known counts.
//!
//! A line has a FEN and its counts, `FEN ;D1 20 ;D2 400`. Lines that begin with `#` are comments; they name the
//! source of the lines that follow. The game is the file's stem: `canyon.epd` has positions of `canyon`.

use crate::engine;
use crate::rules::perft::{Counting, in_parallel};
use anyhow::{Context, Result, anyhow, bail};
use quintain_io::files::{self, MB};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A position with its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The line of the file, from 1.
    pub line: usize,
    /// The position.
    pub fen: String,
    /// Depths, each with the number of move sequences of that length.
    pub counts: Vec<(u32, u64)>,
}

/// A file of entries.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Where it was read from.
    pub path: PathBuf,
    /// The name of the game.
    pub game: String,
    /// The positions.
    pub entries: Vec<Entry>,
}

/// A wrong count.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Where in the suite the position stands.
    pub entry: Entry,
    /// The depth that was counted.
    pub depth: u32,
    /// The known count.
    pub expected: u64,
    /// The count found.
    pub found: u64,
}

/// The result of checking a suite.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of counts that were checked.
    pub counts: usize,
    /// The number of move sequences that were counted.
    pub nodes: u64,
    /// The counts that are wrong, in the order of the file.
    pub wrong: Vec<Wrong>,
}

/// Reads the lines of a suite. The error names the line.
pub fn parse(text: &str) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if !content.is_empty() && !content.starts_with('#') {
            entries.push(parse_line(line, content).with_context(|| format!("line {line}"))?);
        }
    }
    Ok(entries)
}

fn parse_line(line: usize, content: &str) -> Result<Entry> {
    let mut fields = content.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default().to_owned();
    let count = |field: &str| -> Option<(u32, u64)> {
        let (depth, count) = field.strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    };
    let counts: Vec<(u32, u64)> = fields
        .map(|field| {
            count(field).ok_or_else(|| anyhow!("'{field}' is not a depth with its count, like D2 400"))
        })
        .collect::<Result<_>>()?;
    if counts.is_empty() {
        bail!("no counts follow the position, like ;D1 20 ;D2 400");
    }
    Ok(Entry { line, fen, counts })
}

/// The most bytes of a suite.
const MOST: u64 = 100 * MB;

/// The suites at `path`: that file, or all files of that folder whose names end in `.epd`, sorted.
pub fn read_all(path: &Path) -> Result<Vec<Suite>> {
    let kind = fs::metadata(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    if !kind.is_dir() {
        return Ok(vec![Suite::read(path)?]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("cannot read '{}'", path.display()))? {
        let file = entry.with_context(|| format!("cannot read '{}'", path.display()))?.path();
        if file.extension().is_some_and(|extension| extension == "epd") {
            files.push(file);
        }
    }
    if files.is_empty() {
        bail!("{} contains no file whose name ends in .epd", path.display());
    }
    files.sort();
    files.iter().map(|file| Suite::read(file)).collect()
}

impl Suite {
    /// Reads a suite from a file named after its game.
    pub fn read(path: &Path) -> Result<Suite> {
        // Not from a pipe: the name of the file is that of the game.
        let text = String::from_utf8(files::read(path, MOST)?)
            .with_context(|| format!("cannot read '{}'", path.display()))?;
        let entries = parse(&text).with_context(|| path.display().to_string())?;
        let game = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        engine::info(&game).with_context(|| path.display().to_string())?;
        Ok(Suite { path: path.into(), game, entries })
    }

    /// The number of counts that are not above `max_nodes`, and their sum.
    pub fn size(&self, max_nodes: u64) -> (usize, u64) {
        let within = |counts: &[(u32, u64)]| {
            let nodes = counts.iter().map(|count| count.1).filter(|&nodes| nodes <= max_nodes);
            nodes.fold((0, 0), |(counts, sum), nodes| (counts + 1, sum + nodes))
        };
        let sizes = self.entries.iter().map(|entry| within(&entry.counts));
        sizes.fold((0, 0), |(counts, sum), (more, nodes)| (counts + more, sum + nodes))
    }

    /// Checks every count that is not above `max_nodes`, on so many threads. `done` is called, from any of
    /// them, with the known count after each. The error is a position that cannot be read.
    pub fn check(&self, max_nodes: u64, threads: usize, done: &(impl Fn(u64) + Sync)) -> Result<Tally> {
        let mut jobs = Vec::new();
        for entry in &self.entries {
            let mut session = engine::open(&self.game)?;
            let place = || format!("{}: line {}: {}", self.path.display(), entry.line, entry.fen);
            session.set_position(Some(&entry.fen), &[]).with_context(place)?;
            let counts = entry.counts.iter().filter(|&&(_, expected)| expected <= max_nodes);
            jobs.extend(counts.map(|&(depth, expected)| (entry, depth, expected, session.copy())));
        }
        // The longest first, so that no thread is left with a long one at the end.
        jobs.sort_by_key(|job| std::cmp::Reverse(job.2));
        let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
        let work = || {
            while let Some((entry, depth, expected, session)) = jobs.get(next.fetch_add(1, Relaxed)) {
                let (depth, expected) = (*depth, *expected);
                let found = session.perft(depth, Counting::Bulk);
                done(expected);
                let mut tally = tally.lock().expect("another thread panicked");
                tally.counts += 1;
                tally.nodes += found;
                if found != expected {
                    tally.wrong.push(Wrong { entry: Entry::clone(entry), depth, expected, found });
                }
            }
        };
        in_parallel(threads, &work);
        let mut tally = tally.into_inner().expect("no thread panicked");
        tally.wrong.sort_by_key(|wrong| (wrong.entry.line, wrong.depth));
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "# source\n\n  8/8 w - - ;D1 20 ;D2  400\nfen ;D0 1\n";
        let entry = |line, fen: &str, counts| Entry { line, fen: fen.into(), counts };
        assert_eq!(
            parse(text).unwrap(),
            [entry(3, "8/8 w - -", vec![(1, 20), (2, 400)]), entry(4, "fen", vec![(0, 1)])]
        );
    }

    #[test]
    fn nonsense_is_refused_with_its_line() {
        let error = |text: &str| format!("{:#}", parse(text).unwrap_err());
        assert_eq!(error("#\nfen"), "line 2: no counts follow the position, like ;D1 20 ;D2 400");
        for nonsense in ["D1", "1 20", "D1 x", "Dx 1", "D1 -1", "D1 1 2", ""] {
            let expected = format!("line 1: '{nonsense}' is not a depth with its count, like D2 400");
            assert_eq!(error(&format!("fen ;{nonsense}")), expected);
        }
    }

    #[test]
    fn a_wrong_count_is_found_and_one_above_the_cap_is_not_counted() {
        let entries = parse(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401 ;D3 8902\n\
             8/8/8/8/8/k7/8/K7 w - - ;D2 5 ;D1 2",
        );
        let suite = Suite { path: "chess.epd".into(), game: "chess".into(), entries: entries.unwrap() };
        assert_eq!(suite.size(8901), (4, 428));
        let tally = suite.check(8901, 2, &|_| ()).unwrap();
        let wrong: Vec<_> =
            tally.wrong.iter().map(|w| (w.entry.line, w.depth, w.expected, w.found)).collect();
        assert_eq!((tally.counts, tally.nodes), (4, 424));
        assert_eq!(wrong, [(1, 2, 401, 400), (2, 1, 2, 1), (2, 2, 5, 3)]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let entries = vec![Entry { line: 7, fen: "8/8 w - -".into(), counts: vec![(1, 1)] }];
        let suite =
            |game: &str| Suite { path: "x/y.epd".into(), game: game.into(), entries: entries.clone() };
        let error = |game| format!("{:#}", suite(game).check(10, 1, &|_| ()).unwrap_err());
        assert_eq!(error("chess"), "x/y.epd: line 7: 8/8 w - -: placement: 2 ranks instead of 8");
        assert!(error("checkers").starts_with("there is no game called 'checkers'; the games are canyon, "));
    }
}
