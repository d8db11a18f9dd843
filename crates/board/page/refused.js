// A command that was refused, with the reason.

export class Refused extends Error {}

/** The program's reason as a sentence. @param {string} reason */
export function refused(reason) {
  const text = reason.trim() || 'the program refused that';
  return new Refused(text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.'));
}
