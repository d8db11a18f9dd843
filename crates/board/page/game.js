// The game as this page knows it: its positions as a tree, and which of them is shown.

/** @import { GameView, LineView, MoveView, NodeView, Role, Side, Status } from '../types.d.ts' */
import { send } from './carrier.js';

/** @typedef {NodeView & { children: Node[] }} Node */

export class Game {
  #shown = 0;
  /** How often another position has been shown. */ visits = 0;

  constructor() {
    /** @type {GameView | null} */ this.game = null;
    /** @type {Map<number, Node>} */ this.nodes = new Map();
    /** @type {Status | null} */ this.status = null;
    /** What this visitor is. @type {Role} */ this.role = 'owner';
    /** @type {{ node: number | null, lines: LineView[] }} */ this.analysis = { node: null, lines: [] };
    /** @type {Map<number, Promise<MoveView[]>>} */ this.moves = new Map();
  }

  /** The position that is shown. */
  get shown() {
    return this.#shown;
  }

  set shown(id) {
    if (id !== this.#shown) this.visits += 1;
    this.#shown = id;
  }

  /** @param {{ game: GameView, nodes: NodeView[], status: Status }} data */
  reset(data) {
    const stays =
      this.nodes.has(this.shown) &&
      data.nodes.some(node => node.id === this.shown) &&
      this.status?.live !== this.shown;
    this.game = data.game;
    this.nodes.clear();
    this.moves.clear();
    for (const node of data.nodes) this.add(node);
    this.status = data.status;
    if (!stays) this.shown = data.status.live;
  }

  /** Adds a position, or changes what is said about it. @param {NodeView} view */
  add(view) {
    const known = this.nodes.get(view.id);
    if (known) {
      Object.assign(known, { ...view, parent: known.parent });
      return;
    }
    const node = { ...view, children: [] };
    this.nodes.set(node.id, node);
    this.parentOf(node)?.children.push(node);
  }

  /** @param {number} id */
  remove(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    const parent = this.parentOf(node);
    if (parent) parent.children = parent.children.filter(child => child !== node);
    for (const gone of below(node)) {
      this.nodes.delete(gone.id);
      this.moves.delete(gone.id);
      if (this.shown === gone.id && parent) this.shown = parent.id;
    }
  }

  /** @param {Node} node */
  parentOf(node) {
    return node.parent === null ? undefined : this.nodes.get(node.parent);
  }

  get current() {
    return this.nodes.get(this.shown);
  }

  get live() {
    return this.status ? this.nodes.get(this.status.live) : undefined;
  }

  get atLive() {
    return this.status?.live === this.shown;
  }

  /** From the first position to this one, both included. @param {Node | undefined} node */
  path(node) {
    const path = [];
    for (let at = node; at; at = this.parentOf(at)) path.unshift(at);
    return path;
  }

  /** The line that is shown: through the shown position, and on. */
  line() {
    const main = new Set(this.path(this.live)),
      line = this.path(this.current);
    for (let at = line.at(-1); at?.children.length;) {
      at = at.children.find(child => main.has(child)) ?? at.children[0];
      line.push(at);
    }
    return line;
  }

  /** The legal moves after a position. @param {number} id */
  movesAt(id) {
    let moves = this.moves.get(id);
    if (!moves) {
      moves = send('moves', { node: id });
      moves.catch(() => this.moves.delete(id));
      this.moves.set(id, moves);
    }
    return moves;
  }

  /** Is the engine to move in the game? */
  get engineMoves() {
    const { status, live } = this;
    return !!status && !!live && status.settings.engine[live.position.side === 'white' ? 0 : 1];
  }

  /** May this visitor start and change games? */
  get isOwner() {
    return this.role === 'owner';
  }

  /** Does this visitor move for a side? The owner moves for sides that nobody plays from elsewhere. @param {Side} side */
  plays(side) {
    const { status, role } = this;
    if (!status || status.settings.engine[side === 'white' ? 0 : 1]) return false;
    return role === side || (role === 'owner' && !status.visitors[side]);
  }

  /** The side of this visitor; nothing for one who has both, or none. @returns {Side | null} */
  get side() {
    const white = this.plays('white');
    return white === this.plays('black') ? null : white ? 'white' : 'black';
  }

  /** May this visitor answer the draw that is offered? */
  get mayAnswer() {
    const offer = this.status?.offer;
    return !!offer && this.plays(offer === 'white' ? 'black' : 'white');
  }

  /** Do people wait as well as the engine? */
  get isHalted() {
    return !!this.status?.paused && !!this.status.clock;
  }

  /** May moves be played on the position that is shown? */
  get mayPlay() {
    const { status, live } = this;
    if (!status || !live) return false;
    if (this.atLive && !status.end) return this.plays(live.position.side) && !this.isHalted;
    if (!this.isOwner) return false;
    return !!status.end || status.settings.engine.every(side => !side) || status.analysed !== null;
  }
}

/** A position and all that follow it. @param {Node} node @returns {Generator<Node>} */
function* below(node) {
  yield node;
  for (const child of node.children) yield* below(child);
}
