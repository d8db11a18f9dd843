//! The memory that searches of real games need.

use quintain::variants::chess::Chess;
use quintain::variants::diamond::Diamond;
use quintain::variants::gast::Gast14;
use quintain::variants::grand::Grand;
use quintain_core::search::Memory;
use quintain_core::search::history::History;

#[test]
fn statistics_are_prepared_for_the_game_and_the_threads() {
    let memory = Memory::new(1);
    memory.prepare::<Diamond>(1);
    memory.prepare::<Grand>(2);
    // What is there needs no room, and more threads than there is memory for get none.
    let too_many = (1 << 50) / History::bytes::<Grand>();
    assert!(memory.has_room::<Grand>(2) && !memory.has_room::<Grand>(too_many));
}

#[test]
fn statistics_fit_one_game() {
    let history = History::new::<Grand>();
    assert!(history.fits::<Grand>() && !history.fits::<Diamond>());
}

#[test]
fn the_size_of_statistics_is_what_the_document_says() {
    // In docs/protocols.md, for the smallest and the largest, in tenths of a megabyte.
    let tenths = |bytes: usize| (bytes + 50_000) / 100_000;
    assert_eq!([History::bytes::<Chess>(), History::bytes::<Gast14>()].map(tenths), [26, 253]);
}
