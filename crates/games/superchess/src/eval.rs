//! The evaluation of Super Chess.

use super::*;
use quintain_core::eval::{Evaluate, Inputs, Network, Score};
use quintain_core::network_file;
use std::sync::Arc;

impl<const SETUP: bool> Inputs for Super<SETUP> {
    const NETWORK_GAME: &'static str = SuperChess::NAME;

    fn mirrored(kind: Kind) -> Kind {
        if is_cyclops(kind) { cyclops((8 - (kind.index() & 7)) & 7) } else { kind }
    }
}

impl<const SETUP: bool> Evaluate for Super<SETUP> {
    const CANNOT_MATE: &'static [Kind] = &[KNIGHT, BISHOP, ARCHER];
    const COLOUR_BOUND: &'static [Kind] = &[BISHOP];

    fn network() -> &'static Arc<Network> {
        network_file!(SuperChess, "net.bin")
    }

    /// A new cyclops should face the enemies, preferably the king.
    fn preference(pos: &Position<Self>, mv: Move) -> Score {
        if !is_cyclops(mv.becomes()) {
            return 0;
        }
        let ahead = pos.tables().ahead[direction(pos.side(), mv.becomes())][mv.to()];
        let value = |square| match pos.piece(square).kind() {
            KING => 500,
            kind => Self::value(kind) / 4,
        };
        1 + (ahead & pos.color(!pos.side())).squares().map(value).sum::<Score>()
    }

    /// While only White has placed its pawns, Black's are in hand.
    fn in_hand(pos: &Position<Self>) -> Score {
        match pos.extra().phase {
            Phase::BlackPlaces => -(8 * Self::value(PAWN) + 2 * Self::value(SUPER_PAWN)),
            _ => 0,
        }
    }
}
