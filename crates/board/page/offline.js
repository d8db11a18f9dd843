// The service worker of a site: its files are kept, so that it works without a network; and they get the headers with
// which pages and workers may share memory, where the host sets none.

/** @typedef {{ request: Request, respondWith: (answer: Promise<Response>) => void }} FetchEvent */

// `quintain site` puts the version in, and the names of the files.
const VERSION = 'VERSION';
const FILES = ['FILES'];
/** Fetched when the others are there, for no game needs all of them. */
const LATER = /^(modules|networks)\/|^tables/;
/** Kept when they are used: without a network, the module with all games does, in one thread. */
const USED = /^modules\/(?!all(-plain)?\.)/;

const worker = /** @type {any} */ (globalThis);
const HOME = new URL('.', location.href);
/** Sites in other folders of the host have caches of their own. */
const PREFIX = `quintain ${HOME.pathname} `;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener('message', (/** @type {any} */ event) => event.waitUntil(complete()));
worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(HOME.href)) event.respondWith(answer(request));
});

async function install() {
  const cache = await caches.open(PREFIX + VERSION);
  const now = FILES.filter(name => !LATER.test(name));
  await cache.addAll(now.map(name => new Request(new URL(name, HOME), { cache: 'no-cache' })));
  // Pages that are open go on with the version that they began with.
  if (!worker.registration.active) await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) await caches.delete(name);
  await worker.clients.claim();
}

/** Fetches what is still missing, when a page has nothing more to wait for. */
async function complete() {
  const cache = await caches.open(PREFIX + VERSION);
  await Promise.all(
    FILES.filter(name => LATER.test(name) && !USED.test(name)).map(async name => {
      const url = new URL(name, HOME);
      if (!(await cache.match(url))) await cache.add(url);
    }),
  );
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(PREFIX + VERSION);
  // What stands after the question mark is for the page.
  const kept = await cache.match(request.url === HOME.href ? new URL('index.html', HOME) : request, {
    ignoreSearch: true,
  });
  const found = kept ?? (await fetch(request));
  if (found.status === 0) return found;
  if (found.ok && USED.test(request.url.slice(HOME.href.length))) await cache.put(request, found.clone());
  const headers = new Headers(found.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
