// The page: shows the game and passes on what a person wants.

/** @import { Catalog, Links, MoveView, NodeView, Place, Side, Status } from '../types.d.ts' */
import { Board, Thumbnail, nameOf, ownerOf, pieceIcon } from './board.js';
import { HOME, get, listen, send } from './carrier.js';
import { $, dialog, element, input, saveFile, savePgn, textOf } from './dom.js';
import { Editor } from './editor.js';
import { Game } from './game.js';
import { drawGraph } from './graph.js';
import { keep, kept } from './kept.js';
import { Library } from './library.js';
import { MoveList } from './movelist.js';
import { Openings } from './openings.js';
import { copyPicture } from './picture.js';
import { drawRules } from './rules.js';
import { Refused } from './refused.js';
import * as sound from './sound.js';
import { installTheme, isDark } from './theme.js';

const game = new Game();
const board = new Board($('board'), move => playMove(move.text));
const editor = new Editor();
const openings = new Openings(game, playMove);
const moveList = new MoveList($('moves'), go, node => ask('remove', { node: node.id }));
/** @type {Catalog} */ const catalog = await get('catalog.json');
const library = new Library(catalog, () => game.status?.saved ?? null);
let heard = performance.now();
/** @type {{ from: Place, to: Place } | null} */ let premove = null;
/** The move that is to be seen when the board is drawn next. @type {{ animate?: MoveView | null, undo?: MoveView | null }} */ let motion =
  {};
/** A newcomer was asked for a level, or has come by a link. */ let asked = isLink();
/** Who sits below, so that the board is turned when that changes. */ let seats = '';

for (const view of catalog.games) {
  const label = element('label', 'card-choice'),
    radio = element('input');
  radio.type = 'radio';
  radio.name = 'game';
  radio.value = view.name;
  const text = element('span', 'card-text');
  text.append(element('span', 'thumbnail'), element('strong', '', view.title));
  label.append(radio, text);
  $('games').append(label);
}
for (const { level, name } of catalog.levels) $('level').append(new Option(name, String(level)));
input('new-level').max = String(catalog.levels.length - 1);
$('puzzles').hidden = !catalog.games.some(({ puzzles }) => puzzles > 0);

// ---- Asking ----

/**
 * Sends a command; what went wrong is shown.
 * @param {string} command @param {Record<string, unknown>} [values] @param {string} [place] where to show it
 */
async function ask(command, values = {}, place = 'notice') {
  try {
    const answer = await send(command, values);
    // What the room says to it has come before the answer.
    complain((place === 'notice' && game.status?.notice) || '', place);
    return { answer };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    complain(error.message, place);
    return null;
  }
}

/** @param {string} text @param {string} [place] */
function complain(text, place = 'notice') {
  if ($(place).textContent !== text) $(place).textContent = text;
}

/** @param {string} text */
async function playMove(text) {
  const { shown: node, visits } = game,
    { dataset } = $('board');
  dataset.busy = 'true';
  const result = await ask('play', { node, text });
  dataset.busy = 'false';
  // A move of the game is shown already, and whoever has gone elsewhere meanwhile stays there.
  if (result && game.visits === visits) go(result.answer);
  if (!result) {
    sound.play('refused');
    board.restore();
    render();
  }
  return result !== null;
}

// ---- Going through the game ----

/** @param {number} id */
function go(id) {
  const target = game.nodes.get(id);
  if (!target) return;
  if (id === game.shown) {
    render();
    return;
  }
  const before = game.current;
  motion =
    target.parent === before?.id ? { animate: target.move } : before?.parent === id ? { undo: before.move } : {};
  game.shown = id;
  if (target.move && motion.animate) soundOf(target);
  if (game.status?.analysed !== null) ask('analyse', { node: id });
  render();
}

/** @param {number} step */
function step(step) {
  const line = game.line(),
    at = line.findIndex(node => node.id === game.shown);
  const node = line[Math.max(0, Math.min(line.length - 1, at + step))];
  if (node) go(node.id);
}

/** @param {NodeView} node */
function soundOf(node) {
  const ends = node.id === game.status?.live && game.status.end;
  sound.play(ends ? 'end' : node.position.check ? 'check' : node.move?.taken.length ? 'capture' : 'move');
}

// ---- Drawing ----

/** @param {0 | 1} index White or Black */
function playerName(index) {
  const { settings } = /** @type {Status} */ (game.status);
  if (settings.engine[index]) return 'Quintain';
  return game.side === (index ? 'black' : 'white') ? 'You' : index ? 'Black' : 'White';
}

