//! The server under requests that no browser would send: half ones, slow ones, too many.

use super::browser::{board, request, start};
use super::harness::{Test, tests};
use super::{home, parts};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

pub const TESTS: &[Test] = tests!("connections::":
    half_sent_requests_keep_nobody_out,
    slow_requests_are_given_up,
    open_streams_are_bounded,
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
