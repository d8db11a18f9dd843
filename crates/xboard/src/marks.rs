//! Marks on XBoard's board: where the piece that a person holds may go.

use super::mirror::Mirror;
use super::mirror::person::MouseMove;
use quintain_engine::{FileRank, Session};
use std::collections::BTreeMap;

/// What happens if the piece is dropped on a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// It moves there.
    Quiet,
    /// It captures.
    Capture,
    /// It becomes one of these; XBoard proposes the first.
    Choice(String),
}

impl Target {
    /// The colour that XBoard understands; a capital means that the square is allowed.
    fn color(&self) -> char {
        match self {
            Target::Quiet => 'Y',
            Target::Capture => 'R',
            Target::Choice(_) => 'M',
        }
    }
}

/// The squares where a held piece may be dropped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks(BTreeMap<FileRank, Target>);

impl Marks {
    /// Those of the piece on a square, or of a piece in hand (`None`).
    pub fn of(mirror: &Mirror, session: &dyn Session, from: Option<FileRank>) -> Marks {
        match from {
            Some(from) => Marks(Self::of_piece(mirror, session, from)),
            None => Marks(mirror.drop_squares(session).into_iter().map(|to| (to, Target::Quiet)).collect()),
        }
    }

    fn of_piece(mirror: &Mirror, session: &dyn Session, from: FileRank) -> BTreeMap<FileRank, Target> {
        let piece = mirror.board().at(from);
        let mut moves: BTreeMap<FileRank, Vec<MouseMove>> = BTreeMap::new();
        for mv in mirror.mouse_moves(session, from) {
            moves.entry(mv.to).or_default().push(mv);
        }
        // The facing that the piece has comes first, then the others clockwise; promotion comes before no promotion.
        let order = mirror.quirks().facing_order(piece);
        let rank = |letter: &char| order.iter().position(|other| other == letter);
        let target = |moves: Vec<MouseMove>| {
            let mut letters: Vec<char> = moves.iter().filter_map(|mv| mv.suffix).collect();
            if letters.is_empty() {
                let captures = moves.iter().any(|mv| mv.captures);
                return if captures { Target::Capture } else { Target::Quiet };
            }
            if letters.len() < moves.len() {
                letters.push(piece);
            }
            letters.iter_mut().for_each(|letter| letter.make_ascii_uppercase());
            letters.sort_by_key(rank);
            Target::Choice(letters.into_iter().collect())
        };
        moves.into_iter().map(|(to, moves)| (to, target(moves))).collect()
    }

    /// The command that paints them on a board of this size.
    pub fn command(&self, files: u8, ranks: u8) -> String {
        let row = |rank: u8| {
            let (mut text, mut free) = (String::new(), 0);
            for file in 0..files {
                match self.0.get(&(file, rank)) {
                    None => free += 1,
                    Some(target) => {
                        if free > 0 {
                            text += &std::mem::take(&mut free).to_string();
                        }
                        text.push(target.color());
                    }
                }
            }
            if free > 0 { text + &free.to_string() } else { text }
        };
        let rows: Vec<String> = (0..ranks).rev().map(row).collect();
        format!("highlight {}", rows.join("/"))
    }

    /// The command that offers what the piece can become on a square.
    pub fn choice(&self, to: FileRank) -> Option<String> {
        match self.0.get(&to)? {
            Target::Choice(letters) => Some(format!("choice {letters}")),
            _ => None,
        }
    }

    /// The same for the first square with a choice: the piece may be dropped before our answer arrives.
    pub fn first_choice(&self) -> Option<String> {
        self.0.keys().find_map(|&to| self.choice(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_engine as engine;

    fn marks(game: &str, fen: Option<&str>, from: Option<FileRank>) -> (String, Vec<String>) {
        let mut session = engine::open(game).unwrap();
        if let Some(fen) = fen {
            session.set_position(Some(fen), &[]).unwrap();
        }
        let (mirror, info) = (Mirror::new(&*session), session.info());
        let marks = Marks::of(&mirror, &*session, from);
        let squares = mirror.quirks().squares();
        let choices = squares.filter_map(|square| marks.choice(square)).collect();
        (marks.command(info.files, info.ranks).replace("highlight ", ""), choices)
    }

    #[test]
    fn a_piece_is_shown_where_it_may_go() {
        // An exchange, a step forward, nothing for the opponent's pieces and for empty squares.
        assert_eq!(marks("canyon", None, Some((3, 1))).0, "8/8/8/8/8/8/1Y6/8");
        assert_eq!(marks("canyon", None, Some((1, 2))).0, "8/8/8/8/1Y6/8/8/8");
        for empty in [(1, 5), (3, 3), (3, 0)] {
            assert_eq!(marks("canyon", None, Some(empty)), ("8/8/8/8/8/8/8/8".into(), vec![]), "{empty:?}");
        }
        assert_eq!(marks("gast14", None, Some((0, 1))).0, "14/14/14/14/14/14/Y13/Y13/Y13/Y13/14/14");
    }

    #[test]
    fn what_a_piece_can_become_is_asked() {
        let (board, choices) = marks("chess", Some("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1"), Some((4, 6)));
        assert_eq!((board.as_str(), choices), ("3M4/8/8/8/8/8/8/8", vec!["choice QRBN".to_owned()]));
        // A cyclops keeps its facing unless another is chosen, and turns on the spot clockwise.
        let fen = "4k5/10/10/10/10/3p6/10/3p6/3C6/4K5 w - - 0 1 ne";
        let (board, choices) = marks("superchessfixed", Some(fen), Some((3, 1)));
        assert_eq!(board, "10/10/10/10/10/6M3/5M4/4M5/3M6/2M7");
        assert_eq!(choices.iter().filter(|choice| *choice == "choice DEFGHIJC").count(), 4);
        assert!(choices.contains(&"choice EFGHIJC".to_owned()));
        let black = "4k5/3c6/10/10/10/10/10/10/10/4K5 b - - 0 1 n";
        assert!(marks("superchessfixed", Some(black), Some((3, 8))).1.contains(&"choice HIJCDEF".to_owned()));
        // Promotion that is optional comes first.
        let fen = "9k/P9/10/10/10/10/10/10/10/K9 w - - 0 1";
        assert_eq!(marks("grand", Some(fen), Some((0, 8))).1.len(), 1);
        let fen = "9k/10/P9/10/10/10/10/10/10/K9 w - - 0 1";
        assert!(marks("grand", Some(fen), Some((0, 7))).1.iter().all(|choice| choice.ends_with('P')));
    }

    #[test]
    fn pieces_in_hand_are_shown_their_squares() {
        assert_eq!(marks("superchess", None, None).0, "10/10/10/10/10/10/10/10/YYYYYYYYYY/10");
        assert_eq!(marks("superchess", None, Some((3, 0))).0, "10/10/10/10/10/10/10/10/10/10");
        assert_eq!(marks("canyon", None, None).0, "8/8/8/8/8/8/8/8");
    }
}