/** @param {0 | 1} index */
function clockText(index) {
  const { status, live } = game;
  if (!status?.clock) return '';
  const turn = live?.position.side === (index ? 'black' : 'white');
  const left = Math.max(0, status.clock[index] - (status.running && turn ? performance.now() - heard : 0));
  if (left < 10_000) return `0:${(left / 1000).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.ceil(left / 1000),
    minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
    : `${minutes}:${rest}`;
}

function drawPlayers() {
  const { status, current, live } = game;
  if (!status || !game.game) return;
  for (const [id, index] of /** @type {[string, 0 | 1][]} */ ([
    ['far', board.flipped ? 0 : 1],
    ['near', board.flipped ? 1 : 0],
  ])) {
    const side = index ? 'black' : 'white',
      turn = !status.end && live?.position.side === side;
    const box = $(id);
    box.classList.toggle('turn', turn);
    const dot = element('i', `disc ${side}`),
      who = element('div', 'who'),
      first = element('p');
    first.append(element('span', 'name', playerName(index)));
    if (status.settings.engine[index]) first.append(' ', element('span', 'level', levelName(status.settings.level)));
    if (turn && status.thinking && game.engineMoves) first.append(' ', element('span', 'thinks', 'thinking'));
    if (status.visitors[side] && game.role !== side && game.role !== 'spectator')
      first.append(' ', element('span', 'elsewhere', 'on another computer'));
    who.append(first, captured(side));
    const hand = element('span', 'hand');
    if (current) fillHand(hand, side);
    const clock = status.clock ? element('time', 'clock', clockText(index)) : '';
    box.replaceChildren(dot, who, hand, clock);
  }
}

/** What a side has captured, and how far it is ahead. @param {Side} side */
function captured(side) {
  const row = element('p', 'captured'),
    position = game.current?.position,
    view = game.game;
  if (!position || !view) return row;
  const pieces = position.captured.filter(piece => ownerOf(piece) !== side);
  pieces.forEach((piece, at) => {
    const icon = pieceIcon(view, piece + (faces(piece) ? (ownerOf(piece) === 'white' ? '0' : '4') : ''));
    icon.classList.toggle('same', piece === pieces[at - 1]);
    row.append(icon);
  });
  const ahead = side === 'white' ? position.material : -position.material;
  if (ahead > 0) row.append(element('b', '', `+${ahead}`));
  const names = [...new Set(pieces)].map(piece => {
    const count = pieces.filter(other => other === piece).length,
      name = kindOf(piece)?.name.toLowerCase() ?? piece;
    return count > 1 ? `${count} × ${name}` : name;
  });
  const words = names.length ? [`Captured: ${names.join(', ')}`] : [];
  if (names.length && view.promotes_to_captured)
    words.push(`${side === 'white' ? 'Black' : 'White'} can promote to these pieces only`);
  if (ahead > 0) words.push(`Ahead by ${ahead}`);
  if (words.length) {
    row.title = `${words.join('. ')}.`;
    row.setAttribute('role', 'img');
    row.setAttribute('aria-label', row.title);
  }
  return row;
}

/** @param {string} piece */
const kindOf = piece => game.game?.pieces.find(known => known.letter === piece[0].toLowerCase());
/** @param {string} piece */
const faces = piece => kindOf(piece)?.faces;

/** The pieces that a side has still to place; those of the side to move can be put on the board. @param {HTMLElement} hand @param {Side} side */
function fillHand(hand, side) {
  const view = game.game,
    position = game.current?.position;
  if (!view || !position) return;
  const turn = position.side === side,
    pieces = position.in_hand.filter(piece => ownerOf(piece) === side);
  for (const piece of turn ? pieces.slice(board.placed) : pieces) {
    const icon = pieceIcon(view, piece);
    if (!turn || !board.places().length) {
      hand.append(icon);
      continue;
    }
    const button = element('button');
    button.type = 'button';
    button.title = `Put this ${kindOf(piece)?.name.toLowerCase()} on the board`;
    button.setAttribute('aria-label', button.title);
    button.append(icon);
    button.addEventListener('pointerdown', event => board.takeFromHand(event, icon));
    hand.append(button);
  }
}

function drawClocks() {
  for (const [id, index] of /** @type {[string, 0 | 1][]} */ ([
    ['far', board.flipped ? 0 : 1],
    ['near', board.flipped ? 1 : 0],
  ])) {
    const clock = $(id).querySelector('.clock'),
      text = clockText(index);
    if (clock && clock.textContent !== text) {
      clock.textContent = text;
      clock.classList.toggle('short', (game.status?.clock?.[index] ?? 0) < 20_000);
    }
  }
}

/** @param {number} level */
function levelName(level) {
  const known = catalog.levels[level];
  return known ? `level ${known.name}` : '';
}

/** The legal moves that may be chosen on the position that is shown, once they have come. @type {{ node: number, moves: MoveView[] }} */
let legal = { node: -1, moves: [] };

async function fetchMoves() {
  const node = game.shown;
  if (legal.node === node || !game.mayPlay) return;
  try {
    const moves = await game.movesAt(node);
    if (game.shown !== node || !game.mayPlay) return;
    legal = { node, moves };
    drawPlaceholder();
    if (premove && game.atLive && tryPremove(moves)) return;
    drawBoard();
    drawStatus();
    drawVerdicts();
    if (game.current?.position.in_hand.length) drawPlayers();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** How long a move is to type; those of pawns, which are the shortest, come behind. @param {MoveView} move */
const typed = ({ san, text }) => san.length + text.length + (/^[A-Z]/.test(san) ? 0 : 4);

/** An example of what can be typed. */
function drawPlaceholder() {
  const { mayPlay, status } = game,
    moves = mayPlay && legal.node === game.shown ? legal.moves : [];
  const [move] = moves.toSorted((a, b) => typed(a) - typed(b));
  input('text').placeholder = move
    ? `Type a move: ${move.san}${move.san === move.text ? '' : ` or ${move.text}`}`
    : mayPlay || status?.end || !game.engineMoves
      ? 'Type a move'
      : 'The engine is to move';
}

/** @param {MoveView[]} moves */
function tryPremove(moves) {
  // It was for the game, and not for trying moves after its end.
  const wish = game.status?.end ? null : premove;
  premove = null;
  board.premove = null;
  const fits = moves.filter(
    move => wish && nameOf(move.from) === nameOf(wish.from) && nameOf(move.to) === nameOf(wish.to),
  );
  if (fits.length === 1) {
    playMove(fits[0].text);
    return true;
  }
  drawBoard();
  if (fits.length) {
    board.from = fits[0].from;
    board.narrow(fits, fits[0].to);
  }
  return fits.length > 0;
}

/** The side of a person who waits for the other side and may move in advance. @returns {import('../types.d.ts').Side | null} */
function waitingSide() {
  const { status, live } = game;
  if (!status || status.end || !game.atLive || !live) return null;
  return game.side === live.position.side ? null : game.side;
}

/** A move as an arrow; pieces that are put on the board have none, and their squares get rings. @param {MoveView} move @param {string} kind */
function arrowsOf({ tag, from, to }, kind) {
  const squares =
    tag === 'place'
      ? [
          [from, from],
          [to, to],
        ]
      : [[from, to]];
  return squares.map(([from, to]) => ({ from, to, kind }));
}

function arrows() {
  const { status, analysis } = game,
    found = [];
  if (analysis.node === game.shown && status?.analysed !== null) {
    for (const line of analysis.lines)
      if (line.best) found.push(...arrowsOf(line.best, line.number === 1 ? 'best' : 'other'));
  }
  if (status?.hint && game.atLive) found.push(...arrowsOf(status.hint, 'hint'));
  return found.toReversed();
}

function drawBoard() {
  const { current, status } = game;
  if (!current || !status) return;
  const moves = game.mayPlay && legal.node === current.id ? legal.moves : [];
  board.show(current.position, moves, { last: current.move, ...motion, arrows: arrows(), premove: waitingSide() });
  motion = {};
  const { dataset } = $('board');
  dataset.ply = String(game.path(current).length - 1);
  dataset.live = String(game.path(game.live).length - 1);
  dataset.node = String(current.id);
  dataset.ready = String(moves.length > 0);
  dataset.end = status.end?.score ?? '';
}

function drawStatus() {
  const { current, status } = game;
  if (!current || !status || !game.game) return;
  const { position, move } = current,
    side = position.side === 'white' ? 'White' : 'Black';
  const parts = [];
  if (move) parts.push(`${current.number} ${move.san}`);
  if (game.atLive && status.end) parts.push(`${status.end.text}, ${status.end.score}`);
  else {
    if (game.isHalted) parts.push('The game is paused');
    parts.push(`${side} to move`);
    if (position.check) parts.push(`Check from ${position.checkers.join(' and ')}`);
    if (position.remark) parts.push(position.remark);
    if (!game.atLive) parts.push('The game has gone on');
    else if (status.hint) parts.push(`Hint: ${status.hint.san}`);
    else if (legal.node === current.id && legal.moves.length) {
      if (board.places().length) parts.push('Drag them to the board, or click the squares');
      else if (legal.moves.every(move => nameOf(move.from) === nameOf(move.to) && move.facing !== null))
        parts.push('Click the piece');
    }
  }
  if (game.role === 'spectator') parts.push('You look on');
  const text = `${parts.join('. ')}.`;
  if ($('status').textContent !== text) $('status').textContent = text;
  if (status.notice) complain(status.notice);
  $('title').textContent = status.name ? `${game.game.title}: ${status.name}` : game.game.title;
  $('unsaved').hidden = !status.unsaved;
  if (status.unsaved) complain(`Your game is not saved: ${status.unsaved}`, 'unsaved');
  $('over').hidden = !(game.atLive && status.end);
  $('score').textContent = status.end?.score ?? '';
  $('reason').textContent = status.end?.text ?? '';
}

/** @param {string} id @param {boolean} on */
function enable(id, on) {
  input(id).disabled = !on;
}

/** Names a button and gives it an icon. @param {string} id @param {string} text @param {string} icon */
function label(id, text, icon) {
  const words = /** @type {HTMLElement} */ ($(id).lastElementChild);
  words.textContent = text;
  if ($(id).title) $(id).title = text;
  $(id).querySelector('use')?.setAttribute('href', `icons.svg#${icon}`);
}

