//! Properties of every position, tested in random games.
//!
//! A game is a list of numbers, each picking one of the legal moves, so that a failure shrinks to the shortest list
//! that still shows it. Games begin at the start and at the positions of the perft suites, which have endings,
//! promotions, castlings, checks, shots and runs that are rare in random games from the start.

use crate::mirror;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use quintain::board::{Board, Color, Kind, Move, MoveList, Piece, Square, SquareSet, Tag};
use quintain::engine::Playable;
use quintain::eval::{Evaluator, evaluate};
use quintain::notation::{FACINGS, coords, fen, san};
use quintain::rules::movegen::{Noisy, Quiet};
use quintain::rules::{Outcome, Position, Reason, Set};
use quintain::tools::suite::Suite;
use quintain_oracle::{Game, State};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::Path;

fn names<V: Playable>(pos: &Position<V>, set: Set<V>) -> Vec<String> {
    set.squares().map(|square| pos.geometry().name(square)).collect()
}

fn set<V: Playable>(squares: impl IntoIterator<Item = Square>) -> Set<V> {
    squares.into_iter().fold(Set::<V>::EMPTY, |set, square| set | Set::<V>::single(square))
}

/// Does the move turn a piece into another one? A cyclops that turns is still a cyclops.
fn promotes<V: Playable>(mv: Move) -> bool {
    V::PIECES[mv.kind().index()].letter != V::PIECES[mv.becomes().index()].letter
}

/// All properties of a position. `oracle` is the same position, `random` selects samples. Returns what its moves lead
/// to.
fn check_position<V: Playable>(
    pos: &mut Position<V>,
    oracle: &State,
    random: u64,
) -> BTreeMap<String, State> {
    let moves = pos.legal_moves();
    check_self(pos);
    check_text(pos, &moves);
    let successors = check_successors(pos, &moves, oracle);
    check_kinds_of_moves(pos, &moves);
    check_legality_test(pos, &moves, random);
    check_attacks(pos, random);
    check_mirror_image(pos, &moves);
    check_end(pos, &moves);
    successors
}

/// The position is consistent.
fn check_self<V: Playable>(pos: &Position<V>) {
    assert!(pos.is_consistent());
    assert_eq!(pos.keys(), pos.keys_from_scratch());
}

