//! Finds the terms of a position: what each piece is worth where it stands, what it attacks, and what follows from that.

use super::game::non_pawns;
use super::pawns::{Roads, pawn_attacks};
use super::scores::Officer;
use super::{DANGER, Evaluate, Layout, Score, Scores, Terms};
use crate::board::{Black, Board, Color, Kind, Side, SquareSet, White};
use crate::rules::{Position, Set};

/// Finds all terms of a position that are weights, and what the officers of each colour are worth in exchanges.
///
/// All that is asked of one colour is compiled for each of them, so that steps forward are constants.
#[inline(always)]
pub(super) fn collect<V: Evaluate>(
    pos: &Position<V>,
    scores: &Scores<Set<V>>,
    terms: &mut impl Terms<V>,
) -> [Score; 2] {
    let roads = terms.structure(pos, scores);
    let mut survey = Survey { pos, scores, terms, attacks: Attacks::new(pos), sieges: Default::default() };
    let worth = [survey.pieces::<White>(&roads), survey.pieces::<Black>(&roads)];
    survey.relations::<White>(&roads);
    survey.relations::<Black>(&roads);
    terms.general(pos.side(), Layout::TEMPO, 1);
    worth
}

/// What each colour attacks.
struct Attacks<S> {
    by_pawns: [S; 2],
    by_king: [S; 2],
    by_kind: [[S; Kind::COUNT]; 2],
    /// By any piece but the king.
    by_pieces: [S; 2],
    by_any: [S; 2],
    /// By two pieces or more.
    by_two: [S; 2],
}

impl<S: SquareSet> Attacks<S> {
    /// The attacks of pawns and kings. All others are still to be added, and the kings' to be counted in.
    #[inline(always)]
    fn new<V: Evaluate>(pos: &Position<V>) -> Self
    where
        V::Board: Board<Set = S>,
    {
        let [(white, white_twice), (black, black_twice)] =
            [by_pawns::<V, White>(pos), by_pawns::<V, Black>(pos)];
        let (by_pawns, by_two) = ([white, black], [white_twice, black_twice]);
        let by_king =
            Color::BOTH.map(|color| V::attacks(pos, color, V::ROYAL, pos.king(color), pos.occupied()));
        let by_kind = [[S::EMPTY; Kind::COUNT]; 2];
        Attacks { by_pawns, by_king, by_kind, by_pieces: by_pawns, by_any: by_pawns, by_two }
    }
}

/// What the pawns of a colour attack, and what two of them or more.
#[inline(always)]
fn by_pawns<V: Evaluate, C: Side>(pos: &Position<V>) -> (Set<V>, Set<V>) {
    let (mut by_one, mut by_two) = (Set::<V>::EMPTY, Set::<V>::EMPTY);
    for (at, &kind) in V::PAWNS.iter().enumerate() {
        let (once, twice) = pawn_attacks::<V, C>(pos, at, pos.pieces(C::COLOR, kind), pos.occupied());
        by_two |= twice | by_one & once;
        by_one |= once;
    }
    (by_one, by_two)
}

/// What is brought to bear on a king.
#[derive(Clone, Copy, Default)]
struct Siege {
    /// Attacks of pawns on the king's zone, officers that attack it, and kinds that can give a safe check.
    pieces: u32,
    /// In units of danger. The shares follow what is customary in chess engines.
    units: i32,
}

impl Siege {
    /// The danger of an attack on a square beside the king.
    const TOUCH: i32 = 6;
    /// The danger of an attacked square in the king's zone that nobody but it protects.
    const WEAK_SQUARE: i32 = 16;
    /// The danger of a check that cannot be answered by taking, for each kind that can give one.
    const SAFE_CHECK: i32 = 64;
    /// The danger of a square from which a check could only be given at the cost of the piece.
    const UNSAFE_CHECK: i32 = 12;
    /// What is less dangerous without any of the strongest officers.
    const NO_HEAVY: i32 = 76;
    /// Units of danger for which there is one weight.
    const STEP: i32 = 16;

