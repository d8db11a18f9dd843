//! Moves of pawns. A game gives the steps, the ranks and the promotions.

use super::attacks::Step;
use super::movegen::{Gen, Sink, king_safe, landings};
use super::{Editor, Extra, Position, Safety, Set, Variant, setup};
use crate::board::{Board, Color, Kind, Move, Side, Square, SquareSet, Tag};
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Generates moves of pawns of one kind. Steps are seen from their side: forward is up.
///
/// All functions are inlined, and to be called with constant steps, so that the shifts are constant.
pub struct Pawns<'a, V: Variant, C, G, K> {
    pos: &'a Position<V>,
    kind: Kind,
    safety: &'a Safety<Set<V>>,
    sink: &'a mut K,
    /// Squares where a pawn promotes, and those among them where it may also stay a pawn.
    promotes: Set<V>,
    may_stay: Set<V>,
    choices: &'a [Kind],
    game: PhantomData<(C, G)>,
}

impl<'a, V: Variant, C: Side, G: Gen, K: Sink> Pawns<'a, V, C, G, K> {
    /// Pawns of `kind` that promote on the squares of `promotes` to one of `choices`.
    #[inline(always)]
    pub fn new(
        pos: &'a Position<V>,
        kind: Kind,
        promotes: Set<V>,
        choices: &'a [Kind],
        safety: &'a Safety<Set<V>>,
        sink: &'a mut K,
    ) -> Self {
        Pawns { pos, kind, safety, sink, promotes, may_stay: Set::<V>::EMPTY, choices, game: PhantomData }
    }

    /// The same, with optional promotion on some squares.
    #[inline(always)]
    pub fn may_stay_on(self, may_stay: Set<V>) -> Self {
        Pawns { may_stay, ..self }
    }

    /// Steps of `pawns` to vacant squares.
    #[inline(always)]
    pub fn step(&mut self, pawns: Set<V>, step: Step) {
        let mut aim = self.pos.vacant();
        if !G::QUIET {
            // Few pawns are near enough.
            aim &= self.promotes;
            let (files, ranks) = step;
            if !pawns.meets(self.pos.shift(aim, -files, -ranks * C::FORWARD)) {
                return;
            }
        }
        let to = self.landings(pawns, step, aim);
        self.arrive(step, to, G::QUIET);
    }

    /// Captures by `pawns`, each by a step.
    #[inline(always)]
    pub fn capture(&mut self, pawns: Set<V>, step: Step) {
        if G::NOISY {
            let to = self.landings(pawns, step, self.pos.color(!C::COLOR));
            self.arrive(step, to, true);
        }
    }

    /// Steps of `pawns` straight ahead after which they may be captured in passing. Whether the squares between are
    /// vacant is not checked.
    #[inline(always)]
    pub fn long_step(&mut self, pawns: Set<V>, ranks: i16) {
        if G::QUIET {
            let (kind, back) = (self.kind, V::Board::delta(0, -ranks * C::FORWARD));
            let to = self.landings(pawns, (0, ranks), self.pos.vacant());
            self.sink.each(to, |to| Move::new(Tag::LongStep, kind, to.offset(back), to, kind));
        }
    }

    #[inline(always)]
    fn landings(&self, pawns: Set<V>, (files, ranks): Step, aim: Set<V>) -> Set<V> {
        landings(self.pos, pawns, (files, ranks * C::FORWARD), aim, self.safety)
    }

    /// The moves that bring pawns to the squares of `to`; those that do not promote only if they are wanted.
    #[inline(always)]
    fn arrive(&mut self, (files, ranks): Step, to: Set<V>, wanted: bool) {
        let (kind, choices, back) = (self.kind, self.choices, V::Board::delta(-files, -ranks * C::FORWARD));
        if wanted {
            let plain = to.minus(self.promotes) | (to & self.may_stay);
            self.sink.each(plain, |to| Move::plain(kind, to.offset(back), to));
        }
        if G::NOISY {
            self.sink.each_way(to & self.promotes, choices.len(), |to, i| {
                Move::new(Tag::Plain, kind, to.offset(back), to, choices[i])
            });
        }
    }
}

/// The pawns of the side to move that attack the en-passant square; whether the capture is legal is not checked. They
/// are on squares that an enemy pawn on the target would attack.
#[inline]
pub fn takers<V: Variant>(pos: &Position<V>) -> Set<V> {
    let (side, target) = (pos.side(), pos.extra().en_passant());
    V::PAWNS.iter().fold(Set::<V>::EMPTY, |takers, &kind| {
        takers | pos.pieces(side, kind) & V::attacks(pos, !side, kind, target, pos.occupied())
    })
}

/// Captures in passing by pieces of `pawns`.
#[inline(always)]
pub fn en_passant<V: Variant, C: Side, G: Gen>(pos: &Position<V>, pawns: Set<V>, sink: &mut impl Sink) {
    let target = pos.extra().en_passant();
    if !G::NOISY || !target.is_some() {
        return;
    }
    let victim = Set::<V>::single(passer::<V>(target, C::FORWARD));
    for from in (pawns & takers(pos)).squares() {
        let occupied = (pos.occupied() ^ Set::<V>::single(from) ^ victim) | Set::<V>::single(target);
        if king_safe::<V, C>(pos, occupied, victim) {
            let kind = pos.piece(from).kind();
            sink.one(Move::new(Tag::EnPassant, kind, from, target, kind));
        }
    }
}

/// The kinds of `supply`, given with their numbers at the start, of which `color` has fewer now: the promotions where
/// only captured pieces can come back.
#[inline]
pub fn missing<V: Variant, const N: usize>(
    pos: &Position<V>,
    color: Color,
    supply: &[(Kind, u32); N],
) -> ArrayVec<Kind, N> {
    let missing = supply.iter().filter(|&&(kind, count)| pos.pieces(color, kind).count() < count);
    missing.map(|&(kind, _)| kind).collect()
}

/// Where the pawn stands that is captured in passing on `target` by a side that goes `forward`.
#[inline]
pub fn passer<V: Variant>(target: Square, forward: i16) -> Square {
    target.offset(V::Board::delta(0, -forward))
}

/// [`Variant::apply`] for moves of a single piece, pawns included. Only a pawn that passed an empty square can be
/// captured in passing.
#[inline(always)]
pub fn apply<V: Variant>(pos: &mut Editor<V>, mv: Move) {
    let behind = || passer::<V>(mv.to(), pos.side().forward());
    match mv.tag() {
        Tag::LongStep => {
            let passed = behind();
            if !pos.piece(passed).is_some() {
                pos.extra_mut().set_en_passant(passed);
            }
        }
        Tag::EnPassant => pos.capture(behind(), 1),
        _ => {}
    }
    pos.apply_plain(mv);
    if V::PAWNS.contains(&mv.kind()) {
        pos.irreversible();
    }
}

/// [`Variant::revert`] of [`apply`].
#[inline(always)]
pub fn revert<V: Variant>(pos: &mut Editor<V>, mv: Move) {
    pos.revert_plain(mv);
    if mv.tag() == Tag::EnPassant {
        pos.uncapture(passer::<V>(mv.to(), pos.side().forward()), 1);
    }
}

/// Reads the en-passant field of a FEN, for pawns with a long step of `steps` squares from their rank `home` (from
/// 0).
pub fn read_en_passant<V: Variant>(
    pos: &mut Editor<V>,
    square: Square,
    home: u8,
    steps: u8,
) -> Result<(), String> {
    setup::check_long_step(pos, square, pos.pawns(), home, steps)?;
    pos.extra_mut().set_en_passant(square);
    Ok(())
}