/// FEN and coordinate moves are read back unchanged.
fn check_text<V: Playable>(pos: &Position<V>, moves: &[Move]) {
    let text = fen::write(pos);
    let read = fen::parse::<V>(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(read == *pos, "read as {}", fen::write(&read));
    for &mv in moves {
        assert_eq!(coords::parse(pos, &coords::write(pos, mv)), Ok(mv));
    }
}

/// The legal moves are the oracle's, lead to its positions, which it returns, and are undone completely.
fn check_successors<V: Playable>(
    pos: &mut Position<V>,
    moves: &[Move],
    oracle: &State,
) -> BTreeMap<String, State> {
    assert_eq!(fen::write(pos), oracle.fen());
    assert_eq!(pos.in_check(), oracle.in_check());
    assert_eq!(pos.count_moves(), moves.len() as u64);
    let by_text: BTreeMap<String, Move> = moves.iter().map(|&mv| (coords::write(pos, mv), mv)).collect();
    assert_eq!(by_text.len(), moves.len(), "a move is listed twice");
    let successors = oracle.successors();
    assert_eq!(by_text.keys().collect::<Vec<_>>(), successors.keys().collect::<Vec<_>>());

    let (before, pieces) = (pos.clone(), pos.occupied().count());
    for (text, after) in &successors {
        let mv = by_text[text];
        let taken = V::taken(pos, mv);
        assert!(taken.minus(pos.occupied()).is_empty(), "{text} captures on an empty square");
        let gives_check = pos.gives_check(mv);
        pos.play_unchecked(mv);
        if !matches!(mv.tag(), Tag::Castle | Tag::Swap | Tag::Shot | Tag::Place) {
            let uncovered = mv.kind() == V::ROYAL && pos.in_check();
            assert!(pos.in_check() == gives_check || uncovered, "check by {text}: {gives_check}");
        }
        assert_eq!(fen::write(pos), after.fen(), "after {text}");
        assert_eq!(pos.keys(), pos.keys_from_scratch(), "after {text}");
        if mv.tag() != Tag::Place {
            assert_eq!(pos.occupied().count() + taken.count(), pieces, "taken by {text}");
        }
        assert_eq!(pos.take_back(), Some(mv));
        assert!(*pos == before, "{text} taken back leaves {}", fen::write(pos));
        assert_eq!(pos.moves_played().count(), before.moves_played().count());
    }
    successors
}

/// Moves that take enemies or promote, and all others, are together all moves.
fn check_kinds_of_moves<V: Playable>(pos: &Position<V>, moves: &[Move]) {
    let squares = pos.geometry().all();
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    pos.generate::<Noisy, _>(squares, &mut noisy);
    pos.generate::<Quiet, _>(squares, &mut quiet);
    let is_noisy = |mv: Move| V::taken(pos, mv).meets(pos.color(!pos.side())) || promotes::<V>(mv);
    for (list, wanted) in [(&noisy, true), (&quiet, false)] {
        let expected: HashSet<Move> = moves.iter().copied().filter(|&mv| is_noisy(mv) == wanted).collect();
        assert_eq!(list.iter().copied().collect::<HashSet<_>>(), expected, "noisy: {wanted}");
        assert_eq!(list.len(), expected.len());
    }
}

/// The test whether a move is legal agrees with the list, for any bits whatever.
fn check_legality_test<V: Playable>(pos: &Position<V>, moves: &[Move], random: u64) {
    let listed: HashSet<Move> = moves.iter().copied().collect();
    let check = |mv: Move| assert_eq!(pos.is_legal(mv), listed.contains(&mv), "{:#x}", mv.bits());
    moves.iter().copied().for_each(check);
    check(Move::NONE);
    let mut bits = random;
    for _ in 0..16 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        check(Move::from_bits((bits >> 32) as u32));
    }
    if !moves.is_empty() {
        let near = moves[random as usize % moves.len()].bits();
        (0..32).for_each(|bit| check(Move::from_bits(near ^ 1 << bit)));
    }
}

/// Attackers of squares and attacks of pieces agree, also on boards from which some pieces have been removed.
fn check_attacks<V: Playable>(pos: &Position<V>, random: u64) {
    let lifted = set::<V>(pos.occupied().squares().filter(|square| random >> (square.index() % 61) & 1 != 0));
    for occupied in [pos.occupied(), pos.occupied().minus(lifted)] {
        for color in Color::BOTH {
            let pieces: Vec<(Square, Set<V>)> = (pos.color(color) & occupied)
                .squares()
                .map(|from| (from, V::attacks(pos, color, pos.piece(from).kind(), from, occupied)))
                .collect();
            for square in pos.geometry().all().squares() {
                let there = set::<V>(pieces.iter().filter(|piece| piece.1.has(square)).map(|piece| piece.0));
                let here = V::attackers(pos, color, square, occupied) & occupied;
                let name = pos.geometry().name(square);
                assert_eq!(names(pos, here), names(pos, there), "{color}'s attackers of {name}");
            }
        }
    }
}

/// With colours exchanged and ranks reversed, the legal moves are the mirrored ones.
fn check_mirror_image<V: Playable>(pos: &Position<V>, moves: &[Move]) {
    let Some(mirrored) = mirror::fen(&fen::write(pos)) else { return };
    assert_eq!(fen::flip(pos), mirrored);
    let image = fen::parse::<V>(&mirrored).unwrap_or_else(|error| panic!("{mirrored}: {error}"));
    let ranks = V::Board::RANKS.into();
    let expected: BTreeSet<String> =
        moves.iter().map(|&mv| mirror::coords(&coords::write(pos, mv), ranks)).collect();
    let found: BTreeSet<String> = image.legal_moves().iter().map(|&mv| coords::write(&image, mv)).collect();
    assert_eq!(found, expected, "in {mirrored}");
}

