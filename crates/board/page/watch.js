// A match of engines, while it runs.

/** @import { GameToReplay, BoardView, MatchView, ScoreView } from '../types.d.ts' */
import { Board } from './board.js';
import { $, dialog, element } from './dom.js';
import { get } from './carrier.js';
import { curve } from './graph.js';
import { Replay } from './replay.js';
import { installTheme } from './theme.js';

/** @type {MatchView | null} */ let match = null;
/** @type {Map<number, LiveBoard>} the boards by the place where they are shown */
const boards = new Map();

/** @param {HTMLElement} container @param {(ScoreView | null)[]} scores */
function drawScores(container, scores) {
  const known = scores.filter(score => score !== null);
  container.hidden = known.length < 2;
  if (container.hidden) return;
  const { svg } = curve(
    scores.map(score => score?.points ?? null),
    `Score over the game: ${known.at(-1)?.text} now, for White`,
  );
  container.replaceChildren(svg);
}

class LiveBoard {
  /** @param {MatchView} view */
  constructor({ game }) {
    this.item = element('li', 'card match-board');
    this.head = element('h3');
    this.players = { black: element('p', 'seat'), white: element('p', 'seat') };
    const place = element('div');
    this.graph = element('div', 'graph');
    this.foot = element('p', 'quiet foot');
    this.item.append(this.head, this.players.black, place, this.players.white, this.graph, this.foot);
    this.board = new Board(place, () => {});
    this.board.setGame(game);
    this.number = 0;
    this.plies = -1;
    this.over = false;
  }

  /** @param {MatchView} view @param {BoardView} game */
  show({ names }, game) {
    const moved = this.number !== game.number || this.plies !== game.scores.length || !!game.end !== this.over;
    if (!moved) return;
    const next = this.number === game.number && game.scores.length === this.plies + 1;
    [this.number, this.plies, this.over] = [game.number, game.scores.length, !!game.end];
    this.item.dataset.game = String(game.number);
    this.item.dataset.plies = String(game.scores.length);
    this.head.textContent = `Game ${game.number}`;
    this.board.svg.setAttribute(
      'aria-label',
      `Game ${game.number}: ${names[game.white]} against ${names[game.black]}`,
    );
    for (const side of /** @type {const} */ (['white', 'black'])) {
      this.players[side].replaceChildren(element('span', `disc ${side}`), element('span', 'name', names[game[side]]));
      this.players[side].setAttribute('aria-label', `${side === 'white' ? 'White' : 'Black'}: ${names[game[side]]}`);
      this.players[side].classList.toggle('turn', !game.end && game.position.side === side);
    }
    this.board.show(game.position, [], { last: game.move, animate: next ? game.move : null });
    drawScores(this.graph, game.scores);
    const score = game.scores.findLast(known => known)?.text;
    this.foot.textContent =
      game.end ??
      [game.move ? `Last move ${game.move.san}` : 'No move yet', score && `score ${score}`]
        .filter(Boolean)
        .join(', ');
  }
}

/** @param {MatchView} view */
function render(view) {
  match = view;
  document.title = `${view.over ? 'Over' : `${view.played} of ${view.total}`} – ${view.game.title} – Quintain`;
  /** @type {HTMLAnchorElement} */ ($('learn')).href = `learn.html?match&game=${view.game.name}`;
  $('title').textContent = `${view.game.title}: ${view.names.join(', ')}`;
  $('progress').textContent = view.over
    ? `The match is over: ${view.played} of ${view.total} games.`
    : `${view.played} of ${view.total} games are finished.`;
  /** @type {HTMLProgressElement} */ ($('bar')).value = view.total ? view.played / view.total : 0;
  view.boards.forEach((game, place) => {
    let board = boards.get(place);
    if (!board) {
      board = new LiveBoard(view);
      boards.set(place, board);
      $('boards').append(board.item);
    }
    board.show(view, game);
  });
  const { header, rows } = view.table,
    text = JSON.stringify(view.table);
  if ($('table').dataset.shown !== text) {
    $('table').dataset.shown = text;
    const head = element('thead'),
      body = element('tbody'),
      line = element('tr');
    line.append(
      ...header.map((name, index) => {
        const cell = element('th', '', name || 'Place');
        cell.setAttribute('scope', 'col');
        if (!index) cell.className = 'place';
        return cell;
      }),
    );
    head.append(line);
    body.append(
      ...rows.map(row => {
        const tr = element('tr');
        tr.append(
          ...row.map((value, index) => {
            const cell = element(index === 1 ? 'th' : 'td', '', value);
            if (index === 1) cell.setAttribute('scope', 'row');
            return cell;
          }),
        );
        return tr;
      }),
    );
    $('table').replaceChildren(head, body);
  }
  $('text').textContent = view.text;
  $('text').hidden = !view.text;
  $('none').hidden = view.recent.length > 0;
  // What is shown stays, so that a press on it and the keyboard's focus are not lost.
  const list = $('recent'),
    shown = new Set(Array.from(list.querySelectorAll('li'), item => item.dataset.game));
  for (const game of view.recent.toReversed().filter(({ number }) => !shown.has(String(number)))) {
    const item = element('li'),
      button = element(
        'button',
        '',
        `${game.number}. ${view.names[game.white]} – ${view.names[game.black]}  ${game.result}  ${game.reason}`,
      );
    item.dataset.game = String(game.number);
    button.addEventListener('click', () => open(game.number));
    item.append(button);
    list.prepend(item);
  }
  while (list.children.length > view.recent.length) list.lastElementChild?.remove();
}

/** Shows a finished game. @param {number} number */
async function open(number) {
  const game = match?.recent.find(known => known.number === number);
  if (!match || !game) return;
  $('game-title').textContent =
    `Game ${number}: ${match.names[game.white]} – ${match.names[game.black]} ${game.result}`;
  $('game-error').textContent = '';
  $('game').replaceChildren();
  $('game-graph').hidden = true;
  dialog('game-dialog').showModal();
  try {
    /** @type {GameToReplay} */ const { fen, moves, remarks, scores } = await get(`game/${number}`);
    const line = await get('line', { game: match.game.name, fen, moves: moves.join(' ') });
    drawScores($('game-graph'), scores);
    $('game').replaceChildren(new Replay(match.game, line, remarks, `Game ${number}`).container);
  } catch (error) {
    $('game-error').textContent = /** @type {Error} */ (error).message;
  }
}

installTheme($('theme'));
const stream = new EventSource('events');
stream.addEventListener('message', event => {
  $('connection').hidden = true;
  render(JSON.parse(event.data));
  // The program that played the match ends with it.
  if (match?.over) stream.close();
});
stream.addEventListener('error', () => {
  $('connection').hidden = false;
  $('connection').textContent = 'The match was stopped, or its program does not answer.';
});
