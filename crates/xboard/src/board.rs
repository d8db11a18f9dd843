//! A model of XBoard's board.
//!
//! XBoard does not know our games, and its board has quirks: a king that goes two squares aside takes the nearest
//! piece along, a pawn may remove a neighbour in passing, and so on. To keep its board right, we must predict the
//! effect of each move. This models XBoard 4.9 without legality testing, as far as our games need it.

use super::games::{self, XBoardDef};
use super::text::{Numbering, Ply};
use quintain_core::board::Color;
use quintain_core::notation::{FACINGS, fen};
use quintain_engine::{FileRank, GameInfo, Session};

/// An empty square.
pub const FREE: char = '.';
/// A square that is not part of the board.
pub const HOLE: char = '*';

/// How XBoard treats the pieces of a game.
#[derive(Clone, Debug)]
pub struct Quirks {
    /// It knows the game by itself.
    native: bool,
    /// A piece that captures a piece of its side exchanges squares with it.
    swaps: bool,
    /// New pieces may appear.
    drops: bool,
    /// The letters, lowercase, of pieces that it treats as pawns, the true pawn first.
    pawns: Vec<char>,
    /// The one without a letter in its move lists; [`FREE`] if there is none.
    pawn: char,
    rook: char,
    king: char,
    /// Descriptions of the king that make it castle by naming the partner, or keep it from castling at all.
    castles_with: bool,
    never_castles: bool,
    files: u8,
    ranks: u8,
    facings: Option<(char, [char; 8])>,
}

/// Built-in games without castling, in which capturing a piece of the own side exchanges squares.
const WITHOUT_CASTLING: [&str; 5] = ["courier", "grand", "shatranj", "makruk", "nocastle"];
/// Built-in games in which it lets any piece be dropped.
const WITH_DROPS: [&str; 1] = ["bughouse"];
/// Places in the list of pictures.
const PAWN_SLOTS: [usize; 2] = [0, 18];
const ROOK_SLOT: usize = 3;

impl Quirks {
    /// The quirks for a game.
    pub fn new(game: &GameInfo) -> Quirks {
        let (def, files, ranks) = (games::def(game), game.files, game.ranks);
        let letters: Vec<char> = def.pictures.to_ascii_lowercase().chars().collect();
        let (king, others) =
            letters.split_last().map_or((FREE, &letters[..]), |(&king, others)| (king, others));
        let slot = |slot: usize| others.get(slot).copied().filter(|&letter| letter != FREE);
        let is_king = |id: &str| id.to_ascii_lowercase().starts_with(king);
        let moves = def.moves(game);
        let king_moves = moves.iter().find(|(id, _)| is_king(id)).map_or("", |(_, moves)| moves);
        Quirks {
            native: game.template == "normal",
            swaps: WITHOUT_CASTLING.contains(&game.template),
            drops: WITH_DROPS.contains(&game.template),
            pawns: PAWN_SLOTS.into_iter().filter_map(slot).collect(),
            pawn: slot(PAWN_SLOTS[0]).unwrap_or(FREE),
            rook: slot(ROOK_SLOT).unwrap_or(FREE),
            king,
            castles_with: king_moves.contains('O'),
            never_castles: king_moves.contains('i') && !king_moves.contains('O'),
            files,
            ranks,
            facings: def.facings,
        }
    }

    /// Does XBoard know the game, so that ordinary coordinates say everything?
    pub fn native(&self) -> bool {
        self.native
    }

    /// Does a king on this file castle short to the right? XBoard reverses it for kings left of the middle.
    pub fn short_is_right(&self, file: u8) -> bool {
        2 * file >= self.files
    }

    /// The letter, lowercase, of the piece that XBoard treats as the king.
    pub fn king(&self) -> char {
        self.king
    }

    /// The letter, lowercase, of the piece of which XBoard writes the moves without a letter.
    pub fn pawn(&self) -> char {
        self.pawn
    }

    /// Does XBoard need extra plies to castle?
    pub fn never_castles(&self) -> bool {
        self.never_castles
    }

