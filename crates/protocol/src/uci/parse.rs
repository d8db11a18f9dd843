//! Parses commands.
//!
//! Simple ones are parsed by vampirc-uci. Its grammar has no squares beyond h8, no promotions but those of chess, and
//! no numbers beyond three digits, and it silently drops what it does not know (`a2a10` becomes `a2a1`, `go ponder`
//! with clocks loses the ponder, `depth 256` panics); a word that begins with "value" ends the name of an option. So
//! `position`, `go` and `setoption` are parsed here.

use quintain_core::board::Color;
use quintain_core::rules::setup::quoted;
use quintain_core::search::{Clock, Limits};
use std::time::Duration;

/// A command of the GUI or a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: print name and options.
    Uci,
    /// `isready`: answer.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Answer now.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// End.
    Quit,
    /// A command without effect: `debug`, `register`.
    Ignored,
    /// Sets an option.
    SetOption {
        /// Its name, with single spaces between words.
        name: String,
        /// Its value as it was written, without blanks around it: the path of a file may have two in a row.
        value: Option<String>,
    },
    /// Sets up a position.
    Position {
        /// The FEN; `None` for the start position.
        fen: Option<String>,
        /// The moves from there, as text.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// Count move paths.
    Perft(u32),
    /// Draw the board.
    Draw,
    /// Show the static evaluation.
    Eval,
    /// List the legal moves.
    Moves,
    /// Exchange colours and ranks.
    Flip,
    /// Run the benchmark, to this depth.
    Bench(Option<u32>),
    /// Explain the commands.
    Help,
}

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// All limits but the clock, which depends on the side to move, and the moves at the root.
    pub limits: Limits,
    /// Only these moves are to be searched at the root, as coordinates.
    pub search_moves: Vec<String>,
    /// White's and Black's time and increment in milliseconds.
    pub clocks: [Option<u64>; 2],
    /// What each move adds.
    pub increments: [Option<u64>; 2],
    /// Moves until more time is added.
    pub moves_to_go: u32,
    /// Errors in single arguments; the others hold.
    pub problems: Vec<String>,
}

/// How long to search if the limits could not be parsed, so that the GUI gets a move in any case.
const FALLBACK: Duration = Duration::from_secs(1);

impl Go {
    /// The limits for the side to move, all moves at the root allowed.
    pub fn limits(&self, side: Color) -> Limits {
        let mut limits = self.limits.clone();
        if limits.infinite {
            limits.move_time = None;
        } else if let Some((left, increment)) = self.clock(side) {
            let [left, increment] = [left, increment].map(Duration::from_millis);
            limits.clock = Some(Clock { left, increment, moves_to_go: self.moves_to_go });
        } else if (!self.problems.is_empty() || self.moves_to_go > 0)
            && limits == (Limits { ponder: limits.ponder, ..Limits::default() })
        {
            limits.move_time = Some(FALLBACK);
        }
        limits
    }

    /// The time and the increment of a side; `None` if the GUI sent nothing of the kind. Some GUIs send one clock only, or
    /// an increment without a clock.
    fn clock(&self, side: Color) -> Option<(u64, u64)> {
        let (own, other) = (side.index(), (!side).index());
        let increment = |of: usize| self.increments[of].unwrap_or(0);
        let either = increment(own).max(increment(other));
        match (self.clocks[own], self.clocks[other]) {
            (Some(left), _) => Some((left, increment(own))),
            (None, Some(left)) => Some((left, either)),
            // At least an increment is on the clock.
            (None, None) => self.increments.iter().any(Option::is_some).then_some((either, either)),
        }
    }
}

/// Reads a line; `None` if it is empty. The error is to be shown after "error: ".
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else { return Ok(None) };
    let unknown = || format!("unknown command: {}", quoted(line));
    Ok(Some(match first {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" | "debug" | "register" => {
            simple(line).ok_or_else(unknown)?
        }
        "setoption" => set_option(&line.trim_start()[first.len()..])?,
        "position" => position(rest)?,
        "go" => go(rest),
        "perft" => Command::Perft(depth(rest)?.ok_or("perft needs a depth")?),
        "bench" => Command::Bench(depth(rest)?),
        "d" => Command::Draw,
        "eval" => Command::Eval,
        "moves" => Command::Moves,
        "flip" => Command::Flip,
        "help" => Command::Help,
        _ => return Err(unknown()),
    }))
}

