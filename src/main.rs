//! The binary `quintain`.

use quintain::tools::Interrupted;
use std::io::{self, Write};
use std::process::ExitCode;

/// The exit status of a program that was ended by Ctrl-C: 128 plus the number of the signal.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    match quintain::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the exit status has to suffice.
            let _ = writeln!(io::stderr(), "quintain: {error:#}");
            if error.is::<Interrupted>() { ExitCode::from(INTERRUPTED) } else { ExitCode::FAILURE }
        }
    }
}
