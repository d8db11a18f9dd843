//! Judges positions and moves: the best lines, what a move gives away, and a game with its mistakes marked.

use super::reading;
use anyhow::Result;
use quintain_core::board::Color;
use quintain_core::notation::nag;
use quintain_core::notation::pgn::{self, Ply};
use quintain_core::search::score::{UciScore, moves_to_mate, win_draw_loss};
use quintain_core::search::{Info, Limits, MATE, Score};
use quintain_engine::Engine;
use std::fmt::Write;
use std::ops::ControlFlow;

/// The result of a search.
#[derive(Clone, Default, Debug)]
struct Assessment {
    /// For the side to move.
    score: Score,
    depth: u32,
    best: Option<String>,
    /// The best line in SAN.
    line: Vec<String>,
}

/// Analyses positions and moves.
pub struct Analyst {
    /// At the position.
    pub engine: Engine,
    /// How long to think about each position.
    pub limits: Limits,
}

impl Analyst {
    /// A position and its best lines.
    pub fn position(&mut self) -> String {
        let (info, side) = (self.engine.game().info(), self.engine.game().side());
        let mut text = format!("{}, {side} to move\n{}\n\n", info.title, self.engine.game().fen());
        if let Some(outcome) = self.engine.game().outcome() {
            return text + &format!("The game is over: {outcome}, {}\n", outcome.score());
        }
        let lines = self.engine.lines(&self.limits, |_| ());
        for line in &lines {
            let game = self.engine.game();
            let (score, moves) = (shown(line.score, info.pawn, side), game.san(&line.pv).join(" "));
            let _ = writeln!(text, "{score:>7}  depth {:<3} {moves}", line.depth);
        }
        if let Some(last) = lines.first() {
            let _ = writeln!(text, "\n{} nodes, {:.1} s", last.nodes, last.millis as f64 / 1000.0);
        }
        text
    }

    /// The analysis of the current position, which is exact if the game is over. A draw counts only at the end of the
    /// moves.
    fn assess(&mut self, last: bool) -> Assessment {
        let game = self.engine.game();
        let outcome = game.outcome();
        if let Some(outcome) = outcome.filter(|_| last || game.moves().is_empty()) {
            let score = if outcome.winner.is_some() { -MATE } else { 0 };
            return Assessment { score, ..Assessment::default() };
        }
        // Players who went on after a third occurrence did not take it for the end.
        let with_history = outcome.map(|_| game.copy());
        if with_history.is_some() {
            let fen = game.fen();
            let _ = self.engine.game_mut().set_position(Some(&fen), &[]);
        }
        let Info { score, depth, pv, .. } =
            self.engine.lines(&self.limits, |_| ()).into_iter().next().unwrap_or_default();
        if let Some(game) = with_history {
            self.engine.set_game(game);
        }
        let game = self.engine.game();
        Assessment { score, depth, best: game.coordinates(&pv).into_iter().next(), line: game.san(&pv) }
    }

    /// The game with scores and marks, and what of it was not understood.
    pub fn game(&mut self, game: pgn::Game) -> Result<(pgn::Game, Vec<String>)> {
        let reading = reading::interpret(self.engine.game_mut(), game)?;
        let start = self.engine.game().copy();
        self.engine.new_game();
        let judged = self.judge(&reading.moves(), |_| ControlFlow::Continue(()))?;
        let complaints = reading.complaints();
        let mut game = reading::ours(&*start, reading.game);
        judged.iter().zip(&mut game.moves).for_each(|(judged, ply)| annotate(ply, judged));
        pgn::add_comment(&mut game.comment, &summary(&judged));
        Ok((game, complaints))
    }

    /// Judges the moves from the position on. `told` gets each at once, and can stop the analysis.
    pub fn judge(
        &mut self,
        moves: &[String],
        mut told: impl FnMut(&Judged) -> ControlFlow<()>,
    ) -> Result<Vec<Judged>> {
        let (mut judged, pawn) = (Vec::new(), self.engine.game().info().pawn);
        let mut before = self.assess(moves.is_empty());
        for (index, text) in (1..).zip(moves) {
            let (side, number) = (self.engine.game().side(), reading::number(self.engine.game()));
            let played = self.engine.game_mut().play(text)?;
            let after = self.assess(index == moves.len());
            // The best move loses nothing, whatever the next search finds.
            let lost = match before.best.as_ref() == Some(&played.text) {
                true => 0.0,
                false => (points(before.score) - points(-after.score)).max(0.0),
            };
            let ply = Judged { side, number, san: played.san, before, after: after.clone(), lost, pawn };
            before = after;
            let flow = told(&ply);
            judged.push(ply);
            if flow.is_break() {
                break;
            }
        }
        Ok(judged)
    }
}

