// The editor: sets up a position, which the program judges.

/** @import { GameView, PositionView } from '../types.d.ts' */
import { Board, nameOf, pieceIcon } from './board.js';
import { $, element, input } from './dom.js';
import { Refused, send } from './server.js';

export class Editor {
  constructor() {
    this.board = new Board($('edit-board'), () => {});
    this.board.onSquare = place => this.put(place);
    /** @type {GameView | null} */ this.game = null;
    /** @type {string[]} */ this.pieces = [];
    /** What a click puts on a square; nothing takes away. */ this.brush = '';
    this.asked = 0;
    input('edit-fields').addEventListener('input', () => this.compose());
    for (const radio of document.getElementsByName('edit-side'))
      radio.addEventListener('change', () => this.compose());
    input('edit-fen').addEventListener('input', () => this.read(input('edit-fen').value));
    $('edit-start').addEventListener('click', () => this.read(this.game?.start ?? '', true));
    $('edit-clear').addEventListener('click', () => {
      this.pieces = this.pieces.map(() => '');
      this.show();
      this.compose();
    });
  }

  get fen() {
    return input('edit-fen').value.trim();
  }

  /** @param {GameView} game @param {string} fen @param {boolean} flipped */
  open(game, fen, flipped) {
    this.game = game;
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
    /** @type {HTMLDialogElement} */ ($('edit-dialog')).showModal();
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

  show() {
    /** @type {PositionView} */
    const position = {
      pieces: [...this.pieces],
      side: 'white',
      fen: '',
      check: null,
      checkers: [],
      in_hand: [],
      remark: null,
    };
    this.board.show(position);
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
      const fields = position.fen.split(' ');
      input('edit-fields').value = fields.slice(2, 6).join(' ');
      for (const radio of document.getElementsByName('edit-side'))
        /** @type {HTMLInputElement} */ (radio).checked = /** @type {HTMLInputElement} */ (radio).value === fields[1];
      this.show();
      this.judge(null);
    } catch (error) {
      if (asked === this.asked && error instanceof Refused) this.judge(error.message);
    }
  }

  /** Asks for the FEN of what stands on the board. */
  async compose() {
    const asked = ++this.asked;
    const side = [...document.getElementsByName('edit-side')]
      .map(radio => /** @type {HTMLInputElement} */ (radio))
      .find(radio => radio.checked)?.value;
    try {
      const answer = await send('compose', {
        game: this.game?.name,
        pieces: this.pieces,
        fields: `${side} ${input('edit-fields').value}`,
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
