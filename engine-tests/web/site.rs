//! A site of plain files, on a plain server, in a folder of it. The tests need the program as WebAssembly, which
//! `.ci/wasm` builds.

use super::browser::{ANALYSED, Browser, Page};
use super::harness::{Test, tests};
use super::skip::skip;
use super::{PEOPLE, axe, connections};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = tests!("site::":
    a_game_goes_on_after_a_reload,
    the_way_back_leads_to_the_game,
    two_tabs_lose_no_game,
    every_game_has_a_module_of_its_own,
    a_site_works_without_a_network,
    searches_stop_at_once,
    a_search_asks_often_whether_to_stop,
    several_threads_search,
    the_first_move_needs_little,
    tables_come_when_few_pieces_are_left,
    nothing_is_asked_of_other_hosts,
    two_people_play_by_links,
    a_board_is_shown_in_a_frame,
    puzzles_are_solved_beside_the_board,
    a_fault_of_the_program_loses_no_game,
    the_learn_page_is_read_at_once,
    every_page_is_for_everybody,
    a_folder_with_something_else_is_refused,
);

/// Where the script writes.
const WASM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/wasm/site");
/// The site is in a folder of its host.
const FOLDER: &str = "/club/quintain/";

/// What `quintain site` writes; `None`, with a word, where the program was not built as WebAssembly.
fn site() -> Option<&'static Path> {
    static SITE: LazyLock<Option<(tempfile::TempDir, PathBuf)>> = LazyLock::new(|| {
        if !Path::new(WASM).join("modules/all.wasm.gz").exists() {
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
    state: &'static State,
}

#[derive(Default)]
struct State {
    /// Nothing is answered any more.
    down: AtomicBool,
    /// The files that were asked for, each once, and their sizes.
    served: Mutex<BTreeMap<String, usize>>,
}

impl Host {
    /// Serves a folder, with these headers.
    fn of(folder: &'static Path, headers: &'static str) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let state: &'static State = Box::leak(Box::default());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || {
                    if !state.down.load(Relaxed) {
                        let _ = serve(&stream, folder, headers, state);
                    }
                });
            }
        });
        Host { address, state }
    }

    fn url(&self, page: &str) -> String {
        format!("http://{}{FOLDER}{page}", self.address)
    }

    fn stop(&self) {
        self.state.down.store(true, Relaxed);
    }

    /// The modules that were asked for so far.
    fn modules(&self) -> Vec<String> {
        let served = self.served().into_keys();
        served.filter_map(|name| Some(name.strip_prefix("modules/")?.to_owned())).collect()
    }

    /// The files that were asked for so far, and their sizes.
    fn served(&self) -> BTreeMap<String, usize> {
        self.state.served.lock().expect("a lock").clone()
    }
}

fn serve(mut stream: &TcpStream, folder: &Path, headers: &str, state: &State) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or(Ok(String::new()))?;
    // A connection that is closed before all was read is one that failed.
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or("").split('?').next().unwrap_or("");
    let name = path.strip_prefix(FOLDER).map(|name| if name.is_empty() { "index.html" } else { name });
    let found =
        name.filter(|name| !name.contains("..")).and_then(|name| std::fs::read(folder.join(name)).ok());
    if let (Some(name), Some(body)) = (name, &found) {
        state.served.lock().expect("a lock").insert(name.to_owned(), body.len());
    }
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

/// A browser, and the site on a host without headers of its own; `None`, with a word, where one of them is missing.
fn visited() -> Option<(Browser, Host)> {
    let folder = site()?;
    let browser = Browser::start(&[])?;
    Some((browser, Host::of(folder, "")))
}

/// Runs a script on a site that shows this game.
pub fn on_a_site(game: &str, script: fn(&mut Page)) {
    let Some((browser, host)) = visited() else { return };
    let mut page = open(&browser, &host, "");
    page.new_game(game, None, [false, true]);
    script(&mut page);
}

const PLY: &str = "document.getElementById('board')?.dataset.ply";

