//! Positions with the moves that led to them.

use crate::values::{Outcome, Variant};
use crate::{endgames, game, interrupt, value_error, whole};
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use quintain::board::square_name;
use quintain::engine::Session;
use quintain::engine::options::most_threads;
use quintain::notation::draw::Style;
use quintain::rules::perft::{Counting, total};
use quintain::search::Known;
use quintain::study::Book;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A position of a variant and the moves that led to it, which repetition depends on.
///
/// It begins at the start position of the variant or at a FEN; `moves` are played from there. Moves are text as in
/// UCI: "e2e4", "e7e8q". Illegal positions and moves raise ValueError, whose message says why, and change nothing.
#[pyclass(module = "quintain")]
pub struct Position {
    game: Box<dyn Session>,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant, fen=None, moves=Vec::new()))]
    fn new(variant: &str, fen: Option<&str>, moves: Vec<String>) -> PyResult<Position> {
        let mut game = game(variant)?;
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        game.set_position(fen, &moves).map_err(value_error)?;
        Ok(Position { game })
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> Variant {
        Variant::of(&*self.game)
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> &'static str {
        self.game.side().name()
    }

    /// The number of the move, from 1; it grows after Black's moves.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.game.fullmove()
    }

    /// Plies since the last irreversible move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.game.halfmove()
    }

    /// The moves played since the position was set up.
    #[getter]
    fn move_stack(&self) -> Vec<String> {
        self.game.played().into_iter().map(|(text, _)| text).collect()
    }

    /// The position as FEN.
    fn fen(&self) -> String {
        self.game.fen()
    }

    /// The pieces by the names of their squares: a letter, uppercase for White.
    fn pieces(&self) -> BTreeMap<String, char> {
        let squares = self.game.squares().into_iter();
        squares.filter_map(|place| Some((square_name(place), self.game.piece(place)?))).collect()
    }

    /// The letters of the pieces that are still to be placed, uppercase for White.
    fn hand(&self) -> Vec<char> {
        self.game.in_hand()
    }

    /// The moves that the opening book of the program has here, the most played first: each move, the games that White won,
    /// that were drawn and that Black won, and the score in centipawns for White, if it was searched.
    fn book(&self) -> Vec<(String, [u32; 3], Option<i32>)> {
        let book = Book::of(self.game.info().name);
        let moves = book.iter().flat_map(|book| book.moves(&*self.game));
        moves.map(|edge| (edge.text.clone(), edge.results, edge.score)).collect()
    }

    /// The legal moves, sorted. Draws by rule do not matter.
    fn legal_moves(&self) -> Vec<String> {
        self.game.moves()
    }

    /// Whether the move is legal.
    fn is_legal(&self, r#move: &str) -> bool {
        self.game.find(r#move).is_ok()
    }

    /// Play a move.
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        self.game.play(r#move).map(drop).map_err(value_error)
    }

    /// Play a move written as SAN, and return it as UCI writes it.
    fn push_san(&mut self, san: &str) -> PyResult<String> {
        self.game.play_any(san).map(|played| played.text).map_err(value_error)
    }

    /// Take back the last move, and return it. Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<String> {
        self.game.take_back().ok_or_else(|| PyIndexError::new_err("no move was played"))
    }

    /// A legal move as SAN.
    fn san(&self, r#move: &str) -> PyResult<String> {
        Ok(self.variation_san(vec![r#move.into()])?.remove(0))
    }

    /// The move that is written as SAN. Signs of check and capture may be missing; text as in UCI is accepted too.
    fn parse_san(&self, san: &str) -> PyResult<String> {
        self.copy().push_san(san)
    }

    /// Moves from this position, one after the other, as SAN.
    fn variation_san(&self, moves: Vec<String>) -> PyResult<Vec<String>> {
        let mut game = self.game.copy();
        moves.iter().map(|text| game.play(text).map(|played| played.san).map_err(value_error)).collect()
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        !self.game.checkers().is_empty()
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<String> {
        self.game.checkers()
    }

    /// The result, or None while the game goes on. A position that occurs for the third time and fifty moves without
    /// progress end the game without a claim.
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(Outcome)
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The number of sequences of `depth` legal moves. Draws by rule are ignored.
    #[pyo3(signature = (depth, threads=1))]
    fn perft(slf: &Bound<'_, Self>, depth: i64, threads: i64) -> PyResult<u64> {
        Ok(total(depth as u32, &count(slf, depth, threads)?))
    }

    /// The number of sequences of `depth` legal moves by their first move.
    #[pyo3(signature = (depth, threads=1))]
    fn divide(slf: &Bound<'_, Self>, depth: i64, threads: i64) -> PyResult<BTreeMap<String, u64>> {
        Ok(count(slf, depth, threads)?.into_iter().collect())
    }

    /// The static evaluation for the side to move, in centipawns: a pawn is worth 100 while the board is full.
    fn evaluate(&self) -> i32 {
        self.game.shown(self.game.evaluate(None)).value()
    }

    /// What endgame tables know of the position, or None: "won", "drawn" or "lost" for the side to move, and the plies to
    /// mate, or None if they are not known or it is drawn. The tables of three pieces are part of the package; others are
    /// looked for in the folder `tables`, as `quintain tables build --dir` makes it. Castling rights and a pawn that can be
    /// captured in passing are not in tables, and the fifty-move rule and repetitions are left out.
    #[pyo3(signature = (tables=None))]
    fn probe(&self, tables: Option<&str>) -> PyResult<Option<(&'static str, Option<u16>)>> {
        let set = endgames::of(self.game.info().name, tables)?;
        let known = self.game.known(&*set);
        if let Some(problem) = set.problems().into_iter().next() {
            return Err(PyOSError::new_err(problem));
        }
        Ok(known.map(|known| match known {
            Known::Won(plies) => ("won", plies),
            Known::Drawn => ("drawn", None),
            Known::Lost(plies) => ("lost", plies),
        }))
    }

    /// A copy with its own moves.
    fn copy(&self) -> Position {
        Position { game: self.game.copy() }
    }

    fn __copy__(&self) -> Position {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy()
    }

    /// Pickles the position in which the moves begin, and the moves.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let this = slf.borrow();
        let mut root = this.game.copy();
        while root.undo() {}
        let arguments = (root.info().name, root.fen(), this.move_stack());
        Ok((slf.get_type(), arguments.into_pyobject(slf.py())?))
    }

    /// The same variant and the same FEN; how the position came about does not matter.
    fn __eq__(&self, other: &Self) -> bool {
        self.game.info().name == other.game.info().name && self.game.fen() == other.game.fen()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.game.info().name, self.game.fen())
    }

    /// The board, drawn with letters.
    fn __str__(&self) -> String {
        self.game.draw(Style::default())
    }
}

impl Position {
    /// A copy of the game, for a search.
    pub fn game(&self) -> Box<dyn Session> {
        self.game.copy()
    }
}

/// Counts sequences of legal moves below each first move; Ctrl-C ends it. It counts on a copy, so that other threads may
/// go on with the position.
fn count(position: &Bound<'_, Position>, depth: i64, threads: i64) -> PyResult<Vec<(String, u64)>> {
    let (depth, threads) =
        (whole("depth", depth, 0..=100)?, whole("threads", threads, 1..=most_threads() as i64)?);
    let stopped = AtomicBool::new(false);
    let game = position.borrow().game();
    interrupt::run(
        position.py(),
        |_: &(dyn Fn(()) + Sync)| {
            let counting = Counting::Until(&|| stopped.load(Relaxed));
            game.divide(depth as u32, threads as usize, counting, &|_, _| ())
        },
        || stopped.store(true, Relaxed),
        |_, ()| Ok(()),
    )
}
