//! `quintain study`: games of the engine against itself, and what they say about a game.

use super::openings::{self, Found};
use super::played::{self, Played};
use crate::board::Color;
use crate::engine::{self, Engine, Options};
use crate::search::Limits;
use anyhow::{Context, Result, ensure};
use clap::{Subcommand, value_parser};
use comfy_table::{CellAlignment, presets::ASCII_MARKDOWN};
use quintain_io as output;
use quintain_io::Interrupted;
use quintain_io::files;
use quintain_io::note;
use quintain_play::game::values;
use quintain_study::grow::centipawns;
use quintain_study::material::{self, Count, Material, SETTLED};
use quintain_tournament::schedule::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Arguments of `quintain study`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Let the engine play against itself
    Play(PlayArgs),
    /// Say what games show: White's share, how long they are, how they end, the first moves
    Report(ReportArgs),
    /// Measure in games what pieces are worth, and how often sides with different pieces win
    Material(MaterialArgs),
}

/// Arguments of `quintain study play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "The first plies are chosen by chance among good moves: the first move about
evenly among all that are reasonable, later ones the less often the more they
give away. Then two engines play on as in quintain match, whose results the
file has. The openings are beside it, in FILE.openings.pgn. Stopped by Ctrl-C,
the work goes on where it was when the command is given again, once all openings
are chosen, and --games may be more then. Several machines play different games
with different seeds.

Examples:
  quintain study play canyon --games 2000 --results canyon-1.jsonl --seed 1
  quintain study report canyon canyon-*.jsonl")]
struct PlayArgs {
    /// The game
    game: String,
    /// The file of the games
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Nodes of the search of a move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Plies that are chosen by chance
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = value_parser!(u16).range(1..=40))]
    plies: u16,
    /// Another seed gives other games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1000))]
    concurrency: u16,
}

/// Arguments of `quintain study report`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Games are results of matches (a JSON line each) or PGN. Shares are those of
White, with intervals of 95 percent confidence.")]
struct ReportArgs {
    /// The game
    game: String,
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Tell games apart by so many plies, besides those of a set-up phase
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=20))]
    plies: u16,
    /// Leave out lines with fewer games
    #[arg(long, value_name = "N", default_value_t = 10)]
    least: usize,
}

/// Arguments of `quintain study material`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Positions count in which the material stays the same for six plies, so that
nothing is being exchanged. The values are those that fit the results of the
games best; 1.0 is a pawn (in grandcavalier, which has no pawns, a third of a
cavalier), separately for the opening, with more than half of the pieces on the
board, and the ending, with fewer. Intervals have 95 percent confidence.
'A : N P' are positions in which one side has an archbishop where the other has
a knight and a pawn; the share is that of the first. A game counts once.")]
struct MaterialArgs {
    /// The game
    game: String,
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Leave out what happened in fewer games
    #[arg(long, value_name = "N", default_value_t = 20)]
    least: usize,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Play(args) => play(&args),
        Command::Report(args) => {
            let game = engine::named(&args.game)?;
            let games = played::read(&args.files, game)?;
            output::print(&report(game, &games, args.plies.into(), args.least)?)
        }
        Command::Material(args) => {
            let game = engine::named(&args.game)?;
            let games = played::read(&args.files, game)?;
            output::print(&material(game, &games, args.least)?)
        }
    }
}

// ---- Play ---------------------------------------------------------------------------------------------------

fn play(args: &PlayArgs) -> Result<()> {
    let game = engine::named(&args.game)?;
    let mut path = args.results.clone().into_os_string();
    path.push(".openings.pgn");
    let path = PathBuf::from(path);
    choose_openings(args, game, &path)?;
    let program = std::env::current_exe().context("this program")?;
    let mut words = vec!["--variant".to_owned(), game.to_owned()];
    for name in ["A", "B"] {
        words.extend(["--engine".into(), format!("cmd={}", program.display()), format!("name={name}")]);
    }
    words.extend(["--each".into(), format!("nodes={}", args.nodes), "option.Hash=16".into()]);
    words.extend(["--openings".into(), format!("file={}", path.display()), "format=pgn".into()]);
    for (name, value) in [("games", 1), ("rounds", args.games), ("concurrency", args.concurrency.into())] {
        words.extend([format!("--{name}"), value.to_string()]);
    }
    words.extend(["--norepeat", "--ratinginterval", "0", "--results"].map(str::to_owned));
    words.extend([args.results.display().to_string(), "--resume".into()]);
    quintain_tournament::run(quintain_tournament::Args::of(words), None).map_err(|error| {
        match error.is::<Interrupted>() {
            true => Interrupted("interrupted; the same command goes on with the games".into()).into(),
            false => error,
        }
    })
}

