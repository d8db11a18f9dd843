//! Tables for people.

use super::settings::Settings;
use super::sprt::{Sprt, Verdict};
use super::standings::Standings;
use super::stats::{self, Estimate, Tally};
use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, Table};
use std::fmt::Write;

/// The report of a match.
pub fn summary(settings: &Settings, names: &[String], standings: &Standings) -> String {
    let mut text = match names {
        [first, second] => {
            let head = format!("{first} against {second} ({}, {})", settings.variant, times(settings));
            format!("{head}\n{}", duel(&standings.duel(), settings.sprt.as_ref()))
        }
        _ => format!("{} ({})\n{}", settings.variant, times(settings), crosstable(names, standings)),
    };
    text += &engines(names, standings);
    text += &ends(standings);
    text += &repeats(standings);
    text
}

/// The last lines of the conversation with an engine, indented.
pub fn quoted(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

/// The time controls, once if all are the same.
fn times(settings: &Settings) -> String {
    let mut times: Vec<String> = settings.engines.iter().map(|engine| engine.time.words()).collect();
    times.dedup();
    times.join(" against ")
}

/// A number with its sign.
fn signed(number: f64) -> String {
    match number {
        f64::INFINITY => "+inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        number => format!("{number:+.1}"),
    }
}

fn error(number: f64) -> String {
    if number.is_finite() { format!("{number:.1}") } else { "inf".into() }
}

/// Elo with its error.
pub fn elo(estimate: &Estimate) -> String {
    format!("{} ± {}", signed(estimate.elo), error(estimate.elo_error))
}

/// The results of two engines, from the side of the first.
pub fn duel(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let estimate = tally.estimate();
    let games = tally.games();
    let share = if games == 0 { 0.0 } else { 100.0 * tally.points() / games as f64 };
    let mut text = format!(
        "  Games  {games}: {} won, {} drawn, {} lost, {:.1} points ({share:.2} %)\n",
        tally.wins,
        tally.draws,
        tally.losses,
        tally.points()
    );
    let nelo = format!("{} ± {}", signed(estimate.nelo), error(estimate.nelo_error));
    let los = 100.0 * estimate.los;
    // Writing to a string does not fail.
    let _ = writeln!(text, "  Elo    {}   normalised {nelo}   LOS {los:.1} %", elo(&estimate));
    if tally.pairs_played() > 0 {
        let ratio = tally.pairs_ratio().map_or("-".into(), |ratio| format!("{ratio:.2}"));
        let _ = writeln!(
            text,
            "  Pairs  {} with 0, 1/2, 1, 3/2, 2 points: {:?}   even {:.1} %   won/lost {ratio}",
            tally.pairs_played(),
            tally.pairs,
            100.0 * tally.draw_ratio()
        );
    }
    if let Some(sprt) = sprt {
        let _ = writeln!(text, "  {}", llr(sprt, tally));
    }
    text
}

/// The state of a test.
pub fn llr(sprt: &Sprt, tally: &Tally) -> String {
    let (low, high) = sprt.bounds();
    let verdict = match sprt.verdict(tally) {
        Verdict::Open => "",
        Verdict::H0 => "   H0 is accepted",
        Verdict::H1 => "   H1 is accepted",
    };
    let model = match sprt.model {
        super::sprt::Model::Normalized => "normalised ",
        super::sprt::Model::Logistic => "",
    };
    format!(
        "SPRT   LLR {:.2} ({low:.2}, {high:.2}) for {model}Elo {} and {}{verdict}",
        sprt.llr(tally),
        sprt.elo0,
        sprt.elo1
    )
}

fn table(header: &[&str], text_columns: usize) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY).set_header(header);
    for index in text_columns..header.len() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn crosstable(names: &[String], standings: &Standings) -> String {
    let (header, rows) = crosstable_cells(names, standings);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = table(&header, 2);
    table.add_rows(rows);
    format!("{table}\n")
}

