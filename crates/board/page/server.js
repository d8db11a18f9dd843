// Talks to the program: events come in a stream, commands go out one by one.

/** @import { Role } from '../types.d.ts' */
import { keep, kept } from './kept.js';
import { Refused, refused } from './refused.js';

/** The events go to other pages, and this one does not see what it does. */ let asleep = false;
/** The number of the last event that was handled; nothing while no events come. @type {number | null} */
let handled = null;
/** Who waits until which event was handled. @type {{ number: number, tell: (_: void) => void }[]} */
let waiting = [];

/** @param {number | null} number */
function setHandled(number) {
  handled = number;
  const [over, rest] = [waiting.filter(isHandled), waiting.filter(entry => !isHandled(entry))];
  waiting = rest;
  for (const { tell } of over) tell();
}

/** @param {{ number: number }} entry */
function isHandled({ number }) {
  return handled === null || number <= handled;
}

/** Waits for the events before an answer, which come on another connection. @param {number} number */
async function handledUntil(number) {
  if (!isHandled({ number })) await new Promise(tell => waiting.push({ number, tell }));
}

/**
 * Sends a command and returns the answer, once the events were handled that the command caused.
 * @param {string} command @param {Record<string, unknown>} [values] @returns {Promise<any>}
 */
export async function send(command, values = {}) {
  if (asleep) throw new Refused('This tab sleeps.');
  let answer;
  try {
    answer = await fetch('command', { method: 'POST', body: JSON.stringify({ command, ...values }) });
  } catch {
    throw new Refused('The program does not answer.');
  }
  await handledUntil(Number(answer.headers.get('quintain-after')));
  if (!answer.ok) throw refused(await answer.text(), values.text);
  return answer.json();
}

/**
 * The answer to a question that changes nothing; an error has the program's words.
 * @param {string} path @param {Record<string, string | null>} [query] @returns {Promise<any>}
 */
export async function get(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const text = new URLSearchParams(given).toString();
  let answer;
  try {
    answer = await fetch(text ? `${path}?${text}` : path);
  } catch {
    throw new Error('The program does not answer. Start it again.');
  }
  if (!answer.ok) throw new Error((await answer.text()) || 'The program refused that.');
  return answer.json();
}

/** What a person is told. */
const TEXTS = {
  open: '',
  lost: 'The connection to quintain board is lost. Trying to connect again…',
  refused: 'quintain board was started again. Open the address that it printed; the game is saved.',
  asleep: 'This tab sleeps, because many are open. Click here to wake it.',
};

/** What tells this browser from others, for a browser has few connections. */
function browser() {
  const name = kept('browser') ?? String(Math.random()).slice(2);
  keep('browser', name);
  return name;
}

/**
 * Listens to events. The browser connects again by itself; `onState` is told how it stands, with what to tell a person.
 * @param {Record<string, (data: any) => void>} handlers
 * @param {(state: string, text: string) => void} onState
 * @param {(role: Role) => void} onRole is told what this visitor is
 */
export function listen(handlers, onState, onRole) {
  let seat = 0,
    retry = 0;
  /** @type {EventSource} */ let stream;
  /** @param {keyof typeof TEXTS} state */
  const tell = state => {
    asleep = state === 'asleep';
    onState(state, TEXTS[state]);
  };
  const connect = () => {
    clearTimeout(retry);
    stream = new EventSource(`events?browser=${browser()}`);
    stream.addEventListener('open', () => tell('open'));
    stream.addEventListener('error', () => {
      setHandled(null);
      if (stream.readyState !== EventSource.CLOSED) {
        tell('lost');
        return;
      }
      // The address is that of another start of the program, or something else answers there.
      tell('refused');
      retry = setTimeout(connect, 3000);
    });
    stream.addEventListener('sleep', event => {
      // A browser has few connections for a server; the oldest page gives its own up.
      if (JSON.parse(event.data) !== seat) return;
      stream.close();
      setHandled(null);
      tell('asleep');
    });
    /** @type {typeof handlers} */
    const all = {
      seat(data) {
        seat = data.number;
        onRole(data.role);
      },
      ...handlers,
    };
    for (const [name, handler] of Object.entries(all))
      stream.addEventListener(name, event => {
        handler(JSON.parse(event.data));
        setHandled(Number(event.lastEventId));
      });
  };
  connect();
  return {
    wake() {
      if (stream.readyState === EventSource.CLOSED) connect();
    },
  };
}
