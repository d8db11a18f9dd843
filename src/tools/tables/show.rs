//! `quintain tables show`: what is in a table.

use super::{Place, Store, moves, session_at, work};
use crate::board::Color;
use crate::engine;
use crate::notation::draw::Style;
use crate::tables::{Count, Counts, Endings, Table, Tables, Verdict};
use anyhow::{Result, bail};
use comfy_table::{CellAlignment, presets::ASCII_MARKDOWN};
use quintain_io as output;
use serde::Serialize;
use std::fmt::Write as _;
use std::sync::Arc;

/// Arguments of `quintain tables show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "A position is a placement of the pieces on distinct squares with a side to
move, such that the other side is not in check and pawns stand where the game
lets them. Positions that are images of each other all count. There is no
castling and no en passant; the fifty-move rule and repetitions are ignored.")]
pub(super) struct Args {
    /// The game
    game: String,
    /// The pieces, White's first: KQvK is king and queen against king
    material: String,
    #[command(flatten)]
    place: Place,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints about the positions with one side to move.
#[derive(Serialize)]
struct SideJson {
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    mated: u64,
    longest: u16,
    example: Option<String>,
    sum_plies: u64,
}

#[derive(Serialize)]
struct SidesJson {
    white: SideJson,
    black: SideJson,
}

#[derive(Serialize)]
struct TableJson {
    game: &'static str,
    material: String,
    #[serde(flatten)]
    plain: SidesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    ten_moves: Option<SidesJson>,
}

/// A table as a person asks for it, perhaps with the colours exchanged.
struct View<'a> {
    endings: &'a dyn Endings,
    table: &'a Table,
    flipped: bool,
}

impl View<'_> {
    /// The counts with a side to move.
    fn count<'c>(&self, counts: &'c Counts, side: Color) -> &'c Count {
        &counts[if self.flipped { (!side).index() } else { side.index() }]
    }

    /// White's longest win with White to move, Black's longest loss with Black to move.
    fn longest(&self, counts: &Counts, side: Color) -> Option<(u16, usize)> {
        let count = self.count(counts, side);
        if side == Color::White { count.longest_win } else { count.longest_loss }
    }

    /// A position of the table.
    fn position(&self, side: Color, number: usize) -> Result<String> {
        let stored = if self.flipped { !side } else { side };
        let fen = self.endings.position(self.table.material(), stored, number)?;
        if !self.flipped {
            return Ok(fen);
        }
        let mut session = session_at(self.endings, &fen)?;
        session.flip()?;
        Ok(session.fen())
    }

    fn side_json(&self, counts: &Counts, side: Color) -> Result<SideJson> {
        let &Count { positions, won, drawn, lost, mated, sum_plies, .. } = self.count(counts, side);
        let longest = self.longest(counts, side);
        let example = longest.map(|(_, number)| self.position(side, number)).transpose()?;
        let longest = longest.map_or(0, |longest| longest.0);
        Ok(SideJson { positions, won, drawn, lost, mated, longest, example, sum_plies })
    }

    fn json(&self, counts: &Counts) -> Result<SidesJson> {
        Ok(SidesJson {
            white: self.side_json(counts, Color::White)?,
            black: self.side_json(counts, Color::Black)?,
        })
    }
}

