//! Runs a match: games in parallel, each written to the results when it ends.

use super::book::Book;
use super::cecp::Cecp;
use super::game::{Played, Side, play};
use super::player::Player;
use super::process::{Failure, Stop, Unready};
use super::record::{End, GameRecord, GameResult, Header, MoveRecord, Results};
use super::report;
use super::schedule::Task;
use super::settings::{EngineSpec, Protocol, Settings};
use super::sprt::Verdict;
use super::standings::Standings;
use super::uci::Uci;
use super::watch::Watcher;
use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use quintain_core::board::Color;
use quintain_engine::{self as engine, MoveInfo, Session};
use quintain_io::files;
use quintain_io::{ClosedOutput, Interrupted, note};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A match with everything that it needs.
pub struct Match {
    /// Its settings.
    pub settings: Settings,
    /// The names of the engines.
    pub names: Vec<String>,
    /// Its openings.
    pub book: Book,
    /// Games that were finished before.
    pub done: Vec<GameRecord>,
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Finish {
    /// All games were played.
    Complete,
    /// The test accepted a hypothesis.
    Decided,
    /// It was interrupted.
    Interrupted,
}

/// A match that ended or was interrupted.
pub struct Finished {
    /// All games, in the order in which they ended, without their moves.
    pub games: Vec<GameRecord>,
    /// Their standings.
    pub standings: Standings,
    /// Why it is over.
    pub finish: Finish,
}

/// The match ends when an engine has failed so often in a row before its first move.
const MAX_FAILURES: u32 = 5;

/// Starts an engine. The outer error is ours or the user's, the inner one the engine's.
pub fn start(
    spec: &EngineSpec,
    variant: &'static str,
    stop: &Stop,
) -> Result<Result<Box<dyn Player>, Unready>> {
    Ok(match spec.protocol {
        Protocol::Uci => Uci::start(spec, variant, stop)?.map(|engine| Box::new(engine) as Box<dyn Player>),
        Protocol::Xboard => {
            Cecp::start(spec, variant, stop)?.map(|engine| Box::new(engine) as Box<dyn Player>)
        }
    })
}

/// Starts each engine once, to see that all can be started, and returns their names. Equal names are
/// numbered.
pub fn names(settings: &Settings, stop: &Stop) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for (number, spec) in (1..).zip(&settings.engines) {
        let which = || format!("engine {number} ({})", spec.cmd);
        let player = start(spec, settings.variant, stop).with_context(which)?;
        let player = match player {
            Ok(player) => player,
            // Its own output often says why.
            Err((Failure::Crashed(how), lines)) => {
                bail!("{}: {how} before it was ready\n{}", which(), report::quoted(&lines).trim_end())
            }
            Err((Failure::Interrupted, _)) => {
                bail!(Interrupted("the match was interrupted before its first game".into()))
            }
            Err((failure, _)) => bail!("{}: {failure}", which()),
        };
        let name = if spec.name.is_empty() { player.name().to_owned() } else { spec.name.clone() };
        let same = names.iter().filter(|known| **known == name).count();
        names.push(if same == 0 { name } else { format!("{name} #{}", same + 1) });
    }
    // "a", "a" and "a #2" would still give the same name twice.
    let different: HashSet<&String> = names.iter().collect();
    anyhow::ensure!(different.len() == names.len(), "--engine name: two engines have the same name");
    Ok(names)
}

enum Event {
    Finished(Box<GameRecord>),
    /// The match cannot go on; why.
    Abort(String),
}

impl Match {
    /// The first line of the file of results.
    pub fn header(&self, groups: &[super::words::Group]) -> Header {
        Header {
            version: super::record::VERSION,
            settings: groups.to_vec(),
            names: self.names.clone(),
            openings: self.book.identity(),
        }
    }

