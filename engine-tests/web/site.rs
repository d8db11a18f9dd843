//! A site of plain files, on a plain server, in a folder of it. The tests need the program as WebAssembly, which
//! `.ci/wasm` builds.

use super::browser::{Browser, Page};
use super::harness::{Test, tests};
use super::skip::skip;
use super::{PEOPLE, axe};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = tests!("site::":
    a_game_goes_on_after_a_reload,
    two_tabs_lose_no_game,
    a_site_works_without_a_network,
    searches_stop_at_once,
    two_people_play_by_links,
    a_board_is_shown_in_a_frame,
    puzzles_are_solved_beside_the_board,
    a_fault_of_the_program_loses_no_game,
    the_learn_page_is_read_at_once,
    every_page_is_for_everybody,
    a_folder_with_something_else_is_refused,
);

/// Where the script writes.
const WASM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/wasm");
/// The site is in a folder of its host.
const FOLDER: &str = "/club/quintain/";

/// What `quintain site` writes; `None`, with a word, where the program was not built as WebAssembly.
fn site() -> Option<&'static Path> {
    static SITE: LazyLock<Option<(tempfile::TempDir, PathBuf)>> = LazyLock::new(|| {
        if !Path::new(WASM).join("quintain.wasm.gz").exists() {
            return None;
        }
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("public");
        assert!(write(&folder).status.success());
        Some((home, folder))
    });
    if SITE.is_none() {
        skip("the program was not built as WebAssembly (.ci/wasm)");
    }
    SITE.as_ref().map(|(_, folder)| folder.as_path())
}

fn write(folder: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
    command.args(["site", "--wasm", WASM]).arg(folder).output().expect("the program starts")
}

/// A plain server of files, until the test ends.
struct Host {
    address: String,
    /// Nothing is answered any more.
    down: &'static Mutex<bool>,
}

impl Host {
    /// Serves a folder, with these headers.
    fn of(folder: &'static Path, headers: &'static str) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let down: &'static Mutex<bool> = Box::leak(Box::default());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || {
                    if !*down.lock().expect("a lock") {
                        let _ = serve(&stream, folder, headers);
                    }
                });
            }
        });
        Host { address, down }
    }

    fn url(&self, page: &str) -> String {
        format!("http://{}{FOLDER}{page}", self.address)
    }

    fn stop(&self) {
        *self.down.lock().expect("a lock") = true;
    }
}

fn serve(mut stream: &TcpStream, folder: &Path, headers: &str) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or(Ok(String::new()))?;
    // A connection that is closed before all was read is one that failed.
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or("").split('?').next().unwrap_or("");
    let name = path.strip_prefix(FOLDER).map(|name| if name.is_empty() { "index.html" } else { name });
    let found =
        name.filter(|name| !name.contains("..")).and_then(|name| std::fs::read(folder.join(name)).ok());
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ if path.ends_with('/') => "text/html",
        _ => "application/octet-stream",
    };
    let (status, body) = found.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// The headers with which pages may share memory.
const ISOLATED: &str =
    "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";

/// Opens a site for somebody who has never played, and chooses the strongest opponent.
fn open(browser: &Browser, host: &Host, page: &str) -> Page {
    let mut page = browser.board(&host.url(page));
    page.wait("document.getElementById('level-dialog').open");
    page.click(".level-choice:last-child");
    page.wait("!document.getElementById('level-dialog').open");
    page
}

/// Runs a script on a site that shows this game, on a host without headers of its own.
pub fn on_a_site(game: &str, script: fn(&mut Page)) {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = open(&browser, &host, "");
    page.new_game(game, None, [false, true]);
    script(&mut page);
}

const PLY: &str = "document.getElementById('board')?.dataset.ply";

