//! Finished games for statistics, books and puzzles: from results of matches and from PGN.

use crate::board::Color;
use crate::engine;
use crate::notation::pgn;
use crate::search::score::UciScore;
use anyhow::{Context, Result, bail, ensure};
use quintain_io::files::{self, MOST_GAMES};
use quintain_io::note;
use quintain_play::game::reading;
use quintain_tournament::record::{GameResult, Stored};
use std::collections::HashSet;
use std::path::Path;

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Where it began, if not at the start of the game.
    pub fen: Option<String>,
    /// The moves as coordinates.
    pub moves: Vec<String>,
    /// What the engines said of them, for the sides that made them.
    pub scores: Vec<Option<UciScore>>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it ended, in words.
    pub reason: String,
}

/// Reads files of games of one game: results of matches, or PGN. Games that are the same move by move count once;
/// games that are not over are left out.
pub fn read<P: AsRef<Path>>(paths: &[P], name: &str) -> Result<Vec<Played>> {
    let (mut all, mut known, mut left_out) = (Vec::new(), HashSet::new(), 0);
    for path in paths.iter().map(AsRef::as_ref) {
        let bytes = files::read_stream(path, MOST_GAMES)?;
        let games = match bytes.starts_with(b"{\"quintain-match\"") {
            true => of_match(&bytes, path, name),
            false => of_pgn(&pgn::decode(bytes), name, &mut left_out),
        };
        for game in games.with_context(|| path.display().to_string())? {
            if known.insert((game.fen.clone(), game.moves.clone())) {
                all.push(game);
            }
        }
    }
    if left_out > 0 {
        note!("{left_out} games are left out: they are not over, or their moves are not understood.");
    }
    ensure!(!all.is_empty(), "there are no finished games");
    Ok(all)
}

fn of_match(bytes: &[u8], path: &Path, name: &str) -> Result<Vec<Played>> {
    let stored = Stored::from_reader(bytes, path)?;
    stored.warnings.iter().for_each(|warning| note!("Warning: {warning}."));
    let group = stored.header.settings.iter().find(|group| group.name == "variant");
    let found = group.and_then(|group| group.words.first()).map_or("", String::as_str);
    if found != name {
        bail!("it has games of '{found}', not of {name}");
    }
    let regular = stored.games.into_iter().filter(|game| game.end.is_regular());
    let played = |game: quintain_tournament::record::GameRecord| {
        let blank = std::iter::repeat_n(None, game.book.len());
        Played {
            fen: game.fen,
            scores: blank.chain(game.moves.iter().map(|played| played.score)).collect(),
            moves: game.book.into_iter().chain(game.moves.into_iter().map(|played| played.text)).collect(),
            winner: match game.result {
                GameResult::WhiteWins => Some(Color::White),
                GameResult::BlackWins => Some(Color::Black),
                GameResult::Draw => None,
            },
            reason: game.reason,
        }
    };
    Ok(regular.map(played).collect())
}

fn of_pgn(text: &str, name: &str, left_out: &mut usize) -> Result<Vec<Played>> {
    let mut all = Vec::new();
    for game in pgn::games(text) {
        let winner = match game.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            "1/2-1/2" => None,
            _ => {
                *left_out += 1;
                continue;
            }
        };
        let mut session = engine::open(name)?;
        // `normal` says nothing, as `White mates` does.
        let told = game.tag("Termination").filter(|tag| !tag.eq_ignore_ascii_case("normal"));
        let told = told.unwrap_or_default().to_owned();
        match reading::interpret(&mut *session, game) {
            Ok(reading) if reading.broken.is_none() => {
                let (moves, fen) = (reading.moves(), session.fen());
                moves.iter().try_for_each(|text| session.play(text).map(drop))?;
                let reason = session.outcome().map_or(told, |outcome| outcome.to_string());
                let fen = (fen != session.info().start).then_some(fen);
                all.push(Played { fen, scores: vec![None; moves.len()], moves, winner, reason });
            }
            _ => *left_out += 1,
        }
    }
    Ok(all)
}