    /// How the ranks are numbered.
    pub fn numbering(&self) -> Numbering {
        Numbering::new(self.files, self.ranks)
    }

    /// All squares, holes too, from White's first rank up.
    pub fn squares(&self) -> impl Iterator<Item = FileRank> {
        let files = self.files;
        (0..self.ranks).flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    /// The letter of a piece that faces `compass` (0 to 7, clockwise from its owner's north).
    fn facing_letter(&self, piece: char, compass: usize) -> char {
        let Some((letter, letters)) = self.facings else { return piece };
        if !piece.eq_ignore_ascii_case(&letter) {
            return piece;
        }
        let absolute = if piece.is_ascii_uppercase() { compass } else { compass ^ 4 };
        letters.get(absolute).map_or(piece, |&letter| like(piece, letter))
    }

    /// The piece as our FEN writes it, and where it faces if it has a facing.
    fn without_facing(&self, piece: char) -> (char, Option<usize>) {
        let Some((letter, letters)) = self.facings else { return (piece, None) };
        match letters.iter().position(|other| other.eq_ignore_ascii_case(&piece)) {
            Some(absolute) if piece.is_ascii_uppercase() => (like(piece, letter), Some(absolute)),
            Some(absolute) => (like(piece, letter), Some(absolute ^ 4)),
            None => (piece, None),
        }
    }

    /// May new pieces appear?
    pub fn can_drop(&self) -> bool {
        self.drops
    }

    /// The letters, uppercase, of all facings of such a piece, its own first and then clockwise; none for other
    /// pieces.
    pub fn facing_order(&self, piece: char) -> Vec<char> {
        let (Some((_, letters)), (_, Some(compass))) = (self.facings, self.without_facing(piece)) else {
            return Vec::new();
        };
        let absolute = if piece.is_ascii_uppercase() { compass } else { compass ^ 4 };
        let mut order = letters.map(|letter| letter.to_ascii_uppercase());
        order.rotate_left(absolute);
        order.to_vec()
    }

    /// The letters of all pieces.
    pub fn letters(&self, def: &XBoardDef) -> Vec<char> {
        def.pictures.chars().filter(|&letter| letter != FREE).collect()
    }
}

/// `letter` in the case of `piece`.
fn like(piece: char, letter: char) -> char {
    if piece.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

/// Whose piece it is; `None` for an empty square and a hole.
pub fn owner(piece: char) -> Option<Color> {
    piece.is_ascii_alphabetic().then(|| if piece.is_ascii_uppercase() { Color::White } else { Color::Black })
}

/// XBoard's state for captures in passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    /// A position was set up: any capture is possible.
    Unknown,
    /// No pawn made a long step.
    Nothing,
    /// A pawn did.
    Far {
        /// The file on which it could be captured; none if there is no neighbour that could.
        file: Option<u8>,
        /// The rank, and whether it went more than two squares.
        rank: i16,
        very: bool,
    },
}

/// The board as XBoard shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    files: u8,
    ranks: u8,
    pieces: Vec<char>,
    passing: Passing,
}

impl Board {
    /// The board of a game in its present position.
    pub fn of(session: &dyn Session, quirks: &Quirks) -> Board {
        let mut board = Board::empty(quirks);
        for square in quirks.squares() {
            if !session.has_square(square) {
                board.set(square, HOLE);
            } else if let Some(piece) = session.piece(square) {
                let facing = session.facing(square);
                board.set(square, facing.map_or(piece, |compass| quirks.facing_letter(piece, compass)));
            }
        }
        board
    }

    /// A board without pieces.
    pub fn empty(quirks: &Quirks) -> Board {
        Board {
            files: quirks.files,
            ranks: quirks.ranks,
            pieces: vec![FREE; usize::from(quirks.files) * usize::from(quirks.ranks)],
            passing: Passing::Unknown,
        }
    }

