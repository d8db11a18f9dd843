//! What the package for npm calls: an engine that speaks UCI, and questions about the rules.

use crate::{rules, text};
use quintain_core::eval::Network;
use quintain_core::host::{Signal, signal};
use quintain_engine::{NAMES, info};
use quintain_protocol::say;
use quintain_protocol::uci::{Uci, Watch};
use std::cell::RefCell;
use std::thread;
use std::time::Duration;

thread_local! {
    static UCI: RefCell<Uci<Host>> = RefCell::new(Uci::new(Host).expect("memory for the table"));
}

/// Sends the names of the networks that this line of UCI needs and that are still to be loaded, with blanks between them.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn needs(length: usize) {
    let line = text(length);
    let mut needed: Vec<&str> = match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["go", "perft", ..] => Vec::new(),
        ["go" | "eval", ..] => vec![UCI.with_borrow(|uci| uci.engine().game().info().network)],
        ["bench", ..] => NAMES.iter().filter_map(|name| Some(info(name).ok()?.network)).collect(),
        _ => Vec::new(),
    };
    needed.retain(|name| !Network::is_given(name));
    needed.dedup();
    say(needed.join(" "));
}

/// Obeys a line of UCI. A search is over when this returns.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn uci(length: usize) {
    let line = text(length);
    UCI.with_borrow_mut(|uci| uci.obey(line.trim()));
}

/// Answers a question about the rules; see [`rules`].
#[allow(unsafe_code)]
#[unsafe(export_name = "rules")]
pub extern "C" fn ask_rules(length: usize) {
    say(rules::answer(&text(length)));
}

/// Who calls this module. It cannot say anything but its signal meanwhile.
struct Host;

impl Watch for Host {
    fn during<T: Send>(
        &mut self,
        _after_end: Duration,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
    ) -> thread::Result<T> {
        Ok(work(&|| signal() == Signal::Stop))
    }
}
