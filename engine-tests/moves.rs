//! Errors for texts that are not legal moves. Explanations of a single game are tested in its folder.

use quintain::engine;
use quintain::notation::MoveError;

/// Why a move is refused in a position (`start` for the start position).
fn reason(game: &str, fen: &str, text: &str) -> String {
    let mut session = engine::open(game).expect("a game");
    session
        .set_position(Some(fen).filter(|&fen| fen != "start"), &[])
        .unwrap_or_else(|error| panic!("{error}"));
    let before = session.fen();
    let error: MoveError = session.play(text).expect_err(text);
    let shown = text.replace('\n', "\\n");
    assert_eq!(error.text, shown);
    assert_eq!(error.to_string(), format!("{shown}: {}", error.reason));
    assert_eq!(session.fen(), before, "a refused move changes nothing");
    error.reason
}

fn assert_reasons(game: &str, fen: &str, reasons: &[(&str, &str)]) {
    for (text, expected) in reasons {
        assert_eq!(reason(game, fen, text), *expected, "{text} in {fen}");
    }
}

#[test]
fn texts_that_are_no_two_squares() {
    let begin = "a move begins with a square of the board";
    for game in engine::NAMES {
        for text in ["", " ", "e", "4", "E2E4", "z1a1", "a0a1", "a99a1", "e", "é2e4", "-", "O-O", "Nf3", "\n"]
        {
            assert_eq!(reason(game, "start", text), begin, "{text}");
        }
        for text in ["e2", "e2e", "e2 e4", "e2-e4", "e2E4", "e2é4", "e2z4", "e2e99"] {
            assert_eq!(reason(game, "start", text), "no square of the board follows e2", "{text}");
        }
        if *game != "superchess" {
            assert_eq!(reason(game, "start", "P@e4"), "there is no piece to place");
        }
    }
    // Squares of bigger boards, and holes.
    assert_eq!(reason("chess", "start", "i1i2"), begin);
    assert_eq!(reason("chess", "start", "a9a8"), begin);
    assert_eq!(reason("canyon", "start", "c2c3"), begin);
    assert_eq!(reason("canyon", "start", "b2c2"), "no square of the board follows b2");
    assert_eq!(reason("diamond", "start", "e4e5"), "no square of the board follows e4");
    assert_eq!(reason("diamond", "start", "a1a2"), begin);
}

#[test]
fn nobody_there_or_the_opponents_piece() {
    assert_reasons(
        "chess",
        "start",
        &[
            ("e3e4", "there is no piece on e3"),
            ("e7e5", "the pawn on e7 is Black's, but White is to move"),
            ("b8c6", "the knight on b8 is Black's, but White is to move"),
            ("e1e2", "a piece of the same side is on e2"),
            ("e1e1", "a piece of the same side is on e1"),
        ],
    );
    let black = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
    assert_reasons("chess", black, &[("a1a2", "the rook on a1 is White's, but Black is to move")]);
}

#[test]
fn blocked_pieces_and_moves_that_the_piece_does_not_have() {
    assert_reasons(
        "chess",
        "start",
        &[
            ("a1a3", "the rook is blocked by the piece on a2"),
            ("f1b5", "the bishop is blocked by the piece on e2"),
            ("d1d8", "the queen is blocked by the piece on d2"),
            ("g1g3", "the knight on g1 cannot go to g3"),
            ("e2e5", "the pawn on e2 cannot go to e5"),
            ("e2d3", "a pawn moves diagonally only to capture, and d3 is empty"),
            ("e2e4q", "'q' does not belong to this move, write e2e4"),
            ("g1f3x", "'x' does not belong to this move, write g1f3"),
            ("e1g1", "a piece of the same side is on g1"),
        ],
    );
    let pawns = "4k3/8/8/8/4p3/3pP3/3P4/4K3 w - - 0 1";
    assert_reasons(
        "chess",
        pawns,
        &[
            ("e3e4", "the pawn is blocked by the piece on e4"),
            ("d2d4", "the pawn is blocked by the piece on d3"),
        ],
    );
    assert_reasons(
        "grandcavalier",
        "9k/10/10/10/10/2p7/10/1V8/10/N4K4 w - - 0 1",
        &[("a1c5", "the nightrider is blocked by the piece on b3")],
    );
    assert_reasons("gast", "start", &[("e2e7", "the pawn on e2 cannot go to e7")]);
}

#[test]
fn the_king_must_be_safe() {
    let pinned = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1";
    assert_reasons(
        "chess",
        pinned,
        &[
            ("e2d3", "the king would be attacked"),
            ("e2a6", "the king would be attacked"),
            ("e1e2", "a piece of the same side is on e2"),
        ],
    );
    let checked = "4r2k/8/8/8/8/8/B7/4K3 w - - 0 1";
    assert_reasons(
        "chess",
        checked,
        &[
            ("a2b3", "this does not end the check by the piece on e8"),
            ("e1e2", "the king would be attacked on e2"),
            ("a2a3", "no legal move; the king is in check"),
        ],
    );
    let near = "7k/8/8/8/8/4n3/8/4K1R1 w - - 0 1";
    assert_reasons("chess", near, &[("e1f1", "the king would be attacked on f1")]);
    let guarded = "7k/8/8/8/8/5b2/4n3/4K3 w - - 0 1";
    assert_reasons("chess", guarded, &[("e1e2", "the king would be attacked on e2")]);
    let cannon = "4c4k/10/10/10/4v5/10/10/10/10/4K5 w - - 0 1";
    assert_reasons("grandcavalier", cannon, &[("e1e2", "the Eques Rex would be attacked on e2")]);
}

