//! An engine that speaks CECP, the protocol of XBoard.
//!
//! The referee acts as XBoard: moves are translated by the same [`Mirror`] that our own engine uses, so that special
//! moves are understood in both directions.

use super::limits::{ClockControl, TimeControl};
use super::player::{EngineInfo, EngineMove, NewGame, Player, Turn, Wait};
use super::process::{Failure, Process, Stop, Unready};
use super::settings::{EngineSpec, PositionStyle};
use quintain_core::search::score::UciScore;
use quintain_engine::{self as engine, Session};
use quintain_xboard::mirror::{Completion, Mirror, Recognised};
use quintain_xboard::position;
use quintain_xboard::text::Ply;
use std::time::{Duration, Instant};

/// A CECP engine.
pub struct Cecp {
    process: Process,
    name: String,
    variant: &'static str,
    /// The engine's name of the game.
    word: String,
    time: TimeControl,
    position: PositionStyle,
    patience: Duration,
    ponder: bool,
    features: Features,
    /// `new` was sent with the options, and an engine for one game must not get it again.
    begun: bool,
    game: Option<Game>,
    /// What it was told last of its moves until it gets more time, if it was.
    session: Option<Told>,
    pings: u32,
}

/// The moves of a session that `level` gave, and the plies that the engine had seen then.
///
/// XBoard sends `level` before the first move, and its sessions end by the numbers of the game's moves. So engines
/// count the plies since `level`, or else their own moves. Here a session has moves that the engine thought about, as
/// with other match runners: neither moves of an opening nor further plies of a move. Wherever the plies say something
/// else, `level` is sent again with the moves that are left, which is right for both kinds of engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Told {
    moves: u32,
    plies: usize,
}

impl Told {
    /// How many moves are left in the session, as the engine counts after so many plies.
    fn left(self, plies: usize) -> u32 {
        let done = (plies.saturating_sub(self.plies) / 2) as u32;
        self.moves - done % self.moves.max(1)
    }
}

/// The game in the engine's state.
struct Game {
    session: Box<dyn Session>,
    mirror: Mirror,
    /// The engine plays: it answers each move.
    playing: bool,
}

/// The features of an engine.
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    /// It wants to know the opponent.
    name: bool,
    /// It may be used for more than one game.
    reuse: bool,
}

/// Which part of the patience to wait for features that an engine does not announce.
const SILENCE: u32 = 5;
/// How long an engine without `ping` may take to say that it does not take an option.
const MOMENT: Duration = Duration::from_millis(500);

impl Cecp {
    /// Starts an engine and makes it ready for a game of `variant`.
    pub fn start(
        spec: &EngineSpec,
        variant: &'static str,
        stop: &Stop,
    ) -> anyhow::Result<Result<Cecp, Unready>> {
        let process = Process::start(spec, stop)?;
        let word = spec.variant.clone().unwrap_or_else(|| match variant {
            // The protocol's own name for chess.
            "chess" => "normal".into(),
            variant => variant.into(),
        });
        let mut cecp = Cecp {
            process,
            name: spec.cmd.clone(),
            variant,
            word,
            time: spec.time,
            position: spec.position,
            patience: spec.patience,
            ponder: spec.ponder,
            features: Features {
                ping: false,
                setboard: false,
                usermove: false,
                time: true,
                name: false,
                reuse: true,
            },
            begun: false,
            game: None,
            session: None,
            pings: 0,
        };
        engine::info(variant)?;
        Ok(match cecp.greet(spec) {
            Ok(()) => Ok(cecp),
            Err(failure) => Err((failure, cecp.process.end())),
        })
    }

