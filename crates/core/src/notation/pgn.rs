//! Games as PGN: tags, moves as people write them, annotations, comments and variations.
//!
//! This is the format alone. Moves are not interpreted (that is the job of [`san`](super::san)), so games of unknown
//! variants can be read too.
//!
//! ```
//! use quintain::notation::pgn;
//!
//! let games = pgn::parse("[Variant \"chess\"]\n\n1. f3? {weak} e5 2. ♙g4 (2. e4 ∞) Qh4# 0–1")?;
//! assert_eq!((games[0].tag("variant"), games[0].result.as_str()), (Some("chess"), "0-1"));
//! assert_eq!((games[0].moves.len(), games[0].moves[3].san.as_str()), (4, "Qh4#"));
//! assert_eq!(games[0].moves[0].nags, [2]);
//! let text = games[0].to_string();
//! assert!(text.ends_with("1. f3 $2 {weak} 1... e5 2. g4 (2. e4 $13) 2... Qh4# 0-1\n\n"), "{text}");
//! # Ok::<(), pgn::PgnError>(())
//! ```

use super::nag;
use super::san::plain_letters;
use crate::board::Color;
use std::borrow::Cow;
use std::fmt::{self, Display, Write};
use thiserror::Error;

/// A move, and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ply {
    /// The move as it is written, without number and annotation; [`NULL_MOVE`] for a null move, however it is written.
    pub san: String,
    /// Annotations by their numbers, `$2` for `?`; see [`nag`].
    pub nags: Vec<u8>,
    /// The comment that follows it. Comments that follow one another are its lines.
    pub comment: Option<String>,
    /// Lines that begin with another move in its place, by their place in [`Game::variations`].
    pub variations: Vec<usize>,
}

/// A line besides the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The comment before its first move.
    pub comment: Option<String>,
    /// Its moves.
    pub moves: Vec<Ply>,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<Ply>,
    /// All variations of the game, and variations of these, in one list: however deep they are nested, no code that
    /// handles them needs recursion. A variation comes after the line that it leaves.
    pub variations: Vec<Variation>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; empty if the text ends without one.
    pub result: String,
    /// What is wrong with the text. What could be read is there all the same.
    pub errors: Vec<PgnError>,
}

/// What is wrong with a PGN, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// How a null move is written, by which a side passes.
pub const NULL_MOVE: &str = "--";

/// Other ways to write a null move.
const NULL_MOVES: [&str; 6] = [NULL_MOVE, "Z0", "0000", "null", "@@@@", "<>"];

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The longest line that is written, unless a word or a comment needs more.
const WIDTH: usize = 80;

impl Game {
    /// The value of a tag. Letter case of the name does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, or removes it. Afterwards no other tag has this name: a second one would be taken for it.
    pub fn set_tag(&mut self, name: &str, mut value: Option<String>) {
        self.tags.retain_mut(|(known, old)| {
            !known.eq_ignore_ascii_case(name) || value.take().map(|value| *old = value).is_some()
        });
        self.tags.extend(value.map(|value| (name.into(), value)));
    }

    /// The moves of a variation, or of the game.
    pub fn line(&self, variation: Option<usize>) -> &[Ply] {
        variation.map_or(&self.moves, |variation| &self.variations[variation].moves)
    }

    /// The moves of a variation, or of the game.
    pub fn line_mut(&mut self, variation: Option<usize>) -> &mut Vec<Ply> {
        match variation {
            Some(variation) => &mut self.variations[variation].moves,
            None => &mut self.moves,
        }
    }

    /// How many moves there are, those of variations included.
    pub fn count(&self) -> usize {
        self.moves.len() + self.variations.iter().map(|variation| variation.moves.len()).sum::<usize>()
    }

    /// Does Black make the first move, according to the FEN tag?
    fn black_begins(&self) -> bool {
        self.tag("FEN").and_then(super::fen::side) == Some(Color::Black)
    }

    /// The number of the first move, according to the FEN tag.
    fn first_number(&self) -> usize {
        let number = self.tag("FEN").and_then(|fen| fen.split_whitespace().nth(5)?.parse().ok());
        number.unwrap_or(1)
    }

