//! `quintain puzzle`: puzzles to solve in the terminal.

use super::play::{Console, Input, ask_for_game};
use super::puzzles;
use super::text;
use crate::engine::{self, Session, any_seed};
use crate::notation::draw::{self, Style};
use anyhow::{Context, Result, bail, ensure};
use quintain_folder as folder;
use quintain_study::puzzle::{self, Puzzle, Record, Verdict};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `quintain puzzle`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Type the move that reaches the goal. Other words: hint, solution, next, board,
flip, quit. Your rating rises with each puzzle that you solve at the first try,
and the next puzzle suits it.

Examples:
  quintain puzzle canyon
  quintain puzzle gast --tag fork --levels 4-10")]
pub struct Args {
    /// The game; without it you are asked which
    game: Option<String>,
    /// Only puzzles in which this happens, such as fork or sacrifice
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Only puzzles of these levels, from 0 to 20: 8, or 4-10
    #[arg(long, value_name = "LEVELS", value_parser = levels)]
    levels: Option<(u32, u32)>,
    /// Puzzles of this file, as quintain puzzles make writes it
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Draw without colours
    #[arg(long)]
    no_color: bool,
    /// Draw letters, even where the terminal has the symbols of chess pieces
    #[arg(long)]
    ascii: bool,
}

fn levels(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|&level: &u32| level <= crate::engine::skill::FULL);
    number(first)
        .zip(number(last))
        .filter(|(first, last)| first <= last)
        .ok_or_else(|| format!("not a level from 0 to {}, or two like 4-10", crate::engine::skill::FULL))
}

/// Runs the tool.
pub fn run(args: Args) -> Result<()> {
    let mut console = Console::new(args.no_color, args.ascii);
    let (game, all) = match (&args.file, &args.game) {
        (Some(path), game) => {
            let (found, all) = puzzles::read(path).context("--file")?;
            if let Some(game) = game {
                ensure!(
                    game.eq_ignore_ascii_case(found),
                    "--file: '{}' has puzzles of {found}",
                    path.display()
                );
            }
            (found, Arc::new(all))
        }
        (None, game) => {
            let name = match game {
                Some(name) => Some(name.clone()),
                None => ask_for_game(&mut console)?,
            };
            let Some(name) = name else { return Ok(()) };
            let game = engine::named(&name)?;
            (game, puzzle::of(game))
        }
    };
    ensure!(!all.is_empty(), "there are no puzzles of {game}");
    let (low, high) = args.levels.unwrap_or((0, crate::engine::skill::FULL));
    let wanted = |puzzle: &&Puzzle| {
        let tagged = args.tag.as_ref().is_none_or(|tag| puzzle.tags.iter().any(|known| known == tag));
        tagged && (low..=high).contains(&puzzle.level)
    };
    let chosen: Vec<&Puzzle> = all.iter().filter(wanted).collect();
    if chosen.is_empty() {
        let mut tags: Vec<&String> = all.iter().flat_map(|puzzle| &puzzle.tags).collect();
        tags.sort();
        tags.dedup();
        let tags: Vec<&str> = tags.into_iter().map(String::as_str).collect();
        bail!("no puzzle of {game} is like that; the tags are {}", tags.join(", "));
    }
    Solver { game, console, record: folder::preferences().puzzles, flipped: false }.run(chosen)
}

struct Solver {
    game: &'static str,
    console: Console,
    record: Record,
    flipped: bool,
}

impl Solver {
    fn run(&mut self, mut left: Vec<&Puzzle>) -> Result<()> {
        self.console.say(&format!(
            "{} puzzles. Your rating is {}. Words: hint, solution, next, board, flip, quit.\n",
            left.len(),
            self.record.rating
        ))?;
        while let Some(at) = puzzle::next(&left, self.record.rating, any_seed()) {
            let puzzle = left.swap_remove(at);
            if !self.solve(puzzle)? {
                return Ok(());
            }
        }
        self.console.say("These were all puzzles.\n")
    }

    /// Lets the person solve a puzzle; false to leave.
    fn solve(&mut self, puzzle: &Puzzle) -> Result<bool> {
        let mut session = puzzle.position(self.game, 0).context("a puzzle can be set up")?;
        let (side, mut plies, mut helped) = (session.side(), 0, false);
        self.flipped = side == crate::board::Color::Black;
        self.draw(&*session)?;
        self.console.say(&format!("{}\n", self.console.bold(&format!("{}.", puzzle.goal.task(side)))))?;
        loop {
            let words = session.moves_in_full().into_iter().flat_map(|mv| [mv.san, mv.text]).collect();
            let line = match self.console.read("Your move> ", words)? {
                Input::Line(line) => line,
                Input::Interrupt => continue,
                Input::End => return Ok(false),
            };
            let next = puzzle.solution.get(plies).context("a solution ends with a move of the solver")?;
            match line.trim() {
                "" => {}
                "quit" | "q" | "exit" => return Ok(false),
                "board" => self.draw(&*session)?,
                "flip" => {
                    self.flipped = !self.flipped;
                    self.draw(&*session)?;
                }
                "hint" => {
                    let from = session.describe(next)?.from;
                    self.fail(puzzle, &mut helped);
                    let square = crate::board::square_name(from);
                    self.console.say(&format!("The move begins on {square}.\n"))?;
                }
                "next" => {
                    self.fail(puzzle, &mut helped);
                    return Ok(true);
                }
                "solution" => {
                    self.fail(puzzle, &mut helped);
                    let line = puzzle.san(self.game);
                    self.console.say(&format!("{}\n\n", line[plies..].join(" ")))?;
                    return Ok(true);
                }
                typed => match puzzle.judge(self.game, plies, typed) {
                    None => {
                        let why = session.describe(typed).err().map_or(String::new(), |error| error.reason);
                        self.console.say(&format!("{}: {why}.\n", text::shown(typed)))?;
                    }
                    Some(Verdict::Wrong) => {
                        self.fail(puzzle, &mut helped);
                        self.console.say("No, that is not it. Try again, or type solution.\n")?;
                    }
                    Some(Verdict::Right(reply)) => {
                        session.play_any(typed)?;
                        let answer = session.play(&reply)?;
                        plies += 2;
                        self.console.say(&format!("Right. The answer is {}.\n", answer.san))?;
                        self.draw(&*session)?;
                    }
                    Some(Verdict::Solved) => {
                        if !helped {
                            self.keep(puzzle, true);
                        }
                        let tags = puzzle.tags.join(", ");
                        let Record { rating, streak, .. } = self.record;
                        self.console.say(&format!(
                            "Solved: {}. ({tags}; level {})\nYour rating is {rating}; {streak} in a row.\n\n",
                            puzzle.san(self.game).join(" "),
                            puzzle.level
                        ))?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    /// The person has failed, unless that was known.
    fn fail(&mut self, puzzle: &Puzzle, helped: &mut bool) {
        if !std::mem::replace(helped, true) {
            self.keep(puzzle, false);
        }
    }

    fn keep(&mut self, puzzle: &Puzzle, solved: bool) {
        self.record = self.record.after(puzzle, solved);
        // What scripts do is nobody's record.
        if self.console.prompts {
            let record = self.record;
            folder::prefer(|kept| kept.puzzles = record);
        }
    }

    fn draw(&self, session: &dyn Session) -> Result<()> {
        let style = Style {
            flipped: self.flipped,
            color: self.console.color,
            figurines: false,
            narrow: draw::width(session.info().files) > self.console.width(),
            marked: &[],
        };
        self.console.say(&format!("\n{}\n", session.draw(style)))
    }
}
