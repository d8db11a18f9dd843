//! Sums of results. Pure arithmetic; the order of the games does not matter.

use super::record::{End, GameRecord};
use super::stats::Tally;
use quintain_core::board::Color;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The totals of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Its results.
    pub tally: Tally,
    /// Its results with the white pieces.
    pub white: Tally,
    /// Moves that it made.
    pub moves: u64,
    /// Microseconds that they took.
    pub micros: u64,
    /// The longest of them, in microseconds.
    pub longest: u64,
    /// Nodes, as far as reported.
    pub nodes: u64,
    /// Microseconds of the moves with reported nodes.
    pub counted_micros: u64,
    /// The sum of the reported depths.
    pub depths: u64,
    /// Moves with reported depth.
    pub depth_moves: u64,
    /// Games that it lost irregularly, by the way they ended.
    pub faults: BTreeMap<&'static str, u64>,
}

impl Totals {
    /// Seconds a move.
    pub fn seconds_a_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.micros as f64 / 1e6 / self.moves as f64)
    }

    /// Nodes a second.
    pub fn speed(&self) -> Option<f64> {
        (self.counted_micros > 0).then(|| self.nodes as f64 / (self.counted_micros as f64 / 1e6))
    }

    /// Average depth in plies.
    pub fn depth(&self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depths as f64 / self.depth_moves as f64)
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// The engines in order.
    pub totals: Vec<Totals>,
    /// Results of each meeting, from the side of the engine that is earlier in the list.
    pub meetings: BTreeMap<(usize, usize), Tally>,
    /// How games ended, by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Games that ended irregularly.
    pub irregular: u64,
    /// Games with the same moves as one before.
    pub repeated: u64,
    /// Hashes of the moves of all games.
    lines: HashSet<u64>,
    paired: bool,
    /// Pairs of which one game is known, with the half points of the first engine.
    open: HashMap<u64, u8>,
}

impl Standings {
    /// No games yet. `paired`: two games each belong together.
    pub fn new(engines: usize, paired: bool) -> Standings {
        Standings {
            totals: vec![Totals::default(); engines],
            meetings: BTreeMap::new(),
            reasons: BTreeMap::new(),
            irregular: 0,
            repeated: 0,
            lines: HashSet::new(),
            paired,
            open: HashMap::new(),
        }
    }

    /// Adds a game. Its engines must be in the list.
    pub fn add(&mut self, game: &GameRecord) {
        let (first, second) = (game.white.min(game.black), game.white.max(game.black));
        let white = game.white_half_points();
        let of_first = if game.white == first { white } else { 2 - white };
        self.meetings.entry((first, second)).or_default().add_game(of_first);
        self.totals[first].tally.add_game(of_first);
        self.totals[second].tally.add_game(2 - of_first);
        self.totals[game.white].white.add_game(white);
        if self.paired {
            match self.open.remove(&game.pair) {
                None => drop(self.open.insert(game.pair, of_first)),
                Some(other) => {
                    self.meetings.entry((first, second)).or_default().add_pair(other + of_first);
                    self.totals[first].tally.add_pair(other + of_first);
                    self.totals[second].tally.add_pair(4 - other - of_first);
                }
            }
        }
        for (index, played) in game.moves.iter().enumerate() {
            let engine = if game.mover(index) == Color::White { game.white } else { game.black };
            let totals = &mut self.totals[engine];
            totals.moves += 1;
            totals.micros = totals.micros.saturating_add(played.micros);
            totals.longest = totals.longest.max(played.micros);
            if let Some(nodes) = played.nodes {
                totals.nodes = totals.nodes.saturating_add(nodes);
                totals.counted_micros = totals.counted_micros.saturating_add(played.micros);
            }
            if let Some(depth) = played.depth {
                totals.depths += u64::from(depth);
                totals.depth_moves += 1;
            }
        }
        let mut line = DefaultHasher::new();
        (&game.fen, &game.book).hash(&mut line);
        game.moves.iter().for_each(|played| played.text.hash(&mut line));
        self.repeated += u64::from(!self.lines.insert(line.finish()));
        *self.reasons.entry(reason(game)).or_default() += 1;
        if !game.end.is_regular() {
            self.irregular += 1;
            let loser = if white == 0 { game.white } else { game.black };
            *self.totals[loser].faults.entry(game.end.termination()).or_default() += 1;
        }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.meetings.values().map(Tally::games).sum()
    }

    /// The results of the first engine against the second.
    pub fn duel(&self) -> Tally {
        self.meetings.get(&(0, 1)).copied().unwrap_or_default()
    }

    /// The results of one engine against another.
    pub fn meeting(&self, engine: usize, opponent: usize) -> Option<Tally> {
        match engine < opponent {
            true => self.meetings.get(&(engine, opponent)).copied(),
            false => self.meetings.get(&(opponent, engine)).map(Tally::reversed),
        }
    }

    /// The engines, the one with the largest share of its points first.
    pub fn ranking(&self) -> Vec<usize> {
        let share = |engine: &usize| self.totals[*engine].tally.share();
        let mut ranking: Vec<usize> = (0..self.totals.len()).collect();
        ranking.sort_by(|a, b| share(b).total_cmp(&share(a)));
        ranking
    }
}

/// The reason of a game's end, without details of this game.
fn reason(game: &GameRecord) -> String {
    match game.end {
        End::Normal | End::Adjudication => game.reason.clone(),
        end => end.termination().to_owned(),
    }
}
