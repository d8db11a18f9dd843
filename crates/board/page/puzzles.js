// The page of puzzles: one after the other, with hints and solutions.

/** @import { AttemptView, Catalog, MoveView, PositionView, PuzzleView, RecordView } from '../types.d.ts' */
import { Board, nameOf } from './board.js';
import { get, send } from './carrier.js';
import { $, input } from './dom.js';
import { Refused } from './refused.js';
import { installTheme } from './theme.js';

/** How long a move of the answer waits, so that it is seen, in milliseconds. */
const PAUSE = 500;

const board = new Board($('board'), move => attempt({ move: move.text }, move));
board.onSay = text => ($('say').textContent = text);
/** @type {PuzzleView | null} */ let puzzle = null;
/** The position that is shown. @type {PositionView | null} */ let position = null;
/** @type {MoveView[]} */ let moves = [];
/** The moves of the solution that were made. */ let plies = 0;
/** Nothing was wrong yet, and no help was given. */ let first = true;
/** A move is being judged. */ let busy = false;
/** The numbers of the puzzles that were shown, by game. @type {Map<string, number[]>} */ const seen = new Map();

const kind = () => input('games').value;

/** @param {string} text @param {string} [mood] */
function say(text, mood = '') {
  $('said').textContent = text;
  $('said').className = mood;
}

/** @param {RecordView} record */
function drawRecord({ rating, streak, best }) {
  $('record').textContent = `Your rating: ${rating}. In a row: ${streak}, at best ${best}.`;
}

/** @param {boolean} over */
function enable(over) {
  input('hint').disabled = over;
  input('solution').disabled = over;
}

/** Sends a command; what went wrong is shown. @param {string} command @param {Record<string, unknown>} values */
async function ask(command, values) {
  $('error').textContent = '';
  try {
    return { answer: await send(command, values) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    $('error').textContent = error.message;
    return null;
  }
}

async function next() {
  const known = seen.get(kind()) ?? [],
    levels = input('levels').value;
  const result = await ask('puzzle', {
    game: kind(),
    tag: input('tags').value || null,
    levels: levels ? levels.split('-').map(Number) : null,
    seen: known,
  });
  if (!result) return;
  puzzle = result.answer;
  $('line').textContent = '';
  enable(!puzzle);
  if (!puzzle) {
    moves = [];
    if (position) board.show(position);
    $('task').textContent = 'Puzzles';
    say('There are no more puzzles like that. Choose others, or begin again by loading the page.');
    return;
  }
  seen.set(kind(), [...known, puzzle.number]);
  [position, moves, plies, first] = [puzzle.position, puzzle.moves, 0, true];
  if (board.game?.name !== puzzle.game.name) board.setGame(puzzle.game);
  board.flip(position.side === 'black');
  board.show(position, moves);
  $('task').textContent = puzzle.task;
  say(`Level ${puzzle.level}. ${puzzle.left} puzzles like that.`);
  drawRecord(puzzle.record);
  document.body.dataset.puzzle = String(puzzle.number);
}

/** @param {Record<string, string> | string} action @param {MoveView} [move] */
async function attempt(action, move) {
  if (!puzzle || !position || busy) {
    board.restore();
    return;
  }
  const asked = puzzle;
  busy = true;
  const result = await ask('solve', { game: asked.game.name, number: asked.number, plies, action, first });
  busy = false;
  if (puzzle !== asked) return;
  if (!result) {
    board.restore();
    return;
  }
  /** @type {AttemptView} */ const view = result.answer;
  drawRecord(view.record);
  if (view.from) {
    first = false;
    say(`The move begins on ${nameOf(view.from)}.`);
    board.show(position, moves, { arrows: [{ from: view.from, to: view.from, kind: 'hint' }] });
    return;
  }
  if (!view.right && move) {
    first = false;
    say(`${move.san} is not it. Try again.`, 'wrong');
    board.restore();
    return;
  }
  if (!view.right) first = false;
  plies += view.steps.length;
  moves = view.moves;
  enable(view.over);
  $('line').textContent += view.steps.map(step => ` ${step.move.san}`).join('');
  if (view.over && view.right) say(`Solved. (${view.tags.join(', ')})`, 'right');
  else if (view.over) say(`This was the solution. (${view.tags.join(', ')})`);
  else say('Right. Go on.', 'right');
  for (const [at, step] of view.steps.entries()) {
    // Our own move is seen already.
    if (at > 0 || !move) await new Promise(done => setTimeout(done, PAUSE));
    if (puzzle !== asked) return;
    position = step.position;
    board.show(position, at === view.steps.length - 1 ? moves : [], { last: step.move, animate: step.move });
  }
}

/** Fills the choice of what happens in puzzles. */
async function fillTags() {
  const result = await ask('puzzle-tags', { game: kind() });
  const tags = Object.entries(result?.answer ?? {});
  input('tags').replaceChildren(
    new Option('anything', ''),
    ...tags.map(([tag, count]) => new Option(`${tag} (${count})`, tag)),
  );
}

installTheme($('theme'));
/** @type {Catalog} */ const catalog = await get('catalog.json');
const games = catalog.games.filter(game => game.puzzles > 0);
input('games').replaceChildren(...games.map(game => new Option(`${game.title} (${game.puzzles})`, game.name)));
const wanted = new URLSearchParams(location.search).get('game');
if (games.some(game => game.name === wanted)) input('games').value = wanted ?? '';
$('next').addEventListener('click', next);
$('hint').addEventListener('click', () => attempt('hint'));
$('solution').addEventListener('click', () => attempt('solution'));
$('games').addEventListener('change', async () => {
  await fillTags();
  await next();
});
for (const id of ['levels', 'tags']) $(id).addEventListener('change', next);
if (games.length) {
  await fillTags();
  await next();
} else {
  say('There are no puzzles in this program.');
  for (const id of ['hint', 'solution', 'next']) input(id).disabled = true;
}
document.body.dataset.ready = 'true';

// For tests.
Object.assign(window, {
  quintain: {
    puzzles: {
      get plies() {
        return plies;
      },
      get moves() {
        return moves;
      },
      /** @param {string} text */
      play: text => {
        const move = moves.find(known => known.text === text);
        if (move) attempt({ move: text }, move);
      },
    },
  },
});
