//! What pages are sent, as JSON.

// The names of the fields are what pages are sent, and say what they hold.
#![allow(missing_docs)]

use quintain_core::board::{Color, Tag};
use quintain_core::notation::{FACINGS, fen};
use quintain_core::rules::PieceDef;
use quintain_core::search::{Endgames, Known};
use quintain_drawings::diagram::seen_by_white;
use quintain_engine::skill::FULL;
use quintain_engine::{self as engine, FileRank, GameInfo, MoveInfo, NAMES, Session};
use quintain_play::game::{Settings, level, verdict};
use quintain_study::{Book, Edge, shipped};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

pub use quintain_play::game::End;
pub use quintain_play::library::ScoreView;

/// The number of a position in a tree. It is not used again after the position was removed.
pub type NodeId = u32;

/// What there is to choose from in dialogs.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Catalog {
    games: Vec<GameView>,
    levels: Vec<LevelView>,
}

/// A level of strength.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
struct LevelView {
    level: u32,
    name: String,
    /// In points of Elo; full strength has none.
    rating: Option<u32>,
    /// Whom it suits, in the words of such a person, if the level has a name: the name and the words.
    suits: Option<[&'static str; 2]>,
}

impl Default for Catalog {
    /// Everything that this program offers.
    fn default() -> Catalog {
        let game = |name: &&str| GameView::of(&*engine::open(name).expect("a game of the list"));
        let suits = |level| {
            let at = level::NAMES.iter().position(|&(named, _)| named == level)?;
            Some([level::NAMES[at].1, level::FOR[at]])
        };
        let level = |level| LevelView {
            level,
            name: level::described(level),
            rating: level::rating(level),
            suits: suits(level),
        };
        Catalog { games: NAMES.iter().map(game).collect(), levels: (0..=FULL).map(level).collect() }
    }
}

/// A game.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GameView {
    pub name: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    pub files: u8,
    pub ranks: u8,
    /// In the order in which positions name the pieces on them; holes are left out.
    pub squares: Vec<FileRank>,
    pub pieces: Vec<PieceView>,
    /// The start position as FEN.
    pub start: &'static str,
    /// Its pieces, as in [`PositionView::pieces`].
    pub start_pieces: Vec<String>,
    /// Do pawns become captured pieces of their side only?
    pub promotes_to_captured: bool,
    /// The castling rights: the letter in the FEN, and the right in words.
    pub castling: Vec<(char, String)>,
    pub en_passant: bool,
    /// What the seventh field of a FEN counts, where it is a number.
    pub counts: Option<&'static str>,
    /// Is there an opening book?
    pub book: bool,
    /// How many puzzles there are.
    pub puzzles: usize,
    /// Has the handbook a page of it?
    pub handbook: bool,
}

/// A kind of piece.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PieceView {
    pub letter: char,
    pub name: &'static str,
    pub moves: &'static str,
    /// The name of its drawing.
    pub drawing: &'static str,
    /// Does it face somewhere?
    pub faces: bool,
}

impl GameView {
    /// The game that a session plays.
    pub fn of(session: &dyn Session) -> GameView {
        let info = session.info();
        let mut pieces: Vec<PieceView> = Vec::new();
        for def in info.pieces {
            let letter = def.letter as char;
            // A piece with facings has its letter several times.
            if let Some(known) = pieces.iter_mut().find(|known| known.letter == letter) {
                known.faces = true;
                continue;
            }
            let &PieceDef { name, moves, drawing, .. } = def;
            pieces.push(PieceView { letter, name, moves, drawing, faces: false });
        }
        let GameInfo { name, title, summary, files, ranks, start, promotes_to_captured, counts, .. } = info;
        let start_pieces = engine::open(name).map(|session| placed(&*session)).unwrap_or_default();
        let (squares, castling) = (session.squares(), session.castling_rights());
        let en_passant = session.has_en_passant();
        GameView {
            name,
            title,
            summary,
            files,
            ranks,
            squares,
            pieces,
            start,
            start_pieces,
            promotes_to_captured,
            castling,
            en_passant,
            counts,
            book: shipped::has_book(name),
            puzzles: shipped::puzzles(name),
            handbook: quintain_handbook::GAMES.contains(&name),
        }
    }
}

fn owner(piece: char) -> Color {
    if piece.is_ascii_uppercase() { Color::White } else { Color::Black }
}