/// Mate and stalemate are where no move is legal, and nowhere else.
fn check_end<V: Playable>(pos: &Position<V>, moves: &[Move]) {
    let end = pos.outcome();
    let expected = match (moves.is_empty(), pos.in_check()) {
        (true, true) => Some(Outcome { winner: Some(!pos.side()), reason: Reason::Checkmate }),
        (true, false) => Some(Outcome::draw(Reason::Stalemate)),
        (false, _) => end.filter(|end| !matches!(end.reason, Reason::Checkmate | Reason::Stalemate)),
    };
    assert_eq!(end, expected);
}

/// No two moves have the same SAN. The move about to be played is read back (all of them would take
/// too long), also without the marks that may be left out.
fn check_san<V: Playable>(pos: &Position<V>, moves: &[Move], chosen: Move) {
    let texts: BTreeSet<String> = moves.iter().map(|&mv| san::write(pos, mv)).collect();
    assert_eq!(texts.len(), moves.len(), "two of {texts:?} are the same");
    let text = san::write(pos, chosen);
    assert_eq!(san::parse(pos, &text), Ok(chosen), "{text}");
    let bare = text.trim_end_matches(['+', '#']);
    assert_eq!(san::parse(pos, bare), Ok(chosen), "{bare}");
}

/// Plays the game selected by `choices` from a position and checks each position.
fn check_game<V: Playable>(start: &str, choices: &[u16]) {
    let mut pos = fen::parse::<V>(start).unwrap_or_else(|error| panic!("{start}: {error}"));
    let mut oracle = Game::named(V::NAME).parse(start);
    let (mut played, mut evaluator) = (Vec::new(), Evaluator::new(V::network()));
    for (ply, &choice) in choices.iter().enumerate() {
        // Each position is recorded before it is checked, so that a panic shows it.
        let place = fen::write(&pos);
        let _name = NameOnPanic(&place);
        let mut successors =
            check_position(&mut pos, &oracle, u64::from(choice).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert_eq!(
            evaluator.evaluate(&pos),
            evaluate(&pos, V::network()),
            "with earlier positions remembered"
        );
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        if ply % 4 == 0 {
            check_san(&pos, &moves, mv);
        }
        oracle = successors.remove(&coords::write(&pos, mv)).expect("a legal move");
        pos.play_unchecked(mv);
        played.push(mv);
    }
    assert!(pos.moves_played().eq(played.iter().copied()), "the moves are kept");
    // The whole game taken back is the start again.
    for mv in played.into_iter().rev() {
        assert_eq!(pos.take_back(), Some(mv));
    }
    assert_eq!(pos.take_back(), None);
    assert!(pos == fen::parse::<V>(start).expect("it was read before"), "all taken back");
}

/// Prints the position in which a check failed.
struct NameOnPanic<'a>(&'a str);

impl Drop for NameOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in {}", self.0);
        }
    }
}

/// The positions of a game's suite, its start among them.
fn suite(game: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("perft/{game}.epd"));
    let suite = Suite::read(&path).unwrap_or_else(|error| panic!("{error:#}"));
    suite.entries.into_iter().map(|entry| entry.fen).collect()
}

/// A game in which pieces prefer to go back, so that positions repeat. The count of repetitions is compared with one
/// that compares all positions of the game.
fn check_repetitions<V: Playable>(start: &str, choices: &[u16]) {
    let mut pos = fen::parse::<V>(start).unwrap_or_else(|error| panic!("{start}: {error}"));
    let (mut past, mut last): (Vec<String>, [Option<Move>; 2]) = (Vec::new(), [None; 2]);
    for &choice in choices {
        let identity = identity(&pos);
        let earlier = past.iter().filter(|&other| *other == identity).count() as u32;
        for plies in [4, 6, 8] {
            let recent = past.iter().rev().take(plies).any(|other| *other == identity);
            assert_eq!(pos.repetitions(plies), (earlier, recent), "{identity} within {plies} of {past:#?}");
        }
        let third = pos.outcome().is_some_and(|end| end.reason == Reason::Repetition);
        if third {
            assert!(earlier >= 2, "{identity} has occurred {earlier} times before");
        }
        past.push(identity);
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        let back = last[0].and_then(|own| {
            moves
                .iter()
                .copied()
                .find(|mv| (mv.from(), mv.to(), mv.becomes()) == (own.to(), own.from(), own.kind()))
        });
        let any = moves[usize::from(choice) % moves.len()];
        let mv = back.filter(|_| choice % 8 != 0).unwrap_or(any);
        pos.play_unchecked(mv);
        last = [last[1], Some(mv)];
    }
}

