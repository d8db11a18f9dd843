//! Sessions of CECP for fuzzing.

use super::report::lock;
use super::think::Purpose;
use super::{Event, Say, XBoard};
use crate::fuzzing::{MOST_LINES, is_dear};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Keeps searches short. Analysis ends at the next line.
const SHALLOW: &str = "sd 2";
/// Longer than any such search takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves a GUI that sends this text. Each search must end, and each position can be read back.
pub fn session(text: &str) {
    let (sender, events) = channel();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let say: Say = {
        let said = Arc::clone(&said);
        Arc::new(move |line: &str| lock(&said).push(line.to_owned()))
    };
    let mut xboard = XBoard::new(sender, say).expect("an engine");
    let lines = text.lines().map(str::trim).filter(|line| !is_dear(line) && !line.starts_with("sd"));
    let first = ["xboard", "memory 1", SHALLOW];
    for line in first.into_iter().chain(lines.take(MOST_LINES)) {
        if !xboard.handle(Event::Line(line.to_owned())) {
            break;
        }
        // `new` takes back the limit of depth.
        if line == "new" {
            xboard.handle(Event::Line(SHALLOW.to_owned()));
        }
        while xboard.search.as_ref().is_some_and(|search| search.purpose == Purpose::Move) {
            let event = events.recv_timeout(PATIENCE).expect("a search ends");
            xboard.handle(event);
        }
        let game = xboard.engine.game();
        let mut copy = game.copy();
        copy.set_position(Some(&game.fen()), &[]).expect("what is written is read");
        assert_eq!(copy.key(), game.key(), "{}", game.fen());
    }
    xboard.drop_search();
    let said = lock(&said);
    let wrong = ["# internal error", "# the engine refuses"];
    let failed = said.iter().find(|line| wrong.iter().any(|wrong| line.starts_with(wrong)));
    assert_eq!(failed, None, "{said:#?}");
}
