//! What a position is worth, before any search.
//!
//! Each game gives weights; the terms are shared: material, placement, pawn advance, mobility, and attacks on the
//! squares around the king, each weighed between the middlegame and the endgame by what is left on the board.

use crate::board::{Board, Color, Kind, Move, Square, SquareSet};
use crate::rules::{Position, Set, Variant};

/// A score in centipawns; positive is good for whom it is asked.
pub type Score = i32;

/// A game that can be evaluated.
pub trait Evaluate: Variant {
    /// The weights of its terms.
    const WEIGHTS: &'static Weights;

    /// How far a pawn on `square` is on its road to promotion: 0 at its start, up to 6 just before it promotes.
    fn advance(_pos: &Position<Self>, _color: Color, _square: Square) -> usize {
        0
    }

    /// Among moves that differ only in what the man becomes, which to try first: higher is earlier.
    fn preference(_pos: &Position<Self>, _mv: Move) -> Score {
        0
    }

    /// Anything that only this game knows, from White's side, middlegame and endgame.
    fn special(_pos: &Position<Self>) -> (Score, Score) {
        (0, 0)
    }
}

/// A weight in the middlegame and in the endgame, in centipawns.
pub type Pair = (i16, i16);

/// The weights of one kind of man.
#[derive(Clone, Copy, Debug)]
pub struct KindWeights {
    /// What it is worth.
    pub value: Pair,
    /// For each square that it attacks and no friend of it occupies, beyond `usual`.
    pub mobility: Pair,
    /// The number of such squares at which mobility counts nothing.
    pub usual: i16,
    /// For each step closer to the centre.
    pub centre: Pair,
    /// For each attacked square next to the enemy king.
    pub siege: i16,
    /// Does it make the position a middlegame? Pawns and kings do not.
    pub counts: bool,
}

impl KindWeights {
    /// A man other than pawn and king.
    pub const fn man(value: Pair, mobility: Pair, usual: i16, centre: Pair, siege: i16) -> Self {
        KindWeights { value, mobility, usual, centre, siege, counts: true }
    }

    /// A pawn.
    pub const fn pawn(value: Pair, centre: Pair) -> Self {
        KindWeights { value, mobility: (0, 0), usual: 0, centre, siege: 2, counts: false }
    }

    /// The royal man: worth nothing in exchanges, at home in the middlegame, in the centre in the endgame.
    pub const fn royal(centre: Pair) -> Self {
        KindWeights { value: (0, 0), mobility: (0, 0), usual: 0, centre, siege: 0, counts: false }
    }
}

/// The weights of a game.
#[derive(Debug)]
pub struct Weights {
    /// By kind; kinds without an entry use the last.
    pub kinds: &'static [KindWeights],
    /// Added for a pawn by how far it has come.
    pub advance: [Pair; 7],
    /// For having the move.
    pub tempo: i16,
    /// For each friend next to the king, in the middlegame.
    pub shelter: i16,
    /// Officers that cannot force mate alone with their king against a lone king.
    pub helpless: &'static [Kind],
    /// Non-pawn material of both sides at the start, in centipawns: all of it is a middlegame, none an endgame.
    pub opening_material: i32,
}

impl Weights {
    /// The weights of a kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> &KindWeights {
        &self.kinds[kind.index().min(self.kinds.len() - 1)]
    }

    /// The value of a kind in exchanges; the royal man counts nothing.
    #[inline]
    pub fn value(&self, kind: Kind) -> Score {
        self.kind(kind).value.0.into()
    }
}

/// What a move wins at once: the men that it takes, less friends that it runs over, and what a promotion adds.
#[inline]
pub fn gain<V: Evaluate>(pos: &Position<V>, mv: Move) -> Score {
    let mut gain = V::WEIGHTS.value(mv.becomes()) - V::WEIGHTS.value(mv.kind());
    for square in V::taken(pos, mv).squares() {
        let piece = pos.piece(square);
        let value = V::WEIGHTS.value(piece.kind());
        gain += if piece.color() == pos.side() { -value } else { value };
    }
    gain
}

