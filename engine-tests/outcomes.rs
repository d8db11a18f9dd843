//! Ends of games: the shared rules, and their order. Canyon's ten moves are tested in its folder.

use quintain::board::Color;
use quintain::engine;
use quintain::rules::Reason::{self, *};

/// The end of the game after moves from a FEN (`start` for the start position): why, and who won.
fn end(game: &str, fen: &str, moves: &str) -> Option<(Reason, Option<Color>)> {
    let mut session = engine::open(game).expect("a game");
    let moves: Vec<&str> = moves.split_whitespace().collect();
    session
        .set_position(Some(fen).filter(|&fen| fen != "start"), &moves)
        .unwrap_or_else(|error| panic!("{error}"));
    session.outcome().map(|end| (end.reason, end.winner))
}

const WHITE_MATES: Option<(Reason, Option<Color>)> = Some((Checkmate, Some(Color::White)));

fn draw(reason: Reason) -> Option<(Reason, Option<Color>)> {
    Some((reason, None))
}

#[test]
fn checkmate_in_every_game() {
    for (game, fen, mv) in [
        ("canyon", "k******1/2*2*2/1K6/*6*/*6*/8/2*1A*2/1******1 w - - 4 60", "e2f3"),
        ("diamond", "****k****/***3***/**1V3**/*7*/4*K3/*7*/**5**/***3***/****1**** w - - 0 1", "d7e7"),
        ("grandcavalier", "k9/10/3K6/10/10/1Q8/10/10/10/10 w - - 0 1", "b5b9"),
        ("superchess", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5h10"),
        ("superchessfixed", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5h10"),
        ("gast", "k11/12/K11/12/12/12/12/7R4/12/12/12/12 w - - 0 1", "h5h12"),
        ("gast14", "k13/14/K13/14/14/14/14/7R6/14/14/14/14 w - - 0 1", "h5h12"),
        ("chess", "k7/8/K7/8/8/7R/8/8 w - - 0 1", "h3h8"),
        ("grand", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5h10"),
    ] {
        assert_eq!(end(game, fen, ""), None, "{game}");
        assert_eq!(end(game, fen, mv), WHITE_MATES, "{game}");
    }
    assert_eq!(end("chess", "start", "f2f3 e7e5 g2g4 d8h4"), Some((Checkmate, Some(Color::Black))));
}

#[test]
fn stalemate_is_a_draw_in_every_game() {
    for (game, fen, mv) in [
        ("canyon", "k******1/2*2*2/1K6/*6*/*6*/8/2*1A*2/1******1 w - - 4 60", "e2d3"),
        ("diamond", "****k****/***3***/**5**/*3K3*/4*4/*7*/**P4**/***3***/****1**** w - - 0 1", "e6e7"),
        ("grandcavalier", "k9/10/3K6/10/10/7C2/10/10/10/10 w - - 0 1", "d8c10"),
        ("superchess", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5b5"),
        ("superchessfixed", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5b5"),
        ("gast", "k11/12/K11/12/12/12/12/7R4/12/12/12/12 w - - 0 1", "h5b5"),
        ("gast14", "k13/14/K13/14/14/14/14/7R6/14/14/14/14 w - - 0 1", "h5b5"),
        ("chess", "k7/8/K7/8/8/7R/8/8 w - - 0 1", "h3b3"),
        ("grand", "k9/10/K9/10/10/7R2/10/10/10/10 w - - 0 1", "h5b5"),
    ] {
        assert_eq!(end(game, fen, mv), draw(Stalemate), "{game}");
    }
}

#[test]
fn two_royal_pieces_alone_draw() {
    for (game, fen, mv) in [
        ("canyon", "1******1/2*2*2/8/*6*/*2k3*/3P4/K1*2*2/1******1 b - - 7 60", "d4d3"),
        ("diamond", "****1****/***3***/**k4**/*P6*/4*4/*7*/**4K**/***3***/****1**** b - - 7 60", "c7b6"),
        ("grandcavalier", "k9/10/1V8/10/10/10/10/10/10/K9 b - - 7 60", "a10b8"),
        ("superchess", "k9/S9/10/10/10/10/10/10/10/K9 b - - 7 60", "a10a9"),
        ("gast14", "k13/P13/14/14/14/14/14/14/14/14/14/K13 b - - 7 60", "a12a11"),
        ("chess", "k7/P7/8/8/8/8/8/K7 b - - 7 60", "a8a7"),
    ] {
        assert_eq!(end(game, fen, ""), None, "{game}");
        assert_eq!(end(game, fen, mv), draw(BareKings), "{game}");
    }
}

// ---- Repetition ---------------------------------------------------------------------------------------

#[test]
fn the_third_occurrence_draws() {
    for (game, cycle) in [
        ("canyon", "b2c4 b7c5 c4b2 c5b7"),
        ("diamond", "e2d4 e8d6 d4e2 d6e8"),
        ("grandcavalier", "b1a3 b10a8 a3b1 a8b10"),
        ("superchessfixed", "b1c3 b10c8 c3b1 c8b10"),
        ("gast", "b1c3 b12c10 c3b1 c10b12"),
        ("gast14", "b1c3 b12c10 c3b1 c10b12"),
        ("chess", "g1f3 g8f6 f3g1 f6g8"),
        ("grand", "b2c4 b9c7 c4b2 c7b9"),
    ] {
        assert_eq!(end(game, "start", cycle), None, "{game}: the second occurrence");
        let (first_three, _) = cycle.rsplit_once(' ').expect("four moves");
        assert_eq!(end(game, "start", &format!("{cycle} {first_three}")), None, "{game}");
        assert_eq!(end(game, "start", &format!("{cycle} {cycle}")), draw(Repetition), "{game}");
    }
}

#[test]
fn exchanges_and_turns_can_repeat_positions() {
    let swaps = "d2b2 d7b7 b2d2 b7d7";
    assert_eq!(end("canyon", "start", swaps), None);
    assert_eq!(end("canyon", "start", &format!("{swaps} {swaps}")), draw(Repetition));
    let turns = "d1d1e d10d10w d1d1n d10d10n";
    assert_eq!(end("superchessfixed", "start", turns), None);
    assert_eq!(end("superchessfixed", "start", &format!("{turns} {turns}")), draw(Repetition));
    // Four times the same pieces on the same squares, but the cyclops has another facing each time.
    let facings = "d1d1e d10d10w d1d1s d10d10e d1d1w d10d10s d1d1ne d10d10ne";
    assert_eq!(end("superchessfixed", "start", facings), None);
}

#[test]
fn positions_with_other_rights_are_other_positions() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let cycle = "a1b1 a8b8 b1a1 b8a8 ";
    // The first cycle takes the rights; the position without them has come twice after two, three times after three.
    assert_eq!(end("chess", fen, &cycle.repeat(2)), None);
    assert_eq!(end("chess", fen, &cycle.repeat(3)), draw(Repetition));
    assert_eq!(end("chess", &fen.replace("KQkq", "-"), &cycle.repeat(2)), draw(Repetition));
}

#[test]
fn an_en_passant_square_counts_only_if_a_capture_there_is_legal() {
    let cycle = "e8d8 e1d1 d8e8 d1e1 ";
    // If a pawn can capture en passant, the position after the double step does not repeat.
    let taker = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(end("chess", taker, &format!("e2e4 {}", cycle.repeat(2))), None);
    assert_eq!(end("chess", taker, &format!("e2e4 {}", cycle.repeat(3))), draw(Repetition));
    // Otherwise it does.
    let nobody = "4k3/8/8/8/p7/8/4P3/4K3 w - - 0 1";
    assert_eq!(end("chess", nobody, &format!("e2e4 {}", cycle.repeat(2))), draw(Repetition));
    // A pinned pawn cannot take.
    let pinned = "1n1k4/8/8/8/3p4/8/4P3/1N1RK3 w - - 0 1";
    let knights = "b8a6 b1a3 a6b8 a3b1 ";
    assert_eq!(end("chess", pinned, &format!("e2e4 {}", knights.repeat(2))), draw(Repetition));
    // The same in a FEN that comes with the square.
    let given = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    assert_eq!(end("chess", given, &cycle.repeat(2)), None);
    assert_eq!(end("chess", given, &cycle.repeat(3)), draw(Repetition));
}

#[test]
fn nothing_comes_again_after_a_capture() {
    let cycle = "g1f3 g8f6 f3g1 f6g8";
    let moves = format!("{cycle} e2e4 d7d5 e4d5 d8d5 {cycle}");
    assert_eq!(end("chess", "start", &moves), None);
    assert_eq!(end("chess", "start", &format!("{moves} {cycle}")), draw(Repetition));
}

// ---- Fifty moves --------------------------------------------------------------------------------------

#[test]
fn a_hundred_plies_without_an_irreversible_move_draw() {
    for (game, fen, reversible, irreversible) in [
        // An exchange, a sideways pawn, a cavalier and its promotion, a run over an own piece, castling.
        ("canyon", "1******k/2*2*2/8/*1p4*/*6*/2P1K1P1/2*2*2/1******1 w - - 99 90", "e3g3", "c3c4"),
        (
            "diamond",
            "****k****/***3***/**5**/*p6*/4*4/*3P3*/**5**/***3***/****K**** w - - 99 90",
            "e1e2",
            "e4f4",
        ),
        ("grandcavalier", "9k/10/1V8/10/10/10/10/10/10/K9 w - - 99 90", "b8d7", "b8a10q"),
        ("superchess", "k9/10/10/10/10/10/3C6/3P6/10/9K w - - 99 90 n", "d4d4s", "d4d3n"),
        ("gast", "r5k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 99 90", "g1k1", "a1a12"),
        ("chess", "r3k3/8/8/8/8/8/8/R3K3 w Q - 99 90", "e1c1", "a1a8"),
        ("grand", "9k/10/10/10/10/10/10/P9/10/K9 w - - 99 90", "a1b1", "a3a5"),
    ] {
        assert_eq!(end(game, fen, ""), None, "{game}");
        assert_eq!(end(game, fen, reversible), draw(FiftyMoves), "{game}");
        assert_eq!(end(game, fen, irreversible), None, "{game}");
        let earlier = fen.replace(" 99 ", " 98 ");
        assert_eq!(end(game, &earlier, reversible), None, "{game}");
    }
}

// ---- Which comes first --------------------------------------------------------------------------------

#[test]
fn mate_and_stalemate_come_before_all_draws() {
    // On the hundredth ply.
    assert_eq!(end("chess", "k7/8/K7/8/8/7R/8/8 w - - 99 90", "h3h8"), WHITE_MATES);
    assert_eq!(end("chess", "k7/8/K7/8/8/7R/8/8 w - - 99 90", "h3b3"), draw(Stalemate));
    // With two kings only.
    assert_eq!(end("canyon", "k******1/2*2*2/1K6/*6*/*6*/8/2*2*2/1******1 b - - 5 60", ""), draw(Stalemate));
    assert_eq!(
        end("diamond", "****k****/***3***/**2K2**/*7*/4*4/*7*/**5**/***3***/****1**** b - - 100 60", ""),
        draw(Stalemate)
    );
    assert_eq!(end("grandcavalier", "k1K7/10/10/10/10/10/10/10/10/10 b - - 100 60", ""), draw(Stalemate));
}

#[test]
fn bare_kings_come_before_repetition_and_fifty_moves() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 100 90";
    assert_eq!(end("chess", fen, ""), draw(BareKings));
    let cycle = "e1d1 e8d8 d1e1 d8e8 ";
    assert_eq!(end("chess", fen, &cycle.repeat(2)), draw(BareKings));
}

#[test]
fn repetition_comes_before_fifty_moves() {
    let fen = "4k3/7r/8/8/8/8/8/4K3 w - - 92 90";
    let cycle = "e1d1 e8d8 d1e1 d8e8 ";
    assert_eq!(end("chess", fen, &cycle.repeat(2)), draw(Repetition));
    let earlier = fen.replace(" 92 ", " 93 ");
    assert_eq!(end("chess", &earlier, &format!("{cycle}e1d1 e8d8 d1e1")), draw(FiftyMoves));
}
