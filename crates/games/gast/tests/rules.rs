//! The rules of Gast's Chess on both boards by example.

use quintain_core::board::Tag;
use quintain_core::notation::Notation;
use quintain_core::notation::fen;
use quintain_core::testing::*;
use quintain_gast::*;

/// A position on 12x12 with Black's king on g12, White's first rank as given, and Black's rook on rank 6 if a file
/// is given.
fn castling(first: &str, rook: Option<char>, rest: &str) -> String {
    let run = |n: usize| if n > 0 { n.to_string() } else { String::new() };
    let rank = rook.map_or("12".into(), |file| {
        let at = file as usize - 'a' as usize;
        format!("{}r{}", run(at), run(11 - at))
    });
    format!("6k5/12/12/12/12/12/{rank}/12/12/12/12/{first} w {rest}")
}

/// The squares to which the white king castles.
fn castles<V: Notation>(fen: &str) -> String {
    let pos = position::<V>(fen);
    let castles = pos.legal_moves().into_iter().filter(|mv| mv.tag() == Tag::Castle);
    let mut names: Vec<String> = castles.map(|mv| pos.geometry().name(mv.to())).collect();
    names.sort();
    names.join(" ")
}

// ---- Castling -----------------------------------------------------------------------------------------

const READY: &str = "R2A2K1A2R";

#[test]
fn with_an_archer_and_then_with_the_rook() {
    let fen = castling(READY, None, "ADIL - 3 1");
    let castled = fen_after::<Gast12>(&fen, "g1i1");
    assert_eq!(castled, castling("R2A3AK2R", None, "L - 4 1").replace(" w ", " b "));
    assert_eq!(
        fen_after::<Gast12>(&castled, "g12g11 i1k1"),
        "12/6k5/12/12/12/12/12/12/12/12/12/R2A3A1RK1 b - - 6 2"
    );
    let castled = fen_after::<Gast12>(&fen, "g1e1");
    assert_eq!(castled, castling("R3KA2A2R", None, "A - 4 1").replace(" w ", " b "));
    assert_eq!(
        fen_after::<Gast12>(&castled, "g12g11 e1c1"),
        "12/6k5/12/12/12/12/12/12/12/12/12/2KR1A2A2R b - - 6 2"
    );
}

#[test]
fn with_rook_and_archer_at_once() {
    let fen = castling(READY, None, "ADIL - 3 1");
    assert_eq!(castles::<Gast12>(&fen), "c1 e1 i1 k1");
    for (mv, first) in [("g1k1", "R2A3A1RK1"), ("g1c1", "2KR1A2A2R")] {
        assert_eq!(fen_after::<Gast12>(&fen, mv), castling(first, None, "- - 4 1").replace(" w ", " b "));
    }
}

#[test]
fn with_the_rook_alone() {
    let fen = castling("R5K4R", None, "AL - 3 1");
    assert_eq!(castles::<Gast12>(&fen), "c1 k1");
    for (mv, first) in [("g1k1", "R8RK1"), ("g1c1", "2KR7R")] {
        assert_eq!(fen_after::<Gast12>(&fen, mv), castling(first, None, "- - 4 1").replace(" w ", " b "));
    }
}

#[test]
fn nobody_else_may_stand_between() {
    for (first, rights, left) in [
        // On the archer's square another piece, or an archer that has moved.
        ("R2B2K1B2R", "AL", ""),
        ("R2A2K1A2R", "AL", ""),
        // Between archer and rook, and between king and archer.
        ("RN1A2K1AN1R", "ADIL", "e1 i1"),
        ("R2AN1KNA2R", "ADIL", ""),
        // Only one of the two is unmoved.
        ("R2A2K1A2R", "DI", "e1 i1"),
        ("R2A2K1A2R", "AD", "c1 e1"),
    ] {
        assert_eq!(
            castles::<Gast12>(&castling(first, None, &format!("{rights} - 0 1"))),
            left,
            "{first} {rights}"
        );
    }
}

