//! Every legal move is shown to XBoard, and recognised when it comes from there.

use super::*;
use crate::board::Board;
use quintain_core::board::Tag;
use quintain_engine::{self as engine, FileRank, MoveInfo};
use std::thread;

/// A small generator of numbers, the same ones each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Shows a move and has it recognised: by an engine from what XBoard relays and, as in a match without XBoard, by an
/// engine from its text and by the referee from an engine's commands. All must end with the true board and the same
/// move. Returns the number of plies.
fn check(session: &dyn Session, mirror: &Mirror, text: &str) -> usize {
    let mut after = session.copy();
    after.play(text).unwrap();
    let context = || format!("{} {text}", session.fen());
    let fresh = || Mirror { past: Vec::new(), ..mirror.clone() };
    let mut sender = fresh();
    let script = sender.show(session, text).unwrap_or_else(|| panic!("no script: {}", context()));
    let truth = Board::of(&*after, sender.quirks());
    assert!(sender.board.agrees(&truth), "{}: {script:?} {}", context(), sender.board.placement());
    assert_eq!(sender.side, after.side(), "{}", context());

    let numbering = mirror.numbering;
    let mut board = mirror.board.clone();
    let mut side = session.side();
    let mut relayed = Vec::new();
    for ply in &script {
        relayed.push(relay_text(numbering, &board, ply));
        board = board.after(ply, side, mirror.quirks()).unwrap();
        side = !side;
    }
    let written = script.iter().map(|ply| numbering.word(ply)).collect();
    let commands = |ply| numbering.commands(ply).iter().map(|line| &line["move ".len()..]).collect();
    let commands = script.iter().map(commands).collect();
    for words in [relayed, written, commands] {
        let mut receiver = fresh();
        for (i, word) in words.iter().enumerate() {
            let parsed = numbering.parse(word).unwrap_or_else(|| panic!("{word}: {}", context()));
            let recognised = receiver.recognise(session, &parsed, Completion::Withheld);
            let last = i + 1 == words.len();
            let wanted = if last { Recognised::Move(text.into(), Vec::new()) } else { Recognised::Part };
            assert_eq!(recognised, wanted, "{word}, ply {i} of {script:?}: {}", context());
        }
    }
    script.len()
}

fn play_at_random(game: &str, seed: u64, games: usize, plies: usize) -> Vec<(Tag, usize)> {
    let mut random = Random(seed);
    let mut seen = Vec::new();
    for _ in 0..games {
        let mut session = engine::open(game).unwrap();
        let mut mirror = Mirror::new(&*session);
        for _ in 0..plies {
            let moves = session.moves_in_full();
            if moves.is_empty() {
                break;
            }
            for info in &moves {
                // All unusual moves and some of the others.
                if info.tag != Tag::Plain && random.below(4) == 0 || random.below(16) == 0 {
                    let plies = check(&*session, &mirror, &info.text);
                    if !seen.contains(&(info.tag, plies)) {
                        seen.push((info.tag, plies));
                    }
                }
            }
            // Captures and unusual moves more often than not, so that something happens.
            let lively: Vec<&MoveInfo> =
                moves.iter().filter(|info| info.tag != Tag::Plain || !info.taken.is_empty()).collect();
            let info = if lively.is_empty() || random.below(3) == 0 {
                &moves[random.below(moves.len())]
            } else {
                lively[random.below(lively.len())]
            };
            mirror.show(&*session, &info.text).unwrap();
            session.play(&info.text).unwrap();
            mirror.complete(&*session);
        }
    }
    seen
}

