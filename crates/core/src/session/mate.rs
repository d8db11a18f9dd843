//! Searches for a mate in so many moves, which is only reported when it is proved.

use super::Playable;
use super::game::Game;
use crate::search::mate::{Mate, Proof, Prover};
use crate::search::{self, Bound, Event, Info, Limits, Listener, Search, each_line, score};
use std::sync::{Mutex, PoisonError};

/// Reports a mate that was proved; `about` has the other figures.
fn proved(mate: Mate, about: Info, listener: &Listener) -> Info {
    let Mate { moves, line, shortest } = mate;
    let bound = if shortest { Bound::Exact } else { Bound::Lower };
    let info = Info { multi_pv: 1, score: score::mate_in(moves), bound, pv: line, ..about };
    listener(Event::Info(&info));
    info
}

/// The most positions of a mate proof: some ten seconds.
const PROOF: u64 = 50_000_000;
/// The same before the search, enough for short mates that the search would prune.
const QUICK_PROOF: u64 = 2_000_000;
/// How deep to search for a good move when there is nothing to find out.
const SHALLOW: u32 = 8;

impl<V: Playable> Game<V> {
    /// Searches for a move only, without a mate to look for.
    pub(super) fn search_shallowly(&self, search: &Search) -> Info {
        let depth = search.limits.depth.unwrap_or(SHALLOW).min(SHALLOW);
        let limits = &Limits { mate: None, depth: Some(depth), ..search.limits.clone() };
        search::find_best(&self.pos, &Search { limits, ..*search })
    }

    /// Looks for a mate in `wanted` moves, and reports it when it is proved.
    pub(super) fn search_mate(&self, wanted: u32, search: &Search) -> Info {
        let &Search { limits, settings, control, listener, .. } = search;
        let hard = search::time::budget(limits, settings.overhead).map(|budget| budget.hard);
        let stop = || control.told_to_stop() || hard.is_some_and(|time| control.elapsed() >= time);
        let mut prover = Prover::new(&self.pos, &limits.search_moves, &stop);
        // Many mates are short, and then the proof alone is faster than the search.
        if limits.clock.is_none() && !limits.ponder && !limits.infinite {
            let nodes = QUICK_PROOF.min(limits.nodes.unwrap_or(QUICK_PROOF));
            match prover.shortest(wanted, nodes) {
                Proof::Mate(mate) => {
                    let (nodes, millis) = (prover.nodes(), control.searched().as_millis() as u64);
                    let depth = 2 * mate.moves - 1;
                    let about = Info { depth, selective_depth: depth, nodes, millis, ..Info::default() };
                    return proved(mate, about, listener);
                }
                Proof::NoMate => return self.search_shallowly(search),
                Proof::Unknown => {}
            }
        }
        // Until it is proved, the mate that the search finds is not reported.
        let mate: Mutex<Option<Info>> = Mutex::default();
        let told = |info: &Info| {
            if info.multi_pv == 1 && score::moves_to_mate(info.score) > Some(0) {
                *mate.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.clone());
            } else {
                listener(Event::Info(info));
            }
        };
        let best = search::find_best(&self.pos, &Search { listener: &each_line(told), ..*search });
        let found = mate.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some((found, moves)) = found.and_then(|info| {
            let moves = score::moves_to_mate(info.score)?.unsigned_abs();
            Some((info, moves))
        }) else {
            return best;
        };
        // A longer mate than wanted is not worth the time of a proof.
        if moves <= wanted {
            let nodes = limits.nodes.map_or(PROOF, |nodes| PROOF.min(nodes.saturating_sub(found.nodes)));
            if let Proof::Mate(mate) = prover.confirm(moves, nodes) {
                return proved(mate, found, listener);
            }
        }
        listener(Event::Info(&Info { bound: Bound::Upper, ..found }));
        best
    }
}
