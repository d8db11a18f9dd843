//! The program as a package: its version, the files that are installed with it, processors that are too old, and disks
//! that are full.

#[cfg(target_os = "linux")]
mod skip;

use std::fs;
use std::path::Path;
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

/// Runs a script of the shell in an empty folder on a disk of 16 KiB, and returns what it prints. `$QUINTAIN` is the
/// program, and `fill` takes all the room that is left. Without the right to mount, nothing is done unless in CI.
#[cfg(target_os = "linux")]
fn on_a_small_disk(script: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = format!(
        "mount -t tmpfs -o size=16k none {0} || exit 99\ncd {0}\n\
         fill() {{ dd if=/dev/zero of=filler bs=1024 2>&-; }}\n{script}",
        folder.path().display()
    );
    let mut shell = Command::new("unshare");
    shell.args(["--map-root-user", "--mount", "sh", "-c", &whole]).env("QUINTAIN", PROGRAM);
    shell.env("XDG_STATE_HOME", folder.path().join("state"));
    let run = match shell.output() {
        Ok(run) if run.status.code() != Some(99) && !text(&run.stderr).starts_with("unshare") => run,
        _ => {
            skip::skip("unshare cannot mount a disk");
            return None;
        }
    };
    Some(format!("{}{}", text(&run.stdout), text(&run.stderr)))
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_files_stay_as_they_were_and_the_person_is_told() {
    for (file, command) in [
        ("out.epd", "$QUINTAIN openings diamond --count 2 --plies 1 --nodes 100 --output out.epd"),
        ("out.pgn", "echo save out.pgn | $QUINTAIN play chess --two"),
    ] {
        let full = format!("fill; {command} 2>&1; rm filler; echo files: $(ls -A)");
        let Some(told) = on_a_small_disk(&full) else { return };
        let wanted = format!("cannot write '{file}': No space left on device");
        assert!(told.contains(&wanted) && told.ends_with("files:\n"), "{command}: {told}");
    }
    let replaced = "echo '# quintain openings old' > out.epd; fill
        $QUINTAIN openings diamond --count 2 --plies 1 --nodes 100 --output out.epd 2>&1; echo $?
        rm filler; echo files: $(ls -A), $(cat out.epd)";
    let Some(told) = on_a_small_disk(replaced) else { return };
    assert!(told.contains("No space left on device (os error 28)\n1\n"), "{told}");
    assert!(told.ends_with("files: out.epd, # quintain openings old\n"), "{told}");
    let package = "fill; $QUINTAIN package there; echo $?; rm filler; find there -type f";
    let Some(told) = on_a_small_disk(package) else { return };
    assert!(told.starts_with("1\nquintain: cannot "), "{told}");
}

#[test]
fn completions_and_man_pages_are_commands() {
    let said = |args: &[&str]| {
        let run = output(Command::new(PROGRAM).args(args));
        assert!(run.status.success(), "{args:?}: {}", text(&run.stderr));
        text(&run.stdout).to_owned()
    };
    for (shell, mark) in
        [("bash", "complete -F"), ("fish", "complete -c quintain"), ("zsh", "#compdef quintain")]
    {
        let script = said(&["completions", shell]);
        assert!(script.contains(mark) && script.contains("show-thinking"), "{shell}: {script}");
    }
    assert!(said(&["man"]).contains("quintain\\-play(6)"));
    let folder = tempfile::tempdir().expect("a folder");
    said(&["man", &folder.path().join("man6").to_string_lossy()]);
    let play = fs::read_to_string(folder.path().join("man6/quintain-play.6")).expect("a page");
    assert!(play.contains("\\-\\-level"), "{play}");
    let help = said(&["--help"]);
    assert!(help.contains("\n  completions ") && help.contains("\n  man "), "{help}");
}

/// `quintain tables` with these arguments, in a folder.
fn tables(folder: &Path, arguments: &[&str]) -> Output {
    output(Command::new(PROGRAM).arg("tables").args(arguments).arg("--dir").arg(folder))
}

#[test]
fn tables_are_built_once_verified_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let run = tables(folder.path(), arguments);
        assert!(run.status.success(), "{arguments:?}: {}", text(&run.stderr));
        text(&run.stdout).to_owned()
    };
    run(&["build", "canyon", "KvKQ"]);
    assert_eq!(run(&["build", "canyon", "KQvK"]), "All these tables are there already.\n");
    assert_eq!(run(&["verify", "canyon"]), "1 tables are right.\n");
    let shown: [serde_json::Value; 2] = ["KQvK", "KvKQ"]
        .map(|material| serde_json::from_str(&run(&["show", "canyon", material, "--json"])).expect("JSON"));
    let [asked, flipped] = &shown;
    assert_eq!((&asked["game"], &asked["material"]), (&"canyon".into(), &"KQvK".into()));
    assert_eq!(flipped["material"], "KvKQ");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    for (object, ten) in [(asked, false), (&asked["ten_moves"], true)] {
        let [white, black] = [&object["white"], &object["black"]];
        for side in [white, black] {
            let parts = ["won", "drawn", "lost"].map(|name| number(&side[name]));
            assert_eq!(parts.iter().sum::<u64>(), number(&side["positions"]), "{side}");
        }
        assert_eq!(number(&white["lost"]) + number(&black["won"]), 0);
        assert!(number(&black["mated"]) > 0 && number(&white["longest"]) % 2 == 1);
        assert!(!ten || number(&black["longest"]) <= 20);
        // The same with the colours exchanged.
        let other = if ten { &flipped["ten_moves"] } else { flipped };
        for name in ["positions", "won", "drawn", "lost", "mated", "sum_plies"] {
            assert_eq!(
                (&white[name], &black[name]),
                (&other["black"][name], &other["white"][name]),
                "{name}"
            );
        }
        assert_eq!(
            (number(&other["white"]["longest"]), &other["white"]["example"]),
            (0, &serde_json::Value::Null)
        );
    }
    let people = run(&["show", "canyon", "KQvK"]);
    assert!(people.contains("The longest win of White") && people.trim_end().ends_with('#'), "{people}");
    assert!(run(&["report", "canyon"]).contains("### One piece against a bare king"));
}