    fn greet(&mut self, spec: &EngineSpec) -> Result<(), Failure> {
        self.process.send("xboard\nprotover 2")?;
        let mut deadline = Instant::now() + self.patience / SILENCE;
        'features: while let Some((_, line)) = self.process.next(deadline)? {
            let Some(features) = line.strip_prefix("feature ") else { continue };
            for (name, value) in features_of(features) {
                let on = value != "0";
                match name {
                    "done" if on => break 'features,
                    "done" => deadline = Instant::now() + self.patience,
                    "ping" => self.features.ping = on,
                    "setboard" => self.features.setboard = on,
                    "usermove" => self.features.usermove = on,
                    "time" => self.features.time = on,
                    "name" => self.features.name = on,
                    "reuse" => self.features.reuse = on,
                    "myname" => self.name = value.to_owned(),
                    // Moves are wanted as coordinates.
                    "san" if on => {
                        self.process.send("rejected san")?;
                        continue;
                    }
                    _ => {}
                }
                self.process.send(&format!("accepted {name}"))?;
            }
        }
        // Complaints about earlier commands do not matter.
        self.wait_until_ready()?;
        for (name, value) in &spec.options {
            let line = match (name.to_ascii_lowercase().as_str(), value.as_str()) {
                ("hash" | "memory", value) => format!("memory {value}"),
                ("threads" | "cores", value) => format!("cores {value}"),
                (_, "") => format!("option {name}"),
                (_, value) => format!("option {name}={value}"),
            };
            self.process.send(&line)?;
        }
        let variant = self.variant_command();
        let asked = !spec.options.is_empty() || variant.is_some();
        if let Some(variant) = variant {
            self.process.send(&format!("new\n{variant}"))?;
            self.begun = !self.features.reuse;
        }
        match self.wait_until_ready()? {
            Some(complaint) => Err(Failure::Breach(complaint)),
            None if asked && !self.features.ping => self.listen(),
            None => Ok(()),
        }
    }

    /// The command for the game that is played; none for the one that `new` begins.
    fn variant_command(&self) -> Option<String> {
        (self.word != "normal").then(|| format!("variant {}", self.word))
    }

    /// Waits for `pong`, if the engine has it, and returns the first complaint before it.
    fn wait_until_ready(&mut self) -> Result<Option<String>, Failure> {
        if !self.features.ping {
            return Ok(None);
        }
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.process.send(&format!("ping {}", self.pings))?;
        let deadline = Instant::now() + self.patience;
        let mut complaint = None;
        while let Some((_, line)) = self.process.next(deadline)? {
            if line == pong {
                return Ok(complaint);
            }
            complaint = complaint.or_else(|| self::complaint(&line));
        }
        Err(Failure::Stalled("no pong".into()))
    }

    /// Gives an engine without `ping` a moment to complain.
    fn listen(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + MOMENT;
        while let Some((_, line)) = self.process.next(deadline)? {
            if let Some(complaint) = complaint(&line) {
                return Err(Failure::Breach(complaint));
            }
        }
        Ok(())
    }

    /// Sets up a position, given as FEN, or assumes the start that follows `new`. The engine does not play
    /// yet.
    fn set_up(&mut self, fen: Option<&str>) -> Result<(), Failure> {
        let Ok(mut session) = engine::open(self.variant) else { return Ok(()) };
        if let Err(error) = session.set_position(fen, &[]) {
            return Err(Failure::Breach(format!("the position cannot be sent: {error}")));
        }
        let mirror = Mirror::new(&*session);
        match fen {
            Some(fen) if self.features.setboard => self.process.send(&format!("setboard {fen}"))?,
            Some(_) => self.process.send(&position::edit(&mirror, session.side()).join("\n"))?,
            None => {}
        }
        self.game = Some(Game { session, mirror, playing: false });
        Ok(())
    }

    /// The lines that tell the engine the new moves, one for each ply.
    fn plies(&mut self, moves: &[String]) -> Result<Vec<String>, Failure> {
        let Some(game) = &mut self.game else { return Ok(Vec::new()) };
        let numbering = game.mirror.numbering();
        let mut lines = Vec::new();
        for text in moves {
            match game.mirror.show(&*game.session, text) {
                Some(plies) => lines.extend(plies.iter().map(|ply| numbering.word(ply))),
                None => {
                    lines.push(numbering.show(text));
                    game.mirror.send(&Ply::Pass);
                }
            }
            if game.session.play(text).is_err() {
                return Err(Failure::Breach(format!("'{text}' cannot be sent")));
            }
            game.mirror.complete(&*game.session);
        }
        let word = if self.features.usermove { "usermove " } else { "" };
        Ok(lines.into_iter().map(|line| format!("{word}{line}")).collect())
    }

    /// The lines about the clocks, to be sent before the last of so many plies.
    fn clocks(&mut self, turn: &Turn, told: usize) -> Vec<String> {
        let side = turn.session.side();
        let Some(own) = turn.clocks[side.index()] else { return Vec::new() };
        let mut lines = Vec::new();
        let plies = self.game.as_ref().map_or(0, |game| game.mirror.plies());
        if let (Some(control), Some(session), Some(moves)) =
            (self.time.clock, self.session, own.moves_to_go())
            && session.left(plies) != moves
        {
            // An engine that is not told the time takes it from here.
            let base = if self.features.time { control.base } else { own.left() };
            lines.push(level(ClockControl { moves: Some(moves), base, ..control }));
            self.session = Some(Told { moves, plies: plies - told.min(1) });
        }
        if self.features.time {
            let centis = |time: Duration| time.as_millis() / 10;
            let other = turn.clocks[(!side).index()].unwrap_or(own);
            lines.push(format!("time {}", centis(own.left())));
            lines.push(format!("otim {}", centis(other.left())));
        }
        lines
    }

    /// What the engine means by `move WORD`; `None` if more must follow.
    fn receive(&mut self, word: &str) -> Result<Option<String>, Failure> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let numbering = game.mirror.numbering();
        let ply = numbering.parse(word);
        if ply == Some(Ply::Pass) && game.mirror.pending() > 0 {
            let _ = game.mirror.recognise(&*game.session, &Ply::Pass, Completion::Withheld);
            return Ok(None);
        }
        let ours = numbering.ours(word);
        let plain = game.session.moves().contains(&ours);
        let recognised = match ply {
            Some(ply) => game.mirror.recognise(&*game.session, &ply, Completion::Withheld),
            None => Recognised::Nothing,
        };
        match recognised {
            Recognised::Move(text, _) => Ok(Some(text)),
            Recognised::Part => Ok(None),
            Recognised::Nothing if plain => Ok(Some(ours)),
            // The referee reports what is wrong with it.
            Recognised::Nothing => Ok(Some(game.mirror.named(&*game.session, word).unwrap_or(ours))),
        }
    }
}