    /// The comment before a line and its moves, to add to them.
    fn open_line(&mut self, variation: Option<usize>) -> (&mut Option<String>, &mut Vec<Ply>) {
        match variation {
            Some(variation) => {
                let Variation { comment, moves } = &mut self.variations[variation];
                (comment, moves)
            }
            None => (&mut self.comment, &mut self.moves),
        }
    }

    /// Adds a comment behind what a line has so far.
    fn say(&mut self, variation: Option<usize>, comment: &str) {
        let (before, moves) = self.open_line(variation);
        add_comment(moves.last_mut().map_or(before, |ply| &mut ply.comment), comment);
    }
}

/// Adds lines to a comment.
pub fn add_comment(known: &mut Option<String>, more: &str) {
    match known {
        _ if more.is_empty() => {}
        Some(known) if !known.is_empty() => {
            known.push('\n');
            known.push_str(more);
        }
        _ => *known = Some(more.to_owned()),
    }
}

/// A comment as it is read back after it was written: each line without needless blanks, no line empty.
pub fn tidy_comment(text: &str) -> String {
    let lines = text.lines().map(one_line);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

// ---- Writing ------------------------------------------------------------------------------------------------

/// Writes the game with lines of at most 80 characters (a longer word has a line of its own), followed by an
/// empty line. Each line of a comment is a comment, so that the lines are kept.
impl Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        f.write_char('\n')?;
        let mut page = Page { f, word: String::new(), opened: false, column: 0 };
        page.comment(self.comment.as_deref())?;
        let first = 2 * self.first_number() + usize::from(self.black_begins());
        self.write_line(&mut page, &self.moves, first)?;
        page.words(if self.result.is_empty() { "*" } else { &self.result })?;
        page.end_word()?;
        page.f.write_str("\n\n")
    }
}

impl Game {
    /// The moves of a line from one on, as they are written, without line breaks. `first` is twice the number of the
    /// first move, and one more if Black makes it.
    pub fn movetext(&self, variation: Option<usize>, from: usize, first: usize) -> String {
        let mut text = String::new();
        let mut page = Page { f: &mut text, word: String::new(), opened: false, column: 0 };
        let moves = &self.line(variation)[from..];
        // A String takes everything.
        let _ = self.write_line(&mut page, moves, first).and_then(|()| page.end_word());
        one_line(&text)
    }

    fn write_line(&self, page: &mut Page<'_>, moves: &[Ply], first: usize) -> fmt::Result {
        let mut open = vec![Unfinished { moves, at: first, variations: &[], numbered: true }];
        while let Some(line) = open.last_mut() {
            if let [next, rest @ ..] = line.variations {
                line.variations = rest;
                let at = line.at - 1;
                let Some(Variation { comment, moves }) = self.variations.get(*next) else { continue };
                if comment.is_some() || !moves.is_empty() {
                    page.open()?;
                    page.comment(comment.as_deref())?;
                    open.push(Unfinished { moves, at, variations: &[], numbered: true });
                }
            } else if let [ply, rest @ ..] = line.moves {
                if line.at % 2 == 0 {
                    page.words(&format!("{}.", line.at / 2))?;
                } else if line.numbered {
                    page.words(&format!("{}...", line.at / 2))?;
                }
                page.words(&ply.san)?;
                for nag in &ply.nags {
                    page.words(&format!("${nag}"))?;
                }
                page.comment(ply.comment.as_deref())?;
                line.numbered = ply.comment.is_some() || !ply.variations.is_empty();
                (line.moves, line.variations, line.at) = (rest, &ply.variations, line.at + 1);
            } else {
                open.pop();
                if !open.is_empty() {
                    page.close();
                }
            }
        }
        Ok(())
    }
}

/// A line that is being written.
struct Unfinished<'a> {
    /// The moves that are still to be written.
    moves: &'a [Ply],
    /// Twice the number of the next move, and one more if Black makes it.
    at: usize,
    /// The variations of the last move that are still to be written.
    variations: &'a [usize],
    /// Does the next move need its number, even if Black makes it?
    numbered: bool,
}

/// Puts words into lines.
struct Page<'a> {
    f: &'a mut dyn Write,
    /// The last word; brackets may still be added to it.
    word: String,
    /// The last word is the bracket of a variation, and the next one belongs to it.
    opened: bool,
    column: usize,
}

