//! Openings from files.

use super::schedule;
use super::settings::OpeningSpec;
use anyhow::{Context, Result, bail, ensure};
use quintain_core::notation::pgn;
use quintain_engine::{self as engine, Session};
use quintain_io::files;
use quintain_play::game::reading;

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The position that is set up; `None` for the start of the game.
    pub fen: Option<String>,
    /// Moves that are played from there, as coordinates.
    pub moves: Vec<String>,
}

/// The openings of a match, in the order of their use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    openings: Vec<Opening>,
    order: Vec<usize>,
    start: u64,
    random: bool,
    fingerprint: u64,
}

impl Book {
    /// Reads the openings of a match; without a file every game begins at the start.
    pub fn open(spec: Option<&OpeningSpec>, variant: &str, seed: u64) -> Result<Book> {
        let Some(spec) = spec else {
            let openings = vec![Opening::default()];
            return Ok(Book { openings, order: vec![0], start: 0, random: false, fingerprint: 0 });
        };
        let path = spec.file.display();
        let text = files::read_games(&spec.file).context("--openings file")?;
        let by_ending = if spec.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn")) {
            "pgn"
        } else {
            "epd"
        };
        let openings = match spec.format.as_deref().unwrap_or(by_ending) {
            "pgn" => from_pgn(&text, variant, spec.plies),
            _ => from_epd(&text, variant),
        };
        let openings = openings.with_context(|| format!("--openings file: '{path}'"))?;
        ensure!(!openings.is_empty(), "--openings file: '{path}' has no openings");
        let order = schedule::order(openings.len(), spec.random.then_some(seed));
        let fingerprint = fingerprint(&openings);
        Ok(Book { openings, order, start: spec.start - 1, random: spec.random, fingerprint })
    }

    /// The opening of this number, counted from 0, and its place in the file, from 1. After the last
    /// they repeat.
    pub fn opening(&self, number: u64) -> (u64, &Opening) {
        let place = self.order[((self.start + number) % self.order.len() as u64) as usize];
        (place as u64 + 1, &self.openings[place])
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.openings.len() as u64
    }

    /// Is it only the start of the game?
    pub fn is_empty(&self) -> bool {
        self.openings == [Opening::default()]
    }

    /// The number of openings, and a hash of them.
    pub fn identity(&self) -> (u64, u64) {
        (self.len(), self.fingerprint)
    }

    /// Are the first `needed` openings those of the book with this [identity](Book::identity)? The book may have got
    /// more at its end, unless that changes their order.
    pub fn goes_on(&self, identity: (u64, u64), needed: u64) -> bool {
        let (count, hash) = identity;
        let before = usize::try_from(count).ok().and_then(|count| self.openings.get(..count));
        identity == self.identity()
            || !self.random
                && self.start.saturating_add(needed) <= count
                && before.is_some_and(|before| fingerprint(before) == hash)
    }
}

/// FNV-1a over everything in the openings.
fn fingerprint(openings: &[Opening]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for opening in openings {
        add(opening.fen.as_deref().unwrap_or(""));
        opening.moves.iter().for_each(|text| add(text));
    }
    hash
}

/// A position a line. Empty lines and lines that begin with `#` are left out.
fn from_epd(text: &str, variant: &str) -> Result<Vec<Opening>> {
    let mut session = engine::open(variant)?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        set_epd(&mut *session, line).with_context(|| format!("line {number}"))?;
        if let Some(outcome) = session.outcome() {
            bail!("line {number}: the game is over: {outcome}");
        }
        openings.push(Opening { fen: Some(session.fen()), moves: Vec::new() });
    }
    Ok(openings)
}

/// Sets up the position of an EPD line: four fields of a FEN, or more, and operations that end in semicolons.
pub fn set_epd(session: &mut dyn Session, line: &str) -> Result<()> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    // A FEN has four to seven fields; all lengths are tried.
    let most = fields.len().min(7);
    let mut wrong = None;
    for length in (4.min(most)..=most).rev() {
        let operations = fields[length..].join(" ");
        let plausible = operations.is_empty()
            || operations.ends_with(';') && operations.starts_with(|c: char| c.is_ascii_alphabetic());
        match session.set_position(Some(&fields[..length].join(" ")), &[]) {
            Ok(()) if plausible => return Ok(()),
            Ok(()) => wrong = Some(anyhow::anyhow!("'{operations}' is neither FEN nor EPD")),
            Err(error) => {
                // The error of a shorter reading fits better.
                wrong = Some(error.into());
            }
        }
    }
    Err(wrong.unwrap_or_else(|| anyhow::anyhow!("'{line}' is not a position")))
}

