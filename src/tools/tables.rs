//! `quintain tables`: endgame tables.

use super::suite::unknown_game;
use crate::board::Color;
use crate::engine::{self, NAMES};
use crate::notation::draw::Style;
use crate::tables::{Count, Counts, Endings, Material, Table, Tables, Verdict, Work};
use anyhow::{Context, Result, bail, ensure};
use clap::{Subcommand, value_parser};
use comfy_table::{CellAlignment, presets::ASCII_MARKDOWN};
use quintain_io as output;
use quintain_io::files;
use quintain_io::note;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
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
    Show(ShowArgs),
    /// Write a report of all tables in the folder, as Markdown
    Report(ReportArgs),
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

/// Arguments of `quintain tables show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "A position is a placement of the pieces on distinct squares with a side to
move, such that the other side is not in check and pawns stand where the game
lets them. Positions that are images of each other all count. There is no
castling and no en passant; the fifty-move rule and repetitions are ignored.")]
struct ShowArgs {
    /// The game
    game: String,
    /// The pieces, White's first: KQvK is king and queen against king
    material: String,
    #[command(flatten)]
    place: Place,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `quintain tables report`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain tables report > endgames.md
  quintain tables report canyon diamond")]
struct ReportArgs {
    /// The games; all that have tables if left out
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    place: Place,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Build(args) => build(&args),
        Command::Verify(args) => verify(&args),
        Command::Show(args) => show(&args),
        Command::Report(args) => report(&args),
    }
}

/// The tables of a game in a folder.
struct Store {
    endings: Box<dyn Endings>,
    folder: PathBuf,
    loaded: Tables,
}

/// The ending of the name of a table's file.
const SUFFIX: &str = ".qtable";
/// The most bytes of a table's file.
const MOST: u64 = 100_000 * files::MB;

impl Store {
    fn open(game: &str, place: &Place) -> Result<Store> {
        let endings = engine::endings(game).ok_or_else(|| unknown_game(game))?;
        let folder = match &place.dir {
            Some(folder) => folder.clone(),
            None => files::state_folder()
                .context("there is no folder for tables, so name one with --dir")?
                .join("tables"),
        };
        let folder = folder.join(endings.game());
        Ok(Store { endings, folder, loaded: Tables::new() })
    }