impl Page<'_> {
    /// Writes the words of a text.
    fn words(&mut self, text: &str) -> fmt::Result {
        for word in text.split_whitespace() {
            if !std::mem::take(&mut self.opened) {
                self.end_word()?;
            }
            self.word.push_str(word);
        }
        Ok(())
    }

    fn open(&mut self) -> fmt::Result {
        if !self.opened {
            self.end_word()?;
        }
        self.opened = true;
        self.word.push('(');
        Ok(())
    }

    fn close(&mut self) {
        self.word.push(')');
    }

    fn comment(&mut self, comment: Option<&str>) -> fmt::Result {
        for line in comment.unwrap_or_default().lines().map(one_line).filter(|line| !line.is_empty()) {
            if line.contains('}') {
                // Nothing but the end of the line ends this comment.
                self.words(";")?;
                self.end_word()?;
                writeln!(self.f, " {line}")?;
                self.column = 0;
            } else {
                self.words(&format!("{{{line}}}"))?;
            }
        }
        Ok(())
    }

    fn end_word(&mut self) -> fmt::Result {
        let length = self.word.chars().count();
        if length == 0 {
            return Ok(());
        }
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.f.write_char('\n')?;
            self.column = 0;
        } else if self.column > 0 {
            self.f.write_char(' ')?;
            self.column += 1;
        }
        self.f.write_str(&self.word)?;
        self.column += length;
        self.word.clear();
        Ok(())
    }
}

// ---- Reading ------------------------------------------------------------------------------------------------

/// Reads all games of a text, or says what is wrong with it first. [`games`] reads what can be read.
pub fn parse(text: &str) -> Result<Vec<Game>, PgnError> {
    games(text).map(|game| game.errors.first().cloned().map_or(Ok(game), Err)).collect()
}

/// The games of a text, one after the other. Text that is not PGN spoils neither what comes before it nor the other
/// games; [`Game::errors`] says what is wrong. Lines that begin with `%` are left out.
pub fn games(text: &str) -> impl Iterator<Item = Game> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { text, line: 1, line_start: true };
    std::iter::from_fn(move || {
        while !reader.text.is_empty() {
            if let Some(game) = reader.game() {
                return Some(game);
            }
        }
        None
    })
}

/// The text of a file. By the standard, PGN is Latin-1, but most files are UTF-8: Latin-1 is assumed if it is not
/// UTF-8.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.as_bytes();
        // Files that were joined may have different encodings.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        bytes.iter().map(|&byte| char::from(byte)).collect()
    })
}

struct Reader<'a> {
    text: &'a str,
    /// The line in which `text` begins.
    line: usize,
    /// Does `text` begin at the start of a line?
    line_start: bool,
}

