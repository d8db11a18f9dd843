//! Games as PGN: tags, moves as people write them, comments.
//!
//! This is the format alone. Moves are not interpreted (that is the job of [`san`](super::san)), so games of unknown
//! variants can be read too.
//!
//! ```
//! use quintain::notation::pgn;
//!
//! let games = pgn::parse("[Variant \"chess\"]\n\n1. f3 {weak} e5 2. g4 (2. e4) Qh4# 0-1")?;
//! assert_eq!((games[0].tag("variant"), games[0].result.as_str()), (Some("chess"), "0-1"));
//! assert_eq!((games[0].moves.len(), games[0].moves[3].san.as_str()), (4, "Qh4#"));
//! assert!(games[0].to_string().ends_with("1. f3 {weak} 1... e5 2. g4 (2. e4) 2... Qh4# 0-1\n\n"));
//! # Ok::<(), pgn::PgnError>(())
//! ```

use crate::board::Color;
use std::fmt::{self, Display, Write};
use thiserror::Error;

/// A move and its comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ply {
    /// The move as it is written, without number and annotation.
    pub san: String,
    /// The comment that follows it.
    pub comment: Option<String>,
    /// Lines that begin with another move in its place.
    pub variations: Vec<Vec<Ply>>,
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
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; empty if the text ends without one.
    pub result: String,
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

/// Variations nested deeper than this are an error.
const DEEPEST: usize = 50;

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Game {
    /// The value of a tag. Letter case of the name does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
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
}

/// Writes the game with lines of at most 80 characters (a longer word has a line of its own), followed by an
/// empty line.
impl Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        f.write_char('\n')?;
        let mut words: Vec<String> = Vec::new();
        words.extend(self.comment.as_deref().map(in_braces));
        let first = 2 * self.first_number() + usize::from(self.black_begins());
        write_moves(&self.moves, first, &mut words);
        words.push(if self.result.is_empty() { "*".into() } else { self.result.clone() });
        let mut column = 0;
        for word in words.iter().flat_map(|word| word.split_whitespace()) {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > 80 {
                f.write_char('\n')?;
                column = 0;
            } else if column > 0 {
                f.write_char(' ')?;
                column += 1;
            }
            f.write_str(word)?;
            column += length;
        }
        f.write_str("\n\n")
    }
}

fn in_braces(comment: &str) -> String {
    format!("{{{}}}", comment.replace(['{', '}'], "|"))
}

/// Adds moves with their numbers, comments and variations. `first` is twice the number of the first move, and one more
/// if Black makes it.
fn write_moves(moves: &[Ply], first: usize, words: &mut Vec<String>) {
    let mut numbered = true;
    for (at, ply) in (first..).zip(moves) {
        if at % 2 == 0 {
            words.push(format!("{}.", at / 2));
        } else if numbered {
            words.push(format!("{}...", at / 2));
        }
        words.push(ply.san.clone());
        words.extend(ply.comment.as_deref().map(in_braces));
        for variation in &ply.variations {
            let start = words.len();
            write_moves(variation, at, words);
            if let [first, ..] = &mut words[start..] {
                first.insert(0, '(');
            }
            if let [.., last] = &mut words[start..] {
                last.push(')');
            }
        }
        numbered = ply.comment.is_some() || !ply.variations.is_empty();
    }
}

/// Reads all games of a text. Lines that begin with `%` are left out, and so are annotations (`!?`, `$3`).
pub fn parse(text: &str) -> Result<Vec<Game>, PgnError> {
    games(text).collect()
}

/// The games of a text, one after the other. After an error it goes on with the next tags that follow an empty line.
pub fn games(text: &str) -> impl Iterator<Item = Result<Game, PgnError>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = Reader { text, line: 1, line_start: true };
    std::iter::from_fn(move || {
        let game = reader.game();
        if game.is_err() {
            reader.skip_game();
        }
        game.transpose()
    })
}

/// The text of a file. By the standard, PGN is Latin-1, but most files are UTF-8: Latin-1 is assumed if it is not
/// UTF-8.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

