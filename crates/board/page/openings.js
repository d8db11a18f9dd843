// The opening book beside the board: the moves of the position that is shown, with the results of games.

/** @import { BookMoveView } from '../types.d.ts' */
import { send } from './carrier.js';
import { $, element } from './dom.js';
import { keep, kept } from './kept.js';
import { Refused } from './refused.js';

/** Where the browser keeps whether the book is open. */
const OPEN = 'openings';

export class Openings {
  /**
   * @param {import('./game.js').Game} game
   * @param {(text: string) => void} play plays a move on the position that is shown
   */
  constructor(game, play) {
    this.game = game;
    this.play = play;
    this.box = /** @type {HTMLDetailsElement} */ ($('openings'));
    /** The position whose moves are shown, as FEN. */ this.shown = '';
    this.box.open = kept(OPEN) === 'yes';
    this.box.addEventListener('toggle', () => {
      keep(OPEN, this.box.open ? 'yes' : 'no');
      this.draw();
    });
  }

  /** Shows the moves of the position that the board shows. */
  async draw() {
    const { game } = this,
      { current } = game;
    this.box.hidden = !game.game?.book || !game.isOwner;
    if (this.box.hidden || !this.box.open || !current) return;
    const { fen } = current.position;
    if (this.shown !== fen) {
      this.shown = fen;
      try {
        /** @type {BookMoveView[]} */ const moves = await send('book', { node: current.id });
        if (this.shown === fen) this.fill(moves);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.shown = '';
      }
    }
    for (const button of this.box.querySelectorAll('button')) button.disabled = !game.mayPlay;
  }

  /** @param {BookMoveView[]} moves */
  fill(moves) {
    $('openings-none').hidden = moves.length > 0;
    $('openings-table').hidden = moves.length === 0;
    $('openings-moves').replaceChildren(
      ...moves.map(({ text, san, games, share, score, whose }) => {
        const row = element('tr'),
          head = element('th'),
          button = element('button', 'line-move', san);
        head.scope = 'row';
        button.type = 'button';
        button.title = `Play ${san}`;
        button.addEventListener('click', () => this.play(text));
        head.append(button);
        row.append(head, ...[String(games), share, score, whose ?? ''].map(value => element('td', '', value)));
        return row;
      }),
    );
  }
}