#[test]
fn promotion_letters() {
    let pawn = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    assert_reasons(
        "chess",
        pawn,
        &[
            ("a7a8", "add one of: q r b n"),
            ("a7a8k", "'k' is not one of: q r b n"),
            ("a7a8Q", "'Q' is not one of: q r b n"),
            ("a7a8=q", "'=q' is not one of: q r b n"),
            ("a7a8qq", "'qq' is not one of: q r b n"),
            ("a7b8q", "a pawn moves diagonally only to capture, and b8 is empty"),
        ],
    );
    for (game, fen, mv, choices) in [
        ("canyon", "1******k/2*2*2/8/*1P4*/*6*/8/2*2*2/K******1 w - - 0 1", "c5c6", "q m a n"),
        (
            "diamond",
            "****1****/***3***/**1P3**/*7*/4*k3/*7*/**5**/***3***/****K**** w - - 0 1",
            "d7d8",
            "v r a n",
        ),
        ("gast", "k11/4P7/12/12/12/12/12/12/12/12/12/11K w - - 0 1", "e11e12", "q a g r b n"),
        ("gast14", "k13/4P9/14/14/14/14/14/14/14/14/14/13K w - - 0 1", "e11e12", "q o a g r b n"),
        (
            "superchessfixed",
            "k9/4P5/10/10/10/10/10/10/10/9K w - - 0 1",
            "e9e10",
            "q r a b n cn cne ce cse cs csw cw cnw",
        ),
    ] {
        assert_eq!(reason(game, fen, mv), format!("add one of: {choices}"));
        assert_eq!(reason(game, fen, &format!("{mv}k")), format!("'k' is not one of: {choices}"));
    }
}

#[test]
fn moves_as_people_write_them() {
    let mut session = engine::open("chess").expect("a game");
    let refused = |session: &mut Box<dyn engine::Session>, text: &str| {
        session.play_any(text).expect_err(text).to_string()
    };
    assert_eq!(refused(&mut session, "Nf6"), "Nf6: White has no knight that can go to f6");
    assert_eq!(refused(&mut session, "e2e5"), "e2e5: the pawn on e2 cannot go to e5");
    assert!(refused(&mut session, "").contains("not a move"));
    for (text, coordinates) in
        [("e4", "e2e4"), ("e5", "e7e5"), ("Nf3", "g1f3"), ("nc6", "b8c6"), ("Bb5!?", "f1b5")]
    {
        assert_eq!(session.play_any(text).expect(text).text, coordinates);
    }
    session.set_position(Some("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1"), &[]).expect("a position");
    assert_eq!(refused(&mut session, "Rd1"), "Rd1: write Rad1 or Rfd1");
    for (text, coordinates) in
        [("Rad1", "a1d1"), ("rfd1", "f1d1"), ("Rf8", "f1f8"), ("Rf8+", "f1f8"), ("Rf8#", "f1f8")]
    {
        session.set_position(Some("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1"), &[]).expect("a position");
        assert_eq!(session.play_any(text).expect(text).text, coordinates);
    }
}

#[test]
fn moves_as_other_programs_write_them() {
    let play = |game: &str, fen: &str, text: &str| {
        let mut session = engine::open(game).expect("a game");
        session.set_position(Some(fen).filter(|&fen| fen != "start"), &[]).expect("a position");
        session.play_any(text).unwrap_or_else(|error| panic!("{error}")).text
    };
    // Figurines of both colours, with and without the character that asks for an emoji or a plain sign.
    for text in ["♘f3", "♞f3", "♘\u{fe0e}f3", "♞\u{fe0f}f3!"] {
        assert_eq!(play("chess", "start", text), "g1f3", "{text}");
    }
    assert_eq!(play("chess", "start", "♙e4"), "e2e4");
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (text, coordinates) in
        [("O–O", "e1g1"), ("0—0−0", "e1c1"), ("O-O-O+", "e1c1"), ("e1–g1", "e1g1"), ("♖xa8", "a1a8")]
    {
        assert_eq!(play("chess", castling, text), coordinates, "{text}");
    }
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    for text in ["exd6", "exd6e.p.", "exd6 e.p.", "ed6ep", "exd6ep"] {
        assert_eq!(play("chess", passing, text), "e5d6", "{text}");
    }
    assert_eq!(play("chess", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=♕"), "e7e8q");
    assert_eq!(play("canyon", "start", "♔–♘b2"), "d2b2");
}
