//! Waiting for input while a command works.

use crate::line::{Input, Lines};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Says whether a command that is not a search is to end.
pub trait Watch {
    /// Does `work`, which asks again and again whether it is to end. Some time after the end of the input it is.
    fn during<T: Send>(
        &mut self,
        after_end: Duration,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
    ) -> thread::Result<T>;
}

/// Reads lines meanwhile, and keeps them.
pub(super) struct Reader<'a> {
    lines: &'a Lines,
    waiting: VecDeque<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lines: &'a Lines) -> Self {
        Reader { lines, waiting: VecDeque::new() }
    }

    /// The next line, one that was kept first; `None` at the end.
    pub(super) fn next(&mut self) -> Option<String> {
        self.waiting.pop_front().or_else(|| self.lines.recv())
    }
}

impl Watch for Reader<'_> {
    /// Works in a thread of its own, which is told to end when there is a `stop` among the lines, or some time after `quit`
    /// or the end of the input. The `stop` stays there, for it also ends the searches that wait before it.
    fn during<T: Send>(
        &mut self,
        after_end: Duration,
        work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
    ) -> thread::Result<T> {
        const LOOK: Duration = Duration::from_millis(5);
        let (lines, waiting) = (self.lines, &mut self.waiting);
        let stop = AtomicBool::new(waiting.iter().any(|line| line == "stop"));
        let mut last = waiting.iter().any(|line| line == "quit").then(Instant::now);
        thread::scope(|scope| {
            let working = scope.spawn(|| work(&|| stop.load(Relaxed)));
            while !working.is_finished() {
                match lines.recv_timeout(LOOK) {
                    Input::Line(line) => {
                        match line.as_str() {
                            "stop" => stop.store(true, Relaxed),
                            "quit" => last = last.or_else(|| Some(Instant::now())),
                            _ => {}
                        }
                        waiting.push_back(line);
                    }
                    Input::Nothing => {}
                    Input::End => {
                        last.get_or_insert_with(Instant::now);
                        thread::sleep(LOOK);
                    }
                }
                if last.is_some_and(|last| last.elapsed() > after_end) {
                    stop.store(true, Relaxed);
                }
            }
            working.join()
        })
    }
}
