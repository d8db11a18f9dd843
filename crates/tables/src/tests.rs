use super::game::Game;
use super::*;
use quintain::variants::{
    canyon::Canyon, chess::Chess, diamond::Diamond, gast::Gast14, grand::Grand, grandcavalier::GrandCavalier,
    superchess::SuperChessFixed,
};
use quintain_core::board::SquareSet;
use quintain_core::board::zobrist::random_numbers;
use quintain_core::notation::{Notation, fen};
use quintain_core::search::tables::known;
use quintain_core::search::{Endgames, Known};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

const WORK: Work = Work { threads: 2, stop: &|| false };

/// The tables of these materials and all that they need.
fn built(endings: &dyn Endings, materials: &[&str], work: Work) -> Tables {
    let materials: Vec<Material> =
        materials.iter().map(|text| endings.stored(&endings.material(text).unwrap()).0).collect();
    let mut tables = Tables::new();
    for material in endings.plan(&materials).unwrap() {
        let table = endings.build(&material, &tables, work).unwrap();
        tables.insert(material, Arc::new(table));
    }
    tables
}

/// The longest mate of a table, in moves.
fn longest(endings: &dyn Endings, tables: &Tables, text: &str) -> Option<u16> {
    let table = &tables[&endings.stored(&endings.material(text).unwrap()).0];
    table.counts().iter().filter_map(|count| count.longest_win).map(|longest| longest.0.div_ceil(2)).max()
}

#[test]
fn longest_mates_of_chess_are_those_published() {
    let endings = open::<Chess>();
    let tables = built(&*endings, &["KPvK"], WORK);
    for (material, moves) in
        [("KQvK", Some(10)), ("KRvK", Some(16)), ("KPvK", Some(28)), ("KBvK", None), ("KNvK", None)]
    {
        assert_eq!(longest(&*endings, &tables, material), moves, "{material}");
    }
}

#[test]
#[ignore = "takes minutes without optimization"]
fn longest_mates_of_chess_with_four_pieces_are_those_published() {
    let endings = open::<Chess>();
    let tables = built(&*endings, &["KBNvK", "KQvKR"], WORK);
    for (material, moves) in [("KBNvK", 33), ("KQvKR", 35), ("KRvKQ", 35)] {
        assert_eq!(longest(&*endings, &tables, material), Some(moves), "{material}");
    }
    for table in tables.values() {
        endings.verify(table, &tables, WORK).unwrap();
    }
}

/// The counts without the numbers of the examples, which depend on the symmetries.
fn numbers(counts: &Counts) -> Counts {
    counts.map(|count| Count {
        longest_win: count.longest_win.map(|longest| (longest.0, 0)),
        longest_loss: count.longest_loss.map(|longest| (longest.0, 0)),
        ..count
    })
}

/// Symmetries change no count, and neither does the number of threads change a byte; what is written can be read.
fn check<V: Notation>(material: &str) {
    let reduced = Game::<V>::new(true);
    let tables = built(&reduced, &[material], WORK);
    let whole = Game::<V>::new(false);
    let others = built(&whole, &[material], Work { threads: 1, ..WORK });
    assert!(tables.keys().eq(others.keys()));
    for (material, table) in &tables {
        let other = &others[material];
        assert_eq!(numbers(table.counts()), numbers(other.counts()), "{} {material}", V::NAME);
        let limited = |table: &Table| table.limited_counts().map(numbers);
        assert_eq!(limited(table), limited(other), "{} {material}", V::NAME);
        let alone = reduced.build(material, &tables, Work { threads: 1, ..WORK }).unwrap();
        let bytes = reduced.write(table).unwrap();
        assert!(
            bytes == reduced.write(&alone).unwrap(),
            "{} {material} depends on the number of threads",
            V::NAME
        );
        let read = reduced.read(&bytes).unwrap();
        assert_eq!(read.counts(), table.counts());
        reduced.verify(&read, &tables, WORK).unwrap();
    }
}

#[test]
fn symmetries_change_no_count_and_threads_no_byte() {
    check::<Diamond>("KVvK");
    check::<Diamond>("KPvK");
    check::<Canyon>("KQvK");
}

