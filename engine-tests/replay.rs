//! Games of matches, replayed on the slow generator in [`oracle`](quintain_oracle) beside the engine's rules.
//!
//! `engine-tests/soak` runs the ignored test here on files of results. Without a file there is a short game, and copies
//! of it with a fault each.

use quintain::engine::{self, Session};
use quintain::rules::Reason;
use quintain_oracle as oracle;
use quintain_tournament::limits::Clock;
use quintain_tournament::record::{End, GameRecord, GameResult, MoveRecord, Stored};
use quintain_tournament::settings::Settings;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// Replays a game and compares in each position the legal moves, the text and the checks with those of the oracle, and
/// its end with the rules. Returns the number of positions; the error says where they differ.
fn replay(variant: &str, game: &GameRecord) -> Result<usize, String> {
    let mut session = engine::open(variant).map_err(|error| error.to_string())?;
    session.set_position(game.fen.as_deref(), &[]).map_err(|error| error.to_string())?;
    let mut oracle = oracle::Game::named(variant).parse(&session.fen());
    let mut occurrences = HashMap::new();
    let texts = game.book.iter().chain(game.moves.iter().map(|played| &played.text));
    let mut positions = 0;
    for text in texts.map(Some).chain([None]) {
        let (ply, fen) = (positions, session.fen());
        let here = |what: &str| format!("ply {ply}, {fen}: {what}");
        positions += 1;
        let mut successors = oracle.successors();
        let (ours, legal) = (session.moves(), successors.keys().cloned().collect::<Vec<_>>());
        if fen != oracle.fen() {
            return Err(here(&format!("the oracle is in {}", oracle.fen())));
        }
        if ours != legal {
            let only = |a: &[String], b: &[String]| {
                a.iter().filter(|text| !b.contains(text)).cloned().collect::<Vec<_>>().join(" ")
            };
            return Err(here(&format!(
                "only the engine lists [{}], only the oracle [{}]",
                only(&ours, &legal),
                only(&legal, &ours)
            )));
        }
        if session.checkers().is_empty() == oracle.in_check() {
            return Err(here("they do not agree whether it is check"));
        }
        // The same position may have been left with the square of a pawn that could not be captured in passing.
        let [alike, same] = [&[3, 4, 5][..], &[4, 5]].map(|fields| {
            let count = occurrences.entry((fields.len(), without(&fen, fields))).or_insert(0);
            *count += 1;
            *count
        });
        check_outcome(&*session, oracle.in_check(), same, alike).map_err(|what| here(&what))?;
        let Some(text) = text else { break };
        if let Some(outcome) = session.outcome() {
            return Err(here(&format!("{text} follows the end: {outcome}")));
        }
        session.play(text).map_err(|error| here(&error.to_string()))?;
        oracle = successors.remove(text).expect("a legal move");
    }
    match (game.end, session.outcome()) {
        (End::Normal, Some(outcome)) if outcome.to_string() != game.reason => {
            Err(format!("it ended by '{}' instead of '{outcome}'", game.reason))
        }
        (End::Normal, Some(outcome)) if GameResult::from(outcome.winner) != game.result => {
            Err(format!("{outcome}, and the result is {}", game.result.as_str()))
        }
        // Our engine never resigns.
        (End::Normal, None) => Err(format!("'{}' at {}, but the game goes on", game.reason, session.fen())),
        (End::Normal | End::Adjudication, _) => Ok(positions),
        (end, _) => Err(format!("{}: {}", end.termination(), game.reason)),
    }
}

/// A FEN without some of its fields.
fn without(fen: &str, fields: &[usize]) -> String {
    let kept = |(at, field)| (!fields.contains(&at)).then_some(field);
    fen.split(' ').enumerate().filter_map(kept).collect::<Vec<&str>>().join(" ")
}

/// Compares the end of the game, whose moves and checks are the oracle's, with them, and with what can be counted in
/// texts: how often the position occurred, and how often at most.
fn check_outcome(
    session: &dyn Session,
    in_check: bool,
    occurrences: usize,
    at_most: usize,
) -> Result<(), String> {
    let reason = session.outcome().map(|outcome| outcome.reason);
    let fits = match (session.moves().is_empty(), in_check) {
        (true, true) => reason == Some(Reason::Checkmate),
        (true, false) => reason == Some(Reason::Stalemate),
        (false, _) => match reason {
            Some(Reason::Checkmate | Reason::Stalemate) => false,
            Some(Reason::Repetition) => at_most >= 3,
            Some(Reason::FiftyMoves) => session.halfmove() >= 100,
            Some(Reason::BareKings) => {
                let is_piece = |c: &char| c.is_ascii_alphabetic();
                session
                    .fen()
                    .split(' ')
                    .next()
                    .is_some_and(|board| board.chars().filter(is_piece).count() == 2)
            }
            Some(Reason::TenMoves) => session.info().name == "canyon",
            None => session.halfmove() < 100 && occurrences < 3,
        },
    };
    if fits { Ok(()) } else { Err(format!("the end is {reason:?} at occurrence {occurrences}")) }
}

