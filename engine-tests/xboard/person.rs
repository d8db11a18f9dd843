//! Actions of a person besides moving: taking back, hints, analysis, setting up positions, continuing games, offering
//! draws, resigning. By menu, key and mouse in the real XBoard, directly connected to the engine.
//!
//! The test replays XBoard's log. Every game ends by resignation: then the engine prints its position, and XBoard
//! saves the one that it shows.

use super::harness::{Test, tests};
use super::mouse::{Table, empty_folder};
use super::same_board;
use quintain::board::Color;
use quintain::engine::{self, Session};
use quintain::notation::pgn;
use quintain_xboard::mirror::{Completion, Mirror, Recognised};
use quintain_xboard::position;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

// Keys by their names in X.
const CONTROL: u32 = 0xffe3;
const SHIFT: u32 = 0xffe1;
const ALT: u32 = 0xffe9;
const RETURN: u32 = 0xff0d;
const LEFT: u32 = 0xff51;
const RIGHT: u32 = 0xff53;
const DOWN: u32 = 0xff54;
const OFFER_DRAW: u32 = 0xffc3;
const RESIGN: u32 = 0xffc6;

/// What a person does.
pub const TESTS: &[Test] = tests!("person::":
    takes_back_and_asks_for_a_hint,
    drags_pieces,
    the_engine_sees_that_it_is_mated,
    castles_in_a_position_that_was_set_up_and_takes_that_back,
    sets_up_a_position,
    promotes_to_a_piece_that_was_not_captured_in_this_game,
    promotes_to_a_piece_that_was_put_beside_the_board,
    the_window_names_the_game_shows_it_large_and_ends_when_told_to,
    a_draw_is_agreed_when_the_engine_is_worse,
    a_draw_is_declined_when_the_engine_is_better,
    the_engine_thinks_on_the_persons_time,
    analyses,
    goes_on_with_a_game_of_canyon,
    goes_on_with_a_game_of_grand,
    goes_on_with_a_game_of_diamond,
    goes_on_with_a_game_of_grandcavalier,
    goes_on_with_a_game_of_gast14,
    goes_on_from_a_position_of_superchess,
);

/// The state of the engine that follows from the log.
fn follow(log: &str) -> Option<(Box<dyn Session>, Mirror)> {
    let mut session = engine::open("chess").ok()?;
    let mut mirror = Mirror::new(&*session);
    // Plies with which the engine corrects XBoard's board after a move of the person.
    let mut mending = 0;
    // A line that is not yet complete does not count.
    let complete = &log[..log.rfind('\n').unwrap_or(0)];
    for line in complete.lines() {
        let Some((time, rest)) = line.split_once(' ') else { continue };
        if time.parse::<u64>().is_err() {
            continue;
        }
        let Some((who, text)) = rest.split_once(": ") else { continue };
        let from_engine = who.starts_with('<');
        let (command, text) = text.split_once(' ').unwrap_or((text, ""));
        match command {
            "new" | "variant" if !from_engine => {
                session =
                    engine::open(if text.is_empty() || text == "normal" { "chess" } else { text }).ok()?;
                mirror = Mirror::new(&*session);
            }
            "setboard" if !from_engine && mirror.pending() == 0 => {
                position::set_up(&mut *session, mirror.quirks(), text).ok()?;
                mirror = Mirror::new(&*session);
            }
            "undo" | "remove" if !from_engine => {
                for _ in 0..if command == "undo" { 1 } else { 2 } {
                    if mirror.undo() == Some(true) {
                        session.undo();
                    }
                }
            }
            "move" if mending > 0 => mending -= 1,
            "usermove" | "move" if from_engine == (command == "move") => {
                // XBoard writes the time once more in front of the move.
                let word = text.rsplit(' ').next()?;
                let ply = mirror.numbering().parse(word)?;
                let (ply, completion) = if from_engine {
                    (mirror.board().relayed(&ply), Completion::Withheld)
                } else {
                    (ply, Completion::Allowed)
                };
                if let Recognised::Move(text, plies) = mirror.recognise(&*session, &ply, completion) {
                    mending = plies.len();
                    for ply in &plies {
                        mirror.send(ply);
                    }
                    session.play(&text).ok()?;
                    mirror.complete(&*session);
                }
            }
            _ => {}
        }
    }
    Some((session, mirror))
}

