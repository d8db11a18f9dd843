//! Games of unusual moves. XBoard starts this test program instead of the engine; see [`relay`].

use super::{FINISHED, play, replay, same_board};
use quintain::board::{Color, Tag};
use quintain::engine::{self, MoveInfo, Session};
use quintain_xboard::mirror::{Completion, Mirror, Recognised};
use quintain_xboard::text::Ply;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A small random generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// What is unusual about a move, if anything. Each is tested once for each colour.
fn unusual(mirror: &Mirror, side: Color, info: &MoveInfo) -> Option<String> {
    let number = info.taken.len();
    let is_friend =
        |&place: &(u8, u8)| mirror.board().at(place).is_ascii_uppercase() == (side == Color::White);
    let what = match info.tag {
        Tag::Castle => format!("{:?}", info.partners),
        Tag::Turn | Tag::Place => info.suffix.clone(),
        Tag::Charge | Tag::Retreat => {
            format!("takes {number}, friends {}", info.taken.iter().filter(|place| is_friend(place)).count())
        }
        Tag::EnPassant => format!("{} over {} files", info.piece, info.from.0.abs_diff(info.to.0)),
        Tag::Plain if !info.suffix.is_empty() => format!("becomes {}", info.suffix),
        Tag::Plain if info.piece.eq_ignore_ascii_case(&'p') && info.from.1 == info.to.1 => "aside".into(),
        Tag::Plain => return None,
        _ => info.piece.to_string(),
    };
    Some(format!("{side} {:?} {what}", info.tag))
}

/// The same moves for White and Black in turn.
fn both_colours(ranks: u8, moves: &str) -> String {
    let turned = |text: &str| {
        let (mut turned, mut rest) = (String::new(), text);
        while let Some(c) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            match rest[..digits].parse::<u8>() {
                Ok(rank) => turned += &(ranks + 1 - rank).to_string(),
                Err(_) => turned.push(c),
            }
            rest = &rest[digits.max(1)..];
        }
        turned
    };
    moves.split(' ').map(|text| format!("{text} {}", turned(text))).collect::<Vec<_>>().join(" ")
}

/// Games with moves that are rare in random games.
fn prepared(variant: &str) -> Vec<String> {
    let ranks = engine::info(variant).unwrap().ranks;
    let (paired, single): (&[&str], &[&str]) = match variant {
        "chess" => (
            &["e2e4 g1f3 f1e2 e1g1", "d2d4 c1f4 b1c3 d1d2 e1c1"],
            &["e2e4 a7a6 e4e5 d7d5 e5d6", "a2a3 e7e5 a3a4 e5e4 d2d4 e4d3"],
        ),
        "grand" => (&[], &["e3e5 a8a7 e5e6 d8d6 e6d7", "a3a4 e8e6 a4a5 e6e5 d3d5 e5d4"]),
        // Castling with both, with the archer and then the rook, with the rook alone; to either side.
        "gast" => (
            &[
                "g2g3 h1g2 j1i3 k1l3 g1k1",
                "g2g3 h1g2 g1i1 j1i3 k1l3 i1k1",
                "g2g3 h1g2 i1h3 j1i3 k1l3 g1k1",
                "g2g3 f1g2 f2f3 e1f2 c1d3 b1a3 g1c1",
                "g2g3 f1g2 f2f3 e1f2 g1e1 c1d3 b1a3 e1c1",
                "g2g3 f1g2 f2f3 e1f2 d1e3 c1d3 b1a3 g1c1",
            ],
            &[
                "l2l3 b11b7 l3l4 b7b6 a2a6 b6a5",
                "l2l3 c11c7 a2a6 c7a5",
                "b2b6 l11l10 b6b7 a11a7 b7a8",
                "c2c6 a11a7 c6a8",
            ],
        ),
        "gast14" => (
            &[
                "g2g3 h1g2 i2i3 i1i2 k2k3 j1k2 l1m3 m1n3 g1k1",
                "g2g3 h1g2 i2i3 i1i2 k2k3 j1k2 g1i1 l1m3 m1n3 i1k1",
                "g2g3 h1g2 i2i3 i1i2 k2k3 j1k2 k1j3 l1m3 m1n3 g1k1",
                "g2g3 f1g2 f2f3 e1f2 c1d3 b1a3 g1c1",
                "g2g3 f1g2 f2f3 e1f2 g1e1 c1d3 b1a3 e1c1",
                "g2g3 f1g2 f2f3 e1f2 d1e3 c1d3 b1a3 g1c1",
            ],
            &["n2n3 c11c7 a2a6 c7a5", "b2b6 n11n10 b6b7 a11a7 b7a8"],
        ),
        // Castling; a cyclops that runs back over one and two own pieces; shots; en passant.
        "superchess" | "superchessfixed" => (
            &[
                "d2d3 c1d2 b1a3 d1d4n e1c1",
                "g2g3 h1g2 i1j3 f2f4 g1f3 f1f2 e1h1",
                "d1d4n d4d1ne",
                "d1d4n d4d1n",
                "d2d3 c1d2 d1d4n d4d1se",
                "d2d3 c1d2 d1d4nw d4d4n d4d1w",
            ],
            &[
                "g1h3 h9h7 h3h7",
                "h2h4 g10h8 j2j3 h8h4",
                "e2e4 j9j8 e4e5 j8j7 e5e6 c9c7 e6c8",
                "j2j3 e9e7 j3j4 e7e6 j4j5 e6e5 c2c4 e5c3",
                "d2d4 j9j8 d4d5 j8j7 d5d6 j7j6 d6d7 c9c7 d7c8",
                "j2j3 d9d7 j3j4 d7d6 j4j5 d6d5 j5j6 d5d4 c2c4 d4c3",
            ],
        ),
        _ => (&[], &[]),
    };
    let start = if variant == "superchess" { "S@e2,S@f2 S@e9,S@f9 d1d1n d10d10n " } else { "" };
    let paired = paired.iter().map(|moves| both_colours(ranks, moves));
    paired
        .chain(single.iter().map(|&moves| moves.to_owned()))
        .map(|moves| format!("{start}{moves}"))
        .collect()
}