#[test]
fn tables_that_are_missing_or_damaged_are_told_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = |arguments: &[&str]| {
        let run = tables(folder.path(), arguments);
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        text(&run.stderr).to_owned()
    };
    let hint = format!("quintain tables build diamond KNvK --dir '{}' makes it", folder.path().display());
    assert!(error(&["show", "diamond", "KNvK"]).contains(&hint));
    assert!(error(&["build", "diamond", "KQvK"]).contains("'KQvK' has 'Q', which is no capital letter"));
    assert!(error(&["build", "chess", "KQvKR", "--memory", "1"]).contains("MB, more than the 1 MB allowed"));
    assert!(tables(folder.path(), &["build", "diamond", "KNvK"]).status.success());
    let file = folder.path().join("diamond").join("KNvK.qtable");
    let bytes = fs::read(&file).expect("the table");
    let nowhere = tables(&folder.path().join("none"), &["report"]);
    assert!(nowhere.status.code() == Some(1) && text(&nowhere.stderr).contains("no tables"), "{nowhere:?}");
    for (damaged, told) in [
        (&bytes[..bytes.len() - 1], "it is cut short"),
        (&bytes[1..], "it is no endgame table of this version"),
    ] {
        fs::write(&file, damaged).expect("a file");
        let told_here = error(&["show", "diamond", "KNvK", "--json"]);
        assert!(told_here.contains(told) && told_here.contains("KNvK.qtable"), "{told_here}");
        let again = tables(folder.path(), &["build", "diamond", "KNvK"]);
        assert!(text(&again.stderr).contains(&format!("KNvK.qtable' is built again: {told}")), "{again:?}");
        assert_eq!(fs::read(&file).expect("the table"), bytes);
    }
}

/// A game that no profile names would be compiled without optimisation.
#[test]
fn every_game_is_optimised() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    for game in fs::read_dir(root.join("crates/games")).expect("the games") {
        let game = game.expect("a game").path();
        if !game.is_dir() {
            continue;
        }
        let name = game.file_name().and_then(|name| name.to_str()).expect("a name");
        let release =
            format!("[profile.release.package.quintain-{name}]\nopt-level = 3\ncodegen-units = 1\n");
        assert!(manifest.contains(&release), "{name}");
        assert!(manifest.contains(&format!("\nquintain-{name}.opt-level = 1\n")), "{name}");
    }
}
