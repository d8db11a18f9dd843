//! `quintain values`: the values of the pieces.

use crate::board::{Color, Kind, SquareSet, zobrist::random_numbers};
use crate::engine::{self, NAMES, Playable, Visitor, visit};
use crate::eval::Evaluator;
use crate::notation::fen;
use crate::rules::{Editor, Position};
use crate::search::{Control, Limits, Memory, Score, Settings, think};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};

/// Arguments of `quintain values`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Values are in pawns: what the evaluation loses on average when the piece is taken away, in positions of games of the
engine against itself, with more than half of the pieces and with less. 1.0 is a pawn with more than half of the pieces
(in grandcavalier, which has no pawns, a third of a cavalier). Scores are in the same pawns: +1.00 is worth one.

Examples:
  quintain values grandcavalier
  quintain values chess --measure     after a change of the evaluation"
)]
pub struct Args {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: String,
    /// Play games and measure the values anew, and print them as src/variants/GAME/eval.rs stores them, too
    #[arg(long)]
    measure: bool,
    /// How many games to play for that
    #[arg(long, requires = "measure", value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,
}

/// What a piece is worth, in pawns.
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
    visit(game, Stored)
}

/// The values that the game stores, or as long as it stores none, those of exchanges.
struct Stored;

impl Visitor for Stored {
    type Output = Vec<PieceValue>;

    fn visit<V: Playable>(self) -> Vec<PieceValue> {
        let by_kind = V::VALUES.iter().map(|&value| [value; 2]);
        let worth = if V::WORTH.is_empty() { by_kind.collect() } else { V::WORTH.to_vec() };
        in_pawns::<V>(&worth)
    }
}

/// What `quintain values` calls the pieces, and what they are worth by an entry for each kind.
fn in_pawns<V: Playable>(worth: &[[Score; 2]]) -> Vec<PieceValue> {
    let value = |(index, worth): (usize, &[Score; 2])| {
        // Facings of a piece share a value, and the first of them its name.
        let def = &V::PIECES[index];
        let [opening, ending] = worth.map(|units| units as f32 / V::PAWN as f32);
        PieceValue { letter: def.letter as char, name: def.name, opening, ending }
    };
    worth.iter().enumerate().filter(|&(index, _)| index != V::ROYAL.index()).map(value).collect()
}

/// Nodes of a search in the games that are played.
const NODES: u64 = 150;
/// Random moves before.
const RANDOM: u64 = 8;
/// Plies of a game at most.
const LONGEST: u64 = 200;

/// Measures in so many games, always the same for the same search and evaluation: an entry for each kind, in units of the
/// evaluation.
struct Measure {
    games: u64,
}

impl Visitor for Measure {
    type Output = (Vec<[Score; 2]>, Vec<PieceValue>);

    fn visit<V: Playable>(self) -> Self::Output {
        let mut losses = vec![[Losses::default(); 2]; V::base_kinds()];
        let (mut numbers, memory) = (random_numbers(1), Memory::new(1));
        let mut evaluator = Evaluator::new(V::network());
        for _ in 0..self.games {
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
        let worth = |(index, losses): (usize, &[Losses; 2])| {
            losses.map(|Losses { sum, count }| match count {
                0 => V::value(Kind::new(index)),
                count => (sum as f64 / count as f64).round() as Score,
            })
        };
        let worth: Vec<[Score; 2]> = losses.iter().enumerate().map(worth).collect();
        let values = in_pawns::<V>(&worth);
        (worth, values)
    }
}

/// What the loss of a piece costs, in units of the evaluation.
#[derive(Clone, Copy, Default)]
struct Losses {
    sum: i64,
    count: i64,
}

/// Takes each piece away in turn. By kind, then with more than half of the pieces and with less.
fn add_losses<V: Playable>(pos: &Position<V>, evaluator: &mut Evaluator<V>, losses: &mut [[Losses; 2]]) {
    let empty = usize::from(pos.occupied().count() <= V::MAX_PIECES);
    let before = evaluator.evaluate(pos);
    for square in pos.occupied().squares() {
        let piece = pos.piece(square);
        let mut without = pos.clone();
        Editor::new(&mut without).take_hashed(square);
        // Without it, the king may be attacked, or a bare king be left, which other rules judge.
        let bare = Color::BOTH.into_iter().any(|color| without.is_bare_king(color));
        if piece.kind() == V::ROYAL || bare {
            continue;
        }
        let loss = before - evaluator.evaluate(&without);
        let losses = &mut losses[V::base_kind(piece.kind())][empty];
        losses.sum += i64::from(if piece.color() == pos.side() { loss } else { -loss });
        losses.count += 1;
    }
}

/// Prints the values.
pub fn run(args: Args) -> Result<()> {
    let name = args.game.to_lowercase();
    let info = engine::info(&name).context("a game of the list")?;
    let (measured, values) = match args.measure {
        true => visit(&name, Measure { games: args.games }).map(|(worth, values)| (Some(worth), values)),
        false => values(&name).map(|values| (None, values)),
    }
    .context("a game of the list")?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([info.title, "opening", "ending"]);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    for PieceValue { name, opening, ending, .. } in values {
        table.add_row([name.to_string(), format!("{opening:.1}"), format!("{ending:.1}")]);
    }
    let measured = measured.map(|worth| format!("\nconst WORTH: &'static [[Score; 2]] = &{worth:?};\n"));
    super::print(&format!("{table}\n{}", measured.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_is_worth_one_and_pieces_what_is_measured() {
        // One thread for each game, because the program under test may be slow.
        std::thread::scope(|scope| NAMES.iter().for_each(|&name| drop(scope.spawn(move || check(name)))));
    }

    fn check(name: &'static str) {
        let stored = values(name).expect("a game");
        let unit = if name == "grandcavalier" { 3.0 } else { 1.0 };
        assert!((stored[0].opening / unit - 1.0).abs() < 0.02, "{name}: {:?}", stored[0]);
        // Fewer games than the stored values are from, so that the test takes less time.
        let (_, measured) = visit(name, Measure { games: 6 }).expect("a game");
        for (stored, now) in stored.iter().zip(&measured) {
            let near = |stored: f32, now: f32, by: f32| (stored - now).abs() < by * (1.5 + stored);
            // Few games last until the board is nearly empty.
            let agree = near(stored.opening, now.opening, 0.15) && near(stored.ending, now.ending, 0.4);
            assert!(agree, "{name}: {now:?}, stored {stored:?}");
        }
    }
}
