//! Helpers for the tests of the games: positions from FEN, lines of moves in coordinates, errors as text.

use crate::board::zobrist::split_mix;
use crate::board::{Color, Move, Tag};
use crate::eval::Evaluate;
use crate::notation::{Lesson, Notation, coords, fen, san};
use crate::rules::outcome::Reason;
use crate::rules::{Outcome, PieceDef, Position, Variant};
use std::collections::BTreeSet;

/// The position of a FEN.
pub fn position<V: Notation>(fen: &str) -> Position<V> {
    fen::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays moves, separated by blanks.
pub fn play<V: Notation>(pos: &mut Position<V>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = coords::parse(pos, text).unwrap_or_else(|error| panic!("{}: {error}", fen::write(pos)));
        pos.play_unchecked(mv);
    }
}

/// The position that moves lead to from a FEN.
pub fn after<V: Notation>(fen: &str, moves: &str) -> Position<V> {
    let mut pos = position(fen);
    play(&mut pos, moves);
    pos
}

/// The FEN that moves lead to from a FEN.
pub fn fen_after<V: Notation>(fen: &str, moves: &str) -> String {
    fen::write(&after::<V>(fen, moves))
}

/// The legal moves whose texts begin with `beginning` (with a square, for example), sorted, without that beginning.
pub fn moves<V: Notation>(pos: &Position<V>, beginning: &str) -> String {
    let texts = pos.legal_moves().into_iter().map(|mv| coords::write(pos, mv));
    let mut texts: Vec<String> =
        texts.filter_map(|text| text.strip_prefix(beginning).map(str::to_owned)).collect();
    texts.sort();
    texts.join(" ")
}

/// The squares of the pieces that give check to the side to move, sorted.
pub fn checkers<V: Notation>(pos: &Position<V>) -> String {
    use crate::board::SquareSet;
    let mut names: Vec<String> = pos.checkers().squares().map(|s| pos.geometry().name(s)).collect();
    names.sort();
    names.join(" ")
}

/// The SAN of a legal move.
pub fn san<V: Notation>(pos: &Position<V>, coordinates: &str) -> String {
    san::write(pos, coords::parse(pos, coordinates).unwrap_or_else(|error| panic!("{error}")))
}

/// The coordinates of a move in SAN.
pub fn san_read<V: Notation>(pos: &Position<V>, text: &str) -> String {
    coords::write(pos, san::parse(pos, text).unwrap_or_else(|error| panic!("{error}")))
}

/// Why a FEN is refused.
pub fn fen_error<V: Notation>(fen: &str) -> String {
    match fen::parse::<V>(fen) {
        Ok(pos) => panic!("{fen} is read as {}", fen::write(&pos)),
        Err(error) => error.to_string(),
    }
}

/// Why a move is refused.
pub fn move_error<V: Notation>(pos: &Position<V>, text: &str) -> String {
    match coords::parse(pos, text) {
        Ok(_) => panic!("{text} is legal in {}", fen::write(pos)),
        Err(error) => error.reason,
    }
}

/// How the game ends that moves lead to from a FEN.
pub fn outcome_after<V: Notation>(fen: &str, moves: &str) -> Option<Outcome> {
    after::<V>(fen, moves).outcome()
}

/// Calls `check` with the positions of a random game, the start among them.
fn random_game<V: Notation>(mut seed: u64, plies: usize, check: impl Fn(&Position<V>)) {
    let mut pos = fen::start::<V>();
    check(&pos);
    for _ in 0..plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        let random;
        (seed, random) = split_mix(seed);
        pos.play_unchecked(moves[(random % moves.len() as u64) as usize]);
        check(&pos);
    }
}

/// Colour-bound pieces stay on squares of one colour, in positions of a random game.
pub fn colours_are_kept<V: Evaluate + Notation>() {
    random_game::<V>(4, 200, |pos| {
        let bound = |mv: &Move| mv.tag() != Tag::Place && V::COLOUR_BOUND.contains(&mv.kind());
        for mv in pos.legal_moves().into_iter().filter(bound) {
            assert!(pos.geometry().same_shade(mv.from(), mv.to()), "{}", coords::write(pos, mv));
        }
    });
}