impl Player for Cecp {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_reusable(&self) -> bool {
        self.features.reuse
    }

    fn new_game(&mut self, game: &NewGame) -> Result<(), Failure> {
        // What an engine without `ping` still says of the last game is not about this one.
        let now = Instant::now();
        while self.process.waiting(now)?.is_some() {}
        let mut lines = Vec::new();
        if !std::mem::take(&mut self.begun) {
            lines.push("new".to_owned());
            lines.extend(self.variant_command());
        }
        lines.push("force".into());
        self.session = None;
        match (self.time.move_time, self.time.clock) {
            (Some(time), _) => lines.push(format!("st {}", time.as_secs_f64())),
            (None, Some(clock)) => {
                lines.push(level(clock));
                self.session = clock.moves.map(|moves| Told { moves, plies: 0 });
            }
            (None, None) => {}
        }
        lines.extend(self.time.depth.map(|depth| format!("sd {depth}")));
        lines.push("post".into());
        lines.push(if self.ponder { "hard" } else { "easy" }.into());
        lines.push("computer".into());
        if self.features.name {
            lines.push(format!("name {}", game.opponent));
        }
        self.process.send(&lines.join("\n"))?;
        self.set_up(game.fen)?;
        self.wait_until_ready().map(drop)
    }

    fn think(&mut self, turn: &Turn) -> Result<EngineMove, Failure> {
        let now = Instant::now();
        while let Some(line) = self.process.waiting(now)? {
            if let Some(complaint) = complaint(&line) {
                return Err(Failure::Breach(complaint));
            }
            // After its own move, when it was the opponent's turn.
            if line == RESIGN {
                return Ok(EngineMove { text: None, time: Duration::ZERO, info: EngineInfo::default() });
            }
        }
        let news = match self.position {
            PositionStyle::Fen => {
                self.process.send("force")?;
                self.set_up(Some(&turn.session.fen()))?;
                &[]
            }
            PositionStyle::Moves => {
                let known = self.game.as_ref().map_or(0, |game| game.session.played().len());
                turn.moves.get(known..).unwrap_or_default()
            }
        };
        let playing = self.game.as_ref().is_some_and(|game| game.playing);
        let mut lines = self.plies(news)?;
        // Before the last ply, so that the clock is right when the engine begins to think.
        let clocks = self.clocks(turn, lines.len());
        let at = lines.len().saturating_sub(1);
        lines.splice(at..at, clocks);
        let mut wait = Wait::new(turn, self.patience);
        if !lines.is_empty() {
            self.process.send(&lines.join("\n"))?;
        }
        if !playing {
            self.process.send("go")?;
            if let Some(game) = &mut self.game {
                game.playing = true;
            }
        }
        let (mut info, mut first_leg) = (EngineInfo::default(), String::new());
        loop {
            let (at, line) = wait.next(&mut self.process, "?", "move")?;
            if let Some(complaint) = complaint(&line) {
                return Err(Failure::Breach(complaint));
            }
            if let Some(word) = line.strip_prefix("move ") {
                let word = format!("{first_leg}{}", word.trim());
                first_leg.clear();
                // A move of two legs comes in two lines.
                if word.ends_with(',') {
                    first_leg = word;
                    continue;
                }
                let Some(text) = self.receive(&word)? else { continue };
                let time = wait.time(at, "move")?;
                let Some(game) = &mut self.game else { continue };
                if game.session.play(&text).is_ok() {
                    game.mirror.complete(&*game.session);
                }
                return Ok(EngineMove { text: Some(text), time, info });
            }
            if line == RESIGN {
                return Ok(EngineMove { text: None, time: wait.since_begin(at), info });
            }
            if line.starts_with("1-0") || line.starts_with("0-1") || line.starts_with("1/2-1/2") {
                return Err(Failure::Breach(format!("'{line}' instead of a move")));
            }
            if let Some(latest) = thinking(&line) {
                info = latest;
            }
        }
    }

