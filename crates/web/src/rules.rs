//! The rules of the games, for programs that show boards: questions and answers as JSON.

// The names of the fields say what they hold.
#![allow(missing_docs)]

use anyhow::{Context, Result, bail};
use quintain_board::view::{self, GameView, MoveView, PositionView};
use quintain_core::board::{Color, square_name};
use quintain_core::notation::draw::Style;
use quintain_core::notation::pgn::{self, Game, Ply};
use quintain_core::rules::Outcome;
use quintain_core::rules::perft::Counting;
use quintain_drawings::{self as drawings, Diagram};
use quintain_engine::{self as engine, NAMES, Session};
use quintain_play::game::reading;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A position: where a game begins, and the moves from there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    /// The name of the game.
    game: String,
    /// The first position; that of the game if there is none.
    fen: Option<String>,
    /// Moves as coordinates.
    moves: Vec<String>,
}

impl At {
    fn session(&self) -> Result<Box<dyn Session>> {
        let mut session = engine::open(&self.game)?;
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        session.set_position(self.fen.as_deref(), &moves)?;
        Ok(session)
    }
}

/// A question.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    /// All games.
    Games,
    /// What there is to know about a position.
    Position { at: At },
    /// Its legal moves.
    Moves { at: At },
    /// A legal move, given as coordinates or SAN, in full.
    Move { at: At, text: String },
    /// SAN of moves one after the other.
    Line { at: At, line: Vec<String> },
    /// The number of sequences of so many moves.
    Perft { at: At, depth: u32 },
    /// A picture of the position, with squares of so many pixels.
    Svg { at: At, flipped: bool, dark: bool, square: u32 },
    /// The position, drawn with letters.
    Text { at: At },
    /// The games of a PGN.
    ReadPgn { text: String },
    /// A game as PGN.
    WritePgn { at: At, tags: Vec<(String, String)> },
    /// The drawing of a piece.
    Drawing { name: String },
}

/// A game: its board, its pieces, its start.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct GameInfo {
    #[serde(flatten)]
    view: GameView,
    /// The names of the squares, in the order of `squares`.
    names: Vec<String>,
    /// The rules for people.
    rules: &'static str,
    /// The name of its network.
    network: &'static str,
}

/// A position, as far as its pieces and its side to move do not tell.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PositionInfo {
    #[serde(flatten)]
    view: PositionView,
    /// The moves that were played, as SAN.
    played: Vec<String>,
    /// The result, if the game is over.
    outcome: Option<OutcomeInfo>,
    /// The number of the move, from 1; it grows after Black's moves.
    fullmove: u32,
    /// Plies since the last irreversible move.
    halfmove: u16,
}

/// The result of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OutcomeInfo {
    /// Nobody won a draw.
    #[cfg_attr(test, ts(type = "Side | null"))]
    winner: Option<&'static str>,
    #[cfg_attr(
        test,
        ts(type = "'checkmate' | 'stalemate' | 'ten_moves' | 'bare_kings' | 'repetition' | 'fifty_moves'")
    )]
    reason: &'static str,
    /// As PGN writes it.
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2'"))]
    result: &'static str,
    /// In words.
    text: String,
}

/// A game that was read from a PGN.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PgnGame {
    /// The name of the game.
    game: &'static str,
    tags: Vec<(String, String)>,
    /// The first position, if it is not that of the game.
    fen: Option<String>,
    /// The comment before the first move.
    comment: Option<String>,
    moves: Vec<PgnMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; empty if the text ends without one.
    result: String,
    /// What was not understood. The moves end before the first that was not.
    faults: Vec<String>,
}

/// A move of a PGN.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PgnMove {
    /// Coordinates.
    text: String,
    san: String,
    /// Annotations by their numbers: 2 for `?`.
    nags: Vec<u8>,
    comment: Option<String>,
}

impl From<Outcome> for OutcomeInfo {
    fn from(outcome: Outcome) -> Self {
        OutcomeInfo {
            winner: outcome.winner.map(Color::name),
            reason: outcome.reason.name(),
            result: outcome.score(),
            text: outcome.to_string(),
        }
    }
}

/// The answer to a question: `{"value": ...}`, or `{"error": ...}` with the reason.
pub fn answer(question: &str) -> String {
    let answer = serde_json::from_str(question).context("question").and_then(value);
    match answer {
        Ok(value) => json!({ "value": value }),
        Err(error) => json!({ "error": format!("{error:#}") }),
    }
    .to_string()
}