    fn path(&self, material: &Material) -> PathBuf {
        self.folder.join(format!("{material}{SUFFIX}"))
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
            ensure!(material.count() > 2, "{text} needs no table: bare kings are a draw");
            Ok(self.endings.stored(&material).0)
        };
        which.materials.iter().map(stored).collect()
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

/// Never stops: Ctrl-C ends the program, and leaves only complete tables.
const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;

fn build(args: &BuildArgs) -> Result<()> {
    let which = &args.which;
    let mut store = Store::open(&which.game, &which.place)?;
    let asked = store.asked(which)?;
    ensure!(!asked.is_empty(), "name a material, such as KQvK, or give --pieces");
    let plan = store.endings.plan(&asked)?;
    std::fs::create_dir_all(&store.folder)
        .with_context(|| format!("cannot create '{}'", store.folder.display()))?;
    let missing: Vec<Material> =
        plan.into_iter().filter(|material| !store.path(material).is_file()).collect();
    if missing.is_empty() {
        return output::print("All these tables are there already.\n");
    }
    for material in &missing {
        let megabytes = memory(&*store.endings, material)?.div_ceil(files::MB);
        ensure!(
            megabytes <= args.memory,
            "{material} takes {megabytes} MB, more than the {} MB allowed (--memory)",
            args.memory
        );
    }
    let entries = |material: &Material| store.endings.entries(material).map(|count| count as u64);
    let all: u64 = missing.iter().map(&entries).sum::<Result<u64, _>>()?;
    let (start, mut done) = (Instant::now(), 0u64);
    for (number, material) in missing.iter().enumerate() {
        let needed = store.endings.needed(material)?;
        let from = Instant::now();
        store.load(&needed)?;
        let work = Work { threads: which.threads, stop: NEVER };
        let table = store.endings.build(material, &store.loaded, work)?;
        let file = store.endings.write(&table);
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
        bytes += 4 * endings.entries(&needed)? as u64;
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
    for material in &asked {
        let table = store.read(material)?;
        store.load(&store.endings.needed(material)?)?;
        let from = Instant::now();
        store.endings.verify(&table, &store.loaded, Work { threads: which.threads, stop: NEVER })?;
        let count = store.endings.entries(material)?;
        note!("{material}: all {count} entries are right ({})", time(from.elapsed()));
    }
    output::print(&format!("{} tables are right.\n", asked.len()))
}

/// What `--json` prints about the positions with one side to move.
#[derive(Serialize)]
struct SideJson {
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    mated: u64,
    longest: u16,
    example: Option<String>,
    sum_plies: u64,
}

#[derive(Serialize)]
struct SidesJson {
    white: SideJson,
    black: SideJson,
}

#[derive(Serialize)]
struct TableJson {
    game: &'static str,
    material: String,
    #[serde(flatten)]
    plain: SidesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    ten_moves: Option<SidesJson>,
}

/// A table as a person asks for it, perhaps with the colours exchanged.
struct View<'a> {
    endings: &'a dyn Endings,
    table: &'a Table,
    flipped: bool,
}

impl View<'_> {
    /// The counts with a side to move.
    fn count<'c>(&self, counts: &'c Counts, side: Color) -> &'c Count {
        &counts[if self.flipped { (!side).index() } else { side.index() }]
    }

    /// White's longest win with White to move, Black's longest loss with Black to move.
    fn longest(&self, counts: &Counts, side: Color) -> Option<(u16, usize)> {
        let count = self.count(counts, side);
        if side == Color::White { count.longest_win } else { count.longest_loss }
    }

    /// A position of the table.
    fn position(&self, side: Color, number: usize) -> Result<String> {
        let stored = if self.flipped { !side } else { side };
        let fen = self.endings.position(self.table.material(), stored, number)?;
        if !self.flipped {
            return Ok(fen);
        }
        let mut session = session_at(self.endings, &fen)?;
        session.flip()?;
        Ok(session.fen())
    }

    fn side_json(&self, counts: &Counts, side: Color) -> Result<SideJson> {
        let &Count { positions, won, drawn, lost, mated, sum_plies, .. } = self.count(counts, side);
        let longest = self.longest(counts, side);
        let example = longest.map(|(_, number)| self.position(side, number)).transpose()?;
        let longest = longest.map_or(0, |longest| longest.0);
        Ok(SideJson { positions, won, drawn, lost, mated, longest, example, sum_plies })
    }

    fn json(&self, counts: &Counts) -> Result<SidesJson> {
        Ok(SidesJson {
            white: self.side_json(counts, Color::White)?,
            black: self.side_json(counts, Color::Black)?,
        })
    }
}

