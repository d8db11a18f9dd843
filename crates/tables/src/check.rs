//! Checks a table by the moves of its positions.
//!
//! Every move is played, and the position after it looked up: how positions come before each other, on which building a table
//! rests, is not used.

use super::counts::{counts_of, limited_counts_of};
use super::game::{Game, Sources, verdict};
use super::layout::{Layout, pieces_of};
use super::solve::{Best, Shares, filled, unshared};
use super::values::{DRAWN, ILLEGAL, SAFE, Sides, Values, value_of};
use super::{Table, TableError, Work};
use quintain_core::board::Color;
use quintain_core::notation::Notation;
use quintain_core::rules::perft::in_parallel;
use quintain_core::rules::{Arranger, Position};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

/// Derives every entry from the moves, and compares. Then compares the counts.
pub(super) fn verify<V: Notation>(
    game: &Game<V>,
    layout: &Layout,
    table: &Table,
    sources: &Sources<V>,
    work: Work,
) -> Result<(), TableError> {
    let plain = derive(game, layout, table, &table.plain, sources, false, work)?;
    let limited = table.limited.as_ref();
    let limited =
        limited.map(|values| derive(game, layout, table, values, sources, true, work)).transpose()?;
    let counts = (counts_of(layout, &plain), limited_counts_of::<V>(layout, &plain, limited.as_ref()));
    if counts != (table.counts, table.limited_counts) {
        return Err(TableError::Counts(table.material.clone()));
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
) -> Result<Sides, TableError> {
    let error: Mutex<Option<(usize, TableError)>> = Mutex::default();
    let derived = Color::BOTH.map(|_| filled(layout.size));
    let shares = Shares::new(layout.size, work.threads);
    in_parallel(work.threads, &|| {
        let mut board = Arranger::<V>::new();
        while let Some(range) = shares.next() {
            if (work.stop)() || error.lock().expect("no thread panics").is_some() {
                return;
            }
            for number in range {
                let pieces = layout.pieces(&layout.places(number));
                for side in Color::BOTH {
                    let Some(pos) = board.arrange(side, &pieces) else {
                        derived[side.index()][number].store(ILLEGAL, Relaxed);
                        continue;
                    };
                    let expected = by_moves(layout, pos, values, sources, limited);
                    derived[side.index()][number].store(expected, Relaxed);
                    let found = values.get(side, number);
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
            }
        }
    });
    if let Some((_, error)) = error.into_inner().expect("no thread panics") {
        return Err(error);
    }
    if (work.stop)() {
        return Err(TableError::Stopped);
    }
    Ok(unshared(derived))
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
        let own = layout.number_of(pieces_of(pos)).map(|number| values.get(pos.side(), number));
        // A table that is missing would have been missing before.
        best.add(own.or_else(|| sources.value(pos, limited)).unwrap_or(DRAWN));
        pos.take_back();
    }
    match best.value() {
        SAFE => DRAWN,
        value => value,
    }
}
