//! What endgame tables tell the search.

use super::limits::Settings;
use super::score::{MATE, MATE_BOUND, Score};
use crate::board::{Color, Move, MoveList, Piece, Square, SquareSet};
use crate::rules::{Extra, Position, Variant};
use arrayvec::ArrayVec;

/// Who wins, for the side to move, and in how many plies to mate if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// The side to move wins.
    Won(Option<u16>),
    /// Nobody can force a mate.
    Drawn,
    /// The side to move loses.
    Lost(Option<u16>),
}

/// Endgame tables. Positions are without castling rights and captures in passing, and the fifty-move rule and
/// repetitions are left out.
pub trait Endgames: Send + Sync {
    /// The most pieces of a position that may be known.
    fn most_pieces(&self) -> u32;
    /// What is known of a position with these pieces, in which so many of the moves to mate a bare king have been made.
    fn probe(&self, pieces: &[(Square, Piece)], side: Color, bare_king_moves: u8) -> Option<Known>;
}

/// The most pieces of a position that is looked up.
pub const MOST_PIECES: u32 = 6;

/// What tables know of a position. Positions with rights are not in tables.
pub fn known<V: Variant>(pos: &Position<V>, tables: &dyn Endgames) -> Option<Known> {
    let extra = pos.extra();
    if extra.castling() != 0
        || pos.occupied().count() > MOST_PIECES.min(tables.most_pieces())
        || pos.captures_en_passant()
    {
        return None;
    }
    let pieces: ArrayVec<(Square, Piece), { MOST_PIECES as usize }> =
        pos.occupied().squares().map(|square| (square, pos.piece(square))).collect();
    tables.probe(&pieces, pos.side(), extra.bare_king_moves())
}

impl Known {
    /// The same a ply earlier, for the other side.
    fn before(self) -> Known {
        let more = |plies: Option<u16>| plies.map(|plies| plies + 1);
        match self {
            Known::Won(plies) => Known::Lost(more(plies)),
            Known::Drawn => Known::Drawn,
            Known::Lost(plies) => Known::Won(more(plies)),
        }
    }

    /// The larger, the better for the side to move; what wins sooner or loses later is better.
    pub fn rank(self) -> (i32, i32) {
        let plies = |plies: Option<u16>| plies.map_or(i32::from(u16::MAX), i32::from);
        match self {
            Known::Won(distance) => (1, -plies(distance)),
            Known::Drawn => (0, 0),
            Known::Lost(distance) => (-1, plies(distance)),
        }
    }

    /// The score, `ply` plies from the root, in a position without an irreversible move for so many plies. `None` if only
    /// the winner is known, or if the fifty-move rule may end the game before the mate.
    pub(super) fn score(self, ply: usize, halfmove: u16) -> Option<Score> {
        let mate = |plies: Option<u16>| {
            let plies = plies.filter(|plies| plies.saturating_add(halfmove) <= FIFTY)?;
            Some((MATE - ply as Score - Score::from(plies)).max(MATE_BOUND))
        };
        match self {
            Known::Won(plies) => mate(plies),
            Known::Drawn => Some(0),
            Known::Lost(plies) => mate(plies).map(|score| -score),
        }
    }
}

/// The plies of the fifty-move rule.
const FIFTY: u16 = 100;

/// What tables know of the positions after all moves, for the side that moves; ends of the game are known without them.
pub fn known_moves<V: Variant>(pos: &Position<V>, tables: &dyn Endgames) -> Vec<(Move, Option<Known>)> {
    let mut pos = pos.clone();
    let mut moves = MoveList::new();
    pos.list(&mut moves);
    let mut after = |&mv: &Move| {
        pos.play_unchecked(mv);
        let over = pos.outcome().map(|outcome| match outcome.winner {
            Some(_) => Known::Lost(Some(0)),
            None => Known::Drawn,
        });
        let known = over.or_else(|| known(&pos, tables)).map(Known::before);
        pos.take_back();
        (mv, known)
    };
    moves.iter().map(&mut after).collect()
}

/// What tables say about the moves of the position from which a search starts.
enum Advice {
    /// Nothing, or not about every move.
    None,
    /// These moves mate as soon as possible, or are mated as late as possible, and no other rule interferes.
    Exact(Vec<Move>),
    /// These draw, and no move wins.
    Drawn(Vec<Move>),
    /// These win, or lose, but nothing is known of the time that it takes, or the fifty-move rule may interfere.
    Some(Vec<Move>),
}

