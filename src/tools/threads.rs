//! Work in several threads.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// Runs `worker` in so many threads, and returns what each of them found. A panic in one of them goes on here.
pub fn in_threads<T: Send>(threads: usize, worker: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&worker)).collect();
        let join =
            |thread: ScopedJoinHandle<'_, T>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        threads.into_iter().map(join).collect()
    })
}
