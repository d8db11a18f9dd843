// The package in Chromium, served by a plain server of files, with and without shared memory.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';

/** As Debian has it, without windows or with them. */
const CHROMIUM = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ?? 'chromium';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
/** Nothing may be compiled but WebAssembly, and nothing may come from elsewhere. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'";
const PAGE = `<!doctype html><script type="importmap">{"imports": {"quintain": "./node_modules/quintain/index.js"}}</script>
<script type="module">
  const say = text => fetch('/result', { method: 'POST', body: text });
  try {
    const { default: checks } = await import('./checks.js');
    const { load } = await import('quintain');
    for (const check of Object.values(checks)) await check();
    document.body.innerHTML = (await load()).position('superchess').svg();
    const { width, height } = document.querySelector('svg').getBoundingClientRect();
    if (!(width > 100 && height > 100)) throw new Error('no picture');
    await say(\`passed, isolated: \${crossOriginIsolated}\`);
  } catch (error) {
    await say(\`\${error.stack}\`);
  }
</script>`;

/** Runs the checks in a page, and returns what it says. @param {Record<string, string>} headers */
async function page(headers) {
  const { promise, resolve } = Promise.withResolvers?.() ?? deferred();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://host').pathname;
    if (path === '/result') {
      let body = '';
      for await (const part of request) body += part;
      response.end();
      return resolve(body);
    }
    try {
      const body = path === '/' ? PAGE : await readFile(join(import.meta.dirname, path));
      const type = TYPES[path === '/' ? '.html' : extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': POLICY, ...headers });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const profile = await mkdtemp(join(tmpdir(), 'quintain-'));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, address];
  const browser = spawn(CHROMIUM, options, { stdio: 'ignore' });
  const ended = new Promise(done => browser.once('exit', done));
  const slow = setTimeout(resolve, 240_000, 'no answer');
  const said = await promise;
  clearTimeout(slow);
  browser.kill();
  await ended;
  server.closeAllConnections();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return said;
}

function deferred() {
  let resolve;
  const promise = new Promise(done => (resolve = done));
  return { promise, resolve };
}

const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
for (const [headers, wanted] of [
  [isolated, 'passed, isolated: true'],
  [{}, 'passed, isolated: false'],
])
  test(wanted, async () => {
    const said = await page(headers);
    if (said !== wanted) throw new Error(said);
  });
