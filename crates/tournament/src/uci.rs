//! An engine that speaks UCI.

use super::limits::TimeControl;
use super::player::{EngineInfo, EngineMove, NewGame, Player, Turn, Wait};
use super::process::{Failure, Process, Stop, Unready};
use super::settings::{EngineSpec, PositionStyle};
use quintain_core::board::Color;
use quintain_core::search::score::UciScore;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A running engine that is spoken to in UCI, without a game.
pub struct Connection {
    pub(super) process: Process,
    /// Its name, after the greeting.
    pub name: String,
}

impl Connection {
    /// Starts an engine.
    pub fn start(spec: &EngineSpec, stop: &Stop) -> anyhow::Result<Connection> {
        Ok(Connection { process: Process::start(spec, stop)?, name: spec.cmd.clone() })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.process.send(line)
    }

    /// Sends a command and reads up to the line that is `last`, which it returns; `None` if that does not come in time.
    pub fn ask(
        &mut self,
        command: &str,
        patience: Duration,
        mut last: impl FnMut(&str) -> bool,
    ) -> Result<Option<String>, Failure> {
        self.send(command)?;
        let deadline = Instant::now() + patience;
        while let Some((_, line)) = self.process.next(deadline)? {
            if last(&line) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Begins the conversation. `each` gets the lines before `uciok`, without which the answer is `None`.
    pub fn greet(&mut self, patience: Duration, mut each: impl FnMut(&str)) -> Result<Option<()>, Failure> {
        let mut name = None;
        let greeted = self.ask("uci", patience, |line| {
            name = line.strip_prefix("id name ").map(|name| name.trim().to_owned()).or(name.take());
            each(line);
            line == "uciok"
        })?;
        self.name = name.unwrap_or(std::mem::take(&mut self.name));
        Ok(greeted.map(drop))
    }

    /// Sets an option, or presses its button if the value is empty.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        match value {
            "" => self.send(&format!("setoption name {name}")),
            value => self.send(&format!("setoption name {name} value {value}")),
        }
    }
}

/// A UCI engine that plays.
pub struct Uci {
    engine: Connection,
    time: TimeControl,
    position: PositionStyle,
    patience: Duration,
    ponder: bool,
    /// It thinks about the position after these moves, which it expects.
    pondering: Option<Vec<String>>,
}

impl Uci {
    /// Starts an engine and makes it ready for a game of `variant`.
    pub fn start(spec: &EngineSpec, variant: &str, stop: &Stop) -> anyhow::Result<Result<Uci, Unready>> {
        let mut uci = Uci {
            engine: Connection::start(spec, stop)?,
            time: spec.time,
            position: spec.position,
            patience: spec.patience,
            ponder: spec.ponder,
            pondering: None,
        };
        Ok(match uci.greet(spec, variant) {
            Ok(()) => Ok(uci),
            Err(failure) => Err((failure, uci.engine.process.end())),
        })
    }

