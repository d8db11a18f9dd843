// Finds and makes elements of the page, and files for the person.

/** @param {string} id */
export const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
export const input = id => /** @type {HTMLInputElement} */ (document.getElementById(id));
/** @param {string} id */
export const dialog = id => /** @type {HTMLDialogElement} */ (document.getElementById(id));

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} kind @param {string} [name] @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(kind, name = '', text = '') {
  const node = document.createElement(kind);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
}

/** Browsers may begin to save a file some time after the click, Safari for one. In milliseconds. */
const SAVING = 60_000;

/** Gives the person a file to save. @param {string} name @param {string} type @param {string} text */
export function saveFile(name, type, text) {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}

/** The text of a file: UTF-8, or else Latin-1, as old programs write. @param {Blob} file */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // What browsers call Latin-1 is another code.
    return Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  }
}

/** @param {string} name @param {string} pgn */
export const savePgn = (name, pgn) => saveFile(name, 'application/x-chess-pgn', pgn);
