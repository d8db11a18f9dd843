//! `quintain match --board`: a match in the browser while it runs.

use super::axe;
use super::browser::{Browser, Running, start};
use super::harness::{Test, tests};
use std::process::Command;

pub const TESTS: &[Test] = tests!("watch::":
    a_match_is_watched_to_its_end,
    a_match_without_board_is_not_served,
);

fn play_match(options: &str) -> (Running, String) {
    let program = env!("CARGO_BIN_EXE_quintain");
    let mut command = Command::new(program);
    command.args(["match", "--variant", "canyon", "--results", "none", "--board"]);
    command.args(["--engine", &format!("cmd={program}"), "name=First"]);
    command.args(["--engine", &format!("cmd={program}"), "name=Second"]);
    command.args(options.split(' '));
    start(command, "http://", true)
}

fn a_match_is_watched_to_its_end() {
    let options = "--each st=0.1 option.Hash=1 timemargin=inf --rounds 3 --maxmoves 12 --concurrency 2";
    let (_match, url) = play_match(options);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.tab(&url);
    page.wait("document.querySelectorAll('.match-board').length === 2");
    assert_eq!(page.eval("document.querySelectorAll('#table tbody tr').length"), 2);
    let plies =
        page.eval("Number(document.querySelector('.match-board').dataset.plies)").as_u64().expect("a number");
    page.wait(&format!("Number(document.querySelector('.match-board').dataset.plies) > {plies}"));
    page.wait("!!document.querySelector('.match-board .graph-line')");
    // A finished game can be stepped through. The keyboard finds it, as the list moves while games end.
    page.wait("!!document.querySelector('#recent button')");
    page.eval("document.querySelector('#recent button').focus()");
    page.key("Enter");
    page.wait("document.querySelectorAll('#game .line .move').length > 10");
    page.click("#game [aria-label=Forward]");
    page.wait("document.querySelector('#game .said').dataset.at === '1'");
    assert_eq!(page.eval("!!document.querySelector('#game-graph .graph-line')"), true);
    if let Some(script) = axe::script() {
        axe::check(&mut page, &script, "a finished game");
        page.click("#game-dialog .primary");
        axe::check(&mut page, &script, "the match");
    } else {
        page.click("#game-dialog .primary");
    }
    // The pages know of the end before the program ends.
    page.wait("document.querySelector('#progress').textContent === 'The match is over: 6 of 6 games.'");
    assert_eq!(page.eval("document.querySelector('#connection').hidden"), true);
    assert_eq!(page.eval("document.querySelectorAll('#recent button').length"), 6);
}

fn a_match_without_board_is_not_served() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
    command.args(["match", "--board", "perhaps"]);
    let output = command.output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("--board"), "{errors}");
}
