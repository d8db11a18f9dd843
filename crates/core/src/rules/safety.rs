//! Which moves leave the royal piece unattacked, found before moves are generated.
//!
//! Each enemy piece that attacks the king, or would if one piece moved, is a *threat*. A threat restricts where our
//! pieces may go (`general`), with exceptions for up to two of them (a pinned piece, the screens of a hopper). A move
//! is legal if every threat allows it. Moves of the king, and moves that empty or fill more than one square, are not
//! covered and are tested by [`king_targets`](super::movegen::king_targets) and
//! [`king_safe`](super::movegen::king_safe).

use super::attacks::Rider;
use crate::board::{Geometry, Square, SquareSet};
use arrayvec::ArrayVec;

/// The most threats with exceptions: one for each piece of a side (at most 28).
const MAX_THREATS: usize = 32;
/// The most pins: one for each direction from the king, nightriders' included, and one for each lame leaper.
const MAX_PINS: usize = 40;

/// A piece with its own allowed targets.
type Exception<S> = (Square, S);

/// Where pieces may go because of one enemy, and up to two pieces with their own targets.
struct Threat<S> {
    general: S,
    exceptions: [Exception<S>; 2],
}

/// The legal targets of every piece but the royal one.
pub struct Safety<S> {
    targets: S,
    pinned: S,
    checkers: S,
    /// Where a piece must go to answer all plain checks: it captures or blocks each of them.
    check_mask: S,
    pins: ArrayVec<Exception<S>, MAX_PINS>,
    hopper_threats: ArrayVec<Threat<S>, MAX_THREATS>,
}

impl<S: SquareSet> Safety<S> {
    /// No threats yet.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Safety {
            targets: S::ALL,
            pinned: S::EMPTY,
            checkers: S::EMPTY,
            check_mask: S::ALL,
            pins: ArrayVec::new(),
            hopper_threats: ArrayVec::new(),
        }
    }

    /// Adds a check, answered by capturing `attacker` or by a piece on a square of `blocks`.
    #[inline]
    pub fn check(&mut self, attacker: Square, blocks: S) {
        self.checkers |= S::single(attacker);
        self.targets &= S::single(attacker) | blocks;
        self.check_mask &= S::single(attacker) | blocks;
    }

    /// Adds checks that cannot be blocked.
    #[inline]
    pub fn checks(&mut self, attackers: S) {
        attackers.squares().for_each(|attacker| self.check(attacker, S::EMPTY));
    }

    /// Keeps `piece` on `line`.
    #[inline]
    pub fn pin(&mut self, piece: Square, line: S) {
        self.pinned |= S::single(piece);
        self.pins.push((piece, line));
    }

    /// Adds the checks and pins by `riders`, enemy pieces that attack along the lines of `rider`.
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
        // Few enemies stand on the king's lines, so testing what is between for each is cheaper than two look-ups.
        (riders & rider.lines(king)).squares().for_each(|attacker| {
            let line = geometry.between(king, attacker);
            let pieces = line & occupied;
            if pieces.is_empty() {
                self.check(attacker, line);
            } else if !pieces.many() && pieces.meets(own) {
                self.pin(pieces.first(), line | S::single(attacker));
            }
        });
    }

    /// Adds the threat by `hopper`, an enemy piece that captures beyond exactly one piece. `between` are the squares
    /// between it and the king.
    #[inline]
    pub fn hopper(&mut self, hopper: Square, between: S, own: S, occupied: S) {
        let nobody = (Square::NONE, S::EMPTY);
        let screens = between & occupied;
        let exception = |piece: Square, targets: S| if own.has(piece) { (piece, targets) } else { nobody };
        match screens.count() {
            // A piece that goes between would become the screen.
            0 => self.add(!between, [nobody; 2]),
            // Check. Legal answers: capture the hopper, put a second piece between, or move the screen off the line.
            // Capturing the screen does not help, since the capturing piece takes its place.
            1 => {
                self.checkers |= S::single(hopper);
                let general = between.minus(screens) | S::single(hopper);
                self.add(general, [exception(screens.first(), !between), nobody]);
            }
            // Neither of the two may leave or capture the other, except by capturing the hopper.
            2 => {
                let (a, b) = (screens.first(), screens.last());
                let stay = |other: Square| between.minus(S::single(other)) | S::single(hopper);
                self.add(S::ALL, [exception(a, stay(b)), exception(b, stay(a))]);
            }
            _ => {}
        }
    }

    /// Adds a threat: pieces go to `general`, except those named in `exceptions`, which go to their own set
    /// ([`Square::NONE`] names no piece).
    #[inline]
    fn add(&mut self, general: S, exceptions: [Exception<S>; 2]) {
        self.targets &= general;
        for (piece, _) in exceptions {
            if piece.is_some() {
                self.pinned |= S::single(piece);
            }
        }
        self.hopper_threats.push(Threat { general, exceptions });
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> S {
        self.checkers
    }

    /// Where pieces may go that are not in [`Safety::pinned`].
    #[inline]
    pub fn targets(&self) -> S {
        self.targets
    }

    /// The pieces with targets of their own.
    #[inline]
    pub fn pinned(&self) -> S {
        self.pinned
    }

    /// Where the piece on `from` may go, pinned or not.
    #[inline]
    pub fn allowed(&self, from: Square) -> S {
        if !self.pinned.has(from) {
            return self.targets;
        }
        let pinned = self.pins.iter().filter(|exception| exception.0 == from);
        let allowed = pinned.fold(self.check_mask, |allowed, exception| allowed & exception.1);
        self.hopper_threats.iter().fold(allowed, |allowed, threat| {
            let own = threat.exceptions.iter().find(|exception| exception.0 == from);
            allowed & own.map_or(threat.general, |exception| exception.1)
        })
    }
}
