//! What a page is told, as JSON.

use super::table::NewGame;
use crate::board::{Color, Tag};
use crate::engine::{FileRank, GameInfo, MoveInfo, Session};
use crate::protocol::xboard::games;
use crate::rules::Outcome;
use serde::{Deserialize, Serialize};

/// How a game stands.
#[derive(Serialize)]
pub struct State<'a> {
    pub version: u64,
    pub game: About,
    pub new: &'a NewGame,
    pub start: &'a Ply,
    pub played: &'a [Ply],
    pub side: &'static str,
    pub moves: Vec<Mv>,
    pub remark: Option<String>,
    pub end: Option<End>,
    pub thinking: bool,
    pub paused: bool,
    pub analysis: bool,
    pub lines: Vec<&'a Line>,
    pub hint: Option<&'a str>,
    pub notice: Option<&'a str>,
    /// Milliseconds that White and Black have.
    pub clock: Option<[u64; 2]>,
    /// Does the time of the side to move run?
    pub running: bool,
}

/// A game.
#[derive(Serialize)]
pub struct About {
    pub name: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    pub files: u8,
    pub ranks: u8,
    pub pieces: Vec<PieceKind>,
}

/// A kind of piece, and its drawing.
#[derive(Serialize)]
pub struct PieceKind {
    pub letter: char,
    pub name: &'static str,
    pub moves: &'static str,
    pub drawing: String,
}

/// A game as a page must know it.
pub fn game(info: &GameInfo) -> About {
    let drawings = games::def(info).drawings;
    let mut pieces: Vec<PieceKind> = Vec::new();
    for def in info.pieces {
        let letter = def.letter as char;
        // A letter that comes several times is a piece with facings; the page turns its drawing.
        if pieces.iter().any(|known| known.letter == letter) {
            continue;
        }
        let own = drawings.iter().find(|(known, _)| known.eq_ignore_ascii_case(&letter));
        let drawing = own.map_or_else(|| def.name.to_lowercase().replace(' ', "-"), |own| own.1.to_owned());
        pieces.push(PieceKind { letter, name: def.name, moves: def.moves, drawing });
    }
    let &GameInfo { name, title, summary, files, ranks, .. } = info;
    About { name, title, summary, files, ranks, pieces }
}

/// A side by its name.
pub fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A move.
#[derive(Clone, Serialize)]
pub struct Mv {
    pub text: String,
    pub san: String,
    pub tag: String,
    pub piece: char,
    pub from: FileRank,
    pub to: FileRank,
    /// The letter of the piece that it becomes.
    pub becomes: Option<char>,
    /// Where it faces afterwards, as its owner sees the board.
    pub facing: Option<String>,
    pub taken: Vec<FileRank>,
    pub partners: Vec<(FileRank, FileRank)>,
}

impl Mv {
    /// The move as a page needs it.
    pub fn of(info: &MoveInfo) -> Mv {
        let runs = matches!(info.tag, Tag::Charge | Tag::Retreat | Tag::Turn);
        // A promotion is a letter, and behind it where the new piece faces, if it does.
        let split = if runs { 0 } else { info.suffix.len().min(1) };
        let (becomes, facing) = info.suffix.split_at(split);
        Mv {
            text: info.text.clone(),
            san: info.san.clone(),
            tag: format!("{:?}", info.tag).to_lowercase(),
            piece: info.piece,
            from: info.from,
            to: info.to,
            becomes: becomes.chars().next(),
            facing: (!facing.is_empty()).then(|| facing.to_owned()),
            taken: info.taken.clone(),
            partners: info.partners.clone(),
        }
    }
}

/// A position, and the move that led to it.
#[derive(Serialize)]
pub struct Ply {
    mv: Option<Mv>,
    fen: String,
    /// The squares, and who stands there: a letter and a mark, or nothing.
    squares: Vec<(u8, u8, String)>,
    /// The squares of the pieces that give check, by name.
    checkers: Vec<String>,
    /// The square of the royal piece of the side to move, if it is attacked.
    check: Option<FileRank>,
}

impl Ply {
    /// The position in which a game begins.
    pub fn start(session: &dyn Session) -> Ply {
        let squares = session.squares();
        let info = session.info();
        let royal = info.pieces[info.royal].letter as char;
        let royal = if session.side() == Color::White { royal.to_ascii_uppercase() } else { royal };
        let checkers = session.checkers();
        let is_royal = |piece: &Option<(char, char)>| piece.is_some_and(|(letter, _)| letter == royal);
        let check = squares.iter().find(|(_, piece)| is_royal(piece)).map(|&(place, _)| place);
        let text = |piece: Option<(char, char)>| {
            piece.map_or(String::new(), |(letter, mark)| format!("{letter}{mark}").trim_end().to_owned())
        };
        Ply {
            mv: None,
            fen: session.fen(),
            check: check.filter(|_| !checkers.is_empty()),
            checkers,
            squares: squares.into_iter().map(|((file, rank), piece)| (file, rank, text(piece))).collect(),
        }
    }

    /// The position after a move.
    pub fn after(session: &dyn Session, info: MoveInfo) -> Ply {
        Ply { mv: Some(Mv::of(&info)), ..Ply::start(session) }
    }

    /// The move as people write it.
    pub fn san(&self) -> &str {
        self.mv.as_ref().map_or("", |mv| &mv.san)
    }
}

/// How a game ended.
#[derive(Clone, Serialize, Deserialize)]
pub struct End {
    pub text: String,
    pub score: String,
    /// Who won.
    pub winner: Option<String>,
}

impl End {
    /// An end by the rules.
    pub fn of(outcome: Outcome) -> End {
        let winner = outcome.winner.map(|winner| side(winner).to_owned());
        End { text: outcome.to_string(), score: outcome.score().into(), winner }
    }

    /// A win that is no matter of the rules.
    pub fn won(winner: Color, text: String) -> End {
        let score = if winner == Color::White { "1-0" } else { "0-1" };
        End { text, score: score.into(), winner: Some(side(winner).into()) }
    }

    /// A draw that is no matter of the rules.
    pub fn draw(text: String) -> End {
        End { text, score: "1/2-1/2".into(), winner: None }
    }
}

/// What analysis found.
#[derive(Clone, Serialize)]
pub struct Line {
    /// Which of the best lines, from 1.
    pub number: usize,
    pub depth: u32,
    /// Centipawns, from White's side.
    pub score: i32,
    /// Moves to the mate, positive if White mates.
    pub mate: Option<i32>,
    pub nodes: u64,
    /// Nodes a second.
    pub speed: u64,
    pub san: Vec<String>,
    pub best: Option<Mv>,
}
