use super::game::Game;
use super::*;
use quintain::variants::{
    canyon::Canyon, chess::Chess, diamond::Diamond, gast::Gast14, grand::Grand, grandcavalier::GrandCavalier,
    superchess::SuperChessFixed,
};
use quintain_core::notation::Notation;

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
        let bytes = reduced.write(table);
        assert!(bytes == reduced.write(&alone), "{} {material} depends on the number of threads", V::NAME);
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
    let bytes = endings.write(tables.values().next().unwrap());
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
