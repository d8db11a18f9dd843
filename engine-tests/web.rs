//! `quintain board` in a real browser: Debian's chromium, driven by its own protocol. Where there is none the tests say
//! so and pass, except in CI.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// A program that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program and returns the first line of its output, or of its errors, that holds `mark`, from there on.
fn start(mut command: Command, mark: &str, errors: bool) -> (Running, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let pipe: Box<dyn std::io::Read> = match errors {
        true => Box::new(child.stderr.take().expect("a pipe")),
        false => Box::new(child.stdout.take().expect("a pipe")),
    };
    let lines = BufReader::new(pipe).lines().map_while(Result::ok);
    let found = lines.into_iter().find_map(|line| line.find(mark).map(|at| line[at..].to_owned()));
    (Running(child), found.unwrap_or_else(|| panic!("no {mark}")))
}

fn board(home: &TempDir, game: &str) -> (Running, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
    command.args(["board", game, "--no-open"]).env("XDG_STATE_HOME", home.path());
    start(command, "http://", false)
}

/// A page in a browser.
struct Page {
    socket: WebSocket<TcpStream>,
    number: u64,
    _browser: Running,
    _home: TempDir,
}

impl Page {
    /// Opens an address; `None`, with a word, where there is no browser.
    fn open(url: &str) -> Option<Page> {
        let chromium = "/usr/bin/chromium";
        if !std::path::Path::new(chromium).exists() {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "chromium is missing");
            eprintln!("skipped: chromium is missing");
            return None;
        }
        let home = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(chromium);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]);
        command.args(["--window-size=1200,900", "--force-prefers-reduced-motion"]);
        command.arg(format!("--user-data-dir={}", home.path().display())).arg("about:blank");
        let (browser, address) = start(command, "ws://", true);
        let host = address.trim_start_matches("ws://").split('/').next().expect("a host").to_owned();
        let pages = get(&host, "/json/list");
        let pages: Value = serde_json::from_str(&pages).expect("JSON");
        let page = pages.as_array().expect("a list").iter().find(|page| page["type"] == "page");
        let address = page.expect("a page")["webSocketDebuggerUrl"].as_str().expect("an address").to_owned();
        let stream = TcpStream::connect(&host).expect("a connection");
        let (socket, _) = tungstenite::client(address.as_str(), stream).expect("a socket");
        let mut page = Page { socket, number: 0, _browser: browser, _home: home };
        page.call("Page.navigate", json!({ "url": url }));
        page.wait("window.quintain?.state?.game !== undefined");
        Some(page)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let text = json!({ "id": self.number, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(text)).expect("sent");
        loop {
            let text = self.socket.read().expect("an answer").into_text().expect("text");
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            if answer["id"] == self.number {
                return answer["result"].clone();
            }
        }
    }

    fn eval(&mut self, script: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": script, "returnByValue": true }));
        answer["result"]["value"].clone()
    }

    fn wait(&mut self, script: &str) {
        let end = Instant::now() + Duration::from_secs(30);
        while self.eval(script) != Value::Bool(true) {
            let state = self.eval("JSON.stringify([quintain?.state?.start.fen, document.body.innerText])");
            assert!(Instant::now() < end, "{script} does not come: {state}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks the middle of what a selector finds.
    fn click(&mut self, selector: &str) {
        let script = format!(
            "(() => {{ const r = document.querySelector('{selector}')?.getBoundingClientRect(); \
             return r && [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let at = self.eval(&script);
        assert!(at.is_array(), "nothing is {selector}");
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    fn square(&mut self, name: &str) {
        self.click(&format!("[data-square={name}]"));
    }

    fn plies(&mut self) -> u64 {
        self.eval("quintain.state.played.length").as_u64().expect("a number")
    }

    /// Plays a legal move, given by its coordinates, as a person would with the mouse.
    fn play(&mut self, text: &str) {
        let before = self.plies();
        let find = format!("quintain.state.moves.find(mv => mv.text === '{text}')");
        let mv = self.eval(&find);
        assert!(mv.is_object(), "{text} is not legal");
        let name = |place: &Value| {
            let file = (b'a' + place[0].as_u64().expect("a file") as u8) as char;
            format!("{file}{}", place[1].as_u64().expect("a rank") + 1)
        };
        let (from, to) = (name(&mv["from"]), name(&mv["to"]));
        self.square(&from);
        self.square(&to);
        let choices = |page: &mut Page| page.eval("document.querySelectorAll('.choice').length").as_u64();
        if let (Some(letter), true) = (mv["becomes"].as_str(), choices(self) > Some(0)) {
            let label =
                self.eval(&format!("quintain.state.game.pieces.find(p => p.letter === '{letter}').name"));
            if self.eval(
                "[...document.querySelectorAll('.choice')].some(c => !c.dataset.choice.startsWith('facing'))",
            ) == true
            {
                self.click(&format!("[data-choice=\"{}\"]", label.as_str().expect("a name")));
            }
        }
        if let Some(facing) = mv["facing"].as_str() {
            self.click(&format!("[data-choice=\"facing {facing}\"]"));
        }
        self.wait(&format!("quintain.state.played.length > {before}"));
        let played = self.eval(&format!("quintain.state.played[{before}].mv.text"));
        assert_eq!(played, text);
    }

    fn new_game(&mut self, game: &str, fen: Option<&str>, engine: [bool; 2]) {
        let command =
            json!({ "do": "new", "game": game, "fen": fen, "engine": engine, "level": 0, "seconds": 0.05 });
        self.eval(&format!(
            "fetch('do', {{ method: 'POST', body: JSON.stringify({command}) }}).then(a => {{ window.answer = a.status }})"
        ));
        self.wait("window.answer === 200");
        self.eval("window.answer = 0");
        let wanted = format!("quintain.state.game.name === '{game}' && quintain.state.played.length < 2");
        self.wait(&wanted);
        if let Some(fen) = fen {
            let placement = fen.split(' ').next().expect("a field");
            self.wait(&format!("quintain.state.start.fen.startsWith('{placement} ')"));
        }
    }
}

/// What a server answers, with its head, if nothing else is said.
fn get(host: &str, path: &str) -> String {
    let answer = request(host, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    answer.split_once("\r\n\r\n").expect("a head").1.to_owned()
}

fn request(host: &str, text: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a limit");
    stream.write_all(text.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => answer.extend(&buffer[..count]),
        }
        let text = String::from_utf8_lossy(&answer);
        let length = text
            .to_lowercase()
            .split_once("content-length:")
            .and_then(|(_, rest)| rest.trim_start().split(['\r', '\n']).next()?.parse::<usize>().ok());
        if let (Some(length), Some((_, body))) = (length, text.split_once("\r\n\r\n"))
            && body.len() >= length
        {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn strangers_are_refused() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let rest = url.trim_start_matches("http://");
    let (host, token) = rest.split_once("/?token=").expect("a token");
    let port = host.split_once(':').expect("a port").1;
    let status = |text: String| request(host, &text).split(' ').nth(1).unwrap_or("").to_owned();
    let read = |host: &str, path: &str| status(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(read(&format!("evil.test:{port}"), &format!("/?token={token}")), "403");
    assert_eq!(read(host, "/"), "403");
    assert_eq!(read(host, "/events"), "403");
    assert_eq!(read(host, "/style.css"), "200");
    assert_eq!(read(host, "/nothing"), "404");
    assert_eq!(read(host, &format!("/?token={token}")), "303");
    let post = |origin: &str, cookie: &str, body: &str| {
        status(format!(
            "POST /do HTTP/1.1\r\nHost: {host}\r\n{origin}{cookie}Content-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    let (origin, cookie) =
        (format!("Origin: http://{host}\r\n"), format!("Cookie: quintain-{port}={token}\r\n"));
    let hint = r#"{"do":"pgn"}"#;
    assert_eq!(post(&origin, &cookie, hint), "200");
    assert_eq!(post("", &cookie, hint), "403");
    assert_eq!(post("Origin: http://127.0.0.1:1\r\n", &cookie, hint), "403");
    assert_eq!(post(&origin, "", hint), "403");
    for wrong in ["", "{}", r#"{"do":"fly"}"#, r#"{"do":"play","text":"a1a1","ply":0}"#] {
        assert_eq!(post(&origin, &cookie, wrong), "400", "{wrong}");
    }
    for wrong in [("checkers", 0, 1.0), ("chess", 21, 1.0), ("chess", 0, 1e9)] {
        let body = json!({"do": "new", "game": wrong.0, "engine": [false, false], "level": wrong.1, "seconds": wrong.2});
        assert_eq!(post(&origin, &cookie, &body.to_string()), "400", "{body}");
    }
    let body = "x".repeat((1 << 20) + 1);
    assert_eq!(post(&origin, &cookie, &body), "413");
}

#[test]
fn special_moves_are_played_with_the_mouse() {
    let home = tempfile::tempdir().expect("a folder");
    let (_board, url) = board(&home, "canyon");
    let Some(mut page) = Page::open(&url) else { return };
    let lines: &[(&str, Option<&str>, &[&str])] = &[
        // Swaps, a promotion.
        (
            "canyon",
            None,
            &["d3d4", "b6b5", "e3e4", "d6d5", "e2g2", "d5e4", "f3e4", "b7d6", "e4e5", "g6g5", "e5d6q"],
        ),
        // The set-up phase.
        ("superchess", None, &["S@c2,S@h2", "S@d9,S@e9", "d1d1ne", "d10d10n", "c2c4"]),
        // Runs and a mate.
        (
            "superchessfixed",
            Some("1k1r6/ppp7/3p6/4s1q3/10/7B2/2AC6/10/10/8K1 w - - 0 1 n"),
            &["c4b6", "b10a10", "d4d7e", "g7g5", "d7a7n"],
        ),
        // A run over friends, seen from the other side.
        ("superchessfixed", Some("2kr6/pppp2q3/10/2P1PC4/10/10/1B8/10/10/8K1 w - - 0 1 e"), &["f7c7n"]),
        // A shot, and a promotion to a piece that faces.
        ("superchessfixed", Some("7k2/P9/4r5/10/4A5/10/10/10/10/8K1 w - - 0 1"), &["a9a10cse"]),
        ("superchessfixed", Some("4r4k/10/10/10/4A5/10/10/10/10/8K1 w - - 0 1"), &["e6e10"]),
        // Castling with two pieces at once.
        ("gast", Some("5k6/12/12/12/12/12/12/12/12/12/12/6K1A2R w IL - 0 1"), &["g1k1"]),
        ("grandcavalier", Some("4k5/V9/10/10/10/10/10/10/10/4K5 w - - 0 1"), &["a9b7"]),
        ("chess", None, &["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"]),
    ];
    for &(game, fen, moves) in lines {
        page.new_game(game, fen, [false, false]);
        for mv in moves {
            page.play(mv);
        }
    }
}

#[test]
fn a_game_is_played_to_its_end_and_survives_reload_and_restart() {
    let home = tempfile::tempdir().expect("a folder");
    let (program, url) = board(&home, "canyon");
    let Some(mut page) = Page::open(&url) else { return };
    page.new_game("canyon", None, [false, true]);
    let mut plies = 0;
    while page.eval("quintain.state.end === null") == true && plies < 40 {
        let mv = page.eval(
            "quintain.state.moves[quintain.state.played.length * 7 % quintain.state.moves.length].text",
        );
        page.play(mv.as_str().expect("a move"));
        page.wait("quintain.state.end !== null || quintain.state.side === 'white'");
        plies = page.plies();
    }
    page.eval("location.reload()");
    page.wait(&format!("window.quintain?.state?.played.length === {plies}"));
    drop(program);
    let (_again, url) = board(&home, "canyon");
    page.call("Page.navigate", json!({ "url": url }));
    page.wait(&format!("window.quintain?.state?.played.length === {plies}"));
    // To the end: the engine plays for both.
    page.eval("(p => { p.value = 'ee'; p.dispatchEvent(new Event('change')); })(document.getElementById('players'))");
    let end = Instant::now() + Duration::from_secs(120);
    while page.eval("quintain.state.end === null") == true {
        assert!(Instant::now() < end, "the game does not end");
        std::thread::sleep(Duration::from_millis(200));
    }
    let shown = page.eval("document.getElementById('status').textContent.includes(quintain.state.end.text)");
    assert_eq!(shown, true);
}