function drawControls() {
  const { status } = game;
  if (!status) return;
  const over = status.end !== null,
    mine = !over && !game.engineMoves;
  const both = status.settings.engine.every(Boolean),
    none = status.settings.engine.every(side => !side),
    plays = game.plays('white') || game.plays('black');
  document.body.dataset.role = game.role;
  enable('back', game.live?.parent !== null);
  enable('hint', mine && !status.thinking);
  enable('draw', !over && plays && (none || (mine && !status.thinking)) && (!status.offer || game.mayAnswer));
  enable('resign', !over && plays);
  enable('now', !over && game.engineMoves && status.thinking);
  enable('pause', !over && (!!status.clock || game.engineMoves || both || status.paused));
  label('pause', status.paused ? 'Go on' : 'Pause', status.paused ? 'play' : 'pause');
  drawOffer();
  input('level').value = String(status.settings.level);
  $('pace-field').hidden = !both;
  const known = [...input('pace').querySelectorAll('option')].some(option => option.value === String(status.pace));
  if (!known) input('pace').append(new Option(`${status.pace} seconds`, String(status.pace)));
  input('pace').value = String(status.pace);
  $('turn-field').hidden = !(game.plays('white') && game.plays('black'));
  input('turn').checked = turns();
  input('players').value = status.settings.engine.map(on => (on ? 'e' : 'f')).join('');
  const line = game.line(),
    at = line.findIndex(node => node.id === game.shown);
  enable('first', at > 0);
  enable('previous', at > 0);
  enable('next', at < line.length - 1);
  enable('last', at < line.length - 1);
  enable('annotate', game.live?.parent !== null || !!status.annotated);
  const { annotated } = status;
  label(
    'annotate',
    annotated ? 'Stop looking for mistakes' : 'Annotate: look for mistakes',
    annotated ? 'stop' : 'annotate',
  );
  $('progress').hidden = !annotated;
  $('progress').textContent = annotated ? `Looking for mistakes: ${annotated[0]} of ${annotated[1]} moves` : '';
  input('text').disabled = !game.mayPlay;
  drawPlaceholder();
}

