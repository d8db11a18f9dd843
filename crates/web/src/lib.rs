//! Quintain as WebAssembly modules, for pages and Node. `.ci/wasm` builds them. The package for npm has one. A site has one for
//! each game, which is all that most visitors load, and one with all games.
//!
//! The host writes text or a file into [`buffer`], and calls another function with its length. Answers come as text by the
//! host's function `send`. It also gives `now`, the time, `signal`, which can stop a search, `threads`, how many threads
//! there are, and `fault`, which gets the message of a panic; a module that panicked cannot be used any more. That is all that
//! either knows of the other.
//!
//! A module that is built with atomics has its memory from the host. In the same memory the host can make more instances, in
//! workers that call `help` and search too. Each needs a stack and thread-local storage of its own before that.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

#[cfg(feature = "package")]
mod package;
mod packed;
#[cfg(feature = "room")]
mod room;
#[cfg(feature = "package")]
mod rules;

#[cfg(target_family = "wasm")]
use quintain_study::shipped;
use std::cell::RefCell;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for so many bytes of input, and says where.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    #[cfg(target_family = "wasm")]
    begin();
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

/// Takes a network as `.ci/wasm` has packed it, which all engines of this module use from now on. Sends why it cannot be used, or nothing.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn network(length: usize) {
    let taken = quintain_engine::give_network(&packed::unpacked(&input(length)));
    quintain_protocol::say(taken.err().map_or(String::new(), |error| error.to_string()));
}

/// Takes the file of endgame tables.
#[cfg(feature = "room")]
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn tables(length: usize) {
    let file = input(length);
    #[cfg(target_family = "wasm")]
    quintain_engine::give_tables(file);
    #[cfg(not(target_family = "wasm"))]
    drop(file);
    room::use_tables();
}

/// Lends the thread of this instance to searches, for ever.
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn help() -> ! {
    quintain_core::host::help()
}

/// What is to be done once.
#[cfg(target_family = "wasm")]
fn begin() {
    static BEGUN: std::sync::Once = std::sync::Once::new();
    BEGUN.call_once(|| {
        report_panics();
        give_games();
    });
}

/// Tells the host of panics, which the module does not survive.
#[cfg(target_family = "wasm")]
fn report_panics() {
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

/// The only game that this module knows, if it does not know all.
#[cfg(target_family = "wasm")]
const GAME: Option<&str> = option_env!("QUINTAIN_GAME");

/// Gives the module its games.
#[cfg(target_family = "wasm")]
fn give_games() {
    macro_rules! give {
        ($($game:ty),* $(,)?) => {
            $(if const { is_known(<$game as quintain_core::rules::Variant>::NAME) } {
                quintain_engine::give_game::<$game>();
                // Known when it is compiled, so that nothing refers to the texts of other games.
                if let Some(texts) = const { texts_of(<$game as quintain_core::rules::Variant>::NAME) } {
                    shipped::give_texts(texts);
                }
            })*
        };
    }
    quintain_engine::for_each_variant!(give);
}

#[cfg(target_family = "wasm")]
const fn texts_of(game: &str) -> Option<shipped::Texts> {
    let mut i = 0;
    while i < shipped::ALL.len() {
        if are_same(shipped::ALL[i].game, game) {
            return Some(shipped::ALL[i]);
        }
        i += 1;
    }
    None
}

#[cfg(target_family = "wasm")]
const fn is_known(name: &str) -> bool {
    match GAME {
        Some(only) => are_same(name, only),
        None => true,
    }
}

/// Are two texts the same? `==` is not for constants yet.
#[cfg(target_family = "wasm")]
const fn are_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
}
