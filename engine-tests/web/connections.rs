//! Who may ask the server, and requests that no browser would send: half ones, slow ones, too many.

use super::browser::{Browser, board, request, start};
use super::harness::{Test, tests};
use super::{PEOPLE, home, parts};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = tests!("connections::":
    half_sent_requests_keep_nobody_out,
    slow_requests_are_given_up,
    open_streams_are_bounded,
    foreign_requests_are_refused,
    pages_of_other_origins_are_refused,
);

/// How long to wait for what must come.
const PATIENCE: Duration = Duration::from_secs(90);

/// Connects, and sends this.
fn connect(host: &str, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream.write_all(text.as_bytes()).expect("sent");
    stream
}

/// Asks for the events of a page.
pub fn listen(host: &str, token: &str) -> TcpStream {
    let port = host.split_once(':').expect("a port").1;
    connect(host, &format!("GET /events HTTP/1.1\r\nHost: {host}\r\nCookie: quintain-{port}={token}\r\n\r\n"))
}

/// Reads up to `mark`, and that it comes.
pub fn read_to(stream: &mut TcpStream, mark: &str) -> String {
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(mark) {
        match stream.read(&mut buffer).expect("an answer") {
            0 => panic!("no '{mark}' in '{text}'"),
            count => text += &String::from_utf8_lossy(&buffer[..count]),
        }
    }
    text
}

