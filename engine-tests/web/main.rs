//! `quintain board` in a real browser. Where there is none the tests say so and pass, except in CI.

mod axe;
mod browser;
mod connections;
#[path = "../harness.rs"]
mod harness;
mod layout;
mod learn;
mod library;
mod people;
mod scripts;
mod server;
mod site;
#[path = "../skip.rs"]
mod skip;
mod study;
mod watch;

fn main() {
    // Much of the time they wait for the browser, and for engines that think.
    harness::run(
        [
            scripts::ON_A_SITE,
            scripts::ON_THE_BOARD,
            site::TESTS,
            layout::TESTS,
            learn::TESTS,
            library::TESTS,
            people::TESTS,
            study::TESTS,
            watch::TESTS,
            connections::TESTS,
            server::TESTS,
        ]
        .concat(),
        2,
    );
}

/// Nobody plays with the engine.
const PEOPLE: [bool; 2] = [false, false];

/// A folder for the files of the program.
fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The host and the token of an address.
fn parts(url: &str) -> (&str, &str) {
    url.trim_start_matches("http://").split_once("/?token=").expect("a token")
}
