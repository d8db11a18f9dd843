// The files of this package: the module, and the networks of the games.

/** Is this Node, and not a page? */
export const inNode = typeof process === 'object' && !!process.versions?.node;

/** A module of one function with an instruction of SIMD. */
const SIMD = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  5,
  1,
  96,
  0,
  1,
  123,
  3,
  2,
  1,
  0,
  10,
  10,
  1,
  8,
  0,
  65,
  0,
  253,
  15,
  253,
  98,
  11,
);

/** Compiles the module, the faster one where its instructions are known. @returns {Promise<WebAssembly.Module>} */
export async function compile() {
  // Bundlers find files by these words.
  const url = WebAssembly.validate(SIMD)
    ? new URL('./quintain.wasm', import.meta.url)
    : new URL('./quintain-plain.wasm', import.meta.url);
  if (inNode) return WebAssembly.compile(await read(url));
  const response = await fetch(url);
  // Some servers do not know what it is.
  return response.headers.get('Content-Type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** The network of this name. @param {string} name */
export async function network(name) {
  const bytes = await read(new URL(`./networks/${name}.bin.gz`, import.meta.url));
  // Some servers unpack such files on the way.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {URL} url */
async function read(url) {
  if (inNode) {
    const { readFile } = await import('node:fs/promises');
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