/** A draw that one person offers to the other. */
function drawOffer() {
  const { status } = game,
    by = status?.offer;
  $('offer').hidden = !by || !(game.mayAnswer || game.plays(by));
  if (!by) return;
  const [offers, answers] = by === 'white' ? ['White', 'Black'] : ['Black', 'White'];
  $('offer-text').textContent = !game.mayAnswer
    ? `You have offered a draw. ${answers} has not answered yet.`
    : game.plays(by)
      ? `${offers} offers a draw. ${answers}, do you accept?`
      : `${offers} offers a draw. Do you accept?`;
  for (const id of ['accept', 'decline']) $(id).hidden = !game.mayAnswer;
}

/** How many moves of a line are shown. */
const MOST_OF_LINE = 14;

function drawAnalysis() {
  const { status, analysis } = game;
  if (!status) return;
  const on = status.analysed !== null;
  input('analyse').checked = on;
  $('analysis').classList.toggle('on', on);
  const lines = on && analysis.node === game.shown ? analysis.lines : [],
    [best] = lines;
  const score = best?.score ?? (on ? game.current?.score : null);
  $('eval').hidden = !on;
  $('score-now').textContent = score?.text ?? '';
  $('depth').textContent = best
    ? `depth ${best.depth} · ${speedText(best.speed)}`
    : on
      ? game.atLive && status.end
        ? 'game over'
        : '…'
      : '';
  if (score) {
    const white = Math.round(100 * score.points),
      flipped = board.flipped;
    $('eval').setAttribute('aria-valuenow', String(white));
    $('eval').setAttribute('aria-valuetext', `${score.text}, for White`);
    $('eval').classList.toggle('flipped', flipped);
    /** @type {HTMLElement} */ ($('eval').querySelector('.eval-white')).style.height =
      `${Math.max(2, Math.min(98, white))}%`;
    const text = /** @type {HTMLElement} */ ($('eval').querySelector('.eval-text'));
    text.textContent = score.text.replace(/^\+/, '').replace(/(\.\d)\d$/, '$1');
    text.classList.toggle('low', white >= 50 !== flipped);
  }
  // What is there stays, with other words: a button that went away would lose its focus, and a click that has begun.
  const list = fitted($('lines'), lines.length, () => {
    const item = element('li');
    item.append(element('span', 'line-score'), element('span', 'line-moves'));
    return item;
  });
  lines.forEach((line, index) => {
    const [score, moves] = list[index].children;
    score.textContent = line.score.text;
    const shown = line.san.slice(0, MOST_OF_LINE);
    const buttons = fitted(moves, shown.length, at => {
      const move = element('button', 'line-move');
      move.type = 'button';
      move.title = 'Play the line up to here';
      move.addEventListener('click', () => playLine(game.analysis.lines[index].texts.slice(0, at + 1)));
      return move;
    });
    shown.forEach((san, at) => (buttons[at].textContent = san));
  });
  $('lines').dataset.depth = String(best?.depth ?? 0);
  drawVerdicts();
}

/** The children of an element, of which it has so many from now on. @param {Element} parent @param {number} count
 * @param {(at: number) => HTMLElement} make makes the one at a place */
function fitted(parent, count, make) {
  while (parent.children.length > count) parent.lastElementChild?.remove();
  while (parent.children.length < count) parent.append(make(parent.children.length));
  return parent.children;
}

/** The larger, the better endgame tables find a move. @param {MoveView} move */
const goodness = ({ verdict }) => (verdict ? verdict.rank[0] * 1e6 + verdict.rank[1] : 0);

/** The moves whose verdicts are shown. @type {MoveView[]} */ let judged = [];

