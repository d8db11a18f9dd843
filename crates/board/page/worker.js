// The carrier of a site without a server: the room is in a worker of this page.

/** @import { Role } from '../types.d.ts' */
import { refused } from './refused.js';

/** Where others find this page, for links. @type {string | null} */
export const HOME = new URL('.', import.meta.url).href;

/** Who waits for which answer, and the text of the question.
 * @type {Map<number, { tell: (value: any) => void, fail: (error: Error) => void, text: unknown }>} */
const waiting = new Map();
let last = 0;
/** @type {(message: { [kind: string]: any }) => void} */ let onMessage = () => {};
/** @type {Worker | null} */ let worker = null;
/** Has this page taken the games? */ let hasGames = false;

/** The worker; it begins when it is first needed. */
function room() {
  if (worker) return worker;
  worker = new Worker(new URL('room.js', import.meta.url), { type: 'module', name: 'room' });
  const game = new URLSearchParams(location.search).get('game') ?? /^#([a-z0-9]+)/.exec(location.hash)?.[1] ?? null;
  worker.postMessage({ tell: 'begin', game });
  worker.addEventListener('error', event => {
    onMessage({ state: ['broken', `The program cannot start in this browser: ${event.message || 'too old'}.`] });
  });
  worker.addEventListener('message', ({ data }) => {
    if (!data.answer) {
      onMessage(data);
      return;
    }
    const [number, { Ok: value, Err: reason }] = data.answer;
    const asked = waiting.get(number);
    waiting.delete(number);
    if (reason === undefined) asked?.tell(value);
    else asked?.fail(refused(reason, asked.text));
  });
  return worker;
}

/** @param {Record<string, unknown>} message @param {unknown} [text] what somebody typed @returns {Promise<any>} */
function ask(message, text) {
  return new Promise((tell, fail) => {
    last++;
    waiting.set(last, { tell, fail, text });
    room().postMessage({ ...message, number: last });
  });
}

/**
 * Sends a command and returns the answer; the events that it caused have been handled by then.
 * @param {string} command @param {Record<string, unknown>} [values]
 */
export function send(command, values = {}) {
  hasGames = true;
  return ask({ tell: 'command', command: { command, ...values } }, values.text);
}

// Where a browser shows a page again as it was left, another one may have taken the games since.
addEventListener('pageshow', event => {
  if (event.persisted && hasGames) location.reload();
});

/**
 * The answer to a question that changes nothing; an error has the program's words.
 * @param {string} path @param {Record<string, string | null>} [query] @returns {Promise<any>}
 */
export async function get(path, query = {}) {
  // What is always the same is a file.
  const file = /^(lessons|handbook)\//.test(path) ? `${path}.json` : path;
  if (!file.endsWith('.json')) return ask({ tell: 'get', path, query });
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`There is no ${file}.`);
  return answer.json();
}

/**
 * Listens to events; `onState` is told how the room stands, with what to tell a person.
 * @param {Record<string, (data: any) => void>} handlers
 * @param {(state: string, text: string) => void} onState
 * @param {(role: Role) => void} onRole is told what this visitor is
 */
export function listen(handlers, onState, onRole) {
  let state = '';
  onMessage = data => {
    if (data.state) {
      state = data.state[0];
      if (state === 'open') keep();
      onState(state, data.state[1]);
      return;
    }
    const [name, value] = data.event;
    if (name === 'seat') onRole(value.role);
    else handlers[name]?.(value);
  };
  hasGames = true;
  room().postMessage({ tell: 'listen' });
  return {
    wake() {
      if (state === 'asleep') room().postMessage({ tell: 'listen' });
    },
  };
}

/** How long pages without a room may take to load, in milliseconds. */
const QUIET = 5000;
let kept = false;

/** Keeps the site in the browser, so that it works without a network; nothing else is to wait for that. */
async function keep() {
  // A page in a frame is not what a person visits.
  if (kept || !('serviceWorker' in navigator) || window.top !== window) return;
  kept = true;
  await navigator.serviceWorker.register(new URL('offline.js', import.meta.url));
  (await navigator.serviceWorker.ready).active?.postMessage('complete');
}
setTimeout(keep, QUIET);
