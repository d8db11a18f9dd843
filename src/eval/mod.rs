//! The static evaluation.
//!
//! Each game gives weights; the terms are shared: material, placement, mobility, threats, passed pawns, and
//! king safety, each interpolated between the middlegame and the endgame by the pieces left on
//! the board. Apart from that, the evaluation is a sum of weights, so that a tuner can fit them to results of games
//! ([`trace`]). A game may also have a network, which corrects that sum ([`net`]).

mod collect;
mod endgame;
mod game;
pub mod net;
mod pawns;
mod scores;
mod weights;

pub use game::{Evaluate, Score, gain, has_non_pawns};
pub use scores::{Phased, Scores};
pub use weights::{DANGER, General, KindWeights, Layout, MOBILITY, Pair, Weights, mobility_step};

use crate::board::{Board, Color, Kind, Square, SquareSet};
use crate::rules::{Position, Set, Variant};
use collect::collect;
use endgame::{Stage, WHOLE, against_lone_king};
use net::Layers;
use pawns::{PawnCache, Refuge, Roads, Structure, pawn_structure};
use scores::{Officer, REACH, wing};

/// The places of a square among the weights by rank, as its colour sees them, and by file.
fn place<V: Variant>(color: Color, square: Square) -> (usize, usize) {
    let geometry = V::Board::geometry();
    let rank = geometry.rank(square);
    let rank = if color == Color::White { rank } else { V::Board::RANKS - 1 - rank };
    (rank.into(), wing::<V>(geometry.file(square)))
}

/// Receives the terms of an evaluation. `color` is the side with the advantage.
trait Terms<V: Evaluate> {
    fn piece(&mut self, color: Color, kind: Kind, square: Square);
    /// `times` the single weight of a kind at place `part` of the [`Layout`].
    fn single(&mut self, color: Color, kind: Kind, part: usize, times: u32);
    /// A piece of a kind attacks so many squares.
    fn mobility(&mut self, color: Color, kind: Kind, squares: u32);
    /// `times` the general weight at place `at` of the [`Layout`].
    fn general(&mut self, color: Color, at: usize, times: u32);
    /// The terms of [`pawn_structure`], and what it returns.
    fn structure(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>) -> Roads<Set<V>>;
    /// The terms of a king's [`Refuge`].
    fn refuge(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>, color: Color);
}

/// Adds the weights up.
struct Sum<'a, V: Evaluate> {
    scores: &'static Scores<Set<V>>,
    total: Phased,
    /// The cached terms of this structure of pawns.
    cache: Option<&'a mut Structure<Set<V>>>,
}

impl<'a, V: Evaluate> Sum<'a, V> {
    #[inline(always)]
    fn new(cache: Option<&'a mut Structure<Set<V>>>) -> Self {
        Sum { scores: V::scores(), total: Phased::default(), cache }
    }
}

impl<V: Evaluate> Terms<V> for Sum<'_, V> {
    #[inline(always)]
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        let score = self.scores.pieces[color.index()][kind.index()][square];
        self.total += score * Score::from(color.forward());
    }
    #[inline(always)]
    fn single(&mut self, color: Color, kind: Kind, part: usize, times: u32) {
        let score = self.scores.single[kind.index()][part - Layout::SECOND];
        self.total += score * (Score::from(color.forward()) * times as Score);
    }
    #[inline(always)]
    fn mobility(&mut self, color: Color, kind: Kind, squares: u32) {
        let score = self.scores.mobility[kind.index()][(squares as usize).min(REACH - 1)];
        self.total += score * Score::from(color.forward());
    }
    #[inline(always)]
    fn general(&mut self, color: Color, at: usize, times: u32) {
        self.total += self.scores.general[at] * (Score::from(color.forward()) * times as Score);
    }
    #[inline(always)]
    fn structure(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>) -> Roads<Set<V>> {
        let Some(known) = &self.cache else {
            return pawn_structure(pos, scores, self);
        };
        self.total += known.score;
        known.roads
    }
    #[inline(always)]
    fn refuge(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>, color: Color) {
        let (king, castles) = (pos.king(color), V::castles_to(pos, color));
        if let Some(known) = &self.cache {
            let (at, to, worth) = known.refuges[color.index()];
            if (at, to) == (king, castles) {
                self.total += worth;
                return;
            }
        }
        let mut sum = Sum::<V>::new(None);
        Refuge::best(pos, scores, color).add(&mut sum, color);
        self.total += sum.total;
        if let Some(known) = &mut self.cache {
            known.refuges[color.index()] = (king, castles, sum.total);
        }
    }
}