    /// Plays the remaining games. `results` opens the file of results, after all other files, so that nothing is left
    /// of a match that cannot write one of these.
    pub fn run(
        self,
        results: impl FnOnce() -> Result<Option<Results>>,
        stop: &Stop,
        watcher: &dyn Watcher,
    ) -> Result<Finished> {
        let Match { settings, names, book, done } = self;
        let played: HashSet<u64> = done.iter().map(|game| game.game).collect();
        let plan = settings.plan();
        let known = played
            .iter()
            .filter(|&&game| game <= plan.total() && plan.has(settings.shard, &plan.task(game)))
            .count() as u64;
        let left = plan.count(settings.shard).saturating_sub(known);
        let mut collector = Collector::open(&settings, &names, done, left)?;
        let mut results = results()?;
        let irregular_before = collector.standings.irregular;
        watcher.counted(&collector.standings);
        let mut finish = Finish::Complete;
        if collector.verdict() != Verdict::Open {
            collector.close();
            return Ok(collector.finished(Finish::Decided));
        }
        let queue = Mutex::new(plan.tasks(settings.shard).filter(|task| !played.contains(&task.game)));
        let (sender, receiver) = channel();
        let mut broken = None;
        thread::scope(|scope| -> Result<()> {
            for number in 0..settings.concurrency {
                let worker = Worker {
                    number,
                    watcher,
                    settings: &settings,
                    names: &names,
                    book: &book,
                    queue: &queue,
                    stop,
                    players: BTreeMap::new(),
                    failures: vec![0; names.len()],
                };
                let sender = sender.clone();
                let started = thread::Builder::new()
                    .name(format!("game {number}"))
                    .spawn_scoped(scope, move || worker.work(&sender));
                if let Err(error) = started {
                    stop.now();
                    return Err(error).context("cannot start a thread");
                }
            }
            drop(sender);
            for event in receiver {
                let done = match event {
                    Event::Finished(game) => {
                        watcher.finished(&game);
                        collector.take(*game, results.as_mut())
                    }
                    Event::Abort(what) => {
                        broken = Some(what);
                        stop.now();
                        continue;
                    }
                };
                // Errors of our own files end the match: games that are not recorded are useless.
                if let Err(error) = done {
                    stop.now();
                    // Without a table it is not over, whatever becomes of the output.
                    return match error.is::<ClosedOutput>() {
                        true => Err(anyhow!("{error}; continue the match with --resume")),
                        false => Err(error),
                    };
                }
                watcher.counted(&collector.standings);
                if collector.verdict() != Verdict::Open {
                    finish = Finish::Decided;
                    stop.now();
                }
                let irregular = collector.standings.irregular > irregular_before;
                if irregular && !settings.recover && broken.is_none() {
                    broken = Some("a game ended irregularly, and --norecover stops the match then".into());
                    stop.now();
                }
            }
            Ok(())
        })?;
        collector.close();
        if let Some(what) = broken {
            bail!("{what}; continue the match with --resume");
        }
        if finish == Finish::Complete && (collector.games.len() as u64) < collector.total {
            finish = Finish::Interrupted;
        }
        Ok(collector.finished(finish))
    }
}

/// Plays games one after the other.
struct Worker<'a, Q> {
    /// Its number, from 0.
    number: usize,
    watcher: &'a dyn Watcher,
    settings: &'a Settings,
    names: &'a [String],
    book: &'a Book,
    queue: &'a Mutex<Q>,
    stop: &'a Stop,
    /// Running engines.
    players: BTreeMap<usize, Box<dyn Player>>,
    /// How often each engine has failed in a row before its first move.
    failures: Vec<u32>,
}