/// Waits until the server closes the connection.
fn read_to_end(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("not closed: {error}"),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// More of them than the program may have open files.
fn half_sent_requests_keep_nobody_out() {
    let home = home();
    let program = env!("CARGO_BIN_EXE_quintain");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 256 && exec \"$0\" board canyon --no-open", program]);
    command.env("XDG_STATE_HOME", home.path());
    let (_board, url) = start(command, "http://", false);
    let (host, token) = parts(&url);
    let mut page = listen(host, token);
    read_to(&mut page, "event: game");
    let half: Vec<TcpStream> = (0..400).map(|_| connect(host, "GET / HTTP/1.1\r\nHost: ")).collect();
    let answer = request(host, &format!("GET /style.css HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // The page that was open still is.
    drop(listen(host, token));
    page.set_nonblocking(true).expect("a socket");
    let mut byte = [0];
    let closed = loop {
        match page.read(&mut byte) {
            Ok(0) => break true,
            Ok(_) => {}
            Err(error) => break error.kind() != ErrorKind::WouldBlock,
        }
    };
    assert!(!closed);
    drop(half);
}

fn slow_requests_are_given_up() {
    let home = home();
    let (_board, url) = board(&home, "canyon");
    let (host, token) = parts(&url);
    let port = host.split_once(':').expect("a port").1;
    let mut page = listen(host, token);
    read_to(&mut page, "event: game");
    let head = connect(host, "GET / HTTP/1.1\r\nHost: ");
    let own = format!("Host: {host}\r\nOrigin: http://{host}\r\nCookie: quintain-{port}={token}\r\n");
    let body = connect(host, &format!("POST /command HTTP/1.1\r\n{own}Content-Length: 1000\r\n\r\n{{"));
    let begun = Instant::now();
    assert!(!read_to_end(head).contains(" 200 "));
    let answer = read_to_end(body);
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(begun.elapsed() < PATIENCE);
    // What is slow by intention goes on.
    let pause = r#"{"command":"pause","on":true}"#;
    let answer = request(
        host,
        &format!("POST /command HTTP/1.1\r\n{own}Content-Length: {}\r\n\r\n{pause}", pause.len()),
    );
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    read_to(&mut page, "\"paused\":true");
}

fn open_streams_are_bounded() {
    let home = home();
    let (_board, url) = board(&home, "canyon");
    let (host, token) = parts(&url);
    let listening = || {
        let mut page = listen(host, token);
        let head = read_to(&mut page, "\r\n\r\n");
        head.starts_with("HTTP/1.1 200 ").then_some(page).ok_or(head)
    };
    let mut pages = Vec::new();
    let refused = loop {
        match listening() {
            Ok(page) => pages.push(page),
            Err(head) => break head,
        }
        assert!(pages.len() < 1000, "there is no bound");
    };
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(pages.len() >= 50, "{}", pages.len());
    // Whoever leaves makes room.
    pages.truncate(10);
    let begun = Instant::now();
    while let Err(head) = listening() {
        assert!(begun.elapsed() < PATIENCE, "{head}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn foreign_requests_are_refused() {
    let home = home();
    let (_board, url) = board(&home, "canyon");
    let (host, token) = parts(&url);
    let port = host.split_once(':').expect("a port").1;
    let status = |text: String| request(host, &text).split(' ').nth(1).unwrap_or("").to_owned();
    let read = |host: &str, path: &str| status(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(read(&format!("evil.test:{port}"), &format!("/?token={token}")), "403");
    assert_eq!(read(host, "/"), "403");
    assert_eq!(read(host, "/?token=0"), "403");
    assert_eq!(read(host, "/events"), "403");
    assert_eq!(read(host, "/style.css"), "200");
    assert_eq!(read(host, "/nothing"), "404");
    assert_eq!(read(host, "/..%2fmod.rs"), "404");
    assert_eq!(read(host, &format!("/?token={token}")), "303");
    let post = |origin: &str, cookie: &str, body: &str| {
        let length = body.len();
        status(format!(
            "POST /command HTTP/1.1\r\nHost: {host}\r\n{origin}{cookie}Content-Length: {length}\r\n\r\n{body}"
        ))
    };
    let origin = format!("Origin: http://{host}\r\n");
    let cookie = format!("Cookie: quintain-{port}={token}\r\n");
    let pgn = r#"{"command":"pgn"}"#;
    assert_eq!(post(&origin, &cookie, pgn), "200");
    assert_eq!(post("", &cookie, pgn), "403");
    assert_eq!(post("Origin: http://127.0.0.1:1\r\n", &cookie, pgn), "403");
    assert_eq!(post("Origin: null\r\n", &cookie, pgn), "403");
    assert_eq!(post(&origin, "", pgn), "403");
    let wrong = [
        json!(""),
        json!({}),
        json!({ "command": "fly" }),
        json!({ "command": "play", "node": 0, "text": "a1a1" }),
        json!({ "command": "play", "node": 99, "text": "d3d4" }),
        json!({ "command": "moves", "node": 99 }),
        json!({ "command": "engine", "threads": 100_000, "hash": 64, "lines": 3 }),
        json!({ "command": "engine", "threads": 1, "hash": 1_000_000, "lines": 3 }),
        json!({ "command": "engine", "threads": 1, "hash": 64, "lines": 100 }),
        json!({ "command": "new", "game": "checkers", "engine": PEOPLE, "level": 0, "seconds": 1 }),
        json!({ "command": "new", "game": "chess", "engine": PEOPLE, "level": 21, "seconds": 1 }),
        json!({ "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1e9 }),
        json!({ "command": "new", "game": "chess", "engine": PEOPLE, "level": 0, "seconds": 1, "fen": "8/8" }),
        json!({ "command": "load", "text": "1. Ke8 *" }),
        json!({ "command": "load", "text": format!("{} *", "e4 ".repeat(20_000)) }),
    ];
    for body in wrong {
        assert_eq!(post(&origin, &cookie, &body.to_string()), "400", "{body}");
    }
    let body = "x".repeat(16_000_001);
    assert_eq!(post(&origin, &cookie, &body), "413");
}

/// Serves one page at a port of its own, until the test ends.
pub fn serve(page: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{page}", page.len());
        }
    });
    address
}

fn pages_of_other_origins_are_refused() {
    let home = home();
    let (_board, url) = board(&home, "canyon");
    let Some(browser) = Browser::start(&["--host-resolver-rules=MAP evil.test 127.0.0.1"]) else { return };
    let mut own = browser.board(&url);
    let (host, token) = parts(&url);
    // A name that was made to resolve to this computer.
    let mut rebound = browser.tab(&url.replace("127.0.0.1", "evil.test"));
    rebound.wait("document.body?.innerText.includes('not this computer')");
    // A page of another port of this computer, to which the browser sends our cookie.
    let mut other = browser.tab(&format!("http://{}/", serve("<!doctype html><title>other</title>hello")));
    other.wait("document.title === 'other'");
    let body = json!({ "command": "resign" });
    other.eval(&format!(
        "fetch('http://{host}/command', {{ method: 'POST', mode: 'no-cors', credentials: 'include', \
         body: JSON.stringify({body}) }}).then(() => true)"
    ));
    own.command(&json!({ "command": "pgn" }));
    assert_eq!(own.eval("quintain.game.status.end"), Value::Null);
    // Nor can it show the board in a frame.
    other.eval(&format!(
        "new Promise(done => {{ const frame = document.createElement('iframe'); frame.onload = () => done(true); \
         frame.src = 'http://{host}/?token={token}'; document.body.append(frame); }})"
    ));
    let violations = std::mem::take(&mut other.violations);
    assert!(violations.iter().any(|text| text.contains("frame-ancestors")), "{violations:?}");
    assert_eq!(own.eval("quintain.game.status.end"), Value::Null);
}