/** What endgame tables say of each move, the best first. */
function drawVerdicts() {
  const moves = legal.node === game.shown ? legal.moves : [],
    /** @type {Map<string, MoveView[]>} */ groups = new Map();
  if (moves === judged) return;
  judged = moves;
  for (const move of moves.toSorted((a, b) => goodness(b) - goodness(a))) {
    if (!move.verdict) continue;
    const { words } = move.verdict;
    groups.set(words, [...(groups.get(words) ?? []), move]);
  }
  $('verdicts').hidden = !groups.size;
  $('verdict-list').replaceChildren(
    ...[...groups].flatMap(([words, moves]) => {
      const list = element('dd');
      for (const { san, text } of moves) {
        const button = element('button', 'line-move', san);
        button.type = 'button';
        button.title = 'Play this move';
        button.addEventListener('click', () => playLine([text]));
        list.append(button);
      }
      return [element('dt', '', words), list];
    }),
  );
}

/** @param {number} speed */
function speedText(speed) {
  return speed >= 1e6 ? `${(speed / 1e6).toFixed(1)}M/s` : `${Math.round(speed / 1000)}k/s`;
}

/** Plays moves one after the other, as a variation. @param {string[]} texts */
async function playLine(texts) {
  for (const text of texts) if (!(await playMove(text))) return;
}

function render() {
  if (!game.status || !game.game) return;
  drawBoard();
  drawPlayers();
  drawStatus();
  drawControls();
  drawAnalysis();
  openings.draw();
  moveList.draw(game);
  drawGraph($('graph'), game, go);
  fetchMoves();
}

// ---- Events ----

/** What was typed and said in one game is not for the next. */
function forget() {
  for (const id of ['text', 'load-text', 'new-fen', 'comment-text']) input(id).value = '';
  for (const said of document.querySelectorAll('.notice, #say')) said.textContent = '';
  for (const id of ['comment-dialog', 'resign-dialog']) dialog(id).close();
  game.analysis = { node: null, lines: [] };
  [premove, motion] = [null, {}];
  board.cancel();
}

/** Turns the board to the person who plays. @param {Status} status */
function seat(status) {
  const both = game.plays('white') && game.plays('black') && !status.end;
  const below = both && turns() ? game.live?.position.side : game.side;
  const now = `${game.game?.name} ${status.settings.engine} ${below}`;
  if (now === seats) return;
  seats = now;
  board.flip(below === 'black');
}

/** Does the board turn to the side to move when two people share it? */
const turns = () => kept('turn') === 'yes';

/** Asks a newcomer once how well the opponent should play. @param {Status} status */
function askLevel(status) {
  if (!status.newcomer || !game.isOwner || asked) return;
  asked = true;
  const chess = catalog.games.find(({ name }) => name === 'chess') ?? catalog.games[0];
  const choices = catalog.levels.filter(({ suits }) => suits);
  $('level-choices').replaceChildren(
    ...choices.map(({ level, suits }, at) => {
      const [name, words] = suits ?? ['', ''],
        button = element('button', 'level-choice'),
        text = element('span');
      button.type = 'button';
      button.dataset.level = String(level);
      text.append(element('strong', '', `${name[0].toUpperCase()}${name.slice(1)}`), element('small', '', words));
      button.append(pieceIcon(chess, 'PNBRQK'[at]), text);
      button.addEventListener('click', async () => {
        if (await ask('level', { level })) dialog('level-dialog').close();
      });
      return button;
    }),
  );
  dialog('level-dialog').showModal();
}

/** Brings the board into sight, which on a phone is above the buttons. */
function showBoard() {
  const { top, bottom } = $('board').getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) $('board').closest('.play')?.scrollIntoView({ block: 'start' });
}

const connection = listen(
  {
    game(data) {
      const other = data.game.name !== game.game?.name;
      if (game.nodes.size && !game.nodes.has(data.nodes[0].id)) forget();
      game.reset(data);
      heard = performance.now();
      legal = { node: -1, moves: [] };
      if (other) {
        board.setGame(data.game);
        // The columns leave the board as much room as it can use.
        /** @type {HTMLElement} */ ($('board').closest('main')).style.setProperty('--ratio', String(board.ratio));
      }
      seat(data.status);
      askLevel(data.status);
      document.title = `${data.game.title} – Quintain`;
      $('puzzles').setAttribute('href', `puzzles.html?game=${data.game.name}`);
      $('learn').setAttribute('href', `learn.html?game=${data.game.name}`);
      render();
    },
    node(data) {
      const isNew = !game.nodes.has(data.id);
      game.add(data);
      // The status that follows a new position says whether it is the last one.
      if (!isNew) render();
    },
    status(data) {
      const before = game.status,
        wasLive = game.atLive;
      game.status = data;
      heard = performance.now();
      const { live } = game;
      seat(data);
      if (!data.notice && before?.notice) complain('');
      // Whoever looked at the last position goes on looking at the last position.
      if (wasLive && live && before?.live !== data.live) go(data.live);
      else {
        if (!before?.end && data.end) sound.play('end');
        render();
      }
    },
    removed(id) {
      legal = { node: -1, moves: [] };
      game.remove(id);
      // A move that was begun or chosen in advance was for the position that has been taken back.
      if (!game.live) board.cancel();
      render();
    },
    analysis(data) {
      game.analysis = data;
      const node = data.node === null ? undefined : game.nodes.get(data.node);
      if (node && data.lines[0]) node.score = data.lines[0].score;
      if (!game.status) return;
      drawAnalysis();
      moveList.follow();
      if (data.node === game.shown) {
        board.extras = { ...board.extras, arrows: arrows() };
        board.drawMarks();
      }
    },
  },
  (state, text) => {
    $('connection').textContent = text;
    $('connection').hidden = !text;
    document.body.dataset.connection = state;
  },
  role => {
    game.role = role;
    if (game.isOwner) drawInvite();
  },
);

