//! Colours, kinds of pieces, and pieces.

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// The side that starts at the bottom and moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// "white" or "black".
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// +1 where ranks grow toward the opponent (White), -1 for Black.
    #[inline]
    pub const fn forward(self) -> i16 {
        1 - 2 * self as i16
    }
}

impl std::ops::Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        if self == Color::White { Color::Black } else { Color::White }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Color::White { "White" } else { "Black" })
    }
}

/// A colour known at compile time, for move generators.
pub trait Side {
    /// The side itself.
    const COLOR: Color;
    /// +1 for White, -1 for Black.
    const FORWARD: i16 = Self::COLOR.forward();
    /// The opponent.
    type Opponent: Side;
}

/// White, as a type.
pub struct White;
/// Black, as a type.
pub struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Opponent = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Opponent = White;
}

/// A kind of piece: an index into the game's list of pieces, below [`Kind::COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(u8);

impl Kind {
    /// The largest number of kinds that a game can have.
    pub const COUNT: usize = 16;

    /// The kind with number `index` (0..16).
    #[inline]
    pub const fn new(index: usize) -> Kind {
        debug_assert!(index < Kind::COUNT);
        Kind(index as u8 & 15)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 15
    }
}

/// A piece: a kind and a colour, or [`Piece::NONE`] for an empty square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece(u8);

impl Piece {
    /// No piece.
    pub const NONE: Piece = Piece(255);

    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece((color as u8) << 4 | kind.0)
    }

    /// A number below 32: the kind, plus 16 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 31
    }

    /// Its kind; meaningless for [`Piece::NONE`].
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind(self.0 & 15)
    }

    /// Its colour; meaningless for [`Piece::NONE`].
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & 16 == 0 { Color::White } else { Color::Black }
    }

    /// The byte that stands for it.
    #[inline]
    pub(super) const fn bits(self) -> u8 {
        self.0
    }

    /// Is there a piece?
    #[inline]
    pub fn is_some(self) -> bool {
        self != Piece::NONE
    }
}