    fn game_over(&mut self, result: &str, reason: &str) {
        self.game = None;
        drop(self.process.send(&format!("force\nresult {result} {{{reason}}}")));
    }

    fn last_lines(&mut self) -> Vec<String> {
        self.process.last_lines()
    }

    fn end(self: Box<Self>) -> Vec<String> {
        self.process.end()
    }
}

/// The command for a clock.
fn level(clock: ClockControl) -> String {
    let moves = clock.moves.unwrap_or(0);
    format!("level {moves} {} {}", minutes(clock.base), clock.increment.as_secs_f64())
}

/// Minutes and seconds as `level` has them.
fn minutes(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    match (seconds % 60, millis) {
        (0, 0) => format!("{}", seconds / 60),
        (rest, 0) => format!("{}:{rest:02}", seconds / 60),
        (rest, millis) => format!("{}:{rest:02}.{millis:03}", seconds / 60),
    }
}

/// What an engine says to give up.
const RESIGN: &str = "resign";
/// Commands that an engine may not know, and which change nothing if it does not.
const OPTIONAL: [&str; 12] = [
    "?", "accepted", "computer", "easy", "hard", "name", "otim", "post", "protover", "rejected", "result",
    "time",
];
/// Words with which engines say that they do not know a command. The protocol has `unknown command`.
const UNKNOWN: [&str; 6] = ["unknown", "unrecogni", "not recogni", "implemented", "support", "not legal now"];

