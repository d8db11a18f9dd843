//! The rules of Super Chess, with and without its set-up phase by example.

use quintain_core::board::geometry::Board10x10;
use quintain_core::board::{Board, Color, Tag};
use quintain_core::notation::{FACINGS, fen};
use quintain_core::rules::{Outcome, Reason, Variant};
use quintain_core::testing::*;
use quintain_superchess::*;

type Game = SuperChess;

/// A position with kings on a10 and j1: ranks 9 to 2 from top to bottom, the rest of the FEN after the placement.
fn with_kings(ranks: &str, rest: &str) -> String {
    format!("k9/{ranks}/9K {rest}")
}

fn is_mate(fen: &str, moves: &str) -> bool {
    outcome_after::<Game>(fen, moves).is_some_and(|end| end.reason == Reason::Checkmate)
}

// ---- The inventor's examples --------------------------------------------------------------------------

#[test]
fn mates_in_three_against_a_side_that_waits() {
    for (line, mated) in [
        (
            "d1d3ne d3e4n e4e7n",
            "rnbckqabnr/ppppsspppp/10/4C5/10/10/10/10/PPPPSSPPPP/RNB1KQABNR b AJaj - 0 1 n,n",
        ),
        (
            "d1d3ne d3e4nw e4b7ne",
            "rnbckqabnr/ppppsspppp/10/1C8/10/10/10/10/PPPPSSPPPP/RNB1KQABNR b AJaj - 0 1 n,ne",
        ),
        ("g1f3 f3d4 d4e6", "rnbckqabnr/ppppsspppp/10/10/4A5/10/10/10/PPPPSSPPPP/RNBCKQ1BNR b AJaj - 0 1 n,n"),
    ] {
        assert!(is_mate(mated, ""), "{mated}");
        // Black waits with a knight, which is back in its place for the third move.
        let [first, second, third]: [&str; 3] =
            line.split(' ').collect::<Vec<_>>().try_into().expect("three moves");
        let end = after::<SuperChessFixed>(
            SuperChessFixed::START,
            &format!("{first} b10a8 {second} a8b10 {third}"),
        );
        assert_eq!(end.outcome(), Some(Outcome { winner: Some(Color::White), reason: Reason::Checkmate }));
        let (reached, printed) = (fen::write(&end), mated.replace(" 0 1 ", " 5 3 "));
        assert_eq!(reached, printed);
    }
}

#[test]
fn diagram_6_a_check_with_one_answer_and_a_mate() {
    let fen = "1k1r6/ppp7/3p6/10/10/7B2/2AC6/10/10/8K1 w - - 0 1 nw";
    let pos = after::<Game>(fen, "c4b6");
    assert_eq!((checkers(&pos).as_str(), moves(&pos, "").as_str()), ("b6", "b10a10"));
    assert!(is_mate(fen, "c4b6 b10a10 d4a7n"));
}

#[test]
fn diagram_7_a_mate_that_some_queen_moves_avoid() {
    let fen = "1k1r6/ppp7/3p6/4s1q3/10/7B2/2AC6/10/10/8K1 w - - 0 1 n";
    assert_eq!(moves(&after::<Game>(fen, "c4b6"), ""), "b10a10");
    assert!(is_mate(fen, "c4b6 b10a10 d4d7e g7g5 d7a7n"));
    let saved = after::<Game>(fen, "c4b6 b10a10 d4d7e g7a1");
    for mv in saved.legal_moves() {
        let mut pos = saved.clone();
        pos.play_unchecked(mv);
        assert_eq!(pos.outcome(), None);
    }
}

#[test]
fn diagram_10_a_run_over_its_own_pawns_gives_check() {
    let fen = "2kr6/pppp2q3/10/2P1PC4/10/10/1B8/10/10/8K1 w - - 0 1 e";
    let pos = after::<Game>(fen, "f7c7n");
    assert_eq!(fen::write(&pos), "2kr6/pppp2q3/10/2C7/10/10/1B8/10/10/8K1 b - - 0 1 n");
    assert_eq!(checkers(&pos), "c7");
}

