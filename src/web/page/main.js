// The page around the board: tells what the table says, and asks for what is clicked.
import { Board, nameOf } from './board.js';

const $ = id => document.getElementById(id);
const GAMES = ['canyon', 'superchess', 'superchessfixed', 'diamond', 'grandcavalier', 'gast', 'gast14', 'chess', 'grand'];
const LEVELS = { 0: 'beginner', 4: 'novice', 8: 'casual', 12: 'club', 16: 'expert', 20: 'master' };
let state = null, viewed = null, side = null;

async function ask(command, complain = text => { $('notice').textContent = text; }) {
  try {
    const answer = await fetch('do', { method: 'POST', body: JSON.stringify(command) });
    const text = await answer.text();
    if (answer.ok) { complain(''); return text; }
    complain(text);
  } catch { complain('The program does not answer. Start quintain board again.'); }
  return null;
}

const board = new Board($('board'), mv => ask({ do: 'play', text: mv.text, ply: state.played.length }));
const plies = () => [state.start, ...state.played];
const players = text => [...text].map(letter => letter === 'e');
const code = engine => engine.map(on => (on ? 'e' : 'f')).join('');
const engineMoves = () => state.new.engine[state.side === 'white' ? 0 : 1];

function fill(select, entries) { select.replaceChildren(...entries.map(([value, text]) => new Option(text, value))); }
fill($('game'), GAMES.map(name => [name, name]));
for (const id of ['level', 'newlevel']) {
  fill($(id), Array.from({ length: 21 }, (_, level) => [level, `${level}${LEVELS[level] ? ` (${LEVELS[level]})` : ''}`]));
}

function score(line) {
  if (line.mate !== null) return `mate in ${Math.abs(line.mate)} for ${line.mate > 0 ? 'White' : 'Black'}`;
  return (line.score > 0 ? '+' : '') + (line.score / 100).toFixed(2);
}

