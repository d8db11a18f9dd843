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

/// The most threats by men with rules of their own, one for each man of a side (at most 28).
const MAX_SPECIALS: usize = 32;
/// The most pins: one for each direction from the king, nightriders' included, and one for each lame leaper.
const MAX_PINS: usize = 40;

/// A man with its own allowed targets.
type Bond<S> = (Square, S);

/// Where men may go because of one enemy, and up to two men with their own targets.
struct Threat<S> {
    general: S,
    bonds: [Bond<S>; 2],
}

/// The legal targets of every man but the royal one.
pub struct Safety<S> {
    targets: S,
    bound: S,
    checkers: S,
    /// What plain checks leave to everybody.
    answers: S,
    pins: ArrayVec<Bond<S>, MAX_PINS>,
    specials: ArrayVec<Threat<S>, MAX_SPECIALS>,
}

impl<S: SquareSet> Safety<S> {
    /// No threats yet.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Safety {
            targets: S::ALL,
            bound: S::EMPTY,
            checkers: S::EMPTY,
            answers: S::ALL,
            pins: ArrayVec::new(),
            specials: ArrayVec::new(),
        }
    }

    /// Adds a threat: men go to `general`, except those named in `bonds`, which go to their own set
    /// ([`Square::NONE`] names nobody).
    #[inline]
    pub fn add(&mut self, general: S, bonds: [Bond<S>; 2]) {
        self.targets &= general;
        for (man, _) in bonds {
            if man.is_some() {
                self.bound |= S::single(man);
            }
        }
        self.specials.push(Threat { general, bonds });
    }

    /// Adds an attack on the king that ends by taking `attacker` or putting a man on a square of `blocks`.
    #[inline]
    pub fn check(&mut self, attacker: Square, blocks: S) {
        self.checkers |= S::single(attacker);
        self.targets &= S::single(attacker) | blocks;
        self.answers &= S::single(attacker) | blocks;
    }

    /// Adds attacks that nothing can block.
    #[inline]
    pub fn checks(&mut self, attackers: S) {
        attackers.squares().for_each(|attacker| self.check(attacker, S::EMPTY));
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
        self.bound |= S::single(man);
        self.pins.push((man, line));
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
        // Few enemies stand on the king's lines, so asking each what is between is cheaper than two look-ups.
        (riders & rider.lines(king)).squares().for_each(|attacker| {
            let line = geometry.between(king, attacker);
            let men = line & occupied;
            if men.is_empty() {
                self.check(attacker, line);
            } else if !men.many() && men.meets(own) {
                self.pin(men.first(), line | S::single(attacker));
            }
        });
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
        if !self.bound.has(from) {
            return self.targets;
        }
        let pinned = self.pins.iter().filter(|bond| bond.0 == from);
        let allowed = pinned.fold(self.answers, |allowed, bond| allowed & bond.1);
        self.specials.iter().fold(allowed, |allowed, threat| {
            let own = threat.bonds.iter().find(|bond| bond.0 == from);
            allowed & own.map_or(threat.general, |bond| bond.1)
        })
    }
}
