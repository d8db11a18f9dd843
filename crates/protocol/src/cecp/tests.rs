//! Conversations with a GUI.

use super::report::lock;
use super::*;
use quintain_engine::options::most_threads;
use quintain_engine::{self as engine, NAMES};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::JoinHandle;
use std::time::Duration;

/// The GUI's end of a conversation.
struct Gui {
    events: Sender<Event>,
    answers: Receiver<String>,
    served: Option<JoinHandle<()>>,
}

/// Longer than any answer takes, on however slow a machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Gui {
    fn new() -> Gui {
        let (events, receiver) = channel();
        let (out, answers) = channel();
        let out = Mutex::new(out);
        let say: Say = Arc::new(move |line: &str| drop(lock(&out).send(line.to_owned())));
        let xboard = XBoard::new(events.clone(), say).unwrap();
        let served = thread::spawn(move || serve("xboard", &receiver, xboard));
        let gui = Gui { events, answers, served: Some(served) };
        gui.tell(&["protover 2", "memory 4", "new", "random", "level 0 10 0", "easy"]);
        gui.until("feature done=1");
        gui
    }

    fn tell(&self, lines: &[&str]) {
        for line in lines {
            self.events.send(Event::Line((*line).to_owned())).unwrap();
        }
    }

    /// All lines up to one that begins like this, which is the last.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(line) => {
                    lines.push(line);
                    if lines.last().unwrap().starts_with(start) {
                        return lines;
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("nothing like '{start}' after {lines:#?}")
                }
            }
        }
    }

    fn last(&self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    /// All answers to these lines, which need no search.
    fn ask(&self, lines: &[&str]) -> Vec<String> {
        self.tell(lines);
        self.tell(&["ping 4711"]);
        let mut answer = self.until("pong 4711");
        answer.pop();
        answer
    }

    fn fen(&self) -> String {
        let lines = self.ask(&["result * {asked}"]);
        lines.last().unwrap().trim_start_matches("# the last position: ").to_owned()
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        self.tell(&["quit"]);
        let served = self.served.take().unwrap().join();
        assert!(served.is_ok() || thread::panicking());
    }
}

#[test]
fn features_are_told() {
    let gui = Gui::new();
    gui.tell(&["protover 2"]);
    let lines = gui.until("feature done=1");
    assert_eq!(lines[0], "feature done=0");
    assert!(lines.iter().all(|line| line.starts_with("feature ")));
    let variants = lines.iter().find(|line| line.contains("variants=")).unwrap();
    assert!(variants.starts_with("feature variants=\"normal,canyon,diamond,"), "{variants}");
    assert!(lines.contains(&"feature option=\"MultiPV -spin 1 1 500\"".to_owned()));
    assert!(!lines.iter().any(|line| line.contains("Hash -spin")));
}

#[test]
fn every_game_is_described_when_asked_for() {
    let gui = Gui::new();
    for game in NAMES {
        let lines = gui.ask(&["new", "random", &format!("variant {game}"), "force"]);
        let setup = lines.iter().filter(|line| line.starts_with("setup (")).count();
        assert_eq!(setup, usize::from(*game != "chess"), "{lines:?}");
        assert_eq!(gui.fen(), engine::info(game).unwrap().start);
    }
    gui.ask(&["variant 12x12+0_gast"]);
    assert_eq!(gui.fen(), engine::info("gast").unwrap().start);
    assert_eq!(gui.ask(&["variant checkers"]), ["Error (unknown variant): checkers"]);
}

