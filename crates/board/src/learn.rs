//! What the learn page is sent: a game's lessons, and the legal moves after any line of moves.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use super::rules::{self, Block};
use super::view::{self, End, GameView, MoveView, PositionView};
use anyhow::{Context, Result, ensure};
use quintain_core::notation::Lesson;
use quintain_engine::{self as engine, FileRank, Session};
use quintain_play::game::values;
use serde::Serialize;

/// Longer lines are refused.
const MAX_MOVES: usize = 2000;

/// A line of moves with all its positions, and what can be played after it.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Line {
    fen: Option<String>,
    steps: Vec<Step>,
    legal: Vec<MoveView>,
    end: Option<End>,
}

/// A position, and the move that led to it.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct Step {
    #[serde(rename = "move")]
    mv: Option<MoveView>,
    position: PositionView,
}

impl Line {
    /// The position from which it begins, if that is not the start.
    #[cfg(test)]
    pub(crate) fn fen(&self) -> Option<&str> {
        self.fen.as_deref()
    }

    /// The moves as coordinates.
    #[cfg(test)]
    pub(crate) fn moves(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| Some(step.mv.as_ref()?.text.as_str()))
    }

    /// Moves, as coordinates or as people write them, from a position or the start.
    pub fn new(game: &str, fen: Option<&str>, moves: &[&str]) -> Result<Line> {
        ensure!(moves.len() <= MAX_MOVES, "moves: {} are more than {MAX_MOVES}", moves.len());
        let mut session = engine::open(game)?;
        session.set_position(fen, &[])?;
        let mut steps = vec![Step { mv: None, position: PositionView::from(&*session) }];
        for text in moves {
            let info = session.play_any(text)?;
            steps.push(Step { mv: Some(MoveView::from(&info)), position: PositionView::from(&*session) });
        }
        let end = session.outcome().map(End::of);
        let legal = if end.is_some() { Vec::new() } else { view::moves(&*session) };
        Ok(Line { fen: fen.map(str::to_owned), steps, legal, end })
    }
}

/// A position to look at: where the pieces of both sides could go.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct Look {
    position: PositionView,
    moves: Vec<MoveView>,
}

impl Look {
    fn new(session: &dyn Session) -> Look {
        let mut moves = view::moves(session);
        // As if the other side were to move, where that is possible.
        let mut other = session.copy();
        if other.pass().is_ok() {
            moves.extend(view::moves(&*other));
        }
        Look { position: PositionView::from(session), moves }
    }
}

/// All that the page shows of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct LessonsView {
    game: GameView,
    start: Look,
    pieces: Vec<PieceLesson>,
    rules: Vec<LessonView>,
    example: LessonView,
    /// The rules in full.
    text: Vec<Block>,
}

/// What a piece is worth and where it goes.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct PieceLesson {
    letter: char,
    name: &'static str,
    moves: &'static str,
    /// In pawns, while the board is full and when it is nearly empty; nothing for the royal piece.
    value: Option<[String; 2]>,
    look: Look,
    /// Where it stands.
    place: FileRank,
}

/// A rule, or the example game.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct LessonView {
    title: &'static str,
    text: &'static str,
    line: Line,
    /// What is said of each move.
    remarks: Vec<&'static str>,
}

impl LessonView {
    fn new(game: &str, lesson: &Lesson) -> Result<LessonView> {
        let &Lesson { title, text, fen, moves } = lesson;
        let (moves, remarks): (Vec<_>, Vec<_>) = moves.iter().copied().unzip();
        Ok(LessonView { title, text, line: Line::new(game, fen, &moves)?, remarks })
    }
}

impl LessonsView {
    /// The lessons of a game.
    pub fn new(name: &str) -> Result<LessonsView> {
        let mut session = engine::open(name)?;
        let info = session.info();
        let lessons = info.lessons.with_context(|| format!("game: {name} has no lessons"))?;
        let values = values::values(&info);
        let (game, start) = (GameView::of(&*session), Look::new(&*session));
        let mut pieces = Vec::new();
        for &(letter, fen) in lessons.pieces {
            session.set_position(Some(fen), &[])?;
            let white = Some(letter.to_ascii_uppercase());
            let place = game.squares.iter().copied().find(|&place| session.piece(place) == white);
            let view = game.pieces.iter().find(|piece| piece.letter == letter);
            let (place, view) = place.zip(view).with_context(|| format!("{name}: piece {letter}"))?;
            let value = values.iter().find(|value| value.letter == letter);
            pieces.push(PieceLesson {
                letter,
                name: view.name,
                moves: view.moves,
                value: value.map(|value| [value.opening, value.ending].map(|pawns| format!("{pawns:.1}"))),
                look: Look::new(&*session),
                place,
            });
        }
        let rules =
            lessons.rules.iter().map(|lesson| LessonView::new(name, lesson)).collect::<Result<_>>()?;
        let example = LessonView::new(name, &lessons.game)?;
        Ok(LessonsView { game, start, pieces, rules, example, text: rules::blocks(info.rules) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::NAMES;

    #[test]
    fn every_game_has_a_page() {
        for name in NAMES {
            let page = LessonsView::new(name).unwrap();
            assert_eq!(page.pieces.len(), page.game.pieces.len(), "{name}");
            // The royal piece alone has no value.
            assert_eq!(page.pieces.iter().filter(|piece| piece.value.is_none()).count(), 1, "{name}");
            for piece in &page.pieces {
                let goes = |mv: &MoveView| mv.from == piece.place;
                assert!(piece.look.moves.iter().any(goes), "{name}: {}", piece.name);
            }
            for lesson in page.rules.iter().chain([&page.example]) {
                assert_eq!(lesson.line.steps.len(), lesson.remarks.len() + 1, "{name}: {}", lesson.title);
            }
            assert!(page.example.line.end.is_some_and(|end| end.winner.is_some()), "{name}");
        }
    }

    #[test]
    fn both_sides_can_be_looked_at() {
        let look = Look::new(&*engine::open("chess").unwrap());
        assert_eq!(look.moves.len(), 40);
    }

    #[test]
    fn lines_are_checked() {
        let line = Line::new("canyon", None, &["e2g2", "Nc5"]).unwrap();
        assert_eq!((line.steps.len(), line.end.is_none()), (3, true));
        let error = |game: &str, fen: Option<&str>, moves: &[&str]| {
            Line::new(game, fen, moves).err().map(|error| error.to_string())
        };
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(error("ludo", None, &[]), said(&engine::UnknownGame("ludo".into()).to_string()));
        assert_eq!(error("chess", Some("8/8 w - -"), &[]), said("placement: 2 ranks instead of 8"));
        assert_eq!(error("chess", None, &["e4e5"]), said("e4e5: there is no piece on e4"));
        assert_eq!(error("chess", None, &["Nf3"; MAX_MOVES + 1]), said("moves: 2001 are more than 2000"));
    }
}
