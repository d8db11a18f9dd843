//! The harness of test binaries that are also programs, as engines or beside them, and of those whose tests mostly wait.

use libtest_mimic::{Arguments, Trial};
use std::thread::available_parallelism;

/// A test with its name.
pub type Test = (&'static str, fn());

/// Functions as a list of tests, whose names begin with a prefix.
macro_rules! tests {
    ($prefix:literal: $($name:ident),* $(,)?) => {
        &[$((concat!($prefix, stringify!($name)), $name as fn())),*]
    };
}
pub(crate) use tests;

/// Runs tests by the command line, as the usual harness does, but on `threads` threads a core unless it says otherwise.
/// What tests print is shown.
pub fn run(tests: impl IntoIterator<Item = Test>, threads: usize) {
    let trial = |(name, test): Test| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(threads * available_parallelism().map_or(1, usize::from));
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit();
}
