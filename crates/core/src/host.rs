//! What the machine below gives: the time. A WebAssembly module without a system is told it by its host, and also what a
//! thread that there is not would tell a search.

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

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod here {
    use super::Signal;
    use std::sync::OnceLock;
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
}