fn a_game_goes_on_after_a_reload() {
    let Some((browser, host)) = visited() else { return };
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
    let Some((browser, host)) = visited() else { return };
    let mut one = open(&browser, &host, "");
    one.new_game("chess", None, PEOPLE);
    one.play("e2e4");
    // The tab that was opened last has the games, and goes on where the other one was.
    let mut two = browser.board(&host.url(""));
    two.wait(&format!("{PLY} === '1'"));
    one.wait("document.body.dataset.connection === 'asleep'");
    two.play("e7e5");
    // Nothing that the other one does takes them away, but it can have them back.
    one.call("Page.bringToFront", json!({}));
    one.click("#text");
    one.type_text("c7c5");
    one.key("Enter");
    one.wait("document.getElementById('notice').textContent === 'This tab sleeps.'");
    assert_eq!(two.text("document.body.dataset.connection"), "open");
    one.click("#connection");
    one.wait(&format!("{PLY} === '2' && document.body.dataset.connection === 'open'"));
    two.wait("document.body.dataset.connection === 'asleep'");
    one.play("g1f3");
    two.call("Page.bringToFront", json!({}));
    two.call("Page.reload", json!({}));
    two.wait(&format!("{PLY} === '3' && document.body.dataset.connection === 'open'"));
}

/// From game to game, and to what may be of any game, with other modules; nothing is lost.
fn every_game_has_a_module_of_its_own() {
    let Some((browser, host)) = visited() else { return };
    let mut page = without_keeper(&browser, &host.url("?game=gast"));
    page.wait("quintain.game.game.name === 'gast'");
    page.command(&json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 2, "book": false }));
    page.command(&json!({ "command": "players", "engine": PEOPLE }));
    page.ready();
    let mv = page.text("quintain.legal.moves[0].text");
    page.play(&mv);
    let node = page.eval("quintain.game.shown");
    page.command(&json!({ "command": "analyse", "node": node }));
    // What was not touched is not kept; settings of the engine are, and the analysis goes on.
    for game in ["canyon", "diamond"] {
        page.new_game(game, None, PEOPLE);
        assert_eq!(page.eval("quintain.game.status.engine.lines"), 2, "{game}");
        page.wait(&format!("{ANALYSED} && quintain.game.analysis.lines.length === 2"));
    }
    page.command(&json!({ "command": "analyse", "node": null }));
    page.ready();
    let mv = page.text("quintain.legal.moves[0].text");
    page.play(&mv);
    let list = page.command(&json!({ "command": "games" }));
    let games = list["games"].as_array().expect("games");
    let kinds: Vec<&str> = games.iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(kinds, ["diamond", "gast"], "{list}");
    // What was deleted is brought back where another module has taken over.
    page.command(&json!({ "command": "delete", "ids": [games[1]["id"]] }));
    page.command(&json!({ "command": "rules", "game": "canyon" }));
    page.command(&json!({ "command": "undelete" }));
    page.command(&json!({ "command": "open", "id": games[1]["id"] }));
    page.wait(&format!("quintain.game.game.name === 'gast' && {PLY} === '1'"));
    assert_eq!(host.modules(), ["canyon.wasm.gz", "diamond.wasm.gz", "gast.wasm.gz"]);
    // A PGN may have games of any kind.
    let pgn = "[Variant \"canyon\"]\n\n1. d4 b5 *\n\n[Variant \"chess\"]\n\n1. e4 *\n";
    page.command(&json!({ "command": "load", "kind": "gast", "text": pgn }));
    let list = page.command(&json!({ "command": "games" }));
    let games = list["games"].as_array().expect("games");
    assert_eq!(games.len(), 4, "{list}");
    let ids: Vec<&str> = games.iter().filter_map(|game| game["id"].as_str()).collect();
    let pgn = page.command(&json!({ "command": "export", "ids": ids }));
    assert_eq!(pgn.to_string().matches("[Variant ").count(), 4, "{pgn}");
    assert_eq!(host.modules()[0], "all.wasm.gz");
}

fn a_site_works_without_a_network() {
    let Some((browser, host)) = visited() else { return };
    let mut page = open(&browser, &host, "");
    page.wait("navigator.serviceWorker.controller");
    // All but the modules of single games, for which that with all games does, and that for several threads.
    let kept = "fetch('files.json').then(list => list.json()).then(async list => { \
                const files = list.files.filter(name => !/^modules\\/(?!all(-plain)?\\.)/.test(name)); \
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
            page.wait(ANALYSED);
        }
    }
}

