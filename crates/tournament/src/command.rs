//! The command line of `quintain match`.

use super::book::Book;
use super::outputs;
use super::process::Stop;
use super::record::{GameRecord, Header, Results, Stored};
use super::runner::{self, Finish, Match};
use super::schedule::Plan;
use super::settings::Settings;
use super::standings::Standings;
use super::watch::{Open, Unwatched, Watcher};
use super::words::{self, Group};
use super::{plot, report};
use anyhow::{Context, Result, bail, ensure};
use quintain_io::files::{self, MB};
use quintain_io::{INTERRUPTED, Interrupted, note, print};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Arguments of `quintain match`.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "quintain match --variant GAME --engine cmd=A ... --engine cmd=B ... [OPTIONS]\n       \
                      quintain match --config FILE [OPTIONS]\n       \
                      quintain match --resume FILE [OPTIONS]\n       \
                      quintain match merge FILE... [--pgnout FILE] [--svg FILE] [--results FILE]",
    after_help = HELP
)]
pub struct Args {
    /// Options as in other match runners, with one dash or two
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true, value_name = "OPTIONS")]
    words: Vec<String>,
}

impl Args {
    /// These words of a command line.
    pub fn of(words: Vec<String>) -> Args {
        Args { words }
    }
}

const HELP: &str = "\
Engines:
  --engine KEY=VALUE...   one engine; give two or more
  --each KEY=VALUE...     for all engines
      cmd=PROGRAM args='A B' arg=A dir=DIRECTORY name=NAME
      proto=uci|xboard    protocol [uci]
      option.NAME=VALUE   set in the order given (a button: option.NAME=)
      variant=NAME        its own name of the game, if it differs
      position=moves|fen  fen: send only the position before each move, without earlier moves
      tc=MOVES/TIME+INC   a clock, in seconds or minutes:seconds: 40/60, 10+0.1, inf
      st=SECONDS movetime=MILLISECONDS nodes=N depth=N
      timemargin=MS|inf   how far a move may exceed the time [0]
      patience=SECONDS    how long to wait for answers without a clock; six times as long for moves [10]
      restart=on|off      restart it for each game [off]
      ponder=on|off       it thinks while the opponent is to move [off]
The match:
  --variant GAME          see: quintain variants
  --tournament KIND       round-robin, or gauntlet: the first against all others [round-robin]
  --rounds N --games N    rounds [1], and games of each meeting in a round [2]
  --repeat | --norepeat   play each opening with both colours, or only once [repeat]
  --openings file=FILE format=epd|pgn order=random|sequential plies=N start=N
                          see: quintain openings
  --seed N                of all random choices [0]
  --concurrency N         games at the same time [1]
  --shard I/N             only part I of N; `quintain match merge` merges the parts
  --recover | --norecover go on after an irregular end, or stop [recover]
Ends:
  --draw movenumber=N movecount=N score=CP
  --resign movecount=N score=CP twosided=true|false
  --maxmoves N            a game of so many moves is drawn
  --sprt elo0=E elo1=E alpha=A beta=B model=normalized|logistic   [alpha=0.05 beta=0.05 model=normalized]
Files:
  --results FILE|none     a JSON line for each game, the source of all other files [first free quintain-match-N.jsonl]
  --resume [FILE]         continue the match of this file; without FILE, that of --results, if it exists
  --config FILE           options from TOML: rounds = 10, [[engine]], [each], option = { Hash = 16 }
  --pgnout FILE --svg FILE --log FILE --event NAME
  --board                 show the match in the browser while it runs; its address is printed
  --ratinginterval N      show the table after so many games; 0 for never [10]

Ctrl-C ends the match after the running games, a second one at once. --resume continues it in both cases.";