impl<Q: Iterator<Item = Task>> Worker<'_, Q> {
    fn work(mut self, sender: &Sender<Event>) {
        loop {
            if self.stop.is_soon() {
                return;
            }
            let task = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(task) = task else { return };
            match self.game(&task) {
                Ok(Some(game)) => {
                    let loser = if game.result == GameResult::BlackWins { task.white } else { task.black };
                    let fault = matches!(game.end, End::Crash | End::Stall | End::Breach | End::IllegalMove);
                    for (color, engine) in Color::BOTH.into_iter().zip([task.white, task.black]) {
                        if (0..game.moves.len()).any(|index| game.mover(index) == color) {
                            self.failures[engine] = 0;
                        } else if fault && engine == loser {
                            self.failures[engine] += 1;
                        }
                    }
                    let what = format!(
                        "{} failed {MAX_FAILURES} times before its first move; the last time: {}",
                        self.names[loser], game.reason
                    );
                    if sender.send(Event::Finished(Box::new(game))).is_err() {
                        return;
                    }
                    if self.failures[loser] >= MAX_FAILURES {
                        drop(sender.send(Event::Abort(what)));
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    drop(sender.send(Event::Abort(format!("{error:#}"))));
                    return;
                }
            }
        }
    }

    /// Plays a game; `None` if the match is being stopped.
    fn game(&mut self, task: &Task) -> Result<Option<GameRecord>> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let clock = Instant::now();
        let (place, opening) = self.book.opening(task.opening);
        let seats = [task.white, task.black];
        self.players.retain(|engine, _| seats.contains(engine));
        let mut taken: Vec<Box<dyn Player>> = Vec::new();
        let (mut played, mut log) = (None, Vec::new());
        for (color, engine) in Color::BOTH.into_iter().zip(seats) {
            let player = match self.players.remove(&engine) {
                Some(player) => player,
                None => match start(&self.settings.engines[engine], self.settings.variant, self.stop)? {
                    Ok(player) => player,
                    Err((Failure::Interrupted, _)) => return Ok(None),
                    Err((Failure::Crashed(what) | Failure::Stalled(what) | Failure::Breach(what), lines)) => {
                        log = lines;
                        played = Some(Played {
                            book_san: Vec::new(),
                            moves: Vec::new(),
                            winner: Some(!color),
                            end: End::Crash,
                            reason: format!("{color}'s engine does not start: {what}"),
                            failed: None,
                        });
                        break;
                    }
                },
            };
            taken.push(player);
        }
        if let [white, black] = taken.as_mut_slice() {
            let session = engine::open(self.settings.variant)?;
            let side = |player, engine: usize| Side {
                player,
                spec: &self.settings.engines[engine],
                name: &self.names[engine],
            };
            let mut sides = [side(white.as_mut(), task.white), side(black.as_mut(), task.black)];
            let on_move = |position: &dyn Session, made: Option<(&MoveInfo, &MoveRecord)>| match made {
                None => self.watcher.began(self.number, task, position),
                Some((mv, record)) => self.watcher.moved(self.number, position, mv, record),
            };
            played = play(session, opening, self.settings.adjudication, &mut sides, &on_move)?;
        }
        let Some(mut played) = played else { return Ok(None) };
        if played.book_san.len() < opening.moves.len() {
            // An engine did not start, but the opening belongs to the game.
            let mut session = engine::open(self.settings.variant)?;
            session.set_position(opening.fen.as_deref(), &[])?;
            played.book_san =
                opening.moves.iter().map(|text| Ok(session.play(text)?.san)).collect::<Result<_>>()?;
        }
        for (color, (engine, mut player)) in Color::BOTH.into_iter().zip(seats.into_iter().zip(taken)) {
            let at_fault = !played.end.is_regular() && played.winner == Some(!color);
            let again = player.is_reusable() && !self.settings.engines[engine].restart;
            let kept = played.failed != Some(color) && again;
            if kept {
                if at_fault {
                    log = player.last_lines();
                }
                self.players.insert(engine, player);
            } else {
                let lines = player.end();
                if at_fault {
                    log = lines;
                }
            }
        }
        Ok(Some(GameRecord {
            game: task.game,
            round: task.round,
            pair: task.pair,
            white: task.white,
            black: task.black,
            opening: (!self.book.is_empty()).then_some(place),
            fen: opening.fen.clone(),
            book: opening.moves.clone(),
            book_san: played.book_san,
            moves: played.moves,
            result: played.winner.into(),
            end: played.end,
            reason: played.reason,
            began,
            millis: clock.elapsed().as_millis() as u64,
            log,
        }))
    }
}

