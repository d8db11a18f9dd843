//! `quintain xboard`: a game in XBoard.

mod pieces;
mod plugin;

use super::play::{Console, ask_for_game, usual_level};
use crate::engine::skill::FULL;
use crate::engine::{self, GameInfo};
use anyhow::{Context, Result, anyhow, bail};
use quintain_folder as folder;
use quintain_io as output;
use quintain_play::game::level;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use x11rb::connection::Connection;

/// Arguments of `quintain xboard`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain xboard canyon                 play White
  quintain xboard gast --black --tc 15+5 play Black, 15 minutes + 5 s a move
  quintain xboard chess --level novice   a weak opponent
  quintain xboard diamond --analyse      look at positions together
  quintain xboard canyon -- -size 40     what follows -- goes to XBoard

In XBoard, click on a piece: the squares where it may go are marked. Click on
one of them. Where the mark is purple you choose what the piece becomes: keep
the button down on the square and pull the mouse down until the right piece is
shown. A cyclops turns on the spot by a second click on itself; if it is
dragged, it keeps its facing.")]
pub struct Args {
    /// The game; `quintain variants` lists them, and without it you are asked which
    game: Option<String>,
    /// Play Black
    #[arg(long, conflicts_with = "analyse")]
    black: bool,
    /// Analyse instead of playing
    #[arg(long, visible_alias = "analyze")]
    analyse: bool,
    /// How well the engine plays: 0 to 20, or beginner (0), novice (4), casual (8), club (12), expert (16), master
    /// (20). Without it, as you chose last
    #[arg(long, value_parser = level::read)]
    level: Option<u32>,
    /// Time control: minutes for the game (5), with seconds a move (15+10), or moves/minutes (40/90). Without it
    /// there is no clock
    #[arg(long, value_name = "TIME")]
    tc: Option<String>,
    /// Seconds that the engine thinks about each move when there is no clock
    #[arg(long, value_name = "SECONDS", default_value_t = 3, conflicts_with = "tc",
        value_parser = clap::value_parser!(u32).range(1..=3600))]
    st: u32,
    /// Print the command instead of running it
    #[arg(long)]
    print: bool,
    /// Add the games to XBoard's list of engines (Engine > Load New 1st Engine), for all users of this machine
    #[arg(long, conflicts_with_all = ["game", "uninstall"])]
    install: bool,
    /// Remove them again
    #[arg(long, conflicts_with = "game")]
    uninstall: bool,
    /// The folder of XBoard's plugins
    #[arg(long, value_name = "FOLDER", default_value = plugin::FOLDER, hide = true)]
    plugins: PathBuf,
    /// More arguments for XBoard
    #[arg(last = true)]
    more: Vec<OsString>,
}

