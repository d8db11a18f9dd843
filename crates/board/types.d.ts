// What the program sends to pages. Made from the types in Rust by `cargo test`; see crates/server/src/types.rs.

export type Place = [file: number, rank: number];
export type Side = 'white' | 'black';

/** What an attempt led to. */
export type AttemptView = {
/** Is the puzzle over? */
over: boolean,
/** Was the move right? */
right: boolean,
/** Moves that are to be seen now. */
steps: Array<StepView>,
/** The legal moves after them. */
moves: Array<MoveView>,
/** Where the next move begins, for a hint. */
from: [number, number] | null,
/** What happened in the solution, when it is over. */
tags: Array<string>, record: RecordView, };

/** A game in progress. */
export type BoardView = { number: number, round: number,
/** The places of the engines in the list of names. */
white: number, black: number, position: PositionView, move: MoveView | null,
/** What the engines said of their moves. */
scores: Array<ScoreView | null>,
/** The result and its reason, when it is over. */
end: string | null, };

/** A move of the opening book. */
export type BookMoveView = { text: string, san: string, games: number,
/** White's part of the points, as people read it. */
share: string,
/** What the searches say, in pawns for White. */
score: string,
/** If the game on the board has the move: who played it, or that it is a variation. */
whose: string | null, };

/** What there is to choose from in dialogs. */
export type Catalog = { games: Array<GameView>, levels: Array<LevelView>, };

/** A board of the page. */
export type DrawnBoard = {
/** What it shows, in words. */
text: string, position: PositionView, last: MoveView | null, arrows: Array<[[number, number], [number, number]]>, marks: Array<[number, number]>, flipped: boolean,
/** The position with its moves, as an address of the board. */
link: string, };

/** How a game ended. */
export type End = {
/** What happened, as people say it. */
text: string,
/** The result as in PGN. */
score: string,
/** Who won. */
winner: Side | null, };

/** A position of an ending and the moves from there. */
export type Ending = { line: Line,
/** What the tables say of the last position, for the side to move. */
verdict: string | null, };

/** An ending to choose. */
export type EndingView = {
/** The letters of White's pieces and Black's. */
white: string, black: string, material: string, };

/** The most that each of [`EngineSettings`] may be. */
export type EngineLimits = { threads: number,
/** In MiB. */
hash: number, lines: number, };

/** What the engine may use. */
export type EngineSettings = { threads: number,
/** In MiB. */
hash: number,
/** Lines that analysis shows. */
lines: number,
/** Does it play moves of the opening book? */
book: boolean, };

/** A game in a list. */
export type Entry = {
/** Its name in the store. */
id: string,
/** The version of the form. */
quintain: number,
/** What the person calls the game; empty if it has no name. */
name: string,
/** Which of our games it is. */
game: string,
/** White and Black. */
players: [string, string],
/** When it was played, as in PGN. */
date: string,
/** As in PGN. */
result: string,
/** Moves of one side. */
plies: number,
/** When it was last changed: milliseconds since 1970. */
changed: number, };

/** A finished game, to step through. */
export type GameToReplay = { fen: string | null,
/** All moves as coordinates. */
moves: Array<string>,
/** What is known of each move. */
remarks: Array<string>, scores: Array<ScoreView | null>, };

