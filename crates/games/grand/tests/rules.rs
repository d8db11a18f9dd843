//! The rules of Grand Chess by example.

use quintain_core::notation::fen;
use quintain_core::testing::*;
use quintain_grand::*;

#[test]
fn a_pawn_may_promote_on_its_eighth_and_ninth_rank_and_must_on_the_tenth() {
    let pos = position::<Grand>("10/3P6/5P4/k6P2/10/10/9K/10/10/10 w - - 0 1");
    let choices = "a b c n q r";
    assert_eq!(moves(&pos, "h7"), "h8 h8a h8b h8c h8n h8q h8r");
    assert_eq!(moves(&pos, "f8"), "f9 f9a f9b f9c f9n f9q f9r");
    assert_eq!(moves(&pos, "d9d10"), choices);
    assert_eq!(move_error(&pos, "d9d10"), "add one of: q c a r b n");
    let black = position::<Grand>("10/10/10/k9/10/10/2p6K/10/10/10 b - - 0 1");
    assert_eq!(moves(&black, "c4"), "c3 c3a c3b c3c c3n c3q c3r");
}

#[test]
fn it_becomes_only_what_its_side_has_lost() {
    let pos = position::<Grand>("10/3P6/10/4k2P2/10/10/9K/10/1NBQ1CABN1/R8R w - - 0 1");
    assert_eq!((moves(&pos, "d9").as_str(), moves(&pos, "h7").as_str()), ("", "h8"));
    let reason =
        "no piece of that side has been captured, so the pawn cannot promote and may not enter the last rank";
    assert_eq!(move_error(&pos, "d9d10"), reason);
    let pos = position::<Grand>("10/3P6/10/4k2P2/10/10/9K/10/1NB2CABN1/R9 w - - 0 1");
    assert_eq!((moves(&pos, "d9").as_str(), moves(&pos, "h7").as_str()), ("d10q d10r", "h8 h8q h8r"));
    // It attacks the last rank all the same.
    let pos = position::<Grand>("4k5/3P6/10/10/10/10/9K/10/1NBQ1CABN1/R8R b - - 0 1");
    assert_eq!(checkers(&pos), "d9");
}

#[test]
fn en_passant_after_a_double_step_from_the_third_rank() {
    let fen = "10/10/10/k9/10/3p6/9K/2P7/10/10 w - - 0 1";
    let pos = after::<Grand>(fen, "c3c5");
    assert!(fen::write(&pos).ends_with(" b - c4 0 1"));
    assert_eq!(moves(&pos, "d5"), "c4 d4");
    assert_eq!(fen_after::<Grand>(fen, "c3c5 d5c4"), "10/10/10/k9/10/10/2p6K/10/10/10 w - - 0 2");
    assert!(fen_after::<Grand>(fen, "c3c4").ends_with(" b - - 0 1"));
}

#[test]
fn impossible_positions_are_refused() {
    for (fen, error) in [
        (
            "10/10/10/k9/10/2P7/9K/10/10/10 b - c5 0 1",
            "en passant: no pawn can have passed c5 on the last step of a long move by White",
        ),
        (
            "10/10/10/k9/10/2P7/9K/10/10/10 b - d4 0 1",
            "en passant: there is no pawn of White one step beyond d4",
        ),
        (
            "10/10/10/k9/10/2P7/9K/2N7/10/10 b - c4 0 1",
            "en passant: the pawn cannot have come over c3, where a piece stands",
        ),
        ("10/10/10/k9/10/10/9K/10/10/10 w KQ - 0 1", "castling: this game has no castling rights, write -"),
        (
            "2P7/10/10/k9/10/10/9K/10/10/10 w - - 0 1",
            "placement: the pawn on c10 would have promoted there or before",
        ),
        (
            "10/10/10/k9/10/10/9K/10/10/2P7 w - - 0 1",
            "placement: the pawn on c1 stands on its own first rank",
        ),
    ] {
        assert_eq!(fen_error::<Grand>(fen), error);
    }
    // On its eighth and ninth rank a pawn may have stayed one.
    position::<Grand>("10/2P7/2P7/k9/10/10/9K/10/10/10 w - - 0 1");
}

quintain_core::test_game!(Grand);
