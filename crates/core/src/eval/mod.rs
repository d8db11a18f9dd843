//! The static evaluation: the values of the pieces and a network, and what only rules know.
//!
//! The network ([`network`]) sees which piece stands on which square ([`features`]). The score is the material plus
//! its output. It is replaced or scaled down where no network is needed to know better: against a bare king, without
//! enough material to mate, and as the fifty-move count grows.

mod accumulator;
mod endgame;
pub mod features;
mod game;
mod given;
pub mod network;

pub use features::Inputs;
pub use game::{Evaluate, Score, gain, has_non_pawns};
pub use network::{Network, NetworkError};

use crate::board::Color;
use crate::rules::Position;
use accumulator::AccumulatorCache;
use endgame::{FULL_SCALE, against_bare_king, scale_factor};
use game::worth;
use std::marker::PhantomData;
use std::sync::Arc;

/// The largest evaluation, below all mate scores.
pub const LARGEST: Score = 29_000;

/// Evaluates positions of a game, each the faster the less it differs from the one before.
///
/// ```
/// use quintain::eval::{Evaluate, Evaluator};
/// use quintain::{notation::fen, variants::grand::Grand};
///
/// let mut evaluator = Evaluator::new(Grand::network());
/// let up_a_queen = "k9/10/10/10/10/10/10/10/PPPPP5/K5Q3 w - - 0 1";
/// assert!(evaluator.evaluate(&fen::parse::<Grand>(up_a_queen)?) > 300);
/// # Ok::<(), quintain::notation::fen::FenError>(())
/// ```
pub struct Evaluator<V: Evaluate> {
    network: Arc<Network>,
    accumulators: Box<AccumulatorCache>,
    game: PhantomData<V>,
}

impl<V: Evaluate> Evaluator<V> {
    /// One that uses this network.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn new(network: &Arc<Network>) -> Self {
        assert_eq!(network.game(), V::NETWORK_GAME, "a network of this game");
        let accumulators = Box::new(AccumulatorCache::new::<V>(network));
        Evaluator { network: Arc::clone(network), accumulators, game: PhantomData }
    }

    /// The value of a position for the side to move, at most [`LARGEST`].
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        let forward = Score::from(pos.side().forward());
        let [material, output] = self.accumulators.evaluate(pos, &self.network);
        finish(pos, material + forward * V::in_hand(pos) + output)
    }
}

/// The value of a position for the side to move by `network`. An [`Evaluator`] is faster for many positions.
pub fn evaluate<V: Evaluate>(pos: &Position<V>, network: &Arc<Network>) -> Score {
    Evaluator::new(network).evaluate(pos)
}

/// What an advantage is worth: the final score for the side to move, if material and network say `score`.
#[inline]
fn finish<V: Evaluate>(pos: &Position<V>, score: Score) -> Score {
    let strong = if score > 0 { pos.side() } else { !pos.side() };
    let sign = |color| if color == pos.side() { 1 } else { -1 };
    let score = match bare_king(pos) {
        Some(winner) => sign(winner) * against_bare_king(pos, winner, sign(winner) * score),
        None => {
            let score = score * scale_factor(pos, strong) / FULL_SCALE;
            // An advantage fades as the fifty-move count grows. Against a bare king that would hide progress.
            score - score * Score::from(pos.halfmove().min(100)) / 200
        }
    };
    score.clamp(-LARGEST, LARGEST)
}

/// The side whose opponent has only its king.
#[inline]
fn bare_king<V: Evaluate>(pos: &Position<V>) -> Option<Color> {
    Color::BOTH.into_iter().find(|&color| pos.is_bare_king(!color))
}

/// What a network is added to, when it is trained.
pub struct Basis {
    /// The material for the side to move.
    pub material: Score,
    /// The factor on material and network by the fifty-move count, 0 to 1.
    pub scale: f32,
}

/// What a network is added to in this position. `None` if other rules change the score.
pub fn basis<V: Evaluate>(pos: &Position<V>) -> Option<Basis> {
    if bare_king(pos).is_some()
        || Color::BOTH.into_iter().any(|strong| scale_factor(pos, strong) < FULL_SCALE)
    {
        return None;
    }
    let [white, black] = Color::BOTH.map(|color| worth(pos, pos.color(color)));
    let material = (white - black + V::in_hand(pos)) * Score::from(pos.side().forward());
    Some(Basis { material, scale: 1.0 - f32::from(pos.halfmove().min(100)) / 200.0 })
}
