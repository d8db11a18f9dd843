// A board: draws a position, and turns pointer and keys into one of the legal moves that it was given.
// It knows no rule. What can be chosen is what is left of the legal moves.

/** @import { GameView, MoveView, Place, PositionView, Side } from '../types.d.ts' */

const NS = 'http://www.w3.org/2000/svg';
/** Units of the drawing for a square. */
const SIZE = 100;
/** The height of the board's edge below its last rank. */
const EDGE = 14;
/** The room for the names of ranks and files: a part of the board's longer side, so that they can always be read. */
const MARGIN = 0.038;
/** A press becomes a drag after so many pixels. */
const DRAG = 4;
const COMPASS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];
/** The places of the compass in a grid of three by three, clockwise from north. */
const DIAL = [
  [0, 1],
  [0, 2],
  [1, 2],
  [2, 2],
  [2, 1],
  [2, 0],
  [1, 0],
  [0, 0],
];

/** @param {Place} place */
export const nameOf = ([file, rank]) => String.fromCharCode(97 + file) + (rank + 1);
/** @param {Place | null | undefined} a @param {Place | null | undefined} b */
const same = (a, b) => !!a && !!b && a[0] === b[0] && a[1] === b[1];
/** @param {string} piece @returns {Side} */
export const ownerOf = piece => (piece[0] === piece[0].toUpperCase() ? 'white' : 'black');

/**
 * Adds an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {Element} parent @param {K} kind @param {Record<string, string | number>} [attributes]
 * @returns {SVGElementTagNameMap[K]}
 */
