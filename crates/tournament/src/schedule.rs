//! The pairings, colours and openings of a match. Pure arithmetic: the same settings give the same games with the
//! same numbers on every machine, as resuming, sharding and merging need.

use anyhow::{Context, Result, ensure};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// The format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each engine plays each other.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// A part of a match: number `part` (from 1) of `parts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub parts: u64,
}

impl Shard {
    /// Reads `3/16`.
    pub fn parse(text: &str) -> Result<Shard> {
        let (part, parts) = text.split_once('/').with_context(|| format!("'{text}' is not like 3/16"))?;
        let number = |text: &str| text.parse::<u64>().with_context(|| format!("'{text}' is not a number"));
        let shard = Shard { part: number(part)?, parts: number(parts)? };
        ensure!((1..=shard.parts).contains(&shard.part), "'{text}': parts are numbered from 1 to {parts}");
        Ok(shard)
    }
}

/// The games to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Engines, at least two.
    pub engines: usize,
    /// The format.
    pub format: Format,
    /// The number of rounds.
    pub rounds: u64,
    /// Games of a meeting; even if openings are repeated.
    pub games: u64,
    /// Each opening is played twice in a row with colours exchanged.
    pub repeat: bool,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// The game's number in the whole match, from 1.
    pub game: u64,
    /// The round, from 1.
    pub round: u64,
    /// The number of the pair that the game belongs to, from 1; without repeated openings each game has its own.
    pub pair: u64,
    /// The engine with the white pieces, as an index into the list.
    pub white: usize,
    /// The engine with the black pieces.
    pub black: usize,
    /// The opening: counted from 0, it may exceed the number of openings.
    pub opening: u64,
}

impl Plan {
    fn meetings(&self) -> u64 {
        let engines = self.engines as u64;
        match self.format {
            Format::RoundRobin => engines * engines.saturating_sub(1) / 2,
            Format::Gauntlet => engines.saturating_sub(1),
        }
    }

    /// The engines of a meeting, counted from 0 within a round.
    fn meeting(&self, mut number: u64) -> (usize, usize) {
        if self.format == Format::Gauntlet {
            return (0, number as usize + 1);
        }
        let mut first = 0;
        while number >= (self.engines - 1 - first) as u64 {
            number -= (self.engines - 1 - first) as u64;
            first += 1;
        }
        (first, first + 1 + number as usize)
    }

    /// The number of games of the whole match.
    pub fn total(&self) -> u64 {
        self.rounds.saturating_mul(self.meetings()).saturating_mul(self.games)
    }

    /// The openings that the whole match needs.
    pub fn openings(&self) -> u64 {
        self.rounds.saturating_mul(if self.repeat { self.games.div_ceil(2) } else { self.games })
    }

    /// Game `game` of the whole match, from 1.
    pub fn task(&self, game: u64) -> Task {
        let index = game - 1;
        let (round, rest) = (index / (self.meetings() * self.games), index % (self.meetings() * self.games));
        let (meeting, turn) = (rest / self.games, rest % self.games);
        let (first, second) = self.meeting(meeting);
        // All meetings of a round have the same openings, to be fair.
        let (pair, opening, exchanged) = if self.repeat {
            let pairs = self.games.div_ceil(2);
            ((round * self.meetings() + meeting) * pairs + turn / 2, round * pairs + turn / 2, turn % 2 == 1)
        } else {
            (index, round * self.games + turn, (round * self.games + turn) % 2 == 1)
        };
        let (white, black) = if exchanged { (second, first) } else { (first, second) };
        Task { game, round: round + 1, pair: pair + 1, white, black, opening }
    }

    /// Does a game belong to a part, if there is one? The games of a pair are never separated.
    pub fn has(&self, shard: Option<Shard>, task: &Task) -> bool {
        shard.is_none_or(|shard| (task.pair - 1) % shard.parts == shard.part - 1)
    }

    /// All games, in order; only those of a part if there is one.
    pub fn tasks(self, shard: Option<Shard>) -> impl Iterator<Item = Task> + Clone {
        (1..=self.total()).map(move |game| self.task(game)).filter(move |task| self.has(shard, task))
    }

    /// How many games [`tasks`](Self::tasks) has, without a look at each.
    pub fn count(&self, shard: Option<Shard>) -> u64 {
        let Some(Shard { part, parts }) = shard else { return self.total() };
        let games_of_pair = if self.repeat { 2 } else { 1 };
        let pairs = self.total() / games_of_pair;
        pairs.saturating_sub(part - 1).div_ceil(parts) * games_of_pair
    }
}

