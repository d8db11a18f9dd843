// The handbook: a page for each game, whose text comes from the program. The boards in it are drawn here.

/** @import { Catalog, DrawnBoard, GameView, GivenLine, HandbookView } from '../types.d.ts' */
import { Board } from './board.js';
import { get } from './carrier.js';
import { $, element } from './dom.js';
import { Replay } from './replay.js';
import { installTheme } from './theme.js';

/** A line that is shorter is read, and not played through. */
const SHORTEST = 12;

/** A board of the text, which leads to the board where it can be played on. @param {GameView} game @param {DrawnBoard} drawn */
function drawing(game, { text, position, last, arrows, marks, flipped, link }) {
  const frame = element('a', 'figure'),
    board = new Board(element('div'), () => {});
  frame.href = `./#${link}`;
  frame.title = 'Open this position on the board';
  board.container.inert = true;
  board.setGame(game);
  board.flip(flipped);
  board.show(position, [], {
    last,
    arrows: [
      ...marks.map(place => ({ from: place, to: place, kind: 'mark' })),
      ...arrows.map(([from, to]) => ({ from, to, kind: 'hint' })),
    ],
  });
  frame.append(element('span', 'hidden', `${text} (opens on the board)`), board.container);
  return frame;
}

/** A line to play through, when somebody wants to. @param {GameView} game @param {GivenLine} given */
function playThrough(game, { game: name, fen, moves }) {
  const details = element('details');
  details.append(element('summary', '', 'Play it through here'));
  details.addEventListener('toggle', async () => {
    if (details.childElementCount > 1) return;
    const place = element('div', 'card');
    details.append(place);
    try {
      const line = await get('line', { game: name, fen, moves: moves.join(' ') });
      place.append(new Replay({ ...game, name }, line, [], 'The moves of the text').container);
    } catch (error) {
      place.textContent = /** @type {Error} */ (error).message;
    }
  });
  return details;
}

/** How an address names a heading. @param {string} heading */
const anchor = heading =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/** @param {HandbookView} view */
function render({ game, html, boards, lines }) {
  const text = $('text');
  // It is the program's own text, made from Markdown.
  text.innerHTML = html;
  for (const heading of text.querySelectorAll('h2, h3')) heading.id = anchor(heading.textContent);
  $('contents').replaceChildren(
    ...[...text.querySelectorAll('h2')].map(heading => {
      const item = element('li'),
        link = element('a', '', heading.textContent);
      link.href = `#${heading.id}`;
      item.append(link);
      return item;
    }),
  );
  /** @param {string} kind @param {(at: number) => HTMLElement | null} make */
  const fill = (kind, make) => {
    for (const place of text.querySelectorAll(`[data-${kind}]`)) {
      const made = make(Number(place.getAttribute(`data-${kind}`)));
      if (made) place.replaceWith(made);
      else place.remove();
    }
  };
  fill('board', at => drawing(game, boards[at]));
  fill('line', at => (lines[at].moves.length < SHORTEST ? null : playThrough(game, lines[at])));
  // The headings have not been there when the address was followed.
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

installTheme($('theme'));
try {
  const named = new URLSearchParams(location.search).get('game');
  /** @type {Catalog} */ const catalog = await get('catalog.json');
  const games = catalog.games.filter(game => game.handbook),
    wanted = named ?? games[0].name;
  $('puzzles').hidden = !catalog.games.some(({ puzzles }) => puzzles > 0);
  $('learn').setAttribute('href', `learn.html?game=${encodeURIComponent(wanted)}`);
  $('games').replaceChildren(
    ...games.map(({ name, title }) => {
      const item = element('li'),
        link = element('a', '', title);
      link.href = `?game=${name}`;
      if (name === wanted) link.setAttribute('aria-current', 'page');
      item.append(link);
      return item;
    }),
  );
  document.querySelector('.games [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  const title = games.find(({ name }) => name === wanted)?.title;
  if (title) document.title = `${title} – Handbook – Quintain`;
  render(await get(`handbook/${encodeURIComponent(wanted)}`));
} catch (error) {
  $('error').textContent = /** @type {Error} */ (error).message;
}
document.body.dataset.ready = 'true';
