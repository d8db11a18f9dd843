// Endings to practise: a won position, and the best defence that endgame tables know.

/** @import { Ending, EndingView, GameView, MoveView } from '../types.d.ts' */
import { $, input } from './dom.js';
import { get } from './carrier.js';
import { Replay } from './replay.js';

class Practice extends Replay {
  /** @param {GameView} game @param {Ending} ending */
  constructor(game, ending) {
    super(game, ending.line, [], 'The ending');
    /** What the tables say of the last position. */ this.verdict = ending.verdict;
    this.firstVerdict = ending.verdict;
    this.render();
  }

  /** Plays a move, and the reply. @param {MoveView} move */
  async play(move) {
    const moves = this.line.steps.slice(1, this.at + 1).map(step => step.move?.text);
    const query = { game: this.game.name, fen: this.given.fen, moves: [...moves, move.text].join(' ') };
    try {
      /** @type {Ending} */ const { line, verdict } = await get('ending', query);
      this.verdict = verdict;
      this.goOn(line);
    } catch (error) {
      this.status.textContent = /** @type {Error} */ (error).message;
    }
  }

  reset() {
    this.verdict = this.firstVerdict;
    super.reset();
  }

  render() {
    super.render();
    const { verdict } = this;
    if (verdict && this.at === this.line.steps.length - 1)
      this.status.textContent += ` ${verdict[0].toUpperCase()}${verdict.slice(1)}.`;
  }
}

/** The name of a side's pieces: "king and queen". @param {GameView} game @param {string} letters */
function names(game, letters) {
  const of = [...letters].map(
    letter => game.pieces.find(piece => piece.letter.toUpperCase() === letter)?.name ?? letter,
  );
  const last = of.pop();
  return of.length ? `${of.join(', ')} and ${last}` : last;
}

/** Shows the endings of a game, if there are any. @param {GameView} game */
export async function drawEndings(game) {
  /** @type {EndingView[]} */ const endings = await get(`endings/${encodeURIComponent(game.name)}`);
  if (!endings.length) return;
  const choice = input('ending-choice');
  choice.replaceChildren(
    ...endings.map(
      ({ white, black, material }) => new Option(`${names(game, white)} against ${names(game, black)}`, material),
    ),
  );
  const begin = async () => {
    try {
      const ending = await get('ending', { game: game.name, material: choice.value });
      $('ending').replaceChildren(new Practice(game, ending).container);
      $('ending-error').textContent = '';
    } catch (error) {
      $('ending-error').textContent = /** @type {Error} */ (error).message;
    }
  };
  choice.addEventListener('change', begin);
  $('ending-new').addEventListener('click', begin);
  $('endings').hidden = $('endings-link').hidden = false;
  await begin();
}