/// How many moves needed the time margin.
fn late_moves(settings: &Settings, game: &GameRecord) -> usize {
    let engines = [&settings.engines[game.white], &settings.engines[game.black]];
    let mut clocks = engines.map(|engine| engine.time.clock.map(Clock::new));
    let mut late = 0;
    for (index, played) in game.moves.iter().enumerate() {
        let side = game.mover(index).index();
        let time = Duration::from_micros(played.micros);
        let left = clocks[side].map(|clock| clock.left());
        late +=
            usize::from([left, engines[side].time.move_time].into_iter().flatten().any(|left| time > left));
        if let Some(clock) = &mut clocks[side] {
            clock.spend(time, engines[side].margin.unwrap_or(Duration::MAX));
        }
    }
    late
}

/// Replays the files of results that `QUINTAIN_GAMES` names, with `:` between them as in `PATH`, and prints a line for
/// each file and for each fault.
#[test]
#[ignore = "reads the files in QUINTAIN_GAMES; engine-tests/soak runs it"]
fn games_of_matches() {
    let files = std::env::var_os("QUINTAIN_GAMES").expect("QUINTAIN_GAMES names files of results");
    let mut faults = 0;
    for path in std::env::split_paths(&files) {
        let stored = Stored::read(&path).unwrap_or_else(|error| panic!("{}: {error:#}", path.display()));
        faults += replay_file(&path, &stored);
    }
    assert_eq!(faults, 0);
}

fn replay_file(path: &Path, stored: &Stored) -> usize {
    let settings = Settings::read(&stored.header.settings).expect("settings of a match");
    let (mut positions, mut late, mut faults) = (0, 0, stored.warnings.len());
    stored.warnings.iter().for_each(|warning| println!("FAULT {warning}"));
    for game in &stored.games {
        late += late_moves(&settings, game);
        // The oracle panics at what it cannot play.
        let replayed = std::panic::catch_unwind(|| replay(settings.variant, game));
        match replayed.unwrap_or_else(|_| Err("the oracle panics".into())) {
            Ok(played) => positions += played,
            Err(what) => {
                faults += 1;
                println!("FAULT {} game {}: {what}", path.display(), game.game);
            }
        }
    }
    let games = stored.games.len();
    println!("CHECKED {} {games} games {positions} positions {late} late {faults} faults", settings.variant);
    faults
}

/// A record of these moves in chess.
fn record(moves: &[&str], result: GameResult, end: End, reason: &str) -> GameRecord {
    let played = |&text: &&str| MoveRecord {
        text: text.into(),
        san: String::new(),
        score: None,
        depth: None,
        nodes: None,
        micros: 50_000,
    };
    GameRecord {
        game: 1,
        round: 1,
        pair: 1,
        white: 0,
        black: 1,
        opening: None,
        fen: None,
        book: Vec::new(),
        book_san: Vec::new(),
        moves: moves.iter().map(played).collect(),
        result,
        end,
        reason: reason.into(),
        began: 0,
        millis: 0,
        log: Vec::new(),
    }
}

#[test]
fn a_game_is_replayed_and_its_faults_are_found() {
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let good = record(&mate, GameResult::BlackWins, End::Normal, "Black mates");
    assert_eq!(replay("chess", &good), Ok(5));
    let wrong = |game: GameRecord| replay("chess", &game).expect_err("a fault");
    let goes_on = record(&mate[..3], GameResult::BlackWins, End::Normal, "Black mates");
    assert!(wrong(goes_on).contains("but the game goes on"));
    let illegal = record(&["f2f3", "e7e4"], GameResult::Draw, End::Adjudication, "");
    assert!(wrong(illegal).starts_with("ply 1, rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b"));
    let other = record(&mate, GameResult::BlackWins, End::Normal, "Stalemate");
    assert_eq!(wrong(other), "it ended by 'Stalemate' instead of 'Black mates'");
    let result = record(&mate, GameResult::WhiteWins, End::Normal, "Black mates");
    assert_eq!(wrong(result), "Black mates, and the result is 1-0");
    let crash = record(&mate[..2], GameResult::BlackWins, End::Crash, "White's engine crashes: status 3");
    assert_eq!(wrong(crash), "abandoned: White's engine crashes: status 3");
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
    let repeated = record(&knights, GameResult::Draw, End::Normal, "Draw by repetition");
    assert_eq!(replay("chess", &repeated), Ok(9));
    let after = [&knights[..], &["e2e4"]].concat();
    assert!(wrong(record(&after, GameResult::Draw, End::Adjudication, "")).contains("follows the end"));
}

#[test]
fn moves_that_need_the_margin_are_counted() {
    let line = "--variant chess --engine cmd=a --engine cmd=b tc=0.04+0.02 --each tc=0.06 timemargin=1000";
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let groups = quintain_tournament::words::from_command_line(&words).expect("options");
    let settings = Settings::read(&groups).expect("settings");
    // For moves of 50 ms White has 60 ms and then 10, Black 60 and then 30.
    let game = record(&["e2e4", "e7e5", "g1f3", "b8c6"], GameResult::Draw, End::Adjudication, "");
    assert_eq!(late_moves(&settings, &game), 2);
}
