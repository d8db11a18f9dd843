//! The settings of a match, read from [words](super::words), with errors that name the field.

use super::adjudicate::{Adjudication, DrawRule, ResignRule};
use super::limits::{ClockControl, TimeControl, seconds};
use super::schedule::{Format, Plan, Shard};
use super::sprt::{MOST_ELO, Model, Sprt};
use super::words::{Group, boolean, number, real};
use anyhow::{Context, Result, bail, ensure};
use quintain_engine as engine;
use quintain_engine::options::most_threads;
use std::path::PathBuf;
use std::time::Duration;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// UCI.
    #[default]
    Uci,
    /// CECP, version 2.
    Xboard,
}

/// How the position is sent to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PositionStyle {
    /// The start and all moves.
    #[default]
    Moves,
    /// Only the position, for an engine that does not understand all moves. It cannot detect repetitions then.
    Fen,
}

/// An engine and how it is used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The name in results; empty for the name that the engine gives itself.
    pub name: String,
    /// The program.
    pub cmd: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory that it runs in.
    pub dir: Option<PathBuf>,
    /// The protocol.
    pub protocol: Protocol,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Its own name of the game, if it differs.
    pub variant: Option<String>,
    /// How the position is sent.
    pub position: PositionStyle,
    /// How long it may think.
    pub time: TimeControl,
    /// How far a move may exceed the time; `None` for no limit.
    pub margin: Option<Duration>,
    /// How long to wait for answers that no clock limits.
    pub patience: Duration,
    /// It is restarted for each game.
    pub restart: bool,
    /// It thinks while the opponent is to move.
    pub ponder: bool,
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningSpec {
    /// The file.
    pub file: PathBuf,
    /// `epd` or `pgn`; by the file's ending if not given.
    pub format: Option<String>,
    /// Shuffled by the seed of the match.
    pub random: bool,
    /// Only so many plies of each game of a PGN file.
    pub plies: Option<usize>,
    /// The first opening to use, from 1.
    pub start: u64,
}

/// A whole match.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The game.
    pub variant: &'static str,
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// The format.
    pub format: Format,
    /// The number of rounds.
    pub rounds: u64,
    /// Games of a meeting.
    pub games: u64,
    /// Each opening is played with both colours.
    pub repeat: bool,
    /// Games that are played at the same time.
    pub concurrency: usize,
    /// The openings.
    pub openings: Option<OpeningSpec>,
    /// The adjudication of games.
    pub adjudication: Adjudication,
    /// The SPRT that may end the match.
    pub sprt: Option<Sprt>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Whether the match goes on when an engine fails.
    pub recover: bool,
    /// The table is shown after so many games; 0 for never.
    pub rating_interval: u64,
    /// The part of the match to play.
    pub shard: Option<Shard>,
    /// Where games are written as PGN.
    pub pgn: Option<PathBuf>,
    /// Where results are kept, one JSON line a game; `None` for the first free name, empty for nowhere.
    pub results: Option<PathBuf>,
    /// Where the plot is written.
    pub svg: Option<PathBuf>,
    /// Where irregular ends are logged with the last lines of the engine.
    pub log: Option<PathBuf>,
    /// The match can be watched in the browser.
    pub board: bool,
    /// The name of the event in PGN.
    pub event: String,
}

/// Options that may differ between the parts of a match and when it is resumed: they do not affect the games.
const HOUSEKEEPING: &[&str] = &[
    "concurrency",
    "results",
    "pgnout",
    "svg",
    "log",
    "shard",
    "ratinginterval",
    "recover",
    "norecover",
    "board",
    "event",
];

/// The number of rounds if none is given.
pub const ROUNDS: u64 = 1;
/// The most games of a match.
const MOST_GAMES: u64 = 1_000_000_000_000;

const OPTIONS: &[&str] = &[
    "engine",
    "each",
    "variant",
    "tournament",
    "rounds",
    "games",
    "repeat",
    "norepeat",
    "concurrency",
    "openings",
    "draw",
    "resign",
    "maxmoves",
    "sprt",
    "pgnout",
    "results",
    "svg",
    "log",
    "seed",
    "recover",
    "norecover",
    "ratinginterval",
    "shard",
    "board",
    "event",
];

