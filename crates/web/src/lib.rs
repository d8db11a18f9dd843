//! Quintain as a WebAssembly module, for pages and Node. `.ci/wasm` builds it.
//!
//! The host writes text or a file into [`buffer`], and calls another function with its length. Answers come as text by the
//! host's function `send`. It also gives `now`, the time, `signal`, which can stop a search, and `fault`, which gets the
//! message of a panic; a module that panicked cannot be used any more. That is all that either knows of the other.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod room;
mod rules;

use quintain_core::eval::Network;
use quintain_core::host::{Signal, signal};
use quintain_engine::{NAMES, info};
use quintain_protocol::say;
use quintain_protocol::uci::{Uci, Watch};
use std::cell::RefCell;
use std::thread;
use std::time::Duration;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static UCI: RefCell<Uci<Host>> = RefCell::new(Uci::new(Host).expect("memory for the table"));
}

/// Makes room for so many bytes of input, and says where.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    report_panics();
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// What the host wrote into the buffer.
fn input(length: usize) -> Vec<u8> {
    let mut bytes = BUFFER.take();
    bytes.truncate(length);
    bytes
}

/// The input as text.
pub fn text(length: usize) -> String {
    String::from_utf8_lossy(&input(length)).into_owned()
}

/// Takes the file of a network, which all engines of this module use from now on. Sends why it cannot be used, or nothing.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn network(length: usize) {
    let taken = quintain_engine::give_network(&input(length));
    say(taken.err().map_or(String::new(), |error| error.to_string()));
}

/// Sends the names of the networks that this line of UCI needs and that are still to be loaded, with blanks between them.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn needs(length: usize) {
    let line = text(length);
    let mut needed: Vec<&str> = match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["go", "perft", ..] => Vec::new(),
        ["go" | "eval", ..] => vec![UCI.with_borrow(|uci| uci.engine().game().info().network)],
        ["bench", ..] => NAMES.iter().filter_map(|name| Some(info(name)?.network)).collect(),
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

/// Tells the host of panics, which the module does not survive.
fn report_panics() {
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|info| {
        #[link(wasm_import_module = "quintain")]
        #[allow(unsafe_code)]
        unsafe extern "C" {
            safe fn fault(text: *const u8, length: usize);
        }
        let text = info.to_string();
        fault(text.as_ptr(), text.len());
    }));
}
