//! One game in progress, whichever game it is.

mod mate;
mod playable;

pub use playable::{AnyGame, Playable, any_game};

use crate::board::{Board, Color, Kind, Move, Piece, Square, SquareSet, Tag};
use crate::eval::{self, Evaluator, Network};
use crate::notation::{FenError, Lessons, MoveError, coords, draw, fen, san};
use crate::rules::perft::{Counting, divide};
use crate::rules::{Editor, Extra, Outcome, PieceDef, Position, Reason};
use crate::search::score::{Score, UciScore};
use crate::search::{
    self, Bound, Control, Endgames, Event, Info, Known, Limits, Listener, Memory, Settings, each_line, tables,
};
use std::sync::Arc;
use thiserror::Error;

/// A description of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in protocols, "canyon".
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What is special about it, in one phrase.
    pub summary: &'static str,
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
    /// Number of squares, holes left out.
    pub squares: u32,
    /// The start position.
    pub start: &'static str,
    /// The rules for people.
    pub rules: &'static str,
    /// What newcomers are shown of it.
    pub lessons: Option<&'static Lessons>,
    /// The kinds of pieces; a letter may come several times (facings).
    pub pieces: &'static [PieceDef],
    /// The royal kind, as an index into `pieces`.
    pub royal: usize,
    /// The most pieces of a side.
    pub max_pieces: u32,
    /// Do pawns become captured pieces of their side only?
    pub promotes_to_captured: bool,
    /// What the seventh field of a FEN counts, where it is a number.
    pub counts: Option<&'static str>,
    /// What a pawn is worth in units of the evaluation and the search.
    pub pawn: Score,
    /// The game of other programs that it resembles most, see [`Notation::TEMPLATE`](crate::notation::Notation::TEMPLATE).
    pub template: &'static str,
    /// The number of kinds of pieces that can be held beside the board.
    pub holdings: u8,
    /// The game whose network it uses, see [`Inputs::NETWORK_GAME`](eval::Inputs::NETWORK_GAME).
    pub network: &'static str,
}

/// A square as file and rank, both from 0.
pub type FileRank = (u8, u8);

/// A legal move with all its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveInfo {
    /// Coordinates, as UCI writes them.
    pub text: String,
    /// SAN.
    pub san: String,
    /// What kind of move it is.
    pub tag: Tag,
    /// The piece that moves: its letter, uppercase for White.
    pub piece: char,
    /// The suffix of the coordinates: promotion letter, facing, or nothing.
    pub suffix: String,
    /// The letter of the piece afterwards, if it is another one.
    pub becomes: Option<char>,
    /// Where a piece that has facings faces afterwards: 0 to 7, clockwise from its owner's north.
    pub facing: Option<usize>,
    /// Where it starts.
    pub from: FileRank,
    /// Where it ends, or the target of a shot, or the partner of an exchange.
    pub to: FileRank,
    /// The squares of the pieces that it removes, of either colour, nearest to `from` first.
    pub taken: Vec<FileRank>,
    /// Other pieces that move: from, to (the rook in castling, the partner of an exchange).
    pub partners: Vec<(FileRank, FileRank)>,
}