#[test]
fn every_move_is_shown_and_recognised() {
    let games = [
        ("canyon", &[Tag::Swap][..]),
        ("diamond", &[]),
        ("grandcavalier", &[]),
        ("superchess", &[Tag::Place, Tag::Turn, Tag::Charge, Tag::Retreat, Tag::Shot, Tag::LongStep]),
        ("superchessfixed", &[Tag::Turn, Tag::Charge, Tag::Retreat, Tag::LongStep]),
        ("gast", &[Tag::LongStep]),
        ("gast14", &[Tag::LongStep]),
        ("chess", &[Tag::LongStep]),
        ("grand", &[Tag::LongStep]),
    ];
    let check = |game: &str, tags: &[Tag]| {
        let seen = play_at_random(game, 20_251_121, 3, 80);
        for tag in tags {
            assert!(seen.iter().any(|(other, _)| other == tag), "{game}: no {tag:?} among {seen:?}");
        }
    };
    thread::scope(|scope| {
        for (game, tags) in games {
            scope.spawn(move || check(game, tags));
        }
    });
}

fn in_position(game: &str, fen: &str, text: &str) -> usize {
    let mut session = engine::open(game).unwrap();
    session.set_position(Some(fen), &[]).unwrap();
    let mirror = Mirror::new(&*session);
    check(&*session, &mirror, text)
}

#[test]
fn rare_moves_are_shown_and_recognised() {
    // Castling: alone, and with both partners.
    let gast = |rank: &str, castling| format!("6k5/12/12/12/12/12/12/12/12/12/12/{rank} w {castling} - 0 1");
    for (rank, castling, text, plies) in [
        ("R2A2K1A2R", "ADIL", "g1i1", 3),
        ("R2A2K1A2R", "ADIL", "g1e1", 3),
        ("R2A2K1A2R", "ADIL", "g1k1", 5),
        ("R2A2K1A2R", "ADIL", "g1c1", 5),
        ("R5K4R", "AL", "g1k1", 3),
        ("R5K4R", "AL", "g1c1", 3),
        ("R6AK2R", "L", "i1k1", 3),
    ] {
        assert_eq!(in_position("gast", &gast(rank, castling), text), plies, "{text}");
    }
    // The king changes places with an archer that stands where it goes.
    let wide = |rank: &str, castling| format!("6k7/14/14/14/14/14/14/14/14/14/14/{rank} w {castling} - 0 1");
    for (text, plies) in [("g1i1", 3), ("g1e1", 3), ("g1k1", 5), ("g1c1", 5)] {
        assert_eq!(in_position("gast14", &wide("R2A2K3A2R", "ADKN"), text), plies, "{text}");
    }
    let black = "r2a2k1a2r/12/12/12/12/12/12/12/12/12/12/6K5 b adil - 0 1";
    assert_eq!(in_position("gast", black, "g12k12"), 5);
    assert_eq!(in_position("gast", black, "g12c12"), 5);
    // In passing, by one step and by two.
    for (passing, text) in [
        ("6k5/12/12/12/12/pP10/12/12/12/12/12/6K5 w - a8 0 1", "b7a8"),
        ("6k5/12/12/12/12/p11/2P9/12/12/12/12/6K5 w - a8 0 1", "c6a8"),
        ("6k5/12/12/12/12/12/Pp10/12/12/12/12/6K5 b - a5 0 1", "b6a5"),
        ("6k5/12/12/12/12/2p9/P11/12/12/12/12/6K5 b - a5 0 1", "c7a5"),
    ] {
        assert_eq!(in_position("gast", passing, text), 1);
    }
    // A shot.
    let shot = "4k5/10/10/3p6/10/10/10/3A6/10/4K5 w - - 0 1";
    assert_eq!(in_position("superchessfixed", shot, "d3d7"), 1);
    // A cyclops that runs over own pieces must not lose its facing.
    let white = "4k5/10/3C6/3P6/3N6/10/10/10/10/4K5 w - - 0 1 n";
    for facing in ["n", "ne", "e", "s", "nw"] {
        for (to, plies) in [("d7", 1), ("d6", 1), ("d5", 3)] {
            // A piece that keeps its facing needs no letter.
            let plies = if facing == "n" { 1 } else { plies };
            assert_eq!(
                in_position("superchessfixed", white, &format!("d8{to}{facing}")),
                plies,
                "{to}{facing}"
            );
        }
    }
    let black = "4k5/10/10/10/10/3n6/3p6/3c6/10/4K5 b - - 0 1 n";
    for facing in ["n", "ne", "e", "s", "nw"] {
        for (to, plies) in [("d4", 1), ("d5", 1), ("d6", 3)] {
            let plies = if facing == "n" { 1 } else { plies };
            assert_eq!(
                in_position("superchessfixed", black, &format!("d3{to}{facing}")),
                plies,
                "{to}{facing}"
            );
        }
        if facing != "n" {
            assert_eq!(in_position("superchessfixed", black, &format!("d3d3{facing}")), 1);
        }
    }
    // Sideways on an unknown board, where XBoard might capture in passing: two passes come first.
    let mut session = engine::open("diamond").unwrap();
    let lake = "****k****/***1n1***/**5**/*P6*/2N1*4/*3P3*/**5**/***3***/****K**** w - - 0 1";
    session.set_position(Some(lake), &[]).unwrap();
    let script = Mirror::new(&*session).show(&*session, "b6c6").unwrap();
    assert_eq!(script, [Ply::Pass, Ply::Pass, Ply::go((1, 5), (2, 5), None)]);
}