board.onPremove = (from, to) => {
  premove = board.premove ? { from, to } : null;
};
board.onSay = say;
board.onPlaced = drawPlayers;
setInterval(() => {
  if (game.status?.running) drawClocks();
}, 100);
$('connection').addEventListener('click', () => connection.wake());

/** Says something to screen readers; the same twice is heard twice. @param {string} text */
function say(text) {
  $('say').textContent = $('say').textContent === text ? `${text}\u00a0` : text;
}

// ---- Controls ----

/** @param {string} id @param {() => void} work */
const onClick = (id, work) => $(id).addEventListener('click', work);
onClick('first', () => step(-Infinity));
onClick('previous', () => step(-1));
onClick('next', () => step(1));
onClick('last', () => step(Infinity));
onClick('flip', flip);
onClick('back', () => ask('take-back'));
onClick('hint', () => ask('hint'));
onClick('draw', () => ask('offer-draw'));
onClick('accept', () => ask('answer-draw', { accept: true }));
onClick('decline', () => ask('answer-draw', { accept: false }));
onClick('now', () => ask('move-now'));
onClick('rematch', async () => {
  if (await ask('rematch')) showBoard();
});
onClick('again', openNew);
onClick('pause', () => ask('pause', { on: !game.status?.paused }));
onClick('annotate', () => ask('annotate', { on: !game.status?.annotated }));
onClick('resign', () => dialog('resign-dialog').showModal());
onClick('resign-yes', () => {
  dialog('resign-dialog').close();
  ask('resign');
});
onClick('keys', () => dialog('keys-dialog').showModal());
$('level').addEventListener('change', () => ask('level', { level: Number(input('level').value) }));
$('players').addEventListener('change', () =>
  ask('players', { engine: [...input('players').value].map(letter => letter === 'e') }),
);
$('pace').addEventListener('change', () => ask('pace', { seconds: Number(input('pace').value) }));
$('turn').addEventListener('change', () => {
  keep('turn', input('turn').checked ? 'yes' : 'no');
  if (game.status) seat(game.status);
  render();
});
$('analyse').addEventListener('change', () => analyse(input('analyse').checked));
$('typed').addEventListener('submit', async event => {
  event.preventDefault();
  const text = input('text').value.trim();
  if (text && (await playMove(text))) input('text').value = '';
});

function flip() {
  board.flip(!board.flipped);
  render();
}

/** @param {boolean} on */
function analyse(on) {
  ask('analyse', { node: on ? game.shown : null });
}

function drawSound() {
  $('sound').setAttribute('aria-pressed', String(sound.isOn()));
  $('sound')
    .querySelector('use')
    ?.setAttribute('href', `icons.svg#${sound.isOn() ? 'sound' : 'silent'}`);
}
onClick('sound', () => {
  sound.turn(!sound.isOn());
  drawSound();
  sound.play('move');
});
drawSound();

installTheme($('theme'));

document.addEventListener('keydown', event => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('input, select, textarea, dialog, .picker') || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const steps = /** @type {Record<string, number>} */ ({
    ArrowLeft: -1,
    ArrowRight: 1,
    Home: -Infinity,
    End: Infinity,
  });
  if (steps[event.key] !== undefined) step(steps[event.key]);
  else if (event.key === 'f') flip();
  else if (event.key === 'a' && game.isOwner) analyse(game.status?.analysed === null);
  else if (event.key === 'm') input('text').focus();
  else if (event.key === 'l') say($('status').textContent ?? '');
  else if (event.key === 'Escape') board.cancel();
  else return;
  event.preventDefault();
});

// ---- New game ----