/// How the first line of a file of openings begins, which says how they were chosen. Readers of PGN leave it out.
const MARK: &str = "% quintain study play ";

/// Writes the file of the openings, or as many as are missing. They must have been chosen in the same way.
fn choose_openings(args: &PlayArgs, game: &'static str, path: &Path) -> Result<()> {
    let given: [(&str, u64); 4] = [
        ("--nodes", args.nodes),
        ("--plies", args.plies.into()),
        ("--seed", args.seed),
        ("--games", args.games.into()),
    ];
    let mut known = String::new();
    if path.exists() {
        let text = files::read_games(path)?;
        // An older program did not write how it chose.
        let Some((first, rest)) = text.strip_prefix(MARK).and_then(|text| text.split_once('\n')) else {
            return Ok(());
        };
        let words: Vec<&str> = first.split_whitespace().collect();
        let results = args.results.display();
        let of = words.first().copied().unwrap_or_default();
        ensure!(of == game, "'{results}' has games of {of}, not of {game}");
        for (option, value) in given {
            let before = words.iter().position(|&word| word == option);
            let before = before.and_then(|at| words.get(at + 1)?.parse::<u64>().ok()).unwrap_or(value);
            let more = option == "--games" && value > before;
            ensure!(value == before || more, "{option}: '{results}' was begun with {before}, not {value}");
            if option == "--games" && !more {
                return Ok(());
            }
        }
        known = rest.to_owned();
    }
    note!("Choosing {} openings.", args.games);
    let mut sampler = Sampler::new(game, args.nodes, args.seed)?;
    let found = sampler.sample(args.games as usize, args.plies.into())?;
    let games = (1..).zip(&found).map(|(number, found)| openings::game(game, number, found));
    let games: String = games.collect();
    ensure!(
        games.starts_with(&known),
        "--games: this program chooses other openings than those of '{}', so there cannot be more of them",
        path.display()
    );
    let words: Vec<String> = given.iter().map(|(option, value)| format!("{option} {value}")).collect();
    files::write(path, format!("{MARK}{game} {}\n{games}", words.join(" ")).as_bytes())?;
    Ok(())
}

/// Chooses openings by chance among good moves.
struct Sampler {
    engine: Engine,
    nodes: u64,
    random: ChaCha8Rng,
    /// The good moves of positions: coordinates, and how many centipawns they lose against the best.
    known: HashMap<u64, Vec<(String, i32)>>,
}

impl Sampler {
    /// A move may lose so many centipawns against the best.
    const MARGIN: i32 = 80;
    /// A move of an opening that loses so many centipawns is e times less likely than the best one.
    const TOLERANCE: f64 = 35.0;
    /// Lines to search.
    const LINES: usize = 16;

    fn new(game: &'static str, nodes: u64, seed: u64) -> Result<Sampler> {
        let options = Options { variant: game, hash: 16, multi_pv: Sampler::LINES, ..Options::default() };
        let random = ChaCha8Rng::seed_from_u64(seed);
        Ok(Sampler { engine: Engine::new(options)?, nodes, random, known: HashMap::new() })
    }

    /// So many openings, each another line; fewer if there are not so many.
    fn sample(&mut self, count: usize, plies: usize) -> Result<Vec<Found>> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let (mut failed, mut said) = (0, Instant::now());
        while found.len() < count && failed < 1000 {
            let opening = self.opening(plies)?;
            match opening.filter(|opening| seen.insert(opening.moves.clone())) {
                Some(opening) => {
                    found.push(opening);
                    failed = 0;
                }
                None => failed += 1,
            }
            if said.elapsed() >= Duration::from_secs(10) {
                said = Instant::now();
                note!("{} of {count} openings chosen.", found.len());
            }
        }
        ensure!(!found.is_empty(), "no openings were found");
        Ok(found)
    }

    /// An opening; `None` if it ends the game.
    fn opening(&mut self, plies: usize) -> Result<Option<Found>> {
        self.engine.game_mut().set_position(None, &[])?;
        let (mut moves, mut ply) = (Vec::new(), 0);
        while ply < plies {
            let first = ply == 0;
            ply += usize::from(self.engine.game().comes_first().is_none());
            let good = self.good()?;
            // First moves and set-ups are all to be played.
            let tolerance = if first { f64::INFINITY } else { Sampler::TOLERANCE };
            let weights: Vec<f64> =
                good.iter().map(|(_, loss)| (-f64::from(*loss) / tolerance).exp()).collect();
            const STEPS: u64 = 1 << 32;
            let mut lot = below(&mut self.random, STEPS) as f64 / STEPS as f64 * weights.iter().sum::<f64>();
            let chosen = weights.iter().position(|weight| {
                lot -= weight;
                lot < 0.0
            });
            let Some((text, _)) = good.get(chosen.unwrap_or(0)) else { return Ok(None) };
            moves.push(self.engine.game_mut().play(text)?.san);
            if self.engine.game().outcome().is_some() {
                return Ok(None);
            }
        }
        Ok(Some(Found { fen: self.engine.game().fen(), moves, score: 0 }))
    }

    /// The good moves of the engine's position.
    fn good(&mut self) -> Result<Vec<(String, i32)>> {
        let key = self.engine.game().key();
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        self.engine.new_game();
        let lines = self.engine.lines(&Limits { nodes: Some(self.nodes), ..Limits::default() }, |_| ());
        let game = self.engine.game();
        let scores: Vec<(String, i32)> = lines
            .iter()
            .filter_map(|line| {
                let text = game.coordinates(&line.pv).into_iter().next()?;
                Some((text, centipawns(game.shown(line.score))))
            })
            .collect();
        let best = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
        let good = scores.into_iter().map(|(text, score)| (text, best - score));
        let good: Vec<(String, i32)> = good.filter(|(_, loss)| *loss <= Sampler::MARGIN).collect();
        self.known.insert(key, good.clone());
        Ok(good)
    }
}

