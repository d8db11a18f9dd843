//! `quintain values`: the values of the pieces.

use crate::board::{Color, Kind, SquareSet, zobrist::random_numbers};
use crate::engine::{self, NAMES, Playable, Visitor, visit};
use crate::eval::Evaluator;
use crate::notation::fen;
use crate::rules::{Editor, Position};
use crate::search::{Control, Limits, Memory, Settings, think};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Arguments of `quintain values`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Values are in pawns of a hundred points: what the evaluation loses on average when the piece is taken
away, in positions of games of the engine against itself, with more than half of the pieces and with less.

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

/// What the pieces of a game are worth, the royal one left out; `None` if there is no such game. Computed once for
/// each game, which takes a moment.
pub fn values(game: &str) -> Option<Vec<PieceValue>> {
    static KNOWN: Mutex<BTreeMap<&str, Vec<PieceValue>>> = Mutex::new(BTreeMap::new());
    let name = NAMES.iter().find(|&&name| name == game)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !known.contains_key(name) {
        known.insert(name, visit(name, Values)?);
    }
    known.get(name).cloned()
}

/// Games that are played.
const GAMES: u64 = 24;
/// Nodes of a search in these games.
const NODES: u64 = 150;
/// Random moves before.
const RANDOM: u64 = 8;
/// Plies of a game at most.
const LONGEST: u64 = 200;

struct Values;

impl Visitor for Values {
    type Output = Vec<PieceValue>;

    fn visit<V: Playable>(self) -> Vec<PieceValue> {
        let mut losses = vec![[Losses::default(); 2]; V::base_kinds()];
        let (mut numbers, memory) = (random_numbers(1), Memory::new(1));
        let mut evaluator = Evaluator::new(V::network());
        for _ in 0..GAMES {
            let mut pos = fen::start::<V>();
            memory.clear();
            for ply in 0..LONGEST {
                if pos.outcome().is_some() {
                    break;
                }
                let mv = if ply < RANDOM {
                    let moves = pos.legal_moves();
                    moves[(numbers() % moves.len() as u64) as usize]
                } else {
                    add_losses(&pos, &mut evaluator, &mut losses);
                    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
                    think(&pos, &limits, Settings::default(), &memory, &Control::started(&limits), &()).pv[0]
                };
                pos.play_unchecked(mv);
            }
        }
        let kinds = (0..V::base_kinds()).map(Kind::new).filter(|&kind| kind != V::ROYAL);
        let value = |kind: Kind| {
            // Facings of a piece share a value, and the first of them its name.
            let def = &V::PIECES[kind.index()];
            let mean = |losses: Losses| match losses.count {
                0 => V::value(kind) as f32 / 100.0,
                count => losses.sum as f32 / count as f32 / 100.0,
            };
            let [ending, opening] = losses[kind.index()].map(mean);
            PieceValue { letter: def.letter as char, name: def.name, opening, ending }
        };
        kinds.map(value).collect()
    }
}

/// What the loss of a piece costs, in centipawns.
#[derive(Clone, Copy, Default)]
struct Losses {
    sum: i64,
    count: i64,
}

/// Takes each piece away in turn. By kind, then with less than half of the pieces and with more.
fn add_losses<V: Playable>(pos: &Position<V>, evaluator: &mut Evaluator<V>, losses: &mut [[Losses; 2]]) {
    let full = usize::from(pos.occupied().count() > V::MAX_PIECES);
    let before = evaluator.evaluate(pos);
    for square in pos.occupied().squares() {
        let piece = pos.piece(square);
        let mut without = pos.clone();
        Editor::new(&mut without).take_hashed(square);
        // Without it, the king may be attacked, or a lone king be left, which other rules judge.
        let lone = Color::BOTH.into_iter().any(|color| without.is_lone(color));
        if piece.kind() == V::ROYAL || lone {
            continue;
        }
        let loss = before - evaluator.evaluate(&without);
        let losses = &mut losses[V::base_kind(piece.kind())][full];
        losses.sum += i64::from(if piece.color() == pos.side() { loss } else { -loss });
        losses.count += 1;
    }
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
