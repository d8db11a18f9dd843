// The worker with the room. It carries messages between the program, the page, the store and the workers that think.

import { Store, Taken } from './store.js';
import { compile, start, unzip } from './wasm.js';

/** After so many faults without an answer in between, the room stays closed. */
const MOST_FAULTS = 3;

/** A worker that thinks; it is started when it is needed. */
class Thinker {
  constructor() {
    /** @type {Worker | null} */ this.worker = null;
    this.number = 0;
    /** Where pages share memory: the number of the last search that was stopped. */
    this.stopped = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** @param {{ number: number }} order */
  async think(order) {
    this.number = order.number;
    const program = await module;
    // It was stopped before it could begin.
    if (this.number !== order.number) return;
    if (!this.worker) {
      this.worker = new Worker(new URL('thinker.js', import.meta.url), { type: 'module', name: 'thinker' });
      this.worker.postMessage({ program, stopped: this.stopped });
      const worker = this.worker;
      worker.addEventListener('message', ({ data }) => {
        if (this.worker === worker) tell({ tell: 'report', report: data });
      });
      worker.addEventListener('error', event => {
        event.preventDefault();
        if (this.worker !== worker) return;
        this.end();
        // What has failed is over.
        tell({ tell: 'report', report: { report: 'done', number: this.number, best: null, score: 0 } });
        tell({ tell: 'report', report: { report: 'annotated', number: this.number, summary: null } });
      });
    }
    this.worker.postMessage({ order });
  }

  stop() {
    if (!this.number) return;
    if (this.stopped) Atomics.store(this.stopped, 0, this.number);
    else this.end();
    this.number = 0;
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }
}

const module = compile();
module.catch(() => {});
const [searcher, annotator] = [new Thinker(), new Thinker()];
const store = new Store(() => sleep());
/** @type {Awaited<ReturnType<typeof start>> | null} */ let program = null;
let [opened, faults, timer] = [false, 0, 0];
/** The questions to which the program has not answered yet. @type {Set<number>} */
const asked = new Set();

/** @param {string} state @param {string} [text] */
const state = (state, text = '') => postMessage({ state: [state, text] });

/** What the program says. @param {string} text */
function hear(text) {
  const said = JSON.parse(text);
  if (said.answer) {
    asked.delete(said.answer[0]);
    faults = 0;
  }
  if (said.answer || said.event) postMessage(said);
  else if (said.order) obey(said.order);
  else if ('wait' in said) {
    clearTimeout(timer);
    if (said.wait !== null) timer = setTimeout(() => tell({ tell: 'time' }), said.wait);
  } else keep(said);
}

/** @param {{ order: string, number: number }} order */
function obey(order) {
  if (order.order === 'search') searcher.think(order);
  else if (order.order === 'annotate') annotator.think(order);
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
    program?.('room', JSON.stringify(message));
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
  state('asleep', 'The games are open in another tab. Click here to go on in this one.');
}

async function ready() {
  program ??= await start(await module, hear);
}

/** The program that has the endgame tables. @type {Awaited<ReturnType<typeof start>> | null} */ let learned = null;

/** Gives the program its endgame tables, where they are wanted. */
async function learn() {
  if (learned === program) return;
  program?.('tables', await unzip('tables.gz'));
  learned = program;
}

async function open() {
  state('loading');
  await ready();
  let failed = null;
  const kept = await store.open().catch(error => {
    failed = store.why(error);
    return { texts: [], preferences: '' };
  });
  opened = true;
  call({ tell: 'open', ...kept });
  if (failed) tell({ tell: 'stored', failed });
  if (opened) state('open');
}

/** What is done one after the other, because it takes a while. */
let queue = Promise.resolve();
addEventListener('message', ({ data }) => {
  queue = queue
    .then(async () => {
      if (data.tell === 'listen') await open();
      else {
        // The page of puzzles asks the room without listening to it.
        await (data.tell === 'command' && !opened ? open() : ready());
        if (data.path?.startsWith('ending')) await learn();
        asked.add(data.number);
        call(data);
      }
    })
    .catch(error => state('broken', `The program cannot start: ${error.message}.`));
});
