// Talks to the program: events come in a stream, commands go out one by one.

/** A command that was refused, with the reason. */
export class Refused extends Error {}

/**
 * Sends a command and returns the answer.
 * @param {string} command @param {Record<string, unknown>} [values] @returns {Promise<any>}
 */
export async function send(command, values = {}) {
  let answer;
  try {
    answer = await fetch('command', { method: 'POST', body: JSON.stringify({ command, ...values }) });
  } catch {
    throw new Refused('The program does not answer.');
  }
  if (!answer.ok) {
    const reason = await answer.text();
    throw new Refused(
      reason
        ? reason[0].toUpperCase() + reason.slice(1) + (/[.!?]$/.test(reason) ? '' : '.')
        : 'The program refused that.',
    );
  }
  return answer.json();
}

/**
 * Listens to events. The browser connects again by itself; `onState` is told how it stands.
 * @param {Record<string, (data: any) => void>} handlers
 * @param {(state: 'open' | 'lost' | 'refused' | 'asleep') => void} onState
 */
export function listen(handlers, onState) {
  let seat = 0,
    retry = 0;
  /** @type {EventSource} */ let stream;
  const connect = () => {
    clearTimeout(retry);
    stream = new EventSource('events');
    stream.addEventListener('open', () => onState('open'));
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED) {
        onState('lost');
        return;
      }
      // The address is that of another start of the program, or something else answers there.
      onState('refused');
      retry = setTimeout(connect, 3000);
    });
    stream.addEventListener('seat', event => {
      seat = JSON.parse(event.data);
    });
    stream.addEventListener('sleep', event => {
      // A browser has few connections for a server; the oldest page gives its own up.
      if (JSON.parse(event.data) !== seat) return;
      stream.close();
      onState('asleep');
    });
    for (const [name, handler] of Object.entries(handlers))
      stream.addEventListener(name, event => handler(JSON.parse(event.data)));
  };
  connect();
  return {
    wake() {
      if (stream.readyState === EventSource.CLOSED) connect();
    },
  };
}
