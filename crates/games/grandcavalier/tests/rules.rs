//! The rules of Grand Cavalier Chess by example.

use quintain_core::testing::*;
use quintain_grandcavalier::*;

#[test]
fn a_cavalier_is_blocked_by_the_piece_beside_it() {
    let pos = position::<GrandCavalier>("9k/10/10/10/4n5/4V5/10/10/10/K9 w - - 0 1");
    assert_eq!(moves(&pos, "e5"), "c4 c6 d3 f3 g4 g6");
    assert_eq!(move_error(&pos, "e5d7"), "the cavalier is blocked by the piece on e6");
    assert_eq!(move_error(&pos, "e5e6"), "the cavalier on e5 cannot go to e6");
}

#[test]
fn what_blocks_a_cavaliers_check_stands_beside_the_cavalier() {
    // From e5 to d7 by e6: a piece on d6, beside the king, blocks nothing.
    let pos = position::<GrandCavalier>("10/10/10/3k6/3p6/4V5/10/10/10/K9 b - - 0 1");
    assert_eq!(checkers(&pos), "e5");
    let pos = position::<GrandCavalier>("10/10/10/3k6/4p5/4V5/10/10/10/K9 b - - 0 1");
    assert_eq!(checkers(&pos), "");
    // The paladin on e6 is pinned to where it stands, unless it takes the cavalier.
    assert_eq!(moves(&pos, "e6"), "");
    let pos = position::<GrandCavalier>("10/10/10/3k6/4q5/4V5/10/10/10/K9 b - - 0 1");
    assert_eq!(moves(&pos, "e6"), "e5");
}

#[test]
fn a_cannon_captures_beyond_exactly_one_piece() {
    let pos = position::<GrandCavalier>("9k/10/10/10/10/C2v3n1p/10/10/10/K9 w - - 0 1");
    assert_eq!(moves(&pos, "a5"), "a10 a2 a3 a4 a6 a7 a8 a9 b5 c5 h5");
    let captures = |number| format!("a cannon captures beyond exactly one piece, here there are {number}");
    assert_eq!(move_error(&pos, "a5d5"), captures(0));
    assert_eq!(move_error(&pos, "a5j5"), captures(2));
    assert_eq!(move_error(&pos, "a5i5"), "a cannon jumps only to capture");
}

#[test]
fn a_cannons_check_ends_by_a_second_piece_or_without_the_first() {
    let pos = position::<GrandCavalier>("4c4k/10/10/10/10/4V5/10/Q9/10/4K5 w - - 0 1");
    assert_eq!(checkers(&pos), "e10");
    // The cavalier leaves the file; the queen goes to it, anywhere between king and cannon.
    assert_eq!(moves(&pos, "e5"), "c4 c6 d3 d7 f3 f7 g4 g6");
    assert_eq!(moves(&pos, "a3"), "e3 e7");
    // With two pieces between there is no check, and neither may leave.
    let pos = position::<GrandCavalier>("4c4k/10/10/10/10/4V5/10/4Q5/10/4K5 w - - 0 1");
    assert_eq!(checkers(&pos), "");
    assert_eq!(moves(&pos, "e5"), "");
    assert_eq!(moves(&pos, "e3"), "e2 e4");
    // With none between, no piece may go there.
    let pos = position::<GrandCavalier>("4c4k/10/10/10/10/10/10/Q9/10/4K5 w - - 0 1");
    assert_eq!(move_error(&pos, "a3e3"), "the Eques Rex would be attacked");
}

#[test]
fn a_nightrider_rides_over_free_squares() {
    let pos = position::<GrandCavalier>("9k/10/10/10/10/10/10/10/10/N4K4 w - - 0 1");
    assert_eq!(moves(&pos, "a1"), "b3 c2 c5 d7 e3 e9 g4 i5");
    let pos = position::<GrandCavalier>("9k/10/10/10/10/2n7/10/4P5/10/N4K4 w - - 0 1");
    assert_eq!(moves(&pos, "a1"), "b3 c2 c5");
}

#[test]
fn the_royal_piece_leaps_too() {
    let pos = position::<GrandCavalier>("9k/10/10/10/10/10/3K6/10/10/10 w - - 0 1");
    assert_eq!(moves(&pos, "d4"), "b3 b5 c2 c3 c4 c5 c6 d3 d5 e2 e3 e4 e5 e6 f3 f5");
}

/// No piece of White's but cavaliers is missing, and a white cavalier stands on b8.
const FULL: &str = "1mnp1kpnm1/c8c/1Vvvvvvvv1/10/10/10/10/1VVVVVVV2/C8C/1MNPQKPNM1 w - - 4 9";

#[test]
fn a_cavalier_becomes_only_what_its_side_has_lost() {
    let pos = position::<GrandCavalier>(FULL);
    assert_eq!(moves(&pos, "b8a10"), "");
    let reason = "no piece of that side has been captured, so the cavalier cannot promote and may not enter the last rank";
    assert_eq!(move_error(&pos, "b8a10"), reason);
    let lost = FULL.replace("1MNPQKPNM1", "1M1P1KPNM1");
    let pos = position::<GrandCavalier>(&lost);
    assert_eq!((moves(&pos, "b8a10").as_str(), moves(&pos, "b8c10").as_str()), ("n q", "n q"));
    assert_eq!(move_error(&pos, "b8a10"), "add one of: q n");
    assert_eq!(move_error(&pos, "b8a10m"), "'m' is not one of: q n");
}

#[test]
fn a_cavalier_gives_check_where_it_may_not_go() {
    let full = "kmnpq1pnm1/2c6c/1Vvvvvvvv1/10/10/10/10/1VVVVVVV2/C8C/1MNPQKPNM1 b - - 4 9";
    assert_eq!(checkers(&position::<GrandCavalier>(full)), "b8");
}

#[test]
fn only_captures_and_promotions_are_irreversible() {
    let quiet = fen_after::<GrandCavalier>(FULL, "c3d5");
    assert!(quiet.ends_with(" b - - 5 9"), "{quiet}");
    let promotion = fen_after::<GrandCavalier>(&FULL.replace("1MNPQKPNM1", "1MNP1KPNM1"), "b8a10q");
    assert_eq!(promotion, "Qmnp1kpnm1/c8c/2vvvvvvv1/10/10/10/10/1VVVVVVV2/C8C/1MNP1KPNM1 b - - 0 9");
}

#[test]
fn a_fen_has_no_cavalier_on_its_last_rank() {
    for (fen, square) in [("9k/10/10/10/10/10/10/10/10/Kv8", "b1"), ("V8k/10/10/10/10/10/10/10/10/K9", "a10")]
    {
        assert_eq!(
            fen_error::<GrandCavalier>(&format!("{fen} w - - 0 1")),
            format!("placement: the cavalier on {square} would have promoted there or before")
        );
    }
    // On its own first rank it may stand.
    position::<GrandCavalier>("v8k/10/10/10/10/10/10/10/10/KV8 w - - 0 1");
}

quintain_core::test_game!(GrandCavalier);