/// Starts XBoard, or changes its list of engines.
pub fn run(args: Args) -> Result<()> {
    let engine = env::current_exe().context("where this program is")?;
    if args.install {
        let files = plugin::install(&args.plugins, &args.plugins, &engine)?;
        let folder = args.plugins.join("xboard");
        return output::print(&format!(
            "Wrote {} files to {}.\nXBoard lists the games under Engine > Load New 1st Engine when it starts next.\n",
            files.len(),
            folder.display()
        ));
    }
    if args.uninstall {
        let removed = plugin::uninstall(&args.plugins)?;
        let home = dirs::home_dir().map(|home| home.join(".xboardrc"));
        let forgotten = home.map_or(Ok(false), |settings| plugin::forget(&settings))?;
        let list = if forgotten { ", and the entries in your list of engines" } else { "" };
        return output::print(&format!("Removed {} files{list}.\n", removed.len()));
    }
    let Some(name) =
        args.game.map_or_else(|| ask_for_game(&mut Console::new(true, true)), |name| Ok(Some(name)))?
    else {
        return Ok(());
    };
    let game = engine::info(&name)?;
    let mut console = Console::new(true, true);
    let level = match args.level.or_else(|| folder::preferences().level) {
        _ if args.analyse => FULL,
        Some(level) => level,
        None if args.print || !console.prompts => FULL,
        None => match usual_level(&mut console)? {
            Some(level) => level,
            None => return Ok(()),
        },
    };
    let xboard = find()?;
    let turned = args.black;
    let folder = dirs::data_local_dir().unwrap_or_else(env::temp_dir).join("quintain").join("pieces");
    let pieces = pieces::write(&folder, &game, turned)?;
    let mut words: Vec<OsString> = vec!["-fcp".into(), quoted(&engine.display().to_string()).into()];
    words.extend(["-variant".into(), variant(&game).into()]);
    words.extend(["-firstFeatures".into(), format!("myname=\"{}\"", name_in_title(&game, level)).into()]);
    words.extend(shape(&game).into_iter().map(OsString::from));
    words.extend(flags(&game).into_iter().map(OsString::from));
    words.extend(quirks(&game, args.black, args.analyse).into_iter().map(OsString::from));
    if level < FULL {
        words.extend(["-firstOptions".into(), format!("Skill Level={level}").into()]);
    }
    words.extend(sounds(|program| which::which(program).is_ok()).into_iter().map(OsString::from));
    let time = args.tc.as_deref().map_or_else(|| Ok(untimed(args.st)), time)?;
    words.extend(time.into_iter().map(OsString::from));
    if let Some(pieces) = pieces {
        words.extend(["-pieceImageDirectory".into(), pieces.into()]);
    }
    if let Some(size) = size(&game) {
        words.extend(["-size".into(), size.to_string().into()]);
    }
    words.extend(args.more);
    if args.print {
        let shown: Vec<String> = words.iter().map(|word| shell(&word.to_string_lossy())).collect();
        return output::print(&format!("{} {}\n", shell(&xboard.display().to_string()), shown.join(" ")));
    }
    if env::var_os("DISPLAY").is_none_or(|display| display.is_empty()) {
        bail!("XBoard needs a graphical screen, and DISPLAY names none");
    }
    let mut command = Command::new(&xboard);
    command.args(&words).stdin(Stdio::null());
    start(command).with_context(|| format!("cannot start {}", xboard.display()))
}

/// Writes the descriptions of the engine for XBoard below a folder that will be at `prefix`.
pub fn describe(folder: &Path, prefix: &Path, engine: &Path) -> Result<()> {
    const PLUGINS: &str = "share/games/plugins";
    plugin::install(&folder.join(PLUGINS), &prefix.join(PLUGINS), engine).map(drop)
}

/// XBoard replaces this process, so that signals reach it.
#[cfg(unix)]
fn start(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn start(mut command: Command) -> Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { bail!("XBoard ended with {status}") }
}

fn find() -> Result<PathBuf> {
    // Debian's folder of games is not in the path of services.
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/games".into(), "/usr/local/games".into()]);
    let folders = env::join_paths(folders).context("PATH")?;
    which::which_in("xboard", Some(folders), ".").map_err(|_| {
        anyhow!("XBoard is not installed: get it with 'sudo apt install xboard' or from www.gnu.org/software/xboard")
    })
}

/// XBoard's name of the game.
fn variant(game: &GameInfo) -> &'static str {
    if native(game) { "normal" } else { game.name }
}

/// Does XBoard know the rules?
fn native(game: &GameInfo) -> bool {
    game.template == "normal"
}

/// The name of the engine in XBoard, in the title of its window and in games that it saves.
fn name_in_title(game: &GameInfo, level: u32) -> String {
    format!("{} - {}", level::player(level), game.title)
}

/// The size of the board, so that XBoard does not resize its window when the engine describes the game.
fn shape(game: &GameInfo) -> Vec<String> {
    if native(game) {
        return Vec::new();
    }
    let sizes = [("-boardWidth", game.files), ("-boardHeight", game.ranks), ("-holdingsSize", game.holdings)];
    sizes.into_iter().flat_map(|(word, size)| [word.to_owned(), size.to_string()]).collect()
}

