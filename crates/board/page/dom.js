// Finds and makes elements of the page.

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
