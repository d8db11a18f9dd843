//! The binary `quintain`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match quintain::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quintain: {error:#}");
            ExitCode::FAILURE
        }
    }
}
