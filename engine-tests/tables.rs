//! Endgame tables, against the slow generator: all positions of small materials are solved from its moves alone, and in
//! others random entries are derived from those after each move.

use quintain::board::Color;
use quintain::board::zobrist::random_numbers;
use quintain::engine::{self, Engine, FindTables, NAMES, Options};
use quintain::notation::fen;
use quintain::search::score::moves_to_mate;
use quintain::search::{Bound, Known, Limits};
use quintain::tables::{Count, Endings, Material, Tables, Verdict, Work};
use quintain_oracle::Game;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The tables of these materials and those that they need. Each is built once for all tests.
fn built(endings: &dyn Endings, materials: &[&str]) -> Tables {
    static BUILT: Mutex<BTreeMap<&str, Tables>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = built.entry(endings.game()).or_default();
    let materials: Vec<Material> =
        materials.iter().map(|text| endings.stored(&endings.material(text).unwrap()).0).collect();
    let mut tables = Tables::new();
    for material in endings.plan(&materials).unwrap() {
        let table = known.entry(material.clone()).or_insert_with(|| {
            Arc::new(endings.build(&material, &tables, Work { threads: 2, stop: &|| false }).unwrap())
        });
        tables.insert(material, Arc::clone(table));
    }
    tables
}

/// A FEN of pieces given by letter, square and facing, without rights. Its legality is not checked.
fn fen_of(game: &str, pieces: &[(char, (u8, u8), Option<&str>)], side: Color) -> String {
    let session = engine::open(game).expect("a game");
    let info = session.info();
    let mut facings = Vec::new();
    let placement = fen::placement(info.files, info.ranks, |file, rank| {
        if !session.has_square((file, rank)) {
            return Some('*');
        }
        let &(letter, _, facing) = pieces.iter().find(|piece| piece.1 == (file, rank))?;
        facings.extend(facing);
        Some(letter)
    });
    let side = if side == Color::White { 'w' } else { 'b' };
    let extra = match game {
        "superchess" | "superchessfixed" if facings.is_empty() => " -".to_owned(),
        "superchess" | "superchessfixed" => format!(" {}", facings.join(",")),
        _ => String::new(),
    };
    format!("{placement} {side} - - 0 1{extra}")
}

/// The letters of a material as in a FEN.
fn letters(material: &Material) -> Vec<char> {
    let black = material.letters(Color::Black).to_lowercase();
    material.letters(Color::White).chars().chain(black.chars()).collect()
}

/// A FEN without what tables leave out: en passant, counters, and the count of moves against a bare king unless `counted`.
fn bare(fen: &str, game: &str, counted: bool) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let extra = fields.get(6).filter(|_| game != "canyon" || counted);
    let extra = extra.map_or_else(String::new, |extra| format!(" {extra}"));
    format!("{} {} - - 0 1{extra}", fields[0], fields[1])
}

// ---- All positions ------------------------------------------------------------------------------------

/// A position of the brute-force solver.
struct Node {
    successors: Vec<usize>,
    mated: bool,
    verdict: Option<Verdict>,
}

/// Solves a material and all that it leads to, from the oracle's moves alone, without the limit of canyon: the verdicts by
/// FEN.
fn solved(name: &str, material: &Material) -> HashMap<String, Verdict> {
    let game = Game::named(name);
    let (mut numbers, mut nodes, mut waiting) = (HashMap::new(), Vec::new(), all_positions(name, material));
    for fen in &waiting {
        numbers.insert(fen.clone(), numbers.len());
    }
    nodes.resize_with(numbers.len(), || None);
    while let Some(fen) = waiting.pop() {
        let state = game.parse(&fen);
        let after: Vec<String> =
            state.successors().values().map(|state| bare(&state.fen(), name, false)).collect();
        let mated = after.is_empty() && state.in_check();
        let successors = after.into_iter().map(|fen| {
            let next = numbers.len();
            *numbers.entry(fen.clone()).or_insert_with(|| {
                waiting.push(fen);
                nodes.push(None);
                next
            })
        });
        let successors = successors.collect();
        nodes[numbers[&fen]] = Some(Node { successors, mated, verdict: None });
    }
    let mut nodes: Vec<Node> =
        nodes.into_iter().map(|node| node.expect("every position was looked at")).collect();
    for plies in 0.. {
        let found: Vec<usize> = (0..nodes.len()).filter(|&at| is_decided(&nodes, at, plies)).collect();
        if found.is_empty() && plies > 0 {
            break;
        }
        let verdict = if plies % 2 == 0 { Verdict::Lost(plies) } else { Verdict::Won(plies) };
        found.into_iter().for_each(|at| nodes[at].verdict = Some(verdict));
    }
    let verdict = |at: usize| nodes[at].verdict.unwrap_or(Verdict::Drawn);
    numbers.into_iter().map(|(fen, at)| (fen, verdict(at))).collect()
}

