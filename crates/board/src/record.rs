//! Games as text: PGN and FEN.

use super::tree::{MAX_COMMENT, MAX_NODES, Tree};
use super::view::NodeId;
use anyhow::{Context, Result, ensure};
use quintain_core::notation::pgn::{self, Game, Ply, Variation, add_comment, tidy_comment};
use quintain_engine::{self as engine, GameInfo};
use quintain_play::game::reading::{self, Reading};
use quintain_play::game::{End, Settings, level, time};
use quintain_play::library::{SavedGame, SavedNode};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The most warnings about a game; more are counted.
const MAX_WARNINGS: usize = 5;

/// A game that was read from a text.
pub struct Record {
    /// The game as the library keeps it. People play both sides. It has all tags of the text, and those that every game must
    /// have; the tag Result is `1-0`, `0-1`, `1/2-1/2` or `*`, as after the moves.
    pub saved: SavedGame,
    /// Which games it could be, if the text does not say it: the game that is open first, then chess. Otherwise just the one
    /// that it is.
    pub candidates: Vec<&'static str>,
    /// What was not understood and is left out, and what was changed: phrases without full stops.
    pub warnings: Vec<String>,
}

/// Reads all games of a text: a PGN, or one FEN of the game `open`, which is the one that the person has before them.
///
/// - There is an entry for each game of the text, in its order; an error says why a game cannot be used at all. A text
///   without a game has one entry, an error.
/// - The moves are legal and were played: [`Tree::of_saved`] has no error. A game has at most [`MAX_NODES`] positions, and
///   no comment is longer than [`MAX_COMMENT`].
/// - A move that is not understood ends its game or variation. What comes before it is kept, and `warnings` names it. What
///   follows in a variation is kept as a comment.
/// - A game without the tag Variant is that of its `candidates` in which its moves are legal; see
///   [`reading::likeliest`]. To read it as another one, use [`read_all_as`].
/// - The time is linear in the length of the text. Longer games are refused before their moves
///   are interpreted. It is for a thread of its own nevertheless: a large text takes a second.
pub fn read_all(text: &str, open: &str) -> Vec<Result<Record>> {
    read_games(text, open, |game| Ok(reading::candidates(game, open)))
}

/// The same, but games without the tag Variant are games of `name`.
pub fn read_all_as(text: &str, name: &str) -> Vec<Result<Record>> {
    let known = reading::variant(name);
    read_games(text, name, |_| Ok(vec![known.clone()?]))
}

fn read_games(
    text: &str,
    open: &str,
    candidates: impl Fn(&Game) -> Result<Vec<&'static str>>,
) -> Vec<Result<Record>> {
    let text = text.trim();
    if is_fen(text) {
        return vec![Record::of_fen(text, open)];
    }
    let read = |game: Game| {
        // One position is that before the moves.
        let (count, most) = (game.count(), MAX_NODES - 1);
        ensure!(count <= most, "it has {count} moves with those of its variations, and the most are {most}");
        let candidates = match game.tag("Variant") {
            Some(tag) => vec![reading::variant(tag).context("tag Variant")?],
            None => candidates(&game)?,
        };
        Record::of_pgn(game, candidates)
    };
    let records: Vec<Result<Record>> = pgn::games(text).map(read).collect();
    match records.is_empty() {
        true => vec![Err(anyhow::anyhow!("there is no game in the text"))],
        false => records,
    }
}

/// A FEN is one line, and its first word has ranks between slashes.
fn is_fen(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    text.lines().count() == 1 && first.contains('/') && !text.starts_with(['[', '{'])
}

impl Record {
    fn new(game: &'static str, candidates: Vec<&'static str>, fen: Option<String>) -> Record {
        let settings = Settings { fen, engine: [false; 2], ..Settings::of(game) };
        Record { saved: SavedGame::new(settings, time::date()), candidates, warnings: Vec::new() }
    }

    fn of_fen(fen: &str, open: &str) -> Result<Record> {
        let mut session = engine::open(open)?;
        session.set_position(Some(fen), &[])?;
        let mut record = Record::new(session.info().name, vec![session.info().name], Some(fen.to_owned()));
        record.saved.end = session.outcome().map(End::of);
        Ok(record)
    }

