//! An engine as a process, with line input and output and timeouts.

use super::settings::EngineSpec;
use anyhow::{Context, Result, ensure};
use quintain_core::rules::setup::escaped;
use quintain_io::files;
use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a game could not go on with an engine.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The engine ended; how.
    #[error("{0}")]
    Crashed(String),
    /// It does not answer; to what.
    #[error("{0}")]
    Stalled(String),
    /// It violated the protocol; how.
    #[error("{0}")]
    Breach(String),
    /// Not the engine's fault: the match is being stopped.
    #[error("interrupted")]
    Interrupted,
}

/// Why an engine did not get ready, and the last lines of the conversation.
pub type Unready = (Failure, Vec<String>);

/// A stop flag, shared by all threads of a match.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicUsize>);

const SOON: usize = 1;
const NOW: usize = 2;

impl Stop {
    /// No new game is to be started.
    pub fn soon(&self) {
        self.0.fetch_max(SOON, Relaxed);
    }

    /// Running games are aborted.
    pub fn now(&self) {
        self.0.fetch_max(NOW, Relaxed);
    }

    /// Running games are aborted when the system asks the program to terminate, or its terminal is closed.
    pub fn now_at_termination(&self) -> std::io::Result<()> {
        #[cfg(unix)]
        {
            use signal_hook::{consts, flag};
            flag::register_usize(consts::SIGTERM, Arc::clone(&self.0), NOW)?;
            if !ignores(consts::SIGHUP) {
                flag::register_usize(consts::SIGHUP, Arc::clone(&self.0), NOW)?;
            }
        }
        Ok(())
    }

    /// Should no new game be started?
    pub fn is_soon(&self) -> bool {
        self.0.load(Relaxed) >= SOON
    }

    /// Should running games be aborted?
    pub fn is_now(&self) -> bool {
        self.0.load(Relaxed) >= NOW
    }
}

/// Was the program started to ignore a signal, as `nohup` does? Where the system does not say, it is left as it is.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The most lines that wait to be read; then the engine has to wait.
const WAITING: usize = 4096;
/// The longest line in bytes that is kept; the rest is dropped.
const LONGEST: usize = 1 << 16;
/// Lines kept for the log.
const REMEMBERED: usize = 16;
/// Characters of a line kept for the log.
const REMEMBERED_LENGTH: usize = 300;
/// How often a waiting thread looks whether the match is being stopped, or the engine has ended.
const LOOK: Duration = Duration::from_millis(100);
/// How long an engine may take to quit.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// Windows' flag for a process that does not get the keyboard interrupts of ours.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

type Memory = VecDeque<String>;

/// A running engine.
pub struct Process {
    child: Child,
    /// How it ended, if it has.
    status: Option<ExitStatus>,
    /// Text for `writer`.
    texts: Sender<Vec<u8>>,
    /// Writes to the engine until that takes nothing more. An engine that does not read keeps only this thread waiting.
    writer: JoinHandle<()>,
    lines: Receiver<(Instant, String)>,
    /// A line that came after the deadline of those who waited.
    late: Option<(Instant, String)>,
    memory: Memory,
    errors: Arc<Mutex<Memory>>,
    /// Reads `errors` until the engine closes them.
    listener: JoinHandle<()>,
    stop: Stop,
    gone: bool,
}