    /// The place among the weights of danger. One attacker alone is no siege.
    fn step(self) -> usize {
        let units = if self.pieces < 2 { 0 } else { self.units.max(0) };
        ((units / Self::STEP) as usize).min(DANGER - 1)
    }
}

/// A position while its terms are found: first piece by piece, colour by colour, then what all of these together attack.
struct Survey<'a, V: Evaluate, T> {
    pos: &'a Position<V>,
    scores: &'a Scores<Set<V>>,
    terms: &'a mut T,
    attacks: Attacks<Set<V>>,
    /// By the colour that attacks.
    sieges: [Siege; 2],
}

impl<V: Evaluate, T: Terms<V>> Survey<'_, V, T> {
    /// What the pieces of a colour are worth by themselves. Returns what its officers are worth in exchanges.
    #[inline(always)]
    fn pieces<C: Side>(&mut self, roads: &Roads<Set<V>>) -> Score {
        if !V::PASSING {
            self.roaming_pawns::<C>();
        }
        let worth = self.officers::<C>(roads);
        self.king::<C>();
        worth
    }

    /// What follows from the attacks of all pieces, for one colour.
    #[inline(always)]
    fn relations<C: Side>(&mut self, roads: &Roads<Set<V>>) {
        self.passed_pawns::<C>(roads.passed[C::COLOR.index()]);
        self.threats::<C>();
        self.control::<C>();
        self.siege::<C>();
    }

    /// Squares where a piece of a colour is not in its own side's way, and that no enemy pawn attacks.
    #[inline(always)]
    fn useful(&self, color: Color) -> Set<V> {
        !(self.pos.color(color) | self.attacks.by_pawns[(!color).index()])
    }

    /// Pawns that do not go straight ahead. All others are in [`Terms::structure`].
    #[inline(always)]
    fn roaming_pawns<C: Side>(&mut self) {
        let color = C::COLOR;
        let (pos, useful) = (self.pos, self.useful(color));
        for &kind in V::PAWNS {
            (pos.color(color) & pos.kind(kind)).squares().for_each(|square| {
                self.terms.piece(color, kind, square);
                let attacks = V::attacks(pos, color, kind, square, pos.occupied());
                self.terms.mobility(color, kind, (attacks & useful).count());
            });
        }
    }

    /// Pieces that are neither pawns nor kings, and how many of them approach the enemy king.
    #[inline(always)]
    fn officers<C: Side>(&mut self, roads: &Roads<Set<V>>) -> Score {
        let color = C::COLOR;
        let (pos, scores, useful) = (self.pos, self.scores, self.useful(color));
        let (terms, attacks) = (&mut *self.terms, &mut self.attacks);
        let (c, own, occupied) = (color.index(), pos.color(color), pos.occupied());
        let (zone, adjacent) = (scores.zone[pos.king(!color)], attacks.by_king[(!color).index()]);
        let (by_pawns, open) = (attacks.by_pawns[c], roads.open[0] & roads.open[1]);
        let (half_open, outposts) = (roads.open[c].minus(open), roads.holes[c] & by_pawns);
        let (mut pieces_near, mut weight, mut touches) = ((by_pawns & zone).count(), 0, 0);
        let (mut by_any, mut by_two) = (attacks.by_any[c], attacks.by_two[c]);
        let mut worth = 0;
        for &Officer { kind, value, siege, .. } in &scores.officers {
            let pieces = own & pos.kind(kind);
            if pieces.is_empty() {
                continue;
            }
            let (mut reached, mut found) = (Set::<V>::EMPTY, 0);
            pieces.squares().for_each(|square| {
                let targets = V::attacks(pos, color, kind, square, occupied);
                reached |= targets;
                by_two |= by_any & targets;
                by_any |= targets;
                worth += value;
                found += 1;
                terms.piece(color, kind, square);
                terms.mobility(color, kind, (targets & useful).count());
                if targets.meets(zone) {
                    weight += siege;
                    pieces_near += 1;
                    touches += (targets & adjacent).count() as i32;
                }
            });
            attacks.by_kind[c][kind.index()] = reached;
            if found > 1 {
                terms.single(color, kind, Layout::SECOND, 1);
            }
        }
        (own & non_pawns(pos) & (open | half_open | outposts)).squares().for_each(|square| {
            let kind = pos.piece(square).kind();
            terms.single(color, kind, Layout::OPEN, open.has(square).into());
            terms.single(color, kind, Layout::HALF_OPEN, half_open.has(square).into());
            terms.single(color, kind, Layout::OUTPOST, outposts.has(square).into());
        });
        (attacks.by_pieces[c], attacks.by_any[c], attacks.by_two[c]) = (by_any, by_any, by_two);
        // Each attacker makes all others more dangerous.
        self.sieges[c] =
            Siege { pieces: pieces_near, units: pieces_near as i32 * weight + Siege::TOUCH * touches };
        worth
    }

    /// A king, after the officers of its colour.
    #[inline(always)]
    fn king<C: Side>(&mut self) {
        let color = C::COLOR;
        let (pos, terms, attacks) = (self.pos, &mut *self.terms, &mut self.attacks);
        let c = color.index();
        attacks.by_two[c] |= attacks.by_any[c] & attacks.by_king[c];
        attacks.by_any[c] |= attacks.by_king[c];
        terms.piece(color, V::ROYAL, pos.king(color));
        let friends = (attacks.by_king[c] & pos.color(color)).count();
        terms.general(color, Layout::SHELTER + friends.min(5) as usize, 1);
        terms.refuge(pos, self.scores, color);
    }

    /// Pawns that no pawn can stop any more.
    #[inline(always)]
    fn passed_pawns<C: Side>(&mut self, passed: Set<V>) {
        let color = C::COLOR;
        let (pos, scores, terms, attacks) = (self.pos, self.scores, &mut *self.terms, &self.attacks);
        let (c, enemy) = (color.index(), attacks.by_any[(!color).index()]);
        passed.squares().for_each(|square| {
            let stop = pos.shift(Set::<V>::single(square), 0, color.forward());
            let advance = usize::from(scores.advance[c][square]);
            if !stop.meets(pos.occupied()) {
                terms.general(color, Layout::FREE + advance, 1);
                if !stop.meets(enemy) {
                    terms.general(color, Layout::SAFE + advance, 1);
                }
                if !scores.ahead[c][square].meets(pos.occupied() | enemy) {
                    terms.general(color, Layout::CLEAR + advance, 1);
                }
            }
            terms.general(color, Layout::PASSED_SUPPORTED, attacks.by_pawns[c].has(square).into());
            if stop.any() {
                let steps = |from| u32::from(pos.geometry().steps(from, stop.first()).min(5));
                terms.general(color, Layout::ESCORT, advance as u32 * steps(pos.king(color)));
                terms.general(color, Layout::CHASE, advance as u32 * steps(pos.king(!color)));
            }
        });
    }

    /// Squares that the enemy holds: attacked by its pawns, or more often than this colour does.
    #[inline(always)]
    fn strong(&self, enemy: Color) -> Set<V> {
        let (e, c) = (enemy.index(), (!enemy).index());
        self.attacks.by_pawns[e] | self.attacks.by_two[e].minus(self.attacks.by_two[c])
    }

    /// Enemy pieces that this colour attacks.
    #[inline(always)]
    fn threats<C: Side>(&mut self) {
        let color = C::COLOR;
        let (pos, scores, strong) = (self.pos, self.scores, self.strong(!color));
        let (terms, attacks) = (&mut *self.terms, &self.attacks);
        let (c, o) = (color.index(), (!color).index());
        let (by_pawns, protected) = (attacks.by_pawns[c], attacks.by_any[o]);
        let enemies = pos.color(!color).minus(pos.kind(V::ROYAL));
        let attacked = enemies & attacks.by_any[c];
        let (mut by_lesser, mut known) = (Set::<V>::EMPTY, 0);
        for &kind in V::PAWNS {
            let pieces = attacked & pos.kind(kind);
            terms.single(!color, kind, Layout::LOOSE, pieces.minus(protected).count());
            terms.single(!color, kind, Layout::PRESSED, (pieces & protected).minus(strong).count());
        }
        let attacked = attacked.minus(pos.pawns());
        if attacked.any() {
            for &Officer { kind, lesser, .. } in &scores.officers {
                let pieces = attacked & pos.kind(kind);
                if pieces.any() {
                    for other in &scores.officers[known..lesser] {
                        by_lesser |= attacks.by_kind[c][other.kind.index()];
                    }
                    known = lesser;
                    terms.single(!color, kind, Layout::HIT_BY_PAWN, (pieces & by_pawns).count());
                    terms.single(!color, kind, Layout::HIT_BY_LESSER, (pieces & by_lesser).count());
                    terms.single(!color, kind, Layout::LOOSE, pieces.minus(protected).count());
                    terms.single(!color, kind, Layout::PRESSED, (pieces & protected).minus(strong).count());
                }
            }
        }
        if V::PASSING {
            let unsafe_squares = attacks.by_pawns[o] | protected.minus(attacks.by_any[c]);
            let mut targets = Set::<V>::EMPTY;
            for (at, &kind) in V::PAWNS.iter().enumerate() {
                let pieces = pos.color(color) & pos.kind(kind);
                let stops = pos.shift(pieces, 0, color.forward()).minus(pos.occupied() | unsafe_squares);
                targets |= pawn_attacks::<V, C>(pos, at, stops, pos.occupied()).0;
            }
            let targets = (targets & enemies).minus(pos.pawns() | by_pawns);
            terms.general(color, Layout::PUSH_THREAT, targets.count());
        }
    }

    /// Squares that this colour attacks.
    #[inline(always)]
    fn control<C: Side>(&mut self) {
        let color = C::COLOR;
        let (c, o) = (color.index(), (!color).index());
        let (by_own, by_enemy) = (self.attacks.by_any[c], self.attacks.by_any[o]);
        let protected = self.pos.pawns() & self.pos.color(color) & self.attacks.by_pawns[c];
        let contested = (by_enemy & by_own).minus(self.strong(!color));
        self.terms.general(color, Layout::SUPPORTED, protected.count());
        self.terms.general(color, Layout::CONTESTED, contested.count());
        self.terms.general(color, Layout::TERRITORY, by_own.minus(by_enemy).count());
    }

    /// The danger to the enemy king, and attacks on the squares around it.
    #[inline(always)]
    fn siege<C: Side>(&mut self) {
        let color = C::COLOR;
        let (pos, scores, attacks) = (self.pos, self.scores, &self.attacks);
        let (c, o) = (color.index(), (!color).index());
        let (king, own) = (pos.king(!color), pos.color(color));
        let mut siege = self.sieges[c];
        if siege.pieces > 0 {
            let weak = (scores.zone[king] & attacks.by_any[c]).minus(attacks.by_pieces[o]);
            siege.units += Siege::WEAK_SQUARE * weak.count() as i32;
            for &Officer { kind, .. } in &scores.officers {
                let reached = attacks.by_kind[c][kind.index()].minus(own);
                if reached.any() && !V::ONE_WAY.contains(&kind) {
                    let checks = V::attacks(pos, !color, kind, king, pos.occupied()) & reached;
                    if checks.minus(attacks.by_any[o]).any() {
                        siege.units += Siege::SAFE_CHECK;
                        siege.pieces += 1;
                    } else {
                        siege.units += Siege::UNSAFE_CHECK * checks.count() as i32;
                    }
                }
            }
            if !scores.heavy().iter().any(|officer| pos.kind(officer.kind).meets(own)) {
                siege.units -= Siege::NO_HEAVY;
            }
        }
        let ring = (scores.ring[king] & attacks.by_any[c]).minus(attacks.by_pawns[o]);
        let terms = &mut *self.terms;
        terms.general(color, Layout::DANGER + siege.step(), 1);
        terms.general(color, Layout::RING, ring.count());
        terms.general(color, Layout::RING_TWICE, (ring & attacks.by_two[c]).count());
    }
}