    fn of_pgn(game: Game, candidates: Vec<&'static str>) -> Result<Record> {
        let name = reading::likeliest(&candidates).context("there is no such game")?;
        let (mut session, is_empty) = (engine::open(name)?, game.moves.is_empty());
        let reading = reading::interpret(&mut *session, game)?;
        // Where nothing was understood, there is nothing to keep.
        let complaints = reading.complaints();
        ensure!(is_empty || !reading.game.moves.is_empty(), "{}", complaints.join("; "));
        let start = session.fen();
        let mut record = Record::new(name, candidates, (start != session.info().start).then_some(start));
        for text in reading.moves() {
            session.play(&text)?;
        }
        let saved = &mut record.saved;
        (saved.nodes, saved.live) = (nodes(&reading), reading.moves().len());
        record.warnings = complaints;
        record.warnings.extend(saved.nodes.iter_mut().filter_map(|node| cut_comment(&mut node.comment)));
        let more = record.warnings.len().saturating_sub(MAX_WARNINGS);
        record.warnings.truncate(MAX_WARNINGS);
        record.warnings.extend((more > 0).then(|| format!("{more} more places are not as in the text")));
        (saved.tags, saved.end) = reading::tags_and_end(reading.game, &*session);
        Ok(record)
    }
}

/// The positions of a game. A move that comes twice after a position is one.
fn nodes(reading: &Reading) -> Vec<SavedNode> {
    let game = &reading.game;
    let mut nodes = vec![SavedNode::default()];
    nodes[0].comment = tidy_comment(game.comment.as_deref().unwrap_or_default());
    let mut known: HashMap<(usize, &str), usize> = HashMap::new();
    // The position after each step.
    let mut after: Vec<usize> = Vec::new();
    for step in &reading.steps {
        let parent = step.parent.map_or(0, |parent| after[parent]);
        let at = *known.entry((parent, &step.text)).or_insert(nodes.len());
        if at == nodes.len() {
            nodes.push(SavedNode { parent: Some(parent), text: step.text.clone(), ..SavedNode::default() });
        }
        let (line, place) = step.place;
        let ply = &game.line(line)[place];
        let before = line.filter(|_| place == 0).and_then(|line| game.variations[line].comment.as_deref());
        for comment in [before, ply.comment.as_deref()].into_iter().flatten() {
            say(&mut nodes[at], comment);
        }
        for &nag in &ply.nags {
            if !nodes[at].nags.contains(&nag) {
                nodes[at].nags.push(nag);
            }
        }
        after.push(at);
    }
    for (step, text) in &reading.rests {
        say(&mut nodes[step.map_or(0, |step| after[step])], text);
    }
    for node in &mut nodes {
        let (time, comment) = untimed(&node.comment);
        (node.time, node.comment) = (time.map(|time| time.as_millis() as u64), comment);
    }
    nodes
}

/// Adds a comment, unless it is there already.
fn say(node: &mut SavedNode, comment: &str) {
    let comment = tidy_comment(comment);
    if !node.comment.lines().any(|line| line == comment) {
        let mut known = Some(std::mem::take(&mut node.comment));
        add_comment(&mut known, &comment);
        node.comment = known.unwrap_or_default();
    }
}

/// Cuts a comment that is too long, and says so.
fn cut_comment(comment: &mut String) -> Option<String> {
    if comment.len() <= MAX_COMMENT {
        return None;
    }
    let (length, mut end) = (comment.len(), MAX_COMMENT);
    while !comment.is_char_boundary(end) {
        end -= 1;
    }
    comment.truncate(end);
    *comment = tidy_comment(comment);
    let begin: String = comment.chars().take(30).collect();
    Some(format!("the comment '{begin}...' has {length} bytes and was cut after {MAX_COMMENT}"))
}

