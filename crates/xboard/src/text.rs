//! Moves in XBoard's notation.

use quintain_engine::FileRank;

/// One move for XBoard, between two changes of its clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ply {
    /// Only the turn changes.
    Pass,
    /// A new piece appears.
    Drop {
        /// Its letter, uppercase.
        piece: char,
        /// Where.
        to: FileRank,
    },
    /// A piece moves.
    Move {
        /// Its origin.
        from: FileRank,
        /// Squares that it clears on its path, at most two, in the order of the visits.
        via: Vec<FileRank>,
        /// Where it ends.
        to: FileRank,
        /// The letter, lowercase, of what it becomes.
        suffix: Option<char>,
    },
}

impl Ply {
    /// A plain move.
    pub fn go(from: FileRank, to: FileRank, suffix: Option<char>) -> Ply {
        Ply::Move { from, via: Vec::new(), to, suffix }
    }
}

/// How XBoard numbers ranks: from 1, but from 0 on boards with exactly ten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbering {
    files: u8,
    ranks: u8,
}

impl Numbering {
    /// The numbering of a board.
    pub fn new(files: u8, ranks: u8) -> Numbering {
        Numbering { files, ranks }
    }

    fn first(self) -> u8 {
        if self.ranks == 10 { 0 } else { 1 }
    }

    /// The name of a square.
    pub fn name(self, (file, rank): FileRank) -> String {
        format!("{}{}", (b'a' + file) as char, rank + self.first())
    }

    /// Reads a square, and returns what follows.
    pub fn read(self, text: &str) -> Option<(FileRank, &str)> {
        let file = text.bytes().next()?.wrapping_sub(b'a');
        let rest = text.get(1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let rank = rest.get(..digits)?.parse::<u8>().ok()?.checked_sub(self.first())?;
        (file < self.files && rank < self.ranks).then_some(((file, rank), rest.get(digits..)?))
    }

    /// Our coordinates with XBoard's rank numbers, for people.
    pub fn show(self, text: &str) -> String {
        self.renumber(text, |number| number + u32::from(self.first()) - 1)
    }

    /// Coordinates with XBoard's rank numbers, converted to ours.
    pub fn ours(self, text: &str) -> String {
        self.renumber(text, |number| number + 1 - u32::from(self.first()))
    }

    fn renumber(self, text: &str, change: impl Fn(u32) -> u32) -> String {
        let (mut shown, mut rest) = (String::new(), text);
        while let Some(next) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            match rest.get(..digits).and_then(|number| number.parse::<u32>().ok()) {
                Some(number) if number < 100 => shown += &change(number).to_string(),
                Some(number) => shown += &number.to_string(),
                None => shown.push(next),
            }
            rest = rest.get(digits.max(next.len_utf8())..).unwrap_or("");
        }
        shown
    }

    /// A ply as XBoard sends it, in one word with all legs.
    pub fn word(self, ply: &Ply) -> String {
        match ply {
            Ply::Pass => "@@@@".into(),
            Ply::Drop { piece, to } => format!("{piece}@{}", self.name(*to)),
            Ply::Move { from, via, to, suffix } => {
                let squares: Vec<FileRank> = [&[*from], via.as_slice(), &[*to]].concat();
                let leg = |leg: &[FileRank]| leg.iter().map(|&square| self.name(square)).collect::<String>();
                let legs: Vec<String> = squares.windows(2).map(leg).collect();
                legs.join(",") + &suffix.map(String::from).unwrap_or_default()
            }
        }
    }

    /// The commands that send it to XBoard: one for each leg. XBoard does not understand three of them.
    pub fn commands(self, ply: &Ply) -> Vec<String> {
        if let Ply::Move { from, via, to, suffix } = ply
            && let [first, second] = *via.as_slice()
        {
            let [from, first, second, to] = [*from, first, second, *to].map(|square| self.name(square));
            return vec![format!("move {from}{first}x{second}-{to}{}", suffix.iter().collect::<String>())];
        }
        self.word(ply).split_inclusive(',').map(|leg| format!("move {leg}")).collect()
    }

    /// Reads a move as XBoard sends it: `e2e4`, `e7e8q`, `c4d5,d5e4`, three legs, `P@h3`, `@@@@`, and two legs of
    /// which the second does not begin where the first ends: that names the square that was cleared on the way. Three
    /// legs are read as [`Numbering::commands`] writes them too: `d0d2xd4-d6`.
    pub fn parse(self, text: &str) -> Option<Ply> {
        if text == "@@@@" {
            return Some(Ply::Pass);
        }
        if let Some((piece, square)) = text.split_once('@') {
            let piece = piece.chars().next().filter(|piece| piece.is_ascii_alphabetic())?;
            let (to, rest) = self.read(square)?;
            return rest.is_empty().then_some(Ply::Drop { piece: piece.to_ascii_uppercase(), to });
        }
        if let Some((first, rest)) = text.split_once('x') {
            let (second, third) = rest.split_once('-')?;
            let ((from, between, _), (next, _), (to, suffix)) =
                (self.leg(first)?, self.end(second)?, self.end(third)?);
            return Some(Ply::Move { from, via: vec![between, next], to, suffix });
        }
        let legs: Vec<&str> = text.split(',').collect();
        let (from, to, suffix) = self.leg(legs.first()?)?;
        match *legs.as_slice() {
            [_] => Some(Ply::go(from, to, suffix)),
            [_, second] => {
                let (start, _) = self.read(second)?;
                if start != to {
                    return Some(Ply::Move { from, via: vec![start], to, suffix: None });
                }
                let (_, last, suffix) = self.leg(second)?;
                Some(Ply::Move { from, via: vec![to], to: last, suffix })
            }
            [_, second, third] => {
                let ((_, between, _), (_, last, suffix)) = (self.leg(second)?, self.leg(third)?);
                Some(Ply::Move { from, via: vec![to, between], to: last, suffix })
            }
            _ => None,
        }
    }

