//! `quintain values`: the values of the pieces.

use crate::board::Kind;
use crate::engine::{self, NAMES, Playable, Visitor, visit};
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

/// What a piece is worth, in pawns of a hundred points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PieceValue {
    /// Its letter.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// While the board is full.
    pub opening: f32,
    /// When it is nearly empty.
    pub ending: f32,
}

/// What the pieces of a game are worth, the royal one left out; `None` if there is no such game.
pub fn values(game: &str) -> Option<Vec<PieceValue>> {
    struct Values;
    impl Visitor for Values {
        type Output = Vec<PieceValue>;
        fn visit<V: Playable>(self) -> Vec<PieceValue> {
            let kinds = (0..V::WEIGHTS.kinds.len()).map(Kind::new).filter(|&kind| kind != V::ROYAL);
            let value = |kind: Kind| {
                let (opening, ending) = V::WEIGHTS.kind(kind).value;
                let pawns = |value: i16| f32::from(value) / 100.0;
                // Facings of a piece share a value, and the first of them its name.
                let def = &V::PIECES[kind.index()];
                PieceValue {
                    letter: def.letter as char,
                    name: def.name,
                    opening: pawns(opening),
                    ending: pawns(ending),
                }
            };
            kinds.map(value).collect()
        }
    }
    visit(game, Values)
}

/// Prints the values.
pub fn run(args: Args) -> Result<()> {
    let name = args.game.to_lowercase();
    let (info, values) = engine::info(&name).zip(values(&name)).context("a game of the list")?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([info.title, "opening", "ending"]);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    for PieceValue { name, opening, ending, .. } in values {
        table.add_row([name.to_string(), format!("{opening:.1}"), format!("{ending:.1}")]);
    }
    super::print(&format!("{table}\n"))
}