/// A comment in a PGN, with the time that the move took before it.
pub fn timed(comment: &str, time: Option<Duration>) -> Option<String> {
    let time = time.map(|time| {
        let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
        format!("[%emt {}:{:02}:{:02}.{tenths}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
    });
    let parts: Vec<&str> =
        time.as_deref().into_iter().chain(Some(comment).filter(|text| !text.is_empty())).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The time that a move took and the rest of its comment; the reverse of [`timed`].
pub fn untimed(comment: &str) -> (Option<Duration>, String) {
    let found = || {
        let (before, rest) = comment.split_once("[%emt")?;
        let (time, after) = rest.split_once(']')?;
        let parts: Vec<f64> = time.trim().split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let seconds = parts.iter().try_fold(0.0, |sum, &part| (part >= 0.0).then_some(60.0 * sum + part))?;
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| parts.len() <= 3)?;
        let words: Vec<&str> =
            [before.trim(), after.trim()].into_iter().filter(|text| !text.is_empty()).collect();
        Some((Some(time), words.join(" ")))
    };
    found().unwrap_or_else(|| (None, comment.to_owned()))
}

/// A game to write.
pub struct Written<'a> {
    pub info: &'a GameInfo,
    pub settings: &'a Settings,
    /// When it began: milliseconds since 1970.
    pub begun: u64,
    /// The tags of a game that was loaded; none for a game that was begun here.
    pub tags: &'a [(String, String)],
    pub tree: &'a Tree,
    /// The last position of the game.
    pub live: NodeId,
    /// How it ended.
    pub outcome: Option<&'a End>,
    /// The same, if that does not follow from the last position.
    pub end: Option<&'a End>,
}

/// Writes a PGN. [`read_all`] reads it again with everything that is in it.
pub fn write(written: &Written<'_>) -> String {
    let &Written { info, settings, begun, tags, tree, live, outcome, end } = written;
    let result = outcome.map_or("*", |end| &end.score);
    let start = &tree.view(tree.root()).position.fen;
    let mut game = if tags.is_empty() {
        let engine = level::player(settings.level);
        let players = settings.engine.map(|plays| if plays { engine.as_str() } else { "?" });
        reading::played(info, "in the browser", begun / 1000, players, start, result)
    } else {
        let mut game = Game { tags: tags.to_vec(), ..Game::default() };
        game.set_tag("Variant", Some(info.name.to_owned()));
        game.set_tag("VariantMen", None);
        reading::set_start(&mut game, (start != info.start).then(|| start.to_owned()));
        game
    };
    reading::set_end(&mut game, outcome, end);
    write_tree(tree, live, &mut game);
    game.to_string()
}

/// Writes comment, moves and variations of the game, which ends at `live`. What follows there is a variation that
/// begins with the last move of the game once more; PGN has no other place for it. Without a move it is the line of the
/// game.
fn write_tree(tree: &Tree, live: NodeId, game: &mut Game) {
    let root = tree.root();
    let comment = &tree[root].comment;
    game.comment = (!comment.is_empty()).then(|| comment.clone());
    let main: HashSet<NodeId> = tree.path(live).into_iter().collect();
    let mut lines = vec![(None, root)];
    while let Some((line, mut id)) = lines.pop() {
        loop {
            let children = &tree[id].children;
            let next = children.iter().find(|child| main.contains(child)).or(children.first());
            let Some(&next) = next else { break };
            if line.is_none() && id == live && id != root {
                let last = Ply { san: ply(tree, id).san, ..Ply::default() };
                add_variation(game, None, last, id, &mut lines);
                break;
            }
            game.line_mut(line).push(ply(tree, next));
            for &other in children.iter().filter(|&&child| child != next) {
                add_variation(game, line, ply(tree, other), other, &mut lines);
            }
            id = next;
        }
    }
}

fn ply(tree: &Tree, id: NodeId) -> Ply {
    let node = &tree[id];
    Ply {
        san: node.mv.as_ref().map(|mv| mv.san.clone()).unwrap_or_default(),
        nags: node.nags.clone(),
        comment: timed(&node.comment, node.time),
        variations: Vec::new(),
    }
}