    /// The board of a placement in XBoard's letters; brackets are ignored.
    pub fn read(placement: &str, quirks: &Quirks) -> Option<Board> {
        let placement = placement.split('[').next()?.replace(['~', '+'], "");
        let mut board = Board::empty(quirks);
        let place = |symbol: Option<char>, file, rank| {
            let symbol = symbol.unwrap_or(FREE);
            if !matches!(symbol, FREE | HOLE) && !symbol.is_ascii_alphabetic() {
                return Err(format!("'{symbol}' is no piece"));
            }
            board.set((file, rank), symbol);
            Ok(())
        };
        fen::read_placement(&placement, quirks.files, quirks.ranks, place).ok()?;
        Some(board)
    }

    fn pieces_in_fen_order(&self, quirks: &Quirks) -> Vec<FileRank> {
        let mut squares: Vec<FileRank> = quirks.squares().collect();
        squares.sort_by_key(|&(file, rank)| (std::cmp::Reverse(rank), file));
        squares.retain(|&square| owner(self.at(square)).is_some());
        squares
    }

    /// The placement as XBoard's FEN has it.
    pub fn placement(&self) -> String {
        let symbol = |file, rank| Some(self.at((file, rank))).filter(|&piece| piece != FREE);
        fen::placement(self.files, self.ranks, symbol)
    }

    /// The placement as our FEN has it, and the facings, if the game has some, as its seventh field.
    pub fn to_ours(&self, quirks: &Quirks) -> (String, Option<String>) {
        let mut plain = self.clone();
        let mut facings: Vec<&str> = Vec::new();
        for square in self.pieces_in_fen_order(quirks) {
            let (piece, facing) = quirks.without_facing(self.at(square));
            plain.set(square, piece);
            facings.extend(facing.and_then(|compass| FACINGS.get(compass)));
        }
        let facings = if facings.is_empty() { "-".into() } else { facings.join(",") };
        (plain.placement(), quirks.facings.map(|_| facings))
    }

    fn index(&self, (file, rank): FileRank) -> Option<usize> {
        (file < self.files && rank < self.ranks)
            .then(|| usize::from(rank) * usize::from(self.files) + usize::from(file))
    }

    /// The piece on a square.
    pub fn at(&self, square: FileRank) -> char {
        self.index(square).and_then(|index| self.pieces.get(index)).copied().unwrap_or(HOLE)
    }

    fn set(&mut self, square: FileRank, piece: char) {
        if let Some(place) = self.index(square).and_then(|index| self.pieces.get_mut(index)) {
            *place = piece;
        }
    }

    /// Do the same pieces stand on the same squares?
    pub fn agrees(&self, other: &Board) -> bool {
        self.pieces == other.pieces
    }

    /// Are the same squares occupied by pieces of the same colours?
    pub fn resembles(&self, other: &Board) -> bool {
        self.pieces.len() == other.pieces.len()
            && self
                .pieces
                .iter()
                .zip(&other.pieces)
                .all(|(&a, &b)| owner(a) == owner(b) && (a == HOLE) == (b == HOLE))
    }

    /// Copies the pieces of `other`, but not the state.
    pub fn copy_pieces(&mut self, other: &Board) {
        self.pieces.clone_from(&other.pieces);
    }

    /// May XBoard capture in passing with any next move of a pawn?
    pub fn just_set_up(&self) -> bool {
        self.passing == Passing::Unknown
    }

    /// The effect on XBoard's board when `side` makes this move. `None` if XBoard refuses it, or this model does not
    /// cover it.
    pub fn after(&self, ply: &Ply, side: Color, quirks: &Quirks) -> Option<Board> {
        let mut board = self.clone();
        board.passing = Passing::Nothing;
        match ply {
            Ply::Pass => {}
            Ply::Drop { piece, to } => {
                if !quirks.drops || self.at(*to) != FREE {
                    return None;
                }
                board.set(*to, of(*piece, side));
            }
            // It counts as a move, but changes nothing.
            Ply::Move { from, via, to, .. } if from == to && via.is_empty() => {
                owner(self.at(*from)).filter(|&owner| owner == side)?;
            }
            Ply::Move { from, via, to, suffix } => {
                board.go(self.passing, *from, via, *to, side, quirks)?;
                if let Some(suffix) = suffix {
                    board.set(*to, of(*suffix, side));
                }
            }
        }
        Some(board)
    }

