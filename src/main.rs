//! The binary `quintain`.

use quintain::tools::Interrupted;
use std::io::{self, Write};
use std::process::ExitCode;

/// What shells give for a program that Ctrl-C ends: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    match quintain::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody can read it, the exit status must do.
            let _ = writeln!(io::stderr(), "quintain: {error:#}");
            if error.is::<Interrupted>() { ExitCode::from(INTERRUPTED) } else { ExitCode::FAILURE }
        }
    }
}