/// The text on XBoard's board before the first move: which pieces, if any, are to be placed. The status line cannot
/// be set before a game, and the board has room for lines of 30 letters.
fn greeting(game: &GameInfo) -> String {
    let in_hand = engine::open(game.name).map(|session| session.in_hand()).unwrap_or_default();
    let placed = game.pieces.iter().find(|piece| in_hand.contains(&piece.letter.to_ascii_uppercase().into()));
    placed.map_or(String::new(), |piece| {
        format!("First place your {}s:\nclick on one beside the board,\nthen on a marked square.", piece.name)
    })
}

/// Necessary options of XBoard: no legality test, since it does not know the rules, and marks where a piece may go.
fn flags(game: &GameInfo) -> Vec<String> {
    let legality = if native(game) { "true" } else { "false" };
    let words =
        ["-testLegality", legality, "-showTargetSquares", "true", "-highdrag", "-sweepPromotions", "true"];
    words.map(str::to_owned).to_vec()
}

/// Options for the side of the engine, and for ends of the game decided by the engine only.
fn quirks(game: &GameInfo, black: bool, analyse: bool) -> Vec<String> {
    let greeting = greeting(game);
    let mut words = vec!["-saveSettingsOnExit", "false", "-startupMessage", &greeting, "-showCoords", "true"];
    if !native(game) {
        words.extend(["-checkMates", "false", "-testClaims", "false", "-materialDraws", "false"]);
        words.extend(["-trivialDraws", "false", "-repeatsToDraw", "0", "-ruleMoves", "0"]);
    }
    // Facings are drawn for one side of the board.
    words.extend(["-autoFlipView", "false", "-flipView", if black { "true" } else { "false" }]);
    match (black, analyse) {
        (true, _) => words.extend(["-initialMode", "MachineWhite"]),
        (_, true) => words.extend(["-initialMode", "Analysis", "-engineOutputUp", "true"]),
        _ => {}
    }
    words.into_iter().map(str::to_owned).collect()
}

/// XBoard plays its sounds by aplay. Where that is missing another program does, or nothing instead of errors.
fn sounds(is_there: impl Fn(&str) -> bool) -> Vec<String> {
    let program = match ["aplay", "paplay", "pw-play"].into_iter().find(|program| is_there(program)) {
        Some("aplay") => return Vec::new(),
        program => program.unwrap_or(""),
    };
    ["-soundProgram", program].map(str::to_owned).to_vec()
}

/// XBoard's options for a game without clocks, with so many seconds for each move of the engine.
fn untimed(seconds: u32) -> Vec<String> {
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    ["-clockMode", "false", "-searchTime", &time].map(str::to_owned).to_vec()
}

/// XBoard's options for a time control.
fn time(text: &str) -> Result<Vec<String>> {
    let wrong = || {
        anyhow!(
            "--tc: '{text}' is not a time control; write minutes (5), with seconds a move (15+10), or moves in minutes \
             (40/90)"
        )
    };
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(wrong)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        // XBoard has one or the other.
        Some(_) if moves.is_some() => return Err(wrong()),
        parts => parts.unwrap_or((rest, "0")),
    };
    let number =
        |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite() && (0.0..=1000.0).contains(n));
    let (base, increment) = (number(base).ok_or_else(wrong)?, number(increment).ok_or_else(wrong)?);
    let seconds = (base * 60.0).round() as u32;
    if seconds == 0 {
        return Err(wrong());
    }
    let base = format!("{}:{:02}", seconds / 60, seconds % 60);
    let mut words = vec!["-timeControl".to_owned(), base];
    // An increment of -1 tells XBoard to count moves.
    let increment = if moves.is_some() { "-1".to_owned() } else { increment.to_string() };
    words.extend(["-timeIncrement".to_owned(), increment]);
    if let Some(moves) = moves {
        words.extend(["-movesPerSession".to_owned(), moves.to_string()]);
    }
    Ok(words)
}

