//! The games, one folder each. This is the only list of them.

pub mod canyon;
pub mod chess;
pub mod diamond;
pub mod gast;
pub mod grand;
pub mod grandcavalier;
pub mod superchess;

#[cfg(test)]
mod testing;

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
