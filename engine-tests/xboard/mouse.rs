//! Games with the mouse against the engine, in the real XBoard, started with `quintain xboard`.
//!
//! XBoard starts this test program as the *guide*, which relays to the engine, leaves it only one move with the
//! command `exclude`, and may begin with another position. The moves of the person are a script too: the mouse lifts
//! a piece, goes to the target, and pulls until XBoard shows what the piece should become.

use super::screen::{COLORS, Screen};
use super::{FINISHED, same_board};
use quintain::board::{Color, Tag};
use quintain::engine::{self, MoveInfo, Session};
use quintain_xboard::games;
use quintain_xboard::marks::Marks;
use quintain_xboard::mirror::{Completion, Mirror, Recognised};
use quintain_xboard::position;
use quintain_xboard::text::Ply;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The timeout.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game, whose person has White or Black, from the start or from a position in XBoard's FEN.
pub struct Script {
    pub game: &'static str,
    pub person: Color,
    pub fen: Option<&'static str>,
    pub moves: &'static str,
}

impl Script {
    fn moves(&self) -> Vec<&'static str> {
        self.moves.split_whitespace().collect()
    }

    fn session(&self) -> Box<dyn Session> {
        start(self.game, self.fen)
    }
}

fn start(game: &str, fen: Option<&str>) -> Box<dyn Session> {
    let mut session = engine::open(game).unwrap();
    if let Some(fen) = fen {
        let mirror = Mirror::new(&*session);
        position::set_up(&mut *session, mirror.quirks(), fen)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
    }
    session
}

// ---- The person ---------------------------------------------------------------------------------------------

/// A folder for a test.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mouse-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// XBoard and its board on the screen.
pub struct Table {
    pub screen: Screen,
    xboard: Child,
    folder: PathBuf,
    name: String,
    origin: (i16, i16),
    /// The distance from square to square.
    pub square: i16,
    files: u8,
    ranks: u8,
    /// Columns beside the board.
    beside: u8,
    turned: bool,
    /// Does the person drag pieces, instead of clicking twice?
    pub drags: bool,
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.xboard.kill();
        let _ = self.xboard.wait();
    }
}

impl Table {
    /// With the guide between XBoard and the engine.
    fn new(script: &Script, name: &str, tools: &[PathBuf; 2]) -> Table {
        let folder = empty_folder(name);
        let person = if script.person == Color::White { "w" } else { "b" };
        let lines = [person, script.fen.unwrap_or("-"), script.moves];
        fs::write(folder.join("script"), lines.join("\n")).unwrap();
        let guide = format!("{} guide", std::env::current_exe().unwrap().display());
        let mut words = vec![script.game];
        words.extend((script.person == Color::Black).then_some("--black"));
        words.extend(["--", "-fcp", &guide]);
        let mut table = Table::start(name, folder, script.game, tools, &words);
        table.turned = script.person == Color::Black;
        table.wait("XBoard", |table| table.status().starts_with("turn "));
        table.find_board();
        table
    }

    /// With nothing between XBoard and the engine. The folder exists and may hold files for XBoard.
    pub fn open(name: &str, folder: PathBuf, game: &str, tools: &[PathBuf; 2], words: &[&str]) -> Table {
        let words: Vec<&str> = std::iter::once(&game).chain(words).copied().collect();
        let mut table = Table::start(name, folder, game, tools, &words);
        table.wait("XBoard", |table| table.read("log").contains("<first : pong 1"));
        table.find_board();
        table
    }

