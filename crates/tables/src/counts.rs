//! What there is to count in a table.

use super::layout::Layout;
use super::values::{ILLEGAL, Sides, distance_of, is_loss, is_win};
use quintain_core::board::Color;
use quintain_core::rules::Variant;

/// Counts of the positions with one side to move. Images of a position under a symmetry count as positions of their own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// Legal positions.
    pub positions: u64,
    /// Those won by the side to move.
    pub won: u64,
    /// Those drawn.
    pub drawn: u64,
    /// Those lost by the side to move.
    pub lost: u64,
    /// Those among them where it is mated already.
    pub mated: u64,
    /// Those that are better for the opponent than the same with the opponent to move: mutual zugzwangs, the same number
    /// for both sides.
    pub zugzwangs: u64,
    /// The plies of all positions that are won or lost, together.
    pub sum_plies: u64,
    /// The longest win of the side to move, in plies, and a number of a position with it.
    pub longest_win: Option<(u16, usize)>,
    /// The longest loss of the side to move, the same way.
    pub longest_loss: Option<(u16, usize)>,
}

/// By side to move, White first.
pub type Counts = [Count; 2];

/// What the side to move gets: 1, 0 or -1.
fn gain(value: u16, most: u16) -> i8 {
    if is_win(value) && distance_of(value) <= most {
        1
    } else if is_loss(value) && distance_of(value) <= most {
        -1
    } else {
        0
    }
}

/// The counts of the values without the limit of moves to mate a bare king.
pub(super) fn counts_of(layout: &Layout, plain: &Sides) -> Counts {
    count(layout, plain, u16::MAX)
}

/// The counts with that limit, if the game has one. Where there are no values of their own with the limit, they follow from
/// the others: from a count of 0, a bare king must be mated within twice as many plies.
pub(super) fn limited_counts_of<V: Variant>(
    layout: &Layout,
    plain: &Sides,
    limited: Option<&Sides>,
) -> Option<Counts> {
    let moves = V::BARE_KING_MOVES?;
    Some(match limited {
        Some(values) => count(layout, values, u16::MAX),
        None => count(layout, plain, 2 * u16::from(moves)),
    })
}

/// Counts the values. Those of more plies than `most` count as draws.
fn count(layout: &Layout, values: &Sides, most: u16) -> Counts {
    Color::BOTH.map(|side| {
        let mut count = Count::default();
        for (number, &value) in values[side.index()].iter().enumerate() {
            if value == ILLEGAL {
                continue;
            }
            let weight = layout.weight(number);
            count.positions += weight;
            let other = values[(!side).index()][number];
            if other != ILLEGAL && gain(value, most) < -gain(other, most) {
                count.zugzwangs += weight;
            }
            if gain(value, most) == 0 {
                count.drawn += weight;
                continue;
            }
            let wins = is_win(value);
            let plies = distance_of(value);
            count.sum_plies += weight * u64::from(plies);
            let longest = if wins { &mut count.longest_win } else { &mut count.longest_loss };
            if longest.is_none_or(|known| known.0 < plies) {
                *longest = Some((plies, number));
            }
            if wins {
                count.won += weight;
            } else {
                count.lost += weight;
                count.mated += if plies == 0 { weight } else { 0 };
            }
        }
        count
    })
}
