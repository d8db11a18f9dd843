//! Castling: the king and one or two partners move along its side's first rank. A game lists the ways.

use super::movegen::{Sink, unattacked};
use super::{Editor, Extra, Position, Variant, pawns, setup};
use crate::board::{Board, BySquare, Color, Kind, Move, Piece, Side, Square, SquareSet, Tag};
use arrayvec::ArrayVec;

/// A piece that may castle with the king as long as it has not moved.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    /// White's letter in the castling field; Black's is the same in lowercase.
    pub letter: char,
    /// The kind of piece.
    pub kind: Kind,
    /// The file where it starts.
    pub file: u8,
}

/// A way to castle, by files.
#[derive(Clone, Debug)]
pub struct Way {
    /// The argument of its move, which distinguishes ways with the same king move.
    pub number: u8,
    /// Where the king goes from, and to.
    pub king: (u8, u8),
    /// Where each partner goes from, and to.
    pub partners: ArrayVec<(u8, u8), 2>,
    /// The file of a partner that may still castle afterwards.
    pub leaves: Option<u8>,
}

impl Way {
    /// A way after which this side cannot castle any more.
    pub fn new(number: u8, king: (u8, u8), partners: &[(u8, u8)]) -> Self {
        Way { number, king, partners: partners.iter().copied().collect(), leaves: None }
    }
}

/// A way on the board, for one side.
struct Castling<S> {
    /// The rights that it needs, and those that it leaves.
    needs: u8,
    leaves: u8,
    king: (Square, Square),
    number: u8,
    partners: ArrayVec<(Square, Square), 2>,
    /// The squares between the king and the farthest partner, and the pieces that may stand there.
    between: S,
    standing: S,
    /// The squares that must not be attacked.
    path: S,
    /// What is vacated, and what is occupied afterwards.
    vacated: S,
    filled: S,
}

/// The ways to castle in a game. A right is a bit for each partner, White's first, in the order of their list.
pub struct Castlings<S> {
    partners: Vec<Partner>,
    king_file: u8,
    ways: [Vec<Castling<S>>; 2],
    /// The rights that remain when a piece moves from or to a square; a king's move ends all of its side.
    keeps: BySquare<u8>,
}

impl<S: SquareSet> Castlings<S> {
    /// The castling moves of a game whose king starts on `king_file`.
    pub fn new<B: Board<Set = S>>(king_file: u8, partners: &[Partner], ways: &[Way]) -> Self {
        let geometry = B::geometry();
        let rank = |color| if color == Color::White { 0 } else { B::RANKS - 1 };
        let mut keeps = BySquare::filled(u8::MAX);
        let build = |color: Color, way: &Way| {
            let pair = |(a, b): (u8, u8)| (B::at(a, rank(color)), B::at(b, rank(color)));
            let bit = |file: u8| {
                let i = partners.iter().position(|partner| partner.file == file).expect("a partner's file");
                1 << (color.index() * partners.len() + i)
            };
            let king = pair(way.king);
            let moved: ArrayVec<_, 2> = way.partners.iter().copied().map(pair).collect();
            let all =
                |squares: &mut dyn Iterator<Item = Square>| squares.fold(S::EMPTY, |s, x| s | S::single(x));
            let from = all(&mut moved.iter().map(|pair| pair.0));
            let between =
                moved.iter().fold(S::EMPTY, |between, pair| between | geometry.between(king.0, pair.0));
            Castling {
                needs: way.partners.iter().fold(0, |needs, pair| needs | bit(pair.0)),
                leaves: way.leaves.map_or(0, bit),
                between,
                standing: between & from,
                path: geometry.between(king.0, king.1) | S::single(king.0) | S::single(king.1),
                vacated: from | S::single(king.0),
                filled: all(&mut moved.iter().map(|pair| pair.1)) | S::single(king.1),
                king,
                number: way.number,
                partners: moved,
            }
        };
        for color in Color::BOTH {
            for (i, partner) in partners.iter().enumerate() {
                keeps[B::at(partner.file, rank(color))] = !(1 << (color.index() * partners.len() + i));
            }
        }
        Castlings {
            partners: partners.to_vec(),
            king_file,
            ways: Color::BOTH.map(|color| ways.iter().map(|way| build(color, way)).collect()),
            keeps,
        }
    }

    /// All rights of a side.
    fn rights(&self, color: Color) -> u8 {
        let n = self.partners.len();
        ((1 << n) - 1) << (color.index() * n)
    }

    /// The rights that remain when the piece on `square` is captured.
    pub fn kept(&self, square: Square) -> u8 {
        self.keeps[square]
    }

    /// Gives `sink` the castling moves of side `C`, whose king is not in check.
    pub fn generate<V: Variant, C: Side>(&self, pos: &Position<V>, sink: &mut impl Sink)
    where
        V::Board: Board<Set = S>,
    {
        let rights = pos.extra().castling();
        if rights & self.rights(C::COLOR) == 0 {
            return;
        }
        for way in &self.ways[C::COLOR.index()] {
            let (from, to) = way.king;
            if rights & way.needs == way.needs
                && pos.king(C::COLOR) == from
                && pos.occupied() & way.between == way.standing
                && unattacked::<V, C>(pos, way.path)
                && V::attackers(pos, !C::COLOR, to, (pos.occupied() ^ way.vacated) | way.filled).is_empty()
            {
                sink.one(Move::new(Tag::Castle, V::ROYAL, from, to, V::ROYAL).with_argument(way.number));
            }
        }
    }

