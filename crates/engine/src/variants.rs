//! The games, one crate each. This is the only list of them.

pub use quintain_canyon as canyon;
pub use quintain_chess as chess;
pub use quintain_diamond as diamond;
pub use quintain_gast as gast;
pub use quintain_grand as grand;
pub use quintain_grandcavalier as grandcavalier;
pub use quintain_superchess as superchess;

/// Calls a macro with the types of all games, in the order in which they are listed.
#[macro_export]
macro_rules! for_each_variant {
    ($callback:ident) => {
        $callback! {
            $crate::variants::canyon::Canyon,
            $crate::variants::diamond::Diamond,
            $crate::variants::grandcavalier::GrandCavalier,
            $crate::variants::superchess::SuperChess,
            $crate::variants::superchess::SuperChessFixed,
            $crate::variants::gast::Gast12,
            $crate::variants::gast::Gast14,
            $crate::variants::chess::Chess,
            $crate::variants::grand::Grand,
        }
    };
}