    fn go(
        &mut self,
        passing: Passing,
        from: FileRank,
        via: &[FileRank],
        to: FileRank,
        side: Color,
        quirks: &Quirks,
    ) -> Option<()> {
        let piece = self.at(from);
        let on_the_way = via.last().map(|&square| self.at(square));
        if owner(piece) != Some(side) || self.at(to) == HOLE {
            return None;
        }
        for &square in via {
            if self.at(square) == HOLE || square == from {
                return None;
            }
            self.set(square, FREE);
        }
        let kind = piece.to_ascii_lowercase();
        let forward: i16 = if side == Color::White { 1 } else { -1 };
        let files = i16::from(to.0) - i16::from(from.0);
        let ranks = i16::from(to.1) - i16::from(from.1);
        let is_pawn = quirks.pawns.contains(&kind);
        if is_pawn && ranks * forward >= 2 {
            self.passing = self.far(to, ranks * forward, forward, side, quirks);
        }

        let target = self.at(to);
        let on_edge = from.0 == 0 || from.0 + 1 == self.files;
        if quirks.castles_with && kind == quirks.king && on_the_way.and_then(owner) == Some(side) {
            self.set(to, piece);
            self.set(from, FREE);
            let aside = if via.last()?.0 < from.0 { to.0.checked_add(1) } else { to.0.checked_sub(1) };
            self.set((aside?, to.1), on_the_way?);
        } else if quirks.swaps && owner(target) == Some(side) {
            self.set(from, target);
            self.set(to, piece);
        } else if owner(target) == Some(side) && self.is_king_with_rook(piece, target, quirks) {
            // Castling as in shuffled chess, to squares of its own choice.
            return None;
        } else if kind == quirks.king
            && !quirks.never_castles
            && !on_edge
            && ranks == 0
            && files.unsigned_abs() > 1
        {
            self.castle(from, to, piece);
        } else {
            self.set(from, FREE);
            if is_pawn && target == FREE && files != 0 {
                self.capture_in_passing(passing, from, to, forward, files);
            }
            self.set(to, piece);
        }
        Some(())
    }

    fn is_king_with_rook(&self, piece: char, target: char, quirks: &Quirks) -> bool {
        let kinds = [piece.to_ascii_lowercase(), target.to_ascii_lowercase()];
        kinds == [quirks.king, quirks.rook] || kinds == [quirks.rook, quirks.king]
    }

    /// The state after a pawn's step of two squares or more.
    fn far(&self, to: FileRank, steps: i16, forward: i16, side: Color, quirks: &Quirks) -> Passing {
        let pawn = quirks.pawns.first().copied();
        let beside = |file: Option<u8>| {
            file.is_some_and(|file| {
                let piece = self.at((file, to.1));
                owner(piece) == Some(!side) && Some(piece.to_ascii_lowercase()) == pawn
            })
        };
        let neighbour = beside(to.0.checked_sub(1)) || beside(to.0.checked_add(1));
        Passing::Far { file: neighbour.then_some(to.0), rank: i16::from(to.1) - forward, very: steps > 2 }
    }

    /// The king goes more than one square aside: the nearest piece moves next to it.
    fn castle(&mut self, from: FileRank, to: FileRank, king: char) {
        let right = to.0 > from.0;
        let mut file = from.0;
        let partner = loop {
            file = if right { file + 1 } else { file - 1 };
            if self.at((file, to.1)) != FREE || file == 0 || file + 1 == self.files {
                break self.at((file, to.1));
            }
        };
        self.set((if right { to.0 - 1 } else { to.0 + 1 }, to.1), partner);
        self.set((file, to.1), FREE);
        self.set(from, FREE);
        self.set(to, king);
    }

