//! `quintain site`: the board as a folder of plain files, for any host.

use anyhow::{Context, Result, bail, ensure};
use quintain_board::site::{self, File};
use quintain_core::rules::setup::escaped;
use quintain_io as output;
use quintain_io::files::{self, MB};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The sources, of which a clone has the script that builds the module.
const SOURCES: &str = env!("CARGO_MANIFEST_DIR");
/// That script, and where it writes.
const SCRIPT: &str = ".ci/wasm";
const BUILT: &str = "target/wasm/site";
/// By this file it is known: the module with all games.
const ALL: &str = "modules/all.wasm.gz";
/// The largest of its files.
const MOST: u64 = 100 * MB;

/// Arguments of `quintain site`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain site public                           write a site, and put the folder on a host
  quintain site public && python3 -m http.server -d public
                                                 look at it here, at http://localhost:8000")]
pub struct Args {
    /// The folder: a new or empty one, or that of an earlier site, which is replaced
    folder: PathBuf,
    /// Where the program is as WebAssembly; without it, what was installed beside this program, or what a clone builds
    #[arg(long, value_name = "FOLDER")]
    wasm: Option<PathBuf>,
}

/// Writes the site.
pub fn run(args: Args) -> Result<()> {
    // Before what takes long.
    check(&args.folder)?;
    let program = match args.wasm {
        Some(folder) => program(&folder)?,
        None => program(&find()?)?,
    };
    let files = site::files(program);
    let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    write(&args.folder, &files)?;
    output::print(&format!(
        "{}: {} files, {:.1} MB. Put the folder on any host; it needs no server of its own.\n",
        shown(&args.folder),
        files.len(),
        size as f64 / MB as f64
    ))
}

fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy()).to_string()
}

// ---- The program as WebAssembly -------------------------------------------------------------------------

/// Where it is, once it is there.
fn find() -> Result<PathBuf> {
    let program = env::current_exe().context("where is this program?")?;
    let beside = program.parent().map(|folder| [folder.join("web"), folder.join("../share/quintain/web")]);
    if let Some(folder) = beside.into_iter().flatten().find(|folder| folder.join(ALL).is_file()) {
        return Ok(folder);
    }
    let (sources, script) = (Path::new(SOURCES), Path::new(SOURCES).join(SCRIPT));
    ensure!(
        script.is_file(),
        "this program came without its WebAssembly module: name its folder with --wasm, or build it in a clone with {SCRIPT}"
    );
    output::note!("Building the WebAssembly module with {SCRIPT}; the first time takes some minutes.");
    let status = Command::new(&script).current_dir(sources).status();
    let status = status.with_context(|| format!("cannot start {}", shown(&script)))?;
    ensure!(status.success(), "{SCRIPT} has failed");
    Ok(sources.join(BUILT))
}

/// Its files, also those in folders, by name.
fn program(folder: &Path) -> Result<Vec<File>> {
    ensure!(folder.join(ALL).is_file(), "'{}' has no {ALL}", shown(folder));
    let mut program = Vec::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        if !path.is_dir() {
            program.push((name, files::read(&path, MOST)?));
            continue;
        }
        for inner in names(&path)? {
            let bytes = files::read(&path.join(&inner), MOST)?;
            program.push((format!("{name}/{inner}"), bytes));
        }
    }
    Ok(program)
}

/// What is in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read '{}'", shown(folder)))?;
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let mut names = entries.map(name).collect::<io::Result<Vec<String>>>()?;
    names.sort();
    Ok(names)
}

// ---- The folder -----------------------------------------------------------------------------------------

/// Refuses a folder that has anything but an earlier site.
fn check(folder: &Path) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot write '{}'", shown(folder))),
    };
    let known = known(folder);
    for entry in entries {
        let name = entry?.file_name();
        if !name.to_str().is_some_and(|name| known.contains(name)) {
            bail!(
                "'{}' has '{}', which belongs to no site of this program: give the site a folder of its own",
                shown(folder),
                shown(Path::new(&name))
            );
        }
    }
    Ok(())
}

/// What the site in a folder has at its top.
fn known(folder: &Path) -> BTreeSet<String> {
    #[derive(serde::Deserialize)]
    struct List {
        program: String,
        files: Vec<String>,
    }
    let list = files::read(&folder.join(site::LIST), MB).ok();
    match list.and_then(|list| serde_json::from_slice::<List>(&list).ok()) {
        Some(List { program, files }) if program == "quintain" => {
            let top = |name: &String| name.split('/').next().unwrap_or_default().to_owned();
            files.iter().map(top).chain(site::OWN.map(str::to_owned)).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Writes the files into a folder beside, which then takes the place of the old one.
fn write(folder: &Path, files: &[File]) -> Result<()> {
    let beside = |ending: &str| {
        let name = folder.file_name().with_context(|| format!("'{}' has no name", shown(folder)))?;
        let mut name = name.to_owned();
        name.push(ending);
        anyhow::Ok(folder.with_file_name(name))
    };
    let (new, old) = (beside(".quintain-new")?, beside(".quintain-old")?);
    for left in [&new, &old] {
        // A program that was killed may have left one.
        if left.exists() {
            fs::remove_dir_all(left).with_context(|| format!("cannot remove '{}'", shown(left)))?;
        }
    }
    let filled = fill(&new, files).and_then(|()| {
        if folder.exists() {
            fs::rename(folder, &old).with_context(|| format!("cannot replace '{}'", shown(folder)))?;
        }
        fs::rename(&new, folder).with_context(|| format!("cannot write '{}'", shown(folder)))
    });
    if filled.is_err() {
        let _ = fs::remove_dir_all(&new);
        if !folder.exists() {
            let _ = fs::rename(&old, folder);
        }
    } else if old.exists() {
        fs::remove_dir_all(&old).with_context(|| format!("cannot remove '{}'", shown(&old)))?;
    }
    filled
}

fn fill(folder: &Path, files: &[File]) -> Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        let parent = path.parent().context("a file in a folder")?;
        fs::create_dir_all(parent).with_context(|| format!("cannot write '{}'", shown(parent)))?;
        files::write(&path, bytes)?;
    }
    Ok(())
}
