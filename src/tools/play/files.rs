//! Files of games in the terminal: saving, loading, stepping through, and keeping unfinished games.

use super::TerminalGame;
use super::commands::Flow;
use super::console::{Console, Input};
use crate::board::Color;
use crate::files::{self, MB};
use crate::notation::pgn;
use crate::tools::{games, text};
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the engine in files.
const ENGINE: &str = "Quintain";

/// The most bytes of an unfinished game.
const MOST_KEPT: u64 = 10 * MB;

/// The file of an unfinished game of this kind.
pub(super) fn place(game: &str) -> Option<PathBuf> {
    let folder = dirs::state_dir().or_else(dirs::data_local_dir)?;
    Some(folder.join("quintain").join("unfinished").join(format!("{game}.pgn")))
}

impl TerminalGame {
    // ---- Saving -----------------------------------------------------------------------------------------

    fn pgn(&self) -> String {
        let person = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let person = person.filter(|name| !name.is_empty()).unwrap_or_else(|| "?".into());
        let name = |side: Color| if self.game.engine_plays[side.index()] { ENGINE } else { person.as_str() };
        let (info, result) = (&self.game.info, self.game.end().map_or("*", |end| end.score));
        let ply = |san: &str| pgn::Ply { san: san.to_owned(), ..pgn::Ply::default() };
        pgn::Game {
            moves: self.game.played.iter().map(|played| ply(&played.info.san)).collect(),
            ..games::played_today(
                info,
                "in the terminal",
                Color::BOTH.map(name),
                &self.game.start.fen(),
                result,
            )
        }
        .to_string()
    }

    pub(super) fn save(&self, name: &str) -> Result<Flow> {
        if name.is_empty() {
            return self.complain("Name a file, like: save game.pgn");
        }
        // Never overwrite a file: a typing error must not destroy a game.
        match files::create(&games::path(name), self.pgn().as_bytes()) {
            Ok(()) => self.complain(&format!("Saved to {}.", text::shown(name))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.complain(&format!("{} exists already; name another file.", text::shown(name)))
            }
            Err(error) => self.complain(&format!("The game is not saved: {error}.")),
        }
    }

    // ---- Loading ----------------------------------------------------------------------------------------

    /// Opens a game from a file, or sets up a position.
    pub(super) fn load(&mut self, what: &str) -> Result<Flow> {
        if what.is_empty() {
            return self.complain("Name a file, like: load game.pgn, or give a position as FEN.");
        }
        let path = games::path(what);
        // A FEN has several words, but the name of a file may have too.
        if !path.is_file() && what.contains(char::is_whitespace) {
            if let Err(error) = self.game.engine.game_mut().set_position(Some(what), &[]) {
                return self.complain(&format!("{error}."));
            }
            self.forget_game();
            self.show()?;
            return Ok(Flow::Continue);
        }
        let text = match files::read(&path, games::MOST) {
            Err(error) => return self.complain(&format!("load: {error}.")),
            Ok(bytes) => pgn::decode(bytes),
        };
        match self.open(&text) {
            Err(error) => return self.complain(&format!("load {}: {error:#}.", text::shown(what))),
            Ok(_) => self.game.engine_plays = [false, false],
        }
        self.show()?;
        self.complain(
            "previous and next step through the game. You can go on with it for both sides, and go lets the engine move.",
        )
    }

    /// Goes to the end of the first game of a PGN, and returns it.
    fn open(&mut self, text: &str) -> Result<pgn::Game> {
        let game = pgn::games(text).next().context("there is no game in it")??;
        games::open(&mut *self.game.session().copy(), &game)?;
        let steps = games::open(self.game.engine.game_mut(), &game)?;
        self.forget_game();
        for step in steps {
            self.game.play(&step.text).map_err(anyhow::Error::msg)?;
        }
        Ok(game)
    }

    // ---- Steps ------------------------------------------------------------------------------------------

    /// Steps through the game; the engine does not answer.
    pub(super) fn step(&mut self, times: &str, forward: bool) -> Result<Flow> {
        let Ok(times) = (if times.is_empty() { Ok(1) } else { times.parse::<usize>() }) else {
            return self.complain("previous and next take a number of moves.");
        };
        self.game.agreed = None;
        let mut done = 0;
        while done < times.max(1) {
            let stepped = if forward {
                self.game.ahead.last().cloned().is_some_and(|next| self.game.play(&next).is_ok())
            } else {
                self.game.step_back()
            };
            if !stepped {
                break;
            }
            done += 1;
        }
        if done == 0 {
            let edge = if forward { "end" } else { "beginning" };
            return self.complain(&format!("This is the {edge} of the game."));
        }
        self.game.engine_plays = [false, false];
        self.show()?;
        Ok(Flow::Continue)
    }

    // ---- Unfinished games -------------------------------------------------------------------------------

    /// Keeps an unfinished game for the next start.
    pub(super) fn keep_game(&self) {
        let Some(path) = &self.keep else { return };
        // If the folder cannot be written, the game is not kept.
        let _ = if self.game.played.is_empty() || self.game.end().is_some() {
            fs::remove_file(path)
        } else {
            write_at_once(path, &self.pgn())
        };
    }

    /// Asks whether to continue an unfinished game.
    pub(super) fn offer_left_game(&mut self) -> Result<()> {
        let Some(text) =
            self.keep.as_ref().and_then(|path| files::read(path, MOST_KEPT).ok()).map(pgn::decode)
        else {
            return Ok(());
        };
        let engine = self.game.engine_plays;
        let Ok(game) = self.open(&text) else { return Ok(()) };
        let date = game.tag("Date").unwrap_or("?").replace('.', "-");
        let moves = self.game.played.len().div_ceil(2);
        self.console.say(&format!("There is an unfinished game of {date}, after move {moves}.\n"))?;
        if wants(&mut self.console)? {
            let is_engine = |tag| game.tag(tag) == Some(ENGINE);
            self.game.engine_plays = [is_engine("White"), is_engine("Black")];
            self.flipped = self.game.engine_plays == [true, false];
        } else {
            self.game.engine.game_mut().set_position(None, &[])?;
            self.forget_game();
            self.game.engine_plays = engine;
        }
        Ok(())
    }
}

fn wants(console: &mut Console) -> Result<bool> {
    loop {
        let words = ["yes", "no"].map(str::to_owned).to_vec();
        let Input::Line(line) = console.read("Continue it? (yes or no) ", words)? else { return Ok(true) };
        match line.trim().to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}

/// Replaces a file atomically.
pub(crate) fn write_at_once(path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let new = path.with_extension(format!("{}.new", std::process::id()));
    fs::write(&new, text)?;
    fs::rename(&new, path)
}
