//! The command line.

use crate::tools;
use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use quintain_io as output;
use quintain_protocol as protocol;
use std::io::{self, IsTerminal};
use std::sync::LazyLock;

/// What `--version` says.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let debug = if cfg!(debug_assertions) { " (with debug assertions)" } else { "" };
    let features = if cfg!(feature = "web") { "cli, web" } else { "cli" };
    #[cfg(target_arch = "x86_64")]
    let processor = crate::processor::built_for();
    #[cfg(not(target_arch = "x86_64"))]
    let processor = std::env::consts::ARCH;
    format!(
        "{}{debug}\ncommit: {}\nfeatures: {features}\nprocessor: {processor}",
        env!("CARGO_PKG_VERSION"),
        env!("QUINTAIN_COMMIT")
    )
});

/// A UCI and XBoard engine for chess games that no strong engine plays.
///
/// Without a command it runs as an engine for chess GUIs, with UCI or CECP (the protocol of XBoard).
#[derive(Parser, Debug)]
#[command(
    version,
    long_version = VERSION.as_str(),
    about,
    after_help = "Examples:
  quintain board canyon      play a game in the browser
  quintain play canyon       play a game here, in the terminal
  quintain xboard canyon     play it with the mouse, in XBoard
  quintain variants          list the games
  quintain rules canyon      the rules of a game
  quintain handbook canyon   how to play it well
  quintain help play         more about a command
  quintain                   run as an engine: a GUI starts it without arguments"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play a game in the browser
    #[cfg(feature = "web")]
    Board(quintain_server::Args),
    /// Write the board as a site of plain files, for any host
    #[cfg(feature = "web")]
    Site(tools::site::Args),
    /// Play a game in the terminal
    Play(tools::play::Args),
    /// Play a game in XBoard, with the mouse
    Xboard(tools::xboard::Args),
    /// List the games
    Variants(tools::variants::Args),
    /// Explain the rules of a game
    Rules(tools::rules::Args),
    /// What is known about a game: openings, tactics, endings, values
    Handbook(tools::handbook::Args),
    /// Show the values of the pieces of a game
    Values(tools::values::Args),
    /// Draw a position as a picture
    Diagram(tools::diagram::Args),
    /// Show the opening book of a game, or make one
    Book(tools::book::Args),
    /// Solve puzzles in the terminal
    Puzzle(tools::puzzle::Args),
    /// Look for puzzles in games
    Puzzles(tools::puzzles::Args),
    /// Let the engine play against itself, and report what the games show
    Study(tools::study::Args),
    /// Build endgame tables, check them, and show what is in them
    Tables(tools::tables::Args),
    /// Let engines play each other, with this program as the referee
    Match(quintain_tournament::Args),
    /// Make balanced start positions for matches (not opening theory)
    Openings(tools::openings::Args),
    /// Show the best lines of a position, or annotate a game
    Analyse(tools::analyse::Args),
    /// Convert games, also for XBoard
    Convert(tools::convert::Args),
    /// Count the sequences of legal moves (perft), to check move generation
    Perft(tools::perft::Args),
    /// Search fixed positions of all games; print the nodes (a checksum) and the speed
    Bench(tools::bench::Args),
    /// Measure move generation and search, also against another engine
    Speed(tools::speed::Args),
    /// Train the network of a game on games that it plays against itself
    Tune(quintain_tune::Args),
    /// Print completions of commands and options for a shell
    Completions(tools::package::CompletionsArgs),
    /// Print the man page, or write those of all commands
    Man(tools::package::ManArgs),
    /// Write what a system's package installs beside the program: man pages, completions, XBoard's list of engines
    #[command(hide = true)]
    Package(tools::package::Args),
}

/// Shows a match in the browser, in a program that can.
#[cfg(feature = "web")]
const BOARD: Option<quintain_tournament::watch::Open> = Some(quintain_server::watch::open);
#[cfg(not(feature = "web"))]
const BOARD: Option<quintain_tournament::watch::Open> = None;

/// Runs the command. A closed output is not an error.
pub fn run() -> Result<()> {
    let matches = with_negative_numbers(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = match cli.command {
        #[cfg(feature = "web")]
        Some(Command::Board(args)) => quintain_server::run(args),
        #[cfg(feature = "web")]
        Some(Command::Site(args)) => tools::site::run(args),
        Some(Command::Play(args)) => tools::play::run(args),
        Some(Command::Xboard(args)) => tools::xboard::run(args),
        Some(Command::Variants(args)) => tools::variants::run(args),
        Some(Command::Rules(args)) => tools::rules::run(args),
        Some(Command::Handbook(args)) => tools::handbook::run(args),
        Some(Command::Values(args)) => tools::values::run(args),
        Some(Command::Diagram(args)) => tools::diagram::run(args),
        Some(Command::Book(args)) => tools::book::run(args),
        Some(Command::Puzzle(args)) => tools::puzzle::run(args),
        Some(Command::Puzzles(args)) => tools::puzzles::run(args),
        Some(Command::Study(args)) => tools::study::run(args),
        Some(Command::Tables(args)) => tools::tables::run(args),
        Some(Command::Match(args)) => quintain_tournament::run(args, BOARD),
        Some(Command::Openings(args)) => tools::openings::run(args),
        Some(Command::Analyse(args)) => tools::analyse::run(args),
        Some(Command::Convert(args)) => tools::convert::run(args),
        Some(Command::Perft(args)) => tools::perft::run(args),
        Some(Command::Bench(args)) => tools::bench::run(args),
        Some(Command::Speed(args)) => tools::speed::run(args),
        Some(Command::Tune(args)) => quintain_tune::run(args),
        Some(Command::Completions(args)) => tools::package::completions(&args, Cli::command()),
        Some(Command::Man(args)) => tools::package::man(&args, Cli::command()),
        Some(Command::Package(args)) => tools::package::run(args, Cli::command()),
        None => {
            greet_person();
            protocol::run()
        }
    };
    done.or_else(|error| if error.is::<output::ClosedOutput>() { Ok(()) } else { Err(error) })
}

/// Allows negative numbers as values of options. The options check their ranges.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let numbers = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(numbers).mut_subcommands(with_negative_numbers)
}

/// Tells a person at a terminal what the program is waiting for. On standard error, because standard output is for
/// the protocol.
fn greet_person() {
    if io::stdin().is_terminal() {
        output::note!("Quintain is waiting for a chess GUI: UCI or CECP (XBoard) commands; quit leaves.");
        output::note!("To play here, leave and type: quintain play canyon (more: quintain --help)");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_handbook as handbook;

    /// A command in the running text may be named without what it needs, as in "by `quintain study report`".
    #[test]
    fn commands_of_the_handbook_are_read() {
        let program = with_negative_numbers(Cli::command());
        for game in handbook::GAMES {
            let page = handbook::page(game).expect("a page");
            let pieces = page.split('`').skip(1).step_by(2);
            let commands: Vec<&str> = pieces.filter(|text| text.starts_with("quintain ")).collect();
            assert!(commands.len() > 5, "{game}");
            for command in commands {
                let words = shlex::split(command).expect("quotation marks");
                let is_name = words[1..].iter().try_fold(&program, |named, word| named.find_subcommand(word));
                let read = program.clone().try_get_matches_from(&words);
                assert!(is_name.is_some() || read.is_ok(), "{game}: {command}: {}", read.unwrap_err());
            }
        }
    }
}
