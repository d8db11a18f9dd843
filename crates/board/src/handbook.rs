//! The handbook as a page shows it: HTML, with places for boards that the page draws.
//!
//! What a page of the handbook has besides Markdown stands in comments, each on a line of its own:
//!
//! - `<!-- quintain diagram canyon --moves "d4" --output canyon/d4.svg -->` is the command that makes a picture. It stands
//!   above the picture, and the page draws it by the same words.
//! - `<!-- moves canyon -->`, perhaps with `--fen`, begins a line of moves. From there on bold text that begins with the
//!   number of a move is played, and italic text that begins with one is a variation of what was played.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use crate::link::Link;
use crate::view::{GameView, MoveView, PositionView};
use anyhow::{Context, Result, bail, ensure};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use quintain_core::board::Color;
use quintain_drawings::Picture;
use quintain_drawings::picture::{Shown, is_number};
use quintain_engine::{self as engine, FileRank, Session};
use serde::Serialize;
use std::collections::HashMap;

/// The page of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct HandbookView {
    game: GameView,
    /// A `data-board` is the place of a board, a `data-line` that of a line of moves: their numbers.
    html: String,
    boards: Vec<DrawnBoard>,
    lines: Vec<GivenLine>,
}

/// A board of the page.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct DrawnBoard {
    /// What it shows, in words.
    text: String,
    position: PositionView,
    last: Option<MoveView>,
    arrows: Vec<(FileRank, FileRank)>,
    marks: Vec<FileRank>,
    flipped: bool,
    /// The position with its moves, as an address of the board.
    link: String,
}

/// Moves that the text goes through.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct GivenLine {
    game: String,
    fen: Option<String>,
    /// As coordinates.
    moves: Vec<String>,
}

impl HandbookView {
    /// The handbook's page of a game.
    pub fn new(name: &str) -> Result<HandbookView> {
        let session = quintain_engine::open(name).context("game")?;
        let text = quintain_handbook::page(name)
            .with_context(|| format!("game: the handbook has no page of {name}"))?;
        HandbookView::of(GameView::of(&*session), text)
    }

    fn of(game: GameView, text: &str) -> Result<HandbookView> {
        let mut page = Page::default();
        let options = Options::ENABLE_TABLES;
        let mut events = Parser::new_ext(text, options);
        let mut done = Vec::new();
        while let Some(event) = events.next() {
            page.add(event, &mut events, &mut done)?;
        }
        let mut html = String::new();
        html::push_html(&mut html, done.into_iter());
        // No page may have styles of its own.
        let html = html.replace("style=\"text-align: right\"", "class=\"right\"");
        let (boards, lines) = (page.boards, page.lines.into_iter().map(Moves::given).collect());
        Ok(HandbookView { game, html, boards, lines })
    }
}

/// What has been read of a page.
#[derive(Default)]
struct Page {
    pictures: HashMap<String, Picture>,
    boards: Vec<DrawnBoard>,
    lines: Vec<Moves>,
    /// The links that are open: is it one that the page can follow?
    links: Vec<bool>,
}