impl<'a> Reader<'a> {
    fn error(&self, what: impl Into<String>) -> PgnError {
        PgnError { line: self.line, what: what.into() }
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.text.split_at(length);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        if let Some(last) = taken.bytes().last() {
            self.line_start = last == b'\n';
        }
        self.text = rest;
        taken
    }

    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        self.take(self.text.find(stop).unwrap_or(self.text.len()))
    }

    /// Skips blanks, and lines that begin with `%`; and byte order marks, which files have that were joined.
    fn skip(&mut self) {
        loop {
            self.take_until(|c| !c.is_whitespace() && c != '\u{feff}');
            if self.line_start && self.text.starts_with('%') {
                self.take_until(|c| c == '\n');
            } else {
                return;
            }
        }
    }

    fn game(&mut self) -> Option<Game> {
        let mut game = Game::default();
        self.skip();
        while self.text.starts_with('[') {
            if let Err(error) = self.tag(&mut game) {
                game.errors.push(error);
                self.take_until(|c| c == '\n');
            }
            self.skip();
        }
        self.movetext(&mut game);
        (game != Game::default()).then_some(game)
    }

    /// Reads the moves up to the end of the game.
    fn movetext(&mut self, game: &mut Game) {
        // The variations that have begun, the innermost last.
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip();
            let line = open.last().map(|open| open.variation);
            match self.text.chars().next() {
                None => break,
                Some('[') if is_tag(self.text) || self.line_start && open.is_empty() => break,
                Some('{' | ';') => self.comment(game, line),
                Some('(') => {
                    self.take(1);
                    // A variation of the first move of another one leaves the same move.
                    let lines = open.iter().rev().map(|open| Some(open.variation)).chain([None]);
                    let last = |line| Some((line, game.line(line).len().checked_sub(1)?));
                    let leaves = lines.into_iter().find_map(last);
                    if leaves.is_none() {
                        game.errors.push(self.error("a variation without a move before it"));
                    }
                    open.push(Open { variation: game.variations.len(), leaves });
                    game.variations.push(Variation::default());
                }
                Some(')') => {
                    match open.pop() {
                        Some(ended) => ended.close(game),
                        None => game.errors.push(self.error("')' without '('")),
                    }
                    self.take(1);
                }
                Some('}') => {
                    game.errors.push(self.error("'}' without '{'"));
                    self.take(1);
                }
                Some(_) => {
                    let word = self.word(line.is_some());
                    let Some(result) = self.entry(game, line, word) else { continue };
                    if line.is_none() {
                        game.result = result.into();
                        self.remark(game);
                        return;
                    }
                }
            }
        }
        if !open.is_empty() {
            game.errors.push(self.error("a variation does not end"));
            open.into_iter().rev().for_each(|open| open.close(game));
        }
    }

    /// Adds what a word says to a line; returns a result.
    fn entry(&self, game: &mut Game, line: Option<usize>, word: &str) -> Option<&'static str> {
        let word = &*with_ascii_signs(word);
        if let Some(result) = RESULTS.iter().find(|&&result| result == word) {
            return Some(result);
        }
        if word == "1/2" {
            return Some("1/2-1/2");
        }
        let word = &*plain_letters(without_number(word));
        if word.is_empty() || ["e.p.", "e.p", "ep", "ep."].contains(&word) {
            return None;
        }
        let (san, nags) = match word.strip_prefix('$') {
            _ if NULL_MOVES.contains(&word) => (NULL_MOVE.into(), Vec::new()),
            Some(number) => match number.parse() {
                Ok(nag) => (String::new(), vec![nag]),
                Err(_) => {
                    game.errors.push(self.error(format!("'{word}' is not a number from $0 to $255")));
                    return None;
                }
            },
            None => nag::split(word),
        };
        // What is something else when it stands alone, as `1` of `12.1` or a tag, would be read as that when it was
        // written.
        let is_move = without_number(&san) == san
            && san != "1/2"
            && !RESULTS.contains(&&*san)
            && !san.starts_with(['[', '%', '(', ')']);
        if !san.is_empty() && is_move {
            game.line_mut(line).push(Ply { san, nags, ..Ply::default() });
        } else if nags.is_empty() || !is_move {
            // Signs that nobody knows are at least not lost.
            game.say(line, &word.replace(['{', '}'], ""));
        } else if let Some(ply) = game.line_mut(line).last_mut() {
            ply.nags.extend(nags);
        } else {
            game.say(line, word);
        }
        None
    }

    /// `[Name "value"]`.
    fn tag(&mut self, game: &mut Game) -> Result<(), PgnError> {
        self.take(1);
        self.skip();
        let name = self.take_until(|c: char| c.is_whitespace() || c == '"' || c == ']').to_owned();
        self.skip();
        if name.is_empty() || !self.text.starts_with('"') {
            return Err(self.error("a tag is not like [Name \"value\"]"));
        }
        self.take(1);
        let mut value = String::new();
        loop {
            let part = self.take_until(|c| matches!(c, '"' | '\\' | '\n'));
            value += part;
            match self.text.chars().next() {
                Some('\\') => {
                    self.take(1);
                    let escaped = self.text.chars().next().map_or(0, char::len_utf8);
                    value += self.take(escaped);
                }
                Some('"') => break,
                _ => return Err(self.error(format!("the value of the tag {name} does not end"))),
            }
        }
        self.take(1);
        let blanks = self.text.len() - self.text.trim_start().len();
        match self.text[blanks..].starts_with(']') {
            true => drop(self.take(blanks + 1)),
            false => game.errors.push(self.error(format!("']' is missing after the tag {name}"))),
        }
        game.tags.push((name, value));
        Ok(())
    }

    /// Reads a comment, and adds it to a line.
    fn comment(&mut self, game: &mut Game, line: Option<usize>) {
        if self.text.starts_with(';') {
            let comment = &self.take_until(|c| c == '\n')[1..];
            game.say(line, &one_line(comment));
            return;
        }
        self.take(1);
        let (end, closed) = self.comment_end();
        if !closed {
            game.errors.push(self.error("a comment does not end"));
        }
        let comment = one_line(self.take(end));
        game.say(line, &comment);
        self.take(usize::from(closed));
    }

    /// Where the comment ends, whose bracket was read: at the other bracket; or, if that is missing, before the next
    /// game.
    fn comment_end(&self) -> (usize, bool) {
        let (mut at, mut after_blank) = (0, false);
        for line in self.text.split_inclusive('\n') {
            if after_blank && is_tag(line) {
                return (at, false);
            }
            if let Some(end) = line.find('}') {
                return (at + end, true);
            }
            after_blank = at > 0 && line.trim().is_empty();
            at += line.len();
        }
        (at, false)
    }

    /// Reads a comment that follows the result in its line.
    fn remark(&mut self, game: &mut Game) {
        let blanks = self.text.len() - self.text.trim_start_matches([' ', '\t']).len();
        if self.text[blanks..].starts_with(['{', ';']) {
            self.take(blanks);
            self.comment(game, None);
        }
    }

    /// The next word. A bracket is a part of it only if it encloses a facing, `Cd3(ne)`.
    fn word(&mut self, in_variation: bool) -> &'a str {
        let mut open = false;
        let mut end = self.text.len();
        for (at, c) in self.text.char_indices() {
            let foreign = match c {
                '(' => !starts_with_facing(&self.text[at..]),
                ')' => !open && in_variation,
                '{' | '}' | ';' | '$' => true,
                c => c.is_whitespace(),
            };
            if foreign && at > 0 {
                end = at;
                break;
            }
            open = c == '(' || open && c != ')';
        }
        self.take(end)
    }
}

