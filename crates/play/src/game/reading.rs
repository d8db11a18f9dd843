//! Games of a PGN, move by move: in SAN, as most programs write them, and in XBoard's own notation.

use super::End;
use super::time::utc;
use anyhow::{Context, Result, anyhow, ensure};
use quintain_core::board::Color;
use quintain_core::notation::pgn::{self, Game, NULL_MOVE, Ply};
use quintain_engine::{self as engine, GameInfo, NAMES, Session, UnknownGame};
use quintain_xboard::board::Quirks;
use quintain_xboard::{self as xboard, movetext, position};

/// The most moves that a game may have, with its variations. No game that was played comes near: the longest in chess
/// had 538 plies.
pub const MAX_PLIES: usize = 20_000;

/// The game that a PGN without the tag Variant is, unless its moves say otherwise.
const STANDARD: &str = "chess";
/// How other programs call it in the tag Variant.
const STANDARD_NAMES: [&str; 4] = ["standard", "normal", "from position", "orthodox"];

/// The tags that every game has, in this order, and what stands for an unknown value.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game whose moves were interpreted.
pub struct Reading {
    /// The game with the moves as we write them. It ends before the first move that was not understood; variations go on
    /// as they were written.
    pub game: Game,
    /// The moves that were understood: those of the game, then those of variations.
    pub steps: Vec<Step>,
    /// Why the game ends before the text does: which move was not understood, and why.
    pub broken: Option<String>,
    /// What else is wrong: with the text, or with moves of variations.
    pub faults: Vec<String>,
    /// What was not understood of variations: the step that it follows (`None`: the start), and the text.
    pub rests: Vec<(Option<usize>, String)>,
}

/// A move that was understood.
pub struct Step {
    /// Coordinates.
    pub text: String,
    /// The step that it follows; `None` for the first move.
    pub parent: Option<usize>,
    /// Where the game has it: the variation, and the place there.
    pub place: (Option<usize>, usize),
}

impl Reading {
    /// The moves of the game as coordinates.
    pub fn moves(&self) -> Vec<String> {
        self.steps.iter().take(self.game.moves.len()).map(|step| step.text.clone()).collect()
    }

    /// What is wrong; of many faults the first, and how many more there are.
    pub fn complaints(&self) -> Vec<String> {
        let all = self.faults.iter().chain(&self.broken);
        let mut told: Vec<String> = all.clone().take(MOST_COMPLAINTS).cloned().collect();
        let more = all.count() - told.len();
        if more > 0 {
            told.push(format!("and {more} more"));
        }
        told
    }
}

/// The most faults of a game that are told one by one.
const MOST_COMPLAINTS: usize = 10;

/// The game of ours that the tag Variant names.
pub fn variant(tag: &str) -> Result<&'static str, UnknownGame> {
    let title = |name: &str| engine::info(name).is_ok_and(|info| info.title.eq_ignore_ascii_case(tag));
    let is_standard = STANDARD_NAMES.iter().any(|name| name.eq_ignore_ascii_case(tag));
    let known = NAMES.iter().copied().find(|name| name.eq_ignore_ascii_case(tag) || title(name));
    known.or(is_standard.then_some(STANDARD)).ok_or_else(|| UnknownGame(tag.to_owned()))
}

/// Of which games of ours it may be a game that does not say it: those in which most of its moves are legal. `open` is
/// first if it is one of them, then chess.
pub fn candidates(game: &Game, open: &str) -> Vec<&'static str> {
    let mut names = NAMES.to_vec();
    names.sort_by_key(|&name| (name != open, name != STANDARD));
    // None where the position is impossible.
    let understood = |name: &str| {
        let mut session = engine::open(name).ok()?;
        session.set_position(game.tag("FEN"), &[]).ok()?;
        Some(game.moves.iter().take_while(|ply| session.play_any(&ply.san).is_ok()).count())
    };
    let known: Vec<Option<usize>> = names.iter().map(|name| understood(name)).collect();
    let most = known.iter().max().copied().flatten();
    names.into_iter().zip(known).filter(|(_, known)| *known == most).map(|(name, _)| name).collect()
}

