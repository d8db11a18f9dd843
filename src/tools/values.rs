//! `quintain values`: the values of the pieces.

use crate::board::Kind;
use crate::engine::Playable;
use crate::engine::{NAMES, Visitor, visit};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

/// Arguments of `quintain values`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Values are in pawns of a hundred points, for a piece of average place and mobility, while the
board is full and when it is nearly empty. They were fitted to games of the engine against itself.

Example:
  quintain values grandcavalier"
)]
pub struct Args {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: String,
}

/// Prints the values.
pub fn run(args: Args) -> Result<()> {
    super::print(&visit(&args.game.to_lowercase(), Values).context("a game of the list")?)
}

struct Values;

impl Visitor for Values {
    type Output = String;

    fn visit<V: Playable>(self) -> String {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN).set_header([V::TITLE, "opening", "ending"]);
        table.column_iter_mut().skip(1).for_each(|column| {
            column.set_cell_alignment(CellAlignment::Right);
        });
        let kinds = (0..V::WEIGHTS.kinds.len()).map(Kind::new).filter(|&kind| kind != V::ROYAL);
        for kind in kinds {
            let (opening, ending) = V::WEIGHTS.kind(kind).value;
            let pawns = |value: i16| format!("{:.1}", f32::from(value) / 100.0);
            // All facings of a piece have the same value; it is listed once.
            let name = V::PIECES[kind.index()].name;
            table.add_row([name.to_string(), pawns(opening), pawns(ending)]);
        }
        format!("{table}\n")
    }
}
