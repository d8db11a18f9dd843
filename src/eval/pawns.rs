//! What pawns are worth among themselves, what they leave to others, and how they shelter kings.

use super::{Evaluate, Layout, Phased, Score, Scores, Sum, Terms};
use crate::board::{Color, Side, Square, SquareSet};
use crate::rules::{Position, Set, Variant};

/// What is known of structures of pawns seen before. Each thread has its own.
pub struct PawnCache<V: Variant>(Vec<Structure<Set<V>>>);

/// What is known of one structure of pawns.
#[derive(Clone, Copy)]
pub(super) struct Structure<S> {
    key: u64,
    /// What the pawns are worth among themselves.
    pub(super) score: Phased,
    pub(super) roads: Roads<S>,
    /// By colour: for a king here, which may castle to there, what its refuge is worth.
    pub(super) refuges: [(Square, S, Phased); 2],
}

impl<S: SquareSet> Default for Structure<S> {
    fn default() -> Self {
        let refuges = [(Square::NONE, S::EMPTY, Phased::default()); 2];
        Structure { key: !0, score: Phased::default(), roads: Roads::default(), refuges }
    }
}

/// What pawns leave to other pieces, by colour.
#[derive(Clone, Copy, Default)]
pub(super) struct Roads<S> {
    /// Passed pawns.
    pub(super) passed: [S; 2],
    /// Files without an own pawn.
    pub(super) open: [S; 2],
    /// Squares that no enemy pawn will ever attack.
    pub(super) holes: [S; 2],
}

impl<V: Evaluate> PawnCache<V> {
    const BITS: u32 = 11;

    /// What is known of the pawns of a position, found out if need be.
    #[inline]
    pub(super) fn entry(&mut self, pos: &Position<V>) -> &mut Structure<Set<V>> {
        let key = pos.pawn_key();
        let entry = &mut self.0[(key >> (64 - Self::BITS)) as usize];
        if entry.key != key {
            let mut sum = Sum::new(None);
            let roads = pawn_structure(pos, V::scores(), &mut sum);
            *entry = Structure { key, score: sum.total, roads, ..Structure::default() };
        }
        entry
    }
}

impl<V: Evaluate> Default for PawnCache<V> {
    fn default() -> Self {
        PawnCache(vec![Structure::default(); 1 << Self::BITS])
    }
}

/// The terms that depend on pawns alone, if these go straight ahead; else there are none, nor any roads.
pub(super) fn pawn_structure<V: Evaluate>(
    pos: &Position<V>,
    scores: &Scores<Set<V>>,
    terms: &mut impl Terms<V>,
) -> Roads<Set<V>> {
    let all = pos.pawns();
    let mut roads = Roads::<Set<V>>::default();
    if !V::PASSING {
        return roads;
    }
    let board = pos.geometry().all();
    (roads.open, roads.holes) = ([board; 2], [board; 2]);
    for color in Color::BOTH {
        let (c, own) = (color.index(), pos.color(color));
        for &kind in V::PAWNS {
            let siblings = own & pos.kind(kind);
            siblings.squares().for_each(|square| {
                terms.piece(color, kind, square);
                let (ahead, near) = (scores.ahead[c][square], scores.beside_ahead[c][square]);
                roads.open[c] = roads.open[c].minus(ahead | scores.ahead[1 - c][square]);
                roads.holes[1 - c] = roads.holes[1 - c].minus(near);
                if !(ahead | near).meets(all.minus(own)) && !ahead.meets(siblings) {
                    roads.passed[c] |= Set::<V>::single(square);
                    terms.general(color, Layout::PASSED + scores.advance[c][square] as usize, 1);
                }
                terms.general(color, Layout::DOUBLED, ahead.meets(siblings).into());
                let alone = !scores.beside[square].meets(all & own);
                terms.general(color, Layout::ISOLATED, alone.into());
                let single = Set::<V>::single(square);
                let next_to = pos.shift(single, -1, 0) | pos.shift(single, 1, 0);
                terms.general(color, Layout::PHALANX, next_to.meets(siblings).into());
                let stop = pos.shift(single, 0, color.forward());
                let protectors = next_to | scores.beside_ahead[1 - c][square];
                if stop.any() && !protectors.meets(all & own) {
                    let takers = V::attacks(pos, color, kind, stop.first(), all) & all.minus(own);
                    terms.general(color, Layout::BACKWARD, takers.any().into());
                }
            });
        }
    }
    roads
}

/// What pieces of a kind that ranks as pawns attack, and what more than one of them does. `at` is the kind's place.
#[inline(always)]
pub(super) fn pawn_attacks<V: Evaluate, C: Side>(
    pos: &Position<V>,
    at: usize,
    pieces: Set<V>,
    occupied: Set<V>,
) -> (Set<V>, Set<V>) {
    let (mut once, mut twice) = (Set::<V>::EMPTY, Set::<V>::EMPTY);
    let mut add = |attacks| {
        twice |= once & attacks;
        once |= attacks;
    };
    match V::TAKING.get(at) {
        Some(steps) => {
            steps.iter().for_each(|&(files, ranks)| add(pos.shift(pieces, files, ranks * C::FORWARD)));
        }
        None => {
            pieces.squares().for_each(|square| add(V::attacks(pos, C::COLOR, V::PAWNS[at], square, occupied)))
        }
    }
    (once, twice)
}

/// How often each weight for the shield, then for the storm, counts if the king of a colour is on a square.
pub(super) struct Refuge([u8; Layout::RING - Layout::SHIELD]);

impl Refuge {
    fn new<V: Evaluate>(pos: &Position<V>, scores: &Scores<Set<V>>, color: Color, king: Square) -> Self {
        let (geometry, pieces) = (pos.geometry(), pos.pawns());
        let (own, enemies) = (pieces & pos.color(color), pieces.minus(pos.color(color)));
        let mut counts = [0; Layout::RING - Layout::SHIELD];
        let (shield, storm) = counts.split_at_mut(Layout::STORM - Layout::SHIELD);
        // Ranks to the nearest of these, less one; none is as good as far away.
        let far = |pieces: Set<V>, last: usize| {
            if pieces.is_empty() {
                return last;
            }
            let nearest = if color == Color::White { pieces.first() } else { pieces.last() };
            usize::from(geometry.rank(nearest).abs_diff(geometry.rank(king)) - 1).min(last)
        };
        for file in scores.cover[color.index()][king].into_iter().filter(|file| file.any()) {
            shield[far(file & own, shield.len() - 1)] += 1;
            storm[far(file & enemies, storm.len() - 1)] += 1;
        }
        Refuge(counts)
    }

    /// That of a colour's king, or the best where it may still castle to.
    pub(super) fn best<V: Evaluate>(pos: &Position<V>, scores: &Scores<Set<V>>, color: Color) -> Self {
        let mut best = Refuge::new(pos, scores, color, pos.king(color));
        V::castles_to(pos, color).squares().for_each(|square| {
            let other = Refuge::new(pos, scores, color, square);
            if other.worth(scores) > best.worth(scores) {
                best = other;
            }
        });
        best
    }

    #[inline]
    pub(super) fn add<V: Evaluate>(&self, terms: &mut impl Terms<V>, color: Color) {
        for (at, times) in self.0.into_iter().enumerate() {
            terms.general(color, Layout::SHIELD + at, times.into());
        }
    }

    fn worth<S: SquareSet>(&self, scores: &Scores<S>) -> Score {
        let weights = &scores.general[Layout::SHIELD..Layout::RING];
        weights.iter().zip(self.0).map(|(weight, times)| weight.middle() * Score::from(times)).sum()
    }
}
