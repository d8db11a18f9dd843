//! Tells the program from which commit it is built.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Debug builds do not name the commit: else the tests would be built again after each commit.
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if release { packaged().or_else(cloned) } else { None };
    println!("cargo::rustc-env=QUINTAIN_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    // For the test that `src/processor.rs` knows them all.
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=QUINTAIN_TARGET_FEATURES={features}");
}

/// The commit that cargo notes in the packages that it makes.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let hash = text.split('"').skip_while(|&word| word != "sha1").nth(2)?;
    hash.get(..10).map(str::to_owned)
}

/// The commit of a clone.
fn cloned() -> Option<String> {
    // Without this, a copy inside another repository would name a commit of that one.
    if !Path::new(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // This file changes with each commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
        println!("cargo::rerun-if-changed=src");
    }
    git(&["describe", "--always", "--exclude=*", "--abbrev=10", "--dirty"])
}