/// Why a position was not set up.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The FEN cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A game in progress, whichever game it is. A method that returns an error changes nothing.
///
/// ```
/// let mut session = quintain::engine::open("canyon").expect("a game");
/// assert_eq!(session.moves().len(), 16);
/// let played = session.play("d2b2")?;
/// assert_eq!((played.san.as_str(), played.taken.len()), ("K-Nb2", 0));
/// let error = session.play("a8a7").unwrap_err();
/// assert_eq!(error.to_string(), "a8a7: there is no piece on a8");
/// # Ok::<(), quintain::notation::MoveError>(())
/// ```
pub trait Session: Send + Sync {
    /// The description of the game.
    fn info(&self) -> GameInfo;
    /// Sets up a position (`None`: the start) and plays moves given as coordinates. The error says what is wrong.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), PositionError>;
    /// Plays a move given as coordinates.
    fn play(&mut self, text: &str) -> Result<MoveInfo, MoveError>;
    /// Plays a move given as coordinates or SAN.
    fn play_any(&mut self, text: &str) -> Result<MoveInfo, MoveError>;
    /// The legal move given as coordinates or SAN, in full, without playing it.
    fn describe(&self, text: &str) -> Result<MoveInfo, MoveError>;
    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;
    /// The position as FEN.
    fn fen(&self) -> String;
    /// A hash of the position: the same for the same pieces, side to move and rights, whatever the counters.
    fn key(&self) -> u64;
    /// The side to move.
    fn side(&self) -> Color;
    /// Moves played since the position was set up, as coordinates and as SAN.
    fn played(&self) -> Vec<(String, String)>;
    /// The legal moves as coordinates, sorted.
    fn moves(&self) -> Vec<String>;
    /// The legal move with these coordinates.
    fn find(&self, text: &str) -> Result<Move, MoveError>;
    /// A line of moves from this position as coordinates. Ends at the first that is not legal.
    fn coordinates(&self, line: &[Move]) -> Vec<String>;
    /// A line of moves from this position as SAN. Ends at the first that is not legal.
    fn san(&self, line: &[Move]) -> Vec<String>;
    /// The legal moves in full, in no particular order.
    fn moves_in_full(&self) -> Vec<MoveInfo>;
    /// The squares of the pieces that give check, by name.
    fn checkers(&self) -> Vec<String>;
    /// The squares of the pieces of the side to move that may not go everywhere, because their king would be attacked.
    fn pinned(&self) -> Vec<FileRank>;
    /// Is this a square of the board, and not a hole?
    fn has_square(&self, place: FileRank) -> bool;
    /// The squares of the board, from a1 along the ranks.
    fn squares(&self) -> Vec<FileRank> {
        let GameInfo { files, ranks, .. } = self.info();
        let all = (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        all.filter(|&place| self.has_square(place)).collect()
    }
    /// The letter of the piece on a square, uppercase for White; `None` if the square is empty.
    fn piece(&self, place: FileRank) -> Option<char>;
    /// Where the piece on a square faces: 0 to 7, clockwise from its owner's north; `None` if it has no facing.
    fn facing(&self, place: FileRank) -> Option<usize>;
    /// The letters of the pieces that are still to be placed, uppercase for White.
    fn in_hand(&self) -> Vec<char>;
    /// The letters of the pieces that the game began with and that are not on the board, uppercase for White, the most
    /// valuable first; a pawn that became another piece is not missing. Nothing while pieces are still to be placed.
    fn captured(&self) -> Vec<char>;
    /// What White's pieces are worth less what Black's are, in the pawns of scores as they are shown.
    fn material(&self) -> f64;
    /// The castling rights as letters, uppercase for White: files of partners, or KQkq in chess.
    fn castling(&self) -> Vec<char>;
    /// All castling rights that the game has: the letter and the right in words.
    fn castling_rights(&self) -> Vec<(char, String)>;
    /// Can pawns be captured in passing?
    fn has_en_passant(&self) -> bool;
    /// The square on which a pawn can be captured in passing.
    fn en_passant(&self) -> Option<FileRank>;
    /// Plies since the last irreversible move.
    fn halfmove(&self) -> u16;
    /// The number of the move, from 1; it grows after Black's moves.
    fn fullmove(&self) -> u32;
    /// What cannot be seen on the board: what happens in a set-up phase, or how far a count is.
    fn remark(&self) -> Option<String>;
    /// What to type before ordinary moves are possible, with what happens then.
    fn comes_first(&self) -> Option<String>;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The board, drawn.
    fn draw(&self, style: draw::Style) -> String;
    /// The static evaluation for the side to move, in units of the search.
    fn evaluate(&self, network: Option<&Arc<Network>>) -> Score;
    /// What the evaluation for the side to move would lose without each of its pieces, and gain without each enemy: the
    /// letters, uppercase for White, with the losses. The royal pieces are left out, and a side's only piece beside them.
    fn losses(&self) -> Vec<(char, Score)>;
    /// A score of the search or the evaluation as people and protocols are shown it.
    fn shown(&self, score: Score) -> UciScore {
        UciScore::of(score, self.info().pawn)
    }
    /// The position with the colours of all pieces and the ranks exchanged, as a new game without history.
    fn flip(&mut self) -> Result<(), PositionError>;
    /// The position with the other side to move, as a new game without history.
    fn pass(&mut self) -> Result<(), PositionError>;
    /// The number of sequences of `depth` legal moves, draws by rule ignored.
    fn perft(&self, depth: u32, counting: Counting) -> u64;
    /// The same below each legal move, which is given as coordinates; `threads` threads take the moves in turn. `on_move` is
    /// called, from any thread, as each move is done.
    fn divide(
        &self,
        depth: u32,
        threads: usize,
        counting: Counting,
        on_move: &(dyn Fn(&str, u64) + Sync),
    ) -> Vec<(String, u64)>;
    /// What endgame tables of this game know of the position.
    fn known(&self, tables: &dyn Endgames) -> Option<Known>;
    /// What they know of each legal move, given as coordinates, for the side that moves: the result, and the plies to mate
    /// with this move.
    fn known_moves(&self, tables: &dyn Endgames) -> Vec<(String, Option<Known>)>;
    /// Allocates what [`Session::search`] needs with so many threads. Must not be called during a search.
    fn prepare(&self, memory: &Memory, threads: usize);
    /// Searches until a limit or `control`, which was started with the same limits, ends it; `listener` is called from
    /// this thread. If it may search deep, it needs a stack of [`search::STACK`].
    ///
    /// With a limit of moves to mate, a mate is reported when it is proved, with the line of best play. Its score is a
    /// lower bound if it is not proved that there is no shorter mate, and an upper bound if the mate itself could not be
    /// proved in time. If the game is drawn by a rule, so is every score; the move is for programs that play on.
    fn search(
        &self,
        limits: &Limits,
        settings: Settings,
        memory: &Memory,
        control: &Control,
        listener: &Listener,
    ) -> Info;
    /// A copy, to think on while this one goes on.
    fn copy(&self) -> Box<dyn Session>;
    /// The position alone, as a game without history: a copy whose cost does not grow with the game.
    fn snapshot(&self) -> Box<dyn Session>;
}

fn info<V: Playable>() -> GameInfo {
    GameInfo {
        name: V::NAME,
        title: V::TITLE,
        summary: V::SUMMARY,
        files: V::Board::FILES,
        ranks: V::Board::RANKS,
        squares: V::Board::geometry().all().count(),
        start: V::START,
        rules: V::RULES,
        lessons: V::LESSONS,
        pieces: V::PIECES,
        royal: V::ROYAL.index(),
        max_pieces: V::MAX_PIECES,
        promotes_to_captured: V::PROMOTES_TO_CAPTURED,
        counts: V::COUNTS,
        pawn: V::PAWN,
        template: V::TEMPLATE,
        holdings: V::HOLDINGS,
        network: V::NETWORK_GAME,
    }
}

#[derive(Clone)]
struct Game<V: Playable> {
    pos: Position<V>,
}

impl<V: Playable> Game<V> {
    /// Has the game ended in a draw by a rule, though there are legal moves?
    fn is_drawn(&self) -> bool {
        let outcome = self.pos.outcome();
        outcome.is_some_and(|outcome| !matches!(outcome.reason, Reason::Checkmate | Reason::Stalemate))
    }