/// What makes two positions equal: pieces, side, rights, extra state, and a square for en passant that can be
/// used.
fn identity<V: Playable>(pos: &Position<V>) -> String {
    let fen = fen::write(pos);
    let fields: Vec<&str> = fen.split(' ').collect();
    let usable = pos.legal_moves().iter().any(|mv| mv.tag() == Tag::EnPassant);
    let en_passant = if usable { fields[3] } else { "-" };
    format!("{} {} {} {en_passant} {}", fields[0], fields[1], fields[2], fields.get(6).unwrap_or(&""))
}

/// A FEN with one king a side and some of the given pieces: for each a square and a kind, both as any number. Pieces
/// that find their square taken, or their side complete, are left out.
fn scatter<V: Playable>(kings: (u8, u8), pieces: &[(u8, u8)], facings: u64, side: char) -> String {
    let geometry = V::Board::geometry();
    let squares: Vec<Square> = geometry.all().squares().collect();
    let mut board: BTreeMap<Square, Piece> = BTreeMap::new();
    let mut left = [V::MAX_PIECES; 2];
    let kings = [(Color::White, kings.0), (Color::Black, kings.1)]
        .map(|(color, at)| (at, Piece::new(color, V::ROYAL)));
    let others = pieces.iter().map(|&(at, piece)| {
        // White's pieces and Black's by turns: the number is the kind, counted round without the royal one.
        let kind = Kind::new(usize::from(piece) % V::PIECES.len());
        (at, Piece::new(Color::BOTH[usize::from(piece / 16 % 2)], kind))
    });
    for (at, piece) in kings.into_iter().chain(others.filter(|piece| piece.1.kind() != V::ROYAL)) {
        let square = squares[usize::from(at) % squares.len()];
        let left = &mut left[piece.color().index()];
        if *left > 0 && !board.contains_key(&square) {
            board.insert(square, piece);
            *left -= 1;
        }
    }
    write_board::<V>(&board, facings, side)
}

/// The FEN of pieces on squares, without rights. Three bits of `facings` for each cyclops.
fn write_board<V: Playable>(board: &BTreeMap<Square, Piece>, facings: u64, side: char) -> String {
    let geometry = V::Board::geometry();
    let mut cyclopes = Vec::new();
    let placement = fen::placement(V::Board::FILES, V::Board::RANKS, |file, rank| {
        let Some(square) = geometry.square(file.into(), rank.into()) else { return Some('*') };
        let &piece = board.get(&square)?;
        if V::PIECES[piece.kind().index()].name == "cyclops" {
            let facing = facings >> (cyclopes.len() * 3 % 61) & 7;
            cyclopes.push(FACINGS[facing as usize]);
        }
        Some(fen::letter::<V>(piece))
    });
    format!("{placement} {side} - - 0 1 {}", cyclopes.join(",")).trim_end().to_owned()
}

/// Checks a position with scattered pieces, with either side to move, where that is possible at all.
fn check_scattered<V: Playable>(kings: (u8, u8), pieces: &[(u8, u8)], random: u64) -> bool {
    let mut possible = false;
    for side in ['w', 'b'] {
        let text = scatter::<V>(kings, pieces, random, side);
        // Reading it may fail, but must not panic, and the error must be about the position.
        match fen::parse::<V>(&text) {
            Ok(mut pos) => {
                let _name = NameOnPanic(&text);
                let oracle = Game::named(V::NAME).parse(&fen::write(&pos));
                check_position(&mut pos, &oracle, random);
                possible = true;
            }
            Err(error) => assert!(IMPOSSIBLE.iter().any(|what| error.what.contains(what)), "{text}: {error}"),
        }
    }
    possible
}

