//! Errors for invalid FENs of all games. Castling rights, en-passant squares, pawns that would have promoted and
//! seventh fields are tested in the folders of the games that have them.

use quintain::engine::{self, PositionError};
use quintain::notation::FenError;

/// The start position of a game.
fn start(game: &str) -> &'static str {
    engine::info(game).expect("a game").start
}

/// A FEN with one field replaced.
fn with_field(fen: &str, index: usize, field: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[index] = field;
    fields.join(" ")
}

/// The FEN read and written again, or the error.
fn read(game: &str, fen: &str) -> Result<String, FenError> {
    let mut session = engine::open(game).expect("a game");
    match session.set_position(Some(fen), &[]) {
        Ok(()) => Ok(session.fen()),
        Err(PositionError::Fen(error)) => Err(error),
        Err(PositionError::Move(error)) => panic!("no move was given: {error}"),
    }
}

fn assert_refused(game: &str, fen: &str, field: &str, what: &str) {
    let error = read(game, fen).expect_err(fen);
    assert_eq!((error.field, error.what.as_str()), (field, what), "{game}: {fen}");
}

#[test]
fn the_start_positions_are_written_as_they_are_read() {
    for game in engine::NAMES {
        assert_eq!(read(game, start(game)).as_deref(), Ok(start(game)));
    }
}

#[test]
fn counters_may_be_missing() {
    for game in engine::NAMES.iter().filter(|&&game| game != "superchess") {
        let fields: Vec<&str> = start(game).split(' ').collect();
        for given in [4, 5, 6] {
            assert_eq!(read(game, &fields[..given].join(" ")).as_deref(), Ok(start(game)));
        }
    }
    let fen = "4k3/8/8/8/8/8/4p3/4K3 b - -";
    assert_eq!(read("chess", fen).unwrap(), format!("{fen} 0 1"));
    assert_eq!(read("chess", &format!("{fen} 12")).unwrap(), format!("{fen} 12 1"));
}

#[test]
fn too_few_and_too_many_fields() {
    for game in engine::NAMES {
        let fields: Vec<&str> = start(game).split(' ').collect();
        for given in 0..4 {
            let what =
                format!("{given} fields instead of at least four (placement side castling en-passant)");
            assert_refused(game, &fields[..given].join(" "), "FEN", &what);
        }
        let surplus = format!("{} - moves", fields[..6].join(" "));
        assert_refused(game, &surplus, "FEN", "'moves' follows the last field");
    }
    for game in ["diamond", "grandcavalier", "gast", "gast14", "chess", "grand"] {
        let fen = format!("{} -", start(game));
        assert_refused(game, &fen, "seventh field", "this game has no seventh field");
    }
}

#[test]
fn the_side_to_move() {
    for game in engine::NAMES {
        for side in ["W", "white", "-", "wb", "é"] {
            let fen = with_field(start(game), 1, side);
            assert_refused(game, &fen, "side to move", &format!("'{side}' is neither w nor b"));
        }
    }
}

#[test]
fn counters_that_are_no_numbers() {
    for game in engine::NAMES {
        for counter in ["-1", "+1", "x", "1.5", "10000", "99999999999", "-"] {
            let fen = with_field(start(game), 4, counter);
            let what = format!("'{counter}' is not a number from 0 to 9999");
            assert_refused(game, &fen, "halfmove clock", &what);
        }
        for counter in ["0", "-1", "+1", "x", "10000"] {
            let fen = with_field(start(game), 5, counter);
            let what = format!("'{counter}' is not a number from 1 to 9999");
            assert_refused(game, &fen, "fullmove number", &what);
        }
    }
}

#[test]
fn no_number_is_written_that_is_not_read() {
    for game in engine::NAMES {
        let mut session = engine::open(game).expect("a game");
        session.set_position(Some(&with_field(start(game), 5, "9999")), &[]).expect("a FEN");
        for _ in 0..2 {
            let first = session.moves()[0].clone();
            session.play(&first).expect("a legal move");
        }
        let fen = session.fen();
        assert_eq!(read(game, &fen), Ok(fen));
    }
}

