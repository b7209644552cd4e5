/** What hides an attack and what only looks like one: a sample of what `npm run detection` measures whole. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { measureItems } from './measure-items.ts';
import { type Share, shareOf } from './measure.ts';

const measured = await measureItems('sample');

function listBelow(shares: Readonly<Record<string, Share>>, least: number): readonly string[] {
  return Object.entries(shares)
    .filter(([, share]) => shareOf(share) < least)
    .map(([name, [stopped, total]]) => `${name}: ${stopped} of ${total}`);
}

test('a sentence hides nothing: 58 of 60 attacks behind, before and inside of prose are stopped', () => {
  deepEqual(listBelow(measured.prose, 58 / 60), []);
});