struct Person {
    table: Table,
    name: &'static str,
}

impl Person {
    /// Starts a game as White; `words` limit the engine.
    fn new(name: &'static str, game: &'static str, words: &str) -> Option<Person> {
        let tools = super::tools()?;
        let words: Vec<&str> = words.split_whitespace().collect();
        Some(Person { table: Table::open(name, empty_folder(name), game, &tools, &words), name })
    }

    fn log(&self) -> String {
        self.table.read("log")
    }

    fn count(&self, what: &str) -> usize {
        self.log().matches(what).count()
    }

    /// Waits until the log holds this once more than it did before.
    fn wait_for(&self, what: &str, before: usize) {
        self.table.wait(what, |_| self.count(what) > before);
    }

    /// Presses keys together until something has been said; a window may be about to take them from the board.
    fn press(&self, keys: &[u32], what: &str) {
        let before = self.count(what);
        self.key(keys);
        self.wait_for(what, before);
        sleep(Duration::from_millis(150));
    }

    fn key(&self, keys: &[u32]) {
        self.table.screen.keys(keys, self.table.at((3, 1)));
        sleep(Duration::from_millis(150));
    }

    fn session(&self) -> Box<dyn Session> {
        let log = self.log();
        follow(&log).unwrap_or_else(|| panic!("{}: nobody can follow this", self.name)).0
    }

    fn played(&self) -> Vec<String> {
        self.session().played().into_iter().map(|(text, _)| text).collect()
    }

    /// Makes a move by mouse, and waits until it has been sent.
    fn play(&self, text: &str) {
        let session = self.session();
        let number = session.played().len();
        let info = session.moves_in_full().into_iter().find(|info| info.text == text);
        let info = info.unwrap_or_else(|| panic!("{}: {text} is not legal in {}", self.name, session.fen()));
        self.table.play(&*session, &info);
        self.table.wait(text, |_| self.played().get(number).is_some_and(|played| played == text));
    }

    /// Waits until the engine has replied; returns its move.
    fn reply(&self) -> String {
        let ours = |session: &dyn Session| session.side() == Color::White && !session.played().is_empty();
        self.table.wait("reply", |_| {
            follow(&self.log()).is_some_and(|(session, mirror)| ours(&*session) && mirror.pending() == 0)
        });
        sleep(Duration::from_millis(150));
        self.played().pop().unwrap()
    }

    /// Any move, the same one each time.
    fn any(&self) -> String {
        self.session().moves().swap_remove(0)
    }

    /// Resigns; the boards of the engine and XBoard must agree with the log.
    fn resign(self) {
        self.key(&[RESIGN]);
        self.end();
    }

    fn end(self) {
        self.wait_for("# the last position: ", 0);
        self.table.wait("last position", |table| table.read("positions.fen").contains('/'));
        let (log, session) = (self.log(), self.session());
        for bad in ["llegal", "Error (", "# a fault", "cannot follow", "Bad FEN", "tellusererror"] {
            assert_eq!(log.lines().find(|line| line.contains(bad)), None, "{}", self.name);
        }
        let end = log.rsplit_once("# the last position: ").unwrap().1.lines().next().unwrap();
        assert_eq!(end, session.fen(), "{}", self.name);
        let positions = self.table.read("positions.fen");
        same_board(self.name, &*session, positions.lines().rfind(|line| line.contains('/')).unwrap());
    }

    // ---- Menus ----------------------------------------------------------------------------------------------