struct Reader<'a> {
    text: &'a str,
    /// The line in which `text` begins.
    line: usize,
    /// Does `text` begin at the start of a line?
    line_start: bool,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, what: impl Into<String>) -> Result<T, PgnError> {
        Err(PgnError { line: self.line, what: what.into() })
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

    /// Skips blanks, and lines that begin with `%`.
    fn skip(&mut self) {
        loop {
            self.take_until(|c| !c.is_whitespace());
            if self.line_start && self.text.starts_with('%') {
                self.take_until(|c| c == '\n');
            } else {
                return;
            }
        }
    }

    /// Skips to the next tags that follow an empty line.
    fn skip_game(&mut self) {
        let mut after_blank = false;
        while !self.text.is_empty() {
            if after_blank && self.text.starts_with('[') {
                return;
            }
            after_blank = self.take_until(|c| c == '\n').trim().is_empty() && self.line_start;
            self.take(usize::from(!self.text.is_empty()));
        }
    }

    fn game(&mut self) -> Result<Option<Game>, PgnError> {
        let mut game = Game::default();
        self.skip();
        while self.text.starts_with('[') {
            let tag = self.tag()?;
            game.tags.push(tag);
            self.skip();
        }
        let line = self.line(0)?;
        (game.comment, game.moves, game.result) = (line.comment, line.moves, line.result);
        Ok((game != Game::default()).then_some(game))
    }

    /// Reads moves up to the end of the game, or at a `depth` above 0 of the variation.
    fn line(&mut self, depth: usize) -> Result<Line, PgnError> {
        let mut line = Line::default();
        loop {
            self.skip();
            match self.text.chars().next() {
                None if depth > 0 => return self.error("a variation does not end"),
                None => return Ok(line),
                Some('[') if depth == 0 => return Ok(line),
                Some('{' | ';') => {
                    let comment = self.comment()?;
                    let known = match line.moves.last_mut() {
                        Some(ply) => &mut ply.comment,
                        None => &mut line.comment,
                    };
                    add_comment(known, comment);
                }
                Some('(') => {
                    if depth == DEEPEST {
                        return self.error(format!("variations are nested deeper than {DEEPEST}"));
                    }
                    self.take(1);
                    let mut variation = self.line(depth + 1)?;
                    if let (Some(first), Some(comment)) = (variation.moves.first_mut(), variation.comment) {
                        let after = first.comment.replace(comment);
                        add_comment(&mut first.comment, after.unwrap_or_default());
                    }
                    if let Some(ply) = line.moves.last_mut()
                        && !variation.moves.is_empty()
                    {
                        ply.variations.push(variation.moves);
                    }
                }
                Some(')') => {
                    if depth == 0 {
                        return self.error("')' without '('");
                    }
                    self.take(1);
                    return Ok(line);
                }
                Some('}') => return self.error("'}' without '{'"),
                Some(_) => {
                    let word = self.word(depth > 0);
                    if !RESULTS.contains(&word) {
                        line.moves.extend(move_of(word));
                    } else if depth == 0 {
                        line.result = word.to_owned();
                        return Ok(line);
                    }
                }
            }
        }
    }

    /// `[Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        self.take(1);
        self.skip();
        let name = self.take_until(|c: char| c.is_whitespace() || c == '"' || c == ']').to_owned();
        self.skip();
        if name.is_empty() || !self.text.starts_with('"') {
            return self.error("a tag is not like [Name \"value\"]");
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
                _ => return self.error(format!("the value of the tag {name} does not end")),
            }
        }
        self.take(1);
        self.skip();
        if !self.text.starts_with(']') {
            return self.error(format!("']' is missing after the tag {name}"));
        }
        self.take(1);
        Ok((name, value))
    }

    fn comment(&mut self) -> Result<String, PgnError> {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.text.starts_with(';') {
            return Ok(words(&self.take_until(|c| c == '\n')[1..]));
        }
        match self.text.find('}') {
            Some(end) => Ok(words(self.take(end + 1).trim_matches(['{', '}']))),
            None => self.error("a comment does not end"),
        }
    }

    /// The next word. A bracket ends it only if it is not part of the move: some moves are written with brackets.
    fn word(&mut self, in_variation: bool) -> &'a str {
        let mut open = 0i32;
        let mut end = self.text.len();
        for (at, c) in self.text.char_indices() {
            open += i32::from(c == '(') - i32::from(c == ')');
            let foreign = c.is_whitespace() || matches!(c, '{' | ';') || (open < 0 && in_variation);
            if foreign && at > 0 {
                end = at;
                break;
            }
        }
        self.take(end)
    }
}