const ENGINE_KEYS: &[&str] = &[
    "cmd",
    "args",
    "arg",
    "dir",
    "name",
    "proto",
    "option.NAME",
    "variant",
    "position",
    "tc",
    "st",
    "movetime",
    "nodes",
    "depth",
    "timemargin",
    "patience",
    "restart",
    "ponder",
];

/// Does the option not affect the games?
pub fn is_housekeeping(group: &Group) -> bool {
    HOUSEKEEPING.contains(&group.name.as_str())
}

impl Settings {
    /// Reads settings. Of a repeated option the last counts, except engines, which are collected.
    pub fn read(groups: &[Group]) -> Result<Settings> {
        let mut settings = Settings {
            variant: "",
            engines: Vec::new(),
            format: Format::RoundRobin,
            rounds: ROUNDS,
            games: 2,
            repeat: true,
            concurrency: 1,
            openings: None,
            adjudication: Adjudication::default(),
            sprt: None,
            seed: 0,
            recover: true,
            rating_interval: 10,
            shard: None,
            pgn: None,
            results: None,
            svg: None,
            log: None,
            board: false,
            event: String::new(),
        };
        for group in groups {
            settings.set(group)?;
        }
        let mut for_all = EngineSpec {
            margin: Some(Duration::ZERO),
            patience: Duration::from_secs(10),
            ..EngineSpec::default()
        };
        for group in groups.iter().filter(|group| group.name == "each") {
            set_engine(&mut for_all, group)?;
        }
        for (number, group) in (1..).zip(groups.iter().filter(|group| group.name == "engine")) {
            // Its own options override those for all.
            let mut engine = for_all.clone();
            set_engine(&mut engine, group).with_context(|| format!("engine {number}"))?;
            ensure!(!engine.cmd.is_empty(), "engine {number}: cmd= is missing");
            settings.engines.push(engine);
        }
        settings.check()?;
        Ok(settings)
    }

    fn set(&mut self, group: &Group) -> Result<()> {
        let path = || group.word().map(PathBuf::from);
        match group.name.as_str() {
            "engine" | "each" => {}
            "variant" => self.variant = variant(group.word()?)?,
            "tournament" => {
                self.format = match group.word()? {
                    "round-robin" | "roundrobin" => Format::RoundRobin,
                    "gauntlet" => Format::Gauntlet,
                    other => bail!("--tournament: '{other}' is neither round-robin nor gauntlet"),
                }
            }
            "rounds" => self.rounds = group.number(1)?,
            "games" => self.games = group.number(1)?,
            "repeat" => self.repeat = switch(group)?,
            "norepeat" => self.repeat = !switch(group)?,
            "concurrency" => {
                self.concurrency = group.number(1)? as usize;
                let (games, most) = (self.concurrency, most_threads());
                ensure!(
                    games <= most,
                    "--concurrency: {games} games at a time are more than {most}, the most on this machine"
                );
            }
            "openings" => self.openings = Some(openings(group)?),
            "draw" => self.adjudication.draw = Some(draw_rule(group)?),
            "resign" => self.adjudication.resign = Some(resign_rule(group)?),
            "maxmoves" => self.adjudication.max_moves = Some(group.number(1)?).filter(|&moves| moves > 0),
            "sprt" => self.sprt = Some(sprt(group)?),
            "pgnout" => self.pgn = Some(file(group)?),
            "results" => {
                self.results =
                    Some(path()?).map(|path| if path.as_os_str() == "none" { PathBuf::new() } else { path })
            }
            "svg" => self.svg = Some(file(group)?),
            "log" => self.log = Some(file(group)?),
            "seed" | "srand" => self.seed = group.number(0)?,
            "recover" => self.recover = switch(group)?,
            "norecover" => self.recover = !switch(group)?,
            "ratinginterval" => self.rating_interval = group.number(0)?,
            "shard" => self.shard = Some(Shard::parse(group.word()?).context("--shard")?),
            "board" => self.board = switch(group)?,
            "event" => self.event = group.words.join(" "),
            other => bail!("there is no option --{other}, but {}", OPTIONS.join(", ")),
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        ensure!(!self.variant.is_empty(), "--variant is missing: one of {}", engine::NAMES.join(", "));
        ensure!(
            self.engines.len() >= 2,
            "--engine: two engines are needed at least, and {} {} given",
            self.engines.len(),
            if self.engines.len() == 1 { "is" } else { "are" }
        );
        for (number, engine) in (1..).zip(&self.engines) {
            ensure!(
                engine.time.is_limited(),
                "engine {number}: no limit of time, nodes or depth; give tc=, st=, movetime=, nodes= or depth= there or with --each"
            );
            ensure!(
                engine.protocol == Protocol::Uci || engine.time.nodes.is_none(),
                "engine {number}: CECP has no command for a number of nodes; use depth=, st= or tc="
            );
        }
        ensure!(
            !self.repeat || self.games.is_multiple_of(2),
            "--games: {} is odd, but each opening is played with both colours; --norepeat changes that",
            self.games
        );
        // Their numbers must not overflow, and nobody waits for so many.
        let total = self.plan().total();
        ensure!(
            total <= MOST_GAMES,
            "--rounds, --games: {} and {} make more than {MOST_GAMES} games",
            self.rounds,
            self.games
        );
        ensure!(
            self.sprt.is_none() || self.engines.len() == 2,
            "--sprt compares two engines, and there are {}",
            self.engines.len()
        );
        Ok(())
    }

    /// The games to be played.
    pub fn plan(&self) -> Plan {
        Plan {
            engines: self.engines.len(),
            format: self.format,
            rounds: self.rounds,
            games: self.games,
            repeat: self.repeat,
        }
    }
}

/// A switch without a value, or with true or false.
fn switch(group: &Group) -> Result<bool> {
    match group.words.as_slice() {
        [] => Ok(true),
        _ => boolean(group.word()?).with_context(|| format!("--{}", group.name)),
    }
}

/// `name`, `file=name`; other keys of other match runners are not supported.
fn file(group: &Group) -> Result<PathBuf> {
    let word = group.word()?;
    Ok(PathBuf::from(word.strip_prefix("file=").unwrap_or(word)))
}

/// The game of this name.
pub fn variant(name: &str) -> Result<&'static str> {
    engine::named(name).context("--variant")
}

