//! What the pieces are worth, in pawns.

use quintain_core::rules::PieceDef;
use quintain_core::search::Score;
use quintain_engine::GameInfo;

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

/// What the pieces of a game are worth, the royal one left out.
pub fn values(info: &GameInfo) -> Vec<PieceValue> {
    in_pawns(info, &kinds(info).map(|def| def.worth).collect::<Vec<_>>())
}

/// The kinds of pieces, the first facing standing for all.
pub fn kinds(info: &GameInfo) -> impl Iterator<Item = &'static PieceDef> + use<> {
    let mut last = 0;
    info.pieces.iter().filter(move |def| std::mem::replace(&mut last, def.letter) != def.letter)
}

/// The pieces and what they are worth, by an entry for each kind in units of the evaluation.
pub fn in_pawns(info: &GameInfo, worth: &[[Score; 2]]) -> Vec<PieceValue> {
    let value = |(index, worth): (usize, &[Score; 2])| {
        let def = &info.pieces[index];
        let [opening, ending] = worth.map(|units| units as f32 / info.pawn as f32);
        PieceValue { letter: def.letter as char, name: def.name, opening, ending }
    };
    worth.iter().enumerate().filter(|&(index, _)| index != info.royal).map(value).collect()
}