// ---- Report -------------------------------------------------------------------------------------------------

fn percent(count: &Count, at: usize) -> String {
    format!("{:.0} %", 100.0 * count.results[at] as f64 / count.games() as f64)
}

/// What games show, as text.
fn report(name: &str, games: &[Played], plies: usize, least: usize) -> Result<String> {
    let mut all = Count::default();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines: BTreeMap<String, Count> = BTreeMap::new();
    let mut lengths: Vec<usize> = Vec::new();
    for game in games {
        all.add(game.winner, Color::White);
        *reasons.entry(&game.reason).or_default() += 1;
        let mut session = engine::open(name)?;
        session.set_position(game.fen.as_deref(), &[])?;
        let (mut line, mut set_up) = (Vec::new(), 0);
        for text in &game.moves {
            if line.len() == plies {
                break;
            }
            let placed = session.comes_first().is_some();
            let info = session.play(text)?;
            match placed {
                true => set_up += 1,
                false => line.push(info.san),
            }
        }
        lengths.push((game.moves.len() - set_up).div_ceil(2));
        if game.fen.is_none() && line.len() == plies {
            lines.entry(line.join(" ")).or_default().add(game.winner, Color::White);
        }
    }
    lengths.sort_unstable();
    let part = |permille: usize| lengths[(lengths.len() - 1) * permille / 1000];
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    let (share, width) = all.share();
    let mut text = format!(
        "{} games\nWhite's share: {share:.1} % +- {width:.1} (White wins {}, draws {}, Black wins {})\n\
         Length: {mean:.0} moves on average, half of the games from {} to {}, the longest {}\n\nEnds:\n",
        all.games(),
        percent(&all, 0),
        percent(&all, 1),
        percent(&all, 2),
        part(250),
        part(750),
        part(1000)
    );
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(reason, count)| (usize::MAX - count, reason));
    for (reason, count) in reasons {
        let reason = if reason.is_empty() { "not known" } else { reason };
        let _ = writeln!(text, "{:>5.1} %  {reason}", 100.0 * count as f64 / all.games() as f64);
    }
    let shown = lines.iter().filter(|(_, count)| count.games() >= least);
    let mut shown: Vec<(&String, &Count)> = shown.collect();
    shown.sort_by_key(|(line, count)| (usize::MAX - count.games(), *line));
    if !shown.is_empty() {
        let mut table = comfy_table::Table::new();
        table.load_style(ASCII_MARKDOWN).set_header(["first moves", "games", "White's share", "draws"]);
        for (line, count) in shown {
            let (share, width) = count.share();
            let share = format!("{share:.0} % +- {width:.0}");
            table.add_row([line.clone(), count.games().to_string(), share, percent(count, 1)]);
        }
        right(&mut table);
        let _ = writeln!(text, "\n{table}");
    }
    Ok(text)
}

// ---- Material -----------------------------------------------------------------------------------------------

