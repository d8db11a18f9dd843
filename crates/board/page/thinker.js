// A worker that thinks for a room: one order after the other. A search blocks it. Further workers lend it their threads.

import { GO_ON, Instance, STOP } from './instance.js';

/** @import { Program } from './room.js' */

/** The number of the search under way. */ let number = 0;
/** @type {Int32Array | null} the number of the last search that was stopped */ let stopped = null;
/** @type {Instance | null} */ let program = null;

/** @param {{ begin?: Program, stopped?: Int32Array | null, lend?: Pick<Program, 'module' | 'memory'>, order?: { number: number } }} message */
async function obey(message) {
  if (message.lend) await Instance.lend(message.lend.module, /** @type {WebAssembly.Memory} */ (message.lend.memory));
  if (message.begin) {
    const { module, memory, network, tables } = message.begin;
    stopped = message.stopped ?? null;
    program = await Instance.make(module, hear, signal, memory);
    program.call('network', network);
    if (tables) program.call('tables', tables);
  }
  if (message.order) {
    number = message.order.number;
    program?.call('think', JSON.stringify(message.order));
  }
}

/** What the program says: a report, or why it does not take a network. @param {string} text */
function hear(text) {
  if (text) postMessage(JSON.parse(text));
}

const signal = () => (stopped && Atomics.load(stopped, 0) >= number ? STOP : GO_ON);

/** What is done one after the other. */
let queue = Promise.resolve();
addEventListener('message', ({ data }) => {
  queue = queue.then(() => obey(data));
  // The page of the room hears of what fails here as of any error.
  queue.catch(error => setTimeout(() => reportError(error)));
});