/// Lists which weights count how often.
struct Trace {
    layout: Layout,
    counts: Vec<(u16, i8)>,
}

impl Trace {
    fn add(&mut self, color: Color, at: usize, times: i16) {
        self.counts.push((at as u16, (times * color.forward()) as i8));
    }
}

impl<V: Evaluate> Terms<V> for Trace {
    fn piece(&mut self, color: Color, kind: Kind, square: Square) {
        let base = V::WEIGHTS.entry(kind) * self.layout.stride;
        let (rank, file) = place::<V>(color, square);
        self.add(color, base, 1);
        self.add(color, base + Layout::RANKS + rank, 1);
        self.add(color, base + self.layout.files_at() + file, 1);
    }
    fn single(&mut self, color: Color, kind: Kind, part: usize, times: u32) {
        if times > 0 {
            self.add(color, V::WEIGHTS.entry(kind) * self.layout.stride + part, times as i16);
        }
    }
    fn mobility(&mut self, color: Color, kind: Kind, squares: u32) {
        let base = V::WEIGHTS.entry(kind) * self.layout.stride;
        self.add(color, base + self.layout.mobility_at() + mobility_step(squares), 1);
    }
    fn general(&mut self, color: Color, at: usize, times: u32) {
        if times > 0 {
            self.add(color, self.layout.general + at, times as i16);
        }
    }
    fn structure(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>) -> Roads<Set<V>> {
        pawn_structure(pos, scores, self)
    }
    fn refuge(&mut self, pos: &Position<V>, scores: &Scores<Set<V>>, color: Color) {
        Refuge::best(pos, scores, color).add::<V>(self, color);
    }
}

/// The value of a position for the side to move.
pub fn evaluate<V: Evaluate>(pos: &Position<V>) -> Score {
    evaluate_with(pos, None)
}

/// [`evaluate`], faster by what is cached of earlier positions.
pub fn evaluate_with<V: Evaluate>(pos: &Position<V>, cache: Option<&mut Cache<V>>) -> Score {
    let scores = V::scores();
    let mut fresh = None;
    let (pawns, layers) = match cache {
        // Structures of other pawns change too often to be worth a cache.
        Some(cache) => (Some(&mut cache.pawns).filter(|_| V::PASSING), &mut cache.layers),
        None => (None, &mut fresh),
    };
    let mut sum = Sum::new(pawns.map(|pawns| pawns.entry(pos)));
    let worth = collect(pos, scores, &mut sum);
    finish(pos, scores, worth, sum.total, |stage| match &scores.net {
        Some(net) => {
            let layers = layers.get_or_insert_with(|| Layers::new(net));
            Score::from(pos.side().forward()) * net.evaluate(pos, stage, layers)
        }
        None => 0,
    })
}

/// What a thread caches of the positions that it has evaluated.
pub struct Cache<V: Evaluate> {
    pawns: PawnCache<V>,
    layers: Option<Layers<Set<V>>>,
}

impl<V: Evaluate> Default for Cache<V> {
    fn default() -> Self {
        Cache { pawns: PawnCache::default(), layers: None }
    }
}