    fn place(&self, square: Square) -> FileRank {
        (self.pos.geometry().file(square), self.pos.geometry().rank(square))
    }

    fn square(&self, (file, rank): FileRank) -> Option<Square> {
        self.pos.geometry().square(file.into(), rank.into())
    }

    fn piece_on(&self, place: FileRank) -> Option<Piece> {
        self.square(place).map(|square| self.pos.piece(square)).filter(|piece| piece.is_some())
    }

    fn describe_move(&self, mv: Move) -> MoveInfo {
        let pos = &self.pos;
        let mut taken: Vec<Square> = V::taken(pos, mv).squares().collect();
        taken.sort_by_key(|&square| pos.geometry().between(mv.from(), square).count());
        let letter = |kind| fen::letter::<V>(Piece::new(pos.side(), kind));
        let (piece, after) = (letter(mv.kind()), letter(mv.becomes()));
        MoveInfo {
            text: coords::write(pos, mv),
            san: san::write(pos, mv),
            tag: mv.tag(),
            piece,
            suffix: V::suffix(mv),
            becomes: (after != piece).then_some(after),
            facing: V::facing(Piece::new(pos.side(), mv.becomes())),
            from: self.place(mv.from()),
            to: self.place(mv.to()),
            taken: taken.into_iter().map(|square| self.place(square)).collect(),
            partners: self.partners(mv),
        }
    }

