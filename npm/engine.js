// The engine, as programs for chess talk to it: lines of UCI in, lines out. It works in a worker, or in several that share
// its memory.

import { compile, compileForThreads, inNode } from './files.js';
import { sharedMemory, threads } from './instance.js';

/** Can memory be shared with the worker, so that it can be told to stop? Pages need two headers for that. */
const SHARES = typeof SharedArrayBuffer === 'function' && (inNode || globalThis.crossOriginIsolated);

/**
 * A line that is worked on and can be stopped, and its number; `waits`: its answer is only given after it was stopped.
 * @typedef {{ line: string, number: number, waits: boolean }} Task
 */

/** The option that words of UCI set. @param {string[]} words `setoption name NAME value VALUE`, or without a value */
function parseOption(words) {
  const at = words.indexOf('value');
  const end = at < 0 ? words.length : at;
  return { name: words.slice(2, end).join(' ').toLowerCase(), value: words.slice(end + 1).join(' ') };
}

export class Engine {
  #listener;
  #module;
  #Worker;
  /** The one that obeys. @type {any} */ #worker = null;
  /** Those that lend it their threads. @type {any[]} */ #lenders = [];
  /** How many threads it has, and how many it is to have. */
  #threads = 1;
  #wanted = 1;
  /** The messages so far are posted. */ #posted = Promise.resolve();
  /** The numbers of the lines to stop and to go on with after a ponder hit. @type {Int32Array | null} */
  #signals = null;
  /** How many lines the worker was sent, and how many it has obeyed. */
  #sent = 0;
  #obeyed = 0;
  /** @type {Task | null} */ #task = null;
  /** The answer that waits. @type {string | null} */ #held = null;
  /** The best line of the search so far. @type {string[]} */ #best = [];
  /** What another worker has to be told: the options, and the position. @type {Map<string, string>} */
  #state = new Map();

  /**
   * Starts an engine.
   * @param {(line: string) => void} listener is called with each line that it says
   * @returns {Promise<Engine>}
   */
  static async start(listener) {
    const Worker = inNode ? (await import('node:worker_threads')).Worker : globalThis.Worker;
    return new Engine(listener, await compile(), Worker);
  }

  /**
   * Use {@link Engine.start}.
   * @param {(line: string) => void} listener @param {WebAssembly.Module} module @param {any} Worker
   */
  constructor(listener, module, Worker) {
    this.#listener = listener;
    this.#module = module;
    this.#Worker = Worker;
    this.#begin();
  }