#[test]
fn the_number_of_ranks() {
    for game in engine::NAMES {
        let info = engine::info(game).expect("a game");
        let placement = start(game).split(' ').next().expect("a placement");
        let (rows, ranks) = (placement.split('/').collect::<Vec<_>>(), info.ranks);
        let fewer = with_field(start(game), 0, &rows[1..].join("/"));
        assert_refused(game, &fewer, "placement", &format!("{} ranks instead of {ranks}", ranks - 1));
        let more = with_field(start(game), 0, &format!("{}/{placement}", rows[0]));
        assert_refused(game, &more, "placement", &format!("{} ranks instead of {ranks}", ranks + 1));
    }
}

#[test]
fn the_number_of_files() {
    for game in engine::NAMES {
        let (files, ranks) = engine::info(game).map(|info| (info.files, info.ranks)).expect("a game");
        let replace = |row: &str| {
            let rest = start(game).split_once('/').expect("several ranks").1;
            format!("{row}/{rest}")
        };
        let first = start(game).split('/').next().expect("a rank");
        let shorter = format!("rank {ranks} has {} squares instead of {files}", files - 1);
        assert_refused(game, &replace(&first[..first.len() - 1]), "placement", &shorter);
        let longer = format!("rank {ranks} has more than {files} squares");
        assert_refused(game, &replace(&format!("{first}k")), "placement", &longer);
    }
    for (game, row, what) in [
        ("chess", "9", "rank 8 has more than 8 squares"),
        ("chess", "44k", "rank 8 has more than 8 squares"),
        ("chess", "0rnbqkbnr", "a number of empty squares on rank 8 begins with 0"),
        ("chess", "4k03", "a number of empty squares on rank 8 begins with 0"),
        ("chess", "rnbqkbn2", "rank 8 has more than 8 squares"),
        ("gast14", "99999999999999999999", "rank 12 has more than 14 squares"),
        ("chess", "", "rank 8 has 0 squares instead of 8"),
    ] {
        let rest = start(game).split_once('/').expect("several ranks").1;
        assert_refused(game, &format!("{row}/{rest}"), "placement", what);
    }
}

#[test]
fn unknown_pieces() {
    for (game, fen, what) in [
        ("chess", "rnbqkbnr/ppppxppp/8/8/8/8/8/RNBQKBNR w - - 0 1", "'x' on e7 is no piece of this game"),
        ("chess", "rnbqkbnr/ppppéppp/8/8/8/8/8/RNBQKBNR w - - 0 1", "'é' on e7 is no piece of this game"),
        ("chess", "rnbqkbnr/8/8/8/8/8/8/RNBQKB?R w - - 0 1", "'?' on g1 is no piece of this game"),
        (
            "canyon",
            "1******1/an*kq*na/8/*6*/*6*/R7/AN*KQ*NA/1******1 w - - 0 1",
            "'R' on a3 is no piece of this game",
        ),
        ("grandcavalier", "k9/10/10/10/10/10/10/10/10/KA8 w - - 0 1", "'A' on b1 is no piece of this game"),
        ("gast", "k11/12/12/12/12/12/12/12/12/12/12/10OK w - - 0 1", "'O' on k1 is no piece of this game"),
    ] {
        assert_refused(game, fen, "placement", what);
    }
}

#[test]
fn holes_and_pieces_on_holes() {
    for (game, fen, what) in [
        ("canyon", "1*****k*/2*2*2/8/*6*/*6*/8/2*2*2/1******K w - - 0 1", "'k' stands on the hole g8"),
        ("canyon", "1******k/2p2*2/8/*6*/*6*/8/2*2*2/1******K w - - 0 1", "'p' stands on the hole c7"),
        ("canyon", "1******k/2*2*2/8/8/*6*/8/2*2*2/1******K w - - 0 1", "a5 is a hole, write * there"),
        ("canyon", "1******k/3p*2/8/*6*/*6*/8/2*2*2/1******K w - - 0 1", "c7 is a hole, write * there"),
        (
            "canyon",
            "*******k/2*2*2/8/*6*/*6*/8/2*2*2/1******K w - - 0 1",
            "a8 is a square of the board, not a hole",
        ),
        (
            "diamond",
            "****k****/***3***/**5**/*7*/4n4/*7*/**5**/***3***/****K**** w - - 0 1",
            "'n' stands on the hole e5",
        ),
        (
            "diamond",
            "****k****/***3***/**5**/*7*/9/*7*/**5**/***3***/****K**** w - - 0 1",
            "e5 is a hole, write * there",
        ),
        (
            "diamond",
            "****k****/***3***/**5**/*7*/4*4/*3*3*/**5**/***3***/****K**** w - - 0 1",
            "e4 is a square of the board, not a hole",
        ),
        ("chess", "4k3/8/8/8/8/8/*7/4K3 w - - 0 1", "a2 is a square of the board, not a hole"),
    ] {
        assert_refused(game, fen, "placement", what);
    }
}