fn a_game_goes_on_after_a_reload() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = open(&browser, &host, "");
    page.new_game("canyon", None, PEOPLE);
    for mv in ["d3d4", "b6b5", "e3e4"] {
        page.play(mv);
    }
    page.call("Page.reload", json!({}));
    page.wait(&format!("{PLY} === '3' && document.body.dataset.connection === 'open'"));
    page.play("d6d5");
    // In the middle of the engine's thought, too.
    page.command(&json!({ "command": "players", "engine": [true, false] }));
    page.call("Page.reload", json!({}));
    page.wait(&format!("Number({PLY}) >= 5"));
    // The list of games has it, and another one.
    page.new_game("diamond", None, PEOPLE);
    page.ready();
    let mv = page.text("quintain.legal.moves[0].text");
    page.play(&mv);
    page.call("Page.reload", json!({}));
    page.loaded();
    let games = page.command(&json!({ "command": "games" }));
    let kinds: Vec<&str> =
        games["games"].as_array().expect("games").iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(kinds, ["diamond", "canyon"], "{games}");
}

fn two_tabs_lose_no_game() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut one = open(&browser, &host, "");
    one.new_game("chess", None, PEOPLE);
    one.play("e2e4");
    // The tab that was opened last has the games, and goes on where the other one was.
    let mut two = browser.board(&host.url(""));
    two.wait(&format!("{PLY} === '1'"));
    one.wait("document.body.dataset.connection === 'asleep'");
    two.play("e7e5");
    // The other one can have them back.
    one.call("Page.bringToFront", json!({}));
    one.click("#connection");
    one.wait(&format!("{PLY} === '2' && document.body.dataset.connection === 'open'"));
    two.wait("document.body.dataset.connection === 'asleep'");
    one.play("g1f3");
    two.call("Page.bringToFront", json!({}));
    two.call("Page.reload", json!({}));
    two.wait(&format!("{PLY} === '3' && document.body.dataset.connection === 'open'"));
}

fn a_site_works_without_a_network() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = open(&browser, &host, "");
    page.wait("navigator.serviceWorker.controller");
    let kept = "fetch('files.json').then(list => list.json()).then(async ({ files }) => { \
                const found = await Promise.all(files.map(name => caches.match(name))); \
                return found.every(file => file); })";
    let begun = Instant::now();
    while page.eval(kept) != true {
        assert!(begun.elapsed() < Duration::from_secs(60), "not all files are kept");
    }
    host.stop();
    page.call("Page.reload", json!({}));
    page.loaded();
    // The service worker has also brought what shared memory needs.
    assert_eq!(page.eval("crossOriginIsolated"), true);
    for game in ["gast14", "superchessfixed"] {
        page.new_game(game, None, [true, false]);
        page.wait(&format!("{PLY} === '1'"));
    }
    page.call("Page.navigate", json!({ "url": host.url("learn.html?game=grand") }));
    page.wait(
        "document.body?.dataset.ready === 'true' && document.querySelectorAll('.piece-card').length > 5",
    );
}

/// With shared memory and without it.
fn searches_stop_at_once() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    for headers in ["", ISOLATED] {
        let host = Host::of(folder, headers);
        let mut page = open(&browser, &host, "");
        assert_eq!(page.eval("crossOriginIsolated"), !headers.is_empty());
        // The best line so far becomes the move.
        page.command(
            &json!({ "command": "new", "game": "grand", "engine": [true, false], "level": 20, "seconds": 3600 }),
        );
        page.wait("quintain.game.status.thinking");
        thread::sleep(Duration::from_millis(500));
        page.click("#now");
        page.wait(&format!("{PLY} === '1' && !quintain.game.status.thinking"));
        // Analysis goes from position to position without waiting for the one before.
        page.command(&json!({ "command": "players", "engine": PEOPLE }));
        page.click("label.switch");
        for text in ["e8e7", "d3d4", "d8d7"] {
            page.wait("Number(document.getElementById('lines').dataset.depth) >= 4");
            page.ready();
            let mv = page.text(&format!(
                "(quintain.legal.moves.find(move => move.text === '{text}') ?? quintain.legal.moves[0]).text"
            ));
            page.play(&mv);
            page.wait(
                "quintain.game.analysis.node === quintain.game.shown && quintain.game.analysis.lines.length",
            );
        }
    }
}

