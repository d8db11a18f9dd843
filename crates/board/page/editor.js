// The editor: sets up a position, which the program judges.

/** @import { GameView, Place, PositionView } from '../types.d.ts' */
import { Board, nameOf, pieceIcon, placement } from './board.js';
import { $, dialog, element, input } from './dom.js';
import { send } from './carrier.js';
import { Refused } from './refused.js';

/**
 * What stands on the board, the fields of the FEN behind it, and the FEN itself if it was read, which may tell more.
 * @typedef {{ pieces: string, fields: string, fen: string | null }} Draft
 */

export class Editor {
  constructor() {
    this.board = new Board($('edit-board'), () => {});
    this.board.onSquare = place => this.put(place);
    this.board.onDrop = (from, to) => this.move(from, to);
    /** @type {GameView | null} */ this.game = null;
    /** @type {string[]} */ this.pieces = [];
    /** What a click puts on a square; nothing takes away. */ this.brush = '';
    this.asked = 0;
    /** What was there before each change, and what is there. @type {Draft[]} */ this.history = [];
    /** @type {Draft | null} */ this.draft = null;
    for (const id of ['edit-passing', 'edit-counted', 'edit-halfmove', 'edit-fullmove'])
      input(id).addEventListener('input', () => this.compose());
    $('edit-castling').addEventListener('input', () => this.compose());
    for (const radio of document.getElementsByName('edit-side'))
      radio.addEventListener('change', () => this.compose());
    input('edit-fen').addEventListener('input', () => this.read(input('edit-fen').value));
    $('edit-start').addEventListener('click', () => this.read(this.game?.start ?? '', true));
    $('edit-clear').addEventListener('click', () => {
      this.pieces = this.pieces.map(() => '');
      this.rights = '';
      input('edit-passing').value = '';
      this.show();
      this.compose();
    });
    $('edit-undo').addEventListener('click', () => this.undo());
    $('edit-cancel').addEventListener('click', () => this.leave());
    const box = dialog('edit-dialog');
    box.addEventListener('cancel', event => {
      event.preventDefault();
      this.leave();
    });
    box.addEventListener('keydown', event => {
      const field = /** @type {Element} */ (event.target).closest('input, textarea');
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || field) return;
      event.preventDefault();
      this.undo();
    });
    $('discard-yes').addEventListener('click', () => {
      dialog('discard-dialog').close();
      box.close();
    });
  }

  /** Closes the editor; asks first if there is something to lose. */
  leave() {
    if (this.history.length) dialog('discard-dialog').showModal();
    else dialog('edit-dialog').close();
  }

  /** The letters of the castling rights that are chosen. */
  get rights() {
    return [...this.checks()].flatMap(box => (box.checked ? [box.value] : [])).join('');
  }

  set rights(letters) {
    for (const box of this.checks()) box.checked = letters.includes(box.value);
  }

  /** @returns {NodeListOf<HTMLInputElement>} */
  checks() {
    return $('edit-castling').querySelectorAll('input');
  }

  get side() {
    return /** @type {HTMLInputElement} */ (document.querySelector('input[name=edit-side]:checked')).value;
  }

  set side(side) {
    for (const radio of document.getElementsByName('edit-side'))
      /** @type {HTMLInputElement} */ (radio).checked = /** @type {HTMLInputElement} */ (radio).value === side;
  }

  /** The fields of a FEN that follow the placement. */
  get fields() {
    const passing = input('edit-passing').value.trim() || '-',
      counted = this.game?.counts ? Number(input('edit-counted').value) : 0;
    const counters = [input('edit-halfmove').value || '0', input('edit-fullmove').value || '1'];
    return [this.side, this.rights || '-', passing, ...counters, ...(counted ? [counted] : [])].join(' ');
  }

  set fields(text) {
    const [side, rights, passing, halfmove, fullmove, counted] = text.split(' ');
    this.side = side;
    this.rights = rights;
    input('edit-passing').value = passing === '-' ? '' : passing;
    input('edit-halfmove').value = halfmove;
    input('edit-fullmove').value = fullmove;
    input('edit-counted').value = this.game?.counts ? (counted ?? '0') : '0';
  }

  /**
   * Keeps what was there before a change, so that it can be undone.
   * @param {string | null} fen the one that was read
   */
  remember(fen) {
    const now = { pieces: this.pieces.join(), fields: this.fields, fen };
    const { draft } = this;
    if (draft && (now.pieces !== draft.pieces || now.fields !== draft.fields || now.fen !== draft.fen))
      this.history.push(draft);
    this.draft = now;
    this.enableUndo();
  }

  enableUndo() {
    input('edit-undo').disabled = !this.history.length;
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    // A button that is disabled would keep the keys from everything else.
    if (!this.history.length) this.board.focus();
    this.enableUndo();
    this.draft = before;
    this.pieces = before.pieces.split(',');
    this.fields = before.fields;
    this.show();
    if (before.fen === null) this.compose();
    else this.read(before.fen, true);
  }

  get fen() {
    return input('edit-fen').value.trim();
  }

  /** @param {GameView} game @param {string} fen @param {boolean} flipped */
  open(game, fen, flipped) {
    this.game = game;
    [this.history, this.draft] = [[], null];
    $('edit-rights').hidden = !game.castling.length;
    $('edit-castling').replaceChildren(
      ...game.castling.map(([letter, words]) => {
        const label = element('label'),
          box = element('input');
        box.type = 'checkbox';
        box.value = letter;
        label.append(box, words);
        return label;
      }),
    );
    $('edit-passing-field').hidden = !game.en_passant;
    $('edit-counted-field').hidden = !game.counts;
    $('edit-counted-name').textContent = game.counts;
    this.board.flipped = flipped;
    this.board.setGame(game);
    this.pieces = game.squares.map(() => '');
    const palette = $('palette');
    palette.replaceChildren();
    /** @param {string} piece @param {string} label */
    const brush = (piece, label) => {
      const button = element('button', 'brush');
      button.type = 'button';
      button.setAttribute('role', 'radio');
      button.setAttribute('aria-label', label);
      button.title = label;
      button.dataset.brush = piece;
      if (piece) button.append(pieceIcon(game, piece));
      else button.textContent = '✕';
      button.addEventListener('click', () => this.choose(piece));
      palette.append(button);
    };
    for (const white of [true, false]) {
      for (const kind of game.pieces) {
        const letter = white ? kind.letter.toUpperCase() : kind.letter;
        brush(letter + (kind.faces ? (white ? '0' : '4') : ''), `${white ? 'white' : 'black'} ${kind.name}`);
      }
    }
    brush('', 'empty square');
    this.choose(game.pieces[0].letter.toUpperCase() + (game.pieces[0].faces ? '0' : ''));
    this.read(fen, true);
    dialog('edit-dialog').showModal();
  }

  /** @param {string} piece */
  choose(piece) {
    this.brush = piece;
    for (const button of $('palette').querySelectorAll('button'))
      button.setAttribute('aria-checked', String(button.dataset.brush === piece));
  }

  /** @param {[number, number]} place */
  put(place) {
    const { game, brush } = this;
    const at = game?.squares.findIndex(square => nameOf(square) === nameOf(place)) ?? -1;
    if (at < 0) return;
    const old = this.pieces[at];
    // The same piece again turns it, if it faces somewhere, or takes it away.
    if (old && brush && old[0] === brush[0]) this.pieces[at] = old[1] ? old[0] + ((Number(old[1]) + 1) % 8) : '';
    else this.pieces[at] = brush;
    this.show();
    this.compose();
  }

  /** A piece was dragged to another square, or off the board. @param {Place} from @param {Place | null} to */
  move(from, to) {
    const at = /** @param {Place} place */ place =>
      this.game?.squares.findIndex(square => nameOf(square) === nameOf(place)) ?? -1;
    const piece = this.pieces[at(from)];
    this.pieces[at(from)] = '';
    if (to) this.pieces[at(to)] = piece;
    this.show();
    this.compose();
  }

  show() {
    this.board.show(placement([...this.pieces]));
  }

  /** Takes over a FEN, if it is one of a legal position. @param {string} fen @param {boolean} [write] */
  async read(fen, write = false) {
    const asked = ++this.asked;
    if (write) input('edit-fen').value = fen;
    try {
      /** @type {PositionView} */
      const position = await send('position', { game: this.game?.name, fen });
      if (asked !== this.asked) return;
      this.pieces = [...position.pieces];
      this.fields = position.fen.split(' ').slice(1).join(' ');
      this.remember(position.fen);
      this.show();
      this.judge(null);
    } catch (error) {
      if (asked === this.asked && error instanceof Refused) this.judge(error.message);
    }
  }

  /** Asks for the FEN of what stands on the board. */
  async compose() {
    const asked = ++this.asked;
    this.remember(null);
    try {
      const answer = await send('compose', {
        game: this.game?.name,
        pieces: this.pieces,
        fields: this.fields,
      });
      if (asked !== this.asked) return;
      input('edit-fen').value = answer.fen;
      this.judge(answer.error);
    } catch (error) {
      if (asked === this.asked && error instanceof Refused) this.judge(error.message);
    }
  }

  /** @param {string | null} wrong */
  judge(wrong) {
    const text = wrong ? wrong[0].toUpperCase() + wrong.slice(1) : '';
    if ($('edit-error').textContent !== text) $('edit-error').textContent = text;
    $('edit-dialog').dataset.valid = String(!wrong);
    for (const id of ['edit-play', 'edit-analyse']) input(id).disabled = !!wrong;
  }
}