#[test]
fn not_out_of_through_or_into_check() {
    for (rook, left) in [
        ('a', "c1 e1 i1 k1"),
        ('b', "c1 e1 i1 k1"), // the king does not cross b1
        ('c', "e1 i1 k1"),
        ('d', "e1 i1 k1"),
        ('e', "i1 k1"),
        ('f', "i1 k1"),
        ('g', ""),
        ('h', "c1 e1"),
        ('i', "c1 e1"),
        ('j', "c1 e1 i1"),
        ('k', "c1 e1 i1"),
        ('l', "c1 e1 i1 k1"),
    ] {
        assert_eq!(castles::<Gast12>(&castling(READY, Some(rook), "ADIL - 0 1")), left, "rook on {rook}6");
    }
}

#[test]
fn the_archer_that_leaves_may_not_uncover_the_king() {
    // The rook on b1 attacks up to the archer on d1; with the archer on f1 it would attack the king on e1.
    let fen = castling("1r1A2K1A2R", None, "DIL - 0 1");
    assert_eq!(castles::<Gast12>(&fen), "i1 k1");
    assert_eq!(move_error(&position::<Gast12>(&fen), "g1e1"), "the king on g1 cannot go to e1");
}

#[test]
fn the_second_castling_needs_the_right_and_a_free_and_safe_way() {
    for (first, rook, rights, left) in [
        ("R2A3AK2R", None, "L", "k1"),
        ("R2A3AK2R", None, "-", ""),
        ("R2A3AKN1R", None, "L", ""),
        ("R2A3AK2R", Some('i'), "L", ""),
        ("R2A3AK2R", Some('j'), "L", ""),
        ("R2A3AK2R", Some('l'), "L", "k1"),
        ("R3KA2A2R", None, "A", "c1"),
        ("R3KA2A2R", Some('b'), "A", "c1"),
        ("R3KA2A2R", Some('c'), "A", ""),
    ] {
        let fen = castling(first, rook, &format!("{rights} - 0 1"));
        assert_eq!(castles::<Gast12>(&fen), left, "{fen}");
    }
}

#[test]
fn what_moves_or_is_taken_loses_its_right() {
    let fen = "r2a2k1a2r/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADILadil - 0 1";
    for (moves, left) in [
        ("a1a2", "DILadil"),
        ("d1d2", "AILadil"),
        ("i1i2", "ADLadil"),
        ("l1l2", "ADIadil"),
        ("g1g2", "adil"),
        ("a1a12", "DILdil"),
        ("d1d12", "AILail"),
        ("a1a2 g12g11", "DIL"),
        ("a1a2 g12e12", "DILa"),
    ] {
        let after = fen_after::<Gast12>(fen, moves);
        assert_eq!(after.split(' ').nth(2), Some(left), "after {moves}");
    }
    // After castling with the archer, any move of the king ends the right to castle on.
    let fen = castling("R2A3AK2R", None, "L - 0 1");
    assert!(fen_after::<Gast12>(&fen, "i1i2").contains(" b - - "));
    assert!(fen_after::<Gast12>(&fen, "d1d2").contains(" b L - "));
}

#[test]
fn castling_in_the_second_game() {
    let fen = |first: &str, rest: &str| format!("6k7/14/14/14/14/14/14/14/14/14/14/{first} {rest}");
    let ready = fen("R2A2K3A2R", "w ADKN - 3 1");
    assert_eq!(castles::<Gast14>(&ready), "c1 e1 i1 k1");
    for (mv, first, rights) in [
        ("g1i1", "R2A3AK4R", "N"),
        ("g1e1", "R3KA4A2R", "A"),
        ("g1k1", "R2A3A1RK3", "-"),
        ("g1c1", "2KR1A4A2R", "-"),
    ] {
        assert_eq!(fen_after::<Gast14>(&ready, mv), fen(first, &format!("b {rights} - 4 1")));
    }
    let on = fen("R2A3AK4R", "w N - 0 1");
    assert_eq!(fen_after::<Gast14>(&on, "i1k1"), fen("R2A3A1RK3", "b - - 1 1"));
    // From m1 a rook would see the king on i1 once the archer has left k1.
    assert_eq!(castles::<Gast14>(&fen("R2A2K3A1r1", "w ADK - 0 1")), "c1 e1");
}