/// Each in a browser of their own.
fn two_people_play_by_links() {
    let Some(folder) = site() else { return };
    let (Some(first), Some(second)) = (Browser::start(&[]), Browser::start(&[])) else { return };
    let host = Host::of(folder, "");
    let mut anna = open(&first, &host, "");
    anna.new_game("canyon", None, PEOPLE);
    anna.play("d3d4");
    let link = |page: &mut Page| {
        page.click("#share");
        page.wait("document.getElementById('share-dialog').open && document.getElementById('link').value");
        let link = page.text("document.getElementById('link').value");
        page.key("Escape");
        page.wait("!document.getElementById('share-dialog').open");
        link
    };
    let sent = link(&mut anna);
    assert_eq!(sent, host.url("#canyon/d3d4"));
    // Nobody is asked for a level who comes by a link.
    let mut bea = second.board(&sent);
    bea.wait(&format!("{PLY} === '1'"));
    bea.wait("document.getElementById('notice').textContent.startsWith('Black is to move')");
    assert_eq!(bea.eval("document.getElementById('level-dialog').open"), false);
    assert_eq!(bea.eval("quintain.board.flipped"), true);
    bea.play("b6b5");
    let answer = link(&mut bea);
    anna.call("Page.navigate", json!({ "url": answer }));
    anna.wait(&format!("{PLY} === '2' && document.body.dataset.connection === 'open'"));
    anna.play("e3e4");
    let games = anna.command(&json!({ "command": "games" }));
    assert_eq!(games["games"].as_array().map(Vec::len), Some(1), "{games}");
    // Not the same again when the page is loaded again.
    anna.call("Page.reload", json!({}));
    anna.wait(&format!("{PLY} === '3' && document.body.dataset.connection === 'open'"));
    // What is wrong with a link is told.
    anna.call("Page.navigate", json!({ "url": host.url("#canyon/a1a8") }));
    anna.wait("document.getElementById('notice').textContent.startsWith('A1a8: ')");
    assert_eq!(anna.ply(), 3);
}

fn a_board_is_shown_in_a_frame() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    // The page of another host.
    let page = format!(
        "<!doctype html><html lang=en><title>club</title><body><iframe width=360 height=640 title=game src=\"{}\"></iframe>",
        host.url("embed.html?theme=dark&black&size=300#canyon/d3d4.b6b5.e3e4")
    );
    let mut club = browser.tab(&format!("http://{}/", super::serve(page.leak())));
    club.wait("document.title === 'club'");
    // The frame by itself, for scripts of another host see nothing of it.
    let address = club.text("document.querySelector('iframe').src");
    let mut frame = browser.tab(&address);
    frame.wait("document.body?.dataset.ready === 'true' && !!document.querySelector('.replay .board')");
    assert_eq!(frame.eval("document.querySelectorAll('.line .move').length"), 3);
    for (button, at) in [("Forward", "1"), ("Last position", "3"), ("Back", "2")] {
        frame.click(&format!("button[title=\"{button}\"]"));
        frame.wait(&format!("document.querySelector('.said').dataset.at === '{at}'"));
    }
    assert_eq!(frame.eval("document.documentElement.dataset.theme"), "dark");
    assert_eq!(frame.eval("document.querySelector('main').getBoundingClientRect().width <= 300"), true);
    let whole = frame.text("document.getElementById('whole').href");
    assert_eq!(whole, host.url("#canyon/d3d4.b6b5.e3e4"));
    if let Some(script) = axe::script() {
        axe::check(&mut frame, &script, "the frame");
    }
    frame.call("Page.navigate", json!({ "url": host.url("embed.html#ludo/e2e4") }));
    frame.wait("document.getElementById('error')?.textContent.includes(\"no game called 'ludo'\")");
    // The frames of the example are as the documents say.
    let example = include_str!("../../docs/examples/embed.html");
    for part in example.split("src=\"public/").skip(1) {
        let mut page = browser.tab(&host.url(part.split('"').next().expect("an address")));
        page.wait("document.body?.dataset.ready === 'true'");
        assert_eq!(page.text("document.getElementById('error').textContent"), "", "{part}");
    }
}

