//! Finished games: as JSON lines, one a game, and as PGN.
//!
//! The file of results begins with a [`Header`]; each game is a line that is written at once, so that a killed
//! program leaves at most one incomplete line. Lines are only appended, by one match at a time. All other output of a
//! match can be generated from this file.

use super::comment::EngineComment;
use super::player::EngineInfo;
use super::settings::{self, Settings, is_housekeeping};
use super::words::Group;
use anyhow::{Context, Result, bail, ensure};
use quintain_core::board::Color;
use quintain_core::notation::{fen, pgn};
use quintain_core::search::score::UciScore;
use quintain_io::files;
use quintain_play::game::time::utc;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Neither.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl From<Option<Color>> for GameResult {
    fn from(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

impl GameResult {
    /// As in PGN.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By the rules of the game, or because one side resigns.
    Normal,
    /// By the rules of the match.
    Adjudication,
    /// Time is over.
    Time,
    /// A move that is not legal.
    IllegalMove,
    /// The engine ended.
    Crash,
    /// The engine does not answer.
    Stall,
    /// The engine violates the protocol.
    Breach,
}

impl End {
    /// Did the game end regularly?
    pub fn is_regular(self) -> bool {
        matches!(self, End::Normal | End::Adjudication)
    }

    /// The value of PGN's Termination tag, as in other match runners.
    pub fn termination(self) -> &'static str {
        match self {
            End::Normal => "normal",
            End::Adjudication => "adjudication",
            End::Time => "time forfeit",
            End::IllegalMove => "illegal move",
            End::Crash => "abandoned",
            End::Stall => "stalled connection",
            End::Breach => "rules infraction",
        }
    }
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as coordinates.
    #[serde(rename = "m")]
    pub text: String,
    /// The move in SAN; not in the file, since it can be computed.
    #[serde(skip)]
    pub san: String,
    /// The engine's score of it.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<UciScore>,
    /// The depth in plies.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes that it searched.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Microseconds that it took.
    #[serde(rename = "t")]
    pub micros: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match.
    pub game: u64,
    /// Its round.
    pub round: u64,
    /// Its pair.
    pub pair: u64,
    /// The engine with the white pieces, as an index into the list.
    pub white: usize,
    /// The engine with the black pieces.
    pub black: usize,
    /// Which of the openings, by its number in the file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<u64>,
    /// Where it was set up; `None` for the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves of the opening, as coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<String>,
    /// The moves of the opening in SAN; not in the file.
    #[serde(skip)]
    pub book_san: Vec<String>,
    /// The moves of the engines.
    pub moves: Vec<MoveRecord>,
    /// The result.
    pub result: GameResult,
    /// How it ended.
    pub end: End,
    /// The reason in words.
    pub reason: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The last lines of the engine that caused an irregular end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

impl GameRecord {
    /// Half points of the white side.
    pub fn white_half_points(&self) -> u8 {
        match self.result {
            GameResult::WhiteWins => 2,
            GameResult::BlackWins => 0,
            GameResult::Draw => 1,
        }
    }

    /// The side that made move `index` of the engines' moves.
    pub fn mover(&self, index: usize) -> Color {
        let first = self.fen.as_deref().and_then(fen::side).unwrap_or(Color::White);
        if (self.book.len() + index).is_multiple_of(2) { first } else { !first }
    }

    /// Computes what is not in the file.
    pub fn complete(&mut self, variant: &str) -> Result<()> {
        let mut session = quintain_engine::open(variant)?;
        session.set_position(self.fen.as_deref(), &[])?;
        let named = |text: &str, error| format!("game {}: {text}: {error}", self.game);
        self.book_san.clear();
        for text in &self.book {
            let info = session.play(text).map_err(|error| anyhow::anyhow!(named(text, error)))?;
            self.book_san.push(info.san);
        }
        for played in &mut self.moves {
            let number = self.game;
            let info = session.play(&played.text).with_context(|| format!("game {number}"))?;
            played.san = info.san;
        }
        Ok(())
    }

    /// As PGN. The moves must be [complete](GameRecord::complete).
    pub fn to_pgn(&self, settings: &Settings, names: &[String]) -> pgn::Game {
        let mut game = pgn::Game::default();
        let (white, black) = (&names[self.white], &names[self.black]);
        let (date, time) = utc(self.began);
        let event = if settings.event.is_empty() { "Quintain match" } else { &settings.event };
        let mut tag = |name: &str, value: &str| game.tags.push((name.to_owned(), value.to_owned()));
        tag("Event", event);
        tag("Site", "?");
        tag("Date", &date);
        tag("Round", &self.round.to_string());
        tag("White", white);
        tag("Black", black);
        tag("Result", self.result.as_str());
        tag("Variant", settings.variant);
        if let Some(fen) = &self.fen {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        let (of_white, of_black) =
            (settings.engines[self.white].time.tag(), settings.engines[self.black].time.tag());
        if of_white == of_black {
            tag("TimeControl", &of_white);
        } else {
            tag("WhiteTimeControl", &of_white);
            tag("BlackTimeControl", &of_black);
        }
        tag("UTCTime", &time);
        tag("PlyCount", &(self.book.len() + self.moves.len()).to_string());
        tag("Termination", self.end.termination());
        tag("GameNumber", &self.game.to_string());
        for san in &self.book_san {
            game.moves.push(pgn::Ply {
                san: san.clone(),
                comment: Some("book".into()),
                ..pgn::Ply::default()
            });
        }
        for played in &self.moves {
            let MoveRecord { score, depth, nodes, .. } = *played;
            let comment = EngineComment {
                info: EngineInfo { score, depth, nodes },
                seconds: Some(played.micros as f64 / 1e6),
            };
            game.moves.push(pgn::Ply {
                san: played.san.clone(),
                comment: Some(comment.to_string()),
                ..pgn::Ply::default()
            });
        }
        // After the last move, as in other match runners.
        match game.moves.last_mut() {
            Some(pgn::Ply { comment: Some(comment), .. }) => *comment = format!("{comment}, {}", self.reason),
            _ => game.comment = Some(self.reason.clone()),
        }
        game.result = self.result.as_str().to_owned();
        game
    }
}

/// The first line of a file of results: the description of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    #[serde(rename = "quintain-match")]
    pub version: u32,
    /// The settings as they were given.
    pub settings: Vec<Group>,
    /// The names of the engines, in order.
    pub names: Vec<String>,
    /// The number of openings, and a hash of them.
    pub openings: (u64, u64),
}

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

impl Header {
    /// How the line begins.
    const BEGIN: &str = "{\"quintain-match\"";

    /// Why games of `other` do not belong to this match; `None` if they do, or if only the openings are others. The
    /// number of rounds may differ: games have the same numbers in a longer match. The order of the options does not
    /// matter either, unless they have the same name.
    pub fn difference(&self, other: &Header) -> Option<String> {
        let relevant = |header: &Header| -> Vec<Group> {
            let matters = |group: &&Group| !is_housekeeping(group) && group.name != "rounds";
            let mut groups: Vec<Group> = header.settings.iter().filter(matters).cloned().collect();
            // Of two names of one thing the later one counts.
            fn name(group: &Group) -> &str {
                match group.name.as_str() {
                    "norepeat" => "repeat",
                    "srand" => "seed",
                    name => name,
                }
            }
            groups.sort_by(|a, b| name(a).cmp(name(b)));
            groups
        };
        let (ours, theirs) = (relevant(self), relevant(other));
        let show = |group: Option<&Group>| {
            group.map_or("nothing".into(), |group| format!("--{} {}", group.name, group.words.join(" ")))
        };
        if ours != theirs {
            let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
            // Where an option is missing, the next one of the other list is not what stands in its place.
            let (mut our, mut their) = (ours.get(at), theirs.get(at));
            if let (Some(a), Some(b)) = (our, their) {
                our = our.filter(|_| a.name <= b.name);
                their = their.filter(|_| b.name <= a.name);
            }
            return Some(format!("{} instead of {}", show(their), show(our)));
        }
        (self.names != other.names)
            .then(|| format!("engines {} instead of {}", other.names.join(", "), self.names.join(", ")))
    }

    /// The number of rounds. Another machine may not take the other settings.
    pub fn rounds(&self) -> Result<u64> {
        let last = self.settings.iter().rev().find(|group| group.name == "rounds");
        last.map_or(Ok(settings::ROUNDS), |group| group.number(1))
    }
}

/// A file of results, locked by this match.
pub struct Results {
    file: File,
    /// Its last line is incomplete.
    torn: bool,
    synced: std::time::Instant,
}

/// How often written lines are synced to disk. A crash of the program loses nothing, a loss of power this much.
const SYNC: Duration = Duration::from_secs(5);

impl Results {
    /// Begins a new file; an error if there is one.
    pub fn create(path: &Path, header: &Header) -> Result<Results> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file
            .with_context(|| format!("--results: '{}' (continue a match with --resume)", path.display()))?;
        let mut results = Results::lock(file, path)?;
        results.line(header)?;
        Ok(results)
    }

    /// Begins a file anew that a loss of power left empty or with a part of its first line; `None` if it has more.
    pub fn begin_again(path: &Path, header: &Header) -> Result<Option<Results>> {
        let mut results = Results::open(path)?;
        let mut text = Vec::new();
        (&results.file).take(Header::BEGIN.len() as u64).read_to_end(&mut text)?;
        let cut = Header::BEGIN.as_bytes().starts_with(&text) && {
            (&results.file).read_to_end(&mut text)?;
            !text.contains(&b'\n')
        };
        if !cut {
            return Ok(None);
        }
        results.file.set_len(0)?;
        results.line(header)?;
        Ok(Some(results))
    }

    /// Opens a file to continue it, and returns its contents.
    pub fn resume(path: &Path) -> Result<(Results, Stored)> {
        let mut results = Results::open(path)?;
        let stored = Stored::from_reader(BufReader::new(&results.file), path)?;
        results.torn = stored.torn;
        Ok((results, stored))
    }

    fn open(path: &Path) -> Result<Results> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let file = file.with_context(|| format!("'{}'", path.display()))?;
        files::must_be_regular(&file, path)?;
        // Before it is read: another match may change it before that.
        Results::lock(file, path)
    }

    fn lock(file: File, path: &Path) -> Result<Results> {
        let locked = files::lock(&file).with_context(|| format!("'{}' cannot be locked", path.display()))?;
        ensure!(locked, "'{}' is in use by a running match", path.display());
        Ok(Results { file, torn: false, synced: std::time::Instant::now() })
    }

    /// Writes a line.
    pub fn line(&mut self, what: &impl Serialize) -> Result<()> {
        let start = if std::mem::take(&mut self.torn) { "\n" } else { "" };
        let line = format!("{start}{}\n", serde_json::to_string(what)?);
        // A single write, so that a killed match rarely leaves an incomplete line.
        files::append(&mut self.file, line.as_bytes()).context("writing the results")?;
        if self.synced.elapsed() > SYNC {
            self.file.sync_data().context("writing the results")?;
            self.synced = std::time::Instant::now();
        }
        Ok(())
    }
}

