//! Lines for the GUI.

use quintain_core::search::score::{UciScore, win_draw_loss};
use quintain_core::search::{Bound, Info};
use quintain_engine::GameInfo;
use quintain_engine::options::{Descriptor, Kind, NO_FILE};

/// The answer to `uci`.
pub fn greeting(options: &[Descriptor]) -> Vec<String> {
    let mut lines = vec![
        concat!("id name Quintain ", env!("CARGO_PKG_VERSION")).into(),
        "id author the Quintain authors".into(),
    ];
    lines.extend(options.iter().map(option));
    lines.push("uciok".into());
    lines
}

fn option(descriptor: &Descriptor) -> String {
    let kind = match descriptor.kind {
        Kind::Check { default } => format!("check default {default}"),
        Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        Kind::Combo { default, choices } => format!("combo default {default} var {}", choices.join(" var ")),
        Kind::Button => "button".into(),
        Kind::File | Kind::Folder => format!("string default {NO_FILE}"),
    };
    format!("option name {} type {kind}", descriptor.name)
}

/// The description of a game, in the format of Fairy-Stockfish.
pub fn variant(game: &GameInfo) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket {} template {} startpos {}",
        game.name, game.files, game.ranks, game.holdings, game.template, game.start
    )
}

/// A line of play with its score as it is shown; `pv` are its moves as coordinates.
pub fn info(info: &Info, score: UciScore, pv: &[String], with_wdl: bool) -> String {
    let mut line = format!("info depth {}", info.depth);
    if info.depth > 0 {
        line += &format!(" seldepth {} multipv {}", info.selective_depth, info.multi_pv);
    }
    match score {
        UciScore::Mate(moves) => line += &format!(" score mate {moves}"),
        UciScore::Centipawns(score) => line += &format!(" score cp {score}"),
    }
    line += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    // Not after the moves, where it would be read as moves.
    if with_wdl {
        let [win, draw, loss] = win_draw_loss(info.score);
        line += &format!(" wdl {win} {draw} {loss}");
    }
    if info.depth > 0 {
        let nps = u128::from(info.nodes) * 1000 / u128::from(info.millis.max(1));
        line += &format!(
            " nodes {} nps {nps} hashfull {} tbhits {} time {} pv {}",
            info.nodes,
            info.hash_full,
            info.table_hits,
            info.millis,
            pv.join(" ")
        );
    }
    line
}

/// The end of a search; `pv` are the moves of the best line as coordinates.
pub fn best_move(pv: &[String]) -> String {
    match pv {
        [] => "bestmove (none)".into(),
        [best] => format!("bestmove {best}"),
        [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
    }
}

/// An error.
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
    use quintain_core::search::MATE;
    use quintain_engine::options::{TABLE, most_threads};
    use quintain_engine::{self as engine, NAMES};

    #[test]
    fn the_greeting_holds_every_option() {
        let lines = greeting(&*TABLE);
        assert!(lines[0].starts_with("id name Quintain 0."), "{}", lines[0]);
        assert_eq!(lines[1], "id author the Quintain authors");
        let names = NAMES.join(" var ");
        assert_eq!(lines[2], format!("option name UCI_Variant type combo default chess var {names}"));
        let threads = format!("option name Threads type spin default 1 min 1 max {}", most_threads());
        for line in [
            "option name Hash type spin default 64 min 1 max 65536",
            threads.as_str(),
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
        let found = Info {
            multi_pv: 2,
            depth: 12,
            selective_depth: 300,
            score: -37,
            bound: Bound::Upper,
            nodes: 5_000_000_000,
            millis: 2_000,
            table_hits: 12,
            hash_full: 17,
            pv: Vec::new(),
        };
        let [win, draw, loss] = win_draw_loss(-37);
        assert_eq!(
            info(&found, UciScore::Centipawns(-37), &["n10m12", "a7a8c", "d1d3ne"].map(String::from), true),
            format!(
                "info depth 12 seldepth 300 multipv 2 score cp -37 upperbound wdl {win} {draw} {loss} nodes \
                 5000000000 nps 2500000000 hashfull 17 tbhits 12 time 2000 pv n10m12 a7a8c d1d3ne"
            )
        );
        let mates =
            |score| info(&Info { depth: 1, score, ..Info::default() }, UciScore::of(score, 100), &[], false);
        assert!(mates(MATE - 1).contains(" score mate 1 nodes 0 nps 0 "));
        assert!(mates(-MATE + 4).contains(" score mate -2 "));
    }

    #[test]
    fn the_end_of_the_game_has_no_line_and_no_move() {
        let end = |score| info(&Info { score, ..Info::default() }, UciScore::of(score, 100), &[], false);
        assert_eq!(end(-MATE), "info depth 0 score mate 0");
        assert_eq!(end(0), "info depth 0 score cp 0");
        let line = ["e2e4", "j8j10", "a2a3"].map(String::from);
        assert_eq!(best_move(&[]), "bestmove (none)");
        assert_eq!(best_move(&line[..1]), "bestmove e2e4");
        assert_eq!(best_move(&line), "bestmove e2e4 ponder j8j10");
    }
}