/// What the text of a game, or of a variation, holds.
#[derive(Default)]
struct Line {
    /// What is said before the first move.
    comment: Option<String>,
    moves: Vec<Ply>,
    result: String,
}

fn add_comment(known: &mut Option<String>, comment: String) {
    if !comment.is_empty() {
        *known = Some(match known.take() {
            Some(before) => format!("{before} {comment}"),
            None => comment,
        });
    }
}

/// The move in a word such as `e4`, `12.e4`, `12...e5!`; `None` for a number or an annotation.
fn move_of(word: &str) -> Option<Ply> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    // A number without a dot is a number only if nothing follows it.
    let word = if rest.starts_with('.') || rest.is_empty() { rest.trim_start_matches('.') } else { word };
    let san = word.trim_end_matches(['!', '?']);
    if san.is_empty() || san.starts_with('$') {
        return None;
    }
    Some(Ply { san: san.to_owned(), ..Ply::default() })
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
        assert_eq!(games[0].moves[4].comment.as_deref(), Some("a b c"));
        let variation = &games[0].moves[1].variations[0];
        assert_eq!((variation.len(), variation[0].comment.as_deref()), (3, Some("no")));
        assert_eq!(variation[1].variations[0][0].san, "d5");
        assert_eq!((games[0].result.as_str(), games[1].result.as_str()), ("1/2-1/2", "*"));
        assert_eq!((sans(&games[2]), games[2].result.as_str()), (vec!["e4", "e5"], ""));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let ply = |san: &str, comment: Option<&str>| Ply {
            san: san.into(),
            comment: comment.map(str::to_owned),
            variations: Vec::new(),
        };
        let mut game = Game {
            tags: vec![("White".into(), "a \"b\" \\".into()), ("FEN".into(), "8/8 b - - 0 12".into())],
            comment: Some("start".into()),
            moves: vec![ply("e5", None), ply("e4", Some("book")), ply("Nc6", None)],
            result: "0-1".into(),
        };
        let text = game.to_string();
        assert!(text.ends_with("\n\n{start} 12... e5 13. e4 {book} 13... Nc6 0-1\n\n"), "{text}");
        assert_eq!(parse(&text).unwrap(), [game.clone()]);
        let inner = Ply { variations: vec![vec![ply("c5", None)]], ..ply("e6", Some("or")) };
        game.moves[1].variations =
            vec![vec![ply("d4", None), inner, ply("Nf3", None)], vec![ply("c4", None)]];
        let text = game.to_string().replace('\n', " ");
        let wanted = "e5 13. e4 {book} (13. d4 e6 {or} (13... c5) 14. Nf3) (13. c4) 13... Nc6 0-1";
        assert!(text.contains(wanted), "{text}");
        assert_eq!(parse(&game.to_string()).unwrap(), [game.clone()]);
        game.moves = vec![ply("Nf3", Some("+0.10/5 0.001s, n=77")); 50];
        let text = game.to_string();
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(parse(&(text.clone() + &text)).unwrap(), [game.clone(), game]);
    }

    #[test]
    fn one_bad_game_does_not_end_a_text() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 {no end\n\n[Event \"c\"]\n\n1. c4 *\n";
        let read: Vec<Result<Game, PgnError>> = games(text).collect();
        assert_eq!(read[1].as_ref().unwrap_err().to_string(), "line 7: a comment does not end");
        assert_eq!(read[2].as_ref().unwrap().tag("Event"), Some("c"));
        assert_eq!(read.len(), 3);
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
            ("[Event \"x\"\ne4", "line 2: ']' is missing after the tag Event"),
            ("e4\n{x", "line 2: a comment does not end"),
            ("e4 (e5", "line 1: a variation does not end"),
            (&"e4 (".repeat(51), "line 1: variations are nested deeper than 50"),
            ("e4 )", "line 1: ')' without '('"),
            ("\n\n}", "line 3: '}' without '{'"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error, "{text}");
        }
        assert_eq!(parse(" \n"), Ok(Vec::new()));
    }
}