fn is_decided(nodes: &[Node], at: usize, plies: u16) -> bool {
    let Node { successors, mated, verdict } = &nodes[at];
    let verdicts = || successors.iter().map(|&after| nodes[after].verdict);
    match plies {
        _ if verdict.is_some() => false,
        0 => *mated,
        _ if plies % 2 == 1 => verdicts().any(|after| matches!(after, Some(Verdict::Lost(_)))),
        _ => !successors.is_empty() && verdicts().all(|after| matches!(after, Some(Verdict::Won(_)))),
    }
}

/// All legal positions of a material, as FEN.
fn all_positions(name: &str, material: &Material) -> Vec<String> {
    let mut session = engine::open(name).expect("a game");
    let (squares, letters) = (session.squares(), letters(material));
    let mut found: Vec<String> = Vec::new();
    let mut places = vec![0; letters.len()];
    loop {
        let pieces: Vec<_> =
            letters.iter().zip(&places).map(|(&letter, &place)| (letter, squares[place], None)).collect();
        let distinct = (1..places.len()).all(|i| !places[..i].contains(&places[i]));
        if distinct {
            for side in Color::BOTH {
                let fen = fen_of(name, &pieces, side);
                if session.set_position(Some(&fen), &[]).is_ok() {
                    found.push(fen);
                }
            }
        }
        let Some(next) = places.iter().rposition(|&place| place + 1 < squares.len()) else { break };
        places[next] += 1;
        places[next + 1..].fill(0);
    }
    found.sort();
    // Like pieces have changed places.
    found.dedup();
    found
}

/// The counts of verdicts, by side to move.
fn count(verdicts: &HashMap<String, Verdict>, letters: &[char]) -> [Count; 2] {
    let mut counts = [Count::default(); 2];
    let mut wanted: Vec<char> = letters.to_vec();
    wanted.sort_unstable();
    for (fen, &verdict) in verdicts {
        let (placement, rest) = fen.split_once(' ').expect("fields");
        let mut own: Vec<char> = placement.chars().filter(char::is_ascii_alphabetic).collect();
        own.sort_unstable();
        if own != wanted {
            continue;
        }
        let count = &mut counts[usize::from(rest.starts_with('b'))];
        count.positions += 1;
        let (number, plies, longest) = match verdict {
            Verdict::Drawn => {
                count.drawn += 1;
                continue;
            }
            Verdict::Won(plies) => (&mut count.won, plies, &mut count.longest_win),
            Verdict::Lost(plies) => (&mut count.lost, plies, &mut count.longest_loss),
        };
        *number += 1;
        count.mated += u64::from(plies == 0);
        count.sum_plies += u64::from(plies);
        *longest = Some((longest.map_or(plies, |known| known.0.max(plies)), 0));
    }
    counts
}

#[test]
fn whole_tables_are_those_of_a_slow_solver() {
    compare_all("diamond", "KAvK");
}

#[test]
#[ignore = "takes minutes without optimization"]
fn other_whole_tables_are_those_of_a_slow_solver() {
    for (name, text) in [("diamond", "KPvK"), ("canyon", "KMvK"), ("canyon", "KQvK")] {
        compare_all(name, text);
    }
}

fn compare_all(name: &str, text: &str) {
    let endings = engine::endings(name).unwrap();
    let tables = built(endings, &[text]);
    let verdicts = solved(name, &endings.material(text).unwrap());
    for (material, table) in &tables {
        let counts = table.counts().map(|count| Count {
            // The slow solver does not look for these.
            zugzwangs: 0,
            longest_win: count.longest_win.map(|longest| (longest.0, 0)),
            longest_loss: count.longest_loss.map(|longest| (longest.0, 0)),
            ..count
        });
        // Of what a promotion leads to, the slow solver has only what was reached.
        if material.to_string() == text {
            assert_eq!(counts, count(&verdicts, &letters(material)), "{name} {material}");
        }
    }
    for (fen, &verdict) in &verdicts {
        assert_eq!(endings.probe(fen, &tables, false), Some(verdict), "{name} {fen}");
    }
}

// ---- Random positions ---------------------------------------------------------------------------------

