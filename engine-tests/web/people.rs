//! Several people at one board: from several computers, each by a link of their own.

use super::browser::{Browser, Page, board_with, request};
use super::harness::{Test, tests};
use super::{PEOPLE, home, parts};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

pub const TESTS: &[Test] = tests!("people::":
    the_addresses_that_work_are_printed,
    a_proxy_passes_pages_on,
    each_link_admits_to_what_it_is_for,
    two_people_play_at_two_computers,
    a_draw_is_offered_and_answered,
);

/// Names by which browsers find this computer. Cookies belong to names, so each tab is a visitor of its own.
const HOSTS: [&str; 3] = ["white.test", "black.test", "spectators.test"];

const RESOLVE: &str = "--host-resolver-rules=MAP *.test 127.0.0.1";

fn with_hosts<'a>(more: &[&'a str]) -> Vec<&'a str> {
    HOSTS.iter().flat_map(|&host| ["--host", host]).chain(more.iter().copied()).collect()
}

fn open_links(owner: &mut Page) {
    owner.wait("!document.getElementById('invite').hidden");
    owner.click("#invite");
    owner.wait("document.getElementById('invite-dialog').open");
}

/// The links of White, Black and spectators, which the owner's page shows.
fn links(owner: &mut Page, port: &str) -> [String; 3] {
    open_links(owner);
    let links = ["white", "black", "spectator"].map(|role| {
        let link = owner.text(&format!("document.getElementById('link-{role}').value"));
        link.split_once("/?token=").expect("a token").1.to_owned()
    });
    owner.click("#invite-dialog .primary");
    owner.wait("!document.getElementById('invite-dialog').open");
    [0, 1, 2].map(|at| format!("http://{}:{port}/?token={}", HOSTS[at], links[at]))
}

/// The owner, White, Black and a spectator of a board.
fn visitors(browser: &Browser, url: &str) -> [Page; 4] {
    let port = parts(url).0.split_once(':').expect("a port").1;
    let mut owner = browser.board(url);
    let [white, black, spectator] = links(&mut owner, port).map(|link| browser.board(&link));
    [owner, white, black, spectator]
}

fn the_addresses_that_work_are_printed() {
    let home = home();
    let said = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
        command.args(["board", "canyon", "--no-open"]).args(args).env("XDG_STATE_HOME", home.path());
        let mut program = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let lines = BufReader::new(program.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let lines: Vec<String> = lines.take_while(|line| line != "Ctrl-C ends.").collect();
        program.kill().and_then(|()| program.wait()).expect("an end");
        lines
    };
    let alone = said(&[]);
    assert!(alone.len() == 1 && alone[0].contains("http://127.0.0.1:"), "{alone:?}");
    // All addresses are no address; names are.
    let shared = said(&["--listen", "0.0.0.0", "--host", "chess.test"]);
    assert!(shared[0].starts_with("The board is at http://127.0.0.1:"), "{shared:?}");
    assert!(shared.iter().all(|line| !line.contains("0.0.0.0")), "{shared:?}");
    for (line, role) in shared[2..5].iter().zip(["White", "Black", "spectators"]) {
        assert!(line.trim().starts_with(role) && line.contains("http://chess.test:"), "{shared:?}");
    }
    // Links last until there are new ones.
    let port = parts(shared[0].trim_start_matches("The board is at ")).0.split_once(':').expect("a port").1;
    let again = ["--listen", "0.0.0.0", "--host", "chess.test", "--port", port];
    assert_eq!(said(&again), shared);
    let new = said(&[&again[..], &["--new-links"]].concat());
    assert_eq!(new[0], shared[0]);
    assert!((2..5).all(|at| new[at] != shared[at]), "{new:?}");
    // Nobody starts by a name that is none.
    let mut wrong = Command::new(env!("CARGO_BIN_EXE_quintain"));
    let wrong = wrong.args(["board", "--no-open", "--host", "a b"]).output().expect("an end");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("'a b' is neither a name"), "{wrong:?}");
}

/// The status and the head of the answer to a request.
fn ask(host: &str, text: String) -> (u16, String) {
    let answer = request(host, &text);
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}

