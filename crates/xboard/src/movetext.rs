//! Move lists in XBoard's game files.
//!
//! XBoard records the moves of its own board: a move of ours may be several entries with passes (`--`) between them,
//! ranks are numbered in its way, and a piece's letter includes its facing. They are read by playing them on a
//! [`Mirror`]. XBoard does not know all rules and may write an ambiguous origin; then the first reading is taken with
//! which the rest of the game is legal.
//!
//! They are written with the plies by which a [`Mirror`] shows the moves in a game.

use super::board::{Board, Quirks, owner};
use super::mirror::{Completion, Mirror, Recognised};
use super::text::Ply;
use quintain_engine::{FileRank, Session};
use std::rc::Rc;

/// A move of the game, and where in the text it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Coordinates, as ours.
    pub text: String,
    /// How many entries were read up to its end.
    pub end: usize,
}

/// How many readings more than entries are tried before a text counts as invalid.
const PATIENCE: usize = 20_000;

struct Branch {
    session: Box<dyn Session>,
    mirror: Mirror,
    read: usize,
    moves: Option<Rc<Link>>,
}

/// The last move of a branch. Branches share the moves before it, or each move would cost a copy of all.
struct Link {
    reading: Reading,
    before: Option<Rc<Link>>,
}

/// The moves of `words`, played from the position of `session`. The error is the number of the first word that cannot
/// be read.
pub fn read(session: &dyn Session, words: &[&str]) -> Result<Vec<Reading>, usize> {
    let first = Branch { session: session.snapshot(), mirror: Mirror::new(session), read: 0, moves: None };
    let (mut branches, mut furthest) = (vec![first], 0);
    for _ in 0..words.len() + PATIENCE {
        let Some(branch) = branches.pop() else { break };
        furthest = furthest.max(branch.read);
        if branch.read == words.len() {
            let mut moves: Vec<Reading> = Vec::new();
            let mut last = branch.moves.as_deref();
            while let Some(link) = last {
                moves.push(link.reading.clone());
                last = link.before.as_deref();
            }
            moves.reverse();
            return Ok(moves);
        }
        // The last one is tried first.
        branches.extend(branch.next(words).into_iter().rev());
    }
    Err(furthest)
}

/// The entries from which XBoard reads the legal moves `moves`, played from the position of `session`: for each move
/// one, or several with passes between them. They name all squares, because XBoard does not know the rules of all
/// pieces. The error is the number of the first move that it cannot read.
pub fn write(session: &dyn Session, moves: &[&str]) -> Result<Vec<Vec<String>>, usize> {
    let mut session = session.copy();
    let mut mirror = Mirror::new(&*session);
    let mut entries = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let (mut board, mut side) = (mirror.board().clone(), mirror.side());
        let mut words = Vec::new();
        for ply in mirror.show(&*session, text).ok_or(index)? {
            words.push(entry(&ply, &board, mirror.quirks()).ok_or(index)?);
            board = board.after(&ply, side, mirror.quirks()).ok_or(index)?;
            side = !side;
        }
        entries.push(words);
        session.play(text).map_err(|_| index)?;
        mirror.complete(&*session);
        mirror.forget();
    }
    Ok(entries)
}

fn entry(ply: &Ply, board: &Board, quirks: &Quirks) -> Option<String> {
    match ply {
        Ply::Pass => Some("--".into()),
        Ply::Drop { .. } => Some(quirks.numbering().word(ply)),
        Ply::Move { from, via, .. } => {
            let piece = board.at(*from).to_ascii_uppercase();
            let letter = Some(piece).filter(|piece| piece.to_ascii_lowercase() != quirks.pawn());
            let letter = letter.map(String::from).unwrap_or_default();
            // When XBoard reads several legs from a file, it takes the sign between them for a promotion.
            via.is_empty().then(|| letter + &quirks.numbering().word(ply))
        }
    }
}

impl Branch {
    fn next(&self, words: &[&str]) -> Vec<Branch> {
        let plies = plies(words[self.read], &*self.session, &self.mirror);
        let mut ways: Vec<Branch> = Vec::new();
        for ply in &plies {
            let manners = [Completion::Allowed, Completion::Withheld];
            let way = manners.into_iter().find_map(|completion| self.after(ply, completion, words));
            // Equal readings are merged, or the work would double with every move.
            let known = |way: &Branch| {
                ways.iter().any(|other| {
                    other.last() == way.last()
                        && other.read == way.read
                        && other.mirror.board() == way.mirror.board()
                })
            };
            ways.extend(way.filter(|way| !known(way)));
        }
        ways
    }

    fn after(&self, ply: &Ply, completion: Completion, words: &[&str]) -> Option<Branch> {
        let mut next = Branch {
            session: self.session.snapshot(),
            mirror: self.mirror.clone(),
            read: self.read + 1,
            moves: self.moves.clone(),
        };
        let (text, rest) = match next.mirror.recognise(&*next.session, ply, completion) {
            Recognised::Nothing => return None,
            Recognised::Part => return Some(next),
            Recognised::Move(text, rest) => (text, rest),
        };
        for ply in &rest {
            // Plies that the engine sent to complete the move.
            if !plies(words.get(next.read)?, &*next.session, &next.mirror).contains(ply) {
                return None;
            }
            next.mirror.send(ply);
            next.read += 1;
        }
        next.session.play(&text).ok()?;
        next.mirror.complete(&*next.session);
        next.mirror.forget();
        let reading = Reading { text, end: next.read };
        next.moves = Some(Rc::new(Link { reading, before: next.moves.take() }));
        Some(next)
    }

