//! Drives Chromium, as Debian has it, over the DevTools protocol, and starts the program.

use super::skip::skip;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// How long to wait for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// The position that is shown is analysed, and there is a line.
pub const ANALYSED: &str =
    "quintain.game.analysis.node === quintain.game.shown && quintain.game.analysis.lines.length > 0";

/// Where Debian has Chromium: without windows, which needs two thirds of the processor time, or with them. The former is
/// not started by its script in `/usr/bin`, whose end does not end the browser.
const CHROMIUM: [&str; 2] = ["/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium"];

/// A program that ends with its test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// How many threads it has now.
    pub fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.0.id())).expect("a program of Linux").count()
    }

    /// Sends the signal of Ctrl-C, and returns how long the program took to end.
    pub fn interrupt(mut self) -> Duration {
        let began = Instant::now();
        let sent =
            Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().expect("kill starts");
        assert!(sent.success());
        while self.0.try_wait().expect("a status").is_none() {
            assert!(began.elapsed() < PATIENCE, "the program does not end");
            std::thread::yield_now();
        }
        began.elapsed()
    }
}

/// Starts a program and returns the first line of its output, or of its errors, that holds `mark`, from there on.
pub fn start(mut command: Command, mark: &str, errors: bool) -> (Running, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let pipe: Box<dyn Read> = match errors {
        true => Box::new(child.stderr.take().expect("a pipe")),
        false => Box::new(child.stdout.take().expect("a pipe")),
    };
    let lines = BufReader::new(pipe).lines().map_while(Result::ok);
    let found = lines.into_iter().find_map(|line| line.find(mark).map(|at| line[at..].to_owned()));
    (Running(child), found.unwrap_or_else(|| panic!("no {mark}")))
}

/// Starts `quintain board` and returns the address that it prints. Its files are in `home`; the person has chosen a level
/// before.
pub fn board(home: &TempDir, game: &str) -> (Running, String) {
    board_with(home, game, &[])
}

/// The same with more arguments.
pub fn board_with(home: &TempDir, game: &str, args: &[&str]) -> (Running, String) {
    let folder = home.path().join("quintain");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("preferences.json");
    if !file.exists() {
        std::fs::write(&file, r#"{ "level": 20 }"#).expect("a file");
    }
    board_of_newcomer(home, game, args)
}

/// The same for somebody who has never played.
pub fn board_of_newcomer(home: &TempDir, game: &str, args: &[&str]) -> (Running, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
    command.args(["board", game, "--no-open"]).args(args).env("XDG_STATE_HOME", home.path());
    start(command, "http://", false)
}

/// A running chromium.
struct Chromium {
    /// Where it listens, and the address of its own socket.
    host: String,
    address: String,
    _process: Running,
    _home: TempDir,
}

impl Chromium {
    /// Where it is, if it is installed.
    fn installed() -> Option<&'static str> {
        CHROMIUM.into_iter().find(|path| Path::new(path).exists())
    }

    fn start(program: &str, flags: &[&str]) -> Chromium {
        let home = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(program);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]);
        command.args([
            "--window-size=1200,900",
            "--force-prefers-reduced-motion",
            "--disable-background-networking",
        ]);
        command.args(flags).arg(format!("--user-data-dir={}", home.path().display())).arg("about:blank");
        let (process, address) = start(command, "ws://", true);
        let host = address.trim_start_matches("ws://").split('/').next().expect("a host").to_owned();
        Chromium { host, address, _process: process, _home: home }
    }

    /// The one that tests without flags of their own share. It ends when none of them runs.
    fn shared(program: &str) -> Arc<Chromium> {
        static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let chromium = Arc::new(Chromium::start(program, &[]));
            *shared = Arc::downgrade(&chromium);
            chromium
        })
    }

    /// A socket to the browser itself, or to a tab.
    fn connect(&self, address: &str) -> Page {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        let (socket, _) = tungstenite::client(address, stream).expect("a socket");
        Page { socket, number: 0, violations: Vec::new() }
    }
}

/// A browser with a profile of its own, in a chromium that other tests may share: to start one for each test costs more
/// than most tests.
pub struct Browser {
    chromium: Arc<Chromium>,
    /// The DevTools' name of the profile.
    context: Value,
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let mut browser = self.chromium.connect(&self.chromium.address);
            browser.call("Target.disposeBrowserContext", json!({ "browserContextId": self.context }));
        }
    }
}

