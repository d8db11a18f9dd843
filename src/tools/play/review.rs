//! Analysis of a game: its mistakes, and better moves.

use super::TerminalGame;
use crate::engine::{Engine, Options};
use crate::search::Limits;
use crate::tools::text;
use anyhow::Result;
use quintain_play::game::analyst::{Analyst, summary};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The question after a game.
pub(super) const QUESTION: &str = "Analyse this game? (yes or no) ";

/// The thinking time for each move.
const TIME: Duration = Duration::from_millis(300);
/// The size of the table in MiB, enough for so little time.
const TABLE: usize = 16;

impl TerminalGame {
    /// Should the person be asked whether to analyse the game? Asked once after the end.
    pub(super) fn offers_analysis(&mut self) -> bool {
        let played = !self.game.played.is_empty() && self.game.live.settings.engine != [true, true];
        let offers = played && self.console.prompts && !self.asked && self.game.live.outcome().is_some();
        self.asked |= offers;
        offers
    }

    /// Handles the answer; false if the line is not one.
    pub(super) fn answers_offer(&mut self, line: &str) -> Result<bool> {
        match line.to_lowercase().as_str() {
            "y" | "yes" => self.analyse().map(|_| true),
            answer => Ok(["n", "no"].contains(&answer)),
        }
    }

    /// Shows the mistakes of the game so far.
    pub(super) fn analyse(&mut self) -> Result<ControlFlow<()>> {
        if self.game.line().next().is_none() {
            return self.complain("There are no moves yet.");
        }
        let options =
            Options { hash: TABLE, move_overhead: Duration::ZERO, ..self.game.live.engine.options().clone() };
        let mut analyst = Analyst {
            engine: Engine::new(options)?,
            limits: Limits { move_time: Some(TIME), ..Limits::default() },
        };
        analyst.engine.game_mut().set_position(Some(&self.game.start.fen()), &[])?;
        let moves: Vec<String> = self.game.line().map(|played| played.info.text.clone()).collect();
        let (status, width) = (self.console.status_line(), self.console.width());
        let mut done = 0;
        self.interruption.happened.store(false, Relaxed);
        self.interruption.thinking.store(true, Relaxed);
        let result = analyst.judge(&moves, |ply| {
            done += 1;
            if let Some(status) = &status {
                status.show("");
            }
            let line =
                ply.mistake().map(|mistake| text::paragraph(&format!("{:<7} ", ply.number), &mistake, width));
            // An error here occurs again, and is reported, when the result is written.
            let _ = self.console.say(&line.unwrap_or_default());
            if let Some(status) = &status {
                status.show(&format!("analysing: {done} of {} moves ", moves.len()));
            }
            match self.interruption.happened.load(Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.interruption.thinking.store(false, Relaxed);
        self.interruption.happened.store(false, Relaxed);
        if let Some(status) = &status {
            status.show("");
        }
        let judged = result?;
        if judged.len() < moves.len() {
            self.console.say(&format!("Stopped after {} of {} moves.\n", judged.len(), moves.len()))?;
        }
        self.console.say(&text::paragraph("", &summary(&judged), width))?;
        self.complain("?? is a blunder, ? a mistake, ?! doubtful; scores are in pawns, + is good for White.")
    }
}