#[test]
fn exactly_one_royal_piece_a_side() {
    for (game, royal) in
        engine::NAMES.iter().map(|game| (game, if *game == "grandcavalier" { "Eques Rex" } else { "king" }))
    {
        let placement = start(game).split(' ').next().expect("a placement");
        for (letter, color) in [('K', "White"), ('k', "Black")] {
            let none = with_field(start(game), 0, &placement.replace(letter, "1"));
            assert_refused(game, &none, "placement", &format!("{color} has no {royal}"));
            // Each game has a piece with the letter n.
            let knight = if letter == 'K' { "N" } else { "n" };
            let two = with_field(start(game), 0, &placement.replacen(knight, &letter.to_string(), 1));
            let what = format!("{color} has 2 pieces of the kind {royal} instead of one");
            assert_refused(game, &two, "placement", &what);
        }
    }
}

#[test]
fn no_more_pieces_than_at_the_start() {
    for (game, fen, pieces) in [
        (
            "canyon",
            "1******1/an*kq*na/mppppppm/*6*/*5P*/MPPPPPPM/AN*KQ*NA/1******1 w - - 0 1",
            "White has 15 pieces, more than the 14",
        ),
        (
            "diamond",
            "****k****/***anv***/**pprpp**/*n2p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1",
            "Black has 11 pieces, more than the 10",
        ),
        (
            "grandcavalier",
            "1mnpqkpnm1/c8c/1vvvvvvvv1/10/10/10/9V/1VVVVVVVV1/C8C/1MNPQKPNM1 w - - 0 1",
            "White has 19 pieces, more than the 18",
        ),
        (
            "superchess",
            "rnbckqabnr/ppppsspppp/q9/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 1",
            "Black has 21 pieces, more than the 20",
        ),
        (
            "gast",
            "rngabqkbagnr/pppppppppppp/p11/12/12/12/12/12/12/12/PPPPPPPPPPPP/RNGABQKBAGNR w - - 0 1",
            "Black has 25 pieces, more than the 24",
        ),
        (
            "gast14",
            "rngabqkoqbagnr/pppppppppppppp/14/14/14/14/14/14/14/13P/PPPPPPPPPPPPPP/RNGABQKOQBAGNR w - - 0 1",
            "White has 29 pieces, more than the 28",
        ),
        (
            "chess",
            "rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKBNR w - - 0 1",
            "White has 17 pieces, more than the 16",
        ),
        (
            "grand",
            "r8r/1nbqkcabn1/pppppppppp/q9/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1",
            "Black has 21 pieces, more than the 20",
        ),
    ] {
        assert_refused(game, fen, "placement", &format!("{pieces} at the start"));
    }
}

