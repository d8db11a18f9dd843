// What the module answers. Made from the types in Rust by `cargo test`; see crates/web/src/rules.rs.

export type Place = [file: number, rank: number];
export type Side = 'white' | 'black';

/** A game: its board, its pieces, its start. */
export type GameInfo = {
/** The names of the squares, in the order of `squares`. */
names: Array<string>,
/** The rules for people. */
rules: string,
/** The name of its network. */
network: string, name: string, title: string, summary: string, files: number, ranks: number,
/** In the order in which positions name the pieces on them; holes are left out. */
squares: Array<[number, number]>, pieces: Array<PieceView>,
/** The start position as FEN. */
start: string,
/** Its pieces, as in [`PositionView::pieces`]. */
start_pieces: Array<string>,
/** Do pawns become captured pieces of their side only? */
promotes_to_captured: boolean,
/** The castling rights: the letter in the FEN, and the right in words. */
castling: Array<[string, string]>, en_passant: boolean,
/** What the seventh field of a FEN counts, where it is a number. */
counts: string | null,
/** Is there an opening book? */
book: boolean,
/** How many puzzles there are. */
puzzles: number,
/** Has the handbook a page of it? */
handbook: boolean, };

/** A legal move. */
export type MoveView = { text: string, san: string, tag: string, piece: string, from: [number, number], to: [number, number],
/** The letter of the piece afterwards, if it is another one. */
becomes: string | null,
/** Where the piece faces afterwards, if it has facings: 0 to 7, clockwise from White's north. */
facing: number | null, taken: Array<[number, number]>,
/** Pieces that move besides: from, to. */
partners: Array<[[number, number], [number, number]]>,
/** What endgame tables say, for the side that moves. */
verdict: VerdictView | null, };

/** The result of a game. */
export type OutcomeInfo = {
/** Nobody won a draw. */
winner: Side | null, reason: 'checkmate' | 'stalemate' | 'ten_moves' | 'bare_kings' | 'repetition' | 'fifty_moves',
/** As PGN writes it. */
result: '1-0' | '0-1' | '1/2-1/2',
/** In words. */
text: string, };

/** A game that was read from a PGN. */
export type PgnGame = {
/** The name of the game. */
game: string, tags: Array<[string, string]>,
/** The first position, if it is not that of the game. */
fen: string | null,
/** The comment before the first move. */
comment: string | null, moves: Array<PgnMove>,
/** `1-0`, `0-1`, `1/2-1/2` or `*`; empty if the text ends without one. */
result: string,
/** What was not understood. The moves end before the first that was not. */
faults: Array<string>, };

/** A move of a PGN. */
export type PgnMove = {
/** Coordinates. */
text: string, san: string,
/** Annotations by their numbers: 2 for `?`. */
nags: Array<number>, comment: string | null, };

/** A kind of piece. */
export type PieceView = { letter: string, name: string, moves: string,
/** The name of its drawing. */
drawing: string,
/** Does it face somewhere? */
faces: boolean, };

/** A position, as far as its pieces and its side to move do not tell. */
export type PositionInfo = {
/** The moves that were played, as SAN. */
played: Array<string>,
/** The result, if the game is over. */
outcome: OutcomeInfo | null,
/** The number of the move, from 1; it grows after Black's moves. */
fullmove: number,
/** Plies since the last irreversible move. */
halfmove: number,
/** The pieces in the order of [`GameView::squares`]: a letter, uppercase for White, and behind it where the piece
 * faces, as in [`MoveView::facing`]; nothing on an empty square. */
pieces: Array<string>, side: Side, fen: string,
/** The square of the royal piece of the side to move, if it is attacked. */
check: [number, number] | null,
/** The squares of the pieces that attack it, by name. */
checkers: Array<string>,
/** The letters of the pieces that are still to be placed. */
in_hand: Array<string>,
/** What the board does not show. */
remark: string | null,
/** The letters of the captured pieces, uppercase for White. */
captured: Array<string>,
/** How much more White's pieces are worth than Black's, in pawns. */
material: number, };

/** What endgame tables say of a move. */
export type VerdictView = {
/** "won in 7", "drawn". */
words: string,
/** The larger, the better. */
rank: [number, number], };
