//! Games from files: in SAN, as most programs write them, and in XBoard's own notation.

use crate::board::Color;
use crate::engine::{GameInfo, Session};
use crate::files::{self, MB};
use crate::notation::pgn::{self, Game, Ply};
use crate::protocol::xboard::board::Quirks;
use crate::protocol::xboard::{self, movetext, position};
use crate::tools::tournament::record::utc;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A move and its comment.
pub struct Step {
    /// Coordinates.
    pub text: String,
    /// The comment that follows it.
    pub comment: Option<String>,
}

/// The most bytes of a file of games.
pub const MOST: u64 = 1000 * MB;

/// The text of a file that was named on the command line; `-` is standard input.
pub fn read(path: &Path) -> std::io::Result<String> {
    files::read_stream(path, MOST).map(pgn::decode)
}

/// A path as a person types it, with `~` for the home folder.
pub fn path(text: &str) -> PathBuf {
    match (text.strip_prefix('~'), dirs::home_dir()) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => text.into(),
    }
}

/// Sets up the position in which a game begins, and returns its moves, all of them legal. Moves after a draw are
/// accepted: the game may follow other rules, or the draw was not claimed.
pub fn open(session: &mut dyn Session, game: &Game) -> Result<Vec<Step>> {
    let info = session.info();
    if let Some(variant) = game.tag("Variant") {
        ensure!(
            variant.eq_ignore_ascii_case(info.name),
            "tag Variant: it is a game of '{variant}', not {}",
            info.name
        );
    }
    if game.tag("VariantMen").is_some() {
        return of_xboard(session, game);
    }
    session.set_position(game.tag("FEN"), &[]).context("tag FEN")?;
    let mut copy = session.copy();
    let mut steps = Vec::new();
    for (index, ply) in game.moves.iter().enumerate() {
        let here = || format!("move {} {}", number(&*copy), ply.san);
        if copy.moves().is_empty() {
            bail!("{}: follows the end of the game", here());
        }
        let here = here();
        let info = copy.play_any(&ply.san).map_err(|error| anyhow!("{here}: {}", error.reason))?;
        let comment = game.moves[index].comment.clone();
        steps.push(Step { text: info.text, comment });
    }
    Ok(steps)
}

/// Converts the games of a file and prints them. A bad game is skipped and reported.
pub fn each(path: &Path, mut work: impl FnMut(Game) -> Result<Game>) -> Result<()> {
    let text = read(path)?;
    let (mut all, mut bad) = (0, 0);
    for game in pgn::games(&text) {
        all += 1;
        match game.map_err(anyhow::Error::from).and_then(&mut work) {
            Ok(game) => super::print(&game.to_string())?,
            Err(error) => {
                bad += 1;
                note!("{}: game {all}: {error:#}", path.display());
            }
        }
    }
    ensure!(all > 0, "{} contains no game", path.display());
    ensure!(bad == 0, "{}: {bad} of {all} games are left out", path.display());
    Ok(())
}

/// The game in our notation. The session is at its start.
pub fn ours(session: &dyn Session, mut game: Game, moves: Vec<Ply>) -> Game {
    let (info, start) = (session.info(), session.fen());
    set_tag(&mut game, "Variant", Some(info.name.into()));
    set_tag(&mut game, "VariantMen", None);
    set_start(&mut game, (start != info.start).then_some(start));
    game.moves = moves;
    game
}

/// The game in XBoard's notation. The session is at its start.
pub fn for_xboard(session: &dyn Session, mut game: Game, steps: &[Step]) -> Result<Game> {
    let info = session.info();
    let moves: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
    let entries = movetext::write(session, &moves)
        .map_err(|wrong| anyhow!("XBoard cannot read move {} from a file", moves[wrong]))?;
    set_tag(&mut game, "Variant", Some(info.name.into()));
    // XBoard uses this description of the pieces when it reads the position.
    let pieces = xboard::games::def(&info)
        .moves
        .iter()
        .map(|(id, moves)| format!("{}:{moves}", id.trim_end_matches('&')));
    set_tag(&mut game, "VariantMen", Some(pieces.collect::<Vec<_>>().join(";")));
    set_start(&mut game, Some(position::fen(session)));
    game.moves.clear();
    for (words, step) in entries.into_iter().zip(steps) {
        game.moves.extend(words.into_iter().map(|san| Ply { san, ..Ply::default() }));
        if let Some(last) = game.moves.last_mut() {
            last.comment.clone_from(&step.comment);
        }
    }
    Ok(game)
}

/// A game that was played today, with its tags and without moves. `place` is where, "in the browser"; `players` are White
/// and Black.
pub fn played_today(info: &GameInfo, place: &str, players: [&str; 2], start: &str, result: &str) -> Game {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let tags = [
        ("Event", &*format!("{} {place}", info.title)),
        ("Site", "?"),
        ("Date", &utc(now).0),
        ("Round", "-"),
        ("White", players[0]),
        ("Black", players[1]),
        ("Result", result),
        ("Variant", info.name),
    ];
    let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut game = Game { tags, result: result.to_owned(), ..Game::default() };
    set_start(&mut game, (start != info.start).then(|| start.to_owned()));
    game
}