/// A move and what it leads to.
struct Ranked {
    mv: Move,
    rank: (i32, i32),
    /// Nothing but the tables decides: a mate comes before the fifty-move rule.
    in_time: bool,
}

/// What tables say about these moves.
fn advice<V: Variant>(pos: &Position<V>, moves: &[Move], tables: &dyn Endgames) -> Advice {
    let mut after = pos.without_history();
    let mut ranked = Vec::new();
    for (mv, known) in known_moves(pos, tables) {
        if !moves.contains(&mv) {
            continue;
        }
        let Some(known) = known else { return Advice::None };
        after.play_unchecked(mv);
        let in_time = match known {
            Known::Won(plies) | Known::Lost(plies) => {
                plies.is_some_and(|plies| plies.saturating_add(after.halfmove()) <= FIFTY + 1)
            }
            Known::Drawn => true,
        };
        after.take_back();
        ranked.push(Ranked { mv, rank: known.rank(), in_time });
    }
    let Some(result) = ranked.iter().map(|ranked| ranked.rank.0).max() else { return Advice::None };
    ranked.retain(|ranked| ranked.rank.0 == result);
    let late = ranked.iter().filter(|ranked| !ranked.in_time).count();
    let keep = |ranked: Vec<Ranked>| ranked.into_iter().map(|ranked| ranked.mv).collect();
    match result {
        0 => Advice::Drawn(keep(ranked)),
        // No win comes in time, or a loss may come too late.
        1 if late == ranked.len() => Advice::Some(keep(ranked)),
        -1 if late > 0 => {
            ranked.retain(|ranked| !ranked.in_time);
            Advice::Some(keep(ranked))
        }
        _ => {
            ranked.retain(|ranked| ranked.in_time);
            let best = ranked.iter().map(|ranked| ranked.rank).max();
            ranked.retain(|ranked| Some(ranked.rank) == best);
            Advice::Exact(keep(ranked))
        }
    }
}

/// How a search uses tables.
pub(super) struct UseOfTables {
    /// The most pieces of a position that is looked up, 0 for none.
    pub limit: u32,
    /// The least depth left at which it is.
    pub depth: i32,
    /// The tables say all there is to know.
    pub settled: bool,
    /// The position is drawn, whatever the search finds.
    pub drawn: bool,
}

impl UseOfTables {
    /// Leaves only the moves that keep the result, unless several lines are wanted, which show moves that are not best.
    pub(super) fn of<V: Variant>(
        pos: &Position<V>,
        moves: &mut Vec<Move>,
        settings: Settings,
        endgames: Option<&dyn Endgames>,
    ) -> UseOfTables {
        let limit = endgames.map_or(0, |tables| tables.most_pieces().min(settings.table_limit));
        let as_set = UseOfTables { limit, depth: settings.table_depth, settled: false, drawn: false };
        let advice = match endgames {
            Some(tables) if pos.occupied().count() <= limit && settings.multi_pv == 1 => {
                advice(pos, moves, tables)
            }
            _ => Advice::None,
        };
        match advice {
            Advice::None => as_set,
            Advice::Exact(best) => {
                *moves = best;
                UseOfTables { depth: 0, settled: true, ..as_set }
            }
            Advice::Drawn(best) => {
                *moves = best;
                // What is best against a weak opponent shows only without the tables.
                UseOfTables { limit: 0, drawn: true, ..as_set }
            }
            Advice::Some(best) => {
                *moves = best;
                as_set
            }
        }
    }
}

/// Adds the moves of best play to a line that ends in a position whose mate is known.
pub(super) fn extend<V: Variant>(
    pos: &Position<V>,
    line: &mut Vec<Move>,
    most: usize,
    tables: &dyn Endgames,
) {
    let mut pos = pos.without_history();
    line.iter().for_each(|&mv| pos.play_unchecked(mv));
    while line.len() < most && matches!(known(&pos, tables), Some(Known::Won(Some(_)) | Known::Lost(Some(_))))
    {
        let best = known_moves(&pos, tables)
            .into_iter()
            .filter_map(|(mv, known)| Some((known?.rank(), mv)))
            .max_by_key(|entry| entry.0);
        let Some((_, mv)) = best else { return };
        line.push(mv);
        pos.play_unchecked(mv);
    }
}