fn a_proxy_passes_pages_on() {
    let home = home();
    let (_board, url) = board_with(&home, "canyon", &["--host", "https://chess.test"]);
    let (host, token) = parts(&url);
    let port = host.split_once(':').expect("a port").1;
    // The browser asks for https://chess.test; the proxy passes the name on, or tells it beside an own one.
    for name in
        ["Host: chess.test\r\n".to_owned(), format!("Host: {host}\r\nX-Forwarded-Host: chess.test\r\n")]
    {
        let head = format!("{name}X-Forwarded-Proto: https\r\n");
        let (status, answer) = ask(host, format!("GET /?token={token} HTTP/1.1\r\n{head}\r\n"));
        assert_eq!(status, 303, "{answer}");
        let answer = answer.to_lowercase();
        assert!(answer.contains("location: /\r\n") && answer.contains("; secure\r\n"), "{answer}");
        let post = |origin: &str| {
            let body = r#"{"command":"pgn"}"#;
            let head = format!("{head}Origin: {origin}\r\nCookie: quintain-{port}={token}\r\n");
            let length = body.len();
            ask(host, format!("POST /command HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}")).0
        };
        assert_eq!(post("https://chess.test"), 200, "{name}");
        assert_eq!(post("https://evil.test"), 403, "{name}");
        assert_eq!(post("https://chess.test:8443"), 403, "{name}");
    }
    let (status, answer) = ask(host, format!("GET /?token={token} HTTP/1.1\r\nHost: evil.test\r\n\r\n"));
    assert_eq!(status, 403, "{answer}");
}

fn each_link_admits_to_what_it_is_for() {
    let home = home();
    let (_board, url) = board_with(&home, "chess", &with_hosts(&[]));
    let Some(browser) = Browser::start(&[RESOLVE]) else { return };
    let [mut owner, mut white, mut black, mut spectator] = visitors(&browser, &url);
    owner.new_game("chess", None, PEOPLE);
    // Each sees what it may do, and from its own side.
    for (page, owns, plays, flipped) in [
        (&mut owner, true, true, false),
        (&mut white, false, true, false),
        (&mut black, false, true, true),
        (&mut spectator, false, false, false),
    ] {
        page.wait("quintain.game.status?.visitors.spectators === 1");
        for (id, shown) in [
            ("new", owns),
            ("back", owns),
            ("analyse", owns),
            ("edit", owns),
            ("invite", owns),
            ("level", owns),
            ("resign", plays),
            ("text", plays),
            ("share", true),
            ("rules", true),
        ] {
            let visible = format!("document.getElementById('{id}').checkVisibility()");
            assert_eq!(page.eval(&visible), shown, "{id} {}", page.text("quintain.game.role"));
        }
        assert_eq!(page.eval("quintain.board.flipped"), flipped);
    }
    // What the page does not offer is refused by the program.
    let refused = |page: &mut Page, command: &Value| {
        let script = format!(
            "fetch('command', {{ method: 'POST', body: JSON.stringify({command}) }}).then(answer => answer.status)"
        );
        assert_eq!(page.eval(&script), 400, "{command}");
    };
    let live = owner.eval("quintain.game.status.live");
    for page in [&mut white, &mut black, &mut spectator] {
        refused(page, &json!({ "command": "take-back" }));
        refused(page, &json!({ "command": "load", "text": "1. e4 *" }));
        assert_eq!(page.eval("fetch('links').then(answer => answer.status)"), 403);
    }
    for page in [&mut black, &mut spectator] {
        refused(page, &json!({ "command": "play", "node": live, "text": "e2e4" }));
    }
    refused(&mut spectator, &json!({ "command": "resign" }));
    // Nor may the owner move for those who are there.
    refused(&mut owner, &json!({ "command": "play", "node": live, "text": "e2e4" }));
    assert_eq!(owner.eval("quintain.game.status.end"), Value::Null);
    // The owner who opens a link for others stays the owner.
    let host = parts(&url).0;
    let link = spectator.text("location.origin");
    assert!(link.contains(HOSTS[2]));
    let token = {
        owner.click("#invite");
        owner.wait("document.getElementById('invite-dialog').open");
        owner
            .text("document.getElementById('link-spectator').value")
            .split_once("=")
            .expect("a token")
            .1
            .to_owned()
    };
    let mut tried = browser.board(&format!("http://{host}/?token={token}"));
    tried.wait("quintain.game.role === 'owner'");
}