/// Runs the tool. `open` shows the match to those who want to watch it, if this program can do that.
pub fn run(args: Args, open: Option<Open>) -> Result<()> {
    if let Some(("merge", rest)) = args.words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return merge(rest);
    }
    if args.words.is_empty() {
        bail!("nothing to play; see quintain match --help");
    }
    let groups = words::from_command_line(&args.words)?;
    let (special, groups): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| matches!(group.name.as_str(), "config" | "resume"));
    let (mut resume, mut again, mut all) = (None::<PathBuf>, false, Vec::new());
    let mut configs = Vec::new();
    for group in &special {
        if group.name == "resume" && group.words.is_empty() {
            again = true;
            continue;
        }
        let path = Path::new(group.word()?);
        match group.name.as_str() {
            "config" => {
                let named = || format!("--config: '{}'", path.display());
                let bytes = files::read_stream(path, MB).context("--config")?;
                let text = String::from_utf8(bytes).with_context(named)?;
                all.extend(words::from_toml(&text).with_context(named)?);
                configs.push(path);
            }
            _ => resume = Some(path.to_owned()),
        }
    }
    match resume {
        Some(path) => {
            ensure!(all.is_empty(), "--resume uses the settings of its file, so --config cannot be given");
            go_on(&path, &groups, open)
        }
        None => {
            all.extend(groups);
            begin(all, &configs, again, open)
        }
    }
}

/// Begins a match; `again`: continues it if its file of results exists.
fn begin(groups: Vec<Group>, configs: &[&Path], again: bool, open: Option<Open>) -> Result<()> {
    let settings = Settings::read(&groups)?;
    let mut inputs: Vec<_> = configs.iter().map(|&path| ("the file of --config", path)).collect();
    inputs.extend(openings(&settings));
    outputs::check(&settings, &inputs)?;
    ensure!(!again || settings.results.is_some(), "--resume: the file is missing, here or as --results");
    let book = Book::open(settings.openings.as_ref(), settings.variant, settings.seed)?;
    let signals = Signals::watch()?;
    let names = runner::names(&settings, &signals.stop)?;
    let needed = settings.plan().openings();
    if book.is_empty() && needed > 1 {
        note!(
            "Note: without --openings every game begins at the start, so engines that always play the same play the \
             same games."
        );
    } else if needed > book.len() {
        note!("Note: {needed} openings are needed and there are {}; they are used again.", book.len());
    }
    let results = settings.results.clone();
    let mut this = Match { settings, names, book, done: Vec::new() };
    let header = this.header(&groups);
    if let Some(path) = results.as_ref().filter(|path| again && path.exists()) {
        if let Some(results) = Results::begin_again(path, &header).context("--resume")? {
            let what = "has only a part of its first line, and the match begins anew";
            note!("Warning: '{}' {what}.", path.display());
            return play(this, || Ok(Some(results)), Some(path), open, &signals);
        }
        let (mut results, stored) = resume(path)?;
        if let Some(difference) = header.difference(&stored.header) {
            bail!("--resume: '{}' is of another match: {difference}", path.display());
        }
        let grown = grow(&this, &stored.header)?;
        this.done = stored.games;
        note!("{} games are already finished.", this.done.len());
        let results = || {
            if grown {
                results.line(&header)?;
            }
            Ok(Some(results))
        };
        return play(this, results, Some(path), open, &signals);
    }
    let path = match results {
        Some(path) if path.as_os_str().is_empty() => None,
        Some(path) => Some(path),
        None => (1..)
            .map(|number| PathBuf::from(format!("quintain-match-{number}.jsonl")))
            .find(|path| !path.exists()),
    };
    let create = || path.as_deref().map(|path| Results::create(path, &header)).transpose();
    play(this, create, path.as_deref(), open, &signals)
}

/// Has a match more rounds or openings than when it began? It must not have fewer, nor others for its first games.
fn grow(this: &Match, before: &Header) -> Result<bool> {
    let (rounds, old) = (this.settings.rounds, before.rounds()?);
    ensure!(rounds >= old, "--rounds: {rounds} are fewer than the {old} that the match has");
    let needed = Plan { rounds: old, ..this.settings.plan() }.openings();
    ensure!(
        this.book.goes_on(before.openings, needed),
        "--resume: the file of openings has changed since the match began"
    );
    Ok(rounds > old || this.book.identity() != before.openings)
}

/// The file of openings, as something that must not be written.
fn openings(settings: &Settings) -> Option<(&str, &Path)> {
    settings.openings.as_ref().map(|openings| ("the file of openings", openings.file.as_path()))
}

