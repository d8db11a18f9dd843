//! The learn page, and what it asks for.

use super::axe;
use super::browser::{Browser, Page, board, request};
use super::harness::{Test, tests};
use super::parts;
use quintain::engine::{NAMES, UnknownGame};
use serde_json::{Value, json};

pub const TESTS: &[Test] = tests!("learn::":
    lessons_and_lines_are_read_by_our_pages_only,
    every_game_is_learnt_in_a_browser,
    a_page_shows_its_game_before_the_lessons_come,
    moves_are_tried_on_a_lesson_with_the_mouse,
    an_ending_is_won_against_the_tables,
    the_handbook_is_read_and_its_games_are_played_through,
    axe_finds_nothing_on_learn_pages,
);

/// A program, and what its pages may read: the status and the text of an answer.
fn reader(url: &str) -> impl Fn(&str) -> (u16, String) + use<> {
    let (host, token) = parts(url);
    let port = host.split_once(':').expect("a port").1;
    let (host, cookie) = (host.to_owned(), format!("quintain-{port}={token}"));
    move |path| read(&host, &format!("Cookie: {cookie}\r\n"), path)
}

fn read(host: &str, headers: &str, path: &str) -> (u16, String) {
    let answer =
        request(host, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"));
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body.to_owned())
}

fn lessons_and_lines_are_read_by_our_pages_only() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let read_ours = reader(&url);
    for name in NAMES {
        let (status, text) = read_ours(&format!("/lessons/{name}"));
        assert_eq!(status, 200, "{name}: {text}");
        let lessons: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(lessons["game"]["name"], *name);
        assert!(!lessons["rules"].as_array().expect("a list").is_empty(), "{name}");
    }
    let (status, text) = read_ours("/line?game=canyon&moves=e2g2+Nc5");
    let line: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((status, line["steps"].as_array().map(Vec::len)), (200, Some(3)));
    assert!(line["legal"].as_array().expect("a list").iter().any(|mv| mv["text"] == "d2b2"));
    let no_ludo = UnknownGame("ludo".into()).to_string();
    for (path, error) in [
        ("/lessons/ludo", &*no_ludo),
        ("/line?game=chess&fen=8/8+w+-+-", "placement: 2 ranks instead of 8"),
        ("/line?game=chess&moves=e2e5", "e2e5: the pawn on e2 cannot go to e5"),
    ] {
        assert_eq!(read_ours(path), (400, error.to_owned()), "{path}");
    }
    let (status, text) = read_ours(&format!("/line?game=chess&moves={}", "Nf3+".repeat(2001)));
    assert_eq!((status, text.as_str()), (400, "moves: 2001 are more than 2000"));
    assert_eq!(read_ours("/line?game=chess&level=3").0, 400);
    let host = url.trim_start_matches("http://").split('/').next().expect("a host");
    for path in ["/lessons/canyon", "/line?game=canyon"] {
        assert_eq!(read(host, "", path).0, 403, "{path}");
    }
    for path in ["/learn.html", "/learn.js", "/learn.css"] {
        assert_eq!(read(host, "", path).0, 200, "{path}");
    }
}

/// Goes from the board to the learn page of a game.
fn learn(page: &mut Page, game: &str) {
    page.eval(&format!("void location.assign('learn.html?game={game}')"));
    page.wait(&format!("location.search === '?game={game}' && document.body.dataset.ready === 'true'"));
    assert_eq!(page.text("document.querySelector('#error').textContent"), "", "{game}");
}