fn two_people_play_at_two_computers() {
    let home = home();
    let (_board, url) = board_with(&home, "chess", &with_hosts(&[]));
    let Some(browser) = Browser::start(&[RESOLVE]) else { return };
    let [mut owner, mut white, mut black, mut spectator] = visitors(&browser, &url);
    owner.command(&json!({
        "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1,
        "clock": { "minutes": 10, "increment": 5 }
    }));
    for page in [&mut white, &mut black, &mut spectator] {
        page.wait("!!quintain.game.status.clock && document.getElementById('board').dataset.ply === '0'");
    }
    for (ply, mv) in (1..).zip(["f2f3", "e7e5", "g2g4", "d8h4"]) {
        let (mover, other) = if ply % 2 == 1 { (&mut white, &mut black) } else { (&mut black, &mut white) };
        assert_eq!(other.text("document.getElementById('board').dataset.ready"), "false");
        mover.play(mv);
        for page in [&mut *other, &mut spectator, &mut owner] {
            page.wait(&format!("document.getElementById('board').dataset.ply === '{ply}'"));
            assert_eq!(page.eval("quintain.board.flipped"), page.text("quintain.game.role") == "black");
        }
        if (2..4).contains(&ply) {
            spectator.wait("quintain.game.status.running");
        }
    }
    for page in [&mut owner, &mut white, &mut black, &mut spectator] {
        page.wait("!document.getElementById('over').hidden");
        assert!(page.text("document.getElementById('over').innerText").contains("Black mates"));
        assert_eq!(page.eval("quintain.game.status.running"), false);
    }
    // Afterwards everybody looks through the game, and goes on with the next one.
    spectator.click("#first");
    spectator.wait("document.getElementById('board').dataset.ply === '0'");
    owner.click("#rematch");
    for page in [&mut owner, &mut white, &mut black] {
        page.wait("document.getElementById('board').dataset.ply === '0' && !quintain.game.status.end");
    }
    white.play("e2e4");
    black.wait("document.getElementById('board').dataset.ply === '1'");
    // A move in advance, while the other thinks.
    white.square("d2");
    white.square("d4");
    white.wait("document.querySelectorAll('#board .premove').length === 2");
    black.play("e7e5");
    white.wait("document.getElementById('board').dataset.ply === '3'");
    black.click("#resign");
    black.click("#resign-yes");
    for page in [&mut owner, &mut white, &mut spectator] {
        page.wait("quintain.game.status.end?.text === 'Black resigns'");
    }
}

fn a_draw_is_offered_and_answered() {
    let home = home();
    let (_board, url) = board_with(&home, "chess", &with_hosts(&[]));
    let Some(browser) = Browser::start(&[RESOLVE]) else { return };
    let [mut owner, mut white, mut black, mut spectator] = visitors(&browser, &url);
    owner.new_game("chess", None, PEOPLE);
    white.ready();
    white.click("#draw");
    black.wait("document.getElementById('offer').innerText.includes('White offers a draw. Do you accept?')");
    white.wait("document.getElementById('offer').innerText.includes('You have offered a draw')");
    for page in [&mut owner, &mut spectator] {
        assert_eq!(page.eval("document.getElementById('offer').hidden"), true);
    }
    assert_eq!(white.eval("document.getElementById('accept').hidden"), true);
    black.click("#decline");
    white.wait("document.getElementById('notice').textContent === 'Black declines the draw.'");
    white.play("e2e4");
    black.ready();
    black.click("#draw");
    white.wait("document.getElementById('offer').innerText.includes('Black offers a draw')");
    white.click("#accept");
    for page in [&mut owner, &mut white, &mut black, &mut spectator] {
        page.wait("quintain.game.status.end?.text === 'Draw by agreement'");
    }
}