#[test]
fn diagram_11_a_run_that_takes_a_pawn_and_mates() {
    let fen = "2kr6/pppp6/10/2P1PC4/10/6B3/2R7/10/10/8K1 w - - 0 1 e";
    assert_eq!(
        fen_after::<Game>(fen, "f7c7n c10b10 c7c10w"),
        "1kCr6/pp1p6/10/10/10/6B3/2R7/10/10/8K1 b - - 0 2 w"
    );
    assert!(is_mate(fen, "f7c7n c10b10 c7c10w"));
}

// ---- The set-up phase ---------------------------------------------------------------------------------

#[test]
fn four_plies_set_up_the_game() {
    let array = "rnbckqabnr/PAWNS/10/10/10/10/10/10/HOME/RNBCKQABNR";
    let fen =
        |black: &str, white: &str, rest: &str| array.replace("PAWNS", black).replace("HOME", white) + rest;
    let mut pos = position::<Game>(SuperChess::START);
    for (number, mv, then) in [
        (45, "S@c2,S@h2", fen("10", "PPSPPPPSPP", "[ss] b AJaj - 0 1 ?,?")),
        (45, "S@a9,S@b9", fen("sspppppppp", "PPSPPPPSPP", " w AJaj - 0 2 ?,?")),
        (8, "d1d1ne", fen("sspppppppp", "PPSPPPPSPP", " b AJaj - 0 2 ?,ne")),
        (8, "d10d10s", fen("sspppppppp", "PPSPPPPSPP", " w AJaj - 0 3 s,ne")),
    ] {
        assert_eq!(pos.legal_moves().len(), number, "before {mv}");
        play(&mut pos, mv);
        assert_eq!(fen::write(&pos), then);
    }
}

#[test]
fn why_a_move_is_none_during_the_set_up() {
    let pos = position::<Game>(SuperChess::START);
    let write = "no legal placement; write both squares, files ascending, like S@a2,S@b2";
    assert_eq!(move_error(&pos, "S@h2,S@c2"), write);
    assert_eq!(move_error(&pos, "S@c2"), write);
    let place = "the set-up phase comes first: place both super pawns, files ascending, like S@c2,S@h2";
    assert_eq!(move_error(&pos, "b1c3"), place);
    let pos = after::<Game>(SuperChess::START, "S@c2,S@h2 S@c9,S@h9");
    let face = "the set-up phase comes first: choose the facing of the cyclops, like d1d1ne";
    assert_eq!(move_error(&pos, "c2c4"), face);
    assert_eq!(move_error(&pos, "d1d1"), "add one of: n ne e se s sw w nw");
    assert_eq!(move_error(&pos, "d1d1x"), "'x' is not one of: n ne e se s sw w nw");
    let pos = after::<Game>(SuperChess::START, "S@c2,S@h2 S@c9,S@h9 d1d1n d10d10n");
    assert_eq!(move_error(&pos, "S@c2,S@h2"), "there is no piece to place");
}