/// A judged move.
pub struct Judged {
    /// The side that moved.
    pub side: Color,
    /// Its number, as in `3.` or `3...`.
    pub number: String,
    san: String,
    before: Assessment,
    after: Assessment,
    /// The expected points that it lost.
    lost: f64,
    /// What a pawn is worth, as [`UciScore::of`] wants it.
    pub pawn: Score,
}

impl Judged {
    /// The scores before and after the move, as they are shown.
    fn shown(&self) -> [String; 2] {
        let shown = |score| shown(score, self.pawn, self.side);
        [shown(self.before.score), shown(-self.after.score)]
    }

    /// The move with its mark.
    fn marked(&self) -> String {
        self.san.clone() + self.mark()
    }

    /// The mark of a mistake, or nothing.
    pub fn mark(&self) -> &'static str {
        grade(self.lost).map_or("", |grade| MARKS[grade].1)
    }

    /// The score after the move, for the side that made it.
    pub fn score(&self) -> Score {
        -self.after.score
    }

    /// The best line before the move, as people write it.
    pub fn best_line(&self) -> &[String] {
        &self.before.line
    }

    /// What would have been better than a mistake, in a few words.
    pub fn better(&self) -> Option<String> {
        grade(self.lost)?;
        let best = self.before.line.first()?;
        Some(format!("Better is {best} ({}).", self.shown()[0]))
    }

    /// The move with a better one, if it was a mistake.
    pub fn mistake(&self) -> Option<String> {
        const SHOWN: usize = 6;
        grade(self.lost)?;
        let line: Vec<&str> = self.before.line.iter().take(SHOWN).map(String::as_str).collect();
        let [was, is] = self.shown();
        Some(format!("{} ({is}), better {} ({was})", self.marked(), line.join(" ")))
    }
}

/// The expected points lost by both sides.
pub fn summary(judged: &[Judged]) -> String {
    let mut sums = [Sum::default(); 2];
    judged.iter().for_each(|ply| sums[ply.side.index()].add(ply.lost));
    format!("White: {}. Black: {}.", sums[0], sums[1])
}

/// The expected points lost by a side.
#[derive(Clone, Copy, Default)]
struct Sum {
    moves: u32,
    lost: f64,
    marked: [u32; 3],
}

impl Sum {
    fn add(&mut self, lost: f64) {
        self.moves += 1;
        self.lost += lost;
        if let Some(grade) = grade(lost) {
            self.marked[grade] += 1;
        }
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [doubtful, mistakes, blunders] = self.marked;
        let lost = 100.0 * self.lost / f64::from(self.moves.max(1));
        write!(f, "{blunders} ??, {mistakes} ?, {doubtful} ?!, {lost:.1} of 100 points lost a move")
    }
}

/// The marks of moves by the expected points that they lose.
const MARKS: [(f64, &str); 3] = [(0.07, "?!"), (0.15, "?"), (0.30, "??")];

/// The mark's place in [`MARKS`].
fn grade(lost: f64) -> Option<usize> {
    MARKS.iter().rposition(|&(least, _)| lost >= least)
}

/// Adds the mark of a move, the score after it, and a better one.
fn annotate(ply: &mut Ply, judged: &Judged) {
    let (Judged { before, after, lost, .. }, [was, mut text]) = (judged, judged.shown());
    // The depth of a search for a mate says little.
    if after.depth > 0 && moves_to_mate(after.score).is_none() {
        let _ = write!(text, "/{}", after.depth);
    }
    if grade(*lost).is_some() && !before.line.is_empty() {
        let _ = write!(text, ", better {was}: {}", before.line.join(" "));
    }
    if let Some(comment) = ply.comment.take() {
        let _ = write!(text, "; {comment}");
    }
    ply.comment = Some(text);
    nag::set_grade(&mut ply.nags, judged.mark());
}