const chosen = /** @param {string} name */ name =>
  /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name=${name}]:checked`))?.value ?? '';

function openNew() {
  const { status } = game;
  if (!status) return;
  const [white, black] = status.settings.engine;
  check('game', status.settings.game);
  check('side', white ? (black ? 'engine' : 'black') : black ? 'white' : 'two');
  input('new-level').value = String(status.settings.level);
  input('seconds').value = String(status.settings.seconds);
  input('new-fen').value = '';
  complain('', 'new-error');
  // The pictures of the boards are drawn when they are first needed.
  document.querySelectorAll('.thumbnail:empty').forEach((place, at) => {
    place.append(new Thumbnail(catalog.games[at]).container);
  });
  drawNew();
  dialog('new-dialog').showModal();
}

/** @param {string} name @param {string} value */
function check(name, value) {
  for (const radio of document.getElementsByName(name)) {
    const choice = /** @type {HTMLInputElement} */ (radio);
    choice.checked = choice.value === value;
  }
}

function drawNew() {
  const summary = catalog.games.find(({ name }) => name === chosen('game'))?.summary ?? '';
  $('game-summary').textContent = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
  const { name, rating } = catalog.levels[Number(input('new-level').value)];
  $('new-level-text').textContent = `${name}${rating ? `, about ${rating} Elo` : ', full strength'}`;
  const two = chosen('side') === 'two',
    time = chosen('time');
  $('strength').hidden = two;
  $('seconds-field').hidden = two || time !== '';
  for (const field of document.querySelectorAll('.own-time'))
    /** @type {HTMLElement} */ (field).hidden = time !== 'own';
}

/** A number that is typed; nothing in a field that is hidden. @param {string} id */
const number = id => (input(id).closest('[hidden]') ? null : input(id).valueAsNumber);

/**
 * Does no field that is shown lack its number? The browser tells which one does; the program tells which are allowed.
 * @param {string[]} ids
 */
const haveNumbers = (...ids) => ids.every(id => !Number.isNaN(number(id)) || input(id).reportValidity());

/**
 * What Enter does in the fields of a dialog; a browser would press the first button.
 * @param {string} id
 * @param {() => void} work
 */
const onEnter = (id, work) =>
  $(id).addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    work();
  });
onEnter('new-dialog', () => $('begin').click());
onEnter('settings-dialog', () => $('apply').click());
// The list narrows while one types.
onEnter('library-search', () => {});

onClick('new', openNew);
$('new-dialog').addEventListener('input', drawNew);
onClick('begin', async () => {
  const side = chosen('side') === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : chosen('side'),
    time = chosen('time');
  if (!haveNumbers('seconds', 'minutes', 'increment')) return;
  const [minutes, increment] =
    time === 'own' ? [number('minutes'), number('increment')] : time.split('+').map(Number);
  const settings = {
    game: chosen('game'),
    fen: input('new-fen').value || null,
    engine: [side === 'black' || side === 'engine', side === 'white' || side === 'engine'],
    level: Number(input('new-level').value),
    seconds: number('seconds') ?? game.status?.settings.seconds,
    clock: time ? { minutes, increment } : null,
  };
  if (!(await ask('new', settings, 'new-error'))) return;
  dialog('new-dialog').close();
  showBoard();
});

// ---- Set up ----

onClick('edit', () => {
  if (game.game && game.current) editor.open(game.game, game.current.position.fen, board.flipped);
});
/** @param {[boolean, boolean]} engine */
async function playFrom(engine) {
  if (!game.status) return;
  const settings = { ...game.status.settings, fen: editor.fen, engine, clock: null };
  if (!(await ask('new', settings, 'edit-error'))) return;
  dialog('edit-dialog').close();
  showBoard();
}
onClick('edit-analyse', () => playFrom([false, false]));
onClick('edit-play', () => playFrom(board.flipped ? [true, false] : [false, true]));

// ---- Comments ----

/** The position that is commented on. */ let commented = 0;
onClick('comment', () => {
  const { current } = game;
  if (!current) return;
  commented = current.id;
  $('comment-title').textContent = current.move
    ? `Comment on ${current.number} ${current.move.san}`
    : 'Comment on the game';
  input('comment-text').value = current.comment;
  complain('', 'comment-error');
  dialog('comment-dialog').showModal();
});
onClick('comment-save', async () => {
  const text = input('comment-text').value.trim();
  if (await ask('comment', { node: commented, text }, 'comment-error')) dialog('comment-dialog').close();
});

// ---- Load and save ----

onClick('share', async () => {
  input('fen').value = game.current?.position.fen ?? '';
  complain('', 'load-error');
  const result = await ask('pgn');
  if (!result) return;
  input('pgn').value = result.answer;
  $('link-field').hidden = !HOME;
  if (HOME) await drawLink();
  dialog('share-dialog').showModal();
});
/** The link of the game up to the position that is shown, or of the position alone. */
async function drawLink() {
  const link = await send('link', { node: game.shown, position: chosen('linked') === 'position' });
  input('link').value = `${HOME}#${link}`;
}
for (const radio of document.getElementsByName('linked')) radio.addEventListener('change', drawLink);
/** Copies what is in a field. @param {string} source @param {string} place where it is said */
async function copy(source, place) {
  input(source).select();
  try {
    await navigator.clipboard.writeText(input(source).value);
    complain('Copied.', place);
  } catch {
    complain('Press Ctrl+C to copy.', place);
  }
}
/** @param {string} id @param {string} source */
const onCopy = (id, source) => onClick(id, () => copy(source, 'load-error'));
onCopy('copy-fen', 'fen');
onCopy('copy-pgn', 'pgn');
onCopy('copy-link', 'link');
onClick('download', () => savePgn(`${game.game?.name}.pgn`, input('pgn').value));
/** The position that is shown as SVG, with the arrows that it has, for a page like this one. @returns {Promise<string>} */
function picture() {
  const arrows = [...(board.extras.arrows ?? []), ...board.drawn].map(({ from, to }) => [from, to]);
  return send('picture', { node: game.shown, flipped: board.flipped, dark: isDark(), arrows });
}
onClick('copy-picture', async () => {
  const copied = await copyPicture(picture());
  complain(copied ? 'Copied.' : 'The browser does not copy pictures. It can be saved instead.', 'load-error');
});
onClick('save-picture', async () => {
  saveFile(`${game.game?.name ?? 'position'}.svg`, 'image/svg+xml', await picture());
});
/** @param {string} text @param {string} place @param {string | null} [kind] of games that do not say it */
async function load(text, place, kind = null) {
  const result = await ask('load', { text, kind }, place);
  if (!result) return;
  const { which, added, left_out } = result.answer ?? {};
  if (which) {
    const chosen = await library.chooseKind(which);
    if (chosen) load(text, place, chosen);
    return;
  }
  input('load-text').value = '';
  dialog('share-dialog').close();
  if (added) library.open(added, left_out);
  else showBoard();
}
onClick('load', () => load(input('load-text').value, 'load-error'));
$('file').addEventListener('change', async () => {
  const file = input('file').files?.[0];
  if (file) load(await textOf(file), 'load-error');
  input('file').value = '';
});
document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', async event => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0],
    text = file ? await textOf(file) : event.dataTransfer?.getData('text');
  if (text && game.isOwner) load(text, 'notice');
});