/// The verdict that follows from those after the oracle's moves.
fn by_oracle(name: &str, fen: &str, endings: &dyn Endings, tables: &Tables, limited: bool) -> Verdict {
    let state = Game::named(name).parse(fen);
    let successors = state.successors();
    if successors.is_empty() {
        return if state.in_check() { Verdict::Lost(0) } else { Verdict::Drawn };
    }
    let ten = |fen: &str| fen.split(' ').nth(6).is_some_and(|field| name == "canyon" && field == "10");
    let (mut won, mut drawn, mut lost) = (None::<u16>, false, None::<u16>);
    for after in successors.values() {
        let text = after.fen();
        // The tenth move does not mate.
        let over = limited && ten(&text) && !(after.in_check() && after.successors().is_empty());
        let probed = endings.probe(&bare(&text, name, limited), tables, limited);
        match probed.unwrap_or_else(|| panic!("{name} {fen}: no table for {text}")) {
            _ if over => drawn = true,
            Verdict::Lost(plies) => won = Some(won.map_or(plies + 1, |known| known.min(plies + 1))),
            Verdict::Drawn => drawn = true,
            Verdict::Won(plies) => lost = lost.max(Some(plies + 1)),
        }
    }
    match (won, drawn, lost) {
        (Some(plies), ..) => Verdict::Won(plies),
        (None, true, _) => Verdict::Drawn,
        (None, false, Some(plies)) => Verdict::Lost(plies),
        (None, false, None) => unreachable!("there is a move"),
    }
}

/// Derives random entries of a material from those after the oracle's moves. Returns how many of them were won or lost.
fn compare(name: &str, text: &str, tries: usize, limited: bool) -> usize {
    let endings = engine::endings(name).unwrap();
    let tables = built(endings, &[text]);
    let session = engine::open(name).unwrap();
    let (squares, letters) = (session.squares(), letters(&endings.material(text).unwrap()));
    let mut random = random_numbers(7);
    let mut below = |bound: usize| (random() % bound as u64) as usize;
    let (mut compared, mut decided) = (0, 0);
    while compared < tries {
        const FACINGS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
        let pieces: Vec<_> = letters
            .iter()
            .map(|&letter| {
                let facing = letter.eq_ignore_ascii_case(&'c') && name.starts_with("superchess");
                (letter, squares[below(squares.len())], facing.then(|| FACINGS[below(8)]))
            })
            .collect();
        let distinct = (1..pieces.len()).all(|i| pieces[..i].iter().all(|piece| piece.1 != pieces[i].1));
        let side = Color::BOTH[below(2)];
        let mut fen = fen_of(name, &pieces, side);
        if limited && Color::BOTH.iter().any(|&color| endings.material(text).unwrap().is_bare_king(color)) {
            fen += &format!(" {}", below(10));
        }
        if !distinct || engine::open(name).unwrap().set_position(Some(&fen), &[]).is_err() {
            continue;
        }
        compared += 1;
        let expected = by_oracle(name, &fen, endings, &tables, limited);
        assert_eq!(endings.probe(&fen, &tables, limited), Some(expected), "{name} {fen}");
        decided += usize::from(expected != Verdict::Drawn);
    }
    decided
}

#[test]
fn entries_follow_from_the_moves_of_the_oracle() {
    // A piece of each game that promotes, and those that move in unusual ways.
    for (name, text) in [
        ("canyon", "KPvK"),
        ("diamond", "KPvK"),
        ("grandcavalier", "KCvK"),
        ("superchess", "KCvK"),
        ("superchessfixed", "KAvK"),
        ("gast", "KGvK"),
        ("chess", "KPvK"),
        ("grand", "KCvK"),
    ] {
        compare(name, text, 200, false);
    }
    assert!(NAMES.len() == 9, "another game is to be compared");
}

#[test]
fn the_limit_of_moves_to_mate_counts_in_canyon() {
    assert!(compare("canyon", "KQvK", 1000, true) > 100);
}

#[test]
#[ignore = "takes minutes without optimization"]
fn entries_of_larger_tables_follow_from_the_moves_of_the_oracle() {
    for (name, text) in [
        ("diamond", "KVPvKP"),
        ("diamond", "KVvKA"),
        ("canyon", "KQvKN"),
        ("canyon", "KMPvKP"),
        ("gast14", "KPvK"),
        ("gast", "KPvK"),
        ("grand", "KPvK"),
        ("grandcavalier", "KVvK"),
        ("superchess", "KSvK"),
        ("superchess", "KCvK"),
    ] {
        assert!(compare(name, text, 5000, false) > 10, "{name} {text}");
    }
    for text in ["KQvKN", "KMvKP", "KAvKN"] {
        assert!(compare("canyon", text, 5000, true) > 10, "{text}");
    }
}