/// A legal move.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct MoveView {
    pub text: String,
    pub san: String,
    pub tag: String,
    pub piece: char,
    pub from: FileRank,
    pub to: FileRank,
    /// The letter of the piece afterwards, if it is another one.
    pub becomes: Option<char>,
    /// Where the piece faces afterwards, if it has facings: 0 to 7, clockwise from White's north.
    pub facing: Option<usize>,
    pub taken: Vec<FileRank>,
    /// Pieces that move besides: from, to.
    pub partners: Vec<(FileRank, FileRank)>,
    /// What endgame tables say, for the side that moves.
    pub verdict: Option<VerdictView>,
}

/// What endgame tables say of a move.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct VerdictView {
    /// "won in 7", "drawn".
    pub words: String,
    /// The larger, the better.
    pub rank: [i32; 2],
}

impl From<Known> for VerdictView {
    fn from(known: Known) -> VerdictView {
        let (result, distance) = known.rank();
        VerdictView { words: verdict::in_words(known), rank: [result, distance] }
    }
}

impl From<&MoveInfo> for MoveView {
    fn from(info: &MoveInfo) -> MoveView {
        MoveView {
            text: info.text.clone(),
            san: info.san.clone(),
            tag: tag(info.tag),
            piece: info.piece,
            from: info.from,
            to: info.to,
            becomes: info.becomes,
            facing: info.facing.map(|facing| seen_by_white(facing, owner(info.piece))),
            taken: info.taken.clone(),
            partners: info.partners.clone(),
            verdict: None,
        }
    }
}

fn tag(tag: Tag) -> String {
    format!("{tag:?}").to_lowercase()
}

/// The legal moves of a position.
pub fn moves(session: &dyn Session) -> Vec<MoveView> {
    session.moves_in_full().iter().map(MoveView::from).collect()
}

/// The legal moves of a position, with what endgame tables say of them.
pub fn moves_with_verdicts(session: &dyn Session, tables: &dyn Endgames) -> Vec<MoveView> {
    let mut moves = moves(session);
    if session.known(tables).is_some() {
        let known: HashMap<String, Option<Known>> = session.known_moves(tables).into_iter().collect();
        for mv in &mut moves {
            mv.verdict = known.get(&mv.text).copied().flatten().map(VerdictView::from);
        }
    }
    moves
}

/// A position.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct PositionView {
    /// The pieces in the order of [`GameView::squares`]: a letter, uppercase for White, and behind it where the piece
    /// faces, as in [`MoveView::facing`]; nothing on an empty square.
    pub pieces: Vec<String>,
    #[cfg_attr(feature = "types", ts(type = "Side"))]
    pub side: &'static str,
    pub fen: String,
    /// The square of the royal piece of the side to move, if it is attacked.
    pub check: Option<FileRank>,
    /// The squares of the pieces that attack it, by name.
    pub checkers: Vec<String>,
    /// The letters of the pieces that are still to be placed.
    pub in_hand: Vec<char>,
    /// What the board does not show.
    pub remark: Option<String>,
    /// The letters of the captured pieces, uppercase for White.
    pub captured: Vec<char>,
    /// How much more White's pieces are worth than Black's, in pawns.
    pub material: i32,
}

impl From<&dyn Session> for PositionView {
    fn from(session: &dyn Session) -> PositionView {
        let (info, squares, checkers) = (session.info(), session.squares(), session.checkers());
        let royal = info.pieces[info.royal].letter as char;
        let royal = if session.side() == Color::White { royal.to_ascii_uppercase() } else { royal };
        let check = squares.iter().find(|&&place| session.piece(place) == Some(royal)).copied();
        PositionView {
            pieces: placed(session),
            side: session.side().name(),
            fen: session.fen(),
            check: check.filter(|_| !checkers.is_empty()),
            checkers,
            in_hand: session.in_hand(),
            remark: session.remark(),
            captured: session.captured(),
            material: session.material().round() as i32,
        }
    }
}

/// The pieces of a position, as in [`PositionView::pieces`].
fn placed(session: &dyn Session) -> Vec<String> {
    let text = |&place: &FileRank| {
        let Some(piece) = session.piece(place) else { return String::new() };
        let facing = session.facing(place).map(|facing| seen_by_white(facing, owner(piece)));
        format!("{piece}{}", facing.map_or(String::new(), |facing| facing.to_string()))
    };
    session.squares().iter().map(text).collect()
}

