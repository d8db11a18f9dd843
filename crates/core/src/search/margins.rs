//! The numbers of the search that only games can set: margins, reductions, and how fast statistics learn.
//!
//! They are set for all games together, by simultaneous perturbation (`quintain tune search`); each has a range within
//! which that looks for a better value. Units are those of the evaluation.

macro_rules! margins {
    ($($(#[doc = $doc:literal])+ $name:ident: $low:literal ..= $high:literal, $value:literal;)+) => {
        /// One value for each of them.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Margins {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Default for Margins {
            fn default() -> Self {
                Margins { $($name: $value,)+ }
            }
        }

        impl Margins {
            /// The names, and the ranges that are searched, in the order of [`Margins::values`].
            pub const ALL: &'static [(&'static str, std::ops::RangeInclusive<i32>)] =
                &[$((stringify!($name), $low..=$high),)+];

            /// The values.
            pub fn values(&self) -> [i32; Margins::ALL.len()] {
                [$(self.$name,)+]
            }

            /// Margins with these values.
            pub fn from_values([$($name,)+]: [i32; Margins::ALL.len()]) -> Margins {
                Margins { $($name,)+ }
            }
        }
    };
}

margins! {
    /// Reverse futility pruning: how far the evaluation is above beta, for each ply left.
    reverse_futility: 60..=200, 114;
    /// Null move: units above beta for which it is reduced by a ply more.
    null_eval: 60..=240, 115;
    /// Null move: the evaluation must be above beta plus this ...
    null_margin: 0..=300, 120;
    /// ... less this for each ply left.
    null_depth: 5..=40, 20;
    /// ProbCut: units above beta.
    probcut: 50..=250, 105;
    /// ProbCut: less where the evaluation improves.
    probcut_improving: 0..=80, 20;
    /// Late move pruning: quiet moves tried at depth 0.
    late_moves: 3..=14, 7;
    /// Late move pruning: more of them for the square of the depth, in 1/128.
    late_moves_depth: 60..=240, 128;
    /// Futility pruning: units below alpha ...
    futility: 20..=160, 70;
    /// ... and for each ply left.
    futility_depth: 30..=130, 65;
    /// SEE pruning of quiet moves, in half units for the square of the depth left.
    see_quiet: 15..=70, 33;
    /// SEE pruning of captures, in units for each ply.
    see_noisy: 40..=160, 80;
    /// Singular extension: units below the score of the table, for each ply, in quarters.
    singular: 3..=14, 7;
    /// Double extension: units below that.
    singular_double: 5..=60, 20;
    /// Quiescence: what a capture gains beyond its exchange.
    quiescence: 100..=350, 220;
    /// Late move reduction of the first moves, in 1/1024 of a ply,
    reduction: 200..=1200, 646;
    /// and more by the product of the logarithms of depth and number of the move.
    reduction_slope: 250..=700, 445;
    /// Quiet moves are reduced a ply less for so much history, of which there is at most three times 8192.
    reduction_history: 4000..=16000, 8192;
    /// Bonus of a cutoff: for each ply,
    bonus_depth: 30..=250, 68;
    /// for its square,
    bonus_square: 4..=32, 16;
    /// and at most.
    bonus_most: 1200..=4800, 3200;
    /// Malus of the moves tried before, in 1/128 of the bonus.
    malus: 50..=200, 128;
    /// Bonus for a quiet move by what it gains in evaluation, for each unit.
    gain: 20..=110, 55;
    /// Aspiration window, in units on either side.
    window: 8..=40, 17;
    /// How much of the error of an evaluation is learnt for each ply, in 1/128 of it.
    correction: 6..=32, 16;
}

impl Margins {
    /// The bonus of a move that is good at this depth.
    #[inline]
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_square * depth * depth + self.bonus_depth * depth).min(self.bonus_most)
    }

    /// The bonus of a move that causes a cutoff at this depth, and the malus of those tried before.
    #[inline]
    pub fn changes(&self, depth: i32) -> [i32; 2] {
        let bonus = self.bonus(depth);
        [bonus, self.malus * bonus / 128]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_in_its_range_and_has_its_name() {
        let margins = Margins::default();
        for ((name, range), value) in Margins::ALL.iter().zip(margins.values()) {
            assert!(range.contains(&value), "{name} is {value}");
        }
        assert_eq!(Margins::from_values(margins.values()), margins);
    }
}
