//! What XBoard has been shown of the game, and how to show it a move.
//!
//! XBoard's board must always show the true position. A move that is more than "a man goes from here to there" is
//! therefore turned into a *script*: a ply, or several of the mover with passes between them, after which XBoard's
//! board is the right one. Scripts come from nothing but the two boards, before and after; no game is known here.
//! The other way round, what XBoard relays (from an engine, or from a person) is recognised by the scripts and the
//! boards of all legal moves.

use super::board::{Board, FREE, HOLE, Habits, Ply, owner};
use super::marks::Word;
use super::text::Numbering;
use crate::board::Color;
use crate::engine::{GameInfo, MoveInfo, Place, Session};

/// The game as XBoard sees it.
#[derive(Clone)]
pub struct Mirror {
    habits: Habits,
    numbering: Numbering,
    letters: Vec<char>,
    board: Board,
    /// Whose turn XBoard thinks it is.
    side: Color,
    past: Vec<Past>,
}

/// A ply that XBoard knows of.
#[derive(Clone)]
struct Past {
    board: Board,
    side: Color,
    /// As the other engine hears of it.
    relayed: Ply,
    /// A move of the game ended with it.
    complete: bool,
}

/// What there is to say about a ply that came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// It completes this move, given as coordinates. These plies must be sent to put XBoard's board right.
    Move(String, Vec<Ply>),
    /// More must follow.
    Part,
    /// It belongs to no legal move.
    Nothing,
}

/// How far we may help with a move that XBoard's user cannot complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// A person plays against us: we can send what is missing.
    Helpful,
    /// The rest will come, or nothing may be sent now.
    Patient,
}

/// The most plies of the mover in a script that has to be searched for.
const MOST_PLIES: usize = 4;

/// A legal move and the board after it.
struct Candidate {
    info: MoveInfo,
    after: Board,
}

impl Mirror {
    /// The view of a game in its present position.
    pub fn new(session: &dyn Session) -> Mirror {
        let GameInfo { xboard, files, ranks, .. } = session.info();
        let habits = Habits::new(xboard, files, ranks);
        // The FEN of a session can always be read.
        let board = Board::of(&session.fen(), &habits).unwrap_or_else(|| Board::empty(&habits));
        let numbering = habits.numbering();
        Mirror {
            letters: habits.letters(xboard),
            habits,
            numbering,
            board,
            side: session.side(),
            past: Vec::new(),
        }
    }

    /// How XBoard treats the men.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// How XBoard numbers the ranks.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The board as XBoard shows it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plies that XBoard has seen.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Plies of a move that is not complete yet.
    pub fn pending(&self) -> usize {
        self.past.iter().rev().take_while(|past| !past.complete).count()
    }

    /// Whose turn XBoard thinks it is.
    pub fn side(&self) -> Color {
        self.side
    }

    fn push(&mut self, ply: &Ply, relayed: Ply, complete: bool) {
        let after = self.board.after(ply, self.side, &self.habits);
        let after = after.unwrap_or_else(|| self.board.clone());
        let board = std::mem::replace(&mut self.board, after);
        self.past.push(Past { board, side: self.side, relayed, complete });
        self.side = !self.side;
    }

    /// Notes a ply that we send in the middle of a move.
    pub fn send(&mut self, ply: &Ply) {
        let relayed = self.board.relayed(ply);
        self.push(ply, relayed, false);
    }

    /// Takes back the last ply that XBoard knows. `Some(true)`: a move of the game was completed by it.
    pub fn undo(&mut self) -> Option<bool> {
        let past = self.past.pop()?;
        self.board = past.board;
        self.side = past.side;
        Some(past.complete)
    }

    /// XBoard's board, which it has just told us.
    pub fn adopt(&mut self, board: &Board) {
        self.board.copy_men(board);
    }

    /// A legal move in the words that people use in XBoard: from, to, and the letter of what the man becomes.
    pub fn word(&self, session: &dyn Session, text: &str) -> String {
        let candidate = self.candidates(session, |info| info.text == text).pop();
        let natural = candidate.and_then(|candidate| self.natural(&candidate, &self.board));
        natural.map_or_else(|| self.numbering.show(text), |ply| self.numbering.word(&ply))
    }

    /// The legal move of which this is the word, a script of one ply, or our own text with XBoard's ranks.
    pub fn named(&self, session: &dyn Session, word: &str) -> Option<String> {
        let ours = self.numbering.ours(word);
        let candidates = self.candidates(session, |_| true);
        let ply = self.numbering.parse(word);
        let is_word = |candidate: &&Candidate| ply.is_some() && self.natural(candidate, &self.board) == ply;
        let after = ply.as_ref().and_then(|ply| self.board.after(ply, self.side, &self.habits));
        let leads_there =
            |candidate: &&Candidate| after.as_ref().is_some_and(|after| after.agrees(&candidate.after));
        let found = candidates.iter().find(is_word);
        let found = found.or_else(|| candidates.iter().find(|candidate| candidate.info.text == ours));
        let found = found.or_else(|| candidates.iter().find(leads_there));
        found.map(|candidate| candidate.info.text.clone())
    }