/// The FEN of a position from the pieces, as in [`PositionView::pieces`], and the fields that follow the placement.
pub fn fen(session: &dyn Session, pieces: &[String], fields: &str) -> String {
    let (info, squares) = (session.info(), session.squares());
    let mut facings = Vec::new();
    let placement = fen::placement(info.files, info.ranks, |file, rank| {
        let Some(at) = squares.iter().position(|&place| place == (file, rank)) else { return Some('*') };
        let mut piece = pieces.get(at)?.chars();
        let letter = piece.next()?;
        let facing = piece.next().and_then(|digit| digit.to_digit(8));
        // Turning the board round twice is no turn.
        facings.extend(facing.map(|facing| FACINGS[seen_by_white(facing as usize, owner(letter))]));
        Some(letter)
    });
    // The facings are the seventh field.
    let fields = fields.split_whitespace().take(if facings.is_empty() { 6 } else { 5 });
    let mut fen: Vec<String> = std::iter::once(placement).chain(fields.map(str::to_owned)).collect();
    if !facings.is_empty() {
        fen.push(facings.join(","));
    }
    fen.join(" ")
}

/// A position of the game or of a variation, and the move that led to it.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct NodeView<'a> {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    #[serde(rename = "move")]
    pub mv: Option<&'a MoveView>,
    /// The number of the move as score sheets write it.
    pub number: &'a str,
    pub position: &'a PositionView,
    pub comment: &'a str,
    /// How good the move is: `?`.
    pub mark: String,
    /// The other annotations, as the signs of chess books.
    pub signs: String,
    pub score: Option<&'a ScoreView>,
    /// How long the move took, in milliseconds.
    pub time: Option<u64>,
    /// Was a hint given in this position?
    pub hinted: bool,
}

/// How the game stands, apart from its positions.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Status<'a> {
    /// The last position of the game.
    pub live: NodeId,
    pub settings: &'a Settings,
    pub engine: EngineSettings,
    pub limits: EngineLimits,
    pub end: Option<End>,
    /// Does the engine think about its move, a hint or a draw?
    pub thinking: bool,
    pub paused: bool,
    /// How many seconds a move takes at least when the engine plays both sides.
    pub pace: f64,
    /// Is the person to be asked how well the engine should play?
    pub newcomer: bool,
    /// Who offers a draw to the other person.
    #[cfg_attr(feature = "types", ts(type = "Side | null"))]
    pub offer: Option<&'static str>,
    pub visitors: Visitors,
    pub hint: Option<&'a MoveView>,
    pub notice: Option<&'a str>,
    /// The name of the game in the library, if it is there.
    pub saved: Option<&'a str>,
    /// What the person calls the game; empty if it has no name.
    pub name: &'a str,
    /// Why the game is not saved, as long as it is so.
    pub unsaved: Option<&'a str>,
    /// Milliseconds that White and Black have.
    pub clock: Option<[u64; 2]>,
    /// Does the time of the side to move run?
    pub running: bool,
    /// The position that is analysed.
    pub analysed: Option<NodeId>,
    /// How many moves are annotated, of how many.
    pub annotated: Option<[usize; 2]>,
}

/// Who else is there.
#[derive(Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Visitors {
    /// Does somebody play White, Black from elsewhere?
    pub white: bool,
    pub black: bool,
    pub spectators: usize,
}

/// What the engine may use.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub threads: usize,
    /// In MiB.
    pub hash: usize,
    /// Lines that analysis shows.
    pub lines: usize,
    /// Does it play moves of the opening book?
    #[serde(default = "yes")]
    pub book: bool,
}

/// The most that each of [`EngineSettings`] may be.
#[derive(Clone, Copy, Serialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct EngineLimits {
    pub threads: usize,
    /// In MiB.
    pub hash: usize,
    pub lines: usize,
}

fn yes() -> bool {
    true
}

/// A move of the opening book.
#[derive(Clone, PartialEq, Serialize, Debug)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct BookMoveView {
    pub text: String,
    pub san: String,
    pub games: u32,
    /// White's part of the points, as people read it.
    pub share: String,
    /// What the searches say, in pawns for White.
    pub score: String,
    /// If the game on the board has the move: who played it, or that it is a variation.
    pub whose: Option<String>,
}

