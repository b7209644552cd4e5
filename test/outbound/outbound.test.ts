/**
 * What the code of a Worker can reach, with the clients that need no package; `npm run verify -- doors` has those of
 * npm as well. A service on this machine counts connections: a client's report of its own failure is not trusted.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { temporary } from '../server/gatehouse.ts';
import { doors } from './doors.ts';
import { listLeaks, tryOwn, tryTarget } from './matrix.ts';
import { Target } from './target.ts';

test('gatehouse dev lets a Worker reach this machine, so the clients are known to work', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors.dev(t, 'built-in');
  const cells = await tryTarget(door, target, { places: 'of this machine', withWays: false });
  for (const { client, arrived, tried } of cells) {
    // The service may notice a connection later than its client.
    const isReached = arrived > 0 || tried.some(([, outcome]) => outcome === 'reached');
    ok(isReached, `${client}: ${JSON.stringify(tried)}`);
  }
});

test('gatehouse run keeps a Worker from this machine and from private networks', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors.run(t, 'built-in');
  deepEqual(listLeaks(await tryTarget(door, target, { places: 'all' })), []);
  deepEqual(listLeaks(await tryOwn(door, target)), []);
  equal(target.reached, 0);
});

test('gatehouse run keeps objects in processes of their own from this machine', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors['run, two object hosts'](t, 'built-in');
  deepEqual(listLeaks(await tryTarget(door, target, { places: 'of this machine', from: '/object' })), []);
});

test('gatehouse serve keeps the Worker of a zone from this machine, and always from its own API', async (t) => {
  const target = await Target.start(t, temporary(t));
  const door = await doors['serve, private networks'](t, 'built-in');
  deepEqual(listLeaks(await tryOwn(door, target)), []);
  ok(target.reached > 0, 'what is private can be reached');
});