    /// The legal moves of the man on `from`, or what is left to do of a move that is not complete, as a person with a
    /// mouse makes them.
    pub fn words(&self, session: &dyn Session, from: Place) -> Vec<Word> {
        if self.side != session.side() {
            return Vec::new();
        }
        if self.pending() == 0 {
            let candidates = self.candidates(session, |info| info.from == from);
            let word = |candidate: &Candidate| {
                let ply = self.natural(candidate, &self.board)?;
                // XBoard can lose a man by it that nobody can bring back.
                let after = self.board.after(&ply, self.side, &self.habits)?;
                self.mends(candidate, &after, self.side)?;
                match ply {
                    Ply::Move { to, suffix, .. } => {
                        Some(Word { to, suffix, taking: !candidate.info.taken.is_empty() })
                    }
                    _ => None,
                }
            };
            return candidates.iter().filter_map(word).collect();
        }
        let next = |candidate: Candidate| {
            let ways = self.ways(&self.board, &candidate.after, session.side(), candidate.info.to)?;
            match ways.into_iter().next()? {
                Ply::Move { from: first, via, to, suffix } if first == from && via.is_empty() => {
                    Some(Word { to, suffix, taking: false })
                }
                _ => None,
            }
        };
        let mut words: Vec<Word> = self.underway(session).into_iter().filter_map(next).collect();
        words.dedup();
        words
    }