#[test]
fn the_side_that_is_not_to_move_is_not_in_check() {
    for (game, fen) in [
        ("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"),
        ("canyon", "1******1/2*k1*2/8/*1M4*/*6*/8/2*K1*2/1******1 w - - 0 1"),
        ("diamond", "****k****/***1V1***/**5**/*7*/4*4/*7*/**5**/***3***/****K**** w - - 0 1"),
        // The cannon over one piece, the cavalier past its free leg, the nightrider in two leaps.
        ("grandcavalier", "4k5/10/4v5/10/10/4C5/10/10/10/K9 w - - 0 1"),
        ("grandcavalier", "4k5/10/3V6/10/10/10/10/10/10/K9 w - - 0 1"),
        ("grandcavalier", "4k5/10/10/10/6N3/10/10/10/10/K9 w - - 0 1"),
        // The shot over a piece, and the cyclops from behind.
        ("superchess", "4k5/4p5/4p5/4p5/4A5/10/10/10/10/K9 w - - 0 1"),
        ("superchess", "4k5/4p5/4p5/4C5/10/10/10/10/10/K9 w - - 0 1 s"),
        ("superchess", "4k5/5p4/6S3/10/10/10/10/10/10/K9 w - - 0 1"),
        ("gast", "4k7/12/6P5/12/12/12/12/12/12/12/12/K11 w - - 0 1"),
        ("gast14", "4k9/14/14/5O8/14/14/14/14/14/14/14/K13 w - - 0 1"),
        ("grand", "4k5/3P6/10/10/10/10/10/10/10/K9 w - - 0 1"),
    ] {
        assert_refused(game, fen, "side to move", "White is to move and could take the royal piece of Black");
        let other = fen.replace(" w ", " b ");
        assert_eq!(read(game, &other).as_ref().map(|fen| fen.split(' ').nth(1)), Ok(Some("b")), "{other}");
    }
    let kings = "8/8/8/8/8/8/4k3/4K3 w - - 0 1";
    assert_refused(
        "chess",
        kings,
        "side to move",
        "White is to move and could take the royal piece of Black",
    );
    let black = "4k3/8/8/8/4r3/8/8/4K3 b - - 0 1";
    assert_refused(
        "chess",
        black,
        "side to move",
        "Black is to move and could take the royal piece of White",
    );
}

#[test]
fn games_without_castling_en_passant_and_pieces_in_hand() {
    for game in ["canyon", "diamond", "grandcavalier", "grand"] {
        let fen = with_field(start(game), 2, "KQ");
        assert_refused(game, &fen, "castling", "this game has no castling rights, write -");
    }
    for game in ["canyon", "diamond", "grandcavalier"] {
        let fen = with_field(start(game), 3, "e4");
        assert_refused(game, &fen, "en passant", "this game has no en passant, write -");
    }
    for game in engine::NAMES.iter().filter(|game| !game.starts_with("superchess")) {
        let placement = start(game).split(' ').next().expect("a placement");
        for pocket in ["[]", "[Pp]"] {
            let fen = with_field(start(game), 0, &format!("{placement}{pocket}"));
            assert_refused(game, &fen, "pieces in hand", "this game has no pieces in hand");
        }
        let open = with_field(start(game), 0, &format!("{placement}[P"));
        assert_refused(game, &open, "placement", "'[' without ']' at the end");
    }
}

#[test]
fn a_castling_field_is_not_empty_and_an_en_passant_square_is_one() {
    for game in ["superchess", "superchessfixed", "gast", "gast14", "chess"] {
        let fen = with_field(start(game), 2, "--");
        let error = read(game, &fen).expect_err(&fen);
        assert!(error.field == "castling" && error.what.starts_with("'-' is not one of "), "{error}");
    }
    for game in engine::NAMES {
        for square in ["e", "4", "e0", "E4", "z1", "e33", "e4e5", "é3", "--"] {
            let fen = with_field(start(game), 3, square);
            assert_refused(game, &fen, "en passant", &format!("'{square}' is not a square of the board"));
        }
    }
}

#[test]
fn errors_cut_long_fields_and_escape_control_characters() {
    for game in engine::NAMES {
        for (index, name) in [(1, "side to move"), (2, "castling"), (3, "en passant"), (4, "halfmove clock")]
        {
            let field = format!("\x1b[31m{}", "x".repeat(100_000));
            let error = read(game, &with_field(start(game), index, &field)).expect_err(name).to_string();
            assert!(error.len() < 250 && !error.contains(char::is_control), "{game}, {name}: {error}");
        }
        let fen = with_field(start(game), 0, &format!("\x1b{}", "x".repeat(100_000)));
        let error = read(game, &fen).expect_err("no placement").to_string();
        assert!(error.len() < 250 && !error.contains(char::is_control), "{game}, placement: {error}");
    }
}
