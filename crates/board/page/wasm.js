// The WebAssembly modules of a site.

import { expand } from './instance.js';

/** The bytes of a file that is compressed. @param {string} name */
export async function unzip(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return expand(new Uint8Array(await answer.arrayBuffer()));
}

/** A module. @param {string} name */
export async function compile(name) {
  return WebAssembly.compile(/** @type {any} */ (await unzip(`${name}.wasm.gz`)));
}
