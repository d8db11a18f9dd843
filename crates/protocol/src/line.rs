//! Input and output by lines.

use quintain_io::files;
use std::fmt::Display;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Duration;

/// The next input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line, without blanks around it; it may be empty.
    Line(String),
    /// Nothing yet.
    Nothing,
    /// The end of the input.
    End,
}

/// Lines read by a thread of their own, so that others can check for input without waiting.
pub struct Lines {
    receiver: Receiver<String>,
}

/// The longest line in bytes; a `position` with ten thousand moves is shorter.
const LONGEST: usize = 1 << 20;
/// Replaces a longer line. No command begins like this, so the answer is that it is unknown.
pub const TOO_LONG: &str = "(line too long)";
/// The most lines that wait to be handled; then the reader waits.
const WAITING: usize = 1024;

impl Lines {
    /// The lines of standard input.
    pub fn from_stdin() -> io::Result<Lines> {
        Lines::new(io::BufReader::new(io::stdin()))
    }

    /// The lines of `reader`.
    pub fn new(mut reader: impl BufRead + Send + 'static) -> io::Result<Lines> {
        let (sender, receiver) = sync_channel(WAITING);
        let read = move || {
            while let Some(line) = read_line(&mut reader) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("input".into()).spawn(read)?;
        Ok(Lines { receiver })
    }

    /// Waits for the next line; `None` at the end.
    pub fn recv(&self) -> Option<String> {
        self.receiver.recv().ok()
    }

    /// The next line, if there is one yet.
    pub fn try_recv(&self) -> Input {
        match self.receiver.try_recv() {
            Ok(line) => Input::Line(line),
            Err(TryRecvError::Empty) => Input::Nothing,
            Err(TryRecvError::Disconnected) => Input::End,
        }
    }

    /// Waits for the next line, but not longer than `time`.
    pub fn recv_timeout(&self, time: Duration) -> Input {
        match self.receiver.recv_timeout(time) {
            Ok(line) => Input::Line(line),
            Err(RecvTimeoutError::Timeout) => Input::Nothing,
            Err(RecvTimeoutError::Disconnected) => Input::End,
        }
    }

    /// Waits for the first line that is not empty; `None` at the end.
    pub fn first(&self) -> Option<String> {
        self.receiver.iter().find(|line| !line.is_empty())
    }
}

/// Reads a line; [`TOO_LONG`] stands for one that is too long. `None` at the end and when reading fails.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let (line, cut) = files::read_line(reader, LONGEST)?;
    Some(if cut { TOO_LONG.into() } else { line })
}

/// What was said in place of printing it, while a fuzzed session goes on.
#[cfg(any(test, feature = "fuzz"))]
pub(super) static SAID: std::sync::Mutex<Option<Vec<String>>> = std::sync::Mutex::new(None);

/// Prints a line at once, whole even when several threads print. Ends the program quietly if the output is closed. A
/// WebAssembly module has no output, and its host gets the line.
pub fn say(line: impl Display) {
    #[cfg(any(test, feature = "fuzz"))]
    if let Some(said) = &mut *SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return said.push(line.to_string());
    }
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return send(&line.to_string());
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    print(line);
}

/// Hands a text to the host, by its function `send` with the address and the length.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn send(text: &str) {
    #[link(wasm_import_module = "quintain")]
    #[allow(unsafe_code)]
    unsafe extern "C" {
        safe fn send(text: *const u8, length: usize);
    }
    send(text.as_ptr(), text.len());
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn print(line: impl Display) {
    use std::io::Write;
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(bytes: &[u8]) -> Vec<String> {
        let lines = Lines::new(io::Cursor::new(bytes.to_vec())).unwrap();
        std::iter::from_fn(|| lines.recv()).collect()
    }

    #[test]
    fn lines_end_in_every_fashion_and_may_hold_any_byte() {
        assert_eq!(all(b"uci\r\n\n  go  \nquit"), ["uci", "", "go", "quit"]);
        assert_eq!(all(b"a\xff\xfe\0b\n"), ["a\u{fffd}\u{fffd}\0b"]);
        assert_eq!(all(b""), [""; 0]);
    }

    #[test]
    fn a_line_too_long_is_replaced_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend(b"\nquit\n");
        assert_eq!(all(&bytes), [TOO_LONG, "quit"]);
        assert_eq!(all(&vec![b'x'; LONGEST + 1]), [TOO_LONG]);
    }

    #[test]
    fn whoever_looks_sees_the_line_the_wait_and_the_end() {
        let (read, mut write) = io::pipe().unwrap();
        let lines = Lines::new(io::BufReader::new(read)).unwrap();
        assert_eq!(lines.try_recv(), Input::Nothing);
        assert_eq!(lines.recv_timeout(Duration::from_millis(1)), Input::Nothing);
        write.write_all(b"\n\nstop\n").unwrap();
        assert_eq!(lines.first().as_deref(), Some("stop"));
        drop(write);
        assert_eq!(lines.recv_timeout(Duration::from_secs(10)), Input::End);
        assert_eq!(lines.try_recv(), Input::End);
        assert_eq!(lines.recv(), None);
    }
}