/// A king attacked by as many enemies of one kind as possible. The lists of threats and moves have fixed capacities,
/// which would overflow here first.
fn check_crowds<V: Playable>() {
    let squares: Vec<Square> = V::Board::geometry().all().squares().collect();
    let mut most = 0;
    for &king in squares.iter().step_by(5) {
        let far = if king < squares[squares.len() / 2] { squares[squares.len() - 1] } else { squares[0] };
        let royal = |color| Piece::new(color, V::ROYAL);
        let kings = BTreeMap::from([(king, royal(Color::White)), (far, royal(Color::Black))]);
        let Ok(alone) = fen::parse::<V>(&write_board::<V>(&kings, 0, 'w')) else { continue };
        for kind in (0..V::PIECES.len()).map(Kind::new).filter(|&kind| kind != V::ROYAL) {
            let attacks =
                |&from: &Square| V::attacks(&alone, Color::Black, kind, from, set::<V>([king])).has(king);
            let (mut near, other): (Vec<Square>, Vec<Square>) = squares
                .iter()
                .filter(|&square| !kings.contains_key(square))
                .partition(|square| attacks(square));
            near.extend(other);
            for number in [near.len().min(V::MAX_PIECES as usize - 1), 3] {
                let mut board = kings.clone();
                board.extend(near[..number].iter().map(|&square| (square, Piece::new(Color::Black, kind))));
                // Bits that give each cyclops its facing again.
                let facings = (0..21).fold(0, |bits, place| bits | (kind.index() as u64 & 7) << (3 * place));
                let text = write_board::<V>(&board, facings, 'w');
                if let Ok(mut pos) = fen::parse::<V>(&text) {
                    let _name = NameOnPanic(&text);
                    most = most.max(pos.checkers().count());
                    let oracle = Game::named(V::NAME).parse(&fen::write(&pos));
                    check_position(&mut pos, &oracle, 0);
                }
            }
        }
    }
    assert!(most >= 5, "at most {most} checks at once");
}

/// Errors of positions with scattered pieces.
const IMPOSSIBLE: &[&str] =
    &["could take the royal piece", "would have promoted", "own first rank", "has no "];

/// Texts that resemble a FEN or a move, or not at all, are read or refused without a panic.
fn check_text_is_harmless<V: Playable>(pos: &Position<V>, text: &str) {
    if let Ok(read) = fen::parse::<V>(text) {
        assert!(read.is_consistent());
        assert!(fen::parse::<V>(&fen::write(&read)).expect("what was written") == read);
        read.legal_moves();
    }
    if let Ok(mv) = coords::parse(pos, text) {
        assert_eq!(coords::write(pos, mv), text);
    }
    if let Ok(mv) = san::parse(pos, text) {
        assert!(pos.is_legal(mv));
    }
}

/// The text with some characters replaced, each at a place and by a character picked by numbers.
fn garble(text: &str, edits: &[(u16, u8)]) -> String {
    const CHARACTERS: &[char] = &[
        'a', 'b', 'c', 'd', 'e', 'h', 'i', 'k', 'n', 'p', 'q', 'r', 's', 'v', 'w', 'z', 'K', 'N', 'P', 'Q',
        'R', 'S', 'C', 'A', '0', '1', '2', '3', '4', '9', '/', '*', ' ', '-', ',', '?', '[', ']', '+', '@',
        '=', '#', 'é', '\0',
    ];
    let mut characters: Vec<char> = text.chars().collect();
    for &(at, new) in edits {
        let at = usize::from(at) % (characters.len() + 1);
        let new = CHARACTERS[usize::from(new / 3) % CHARACTERS.len()];
        match edits.len() % 3 {
            0 if at < characters.len() => characters[at] = new,
            1 if at < characters.len() => drop(characters.remove(at)),
            _ => characters.insert(at, new),
        }
    }
    characters.into_iter().collect()
}

/// No text that is nearly a position, or a move there, does harm.
fn check_garbled<V: Playable>(line: &str, edits: &[(u16, u8)], text: &str) {
    let pos = fen::parse::<V>(line).expect("a position of the suite");
    check_text_is_harmless(&pos, &garble(line, edits));
    check_text_is_harmless(&pos, text);
    for mv in pos.legal_moves().into_iter().take(2) {
        check_text_is_harmless(&pos, &garble(&coords::write(&pos, mv), edits));
        check_text_is_harmless(&pos, &garble(&san::write(&pos, mv), edits));
    }
}