/// Plays moves given as text and records what is unusual about them.
fn note(name: &str, variant: &str, moves: &[String], seen: &mut BTreeSet<String>) {
    let mut session = engine::open(variant).unwrap();
    for text in moves {
        let mirror = Mirror::new(&*session);
        let side = session.side();
        let info = session.play(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        seen.extend(unusual(&mirror, side, &info));
    }
    assert_eq!(session.outcome(), None, "{name}: over after {moves:?}");
}

/// A random game that prefers new kinds of moves, up to the last of these.
fn at_random(variant: &str, random: &mut Random, plies: usize, seen: &mut BTreeSet<String>) -> Vec<String> {
    let mut session = engine::open(variant).unwrap();
    let (mut moves, mut useful) = (Vec::new(), 0);
    while moves.len() < plies {
        let mirror = Mirror::new(&*session);
        let side = session.side();
        let mut choice = session.moves_in_full();
        // The game must not end.
        choice.retain(|info| {
            session.play(&info.text).unwrap();
            let over = session.outcome().is_some();
            session.undo();
            !over
        });
        if choice.is_empty() {
            break;
        }
        let new = |info: &&MoveInfo| unusual(&mirror, side, info).is_some_and(|what| !seen.contains(&what));
        let lively = |info: &&MoveInfo| !info.taken.is_empty() || unusual(&mirror, side, info).is_some();
        let pool: Vec<&MoveInfo> = choice.iter().filter(new).collect();
        let pool = if pool.is_empty() && random.below(2) == 0 {
            choice.iter().filter(lively).collect()
        } else {
            pool
        };
        let pool = if pool.is_empty() { choice.iter().collect() } else { pool };
        let info = pool[random.below(pool.len())].clone();
        session.play(&info.text).unwrap();
        moves.push(info.text.clone());
        if let Some(what) = unusual(&mirror, side, &info)
            && seen.insert(what)
        {
            useful = moves.len();
        }
    }
    moves.truncate(useful);
    moves
}

/// Games with all unusual moves, for both colours.
fn scripts(variant: &str) -> (Vec<Vec<String>>, BTreeSet<String>) {
    let mut seen = BTreeSet::new();
    let mut scripts = Vec::new();
    for moves in prepared(variant) {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        note(variant, variant, &moves, &mut seen);
        scripts.push(moves);
    }
    let mut random = Random(20_251_121);
    for _ in 0..RANDOM_GAMES {
        let moves = at_random(variant, &mut random, RANDOM_PLIES, &mut seen);
        if !moves.is_empty() {
            scripts.push(moves);
        }
    }
    // A game without anything unusual is better than none.
    if scripts.is_empty() {
        scripts.push(engine::open(variant).unwrap().moves().into_iter().take(1).collect());
    }
    (scripts, seen)
}

const RANDOM_GAMES: usize = 6;
const RANDOM_PLIES: usize = 100;

/// The moves that must be tested for both colours.
fn required(variant: &str) -> &'static [Tag] {
    match variant {
        "canyon" => &[Tag::Swap],
        "superchess" => &[
            Tag::Place,
            Tag::Turn,
            Tag::Charge,
            Tag::Retreat,
            Tag::Shot,
            Tag::Castle,
            Tag::EnPassant,
            Tag::LongStep,
        ],
        "superchessfixed" => {
            &[Tag::Turn, Tag::Charge, Tag::Retreat, Tag::Shot, Tag::Castle, Tag::EnPassant, Tag::LongStep]
        }
        "gast" | "gast14" | "chess" => &[Tag::Castle, Tag::EnPassant, Tag::LongStep],
        "grand" => &[Tag::EnPassant, Tag::LongStep],
        _ => &[],
    }
}

