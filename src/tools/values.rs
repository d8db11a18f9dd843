//! `quintain values`: the values of the pieces.

use crate::board::zobrist::random_numbers;
use crate::engine::{self, GameInfo, NAMES};
use crate::rules::PieceDef;
use crate::search::{Control, Limits, Memory, Score, Search};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use quintain_io as output;
use quintain_play::game::values::{PieceValue, in_pawns, kinds, values};

/// Arguments of `quintain values`.
#[derive(clap::Args, Debug)]
#[command(after_help = "A value is what the evaluation loses on average when the piece is taken away, in
games of the engine against itself: opening, with more than half of the pieces
on the board, and ending, with fewer. 1.0 is a pawn in the opening (in
grandcavalier, which has no pawns, a third of a cavalier). Scores are in the
same pawns.

Examples:
  quintain values grandcavalier
  quintain values chess --measure     after a change of the evaluation")]
pub struct Args {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(NAMES.iter().copied()), ignore_case = true)]
    game: String,
    /// Play games and measure the values anew, and print them as the game's PIECES store them, too
    #[arg(long)]
    measure: bool,
    /// How many games to play for that
    #[arg(long, requires = "measure", value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,
}

/// Nodes of a search in the games that are played.
const NODES: u64 = 150;
/// Random moves before.
const RANDOM: u64 = 8;
/// Plies of a game at most.
const LONGEST: u64 = 200;

/// Measures in so many games, always the same for the same search and evaluation: an entry for each kind, in units of the
/// evaluation.
fn measure(info: &GameInfo, games: u64) -> Vec<[Score; 2]> {
    let index = |letter: char| {
        let letter = letter.to_ascii_lowercase();
        info.pieces.iter().position(|def| char::from(def.letter) == letter).expect("a piece of the game")
    };
    let mut losses = vec![[Losses::default(); 2]; info.pieces.len()];
    let (mut numbers, memory) = (random_numbers(1), Memory::new(1));
    for _ in 0..games {
        let mut session = engine::open(info.name).expect("a game");
        memory.clear();
        for ply in 0..LONGEST {
            if session.outcome().is_some() {
                break;
            }
            let mv = if ply < RANDOM {
                let moves = session.moves_in_full();
                moves[(numbers() % moves.len() as u64) as usize].text.clone()
            } else {
                let squares = session.squares().into_iter();
                let pieces = squares.filter(|&place| session.piece(place).is_some()).count();
                let empty = usize::from(pieces <= info.max_pieces as usize);
                for (letter, loss) in session.losses() {
                    let losses = &mut losses[index(letter)][empty];
                    losses.sum += i64::from(loss);
                    losses.count += 1;
                }
                let limits = Limits { nodes: Some(NODES), ..Limits::default() };
                let control = Control::started(&limits);
                let best = session.search(&Search::new(&limits, &memory, &control)).pv;
                session.coordinates(&best[..1]).remove(0)
            };
            session.play(&mv).expect("a legal move");
        }
    }
    let mean = |(def, losses): (&PieceDef, &[Losses; 2])| {
        losses.map(|Losses { sum, count }| match count {
            0 => def.value,
            count => (sum as f64 / count as f64).round() as Score,
        })
    };
    kinds(info).zip(&losses).map(mean).collect()
}

/// What the loss of a piece costs, in units of the evaluation.
#[derive(Clone, Copy, Default)]
struct Losses {
    sum: i64,
    count: i64,
}

/// Prints the values.
pub fn run(args: Args) -> Result<()> {
    let name = args.game.to_lowercase();
    let info = engine::info(&name)?;
    let measured = args.measure.then(|| measure(&info, args.games));
    let values = match &measured {
        Some(worth) => in_pawns(&info, worth),
        None => values(&info),
    };
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([info.title, "opening", "ending"]);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    for PieceValue { name, opening, ending, .. } in values {
        table.add_row([name.to_string(), format!("{opening:.1}"), format!("{ending:.1}")]);
    }
    let mut text = format!("{table}\n");
    if let Some(worth) = measured {
        text.push('\n');
        for (def, worth) in kinds(&info).zip(worth) {
            text += &format!("{:<12} .worth({worth:?})\n", def.name);
        }
    }
    output::print(&text)
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
        let info = engine::info(name).expect("a game");
        let stored = values(&info);
        let unit = if name == "grandcavalier" { 3.0 } else { 1.0 };
        assert!((stored[0].opening / unit - 1.0).abs() < 0.02, "{name}: {:?}", stored[0]);
        // Fewer games than the stored values are from, so that the test takes less time.
        let measured = in_pawns(&info, &measure(&info, 12));
        for (stored, now) in stored.iter().zip(&measured) {
            let near = |stored: f32, now: f32, by: f32| (stored - now).abs() < by * (1.5 + stored);
            // Few games last until the board is nearly empty.
            let agree = near(stored.opening, now.opening, 0.15) && near(stored.ending, now.ending, 0.4);
            assert!(agree, "{name}: {now:?}, stored {stored:?}");
        }
    }
}
