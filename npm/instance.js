// An instance of the module. It knows nothing of the world but these functions.

/** What the engine is to be told while it searches. */
export const [GO_ON, STOP, PONDER_HIT] = [0, 1, 2];

const decoder = new TextDecoder();
const encoder = new TextEncoder();

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
   * @param {'uci' | 'needs' | 'network' | 'rules'} name
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