#[test]
fn every_move_is_shown_where_a_cyclops_runs() {
    for fen in [
        "cnb1kqabnr/p1pp1spppp/10/4s5/10/2C7/10/10/P1PPSSPPPP/RNB1KQABNR b AJj - 0 5 w,nw",
        "rnb1kqabnr/ppppc1s1pp/7s2/5p4/10/3C6/10/10/SPSPPPPPPP/RN2KQABNR w AJaj - 0 7 n,nw",
    ] {
        let mut session = engine::open("superchessfixed").unwrap();
        session.set_position(Some(fen), &[]).unwrap();
        for text in session.moves() {
            check(&*session, &Mirror::new(&*session), &text);
        }
    }
}

#[test]
fn people_are_helped_to_complete_a_move() {
    let send = |game: &str, moves: &[&str], fen: Option<&str>| {
        let mut session = engine::open(game).unwrap();
        if let Some(fen) = fen {
            session.set_position(Some(fen), &[]).unwrap();
        }
        let mut mirror = Mirror::new(&*session);
        let mut recognised = Recognised::Nothing;
        for text in moves {
            let ply = mirror.numbering.parse(text).unwrap();
            recognised = mirror.recognise(&*session, &ply, Completion::Allowed);
            if recognised == Recognised::Part {
                mirror.send(&Ply::Pass);
            }
        }
        if let Recognised::Move(text, plies) = &recognised {
            for ply in plies {
                mirror.send(ply);
            }
            session.play(text).unwrap();
            let truth = Board::of(&*session, mirror.quirks());
            assert!(mirror.board.agrees(&truth), "{}", mirror.board.placement());
            assert_eq!(mirror.side, session.side());
        }
        recognised
    };
    let moved = |recognised: Recognised| match recognised {
        Recognised::Move(text, plies) => (text, plies.len()),
        other => panic!("{other:?}"),
    };
    // Two super pawns in any order, and we put the pawns.
    assert_eq!(moved(send("superchess", &["S@c1", "S@h1"], None)), ("S@c2,S@h2".into(), 16));
    assert_eq!(moved(send("superchess", &["S@h1", "S@c1"], None)), ("S@c2,S@h2".into(), 16));
    assert_eq!(send("superchess", &["S@c1"], None), Recognised::Part);
    assert_eq!(send("superchess", &["S@c4"], None), Recognised::Nothing);
    // All castlings, by the king's move, also where its partner stands in the way.
    let fen = "6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 0 1";
    for text in ["g1c1", "g1e1", "g1i1", "g1k1"] {
        assert_eq!(moved(send("gast", &[text], Some(fen))).0, text);
    }
    let fen = "6k7/14/14/14/14/14/14/14/14/14/14/R2A2K3A2R w ADKN - 0 1";
    for text in ["g1c1", "g1e1", "g1i1", "g1k1"] {
        assert_eq!(moved(send("gast14", &[text], Some(fen))).0, text);
    }
    // A shot as if the archer went there; in passing without naming the captured pawn.
    let fen = "4k5/10/10/3p6/10/10/10/3A6/10/4K5 w - - 0 1";
    assert_eq!(moved(send("superchessfixed", &["d2d6"], Some(fen))).0, "d3d7");
    assert_eq!(moved(send("superchessfixed", &["d2d6,d6d2"], Some(fen))), ("d3d7".into(), 0));
    let fen = "4k5/10/10/3pP5/10/10/10/10/10/4K5 w - d8 0 1";
    assert_eq!(moved(send("superchessfixed", &["e6d7"], Some(fen))).0, "e7d8");
    // A cyclops runs over two by its last square alone, turns on the spot, and is dragged without a letter for
    // its facing; the same for Black, whose letters are turned round.
    let white = "4k5/10/10/10/10/3p6/10/3p6/3C6/4K5 w - - 0 1 n";
    let black = "4k5/3c6/3P6/10/3P6/10/10/10/10/4K5 b - - 0 1 n";
    for (fen, word, text) in [
        (white, "d1d4f", "d2d5se"),
        (white, "d1d1i", "d2d2w"),
        (white, "d1d3q", "d2d4n"),
        (black, "d8d5c", "d9d6s"),
        (black, "d8d8h", "d9d9ne"),
        (black, "d8d6q", "d9d7n"),
        // Our own letters, where they are none of XBoard's.
        (white, "d1d3s", "d2d4s"),
        (white, "d1d3w", "d2d4w"),
        (white, "d1d1s", "d2d2s"),
        (black, "d8d6s", "d9d7s"),
        (black, "d8d8w", "d9d9w"),
    ] {
        assert_eq!(moved(send("superchessfixed", &[word], Some(fen))).0, text, "{word}");
    }
}