fn show(args: &ShowArgs) -> Result<()> {
    let mut store = Store::open(&args.game, &args.place)?;
    let material = store.endings.material(&args.material)?;
    let (stored, flipped) = store.endings.stored(&material);
    let path = store.path(&stored);
    let table = match stored.count() {
        2 => store.endings.build(&stored, &Tables::new(), Work { threads: 1, stop: NEVER })?,
        _ if !path.is_file() => {
            bail!(
                "there is no table '{}'; quintain tables build {} {stored} makes it",
                path.display(),
                args.game
            )
        }
        _ => store.read(&stored)?,
    };
    let table = Arc::new(table);
    let view = View { endings: &*store.endings, table: &table, flipped };
    if args.json {
        let json = TableJson {
            game: store.endings.game(),
            material: args.material.clone(),
            plain: view.json(table.counts())?,
            ten_moves: table.limited_counts().map(|counts| view.json(counts)).transpose()?,
        };
        return output::print(&format!("{}\n", serde_json::to_string_pretty(&json)?));
    }
    let mut text = describe(&view, &args.material)?;
    let longest = Color::BOTH
        .map(|side| view.longest(table.counts(), side).map(|longest| (longest.0, side, longest.1)));
    if let Some((plies, side, number)) = longest.into_iter().flatten().max_by_key(|longest| longest.0) {
        let fen = view.position(side, number)?;
        let needed = store.endings.needed(&stored)?;
        let mut session = session_at(&*store.endings, &fen)?;
        let _ = write!(
            text,
            "\nThe longest win of White, in {plies} plies: {fen}\n\n{}",
            session.draw(Style::default())
        );
        match store.load(&needed) {
            Ok(()) => {
                store.loaded.insert(stored, Arc::clone(&table));
                let _ = writeln!(text, "{}", line(&*store.endings, &store.loaded, &mut *session));
            }
            Err(error) => {
                let _ = writeln!(text, "Its moves are not shown: {error:#}");
            }
        }
    }
    output::print(&text)
}

