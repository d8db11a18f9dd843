//! Long computations without the GIL, which Ctrl-C ends.

use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often to look for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` in another thread, and meanwhile lets go of the GIL. `work` can send messages; `on_message` gets them
/// in this thread. An exception, from there or from a signal handler, ends the computation by `stop`.
pub fn run<M: Send, T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn(M) + Sync)) -> T + Send,
    stop: impl Fn() + Sync,
    mut on_message: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = scope.spawn(move || work(&|message| drop(sender.send(message))));
            let ended = loop {
                let handled = match receiver.recv_timeout(PATIENCE) {
                    Ok(message) => Python::attach(|py| on_message(py, message)),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                if handled.is_err() {
                    break handled;
                }
            };
            // A search that is about to start would not notice a single stop.
            while ended.is_err() && !worker.is_finished() {
                stop();
                thread::sleep(Duration::from_millis(1));
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            ended.map(|()| result)
        })
    })
}