#[test]
fn castlings_as_people_write_them() {
    let pos = position::<Gast12>(&castling(READY, None, "ADIL - 3 1"));
    let texts = [("g1i1", "Ki1/Ah1"), ("g1e1", "Ke1/Af1"), ("g1k1", "Kk1/Rj1/Ah1"), ("g1c1", "Kc1/Rd1/Af1")];
    for (mv, text) in texts {
        assert_eq!(san(&pos, mv), text);
    }
}

#[test]
fn impossible_castling_rights_are_refused() {
    for (first, field, what) in [
        ("R2A2K1A2R", "AA", "'A' is repeated"),
        ("R2A2K1A2R", "K", "'K' is not one of A D I L a d i l"),
        ("3A2K1A2R", "A", "'A' needs a rook on a1"),
        ("R5K1A2R", "D", "'D' needs an archer on d1"),
        ("R2A2K1B2R", "I", "'I' needs an archer on i1"),
        ("R2A3AK2R", "I", "'I' needs the king on g1"),
        ("R2A3AK2R", "A", "'A' needs the king on g1"),
        ("R3KA2A2R", "L", "'L' needs the king on g1"),
        ("R2A1K2A2R", "A", "'A' needs the king on g1"),
        ("R2A2K1A2R", "a", "'a' needs a rook on a12"),
    ] {
        let fen = castling(first, None, &format!("{field} - 0 1"));
        assert_eq!(fen_error::<Gast12>(&fen), format!("castling: {what}"), "{fen}");
    }
}

// ---- Pawns --------------------------------------------------------------------------------------------

/// A position on 12x12 with kings on a12 and l1, and ranks 11 to 2 as given.
fn with_kings(ranks: &str, rest: &str) -> String {
    format!("k11/{ranks}/11K {rest}")
}

#[test]
fn a_pawn_goes_up_to_four_squares_from_its_second_rank_three_from_its_third_and_two_later() {
    let pos = position::<Gast12>(&with_kings("12/12/12/12/12/12/12/4P7/3P8/2P9", "w - - 0 1"));
    assert_eq!(moves(&pos, "c2"), "c3 c4 c5 c6");
    assert_eq!(moves(&pos, "d3"), "d4 d5 d6");
    assert_eq!(moves(&pos, "e4"), "e5 e6");
    // Every square passed is empty.
    let pos = position::<Gast12>(&with_kings("12/12/12/12/12/12/2n9/12/5n6/2P2P6", "w - - 0 1"));
    assert_eq!((moves(&pos, "c2").as_str(), moves(&pos, "f2").as_str()), ("c3 c4", ""));
    assert_eq!(move_error(&pos, "c2c6"), "the pawn is blocked by the piece on c5");
}

#[test]
fn a_pawn_takes_one_square_diagonally_or_two_over_an_empty_one() {
    let pos = position::<Gast12>(&with_kings("12/12/12/12/12/2n3n5/3n8/4P7/12/12", "w - - 0 1"));
    assert_eq!(moves(&pos, "e4"), "d5 e5 e6 g6");
    assert_eq!(move_error(&pos, "e4c6"), "the pawn is blocked by the piece on d5");
    // From its first move on.
    let pos = position::<Gast12>(&with_kings("12/12/12/12/12/12/12/4n7/12/2P9", "w - - 0 1"));
    assert_eq!(moves(&pos, "c2"), "c3 c4 c5 c6 e4");
}

#[test]
fn a_pawns_check_from_afar_can_be_blocked() {
    let pos = position::<Gast12>("12/12/12/12/12/6k5/12/4P2n4/12/12/12/11K b - - 0 1");
    assert_eq!(checkers(&pos), "e5");
    assert_eq!(moves(&pos, "h5"), "f6");
}