/// Expected points, from 0 to 1.
pub fn points(score: Score) -> f64 {
    let [win, draw, _] = win_draw_loss(score);
    f64::from(2 * win + draw) / 2000.0
}

/// A score for `side` as it is shown from White's side, in a game in which a pawn is worth `pawn`.
pub fn shown(score: Score, pawn: Score, side: Color) -> String {
    let sign = if side == Color::White { 1 } else { -1 };
    match UciScore::of(score, pawn) {
        // Checkmate: the side to move has lost.
        UciScore::Mate(0) => (if score * sign < 0 { "-M0" } else { "+M0" }).into(),
        UciScore::Mate(moves) => format!("{}M{}", if moves * sign > 0 { '+' } else { '-' }, moves.abs()),
        UciScore::Centipawns(score) => format!("{:+.2}", f64::from(score * sign) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::Options;

    fn analyst(variant: &'static str, multi_pv: usize) -> Analyst {
        let options = Options { variant, hash: 2, multi_pv, ..Options::default() };
        Analyst {
            engine: Engine::new(options).expect("an engine"),
            limits: Limits { nodes: Some(4000), ..Limits::default() },
        }
    }

    #[test]
    fn scores_are_shown_for_white() {
        let texts = [(70, Color::White), (70, Color::Black), (MATE - 5, Color::Black), (0, Color::White)];
        assert_eq!(texts.map(|(score, side)| shown(score, 200, side)), ["+0.35", "-0.35", "-M3", "+0.00"]);
        assert_eq!([Color::White, Color::Black].map(|side| shown(MATE, 100, side)), ["+M0", "-M0"]);
    }

    #[test]
    fn blunders_are_marked_and_mates_are_not() {
        let text = "[Variant \"chess\"]\n\n1. f3 e5 2. g4 {oh} Qh4# 0-1\n";
        let game = analyst("chess", 1).game(pgn::parse(text).unwrap().remove(0)).unwrap().0;
        let moves: Vec<&str> = game.moves.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!((moves[2], moves[3]), ("g4", "Qh4#"));
        assert_eq!((&game.moves[2].nags[..], &game.moves[3].nags[..]), (&[4][..], &[][..]));
        let comment = game.moves[2].comment.as_deref().unwrap();
        assert!(comment.starts_with("-M1, better ") && comment.ends_with("; oh"));
        assert_eq!(game.moves[3].comment.as_deref(), Some("-M0"));
        assert!(game.comment.unwrap().starts_with("White: 1 ??, 0 ?"));
    }

    #[test]
    fn draws_do_not_end_what_is_written_down() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 *";
        let game = analyst("chess", 1).game(pgn::parse(text).unwrap().remove(0)).unwrap().0;
        assert_eq!(game.moves.len(), 9);
        let after_mate = pgn::parse("1. f3 e5 2. g4 Qh4# 3. a3 *").unwrap().remove(0);
        let (game, complaints) = analyst("chess", 1).game(after_mate).unwrap();
        assert_eq!(
            (game.moves.len(), complaints),
            (4, vec!["move 3. a3: follows the end of the game".into()])
        );
    }

    #[test]
    fn faults_are_named() {
        let error = |text: &str| {
            let game = pgn::parse(text).unwrap().remove(0);
            analyst("canyon", 1)
                .game(game)
                .map_or_else(|error| format!("{error:#}"), |(_, wrong)| wrong.join(" "))
        };
        assert_eq!(error("[Variant \"chess\"]\n\n*"), "tag Variant: it is a game of 'chess', not canyon");
        assert!(error("[FEN \"8/8 w - -\"]\n\n*").starts_with("tag FEN: placement: "));
        assert!(error("1. Ab4 Zz9 *").starts_with("move 1... Zz9: "));
    }

    #[test]
    fn positions_are_shown_with_their_lines() {
        let mut diamond = analyst("diamond", 3);
        let text = diamond.position();
        assert!(text.starts_with("Diamond Chess, White to move\n****k****/"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains("  depth ")).count(), 3, "{text}");
        let mut mated = analyst("chess", 1);
        mated.engine.game_mut().set_position(Some("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), &[]).unwrap();
        assert!(mated.position().ends_with("The game is over: White mates, 1-0\n"));
    }
}