/// Opens a file of results to continue.
fn resume(path: &Path) -> Result<(Results, Stored)> {
    let (results, stored) = Results::resume(path).context("--resume")?;
    warn(&stored);
    Ok((results, stored))
}

/// Prints what was left out of a file of results.
fn warn(stored: &Stored) {
    stored.warnings.iter().for_each(|warning| note!("Warning: {warning}."));
}

/// Continues a match. Housekeeping may change, and there may be more rounds.
fn go_on(path: &Path, changes: &[Group], open: Option<Open>) -> Result<()> {
    let (mut results, stored) = resume(path)?;
    for group in changes {
        ensure!(
            super::settings::is_housekeeping(group) && !matches!(group.name.as_str(), "shard" | "results")
                || group.name == "rounds",
            "--resume: --{} cannot change during a match",
            group.name
        );
    }
    let kept = stored.header.settings.iter().filter(|old| changes.iter().all(|new| new.name != old.name));
    let groups: Vec<Group> = kept.chain(changes).cloned().collect();
    let settings = Settings::read(&groups)?;
    let mut inputs = vec![("the file of results", path)];
    inputs.extend(openings(&settings));
    outputs::check(&Settings { results: None, ..settings.clone() }, &inputs)?;
    let book = Book::open(settings.openings.as_ref(), settings.variant, settings.seed)?;
    let mut this = Match { settings, names: stored.header.names.clone(), book, done: Vec::new() };
    let grown = grow(&this, &stored.header)?;
    let signals = Signals::watch()?;
    let names = runner::names(&this.settings, &signals.stop)?;
    ensure!(
        names == stored.header.names,
        "--resume: the engines are {}, and they were {}",
        names.join(", "),
        stored.header.names.join(", ")
    );
    this.done = stored.games;
    note!("{} games are already finished.", this.done.len());
    let header = this.header(&groups);
    let results = || {
        if grown || header.settings != stored.header.settings {
            results.line(&header)?;
        }
        Ok(Some(results))
    };
    play(this, results, Some(path), open, &signals)
}

/// Ends the match when the system or somebody asks for it.
struct Signals {
    stop: Stop,
    /// There are games to be finished.
    playing: Arc<AtomicBool>,
}

impl Signals {
    /// From now on Ctrl-C ends the match after the running games, if there are any, and the second one ends it at once.
    /// So do a request to terminate, and the end of the terminal.
    fn watch() -> Result<Signals> {
        let signals = Signals { stop: Stop::default(), playing: Arc::default() };
        let (stop, playing) = (signals.stop.clone(), Arc::clone(&signals.playing));
        let handler = move || {
            if stop.is_now() {
                // Something keeps the match from ending, for example a pipe for its games that nobody empties.
                std::process::exit(INTERRUPTED.into());
            }
            if stop.is_soon() || !playing.load(Relaxed) {
                stop.now();
            } else {
                stop.soon();
                note!("The match ends after the running games; Ctrl-C again ends it at once.");
            }
        };
        ctrlc::set_handler(handler).context("cannot watch for interrupts")?;
        signals.stop.now_at_termination().context("cannot watch for signals")?;
        Ok(signals)
    }
}

fn play(
    this: Match,
    results: impl FnOnce() -> Result<Option<Results>>,
    path: Option<&Path>,
    open: Option<Open>,
    signals: &Signals,
) -> Result<()> {
    let results = || {
        let opened = results()?;
        if let Some(path) = path {
            note!("Results go to {}.", path.display());
        }
        Ok(opened)
    };
    signals.playing.store(true, Relaxed);
    let (settings, names) = (this.settings.clone(), this.names.clone());
    let watcher: Box<dyn Watcher> = match (settings.board, open) {
        (false, _) => Box::new(Unwatched),
        (true, Some(open)) => open(&settings, &names)?,
        (true, None) => bail!("--board: this program was built without the board"),
    };
    let finished = this.run(results, &signals.stop, &*watcher)?;
    drop(watcher);
    conclude(&settings, &names, &finished.standings, &finished.games)?;
    if finished.finish == Finish::Interrupted {
        let what = path.map_or("and cannot be continued without a file of results".into(), |path| {
            format!("and can be continued with --resume {}", path.display())
        });
        bail!(Interrupted(format!("the match was interrupted {what}")));
    }
    Ok(())
}