/// The one of several candidates that it is without asking anybody: by the standard, a PGN is chess if it does not say
/// otherwise.
pub fn likeliest(candidates: &[&'static str]) -> Option<&'static str> {
    candidates.iter().find(|name| **name == STANDARD).or(candidates.first()).copied()
}

/// Sets up the position in which a game begins, and interprets its moves. Moves after a draw are accepted: the game may
/// follow other rules, or the draw was not claimed.
pub fn interpret(session: &mut dyn Session, mut game: Game) -> Result<Reading> {
    let info = session.info();
    if let Some(tag) = game.tag("Variant") {
        ensure!(variant(tag) == Ok(info.name), "tag Variant: it is a game of '{tag}', not {}", info.name);
    }
    let count = game.count();
    ensure!(count <= MAX_PLIES, "it has {count} moves, and the most that are read are {MAX_PLIES}");
    let mut reading = Reading {
        faults: std::mem::take(&mut game.errors).iter().map(ToString::to_string).collect(),
        game,
        steps: Vec::new(),
        broken: None,
        rests: Vec::new(),
    };
    if reading.game.tag("VariantMen").is_some() {
        of_xboard(session, &mut reading)?;
        return Ok(reading);
    }
    session.set_position(reading.game.tag("FEN"), &[]).context("tag FEN")?;
    let mut copy = session.copy();
    if let Some((at, why, _)) = reading.follow(&mut *copy, None, None) {
        reading.game.moves.truncate(at);
        reading.broken = Some(why);
    }
    // The last one is next: moves need only be taken back then.
    let mut ahead = reading.branches(None, 0, None);
    let mut last = reading.steps.len().checked_sub(1);
    while let Some((variation, parent)) = ahead.pop() {
        while last != parent {
            copy.undo();
            last = last.and_then(|last| reading.steps[last].parent);
        }
        let first = reading.steps.len();
        if let Some((at, why, is_null)) = reading.follow(&mut *copy, Some(variation), parent) {
            let number = 2 * copy.fullmove() as usize + copy.side().index();
            let rest = reading.game.movetext(Some(variation), at, number);
            reading.rests.push((if at == 0 { parent } else { Some(first + at - 1) }, rest));
            // No game of ours has null moves, but every commentator.
            reading.faults.extend((!is_null).then(|| format!("variation, {why}")));
        }
        if reading.steps.len() > first {
            last = Some(reading.steps.len() - 1);
        }
        ahead.extend(reading.branches(Some(variation), first, parent));
    }
    Ok(reading)
}

impl Reading {
    /// Plays the moves of a line that leaves the game after `parent`, where `session` stands. Returns the place of the
    /// first that is not understood, why, and whether it is a null move.
    fn follow(
        &mut self,
        session: &mut dyn Session,
        line: Option<usize>,
        mut parent: Option<usize>,
    ) -> Option<(usize, String, bool)> {
        for at in 0..self.game.line(line).len() {
            let ply = &mut self.game.line_mut(line)[at];
            match session.play_any(&ply.san) {
                Ok(info) => {
                    ply.san = info.san;
                    self.steps.push(Step { text: info.text, parent, place: (line, at) });
                    parent = Some(self.steps.len() - 1);
                }
                Err(error) => {
                    let is_null = ply.san == NULL_MOVE;
                    let reason = match () {
                        () if session.moves().is_empty() => "follows the end of the game".into(),
                        () if is_null => "no side may pass".into(),
                        () => error.reason,
                    };
                    let why = format!("move {} {}: {reason}", number(session), error.text);
                    return Some((at, why, is_null));
                }
            }
        }
        None
    }

    /// The variations that leave a line whose moves are the steps from `first` on, the first one last; each with the step
    /// that it follows.
    fn branches(
        &self,
        line: Option<usize>,
        first: usize,
        parent: Option<usize>,
    ) -> Vec<(usize, Option<usize>)> {
        let understood = self.game.line(line).iter().take(self.steps.len() - first).enumerate();
        let before = |at: usize| if at == 0 { parent } else { Some(first + at - 1) };
        let of_move = |(at, ply): (usize, &Ply)| {
            ply.variations.iter().rev().map(move |&variation| (variation, before(at))).collect::<Vec<_>>()
        };
        understood.flat_map(of_move).collect()
    }
}

/// The game with the tags that we write. The session is at its start.
pub fn ours(session: &dyn Session, mut game: Game) -> Game {
    let (info, start) = (session.info(), session.fen());
    game.set_tag("Variant", Some(info.name.into()));
    game.set_tag("VariantMen", None);
    set_start(&mut game, (start != info.start).then_some(start));
    game
}

/// The game in XBoard's notation, without its variations. The session is at its start.
pub fn for_xboard(session: &dyn Session, reading: Reading) -> Result<Game> {
    let (info, moves, mut game) = (session.info(), reading.moves(), reading.game);
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let entries = movetext::write(session, &moves)
        .map_err(|wrong| anyhow!("XBoard cannot read move {} from a file", moves[wrong]))?;
    game.set_tag("Variant", Some(info.name.into()));
    // XBoard uses this description of the pieces when it reads the position.
    let pieces = xboard::games::def(&info).moves(&info);
    let pieces = pieces.iter().map(|(id, moves)| format!("{}:{moves}", id.trim_end_matches('&')));
    game.set_tag("VariantMen", Some(pieces.collect::<Vec<_>>().join(";")));
    set_start(&mut game, Some(position::fen(session)));
    game.variations.clear();
    let plies = std::mem::take(&mut game.moves);
    for (words, ply) in entries.into_iter().zip(plies) {
        game.moves.extend(words.into_iter().map(|san| Ply { san, ..Ply::default() }));
        if let Some(last) = game.moves.last_mut() {
            (last.nags, last.comment) = (ply.nags, ply.comment);
        }
    }
    Ok(game)
}

/// A game that was played here, with its tags and without moves. `place` is where, "in the browser"; `begun` is when, in
/// seconds since 1970; `players` are White and Black.
pub fn played(
    info: &GameInfo,
    place: &str,
    begun: u64,
    players: [&str; 2],
    start: &str,
    result: &str,
) -> Game {
    let tags = [
        ("Event", &*format!("{} {place}", info.title)),
        ("Site", "?"),
        ("Date", &utc(begun).0),
        ("Round", "-"),
        ("White", players[0]),
        ("Black", players[1]),
        ("Result", result),
        ("Variant", info.name),
    ];
    let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut game = Game { tags, result: result.to_owned(), ..Game::default() };
    set_start(&mut game, (start != info.start).then(|| start.to_owned()));
    game
}

/// The tags of a game that was read, with those that every game must have, and how it ended: by the rules in its last
/// position, or else as it says.
pub fn tags_and_end(mut game: Game, last: &dyn Session) -> (Vec<(String, String)>, Option<End>) {
    let said = Some(game.result.as_str()).filter(|result| !result.is_empty());
    let result = said.or(game.tag("Result")).unwrap_or("*").to_owned();
    let by_rules = last.outcome().map(End::of);
    let end = by_rules.or_else(|| end_of(&result, game.tag("Termination")));
    for (name, value) in ROSTER {
        if game.tag(name).is_none() {
            game.tags.push((name.to_owned(), value.to_owned()));
        }
    }
    game.set_tag("Result", Some(result));
    (game.tags, end)
}

/// Sets result and tags by how a game ended, if it did; `end` is the same if it does not follow from the last position.
pub fn set_end(game: &mut Game, outcome: Option<&End>, end: Option<&End>) {
    let result = outcome.map_or("*", |end| &end.score);
    // What other programs say stays where it says the same.
    let said = end_of(result, game.tag("Termination")).map(|end| end.text);
    match end {
        Some(end) if said.as_ref() != Some(&end.text) => game.set_tag("Termination", Some(end.text.clone())),
        // What was said of another end.
        None if game.tag("Result") != Some(result) => game.set_tag("Termination", None),
        _ => {}
    }
    game.set_tag("Result", Some(result.to_owned()));
    game.result = result.to_owned();
}

/// The end of a game with this result, which does not follow from its position, by the tag Termination.
fn end_of(result: &str, termination: Option<&str>) -> Option<End> {
    // The values that the standard knows; others are sentences.
    const KNOWN: [&str; 8] = [
        "abandoned",
        "adjudication",
        "death",
        "emergency",
        "normal",
        "rules infraction",
        "time forfeit",
        "unterminated",
    ];
    let winner = match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => return None,
    };
    let known = |text: &str| KNOWN.into_iter().find(|known| known.eq_ignore_ascii_case(text));
    let outcome = winner.map_or("Draw".into(), |winner| format!("{winner} wins"));
    let text = match termination.map(str::trim).filter(|text| !text.is_empty()) {
        None => outcome,
        Some(text) => match known(text) {
            None => text.to_owned(),
            Some("normal" | "unterminated") => outcome,
            Some(known) => format!("{outcome}, {known}"),
        },
    };
    Some(winner.map_or_else(|| End::draw(text.clone()), |winner| End::won(winner, text.clone())))
}

/// Sets the tags of the first position; `None` for the start of the game.
pub fn set_start(game: &mut Game, fen: Option<String>) {
    game.set_tag("SetUp", fen.is_some().then(|| "1".into()));
    game.set_tag("FEN", fen);
}

/// The number of the next move as in `3.` or `3...`.
pub fn number(session: &dyn Session) -> String {
    let dots = if session.side() == Color::White { "." } else { "..." };
    format!("{}{dots}", session.fullmove())
}

/// XBoard describes the pieces of a game that it does not know in the tag VariantMen. It writes several entries for some
/// moves, and no variations.
fn of_xboard(session: &mut dyn Session, reading: &mut Reading) -> Result<()> {
    let (info, game) = (session.info(), &mut reading.game);
    match game.tag("FEN") {
        None => session.set_position(None, &[])?,
        Some(fen) => {
            let quirks = Quirks::new(&info);
            position::set_up(session, &quirks, fen).map_err(|what| anyhow!("tag FEN: {what}"))?;
        }
    }
    let words: Vec<&str> = game.moves.iter().map(|ply| ply.san.as_str()).collect();
    let readings = movetext::read(session, &words).or_else(|wrong| {
        // XBoard's numbers count passes too.
        let (number, dots) = (wrong / 2 + 1, if wrong % 2 == 0 { "." } else { "..." });
        reading.broken = Some(format!("XBoard's move {number}{dots} {}: not a move", words[wrong]));
        movetext::read(session, &words[..wrong])
    });
    let (mut copy, mut plies) = (session.copy(), Vec::new());
    let mut start = 0;
    for (at, read) in readings.unwrap_or_default().into_iter().enumerate() {
        let mut ply = Ply { san: copy.play(&read.text)?.san, ..Ply::default() };
        for entry in &game.moves[start..read.end] {
            ply.nags.extend(&entry.nags);
            pgn::add_comment(&mut ply.comment, entry.comment.as_deref().unwrap_or_default());
        }
        plies.push(ply);
        reading.steps.push(Step { text: read.text, parent: at.checked_sub(1), place: (None, at) });
        start = read.end;
    }
    (game.moves, game.variations) = (plies, Vec::new());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that XBoard 4.9.1 wrote, engine against engine.
    const GAMES: [(&str, &str); 9] = [
        ("canyon", include_str!("../../../../engine-tests/games/canyon.pgn")),
        ("diamond", include_str!("../../../../engine-tests/games/diamond.pgn")),
        ("grandcavalier", include_str!("../../../../engine-tests/games/grandcavalier.pgn")),
        ("superchess", include_str!("../../../../engine-tests/games/superchess.pgn")),
        ("superchessfixed", include_str!("../../../../engine-tests/games/superchessfixed.pgn")),
        ("gast", include_str!("../../../../engine-tests/games/gast.pgn")),
        ("gast14", include_str!("../../../../engine-tests/games/gast14.pgn")),
        ("chess", include_str!("../../../../engine-tests/games/chess.pgn")),
        ("grand", include_str!("../../../../engine-tests/games/grand.pgn")),
    ];

    #[test]
    fn a_result_does_not_say_why() {
        let end = |result: &str, termination: &str| end_of(result, Some(termination)).map(|end| end.text);
        assert_eq!(end("0-1", "normal").as_deref(), Some("Black wins"));
        assert_eq!(end("0-1", "Time forfeit").as_deref(), Some("Black wins, time forfeit"));
        assert_eq!(end("1-0", "hikaru won by resignation").as_deref(), Some("hikaru won by resignation"));
        assert_eq!(end("1/2-1/2", "").as_deref(), Some("Draw"));
        assert_eq!(end("*", "unterminated"), None);
    }

    #[test]
    fn of_many_faults_the_first_are_told() {
        let text = format!("1. e4 {} e5 *", "$ ".repeat(100));
        let game = pgn::games(&text).next().unwrap();
        let complaints = interpret(&mut *engine::open("chess").unwrap(), game).unwrap().complaints();
        assert_eq!(complaints.len(), 11, "{complaints:?}");
        assert_eq!(complaints[10], "and 90 more");
    }

    #[test]
    fn xboards_games_are_read_to_their_end() {
        for (name, text) in GAMES {
            let game = pgn::parse(text).unwrap().remove(0);
            let mut session = engine::open(name).unwrap();
            let reading = interpret(&mut *session, game).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert!(reading.complaints().is_empty(), "{name}: {:?}", reading.complaints());
            for text in reading.moves() {
                session.play(&text).unwrap();
            }
            // They ended by our rules.
            let score = session.outcome().map(|outcome| outcome.score());
            assert_eq!(score, Some(reading.game.result.as_str()), "{name}: {}", session.fen());
        }
    }

    #[test]
    fn what_is_written_for_xboard_is_read() {
        for (name, text) in GAMES.into_iter().filter(|(name, _)| *name != "chess") {
            let game = pgn::parse(text).unwrap().remove(0);
            let mut session = engine::open(name).unwrap();
            let reading = interpret(&mut *session, game).unwrap();
            let moves = reading.moves();
            let written = for_xboard(&*session, reading);
            if name.starts_with("super") {
                // A cyclops turns.
                let error = written.unwrap_err();
                assert_eq!(error.to_string(), "XBoard cannot read move d1d1ne from a file", "{name}");
                continue;
            }
            let again = interpret(&mut *session, written.unwrap());
            assert_eq!(again.unwrap_or_else(|error| panic!("{name}: {error:#}")).moves(), moves, "{name}");
        }
    }

    #[test]
    fn the_time_to_read_grows_with_the_length() {
        let time = |plies: usize| {
            let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(plies / 4);
            let game = pgn::parse(&text).unwrap().remove(0);
            let read = || {
                let begun = std::time::Instant::now();
                let reading = interpret(&mut *engine::open("chess").unwrap(), game.clone()).unwrap();
                assert_eq!(reading.moves().len(), plies);
                begun.elapsed()
            };
            // Other work on the machine only adds.
            (0..3).map(|_| read()).min().unwrap().as_secs_f64()
        };
        let ratio = time(16_000) / time(1000);
        assert!(ratio < 80.0, "16 times the moves take {ratio:.1} times as long");
        let long = pgn::parse(&"Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_PLIES)).unwrap().remove(0);
        let error = interpret(&mut *engine::open("chess").unwrap(), long).err().unwrap();
        assert_eq!(error.to_string(), "it has 80000 moves, and the most that are read are 20000");
    }

    #[test]
    fn moves_are_spelled_anew_and_variations_stay() {
        let text = "1. e2-e4 (1. ♘f3 d5!?) (1. -- e5) ng8-f6 {x} 2. e5 (2. Bc4?? (2. Ke3) Nxe4 3. Nonsense {yes}) 2... Nd5 $1 \
                    3. d4 d6 4. ed6 Nc9 5. a3 *";
        let reading =
            interpret(&mut *engine::open("chess").unwrap(), pgn::parse(text).unwrap().remove(0)).unwrap();
        let written = reading.game.to_string().replace('\n', " ");
        let wanted = "1. e4 (1. Nf3 d5 $5) (1. -- e5) 1... Nf6 {x} 2. e5 (2. Bc4 $4 (2. Ke3) 2... Nxe4 3. Nonsense {yes}) 2... Nd5 \
                      $1 3. d4 d6 4. exd6 *";
        assert_eq!(written.trim(), wanted);
        let faults = [
            "variation, move 2. Ke3: the king on e1 cannot go to e3",
            "variation, move 3. Nonsense: not a move; write it like ",
        ];
        assert_eq!(reading.faults.len(), faults.len(), "{:?}", reading.faults);
        for (fault, wanted) in reading.faults.iter().zip(faults) {
            assert!(reading.faults.iter().any(|fault| fault.starts_with(wanted)), "{fault}");
        }
        assert_eq!(reading.broken.as_deref(), Some("move 4... Nc9: there is no square c9 on this board"));
        let parents: Vec<Option<usize>> = reading.steps[7..].iter().map(|step| step.parent).collect();
        assert_eq!(parents, [Some(1), Some(7), None, Some(9)]);
    }

    #[test]
    fn an_entry_of_xboard_that_makes_no_sense_is_named() {
        let text = GAMES[0].1.replace("Kxb7", "Kxb6");
        let game = pgn::parse(&text).unwrap().remove(0);
        let reading = interpret(&mut *engine::open("canyon").unwrap(), game).unwrap();
        assert_eq!(reading.broken.as_deref(), Some("XBoard's move 5... Kxb6: not a move"));
        assert_eq!(reading.game.moves.len(), 9);
    }
}