    /// Engine > Hint.
    fn hint(&self) -> String {
        self.key(&[ALT, u32::from(b'n')]);
        for _ in 0..6 {
            self.key(&[DOWN]);
        }
        self.press(&[RETURN], "<first : Hint: ");
        // XBoard shows the hint in a window of its own.
        sleep(Duration::from_millis(300));
        self.key(&[RETURN]);
        let log = self.log();
        log.rsplit_once("<first : Hint: ").unwrap().1.lines().next().unwrap().to_owned()
    }

    fn retract(&self) {
        self.press(&[CONTROL, u32::from(b'x')], ">first : remove");
    }

    /// Mode > Machine Black.
    fn let_it_play(&self) {
        self.press(&[CONTROL, u32::from(b'b')], ">first : go");
    }

    /// A new game begins; what was said about the last one is over.
    fn new_game(&self) {
        self.press(&[CONTROL, u32::from(b'n')], "<first : pong ");
    }

    /// Edit > Edit Position, pieces put elsewhere or into White's hand by mouse, Edit > Edit Game.
    fn set_up(&self, pieces: &str) {
        self.press(&[CONTROL, SHIFT, u32::from(b'e')], ">first : force");
        for (from, to) in pieces.split(' ').map(|pair| pair.split_once('-').unwrap()) {
            for square in [from, to] {
                let at = if square == "hand" {
                    self.table.in_hand(0)
                } else {
                    let mut chars = square.chars();
                    let file = chars.next().unwrap() as u8 - b'a';
                    self.table.at((file, chars.as_str().parse::<u8>().unwrap() - 1))
                };
                self.table.click(at);
                sleep(Duration::from_millis(150));
            }
        }
        self.press(&[CONTROL, u32::from(b'e')], ">first : setboard ");
        let pongs = self.count("<first : pong ");
        self.table.wait("set-up", |_| pongs > 1 || self.count("<first : pong ") > 1);
    }
}

fn takes_back_and_asks_for_a_hint() {
    let Some(person) = Person::new("person-back", "canyon", "-- -depth 4") else { return };
    person.play("e3e4");
    person.reply();
    let hint = person.hint();
    assert!(person.session().moves().contains(&hint), "{hint}");
    person.play("d2b2");
    person.reply();
    person.retract();
    assert_eq!(person.played().len(), 2);
    person.play("c3c4");
    person.reply();
    person.retract();
    person.retract();
    assert_eq!(person.played().len(), 0);
    person.play("e2g2");
    person.reply();
    person.resign();
}

fn drags_pieces() {
    let Some(mut person) = Person::new("person-drags", "canyon", "-- -depth 3") else { return };
    person.table.drags = true;
    for text in ["e3e4", "d2b2"] {
        person.play(text);
        person.reply();
    }
    person.resign();
}

fn the_engine_sees_that_it_is_mated() {
    let Some(person) = Person::new("person-mates", "chess", "-- -depth 3 -checkMates false") else { return };
    person.set_up("d1-h5 f1-c4");
    // XBoard lets the engine play Black only when it is Black's turn.
    person.play("a2a3");
    person.let_it_play();
    person.reply();
    person.retract();
    person.play("h5f7");
    person.wait_for("<first : 1-0 {", 0);
    person.end();
}

fn castles_in_a_position_that_was_set_up_and_takes_that_back() {
    let Some(person) = Person::new("person-gast", "gast", "-- -depth 3") else { return };
    // White alone can castle, so that what is said about castling is about White's.
    person.set_up("h1-h4 j1-j4 k1-k4");
    person.play("g1k1");
    person.let_it_play();
    person.reply();
    // Castling with two pieces takes XBoard five steps, and the engine says so once.
    person.retract();
    person.wait_for("Take back 2 times more.", 0);
    sleep(Duration::from_millis(300));
    person.key(&[RETURN]);
    person.retract();
    person.retract();
    assert_eq!(person.count("telluser "), 1);
    assert_eq!(person.played().len(), 0);
    person.play("g1i1");
    person.reply();
    person.resign();
}

