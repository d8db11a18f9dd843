//! Positions set up by their pieces are those of their FEN.

use quintain::variants::superchess::SuperChess;
use quintain_core::board::SquareSet;
use quintain_core::notation::fen;
use quintain_core::rules::Arranger;
use quintain_core::rules::perft::perft;

#[test]
fn an_arranged_position_is_the_one_of_its_fen() {
    let fens =
        ["k9/10/2c7/10/10/4C5/10/10/8A1/9K b - - 0 1 se,n", "k9/10/10/10/10/4C5/10/10/10/9K w - - 0 1 w"];
    let mut board = Arranger::<SuperChess>::new();
    for text in fens {
        let read = fen::parse::<SuperChess>(text).unwrap();
        let pieces: Vec<_> = read.occupied().squares().map(|square| (square, read.piece(square))).collect();
        let arranged = board.arrange(read.side(), &pieces).unwrap();
        assert!(*arranged == read && arranged.keys() == read.keys());
        // What was played on it is forgotten with the next.
        assert_eq!(perft(arranged, 2), perft(&mut read.clone(), 2));
        arranged.play_unchecked(read.legal_moves()[0]);
    }
}
