//! Files of games in the terminal: saving, loading, stepping through, and keeping unfinished games.

use super::commands::command_of;
use super::console::{Console, Input};
use super::game::Played;
use super::{Args, TerminalGame};
use crate::board::Color;
use crate::notation::pgn;
use crate::tools::{games, text};
use anyhow::{Context, Result, ensure};
use quintain_folder::Folder;
use quintain_io::files;
use quintain_play::game::{Settings, level, reading, time};
use quintain_play::library::{Entry, Library, Place, SavedGame};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

/// Where a game is kept in the library.
pub(super) struct Kept {
    library: Library,
    place: Option<Place>,
    /// The game as it was saved last, or as it was opened.
    saved: Option<SavedGame>,
    /// The person was told that the game is not kept.
    told: bool,
}

impl Kept {
    pub(super) fn new(library: Library) -> Kept {
        Kept { library, place: None, saved: None, told: false }
    }

    /// The next moves are those of another game.
    pub(super) fn forget(&mut self) {
        (self.place, self.saved) = (None, None);
    }

    /// Saves a game, or deletes it if it has no moves and nothing is said of it.
    fn save(&mut self, saved: SavedGame) -> Result<()> {
        if saved.nodes.len() == 1 {
            if let Some(place) = self.place.take() {
                self.library.delete(place)?;
            }
        } else {
            self.library.save(&mut self.place, &saved)?;
        }
        self.saved = Some(saved);
        Ok(())
    }
}

impl TerminalGame {
    // ---- Saving -----------------------------------------------------------------------------------------

    fn pgn(&self) -> String {
        let person = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let person = person.filter(|name| !name.is_empty()).unwrap_or_else(|| "?".into());
        let engine = level::player(self.game.live.settings.level);
        let name = |side: Color| {
            if self.game.live.settings.engine[side.index()] { &engine } else { &person }.as_str()
        };
        let mut game = if self.game.tags.is_empty() {
            let (players, start) = (Color::BOTH.map(name), self.game.start.fen());
            let saved = self.keep.as_ref().and_then(|kept| kept.saved.as_ref());
            let begun = saved.map(|saved| saved.begun).filter(|&begun| begun > 0);
            let begun = begun.unwrap_or_else(time::date) / 1000;
            reading::played(&self.game.info, "in the terminal", begun, players, &start, "*")
        } else {
            let tags = self.game.tags.clone();
            reading::ours(&*self.game.start, pgn::Game { tags, ..pgn::Game::default() })
        };
        let ply = |played: &Played| pgn::Ply { san: played.info.san.clone(), ..pgn::Ply::default() };
        game.moves = self.game.line().map(ply).collect();
        reading::set_end(&mut game, self.game.outcome().as_ref(), self.game.end());
        game.to_string()
    }

