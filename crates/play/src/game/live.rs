//! A game in progress between people and the engine.

use anyhow::{Result, ensure};
use quintain_core::board::Color;
use quintain_core::rules::Outcome;
use quintain_core::search::Score;
use quintain_engine::skill::FULL;
use quintain_engine::{self as engine, Engine, Session};
use serde::{Deserialize, Serialize};

/// The engine refuses a draw before so many plies: nobody can know yet whether it is one.
const TOO_EARLY: usize = 20;

/// The settings of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Which of our games it is.
    pub game: String,
    /// The first position, if it is not that of the game.
    #[serde(default)]
    pub fen: Option<String>,
    /// Does the engine play White, Black?
    pub engine: [bool; 2],
    /// How well the engine plays.
    pub level: u32,
    /// How long the engine may think about a move where there is no clock.
    pub seconds: f64,
    /// The clocks, if there are any.
    #[serde(default)]
    pub clock: Option<TimeControl>,
}

/// How much time a side has, and what a move adds.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// What both have at the start.
    pub minutes: f64,
    /// In seconds.
    pub increment: f64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct End {
    /// What happened, as people say it.
    pub text: String,
    /// The result as in PGN.
    pub score: String,
    /// Who won.
    #[cfg_attr(feature = "types", ts(type = "Side | null"))]
    pub winner: Option<String>,
}

impl Settings {
    /// A person against the engine at full strength.
    pub fn of(game: &str) -> Settings {
        let engine = [false, true];
        Settings { game: game.into(), fen: None, engine, level: FULL, seconds: 2.0, clock: None }
    }

    /// Refuses what is out of bounds.
    pub fn check(&self) -> Result<()> {
        engine::info(&self.game)?;
        let Settings { level, seconds, .. } = self;
        ensure!(*level <= FULL, "level: {level} is not from 0 to {FULL}");
        ensure!((0.01..=3600.0).contains(seconds), "seconds: {seconds} is not from 0.01 to 3600");
        if let Some(TimeControl { minutes, increment }) = self.clock {
            ensure!((0.05..=600.0).contains(&minutes), "minutes: {minutes} is not from 0.05 to 600");
            ensure!((0.0..=600.0).contains(&increment), "increment: {increment} is not from 0 to 600");
        }
        Ok(())
    }
}

impl End {
    /// An end by the rules.
    pub fn of(outcome: Outcome) -> End {
        let winner = outcome.winner.map(|winner| winner.name().to_owned());
        End { text: outcome.to_string(), score: outcome.score().into(), winner }
    }

    /// A win that does not follow from the position.
    pub fn won(winner: Color, text: String) -> End {
        let score = if winner == Color::White { "1-0" } else { "0-1" };
        End { text, score: score.into(), winner: Some(winner.name().into()) }
    }

    /// A draw that does not follow from the position.
    pub fn draw(text: String) -> End {
        End { text, score: "1/2-1/2".into(), winner: None }
    }

    /// A side gives up.
    pub fn resigned(loser: Color) -> End {
        End::won(!loser, format!("{loser} resigns"))
    }

    /// Both sides agree on a draw.
    pub fn agreed() -> End {
        End::draw("Draw by agreement".into())
    }

    /// Did this side win?
    pub fn is_won_by(&self, side: Color) -> bool {
        self.winner.as_deref() == Some(side.name())
    }
}

/// A game in progress between people and the engine, whose position the engine has.
pub struct LiveGame {
    /// The engine, at the last position.
    pub engine: Engine,
    /// Which game it is, and who plays it how.
    pub settings: Settings,
    /// An end that does not follow from the position: a resignation, an agreed draw, lack of time.
    pub end: Option<End>,
}

impl LiveGame {
    /// The last position.
    pub fn session(&self) -> &dyn Session {
        self.engine.game()
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.session().side()
    }

    /// Does the engine play the side to move?
    pub fn engine_is_to_move(&self) -> bool {
        self.settings.engine[self.side().index()]
    }

    /// The side of the person, if one plays against the engine.
    pub fn person(&self) -> Option<Color> {
        match self.settings.engine {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    /// How the game ended, by the rules or otherwise; nothing if it goes on.
    pub fn outcome(&self) -> Option<End> {
        self.end.clone().or_else(|| self.session().outcome().map(End::of))
    }
}

/// Is it too early for the engine to take a draw?
pub fn is_early_for_draw(plies: usize) -> bool {
    plies < TOO_EARLY
}

/// Does the engine take a draw in a position with this score, if the person who offers it is to move?
pub fn takes_draw(score: Score) -> bool {
    score >= 0
}