/// Has this colour anything beside king and pawns, so that it will hardly be in zugzwang?
#[inline]
pub fn has_officers<V: Evaluate>(pos: &Position<V>, color: Color) -> bool {
    let others = V::WEIGHTS.kinds.iter().enumerate().filter(|(_, w)| !w.counts);
    let humble = others.fold(Set::<V>::EMPTY, |set, (i, _)| set | pos.kind(Kind::new(i)));
    pos.color(color).minus(humble).any()
}

/// The squares from a square to the centre of the board, along its longer way.
#[inline]
fn off_centre<V: Variant>(pos: &Position<V>, square: Square) -> Score {
    let (file, rank) = (pos.geometry().file(square), pos.geometry().rank(square));
    let half = |at: u8, size: u8| (i32::from(2 * at) - i32::from(size - 1)).abs() / 2;
    half(file, V::Board::FILES).max(half(rank, V::Board::RANKS))
}

/// The value of a position for the side to move.
pub fn evaluate<V: Evaluate>(pos: &Position<V>) -> Score {
    let weights = V::WEIGHTS;
    let occupied = pos.occupied();
    let (mut middle, mut end, mut material) = (0, 0, 0);
    for color in Color::BOTH {
        let own = pos.color(color);
        let enemy_king = pos.king(!color);
        let zone = V::attacks(pos, !color, V::ROYAL, enemy_king, occupied) | Set::<V>::single(enemy_king);
        let sign = Score::from(color.forward());
        let (mut m, mut e, mut siege, mut besiegers) = (0, 0, 0, 0);
        for square in own.squares() {
            let kind = pos.piece(square).kind();
            let w = weights.kind(kind);
            let attacks = V::attacks(pos, color, kind, square, occupied);
            let free = Score::try_from(attacks.minus(own).count()).unwrap_or(0) - Score::from(w.usual);
            let off = off_centre(pos, square);
            m += Score::from(w.value.0) + Score::from(w.mobility.0) * free - Score::from(w.centre.0) * off;
            e += Score::from(w.value.1) + Score::from(w.mobility.1) * free - Score::from(w.centre.1) * off;
            if kind == V::ROYAL {
                m += Score::from(weights.shelter) * (attacks & own).count().min(4) as Score;
                continue;
            }
            let step = V::advance(pos, color, square);
            let (am, ae) = weights.advance[step];
            (m, e) = (m + Score::from(am), e + Score::from(ae));
            material += if w.counts { Score::from(w.value.0) } else { 0 };
            let near = (attacks & zone).count() as Score;
            if near > 0 {
                siege += near * Score::from(w.siege);
                besiegers += 1;
            }
        }
        // One attacker alone is no siege.
        m += siege * besiegers.min(5) / 4;
        (middle, end) = (middle + sign * m, end + sign * e);
    }
    let (m, e) = V::special(pos);
    (middle, end) = (middle + m, end + e);
    let phase = material.min(weights.opening_material);
    let score = (middle * phase + end * (weights.opening_material - phase)) / weights.opening_material;
    let score = match Color::BOTH.into_iter().find(|&color| pos.color(!color).count() == 1) {
        Some(winner) => against_lone_king(pos, winner, score),
        None => score,
    };
    Score::from(pos.side().forward()) * score + Score::from(weights.tempo)
}

/// The score, from White's side, when `winner` plays against a lone king: drive it to the edge and come near, unless
/// what is left cannot mate.
fn against_lone_king<V: Evaluate>(pos: &Position<V>, winner: Color, score: Score) -> Score {
    let (king, victim) = (pos.king(winner), pos.king(!winner));
    let officers = pos.color(winner) ^ Set::<V>::single(king);
    if officers.is_empty() {
        return 0;
    }
    if !officers.many() && V::WEIGHTS.helpless.contains(&pos.piece(officers.first()).kind()) {
        return score / 16;
    }
    let geometry = pos.geometry();
    let apart = |a: u8, b: u8| Score::from(a.abs_diff(b));
    let distance = apart(geometry.file(king), geometry.file(victim))
        .max(apart(geometry.rank(king), geometry.rank(victim)));
    score + Score::from(winner.forward()) * (200 + 20 * off_centre(pos, victim) - 10 * distance)
}