/// Begins a variation of the last move of a line; it goes on after a position.
fn add_variation(
    game: &mut Game,
    line: Option<usize>,
    first: Ply,
    position: NodeId,
    lines: &mut Vec<(Option<usize>, NodeId)>,
) {
    let number = game.variations.len();
    game.variations.push(Variation { comment: None, moves: vec![first] });
    if let Some(last) = game.line_mut(line).last_mut() {
        last.variations.push(number);
    }
    lines.push((Some(number), position));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quintain_core::board::Color;
    use quintain_engine::UnknownGame;
    use std::collections::BTreeMap;

    fn one(text: &str, open: &str) -> Record {
        let mut records = read_all(text, open);
        assert_eq!(records.len(), 1);
        records.remove(0).unwrap_or_else(|error| panic!("{text}: {error:#}"))
    }

    fn error(text: &str, open: &str) -> String {
        read_all(text, open).remove(0).err().map_or("no error".into(), |error| format!("{error:#}"))
    }

    /// The moves of the game as coordinates.
    fn moves(record: &Record) -> String {
        let texts = record.saved.nodes[1..=record.saved.live].iter().map(|node| node.text.as_str());
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_games_of_a_text_are_read_and_a_bad_one_spoils_no_other() {
        let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n[Variant \"hexes\"]\n\n1. a b *\n\n\
                    [White \"C\"]\n[Variant \"Canyon Chess\"]\n\n1. K-N *\n\n[White \"D\"]\n[Variant \"Standard\"]\n\n1. e5 *\n\n\
                    [White \"E\"]\n\n1. d4 d5 2. c5 dxc5 *\n";
        let records = read_all(text, "gast");
        let told: Vec<String> = records
            .iter()
            .map(|record| match record {
                Ok(record) => {
                    format!("{} {} {}", record.saved.settings.game, moves(record), record.warnings.join("; "))
                }
                Err(error) => format!("{error:#}"),
            })
            .collect();
        let wanted = [
            "chess e2e4 e7e5 ",
            &format!("tag Variant: {}", UnknownGame("hexes".into())),
            "canyon d2b2 ",
            "move 1. e5: the pawn on e2 cannot go to e5",
            "chess d2d4 d7d5 move 2. c5: the pawn on c2 cannot go to c5",
        ];
        assert_eq!(told, wanted);
        assert_eq!(error(" \n", "chess"), "there is no game in the text");
        assert!(error("8/8 w - -", "chess").starts_with("placement: 2 ranks"));
        assert_eq!(one("8/8/8/3k4/8/8/8/R6K w - - 0 1", "chess").saved.nodes.len(), 1);
        let gast = read_all_as("1. e3 *", "gast").remove(0).unwrap();
        assert_eq!((&*gast.saved.settings.game, &gast.candidates[..]), ("gast", &["gast"][..]));
    }

    #[test]
    fn a_game_that_does_not_say_which_it_is_is_one_in_which_it_is_legal() {
        let ruy = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *";
        assert_eq!(one(ruy, "canyon").candidates, ["chess"]);
        assert_eq!(one("1. d4 K-N *", "chess").candidates, ["canyon"]);
        // The game that is open is asked for first, but it is chess unless somebody says otherwise.
        let several = one("1. e4 e5 *", "canyon");
        assert_eq!(
            (&*several.saved.settings.game, &several.candidates[..2]),
            ("chess", &["canyon", "chess"][..])
        );
        let fen = "[FEN \"****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1\"]\n\n*";
        assert_eq!(one(fen, "chess").candidates, ["diamond"]);
        assert!(error("[FEN \"8/8 w - -\"]\n\n*", "chess").starts_with("tag FEN: placement: 2 ranks"));
    }

    #[test]
    fn a_token_costs_its_line_from_there_on() {
        let text = "{before} 1. e4 e5 (1... c5 {open} 2. Nf3 d6 3. xyzzy {lost?} Nf6) (1... -- 2. d4) 2. Nf3 Nc6 \
                    (2... -- 3. Nxe5 {wins}) (2... d6 3. Z0) 3. Bb5 $1 Bd6 4. Qh9 {no} a6 1-0";
        let record = one(text, "chess");
        assert_eq!(moves(&record), "e2e4 e7e5 g1f3 b8c6 f1b5 f8d6");
        let warnings = [
            "variation, move 3. xyzzy: not a move; write it like Ke2 or e1e2",
            "move 4. Qh9: there is no square h9 on this board",
        ];
        assert_eq!(record.warnings, warnings);
        let said: Vec<(&str, &str)> = record
            .saved
            .nodes
            .iter()
            .filter(|node| !node.comment.is_empty())
            .map(|node| (&*node.text, &*node.comment))
            .collect();
        let wanted = [
            ("", "before"),
            ("e2e4", "1... -- 2. d4"),
            ("g1f3", "2... -- 3. Nxe5 {wins}"),
            ("d7d6", "3. --"),
            ("c7c5", "open"),
            ("d7d6", "3. xyzzy {lost?} 3... Nf6"),
        ];
        assert_eq!(said, wanted);
        assert_eq!(record.saved.nodes[5].nags, [1]);
        assert_eq!(record.saved.end.map(|end| end.text), Some("White wins".into()));
    }

    #[test]
    fn the_position_decides_over_the_result() {
        let record = one("1. f3 e5 2. g4 Qh4# 1-0", "chess");
        assert_eq!(record.saved.end.map(|end| end.score), Some("0-1".into()));
    }

    #[test]
    fn what_is_too_long_is_refused_or_cut_with_a_word() {
        let text = format!("1. e4 {{{}}} *", "wörd ".repeat(MAX_COMMENT / 5));
        let record = one(&text, "chess");
        assert!(
            record.saved.nodes[1].comment.len() <= MAX_COMMENT
                && record.saved.nodes[1].comment.ends_with("wör")
        );
        assert_eq!(record.warnings.len(), 1);
        assert!(
            record.warnings[0].ends_with("has 11999 bytes and was cut after 10000"),
            "{:?}",
            record.warnings
        );
        let text = format!("1. e4 {} *", "(1. d4) ".repeat(MAX_NODES));
        assert_eq!(
            error(&text, "chess"),
            "it has 5001 moves with those of its variations, and the most are 4999"
        );
    }

    /// What can be seen of a game: each position by the moves that lead to it with what is said of it, the last position of
    /// the game, and its end.
    fn seen(saved: &SavedGame) -> String {
        let mut paths: Vec<Vec<String>> = Vec::new();
        let mut positions = BTreeMap::new();
        for node in &saved.nodes {
            let mut path = node.parent.map_or(Vec::new(), |parent| paths[parent].clone());
            path.extend(node.parent.map(|_| node.text.clone()));
            positions.insert(path.clone(), (node.comment.clone(), node.nags.clone(), node.time));
            paths.push(path);
        }
        format!("{:#?}", (positions, &paths[saved.live], &saved.end))
    }

    /// Writes a game, and reads it.
    fn there_and_back(saved: &SavedGame) -> SavedGame {
        let (tree, ids) = Tree::of_saved(saved, 0).unwrap();
        let mut session = engine::open(&saved.settings.game).unwrap();
        session.set_position(saved.settings.fen.as_deref(), &tree.moves(ids[saved.live])).unwrap();
        let text = write(&Written {
            info: &session.info(),
            settings: &saved.settings,
            begun: saved.begun,
            tags: &saved.tags,
            tree: &tree,
            live: ids[saved.live],
            outcome: saved.end.as_ref(),
            end: saved.end.as_ref().filter(|_| session.outcome().is_none()),
        });
        let record = one(&text, "chess");
        assert!(record.warnings.is_empty(), "{:?} {text}", record.warnings);
        assert_eq!(record.candidates, [saved.settings.game.as_str()]);
        let mut read = record.saved;
        // Where the game has no moves, a text cannot say that what follows is not the game.
        if saved.live == 0 {
            (read.live, read.end) = (0, saved.end.clone());
        }
        read
    }

    /// A game in which each choice adds a move to a position that is there, with what is said of it.
    type Choice = (prop::sample::Index, prop::sample::Index, String, Vec<u8>, Option<u64>);

    fn game(name: &str, choices: &[Choice], live: prop::sample::Index, end: usize) -> SavedGame {
        let mut saved = SavedGame::new(Settings { engine: [false; 2], ..Settings::of(name) }, 0);
        let mut sessions = vec![engine::open(name).unwrap()];
        for (parent, mv, comment, nags, time) in choices {
            let parent = parent.index(saved.nodes.len());
            let mut session = sessions[parent].copy();
            let moves = session.moves();
            let Some(text) = moves.get(mv.index(moves.len().max(1))) else { continue };
            if saved.nodes.iter().any(|node| node.parent == Some(parent) && node.text == *text) {
                continue;
            }
            session.play(text).unwrap();
            sessions.push(session);
            let (time, comment) = match untimed(&tidy_comment(comment)) {
                (None, comment) => (time.map(|tenths| 100 * tenths), comment),
                (time, comment) => (time.map(|time| time.as_millis() as u64 / 100 * 100), comment),
            };
            let mut known = Vec::new();
            nags.iter().for_each(|nag| {
                if !known.contains(nag) {
                    known.push(*nag)
                }
            });
            let (parent, text) = (Some(parent), text.clone());
            saved.nodes.push(SavedNode { parent, text, comment, nags: known, time, ..SavedNode::default() });
        }
        saved.live = live.index(saved.nodes.len());
        let ends = [
            None,
            Some(End::won(Color::White, "Black resigns".into())),
            Some(End::draw("Draw by agreement".into())),
        ];
        let by_rules = sessions[saved.live].outcome().map(End::of);
        saved.end = by_rules.or_else(|| ends[end].clone());
        if end == 2 {
            saved.tags =
                vec![("White".into(), "a \"b\" \\c".into()), ("Termination".into(), "Normal".into())];
        }
        saved
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever the board can hold comes back from the text that it writes.
        #[test]
        fn what_the_board_writes_it_reads_again(
            name in prop::sample::select(quintain_engine::NAMES),
            choices in prop::collection::vec(
                (
                    any::<prop::sample::Index>(),
                    any::<prop::sample::Index>(),
                    prop_oneof![Just(String::new()), "[a-c{}\\[\\]();%$!\n\t \"é–]{0,30}", "[{}\\n]{1,200}", ".{0,20}"],
                    prop::collection::vec(any::<u8>(), 0..3),
                    prop::option::of(0..1_000_000_u64),
                ),
                0..30,
            ),
            live in any::<prop::sample::Index>(),
            end in 0..3_usize,
        ) {
            let saved = game(name, &choices, live, end);
            let read = there_and_back(&saved);
            prop_assert_eq!(seen(&read), seen(&saved));
            if end == 2 {
                let white = |game: &SavedGame| game.players()[0].clone();
                prop_assert_eq!(white(&read), white(&saved));
            }
        }
    }

    /// A game in which each variation has one of its own.
    fn nested(levels: usize) -> SavedGame {
        let mut saved = SavedGame::new(Settings { engine: [false; 2], ..Settings::of("chess") }, 0);
        let mut parent = 0;
        for level in 0..levels {
            // The knights go out and back, and before each of their moves there is another one.
            let knights = ["g1f3", "g8f6", "f3g1", "f6g8"][level % 4];
            let other = ["a2a3", "a7a6"][level % 2];
            let node =
                |text: &str| SavedNode { parent: Some(parent), text: text.into(), ..SavedNode::default() };
            saved.nodes.extend([node(other), node(knights)]);
            parent = saved.nodes.len() - 1;
        }
        saved.live = 1;
        saved
    }

    #[test]
    fn variations_are_nested_as_deep_as_the_board_can_hold() {
        let saved = nested((MAX_NODES - 1) / 2);
        assert_eq!(saved.nodes.len(), MAX_NODES - 1);
        let read = there_and_back(&saved);
        let texts = |saved: &SavedGame| {
            let mut texts: Vec<String> = saved.nodes.iter().map(|node| node.text.clone()).collect();
            texts.sort();
            texts
        };
        assert_eq!(texts(&read), texts(&saved));
        assert_eq!(read.nodes[read.live].text, "a2a3");
    }

    #[test]
    fn the_time_to_read_grows_with_the_length() {
        // Each move has a variation, and some have one that is not understood.
        let text = |moves: usize| {
            let cycle = "Nf3 (a3) Nf6 (a6 e4 h5) Ng1 (-- h3) Ng8 (Qx) ";
            format!("[Variant \"chess\"]\n\n{} *", cycle.repeat(moves / 4))
        };
        let time = |moves: usize| {
            let text = text(moves);
            let read = || {
                let begun = std::time::Instant::now();
                let record = one(&text, "chess");
                Tree::of_saved(&record.saved, 0).unwrap();
                begun.elapsed()
            };
            (0..3).map(|_| read()).min().unwrap().as_secs_f64()
        };
        let ratio = time(1600) / time(160);
        assert!(ratio < 40.0, "ten times the moves take {ratio:.1} times as long");
    }

    #[test]
    fn times_of_moves_are_read_back() {
        let time = Some(Duration::from_millis(3_723_400));
        assert_eq!(timed("well", time), Some("[%emt 1:02:03.4] well".into()));
        assert_eq!(untimed("[%emt 1:02:03.4] well"), (time, "well".into()));
        assert_eq!(untimed("so [%emt 0:05] it is"), (Some(Duration::from_secs(5)), "so it is".into()));
        assert_eq!(timed("", None), None);
        assert_eq!(untimed("[%emt\n0:05]"), (Some(Duration::from_secs(5)), String::new()));
        for strange in ["[%emt x]", "[%emt -1]", "[%emt 1:2:3:4]", "[%emt 9e99]", "[%emt 5", "[%clk 0:05]"] {
            assert_eq!(untimed(strange), (None, strange.into()));
        }
    }
}