    /// Other pieces of the side that move, found by comparing the boards before and after.
    fn partners(&self, mv: Move) -> Vec<(FileRank, FileRank)> {
        if !matches!(mv.tag(), Tag::Castle | Tag::Swap) {
            return Vec::new();
        }
        let (before, mut after) = (&self.pos, self.pos.without_history());
        after.play_unchecked(mv);
        let side = before.side();
        let mut partners = Vec::new();
        for from in before.color(side).squares().filter(|&from| from != mv.from()) {
            let piece = before.piece(from);
            if after.piece(from) == piece {
                continue;
            }
            let came = |to: &Square| after.piece(*to) == piece && before.piece(*to) != piece;
            if let Some(to) = after.color(side).squares().find(came) {
                partners.push((self.place(from), self.place(to)));
            }
        }
        partners
    }

    /// Each move of a line, written by `write`.
    fn line(&self, line: &[Move], write: impl Fn(&Position<V>, Move) -> String) -> Vec<String> {
        let mut pos = self.pos.without_history();
        let mut texts = Vec::new();
        for &mv in line.iter() {
            if !pos.is_legal(mv) {
                break;
            }
            texts.push(write(&pos, mv));
            pos.play_unchecked(mv);
        }
        texts
    }

    /// Reads coordinates or SAN.
    fn read_any(&self, text: &str) -> Result<Move, MoveError> {
        coords::parse(&self.pos, text).or_else(|_| san::parse(&self.pos, text))
    }

    fn played_move(&mut self, mv: Move) -> MoveInfo {
        let info = self.describe_move(mv);
        self.pos.play_unchecked(mv);
        info
    }
}

impl<V: Playable> Session for Game<V> {
    fn info(&self) -> GameInfo {
        info::<V>()
    }

    fn set_position(&mut self, text: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let mut pos = fen::parse::<V>(text.unwrap_or(V::START))?;
        for text in moves {
            let mv = coords::parse(&pos, text)?;
            pos.play_unchecked(mv);
        }
        self.pos = pos;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<MoveInfo, MoveError> {
        let mv = coords::parse(&self.pos, text)?;
        Ok(self.played_move(mv))
    }

    fn play_any(&mut self, text: &str) -> Result<MoveInfo, MoveError> {
        let mv = self.read_any(text)?;
        Ok(self.played_move(mv))
    }

    fn describe(&self, text: &str) -> Result<MoveInfo, MoveError> {
        Ok(self.describe_move(self.read_any(text)?))
    }

    fn undo(&mut self) -> bool {
        self.pos.take_back().is_some()
    }

    fn fen(&self) -> String {
        fen::write(&self.pos)
    }

    fn key(&self) -> u64 {
        self.pos.key()
    }

    fn side(&self) -> Color {
        self.pos.side()
    }

    fn played(&self) -> Vec<(String, String)> {
        let mut pos = self.pos.clone();
        while pos.take_back().is_some() {}
        let text = |mv: Move| {
            let texts = (coords::write(&pos, mv), san::write(&pos, mv));
            pos.play_unchecked(mv);
            texts
        };
        self.pos.moves_played().map(text).collect()
    }

    fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> =
            self.pos.legal_moves().iter().map(|&mv| coords::write(&self.pos, mv)).collect();
        moves.sort();
        moves
    }