    fn start(name: &str, folder: PathBuf, game: &str, tools: &[PathBuf; 2], words: &[&str]) -> Table {
        let screen = Screen::new(&tools[1]);
        let xboard = Command::new(env!("CARGO_BIN_EXE_quintain"))
            .arg("xboard")
            .args(words)
            .args(["-debug", "-nameOfDebugFile", "log", "-spf", "positions.fen"])
            .args(["-animateMoving", "false", "-soundProgram", "true"])
            .args(COLORS.split(' '))
            .current_dir(&folder)
            .env("HOME", &folder)
            .env("XDG_DATA_HOME", &folder)
            .env("DISPLAY", screen.name())
            .env("QUINTAIN_TEST_ENGINE", env!("CARGO_BIN_EXE_quintain"))
            .env("QUINTAIN_TEST_MOUSE", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let info = engine::info(game).unwrap();
        Table {
            screen,
            xboard,
            folder,
            name: name.to_owned(),
            origin: (0, 0),
            square: 0,
            files: info.files,
            ranks: info.ranks,
            beside: if info.holdings > 0 { 2 } else { 0 },
            turned: false,
            drags: false,
        }
    }

    /// Ends the program that was started, as `kill` does; no window may be left.
    pub fn terminate(mut self) {
        let told = Command::new("kill").arg(self.xboard.id().to_string()).status().unwrap();
        assert!(told.success());
        let began = Instant::now();
        while self.xboard.try_wait().unwrap().is_none() || !self.screen.titles().is_empty() {
            assert!(began.elapsed() < PATIENCE, "{}: still there: {:?}", self.name, self.screen.titles());
            sleep(Duration::from_millis(50));
        }
    }

    pub fn read(&self, file: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.join(file)).unwrap_or_default()).into_owned()
    }

    /// The last entry of the guide.
    fn status(&self) -> String {
        self.read("status").lines().last().unwrap_or_default().to_owned()
    }

    /// Does this become true before so much time is over?
    fn within(&self, time: Duration, done: impl Fn(&Table) -> bool) -> bool {
        let began = Instant::now();
        while !done(self) {
            if began.elapsed() >= time {
                return false;
            }
            sleep(Duration::from_millis(30));
        }
        true
    }

    pub fn wait(&self, what: &str, done: impl Fn(&Table) -> bool) {
        if self.within(PATIENCE, done) {
            return;
        }
        let lines: Vec<String> = self.read("log").lines().rev().take(12).map(str::to_owned).collect();
        panic!(
            "{}: no {what}: {} {lines:#?}, board at {:?}, squares {}, seen {:?}",
            self.name,
            self.status(),
            self.origin,
            self.square,
            self.screen.board()
        );
    }

    /// The board is there when it looks the same twice, and its squares are squares.
    fn find_board(&mut self) {
        let began = Instant::now();
        let mut last = None;
        loop {
            let board = self.screen.board();
            if let (Some((left, top, right, bottom)), true) = (board, board == last) {
                let columns = i16::from(self.files + 2 * self.beside);
                let square = (right - left + 2) / columns;
                if square > 20 && (bottom - top + 2) / i16::from(self.ranks) == square {
                    (self.origin, self.square) = ((left, top), square);
                    return;
                }
                // On a busy machine XBoard may open a window that is as wide as the board but shows two ranks of it.
                let height = top + (i16::from(self.ranks) + 1) * square;
                if began.elapsed() > Duration::from_secs(3) && bottom < height - 2 * square {
                    self.screen.stretch(height as u32);
                }
            }
            last = board;
            assert!(began.elapsed() < PATIENCE, "{}: no board: {board:?}", self.name);
            sleep(Duration::from_millis(300));
        }
    }

    fn cell(&self, column: u8, row: u8) -> (i16, i16) {
        let middle = |n: u8| i16::from(n) * self.square + self.square / 2;
        (self.origin.0 + middle(column), self.origin.1 + middle(row))
    }

    pub fn at(&self, (file, rank): (u8, u8)) -> (i16, i16) {
        if self.turned {
            self.cell(self.beside + self.files - 1 - file, rank)
        } else {
            self.cell(self.beside + file, self.ranks - 1 - rank)
        }
    }

    /// Where the only kind of piece in hand lies: its letter's number among all, counted from the person's side.
    pub fn in_hand(&self, number: u8) -> (i16, i16) {
        self.cell(self.files + 2 * self.beside - 1, self.ranks - 1 - number)
    }

    pub fn click(&self, at: (i16, i16)) {
        self.screen.press(at);
        self.screen.release(at);
        sleep(Duration::from_millis(60));
    }

    /// How often XBoard asked which squares to mark.
    fn lifts(&self) -> usize {
        self.read("log").matches(">first : lift ").count()
    }

    /// How often it was answered.
    fn marks(&self) -> usize {
        self.read("log").matches("<first : highlight ").count()
    }

    /// Lifts what is there, and waits until its squares are marked; returns the marks.
    pub fn lift(&self, at: (i16, i16)) -> String {
        let (lifts, marks) = (self.lifts(), self.marks());
        // XBoard may overlook a click that comes as soon as its board is there; a person clicks again.
        for again in [false, true, true, true, true] {
            if again && self.drags {
                self.screen.release(at);
            }
            self.screen.press(at);
            if !self.drags {
                self.screen.release(at);
            }
            if self.within(Duration::from_secs(4), |table| table.lifts() > lifts) {
                break;
            }
        }
        self.wait("marks", |table| table.marks() > marks);
        sleep(Duration::from_millis(120));
        let log = self.read("log");
        log.rsplit_once("<first : highlight ").unwrap().1.lines().next().unwrap().to_owned()
    }

    /// Makes a move.
    pub fn play(&self, session: &dyn Session, info: &MoveInfo) {
        if info.tag == Tag::Place {
            let pictures = games::def(&session.info()).pictures;
            let letters: Vec<char> = pictures.chars().filter(|&letter| letter != '.').collect();
            let number = letters.iter().position(|&letter| letter == 'S').unwrap() as u8;
            for (i, square) in [info.from, info.to].into_iter().enumerate() {
                let marks = self.lift(self.in_hand(number));
                assert_eq!(marks.matches('Y').count(), 10 - i, "{}: {marks}", self.name);
                self.click(self.at(square));
                let plies = |table: &Table| table.read("log").matches("usermove").count();
                self.wait("drop", |table| plies(table) > i);
                sleep(Duration::from_millis(150));
            }
            return;
        }
        let mirror = Mirror::new(session);
        let marks = self.lift(self.at(info.from));
        let others = session.moves_in_full();
        let mut targets: Vec<_> =
            others.iter().filter(|other| other.from == info.from).map(|other| other.to).collect();
        targets.sort_unstable();
        targets.dedup();
        let marked = marks.chars().filter(char::is_ascii_uppercase).count();
        assert_eq!(marked, targets.len(), "{}: {}: {marks}", self.name, info.text);

        let (mut x, mut y) = self.at(info.to);
        if self.drags {
            self.screen.point((x, y));
        } else {
            self.screen.press((x, y));
        }
        sleep(Duration::from_millis(120));
        let choice = Marks::of(&mirror, session, Some(info.from)).choice(info.to);
        if let Some(choice) = choice {
            let letters = choice.trim_start_matches("choice ");
            let word = mirror.word(session, &info.text);
            let piece = mirror.board().at(info.from);
            let wanted = word.chars().next_back().filter(char::is_ascii_alphabetic).unwrap_or(piece);
            if session.info().name == "grand" {
                // XBoard wants a click on a piece beside the board; the place of the pawns means that it stays one.
                self.screen.release((x, y));
                sleep(Duration::from_millis(200));
                let pictures = games::def(&session.info()).pictures.chars().filter(|&letter| letter != '.');
                let number = pictures.take_while(|&letter| letter != wanted.to_ascii_uppercase()).count();
                return self.click(self.in_hand(number as u8));
            }
            // XBoard shows the first, then the others in the order of their pictures.
            let order: Vec<char> = games::def(&session.info())
                .pictures
                .chars()
                .filter(|&letter| letters.contains(letter))
                .collect();
            let place =
                |letter: char| order.iter().position(|&other| other.eq_ignore_ascii_case(&letter)).unwrap();
            let steps = (order.len() + place(wanted) - place(letters.chars().next().unwrap())) % order.len();
            for step in 0..steps {
                x += if step % 2 == 0 { 28 } else { -28 };
                y += 4;
                self.screen.point((x, y));
                sleep(Duration::from_millis(60));
            }
        }
        self.screen.release((x, y));
    }
}