// ---- The engine ---------------------------------------------------------------------------------------

/// The files of these tables, for an engine.
fn files_of(endings: &'static dyn Endings, tables: &Tables) -> FindTables {
    let files: Vec<(String, Vec<u8>)> = tables
        .iter()
        .map(|(material, table)| (material.to_string(), endings.write(table).unwrap()))
        .collect();
    Arc::new(move |set| {
        for (material, bytes) in files.clone() {
            let read = move |at: u64, into: &mut [u8]| {
                into.copy_from_slice(&bytes[at as usize..at as usize + into.len()]);
                Ok(())
            };
            set.add(&material, "a table", Box::new(read));
        }
    })
}

/// A random legal position of a material.
fn random_position(name: &str, letters: &[char], below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut session = engine::open(name).unwrap();
    let squares = session.squares();
    loop {
        let pieces: Vec<_> =
            letters.iter().map(|&letter| (letter, squares[below(squares.len())], None)).collect();
        let distinct = (1..pieces.len()).all(|i| pieces[..i].iter().all(|piece| piece.1 != pieces[i].1));
        let fen = fen_of(name, &pieces, Color::BOTH[below(2)]);
        if distinct && session.set_position(Some(&fen), &[]).is_ok() {
            return fen;
        }
    }
}

/// Plays out random positions of a material by an engine with tables, against the best defence. It must mate as soon as the
/// tables say, or draw if they do.
fn play_out(name: &str, text: &str, games: usize) -> usize {
    let endings = engine::endings(name).unwrap();
    let tables = built(endings, &[text]);
    let mut engine = Engine::new(Options { variant: name_of(name), hash: 1, ..Options::default() }).unwrap();
    engine.set_tables(Some(files_of(endings, &tables)));
    let letters = letters(&endings.material(text).unwrap());
    let mut random = random_numbers(11);
    let mut below = |bound: usize| (random() % bound as u64) as usize;
    let mut won = 0;
    for _ in 0..games {
        let fen = random_position(name, &letters, &mut below);
        engine.game_mut().set_position(Some(&fen), &[]).unwrap();
        let ours = engine.game().side();
        let tables = Arc::clone(engine.tables());
        let Some(known) = engine.game().known(&*tables) else { panic!("{fen} is in no table") };
        let mut plies = 0;
        while engine.game().outcome().is_none() && plies < 150 {
            let mv = if engine.game().side() == ours {
                let found = engine.think(&Limits { nodes: Some(2000), ..Limits::default() }, &|_| ());
                if let (Known::Won(Some(distance)), 0) = (known, plies) {
                    assert_eq!(moves_to_mate(found.score), Some(i32::from(distance.div_ceil(2))), "{fen}");
                    assert_eq!(found.pv.len(), usize::from(distance), "{fen}");
                }
                engine.game().coordinates(&found.pv).remove(0)
            } else {
                // What holds out longest, and rather draws.
                let resistance = |known: &Option<Known>| match known {
                    Some(Known::Lost(plies)) => i32::from(plies.unwrap()),
                    _ => i32::MAX,
                };
                let moves = engine.game().known_moves(&*tables);
                moves.into_iter().max_by_key(|(_, known)| resistance(known)).unwrap().0
            };
            engine.game_mut().play(&mv).unwrap();
            plies += 1;
        }
        let winner = engine.game().outcome().and_then(|outcome| outcome.winner);
        match known {
            Known::Won(distance) => {
                assert_eq!((winner, Some(plies)), (Some(ours), distance), "{name} {fen}");
                won += 1;
            }
            Known::Drawn => assert_ne!(winner, Some(!ours), "{name} {fen}"),
            Known::Lost(_) => {}
        }
    }
    won
}

/// The name of a game as options hold it.
fn name_of(name: &str) -> &'static str {
    NAMES.iter().find(|&&known| known == name).expect("a game")
}

#[test]
fn the_engine_wins_what_tables_say_is_won() {
    for (name, text) in [("diamond", "KVvK"), ("diamond", "KPvK"), ("canyon", "KQvK"), ("canyon", "KMvKN")] {
        assert!(play_out(name, text, 60) > 10, "{name} {text}");
    }
}