    fn greet(&mut self, spec: &EngineSpec, variant: &str) -> Result<(), Failure> {
        let mut knows_variants = false;
        let greeted = self.engine.greet(self.patience, |line| {
            knows_variants |= line.starts_with("option name UCI_Variant ");
        })?;
        greeted.ok_or_else(|| Failure::Stalled("no uciok".into()))?;
        for (name, value) in &spec.options {
            self.engine.set(name, value)?;
        }
        let is_set = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("UCI_Variant"));
        // A chess engine need not have the option. Others may have it though they do not list it.
        if !is_set && (knows_variants || spec.variant.is_some() || variant != "chess") {
            let name = spec.variant.as_deref().unwrap_or(variant);
            self.engine.set("UCI_Variant", name)?;
        }
        match self.wait_until_ready()? {
            Some(complaint) => Err(Failure::Breach(complaint)),
            None => Ok(()),
        }
    }

    /// Waits for `readyok`, and returns the first complaint before it.
    fn wait_until_ready(&mut self) -> Result<Option<String>, Failure> {
        let mut complaint = None;
        let last = self.engine.ask("isready", self.patience, |line| {
            complaint = complaint.take().or_else(|| self::complaint(line));
            line == "readyok" || is_answer(line)
        })?;
        match last {
            Some(line) if is_answer(&line) => Err(Failure::Breach(format!("'{line}' without go"))),
            Some(_) => Ok(complaint),
            None => Err(Failure::Stalled("no readyok".into())),
        }
    }

    fn question(&self, turn: &Turn, go: &str) -> String {
        let mut text = String::with_capacity(64 + 6 * turn.moves.len());
        match (self.position, turn.fen) {
            (PositionStyle::Fen, _) => {
                text += "position fen ";
                text += &turn.session.fen();
            }
            (PositionStyle::Moves, Some(fen)) => {
                text += "position fen ";
                text += fen;
            }
            (PositionStyle::Moves, None) => text += "position startpos",
        }
        if self.position == PositionStyle::Moves && !turn.moves.is_empty() {
            text += " moves";
            for text_of_move in turn.moves {
                text.push(' ');
                text += text_of_move;
            }
        }
        text.push('\n');
        text += go;
        self.write_limits(&mut text, turn);
        text
    }

    fn write_limits(&self, text: &mut String, turn: &Turn) {
        // Writing to a string does not fail.
        let mut add = |name: &str, value: u128| {
            let _ = write!(text, " {name} {value}");
        };
        if self.time.clock.is_some() {
            for (color, letter) in [(Color::White, 'w'), (Color::Black, 'b')] {
                if let Some(clock) = turn.clocks[color.index()] {
                    // Zero and negative times confuse some engines.
                    add(&format!("{letter}time"), clock.left().as_millis().max(1));
                    add(&format!("{letter}inc"), clock.increment().as_millis());
                }
            }
            let own = turn.clocks[turn.session.side().index()];
            if let Some(moves) = own.and_then(|clock| clock.moves_to_go()) {
                add("movestogo", moves.into());
            }
        }
        if let Some(time) = self.time.move_time {
            add("movetime", time.as_millis());
        }
        if let Some(nodes) = self.time.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = self.time.depth {
            add("depth", depth.into());
        }
    }

    /// Lets it ponder on the position after its move `best` and the reply `expected`, if both are legal and the game
    /// goes on. `time` is what its move took.
    fn start_pondering(
        &mut self,
        turn: &Turn,
        best: &str,
        expected: &str,
        time: Duration,
    ) -> Result<(), Failure> {
        let (mut session, mut clocks) = (turn.session.copy(), turn.clocks);
        if let Some(own) = &mut clocks[session.side().index()] {
            own.spend(time, Duration::MAX);
        }
        let mut play = |text| session.play(text).is_ok() && session.outcome().is_none();
        if !play(best) || !play(expected) {
            return Ok(());
        }
        let moves = [turn.moves, &[best.to_owned(), expected.to_owned()]].concat();
        let later = Turn { session: &*session, moves: &moves, clocks, ..*turn };
        self.engine.send(&self.question(&later, "go ponder"))?;
        self.pondering = Some(moves);
        Ok(())
    }

    /// Ends pondering on a position that did not come.
    fn stop_pondering(&mut self) -> Result<(), Failure> {
        if self.pondering.take().is_some() && self.engine.ask("stop", self.patience, is_answer)?.is_none() {
            return Err(Failure::Stalled("no bestmove after stop while pondering".into()));
        }
        Ok(())
    }
}

/// The complaint of an engine about an option. UCI defines none, but these are common.
pub fn complaint(line: &str) -> Option<String> {
    let said = line.strip_prefix("info string ").unwrap_or(line).to_ascii_lowercase();
    (said.starts_with("error") || said.starts_with("no such option")).then(|| format!("it says '{line}'"))
}