/// How many squares of White's royal piece are left by the symmetries of a material.
fn royals<V: Notation>(material: &str) -> (usize, usize) {
    let [reduced, whole] = [true, false].map(|reduced| {
        let game = Game::<V>::new(reduced);
        let material = game.material(material).unwrap();
        game.entries(&material).unwrap()
    });
    (reduced, whole)
}

#[test]
fn symmetries_are_found() {
    // An eighth of the board and its edges, a quarter, or half of it.
    let share = |(reduced, whole): (usize, usize), parts: usize, squares: usize| {
        assert_eq!(reduced * squares, whole * parts);
    };
    share(royals::<Chess>("KQvK"), 10, 64);
    share(royals::<Chess>("KPvK"), 32, 64);
    share(royals::<SuperChessFixed>("KCvK"), 15, 100);
    share(royals::<GrandCavalier>("KNvK"), 15, 100);
    share(royals::<GrandCavalier>("KVvK"), 50, 100);
    share(royals::<Gast14>("KOvK"), 42, 168);
    // Exchanges go along ranks, and the canyons lie on them.
    share(royals::<Canyon>("KNvK"), 11, 44);
    share(royals::<Diamond>("KNvK"), 8, 40);
    share(royals::<Diamond>("KPvK"), 24, 40);
}

#[test]
fn materials_are_read() {
    let endings = open::<Diamond>();
    let read = |text: &str| endings.material(text).map(|material| material.to_string());
    for (text, known) in
        [("KVvK", "KVvK"), ("KVvKV", "KVvKV"), ("KNAPvK", "KANPvK"), ("KvKN", "KvKN"), ("NKvK", "KNvK")]
    {
        assert_eq!(read(text).unwrap(), known);
    }
    for (text, error) in [
        ("KQvK", "'KQvK' has 'Q', which is no capital letter of a piece of diamond"),
        ("KVK", "'KVK' has no 'v' between the sides, as in KvK"),
        ("KvvK", "'KvvK' has 'v', which is no capital letter of a piece of diamond"),
        ("KVv", "'KVv' does not have one K on each side"),
        ("KKvK", "'KKvK' does not have one K on each side"),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), error);
    }
    let stored = |text: &str| {
        let (material, flipped) = endings.stored(&endings.material(text).unwrap());
        (material.to_string(), flipped)
    };
    assert_eq!(stored("KNvKV"), ("KVvKN".into(), true));
    assert_eq!(stored("KPvK"), ("KPvK".into(), false));
    assert_eq!(endings.all(3).len(), 5);
    assert_eq!(endings.all(4).len(), 30);
    assert_eq!(endings.all(5).len(), 35 + 75);
}

#[test]
fn promotions_need_the_tables_of_what_may_come() {
    let needed = |endings: Box<dyn Endings>, text: &str| {
        let material = endings.material(text).unwrap();
        let mut needed: Vec<String> =
            endings.needed(&material).unwrap().iter().map(Material::to_string).collect();
        needed.sort();
        needed.join(" ")
    };
    assert_eq!(needed(open::<Chess>(), "KPvK"), "KBvK KNvK KQvK KRvK");
    assert_eq!(needed(open::<Diamond>(), "KPvK"), "KAvK KNvK KRvK KVvK");
    assert_eq!(needed(open::<SuperChessFixed>(), "KSvK"), "KAvK KBvK KCvK KNvK KQvK KRvK");
    // With a queen on the board there is none to come back.
    assert_eq!(
        needed(open::<Grand>(), "KQPvK"),
        "KAvK KBvK KCvK KNvK KPvK KQAvK KQBvK KQCvK KQNvK KQRvK KQvK KRvK"
    );
}

