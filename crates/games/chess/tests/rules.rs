//! The rules of chess by example.

use quintain_chess::*;
use quintain_core::board::Tag;
use quintain_core::testing::*;

#[test]
fn castling_moves_both_pieces_and_ends_the_rights() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1";
    for (moves, then) in [
        ("e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 1"),
        ("e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 4 1"),
        ("h1h2 e8g8", "r4rk1/8/8/8/8/8/7R/R3K3 w Q - 5 2"),
        ("a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"),
        ("e1e2 e8e7", "r6r/4k3/8/8/8/8/4K3/R6R w - - 5 2"),
    ] {
        assert_eq!(fen_after::<Chess>(fen, moves), then);
    }
    let pos = position::<Chess>(fen);
    assert_eq!((san(&pos, "e1g1").as_str(), san(&pos, "e1c1").as_str()), ("O-O", "O-O-O"));
    assert_eq!((san_read(&pos, "0-0").as_str(), san_read(&pos, "o-o-o").as_str()), ("e1g1", "e1c1"));
}

#[test]
fn the_king_castles_not_out_of_through_or_into_check() {
    for (rook, left) in [
        ("1r6", "c1 g1"), // only the rook crosses b1
        ("2r5", "g1"),
        ("3r4", "g1"),
        ("4r3", ""),
        ("5r2", "c1"),
        ("6r1", "c1"),
        ("7r", "c1 g1"),
    ] {
        let pos = position::<Chess>(&format!("1k6/8/{rook}/8/8/8/8/R3K2R w KQ - 0 1"));
        let castles = pos.legal_moves().into_iter().filter(|mv| mv.tag() == Tag::Castle);
        let mut names: Vec<String> = castles.map(|mv| pos.geometry().name(mv.to())).collect();
        names.sort();
        assert_eq!(names.join(" "), left, "{rook}");
    }
}

#[test]
fn en_passant_that_would_uncover_the_king_is_illegal() {
    let pos = position::<Chess>("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1");
    assert_eq!(moves(&pos, "e5"), "e6");
    let pos = position::<Chess>("8/8/8/3pP2r/K7/8/8/7k w - d6 0 1");
    assert_eq!(moves(&pos, "e5"), "d6 e6");
}

#[test]
fn impossible_castling_rights_are_refused() {
    for (placement, field, what) in [
        ("4k3/8/8/8/8/8/8/4K2R", "Q", "'Q' needs a rook on a1"),
        ("4k3/8/8/8/8/8/8/5K1R", "K", "'K' needs the king on e1"),
        ("4k3/8/8/8/8/8/8/4K2R", "k", "'k' needs a rook on h8"),
        ("4k3/8/8/8/8/8/8/4K2n", "K", "'K' needs a rook on h1"),
        ("4k3/8/8/8/8/8/8/4K2R", "KK", "'K' is repeated"),
        ("4k3/8/8/8/8/8/8/4K2R", "H", "'H' is not one of K Q k q"),
    ] {
        assert_eq!(fen_error::<Chess>(&format!("{placement} w {field} - 0 1")), format!("castling: {what}"));
    }
}

#[test]
fn impossible_en_passant_squares_are_refused() {
    for (placement, square, what) in [
        (
            "4k3/8/8/8/4P3/8/8/4K3 b",
            "e4",
            "no pawn can have passed e4 on the last step of a long move by White",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b",
            "e6",
            "no pawn can have passed e6 on the last step of a long move by White",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w",
            "e3",
            "no pawn can have passed e3 on the last step of a long move by Black",
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 b", "d3", "there is no pawn of White one step beyond d3"),
        ("4k3/8/8/8/4p3/8/8/4K3 b", "e3", "there is no pawn of White one step beyond e3"),
        ("4k3/8/8/8/4P3/4n3/8/4K3 b", "e3", "the pawn cannot have come over e3, where a piece stands"),
        ("4k3/8/8/8/4P3/8/4K3/8 b", "e3", "the pawn cannot have come over e2, where a piece stands"),
        ("4k3/8/8/8/4P3/8/8/4K3 b", "e9", "'e9' is not a square of the board"),
        ("4k3/8/8/8/4P3/8/8/4K3 b", "e3x", "'e3x' is not a square of the board"),
    ] {
        let (pieces, side) = placement.split_once(' ').expect("pieces and side");
        assert_eq!(
            fen_error::<Chess>(&format!("{pieces} {side} - {square} 0 1")),
            format!("en passant: {what}")
        );
    }
}

#[test]
fn a_fen_has_no_pawn_on_an_edge_rank() {
    for (placement, what) in [
        ("P3k3/8/8/8/8/8/8/4K3", "the pawn on a8 would have promoted there or before"),
        ("4k3/8/8/8/8/8/8/p3K3", "the pawn on a1 would have promoted there or before"),
        ("4k3/8/8/8/8/8/8/P3K3", "the pawn on a1 stands on its own first rank"),
        ("p3k3/8/8/8/8/8/8/4K3", "the pawn on a8 stands on its own first rank"),
    ] {
        assert_eq!(fen_error::<Chess>(&format!("{placement} w - - 0 1")), format!("placement: {what}"));
    }
}

quintain_core::test_game!(Chess);