pub fn unusual_moves(variant: &str, name_for_xboard: &str) {
    let (scripts, seen) = scripts(variant);
    for side in Color::BOTH {
        for tag in required(variant) {
            let start = format!("{side} {tag:?} ");
            assert!(seen.iter().any(|what| what.starts_with(&start)), "{variant}: no {start}");
        }
    }
    let name = format!("{variant}-unusual");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.script"));
    let lines: Vec<String> = scripts.iter().map(|moves| moves.join(" ")).collect();
    fs::write(&file, lines.join("\n")).unwrap();
    let relay = format!("{} relay", std::env::current_exe().unwrap().display());
    let Some(record) = play(&name, name_for_xboard, scripts.len(), &relay, "-depth 1", Some(&file)) else {
        return;
    };
    assert_eq!(record.games.len(), scripts.len(), "{name}");
    assert_eq!(record.positions.len(), scripts.len(), "{name}");
    for (i, (script, game)) in scripts.iter().zip(&record.games).enumerate() {
        let name = format!("{name}, game {}", i + 1);
        assert!(game.claims.iter().all(|claim| claim.contains(FINISHED)), "{name}: {:?}", game.claims);
        let session = replay(&name, variant, &game.sent);
        let played: Vec<String> = session.played().into_iter().map(|(text, _)| text).collect();
        assert_eq!(played, *script, "{name}");
        same_board(&name, &*session, &record.positions[i]);
        for end in &game.ends {
            assert_eq!(*end, session.fen(), "{name}: an engine ended elsewhere");
        }
    }
}

/// The program that XBoard starts instead of the engine: it relays between both.
pub fn relay() {
    let [script, engine] =
        ["QUINTAIN_TEST_SCRIPT", "QUINTAIN_TEST_ENGINE"].map(|name| std::env::var(name).unwrap());
    let script = fs::read_to_string(script).unwrap();
    let games = script.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    let mut child = Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut relay = Relay::new(games, child.stdin.take().unwrap());
    let answers = BufReader::new(child.stdout.take().unwrap());
    let answers = std::thread::spawn(move || {
        for line in answers.lines().map_while(Result::ok) {
            println!("{line}");
        }
    });
    for line in std::io::stdin().lines().map_while(Result::ok) {
        relay.pass_on(&line);
        if line == "quit" {
            break;
        }
    }
    drop(relay);
    child.wait().unwrap();
    answers.join().unwrap();
}

/// Relays commands of XBoard, but leaves the engine only the move of the script.
struct Relay {
    games: Vec<Vec<String>>,
    engine: std::process::ChildStdin,
    game: usize,
    session: Box<dyn Session>,
    mirror: Mirror,
    /// The colour of the engine.
    color: Option<Color>,
}

impl Relay {
    fn new(games: Vec<Vec<String>>, engine: std::process::ChildStdin) -> Relay {
        let session = engine::open("chess").unwrap();
        Relay { games, engine, game: 0, mirror: Mirror::new(&*session), session, color: None }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.engine, "{line}").and_then(|()| self.engine.flush()).unwrap();
    }

    fn open(&mut self, variant: &str) {
        self.session = engine::open(variant).unwrap();
        self.mirror = Mirror::new(&*self.session);
    }

    fn pass_on(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "go" => {
                self.color = Some(self.mirror.side());
                return self.think();
            }
            "usermove" => self.tell("force"),
            _ => {}
        }
        self.tell(line);
        match command {
            "new" => self.open("chess"),
            "variant" => self.open(rest),
            "force" => self.color = None,
            "result" => {
                self.color = None;
                self.game += 1;
            }
            "setboard" if self.mirror.pending() > 0 => {
                self.mirror.recognise(&*self.session, &Ply::Pass, Completion::Withheld);
            }
            "usermove" => {
                let ply = self.mirror.numbering().parse(rest).unwrap();
                if let Recognised::Move(text, _) =
                    self.mirror.recognise(&*self.session, &ply, Completion::Withheld)
                {
                    self.session.play(&text).unwrap();
                    self.mirror.complete(&*self.session);
                }
                self.think();
            }
            _ => {}
        }
    }

    fn think(&mut self) {
        if self.color != Some(self.session.side()) || self.mirror.pending() > 0 {
            return;
        }
        let played = self.session.played().len();
        let Some(text) = self.games.get(self.game).and_then(|moves| moves.get(played)).cloned() else {
            return println!("1/2-1/2 {{{FINISHED}}}");
        };
        let word = self.mirror.word(&*self.session, &text);
        for line in ["exclude all".into(), format!("include {word}"), "go".into()] {
            self.tell(&line);
        }
        self.mirror.show(&*self.session, &text).unwrap();
        self.session.play(&text).unwrap();
        self.mirror.complete(&*self.session);
    }
}