/// Handles finished games: writes, counts and reports them.
struct Collector<'a> {
    settings: &'a Settings,
    names: &'a [String],
    games: Vec<GameRecord>,
    standings: Standings,
    pgn: Option<File>,
    log: Option<File>,
    bar: ProgressBar,
    /// Games of the match, or of the part that is played here.
    total: u64,
}

impl<'a> Collector<'a> {
    fn open(
        settings: &'a Settings,
        names: &'a [String],
        mut games: Vec<GameRecord>,
        left: u64,
    ) -> Result<Collector<'a>> {
        let mut standings = Standings::new(names.len(), settings.repeat);
        games.iter().for_each(|game| standings.add(game));
        let pgn = match &settings.pgn {
            Some(path) => Some(begin_pgn(path, settings, names, &mut games)?),
            None => None,
        };
        games.iter_mut().for_each(slim);
        let log = match &settings.log {
            Some(path) => Some(files::open_to_append(path).context("--log")?),
            None => None,
        };
        let bar = if std::io::stderr().is_terminal() {
            let style = "{wide_bar} {pos}/{len} games {elapsed} (left: {eta}) {msg}";
            let bar = ProgressBar::new(left + games.len() as u64)
                .with_style(
                    ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
                )
                .with_position(games.len() as u64);
            // The time left is estimated from the games of this run.
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        } else {
            ProgressBar::hidden()
        };
        let total = left + games.len() as u64;
        Ok(Collector { settings, names, games, standings, pgn, log, bar, total })
    }

    fn take(&mut self, mut game: GameRecord, results: Option<&mut Results>) -> Result<()> {
        if let Some(results) = results {
            results.line(&game)?;
        }
        if let Some(file) = &mut self.pgn {
            let text = game.to_pgn(self.settings, self.names).to_string();
            files::append(file, text.as_bytes()).context("--pgnout")?;
        }
        self.standings.add(&game);
        let (white, black) = (&self.names[game.white], &self.names[game.black]);
        let result = game.result.as_str();
        let line = format!("Game {} ({white} - {black}): {result} {}", game.game, game.reason);
        if !game.end.is_regular() {
            let told = format!("{line}\n{}", report::quoted(&game.log));
            match &mut self.log {
                Some(file) => files::append(file, told.as_bytes()).context("--log")?,
                None => self.bar.suspend(|| note!("{}", told.trim_end())),
            }
        }
        let interval = self.settings.rating_interval;
        // After the last game the table is shown anyway.
        let more = self.games.len() as u64 + 1 < self.total;
        let table = more && interval > 0 && self.standings.games().is_multiple_of(interval);
        let mut text = line + "\n";
        if table {
            text += &report::summary(self.settings, self.names, &self.standings);
        }
        self.bar.suspend(|| quintain_io::print(&text))?;
        if self.names.len() == 2 {
            self.bar.set_message(format!("Elo {}", report::elo(&self.standings.duel().estimate())));
        }
        self.bar.inc(1);
        slim(&mut game);
        self.games.push(game);
        Ok(())
    }

    /// The verdict of the test. A part of a match has none, only all parts together.
    fn verdict(&self) -> Verdict {
        match &self.settings.sprt {
            Some(sprt) if self.settings.shard.is_none() => sprt.verdict(&self.standings.duel()),
            _ => Verdict::Open,
        }
    }

    fn close(&self) {
        self.bar.finish_and_clear();
    }

    fn finished(self, finish: Finish) -> Finished {
        Finished { games: self.games, standings: self.standings, finish }
    }
}

/// Drops the moves once they are written and counted, to save memory.
fn slim(game: &mut GameRecord) {
    game.moves = Vec::new();
    game.book = Vec::new();
    game.book_san = Vec::new();
}