    fn find(&self, text: &str) -> Result<Move, MoveError> {
        coords::parse(&self.pos, text)
    }

    fn coordinates(&self, line: &[Move]) -> Vec<String> {
        self.line(line, coords::write)
    }

    fn san(&self, line: &[Move]) -> Vec<String> {
        self.line(line, san::write)
    }

    fn moves_in_full(&self) -> Vec<MoveInfo> {
        self.pos.legal_moves().iter().map(|&mv| self.describe_move(mv)).collect()
    }

    fn checkers(&self) -> Vec<String> {
        self.pos.checkers().squares().map(|square| self.pos.geometry().name(square)).collect()
    }

    fn pinned(&self) -> Vec<FileRank> {
        self.pos.pinned().squares().map(|square| self.place(square)).collect()
    }

    fn has_square(&self, place: FileRank) -> bool {
        self.square(place).is_some()
    }

    fn piece(&self, place: FileRank) -> Option<char> {
        self.piece_on(place).map(fen::letter::<V>)
    }

    fn facing(&self, place: FileRank) -> Option<usize> {
        self.piece_on(place).and_then(V::facing)
    }

    fn in_hand(&self) -> Vec<char> {
        V::pocket_field(&self.pos).chars().filter(char::is_ascii_alphabetic).collect()
    }

    fn captured(&self) -> Vec<char> {
        if !self.in_hand().is_empty() {
            return Vec::new();
        }
        let array = fen::parse::<V>(V::ARRAY).expect("a position with all pieces");
        let count = |pos: &Position<V>, color: Color, letter: u8| -> i32 {
            let kinds = (0..V::PIECES.len()).filter(|&kind| V::PIECES[kind].letter == letter);
            kinds.map(|kind| pos.pieces(color, Kind::new(kind)).count() as i32).sum()
        };
        let pawns: Vec<u8> = V::PAWNS.iter().map(|kind| V::PIECES[kind.index()].letter).collect();
        let mut kinds: Vec<(Score, u8)> =
            V::PIECES.iter().zip(0..).map(|(def, kind)| (-V::value(Kind::new(kind)), def.letter)).collect();
        kinds.sort_unstable();
        kinds.dedup_by_key(|&mut (_, letter)| letter);
        let mut captured = Vec::new();
        for color in Color::BOTH {
            let missing = |&(_, letter): &(Score, u8)| {
                (letter, count(&array, color, letter) - count(&self.pos, color, letter))
            };
            let missing: Vec<(u8, i32)> = kinds.iter().map(missing).collect();
            // What there is more of than at first was a pawn.
            let mut promoted: i32 = missing.iter().map(|&(_, number)| (-number).max(0)).sum();
            for (letter, mut number) in missing {
                if pawns.contains(&letter) {
                    let became = promoted.min(number.max(0));
                    (number, promoted) = (number - became, promoted - became);
                }
                let letter = letter as char;
                let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
                captured.extend((0..number).map(|_| letter));
            }
        }
        captured
    }

    fn material(&self) -> f64 {
        let worth = |kind: Kind| V::PIECES[kind.index()].worth[0];
        let all = |color| -> Score {
            let pieces = self.pos.color(color).squares().map(|square| self.pos.piece(square));
            pieces.map(|piece| worth(piece.kind())).sum()
        };
        f64::from(all(Color::White) - all(Color::Black) + V::in_hand(&self.pos)) / f64::from(V::PAWN)
    }

    fn castling(&self) -> Vec<char> {
        V::castling_field(&self.pos).chars().filter(char::is_ascii_alphabetic).collect()
    }

    fn castling_rights(&self) -> Vec<(char, String)> {
        let Some(castlings) = V::castlings(self.pos.tables()) else { return Vec::new() };
        let name = |square| self.pos.geometry().name(square);
        let words = |(letter, piece, square): (char, Piece, Square)| {
            let kind = V::PIECES[piece.kind().index()].name;
            (letter, format!("{} with the {kind} on {}", piece.color(), name(square)))
        };
        castlings.all_rights::<V>().into_iter().map(words).collect()
    }

