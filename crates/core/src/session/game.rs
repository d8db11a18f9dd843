//! The game behind the interface.

use super::{FileRank, GameInfo, MoveInfo, Playable, PositionError, Session};
use crate::board::{Board, Color, Kind, Move, Piece, Square, SquareSet, Tag};
use crate::eval::{self, Evaluator, Network};
use crate::notation::{MoveError, coords, draw, fen, san};
use crate::rules::perft::{Counting, divide};
use crate::rules::{Editor, Extra, Outcome, Position, Reason};
use crate::search::score::Score;
use crate::search::{self, Bound, Endgames, Event, Info, Known, Memory, Search, each_line, tables};
use std::sync::Arc;
pub(super) fn info<V: Playable>() -> GameInfo {
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

/// A game in progress.
#[derive(Clone)]
pub(super) struct Game<V: Playable> {
    pub(super) pos: Position<V>,
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
        taken.sort_unstable_by_key(|&square| pos.geometry().between(mv.from(), square).count());
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

    fn take_back(&mut self) -> Option<String> {
        let mv = self.pos.take_back()?;
        Some(coords::write(&self.pos, mv))
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
        moves.sort_unstable();
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

    fn search(&self, search: &Search) -> Info {
        if self.is_drawn() {
            // A GUI that does not know the rule may still want a move.
            let draw = |info: &Info| Info { score: 0, bound: Bound::Exact, ..info.clone() };
            let told = each_line(|info| (search.listener)(Event::Info(&draw(info))));
            return draw(&self.search_shallowly(&Search { listener: &told, ..*search }));
        }
        match search.limits.mate {
            Some(wanted) => self.search_mate(wanted, search),
            None => search::find_best(&self.pos, search),
        }
    }

    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn snapshot(&self) -> Box<dyn Session> {
        Box::new(Game { pos: self.pos.without_history() })
    }
}