fn sets_up_a_position() {
    let Some(person) = Person::new("person-set-up", "canyon", "-- -depth 4") else { return };
    person.play("e3e4");
    person.reply();
    person.set_up("e4-d5 e2-f4 b3-b4");
    // The engine's piece may be anywhere, ours are where they were put.
    let fen = person.session().fen();
    let empty =
        |letter: char| letter.to_digit(10).map_or(letter.to_string(), |empty| ".".repeat(empty as usize));
    let ranks: Vec<String> = fen.split('/').map(|rank| rank.chars().map(empty).collect()).collect();
    assert_eq!((&ranks[3][3..4], &ranks[4][1..2], &ranks[4][5..6]), ("P", "P", "Q"), "{fen}");
    // The engine may have blocked a pawn, but not all moves of the queen.
    let queen = person.session().moves().into_iter().find(|text| text.starts_with("f4")).unwrap();
    person.play(&queen);
    person.let_it_play();
    person.reply();
    person.resign();
}

fn promotes_to_a_piece_that_was_not_captured_in_this_game() {
    let Some(person) = Person::new("person-promotes", "grandcavalier", "-- -depth 2") else { return };
    // The queen is gone, and a cavalier comes near the last ranks.
    person.set_up("b3-e1 e1-b8");
    person.play("b8a10q");
    person.let_it_play();
    person.reply();
    person.resign();
}

fn promotes_to_a_piece_that_was_put_beside_the_board() {
    // XBoard's own Grand Chess knows no other.
    let Some(person) = Person::new("person-promotes-grand", "grand", "-- -depth 2") else { return };
    person.set_up("d2-hand c3-c8");
    person.play("c8b9q");
    person.let_it_play();
    person.reply();
    person.resign();
}

fn the_window_names_the_game_shows_it_large_and_ends_when_told_to() {
    let Some(person) = Person::new("person-window", "superchess", "--") else { return };
    let title = "Quintain (level 20, master) - Super Chess (Ginsberg)";
    let titles = person.table.screen.titles();
    assert!(titles.iter().any(|shown| shown.ends_with(title)), "{titles:?}");
    assert!(person.table.square >= 68, "{}", person.table.square);
    person.table.terminate();
}

/// The engine, which has Black, without two strong pieces, or White without them.
fn offers_a_draw(name: &'static str, pieces: &str) -> Option<Person> {
    let person = Person::new(name, "canyon", "-- -depth 5")?;
    person.set_up(pieces);
    person.play("e3e4");
    person.let_it_play();
    person.reply();
    person.key(&[OFFER_DRAW]);
    person.wait_for(">first : draw", 0);
    Some(person)
}

fn a_draw_is_agreed_when_the_engine_is_worse() {
    let Some(person) = offers_a_draw("person-draw", "b7-e7 g7-h7") else { return };
    person.wait_for("result 1/2-1/2 {Draw agreed}", 0);
    person.end();
}

fn a_draw_is_declined_when_the_engine_is_better() {
    let Some(person) = offers_a_draw("person-no-draw", "b2-e2 g2-h2") else { return };
    person.play(&person.any());
    person.reply();
    assert_eq!(person.count("offer draw"), 0);
    person.resign();
}

fn the_engine_thinks_on_the_persons_time() {
    const DEPTH: &str = "6";
    let Some(person) = Person::new("person-ponder", "canyon", &format!("-- -depth {DEPTH}")) else { return };
    // The depths of what was thought between the last thing like this and the one after it.
    let depths = |log: &str, start: &str, end: &str| -> Vec<String> {
        let (_, rest) = log.rsplit_once(start).unwrap();
        let rest = rest.split_once(end).map_or(rest, |(between, _)| between);
        let thoughts = rest.lines().filter(|line| line.contains('\t'));
        thoughts.filter_map(|line| Some(line.split(": ").nth(1)?.split(' ').next()?.to_owned())).collect()
    };
    person.play("e3e4");
    person.reply();
    for expected in [true, false, true] {
        person.table.wait("thoughts", |_| {
            depths(&person.log(), "<first : move ", "nothing").iter().any(|depth| depth == DEPTH)
        });
        let log = person.log();
        let (before, _) = log.rsplit_once("<first : move ").unwrap();
        let line = before.lines().rfind(|line| line.contains('\t')).unwrap();
        let guess = line.split(['\t', ' ']).next_back().map(|_| line.split('\t').nth(1).unwrap());
        let guess = guess.unwrap().split(' ').nth(1).unwrap().to_owned();
        let text = if expected {
            guess
        } else {
            person.session().moves().into_iter().find(|other| *other != guess).unwrap()
        };
        person.play(&text);
        person.reply();
        let log = person.log();
        let thoughts = depths(&log, ">first : usermove ", "<first : move ");
        assert_eq!(thoughts.contains(&"1".to_owned()), !expected, "{text}: {thoughts:?}");
    }
    person.resign();
}