    pub(super) fn save(&self, name: &str) -> Result<ControlFlow<()>> {
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
    pub(super) fn load(&mut self, what: &str) -> Result<ControlFlow<()>> {
        if what.is_empty() {
            return self.complain("Name a file, like: load game.pgn, or give a position as FEN.");
        }
        let path = games::path(what);
        if !path.is_file() && is_fen(what) {
            if let Err(error) = self.game.live.engine.game_mut().set_position(Some(what), &[]) {
                return self.complain(&format!("{error}."));
            }
            self.forget_game();
            self.show()?;
            return Ok(ControlFlow::Continue(()));
        }
        let text = match files::read(&path, files::MOST_GAMES) {
            Err(error) => return self.complain(&format!("load: {error}.")),
            Ok(bytes) => pgn::decode(bytes),
        };
        let complaints = match self.open(&text) {
            Err(error) => return self.complain(&format!("load {}: {error:#}.", text::shown(what))),
            Ok(complaints) => complaints,
        };
        self.game.live.settings.engine = [false, false];
        self.show()?;
        for complaint in complaints {
            self.console.say(&text::paragraph("", &format!("{complaint}."), self.console.width()))?;
        }
        let how = match self.game.outcome() {
            None => "You can go on with it for both sides, and go lets the engine move.",
            Some(_) => "A move at an earlier position goes on from there.",
        };
        self.complain(&format!("previous and next step through the game. {how}"))
    }

    /// Goes to the end of the first game of a PGN, and returns what could not be read.
    fn open(&mut self, text: &str) -> Result<Vec<String>> {
        let mut games = pgn::games(text);
        let game = games.next().context("there is no game in it")?;
        let is_empty = game.moves.is_empty();
        let mut session = self.game.live.session().copy();
        let reading = reading::interpret(&mut *session, game)?;
        let (moves, mut complaints) = (reading.moves(), reading.complaints());
        // Where nothing was understood, the game in progress is not given up for it.
        ensure!(is_empty || !moves.is_empty(), "{}", complaints.join("; "));
        if games.next().is_some() {
            complaints.push("the file has other games too, which are not loaded".into());
        }
        if !reading.game.variations.is_empty() {
            complaints.push("variations are not loaded".into());
        }
        let annotated = |ply: &pgn::Ply| ply.comment.is_some() || !ply.nags.is_empty();
        if reading.game.comment.is_some() || reading.game.moves.iter().any(annotated) {
            complaints.push("comments and annotations are not loaded".into());
        }
        self.game.live.engine.game_mut().set_position(Some(&session.fen()), &[])?;
        self.forget_game();
        for text in moves {
            self.game.play(&text).map_err(anyhow::Error::msg)?;
        }
        let session = self.game.live.session();
        let (tags, end) = reading::tags_and_end(reading.game, session);
        self.game.live.end = end.filter(|_| session.outcome().is_none());
        self.game.tags = tags;
        Ok(complaints)
    }

    // ---- Steps ------------------------------------------------------------------------------------------

    /// Steps through the game, which stays as it is; the engine waits until its end is reached again.
    pub(super) fn step(&mut self, times: &str, forward: bool) -> Result<ControlFlow<()>> {
        let Some(times) = count(times) else {
            return self.complain("previous and next take a number of moves.");
        };
        let done = (0..times).take_while(|_| self.game.step(forward)).count();
        if done == 0 {
            let edge = if forward { "end" } else { "beginning" };
            return self.complain(&format!("This is the {edge} of the game."));
        }
        self.show()?;
        Ok(ControlFlow::Continue(()))
    }

    // ---- Unfinished games -------------------------------------------------------------------------------

    /// Keeps the game in the library.
    pub(super) fn keep_game(&mut self) -> Result<()> {
        let known = self.keep.as_ref().and_then(|kept| kept.saved.clone());
        let saved = self.saved(known.clone());
        let Some(kept) = &mut self.keep else { return Ok(()) };
        if known.as_ref() == Some(&saved) {
            return Ok(());
        }
        match kept.save(saved) {
            Ok(()) => kept.told = false,
            // Said once, and again if it goes wrong after it went well.
            Err(error) if !std::mem::replace(&mut kept.told, true) => {
                self.console.say(&format!("This game is not kept: {error:#}.\n"))?;
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// The game as the library keeps it, with what `known` has besides the moves.
    fn saved(&self, known: Option<SavedGame>) -> SavedGame {
        let (live, start) = (&self.game.live, self.game.start.fen());
        let usual = live.settings.seconds;
        let settings = Settings {
            fen: (start != self.game.info.start).then_some(start),
            seconds: self.limits.move_time.map_or(usual, |time| time.as_secs_f64()),
            ..live.settings.clone()
        };
        let mut saved = match known {
            Some(known) => {
                let clock = known.settings.clock;
                SavedGame { settings: Settings { clock, ..settings }, ..known }
            }
            None => SavedGame::new(settings, time::date()),
        };
        saved.set_line(self.game.line().map(|played| played.info.text.as_str()));
        saved.end = self.game.outcome();
        saved.tags.clone_from(&self.game.tags);
        saved
    }

    /// Games are kept from now on, where there is a folder for them.
    pub(super) fn open_library(&mut self) -> Result<()> {
        let Some((library, notes)) = Folder::of_person().map(|folder| folder.library()) else {
            return Ok(());
        };
        self.keep = Some(Kept::new(library));
        for note in notes {
            self.console.say(&format!("Note: {note}.\n"))?;
        }
        Ok(())
    }

    /// Asks whether to continue an unfinished game; true if it goes on, `None` if the person leaves. It stays as it was
    /// where the command line says nothing else.
    pub(super) fn offer_left_game(&mut self, args: &Args) -> Result<Option<bool>> {
        let Some(kept) = &self.keep else { return Ok(Some(false)) };
        let last = match kept.library.unfinished(self.game.info.name) {
            Ok(last) => last.filter(|entry| entry.heading.plies > 0),
            Err(error) => {
                self.console.say(&format!("The games cannot be listed: {error:#}.\n"))?;
                return Ok(Some(false));
            }
        };
        let Some(Entry { id, heading }) = last else { return Ok(Some(false)) };
        let date = heading.date.replace('.', "-");
        let opened = kept.library.open(&id).map_err(anyhow::Error::from).and_then(|(place, saved)| {
            self.replay(&saved).map_err(|error| kept.library.unreadable(&id, &error))?;
            Ok((place, saved))
        });
        let (place, saved) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.console.say(&format!("There is an unfinished game of {date}, but {error:#}.\n"))?;
                return Ok(Some(false));
            }
        };
        let moves: Vec<String> = saved.line().into_iter().map(|at| saved.nodes[at].text.clone()).collect();
        self.game.live.engine.game_mut().set_position(saved.settings.fen.as_deref(), &[])?;
        self.forget_game();
        for text in &moves {
            self.game.play(text).map_err(anyhow::Error::msg)?;
        }
        let number = moves.len().div_ceil(2);
        self.console.say(&format!("There is an unfinished game of {date}, after move {number}.\n"))?;
        let Some(goes_on) = wants(&mut self.console)? else { return Ok(None) };
        if goes_on {
            self.set_skill(saved.settings.level)?;
            let names_players = args.two || args.black;
            self.set_players(if names_players { self.players } else { saved.settings.engine });
            if args.time.is_none() && args.depth.is_none() && args.nodes.is_none() {
                self.limits.move_time = Some(Duration::from_secs_f64(saved.settings.seconds));
            }
            self.game.tags.clone_from(&saved.tags);
            if let Some(kept) = &mut self.keep {
                (kept.place, kept.saved) = (Some(place), Some(saved));
            }
        } else {
            self.game.live.engine.game_mut().set_position(None, &[])?;
            self.forget_game();
            self.set_players(self.players);
        }
        Ok(Some(goes_on))
    }

    /// Are the moves of a saved game legal?
    fn replay(&self, saved: &SavedGame) -> Result<()> {
        let mut session = self.game.live.session().copy();
        session.set_position(saved.settings.fen.as_deref(), &[])?;
        for at in saved.line() {
            session.play(&saved.nodes[at].text)?;
        }
        Ok(())
    }
}

/// Is this a position and no name of a file, which may have several words too? The second word of a FEN is the side to
/// move.
fn is_fen(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|ranks| ranks.contains('/')) && words.next().is_some_and(|side| side.len() == 1)
}

/// A number of moves: one if nothing is said, and never none.
pub(super) fn count(text: &str) -> Option<usize> {
    let count = if text.is_empty() { Ok(1) } else { text.parse() };
    count.ok().filter(|&count| count > 0)
}

/// Does the game go on? `None` if the person leaves.
fn wants(console: &mut Console) -> Result<Option<bool>> {
    loop {
        let words = ["yes", "no"].map(str::to_owned).to_vec();
        let Input::Line(line) = console.read("Continue it? (yes or no) ", words)? else { return Ok(None) };
        match line.trim().to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(Some(true)),
            "n" | "no" => return Ok(Some(false)),
            word if command_of(word) == "quit" => return Ok(None),
            _ => {}
        }
    }
}