fn set_start(game: &mut Game, fen: Option<String>) {
    set_tag(game, "SetUp", fen.is_some().then(|| "1".into()));
    set_tag(game, "FEN", fen);
}

/// Sets a tag, or removes it.
fn set_tag(game: &mut Game, name: &str, value: Option<String>) {
    let known = game.tags.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
    match (known, value) {
        (Some(at), Some(value)) => game.tags[at].1 = value,
        (Some(at), None) => drop(game.tags.remove(at)),
        (None, Some(value)) => game.tags.push((name.into(), value)),
        (None, None) => {}
    }
}

/// The number of the next move as in `3.` or `3...`.
pub fn number(session: &dyn Session) -> String {
    let dots = if session.side() == Color::White { "." } else { "..." };
    format!("{}{dots}", session.fullmove())
}

/// XBoard describes the pieces of a game that it does not know in the tag VariantMen.
fn of_xboard(session: &mut dyn Session, game: &Game) -> Result<Vec<Step>> {
    let info = session.info();
    match game.tag("FEN") {
        None => session.set_position(None, &[])?,
        Some(fen) => {
            let quirks = Quirks::new(&info);
            position::set_up(session, &quirks, fen).map_err(|what| anyhow!("tag FEN: {what}"))?;
        }
    }
    let words: Vec<&str> = game.moves.iter().map(|ply| ply.san.as_str()).collect();
    let readings = movetext::read(session, &words).map_err(|wrong| {
        // XBoard's numbers count passes too.
        let (number, dots) = (wrong / 2 + 1, if wrong % 2 == 0 { "." } else { "..." });
        anyhow!("XBoard's move {number}{dots} {}: is not a move", words[wrong])
    })?;
    let mut start = 0;
    let step = |reading: movetext::Reading| {
        let said: Vec<&str> =
            game.moves[start..reading.end].iter().filter_map(|ply| ply.comment.as_deref()).collect();
        start = reading.end;
        Step { text: reading.text, comment: (!said.is_empty()).then(|| said.join(" ")) }
    };
    Ok(readings.into_iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    /// Games that XBoard 4.9.1 wrote, engine against engine.
    const GAMES: [(&str, &str); 9] = [
        ("canyon", include_str!("../../engine-tests/games/canyon.pgn")),
        ("diamond", include_str!("../../engine-tests/games/diamond.pgn")),
        ("grandcavalier", include_str!("../../engine-tests/games/grandcavalier.pgn")),
        ("superchess", include_str!("../../engine-tests/games/superchess.pgn")),
        ("superchessfixed", include_str!("../../engine-tests/games/superchessfixed.pgn")),
        ("gast", include_str!("../../engine-tests/games/gast.pgn")),
        ("gast14", include_str!("../../engine-tests/games/gast14.pgn")),
        ("chess", include_str!("../../engine-tests/games/chess.pgn")),
        ("grand", include_str!("../../engine-tests/games/grand.pgn")),
    ];

    #[test]
    fn xboards_games_are_read_to_their_end() {
        for (name, text) in GAMES {
            let game = pgn::parse(text).unwrap().remove(0);
            let mut session = engine::open(name).unwrap();
            let steps = open(&mut *session, &game).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            for step in &steps {
                session.play(&step.text).unwrap();
            }
            // They ended by our rules.
            let score = session.outcome().map(|outcome| outcome.score());
            assert_eq!(score, Some(game.result.as_str()), "{name}: {}", session.fen());
        }
    }

    #[test]
    fn what_is_written_for_xboard_is_read() {
        let texts = |steps: &[Step]| steps.iter().map(|step| step.text.clone()).collect::<Vec<_>>();
        for (name, text) in GAMES.into_iter().filter(|(name, _)| *name != "chess") {
            let game = pgn::parse(text).unwrap().remove(0);
            let mut session = engine::open(name).unwrap();
            let steps = open(&mut *session, &game).unwrap();
            if name.starts_with("super") {
                // A cyclops turns.
                let error = for_xboard(&*session, game, &steps).unwrap_err();
                assert_eq!(error.to_string(), "XBoard cannot read move d1d1ne from a file", "{name}");
                continue;
            }
            let written = for_xboard(&*session, game, &steps).unwrap();
            let again = open(&mut *session, &written).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert_eq!(texts(&steps), texts(&again), "{name}");
        }
    }

    #[test]
    fn an_entry_of_xboard_that_makes_no_sense_is_named() {
        let text = GAMES[0].1.replace("Kxb7", "Kxb6");
        let game = pgn::parse(&text).unwrap().remove(0);
        let error = open(&mut *engine::open("canyon").unwrap(), &game).err().unwrap();
        assert_eq!(error.to_string(), "XBoard's move 5... Kxb6: is not a move");
    }
}