#[test]
fn damaged_files_are_refused() {
    let endings = open::<Diamond>();
    let tables = built(&*endings, &["KRvK"], WORK);
    let bytes = endings.write(tables.values().next().unwrap()).unwrap();
    let error = |bytes: &[u8]| endings.read(bytes).unwrap_err();
    assert_eq!(error(b"something else"), FileError::Format);
    assert_eq!(open::<Chess>().read(&bytes).unwrap_err(), FileError::Game("diamond".into()));
    for length in (0..bytes.len()).step_by(97) {
        assert!(matches!(error(&bytes[..length]), FileError::Format | FileError::Short), "{length}");
    }
    for at in (0..bytes.len()).step_by(31) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        // A place of a block that is wrong leads to other bytes.
        assert!(!matches!(error(&damaged), FileError::Game(_)), "{at}");
    }
}

#[test]
fn a_wrong_entry_is_found() {
    let endings = open::<Diamond>();
    let tables = built(&*endings, &["KVvK"], WORK);
    let (material, table) = tables.iter().next().unwrap();
    endings.verify(table, &tables, WORK).unwrap();
    let mut wrong = Table::clone(table);
    // White has a better move than to the longest loss of Black, so no other entry depends on it.
    let number = wrong.counts[1].longest_loss.unwrap().1;
    wrong.plain.set(Color::Black, number, 0);
    match endings.verify(&wrong, &tables, WORK).unwrap_err() {
        TableError::Wrong { fen, found: Verdict::Drawn, expected: Verdict::Lost(_), .. } => {
            assert_eq!(fen, endings.position(material, Color::Black, number).unwrap());
        }
        other => panic!("{other:?}"),
    }
    let mut wrong = Table::clone(table);
    wrong.counts[1].mated += 1;
    assert_eq!(endings.verify(&wrong, &tables, WORK), Err(TableError::Counts(material.clone())));
}

/// The bytes of tables as a set.
fn set_of(endings: &'static dyn Endings, tables: &Tables) -> Set {
    let mut set = Set::new(endings);
    for (material, table) in tables {
        let bytes = endings.write(table).unwrap();
        assert!(set.add(&material.to_string(), "a table", Box::new(super::file::in_memory(bytes))));
    }
    set
}

/// What is looked up in files is what is in the tables, in random positions of a material and with the colours exchanged.
fn look_up<V: Notation>(text: &str) -> usize {
    let endings: &'static dyn Endings = Box::leak(open::<V>());
    let tables = built(endings, &[text], WORK);
    let set = set_of(endings, &tables);
    let material = endings.material(text).unwrap();
    let mut random = random_numbers(5);
    let mut decided = 0;
    for _ in 0..3000 {
        let number = (random() % (endings.entries(&material).unwrap() / 2) as u64) as usize;
        let text = endings.position(&material, Color::BOTH[number % 2], number).unwrap();
        let Ok(pos) = fen::parse::<V>(&text) else { continue };
        for pos in [fen::parse::<V>(&fen::flip(&pos)).unwrap(), pos] {
            // The limit of moves, where the game has one, is part of the truth.
            let expected = endings.probe(&fen::write(&pos), &tables, true);
            let found = known(&pos, &set).map(|known| match known {
                Known::Won(plies) => Verdict::Won(plies.unwrap()),
                Known::Drawn => Verdict::Drawn,
                Known::Lost(plies) => Verdict::Lost(plies.unwrap()),
            });
            assert!(found.is_some() && found == expected, "{text}: {found:?}, not {expected:?}");
            decided += usize::from(found != Some(Verdict::Drawn));
        }
    }
    assert!(set.problems().is_empty());
    decided
}

#[test]
fn what_is_looked_up_in_files_is_in_the_tables() {
    let looks: [fn() -> usize; 3] =
        [|| look_up::<Diamond>("KVvKN"), || look_up::<Diamond>("KPvK"), || look_up::<Canyon>("KQvK")];
    thread::scope(|scope| looks.iter().for_each(|look| drop(scope.spawn(move || assert!(look() > 100)))));
}

