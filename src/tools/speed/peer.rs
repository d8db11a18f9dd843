//! Another UCI engine to compare with.

use super::Sample;
use anyhow::{Context, Result, anyhow, bail, ensure};
use quintain_tournament::process::{Failure, Stop};
use quintain_tournament::settings::EngineSpec;
use quintain_tournament::uci::{Connection, complaint};
use std::time::{Duration, Instant};

/// How long it may take to start.
const GREETING: Duration = Duration::from_secs(10);
/// How long it may take to answer other commands, besides the search time.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running engine, which quits when this is dropped.
pub struct Peer {
    engine: Connection,
}

impl Peer {
    /// Starts `command`, a program with its arguments, and sets `options` by name and value, in this order. `stop` ends
    /// every wait for it.
    pub fn start(command: &str, options: &[(String, String)], stop: &Stop) -> Result<Peer> {
        Peer::start_within(GREETING, command, options, stop)
    }

    fn start_within(
        patience: Duration,
        command: &str,
        options: &[(String, String)],
        stop: &Stop,
    ) -> Result<Peer> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| anyhow!("'{command}' is not a command"))?;
        let (cmd, args) = (words[0].clone(), words[1..].to_vec());
        let spec = EngineSpec { cmd, args, ..EngineSpec::default() };
        let mut peer = Peer { engine: Connection::start(&spec, stop)? };
        let greeted = peer.engine.greet(patience, |_| ());
        let greeted = peer.in_time(greeted, "uci", patience);
        greeted.context("--peer must be a UCI engine")?;
        for (name, value) in options {
            peer.set(name, value)?;
        }
        Ok(peer)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.engine.set(name, value).with_context(|| self.name().to_owned())?;
        match self.wait()? {
            Some(complaint) => bail!("--peer-option {name}={value}: {}: {complaint}", self.name()),
            None => Ok(()),
        }
    }

    /// Counts move sequences with its `go perft`. The time is that of the command alone.
    pub fn perft(&mut self, fen: &str, depth: u32) -> Result<Sample> {
        self.send(&format!("position fen {fen}"))?;
        self.wait()?;
        let began = Instant::now();
        let last =
            self.ask(&format!("go perft {depth}"), PATIENCE, |line| line.starts_with("Nodes searched"))?;
        let seconds = began.elapsed().as_secs_f64();
        let nodes = last.rsplit(' ').next().and_then(|word| word.parse().ok());
        let nodes = nodes.with_context(|| format!("no count in '{last}'"))?;
        Ok(Sample { nodes, seconds, solved: false })
    }

    /// Searches for so long, with an empty table. Nodes and time are those of its last report.
    pub fn search(&mut self, fen: &str, time: Duration) -> Result<Sample> {
        self.send("ucinewgame")?;
        self.send(&format!("position fen {fen}"))?;
        self.wait()?;
        let mut last = None;
        self.ask(&format!("go movetime {}", time.as_millis()), time + PATIENCE, |line| {
            last = report(line).or(last.take());
            line.starts_with("bestmove")
        })?;
        last.with_context(|| format!("{} did not report nodes and time of a search", self.name()))
    }

    fn send(&mut self, line: &str) -> Result<()> {
        self.engine.send(line).with_context(|| self.name().to_owned())
    }

    /// Waits for `readyok`, and returns the first complaint before it.
    fn wait(&mut self) -> Result<Option<String>> {
        let mut complaint = None;
        self.ask("isready", PATIENCE, |line| {
            complaint = complaint.take().or_else(|| self::complaint(line));
            line == "readyok"
        })?;
        Ok(complaint)
    }

    /// Sends a command and reads up to the line that is `last`, which it returns.
    fn ask(&mut self, command: &str, patience: Duration, last: impl FnMut(&str) -> bool) -> Result<String> {
        let answer = self.engine.ask(command, patience, last);
        self.in_time(answer, command, patience)
    }

    /// What was answered to a command, with words for whoever asks why there is nothing.
    fn in_time<T>(&self, answer: Result<Option<T>, Failure>, command: &str, patience: Duration) -> Result<T> {
        let answer = answer.with_context(|| self.name().to_owned())?;
        let late = || format!("{} did not answer '{command}' within {} s", self.name(), patience.as_secs());
        answer.with_context(late)
    }
}

/// Nodes and time of an `info` line that has both, and whether it reports a mate.
fn report(line: &str) -> Option<Sample> {
    let words: Vec<&str> = line.strip_prefix("info ")?.split(' ').collect();
    let after = |name| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let millis = after("time").filter(|&millis| millis > 0)?;
    let solved = words.windows(2).any(|pair| pair == ["score", "mate"]);
    Some(Sample { nodes: after("nodes")?, seconds: millis as f64 / 1000.0, solved })
}

/// Reads `NAME=VALUE`.
pub fn pair(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').context("it must be NAME=VALUE")?;
    ensure!(!name.trim().is_empty(), "the name before = is missing");
    Ok((name.trim().into(), value.trim().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_need_nodes_and_time() {
        let sample = |nodes, seconds, solved| Some(Sample { nodes, seconds, solved });
        assert_eq!(report("info depth 9 nodes 1200 nps 4 time 300 pv e2e4"), sample(1200, 0.3, false));
        assert_eq!(report("info score mate -3 nodes 70 time 100"), sample(70, 0.1, true));
        assert_eq!(report("info depth 9 time 300"), None);
        assert_eq!(report("info nodes 5 time 0"), None);
        assert_eq!(report("bestmove e2e4"), None);
    }

    #[test]
    fn pairs_are_split_at_the_first_sign() {
        assert_eq!(pair("Path = a=b").unwrap(), ("Path".into(), "a=b".into()));
        assert_eq!(pair("Hash").unwrap_err().to_string(), "it must be NAME=VALUE");
        assert_eq!(pair("=3").unwrap_err().to_string(), "the name before = is missing");
    }

    #[cfg(unix)]
    #[test]
    fn refused_options_are_told() {
        let script = "echo uciok; while read line; do case $line in \
                      *Nonsense*) echo No such option: Nonsense;; isready) echo readyok;; esac; done";
        let start = |name: &str| {
            let options = [(name.to_owned(), "false".to_owned())];
            Peer::start(&format!("sh -c '{script}'"), &options, &Stop::default()).map(drop)
        };
        assert!(start("Hash").is_ok());
        let told = "--peer-option Nonsense=false: sh: it says 'No such option: Nonsense'";
        assert_eq!(start("Nonsense").unwrap_err().to_string(), told);
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_start_is_named() {
        let patience = Duration::from_secs(2);
        let error = |command| {
            let peer = Peer::start_within(patience, command, &[], &Stop::default());
            format!("{:#}", peer.err().expect("an error"))
        };
        assert!(error("/no/such/engine -x").starts_with("cannot start '/no/such/engine': "));
        assert_eq!(error("'open"), "''open' is not a command");
        assert_eq!(error("true"), "--peer must be a UCI engine: true: it ended with exit code 0");
        // One repeats what it hears, one never stops talking.
        for (command, name) in [("cat", "cat"), ("sh -c 'while sleep 1; do echo x; done'", "sh")] {
            let silent = format!("--peer must be a UCI engine: {name} did not answer 'uci' within 2 s");
            assert_eq!(error(command), silent);
        }
    }
}