impl Browser {
    /// Starts a browser; `None`, with a word, where there is none. With flags it is a chromium of its own.
    pub fn start(flags: &[&str]) -> Option<Browser> {
        let Some(program) = Chromium::installed() else {
            skip("Chromium is not installed (Debian: apt-get install chromium-headless-shell)");
            return None;
        };
        let chromium = match flags {
            [] => Chromium::shared(program),
            _ => Arc::new(Chromium::start(program, flags)),
        };
        let mut browser = chromium.connect(&chromium.address);
        let context = browser.call("Target.createBrowserContext", json!({}))["browserContextId"].take();
        Some(Browser { chromium, context })
    }

    /// Opens an address in a new tab.
    pub fn tab(&self, url: &str) -> Page {
        let mut browser = self.chromium.connect(&self.chromium.address);
        let tab = json!({ "url": "about:blank", "browserContextId": self.context, "newWindow": true });
        let answer = browser.call("Target.createTarget", tab);
        let id = answer["targetId"].as_str().expect("a name");
        let mut page = self.chromium.connect(&format!("ws://{}/devtools/page/{id}", self.chromium.host));
        page.call("Runtime.enable", json!({}));
        page.call("Log.enable", json!({}));
        page.call("Page.enable", json!({}));
        page.call("Page.navigate", json!({ "url": url }));
        page
    }

    /// Opens the board in a new tab, and waits for it.
    pub fn board(&self, url: &str) -> Page {
        let mut page = self.tab(url);
        page.loaded();
        page
    }
}

/// A tab.
pub struct Page {
    socket: WebSocket<TcpStream>,
    number: u64,
    /// What the page was forbidden by its policy; a test that expects something takes it.
    pub violations: Vec<String>,
}

impl Drop for Page {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.violations.is_empty(), "the page was forbidden something: {:?}", self.violations);
        }
    }
}

