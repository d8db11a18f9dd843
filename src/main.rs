//! The binary `quintain`.

use quintain_io::{INTERRUPTED, Interrupted};
use std::io::{self, Write};
use std::process::ExitCode;

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

/// Ends the program with a message if the processor is too old for this build.
///
/// The system calls it before `main`, and it does without the standard library: the start of that may be compiled for
/// the newer processor too.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod processor {
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static CHECK: extern "C" fn() = check;

    extern "C" fn check() {
        // SAFETY: the text is valid for its length, and the C library is ready when it calls such functions.
        let say = |text: &str| unsafe {
            libc::write(2, text.as_ptr().cast(), text.len() as _);
        };
        let mut start = "quintain: ";
        let suffices = quintain::processor::suffices(&mut |part| {
            say(start);
            say(part);
            start = "";
        });
        if !suffices {
            say("\n");
            // SAFETY: nothing has to be tidied up.
            unsafe { libc::_exit(1) }
        }
    }
}