/// Reads the words of `--engine` or `--each`.
fn set_engine(spec: &mut EngineSpec, group: &Group) -> Result<()> {
    for (key, value) in group.pairs()? {
        if !set_key(spec, key, value).with_context(|| format!("--{} {key}", group.name))? {
            return Err(group.unknown(key, ENGINE_KEYS));
        }
    }
    Ok(())
}

/// Sets the field of this key; `false` if there is none.
fn set_key(spec: &mut EngineSpec, key: &str, value: &str) -> Result<bool> {
    match key {
        "cmd" => spec.cmd = value.to_owned(),
        "args" => spec.args = shlex::split(value).with_context(|| format!("'{value}' has an open quote"))?,
        "arg" => spec.args.push(value.to_owned()),
        "dir" => spec.dir = Some(PathBuf::from(value)),
        "name" => spec.name = value.to_owned(),
        "proto" => {
            spec.protocol = match value {
                "uci" => Protocol::Uci,
                "xboard" | "cecp" | "winboard" => Protocol::Xboard,
                _ => bail!("'{value}' is neither uci nor xboard"),
            }
        }
        "variant" => spec.variant = Some(value.to_owned()),
        "position" => {
            spec.position = match value {
                "moves" => PositionStyle::Moves,
                "fen" => PositionStyle::Fen,
                _ => bail!("'{value}' is neither moves nor fen"),
            }
        }
        "tc" => spec.time.clock = ClockControl::parse(value)?,
        "st" => spec.time.move_time = Some(seconds(value)?),
        "movetime" => spec.time.move_time = Some(Duration::from_millis(number(value, 1)?)),
        "nodes" => spec.time.nodes = Some(number(value, 1)?),
        "depth" | "plies" => spec.time.depth = Some(number(value, 1)?.min(u64::from(u32::MAX)) as u32),
        "timemargin" => {
            spec.margin = match value {
                "inf" | "infinite" => None,
                _ => Some(Duration::from_millis(number(value, 0)?)),
            }
        }
        "patience" => spec.patience = seconds(value)?,
        "restart" => spec.restart = on(value)?,
        "ponder" => spec.ponder = on(value)?,
        _ => match key.strip_prefix("option.") {
            Some(option) if !option.is_empty() => {
                // An engine's own value replaces that for all.
                spec.options.retain(|(name, _)| name != option);
                spec.options.push((option.to_owned(), value.to_owned()));
            }
            _ => return Ok(false),
        },
    }
    Ok(true)
}

