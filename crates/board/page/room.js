// The worker with the room. It carries messages between the program, the page, the store and the workers that think.

import { Instance, hasSimd, sharedMemory } from './instance.js';
import { Store, Taken } from './store.js';
import { compile, unzip } from './wasm.js';

/** After so many faults without an answer in between, the room stays closed. */
const MOST_FAULTS = 3;

/** What was fetched and is kept, by its name. @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** Fetches something once; what could not be fetched, again. @template T @param {string} name @param {(name: string) => Promise<T>} get */
function once(name, get) {
  const known = fetched.get(name);
  if (known) return /** @type {Promise<T>} */ (known);
  const found = get(name);
  fetched.set(name, found);
  found.catch(() => fetched.delete(name));
  return found;
}

/** The module that has a game, or that with all games, `all`. Without a network, that may be the only one that is here.
 * @param {string} name @returns {Promise<WebAssembly.Module>} */
const load = name =>
  once(`modules/${name}${hasSimd() ? '' : '-plain'}`, compile).catch(error => {
    if (name === ALL) throw error;
    return load(ALL);
  });
const ALL = 'all';

/** Endgame tables, when they have been of use. @type {Uint8Array | null} */ let tables = null;

/** What workers that think are given: a module, memory that they share if it is for several threads, and files.
 * @typedef {{ module: WebAssembly.Module, memory?: WebAssembly.Memory, network: Uint8Array, tables: Uint8Array | null }} Program */

