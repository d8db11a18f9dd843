//! The board of the server: what its pages share, and what outlives them.

use super::browser::{Browser, Page, board, board_of_newcomer, board_with, request, start};
use super::harness::{Test, tests};
use super::scripts::on_the_board;
use super::{PEOPLE, axe, connections, home, library, parts};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = tests!("server::":
    an_answer_waits_for_the_events_before_it,
    the_engine_plays_itself_so_that_people_can_follow,
    a_newcomer_is_asked_once_for_a_level,
    the_engine_answers_without_delay,
    annotation_can_be_turned_on_and_off_at_will,
    a_game_survives_reload_and_restart,
    links_hold_whatever_port_was_asked_for_meanwhile,
    ctrl_c_counts_as_soon_as_it_is_named,
    a_saved_game_that_never_ends_keeps_nobody_from_playing,
    two_tabs_show_the_same_game,
    who_goes_back_before_the_answer_comes_stays_there,
    without_a_page_the_engine_rests,
);

fn an_answer_waits_for_the_events_before_it() {
    on_the_board("chess", |page| {
        // A server whose answer is faster than its events.
        let order = page.eval(
        "(async () => {
            const body = JSON.stringify({ command: 'level', level: 3 });
            const real = await fetch('command', { method: 'POST', body });
            const told = [real.headers.get('quintain-after') > 0], listeners = {};
            window.EventSource = class { addEventListener(name, listener) { listeners[name] = listener; } };
            window.fetch = async () => new Response('\"answer\"', { headers: { 'quintain-after': '2' } });
            const { listen, send } = await import('./server.js?alone');
            listen({ node: data => told.push(data) }, () => {}, () => {});
            const event = (name, data, lastEventId) => listeners[name]({ data: JSON.stringify(data), lastEventId });
            event('seat', { number: 1, role: 'owner' }, '1');
            const answer = send('play').then(value => told.push(value));
            await new Promise(done => setTimeout(done, 100));
            event('node', 'event', '2');
            await answer;
            // What is lost does not come.
            listeners.error({});
            told.push(await send('play'));
            return told.join();
        })()",
    );
        assert_eq!(order, "true,event,answer,answer");
    });
}

