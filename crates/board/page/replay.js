// A line of moves to step through. From each of its positions other moves can be tried.

/** @import { GameView, Line, MoveView } from '../types.d.ts' */
import { Board, draw } from './board.js';
import { element } from './dom.js';
import { get } from './carrier.js';

/** @param {string} icon @param {string} label @param {() => void} onClick */
function iconButton(icon, label, onClick) {
  const button = element('button');
  button.type = 'button';
  button.title = label;
  button.setAttribute('aria-label', label);
  draw(draw(button, 'svg', { class: 'icon', 'aria-hidden': 'true' }), 'use', { href: `icons.svg#${icon}` });
  button.addEventListener('click', onClick);
  return button;
}

export class Replay {
  /**
   * @param {GameView} game
   * @param {Line} line the moves that are given
   * @param {string[]} remarks what is said of each
   * @param {string} name what a screen reader calls the board
   */
  constructor(game, line, remarks, name) {
    this.container = element('div', 'replay');
    this.game = game;
    this.given = line;
    this.remarks = remarks;
    /** @type {Line} */ this.line = line;
    /** @type {Line | null} */ this.listed = null;
    /** How many moves are made. */ this.at = 0;
    this.request = 0;
    const frame = element('div', 'frame'),
      side = element('div', 'side');
    this.container.append(frame, side);
    const place = element('div');
    frame.append(place);
    this.board = new Board(place, move => this.play(move));
    this.board.setGame(game);
    this.board.svg.setAttribute('aria-label', name);
    this.list = element('ol', 'line');
    this.list.setAttribute('aria-label', 'Moves');
    this.status = element('p', 'said');
    this.status.setAttribute('role', 'status');
    this.buttons = {
      first: iconButton('first', 'First position', () => this.go(0)),
      previous: iconButton('previous', 'Back', () => this.go(this.at - 1)),
      next: iconButton('next', 'Forward', () => this.go(this.at + 1)),
      last: iconButton('last', 'Last position', () => this.go(this.line.steps.length - 1)),
      reset: iconButton('rematch', 'Reset', () => this.reset()),
    };
    const row = element('div', 'replay-buttons');
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', 'Steps');
    row.append(...Object.values(this.buttons));
    side.append(this.list, this.status, row);
    this.go(0);
  }

  /** Shows the position after so many moves of the line. @param {number} at */
  async go(at) {
    const { steps } = this.line,
      before = this.at;
    this.at = Math.max(0, Math.min(at, steps.length - 1));
    const { position, move } = steps[this.at];
    const extras = {
      last: move,
      animate: this.at === before + 1 ? move : null,
      undo: this.at === before - 1 ? steps[before].move : null,
    };
    this.board.show(position, [], extras);
    this.render();
    this.container.dataset.busy = 'true';
    const request = ++this.request;
    try {
      const line = this.at === steps.length - 1 ? this.line : await this.fetchLine();
      if (request !== this.request) return;
      this.board.show(position, line.legal, { last: move });
      this.container.dataset.busy = 'false';
    } catch (error) {
      if (request === this.request) this.status.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** The moves up to the position that is shown, and these, with what can be played then. @param {string[]} more */
  fetchLine(...more) {
    const made = this.line.steps.slice(1, this.at + 1).map(step => /** @type {MoveView} */ (step.move).text);
    return get('line', { game: this.game.name, fen: this.given.fen, moves: [...made, ...more].join(' ') });
  }

  /** Tries a move. @param {MoveView} move */
  async play(move) {
    const given = this.line.steps[this.at + 1]?.move;
    if (given?.text === move.text) {
      this.go(this.at + 1);
      return;
    }
    const at = this.at;
    try {
      this.line = await this.fetchLine(move.text);
      this.go(at + 1);
    } catch (error) {
      this.status.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** Goes to the end of a line. @param {Line} line */
  goOn(line) {
    this.line = line;
    this.go(line.steps.length - 1);
  }

  reset() {
    this.line = this.given;
    this.at = 0;
    this.go(0);
  }

  render() {
    const { steps } = this.line,
      { position } = steps[this.at],
      own = this.line !== this.given;
    const said = own || !this.at ? '' : this.remarks[this.at - 1],
      remark = said && (/[.!?]$/.test(said) ? said : `${said}.`);
    const turn = position.side === 'white' ? 'White' : 'Black';
    const over = this.at === steps.length - 1 ? this.line.end : null;
    const state = over ? `${over.text}.` : `${turn} to move${position.check ? ', in check' : ''}.`;
    const text = [remark, state, position.remark && `${position.remark}.`].filter(Boolean).join(' ');
    // A screen reader says what is set, also if it is the same.
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.dataset.at = String(this.at);
    if (this.listed !== this.line) this.listMoves();
    this.list.querySelectorAll('.move').forEach((button, index) => {
      button.classList.toggle('on', index + 1 === this.at);
      if (index + 1 === this.at) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const { first: start, previous, next, last, reset } = this.buttons;
    // A button that was disabled would lose the focus.
    start.ariaDisabled = previous.ariaDisabled = String(!this.at);
    next.ariaDisabled = last.ariaDisabled = String(this.at === steps.length - 1);
    reset.ariaDisabled = String(!own && !this.at);
    const on = this.list.querySelector('.on');
    if (on instanceof HTMLElement) this.list.scrollTop = on.offsetTop - this.list.clientHeight / 2;
  }

  /** Lists the moves of the line. */
  listMoves() {
    const { steps } = this.line,
      fields = steps[0].position.fen.split(' ');
    const black = fields[1] === 'b' ? 1 : 0,
      first = Number(fields[5]) || 1;
    this.listed = this.line;
    this.list.classList.toggle('own', this.line !== this.given);
    this.list.replaceChildren(
      ...steps.slice(1).map((step, index) => {
        const item = element('li'),
          button = element('button', 'move', step.move?.san);
        const number = first + Math.floor((index + black) / 2);
        if ((index + black) % 2 === 0) item.append(element('span', 'number', `${number}.`));
        else if (!index) item.append(element('span', 'number', `${number}…`));
        button.type = 'button';
        button.addEventListener('click', () => this.go(index + 1));
        item.append(button);
        return item;
      }),
    );
  }
}
