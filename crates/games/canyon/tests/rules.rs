//! The rules of Canyon Chess by example.

use quintain_canyon::*;
use quintain_core::board::Color;
use quintain_core::rules::{Outcome, Reason, Variant};
use quintain_core::testing::*;

const START: &str = Canyon::START;

const WHITE_MATES: Option<Outcome> = Some(Outcome { winner: Some(Color::White), reason: Reason::Checkmate });

// ---- The inventors' examples --------------------------------------------------------------------------

#[test]
fn the_sample_game_is_legal() {
    let moves = "d3d4 b6b5 e3e4 d6d5 e2g2 d5e4 f3e4 b7d6 e4e5 g6g5 e5d6q e7d6 d2b2 h7f5 g3g4 d6a3 b2a3 f5g6 \
        d2e4 f6f5 e4c5 a7c5 d4c5 a6c5 g2g3 f5f4 e2f4 g6f4 h3f4 g5f4 g3f4 g7f5 g4f5";
    assert_eq!(
        fen_after::<Canyon>(START, moves),
        "1******1/2*k1*2/2p1p2m/*pm2P1*/*4Q1*/KPP5/A1*2*1A/1******1 b - - 0 17"
    );
}

const ENDING: &str = "1******1/2*2*2/8/*1K2P1*/*P1pk2*/2P5/2*2*2/1******1 w - - 0 26";

#[test]
fn the_ten_move_ending_mates_on_the_eighth_of_the_ten() {
    let line = "c3d4 e4d3 b4b5 d3c3 b5b6q c3d3 d4d5 d3e4 d5d6m e4e5 b6b3 e5f4 b3e6 f4g5 d6e4";
    let mut pos = position::<Canyon>(ENDING);
    for (ply, mv) in (0..).zip(line.split(' ')) {
        assert_eq!(pos.outcome(), None, "before {mv}");
        play(&mut pos, mv);
        assert_eq!(pos.extra().bare_king_moves, ply / 2 + 1, "after {mv}");
    }
    assert_eq!(pos.outcome(), WHITE_MATES);
}

// ---- Exchanges ----------------------------------------------------------------------------------------

#[test]
fn king_and_queen_exchange_with_any_friend_two_files_away() {
    // Over the holes c2 and f2, as at the start.
    let pos = position::<Canyon>(START);
    assert_eq!((moves(&pos, "d2").as_str(), moves(&pos, "e2").as_str()), ("b2", "g2"));
    // Over empty squares; also with a pawn, and the distance is exactly two.
    let pos = position::<Canyon>("1******k/2*2*2/8/*6*/*6*/1NM1K1P1/2*2*2/1******1 w - - 0 1");
    assert_eq!(moves(&pos, "e3"), "c3 d2 d3 d4 e2 e4 f3 f4 g3");
    assert_eq!(
        fen_after::<Canyon>("1******k/2*2*2/8/*6*/*1m1Q1N*/8/2*2*2/K******1 w - - 0 1", "e4g4"),
        "1******k/2*2*2/8/*6*/*1m1N1Q*/8/2*2*2/K******1 b - - 1 1"
    );
}

#[test]
fn an_exchange_jumps_nobody() {
    let pos = position::<Canyon>("1******k/2*2*2/8/*6*/*6*/5KPP/2*2*2/1******1 w - - 0 1");
    assert_eq!(move_error(&pos, "f3h3"), "the square g3 between them is occupied");
    let pos = position::<Canyon>("1******k/2*2*2/8/*6*/*6*/2MnQ3/2*2*2/K******1 w - - 0 1");
    assert_eq!(move_error(&pos, "e3c3"), "the square d3 between them is occupied");
}

#[test]
fn the_king_exchanges_out_of_check_and_past_an_attacked_square_but_not_into_check() {
    // The marshal on e6 gives check; the one on d7 attacks d3, which the king passes.
    let fen = "1******k/2*m1*2/4m3/*6*/*6*/2N1K3/2*2*2/1******1 w - - 0 1";
    let pos = position::<Canyon>(fen);
    assert_eq!(checkers(&pos), "e6");
    assert_eq!(
        fen_after::<Canyon>(fen, "e3c3"),
        "1******k/2*m1*2/4m3/*6*/*6*/2K1N3/2*2*2/1******1 b - - 1 1"
    );
    // The knight attacks c3.
    let pos = position::<Canyon>("1******k/2*m1*2/4m3/*n5*/*6*/2N1K3/2*2*2/1******1 w - - 0 1");
    assert_eq!(move_error(&pos, "e3c3"), "the king would be attacked on c3");
}