/// The moves that the book of the program has in a position. `whose` says who has played a move there.
pub fn book_moves(session: &dyn Session, whose: impl Fn(&str) -> Option<String>) -> Vec<BookMoveView> {
    let book = Book::of(session.info().name);
    let view = |edge: &Edge| {
        let san = session.describe(&edge.text).ok()?.san;
        let (text, games, whose) = (edge.text.clone(), edge.games(), whose(&edge.text));
        Some(BookMoveView { text, san, games, share: edge.shown_share(), score: edge.shown_score(), whose })
    };
    book.iter().flat_map(|book| book.moves(session).iter().filter_map(view)).collect()
}

/// A line that analysis found.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct LineView {
    /// Which of the best lines, from 1.
    pub number: usize,
    pub depth: u32,
    pub score: ScoreView,
    pub nodes: u64,
    /// Nodes a second.
    pub speed: u64,
    pub san: Vec<String>,
    /// The same moves as coordinates.
    pub texts: Vec<String>,
    pub best: Option<MoveView>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captured_pieces_are_those_of_the_start_that_are_missing() {
        let captured = |game: &str, fen: &str| {
            let mut session = engine::open(game).unwrap();
            session.set_position(Some(fen).filter(|fen| !fen.is_empty()), &[]).unwrap();
            let view = PositionView::from(&*session);
            (view.captured.into_iter().collect::<String>(), view.material)
        };
        for game in NAMES {
            assert_eq!(captured(game, ""), (String::new(), 0), "{game}");
        }
        let lost = |pieces: &str, ahead| (pieces.to_owned(), ahead);
        let fen = "rnb1kbnr/pppppppp/8/8/8/8/1PPPPPPP/1NBQKBNR w Kkq - 0 1";
        assert_eq!(captured("chess", fen), lost("RPq", 4));
        // Two queens of eight pawns: one pawn became the second.
        let promoted = "rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNQ w Qkq - 0 1";
        assert_eq!(captured("chess", promoted).0, "Rp");
        // A cyclops is one, wherever it looks, and in the set-up phase nothing is missing.
        let turned = "rnbckqabnr/ppppssppp1/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR w AJaj - 0 1 se,w";
        assert_eq!(captured("superchess", turned).0, "p");
        let white_placed = "rnbckqabnr/10/10/10/10/10/10/10/PPPPSSPPPP/RNBCKQABNR[ss] b AJaj - 0 1 ?,?";
        assert_eq!(captured("superchess", white_placed).0, "");
        assert_eq!(captured("grand", "9k/10/10/10/10/10/10/10/10/K9 w - - 0 1").0.len(), 38);
    }

    #[test]
    fn editors_know_what_the_fields_of_a_game_mean() {
        let view = |game| GameView::of(&*engine::open(game).unwrap());
        let chess = view("chess");
        assert_eq!(chess.castling[1], ('Q', "White with the rook on a1".into()));
        assert_eq!(chess.castling[2], ('k', "Black with the rook on h8".into()));
        assert_eq!(view("gast").castling[4].1, "Black with the rook on a12");
        for game in NAMES {
            let castles = !engine::open(game).unwrap().castling().is_empty();
            assert_eq!(!view(game).castling.is_empty(), castles, "{game}");
        }
        assert_eq!((chess.en_passant, view("diamond").en_passant), (true, false));
        assert_eq!((chess.counts, view("canyon").counts), (None, Some("Moves made against a bare king")));
    }

    #[test]
    fn a_position_becomes_the_fen_that_it_came_from() {
        for name in NAMES {
            let mut session = engine::open(name).unwrap();
            let pieces = PositionView::from(&*session).pieces;
            let fields = session.fen().split_once(' ').unwrap().1.to_owned();
            let fen = fen(&*session, &pieces, &fields);
            if session.in_hand().is_empty() {
                assert_eq!(fen, session.fen());
                session.set_position(Some(&fen), &[]).unwrap();
            }
        }
        let mut session = engine::open("superchess").unwrap();
        let turned = "4k5/2c7/10/10/10/10/10/2C3C3/10/4K5 w - - 0 1 ne,ne,w";
        session.set_position(Some(turned), &[]).unwrap();
        let pieces = PositionView::from(&*session).pieces;
        assert!(pieces.contains(&"c5".to_owned()) && pieces.contains(&"C6".to_owned()));
        assert_eq!(fen(&*session, &pieces, "w - - 0 1 n,n,n"), turned);
    }
}
