//! XBoard's own board, and what XBoard does to it.
//!
//! XBoard does not know our games. It moves men by habits of its own: a king that goes two squares aside takes the
//! nearest man along, a pawn may remove a neighbour in passing, and so on. Who wants its board to show what really
//! happened must foresee what it will do with a move. This is a model of those habits (of XBoard 4.9 with legality
//! testing off), no more of them than our games can run into.

use super::text::Numbering;
use crate::board::Color;
use crate::engine::Place;
use crate::rules::XBoardDef;

/// An empty square.
pub const FREE: char = '.';
/// A square that is not part of the board.
pub const HOLE: char = '*';

/// What XBoard takes for one move: what happens between two changes of its clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ply {
    /// Nothing, only the turn changes.
    Pass,
    /// A new man appears.
    Drop {
        /// Its letter, uppercase.
        man: char,
        /// Where.
        to: Place,
    },
    /// A man moves.
    Move {
        /// Where it stands.
        from: Place,
        /// Squares that it clears on its way, at most two, in the order in which it visits them.
        via: Vec<Place>,
        /// Where it ends.
        to: Place,
        /// The letter, lowercase, of the kind that it is from now on.
        suffix: Option<char>,
    },
}

impl Ply {
    /// A plain move.
    pub fn go(from: Place, to: Place, suffix: Option<char>) -> Ply {
        Ply::Move { from, via: Vec::new(), to, suffix }
    }
}