/// Plays a script; returns XBoard's log.
pub fn play(name: &str, script: &Script) -> Option<String> {
    let tools = super::tools()?;
    let table = Table::new(script, name, &tools);
    let mut session = script.session();
    let moves = script.moves();
    for (i, text) in moves.iter().enumerate() {
        let info = session.moves_in_full().into_iter().find(|info| info.text == *text);
        let info = info.unwrap_or_else(|| panic!("{name}: {text} is not legal in {}", session.fen()));
        if session.side() == script.person {
            table.wait("turn", |table| table.status() == format!("turn {i}"));
            sleep(Duration::from_millis(150));
            table.play(&*session, &info);
            table.wait(text, |table| {
                table.status().starts_with("turn ") && table.status() != format!("turn {i}")
            });
        }
        session.play(text).unwrap();
    }
    table.wait("last position", |table| table.read("positions.fen").contains('/'));
    let log = table.read("log");
    for bad in ["llegal", "Error (", "# a fault", "cannot follow", "Bad FEN", "tellusererror"] {
        let line = log.lines().find(|line| line.contains(bad));
        assert_eq!(line, None, "{name}");
    }
    assert!(!table.read("status").contains("wrong"), "{name}: {}", table.read("status"));
    let positions = table.read("positions.fen");
    let position = positions.lines().rfind(|line| line.contains('/')).unwrap();
    same_board(name, &*session, position);
    Some(log)
}

// ---- Between XBoard and the engine --------------------------------------------------------------------------

