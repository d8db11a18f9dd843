// The package in Node: what holds everywhere, the perft suite and the bench.
// QUINTAIN=path/to/the/repository node --test node.test.js

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'quintain';
import checks, { conversation } from './checks.js';

const repository = process.env.QUINTAIN ?? '.';
/** A minute for each of the largest counts would be too long for CI. */
const MOST = 3_000_000;

for (const [name, check] of Object.entries(checks)) test(name, check);

test('perft counts', async () => {
  const quintain = await load();
  let counted = 0;
  for (const file of readdirSync(join(repository, 'perft')).filter(name => name.endsWith('.epd'))) {
    const game = file.replace('.epd', '');
    const lines = readFileSync(join(repository, 'perft', file), 'utf8').split('\n');
    for (const line of lines.filter(line => line && !line.startsWith('#'))) {
      const [fen, ...counts] = line.split(';').map(part => part.trim());
      const position = quintain.position(game, fen);
      for (const count of counts) {
        const [depth, number] = count.slice(1).split(' ').map(Number);
        if (number > MOST) continue;
        assert.equal(position.perft(depth), number, `${game}: ${fen} to depth ${depth}`);
        counted += 1;
      }
    }
  }
  assert(counted > 700, `${counted} counts`);
});

test('bench is that of the program', async () => {
  const { say, quit } = await conversation();
  const known = readFileSync(join(repository, 'engine-tests/bench.txt'), 'utf8').trim();
  const last = (await say('bench', `${known} nodes`)).at(-1);
  console.log(last);
  quit();
});