/// Writes the games that are known as PGN and leaves the file open for more. They are written again from the results, for
/// the file of a killed run may be incomplete; games of other matches in the file stay.
fn begin_pgn(path: &Path, settings: &Settings, names: &[String], games: &mut [GameRecord]) -> Result<File> {
    if !games.is_empty() || path.is_file() {
        write_pgn(path, settings, names, games)?;
    }
    files::open_to_append(path).context("--pgnout")
}

/// Writes games as PGN, in the place of those that the file has of them. Its games of other matches stay.
pub fn write_pgn(path: &Path, settings: &Settings, names: &[String], games: &mut [GameRecord]) -> Result<()> {
    let write = |game: &mut GameRecord| {
        game.complete(settings.variant)?;
        Ok(game.to_pgn(settings, names).to_string())
    };
    let games = games.iter_mut().map(write).collect::<Result<Vec<String>>>()?;
    let before = if path.is_file() { std::fs::read(path).context("--pgnout")? } else { Vec::new() };
    let mut text = of_other_matches(&before, &games);
    games.iter().for_each(|game| text.extend(game.bytes()));
    files::write(path, &text).context("--pgnout")
}

/// What a file has besides these games. They are also known with another `Event`, which may change when a match is resumed,
/// and the last one may be cut short.
fn of_other_matches(file: &[u8], games: &[String]) -> Vec<u8> {
    const BEGIN: &[u8] = b"[Event ";
    let begins = |line: &[u8]| line.starts_with(BEGIN);
    let last_line = file.rsplit(|&byte| byte == b'\n').next().unwrap_or(&[]);
    let file = if BEGIN.starts_with(last_line) { &file[..file.len() - last_line.len()] } else { file };
    let rest = |game: &[u8]| game.iter().position(|&byte| byte == b'\n').map_or(game.len(), |end| end + 1);
    let games: HashSet<&[u8]> = games.iter().map(|game| &game.as_bytes()[rest(game.as_bytes())..]).collect();
    let mut found: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        if begins(line) && at > start {
            found.push(&file[start..at]);
            start = at;
        }
        at += line.len();
    }
    found.push(&file[start..]);
    let last = found.len() - 1;
    let is_ours = |(number, game): (usize, &&[u8])| {
        let body = &game[rest(game)..];
        begins(game)
            && (games.contains(body) || number == last && games.iter().any(|own| own.starts_with(body)))
    };
    let others = found.iter().enumerate().filter(|&(number, game)| !is_ours((number, game)));
    let mut text: Vec<u8> = others.flat_map(|(_, game)| game.iter().copied()).collect();
    // The last of them may be of a program that writes no empty line after it.
    while !text.is_empty() && !text.ends_with(b"\n\n") {
        text.push(b'\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_other_matches_stay_in_a_file() {
        let own =
            ["[Event \"a\"]\n[Round \"1\"]\n\n1. e4 *\n\n", "[Event \"a\"]\n[Round \"2\"]\n\n1. d4 *\n\n"];
        let own = own.map(str::to_owned);
        let other = "[Event \"a\"]\n[Round \"1\"]\n\n1. c4 *\n\n";
        let renamed = own[1].replace("\"a\"", "\"b\"");
        for (file, stays) in [
            (String::new(), ""),
            (own.concat(), ""),
            (own[0].clone() + &own[1][..30], ""),
            (own[0].clone() + &own[1][..9], ""),
            (own[0].clone() + &own[1][..3], ""),
            (own[0].clone() + other + &renamed, other),
            (other.to_owned() + &own[0][..30], other),
            (other.to_owned(), other),
            ("1. e4 *\n".to_owned() + &own[0], "1. e4 *\n\n"),
            ("1. e4 *".to_owned(), "1. e4 *\n\n"),
        ] {
            assert_eq!(String::from_utf8(of_other_matches(file.as_bytes(), &own)).unwrap(), stays, "{file}");
        }
    }
}
