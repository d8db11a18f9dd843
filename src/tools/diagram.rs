//! `quintain diagram`: a position as a picture.

use crate::engine;
use anyhow::{Context, Result, anyhow, ensure};
use clap::value_parser;
use quintain_drawings::Picture;
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
    #[arg(long, value_name = "PIXELS", default_value_t = Picture::SIZE, value_parser = value_parser!(u32).range(8..=400))]
    size: u32,
    /// The file, which ends in .svg or .png; standard output, as SVG, if left out
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    /// The picture that is asked for.
    pub fn picture(&self) -> Result<Picture> {
        Ok(Picture {
            game: engine::named(&self.game)?.to_owned(),
            fen: self.fen.clone(),
            moves: self.moves.clone(),
            arrows: self.arrows.clone(),
            marks: self.marks.clone(),
            flipped: self.flip,
            dark: self.dark,
            bare: self.bare,
            size: self.size,
        })
    }
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
    let svg = args.picture()?.svg()?;
    match (&args.output, ending) {
        (None, _) => output::print(&svg),
        (Some(path), Some(ending)) if ending == "png" => files::write(path, &png(&svg)?).context("--output"),
        (Some(path), _) => files::write(path, svg.as_bytes()).context("--output"),
    }
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