/// The head and the rows of the table of all engines, the best first.
pub fn crosstable_cells(names: &[String], standings: &Standings) -> (Vec<String>, Vec<Vec<String>>) {
    let ranking = standings.ranking();
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let header = ["", "engine", "Elo", "±", "games", "points", "%"].map(str::to_owned);
    let header = header.into_iter().chain(numbers.clone()).collect();
    let row = |(place, &engine): (usize, &usize)| {
        let tally = &standings.totals[engine].tally;
        // The points are those of all games, also of a pair that is not complete; only the error is that of the pairs.
        let share = tally.share();
        let mut row = vec![
            numbers[place].clone(),
            names[engine].clone(),
            signed(stats::elo(share)),
            error(tally.estimate().elo_error),
            tally.games().to_string(),
            format!("{:.1}", tally.points()),
            format!("{:.1}", 100.0 * share),
        ];
        row.extend(ranking.iter().map(|&opponent| match standings.meeting(engine, opponent) {
            Some(meeting) => format!("{:.1}/{}", meeting.points(), meeting.games()),
            None => "-".into(),
        }));
        row
    };
    let rows = ranking.iter().enumerate().map(row).collect();
    (header, rows)
}

fn engines(names: &[String], standings: &Standings) -> String {
    let mut table = table(&["engine", "white", "s/move", "longest", "nodes/s", "depth", "faults"], 1);
    for (name, totals) in names.iter().zip(&standings.totals) {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        let white = &totals.white;
        let faults: Vec<String> =
            totals.faults.iter().map(|(fault, times)| format!("{times} {fault}")).collect();
        table.add_row([
            name.clone(),
            or_dash(
                (white.games() > 0)
                    .then(|| format!("{:.1} %", 100.0 * white.points() / white.games() as f64)),
            ),
            or_dash(totals.seconds_a_move().map(|seconds| format!("{seconds:.4}"))),
            format!("{:.3}", totals.longest as f64 / 1e6),
            or_dash(totals.speed().map(|speed| format!("{speed:.0}"))),
            or_dash(totals.depth().map(|depth| format!("{depth:.1}"))),
            if faults.is_empty() { "0".into() } else { faults.join(", ") },
        ]);
    }
    format!("{table}\n")
}

fn ends(standings: &Standings) -> String {
    let mut ends: Vec<(&String, &u64)> = standings.reasons.iter().collect();
    ends.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let ends: Vec<String> = ends.iter().map(|(reason, times)| format!("{reason} {times}")).collect();
    if ends.is_empty() { String::new() } else { format!("  Ends   {}\n", ends.join(", ")) }
}

/// A word if many games were the same: engines that search to a depth or a number of nodes play as before, and the
/// intervals hold for different games only.
fn repeats(standings: &Standings) -> String {
    let (repeated, games) = (standings.repeated, standings.games());
    if 20 * repeated <= games {
        return String::new();
    }
    format!(
        "  Same   {repeated} of {games} games have the moves of one before; count only the others, or use more openings\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game counts in the table though the other one of its pair is missing.
    #[test]
    fn the_table_has_the_share_of_all_points() {
        let mut standings = Standings::new(3, true);
        standings.totals[0].tally = Tally { wins: 3, losses: 1, pairs: [0, 0, 1, 0, 0], ..Tally::default() };
        standings.totals[1].tally = Tally { draws: 1, losses: 2, pairs: [1, 0, 0, 0, 0], ..Tally::default() };
        standings.totals[2].tally = Tally { wins: 2, draws: 1, pairs: [0, 0, 0, 0, 1], ..Tally::default() };
        let names = ["a", "b", "c"].map(str::to_owned);
        let (_, rows) = crosstable_cells(&names, &standings);
        let shown: Vec<[&str; 4]> = rows.iter().map(|row| [1, 2, 5, 6].map(|at| row[at].as_str())).collect();
        let wanted =
            [["c", "+279.6", "2.5", "83.3"], ["a", "+190.8", "3.0", "75.0"], ["b", "-279.6", "0.5", "16.7"]];
        assert_eq!(shown, wanted);
    }
}
