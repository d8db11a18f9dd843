//! The program as a package: its version, the files that are installed with it, and processors that are too old.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod skip;

use std::fs;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_quintain");

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

#[test]
fn the_version_names_commit_features_and_processor() {
    let long = output(Command::new(PROGRAM).arg("--version"));
    let lines: Vec<&str> = text(&long.stdout).lines().collect();
    assert!(lines[0].starts_with(concat!("quintain ", env!("CARGO_PKG_VERSION"))), "{lines:?}");
    assert!(lines[1].starts_with("commit: "), "{lines:?}");
    assert_eq!(lines[2], "features: cli, web");
    let level = if cfg!(target_feature = "avx2") { "x86-64-v" } else { std::env::consts::ARCH };
    let level = level.replace('_', "-");
    assert!(lines[3].starts_with(&format!("processor: {level}")), "{lines:?}");
    let short = output(Command::new(PROGRAM).arg("-V"));
    assert_eq!(text(&short.stdout), concat!("quintain ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// A processor without AVX, BMI and so on. Without qemu, as in the tests of XBoard, nothing is done unless in CI.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn an_old_processor_gets_a_message() {
    let mut old = Command::new("qemu-x86_64");
    old.args(["-cpu", "Nehalem", PROGRAM, "--version"]);
    let run = match old.output() {
        Ok(run) => run,
        Err(error) => {
            return skip::skip(&format!("qemu-x86_64: {error} (Debian: apt-get install qemu-user)"));
        }
    };
    let told: Vec<&str> =
        text(&run.stderr).lines().filter(|line| !line.starts_with("qemu-x86_64: warning")).collect();
    if cfg!(target_feature = "avx2") {
        assert_eq!(run.status.code(), Some(1), "{told:?}");
        let [line] = told[..] else { panic!("{told:?}") };
        assert!(line.starts_with("quintain: this build needs a processor with avx"), "{line}");
        assert!(line.ends_with("; yours runs builds for x86-64-v2"), "{line}");
    } else {
        assert!(run.status.success(), "{told:?}");
    }
}

#[test]
fn a_package_has_pages_completions_and_engines() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = output(Command::new(PROGRAM).arg("package").arg(folder.path()));
    assert!(made.status.success(), "{}", text(&made.stderr));
    let share = folder.path().join("share");
    let read =
        |file: &str| fs::read_to_string(share.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(read("man/man6/quintain.6").contains("quintain\\-board(6)"));
    assert!(read("man/man6/quintain-match.6").contains("concurrency"));
    assert!(!share.join("man/man6/quintain-package.6").exists());
    assert!(read("bash-completion/completions/quintain").contains("--show-thinking"));
    assert!(read("zsh/vendor-completions/_quintain").starts_with("#compdef quintain"));
    assert!(read("fish/vendor_completions.d/quintain.fish").contains("show-thinking"));
    for game in quintain::engine::NAMES {
        let engine = read(&format!("games/plugins/xboard/quintain-{game}.eng"));
        assert!(engine.contains(";/usr/games/quintain\n"), "{engine}");
        // The drawings lie where the description says, once the folder is at /usr.
        for drawings in engine.split(' ').filter_map(|word| word.strip_prefix("/usr/share/")) {
            let drawings = drawings.split(';').next().unwrap_or(drawings);
            assert!(
                fs::read_dir(share.join(drawings)).is_ok_and(|mut files| files.next().is_some()),
                "{drawings}"
            );
        }
    }
}
