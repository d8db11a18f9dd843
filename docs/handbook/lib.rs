//! The handbook: a page for each game, in Markdown. The program has the text only. It draws the boards itself, by the
//! commands that stand in comments above them.

macro_rules! pages {
    ($($game:literal = $file:literal),* $(,)?) => {
        /// The games that have a page.
        pub const GAMES: &[&str] = &[$($game),*];

        /// The page of a game.
        pub fn page(game: &str) -> Option<&'static str> {
            match game {
                $($game => Some(include_str!($file)),)*
                _ => None,
            }
        }
    };
}

pages! {
    "canyon" = "canyon.md",
    "superchess" = "superchess.md",
    "superchessfixed" = "superchess.md",
    "gast" = "gast.md",
    "gast14" = "gast14.md",
    "diamond" = "diamond.md",
    "grandcavalier" = "grandcavalier.md",
}