fn the_engine_plays_itself_so_that_people_can_follow() {
    let home = home();
    let (_board, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.new_game("chess", None, [true, true]);
    let ply = |number: u64| format!("Number(document.getElementById('board').dataset.ply) >= {number}");
    page.wait(&ply(1));
    let since = Instant::now();
    page.wait(&ply(4));
    // A second a move, and what a page may hear of the first one too late.
    assert!(since.elapsed() > Duration::from_millis(2500), "three moves took {:?}", since.elapsed());
    // Another pace holds at once and is kept.
    page.eval(
        "(s => { s.value = '0'; s.dispatchEvent(new Event('change')); })(document.getElementById('pace'))",
    );
    page.wait("quintain.game.status.pace === 0");
    // Some moves come faster than at a second each; how many do depends on what else the machine does.
    page.eval(
        "{ window.seen = []; new MutationObserver(() => seen.push(performance.now())) \
         .observe(document.getElementById('board'), { attributeFilter: ['data-ply'] }); }",
    );
    page.wait("seen.some((time, i) => i > 0 && time - seen[i - 1] < 700)");
    page.wait(&format!("quintain.game.status.end || {}", ply(30)));
    let (_other, url) = board(&home, "diamond");
    let mut other = browser.board(&url);
    assert_eq!(other.eval("quintain.game.status.pace"), 0);
    other.eval("(s => { s.value = 'ee'; s.dispatchEvent(new Event('change')); })(document.getElementById('players'))");
    other.wait(
        "document.getElementById('pace').checkVisibility() && document.getElementById('pace').value === '0'",
    );
}

fn a_newcomer_is_asked_once_for_a_level() {
    let home = home();
    let (program, url) = board_of_newcomer(&home, "chess", &[]);
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.wait("document.getElementById('level-dialog').open");
    // Whoever does not choose meets a weak opponent, and is asked again.
    assert_eq!(page.eval("quintain.game.status.settings.level"), 8);
    assert_eq!(page.eval("document.querySelectorAll('.level-choice').length"), 6);
    page.key("Escape");
    page.call("Page.reload", json!({}));
    page.wait("document.getElementById('level-dialog')?.open");
    if let Some(script) = axe::script() {
        axe::check(&mut page, &script, "the question for a level");
    }
    page.click(".level-choice[data-level=\"4\"]");
    page.wait("!document.getElementById('level-dialog').open");
    page.wait("document.getElementById('far').innerText.includes('level 4 (novice)')");
    page.call("Page.reload", json!({}));
    page.loaded();
    assert_eq!(page.eval("document.getElementById('level-dialog').open"), false);
    // Another game begins with it, and a PGN names it.
    drop(program);
    let (_again, url) = board_of_newcomer(&home, "diamond", &[]);
    let mut page = browser.board(&url);
    assert_eq!(page.eval("document.getElementById('level-dialog').open"), false);
    assert_eq!(page.eval("quintain.game.status.settings.level"), 4);
    let pgn = page.command(&json!({ "command": "pgn" }));
    assert!(pgn.to_string().contains("Quintain (level 4, novice)"), "{pgn}");
}

fn the_engine_answers_without_delay() {
    on_the_board("chess", |page| {
        page.new_game("chess", None, [false, true]);
        page.play("e2e4");
        page.wait("document.getElementById('board').dataset.ply === '2'");
        // A long game does not make events large.
        page.eval(
        "window.sizes = []; new EventSource('events').addEventListener('status', event => sizes.push(event.data.length))",
    );
        page.ready();
        page.play("d2d4");
        page.wait("sizes.length > 1");
        assert_eq!(page.eval("Math.max(...sizes) < 2000"), true);
    });
}

/// One thread annotates, however often somebody changes their mind.
fn annotation_can_be_turned_on_and_off_at_will() {
    let home = home();
    let (board, url) = board(&home, "chess");
    let (host, token) = parts(&url);
    let port = host.split_once(':').expect("a port").1;
    let ask = |body: Value| {
        let (body, cookie) = (body.to_string(), format!("quintain-{port}={token}"));
        let head = format!("Host: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n");
        let length = body.len();
        let answer =
            request(host, &format!("POST /command HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{body}: {answer}");
    };
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *";
    ask(json!({ "command": "load", "text": moves }));
    ask(json!({ "command": "players", "engine": PEOPLE }));
    // Without a page nothing is searched.
    let mut page = connections::listen(host, token);
    let told = connections::read_to(&mut page, "event: analysis");
    let live = told.split_once("\"live\":").expect("a status").1.split([',', '}']).next();
    let live: u32 = live.and_then(|number| number.parse().ok()).expect("the last position");
    let before = board.threads();
    for _ in 0..50 {
        ask(json!({ "command": "annotate", "on": true }));
        ask(json!({ "command": "analyse", "node": live }));
        ask(json!({ "command": "annotate", "on": true }));
        ask(json!({ "command": "hint" }));
        ask(json!({ "command": "level", "level": 3 }));
        ask(json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 2 }));
        ask(json!({ "command": "analyse", "node": null }));
        ask(json!({ "command": "annotate", "on": false }));
        assert!(board.threads() <= before + 6, "{} threads", board.threads());
    }
    // The thread and those of its search may still be ending.
    let begun = Instant::now();
    while board.threads() > before {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} threads", board.threads());
    }
}

fn a_game_survives_reload_and_restart() {
    let home = home();
    let (program, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.new_game("canyon", None, PEOPLE);
    for mv in ["d3d4", "b6b5", "e3e4"] {
        page.play(mv);
    }
    page.call("Page.reload", json!({}));
    page.wait("document.getElementById('board')?.dataset.ply === '3' && document.body.dataset.connection === 'open'");
    let took = program.interrupt();
    assert!(took < Duration::from_secs(2), "Ctrl-C took {took:?}");
    page.wait("!document.getElementById('connection').hidden");
    // The page that is still open finds the program again, at the same address.
    let (_again, same) = board(&home, "canyon");
    assert_eq!(same, url);
    page.wait("document.getElementById('connection').hidden");
    assert_eq!(page.ply(), 3);
    page.play("d6d5");
}

/// What was sent to others holds at the next start, also if the board was at another port meanwhile.
fn links_hold_whatever_port_was_asked_for_meanwhile() {
    let home = home();
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let ports = ports.map(|port| port.local_addr().expect("an address").port().to_string());
    let [first, other, again] = [0, 1, 0].map(|at: usize| {
        let (program, url) = board_with(&home, "canyon", &["--port", &ports[at]]);
        program.interrupt();
        url
    });
    assert_eq!(first, again);
    assert_ne!(first, other);
}

/// A shell ignores the signal for what it runs in the background, so one that comes too early is lost.
fn ctrl_c_counts_as_soon_as_it_is_named() {
    let home = home();
    for _ in 0..20 {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "trap '' INT; exec \"$0\" board canyon --no-open",
            env!("CARGO_BIN_EXE_quintain"),
        ]);
        command.env("XDG_STATE_HOME", home.path());
        start(command, "http://", false).0.interrupt();
    }
}

