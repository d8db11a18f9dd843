// The list of moves, in two columns, with comments and variations.

/** @import { Game, Node } from './game.js' */
import { draw } from './board.js';
import { element } from './dom.js';

const MARKS = /** @type {Record<string, string>} */ ({ '?!': 'doubtful', '?': 'mistake', '??': 'blunder' });

/** @param {number} milliseconds */
function timeText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)}s`;
  const whole = Math.round(seconds),
    rest = String(whole % 60).padStart(2, '0');
  return whole < 3600
    ? `${Math.floor(whole / 60)}:${rest}`
    : `${Math.floor(whole / 3600)}:${String(Math.floor(whole / 60) % 60).padStart(2, '0')}:${rest}`;
}

/** A bulb at a move that was played after a hint. */
function bulb() {
  const mark = element('span', 'hinted');
  mark.title = 'Played after a hint';
  draw(draw(mark, 'svg', { class: 'icon', 'aria-hidden': 'true' }), 'use', { href: 'icons.svg#hint' });
  mark.append(element('span', 'hidden', ', after a hint'));
  return mark;
}

/**
 * Gives a container these children. What stays the same stays in place, with the click on it that has begun; a move that
 * changes keeps the focus.
 * @param {HTMLElement} container @param {ParentNode} list
 */
function renew(container, list) {
  const { node } = container.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset
    : {};
  const children = [...list.children];
  for (const [at, child] of children.entries()) {
    const old = container.children[at];
    if (!old) container.append(child);
    else if (!old.isEqualNode(child)) old.replaceWith(child);
  }
  for (const old of [...container.children].slice(children.length)) old.remove();
  if (node)
    /** @type {HTMLElement | null} */ (container.querySelector(`[data-node="${node}"]`))?.focus({
      preventScroll: true,
    });
}

/** The keys that scroll the list. */
const SCROLLING = new Set(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', ' ']);

/** The list beside the board. It keeps the move that is shown in sight, until the person scrolls. */
export class MoveList {
  /** Does the list follow the game? */ #follows = true;
  /** The visit of a position at which the list was drawn. */ #visit = 0;

  /**
   * @param {HTMLElement} container
   * @param {(id: number) => void} onGo @param {(node: Node) => void} onRemove
   */
  constructor(container, onGo, onRemove) {
    this.container = container;
    this.onGo = onGo;
    this.onRemove = onRemove;
    // The person looks for another move.
    const leave = () => (this.#follows = false);
    for (const kind of ['wheel', 'touchmove', 'pointerdown'])
      container.addEventListener(kind, leave, { passive: true });
    container.addEventListener('keydown', event => SCROLLING.has(event.key) && leave());
    // Tab comes into the list from outside.
    container.addEventListener('keyup', event => event.key === 'Tab' && leave());
    new ResizeObserver(() => this.#show()).observe(container);
  }

  /** @param {Game} game */
  draw(game) {
    const list = listOf(game, this.onGo, this.onRemove);
    if (!list) return;
    const top = this.container.scrollTop;
    renew(this.container, list);
    this.container.scrollTop = top;
    if (this.#visit !== game.visits) this.#follows = true;
    this.#visit = game.visits;
    this.follow();
  }

  /**
   * Keeps the move that is shown in sight, after something was drawn above or below the list: what becomes smaller and
   * larger again before it is seen moves the list, and its size is the same.
   */
  follow() {
    requestAnimationFrame(() => this.#show());
  }

  #show() {
    const { container } = this,
      on = /** @type {HTMLElement | null} */ (container.querySelector('.on'));
    if (!this.#follows) return;
    if (!on) container.scrollTop = 0;
    else if (
      on.offsetTop < container.scrollTop + 8 ||
      on.offsetTop + on.offsetHeight > container.scrollTop + container.clientHeight - 8
    )
      container.scrollTop = on.offsetTop - container.clientHeight / 2 + on.offsetHeight / 2;
  }
}

/**
 * The moves of a game, with comments and variations.
 * @param {Game} game @param {(id: number) => void} onGo @param {(node: Node) => void} onRemove
 */
function listOf(game, onGo, onRemove) {
  const root = game.path(game.live)[0];
  if (!root) return null;
  const main = new Set(game.path(game.live));
  const list = document.createDocumentFragment();
  const first = /** @param {Node} node */ node => node.children.find(child => main.has(child)) ?? node.children[0];

  /** @param {Node} node */
  const button = node => {
    const mark = MARKS[node.mark];
    const cell = element('button', `move${node.id === game.shown ? ' on' : ''}${mark ? ` ${mark}` : ''}`);
    cell.append(element('span', 'san', `${node.move?.san ?? ''}${node.mark}${node.signs && ` ${node.signs}`}`));
    cell.type = 'button';
    cell.dataset.node = String(node.id);
    if (node.id === game.shown) cell.setAttribute('aria-current', 'true');
    if (main.has(node) && game.parentOf(node)?.hinted) cell.append(bulb());
    const facts = element('span', 'facts');
    if (node.score && (node.mark || game.status?.analysed !== null))
      facts.append(element('span', 'score', node.score.text));
    if (node.time !== null && main.has(node)) facts.append(element('time', 'time', timeText(node.time)));
    if (facts.children.length) cell.append(facts);
    cell.addEventListener('click', () => onGo(node.id));
    return cell;
  };

  /** A variation as running text. @param {Node} start */
  const variation = start => {
    const line = element('div', 'variation');
    const remove = element('button', 'remove', '✕');
    remove.type = 'button';
    remove.title = 'Remove this variation';
    remove.setAttribute('aria-label', 'Remove this variation');
    remove.addEventListener('click', () => onRemove(start));
    let numbered = true;
    for (let node = start; node; node = node.children[0]) {
      if (numbered || !node.number.endsWith('...')) line.append(element('span', 'number', node.number));
      line.append(button(node));
      if (node.comment) line.append(element('span', 'comment', node.comment));
      const others = node === start ? [] : (game.parentOf(node)?.children ?? []).filter(other => other !== node);
      for (const other of others) line.append(variation(other));
      numbered = !!node.comment || others.length > 0;
    }
    line.append(remove);
    return line;
  };

  if (root.comment) list.append(element('p', 'comment whole', root.comment));
  let node = first(root),
    black = root.position.side === 'black';
  if (node && black)
    list.append(element('span', 'number', node.number.replace(/\.+$/, '')), element('span', 'move gap', '…'));
  while (node) {
    if (!black) list.append(element('span', 'number', node.number.replace(/\.+$/, '')));
    list.append(button(node));
    const others = (game.parentOf(node)?.children ?? []).filter(other => other !== node);
    if (node.comment || others.length) {
      if (!black) list.append(element('span', 'move gap', '…'));
      const block = element('div', 'interrupt');
      if (node.comment) block.append(element('p', 'comment', node.comment));
      block.append(...others.map(variation));
      list.append(block);
      if (!black && first(node))
        list.append(element('span', 'number', node.number.replace(/\.+$/, '')), element('span', 'move gap', '…'));
    }
    black = !black;
    node = first(node);
  }
  const { end } = game.status ?? {};
  if (end) list.append(element('p', 'result whole', `${end.score} ${end.text}`));
  return list;
}
