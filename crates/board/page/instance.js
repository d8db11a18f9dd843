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

/** The most threads. Each needs memory, and people have other programs too. */
const MOST_THREADS = 8;

/** How many threads a module can have that is made for several, if this worker can share memory with others. */
export const threads = () =>
  typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false && hasSimd()
    ? Math.min(globalThis.navigator?.hardwareConcurrency ?? MOST_THREADS, MOST_THREADS)
    : 1;

const PAGE = 65_536;
/** The stack of a thread, in bytes. */
const STACK = 8 << 20;

/** Memory for instances of a module for several threads, within the bounds with which `.ci/wasm` links it. */
export const sharedMemory = () => new WebAssembly.Memory({ initial: 512, maximum: 16_384, shared: true });

/** A file that was compressed, expanded; a server may have done so on the way. @param {Uint8Array} bytes */
export async function expand(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Instance {
  /** @type {any} */ #exports;
  /** @type {any} */ #memory;
  /** @type {string | null} */ #fault = null;

  /**
   * @param {WebAssembly.Module} module
   * @param {(text: string) => void} send gets what the module answers
   * @param {() => number} [signal] is asked during searches: GO_ON, STOP or PONDER_HIT
   * @param {WebAssembly.Memory} [memory] of a module for several threads; see {@link sharedMemory}
   */
  static async make(module, send, signal = () => GO_ON, memory) {
    const instance = new Instance();
    // What is shared cannot be decoded where it is.
    const text = (/** @type {number} */ at, /** @type {number} */ length) =>
      decoder.decode(new Uint8Array(instance.#memory.buffer, at, length).slice());
    const quintain = {
      now: () => performance.timeOrigin + performance.now(),
      signal,
      threads,
      send: (/** @type {number} */ at, /** @type {number} */ length) => send(text(at, length)),
      fault: (/** @type {number} */ at, /** @type {number} */ length) => (instance.#fault = text(at, length)),
    };
    /** @type {WebAssembly.ModuleImports} */ const env = memory ? { memory } : {};
    instance.#exports = (await WebAssembly.instantiate(module, { quintain, env })).exports;
    instance.#memory = memory ?? instance.#exports.memory;
    if (memory) instance.#own(0);
    return instance;
  }

  /** Lends this worker to the program in a memory that others have too: it does nothing else any more.
   * @param {WebAssembly.Module} module @param {WebAssembly.Memory} memory */
  static async lend(module, memory) {
    const instance = await Instance.make(module, () => {}, undefined, memory);
    instance.#exports.__stack_pointer.value = instance.#own(STACK);
    instance.#run(() => instance.#exports.help());
  }

  /** Gives this instance of several a stack of so many bytes, and behind it its thread-local storage. Returns where that
   * begins. @param {number} stack */
  #own(stack) {
    const at = this.#memory.grow(Math.ceil((stack + this.#exports.__tls_size.value) / PAGE)) * PAGE + stack;
    this.#exports.__wasm_init_tls(at);
    return at;
  }

  /**
   * Calls a function of the module with text or a file.
   * @param {'uci' | 'needs' | 'network' | 'rules' | 'room' | 'think' | 'tables'} name
   * @param {string | Uint8Array} input
   */
  call(name, input) {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    this.#run(() => {
      const at = this.#exports.buffer(bytes.length);
      new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
      this.#exports[name](bytes.length);
    });
  }

  /** Runs code of the module. If that fails, the error has the module's words. @param {() => void} code */
  #run(code) {
    try {
      code();
    } catch (error) {
      throw this.#fault === null ? error : new Error(`internal error: ${this.#fault}`);
    }
  }
}