  /**
   * Says a line to the engine. As UCI has it, `stop` ends a search, and `quit` ends the engine; what changes the position or
   * the options ends a search too.
   * @param {string} line
   */
  send(line) {
    const words = line.trim().split(/\s+/);
    const [word] = words;
    if (word === 'quit') return this.quit();
    if (!this.#worker || !word) return;
    const option = word === 'setoption' ? parseOption(words) : null;
    // Another number of threads needs other workers.
    if (option?.name === 'threads' && /^[1-9]\d*$/.test(option.value)) {
      this.#wanted = Math.min(Number(option.value), threads());
    }
    if (this.#task) {
      if (word === 'isready') return this.#listener('readyok');
      if (word === 'ponderhit') return this.#ponderHit(this.#task);
      this.#stop(this.#task);
    }
    if (word === 'stop') return;
    if (word === 'position') this.#state.set(word, line);
    if (option) this.#remember(option.name, line);
    // The workers are told what is remembered.
    if (this.#wanted !== this.#threads) return this.#restart();
    this.#post(line);
    if (['go', 'perft', 'bench'].includes(word)) this.#begun(line);
  }

  /** Ends the engine. */
  quit() {
    this.#end();
    this.#task = this.#held = null;
  }

  #end() {
    for (const worker of [this.#worker, ...this.#lenders]) worker?.terminate();
    this.#worker = null;
    this.#lenders = [];
  }

  #begin() {
    this.#signals = SHARES ? new Int32Array(new SharedArrayBuffer(8)) : null;
    this.#sent = this.#obeyed = 0;
    this.#threads = this.#wanted;
    const worker = this.#start();
    this.#worker = worker;
    this.#posted = this.#give(worker);
    for (const line of this.#state.values()) this.#post(line, true);
  }

  #start() {
    const worker = new this.#Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    const receive = (/** @type {any} */ message) => {
      if (worker === this.#worker || this.#lenders.includes(worker)) this.#receive(message);
    };
    if (inNode) worker.on('message', receive);
    else worker.addEventListener('message', (/** @type {MessageEvent} */ event) => receive(event.data));
    return worker;
  }

  /** Gives a worker its module, and as many others as there are to be threads. @param {any} worker */
  async #give(worker) {
    const signals = this.#signals;
    if (this.#threads > 1) {
      try {
        const [module, memory] = [await compileForThreads(), sharedMemory()];
        if (worker !== this.#worker) return;
        worker.postMessage({ module, memory, signals });
        this.#lenders = Array.from({ length: this.#threads - 1 }, () => this.#start());
        for (const lender of this.#lenders) lender.postMessage({ module, memory, lends: true });
        return;
      } catch (error) {
        // One thread is better than none.
        this.#listener(`info string error: Threads: ${/** @type {Error} */ (error).message}`);
      }
    }
    worker.postMessage({ module: this.#module, signals });
  }

  /** Ends the workers, whatever they do, and starts others, which know the same but for the table. */
  #restart() {
    this.#end();
    this.#begin();
  }

  #post(/** @type {string} */ line, silent = false) {
    this.#sent += 1;
    const worker = this.#worker;
    this.#posted = this.#posted.then(() => worker.postMessage({ line, silent }));
  }

  /** A line was sent that can be stopped. */
  #begun(/** @type {string} */ line) {
    this.#task = { line, number: this.#sent, waits: /^\s*go\b.*\b(infinite|ponder)\b/.test(line) };
    this.#best = [];
  }

  /** Keeps the line that sets an option for another worker. */
  #remember(/** @type {string} */ name, /** @type {string} */ line) {
    // Another game begins at its start.
    if (name === 'uci_variant') this.#state.delete('position');
    this.#state.delete(name);
    const position = this.#state.get('position');
    this.#state.set(name, line);
    if (position !== undefined) {
      // The position comes last.
      this.#state.delete('position');
      this.#state.set('position', position);
    }
  }

  #receive(/** @type {string | number | { fault: string }} */ message) {
    if (typeof message === 'number') {
      this.#obeyed = message;
      if (this.#task?.number === message && this.#held === null) this.#task = null;
    } else if (typeof message === 'object') {
      this.#listener(`info string error: ${message.fault}`);
      this.#abandon(this.#task);
    } else {
      const current = this.#task?.number === this.#obeyed + 1 ? this.#task : null;
      const words = message.split(' ');
      if (words[0] === 'info' && words.includes('pv') && !/ multipv ([2-9]|\d\d)/.test(message))
        this.#best = words.slice(words.indexOf('pv') + 1);
      if (words[0] === 'bestmove' && current?.waits) {
        this.#held = message;
        return;
      }
      if (words[0] === 'bestmove' && current) this.#task = null;
      this.#listener(message);
    }
  }

  #stop(/** @type {Task} */ task) {
    this.#task = null;
    if (this.#release() || this.#obeyed >= task.number) return;
    // With another number of threads these workers end, so that they cannot answer.
    if (this.#signals && this.#wanted === this.#threads) Atomics.store(this.#signals, 0, task.number);
    else this.#abandon(task);
  }

  #ponderHit(/** @type {Task} */ task) {
    if (!/\bponder\b/.test(task.line)) return;
    task.waits = false;
    if (this.#release()) {
      this.#task = null;
    } else if (this.#signals) {
      Atomics.store(this.#signals, 1, task.number);
    } else {
      const line = task.line.replace(/\bponder\b/, '');
      this.#restart();
      this.#post(line);
      this.#begun(line);
    }
  }

  /** Gives the answer that waits, if there is one. */
  #release() {
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.#listener(held);
    return held !== null;
  }

  /** Answers for a search with what it has found, and leaves its worker. */
  #abandon(/** @type {Task | null} */ task) {
    this.#task = null;
    this.#restart();
    if (!task) return;
    if (!/^\s*go\b(?!\s+perft)/.test(task.line)) return this.#listener('Stopped');
    const [best, ponder] = this.#best;
    // It has found nothing yet, so that this is soon done.
    if (!best) this.#post('go depth 1');
    else this.#listener(`bestmove ${best}${ponder ? ` ponder ${ponder}` : ''}`);
  }
}