impl Process {
    /// Starts the program of an engine.
    pub fn start(spec: &EngineSpec, stop: &Stop) -> Result<Process> {
        if let Some(dir) = &spec.dir {
            ensure!(dir.is_dir(), "dir: there is no directory '{}'", dir.display());
        }
        let program = find(&spec.cmd, spec.dir.as_deref());
        let mut command = Command::new(&program);
        command.args(&spec.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        // Keyboard interrupts are for the match, not for its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
        let mut child = command.spawn().with_context(|| format!("cannot start '{}'", program.display()))?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            anyhow::bail!("cannot open pipes to '{}'", program.display());
        };
        let (texts, to_write) = channel::<Vec<u8>>();
        let write = move || {
            for text in to_write {
                if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        };
        let writer = thread::Builder::new().name("to engine".into()).spawn(write)?;
        let (sender, lines) = sync_channel(WAITING);
        let read = move || {
            each_line(stdout, |line| sender.send((Instant::now(), line)).is_ok());
        };
        thread::Builder::new().name("engine".into()).spawn(read)?;
        let errors = Arc::new(Mutex::new(Memory::new()));
        let for_thread = Arc::clone(&errors);
        let read = move || {
            each_line(stderr, |line| {
                remember(&mut lock(&for_thread), "stderr: ", &line);
                true
            });
        };
        let listener = thread::Builder::new().name("engine errors".into()).spawn(read)?;
        let (memory, stop) = (Memory::new(), stop.clone());
        Ok(Process {
            child,
            status: None,
            texts,
            writer,
            lines,
            late: None,
            memory,
            errors,
            listener,
            stop,
            gone: false,
        })
    }

    /// Sends a line, or several with line ends between them, and does not wait until the engine has read them.
    pub fn send(&mut self, text: &str) -> Result<(), Failure> {
        for line in text.lines() {
            remember(&mut self.memory, "> ", line);
        }
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        // A single write, so that the engine wakes up once.
        self.texts.send(bytes).map_err(|_| self.crashed())
    }

    /// The next line and when it came; `None` if there is none until `deadline`.
    pub fn next(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Failure> {
        loop {
            if self.stop.is_now() {
                return Err(Failure::Interrupted);
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            let received = match self.late.take() {
                Some(line) => Ok(line),
                None => self.lines.recv_timeout(wait.min(LOOK)),
            };
            match received {
                // Otherwise an engine that talks without a pause would have no deadline.
                Ok(line) if line.0 > deadline => {
                    self.late = Some(line);
                    return Ok(None);
                }
                Ok((at, line)) => {
                    remember(&mut self.memory, "< ", &line);
                    return Ok(Some((at, line)));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
                // What it started itself may hold the pipes, so their end cannot be relied on.
                Err(RecvTimeoutError::Timeout) if self.ended().is_some() => {
                    match self.lines.recv_timeout(QUIT_TIME) {
                        Ok(last) => self.late = Some(last),
                        Err(_) => return Err(self.crashed()),
                    }
                }
                Err(RecvTimeoutError::Timeout) if self.writer.is_finished() => return Err(self.crashed()),
                Err(RecvTimeoutError::Timeout) if wait <= LOOK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that arrived before `until`, if it has not been taken yet.
    pub fn waiting(&mut self, until: Instant) -> Result<Option<String>, Failure> {
        let received = match self.late.take() {
            Some(line) => Ok(line),
            None => self.lines.try_recv(),
        };
        match received {
            Ok(line) if line.0 > until => {
                self.late = Some(line);
                Ok(None)
            }
            Ok((_, line)) => {
                remember(&mut self.memory, "< ", &line);
                Ok(Some(line))
            }
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(self.crashed()),
        }
    }

    /// The last lines of the conversation, `>` before ours, `<` before the engine's, and its standard
    /// error as far as it has been read. Only [`Process::end`] returns all of that.
    pub fn last_lines(&mut self) -> Vec<String> {
        let mut lines = self.conversation();
        lines.extend(lock(&self.errors).iter().cloned());
        lines
    }

    /// Ends the engine and returns [`Process::last_lines`], with all that it wrote to standard error before.
    pub fn end(mut self) -> Vec<String> {
        let mut lines = self.conversation();
        self.leave();
        // Standard error is read by another thread, which is done when the pipe is closed.
        poll(QUIT_TIME, || self.listener.is_finished().then_some(()));
        lines.extend(lock(&self.errors).iter().cloned());
        lines
    }

    fn conversation(&mut self) -> Vec<String> {
        // Not without end, should it never stop talking.
        for (_, line) in self.late.take().into_iter().chain(self.lines.try_iter().take(WAITING)) {
            remember(&mut self.memory, "< ", &line);
        }
        self.memory.iter().cloned().collect()
    }

    /// Asks the engine to quit, and kills it if it does not.
    fn leave(&mut self) {
        let asked = !self.gone && !self.stop.is_now() && self.send("quit").is_ok();
        self.gone = true;
        // Without the check it might be the number of another process by now.
        let ended = if asked { self.wait(QUIT_TIME) } else { self.ended() };
        if ended.is_none() {
            kill(&mut self.child);
            self.wait(QUIT_TIME);
        }
    }

    /// The engine closed its output or does not take input.
    fn crashed(&mut self) -> Failure {
        if self.stop.is_now() {
            return Failure::Interrupted;
        }
        self.gone = true;
        // It may take a moment to end, and its last lines to arrive.
        let end = self.wait(QUIT_TIME);
        poll(QUIT_TIME, || self.listener.is_finished().then_some(()));
        match end {
            Some(status) => Failure::Crashed(ending(status)),
            None => Failure::Crashed("it closed its pipes".into()),
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        poll(patience, || self.ended())
    }

    /// How it ended, if it has. What it started itself is ended then.
    fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                kill(&mut self.child);
            }
        }
        self.status
    }
}

/// Kills an engine and all that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::{sys::signal, unistd::Pid};
        // The group of processes that began with it; an error says that nobody is left.
        let _ = signal::killpg(Pid::from_raw(child.id().cast_signed()), signal::Signal::SIGKILL);
    }
    #[cfg(windows)]
    if let Ok(None) = child.try_wait() {
        let mut tree = Command::new("taskkill");
        tree.args(["/F", "/T", "/PID", &child.id().to_string()]);
        let _ = tree.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
    // An error says that it has ended.
    let _ = child.kill();
}

/// Polls `look` until it returns something or `patience` ends.
fn poll<T>(patience: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        let found = look();
        if found.is_some() || begun.elapsed() >= patience {
            return found;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.leave();
    }
}

/// How a process ended.
fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("it was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("it ended with exit code {code}"),
        None => "it ended".into(),
    }
}

/// The path to run: a name without a slash is looked up as usual, a path is relative to the current directory, or
/// else to the engine's directory.
fn find(cmd: &str, dir: Option<&Path>) -> PathBuf {
    let here = Path::new(cmd);
    let in_dir = dir.map(|dir| dir.join(cmd)).filter(|path| path.is_file());
    if here.components().count() > 1 {
        let path = if here.is_file() { here.to_owned() } else { in_dir.unwrap_or_else(|| here.to_owned()) };
        return path.canonicalize().unwrap_or(path);
    }
    in_dir.and_then(|path| path.canonicalize().ok()).unwrap_or_else(|| here.to_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remember(memory: &mut Memory, mark: &str, line: &str) {
    if memory.len() == REMEMBERED {
        memory.pop_front();
    }
    let mut text = String::with_capacity(mark.len() + line.len().min(REMEMBERED_LENGTH));
    text += mark;
    match line.char_indices().nth(REMEMBERED_LENGTH) {
        None => text += line,
        // Of a long line the end is kept too: it has the last moves.
        Some(_) => {
            let half = REMEMBERED_LENGTH / 2;
            text.extend(line.chars().take(half));
            text += " ... ";
            text.extend(line.chars().skip(line.chars().count() - half));
        }
    }
    memory.push_back(text);
}

/// Calls `take` with each line, until it returns false or the pipe ends.
fn each_line(pipe: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(pipe);
    while let Some((line, _)) = files::read_line(&mut reader, LONGEST) {
        if !take(clean(&line)) {
            return;
        }
    }
}

/// A line of an engine, without control characters.
fn clean(line: &str) -> String {
    escaped(&line.replace('\t', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        let line = "info\tstring \u{1b}[31mred\u{7} \u{9b}2J caf\u{e9}\0";
        assert_eq!(clean(line), "info string \\u{1b}[31mred\\u{7} \\u{9b}2J caf\u{e9}\\u{0}");
    }
}