impl Page {
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let text = json!({ "id": self.number, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(text)).expect("sent");
        loop {
            let text = self.socket.read().expect("an answer").into_text().expect("text");
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            assert!(answer["method"] != "Runtime.exceptionThrown", "the page fails: {answer}");
            let entry = &answer["params"]["entry"];
            if answer["method"] == "Log.entryAdded" && entry["source"] == "security" {
                self.violations.push(entry["text"].to_string());
            }
            if answer["id"] == self.number {
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression, or what its promise brings.
    pub fn eval(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, script: &str) -> String {
        self.eval(script).as_str().unwrap_or_else(|| panic!("{script} is no text")).to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, script: &str) {
        let watch = format!(
            "new Promise(done => {{ const until = performance.now() + 1000, look = () => {{ let is = false; \
             try {{ is = !!({script}); }} catch {{ }} \
             if (is || performance.now() > until) done(is); else setTimeout(look, 5); }}; look(); }})"
        );
        let end = Instant::now() + PATIENCE;
        loop {
            let params = json!({ "expression": watch, "returnByValue": true, "awaitPromise": true });
            // While a page loads, what was asked of the one before gets no value.
            if self.call("Runtime.evaluate", params)["result"]["value"] == Value::Bool(true) {
                return;
            }
            if Instant::now() > end {
                let state = self.eval("document.body.innerText");
                panic!("{script} does not come: {state}");
            }
        }
    }

    /// Waits for the board.
    pub fn loaded(&mut self) {
        self.wait("document.body.dataset.loaded === 'true' && document.getElementById('board').dataset.ply");
    }

    /// The middle of what a selector finds.
    pub fn middle(&mut self, selector: &str) -> [f64; 2] {
        let script = format!(
            "(() => {{ const node = document.querySelector('{selector}'); node?.scrollIntoView({{ block: 'nearest' }}); \
             const r = node?.getBoundingClientRect(); return r && [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let at = self.eval(&script);
        assert!(at.is_array(), "nothing is {selector}");
        [0, 1].map(|index| at[index].as_f64().expect("a number"))
    }

    /// Sends an event of the left button: `mousePressed` or `mouseReleased`.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let buttons = u8::from(kind != "mouseReleased");
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Clicks the middle of what a selector finds.
    pub fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.click_at(at);
    }

    /// Clicks a place of the screen.
    pub fn click_at(&mut self, at: [f64; 2]) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": at[0], "y": at[1] }));
        self.mouse("mousePressed", at);
        self.mouse("mouseReleased", at);
    }

    /// Clicks a square of the board.
    pub fn square(&mut self, name: &str) {
        self.click(&format!("#board [data-square={name}]"));
    }

    /// Drags a piece from square to square.
    pub fn drag(&mut self, from: &str, to: &str) {
        let square = |name: &str| format!("#board [data-square={name}]");
        self.drag_from(&square(from), &square(to));
    }

    /// Drags from the middle of what a selector finds to that of another.
    pub fn drag_from(&mut self, from: &str, to: &str) {
        let [a, b] = [from, to].map(|selector| self.middle(selector));
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": a[0], "y": a[1] }));
        self.mouse("mousePressed", a);
        self.mouse("mouseMoved", [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]);
        self.mouse("mouseMoved", b);
        self.mouse("mouseReleased", b);
    }

    /// Touches the middle of what a selector finds.
    pub fn tap(&mut self, selector: &str) {
        let [x, y] = self.middle(selector);
        let points = json!([{ "x": x, "y": y }]);
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": points }));
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Tab" => (9, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            "Home" => (36, ""),
            "End" => (35, ""),
            letter => (letter.to_ascii_uppercase().as_bytes()[0].into(), letter),
        };
        let event =
            |kind: &str| json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
        self.call("Input.dispatchKeyEvent", event("keyDown"));
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    /// Types a text into the field that has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    // ---- The board --------------------------------------------------------------------------------------

    /// Sends a command as the page does, and waits for the answer.
    pub fn command(&mut self, command: &Value) -> Value {
        let script = format!(
            "import('./carrier.js').then(({{ send }}) => {{ const {{ command, ...values }} = {command}; \
             return send(command, values); }})"
        );
        self.eval(&script)
    }

    /// Begins a game, from a FEN if there is one.
    pub fn new_game(&mut self, game: &str, fen: Option<&str>, engine: [bool; 2]) {
        let live = self.eval("quintain.game.status.live");
        self.command(&json!({ "command": "new", "game": game, "fen": fen, "engine": engine, "level": 0, "seconds": 0.02 }));
        self.wait(&format!(
            "quintain.game.game.name === '{game}' && quintain.game.status.live !== {live} && !quintain.game.nodes.has({live})"
        ));
    }

    /// Half-moves up to the position that is shown.
    pub fn ply(&mut self) -> u64 {
        self.text("document.getElementById('board').dataset.ply").parse().expect("a number")
    }

    /// Waits until a person may move.
    pub fn ready(&mut self) {
        self.wait("document.getElementById('board').dataset.ready === 'true'");
    }

    /// The names of the squares of a legal move. The moves may be those of the game before for a moment.
    pub fn squares(&mut self, text: &str) -> [String; 2] {
        let find = format!("quintain.legal.moves.find(move => move.text === '{text}')");
        self.wait(&format!("quintain.legal.node === quintain.game.shown && !!{find}"));
        let mv = self.eval(&find);
        [&mv["from"], &mv["to"]].map(|place| {
            let file = (b'a' + place[0].as_u64().expect("a file") as u8) as char;
            format!("{file}{}", place[1].as_u64().expect("a rank") + 1)
        })
    }

    /// Chooses in the picker what leads to a move, by `press`.
    pub fn pick(&mut self, text: &str, mut press: impl FnMut(&mut Page, &str)) {
        let find = format!("quintain.legal.moves.find(move => move.text === '{text}')");
        for kind in ["promotions", "compass", "names"] {
            if self.eval(&format!("!!document.querySelector('#board .picker .{kind}')")) != true {
                continue;
            }
            let key = match kind {
                "promotions" => self.text(&format!("(({find}).becomes ?? 'stay').toLowerCase()")),
                "compass" => self.text(&format!("String(({find}).facing)")),
                _ => text.to_owned(),
            };
            press(self, &format!("#board [data-choice=\"{key}\"]"));
        }
    }

    /// Waits until a move after a position is there.
    pub fn played(&mut self, node: &str, text: &str) {
        self.wait(&format!(
            "quintain.game.nodes.get({node}).children.some(child => child.move.text === '{text}') \
             && quintain.game.shown !== {node}"
        ));
    }

    /// Plays a legal move, given by its coordinates, as a person does with the mouse.
    pub fn play(&mut self, text: &str) {
        self.ready();
        let node = self.text("document.getElementById('board').dataset.node");
        let [from, to] = self.squares(text);
        self.square(&from);
        self.square(&to);
        self.pick(text, |page, selector| page.click(selector));
        self.played(&node, text);
    }
}

/// What a server answers to a request, with its head.
pub fn request(host: &str, text: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
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
