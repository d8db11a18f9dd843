// The program as a WebAssembly module, for workers.

/** A module that only browsers with SIMD take: a function that returns a vector's first lane. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The bytes of a file that is compressed; a host may have told the browser to expand it. @param {string} name */
export async function unzip(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The module, in the form that suits this browser. */
export async function compile() {
  const name = WebAssembly.validate(SIMD) ? 'quintain' : 'quintain-plain';
  return WebAssembly.compile(await unzip(`${name}.wasm.gz`));
}

/**
 * Starts the program.
 * @param {WebAssembly.Module} module
 * @param {(text: string) => void} onText is told what it says
 * @param {() => number} [signal] tells a search whether it is to stop
 */
export async function start(module, onText, signal = () => 0) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  /** @param {number} at @param {number} length */
  const text = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at, length));
  const { exports } = await WebAssembly.instantiate(module, {
    quintain: {
      now: () => performance.timeOrigin + performance.now(),
      signal,
      send: (/** @type {number} */ at, /** @type {number} */ length) => onText(text(at, length)),
      fault: (/** @type {number} */ at, /** @type {number} */ length) => console.error(text(at, length)),
    },
  });
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  /**
   * Calls a function with a text or a file.
   * @param {'room' | 'think' | 'network' | 'tables'} name @param {string | Uint8Array} input
   */
  return (name, input) => {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    const at = /** @type {(length: number) => number} */ (exports.buffer)(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    /** @type {(length: number) => void} */ (exports[name])(bytes.length);
  };
}