/// The counts of a table for people.
fn describe(view: &View, material: &str) -> Result<String> {
    let mut text = format!("{material} in {}\n", view.endings.game());
    let mut add = |counts: &Counts, heading: &str| {
        let mut table = comfy_table::Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(["to move", "positions", "won", "drawn", "lost", "mated", "won %", "longest"]);
        for side in Color::BOTH {
            let count = view.count(counts, side);
            let moves = view.longest(counts, side).map_or_else(|| "-".into(), |(plies, _)| moves(plies));
            let share = 100.0 * count.won as f64 / count.positions.max(1) as f64;
            table.add_row([
                side.to_string(),
                count.positions.to_string(),
                count.won.to_string(),
                count.drawn.to_string(),
                count.lost.to_string(),
                count.mated.to_string(),
                format!("{share:.1}"),
                moves,
            ]);
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let zugzwangs = counts[0].zugzwangs;
        let _ = write!(text, "\n{heading}{table}\nMutual zugzwangs: {zugzwangs}\n");
    };
    add(view.table.counts(), "");
    if let Some(counts) = view.table.limited_counts() {
        add(counts, "With the limit of moves to mate a bare king:\n");
    }
    Ok(text)
}

/// Plies to mate as moves of the side that mates.
fn moves(plies: u16) -> String {
    format!("mate in {}", plies.div_ceil(2))
}

/// The game at a position.
fn session_at(endings: &dyn Endings, fen: &str) -> Result<Box<dyn engine::Session>> {
    let mut session = quintain_play::game::open(endings.game())?;
    session.set_position(Some(fen), &[])?;
    Ok(session)
}

/// The moves of best play on both sides, in SAN.
fn line(endings: &dyn Endings, tables: &Tables, session: &mut dyn engine::Session) -> String {
    let mut text = String::new();
    loop {
        let rank = |verdict: Option<Verdict>| match verdict {
            // What is lost soonest for the opponent is best, then a draw, then what is won latest.
            Some(Verdict::Lost(plies)) => (0, i32::from(plies)),
            Some(Verdict::Won(plies)) => (2, -i32::from(plies)),
            _ => (1, 0),
        };
        let mut best = None;
        for mv in session.moves() {
            if session.play(&mv).is_err() {
                continue;
            }
            let after = rank(endings.probe(&session.fen(), tables, false));
            session.undo();
            if best.as_ref().is_none_or(|(known, _)| after < *known) {
                best = Some((after, mv));
            }
        }
        let Some((_, mv)) = best else { return text };
        let (number, side) = (session.fullmove(), session.side());
        let Ok(played) = session.play(&mv) else { return text };
        if side == Color::White || text.is_empty() {
            let dots = if side == Color::White { "." } else { "..." };
            let _ = write!(text, "{}{number}{dots} ", if text.is_empty() { "" } else { " " });
        } else {
            text.push(' ');
        }
        text += &played.san;
    }
}

// ---- The report ---------------------------------------------------------------------------------------

fn report(args: &ReportArgs) -> Result<()> {
    let all: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    let games = if args.games.is_empty() { &all } else { &args.games };
    let mut text = REPORT.to_owned();
    for game in games {
        let store = Store::open(game, &args.place)?;
        if store.folder.is_dir() {
            text += &report_of(&store)?;
        } else {
            ensure!(args.games.is_empty(), "there are no tables in '{}'", store.folder.display());
        }
    }
    output::print(&text)
}

/// How the report begins.
const REPORT: &str = "# Endgames

Written by `quintain tables report` from tables that `quintain tables verify` has checked. [Endgame tables](tables.md)
says what counts as a position.

*Wins* is the share of the positions with White to move that White wins; *black loses* that of the positions with Black
to move. *Longest* is the longest mate in moves, from a position with White to move. *Zugzwangs* are positions that are
better for either side if the other has to move.
";

/// A table with what the report says about it.
struct Row {
    material: Material,
    cells: Vec<String>,
    longest: Option<(u16, usize)>,
}

/// The part of the report about a game.
fn report_of(store: &Store) -> Result<String> {
    let info = engine::info(store.endings.game()).context("a game")?;
    let mut groups: BTreeMap<(usize, usize), Vec<Row>> = BTreeMap::new();
    let mut limited = false;
    for material in store.there()? {
        let table = store.read(&material)?;
        let sizes = Color::BOTH.map(|color| material.letters(color).len() - 1);
        limited |= table.limited_counts().is_some();
        let counts: Vec<&Counts> = [table.counts()].into_iter().chain(table.limited_counts()).collect();
        let mut cells = vec![material.to_string()];
        for counts in counts {
            let [white, black] = counts;
            cells.push(percent(white.won, white.positions));
            cells.push(percent(black.lost, black.positions));
            cells.push(
                white.longest_win.map_or_else(|| "-".into(), |(plies, _)| plies.div_ceil(2).to_string()),
            );
            if sizes[1] > 0 {
                cells.push(percent(white.lost, white.positions));
            }
            cells.push(white.zugzwangs.to_string());
        }
        let longest = table.counts()[0].longest_win;
        groups.entry((sizes[0] + sizes[1], sizes[1])).or_default().push(Row { material, cells, longest });
    }
    let mut text = format!("\n## {}\n", info.title);
    for ((pieces, black), rows) in &groups {
        let number = |count: usize| match count {
            1 => "One piece".to_owned(),
            2 => "Two pieces".to_owned(),
            count => format!("{count} pieces"),
        };
        let against = match black {
            0 => "a bare king".to_owned(),
            &count => number(count).to_lowercase(),
        };
        let _ = writeln!(text, "\n### {} against {against}\n", number(pieces - black));
        let mut header = vec!["pieces".to_owned()];
        for suffix in ["", " (limit)"].iter().take(1 + usize::from(limited)) {
            let names = ["wins", "black loses", "longest", "white loses", "zugzwangs"];
            let shown = names.iter().filter(|&&name| *black > 0 || name != "white loses");
            header.extend(shown.map(|name| format!("{name}{suffix}")));
        }
        let mut table = comfy_table::Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(header);
        table.add_rows(rows.iter().map(|row| &row.cells));
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let _ = writeln!(text, "{table}");
        let longest =
            rows.iter().filter_map(|row| Some((row.longest?, row))).max_by_key(|(longest, _)| longest.0);
        if let Some(((plies, number), row)) = longest {
            let fen = store.endings.position(&row.material, Color::White, number)?;
            let board = session_at(&*store.endings, &fen)?.draw(Style::default());
            let _ = writeln!(
                text,
                "\nThe longest of these is {}, {}: `{fen}`\n\n```text\n{}\n```",
                row.material,
                moves(plies),
                board.trim_end()
            );
        }
    }
    Ok(text)
}

/// A share in percent.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.2}%", 100.0 * part as f64 / whole.max(1) as f64)
}
