//! What XBoard needs to know about each game.

use quintain_core::rules::PieceDef;
use quintain_engine::GameInfo;

/// What XBoard needs to know about a game, besides its description.
#[derive(Clone, Copy, Debug)]
pub struct XBoardDef {
    /// White's half of the piece-to-character table: for each picture the letter that has it, `.` for none, the
    /// royal piece last. Black's half is the same in lowercase. XBoard treats the first and the
    /// nineteenth as pawns.
    pub pictures: &'static str,
    /// The letters of the pieces whose moves XBoard is told, so that it can show where they go.
    described: &'static str,
    /// How the kings castle, White's and Black's, in XBoard's extension of Betza's notation.
    castling: Option<[&'static str; 2]>,
    /// For a piece with facings: the letter in our FEN, and the eight letters that stand for its facings, clockwise
    /// from north as White sees the board.
    pub facings: Option<(char, [char; 8])>,
    /// The letters of the pieces that XBoard has no fitting picture for.
    pub drawn: &'static str,
}

impl XBoardDef {
    /// The piece of `game` that a letter of XBoard stands for.
    pub fn piece(&self, game: &GameInfo, letter: char) -> Option<&'static PieceDef> {
        let facing = |letters: [char; 8]| letters.into_iter().position(|other| other == letter);
        let faces = self.facings.and_then(|(own, letters)| Some((own, facing(letters)?)));
        let (letter, facing) = faces.unwrap_or((letter, 0));
        let is_meant = |def: &&PieceDef| def.letter.eq_ignore_ascii_case(&(letter as u8));
        game.pieces.iter().filter(is_meant).nth(facing)
    }

    /// The moves that XBoard is told: letters ("C" White's, "c" Black's, "C&" both) and their moves in Betza's notation.
    pub fn moves(&self, game: &GameInfo) -> Vec<(String, String)> {
        let royal = game.pieces[game.royal].letter;
        let mut moves = Vec::new();
        for letter in self.described.chars() {
            let Some(def) = self.piece(game, letter) else { continue };
            match self.castling {
                Some([white, black]) if def.letter == royal => {
                    moves.push((letter.to_string(), format!("{}{white}", def.betza)));
                    moves.push((letter.to_ascii_lowercase().to_string(), format!("{}{black}", def.betza)));
                }
                _ => moves.push((format!("{letter}&"), def.betza.to_owned())),
            }
        }
        moves
    }
}

/// What XBoard needs to know about `game`.
pub fn def(game: &GameInfo) -> &'static XBoardDef {
    match game.name {
        "canyon" => &CANYON,
        "diamond" => &DIAMOND,
        "grandcavalier" => &GRAND_CAVALIER,
        "superchess" | "superchessfixed" => &SUPER_CHESS,
        "gast" => &GAST,
        "gast14" => &GAST14,
        "chess" => &CHESS,
        "grand" => &GRAND,
        other => unreachable!("no description of {other}"),
    }
}

static CANYON: XBoardDef = XBoardDef {
    pictures: "PN..Q..AM...........K",
    described: "PNAMQK",
    castling: None,
    facings: None,
    drawn: "AM",
};

static DIAMOND: XBoardDef = XBoardDef {
    pictures: "PN.R.........AVK",
    described: "PNARVK",
    castling: None,
    facings: None,
    drawn: "AV",
};

static GRAND_CAVALIER: XBoardDef = XBoardDef {
    pictures: ".V..Q..PM..CNK",
    described: "VCNPMQK",
    castling: None,
    facings: None,
    drawn: "VPM",
};

/// A cyclops goes along one of four lines, ahead as well as back, whatever stands there. The pictures leave out the
/// lance, which XBoard treats as a pawn.
static SUPER_CHESS: XBoardDef = XBoardDef {
    pictures: "PNBRQS.A..CDEFGHIJK",
    described: "PSACDEFGHIJK",
    castling: Some(["ilO2irO3", "ilO3irO2"]),
    facings: Some(('C', ['C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'])),
    drawn: "SACDEFGHIJ",
};

static GAST: XBoardDef =
    XBoardDef { pictures: "PNBRQ..GAK", described: "PNGAK", castling: None, facings: None, drawn: "GA" };

static GAST14: XBoardDef =
    XBoardDef { pictures: "PNBRQ..GA......OK", described: "PNGAOK", drawn: "GAO", ..GAST };

static CHESS: XBoardDef =
    XBoardDef { pictures: "PNBRQK", described: "", castling: None, facings: None, drawn: "" };

static GRAND: XBoardDef = XBoardDef {
    pictures: "PNBRQ..ACK",
    // The pawn is described, or XBoard would promote every pawn near the last rank.
    described: "PAC",
    castling: None,
    facings: None,
    drawn: "AC",
};

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine::{self as engine, NAMES};

    #[test]
    fn every_game_is_described_by_its_letters() {
        for name in NAMES {
            let info = engine::info(name).unwrap();
            let def = def(&info);
            let letters = [def.pictures, def.described, def.drawn].concat();
            for letter in letters.chars().filter(|&letter| letter != '.') {
                assert!(def.piece(&info, letter).is_some(), "{name}: {letter}");
            }
        }
    }
}