/// The program that XBoard starts instead of the engine: it relays between both.
pub fn guide() {
    let [folder, engine] =
        ["QUINTAIN_TEST_MOUSE", "QUINTAIN_TEST_ENGINE"].map(|name| std::env::var(name).unwrap());
    let folder = PathBuf::from(folder);
    let script = fs::read_to_string(folder.join("script")).unwrap();
    let mut lines = script.lines();
    let person = if lines.next() == Some("w") { Color::White } else { Color::Black };
    let fen = lines.next().filter(|&fen| fen != "-").map(str::to_owned);
    let moves = lines.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let mut child = Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let session = engine::open("chess").unwrap();
    let mut guide = Guide {
        engine: child.stdin.take().unwrap(),
        status: fs::File::create(folder.join("status")).unwrap(),
        mirror: Mirror::new(&*session),
        session,
        person,
        fen,
        moves,
        next: 0,
    };
    let (events, receiver) = channel();
    let from_engine = events.clone();
    let answers = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in answers.lines().map_while(Result::ok) {
            let _ = from_engine.send(Said::Engine(line));
        }
    });
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            let _ = events.send(Said::Gui(line));
        }
        let _ = events.send(Said::Gui("quit".into()));
    });
    for said in receiver {
        match said {
            Said::Engine(line) => guide.answer(&line),
            Said::Gui(line) => {
                guide.pass_on(&line);
                if line == "quit" {
                    break;
                }
            }
        }
    }
    drop(guide);
    child.wait().unwrap();
}

enum Said {
    Gui(String),
    Engine(String),
}

struct Guide {
    engine: ChildStdin,
    status: fs::File,
    session: Box<dyn Session>,
    mirror: Mirror,
    person: Color,
    fen: Option<String>,
    moves: Vec<String>,
    /// Moves made so far.
    next: usize,
}

/// The pings of the guide are beyond those of XBoard: after a move of the engine, and when the script is done.
const MOVED: &str = "pong 90001";
const DONE: &str = "pong 90002";

impl Guide {
    fn tell(&mut self, line: &str) {
        writeln!(self.engine, "{line}").and_then(|()| self.engine.flush()).unwrap();
    }

    fn note(&mut self, line: &str) {
        writeln!(self.status, "{line}").and_then(|()| self.status.flush()).unwrap();
    }

    fn answer(&mut self, line: &str) {
        if line == MOVED {
            self.tell("force");
            return self.turn();
        }
        if line == DONE {
            println!("1/2-1/2 {{{FINISHED}}}");
            return self.note("turn of nobody");
        }
        match (&self.fen, line.starts_with("setup (")) {
            (Some(fen), true) => {
                let fen = fen.clone();
                let words: Vec<&str> = line.splitn(4, ' ').collect();
                println!("{} {} {} {fen}", words[0], words[1], words[2]);
            }
            _ => println!("{line}"),
        }
    }

    fn pass_on(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "go" => return self.turn(),
            "playother" | "hard" => return,
            _ => self.tell(line),
        }
        match command {
            "new" | "variant" => {
                let game = if command == "new" || rest == "normal" { "chess" } else { rest };
                let fen = self.fen.clone().filter(|_| command == "variant");
                self.session = start(game, fen.as_deref());
                self.mirror = Mirror::new(&*self.session);
                self.tell("force");
                if let Some(fen) = fen {
                    self.tell(&format!("setboard {fen}"));
                }
            }
            "ping" if self.next == 0 && self.person == Color::White => self.turn(),
            "usermove" => self.heard(rest),
            _ => {}
        }
    }

    /// Follows a move of the person as the engine does.
    fn heard(&mut self, text: &str) {
        let ply = self.mirror.numbering().parse(text).unwrap();
        match self.mirror.recognise(&*self.session, &ply, Completion::Allowed) {
            Recognised::Move(text, plies) => {
                for ply in &plies {
                    self.mirror.send(ply);
                }
                self.made(&text);
                self.turn();
            }
            Recognised::Part => self.mirror.send(&Ply::Pass),
            Recognised::Nothing => self.note(&format!("wrong: {text}")),
        }
    }

    fn made(&mut self, text: &str) {
        if self.moves.get(self.next).is_none_or(|wanted| wanted != text) {
            self.note(&format!("wrong: {text}"));
        }
        if self.session.play(text).is_err() {
            self.note(&format!("wrong and illegal: {text}"));
        }
        self.mirror.complete(&*self.session);
        self.next += 1;
    }

    /// The side to move makes the next move, if there is one.
    fn turn(&mut self) {
        let Some(text) = self.moves.get(self.next).cloned() else {
            // Plies that correct the board come first.
            return self.tell(&DONE.replace("pong", "ping"));
        };
        if self.session.side() == self.person {
            return self.note(&format!("turn {}", self.next));
        }
        let word = self.mirror.word(&*self.session, &text);
        // It has no choice, so it need not think.
        self.tell(&format!("sd 1\nexclude all\ninclude {word}\ngo\n{}", MOVED.replace("pong", "ping")));
        if self.mirror.show(&*self.session, &text).is_none() {
            self.note(&format!("wrong: no way to show {text}"));
        }
        self.made(&text);
    }
}
