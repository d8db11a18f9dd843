// What holds in Node and in a browser.

import { Engine, load } from 'quintain';

/** Can workers share memory, and is there more than one processor for them? */
const SHARES = globalThis.crossOriginIsolated !== false && (globalThis.navigator?.hardwareConcurrency ?? 2) > 1;

function equal(found, wanted, what) {
  const [a, b] = [found, wanted].map(value => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}: ${a}, not ${b}`);
}

function refusal(work) {
  try {
    work();
  } catch (error) {
    return error.message;
  }
  throw new Error(`not refused: ${work}`);
}

/** An engine whose lines can be waited for. */
export async function conversation() {
  const lines = [];
  /** @type {(() => void) | null} */ let wake = null;
  const engine = await Engine.start(line => {
    lines.push(line);
    wake?.();
  });
  /** Says lines, and returns those of the engine up to the first that begins like this. */
  const say = async (text, until) => {
    for (const line of text.split('\n')) engine.send(line);
    const said = [];
    for (;;) {
      while (lines.length) {
        said.push(lines.shift());
        if (said.at(-1).startsWith(until)) return said;
      }
      await new Promise(resolve => (wake = resolve));
    }
  };
  return { say, lines, quit: () => engine.quit() };
}

const wait = time => new Promise(resolve => setTimeout(resolve, time));

async function rules() {
  const quintain = await load();
  equal(quintain.games.length, 9, 'games');
  for (const { name, files, ranks, squares, names, start, pieces } of quintain.games) {
    const position = quintain.position(name);
    equal(position.fen, start, name);
    equal(names.length, squares.length, name);
    equal(names.length <= files * ranks, true, name);
    for (const piece of pieces) equal(quintain.drawing(piece.drawing).startsWith('<svg'), true, piece.name);
    const [first] = position.moves();
    equal(position.play(first.san).text, first.text, name);
    equal(position.san([]), [], name);
    equal([position.undo(), position.undo(), position.fen], [true, false, start], name);
    equal(position.svg().match(/<use/g).length >= Object.keys(position.pieces).length, true, name);
    equal(position.svg() === position.svg({ flipped: true }), false, name);
  }
  const canyon = quintain.position('canyon');
  equal(canyon.moves().length, 16, 'moves of Canyon Chess');
  equal(canyon.perft(3), 4995, 'perft');
  equal(canyon.play('d2b2').san, 'K-Nb2', 'an exchange');
  equal(
    refusal(() => canyon.play('a8a7')),
    'a8a7: there is no piece on a8',
    'an illegal move',
  );
  equal(canyon.played, ['d2b2'], 'after a refusal');
  equal(canyon.game.names.includes('b1'), false, 'a hole');
  equal(quintain.checkFen('gast', '12/12/12 w - - 0 1'), 'placement: 3 ranks instead of 12', 'a FEN');
  equal(quintain.checkFen('chess', quintain.game('chess').start), null, 'a FEN');
  equal(
    refusal(() => quintain.position('checkers')),
    "there is no game called 'checkers'",
    'a game',
  );
  const mate = quintain.position('chess', null, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  equal(mate.outcome, { reason: 'checkmate', result: '0-1', text: 'Black mates', winner: 'black' }, 'outcome');
  equal([mate.turn, mate.info().checkers, mate.pieces.e1], ['white', ['h4'], 'K'], 'position');
  const pgn = mate.pgn({ White: 'A "B"' });
  const [read] = quintain.readPgn(pgn);
  equal([read.game, read.result, read.moves.map(move => move.text)], ['chess', '0-1', mate.played], pgn);
  equal(new Map(read.tags).get('White'), 'A "B"', pgn);
  const [broken] = quintain.readPgn('[Variant "chess"]\n\n1. e4 e5 2. Ke3 *');
  equal([broken.moves.length, broken.faults.length], [2, 1], 'a PGN with an illegal move');
  const copy = mate.copy();
  copy.undo();
  equal([copy.played.length, mate.played.length], [3, 4], 'copy');
}

async function searches() {
  const { say, lines, quit } = await conversation();
  // A worker that goes on keeps Node waiting.
  try {
    await converse(say, lines);
  } finally {
    quit();
  }
}

async function converse(say, lines) {
  equal(
    (await say('uci', 'uciok')).some(line => line.startsWith('id name Quintain')),
    true,
    'uci',
  );
  await say('setoption name Hash value 16\nsetoption name UCI_Variant value canyon\nisready', 'readyok');
  const found = await say('position startpos moves b3b4\ngo nodes 20000', 'bestmove');
  equal(
    found.filter(line => line.includes('error')),
    [],
    'a search',
  );
  equal(/^info depth \d\d .* pv /.test(found.at(-2)), true, found.at(-2));
  for (const line of ['hello', 'position fen 8/8 w - - 0 1']) {
    equal((await say(line, 'info string error')).length, 1, line);
  }
  // An infinite search answers when it is stopped, and soon.
  await say('setoption name UCI_Variant value grand\nposition startpos\nisready', 'readyok');
  await say('go infinite', 'info depth 6 ');
  await say('isready', 'readyok');
  await wait(300);
  const begun = performance.now();
  await say('stop', 'bestmove');
  equal(performance.now() - begun < 1000, true, `stopped after ${performance.now() - begun} ms`);
  // So does one that has nothing more to find out, and not before.
  await say('position fen k9/10/10/10/10/10/10/10/1q8/K9 w - - 0 1\ngo infinite', 'info');
  await wait(200);
  equal(
    lines.filter(line => line.startsWith('bestmove')),
    [],
    'before stop',
  );
  await say('stop', 'bestmove');
  // A stop that comes at once is not lost, and the next search is not stopped.
  await say('position startpos\ngo infinite\nstop', 'bestmove');
  const depths = await say('go depth 5', 'bestmove');
  equal(
    depths.some(line => line.startsWith('info depth 5 ')),
    true,
    'the search after a stop',
  );
  // The options and the position are known after a stop, and another line ends a search as well.
  equal(
    (await say('d', 'Checkers')).some(line => line.startsWith('Fen: r8r/1nbqkcabn1/')),
    true,
    'the position',
  );
  await say('go infinite', 'info depth 5 ');
  await say('position startpos moves e3e4', 'bestmove');
  await say('go ponder wtime 1000 btime 1000', 'info depth 5 ');
  await say('ponderhit', 'bestmove');
  // Several threads search something else, where memory can be shared; and the engine goes on where it was.
  const nodes = {};
  for (const threads of [2, 1, 2]) {
    await say(
      `setoption name Threads value ${threads}\nucinewgame\nposition startpos moves e3e4\nisready`,
      'readyok',
    );
    equal(
      (await say('d', 'Checkers')).some(line => line.startsWith('Fen: r8r/1nbqkcabn1/pppppppppp/10/10/10/4P5/')),
      true,
      `the position with ${threads} threads`,
    );
    await wait(500);
    nodes[threads] = / nodes (\d+) /.exec((await say('go depth 9', 'bestmove')).at(-2))[1];
  }
  equal(nodes[1] !== nodes[2], SHARES, `nodes of one and two threads, ${JSON.stringify(nodes)}`);
  // Their number ends a search.
  await say('go infinite', 'info depth 5 ');
  await say('setoption name Threads value 1', 'bestmove');
  await say('isready', 'readyok');
  // What is no search can be stopped too.
  await say('position startpos\ngo perft 5', '');
  await say('stop', 'Stopped');
}

export default { rules, searches };
