//! Which moves leave the royal man unattacked, found once a position.
//!
//! Each enemy man that attacks the king, or would if one man moved, is a *threat*. A threat says where a man of
//! ours may go (`general`), and names up to two men that have rules of their own (a pinned man, the screens of a
//! cannon). A move is legal if every threat allows it. Moves of the king, and moves that empty or fill more than
//! one square, are not covered and are tested by [`royal_targets`](super::movegen::royal_targets) and
//! [`royal_safe`](super::movegen::royal_safe).

use super::attacks::Rider;
use crate::board::{Geometry, Square, SquareSet};
use arrayvec::ArrayVec;

/// The most threats there can be: one for each man of a side (at most 28), and one more for men that ride as well
/// as leap to the king's square (at most eight, one a direction).
const MAX_THREATS: usize = 36;

/// A man with its own allowed targets.
type Bond<S> = (Square, S);

struct Threat<S> {
    general: S,
    bonds: [Bond<S>; 2],
}

/// The legal targets of every man but the royal one.
pub struct Safety<S> {
    threats: ArrayVec<Threat<S>, MAX_THREATS>,
    bonds: ArrayVec<Bond<S>, { 2 * MAX_THREATS }>,
    targets: S,
    bound: S,
    checkers: S,
}

impl<S: SquareSet> Safety<S> {
    /// No threats yet.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Safety {
            threats: ArrayVec::new(),
            bonds: ArrayVec::new(),
            targets: S::ALL,
            bound: S::EMPTY,
            checkers: S::EMPTY,
        }
    }

    /// Adds a threat: men go to `general`, except those named in `bonds`, which go to their own set
    /// ([`Square::NONE`] names nobody).
    #[inline]
    pub fn add(&mut self, general: S, bonds: [Bond<S>; 2]) {
        self.targets &= general;
        self.threats.push(Threat { general, bonds });
    }

    /// Adds an attack on the king that ends by taking `attacker` or putting a man on a square of `blocks`.
    #[inline]
    pub fn check(&mut self, attacker: Square, blocks: S) {
        self.checkers |= S::single(attacker);
        self.targets &= S::single(attacker) | blocks;
        self.threats
            .push(Threat { general: S::single(attacker) | blocks, bonds: [(Square::NONE, S::EMPTY); 2] });
    }

    /// Adds attacks that nothing can block.
    #[inline]
    pub fn checks(&mut self, attackers: S) {
        for attacker in attackers.squares() {
            self.check(attacker, S::EMPTY);
        }
    }

    /// Adds an attack by a man that needs special answers.
    #[inline]
    pub fn special_check(&mut self, attacker: Square, general: S, bonds: [Bond<S>; 2]) {
        self.checkers |= S::single(attacker);
        self.add(general, bonds);
    }

    /// Keeps `man` on `line`.
    #[inline]
    pub fn pin(&mut self, man: Square, line: S) {
        self.add(S::ALL, [(man, line), (Square::NONE, S::EMPTY)]);
    }

    /// Adds the checks and pins by `riders`, enemy men that attack along the lines of `rider`.
    #[inline]
    pub fn riders(
        &mut self,
        geometry: &Geometry<S>,
        king: Square,
        own: S,
        occupied: S,
        riders: S,
        rider: &impl Rider<S>,
    ) {
        if !riders.meets(rider.lines(king)) {
            return;
        }
        let seen = rider.attacks(king, occupied);
        for attacker in (seen & riders).squares() {
            self.check(attacker, geometry.between(king, attacker));
        }
        let shields = seen & own;
        if shields.is_empty() {
            return;
        }
        let beyond = rider.attacks(king, occupied ^ shields).minus(seen);
        for attacker in (beyond & riders).squares() {
            let line = geometry.between(king, attacker);
            self.pin((line & own).first(), line | S::single(attacker));
        }
    }

    /// Works out the allowed targets of the named men. To be called once, after all threats are in.
    #[inline]
    pub fn finish(&mut self) {
        for i in 0..self.threats.len() {
            for (man, _) in self.threats[i].bonds {
                if man.is_some() && !self.bound.has(man) {
                    let allowed = self.threats.iter().fold(S::ALL, |allowed, threat| {
                        let own = threat.bonds.iter().find(|bond| bond.0 == man);
                        allowed & own.map_or(threat.general, |bond| bond.1)
                    });
                    self.bound |= S::single(man);
                    self.bonds.push((man, allowed));
                }
            }
        }
    }

    /// The men that give check.
    #[inline]
    pub fn checkers(&self) -> S {
        self.checkers
    }

    /// Where men may go that are not in [`Safety::bound`].
    #[inline]
    pub fn targets(&self) -> S {
        self.targets
    }

    /// The men with targets of their own.
    #[inline]
    pub fn bound(&self) -> S {
        self.bound
    }

    /// Where the man on `from` may go, bound or not.
    #[inline]
    pub fn allowed(&self, from: Square) -> S {
        match self.bound.has(from) {
            false => self.targets,
            true => self.bonds.iter().find(|bond| bond.0 == from).map_or(self.targets, |bond| bond.1),
        }
    }
}