export function draw(parent, kind, attributes = {}) {
  const node = document.createElementNS(NS, kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  parent.append(node);
  return node;
}

/**
 * Draws a piece of a game into a square of SIZE units.
 * @param {Element} parent @param {GameView} game @param {string} piece letter, and digit of its facing
 * @param {boolean} [flipped]
 */
export function drawPiece(parent, game, piece, flipped = false) {
  const kind = game.pieces.find(known => known.letter === piece[0].toLowerCase());
  const group = draw(parent, 'g', { class: `piece ${ownerOf(piece)}` });
  const turn = (Number(piece[1] ?? 0) * 45 + (piece[1] !== undefined && flipped ? 180 : 0)) % 360;
  const inner = draw(group, 'g', turn ? { transform: `rotate(${turn} ${SIZE / 2} ${SIZE / 2})` } : {});
  for (const layer of ['outline', 'drawing']) {
    draw(inner, 'use', {
      class: layer,
      href: `pieces.svg#${kind?.drawing}`,
      x: 4,
      y: 4,
      width: SIZE - 8,
      height: SIZE - 8,
    });
  }
  return group;
}

/**
 * A drawing of a piece by itself.
 * @param {GameView} game @param {string} piece
 */
export function pieceIcon(game, piece) {
  const icon = document.createElementNS(NS, 'svg');
  icon.setAttribute('viewBox', `0 0 ${SIZE} ${SIZE}`);
  icon.setAttribute('class', 'piece-icon');
  icon.setAttribute('aria-hidden', 'true');
  drawPiece(icon, game, piece);
  return icon;
}

/**
 * @typedef {object} Extras
 * @property {MoveView | null} [last] the move that led to the position
 * @property {MoveView | null} [animate] the move that is to be seen, forward
 * @property {MoveView | null} [undo] the move that is to be seen, backward
 * @property {{ from: Place, to: Place, kind: string }[]} [arrows]
 * @property {Side | null} [premove] the side whose pieces may be moved in advance
 */

export class Board {
  /**
   * @param {HTMLElement} container
   * @param {(move: MoveView) => void} onMove a legal move was chosen
   */
  constructor(container, onMove) {
    this.container = container;
    this.onMove = onMove;
    /** @type {((from: Place, to: Place) => void) | null} a move in advance was chosen, or with the same squares dropped */
    this.onPremove = null;
    /** @type {((place: Place) => void) | null} if set, a square is only reported: for editors */
    this.onSquare = null;
    /** @type {((from: Place, to: Place | null) => void) | null} for editors: a piece was dropped, perhaps off the board */
    this.onDrop = null;
    /** @type {((text: string) => void) | null} something to say to those who do not see the board */
    this.onSay = null;
    /** @type {(() => void) | null} how many pieces in hand are put on the board has changed */
    this.onPlaced = null;
    this.flipped = false;
    /** @type {GameView | null} */ this.game = null;
    /** @type {PositionView | null} */ this.position = null;
    /** @type {MoveView[]} */ this.moves = [];
    /** @type {Extras} */ this.extras = {};
    /** @type {Place | null} */ this.from = null;
    /** Is a piece in hand to be put somewhere? */ this.holding = false;
    this.shownPlaced = 0;
    /** @type {Place | null} */ this.hover = null;
    /** @type {Place | null} */ this.cursor = null;
    /** @type {{ moves: MoveView[], place: Place } | null} */ this.choice = null;
    /** @type {{ place: Place, x: number, y: number, moving: boolean, wasChosen: boolean } | null} */ this.drag =
      null;
    /** @type {{ from: Place, to: Place } | null} */ this.premove = null;
    /** @type {{ from: Place, to: Place, kind: string }[]} */ this.drawn = [];
    /** @type {Place | null} */ this.drawing = null;
    /** The square to which a piece was moved already. @type {string | null} */ this.dropped = null;
    /** @type {Map<string, { node: SVGGElement, piece: string }>} */ this.pieces = new Map();
    /** @type {Map<string, SVGRectElement>} */ this.cells = new Map();
    container.classList.add('board');
    this.svg = draw(container, 'svg', { role: 'grid', 'aria-label': 'Board' });
    this.picker = document.createElement('div');
    this.picker.className = 'picker';
    this.picker.hidden = true;
    container.append(this.picker);
    const { svg } = this;
    svg.addEventListener('pointerdown', event => this.press(event));
    svg.addEventListener('pointermove', event => this.track(event));
    svg.addEventListener('pointerup', event => this.release(event));
    svg.addEventListener('pointercancel', () => this.endDrag());
    svg.addEventListener('pointerleave', () => {
      if (!this.drag) this.setHover(null);
    });
    // Else a touch would also click what opens under the finger.
    svg.addEventListener('touchend', event => event.preventDefault());
    svg.addEventListener('contextmenu', event => event.preventDefault());
    svg.addEventListener('keydown', event => this.key(event));
    // The cursor is shown only to those who use keys.
    container.addEventListener('keyup', () => container.classList.add('keys'));
    container.addEventListener('pointerdown', () => container.classList.remove('keys'));
    this.picker.addEventListener('keydown', event => this.pickerKey(event));
    this.picker.addEventListener('pointerdown', event => {
      if (event.target === this.picker) {
        event.preventDefault();
        this.cancel();
      }
    });
  }

  /** @param {GameView} game */
  setGame(game) {
    this.game = game;
    this.position = null;
    this.premove = null;
    this.cursor = null;
    this.container.style.setProperty('--ratio', String(this.ratio));
    this.build();
  }

  /** The room beside and below the squares. */
  get margin() {
    const { files, ranks } = /** @type {GameView} */ (this.game);
    return Math.round(MARGIN * SIZE * Math.max(files, ranks));
  }

  /** Left, top, width and height of the drawing. */
  get box() {
    const { files, ranks } = /** @type {GameView} */ (this.game),
      { margin } = this;
    return [-margin, 0, files * SIZE + margin, ranks * SIZE + EDGE + margin];
  }

  /** Width by height. */
  get ratio() {
    return this.box[2] / this.box[3];
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    if (this.game) this.build();
    if (this.position) this.show(this.position, this.moves, { ...this.extras, animate: null, undo: null });
  }

  /**
   * Shows a position. `moves` are the legal moves that may be chosen.
   * @param {PositionView} position @param {MoveView[]} [moves] @param {Extras} [extras]
   */
  show(position, moves = [], extras = {}) {
    if (this.position !== position) {
      this.drawn = [];
      this.close();
      this.holding = false;
      if (!this.drag) this.from = null;
    }
    const before = this.position;
    [this.position, this.moves, this.extras] = [position, moves, extras];
    if (before !== position || !this.pieces.size) this.placePieces();
    this.label();
    this.drawMarks();
  }

  /** Gives up what was begun. */
  cancel() {
    this.close();
    this.from = null;
    this.holding = false;
    this.endDrag();
    if (this.premove) {
      this.premove = null;
      this.onPremove?.([0, 0], [0, 0]);
    }
    this.drawMarks();
    if (this.container.contains(document.activeElement)) this.focus();
  }

  // ---- Geometry ----

  /** @param {Place} place @returns {[number, number]} */
  at([file, rank]) {
    const game = /** @type {GameView} */ (this.game);
    return this.flipped
      ? [(game.files - 1 - file) * SIZE, rank * SIZE]
      : [file * SIZE, (game.ranks - 1 - rank) * SIZE];
  }

  /** @param {MouseEvent} event @returns {Place | null} */
  squareAt(event) {
    const { x, y } = this.point(event);
    const game = /** @type {GameView} */ (this.game);
    const [u, v] = [Math.floor(x / SIZE), Math.floor(y / SIZE)];
    /** @type {Place} */
    const place = this.flipped ? [game.files - 1 - u, v] : [u, game.ranks - 1 - v];
    return this.cells.has(nameOf(place)) ? place : null;
  }

  /** @param {MouseEvent} event */
  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
  }

  /** @param {Place} place */
  pieceOn(place) {
    const at = this.game?.squares.findIndex(square => same(square, place)) ?? -1;
    return this.position?.pieces[at] ?? '';
  }

  // ---- Squares ----

  build() {
    const { svg } = this,
      game = /** @type {GameView} */ (this.game);
    svg.replaceChildren();
    this.pieces.clear();
    this.cells.clear();
    svg.setAttribute('viewBox', this.box.join(' '));
    svg.setAttribute('aria-label', `${game.title} board`);
    const names = new Set(game.squares.map(nameOf));
    /** @param {number} file @param {number} rank */
    const is = (file, rank) => names.has(nameOf([file, rank]));
    const ground = draw(svg, 'g', { 'aria-hidden': 'true' }),
      edges = draw(svg, 'g', { 'aria-hidden': 'true' });
    const rows = draw(svg, 'g', { role: 'rowgroup' });
    const text = draw(svg, 'g', { 'aria-hidden': 'true', class: 'coordinates' });
    const down = this.flipped ? 1 : -1;
    for (let rank = game.ranks - 1; rank >= 0; rank--) {
      const row = draw(rows, 'g', { role: 'row', 'aria-label': `rank ${rank + 1}` });
      for (let file = 0; file < game.files; file++) {
        const [x, y] = this.at([file, rank]);
        if (!is(file, rank)) {
          this.hole(ground, file, rank, is);
          continue;
        }
        if (!is(file, rank + down)) draw(edges, 'rect', { class: 'edge', x, y: y + SIZE, width: SIZE, height: EDGE });
        const cell = draw(row, 'rect', {
          class: `square ${(file + rank) % 2 ? 'light' : 'dark'}`,
          x,
          y,
          width: SIZE,
          height: SIZE,
          role: 'gridcell',
          tabindex: -1,
          'data-square': nameOf([file, rank]),
        });
        this.cells.set(nameOf([file, rank]), cell);
      }
    }
    const { margin } = this,
      size = 0.72 * margin;
    /** @param {number} x @param {number} y @param {string} name */
    const coordinate = (x, y, name) => {
      draw(text, 'text', { class: 'coordinate', x, y: y + 0.36 * size, 'font-size': size }).textContent = name;
    };
    for (let file = 0; file < game.files; file++) {
      const [x] = this.at([file, 0]);
      coordinate(x + SIZE / 2, game.ranks * SIZE + EDGE + margin / 2, nameOf([file, 0])[0]);
    }
    for (let rank = 0; rank < game.ranks; rank++) {
      const [, y] = this.at([0, rank]);
      coordinate(-margin / 2, y + SIZE / 2, String(rank + 1));
    }
    this.low = draw(svg, 'g', { 'aria-hidden': 'true' });
    this.figures = draw(svg, 'g', { 'aria-hidden': 'true' });
    this.high = draw(svg, 'g', { 'aria-hidden': 'true' });
    this.flight = draw(svg, 'g', { 'aria-hidden': 'true' });
    this.cursorMark = draw(svg, 'rect', {
      class: 'cursor',
      'aria-hidden': 'true',
      width: SIZE - 8,
      height: SIZE - 8,
    });
    if (this.cursor) this.setCursor(this.cursor);
  }

  /**
   * What is not a square: water if squares are all round, rock if it lies between squares, and else nothing.
   * @param {Element} parent @param {number} file @param {number} rank @param {(file: number, rank: number) => boolean} is
   */
  hole(parent, file, rank, is) {
    const game = /** @type {GameView} */ (this.game),
      [x, y] = this.at([file, rank]);
    /** @param {number} df @param {number} dr */
    const beyond = (df, dr) => {
      for (let f = file + df, r = rank + dr; f >= 0 && r >= 0 && f < game.files && r < game.ranks; f += df, r += dr)
        if (is(f, r)) return true;
      return false;
    };
    const [west, east, south, north] = [beyond(-1, 0), beyond(1, 0), beyond(0, -1), beyond(0, 1)];
    if (!(west && east) && !(south && north)) return;
    const lake =
      west &&
      east &&
      south &&
      north &&
      [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ].every(([f, r]) => is(file + f, rank + r));
    const last = y === (game.ranks - 1) * SIZE;
    draw(parent, 'rect', { class: lake ? 'lake' : 'canyon', x, y, width: SIZE, height: SIZE + (last ? EDGE : 0) });
    if (lake) {
      const wave = /** @param {number} dy */ dy => `M${x + 12} ${y + dy} q19 -13 38 0 t38 0`;
      draw(parent, 'path', { class: 'wave', d: [42, 62, 82].map(wave).join(' ') });
    } else {
      draw(parent, 'path', {
        class: 'strata',
        d: `M${x} ${y + 38} l28 7 l30 -8 l42 6 M${x} ${y + 62} l40 -6 l22 9 l38 -7 M${x} ${y + 84} l22 6 l46 -9 l32 5`,
      });
    }
  }

  /** What a screen reader says about each square. */
  label() {
    const { game, position } = this;
    if (!game || !position) return;
    const goals = new Set(this.from ? this.targets().map(move => nameOf(this.goal(move))) : []);
    game.squares.forEach((place, index) => {
      const name = nameOf(place),
        cell = this.cells.get(name),
        piece = position.pieces[index];
      if (!cell) return;
      const kind = piece && game.pieces.find(known => known.letter === piece[0].toLowerCase());
      const facing = piece?.[1] !== undefined && piece[1] ? `, facing ${COMPASS[Number(piece[1])]}` : '';
      const who = kind ? `${ownerOf(piece)} ${kind.name.toLowerCase()}${facing}` : 'empty';
      const label = `${name}, ${who}${same(place, this.from) ? ', chosen' : goals.has(name) ? ', can be reached' : ''}`;
      if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
      cell.dataset.piece = piece;
    });
    if (!this.cursor || !this.cells.has(nameOf(this.cursor))) this.setCursor(game.squares[0]);
  }

  // ---- Pieces ----

  /** Puts all pieces in place; those of the move that is to be seen slide there. */
  placePieces() {
    const { game, position, extras } = this;
    if (!game || !position || !this.figures || !this.flight) return;
    const before = new Map(this.pieces);
    /** @type {Map<string, string>} */ const origins = new Map();
    const move = extras.animate ?? extras.undo;
    if (move) {
      const steps =
        move.tag === 'place'
          ? []
          : [
              /** @type {[Place, Place]} */ ([move.from, move.tag === 'shot' ? move.from : move.to]),
              ...move.partners,
            ];
      for (const [from, to] of steps) {
        if (extras.animate) origins.set(nameOf(to), nameOf(from));
        else origins.set(nameOf(from), nameOf(to));
      }
    }
    this.pieces = new Map();
    game.squares.forEach((place, index) => {
      const piece = position.pieces[index],
        name = nameOf(place);
      if (!piece) return;
      const origin = origins.get(name) ?? name,
        known = before.get(origin);
      const moved = origins.has(name) && known !== undefined;
      const [x, y] = this.at(place);
      let node = known?.node;
      if (!known || !node || known.piece !== piece) {
        const old = node;
        node = drawPiece(/** @type {Element} */ (this.figures), game, piece, this.flipped);
        if (known && (moved || ownerOf(known.piece) === ownerOf(piece))) {
          old?.remove();
          before.delete(origin);
        }
      } else before.delete(origin);
      node.style.transform = `translate(${x}px, ${y}px)`;
      node.classList.remove('moving');
      if (moved && origin !== name) {
        this.figures?.append(node);
        const [u, v] = this.at(placeOf(origin));
        if (this.dropped !== name)
          node.animate([{ transform: `translate(${u}px, ${v}px)` }, { transform: `translate(${x}px, ${y}px)` }], {
            duration: this.duration(200),
            easing: 'ease-in-out',
          });
      }
      this.pieces.set(name, { node, piece });
    });
    this.dropped = null;
    const kept = new Set([...this.pieces.values()].map(({ node }) => node));
    for (const { node } of before.values()) {
      if (kept.has(node)) continue;
      const fade = move ? node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: this.duration(220) }) : null;
      if (fade)
        fade.finished.then(
          () => node.remove(),
          () => node.remove(),
        );
      else node.remove();
    }
    if (extras.animate?.tag === 'shot') this.shoot(extras.animate);
  }

  /** Shows at once that a piece goes; the position that follows shows the rest. @param {MoveView} move */
  slide(move) {
    const piece = this.pieces.get(nameOf(move.from))?.node,
      name = nameOf(move.to);
    if (!piece || move.tag === 'shot' || move.tag === 'place') return;
    const [x, y] = this.at(move.from),
      [u, v] = this.at(move.to),
      target = `translate(${u}px, ${v}px)`;
    this.figures?.append(piece);
    piece.classList.remove('moving');
    piece.style.transform = target;
    if (this.dropped !== name)
      piece.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: target }], {
        duration: this.duration(200),
        easing: 'ease-in-out',
      });
    this.dropped = name;
  }

  /** Puts all pieces back where they stand, after a move was refused. */
  restore() {
    this.dropped = null;
    for (const name of this.pieces.keys()) this.settle(placeOf(name));
  }

  /** @param {number} milliseconds */
  duration(milliseconds) {
    return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : milliseconds;
  }

  /** An arrow in flight. @param {MoveView} move */
  shoot(move) {
    if (!this.flight) return;
    const [x, y] = this.at(move.from),
      [u, v] = this.at(move.to);
    const angle = (Math.atan2(v - y, u - x) * 180) / Math.PI;
    const arrow = draw(this.flight, 'path', {
      class: 'missile',
      d: 'M-34 0 L26 0 M-34 -9 L-24 0 L-34 9 M34 0 L14 -9 L14 9 Z',
    });
    const at = /** @param {number} a @param {number} b */ (a, b) =>
      `translate(${a + SIZE / 2}px, ${b + SIZE / 2}px) rotate(${angle}deg)`;
    arrow
      .animate([{ transform: at(x, y) }, { transform: at(u, v) }], { duration: this.duration(260), easing: 'linear' })
      .finished.then(
        () => arrow.remove(),
        () => arrow.remove(),
      );
  }

  // ---- Choosing ----

  /** The squares on which pieces in hand can be put. */
  places() {
    const moves = this.moves.filter(move => move.tag === 'place');
    return [...new Set(moves.flatMap(move => [nameOf(move.from), nameOf(move.to)]))].map(placeOf);
  }

  /** How many pieces in hand stand on the board already, before their move is whole. */
  get placed() {
    const { from } = this;
    return from && !this.pieceOn(from) && this.targets().some(move => move.tag === 'place') ? 1 : 0;
  }

  /** A piece in hand was pressed: it goes where it is dropped, or to the square that is pressed next. @param {PointerEvent} event @param {Element} icon */
  takeFromHand(event, icon) {
    if (event.button !== 0 || !this.places().length) return;
    event.preventDefault();
    this.holding = true;
    this.drawMarks();
    const { width, height } = icon.getBoundingClientRect(),
      ghost = /** @type {HTMLElement} */ (icon.cloneNode(true));
    ghost.classList.add('ghost');
    const size = Math.max(width, SIZE * (this.svg.getScreenCTM()?.a ?? 0));
    Object.assign(ghost.style, { width: `${size}px`, height: `${(size * height) / width}px` });
    /** @param {PointerEvent} now */
    const follow = now => {
      if (!ghost.isConnected && Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) <= DRAG) return;
      if (!ghost.isConnected) document.body.append(ghost);
      ghost.style.translate = `${now.clientX - size / 2}px ${now.clientY - size / 2}px`;
      this.setHover(this.squareAt(now));
    };
    /** @param {PointerEvent} now */
    const drop = now => {
      window.removeEventListener('pointermove', follow);
      for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) window.removeEventListener(end, drop);
      if (!ghost.isConnected) return;
      ghost.remove();
      this.holding = false;
      const place = now.type === 'pointerup' ? this.squareAt(now) : null;
      if (place && this.places().some(other => same(other, place)) && !same(place, this.from)) this.touch(place);
      else this.drawMarks();
    };
    window.addEventListener('pointermove', follow);
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) window.addEventListener(end, drop);
  }

  /** The moves of the chosen piece. */
  targets() {
    const { from } = this;
    return from
      ? this.moves.filter(move => same(move.from, from) || (move.tag === 'place' && same(move.to, from)))
      : [];
  }

  /** Where a move of the chosen piece goes. @param {MoveView} move */
  goal(move) {
    return move.tag === 'place' && same(move.to, this.from) ? move.from : move.to;
  }

  /** Can a move begin here? @param {Place} place */
  starts(place) {
    if (this.moves.some(move => same(move.from, place) || (move.tag === 'place' && same(move.to, place))))
      return true;
    const piece = this.pieceOn(place);
    return !!piece && this.extras.premove === ownerOf(piece);
  }

  /** A square was pressed or entered. Returns whether that did something. @param {Place} place */
  touch(place) {
    if (this.onSquare) {
      this.onSquare(place);
      return;
    }
    this.holding = false;
    const found = this.targets().filter(move => same(this.goal(move), place));
    if (found.length) {
      this.narrow(found, place);
      return;
    }
    if (this.from && !same(this.from, place) && !this.moves.length && this.extras.premove) {
      this.premove = { from: this.from, to: place };
      this.from = null;
      this.onPremove?.(this.premove.from, place);
      this.drawMarks();
      return;
    }
    if (this.premove) {
      this.premove = null;
      this.onPremove?.([0, 0], [0, 0]);
    }
    this.from = this.starts(place) && !same(this.from, place) ? place : null;
    if (this.from) {
      const { size } = new Set(this.targets().map(move => nameOf(this.goal(move))));
      this.onSay?.(`${nameOf(place)} chosen, ${size} ${size === 1 ? 'square' : 'squares'} to go to`);
    }
    this.label();
    this.drawMarks();
  }

  /** Plays the only move that is left, or asks which of them is meant. @param {MoveView[]} moves @param {Place} place */
  narrow(moves, place) {
    if (moves.length === 1) {
      const [move] = moves;
      this.close();
      this.from = null;
      this.drawMarks();
      this.slide(move);
      this.onMove(move);
      return;
    }
    this.choice = { moves, place };
    this.drawMarks();
    this.openPicker();
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.game || this.drag) {
      if (event.button !== 0) this.endDrag();
      return;
    }
    const place = this.squareAt(event);
    event.preventDefault();
    if (event.button === 2) {
      this.drawing = place;
      return;
    }
    if (event.button !== 0) return;
    if (this.drawn.length) {
      this.drawn = [];
      this.drawMarks();
    }
    if (!place) {
      this.cancel();
      return;
    }
    this.setCursor(place);
    this.focus();
    if (this.onSquare) {
      // What a press on a piece is, a click or a drag, shows later.
      if (this.pieceOn(place)) this.startDrag(event, place, false);
      else this.touch(place);
      return;
    }
    const wasChosen = same(this.from, place);
    // A second press on the chosen piece waits for its release: it may begin a drag.
    if (!wasChosen) this.touch(place);
    if (same(this.from, place)) this.startDrag(event, place, wasChosen);
  }

  /** @param {PointerEvent} event @param {Place} place @param {boolean} wasChosen */
  startDrag(event, place, wasChosen) {
    this.drag = { place, x: event.clientX, y: event.clientY, moving: false, wasChosen };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  track(event) {
    if (!this.game) return;
    const place = this.squareAt(event),
      { drag } = this;
    if (drag) {
      drag.moving ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG;
      const piece = this.pieces.get(nameOf(drag.place))?.node;
      if (drag.moving && piece) {
        const { x, y } = this.point(event);
        if (!piece.classList.contains('moving')) {
          piece.classList.add('moving');
          this.figures?.append(piece);
        }
        piece.style.transform = `translate(${x - SIZE / 2}px, ${y - SIZE / 2}px)`;
      }
    }
    this.setHover(place);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const place = this.squareAt(event);
    if (event.button === 2 && this.drawing) {
      const from = this.drawing;
      this.drawing = null;
      if (place) {
        const known = this.drawn.findIndex(arrow => same(arrow.from, from) && same(arrow.to, place));
        if (known >= 0) this.drawn.splice(known, 1);
        else this.drawn.push({ from, to: place, kind: 'drawn' });
        this.drawMarks();
      }
      return;
    }
    const { drag } = this;
    if (!drag) return;
    const back = !drag.moving || !place || same(place, drag.place);
    this.drag = null;
    if (this.onSquare) {
      this.settle(drag.place);
      if (!drag.moving) this.touch(drag.place);
      else if (!same(place, drag.place)) this.onDrop?.(drag.place, place);
      return;
    }
    if (back) {
      this.settle(drag.place);
      if (!drag.moving && drag.wasChosen) this.touch(drag.place);
      return;
    }
    const found = this.targets().filter(move => same(this.goal(move), place));
    if (found.length) {
      this.dropped = nameOf(place);
      if (found.length > 1) this.settle(drag.place);
      this.narrow(found, place);
    } else {
      this.settle(drag.place);
      if (!this.moves.length && this.extras.premove) this.touch(place);
      else {
        this.from = null;
        this.drawMarks();
        this.label();
      }
    }
  }

  /** Puts a dragged piece back. @param {Place} place */
  settle(place) {
    const piece = this.pieces.get(nameOf(place))?.node;
    if (!piece) return;
    const [x, y] = this.at(place);
    piece.classList.remove('moving');
    piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  endDrag() {
    if (this.drag) this.settle(this.drag.place);
    this.drag = null;
  }

  /** @param {Place | null} place */
  setHover(place) {
    if (same(place, this.hover) || place === this.hover) return;
    this.hover = place;
    if (this.from || this.holding) this.drawMarks();
  }

  // ---- Keys ----

  /** @param {Place} place */
  setCursor(place) {
    if (this.cursor) this.cells.get(nameOf(this.cursor))?.setAttribute('tabindex', '-1');
    this.cursor = place;
    this.cells.get(nameOf(place))?.setAttribute('tabindex', '0');
    const [x, y] = this.at(place);
    this.cursorMark?.setAttribute('x', String(x + 4));
    this.cursorMark?.setAttribute('y', String(y + 4));
  }

  focus() {
    if (this.cursor) this.cells.get(nameOf(this.cursor))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { cursor, game } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || !cursor || !game) return;
    const steps = /** @type {Record<string, Place>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    });
    const step = steps[event.key];
    // An Escape with nothing to cancel is for a dialog around the board.
    if (event.key === 'Escape' && (this.from || this.premove || this.drag)) this.cancel();
    else if (event.key === 'Enter' || event.key === ' ') this.touch(cursor);
    else if (step) {
      const sign = this.flipped ? -1 : 1;
      /** @type {Place} */ let place = [...cursor];
      // Holes are jumped over.
      do place = [place[0] + step[0] * sign, place[1] + step[1] * sign];
      while (
        place[0] >= 0 &&
        place[1] >= 0 &&
        place[0] < game.files &&
        place[1] < game.ranks &&
        !this.cells.has(nameOf(place))
      );
      if (this.cells.has(nameOf(place))) {
        this.setCursor(place);
        this.focus();
        this.setHover(place);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- Marks ----

  drawMarks() {
    const { low, high, position, extras } = this;
    if (!low || !high || !position) return;
    low.replaceChildren();
    high.replaceChildren();
    if (this.placed !== this.shownPlaced) {
      this.shownPlaced = this.placed;
      this.onPlaced?.();
    }
    const { last } = extras;
    if (last) {
      const places = [last.from, last.to, ...last.taken, ...last.partners.flat()];
      for (const name of new Set(places.map(nameOf))) this.tile(low, placeOf(name), 'last');
      if (last.tag === 'shot') this.arrow(high, last.from, last.to, 'shot');
    }
    if (position.check) {
      this.tile(low, position.check, 'check');
      this.tile(high, position.check, 'check-frame', 5);
    }
    if (this.premove) for (const place of [this.premove.from, this.premove.to]) this.tile(low, place, 'premove');
    if (this.from) this.tile(low, this.from, 'chosen');
    for (const { from, to, kind } of [...(extras.arrows ?? []), ...this.drawn]) {
      if (same(from, to)) this.circle(high, to, `target ring ${kind}`);
      else this.arrow(high, from, to, kind);
    }
    if (this.holding && !this.from)
      for (const place of this.places()) {
        if (same(place, this.hover)) this.tile(low, place, 'goal');
        this.circle(high, place, 'target dot');
      }
    if (!this.from) return;
    if (this.placed && this.game) {
      const piece = this.position?.in_hand.find(piece => ownerOf(piece) === this.position?.side),
        [x, y] = this.at(this.from);
      if (piece) drawPiece(low, this.game, piece, this.flipped).style.transform = `translate(${x}px, ${y}px)`;
    }
    const done = new Set();
    for (const move of this.choice ? [] : this.targets()) {
      const goal = this.goal(move),
        name = nameOf(goal);
      if (done.has(name)) continue;
      done.add(name);
      const piece = this.pieceOn(goal);
      const kind =
        move.tag === 'shot'
          ? 'aim'
          : same(goal, this.from)
            ? 'turn'
            : piece && !move.taken.length
              ? 'partner'
              : piece || move.taken.length
                ? 'ring'
                : 'dot';
      if (same(goal, this.hover)) this.tile(low, goal, 'goal');
      this.circle(high, goal, `target ${kind}`);
      if (kind === 'aim') {
        const [x, y] = this.at(goal);
        draw(high, 'path', {
          class: 'target cross',
          d: `M${x + 50} ${y + 2} v22 M${x + 50} ${y + 98} v-22 M${x + 2} ${y + 50} h22 M${x + 98} ${y + 50} h-22`,
        });
      }
    }
    const aimed = this.choice?.moves[0] ?? this.targets().find(move => same(this.goal(move), this.hover));
    if (!aimed) return;
    if (aimed.tag === 'shot') this.arrow(high, aimed.from, aimed.to, 'shot');
    if (aimed.taken.length > 1 || aimed.taken.some(place => !same(place, aimed.to)))
      for (const place of aimed.taken) this.cross(high, place);
    for (const [from, to] of aimed.partners) this.arrow(high, from, to, 'partner-move');
  }

  /** @param {Element} parent @param {Place} place @param {string} kind @param {number} [inset] */
  tile(parent, place, kind, inset = 0) {
    const [x, y] = this.at(place);
    draw(parent, 'rect', {
      class: kind,
      x: x + inset,
      y: y + inset,
      width: SIZE - 2 * inset,
      height: SIZE - 2 * inset,
    });
  }

  /** @param {Element} parent @param {Place} place @param {string} kind */
  circle(parent, place, kind) {
    const [x, y] = this.at(place);
    draw(parent, 'circle', { class: kind, cx: x + SIZE / 2, cy: y + SIZE / 2, r: kind.endsWith('dot') ? 15 : 43 });
  }

  /** @param {Element} parent @param {Place} place */
  cross(parent, place) {
    const [x, y] = this.at(place);
    draw(parent, 'path', { class: 'victim', d: `M${x + 16} ${y + 16} l68 68 m0 -68 l-68 68` });
  }

  /** @param {Element} parent @param {Place} from @param {Place} to @param {string} kind */
  arrow(parent, from, to, kind) {
    const [x, y] = this.at(from).map(part => part + SIZE / 2),
      [u, v] = this.at(to).map(part => part + SIZE / 2);
    const angle = Math.atan2(v - y, u - x),
      [c, s] = [Math.cos(angle), Math.sin(angle)];
    const length = Math.hypot(u - x, v - y) - 12,
      start = Math.min(26, length / 3),
      neck = length - 40;
    const corner = /** @param {number} along @param {number} aside */ (along, aside) =>
      `${(x + along * c - aside * s).toFixed(1)} ${(y + along * s + aside * c).toFixed(1)}`;
    draw(parent, 'path', {
      class: `arrow ${kind}`,
      d: `M${corner(start, 9)} L${corner(neck, 9)} L${corner(neck, 26)} L${corner(length, 0)} L${corner(neck, -26)} L${corner(neck, -9)} L${corner(start, -9)} Z`,
    });
  }

  // ---- The picker ----

  close() {
    this.choice = null;
    this.picker.hidden = true;
    this.picker.replaceChildren();
  }

  /** Asks for the promotion, then for the facing: whatever still tells the moves apart. */
  openPicker() {
    const { choice, game, picker } = this;
    if (!choice || !game) return;
    const { moves, place } = choice;
    picker.replaceChildren();
    picker.hidden = false;
    const box = document.createElement('div');
    box.setAttribute('role', 'group');
    picker.append(box);
    const becomes = [...new Set(moves.map(move => move.becomes ?? ''))];
    /** @param {string} label @param {MoveView[]} left @param {string} key */
    const offer = (label, left, key) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = label;
      button.setAttribute('aria-label', label);
      button.dataset.choice = key;
      button.addEventListener('click', () => this.narrow(left, place));
      box.append(button);
      return button;
    };
    if (becomes.length > 1) {
      box.className = 'promotions';
      box.setAttribute('aria-label', 'Promote to');
      for (const letter of becomes) {
        const shown = letter || moves[0].piece;
        const kind = game.pieces.find(known => known.letter === shown.toLowerCase());
        const left = moves.filter(move => (move.becomes ?? '') === letter);
        offer(
          letter ? (kind?.name ?? letter) : `stays a ${kind?.name.toLowerCase()}`,
          left,
          letter.toLowerCase() || 'stay',
        ).append(
          pieceIcon(
            game,
            shown + (left[0].facing !== null && left[0].facing !== undefined && kind?.faces ? '0' : ''),
          ),
        );
      }
    } else if (new Set(moves.map(move => move.facing)).size === moves.length) {
      box.className = 'compass';
      box.setAttribute('aria-label', 'Face');
      const piece = moves[0].becomes ?? moves[0].piece;
      for (const move of moves.toSorted((a, b) => Number(a.facing) - Number(b.facing))) {
        const facing = Number(move.facing),
          [row, column] = DIAL[(facing + (this.flipped ? 4 : 0)) % 8];
        const button = offer(`face ${COMPASS[facing]}`, [move], String(facing));
        button.style.gridArea = `${row + 1} / ${column + 1}`;
        button.append(pieceIcon(game, piece + String((facing + (this.flipped ? 4 : 0)) % 8)));
      }
      const no = document.createElement('button');
      no.type = 'button';
      no.className = 'cancel';
      no.title = 'cancel';
      no.setAttribute('aria-label', 'cancel');
      no.textContent = '✕';
      no.style.gridArea = '2 / 2';
      no.addEventListener('click', () => this.cancel());
      box.append(no);
    } else {
      box.className = 'names';
      box.setAttribute('aria-label', 'Which move');
      for (const move of moves) offer(move.san, [move], move.text).textContent = move.san;
    }
    this.placePicker(box, place);
    // Of the ways to face, that toward the opponent comes first.
    const ahead = box.className === 'compass' && ownerOf(moves[0].piece) === 'black' ? 4 : 0;
    const first = box.querySelector(`[data-choice='${ahead}']`) ?? box.querySelector('button');
    /** @type {HTMLButtonElement} */ (first).focus({ preventScroll: true });
  }

  /** @param {HTMLElement} box @param {Place} place */
  placePicker(box, place) {
    const bounds = this.container.getBoundingClientRect(),
      matrix = this.svg.getScreenCTM();
    const [u, v] = this.at(place),
      point = new DOMPoint(u, v).matrixTransform(matrix ?? undefined),
      size = SIZE * (matrix?.a ?? 0);
    const side = Math.max(size, 34);
    this.picker.style.setProperty('--square', `${side}px`);
    const [width, height] = [box.offsetWidth, box.offsetHeight],
      [left, top] = [point.x - bounds.x, point.y - bounds.y];
    let [x1, y1] = [left + size / 2 - width / 2, top + size / 2 - height / 2];
    if (box.className === 'promotions') {
      // A column hangs on its square.
      y1 = top < bounds.height / 2 ? top : top + size - height;
    } else if (y1 < 0 || y1 > bounds.height - height) {
      // What surrounds its square elsewhere leaves it free at the edge: a press there must not choose anything.
      y1 = y1 < 0 ? top + size : top - height;
    } else if (x1 < 0 || x1 > bounds.width - width) x1 = x1 < 0 ? left + size : left - width;
    box.style.left = `${clamp(x1, bounds.width - width)}px`;
    box.style.top = `${clamp(y1, bounds.height - height)}px`;
  }

  /** @param {KeyboardEvent} event */
  pickerKey(event) {
    const buttons = [...this.picker.querySelectorAll('button')];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') this.cancel();
    else if (event.key === 'Tab') buttons[(at + (event.shiftKey ? buttons.length - 1 : 1)) % buttons.length].focus();
    else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {number} value @param {number} room */
const clamp = (value, room) => Math.max(0, Math.min(value, room));

/** @param {string} name @returns {Place} */
export const placeOf = name => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];

/** Pieces as a position of which nothing else is known. @param {string[]} pieces @returns {PositionView} */
export function placement(pieces) {
  return {
    pieces,
    side: 'white',
    fen: '',
    check: null,
    checkers: [],
    in_hand: [],
    remark: null,
    captured: [],
    material: 0,
  };
}

/** A small picture of a game's start position, for the eye only. */
export class Thumbnail extends Board {
  /** @param {GameView} game */
  constructor(game) {
    super(document.createElement('span'), () => {});
    this.container.inert = true;
    this.setGame(game);
    this.position = placement(game.start_pieces);
    this.placePieces();
  }

  get margin() {
    return 0;
  }
}