#[test]
fn a_fen_of_the_set_up_must_be_reachable() {
    let unreachable =
        |field: &str, what: &str| format!("{field}: not a position of the set-up phase: {what}");
    let pocket = |what: &str| format!("pieces in hand: {what}");
    for (fen, error) in [
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SS] w AJaj - 0 1 ?,?",
            pocket("[SS] is neither [SSss] (White places) nor [ss] (Black places)"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[] w AJaj - 0 1 ?,?",
            pocket("[] is neither [SSss] (White places) nor [ss] (Black places)"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss w AJaj - 0 1 ?,?",
            "placement: '[' without ']' at the end".into(),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] b AJaj - 0 1 ?,?",
            unreachable("side to move", "White is to move in it"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/PPSPPPPSPP/RNBCKQABNR[SSss] w AJaj - 0 1 ?,?",
            unreachable("placement", "no pieces should stand on White's second rank"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[ss] b AJaj - 0 1 ?,?",
            unreachable("placement", "two super pawns and eight pawns should stand on White's second rank"),
        ),
        (
            "rnbckqabnr/pppppppppp/10/10/10/10/10/10/PPSPPPPSPP/RNBCKQABNR w AJaj - 0 2 ?,?",
            unreachable("placement", "two super pawns and eight pawns should stand on Black's second rank"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKAQBNR[SSss] w AJaj - 0 1 ?,?",
            unreachable("placement", "White's first rank is not as at the start"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/N9/10/RNBCKQABNR[SSss] w AJaj - 0 1 ?,?",
            unreachable("placement", "White has pieces beyond its second rank"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] w AJ - 0 1 ?,?",
            unreachable("castling", "all castling rights remain, write AJaj"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] w AJaj - 3 1 ?,?",
            unreachable("halfmove clock", "no move is counted, write 0"),
        ),
        (
            "rnbckqabnr/10/10/10/10/10/10/10/10/RNBCKQABNR[SSss] w AJaj - 0 1 n,n",
            "seventh field: the cyclops on d10 has no facing yet, write ?".into(),
        ),
        (
            "rnbckqabnr/sspppppppp/10/10/10/10/10/10/SSPPPPPPPP/RNBCKQABNR b AJaj - 0 2 ?,?",
            "seventh field: '?' is not a facing (n ne e se s sw w nw)".into(),
        ),
        (
            "k9/10/10/10/10/3C6/10/10/10/9K w - - 0 1 ?",
            unreachable("placement", "White's first rank is not as at the start"),
        ),
    ] {
        assert_eq!(fen_error::<Game>(fen), error, "{fen}");
    }
    assert_eq!(
        fen_error::<SuperChessFixed>(SuperChess::START),
        pocket("this game has no set-up phase, so there are no pieces in hand")
    );
    assert_eq!(
        fen_error::<SuperChessFixed>(&SuperChessFixed::START.replace("n,n", "?,n")),
        "seventh field: this game has no set-up phase, so no facing is left open with ?"
    );
}

// ---- Cyclops ------------------------------------------------------------------------------------------

#[test]
fn forward_a_cyclops_takes_enemies_and_passes_friends() {
    let fen = with_kings("10/10/3r6/3P6/3r6/3C6/10/10", "w - - 7 1 n");
    let pos = position::<Game>(&fen);
    let facings = "e n ne nw s se sw w";
    for target in ["d5", "d7"] {
        assert_eq!(moves(&pos, &format!("d4{target}")), facings);
    }
    assert_eq!(move_error(&pos, "d4d6n"), "a piece of the same side is on d6, where the cyclops would end");
    assert_eq!(
        move_error(&pos, "d4d8n"),
        "the cyclops faces n and goes one to three squares that way or back"
    );
    assert_eq!(fen_after::<Game>(&fen, "d4d7sw"), with_kings("10/10/3C6/3P6/10/10/10/10", "b - - 0 1 sw"));
}

#[test]
fn backward_it_takes_everybody() {
    let fen = with_kings("10/10/10/10/10/3C6/3P6/3r6", "w - - 7 1 n");
    assert_eq!(fen_after::<Game>(&fen, "d4d1e"), "k9/10/10/10/10/10/10/10/10/3C5K b - - 0 1 e");
    // Capturing only own pieces is a capture too.
    assert_eq!(fen_after::<Game>(&fen, "d4d3n"), with_kings("10/10/10/10/10/10/3C6/3r6", "b - - 0 1 n"));
    // Without a capture it is an ordinary move.
    let free = with_kings("10/10/10/10/10/3C6/10/10", "w - - 7 1 n");
    assert_eq!(fen_after::<Game>(&free, "d4d3n"), with_kings("10/10/10/10/10/10/3C6/10", "b - - 8 1 n"));
}

#[test]
fn it_never_runs_over_its_own_king_but_may_pass_it() {
    let behind = position::<Game>("k9/10/10/10/10/10/3C6/10/3K6/10 w - - 0 1 n");
    assert_eq!(moves(&behind, "d4d3").split(' ').count(), 8);
    for target in ["d2", "d1"] {
        let reason = "the cyclops cannot run over its own king";
        assert_eq!(move_error(&behind, &format!("d4{target}n")), reason);
    }
    let ahead = "k9/10/10/10/10/3K6/3C6/10/10/10 w - - 0 1 n";
    assert_eq!(fen_after::<Game>(ahead, "d4d6n"), "k9/10/10/10/3C6/3K6/10/10/10/10 b - - 1 1 n");
}

#[test]
fn it_turns_on_the_spot_to_another_facing() {
    let fen = with_kings("10/10/10/10/10/3C6/10/10", "w - - 7 1 n");
    let pos = position::<Game>(&fen);
    assert_eq!(moves(&pos, "d4d4"), "e ne nw s se sw w");
    assert_eq!(fen_after::<Game>(&fen, "d4d4w"), with_kings("10/10/10/10/10/3C6/10/10", "b - - 8 1 w"));
    assert_eq!(move_error(&pos, "d4d4n"), "'n' is not one of: ne e se s sw w nw");
}

#[test]
fn facings_are_seen_by_the_owner() {
    // Black's east is the a-file.
    let pos = position::<Game>("k9/10/10/10/10/5c4/10/10/10/9K b - - 0 1 e");
    let targets = ["c5", "d5", "e5", "f5", "g5", "h5", "i5"];
    let found = targets.map(|to| moves(&pos, &format!("f5{to}")).split_whitespace().count());
    assert_eq!(found, [8, 8, 8, 7, 8, 8, 8]);
    let pos = position::<Game>("k9/10/10/10/10/5c4/10/10/10/9K b - - 0 1 ne");
    assert_eq!(moves(&pos, "f5e4").split(' ').count(), 8);
}

#[test]
fn its_check_passes_over_everybody_but_its_own_king() {
    let ahead = position::<Game>("10/10/10/3k6/3p6/3P6/3C6/10/10/9K b - - 0 1 n");
    assert_eq!(checkers(&ahead), "d4");
    let behind = position::<Game>("10/10/10/3k6/3p6/3P6/3C6/10/10/9K b - - 0 1 s");
    assert_eq!(checkers(&behind), "d4");
    let own_king_between = position::<Game>("10/10/10/3k6/10/3K6/3C6/10/10/10 b - - 0 1 s");
    assert_eq!(checkers(&own_king_between), "");
    let too_far = position::<Game>("10/10/3k6/10/10/10/3C6/10/10/9K b - - 0 1 n");
    assert_eq!(checkers(&too_far), "");
}

#[test]
fn a_rook_that_is_run_over_loses_its_castling_right() {
    let own = fen_after::<Game>("4k5/10/10/10/10/10/C9/10/10/R3K4R w AJ - 3 1 n", "a4a1n");
    assert_eq!(own, "4k5/10/10/10/10/10/10/10/10/C3K4R b J - 0 1 n");
    let enemy = fen_after::<Game>("r3k4r/10/9C/10/10/10/10/10/10/4K5 w aj - 3 1 n", "j8j10s");
    assert_eq!(enemy, "r3k4C/10/10/10/10/10/10/10/10/4K5 b a - 0 1 s");
    let shot = fen_after::<Game>("r3k4r/10/10/10/A9/10/10/10/10/4K5 w aj - 3 1", "a6a10");
    assert_eq!(shot, "4k4r/10/10/10/A9/10/10/10/10/4K5 b j - 0 1 -");
}

// ---- Archer -------------------------------------------------------------------------------------------

#[test]
fn an_archer_shoots_an_enemy_four_squares_away_and_stays() {
    let fen = "4r4k/10/4P5/10/r3A3P1/10/10/10/4r5/1K8 w - - 7 1";
    let pos = position::<Game>(fen);
    assert_eq!(moves(&pos, "e6"), "a6 c5 c7 d4 d8 e10 e2 f4 f8 g5 g7");
    assert_eq!(fen_after::<Game>(fen, "e6e10"), "9k/10/4P5/10/r3A3P1/10/10/10/4r5/1K8 b - - 0 1 -");
    assert_eq!(move_error(&pos, "e6e9"), "the archer on e6 cannot go to e9");
    assert_eq!(move_error(&pos, "e6i6"), "a piece of the same side is on i6");
    let alone = position::<Game>(&with_kings("10/10/10/4A5/10/10/10/10", "w - - 0 1"));
    assert_eq!(move_error(&alone, "e6e10"), "there is no piece on e10 to shoot");
}

#[test]
fn an_archers_shot_gives_check_over_everybody() {
    let pos = position::<Game>("4k5/4p5/4p5/4P5/4A5/10/10/10/10/K9 b - - 0 1");
    assert_eq!(checkers(&pos), "e6");
}

// ---- Pawns --------------------------------------------------------------------------------------------

#[test]
fn a_super_pawns_double_step_and_captures_leap() {
    let pos = position::<Game>(&with_kings("10/10/10/10/10/n3n5/1nNnnn4/2S1P5", "w - - 0 1"));
    assert_eq!(moves(&pos, "c2"), "a4 b3 c4 d3 e4");
    assert_eq!(moves(&pos, "e2"), "d3 f3");
    let aside = position::<Game>(&with_kings("10/10/10/10/10/10/10/2S1P5", "w - - 0 1"));
    assert_eq!((moves(&aside, "c2").as_str(), moves(&aside, "e2").as_str()), ("c3 c4", "e3 e4"));
    let later = position::<Game>(&with_kings("10/10/10/10/10/2n7/2S7/10", "w - - 0 1"));
    assert_eq!(moves(&later, "c3"), "");
}

#[test]
fn en_passant_after_a_double_step_over_an_empty_square() {
    // Pawns take it one square diagonally, super pawns one or two.
    let fen = with_kings("10/10/10/10/2s7/3p1s4/10/4P5", "w - - 0 1");
    let pos = after::<Game>(&fen, "e2e4");
    assert!(fen::write(&pos).ends_with(" b - e3 0 1 -"));
    assert_eq!(moves(&pos, "c5"), "c4 e3");
    assert_eq!(moves(&pos, "d4"), "d3 e3");
    assert_eq!(moves(&pos, "f4"), "e3 f3");
    assert_eq!(
        fen_after::<Game>(&fen, "e2e4 c5e3"),
        with_kings("10/10/10/10/10/3p1s4/4s5/10", "w - - 0 2 -")
    );
    // A leap over a piece cannot be answered so.
    let leap = with_kings("10/10/10/10/10/3p6/4n5/4S5", "w - - 0 1");
    assert!(fen_after::<Game>(&leap, "e2e4").ends_with(" b - - 0 1 -"));
    // Nor can a single step.
    assert!(fen_after::<Game>(&fen, "e2e3").ends_with(" b - - 0 1 -"));
}

#[test]
fn pawns_promote_to_any_piece_but_king_and_pawns_and_a_cyclops_faces_as_they_like() {
    let fen = "r3k5/1P6S1/10/10/10/10/10/10/10/9K w - - 0 1";
    let pos = position::<Game>(fen);
    let choices = "a b ce cn cne cnw cs cse csw cw n q r";
    assert_eq!(moves(&pos, "b9a10"), choices);
    assert_eq!(moves(&pos, "b9b10"), choices);
    assert_eq!(moves(&pos, "i9i10"), choices);
    let promoted = fen_after::<Game>(fen, "i9i10cse");
    assert!(promoted.starts_with("r3k3C1/1P8/") && promoted.ends_with(" b - - 0 1 se"), "{promoted}");
}

// ---- Castling -----------------------------------------------------------------------------------------

#[test]
fn castling_on_both_sides() {
    let fen = "r3k4r/10/10/10/10/10/10/10/10/R3K4R w AJaj - 3 1";
    for (mv, then) in [
        ("e1c1", "r3k4r/10/10/10/10/10/10/10/10/2KR5R b aj - 4 1 -"),
        ("e1h1", "r3k4r/10/10/10/10/10/10/10/10/R5RK2 b aj - 4 1 -"),
        ("a1a2 e10c10", "2kr5r/10/10/10/10/10/10/10/R9/4K4R w J - 5 2 -"),
        ("a1a2 e10h10", "r5rk2/10/10/10/10/10/10/10/R9/4K4R w J - 5 2 -"),
        ("e1e2", "r3k4r/10/10/10/10/10/10/10/4K5/R8R b aj - 4 1 -"),
        ("a1a10", "R3k4r/10/10/10/10/10/10/10/10/4K4R b Jj - 0 1 -"),
    ] {
        assert_eq!(fen_after::<Game>(fen, mv), then);
    }
    let pos = position::<Game>(fen);
    assert_eq!((san(&pos, "e1c1").as_str(), san(&pos, "e1h1").as_str()), ("O-O", "O-O-O"));
}

#[test]
fn castling_needs_free_and_safe_squares() {
    // What stands on the first rank, where a black rook stands, and which castlings are left.
    for (first, rook, left) in [
        ("R3K4R", 'b', "c h"), // only the rook crosses b1
        ("R3K4R", 'c', "h"),
        ("R3K4R", 'd', "h"),
        ("R3K4R", 'e', ""),
        ("R3K4R", 'f', "c"),
        ("R3K4R", 'g', "c"),
        ("R3K4R", 'h', "c"),
        ("R3K4R", 'i', "c h"), // only the rook crosses i1
        ("RN2K4R", 'j', "h"),
        ("R3K3NR", 'a', "c"),
        ("R3KQ3R", 'j', "c"),
    ] {
        let at = rook as usize - 'a' as usize;
        let run = |n: usize| if n > 0 { n.to_string() } else { String::new() };
        let fen = format!("8k1/10/{}r{}/10/10/10/10/10/10/{first} w AJ - 0 1", run(at), run(9 - at));
        let castlings: Vec<String> = position::<Game>(&fen)
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.tag() == Tag::Castle)
            .map(|mv| Board10x10::geometry().name(mv.to())[..1].to_owned())
            .collect();
        assert_eq!(castlings.join(" "), left, "{fen}");
    }
}

// ---- FEN ----------------------------------------------------------------------------------------------

#[test]
fn facings_stand_in_the_order_of_the_squares() {
    let fen = "k9/10/1C3c4/10/10/c9/10/10/8C1/K9 w - - 0 1 ne,s,w,nw";
    assert_eq!(fen_after::<Game>(fen, ""), fen);
    let pos = position::<Game>(fen);
    let facing = |name: &str| {
        let (square, _) = pos.geometry().read(name).expect("a square");
        FACINGS[pos.piece(square).kind().index() & 7]
    };
    assert_eq!(["b8", "f8", "a5", "i2"].map(facing), ["ne", "s", "w", "nw"]);
    // A hyphen, or nothing, means that all face north.
    let north = fen.replace("ne,s,w,nw", "n,n,n,n");
    assert_eq!(fen_after::<Game>(&fen.replace("ne,s,w,nw", "-"), ""), north);
    assert_eq!(fen_after::<Game>(&fen.replace(" ne,s,w,nw", ""), ""), north);
}

#[test]
fn impossible_facings_are_refused() {
    let fen = |facings: &str| format!("k9/10/1C3c4/10/10/10/10/10/10/K9 w - - 0 1 {facings}");
    for (facings, what) in [
        ("n", "1 facings for 2 cyclopes"),
        ("n,n,n", "3 facings for 2 cyclopes"),
        ("n,x", "'x' is not a facing (n ne e se s sw w nw)"),
        ("n,N", "'N' is not a facing (n ne e se s sw w nw)"),
        ("n,", "'' is not a facing (n ne e se s sw w nw)"),
    ] {
        assert_eq!(fen_error::<Game>(&fen(facings)), format!("seventh field: {what}"));
    }
    let nobody = "k9/10/10/10/10/10/10/10/10/K9 w - - 0 1 n";
    assert_eq!(fen_error::<Game>(nobody), "seventh field: 1 facings for 0 cyclopes");
}

#[test]
fn impossible_castling_rights_are_refused() {
    let fen = |field: &str| format!("r3k5/10/10/10/10/10/10/10/10/4K4R w {field} - 0 1");
    assert!(fen_after::<Game>(&fen("Ja"), "").contains(" w Ja - "));
    for (field, what) in [
        ("A", "'A' needs a rook on a1"),
        ("j", "'j' needs a rook on j10"),
        ("JJ", "'J' is repeated"),
        ("K", "'K' is not one of A J a j"),
        ("J-", "'-' is not one of A J a j"),
    ] {
        assert_eq!(fen_error::<Game>(&fen(field)), format!("castling: {what}"));
    }
    let moved = "r3k5/10/10/10/10/10/10/10/10/5K3R w J - 0 1";
    assert_eq!(fen_error::<Game>(moved), "castling: 'J' needs the king on e1");
}

#[test]
fn impossible_en_passant_squares_are_refused() {
    let fen = |ranks: &str, square: &str| with_kings(ranks, &format!("b - {square} 0 1"));
    let lone = "10/10/10/10/10/4S5/10/10";
    assert!(fen_after::<Game>(&fen(lone, "e3"), "").contains(" e3 "));
    for (ranks, square, what) in [
        (lone, "e4", "no pawn can have passed e4 on the last step of a long move by White"),
        (lone, "e8", "no pawn can have passed e8 on the last step of a long move by White"),
        (lone, "d3", "there is no pawn of White one step beyond d3"),
        (lone, "k3", "'k3' is not a square of the board"),
        ("10/10/10/10/10/4N5/10/10", "e3", "there is no pawn of White one step beyond e3"),
        ("10/10/10/10/10/4s5/10/10", "e3", "there is no pawn of White one step beyond e3"),
        ("10/10/10/10/10/4S5/4n5/10", "e3", "the pawn cannot have come over e3, where a piece stands"),
        ("10/10/10/10/10/4S5/10/4n5", "e3", "the pawn cannot have come over e2, where a piece stands"),
    ] {
        assert_eq!(fen_error::<Game>(&fen(ranks, square)), format!("en passant: {what}"), "{ranks} {square}");
    }
}

#[test]
fn a_fen_has_no_pawn_on_an_edge_rank() {
    for (fen, what) in [
        ("k3P5/10/10/10/10/10/10/10/10/9K", "the pawn on e10 would have promoted there or before"),
        ("k9/10/10/10/10/10/10/10/10/4s4K", "the super pawn on e1 would have promoted there or before"),
        ("k9/10/10/10/10/10/10/10/10/4S4K", "the super pawn on e1 stands on its own first rank"),
        ("k3p5/10/10/10/10/10/10/10/10/9K", "the pawn on e10 stands on its own first rank"),
    ] {
        assert_eq!(fen_error::<Game>(&format!("{fen} w - - 0 1")), format!("placement: {what}"));
    }
}

quintain_core::test_game!(SuperChess, SuperChessFixed);
