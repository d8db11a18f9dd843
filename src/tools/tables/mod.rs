//! `quintain tables`: endgame tables.

mod report;
mod show;

use crate::engine::{self, NAMES};
use crate::tables::{Endings, Material, Table, TableError, Tables, Work, bundle};
use anyhow::{Context, Result, ensure};
use clap::{Subcommand, value_parser};
use quintain_io as output;
use quintain_io::tables::SUFFIX;
use quintain_io::{Interrupted, files, note};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Arguments of `quintain tables`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Build tables, with all that they need; those that are there already are not built again
    Build(BuildArgs),
    /// Check every entry of tables by the moves of its position
    Verify(VerifyArgs),
    /// Show what is in a table
    Show(show::Args),
    /// Write a report of all tables in the folder, as Markdown
    Report(report::Args),
    /// Put the tables of three pieces into one file, for the program to have them built in
    #[command(hide = true)]
    Bundle(BundleArgs),
}

/// Which tables, and where.
#[derive(clap::Args, Debug)]
struct Which {
    /// The game
    game: String,
    /// The pieces, White's first: KQvK is king and queen against king
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All tables of up to so many pieces, kings included
    #[arg(long, value_name = "N", conflicts_with = "materials", value_parser = value_parser!(u8).range(3..=6))]
    pieces: Option<u8>,
    #[command(flatten)]
    place: Place,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::engine::options::threads)]
    threads: usize,
}

#[derive(clap::Args, Debug)]
struct Place {
    /// The folder of the tables; if left out, the program's own
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// Arguments of `quintain tables build`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Captures and promotions lead to tables of other pieces, which are built first.
A table is written when it is complete, so the work can be stopped at any time,
and goes on where it was when the command is given again. Several machines can
share the work if each is given other materials.

Examples:
  quintain tables build diamond --pieces 4
  quintain tables build canyon KMvKA KQvKNN --threads 2")]
struct BuildArgs {
    #[command(flatten)]
    which: Which,
    /// The most memory to use, in MB
    #[arg(long, value_name = "MB", default_value_t = 4000, value_parser = value_parser!(u64).range(1..))]
    memory: u64,
}

/// Arguments of `quintain tables verify`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Without a material and --pieces all tables in the folder are checked. The tables
that a table needs must be there too.")]
struct VerifyArgs {
    #[command(flatten)]
    which: Which,
}

/// Arguments of `quintain tables bundle`.
#[derive(clap::Args, Debug)]
struct BundleArgs {
    /// The file to write
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Build(args) => build(&args),
        Command::Verify(args) => verify(&args),
        Command::Show(args) => show::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Bundle(args) => make_bundle(&args),
    }
}

/// The tables of a game in a folder.
struct Store {
    endings: &'static dyn Endings,
    folder: PathBuf,
    loaded: Tables,
}

/// The most bytes of a table's file.
const MOST: u64 = 100_000 * files::MB;

impl Store {
    fn open(game: &str, place: &Place) -> Result<Store> {
        let endings = engine::endings(game)?;
        let folder = match &place.dir {
            Some(folder) => folder.clone(),
            None => {
                output::tables::folder().context("there is no folder for tables, so name one with --dir")?
            }
        };
        let folder = folder.join(endings.game());
        Ok(Store { endings, folder, loaded: Tables::new() })
    }

    fn path(&self, material: &Material) -> PathBuf {
        self.folder.join(format!("{material}{SUFFIX}"))
    }

    /// Is there a table of this material? Of a damaged file, as a copy that was interrupted leaves it, it says so.
    fn has(&self, material: &Material) -> bool {
        let path = self.path(material);
        if !path.is_file() {
            return false;
        }
        let reader = self.endings.reader(&output::tables::positioned(path.clone()));
        let found = reader.and_then(|reader| reader.of(material));
        found.inspect_err(|error| note!("'{}' is built again: {error}.", path.display())).is_ok()
    }

    /// The table of a material, read from its file.
    fn read(&self, material: &Material) -> Result<Table> {
        let path = self.path(material);
        let bytes = files::read(&path, MOST)?;
        let table = self.endings.read(&bytes).with_context(|| format!("'{}'", path.display()))?;
        ensure!(table.material() == material, "'{}' is the table of {}", path.display(), table.material());
        Ok(table)
    }

    /// Keeps the tables that these materials need in memory, and no others.
    fn load(&mut self, needed: &[Material]) -> Result<()> {
        self.loaded.retain(|material, _| needed.contains(material));
        for material in needed {
            if !self.loaded.contains_key(material) {
                let table = self.read(material)?;
                self.loaded.insert(material.clone(), Arc::new(table));
            }
        }
        Ok(())
    }

    /// The materials that a person asks for, in the form in which they are stored.
    fn asked(&self, which: &Which) -> Result<Vec<Material>> {
        if let Some(pieces) = which.pieces {
            return Ok((3..=usize::from(pieces)).flat_map(|count| self.endings.all(count)).collect());
        }
        let stored = |text: &String| {
            let material = self.endings.material(text)?;
            Ok(self.endings.stored(&material).0)
        };
        let mut asked: Vec<Material> = which.materials.iter().map(stored).collect::<Result<_>>()?;
        // Bare kings need no table.
        asked.retain(|material| material.count() > 2);
        Ok(asked)
    }

    /// The materials of the tables in the folder.
    fn there(&self) -> Result<Vec<Material>> {
        let entries = std::fs::read_dir(&self.folder)
            .with_context(|| format!("cannot read '{}'", self.folder.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Some(material) =
                name.strip_suffix(SUFFIX).and_then(|name| self.endings.material(name).ok())
            {
                found.push(material);
            }
        }
        found.sort_by_key(|material| (material.count(), material.clone()));
        Ok(found)
    }
}

/// Has Ctrl-C been pressed since [`watch_interrupts`]?
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, Ctrl-C ends the work on a table, and leaves only complete ones.
fn watch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Relaxed)).context("cannot watch for interrupts")
}