#[test]
#[ignore = "takes minutes without optimization"]
fn the_engine_wins_what_larger_tables_say_is_won() {
    for (name, text) in [
        ("diamond", "KAAvKV"),
        ("diamond", "KVvKN"),
        ("diamond", "KNNvK"),
        ("diamond", "KAPvK"),
        ("canyon", "KQvKP"),
        ("canyon", "KMPvK"),
        ("chess", "KQvKR"),
        ("chess", "KBNvK"),
    ] {
        assert!(play_out(name, text, 1000) > 20, "{name} {text}");
    }
}

#[test]
fn a_long_step_that_nobody_can_answer_in_passing_is_known() {
    let endings = engine::endings("chess").unwrap();
    let tables = built(endings, &["KPvK"]);
    let probe =
        |square: &str| endings.probe(&format!("8/8/8/4k3/4P3/8/8/4K3 b - {square} 0 1"), &tables, false);
    assert!(probe("-").is_some());
    assert_eq!(probe("e3"), probe("-"));
    let set = engine::tables_of("chess", Some(&files_of(endings, &tables)));
    let mut session = engine::open("chess").unwrap();
    session.set_position(Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), &[]).unwrap();
    let moves = session.known_moves(&set);
    assert!(moves.iter().all(|(_, known)| known.is_some()), "{moves:?}");
}

#[test]
fn weaker_levels_do_not_use_tables() {
    let endings = engine::endings("diamond").unwrap();
    let tables = built(endings, &["KVvK"]);
    let hits = |level: u32| {
        let options = Options { variant: "diamond", hash: 1, skill_level: level, ..Options::default() };
        let mut engine = Engine::new(options).unwrap();
        engine.set_tables(Some(files_of(endings, &tables)));
        let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***V2***/****K**** w - - 0 1";
        engine.game_mut().set_position(Some(fen), &[]).unwrap();
        engine.think(&Limits { depth: Some(6), ..Limits::default() }, &|_| ()).table_hits
    };
    assert!(hits(20) > 0);
    assert_eq!([hits(19), hits(3)], [0, 0]);
}

#[test]
fn the_tables_in_the_program_are_those_that_are_built() {
    let bundle =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/src/tables.bundle")).unwrap();
    let has = |file: &[u8]| bundle.windows(file.len()).any(|part| part == file);
    for game in ["diamond", "canyon", "chess"] {
        let endings = engine::endings(game).unwrap();
        let all: Vec<String> = endings.all(3).iter().map(Material::to_string).collect();
        let tables = built(endings, &all.iter().map(String::as_str).collect::<Vec<_>>());
        for (material, table) in &tables {
            assert!(
                has(&endings.write(table).unwrap()),
                "{game} {material} is another table than in the program"
            );
        }
    }
    // Of larger boards it has only who wins.
    let endings = engine::endings("grandcavalier").unwrap();
    let tables = built(endings, &["KVvK"]);
    let table = &tables[&endings.material("KVvK").unwrap()];
    assert!(has(&endings.write_verdicts(table).unwrap()));
    for game in NAMES {
        let set = engine::tables_of(game, None);
        assert_eq!(set.len(), engine::endings(game).unwrap().all(3).len(), "{game}");
    }
}

#[test]
fn distances_are_those_of_mates_proved_without_tables() {
    for (name, text) in [("diamond", "KPvK"), ("canyon", "KPvK"), ("chess", "KPvK")] {
        let endings = engine::endings(name).unwrap();
        let tables = built(endings, &[text]);
        let options = Options { variant: name_of(name), hash: 1, table_limit: 0, ..Options::default() };
        let mut engine = Engine::new(options).unwrap();
        let letters = letters(&endings.material(text).unwrap());
        let mut random = random_numbers(3);
        let mut below = |bound: usize| (random() % bound as u64) as usize;
        let mut compared = 0;
        while compared < 15 {
            let fen = random_position(name, &letters, &mut below);
            // The truth of the game, with its own limits.
            let Some(Verdict::Won(plies @ 1..=5)) = endings.probe(&fen, &tables, true) else { continue };
            compared += 1;
            let moves = u32::from(plies.div_ceil(2));
            engine.game_mut().set_position(Some(&fen), &[]).unwrap();
            let mut prove = |mate: u32| {
                let found = engine.think(&Limits { mate: Some(mate), ..Limits::default() }, &|_| ());
                moves_to_mate(found.score).filter(|_| found.bound == Bound::Exact)
            };
            assert_eq!(prove(moves), Some(moves as i32), "{name} {fen}");
            if moves > 1 {
                // What is found instead is no shorter.
                assert!(prove(moves - 1).is_none_or(|found| found >= moves as i32), "{name} {fen}");
            }
        }
    }
}
