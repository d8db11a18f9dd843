// What the server sends (src/web/view.rs), for the type checker.

export type Place = [file: number, rank: number];
export type Side = 'white' | 'black';
/** What a visitor is (src/web/access.rs). */
export type Role = 'owner' | 'white' | 'black' | 'spectator';

export interface PieceView {
  letter: string;
  name: string;
  moves: string;
  drawing: string;
  faces: boolean;
}

export interface GameView {
  name: string;
  title: string;
  summary: string;
  files: number;
  ranks: number;
  squares: Place[];
  pieces: PieceView[];
  start: string;
  start_pieces: string[];
  promotes_to_captured: boolean;
  castling: [letter: string, words: string][];
  en_passant: boolean;
  counts: string | null;
}

export interface MoveView {
  text: string;
  san: string;
  tag: string;
  piece: string;
  from: Place;
  to: Place;
  becomes: string | null;
  facing: number | null;
  taken: Place[];
  partners: [Place, Place][];
}

export interface PositionView {
  pieces: string[];
  side: Side;
  fen: string;
  check: Place | null;
  checkers: string[];
  in_hand: string[];
  remark: string | null;
  captured: string[];
  material: number;
}

export interface ScoreView {
  text: string;
  points: number;
}

export interface NodeView {
  id: number;
  parent: number | null;
  move: MoveView | null;
  number: string;
  position: PositionView;
  comment: string;
  mark: string;
  signs: string;
  score: ScoreView | null;
  time: number | null;
  hinted: boolean;
}

export interface TimeControl {
  minutes: number;
  increment: number;
}

export interface Settings {
  game: string;
  fen: string | null;
  engine: [boolean, boolean];
  level: number;
  seconds: number;
  clock: TimeControl | null;
}

export interface Status {
  live: number;
  settings: Settings;
  engine: { threads: number; hash: number; lines: number };
  end: { text: string; score: string; winner: Side | null } | null;
  thinking: boolean;
  paused: boolean;
  pace: number;
  newcomer: boolean;
  offer: Side | null;
  visitors: { white: boolean; black: boolean; spectators: number };
  hint: MoveView | null;
  notice: string | null;
  saved: string | null;
  name: string;
  unsaved: string | null;
  clock: [number, number] | null;
  running: boolean;
  analysed: number | null;
  annotated: [number, number] | null;
}

/** A game of the library (src/library/mod.rs). */
export interface SavedEntry {
  id: string;
  name: string;
  game: string;
  players: [string, string];
  date: string;
  result: string;
  plies: number;
  changed: number;
}

export interface LineView {
  number: number;
  depth: number;
  score: ScoreView;
  nodes: number;
  speed: number;
  san: string[];
  texts: string[];
  best: MoveView | null;
}

export interface Catalog {
  games: GameView[];
  levels: { level: number; name: string; rating: number | null; suits: [name: string, words: string] | null }[];
  threads: number;
  hash: number;
  lines: number;
}

/** Links for others (src/web/links.rs). */
export interface Links {
  origins: string[];
  paths: [Role, string][];
}

/** Positions and the moves between them (src/web/learn.rs). */
export interface Line {
  fen: string | null;
  steps: { move: MoveView | null; position: PositionView }[];
  legal: MoveView[];
  end: { text: string; score: string; winner: Side | null } | null;
}

/** The rules of a game (src/web/rules.rs). */
export interface RulesBoard {
  title: string;
  files: number[];
  rows: { rank: number; cells: string[] }[];
}

export type RulesBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; head: string; text: string }
  | { kind: 'list'; items: string[]; numbered: boolean }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'boards'; boards: RulesBoard[]; aside: string }
  | { kind: 'answer'; question: string; text: string }
  | { kind: 'plain'; lines: string[] };

export interface Look {
  position: PositionView;
  moves: MoveView[];
}

export interface LessonView {
  title: string;
  text: string;
  line: Line;
  remarks: string[];
}

export interface PieceLesson {
  letter: string;
  name: string;
  moves: string;
  value: [opening: string, ending: string] | null;
  look: Look;
  place: Place;
}

export interface Lessons {
  game: GameView;
  start: Look;
  pieces: PieceLesson[];
  rules: LessonView[];
  example: LessonView;
  text: RulesBlock[];
}

/** A game of a match (src/web/watch.rs); engines are places in the list of names. */
export interface MatchBoard {
  number: number;
  round: number;
  white: number;
  black: number;
  position: PositionView;
  move: MoveView | null;
  scores: (ScoreView | null)[];
  end: string | null;
}

export interface MatchView {
  game: GameView;
  names: string[];
  total: number;
  played: number;
  table: { header: string[]; rows: string[][] };
  text: string;
  boards: MatchBoard[];
  recent: { number: number; white: number; black: number; result: string; reason: string }[];
  over: boolean;
}

export interface FinishedGame {
  fen: string | null;
  moves: string[];
  remarks: string[];
  scores: (ScoreView | null)[];
}