/// The final table, and the plot.
fn conclude(
    settings: &Settings,
    names: &[String],
    standings: &Standings,
    games: &[GameRecord],
) -> Result<()> {
    // The plot first: nobody may read the table.
    if let Some(path) = &settings.svg {
        let drawing = plot::course(settings, names, games)?;
        files::write(path, drawing.as_bytes()).context("--svg")?;
    }
    print(&format!("\n{}", report::summary(settings, names, standings)))
}

/// Merges the parts of a match.
fn merge(words: &[String]) -> Result<()> {
    let files = words.iter().take_while(|word| !word.starts_with('-')).count();
    let (files, options) = words.split_at(files);
    ensure!(!files.is_empty(), "merge: no files of results are given");
    let mut settings_of_merge = words::from_command_line(options)?;
    for group in &mut settings_of_merge {
        ensure!(
            matches!(group.name.as_str(), "pgnout" | "svg" | "results"),
            "merge: there is no option --{}, but pgnout, svg, results",
            group.name
        );
    }
    let mut header: Option<(Header, &String)> = None;
    let mut games: BTreeMap<u64, (GameRecord, &String)> = BTreeMap::new();
    for file in files {
        let stored = Stored::read(Path::new(file)).context("merge")?;
        warn(&stored);
        match &header {
            None => header = Some((stored.header, file)),
            Some((first, name)) => {
                let difference = first.difference(&stored.header).or_else(|| {
                    let same = first.openings == stored.header.openings;
                    (!same).then(|| "other openings".into())
                });
                if let Some(difference) = difference {
                    bail!("merge: '{file}' is of another match than '{name}': {difference}");
                }
                // The whole has the rounds of the part with the most.
                if stored.header.rounds()? > first.rounds()? {
                    header = Some((stored.header, file));
                }
            }
        }
        for game in stored.games {
            if let Some((known, other)) = games.get(&game.game) {
                ensure!(
                    *known == game,
                    "merge: game {} is in '{other}' and differs from the one in '{file}'",
                    game.game
                );
            }
            games.insert(game.game, (game, file));
        }
    }
    let (header, _) = header.context("merge: no files of results are given")?;
    // The output files of the parts are not those of the whole, and this machine may be a smaller one.
    let own = ["pgnout", "svg", "results", "log", "shard", "concurrency"];
    let mut groups: Vec<Group> =
        header.settings.iter().filter(|group| !own.contains(&group.name.as_str())).cloned().collect();
    groups.extend(settings_of_merge);
    let settings = Settings::read(&groups)?;
    let mut inputs: Vec<_> =
        files.iter().map(|file| ("one of the files to merge", Path::new(file))).collect();
    inputs.extend(openings(&settings));
    outputs::check(&settings, &inputs)?;
    if let Some(path) = &settings.pgn {
        files::check(path).context("--pgnout")?;
    }
    let mut games: Vec<GameRecord> = games.into_values().map(|(game, _)| game).collect();
    if let Some(path) = settings.results.as_ref().filter(|path| !path.as_os_str().is_empty()) {
        let whole = Header { settings: groups.clone(), ..header.clone() };
        let mut results = Results::create(path, &whole)?;
        games.iter().try_for_each(|game| results.line(game))?;
    }
    if let Some(path) = &settings.pgn {
        runner::write_pgn(path, &settings, &header.names, &mut games)?;
    }
    let missing = settings.plan().total().saturating_sub(games.len() as u64);
    note!(
        "{} files, {} games{}",
        files.len(),
        games.len(),
        match missing {
            0 => String::new(),
            missing => format!("; {missing} of the match are missing"),
        }
    );
    let mut standings = Standings::new(header.names.len(), settings.repeat);
    games.iter().for_each(|game| standings.add(game));
    conclude(&settings, &header.names, &standings, &games)
}
