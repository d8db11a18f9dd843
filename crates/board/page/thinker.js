// The worker that thinks for a room: one order after the other. A search blocks it.

import { start, unzip } from './wasm.js';

/** The number of the search under way. */ let number = 0;
/** @type {Int32Array | null} the number of the last search that was stopped */ let stopped = null;
/** @type {ReturnType<typeof start> | null} */ let started = null;
/** Games whose network the program has. */
const known = new Set();

/** What is done one after the other. */
let queue = Promise.resolve();
addEventListener('message', ({ data }) => {
  queue = queue.then(async () => {
    if (data.program) {
      stopped = data.stopped;
      const signal = () => (stopped && Atomics.load(stopped, 0) >= number ? 1 : 0);
      started = start(data.program, hear, signal);
      await started;
    } else await think(data.order);
  });
  // The page of the room hears of what fails here as of any error.
  queue.catch(error => setTimeout(() => reportError(error)));
});

/** What the program says: a report, or why it does not take a network. @param {string} text */
function hear(text) {
  if (text) postMessage(JSON.parse(text));
}

/** @param {{ number: number, network: string }} order */
async function think(order) {
  const program = await started;
  if (!known.has(order.network)) {
    program?.('network', await unzip(`networks/${order.network}.bin.gz`));
    known.add(order.network);
  }
  number = order.number;
  program?.('think', JSON.stringify(order));
}
