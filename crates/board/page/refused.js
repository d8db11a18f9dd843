// A command that was refused, with the reason.

export class Refused extends Error {}

/**
 * The program's reason as a sentence. A move with which it begins stays as it was typed.
 * @param {string} reason @param {unknown} [typed]
 */
export function refused(reason, typed) {
  const text = reason.trim() || 'the program refused that';
  const first = typeof typed === 'string' && typed && text.startsWith(typed) ? text[0] : text[0].toUpperCase();
  return new Refused(first + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.'));
}
