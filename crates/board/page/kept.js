// Small things that the browser keeps between visits. Where its settings forbid that, the page keeps them until it is left.

/** @type {Map<string, string>} */ const here = new Map();

/** What is kept under a name. @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return here.get(name) ?? null;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    here.set(name, value);
  }
}
