// Quintain for JavaScript: the rules of chess variants, and an engine that plays them.

import { compile } from './files.js';
import { Instance } from './instance.js';

export { Engine } from './engine.js';

/** @import { GameInfo, MoveView, PgnGame, PositionInfo, Side, OutcomeInfo } from './types' */

/** Loads the module. It is small without the engine's networks, which only searches need. @returns {Promise<Rules>} */
export async function load() {
  const answers = /** @type {string[]} */ ([]);
  const instance = await Instance.make(await compile(), text => answers.push(text));
  return new Rules(question => {
    instance.call('rules', JSON.stringify(question));
    const { value, error } = JSON.parse(answers.pop() ?? '{}');
    if (error !== undefined) throw new Error(error);
    return value;
  });
}

/** The rules of all games. */
export class Rules {
  #ask;
  /** All games, with their boards and pieces. @type {GameInfo[]} */ games;

  /** Use {@link load}. @param {(question: object) => any} ask */
  constructor(ask) {
    this.#ask = ask;
    this.games = ask({ ask: 'games' });
  }

  /**
   * A position: that of a FEN or the start of the game, after these moves.
   * @param {string} game its name, `canyon`
   * @param {string | null} [fen]
   * @param {string[]} [moves] as coordinates
   * @throws {Error} with the reason, if the FEN or a move is not legal
   */
  position(game, fen = null, moves = []) {
    return new Position(this.#ask, this.game(game), fen, moves);
  }

  /** The game of this name. @param {string} name @returns {GameInfo} */
  game(name) {
    const found = this.games.find(game => game.name === name);
    if (!found) throw new Error(`there is no game called '${name}'`);
    return found;
  }

  /** Why this is not a position of the game; null if it is one. @param {string} game @param {string} fen */
  checkFen(game, fen) {
    try {
      this.position(game, fen);
      return null;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /** Reads the games of a PGN. @param {string} text @returns {PgnGame[]} */
  readPgn(text) {
    return this.#ask({ ask: 'read_pgn', text });
  }

  /** The drawing of a piece, as its game names it, as SVG: white, with black lines. @param {string} name @returns {string} */
  drawing(name) {
    return this.#ask({ ask: 'drawing', name });
  }
}

/** A position, and the moves that led to it. */
export class Position {
  #ask;
  /** The game. @type {GameInfo} */ game;
  /** The FEN in which it began; null for the start of the game. @type {string | null} */ start;
  /** The moves that were played, as coordinates. @type {string[]} */ #moves;
  /** What is known of the position. @type {PositionInfo | null} */ #info = null;

  /** Use {@link Rules.position}. @param {(question: object) => any} ask @param {GameInfo} game
   * @param {string | null} start @param {string[]} moves */
  constructor(ask, game, start, moves) {
    this.#ask = ask;
    this.game = game;
    this.start = start;
    this.#moves = [...moves];
    this.info();
  }

  get #at() {
    return { game: this.game.name, fen: this.start, moves: this.#moves };
  }

  /** Everything that is known of the position, but for its legal moves. @returns {PositionInfo} */
  info() {
    return (this.#info ??= this.#ask({ ask: 'position', at: this.#at }));
  }

  /** The position as FEN. */
  get fen() {
    return this.info().fen;
  }

  /** The side to move. @returns {Side} */
  get turn() {
    return this.info().side;
  }

  /** The moves that were played, as coordinates. */
  get played() {
    return [...this.#moves];
  }

  /** The pieces by the names of their squares: a letter, uppercase for White. @returns {Record<string, string>} */
  get pieces() {
    const pieces = this.info().pieces.map((piece, at) => [this.game.names[at], piece[0]]);
    return Object.fromEntries(pieces.filter(([, piece]) => piece));
  }

  /** The result, or null while the game goes on. @returns {OutcomeInfo | null} */
  get outcome() {
    return this.info().outcome;
  }

  /** The legal moves. @returns {MoveView[]} */
  moves() {
    return this.#ask({ ask: 'moves', at: this.#at });
  }

  /** A legal move in full, without playing it. @param {string} text coordinates or SAN @returns {MoveView} */
  find(text) {
    return this.#ask({ ask: 'move', at: this.#at, text });
  }

  /**
   * Plays a move.
   * @param {string} text coordinates or SAN
   * @returns {MoveView}
   * @throws {Error} with the reason, if it is not legal
   */
  play(text) {
    const move = this.find(text);
    this.#moves.push(move.text);
    this.#info = null;
    return move;
  }

  /** Takes back the last move; false if there is none. */
  undo() {
    this.#info = null;
    return this.#moves.pop() !== undefined;
  }

  /** Moves one after the other, as coordinates or SAN, as SAN. @param {string[]} line @returns {string[]} */
  san(line) {
    return this.#ask({ ask: 'line', at: this.#at, line });
  }

  /** The number of sequences of so many legal moves. @param {number} depth @returns {number} */
  perft(depth) {
    return this.#ask({ ask: 'perft', at: this.#at, depth });
  }

  /**
   * A picture of the board as SVG. `square` is the width of a square in pixels.
   * @param {{ flipped?: boolean, dark?: boolean, square?: number }} [how]
   * @returns {string}
   */
  svg({ flipped = false, dark = false, square = 60 } = {}) {
    return this.#ask({ ask: 'svg', at: this.#at, flipped, dark, square });
  }

  /** The board, drawn with letters. @returns {string} */
  toString() {
    return this.#ask({ ask: 'text', at: this.#at });
  }

  /** The game up to here as PGN, with these tags. @param {Record<string, string>} [tags] @returns {string} */
  pgn(tags = {}) {
    return this.#ask({ ask: 'write_pgn', at: this.#at, tags: Object.entries(tags) });
  }

  /** A copy with its own moves. */
  copy() {
    return new Position(this.#ask, this.game, this.start, this.#moves);
  }
}
