// An instance of a WebAssembly module of Quintain, which knows nothing of the world but these functions. The package for
// npm has this file too.

/** What the engine is to be told while it searches. */
export const [GO_ON, STOP, PONDER_HIT] = [0, 1, 2];

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A module with one instruction of SIMD: a function that returns the first lane of a vector. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Are the modules with SIMD for this machine? */
export const hasSimd = () => WebAssembly.validate(SIMD);

/** A file that was compressed, expanded; a server may have done so on the way. @param {Uint8Array} bytes */
export async function expand(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Instance {
  /** @type {any} */ #exports;
  /** @type {string | null} */ #fault = null;

  /**
   * @param {WebAssembly.Module} module
   * @param {(text: string) => void} send gets what the module answers
   * @param {() => number} [signal] is asked during searches: GO_ON, STOP or PONDER_HIT
   */
  static async make(module, send, signal = () => GO_ON) {
    const instance = new Instance();
    const text = (/** @type {number} */ at, /** @type {number} */ length) =>
      decoder.decode(new Uint8Array(instance.#exports.memory.buffer, at, length));
    const quintain = {
      now: () => performance.timeOrigin + performance.now(),
      signal,
      send: (/** @type {number} */ at, /** @type {number} */ length) => send(text(at, length)),
      fault: (/** @type {number} */ at, /** @type {number} */ length) => (instance.#fault = text(at, length)),
    };
    instance.#exports = (await WebAssembly.instantiate(module, { quintain })).exports;
    return instance;
  }

  /**
   * Calls a function of the module with text or a file.
   * @param {'uci' | 'needs' | 'network' | 'rules' | 'room' | 'think' | 'tables'} name
   * @param {string | Uint8Array} input
   */
  call(name, input) {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    try {
      const at = this.#exports.buffer(bytes.length);
      new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
      this.#exports[name](bytes.length);
    } catch (error) {
      throw this.#fault === null ? error : new Error(`internal error: ${this.#fault}`);
    }
  }
}