/// How XBoard treats the men of a game.
#[derive(Clone, Debug)]
pub struct Habits {
    /// It knows the game by itself.
    native: bool,
    /// Who takes a friend changes places with him.
    swaps: bool,
    /// New men may appear.
    drops: bool,
    /// The letters, lowercase, of men that it takes for pawns, the true pawn first.
    pawns: Vec<char>,
    /// The one that its move lists name by no letter; [`FREE`] if there is none.
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

/// Built-in games without castling, in which capturing a friend means changing places.
const WITHOUT_CASTLING: [&str; 5] = ["courier", "grand", "shatranj", "makruk", "nocastle"];
/// Built-in games in which it lets any man be dropped.
const WITH_DROPS: [&str; 1] = ["bughouse"];
/// Places in the list of pictures.
const PAWN_SLOTS: [usize; 2] = [0, 18];
const ROOK_SLOT: usize = 3;

impl Habits {
    /// Those for a game with `files` files and `ranks` ranks.
    pub fn new(def: &XBoardDef, files: u8, ranks: u8) -> Habits {
        let letters: Vec<char> = def.pictures.to_ascii_lowercase().chars().collect();
        let (king, others) =
            letters.split_last().map_or((FREE, &letters[..]), |(&king, others)| (king, others));
        let slot = |slot: usize| others.get(slot).copied().filter(|&letter| letter != FREE);
        let is_king = |id: &str| id.to_ascii_lowercase().starts_with(king);
        let king_moves = def.moves.iter().find(|(id, _)| is_king(id)).map_or("", |&(_, moves)| moves);
        Habits {
            native: def.parent == "normal",
            swaps: WITHOUT_CASTLING.contains(&def.parent),
            drops: WITH_DROPS.contains(&def.parent),
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

    /// Does a king on this file castle short to the right? XBoard turns it round for kings left of the middle.
    pub fn short_is_right(&self, file: u8) -> bool {
        2 * file >= self.files
    }

    /// The letter, lowercase, of the man that XBoard takes for the king.
    pub fn king(&self) -> char {
        self.king
    }

    /// The letter, lowercase, of the man of which XBoard writes the moves without a letter.
    pub fn pawn(&self) -> char {
        self.pawn
    }

    /// Do kings castle only with our help?
    pub fn never_castles(&self) -> bool {
        self.never_castles
    }

    /// How the ranks are numbered.
    pub fn numbering(&self) -> Numbering {
        Numbering::new(self.files, self.ranks)
    }

    /// All squares, holes too, from White's first rank up.
    pub fn squares(&self) -> impl Iterator<Item = Place> {
        let files = self.files;
        (0..self.ranks).flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    /// The letter of a man that faces `compass` (0 to 7, clockwise from its owner's north).
    fn facing_letter(&self, man: char, compass: usize) -> char {
        let Some((letter, letters)) = self.facings else { return man };
        if !man.eq_ignore_ascii_case(&letter) {
            return man;
        }
        let absolute = if man.is_ascii_uppercase() { compass } else { compass ^ 4 };
        letters.get(absolute).map_or(man, |&letter| like(man, letter))
    }

    /// The man as our FEN writes it, and where it faces if it has a facing.
    fn without_facing(&self, man: char) -> (char, Option<usize>) {
        let Some((letter, letters)) = self.facings else { return (man, None) };
        match letters.iter().position(|other| other.eq_ignore_ascii_case(&man)) {
            Some(absolute) if man.is_ascii_uppercase() => (like(man, letter), Some(absolute)),
            Some(absolute) => (like(man, letter), Some(absolute ^ 4)),
            None => (man, None),
        }
    }

    /// May new men appear?
    pub fn can_drop(&self) -> bool {
        self.drops
    }

    /// The letters, uppercase, of all facings of such a man, its own first and then clockwise; none for other men.
    pub fn facing_order(&self, man: char) -> Vec<char> {
        let (Some((_, letters)), (_, Some(compass))) = (self.facings, self.without_facing(man)) else {
            return Vec::new();
        };
        let absolute = if man.is_ascii_uppercase() { compass } else { compass ^ 4 };
        let mut order = letters.map(|letter| letter.to_ascii_uppercase());
        order.rotate_left(absolute);
        order.to_vec()
    }

    /// The letters of all men.
    pub fn letters(&self, def: &XBoardDef) -> Vec<char> {
        def.pictures.chars().filter(|&letter| letter != FREE).collect()
    }
}

/// The points of the compass as the seventh field of a FEN writes them.
pub const COMPASS: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/// `letter` in the case of `man`.
fn like(man: char, letter: char) -> char {
    if man.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

/// Whose man it is; `None` for an empty square and a hole.
pub fn owner(man: char) -> Option<Color> {
    man.is_ascii_alphabetic().then(|| if man.is_ascii_uppercase() { Color::White } else { Color::Black })
}

/// What XBoard remembers of the last move for captures in passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    /// A position was set up, and XBoard is ready for anything.
    Unknown,
    /// No pawn went far.
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
    men: Vec<char>,
    passing: Passing,
}

impl Board {
    /// The board of a position of ours, given as FEN.
    pub fn of(fen: &str, habits: &Habits) -> Option<Board> {
        let mut fields = fen.split_whitespace();
        let mut board = Board::read(fields.next()?, habits)?;
        let mut facings = fields.nth(5).unwrap_or("-").split(',');
        if let Some((letter, _)) = habits.facings {
            for man in &mut board.men_in_fen_order(habits) {
                if board.at(*man).eq_ignore_ascii_case(&letter) {
                    let compass =
                        facings.next().and_then(|name| COMPASS.iter().position(|&point| point == name));
                    board.set(*man, habits.facing_letter(board.at(*man), compass.unwrap_or(0)));
                }
            }
        }
        Some(board)
    }

    /// A board without men.
    pub fn empty(habits: &Habits) -> Board {
        Board {
            files: habits.files,
            ranks: habits.ranks,
            men: vec![FREE; usize::from(habits.files) * usize::from(habits.ranks)],
            passing: Passing::Unknown,
        }
    }

    /// The board of a placement in XBoard's letters; what stands in brackets is not looked at.
    pub fn read(placement: &str, habits: &Habits) -> Option<Board> {
        let placement = placement.split('[').next()?;
        let mut board = Board::empty(habits);
        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != usize::from(habits.ranks) {
            return None;
        }
        for (row, rank) in rows.into_iter().zip((0..habits.ranks).rev()) {
            let (mut file, mut number) = (0u32, 0u32);
            for symbol in row.chars() {
                if let Some(digit) = symbol.to_digit(10) {
                    number = (10 * number + digit).min(1000);
                    continue;
                }
                if matches!(symbol, '~' | '+') {
                    continue;
                }
                file += std::mem::take(&mut number);
                if file >= u32::from(habits.files) || symbol != HOLE && !symbol.is_ascii_alphabetic() {
                    return None;
                }
                board.set((file as u8, rank), symbol);
                file += 1;
            }
            if file + number != u32::from(habits.files) {
                return None;
            }
        }
        Some(board)
    }

    fn men_in_fen_order(&self, habits: &Habits) -> Vec<Place> {
        let mut squares: Vec<Place> = habits.squares().collect();
        squares.sort_by_key(|&(file, rank)| (std::cmp::Reverse(rank), file));
        squares.retain(|&square| owner(self.at(square)).is_some());
        squares
    }

    /// The placement as XBoard's FEN has it.
    pub fn placement(&self) -> String {
        let row = |rank: u8| {
            let (mut text, mut free) = (String::new(), 0);
            for file in 0..self.files {
                match self.at((file, rank)) {
                    FREE => free += 1,
                    man => {
                        if free > 0 {
                            text += &std::mem::take(&mut free).to_string();
                        }
                        text.push(man);
                    }
                }
            }
            if free > 0 { text + &free.to_string() } else { text }
        };
        (0..self.ranks).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// The placement as our FEN has it, and the facings, if the game has some, as its seventh field.
    pub fn to_ours(&self, habits: &Habits) -> (String, Option<String>) {
        let mut plain = self.clone();
        let mut facings: Vec<&str> = Vec::new();
        for square in self.men_in_fen_order(habits) {
            let (man, facing) = habits.without_facing(self.at(square));
            plain.set(square, man);
            facings.extend(facing.and_then(|compass| COMPASS.get(compass)));
        }
        let facings = if facings.is_empty() { "-".into() } else { facings.join(",") };
        (plain.placement(), habits.facings.map(|_| facings))
    }

    fn index(&self, (file, rank): Place) -> Option<usize> {
        (file < self.files && rank < self.ranks)
            .then(|| usize::from(rank) * usize::from(self.files) + usize::from(file))
    }

    /// What stands on a square.
    pub fn at(&self, square: Place) -> char {
        self.index(square).and_then(|index| self.men.get(index)).copied().unwrap_or(HOLE)
    }

    fn set(&mut self, square: Place, man: char) {
        if let Some(place) = self.index(square).and_then(|index| self.men.get_mut(index)) {
            *place = man;
        }
    }

    /// Do the same men stand on the same squares?
    pub fn agrees(&self, other: &Board) -> bool {
        self.men == other.men
    }

    /// Are the same squares occupied by men of the same colours?
    pub fn resembles(&self, other: &Board) -> bool {
        self.men.len() == other.men.len()
            && self
                .men
                .iter()
                .zip(&other.men)
                .all(|(&a, &b)| owner(a) == owner(b) && (a == HOLE) == (b == HOLE))
    }

    /// Takes over the men of `other`, but not what XBoard remembers.
    pub fn copy_men(&mut self, other: &Board) {
        self.men.clone_from(&other.men);
    }

    /// May XBoard capture in passing whatever a pawn does next?
    pub fn just_set_up(&self) -> bool {
        self.passing == Passing::Unknown
    }

    /// Does to the board what XBoard does when `side` makes this move. `None`: it would refuse, or do something that
    /// this model does not know.
    pub fn after(&self, ply: &Ply, side: Color, habits: &Habits) -> Option<Board> {
        let mut board = self.clone();
        board.passing = Passing::Nothing;
        match ply {
            Ply::Pass => {}
            Ply::Drop { man, to } => {
                if !habits.drops || self.at(*to) != FREE {
                    return None;
                }
                board.set(*to, of(*man, side));
            }
            // It counts as a move, but nothing happens.
            Ply::Move { from, via, to, .. } if from == to && via.is_empty() => {
                owner(self.at(*from)).filter(|&owner| owner == side)?;
            }
            Ply::Move { from, via, to, suffix } => {
                board.go(self.passing, *from, via, *to, side, habits)?;
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
        from: Place,
        via: &[Place],
        to: Place,
        side: Color,
        habits: &Habits,
    ) -> Option<()> {
        let man = self.at(from);
        let on_the_way = via.last().map(|&square| self.at(square));
        if owner(man) != Some(side) || self.at(to) == HOLE {
            return None;
        }
        for &square in via {
            if self.at(square) == HOLE || square == from {
                return None;
            }
            self.set(square, FREE);
        }
        let kind = man.to_ascii_lowercase();
        let forward: i16 = if side == Color::White { 1 } else { -1 };
        let files = i16::from(to.0) - i16::from(from.0);
        let ranks = i16::from(to.1) - i16::from(from.1);
        let is_pawn = habits.pawns.contains(&kind);
        if is_pawn && ranks * forward >= 2 {
            self.passing = self.far(to, ranks * forward, forward, side, habits);
        }

        let target = self.at(to);
        let on_edge = from.0 == 0 || from.0 + 1 == self.files;
        if habits.castles_with && kind == habits.king && on_the_way.and_then(owner) == Some(side) {
            self.set(to, man);
            self.set(from, FREE);
            let aside = if via.last()?.0 < from.0 { to.0.checked_add(1) } else { to.0.checked_sub(1) };
            self.set((aside?, to.1), on_the_way?);
        } else if habits.swaps && owner(target) == Some(side) {
            self.set(from, target);
            self.set(to, man);
        } else if owner(target) == Some(side) && self.is_king_with_rook(man, target, habits) {
            // Castling as in shuffled chess, to squares of its own choice.
            return None;
        } else if kind == habits.king
            && !habits.never_castles
            && !on_edge
            && ranks == 0
            && files.unsigned_abs() > 1
        {
            self.castle(from, to, man);
        } else {
            self.set(from, FREE);
            if is_pawn && target == FREE && files != 0 {
                self.capture_in_passing(passing, from, to, forward, files);
            }
            self.set(to, man);
        }
        Some(())
    }

    fn is_king_with_rook(&self, man: char, target: char, habits: &Habits) -> bool {
        let kinds = [man.to_ascii_lowercase(), target.to_ascii_lowercase()];
        kinds == [habits.king, habits.rook] || kinds == [habits.rook, habits.king]
    }

    /// What it remembers of a pawn that went two squares or more.
    fn far(&self, to: Place, steps: i16, forward: i16, side: Color, habits: &Habits) -> Passing {
        let pawn = habits.pawns.first().copied();
        let beside = |file: Option<u8>| {
            file.is_some_and(|file| {
                let man = self.at((file, to.1));
                owner(man) == Some(!side) && Some(man.to_ascii_lowercase()) == pawn
            })
        };
        let neighbour = beside(to.0.checked_sub(1)) || beside(to.0.checked_add(1));
        Passing::Far { file: neighbour.then_some(to.0), rank: i16::from(to.1) - forward, very: steps > 2 }
    }

    /// The king goes more than one square aside: the nearest man comes to its side.
    fn castle(&mut self, from: Place, to: Place, king: char) {
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

    fn capture_in_passing(&mut self, passing: Passing, from: Place, to: Place, forward: i16, files: i16) {
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

    /// The move as XBoard tells it to the other engine. When the square that a man clears last holds a friend (or for
    /// Black, is empty), XBoard takes the move for castling: the first of two cleared squares and the suffix are lost.
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

    /// Will XBoard take it for castling when it relays it?
    pub fn passes_for_castling(&self, ply: &Ply) -> bool {
        let white = |&square: &Place| owner(self.at(square)) == Some(Color::White);
        matches!(ply, Ply::Move { from, via, .. } if via.last().is_some_and(|last| white(from) == white(last)))
    }
}

/// The man with this letter as a man of `side`.
fn of(letter: char, side: Color) -> char {
    if side == Color::White { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    fn habits(game: &str) -> Habits {
        let info = engine::info(game).unwrap();
        Habits::new(info.xboard, info.files, info.ranks)
    }

    fn place(name: &str) -> Place {
        let rank: u8 = name[1..].parse().unwrap();
        (name.as_bytes()[0] - b'a', rank - 1)
    }

    fn played(game: &str, fen: &str, side: Color, from: &str, via: &[&str], to: &str) -> Option<String> {
        let habits = habits(game);
        let via = via.iter().map(|name| place(name)).collect();
        let ply = Ply::Move { from: place(from), via, to: place(to), suffix: None };
        let mut board = Board::of(fen, &habits).unwrap();
        board.passing = Passing::Nothing;
        Some(board.after(&ply, side, &habits)?.placement())
    }

    #[test]
    fn boards_are_read_and_written() {
        for game in engine::NAMES {
            let (habits, start) = (habits(game), engine::info(game).unwrap().start);
            let board = Board::of(start, &habits).unwrap();
            let (ours, facings) = board.to_ours(&habits);
            assert_eq!(ours, start.split([' ', '[']).next().unwrap());
            assert_eq!(facings.is_some(), game.starts_with("superchess"));
            assert_eq!(Board::read(&board.placement(), &habits), Some(board));
        }
        let habits = habits("canyon");
        for bad in ["", "8/8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "7/8/8/8/8/8/8/8", "8/8/8/?7/8/8/8/8"] {
            assert_eq!(Board::read(bad, &habits), None, "{bad}");
        }
    }

    #[test]
    fn facings_are_letters_and_absolute() {
        let habits = habits("superchess");
        let fen = "4k5/2c7/10/10/10/10/10/2C3C3/10/4K5 w - - 0 1 ne,ne,w";
        let board = Board::of(fen, &habits).unwrap();
        assert_eq!(board.placement(), "4k5/2h7/10/10/10/10/10/2D3I3/10/4K5");
        assert_eq!(board.to_ours(&habits), (fen.split(' ').next().unwrap().into(), Some("ne,ne,w".into())));
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
    fn kings_castle_with_the_nearest_man_or_with_a_named_one() {
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
        let habits = habits("gast");
        let start = "g5k5/p11/12/12/12/12/12/2P9/1P10/12/12/6K5 b - - 0 1";
        let board = Board::of(start, &habits).unwrap();
        let ply = |from, to| Ply::go(place(from), place(to), None);
        // Nobody stands beside the pawn, so XBoard does not think of it.
        let far = board.after(&ply("a11", "a7"), Color::Black, &habits).unwrap();
        let pass = far.after(&ply("b4", "a8"), Color::White, &habits).unwrap();
        assert!(pass.placement().contains("P11/p11"), "{}", pass.placement());
        let beside = Board::of("g5k5/p11/12/12/12/1P10/12/12/12/12/12/6K5 b - - 0 1", &habits).unwrap();
        let far = beside.after(&ply("a11", "a7"), Color::Black, &habits).unwrap();
        let pass = far.after(&ply("b7", "a8"), Color::White, &habits).unwrap();
        assert!(pass.placement().contains("/P11/12/"), "{}", pass.placement());
    }

    #[test]
    fn what_it_takes_for_castling_loses_the_suffix() {
        let habits = habits("superchessfixed");
        let board = Board::of("4k5/3c6/3p6/3P6/10/10/3P6/3C6/10/4K5 w - - 0 1 n,n", &habits).unwrap();
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
