//! `quintain handbook`: what is known about a game, as a text.

use crate::notation::draw;
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use quintain_drawings::Picture;
use quintain_handbook::{GAMES, page};
use quintain_io as output;
use std::collections::HashMap;

/// Arguments of `quintain handbook`.
#[derive(clap::Args, Debug)]
#[command(after_help = "The same pages, with drawn boards, are in the browser: quintain board, Learn,
Handbook.

Examples:
  quintain handbook canyon | less")]
pub struct Args {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(GAMES.iter().copied()), ignore_case = true)]
    game: String,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<()> {
    let page = page(&args.game.to_lowercase()).context("a game of the list")?;
    output::print(&text(page)?)
}

/// The pictures of a page by their files, as the comments in it make them.
fn pictures(page: &str) -> Result<HashMap<String, Picture>> {
    let comments = page.split("<!-- quintain diagram ").skip(1).filter_map(|rest| rest.split("-->").next());
    let read = |comment: &str| {
        let words = shlex::split(comment).context("a quotation mark is missing")?;
        let (picture, file) = Picture::parse(&words).with_context(|| comment.to_owned())?;
        Ok((file, picture))
    };
    comments.map(read).collect()
}

/// A page for a terminal: boards are drawn of letters, and what only browsers need is left out.
fn text(page: &str) -> Result<String> {
    let (pictures, mut text) = (pictures(page)?, String::new());
    for line in page.lines() {
        if line.starts_with("<!--") || ["<details>", "</details>"].contains(&line) {
            continue;
        }
        if let Some(title) = line.strip_prefix("<summary>") {
            text += &format!("{}:\n", title.trim_end_matches("</summary>"));
            continue;
        }
        let image = line.strip_prefix("![").and_then(|rest| rest.strip_suffix(')')?.split_once("]("));
        match image.and_then(|(said, file)| Some((said, pictures.get(file)?))) {
            Some((said, picture)) => {
                let style = draw::Style { flipped: picture.flipped, ..draw::Style::default() };
                text += &format!("{}\n{said}\n", picture.set_up()?.session.draw(style));
            }
            // An archer's shot is a star, which Markdown needs a backslash before.
            None => text += &format!("{}\n", without_images(line).replace(r"\*", "*")),
        }
    }
    // Where something was left out, one empty line is enough.
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    Ok(text)
}

/// A line with the words of its images, as those in tables.
fn without_images(line: &str) -> String {
    let mut parts = line.split("![");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("](").and_then(|(said, rest)| Some((said, rest.split_once(')')?.1))) {
            Some((said, rest)) => text += &format!("{said}{rest}"),
            None => text += &format!("![{part}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::diagram;
    use clap::{Args as _, FromArgMatches};
    use quintain_play::game::values::{PieceValue, values};
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::{env, fs};

    /// After a change of a page or of the drawings: `WRITE_PICTURES=1 cargo test -p quintain --lib pictures_of_the`.
    #[test]
    fn pictures_of_the_handbook_are_what_their_commands_draw() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/handbook");
        let mut drawn = BTreeSet::new();
        for page in GAMES.iter().filter_map(|game| page(game)) {
            for (file, picture) in pictures(page).unwrap() {
                let svg = picture.svg().unwrap_or_else(|error| panic!("{file}: {error:#}"));
                let path = folder.join(&file);
                if env::var_os("WRITE_PICTURES").is_some() {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(&path, &svg).unwrap();
                }
                assert!(fs::read_to_string(&path).is_ok_and(|known| known == svg), "{file} is out of date");
                assert!(page.contains(&format!("]({file})")), "{file} is not shown");
                drawn.insert(file);
            }
        }
        let folders =
            fs::read_dir(&folder).unwrap().filter_map(|entry| fs::read_dir(entry.ok()?.path()).ok());
        for entry in folders.flatten() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            assert!(drawn.contains(&name), "no command draws {name}");
        }
    }

    #[test]
    fn values_of_the_handbook_are_those_of_the_program() {
        for game in GAMES {
            let page = page(game).unwrap();
            for PieceValue { name, opening, ending, .. } in values(&crate::engine::info(game).unwrap()) {
                let row = format!("| {name} | {opening:.1} | {ending:.1} |");
                assert!(page.contains(&row), "{game}: not found: {row}");
            }
        }
    }

    #[test]
    fn pictures_of_the_readme_are_what_diagram_draws() {
        let readme = include_str!("../../README.md");
        for game in crate::engine::NAMES.iter().filter(|game| readme.contains(&format!("start-{game}.svg"))) {
            let words = ["--bare", "--size", "24", "--output", ""].map(str::to_owned);
            let svg = Picture::parse(&[&[game.to_string()], &words[..]].concat()).unwrap().0.svg().unwrap();
            let path = format!("{}/assets/screenshots/start-{game}.svg", env!("CARGO_MANIFEST_DIR"));
            if env::var_os("WRITE_PICTURES").is_some() {
                fs::write(&path, &svg).unwrap();
            }
            assert!(fs::read_to_string(&path).is_ok_and(|known| known == svg), "{path} is out of date");
        }
        assert_eq!(readme.matches("/start-").count(), 8);
    }

    #[test]
    fn the_commands_of_pictures_are_those_of_the_program() {
        for page in GAMES.iter().filter_map(|game| page(game)) {
            let comments = page.split("<!-- quintain diagram ").skip(1).map(|rest| rest.split("-->").next());
            for comment in comments {
                let words = shlex::split(comment.unwrap()).unwrap();
                let command = diagram::Args::augment_args(clap::Command::new("diagram")).no_binary_name(true);
                let matches = command.try_get_matches_from(&words).unwrap();
                let args = diagram::Args::from_arg_matches(&matches).unwrap();
                assert_eq!(args.picture().unwrap(), Picture::parse(&words).unwrap().0);
            }
        }
    }

    #[test]
    fn a_terminal_shows_boards_and_no_comments() {
        const PAGE: &str = "# Title\n\n<!-- quintain diagram canyon --output a.svg -->\n<!-- moves canyon -->\n\n\
                            ![The start](a.svg)\n\n| ![In a table](a.svg) |\n\n<details>\n<summary>Solution</summary>\n\n\
                            **1. d4 Ac7\\*c3**\n\n</details>\n";
        let text = text(PAGE).unwrap();
        let board = crate::engine::open("canyon").unwrap().draw(draw::Style::default());
        assert_eq!(
            text,
            format!("# Title\n\n{board}\nThe start\n\n| In a table |\n\nSolution:\n\n**1. d4 Ac7*c3**\n\n")
        );
    }
}