/// A variation that has begun.
struct Open {
    variation: usize,
    /// The move that it leaves: its line, and its place there.
    leaves: Option<(Option<usize>, usize)>,
}

impl Open {
    fn close(self, game: &mut Game) {
        let Some((line, at)) = self.leaves else {
            game.variations.truncate(self.variation);
            return;
        };
        if !game.variations[self.variation].moves.is_empty() {
            game.line_mut(line)[at].variations.push(self.variation);
            return;
        }
        let comment = game.variations[self.variation].comment.take();
        add_comment(&mut game.line_mut(line)[at].comment, &comment.unwrap_or_default());
        if self.variation + 1 == game.variations.len() {
            game.variations.pop();
        }
    }
}

/// Does a text begin with a tag?
fn is_tag(text: &str) -> bool {
    let Some(tag) = text.strip_prefix('[') else { return false };
    let name = tag.trim_start().trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    name.len() < tag.trim_start().len() && name.trim_start().starts_with('"')
}

/// Does a text begin with a point of the compass in brackets?
fn starts_with_facing(text: &str) -> bool {
    let letters = text[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    (1..=2).contains(&letters) && text[1 + letters..].starts_with(')')
}

/// A word with signs of ASCII in place of others that mean the same.
fn with_ascii_signs(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    word.replace(['‐', '‑', '‒', '–', '—', '−'], "-").replace('½', "1/2").replace('…', "...").into()
}

/// A word without the number of a move before it: `e4` of `12.e4` and `12...e4`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    // A number without a dot is a number only if nothing follows it.
    let is_number = rest.starts_with('.') || rest.is_empty() && !NULL_MOVES.contains(&word);
    if is_number { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sans(game: &Game) -> Vec<&str> {
        game.moves.iter().map(|ply| ply.san.as_str()).collect()
    }

    #[test]
    fn a_game_is_read_with_everything_that_pgn_allows() {
        let text = "\u{feff}% for somebody else\n[Event \"a \\\"b\\\" \\\\ c\"]\n[ FEN  \"8/8 b - - 0 7\" ]\n\n{before}\n7... e5!? \
                    8.Nf3 $3 (8.f4 {no} exf4 (8...d5) 9.Nf3) Nc6 ; good\n% again\n9. Qb2-d2 (9. x) 9... S@c2,S@h2 {a} {b\nc} Cd3(ne) 10.O-O 1/2-1/2\n\
                    [Event \"x\"]\n*\ne4 e5";
        let games = parse(text).unwrap();
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tag("event"), Some("a \"b\" \\ c"));
        assert_eq!(sans(&games[0]), ["e5", "Nf3", "Nc6", "Qb2-d2", "S@c2,S@h2", "Cd3(ne)", "O-O"]);
        assert_eq!(games[0].comment.as_deref(), Some("before"));
        assert_eq!(games[0].moves[2].comment.as_deref(), Some("good"));
        assert_eq!(games[0].moves[4].comment.as_deref(), Some("a\nb c"));
        assert_eq!((&games[0].moves[0].nags[..], &games[0].moves[1].nags[..]), (&[5][..], &[3][..]));
        assert_eq!(
            (&games[0].moves[1].variations[..], &games[0].moves[3].variations[..]),
            (&[0][..], &[2][..])
        );
        let variation = &games[0].variations[0].moves;
        assert_eq!((variation.len(), variation[0].comment.as_deref()), (3, Some("no")));
        assert_eq!(games[0].variations[variation[1].variations[0]].moves[0].san, "d5");
        assert_eq!((games[0].result.as_str(), games[1].result.as_str()), ("1/2-1/2", "*"));
        assert_eq!((sans(&games[2]), games[2].result.as_str()), (vec!["e4", "e5"], ""));
    }

    #[test]
    fn what_is_no_move_when_it_stands_alone_is_kept_as_a_comment() {
        let game = &parse("1. e4 (1. 2.1 d4 1.1-0) 1... e5 3.4! 2.[White 2.%x 2.(ne) 2.)x *").unwrap()[0];
        assert_eq!(sans(game), ["e4", "e5"]);
        let variation = &game.variations[0];
        assert_eq!(variation.comment.as_deref(), Some("1"));
        assert_eq!((variation.moves.len(), variation.moves[0].comment.as_deref()), (1, Some("1-0")));
        assert_eq!(game.moves[1].comment.as_deref(), Some("4!\n[White\n%x\n(ne)\n)x"));
        assert_eq!(&parse(&game.to_string()).unwrap()[0], game);
    }

    fn ply(san: &str, comment: Option<&str>) -> Ply {
        Ply { san: san.into(), comment: comment.map(str::to_owned), ..Ply::default() }
    }

    #[test]
    fn files_that_were_joined_keep_all_their_games() {
        let game = |white: &str| format!("\u{feff}[White \"{white}\"]\r\n\r\n1. e4 *\r\n\r\n");
        let games = parse(&(game("a") + &game("ü") + &game("c"))).unwrap();
        let names: Vec<_> = games.iter().map(|game| (game.tag("White").unwrap(), game.moves.len())).collect();
        assert_eq!(names, [("a", 1), ("ü", 1), ("c", 1)]);
        let mixed = [game("a").as_bytes(), b"[White \"\xfc\"]\n\n1. e4 *\n"].concat();
        let games = parse(&decode(mixed)).unwrap();
        assert_eq!((games[0].tag("White"), games[1].tag("White")), (Some("a"), Some("ü")));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut game = Game {
            tags: vec![("White".into(), "a \"b\" \\".into()), ("FEN".into(), "8/8 b - - 0 12".into())],
            comment: Some("start".into()),
            moves: vec![ply("e5", None), ply("e4", Some("book")), ply("Nc6", None)],
            result: "0-1".into(),
            ..Game::default()
        };
        let text = game.to_string();
        assert!(text.ends_with("\n\n{start} 12... e5 13. e4 {book} 13... Nc6 0-1\n\n"), "{text}");
        assert_eq!(parse(&text).unwrap(), [game.clone()]);
        game.moves[0].nags = vec![6, 255];
        game.moves[1].variations = vec![0, 2];
        let moves =
            vec![ply("d4", None), Ply { variations: vec![1], ..ply("e6", Some("or")) }, ply("Nf3", None)];
        game.variations = vec![
            Variation { comment: Some("more usual".into()), moves },
            Variation { moves: vec![ply("c5", None)], ..Variation::default() },
            Variation { moves: vec![ply("c4", None)], ..Variation::default() },
        ];
        let text = game.to_string().replace('\n', " ");
        let wanted = "e5 $6 $255 13. e4 {book} ({more usual} 13. d4 e6 {or} (13... c5) 14. Nf3) (13. c4) 13... Nc6 0-1";
        assert!(text.contains(wanted), "{text}");
        assert_eq!(parse(&game.to_string()).unwrap(), [game.clone()]);
        assert_eq!(game.movetext(Some(0), 1, 27), "13... e6 {or} (13... c5) 14. Nf3");
        game.moves = vec![ply("Nf3", Some("+0.10/5 0.001s, n=77")); 50];
        game.variations.clear();
        let text = game.to_string();
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(parse(&(text.clone() + &text)).unwrap(), [game.clone(), game]);
    }

    #[test]
    fn comments_may_hold_anything() {
        let comments = [
            "{a} and }b{",
            "( a ( ) b )",
            "}",
            "two\nlines",
            "[Event \"no tag\"]\n\u{25a1} (no variation) $1 1-0 ;",
            "% at the start",
            "; of a line }\nand on } ;",
        ];
        for first in comments {
            for second in comments {
                let mut game = Game { comment: Some(first.into()), result: "1-0".into(), ..Game::default() };
                game.moves =
                    vec![Ply { variations: vec![0], ..ply("e4", Some(second)) }, ply("e5", Some(first))];
                let variation =
                    Variation { comment: Some(second.into()), moves: vec![ply("d4", Some(first))] };
                game.variations = vec![variation];
                assert_eq!(parse(&game.to_string()).unwrap(), [game]);
            }
        }
        assert_eq!(tidy_comment(" a  b \r\n\n\tc"), "a b\nc");
    }

    #[test]
    fn variations_may_be_nested_as_deep_as_the_text_is_long() {
        let deep = 200_000;
        let text = format!("e4{}{} *", " (e4".repeat(deep), ")".repeat(deep));
        let game = parse(&text).unwrap().remove(0);
        assert_eq!(game.variations.len(), deep);
        // All of them leave the same move.
        assert_eq!(game.moves[0].variations.len(), 1);
        let again = parse(&game.to_string()).unwrap().remove(0);
        assert!(again == game);
        let open = games(&"e4 (".repeat(deep)).next().unwrap();
        assert_eq!(open.errors[0].to_string(), "line 1: a variation does not end");
        assert_eq!(open.count(), deep);
    }

    #[test]
    fn other_programs_annotate_in_other_ways() {
        let text = "[Event \"Live Chess\"]\n\n1. ♘f3 {[%clk 0:09:58.1]} 1... d5! 2.d4 $13 ♞f6?! 3. c4+/= e6 4. O–O?? ± {[#]} c5 +- \
                    5. exd5 !? N 5...exd5 e.p. $1$14 6. exd6ep ∞ 6... Bd6∓ {x} 7. ♗b5+!□ 7... Rc8 ⟳ 8. e8=♕# RR 8... -+ ☺ ½–½ {agreed}";
        let game = parse(text).unwrap().remove(0);
        let moves: Vec<String> = game.moves.iter().map(|ply| format!("{}{:?}", ply.san, ply.nags)).collect();
        let wanted = "Nf3[] d5[1] d4[13] Nf6[6] c4[14] e6[] O-O[4, 16] c5[18] exd5[5, 146] exd5[1, 14] exd6[13] Bd6[17] \
                      Bb5+[1, 7] Rc8[32] e8=Q#[145, 19]";
        assert_eq!(moves.join(" ").replace(", ", ","), wanted.replace(", ", ","));
        assert_eq!(game.moves[0].comment.as_deref(), Some("[%clk 0:09:58.1]"));
        assert_eq!(game.moves[14].comment.as_deref(), Some("☺\nagreed"));
        assert_eq!(game.result, "1/2-1/2");
        assert_eq!(parse(&game.to_string()).unwrap(), [game]);
        for (text, result) in
            [("1—0", "1-0"), ("0–1", "0-1"), ("½-½", "1/2-1/2"), ("1/2", "1/2-1/2"), ("1/2−1/2", "1/2-1/2")]
        {
            assert_eq!(
                parse(&format!("e4 {text}\n\n[Event \"x\"]\n\nd4 *")).unwrap()[0].result,
                result,
                "{text}"
            );
        }
    }

    #[test]
    fn null_moves_are_moves_that_nobody_makes() {
        let game =
            parse("1. e4 e5 (1... -- 2. d4) 2. Nf3 (2. Z0 Nf6) (2. 0000 d5) (2. null) *").unwrap().remove(0);
        let lines: Vec<Vec<&str>> = game
            .variations
            .iter()
            .map(|variation| variation.moves.iter().map(|ply| ply.san.as_str()).collect())
            .collect();
        assert_eq!(lines, [vec!["--", "d4"], vec!["--", "Nf6"], vec!["--", "d5"], vec!["--"]]);
    }

    #[test]
    fn a_fault_costs_nothing_but_itself() {
        let text = "[Event \"a\"]\n[Site x]\n\n1. e4 } e5 ) 2. Nf3 (2. f4 {no end\n\n[Event \"b\"]\n\n1. d4 (1. c4 c5 \n\n[Event \
                    \"c\"]\n[White \"d\"\n1. c4 $x (  ) ({only words}) 1... e5 ((e6) c5) *\n({no move} a6) b4";
        let read: Vec<Game> = games(text).collect();
        let errors: Vec<String> =
            read.iter().flat_map(|game| &game.errors).map(ToString::to_string).collect();
        let wanted = [
            "line 2: a tag is not like [Name \"value\"]",
            "line 4: '}' without '{'",
            "line 4: ')' without '('",
            "line 4: a comment does not end",
            "line 6: a variation does not end",
            "line 10: a variation does not end",
            "line 11: ']' is missing after the tag White",
            "line 12: '$x' is not a number from $0 to $255",
            "line 13: a variation without a move before it",
        ];
        assert_eq!(errors, wanted);
        let counts: Vec<(usize, usize)> = read.iter().map(|game| (game.moves.len(), game.count())).collect();
        assert_eq!(counts, [(3, 4), (1, 3), (2, 4), (1, 1)]);
        assert_eq!(read[0].variations[0].moves[0].comment.as_deref(), Some("no end"));
        assert_eq!(
            (read[2].tag("White"), read[2].moves[0].comment.as_deref()),
            (Some("d"), Some("only words"))
        );
        assert_eq!(read[2].moves[1].variations.len(), 2);
    }

    #[test]
    fn a_tag_that_is_set_has_one_value() {
        let tags = |names: &[(&str, &str)]| {
            names.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect::<Vec<_>>()
        };
        let mut game = Game { tags: tags(&[("FEN", "a"), ("Site", "b"), ("fen", "c")]), ..Game::default() };
        game.set_tag("Fen", Some("d".into()));
        assert_eq!(game.tags, tags(&[("FEN", "d"), ("Site", "b")]));
        game.set_tag("Round", Some("1".into()));
        game.tags.extend(tags(&[("FEN", "e")]));
        game.set_tag("FEN", None);
        assert_eq!(game.tags, tags(&[("Site", "b"), ("Round", "1")]));
    }

    #[test]
    fn old_files_are_latin_1() {
        assert_eq!(decode(b"Andr\xe9".to_vec()), "Andr\u{e9}");
        assert_eq!(decode("Andr\u{e9}".into()), "Andr\u{e9}");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("[Event]", "line 1: a tag is not like [Name \"value\"]"),
            ("\n[Event \"x\n\"]", "line 2: the value of the tag Event does not end"),
            ("[Event \"x\"\ne4", "line 1: ']' is missing after the tag Event"),
            ("e4\n{x", "line 2: a comment does not end"),
            ("e4 (e5", "line 1: a variation does not end"),
            ("e4 )", "line 1: ')' without '('"),
            ("\n\n}", "line 3: '}' without '{'"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error, "{text}");
        }
        assert_eq!(parse(" \n"), Ok(Vec::new()));
        assert_eq!(parse("12. e.p. ...\n[Event \"x\"]").map(|games| games.len()), Ok(1));
    }
}