function clockText(index) {
  if (!state.clock) return '';
  const turn = state.side === (index ? 'black' : 'white');
  const left = Math.max(0, state.clock[index] - (state.running && turn ? performance.now() - state.heard : 0));
  const seconds = Math.ceil(left / 1000);
  return ` ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function names() {
  const text = index => `${index ? 'Black' : 'White'}: ${state.new.engine[index] ? `engine, level ${state.new.level}` : 'person'}${clockText(index)}`;
  $('far').textContent = text(board.flipped ? 0 : 1);
  $('near').textContent = text(board.flipped ? 1 : 0);
}
setInterval(() => { if (state?.running) names(); }, 200);

function render() {
  const all = plies(), at = viewed ?? all.length - 1, live = at === all.length - 1;
  const ply = all[at];
  ply.index = at;
  const hint = live && (state.moves.find(mv => mv.text === state.hint) ?? state.lines[0]?.best);
  board.show(state.game, ply, live && !engineMoves() ? state.moves : [], hint);
  document.title = `${state.game.title} – Quintain`;
  $('title').textContent = state.game.title;
  $('summary').textContent = state.game.summary;
  names();
  const mover = state.side === 'white' ? 'White' : 'Black';
  const last = ply.mv ? `${ply.mv.san}. ` : '';
  $('status').textContent = !live ? `${last}Position after ${at} plies; the last is ${all.length - 1}.`
    : state.end ? `${last}${state.end.text}, ${state.end.score}.`
    : `${last}${mover} ${state.thinking && engineMoves() ? 'thinks' : 'to move'}${ply.check ? `, in check (${ply.checkers.join(', ')})` : ''}.${state.remark ? ` ${state.remark}.` : ''}`;
  if (state.notice) $('notice').textContent = state.notice;
  const over = state.end !== null, mine = !over && !engineMoves();
  $('back').disabled = !state.played.length;
  $('hint').disabled = $('draw').disabled = !mine;
  $('resign').disabled = over || state.new.engine.every(Boolean);
  $('now').disabled = over || !engineMoves() || !state.thinking;
  $('pause').disabled = over || (!engineMoves() && !state.paused && !state.new.engine.every(Boolean));
  $('pause').textContent = state.paused ? 'Go on' : 'Pause';
  $('rematch').disabled = !over;
  $('level').value = String(state.new.level);
  $('players').value = code(state.new.engine);
  $('analyse').checked = state.analysis;
  $('lines').replaceChildren(...(live ? state.lines : []).map(line => {
    const item = document.createElement('li');
    item.textContent = `${score(line)}, depth ${line.depth}, ${Math.round(line.speed / 1000)} knodes/s: ${line.san.join(' ')}`;
    return item;
  }));
  const first = Number(state.start.fen.split(' ')[5]) || 1, black = state.start.fen.split(' ')[1] === 'b' ? 1 : 0;
  const cells = [];
  const number = n => { const cell = document.createElement('span'); cell.textContent = n; cells.push(cell); };
  if (black && state.played.length) { number(`${first}.`); number('…'); }
  state.played.forEach((played, index) => {
    if ((index + black) % 2 === 0) number(`${first + (index + black) / 2}.`);
    const cell = document.createElement('button');
    cell.textContent = played.mv.san;
    if (index + 1 === at) { cell.className = 'on'; cell.setAttribute('aria-current', 'true'); }
    cell.addEventListener('click', () => go(index + 1));
    cells.push(cell);
  });
  $('moves').replaceChildren(...cells);
  const on = $('moves').querySelector('.on');
  if (on) $('moves').scrollTop = on.offsetTop - $('moves').offsetTop - 60;
  $('pieces').replaceChildren(...state.game.pieces.map(piece => {
    const item = document.createElement('li'), icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    icon.setAttribute('viewBox', '0 0 1 1');
    board.figure(icon, piece.letter.toUpperCase(), 0, 0);
    item.append(icon, `${piece.letter.toUpperCase()}, ${piece.name}: ${piece.moves}`);
    return item;
  }));
}

function go(at) {
  const end = state.played.length;
  viewed = at >= end ? null : Math.max(0, at);
  render();
}

const stream = new EventSource('events');
stream.onmessage = event => {
  const before = state;
  state = JSON.parse(event.data);
  state.heard = performance.now();
  const seat = `${state.game.name} ${code(state.new.engine)}`;
  if (seat !== side) { side = seat; board.flipped = code(state.new.engine) === 'ef'; board.cancel(); }
  // A position that is the same object keeps what was chosen on it.
  if (before && JSON.stringify(before.played) === JSON.stringify(state.played) && before.start.fen === state.start.fen) {
    state.played = before.played;
    state.start = before.start;
  } else { viewed = null; }
  if (!state.notice && before?.notice) $('notice').textContent = '';
  render();
};
stream.onopen = () => { $('notice').textContent = ''; };
stream.onerror = () => { $('notice').textContent = 'The program is gone. Start quintain board again; the game is kept.'; };

const click = (id, work) => $(id).addEventListener('click', work);
const command = (id, what) => click(id, () => ask(typeof what === 'function' ? what() : { do: what }));
command('back', 'take-back');
command('hint', 'hint');
command('draw', 'offer-draw');
command('now', 'move-now');
command('rematch', 'rematch');
command('pause', () => ({ do: 'pause', on: !state.paused }));
click('resign', () => { if (confirm('Give up this game?')) ask({ do: 'resign' }); });
click('flip', () => { board.flipped = !board.flipped; render(); });
click('first', () => go(0));
click('previous', () => go((viewed ?? state.played.length) - 1));
click('next', () => go((viewed ?? state.played.length) + 1));
click('last', () => go(Infinity));
$('level').addEventListener('change', () => ask({ do: 'level', level: Number($('level').value) }));
$('players').addEventListener('change', () => ask({ do: 'players', engine: players($('players').value) }));
$('analyse').addEventListener('change', () => ask({ do: 'analyse', on: $('analyse').checked }));
click('new', () => {
  $('game').value = state.game.name;
  $('newplayers').value = code(state.new.engine);
  $('newlevel').value = String(state.new.level);
  $('newerror').textContent = '';
  $('newdialog').showModal();
});
click('begin', async () => {
  const [minutes, increment] = $('clock').value.split('+').map(Number);
  const done = await ask({ do: 'new', game: $('game').value, fen: $('newfen').value || null, engine: players($('newplayers').value),
    level: Number($('newlevel').value), seconds: Number($('seconds').value), clock: $('clock').value ? { minutes, increment } : null },
  text => { $('newerror').textContent = text; });
  if (done !== null) $('newdialog').close();
});
click('rules', async () => {
  const text = await ask({ do: 'rules', game: state.game.name });
  if (text !== null) { $('rulestext').textContent = text; $('rulesdialog').showModal(); }
});
const copy = text => navigator.clipboard.writeText(text).then(() => { $('notice').textContent = ''; }, () => { $('notice').textContent = text; });
click('fen', () => copy(plies()[viewed ?? state.played.length].fen));
click('pgn', async () => { const text = await ask({ do: 'pgn' }); if (text) copy(text); });
click('save', async () => {
  const text = await ask({ do: 'pgn' });
  if (!text) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = `${state.game.name}.pgn`;
  link.click();
  URL.revokeObjectURL(link.href);
});
click('open', () => { $('loaderror').textContent = ''; $('loaddialog').showModal(); });
click('load', async () => {
  const done = await ask({ do: 'load', text: $('loadtext').value }, text => { $('loaderror').textContent = text; });
  if (done !== null) $('loaddialog').close();
});
document.addEventListener('dragover', event => event.preventDefault());
document.addEventListener('drop', async event => {
  event.preventDefault();
  const file = event.dataTransfer.files[0];
  const text = file ? await file.text() : event.dataTransfer.getData('text');
  if (text) ask({ do: 'load', text });
});
document.addEventListener('keydown', event => {
  if (event.target.closest('input, select, textarea, dialog, .choice') || event.ctrlKey || event.metaKey || event.altKey || !state) return;
  const at = viewed ?? state.played.length;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
  if (event.key === 'f') { board.flipped = !board.flipped; render(); }
});
// For tests and the curious.
Object.assign(window, { quintain: { get state() { return state; }, nameOf } });
