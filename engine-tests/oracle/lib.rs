//! A slow, plain move generator for all nine games, against which the engine is tested.
//!
//! It shares nothing with the engine. A position is a grid of pieces. All moves that a piece can make
//! are listed by walking over the grid, each is made on a copy of the position, and those after
//! which the mover's own king could be captured are dropped. It is not fast, but each rule can be
//! checked by reading it.
//!
//! The rules that end a game in a draw are not here: the moves of a drawn position are listed
//! like those of any other.

mod board;
mod canyon;
mod castling;
mod chess;
mod diamond;
mod fen;
mod gast;
mod grand;
mod grandcavalier;
mod pawn;
mod superchess;

use board::{Color, Moves, Position, Square};
use fen::Extra;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What makes one game different from the others.
trait Rules: Sync {
    /// The position the game starts from.
    fn start(&self) -> &'static str;

    /// The squares on which the piece on `from` could capture an enemy, if one stood there. It does
    /// not matter what does stand there.
    fn attacks(&self, pos: &Position, from: Square) -> Vec<Square>;

    /// Adds the moves of the piece on `from`, some of which may leave its king attacked.
    fn add_piece(&self, pos: &Position, from: Square, letter: char, moves: &mut Moves);

    /// Adds the moves that are not those of a single piece.
    fn add_others(&self, _pos: &Position, _moves: &mut Moves) {}

    /// What else changes after any move: rights that are lost, counts that go on.
    fn finish(&self, _before: &Position, _after: &mut Position) {}

    /// What the seventh field of a FEN means.
    fn extra(&self) -> Extra {
        Extra::None
    }

    /// Whether any piece of the side attacks the square.
    fn attacked(&self, pos: &Position, square: Square, by: Color) -> bool {
        pos.pieces(by).any(|(from, _)| self.attacks(pos, from).contains(&square))
    }
}

/// One of the nine games.
#[derive(Clone, Copy)]
pub struct Game(&'static dyn Rules);

impl Game {
    /// The game with this name; panics if there is none.
    pub fn named(name: &str) -> Game {
        Game(match name {
            "canyon" => &canyon::Canyon,
            "diamond" => &diamond::Diamond,
            "grandcavalier" => &grandcavalier::GrandCavalier,
            "superchess" => &superchess::SuperChess { fixed: false },
            "superchessfixed" => &superchess::SuperChess { fixed: true },
            "gast" => &gast::FIRST,
            "gast14" => &gast::SECOND,
            "chess" => &chess::Chess,
            "grand" => &grand::Grand,
            _ => panic!("no such game: {name}"),
        })
    }

    /// The position the game starts from.
    pub fn start(self) -> State {
        self.parse(self.0.start())
    }

    /// Reads a FEN, which is not checked.
    pub fn parse(self, fen: &str) -> State {
        State { game: self, pos: fen::parse(fen, self.0.extra()) }
    }
}

/// A position of one of the games.
#[derive(Clone)]
pub struct State {
    game: Game,
    pos: Position,
}

impl State {
    /// The position as FEN.
    pub fn fen(&self) -> String {
        fen::print(&self.pos, self.game.0.extra())
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.king_attacked(self.pos.side)
    }

    /// In the set-up phase of Super Chess there is no check.
    fn king_attacked(&self, color: Color) -> bool {
        !self.pos.in_setup() && self.game.0.attacked(&self.pos, self.pos.king(color), color.other())
    }

    /// The legal moves by their texts, and what they lead to. Moves with the same text are the same.
    pub fn successors(&self) -> BTreeMap<String, State> {
        let mut moves = Moves::default();
        for (from, letter) in self.pos.pieces(self.pos.side) {
            self.game.0.add_piece(&self.pos, from, letter, &mut moves);
        }
        self.game.0.add_others(&self.pos, &mut moves);
        let mut legal = BTreeMap::new();
        for (text, pos) in moves.0 {
            let mut state = State { game: self.game, pos };
            self.game.0.finish(&self.pos, &mut state.pos);
            if self.pos.in_setup() || !state.king_attacked(self.pos.side) {
                match legal.entry(text) {
                    Entry::Vacant(entry) => _ = entry.insert(state),
                    Entry::Occupied(twin) => debug_assert!(twin.get().pos == state.pos),
                }
            }
        }
        legal
    }
}
