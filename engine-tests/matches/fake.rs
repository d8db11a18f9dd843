//! Fake engines, most of them with a fault. This test binary is one of them when it is called with `fake BEHAVIOUR`.

use quintain::board::Color;
use quintain::engine::{self, Session};
use quintain_xboard::text::Numbering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The behaviour of an engine: `random SEED`, `guesses SEED` (it expects that the opponent does the same), `script MOVE[:SCORE]...`, or a fault and the number of the move from
/// which on it shows.
struct Fake {
    behaviour: String,
    arguments: Vec<String>,
    session: Box<dyn Session>,
    /// Questions answered in this game.
    answered: u64,
    /// It was told to ponder: in UCI on the position, in CECP on principle.
    ponders: bool,
    /// `new` in CECP.
    games: u64,
    /// While a position is edited: the rows of the FEN, and whose pieces are being placed.
    edited: Option<(Vec<Vec<char>>, Color)>,
}

/// Runs until the input ends.
pub fn run(arguments: &[String]) {
    let (behaviour, arguments) = arguments.split_first().expect("a behaviour");
    match behaviour.as_str() {
        "child" => breathe(&arguments[0]),
        "with-child" => {
            start_child(&arguments[0]);
            return run(&arguments[1..]);
        }
        "relay" => return relay(&arguments[0], &arguments[1]),
        _ => {}
    }
    let mut fake = Fake {
        behaviour: behaviour.clone(),
        arguments: arguments.to_vec(),
        session: engine::open("chess").expect("chess"),
        answered: 0,
        ponders: false,
        games: 0,
        edited: None,
    };
    if fake.behaviour == "unstartable" {
        eprintln!("a library is missing");
        std::process::exit(4);
    }
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let goes_on =
            if fake.behaviour.starts_with("cecp") { fake.hear_cecp(&words) } else { fake.hear_uci(&words) };
        if !goes_on {
            return;
        }
    }
}

/// Starts a program that holds the pipes of this engine.
#[allow(clippy::zombie_processes, reason = "it is for the match to end it")]
fn start_child(file: &str) {
    let me = std::env::current_exe().expect("a path");
    Command::new(me).args(["fake", "child", file]).spawn().expect("a child");
}

/// Is another engine, and writes to a file what it hears (`> `) and says (`< `).
fn relay(file: &str, program: &str) {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
    let (mut to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let open = || File::options().append(true).create(true).open(file).expect("a file");
    let mut log = open();
    let speaking = std::thread::spawn(move || {
        for line in BufReader::new(from).lines() {
            let line = line.expect("text");
            log.write_all(format!("< {line}\n").as_bytes()).expect("room in the file");
            say(line);
        }
    });
    let mut log = open();
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        log.write_all(format!("> {line}\n").as_bytes()).expect("room in the file");
        writeln!(to, "{line}").expect("an engine that listens");
    }
    drop(to);
    speaking.join().expect("an end");
    child.wait().expect("an end");
}

/// Shows in a file that it still runs, and never ends.
fn breathe(file: &str) -> ! {
    let mut file = File::options().append(true).create(true).open(file).expect("a file");
    loop {
        file.write_all(b".").expect("room in the file");
        sleep(Duration::from_millis(20));
    }
}

fn sleep_for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