#[test]
fn a_queens_exchange_ends_no_check() {
    let pos = position::<Canyon>("1******k/2*m1*2/8/*6*/*1N1Q2*/3K4/2*2*2/1******1 w - - 0 1");
    assert_eq!(checkers(&pos), "d7");
    assert_eq!(moves(&pos, "e4"), "d4 d5");
    assert_eq!(move_error(&pos, "e4c4"), "the exchange would leave the king in check");
}

#[test]
fn king_with_queen_is_one_move_and_queen_with_queen_none() {
    let fen = "k******1/2*2*2/2p5/*6*/*6*/2Q1K1Q1/2*2*2/1******1 w - - 7 1";
    assert_eq!(
        fen_after::<Canyon>(fen, "e3g3"),
        "k******1/2*2*2/2p5/*6*/*6*/2Q1Q1K1/2*2*2/1******1 b - - 8 1"
    );
    assert_eq!(move_error(&position::<Canyon>(fen), "c3e3"), "this exchange is written from the king: e3c3");
    let queens = position::<Canyon>("k******1/2*2*2/2p5/*6*/*6*/2Q1Q3/2*2*2/K******1 w - - 0 1");
    assert_eq!(move_error(&queens, "c3e3"), "an exchange of queens changes nothing");
}

#[test]
fn an_exchange_is_reversible_even_with_a_pawn() {
    assert_eq!(
        fen_after::<Canyon>("1******k/2*2*2/8/*1p4*/*6*/4K1P1/2*2*2/1******1 w - - 41 9", "e3g3"),
        "1******k/2*2*2/8/*1p4*/*6*/4P1K1/2*2*2/1******1 b - - 42 9"
    );
}

#[test]
fn exchanges_as_people_write_them() {
    let pos = position::<Canyon>(START);
    assert_eq!((san(&pos, "d2b2").as_str(), san(&pos, "e2g2").as_str()), ("K-Nb2", "Q-Ng2"));
    for (text, mv) in [("K-N", "d2b2"), ("Q-N", "e2g2"), ("Q-Ng2", "e2g2")] {
        assert_eq!(san_read(&pos, text), mv);
    }
    let queens = position::<Canyon>("1******k/2*2*2/2p5/*6*/*6*/1N1Q1QN1/2*2*2/K******1 w - - 0 1");
    assert_eq!(san(&queens, "d3b3"), "Qd3-Nb3");
}

#[test]
fn why_there_is_no_exchange() {
    let pos = position::<Canyon>(START);
    assert_eq!(move_error(&pos, "b2d2"), "this exchange is written from the king: d2b2");
    assert_eq!(
        move_error(&pos, "d2a2"),
        "a2 is not two files from d2 on the same rank, so they cannot exchange"
    );
    assert_eq!(move_error(&pos, "a2b2"), "a piece of the same side is on b2");
}

// ---- Pawns --------------------------------------------------------------------------------------------

#[test]
fn pawns_go_one_step_and_always_promote_on_the_sixth_rank() {
    let pos = position::<Canyon>("1******k/2*2*2/3n4/*1P4*/*6*/1P6/2*2*2/K******1 w - - 0 1");
    assert_eq!(moves(&pos, "b3"), "b4");
    assert_eq!(moves(&pos, "c5"), "c6a c6m c6n c6q d6a d6m d6n d6q");
    let pos = position::<Canyon>("1******k/2*2*2/8/*6*/*2p3*/8/2*2*2/K******1 b - - 0 1");
    assert_eq!(moves(&pos, "d4"), "d3a d3m d3n d3q");
    assert_eq!(move_error(&pos, "d4d3"), "add one of: q m a n");
}

#[test]
fn a_fen_has_no_pawn_where_it_would_have_promoted() {
    for (fen, what) in [
        ("1******k/2*2*2/2P5/*6*/*6*/8/2*2*2/K******1", "the pawn on c6 would have promoted there or before"),
        ("1******k/2*P1*2/8/*6*/*6*/8/2*2*2/K******1", "the pawn on d7 would have promoted there or before"),
        ("1******k/2*2*2/8/*6*/*6*/2p5/2*2*2/K******1", "the pawn on c3 would have promoted there or before"),
        ("1******k/2*2*2/8/*6*/*6*/8/2*2*2/K******P", "the pawn on h1 stands on its own first rank"),
    ] {
        assert_eq!(fen_error::<Canyon>(&format!("{fen} w - - 0 1")), format!("placement: {what}"));
    }
}