fn work(threads: usize) -> Work<'static> {
    Work { threads, stop: &|| INTERRUPTED.load(Relaxed) }
}

/// An error of work on tables; of those done before, `kept` says what has become.
fn failed(error: TableError, kept: &str) -> anyhow::Error {
    match error {
        TableError::Stopped => Interrupted(format!("interrupted; {kept}")).into(),
        error => error.into(),
    }
}

fn build(args: &BuildArgs) -> Result<()> {
    let which = &args.which;
    let mut store = Store::open(&which.game, &which.place)?;
    let asked = store.asked(which)?;
    let named = which.pieces.is_some() || !which.materials.is_empty();
    ensure!(named, "name a material, such as KQvK, or give --pieces");
    let plan = store.endings.plan(&asked)?;
    std::fs::create_dir_all(&store.folder)
        .with_context(|| format!("cannot create '{}'", store.folder.display()))?;
    let missing: Vec<Material> = plan.into_iter().filter(|material| !store.has(material)).collect();
    if missing.is_empty() {
        return output::print("All these tables are there already.\n");
    }
    for material in &missing {
        let megabytes = memory(store.endings, material)?.div_ceil(files::MB);
        ensure!(
            megabytes <= args.memory,
            "{material} takes {megabytes} MB, more than the {} MB allowed (--memory)",
            args.memory
        );
    }
    watch_interrupts()?;
    let entries = |material: &Material| store.endings.entries(material).map(|count| count as u64);
    let all: u64 = missing.iter().map(&entries).sum::<Result<u64, _>>()?;
    let (start, mut done) = (Instant::now(), 0u64);
    for (number, material) in missing.iter().enumerate() {
        let needed = store.endings.needed(material)?;
        let from = Instant::now();
        store.load(&needed)?;
        let table = store.endings.build(material, &store.loaded, work(which.threads));
        let table = table.map_err(|error| failed(error, "the same command goes on with what is missing"))?;
        let file = store.endings.write(&table)?;
        files::write(&store.path(material), &file)?;
        let count = store.endings.entries(material)? as u64;
        done += count;
        let left = start.elapsed().mul_f64((all - done) as f64 / done as f64);
        note!(
            "{}/{} {material}: {} in {}, {:.2} bytes an entry{}",
            number + 1,
            missing.len(),
            longest(&table),
            time(from.elapsed()),
            file.len() as f64 / count as f64,
            if done < all { format!("; {} left", time(left)) } else { String::new() }
        );
    }
    note!(
        "{} tables, {all} entries in {}: {:.0} entries a second",
        missing.len(),
        time(start.elapsed()),
        all as f64 / start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// The bytes that building a table takes, with the tables that it needs.
fn memory(endings: &dyn Endings, material: &Material) -> Result<u64> {
    let mut bytes = endings.memory(material)? as u64;
    for needed in endings.needed(material)? {
        bytes += endings.size(&needed)? as u64;
    }
    Ok(bytes)
}

/// A duration for people.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The longest mate of a table, for people.
fn longest(table: &Table) -> String {
    let plies = table.counts().iter().filter_map(|count| count.longest_win).map(|longest| longest.0).max();
    match plies {
        Some(plies) => format!("{} at most", moves(plies)),
        None => "no forced mate".into(),
    }
}

fn verify(args: &VerifyArgs) -> Result<()> {
    let which = &args.which;
    let mut store = Store::open(&which.game, &which.place)?;
    let asked = store.asked(which)?;
    let asked = if asked.is_empty() { store.there()? } else { asked };
    ensure!(!asked.is_empty(), "there are no tables in '{}'", store.folder.display());
    watch_interrupts()?;
    for (done, material) in asked.iter().enumerate() {
        let table = store.read(material)?;
        store.load(&store.endings.needed(material)?)?;
        let from = Instant::now();
        let verified = store.endings.verify(&table, &store.loaded, work(which.threads));
        verified.map_err(|error| failed(error, &format!("{done} tables are right")))?;
        let count = store.endings.entries(material)?;
        note!("{material}: all {count} entries are right ({})", time(from.elapsed()));
    }
    output::print(&format!("{} tables are right.\n", asked.len()))
}

/// Plies to mate as moves of the side that mates.
fn moves(plies: u16) -> String {
    format!("mate in {}", plies.div_ceil(2))
}

/// The game at a position.
fn session_at(endings: &dyn Endings, fen: &str) -> Result<Box<dyn engine::Session>> {
    let mut session = engine::open(endings.game())?;
    session.set_position(Some(fen), &[])?;
    Ok(session)
}

/// The most bytes of a table that is built into the program with its distances.
const MOST_DISTANCES: usize = 75_000;

/// All tables of three pieces, with distances where these take little, and otherwise with who wins only.
fn make_bundle(args: &BundleArgs) -> Result<()> {
    let mut files = Vec::new();
    for game in NAMES {
        let mut store = Store::open(game, &args.place)?;
        for material in store.endings.all(3) {
            store.load(std::slice::from_ref(&material))?;
            let table = &store.loaded[&material];
            let mut file = store.endings.write(table)?;
            // Without the distances nothing would be known of a limit of moves.
            if file.len() > MOST_DISTANCES && table.limited_counts().is_none() {
                file = store.endings.write_verdicts(table)?;
            }
            note!("{game} {material}: {} bytes", file.len());
            files.push((*game, material, file));
        }
    }
    let files = files.iter().map(|(game, material, file)| (*game, material, &file[..]));
    Ok(files::write(&args.file, &bundle(files))?)
}