/// The order in which openings are used: 0 to `count`, shuffled by `seed`, or in sequence without one.
pub fn order(count: usize, seed: Option<u64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(seed) = seed {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for at in (1..count).rev() {
            order.swap(at, below(&mut random, at as u64 + 1) as usize);
        }
    }
    order
}

/// A number from 0 to `bound` (exclusive, not 0), all equally likely.
pub fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    // Numbers from the incomplete last multiple would be too frequent.
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let number = random.next_u64();
        if number < fair {
            return number % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    const DUEL: Plan = Plan { engines: 2, format: Format::RoundRobin, rounds: 3, games: 2, repeat: true };

    #[test]
    fn a_duel_plays_each_opening_with_both_colours() {
        let games: Vec<_> = DUEL.tasks(None).map(|t| (t.game, t.pair, t.white, t.black, t.opening)).collect();
        assert_eq!(
            games,
            [
                (1, 1, 0, 1, 0),
                (2, 1, 1, 0, 0),
                (3, 2, 0, 1, 1),
                (4, 2, 1, 0, 1),
                (5, 3, 0, 1, 2),
                (6, 3, 1, 0, 2)
            ]
        );
        assert_eq!((DUEL.total(), DUEL.openings()), (6, 3));
    }

    #[test]
    fn without_repetition_colours_alternate_and_openings_are_new() {
        let plan = Plan { repeat: false, games: 1, rounds: 4, ..DUEL };
        let games: Vec<_> = plan.tasks(None).map(|task| (task.white, task.opening, task.pair)).collect();
        assert_eq!(games, [(0, 0, 1), (1, 1, 2), (0, 2, 3), (1, 3, 4)]);
    }

    #[test]
    fn everybody_meets_everybody_equally_often_with_both_colours() {
        for (engines, format, meetings) in
            [(4, Format::RoundRobin, 6), (5, Format::Gauntlet, 4), (2, Format::Gauntlet, 1)]
        {
            let plan = Plan { engines, format, rounds: 2, games: 4, repeat: true };
            let mut seen: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
            for task in plan.tasks(None) {
                assert!(task.white < engines && task.black < engines && task.white != task.black);
                seen.entry((task.white, task.black)).or_default().push(task.opening);
            }
            assert_eq!(seen.len(), 2 * meetings);
            assert!(seen.values().all(|openings| *openings == [0, 1, 2, 3]), "{seen:?}");
        }
    }

    #[test]
    fn parts_add_up_to_the_whole_and_keep_pairs_together() {
        let plan = Plan { engines: 3, rounds: 5, ..DUEL };
        let mut games = BTreeSet::new();
        let mut part_of_pair = BTreeMap::new();
        for part in 1..=4 {
            let shard = Some(Shard { part, parts: 4 });
            assert_eq!(plan.tasks(shard).count() as u64, plan.count(shard));
            for task in plan.tasks(shard) {
                assert!(games.insert(task.game));
                assert_eq!(*part_of_pair.entry(task.pair).or_insert(part), part);
            }
        }
        assert_eq!(games.into_iter().collect::<Vec<_>>(), (1..=plan.total()).collect::<Vec<_>>());
        // More parts than there are pairs.
        let parts = u64::MAX;
        assert!(plan.count(Some(Shard { part: 1, parts })) > 0);
        assert_eq!(plan.count(Some(Shard { part: parts, parts })), 0);
    }

    #[test]
    fn shards_are_read_and_wrong_ones_refused() {
        assert_eq!(Shard::parse("3/16").unwrap(), Shard { part: 3, parts: 16 });
        for (text, error) in [
            ("3", "'3' is not like 3/16"),
            ("a/4", "'a' is not a number"),
            ("0/4", "'0/4': parts are numbered from 1 to 4"),
            ("5/4", "'5/4': parts are numbered from 1 to 4"),
        ] {
            assert_eq!(Shard::parse(text).unwrap_err().to_string(), error);
        }
    }

    /// The numbers must not change: results of shards and of interrupted matches depend on them.
    #[test]
    fn the_order_of_openings_is_fixed_by_the_seed() {
        assert_eq!(order(5, None), [0, 1, 2, 3, 4]);
        assert_eq!(order(10, Some(1)), [2, 7, 6, 3, 4, 9, 0, 5, 8, 1]);
        assert_ne!(order(10, Some(1)), order(10, Some(2)));
        let mut sorted = order(100, Some(7));
        sorted.sort_unstable();
        assert_eq!(sorted, order(100, None));
    }
}