/// A pipe that nobody writes to, in place of the saved game.
fn a_saved_game_that_never_ends_keeps_nobody_from_playing() {
    let home = home();
    let folder = home.path().join("quintain/board");
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["chess.json", "address.json"] {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().expect("mkfifo").success());
    }
    let (_board, url) = board(&home, "chess");
    let (host, token) = parts(&url);
    let mut page = connections::listen(host, token);
    connections::read_to(&mut page, "\"live\":");
}

fn two_tabs_show_the_same_game() {
    let home = home();
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&[]) else { return };
    let (mut one, mut two) = (browser.board(&url), browser.board(&url));
    one.new_game("diamond", None, PEOPLE);
    one.ready();
    two.wait("quintain.game.game.name === 'diamond'");
    let mv = one.text("quintain.legal.moves[0].text");
    one.play(&mv);
    two.wait("document.getElementById('board').dataset.ply === '1'");
    two.ready();
    let reply = two.text("quintain.legal.moves[0].text");
    two.play(&reply);
    one.wait("document.getElementById('board').dataset.ply === '2'");
    // More tabs than a browser has connections: the oldest sleeps until it is clicked.
    let _more: Vec<Page> = (0..4).map(|_| browser.board(&url)).collect();
    one.wait("document.body.dataset.connection === 'asleep'");
    one.call("Page.bringToFront", json!({}));
    // It plays no move that it would not show.
    let unseen = one.text("quintain.legal.moves[0].text");
    one.click("#text");
    one.type_text(&unseen);
    one.key("Enter");
    one.wait("document.getElementById('notice').textContent === 'This tab sleeps.'");
    assert_eq!(two.eval("quintain.game.nodes.size"), 3);
    one.click("#connection");
    one.wait("document.body.dataset.connection === 'open'");
}

fn who_goes_back_before_the_answer_comes_stays_there() {
    on_the_board("chess", |page| {
        page.new_game("chess", None, PEOPLE);
        page.ready();
        // The events of the room come at once, what it answers comes when it is let through.
        page.eval(
            "globalThis.held = []; const plain = fetch; window.fetch = async (...request) => { \
             const answer = await plain(...request); if (held) await new Promise(done => held.push(done)); \
             return answer; }; null",
        );
        page.play("e2e4");
        page.click("#previous");
        page.wait("document.getElementById('board').dataset.ply === '0'");
        assert_eq!(
            page.text("document.getElementById('board').dataset.busy"),
            "true",
            "the answer came early"
        );
        page.eval("const all = held; held = null; for (const done of all) done(); null");
        page.wait("document.getElementById('board').dataset.busy === 'false'");
        assert_eq!(page.ply(), 0);
    });
}

fn without_a_page_the_engine_rests() {
    let home = home();
    let (_board, url) = board(&home, "chess");
    let Some(browser) = Browser::start(&[]) else { return };
    let mut page = browser.board(&url);
    page.command(&json!({ "command": "pace", "seconds": 0 }));
    page.new_game("chess", None, [true, true]);
    page.wait("Number(document.getElementById('board').dataset.ply) > 3");
    page.call("Page.navigate", json!({ "url": "about:blank" }));
    page.wait("location.href === 'about:blank'");
    // The file grows with each move; once it is still for as long as ten moves take, nobody thinks.
    let [file] = &library::files(home.path())[..] else { panic!("more games than one") };
    let length = || std::fs::metadata(file).expect("a file").len();
    let (mut last, mut since) = (length(), Instant::now());
    let begun = Instant::now();
    while since.elapsed() < Duration::from_millis(500) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the engine goes on");
        if length() != last {
            (last, since) = (length(), Instant::now());
        }
    }
    page.call("Page.navigate", json!({ "url": url }));
    page.loaded();
    let ply = page.ply();
    page.wait(&format!(
        "quintain.game.status.end || Number(document.getElementById('board').dataset.ply) > {ply}"
    ));
}