    /// The squares on which a man in hand can be dropped now.
    pub fn drop_squares(&self, session: &dyn Session) -> Vec<Place> {
        if self.side != session.side() || !self.habits.can_drop() {
            return Vec::new();
        }
        let next = |candidate: Candidate| {
            let drops = self.drops(&self.board, &candidate.after, session.side())?;
            // The rare men are the person's to place; we add the others.
            let man = drops.iter().find_map(|ply| match ply {
                Ply::Drop { man, .. } => Some(*man),
                _ => None,
            })?;
            let square = |ply: Ply| match ply {
                Ply::Drop { man: other, to } if other == man => Some(to),
                _ => None,
            };
            Some(drops.into_iter().filter_map(square).collect::<Vec<_>>())
        };
        let mut squares: Vec<Place> = self.underway(session).into_iter().filter_map(next).flatten().collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// The legal moves that have begun, or might, with what XBoard shows.
    fn underway(&self, session: &dyn Session) -> Vec<Candidate> {
        let before = self.before();
        let mut candidates = self.candidates(session, |_| true);
        candidates.retain(|candidate| self.leads_to(before, &self.board, candidate));
        candidates
    }

    /// The board before the plies of a move that is not complete.
    fn before(&self) -> &Board {
        self.past.get(self.past.len() - self.pending()).map_or(&self.board, |past| &past.board)
    }

    /// Is `board` on the way from `before` to what the move makes of it?
    fn leads_to(&self, before: &Board, board: &Board, candidate: &Candidate) -> bool {
        self.habits.squares().all(|square| {
            let man = board.at(square);
            man == before.at(square) || man == candidate.after.at(square)
        })
    }

    /// Notes that a move was completed, whatever plies it took: XBoard's board is now that of `session`.
    pub fn complete(&mut self, session: &dyn Session) {
        if let Some(last) = self.past.last_mut() {
            last.complete = true;
        }
        if let Some(board) = Board::of(&session.fen(), &self.habits) {
            self.board.copy_men(&board);
        }
    }

    /// The plies that show XBoard the legal move `text` of `session`, noted as sent. `None`: there are none that would
    /// leave XBoard's board as it should be.
    pub fn show(&mut self, session: &dyn Session, text: &str) -> Option<Vec<Ply>> {
        let candidate = self.candidates(session, |info| info.text == text).pop()?;
        let (board, side) = (&self.board, session.side());
        let script = self.simple_script(&candidate, board, side);
        let script =
            script.or_else(|| self.burst(&candidate, &self.candidates(session, |_| true), board, side))?;
        for ply in &script {
            self.send(ply);
        }
        Some(script)
    }

    /// What to think of a ply that XBoard sends. It is noted unless it belongs to nothing. After [`Heard::Move`] the
    /// caller plays the move, sends and notes the plies, and says [`Mirror::complete`].
    pub fn hear(&mut self, session: &dyn Session, ply: &Ply, manner: Manner) -> Heard {
        let pending = self.pending();
        let mover = session.side();
        let Some(after) = self.board.after(ply, self.side, &self.habits) else { return Heard::Nothing };
        if *ply == Ply::Pass {
            if pending == 0 {
                return Heard::Nothing;
            }
            self.push(ply, Ply::Pass, false);
            return Heard::Part;
        }
        if self.side != mover {
            return Heard::Nothing;
        }
        let heard = self.recognise(session, ply, &after, manner);
        if heard != Heard::Nothing {
            self.push(ply, ply.clone(), false);
        }
        heard
    }

    fn recognise(&self, session: &dyn Session, ply: &Ply, after: &Board, manner: Manner) -> Heard {
        let mover = session.side();
        let past = self.past.len() - self.pending();
        let pending = self.past.get(past..).unwrap_or_default();
        let before = pending.first().map_or(&self.board, |past| &past.board);
        let mut heard: Vec<&Ply> = pending.iter().map(|past| &past.relayed).collect();
        heard.push(ply);

        // An ordinary move needs no look at all the others.
        let natural = |candidate: &Candidate| {
            heard.len() == 1 && self.natural(candidate, before).is_some_and(|natural| natural == *ply)
        };
        if let Ply::Move { from, via, to, .. } = ply
            && heard.len() == 1
            && via.is_empty()
        {
            let same = self.candidates(session, |info| info.from == *from && info.to == *to);
            let found = same.iter().find(|candidate| natural(candidate) && after.agrees(&candidate.after));
            if let Some(found) = found {
                return Heard::Move(found.info.text.clone(), Vec::new());
            }
        }

        let candidates = self.candidates(session, |_| true);
        let scripts: Vec<(&Candidate, Vec<Ply>)> = candidates
            .iter()
            .filter(|candidate| starts_like(&candidate.info, heard.first().copied()))
            .filter_map(|candidate| {
                let script = self.simple_script(candidate, before, mover);
                Some((candidate, script.or_else(|| self.burst(candidate, &candidates, before, mover))?))
            })
            .collect();
        // The whole script, or its beginning.
        let mut begun = Vec::new();
        for (candidate, script) in &scripts {
            let relayed = self.relay(before, mover, script);
            let same = relayed.iter().zip(&heard).all(|(a, &b)| a == b);
            if same && relayed.len() == heard.len() {
                return Heard::Move(candidate.info.text.clone(), Vec::new());
            }
            if same && relayed.len() > heard.len() {
                begun.push((candidate, script));
            }
        }
        if manner == Manner::Patient && !begun.is_empty() {
            return Heard::Part;
        }
        if let [(candidate, script)] = begun.as_slice() {
            let rest = script.get(heard.len()..).unwrap_or_default();
            return Heard::Move(candidate.info.text.clone(), rest.to_vec());
        }
        // Another way to the right board, unless a person asks for a change where XBoard makes none.
        let unheard =
            matches!(ply, Ply::Move { from, via, to, suffix: Some(_) } if from == to && via.is_empty());
        if !unheard && let Some(found) = candidates.iter().find(|candidate| after.agrees(&candidate.after)) {
            return Heard::Move(found.info.text.clone(), Vec::new());
        }
        // The right words, though XBoard makes something else of them.
        if let Some(found) = candidates.iter().find(|candidate| natural(candidate)) {
            return self.mended(found, after, mover, manner);
        }
        // Our own words.
        if let Ply::Move { from, via, to, suffix } = ply
            && heard.len() == 1
            && via.is_empty()
            && let Some(found) = candidates.iter().find(|Candidate { info, .. }| {
                info.from == *from && info.to == *to && info.suffix.chars().eq(*suffix)
            })
        {
            return self.mended(found, after, mover, manner);
        }
        // Whoever drags a man is asked for no letter, and XBoard takes any.
        if let Ply::Move { from, to, suffix: Some(_), .. } = ply
            && manner == Manner::Helpful
            && heard.len() == 1
        {
            let word = |candidate: &&Candidate| self.natural(candidate, before);
            let plain = Some(Ply::go(*from, *to, None));
            let changes = |ply: Ply| matches!(ply, Ply::Move { from: start, to: end, suffix: Some(_), .. } if start == *from && end == *to);
            let chooses = candidates.iter().any(|candidate| word(&candidate).is_some_and(changes));
            if chooses && let Some(found) = candidates.iter().find(|candidate| word(candidate) == plain) {
                return self.mended(found, after, mover, manner);
            }
        }
        // What changes nothing begins nothing.
        if after.agrees(&self.board) {
            return Heard::Nothing;
        }
        // On the way to one move or several.
        let towards = |candidate: &&Candidate| self.leads_to(before, after, candidate);
        let mut towards = candidates.iter().filter(towards);
        match (towards.next(), towards.next()) {
            (None, _) => Heard::Nothing,
            (Some(found), None) if manner == Manner::Helpful => self.mended(found, after, mover, manner),
            _ => Heard::Part,
        }
    }

    /// The move with what must be sent to get from `board` to the right one.
    fn mended(&self, candidate: &Candidate, board: &Board, mover: Color, manner: Manner) -> Heard {
        let text = candidate.info.text.clone();
        if manner == Manner::Patient {
            return Heard::Move(text, Vec::new());
        }
        let mends = self.mends(candidate, board, mover).unwrap_or_default();
        Heard::Move(text, mends.into_iter().flat_map(|ply| [Ply::Pass, ply]).collect())
    }

    /// What must be sent, each ply after a pass, to get from the board after a move of `mover` to the right one.
    fn mends(&self, candidate: &Candidate, board: &Board, mover: Color) -> Option<Vec<Ply>> {
        let passed = board.after(&Ply::Pass, !mover, &self.habits)?;
        self.ways(&passed, &candidate.after, mover, candidate.info.to)
    }

    fn candidates(&self, session: &dyn Session, wanted: impl Fn(&MoveInfo) -> bool) -> Vec<Candidate> {
        let mut copy = session.copy();
        let mut candidates = Vec::new();
        for info in session.moves_in_full().into_iter().filter(wanted) {
            if copy.play(&info.text).is_ok() {
                let after = Board::of(&copy.fen(), &self.habits);
                copy.undo();
                candidates.extend(after.map(|after| Candidate { info, after }));
            }
        }
        candidates
    }

    /// What the other engine hears of a script.
    fn relay(&self, before: &Board, mover: Color, script: &[Ply]) -> Vec<Ply> {
        let (mut board, mut side) = (before.clone(), mover);
        let mut relayed = Vec::new();
        for ply in script {
            relayed.push(board.relayed(ply));
            board = board.after(ply, side, &self.habits).unwrap_or(board);
            side = !side;
        }
        relayed
    }

    /// The move in a person's words: from, to, and the letter of what the man becomes.
    fn natural(&self, candidate: &Candidate, before: &Board) -> Option<Ply> {
        let MoveInfo { from, to, .. } = candidate.info;
        let man = before.at(from);
        owner(man)?;
        let (old, new) = (man, candidate.after.at(to));
        let stands = from == to || candidate.after.at(from) == FREE;
        let becomes = owner(new) == owner(old) && new != old && stands;
        Some(Ply::go(from, to, becomes.then(|| new.to_ascii_lowercase())))
    }

    /// A script for a move, after which XBoard's board is right, if one ply does it.
    fn simple_script(&self, candidate: &Candidate, before: &Board, mover: Color) -> Option<Vec<Ply>> {
        if self.habits.native() {
            let suffix = candidate.info.suffix.chars().next();
            return Some(vec![Ply::go(candidate.info.from, candidate.info.to, suffix)]);
        }
        if let Some(ply) = self.single(candidate, before, mover) {
            return Some(vec![ply]);
        }
        if !before.just_set_up() {
            return None;
        }
        // Two passes make XBoard forget that a pawn might capture in passing.
        let passed = before.after(&Ply::Pass, mover, &self.habits)?;
        Some(vec![Ply::Pass, Ply::Pass, self.single(candidate, &passed, mover)?])
    }

    /// A script of one ply.
    fn single(&self, candidate: &Candidate, before: &Board, mover: Color) -> Option<Ply> {
        let Candidate { info, after } = candidate;
        let right =
            |ply: &Ply| before.after(ply, mover, &self.habits).is_some_and(|board| board.agrees(after));
        let man = before.at(info.from);
        if owner(man) != Some(mover) {
            return None;
        }
        // From a square to the same is no move when an engine sends it.
        if let Some(natural) = self.natural(candidate, before).filter(|natural| right(natural))
            && info.from != info.to
        {
            return Some(natural);
        }
        for to in [info.to, info.from] {
            let suffix = becomes(man, after.at(to));
            for via in self.clearings(before, after, mover, info.from, to, suffix) {
                let ply = Ply::Move { from: info.from, via: via.squares, to, suffix };
                let told = suffix.is_none() || via.tells || !before.passes_for_castling(&ply);
                if told && right(&ply) {
                    return Some(ply);
                }
            }
        }
        None
    }

    /// Ways to clear the squares that a man which goes from `from` to `to` leaves empty behind itself, those first of
    /// which the other engine hears everything.
    fn clearings(
        &self,
        before: &Board,
        after: &Board,
        mover: Color,
        from: Place,
        to: Place,
        suffix: Option<char>,
    ) -> Vec<Clearing> {
        let emptied = |&square: &Place| {
            owner(before.at(square)).is_some() && after.at(square) == FREE && square != from && square != to
        };
        let mut cleared: Vec<Place> = self.habits.squares().filter(emptied).collect();
        // The last one should be an enemy, or XBoard takes it for castling.
        cleared.sort_by_key(|&square| owner(before.at(square)) != Some(mover));
        if cleared.len() > 2 {
            return Vec::new();
        }
        let mut ways = Vec::new();
        if !cleared.is_empty() {
            ways.push(Clearing { squares: cleared.clone(), tells: false });
            // The other order.
            if cleared.len() == 2 {
                ways.push(Clearing { squares: cleared.iter().rev().copied().collect(), tells: false });
            }
        }
        if cleared.len() < 2
            && let Some(empty) = self.empty_square(before, from, to, suffix)
        {
            cleared.push(empty);
            ways.push(Clearing { squares: cleared, tells: true });
        }
        ways
    }

    /// An empty square to pass through. Which one it is tells the suffix, in case XBoard does not relay it.
    fn empty_square(&self, board: &Board, from: Place, to: Place, suffix: Option<char>) -> Option<Place> {
        let number = suffix
            .and_then(|suffix| self.letters.iter().position(|letter| letter.eq_ignore_ascii_case(&suffix)));
        let free = |&square: &Place| board.at(square) == FREE && square != from && square != to;
        self.habits.squares().filter(free).nth(number.unwrap_or(0))
    }

    /// A script of several plies, with passes between them. Nobody can mistake its beginning for another move.
    fn burst(
        &self,
        candidate: &Candidate,
        all: &[Candidate],
        before: &Board,
        mover: Color,
    ) -> Option<Vec<Ply>> {
        let clear = |first: &Ply| {
            let Some(board) = before.after(first, mover, &self.habits) else { return false };
            if !starts_like(&candidate.info, Some(first)) {
                return false;
            }
            let relayed = before.relayed(first);
            all.iter().filter(|other| other.info.text != candidate.info.text).all(|other| {
                !board.agrees(&other.after)
                    && self.natural(other, before).as_ref() != Some(first)
                    && (!starts_like(&other.info, Some(first))
                        || self
                            .single(other, before, mover)
                            .is_none_or(|single| before.relayed(&single) != relayed))
            })
        };
        let goal = &candidate.after;
        let aim = if owner(goal.at(candidate.info.to)) == Some(mover) {
            candidate.info.to
        } else {
            candidate.info.from
        };
        let plies = self.ways_from(before, goal, mover, aim, &clear)?;
        let mut script = Vec::new();
        for ply in plies {
            if !script.is_empty() {
                script.push(Ply::Pass);
            }
            script.push(ply);
        }
        Some(script)
    }

    /// The fewest plies of `mover` that make `board` the `goal`; `man` is where a man stands that can help.
    fn ways(&self, board: &Board, goal: &Board, mover: Color, man: Place) -> Option<Vec<Ply>> {
        if board.agrees(goal) {
            return Some(Vec::new());
        }
        self.ways_from(board, goal, mover, man, &|_| true)
    }

    fn ways_from(
        &self,
        board: &Board,
        goal: &Board,
        mover: Color,
        man: Place,
        first: &dyn Fn(&Ply) -> bool,
    ) -> Option<Vec<Ply>> {
        if let Some(drops) = self.drops(board, goal, mover) {
            return Some(drops);
        }
        (1..=MOST_PLIES).find_map(|depth| self.look(board, goal, mover, man, depth, first))
    }

    /// Only new men are missing: the rare ones first, each kind in the order of its squares.
    fn drops(&self, board: &Board, goal: &Board, mover: Color) -> Option<Vec<Ply>> {
        let new: Vec<(char, Place)> = self
            .habits
            .squares()
            .filter(|&square| board.at(square) != goal.at(square))
            .map(|square| (goal.at(square), square))
            .collect();
        let all_new = new.iter().all(|&(man, to)| owner(man) == Some(mover) && board.at(to) == FREE);
        if !all_new || !self.habits.can_drop() {
            return None;
        }
        let count = |man: char| new.iter().filter(|other| other.0 == man).count();
        let mut drops = new.clone();
        drops.sort_by_key(|&(man, (file, rank))| (count(man), man, rank, file));
        Some(drops.into_iter().map(|(man, to)| Ply::Drop { man: man.to_ascii_uppercase(), to }).collect())
    }

    fn look(
        &self,
        board: &Board,
        goal: &Board,
        mover: Color,
        man: Place,
        depth: usize,
        allowed: &dyn Fn(&Ply) -> bool,
    ) -> Option<Vec<Ply>> {
        for ply in self.steps(board, goal, mover, man) {
            if !allowed(&ply) {
                continue;
            }
            let Some(after) = board.after(&ply, mover, &self.habits) else { continue };
            if after.agrees(goal) {
                return Some(vec![ply]);
            }
            if depth > 1
                && let Some(after) = after.after(&Ply::Pass, !mover, &self.habits)
                && let Some(mut rest) = self.look(&after, goal, mover, man, depth - 1, &|_| true)
            {
                rest.insert(0, ply);
                return Some(rest);
            }
        }
        None
    }

    /// Plies that may bring `board` nearer to `goal`.
    fn steps(&self, board: &Board, goal: &Board, mover: Color, man: Place) -> Vec<Ply> {
        let wrong: Vec<Place> =
            self.habits.squares().filter(|&square| board.at(square) != goal.at(square)).collect();
        let ours = |board: &Board, square: Place| owner(board.at(square)) == Some(mover);
        // A man becomes another only if such a one is missing.
        let count = |board: &Board, man: char| {
            self.habits.squares().filter(|&square| board.at(square) == man).count()
        };
        let missing = |man: char| count(goal, man) > count(board, man);
        let starts: Vec<Place> = wrong.iter().copied().filter(|&square| ours(board, square)).collect();
        let ends: Vec<Place> = wrong.iter().copied().filter(|&square| ours(goal, square)).collect();
        let doomed = |&square: &Place| owner(board.at(square)).is_some() && goal.at(square) == FREE;
        let doomed: Vec<Place> = wrong.iter().copied().filter(doomed).collect();
        let mut steps = Vec::new();
        for &from in &starts {
            for &to in ends.iter().filter(|&&to| to != from && board.at(to) != HOLE) {
                let suffix = becomes(board.at(from), goal.at(to)).filter(|_| missing(goal.at(to)));
                steps.push(Ply::go(from, to, suffix));
                for &via in doomed.iter().filter(|&&via| via != from && via != to) {
                    let ply = Ply::Move { from, via: vec![via], to, suffix };
                    if suffix.is_none() || !board.passes_for_castling(&ply) {
                        steps.push(ply);
                    }
                }
            }
        }
        // Who turns into another where he stands passes through an empty square.
        for &square in starts.iter().filter(|square| ends.contains(square)) {
            let suffix = becomes(board.at(square), goal.at(square));
            let via = self.habits.squares().find(|&via| board.at(via) == FREE);
            if let (Some(suffix), Some(via)) = (suffix, via) {
                steps.push(Ply::Move { from: square, via: vec![via], to: square, suffix: Some(suffix) });
            }
        }
        // Whoever cannot yet go where he belongs waits elsewhere, out of reach.
        for &from in &starts {
            let away = |(file, rank): Place| (rank.abs_diff(from.1), file.abs_diff(from.0));
            let free =
                self.habits.squares().filter(|&square| board.at(square) == FREE && goal.at(square) == FREE);
            let aside = free.filter(|&square| away(square).0 > 1).min_by_key(|&square| away(square));
            steps.extend(aside.map(|to| Ply::go(from, to, None)));
        }
        // A man that stands right clears squares without moving.
        if ours(board, man) {
            let others: Vec<Place> = doomed.into_iter().filter(|&square| square != man).collect();
            for &via in &others {
                steps.push(Ply::Move { from: man, via: vec![via], to: man, suffix: None });
            }
            if let [first, second] = *others.as_slice() {
                steps.push(Ply::Move { from: man, via: vec![first, second], to: man, suffix: None });
            }
        }
        for &to in ends.iter().filter(|&&to| board.at(to) == FREE) {
            steps.push(Ply::Drop { man: goal.at(to).to_ascii_uppercase(), to });
        }
        steps
    }
}

struct Clearing {
    squares: Vec<Place>,
    /// The square tells what the man becomes.
    tells: bool,
}

/// The suffix for a man that is another one afterwards.
fn becomes(before: char, after: char) -> Option<char> {
    (owner(after).is_some() && owner(before) == owner(after) && before != after)
        .then(|| after.to_ascii_lowercase())
}

/// May a script for this move begin with a ply like this?
fn starts_like(info: &MoveInfo, first: Option<&Ply>) -> bool {
    match first {
        Some(Ply::Move { from, .. }) => {
            *from == info.from || info.partners.iter().any(|(partner, _)| partner == from)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::relay_text;
    use super::*;
    use crate::board::Tag;
    use crate::engine;

    /// A small generator of numbers, the same ones each time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound as u64) as usize
        }
    }

    /// Shows a move, and has others hear it: an engine what XBoard relays of it, and as a match without XBoard has it, an
    /// engine its words and the referee the commands of an engine. All must end with the true board and the same move.
    /// Returns the number of plies.
    fn check(session: &dyn Session, mirror: &Mirror, text: &str) -> usize {
        let mut after = session.copy();
        after.play(text).unwrap();
        let context = || format!("{} {text}", session.fen());
        let fresh = || Mirror { past: Vec::new(), ..mirror.clone() };
        let mut teller = fresh();
        let script = teller.show(session, text).unwrap_or_else(|| panic!("no script: {}", context()));
        let truth = Board::of(&after.fen(), &teller.habits).unwrap();
        assert!(teller.board.agrees(&truth), "{}: {script:?} {}", context(), teller.board.placement());
        assert_eq!(teller.side, after.side(), "{}", context());

        let numbering = mirror.numbering;
        let mut board = mirror.board.clone();
        let mut side = session.side();
        let mut relayed = Vec::new();
        for ply in &script {
            relayed.push(relay_text(numbering, &board, ply));
            board = board.after(ply, side, &mirror.habits).unwrap();
            side = !side;
        }
        let told = script.iter().map(|ply| numbering.word(ply)).collect();
        let commands = |ply| numbering.commands(ply).iter().map(|line| &line["move ".len()..]).collect();
        let commands = script.iter().map(commands).collect();
        for words in [relayed, told, commands] {
            let mut hearer = fresh();
            for (i, word) in words.iter().enumerate() {
                let parsed = numbering.parse(word).unwrap_or_else(|| panic!("{word}: {}", context()));
                let heard = hearer.hear(session, &parsed, Manner::Patient);
                let last = i + 1 == words.len();
                let wanted = if last { Heard::Move(text.into(), Vec::new()) } else { Heard::Part };
                assert_eq!(heard, wanted, "{word}, ply {i} of {script:?}: {}", context());
            }
        }
        script.len()
    }

    fn play_at_random(game: &str, seed: u64, games: usize, plies: usize) -> Vec<(Tag, usize)> {
        let mut dice = Dice(seed);
        let mut seen = Vec::new();
        for _ in 0..games {
            let mut session = engine::open(game).unwrap();
            let mut mirror = Mirror::new(&*session);
            for _ in 0..plies {
                let moves = session.moves_in_full();
                if moves.is_empty() {
                    break;
                }
                for info in &moves {
                    // All unusual moves and some of the others.
                    if info.tag != Tag::Plain && dice.below(4) == 0 || dice.below(16) == 0 {
                        let plies = check(&*session, &mirror, &info.text);
                        if !seen.contains(&(info.tag, plies)) {
                            seen.push((info.tag, plies));
                        }
                    }
                }
                // Captures and unusual moves more often than not, so that something happens.
                let lively: Vec<&MoveInfo> =
                    moves.iter().filter(|info| info.tag != Tag::Plain || !info.taken.is_empty()).collect();
                let info = if lively.is_empty() || dice.below(3) == 0 {
                    &moves[dice.below(moves.len())]
                } else {
                    lively[dice.below(lively.len())]
                };
                mirror.show(&*session, &info.text).unwrap();
                session.play(&info.text).unwrap();
                mirror.complete(&*session);
            }
        }
        seen
    }

    #[test]
    fn every_move_is_shown_and_recognised() {
        for (game, tags) in [
            ("canyon", &[Tag::Swap][..]),
            ("diamond", &[]),
            ("grandcavalier", &[]),
            ("superchess", &[Tag::Place, Tag::Turn, Tag::Charge, Tag::Retreat, Tag::Shot, Tag::LongStep]),
            ("superchessfixed", &[Tag::Turn, Tag::Charge, Tag::Retreat, Tag::LongStep]),
            ("gast", &[Tag::LongStep]),
            ("gast14", &[Tag::LongStep]),
            ("chess", &[Tag::LongStep]),
            ("grand", &[Tag::LongStep]),
        ] {
            let seen = play_at_random(game, 20_251_121, 3, 80);
            for tag in tags {
                assert!(seen.iter().any(|(other, _)| other == tag), "{game}: no {tag:?} among {seen:?}");
            }
        }
    }

    fn in_position(game: &str, fen: &str, text: &str) -> usize {
        let mut session = engine::open(game).unwrap();
        session.set_position(Some(fen), &[]).unwrap();
        let mirror = Mirror::new(&*session);
        check(&*session, &mirror, text)
    }

    #[test]
    fn rare_moves_are_shown_and_recognised() {
        // Castling: alone, and with both partners.
        let gast =
            |rank: &str, castling| format!("6k5/12/12/12/12/12/12/12/12/12/12/{rank} w {castling} - 0 1");
        for (rank, castling, text, plies) in [
            ("R2A2K1A2R", "ADIL", "g1i1", 3),
            ("R2A2K1A2R", "ADIL", "g1e1", 3),
            ("R2A2K1A2R", "ADIL", "g1k1", 5),
            ("R2A2K1A2R", "ADIL", "g1c1", 5),
            ("R5K4R", "AL", "g1k1", 3),
            ("R5K4R", "AL", "g1c1", 3),
            ("R6AK2R", "L", "i1k1", 3),
        ] {
            assert_eq!(in_position("gast", &gast(rank, castling), text), plies, "{text}");
        }
        // The king changes places with an archer that stands where it goes.
        let wide =
            |rank: &str, castling| format!("6k7/14/14/14/14/14/14/14/14/14/14/{rank} w {castling} - 0 1");
        for (text, plies) in [("g1i1", 3), ("g1e1", 3), ("g1k1", 5), ("g1c1", 5)] {
            assert_eq!(in_position("gast14", &wide("R2A2K3A2R", "ADKN"), text), plies, "{text}");
        }
        let black = "r2a2k1a2r/12/12/12/12/12/12/12/12/12/12/6K5 b adil - 0 1";
        assert_eq!(in_position("gast", black, "g12k12"), 5);
        assert_eq!(in_position("gast", black, "g12c12"), 5);
        // In passing, by one step and by two.
        for (passing, text) in [
            ("6k5/12/12/12/12/pP10/12/12/12/12/12/6K5 w - a8 0 1", "b7a8"),
            ("6k5/12/12/12/12/p11/2P9/12/12/12/12/6K5 w - a8 0 1", "c6a8"),
            ("6k5/12/12/12/12/12/Pp10/12/12/12/12/6K5 b - a5 0 1", "b6a5"),
            ("6k5/12/12/12/12/2p9/P11/12/12/12/12/6K5 b - a5 0 1", "c7a5"),
        ] {
            assert_eq!(in_position("gast", passing, text), 1);
        }
        // A shot.
        let shot = "4k5/10/10/3p6/10/10/10/3A6/10/4K5 w - - 0 1";
        assert_eq!(in_position("superchessfixed", shot, "d3d7"), 1);
        // A cyclops runs over friends, the facing must not be lost.
        let white = "4k5/10/3C6/3P6/3N6/10/10/10/10/4K5 w - - 0 1 n";
        for facing in ["n", "ne", "e", "s", "nw"] {
            for (to, plies) in [("d7", 1), ("d6", 1), ("d5", 3)] {
                // Who keeps facing the same way needs no letter.
                let plies = if facing == "n" { 1 } else { plies };
                assert_eq!(
                    in_position("superchessfixed", white, &format!("d8{to}{facing}")),
                    plies,
                    "{to}{facing}"
                );
            }
        }
        let black = "4k5/10/10/10/10/3n6/3p6/3c6/10/4K5 b - - 0 1 n";
        for facing in ["n", "ne", "e", "s", "nw"] {
            for (to, plies) in [("d4", 1), ("d5", 1), ("d6", 3)] {
                let plies = if facing == "n" { 1 } else { plies };
                assert_eq!(
                    in_position("superchessfixed", black, &format!("d3{to}{facing}")),
                    plies,
                    "{to}{facing}"
                );
            }
            if facing != "n" {
                assert_eq!(in_position("superchessfixed", black, &format!("d3d3{facing}")), 1);
            }
        }
        // Sideways on an unknown board, where XBoard might capture in passing: two passes come first.
        let mut session = engine::open("diamond").unwrap();
        let lake = "****k****/***1n1***/**5**/*P6*/2N1*4/*3P3*/**5**/***3***/****K**** w - - 0 1";
        session.set_position(Some(lake), &[]).unwrap();
        let script = Mirror::new(&*session).show(&*session, "b6c6").unwrap();
        assert_eq!(script, [Ply::Pass, Ply::Pass, Ply::go((1, 5), (2, 5), None)]);
    }

    #[test]
    fn every_move_is_shown_where_a_cyclops_runs() {
        for fen in [
            "cnb1kqabnr/p1pp1spppp/10/4s5/10/2C7/10/10/P1PPSSPPPP/RNB1KQABNR b AJj - 0 5 w,nw",
            "rnb1kqabnr/ppppc1s1pp/7s2/5p4/10/3C6/10/10/SPSPPPPPPP/RN2KQABNR w AJaj - 0 7 n,nw",
        ] {
            let mut session = engine::open("superchessfixed").unwrap();
            session.set_position(Some(fen), &[]).unwrap();
            for text in session.moves() {
                check(&*session, &Mirror::new(&*session), &text);
            }
        }
    }

    #[test]
    fn people_are_helped_to_complete_a_move() {
        let hear = |game: &str, moves: &[&str], fen: Option<&str>| {
            let mut session = engine::open(game).unwrap();
            if let Some(fen) = fen {
                session.set_position(Some(fen), &[]).unwrap();
            }
            let mut mirror = Mirror::new(&*session);
            let mut heard = Heard::Nothing;
            for text in moves {
                let ply = mirror.numbering.parse(text).unwrap();
                heard = mirror.hear(&*session, &ply, Manner::Helpful);
                if heard == Heard::Part {
                    mirror.send(&Ply::Pass);
                }
            }
            if let Heard::Move(text, plies) = &heard {
                for ply in plies {
                    mirror.send(ply);
                }
                session.play(text).unwrap();
                let truth = Board::of(&session.fen(), &mirror.habits).unwrap();
                assert!(mirror.board.agrees(&truth), "{}", mirror.board.placement());
                assert_eq!(mirror.side, session.side());
            }
            heard
        };
        let moved = |heard: Heard| match heard {
            Heard::Move(text, plies) => (text, plies.len()),
            other => panic!("{other:?}"),
        };
        // Two super pawns in any order, and we put the pawns.
        assert_eq!(moved(hear("superchess", &["S@c1", "S@h1"], None)), ("S@c2,S@h2".into(), 16));
        assert_eq!(moved(hear("superchess", &["S@h1", "S@c1"], None)), ("S@c2,S@h2".into(), 16));
        assert_eq!(hear("superchess", &["S@c1"], None), Heard::Part);
        assert_eq!(hear("superchess", &["S@c4"], None), Heard::Nothing);
        // All castlings, by the king's move, also where its partner stands in the way.
        let fen = "6k5/12/12/12/12/12/12/12/12/12/12/R2A2K1A2R w ADIL - 0 1";
        for text in ["g1c1", "g1e1", "g1i1", "g1k1"] {
            assert_eq!(moved(hear("gast", &[text], Some(fen))).0, text);
        }
        let fen = "6k7/14/14/14/14/14/14/14/14/14/14/R2A2K3A2R w ADKN - 0 1";
        for text in ["g1c1", "g1e1", "g1i1", "g1k1"] {
            assert_eq!(moved(hear("gast14", &[text], Some(fen))).0, text);
        }
        // A shot as if the archer went there; in passing without a word about the victim.
        let fen = "4k5/10/10/3p6/10/10/10/3A6/10/4K5 w - - 0 1";
        assert_eq!(moved(hear("superchessfixed", &["d2d6"], Some(fen))).0, "d3d7");
        assert_eq!(moved(hear("superchessfixed", &["d2d6,d6d2"], Some(fen))), ("d3d7".into(), 0));
        let fen = "4k5/10/10/3pP5/10/10/10/10/10/4K5 w - d8 0 1";
        assert_eq!(moved(hear("superchessfixed", &["e6d7"], Some(fen))).0, "e7d8");
        // A cyclops runs over two by its last square alone, turns on the spot, and is dragged without a word about
        // its facing; the same for Black, whose letters are turned round.
        let white = "4k5/10/10/10/10/3p6/10/3p6/3C6/4K5 w - - 0 1 n";
        let black = "4k5/3c6/3P6/10/3P6/10/10/10/10/4K5 b - - 0 1 n";
        for (fen, word, text) in [
            (white, "d1d4f", "d2d5se"),
            (white, "d1d1i", "d2d2w"),
            (white, "d1d3q", "d2d4n"),
            (black, "d8d5c", "d9d6s"),
            (black, "d8d8h", "d9d9ne"),
            (black, "d8d6q", "d9d7n"),
            // Our own letters, where they are none of XBoard's.
            (white, "d1d3s", "d2d4s"),
            (white, "d1d3w", "d2d4w"),
            (white, "d1d1s", "d2d2s"),
            (black, "d8d6s", "d9d7s"),
            (black, "d8d8w", "d9d9w"),
        ] {
            assert_eq!(moved(hear("superchessfixed", &[word], Some(fen))).0, text, "{word}");
        }
    }

    #[test]
    fn what_is_not_legal_is_not_heard() {
        let session = engine::open("canyon").unwrap();
        let mut mirror = Mirror::new(&*session);
        for text in ["d3d5", "d6d5", "@@@@", "d2d3", "a1a2", "b1b2", "d3d4q", "d3d4,d4d5"] {
            let ply = mirror.numbering.parse(text).unwrap();
            for manner in [Manner::Helpful, Manner::Patient] {
                assert_eq!(mirror.hear(&*session, &ply, manner), Heard::Nothing, "{text}");
            }
        }
        assert_eq!((mirror.plies(), mirror.pending()), (0, 0));
        // From a square to the same is the beginning of nothing.
        for (game, text) in [("superchessfixed", "d0d0q"), ("superchessfixed", "a1a1"), ("grand", "b1b1")] {
            let session = engine::open(game).unwrap();
            let mut mirror = Mirror::new(&*session);
            let ply = mirror.numbering.parse(text).unwrap();
            for manner in [Manner::Helpful, Manner::Patient] {
                assert_eq!(mirror.hear(&*session, &ply, manner), Heard::Nothing, "{game} {text}");
            }
        }
    }
}
