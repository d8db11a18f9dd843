//! Sessions of UCI for fuzzing.

use super::parse::{Command, parse};
use super::run;
use crate::fuzzing::{MOST_LINES, is_dear};
use crate::line::{Lines, SAID};
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

/// The most nodes of a search, and the most plies of a perft.
const NODES: u64 = 200;
const PLIES: u32 = 2;

/// Serves a GUI that sends this text. Each question must be answered once.
pub fn session(text: &str) {
    // What is said goes to one place.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut lines, mut moves, mut readies) = (Vec::new(), 0, 0);
    for line in text.lines().map(str::trim).filter(|line| !is_dear(line)).take(MOST_LINES) {
        match parse(line) {
            Ok(Some(Command::Bench(_))) => continue,
            Ok(Some(Command::Perft(plies))) if (PLIES + 1..=30).contains(&plies) => continue,
            Ok(Some(Command::Go(_))) => {
                moves += 1;
                // The last number counts.
                lines.push(format!("{line} nodes {NODES}"));
                continue;
            }
            Ok(Some(Command::IsReady)) => readies += 1,
            Ok(Some(Command::Quit)) => break,
            _ => {}
        }
        lines.push(line.to_owned());
    }
    let input = Lines::new(Cursor::new(lines.join("\n"))).expect("a thread");
    *SAID.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
    let served = run("setoption name Hash value 1", &input);
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    served.expect("a session");
    let count = |word: &str| said.iter().filter(|line| line.split(' ').next() == Some(word)).count();
    assert_eq!(count("bestmove"), moves, "{said:#?}");
    assert_eq!(count("readyok"), readies, "{said:#?}");
    let wrong = ["info string error: internal error", "info string error: perft: internal error"];
    let failed = said.iter().find(|line| wrong.iter().any(|wrong| line.starts_with(wrong)));
    assert_eq!(failed, None, "{said:#?}");
}
