//! The texts that are in the program. They are here and not in the crates of the games, which take long to compile.

/// What the program has of a game.
#[derive(Clone, Copy)]
pub struct Texts {
    /// The name of the game.
    pub game: &'static str,
    /// Its opening book: what `quintain book build` writes.
    pub book: &'static str,
    /// Its puzzles: what `quintain puzzles make` writes.
    pub puzzles: &'static str,
}

macro_rules! texts {
    ($($game:literal),* $(,)?) => {
        &[$(Texts {
            game: $game,
            book: include_str!(concat!("../data/", $game, ".book")),
            puzzles: include_str!(concat!("../data/", $game, ".puzzles")),
        }),*]
    };
}

/// The texts of all games that have some.
pub const ALL: &[Texts] =
    texts!["canyon", "diamond", "grandcavalier", "superchess", "superchessfixed", "gast", "gast14"];

#[cfg(not(target_family = "wasm"))]
pub(crate) fn of(game: &str) -> Option<Texts> {
    ALL.iter().find(|texts| texts.game == game).copied()
}

/// A WebAssembly module has only the texts that it was given. The linker leaves out the others.
#[cfg(target_family = "wasm")]
mod given {
    use super::Texts;
    use std::sync::{Mutex, PoisonError};

    static TEXTS: Mutex<Vec<Texts>> = Mutex::new(Vec::new());

    /// Gives a WebAssembly module the texts of a game.
    pub fn give_texts(texts: Texts) {
        TEXTS.lock().unwrap_or_else(PoisonError::into_inner).push(texts);
    }

    pub(crate) fn of(game: &str) -> Option<Texts> {
        let given = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        given.iter().find(|texts| texts.game == game).copied()
    }
}
#[cfg(target_family = "wasm")]
pub use given::give_texts;
#[cfg(target_family = "wasm")]
pub(crate) use given::of;

/// Has the program an opening book of this game?
pub fn has_book(game: &str) -> bool {
    of(game).is_some()
}

/// How many puzzles the program has of this game; they are not read for that.
pub fn puzzles(game: &str) -> usize {
    let text = of(game).map_or("", |texts| texts.puzzles);
    text.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::VARIED;
    use crate::{Book, puzzle};
    use quintain_engine::NAMES;

    #[test]
    fn the_texts_are_those_of_their_games() {
        for texts in ALL {
            let (name, book) = (texts.game, Book::parse(texts.book).unwrap());
            assert!(NAMES.contains(&name) && book.game() == name && !book.is_empty(), "{name}");
            // In all of them a good first move is known.
            let start = quintain_engine::open(name).unwrap();
            assert!((0..9).all(|seed| book.choose(&*start, 1, VARIED, seed).is_some()), "{name}");
            let (game, all) = puzzle::parse(texts.puzzles).unwrap();
            assert_eq!((game, puzzles(name)), (name, all.len()));
        }
    }
}