    fn capture_in_passing(
        &mut self,
        passing: Passing,
        from: FileRank,
        to: FileRank,
        forward: i16,
        files: i16,
    ) {
        let half = self.ranks / 2;
        let far_enough = if forward > 0 { from.1 >= half } else { from.1 < half };
        let allowed = match passing {
            Passing::Unknown => true,
            Passing::Nothing => files.abs() > 4,
            Passing::Far { file, .. } => file == Some(to.0) || files.abs() > 4,
        };
        if !far_enough || !allowed {
            return;
        }
        let two =
            matches!(passing, Passing::Far { rank, very: true, .. } if i16::from(to.1) == rank + forward);
        let rank = i16::from(to.1) - if two { 2 } else { 1 } * forward;
        if let Ok(rank) = u8::try_from(rank) {
            self.set((to.0, rank), FREE);
        }
    }

    /// The move as XBoard relays it to the other engine. When the last cleared square holds a piece of the mover (or,
    /// for Black, is empty), XBoard relays the move as castling: the first of two cleared squares and the suffix are
    /// lost.
    pub fn relayed(&self, ply: &Ply) -> Ply {
        match ply {
            Ply::Move { from, via, to, .. } if self.passes_for_castling(ply) => Ply::Move {
                from: *from,
                via: via.last().copied().into_iter().collect(),
                to: *to,
                suffix: None,
            },
            _ => ply.clone(),
        }
    }

    /// Will XBoard relay it as castling?
    pub fn passes_for_castling(&self, ply: &Ply) -> bool {
        let white = |&square: &FileRank| owner(self.at(square)) == Some(Color::White);
        matches!(ply, Ply::Move { from, via, .. } if via.last().is_some_and(|last| white(from) == white(last)))
    }
}