    /// The squares that a king of this colour may reach by castling, now or later.
    pub fn targets(&self, color: Color, rights: u8) -> S {
        let ways = self.ways[color.index()].iter().filter(|way| rights & way.needs == way.needs);
        ways.fold(S::EMPTY, |targets, way| targets | S::single(way.king.1))
    }

    /// Where the partners of a castling move by `color` go from, and to.
    pub fn partners(&self, color: Color, mv: Move) -> &[(Square, Square)] {
        &self.way(color, mv).partners
    }

    fn way(&self, color: Color, mv: Move) -> &Castling<S> {
        let same = |way: &&Castling<S>| way.king == (mv.from(), mv.to()) && way.number == mv.argument();
        self.ways[color.index()].iter().find(same).expect("a castling move of this game")
    }

    /// Takes away the rights that a move ends. Called before the move is played.
    #[inline]
    pub fn update<V: Variant>(&self, pos: &mut Editor<V>, mv: Move) {
        let rights = pos.extra().castling();
        let mut kept = rights & self.keeps[mv.from()] & self.keeps[mv.to()];
        if mv.kind() == V::ROYAL {
            kept &= !self.rights(pos.side());
            if mv.tag() == Tag::Castle {
                kept |= rights & self.way(pos.side(), mv).leaves;
            }
        }
        pos.extra_mut().set_castling(kept);
    }

    /// Plays a castling move of the side to move.
    pub fn apply<V: Variant>(&self, pos: &mut Editor<V>, mv: Move) {
        let way = self.way(pos.side(), mv);
        // All pieces are removed first: one may stand where another goes.
        let moved = way.partners.iter().chain([&way.king]).map(|&(from, to)| (to, pos.take_hashed(from)));
        for (to, piece) in moved.collect::<ArrayVec<_, 3>>() {
            pos.put_hashed(to, piece);
        }
    }

    /// Takes back [`Castlings::apply`].
    pub fn revert<V: Variant>(&self, pos: &mut Editor<V>, mv: Move) {
        let way = self.way(pos.side(), mv);
        let moved = way.partners.iter().chain([&way.king]).map(|&(from, to)| (from, pos.take_unhashed(to)));
        for (from, piece) in moved.collect::<ArrayVec<_, 3>>() {
            pos.put_unhashed(from, piece);
        }
    }

    /// All rights of both sides: the letter in the castling field, the partner, and the square where it starts.
    pub fn all_rights<V: Variant>(&self) -> Vec<(char, Piece, Square)> {
        let letters = self.letters().into_iter().enumerate();
        let right = |(i, (letter, _)): (usize, (char, u8))| {
            let color = Color::BOTH[i / self.partners.len()];
            let rank = if color == Color::White { 0 } else { V::Board::RANKS - 1 };
            let partner = self.partners[i % self.partners.len()];
            (letter, Piece::new(color, partner.kind), V::Board::at(partner.file, rank))
        };
        letters.map(right).collect()
    }

    /// The FEN field of castling rights.
    pub fn field<V: Variant>(&self, pos: &Position<V>) -> String {
        setup::write_letters(pos.extra().castling(), &self.letters())
    }

    /// Reads the FEN field of castling rights.
    pub fn read<V: Variant>(&self, pos: &mut Editor<V>, field: &str) -> Result<(), String> {
        let rights = setup::read_letters(field, &self.letters(), |bit| {
            let i = bit.trailing_zeros() as usize;
            let color = Color::BOTH[i / self.partners.len()];
            let rank = if color == Color::White { 0 } else { V::Board::RANKS - 1 };
            let partner = self.partners[i % self.partners.len()];
            let missing = |kind: Kind, file: u8| {
                let name = V::PIECES[kind.index()].name;
                let article = match kind {
                    royal if royal == V::ROYAL => "the",
                    _ if name.starts_with(['a', 'e', 'i', 'o', 'u']) => "an",
                    _ => "a",
                };
                format!("{article} {name} on {}", pos.geometry().name(V::Board::at(file, rank)))
            };
            let king = Piece::new(color, V::ROYAL);
            let mut ways = self.ways[color.index()].iter().filter(|way| way.needs & bit != 0);
            if !ways.any(|way| pos.piece(way.king.0) == king) {
                return Err(missing(V::ROYAL, self.king_file));
            }
            if pos.piece(V::Board::at(partner.file, rank)) != Piece::new(color, partner.kind) {
                return Err(missing(partner.kind, partner.file));
            }
            Ok(())
        })?;
        pos.extra_mut().set_castling(rights);
        Ok(())
    }

    /// The letters of the castling field with their bits.
    fn letters(&self) -> Vec<(char, u8)> {
        let letters = self.partners.iter().map(|partner| partner.letter);
        let both = letters.clone().chain(letters.map(|letter| letter.to_ascii_lowercase()));
        both.enumerate().map(|(i, letter)| (letter, 1 << i)).collect()
    }
}

/// [`Variant::apply`] for castling, moves of pawns, and moves of a single piece.
#[inline(always)]
pub fn apply<V: Variant>(pos: &mut Editor<V>, mv: Move) {
    if let Some(castlings) = V::castlings(pos.tables()) {
        castlings.update(pos, mv);
        if mv.tag() == Tag::Castle {
            return castlings.apply(pos, mv);
        }
    }
    pawns::apply(pos, mv);
}

/// [`Variant::revert`] of [`apply`].
#[inline(always)]
pub fn revert<V: Variant>(pos: &mut Editor<V>, mv: Move) {
    match V::castlings(pos.tables()) {
        Some(castlings) if mv.tag() == Tag::Castle => castlings.revert(pos, mv),
        _ => pawns::revert(pos, mv),
    }
}