fn say(line: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    // A single write, so that two lines arrive together. If the output is closed, the match is over.
    let text = format!("{}\n", line.as_ref());
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

impl Fake {
    fn number(&self) -> u64 {
        self.arguments.first().map_or(0, |text| text.parse().expect("a number"))
    }

    fn hear_uci(&mut self, words: &[&str]) -> bool {
        match words {
            ["uci"] => {
                if self.behaviour == "talkative" {
                    self.talk();
                }
                match self.behaviour.as_str() {
                    "rude" => say("id name Fake \u{1b}]0;rude\u{7}"),
                    behaviour => say(format!("id name Fake {behaviour}")),
                }
                say("option name UCI_Variant type combo default chess var chess");
                say("uciok");
                if self.behaviour == "unread" {
                    sleep_for_ever();
                }
            }
            ["isready"] if self.behaviour == "unready" => {}
            ["isready"] => say("readyok"),
            ["setoption", "name", "UCI_Variant", "value", name] => {
                self.session = engine::open(name).expect("a known game");
            }
            ["ucinewgame"] => self.answered = 0,
            ["position", rest @ ..] => self.set_up(rest),
            ["go", "ponder", ..] => {
                assert!(!std::mem::replace(&mut self.ponders, true), "it ponders already");
            }
            ["ponderhit"] => {
                assert!(self.ponders, "it does not ponder");
                self.answer_uci();
                self.ponders = false;
            }
            ["stop"] if self.ponders => {
                self.ponders = false;
                say("bestmove a1a1");
            }
            ["go", ..] => {
                assert!(!self.ponders, "it still ponders");
                self.answer_uci();
            }
            ["quit"] => return false,
            _ => {}
        }
        true
    }

    fn set_up(&mut self, words: &[&str]) {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let fen = words[..moves].strip_prefix(&["fen"]).map(|fen| fen.join(" "));
        self.session
            .set_position(fen.as_deref(), words.get(moves + 1..).unwrap_or_default())
            .expect("a position");
    }

    /// A legal move that depends only on the position and the seed.
    fn random(&self, seed: u64) -> String {
        let moves = self.session.moves();
        let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
        for byte in self.session.fen().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        moves[((hash >> 20) % moves.len() as u64) as usize].clone()
    }

    fn talk(&self) {
        for number in 0..200 {
            say(format!("info string {number} bestmove e2e4 score cp 5 nodes"));
            say("\u{1b}[31mWelcome\u{7}   to me bestmoves readyok");
            eprintln!("a warning {number}");
        }
        io::stdout().lock().write_all(b"\xff\xfe\x00 no text at all\r\n\n").expect("a pipe");
        say("x".repeat(200_000));
        say("info depth score cp nodes pv");
    }

    fn answer_uci(&mut self) {
        self.answered += 1;
        let due = self.answered > self.number_of_fault();
        match self.behaviour.as_str() {
            "script" => return self.play_script(),
            "hang" if due => return,
            "deaf" if due => sleep_for_ever(),
            "slow" => sleep(Duration::from_millis(self.number())),
            "crash" if due => {
                eprintln!("thread 'main' panicked at a fault");
                std::process::exit(3);
            }
            "rude" => {
                eprintln!("\u{1b}[2J");
                return say("bestmove \u{1b}[31me2e4");
            }
            "illegal" if due => return say("bestmove a1a1"),
            "nothing" if due => return say("bestmove (none)"),
            "empty" if due => return say("bestmove"),
            "twice" if due => return say(format!("bestmove {0}\nbestmove {0}", self.random(0))),
            "babble" if due => loop {
                say("info depth 1 score cp 0 nodes 1 pv a1a1");
            },
            "talkative" => self.talk(),
            _ => {}
        }
        let guesses = self.behaviour == "guesses";
        let seed = if self.behaviour == "random" || guesses { self.number() } else { 0 };
        let best = self.random(seed);
        let score = if self.ponders { PONDERED } else { best.len() as i32 };
        say(format!(
            "info depth 1 seldepth 1 score cp {score} nodes {} time 1 pv {best}",
            10 + self.answered
        ));
        let mut answer = format!("bestmove {best}");
        if guesses {
            self.session.play(&best).expect("a legal move");
            if self.session.outcome().is_none() {
                answer += &format!(" ponder {}", self.random(seed));
            }
        }
        say(answer);
    }

    fn number_of_fault(&self) -> u64 {
        if self.behaviour == "script" { 0 } else { self.number() }
    }

    /// The next move of the script with its score; a random one for `*`, and after its end.
    fn play_script(&self) {
        let item = self.arguments.get(self.answered as usize - 1).map_or("*", String::as_str);
        let (text, score) = item.split_once(':').unwrap_or((item, "0"));
        let text = if text == "*" { self.random(self.answered) } else { text.to_owned() };
        let score = match score.strip_prefix('#') {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {score}"),
        };
        say(format!("info depth {} score {score} nodes 7 pv {text}", self.answered));
        say(format!("bestmove {text}"));
    }

    // A random mover, as `cecp-resigns` for two moves, and as `cecp-resigns-at-once` with the second move. `computer`,
    // `force` and so on are unknown to it. As `cecp-once` it plays one game only. As
    // `cecp-old` it has no `setboard` but `edit`, and refuses every move of the opponent as illegal.
    fn hear_cecp(&mut self, words: &[&str]) -> bool {
        let info = self.session.info();
        let numbering = Numbering::new(info.files, info.ranks);
        let (old, once) = (self.behaviour == "cecp-old", self.behaviour == "cecp-once");
        if self.edited.is_some() {
            self.edit(words, numbering);
            return true;
        }
        match words {
            ["protover", _] if self.behaviour == "cecp-unread" => {
                say("feature ping=1 setboard=1 usermove=1 myname=\"Fake CECP\" done=1");
                sleep_for_ever();
            }
            ["protover", _] if old => say("feature usermove=1 setboard=0 myname=\"Old CECP\" done=1"),
            ["protover", _] => {
                say("feature ping=1 setboard=1 usermove=1 colors=0 san=0 myname=\"Fake CECP\"");
                if once {
                    say("feature reuse=0");
                }
                say("feature variants=\"normal,canyon,grand\" done=1");
            }
            ["name", ..] => panic!("it does not ask for names"),
            ["hard"] => self.ponders = true,
            ["easy"] => self.ponders = false,
            ["new"] => {
                self.games += 1;
                assert!(self.games == 1 || !once, "it plays one game only");
                self.session = engine::open("chess").expect("chess");
                self.answered = 0;
            }
            ["variant", name] => self.session = engine::open(name).expect("a known game"),
            ["edit"] if old => self.edited = Some((rows_of(&self.session.fen()), Color::White)),
            ["option", rest @ ..] if old => say(format!("Error (unknown option): option {}", rest.join(" "))),
            ["setboard", ..] if old => say("Error (unknown command): setboard"),
            ["usermove", text] if old => say(format!("Illegal move: {text}")),
            ["setboard", fen @ ..] => {
                self.session.set_position(Some(&fen.join(" ")), &[]).expect("a position")
            }
            ["ping", number] => say(format!("pong {number}")),
            ["force" | "result", ..] => self.answered = 0,
            ["usermove", text] => {
                if let Err(error) = self.session.play(&numbering.ours(text)) {
                    say(format!("Illegal move ({error}): {text}"));
                } else if self.answered > 0 {
                    self.answer_cecp(numbering);
                }
            }
            ["go"] => self.answer_cecp(numbering),
            ["quit"] => return false,
            _ => {}
        }
        true
    }

    /// A command while a position is edited.
    fn edit(&mut self, words: &[&str], numbering: Numbering) {
        let Some((rows, color)) = &mut self.edited else { return };
        match words {
            ["#"] => rows
                .iter_mut()
                .flatten()
                .filter(|piece| piece.is_alphabetic())
                .for_each(|piece| *piece = EMPTY),
            ["c"] => *color = !*color,
            // The side to move is only known then.
            ["."] => {}
            ["white" | "black"] => {
                let rows: Vec<String> = rows.iter().map(|row| text_of(row)).collect();
                let fen = format!("{} {} - - 0 1", rows.join("/"), &words[0][..1]);
                self.session.set_position(Some(&fen), &[]).expect("a position");
                self.edited = None;
            }
            [placed] => {
                let (piece, square) = placed.split_at(1);
                let ((file, rank), rest) = numbering.read(square).expect("a square");
                assert!(rest.is_empty(), "{placed}");
                let piece = if *color == Color::White { piece.to_owned() } else { piece.to_lowercase() };
                let row = rows.len() - 1 - usize::from(rank);
                rows[row][usize::from(file)] = piece.chars().next().expect("a letter");
            }
            _ => panic!("{words:?}"),
        }
    }

    fn answer_cecp(&mut self, numbering: Numbering) {
        if self.session.outcome().is_some() {
            return;
        }
        self.answered += 1;
        let at_once = self.behaviour == "cecp-resigns-at-once";
        if at_once && self.answered > 2 {
            return;
        }
        if self.behaviour == "cecp-resigns" && self.answered > 2 {
            return say("resign");
        }
        let best = self.random(self.number());
        let score = if self.ponders { PONDERED } else { 12 };
        say(format!("1 {score} 0 {} {}", 10 + self.answered, numbering.show(&best)));
        self.session.play(&best).expect("a legal move");
        say(format!("move {}", numbering.show(&best)));
        if at_once && self.answered == 2 {
            say("resign");
        }
    }
}

/// The score of a move after pondering.
pub const PONDERED: i32 = 77;

const EMPTY: char = '.';

/// The rows of a FEN, with one character for each square.
fn rows_of(fen: &str) -> Vec<Vec<char>> {
    let placement = fen.split(' ').next().expect("a placement");
    let row = |row: &str| {
        let (mut squares, mut number) = (Vec::new(), 0);
        for symbol in row.chars().chain(['/']) {
            match symbol.to_digit(10) {
                Some(digit) => number = 10 * number + digit as usize,
                None => {
                    squares.resize(squares.len() + std::mem::take(&mut number), EMPTY);
                    squares.push(symbol);
                }
            }
        }
        squares.pop();
        squares
    };
    placement.split('/').map(row).collect()
}

/// A row of a FEN.
fn text_of(row: &[char]) -> String {
    let alike = |a: &char, b: &char| *a == EMPTY && *b == EMPTY;
    let text = |squares: &[char]| match squares {
        [EMPTY, ..] => squares.len().to_string(),
        pieces => pieces.iter().collect(),
    };
    row.chunk_by(alike).map(text).collect()
}