impl Page {
    /// Adds an event, and those that belong to it.
    fn add<'a>(
        &mut self,
        event: Event<'a>,
        rest: &mut impl Iterator<Item = Event<'a>>,
        done: &mut Vec<Event<'a>>,
    ) -> Result<()> {
        match event {
            Event::Html(text) if text.starts_with("<!--") => {
                if let Some(place) = self.comment(&text).with_context(|| text.trim().to_owned())? {
                    done.push(Event::Html(place.into()));
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let text = text_until(rest, TagEnd::Image);
                let board = self.board(&dest_url, text).with_context(|| dest_url.to_string())?;
                done.push(Event::InlineHtml(board.into()));
            }
            Event::Start(Tag::Strong) => {
                let text = text_until(rest, TagEnd::Strong);
                done.push(self.marked("strong", &text, Moves::play)?);
            }
            Event::Start(Tag::Emphasis) => {
                let text = text_until(rest, TagEnd::Emphasis);
                done.push(self.marked("em", &text, |line, text| line.variation(text))?);
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let known = known_address(&dest_url);
                self.links.push(known.is_some());
                if let Some(address) = known {
                    done.push(Event::Start(Tag::Link { link_type, dest_url: address, title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    done.push(event);
                }
            }
            event => done.push(event),
        }
        Ok(())
    }

    /// Text with a mark. If it is moves, `play` gives the address of the position after them.
    fn marked<'a>(
        &mut self,
        mark: &str,
        text: &str,
        play: impl FnOnce(&mut Moves, &str) -> Result<String>,
    ) -> Result<Event<'a>> {
        let shown = if is_line(text) {
            let line = self.lines.last_mut().with_context(|| format!("{text}: moves of what?"))?;
            let link = play(line, text).with_context(|| text.to_owned())?;
            format!("<a class=\"to-board\" href=\"./#{link}\"><{mark}>{text}</{mark}></a>")
        } else {
            format!("<{mark}>{}</{mark}>", escaped(text))
        };
        Ok(Event::InlineHtml(shown.into()))
    }

    /// Reads a comment. What takes its place, if something does.
    fn comment(&mut self, text: &str) -> Result<Option<String>> {
        let inner = text.trim().trim_start_matches("<!--").trim_end_matches("-->");
        let words = shlex::split(inner).context("a quotation mark is missing")?;
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["quintain", "diagram", ..] => {
                let (picture, output) = Picture::parse(&words[2..])?;
                self.pictures.insert(output, picture);
                Ok(None)
            }
            ["moves", game] => self.begin(game, None).map(Some),
            ["moves", game, "--fen", fen] => self.begin(game, Some(fen.to_owned())).map(Some),
            _ => bail!("it is neither a picture nor moves"),
        }
    }

    fn begin(&mut self, game: &str, fen: Option<String>) -> Result<String> {
        let place = format!("<div data-line=\"{}\"></div>\n", self.lines.len());
        self.lines.push(Moves::new(game, fen)?);
        Ok(place)
    }

    /// The place of a board.
    fn board(&mut self, address: &str, text: String) -> Result<String> {
        let picture = self.pictures.get(address).context("no command above says what it shows")?;
        let Shown { session, last, diagram } = picture.set_up()?;
        let moves = session.played().into_iter().map(|(text, _)| text).collect();
        let link = Link { game: picture.game.clone(), fen: picture.fen.clone(), moves }.text();
        let place = format!("<span data-board=\"{}\"></span>", self.boards.len());
        self.boards.push(DrawnBoard {
            text,
            position: PositionView::from(&*session),
            last: last.as_ref().map(MoveView::from),
            arrows: diagram.arrows,
            marks: diagram.marks,
            flipped: diagram.flipped,
            link,
        });
        Ok(place)
    }
}

/// A line of moves that the text plays.
struct Moves {
    game: String,
    fen: Option<String>,
    session: Box<dyn Session>,
    /// Plies before the line, as the numbers of moves count them.
    before: usize,
}

impl Moves {
    fn new(game: &str, fen: Option<String>) -> Result<Moves> {
        let mut session = engine::open(game)?;
        session.set_position(fen.as_deref(), &[])?;
        let whole = session.fen();
        let number = whole.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        let before = 2 * number + usize::from(session.side() == Color::Black);
        Ok(Moves { game: game.to_owned(), fen, session, before })
    }

    /// Plays moves with their numbers. The address of the position.
    fn play(&mut self, text: &str) -> Result<String> {
        let ply = self.ply(text)?;
        let played = self.session.played().len();
        ensure!(ply == played, "it is ply {played} of the line, and not {ply}");
        let fen = self.fen.clone();
        play(&mut *self.session, text)?;
        Ok(link(&self.game, fen, &*self.session))
    }

    /// Plays a variation of what was played.
    fn variation(&self, text: &str) -> Result<String> {
        let ply = self.ply(text)?;
        let mut session = self.session.copy();
        while session.played().len() > ply {
            session.undo();
        }
        ensure!(session.played().len() == ply, "the line has not come to ply {ply}");
        play(&mut *session, text)?;
        Ok(link(&self.game, self.fen.clone(), &*session))
    }

    /// Before which ply of the line is the move with the number that the text begins with?
    fn ply(&self, text: &str) -> Result<usize> {
        let word = text.split_whitespace().next().unwrap_or_default();
        let digits = word.trim_end_matches(['.', '…']);
        let number: usize = digits.parse().context("the number of a move")?;
        let black = word.len() > digits.len() + 1;
        (2 * number + usize::from(black)).checked_sub(self.before).context("the line begins later")
    }

    fn given(self) -> GivenLine {
        let moves = self.session.played().into_iter().map(|(text, _)| text).collect();
        GivenLine { game: self.game, fen: self.fen, moves }
    }
}

/// Is it the number of a move, and moves?
fn is_line(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(is_number) && words.next().is_some()
}

/// Plays moves, which are written exactly as we write them.
fn play(session: &mut dyn Session, text: &str) -> Result<()> {
    for word in text.split_whitespace().filter(|word| !is_number(word)) {
        let word = word.trim_end_matches(['!', '?']);
        let info = session.play_any(word)?;
        ensure!(info.san == word, "{word} is written {}", info.san);
    }
    Ok(())
}

fn link(game: &str, fen: Option<String>, session: &dyn Session) -> String {
    let moves = session.played().into_iter().map(|(text, _)| text).collect();
    Link { game: game.to_owned(), fen, moves }.text()
}

/// Where a link of the text leads in the pages of the board, if that is there.
fn known_address<'a>(address: &CowStr<'a>) -> Option<CowStr<'a>> {
    if address.starts_with('#') || address.starts_with("https://") {
        return Some(address.clone());
    }
    let game = address.strip_suffix(".md").filter(|game| quintain_handbook::GAMES.contains(game))?;
    Some(format!("handbook.html?game={game}").into())
}

