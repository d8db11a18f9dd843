//! Another engine that speaks UCI, measured from outside.

use super::Sample;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long it may take to answer anything at all.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running engine. It is told to quit when this is dropped.
pub struct Peer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// What it calls itself.
    pub name: String,
}

impl Peer {
    /// Starts `command`, a program with its arguments, and sets `options` by name and value, in this order.
    pub fn start(command: &str, options: &[(String, String)]) -> Result<Peer> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| anyhow!("'{command}' is not a command"))?;
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start '{}'", words[0]))?;
        let input = child.stdin.take().context("the peer has no input")?;
        let output = child.stdout.take().context("the peer has no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut peer = Peer { child, input, lines, name: words[0].clone() };
        peer.send("uci")?;
        let mut name = None;
        peer.read(|line| {
            name = line.strip_prefix("id name ").map(str::to_owned).or(name.take());
            line == "uciok"
        })?;
        peer.name = name.unwrap_or(peer.name.clone());
        for (name, value) in options {
            peer.set(name, value)?;
        }
        Ok(peer)
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.send(&format!("setoption name {name} value {value}"))?;
        self.wait()
    }

    /// Counts move sequences with its `go perft`. The time is that of the command alone.
    pub fn perft(&mut self, fen: &str, depth: u32) -> Result<Sample> {
        self.send(&format!("position fen {fen}"))?;
        self.wait()?;
        let began = Instant::now();
        self.send(&format!("go perft {depth}"))?;
        let last = self.read(|line| line.starts_with("Nodes searched"))?;
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
        self.send(&format!("go movetime {}", time.as_millis()))?;
        let mut last = None;
        self.read(|line| {
            last = report(line).or(last.take());
            line.starts_with("bestmove")
        })?;
        last.with_context(|| format!("{} did not report nodes and time of a search", self.name))
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").with_context(|| format!("{} takes no commands any more", self.name))
    }

    fn wait(&mut self) -> Result<()> {
        self.send("isready")?;
        self.read(|line| line == "readyok").map(drop)
    }

    /// Reads up to the line that is `last`, and returns it.
    fn read(&mut self, mut last: impl FnMut(&str) -> bool) -> Result<String> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if last(line.trim_end()) => return Ok(line.trim_end().to_owned()),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("{} ended by itself", self.name),
                Err(RecvTimeoutError::Timeout) => {
                    bail!("{} said nothing for {} s", self.name, PATIENCE.as_secs())
                }
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.send("stop");
        let _ = self.send("quit");
        let deadline = Instant::now() + Duration::from_secs(2);
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
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

    #[test]
    fn what_does_not_start_is_named() {
        let error = |command| format!("{:#}", Peer::start(command, &[]).err().expect("an error"));
        assert!(error("/no/such/engine -x").starts_with("cannot start '/no/such/engine': "));
        assert_eq!(error("'open"), "''open' is not a command");
        // It may be gone before or after it is spoken to.
        let gone = error("true");
        assert!(
            gone == "true ended by itself" || gone.starts_with("true takes no commands any more"),
            "{gone}"
        );
    }
}