/// The piece with this letter as a piece of `side`.
fn of(letter: char, side: Color) -> char {
    if side == Color::White { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine as engine;

    fn quirks(game: &str) -> Quirks {
        let info = engine::info(game).unwrap();
        Quirks::new(&info)
    }

    fn place(name: &str) -> FileRank {
        let rank: u8 = name[1..].parse().unwrap();
        (name.as_bytes()[0] - b'a', rank - 1)
    }

    /// A board that may lack kings.
    fn read(fen: &str, quirks: &Quirks) -> Board {
        Board::read(fen.split(' ').next().unwrap(), quirks).unwrap()
    }

    fn played(game: &str, fen: &str, side: Color, from: &str, via: &[&str], to: &str) -> Option<String> {
        let quirks = quirks(game);
        let via = via.iter().map(|name| place(name)).collect();
        let ply = Ply::Move { from: place(from), via, to: place(to), suffix: None };
        let mut board = read(fen, &quirks);
        board.passing = Passing::Nothing;
        Some(board.after(&ply, side, &quirks)?.placement())
    }

    #[test]
    fn boards_are_read_and_written() {
        for game in engine::NAMES {
            let (session, quirks) = (engine::open(game).unwrap(), quirks(game));
            let board = Board::of(&*session, &quirks);
            let (ours, facings) = board.to_ours(&quirks);
            assert_eq!(ours, session.info().start.split([' ', '[']).next().unwrap());
            assert_eq!(facings.is_some(), game.starts_with("superchess"));
            assert_eq!(Board::read(&board.placement(), &quirks), Some(board));
        }
        let quirks = quirks("canyon");
        for bad in ["", "8/8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8", "8/8/8/?7/8/8/8/8"] {
            assert_eq!(Board::read(bad, &quirks), None, "{bad}");
        }
    }

    #[test]
    fn facings_are_letters_and_absolute() {
        let (mut session, quirks) = (engine::open("superchess").unwrap(), quirks("superchess"));
        let fen = "4k5/2c7/10/10/10/10/10/2C3C3/10/4K5 w - - 0 1 ne,ne,w";
        session.set_position(Some(fen), &[]).unwrap();
        let board = Board::of(&*session, &quirks);
        assert_eq!(board.placement(), "4k5/2h7/10/10/10/10/10/2D3I3/10/4K5");
        assert_eq!(board.to_ours(&quirks), (fen.split(' ').next().unwrap().into(), Some("ne,ne,w".into())));
    }

    #[test]
    fn own_captures_swap_or_take() {
        let start = engine::info("canyon").unwrap().start;
        let swapped = "1******1/an*kq*na/mppppppm/*6*/*6*/MPPPPPPM/AK*NQ*NA/1******1";
        assert_eq!(played("canyon", start, Color::White, "d2", &[], "b2").as_deref(), Some(swapped));
        let fen = "rnbckqabnr/ppppsspppp/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 1 n,n";
        let taken = played("superchessfixed", fen, Color::White, "d1", &[], "d2").unwrap();
        assert!(taken.ends_with("PPPCSSPPPP/RNB1KQABNR"), "{taken}");
    }

    #[test]
    fn kings_castle_with_the_nearest_piece_or_with_a_named_one() {
        let after = |game, files: usize, rank, from, via: &[&str], to| {
            let fen = format!("{}{rank} w - - 0 1 -", format!("{files}/").repeat(files - 1));
            let placement = played(game, &fen, Color::White, from, via, to)?;
            Some(placement.split('/').next_back()?.to_owned())
        };
        let super_chess = |via: &[&str], to| after("superchessfixed", 10, "R2B1K2BR", "f1", via, to);
        assert_eq!(super_chess(&[], "h1").as_deref(), Some("R2B2BK1R"));
        // A partner that stands there already is lost.
        assert_eq!(super_chess(&[], "c1").as_deref(), Some("R1K5BR"));
        assert_eq!(super_chess(&["j1"], "h1").as_deref(), Some("R2B2RKB1"));
        assert_eq!(super_chess(&["a1"], "c1").as_deref(), Some("2KR4BR"));
        // Where the king's description has first moves that are no castling, it goes alone.
        assert_eq!(after("gast", 12, "R2A2K1A2R", "g1", &[], "c1").as_deref(), Some("R1KA4A2R"));
    }

    #[test]
    fn pawns_capture_in_passing_only_when_xboard_thinks_so() {
        let quirks = quirks("gast");
        let start = "g5k5/p11/12/12/12/12/12/2P9/1P10/12/12/6K5 b - - 0 1";
        let board = read(start, &quirks);
        let ply = |from, to| Ply::go(place(from), place(to), None);
        // No pawn stands beside it, so XBoard does not expect a capture.
        let far = board.after(&ply("a11", "a7"), Color::Black, &quirks).unwrap();
        let pass = far.after(&ply("b4", "a8"), Color::White, &quirks).unwrap();
        assert!(pass.placement().contains("P11/p11"), "{}", pass.placement());
        let beside = read("g5k5/p11/12/12/12/1P10/12/12/12/12/12/6K5 b - - 0 1", &quirks);
        let far = beside.after(&ply("a11", "a7"), Color::Black, &quirks).unwrap();
        let pass = far.after(&ply("b7", "a8"), Color::White, &quirks).unwrap();
        assert!(pass.placement().contains("/P11/12/"), "{}", pass.placement());
    }

    #[test]
    fn what_it_takes_for_castling_loses_the_suffix() {
        let quirks = quirks("superchessfixed");
        let board = read("4k5/3c6/3p6/3P6/10/10/3P6/3C6/10/4K5 w - - 0 1 n,n", &quirks);
        let ply = |from, via, to| Ply::Move {
            from: place(from),
            via: vec![place(via)],
            to: place(to),
            suffix: Some('e'),
        };
        let lost = |ply: &Ply| board.relayed(ply) != *ply;
        assert!(
            lost(&ply("d9", "d8", "d5")) && !lost(&ply("d9", "d7", "d5")) && lost(&ply("d9", "d5", "d9"))
        );
        assert!(
            lost(&ply("d3", "d4", "d5")) && !lost(&ply("d3", "d8", "d9")) && !lost(&ply("d3", "d5", "d3"))
        );
    }
}
