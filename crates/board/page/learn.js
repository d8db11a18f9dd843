// The learn page: how a game is played, with boards that can be tried.

/** @import { Catalog, GameView, Look, LessonView, LessonsView, PieceLesson } from '../types.d.ts' */
import { Board, pieceIcon, placement } from './board.js';
import { $, element } from './dom.js';
import { get } from './carrier.js';
import { drawEndings } from './endings.js';
import { Replay } from './replay.js';
import { drawRules } from './rules.js';
import { installTheme } from './theme.js';

/** A board that shows where pieces could go; nothing is played on it. */
class Diagram extends Board {
  /** @param {LessonsView['game']} game @param {Look} look @param {string} name */
  constructor(game, look, name) {
    super(element('div'), () => {});
    this.setGame(game);
    this.svg.setAttribute('aria-label', name);
    this.show(look.position, look.moves);
  }

  narrow() {
    this.from = null;
    this.label();
    this.drawMarks();
  }
}

/** @param {PieceLesson} piece */
function worth({ value }) {
  if (!value) return 'It must not be lost.';
  const [opening, ending] = value;
  return opening === ending
    ? `Worth ${opening} pawns.`
    : `Worth ${opening} pawns on a full board, ${ending} on an empty one.`;
}

/** @param {LessonsView} lessons @param {PieceLesson} piece */
function pieceCard({ game }, piece) {
  const item = element('li', 'card piece-card'),
    text = element('div'),
    head = element('h3');
  const faces = game.pieces.find(known => known.letter === piece.letter)?.faces;
  item.dataset.letter = piece.letter;
  head.append(
    pieceIcon(game, piece.letter.toUpperCase() + (faces ? '0' : '')),
    `${piece.name[0].toUpperCase()}${piece.name.slice(1)} (${piece.letter.toUpperCase()})`,
  );
  text.append(
    head,
    element('p', '', `${piece.moves[0].toUpperCase()}${piece.moves.slice(1)}.`),
    element('p', 'quiet', worth(piece)),
  );
  const diagram = new Diagram(game, piece.look, `Where a ${piece.name} goes`);
  item.append(text, diagram.container);
  diagram.setCursor(piece.place);
  diagram.touch(piece.place);
  return item;
}

/** @param {LessonsView} lessons @param {LessonView} lesson @param {string} kind */
function lessonCard({ game }, lesson, kind) {
  const item = element('li', `card lesson ${kind}`);
  const replay = new Replay(game, lesson.line, lesson.remarks, lesson.title);
  item.append(element('h3', '', lesson.title), element('p', '', lesson.text), replay.container);
  return item;
}

/** How long the page may be busy before the browser draws, in milliseconds. */
const BUSY = 40;

/** What is known before the lessons come. @param {GameView} game */
function renderHead(game) {
  document.title = `${game.title} – Learn – Quintain`;
  $('title').textContent = game.title;
  $('summary').textContent = `${game.summary[0].toUpperCase()}${game.summary.slice(1)}.`;
  const look = { position: placement(game.start_pieces), moves: [] };
  $('start').replaceChildren(new Diagram(game, look, 'The start position').container);
  $('play').setAttribute('href', `./?game=${game.name}`);
  $('handbook').setAttribute('href', `handbook.html?game=${game.name}`);
  $('handbook').hidden = !game.handbook;
  $('content').hidden = false;
}

/** Draws the lessons from above to below; what is drawn is seen meanwhile. @param {LessonsView} lessons */
async function render(lessons) {
  const { game } = lessons;
  const work = [
    () => $('start').replaceChildren(new Diagram(game, lessons.start, 'The start position').container),
    ...lessons.pieces.map(piece => () => $('pieces').append(pieceCard(lessons, piece))),
    ...lessons.rules.map(lesson => () => $('rules').append(lessonCard(lessons, lesson, 'rule'))),
    () => $('example').append(lessonCard(lessons, lessons.example, 'example')),
    () => drawRules($('text'), game, lessons.text, 'h3'),
  ];
  let since = performance.now();
  for (const part of work) {
    part();
    if (performance.now() - since < BUSY) continue;
    await new Promise(done => setTimeout(done));
    since = performance.now();
  }
}

/** @param {string} name @returns {Promise<LessonsView>} */
const fetchLessons = name => get(`lessons/${encodeURIComponent(name)}`);

installTheme($('theme'));
try {
  const query = new URLSearchParams(location.search),
    named = query.get('game');
  // Both come at the same time, and the one that is there first is shown.
  const asked = named ? fetchLessons(named) : null;
  asked?.catch(() => {});
  /** @type {Catalog} */ const catalog = await get('catalog.json');
  const wanted = named ?? catalog.games[0].name,
    view = catalog.games.find(({ name }) => name === wanted);
  if (view) renderHead(view);
  $('puzzles').hidden = !catalog.games.some(({ puzzles }) => puzzles > 0);
  if (query.has('match')) {
    $('home').textContent = 'Match';
    $('play').hidden = true;
  }
  $('games').replaceChildren(
    ...catalog.games.map(({ name, title }) => {
      const item = element('li'),
        link = element('a', '', title);
      query.set('game', name);
      link.href = `?${query}`;
      if (name === wanted) link.setAttribute('aria-current', 'page');
      item.append(link);
      return item;
    }),
  );
  document.querySelector('.games [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  await render(await (asked ?? fetchLessons(wanted)));
  if (view) await drawEndings(view);
} catch (error) {
  $('error').textContent = /** @type {Error} */ (error).message;
}
document.body.dataset.ready = 'true';
