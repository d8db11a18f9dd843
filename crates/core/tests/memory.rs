//! The memory that searches of real games need.

use quintain::variants::chess::Chess;
use quintain::variants::diamond::Diamond;
use quintain::variants::gast::Gast14;
use quintain::variants::grand::Grand;
use quintain_core::board::Color;
use quintain_core::rules::Position;
use quintain_core::search::history::{History, OwnHistory, SharedHistory};

#[test]
fn statistics_fit_one_game() {
    let history = SharedHistory::new::<Grand>();
    assert!(history.fits::<Grand>() && !history.fits::<Diamond>());
}

#[test]
fn threads_share_the_statistics_of_moves_after_others() {
    let shared = SharedHistory::new::<Chess>();
    let [mut own, mut others] = [(); 2].map(|()| OwnHistory::default());
    let mv = Position::<Chess>::default().legal_moves()[0];
    let after = [shared.no_continuation(); 2];
    let mut history = History { own: &mut own, shared: &shared };
    history.add_quiet_bonus::<Chess>(Color::White, mv, after, 100);
    assert_eq!(history.quiet::<Chess>(Color::White, mv, after), 300);
    let other = History { own: &mut others, shared: &shared };
    assert_eq!(other.quiet::<Chess>(Color::White, mv, after), 200);
}

#[test]
fn the_size_of_statistics_is_what_the_document_says() {
    // In docs/protocols.md, for the smallest and the largest, in tenths of a megabyte.
    let tenths = |bytes: usize| (bytes + 50_000) / 100_000;
    let shared = [SharedHistory::bytes::<Chess>(), SharedHistory::bytes::<Gast14>()];
    assert_eq!((shared.map(tenths), tenths(OwnHistory::BYTES)), ([25, 252], 1));
}
