// The worker that thinks for a room: one order after the other. A search blocks it.

import { GO_ON, Instance, STOP } from './instance.js';

/** The number of the search under way. */ let number = 0;
/** @type {Int32Array | null} the number of the last search that was stopped */ let stopped = null;
/** @type {Instance | null} */ let program = null;

/** @param {{ stopped?: Int32Array, program?: [WebAssembly.Module, Uint8Array, Uint8Array?], order?: { number: number } }} message */
async function obey(message) {
  if (message.stopped) stopped = message.stopped;
  if (message.program) {
    const [module, network, tables] = message.program;
    program = await Instance.make(module, hear, signal);
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