fn every_game_is_learnt_in_a_browser() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    for name in NAMES {
        learn(&mut page, name);
        // Each piece shows where it goes.
        let idle = "[...document.querySelectorAll('.piece-card')].filter(card => !card.querySelector('.target')).length";
        assert_eq!(page.eval(idle), 0, "{name}");
        // Each rule, and the example game, can be stepped through to the end.
        let lessons = page.eval("document.querySelectorAll('.lesson').length").as_u64().expect("a number");
        assert!(lessons > 2, "{name}");
        for at in 0..lessons {
            let lesson = format!("document.querySelectorAll('.lesson')[{at}]");
            let moves = page.eval(&format!("{lesson}.querySelectorAll('.line .move').length"));
            let moves = moves.as_u64().expect("a number");
            for step in 1..=moves {
                page.eval(&format!("{lesson}.querySelector('[aria-label=Forward]').click()"));
                page.wait(&format!("{lesson}.querySelector('.said').dataset.at === '{step}'"));
            }
            assert!(moves > 0, "{name}: {at}");
        }
        let end = page.eval("document.querySelector('.example .said').textContent").to_string();
        assert!(end.contains("mates"), "{name}: {end}");
    }
}

fn a_page_shows_its_game_before_the_lessons_come() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.call("Network.enable", json!({}));
    // They never come.
    page.call("Network.setBlockedURLs", json!({ "urls": ["*/lessons/*"] }));
    page.eval("void location.assign('learn.html?game=gast14')");
    page.wait(
        "location.search === '?game=gast14' && document.querySelectorAll('#start .piece').length === 56",
    );
    assert_eq!(page.text("document.getElementById('title').textContent"), "Gast's second game");
    assert_eq!(page.eval("document.getElementById('summary').checkVisibility()"), true);
    page.wait("document.getElementById('error').textContent !== ''");
}

fn moves_are_tried_on_a_lesson_with_the_mouse() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    learn(&mut page, "canyon");
    // A piece of either side of the start position shows where it goes.
    for (square, targets) in [("d3", 1), ("b7", 1), ("d2", 1)] {
        page.click(&format!("#start [data-square={square}]"));
        let count = page.eval("document.querySelectorAll('#start .target').length");
        assert_eq!(count, targets, "{square}");
    }
    // The second rule is promotion: the pawn takes or goes ahead, and becomes what is chosen.
    let rule = ".lesson:nth-child(2)";
    page.wait(&format!("document.querySelector('{rule} .replay').dataset.busy === 'false'"));
    page.click(&format!("{rule} [data-square=b5]"));
    page.wait(&format!("document.querySelectorAll('{rule} .target').length === 2"));
    assert_eq!(page.eval(&format!("document.querySelectorAll('{rule} .target.ring').length")), 1);
    page.click(&format!("{rule} [data-square=b6]"));
    page.click(&format!("{rule} [data-choice=n]"));
    page.wait(&format!("document.querySelector('{rule} .said').dataset.at === '1'"));
    assert_eq!(page.eval(&format!("document.querySelector('{rule} .line').textContent")), "1.b6=N");
    page.click(&format!("{rule} [aria-label=Reset]"));
    page.wait(&format!("document.querySelector('{rule} .said').dataset.at === '0'"));
    assert_eq!(page.eval(&format!("document.querySelector('{rule} .line').textContent")), "1.bxc6=Q");
}