#[test]
fn what_is_not_legal_is_not_recognised() {
    let session = engine::open("canyon").unwrap();
    let mut mirror = Mirror::new(&*session);
    for text in ["d3d5", "d6d5", "@@@@", "d2d3", "a1a2", "b1b2", "d3d4q", "d3d4,d4d5"] {
        let ply = mirror.numbering.parse(text).unwrap();
        for completion in [Completion::Allowed, Completion::Withheld] {
            assert_eq!(mirror.recognise(&*session, &ply, completion), Recognised::Nothing, "{text}");
        }
    }
    assert_eq!((mirror.plies(), mirror.pending()), (0, 0));
    // From a square to the same is the beginning of nothing.
    for (game, text) in [("superchessfixed", "d0d0q"), ("superchessfixed", "a1a1"), ("grand", "b1b1")] {
        let session = engine::open(game).unwrap();
        let mut mirror = Mirror::new(&*session);
        let ply = mirror.numbering.parse(text).unwrap();
        for completion in [Completion::Allowed, Completion::Withheld] {
            assert_eq!(mirror.recognise(&*session, &ply, completion), Recognised::Nothing, "{game} {text}");
        }
    }
}

/// What XBoard writes to the other engine when it relays a move.
fn relay_text(numbering: Numbering, before: &Board, ply: &Ply) -> String {
    let name = |&square: &FileRank| numbering.name(square);
    match ply {
        Ply::Move { from, via, to, .. } if before.passes_for_castling(ply) => {
            let kill = via.last().unwrap();
            let aside = if from.0 > kill.0 { to.0 + 1 } else { to.0.wrapping_sub(1) };
            let file = b'a'.wrapping_add(aside) as char;
            format!("{}{},{}{file}{}", name(from), name(to), name(kill), &name(to)[1..])
        }
        _ => numbering.word(ply),
    }
}
