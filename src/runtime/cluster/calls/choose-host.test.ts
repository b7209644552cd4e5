import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { chooseHost } from './choose-host.ts';

/** Evenly distributed numbers, the same each time. */
function createRandom(): () => number {
  let state = 0.5;
  return () => (state = (state + Math.SQRT2) % 1);
}

test('chooseHost takes the one with fewer objects of two, and the first if both have as many', () => {
  equal(chooseHost([]), undefined);
  const few = { load: 1 };
  equal(chooseHost([few]), few);
  equal(chooseHost([few, { load: 2 }]), few);
  equal(chooseHost([{ load: 2 }, few]), few);
  equal(chooseHost([few, { load: 1 }]), few);
});

test('chooseHost does not send everything to a host that has just started', () => {
  const hosts = Array.from({ length: 100 }, (_, index) => ({ load: index === 42 ? 0 : 10_000, placed: 0 }));
  const random = createRandom();
  for (let i = 0; i < 10_000; i++) chooseHost(hosts, random)!.placed++;
  const { placed } = hosts[42]!;
  ok(placed > 100 && placed < 400, `${placed} of 10,000`);
});
