//! Checks a table by the moves of its positions.
//!
//! Nothing is shared with what builds a table but the numbers of the positions: every move is played, and the position after
//! it looked up.

use super::counts::count;
use super::game::{Game, Sources, most_plies, verdict};
use super::layout::{Layout, pieces_of};
use super::solve::Best;
use super::values::{DRAWN, ILLEGAL, SAFE, Values, value_of};
use super::{Table, TableError, Work};
use quintain_core::board::Color;
use quintain_core::notation::Notation;
use quintain_core::rules::perft::in_parallel;
use quintain_core::rules::{Arranger, Position};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};

/// Positions that a thread takes at a time.
const SHARE: usize = 4096;

/// Derives every entry from the moves, and compares. Then compares the counts.
pub(super) fn verify<V: Notation>(
    game: &Game<V>,
    layout: &Layout,
    table: &Table,
    sources: &Sources<V>,
    work: Work,
) -> Result<(), TableError> {
    let derived = derive(game, layout, table, &table.plain, sources, false, work)?;
    let wrong = || TableError::Counts(table.material.clone());
    if count(layout, &derived, u16::MAX) != table.counts {
        return Err(wrong());
    }
    let limited_counts = match &table.limited {
        Some(values) => {
            let derived = derive(game, layout, table, values, sources, true, work)?;
            Some(count(layout, &derived, u16::MAX))
        }
        None => most_plies::<V>().map(|most| count(layout, &derived, most)),
    };
    if limited_counts != table.limited_counts {
        return Err(wrong());
    }
    Ok(())
}

/// The values that follow from the moves, which are those of the table, with illegal positions known.
fn derive<V: Notation>(
    game: &Game<V>,
    layout: &Layout,
    table: &Table,
    values: &Values,
    sources: &Sources<V>,
    limited: bool,
    work: Work,
) -> Result<Values, TableError> {
    let error: Mutex<Option<(usize, TableError)>> = Mutex::default();
    let derived = Color::BOTH
        .map(|_| std::iter::repeat_with(|| AtomicU16::new(DRAWN)).take(layout.size).collect::<Vec<_>>());
    let next = AtomicUsize::new(0);
    in_parallel(work.threads, &|| {
        let mut board = Arranger::<V>::new();
        loop {
            let start = next.fetch_add(SHARE, Relaxed);
            if start >= layout.size || (work.stop)() || error.lock().expect("no thread panics").is_some() {
                return;
            }
            let end = (start + SHARE).min(layout.size);
            (start..end).for_each(|number| {
                let pieces = layout.pieces(&layout.places(number));
                for side in Color::BOTH {
                    let Some(pos) = board.arrange(side, &pieces) else {
                        derived[side.index()][number].store(ILLEGAL, Relaxed);
                        continue;
                    };
                    let expected = by_moves(layout, pos, values, sources, limited);
                    derived[side.index()][number].store(expected, Relaxed);
                    let found = values.of(side)[number];
                    if found != expected {
                        let wrong = TableError::Wrong {
                            material: table.material.clone(),
                            fen: game.fen(layout, side, number),
                            found: verdict(found),
                            expected: verdict(expected),
                        };
                        let mut error = error.lock().expect("no thread panics");
                        if error.as_ref().is_none_or(|known| known.0 > number) {
                            *error = Some((number, wrong));
                        }
                    }
                }
            });
        }
    });
    if let Some((_, error)) = error.into_inner().expect("no thread panics") {
        return Err(error);
    }
    if (work.stop)() {
        return Err(TableError::Stopped);
    }
    Ok(Values::new(derived.map(|side| side.into_iter().map(AtomicU16::into_inner).collect())))
}

/// The value of a position by those of the positions after its moves.
fn by_moves<V: Notation>(
    layout: &Layout,
    pos: &mut Position<V>,
    values: &Values,
    sources: &Sources<V>,
    limited: bool,
) -> u16 {
    // Bare kings are a draw at once.
    if layout.count() == 2 {
        return DRAWN;
    }
    let moves = pos.legal_moves();
    if moves.is_empty() {
        return if pos.in_check() { value_of(0) } else { DRAWN };
    }
    let mut best = Best::default();
    for mv in moves {
        pos.play_unchecked(mv);
        let own = layout.number_of(pieces_of(pos)).map(|number| values.of(pos.side())[number]);
        // A table that is missing would have been missing before.
        best.add(own.or_else(|| sources.value(pos, limited)).unwrap_or(DRAWN));
        pos.take_back();
    }
    match best.value() {
        SAFE => DRAWN,
        value => value,
    }
}