fn analyses() {
    let Some(person) = Person::new("person-analysis", "canyon", "--analyse -- -tc 1 -inc 1") else { return };
    person.wait_for(">first : analyze", 0);
    person.wait_for("<first : stat01: ", 0);
    person.play("e3e4");
    person.play("e6e5");
    person.wait_for("<first : stat01: ", person.count("<first : stat01: "));
    // In the window with the lines: a right click on "best" leaves the best move out.
    let words = (0..30).map(|i| (118, 45 + i % 15));
    for at in words {
        person.table.screen.click_other(3, at);
        sleep(Duration::from_millis(200));
        if person.count(">first : exclude ") > 0 {
            break;
        }
    }
    person.wait_for(">first : exclude ", 0);
    let log = person.log();
    let (_, rest) = log.rsplit_once(">first : exclude ").unwrap();
    let best = rest.lines().next().unwrap().trim().to_owned();
    assert!(person.session().moves().contains(&best), "{best}");
    let statements = |log: &str, after: &str| -> Vec<String> {
        let rest = log.rsplit_once(after).map_or("", |(_, rest)| rest);
        let lines = rest.lines().filter(|line| line.contains("stat01: "));
        lines.filter_map(|line| line.split(' ').next_back().map(str::to_owned)).collect()
    };
    person.table.wait("another best move", |_| !statements(&person.log(), ">first : exclude ").is_empty());
    assert!(!statements(&person.log(), ">first : exclude ").contains(&best), "{best}");
    // At the right end of its first line, "more" asks for one line more.
    for _ in 0..60 {
        person.table.screen.click_other(7, (250, 80));
    }
    for i in 0..30 {
        person.table.screen.click_other(3, (450, 25 + i % 15));
        sleep(Duration::from_millis(200));
        if person.count(">first : option MultiPV=2") > 0 {
            break;
        }
    }
    person.wait_for(">first : option MultiPV=2", 0);
    person.table.wait("two lines", |_| {
        let log = person.log();
        let (_, rest) = log.split_once(">first : option MultiPV=2").unwrap();
        let lines: Vec<&str> = rest.lines().filter(|line| line.contains('\t')).collect();
        let depth =
            |line: &str| line.split(": ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        let first =
            |line: &str| line.split('\t').nth(1).map(|line| line.split(' ').next().unwrap().to_owned());
        lines.windows(2).any(|pair| depth(pair[0]) == depth(pair[1]) && first(pair[0]) != first(pair[1]))
    });
    // Back, forward, and back again.
    person.press(&[ALT, LEFT], ">first : undo");
    person.press(&[ALT, RIGHT], ">first : usermove");
    person.press(&[ALT, LEFT], ">first : undo");
    assert_eq!(person.played(), ["e3e4"]);
    person.press(&[CONTROL, u32::from(b'e')], ">first : exit");
    person.let_it_play();
    person.reply();
    person.resign();
}

/// Copies the game, begins another, and pastes the copy.
fn goes_on_with_a_game(name: &'static str, game: &'static str, moves: &[&str]) {
    let Some(person) = Person::new(name, game, "-- -depth 3 -timeDelay 0.2") else { return };
    for text in moves {
        person.play(text);
        person.reply();
    }
    person.play(&person.any());
    person.reply();
    let (played, fen) = (person.played(), person.session().fen());
    person.key(&[CONTROL, u32::from(b'c')]);
    person.new_game();
    person.press(&[CONTROL, u32::from(b'v')], "Load Game");
    person.table.wait("the game", |_| person.played() == played);
    assert_eq!(person.session().fen(), fen);
    sleep(Duration::from_millis(500));
    // XBoard waits for the rest of the game.
    person.key(&[CONTROL, u32::from(b'e')]);
    person.play(&person.any());
    person.let_it_play();
    person.reply();
    person.resign();
}

fn goes_on_with_a_game_of_canyon() {
    goes_on_with_a_game("person-resume-canyon", "canyon", &["e3e4", "d2b2"]);
}

fn goes_on_with_a_game_of_grand() {
    goes_on_with_a_game("person-resume-grand", "grand", &["e3e5", "b2c4"]);
}

fn goes_on_with_a_game_of_diamond() {
    goes_on_with_a_game("person-resume-diamond", "diamond", &["e4d4"]);
}

fn goes_on_with_a_game_of_grandcavalier() {
    goes_on_with_a_game("person-resume-grandcavalier", "grandcavalier", &[]);
}

fn goes_on_with_a_game_of_gast14() {
    goes_on_with_a_game("person-resume-gast14", "gast14", &["b2b6"]);
}

fn goes_on_from_a_position_of_superchess() {
    let name = "person-resume-superchess";
    let Some(person) = Person::new(name, "superchessfixed", "-- -depth 3") else { return };
    person.play("d1d1ne");
    person.reply();
    let before = person.session().fen();
    person.key(&[CONTROL, SHIFT, u32::from(b'c')]);
    person.new_game();
    person.press(&[CONTROL, SHIFT, u32::from(b'v')], ">first : setboard ");
    let after = person.session().fen();
    let pieces = |fen: &str| super::visible(fen);
    assert_eq!(pieces(&before), pieces(&after));
    person.play(&person.any());
    person.let_it_play();
    person.reply();
    person.resign();
}

/// Pastes a game that `quintain convert` wrote, and copies the position at its end.
fn opens_a_converted_game(name: &'static str, game: &'static str) {
    let Some(person) = Person::new(name, game, "-- -depth 3 -timeDelay 0") else { return };
    let file = format!("{}/engine-tests/games/{game}.pgn", env!("CARGO_MANIFEST_DIR"));
    let convert = |words: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_quintain")).args(["convert", game, &file]).args(words).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let mut session = engine::open(game).unwrap();
    for ply in &pgn::parse(&convert(&[])).unwrap()[0].moves {
        session.play_any(&ply.san).unwrap();
    }
    person.table.screen.offer(&convert(&["--for-xboard"]));
    person.press(&[CONTROL, u32::from(b'v')], "LoadGame(): on exit");
    sleep(Duration::from_millis(500));
    person.key(&[CONTROL, SHIFT, u32::from(b'c')]);
    person.new_game();
    person.press(&[CONTROL, SHIFT, u32::from(b'v')], ">first : setboard ");
    let log = person.log();
    let position = log.rsplit_once(">first : setboard ").unwrap().1.lines().next().unwrap();
    same_board(name, &*session, position);
    // XBoard makes moves that it thinks illegal too, and logs `IllegalMove`.
    for bad in ["llegal move", "Error (", "# a fault", "cannot follow", "Bad FEN", "tellusererror"] {
        assert_eq!(log.lines().find(|line| line.contains(bad)), None, "{name}");
    }
}

macro_rules! converted {
    ($($game:literal),* $(,)?) => {
        /// A game of each kind that `quintain convert` makes for XBoard.
        pub const CONVERTED: &[Test] = &[$((concat!("person::converted::", $game), || {
            opens_a_converted_game(concat!("person-converted-", $game), $game);
        })),*];
    };
}

converted!("canyon", "diamond", "grandcavalier", "gast", "gast14", "chess", "grand");
