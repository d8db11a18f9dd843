// A small board for other pages, in a frame: a game that a link names, to be played through.

/** @import { Catalog, Line } from '../types.d.ts' */
import { get } from './carrier.js';
import { $ } from './dom.js';
import { Replay } from './replay.js';

const options = new URLSearchParams(location.search),
  root = document.documentElement;
const [theme, size] = [options.get('theme'), Number(options.get('size'))];
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
if (size >= 120) root.style.setProperty('--size', String(size));

async function show() {
  const link = location.hash.slice(1);
  $('whole').setAttribute('href', `./#${link}`);
  $('error').textContent = '';
  try {
    const [catalog, line] = await Promise.all([get('catalog.json'), get('line', { link })]);
    const game = /** @type {Catalog} */ (catalog).games.find(({ name }) => name === link.split('/')[0]);
    if (!game) return;
    document.title = $('title').textContent = $('heading').textContent = game.title;
    const { steps } = /** @type {Line} */ (line),
      replay = new Replay(game, line, Array(steps.length).fill(''), game.title);
    replay.board.flip(options.has('black'));
    $('game').replaceChildren(replay.container);
    // A position has no moves, and a game begins where it begins, unless it is to be seen as it stands.
    if (options.has('end')) replay.go(steps.length - 1);
  } catch (error) {
    $('error').textContent = /** @type {Error} */ (error).message;
  }
  document.body.dataset.ready = 'true';
}
addEventListener('hashchange', show);
show();