/// What games show of the pieces, as text.
fn material(name: &str, games: &[Played], least: usize) -> Result<String> {
    let known = values::values(&engine::info(name)?);
    // The smallest piece; where it is no pawn it counts for several.
    let unit =
        known.first().map(|value| (value.letter, f64::from(value.opening.round()))).context("a piece")?;
    let given = games.iter().map(|Played { fen, moves, winner, .. }| {
        let fen = fen.as_deref();
        material::Game { fen, moves, winner: *winner }
    });
    let given: Vec<material::Game> = given.collect();
    let found = material::measure(name, &given, unit).context("games that can be replayed")?;
    let Material { positions: [early, late], values, pairs, unit: more, imbalances } = found;
    let mut text = format!(
        "{} games, {} positions whose material stays the same for {SETTLED} plies ({early} in the opening)\n\n",
        games.len(),
        early + late
    );
    let mut table = comfy_table::Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["piece", "opening", "ending"]);
    let named = |letter| known.iter().find(|value| value.letter == letter).map_or("", |value| value.name);
    let shown = |value: Option<material::Value>| match value {
        Some((value, width)) if width > 0.0 => format!("{value:.1} +- {width:.1}"),
        Some((value, _)) => format!("{value:.1}"),
        None => "-".into(),
    };
    for (letter, [opening, ending]) in values {
        table.add_row([named(letter).to_owned(), shown(opening), shown(ending)]);
    }
    for (letter, [opening, ending]) in pairs {
        table.add_row([format!("both: {}", named(letter)), shown(opening), shown(ending)]);
    }
    let percent_of = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.0} %"));
    table.add_row(["one more scores".to_owned(), percent_of(more[0]), percent_of(more[1])]);
    right(&mut table);
    let _ = writeln!(text, "{table}\n");
    let mut table = comfy_table::Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["pieces", "games", "share", "draws"]);
    let spaced =
        |letters: &str| letters.chars().map(|letter| letter.to_string()).collect::<Vec<_>>().join(" ");
    for ((more, less), count) in imbalances.iter().filter(|(_, count)| count.games() >= least) {
        let (share, width) = count.share();
        let share = format!("{share:.0} % +- {width:.0}");
        let pieces =
            format!("{} : {}", spaced(more), if less.is_empty() { "-".into() } else { spaced(less) });
        table.add_row([pieces, count.games().to_string(), share, percent(count, 1)]);
    }
    right(&mut table);
    let _ = writeln!(text, "{table}");
    Ok(text)
}

/// Aligns all columns but the first at their right.
fn right(table: &mut comfy_table::Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str, winner: Option<Color>) -> Played {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Played { fen: None, scores: vec![None; moves.len()], moves, winner, reason: "White mates".into() }
    }

    #[test]
    fn a_report_counts_by_first_moves() {
        let mut games = vec![game("e2e4 e7e5 g1f3", Some(Color::White)); 3];
        games.push(game("e2e4 c7c5", None));
        games.push(game("d2d4", Some(Color::Black)));
        let text = report("chess", &games, 1, 2).unwrap();
        assert!(text.starts_with("5 games\nWhite's share: 70.0 % +- 35.1"), "{text}");
        assert!(text.contains("(White wins 60 %, draws 20 %, Black wins 20 %)"), "{text}");
        assert!(text.contains("100.0 %  White mates"), "{text}");
        assert!(text.contains("| e4          |     4 |    88 % +- 21 |  25 % |"), "{text}");
        assert!(!text.contains("d4"), "{text}");
        let text = report("chess", &games, 2, 1).unwrap();
        assert!(text.contains("| e4 e5 ") && text.contains("| e4 c5 ") && !text.contains("| d4"), "{text}");
    }

    #[test]
    fn a_report_of_material_says_who_had_what() {
        // White wins a pawn and keeps it.
        let moves = "e2e4 d7d5 e4d5 g8f6 b1c3 b8c6 a2a3 a7a6 a3a4";
        let text = material("chess", &[game(moves, Some(Color::White))], 1).unwrap();
        assert!(
            text.starts_with("1 games, 1 positions whose material stays the same for 6 plies (1 in"),
            "{text}"
        );
        assert!(text.contains("| P : -  |     1 | 100 % +- 79 |   0 % |"), "{text}");
        assert!(text.contains("| both: bishop    |       - |"), "{text}");
        assert!(!material("chess", &[game(moves, None)], 2).unwrap().contains("P :"));
    }

    #[test]
    fn set_up_moves_do_not_count_as_first_moves() {
        let set_up = "S@d2,S@e2 S@d9,S@h9 d1d1ne d10d10nw a2a3";
        let text = report("superchess", &[game(set_up, None)], 1, 1).unwrap();
        assert!(text.contains("| a3 ") && text.contains("Length: 1 moves"), "{text}");
    }

    #[test]
    fn openings_are_good_and_different_and_follow_from_the_seed() {
        let sample = |seed| Sampler::new("diamond", 300, seed).unwrap().sample(8, 3).unwrap();
        let first = sample(1);
        assert_eq!(first, sample(1));
        assert_ne!(first, sample(2));
        let lines: HashSet<&Vec<String>> = first.iter().map(|found| &found.moves).collect();
        assert_eq!((lines.len(), first.iter().all(|found| found.moves.len() == 3)), (8, true));
        let starts: HashSet<&String> = first.iter().map(|found| &found.moves[0]).collect();
        assert!(starts.len() > 2, "{starts:?}");
    }
}