#[test]
fn only_the_winner_is_known_without_distances() {
    let endings: &'static dyn Endings = Box::leak(open::<Diamond>());
    let tables = built(endings, &["KVvK"], WORK);
    let (material, table) = tables.first_key_value().unwrap();
    let file = endings.write_verdicts(table).unwrap();
    assert!(file.len() * 2 < endings.write(table).unwrap().len());
    assert!(endings.read(&file).is_err());
    let bytes = bundle([("diamond", material, &file[..]), ("chess", material, &[])]);
    let mut set = Set::new(endings);
    set.add_bundle(bytes.leak());
    assert_eq!(set.len(), 1);
    let at = |side: Color, number: usize| {
        let text = endings.position(material, side, number).unwrap();
        known(&fen::parse::<Diamond>(&text).unwrap(), &set)
    };
    let [white, black] = table.counts();
    assert_eq!(at(Color::White, white.longest_win.unwrap().1), Some(Known::Won(None)));
    assert_eq!(at(Color::Black, black.longest_loss.unwrap().1), Some(Known::Lost(None)));
}

#[test]
fn a_file_that_fails_is_reported_once() {
    let endings: &'static dyn Endings = Box::leak(open::<Diamond>());
    let tables = built(endings, &["KVvK"], WORK);
    let bytes = endings.write(tables.values().next().unwrap()).unwrap();
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***V2***/****K**** w - - 0 1";
    let pos = fen::parse::<Diamond>(fen).unwrap();
    let chess = {
        let endings = open::<Chess>();
        endings.write(built(&*endings, &["KQvK"], WORK).values().next().unwrap()).unwrap()
    };
    let other = endings.write(&built(endings, &["KRvK"], WORK).into_values().next().unwrap()).unwrap();
    let (mut damaged, cut) = (bytes.clone(), bytes[..bytes.len() / 2].to_vec());
    let last = damaged.len() - 10;
    damaged.iter_mut().skip(last / 2).for_each(|byte| *byte ^= 1);
    for (bytes, problem) in [
        (chess, "it is a table of the game 'chess'"),
        (other, "it is the table of 'KRvK'"),
        (damaged, "it is damaged: a checksum is wrong"),
        (cut, "it is cut short"),
        (Vec::new(), "it is cut short"),
    ] {
        let mut set = Set::new(endings);
        set.add("KVvK", "a table", Box::new(super::file::in_memory(bytes)));
        // Every block is looked up.
        let material = endings.material("KVvK").unwrap();
        for number in (0..endings.entries(&material).unwrap() / 2).step_by(100) {
            for side in Color::BOTH {
                let text = endings.position(&material, side, number).unwrap();
                fen::parse::<Diamond>(&text).map(|pos| known(&pos, &set)).ok();
            }
        }
        assert_eq!(known(&pos, &set), None, "{problem}");
        assert_eq!(set.problems(), [format!("a table: {problem}")]);
    }
}

#[test]
fn a_file_that_is_cut_short_while_it_is_used_is_an_error() {
    let endings: &'static dyn Endings = Box::leak(open::<Diamond>());
    let tables = built(endings, &["KVvK"], WORK);
    let bytes: Arc<Mutex<Vec<u8>>> =
        Arc::new(Mutex::new(endings.write(tables.values().next().unwrap()).unwrap()));
    let (file, reads) = (Arc::clone(&bytes), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&reads);
    let mut set = Set::new(endings);
    set.add(
        "KVvK",
        "a table",
        Box::new(move |at, into| {
            counted.fetch_add(1, Relaxed);
            super::file::in_memory(&file.lock().unwrap()[..])(at, into)
        }),
    );
    let position = |number: usize| {
        let material = endings.material("KVvK").unwrap();
        fen::parse::<Diamond>(&endings.position(&material, Color::White, number).unwrap()).ok()
    };
    let entries = endings.entries(&endings.material("KVvK").unwrap()).unwrap() / 2;
    let first = (0..entries).find_map(position).unwrap();
    let last = (0..entries).rev().find_map(position).unwrap();
    assert!(known(&first, &set).is_some() && first.occupied().count() == 3);
    let before = reads.load(Relaxed);
    bytes.lock().unwrap().truncate(100);
    // What was read is kept.
    assert!(known(&first, &set).is_some());
    assert_eq!(reads.load(Relaxed), before);
    assert_eq!(known(&last, &set), None);
    assert_eq!(set.problems(), ["a table: it is cut short"]);
    assert_eq!((known(&first, &set), set.most_pieces()), (None, 3));
}
