import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { ChangedZones } from './changed-zones.ts';

test('ChangedZones waits longer after each failure of a zone, up to a bound, and starts over when it succeeds', () => {
  const zones = new ChangedZones(new VirtualClock());
  const delays = Array.from({ length: 9 }, () => zones.fail('a'));
  deepEqual(delays, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  equal(zones.fail('b'), 100);
  zones.succeed('a');
  deepEqual([zones.fail('a'), zones.fail('b')], [100, 200]);
});