// ---- The ten moves ------------------------------------------------------------------------------------

const DRAWN: Option<Outcome> = Some(Outcome::draw(Reason::TenMoves));

#[test]
fn only_the_stronger_sides_moves_count() {
    let fen = "k******1/2*2*2/8/*6*/*6*/3QK3/2*2*2/1******1 w - - 0 1";
    assert_eq!(fen_after::<Canyon>(fen, "d3d4"), "k******1/2*2*2/8/*6*/*2Q3*/4K3/2*2*2/1******1 b - - 1 1 1");
    for (line, counted) in [("", 0), ("d3d4", 1), ("d3d4 a8b7", 1), ("d3d4 a8b7 d4d5", 2)] {
        assert_eq!(after::<Canyon>(fen, line).extra().bare_king_moves, counted, "{line}");
    }
}

#[test]
fn the_count_stands_in_the_fen_unless_it_is_zero() {
    let fen = "k******1/2*2*2/8/*6*/*6*/3QK3/2*2*2/1******1 w - - 0 1";
    assert_eq!(position::<Canyon>(&format!("{fen} 4")).extra().bare_king_moves, 4);
    assert_eq!(fen_after::<Canyon>(&format!("{fen} 4"), ""), format!("{fen} 4"));
    assert_eq!(fen_after::<Canyon>(&format!("{fen} 0"), ""), fen);
    for nonsense in ["11", "-1", "+1", "x", "-", "n,n"] {
        assert_eq!(
            fen_error::<Canyon>(&format!("{fen} {nonsense}")),
            format!("seventh field: '{nonsense}' is not a number of moves against a bare king from 0 to 10")
        );
    }
    let nobody = "seventh field: 3 moves against a bare king, but not exactly one king is bare";
    assert_eq!(fen_error::<Canyon>(&format!("{START} 3")), nobody);
    assert_eq!(fen_error::<Canyon>("k******1/2*2*2/8/*6*/*6*/4K3/2*2*2/1******1 w - - 0 1 3"), nobody);
}

#[test]
fn the_tenth_move_draws_unless_it_mates_or_stalemates() {
    // The archbishop mates on f3, stalemates on d3; with the king on d6 it does neither.
    let near = "k******1/2*2*2/1K6/*6*/*6*/8/2*1A*2/1******1 w - - 4 60 9";
    let far = "k******1/2*2*2/3K4/*6*/*6*/8/2*1A*2/1******1 w - - 4 60 9";
    assert_eq!(outcome_after::<Canyon>(near, "e2f3"), WHITE_MATES);
    assert_eq!(outcome_after::<Canyon>(near, "e2d3"), Some(Outcome::draw(Reason::Stalemate)));
    assert_eq!(outcome_after::<Canyon>(far, "e2d3"), DRAWN);
    assert_eq!(outcome_after::<Canyon>(&far.replace(" 9", " 8"), "e2d3"), None);
}

#[test]
fn the_ten_moves_come_before_repetition_and_fifty_moves() {
    let fen = "k******1/2*2*2/3K4/*6*/*6*/8/2*1A*2/1******1 w - - 99 60 9";
    assert_eq!(outcome_after::<Canyon>(fen, "e2d3"), DRAWN);
    assert_eq!(
        outcome_after::<Canyon>("k******1/2*2*2/3K4/*6*/*6*/8/2*1A*2/1******1 b - - 5 60 10", ""),
        DRAWN
    );
    // Going to and fro never repeats a position, for the count grows.
    let mut pos = position::<Canyon>("k******1/2*2*2/3K4/*6*/*6*/8/2*1A*2/1******1 w - - 0 1");
    for _ in 0..4 {
        play(&mut pos, "e2d3 a8a7 d3e2 a7a8");
        assert_eq!(pos.outcome(), None);
    }
    play(&mut pos, "e2d3 a8a7 d3e2");
    assert_eq!(pos.outcome(), DRAWN);
}

#[test]
fn the_bare_king_that_takes_the_last_piece_leaves_no_count() {
    let fen = "k******1/1Q*2*2/8/*6*/*6*/3K4/2*2*2/1******1 b - - 3 9 4";
    assert_eq!(fen_after::<Canyon>(fen, "a8b7"), "1******1/1k*2*2/8/*6*/*6*/3K4/2*2*2/1******1 w - - 0 10");
    assert_eq!(outcome_after::<Canyon>(fen, "a8b7"), Some(Outcome::draw(Reason::BareKings)));
}

quintain_core::test_game!(Canyon);