/// The final score for the side to move. By colour, non-pawns are worth `worth` centipawns. `correction` gives what
/// to add, from White's side, at a stage below [`net::STAGES`].
#[inline]
fn finish<V: Evaluate>(
    pos: &Position<V>,
    scores: &Scores<Set<V>>,
    worth: [Score; 2],
    total: Phased,
    correction: impl FnOnce(usize) -> Score,
) -> Score {
    let special @ (m, e) = V::special(pos);
    let (middle, end) = (total.middle() + m, total.end() + e);
    let (Stage { phase, winnable }, opening) = (Stage::new(pos, scores, worth, end), scores.opening);
    let end = end * winnable / WHOLE;
    let mut score = (middle * phase + end * (opening - phase)) / opening;
    if special == (0, 0) {
        score += correction(stage(phase, opening)) * winnable / WHOLE;
    }
    if let Some(winner) = Color::BOTH.into_iter().find(|&color| pos.is_lone(!color)) {
        score = against_lone_king(pos, winner, score);
    }
    // An advantage fades as the fifty-move count grows.
    score -= score * Score::from(pos.halfmove().min(100)) / 200;
    Score::from(pos.side().forward()) * score.clamp(-LARGEST, LARGEST)
}

/// The stage of a game for a network, from how much of the non-pawns' value at the start is left.
#[inline]
fn stage(phase: Score, opening: Score) -> usize {
    (phase * net::STAGES as Score / (opening + 1)) as usize
}

/// What a network has to correct.
pub struct Basis {
    /// The evaluation without a network, for the side to move.
    pub score: Score,
    /// The factor on what a network adds, 0 to 1.
    pub share: f32,
    /// The stage of the game, below [`net::STAGES`].
    pub stage: usize,
}

/// The evaluation without a network, and how one would change it. It does not change
/// it for lone kings and where the game has a special term.
pub fn basis<V: Evaluate>(pos: &Position<V>) -> Basis {
    let (scores, mut sum) = (V::scores(), Sum::new(None));
    let worth = collect(pos, scores, &mut sum);
    let Stage { phase, winnable } = Stage::new(pos, scores, worth, sum.total.end());
    let untouched = V::special(pos) != (0, 0) || Color::BOTH.into_iter().any(|color| pos.is_lone(color));
    let winnable = if untouched { 0.0 } else { winnable as f32 / WHOLE as f32 };
    Basis {
        score: finish(pos, scores, worth, sum.total, |_| 0),
        share: winnable * (1.0 - f32::from(pos.halfmove().min(100)) / 200.0),
        stage: stage(phase, scores.opening),
    }
}

/// A guess at [`evaluate`] from the pieces alone, much cheaper and rarely further off than [`LAZY_ERROR`].
pub fn lazy_evaluate<V: Evaluate>(pos: &Position<V>) -> Score {
    let scores = V::scores();
    let (mut total, mut worth) = (Phased::default(), [0; 2]);
    let count = |kind| Color::BOTH.map(|color| pos.pieces(color, kind).count() as Score);
    for &kind in V::PAWNS {
        let [white, black] = count(kind);
        total += Phased::new(V::WEIGHTS.kind(kind).value) * (white - black);
    }
    for &Officer { kind, value, weight, .. } in &scores.officers {
        let [white, black] = count(kind);
        total += weight * (white - black);
        worth[0] += value * white;
        worth[1] += value * black;
    }
    finish(pos, scores, worth, total, |_| 0)
}

/// What placement, mobility, threats and king safety amount to at most in nearly all positions, in centipawns.
pub const LAZY_ERROR: Score = 450;

/// The largest evaluation, below all mate scores.
pub const LARGEST: Score = 29_000;

/// Which weights count how often (White's less Black's) in a position, as places in [`Weights::flat`], and how much
/// of their middlegame's and endgame's sums goes into its score, each 0 to 1.
pub fn trace<V: Evaluate>(pos: &Position<V>) -> (Vec<(u16, i8)>, [f32; 2]) {
    let scores = V::scores();
    let mut trace = Trace { layout: V::WEIGHTS.layout(), counts: Vec::new() };
    collect(pos, scores, &mut trace);
    let mut sum = Sum::new(None);
    let worth = collect(pos, scores, &mut sum);
    let Stage { phase, winnable } = Stage::new(pos, scores, worth, sum.total.end());
    let middle = phase as f32 / scores.opening as f32;
    (trace.counts, [middle, (1.0 - middle) * winnable as f32 / WHOLE as f32])
}