#[test]
fn en_passant_after_four_squares_only() {
    let fen = with_kings("12/12/12/12/6p5/3p8/12/12/12/4P7", "w - - 0 1");
    let pos = after::<Gast12>(&fen, "e2e6");
    assert!(fen::write(&pos).ends_with(" b - e5 0 1"));
    assert_eq!(moves(&pos, "d6"), "d4 d5 e5");
    assert_eq!(moves(&pos, "g7"), "e5 g5 g6");
    for (mv, left) in [("d6e5", "6p5/12/4p7"), ("g7e5", "12/3p8/4p7")] {
        assert_eq!(
            fen_after::<Gast12>(&fen, &format!("e2e6 {mv}")),
            with_kings(&format!("12/12/12/12/{left}/12/12/12"), "w - - 0 2")
        );
    }
    for mv in ["e2e3", "e2e4", "e2e5"] {
        assert!(fen_after::<Gast12>(&fen, mv).ends_with(" b - - 0 1"), "{mv}");
    }
    let third = with_kings("12/12/12/12/12/3p8/12/12/4P7/12", "w - - 0 1");
    assert!(fen_after::<Gast12>(&third, "e3e6").ends_with(" b - - 0 1"));
}

#[test]
fn pawns_always_promote_on_the_last_rank() {
    let ranks = "4P7/6P5/12/12/12/12/12/12/12/12";
    let pos = position::<Gast12>(&with_kings(ranks, "w - - 0 1"));
    assert_eq!(moves(&pos, "e11e12"), "a b g n q r");
    assert_eq!(moves(&pos, "g10"), "g11 g12a g12b g12g g12n g12q g12r");
    let second = "k13/4P9/14/14/14/14/14/14/14/14/14/13K w - - 0 1";
    assert_eq!(moves(&position::<Gast14>(second), "e11e12"), "a b g n o q r");
}

#[test]
fn a_fen_has_no_pawn_on_an_edge_rank() {
    for (fen, what) in [
        ("k3P7/12/12/12/12/12/12/12/12/12/12/11K", "the pawn on e12 would have promoted there or before"),
        ("k11/12/12/12/12/12/12/12/12/12/12/4p6K", "the pawn on e1 would have promoted there or before"),
        ("k11/12/12/12/12/12/12/12/12/12/12/4P6K", "the pawn on e1 stands on its own first rank"),
        ("k3p7/12/12/12/12/12/12/12/12/12/12/11K", "the pawn on e12 stands on its own first rank"),
    ] {
        assert_eq!(fen_error::<Gast12>(&format!("{fen} w - - 0 1")), format!("placement: {what}"));
    }
}

#[test]
fn impossible_en_passant_squares_are_refused() {
    let fen = |ranks: &str, square: &str| with_kings(ranks, &format!("b - {square} 0 1"));
    let lone = "12/12/12/12/12/4P7/12/12/12/12";
    assert!(fen_after::<Gast12>(&fen(lone, "e5"), "").contains(" e5 "));
    for (ranks, square, what) in [
        (lone, "e3", "no pawn can have passed e3 on the last step of a long move by White"),
        (lone, "e8", "no pawn can have passed e8 on the last step of a long move by White"),
        (lone, "d5", "there is no pawn of White one step beyond d5"),
        (lone, "m5", "'m5' is not a square of the board"),
        ("12/12/12/12/12/4p7/12/12/12/12", "e5", "there is no pawn of White one step beyond e5"),
        ("12/12/12/12/12/4P7/4n7/12/12/12", "e5", "the pawn cannot have come over e5, where a piece stands"),
        ("12/12/12/12/12/4P7/12/4n7/12/12", "e5", "the pawn cannot have come over e4, where a piece stands"),
        ("12/12/12/12/12/4P7/12/12/12/4N7", "e5", "the pawn cannot have come over e2, where a piece stands"),
    ] {
        assert_eq!(fen_error::<Gast12>(&fen(ranks, square)), format!("en passant: {what}"));
    }
}

// ---- Pieces -------------------------------------------------------------------------------------------

#[test]
fn the_knight_leaps_in_three_ways() {
    let pos = position::<Gast12>(&with_kings("12/12/12/12/12/5N6/12/12/12/12", "w - - 0 1"));
    assert_eq!(moves(&pos, "f6"), "c5 c7 d4 d5 d7 d8 e3 e4 e8 e9 g3 g4 g8 g9 h4 h5 h7 h8 i5 i7");
}

quintain_core::test_game!(Gast12, Gast14);