    fn leg(self, text: &str) -> Option<(FileRank, FileRank, Option<char>)> {
        let (from, rest) = self.read(text)?;
        let (to, suffix) = self.end(rest)?;
        Some((from, to, suffix))
    }

    /// Where a leg ends, and the letter behind it.
    fn end(self, text: &str) -> Option<(FileRank, Option<char>)> {
        let (to, suffix) = self.read(text)?;
        let mut letters = suffix.trim_start_matches('=').chars();
        let letter = letters.next();
        let sound = letters.next().is_none() && letter.is_none_or(|letter| letter.is_ascii_alphabetic());
        sound.then(|| (to, letter.map(|letter| letter.to_ascii_lowercase())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_ten_ranks_count_from_zero() {
        let (ten, twelve) = (Numbering::new(10, 10), Numbering::new(14, 12));
        assert_eq!((ten.name((0, 0)), ten.name((9, 9))), ("a0".into(), "j9".into()));
        assert_eq!((twelve.name((0, 0)), twelve.name((13, 11))), ("a1".into(), "n12".into()));
        assert_eq!(ten.read("j9a0"), Some(((9, 9), "a0")));
        assert_eq!(twelve.read("n12q"), Some(((13, 11), "q")));
        for bad in ["", "a", "k0", "j10", "A1", "a-1", "é1", "a999"] {
            assert_eq!(ten.read(bad), None, "{bad}");
        }
        assert_eq!(twelve.read("a0"), None);
        assert_eq!((ten.show("S@c2,S@h2"), twelve.show("a11a12q")), ("S@c1,S@h1".into(), "a11a12q".into()));
        assert_eq!((ten.show("e9e10cne"), ten.ours("e8e9cne")), ("e8e9cne".into(), "e9e10cne".into()));
    }

    #[test]
    fn moves_are_written_as_xboard_takes_them() {
        let ten = Numbering::new(10, 10);
        let at =
            |via: &[FileRank]| Ply::Move { from: (3, 0), via: via.to_vec(), to: (3, 6), suffix: Some('h') };
        assert_eq!(ten.commands(&at(&[])), ["move d0d6h"]);
        assert_eq!(ten.commands(&at(&[(3, 2)])), ["move d0d2,", "move d2d6h"]);
        assert_eq!(ten.commands(&at(&[(3, 2), (3, 4)])), ["move d0d2xd4-d6h"]);
        assert_eq!(ten.commands(&Ply::Drop { piece: 'S', to: (2, 1) }), ["move S@c1"]);
        assert_eq!(ten.commands(&Ply::Pass), ["move @@@@"]);
    }

    #[test]
    fn moves_are_read_as_xboard_sends_them() {
        let (ten, twelve) = (Numbering::new(10, 10), Numbering::new(12, 12));
        let ply =
            |from, via: &[FileRank], to, suffix| Some(Ply::Move { from, via: via.to_vec(), to, suffix });
        assert_eq!(ten.parse("e8e9Q"), ply((4, 8), &[], (4, 9), Some('q')));
        assert_eq!(ten.parse("d2d4,d4d5,d5d6q"), ply((3, 2), &[(3, 4), (3, 5)], (3, 6), Some('q')));
        assert_eq!(ten.parse("d2d4xd5-d6q"), ply((3, 2), &[(3, 4), (3, 5)], (3, 6), Some('q')));
        assert_eq!(ten.parse("c5c5,c4b5"), ply((2, 5), &[(2, 4)], (2, 5), None));
        assert_eq!(twelve.parse("g1k1,l1j1"), ply((6, 0), &[(11, 0)], (10, 0), None));
        assert_eq!(twelve.parse("d9a9,e5`9"), ply((3, 8), &[(4, 4)], (0, 8), None));
        assert_eq!(twelve.parse("a11a7"), ply((0, 10), &[], (0, 6), None));
        assert_eq!(ten.parse("s@c1"), Some(Ply::Drop { piece: 'S', to: (2, 1) }));
        assert_eq!(ten.parse("@@@@"), Some(Ply::Pass));
        for bad in [
            "",
            "e2",
            "e2e4e5",
            "e2e4,",
            "Nf3",
            "O-O",
            "Nxf3",
            "e2e4x",
            "e2e4xe5",
            "e2-e4",
            "@",
            "1@a1",
            "e2e4;",
            "e2e4qq",
            "a0a1,a1a2,a2a3,a3a4",
        ] {
            assert_eq!(ten.parse(bad), None, "{bad}");
        }
    }
}
