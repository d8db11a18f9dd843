//! A game as it is saved.

use crate::game::{End, Settings, analyst, level, time::utc};
use anyhow::{Result, ensure};
use quintain_core::board::Color;
use quintain_core::search::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The most time on a clock: more than any game gives.
const MOST_LEFT: Duration = Duration::from_secs(1_000_000);

/// A game as it is saved.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// Which game it is, and who plays it how.
    pub settings: Settings,
    /// The positions, parents first.
    pub nodes: Vec<SavedNode>,
    /// The last position of the game, by its place in the list.
    pub live: usize,
    /// How it ended, by the rules or otherwise.
    pub end: Option<End>,
    /// What is left on the clocks.
    pub left: Option<[Duration; 2]>,
    /// Does the engine wait, and with it the clocks?
    pub paused: bool,
    /// What the person calls the game; empty if it has no name.
    #[serde(default)]
    pub name: String,
    /// When it began: milliseconds since 1970; 0 if nobody knows.
    #[serde(default)]
    pub begun: u64,
    /// The tags of the PGN from which it was loaded.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
}

/// A position of a game as it is saved.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SavedNode {
    /// The position before, by its place in the list.
    pub parent: Option<usize>,
    /// The move that led to it, as coordinates.
    pub text: String,
    /// What people say of it.
    pub comment: String,
    /// Annotations by their numbers in PGN.
    #[serde(default)]
    pub nags: Vec<u8>,
    /// The only annotation, in games of version 0.3.
    #[serde(default, skip_serializing)]
    pub mark: String,
    /// What the engine thinks of it.
    pub score: Option<ScoreView>,
    /// How long the move took, in milliseconds.
    #[serde(default)]
    pub time: Option<u64>,
    /// Was a hint given here?
    #[serde(default)]
    pub hinted: bool,
}

/// A score.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ScoreView {
    /// In pawns or moves to mate, for White.
    pub text: String,
    /// The points that White may expect, from 0 to 1.
    pub points: f64,
}

impl ScoreView {
    /// A score for `side`, in a game in which a pawn is worth `pawn`.
    pub fn new(score: Score, pawn: Score, side: Color) -> ScoreView {
        let points = analyst::points(score);
        let points = if side == Color::White { points } else { 1.0 - points };
        ScoreView { text: analyst::shown(score, pawn, side), points }
    }
}

impl SavedGame {
    /// A game of these settings that has no moves yet.
    pub fn new(settings: Settings, begun: u64) -> SavedGame {
        SavedGame {
            settings,
            nodes: vec![SavedNode::default()],
            live: 0,
            end: None,
            left: None,
            paused: false,
            name: String::new(),
            begun,
            tags: Vec::new(),
        }
    }

    /// Reads a game as the library writes it, with checks of all values but the moves.
    pub fn read(text: &str) -> Result<SavedGame> {
        let saved: SavedGame = serde_json::from_str(text)?;
        saved.check()?;
        Ok(saved)
    }

    /// Refuses values that are out of bounds. Whether the moves are legal shows when they are played.
    pub fn check(&self) -> Result<()> {
        self.settings.check()?;
        ensure!(self.live < self.nodes.len(), "live: there is no position {}", self.live);
        for (at, node) in self.nodes.iter().enumerate() {
            let follows = node.parent.is_some_and(|parent| parent < at);
            ensure!(
                follows || at == 0 && node.parent.is_none(),
                "nodes: position {at} has no earlier position before it"
            );
            let points = node.score.as_ref().map_or(0.0, |score| score.points);
            ensure!((0.0..=1.0).contains(&points), "points: {points} is not from 0 to 1");
        }
        for left in self.left.iter().flatten() {
            ensure!(*left <= MOST_LEFT, "left: {} seconds are too many", left.as_secs());
        }
        if let Some(End { score, winner, .. }) = &self.end {
            let wanted = match winner.as_deref() {
                None => "1/2-1/2",
                Some(name) if name == Color::White.name() => "1-0",
                Some(name) if name == Color::Black.name() => "0-1",
                Some(name) => anyhow::bail!("winner: there is no side called {name:?}"),
            };
            ensure!(score == wanted, "score: {score:?} is not {wanted}");
        }
        Ok(())
    }

    /// White and Black, as a list names them.
    pub fn players(&self) -> [String; 2] {
        players(&self.settings, &self.tags)
    }

    /// When it was played, as in PGN.
    pub fn date(&self) -> String {
        match tag(&self.tags, "Date") {
            Some(date) => date.chars().take(10).collect(),
            None if self.begun == 0 => "????.??.??".into(),
            None => utc(self.begun / 1000).0,
        }
    }

    /// How it ended, as in PGN.
    pub fn result(&self) -> String {
        self.end.as_ref().map_or("*".into(), |end| end.score.clone())
    }

    /// The places of the positions from the first move to the last one.
    pub fn line(&self) -> Vec<usize> {
        let above = |&at: &usize| self.nodes[at].parent;
        let mut line: Vec<usize> = std::iter::successors(Some(self.live), above).collect();
        line.pop();
        line.reverse();
        line
    }

    /// Moves of one side up to the last position.
    pub fn plies(&self) -> usize {
        self.line().len()
    }

    /// Makes these moves the game. Positions that are known keep what is said of them, and others become variations.
    pub fn set_line<'a>(&mut self, moves: impl IntoIterator<Item = &'a str>) {
        self.live = 0;
        for text in moves {
            let known =
                self.nodes.iter().position(|node| node.parent == Some(self.live) && node.text == text);
            self.live = known.unwrap_or_else(|| {
                let parent = Some(self.live);
                self.nodes.push(SavedNode { parent, text: text.to_owned(), ..SavedNode::default() });
                self.nodes.len() - 1
            });
        }
    }
}

/// White and Black of a game with these settings and tags, as a list names them.
pub fn players(settings: &Settings, tags: &[(String, String)]) -> [String; 2] {
    Color::BOTH.map(|side| match tag(tags, &side.to_string()) {
        _ if settings.engine[side.index()] => level::player(settings.level),
        Some(name) => name.chars().take(60).collect(),
        None if settings.engine[(!side).index()] => "You".into(),
        None => side.to_string(),
    })
}

/// What a tag says, if it says something.
fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let known = tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty() && !value.starts_with('?'))
}
