/** Hidden attacks and harmless lookalikes: a sample of those that `npm run detection` measures completely. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { measureItems, sumShares } from './measure-items.ts';
import { type Share, shareOf } from './measure.ts';

const measured = await measureItems('sample');

function listBelow(shares: Readonly<Record<string, Share>>, least: number): readonly string[] {
  return Object.entries(shares)
    .filter(([, share]) => shareOf(share) < least)
    .map(([name, [stopped, total]]) => `${name}: ${stopped} of ${total}`);
}

test('60 payloads are stopped in 160 disguises: 97 % of all, and 90 % in each', () => {
  const { disguised, forms, prose } = measured;
  // Prose stands in two places.
  equal(Object.keys({ ...disguised, ...forms }).length + 2 * Object.keys(prose).length, 160);
  ok(shareOf(sumShares({ ...disguised, ...forms, ...prose })) >= 0.97);
  deepEqual(listBelow(disguised, 0.9), []);
});

test('a sentence hides nothing: 58 of 60 attacks behind, before and inside of prose are stopped', () => {
  deepEqual(listBelow(measured.prose, 58 / 60), []);
});

test('attacks are stopped in every form in which programs read parts, 97 % in all and 90 % in each', () => {
  ok(shareOf(sumShares(measured.forms)) >= 0.97);
  deepEqual(listBelow(measured.forms, 0.9), []);
});

test('a unit that is repeated before a known file is stopped, whatever the unit is', () => {
  deepEqual(listBelow(measured.units, 1), []);
});

test('passwords in fields named so are never stopped', () => {
  deepEqual(listStopped('password'), []);
});

test('texts with the words of attacks pass, but for those that have all of an attack', () => {
  for (const kind of ['headers', 'script', 'address', 'ellipsis']) deepEqual(listStopped(kind), []);
  // The sender chooses the quotes, fences and traces around it.
  ok(shareOf(sumShares(measured.lookalikes)) < 0.25);
});

test('texts and sources of packages and commits are stopped in less than 5 % of a sample', () => {
  const share = sumShares(measured.texts);
  ok(shareOf(share) < 0.05, share.join(' of '));
});

function listStopped(kind: string): readonly string[] {
  return measured.stopped.filter((each) => each.kind === kind).map(({ value }) => value);
}