/// Is it a `bestmove`?
fn is_answer(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

impl Player for Uci {
    fn name(&self) -> &str {
        &self.engine.name
    }

    fn is_reusable(&self) -> bool {
        true
    }

    fn new_game(&mut self, _game: &NewGame) -> Result<(), Failure> {
        self.engine.send("ucinewgame")?;
        self.wait_until_ready().map(drop)
    }

    fn think(&mut self, turn: &Turn) -> Result<EngineMove, Failure> {
        let (mut scored, mut counted) = (String::new(), String::new());
        let now = Instant::now();
        while let Some(line) = self.engine.process.waiting(now)? {
            if is_answer(&line) {
                return Err(Failure::Breach(format!("'{line}' without go")));
            }
            // After a ponder hit it may answer without another report.
            note(line, &mut scored, &mut counted);
        }
        let hit = self.pondering.take_if(|expected| expected.as_slice() == turn.moves).is_some();
        self.stop_pondering()?;
        let question = if hit { "ponderhit".to_owned() } else { self.question(turn, "go") };
        let mut wait = Wait::new(turn, self.patience);
        self.engine.send(&question)?;
        if !hit {
            (scored, counted) = Default::default();
        }
        loop {
            let (at, line) = wait.next(&mut self.engine.process, "stop", "bestmove")?;
            if is_answer(&line) {
                let time = wait.time(at, "bestmove")?;
                let mut words = line.split_whitespace().skip(1);
                let Some(text) = words.next() else {
                    return Err(Failure::Breach("bestmove without a move".into()));
                };
                let mut info = info(&scored);
                info.nodes = self::info(&counted).nodes.or(info.nodes);
                if self.ponder
                    && let (Some("ponder"), Some(expected)) = (words.next(), words.next())
                {
                    self.start_pondering(turn, text, expected, time)?;
                }
                return Ok(EngineMove { text: Some(text.to_owned()), time, info });
            }
            note(line, &mut scored, &mut counted);
        }
    }

    fn game_over(&mut self, _result: &str, _reason: &str) {
        // What is wrong shows in the next game.
        drop(self.stop_pondering());
    }

    fn last_lines(&mut self) -> Vec<String> {
        self.engine.process.last_lines()
    }

    fn end(self: Box<Self>) -> Vec<String> {
        self.engine.process.end()
    }
}

/// Keeps a report: the last with the score of the best line, and the last with a number of nodes.
fn note(line: String, scored: &mut String, counted: &mut String) {
    if line.starts_with("info ") && !line.starts_with("info string") {
        let is_best = !line.contains(" multipv ") || line.contains(" multipv 1 ");
        if line.contains(" nodes ") {
            counted.clone_from(&line);
        }
        if is_best && line.contains(" score ") {
            *scored = line;
        }
    }
}

/// Reads an `info` line.
pub fn info(line: &str) -> EngineInfo {
    let mut info = EngineInfo::default();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
            "score" => {
                let kind = words.next();
                let value = words.next().and_then(|word| word.parse().ok());
                info.score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(UciScore::Centipawns(value)),
                    (Some("mate"), Some(value)) => Some(UciScore::Mate(value)),
                    _ => None,
                };
            }
            // Moves follow, which may look like keywords.
            "pv" | "string" => break,
            _ => {}
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_distinguished_from_reports() {
        for line in
            ["info string error: no option is called 'Foo'", "No such option: Foo", "info string ERROR: x"]
        {
            assert_eq!(complaint(line), Some(format!("it says '{line}'")));
        }
        for line in ["info string NNUE evaluation using x.nnue", "info depth 1", "readyok", ""] {
            assert_eq!(complaint(line), None);
        }
    }

    #[test]
    fn info_lines_are_read() {
        let found =
            info("info depth 12 seldepth 20 multipv 1 score cp -34 nodes 1234 nps 5 time 3 pv depth 1");
        let score = Some(UciScore::Centipawns(-34));
        assert_eq!(found, EngineInfo { score, depth: Some(12), nodes: Some(1234) });
        let found = info("info depth x score mate -3 upperbound nodes 99999999999");
        let score = Some(UciScore::Mate(-3));
        assert_eq!(found, EngineInfo { score, depth: None, nodes: Some(99_999_999_999) });
        assert_eq!(info(""), EngineInfo::default());
        assert!(
            is_answer("bestmove e2e4 ponder e7e5") && is_answer("bestmove") && !is_answer("bestmoves e2e4")
        );
    }
}