fn puzzles_are_solved_beside_the_board() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = browser.tab(&host.url("puzzles.html?game=canyon"));
    // There may be none for some games.
    page.wait(
        "document.getElementById('said')?.textContent || document.body?.innerText.includes('no puzzles')",
    );
    let mut board = open(&browser, &host, "");
    board.new_game("canyon", None, PEOPLE);
    board.play("d3d4");
    // A picture of the position is drawn by the program.
    let svg = board.text(
        "import('./carrier.js').then(({ send }) => \
         send('picture', { node: quintain.game.shown, flipped: false, dark: false, arrows: [] }))",
    );
    assert!(svg.starts_with("<svg"), "{svg}");
}

/// A worker that ends, as after a panic, is followed by another one.
fn a_fault_of_the_program_loses_no_game() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = open(&browser, &host, "");
    page.new_game("chess", None, PEOPLE);
    page.play("e2e4");
    // What no page sends.
    page.eval(
        "import('./carrier.js').then(({ get }) => get('line', { fen: 1 })).then(() => false, error => error.message)",
    );
    page.wait(&format!("{PLY} === '1' && document.body.dataset.connection === 'open'"));
    page.play("e7e5");
}

/// The lessons are files; what the program has to say comes behind.
fn the_learn_page_is_read_at_once() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = browser.tab("about:blank");
    for &game in quintain::engine::NAMES {
        page = browser.tab(&host.url(&format!("learn.html?game={game}")));
        page.wait("document.body?.dataset.ready === 'true'");
        assert_eq!(page.text("document.getElementById('error').textContent"), "", "{game}");
        // The program, which is needed to try moves, comes behind.
        page.wait("document.querySelector('#example .replay')?.dataset.busy === 'false'");
    }
    // Endings are practised against tables, which the program is given then.
    page.wait("document.querySelectorAll('#ending-choice option').length > 1 && !!document.querySelector('#ending .board')");
    assert_eq!(page.text("document.getElementById('ending-error').textContent"), "");
    let mut page = browser.tab(&host.url("learn.html?game=diamond"));
    page.wait("!!document.getElementById('play')?.href.endsWith('?game=diamond')");
    page.click("#play");
    page.loaded();
    page.wait("quintain.game.game.name === 'diamond'");
}

fn every_page_is_for_everybody() {
    let (Some(folder), Some(script)) = (site(), axe::script()) else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let host = Host::of(folder, "");
    let mut page = browser.board(&host.url(""));
    page.wait("document.getElementById('level-dialog').open");
    axe::check(&mut page, &script, "the first visit");
    page.click(".level-choice:last-child");
    axe::check(&mut page, &script, "the board");
    let mut page = browser.tab(&host.url("learn.html"));
    page.wait("document.body?.dataset.ready === 'true'");
    axe::check(&mut page, &script, "the learn page");
}

fn a_folder_with_something_else_is_refused() {
    let Some(_) = site() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("public");
    // A new site takes the place of an old one, and leaves nothing beside it.
    for _ in 0..2 {
        assert!(write(&folder).status.success());
    }
    let beside: Vec<_> = std::fs::read_dir(home.path()).expect("a folder").collect();
    assert_eq!(beside.len(), 1);
    std::fs::write(folder.join("notes.txt"), "mine").expect("a file");
    let output = write(&folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("has 'notes.txt'"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.join("notes.txt")).expect("a file"), "mine");
    let output = write(home.path());
    assert!(!output.status.success() && folder.join("index.html").exists());
}