/** A game. */
export type GameView = { name: string, title: string, summary: string, files: number, ranks: number,
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

/** Moves that the text goes through. */
export type GivenLine = { game: string, fen: string | null,
/** As coordinates. */
moves: Array<string>, };

/** The page of a game. */
export type HandbookView = { game: GameView,
/** A `data-board` is the place of a board, a `data-line` that of a line of moves: their numbers. */
html: string, boards: Array<DrawnBoard>, lines: Array<GivenLine>, };

/** A rule, or the example game. */
export type LessonView = { title: string, text: string, line: Line,
/** What is said of each move. */
remarks: Array<string>, };

/** All that the page shows of a game. */
export type LessonsView = { game: GameView, start: Look, pieces: Array<PieceLesson>, rules: Array<LessonView>, example: LessonView,
/** The rules in full. */
text: Array<RulesBlock>, };

/** A level of strength. */
export type LevelView = { level: number, name: string,
/** In points of Elo; full strength has none. */
rating: number | null,
/** Whom it suits, in the words of such a person, if the level has a name: the name and the words. */
suits: [string, string] | null, };

/** A line of moves with all its positions, and what can be played after it. */
export type Line = { fen: string | null, steps: Array<Step>, legal: Array<MoveView>, end: End | null, };

/** A line that analysis found. */
export type LineView = {
/** Which of the best lines, from 1. */
number: number, depth: number, score: ScoreView, nodes: number,
/** Nodes a second. */
speed: number, san: Array<string>,
/** The same moves as coordinates. */
texts: Array<string>, best: MoveView | null, };

/** The links for others, for the page of the owner. */
export type Links = { origins: Array<string>,
/** Whose link it is, and what follows the origin. */
paths: Array<[Role, string]>, };

/** A position to look at: where the pieces of both sides could go. */
export type Look = { position: PositionView, moves: Array<MoveView>, };

/** Everything that the page shows. */
export type MatchView = { game: GameView, names: Array<string>, total: number, played: number, table: TableView, text: string, boards: Array<BoardView>,
/** The last one first. */
recent: Array<ResultView>, over: boolean, };

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

/** A position of the game or of a variation, and the move that led to it. */
export type NodeView = { id: number, parent: number | null, move: MoveView | null,
/** The number of the move as score sheets write it. */
number: string, position: PositionView, comment: string,
/** How good the move is: `?`. */
mark: string,
/** The other annotations, as the signs of chess books. */
signs: string, score: ScoreView | null,
/** How long the move took, in milliseconds. */
time: number | null,
/** Was a hint given in this position? */
hinted: boolean, };

/** What a piece is worth and where it goes. */
export type PieceLesson = { letter: string, name: string, moves: string,
/** In pawns, while the board is full and when it is nearly empty; nothing for the royal piece. */
value: [string, string] | null, look: Look,
/** Where it stands. */
place: [number, number], };

/** A kind of piece. */
export type PieceView = { letter: string, name: string, moves: string,
/** The name of its drawing. */
drawing: string,
/** Does it face somewhere? */
faces: boolean, };

/** A position. */
export type PositionView = {
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

/** A puzzle. */
export type PuzzleView = { game: GameView, number: number,
/** What is to be reached, in words. */
task: string, level: number, position: PositionView, moves: Array<MoveView>,
/** How many puzzles there are like those that are wanted. */
left: number, record: RecordView, };

/** How somebody does at puzzles. */
export type RecordView = { rating: number, streak: number, best: number, };

/** A finished game in the list of them. */
export type ResultView = { number: number, white: number, black: number, result: string, reason: string, };

/** What a visitor of the board is. */
export type Role = "owner" | "white" | "black" | "spectator";

/** A part of the rules. */
export type RulesBlock = { "kind": "heading", text: string, } | { "kind": "text", head: string, text: string, } | { "kind": "list", items: Array<string>, numbered: boolean, } | { "kind": "table", rows: Array<Array<string>>, } | { "kind": "boards", boards: Array<RulesBoard>, aside: string, } | { "kind": "answer", question: string, text: string, } | { "kind": "plain", lines: Array<string>, };

/** A drawn board or a part of it. */
export type RulesBoard = { title: string,
/** Its files, from 0. */
files: Array<number>, rows: Array<RulesRow>, };

/** A rank of a drawn board. */
export type RulesRow = {
/** From 0. */
rank: number,
/** What stands on the squares: a piece, with a digit where it faces as White sees the board; a mark; a dot on an
 * empty square; nothing where there is no square. */
cells: Array<string>, };

/** A score. */
export type ScoreView = {
/** In pawns or moves to mate, for White. */
text: string,
/** The points that White may expect, from 0 to 1. */
points: number, };

/** The settings of a game. */
export type Settings = {
/** Which of our games it is. */
game: string,
/** The first position, if it is not that of the game. */
fen: string | null,
/** Does the engine play White, Black? */
engine: [boolean, boolean],
/** How well the engine plays. */
level: number,
/** How long the engine may think about a move where there is no clock. */
seconds: number,
/** The clocks, if there are any. */
clock: TimeControl | null, };

/** How the game stands, apart from its positions. */
export type Status = {
/** The last position of the game. */
live: number, settings: Settings, engine: EngineSettings, limits: EngineLimits, end: End | null,
/** Does the engine think about its move, a hint or a draw? */
thinking: boolean, paused: boolean,
/** How many seconds a move takes at least when the engine plays both sides. */
pace: number,
/** Is the person to be asked how well the engine should play? */
newcomer: boolean,
/** Who offers a draw to the other person. */
offer: Side | null, visitors: Visitors, hint: MoveView | null, notice: string | null,
/** The name of the game in the library, if it is there. */
saved: string | null,
/** What the person calls the game; empty if it has no name. */
name: string,
/** Why the game is not saved, as long as it is so. */
unsaved: string | null,
/** Milliseconds that White and Black have. */
clock: [number, number] | null,
/** Does the time of the side to move run? */
running: boolean,
/** The position that is analysed. */
analysed: number | null,
/** How many moves are annotated, of how many. */
annotated: [number, number] | null, };

/** A position, and the move that led to it. */
export type Step = { move: MoveView | null, position: PositionView, };

/** A move of the solution, and the position after it. */
export type StepView = { move: MoveView, position: PositionView, };

export type TableView = { header: Array<string>, rows: Array<Array<string>>, };

/** How much time a side has, and what a move adds. */
export type TimeControl = {
/** What both have at the start. */
minutes: number,
/** In seconds. */
increment: number, };

/** What endgame tables say of a move. */
export type VerdictView = {
/** "won in 7", "drawn". */
words: string,
/** The larger, the better. */
rank: [number, number], };

/** Who else is there. */
export type Visitors = {
/** Does somebody play White, Black from elsewhere? */
white: boolean, black: boolean, spectators: number, };
