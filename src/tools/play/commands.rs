//! The commands of a game in the terminal.

use super::{TerminalGame, files, seconds, words};
use crate::board::{Tag, square_name};
use crate::engine::{Engine, NAMES};
use crate::search::{Endgames, Limits};
use crate::tools::{self, text};
use anyhow::Result;
use quintain_folder as folder;
use quintain_play::game::{End, is_early_for_draw, level, takes_draw, verdict};
use quintain_study::Book;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A command, its argument, and what it does.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("help", "", "this list"),
    ("moves", "[WHAT]", "the legal moves: all, of a square (moves e2), or of a kind of piece (moves knight)"),
    ("hint", "", "the engine's move"),
    ("eval", "", "who is better by how much, and the line that the engine expects; also: line"),
    (
        "book",
        "",
        "the moves of the opening book: how often they were played, White's share, what a search says",
    ),
    ("tables", "", "what endgame tables say of each move, when few pieces are left"),
    ("undo", "[N]", "take back your last move, or your last N moves"),
    ("go", "", "let the engine move now; you go on with the other side"),
    ("board", "", "draw the board"),
    ("flip", "", "turn the board"),
    ("pieces", "", "the pieces and how they move"),
    ("rules", "", "the rules of this game"),
    ("list", "", "the moves so far"),
    (
        "level",
        "[LEVEL]",
        "how well the engine plays: 0 to 20, or beginner, novice, casual, club, expert, master",
    ),
    ("time", "[SECONDS]", "how long the engine thinks about a move"),
    ("analyse", "", "the mistakes of this game, and better moves; Ctrl-C stops it"),
    ("two", "", "two people play; the engine only helps"),
    ("self", "", "the engine plays both sides; Ctrl-C stops it"),
    ("resign", "", "give up"),
    ("draw", "", "offer a draw"),
    ("new", "[GAME]", "start a new game, or play another game, with the players of the command line"),
    ("fen", "", "the position as FEN, a line of text"),
    ("load", "FILE or FEN", "open a game from a file, or go on from this position"),
    ("next", "[N]", "step forward through the moves taken back or stepped over"),
    (
        "previous",
        "[N]",
        "look at the position a move, or N moves, of either side before; a move there goes on from there",
    ),
    ("save", "FILE", "write the moves to a file, in the form of PGN"),
    ("quit", "", "leave; also Ctrl-D"),
];

/// What is said where the moves after an earlier position no longer belong to the game.
const GOES_ON: &str = "The game goes on from here.\n";

/// Aliases of commands.
const ALIASES: &[(&str, &str)] = &[
    ("?", "help"),
    ("h", "help"),
    ("line", "eval"),
    ("analyze", "analyse"),
    ("review", "analyse"),
    ("back", "undo"),
    ("takeback", "undo"),
    (">", "next"),
    ("<", "previous"),
    ("u", "undo"),
    ("men", "pieces"),
    ("pgn", "list"),
    ("history", "list"),
    ("q", "quit"),
    ("exit", "quit"),
    ("bye", "quit"),
];

/// The command that a word stands for, which may be another name of it.
pub(super) fn command_of(word: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name)
}

impl TerminalGame {
    /// The words that Tab completes.
    pub(super) fn completions(&self, over: bool) -> Vec<String> {
        let mut words: Vec<String> = COMMANDS.iter().map(|(name, ..)| name.to_string()).collect();
        words.extend(NAMES.iter().map(|name| format!("new {name}")));
        if !over {
            for mv in self.game.live.session().moves_in_full() {
                words.push(format!("moves {}", square_name(mv.from)));
                words.push(mv.san);
                words.push(mv.text);
            }
        }
        words.sort();
        words.dedup();
        words
    }