/// A complaint of an engine. Without `ping` it may come long after the command.
fn complaint(line: &str) -> Option<String> {
    if let Some((what, command)) = line.strip_prefix("Error (").and_then(|rest| rest.split_once("):")) {
        let what = what.to_ascii_lowercase();
        let word = command.split_whitespace().next();
        if UNKNOWN.iter().any(|words| what.contains(words))
            && word.is_some_and(|word| OPTIONAL.contains(&word))
        {
            return None;
        }
    }
    let complains =
        line.starts_with("Illegal move") || line.starts_with("Error") || line.starts_with("tellusererror");
    complains.then(|| format!("it says '{line}'"))
}

/// `name=value name="value"`.
pub fn features_of(line: &str) -> Vec<(&str, &str)> {
    let (mut features, mut rest) = (Vec::new(), line.trim());
    while let Some((name, value)) = rest.split_once('=') {
        let (value, behind) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        features.push((name.trim(), value));
        rest = behind.trim_start();
    }
    features
}

/// `ply score time nodes line`.
pub fn thinking(line: &str) -> Option<EngineInfo> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '&', '+', '-']).parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let _centis: i64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    // Mate scores in CECP.
    let score = match score {
        100_001..=110_000 => UciScore::Mate(score - 100_000),
        -110_000..=-100_001 => UciScore::Mate(score + 100_000),
        _ => UciScore::Centipawns(score),
    };
    Some(EngineInfo { score: Some(score), depth: Some(depth), nodes: Some(nodes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let found = features_of("ping=1 setboard=1 myname=\"An Engine 1.0\" variants=\"normal,gast\" done=1");
        let wanted = [
            ("ping", "1"),
            ("setboard", "1"),
            ("myname", "An Engine 1.0"),
            ("variants", "normal,gast"),
            ("done", "1"),
        ];
        assert_eq!(found, wanted);
        assert_eq!(features_of("nonsense"), []);
    }

    #[test]
    fn thinking_lines_are_read_and_other_lines_are_not() {
        let found = thinking("9 156 1084 48000 Nf3 Nc6").unwrap();
        assert_eq!(
            found,
            EngineInfo { score: Some(UciScore::Centipawns(156)), depth: Some(9), nodes: Some(48000) }
        );
        assert_eq!(thinking("3. 100004 5 6 Qh5").unwrap().score, Some(UciScore::Mate(4)));
        assert_eq!(thinking("3 -100002 5 6").unwrap().score, Some(UciScore::Mate(-2)));
        for line in ["# 1 2 3 4", "move e2e4", "", "1 2 3", "1 2 x 4"] {
            assert_eq!(thinking(line), None);
        }
    }

    #[test]
    fn an_engine_need_not_know_all_commands() {
        for line in [
            "Error (unknown command): computer",
            "Error (unknown command): name Other 1.0",
            "Error (command not implemented): easy",
            "Error (Unsupported command): time 500",
            "Error (command not legal now): ?",
            "# Error",
        ] {
            assert_eq!(complaint(line), None);
        }
        for line in [
            "Error (unknown command): setboard",
            "Error (command not implemented): level 40 5 0",
            "Error (too many parameters): name",
            "Illegal move: e2e4",
        ] {
            assert_eq!(complaint(line), Some(format!("it says '{line}'")));
        }
    }

    #[test]
    fn engines_count_the_plies_since_they_were_told() {
        let told = Told { moves: 3, plies: 4 };
        let left = [4, 5, 6, 8, 9, 10].map(|plies| told.left(plies));
        assert_eq!(left, [3, 3, 2, 1, 1, 3]);
        // A position that was set up begins the count anew.
        assert_eq!(told.left(0), 3);
    }

    #[test]
    fn times_are_written_as_minutes() {
        let text = |millis| minutes(Duration::from_millis(millis));
        assert_eq!([text(300_000), text(90_000), text(1_500)], ["5", "1:30", "0:01.500"]);
    }
}
