//! What the GUI is told. vampirc-uci writes what its types hold. Lines of play go past h8, there may be no best move,
//! and one format string says the rest more plainly than a list of attributes: those are written here.

use crate::engine::options::{Descriptor, Kind};
use crate::engine::{Answer, GameInfo, Report};
use crate::search::score::moves_to_mate;
use vampirc_uci::{UciMessage, UciOptionConfig};

/// The answer to `uci`.
pub fn greeting(options: &[Descriptor]) -> Vec<UciMessage> {
    let mut messages = vec![
        UciMessage::id_name(concat!("Quintain ", env!("CARGO_PKG_VERSION"))),
        UciMessage::id_author("the Quintain authors"),
    ];
    messages.extend(options.iter().map(|descriptor| UciMessage::Option(option(descriptor))));
    messages.push(UciMessage::UciOk);
    messages
}

fn option(descriptor: &Descriptor) -> UciOptionConfig {
    let name = descriptor.name.to_owned();
    match descriptor.kind {
        Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
        Kind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
        }
        Kind::Combo { default, choices } => UciOptionConfig::Combo {
            name,
            default: Some(default.into()),
            var: choices.iter().map(|&choice| choice.into()).collect(),
        },
        Kind::Button => UciOptionConfig::Button { name },
    }
}

/// What GUIs want to know about a game that they may not know, in the words of Fairy-Stockfish.
pub fn variant(game: &GameInfo) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket {} template {} startpos {}",
        game.name, game.files, game.ranks, game.xboard.holdings, game.xboard.parent, game.start
    )
}

/// A line of play.
pub fn info(report: &Report, with_wdl: bool) -> String {
    let mut line = format!("info depth {}", report.depth);
    if report.depth > 0 {
        line += &format!(" seldepth {} multipv {}", report.selective_depth, report.multi_pv);
    }
    match moves_to_mate(report.score) {
        Some(moves) => line += &format!(" score mate {moves}"),
        None => line += &format!(" score cp {}", report.score),
    }
    if report.lower_bound {
        line += " lowerbound";
    }
    if report.upper_bound {
        line += " upperbound";
    }
    // Not behind the line of play, where it would be taken for moves.
    if with_wdl {
        let [win, draw, loss] = report.wdl;
        line += &format!(" wdl {win} {draw} {loss}");
    }
    if report.depth > 0 {
        let nps = u128::from(report.nodes) * 1000 / u128::from(report.millis.max(1));
        line += &format!(
            " nodes {} nps {nps} hashfull {} time {} pv {}",
            report.nodes,
            report.hash_full,
            report.millis,
            report.pv.join(" ")
        );
    }
    line
}

/// The end of a search.
pub fn best_move(answer: &Answer) -> String {
    match (&answer.best, &answer.ponder) {
        (None, _) => "bestmove (none)".into(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

/// Something that could not be done.
pub fn error(what: impl std::fmt::Display) -> String {
    format!("info string error: {what}")
}

/// The answer to `help`.
pub const HELP: &str = "\
uci | isready | ucinewgame | stop | ponderhit | quit    as UCI has them
setoption name NAME [value VALUE]                       options are listed by uci
position startpos|fen FEN [moves MOVE...]               sets up a position
go [LIMIT...]                                           depth N, nodes N, movetime MS, wtime MS, btime MS, winc MS,
                                                        binc MS, movestogo N, mate N, searchmoves MOVE..., ponder,
                                                        infinite
go perft N                                              counts the paths of N legal moves
d | eval | moves | flip                                 board, static evaluation, legal moves, sides exchanged
bench [DEPTH]                                           the same search every time";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, NAMES, options::TABLE};
    use crate::search::MATE;

    #[test]
    fn the_greeting_holds_every_option() {
        let lines: Vec<String> = greeting(TABLE).iter().map(UciMessage::to_string).collect();
        assert!(lines[0].starts_with("id name Quintain 0."), "{}", lines[0]);
        assert_eq!(lines[1], "id author the Quintain authors");
        let names = NAMES.join(" var ");
        assert_eq!(lines[2], format!("option name UCI_Variant type combo default chess var {names}"));
        for line in [
            "option name Hash type spin default 64 min 1 max 65536",
            "option name Threads type spin default 1 min 1 max 256",
            "option name Ponder type check default false",
            "option name Clear Hash type button",
        ] {
            assert!(lines.iter().any(|other| other == line), "{line}");
        }
        assert_eq!(lines.last().unwrap(), "uciok");
        assert_eq!(lines.len(), TABLE.len() + 3);
    }

    #[test]
    fn games_are_described_as_guis_expect() {
        let line = variant(&engine::info("gast14").unwrap());
        assert!(
            line.starts_with(
                "info string variant gast14 files 14 ranks 12 pocket 0 template courier startpos rng"
            ),
            "{line}"
        );
    }

    #[test]
    fn info_lines_go_past_h8_and_keep_moves_last() {
        let report = Report {
            multi_pv: 2,
            depth: 12,
            selective_depth: 300,
            score: -37,
            upper_bound: true,
            nodes: 5_000_000_000,
            millis: 2_000,
            hash_full: 17,
            wdl: [1, 990, 9],
            pv: vec!["n10m12".into(), "a7a8c".into(), "d1d3ne".into()],
            ..Report::default()
        };
        assert_eq!(
            info(&report, true),
            "info depth 12 seldepth 300 multipv 2 score cp -37 upperbound wdl 1 990 9 nodes 5000000000 \
             nps 2500000000 hashfull 17 time 2000 pv n10m12 a7a8c d1d3ne"
        );
        let mates = |score| info(&Report { depth: 1, score, ..Report::default() }, false);
        assert!(mates(MATE - 1).contains(" score mate 1 nodes 0 nps 0 "));
        assert!(mates(-MATE + 4).contains(" score mate -2 "));
    }

    #[test]
    fn the_end_of_the_game_has_no_line_and_no_move() {
        assert_eq!(info(&Report { score: -MATE, ..Report::default() }, false), "info depth 0 score mate 0");
        assert_eq!(info(&Report::default(), false), "info depth 0 score cp 0");
        assert_eq!(best_move(&Answer::default()), "bestmove (none)");
        let answer = Answer { best: Some("e2e4".into()), ..Answer::default() };
        assert_eq!(best_move(&answer), "bestmove e2e4");
        let answer = Answer { ponder: Some("j8j10".into()), ..answer };
        assert_eq!(best_move(&answer), "bestmove e2e4 ponder j8j10");
    }
}