/// XBoard's size for the largest squares with which the board of this game fits the screen.
fn size(game: &GameInfo) -> Option<u32> {
    let (connection, screen) = x11rb::connect(None).ok()?;
    let screen = connection.setup().roots.get(screen)?;
    let square = square_on(game, screen.width_in_pixels.into(), screen.height_in_pixels.into());
    // XBoard scales the squares for eight files, so that boards with other numbers of files get the same width.
    Some((square * columns(game) + 4) / 8)
}

/// The space of menus, clocks, the window frame, and bars at the edges of the screen.
const BESIDE: (u32, u32) = (40, 220);
const LARGEST_SQUARE: u32 = 72;
const SMALLEST_SQUARE: u32 = 24;

/// The files, and the holdings beside them.
fn columns(game: &GameInfo) -> u32 {
    u32::from(game.files) + if game.holdings > 0 { 4 } else { 0 }
}

fn square_on(game: &GameInfo, width: u32, height: u32) -> u32 {
    let (width, height) = (width.saturating_sub(BESIDE.0), height.saturating_sub(BESIDE.1));
    let square = (width / columns(game)).min(height / u32::from(game.ranks));
    square.clamp(SMALLEST_SQUARE, LARGEST_SQUARE)
}

/// A word quoted for XBoard.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(char::is_whitespace) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

/// A word quoted for a shell.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NAMES;

    #[test]
    fn time_controls_are_understood() {
        let told = |text| time(text).unwrap().join(" ");
        assert_eq!(told("5"), "-timeControl 5:00 -timeIncrement 0");
        assert_eq!(told("0.5+2"), "-timeControl 0:30 -timeIncrement 2");
        assert_eq!(untimed(3).join(" "), "-clockMode false -searchTime 0:03");
        assert_eq!(untimed(75).join(" "), "-clockMode false -searchTime 1:15");
        assert_eq!(told("40/90"), "-timeControl 90:00 -timeIncrement -1 -movesPerSession 40");
        for wrong in ["", "0", "x", "5+", "0/5", "5+x", "-1", "1e9", "nan", "40/", "40/90+30"] {
            assert!(time(wrong).unwrap_err().to_string().contains("--tc"), "{wrong}");
        }
    }

    #[test]
    fn boards_fit_the_screen() {
        for name in NAMES {
            let game = engine::info(name).unwrap();
            for (width, height) in [(1366, 768), (1920, 1080), (1024, 600), (3840, 2160)] {
                let square = square_on(&game, width, height);
                assert!(columns(&game) * square <= width, "{name}");
                assert!(u32::from(game.ranks) * square + 100 <= height, "{name}");
            }
            assert_eq!(square_on(&game, 0, 0), SMALLEST_SQUARE);
        }
        let square = |name| square_on(&engine::info(name).unwrap(), 1280, 1024);
        assert_eq!(["superchess", "grand", "grandcavalier", "gast14"].map(square), [72, 72, 72, 67]);
    }

    #[test]
    fn sounds_are_played_by_a_program_that_is_there() {
        let options = |there: &'static [&str]| sounds(|program| there.contains(&program)).join(" ");
        assert_eq!(options(&["aplay", "paplay"]), "");
        assert_eq!(options(&["pw-play"]), "-soundProgram pw-play");
        assert_eq!(sounds(|_| false), ["-soundProgram", ""]);
    }

    #[test]
    fn a_person_is_told_of_the_pieces_to_place() {
        let told = |name| greeting(&engine::info(name).unwrap());
        assert!(told("superchess").starts_with("First place your super pawns:"));
        assert!(told("superchess").lines().all(|line| line.len() <= 30));
        assert!(NAMES.iter().all(|&name| name == "superchess" || told(name).is_empty()));
    }

    #[test]
    fn words_are_quoted() {
        assert_eq!(quoted("/a b/quintain"), "\"/a b/quintain\"");
        assert_eq!((shell("-size"), shell(""), shell("a b")), ("-size".into(), "''".into(), "'a b'".into()));
        assert_eq!(shell("it's"), r"'it'\''s'");
    }
}
