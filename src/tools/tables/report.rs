//! `quintain tables report`: what all tables say, as Markdown.

use super::{Place, Store, moves, session_at};
use crate::board::Color;
use crate::engine::{self, NAMES};
use crate::notation::draw::Style;
use crate::tables::{Count, Material};
use anyhow::{Result, ensure};
use comfy_table::{CellAlignment, presets::ASCII_MARKDOWN};
use quintain_io as output;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Arguments of `quintain tables report`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain tables report > endgames.md
  quintain tables report canyon diamond")]
pub(super) struct Args {
    /// The games; all that have tables if left out
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    place: Place,
}

/// Writes the report.
pub(super) fn run(args: &Args) -> Result<()> {
    let all: Vec<String> = NAMES.iter().map(|&name| name.to_owned()).collect();
    let games = if args.games.is_empty() { &all } else { &args.games };
    let (mut text, mut found) = (REPORT.to_owned(), false);
    for game in games {
        let store = Store::open(game, &args.place)?;
        if store.folder.is_dir() {
            text += &report_of(&store)?;
            found = true;
        } else {
            ensure!(args.games.is_empty(), "there are no tables in '{}'", store.folder.display());
        }
    }
    ensure!(found, "there are no tables; 'quintain tables build' makes them, and --dir names another folder");
    output::print(&text)
}

/// What inventors say of endings: the game, their claim in our words, and the material that decides.
const CLAIMS: &[(&str, &str, &str)] = &[
    ("superchess", "King and archer cannot mate a lone king", "KAvK"),
    ("superchess", "King and cyclops can mate a lone king, but only if the defender makes mistakes", "KCvK"),
    ("superchess", "King and rook force mate against a lone king", "KRvK"),
];

/// How the report begins.
const REPORT: &str = "# Endgames

Written by `quintain tables report`. [Endgame tables](tables.md) says what counts as a position, and which of these
tables `quintain tables verify` has checked.

*Wins* is the share of the positions with White to move that White wins; *black loses* that of the positions with Black
to move. *Longest* is the longest mate in moves, from a position with White to move. *Zugzwangs* are positions that are
better for either side if the other has to move. Where a bare king must be mated within some moves, *in time* is the
share that White wins under this rule, and *too late* the part of the won positions that it makes draws.
";

/// A table with what the report says about it.
struct Row {
    material: Material,
    cells: Vec<String>,
    longest: Option<(u16, usize)>,
}

/// The part of the report about a game.
fn report_of(store: &Store) -> Result<String> {
    let info = engine::info(store.endings.game())?;
    let mut groups: BTreeMap<(usize, usize), Vec<Row>> = BTreeMap::new();
    let (mut limited, mut claims) = (false, Vec::new());
    for material in store.there()? {
        let table = store.read(&material)?;
        let sizes = Color::BOTH.map(|color| material.letters(color).len() - 1);
        limited |= table.limited_counts().is_some();
        let [white, black] = table.counts();
        let mut cells = vec![
            material.to_string(),
            percent(white.won, white.positions),
            percent(black.lost, black.positions),
            white.longest_win.map_or_else(|| "-".into(), |(plies, _)| plies.div_ceil(2).to_string()),
        ];
        if sizes[1] > 0 {
            cells.push(percent(white.lost, white.positions));
        }
        cells.push(white.zugzwangs.to_string());
        if let Some([in_time, _]) = table.limited_counts() {
            cells.push(percent(in_time.won, in_time.positions));
            cells.push(percent(white.won - in_time.won, white.won));
        }
        for (_, claim, _) in CLAIMS.iter().filter(|(game, _, wanted)| {
            *game == store.endings.game()
                && store.endings.material(wanted).is_ok_and(|wanted| wanted == material)
        }) {
            claims.push(format!("- \"{claim}\": {}", answer(&material, white, black)));
        }
        let longest = table.counts()[0].longest_win;
        groups.entry((sizes[0] + sizes[1], sizes[1])).or_default().push(Row { material, cells, longest });
    }
    let mut text = format!("\n## {}\n", info.title);
    if !claims.is_empty() {
        let _ = writeln!(
            text,
            "\nWhat the inventor says of endings, and what the tables say:\n\n{}",
            claims.join("\n")
        );
    }
    for ((pieces, black), rows) in &groups {
        let number = |count: usize| match count {
            1 => "One piece".to_owned(),
            2 => "Two pieces".to_owned(),
            count => format!("{count} pieces"),
        };
        let against = match black {
            0 => "a bare king".to_owned(),
            &count => number(count).to_lowercase(),
        };
        let _ = writeln!(text, "\n### {} against {against}\n", number(pieces - black));
        let mut header = vec!["pieces".to_owned()];
        let names = ["wins", "black loses", "longest", "white loses", "zugzwangs", "in time", "too late"];
        let names = if limited { &names[..] } else { &names[..5] };
        header.extend(
            names.iter().filter(|&&name| *black > 0 || name != "white loses").map(|&name| name.into()),
        );
        let mut table = comfy_table::Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(header);
        table.add_rows(rows.iter().map(|row| &row.cells));
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let _ = writeln!(text, "{table}");
        let longest =
            rows.iter().filter_map(|row| Some((row.longest?, row))).max_by_key(|(longest, _)| longest.0);
        if let Some(((plies, number), row)) = longest {
            let fen = store.endings.position(&row.material, Color::White, number)?;
            let board = session_at(store.endings, &fen)?.draw(Style::default());
            let _ = writeln!(
                text,
                "\nThe longest of these is {}, {}: `{fen}`\n\n```text\n{}\n```",
                row.material,
                moves(plies),
                board.trim_end()
            );
        }
    }
    Ok(text)
}

/// What a table says about a claim.
fn answer(material: &Material, white: &Count, black: &Count) -> String {
    let forced = match white.longest_win {
        None => "No mate can be forced.".to_owned(),
        Some((plies, _)) => format!(
            "With the move White forces mate in {} of {} ({}), at the longest {}; with Black to move {} are lost for \
             Black ({}).",
            white.won,
            white.positions,
            percent(white.won, white.positions),
            moves(plies),
            black.lost,
            percent(black.lost, black.positions)
        ),
    };
    format!("Black is mated in {} of {} positions of {material}. {forced}", black.mated, black.positions)
}

/// A share in percent.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.2}%", 100.0 * part as f64 / whole.max(1) as f64)
}