/// Shows a table.
pub(super) fn run(args: &Args) -> Result<()> {
    let mut store = Store::open(&args.game, &args.place)?;
    let material = store.endings.material(&args.material)?;
    let (stored, flipped) = store.endings.stored(&material);
    let path = store.path(&stored);
    let table = match stored.count() {
        2 => store.endings.build(&stored, &Tables::new(), work(1))?,
        _ if !path.is_file() => {
            let folder = args.place.dir.as_ref().map(|folder| format!(" --dir '{}'", folder.display()));
            bail!(
                "there is no table '{}'; quintain tables build {} {stored}{} makes it",
                path.display(),
                args.game,
                folder.unwrap_or_default()
            )
        }
        _ => store.read(&stored)?,
    };
    let table = Arc::new(table);
    let view = View { endings: store.endings, table: &table, flipped };
    if args.json {
        let json = TableJson {
            game: store.endings.game(),
            material: args.material.clone(),
            plain: view.json(table.counts())?,
            ten_moves: table.limited_counts().map(|counts| view.json(counts)).transpose()?,
        };
        return output::print(&format!("{}\n", serde_json::to_string_pretty(&json)?));
    }
    let mut text = describe(&view, &args.material)?;
    let longest = Color::BOTH
        .map(|side| view.longest(table.counts(), side).map(|longest| (longest.0, side, longest.1)));
    if let Some((plies, side, number)) = longest.into_iter().flatten().max_by_key(|longest| longest.0) {
        let fen = view.position(side, number)?;
        let needed = store.endings.needed(&stored)?;
        let mut session = session_at(store.endings, &fen)?;
        let _ = write!(
            text,
            "\nThe longest win of White, in {plies} plies: {fen}\n\n{}",
            session.draw(Style::default())
        );
        match store.load(&needed) {
            Ok(()) => {
                store.loaded.insert(stored, Arc::clone(&table));
                let _ = writeln!(text, "{}", line(store.endings, &store.loaded, &mut *session));
            }
            Err(error) => {
                let _ = writeln!(text, "Its moves are not shown: {error:#}");
            }
        }
    }
    output::print(&text)
}

/// The counts of a table for people.
fn describe(view: &View, material: &str) -> Result<String> {
    let mut text = format!("{material} in {}\n", view.endings.game());
    let mut add = |counts: &Counts, heading: &str| {
        let mut table = comfy_table::Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(["to move", "positions", "won", "drawn", "lost", "mated", "won %", "longest"]);
        for side in Color::BOTH {
            let count = view.count(counts, side);
            let moves = view.longest(counts, side).map_or_else(|| "-".into(), |(plies, _)| moves(plies));
            let share = 100.0 * count.won as f64 / count.positions.max(1) as f64;
            table.add_row([
                side.to_string(),
                count.positions.to_string(),
                count.won.to_string(),
                count.drawn.to_string(),
                count.lost.to_string(),
                count.mated.to_string(),
                format!("{share:.1}"),
                moves,
            ]);
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let zugzwangs = counts[0].zugzwangs;
        let _ = write!(text, "\n{heading}{table}\nMutual zugzwangs: {zugzwangs}\n");
    };
    add(view.table.counts(), "");
    if let Some(counts) = view.table.limited_counts() {
        add(counts, "With the limit of moves to mate a bare king:\n");
    }
    Ok(text)
}

/// The moves of best play on both sides, in SAN.
fn line(endings: &dyn Endings, tables: &Tables, session: &mut dyn engine::Session) -> String {
    let mut text = String::new();
    loop {
        let rank = |verdict: Option<Verdict>| match verdict {
            // What is lost soonest for the opponent is best, then a draw, then what is won latest.
            Some(Verdict::Lost(plies)) => (0, i32::from(plies)),
            Some(Verdict::Won(plies)) => (2, -i32::from(plies)),
            _ => (1, 0),
        };
        let mut best = None;
        for mv in session.moves() {
            if session.play(&mv).is_err() {
                continue;
            }
            let after = rank(endings.probe(&session.fen(), tables, false));
            session.undo();
            if best.as_ref().is_none_or(|(known, _)| after < *known) {
                best = Some((after, mv));
            }
        }
        let Some((_, mv)) = best else { return text };
        let (number, side) = (session.fullmove(), session.side());
        let Ok(played) = session.play(&mv) else { return text };
        if side == Color::White || text.is_empty() {
            let dots = if side == Color::White { "." } else { "..." };
            let _ = write!(text, "{}{number}{dots} ", if text.is_empty() { "" } else { " " });
        } else {
            text.push(' ');
        }
        text += &played.san;
    }
}