/// The contents of a file of results.
pub struct Stored {
    /// The match.
    pub header: Header,
    /// The finished games in the order in which they ended, each once.
    pub games: Vec<GameRecord>,
    /// Warnings about what was left out.
    pub warnings: Vec<String>,
    /// The last line has no end.
    torn: bool,
}

impl Stored {
    /// Reads a file. Damaged and repeated lines are left out; other errors are returned.
    pub fn read(path: &Path) -> Result<Stored> {
        Stored::from_reader(BufReader::new(files::open_stream(path)?), path)
    }

    /// Reads the text of a file; `path` names it in errors.
    pub fn from_reader(mut reader: impl BufRead, path: &Path) -> Result<Stored> {
        let (mut header, mut games) = (None::<Header>, Vec::<GameRecord>::new());
        // By the number of the game: its index in `games`, and its line.
        let mut known = HashMap::<u64, (usize, usize)>::new();
        let (mut warnings, mut repeated, mut torn) = (Vec::new(), Vec::new(), false);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if reader.read_until(b'\n', &mut line).with_context(|| format!("'{}'", path.display()))? == 0 {
                break;
            }
            torn = line.last() != Some(&b'\n');
            let place = format!("'{}', line {number}", path.display());
            if line.starts_with(Header::BEGIN.as_bytes()) {
                let next = read_line::<Header>(&line, &place, &mut warnings)?;
                if let (Some(next), Some(first)) = (&next, &header) {
                    ensure!(next.names == first.names, "{place}: names: the match has other engines");
                }
                header = next.or(header);
                continue;
            }
            if header.is_none() {
                break;
            }
            let Some(game) = read_line::<GameRecord>(&line, &place, &mut warnings)? else { continue };
            let engines = header.as_ref().map_or(0, |header| header.names.len());
            for (field, engine) in [("white", game.white), ("black", game.black)] {
                ensure!(engine < engines, "{place}: {field}: there is no engine {engine} among {engines}");
            }
            ensure!(game.game > 0, "{place}: game: 0 is no number of a game");
            ensure!(game.white != game.black, "{place}: white, black: engine {} plays itself", game.white);
            match known.get(&game.game) {
                Some(&(at, first)) => {
                    let same = games[at] == game;
                    ensure!(same, "{place}: game {} differs from that of line {first}", game.game);
                    repeated.push(number.to_string());
                }
                None => {
                    known.insert(game.game, (games.len(), number));
                    games.push(game);
                }
            }
        }
        if !repeated.is_empty() {
            let what = "repeat games of earlier lines; each is counted once";
            warnings.push(format!("'{}': {what}: lines {}", path.display(), repeated.join(", ")));
        }
        let header =
            header.with_context(|| format!("'{}' does not begin like a file of results", path.display()))?;
        ensure!(
            header.version == VERSION,
            "'{}' has version {} of the format, and this program knows {VERSION}",
            path.display(),
            header.version
        );
        Ok(Stored { header, games, warnings, torn })
    }
}

/// Reads a line of JSON. If it is not JSON, it is incomplete or damaged, which is a warning.
fn read_line<T: DeserializeOwned>(line: &[u8], place: &str, warnings: &mut Vec<String>) -> Result<Option<T>> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let read = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| (format!("{}: ", error.path()), error.into_inner()))
        .and_then(|value| json.end().map(|()| value).map_err(|error| (String::new(), error)));
    let (field, error) = match read {
        Ok(value) => return Ok(Some(value)),
        Err(wrong) => wrong,
    };
    // serde_json counts lines within the text of this line.
    let (what, at) = (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    let what = what.trim_end_matches(&at);
    match error.classify() {
        Category::Data => bail!("{place}: {}{what}", field.trim_start_matches(".: ")),
        _ => warnings.push(format!("{place}, is damaged and left out: {what}")),
    }
    Ok(None)
}