/// A search that asks seldom would go on for a while after it was told to stop.
fn a_search_asks_often_whether_to_stop() {
    let Some((browser, host)) = visited() else { return };
    let mut page = browser.tab(&host.url("embed.html#canyon"));
    page.wait("document.body?.dataset.ready === 'true'");
    for (game, network, fen) in [
        ("canyon", "canyon", quintain::engine::info("canyon").expect("a game").start),
        ("gast14", "gast14", quintain::engine::info("gast14").expect("a game").start),
    ] {
        let order = json!({
            "order": "search", "number": 1, "game": game, "network": network, "fen": fen, "moves": [], "fresh": true,
            "level": 20, "lines": 1, "threads": 1, "hash": 4, "time": { "fixed": { "secs": 3600, "nanos": 0 } },
        });
        // It is told to stop after two seconds. Other programs may have kept it waiting a few times.
        let script = format!(
            "(async () => {{ const {{ Instance, GO_ON, STOP }} = await import('./instance.js');
            const {{ compile, unzip }} = await import('./wasm.js');
            const gaps = []; let last = 0, begun = 0, after = 0;
            const signal = () => {{
                const now = performance.now();
                if (last) gaps.push(now - last);
                [last, begun] = [now, begun || now];
                if (now - begun < 2000) return GO_ON;
                after++;
                return STOP;
            }};
            const program = await Instance.make(await compile('modules/{game}'), () => {{}}, signal);
            program.call('network', await unzip('networks/{network}.bin.gz'));
            program.call('think', '{order}');
            gaps.sort((a, b) => a - b);
            return [after, gaps[Math.floor(gaps.length * 0.9)]]; }})()"
        );
        let [after, gap] = [0, 1].map({
            let found = page.eval(&script);
            move |index| found[index].as_f64().expect("a number")
        });
        assert!(after <= 2.0, "{game}: {after} questions after it was told to stop");
        assert!(gap < 50.0, "{game}: {gap} ms from question to question");
    }
}

/// Where pages share memory, a search has as many threads as it is to have. Elsewhere it has one.
fn several_threads_search() {
    let Some(folder) = site() else { return };
    let Some(browser) = Browser::start(&[]) else { return };
    let processors = thread::available_parallelism().map_or(1, usize::from).min(8);
    for (headers, most) in [("", 1), (ISOLATED, processors)] {
        let host = Host::of(folder, headers);
        let mut page = without_keeper(&browser, &host.url(""));
        assert_eq!(page.eval("quintain.game.status.limits.threads"), most);
        for threads in (1..=most.min(2)).rev() {
            page.command(&json!({ "command": "engine", "threads": threads, "hash": 16, "lines": 2 }));
            for game in ["canyon", "gast14"] {
                page.new_game(game, None, [true, false]);
                page.wait(&format!("{PLY} === '1' && !quintain.game.status.thinking"));
                page.command(&json!({ "command": "players", "engine": PEOPLE }));
                let live = page.eval("quintain.game.status.live");
                page.command(&json!({ "command": "analyse", "node": live }));
                page.wait("Number(document.getElementById('lines').dataset.depth) >= 6");
            }
        }
        let found = host.modules().contains(&"all-threads.wasm.gz".to_owned());
        assert_eq!(found, most > 1, "{:?}", host.modules());
    }
}

/// A page of a site, without the service worker, which fetches everything.
fn without_keeper(browser: &Browser, url: &str) -> Page {
    let mut page = browser.tab("about:blank");
    let script = json!({ "source": "delete Navigator.prototype.serviceWorker" });
    page.call("Page.addScriptToEvaluateOnNewDocument", script);
    page.call("Page.navigate", json!({ "url": url }));
    page.loaded();
    page.wait("document.getElementById('level-dialog').open");
    page.click(".level-choice:last-child");
    page.wait("!document.getElementById('level-dialog').open");
    page
}

fn the_first_move_needs_little() {
    let Some(folder) = site() else { return };
    for &game in quintain::engine::NAMES {
        let Some(browser) = Browser::start(&[]) else { return };
        let host = Host::of(folder, "");
        let mut page = without_keeper(&browser, &host.url(&format!("?game={game}")));
        page.wait(&format!("quintain.game.game.name === '{game}'"));
        // Book moves need no engine.
        page.command(&json!({ "command": "engine", "threads": 1, "hash": 16, "lines": 1, "book": false }));
        page.new_game(game, None, [true, false]);
        page.wait(&format!("{PLY} === '1'"));
        let served = host.served();
        // What hosts compress is about a third of that then.
        let is_packed = |name: &String| name.ends_with(".gz");
        let size: usize = served.iter().filter(|(name, _)| is_packed(name)).map(|(_, size)| size).sum();
        let page: usize = served.iter().filter(|(name, _)| !is_packed(name)).map(|(_, size)| size).sum();
        assert!(served.contains_key(&format!("modules/{game}.wasm.gz")), "{game}: {served:?}");
        assert!(size < 1_250_000 && page < 300_000, "{game}: {size} and {page} bytes in {served:?}");
    }
}