    fn has_en_passant(&self) -> bool {
        let mut extra = V::Extra::default();
        extra.set_en_passant(self.pos.geometry().all().first());
        extra.en_passant().is_some()
    }

    fn en_passant(&self) -> Option<FileRank> {
        let square = self.pos.extra().en_passant();
        square.is_some().then(|| self.place(square))
    }

    fn halfmove(&self) -> u16 {
        self.pos.halfmove()
    }

    fn fullmove(&self) -> u32 {
        self.pos.fullmove()
    }

    fn remark(&self) -> Option<String> {
        V::remark(&self.pos)
    }

    fn comes_first(&self) -> Option<String> {
        V::comes_first(&self.pos)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.pos.outcome()
    }

    fn draw(&self, style: draw::Style) -> String {
        draw::board(&self.pos, style)
    }

    fn evaluate(&self, network: Option<&Arc<Network>>) -> Score {
        eval::evaluate(&self.pos, V::network_or(network))
    }

    fn losses(&self) -> Vec<(char, Score)> {
        let pos = &self.pos;
        let mut evaluator = Evaluator::new(V::network());
        let before = evaluator.evaluate(pos);
        let mut losses = Vec::new();
        for square in pos.occupied().squares() {
            let piece = pos.piece(square);
            let mut without = pos.without_history();
            Editor::new(&mut without).take_hashed(square);
            // Without it, the king may be attacked, or a bare king be left, which other rules judge.
            let bare = Color::BOTH.into_iter().any(|color| without.is_bare_king(color));
            if piece.kind() == V::ROYAL || bare {
                continue;
            }
            let loss = before - evaluator.evaluate(&without);
            let loss = if piece.color() == pos.side() { loss } else { -loss };
            losses.push((fen::letter::<V>(piece), loss));
        }
        losses
    }

    fn flip(&mut self) -> Result<(), PositionError> {
        let flipped = fen::flip(&self.pos);
        self.set_position(Some(&flipped), &[])
    }

    fn pass(&mut self) -> Result<(), PositionError> {
        let passed = fen::pass(&self.pos);
        self.set_position(Some(&passed), &[])
    }

    fn perft(&self, depth: u32, counting: Counting) -> u64 {
        counting.count(&mut self.pos.clone(), depth)
    }

    fn divide(
        &self,
        depth: u32,
        threads: usize,
        counting: Counting,
        on_move: &(dyn Fn(&str, u64) + Sync),
    ) -> Vec<(String, u64)> {
        let done = |mv, nodes| on_move(&coords::write(&self.pos, mv), nodes);
        let counts = divide(&self.pos, depth, threads, counting, &done);
        counts.into_iter().map(|(mv, nodes)| (coords::write(&self.pos, mv), nodes)).collect()
    }

    fn known(&self, tables: &dyn Endgames) -> Option<Known> {
        tables::known(&self.pos, tables)
    }

    fn known_moves(&self, tables: &dyn Endgames) -> Vec<(String, Option<Known>)> {
        let moves = tables::known_moves(&self.pos, tables).into_iter();
        moves.map(|(mv, known)| (coords::write(&self.pos, mv), known)).collect()
    }

    fn prepare(&self, memory: &Memory, threads: usize) {
        memory.prepare::<V>(threads);
    }

    fn search(
        &self,
        limits: &Limits,
        settings: Settings,
        memory: &Memory,
        control: &Control,
        listener: &Listener,
    ) -> Info {
        if self.is_drawn() {
            // A GUI that does not know the rule may still want a move.
            let draw = |info: &Info| Info { score: 0, bound: Bound::Exact, ..info.clone() };
            let told = each_line(|info| listener(Event::Info(&draw(info))));
            return draw(&self.search_shallowly(limits, settings, memory, control, &told));
        }
        match limits.mate {
            Some(wanted) => self.search_mate(wanted, limits, settings, memory, control, listener),
            None => search::find_best(&self.pos, limits, settings, memory, control, listener),
        }
    }

    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn snapshot(&self) -> Box<dyn Session> {
        Box::new(Game { pos: self.pos.without_history() })
    }
}