/// A game each, or its first plies.
fn from_pgn(text: &str, variant: &str, plies: Option<usize>) -> Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (number, game) in (1..).zip(pgn::parse(text)?) {
        let named = || format!("game {number}");
        let mut session = engine::open(variant)?;
        let reading = reading::interpret(&mut *session, game).with_context(named)?;
        if let Some(broken) = &reading.broken {
            bail!("game {number}: {broken}");
        }
        let fen = session.fen();
        let fen = (fen != session.info().start).then_some(fen);
        let mut moves = Vec::new();
        for text in reading.moves().into_iter().take(plies.unwrap_or(usize::MAX)) {
            session.play(&text).with_context(named)?;
            moves.push(text);
        }
        if let Some(outcome) = session.outcome() {
            bail!("game {number}: the game is over: {outcome}; plies= takes only the first moves of each");
        }
        openings.push(Opening { fen, moves });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_with_and_without_operations() {
        let text = "# a comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
                    4k3/8/8/8/8/8/4P3/4K3 b - - bm e4; id \"x\";\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 ce 12; c0 \"e2e4 w - 0\";\n";
        let fens: Vec<String> =
            from_epd(text, "chess").unwrap().into_iter().filter_map(|opening| opening.fen).collect();
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
                "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9",
                "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"
            ]
        );
        let facing =
            "r1b1kqabnr/p1p1pspp2/1s7p/8B1/4n3p1/10/2Q3c3/2P7/PS3SP1P1/RN2K1CBNR b AJaj - 1 18 se,se";
        for line in [facing.to_owned(), format!("{facing} ce 5;")] {
            assert_eq!(from_epd(&line, "superchess").unwrap()[0].fen.as_deref(), Some(facing));
        }
    }

    #[test]
    fn errors_name_line_and_field() {
        let error = |text, variant| format!("{:#}", from_epd(text, variant).unwrap_err());
        let bad = error("\n4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8 w - -\n", "chess");
        assert!(bad.starts_with("line 2: the game is over: Draw by bare kings"), "{bad}");
        assert_eq!(error("4k3/8 w - -", "chess"), "line 1: placement: 2 ranks instead of 8");
        let bad = error("4k3/8/8/8/8/8/4P3/4K3 w - - and more", "chess");
        assert_eq!(bad, "line 1: 'and more' is neither FEN nor EPD");
    }

    #[test]
    fn openings_may_be_added_at_the_end() {
        let book = |text, random: bool, start: u64| {
            let openings = from_pgn(text, "chess", None).unwrap();
            let order = schedule::order(openings.len(), random.then_some(1));
            let fingerprint = fingerprint(&openings);
            Book { openings, order, start: start - 1, random, fingerprint }
        };
        let (old, more) = ("1. e4 *\n1. d4 *\n", "1. e4 *\n1. d4 *\n1. c4 *\n");
        let before = book(old, false, 1).identity();
        assert!(book(more, false, 1).goes_on(before, 2) && book(old, true, 1).goes_on(before, 2));
        // The first one was used again, or the order is another one now, or they are not the same.
        assert!(!book(more, false, 1).goes_on(before, 3) && !book(more, false, 2).goes_on(before, 2));
        assert!(!book(more, true, 1).goes_on(before, 2));
        assert!(!book("1. e4 *\n1. c4 *\n1. d4 *\n", false, 1).goes_on(before, 2));
        assert!(!book("1. e4 *\n", false, 1).goes_on(before, 1));
    }

    #[test]
    fn games_give_moves() {
        let text = "1. e4 e5 2. Nf3 *\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\nKd7 e4 *";
        let openings = from_pgn(text, "chess", Some(2)).unwrap();
        assert_eq!(
            (openings[0].fen.as_deref(), &openings[0].moves[..]),
            (None, &["e2e4".into(), "e7e5".into()][..])
        );
        assert_eq!(openings[1].moves, ["e8d7", "e2e4"]);
        assert!(openings[1].fen.is_some());
        let error = format!("{:#}", from_pgn("1. e4 e4 *", "chess", None).unwrap_err());
        assert!(error.starts_with("game 1: move 1... e4: "), "{error}");
        assert_ne!(fingerprint(&openings), fingerprint(&openings[..1]));
        // XBoard's entry `Kxb7` is an exchange.
        let openings = from_pgn(include_str!("../../../engine-tests/games/canyon.pgn"), "canyon", Some(10));
        assert_eq!(openings.unwrap()[0].moves[9], "d7b7");
    }
}
