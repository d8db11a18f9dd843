//! Addresses of games and positions, to be sent: what follows the `#` in the address of a page. `canyon/d3d4.b6b5` is a
//! game, and `chess//8/8/8/8/8/5k2/8/R6K_w_-_-_0_1` a position without moves. Characters that programs for messages take
//! for ends of links or for markup are written otherwise.

use anyhow::{Context, Result, ensure};
use quintain_engine::{self as engine, Session};

/// The longest link that is read, in bytes.
const LONGEST: usize = 1 << 16;
/// Characters of a FEN, and what stands for them in a link.
const SIGNS: [(char, char); 4] = [(' ', '_'), ('*', '~'), ('[', '('), (']', ')')];

/// A game that a link names: its kind, its first position if that is not the usual one, and its moves.
#[derive(Debug)]
pub struct Link {
    /// Which of our games it is.
    pub game: String,
    /// The first position.
    pub fen: Option<String>,
    /// The moves as coordinates.
    pub moves: Vec<String>,
}

impl Link {
    /// What a page's address has behind the `#`.
    pub fn text(&self) -> String {
        let Link { game, fen, moves } = self;
        let text = format!("{game}/{}", moves.join("."));
        match fen {
            Some(fen) => format!("{text}/{}", exchange(fen, |(plain, sign)| (plain, sign))),
            None => text,
        }
    }

    /// Reads a link, and plays its moves.
    pub fn read(text: &str) -> Result<(Link, Box<dyn Session>)> {
        ensure!(text.len() <= LONGEST, "the link has {} bytes, and the most are {LONGEST}", text.len());
        let text = unescaped(text).context("the link is not UTF-8")?;
        let mut parts = text.splitn(3, '/');
        let (game, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let fen = parts
            .next()
            .filter(|fen| !fen.is_empty())
            .map(|fen| exchange(fen, |(plain, sign)| (sign, plain)));
        let mut session = engine::open(game).with_context(|| format!("the link '{}'", shortened(&text)))?;
        let texts: Vec<&str> = moves.split('.').filter(|text| !text.is_empty()).collect();
        session.set_position(fen.as_deref(), &texts)?;
        let moves = session.played().into_iter().map(|(text, _)| text).collect();
        Ok((Link { game: game.to_owned(), fen, moves }, session))
    }
}

fn exchange(text: &str, pair: impl Fn((char, char)) -> (char, char)) -> String {
    let signs = SIGNS.map(pair);
    let other = |c| signs.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to);
    text.chars().map(other).collect()
}

/// Without the escapes that browsers and programs for messages put in.
fn unescaped(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let code =
            tail.get(..2).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn shortened(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::NAMES;

    #[test]
    fn a_link_says_what_it_was_made_of() {
        for &name in NAMES {
            let mut session = engine::open(name).unwrap();
            let start = session.fen();
            let mut moves = Vec::new();
            for _ in 0..12 {
                let mut legal = session.moves();
                let mv = legal.remove(moves.len() % legal.len());
                session.play(&mv).unwrap();
                moves.push(mv);
            }
            for fen in [None, Some(start)] {
                let link = Link { game: name.to_owned(), fen, moves: moves.clone() }.text();
                // Nothing in it ends a link, or is markup, in a message.
                assert!(!link.contains(|c: char| " *[]<>\"'`|\\%".contains(c)), "{link}");
                // Whoever passes it on may escape what they like.
                for text in [link.clone(), link.replace('@', "%40").replace(',', "%2C").replace('_', "%5f")] {
                    let (read, there) = Link::read(&text).unwrap_or_else(|error| panic!("{text}: {error:#}"));
                    assert_eq!((read.text(), there.fen()), (link.clone(), session.fen()));
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_link_is_told() {
        let error = |text: &str| format!("{:#}", Link::read(text).err().unwrap());
        let unknown = engine::UnknownGame("ludo".into());
        assert_eq!(error("ludo/e2e4"), format!("the link 'ludo/e2e4': {unknown}"));
        assert_eq!(error("chess/e2e5"), "e2e5: the pawn on e2 cannot go to e5");
        assert!(error("chess//8/8_w_-_-").starts_with("placement: "));
        assert_eq!(error("%ff/"), "the link is not UTF-8");
        assert!(error(&"x".repeat(70_000)).starts_with("the link has 70000 bytes"));
        assert!(Link::read("").is_err() && Link::read("chess").is_ok());
    }
}
