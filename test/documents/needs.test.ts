/** Every reason not to run a block is one of a block that exists, and of no other. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from './needs.ts';
import { readBlocks } from './read-blocks.ts';

test('each block that npm run verify -- documents does not run is in a page, once', () => {
  const found = needs.map(({ page, begins }) => {
    const blocks = readBlocks(page).commands.filter(({ commands }) => commands.startsWith(begins));
    return `${page}: ${begins}: ${blocks.length}`;
  });
  deepEqual(
    found,
    needs.map(({ page, begins }) => `${page}: ${begins}: 1`),
  );
});