/// A null move changes the side to move and is taken back without trace, in positions of a random game.
pub fn null_moves_are_taken_back<V: Notation>() {
    random_game::<V>(5, 120, |before| {
        if before.in_check() {
            return;
        }
        let mut pos = before.clone();
        pos.play_null();
        assert_eq!(pos.side(), !before.side());
        assert_eq!(pos.keys(), pos.keys_from_scratch());
        assert_ne!(pos.key(), before.key());
        assert_eq!(pos.take_back(), None);
        pos.undo_null_move();
        assert!(pos == *before, "passing taken back leaves {}", fen::write(&pos));
    });
}

/// Plays a lesson's moves and calls `check` with each of them.
fn play_lesson<V: Notation>(lesson: &Lesson, check: &mut impl FnMut(Move)) -> Position<V> {
    let mut pos = lesson.fen.map_or_else(fen::start, position::<V>);
    for &(text, remark) in lesson.moves {
        let mv = coords::parse(&pos, text).or_else(|_| san::parse(&pos, text));
        let mv = mv.unwrap_or_else(|error| panic!("{}: {error}", lesson.title));
        check(mv);
        pos.play_unchecked(mv);
        let mates = pos.outcome().is_some_and(|outcome| outcome.reason == Reason::Checkmate);
        assert_eq!(remark.to_lowercase().contains("mate"), mates, "{text}: {remark}");
    }
    assert!(!lesson.title.is_empty() && !lesson.text.is_empty() && !lesson.moves.is_empty(), "{}", V::NAME);
    pos
}

/// Positions and moves of a game's lessons are legal; each piece and each sort of move is shown; the example ends in mate.
pub fn lessons_are_sound<V: Notation>() {
    let lessons = V::LESSONS.unwrap_or_else(|| panic!("{} has no lessons", V::NAME));
    let letters = |defs: &[PieceDef]| defs.iter().map(|def| def.letter as char).collect::<BTreeSet<_>>();
    let shown: BTreeSet<char> = lessons.pieces.iter().map(|piece| piece.0).collect();
    assert_eq!(shown, letters(V::PIECES), "{}", V::NAME);
    for &(letter, fen) in lessons.pieces {
        let pos = position::<V>(fen);
        let goes = |mv: &Move| V::PIECES[mv.kind().index()].letter as char == letter;
        assert!(pos.side() == Color::White && pos.legal_moves().iter().any(goes), "{}: {letter}", V::NAME);
    }
    let mut shown = BTreeSet::new();
    for lesson in lessons.rules {
        play_lesson::<V>(lesson, &mut |mv| {
            shown.insert(format!("{:?}", mv.tag()));
        });
    }
    for seed in 0..20 {
        random_game::<V>(seed, 100, |pos| {
            for mv in pos.legal_moves() {
                let ordinary = matches!(mv.tag(), Tag::Plain | Tag::LongStep);
                let tag = format!("{:?}", mv.tag());
                assert!(ordinary || shown.contains(&tag), "{}: no lesson shows {tag}", V::NAME);
            }
        });
    }
    let end = play_lesson::<V>(&lessons.game, &mut |_| ()).outcome();
    assert!(
        end.is_some_and(|end| end.reason == Reason::Checkmate),
        "{}: the game does not end in mate",
        V::NAME
    );
}

/// Pieces with clearly different values are worth more and less to the evaluation too; only the royal piece has none.
pub fn values_are_in_order<V: Variant>() {
    let worth = |def: &PieceDef| def.worth[0] + def.worth[1];
    for (kind, def) in V::PIECES.iter().enumerate() {
        let name = format!("{}: {}", V::NAME, def.name);
        assert_eq!(def.value == 0, kind == V::ROYAL.index(), "{name}");
        assert_eq!(def.worth.contains(&0), kind == V::ROYAL.index(), "{name}");
        assert!(!def.betza.is_empty(), "{name}");
        for less in V::PIECES.iter().filter(|less| 10 * def.value > 13 * less.value) {
            assert!(worth(def) > worth(less), "{name} and {}", less.name);
        }
    }
}

/// Tests that every game passes.
#[macro_export]
macro_rules! test_game {
    ($($game:ty),*) => {
        #[test]
        fn passing_is_taken_back() {
            $($crate::testing::null_moves_are_taken_back::<$game>();)*
        }

        #[test]
        fn lessons_show_legal_moves_of_every_sort() {
            $($crate::testing::lessons_are_sound::<$game>();)*
        }

        #[test]
        fn values_agree_with_what_pieces_are_worth() {
            $($crate::testing::values_are_in_order::<$game>();)*
        }

        #[test]
        fn colour_bound_pieces_stay_on_their_colour() {
            $($crate::testing::colours_are_kept::<$game>();)*
        }
    };
}
