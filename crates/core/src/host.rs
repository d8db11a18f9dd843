//! What the machine below gives: the time, and threads. A WebAssembly module without a system is told the time by its host,
//! and also what another thread would tell a search; and it has the threads that the host lends, if any.

use std::time::Duration;

/// This moment: how long it is after a fixed one. It never goes back.
pub fn now() -> Duration {
    here::now()
}

/// The date: the time since 1970 by the clock of the system.
pub fn date() -> Duration {
    here::date()
}

/// What the host has to say to the search that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Nothing: go on.
    None,
    /// Stop.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
}

/// Asks the host. Where there are threads, it never says anything: another thread stops a search.
#[inline]
pub fn signal() -> Signal {
    here::signal()
}

/// How many threads this program can have that work at the same time.
pub fn threads() -> usize {
    here::threads()
}

/// Runs `first` here, and each of `others` in a thread of its own with a stack of so many bytes, as far as threads can be
/// had. Those must end soon after `first`; this returns when they have. What they panic about is dropped.
pub fn beside<'a, T>(
    stack: usize,
    others: impl Iterator<Item: FnOnce() + Send + 'a>,
    first: impl FnOnce() -> T,
) -> T {
    here::beside(stack, others, first)
}

/// Lends this thread to the others of a WebAssembly module, for ever.
#[cfg(all(target_family = "wasm", target_os = "unknown", target_feature = "atomics"))]
pub fn help() -> ! {
    here::help()
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod here {
    use super::Signal;
    use std::sync::OnceLock;
    use std::thread;
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    pub fn now() -> Duration {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }

    pub fn date() -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    #[inline]
    pub fn signal() -> Signal {
        Signal::None
    }

    pub fn threads() -> usize {
        thread::available_parallelism().map_or(1, usize::from)
    }

    pub fn beside<'a, T>(
        stack: usize,
        others: impl Iterator<Item: FnOnce() + Send + 'a>,
        first: impl FnOnce() -> T,
    ) -> T {
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (id, work) in (1..).zip(others) {
                let thread = thread::Builder::new().stack_size(stack).name(format!("search {id}"));
                match thread.spawn_scoped(scope, work) {
                    Ok(handle) => helpers.push(handle),
                    Err(_) => break,
                }
            }
            let result = first();
            helpers.into_iter().for_each(|handle| drop(handle.join()));
            result
        })
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod here {
    use super::Signal;
    use std::time::Duration;

    mod imports {
        #[link(wasm_import_module = "quintain")]
        #[allow(unsafe_code)]
        unsafe extern "C" {
            /// Milliseconds since 1970, which never go back.
            pub safe fn now() -> f64;
            /// 0 for nothing, 1 to stop the search that runs, 2 for a ponder hit.
            pub safe fn signal() -> i32;
            /// How many threads there are, with this one.
            pub safe fn threads() -> i32;
        }
    }

    pub fn now() -> Duration {
        Duration::try_from_secs_f64(imports::now() / 1000.0).unwrap_or_default()
    }

    pub fn date() -> Duration {
        now()
    }

    pub fn signal() -> Signal {
        match imports::signal() {
            0 => Signal::None,
            2 => Signal::PonderHit,
            _ => Signal::Stop,
        }
    }

    pub fn threads() -> usize {
        usize::try_from(imports::threads()).unwrap_or(1).max(1)
    }

    #[cfg(not(target_feature = "atomics"))]
    pub fn beside<'a, T>(
        _stack: usize,
        _others: impl Iterator<Item: FnOnce() + Send + 'a>,
        first: impl FnOnce() -> T,
    ) -> T {
        first()
    }

    #[cfg(target_feature = "atomics")]
    pub use lent::{beside, help};

    /// Threads that the host lends, with stacks of their own.
    #[cfg(target_feature = "atomics")]
    mod lent {
        use std::mem::transmute;
        use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

        type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

        /// What is to be done, and how much is being done.
        struct Work {
            jobs: Vec<Job<'static>>,
            running: usize,
        }

        static WORK: Mutex<Work> = Mutex::new(Work { jobs: Vec::new(), running: 0 });
        static CHANGED: Condvar = Condvar::new();

        fn lock() -> MutexGuard<'static, Work> {
            WORK.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn wait_while(
            work: MutexGuard<'static, Work>,
            condition: fn(&mut Work) -> bool,
        ) -> MutexGuard<'static, Work> {
            CHANGED.wait_while(work, condition).unwrap_or_else(PoisonError::into_inner)
        }

        pub fn help() -> ! {
            let mut work = lock();
            loop {
                work = wait_while(work, |work| work.jobs.is_empty());
                let job = work.jobs.pop();
                work.running += 1;
                drop(work);
                job.into_iter().for_each(|job| job());
                work = lock();
                work.running -= 1;
                CHANGED.notify_all();
            }
        }

        #[allow(unsafe_code)]
        pub fn beside<'a, T>(
            _stack: usize,
            others: impl Iterator<Item: FnOnce() + Send + 'a>,
            first: impl FnOnce() -> T,
        ) -> T {
            let jobs = others.map(|work| {
                let job: Job<'a> = Box::new(work);
                // SAFETY: this function returns when no thread has a job any more, and a panic ends the module.
                unsafe { transmute::<Job<'a>, Job<'static>>(job) }
            });
            lock().jobs.extend(jobs);
            CHANGED.notify_all();
            let result = first();
            let mut work = lock();
            // What nobody has begun is of no use.
            work.jobs.clear();
            drop(wait_while(work, |work| work.running > 0));
            result
        }
    }
}
