//! `quintain diagram`: a position as a picture.

use super::suite::known_game;
use super::text;
use crate::engine::{self, FileRank, Session};
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::value_parser;
use quintain_drawings::Diagram;
use quintain_io as output;
use quintain_io::files;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The program that makes PNG of SVG.
const RENDERER: &str = "rsvg-convert";

/// Arguments of `quintain diagram`.
#[derive(clap::Args, Debug)]
#[command(after_help = "The picture is SVG, with the pieces in it: it needs no other file. For a file
that ends in .png the program rsvg-convert must be installed (Debian: librsvg2-bin).

Examples:
  quintain diagram canyon --output canyon.svg
  quintain diagram chess --moves 'e4 e5 Nf3' --arrows b8c6,g8f6 --output knights.svg
  quintain diagram gast --fen '...' --marks e4,e5 --flip --dark --output position.png")]
pub struct Args {
    /// The game
    game: String,
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// Moves from there, as people or engines write them; the squares of the last one are coloured
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Arrows, as the squares where they begin and end: e2e4,g1f3; twice the same square makes a ring
    #[arg(long, value_name = "ARROWS")]
    arrows: Option<String>,
    /// Squares to mark: e4,d5
    #[arg(long, value_name = "SQUARES")]
    marks: Option<String>,
    /// Draw the board from Black's side
    #[arg(long)]
    flip: bool,
    /// For a light page; this is the default
    #[arg(long, conflicts_with = "dark")]
    light: bool,
    /// For a dark page
    #[arg(long)]
    dark: bool,
    /// Leave out the names of files and ranks
    #[arg(long)]
    bare: bool,
    /// The width of a square in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 45, value_parser = value_parser!(u32).range(8..=400))]
    size: u32,
    /// The file, which ends in .svg or .png; standard output, as SVG, if left out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let ending = args.output.as_deref().map(|path| path.extension().unwrap_or_default().to_ascii_lowercase());
    if let (Some(path), Some(ending)) = (&args.output, &ending) {
        ensure!(
            ending == "svg" || ending == "png",
            "--output: '{}' ends neither in .svg nor in .png",
            path.display()
        );
    }
    let mut session = engine::open(known_game(&args.game)?).context("a game of the list")?;
    session.set_position(args.fen.as_deref(), &[]).context("--fen")?;
    let mut last = Vec::new();
    for text in args.moves.iter().flat_map(|moves| moves.split_whitespace()).filter(|word| !is_number(word)) {
        let info = session.play_any(text).context("--moves")?;
        last = vec![info.from, info.to];
        // A piece may turn on its square.
        last.dedup();
    }
    let squares = |text: &Option<String>, option: &str| -> Result<Vec<Vec<FileRank>>> {
        let words = text.iter().flat_map(|text| text.split([',', ' '])).filter(|word| !word.is_empty());
        words.map(|word| squares(&*session, word).with_context(|| option.to_owned())).collect()
    };
    let mut arrows = Vec::new();
    for arrow in squares(&args.arrows, "--arrows")? {
        let [from, to] = arrow[..] else { bail!("--arrows: an arrow has two squares, like e2e4") };
        arrows.push((from, to));
    }
    let marks = squares(&args.marks, "--marks")?.concat();
    let diagram = Diagram { flipped: args.flip, dark: args.dark, bare: args.bare, marks, last, arrows };
    let svg = diagram.draw(&*session, args.size);
    match (&args.output, ending) {
        (None, _) => output::print(&svg),
        (Some(path), Some(ending)) if ending == "png" => files::write(path, &png(&svg)?).context("--output"),
        (Some(path), _) => files::write(path, svg.as_bytes()).context("--output"),
    }
}

/// Is it the number of a move, or a result?
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with('.')
}

/// The squares of a word: e2, or e2e4.
fn squares(session: &dyn Session, word: &str) -> Result<Vec<FileRank>> {
    let wrong = || anyhow!("'{}' is not a square, or several, of this board", text::shown(word));
    let mut places = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let digits = rest[first..].bytes().take_while(u8::is_ascii_digit).count();
        let end = first + digits;
        let (name, more) = rest.split_at(end);
        let place = text::place(name).filter(|&place| session.has_square(place));
        places.push(place.ok_or_else(wrong)?);
        rest = more;
    }
    Ok(places)
}

/// Makes a PNG.
fn png(svg: &str) -> Result<Vec<u8>> {
    let program = which::which(RENDERER).map_err(|_| {
        anyhow!("--output: for PNG the program {RENDERER} is needed (Debian: librsvg2-bin); SVG needs none")
    })?;
    let mut child = Command::new(program)
        .args(["--format", "png"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {RENDERER}"))?;
    let mut input = child.stdin.take().context("a pipe")?;
    // It reads everything before it writes.
    input.write_all(svg.as_bytes()).with_context(|| format!("{RENDERER} does not read the picture"))?;
    drop(input);
    let done = child.wait_with_output()?;
    ensure!(done.status.success() && !done.stdout.is_empty(), "{RENDERER} failed: {}", done.status);
    Ok(done.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_and_wrong_ones_refused() {
        let session = engine::open("gast").unwrap();
        let read = |word| squares(&*session, word).map_err(|error| error.to_string());
        assert_eq!(read("e2e12"), Ok(vec![(4, 1), (4, 11)]));
        assert_eq!(read("l12"), Ok(vec![(11, 11)]));
        for word in ["e", "e13", "22", "é2", "e2x"] {
            assert!(read(word).unwrap_err().starts_with(&format!("'{word}' is not a square")), "{word}");
        }
        let canyon = engine::open("canyon").unwrap();
        let hole = (0..10).flat_map(|rank| (0..10).map(move |file| (file, rank)));
        let hole = hole.filter(|&(file, rank)| file < canyon.info().files && rank < canyon.info().ranks);
        let hole = hole.into_iter().find(|&place| !canyon.has_square(place)).unwrap();
        assert!(squares(&*canyon, &crate::board::square_name(hole)).is_err());
    }
}
