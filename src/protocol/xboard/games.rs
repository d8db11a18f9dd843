//! What XBoard needs to know about each game.

use crate::engine::GameInfo;

/// What XBoard needs to know about a game, besides its board and its start position.
#[derive(Clone, Copy, Debug)]
pub struct XBoardDef {
    /// The built-in game whose handling of unusual moves fits best; "normal" for chess, which XBoard knows and
    /// is not described.
    pub parent: &'static str,
    /// The size of the holdings beside the board, 0 for none.
    pub holdings: u8,
    /// White's half of the piece-to-character table: for each picture the letter that has it, `.` for none, the
    /// royal piece last. Black's half is the same in lowercase. XBoard treats the first and the
    /// nineteenth as pawns.
    pub pictures: &'static str,
    /// Moves of pieces, so that XBoard can show where they go: letters ("C" White's, "c" Black's, "C&" both) and
    /// their moves in Betza's notation, as XBoard reads it.
    pub moves: &'static [(&'static str, &'static str)],
    /// For a piece with facings: the letter in our FEN, and the eight letters that stand for its facings, clockwise
    /// from north as White sees the board.
    pub facings: Option<(char, [char; 8])>,
    /// Letters of pieces that XBoard has no fitting picture for, and which of our drawings it should use.
    pub drawings: &'static [(char, &'static str)],
}

/// What XBoard needs to know about `game`.
pub fn def(game: &GameInfo) -> &'static XBoardDef {
    match game.name {
        "canyon" => &CANYON,
        "diamond" => &DIAMOND,
        "grandcavalier" => &GRAND_CAVALIER,
        "superchess" => &SUPER_CHESS,
        "superchessfixed" => &SUPER_CHESS_FIXED,
        "gast" => &GAST,
        "gast14" => &GAST14,
        "chess" => &CHESS,
        "grand" => &GRAND,
        other => unreachable!("no description of {other}"),
    }
}

static CANYON: XBoardDef = XBoardDef {
    parent: "courier",
    holdings: 0,
    pictures: "PN..Q..AM...........K",
    moves: &[("P&", "fmWfcF"), ("N&", "N"), ("A&", "BN"), ("M&", "RN"), ("Q&", "QsdD"), ("K&", "KsdD")],
    facings: None,
    drawings: &[('A', "archbishop"), ('M', "marshal")],
};

static DIAMOND: XBoardDef = XBoardDef {
    parent: "courier",
    holdings: 0,
    pictures: "PN.R.........AVK",
    moves: &[("P&", "fmWfcFsmW"), ("N&", "N"), ("A&", "BK"), ("R&", "R"), ("V&", "RK"), ("K&", "K")],
    facings: None,
    drawings: &[('A', "crowned-bishop"), ('V', "crowned-rook")],
};

static GRAND_CAVALIER: XBoardDef = XBoardDef {
    // XBoard's own Grand Chess refuses promotion to pieces that it has not seen captured.
    parent: "courier",
    holdings: 0,
    pictures: ".V..Q..PM..CNK",
    moves: &[
        ("V&", "nN"),
        ("C&", "mRcpR"),
        ("N&", "N0"),
        ("P&", "BN"),
        ("M&", "RN"),
        ("Q&", "Q"),
        ("K&", "KN"),
    ],
    facings: None,
    drawings: &[('V', "cavalier"), ('P', "archbishop"), ('M', "marshal")],
};

// The game whose pieces can be dropped.
static SUPER_CHESS: XBoardDef = super_chess("bughouse", 6);
static SUPER_CHESS_FIXED: XBoardDef = super_chess("lion", 0);

/// A cyclops goes along one of four lines, ahead as well as back, whatever stands there. The pictures leave out the
/// lance, which XBoard treats as a pawn.
const fn super_chess(parent: &'static str, holdings: u8) -> XBoardDef {
    XBoardDef {
        parent,
        holdings,
        pictures: "PNBRQS.A..CDEFGHIJK",
        moves: &[
            ("P&", "fmWfceFifmnD"),
            ("S&", "fmWfceFfcAifmD"),
            ("A&", "NcjjjabjjjW4"),
            ("C&", "vWvDvH"),
            ("D&", "frblFfrblAfrblG"),
            ("E&", "sWsDsH"),
            ("F&", "flbrFflbrAflbrG"),
            ("G&", "vWvDvH"),
            ("H&", "frblFfrblAfrblG"),
            ("I&", "sWsDsH"),
            ("J&", "flbrFflbrAflbrG"),
            ("K", "KilO2irO3"),
            ("k", "KilO3irO2"),
        ],
        facings: Some(('C', ['C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'])),
        drawings: &[
            ('S', "super-pawn"),
            ('A', "archer"),
            ('C', "cyclops-n"),
            ('D', "cyclops-ne"),
            ('E', "cyclops-e"),
            ('F', "cyclops-se"),
            ('G', "cyclops-s"),
            ('H', "cyclops-sw"),
            ('I', "cyclops-w"),
            ('J', "cyclops-nw"),
        ],
    }
}

static GAST: XBoardDef = XBoardDef {
    parent: "courier",
    holdings: 0,
    pictures: "PNBRQ..GAK",
    moves: &[("P&", "fmW2fceF2ifmW4"), ("N&", "NCA"), ("G&", "BNCA"), ("A&", "RNCA"), ("K&", "KisD")],
    facings: None,
    drawings: &[('G', "archbishop"), ('A', "marshal")],
};

static GAST14: XBoardDef = XBoardDef {
    parent: "courier",
    holdings: 0,
    pictures: "PNBRQ..GA......OK",
    moves: &[
        ("P&", "fmW2fceF2ifmW4"),
        ("N&", "NCA"),
        ("G&", "BNCA"),
        ("A&", "RNCA"),
        ("O&", "QNCA"),
        ("K&", "KisD"),
    ],
    facings: None,
    drawings: &[('G', "archbishop"), ('A', "marshal"), ('O', "pope")],
};

static CHESS: XBoardDef =
    XBoardDef { parent: "normal", holdings: 0, pictures: "PNBRQK", moves: &[], facings: None, drawings: &[] };

static GRAND: XBoardDef = XBoardDef {
    parent: "grand",
    holdings: 7,
    pictures: "PNBRQ..ACK",
    // The pawn is described, or XBoard would promote every pawn near the last rank.
    moves: &[("P&", "fmWfceFifmnD"), ("A&", "BN"), ("C&", "RN")],
    facings: None,
    drawings: &[('A', "archbishop"), ('C', "marshal")],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, NAMES};

    #[test]
    fn every_game_is_described_by_its_letters() {
        for name in NAMES {
            let info = engine::info(name).unwrap();
            let def = def(&info);
            for letter in def.pictures.chars().filter(|&letter| letter != '.') {
                let faces = def.facings.is_some_and(|(_, letters)| letters.contains(&letter));
                let known =
                    info.pieces.iter().any(|piece| piece.letter as char == letter.to_ascii_lowercase());
                assert!(faces || known, "{name}: {letter}");
            }
        }
    }
}