/// What endgame tables say of the moves of a game is shown, and they are not fetched before.
fn tables_come_when_few_pieces_are_left() {
    let Some((browser, host)) = visited() else { return };
    let mut page = without_keeper(&browser, &host.url(""));
    page.new_game("chess", Some("4k3/8/8/8/8/8/4p3/R3K3 w - - 0 1"), PEOPLE);
    page.ready();
    assert!(!host.served().contains_key("tables.gz"));
    assert_eq!(page.eval("document.getElementById('verdicts').hidden"), true);
    page.play("e1e2");
    page.wait("!document.getElementById('verdicts').hidden");
    let said = page.text("document.getElementById('verdict-list').textContent");
    assert!(said.contains("lost in"), "{said}");
    assert!(host.served().contains_key("tables.gz"));
    // The next game has them at once.
    page.new_game("chess", Some("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), PEOPLE);
    page.ready();
    assert_eq!(page.eval("document.getElementById('verdicts').hidden"), false);
}

/// The browser's own log of all its connections has those of pages, of workers and of the service worker.
fn nothing_is_asked_of_other_hosts() {
    let Some(folder) = site() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let log = home.path().join("net.json");
    let Some(browser) = Browser::start(&[&format!("--log-net-log={}", log.display())]) else { return };
    let host = Host::of(folder, "");
    let mut page = open(&browser, &host, "");
    page.new_game("canyon", None, [true, false]);
    page.wait(&format!("{PLY} === '1' && navigator.serviceWorker.controller"));
    page.click("label.switch");
    page.wait("Number(document.getElementById('lines').dataset.depth) >= 2");
    page.key("Escape");
    for (button, dialog) in [("share", "share-dialog"), ("library", "library-dialog"), ("new", "new-dialog")]
    {
        page.eval(&format!("document.getElementById('{button}').click()"));
        page.wait(&format!("document.getElementById('{dialog}').open"));
        page.eval(&format!("document.getElementById('{dialog}').close()"));
    }
    for (address, ready) in [
        ("learn.html?game=diamond", "document.querySelectorAll('#ending-choice option').length > 1"),
        ("puzzles.html?game=canyon", "document.getElementById('said')?.textContent"),
        ("embed.html#canyon/d3d4", "document.body?.dataset.ready === 'true'"),
        ("?game=gast", "document.body.dataset.connection === 'open'"),
    ] {
        page = browser.tab(&host.url(address));
        page.wait(ready);
    }
    let text = std::fs::read(&log).expect("the log");
    let text = String::from_utf8_lossy(&text);
    // Each line is an event; the last one may be written still.
    let events =
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line.trim_end_matches(',')).ok());
    let asked: BTreeSet<String> = events
        .map(|event| event["params"].clone())
        // What the browser asks for by itself belongs to no page.
        .filter(|params| params["initiator"].as_str().is_some_and(|by| by != "not an origin"))
        .filter_map(|params| Some(params["url"].as_str()?.to_owned()))
        .collect();
    let origin = format!("http://{}/", host.address);
    assert!(asked.iter().all(|url| url.starts_with(&origin)), "{asked:?}");
    for name in ["board.js", "modules/canyon.wasm.gz", "offline.js", "tables.gz"] {
        assert!(asked.contains(&host.url(name)), "{name}: {asked:?}");
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
    let Some((browser, host)) = visited() else { return };
    // The page of another host.
    let page = format!(
        "<!doctype html><html lang=en><title>club</title><body><iframe width=360 height=640 title=game src=\"{}\"></iframe>",
        host.url("embed.html?theme=dark&black&size=300#canyon/d3d4.b6b5.e3e4")
    );
    let mut club = browser.tab(&format!("http://{}/", connections::serve(page.leak())));
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
    let Some((browser, host)) = visited() else { return };
    let mut page = browser.tab(&host.url("puzzles.html?game=canyon"));
    page.wait("document.getElementById('said')?.textContent");
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

/// Firefox shows the board again as it was left, also if the puzzles have taken the games since. Chromium loads it here
/// anew, so the event is made up.
fn the_way_back_leads_to_the_game() {
    let Some((browser, host)) = visited() else { return };
    let mut page = open(&browser, &host, "");
    page.new_game("canyon", None, PEOPLE);
    page.play("d3d4");
    let mut puzzles = browser.tab(&host.url("puzzles.html?game=canyon"));
    puzzles.wait("document.getElementById('said')?.textContent");
    puzzles.click("#solution");
    page.wait("document.body.dataset.connection === 'asleep'");
    page.eval("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    page.wait(&format!("{PLY} === '1' && document.body.dataset.connection === 'open' && !!quintain.legal"));
    page.play("b6b5");
}

/// A worker that ends, as after a panic, is followed by another one.
fn a_fault_of_the_program_loses_no_game() {
    let Some((browser, host)) = visited() else { return };
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
    let Some((browser, host)) = visited() else { return };
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