#[test]
fn moves_are_checked_and_unknown_words_are_named() {
    let gui = Gui::new();
    gui.ask(&["force"]);
    assert!(gui.ask(&["usermove e2e4", "usermove e7e5", "g1f3"]).is_empty());
    assert_eq!(
        gui.ask(&["usermove e1e2", "usermove a7a8q", "usermove hello", "usermove @@@@"]),
        [
            "Illegal move (the king on e1 is White's, but Black is to move): e1e2",
            "Illegal move (a piece of the same side is on a8): a7a8q",
            "Illegal move (a move begins with a square of the board): hello",
            "Illegal move (passing is not allowed): @@@@",
        ]
    );
    assert_eq!(
        gui.ask(&["", "jump high", "level", "st x", "sd -1", "time soon", "option Nothing=1", "cores x"]),
        [
            "Error (unknown command): jump high",
            "Error (bad argument): level",
            "Error (bad argument): st x",
            "Error (bad argument): sd -1",
            "Error (bad argument): time soon",
            "Error (no option is called 'Nothing'): option Nothing=1",
            &format!("Error (option Threads: 'x' is not a number from 1 to {}): cores x", most_threads()),
        ]
    );
    // Bounds of ours that no GUI knows.
    let most = most_threads();
    assert_eq!(
        gui.ask(&["memory 0", "cores 100000", "option MultiPV=2"]),
        [
            "# option Hash: 1 instead of 0, the limit here".to_owned(),
            format!("# option Threads: {most} instead of 100000, the limit here")
        ]
    );
    assert!(gui.fen().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"));
    // Ranks from 0 where there are ten of them, in reasons too.
    gui.ask(&["new", "variant grand", "force"]);
    assert_eq!(gui.ask(&["usermove b1b3"]), ["Illegal move (the knight on b1 cannot go to b3): b1b3"]);
    assert!(gui.ask(&["usermove a2a4"]).is_empty());
}

#[test]
fn our_move_comes_before_the_answer_to_a_ping() {
    let gui = Gui::new();
    gui.tell(&["sd 4", "post", "usermove e2e4", "ping 1"]);
    let lines = gui.until("pong 1");
    let places: Vec<usize> = ["1 ", "4 ", "move "]
        .iter()
        .map(|start| {
            lines.iter().position(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{lines:?}"))
        })
        .collect();
    assert!(places.is_sorted(), "{lines:?}");
    let fields: Vec<&str> = lines[places[1]].split('\t').next().unwrap().split(' ').collect();
    assert_eq!(fields.len(), 7, "{lines:?}");
    assert!(fields.iter().all(|field| field.parse::<i64>().is_ok()), "{lines:?}");
    // The other colour, and both colours in turn.
    gui.tell(&["nopost", "go"]);
    gui.last("move ");
    gui.tell(&["force"]);
    gui.tell(&["playother", "ping 2"]);
    assert_eq!(gui.until("pong 2"), ["pong 2"]);
}

/// Whatever takes our move away leaves nothing to wait for: each ping is answered once, in order, and before what
/// follows.
#[test]
fn a_ping_is_answered_when_we_need_not_move_any_more() {
    for command in [
        "new",
        "variant diamond",
        "force",
        "go",
        "playother",
        "setboard 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "undo",
        "remove",
        "analyze",
        "exit",
        "result * {asked}",
        "pause",
    ] {
        let gui = Gui::new();
        gui.tell(&["st 1000", "usermove e2e4", "ping 1", "ping 2", command]);
        assert_eq!(gui.until("pong 2"), ["pong 1", "pong 2"], "{command}");
        gui.ask(&["force"]);
        gui.tell(&["new", "sd 1", "usermove e2e4", "ping 3"]);
        let lines = gui.until("pong");
        assert!(
            lines.len() == 2 && lines[0].starts_with("move ") && lines[1] == "pong 3",
            "{command}: {lines:?}"
        );
    }
}

#[test]
fn we_go_on_after_a_pause() {
    let gui = Gui::new();
    gui.tell(&["sd 60", "post", "usermove e2e4"]);
    gui.until("2 ");
    gui.tell(&["pause", "pause"]);
    assert_eq!(
        gui.ask(&["nopost", "usermove e7e5"]).pop().unwrap(),
        "Illegal move (it is not your turn): e7e5"
    );
    gui.tell(&["resume", "?"]);
    gui.last("move ");
    // What ends the game ends the pause.
    for command in ["result * {asked}", "analyze", "remove"] {
        gui.tell(&["new", "sd 60", "usermove e2e4", "pause", command, "force", "resume", "ping 1"]);
        assert!(!gui.until("pong 1").iter().any(|line| line.starts_with("move ")), "{command}");
    }
}

#[test]
fn the_end_of_the_game_is_told_whoever_brings_it() {
    let gui = Gui::new();
    gui.tell(&["setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "go"]);
    assert!(gui.last("move ").starts_with("move g6"));
    assert_eq!(gui.last("1-0"), "1-0 {White mates}");
    // Asked to play on, we say it again.
    gui.tell(&["go"]);
    gui.last("1-0");
    gui.tell(&["force", "setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "playother", "usermove g6g7"]);
    assert_eq!(gui.last("1-0"), "1-0 {White mates}");
    gui.tell(&["force", "setboard 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "playother", "usermove g5g6"]);
    assert_eq!(gui.last("1/2"), "1/2-1/2 {Stalemate}");
    gui.tell(&["force", "setboard 7k/8/8/8/8/8/1r6/K7 w - - 0 1", "sd 1", "go"]);
    assert_eq!(gui.until("1/2"), ["move a1b2", "1/2-1/2 {Draw by bare kings}"]);
    let shuffle = ["usermove g1f3", "usermove g8f6", "usermove f3g1", "usermove f6g8"];
    gui.ask(&["new", "force"]);
    assert!(gui.ask(&shuffle).is_empty() && gui.ask(&shuffle[..3]).is_empty());
    gui.tell(&["playother", "undo"]);
    gui.tell(&["usermove f3g1", "force", "usermove f6g8", "go"]);
    assert_eq!(gui.last("1/2"), "1/2-1/2 {Draw by repetition}");
}

#[test]
fn an_impossible_position_is_refused_until_another_comes() {
    let gui = Gui::new();
    assert_eq!(
        gui.ask(&["force", "setboard 8/8/8/8/8/8/8/4K3 w - - 0 1", "usermove e1e2", "go"]),
        [
            "tellusererror Illegal position: placement: Black has no king",
            "Illegal move (placement: Black has no king): e1e2"
        ]
    );
    assert!(gui.ask(&["force", "setboard 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "usermove e1e2"]).is_empty());
}

#[test]
fn thinking_can_be_cut_short_and_thrown_away() {
    let gui = Gui::new();
    gui.tell(&["st 1000", "post", "go"]);
    gui.until("3 ");
    gui.tell(&["?"]);
    gui.last("move ");
    gui.tell(&["go", "ping 5"]);
    gui.until("3 ");
    // What comes while we think: told at once, or refused.
    gui.tell(&["usermove e7e5", "hard", "easy", "time 100"]);
    assert_eq!(gui.last("Illegal"), "Illegal move (it is not your turn): e7e5");
    gui.tell(&["force"]);
    let lines = gui.ask(&["nopost"]);
    assert!(!lines.iter().any(|line| line.starts_with("move")), "{lines:?}");
    gui.tell(&["pause", "go"]);
    gui.tell(&["pause", "resume", "?"]);
    gui.last("move ");
}

#[test]
fn what_would_end_the_search_of_a_move_is_set_after_it() {
    let gui = Gui::new();
    // Pondering begins again after these, and not between them.
    gui.tell(&["hard", "st 1000", "post", "go"]);
    gui.until("3 ");
    gui.tell(&[
        "option Clear Hash",
        "option EvalFile=/nowhere",
        "egtpath quintain /nowhere",
        "usermove a7a6",
    ]);
    let lines = gui.until("Illegal");
    assert!(!lines.iter().any(|line| line.starts_with("Error") || line.starts_with("move")), "{lines:?}");
    gui.tell(&["?", "ping 6"]);
    let lines = gui.until("pong 6");
    let told = |start: &str| lines.iter().position(|line| line.starts_with(start));
    assert!(
        told("move ") < told("Error ") && lines.iter().any(|line| line.ends_with("option EvalFile=/nowhere"))
    );
}

#[test]
fn a_search_that_fails_still_moves() {
    let (events, _receiver) = channel();
    let said = Arc::new(Mutex::new(Vec::new()));
    let out = Arc::clone(&said);
    let say: Say = Arc::new(move |line: &str| lock(&out).push(line.to_owned()));
    let mut xboard = XBoard::new(events, say).unwrap();
    xboard.dispatch("variant gast");
    xboard.dispatch("option Hash=1");
    xboard.dispatch("st 1000");
    xboard.dispatch("go");
    let number = xboard.searches;
    xboard.engine.stop();
    xboard.search_done(
        number,
        Found { failed: true, pv: vec![xboard.engine.game().moves()[0].clone()], score: 0 },
    );
    let said = lock(&said);
    assert!(said.iter().any(|line| line.starts_with("# internal error")));
    assert!(said.last().unwrap().starts_with("move "), "{said:?}");
}

#[test]
fn draws_are_accepted_when_we_do_not_stand_better() {
    let gui = Gui::new();
    gui.tell(&["sd 4", "setboard 4k3/8/8/8/8/8/q7/4K2R b - - 0 1", "go"]);
    gui.last("move ");
    assert!(gui.ask(&["draw"]).is_empty());
    gui.tell(&["force", "setboard 4k3/p7/8/8/8/8/Q7/4K3 b - - 0 1", "playother"]);
    gui.tell(&["force", "draw", "go"]);
    assert_eq!(gui.until("offer draw").len(), 1);
    gui.last("move ");
    assert_eq!(gui.ask(&["draw"]), ["offer draw"]);
}

#[test]
fn moves_of_many_plies_are_taken_back_ply_by_ply() {
    let gui = Gui::new();
    gui.tell(&["new", "variant superchess", "level 0 1 0", "sd 1", "go"]);
    let lines = gui.until("move P@j1");
    assert_eq!(lines.iter().filter(|line| *line == "move @@@@").count(), 9, "{lines:?}");
    gui.tell(&["force"]);
    gui.tell(&["undo"; 18]);
    gui.tell(&["undo"]);
    assert_eq!(gui.fen(), engine::info("superchess").unwrap().start);
    gui.tell(&["new", "variant superchess", "sd 1", "go"]);
    gui.until("move P@j1");
    assert_eq!(
        gui.ask(&["remove", "remove"]),
        ["telluser The last move took several steps in XBoard. Take back 9 times more."]
    );
    // A relayed set-up move, with passes as XBoard sends them.
    gui.ask(&["new", "variant superchess", "computer", "force", "usermove S@c1", "go"]);
    let row =
        |row: &str| format!("setboard rnbgkqabnr/10/10/10/10/10/10/10/{row}/RNBCKQABNR[-] w KQkq - 0 2");
    let mut placed = "..S.......".to_owned();
    for (i, text) in
        ["S@h1", "P@a1", "P@b1", "P@d1", "P@e1", "P@f1", "P@g1", "P@i1", "P@j1"].iter().enumerate()
    {
        let shown = placed.chars().map(|piece| if piece == '.' { "1".into() } else { piece.to_string() });
        // Numbers of one digit each are as good as their sum.
        let shown: String = shown.collect::<Vec<String>>().join("");
        let shown = sum(&shown);
        assert!(gui.ask(&[&row(&shown)]).is_empty(), "{i}");
        gui.tell(&[&format!("usermove {text}")]);
        let file = usize::from(text.as_bytes()[2] - b'a');
        placed.replace_range(file..=file, &text[..1]);
    }
    gui.last("move S@");
    (0..8).for_each(|_| drop(gui.last("move P@")));
    assert!(gui.fen().contains("/PPSPPPPSPP/RNBCKQABNR w "));
}

/// Neighbouring ones as one number.
fn sum(row: &str) -> String {
    let mut text = String::new();
    let mut free = 0;
    for symbol in row.chars() {
        if symbol == '1' {
            free += 1;
            continue;
        }
        if free > 0 {
            text += &std::mem::take(&mut free).to_string();
        }
        text.push(symbol);
    }
    if free > 0 { text + &free.to_string() } else { text }
}

#[test]
fn a_person_is_helped_with_a_set_up_move_and_with_castling() {
    let gui = Gui::new();
    gui.tell(&["new", "variant superchess", "sd 1", "usermove S@c1"]);
    assert_eq!(gui.last("move "), "move @@@@");
    gui.tell(&["usermove S@h1"]);
    let lines = gui.until("move P@j1");
    assert_eq!(lines.iter().filter(|line| *line == "move @@@@").count(), 8, "{lines:?}");
    (0..8).for_each(|_| drop(gui.last("move P@")));
    gui.ask(&["new", "variant gast", "sd 1", "force"]);
    gui.tell(&[
        "setboard 6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w KQ - 0 1",
        "playother",
        "usermove g1k1",
    ]);
    let lines = gui.until("move g12");
    assert_eq!(lines[..4], ["move @@@@", "move i1h1", "move @@@@", "move l1j1"]);
}

#[test]
fn analysis_follows_the_board() {
    let gui = Gui::new();
    // What follows is about searches; tables would end them at once.
    gui.tell(&["option TableLimit=0", "post", "analyze"]);
    gui.until("3 ");
    assert!(gui.ask(&["."]).iter().any(|line| line.starts_with("stat01: ") && line.contains(" 20 ")));
    // More lines are shown at once.
    gui.tell(&["option MultiPV=2"]);
    gui.until("1 ");
    gui.until("1 ");
    gui.tell(&["option MultiPV=1", "usermove e2e4"]);
    gui.until("3 ");
    gui.tell(&["usermove e7e6", "undo", "setboard 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"]);
    let line = gui.last("2 100001 ");
    assert!(line.ends_with("\tg1g7"), "{line}");
    // With all moves excluded nothing is searched, so that the next depth 2 is that of the move included.
    gui.tell(&["exclude g1g7", "exclude all", "bk", "include f6f7"]);
    gui.until(" The opening book has no moves here.\n");
    let line = gui.last("2 ");
    assert!(line.contains("\tf6f7"), "{line}");
    assert!(gui.ask(&["exclude a1a1"]).contains(&"Error (no such move): exclude a1a1".to_owned()));
    gui.tell(&["new"]);
    gui.until("2 ");
    gui.tell(&["exit"]);
    let hint = gui.ask(&["nopost", "hint"]).pop().unwrap();
    assert!(hint.starts_with("Hint: ") && hint.len() == 10, "{hint}");
}

#[test]
fn we_think_on_the_opponents_time() {
    let gui = Gui::new();
    gui.tell(&["level 0 0:02 0", "hard", "setboard 7k/7p/5KQ1/8/8/8/8/7R w - - 0 1", "go"]);
    gui.last("move ");
    // Whatever the reply is, expected or not, the game goes on.
    gui.tell(&["new", "hard", "level 0 0:04 0", "post", "usermove e2e4"]);
    for reply in ["g1f3", "f1e2", "e1g1", "d2d3"] {
        gui.last("move ");
        gui.until("1 ");
        assert_eq!(gui.ask(&["time 300"]).iter().filter(|line| line.starts_with("move")).count(), 0);
        gui.tell(&[&format!("usermove {reply}")]);
    }
    gui.last("move ");
    gui.tell(&["hint"]);
    let hint = gui.last("Hint: ");
    let expected = hint.trim_start_matches("Hint: ");
    gui.tell(&["?", &format!("usermove {expected}"), "?"]);
    gui.last("move ");
    gui.tell(&["easy", "force"]);
}

#[test]
fn the_folder_of_endgame_tables_is_that_of_our_format() {
    let gui = Gui::new();
    gui.tell(&["egtpath syzygy nowhere", "egtpath quintain nowhere"]);
    let lines = gui.until("Error");
    let error = lines.last().unwrap();
    assert!(error.starts_with("Error (option TablePath: cannot read 'nowhere': "), "{error}");
    assert!(error.ends_with("): egtpath quintain nowhere") && lines.len() == 1, "{lines:?}");
}