/// As many cases as a test asks for; with the environment variable PROPTEST_CASES set to n, n / 256 times as many.
fn cases(number: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: (number * usual.cases / 256).max(1), ..usual }
}

/// What is tested of a game, without its type: the cases are made and shrunk by code that is compiled once.
struct Properties {
    name: &'static str,
    start: &'static str,
    most_pieces: usize,
    game: fn(&str, &[u16]),
    repetitions: fn(&str, &[u16]),
    scattered: Scattered,
    garbled: fn(&str, &[(u16, u8)], &str),
}

/// [`check_scattered`] of a game: the kings, the other pieces, and a number for samples.
type Scattered = fn((u8, u8), &[(u8, u8)], u64) -> bool;

impl Properties {
    const fn of<V: Playable>() -> Self {
        Properties {
            name: V::NAME,
            start: V::START,
            most_pieces: V::MAX_PIECES as usize,
            game: check_game::<V>,
            repetitions: check_repetitions::<V>,
            scattered: check_scattered::<V>,
            garbled: check_garbled::<V>,
        }
    }

    fn games_from_the_start(&self, number: u32) {
        assert_eq!(self.start, Game::named(self.name).start().fen());
        proptest!(cases(number), |(choices in vec(any::<u16>(), 0..60))| (self.game)(self.start, &choices));
    }

    fn games_from_the_suite(&self, number: u32) {
        self.on_the_suite(number, 1..20, self.game);
    }

    fn scattered_pieces(&self, number: u32) {
        let pieces = vec(any::<(u8, u8)>(), 0..2 * self.most_pieces);
        proptest!(cases(4 * number), |(kings in any::<(u8, u8)>(), pieces in pieces, random in any::<u64>())| {
            prop_assume!((self.scattered)(kings, &pieces, random));
        });
    }

    fn repetitions(&self, number: u32) {
        self.on_the_suite(number, 0..40, self.repetitions);
    }

    /// Games of so many moves from positions of the suite.
    fn on_the_suite(&self, number: u32, moves: Range<usize>, check: fn(&str, &[u16])) {
        let suite = suite(self.name);
        proptest!(cases(4 * number), |(line in select(suite), choices in vec(any::<u16>(), moves))| {
            check(&line, &choices);
        });
    }

    fn garbled_texts(&self, number: u32) {
        let suite = suite(self.name);
        let edits = vec(any::<(u16, u8)>(), 1..5);
        proptest!(cases(4 * number), |(line in select(suite), edits in edits, text in ".{0,12}")| {
            (self.garbled)(&line, &edits, &text);
        });
    }
}

macro_rules! properties {
    ($($name:ident: $game:ty, $cases:literal cases;)*) => {$(
        mod $name {
            use super::*;

            const PROPERTIES: Properties = Properties::of::<$game>();

            #[test]
            fn crowds() {
                check_crowds::<$game>();
            }

            #[test]
            fn games_from_the_start() {
                PROPERTIES.games_from_the_start($cases);
            }

            #[test]
            fn games_from_the_suite() {
                PROPERTIES.games_from_the_suite($cases);
            }

            #[test]
            fn scattered_pieces() {
                PROPERTIES.scattered_pieces($cases);
            }

            #[test]
            fn repetitions() {
                PROPERTIES.repetitions($cases);
            }

            #[test]
            fn garbled_texts() {
                PROPERTIES.garbled_texts($cases);
            }
        }
    )*};
}

properties! {
    canyon: quintain::variants::canyon::Canyon, 32 cases;
    diamond: quintain::variants::diamond::Diamond, 32 cases;
    grandcavalier: quintain::variants::grandcavalier::GrandCavalier, 32 cases;
    superchess: quintain::variants::superchess::SuperChess, 32 cases;
    superchessfixed: quintain::variants::superchess::SuperChessFixed, 32 cases;
    gast: quintain::variants::gast::Gast12, 32 cases;
    gast14: quintain::variants::gast::Gast14, 32 cases;
    chess: quintain::variants::chess::Chess, 32 cases;
    grand: quintain::variants::grand::Grand, 32 cases;
}
