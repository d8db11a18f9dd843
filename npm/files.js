// The files of this package: the module, and the networks of the games.

import { expand, hasSimd } from './instance.js';

/** Is this Node, and not a page? */
export const inNode = typeof process === 'object' && !!process.versions?.node;

/** Compiles the module, the faster one where its instructions are known. @returns {Promise<WebAssembly.Module>} */
export function compile() {
  // Bundlers find files by these words.
  return hasSimd()
    ? load(new URL('./quintain.wasm', import.meta.url))
    : load(new URL('./quintain-plain.wasm', import.meta.url));
}

/** Compiles the module for several threads. */
export const compileForThreads = () => load(new URL('./quintain-threads.wasm', import.meta.url));

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function load(url) {
  if (inNode) return WebAssembly.compile(await read(url));
  const response = await fetch(url);
  // Some servers do not know what it is.
  return response.headers.get('Content-Type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** The network of this name. @param {string} name */
export async function network(name) {
  return expand(await read(new URL(`./networks/${name}.bin.gz`, import.meta.url)));
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