/// A command without arguments of ours.
#[cfg(not(target_family = "wasm"))]
fn simple(line: &str) -> Option<Command> {
    use vampirc_uci::{UciMessage, parse_one};
    Some(match parse_one(line) {
        UciMessage::Uci => Command::Uci,
        UciMessage::IsReady => Command::IsReady,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        UciMessage::Debug(_) | UciMessage::Register { .. } => Command::Ignored,
        _ => return None,
    })
}

#[cfg(target_family = "wasm")]
use words as simple;

/// The same by its words. vampirc-uci needs a calendar that asks for a page's own functions in a WebAssembly module.
#[cfg(any(test, target_family = "wasm"))]
fn words(line: &str) -> Option<Command> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match words[..] {
        ["uci", ..] => Command::Uci,
        ["isready", ..] => Command::IsReady,
        ["ucinewgame", ..] => Command::NewGame,
        ["stop", ..] => Command::Stop,
        ["ponderhit", ..] => Command::PonderHit,
        ["quit", ..] => Command::Quit,
        ["debug", "on" | "off"] | ["register", _, ..] => Command::Ignored,
        _ => return None,
    })
}

/// `setoption name N [value V]`, both of several words. The value begins after the first word "value".
fn set_option(text: &str) -> Result<Command, String> {
    let ends_word = |text: &str| text.is_empty() || text.starts_with(char::is_whitespace);
    let rest = text.trim_start().strip_prefix("name").filter(|rest| ends_word(rest));
    let rest = rest.ok_or("setoption: 'name' must follow")?;
    let is_word =
        |at: usize| rest[..at].ends_with(char::is_whitespace) && ends_word(&rest[at + "value".len()..]);
    let (name, value) = match rest.match_indices("value").map(|(at, _)| at).find(|&at| is_word(at)) {
        Some(at) => (&rest[..at], Some(rest[at + "value".len()..].trim())),
        None => (rest, None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err("setoption: the name is missing".into());
    }
    // An empty string in UCI.
    let value = value.map(|value| if value == "<empty>" { String::new() } else { value.to_owned() });
    Ok(Command::SetOption { name, value })
}

/// `position startpos|fen F [moves M...]`.
fn position(words: &[&str]) -> Result<Command, String> {
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let fen = match setup {
        ["startpos"] => None,
        ["startpos", surplus, ..] => {
            return Err(format!("position: 'moves' must follow startpos, not {}", quoted(surplus)));
        }
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => return Err("position: 'startpos' or 'fen' must follow".into()),
    };
    Ok(Command::Position { fen, moves: moves.iter().map(|&text| text.to_owned()).collect() })
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// `go ...`. What cannot be parsed is left out and reported.
fn go(words: &[&str]) -> Command {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                while let Some(text) = words.next_if(|next| !GO_WORDS.contains(next)) {
                    go.search_moves.push(text.to_owned());
                }
            }
            _ if !GO_WORDS.contains(&word) => go.problems.push(format!("go: {} is not known", quoted(word))),
            _ => {
                let Some(number) = words.peek().copied().and_then(number) else {
                    // A word in place of the number is parsed as the next argument.
                    let found = words.next_if(|next| !GO_WORDS.contains(next));
                    go.problems.push(match found {
                        Some(found) => format!("go: {} after {word} is not a number", quoted(found)),
                        None => format!("go: a number must follow {word}"),
                    });
                    continue;
                };
                words.next();
                let plies = u32::try_from(number).unwrap_or(u32::MAX);
                match word {
                    "wtime" => go.clocks[0] = Some(number),
                    "btime" => go.clocks[1] = Some(number),
                    "winc" => go.increments[0] = Some(number),
                    "binc" => go.increments[1] = Some(number),
                    "movestogo" => go.moves_to_go = plies,
                    "depth" => go.limits.depth = Some(plies),
                    "nodes" => go.limits.nodes = Some(number),
                    "mate" => go.limits.mate = Some(plies),
                    "movetime" => go.limits.move_time = Some(Duration::from_millis(number)),
                    _ => return Command::Perft(plies),
                }
            }
        }
    }
    Command::Go(go)
}

/// A whole number of any length. GUIs also send clocks below zero, which count as zero; larger numbers than fit give
/// the largest.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// The optional depth of a command for people.
fn depth(words: &[&str]) -> Result<Option<u32>, String> {
    let Some(word) = words.first() else { return Ok(None) };
    let depth = number(word).ok_or_else(|| format!("{} is not a depth", quoted(word)))?;
    Ok(Some(u32::try_from(depth).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests;
