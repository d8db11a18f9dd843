//! The referee of one game: it applies the rules, keeps the clocks, and decides.

use super::adjudicate::{Adjudication, Adjudicator, Decision};
use super::book::Opening;
use super::limits::Clock;
use super::player::{EngineInfo, NewGame, Player, Turn};
use super::process::Failure;
use super::record::{End, GameResult, MoveRecord};
use super::settings::EngineSpec;
use quintain_core::board::Color;
use quintain_core::search::score::UciScore;
use quintain_engine::{MoveInfo, Session};
use std::time::Duration;

/// A side of a game.
pub struct Side<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// Its settings.
    pub spec: &'a EngineSpec,
    /// The name in results.
    pub name: &'a str,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The moves of the opening in SAN.
    pub book_san: Vec<String>,
    /// The moves of the engines.
    pub moves: Vec<MoveRecord>,
    /// The winner.
    pub winner: Option<Color>,
    /// How it ended.
    pub end: End,
    /// The reason in words.
    pub reason: String,
    /// The side whose engine failed, if one did: it cannot be used for another game.
    pub failed: Option<Color>,
}

/// Is told of each move that the engines make, with the position after it; first of the opening, without a move.
pub type OnMove<'a> = dyn Fn(&dyn Session, Option<(&MoveInfo, &MoveRecord)>) + 'a;

/// Plays a game from `opening` on a `session` of the right game; White's side first. `None` if the match is being
/// stopped. The opening must be legal.
pub fn play(
    mut session: Box<dyn Session>,
    opening: &Opening,
    rules: Adjudication,
    sides: &mut [Side; 2],
    on_move: &OnMove,
) -> anyhow::Result<Option<Played>> {
    session.set_position(opening.fen.as_deref(), &[])?;
    let mut book_san = Vec::new();
    for text in &opening.moves {
        book_san.push(session.play(text)?.san);
    }
    on_move(&*session, None);
    let mut referee = Referee {
        session,
        on_move,
        fen: opening.fen.as_deref(),
        texts: opening.moves.clone(),
        moves: Vec::new(),
        clocks: [0, 1].map(|side| sides[side].spec.time.clock.map(Clock::new)),
        watch: Adjudicator::new(rules),
    };
    let Some(verdict) = referee.run(sides) else { return Ok(None) };
    let result = GameResult::from(verdict.winner).as_str();
    for (color, side) in Color::BOTH.into_iter().zip(sides) {
        if verdict.failed != Some(color) {
            side.player.game_over(result, &verdict.reason);
        }
    }
    Ok(Some(Played {
        book_san,
        moves: referee.moves,
        winner: verdict.winner,
        end: verdict.end,
        reason: verdict.reason,
        failed: verdict.failed,
    }))
}

struct Verdict {
    winner: Option<Color>,
    end: End,
    reason: String,
    failed: Option<Color>,
}

struct Referee<'a> {
    session: Box<dyn Session>,
    on_move: &'a OnMove<'a>,
    fen: Option<&'a str>,
    /// All moves since `fen`.
    texts: Vec<String>,
    moves: Vec<MoveRecord>,
    clocks: [Option<Clock>; 2],
    watch: Adjudicator,
}

impl Referee<'_> {
    /// Plays to the end; `None` if the match is being stopped.
    fn run(&mut self, sides: &mut [Side; 2]) -> Option<Verdict> {
        for color in Color::BOTH {
            let opponent = sides[(!color).index()].name;
            let game = NewGame { session: &*self.session, fen: self.fen, side: color, opponent };
            if let Err(failure) = sides[color.index()].player.new_game(&game) {
                return failed(color, failure);
            }
        }
        loop {
            if let Some(outcome) = self.session.outcome() {
                let reason = outcome.to_string();
                return Some(Verdict { winner: outcome.winner, end: End::Normal, reason, failed: None });
            }
            match self.ply(&mut sides[self.session.side().index()]) {
                Ok(None) => {}
                Ok(Some(verdict)) => return Some(verdict),
                Err((color, failure)) => return failed(color, failure),
            }
        }
    }

    /// Plays a move; the verdict if it ends the game other than by the game's rules.
    fn ply(&mut self, side: &mut Side) -> Result<Option<Verdict>, (Color, Failure)> {
        let color = self.session.side();
        let (spec, clock) = (side.spec, &mut self.clocks[color.index()]);
        let for_move = spec.time.move_time.zip(spec.margin).map(|(time, margin)| time + margin);
        let for_game = clock.zip(spec.margin).map(|(clock, margin)| clock.allowance(margin));
        let allowance = match (for_move, for_game) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let turn = Turn {
            session: &*self.session,
            fen: self.fen,
            moves: &self.texts,
            clocks: self.clocks,
            allowance,
        };
        let answer = side.player.think(&turn).map_err(|failure| (color, failure))?;
        let lost = |end, reason: String, failed: bool| {
            Ok(Some(Verdict { winner: Some(!color), end, reason, failed: failed.then_some(color) }))
        };
        let in_time = match &mut self.clocks[color.index()] {
            Some(clock) => clock.spend(answer.time, spec.margin.unwrap_or(Duration::from_secs(1 << 32))),
            None => true,
        };
        if !in_time || allowance.is_some_and(|allowance| answer.time > allowance) {
            return lost(End::Time, format!("{color} loses on time"), false);
        }
        let Some(text) = answer.text else { return lost(End::Normal, format!("{color} resigns"), false) };
        let played = self.session.play(&text);
        // Some engines write promotions in upper case.
        let played = played.or_else(|error| self.session.play(&text.to_ascii_lowercase()).map_err(|_| error));
        let info = match played {
            Ok(info) => info,
            Err(error) => {
                return lost(End::IllegalMove, format!("{color} makes an illegal move: {error}"), true);
            }
        };
        let EngineInfo { score, depth, nodes } = answer.info;
        let record = MoveRecord {
            text: info.text.clone(),
            san: info.san.clone(),
            score,
            depth,
            nodes,
            micros: u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX),
        };
        (self.on_move)(&*self.session, Some((&info, &record)));
        self.texts.push(info.text);
        self.moves.push(record);
        let decision = self.watch.record(color, score.map(UciScore::value));
        // The rules of the game have precedence.
        let Some(decision) = decision.filter(|_| self.session.outcome().is_none()) else { return Ok(None) };
        let (winner, reason) = match decision {
            Decision::Draw => (None, "Draw by adjudication".to_owned()),
            Decision::TooLong => (None, "Draw by adjudication: the game is too long".to_owned()),
            Decision::Win(winner) => (Some(winner), format!("{winner} wins by adjudication")),
        };
        Ok(Some(Verdict { winner, end: End::Adjudication, reason, failed: None }))
    }
}

/// The game is lost for the engine that failed; `None` if the match was interrupted.
fn failed(color: Color, failure: Failure) -> Option<Verdict> {
    let (end, reason) = match failure {
        Failure::Crashed(how) => (End::Crash, format!("{color}'s engine crashes: {how}")),
        Failure::Stalled(what) => (End::Stall, format!("{color}'s engine stalls: {what}")),
        Failure::Breach(what) => (End::Breach, format!("{color}'s engine breaks the protocol: {what}")),
        Failure::Interrupted => return None,
    };
    Some(Verdict { winner: Some(!color), end, reason, failed: Some(color) })
}