// ---- Links for others ----

/** @type {Links} */ let links = { origins: [], paths: [] };
/** What each link is for. */
const LINKS = /** @type {Record<string, string>} */ ({
  white: 'White',
  black: 'Black',
  spectator: 'Spectators',
});

/** Others are invited only where they can come. */
async function drawInvite() {
  links = await get('links');
  $('invite').hidden = links.origins.length === 0;
}

function drawLinks() {
  const origin = input('origin').value;
  for (const [role, path] of links.paths) input(`link-${role}`).value = origin + path;
}

for (const [role, name] of Object.entries(LINKS)) {
  const label = element('label', 'field wide', `${name} `),
    line = element('span', 'copy');
  const field = element('input'),
    button = element('button', '', 'Copy');
  field.id = `link-${role}`;
  field.readOnly = true;
  button.type = 'button';
  button.id = `copy-${role}`;
  button.setAttribute('aria-label', `Copy the link for ${name}`);
  button.addEventListener('click', () => copy(field.id, 'invite-said'));
  line.append(field, button);
  label.append(line);
  $('links').append(label);
}
onClick('invite', async () => {
  await drawInvite();
  // The address at which the owner is works for others too, unless it is this computer's own.
  const here = /^(localhost|127\.|\[::1\])/.test(location.hostname) ? [] : [location.origin];
  const origins = new Set([...here, ...links.origins]);
  $('origin').replaceChildren(...[...origins].map(origin => new Option(origin, origin)));
  complain('', 'invite-said');
  drawLinks();
  dialog('invite-dialog').showModal();
});
$('origin').addEventListener('change', drawLinks);

// ---- The library ----

onClick('library', () => library.open());

/** Does the address name a game or a position? */
function isLink() {
  return /^#[a-z0-9]+\//.test(location.hash);
}

/** Opens what the address names: a kind of game, a game of the library, or what somebody has sent. */
async function openAddress() {
  const query = new URLSearchParams(location.search),
    kind = query.get('game'),
    id = query.get('play'),
    link = isLink() ? location.hash.slice(1) : null;
  if (kind === null && id === null && link === null) return;
  // It is done once, and not again when the page is loaded again.
  history.replaceState(null, '', location.pathname);
  if (link !== null) {
    // Whoever has to answer sits below.
    if (await ask('follow', { link })) board.flip(game.live?.position.side === 'black');
    render();
  } else await (id === null ? ask('continue', { game: kind }) : ask('open', { id }));
}
addEventListener('hashchange', openAddress);
openAddress();

// ---- Engine settings, rules ----

onClick('settings', () => {
  if (!game.status) return;
  const { limits, engine } = game.status;
  const { threads, hash, lines } = engine;
  for (const [id, value, most] of /** @type {[string, number, number][]} */ ([
    ['threads', threads, limits.threads],
    ['hash', hash, limits.hash],
    ['line-count', lines, limits.lines],
  ])) {
    input(id).value = String(value);
    input(id).max = String(most);
  }
  input('use-book').checked = engine.book;
  complain('', 'settings-error');
  dialog('settings-dialog').showModal();
});
onClick('apply', async () => {
  if (!haveNumbers('threads', 'hash', 'line-count')) return;
  const values = {
    threads: number('threads'),
    hash: number('hash'),
    lines: number('line-count'),
    book: input('use-book').checked,
  };
  if (await ask('engine', values, 'settings-error')) dialog('settings-dialog').close();
});
onClick('rules', async () => {
  const view = game.game,
    result = await ask('rules', { game: view?.name });
  if (!result || !view) return;
  $('rules-title').textContent = view.title;
  drawRules($('rules-text'), view, result.answer, 'h3');
  dialog('rules-dialog').showModal();
  $('rules-text').scrollTop = 0;
});

// A press beside a dialog closes it.
for (const box of document.querySelectorAll('dialog')) {
  box.addEventListener('pointerdown', event => {
    // It may ask first.
    if (event.target === box && box.dispatchEvent(new Event('cancel', { cancelable: true }))) box.close();
  });
}

// ---- Start ----

document.body.dataset.loaded = 'true';

// For tests.
Object.assign(window, {
  quintain: {
    game,
    board,
    get legal() {
      return legal;
    },
  },
});