fn value(question: Question) -> Result<Value> {
    Ok(match question {
        Question::Games => json!(NAMES.iter().map(|name| about(name)).collect::<Result<Vec<_>>>()?),
        Question::Position { at } => json!(position(&*at.session()?)),
        Question::Moves { at } => json!(view::moves(&*at.session()?)),
        Question::Move { at, text } => json!(MoveView::from(&at.session()?.describe(&text)?)),
        Question::Line { at, line } => {
            let mut session = at.session()?;
            let san = |text: &String| Ok(session.play_any(text)?.san);
            json!(line.iter().map(san).collect::<Result<Vec<_>>>()?)
        }
        Question::Perft { at, depth } => json!(at.session()?.perft(depth, Counting::Bulk)),
        Question::Svg { at, flipped, dark, square } => {
            json!(Diagram { flipped, dark, ..Diagram::default() }.draw(&*at.session()?, square))
        }
        Question::Text { at } => json!(at.session()?.draw(Style::default())),
        Question::ReadPgn { text } => json!(pgn::games(&text).map(read).collect::<Result<Vec<_>>>()?),
        Question::WritePgn { at, tags } => json!(write(&at, tags)?),
        Question::Drawing { name } => match drawings::svg(&name) {
            Some(svg) => json!(svg),
            None => bail!("there is no drawing called '{name}'"),
        },
    })
}

fn about(name: &str) -> Result<GameInfo> {
    let session = engine::open(name)?;
    let (info, names) = (session.info(), session.squares().into_iter().map(square_name).collect());
    Ok(GameInfo { view: GameView::of(&*session), names, rules: info.rules, network: info.network })
}

fn position(session: &dyn Session) -> PositionInfo {
    PositionInfo {
        view: PositionView::from(session),
        played: session.played().into_iter().map(|(_, san)| san).collect(),
        outcome: session.outcome().map(OutcomeInfo::from),
        fullmove: session.fullmove(),
        halfmove: session.halfmove(),
    }
}

/// Reads a game of a PGN. One that does not name its game is the one in which its moves are legal.
fn read(game: Game) -> Result<PgnGame> {
    let named = match game.tag("Variant") {
        Some(tag) => reading::variant(tag).context("tag Variant")?,
        None => reading::likeliest(&reading::candidates(&game, "")).context("it is not a game of ours")?,
    };
    let mut session = engine::open(named)?;
    let reading = reading::interpret(&mut *session, game)?;
    let (start, texts, faults) = (session.fen(), reading.moves(), reading.complaints());
    let Game { tags, comment, moves, result, .. } = reading.game;
    let read =
        |(ply, text): (Ply, String)| PgnMove { text, san: ply.san, nags: ply.nags, comment: ply.comment };
    Ok(PgnGame {
        game: named,
        tags,
        fen: (start != session.info().start).then_some(start),
        comment,
        moves: moves.into_iter().zip(texts).map(read).collect(),
        result,
        faults,
    })
}

/// Writes a game with these tags, and those of the standard that are missing.
fn write(at: &At, tags: Vec<(String, String)>) -> Result<String> {
    let session = at.session()?;
    let known = |name: &str| {
        tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    };
    let result = match (session.outcome(), known("Result")) {
        (_, Some(result)) => result,
        (Some(outcome), None) => outcome.score().into(),
        (None, None) => "*".into(),
    };
    let mut game = Game { result: result.clone(), ..Game::default() };
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        game.set_tag(name, Some(known(name).unwrap_or_else(|| unknown.into())));
    }
    game.set_tag("Result", Some(result));
    for (name, value) in tags {
        game.set_tag(&name, Some(value));
    }
    game.moves = session.played().into_iter().map(|(_, san)| Ply { san, ..Ply::default() }).collect();
    let mut start = session;
    while start.undo() {}
    Ok(reading::ours(&*start, game).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_board::types::Types;
    use std::path::Path;
    use std::{env, fs};
    use ts_rs::TypeVisitor;

    const HEAD: &str = "// What the module answers. Made from the types in Rust by `cargo test`; see crates/web/src/rules.rs.
";

    #[test]
    fn types_of_the_package_are_those_of_the_module() {
        let mut types = Types::default();
        types.visit::<GameInfo>();
        types.visit::<MoveView>();
        types.visit::<PositionInfo>();
        types.visit::<PgnGame>();
        let text = types.text(HEAD);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npm/types.d.ts");
        if env::var_os("WRITE_TYPES").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let known = fs::read_to_string(&path).unwrap_or_default();
        let write = "WRITE_TYPES=1 cargo test -p quintain-web types_of_the_package";
        assert!(known == text, "{} is out of date: {write}", path.display());
    }

    #[test]
    fn a_wrong_question_is_refused_with_the_reason() {
        let error =
            |question: &str| serde_json::from_str::<Value>(&answer(question)).unwrap()["error"].to_string();
        assert!(error("{}").contains("missing field `ask`"), "{}", error("{}"));
        let at = r#"{"game":"checkers","fen":null,"moves":[]}"#;
        let moves = error(&format!(r#"{{"ask":"moves","at":{at}}}"#));
        assert_eq!(moves, format!("\"{}\"", engine::UnknownGame("checkers".into())));
    }
}
