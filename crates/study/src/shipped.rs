//! The texts that are in the program. They are here and not in the crates of the games, which take long to compile.

macro_rules! texts {
    ($ending:literal: $($game:literal),* $(,)?) => {
        &[$(($game, include_str!(concat!("../data/", $game, ".", $ending)))),*]
    };
}

/// Opening books, by game: what `quintain book build` writes.
pub const BOOKS: &[(&str, &str)] =
    texts!["book": "canyon", "diamond", "grandcavalier", "superchess", "superchessfixed", "gast", "gast14"];

/// Puzzles, by game: what `quintain puzzles make` writes.
pub const PUZZLES: &[(&str, &str)] = texts!["puzzles": "canyon", "diamond", "grandcavalier", "superchess", "superchessfixed", "gast", "gast14"];

/// The text of a game.
pub(crate) fn text(all: &[(&'static str, &'static str)], game: &str) -> Option<&'static str> {
    all.iter().find(|(name, _)| *name == game).map(|(_, text)| *text)
}

/// Has the program an opening book of this game?
pub fn has_book(game: &str) -> bool {
    text(BOOKS, game).is_some()
}

/// How many puzzles the program has of this game; they are not read for that.
pub fn puzzles(game: &str) -> usize {
    let text = text(PUZZLES, game).unwrap_or_default();
    text.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, puzzle};
    use quintain_engine::NAMES;

    #[test]
    fn the_texts_are_those_of_their_games() {
        for (name, text) in BOOKS {
            let book = Book::parse(text).unwrap();
            assert!(NAMES.contains(name) && book.game() == *name && !book.is_empty(), "{name}");
            // In all of them a good first move is known.
            let start = quintain_engine::open(name).unwrap();
            assert!((0..9).all(|seed| book.choose(&*start, 1, seed).is_some()), "{name}");
        }
        for (name, text) in PUZZLES {
            let (game, all) = puzzle::parse(text).unwrap();
            assert!(NAMES.contains(name) && game == *name, "{name}");
            assert_eq!(puzzles(name), all.len(), "{name}");
        }
    }
}
