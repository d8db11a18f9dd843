//! Moves in 32 bits, and lists of them.

use super::{Kind, Square};
use arrayvec::ArrayVec;

/// What a move does beyond going to its target and capturing there. Most tags belong to one game; they are listed
/// together because notation, move ordering and undo must distinguish them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    /// Goes to the target and captures what stands there.
    Plain,
    /// A pawn's long step, which may create an en-passant square.
    LongStep,
    /// A capture of a pawn beside the target.
    EnPassant,
    /// A king's castling move; the argument says which.
    Castle,
    /// Two pieces of one side exchange squares.
    Swap,
    /// Captures a distant piece without moving.
    Shot,
    /// A cyclops goes forward and captures the enemies on its path.
    Charge,
    /// A cyclops goes backward and captures all pieces on its path, its own included.
    Retreat,
    /// A cyclops turns on the spot.
    Turn,
    /// Two super pawns are placed before the game.
    Place,
}

const TAGS: [Tag; 16] = [
    Tag::Plain,
    Tag::LongStep,
    Tag::EnPassant,
    Tag::Castle,
    Tag::Swap,
    Tag::Shot,
    Tag::Charge,
    Tag::Retreat,
    Tag::Turn,
    Tag::Place,
    Tag::Plain,
    Tag::Plain,
    Tag::Plain,
    Tag::Plain,
    Tag::Plain,
    Tag::Plain,
];

/// A move: from (8 bits), to (8), [`Tag`] (4), kind that moves (4), kind that it becomes (4), argument (4).
///
/// What is captured is not in it: that follows from the position. A piece that becomes another kind promotes, or is a
/// cyclops that turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

impl Move {
    /// No move; also the null move of the search.
    pub const NONE: Move = Move(0);

    /// A piece of `kind` goes from one square to another.
    #[inline]
    pub const fn plain(kind: Kind, from: Square, to: Square) -> Move {
        Move::new(Tag::Plain, kind, from, to, kind)
    }

    /// A move with a tag, after which the piece that moved is a `becomes`.
    #[inline]
    pub const fn new(tag: Tag, kind: Kind, from: Square, to: Square, becomes: Kind) -> Move {
        Move(
            from.index() as u32
                | (to.index() as u32) << 8
                | (tag as u32) << 16
                | (kind.index() as u32) << 20
                | (becomes.index() as u32) << 24,
        )
    }

    /// The same move with an argument (0..16) whose meaning depends on the tag.
    #[inline]
    pub const fn with_argument(self, argument: u8) -> Move {
        Move(self.0 & 0x0fff_ffff | (argument as u32) << 28)
    }

    /// The square of the piece that moves (or shoots, or turns).
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_bits(self.0 as u8)
    }

    /// Where it goes, or the target of a shot, or the partner's square in a swap.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_bits((self.0 >> 8) as u8)
    }

    /// The kind of move.
    #[inline]
    pub const fn tag(self) -> Tag {
        TAGS[(self.0 >> 16 & 15) as usize]
    }

    /// The kind of piece that moves.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::new((self.0 >> 20 & 15) as usize)
    }

    /// The kind of the piece afterwards.
    #[inline]
    pub const fn becomes(self) -> Kind {
        Kind::new((self.0 >> 24 & 15) as usize)
    }

    /// The argument, 0 unless set.
    #[inline]
    pub const fn argument(self) -> u8 {
        (self.0 >> 28) as u8
    }

    /// The 32 bits, for the transposition table.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with these bits, as [`Move::bits`] gave them. Other bits give a move that need not be legal anywhere,
    /// nor have squares of a board.
    #[inline]
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }

    /// Is this a move, and not [`Move::NONE`]?
    #[inline]
    pub fn is_some(self) -> bool {
        self != Move::NONE
    }
}

/// The longest list of legal moves that any position of any game can have, rounded up.
///
/// No side has more pieces than at the start. The worst cases: 28 popes on 14x12, each with at most 13 + 11 rook
/// moves, 22 bishop moves and 16 leaps, make 1,736; 19 cyclopes on 10x10 with 6 targets times 8 facings and 7
/// turns 1,045; super pawns before promotion have 5 targets of 13 choices.
pub const MAX_MOVES: usize = 2048;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        for tag in TAGS {
            let mv = Move::new(tag, Kind::new(15), Square::new(191), Square::new(1), Kind::new(3))
                .with_argument(9);
            let fields =
                (mv.tag(), mv.kind().index(), mv.from().index(), mv.to().index(), mv.becomes().index());
            assert_eq!(fields, (tag, 15, 191, 1, 3));
            assert_eq!((mv.argument(), Move::from_bits(mv.bits())), (9, mv));
        }
    }
}
