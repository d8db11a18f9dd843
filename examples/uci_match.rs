//! Two UCI engines play two games, one with each colour, at a tenth of a second a move. `quintain match` is the tool
//! for real matches; this shows how little a referee needs.
//!
//! `cargo run --release --example uci_match -- canyon target/release/quintain path/to/other`

use quintain::engine::open;
use std::env;
use std::error::Error;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Player {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Player {
    fn start(program: &str, variant: &str) -> Result<Player> {
        let mut process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().ok_or("no pipe to the engine")?;
        let output = BufReader::new(process.stdout.take().ok_or("no pipe from the engine")?).lines();
        let mut player = Player { process, input, output };
        player.ask("uci", "uciok")?;
        player.ask(&format!("setoption name UCI_Variant value {variant}\nucinewgame\nisready"), "readyok")?;
        Ok(player)
    }

    /// Sends a command, and returns what follows `word` in the first line that begins with it.
    fn ask(&mut self, command: &str, word: &str) -> Result<String> {
        writeln!(self.input, "{command}")?;
        for line in &mut self.output {
            if let Some(rest) = line?.strip_prefix(word) {
                return Ok(rest.trim().into());
            }
        }
        Err(format!("the engine ended before it answered {command}").into())
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // An engine that has ended already is no problem.
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}

fn play(variant: &str, programs: [&str; 2]) -> Result<String> {
    let mut session = open(variant)?;
    let mut players = [Player::start(programs[0], variant)?, Player::start(programs[1], variant)?];
    let mut moves = Vec::new();
    let outcome = loop {
        if let Some(outcome) = session.outcome() {
            break outcome;
        }
        let position = format!("position startpos moves {}\ngo movetime 100", moves.join(" "));
        let answer = players[session.side().index()].ask(&position, "bestmove")?;
        let text = answer.split(' ').next().unwrap_or_default();
        // An illegal move is an error that says why.
        moves.push(session.play(text)?.text);
    };
    let [white, black] = programs;
    Ok(format!("{white} - {black}: {} ({outcome}, {} plies)", outcome.score(), moves.len()))
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [variant, first, second] = arguments.as_slice() else {
        return Err("usage: uci_match GAME ENGINE ENGINE".into());
    };
    println!("{}", play(variant, [first, second])?);
    println!("{}", play(variant, [second, first])?);
    Ok(())
}