/// `on` or `off`, or what other match runners have in their place.
fn on(value: &str) -> Result<bool> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "auto" | "false" => Ok(false),
        _ => bail!("'{value}' is neither on nor off"),
    }
}

fn openings(group: &Group) -> Result<OpeningSpec> {
    let mut spec = OpeningSpec { start: 1, ..OpeningSpec::default() };
    for (key, value) in group.pairs()? {
        let named = || format!("--openings {key}");
        match key {
            "file" => spec.file = PathBuf::from(value),
            "format" => match value {
                "epd" | "pgn" => spec.format = Some(value.to_owned()),
                _ => bail!("--openings format: '{value}' is neither epd nor pgn"),
            },
            "order" => match value {
                "random" => spec.random = true,
                "sequential" => spec.random = false,
                _ => bail!("--openings order: '{value}' is neither random nor sequential"),
            },
            "plies" => spec.plies = Some(number(value, 0).with_context(named)? as usize),
            "start" => spec.start = number(value, 1).with_context(named)?,
            _ => return Err(group.unknown(key, &["file", "format", "order", "plies", "start"])),
        }
    }
    ensure!(!spec.file.as_os_str().is_empty(), "--openings: file= is missing");
    Ok(spec)
}

fn draw_rule(group: &Group) -> Result<DrawRule> {
    let mut rule = DrawRule { from_move: 0, moves: 1, score: 0 };
    for (key, value) in group.pairs()? {
        let named = || format!("--draw {key}");
        match key {
            "movenumber" => rule.from_move = number(value, 0).with_context(named)?,
            "movecount" => rule.moves = number(value, 1).with_context(named)?,
            "score" => rule.score = number(value, 0).with_context(named)?.min(1_000_000) as i32,
            _ => return Err(group.unknown(key, &["movenumber", "movecount", "score"])),
        }
    }
    Ok(rule)
}

fn resign_rule(group: &Group) -> Result<ResignRule> {
    let mut rule = ResignRule { moves: 1, score: 0, both: false };
    for (key, value) in group.pairs()? {
        let named = || format!("--resign {key}");
        match key {
            "movecount" => rule.moves = number(value, 1).with_context(named)?,
            "score" => rule.score = number(value, 1).with_context(named)?.min(1_000_000) as i32,
            "twosided" => rule.both = boolean(value).with_context(named)?,
            _ => return Err(group.unknown(key, &["movecount", "score", "twosided"])),
        }
    }
    ensure!(rule.score > 0, "--resign: score= is missing");
    Ok(rule)
}

fn sprt(group: &Group) -> Result<Sprt> {
    let mut test = Sprt { elo0: 0.0, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    for (key, value) in group.pairs()? {
        let named = || format!("--sprt {key}");
        match key {
            "elo0" => test.elo0 = real(value).with_context(named)?,
            "elo1" => test.elo1 = real(value).with_context(named)?,
            "alpha" => test.alpha = real(value).with_context(named)?,
            "beta" => test.beta = real(value).with_context(named)?,
            "model" => {
                test.model = match value {
                    "normalized" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => bail!("--sprt model: '{value}' is neither normalized nor logistic"),
                }
            }
            _ => return Err(group.unknown(key, &["elo0", "elo1", "alpha", "beta", "model"])),
        }
    }
    ensure!(!test.elo1.is_nan(), "--sprt: elo1= is missing");
    for (name, value) in [("elo0", test.elo0), ("elo1", test.elo1)] {
        let known = (-MOST_ELO..=MOST_ELO).contains(&value);
        ensure!(known, "--sprt {name}: {value} is not between -{MOST_ELO} and {MOST_ELO}");
    }
    ensure!(test.elo0 < test.elo1, "--sprt: elo0 ({}) must be less than elo1 ({})", test.elo0, test.elo1);
    for (name, value) in [("alpha", test.alpha), ("beta", test.beta)] {
        ensure!(0.0 < value && value < 0.5, "--sprt {name}: {value} is not between 0 and 0.5");
    }
    Ok(test)
}
