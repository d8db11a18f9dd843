//! The rules of Diamond Chess by example.

use quintain_core::testing::*;
use quintain_diamond::*;

/// The position with these ranks 2 to 8 between the kings on e9 and e1.
fn between_kings(ranks: &str, side: char) -> String {
    format!("****k****/{ranks}/****K**** {side} - - 7 1")
}

#[test]
fn a_pawn_with_no_square_ahead_steps_sideways() {
    // Below the lake, with and without neighbours; at the left corner; on the slope.
    let lake = position::<Diamond>(&between_kings("***3***/**5**/*7*/4*4/*3P3*/**5**/***3***", 'w'));
    assert_eq!(moves(&lake, "e4"), "d4 f4");
    let beside = position::<Diamond>(&between_kings("***3***/**5**/*7*/4*4/*3PN2*/**5**/***3***", 'w'));
    assert_eq!(moves(&beside, "e4"), "d4");
    let edge = position::<Diamond>(&between_kings("***3***/**4P**/*7*/P3*4/*7*/**5**/***3***", 'w'));
    assert_eq!((moves(&edge, "a5").as_str(), moves(&edge, "g7").as_str()), ("b5", "f7"));
    // Black's pawns go down: above the lake, and past it.
    let black = position::<Diamond>(&between_kings("***3***/**5**/*3p3*/3p*4/*7*/**5**/***3***", 'b'));
    assert_eq!((moves(&black, "e6").as_str(), moves(&black, "d5").as_str()), ("d6 f6", "d4"));
}

#[test]
fn a_piece_ahead_gives_no_sideways_step() {
    let pos = position::<Diamond>(&between_kings("***3***/**5**/*7*/3n*4/*2P4*/**5**/***3***", 'w'));
    assert_eq!(moves(&pos, "d4"), "");
    let reason = "a pawn steps sideways only where the board ends ahead, and d5 is on the board";
    assert_eq!(move_error(&pos, "d4c4"), reason);
    assert_eq!(move_error(&pos, "d4d5"), "the pawn is blocked by the piece on d5");
}

#[test]
fn the_sideways_step_captures_nothing_and_is_irreversible() {
    let fen = between_kings("***3***/**5**/*7*/4*4/*2nP3*/**5**/***3***", 'w');
    let reason = "a pawn's sideways step captures nothing, and d4 is occupied";
    assert_eq!(move_error(&position::<Diamond>(&fen), "e4d4"), reason);
    assert_eq!(
        fen_after::<Diamond>(&fen, "e4f4"),
        "****k****/***3***/**5**/*7*/4*4/*2n1P2*/**5**/***3***/****K**** b - - 0 1"
    );
}

#[test]
fn pawns_capture_diagonally_past_the_lake() {
    let pos = position::<Diamond>(&between_kings("***3***/**5**/*7*/3n*r3/*3P3*/**5**/***3***", 'w'));
    assert_eq!(moves(&pos, "e4"), "d4 d5 f4 f5");
}

#[test]
fn pawns_always_promote_where_the_opponents_pieces_started() {
    let white = "****1****/***1r1***/**1P3**/*1k1P3*/4*4/*7*/**5**/***3***/****K**** w - - 0 1";
    let pos = position::<Diamond>(white);
    assert_eq!(moves(&pos, "d7"), "d8a d8n d8r d8v e8a e8n e8r e8v");
    assert_eq!(moves(&pos, "e6"), "e7a e7n e7r e7v");
    let black = "****k****/***3***/**5**/*7*/4*4/*1K1p3*/**1p3**/***1R1***/****1**** b - - 0 1";
    let pos = position::<Diamond>(black);
    assert_eq!(moves(&pos, "d3"), "d2a d2n d2r d2v e2a e2n e2r e2v");
    assert_eq!(moves(&pos, "e4"), "e3a e3n e3r e3v");
}

#[test]
fn a_fen_has_no_pawn_where_it_would_have_promoted() {
    let promoted = |square| format!("placement: the pawn on {square} would have promoted there or before");
    for (ranks, square) in [
        ("***P2***/**5**/*7*/4*4/*7*/**5**/***3***", "d8"),
        ("***1P1***/**5**/*7*/4*4/*7*/**5**/***3***", "e8"),
        ("***2P***/**5**/*7*/4*4/*7*/**5**/***3***", "f8"),
        ("***3***/**2P2**/*7*/4*4/*7*/**5**/***3***", "e7"),
        ("***3***/**5**/*7*/4*4/*7*/**2p2**/***3***", "e3"),
        ("***3***/**5**/*7*/4*4/*7*/**5**/***p2***", "d2"),
        ("***3***/**5**/*7*/4*4/*7*/**5**/***1p1***", "e2"),
        ("***3***/**5**/*7*/4*4/*7*/**5**/***2p***", "f2"),
    ] {
        assert_eq!(fen_error::<Diamond>(&between_kings(ranks, 'w')), promoted(square));
    }
    for (tops, square) in [(["P", "1"], "e9"), (["1", "p"], "e1")] {
        let [top, bottom] = tops;
        let fen =
            format!("****{top}****/***3***/**k4**/*7*/4*4/*7*/**4K**/***3***/****{bottom}**** w - - 0 1");
        assert_eq!(fen_error::<Diamond>(&fen), promoted(square));
    }
    for (tops, square) in [(["p", "1"], "e9"), (["1", "P"], "e1")] {
        let [top, bottom] = tops;
        let fen =
            format!("****{top}****/***3***/**k4**/*7*/4*4/*7*/**4K**/***3***/****{bottom}**** w - - 0 1");
        assert_eq!(
            fen_error::<Diamond>(&fen),
            format!("placement: the pawn on {square} stands on its own first rank")
        );
    }
    // Where the pieces of its own side started it may stand.
    position::<Diamond>(&between_kings("***p2***/**5**/*7*/4*4/*7*/**2P2**/***P2***", 'w'));
}

quintain_core::test_game!(Diamond);
