//! What the pieces are worth, in pawns.

use crate::engine::{self, GameInfo};
use crate::search::Score;

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
    let info = engine::info(game)?;
    match info.worth {
        // Those of exchanges, as long as nothing was measured.
        [] => Some(in_pawns(&info, &info.values.iter().map(|&value| [value; 2]).collect::<Vec<_>>())),
        worth => Some(in_pawns(&info, worth)),
    }
}

/// The pieces and what they are worth, by an entry for each kind in units of the evaluation.
pub fn in_pawns(info: &GameInfo, worth: &[[Score; 2]]) -> Vec<PieceValue> {
    let value = |(index, worth): (usize, &[Score; 2])| {
        // Facings of a piece share a value, and the first of them its name.
        let def = &info.pieces[index];
        let [opening, ending] = worth.map(|units| units as f32 / info.pawn as f32);
        PieceValue { letter: def.letter as char, name: def.name, opening, ending }
    };
    worth.iter().enumerate().filter(|&(index, _)| index != info.royal).map(value).collect()
}
