//! Games as text: PGN and FEN.

use super::view::End;
use crate::board::Color;
use crate::engine::{self, GameInfo};
use crate::notation::pgn::{self, Game, Ply};
use crate::tools::games;
use anyhow::{Context, Result, ensure};
use std::time::Duration;

/// A game that was read.
pub struct Record {
    pub game: String,
    /// The first position, if it is not that of the game.
    pub fen: Option<String>,
    /// What is said before the first move.
    pub comment: String,
    /// The moves, which are legal, with comments and variations.
    pub moves: Vec<Ply>,
    pub end: Option<End>,
}

/// Reads a PGN, or a FEN of `game`. A PGN that does not say of which game it is belongs to `game` too.
pub fn read(text: &str, game: &str) -> Result<Record> {
    let text = text.trim();
    ensure!(!text.is_empty(), "there is no text");
    if is_fen(text) {
        let (game, fen) = (game.to_owned(), Some(text.to_owned()));
        return Ok(Record { game, fen, comment: String::new(), moves: Vec::new(), end: None });
    }
    let mut read = pgn::games(text).next().context("there is no game in the text")??;
    let game = read.tag("Variant").map_or(game.to_owned(), str::to_lowercase);
    let mut session =
        engine::open(&game).with_context(|| format!("tag Variant: there is no game called '{game}'"))?;
    let steps = games::open(&mut *session, &read)?;
    let start = session.fen();
    let fen = (start != session.info().start).then_some(start);
    // Games of XBoard have several entries for some moves, and no variations.
    let same = steps.len() == read.moves.len();
    let mut plies = std::mem::take(&mut read.moves).into_iter();
    let moves = steps.into_iter().map(|step| {
        let variations = plies.next().filter(|_| same).map(|ply| ply.variations).unwrap_or_default();
        Ply { san: step.text, comment: step.comment, variations }
    });
    let resigned = |winner: Color| End::won(winner, format!("{} resigns", !winner));
    let end = match read.result.as_str() {
        "1-0" => Some(resigned(Color::White)),
        "0-1" => Some(resigned(Color::Black)),
        "1/2-1/2" => Some(End::draw("Draw by agreement".into())),
        _ => None,
    };
    Ok(Record { game, fen, comment: read.comment.unwrap_or_default(), moves: moves.collect(), end })
}

/// A FEN is one line, and its first word has ranks between slashes.
fn is_fen(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    text.lines().count() == 1 && first.contains('/') && !text.starts_with(['[', '{'])
}

/// A comment in a PGN, with the time that the move took before it.
pub fn timed(comment: &str, time: Option<Duration>) -> Option<String> {
    let time = time.map(|time| {
        let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
        format!("[%emt {}:{:02}:{:02}.{tenths}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
    });
    let parts: Vec<&str> =
        time.as_deref().into_iter().chain(Some(comment).filter(|text| !text.is_empty())).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The time that a move took and the rest of its comment; the reverse of [`timed`].
pub fn untimed(comment: &str) -> (Option<Duration>, String) {
    let found = || {
        let (before, rest) = comment.split_once("[%emt")?;
        let (time, after) = rest.split_once(']')?;
        let parts: Vec<f64> = time.trim().split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let seconds = parts.iter().try_fold(0.0, |sum, &part| (part >= 0.0).then_some(60.0 * sum + part))?;
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| parts.len() <= 3)?;
        let words: Vec<&str> =
            [before.trim(), after.trim()].into_iter().filter(|text| !text.is_empty()).collect();
        Some((Some(time), words.join(" ")))
    };
    found().unwrap_or_else(|| (None, comment.to_owned()))
}

/// Writes a PGN.
pub fn write(
    info: &GameInfo,
    start: &str,
    engine: [bool; 2],
    comment: &str,
    moves: Vec<Ply>,
    result: &str,
) -> String {
    let players = engine.map(|engine| if engine { "Quintain" } else { "?" });
    Game {
        comment: (!comment.is_empty()).then(|| comment.to_owned()),
        moves,
        ..games::played_today(info, "in the browser", players, start, result)
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_moves_are_read_back() {
        let time = Some(Duration::from_millis(3_723_400));
        assert_eq!(timed("well", time), Some("[%emt 1:02:03.4] well".into()));
        assert_eq!(untimed("[%emt 1:02:03.4] well"), (time, "well".into()));
        assert_eq!(untimed("so [%emt 0:05] it is"), (Some(Duration::from_secs(5)), "so it is".into()));
        assert_eq!(timed("", None), None);
        assert_eq!(untimed("[%emt\n0:05]"), (Some(Duration::from_secs(5)), String::new()));
        for strange in ["[%emt x]", "[%emt -1]", "[%emt 1:2:3:4]", "[%emt 9e99]", "[%emt 5", "[%clk 0:05]"] {
            assert_eq!(untimed(strange), (None, strange.into()));
        }
    }
}
