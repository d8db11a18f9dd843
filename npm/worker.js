// The engine in a worker. Its messages are lines of UCI, numbers, which say how many lines it has obeyed, and faults, after
// which it is of no use. Further workers lend it their threads.

import { inNode, network } from './files.js';
import { GO_ON, Instance, PONDER_HIT, STOP } from './instance.js';

const port = inNode ? (await import('node:worker_threads')).parentPort : self;
/** @param {string | number} message */
const post = message => port.postMessage(message);

/** @type {Instance} */ let instance;
/** Answers that the page does not see. @type {string[] | null} */
let kept = null;
/** The numbers of the last line to stop, and of the last one whose expected move was played. @type {Int32Array | null} */
let signals = null;
/** The number of the line that is obeyed. */
let number = 0;

function signal() {
  if (!signals) return GO_ON;
  if (Atomics.load(signals, 0) >= number) return STOP;
  return Atomics.load(signals, 1) >= number ? PONDER_HIT : GO_ON;
}

/** Calls the module, and keeps the answers from the page. @param {'needs' | 'network' | 'uci'} name @param {string | Uint8Array} input */
function ask(name, input) {
  const answers = (kept = /** @type {string[]} */ ([]));
  instance.call(name, input);
  kept = null;
  return answers.join('\n');
}

/** @param {{ module?: WebAssembly.Module, memory?: WebAssembly.Memory, lends?: boolean, signals?: Int32Array, line?: string, silent?: boolean }} message */
async function obey(message) {
  if (message.module) {
    if (message.lends && message.memory) await Instance.lend(message.module, message.memory);
    signals = message.signals ?? null;
    // Boards and tables come as several lines.
    const send = (/** @type {string} */ text) => (kept ? void kept.push(text) : text.split('\n').forEach(post));
    instance = await Instance.make(message.module, send, signal, message.memory);
    return;
  }
  const line = message.line ?? '';
  number += 1;
  for (const name of ask('needs', line).split(' ').filter(Boolean)) {
    try {
      const refusal = ask('network', await network(name));
      if (refusal) throw new Error(refusal);
    } catch (error) {
      // The engine can do without, but not well.
      post(`info string error: network ${name}: ${/** @type {Error} */ (error).message}`);
    }
  }
  if (message.silent) ask('uci', line);
  else instance.call('uci', line);
  post(number);
}

/** Messages are obeyed one after the other. */
let last = Promise.resolve();
const receive = (/** @type {any} */ message) => {
  last = last.then(() => obey(message)).catch(error => port.postMessage({ fault: error.message }));
};
if (port === globalThis.self)
  port.addEventListener('message', (/** @type {MessageEvent} */ event) => receive(event.data));
else port.on('message', receive);