    fn show_book(&mut self) -> Result<ControlFlow<()>> {
        let session = self.game.live.session();
        let Some(book) = Book::of(session.info().name) else {
            return self.complain("There is no opening book of this game.");
        };
        match book.table(session) {
            table if table.is_empty() => self.complain("The opening book has no moves here."),
            table => {
                self.console.say(&table)?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    pub(super) fn obey(&mut self, line: &str) -> Result<ControlFlow<()>> {
        if line.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        let word = command_of(&word);
        let alone = COMMANDS.iter().any(|&(name, argument, _)| name == word && argument.is_empty());
        if alone && !rest.is_empty() {
            // Surplus words are an error: they may mean something else, and some commands cannot be undone.
            return self.complain(&format!("{}: {word} takes no argument.", text::shown(line)));
        }
        match word {
            "help" => self.help(),
            "moves" => self.list_moves(rest),
            "hint" | "eval" => self.advise(word == "hint"),
            "book" => self.show_book(),
            "tables" => self.show_tables(),
            "undo" => self.undo(rest),
            "go" => self.let_engine_go(),
            "board" => {
                self.draw()?;
                self.status()?;
                Ok(ControlFlow::Continue(()))
            }
            "flip" => {
                self.flipped = !self.flipped;
                self.draw()?;
                Ok(ControlFlow::Continue(()))
            }
            "pieces" => {
                self.console.say(&words::pieces(&self.game.info, self.console.width(), self.figurines()))?;
                Ok(ControlFlow::Continue(()))
            }
            "rules" => {
                self.console.say(&tools::rules::text(&self.game.info))?;
                Ok(ControlFlow::Continue(()))
            }
            "list" => {
                self.console.say(&self.game.score_sheet())?;
                Ok(ControlFlow::Continue(()))
            }
            "level" => self.set_level(rest),
            "analyse" => self.analyse(),
            "time" if rest.is_empty() => self.complain(&self.pace()),
            "time" => match seconds(rest) {
                Ok(time) => {
                    self.limits = Limits { move_time: Some(time), ..Limits::default() };
                    self.complain(&self.pace())
                }
                Err(reason) => self.complain(&format!("time {}: {reason}.", text::shown(rest))),
            },
            "two" => {
                self.game.live.settings.engine = [false, false];
                self.complain("Two people play now. With go the engine makes a move for either.")
            }
            "self" if self.game.live.outcome().is_some() => {
                self.complain("The game is over. Type new or undo.")
            }
            "self" => {
                self.go_on_here()?;
                self.game.live.settings.engine = [true, true];
                self.complain("The engine plays both sides now.")
            }
            "resign" => self.resign(),
            "draw" => self.offer_draw(),
            "new" => self.begin_anew(rest),
            "fen" => {
                self.console.say(&format!("{}\n", self.game.live.session().fen()))?;
                Ok(ControlFlow::Continue(()))
            }
            "load" => self.load(rest),
            "next" => self.step(rest, true),
            "previous" => self.step(rest, false),
            "save" => self.save(rest),
            "quit" => Ok(ControlFlow::Break(())),
            // Text without a square is a move only in a set-up phase, where a facing is chosen.
            _ if !line.contains(|c: char| c.is_ascii_digit() || c == '-') && self.is_no_move(line) => {
                self.complain(&format!("{} is neither a command nor a move. Type help.", text::shown(line)))
            }
            _ => self.person_move(line),
        }
    }

    fn is_no_move(&self, text: &str) -> bool {
        self.game.live.outcome().is_some() || self.game.live.session().copy().play_any(text).is_err()
    }

    fn help(&self) -> Result<ControlFlow<()>> {
        let width = self.console.width();
        let mut text = text::paragraph(
            "",
            "A move is given by its name (e4, Nxf3, O-O), or by the squares from and to (e2e4, e7e8q). \
             The name of a square shows what the piece there can do. Tab completes.",
            width,
        );
        let heads = COMMANDS.iter().map(|(name, argument, _)| format!("{name} {argument}"));
        let heads: Vec<String> = heads.collect();
        let column = heads.iter().map(String::len).max().unwrap_or(0);
        for (head, (.., what)) in heads.iter().zip(COMMANDS) {
            text += &text::paragraph(&format!("  {head:<column$}  "), what, width);
        }
        self.console.say(&text)?;
        Ok(ControlFlow::Continue(()))
    }

    fn list_moves(&self, what: &str) -> Result<ControlFlow<()>> {
        let wanted = what.to_lowercase();
        let mut moves = self.game.live.session().moves_in_full();
        if self.game.live.outcome().is_some() {
            return self.complain("The game is over; there are no moves.");
        }
        moves.retain(|mv| {
            wanted.is_empty()
                || square_name(mv.from) == wanted
                || mv.piece.to_ascii_lowercase().to_string() == wanted
                || words::name_of(&self.game.info, mv.piece) == wanted
        });
        if moves.is_empty() {
            return self.complain(&format!(
                "{} has no moves for {}.",
                self.game.live.session().side(),
                text::shown(what)
            ));
        }
        self.console.say(&words::moves(&self.game.info, &moves, self.console.width()))?;
        Ok(ControlFlow::Continue(()))
    }

    /// The engine's score and line; with `hint`, the move that it would play.
    fn advise(&mut self, hint: bool) -> Result<ControlFlow<()>> {
        if self.game.live.outcome().is_some() {
            return self.complain("The game is over.");
        }
        let side = self.game.live.session().side();
        let analysis = self.think(Engine::analyse, true);
        self.interruption.happened.store(false, Relaxed);
        let mut text = String::new();
        if let (true, Some(best)) = (hint, &analysis.best)
            && let Ok(mv) = self.game.live.session().copy().play(best)
        {
            text = format!("Try {}\n", self.console.bold(&words::with_coordinates(&mv)));
        }
        text += &self.opinion(&analysis, side, usize::from(hint));
        self.console.say(&text)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Shows what endgame tables say of each move.
    fn show_tables(&mut self) -> Result<ControlFlow<()>> {
        if self.game.live.outcome().is_some() {
            return self.complain("The game is over.");
        }
        let tables = Arc::clone(self.game.live.engine.tables());
        let session = self.game.live.session();
        let groups = verdict::of_moves(session, &*tables);
        let problems = tables.problems();
        let mut text: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
        match groups {
            Some(groups) => {
                let longest = groups.iter().map(|group| group.0.len()).max().unwrap_or(0);
                for (words, moves) in groups {
                    let name = format!("{words:longest$}  ");
                    text += &text::paragraph(&name, &moves.join("  "), self.console.width());
                }
            }
            None => {
                text += &format!(
                    "No endgame table has this position. Those here have up to {} pieces.\n",
                    tables.most_pieces()
                );
            }
        }
        self.console.say(&text)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Sets the level of the engine.
    pub(super) fn set_skill(&mut self, level: u32) -> Result<()> {
        self.game.live.engine.set_option("Skill Level", Some(&level.to_string()))?;
        self.game.live.settings.level = level;
        Ok(())
    }

    fn set_level(&mut self, text: &str) -> Result<ControlFlow<()>> {
        if !text.is_empty() {
            match level::read(text) {
                Ok(level) => {
                    self.set_skill(level)?;
                    if self.console.prompts {
                        folder::prefer(|kept| kept.level = Some(level));
                    }
                }
                Err(reason) => return self.complain(&format!("level {}: {reason}.", text::shown(text))),
            }
        }
        self.complain(&self.skill())
    }

    /// The level of the engine, as a sentence.
    pub(super) fn skill(&self) -> String {
        format!("The engine plays at level {}.", level::described(self.game.live.settings.level))
    }

    /// The limits of the engine, as a sentence.
    fn pace(&self) -> String {
        let Limits { move_time, depth, nodes, .. } = &self.limits;
        let bounds = [
            move_time.map(|time| format!("{} s a move", time.as_secs_f64())),
            depth.map(|depth| format!("{depth} plies ahead")),
            nodes.map(|nodes| format!("about {nodes} positions")),
        ];
        let bounds: Vec<String> = bounds.into_iter().flatten().collect();
        format!("The engine thinks {}.", bounds.join(", "))
    }

    fn undo(&mut self, rest: &str) -> Result<ControlFlow<()>> {
        let Some(times) = files::count(rest) else {
            return self.complain("undo takes a number of moves.");
        };
        let later = self.game.later();
        if !self.game.take_back(times) {
            return self.complain("There is no such move to take back.");
        }
        self.asked = false;
        if later > 0 {
            self.console.say(GOES_ON)?;
        }
        self.show()?;
        Ok(ControlFlow::Continue(()))
    }

    fn let_engine_go(&mut self) -> Result<ControlFlow<()>> {
        if self.game.live.outcome().is_some() {
            return self.complain("The game is over. Type new or undo.");
        }
        self.go_on_here()?;
        if self.game.live.engine_is_to_move() {
            // It waited at an earlier position.
            Ok(ControlFlow::Continue(()))
        } else if self.game.live.person().is_some() {
            let players = &mut self.game.live.settings.engine;
            *players = players.map(|engine| !engine);
            let side = !self.game.live.session().side();
            self.complain(&format!("You are {side} from now on. (flip turns the board.)"))
        } else {
            self.engine_move()?;
            Ok(ControlFlow::Continue(()))
        }
    }

    /// From an earlier position the game goes on there.
    fn go_on_here(&mut self) -> Result<()> {
        if self.game.later() > 0 {
            self.game.go_on_here();
            self.asked = false;
            self.console.say(GOES_ON)?;
        }
        Ok(())
    }

    /// Why no side can end the game now.
    fn no_end(&self) -> Option<String> {
        let later = self.game.later();
        let over = self.game.outcome().map(|_| "The game is over already.".into());
        over.or_else(|| (later > 0).then(|| format!("This is an earlier position; type next {later} first.")))
    }

    fn resign(&mut self) -> Result<ControlFlow<()>> {
        if let Some(reason) = self.no_end() {
            return self.complain(&reason);
        }
        let side = self.game.live.person().unwrap_or(self.game.live.session().side());
        self.game.live.end = Some(End::resigned(side));
        self.status()?;
        Ok(ControlFlow::Continue(()))
    }

    fn offer_draw(&mut self) -> Result<ControlFlow<()>> {
        if let Some(reason) = self.no_end() {
            return self.complain(&reason);
        }
        if self.game.live.person().is_some() {
            if is_early_for_draw(self.game.played.len()) {
                return self.complain("The engine declines: it is too early.");
            }
            let analysis = self.think(Engine::analyse, false);
            self.interruption.happened.store(false, Relaxed);
            if !takes_draw(analysis.score) {
                return self.complain("The engine declines: it is better.");
            }
        }
        self.game.live.end = Some(End::agreed());
        self.status()?;
        Ok(ControlFlow::Continue(()))
    }

    fn begin_anew(&mut self, name: &str) -> Result<ControlFlow<()>> {
        let name = if name.is_empty() { self.game.info.name.to_owned() } else { name.to_lowercase() };
        if !NAMES.contains(&name.as_str()) {
            let names = NAMES.join(", ");
            return self.complain(&format!(
                "There is no game called {}; the games are {names}.",
                text::shown(&name)
            ));
        }
        let same = name == self.game.info.name;
        self.game.live.engine.open(&name);
        self.forget_game();
        let others = self.game.live.settings.engine != self.players;
        if others {
            self.set_players(self.players);
        }
        if !same {
            self.greet()?;
        }
        if others && (same || !self.console.watched) {
            self.console.say(&format!("{}\n", self.players(["White", "Black"])))?;
        }
        self.show()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Plays a person's move; the square of a piece lists its moves instead.
    fn person_move(&mut self, text: &str) -> Result<ControlFlow<()>> {
        if let Some(end) = self.game.live.outcome() {
            return self.complain(&format!("The game is over: {}. Type new, undo or quit.", end.text));
        }
        let side = self.game.live.session().side();
        let goes_on = self.game.leaves_line(text);
        if goes_on && self.game.live.person() == Some(!side) {
            return self
                .complain("The engine is to move here: go lets it, previous and next show other positions.");
        }
        match self.game.play(text) {
            Ok(mv) => {
                if goes_on {
                    self.asked = false;
                    self.console.say(GOES_ON)?;
                }
                self.console.say(&format!(
                    "{}: {}\n",
                    self.game.player(side),
                    words::with_coordinates(&mv)
                ))?;
                // If the engine answers, the board is shown after its move.
                let waits = self.game.later() > 0 || !self.game.live.engine_is_to_move();
                if waits || self.game.live.outcome().is_some() {
                    self.show()?;
                }
                Ok(ControlFlow::Continue(()))
            }
            Err(reason) => {
                let mut own = self.game.live.session().moves_in_full();
                own.retain(|mv| square_name(mv.from) == text && mv.tag != Tag::Place);
                if !own.is_empty() {
                    self.console.say(&words::moves(&self.game.info, &own, self.console.width()))?;
                    return Ok(ControlFlow::Continue(()));
                }
                self.complain(&format!("{}: {reason}.", text::shown(text)))
            }
        }
    }

    /// Starts a game from the engine's new position.
    pub(super) fn forget_game(&mut self) {
        self.asked = false;
        self.game.begin();
        if let Some(kept) = &mut self.keep {
            kept.forget();
        }
    }
}