/// The text up to the end of what it stands in.
fn text_until<'a>(events: &mut impl Iterator<Item = Event<'a>>, end: TagEnd) -> String {
    let mut text = String::new();
    for event in events.by_ref() {
        match event {
            Event::End(tag) if tag == end => break,
            Event::Text(part) | Event::Code(part) => text += &part,
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_core::board::square_name;

    fn page(text: &str) -> Result<HandbookView> {
        HandbookView::of(GameView::of(&*engine::open("canyon").unwrap()), text)
    }

    #[test]
    fn every_page_can_be_read() {
        for name in quintain_handbook::GAMES {
            let page = HandbookView::new(name).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert!(!page.boards.is_empty() && !page.lines.is_empty(), "{name}");
            assert!(
                page.boards.iter().all(|board| board.text.len() > 10) && !page.html.contains("style="),
                "{name}"
            );
            // What is no Markdown would be seen as text.
            assert!(!page.html.contains("<!--") && !page.html.contains("--&gt;"), "{name}");
        }
        assert!(HandbookView::new("chess").err().unwrap().to_string().contains("no page of chess"));
        assert!(HandbookView::new("ludo").is_err());
    }

    #[test]
    fn captions_name_pieces_where_they_stand() {
        let mut seen = 0;
        for name in quintain_handbook::GAMES {
            let HandbookView { game, boards, .. } = HandbookView::new(name).unwrap();
            let squares: Vec<String> = game.squares.iter().copied().map(square_name).collect();
            // The longest first: a super pawn is no pawn.
            let mut kinds: Vec<_> = game.pieces.iter().collect();
            kinds.sort_by_key(|kind| std::cmp::Reverse(kind.name.len()));
            for DrawnBoard { text, position, .. } in boards {
                let mut lower = text.to_lowercase().replace(" on ", " ");
                for kind in &kinds {
                    let letter = kind.letter.to_ascii_lowercase();
                    lower = lower.replace(&kind.name.to_lowercase(), &format!("#{letter}"));
                }
                let words: Vec<&str> = lower.split([' ', ',', ':', ';']).collect();
                for pair in words.windows(2) {
                    let place = squares.iter().position(|square| square == pair[1]);
                    if let (Some(kind), Some(place)) = (pair[0].strip_prefix('#'), place) {
                        let stands = position.pieces[place].to_lowercase();
                        assert!(stands.starts_with(&kind[..1]), "{name}: {text}: {}", pair[1]);
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn pictures_are_drawn_and_moves_are_played() {
        let text = "<!-- quintain diagram canyon --moves \"d4\" --arrows d6d5 --output canyon/d4.svg -->\n\
                    | a | b |\n|---|---|\n| ![After d4](canyon/d4.svg) | **two** |\n\n<!-- moves canyon -->\n\
                    **1. d4 b5** and **2. b4!** but *1... d5* is *quiet*; [all](canyon.md), [tables](../tables.md)\n";
        let page = page(text).unwrap();
        let board = &page.boards[0];
        assert_eq!((board.text.as_str(), board.link.as_str()), ("After d4", "canyon/d3d4"));
        assert_eq!((board.arrows.len(), board.last.as_ref().unwrap().san.as_str()), (1, "d4"));
        assert_eq!(page.lines[0].moves, ["d3d4", "b6b5", "b3b4"]);
        for part in [
            "<td><span data-board=\"0\"></span></td>",
            "<strong>two</strong>",
            "<div data-line=\"0\"></div>",
            "href=\"./#canyon/d3d4.b6b5.b3b4\"><strong>2. b4!</strong></a>",
            "href=\"./#canyon/d3d4.d6d5\"><em>1... d5</em></a>",
            "<em>quiet</em>",
            "<a href=\"handbook.html?game=canyon\">all</a>, tables",
        ] {
            assert!(page.html.contains(part), "{part}: {}", page.html);
        }
        assert!(!page.html.contains("<!--"), "{}", page.html);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let error = |text: &str| format!("{:#}", page(text).err().unwrap());
        assert_eq!(error("![a](a.svg)"), "a.svg: no command above says what it shows");
        assert_eq!(error("**1. d4**"), "1. d4: moves of what?");
        let line = |text: &str| error(&format!("<!-- moves canyon -->\n{text}"));
        assert_eq!(line("**1. d3d4**"), "1. d3d4: d3d4 is written d4");
        assert_eq!(line("**2. d4**"), "2. d4: it is ply 0 of the line, and not 2");
        assert_eq!(line("*1... d4*"), "1... d4: the line has not come to ply 1");
        assert!(line("**1. d5**").starts_with("1. d5: d5"));
        assert!(error("<!-- to do -->").ends_with("it is neither a picture nor moves"));
    }
}