/** A worker that thinks, and others that lend it their threads; they are started when they are needed. */
class Thinker {
  constructor() {
    /** The first one thinks. @type {Worker[]} */ this.workers = [];
    /** What they were made from. @type {unknown[]} */ this.given = [];
    this.number = 0;
    /** Where pages share memory: the number of the last search that was stopped. */
    this.stopped = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** @param {{ number: number, network: string, threads?: number }} order */
  async think(order) {
    this.number = order.number;
    const { threads = 1 } = order;
    const [module, several, network] = await Promise.all([
      load(name),
      // One thread is better than none.
      threads > 1 ? once(`modules/${ALL}-threads`, compile).catch(() => null) : null,
      once(`networks/${order.network}.bin.gz`, unzip),
    ]);
    // It was stopped before it could begin.
    if (this.number !== order.number) return;
    const given = [several ?? module, network, tables, threads];
    if (given.some((part, at) => part !== this.given[at])) {
      this.end();
      this.given = given;
      if (!several || !this.begin({ module: several, network, tables }, threads)) {
        this.start({ begin: { module, network, tables }, stopped: this.stopped });
      }
    }
    this.workers[0].postMessage({ order });
  }

  /** Starts workers for several threads, if there is memory for them. @param {Program} program @param {number} threads */
  begin(program, threads) {
    try {
      program.memory = sharedMemory();
    } catch {
      return false;
    }
    this.start({ begin: program, stopped: this.stopped });
    for (let others = threads - 1; others > 0; others--)
      this.start({ lend: { module: program.module, memory: program.memory } });
    return true;
  }

  /** Starts a worker, and tells it what to do. @param {unknown} message */
  start(message) {
    const worker = new Worker(new URL('thinker.js', import.meta.url), { type: 'module', name: 'thinker' });
    this.workers.push(worker);
    worker.postMessage(message);
    worker.addEventListener('message', ({ data }) => {
      if (this.workers.includes(worker)) tell({ tell: 'report', report: data });
    });
    worker.addEventListener('error', event => {
      event.preventDefault();
      if (!this.workers.includes(worker)) return;
      this.end();
      // What has failed is over.
      tell({ tell: 'report', report: { report: 'done', number: this.number, best: null, score: 0 } });
      tell({ tell: 'report', report: { report: 'annotated', number: this.number, summary: null } });
    });
  }

  stop() {
    if (!this.number) return;
    if (this.stopped) Atomics.store(this.stopped, 0, this.number);
    else this.end();
    this.number = 0;
  }

  end() {
    this.workers.forEach(worker => worker.terminate());
    this.workers = [];
    this.given = [];
    // Another room counts its searches anew.
    if (this.stopped) Atomics.store(this.stopped, 0, 0);
  }
}

const [searcher, annotator] = [new Thinker(), new Thinker()];
const store = new Store(() => sleep());
/** @type {Instance | null} */ let program = null;
/** The name of its module. */ let name = '';
/** The game that the page is for, if its address says that. @type {string | null} */ let wanted = null;
/** The module that a message needs, if the program has not got its game, and what else the room there is to know.
 * @type {{ module: string, deleted: unknown[] } | null} */
let elsewhere = null;
/** The games that were deleted last in the room before. @type {unknown[]} */ let deleted = [];
/** What is said while another module takes over. @type {any[] | null} */ let late = null;
/** The last command with the settings of the engine. @type {any} */ let settings = null;
/** Are positions analysed? */ let analyses = false;
let [opened, asleep, faults, timer, rooms] = [false, false, 0, 0, 0];
/** More positions than a room will ever have. */
const ROOM = 1_000_000;
/** The questions to which the program has not answered yet. @type {Set<number>} */
const asked = new Set();

/** @param {string} state @param {string} [text] */
const state = (state, text = '') => postMessage({ state: [state, text] });

/** Does it show a game? @param {any} said */
const isGame = said => said.event?.[0] === 'game';

/** What the program says. @param {string} text */
function hear(text) {
  const said = JSON.parse(text);
  if (said.answer) {
    asked.delete(said.answer[0]);
    faults = 0;
  }
  if (said.answer || said.event) {
    if (late) late.push(said);
    else postMessage(said);
    if (listening && isGame(said)) store.keepGame(said.event[1].game.name).catch(() => {});
  } else if (said.elsewhere) elsewhere = said.elsewhere;
  else if (said.order) obey(said.order);
  else if (said === 'tables') learn().catch(() => {});
  else if ('wait' in said) {
    clearTimeout(timer);
    if (said.wait !== null) timer = setTimeout(() => tell({ tell: 'time' }), said.wait);
  } else keep(said);
}

/** @param {Error} error */
const missing = error => state('broken', `The engine cannot be loaded: ${error.message}. Load the page again.`);

/** @param {any} order */
function obey(order) {
  if (order.order === 'search') searcher.think(order).catch(missing);
  else if (order.order === 'annotate') annotator.think(order).catch(missing);
  else if (order.order === 'stop') searcher.stop();
  else annotator.stop();
}

/** Keeps what changes. @param {Record<string, any>} change */
async function keep(change) {
  try {
    await store.keep(change);
    tell({ tell: 'stored', failed: null });
  } catch (error) {
    if (!(error instanceof Taken)) tell({ tell: 'stored', failed: store.why(error) });
  }
}

/** Tells the program something, if the room is open. @param {Record<string, unknown>} message */
function tell(message) {
  if (opened) call(message);
}

/** @param {Record<string, unknown>} message */
function call(message) {
  try {
    program?.call('room', JSON.stringify(message));
  } catch (error) {
    console.error(error);
    // The program cannot go on after a fault. Another one takes the games up as they were kept last.
    const was = opened;
    close();
    program = null;
    for (const number of asked) {
      const reason = 'something went wrong in the program; the game stands as it was last saved';
      postMessage({ answer: [number, { Err: reason }] });
    }
    asked.clear();
    faults++;
    if (was && faults <= MOST_FAULTS) queue = queue.then(open);
    else if (was) state('broken', 'Something goes wrong in the program again and again. The games are kept.');
  }
}

function close() {
  opened = false;
  clearTimeout(timer);
  searcher.end();
  annotator.end();
}

/** Another page has the games now. */
function sleep() {
  close();
  program = null;
  name = '';
  asleep = true;
  state('asleep', 'The games are open in another tab. Click here to go on in this one.');
}

async function ready() {
  if (program) return;
  if (!name) {
    const { games } = await once('catalog.json', async file => (await fetch(new URL(file, import.meta.url))).json());
    const asked = [wanted, await store.game().catch(() => null)];
    name = asked.find(asked => games.some((/** @type {any} */ game) => game.name === asked)) ?? games[0].name;
    wanted = null;
  }
  program = await Instance.make(await load(name), hear);
}

/** Goes on with the module that has the game of a message, and repeats that. @param {any} message */
async function move(message) {
  const was = opened;
  late = [];
  try {
    close();
    program = null;
    if (elsewhere) [name, deleted] = [elsewhere.module, elsewhere.deleted];
    elsewhere = null;
    await (was ? open() : ready());
    if (settings) call(settings);
    call(message);
    const shown = late.findLast(isGame);
    if (analyses && shown) {
      call({ tell: 'command', number: 0, command: { command: 'analyse', node: shown.event[1].status.live } });
    }
  } finally {
    // Of the games that are shown meanwhile, the last one counts.
    const last = late.findLastIndex(isGame);
    const counts = (/** @type {any} */ said, /** @type {number} */ at) =>
      !said.event || said.event[0] === 'seat' || at >= last;
    late.filter(counts).forEach(said => postMessage(said));
    late = null;
  }
}

/** The program that has the endgame tables. @type {Instance | null} */ let learned = null;

/** Gives the program the endgame tables. */
async function learn() {
  tables = await once('tables.gz', unzip);
  if (learned === program) return;
  learned = program;
  program?.call('tables', tables);
}

async function open() {
  state('loading');
  await ready();
  let failed = null;
  const kept = await store.open().catch(error => {
    failed = store.why(error);
    return { texts: [], preferences: '' };
  });
  [opened, asleep] = [true, false];
  // The page knows positions of the room before.
  call({ tell: 'open', ...kept, first: rooms++ * ROOM, deleted });
  deleted = [];
  if (failed) tell({ tell: 'stored', failed });
  if (opened) state('open');
}

/** Does the page show the game? */ let listening = false;
/** What is done one after the other, because it takes a while. */
let queue = Promise.resolve();
addEventListener('message', ({ data }) => {
  queue = queue
    .then(async () => {
      if (data.tell === 'begin') wanted = data.game;
      else if (data.tell === 'listen') {
        listening = true;
        await open();
      } else if (data.tell === 'command' && listening && asleep) {
        // What a page does must not take the games before it has seen how they stand.
        postMessage({ answer: [data.number, { Err: 'this tab sleeps' }] });
      } else {
        // The page of puzzles asks the room without listening to it.
        await (data.tell === 'command' && !opened ? open() : ready());
        if (data.path?.startsWith('ending')) await learn();
        if (data.command?.command === 'engine') settings = data;
        if (data.command?.command === 'analyse') analyses = data.command.node !== null;
        asked.add(data.number);
        call(data);
        if (elsewhere) await move(data);
      }
    })
    .catch(error => state('broken', `The program cannot start: ${error.message}.`));
});
