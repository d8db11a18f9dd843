//! Checks the counts in this folder, one test a game so that they run side by side.
//!
//! Tests keep debug assertions, with which every move played is also checked for legality and every position for
//! consistency; `quintain perft --suite perft` counts everything, at full speed.

use quintain::engine::Playable;
use quintain::engine::{self, Visitor};
use quintain::notation::fen;
use quintain::rules::perft::{Counting, PerftTable, divide};
use quintain::tools::suite::{self, Suite};
use std::path::{Path, PathBuf};

/// Counts above this are left to the command. All others take about ten seconds on two cores.
const MAX_NODES: u64 = 130_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("perft")
}

fn check(game: &str) {
    let suite =
        Suite::read(&folder().join(format!("{game}.epd"))).unwrap_or_else(|error| panic!("{error:#}"));
    let tally = suite.check(MAX_NODES, 1, &|_| ()).unwrap_or_else(|error| panic!("{error:#}"));
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert_eq!((tally.counts, tally.nodes), suite.size(MAX_NODES));
}

macro_rules! suites {
    ($($game:ident),*) => {
        $(#[test]
        fn $game() {
            check(stringify!($game));
        })*

        const CHECKED: &[&str] = &[$(stringify!($game)),*];
    };
}
suites!(canyon, diamond, grandcavalier, superchess, superchessfixed, gast, gast14, chess, grand);

#[test]
fn every_game_has_its_suite_and_its_test() {
    let mut games: Vec<&str> = engine::NAMES.to_vec();
    assert_eq!(games, CHECKED);
    games.sort_unstable();
    let suites = suite::read_all(&folder()).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(suites.iter().map(|suite| suite.game.as_str()).collect::<Vec<_>>(), games);
    for suite in suites {
        assert!(suite.entries.len() >= 30, "{} has few positions", suite.game);
    }
}

/// Other ways to count, which must give the same numbers.
struct OtherWays<'a>(&'a [suite::Entry]);

impl Visitor for OtherWays<'_> {
    type Output = ();

    fn visit<V: Playable>(self) {
        let table = PerftTable::new(4).expect("memory");
        for entry in self.0 {
            let mut pos = fen::parse::<V>(&entry.fen).expect("a position");
            for &(depth, count) in entry.counts.iter().filter(|(_, count)| *count <= 10_000) {
                for counting in [Counting::Listed, Counting::Hashed(&table), Counting::Until(&|| false)] {
                    let found = counting.count(&mut pos, depth);
                    assert_eq!(found, count, "{} {} depth {depth}", V::NAME, entry.fen);
                }
                let divided = divide(&pos, depth, 2, Counting::Bulk, &|_, _| ());
                let divided: u64 = divided.iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(divided, count, "{} {} depth {depth}", V::NAME, entry.fen);
            }
        }
    }
}

#[test]
fn all_ways_of_counting_agree() {
    for suite in suite::read_all(&folder()).unwrap_or_else(|error| panic!("{error:#}")) {
        engine::visit(&suite.game, OtherWays(&suite.entries)).expect("a game");
    }
}