fn an_ending_is_won_against_the_tables() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "diamond");
    let (read_ours, Some(browser)) = (reader(&url), Browser::start(&[])) else { return };
    let mut page = browser.board(&url);
    learn(&mut page, "diamond");
    let said = "document.querySelector('#ending .said').textContent";
    page.wait(&format!("{said}.includes('Won in ')"));
    // The one before has three pieces too.
    page.eval("document.querySelector('#ending .replay').id = 'before'");
    page.eval("document.getElementById('ending-choice').value = 'KVvK'");
    page.eval("document.getElementById('ending-choice').dispatchEvent(new Event('change'))");
    page.wait(
        "!document.getElementById('before') && document.querySelectorAll('#ending .piece').length === 3",
    );
    // The moves of the side that wins come from another game against the same tables.
    let (status, text) = read_ours("/ending?game=diamond&material=KVvK");
    assert_eq!(status, 200, "{text}");
    let ending: Value = serde_json::from_str(&text).expect("JSON");
    let fen = ending["line"]["fen"].as_str().expect("a FEN");
    let first = ending["line"]["legal"][0]["text"].as_str().expect("a move");
    let (_, text) = read_ours(&format!("/ending?game=diamond&fen={}&moves={first}", fen.replace(' ', "+")));
    let after: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(after["line"]["steps"].as_array().map(Vec::len), Some(3), "{text}");
    let no_ludo = UnknownGame("ludo".into()).to_string();
    for (path, error) in [
        ("/ending?game=diamond", "a material or a position is needed"),
        ("/ending?game=diamond&material=KNvK", "material: KNvK is none of the endings"),
        ("/endings/ludo", &*no_ludo),
    ] {
        assert_eq!(read_ours(path), (400, error.to_owned()), "{path}");
    }
    // On the page, a move has its reply.
    page.wait("document.querySelector('#ending .replay').dataset.busy === 'false'");
    let king = "[...document.querySelectorAll('#ending [data-square]')].find(cell => cell.ariaLabel.includes('white king'))";
    let square = page.text(&format!("{king}.dataset.square"));
    page.click(&format!("#ending [data-square={square}]"));
    page.wait("document.querySelectorAll('#ending .target').length > 0");
    page.click("#ending .target");
    page.wait("document.querySelectorAll('#ending .line .move').length === 2");
}

fn the_handbook_is_read_and_its_games_are_played_through() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let read_ours = reader(&url);
    assert_eq!(read_ours("/handbook/chess"), (400, "game: the handbook has no page of chess".to_owned()));
    let host = url.trim_start_matches("http://").split('/').next().expect("a host");
    assert_eq!(read(host, "", "/handbook/canyon").0, 403);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    learn(&mut page, "chess");
    assert_eq!(page.eval("document.getElementById('handbook').checkVisibility()"), false);
    learn(&mut page, "canyon");
    page.click("#handbook");
    page.wait("location.pathname === '/handbook.html' && document.body.dataset.ready === 'true'");
    assert_eq!(page.text("document.querySelector('#error').textContent"), "");
    // Each place of a board has one, and each heading its entry above.
    assert_eq!(page.eval("document.querySelectorAll('[data-board], [data-line]').length"), 0);
    assert_eq!(page.eval("document.querySelectorAll('.figure:not(:has(.piece))').length"), 0);
    assert_eq!(
        page.eval("document.querySelectorAll('#contents a').length"),
        page.eval("document.querySelectorAll('article h2').length")
    );
    // Nothing is wider than the page.
    assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth"), true);
    // Moves stand in the text.
    assert_eq!(page.eval("getComputedStyle(document.querySelector('.to-board')).display"), "inline");
    // A game is played through.
    let line = "[...document.querySelectorAll('details')].find(({ textContent }) => textContent.startsWith('Play it'))";
    page.eval(&format!("({line}).querySelector('summary').click()"));
    page.wait(&format!("({line}).querySelectorAll('.line .move').length > 11"));
    // A click on a board opens its position.
    let link = page.text("document.querySelectorAll('.figure')[1].hash");
    page.eval("document.querySelectorAll('.figure')[1].click()");
    page.loaded();
    let moves =
        link.split('/').nth(1).map_or(0, |moves| moves.split('.').filter(|mv| !mv.is_empty()).count());
    page.wait(&format!("document.getElementById('board').dataset.ply === '{moves}'"));
}

fn axe_finds_nothing_on_learn_pages() {
    let Some(script) = axe::script() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    for game in NAMES {
        learn(&mut page, game);
        axe::check(&mut page, &script, game);
        if page.eval("document.getElementById('handbook').checkVisibility()") == true {
            page.click("#handbook");
            page.wait("location.pathname === '/handbook.html' && document.body.dataset.ready === 'true'");
            axe::check(&mut page, &script, &format!("handbook of {game}"));
        }
    }
}