    /// The last move. Of branches that begin at the same one no more need to be compared.
    fn last(&self) -> Option<&Reading> {
        self.moves.as_deref().map(|link| &link.reading)
    }
}

/// Without recursion, which a long game would not survive.
impl Drop for Link {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut link) = before.and_then(Rc::into_inner) {
            before = link.before.take();
        }
    }
}

/// What an entry may mean on XBoard's board.
fn plies(word: &str, session: &dyn Session, mirror: &Mirror) -> Vec<Ply> {
    let (board, numbering, side) = (mirror.board(), mirror.numbering(), mirror.side());
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if word == "--" {
        return vec![Ply::Pass];
    }
    if word.contains('@') {
        return numbering.parse(word).into_iter().collect();
    }
    let own = |&square: &FileRank| owner(board.at(square)) == Some(side);
    let letter = |square: FileRank| board.at(square).to_ascii_lowercase();
    if word.starts_with("O-O") {
        let short = !word.starts_with("O-O-O");
        let quirks = mirror.quirks();
        let kings = quirks.squares().filter(|&square| own(&square) && letter(square) == quirks.king());
        let aside = |from: FileRank, to: FileRank| {
            let right = quirks.short_is_right(from.0) == short;
            to.1 == from.1 && to.0 != from.0 && (to.0 > from.0) == right
        };
        return kings
            .flat_map(|from| {
                let ends = quirks.squares().filter(move |&to| aside(from, to));
                ends.flat_map(move |to| {
                    let partners = quirks.squares().filter(move |&at| aside(from, at) && own(&at));
                    let with = partners.map(move |at| Ply::Move { from, via: vec![at], to, suffix: None });
                    with.chain([Ply::go(from, to, None)])
                })
            })
            .collect();
    }
    let Some(entry) = Entry::read(word) else { return Vec::new() };
    let square = |&(file, rank): &(Option<u8>, Option<&str>)| {
        numbering.read(&format!("{}{}", file? as char, rank?)).map(|(square, _)| square)
    };
    let Some((to, before)) = entry.squares.split_last().and_then(|(to, before)| Some((square(to)?, before)))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for origin in [true, false] {
        // What precedes is the origin, or a part of it, or a square on the path.
        let (from, via) =
            if origin && !before.is_empty() { before.split_at(1) } else { (&before[..0], before) };
        if origin == from.is_empty() || (!via.is_empty() && !entry.legs) {
            continue;
        }
        let Some(via) = via.iter().map(square).collect::<Option<Vec<FileRank>>>() else { continue };
        for start in mirror.quirks().squares().filter(|start| own(start)) {
            let named = from.iter().all(|&(file, rank)| {
                let name = numbering.name(start);
                file.is_none_or(|file| name.as_bytes()[0] == file)
                    && rank.is_none_or(|rank| &name[1..] == rank)
            });
            if named && letter(start) == entry.letter.unwrap_or(mirror.quirks().pawn()) {
                found.push(Ply::Move { from: start, via: via.clone(), to, suffix: entry.suffix });
                // For a move with one leg XBoard writes only promotions of pawns.
                if entry.suffix.is_none() && via.is_empty() {
                    let moves = mirror.mouse_moves(session, start).into_iter();
                    let changes = moves.filter(|mv| mv.to == to && mv.suffix.is_some());
                    found.extend(changes.map(|mv| Ply::go(start, to, mv.suffix)));
                }
            }
        }
    }
    found
}

/// A parsed entry.
struct Entry<'a> {
    /// The piece's letter, lowercase; none for a pawn.
    letter: Option<char>,
    /// Files and ranks in their order; the last is where the piece ends.
    squares: Vec<(Option<u8>, Option<&'a str>)>,
    /// The move has several legs.
    legs: bool,
    /// What the piece becomes.
    suffix: Option<char>,
}

impl Entry<'_> {
    fn read(word: &str) -> Option<Entry<'_>> {
        if !word.is_ascii() {
            return None;
        }
        let letter = word.chars().next().filter(char::is_ascii_uppercase);
        let body = word.get(usize::from(letter.is_some())..)?;
        let (body, end) = body.split_at(body.rfind(|c: char| c.is_ascii_digit())? + 1);
        let end = end.trim_start_matches('=');
        let mut squares = Vec::new();
        let mut rest = body;
        while let Some(c) = rest.chars().next() {
            let file = c.is_ascii_lowercase().then_some(c as u8);
            let after = if c.is_ascii_digit() { rest } else { &rest[1..] };
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            if !matches!(c, 'x' | '-') {
                squares.push((file, after.get(..digits).filter(|rank| !rank.is_empty())));
                rest = &after[digits..];
            } else {
                rest = after;
            }
        }
        let mut suffix = end.chars();
        let entry = Entry {
            letter: letter.map(|letter| letter.to_ascii_lowercase()),
            squares,
            legs: body.contains('-'),
            suffix: suffix.next().map(|letter| letter.to_ascii_lowercase()),
        };
        (suffix.next().is_none()).then_some(entry)
    }
}
